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

  struct Slope {
    Sparse of;
    double over = 0;  // the increment
  };
  /// By the difference over an increment h of the loads. What is round-off is left out.
  CriticalLoads over(double h, Slope& told) {
    const Sparse slope = slopeBy(square(), h), finer = slopeBy(cubic(), h);
    constexpr double least = 1e-9;  // of the stiffness, below which nothing is told
    CriticalLoads out;
    told = {slope, h};
    for (CriticalFactor& f : criticalFactors(unloaded_, slope, least / h, count_)) {
      const double rounded = roundOff(f.shape);
      const double by = f.shape.dot(slope * f.shape), change = f.shape.dot(finer * f.shape) - by;
      const double error = std::max(std::abs(change / by), square().noise * rounded * f.factor / h) + rounded;
      constexpr double nothing = 0.3;
      if (!(error < nothing)) continue;
      f.error = error, out.error = std::max(out.error, error);
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

  /// Whether a load of h changes stiffness by more than round-off does, and by what share of it.
  double weightOf(double h) {
    const LargestShare most = largestShare(unloaded_, h * slopeBy(square(), h));
    constexpr double tells = 1e3;
    return most.share > tells * square().noise * roundOff(most.shape) ? most.share : 0;
  }
  /// Of loads that make nothing unstable and weigh so much over h: how far the stiffness departs from what its slope
  /// foretells where they weigh half of all.
  void look(CriticalLoads& out, double h, double weight) {
    const Sparse slope = slopeBy(square(), h);
    out.looked = 0.5 * h / weight;
    out.bends = largestShare(unloaded_, change(out.looked, slope)).share;
  }
  /// The same half way to the first factor, and what that means for each.
  void look(CriticalLoads& out, const Slope& slope) {
    out.looked = 0.5 * out.factors[0].factor;
    const Sparse by = change(out.looked, slope.of);
    for (CriticalFactor& f : out.factors) {
      // What bends grows with the square of the loads. As an eigenvalue is moved: by its own share, by those of others
      // with how far they are away, and by no more than the square of the rest.
      const double far = f.factor / out.looked,
                   rounded = roundOff(f.shape) * (1 + square().noise * out.looked / slope.over);
      const auto share = [&](double of) { return far * far * std::max(0.0, of - rounded); };
      const double held = f.shape.dot(unloaded_.stiffness * f.shape);
      double rest = std::pow(share(shareFor(unloaded_, by, f.shape)), 2);
      const double own = share(std::abs(f.shape.dot(by * f.shape)) / held);
      rest -= own * own;
      double bends = own;
      for (const CriticalFactor& other : out.factors) {
        if (&other == &f) continue;
        const double held2 = other.shape.dot(unloaded_.stiffness * other.shape);
        const double both = share(std::abs(other.shape.dot(by * f.shape)) / std::sqrt(held * held2));
        const double gap = std::abs(1 - f.factor / other.factor);
        rest -= both * both, bends += both < gap ? both * both / gap : both;
      }
      bends += std::max(0.0, rest);
      f.error += bends;
      if (&f == out.factors.data()) out.bends = bends;
    }
  }

 private:
  static const Weights& square() {
    static const Weights weights(2);
    return weights;
  }
  static const Weights& cubic() {
    static const Weights weights(3);
    return weights;
  }
  Sparse change(double there, const Sparse& slope) { return Sparse(at(there) - unloaded_.stiffness) - there * slope; }
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

// Truncation grows with the increment, round-off with its inverse: from little on, as far as round-off asks for.
CriticalLoads search(Path& path, Path::Slope& bestSlope) {
  constexpr double little = 1e-3, most = 0.4;  // of the first factor
  constexpr double good = 1e-5, worse = 8;     // error that needs no other increment; beyond the best it only grows
  constexpr int searches = 12;                 // for loads that do anything
  CriticalLoads best;
  double h = little, first = 0;
  bool climbs = false;
  for (int pass = 0;; ++pass) {
    CriticalLoads found;
    Path::Slope slope;
    try {
      found = path.over(h, slope);
    } catch (const NoEquilibrium&) {
      if (pass == 0) throw;
      return best;
    }
    if (found.factors.empty()) {
      // Round-off hides what so little does, or there is nothing to find.
      if (first == 0 && best.looked == 0) {
        const double weight = path.weightOf(h);
        if (weight > 0) path.look(best, h, weight);
        if (best.bends > straight) return best;  // nor is a way back sure to be found
      }
      if (first == 0 && pass == searches) return best;
      h *= climbs ? 4 : 1e3;
    } else {
      if (first == 0 || climbs) first = found.factors[0].factor;
      const double part = h / found.factors[0].factor, error = found.error;
      const bool better = best.factors.empty() || error < best.error;
      if (part <= 1.1 * most && better) best = std::move(found), bestSlope = std::move(slope);
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

}  // namespace

CriticalLoads criticalLoads(const model::Equations& unloaded, const std::function<Sparse(double)>& stiffnessAt,
                            int count) {
  Path path(unloaded, stiffnessAt, count);
  Path::Slope slope;
  CriticalLoads out = search(path, slope);
  if (!out.factors.empty()) path.look(out, slope);
  return out;
}

}  // namespace tendril::linear
