// Time of one factor and one solve: rods of 200 to 20,000 nodes, whose time must grow linearly, a ring, a tree, a net,
// and square shells of 20, 71 and 142 vertices a side by hinges and by mid-edges. For shells also what an iteration
// without a factorization costs, and the analysis of a new pattern.
#include <benchmark/benchmark.h>

#include "../engine/solve/shell_matrix.h"
#include "solve/linear_solver.h"

namespace {

using namespace tendril;
using namespace tendril::test;

constexpr int rodBand = 10;  // three coordinates and a twist per node, coupled over three nodes

void factorAndSolve(benchmark::State& state, int size, const Pattern& pattern) {
  const auto solver = solve::makeLinearSolver(size, pattern);
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

ShellPattern shellOf(const benchmark::State& state) {
  const int side = int(state.range(0));
  return state.range(1) == 0 ? hingePattern(side) : midedgePattern(side);
}

std::unique_ptr<solve::LinearSolver> shellSolver(benchmark::State& state, const ShellPattern& shell) {
  auto solver = solve::makeLinearSolver(shell.size, shell.pairs());
  fillShell(*solver, shell, 1, 1);
  state.SetLabel(std::string(state.range(1) == 0 ? "hinge, " : "midedge, ") + solver->kind());
  return solver;
}

void shells(benchmark::internal::Benchmark* b) {
  b->ArgNames({"side", "midedge"})->Unit(benchmark::kMillisecond);
  for (int kind : {0, 1})
    for (int side : {11, 20, 71, 142}) b->Args({side, kind});
}

void shellFactor(benchmark::State& state) {
  const auto solver = shellSolver(state, shellOf(state));
  for (auto _ : state) {
    benchmark::DoNotOptimize(solver->factor(0, {}));
    benchmark::ClobberMemory();
  }
}
BENCHMARK(shellFactor)->Apply(shells);

void shellIteration(benchmark::State& state) {
  const auto solver = shellSolver(state, shellOf(state));
  const std::size_t size = std::size_t(solver->size());
  Random random(1);
  Eigen::VectorXd x = randomVector(int(size), random), y(size);
  solver->factor(0, {});
  for (auto _ : state) {
    solver->solve({x.data(), size}, {x.data(), size});
    solver->multiply({x.data(), size}, {y.data(), size});
    benchmark::ClobberMemory();
    x = y;
  }
}
BENCHMARK(shellIteration)->Apply(shells);

void shellAnalysis(benchmark::State& state) {
  const ShellPattern shell = shellOf(state);
  const Pattern pattern = shell.pairs();
  for (auto _ : state) benchmark::DoNotOptimize(solve::makeLinearSolver(shell.size, pattern));
  state.counters["pairs"] = double(pattern.size());
}
BENCHMARK(shellAnalysis)->Apply(shells);

}  // namespace
