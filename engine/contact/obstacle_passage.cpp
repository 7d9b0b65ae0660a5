#include "contact/obstacle_passage.h"

#include <cstdio>

namespace tendril::contact {

double coreLimit(const ObstacleShape& o, double radius) { return 0.5 * (radius - inwardDepth(o)); }

double firstPassage(const ObstacleShape& o, double radius, const Vec3& from, const Vec3& move) {
  return firstPassageAlong(o, radius, move.norm(),
                           [&](double part) { return part == 0 ? from : Vec3(from + part * move); });
}

bool passesThrough(const ObstacleShape& o, const Vec3& before, const Vec3& after, double radius, const Vec3& from,
                   const Vec3& to) {
  ObstacleShape start = o;
  start.moved = before;
  return firstPassage(start, radius, from, to - from - (after - before)) < 1;
}

bool isEngulfed(const ObstacleShape& o, double radius, const Vec3& x) {
  const double limit = coreLimit(o, radius);
  return std::isfinite(limit) && distanceAtLeast(o, x) < limit && signedDistance(o, x).distance < limit;
}

double closedSpacing(const ObstacleShape& o, double radius) { return featureRadius(o) + radius; }

double pointSpacing(const ObstacleShape& o, double radius) {
  const double reach = closedSpacing(o, radius);
  return std::min(0.87 * reach, 2 * std::sqrt(reach * radius));
}

double partsNeeded(const ObstacleShape& o, double radius, double length) {
  return std::max(1.0, std::ceil(std::min(1e6, length / pointSpacing(o, radius))));
}

std::string passageInWords(const std::string& body, double stretch, const std::string& obstacle, double apart,
                           double limit, const std::string& remedy) {
  constexpr double noticeable = 1.0005;  // below this, %.3g prints 1
  char far[60], numbers[160];
  std::snprintf(far, sizeof far, "is stretched to %.3g times its length where it ", stretch);
  std::snprintf(numbers, sizeof numbers,
                "the points that touch are %.3g m apart there, and beyond %.3g m the obstacle may pass between them; ",
                apart, limit);
  return body + " " + (stretch > noticeable ? far : "") + "meets obstacle \"" + obstacle + "\": " + numbers + remedy;
}

}  // namespace tendril::contact
