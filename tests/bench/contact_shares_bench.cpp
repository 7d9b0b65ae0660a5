// Where the time of a step goes when things touch: shares of the search, the distances, the assembly, the factorization
// and the solve, in scenes that stand in the middle of their contact. A table each on stderr: the part's CPU time per
// step, how often it comes per step, what it costs each time, its share; the benchmark's own rows are the whole steps.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <span>
#include <sstream>
#include <stdexcept>

#include "bench/timed_system.h"
#include "rods_shells/model.h"
#include "scene/load/load.h"
#include "simulation/columns.h"
#include "simulation/stepper.h"

namespace {

using namespace tendril;
using namespace tendril::bench;

/// Which scene, with which parameters, and from when on [s].
struct Case {
  const char* scene;
  std::map<std::string, double> overrides;
  double from;
};

scene::Scene loaded(const Case& c) {
  std::ifstream file(std::string(TENDRIL_SOURCE_DIR) + "/scenes/" + c.scene + ".json");
  std::stringstream text;
  text << file.rdbuf();
  scene::LoadOptions options;
  options.overrides = c.overrides;
  auto result = scene::loadScene(text.str(), options);
  if (const auto* problems = std::get_if<Problems>(&result)) throw std::runtime_error(problems->front().message);
  return std::move(std::get<scene::Scene>(result));
}

/// A run by its parts, without the door that hides them.
struct Run {
  scene::Scene scene;
  world::World world;
  rods_shells::Model model;
  ProbeColumns columns;
  Stepper stepper;

  explicit Run(const Case& c) : scene(loaded(c)), world(scene), model(world), columns(scene), stepper(scene, model) {
    observe();
    model.begin(columns.all().data());
    observe();
    while (stepper.time() < c.from) step();
  }
  void observe() { columns.observe(model, stepper.time()); }
  void advanceStates(double from) { columns.advanceStates(stepper.time(), stepper.time() - from); }
  long step() {
    const double from = stepper.time();
    const long iterations = stepper.step(columns, {}).iterations;
    observe();
    advanceStates(from);
    return iterations;
  }
};

struct Shares {
  double step = 0, probes = 0;                 ///< CPU seconds of all steps
  long steps = 0, iterations = 0, parted = 0;  ///< iterations as it is, and by parts: the same unless a step was cut
  std::array<Booked, parts> of{};
};

solve::ImplicitScheme schemeOf(const scene::Scene& scene) {
  if (scene.solver.integrator == scene::Integrator::implicitMidpoint) return solve::ImplicitScheme::midpoint;
  return scene.solver.integrator == scene::Integrator::bdf2 ? solve::ImplicitScheme::bdf2
                                                            : solve::ImplicitScheme::euler;
}

/// The model's coming step, solved through `timed` and thrown away: as Model does it at the first attempt.
/// Returns the iterations; that they agree tells that it is the same step.
long rehearse(Run& run, TimedSystem& timed) {
  rods_shells::System& system = run.model.system();
  const solve::History& history = run.model.history();
  const double dt = run.scene.solver.dt;
  solve::TimeStep step;
  solve::prepareStep(schemeOf(run.scene), history, dt, step);
  scene::Instant end, at;
  end.t = run.stepper.time() + dt, at.t = run.stepper.time() + step.at * dt;
  end.middle = at.middle = run.stepper.time() + 0.5 * dt;
  end.slack = at.slack = 1e-9 * dt;
  end.columns = at.columns = run.columns.all().data();
  rods_shells::Elasticity& elasticity = system.elasticity();
  if (elasticity.damped()) elasticity.strains(history.q, elasticity.references());
  VectorX x = step.guess;
  system.prepare(end, at, run.stepper.time(), history.q, step.at != 1, x);
  system.beginContact(history.q);
  const VectorX move = x - history.q;
  const double part = timed.longestStep(history.q, move);
  if (part < 1) x = history.q + 0.5 * part * move;
  solve::NewtonSettings settings;
  settings.tolerance = run.scene.solver.tolerance;
  settings.iterations = run.scene.solver.iterations;
  settings.lineSearch = run.scene.solver.lineSearch;
  settings.pivots = false;
  solve::Newton newton;
  if (!system.hasFriction()) return newton.solve(timed, step.kinematics, settings, x).iterations;
  solve::NewtonSettings first = settings;
  first.tolerance = std::max(settings.tolerance, 1e-4);
  timed.book(lagging, [&] { system.lagFriction(history.q); });
  const long iterations = newton.solve(timed, step.kinematics, first, x).iterations;
  timed.book(lagging, [&] { system.lagFriction(x); });
  system.mayRelag = true;
  settings.iterations = std::min(settings.iterations, 15);
  const long more = newton.solve(timed, step.kinematics, settings, x).iterations;
  system.mayRelag = false;
  return iterations + more;
}

/// Where a run stands, to come back to.
class Mark {
 public:
  explicit Mark(const Run& run) : stepper_(run.stepper.state()), columns_(run.columns.all()) { run.model.save(model_); }
  void goBack(Run& run) const {
    std::span<const std::byte> bytes(model_);
    run.model.restore(bytes);
    run.stepper.setState(stepper_);
    run.columns.all() = columns_;
  }

