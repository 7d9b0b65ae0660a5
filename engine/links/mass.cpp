// The mass matrix of a linkage, and what it alone decides: accelerations and multipliers at a motion, and the motion
// nearest to a given one that loops allow.
#include <algorithm>
#include <cmath>

#include "links/system/system.h"

namespace tendril::links {

// False: not a rigid body's, as with fluid that moves along.
bool asRigid(const MassPoint& m, ChainInertia& out) {
  const Mat3 coupling = m.inertia.topRightCorner<3, 3>();
  out.step = m.step;
  out.mass = m.inertia(3, 3);
  out.moment = Vec3(coupling(2, 1), coupling(0, 2), coupling(1, 0));
  out.inertia = m.inertia.topLeftCorner<3, 3>();
  // Of what the entries of a block are made of: zero is zero in any unit.
  constexpr double small = 1e-13;
  const double turning = out.inertia.cwiseAbs().maxCoeff(), arm = coupling.cwiseAbs().maxCoeff();
  return m.added.isZero(0) && (coupling - geometry::skew(out.moment)).cwiseAbs().maxCoeff() <= small * arm &&
         (m.inertia.bottomLeftCorner<3, 3>() + coupling).cwiseAbs().maxCoeff() <= small * arm &&
         (out.inertia - out.inertia.transpose()).cwiseAbs().maxCoeff() <= small * turning &&
         (m.inertia.bottomRightCorner<3, 3>() - out.mass * Mat3::Identity()).cwiseAbs().maxCoeff() <= small * out.mass;
}

// At rest and without loads the tangent by accelerations alone is the mass matrix.
void System::condenseMass(const VectorX& q) {
  const int n = coordinates();
  chain_.move(q.head(n), zero_, zero_, {0, 1}, true);
  loads_.reset(chain_.steps().size());
  inertias_.clear();
  for (const MassPoint& m : masses_) {
    ChainInertia body;
    if (asRigid(m, body)) {
      inertias_.push_back(body);
    } else {
      loads_.wrenches[m.step].byAcceleration += m.inertia + m.added;
    }
  }
  gathered_.setZero(n);
  chain_.gather(loads_.wrenches, {}, gathered_, nullptr);
  chain_.clearTangent();
  chain_.condense(loads_.wrenches, inertias_);
  assembled_ = false;
}

void System::massMatrix(const VectorX& q, Eigen::MatrixXd& out) {
  condenseMass(q);
  out.setZero(coordinates(), coordinates());
  chain_.assemble({}, out);
}

void System::closingRows(Eigen::MatrixXd& rows) {
  const std::vector<ChainFrame>& frames = chain_.frames();
  rows.resize(static_cast<int>(closures_.size()), coordinates());
  for (std::size_t i = 0; i < closures_.size(); ++i) {
    const ClosureRow& row = closures_[i];
    const FramePair gap = closureGap(row, frames[row.a].pose, frames[row.b].pose);
    chain_.jacobian(row.a, jacobianA_), chain_.jacobian(row.b, jacobianB_);
    rows.row(static_cast<int>(i)) = gap.onA.transpose() * jacobianA_ + gap.onB.transpose() * jacobianB_;
  }
}

// M x + J^T y = f, J x = g on the free coordinates, prescribed ones staying zero. Masses and lengths of any size are
// made comparable first, so that only what is singular is called so.
bool System::solveWithMass(const VectorX& q, const VectorX& rhs, VectorX& x) {
  const int n = coordinates(), m = static_cast<int>(closures_.size());
  Eigen::MatrixXd kkt = Eigen::MatrixXd::Zero(n + m, n + m), mass, rows;
  massMatrix(q, mass);
  closingRows(rows);
  kkt.topLeftCorner(n, n) = mass;
  kkt.bottomLeftCorner(m, n) = rows, kkt.topRightCorner(n, m) = rows.transpose();
  // Roots of ratios to the largest mass: those of masses would be rounded by their unit.
  double largest = 0;
  for (int i = 0; i < n; ++i) largest = std::max(largest, mass(i, i) * units_[i] * units_[i]);
  if (!(largest > 0)) largest = 1;
  VectorX left = VectorX::Ones(n + m), columns = left, b = rhs;
  for (int i = 0; i < n; ++i) {
    if (held[static_cast<std::size_t>(i)]) {
      kkt.row(i).setZero(), kkt.col(i).setZero();
      kkt(i, i) = 1, b[i] = 0;
      continue;
    }
    const double part = mass(i, i) * units_[i] * units_[i] / largest;
    columns[i] = part > 0 ? units_[i] / std::sqrt(part) : units_[i];
    left[i] = columns[i] / largest;
  }
  for (int i = n; i < n + m; ++i) {
    const double size = kkt.row(i).head(n).cwiseProduct(columns.head(n).transpose()).norm();
    if (size > 0) left[i] = 1 / size, columns[i] = largest / size;
  }
  const solve::DenseLu lu(left.asDiagonal() * kkt * columns.asDiagonal(), solve::DenseLu::Pivots::all);
  if (!lu.regular()) return false;
  x = columns.cwiseProduct(lu.solve(left.cwiseProduct(b)));
  return x.allFinite();
}

bool System::acceleration(const VectorX& q, const VectorX& v, VectorX& a, VectorX* multipliers) {
  const int n = coordinates(), m = static_cast<int>(closures_.size());
  VectorX rhs = VectorX::Zero(n + m), r, x, still = q;
  for (int i = 0; i < n; ++i) {
    if (!held[static_cast<std::size_t>(i)]) a[i] = 0;
  }
  still.tail(m).setZero();  // multipliers are found here
  evaluate({still, v, a}, {}, solve::Level::residual, r);
  rhs.head(n) = -r.head(n);
  if (m == 0 && blocked_) {
    // Prescribed rows are identity: what they accelerate by is in r.
    condenseMass(q);
    if (!chain_.eliminate(held, 0)) return false;
    for (int i = 0; i < n; ++i) rhs[i] = held[static_cast<std::size_t>(i)] ? 0 : rhs[i];
    chain_.substitute(rhs, held, x);
  } else {
    const std::vector<ChainFrame>& frames = chain_.frames();
    for (int i = 0; i < m; ++i) {
      const ClosureRow& row = closures_[static_cast<std::size_t>(i)];
      const ChainFrame &A = frames[row.a], &B = frames[row.b];
      const FramePair gap = closureGap(row, A.pose, B.pose);
      rhs[n + i] = -(gap.onA.dot(A.acceleration) + gap.onB.dot(B.acceleration) +
                     A.velocity.dot(gap.aa * A.velocity + gap.ab * B.velocity) +
                     B.velocity.dot(gap.ba * A.velocity + gap.bb * B.velocity));
    }
    if (!solveWithMass(q, rhs, x)) return false;
  }
  for (int i = 0; i < n; ++i) {
    if (!held[static_cast<std::size_t>(i)]) a[i] = x[i];
  }
  if (multipliers) multipliers->tail(m) = x.tail(m) / closureUnit_;
  return x.allFinite();
}

bool System::projectVelocity(const VectorX& q, VectorX& v) {
  const int n = coordinates(), m = static_cast<int>(closures_.size());
  if (m == 0) return true;
  chain_.move(q.head(n), zero_, zero_, {}, true);
  Eigen::MatrixXd rows;
  closingRows(rows);
  VectorX rhs = VectorX::Zero(n + m), x;
  rhs.tail(m) = -rows * v.head(n);
  if (!solveWithMass(q, rhs, x)) return false;
  v.head(n) += x.head(n);
  return true;
}

}  // namespace tendril::links
