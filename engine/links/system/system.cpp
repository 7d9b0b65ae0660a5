#include "links/system/system.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <utility>

#include "elastic/kelvin_voigt.h"

namespace tendril::links {
namespace {

constexpr int fewSolves = 2;  // of a step that keeps energy, by the plain rule's tangent

// Of T^T c T w with T = T(-x), where w, the rate of x, moves by `rate` times x: turns alone.
Mat3 damperSlopes(double c, const geometry::Vec6& x, const geometry::Vec6& w, const geometry::Mat6& t,
                  const geometry::Vec6& damper, double rate) {
  geometry::Mat6 change = rate * t;  // of T w
  const geometry::TangentOperator T(-x);
  for (int i = 0; i < 3; ++i) change.col(i) += T.along(-geometry::Vec6::Unit(i)) * w;
  return c * t.topLeftCorner<3, 3>().transpose() * change.topLeftCorner<3, 3>() -
         geometry::transposedSlope(-x, damper).topLeftCorner<3, 3>();
}

}  // namespace

System::System(Chain chain, std::vector<MassPoint> masses, Eigen::MatrixXd stiffness, Eigen::MatrixXd damping,
               double scale)
    : chain_(std::move(chain)),
      masses_(std::move(masses)),
      stiffness_(std::move(stiffness)),
      damping_(std::move(damping)),
      scale_(scale) {
  force = restForce = tension_ = zero_ = effort_ = VectorX::Zero(chain_.size());
  held.assign(static_cast<std::size_t>(chain_.size()), 0);
  loads_.length = scale_;
  findBlocks();
  findUnits();
}

// Coordinates of soft links are strains, or turns along the whole link.
void System::findUnits() {
  units_ = VectorX::Constant(size(), scale_);
  units_.head(coordinates()).setOnes();
  for (const ChainStep& step : chain_.steps()) {
    for (int i = 0; i < step.base.cols(); ++i) {
      if (moves(step, i)) units_[step.first + i] = scale_;
    }
  }
  chain_.setUnits(units_.head(coordinates()));
}

void System::findBlocks() {
  blocked_ = chain_.separable();
  std::vector<int> first(static_cast<std::size_t>(chain_.size()), 0), end = first;
  for (int b = 0; b < chain_.bodies(); ++b) {
    for (int i = chain_.firstOf(b); i < chain_.firstOf(b) + chain_.countOf(b); ++i) {
      first[i] = chain_.firstOf(b), end[i] = chain_.firstOf(b) + chain_.countOf(b);
    }
  }
  for (int c = 0; blocked_ && c < chain_.size(); ++c) {
    const auto outside = [&](const Eigen::MatrixXd& m) {
      return !m.col(c).head(first[c]).isZero(0) || !m.col(c).tail(chain_.size() - end[c]).isZero(0);
    };
    blocked_ = !outside(stiffness_) && !outside(damping_);
  }
  own_.clear();
  for (int b = 0; blocked_ && b < chain_.bodies(); ++b) {
    const int at = chain_.firstOf(b), m = chain_.countOf(b);
    own_.push_back({stiffness_.block(at, at, m, m), damping_.block(at, at, m, m)});
  }
}

void System::setCoordinate(int coordinate, double stiffness, double damping) {
  stiffness_(coordinate, coordinate) = stiffness, damping_(coordinate, coordinate) = damping;
  if (own_.empty()) return;
  const int b = chain_.bodyOf(coordinate), i = coordinate - chain_.firstOf(b);
  OwnBlock& own = own_[static_cast<std::size_t>(b)];
  own.stiffness(i, i) = stiffness, own.damping(i, i) = damping;
}

void System::setClosures(std::vector<ClosureRow> rows) {
  closures_ = std::move(rows);
  findUnits();
  assembled_ = false;
}

void System::weighClosures(const solve::Rates& rates) {
  double mass = 0, stiffness = 0;
  for (const MassPoint& m : masses_) mass += m.inertia(3, 3);
  for (int i = 0; i < coordinates(); ++i)
    stiffness = std::max(stiffness, stiffness_(i, i) * units_[i] * units_[i] / (scale_ * scale_));
  const double unit = mass * (rates.a + gravity.norm() / scale_) + stiffness;
  closureUnit_ = unit > 0 ? unit : 1;
}

void System::place(const VectorX& q, const VectorX& v) { place(q, v, zero_); }

void System::place(const VectorX& q, const VectorX& v, const VectorX& a) {
  chain_.move(q.head(coordinates()), v.head(coordinates()), a.head(coordinates()), {}, false);
}

void System::closureGaps(const VectorX& q, VectorX& gaps, Eigen::MatrixXd* jacobian) {
  chain_.move(q.head(coordinates()), zero_, zero_, {}, jacobian != nullptr);
  const std::vector<ChainFrame>& frames = chain_.frames();
  const int m = static_cast<int>(closures_.size());
  gaps.resize(m);
  if (jacobian) jacobian->resize(m, coordinates());
  for (int i = 0; i < m; ++i) {
    const ClosureRow& row = closures_[static_cast<std::size_t>(i)];
    const FramePair gap = closureGap(row, frames[row.a].pose, frames[row.b].pose);
    gaps[i] = gap.value;
    if (!jacobian) continue;
    chain_.jacobian(row.a, jacobianA_), chain_.jacobian(row.b, jacobianB_);
    jacobian->row(i) = gap.onA.transpose() * jacobianA_ + gap.onB.transpose() * jacobianB_;
  }
}

void System::addInertia(bool slopes) {
  const std::vector<ChainFrame>& frames = chain_.frames();
  geometry::Vec6 world;
  inertias_.clear();
  for (const MassPoint& m : masses_) {
    const ChainFrame& f = frames[m.step];
    ChainWrench& w = loads_.wrenches[m.step];
    world << Vec3::Zero(), m.weight * gravity;
    const geometry::Mat6 inertia = m.inertia + m.added;
    const geometry::Vec6 momentum = inertia * f.velocity, pull = inBody(f.pose, world), weight = m.inertia * pull;
    // ad(velocity)^T momentum.
    const Vec3 turning = f.velocity.head<3>(), speed = f.velocity.tail<3>(), p = momentum.tail<3>();
    w.value += inertia * f.acceleration - weight;
    w.value.head<3>() += turning.cross(Vec3(momentum.head<3>())) + speed.cross(p);
    w.value.tail<3>() += turning.cross(p);
    power_ += f.velocity.dot(inertia * f.acceleration - weight);
    loads_.measure(m.step, weight);
    if (!slopes) continue;
    ChainInertia body;
    if (asRigid(m, body)) {
      body.gravity = m.weight * gravity;
      inertias_.push_back(body);
      continue;
    }
    w.byAcceleration += inertia;
    w.byVelocity -= geometry::bracketTransposed(momentum) + geometry::bracketMatrix(f.velocity).transpose() * inertia;
    w.byPose -= m.inertia * turnInBody(pull);
  }
  for (const PointWrench& p : wrenches) {
    ChainWrench& w = loads_.wrenches[p.step];
    const geometry::Vec6 local = p.world ? inBody(frames[p.step].pose, p.wrench) : p.wrench;
    w.value -= local;
    givenPower_ += local.dot(frames[p.step].velocity);
    if (slopes && p.world) w.byPose -= turnInBody(local);
  }
}

geometry::Vec6 System::screwOf(const PoseSpring& s, const VectorX& q) const {
  return s.base * q.segment(chain_.steps()[static_cast<std::size_t>(s.step)].first, s.base.cols());
}

// Of x = base q the place moves by its lower part, in the directions of the joint's start; with the upper one, k, the
// end turns by T(-k) dk.
void System::addSprings(const VectorX& v, const solve::Rates& rates, bool slopes) {
  const auto turnOnly = [](const Vec3& k) {
    geometry::Vec6 x = geometry::Vec6::Zero();
    x.head<3>() = k;
    return x;
  };
  for (const PoseSpring& s : springs) {
    const ChainStep& step = chain_.steps()[static_cast<std::size_t>(s.step)];
    const int n = static_cast<int>(s.base.cols());
    const geometry::Vec6 screw = screwOf(s, springChart_), rate = screwOf(s, v), x = turnOnly(screw.head<3>());
    const geometry::Pose start = geometry::inverse(s.offset) * step.offset, motion = motionOf(screw),
                         g = start * motion;
    const Vec3 turn = geometry::logarithm({g.R, Vec3::Zero()}).head<3>(), place = start.R.transpose() * g.r;
    const geometry::Mat6 t6 = geometry::TangentOperator(-x).matrix();
    const Mat3 t = t6.topLeftCorner<3, 3>();
    const Vec3 spin = t * rate.head<3>(), speed = rate.tail<3>();
    const elastic::KelvinVoigt<double> turning{s.rotation, s.turning}, moving{s.translation, s.moving};
    const Vec3 pull = turning.stress(turn), torque = s.effort.head<3>(), push = motion.R * s.effort.tail<3>();
    const Vec3 brake = turning.damping(spin), shift = moving.stress(place);
    geometry::Vec6 w;
    w << t.transpose() * (pull - torque + brake), shift - push + moving.damping(speed);
    gathered_.segment(step.first, n) += s.base.transpose() * w;
    power_ += pull.dot(spin) + shift.dot(speed), givenPower_ += torque.dot(spin) + push.dot(speed);
    dampingPower_ += brake.dot(spin) + moving.dissipation(speed);
    if (!slopes) continue;
    const Mat3 bend = s.rotation * geometry::TangentOperator(turnOnly(-turn)).matrix().topLeftCorner<3, 3>().inverse();
    geometry::Mat6 all = geometry::Mat6::Zero();
    all.topLeftCorner<3, 3>() =
        t.transpose() * bend * t - geometry::transposedSlope(-x, turnOnly(pull - torque)).topLeftCorner<3, 3>();
    if (s.turning != 0)
      all.topLeftCorner<3, 3>() += damperSlopes(s.turning, x, turnOnly(rate.head<3>()), t6, turnOnly(brake), rates.v);
    all.bottomLeftCorner<3, 3>() = motion.R * geometry::skew(Vec3(s.effort.tail<3>())) * t;
    all.bottomRightCorner<3, 3>().diagonal().setConstant(moving.tangent(rates.v));
    const Eigen::MatrixXd own = s.base.transpose() * all * s.base;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) chain_.own(step.first + i, step.first + j) += own(i, j);
    }
  }
}

