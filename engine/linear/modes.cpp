#include "linear/modes.h"

#include <Eigen/Eigenvalues>
#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "linear/pencil.h"

namespace tendril::linear {
namespace {

using model::Equations;
using model::NoEquations;
using Complex = std::complex<double>;

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr int mostKnown = 2000;  // eigenvalues that are looked for, to find a gap after those that are wanted
constexpr double still = 1e-6;   // of its reach, that an equilibrium may be away

Sparse symmetricPart(const Sparse& m) {
  const Sparse t = m.transpose();
  return 0.5 * (m + t);
}

// So that its largest unknown moves by its reach, in the positive direction.
VectorX scaled(const VectorX& shape, const VectorX& reach) {
  int at = 0;
  const double most = shape.cwiseQuotient(reach).cwiseAbs().maxCoeff(&at);
  return most > 0 ? VectorX(shape * (shape[at] < 0 ? -1 : 1) / most) : shape;
}

// A number between two of the first `known` eigenvalues of the ascending list `values`, after at least `count` of them,
// and how many lie before it; in the widest gap there is. Eigenvalues that are equal, or round-off, have none between
// them: `before` is 0 where there is no gap.
struct Cut {
  double at = 0;
  int before = 0;
};
template <class Values>
Cut cutAfter(const Values& values, int count, int known, const VectorX& rounded) {
  constexpr double narrow = 1e-6;
  Cut out;
  double widest = narrow;
  for (int i = count; i < known; ++i) {
    const double gap = (values[i] - values[i - 1]) / (std::abs(values[i]) + std::abs(values[i - 1]));
    if (gap > widest && std::abs(values[i]) > 8 * rounded[i])
      widest = gap, out = {0.5 * (values[i] + values[i - 1]), i};
  }
  return out;
}

/// K + shift M, with as little of M as makes it positive definite.
class Shifted {
 public:
  Shifted(const Sparse& K, const Sparse& M, const std::vector<char>& massless) : K_(K), M_(M) {
    // The fastest motion of one unknown alone: the scale of round-off.
    for (int i = 0; i < static_cast<int>(K.rows()); ++i) {
      if (!massless[static_cast<std::size_t>(i)])
        fastest_ = std::max(fastest_, std::abs(K.coeff(i, i)) / M.coeff(i, i));
    }
    take(fastest_ > 0 ? 1e-12 * fastest_ : 1);
    while (!factor_->positive() && shift_ <= 1e3 * fastest_) take(16 * shift_);
  }
  bool found() const { return factor_->positive(); }
  double shift() const { return shift_; }
  /// Squares [1/s^2] up to there are round-off.
  double rounded() const { return 64 * epsilon * fastest_; }
  const Factored& factor() const { return *factor_; }
  Sparse matrix(double shift) const { return K_ + shift * M_; }
  /// Nothing of M, where K resists every motion.
  void takeNone() {
    take(0);
    if (!factor_->positive()) take(1e-12 * fastest_);
  }
  /// Another shift, where it does as well.
  bool change(double shift) {
    auto next = std::make_unique<Factored>(matrix(shift));
    if (!next->positive()) return false;
    shift_ = shift, factor_ = std::move(next);
    return true;
  }

