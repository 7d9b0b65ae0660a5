// Path shapes against their geometry: nodes on the exact curve, equal arc length, handedness, tangents, and refusals.
#include "geometry/shapes.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tendril::geometry {
namespace shapes_test {

Shape good(const ShapeResult& result) {
  const auto* fault = std::get_if<std::string>(&result);
  EXPECT_EQ(fault, nullptr) << *fault;
  return fault ? Shape() : std::get<Shape>(result);
}

std::string fault(const ShapeResult& result) {
  const auto* text = std::get_if<std::string>(&result);
  return text ? *text : "";
}

double chordLength(const Shape& shape) {
  double length = 0;
  for (std::size_t i = 1; i < shape.points.size(); ++i) length += (shape.points[i] - shape.points[i - 1]).norm();
  return length;
}

TEST(Shapes, LineHasEqualEdgesAndMeetsItsEnds) {
  const Shape line = good(lineShape({1, 2, 3}, {4, 6, 3}, 7));
  ASSERT_EQ(line.points.size(), 8u);
  EXPECT_EQ(line.points.front(), Vec3(1, 2, 3));
  EXPECT_EQ(line.points.back(), Vec3(4, 6, 3));
  for (int i = 0; i < 7; ++i) EXPECT_NEAR((line.points[i + 1] - line.points[i]).norm(), 5.0 / 7, 1e-14);
  EXPECT_NEAR((line.tangents[3] - Vec3(0.6, 0.8, 0)).norm(), 0, 1e-15);
}

TEST(Shapes, ArcTurnsRightHandedAboutItsAxis) {
  const Shape arc = good(arcShape({1, 0, 0}, {3, 0, 0}, {0, 0, 5}, pi / 2, 10));
  ASSERT_EQ(arc.points.size(), 11u);
  for (const Vec3& point : arc.points) EXPECT_NEAR((point - Vec3(1, 0, 0)).norm(), 2, 1e-14);
  EXPECT_NEAR((arc.points.back() - Vec3(1, 2, 0)).norm(), 0, 1e-14);
  EXPECT_NEAR((arc.tangents.front() - Vec3(0, 1, 0)).norm(), 0, 1e-14);
  EXPECT_NEAR((arc.tangents.back() - Vec3(-1, 0, 0)).norm(), 0, 1e-14);
  EXPECT_NEAR(chordLength(arc), 10 * 4 * std::sin(pi / 40), 1e-13);
}

TEST(Shapes, ArcOfNegativeAngleGoesTheOtherWay) {
  const Shape arc = good(arcShape({0, 0, 0}, {1, 0, 0.5}, {0, 0, 1}, -pi / 2, 4));
  EXPECT_NEAR((arc.points.back() - Vec3(0, -1, 0.5)).norm(), 0, 1e-14);  // stays at the height of "from"
  EXPECT_NEAR((arc.tangents.front() - Vec3(0, -1, 0)).norm(), 0, 1e-14);
}

TEST(Shapes, HelixHasItsContourLengthPitchAndHand) {
  const double radius = 0.02, pitch = 0.05, turns = 3;
  const double length = turns * std::hypot(2 * pi * radius, pitch);
  const Shape helix = good(helixShape({radius, 0, 0}, {0, 0, 1}, {0, 0, 0}, pitch, length, 600));
  const Vec3& end = helix.points.back();
  EXPECT_NEAR(end.z(), turns * pitch, 1e-14);
  EXPECT_NEAR(end.x(), radius, 1e-14);
  EXPECT_NEAR(chordLength(helix), length, 1e-4 * length);
  EXPECT_LT(chordLength(helix), length);
  for (const Vec3& point : helix.points) EXPECT_NEAR(std::hypot(point.x(), point.y()), radius, 1e-15);
  // Right-handed: the quarter turn is at +y, and the tangent rises.
  EXPECT_NEAR((helix.points[50] - Vec3(0, radius, pitch / 4)).norm(), 0, 1e-14);
  const double speed = std::hypot(2 * pi * radius, pitch);
  EXPECT_NEAR((helix.tangents[0] - Vec3(0, 2 * pi * radius, pitch) / speed).norm(), 0, 1e-14);
  EXPECT_NEAR((helix.tangents[50] - Vec3(-2 * pi * radius, 0, pitch) / speed).norm(), 0, 1e-13);
}

TEST(Shapes, NegativePitchIsLeftHandedAndStillAdvances) {
  const double radius = 0.02, pitch = -0.05;
  const double length = std::hypot(2 * pi * radius, pitch);
  const Shape helix = good(helixShape({radius, 0, 0}, {0, 0, 1}, {0, 0, 0}, pitch, length, 40));
  EXPECT_NEAR((helix.points[10] - Vec3(0, -radius, 0.0125)).norm(), 0, 1e-14);
  EXPECT_NEAR(helix.points.back().z(), 0.05, 1e-15);
  EXPECT_NEAR((helix.tangents[10] - Vec3(-2 * pi * radius, 0, 0.05) / length).norm(), 0, 1e-13);
}

TEST(Shapes, CurveNodesAreEquallyFarAlongTheCurve) {
  // A parabola y = x^2, whose arc length has a closed form.
  const auto parabola = [](double u) { return Vec3(3 * u, 9 * u * u, 0); };
  const auto arcLength = [](double x) { return 0.5 * x * std::sqrt(1 + 4 * x * x) + 0.25 * std::asinh(2 * x); };
  const Shape curve = good(curveShape(parabola, 30));
  const double total = arcLength(3);
  for (int i = 0; i <= 30; ++i) {
    EXPECT_NEAR(arcLength(curve.points[i].x()), total * i / 30, 1e-11 * total) << i;
    const Vec3 tangent = Vec3(1, 2 * curve.points[i].x(), 0).normalized();
    EXPECT_NEAR((curve.tangents[i] - tangent).norm(), 0, 1e-10) << i;
  }
}

TEST(Shapes, CurveOfACircleIsTheArc) {
  const auto circle = [](double u) { return Vec3(std::cos(4 * u * u), std::sin(4 * u * u), 0); };  // uneven parameter
  const Shape curve = good(curveShape(circle, 24));
  const Shape arc = good(arcShape({0, 0, 0}, {1, 0, 0}, {0, 0, 1}, 4, 24));
  for (int i = 0; i <= 24; ++i) {
    EXPECT_NEAR((curve.points[i] - arc.points[i]).norm(), 0, 1e-10) << i;
    EXPECT_NEAR((curve.tangents[i] - arc.tangents[i]).norm(), 0, i == 0 ? 1e-4 : 1e-9) << i;  // r' = 0 at u = 0
  }
}

TEST(Shapes, CurveMayStandStillOrHaveACorner) {
  const Shape still = good(curveShape([](double u) { return Vec3(u * u * u, 0, 0); }, 10));
  for (int i = 0; i <= 10; ++i) EXPECT_NEAR(still.points[i].x(), i / 10.0, 1e-10);
  EXPECT_NEAR((still.tangents.front() - Vec3(1, 0, 0)).norm(), 0, 1e-12);
  const Shape corner = good(curveShape([](double u) { return Vec3(u, std::abs(u - 0.5), 0); }, 10));
  EXPECT_NEAR((corner.points[5] - Vec3(0.5, 0, 0)).norm(), 0, 1e-6);
}

TEST(Shapes, CurveWithManyTurnsStaysAccurate) {
  const double length = std::hypot(20 * 2 * pi * 0.01, 0.3);
  const auto coil = [](double u) { return Vec3(0.01 * std::cos(40 * pi * u), 0.01 * std::sin(40 * pi * u), 0.3 * u); };
  const Shape curve = good(curveShape(coil, 800));
  const Shape helix = good(helixShape({0.01, 0, 0}, {0, 0, 1}, {0, 0, 0}, 0.3 / 20, length, 800));
  for (int i = 0; i <= 800; i += 37) {
    EXPECT_NEAR((curve.points[i] - helix.points[i]).norm(), 0, 1e-10) << i;
    EXPECT_NEAR((curve.tangents[i] - helix.tangents[i]).norm(), 0, 1e-8) << i;
  }
}

TEST(Shapes, PointsTurnTheirEndTangentsByHalfTheTurning) {
  // Nodes on a circle: the turned-back tangents are the circle's own.
  std::vector<Vec3> nodes;
  for (int i = 0; i <= 6; ++i) nodes.push_back(Vec3(std::cos(0.2 * i), std::sin(0.2 * i), 1));
  const Shape shape = good(pointsShape(nodes));
  for (int i = 0; i <= 6; ++i)
    EXPECT_NEAR((shape.tangents[i] - Vec3(-std::sin(0.2 * i), std::cos(0.2 * i), 0)).norm(), 0, 1e-14) << i;
  EXPECT_EQ(shape.points, nodes);
  const Shape two = good(pointsShape({Vec3(0, 0, 0), Vec3(0, 0, 2)}));
  EXPECT_EQ(two.tangents.front(), Vec3(0, 0, 1));
  EXPECT_EQ(two.tangents.back(), Vec3(0, 0, 1));
}

TEST(Shapes, RefusesWhatIsNoRod) {
  EXPECT_NE(fault(lineShape({1, 1, 1}, {1, 1, 1}, 4)).find("same point"), std::string::npos);
  EXPECT_NE(fault(arcShape({0, 0, 0}, {1, 0, 0}, {0, 0, 0}, 1, 4)).find("axis"), std::string::npos);
  EXPECT_NE(fault(arcShape({0, 0, 0}, {0, 0, 1}, {0, 0, 1}, 1, 4)).find("lies on the axis"), std::string::npos);
  EXPECT_NE(fault(arcShape({0, 0, 0}, {1, 0, 0}, {0, 0, 1}, 0, 4)).find("angle is 0"), std::string::npos);
  EXPECT_NE(fault(arcShape({0, 0, 0}, {1, 0, 0}, {0, 0, 1}, 2 * pi, 2)).find("more segments"), std::string::npos);
  EXPECT_NE(fault(helixShape({1, 0, 0}, {0, 0, 1}, {0, 0, 0}, 0.1, 20, 3)).find("more segments"), std::string::npos);
  EXPECT_NE(fault(pointsShape({Vec3(0, 0, 0)})).find("two points"), std::string::npos);
  EXPECT_NE(fault(pointsShape({Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(1, 0, 0)})).find("nodes 1 and 2"), std::string::npos);
  EXPECT_NE(fault(pointsShape({Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0.5, 0, 0)})).find("180 degrees"), std::string::npos);
  EXPECT_NE(fault(curveShape([](double) { return Vec3(1, 2, 3); }, 5)).find("length 0"), std::string::npos);
  EXPECT_NE(fault(curveShape([](double u) { return Vec3(std::sin(pi * u), 0, 0); }, 4)).find("turns back"),
            std::string::npos);
}

}  // namespace shapes_test
}  // namespace tendril::geometry
