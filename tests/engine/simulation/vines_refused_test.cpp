// Vines whose step cannot be taken: robots, obstacles and what is drawn stay as the last accepted step left them.
#include <gtest/gtest.h>

#include <string>
#include <variant>

#include "engine/simulation/run_scene.h"
#include "scene/load/load.h"
#include "simulation/models.h"

namespace tendril::test {
namespace vines_refused_test {

const std::string tube =
    R"("length": 0.4, "diameter": 0.02, "bodies": 20, "massPerLength": 0.05, "bendingStiffness": 0.02)";

TEST(VinesRefused, AFormulaThatFailsForOneVineMovesNoOther) {
  Simulation sim(R"x({"format": "tendril/1", "vines": {
      "a": {)x" + tube +
                 R"x(, "growth": 0.1},
      "b": {)x" + tube +
                 R"x(, "base": [0, 1, 0], "growth": "=t < 0.095 ? 0.1 : sqrt(0-t)"}},
    "solver": {"dt": 0.01, "duration": 1}, "probes": {"a": {"length": "a"}, "b": {"length": "b"}}})x");
  for (int i = 0; i < 9; ++i) sim.step();
  const auto before = sim.snapshot().positions;
  const auto placements = sim.bodies()[0].placements;
  EXPECT_NEAR(column(sim, "a"), 0.409, 1e-9);
  EXPECT_ANY_THROW(sim.step());
  EXPECT_EQ(sim.snapshot().positions, before);
  EXPECT_EQ(sim.bodies()[0].placements, placements);
}

// A step that is stopped half way has moved the obstacles already. Seen at the model: a simulation keeps its last
// picture.
TEST(VinesRefused, ObstaclesStandWhereTheLastAcceptedStepLeftThem) {
  const auto loaded = scene::loadScene(R"({"format": "tendril/1", "vines": {"v": {)" + tube + R"(}},
    "obstacles": {"above": {"box": {"center": [0.3, 0.05, 0], "half": [0.05, 0.03, 0.5]}, "displacement": [0, "=-0.2*t", 0]}},
    "solver": {"dt": 0.01, "duration": 1}})");
  const scene::Scene* scene = std::get_if<scene::Scene>(&loaded);
  ASSERT_NE(scene, nullptr);
  const auto made = makeModel(*scene);
  model::Model& model = *made;
  const double none = 0;
  model.begin(&none);
  model::StepRequest request;
  request.dt = 0.01, request.columns = &none;
  for (; request.t0 < 0.065; request.t0 += request.dt) ASSERT_TRUE(model.step(request, {}).accepted);
  Snapshot before, after;
  model.snapshot(before);
  ASSERT_FALSE(before.contacts.empty());
  EXPECT_TRUE(model.step(request, [] { return false; }).stopped);
  model.snapshot(after);
  EXPECT_EQ(after.obstacles, before.obstacles);
  EXPECT_EQ(after.positions, before.positions);
  EXPECT_EQ(after.contacts, before.contacts);
}

}  // namespace vines_refused_test
}  // namespace tendril::test
