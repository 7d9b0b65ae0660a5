// What linkages cost: steps of 5 ms of the soft manipulator (18 coordinates) and of an arm of six soft links (60), by
// CPU second and against real time; chains of 10 to 200 links, whose time per link must not grow, eliminated body by
// body and, where that can be waited for, with a dense factor; and the same model explicitly. Compare to the row
// `calibration`.
#include <benchmark/benchmark.h>

#include "links/builder.h"
#include "solve/dense_lu.h"
#include "solve/time_scheme.h"

namespace {

using namespace tendril;

links::SoftBody softBody(double length, double from, double to, const std::vector<links::SoftBody::Mode>& strains) {
  links::SoftBody body;
  body.length = length;
  body.law = [=](double X) {
    return links::sectionLaw(links::circularSection(from + (to - from) * X), 1e6, 1e6 / 3, 1000, 1e4);
  };
  body.strains = strains;
  return body;
}

// Two tapered divisions, quadratic twist and bending, pulled by one of four cables.
links::System manipulator() {
  links::Builder builder;
  const std::vector<links::SoftBody::Mode> strains = {{0, 2}, {1, 2}, {2, 2}};
  const int lower = builder.addSoft(-1, {}, softBody(0.4, 0.03, 0.0211, strains));
  builder.addSoft(builder.tipOf(lower), {}, softBody(0.5, 0.0211, 0.01, strains));
  links::System system = builder.build(0.9);
  const auto cable = [&](const std::vector<int>& bodies, const Vec3& offset, double tension) {
    links::Tendon tendon = builder.tendon(bodies, [=](double) { return links::Builder::Path{offset, Vec3::Zero()}; });
    tendon.tension = tension;
    system.tendons.push_back(tendon);
  };
  cable({0}, Vec3(0, 0.02, 0), 0.1), cable({0}, Vec3(0, 0, 0.02), 5);
  cable({0, 1}, Vec3(0, 0.01, 0), 0.1), cable({0, 1}, Vec3(0, 0, 0.01), 0.1);
  return system;
}

// Soft links of ten coordinates and five points, held at one end, horizontal at first.
links::System arm(int links) {
  links::Builder builder;
  int end = -1;
  for (int i = 0; i < links; ++i) {
    end = builder.tipOf(builder.addSoft(end, {}, softBody(0.2, 0.02, 0.02, {{0, 1}, {1, 3}, {2, 3}})));
  }
  links::System system = builder.build(0.2 * links);
  system.gravity = Vec3(0, -9.81, 0);
  return system;
}

constexpr double dt = 5e-3;

/// One step after the other by the midpoint rule.
void steps(benchmark::State& state, links::System system) {
  solve::History history;
  history.q = history.v = VectorX::Zero(system.size());
  solve::Newton newton;
  solve::NewtonSettings settings;
  settings.pivots = false;
  solve::TimeStep step;
  VectorX x, q, v;
  double count = 0, iterations = 0;
  for (auto _ : state) {
    solve::prepareStep(solve::ImplicitScheme::midpoint, history, dt, step);
    x = step.guess;
    const solve::NewtonReport report = newton.solve(system, step.kinematics, settings, x);
    if (!report.converged) {
      state.SkipWithError(report.reason.c_str());
      break;
    }
    solve::finishStep(step, history, x, q, v);
    history.q = q, history.v = v, history.dtBefore = dt;
    ++count, iterations += report.iterations;
  }
  state.counters["steps/s"] = benchmark::Counter(count, benchmark::Counter::kIsRate);
  state.counters["real time"] = benchmark::Counter(count * dt, benchmark::Counter::kIsRate);
  state.counters["iterations/step"] = iterations / count;
  state.counters["s/iteration"] =
      benchmark::Counter(iterations, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
void softManipulator(benchmark::State& state) { steps(state, manipulator()); }
BENCHMARK(softManipulator)->Unit(benchmark::kMicrosecond);
void armOfSixLinks(benchmark::State& state) { steps(state, arm(6)); }
BENCHMARK(armOfSixLinks)->Unit(benchmark::kMicrosecond);

// One Newton iteration: evaluation with tangent, factors, solve.
void iteration(benchmark::State& state) {
  const int links = static_cast<int>(state.range(0));
  links::System system = arm(links);
  const VectorX q = VectorX::Constant(system.size(), 0.02), v = VectorX::Constant(system.size(), 0.1), a = 10 * v;
  VectorX r, x;
  for (auto _ : state) {
    system.evaluate({q, v, a}, {2 / dt, 4 / (dt * dt)}, solve::Level::tangent, r);
    system.factor(0);
    system.solve(r, x);
    benchmark::DoNotOptimize(x.data());
  }
  state.counters["s/link"] =
      benchmark::Counter(links, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK(iteration)->Arg(1)->Arg(2)->Arg(6)->Arg(10)->Arg(50)->Arg(200)->Unit(benchmark::kMicrosecond);

// With a dense tangent, as closed chains have it.
void denseIteration(benchmark::State& state) {
  const int links = static_cast<int>(state.range(0));
  links::System system = arm(links);
  const VectorX q = VectorX::Constant(system.size(), 0.02), v = VectorX::Constant(system.size(), 0.1), a = 10 * v;
  VectorX r, x;
  solve::DenseLu lu;
  for (auto _ : state) {
    system.evaluate({q, v, a}, {2 / dt, 4 / (dt * dt)}, solve::Level::tangent, r);
    lu.factor(system.tangent(), solve::DenseLu::Pivots::rows);
    x = lu.solve(r);
    benchmark::DoNotOptimize(x.data());
  }
  state.counters["s/link"] =
      benchmark::Counter(links, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}
BENCHMARK(denseIteration)->Arg(1)->Arg(2)->Arg(6)->Arg(10)->Unit(benchmark::kMicrosecond);

// Accelerations of the same models: what an explicit step costs.
void explicitStep(benchmark::State& state, links::System system) {
  const VectorX q = VectorX::Constant(system.size(), 0.02), v = VectorX::Constant(system.size(), 0.1);
  VectorX a = VectorX::Zero(system.size());
  for (auto _ : state) benchmark::DoNotOptimize(system.acceleration(q, v, a));
}
void explicitSoftManipulator(benchmark::State& state) { explicitStep(state, manipulator()); }
BENCHMARK(explicitSoftManipulator)->Unit(benchmark::kMicrosecond);
void explicitArmOfSixLinks(benchmark::State& state) { explicitStep(state, arm(6)); }
BENCHMARK(explicitArmOfSixLinks)->Unit(benchmark::kMicrosecond);

}  // namespace
