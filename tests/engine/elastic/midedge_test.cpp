// The mid-edge shape operator: Morley's element in the linear limit, a cylinder's curvature with sign and order of
// convergence, and the exact derivatives of the bending energy of a triangle with its three neighbors.
#include "elastic/midedge.h"

#include <gtest/gtest.h>

#include "elastic/hinge.h"
#include "engine/elastic/differences.h"
#include "geometry/frames.h"

namespace tendril::elastic {
namespace midedge_test {

using X21 = Vec<21>;  // corners (9), the neighbors' far corners (9), psi (3)

Mat<2> tensor(const Vec3& s) {
  Mat<2> S;
  S << s[0], s[2], s[2], s[1];
  return S;
}

/// A triangle, its three neighbors and how alpha depends on them.
struct Patch {
  Mat3 Q;
  Vec3 bar;
  Vec3 sign;

  HingeShape hinge(const X21& x, int k) const {
    const int i = (k + 1) % 3, j = (k + 2) % 3;  // the neighbor runs through the edge from j to i
    return hingeShape(x.segment<3>(3 * j), x.segment<3>(3 * i), x.segment<3>(3 * k), x.segment<3>(9 + 3 * k));
  }
  Vec3 alpha(const X21& x) const {
    Vec3 a;
    for (int k = 0; k < 3; ++k) a[k] = 0.5 * hinge(x, k).angle + sign[k] * x[18 + k];
    return a;
  }
  double energy(const X21& x) const { return 0.5 * (alpha(x) - bar).dot(Q * (alpha(x) - bar)); }

