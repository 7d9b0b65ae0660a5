// That no point of a link passes through an obstacle, is swept by one, or sinks in too deep to be parted again.
#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/obstacle_passage.h"
#include "links/contact/contact.h"

namespace tendril::links {

/// Screws on which the frames of all points go from one pose to another.
class Contact::Motion {
 public:
  /// `from`, `to`: of a point's number the poses of its frame.
  template <class From, class To>
  Motion(const Contact& contact, const From& from, const To& to) {
    const std::vector<ContactPoint>& points = contact.skin_.points;
    geometry::Vec6 screw = geometry::Vec6::Zero();
    int known = -1;  // the step whose screw that is
    for (std::size_t p = 0; p < points.size(); ++p) {
      const geometry::Pose& start = from(p);
      if (points[p].step != known)
        screw = geometry::logarithm(geometry::inverse(start) * to(p)), known = points[p].step;
      screws_.push_back(screw);
      starts_.push_back(start.r + start.R * points[p].local);
      const double length = arc(screw, points[p]);
      farthest_ = std::isnan(length) ? std::numeric_limits<double>::infinity() : std::max(farthest_, length);
    }
  }
  const geometry::Vec6& of(std::size_t point) const { return screws_[point]; }
  const std::vector<Vec3>& starts() const { return starts_; }
  double farthest() const { return farthest_; }  ///< that a point goes [m]
  /// Along a screw a point's speed does not change.
  static double arc(const geometry::Vec6& screw, const ContactPoint& p) {
    return (screw.tail<3>() + screw.head<3>().cross(p.local)).norm();
  }

