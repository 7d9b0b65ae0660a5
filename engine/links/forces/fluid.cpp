#include "links/forces/fluid.h"
#include "world/surroundings.h"

#include <algorithm>
#include <utility>

namespace tendril::links {
namespace {

/// Velocity of a point of a frame from its twist, both in the frame.
Mat<3, 6> velocityAt(const Vec3& local) {
  Mat<3, 6> A;
  A << -geometry::skew(local), Mat3::Identity();
  return A;
}

/// What fluid does at a point because the medium moves, beyond what it would do for the same motion over ground. As a
/// resistance, in the frame.
struct Carried {
  Vec3 force = Vec3::Zero(), moment = Vec3::Zero();  // [N], [N m] about the point
  Mat<3, 6> forceByVelocity = Mat<3, 6>::Zero(), momentByVelocity = Mat<3, 6>::Zero();
  Mat3 forceByTurn = Mat3::Zero(), momentByTurn = Mat3::Zero();
};

/// With v the point's velocity, w the frame's turning, s and a the stream's velocity and acceleration, all in the
/// frame, and M the added mass across: the fluid's momentum p = M (v - s) resists by dp/dt + w x p, and turns by (v -
/// s) x p, the moment of Munk. Less both at s = 0, and less the pressure of the medium that accelerates, `displaced` a.
Carried carriedBy(const FluidPoint& p, const geometry::Vec6& twist, const Vec3& s, const Vec3& a, bool slopes) {
  Carried out;
  const Mat<3, 6> A = velocityAt(p.local);
  const Mat3 M = Vec3(0, p.added, p.added).asDiagonal();
  const Vec3 w = twist.head<3>(), v = A * twist, momentum = M * v, lost = M * s;
  out.force = M * (w.cross(s) - a) - w.cross(lost) - p.displaced * a;
  out.moment = s.cross(lost) - v.cross(lost) - s.cross(momentum);
  if (!slopes) return out;
  out.forceByVelocity.leftCols<3>() = geometry::skew(lost) - M * geometry::skew(s);
  out.momentByVelocity = geometry::skew(lost) * A - geometry::skew(s) * M * A;
  // As the frame turns by k, the stream turns in it: ds = [s]x k, da = [a]x k.
  const Mat3 byStream = geometry::skew(s) * M - geometry::skew(lost) - geometry::skew(v) * M + geometry::skew(momentum);
  out.forceByTurn = (M * geometry::skew(w) - geometry::skew(w) * M) * geometry::skew(s) -
                    (M + p.displaced * Mat3::Identity()) * geometry::skew(a);
  out.momentByTurn = byStream * geometry::skew(s);
  return out;
}

}  // namespace

geometry::Mat6 addedInertia(double mass, const Vec3& local) {
  const Mat<3, 6> A = velocityAt(local);
  return A.transpose() * Vec3(0, mass, mass).asDiagonal() * A;
}

Fluid::Fluid(const scene::Scene& scene, std::vector<FluidPoint> points) : scene_(scene), points_(std::move(points)) {}

bool Fluid::empty() const {
  const scene::Surroundings& around = scene_.environment;
  const bool streams = std::any_of(around.fluidVelocity.begin(), around.fluidVelocity.end(),
                                   [](const formula::Number& u) { return !u.isZero(); });
  const auto acts = [&](const FluidPoint& p) {
    const auto& fluid =
        scene_.linkages[static_cast<std::size_t>(p.linkage)].links[static_cast<std::size_t>(p.link)].fluid;
    return (p.volume > 0 && around.buoyancy) || (streams && p.displaced > 0) ||
           (fluid && around.fluidDensity && !(fluid->drag.isZero() && fluid->lift.isZero()));
  };
  if (points_.empty()) return true;
  if (!around.viscous.isZero() || (around.rftTangential && scene_.solver.dynamic)) return false;
  return std::none_of(points_.begin(), points_.end(), acts);
}

Vec3 Fluid::velocity(const scene::Instant& at, double t) const {
  scene::Instant then = at;
  then.t = t;
  return world::mediumVelocity(scene_, then);
}

bool Fluid::carries(const FluidPoint& p) const {
  return (p.added > 0 && !medium_.velocity.isZero(0)) || (p.displaced > 0 && !medium_.acceleration.isZero(0));
}

void Fluid::prepare(const scene::Instant& at, double step, const Difference* rule) {
  const formula::Input in = scene::timedInput(scene_, at);
  const scene::Surroundings& around = scene_.environment;
  const bool timed = std::any_of(around.fluidVelocity.begin(), around.fluidVelocity.end(),
                                 [](const formula::Number& u) { return u.isTimed(); });
  medium_ = {velocity(at, at.t), Vec3::Zero()};
  if (timed && scene_.solver.dynamic && !at.extra) {
    // Over a whole step: what a stream gains at once is not missed between two moments.
    if (rule) {
      const Vec3 start = velocity(at, at.t - rule->step);
      medium_.acceleration = rule->rate * (medium_.velocity - rule->weight0 * start);
      if (rule->weight1 != 0)
        medium_.acceleration -= rule->rate * rule->weight1 * velocity(at, at.t - rule->step - rule->before);
    } else {
      const double half = 0.5 * (step > 0 ? step : scene_.solver.dt), from = std::max(0.0, at.t - half);
      medium_.acceleration = (velocity(at, at.t + half) - velocity(at, from)) / (at.t + half - from);
    }
  }
  const double density = world::mediumDensity(scene_, at), eta = around.viscous(in);
  lift_ = -density * world::gravity(scene_, at);
  const bool resistive = around.rftTangential && scene_.solver.dynamic;
  const double along = eta + (resistive ? (*around.rftTangential)(in) : 0);
  const double across = eta + (resistive ? (*around.rftNormal)(in) : 0);
  coefficients_.assign(points_.size(), {});
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const FluidPoint& p = points_[i];
    Coefficients& c = coefficients_[i];
    c.linear.diagonal() = p.length * Vec3(along, across, across);
    const auto& fluid =
        scene_.linkages[static_cast<std::size_t>(p.linkage)].links[static_cast<std::size_t>(p.link)].fluid;
    if (fluid) {
      const double drag = fluid->drag(in), lift = fluid->lift(in);
      c.square << 0, 0, 0, 0, drag, -lift, 0, lift, drag;
      c.square *= density * p.radius * p.length;
    }
    c.any = p.volume > 0 || carries(p) || !c.linear.isZero(0) || !c.square.isZero(0);
  }
}