  static int place(int k, int corner) {
    const int at[4] = {3 * ((k + 2) % 3), 3 * ((k + 1) % 3), 3 * k, 9 + 3 * k};
    return at[corner];
  }
  Mat<3, 21> alphaGradient(const X21& x) const {
    Mat<3, 21> B = Mat<3, 21>::Zero();
    for (int k = 0; k < 3; ++k) {
      const HingeGradient g = hingeGradient(hinge(x, k));
      for (int c = 0; c < 4; ++c) B.block<1, 3>(k, place(k, c)) += 0.5 * g.g[c].transpose();
      B(k, 18 + k) = sign[k];
    }
    return B;
  }
  X21 gradient(const X21& x) const { return alphaGradient(x).transpose() * (Q * (alpha(x) - bar)); }
  Mat<21> hessian(const X21& x) const {
    const Mat<3, 21> B = alphaGradient(x);
    const Vec3 stress = Q * (alpha(x) - bar);
    Mat<21> H = B.transpose() * Q * B;
    for (int k = 0; k < 3; ++k) {
      const HingeShape s = hinge(x, k);
      Mat<12> h = Mat<12>::Zero();
      addHingeCurvature(s, hingeGradient(s), 0.5 * stress[k], h);
      for (int a = 0; a < 4; ++a) {
        for (int b = 0; b < 4; ++b) H.block<3, 3>(place(k, a), place(k, b)) += h.block<3, 3>(3 * a, 3 * b);
      }
    }
    return H;
  }
};

/// A patch folded by up to `fold` rad over every edge.
X21 makeState(Chance& chance, double fold) {
  X21 x;
  const Vec3 corners[3] = {Vec3(0, 0, 0), Vec3(1, 0.1, 0), Vec3(0.3, 0.9, 0)};
  const Vec3 axis = chance.direction(), at = chance.vector();
  const double turn = chance.uniform(-3, 3);
  for (int k = 0; k < 3; ++k) {
    const Vec3 &p = corners[(k + 1) % 3], &q = corners[(k + 2) % 3];
    const Vec3 edge = (q - p).normalized();
    const Vec3 outward = edge.cross(Vec3::UnitZ());
    const Vec3 far = geometry::rotate(chance.uniform(0.4, 1) * outward, edge, chance.uniform(-fold, fold));
    const Vec3 y = p + chance.uniform(0, 1) * (q - p) + far;
    x.segment<3>(3 * k) = at + geometry::rotate(corners[k], axis, turn);
    x.segment<3>(9 + 3 * k) = at + geometry::rotate(y, axis, turn);
    x[18 + k] = chance.uniform(-0.5, 0.5);
  }
  return x;
}

TEST(Midedge, EnergyOfAPatchHasExactDerivatives) {
  Chance chance(21);
  for (double fold : {0.0, 0.1, 1.0, 2.8}) {
    for (int k = 0; k < 20; ++k) {
      const X21 x = makeState(chance, fold);
      Patch p;
      p.Q = midedgeStiffness(Vec3(0, 0, 0), Vec3(1, 0.1, 0), Vec3(0.3, 0.9, 0), 0.7, chance.uniform(-0.5, 0.5));
      p.bar = 0.3 * chance.vector();
      for (int i = 0; i < 3; ++i) p.sign[i] = chance.uniform(-1, 1) < 0 ? -1 : 1;
      const X21 g = p.gradient(x);
      const X21 gd = differenceGradient<21>([&](const X21& y) { return p.energy(y); }, x, 1e-3);
      EXPECT_LT((g - gd).norm(), 1e-8 * g.norm()) << fold;
      const Mat<21> H = p.hessian(x);
      const Mat<21> Hd = differenceJacobian<21, 21>([&](const X21& y) { return p.gradient(y); }, x, 1e-3);
      EXPECT_LT((H - Hd).norm(), 1e-7 * H.norm()) << fold;
      EXPECT_LT((H - H.transpose()).norm(), 1e-13 * H.norm());
    }
  }
}

TEST(Midedge, AlphaIsTheLeanOfTheMidEdgeNormal) {
  Chance chance(22);
  Patch p;
  p.sign = Vec3(1, 1, 1);
  for (int n = 0; n < 20; ++n) {
    const X21 x = makeState(chance, 2.0);
    const Vec3 alpha = p.alpha(x);
    const Vec3 normal = (x.segment<3>(3) - x.segment<3>(0)).cross(x.segment<3>(6) - x.segment<3>(0)).normalized();
    for (int k = 0; k < 3; ++k) {
      const Vec3 a = x.segment<3>(3 * ((k + 1) % 3)), b = x.segment<3>(3 * ((k + 2) % 3)), y = x.segment<3>(9 + 3 * k);
      const Vec3 edge = (a - b).normalized();  // as the neighbor runs through it
      const Vec3 neighbor = (a - b).cross(y - b).normalized();
      const Vec3 middle = geometry::rotate((normal + neighbor).normalized(), edge, x[18 + k]);
      EXPECT_NEAR(geometry::signedAngle(normal, middle, edge), alpha[k], 1e-13);
    }
  }
}

TEST(Midedge, OperatorGivesTheHessianOfAQuadraticDeflection) {
  // Morley's element: w = X^T K X / 2 over any triangle, alpha_k the slope of w above its corners' plane, outward at
  // the middle of edge k.
  Chance chance(23);
  for (int n = 0; n < 50; ++n) {
    Vec3 x[3];
    do {
      for (Vec3& v : x) v = Vec3(chance.uniform(-1, 1), chance.uniform(-1, 1), 0);
    } while ((x[1] - x[0]).cross(x[2] - x[0]).z() < 0.3);
    Mat<2> K;
    const double twist = chance.uniform(-1, 1), k1 = chance.uniform(-1, 1);
    K << k1, twist, twist, chance.uniform(-1, 1);
    const MembraneRest rest = membraneRest(x[0], x[1], x[2]);
    Vec<2> plane = Vec<2>::Zero(), p[3];  // slope of the plane through the corners, in the triangle's frame
    for (int i = 0; i < 3; ++i) {
      p[i] = rest.frame.transpose() * x[i];
      plane += 0.5 * p[i].dot(K * p[i]) * rest.gradient.col(i);
    }
    Vec3 alpha;
    for (int k = 0; k < 3; ++k) {
      const Vec<2> outward = -rest.gradient.col(k).normalized();
      alpha[k] = (0.5 * K * (p[(k + 1) % 3] + p[(k + 2) % 3]) - plane).dot(outward);
    }
    EXPECT_LT((tensor(midedgeOperator(x[0], x[1], x[2]) * alpha) - K).norm(), 1e-13);
  }
}

TEST(Midedge, StiffnessIsTheEnergyOfTheShapeOperator) {
  Chance chance(24);
  for (int n = 0; n < 50; ++n) {
    const Vec3 x[3] = {chance.vector(), chance.vector(), chance.vector()};
    const Vec3 alpha = chance.vector();
    const double D = 2.5, nu = chance.uniform(-0.5, 0.5), area = 0.5 * (x[1] - x[0]).cross(x[2] - x[0]).norm();
    const Mat<2> S = tensor(midedgeOperator(x[0], x[1], x[2]) * alpha);
    const double energy = area * 0.5 * D * ((1 - nu) * (S * S).trace() + nu * S.trace() * S.trace());
    const Mat3 Q = midedgeStiffness(x[0], x[1], x[2], D, nu);
    EXPECT_NEAR(0.5 * alpha.dot(Q * alpha), energy, 1e-12 * energy);
    EXPECT_EQ((Q - Q.transpose()).norm(), 0.0);
    for (double limit : {-0.99, 0.5}) {
      const Mat3 P = midedgeStiffness(x[0], x[1], x[2], D, limit);
      EXPECT_GT(P.determinant(), 0);
      EXPECT_GT(alpha.dot(P * alpha), 0);
    }
  }
}

/// Point of the development on a cylinder about y that rises toward +z, the side of the normals.
Vec3 onCylinder(const Vec3& X, double R) { return Vec3(R * std::sin(X.x() / R), X.y(), R * (1 - std::cos(X.x() / R))); }

/// Shape operator in the axes of the development, and bending energy per area with D = 1, of a triangle of size h in a
/// regular mesh, where the mid-edge normals are the average normals.
Mat<2> cylinderOperator(double h, double R, double nu, double& density) {
  const Vec3 X[3] = {Vec3(0.1, 0.2, 0), h * Vec3(1, 0.25, 0) + Vec3(0.1, 0.2, 0),
                     h * Vec3(0.4, 0.9, 0) + Vec3(0.1, 0.2, 0)};
  X21 x = X21::Zero();
  for (int k = 0; k < 3; ++k) {
    x.segment<3>(3 * k) = onCylinder(X[k], R);
    x.segment<3>(9 + 3 * k) = onCylinder(X[(k + 1) % 3] + X[(k + 2) % 3] - X[k], R);
  }
  Patch p;
  p.sign = Vec3(1, 1, 1);
  p.Q = midedgeStiffness(X[0], X[1], X[2], 1.0, nu);
  p.bar.setZero();
  const MembraneRest rest = membraneRest(X[0], X[1], X[2]);
  density = p.energy(x) / rest.area;
  const Mat<2> axes = rest.frame.topRows<2>();
  return axes * tensor(midedgeOperator(X[0], X[1], X[2]) * p.alpha(x)) * axes.transpose();
}

TEST(Midedge, CylinderHasItsCurvatureTowardTheNormalToSecondOrder) {
  const double R = 0.8, D = 1.0;
  Mat<2> exact = Mat<2>::Zero();
  exact(0, 0) = 1 / R;
  double before = 0, energyBefore = 0;
  for (double h : {0.2, 0.1, 0.05, 0.025}) {
    double density = 0;
    const double error = (cylinderOperator(h, R, 0.4, density) - exact).norm() * R;
    const double energyError = std::abs(density / (0.5 * D / (R * R)) - 1);
    if (before > 0) {
      EXPECT_NEAR(before / error, 4, 0.2);
      EXPECT_NEAR(energyBefore / energyError, 4, 0.2);
    }
    before = error, energyBefore = energyError;
  }
  EXPECT_LT(before, 5e-4);
  EXPECT_LT(energyBefore, 5e-4);
}

TEST(Midedge, IrregularTrianglesOnACylinderConverge) {
  // psi turns the average normals to the cylinder's own ones; then any triangle shape is consistent.
  Chance chance(25);
  const double R = 1.2;
  double worst[2] = {0, 0};
  for (int n = 0; n < 20; ++n) {
    Vec3 shape[3];
    do {
      for (Vec3& v : shape) v = Vec3(chance.uniform(-1, 1), chance.uniform(-1, 1), 0);
    } while ((shape[1] - shape[0]).cross(shape[2] - shape[0]).z() < 0.5);
    for (int level = 0; level < 2; ++level) {
      const double h = level ? 0.005 : 0.01;
      Vec3 X[3], x[3], alpha;
      for (int k = 0; k < 3; ++k) X[k] = h * shape[k], x[k] = onCylinder(X[k], R);
      const Vec3 normal = (x[1] - x[0]).cross(x[2] - x[0]).normalized();
      for (int k = 0; k < 3; ++k) {
        const Vec3 edge = (x[(k + 1) % 3] - x[(k + 2) % 3]).normalized();
        const double angle = 0.5 * (X[(k + 1) % 3] + X[(k + 2) % 3]).x() / R;
        Vec3 smooth(-std::sin(angle), 0, std::cos(angle));
        smooth = (smooth - smooth.dot(edge) * edge).normalized();
        alpha[k] = geometry::signedAngle(normal, smooth, edge);
      }
      const Mat<2> axes = membraneRest(X[0], X[1], X[2]).frame.topRows<2>();
      const Mat<2> S = axes * tensor(midedgeOperator(X[0], X[1], X[2]) * alpha) * axes.transpose();
      Mat<2> exact = Mat<2>::Zero();
      exact(0, 0) = 1 / R;
      worst[level] = std::max(worst[level], (S - exact).norm() * R);
    }
  }
  EXPECT_LT(worst[0], 2e-2);
  EXPECT_LT(worst[1], 0.6 * worst[0]);
}

}  // namespace midedge_test
}  // namespace tendril::elastic
