// Sparse factorizations of square hinge sheets, by the engine, by Eigen's SimplicialLDLT and, where it was found, by
// CHOLMOD. The same program natively and in WASM, so without a library for benchmarks: prints one JSON array of rows
// with the seconds of one factorization and of one solve, the best of several. Arguments: vertices a side of each
// sheet.
#include <Eigen/SparseCholesky>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>

#include "../../engine/solve/shell_matrix.h"
#include "solve/linear_solver.h"
#ifdef TENDRIL_CHOLMOD
#include <Eigen/CholmodSupport>
#endif

namespace {

using namespace tendril;
using namespace tendril::test;
using Matrix = Eigen::SparseMatrix<double>;

struct Sheet {
  int side = 0;
  std::unique_ptr<solve::LinearSolver> solver;
  Matrix lower;  // the same matrix
  Eigen::VectorXd rhs;
};

Sheet sheetOf(int side) {
  const ShellPattern shell = hingePattern(side);
  Sheet sheet{side, solve::makeSparseSolver(shell.size, shell.pairs()), {}, {}};
  solve::LinearSolver& solver = *sheet.solver;
  fillShell(solver, shell, 1, 1);
  std::vector<Eigen::Triplet<double>> entries;
  for (const auto& [row, col] : shell.pairs())
    entries.emplace_back(std::max(row, col), std::min(row, col), solver.values()[solver.offset(row, col)]);
  sheet.lower.resize(shell.size, shell.size);
  sheet.lower.setFromTriplets(entries.begin(), entries.end(), [](double, double repeated) { return repeated; });
  Random random(1);
  sheet.rhs = randomVector(shell.size, random);
  return sheet;
}

/// CPU time natively; WASM has no such clock.
double seconds() {
#ifdef __EMSCRIPTEN__
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
#else
  return double(std::clock()) / CLOCKS_PER_SEC;
#endif
}

/// Seconds of the fastest of several calls: for half a second, and three unless they take two seconds.
template <class Work>
double fastest(Work&& work) {
  double best = 1e9, spent = 0;
  for (int calls = 0; spent < 0.5 || (calls < 3 && spent < 2); ++calls) {
    const double start = seconds();
    work();
    const double call = seconds() - start;
    best = std::min(best, call);
    spent += call;
  }
  return best;
}

bool first = true;

/// One row. `solve` returns the solution, whose residual must be small: a fast wrong answer is none.
template <class Factor, class Solve>
void printRow(const char* solver, const Sheet& sheet, Factor&& factor, Solve&& solve) {
  const double factorSeconds = fastest(factor);
  Eigen::VectorXd x;
  const double solveSeconds = fastest([&] { x = solve(); });
  const Eigen::VectorXd product = sheet.lower.selfadjointView<Eigen::Lower>() * x;
  const double residual = (product - sheet.rhs).norm() / sheet.rhs.norm();
  if (!(residual < 1e-8)) {
    std::fprintf(stderr, "%s, %d vertices a side: relative residual %g\n", solver, sheet.side, residual);
    std::exit(1);
  }
  std::printf(R"(%s{"solver":"%s","vertices":%d,"unknowns":%d,"factor":%g,"solve":%g})", first ? "" : ",\n", solver,
              sheet.side * sheet.side, int(sheet.rhs.size()), factorSeconds, solveSeconds);
  std::fflush(stdout);
  first = false;
}

/// A solver with Eigen's interface; the analysis of the pattern is not timed, as it is not for the engine's.
template <class Solver>
void printEigenRow(const char* name, const Sheet& sheet) {
  Solver solver;
  solver.analyzePattern(sheet.lower);
  printRow(
      name, sheet, [&] { solver.factorize(sheet.lower); }, [&] { return Eigen::VectorXd(solver.solve(sheet.rhs)); });
}

void printRows(int side) {
  const Sheet sheet = sheetOf(side);
  solve::LinearSolver& solver = *sheet.solver;
  const std::size_t size = std::size_t(solver.size());
  printRow(
      "Tendril", sheet, [&] { solver.factor(0, {}); },
      [&] {
        Eigen::VectorXd x(size);
        solver.solve({sheet.rhs.data(), size}, {x.data(), size});
        return x;
      });
  printEigenRow<Eigen::SimplicialLDLT<Matrix, Eigen::Lower, Eigen::AMDOrdering<int>>>("SimplicialLDLT", sheet);
#ifdef TENDRIL_CHOLMOD
  printEigenRow<Eigen::CholmodSupernodalLLT<Matrix, Eigen::Lower>>("CHOLMOD", sheet);
#endif
}

}  // namespace

int main(int count, char** arguments) {
  std::printf("[");
  for (int i = 1; i < count; ++i) {
    const int side = std::atoi(arguments[i]);
    if (side < 2) {
      std::fprintf(stderr, "\"%s\": vertices a side are a whole number from 2 on\n", arguments[i]);
      return 2;
    }
    printRows(side);
  }
  std::printf("]\n");
}
