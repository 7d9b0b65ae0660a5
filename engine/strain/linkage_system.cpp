#include "strain/linkage_system.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <utility>

namespace tendril {

struct LinkageSystem::Factor {
  Eigen::PartialPivLU<Eigen::MatrixXd> lu;
};

LinkageSystem::LinkageSystem(LinkageSystem&&) noexcept = default;
LinkageSystem::~LinkageSystem() = default;

LinkageSystem::LinkageSystem(Chain chain, std::vector<MassPoint> masses, Eigen::MatrixXd stiffness,
                             Eigen::MatrixXd damping, double scale)
    : chain_(std::move(chain)),
      masses_(std::move(masses)),
      stiffness_(std::move(stiffness)),
      damping_(std::move(damping)),
      scale_(scale),
      factor_(std::make_unique<Factor>()) {
  force = zero_ = effort_ = VectorX::Zero(chain_.size());
  held.assign(static_cast<std::size_t>(chain_.size()), 0);
  tangent_.resize(chain_.size(), chain_.size());
}

void LinkageSystem::setClosures(std::vector<ClosureRow> rows) {
  closures_ = std::move(rows);
  tangent_.resize(size(), size());
}

void LinkageSystem::weighClosures(const Rates& rates) {
  double mass = 0, stiffness = 0;
  for (const MassPoint& m : masses_) mass += m.inertia(3, 3);
  if (coordinates() > 0) stiffness = stiffness_.diagonal().maxCoeff() / (scale_ * scale_);
  const double unit = mass * (rates.a + gravity.norm() / scale_) + stiffness;
  closureUnit_ = unit > 0 ? unit : 1;
}

void LinkageSystem::place(const VectorX& q, const VectorX& v) {
  chain_.move(q.head(coordinates()), v.head(coordinates()), zero_, {}, false);
}

void LinkageSystem::closureGaps(const VectorX& q, VectorX& gaps, Eigen::MatrixXd* jacobian) {
  chain_.move(q.head(coordinates()), zero_, zero_, {}, jacobian != nullptr);
  const std::vector<ChainFrame>& frames = chain_.frames();
  const int m = static_cast<int>(closures_.size());
  gaps.resize(m);
  if (jacobian) jacobian->resize(m, coordinates());
  for (int i = 0; i < m; ++i) {
    const ClosureRow& row = closures_[static_cast<std::size_t>(i)];
    const FramePair gap = closureGap(row, frames[row.a].pose, frames[row.b].pose);
    gaps[i] = gap.value;
    if (jacobian) {
      jacobian->row(i) = gap.onA.transpose() * frames[row.a].jacobian + gap.onB.transpose() * frames[row.b].jacobian;
    }
  }
}

void LinkageSystem::addInertia(bool slopes) {
  const std::vector<ChainFrame>& frames = chain_.frames();
  Vec6 world;
  for (const MassPoint& m : masses_) {
    const ChainFrame& f = frames[m.step];
    ChainWrench& w = loads_.wrenches[m.step];
    world << Vec3::Zero(), m.weight * gravity;
    const Mat6 inertia = m.inertia + m.added;
    const Vec6 momentum = inertia * f.velocity, pull = inBody(f.pose, world), weight = m.inertia * pull;
    const Mat6 ad = bracketMatrix(f.velocity);
    w.value += inertia * f.acceleration - weight - ad.transpose() * momentum;
    loads_.scale = std::max(loads_.scale, weight.norm());
    if (!slopes) continue;
    w.byAcceleration += inertia;
    w.byVelocity -= bracketTransposed(momentum) + ad.transpose() * inertia;
    w.byPose -= m.inertia * turnInBody(pull);
  }
  for (const PointWrench& p : wrenches) {
    ChainWrench& w = loads_.wrenches[p.step];
    const Vec6 local = p.world ? inBody(frames[p.step].pose, p.wrench) : p.wrench;
    w.value -= local;
    if (slopes && p.world) w.byPose -= turnInBody(local);
  }
}

// In the joint's chart x = base q the end turns by T(-x) dx.
void LinkageSystem::addSprings(bool slopes) {
  for (const PoseSpring& s : springs) {
    const ChainStep& step = chain_.steps()[static_cast<std::size_t>(s.step)];
    const int n = step.coordinates();
    const Vec6 x = step.base * springChart_.segment(step.first, n);
    const Pose g = inverse(s.offset) * step.offset * exponential(x);
    const Vec3 turn = logarithm({g.R, Vec3::Zero()}).head<3>(), place = g.R.transpose() * g.r;
    Vec6 w;
    w << s.rotation * turn, s.translation * place;
    w -= s.effort;
    const Mat6 t = TangentOperator(-x).matrix();
    gathered_.segment(step.first, n) += step.base.transpose() * (t.transpose() * w);
    if (!slopes) continue;
    Vec6 k = Vec6::Zero();
    k.head<3>() = -turn;
    Mat6 bend = Mat6::Zero();
    bend.topLeftCorner<3, 3>() = s.rotation * TangentOperator(k).matrix().topLeftCorner<3, 3>().inverse();
    bend.bottomLeftCorner<3, 3>() = s.translation * skew(place);
    bend.bottomRightCorner<3, 3>() = s.translation * Mat3::Identity();
    tangent_.block(step.first, step.first, n, n) +=
        step.base.transpose() * (t.transpose() * bend * t - transposedSlope(-x, w)) * step.base;
  }
}

void LinkageSystem::addClosures(const VectorX& multipliers, bool slopes) {
  const std::vector<ChainFrame>& frames = chain_.frames();
  const int n = coordinates();
  for (std::size_t i = 0; i < closures_.size(); ++i) {
    const ClosureRow& row = closures_[i];
    const int index = n + static_cast<int>(i);
    const FramePair gap = closureGap(row, frames[row.a].pose, frames[row.b].pose);
    const double force = closureUnit_ * multipliers[index];
    loads_.wrenches[row.a].value += force * gap.onA;
    loads_.wrenches[row.b].value += force * gap.onB;
    gaps_[static_cast<int>(i)] = closureUnit_ * gap.value;
    if (!slopes) continue;
    loads_.wrenches[row.a].byPose += force * gap.aa;
    loads_.wrenches[row.b].byPose += force * gap.bb;
    loads_.couplings.push_back({row.a, row.b, force * gap.ab});
    loads_.couplings.push_back({row.b, row.a, force * gap.ba});
    const Eigen::RowVectorXd slope =
        closureUnit_ * (gap.onA.transpose() * frames[row.a].jacobian + gap.onB.transpose() * frames[row.b].jacobian);
    tangent_.block(index, 0, 1, n) = slope;
    tangent_.block(0, index, n, 1) = slope.transpose();
  }
}

Evaluation LinkageSystem::evaluate(const Motion& motion, const Rates& rates, Level level, VectorX& r) {
  const bool slopes = level == Level::tangent;
  const int n = coordinates(), m = static_cast<int>(closures_.size());
  Evaluation out;
  out.hasPotential = false;
  springChart_ = motion.q.head(n);
  chain_.move(springChart_, motion.v.head(n), motion.a.head(n), rates, slopes);
  loads_.reset(chain_.steps().size());
  if (slopes) {
    tangent_.setZero();
    tangent_.topLeftCorner(n, n) = stiffness_ + rates.v * damping_;
  }
  gathered_.setZero(n);
  gaps_.resize(m);
  const VectorX elastic = stiffness_ * springChart_, viscous = damping_ * motion.v.head(n);
  addInertia(slopes);
  addSprings(slopes);
  for (ChainForce* f : forces) f->add(chain_.frames(), slopes, loads_);
  for (const Tendon& t : tendons) addTendon(t, springChart_, chain_.frames(), slopes, gathered_, tangent_, loads_);
  addClosures(motion.q, slopes);
  chain_.gather(loads_.wrenches, loads_.couplings, gathered_, slopes ? &tangent_ : nullptr);
  r.resize(size());
  r.head(n) = elastic + viscous - force + gathered_;
  r.tail(m) = gaps_;
  out.valid = r.allFinite();
  effort_.setZero(n);
  for (int i = 0; i < n; ++i) {
    if (!held[static_cast<std::size_t>(i)]) continue;
    effort_[i] = r[i];
    r[i] = 0;
    if (slopes) tangent_.row(i).setZero(), tangent_(i, i) = 1;
  }
  const double largest = std::max({elastic.norm(), viscous.norm(), force.norm(), gathered_.norm(), loads_.scale});
  out.forceScale = largest / scale_;
  out.roundOff = 1e-15 * std::sqrt(static_cast<double>(n)) * out.forceScale;
  if (m > 0) out.roundOff += 1e-15 * closureUnit_;
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
  const auto pivots = factor_->lu.matrixLU().diagonal();
  f.ok = size() == 0 || (factor_->lu.matrixLU().allFinite() && pivots.cwiseAbs().minCoeff() > 0);
  f.lowestPivotRatio = 1;
  return f;
}

void LinkageSystem::solve(const VectorX& rhs, VectorX& x) { x = factor_->lu.solve(rhs); }

double LinkageSystem::longestStep(const VectorX& q, const VectorX& dq) {
  if (forces.empty()) return 1;
  const auto poses = [&](const VectorX& at, std::vector<Pose>& out) {
    place(at, zero_);
    out.clear();
    for (const ChainFrame& f : chain_.frames()) out.push_back(f.pose);
  };
  poses(q, from_);
  poses(q + dq, to_);
  double part = 1;
  for (ChainForce* f : forces) part = std::min(part, f->longestStep(from_, to_));
  return part;
}

void LinkageSystem::massMatrix(const VectorX& q, Eigen::MatrixXd& out) {
  chain_.move(q.head(coordinates()), zero_, zero_, {}, true);
  out.setZero(coordinates(), coordinates());
  for (const MassPoint& m : masses_) {
    const Columns& J = chain_.frames()[m.step].jacobian;
    out.noalias() += J.transpose() * ((m.inertia + m.added) * J);
  }
}

bool LinkageSystem::acceleration(const VectorX& q, const VectorX& v, VectorX& a, VectorX* multipliers) {
  const int n = coordinates(), m = static_cast<int>(closures_.size());
  Eigen::MatrixXd kkt = Eigen::MatrixXd::Zero(n + m, n + m), mass;
  VectorX rhs = VectorX::Zero(n + m), r, still = q;
  for (int i = 0; i < n; ++i) {
    if (!held[static_cast<std::size_t>(i)]) a[i] = 0;
  }
  still.tail(m).setZero();  // multipliers are found here
  evaluate({still, v, a}, {}, Level::residual, r);
  rhs.head(n) = -r.head(n);
  const std::vector<ChainFrame> frames = chain_.frames();
  massMatrix(q, mass);
  kkt.topLeftCorner(n, n) = mass;
  for (int i = 0; i < m; ++i) {
    const ClosureRow& row = closures_[static_cast<std::size_t>(i)];
    const ChainFrame &A = frames[row.a], &B = frames[row.b];
    const FramePair gap = closureGap(row, A.pose, B.pose);
    kkt.row(n + i).head(n) = gap.onA.transpose() * chain_.frames()[row.a].jacobian + gap.onB.transpose() * chain_.frames()[row.b].jacobian;
    kkt.col(n + i).head(n) = kkt.row(n + i).head(n).transpose();
    rhs[n + i] = -(gap.onA.dot(A.acceleration) + gap.onB.dot(B.acceleration) +
                   A.velocity.dot(gap.aa * A.velocity + gap.ab * B.velocity) +
                   B.velocity.dot(gap.ba * A.velocity + gap.bb * B.velocity));
  }
  for (int i = 0; i < n; ++i) {
    if (!held[static_cast<std::size_t>(i)]) continue;
    kkt.row(i).setZero(), kkt.col(i).setZero();
    kkt(i, i) = 1, rhs[i] = 0;
  }
  const Eigen::FullPivLU<Eigen::MatrixXd> lu(kkt);
  if (!lu.isInvertible()) return false;
  const VectorX x = lu.solve(rhs);
  for (int i = 0; i < n; ++i) {
    if (!held[static_cast<std::size_t>(i)]) a[i] = x[i];
  }
  if (multipliers) multipliers->tail(m) = x.tail(m) / closureUnit_;
  return x.allFinite();
}

LinkageSystem::Energies LinkageSystem::energies(const VectorX& q, const VectorX& v) {
  return energies(q, v, 0, coordinates(), -1);
}

LinkageSystem::Energies LinkageSystem::energies(const VectorX& q, const VectorX& v, int first, int n, int body) {
  place(q, v);
  Energies e;
  for (const MassPoint& m : masses_) {
    if (body >= 0 && m.body != body) continue;
    const ChainFrame& f = chain_.frames()[m.step];
    e.kinetic += 0.5 * f.velocity.dot((m.inertia + m.added) * f.velocity);
    // The first moment of mass sits in the coupling block of the inertia.
    const double mass = m.inertia(3, 3);
    const Mat3 coupling = m.inertia.topRightCorner<3, 3>();  // mass * skew(center)
    const Vec3 moment(coupling(2, 1), coupling(0, 2), coupling(1, 0));
    e.gravity -= m.weight * gravity.dot(mass * f.pose.r + f.pose.R * moment);
  }
  e.elastic = 0.5 * q.segment(first, n).dot(stiffness_.block(first, first, n, n) * q.segment(first, n));
  for (const PoseSpring& s : springs) {
    const ChainStep& step = chain_.steps()[static_cast<std::size_t>(s.step)];
    if (step.first < first || step.first >= first + n) continue;
    const Pose g = inverse(s.offset) * step.offset * exponential(Vec6(step.base * q.segment(step.first, step.coordinates())));
    e.elastic += 0.5 * (s.rotation * logarithm({g.R, Vec3::Zero()}).squaredNorm() + s.translation * g.r.squaredNorm());
  }
  return e;
}

}  // namespace tendril
