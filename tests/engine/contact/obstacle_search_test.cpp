#include "contact/obstacle_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "engine/geometry/draw.h"

namespace tendril::contact {
namespace obstacle_search_test {

using test::Draw;

ObstacleShape drawShape(Draw& draw, double size) {
  ObstacleShape o;
  o.kind = static_cast<ObstacleShape::Kind>(draw.whole(0, 4));
  o.point = draw.inCube(1), o.end = o.point + size * draw.inCube(1);
  o.normal = Vec3(draw.inCube(1) + Vec3(0, 0, 2)).normalized();
  o.radius = size * draw.uniform(0.1, 1);
  o.half = size * Vec3(draw.uniform(0.1, 1), draw.uniform(0.1, 1), draw.uniform(0.1, 1));
  o.axes = Eigen::AngleAxisd(draw.uniform(0, 3), draw.inCube(1).normalized()).toRotationMatrix();
  return o;
}

// Whatever is nearer than the reach to a point of the box is met; what is met comes once and in order.
TEST(ObstacleSearch, NothingWithinReachIsMissed) {
  int met = 0, left = 0;
  for (unsigned seed = 1; seed <= 200; ++seed) {
    Draw draw(seed);
    const int count = draw.whole(0, 40);
    const double reach = draw.log(0.001, 0.3);
    std::vector<ObstacleShape> shapes;
    std::vector<ObstacleSearch::Range> ranges;
    for (int i = 0; i < count; ++i) {
      shapes.push_back(drawShape(draw, draw.log(0.01, 0.3)));
      const Vec3 first = draw.chance(0.5) ? Vec3(Vec3::Zero()) : Vec3(0.5 * draw.inCube(1));
      ranges.push_back({first, first});
      if (draw.chance(0.5)) ranges.back().add(first + 0.3 * draw.inCube(1));
    }
    ObstacleSearch search;
    search.setObstacles(shapes, ranges);
    for (int k = 0; k < 20; ++k) {
      const Vec3 a = draw.inCube(1.5), b = a + 0.1 * draw.inCube(1);
      std::vector<int> found{7};
      search.meet({a.cwiseMin(b) - Vec3::Constant(reach), a.cwiseMax(b) + Vec3::Constant(reach)}, found);
      EXPECT_TRUE(std::is_sorted(found.begin(), found.end()));
      EXPECT_EQ(std::adjacent_find(found.begin(), found.end()), found.end());
      met += static_cast<int>(found.size()), left += count - static_cast<int>(found.size());
      for (int n = 0; n < 10; ++n) {
        const Vec3 x = a + draw.uniform(0, 1) * (b - a);
        for (int i = 0; i < count; ++i) {
          ObstacleShape o = shapes[i];
          const Vec3 share(draw.uniform(0, 1), draw.uniform(0, 1), draw.uniform(0, 1));
          o.moved = ranges[i].low + share.cwiseProduct(ranges[i].high - ranges[i].low);
          if (signedDistance(o, x).distance < reach) {
            EXPECT_TRUE(std::binary_search(found.begin(), found.end(), i)) << seed << " " << k << " " << i;
          }
        }
      }
    }
  }
  EXPECT_GT(met, 1000);
  EXPECT_GT(left, met);
}

}  // namespace obstacle_search_test
}  // namespace tendril::contact
