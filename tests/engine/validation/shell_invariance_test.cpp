// What mechanics keeps for shells: momenta and energy in free flight, energies under rigid motion, results under a
// rotation of everything.
#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "engine/rods_shells/shell_scenes.h"

namespace tendril::test {
namespace shell_invariance_test {

std::string list(const Vec3& v) { return "[" + number(v[0]) + ", " + number(v[1]) + ", " + number(v[2]) + "]"; }

const char* const models[] = {R"J("bending": "hinge")J", R"J("bending": "midedge")J",
                              R"J("bending": "hinge", "membrane": "stvk")J",
                              R"J("bending": "midedge", "membrane": "springs")J"};

// A doubly curved patch that flies, spins and shakes, with no support at all.
std::string flying(const std::string& model, const std::string& integrator, double damping, double dt) {
  const std::string mesh = gridMesh(4, 3, [](int i, int j) {
    const double x = 0.1 * (i - 2) + 0.01 * j, y = 0.1 * (j - 1.5);
    return Vec3(x, y, 1.5 * x * x - 2 * y * y + x * y);
  });
  return R"J({"format": "tendril/1", "materials": {"m": {"youngs": 2e6, "poisson": 0.3, "density": 1000, "damping": )J" +
         number(damping) + R"J(}}, "shells": {"s": {"thickness": 5e-3, )J" + model + ", \"mesh\": " + mesh + R"J(}},
    "initial": [{"of": "s", "velocity": ["=0.5 - 8*y + 3*z", "=-0.3 + 8*x - z + 2*x*y", "=0.2 - 3*x + y + 3*x*x"]}],
    "probes": {"e": {"energy": "total"}, "hinge": {"energy": "hinge"}, "membrane": {"energy": "membrane"}},
    "solver": {"integrator": ")J" +
         integrator + R"J(", "dt": )J" + number(dt) + R"J(, "duration": 100, "tolerance": 1e-13}})J";
}

struct Momenta {
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
};

struct Flight {
  scene::Scene scene;
  world::World world;
  rods_shells::Model model;
  double t = 0;
  explicit Flight(const std::string& text) : scene(loaded(text)), world(scene), model(world) {}

  void step() {
    model::StepRequest request;
    request.t0 = t, request.dt = scene.solver.dt;
    const model::StepReport report = model.step(request, {});
    if (!report.accepted) throw std::runtime_error(report.reason);
    t += scene.solver.dt;
  }
  double probe(int i) {
    double value = 0;
    model.observe(i, {&value, 1});
    return value;
  }
  Momenta momenta() {
    const rods_shells::Structure& s = model.system().structure();
    const VectorX &q = model.history().q, &v = model.history().v;
    Momenta out;
    for (std::size_t i = 0; i < s.nodes.size(); ++i) {
      const int d = s.nodeDof[i];
      const Vec3 p = s.mass[d] * v.segment<3>(d);
      out.linear += p;
      out.angular += Vec3(s.nodes[i] + q.segment<3>(d)).cross(p);
    }
    return out;
  }
};

TEST(ShellInvariance, AFreeShellKeepsEnergyAndMomentaOverManyTurns) {
  for (const char* model : models) {
    SCOPED_TRACE(model);
    Flight flight(flying(model, "implicit-midpoint", 0, 2e-3));
    const Momenta start = flight.momenta();
    const double energy = flight.probe(0);
    double linear = 0, angular = 0, drift = 0, elastic = 0;
    for (int k = 0; k < 2000; ++k) {
      flight.step();
      const Momenta now = flight.momenta();
      linear = std::max(linear, (now.linear - start.linear).norm() / start.linear.norm());
      angular = std::max(angular, (now.angular - start.angular).norm() / start.angular.norm());
      drift = std::max(drift, std::abs(flight.probe(0) - energy));
      elastic = std::max(elastic, flight.probe(1) + flight.probe(2));
    }
    EXPECT_LT(linear, 1e-10);
    EXPECT_LT(angular, 1e-8);
    EXPECT_LT(drift, 0.01 * energy);
    EXPECT_GT(elastic, 0.01 * energy) << "it should shake";
  }
}

TEST(ShellInvariance, DampingTakesEnergyAndNoMomentum) {
  for (const char* model : models) {
    SCOPED_TRACE(model);
    Flight flight(flying(model, "implicit-midpoint", 2e3, 2e-3));
    const Momenta start = flight.momenta();
    const double energy = flight.probe(0);
    for (int k = 0; k < 500; ++k) flight.step();
    const Momenta now = flight.momenta();
    EXPECT_LT((now.linear - start.linear).norm(), 1e-10 * start.linear.norm());
    EXPECT_LT((now.angular - start.angular).norm(), 1e-8 * start.angular.norm());
    EXPECT_LT(flight.probe(0), 0.999 * energy);
    EXPECT_GT(flight.probe(0), 0.5 * energy);
  }
}

TEST(ShellInvariance, ImplicitEulerKeepsTheLinearMomentum) {
  for (const char* model : models) {
    SCOPED_TRACE(model);
    Flight flight(flying(model, "implicit-euler", 100, 5e-3));
    const Momenta start = flight.momenta();
    for (int k = 0; k < 200; ++k) flight.step();
    EXPECT_LT((flight.momenta().linear - start.linear).norm(), 1e-10 * start.linear.norm());
  }
}

