// Initial overlaps with obstacles: rods whose centerline, or shells whose middle surface, lies inside are refused,
// since the direction out is unknown; smaller overlaps are a warning, and contact pushes the body out.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>

#include "scene/load/bodies/rod_samples.h"
#include "scene/load/topics.h"
#include "scene/shell_values.h"

namespace tendril::scene {
namespace {

/// A body as needed for the search for overlaps.
struct Outline {
  int body = 0;
  std::vector<Vec3> points;
  std::vector<double> radius;  ///< of each point [m]
  std::vector<std::array<int, 2>> edges;
  std::vector<bool> prescribed;  ///< points with prescribed positions
  Vec3 middle = Vec3::Zero();    ///< center of a ball around all points
  double reach = 0;              ///< its radius, including the points' radii [m]
};

void enclose(Outline& outline) {
  Vec3 low = outline.points.front(), high = low;
  for (const Vec3& point : outline.points) {
    low = low.cwiseMin(point);
    high = high.cwiseMax(point);
  }
  outline.middle = 0.5 * (low + high);
  outline.reach = 0.5 * (high - low).norm() + *std::max_element(outline.radius.begin(), outline.radius.end());
}

void markPrescribed(const Scene& scene, Outline& outline) {
  using Kind = Constraint::Kind;
  outline.prescribed.assign(outline.points.size(), false);
  for (const Constraint& c : scene.constraints) {
    const bool holds = c.kind == Kind::clamp || c.kind == Kind::move ||
                       (c.kind == Kind::fix && c.axes == std::array<bool, 3>{true, true, true});
    if (!holds || c.freeBefore || c.release) continue;
    for (const NodeRef node : c.nodes)
      if (node.body == outline.body) outline.prescribed[std::size_t(node.node)] = true;
  }
}

/// Adds a shell's thickness to its outline; false where the thickness has no value.
bool thicken(const Scene& scene, Outline& outline) {
  try {
    outline.radius = thicknessAtVertices(scene, scene.shellOf(outline.body));
    for (double& radius : outline.radius) radius *= 0.5;
  } catch (const formula::Failure&) {
    return false;
  }
  enclose(outline);
  return true;
}

/// Empty where the body's thickness is unknown: that problem is reported elsewhere.
std::optional<Outline> outlineOf(const Scene& scene, int body) {
  Outline outline;
  outline.body = body;
  outline.points = scene.points(body);
  if (scene.isRod(body)) {
    const std::vector<double> radii = contactRadii(scene, scene.rods[std::size_t(body)]);
    if (radii.empty()) return std::nullopt;
    for (int e = 0; e < int(radii.size()); ++e) outline.edges.push_back({e, e + 1});
    outline.radius.push_back(radii.front());
    for (std::size_t e = 1; e < radii.size(); ++e) outline.radius.push_back(0.5 * (radii[e - 1] + radii[e]));
    outline.radius.push_back(radii.back());
  } else {
    if (!thicken(scene, outline)) return std::nullopt;
    for (const std::array<int, 3>& t : scene.shellOf(body).triangles)
      for (std::size_t k = 0; k < 3; ++k) outline.edges.push_back({t[k], t[(k + 1) % 3]});
  }
  markPrescribed(scene, outline);
  enclose(outline);
  return outline;
}

/// Displacement of the obstacle at the start of the run: a static run begins without displacements.
Vec3 movedAtStart(const Scene& scene, const Obstacle& obstacle) {
  Vec3 moved = Vec3::Zero();
  if (!obstacle.displacement || !scene.solver.dynamic) return moved;
  for (std::size_t k = 0; k < 3; ++k) {
    const formula::Number& number = (*obstacle.displacement)[k];
    if (number.formula() && number.formula()->seesColumns()) continue;
    try {
      moved[Eigen::Index(k)] = number(parametersOf(scene));
    } catch (const formula::Failure&) {
      return Vec3::Zero();
    }
  }
  return moved;
}

/// The deepest point of an overlap, and how many there are.
struct Overlap {
  int count = 0;
  double depth = 0;          ///< of the surface [m]
  double radius = 0;         ///< of the body there [m]
  int node = -1, next = -1;  ///< a node, or between two nodes

