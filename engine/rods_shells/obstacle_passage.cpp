// That no point of a rod or shell passes through an obstacle, is swept by one, or sinks in too deep to be parted again.
#include "contact/obstacle_passage.h"
#include "rods_shells/terms/contacts.h"

namespace tendril::rods_shells {

Contacts::Passage Contacts::passage(const VectorX& q0, const VectorX& q1, bool free) const {
  Passage out;
  for (const Candidate& c : points_.onWays(q0, q1)) {
    const Point& p = c.point;
    if (free && isHeld(p)) continue;
    const Vec3 from = place(p, q0) + wayOf(c.obstacle);
    const double part = contact::firstPassage(obstacles()[c.obstacle], p.radius, from, place(p, q1) - from);
    if (part < out.part) out = {part, c.obstacle};
  }
  return out;
}

std::string Contacts::sweeper(const VectorX& q) const {
  for (const Candidate& c : points_.onWays(q, q)) {
    const world::ObstaclePath& path = outside_.motion().path(c.obstacle);
    if ((path.after - path.before).isZero(0)) continue;
    const Point& p = c.point;
    const Vec3 x = place(p, q);
    const bool through = contact::passesThrough(obstacles()[c.obstacle], path.before, path.after, p.radius, x, x);
    if (through) return scene_.obstacles[c.obstacle].name;
  }
  return {};
}

std::string Contacts::passedThrough(const VectorX& q0, const VectorX& q1) {
  if (empty()) return {};
  for (const Candidate& c : points_.onWays(q0, q1)) {
    const world::ObstaclePath& path = outside_.motion().path(c.obstacle);
    const Point& p = c.point;
    const bool through =
        contact::passesThrough(obstacles()[c.obstacle], path.before, path.after, p.radius, place(p, q0), place(p, q1));
    if (through && !isHeld(p))
      return "a body would pass through obstacle \"" + scene_.obstacles[c.obstacle].name + "\" within this step";
  }
  return {};
}

std::string Contacts::throughHeld(const VectorX& q0, const VectorX& q1) const {
  for (const Candidate& c : points_.onWays(q0, q1)) {
    const Point& p = c.point;
    if (!isHeld(p)) continue;
    const world::ObstaclePath& path = outside_.motion().path(c.obstacle);
    if (!contact::passesThrough(obstacles()[c.obstacle], path.before, path.after, p.radius, place(p, q0), place(p, q1)))
      continue;
    return "obstacle \"" + scene_.obstacles[c.obstacle].name + "\" passes through a place of \"" +
           scene_.bodyName(p.body) +
           "\" that supports hold, where neither gives way: do not trust the force and the work of contact there";
  }
  return {};
}

std::string Contacts::pressedThrough(const VectorX& q0, const VectorX& q1) {
  if (empty()) return {};
  for (const Candidate& c : points_.around(q1, ObstaclePoints::Stand::after)) {
    const Point& p = c.point;
    const contact::ObstacleShape o = outside_.after(c.obstacle);
    const Vec3 x = place(p, q1);
    if (!contact::isEngulfed(o, p.radius, x) || isHeld(p)) continue;
    const double now = contact::signedDistance(o, x).distance;
    if (now < contact::signedDistance(outside_.before(c.obstacle), place(p, q0)).distance) {
      return "a body would be pressed through obstacle \"" + scene_.obstacles[c.obstacle].name +
             "\": contact is too soft for what pushes; raise its \"stiffness\"";
    }
  }
  return {};
}

}  // namespace tendril::rods_shells
