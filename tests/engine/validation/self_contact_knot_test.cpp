// The open overhand knot against the law of thin rods (Audoly, Clauvelin, Neukirch 2007): energy, squeeze of the braid,
// pull without and with friction, each extrapolated to a rod without thickness.
#include <gtest/gtest.h>

#include <array>

#include "engine/simulation/run_scene.h"
#include "engine/validation/statics_run.h"
#include "geometry/types.h"

namespace tendril::test {
namespace self_contact_knot_test {

// Total squeeze of the braid, in EI/sqrt(h R^3): 0.492 in the paper. Minimizing the bending of two strands that wind
// around each other by three half turns, at least their thickness apart, gives 0.4925.
constexpr double sigma = 0.4925;

// What a rod of radius h does, all as multiples of a thin rod's: EI/(2 R^2) for the pull, pi EI/R for the energy,
// EI/sqrt(h R^3) for the squeeze; eps = sqrt(h/R). Means over the way in which its ends are drawn apart by 16 mm.
struct Knot {
  double eps = 0, pull = 0, energy = 0, squeeze = 0;
};

// The scene's knot of another thickness but the same bending stiffness and weight; a thin contact layer; it comes to
// rest for two seconds before the slow pull.
Knot knot(double h, int edges, double mu) {
  std::string text = sceneFile("overhand-knot");
  const std::string way = "(t < 0.5 ? 0 : t < 1 ? (t - 0.5)^2 : t - 0.75)";
  const std::string slow = "(t < 2 ? 0 : t < 2.5 ? (t - 2)^2 : t - 2.25)";
  text = replaced(replaced(text, way, slow), way, slow);
  text = replaced(text, "\"distance\": \"=0.2*h\"", "\"distance\": \"=0.05*h\"");
  text = replaced(text, "\"stiffness\": \"=2*E\"", "\"stiffness\": \"=5760/h\"");
  text = replaced(text, "\"density\": 1180", "\"density\": \"=1180*(1.6e-3/h)^2\"");
  Simulation sim(text, {{"h", h},
                        {"edges", static_cast<double>(edges)},
                        {"E", 1.8e6 * std::pow(1.6e-3 / h, 4)},
                        {"mu", mu},
                        {"speed", 0.003},
                        {"air", 0.1}});
  const double EI = 1.8e6 * pi * std::pow(1.6e-3, 4) / 4;
  Knot out;
  int count = 0;
  while (sim.time() < 6) {
    sim.step();
    if (sim.time() < 2.6) continue;
    const double R = column(sim, "R");
    out.eps += std::sqrt(h / R);
    out.pull += column(sim, "pull") * 2 * R * R / EI;
    out.energy += column(sim, "bend") * R / (pi * EI);
    out.squeeze += column(sim, "squeeze") * std::sqrt(h * R * R * R) / EI;
    ++count;
  }
  for (double* x : {&out.eps, &out.pull, &out.energy, &out.squeeze}) *x /= count;
  return out;
}

// Value and slope at x = 0 of the parabola through three points.
std::array<double, 2> atZero(const std::array<double, 3>& x, const std::array<double, 3>& y) {
  const double a = (y[1] - y[0]) / (x[1] - x[0]), b = (y[2] - y[1]) / (x[2] - x[1]), c = (b - a) / (x[2] - x[0]);
  return {y[0] - x[0] * a + x[0] * x[1] * c, a - c * (x[0] + x[1])};
}

TEST(SelfContactKnot, FollowsTheLawOfThinRods) {
  const double h[] = {2e-4, 4e-4, 8e-4};
  const int edges[] = {800, 400, 400};
  const double mu = 0.02;
  std::array<double, 3> eps, pull, energy, squeeze, rub;
  for (int k = 0; k < 3; ++k) {
    const Knot smooth = knot(h[k], edges[k], 0), rough = knot(h[k], edges[k], mu);
    eps[k] = smooth.eps, pull[k] = smooth.pull, energy[k] = smooth.energy, squeeze[k] = smooth.squeeze;
    // What friction adds to the pull is mu times the squeeze: the strands slide as fast as the ends part.
    rub[k] = (rough.pull - smooth.pull) * smooth.eps / (2 * mu);
    EXPECT_NEAR(rub[k] / rough.squeeze, 1, 0.02) << h[k];
    EXPECT_NEAR(rough.eps, smooth.eps, 1e-4 * smooth.eps);
  }
  // The loop's energy pi EI/R and its pull EI/(2 R^2).
  EXPECT_NEAR(atZero(eps, energy)[0], 1, 2e-3);
  EXPECT_NEAR(atZero(eps, pull)[0], 1, 0.01);
  // The braid's squeeze, and friction, which is mu times that.
  EXPECT_NEAR(atZero(eps, squeeze)[0], sigma, 0.01 * sigma);
  EXPECT_NEAR(atZero(eps, rub)[0], sigma, 0.03 * sigma);
  // The squeeze is what it costs to thicken the rod; so the energy begins with 1 + 4 sigma/pi eps.
  EXPECT_NEAR(atZero(eps, energy)[1], 4 * sigma / pi, 0.04 * 4 * sigma / pi);
}

}  // namespace self_contact_knot_test
}  // namespace tendril::test
