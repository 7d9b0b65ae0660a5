#include "linear/modes.h"

#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "linear/pencil.h"

namespace tendril::linear {
namespace {

using model::Equations;
using model::NoEquations;
using Complex = std::complex<double>;

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double still = 1e-6;  // of its reach, that an equilibrium may be away

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

// A number between two eigenvalues of the sorted list `values`, after at least `count` of them, and how many lie before
// it; the widest gap there is.
struct Cut {
  double at = 0;
  int before = 0;
};
template <class Values>
Cut cutAfter(const Values& values, int count, int known) {
  Cut out;
  double widest = -1;
  for (int i = count; i < known; ++i) {
    const double gap = std::abs(values[i] - values[i - 1]) / (std::abs(values[i]) + std::abs(values[i - 1]));
    if (gap > widest) widest = gap, out = {0.5 * (values[i] + values[i - 1]), i};
  }
  return out;
}

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

void addDamping(const Sparse& M, const Sparse& D, const Sparse& K, const VectorX& y, Mode& mode) {
  if (mode.rigid || !(mode.square > 0) || D.nonZeros() == 0) return;
  const double omega = std::sqrt(mode.square), c = y.dot(D * y) / y.dot(M * y);
  const double ratio = c / (2 * omega);
  if (std::abs(ratio) <= 16 * epsilon) return;
  mode.damping = ratio;
  if (ratio == 1) {
    mode.estimate = true;
    return;
  }
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

}  // namespace

ModeList modes(const Equations& of, int count, const std::string& why) {
  if (!of.potential)
    throw NoEquations("the stiffness is not symmetric: modes are those of forces that have a potential, and " + why);
  const Sparse Zt = of.motions.transpose();
  const Sparse M = symmetricPart(Zt * of.mass * of.motions), K = symmetricPart(Zt * of.stiffness * of.motions);
  const Sparse D = Zt * of.damping * of.motions;
  ModeList out;
  for (const char massless : of.massless) out.freedoms += massless ? 0 : 1;
  if (out.freedoms == 0) throw NoEquations("nothing with a mass is free to move: there are no modes");
  const int wanted = std::min(count, out.freedoms), all = of.freedoms();

  // The fastest motion of one unknown alone: the scale of round-off.
  double fastest = 0;
  for (int i = 0; i < all; ++i) {
    if (!of.massless[static_cast<std::size_t>(i)]) fastest = std::max(fastest, std::abs(K.coeff(i, i)) / M.coeff(i, i));
  }
  const double rounded = 64 * epsilon * std::max(fastest, std::numeric_limits<double>::min());

  // K + s M that resists every motion
  double shift = std::max(1e-12 * fastest, std::numeric_limits<double>::min());
  if (!(fastest > 0)) shift = 1;
  const auto shiftedBy = [&](double s) { return Sparse(K + s * M); };
  auto factor = std::make_unique<Factored>(shiftedBy(shift));
  while (!factor->positive()) {
    shift *= 16;
    if (shift > 1e3 * std::max(fastest, 1e-300))
      throw NoEquations("something without mass is held by nothing, or pushed away by what acts: there are no modes");
    factor = std::make_unique<Factored>(shiftedBy(shift));
  }

  // Is it an equilibrium? By how far it would go, if it were held by the shift as well.
  const VectorX g = Zt * of.forces;
  VectorX way(all);
  factor->solve(g.data(), way.data());
  const double off = of.size() > 0 ? VectorX(of.motions * way).cwiseQuotient(of.reach).lpNorm<Eigen::Infinity>() : 0;

  // Eigenvalues from the lowest on; where the shift hides the softest ones, or rigid motions hide all others, again.
  const int known = std::min(out.freedoms, wanted + std::max(4, wanted / 4));
  Eigenpairs pairs;
  VectorX squares;
  for (int pass = 0; pass < 3; ++pass) {
    pairs = largest(M, shiftedBy(shift), *factor, known);
    squares = pairs.values.cwiseInverse().array() - shift;
    double softest = 0;
    for (int i = 0; i < squares.size(); ++i) {
      if (squares[i] > std::max(rounded, 4 * shift) || (pass > 0 && squares[i] > rounded)) {
        softest = squares[i];
        break;
      }
    }
    if (!(softest > 0) || squares[0] < -rounded) break;
    const double better = 1e-2 * softest;
    if (shift <= 2 * better && (squares[0] > shift || shift >= 0.5 * better)) break;
    auto next = std::make_unique<Factored>(shiftedBy(better));
    if (!next->positive()) break;
    shift = better, factor = std::move(next);
  }

  // None is missing
  if (known < out.freedoms) {
    const Cut cut = cutAfter(squares, wanted, known);
    const Factored counted(shiftedBy(-cut.at));
    if (!counted.regular() || counted.negative() != cut.before)
      throw NoEquations("the inertia count finds " + std::to_string(counted.negative()) + " modes below " +
                        std::to_string(std::sqrt(std::max(0.0, cut.at)) / (2 * pi)) + " Hz, of which " +
                        std::to_string(cut.before) + " were found: ask for another number of modes");
  }

  double slowest = 0;
  for (int i = 0; i < squares.size() && slowest == 0; ++i) slowest = squares[i] > rounded ? squares[i] : 0;
  const double speed = of.size() > 0 ? of.rates.cwiseQuotient(of.reach).lpNorm<Eigen::Infinity>() : 0;
  if (off > still || speed > still * std::sqrt(slowest))
    throw NoEquations(
        "this state is no equilibrium: let it come to rest (\"start\": \"equilibrium\" in solver, a static scene, or "
        "--at a time when it rests)");

  for (int i = 0; i < wanted; ++i) {
    Mode mode;
    mode.square = squares[i], mode.rigid = std::abs(squares[i]) <= std::max(rounded, 1e-10 * slowest);
    const VectorX y = pairs.vectors.col(i);
    addDamping(M, D, K, y, mode);
    mode.shape = scaled(of.motions * y, of.reach);
    out.modes.push_back(std::move(mode));
  }
  return out;
}

std::vector<CriticalFactor> criticalFactors(const Equations& unloaded, const Sparse& slope, int count) {
  const Sparse Zt = unloaded.motions.transpose();
  const Sparse K = symmetricPart(Zt * unloaded.stiffness * unloaded.motions);
  const Sparse G = symmetricPart(Zt * slope * unloaded.motions);
  const Factored factor(K);
  if (!factor.positive())
    throw NoEquations("the structure is not stable without loads: there are no loads at which it becomes unstable");
  const int n = static_cast<int>(K.rows()), known = std::min(n, count + std::max(4, count / 4));
  const Eigenpairs pairs = largest(Sparse(-G), K, factor, known);
  std::vector<double> factors;
  std::vector<CriticalFactor> out;
  // What is positive by round-off alone belongs to no factor.
  const double least = pairs.values.size() > 0 ? 64 * epsilon * pairs.values.cwiseAbs().maxCoeff() : 0;
  for (int i = 0; i < pairs.values.size() && pairs.values[i] > least; ++i) factors.push_back(1 / pairs.values[i]);
  const int found = static_cast<int>(factors.size()), wanted = std::min(count, found);
  if (wanted > 0 && wanted < found) {
    const Cut cut = cutAfter(factors, wanted, found);
    const Factored counted(Sparse(K + cut.at * G));
    if (!counted.regular() || counted.negative() != cut.before)
      throw NoEquations("the inertia count finds " + std::to_string(counted.negative()) + " critical factors below " +
                        std::to_string(cut.at) + ", of which " + std::to_string(cut.before) +
                        " were found: ask for another number of them");
  }
  for (int i = 0; i < wanted; ++i)
    out.push_back(
        {factors[static_cast<std::size_t>(i)], scaled(unloaded.motions * pairs.vectors.col(i), unloaded.reach)});
  return out;
}

}  // namespace tendril::linear
