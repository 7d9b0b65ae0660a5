// Points that touch obstacles are fixed in the material: where it is stretched, an obstacle may pass between them.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "contact/obstacle_passage.h"
#include "rods_shells/terms/contacts.h"

namespace tendril {

// What is too coarse at rest is told at the start.
void Contacts::addSpan(const Point& middle, double length, double most) {
  Span span{middle, length, std::numeric_limits<double>::infinity(), most};
  for (const ObstacleShape& o : obstacles_) {
    const double closed = static_cast<int>(std::min(most, partsNeeded(o, middle.radius, length))) * closedSpacing(o, middle.radius);
    if (length <= closed) span.closed = std::min(span.closed, closed);
  }
  if (std::isfinite(span.closed)) spans_.push_back(span);
}

double Contacts::longestSide(const Span& span, const VectorX& q) const {
  const auto at = [&](int k) -> Vec3 { return s_.nodes[span.middle.nodes[k]] + q.segment<3>(s_.nodeDof[span.middle.nodes[k]]); };
  double square = 0;
  for (int k = 1; k < span.middle.count; ++k) square = std::max(square, (at(k) - at(k - 1)).squaredNorm());
  if (span.middle.count == 3) square = std::max(square, (at(2) - at(0)).squaredNorm());
  return std::sqrt(square);
}

// Whether the obstacle touches it between two points that are `apart` on the way from q0 to q1: where it does so beside the
// middle, it must still be out of the reach of both.
bool Contacts::meets(const Span& span, int obstacle, int parts, double apart, const VectorX& q0, const VectorX& q1) const {
  const ObstacleMotion::Way& way = motion_.way(obstacle);
  const double radius = span.middle.radius;
  ObstacleShape o = obstacles_[obstacle];
  const double beside = 0.5 * std::max(0.0, apart - closedSpacing(o, radius));
  const double reach = radius + beside + penaltyReach * laws_[static_cast<std::size_t>(span.middle.body) * obstacles_.size() + obstacle].distance;
  const auto touches = [&](const Point& p) {
    const Vec3 from = place(p, q0), move = place(p, q1) - from - (way.after - way.before);
    o.moved = way.before;
    if (distanceAtLeast(o, from) - move.norm() > reach) return false;
    if (signedDistance(o, from).distance <= reach) return true;
    return firstBelow(o, reach, reach + radius, move.norm(), [&](double part) -> Vec3 { return from + part * move; }) < 1;
  };
  Point p = span.middle;
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
  for (const Span& span : spans_) {
    const double length = std::max(longestSide(span, q0), longestSide(span, q1));
    if (length <= span.closed) continue;
    for (std::size_t k = 0; k < obstacles_.size(); ++k) {
      const ObstacleShape& o = obstacles_[k];
      const double radius = span.middle.radius, limit = closedSpacing(o, radius);
      // Inside triangles what has sharp edges meets no points at all.
      if (span.middle.count == 3 && featureRadius(o) == 0) continue;
      const int parts = static_cast<int>(std::min(span.most, partsNeeded(o, radius, span.length)));
      const double apart = length / parts;
      if (apart <= limit || span.length > parts * limit || !meets(span, static_cast<int>(k), parts, apart, q0, q1)) continue;
      const double stretch = length / span.length;
      char remedy[60];
      std::snprintf(remedy, sizeof remedy, "take edges shorter than %.2g m", pointSpacing(o, radius) / stretch);
      return passageInWords("\"" + scene_.bodyName(span.middle.body) + "\"", stretch, scene_.obstacles[k].name, apart, limit, remedy);
    }
  }
  return {};
}

}  // namespace tendril
