// Kelvin-Voigt damping of shells and the order of the integrators with the massless turns of mid-edge normals.
#include <gtest/gtest.h>

#include "engine/rods_shells/shell_scenes.h"

namespace tendril::test {
namespace shell_damping_test {

constexpr double youngs = 1e6, height = 0.02, density = 1000, length = 1;

struct Strip {
  std::string model, integrator = "implicit-midpoint";
  double damping = 0, dt = 0.05, duration = 1, speed = 1e-3;
  int squares = 10;
};

// A clamped strip of 1 m in a row of squares, nu = 0: a beam. Its first mode is given a velocity.
std::string text(const Strip& s) {
  const std::string mesh =
      gridMesh(s.squares, 1, [&](int i, int j) { return Vec3(length * i / s.squares, 0.1 * j, 0); });
  return R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "poisson": 0, "density": 1000, "damping": )J" +
         number(s.damping) + R"J(}}, "shells": {"s": {"thickness": 0.02, )J" + s.model + ", \"mesh\": " + mesh + R"J(}},
    "constraints": [{"clamp": {"of": "s", "where": "x < 0.01"}}],
    "initial": [{"of": "s", "velocity": [0, 0, "=)J" +
         number(s.speed) + R"J(*x^2*(6 - 4*x + x^2)/3"]}],
    "probes": {"tip": {"position": "s@[1,0,0]"}, "e": {"energy": "total"}},
    "solver": {"integrator": ")J" +
         s.integrator + R"J(", "dt": )J" + number(s.dt) + R"J(, "duration": )J" + number(s.duration) +
         R"J(, "tolerance": 1e-12}})J";
}

const char* const hinge = R"J("bending": "hinge")J";
const char* const midedge = R"J("bending": "midedge")J";

// Lowest eigenfrequency [rad/s] by inverse iteration with the model's own tangent and mass.
double firstFrequency(const std::string& model, int squares = 10) {
  Strip strip{model};
  strip.squares = squares;
  const scene::Scene scene = loaded(text(strip));
  const world::World world(scene);
  rods_shells::Model built(world);
  rods_shells::System& system = built.system();
  const VectorX zero = VectorX::Zero(system.size()), &mass = system.structure().mass;
  VectorX r = zero, x = VectorX::Ones(system.size()), y = zero;
  system.evaluate({zero, zero, zero}, {}, solve::Level::tangent, r);
  EXPECT_TRUE(system.factor(0).ok);
  double omega2 = 0;
  for (int k = 0; k < 60; ++k) {
    x /= std::sqrt(x.dot(mass.cwiseProduct(x)));
    r = mass.cwiseProduct(x);
    for (int i = 0; i < r.size(); ++i) {
      if (system.supports().prescribed()[i]) r[i] = 0;
    }
    system.solve(r, y);
    omega2 = 1 / y.dot(r);
    x = y;
  }
  return std::sqrt(omega2);
}

TEST(ShellDamping, FirstFrequencyOfAMidedgeStripIsThatOfABeam) {
  const double theory = 1.87510406871196 * 1.87510406871196 * height * std::sqrt(youngs / (12 * density));
  const double coarse = firstFrequency(midedge, 10) / theory - 1, fine = firstFrequency(midedge, 20) / theory - 1;
  EXPECT_NEAR(coarse, 0, 0.015);
  EXPECT_LT(std::abs(fine), 0.5 * std::abs(coarse));
}

TEST(ShellDamping, AModeDecaysWithHalfEtaOmegaSquaredOverE) {
  for (const char* model : {hinge, midedge}) {
    SCOPED_TRACE(model);
    const double omega = firstFrequency(model), period = 2 * pi / omega;
    Strip strip{model};
    strip.damping = 0.02 * youngs / omega;  // 1 % of critical
    strip.dt = period / 100, strip.duration = 8 * period;
    SceneRun run(text(strip));
    // The other modes that the start excites decay within the first two periods.
    run.sim.advance(2 * period);
    const double start = run["e"], from = run.sim.time();
    run.toEnd();
    const double rate = strip.damping * omega * omega / youngs;
    EXPECT_NEAR(-std::log(run["e"] / start) / (run.sim.time() - from) / rate, 1, 0.01);
  }
}

TEST(ShellDamping, UndampedMidpointKeepsTheEnergyOfALargeSwing) {
  for (const char* model : {hinge, midedge}) {
    SCOPED_TRACE(model);
    const double omega = firstFrequency(model), period = 2 * pi / omega;
    Strip strip{model};
    strip.speed = 0.2 * omega;
    strip.dt = period / 60, strip.duration = 10 * period;
    SceneRun run(text(strip));
    const double start = run["e"];
    double worst = 0, highest = 0;
    while (!run.sim.finished()) {
      run.sim.step();
      worst = std::max(worst, std::abs(run["e"] - start));
      highest = std::max(highest, run["tip.z"]);
    }
    EXPECT_LT(worst, 0.01 * start);
    EXPECT_NEAR(highest, 0.2, 0.02);
  }
}

// All heights at a fixed time against the step: three steps tell the order.
double order(Strip strip, double period, int coarse) {
  std::vector<double> z[3];
  for (int k = 0; k < 3; ++k) {
    strip.dt = period / (coarse << k);
    SceneRun run(text(strip));
    run.toEnd();
    const auto body = run.sim.bodies()[0];
    for (std::size_t i = 2; i < body.nodes.size(); i += 3) z[k].push_back(body.nodes[i]);
  }
  double first = 0, second = 0;
  for (std::size_t i = 0; i < z[0].size(); ++i) {
    first += (z[1][i] - z[0][i]) * (z[1][i] - z[0][i]), second += (z[2][i] - z[1][i]) * (z[2][i] - z[1][i]);
  }
  return 0.5 * std::log2(first / second);
}

TEST(ShellDamping, IntegratorsHaveTheirOrder) {
  for (const char* model : {hinge, midedge}) {
    const int squares = 5;  // the order is one of time: a coarse strip has it too
    const double omega = firstFrequency(model, squares), period = 2 * pi / omega;
    for (const double damping : {0.0, 0.1 * youngs / omega}) {
      if (damping == 0 && model == hinge) continue;  // shakes itself in modes that no reasonable step follows
      SCOPED_TRACE(std::string(model) + ", damping " + number(damping));
      Strip strip{model};
      strip.squares = squares;
      strip.damping = damping, strip.duration = 0.9 * period;
      const int coarse = damping > 0 ? 80 : 320;         // higher modes stay where nothing damps them
      strip.speed = (damping > 0 ? 0.3 : 1e-3) * omega;  // undamped large swings shake the stiff membrane
      EXPECT_NEAR(order(strip, period, coarse), 2, 0.2);
      strip.integrator = "bdf2";
      EXPECT_NEAR(order(strip, period, 2 * coarse), 2, 0.2);
      strip.integrator = "implicit-euler";
      EXPECT_NEAR(order(strip, period, 2 * coarse), 1, 0.15);
    }
  }
}

}  // namespace shell_damping_test
}  // namespace tendril::test
