// Which points of links are near which obstacles, so that evaluating contact costs what touches, not what there is.
#include <algorithm>
#include <cmath>
#include <limits>

#include "links/contact/contact.h"

namespace tendril::links {

const Contact::Near& Contact::nearTo(const std::vector<ChainFrame>& frames) const {
  double reach = 0;
  for (const scene::ContactLaw& law : outside_.laws()) reach = std::max(reach, contact::penaltyReach * law.distance);
  if (!near_.pointsAt.empty() && reach <= near_.reach) {
    if (std::isinf(near_.margin)) return near_;
    double point = 0, obstacle = 0;
    bool known = true;  // of what is not a number, as in a trial, nothing is
    const auto farther = [&known](double farthest, const Vec3& from, const Vec3& to) {
      const double square = (to - from).squaredNorm();
      known = known && !std::isnan(square);
      return std::max(farthest, square);
    };
    for (std::size_t p = 0; p < skin_.points.size(); ++p) {
      const ContactPoint& at = skin_.points[p];
      const geometry::Pose& pose = frames[static_cast<std::size_t>(at.step)].pose;
      point = farther(point, near_.pointsAt[p], pose.r + pose.R * at.local);
      if (at.before < 0) continue;
      const geometry::Pose& before = frames[static_cast<std::size_t>(at.before)].pose;
      point = farther(point, near_.beforeAt[p], before.r + before.R * at.beforeLocal);
    }
    for (std::size_t o = 0; o < obstacles().size(); ++o) {
      obstacle = farther(obstacle, near_.obstaclesAt[o], obstacles()[o].moved);
    }
    if (known && std::sqrt(point) + std::sqrt(obstacle) <= near_.margin) return near_;
  }
  near_.reach = reach;
  look(frames);
  return near_;
}

void Contact::look(const std::vector<ChainFrame>& frames) const {
  constexpr double marginShare =
      0.25;  // of what a point stands for and its radius: less costs searches, more distances
  near_.candidates.clear(), near_.stretches.clear(), near_.pointsAt.clear(), near_.beforeAt.clear(),
      near_.obstaclesAt.clear();
  double size = 0;
  bool finite = true;
  std::vector<contact::ObstacleSearch::Range> ranges;
  for (const ContactPoint& p : skin_.points) {
    const geometry::Pose& pose = frames[static_cast<std::size_t>(p.step)].pose;
    near_.pointsAt.push_back(pose.r + pose.R * p.local);
    const geometry::Pose& before = frames[static_cast<std::size_t>(std::max(p.before, 0))].pose;
    near_.beforeAt.push_back(before.r + before.R * p.beforeLocal);
    size += p.share + p.radius;
    finite = finite && near_.pointsAt.back().allFinite() && near_.beforeAt.back().allFinite();
  }
  for (const contact::ObstacleShape& o : obstacles()) {
    near_.obstaclesAt.push_back(o.moved);
    ranges.push_back({o.moved, o.moved});
  }
  // A plane tells by one product how far a point is: to look for what is near costs more. What is not finite is near
  // all.
  if (stretches_.empty() || !finite) {
    near_.margin = finite ? std::numeric_limits<double>::infinity() : 0;
    for (std::size_t i = 0; i < candidates_.size(); ++i) near_.candidates.push_back(i);
    for (std::size_t i = 0; i < stretches_.size(); ++i) near_.stretches.push_back(i);
    return;
  }
  near_.margin = marginShare * size / static_cast<double>(skin_.points.size());
  contact::ObstacleSearch search;
  search.setObstacles(obstacles(), ranges);
  std::vector<int> met;
  // Of those of one point, which are in the order of obstacles.
  const auto take = [&](const std::vector<Candidate>& list, std::size_t& next, std::size_t point, const Vec3& middle,
                        double wide, std::vector<std::size_t>& out) {
    search.meet({middle - Vec3::Constant(wide), middle + Vec3::Constant(wide)}, met);
    for (; next < list.size() && list[next].point == point; ++next) {
      if (std::binary_search(met.begin(), met.end(), static_cast<int>(list[next].obstacle))) out.push_back(next);
    }
  };
  std::size_t atPoint = 0, between = 0;
  for (std::size_t i = 0; i < skin_.points.size(); ++i) {
    const ContactPoint& p = skin_.points[i];
    take(candidates_, atPoint, i, near_.pointsAt[i], p.radius + near_.reach + near_.margin, near_.candidates);
    if (p.before < 0) continue;
    const Vec3 &from = near_.beforeAt[i], &to = near_.pointsAt[i];
    // Never farther from the middle of its ends than that, however they turn, see isNear(); ends go as far as points
    // do.
    const double around = 0.75 * (to - from).norm() + 0.75 * p.apart, moves = 2.5 * near_.margin;
    take(stretches_, between, i, 0.5 * (from + to), around + std::max(p.radius, p.beforeRadius) + near_.reach + moves,
         near_.stretches);
  }
}

}  // namespace tendril::links
