#include "fit/penalty_step.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace tendril::fit {

namespace {

using Eigen::ArrayXd;
using Eigen::VectorXd;

constexpr int mostRounds = 100;
constexpr double complementary = 1e-16;  // mean product of a slack and its multiplier
constexpr double exact = 1e-12;          // residuals of the equations
constexpr double good = 1e-9;            // what counts as solved where round-off ends it earlier
constexpr double onBound = 1e-9;         // share of the box
constexpr double back = 0.995;           // of the way to where a variable would vanish
constexpr double inReach = 1e-3;         // rows stay that are as near, in sizes of their gradients
constexpr double shortest = 1e-10;       // share of a step that still gets anywhere

/// The model over those entries of p whose bounds leave them room, with everything of the order of 1: the box is 0 to
/// 1, q = (p - lower) / width; rows and objective are divided by their sizes, and each row has a weight of its own.
struct Inner {
  Eigen::MatrixXd B, A;
  VectorXd g, d;
  ArrayXd weight, least;  // the largest and the smallest multiplier
};

/// All unknowns of the optimality conditions. The multipliers of the rows lie between `least` and `weight`: `row` is
/// what they are more than the one, `rest` what they are less than the other.
struct Iterate {
  ArrayXd q, room, lower, upper;     // q, 1 - q, and the multipliers of q >= 0 and room >= 0
  ArrayXd excess, slack, rest, row;  // s, t, and their multipliers
};

double longest(const ArrayXd& x, const ArrayXd& change) {
  double out = 1;
  for (Eigen::Index i = 0; i < x.size(); ++i)
    if (change[i] < 0) out = std::min(out, -back * x[i] / change[i]);
  return out;
}

class InteriorPoint {
 public:
  explicit InteriorPoint(const Inner& model) : model_(model), n_(model.g.size()), m_(model.d.size()) {
    at_.q = at_.room = ArrayXd::Constant(n_, 0.5);
    at_.lower = at_.upper = ArrayXd::Ones(n_);
    const ArrayXd first = (model_.least < 0).select(0, (0.5 * model_.weight).min(1));
    at_.row = first - model_.least, at_.rest = model_.weight - first;
    // All products begin alike; the rows themselves need not hold yet.
    at_.excess = 0.5 / at_.rest, at_.slack = 0.5 / at_.row;
  }

  bool solve() {
    double before = std::numeric_limits<double>::infinity();
    for (int round = 0; round < mostRounds; ++round) {
      const double mean = meanProduct(at_);
      const double residual = largestResidual();
      if (mean <= complementary && residual <= exact) return true;
      // Round-off: further steps would only make products smaller, until they are lost.
      if (mean <= complementary && residual >= 0.5 * before) return residual <= good;
      before = residual;
      // The step to the solution itself says how far the next one may aim.
      Iterate step;
      if (!find(0, nullptr, step)) break;
      const double share = shareOf(step);
      const double ahead = meanProduct(moved(step, share));
      Iterate corrected;
      if (!find(std::pow(ahead / mean, 3) * mean, &step, corrected)) break;
      const double taken = shareOf(corrected);
      if (!(taken > shortest)) break;
      at_ = moved(corrected, taken);
    }
    return meanProduct(at_) <= good && largestResidual() <= good;
  }

  const Iterate& at() const { return at_; }
  ArrayXd multipliers() const { return at_.row + model_.least; }

 private:
  ArrayXd rowValues() const { return (model_.A * at_.q.matrix() + model_.d).array(); }
  ArrayXd rowResiduals() const { return rowValues() - at_.excess + at_.slack; }

  ArrayXd stationarity() const {
    return (model_.g + model_.B * at_.q.matrix() + model_.A.transpose() * multipliers().matrix()).array() + at_.upper -
           at_.lower;
  }

  double largestResidual() const {
    const double dual = stationarity().abs().maxCoeff();
    return m_ > 0 ? std::max(dual, rowResiduals().abs().maxCoeff()) : dual;
  }

  double meanProduct(const Iterate& at) const {
    const double sum =
        (at.q * at.lower).sum() + (at.room * at.upper).sum() + (at.excess * at.rest).sum() + (at.slack * at.row).sum();
    return sum / double(2 * n_ + 2 * m_);
  }

  /// Newton's step to products of `aim`, to second order with what a first step says. False: round-off is too large.
  bool find(double aim, const Iterate* first, Iterate& out) const {
    ArrayXd toLower = aim - at_.q * at_.lower, toUpper = aim - at_.room * at_.upper;
    ArrayXd toExcess = aim - at_.excess * at_.rest, toSlack = aim - at_.slack * at_.row;
    if (first) {
      toLower -= first->q * first->lower, toUpper -= first->room * first->upper;
      toExcess -= first->excess * first->rest, toSlack -= first->slack * first->row;
    }
    const ArrayXd give = at_.excess / at_.rest + at_.slack / at_.row;
    const ArrayXd offset = rowResiduals() - toExcess / at_.rest + toSlack / at_.row;
    // Rows stay in the system: they may give as good as nothing, and then would drown all else.
    Eigen::MatrixXd K(n_ + m_, n_ + m_);
    K.topLeftCorner(n_, n_) = model_.B;
    K.diagonal().head(n_).array() += at_.lower / at_.q + at_.upper / at_.room;
    K.topRightCorner(n_, m_) = model_.A.transpose(), K.bottomLeftCorner(m_, n_) = model_.A;
    K.bottomRightCorner(m_, m_) = (-give).matrix().asDiagonal();
    VectorXd right(n_ + m_);
    right << (toLower / at_.q - toUpper / at_.room - stationarity()).matrix(), -offset.matrix();
    const Eigen::PartialPivLU<Eigen::MatrixXd> factor(K);
    VectorXd solved = factor.solve(right);
    solved += factor.solve(right - K * solved);
    out.q = solved.head(n_).array(), out.room = -out.q;
    out.lower = (toLower - at_.lower * out.q) / at_.q;
    out.upper = (toUpper - at_.upper * out.room) / at_.room;
    out.row = solved.tail(m_).array(), out.rest = -out.row;
    out.excess = (toExcess - at_.excess * out.rest) / at_.rest;
    out.slack = (toSlack - at_.slack * out.row) / at_.row;
    return solved.allFinite();
  }

