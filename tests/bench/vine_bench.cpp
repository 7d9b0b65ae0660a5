// What growing chains cost: a step of the published case and of the physical robot at 30 to 1000 bodies, which must be
// linear, and a clutter with at least 150 candidate contacts. Time is CPU time per step; `active` counts contacts.
#include <benchmark/benchmark.h>

#include "geometry/random.h"
#include "vines/step/step.h"

namespace {

using namespace tendril;

constexpr double dt = 0.01;

/// Steps a chain again and again over the same stretch of its path, so that growth does not change what is measured.
void steps(benchmark::State& state, const vines::Parameters& p, double growth,
           const std::vector<vines::PlanarShape>& shapes, int lead, int stretch,
           const solve::QuadraticSettings& settings = {}) {
  vines::Chain chain(p);
  vines::Step step;
  step.settings = settings;
  vines::Actuation actuation;
  actuation.growth = growth;
  for (int k = 0; k < lead; ++k)
    if (!step.advance(chain, actuation, shapes, dt).accepted()) return state.SkipWithError("a step was refused");
  const vines::Chain start = chain;
  int k = 0;
  double active = 0, candidates = 0, programs = 0;
  for (auto _ : state) {
    const vines::Report report = step.advance(chain, actuation, shapes, dt);
    if (!report.accepted()) return state.SkipWithError("a step was refused");
    active += report.active, candidates += report.candidates, programs += report.programs;
    if (++k % stretch != 0) continue;
    state.PauseTiming();
    chain = start;
    state.ResumeTiming();
  }
  const double count = double(state.iterations());
  state.counters["active"] = active / count;
  state.counters["candidates"] = candidates / count;
  state.counters["programs"] = programs / count;
}

/// The runtime example: 0.4 m growing past a circle by 40 mm/s.
void published(benchmark::State& state) {
  const int bodies = int(state.range(0));
  steps(state, vines::Parameters::published(bodies, 0.2 / bodies), 0.04,
        {vines::PlanarShape::circle(Vec2(0.47, 0.025), 0.06)}, 100, 200);
}
BENCHMARK(published)->Arg(30)->Arg(70)->Arg(200)->Unit(benchmark::kMicrosecond);

vines::Parameters robot(int bodies) {
  vines::Parameters p = vines::Parameters::tube(bodies, 0.4);
  p.massPerLength = 0.05, p.bendingStiffness = 0.02, p.stall = 10, p.bendingDamping = 1e-3;
  return p;
}

void physical(benchmark::State& state) {
  steps(state, robot(int(state.range(0))), 0.1, {vines::PlanarShape::circle(Vec2(0.47, 0.025), 0.06)}, 60, 200);
}
BENCHMARK(physical)->Arg(30)->Arg(70)->Arg(200)->Arg(1000)->Unit(benchmark::kMicrosecond);

void physicalWithFriction(benchmark::State& state) {
  vines::Parameters p = robot(int(state.range(0)));
  p.friction = 0.3;
  steps(state, p, 0.1, {vines::PlanarShape::circle(Vec2(0.47, 0.025), 0.06)}, 60, 200);
}
BENCHMARK(physicalWithFriction)->Arg(30)->Arg(200)->Unit(benchmark::kMicrosecond);

/// Obstacles on both sides of the whole tube, close enough that every pair has several within reach.
std::vector<vines::PlanarShape> alley(int count) {
  std::vector<vines::PlanarShape> shapes;
  geometry::SplitMix source(5);
  for (int i = 0; i < count; ++i) {
    const double x = 0.02 + 0.8 * i / count, side = i % 2 == 0 ? 1 : -1;
    const Vec2 at(x, side * source.uniform(0.0225, 0.0245));
    if (i % 3 == 0)
      shapes.push_back(vines::PlanarShape::circle(at, 0.01));
    else if (i % 3 == 1)
      shapes.push_back(vines::PlanarShape::box(at + Vec2(0, side * 0.004), Vec2(0.008, 0.008), source.uniform(0, 3)));
    else
      shapes.push_back(vines::PlanarShape::capsule(at, at + Vec2(0.01, side * 0.01), 0.01));
  }
  return shapes;
}

// 50 bodies among hundreds of obstacles, about as many candidate contacts as the six boxes of the published clutter
// give.
void clutter(benchmark::State& state) { steps(state, robot(50), 0.1, alley(int(state.range(0))), 60, 200); }
BENCHMARK(clutter)->Arg(100)->Arg(200)->Arg(400)->Unit(benchmark::kMicrosecond);

// The physical robot by the interior point, the fall-back.
void byInteriorPoint(benchmark::State& state) {
  solve::QuadraticSettings settings;
  settings.method = solve::QuadraticSettings::Method::interiorPoint;
  steps(state, robot(int(state.range(0))), 0.1, {vines::PlanarShape::circle(Vec2(0.47, 0.025), 0.06)}, 60, 200,
        settings);
}
BENCHMARK(byInteriorPoint)->Arg(30)->Arg(200)->Unit(benchmark::kMicrosecond);

}  // namespace
