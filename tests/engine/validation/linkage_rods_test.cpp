// One structure in both models, as a discrete rod and as a linkage: a cantilever under gravity, the follower beam and a
// swinging rod. What lies between them shrinks with the square of the rod's edges.
#include <gtest/gtest.h>

#include "engine/simulation/run_scene.h"
#include "engine/validation/statics_run.h"

namespace tendril {
namespace linkage_rods_test {

using namespace test;

// Both are in one scene, side by side, and do not touch. They bend and stretch; neither shears nor twists. A thin
// section, so that the rod's nodes need no inertia of rotation.
std::string both(int segments, const std::string& rodHold, const std::string& joint, const std::string& more,
                 const std::string& steps = R"("points": 14, "magnus": 6)") {
  const std::string section =
      R"("section": {"stiffness": {"EA": 400, "EI1": 1, "EI2": 1, "GJ": 1}, "massPerLength": 1, "radius": 1e-3})";
  return R"({"format": "tendril/1",
    "rods": {"rod": {)" +
         section + R"(, "segments": )" + std::to_string(segments) +
         R"(, "path": {"line": {"from": [0, 0, 0], "to": [1, 0, 0]}}, "frame": [0, 0, 1]}},
    "linkages": {"arm": {"links": {"limb": {)" +
         joint + R"("body": {"soft": {"length": 1, )" + section + R"(, "strains": {"bendY": 10, "stretch": 8}, )" +
         steps + R"(}}}}}},
    "constraints": [)" +
         rodHold + R"(, {"planar": "xz"}],
    "probes": {"rod": {"position": "rod:last"}, "arm": {"position": "arm:tip"}, "rodMiddle": {"position": ")" +
         "rod:" + std::to_string(segments / 2) +
         R"("}, "armMiddle": {"position": "arm/limb@0.5"}, "rodEnergy": {"energy": "elastic", "of": "rod"},
      "armEnergy": {"energy": "elastic", "of": "arm"}}, )" +
         more + "}";
}

struct Gap {
  double tip, middle, energy;
};
Gap gapOf(const Simulation& sim) {
  return {(vectorColumn(sim, "rod") - vectorColumn(sim, "arm")).norm(),
          (vectorColumn(sim, "rodMiddle") - vectorColumn(sim, "armMiddle")).norm(),
          std::abs(column(sim, "rodEnergy") - column(sim, "armEnergy"))};
}
Gap finalGap(const std::string& scene) {
  Simulation sim(scene);
  runToEnd(sim);
  return gapOf(sim);
}

// Errors of three meshes: order two, and the finest below `least`.
template <class Scene>
void expectOrderTwo(const Scene& scene, const std::vector<int>& meshes, double least, bool energy = true) {
  Gap before{};
  for (std::size_t k = 0; k < meshes.size(); ++k) {
    const Gap gap = finalGap(scene(meshes[k]));
    if (k > 0) {
      EXPECT_NEAR(order(before.tip, gap.tip), 2, 0.15) << meshes[k];
      EXPECT_NEAR(order(before.middle, gap.middle), 2, 0.15) << meshes[k];
      if (energy) {
        EXPECT_NEAR(order(before.energy, gap.energy), 2, 0.2) << meshes[k];
      }
    }
    before = gap;
  }
  EXPECT_LT(before.tip, least);
  EXPECT_LT(before.energy, least);
}

const std::string clamp = R"({"clamp": "rod:first"})";

TEST(LinkageRods, TheCantileverUnderGravityIsOneInBothModels) {
  expectOrderTwo(
      [](int n) {
        return both(
            n, clamp, "",
            R"("environment": {"gravity": [0, 0, -10]}, "solver": {"mode": "static", "loadSteps": 10, "tolerance": 1e-10})");
      },
      {50, 100, 200}, 2e-5, false);  // the difference of energies is smaller still, and changes its sign
}

TEST(LinkageRods, TheFollowerBeamIsOneInBothModels) {
  // F L^2 / EI = 14: the tip has turned by half a circle.
  expectOrderTwo(
      [](int n) {
        return both(n, clamp, "",
                    R"("loads": [{"follower": [14, 0, 0], "at": "rod:last"}, {"follower": [0, 0, 14], "at": "arm:tip"}],
      "solver": {"mode": "static", "loadSteps": 20, "tolerance": 1e-10})");
      },
      {50, 100, 200}, 5e-4);
}

// On a hinge it falls from the horizontal, bends, and swings through; its weight comes within 0.3 s, so that the motion
// is smooth. Midpoints of positions and of strains differ by the square of the step: 1e-5 m here, as much as the
// linkage's own error.
TEST(LinkageRods, TheSwingingRodIsOneInBothModels) {
  Gap gaps[3];
  for (int k = 0; k < 3; ++k) {
    Simulation sim(both(20 << k, R"({"fix": "rod:first"})", R"("joint": {"revolute": {"axis": "y"}}, )",
                        R"text("environment": {"gravity": [0, 0, "=-30*smooth(t, 0, 0.3)"]},
      "solver": {"integrator": "implicit-midpoint", "dt": 1e-3, "duration": 0.5})text",
                        R"("points": 20)"));
    runToEnd(sim);
    gaps[k] = gapOf(sim);
    EXPECT_LT(column(sim, "arm.x"), 0);         // it has come past the lowest point
    EXPECT_GT(column(sim, "armEnergy"), 0.01);  // and is bent
  }
  EXPECT_NEAR(order(gaps[0].tip, gaps[1].tip), 2, 0.3);
  EXPECT_NEAR(order(gaps[0].middle, gaps[1].middle), 2, 0.3);
  EXPECT_NEAR(order(gaps[0].energy, gaps[1].energy), 2, 0.3);
  EXPECT_LT(gaps[2].tip, 0.4 * gaps[1].tip);
  EXPECT_LT(gaps[2].tip, 6e-5);
  EXPECT_LT(gaps[2].middle, 1.5e-4);
}

}  // namespace linkage_rods_test
}  // namespace tendril
