// Vibrating beams against theory: eigenfrequencies of (K, M), energy over a thousand periods, Kelvin-Voigt decay.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/simulation/run_scene.h"
#include "geometry/types.h"
#include "rods_shells/model.h"
#include "scene/load/load.h"

namespace tendril {
namespace dynamics_vibration_test {

using test::column;
using test::digits;
using test::filled;

// Roots of cos(b) cosh(b) = -1.
constexpr double roots[4] = {1.87510406871196, 4.69409113297418, 7.85475743823761, 10.9955407348755};

const char* const beam = R"J({"format": "tendril/1",
"parameters": {"b": 1.87510406871196, "ratio": "=(cosh(b) + cos(b))/(sinh(b) + sin(b))"},
"materials": {"rubber": {"youngs": 1e6, "poisson": 0.5, "density": 1000, "damping": $eta}},
"rods": {"arm": {"section": {"circle": {"radius": 0.01}}, "segments": $n,
                 "path": {"line": {"from": [0, 0, 0], "to": [1, 0, 0]}}}},
"constraints": [{"clamp": "arm:first"}, {"planar": "xz"}],
"initial": [{"of": "arm", "velocity": [0, 0, "=$v/2*(cosh(b*u) - cos(b*u) - ratio*(sinh(b*u) - sin(b*u)))"]}],
"solver": {"integrator": "implicit-midpoint", "dt": $dt, "duration": $T},
"probes": {"tip": {"position": "arm:last"}, "energy": {"energy": "total"}}})J";

std::string beamText(int n, double v, double dt, double duration, double eta = 0) {
  return filled(
      beam,
      {{"n", std::to_string(n)}, {"v", digits(v)}, {"dt", digits(dt)}, {"T", digits(duration)}, {"eta", digits(eta)}});
}

double theoryFrequency(int mode) {
  const double b = roots[mode];
  return b * b * std::sqrt(1e6 * 0.01 * 0.01 / (4 * 1000));  // L = 1, EI / (rho A) = E r^2 / (4 rho)
}

// Lowest eigenfrequencies [rad/s] by inverse iteration with the model's own tangent and mass, each mode kept
// M-orthogonal to the ones before.
std::vector<double> eigenfrequencies(int n, int count) {
  auto result = scene::loadScene(beamText(n, 0, 1, 1), {});
  const scene::Scene& scene = std::get<scene::Scene>(result);
  const world::World world(scene);
  rods_shells::Model model(world);
  rods_shells::System& system = model.system();
  const VectorX zero = VectorX::Zero(system.size());
  const VectorX& mass = system.structure().mass;
  const auto& held = system.supports().prescribed();
  VectorX r = zero, x = zero, y = zero;
  EXPECT_TRUE(system.evaluate(solve::Motion{zero, zero, zero}, solve::Rates{}, solve::Level::tangent, r).valid);
  EXPECT_TRUE(system.factor(0).ok);
  std::vector<VectorX> modes;
  std::vector<double> out;
  for (int k = 0; k < count; ++k) {
    for (int i = 0; i < x.size(); ++i) x[i] = held[i] ? 0 : std::sin(1.0 + i * (k + 1.3));
    double omega2 = 0;
    for (int it = 0; it < 60; ++it) {
      for (const VectorX& m : modes) x -= m * m.dot(mass.cwiseProduct(x));
      x /= std::sqrt(x.dot(mass.cwiseProduct(x)));
      r = mass.cwiseProduct(x);
      for (int i = 0; i < r.size(); ++i)
        if (held[i]) r[i] = 0;
      system.solve(r, y);
      omega2 = 1 / y.dot(r);  // Rayleigh quotient of the inverse
      x = y;
    }
    for (const VectorX& m : modes) x -= m * m.dot(mass.cwiseProduct(x));
    x /= std::sqrt(x.dot(mass.cwiseProduct(x)));
    modes.push_back(x);
    out.push_back(std::sqrt(omega2));
  }
  return out;
}