  double shareOf(const Iterate& step) const {
    return std::min({longest(at_.q, step.q), longest(at_.room, step.room), longest(at_.excess, step.excess),
                     longest(at_.slack, step.slack), longest(at_.lower, step.lower), longest(at_.upper, step.upper),
                     longest(at_.row, step.row), longest(at_.rest, step.rest)});
  }

  Iterate moved(const Iterate& step, double share) const {
    Iterate out = at_;
    out.q += share * step.q, out.room += share * step.room;
    out.lower += share * step.lower, out.upper += share * step.upper;
    out.excess += share * step.excess, out.slack += share * step.slack;
    out.row += share * step.row, out.rest += share * step.rest;
    return out;
  }

  const Inner& model_;
  Eigen::Index n_, m_;
  Iterate at_;
};

double sizeOr1(double size) { return size > 0 ? size : 1; }

/// The rows that something within the box could violate; others have no multiplier, and may be large.
std::vector<Eigen::Index> rowsInReach(const PenaltyModel& model) {
  std::vector<Eigen::Index> out;
  for (Eigen::Index i = 0; i < model.d.size(); ++i) {
    const ArrayXd row = model.A.row(i).transpose().array();
    const double most = (row * model.lower.array()).max(row * model.upper.array()).sum() + model.d[i];
    if (most > -inReach * row.abs().sum() || model.equation[i]) out.push_back(i);
  }
  return out;
}

PenaltyStep solved(const PenaltyModel& model) {
  const Eigen::Index n = model.g.size(), m = model.d.size();
  PenaltyStep out;
  out.p = model.lower, out.multipliers = VectorXd::Zero(m);
  std::vector<Eigen::Index> open;
  for (Eigen::Index j = 0; j < n; ++j)
    if (model.upper[j] > model.lower[j]) open.push_back(j);
  if (open.empty()) {
    const VectorXd rows = model.A * out.p + model.d;
    for (Eigen::Index i = 0; i < m; ++i)
      out.multipliers[i] = rows[i] > 0 ? model.weight : rows[i] < 0 && model.equation[i] ? -model.weight : 0;
    out.solved = true;
    return out;
  }
  const VectorXd width = (model.upper - model.lower)(open);
  Inner inner;
  inner.B = width.asDiagonal() * Eigen::MatrixXd(model.B(open, open)) * width.asDiagonal();
  inner.g = width.cwiseProduct(VectorXd((model.g + model.B * model.lower)(open)));
  inner.A = Eigen::MatrixXd(model.A(Eigen::all, open)) * width.asDiagonal();
  inner.d = model.d + model.A * model.lower;
  const double size = sizeOr1(std::max(inner.g.lpNorm<Eigen::Infinity>(), inner.B.lpNorm<Eigen::Infinity>()));
  inner.B /= size, inner.g /= size;
  ArrayXd rowSize(m);
  for (Eigen::Index i = 0; i < m; ++i) rowSize[i] = sizeOr1(inner.A.row(i).lpNorm<1>());
  inner.A = rowSize.inverse().matrix().asDiagonal() * inner.A;
  inner.d = (inner.d.array() / rowSize).matrix();
  inner.weight = model.weight / size * rowSize;
  inner.least = model.equation.select(-inner.weight, 0);
  InteriorPoint search(inner);
  out.solved = search.solve();
  const Iterate& at = search.at();
  for (std::size_t k = 0; k < open.size(); ++k) {
    const Eigen::Index j = open[k], i = Eigen::Index(k);
    out.p[j] = at.q[i] < onBound      ? model.lower[j]
               : at.room[i] < onBound ? model.upper[j]
                                      : model.lower[j] + at.q[i] * width[i];
  }
  out.multipliers = (search.multipliers() / rowSize * size).min(model.weight).max(-model.weight).matrix();
  return out;
}

}  // namespace

PenaltyStep penaltyStep(const PenaltyModel& model) {
  const std::vector<Eigen::Index> rows = rowsInReach(model);
  PenaltyModel reached = model;
  reached.A = model.A(rows, Eigen::all), reached.d = model.d(rows), reached.equation = model.equation(rows);
  PenaltyStep out = solved(reached);
  VectorXd multipliers = VectorXd::Zero(model.d.size());
  for (std::size_t k = 0; k < rows.size(); ++k) multipliers[rows[k]] = out.multipliers[Eigen::Index(k)];
  out.multipliers = multipliers;
  return out;
}

}  // namespace tendril::fit
