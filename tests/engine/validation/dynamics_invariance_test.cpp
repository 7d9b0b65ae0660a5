// What mechanics keeps: momenta of a free rod, results under a rotation of everything, turns that are stored unwrapped.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "engine/simulation/run_scene.h"
#include "geometry/types.h"
#include "rods_shells/model.h"
#include "scene/load/load.h"

namespace tendril {
namespace dynamics_invariance_test {

using test::column;
using test::digits;
using test::filled;
using test::vectorColumn;

std::string list(const Vec3& v) { return "[" + digits(v[0]) + ", " + digits(v[1]) + ", " + digits(v[2]) + "]"; }

// A rod in free flight that tumbles, stretches, bends and twists: straight and soft, naturally curved, its ends thrown
// to different sides. Its radius, which only counts for the inertia about the tangent, is next to nothing: that inertia
// is carried along with the tangent without a gyroscopic moment, as in the papers, so its share of the angular momentum
// (2e-3 for a rod whose radius is a fiftieth of its length) is not conserved.
const char* const flying = R"J({"format": "tendril/1",
"rods": {"rod": {"section": {"stiffness": {"EA": 60, "EI1": 1.6e-3, "EI2": 1.6e-3, "GJ": 1.1e-3}, "massPerLength": 0.3,
                             "radius": 1e-5}, "segments": 20,
                 "path": {"line": {"from": [0, 0, 0], "to": [0.5, 0, 0]}}, "natural": {"curvature": $natural}}},
"initial": [{"of": "rod", "velocity": ["=0.1 + 0.1*u", "$across", "=1.5*u^2 - 0.5"]}],
"solver": {"integrator": "implicit-midpoint", "dt": $dt, "duration": 1, "tolerance": 1e-13}})J";

struct Momenta {
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
  double scale = 0;  // sum of m |x| |v|, what the angular momentum is made of
};

Momenta momenta(rods_shells::Model& model) {
  const rods_shells::Structure& s = model.system().structure();
  const VectorX &q = model.history().q, &v = model.history().v;
  Momenta out;
  for (std::size_t i = 0; i < s.nodes.size(); ++i) {
    const Vec3 x = s.nodes[i] + q.segment<3>(s.nodeDof[i]), p = s.mass[s.nodeDof[i]] * v.segment<3>(s.nodeDof[i]);
    out.linear += p;
    out.angular += x.cross(p);
    out.scale += x.norm() * p.norm();
  }
  for (const rods_shells::Edge& e : s.edges) {
    const Vec3 along = e.initial + q.segment<3>(s.nodeDof[e.b]) - q.segment<3>(s.nodeDof[e.a]);
    out.angular += s.mass[e.theta] * v[e.theta] * along.normalized();
  }
  return out;
}

struct Drift {
  double linear = 0, angular = 0;  // of the start's
  double turn = 0, twist = 0;      // [rad] of the last edge, between neighbors
};

// Largest departures from the start in 0.4 s at steps of dt; with `planar` the rod is thrown within a plane.
Drift drift(double dt, bool planar) {
  auto result = scene::loadScene(filled(flying, {{"dt", digits(dt)},
                                                 {"across", planar ? "=0" : "=0.8*sin(3*u)"},
                                                 {"natural", planar ? "[4, 0]" : "[\"=4*u\", 4]"}}),
                                 {});
  const scene::Scene& scene = std::get<scene::Scene>(result);
  const world::World world(scene);
  rods_shells::Model model(world);
  const Momenta start = momenta(model);
  Drift out;
  for (int k = 0; k < std::lround(0.4 / dt); ++k) {
    model::StepRequest request;
    request.t0 = k * dt, request.dt = dt;
    const model::StepReport report = model.step(request, {});
    if (!report.accepted) throw std::runtime_error(report.reason);
    const Momenta now = momenta(model);
    out.linear = std::max(out.linear, (now.linear - start.linear).norm() / start.linear.norm());
    out.angular = std::max(out.angular, (now.angular - start.angular).norm() / start.scale);
    const rods_shells::Edge& last = model.system().structure().edges.back();
    out.turn = std::max(out.turn, std::abs(model.history().q[last.theta]));
    rods_shells::Strains strains;
    model.system().elasticity().strains(model.history().q, strains);
    for (const Vec3& s : strains.bend) out.twist = std::max(out.twist, std::abs(s[2]));
  }
  return out;
}

TEST(DynamicsInvariance, AFreeTwistingRodKeepsItsMomenta) {
  const Drift coarse = drift(2e-3, false), fine = drift(1e-3, false);
  EXPECT_LT(fine.linear, 1e-10);
  EXPECT_LT(fine.angular, 1e-7);
  EXPECT_GT(coarse.angular, 3 * fine.angular) << fine.angular;  // of second order at least
  EXPECT_GT(fine.turn, 0.9);                                    // [rad], so it did turn about itself
  EXPECT_GT(fine.twist, 0.02);                                  // [rad] between neighboring edges
}

