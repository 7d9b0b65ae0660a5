// Signed distance of convex bodies: against the largest distance to their supporting planes (an independent formula),
// exact derivatives in every region inside and outside, normals continuous where regions meet.
#include "geometry/signed_distance.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "engine/elastic/differences.h"

namespace tendril::geometry {
namespace signed_distance_test {

/// A body by its distance and by its support function: the largest n . y over its points y.
struct Body {
  std::string name;
  std::function<SignedDistance(const Vec3&)> at;
  std::function<double(const Vec3&)> support;
};

const Vec3 center(0.3, -0.2, 0.5), half(0.5, 0.8, 0.3);
const Mat3 axes = Eigen::AngleAxisd(0.9, Vec3(1, 2, -1).normalized()).toRotationMatrix();
const Vec3 endA(0.1, 0.2, -0.3), endB(0.9, -0.4, 0.6);
constexpr double radius = 0.35;

Body sphere() {
  return {"sphere", [](const Vec3& x) { return sphereDistance(x, center, radius); },
          [](const Vec3& n) { return n.dot(center) + radius; }};
}
Body box() {
  return {"box", [](const Vec3& x) { return boxDistance(x, center, half, axes); },
          [](const Vec3& n) { return n.dot(center) + (axes.transpose() * n).cwiseAbs().dot(half); }};
}
Body capsule() {
  return {"capsule", [](const Vec3& x) { return capsuleDistance(x, endA, endB, radius); },
          [](const Vec3& n) { return std::max(n.dot(endA), n.dot(endB)) + radius; }};
}
Body cylinder() {
  return {"cylinder", [](const Vec3& x) { return cylinderDistance(x, endA, endB, radius); },
          [](const Vec3& n) {
            return std::max(n.dot(endA), n.dot(endB)) + radius * n.cross((endB - endA).normalized()).norm();
          }};
}
Body disc() {
  // Flatter than wide: inside, the flat ends are nearer.
  static const Vec3 top = endA + 0.2 * (endB - endA).normalized();
  return {"disc", [](const Vec3& x) { return cylinderDistance(x, endA, top, radius); },
          [](const Vec3& n) {
            return std::max(n.dot(endA), n.dot(top)) + radius * n.cross((endB - endA).normalized()).norm();
          }};
}
std::vector<Body> bodies() { return {sphere(), box(), capsule(), cylinder(), disc()}; }

/// For a convex body the signed distance is the largest of n . x - support(n) over unit n, inside and outside.
double bySupportingPlanes(const Body& body, const Vec3& x, elastic::Chance& chance) {
  const auto value = [&](const Vec3& n) { return n.dot(x) - body.support(n); };
  double most = -1e300;
  Vec3 best = Vec3::UnitX();
  const auto attempt = [&](const Vec3& n) {
    if (value(n) > most) most = value(n), best = n;
  };
  for (int i = 0; i < 4000; ++i) attempt(chance.direction());
  for (int k = 0; k < 3; ++k) {
    for (const double sign : {-1.0, 1.0}) {
      attempt(sign * axes.col(k));  // inside, faces are the only planes that count
    }
  }
  attempt((endB - endA).normalized()), attempt((endA - endB).normalized());
  for (double size = 0.1; size > 1e-6;) {
    const double before = most;
    for (int i = 0; i < 60; ++i) attempt((best + size * chance.vector()).normalized());
    if (most == before) size *= 0.5;
  }
  return most;
}

TEST(SignedDistance, AgainstSupportingPlanes) {
  elastic::Chance chance(5);
  for (const Body& body : bodies()) {
    int inside = 0;
    for (int k = 0; k < 90; ++k) {
      const Vec3 x = (k % 3 == 2 ? endA : center) + (k % 3 ? 0.3 : 1.5) * chance.vector();
      const double d = body.at(x).distance;
      inside += d < 0;
      // Its own normal attains the largest value exactly; the search finds none larger, and comes close to it.
      const Vec3 n = body.at(x).normal;
      EXPECT_NEAR(d, n.dot(x) - body.support(n), 1e-13) << body.name << " " << x.transpose();
      const double planes = bySupportingPlanes(body, x, chance);
      EXPECT_GE(d, planes - 1e-12) << body.name << " " << x.transpose();
      EXPECT_LE(d, planes + 3e-3) << body.name << " " << x.transpose();
    }
    EXPECT_GT(inside, 3) << body.name;
  }
}

/// Differences over a stencil that stays in one region: the normal's derivative must look smooth at two steps.
void expectDerivatives(const Body& body, const Vec3& x) {
  const double h = 1e-5;
  const SignedDistance d = body.at(x);
  EXPECT_NEAR(d.normal.norm(), 1, 1e-14);
  const Vec3 normal = elastic::differenceGradient<3>([&](const Vec3& y) { return body.at(y).distance; }, x, h);
  EXPECT_LT((d.normal - normal).norm(), 1e-6) << body.name << " " << x.transpose();
  const Mat3 hessian = elastic::differenceJacobian<3, 3>([&](const Vec3& y) { return body.at(y).normal; }, x, h);
  EXPECT_LT((d.hessian - hessian).norm(), 1e-5 * std::max(1.0, d.hessian.norm())) << body.name << " " << x.transpose();
  EXPECT_LT((d.hessian - d.hessian.transpose()).norm(), 1e-14 * std::max(1.0, d.hessian.norm()));
}

TEST(SignedDistance, SphereInsideAndOutside) {
  for (const double r : {0.05, 0.3, 0.36, 2.0}) expectDerivatives(sphere(), center + r * Vec3(1, -2, 2) / 3);
}

TEST(SignedDistance, BoxFacesEdgesCornersAndInside) {
  elastic::Chance chance(3);
  // Per axis: below, within or above; 26 regions outside. Within, faces near enough to be the nearest.
  for (int region = 0; region < 27; ++region) {
    const int side[3] = {region % 3 - 1, region / 3 % 3 - 1, region / 9 - 1};
    if (region == 13) continue;
    Vec3 local;
    for (int k = 0; k < 3; ++k) local[k] = side[k] ? side[k] * (half[k] + chance.uniform(0.02, 0.4)) : 0.3 * half[k];
    expectDerivatives(box(), center + axes * local);
    // The distance is that of what sticks out.
    double square = 0;
    for (int k = 0; k < 3; ++k) square += side[k] ? std::pow(std::abs(local[k]) - half[k], 2) : 0;
    EXPECT_NEAR(box().at(center + axes * local).distance, std::sqrt(square), 1e-14);
  }
  for (int k = 0; k < 3; ++k) {
    for (const double sign : {-1.0, 1.0}) {
      Vec3 local(0.01, -0.02, 0.015);
      local[k] = sign * (half[k] - 0.05);
      const Vec3 x = center + axes * local;
      expectDerivatives(box(), x);
      EXPECT_NEAR(box().at(x).distance, -0.05, 1e-14);
      EXPECT_LT((box().at(x).normal - sign * axes.col(k)).norm(), 1e-14);
    }
  }
}

TEST(SignedDistance, CapsuleSideAndEnds) {
  const Vec3 t = (endB - endA).normalized(), n = t.unitOrthogonal();
  for (const double r : {0.05, 0.34, 0.36, 1.5}) {
    expectDerivatives(capsule(), endA + 0.4 * (endB - endA) + r * n);
    expectDerivatives(capsule(), endA - r * (0.8 * t + 0.6 * n));
    expectDerivatives(capsule(), endB + r * (0.6 * t + 0.8 * n));
  }
}

TEST(SignedDistance, CylinderSideEndsRimAndInside) {
  for (const Body& body : {cylinder(), disc()}) {
    const Vec3 top = body.name == "disc" ? Vec3(endA + 0.2 * (endB - endA).normalized()) : endB;
    const Vec3 t = (top - endA).normalized(), n = t.unitOrthogonal(), middle = 0.5 * (endA + top);
    for (const double r : {radius + 0.001, radius + 0.1, 2.0}) expectDerivatives(body, middle + r * n + 0.01 * t);
    for (const double sign : {-1.0, 1.0}) {
      const Vec3 out = sign * t, end = sign > 0 ? top : endA;
      for (const double over : {0.001, 0.2, 1.0}) {
        expectDerivatives(body, end + over * out + 0.2 * n);             // flat end
        expectDerivatives(body, end + over * out);                       // on the axis
        expectDerivatives(body, end + over * out + (radius + 0.3) * n);  // rim
        expectDerivatives(body, end + over * out + (radius + 0.01) * n);
        EXPECT_NEAR(body.at(end + over * out + (radius + 0.3) * n).distance, std::hypot(over, 0.3), 1e-14);
      }
      expectDerivatives(body, end - 0.03 * out + 0.1 * n);              // inside, at the flat end
      expectDerivatives(body, end - 0.08 * out + (radius - 0.02) * n);  // inside, at the side
      EXPECT_NEAR(body.at(end - 0.03 * out + 0.1 * n).distance, -0.03, 1e-14);
      EXPECT_NEAR(body.at(end - 0.08 * out + (radius - 0.02) * n).distance, -0.02, 1e-14);
    }
  }
}

TEST(SignedDistance, PlaneIsFlat) {
  const Vec3 n = Vec3(1, 2, -2) / 3;
  const Body plane{"plane", [&](const Vec3& x) { return planeDistance(x, center, n); }, {}};
  for (const double height : {-3.0, 0.0, 2.0}) {
    const Vec3 x = center + height * n + 5 * n.unitOrthogonal();
    EXPECT_NEAR(plane.at(x).distance, height, 1e-14);
    expectDerivatives(plane, x);
  }
}

TEST(SignedDistance, NormalizContinuousOutside) {
  // Along random lines outside, over all seams of regions: it turns by at most step / distance (the distance to a
  // convex body curves no more than that to a point); and the distance is continuous everywhere, with slope at most 1.
  elastic::Chance chance(8);
  for (const Body& body : bodies()) {
    int outside = 0;
    for (int k = 0; k < 40; ++k) {
      const Vec3 a = center + 1.5 * chance.vector(), b = center + 1.5 * chance.vector();
      const int steps = 5000;
      const double step = (b - a).norm() / steps;
      SignedDistance last = body.at(a);
      for (int i = 1; i <= steps; ++i) {
        const SignedDistance d = body.at(a + (b - a) * i / steps);
        ASSERT_LE(std::abs(d.distance - last.distance), step * (1 + 1e-9));
        const double nearest = std::min(d.distance, last.distance);
        if (nearest > 0.01) {
          ++outside;
          ASSERT_LE((d.normal - last.normal).norm(), 1.01 * step / nearest + 1e-12) << body.name;
        }
        last = d;
      }
    }
    EXPECT_GT(outside, 10000);
  }
}

TEST(SignedDistance, OnTheAxisTheNormalPointsAcrossIt) {
  // Also for bodies along z; a point there is pushed out sideways.
  for (const Vec3& axis : {Vec3(0, 0, 2), Vec3(1, 2, 3), Vec3(0, -2, 0)}) {
    for (const SignedDistance& d : {capsuleDistance(0.5 * axis, Vec3::Zero(), axis, 0.1),
                                    cylinderDistance(0.5 * axis, Vec3::Zero(), axis, 0.1)}) {
      EXPECT_NEAR(d.distance, -0.1, 1e-14);
      EXPECT_NEAR(d.normal.norm(), 1, 1e-14);
      EXPECT_NEAR(d.normal.dot(axis), 0, 1e-14);
      EXPECT_TRUE(d.hessian.allFinite());
    }
  }
  const SignedDistance d = sphereDistance(center, center, radius);
  EXPECT_EQ(d.distance, -radius);
  EXPECT_NEAR(d.normal.norm(), 1, 1e-15);
}

}  // namespace signed_distance_test
}  // namespace tendril::geometry
