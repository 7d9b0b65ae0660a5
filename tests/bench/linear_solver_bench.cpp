// Time of one factor and one solve: rods of 200 to 20,000 nodes, whose time must grow linearly, a ring, a tree, a net.
#include <benchmark/benchmark.h>

#include "../engine/solve/random_matrix.h"
#include "solve/linear_solver.h"

namespace {

using namespace tendril;
using namespace tendril::test;

constexpr int rodBand = 10;  // three coordinates and a twist per node, coupled over three nodes

void factorAndSolve(benchmark::State& state, int size, const Pattern& pattern) {
  const auto solver = makeLinearSolver(size, pattern);
  Random random(1);
  for (const auto& [row, col] : pattern)
    if (row != col) solver->values()[solver->offset(row, col)] = random.signedUnit();
  for (int i = 0; i < size; ++i) solver->values()[solver->offset(i, i)] = 60;
  Eigen::VectorXd rhs = randomVector(size, random), x(size);
  for (auto _ : state) {
    benchmark::DoNotOptimize(solver->factor(0, {}));
    solver->solve({rhs.data(), size_t(size)}, {x.data(), size_t(size)});
    benchmark::ClobberMemory();
  }
  state.SetLabel(solver->kind());
  state.counters["unknowns/s"] = benchmark::Counter(size, benchmark::Counter::kIsIterationInvariantRate);
}

void rodSolve(benchmark::State& state) {
  const int size = 4 * int(state.range(0));
  factorAndSolve(state, size, bandPattern(size, rodBand));
}
BENCHMARK(rodSolve)->Arg(200)->Arg(2000)->Arg(20000)->Unit(benchmark::kMicrosecond);

void ringSolve(benchmark::State& state) {
  const int size = 4 * int(state.range(0));
  factorAndSolve(state, size, bandPattern(size, rodBand, true));
}
BENCHMARK(ringSolve)->Arg(200)->Arg(2000)->Unit(benchmark::kMicrosecond);

void treeSolve(benchmark::State& state) {
  Random random(5);
  const int nodes = int(state.range(0));
  factorAndSolve(state, 4 * nodes, networkPattern(treeEdges(nodes, random), 4));
}
BENCHMARK(treeSolve)->Arg(200)->Arg(2000)->Unit(benchmark::kMicrosecond);

void meshSolve(benchmark::State& state) {
  const int side = int(state.range(0));
  factorAndSolve(state, 3 * side * side, networkPattern(gridEdges(side), 3));
}
BENCHMARK(meshSolve)->Arg(32)->Arg(71)->Unit(benchmark::kMillisecond);

}  // namespace