TEST(ShellInvariance, ARigidMotionCostsNothing) {
  const Mat3 R = (Eigen::AngleAxisd(2.8, Vec3(1, -2, 0.5).normalized()) * Eigen::AngleAxisd(1.4, Vec3::UnitX()))
                     .toRotationMatrix();
  for (const char* model : models) {
    SCOPED_TRACE(model);
    scene::Scene scene = loaded(flying(model, "implicit-euler", 0, 1e-2));
    const world::World world(scene);
    rods_shells::System system(world);
    const rods_shells::Structure& s = system.structure();
    const auto moved = [&](const VectorX& q) {
      VectorX out = q;
      for (std::size_t i = 0; i < s.nodes.size(); ++i) {
        const Vec3 x = s.nodes[i] + q.segment<3>(s.nodeDof[i]);
        out.segment<3>(s.nodeDof[i]) = R * x + Vec3(3, -2, 5) - s.nodes[i];
      }
      return out;
    };
    const auto energies = [&](const VectorX& q) {
      rods_shells::Strains strains;
      system.elasticity().strains(q, strains);
      return system.elasticity().energies(strains, -1);
    };
    const double stiffness = 2e6 * 5e-3 * 0.1;  // E h A: the energy at unit strain
    VectorX q = VectorX::Zero(system.size());
    EXPECT_EQ(energies(q).total(), 0);
    EXPECT_LT(energies(moved(q)).total(), 1e-26 * stiffness);
    // A deformed shell carries its energies along.
    std::mt19937 random(3);
    std::uniform_real_distribution<double> uniform(-0.02, 0.02);
    for (double& x : q) x = uniform(random);
    const rods_shells::ElasticEnergy here = energies(q), there = energies(moved(q));
    EXPECT_GT(here.hinge, 1e-6 * stiffness);
    EXPECT_NEAR(there.hinge, here.hinge, 1e-11 * here.hinge);
    EXPECT_NEAR(there.membrane, here.membrane, 1e-11 * here.membrane);
  }
}

// A clamped curved shell with a rod welded to it, in a wind, under pressure and gravity, damped and actuated, with
// everything turned by R.
std::string turned(const std::string& model, const Mat3& R) {
  const auto at = [&](double x, double y, double z) { return list(R * Vec3(x, y, z)); };
  const std::string mesh = gridMesh(2, 4, [&](int i, int j) {
    const double x = 0.1 * j, y = 0.1 * i;
    return Vec3(R * Vec3(x, y, 0.5 * x * (0.4 - x)));
  });
  return R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "poisson": 0.3, "density": 1000, "damping": 500}},
    "shells": {"s": {"thickness": 5e-3, )J" +
         model + ", \"mesh\": " + mesh + R"J(}},
    "rods": {"r": {"section": {"rectangle": {"width": 8e-3, "height": 6e-3}}, "segments": 3, "frame": )J" +
         at(0, 1, 0) + R"J(, "path": {"line": {"from": )J" + at(0.2, 0.1, 0.02) + ", \"to\": " + at(0.3, 0.15, 0.2) +
         R"J(}}}}, "joints": [{"weld": ["r:first", "s:7"]}],
    "constraints": [{"clamp": "s:0..2"}],
    "environment": {"gravity": )J" +
         at(1, 0, -9.81) + R"J(, "drag": 1, "fluid": {"density": 100, "velocity": )J" + at(0.5, 1, 2) + R"J(}},
    "loads": [{"pressure": 20, "on": "s"}, {"force": )J" +
         at(0.1, 0.2, 0) + R"J(, "at": "r:last"}],
    "actuation": [{"shell": "s:3..5", "angle": "=0.3*sin(5*t)"}],
    "solver": {"integrator": "implicit-midpoint", "dt": 0.01, "duration": 0.5, "tolerance": 1e-11},
    "probes": {"tip": {"position": "r:last"}, "corner": {"position": "s:14"}, "pull": {"reaction": "s:0..2"}}})J";
}

TEST(ShellInvariance, TurningEverythingTurnsTheResult) {
  const Mat3 R = (Eigen::AngleAxisd(2.1, Vec3(1, -2, 0.5).normalized()) * Eigen::AngleAxisd(0.4, Vec3::UnitX()))
                     .toRotationMatrix();
  for (const char* model : {models[0], models[1]}) {
    SCOPED_TRACE(model);
    SceneRun plain(turned(model, Mat3::Identity())), rotated(turned(model, R));
    const auto column = [](const SceneRun& run, const std::string& name) {
      return Vec3(run[name + ".x"], run[name + ".y"], run[name + ".z"]);
    };
    const Vec3 start = column(plain, "tip");
    double worst = 0, moved = 0, force = 0, forceError = 0;
    while (!plain.sim.finished()) {
      plain.sim.step(), rotated.sim.step();
      for (const char* name : {"tip", "corner"}) {
        worst = std::max(worst, (R.transpose() * column(rotated, name) - column(plain, name)).norm());
      }
      moved = std::max(moved, (column(plain, "tip") - start).norm());
      force = std::max(force, column(plain, "pull").norm());
      forceError = std::max(forceError, (R.transpose() * column(rotated, "pull") - column(plain, "pull")).norm());
    }
    EXPECT_GT(moved, 0.05);
    EXPECT_LT(worst, 1e-8 * 0.4);
    EXPECT_GT(force, 0.1);
    EXPECT_LT(forceError, 1e-6 * force);
  }
}

}  // namespace shell_invariance_test
}  // namespace tendril::test
