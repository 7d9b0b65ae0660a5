// That no point of a link passes through an obstacle, is swept by one, or sinks in too deep to be parted again.
#include <algorithm>
#include <cmath>

#include "contact/obstacle_passage.h"
#include "links/contact/contact.h"

namespace tendril::links {
namespace {

/// Screw of the motion of each point's frame from the start of a step to its end; candidates come point by point.
class Screws {
 public:
  Screws(const std::vector<geometry::Pose>& start, const std::vector<ChainFrame>& end) : start_(start), end_(end) {}
  const geometry::Vec6& of(std::size_t point, int step) {
    if (point != known_) screw_ = geometry::logarithm(geometry::inverse(start_[point]) * end_[static_cast<std::size_t>(step)].pose), known_ = point;
    return screw_;
  }

 private:
  const std::vector<geometry::Pose>& start_;
  const std::vector<ChainFrame>& end_;
  std::size_t known_ = static_cast<std::size_t>(-1);
  geometry::Vec6 screw_ = geometry::Vec6::Zero();
};

}  // namespace

// Part of the way of a point whose frame goes by `screw` (a twist of its own) while the obstacle goes by `move`. Along
// a screw a point's speed does not change.
double Contact::passage(const Candidate& c, const contact::ObstacleShape& o, const geometry::Pose& from, const geometry::Vec6& screw,
                               const Vec3& move) const {
  const ContactPoint& p = skin_.points[c.point];
  const double arc = (screw.tail<3>() + screw.head<3>().cross(p.local)).norm(), length = arc + move.norm();
  return contact::firstPassageAlong(o, p.radius, length, [&](double part) {
    return Vec3(place(c, part == 0 ? from : from * geometry::exponential(part * screw)) - part * move);
  });
}

double Contact::longestStep(const std::vector<geometry::Pose>& from, const std::vector<geometry::Pose>& to) {
  double part = 1;
  geometry::Vec6 screw = geometry::Vec6::Zero();
  std::size_t known = from.size();  // the step whose screw that is
  for (const Candidate& c : candidates_) {
    const std::size_t step = static_cast<std::size_t>(skin_.points[c.point].step);
    if (step != known) screw = geometry::logarithm(geometry::inverse(from[step]) * to[step]), known = step;
    part = std::min(part, passage(c, obstacles()[c.obstacle], from[step], screw, Vec3::Zero()));
  }
  return part;
}

std::string Contact::sweeper() const {
  if (start_.empty()) return {};
  for (const Candidate& c : candidates_) {
    const world::ObstaclePath& path = outside_.motion().path(c.obstacle);
    const Vec3 move = path.after - path.before;
    if (move.isZero(0)) continue;
    const contact::ObstacleShape o = outside_.before(c.obstacle);
    if (passage(c, o, start_[c.point], geometry::Vec6::Zero(), move) < 1) return scene_.obstacles[c.obstacle].name;
  }
  return {};
}

Contact::Passed Contact::passedBy(const std::vector<ChainFrame>& frames) const {
  Passed out;
  if (start_.empty()) return out;
  Screws screws(start_, frames);
  for (const Candidate& c : candidates_) {
    const world::ObstaclePath& path = outside_.motion().path(c.obstacle);
    const geometry::Pose& from = start_[c.point];
    const contact::ObstacleShape o = outside_.before(c.obstacle);
    const double part = passage(c, o, from, screws.of(c.point, skin_.points[c.point].step), path.now - path.before);
    if (part < out.part) out = {part, path.now - path.before};
  }
  return out;
}

std::string Contact::crossed(const std::vector<ChainFrame>& end) const {
  if (start_.empty()) return {};
  Screws screws(start_, end);
  for (const Candidate& c : candidates_) {
    const world::ObstaclePath& path = outside_.motion().path(c.obstacle);
    const geometry::Pose& from = start_[c.point];
    const geometry::Vec6& screw = screws.of(c.point, skin_.points[c.point].step);
    const contact::ObstacleShape o = outside_.before(c.obstacle);
    if (passage(c, o, from, screw, path.after - path.before) < 1) return scene_.obstacles[c.obstacle].name;
  }
  return {};
}

std::string Contact::engulfed(const std::vector<ChainFrame>& end) const {
  if (start_.empty()) return {};
  for (const Candidate& c : candidates_) {
    const ContactPoint& p = skin_.points[c.point];
    const contact::ObstacleShape& o = obstacles()[c.obstacle];
    const Vec3 x = place(c, end[static_cast<std::size_t>(p.step)].pose);
    if (!contact::isEngulfed(o, p.radius, x)) continue;
    const double now = contact::signedDistance(o, x).distance;
    if (now < contact::signedDistance(outside_.before(c.obstacle), place(c, start_[c.point])).distance) return scene_.obstacles[c.obstacle].name;
  }
  return {};
}

std::string Contact::pressedIn(const std::vector<ChainFrame>& frames) const {
  double most = 0.5;
  const Candidate* deepest = nullptr;
  for (const Candidate& c : candidates_) {
    const ContactPoint& p = skin_.points[c.point];
    const contact::ObstacleShape& o = obstacles()[c.obstacle];
    const double limit = contact::coreLimit(o, p.radius);
    if (!std::isfinite(limit)) continue;
    const double depth = p.radius - contact::signedDistance(o, place(c, frames[static_cast<std::size_t>(p.step)].pose)).distance;
    if (depth > most * (p.radius - limit)) most = depth / (p.radius - limit), deepest = &c;
  }
  if (!deepest) return {};
  const ContactPoint& p = skin_.points[deepest->point];
  const scene::Linkage& linkage = scene_.linkages[static_cast<std::size_t>(p.linkage)];
  return "\"" + linkage.name + "/" + linkage.links[static_cast<std::size_t>(p.link)].name +
         "\" is pressed into obstacle \"" + scene_.obstacles[deepest->obstacle].name +
         "\" almost to its core: a larger contact \"stiffness\" holds it, or a shorter \"dt\", which the default goes "
         "by";
}

}  // namespace tendril::links