void System::addClosures(const VectorX& multipliers, bool slopes) {
  const std::vector<ChainFrame>& frames = chain_.frames();
  const int n = coordinates();
  if (slopes) closing_.resize(static_cast<int>(closures_.size()), n);
  for (std::size_t i = 0; i < closures_.size(); ++i) {
    const ClosureRow& row = closures_[i];
    const int index = n + static_cast<int>(i);
    const FramePair gap = closureGap(row, frames[row.a].pose, frames[row.b].pose);
    const double force = closureUnit_ * multipliers[index];
    // What a loop's forces do is no work from outside, wherever a scheme lets its ends move.
    power_ += force * (gap.onA.dot(frames[row.a].velocity) + gap.onB.dot(frames[row.b].velocity));
    loads_.wrenches[row.a].value += force * gap.onA;
    loads_.wrenches[row.b].value += force * gap.onB;
    gaps_[static_cast<int>(i)] = closureUnit_ * gap.value;
    if (!slopes) continue;
    loads_.wrenches[row.a].byPose += force * gap.aa;
    loads_.wrenches[row.b].byPose += force * gap.bb;
    loads_.couplings.push_back({row.a, row.b, force * gap.ab});
    loads_.couplings.push_back({row.b, row.a, force * gap.ba});
    chain_.jacobian(row.a, jacobianA_), chain_.jacobian(row.b, jacobianB_);
    closing_.row(static_cast<int>(i)) =
        closureUnit_ * (gap.onA.transpose() * jacobianA_ + gap.onB.transpose() * jacobianB_);
  }
}

