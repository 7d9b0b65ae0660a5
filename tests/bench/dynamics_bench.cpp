// What users feel: steps per CPU second and simulated seconds per CPU second of named scenes, and microseconds per node
// and Newton iteration, at the default tolerance and at 1e-6; a chain of 100 segments; 200 against 20,000 nodes; cloth,
// parachute, manta ray; sheets of 1,000 to 20,000 vertices. The first row is a fixed piece of work that tells how fast
// the machine is: compare ratios to it.
#include <benchmark/benchmark.h>

#include <fstream>
#include <sstream>

#include "engine/simulation/run_scene.h"
#include "solve/linear_solver.h"

namespace {

using namespace tendril;

// One factor and one solve of a band of 200 nodes: 800 unknowns, half-bandwidth 10.
void calibration(benchmark::State& state) {
  std::vector<std::array<int, 2>> pattern;
  const int size = 800;
  for (int i = 0; i < size; ++i) {
    for (int j = std::max(0, i - 10); j <= i; ++j) pattern.push_back({i, j});
  }
  const auto solver = solve::makeBandSolver(size, pattern);
  for (const auto& [i, j] : pattern) solver->values()[solver->offset(i, j)] = i == j ? 60 : 1.0 / (1 + i - j);
  std::vector<double> rhs(size, 1.0), x(size);
  for (auto _ : state) {
    benchmark::DoNotOptimize(solver->factor(0, {}));
    solver->solve(rhs, x);
    benchmark::ClobberMemory();
  }
}
BENCHMARK(calibration);

// Runs `text` from its start to its end in every pass.
void run(benchmark::State& state, const std::string& text, const std::map<std::string, double>& overrides = {}) {
  double steps = 0, iterations = 0, retries = 0, work = 0, simulated = 0;
  for (auto _ : state) {
    state.PauseTiming();
    Simulation sim(text, overrides);
    double nodes = 0;
    for (const auto& part : sim.drawing().parts) nodes += part.pointCount;
    state.ResumeTiming();
    const Progress p = test::runToEnd(sim);
    steps += p.steps, iterations += p.iterations, retries += p.retries, simulated += p.time;
    work += nodes * p.iterations;
  }
  state.counters["steps/s"] = benchmark::Counter(steps, benchmark::Counter::kIsRate);
  state.counters["simulated s/s"] = benchmark::Counter(simulated, benchmark::Counter::kIsRate);
  state.counters["iterations/step"] = iterations / steps;
  state.counters["s/iteration"] =
      benchmark::Counter(iterations, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  state.counters["s/node/iteration"] =
      benchmark::Counter(work, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  if (retries > 0) state.SetLabel("with cut steps");
}

std::string sceneText(const std::string& name) {
  std::ifstream file(std::string(TENDRIL_SOURCE_DIR) + "/scenes/" + name + ".json");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// With the time steps of the DisMech paper's table II.
void scene(benchmark::State& state, const std::string& name, double dt, const std::string& tolerance) {
  std::string scene = sceneText(name);
  const std::string key = "\"solver\": {";
  scene.insert(scene.find(key) + key.size(), "\"tolerance\": " + tolerance + ", ");
  run(state, scene, {{"dt", dt}});
}
BENCHMARK_CAPTURE(scene, cantilever_a1, "cantilever-a1", 0.5, "1e-8")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(scene, cantilever_a1_loose, "cantilever-a1", 0.5, "1e-6")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(scene, cantilever_a2, "cantilever-a2", 0.05, "1e-8")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(scene, cantilever_a2_loose, "cantilever-a2", 0.05, "1e-6")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(scene, helix_b1, "helix-b1", 6e-3, "1e-8")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(scene, helix_b1_loose, "helix-b1", 6e-3, "1e-6")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(scene, helix_b2, "helix-b2", 3e-3, "1e-8")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(scene, helix_b2_loose, "helix-b2", 3e-3, "1e-6")->Unit(benchmark::kMillisecond);

// Hangs by one end and swings down from the horizontal: 100 segments of 1 cm, E = 1e8, 2 ms.
const char* const chain = R"J({"format": "tendril/1",
"materials": {"cord": {"youngs": 1e8, "poisson": 0.4, "density": 1000}},
"rods": {"chain": {"section": {"circle": {"radius": 5e-3}}, "segments": 100,
                   "path": {"line": {"from": [0, 0, 0], "to": [1, 0, 0]}}}},
"constraints": [{"fix": "chain:first"}],
"environment": {"gravity": [0, 0, -9.81]},
"solver": {"dt": 2e-3, "duration": 10},
"probes": {"tip": {"position": "chain:last"}, "energy": {"energy": "total"}}})J";
void swingingChain(benchmark::State& state) { run(state, chain); }
BENCHMARK(swingingChain)->Unit(benchmark::kMillisecond);

// The same edges and the same curls every 0.2 m at any length: time per node must not grow.
void nodes(benchmark::State& state) {
  const long n = state.range(0);
  run(state, test::filled(R"J({"format": "tendril/1",
"materials": {"rubber": {"youngs": 1e6, "poisson": 0.5, "density": 1000}},
"rods": {"rod": {"section": {"circle": {"radius": 5e-3}}, "segments": $n,
                 "path": {"line": {"from": [0, 0, 0], "to": [$L, 0, 0]}}, "natural": {"curvature": ["=5*sin(10*pi*s)", 2]}}},
"constraints": [{"clamp": "rod:first"}],
"solver": {"dt": 5e-3, "duration": $T, "tolerance": 1e-6},
"probes": {"tip": {"position": "rod:last"}}})J",
                          {{"n", std::to_string(n)}, {"L", test::digits(5e-3 * n)}, {"T", n > 1000 ? "0.05" : "0.5"}}));
}
BENCHMARK(nodes)->Arg(200)->Arg(2000)->Arg(20000)->Unit(benchmark::kMillisecond);

