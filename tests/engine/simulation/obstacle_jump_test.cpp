// An obstacle that a live parameter or feedback moves sweeps its way: bodies are pushed, or the step is cut or refused;
// none ends on the other side.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/simulation/run_scene.h"

namespace tendril {
namespace obstacle_jump_test {

using test::filled;

// Bodies along x at the height 0, a bar across that comes down on them along z at x = 0.25.
const char* const rod =
    R"J("rods": {"body": {"section": {"circle": {"radius": 0.005}}, "segments": 20, "material": "rubber",
  "path": {"line": {"from": [0, 0, 0], "to": [0.5, 0, 0]}}}},
"constraints": [{"clamp": "body:first"}])J";
const char* const shell = R"J("shells": {"body": {"thickness": 0.004, "material": "rubber", "bending": "hinge",
  "mesh": {"rectangle": {"corner": [0, -0.1, 0], "along": [0.5, 0, 0], "across": [0, 0.2, 0], "edge": 0.05}}}},
"constraints": [{"fix": "body:first"}])J";
const char* const link = R"J("linkages": {"body": {"links": {"limb": {"body": {"soft": {"length": 0.5,
  "section": {"circle": {"radius": 0.005}}, "material": "rubber", "strains": {"bendY": 3, "bendZ": 3}}}}}}})J";
const char* const vine =
    R"J("vines": {"body": {"length": 0.5, "bodies": 20, "diameter": 0.01, "growth": 0, "plane": "xz",
  "massPerLength": 0.1, "bendingStiffness": 0.01}})J";

const char* const scene = R"J({"format": "tendril/1", "parameters": {"down": {"value": 0, "min": 0, "max": 2}},
"materials": {"rubber": {"youngs": 1e6, "poisson": 0.4, "density": 1000, "damping": 1000}},
$bodies,
"obstacles": {"bar": {"capsule": {"from": [0.25, -0.3, 0.05], "to": [0.25, 0.3, 0.05], "radius": 0.02},
                       "displacement": [0, 0, "$way"]}},
"contact": {"stiffness": 5000}, $more
"solver": {$solver, "duration": 0.5}})J";

struct Sides {
  double highest = -1;  ///< [m] of the body's middle over the bar's axis
  bool gaveUp = false;
};

/// Height [m] of the node that is nearest to the bar.
double middle(const Simulation& sim) {
  const BodyState body = sim.bodies()[0];
  double best = 1, height = 0;
  for (std::size_t i = 0; i < body.nodes.size(); i += 3) {
    const double away = std::hypot(body.nodes[i] - 0.25, body.nodes[i + 1]);
    if (away < best) best = away, height = body.nodes[i + 2];
  }
  return height;
}

Sides runOn(Simulation& sim, double seconds) {
  Sides out;
  try {
    const double until = sim.time() + seconds;
    while (sim.time() < until - 1e-9) {
      sim.step();
      out.highest = std::max(out.highest, middle(sim) - (0.05 + sim.snapshot().obstacles[2]));
    }
  } catch (const GaveUp&) {
    out.gaveUp = true;
  }
  return out;
}

struct Case {
  const char *name, *bodies;
};

class ObstacleJump : public ::testing::TestWithParam<Case> {};

// From one side of the body to the other, without a step in which it would touch.
TEST_P(ObstacleJump, ASliderDoesNotTakeAnObstacleThroughABody) {
  for (const char* solver : {R"("dt": 0.01)", R"("dt": 0.01, "adaptive": {"min": 1e-6, "max": 0.02})"}) {
    for (const double far : {0.08, 0.1}) {
      Simulation sim(
          filled(scene, {{"bodies", GetParam().bodies}, {"way", "=-down"}, {"solver", solver}, {"more", ""}}));
      sim.advance(0.05);
      ASSERT_TRUE(sim.set("down", far));
      EXPECT_EQ(sim.snapshot().obstacles[2], 0.0f);  // it moves with the step, not before
      const Sides sides = runOn(sim, 0.03);          // later what is pushed may swing about its end
      EXPECT_LT(sides.highest, 0) << far;            // pushed ahead of it
      if (sides.gaveUp || runOn(sim, 0.07).gaveUp) continue;
      EXPECT_NEAR(sim.snapshot().obstacles[2], -far, 1e-6);
    }
  }
}

TEST_P(ObstacleJump, FeedbackDoesNotEither) {
  const char* const state = R"("states": {"clock": {"rate": 1}},)";
  Simulation sim(filled(scene, {{"bodies", GetParam().bodies},
                                {"way", "=clock < 0.1 ? 0 : -0.1"},
                                {"solver", R"("dt": 0.01)"},
                                {"more", state}}));
  EXPECT_LT(runOn(sim, 0.13).highest, 0);
}

TEST_P(ObstacleJump, InFreeSpaceItArrivesWithinOneTimeStep) {
  Simulation sim(
      filled(scene, {{"bodies", GetParam().bodies}, {"way", "=down"}, {"solver", R"("dt": 0.01)"}, {"more", ""}}));
  sim.advance(0.05);
  ASSERT_TRUE(sim.set("down", 2));
  sim.step();
  EXPECT_EQ(sim.snapshot().obstacles[2], 2.0f);
}

// Overlaps at the start part over the first hundred steps: what a slider does within them is none.
TEST_P(ObstacleJump, IsNoOverlapAtTheStart) {
  Simulation sim(
      filled(scene, {{"bodies", GetParam().bodies}, {"way", "=-down"}, {"solver", R"("dt": 0.01)"}, {"more", ""}}));
  sim.advance(0.02);
  ASSERT_TRUE(sim.set("down", 0.03));
  Simulation again(
      filled(scene, {{"bodies", GetParam().bodies}, {"way", "=-down"}, {"solver", R"("dt": 0.01)"}, {"more", ""}}));
  again.restore(sim.save());
  for (Simulation* s : {&sim, &again}) {
    runOn(*s, 0.1);
    EXPECT_NEAR(s->snapshot().obstacles[2], -0.03, 1e-6);
    EXPECT_LT(s->maxPenetration(), 0.004);
  }
  EXPECT_EQ(sim.save(), again.save());
}

INSTANTIATE_TEST_SUITE_P(Bodies, ObstacleJump,
                         ::testing::Values(Case{"Rod", rod}, Case{"Shell", shell}, Case{"Link", link},
                                           Case{"Vine", vine}),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace obstacle_jump_test
}  // namespace tendril
