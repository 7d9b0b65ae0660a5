#include "strain/linkage_system.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <utility>

namespace tendril {
namespace {

/// A wrench of fixed directions in the world, in the frame of a body, and how that turns with the body.
Vec6 inBody(const Pose& g, const Vec6& wrench) {
  Vec6 y;
  y << g.R.transpose() * wrench.head<3>(), g.R.transpose() * wrench.tail<3>();
  return y;
}
Mat6 turnInBody(const Vec6& local) {
  Mat6 m = Mat6::Zero();
  m.topLeftCorner<3, 3>() = skew(Vec3(local.head<3>()));
  m.bottomLeftCorner<3, 3>() = skew(Vec3(local.tail<3>()));
  return m;
}

/// ad_x^T y as a matrix of x.
Mat6 bracketTransposed(const Vec6& y) {
  Mat6 m = Mat6::Zero();
  const Mat3 M = skew(Vec3(y.head<3>())), F = skew(Vec3(y.tail<3>()));
  m << M, F, F, Mat3::Zero();
  return m;
}

}  // namespace

struct LinkageSystem::Factor {
  Eigen::PartialPivLU<Eigen::MatrixXd> lu;
};

LinkageSystem::LinkageSystem(LinkageSystem&&) noexcept = default;
LinkageSystem::~LinkageSystem() = default;

namespace {

/// Stretched length per length, its gradient and Hessian in the strain.
struct TendonStretch {
  double value;
  Vec6 gradient;
  Mat6 hessian;
};

TendonStretch tendonStretch(const TendonPoint& p, const VectorX& q) {
  Vec6 xi = p.reference;
  for (std::size_t j = 0; j < p.modes.size(); ++j) xi[p.modes[j]] += p.values[j] * q[p.first + static_cast<int>(j)];
  const Vec3 way = xi.head<3>().cross(p.offset) + xi.tail<3>() + p.slope;
  TendonStretch out;
  out.value = way.norm();
  const Vec3 t = way / out.value;
  out.gradient << p.offset.cross(t), t;
  Eigen::Matrix<double, 3, 6> N;
  N << -skew(p.offset), Mat3::Identity();
  out.hessian = N.transpose() * ((Mat3::Identity() - t * t.transpose()) / out.value) * N;
  return out;
}

}  // namespace

double LinkageSystem::tendonLength(const Tendon& tendon, const VectorX& q, VectorX& slope) const {
  double length = 0;
  slope.setZero(size());
  for (const TendonPoint& p : tendon.points) {
    const TendonStretch s = tendonStretch(p, q);
    length += p.weight * s.value;
    for (std::size_t j = 0; j < p.modes.size(); ++j) {
      slope[p.first + static_cast<int>(j)] += p.weight * p.values[j] * s.gradient[p.modes[j]];
    }
  }
  return length;
}

LinkageSystem::LinkageSystem(Chain chain, std::vector<MassPoint> masses, Eigen::MatrixXd stiffness,
                             Eigen::MatrixXd damping, double scale)
    : chain_(std::move(chain)),
      masses_(std::move(masses)),
      stiffness_(std::move(stiffness)),
      damping_(std::move(damping)),
      scale_(scale),
      factor_(std::make_unique<Factor>()) {
  force = zero_ = VectorX::Zero(chain_.size());
  tangent_.resize(chain_.size(), chain_.size());
  work_.resize(chain_.steps().size());
}

Evaluation LinkageSystem::evaluate(const Motion& motion, const Rates& rates, Level level, VectorX& r) {
  const bool slopes = level == Level::tangent;
  const int n = size();
  Evaluation out;
  out.hasPotential = false;
  chain_.move(motion.q, motion.v, motion.a, rates, slopes);
  for (ChainWrench& w : work_) {
    w.value.setZero();
    if (slopes) w.slope = Columns::Zero(6, n);
  }
  const std::vector<ChainFrame>& frames = chain_.frames();
  double scale2 = 0;
  Vec6 world;
  for (const MassPoint& m : masses_) {
    const ChainFrame& f = frames[m.step];
    ChainWrench& w = work_[m.step];
    world << Vec3::Zero(), m.weight * gravity;
    const Vec6 momentum = m.inertia * f.velocity, pull = inBody(f.pose, world);
    const Mat6 ad = bracketMatrix(f.velocity);
    w.value += m.inertia * (f.acceleration - pull) - ad.transpose() * momentum;
    scale2 = std::max(scale2, (m.inertia * pull).squaredNorm());
    if (!slopes) continue;
    w.slope.noalias() += m.inertia * f.accelerationSlope;
    w.slope.noalias() -= (bracketTransposed(momentum) + ad.transpose() * m.inertia) * f.velocitySlope;
    w.slope.noalias() -= (m.inertia * turnInBody(pull)) * f.jacobian;
  }
  for (const PointWrench& p : wrenches) {
    const Vec6 local = p.world ? inBody(frames[p.step].pose, p.wrench) : p.wrench;
    work_[p.step].value -= local;
    if (slopes && p.world) work_[p.step].slope.noalias() -= turnInBody(local) * frames[p.step].jacobian;
  }
  const VectorX elastic = stiffness_ * motion.q, viscous = rates.v > 0 ? VectorX(damping_ * motion.v) : zero_;
  r = elastic + viscous - force;
  if (slopes) tangent_ = stiffness_ + rates.v * damping_;
  VectorX gathered = zero_;
  // The tension's work is -tension * length: exact gradient and Hessian.
  for (const Tendon& tendon : tendons) {
    for (const TendonPoint& p : tendon.points) {
      const TendonStretch s = tendonStretch(p, motion.q);
      const double pull = tendon.tension * p.weight;
      for (std::size_t j = 0; j < p.modes.size(); ++j) {
        const int row = p.first + static_cast<int>(j);
        gathered[row] += pull * p.values[j] * s.gradient[p.modes[j]];
        for (std::size_t k = 0; slopes && k < p.modes.size(); ++k) {
          tangent_(row, p.first + static_cast<int>(k)) += pull * p.values[j] * p.values[k] * s.hessian(p.modes[j], p.modes[k]);
        }
      }
    }
  }
  chain_.gather(work_, gathered, slopes ? &tangent_ : nullptr);
  r += gathered;
  out.forceScale = std::max({elastic.norm(), viscous.norm(), force.norm(), gathered.norm()}) / scale_;
  out.roundOff = 1e-15 * std::sqrt(static_cast<double>(n)) * out.forceScale;
  return out;
}

Factorisation LinkageSystem::factor(double shift) {
  Factorisation f;
  if (shift > 0) {
    Eigen::MatrixXd shifted = tangent_;
    shifted.diagonal() += shift * tangent_.diagonal().cwiseAbs();
    factor_->lu.compute(shifted);
  } else {
    factor_->lu.compute(tangent_);
  }
  f.ok = factor_->lu.matrixLU().allFinite() && factor_->lu.matrixLU().diagonal().cwiseAbs().minCoeff() > 0;
  f.lowestPivotRatio = 1;
  return f;
}

void LinkageSystem::solve(const VectorX& rhs, VectorX& x) { x = factor_->lu.solve(rhs); }

LinkageSystem::Energies LinkageSystem::energies(const VectorX& q, const VectorX& v) {
  chain_.move(q, v, zero_, {}, false);
  Energies e;
  for (const MassPoint& m : masses_) {
    const ChainFrame& f = chain_.frames()[m.step];
    e.kinetic += 0.5 * f.velocity.dot(m.inertia * f.velocity);
    // The first moment of mass sits in the coupling block of the inertia.
    const double mass = m.inertia(3, 3);
    const Mat3 coupling = m.inertia.topRightCorner<3, 3>();  // mass * skew(center)
    const Vec3 moment(coupling(2, 1), coupling(0, 2), coupling(1, 0));
    e.gravity -= m.weight * gravity.dot(mass * f.pose.r + f.pose.R * moment);
  }
  e.elastic = 0.5 * q.dot(stiffness_ * q);
  return e;
}

}  // namespace tendril