 private:
  void take(double shift) { shift_ = shift, factor_ = std::make_unique<Factored>(matrix(shift)); }
  const Sparse &K_, &M_;
  double fastest_ = 0, shift_ = 0;
  std::unique_ptr<Factored> factor_;
};

/// How much of the square of a motion is round-off.
//
// Unknowns whose masses are lumped have entries of the stiffness that are sums over a few elements, and a motion feels
// the round-off of those entries that it takes part in: a thin rod bends far more slowly than it stretches. Others have
// entries that went through the whole chain, and are as uncertain as the stiffest of what they share masses with.
class RoundOff {
 public:
  RoundOff(const Sparse& K, const Sparse& M) : K_(K), M_(M), stiffest_(VectorX::Zero(K.rows())) {
    const int n = static_cast<int>(K.rows());
    std::vector<int> group(static_cast<std::size_t>(n));
    std::iota(group.begin(), group.end(), 0);
    const auto rootOf = [&group](int i) {
      while (group[static_cast<std::size_t>(i)] != i) i = group[static_cast<std::size_t>(i)];
      return i;
    };
    std::vector<char> shares(static_cast<std::size_t>(n), 0);
    for (const Sparse* m : {&M, &K}) {
      for (int c = 0; c < n; ++c) {
        for (Sparse::InnerIterator it(*m, c); it; ++it) {
          const int r = static_cast<int>(it.row());
          if (r == c || it.value() == 0) continue;
          if (m == &M) shares[static_cast<std::size_t>(r)] = shares[static_cast<std::size_t>(c)] = 1;
          const int a = rootOf(r), b = rootOf(c);
          group[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
        }
      }
    }
    VectorX fastest = VectorX::Zero(n);
    for (int i = 0; i < n; ++i) {
      const int at = rootOf(i);
      if (M.coeff(i, i) > 0) fastest[at] = std::max(fastest[at], std::abs(K.coeff(i, i)) / M.coeff(i, i));
    }
    for (int i = 0; i < n; ++i) {
      if (shares[static_cast<std::size_t>(i)]) stiffest_[i] = fastest[rootOf(i)] * M.coeff(i, i);
    }
  }
  /// [1/s^2]
  double operator()(const VectorX& y) const {
    double squares = 0;
    for (int c = 0; c < K_.outerSize(); ++c) {
      for (Sparse::InnerIterator it(K_, c); it; ++it) {
        const double share = it.value() * y[it.row()] * y[c];
        squares += share * share;
      }
      const double coupled = stiffest_[c] * y[c] * y[c];
      squares += coupled * coupled;
    }
    return 64 * epsilon * std::sqrt(squares) / y.dot(M_ * y);
  }

 private:
  const Sparse &K_, &M_;
  VectorX stiffest_;  // [N/m] of what an unknown shares mass with
};

// Eigenvalue mu of (mu^2 M + mu D + K) x = 0 nearest to a first guess, and its x, by inverse iteration with the slope
// of the matrix. False: it does not converge, or to another shape.
bool refine(const Sparse& M, const Sparse& D, const Sparse& K, const VectorX& shape, Complex& mu) {
  using SparseC = Eigen::SparseMatrix<Complex>;
  using VectorC = Eigen::VectorXcd;
  const SparseC m = M.cast<Complex>(), d = D.cast<Complex>(), k = K.cast<Complex>();
  const VectorC start = shape.cast<Complex>();
  const double size = std::abs(mu);
  VectorC x = start / start.norm();
  const VectorC e = x;
  Complex at = mu;
  Eigen::SparseLU<SparseC> lu;
  for (int i = 0; i < 30; ++i) {
    SparseC t = at * at * m + at * d + k;
    t.makeCompressed();
    lu.compute(t);
    if (lu.info() != Eigen::Success) {
      // Exactly singular: an eigenvalue.
      mu = at;
      return true;
    }
    VectorC y = lu.solve(VectorC((2.0 * at) * (m * x) + d * x));
    const Complex along = e.dot(y);
    if (!y.allFinite()) {  // the same
      mu = at;
      return true;
    }
    if (!(std::abs(along) > 0)) return false;
    const Complex change = 1.0 / along;
    at -= change;
    x = y / along;
    if (std::abs(at - mu) > 2 * size) return false;
    if (std::abs(change) <= 1e-12 * std::abs(at)) {
      mu = at;
      const VectorC mx = m * start;
      const double own = std::real(start.dot(mx)), of = std::real(x.dot(VectorC(m * x)));
      return std::norm(x.dot(mx)) > 0.5 * own * of;
    }
  }
  return false;
}

/// Pairs of M y = theta S y, as they are after a step of inverse iteration together: where S has a wide range,
/// round-off leaves some of one vector in others.
void refine(const Sparse& M, const Sparse& S, const Factored& factor, Eigenpairs& pairs) {
  Eigen::MatrixXd y(pairs.vectors.rows(), pairs.vectors.cols());
  for (Eigen::Index i = 0; i < y.cols(); ++i) {
    const VectorX pushed = M * pairs.vectors.col(i);
    VectorX to(pushed.size());
    factor.solve(pushed.data(), to.data());
    y.col(i) = to / std::sqrt(to.dot(S * to));
  }
  const Eigen::MatrixXd m = y.transpose() * (M * y), s = y.transpose() * (S * y);
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> solver(m, s);
  if (!y.allFinite() || solver.info() != Eigen::Success) return;
  pairs.values = solver.eigenvalues().reverse();
  pairs.vectors = y * solver.eigenvectors().rowwise().reverse();
}

/// Whether forces that go with rates do no work and yet are there in a motion, by reach: as a share of all that go with
/// rates in it, and of what resists it, both beyond round-off.
bool turning(const Equations& of, const VectorX& y, double square) {
  constexpr double ofDamping = 1e-6, ofAll = 1e-10;
  const VectorX shape = of.motions * y;
  const auto size = [&](const VectorX& force) {
    return VectorX(of.motions.transpose() * of.reach.cwiseProduct(force)).norm();
  };
  const VectorX with = of.damping * shape, against = of.damping.transpose() * shape;
  const double turns = size(0.5 * (with - against));
  return turns > ofDamping * size(with) &&
         turns * std::sqrt(square) > ofAll * (size(of.stiffness * shape) + square * size(of.mass * shape));
}

/// A symmetric matrix by the motions that loops allow.
Sparse reduced(const Sparse& m, const Equations& of) { return symmetricPart(of.motions.transpose() * m * of.motions); }

void addDamping(const Sparse& M, const Sparse& D, const Sparse& K, const VectorX& y, Mode& mode) {
  if (mode.rigid) return;
  const double omega = std::sqrt(std::abs(mode.square));
  mode.growth = mode.square < 0 ? omega : 0;
  if (D.nonZeros() == 0) return;
  const double c = y.dot(D * y) / y.dot(M * y);
  if (mode.square < 0) {
    Complex mu(2 * omega * omega / (std::sqrt(c * c + 4 * omega * omega) + c), 0);
    mode.estimate = !refine(M, D, K, y, mu);
    mode.growth = mu.real();
    return;
  }
  const double ratio = c / (2 * omega);
  if (std::abs(ratio) <= 16 * epsilon) return;
  mode.damping = ratio;
  if (ratio < 1) {
    Complex mu(-ratio * omega, omega * std::sqrt(1 - ratio * ratio));
    if (refine(M, D, K, y, mu)) {
      mode.damping = -mu.real() / std::abs(mu);
    } else {
      mode.estimate = true;
    }
    return;
  }
  const double root = std::sqrt(ratio * ratio - 1);
  Complex slow(-omega / (ratio + root), 0), fast(-omega * (ratio + root), 0);
  if (refine(M, D, K, y, slow) && refine(M, D, K, y, fast)) {
    mode.damping = -0.5 * (slow.real() + fast.real()) / std::sqrt(slow.real() * fast.real());
  } else {
    mode.estimate = true;
  }
}

/// The stiffness without loads, by what loops allow; what nothing resists is held by a little of the mass.
struct Held {
  explicit Held(const Equations& unloaded)
      : K(reduced(unloaded.stiffness, unloaded)),
        M(reduced(unloaded.mass, unloaded)),
        shifted(K, M, unloaded.massless) {
    if (shifted.found()) shifted.takeNone();
  }
  Sparse K, M;
  Shifted shifted;
};

}  // namespace

ModeList modes(const Equations& of, int count, const std::string& why, const std::string& drives) {
  const Sparse Zt = of.motions.transpose();
  const Sparse M = reduced(of.mass, of), K = reduced(of.stiffness, of);
  const Sparse D = Zt * of.damping * of.motions;
  ModeList out;
  for (const char massless : of.massless) out.freedoms += massless ? 0 : 1;
  if (out.freedoms == 0) throw NoEquations("nothing with a mass is free to move: there are no modes");
  const int wanted = std::min(count, out.freedoms), all = of.freedoms();
  const auto unsymmetric = [&why] {
    return NoEquations("the stiffness is not symmetric: modes are those of forces that have a potential, and " + why);
  };
  const auto unbalanced = [&drives] {
    return NoEquations("this state is no equilibrium: " + drives +
                       "let it come to rest (\"start\": \"equilibrium\" in solver or a static scene, "
                       "which vines do not have, or --at a time when it rests)");
  };

  Shifted shifted(K, M, of.massless);
  if (!shifted.found()) {
    if (!of.potential) throw unsymmetric();
    throw NoEquations("something without mass is held by nothing, or pushed away by what acts: there are no modes");
  }
  const RoundOff roundOff(K, M);

  // Is it an equilibrium? By how far it would go, if it were held by the shift as well.
  const VectorX g = Zt * of.forces;
  VectorX way(all);
  shifted.factor().solve(g.data(), way.data());
  if (VectorX(of.motions * way).cwiseQuotient(of.reach).lpNorm<Eigen::Infinity>() > still) throw unbalanced();

  // Eigenvalues from the lowest on; where the shift hides the softest ones, or rigid motions hide all others, again.
  // More of them where equal ones would be cut apart or the count says that some were missed.
  int known = std::min(out.freedoms, wanted + std::max(4, wanted / 4));
  Eigenpairs pairs;
  VectorX squares, rounded;
  for (;; known = std::min(out.freedoms, 2 * known)) {
    for (int pass = 0; pass < 3; ++pass) {
      const double shift = shifted.shift();
      const Sparse S = shifted.matrix(shift);
      pairs = largest(M, S, shifted.factor(), known);
      refine(M, S, shifted.factor(), pairs);
      squares = pairs.values.cwiseInverse().array() - shift;
      rounded.resize(squares.size());
      for (int i = 0; i < squares.size(); ++i)
        rounded[i] = std::min(shifted.rounded(), roundOff(VectorX(pairs.vectors.col(i))));
      double softest = 0;
      for (int i = 0; i < squares.size() && softest == 0; ++i) {
        if (squares[i] > std::max(rounded[i], 4 * shift) || (pass > 0 && squares[i] > rounded[i])) softest = squares[i];
      }
      if (!(softest > 0) || squares[0] < -rounded[0]) break;
      const double better = 1e-2 * softest;
      if (shift <= 2 * better && (squares[0] > shift || shift >= 0.5 * better)) break;
      if (!shifted.change(better)) break;
    }
    if (known == out.freedoms) break;
    if (known > mostKnown)
      throw NoEquations("modes lie too close together to tell that none was missed: ask for fewer");
    const Cut cut = cutAfter(squares, wanted, known, rounded);
    if (cut.before == 0) continue;
    const Factored counted(shifted.matrix(-cut.at));
    if (counted.regular() && counted.negative() == cut.before) break;
  }

  double slowest = 0;
  for (int i = 0; i < squares.size() && slowest == 0; ++i) slowest = squares[i] > rounded[i] ? squares[i] : 0;
  if (of.rates.cwiseQuotient(of.reach).lpNorm<Eigen::Infinity>() > still * std::sqrt(slowest)) throw unbalanced();
  if (!of.potential) throw unsymmetric();
  for (int i = 0; i < wanted; ++i) {
    if (turning(of, pairs.vectors.col(i), std::max({squares[i], rounded[i], 1e-10 * slowest})))
      throw NoEquations(
          "forces that see velocities turn the motion (the damping has an antisymmetric part, as of Coriolis forces, lift "
          "or a field across the velocity): there are no modes of this kind. The eigenvalues of A of `tendril linearize` "
          "have these forces in");
  }

  for (int i = 0; i < wanted; ++i) {
    Mode mode;
    mode.square = squares[i], mode.rounded = std::max(rounded[i], 1e-10 * slowest);
    mode.rigid = std::abs(squares[i]) <= mode.rounded;
    const VectorX y = pairs.vectors.col(i);
    addDamping(M, D, K, y, mode);
    mode.shape = scaled(of.motions * y, of.reach);
    out.modes.push_back(std::move(mode));
  }
  return out;
}

std::vector<CriticalFactor> criticalFactors(const Equations& unloaded, const Sparse& slope, double least, int count) {
  const Held held(unloaded);
  const Sparse &K = held.K, G = reduced(slope, unloaded);
  const Shifted& shifted = held.shifted;
  if (!shifted.found() || shifted.shift() > 2e-11 * shifted.rounded() / (64 * epsilon))
    throw NoEquations("the structure is not stable without loads: there are no loads at which it becomes unstable");
  const Sparse S = shifted.matrix(shifted.shift());
  const int n = static_cast<int>(K.rows());
  std::vector<CriticalFactor> out;
  if (G.norm() == 0) return out;
  for (int known = std::min(n, count + std::max(4, count / 4));; known = std::min(n, 2 * known)) {
    const Eigenpairs pairs = largest(Sparse(-G), S, shifted.factor(), known);
    std::vector<double> factors;
    std::vector<int> of;
    for (int i = 0; i < pairs.values.size() && pairs.values[i] > least; ++i) {
      // What the mass alone holds is no motion that loads make unstable.
      const VectorX y = pairs.vectors.col(i);
      const double held = y.dot(K * y);
      if (held > 0.5) factors.push_back(held / pairs.values[i]), of.push_back(i);
    }
    const int found = static_cast<int>(factors.size()), wanted = std::min(count, found);
    if (known < n && pairs.values[pairs.values.size() - 1] > least) {
      const Cut cut = wanted > 0 ? cutAfter(factors, wanted, found, VectorX::Zero(found)) : Cut();
      bool whole = false;
      if (cut.before > 0) {
        const Factored counted(Sparse(S + cut.at * G));
        whole = counted.regular() && counted.negative() == cut.before;
      }
      if (!whole && known > mostKnown)
        throw NoEquations("critical factors lie too close together to tell that none was missed");
      if (!whole) continue;
    }
    for (int i = 0; i < wanted; ++i)
      out.push_back({factors[static_cast<std::size_t>(i)], 0,
                     scaled(unloaded.motions * pairs.vectors.col(of[static_cast<std::size_t>(i)]), unloaded.reach)});
    return out;
  }
}

// For the eigenvalue nearest to that of x, |E x| in the norm of S^-1 over |x| in that of S is the bound of Krylov and
// Weinstein: no sign in E can hide another.
double shareFor(const Equations& unloaded, const Sparse& change, const VectorX& shape) {
  const Held held(unloaded);
  const VectorX pushed = unloaded.motions.transpose() * (change * shape);
  VectorX way(pushed.size());
  held.shifted.factor().solve(pushed.data(), way.data());
  return std::sqrt(std::max(0.0, pushed.dot(way)) / shape.dot(unloaded.stiffness * shape));
}

LargestShare largestShare(const Equations& unloaded, const Sparse& change) {
  const Held held(unloaded);
  const Sparse E = reduced(change, unloaded), S = held.shifted.matrix(held.shifted.shift());
  LargestShare out{0, VectorX::Zero(unloaded.size())};
  if (E.norm() == 0) return out;
  for (const double sign : {1.0, -1.0}) {
    const Eigenpairs pairs = largest(Sparse(sign * E), S, held.shifted.factor(), 1);
    if (pairs.values[0] > out.share) out = {pairs.values[0], unloaded.motions * pairs.vectors.col(0)};
  }
  return out;
}

}  // namespace tendril::linear
