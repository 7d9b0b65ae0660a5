// Dampers of joints of several rotations act on the rates in the link's frame: exact motions, orders and tangents.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "engine/links/force_checks.h"
#include "engine/links/linkage_scene.h"
#include "links/builder.h"

namespace tendril::links {
namespace joint_damper_test {

using namespace test;

TEST(JointDampers, HaveExactTangents) {
  std::mt19937 random(7);
  for (const std::vector<int>& freedoms :
       {std::vector<int>{2, 3, 4}, std::vector<int>{0, 1, 2}, std::vector<int>{0, 1, 2, 3, 4, 5}}) {
    Builder builder;
    const std::vector<int> joint = builder.addGroup(
        -1, {geometry::exponential(geometry::Vec6(0.3 * geometry::Vec6::Ones())).R, Vec3(0.1, 0.2, -0.1)},
        axes(freedoms));
    builder.addMass(builder.addFixed(joint.back(), {Mat3::Identity(), Vec3(0.3, 0.1, 0)}),
                    rigidInertia(0.7, Vec3(0.1, 0.2, 0.25)));
    System system = builder.build(1);
    PoseSpring spring;
    spring.base = axes(freedoms);
    spring.rotation = 0.4, spring.translation = 3, spring.turning = 0.5, spring.moving = 2;
    spring.offset = system.chain().steps()[0].offset;
    spring.effort << 0.1, 0.2, 0.3, 1, 2, 3;
    system.springs.push_back(spring);
    const int n = system.size();
    for (const double size : {0.0, 0.7, 2.0}) {
      const VectorX q = randomVector(random, n, size), v = randomVector(random, n, 3), a = randomVector(random, n, 5);
      EXPECT_LT(tangentError(system, q, v, a, {20, 400}), 1e-9) << n << " freedoms, " << size;
      // Beside the inertia.
      EXPECT_LT(tangentError(system, q, v, a, {20, 0}), 1e-9) << n << " freedoms, " << size;
    }
  }
}

// A puck that spins about its mass while a damper brakes how it slides: its way is that of a mass on a damper.
struct Puck {
  double x, y, spin, dissipated, numerical;
};
Puck slid(const char* kind, const char* integrator, double dt) {
  const std::string axis = std::string(kind) == "planar" ? R"("axis": "z", )" : "";
  const std::string rates = axis.empty() ? R"("angleRate": [0, 0, 20], "displacementRate": [1, 0, 0])"
                                         : R"("angleRate": 20, "displacementRate": [1, 0])";
  Simulation sim(
      test::scene(R"("b": {"joint": {")" + std::string(kind) + "\": {" + axis +
                      R"("damping": [0, 0.4]}}, "body": {"rigid": {"mass": 0.2, "inertia": [2e-4, 2e-4, 2e-4],
                       "center": [0, 0, 0], "length": 0.1}}})",
                  R"("duration": 1, "integrator": ")" + std::string(integrator) + R"(", "dt": )" + std::to_string(dt),
                  R"("initial": [{"of": "a/b", )" + rates +
                      R"(}], "probes": {"p": {"position": "a/b@0"}, "v": {"velocity": "a/b@0"},
                       "w": {"velocity": "a:tip"}, "D": {"energy": "dissipated"}, "N": {"energy": "numerical"}})"));
  runToEnd(sim);
  const double spin =
      std::hypot(column(sim, "w.x") - column(sim, "v.x"), column(sim, "w.y") - column(sim, "v.y")) / 0.1;
  return {column(sim, "p.x"), column(sim, "p.y"), spin, column(sim, "D"), column(sim, "N")};
}

TEST(JointDampers, BrakeTheWayAndNotTheSpin) {
  const double x = 0.5 * (1 - std::exp(-2.0)), lost = 0.1 * (1 - std::exp(-4.0));
  for (const char* kind : {"planar", "free"}) {
    for (const char* integrator : {"generalized-alpha", "implicit-midpoint", "bdf2", "verlet"}) {
      const Puck coarse = slid(kind, integrator, 0.004), fine = slid(kind, integrator, 0.002);
      const std::string name = std::string(kind) + ", " + integrator;
      const auto away = [&](const Puck& p) { return std::hypot(p.x - x, p.y); };
      EXPECT_LT(away(fine), 2e-3) << name;
      EXPECT_GT(away(coarse), 3.2 * away(fine)) << name;
      // What keeps energy in the midpoint rule takes it from all motion alike, to the second order.
      EXPECT_NEAR(fine.spin, 20, std::max(1e-5, std::abs(coarse.spin - 20) / 3.2)) << name;
      EXPECT_NEAR(fine.spin, 20, 1e-3) << name;
      EXPECT_NEAR(fine.dissipated, lost, 1e-4) << name;
      EXPECT_NEAR(fine.numerical, 0, 1e-4) << name;
    }
  }
}

}  // namespace joint_damper_test
}  // namespace tendril::links
