// Two rods collide in free flight: what mechanics keeps (momenta, symmetry) and what it never gives (energy).
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "engine/simulation/run_scene.h"
#include "rods_shells/model.h"
#include "scene/load/load.h"

namespace tendril {
namespace self_contact_collision_test {

using test::column;
using test::digits;
using test::filled;

// Two straight rods, crossed and not in the middle, on their way toward each other; the upper one tumbles. They meet
// at a thickness that is next to nothing (`distance` is what keeps them apart), because the inertia about the tangent
// is carried along without a gyroscopic moment, as in the papers, and its share of the angular momentum is not kept.
const char* const collision = R"J({"format": "tendril/1",
"defaults": {"rods": {"section": {"stiffness": {"EA": 60, "EI1": 1.6e-3, "EI2": 1.6e-3, "GJ": 1.1e-3},
                                  "massPerLength": 0.3, "radius": 1e-5}, "segments": 16}},
"rods": {"lower": {"path": {"line": {"from": [0, 0, 0], "to": [0.4, 0, 0]}}},
         "upper": {"path": {"line": {"from": [0.11, -0.2, 0.03], "to": [0.16, 0.17, 0.035]}}}},
"initial": [{"of": "lower", "velocity": [0.02, 0, 0.06]},
            {"of": "upper", "velocity": ["=0.02*y", -0.04, "=-0.1 + 0.2*y"]}],
"contact": {"self": true, "stiffness": 1e5, "distance": 0.01, "friction": $mu, "slip": 0.01},
"solver": {"integrator": "$integrator", "dt": $dt, "duration": 1, "tolerance": 1e-13},
"probes": {"energy": {"energy": "total"}, "pressed": {"energy": "contact"}, "force": {"contact": "force"},
           "gap": {"distance": ["lower:5", "upper:8"]}}})J";

struct Momenta {
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
  double linearScale = 0, angularScale = 0;  // sums of sizes: what they are made of
};

Momenta momenta(rods_shells::Model& model) {
  const rods_shells::Structure& s = model.system().structure();
  const VectorX &q = model.history().q, &v = model.history().v;
  Momenta out;
  for (std::size_t i = 0; i < s.nodes.size(); ++i) {
    const Vec3 x = s.nodes[i] + q.segment<3>(s.nodeDof[i]), p = s.mass[s.nodeDof[i]] * v.segment<3>(s.nodeDof[i]);
    out.linear += p;
    out.angular += x.cross(p);
    out.linearScale += p.norm();
    out.angularScale += x.norm() * p.norm();
  }
  for (const rods_shells::Edge& e : s.edges) {
    const Vec3 along = e.initial + q.segment<3>(s.nodeDof[e.b]) - q.segment<3>(s.nodeDof[e.a]);
    out.angular += s.mass[e.theta] * v[e.theta] * along.normalized();
  }
  return out;
}

struct Drift {
  double linear = 0, angular = 0;  // of the sums of sizes
  double exchanged = 0;            // momentum that went from one rod to the other, of the sum of sizes
};

// Momenta after every step; `exchanged` proves that they met.
Drift drift(const std::string& text, double dt, int steps) {
  auto result = scene::loadScene(text, {});
  const scene::Scene& scene = std::get<scene::Scene>(result);
  const world::World world(scene);
  rods_shells::Model model(world);
  const auto ofFirst = [&] {
    const rods_shells::Structure& s = model.system().structure();
    Vec3 p = Vec3::Zero();
    for (const int i : s.bodyNodes[0]) p += s.mass[s.nodeDof[i]] * model.history().v.segment<3>(s.nodeDof[i]);
    return p;
  };
  const Momenta start = momenta(model);
  const Vec3 first = ofFirst();
  Drift out;
  for (int k = 0; k < steps; ++k) {
    model::StepRequest request;
    request.t0 = k * dt, request.dt = dt;
    const model::StepReport report = model.step(request, {});
    if (!report.accepted) throw std::runtime_error("at step " + std::to_string(k) + ": " + report.reason);
    const Momenta now = momenta(model);
    out.linear = std::max(out.linear, (now.linear - start.linear).norm() / start.linearScale);
    out.angular = std::max(out.angular, (now.angular - start.angular).norm() / start.angularScale);
    out.exchanged = std::max(out.exchanged, (ofFirst() - first).norm() / start.linearScale);
  }
  return out;
}

TEST(SelfContactCollision, KeepsLinearAndAngularMomentum) {
  const double dt = 5e-4;
  const Drift d =
      drift(filled(collision, {{"mu", "0"}, {"integrator", "implicit-midpoint"}, {"dt", digits(dt)}}), dt, 2000);
  EXPECT_GT(d.exchanged, 0.2);
  EXPECT_LT(d.linear, 1e-10);
  EXPECT_LT(d.angular, 1e-10);
}