 private:
  std::vector<geometry::Vec6> screws_;
  std::vector<Vec3> starts_;
  double farthest_ = 0;
};

// Candidates that may pass an obstacle on this motion while obstacles are anywhere on their paths: those near, where
// points and obstacles together stay within the margin of what is near, and else all.
const std::vector<std::size_t>& Contact::onPaths(const Motion& motion) const {
  double point = 0;
  bool known = !near_.pointsAt.empty();  // of what is not a number nothing is
  for (std::size_t p = 0; p < near_.pointsAt.size(); ++p) {
    const double square = (motion.starts()[p] - near_.pointsAt[p]).squaredNorm();
    known = known && !std::isnan(square);
    point = std::max(point, square);
  }
  double obstacle = 0;
  for (std::size_t o = 0; o < near_.obstaclesAt.size(); ++o) {
    const world::ObstaclePath& path = outside_.motion().path(o);
    for (const Vec3* at : {&path.before, &path.after, &path.now}) {
      const double square = (*at - near_.obstaclesAt[o]).squaredNorm();
      known = known && !std::isnan(square);
      obstacle = std::max(obstacle, square);
    }
  }
  const bool covered = known && std::sqrt(point) + motion.farthest() + std::sqrt(obstacle) <= near_.margin;
  return covered ? near_.candidates : all_;
}

// From the step's start to these frames.
Contact::Motion Contact::motionTo(const std::vector<ChainFrame>& frames) const {
  return Motion(
      *this, [&](std::size_t p) -> const geometry::Pose& { return start_[p]; },
      [&](std::size_t p) -> const geometry::Pose& {
        return frames[static_cast<std::size_t>(skin_.points[p].step)].pose;
      });
}

// Part of the path of a point whose frame moves by `screw` (a twist of its own) while the obstacle moves by `move`.
double Contact::passage(const Candidate& c, const contact::ObstacleShape& o, const geometry::Pose& from,
                        const geometry::Vec6& screw, const Vec3& move) const {
  const ContactPoint& p = skin_.points[c.point];
  const double length = Motion::arc(screw, p) + move.norm();
  return contact::firstPassageAlong(o, p.radius, length, [&](double part) {
    return Vec3(place(c, part == 0 ? from : from * geometry::exponential(part * screw)) - part * move);
  });
}

double Contact::longestStep(const std::vector<geometry::Pose>& from, const std::vector<geometry::Pose>& to) {
  const auto step = [&](std::size_t p) { return static_cast<std::size_t>(skin_.points[p].step); };
  const Motion motion(
      *this, [&](std::size_t p) -> const geometry::Pose& { return from[step(p)]; },
      [&](std::size_t p) -> const geometry::Pose& { return to[step(p)]; });
  double part = 1;
  for (const std::size_t i : onPaths(motion)) {
    const Candidate& c = candidates_[i];
    part = std::min(part, passage(c, obstacles()[c.obstacle], from[step(c.point)], motion.of(c.point), Vec3::Zero()));
  }
  return part;
}

// Part of the path to `motion` on which a candidate does not pass its obstacle, which moves to where it is then.
double Contact::passageFromStart(const Candidate& c, const Motion& motion, const Vec3& move) const {
  return passage(c, outside_.before(c.obstacle), start_[c.point], motion.of(c.point), move);
}

std::string Contact::sweeper() const {
  if (start_.empty()) return {};
  const auto start = [&](std::size_t p) -> const geometry::Pose& { return start_[p]; };
  const Motion still(*this, start, start);
  for (const std::size_t i : onPaths(still)) {
    const Candidate& c = candidates_[i];
    const Vec3 move = outside_.motion().path(c.obstacle).move();
    if (!move.isZero(0) && passage(c, outside_.before(c.obstacle), start_[c.point], geometry::Vec6::Zero(), move) < 1)
      return scene_.obstacles[c.obstacle].name;
  }
  return {};
}

Contact::Passed Contact::passedBy(const std::vector<ChainFrame>& frames) const {
  Passed out;
  if (start_.empty()) return out;
  const Motion motion = motionTo(frames);
  for (const std::size_t i : onPaths(motion)) {
    const Candidate& c = candidates_[i];
    const Vec3 move = outside_.motion().path(c.obstacle).moveUntilNow();
    const double part = passageFromStart(c, motion, move);
    if (part < out.part) out = {part, move};
  }
  return out;
}

std::string Contact::crossed(const std::vector<ChainFrame>& end) const {
  if (start_.empty()) return {};
  const Motion motion = motionTo(end);
  for (const std::size_t i : onPaths(motion)) {
    const Candidate& c = candidates_[i];
    if (passageFromStart(c, motion, outside_.motion().path(c.obstacle).move()) < 1)
      return scene_.obstacles[c.obstacle].name;
  }
  return {};
}

std::string Contact::engulfed(const std::vector<ChainFrame>& end) const {
  if (start_.empty()) return {};
  for (const std::size_t i : nearTo(end).candidates) {
    const Candidate& c = candidates_[i];
    const ContactPoint& p = skin_.points[c.point];
    const contact::ObstacleShape& o = obstacles()[c.obstacle];
    const Vec3 x = place(c, end[static_cast<std::size_t>(p.step)].pose);
    if (!contact::isEngulfed(o, p.radius, x)) continue;
    const double now = contact::signedDistance(o, x).distance;
    if (now < contact::signedDistance(outside_.before(c.obstacle), place(c, start_[c.point])).distance)
      return scene_.obstacles[c.obstacle].name;
  }
  return {};
}

std::string Contact::pressedIn(const std::vector<ChainFrame>& frames) const {
  double most = 0.5;
  const Candidate* deepest = nullptr;
  for (const std::size_t i : nearTo(frames).candidates) {
    const Candidate& c = candidates_[i];
    const ContactPoint& p = skin_.points[c.point];
    const contact::ObstacleShape& o = obstacles()[c.obstacle];
    const double limit = contact::coreLimit(o, p.radius);
    if (!std::isfinite(limit)) continue;
    const double depth =
        p.radius - contact::signedDistance(o, place(c, frames[static_cast<std::size_t>(p.step)].pose)).distance;
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
