#include "solve/tangent_solver.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace tendril::solve {
namespace {

constexpr double worthwhile = 5;  // factorizations cheaper than this many iterations are never avoided
constexpr int fewest = 12;     // touched unknowns (two nodes and their twists, say) that always use Woodbury's formula
constexpr double share = 0.7;  // of a factorization's time that an attempt to avoid it may use

std::span<const double> spanOf(const VectorX& v) { return {v.data(), std::size_t(v.size())}; }
std::span<double> spanOf(VectorX& v) { return {v.data(), std::size_t(v.size())}; }

}  // namespace

TangentSolver::TangentSolver(std::unique_ptr<LinearSolver> base) : base_(std::move(base)), blocks_(base_->size()) {
  // On a large shell a few solves cost as much as the factorization.
  const SolverCosts costs = base_->costs();
  if (std::string_view(kind()) == "sparse")
    mostCorrected_ = int(std::clamp(costs.factor / std::max(costs.solve, 1.0), double(fewest), double(mostCorrected_)));
  for (int i = 0; i < base_->size(); ++i) diagonal_.push_back(base_->offset(i, i));
}

Factorization TangentSolver::factor(double shift, std::span<const double> weights) {
  Factorization outcome = base_->factor(shift, weights);
  corrected_ = rank();
  pinned_ = outcome.nullPivots > 0;
  keepShift(shift, weights);
  const bool regular = outcome.ok && shift == 0 && outcome.nullPivots == 0;
  kept_ = regular && (outcome.negativePivots == 0 || !blocks_.empty()) ? Preconditioner::factor : Preconditioner::none;
  if (outcome.ok && corrected_ > 0 && corrected_ <= mostCorrected_)
    outcome.ok = woodbury_.factor(*base_, blocks_, spanOf(scale_));
  return outcome;
}

// What factor() added to the diagonal, as in the wrapped solver.
void TangentSolver::keepShift(double shift, std::span<const double> weights) {
  shifted_ = shift != 0;
  if (!shifted_) return;
  shift_.resize(size());
  if (weights.empty()) {
    double sum = 0;
    for (const int d : diagonal_) sum += std::abs(base_->values()[d]);
    shift_.setConstant(shift * (sum / size()));
  } else {
    shift_ = shift * Eigen::Map<const VectorX>(weights.data(), size());
  }
}

int TangentSolver::pushes(const Factorization& f) const {
  if (!f.ok || corrected_ == 0 || corrected_ > mostCorrected_) return f.negativePivots;
  return std::abs(f.negativePivots - woodbury_.crossings());
}

void TangentSolver::solve(std::span<const double> rhs, std::span<double> x) {
  if (corrected_ <= mostCorrected_) {
    base_->solve(rhs, x);
    if (corrected_ > 0) woodbury_.correct(x);
    return;
  }
  rhs_ = Eigen::Map<const VectorX>(rhs.data(), size());
  KrylovLimits limits;
  limits.patience = limits.iterations;
  // z is known where it has just been solved for; only a restart needs another product.
  bool known = false;
  krylov_.gmres(
      rhs_, scale_, limits,
      [&](const VectorX& v, VectorX& y) {
        if (known && !pinned_) {
          y = solvedFor_;
          blocks_.multiplyAdd(spanOf(v), spanOf(y));
        } else {
          multiply(spanOf(v), spanOf(y));
          if (shifted_) y += shift_.cwiseProduct(v);
        }
        known = false;
      },
      [&](const VectorX& r, VectorX& z) {
        base_->solve(spanOf(r), spanOf(z));
        solvedFor_ = r;
        known = true;
      },
      x_);
  std::copy_n(x_.data(), size(), x.data());
}

void TangentSolver::multiply(std::span<const double> x, std::span<double> y) const {
  base_->multiply(x, y);
  blocks_.multiplyAdd(x, y);
}

void TangentSolver::forget() { kept_ = Preconditioner::diagonal; }

bool TangentSolver::invertDiagonal() {
  inverseDiagonal_.resize(size());
  const std::span<const double> values = base_->values();
  for (int i = 0; i < size(); ++i) {
    if (!(values[diagonal_[i]] > 0)) return false;
    inverseDiagonal_[i] = 1 / values[diagonal_[i]];
  }
  return true;
}

/// Iterations that cost less than a new factorization.
int TangentSolver::affordable() const {
  const SolverCosts costs = base_->costs();
  if (costs.factor < worthwhile * (costs.solve + costs.multiply)) return 0;
  const double vectors = 6.0 * size();  // [ns] vector operations of an iteration
  if (kept_ == Preconditioner::factor) return int(share * costs.factor / (costs.solve + costs.multiply + vectors));
  return int(share * (costs.factor + costs.solve) / (costs.multiply + vectors));
}

template <class Precondition>
KrylovOutcome TangentSolver::iterate(const VectorX& b, const VectorX& scale, const KrylovLimits& limits,
                                     Precondition precondition, VectorX& x) {
  const auto times = [this](const VectorX& v, VectorX& y) { multiply(spanOf(v), spanOf(y)); };
  return blocks_.empty() ? krylov_.conjugateGradients(b, scale, limits, times, precondition, x)
                         : krylov_.gmres(b, scale, limits, times, precondition, x);
}

bool TangentSolver::approximate(const VectorX& b, const VectorX& scale, double accuracy, VectorX& x) {
  if (kept_ == Preconditioner::none) return false;
  KrylovLimits limits;
  limits.accuracy = accuracy;
  limits.iterations = affordable();
  if (limits.iterations < 2) return false;
  KrylovOutcome outcome;
  if (kept_ == Preconditioner::factor) {
    limits.patience = 2;
    outcome = iterate(
        b, scale, limits, [this](const VectorX& r, VectorX& z) { base_->solve(spanOf(r), spanOf(z)); }, x);
  } else if (blocks_.empty() && invertDiagonal()) {  // with blocks, as of drag, factoring costs less
    outcome = iterate(
        b, scale, limits, [this](const VectorX& r, VectorX& z) { z = r.cwiseProduct(inverseDiagonal_); }, x);
  }
  if (!outcome.converged) kept_ = Preconditioner::none;
  return outcome.converged;
}

}  // namespace tendril::solve
