// Points that touch obstacles are fixed in the material: where it is stretched, an obstacle may pass between them.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "contact/obstacle_passage.h"
#include "rods_shells/terms/contacts.h"

namespace tendril::rods_shells {

// What is too coarse at rest is told at the start.
void Contacts::findSpans() {
  spans_.clear();
  for (std::size_t i = 0; i < points_.carriers().size(); ++i) {
    const ContactCarrier& c = points_.carriers()[i];
    if (c.middle.count == 1) continue;
    Span span{static_cast<int>(i), std::numeric_limits<double>::infinity()};
    for (const int fineness : points_.finenesses()) {
      const contact::ObstacleShape& o = obstacles()[static_cast<std::size_t>(fineness)];
      const double closed = static_cast<int>(std::min(c.most, contact::partsNeeded(o, c.middle.radius, c.length))) *
                            contact::closedSpacing(o, c.middle.radius);
      if (c.length <= closed) span.closed = std::min(span.closed, closed);
    }
    if (std::isfinite(span.closed)) spans_.push_back(span);
  }
}

double Contacts::longestSide(const Point& middle, const VectorX& q) const {
  const auto at = [&](int k) -> Vec3 { return s_.nodes[middle.nodes[k]] + q.segment<3>(s_.nodeDof[middle.nodes[k]]); };
  double square = 0;
  for (int k = 1; k < middle.count; ++k) square = std::max(square, (at(k) - at(k - 1)).squaredNorm());
  if (middle.count == 3) square = std::max(square, (at(2) - at(0)).squaredNorm());
  return std::sqrt(square);
}

// How far beside the middle between two points that are `apart` an obstacle must touch to be within reach of one of
// them.
double Contacts::beside(int obstacle, double radius, double apart) const {
  return 0.5 * std::max(0.0, apart - contact::closedSpacing(obstacles()[static_cast<std::size_t>(obstacle)], radius));
}

// Whether the obstacle touches it between two points that are `apart` on the way from q0 to q1: where it does so beside
// the middle, it must still be out of the reach of both.
bool Contacts::meets(const Point& middle, int obstacle, int parts, double apart, const VectorX& q0,
                     const VectorX& q1) const {
  const world::ObstaclePath& path = outside_.motion().path(obstacle);
  const double radius = middle.radius;
  contact::ObstacleShape o = obstacles()[obstacle];
  const double reach =
      radius + beside(obstacle, radius, apart) + contact::penaltyReach * lawOf(middle.body, obstacle).distance;
  const auto touches = [&](const Point& p) {
    const Vec3 from = place(p, q0), move = place(p, q1) - from - (path.after - path.before);
    o.moved = path.before;
    if (contact::distanceAtLeast(o, from) - move.norm() > reach) return false;
    if (contact::signedDistance(o, from).distance <= reach) return true;
    return contact::firstBelow(o, reach, reach + radius, move.norm(),
                               [&](double part) -> Vec3 { return from + part * move; }) < 1;
  };
  Point p = middle;
  if (p.count == 2) {
    for (int k = 0; k < parts; ++k) {
      const double w = (k + 0.5) / parts;
      p.weights = {1 - w, w, 0};
      if (touches(p)) return true;
    }
    return false;
  }
  for (int i = 0; i < parts; ++i) {
    for (int j = 0; i + j < parts; ++j) {
      const double u = (i + 1.0 / 3) / parts, v = (j + 1.0 / 3) / parts;
      p.weights = {1 - u - v, u, v};
      if (touches(p)) return true;
    }
  }
  return false;
}

std::string Contacts::stretchedApart(const VectorX& q0, const VectorX& q1) const {
  bool looked = false;
  for (const Span& span : spans_) {
    const ContactCarrier& c = points_.carriers()[static_cast<std::size_t>(span.carrier)];
    const double radius = c.middle.radius, length = std::max(longestSide(c.middle, q0), longestSide(c.middle, q1));
    if (length <= span.closed) continue;
    if (!looked) points_.lookAtWays();
    looked = true;
    // No more than half of a side is beside a middle.
    for (const int k : points_.near(c, radius + 0.5 * length + points_.reachOf(c.middle.body), q0, q1)) {
      const contact::ObstacleShape& o = obstacles()[static_cast<std::size_t>(k)];
      const double limit = contact::closedSpacing(o, radius);
      // Inside triangles what has sharp edges meets no points at all.
      if (c.middle.count == 3 && contact::featureRadius(o) == 0) continue;
      const int parts = points_.parts(c, k);
      const double apart = length / parts;
      if (apart <= limit || c.length > parts * limit || !meets(c.middle, k, parts, apart, q0, q1)) continue;
      const double stretch = length / c.length;
      char remedy[60];
      std::snprintf(remedy, sizeof remedy, "take edges shorter than %.2g m",
                    contact::pointSpacing(o, radius) / stretch);
      return contact::passageInWords("\"" + scene_.bodyName(c.middle.body) + "\"", stretch,
                                     scene_.obstacles[static_cast<std::size_t>(k)].name, apart, limit, remedy);
    }
  }
  return {};
}

}  // namespace tendril::rods_shells
