// What is written down as near, against all points and all obstacles, while bodies and obstacles move.
#include "rods_shells/terms/obstacle_points.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <tuple>
#include <vector>

#include "engine/rods_shells/build_scene.h"

namespace tendril::rods_shells {
namespace obstacle_points_test {

constexpr double reach = 0.005;  // [m]

// Two rods, a sheet, and obstacles of every shape, of which two move.
const char* const clutter = R"J({"format": "tendril/1",
  "materials": {"soft": {"youngs": 1e5, "density": 1000}},
  "rods": {
    "long": {"section": {"circle": {"radius": 0.01}}, "segments": 20, "material": "soft", "path": {"line": {"from": [0, 0, 0], "to": [1, 0, 0]}}},
    "short": {"section": {"circle": {"radius": 0.02}}, "segments": 3, "material": "soft", "path": {"line": {"from": [0, 0.5, 0], "to": [0.3, 0.5, 0.1]}}}},
  "shells": {"sheet": {"thickness": 0.01, "material": "soft", "mesh": {"rectangle": {"corner": [0, -0.6, 0], "along": [0.6, 0, 0], "across": [0, 0.4, 0], "edge": 0.1}}}},
  "obstacles": {
    "ball": {"sphere": {"center": [0.5, 0.1, 0.02], "radius": 0.05}, "displacement": ["=0.4*sin(3*t)", "=-0.15*sin(2*t)", 0]},
    "pebble": {"sphere": {"center": [0.2, -0.3, 0.05], "radius": 0.004}},
    "crate": {"box": {"center": [0.8, 0.3, -0.1], "half": [0.1, 0.05, 0.08]}, "displacement": ["=0.1*sin(5*t)", 0, 0]},
    "pill": {"capsule": {"from": [0.1, 0.4, 0.2], "to": [0.3, 0.6, 0.2], "radius": 0.03}},
    "drum": {"cylinder": {"from": [0.6, -0.5, -0.2], "to": [0.6, -0.2, -0.2], "radius": 0.1}},
    "floor": {"plane": {"point": [0, 0, -0.5], "normal": [0, 0, 1]}}}})J";

using Place = std::tuple<int, int, int>;  // carrier, obstacle, which of the carrier's points

class Points {
 public:
  Points(const test::Built& built, const world::ObstacleContact& outside, double within)
      : points_(built.structure(), built.scene, outside) {
    points_.measure(contactMesh(built.structure(), built.scene));
    solve::Partition all;
    for (const int dof : built.structure().nodeDof) {
      if (static_cast<std::size_t>(dof) + 3 > all.of.size()) all.of.resize(static_cast<std::size_t>(dof) + 3, 0);
    }
    all.unknowns.resize(1);
    points_.divide(all);
    points_.setReach(std::vector<double>(static_cast<std::size_t>(built.scene.bodyCount()), within));
  }
  ObstaclePoints* operator->() { return &points_; }

 private:
  ObstaclePoints points_;
};

Vec3 placeOf(const ContactPoint& p, const Structure& s, const VectorX& q) {
  Vec3 x = Vec3::Zero();
  for (std::size_t k = 0; k < static_cast<std::size_t>(p.count); ++k) {
    const int node = p.nodes[k];
    x += p.weights[k] * (s.nodes[node] + q.segment<3>(s.nodeDof[node]));
  }
  return x;
}

std::set<Place> named(const std::vector<ObstacleCandidate>& candidates) {
  std::set<Place> out;
  for (const ObstacleCandidate& c : candidates) out.insert({c.carrier, c.obstacle, c.place});
  EXPECT_EQ(out.size(), candidates.size());
  return out;
}

TEST(ObstaclePoints, NothingWithinReachIsMissedWhileAllMoves) {
  test::Built built(clutter);
  const Structure& s = built.structure();
  world::Obstacles obstacles(built.scene);
  scene::Instant at;
  at.columns = built.columns.data();
  obstacles.stand(at);
  world::ObstacleContact outside(built.scene, obstacles);
  const std::vector<contact::ObstacleShape>& shapes = outside.shapes();
  const world::ObstaclePaths& motion = outside.motion();
  Points near(built, outside, reach), all(built, outside, 1e3);
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  VectorX q = VectorX::Zero(built.system->size());
  int touching = 0, passing = 0, kept = 0, largest = 0;
  for (int step = 0; step < 200; ++step) {
    scene::Instant end = at;
    end.t = end.middle = at.t + (step % 5 == 0 ? 0.08 : 0.01);
    outside.prepare(end, end, at.t);
    // Small ways or none, a large one now and then; back toward where they were built, so that they stay among the
    // obstacles.
    const bool still = step / 20 % 2 == 1;
    const double far = still ? 0 : step % 17 == 0 ? 0.1 : 0.004;
    VectorX to = still ? q : VectorX(0.7 * q);
    Vec3 together(normal(random), normal(random), normal(random));
    for (const int dof : s.nodeDof)
      to.segment<3>(dof) += far * together + 0.1 * far * Vec3(normal(random), normal(random), normal(random));
    const std::set<Place> onWays = named(near->onWays(q, to));
    for (const ObstacleCandidate& c : all->around(q)) {
      // Anywhere on both ways: the least distance of some places of them.
      double least = 1;
      for (int k = 0; k <= 5; ++k) {
        contact::ObstacleShape o = shapes[static_cast<std::size_t>(c.obstacle)];
        const world::ObstaclePath& path = motion.path(static_cast<std::size_t>(c.obstacle));
        o.moved = path.before + 0.2 * k * (path.after - path.before);
        least = std::min(least, contact::signedDistance(o, placeOf(c.point, s, q + 0.2 * k * (to - q))).distance);
      }
      if (least > c.point.radius) continue;
      ++passing;
      ASSERT_TRUE(onWays.count({c.carrier, c.obstacle, c.place})) << "step " << step;
    }
    q = to;
    for (const auto stand : {ObstaclePoints::Stand::before, ObstaclePoints::Stand::now, ObstaclePoints::Stand::after}) {
      const std::set<Place> found = named(near->around(q, stand));
      largest = std::max(largest, static_cast<int>(found.size()));
      const std::vector<ObstacleCandidate>& every = all->around(q, stand);
      for (const ObstacleCandidate& c : every) {
        contact::ObstacleShape o = shapes[static_cast<std::size_t>(c.obstacle)];
        const world::ObstaclePath& path = motion.path(static_cast<std::size_t>(c.obstacle));
        o.moved = stand == ObstaclePoints::Stand::before ? path.before : path.after;
        if (contact::signedDistance(o, placeOf(c.point, s, q)).distance > c.point.radius + reach) continue;
        ++touching;
        ASSERT_TRUE(found.count({c.carrier, c.obstacle, c.place})) << "step " << step;
      }
      kept = static_cast<int>(every.size());
    }
    obstacles.prepare(end, at.t);
    obstacles.accept();
    at = end;
  }
  EXPECT_GT(touching, 1000);
  EXPECT_GT(passing, 300);
  EXPECT_LT(largest, kept / 2);  // most is never looked at
}

}  // namespace obstacle_points_test
}  // namespace tendril::rods_shells