void System::addElasticity(const solve::Motion& motion, const solve::Rates& rates, bool slopes) {
  const int n = coordinates();
  elastic_.resize(n), viscous_.resize(n);
  if (!blocked_) {
    elastic_.noalias() = stiffness_ * springChart_;
    viscous_.noalias() = damping_ * motion.v.head(n);
    return;
  }
  for (int b = 0; b < chain_.bodies(); ++b) {
    const int first = chain_.firstOf(b), m = chain_.countOf(b);
    const Eigen::MatrixXd &K = own_[static_cast<std::size_t>(b)].stiffness,
                          &D = own_[static_cast<std::size_t>(b)].damping;
    elastic_.segment(first, m) = K.lazyProduct(springChart_.segment(first, m));
    viscous_.segment(first, m) = D.lazyProduct(motion.v.segment(first, m));
    for (int j = 0; slopes && j < m; ++j) {
      for (int i = 0; i < m; ++i) chain_.own(first + i, first + j) += K(i, j) + rates.v * D(i, j);
    }
  }
}

// The dense tangent of the last evaluation.
void System::assemble() {
  const int n = coordinates(), m = static_cast<int>(closures_.size());
  tangent_.setZero(size(), size());
  if (!blocked_) tangent_.topLeftCorner(n, n) = stiffness_ + rateOfDamping_ * damping_;
  chain_.assemble(chain_.loose(), tangent_);
  if (m > 0) {
    tangent_.bottomLeftCorner(m, n) = closing_;
    tangent_.topRightCorner(n, m) = closing_.transpose();
  }
  if (idle.cols() > 0) tangent_.topLeftCorner(n, n) += idleStiffness() * (idle * idle.transpose());
  for (int i = 0; i < n; ++i) {
    if (held[static_cast<std::size_t>(i)]) tangent_.row(i).setZero(), tangent_(i, i) = 1;
  }
  assembled_ = true;
}

