#include "linear/load_path.h"

#include <Eigen/QR>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

namespace tendril::linear {
namespace {

using model::NoEquations;

constexpr std::array<double, 4> parts = {0.5, 0.75, 1, 1.25};  // of an increment, where stiffness is looked at

/// Weights of the stiffness at `parts`, less that without loads, in the slope there of the polynomial of this degree
/// that fits best.
struct Weights {
  explicit Weights(int degree) {
    Eigen::MatrixXd powers(static_cast<int>(parts.size()) + 1, degree + 1);
    for (int i = 0; i < powers.rows(); ++i) {
      const double x = i == 0 ? 0 : parts[static_cast<std::size_t>(i - 1)];
      for (int d = 0; d <= degree; ++d) powers(i, d) = d == 0 ? 1 : std::pow(x, d);
    }
    const Eigen::MatrixXd inverse = powers.completeOrthogonalDecomposition().pseudoInverse();
    of = inverse.row(1).tail(static_cast<int>(parts.size()));
    noise = inverse.row(1).norm();
  }
  Eigen::RowVectorXd of;
  double noise = 0;  // of the slope, where each stiffness has a noise of 1
};

class Path {
 public:
  Path(const model::Equations& unloaded, const std::function<Sparse(double)>& stiffnessAt, int count)
      : unloaded_(unloaded), stiffnessAt_(stiffnessAt), count_(count) {}

  /// By the difference over an increment h of the loads. What is round-off is left out.
  CriticalLoads over(double h) {
    static const Weights square(2), cubic(3);
    const Sparse slope = slopeBy(square, h), finer = slopeBy(cubic, h);
    constexpr double least = 1e-9;  // of the stiffness, below which nothing is told
    CriticalLoads out;
    for (CriticalFactor& f : criticalFactors(unloaded_, slope, least / h, count_)) {
      const double rounded = roundOff(f.shape);
      const double by = f.shape.dot(slope * f.shape), change = f.shape.dot(finer * f.shape) - by;
      const double error = std::max(std::abs(change / by), square.noise * rounded * f.factor / h) + rounded;
      constexpr double nothing = 0.3;
      if (!(error < nothing)) continue;
      out.error = std::max(out.error, error);
      out.factors.push_back(std::move(f));
    }
    return out;
  }

  /// Round-off in the stiffness of a motion, as a share of that.
  double roundOff(const VectorX& shape) const {
    double squares = 0, held = 0;
    const Sparse& K = unloaded_.stiffness;
    for (int c = 0; c < K.outerSize(); ++c) {
      for (Sparse::InnerIterator it(K, c); it; ++it) {
        const double share = it.value() * shape[it.row()] * shape[c];
        squares += share * share, held += share;
      }
    }
    constexpr double each = 4 * std::numeric_limits<double>::epsilon();  // entry is a sum of some that may cancel
    return held > 0 ? each * std::sqrt(squares) / held : 1;
  }

 private:
  Sparse slopeBy(const Weights& weights, double h) {
    Sparse slope(unloaded_.size(), unloaded_.size());
    for (std::size_t i = 0; i < parts.size(); ++i)
      slope += weights.of[static_cast<Eigen::Index>(i)] / h * (at(parts[i] * h) - unloaded_.stiffness);
    return slope;
  }
  const Sparse& at(double factor) {
    const auto found = known_.find(factor);
    if (found != known_.end()) return found->second;
    if (known_.size() > 2 * parts.size()) known_.clear();
    return known_.emplace(factor, stiffnessAt_(factor)).first->second;
  }

  const model::Equations& unloaded_;
  const std::function<Sparse(double)>& stiffnessAt_;
  int count_;
  std::map<double, Sparse> known_;
};

}  // namespace

// Truncation grows with the increment, round-off with its inverse: from little on, as far as round-off asks for.
CriticalLoads criticalLoads(const model::Equations& unloaded, const std::function<Sparse(double)>& stiffnessAt,
                            int count) {
  constexpr double little = 1e-3, most = 0.4;  // of the first factor
  constexpr double good = 1e-5, worse = 8;     // error that needs no other increment; beyond the best it only grows
  constexpr int searches = 12;                 // for loads that do anything
  Path path(unloaded, stiffnessAt, count);
  CriticalLoads best;
  double h = little, first = 0;
  bool climbs = false;
  for (int pass = 0;; ++pass) {
    CriticalLoads found;
    try {
      found = path.over(h);
    } catch (const NoEquilibrium&) {
      if (pass == 0) throw;
      return best;
    }
    if (found.factors.empty()) {
      // Round-off hides what so little does, or there is nothing to find.
      if (first == 0 && pass == searches) return best;
      h *= climbs ? 4 : 1e3;
    } else {
      if (first == 0 || climbs) first = found.factors[0].factor;
      const double part = h / found.factors[0].factor, error = found.error;
      const bool better = best.factors.empty() || error < best.error;
      if (part <= 1.1 * most && better) best = std::move(found);
      if (!climbs && (best.factors.empty() || (part > 2 * little && error > good))) {
        climbs = true, h = little * first;
        continue;
      }
      if (best.error <= good || error > worse * best.error) return best;
      climbs = true, h = std::max(4 * h, little * first);
    }
    if (first == 0 || h <= most * first) continue;
    if (h > 3.9 * most * first) return best;
    h = most * first;
  }
}

}  // namespace tendril::linear