TEST(DynamicsVibration, ClampedFreeFrequenciesAtAHundredEdgesLieWhereTheoryAndMeshPutThem) {
  const double expected[4] = {-8.5e-5, -4.3e-4, -9.0e-4, -1.55e-3};
  const auto omega = eigenfrequencies(100, 4);
  for (int k = 0; k < 4; ++k) {
    const double error = omega[k] / theoryFrequency(k) - 1;
    EXPECT_NEAR(error, expected[k], 0.06 * std::abs(expected[k])) << "mode " << k + 1;
  }
}

TEST(DynamicsVibration, FirstFrequencyConvergesWithOrderTwoInEdgeLength) {
  std::vector<double> errors;
  for (int n : {10, 20, 40, 80}) errors.push_back(std::abs(eigenfrequencies(n, 1)[0] / theoryFrequency(0) - 1));
  for (std::size_t i = 1; i < errors.size(); ++i) {
    const double order = std::log2(errors[i - 1] / errors[i]);
    EXPECT_NEAR(order, 2, 0.1) << "from " << errors[i - 1] << " to " << errors[i];
  }
}

// Small swings; the time of the tenth upward zero crossing of the tip, found by a line between steps.
double measuredFrequency(int n, double dt) {
  const double omega = theoryFrequency(0);
  Simulation sim(beamText(n, 1e-4 * omega, dt, 1e3));
  double before = 0, tBefore = 0;
  for (int crossings = 0;;) {
    sim.step();
    const double z = column(sim, "tip.z");
    if (before < 0 && z >= 0 && ++crossings == 10) {
      return 20 * pi / (tBefore - before / (z - before) * (sim.time() - tBefore));
    }
    before = z, tBefore = sim.time();
  }
}

// Programs whose clamp acts half an edge inside the rod look right at one step only; here refining both closes in.
TEST(DynamicsVibration, ThePeriodConvergesToTheoryWhenStepAndEdgesAreRefinedTogether) {
  const double omega = theoryFrequency(0), period = 2 * pi / omega;
  std::vector<double> errors;
  for (int k : {1, 2, 4}) errors.push_back(std::abs(measuredFrequency(15 * k, period / (30 * k)) / omega - 1));
  EXPECT_LT(errors[0], 0.01);
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2, 0.15) << errors[0] << " " << errors[1];
  EXPECT_NEAR(std::log2(errors[1] / errors[2]), 2, 0.15) << errors[1] << " " << errors[2];
}

TEST(DynamicsVibration, MidpointKeepsTheEnergyOfALargeSwingOverAThousandPeriods) {
  const double omega = theoryFrequency(0), period = 2 * pi / omega;
  Simulation sim(beamText(10, 0.1 * omega, period / 100, 1000 * period));
  const double start = column(sim, "energy");
  ASSERT_GT(start, 0);
  double worst = 0, highest = 0;
  while (!sim.finished()) {
    sim.step();
    worst = std::max(worst, std::abs(column(sim, "energy") - start));
    highest = std::max(highest, std::abs(column(sim, "tip.z")));
  }
  EXPECT_LT(worst, 1e-3 * start);
  EXPECT_NEAR(highest, 0.1, 0.005);
}

TEST(DynamicsVibration, KelvinVoigtDampsAModeWithHalfEtaOmegaSquaredOverE) {
  const int n = 40;
  const double omega = eigenfrequencies(n, 1)[0], period = 2 * pi / omega;
  const double eta = 0.02 * 1e6 / omega;  // 1 % of critical
  Simulation sim(beamText(n, 1e-4 * omega, period / 400, 20 * period, eta));
  const double start = column(sim, "energy");
  test::runToEnd(sim);
  // Amplitude exp(-eta omega^2 t / (2E)), energy twice that; t is a whole number of periods to 1e-4.
  const double rate = eta * omega * omega / 1e6, measured = -std::log(column(sim, "energy") / start) / sim.time();
  EXPECT_NEAR(measured / rate, 1, 2e-3);
}

}  // namespace dynamics_vibration_test
}  // namespace tendril