const Eigen::MatrixXd& System::tangent() {
  if (!assembled_) assemble();
  return tangent_;
}

// The largest force term [N m] of each body: of what acts on its own coordinates, or on what hangs on it. Returns the
// largest of those that can move; what acts on a fixed or driven link is nothing to them.
double System::measureBodies() {
  const int bodies = chain_.bodies();
  sizes_.assign(static_cast<std::size_t>(bodies), 0.0);
  for (std::size_t i = 0; i < loads_.sizes.size(); ++i) {
    const int b = chain_.bodyOfStep(static_cast<int>(i));
    if (b >= 0) sizes_[static_cast<std::size_t>(b)] = std::max(sizes_[static_cast<std::size_t>(b)], loads_.sizes[i]);
  }
  for (int b = bodies - 1; b >= 0; --b) {
    double terms[4] = {};
    for (int i = chain_.firstOf(b); i < chain_.firstOf(b) + chain_.countOf(b); ++i) {
      if (held[static_cast<std::size_t>(i)]) continue;
      const double all[] = {elastic_[i], viscous_[i], force[i], gathered_[i]};
      for (int t = 0; t < 4; ++t) terms[t] += units_[i] * units_[i] * all[t] * all[t];
    }
    double& size = sizes_[static_cast<std::size_t>(b)];
    size = std::max(size, std::sqrt(*std::max_element(terms, terms + 4)));
    if (chain_.parentOf(b) >= 0) {
      double& parent = sizes_[static_cast<std::size_t>(chain_.parentOf(b))];
      parent = std::max(parent, size);
    }
  }
  double largest = 0;
  mobile_.assign(static_cast<std::size_t>(bodies), 0);
  for (int b = 0; b < bodies; ++b) {
    const int first = chain_.firstOf(b), parent = chain_.parentOf(b);
    bool mobile = parent >= 0 && mobile_[static_cast<std::size_t>(parent)];
    for (int i = first; i < first + chain_.countOf(b); ++i) mobile = mobile || !held[static_cast<std::size_t>(i)];
    mobile_[static_cast<std::size_t>(b)] = mobile ? 1 : 0;
    if (mobile) largest = std::max(largest, sizes_[static_cast<std::size_t>(b)]);
  }
  return largest;
}