void shells(benchmark::State& state, const std::string& name, const std::map<std::string, double>& overrides) {
  run(state, sceneText(name), overrides);
}
BENCHMARK_CAPTURE(shells, cloth, "cloth", {{"Cd", 0}})->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(shells, cloth_in_air, "cloth", {})->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(shells, parachute, "parachute", {})->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(shells, parachute_tight, "parachute", {{"tolerance", 1e-8}})->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(shells, manta_ray, "manta-ray", {})->Unit(benchmark::kMillisecond);

// A square sheet of n x n vertices, held along one side, begins to fall: a few steps of a few iterations each. A shell
// by mid-edge normals has as many unknowns for its edges as for its vertices.
void sheet(benchmark::State& state, const std::string& bending) {
  const double cells = static_cast<double>(state.range(0)) - 1;
  run(state, test::filled(R"J({"format": "tendril/1",
"materials": {"rubber": {"youngs": 1e7, "poisson": 0.3, "density": 1000}},
"shells": {"sheet": {"thickness": 1e-3, "bending": "$bending",
  "mesh": {"rectangle": {"corner": [0, 0, 0], "along": [1, 0, 0], "across": [0, 1, 0], "edge": $edge, "pattern": "right-isosceles"}}}},
"constraints": [{"fix": {"of": "sheet", "where": "x < 1e-6"}}],
"environment": {"gravity": [0, 0, -9.81]},
"solver": {"dt": 5e-3, "duration": 0.03},
"probes": {"tip": {"position": "sheet@[1, 0, 0]"}}})J",
                          {{"bending", bending}, {"edge", test::digits(1 / cells)}}));
}
BENCHMARK_CAPTURE(sheet, hinge, "hinge")->Arg(32)->Arg(71)->Arg(141)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(sheet, midedge, "midedge")->Arg(32)->Arg(71)->Arg(141)->Unit(benchmark::kMillisecond);

}  // namespace
