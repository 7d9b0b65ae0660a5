// Twist angles that supports hold on edges whose direction is free: at rest their couples act along the edges alone, so
// that what statics find is an equilibrium, however the load came.
#include <gtest/gtest.h>

#include "engine/rods_shells/build_scene.h"
#include "engine/simulation/run_scene.h"

namespace tendril::test {
namespace held_twist_test {

// A rod of 10 cm that is bent by nature, clamped at its start; `held` acts on its last edge. EI is 6.4e-4 N m^2.
std::string bent(const std::string& held, const std::string& solver, const std::string& more = "") {
  return R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e7, "poisson": 0.5, "density": 1000}},
    "rods": {"a": {"section": {"circle": {"radius": 0.003}}, "segments": 20, "path": {"line": {"from": [0, 0, 0], "to": [0.1, 0, 0]}},
      "natural": {"curvature": [5, 0], "twist": 0}}},
    "constraints": [{"clamp": "a:first"}, )J" +
         held + R"J(], "solver": {)J" + solver + "}" + more + R"J(,
    "probes": {"tip": {"position": "a:last"}, "along": {"tangent": "a:last"}, "force": {"reaction": "a:first"},
      "couple": {"reactionMoment": "a:first"}, "v": {"speed": "a:last"}}})J";
}

std::string steps(int n) { return R"J("mode": "static", "loadSteps": )J" + std::to_string(n); }

std::string turned(double angle) { return R"J({"turn": "a:19", "angle": )J" + digits(angle) + "}"; }

// Nothing else acts: the clamp bears the couple along the last edge, and no force.
void expectInBalance(const Simulation& sim, const std::string& what) {
  const Vec3 couple = vectorColumn(sim, "couple"), along = vectorColumn(sim, "along");
  EXPECT_GT(couple.norm(), 1e-3) << what;
  EXPECT_LT(couple.cross(along).norm(), 1e-6 * couple.norm()) << what;
  EXPECT_LT(vectorColumn(sim, "force").norm(), 1e-5 * couple.norm() / 0.1) << what;
}

TEST(HeldTwist, IsACoupleAlongItsEdgeAlone) {
  for (const double angle : {0.5, 2.0, 4.0}) {
    for (const int n : {1, 4, 20}) {
      SceneRun run(bent(turned(angle), steps(n)));
      run.toEnd();
      expectInBalance(run.sim, digits(angle) + " rad in " + std::to_string(n));
      EXPECT_TRUE(run.progress.warnings.empty()) << run.progress.warnings[0];
    }
  }
}

// A slow damped motion comes to rest at y = 0.00172, z = 0.03064. Load steps differ by the angle's way through space.
TEST(HeldTwist, EndsWhereSlowMotionComesToRest) {
  const Vec3 rest(0, 0.00172, 0.03064);
  double before = 0.01;
  for (const int n : {1, 5, 25}) {
    SceneRun run(bent(turned(2), steps(n)));
    run.toEnd();
    Vec3 off = vectorColumn(run.sim, "tip") - rest;
    off.x() = 0;
    EXPECT_LT(off.norm(), before) << n;
    before = std::max(0.3 * off.norm(), 3e-5);
  }
}

TEST(HeldTwist, AnEquilibriumToStartFromStaysAtRest) {
  Simulation sim(
      bent(turned(2), R"J("integrator": "implicit-midpoint", "dt": 1e-3, "duration": 0.05, "start": "equilibrium")J"));
  const Vec3 start = vectorColumn(sim, "tip");
  expectInBalance(sim, "at the start");
  while (!sim.finished()) {
    sim.step();
    EXPECT_LT(column(sim, "v"), 1e-5);
  }
  EXPECT_LT((vectorColumn(sim, "tip") - start).norm(), 1e-7);
}

// What the rod's own twist makes of a fixed edge.
TEST(HeldTwist, OfAFixedEdgeIsNoOther) {
  const std::string twisting = R"J(, "actuation": [{"rod": "a", "twist": "=30"}])J";
  for (const int n : {1, 10}) {
    SceneRun run(bent(R"J({"fixTwist": "a:19"})J", steps(n), twisting));
    run.toEnd();
    expectInBalance(run.sim, std::to_string(n));
  }
}

// Weight bends the rod across its twist: what the clamp and the weight leave over is along the last edge.
TEST(HeldTwist, IsInBalanceWithWeight) {
  const Vec3 gravity(0, 3, -9.81);
  const double mass = 1000 * pi * 9e-6 * 0.1;
  for (const int n : {1, 3}) {
    SceneRun run(bent(turned(2), steps(n), R"J(, "environment": {"gravity": [0, 3, -9.81]})J"));
    run.toEnd();
    EXPECT_LT((vectorColumn(run.sim, "force") + mass * gravity).norm(), 1e-6 * mass * gravity.norm());
    const std::vector<double> x = allNodes(run.sim);
    ASSERT_EQ(x.size(), 63u);
    Vec3 left = vectorColumn(run.sim, "couple");
    for (std::size_t i = 0; i <= 20; ++i) {
      left += Vec3(x[3 * i], x[3 * i + 1], x[3 * i + 2]).cross((i == 0 || i == 20 ? 0.5 : 1) * mass / 20 * gravity);
    }
    EXPECT_GT(left.norm(), 1e-3);
    EXPECT_LT(left.cross(vectorColumn(run.sim, "along")).norm(), 1e-6 * left.norm()) << n;
  }
}

}  // namespace held_twist_test
}  // namespace tendril::test