double System::worstBody(const VectorX& r, double tolerance) const {
  double worst = 0;
  for (int b = 0; b < chain_.bodies() && chain_.bodies() > 1; ++b) {
    double rest = 0;
    for (int i = chain_.firstOf(b); i < chain_.firstOf(b) + chain_.countOf(b); ++i)
      rest += units_[i] * units_[i] * r[i] * r[i];
    if (rest > 0) worst = std::max(worst, std::sqrt(rest) / sizes_[static_cast<std::size_t>(b)]);
  }
  return worst / std::max(tolerance, rounded_);
}

solve::Evaluation System::evaluate(const solve::Motion& motion, const solve::Rates& rates, solve::Level level,
                                   VectorX& r) {
  const bool slopes = level == solve::Level::tangent;
  const int n = coordinates(), m = static_cast<int>(closures_.size());
  solve::Evaluation out;
  out.hasPotential = false;
  if (keep_.dt > 0) beginKeeping(motion);
  springChart_ = motion.q.head(n);
  chain_.move(springChart_, motion.v.head(n), motion.a.head(n), rates, slopes);
  loads_.reset(chain_.steps().size());
  if (slopes) chain_.clearTangent();
  assembled_ = false;
  rateOfDamping_ = rates.v;
  gathered_.setZero(n);
  gaps_.resize(m);
  addElasticity(motion, rates, slopes);
  power_ = (elastic_ - restForce).dot(motion.v.head(n)), dampingPower_ = viscous_.dot(motion.v.head(n));
  givenPower_ = (force - restForce).dot(motion.v.head(n));
  if (dashpots.size() > 0) {
    gathered_ = dashpots.cwiseProduct(springChart_ - dashpotsFrom.head(n));
    for (int i = 0; slopes && i < n; ++i) chain_.own(i, i) += dashpots[i];
  }
  if (idle.cols() > 0) gathered_ += idleStiffness() * (idle * (idle.transpose() * (springChart_ - idleFrom)));
  addInertia(slopes);
  addSprings(motion.v, rates, slopes);
  for (ChainForce* f : forces) {
    f->add(chain_.frames(), slopes, loads_);
    givenPower_ += f->givenPower();
  }
  if (!tendons.empty()) tension_ = gathered_;
  for (const Tendon& t : tendons) addTendon(t, springChart_, chain_, slopes, gathered_, loads_);
  if (!tendons.empty()) tension_ = gathered_ - tension_;
  addClosures(motion.q, slopes);
  chain_.gather(loads_.wrenches, {}, gathered_, nullptr);
  findPush();
  const double blurred = keep_.dt > 0 ? addKeeping(motion) : 0;
  if (slopes) chain_.condense(loads_.wrenches, inertias_, loads_.couplings);
  r.resize(size());
  r.head(n) = elastic_ + viscous_ - force + gathered_;
  r.tail(m) = gaps_;
  out.valid = r.allFinite();
  effort_.setZero(n);
  for (int i = 0; i < n; ++i) {
    if (!held[static_cast<std::size_t>(i)]) continue;
    effort_[i] = r[i];
    r[i] = 0;
  }
  if (slopes && keep_.dt > 0)
    keep_.rates = rates, keep_.q = motion.q, keep_.v = motion.v, keep_.a = motion.a, keep_.r = r;
  // What couples ends needs frames as they are now.
  if (slopes && !eliminates()) assemble();
  out.forceScale = measureBodies() / scale_;
  out.roundOff = 1e-15 * std::sqrt(static_cast<double>(n)) * out.forceScale;
  out.roundOff += blurred / scale_;
  if (m > 0) out.roundOff += 1e-15 * closureUnit_ * scale_;
  rounded_ = out.forceScale > 0 ? out.roundOff / out.forceScale : 0;
  return out;
}

