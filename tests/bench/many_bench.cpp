// What many of a kind cost: a step of separate linkages and the loading of equal clamps, whose time each must not grow
// with their number. Compare to the row `calibration`.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <string>

#include "scene/load/load.h"
#include "tendril/simulation.h"

namespace {

using namespace tendril;

// Pendulums of two links, side by side.
std::string pendulums(int count) {
  return R"J({"format": "tendril/1", "linkages": {"p{k}": {"links": {
      "upper": {"joint": {"revolute": {"axis": "y"}}, "body": {"rigid": {"length": 0.1, "section": {"circle": {"radius": 0.01}}, "density": 1000}}},
      "lower": {"parent": "upper", "joint": {"revolute": {"axis": "y"}}, "body": {"rigid": {"length": 0.1, "section": {"circle": {"radius": 0.01}}, "density": 1000}}}},
      "base": {"position": [0, "=0.1*k", 0]}, "repeat": {"k": )J" +
         std::to_string(count) + R"J(}}},
    "environment": {"gravity": [0, 0, -9.81]}, "solver": {"dt": 1e-3, "duration": 1000}})J";
}

void stepOfSeparateLinkages(benchmark::State& state) {
  const int count = static_cast<int>(state.range(0));
  Simulation sim(pendulums(count));
  for (auto _ : state) sim.step();
  state.SetItemsProcessed(state.iterations() * count);
  state.SetComplexityN(count);
}
BENCHMARK(stepOfSeparateLinkages)->Arg(1)->Arg(30)->Arg(300)->Complexity(benchmark::oN)->Unit(benchmark::kMicrosecond);

void loadingOfClamps(benchmark::State& state) {
  const int count = static_cast<int>(state.range(0));
  std::string text = R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "density": 1000}},
    "rods": {"r": {"section": {"circle": {"radius": 1e-3}}, "segments": 20, "path": {"line": {"from": [0, 0, 0], "to": [1, 0, 0]}}}},
    "constraints": [)J";
  for (int i = 0; i < count; ++i) text += std::string(i > 0 ? ", " : "") + R"J({"clamp": "r:first"})J";
  text += "]}";
  for (auto _ : state) {
    const Simulation sim(text);
    if (sim.finished()) std::abort();
  }
  state.SetItemsProcessed(state.iterations() * count);
  state.SetComplexityN(count);
}
BENCHMARK(loadingOfClamps)->Arg(250)->Arg(1000)->Arg(4000)->Complexity(benchmark::oN)->Unit(benchmark::kMillisecond);

}  // namespace