 private:
  std::vector<std::byte> model_;
  Stepper::State stepper_;
  std::vector<double> columns_;
};

void printShares(const Case& c, const Shares& all) {
  std::fprintf(stderr, "\n| %s from %g s | us/step | times/step | us each | share |\n| --- | --- | --- | --- | --- |\n",
               c.scene, c.from);
  const double whole = all.step + all.probes, steps = static_cast<double>(all.steps);
  const auto row = [&](const char* name, double seconds, double calls) {
    std::fprintf(stderr, "| %s | %.1f | %.3g | %.3g | %.1f %% |\n", name, 1e6 * seconds / steps, calls / steps,
                 calls > 0 ? 1e6 * seconds / calls : 0, 100 * seconds / whole);
  };
  double rest = all.step;
  for (int part = 0; part < parts; ++part) {
    const Booked& b = all.of[part];
    if (b.calls > 0) row(partNames()[part], b.seconds, static_cast<double>(b.calls));
    rest -= b.seconds;
  }
  row("the rest: guess, norms, acceptance", rest, steps);
  row("probes", all.probes, steps);
  row("whole step", whole, steps);
  std::fprintf(stderr, "%.2f iterations a step; by parts %.2f\n\n", static_cast<double>(all.iterations) / steps,
               static_cast<double>(all.parted) / steps);
}

// Every few steps twice from the same state: as they are, for the whole; and each after its rehearsal, for the parts.
void shares(benchmark::State& state, const Case& c) {
  constexpr int stretch = 20;
  Run run(c);
  TimedSystem parted(run.model.system());
  Shares all;
  for (auto _ : state) {
    const Mark start(run);
    double seconds = 0;
    for (int i = 0; i < stretch; ++i) {
      const double from = run.stepper.time();
      const double step = timed([&] { all.iterations += run.stepper.step(run.columns, {}).iterations; });
      const double probes = timed([&] { run.observe(); });
      run.advanceStates(from);
      all.step += step, all.probes += probes, seconds += step + probes;
    }
    start.goBack(run);
    for (int i = 0; i < stretch; ++i) {
      all.parted += rehearse(run, parted);
      run.step();
    }
    all.steps += stretch;
    state.SetIterationTime(seconds / stretch);
  }
  all.of = parted.booked();
  const Booked& made = all.of[pattern];
  state.counters["patterns/step"] = static_cast<double>(made.calls) / static_cast<double>(all.steps);
  if (made.calls > 0) state.counters["s/pattern"] = made.seconds / static_cast<double>(made.calls);
  printShares(c, all);
  if (std::abs(all.parted - all.iterations) > 0.05 * all.iterations) {
    state.SkipWithError("the rehearsal does not do what the model does");
  }
}

BENCHMARK_CAPTURE(shares, entanglement, {"entanglement", {{"mu", 0}, {"dt", 2.5e-3}}, 11})
    ->Iterations(15)
    ->UseManualTime()
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(shares, entanglement_friction, {"entanglement", {{"mu", 0.5}, {"dt", 1e-3}}, 11})
    ->Iterations(15)
    ->UseManualTime()
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(shares, overhand_knot, {"overhand-knot", {}, 6})
    ->Iterations(10)
    ->UseManualTime()
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(shares, spider_drop, {"spider-drop", {{"dt", 2.5e-3}}, 0.1})
    ->Iterations(15)
    ->UseManualTime()
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(shares, rod_pile, {"rod-pile", {}, 1.5})
    ->Iterations(5)
    ->UseManualTime()
    ->Unit(benchmark::kMicrosecond);

}  // namespace