  void add(double distance, double r, int a, int b) {
    const double inside = r - distance;
    if (inside <= touchTolerance * r) return;
    ++count;
    if (inside <= depth) return;
    depth = inside;
    radius = r;
    node = a;
    next = b;
  }
};

/// Smallest distance along an edge: the distance to a convex body is a convex function of position.
double closestOfEdge(const Obstacle& obstacle, const Vec3& a, const Vec3& b) {
  constexpr double golden = 0.6180339887498949;
  double low = 0, high = 1;
  const auto at = [&](double w) { return distanceTo(obstacle, a + w * (b - a)); };
  double left = high - golden, right = golden, atLeft = at(left), atRight = at(right);
  for (int step = 0; step < 40; ++step) {
    if (atLeft < atRight) {
      high = right;
      right = left, atRight = atLeft;
      left = high - golden * (high - low), atLeft = at(left);
    } else {
      low = left;
      left = right, atLeft = atRight;
      right = low + golden * (high - low), atRight = at(right);
    }
  }
  return std::min(atLeft, atRight);
}

/// All overlaps, and those where the centerline or middle surface is inside without being prescribed there.
struct Overlaps {
  Overlap any, buried;
};

Overlaps overlapsOf(const Outline& outline, const Obstacle& obstacle, const Vec3& moved) {
  Overlaps found;
  if (distanceTo(obstacle, outline.middle - moved) > outline.reach) return found;
  std::vector<double> distance;
  for (std::size_t i = 0; i < outline.points.size(); ++i) {
    distance.push_back(distanceTo(obstacle, outline.points[i] - moved));
    const double r = outline.radius[i];
    found.any.add(distance[i], r, int(i), -1);
    if (distance[i] < -touchTolerance * r && !outline.prescribed[i]) found.buried.add(distance[i], r, int(i), -1);
  }
  if (obstacle.kind == Obstacle::Kind::plane) return found;  // an edge's closest point is one of its ends
  for (const auto& [first, second] : outline.edges) {
    const std::size_t a = std::size_t(first), b = std::size_t(second);
    const Vec3 from = outline.points[a] - moved, to = outline.points[b] - moved;
    const double r = 0.5 * (outline.radius[a] + outline.radius[b]);
    if (0.5 * (distance[a] + distance[b] - (to - from).norm()) > r) continue;
    const double closest = closestOfEdge(obstacle, from, to);
    if (closest > std::min(distance[a], distance[b]) - touchTolerance * r) continue;  // reported at the node
    found.any.add(closest, r, first, second);
    if (closest < -touchTolerance * r && !(outline.prescribed[a] && outline.prescribed[b]))
      found.buried.add(closest, r, first, second);
  }
  return found;
}

std::string positionInWords(const Scene& scene, const Outline& outline, const Overlap& overlap) {
  const std::string body = (scene.isRod(outline.body) ? "rod \"" : "shell \"") + scene.bodyName(outline.body) + "\"";
  if (overlap.next < 0) return body + " node " + std::to_string(overlap.node);
  if (scene.isRod(outline.body)) return body + " edge " + std::to_string(overlap.node);
  return body + " between the nodes " + std::to_string(overlap.node) + " and " + std::to_string(overlap.next);
}

std::string othersInWords(int count) {
  if (count < 2) return "";
  return " (and " + std::to_string(count - 1) + (count == 2 ? " more place)" : " more places)");
}

/// "rod "arm" node 3 starts 2 mm inside obstacle "box" (and 4 more places)".
std::string overlapInWords(const Scene& scene, const Outline& outline, const std::string& obstacle,
                           const Overlap& overlap) {
  return positionInWords(scene, outline, overlap) + " starts " + lengthInWords(overlap.depth) + " inside obstacle \"" +
         obstacle + "\"" + othersInWords(overlap.count);
}

std::string buriedInWords(const Scene& scene, const Outline& outline, const std::string& obstacle,
                          const Overlap& buried) {
  const bool rod = scene.isRod(outline.body);
  return overlapInWords(scene, outline, obstacle, buried) + ", deeper than its " + (rod ? "radius" : "half thickness") +
         " of " + lengthInWords(buried.radius) + "; expected the " + (rod ? "centerline" : "middle surface") +
         " outside of it";
}

/// Numbers that determine an overlap of a body and an obstacle and may be live.
std::vector<formula::Number> liveNumbers(const Scene& scene, int body, const Obstacle& obstacle) {
  std::vector<formula::Number> numbers;
  if (!scene.isRod(body)) numbers.push_back(scene.shellOf(body).thickness);
  if (obstacle.displacement && scene.solver.dynamic)
    numbers.insert(numbers.end(), obstacle.displacement->begin(), obstacle.displacement->end());
  return numbers;
}

void checkOverlap(LoadContext& context, const std::shared_ptr<Outline>& outline, std::size_t o) {
  const Scene& scene = context.scene;
  const text::Member& member = membersOf(context, "obstacles")[o];
  const text::Value& obstacles = *context.root.find("obstacles");
  const Overlaps found = overlapsOf(*outline, scene.obstacles[o], movedAtStart(scene, scene.obstacles[o]));
  if (found.buried.count)
    context.problemAtKey(member, obstacles, buriedInWords(scene, *outline, member.key, found.buried));
  else if (found.any.count)
    context.warn(member.value, overlapInWords(scene, *outline, member.key, found.any) + ": contact will push it out");
  const auto wrong = [outline, o, name = member.key](const Scene& now) -> std::string {
    if (!now.isRod(outline->body) && !thicken(now, *outline)) return {};
    const Overlap buried = overlapsOf(*outline, now.obstacles[o], movedAtStart(now, now.obstacles[o])).buried;
    return buried.count ? buriedInWords(now, *outline, name, buried) : "";
  };
  context.requireLater(context.document.problemAtKey(member, obstacles, ""),
                       liveNumbers(scene, outline->body, scene.obstacles[o]), wrong);
}

}  // namespace

std::string lengthInWords(double length) {
  char text[40];
  if (length >= 0.1)
    std::snprintf(text, sizeof text, "%.3g m", length);
  else
    std::snprintf(text, sizeof text, "%.3g mm", 1000 * length);
  return text;
}

std::vector<double> contactRadii(const Scene& scene, const Rod& rod) {
  const Section& s = rod.section;
  if (rod.points.size() < 2 || (s.kind == Section::Kind::stiffness && !s.hasRadius)) return {};
  std::vector<double> radii(rod.points.size() - 1, 0);
  RodSamples samples(scene, rod);
  try {
    for (std::size_t e = 0; e < radii.size(); ++e) {
      const formula::Input& at = samples.atEdge(int(e));
      if (s.kind == Section::Kind::rectangle)
        radii[e] = 0.25 * (s.width(at) + s.height(at));
      else if (s.kind == Section::Kind::ellipse)
        radii[e] = 0.5 * (s.a(at) + s.b(at));
      else
        radii[e] = s.radius(at);
      if (!(radii[e] > 0)) return {};
    }
  } catch (const formula::Failure&) {
    return {};  // its problem is in the list
  }
  return radii;
}

void checkObstacleOverlaps(LoadContext& context) {
  if (!context.bodiesUsable || !context.obstaclesUsable) return;
  const Scene& scene = context.scene;
  if (scene.obstacles.empty()) return;
  for (int body = 0; body < scene.bodyCount(); ++body) {
    std::optional<Outline> outline = outlineOf(scene, body);
    if (!outline) continue;
    const auto shared = std::make_shared<Outline>(std::move(*outline));
    for (std::size_t o = 0; o < scene.obstacles.size(); ++o) checkOverlap(context, shared, o);
  }
}

}  // namespace tendril::scene
