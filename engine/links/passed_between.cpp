// Points of links that touch obstacles are fixed in the material: where it is stretched, or is long and thin, an
// obstacle may pass between them.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "contact/obstacle_passage.h"
#include "links/contact/contact.h"

namespace tendril::links {
namespace {

// What lies between two points, as a shape of constant strain; its end is where `p` is of `to`.
Vec3 placeBetween(const ContactPoint& p, const geometry::Pose& from, const geometry::Pose& to, double part) {
  if (p.before == p.step) return from.r + from.R * ((1 - part) * p.beforeLocal + part * p.local);
  return (from * geometry::exponential(part * geometry::logarithm(geometry::inverse(from) * to))).r;
}

}  // namespace

// As a point there would be held up: it comes no deeper than half way to the obstacle's core.
std::string Contact::passedBetween(const std::vector<ChainFrame>& end) const {
  if (start_.empty()) return {};
  for (const Candidate& c : candidates_) {
    const ContactPoint& p = skin_.points[c.point];
    if (p.before < 0) continue;
    const contact::ObstacleShape& o = obstacles()[c.obstacle];
    const double radius = std::min(p.radius, p.beforeRadius), limit = contact::closedSpacing(o, radius);
    const geometry::Pose &from0 = startBefore_[c.point], &to0 = start_[c.point];
    const geometry::Pose &from1 = end[static_cast<std::size_t>(p.before)].pose,
                         &to1 = end[static_cast<std::size_t>(p.step)].pose;
    const auto chord = [&](const geometry::Pose& a, const geometry::Pose& b) {
      return (b.r + b.R * p.local - a.r - a.R * p.beforeLocal).norm();
    };
    const double apart = std::max(chord(from0, to0), chord(from1, to1));
    if (apart <= limit || !(radius > 0)) continue;
    const world::ObstaclePath& path = outside_.motion().path(c.obstacle);
    const int parts = static_cast<int>(std::ceil(std::min(1e6, apart / limit)));
    for (int k = 1; k < parts; ++k) {
      const double part = static_cast<double>(k) / parts;
      if (!contact::passesThrough(o, path.before, path.after, radius, placeBetween(p, from0, to0, part),
                                  placeBetween(p, from1, to1, part)))
        continue;
      const scene::Linkage& linkage = scene_.linkages[static_cast<std::size_t>(p.linkage)];
      const scene::Link& link = linkage.links[static_cast<std::size_t>(p.link)];
      const double stretch = apart / p.apart, usual = std::max(contact::pointSpacing(o, radius), narrowest * radius);
      // Of what is too long for its points, or one point for each.
      const double shorter = usual * std::max(1.0, stretch) <= limit
                                 ? mostParts * usual
                                 : contact::pointSpacing(o, radius) / std::max(1.0, stretch);
      char remedy[120];
      std::snprintf(remedy, sizeof remedy, "%s shorter than %.2g m, each of which has points of its own",
                    link.rigid ? "make it of links" : "give it \"divisions\"", shorter);
      return contact::passageInWords("\"" + linkage.name + "/" + link.name + "\"", stretch,
                                     scene_.obstacles[c.obstacle].name, apart, limit, remedy);
    }
  }
  return {};
}

}  // namespace tendril::links
