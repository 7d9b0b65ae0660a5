// A twisted thread under tension: the moment at which it buckles against Greenhill's and its form for clamped ends, by
// the sign of the lowest pivot; and the plectoneme's law of moment and tension along a whole run, refined.
#include <gtest/gtest.h>

#include <memory>
#include <variant>

#include "engine/simulation/run_scene.h"
#include "engine/validation/statics_run.h"
#include "rods_shells/model.h"
#include "scene/load/load.h"

namespace tendril::test {
namespace self_contact_plectoneme_test {

// Bending stiffness 1, length 1: T is the tension, M the moment at the clamp, which turns by M L/GJ. Stretch hardly
// counts. `held` keeps it straight, so that its stability can be asked beyond the critical moment.
std::string thread(int edges, double T, bool held) {
  return filled(R"J({"format": "tendril/1",
"parameters": {"M": 1, "T": $T, "EA": 1e8},
"rods": {"thread": {"section": {"stiffness": {"EA": "=EA", "EI1": 1, "EI2": 1, "GJ": 0.7},
  "massPerLength": 1, "radius": 0.01}, "segments": $edges, "path": {"line": {"from": [0, 0, 0], "to": [1, 0, 0]}},
  "natural": {"curvature": [0, 0], "twist": 0, "stretch": "=1/(1 + T/EA)"}}},
"constraints": [{"clamp": "thread:first"},
  {"clamp": "thread:last", "rotation": {"axis": [1, 0, 0], "angle": "=M/0.7*t"}}$held],
"solver": {"mode": "static", "duration": 1, "loadSteps": 100, "tolerance": 1e-11}})J",
                {{"edges", std::to_string(edges)},
                 {"T", digits(T)},
                 {"held", held ? R"J(, {"fix": "thread", "axes": "yz"})J" : ""}});
}

struct Loaded {
  scene::Scene scene;
  std::unique_ptr<world::World> world;
  std::unique_ptr<rods_shells::Model> model;
  std::vector<double> columns;
  Loaded(const std::string& text, double M) {
    scene::LoadOptions options;
    options.overrides = {{"M", M}};
    auto loaded = scene::loadScene(text, options);
    scene = std::move(std::get<scene::Scene>(loaded));
    world = std::make_unique<world::World>(scene);
    model = std::make_unique<rods_shells::Model>(*world);
    columns.assign(scene.columns.size() + 1, 0.0);
  }
};

int negativePivots(int edges, double T, double M) {
  Loaded held(thread(edges, T, true), M), free(thread(edges, T, false), M);
  for (int i = 1; i <= 100; ++i) {
    model::SettleRequest request;
    request.time = 0.01 * i, request.factor = 0.01 * i, request.columns = held.columns.data();
    if (!held.model->settle(request, {}).accepted) throw std::runtime_error("no equilibrium");
  }
  const VectorX& q = held.model->history().q;
  rods_shells::System& system = free.model->system();
  scene::Instant instant;
  instant.t = instant.middle = 1, instant.columns = free.columns.data();
  VectorX x = q, r;
  system.prepare(instant, instant, instant.t, q, false, x);
  system.elasticity().setFrames(held.model->system().elasticity().frames());
  const VectorX zero = VectorX::Zero(system.size());
  system.evaluate({q, zero, zero}, {0, 0}, solve::Level::tangent, r);
  EXPECT_LT(system.residualNorm(r), 1e-6 * (T + M)) << "straight is no equilibrium of the free thread";
  const solve::Factorization f = system.factor(0);
  EXPECT_TRUE(f.ok);
  return f.negativePivots;
}

// Clamped straight thread with EI = L = 1: EI psi'''' - i M psi''' - T psi'' = 0 for psi = y + i z, psi and psi' zero
// at both ends. With p = M/2, q^2 = p^2 - T: the smallest q > 0 with 2 q (cos q - cos p) = T sin q.
double clampedMoment(double T) {
  const auto f = [T](double q) {
    const double p = std::sqrt(q * q + T);
    return (2 * q * (std::cos(q) - std::cos(p)) - T * std::sin(q)) / q;
  };
  double low = 1e-3, high = low;
  const double start = f(low);
  while (f(high) * start > 0) high += 1e-3;
  low = high - 1e-3;
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (low + high);
    (f(middle) * start > 0 ? low : high) = middle;
  }
  return 2 * std::sqrt(low * low + T);
}

double criticalMoment(int edges, double T) {
  const double theory = clampedMoment(T);
  double low = 0.85 * theory, high = 1.05 * theory;
  EXPECT_EQ(negativePivots(edges, T, low), 0);
  EXPECT_GE(negativePivots(edges, T, high), 1);
  while (high - low > 1e-5 * theory) {
    const double middle = 0.5 * (low + high);
    (negativePivots(edges, T, middle) > 0 ? high : low) = middle;
  }
  return 0.5 * (low + high);
}

TEST(SelfContactPlectoneme, BucklesAtTheMomentOfClampedThreads) {
  // Without tension 8.9868 EI/L (Greenhill's clamped shaft); a long one approaches 2 sqrt(EI T).
  EXPECT_NEAR(clampedMoment(1e-4), 8.986819, 1e-4);
  EXPECT_NEAR(clampedMoment(4e4) / (2 * std::sqrt(4e4)), 1, 2e-4);
  const struct {
    double T;
    int edges;
  } cases[] = {{1, 60}, {30, 60}, {500, 300}};
  for (const auto [T, edges] : cases) {
    const double theory = clampedMoment(T);
    const double coarse = criticalMoment(edges, T) / theory - 1, fine = criticalMoment(2 * edges, T) / theory - 1;
    EXPECT_NEAR(order(std::abs(coarse), std::abs(fine)), 2, 0.1) << T;
    EXPECT_LT(std::abs((4 * fine - coarse) / 3), 2e-4) << T;
  }
}

// M over the moment that belongs to T, mean over the time in which the plectoneme winds up.
double momentOverLaw(std::map<std::string, double> parameters) {
  Simulation sim(sceneFile("plectoneme"), parameters);
  double sum = 0;
  int count = 0;
  while (!sim.finished()) {
    sim.step();
    if (sim.time() > 9.5 && sim.time() < 12) sum += column(sim, "M") / column(sim, "law"), ++count;
  }
  EXPECT_GT(column(sim, "pairs"), 20);
  return sum / count;
}

TEST(SelfContactPlectoneme, MomentAndTensionBelongTogether) {
  const double plain = momentOverLaw({}), fine = momentOverLaw({{"edges", 300}});
  EXPECT_NEAR(plain, 1, 0.015);
  EXPECT_NEAR(fine, 1, 0.01);
  // More turns: steeper helices, more tension.
  EXPECT_NEAR(momentOverLaw({{"edges", 300}, {"turns", 13}}), 1, 0.01);
}

}  // namespace self_contact_plectoneme_test
}  // namespace tendril::test
