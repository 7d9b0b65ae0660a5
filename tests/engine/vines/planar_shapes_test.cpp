// Distances of points and segments to planar shapes against brute force, and what faces a segment that lies flat.
#include <gtest/gtest.h>

#include <algorithm>

#include "geometry/random.h"
#include "vines/step/planar_shapes.h"
#include "vines/step/shape_grid.h"

namespace planar_shapes_test {

using namespace tendril;

vines::PlanarShape anyShape(int kind, geometry::SplitMix& source) {
  const auto point = [&] { return Vec2(source.uniform(-1, 1), source.uniform(-1, 1)); };
  if (kind == 0) return vines::PlanarShape::circle(point(), source.uniform(0.1, 0.5));
  if (kind == 1) return vines::PlanarShape::capsule(point(), point(), source.uniform(0.05, 0.3));
  if (kind == 2)
    return vines::PlanarShape::box(point(), Vec2(source.uniform(0.1, 0.6), source.uniform(0.1, 0.6)),
                                   source.uniform(0, 3));
  if (kind == 3) return vines::PlanarShape::polygon({point(), point(), point(), point(), point()});
  return vines::PlanarShape::plane(point(), point());
}

TEST(PlanarShapes, GradientIsTheDifferenceOfTheDistance) {
  geometry::SplitMix source(1);
  for (int trial = 0; trial < 1000; ++trial) {
    const vines::PlanarShape shape = anyShape(trial % 5, source);
    const Vec2 x(source.uniform(-2, 2), source.uniform(-2, 2));
    const vines::PlanarDistance d = vines::planarDistance(shape, x);
    EXPECT_NEAR(d.normal.norm(), 1, 1e-12);
    // The distance changes by no more than the way, and by all of it along its gradient, outward.
    const double h = 1e-6;
    EXPECT_NEAR(vines::planarDistance(shape, x + h * d.normal).distance, d.distance + h, 1e-11) << trial % 5;
  }
}

TEST(PlanarShapes, PolygonIsSolidAndItsHullDropsInnerPoints) {
  const vines::PlanarShape p =
      vines::PlanarShape::polygon({Vec2(0, 0), Vec2(2, 0), Vec2(1, 0.5), Vec2(2, 2), Vec2(0, 2), Vec2(1, 0)});
  EXPECT_EQ(p.core.size(), 4u);
  EXPECT_DOUBLE_EQ(vines::planarDistance(p, Vec2(1, 0.5)).distance, -0.5);
  EXPECT_DOUBLE_EQ(vines::planarDistance(p, Vec2(3, 3)).distance, std::sqrt(2.0));
  EXPECT_NEAR((vines::planarDistance(p, Vec2(3, 3)).normal - Vec2(1, 1).normalized()).norm(), 0, 1e-15)
      << "radial at a corner";
  EXPECT_THROW(vines::PlanarShape::polygon({Vec2(0, 0), Vec2(1, 1), Vec2(2, 2)}), std::invalid_argument);
}

TEST(PlanarShapes, SegmentDistanceIsTheSmallestOfItsPoints) {
  geometry::SplitMix source(2);
  int inside = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const vines::PlanarShape shape = anyShape(trial % 5, source);
    const Vec2 a(source.uniform(-2, 2), source.uniform(-2, 2)), b(source.uniform(-2, 2), source.uniform(-2, 2));
    double sampled = 1e9;
    const int samples = 4000;
    for (int k = 0; k <= samples; ++k)
      sampled = std::min(sampled, vines::planarDistance(shape, a + (b - a) * k / samples).distance);
    const double exact = vines::planarDistance(shape, a, b);
    if (sampled > 0) {
      EXPECT_LE(exact, sampled + 1e-12);
      EXPECT_GE(exact, sampled - (b - a).norm() / samples) << trial;
    } else {
      ++inside;
      EXPECT_LE(exact, 1e-12) << trial;  // what runs through is told as such, by the way out
    }
  }
  EXPECT_GT(inside, 300);
}

// If every place that must stay outside does, the whole segment does, save for its first end.
TEST(PlanarShapes, SegmentContactsGuardTheWholeSegment) {
  geometry::SplitMix source(3);
  int guarded = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    const vines::PlanarShape shape = anyShape(trial % 5, source);
    const Vec2 a(source.uniform(-2, 2), source.uniform(-2, 2)), b(source.uniform(-2, 2), source.uniform(-2, 2));
    std::array<vines::SegmentContact, 4> found;
    const int count = vines::segmentContacts(shape, a, b, 10, found);
    double lowest = vines::planarDistance(shape, a).distance;
    for (int k = 0; k < count; ++k) {
      lowest = std::min(lowest, found[k].distance);
      EXPECT_GE(found[k].along, 0);
      EXPECT_LE(found[k].along, (b - a).norm() + 1e-12);
      EXPECT_NEAR(found[k].normal.norm(), 1, 1e-12);
    }
    const double exact = vines::planarDistance(shape, a, b);
    if (exact > 0) {
      EXPECT_NEAR(lowest, exact, 1e-12);
      ++guarded;
    } else {
      EXPECT_LE(lowest, 1e-12);
    }
  }
  EXPECT_GT(guarded, 1000);
}

TEST(PlanarShapes, ABoxLyingFlatAgainstASegmentTouchesInBothCorners) {
  const vines::PlanarShape box = vines::PlanarShape::box(Vec2(0, -1), Vec2(0.5, 0.5));
  std::array<vines::SegmentContact, 4> found;
  const int count = vines::segmentContacts(box, Vec2(-2, -0.4), Vec2(2, -0.4), 0.5, found);
  ASSERT_EQ(count, 2);  // the end is farther off
  for (int k = 0; k < 2; ++k) {
    EXPECT_NEAR(found[k].distance, 0.1, 1e-12);
    EXPECT_NEAR((found[k].normal - Vec2(0, 1)).norm(), 0, 1e-12);
  }
  EXPECT_NEAR(std::fabs(found[0].along - found[1].along), 1, 1e-12);
}

TEST(ShapeGrid, FindsExactlyTheBoxesThatTouch) {
  geometry::SplitMix source(4);
  vines::ShapeGrid grid;
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<vines::PlanarBox> boxes;
    for (int i = 0; i < 300; ++i) {
      const Vec2 low(source.uniform(-3, 3), source.uniform(-3, 3));
      boxes.push_back({low, low + Vec2(source.uniform(0, 0.4), source.uniform(0, 0.4))});
    }
    boxes.push_back(vines::PlanarShape::plane(Vec2(0, 0), Vec2(0, 1)).box());
    const vines::PlanarBox region{Vec2(-2, -1), Vec2(2, 1.5)};
    grid.build(boxes, region, 0.2);
    for (int query = 0; query < 50; ++query) {
      const Vec2 low(source.uniform(-2, 1.7), source.uniform(-1, 1.2));
      const vines::PlanarBox box{low, low + Vec2(0.3, 0.3)};
      const auto found = grid.near(box);
      std::vector<int> expected;
      for (int i = 0; i < int(boxes.size()); ++i)
        if (boxes[i].touches(box) && boxes[i].touches(region)) expected.push_back(i);
      EXPECT_EQ(std::vector<int>(found.begin(), found.end()), expected);
    }
  }
}

}  // namespace planar_shapes_test
