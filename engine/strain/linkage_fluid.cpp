#include "strain/linkage_fluid.h"

#include <algorithm>
#include <utility>

namespace tendril {
namespace {

/// Velocity of a point of a frame from its twist, both in the frame.
Mat<3, 6> velocityAt(const Vec3& local) {
  Mat<3, 6> A;
  A << -skew(local), Mat3::Identity();
  return A;
}

}  // namespace

Mat6 addedInertia(double density, double area, double coefficient, double length, const Vec3& local) {
  const double mass = density * area * coefficient * length;
  const Mat<3, 6> A = velocityAt(local);
  return A.transpose() * Vec3(0, mass, mass).asDiagonal() * A;
}

LinkageFluid::LinkageFluid(const Scene& scene, std::vector<LinkageFluidPoint> points)
    : scene_(scene), points_(std::move(points)) {}

bool LinkageFluid::empty() const {
  const Surroundings& around = scene_.environment;
  const auto acts = [&](const LinkageFluidPoint& p) {
    const auto& fluid =
        scene_.linkages[static_cast<std::size_t>(p.linkage)].links[static_cast<std::size_t>(p.link)].fluid;
    return (p.volume > 0 && around.buoyancy) || (fluid && around.fluidDensity && !(fluid->drag.isZero() && fluid->lift.isZero()));
  };
  if (points_.empty()) return true;
  if (!around.viscous.isZero() || (around.rftTangential && scene_.solver.dynamic)) return false;
  return std::none_of(points_.begin(), points_.end(), acts);
}

void LinkageFluid::prepare(const Moment& at) {
  const FormulaInput in = timedInput(scene_, at);
  const Surroundings& around = scene_.environment;
  for (int k = 0; k < 3; ++k) medium_[k] = at.factor * around.fluidVelocity[static_cast<std::size_t>(k)](in);
  const double density = around.fluidDensity ? (*around.fluidDensity)(in) : 0, eta = around.viscous(in);
  for (int k = 0; k < 3; ++k) lift_[k] = -at.factor * density * around.gravity[static_cast<std::size_t>(k)](in);
  const bool resistive = around.rftTangential && scene_.solver.dynamic;
  const double along = eta + (resistive ? (*around.rftTangential)(in) : 0);
  const double across = eta + (resistive ? (*around.rftNormal)(in) : 0);
  coefficients_.assign(points_.size(), {});
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const LinkageFluidPoint& p = points_[i];
    Coefficients& c = coefficients_[i];
    c.linear.diagonal() = p.length * Vec3(along, across, across);
    const auto& fluid =
        scene_.linkages[static_cast<std::size_t>(p.linkage)].links[static_cast<std::size_t>(p.link)].fluid;
    if (fluid) {
      const double drag = fluid->drag(in), lift = fluid->lift(in);
      c.square << 0, 0, 0, 0, drag, -lift, 0, lift, drag;
      c.square *= density * p.radius * p.length;
    }
    c.any = p.volume > 0 || !c.linear.isZero(0) || !c.square.isZero(0);
  }
}

void LinkageFluid::add(const std::vector<ChainFrame>& frames, bool slopes, ChainLoads& out) {
  for (std::size_t i = 0; i < coefficients_.size(); ++i) {
    const Coefficients& c = coefficients_[i];
    if (!c.any) continue;
    const std::size_t step = static_cast<std::size_t>(points_[i].step);
    const ChainFrame& frame = frames[step];
    const Mat<3, 6> A = velocityAt(points_[i].local);
    const Vec3 stream = frame.pose.R.transpose() * medium_;
    const Vec3 v = A * frame.velocity - stream;
    const double speed = v.norm();
    const Vec3 resistance = speed * (c.square * v) + c.linear * v;
    const Vec3 lift = points_[i].volume * (frame.pose.R.transpose() * lift_);
    const Vec6 wrench = A.transpose() * (resistance - lift);
    ChainWrench& w = out.wrenches[step];
    w.value += wrench;
    out.measure(static_cast<std::size_t>(step), wrench);
    if (!slopes) continue;
    Mat3 slope = c.linear + speed * c.square;
    if (speed > 0) slope += (c.square * v) * (v / speed).transpose();
    w.byVelocity += A.transpose() * slope * A;
    // Stream and lift turn in the frame as the frame turns: d stream = [stream]x k.
    w.byPose.leftCols<3>() -= A.transpose() * (slope * skew(stream) + skew(lift));
  }
}

// What drag takes and does not come out of the bodies is the medium's work.
void LinkageFluid::addWork(const ChainWay& way, const Vec3& medium, WorkDone& done) const {
  for (std::size_t i = 0; i < coefficients_.size(); ++i) {
    const Coefficients& c = coefficients_[i];
    if (!c.any) continue;
    const LinkageFluidPoint& p = points_[i];
    const Mat3 R = way.middle(p.step);
    const Vec3 stream = R.transpose() * medium, v = R.transpose() * way.of(p.step, p.local) / way.dt - stream;
    const Vec3 resistance = v.norm() * (c.square * v) + c.linear * v;
    done.dissipated += way.dt * resistance.dot(v);
    done.work -= way.dt * resistance.dot(stream);
  }
}

Vec3 LinkageFluid::displaced(const std::vector<ChainFrame>& frames) const {
  Vec3 sum = Vec3::Zero();
  for (const LinkageFluidPoint& p : points_) {
    if (p.volume == 0) continue;
    const Pose& pose = frames[static_cast<std::size_t>(p.step)].pose;
    sum += p.volume * (pose.r + pose.R * p.local);
  }
  return sum;
}

}  // namespace tendril