void Fluid::add(const std::vector<ChainFrame>& frames, bool slopes, ChainLoads& out) {
  for (std::size_t i = 0; i < coefficients_.size(); ++i) {
    const Coefficients& c = coefficients_[i];
    if (!c.any) continue;
    const std::size_t step = static_cast<std::size_t>(points_[i].step);
    const ChainFrame& frame = frames[step];
    const Mat<3, 6> A = velocityAt(points_[i].local);
    const Vec3 stream = frame.pose.R.transpose() * medium_.velocity;
    const Vec3 v = A * frame.velocity - stream;
    const double speed = v.norm();
    const Vec3 resistance = speed * (c.square * v) + c.linear * v;
    const Vec3 lift = points_[i].volume * (frame.pose.R.transpose() * lift_);
    geometry::Vec6 wrench = A.transpose() * (resistance - lift);
    Carried carried;
    if (carries(points_[i])) {
      carried = carriedBy(points_[i], frame.velocity, stream, frame.pose.R.transpose() * medium_.acceleration, slopes);
      wrench += A.transpose() * carried.force;
      wrench.head<3>() += carried.moment;
    }
    ChainWrench& w = out.wrenches[step];
    w.value += wrench;
    out.measure(static_cast<std::size_t>(step), wrench);
    if (!slopes) continue;
    Mat3 slope = c.linear + speed * c.square;
    if (speed > 0) slope += (c.square * v) * (v / speed).transpose();
    w.byVelocity += A.transpose() * slope * A;
    // Stream and lift turn in the frame as the frame turns: d stream = [stream]x k.
    w.byPose.leftCols<3>() -= A.transpose() * (slope * geometry::skew(stream) + geometry::skew(lift));
    if (!carries(points_[i])) continue;
    w.byVelocity += A.transpose() * carried.forceByVelocity;
    w.byVelocity.topRows<3>() += carried.momentByVelocity;
    w.byPose.leftCols<3>() += A.transpose() * carried.forceByTurn;
    w.byPose.topLeftCorner<3, 3>() += carried.momentByTurn;
  }
}

// What drag takes and does not come out of the bodies is the medium's work.
void Fluid::addWork(const ChainDisplacement& way, const Stream& medium, model::WorkDone& done) const {
  for (std::size_t i = 0; i < coefficients_.size(); ++i) {
    const Coefficients& c = coefficients_[i];
    if (!c.any) continue;
    const FluidPoint& p = points_[i];
    const Mat3 R = way.middle(p.step);
    const Vec3 stream = R.transpose() * medium.velocity, ground = R.transpose() * way.of(p.step, p.local) / way.dt;
    const Vec3 v = ground - stream;
    const Vec3 resistance = v.norm() * (c.square * v) + c.linear * v;
    done.dissipated += way.dt * resistance.dot(v);
    done.work -= way.dt * resistance.dot(stream);
    if (!carries(p)) continue;
    const Vec3 w = R.transpose() * way.turn(p.step) / way.dt;
    geometry::Vec6 twist;
    twist << w, ground - w.cross(p.local);
    const Carried carried = carriedBy(p, twist, stream, R.transpose() * medium.acceleration, false);
    done.work -= way.dt * (carried.force.dot(ground) + carried.moment.dot(w));
  }
}

Vec3 Fluid::displaced(const std::vector<ChainFrame>& frames) const {
  Vec3 sum = Vec3::Zero();
  for (const FluidPoint& p : points_) {
    if (p.volume == 0) continue;
    const geometry::Pose& pose = frames[static_cast<std::size_t>(p.step)].pose;
    sum += p.volume * (pose.r + pose.R * p.local);
  }
  return sum;
}

}  // namespace tendril::links