bool System::eliminates() const { return blocked_ && closures_.empty() && chain_.loose().empty() && idle.cols() == 0; }

bool System::follows() const {
  for (const PointWrench& w : wrenches) {
    if (!w.wrench.isZero(0) && (!w.world || w.wrench.head<3>().norm() > 0)) return true;
  }
  for (const ChainForce* f : forces) {
    if (!f->hasPotential()) return true;
  }
  // A joint's own force turns with the link, as does its torque but about the one axis of `planar`.
  for (const PoseSpring& s : springs) {
    const bool turns = s.base.topRows<3>().colwise().squaredNorm().count() > 1;
    if (!s.effort.tail<3>().isZero(0) || (turns && !s.effort.head<3>().isZero(0))) return true;
  }
  return false;
}

Stability System::stability(Eigen::VectorXd* motion) {
  constexpr int most = 400;
  if (coordinates() == 0 || coordinates() > most || follows()) return Stability::unknown;
  return stabilityOf(tangent(), coordinates(), held, motion, units_.head(coordinates()));
}

solve::Factorization System::factor(double shift) {
  solve::Factorization f;
  f.lowestPivotRatio = 1;
  double hold = 0;
  if (watching_ && shift == 0) {
    const Stability resists = stability();
    if (resists == Stability::unstable) ++unstable_;
    // A closed chain that may turn as a whole, say: any of its places will do, so it is kept from running along them.
    if (resists == Stability::neutral) hold = 1e-9;
  }
  eliminated_ = hold == 0 && eliminates() && chain_.eliminate(held, shift);
  if (eliminated_) {
    f.ok = true;
    return f;
  }
  tangent();
  // A prescribed row has its own coordinate alone: the first choice there, in any unit.
  rowWeights_ = units_;
  for (int i = 0; i < coordinates(); ++i)
    if (held[static_cast<std::size_t>(i)]) rowWeights_[i] = 1e200;
  if (shift > 0 || hold > 0) {
    Eigen::MatrixXd shifted = tangent_;
    shifted.diagonal() += shift * tangent_.diagonal().cwiseAbs();
    const auto u = units_.head(coordinates());
    if (hold > 0) hold *= tangent_.diagonal().head(coordinates()).cwiseAbs().cwiseProduct(u.cwiseAbs2()).maxCoeff();
    for (int i = 0; i < coordinates(); ++i) shifted(i, i) += hold / (u[i] * u[i]);
    lu_.factor(shifted, solve::DenseLu::Pivots::rows, 0, rowWeights_);
  } else {
    lu_.factor(tangent_, solve::DenseLu::Pivots::rows, 0, rowWeights_);
  }
  f.ok = lu_.regular();
  return f;
}

void System::solve(const VectorX& rhs, VectorX& x) {
  // Its part of the tangent is left out while few iterations do without.
  keep_.dt > 0 && ++keep_.solves > fewSolves ? solveKeeping(rhs, x) : solvePlain(rhs, x);
}

void System::solvePlain(const VectorX& rhs, VectorX& x) {
  if (eliminated_) {
    chain_.substitute(rhs, held, x);
  } else {
    x = lu_.solve(rhs);
  }
}

double System::longestStep(const VectorX& q, const VectorX& dq) {
  if (forces.empty()) return 1;
  const auto poses = [&](const VectorX& at, std::vector<geometry::Pose>& out) {
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

}  // namespace tendril::links
