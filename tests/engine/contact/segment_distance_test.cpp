// Distance of segments: exact derivatives in every case, force continuous where cases change, least value by search,
// bound of the spread term, invariance under rigid motion.
#include "contact/segment_distance.h"

#include <map>
#include <string>

#include "engine/contact/distance_checks.h"

namespace tendril::contact {
namespace segment_distance_test {

struct Rest {
  double a2, b2;
};

SegmentDistance distance(const Points& x, const Rest& rest) {
  return segmentDistance(point(x, 0), point(x, 1), point(x, 2), point(x, 3), rest.a2, rest.b2);
}
Points gradient(const Points& x, const Rest& rest) { return gradientOf(distance(x, rest)); }
Mat<12> hessian(const Points& x, const Rest& rest) {
  return hessianOf(
      segmentHessian(distance(x, rest), point(x, 0), point(x, 1), point(x, 2), point(x, 3), rest.a2, rest.b2));
}

/// Which end, or inside: "0i" = first end of segment 1, inside segment 2.
std::string caseOf(const SegmentDistance& d) {
  const auto name = [](bool inside, double u) { return inside ? "i" : u == 0 ? "0" : "1"; };
  return std::string(name(d.freeS, d.s)) + name(d.freeT, d.t);
}

/// `h`: step of differences, small against what the closest points need to change case.
void expectDerivatives(const Points& x, const Rest& rest, const std::string& which, double h) {
  ASSERT_EQ(caseOf(distance(x, rest)), which);
  const Points g = gradient(x, rest);
  const Points byDifferences =
      elastic::differenceGradient<12>([&](const Points& y) { return distance(y, rest).distance; }, x, h);
  EXPECT_LT((g - byDifferences).norm(), 1e-6) << which;
  const Mat<12> exact = hessian(x, rest);
  const Mat<12> numeric = elastic::differenceJacobian<12, 12>([&](const Points& y) { return gradient(y, rest); }, x, h);
  EXPECT_LT((exact - numeric).norm(), 1e-5 * exact.norm()) << which;
  EXPECT_LT((exact - exact.transpose()).norm(), 1e-12 * exact.norm()) << which;
}

/// Segments of about unit length whose lines pass at (s, t), `gap` apart, at `angle`.
Points crossing(double s, double t, double gap, double angle) {
  const Vec3 d1(1, 0, 0), d2(1.2 * std::cos(angle), 1.2 * std::sin(angle), 0), p(0.1, -0.3, 0.2);
  return points(p - s * d1, p + (1 - s) * d1, p + Vec3(0, 0, gap) - t * d2, p + Vec3(0, 0, gap) + (1 - t) * d2);
}

const Rest unit{1, 1.44};

TEST(SegmentDistance, BothInside) {
  for (const double angle : {0.05, 0.7, 1.57, 2.4, 3.1}) {
    for (const double gap : {0.01, 0.1, 1.0}) expectDerivatives(crossing(0.3, 0.6, gap, angle), unit, "ii", 1e-5);
  }
}

TEST(SegmentDistance, EndAgainstInside) {
  for (const double gap : {0.02, 0.3}) {
    expectDerivatives(crossing(-0.3, 0.5, gap, 1.3), unit, "0i", 1e-5);
    expectDerivatives(crossing(1.4, 0.5, gap, 1.3), unit, "1i", 1e-5);
    expectDerivatives(crossing(0.5, -0.2, gap, 1.3), unit, "i0", 1e-5);
    expectDerivatives(crossing(0.5, 1.3, gap, 1.3), unit, "i1", 1e-5);
  }
}

TEST(SegmentDistance, EndAgainstEnd) {
  for (const double gap : {0.02, 0.3}) {
    expectDerivatives(crossing(-0.4, -0.5, gap, 1.5), unit, "00", 1e-5);
    expectDerivatives(crossing(1.4, -0.5, gap, 1.5), unit, "10", 1e-5);
    expectDerivatives(crossing(-0.4, 1.5, gap, 1.5), unit, "01", 1e-5);
    expectDerivatives(crossing(1.4, 1.5, gap, 1.5), unit, "11", 1e-5);
  }
}

TEST(SegmentDistance, ParallelAndNearlyParallel) {
  // Side by side, shifted along each other, one way and the other; the spread picks the middle of what overlaps.
  const auto pair = [](double gap, double shift, double tilt) {
    return points(Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(shift, gap, 0), Vec3(shift + 1, gap, 0) + Vec3(0, 0, tilt));
  };
  const Rest rest{1, 1};
  for (const double gap : {0.05, 0.5}) {
    for (const double tilt : {0.0, 1e-9, 1e-6, 1e-4, 1e-3}) {
      for (const double shift : {0.0, 0.2, -0.7}) {
        expectDerivatives(pair(gap, shift, tilt), rest, "ii", 1e-7);
        const SegmentDistance d = distance(pair(gap, shift, 0), rest);
        EXPECT_NEAR(d.s, 0.5 + shift / (2 + segmentSpread), 1e-12);
        EXPECT_NEAR(d.t, 0.5 - shift / (2 + segmentSpread), 1e-12);
      }
      expectDerivatives(pair(gap, 1.3, tilt), rest, "10", 1e-7);
      expectDerivatives(pair(gap, -1.3, tilt), rest, "01", 1e-7);
    }
    Points opposed = pair(gap, 0.2, 0);
    opposed.segment<3>(6).swap(opposed.segment<3>(9));
    expectDerivatives(opposed, rest, "ii", 1e-7);
  }
  // In one line, apart.
  expectDerivatives(points(Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(1.2, 0, 0), Vec3(2, 0, 0)), rest, "10", 1e-6);
}

TEST(SegmentDistance, ShortSegments) {
  // A hundredth and a ten-thousandth of the other's length, and one that has shrunk to a point.
  for (const double length : {1e-2, 1e-4}) {
    const Rest rest{1, length * length};
    const Vec3 t = Vec3(0.3, 0.8, 0.5).normalized(), c(0.4, 0.1, 0.2);
    expectDerivatives(points(Vec3(0, 0, 0), Vec3(1, 0, 0), c, c + length * t), rest, "i0", 1e-3 * length);
    expectDerivatives(points(c, c + length * t, Vec3(0, 0, 0), Vec3(1, 0, 0)), {rest.b2, rest.a2}, "0i", 1e-3 * length);
  }
  expectDerivatives(points(Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0.4, 0.1, 0.2), Vec3(0.4, 0.1, 0.2)), {1, 1}, "ii", 1e-6);
}

TEST(SegmentDistance, ForceIsContinuousWhereCasesChange) {
  // Along random straight paths through configurations every change of case is found by bisection: the gradient is the
  // same on both sides.
  elastic::Chance chance(21);
  std::map<std::string, int> changes;
  for (int k = 0; k < 4000; ++k) {
    Points x, y;
    for (int i = 0; i < 4; ++i) x.segment<3>(3 * i) = chance.vector(), y.segment<3>(3 * i) = chance.vector();
    if (k % 2 == 0) {  // nearly parallel all the way
      x.segment<3>(9) = point(x, 2) + point(x, 1) - point(x, 0) + 0.02 * chance.vector();
      y.segment<3>(9) = point(y, 2) + point(y, 1) - point(y, 0) + 0.02 * chance.vector();
    }
    const Rest rest{chance.uniform(0.1, 3), chance.uniform(0.1, 3)};
    const auto at = [&](double u) { return Points((1 - u) * x + u * y); };
    const auto name = [&](double u) { return caseOf(distance(at(u), rest)); };
    double a = 0, b = 1;
    if (name(a) == name(b)) continue;
    while (b - a > 1e-15) {
      const double middle = 0.5 * (a + b);
      if (middle == a || middle == b) break;
      (name(middle) == name(a) ? a : b) = middle;
    }
    if (distance(at(a), rest).distance < 1e-2) continue;
    EXPECT_LT((gradient(at(a), rest) - gradient(at(b), rest)).norm(), 1e-8) << name(a) << " " << name(b);
    const std::string from = name(a), to = name(b);
    ++changes[std::min(from, to) + "-" + std::max(from, to)];
  }
  // All twelve changes by one end, leaving aside the rare ones by two at once.
  for (const char* change :
       {"00-0i", "01-0i", "10-1i", "11-1i", "00-i0", "10-i0", "01-i1", "11-i1", "0i-ii", "1i-ii", "i0-ii", "i1-ii"}) {
    EXPECT_GT(changes[change], 20) << change;
  }
}

/// Least value over t is that of a point and a segment: only one search is needed.
double leastBySearch(const Points& x, const Rest& rest, double spread) {
  const Vec3 d1 = point(x, 1) - point(x, 0), d2 = point(x, 3) - point(x, 2), r = point(x, 0) - point(x, 2);
  const double ea = spread * rest.a2, eb = spread * rest.b2;
  const auto value = [&](double s) {
    const Vec3 p = r + s * d1;
    const double b = d2.squaredNorm() + eb;
    const double t = b > 0 ? std::clamp((d2.dot(p) + 0.5 * eb) / b, 0.0, 1.0) : 0;
    return (p - t * d2).squaredNorm() + ea * (s - 0.5) * (s - 0.5) + eb * (t - 0.5) * (t - 0.5);
  };
  return std::sqrt(convexMinimum(value));
}

TEST(SegmentDistance, LeastValueBySearchAndBoundOfTheSpread) {
  // D <= distance <= sqrt(D^2 + spread (a^2 + b^2) / 4), D the distance of the centerlines: the closest points of the
  // centerlines are allowed points of the minimum, where the second term is at most that.
  elastic::Chance chance(2);
  double largest = 0;
  for (int k = 0; k < 3000; ++k) {
    Points x;
    const double size = std::pow(10.0, chance.uniform(-3, 1));
    for (int i = 0; i < 4; ++i) x.segment<3>(3 * i) = size * chance.vector();
    if (k % 3 == 0) x.segment<3>(9) = point(x, 2) + (point(x, 1) - point(x, 0)) * chance.uniform(-1, 1);
    if (k % 3 == 1) x.segment<3>(6) = point(x, 0) + 0.02 * size * chance.vector();
    const Rest rest{(point(x, 1) - point(x, 0)).squaredNorm(), (point(x, 3) - point(x, 2)).squaredNorm()};
    const double d = distance(x, rest).distance, centerlines = leastBySearch(x, rest, 0);
    EXPECT_NEAR(d, leastBySearch(x, rest, segmentSpread), 1e-9 * size);
    EXPECT_GE(d, centerlines - 1e-9 * size);
    const double excess = segmentSpread * (rest.a2 + rest.b2) / 4;
    EXPECT_LE(d, std::sqrt(centerlines * centerlines + excess) + 1e-9 * size);
    largest = std::max(largest, (d * d - centerlines * centerlines) / excess);
  }
  EXPECT_GT(largest, 0.99);  // the bound is sharp: ends against ends
}

TEST(SegmentDistance, RigidMotionChangesNothing) {
  elastic::Chance chance(31);
  for (int k = 0; k < 500; ++k) {
    Points x;
    for (int i = 0; i < 4; ++i) x.segment<3>(3 * i) = chance.vector();
    if (k % 2 == 0) x.segment<3>(9) = point(x, 2) + point(x, 1) - point(x, 0);
    const Rest rest{chance.uniform(0.5, 2), chance.uniform(0.5, 2)};
    if (distance(x, rest).distance < 0.02) continue;
    const Points g = gradient(x, rest);
    expectBalance(x, g, 1);
    const Mat3 rotation = randomRotation(chance);
    const Points y = moved(x, rotation, chance.vector());
    EXPECT_NEAR(distance(y, rest).distance, distance(x, rest).distance, 1e-14);
    EXPECT_LT((gradient(y, rest) - moved(g, rotation, Vec3::Zero())).norm(), 1e-9);
    // A common move costs nothing to second order either.
    Mat<12, 3> shifts;
    for (int i = 0; i < 4; ++i) shifts.middleRows<3>(3 * i) = Mat3::Identity();
    const Mat<12> h = hessian(x, rest);
    EXPECT_LT((h * shifts).norm(), 1e-11 * h.norm());
  }
}

TEST(SegmentDistance, OrderOfSegmentsAndOfEndsIsFree) {
  elastic::Chance chance(41);
  for (int k = 0; k < 300; ++k) {
    Points x;
    for (int i = 0; i < 4; ++i) x.segment<3>(3 * i) = chance.vector();
    const Rest rest{1.3, 0.4};
    const double d = distance(x, rest).distance;
    EXPECT_NEAR(distance(points(point(x, 2), point(x, 3), point(x, 0), point(x, 1)), {0.4, 1.3}).distance, d, 1e-12);
    EXPECT_NEAR(distance(points(point(x, 1), point(x, 0), point(x, 2), point(x, 3)), rest).distance, d, 1e-12);
    EXPECT_NEAR(distance(points(point(x, 0), point(x, 1), point(x, 3), point(x, 2)), rest).distance, d, 1e-12);
  }
}

}  // namespace segment_distance_test
}  // namespace tendril::contact
