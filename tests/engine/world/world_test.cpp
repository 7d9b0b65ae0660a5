// One world for all bodies: obstacles are where the scene says, whatever bodies there are and whatever touches; a step
// that is not taken moves nothing.
#include "world/world.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "engine/rods_shells/build_scene.h"
#include "tendril/simulation.h"

namespace tendril::test {
namespace world_test {

const std::string rod =
    R"J("rods": {"r": {"path": {"line": {"from": [0,0,0], "to": [0.2,0,0]}}, "segments": 4, "material": "m", "section": {"circle": {"radius": 2e-3}}}},
  "materials": {"m": {"density": 1000, "youngs": 1e6}},)J";
const std::string arm =
    R"J("linkages": {"arm": {"links": {"bar": {"parent": "base", "joint": {"revolute": {"axis": "y"}},
  "body": {"rigid": {"length": 0.2, "mass": 0.1, "inertia": [1e-4, 1e-4, 1e-4]}}}}}},)J";
const std::string vine =
    R"J("vines": {"v": {"length": 0.1, "bodies": 6, "diameter": 0.02, "massPerLength": 0.1, "bendingStiffness": 0.01, "growth": 0.1, "base": [0, 3, 0]}},)J";

// Far away, so that nothing is ever touched.
std::string sceneOf(const std::string& bodies, const std::string& mode = R"("duration": 0.5, "dt": 0.01)") {
  return R"({"format": "tendril/1", "environment": {"gravity": [0.3, 0, -9.81]}, )" + bodies + R"J("obstacles": {
    "swings": {"sphere": {"center": [0, 9, 9], "radius": 0.1}, "displacement": ["=0.3*sin(4*t)", 0, "=t^2"]},
    "goes": {"box": {"center": [0, -9, 9], "half": [0.1, 0.1, 0.1]}, "velocity": [0.2, "=2*t", 0]}},
    "solver": {)J" +
         mode + "}}";
}

std::vector<float> placesAt(double t) {
  return {float(0.3 * std::sin(4 * t)), 0, float(t * t), float(0.2 * t), float(t * t), 0};
}

void expectNear(const std::vector<float>& is, const std::vector<float>& expected, double t) {
  ASSERT_EQ(is.size(), expected.size());
  for (std::size_t i = 0; i < is.size(); ++i)
    EXPECT_NEAR(is[i], expected[i], 1e-6) << "number " << i << " at t = " << t;
}

TEST(World, ObstaclesAreWhereTheSceneSaysBesideAnyBodies) {
  for (const std::string& bodies : {rod, arm, vine, rod + arm, rod + arm + vine}) {
    Simulation sim(sceneOf(bodies));
    expectNear(sim.snapshot().obstacles, placesAt(0), 0);
    EXPECT_EQ(sim.drawing().obstacles.size(), 2u);
    while (!sim.finished()) {
      sim.step();
      expectNear(sim.snapshot().obstacles, placesAt(sim.time()), sim.time());
    }
  }
}

TEST(World, AStepThatIsStoppedMovesNothing) {
  for (const std::string& bodies : {rod, arm, rod + arm, rod + arm + vine}) {
    Simulation sim(sceneOf(bodies)), straight(sceneOf(bodies));
    for (int k = 0; k < 10; ++k) sim.step(), straight.step();
    const std::vector<float> before = sim.snapshot().obstacles;
    EXPECT_EQ(sim.step([] { return false; }).steps, 0);
    EXPECT_EQ(sim.snapshot().obstacles, before);
    for (int k = 0; k < 10; ++k) sim.step(), straight.step();
    EXPECT_EQ(sim.snapshot().obstacles, straight.snapshot().obstacles);
    EXPECT_EQ(sim.snapshot().positions, straight.snapshot().positions);
  }
}

TEST(World, GoesOnFromWhereItWasSaved) {
  Simulation whole(sceneOf(rod + arm + vine)), resumed(sceneOf(rod + arm + vine));
  for (int k = 0; k < 10; ++k) whole.step();
  resumed.restore(whole.save());
  EXPECT_EQ(resumed.snapshot().obstacles, whole.snapshot().obstacles);
  for (int k = 0; k < 10; ++k) whole.step(), resumed.step();
  EXPECT_EQ(resumed.save(), whole.save());
}

// In statics obstacles go with the load.
TEST(World, AtRestObstaclesGoWithTheLoad) {
  const std::string clamped = rod + R"J("constraints": [{"clamp": {"of": "r", "where": "x < 0.06"}}],)J";
  Simulation sim(R"({"format": "tendril/1", )" + clamped +
                 R"J("obstacles": {"o": {"sphere": {"center": [0, 9, 9], "radius": 0.1}, "displacement": [0.4, 0, 0]}},
    "solver": {"mode": "static", "loadSteps": 4}})J");
  for (int k = 1; k <= 4; ++k) {
    sim.step();
    EXPECT_NEAR(sim.snapshot().obstacles[0], 0.1 * k, 1e-7);
  }
}

// What fails fails before anything has moved, also where no body could touch it.
TEST(World, AFormulaThatFailsLeavesAllWhereItWas) {
  for (const std::string& bodies : {rod, arm, rod + arm}) {
    Simulation sim(
        R"({"format": "tendril/1", )" + bodies +
        R"J("obstacles": {"o": {"sphere": {"center": [0, 9, 9], "radius": 0.1}, "displacement": ["=sqrt(0.055-t)", 0, 0]}},
      "solver": {"duration": 1, "dt": 0.01}})J");
    for (int k = 0; k < 5; ++k) sim.step();
    const std::vector<std::byte> before = sim.save();
    EXPECT_THROW(sim.step(), GaveUp);
    EXPECT_EQ(sim.save(), before);
  }
}

}  // namespace world_test
}  // namespace tendril::test
