// Vines whose step cannot be taken: robots, obstacles and what is drawn stay as the last accepted step left them.
#include <gtest/gtest.h>

#include <string>

#include "engine/simulation/run_scene.h"

namespace tendril::test {
namespace {

const std::string tube = R"("length": 0.4, "diameter": 0.02, "bodies": 20, "massPerLength": 0.05, "bendingStiffness": 0.02)";

TEST(VinesRefused, AFormulaThatFailsForOneVineMovesNoOther) {
  Simulation sim(R"x({"format": "tendril/1", "vines": {
      "a": {)x" + tube + R"x(, "growth": 0.1},
      "b": {)x" + tube + R"x(, "base": [0, 1, 0], "growth": "=t < 0.095 ? 0.1 : sqrt(0-t)"}},
    "solver": {"dt": 0.01, "duration": 1}, "probes": {"a": {"length": "a"}, "b": {"length": "b"}}})x");
  for (int i = 0; i < 9; ++i) sim.step();
  const auto before = sim.snapshot().positions;
  const auto placements = sim.bodies()[0].placements;
  EXPECT_NEAR(column(sim, "a"), 0.409, 1e-9);
  EXPECT_ANY_THROW(sim.step());
  EXPECT_EQ(sim.snapshot().positions, before);
  EXPECT_EQ(sim.bodies()[0].placements, placements);
}

// Jaws close on a vine until there is no room; then the run ends.
TEST(VinesRefused, ObstaclesStandWhereTheLastAcceptedStepLeftThem) {
  Simulation sim(R"({"format": "tendril/1", "vines": {"v": {)" + tube + R"(}},
    "obstacles": {"below": {"box": {"center": [0.3, -0.05, 0], "half": [0.05, 0.03, 0.5]}},
                  "above": {"box": {"center": [0.3, 0.05, 0], "half": [0.05, 0.03, 0.5]}, "displacement": [0, "=-0.2*t", 0]}},
    "contact": {"friction": 0}, "solver": {"dt": 0.01, "duration": 1}, "probes": {"f": {"contact": "force"}, "deep": {"contact": "penetration"}}})");
  double last = 0;
  try {
    for (; !sim.finished(); last = sim.time()) sim.step();
    FAIL() << "the jaws have closed";
  } catch (const std::exception& error) {
    EXPECT_NE(std::string(error.what()).find("vine \"v\""), std::string::npos) << error.what();
  }
  ASSERT_EQ(sim.time(), last);
  EXPECT_GT(last, 0.04);
  const auto shot = sim.snapshot();
  EXPECT_NEAR(shot.obstacles[4], -0.2 * last, 1e-7);  // "above" in the list, single precision
  EXPECT_LT(column(sim, "deep"), 1e-4);
}

}  // namespace
}  // namespace tendril::test