TEST(SelfContactCollision, KeepsLinearMomentumWithFrictionAndLongSteps) {
  const double dt = 2e-3;
  for (const char* integrator : {"implicit-euler", "bdf2"}) {
    const Drift d = drift(filled(collision, {{"mu", "0.5"}, {"integrator", integrator}, {"dt", digits(dt)}}), dt, 500);
    EXPECT_GT(d.exchanged, 0.2) << integrator;
    EXPECT_LT(d.linear, 1e-10) << integrator;
  }
}

// With implicit Euler a rod loses what its vibrations cost; contact must not give anything back that it did not take.
TEST(SelfContactCollision, EnergyNeverGrowsInABounceWithImplicitEuler) {
  for (const double dt : {2e-4, 1e-3, 5e-3, 2e-2}) {
    Simulation sim(filled(collision, {{"mu", "0"}, {"integrator", "implicit-euler"}, {"dt", digits(dt)}}));
    double before = column(sim, "energy"), pressed = 0;
    const double start = before;
    while (!sim.finished()) {
      sim.step();
      const double now = column(sim, "energy");
      EXPECT_LE(now, before + 1e-12 * start) << "dt " << dt << ", t " << sim.time();
      before = now;
      pressed = std::max(pressed, column(sim, "pressed"));
    }
    EXPECT_GT(pressed, 1e-4 * start) << dt;      // they met
    EXPECT_EQ(column(sim, "pressed"), 0) << dt;  // and parted
    EXPECT_GT(before, 0.05 * start) << dt;
  }
}

// Friction only takes: with it as well, also in a long slide of one rod along the other.
TEST(SelfContactCollision, NorWithFriction) {
  for (const double dt : {2e-4, 1e-3, 5e-3}) {
    Simulation sim(filled(collision, {{"mu", "0.8"}, {"integrator", "implicit-euler"}, {"dt", digits(dt)}}));
    double before = column(sim, "energy"), pressed = 0;
    const double start = before;
    while (!sim.finished()) {
      sim.step();
      const double now = column(sim, "energy");
      EXPECT_LE(now, before + 1e-12 * start) << "dt " << dt << ", t " << sim.time();
      before = now;
      pressed = std::max(pressed, column(sim, "pressed"));
    }
    EXPECT_GT(pressed, 1e-4 * start) << dt;  // they met
  }
}

// Two equal rods, crossed at right angles, fly at each other: turning by 180 degrees about the axis between x and y
// swaps them. Each is also its own mirror image.
TEST(SelfContactCollision, ASymmetricCollisionStaysSymmetric) {
  for (const char* mu : {"0", "0.5"}) {
    Simulation sim(filled(R"J({"format": "tendril/1",
"materials": {"rubber": {"youngs": 1e6, "poisson": 0.5, "density": 1100}},
"defaults": {"rods": {"section": {"circle": {"radius": 4e-3}}, "segments": 15}},
"rods": {"a": {"path": {"line": {"from": [-0.1, 0, 0.02], "to": [0.1, 0, 0.02]}}},
         "b": {"path": {"line": {"from": [0, -0.1, -0.02], "to": [0, 0.1, -0.02]}}}},
"initial": [{"of": "a", "velocity": [0, 0, -0.6]}, {"of": "b", "velocity": [0, 0, 0.6]}],
"contact": {"self": true, "stiffness": 2000, "distance": 1e-3, "friction": $mu, "slip": 0.01},
"solver": {"dt": 1e-3, "duration": 0.25, "tolerance": 1e-12},
"probes": {"force": {"contact": "force"}, "pairs": {"contact": "pairs"}}})J",
                          {{"mu", mu}}));
    double worst = 0, force = 0;
    while (!sim.finished()) {
      sim.step();
      force = std::max(force, column(sim, "force"));
      const auto bodies = sim.bodies();
      const std::vector<double>&a = bodies[0].nodes, &b = bodies[1].nodes;
      const std::size_t n = a.size() / 3;
      for (std::size_t i = 0; i < n; ++i) {
        const std::size_t m = n - 1 - i;
        worst = std::max({worst, std::abs(a[3 * i] - b[3 * i + 1]), std::abs(a[3 * i + 1] - b[3 * i]),
                          std::abs(a[3 * i + 2] + b[3 * i + 2])});
        worst = std::max({worst, std::abs(a[3 * i] + a[3 * m]), std::abs(a[3 * i + 2] - a[3 * m + 2])});
      }
    }
    EXPECT_GT(force, 0.1) << mu;
    EXPECT_LT(worst, 1e-10) << mu;
    EXPECT_GT(sim.bodies()[0].nodes[2 + 3 * 7], 0.01) << mu;  // they bounced off
  }
}

}  // namespace self_contact_collision_test
}  // namespace tendril
