// Contact between two neighboring points of a link. With P the energy of contact by the gap g, and t from one point to
// the other, it is what the best place has beyond what the points, shared out to it, have already:
//   E = max over t of P(g(t)) - (1 - t) P(g(0)) - t P(g(1)), never below 0.
// A link that dips over an obstacle between its points is borne there alone, at a point by that point alone, and what
// lies flat by its points as ever. At the maximum t does not count in the force, only in how that changes.
#include <algorithm>
#include <cmath>

#include "links/contact/contact.h"

namespace tendril::links {
namespace {

constexpr int searches = 80;
constexpr double settled = 1e-15;  // of the way between the points

// Where `value(t, slope)`, below 0 at `low` and above at `high`, is 0: Newton's steps, halving where they leave the
// bracket.
template <class Value>
double rootBetween(double low, double high, double at, const Value& value) {
  for (int k = 0; k < searches && high - low > settled; ++k) {
    double slope = 0;
    const double f = value(at, slope);
    if (f == 0) return at;
    (f < 0 ? low : high) = at;
    double next = at - f / slope;
    if (!(next > low && next < high) || k % 8 == 7) next = 0.5 * (low + high);
    if (std::abs(next - at) <= settled) return next;
    at = next;
  }
  return at;
}

// The root of `slope`, which the sign of `here` at t0 tells the side of: up to where energies fall the fastest, a third
// of the way to touch, or to the end. -1: none. at(t): the place there.
template <class At, class Slope>
double away(double t0, double here, double gap, double third, const At& at, const Slope& slopeAt) {
  double far = here > 0 ? 1 : 0;
  if (at(far).touch.gap > gap + third) {
    double in = t0;
    for (int k = 0; k < 20; ++k) {
      const double middle = 0.5 * (in + far);
      (at(middle).touch.gap > gap + third ? far : in) = middle;
    }
  }
  bool found = false;
  for (int k = 0; k < 6 && !found; ++k) {
    found = slopeAt(at(far)) * here < 0;
    if (!found) far = t0 + 0.75 * (far - t0);
  }
  if (!found) return -1;
  // Left of the root it rises, right of it it falls.
  const double low = std::min(t0, far), high = std::max(t0, far);
  return rootBetween(low, high, 0.5 * (low + high), [&](double x, double& slope) {
    const auto a = at(x);
    slope = -(a.touch.penalty.stiffness * a.gap1 * a.gap1 - a.touch.penalty.force * a.gap2);
    return -slopeAt(a);
  });
}

}  // namespace

// Of a rigid link straight; of a soft one the cubic curve whose ends have the frames' directions, so that arms bent
// round an obstacle keep to it.
Contact::Along Contact::along(const Candidate& c, const contact::ObstacleShape& o, double more,
                              const geometry::Pose& before, const geometry::Pose& pose, double t) const {
  const ContactPoint& p = skin_.points[c.point];
  Along a;
  Touch& touch = a.touch;
  const std::size_t first = static_cast<std::size_t>(p.before), second = static_cast<std::size_t>(p.step);
  Vec3 bend = Vec3::Zero();
  if (first == second) {
    touch.count = 1;
    touch.feet[0] = {second, 1, (1 - t) * p.beforeLocal + t * p.local};
    a.by[0] = {second, 0, p.local - p.beforeLocal};
    touch.x = pose.r + pose.R * touch.feet[0].arm;
    a.slope = pose.R * a.by[0].arm;
  } else {
    const Vec3 x = Vec3(p.apart, 0, 0);
    const double u = 1 - t;
    touch.count = 2;
    touch.feet[0] = {first, u * u * (1 + 2 * t), t * u * u * x},
    touch.feet[1] = {second, t * t * (3 - 2 * t), -t * t * u * x};
    a.by[0] = {first, -6 * t * u, u * (1 - 3 * t) * x}, a.by[1] = {second, 6 * t * u, t * (3 * t - 2) * x};
    touch.x = touch.feet[0].weight * before.r + before.R * touch.feet[0].arm + touch.feet[1].weight * pose.r +
              pose.R * touch.feet[1].arm;
    a.slope = a.by[0].weight * before.r + before.R * a.by[0].arm + a.by[1].weight * pose.r + pose.R * a.by[1].arm;
    bend = (12 * t - 6) * (before.r - pose.r) + (6 * t - 4) * (before.R * x) + (6 * t - 2) * (pose.R * x);
  }
  touch.radius = (1 - t) * p.beforeRadius + t * p.radius;
  touch.stiffness = outside_.stiffness(lawOf(c), p.apart);
  touch.surface = contact::signedDistance(o, touch.x);
  touch.gap = outside_.gap(placeOf(c, touch), touch.surface.distance) + more;
  a.gap1 = touch.surface.normal.dot(a.slope) - (p.radius - p.beforeRadius);
  a.gap2 = a.slope.dot(touch.surface.hessian * a.slope) + touch.surface.normal.dot(bend);
  return a;
}

// No distance changes faster than its place moves.
bool Contact::isNear(const Candidate& c, const contact::ObstacleShape& o, const geometry::Pose& before,
                     const geometry::Pose& pose, double reach) const {
  const ContactPoint& p = skin_.points[c.point];
  const bool straight = p.before == p.step;
  const Vec3 from = before.r + before.R * p.beforeLocal, to = pose.r + pose.R * p.local;
  const double chord = (to - from).norm(), half = straight ? 0.5 * chord : 0.75 * chord + 0.5 * p.apart;
  Vec3 middle = 0.5 * (from + to);
  if (!straight) middle += 0.125 * p.apart * (before.R.col(0) - pose.R.col(0));
  const double limit = reach + std::max(p.radius, p.beforeRadius) + half;
  return contact::distanceAtLeast(o, middle) <= limit && contact::signedDistance(o, middle).distance <= limit;
}

// Where the gap is least, from 0 to 1.
double Contact::nearest(const Candidate& c, const contact::ObstacleShape& o, double more, const geometry::Pose& before,
                        const geometry::Pose& pose) const {
  double low = 0, high = 1;
  if (skin_.points[c.point].before != skin_.points[c.point].step) {  // the gap along a curve may have several dips
    constexpr int looks = 4;
    int best = 0;
    double least = 0;
    for (int k = 0; k <= looks; ++k) {
      const double gap = along(c, o, more, before, pose, static_cast<double>(k) / looks).touch.gap;
      if (k == 0 || gap < least) least = gap, best = k;
    }
    low = std::max(0, best - 1) / static_cast<double>(looks),
    high = std::min(looks, best + 1) / static_cast<double>(looks);
  }
  const double atLow = along(c, o, more, before, pose, low).gap1, atHigh = along(c, o, more, before, pose, high).gap1;
  if (atLow >= 0) return low;
  if (atHigh <= 0) return high;
  return rootBetween(low, high, low + (high - low) * atLow / (atLow - atHigh), [&](double t, double& slope) {
    const Along a = along(c, o, more, before, pose, t);
    slope = a.gap2;
    return a.gap1;
  });
}

bool Contact::between(const Candidate& c, const contact::ObstacleShape& o, double more, const geometry::Pose& before,
                      const geometry::Pose& pose, Between& out) const {
  const double onset = lawOf(c).distance, reach = contact::penaltyReach * onset;
  if (!isNear(c, o, before, pose, reach)) return false;
  const auto at = [&](double t) {
    Along a = along(c, o, more, before, pose, t);
    a.touch.penalty = contact::penalty(a.touch.gap, a.touch.stiffness, onset);
    return a;
  };
  const double t0 = nearest(c, o, more, before, pose);
  const Along deepest = at(t0);
  if (deepest.touch.gap > reach) return false;
  out.start = at(0), out.end = at(1);
  const double rise = out.end.touch.penalty.energy - out.start.touch.penalty.energy;
  const auto slopeAt = [&](const Along& a) { return -a.touch.penalty.force * a.gap1 - rise; };
  // From the nearest place away from the point that bears more.
  const double here = slopeAt(deepest);
  if ((t0 == 0 && here <= 0) || (t0 == 1 && here >= 0)) return false;
  const contact::Penalty& pressed = deepest.touch.penalty;
  const double t =
      here == 0 ? t0 : away(t0, here, deepest.touch.gap, pressed.force / (3 * pressed.stiffness), at, slopeAt);
  if (t < 0) return false;
  out.t = t, out.place = at(t);
  // Inside boxes and cylinders distances have ridges: the force on one is between those of its sides, so that the place
  // stays.
  constexpr double aside = 1e-7, unsettled = 1e-5;
  Along& place = out.place;
  if (std::abs(slopeAt(place)) > unsettled * place.touch.penalty.force * place.slope.norm() && t > aside &&
      t < 1 - aside) {
    const Along low = at(t - aside), high = at(t + aside);
    const double from = slopeAt(low), to = slopeAt(high),
                 share = from - to > 0 ? std::clamp(from / (from - to), 0.0, 1.0) : 0.5;
    place.touch.surface.normal = (1 - share) * low.touch.surface.normal + share * high.touch.surface.normal;
    place.touch.surface.hessian.setZero();
    place.gap1 = (1 - share) * low.gap1 + share * high.gap1, place.gap2 = 0;
  }
  const double whole = out.place.touch.penalty.energy;
  out.excess = whole - (1 - t) * out.start.touch.penalty.energy - t * out.end.touch.penalty.energy;
  out.start.touch.scale = t - 1, out.end.touch.scale = -t;
  return out.excess > 1e-14 * whole;
}

bool Contact::between(const Candidate& c, const std::vector<ChainFrame>& frames, Between& out) const {
  const ContactPoint& p = skin_.points[c.point];
  return between(c, obstacles()[c.obstacle], 0, frames[static_cast<std::size_t>(p.before)].pose,
                 frames[static_cast<std::size_t>(p.step)].pose, out);
}

void Contact::findOverlapBetween(Candidate& c, const contact::ObstacleShape& o, const std::vector<ChainFrame>& frames) {
  const ContactPoint& p = skin_.points[c.point];
  const geometry::Pose &before = frames[static_cast<std::size_t>(p.before)].pose,
                       &pose = frames[static_cast<std::size_t>(p.step)].pose;
  c.overlap = 0, c.inner = false;
  if (!isNear(c, o, before, pose, 0)) return;
  const auto gap = [&](double t) { return along(c, o, 0, before, pose, t).touch.gap; };
  const double least = gap(nearest(c, o, 0, before, pose));
  constexpr double more = 0.01;  // of the radius
  c.inner = least < 0 && least < std::min(gap(0), gap(1)) - more * std::max(p.radius, p.beforeRadius);
  c.overlap = std::max(0.0, -least);
}

// What the place's moving along the link, as the link moves, adds to the tangent.
void Contact::addSlide(const Candidate& c, const Between& b, const std::vector<ChainFrame>& frames,
                       ChainLoads& loads) const {
  const Along& at = b.place;
  const Touch& touch = at.touch;
  const double bend = touch.penalty.stiffness * at.gap1 * at.gap1 - touch.penalty.force * at.gap2;
  if (!(bend < 0)) return;
  const Vec3& n = touch.surface.normal;
  const scene::ContactLaw& law = lawOf(c);
  // Of the force at the place by t.
  contact::Penalty e = touch.penalty;
  Vec3 before = Vec3::Zero(), u;
  const double nearer = approach(c, touch, e, &before);
  const contact::FrictionForce unit = slidingFriction(c, touch, frames, u);
  const double mu = law.friction;
  double forceBy = -e.stiffness * at.gap1;
  if (nearer > 0) {
    Vec3 way = Vec3::Zero();
    for (int k = 0; k < touch.count; ++k) {
      const Foot& f = at.by[static_cast<std::size_t>(k)];
      way += f.weight * startOf(c, touch, k).r + startOf(c, touch, k).R * f.arm;
    }
    const ContactPoint& p = skin_.points[c.point];
    forceBy += outside_.dampingShare() * touch.penalty.stiffness * (before.dot(way) - (p.radius - p.beforeRadius));
  }
  const Vec3 turned = touch.surface.hessian * at.slope;
  const Vec3 force = e.force * (n - mu * unit.force);
  const Vec3 change =
      forceBy * (n - mu * unit.force) + e.force * turned -
      mu * e.force *
          (contact::frictionByNormal(unit, n, u) * turned + unit.slope * speedOf(frames, at.by, touch.count));
  const auto wholeForce = [&](const Touch& point) {
    contact::Penalty there = point.penalty;
    approach(c, point, there);
    Vec3 speed;
    return Vec3(there.force * (point.surface.normal - mu * slidingFriction(c, point, frames, speed).force));
  };
  const Vec3 atStart = wholeForce(b.start.touch), atEnd = wholeForce(b.end.touch);
  const auto arm = [](const Foot& f) {
    Mat<3, 6> A;
    A << -geometry::skew(f.arm), f.weight * Mat3::Identity();
    return A;
  };
  std::array<geometry::Vec6, 2> wrench, way;
  for (std::size_t k = 0; k < static_cast<std::size_t>(touch.count); ++k) {
    const Mat3& R = frames[touch.feet[k].step].pose.R;
    const Mat<3, 6> A = arm(touch.feet[k]), by = arm(at.by[k]), A0 = arm(b.start.touch.feet[k]),
                    A1 = arm(b.end.touch.feet[k]);
    const auto seen = [&](const Vec3& v) { return Vec3(R.transpose() * v); };
    wrench[k] = by.transpose() * seen(force) + A.transpose() * seen(change) + A0.transpose() * seen(atStart) -
                A1.transpose() * seen(atEnd);
    const contact::Penalty& P = touch.penalty;
    way[k] = A.transpose() * seen((P.stiffness * at.gap1) * n - P.force * turned) - by.transpose() * seen(P.force * n) -
             A0.transpose() * seen(b.start.touch.penalty.force * b.start.touch.surface.normal) +
             A1.transpose() * seen(b.end.touch.penalty.force * b.end.touch.surface.normal);
    way[k] /= -bend;
  }
  for (std::size_t k = 0; k < static_cast<std::size_t>(touch.count); ++k) {
    for (std::size_t j = 0; j < static_cast<std::size_t>(touch.count); ++j) {
      const geometry::Mat6 byPose = -wrench[k] * way[j].transpose();
      const int on = static_cast<int>(touch.feet[k].step), by = static_cast<int>(touch.feet[j].step);
      if (j == k) {
        loads.wrenches[touch.feet[k].step].byPose += byPose;
      } else {
        loads.couplings.push_back({on, by, byPose});
      }
    }
  }
}

}  // namespace tendril::links
