#include "vines/joints.h"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "solve/allowed_motions.h"
#include "vines/joint_curves.h"

namespace tendril::vines {
namespace {

BodyPose poseOf(const Chain& chain, int body) {
  const Parameters& p = chain.parameters();
  if (body < 0) return {p.base - p.halfLength * directionOf(p.heading), p.heading};
  return {chain.position(body), chain.angle(body)};
}

/// visit(row, its value's terms, body a or -1, body b), in the order of matricesOf().
template <class Visit>
void forEachRow(const Chain& chain, const Visit& visit) {
  const double d = chain.parameters().halfLength;
  int row = 0;
  for (int i = 0; i < chain.pairs(); ++i) {
    const BodyPose before = poseOf(chain, 2 * i - 1), a = poseOf(chain, 2 * i), b = poseOf(chain, 2 * i + 1);
    for (int axis = 0; axis < 2; ++axis) visit(row++, pinRow(before, a, d, axis), 2 * i - 1, 2 * i);
    visit(row++, slideRow(a, b), 2 * i, 2 * i + 1);
    visit(row++, parallelRow(a, b), 2 * i, 2 * i + 1);
    JointRow length = lengthRow(a, b);
    length.value -= chain.target[static_cast<std::size_t>(i)];
    visit(row++, length, 2 * i, 2 * i + 1);
  }
}

}  // namespace

MatrixX jointRows(const Chain& chain) {
  MatrixX rows = MatrixX::Zero(5 * chain.pairs(), 3 * chain.bodies());
  forEachRow(chain, [&](int row, const JointRow& r, int a, int b) {
    if (a >= 0) rows.block<1, 3>(row, 3 * a) = r.a.transpose();
    rows.block<1, 3>(row, 3 * b) = r.b.transpose();
  });
  return rows;
}

namespace {

/// visit(row, its curve, the rates of its bodies, body a or -1, body b)
template <class Visit>
void forEachCurve(const Chain& chain, const VectorX& rates, const Visit& visit) {
  const double d = chain.parameters().halfLength;
  const auto ratesOf = [&](int a, int b) {
    Vec<6> out;
    out << (a < 0 ? Vec3(Vec3::Zero()) : Vec3(rates.segment<3>(3 * a))), rates.segment<3>(3 * b);
    return out;
  };
  for (int i = 0; i < chain.pairs(); ++i) {
    const BodyPose before = poseOf(chain, 2 * i - 1), a = poseOf(chain, 2 * i), b = poseOf(chain, 2 * i + 1);
    const Vec<6> atPin = ratesOf(2 * i - 1, 2 * i), within = ratesOf(2 * i, 2 * i + 1);
    for (int axis = 0; axis < 2; ++axis)
      visit(5 * i + axis, pinCurve(before, a, d, axis, atPin), atPin, 2 * i - 1, 2 * i);
    visit(5 * i + 2, slideCurve(a, b, within), within, 2 * i, 2 * i + 1);
    visit(5 * i + 4, lengthCurve(a, b, within), within, 2 * i, 2 * i + 1);
  }
}

void setRow(MatrixX& m, int row, const Vec<6>& value, int a, int b) {
  if (a >= 0) m.block<1, 3>(row, 3 * a) = value.head<3>().transpose();
  m.block<1, 3>(row, 3 * b) = value.tail<3>().transpose();
}

}  // namespace

MatrixX turnedRows(const Chain& chain, const VectorX& rates) {
  MatrixX out = MatrixX::Zero(5 * chain.pairs(), rates.size());
  forEachCurve(chain, rates, [&](int row, const RowCurve& curve, const Vec<6>& v, int a, int b) {
    setRow(out, row, curve.second * v, a, b);
  });
  return out;
}

MatrixX twiceTurnedRows(const Chain& chain, const VectorX& rates) {
  MatrixX out = MatrixX::Zero(5 * chain.pairs(), rates.size());
  forEachCurve(chain, rates, [&](int row, const RowCurve& curve, const Vec<6>&, int a, int b) {
    setRow(out, row, curve.third, a, b);
  });
  return out;
}

MatrixX bentRows(const Chain& chain, const VectorX& multipliers) {
  const int n = 3 * chain.bodies();
  MatrixX out = MatrixX::Zero(n, n);
  forEachCurve(chain, VectorX::Zero(n), [&](int row, const RowCurve& curve, const Vec<6>&, int a, int b) {
    const int at[] = {3 * a, 3 * b};
    for (int r = 0; r < 2; ++r) {
      for (int c = 0; c < 2; ++c) {
        if (at[r] >= 0 && at[c] >= 0)
          out.block<3, 3>(at[r], at[c]) += multipliers[row] * curve.second.block<3, 3>(3 * r, 3 * c);
      }
    }
  });
  return out;
}

Balance balanceOf(const Chain& chain, const Matrices& matrices) {
  const VectorX v = Eigen::Map<const VectorX>(chain.v.data(), matrices.mass.size());
  const VectorX lighter = matrices.mass.cwiseInverse();
  const MatrixX rows = jointRows(chain), give = rows * lighter.asDiagonal() * rows.transpose();
  const VectorX owed = -(turnedRows(chain, v) * v) - rows * lighter.cwiseProduct(matrices.forces);
  const VectorX multipliers = give.ldlt().solve(owed);
  return {lighter.cwiseProduct(matrices.forces + rows.transpose() * multipliers), multipliers};
}

Joints::Joints(const Chain& chain) {
  const int n = 3 * chain.bodies();
  // Places count by the length, so that angles are left to choose.
  VectorX unit = VectorX::Constant(n, chain.length());
  for (int k = 2; k < n; k += 3) unit[k] = 1;
  std::vector<int> each(static_cast<std::size_t>(n));
  std::iota(each.begin(), each.end(), 0);
  motions_ = unit.asDiagonal() * solve::allowedMotions(jointRows(chain) * unit.asDiagonal(), each, n, &free_);
  for (int c = 0; c < motions_.cols(); ++c) motions_.col(c) /= unit[free_[static_cast<std::size_t>(c)]];
  std::set_difference(each.begin(), each.end(), free_.begin(), free_.end(), std::back_inserter(dependent_));
}

MatrixX Joints::following(const MatrixX& change, const Chain& chain) const {
  const MatrixX rows = jointRows(chain);
  MatrixX out = MatrixX::Zero(rows.cols(), change.cols());
  const MatrixX solved = MatrixX(rows(Eigen::all, dependent_)).partialPivLu().solve(change);
  for (std::size_t k = 0; k < dependent_.size(); ++k) out.row(dependent_[k]) = solved.row(static_cast<Eigen::Index>(k));
  return out;
}

bool Joints::close(Chain& chain) const {
  constexpr int mostRounds = 30;
  constexpr double closed = 1e-14;
  VectorX missing(5 * chain.pairs());
  for (int round = 0; round < mostRounds; ++round) {
    forEachRow(chain, [&](int row, const JointRow& r, int, int) { missing[row] = r.value; });
    const double worst = missing.cwiseAbs().maxCoeff();
    if (worst <= closed * std::max(1.0, chain.length())) return true;
    if (!std::isfinite(worst)) return false;
    const MatrixX step = following(missing, chain);
    for (std::size_t k = 0; k < chain.q.size(); ++k) chain.q[k] -= step(static_cast<Eigen::Index>(k), 0);
  }
  return false;
}

}  // namespace tendril::vines