TEST(DynamicsInvariance, AFreeRodThatDoesNotTwistKeepsItsMomentaToTheSolversTolerance) {
  const Drift planar = drift(2e-3, true);
  EXPECT_LT(planar.linear, 1e-10);
  EXPECT_LT(planar.angular, 1e-10);
  EXPECT_EQ(planar.twist, 0);
}

// A clamped rod in gravity with a side force, a moment, natural curvature and twist and a rectangular section, with
// everything turned by R.
std::string turned(const Mat3& R) {
  const auto at = [&](double x, double y, double z) { return list(R * Vec3(x, y, z)); };
  return filled(R"J({"format": "tendril/1",
"materials": {"rubber": {"youngs": 1e6, "poisson": 0.4, "density": 1000, "damping": 200}},
"rods": {"rod": {"section": {"rectangle": {"width": 0.02, "height": 0.01}}, "segments": 16, "frame": $up,
                 "path": {"line": {"from": $origin, "to": $end}}, "natural": {"curvature": [3, -2], "twist": 5}}},
"constraints": [{"clamp": "rod:first", "rotation": {"axis": $axis, "angle": "=2*t"}}],
"environment": {"gravity": $gravity},
"loads": [{"force": $force, "at": "rod:last"}, {"moment": $torque, "at": "rod:last"}, {"follower": [0.1, 0.05, 0.2], "at": "rod:8"}],
"solver": {"integrator": "$integrator", "dt": 0.01, "duration": 1, "tolerance": 1e-12},
"probes": {"tip": {"position": "rod:last"}}})J",
                {{"up", at(0, 0, 1)},
                 {"origin", at(0, 0, 0)},
                 {"end", at(0.4, 0, 0)},
                 {"axis", at(0, 0.6, 0.8)},
                 {"gravity", at(0, 0, -9.81)},
                 {"force", at(0.1, 0.2, -0.1)},
                 {"torque", at(0.002, -0.001, 0.0015)},
                 {"integrator", "implicit-midpoint"}});
}

TEST(DynamicsInvariance, TurningEverythingTurnsTheResult) {
  Simulation plain(turned(Mat3::Identity()));
  const Mat3 R = (Eigen::AngleAxisd(2.1, Vec3(1, -2, 0.5).normalized()) * Eigen::AngleAxisd(0.4, Vec3::UnitX()))
                     .toRotationMatrix();
  Simulation rotated(turned(R));
  double worst = 0, moved = 0;
  while (!plain.finished()) {
    plain.step();
    rotated.step();
    const Vec3 x = vectorColumn(plain, "tip");
    worst = std::max(worst, (R.transpose() * vectorColumn(rotated, "tip") - x).norm());
    moved = std::max(moved, (x - Vec3(0.4, 0, 0)).norm());
  }
  EXPECT_GT(moved, 0.1);
  EXPECT_LT(worst, 1e-9 * 0.4);
}

// Three turns, by the edge's angle or by the clamp's rotation; thick and short, so that it stays straight.
TEST(DynamicsInvariance, ThreeTurnsAreStoredUnwrapped) {
  const std::string text = R"J({"format": "tendril/1",
"materials": {"rubber": {"youngs": 1e6, "poisson": 0.5, "density": 1000, "damping": 3e4}},
"rods": {"rod": {"section": {"circle": {"radius": 0.02}}, "segments": 12,
                 "path": {"line": {"from": [0, 0, 0], "to": [$L, 0, 0]}}}},
"constraints": [{"clamp": "rod:first"}, $drive],
"solver": {"dt": 5e-3, "duration": 3},
"probes": {"twisting": {"energy": "twist"}, "twist": {"twist": "rod"}, "hold": {"reactionMoment": "rod:first"}}})J";
  const double length = 0.2, total = 6 * pi, GJ = 1e6 / 3 * pi * std::pow(0.02, 4) / 2;
  struct Case {
    std::string drive;
    double between;  // length between the two held frames
  };
  const Case cases[] = {
      {R"J({"fix": "rod:last"}, {"turn": "rod:last", "angle": "=6*pi*smooth(t, 0, 2)"})J", length * 23 / 24},
      {R"J({"clamp": "rod:last", "rotation": {"axis": [1, 0, 0], "angle": "=6*pi*smooth(t, 0, 2)"}})J", length}};
  for (const Case& c : cases) {
    Simulation sim(filled(text, {{"L", digits(length)}, {"drive", c.drive}}));
    const Progress p = test::runToEnd(sim);
    EXPECT_EQ(p.retries, 0) << c.drive;
    EXPECT_NEAR(column(sim, "twisting"), GJ * total * total / (2 * c.between), 1e-6) << c.drive;
    EXPECT_NEAR(column(sim, "twist"), total / c.between, 1e-6) << c.drive;
    EXPECT_NEAR(column(sim, "hold.x"), -GJ * total / c.between, 1e-8) << c.drive;
    // A restored run still knows the turns.
    Simulation again(filled(text, {{"L", digits(length)}, {"drive", c.drive}}));
    again.restore(sim.save());
    EXPECT_EQ(column(again, "twisting"), column(sim, "twisting"));
  }
}

}  // namespace dynamics_invariance_test
}  // namespace tendril
