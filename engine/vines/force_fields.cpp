#include "vines/force_fields.h"

#include <algorithm>

#include "world/point_fields.h"

namespace tendril::vines {
namespace {

using scene::LoadField;

Vec2 centerOf(const Chain& chain, int body, double lever) {
  return chain.position(body) + lever * directionOf(chain.angle(body));
}

}  // namespace

ForceFields::ForceFields(const scene::Scene& scene, int vine) : scene_(scene) {
  for (const scene::Load& load : scene.loads) {
    if (load.kind != scene::Load::Kind::field) continue;
    const auto found = std::find(load.vines.begin(), load.vines.end(), vine);
    if (found == load.vines.end()) continue;
    loads_.push_back({&load,
                      {},
                      static_cast<double>(found - load.vines.begin()),
                      static_cast<double>(load.places.size() + load.vines.size())});
  }
}

// Where the step has mass: at the center of each body. Where it has length: in the middle of each half of a pair. All
// of a pair that everts is wall, which moves with the first of its bodies.
void ForceFields::findPoints(const Chain& chain, const Field& field, std::vector<Point>& points) {
  const Parameters& p = chain.parameters();
  const LoadField::Per per = field.load->field.per;
  const double d = p.halfLength, whole = chain.length();
  const int bodies = chain.bodies();
  points.clear();
  if (per == LoadField::Per::node) {
    points.push_back({bodies - 1, d, 1, whole, 1, field.i, field.n});
    return;
  }
  double start = 0;
  for (int pair = 0; pair < chain.pairs(); ++pair) {
    const double length = chain.pairLength(pair);
    const bool everts = p.growthSite == Parameters::GrowthSite::tip && pair == chain.pairs() - 1;
    for (int half = 0; half < 2; ++half) {
      const int body = 2 * pair + half;
      Point& point = points.emplace_back();
      double along = half == 0 ? d : length - d;
      point.body = body;
      if (per == LoadField::Per::mass) {
        point.weight = chain.bodyMass(body);
      } else {
        along = (0.25 + 0.5 * half) * length;
        point.weight = 0.5 * length;
        point.lever = half == 0 ? along - d : along - (length - d);
        if (everts) point.body = 2 * pair, point.lever = along - d;
      }
      point.s = start + along, point.u = point.s / whole;
      point.i = body, point.n = bodies;
    }
    start += length;
  }
}

void ForceFields::setInitial(const Chain& chain, const Plane& plane) {
  for (Field& field : loads_) {
    field.initial.clear();
    if (!scene::placeOf(*field.load).initial) continue;
    findPoints(chain, field, points_);
    for (const Point& p : points_) field.initial.push_back(plane.point(centerOf(chain, p.body, p.lever)));
  }
}

// A point is x + l t with t the direction of its body and n to the left of it: it moves by dx + l n da, its velocity by
// dv + l n dw - l w t da, its direction by n da. With F in the plane it exerts (F, l n . F), and a potential V
// -(V_x, l n . V_x + n . V_t).
void ForceFields::add(const Chain& chain, const Plane& plane, const Field& field, const Point& point,
                      const Vec3& initial, formula::Input in) {
  const double l = point.lever, spin = chain.v[static_cast<std::size_t>(3 * point.body + 2)];
  const Vec2 t = directionOf(chain.angle(point.body)), n = leftOf(t);
  const bool potential = field.load->field.kind == LoadField::Kind::potential;
  const Vec2 velocity = chain.velocity(point.body) + l * spin * n;
  const world::PointPlace place(plane.point(centerOf(chain, point.body, l)), plane.vector(t),
                                potential ? Vec3(Vec3::Zero()) : plane.vector(velocity), initial);
  in.s = point.s, in.u = point.u, in.i = point.i, in.n = point.n, in.place = place.data();
  Mat<3, 2> axes;
  axes << plane.u, plane.v;
  const auto inPlane = [&](const Mat3& m) { return Mat<2>(axes.transpose() * m * axes); };
  Mat<2, 3> motion;
  motion << Mat<2>::Identity(), l * n;
  BodySlopes& sum = sums_[static_cast<std::size_t>(point.body)];
  const double w = point.weight;
  if (potential) {
    const world::PointPotential v = world::potentialAt(field.load->field.amount, in);
    const Vec2 push = w * axes.transpose() * v.byPlace, turn = w * axes.transpose() * v.byDirection;
    sum.force -= motion.transpose() * push;
    sum.force[2] -= n.dot(turn);
    const auto second = [&](int r, int c) { return Mat<2>(w * inPlane(v.twice.block<3, 3>(r, c))); };
    Mat<2, 3> turning = Mat<2, 3>::Zero();
    turning.col(2) = n;
    const Mat3 mixed = motion.transpose() * second(0, 3) * turning;
    sum.stiffness += motion.transpose() * second(0, 0) * motion + mixed + mixed.transpose() +
                     turning.transpose() * second(3, 3) * turning;
    sum.stiffness(2, 2) -= t.dot(l * push + turn);
    return;
  }
  const world::PointForce f = world::forceAt(field.load->value, in, true);
  const Vec2 force = w * axes.transpose() * f.value;
  sum.force += motion.transpose() * force;
  const Mat<2> byVelocity = w * inPlane(f.byVelocity);
  Mat<2, 3> slope = -w * inPlane(f.byPlace) * motion;
  slope.col(2) += l * spin * (byVelocity * t) - w * (inPlane(f.byDirection) * n);
  sum.stiffness += motion.transpose() * slope;
  sum.stiffness(2, 2) += l * t.dot(force);
  sum.damping -= motion.transpose() * byVelocity * motion;
}

void ForceFields::seenBy(const scene::Load& load, const Chain& chain, const Plane& plane,
                         std::vector<double>& out) const {
  std::vector<Point> points;
  for (const Field& field : loads_) {
    if (field.load != &load) continue;
    findPoints(chain, field, points);
    const std::size_t stride = std::max<std::size_t>(1, points.size() / 8);
    for (std::size_t k = 0; k < points.size(); k += stride) {
      const Point& p = points[k];
      const Vec2 t = directionOf(chain.angle(p.body));
      const double spin = chain.v[static_cast<std::size_t>(3 * p.body + 2)];
      const world::PointPlace place(plane.point(centerOf(chain, p.body, p.lever)), plane.vector(t),
                                    plane.vector(chain.velocity(p.body) + p.lever * spin * leftOf(t)),
                                    field.initial.empty() ? Vec3(Vec3::Zero()) : field.initial[k]);
      out.insert(out.end(), place.data(), place.data() + formula::Place::count);
      out.insert(out.end(), {p.s, p.u, p.i, p.n});
    }
  }
}

const std::vector<BodySlopes>& ForceFields::at(const Chain& chain, const Plane& plane, const scene::Instant& at) {
  sums_.clear();
  const formula::Input in = scene::timedInput(scene_, at);
  for (const Field& field : loads_) {
    if (!scene::isActive(field.load->interval, at)) continue;
    if (sums_.empty()) sums_.resize(static_cast<std::size_t>(chain.bodies()));
    findPoints(chain, field, points_);
    for (std::size_t k = 0; k < points_.size(); ++k)
      add(chain, plane, field, points_[k], field.initial.empty() ? Vec3(Vec3::Zero()) : field.initial[k], in);
  }
  return sums_;
}

}  // namespace tendril::vines
