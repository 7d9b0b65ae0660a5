// SE(3): exponential against its power series, logarithm, tangent operator and its derivative, at angles from nothing
// to several turns.
#include "geometry/se3.h"

#include <gtest/gtest.h>

#include <random>

namespace tendril::geometry {
namespace se3_test {

const double angles[] = {0, 1e-9, 1e-5, 1e-3, 0.1, 0.5, 1.9, 2.1, 3.1, 5, 9};

Vec6 twist(std::mt19937& random, double angle, double length = 0.7) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  Vec6 x;
  for (int i = 0; i < 6; ++i) x[i] = uniform(random);
  x.head<3>() *= angle / x.head<3>().norm();
  x.tail<3>() *= length;
  return x;
}

Mat<4> matrix(const Pose& g) {
  Mat<4> m = Mat<4>::Identity();
  m.topLeftCorner<3, 3>() = g.R, m.topRightCorner<3, 1>() = g.r;
  return m;
}

// Scaling and squaring in long double: exact to the digits asked here.
Mat<4> series(const Vec6& x) {
  using Long = Eigen::Matrix<long double, 4, 4>;
  Long a = Long::Zero();
  a.topLeftCorner<3, 3>() = skew(x.head<3>()).cast<long double>(),
                     a.topRightCorner<3, 1>() = x.tail<3>().cast<long double>();
  a /= 1024;
  Long sum = Long::Identity(), term = Long::Identity();
  for (int n = 1; n < 20; ++n) term = term * a / static_cast<long double>(n), sum += term;
  for (int i = 0; i < 10; ++i) sum = sum * sum;
  return sum.cast<double>();
}

TEST(Se3, ExponentialIsItsPowerSeriesAtAnyAngle) {
  std::mt19937 random(1);
  for (const double angle : angles) {
    const Vec6 x = twist(random, angle);
    EXPECT_LT((matrix(exponential(x)) - series(x)).norm(), 2e-15 * (1 + angle)) << angle;
  }
}

TEST(Se3, LogarithmUndoesTheExponential) {
  std::mt19937 random(2);
  for (const double angle : {0.0, 1e-9, 1e-5, 9e-3, 1.1e-2, 0.3, 2.0, 3.0, 3.14159}) {
    const Vec6 x = twist(random, angle);
    EXPECT_LT((logarithm(exponential(x)) - x).norm(), 2e-14) << angle;
  }
  // A half turn: either sign of the axis.
  const Vec6 half = twist(random, pi);
  EXPECT_LT((matrix(exponential(logarithm(exponential(half)))) - matrix(exponential(half))).norm(), 1e-14);
}

TEST(Se3, AdjointMapsAgreeWithConjugation) {
  std::mt19937 random(3);
  const Pose g = exponential(twist(random, 1.3));
  const Vec6 x = twist(random, 0.8), y = twist(random, 0.4), f = twist(random, 1);
  EXPECT_LT((matrix(exponential(adjoint(g) * x)) - matrix(g * exponential(x) * inverse(g))).norm(), 1e-14);
  EXPECT_LT((pullBack(g, adjoint(g) * x) - x).norm(), 1e-14);
  EXPECT_LT((bracketMatrix(x) * y - bracket(x, y)).norm(), 1e-15);
  EXPECT_NEAR(pushWrench(g, f).dot(adjoint(g) * x), f.dot(x), 1e-14);  // power is the same in both frames
  EXPECT_LT((adjoint(exponential(x)) * y - TangentOperator(x).matrix() * bracket(x, y) - y).norm(), 1e-14);
}

TEST(Se3, TangentOperatorIsTheBodyDerivativeOfTheExponential) {
  std::mt19937 random(4);
  for (const double angle : angles) {
    const Vec6 x = twist(random, angle), d = twist(random, 1);
    const double h = 1e-4;
    const auto along = [&](double s) { return Vec6(logarithm(inverse(exponential(x)) * exponential(x + s * d)) / s); };
    const Vec6 difference = (4 * (along(h) + along(-h)) - (along(2 * h) + along(-2 * h))) / 6;
    const Vec6 exact = pullBack(exponential(x), TangentOperator(x).matrix() * d);
    EXPECT_LT((exact - difference).norm(), 1e-10 * (1 + angle)) << angle;
  }
}

TEST(Se3, TangentOperatorHasExactDerivatives) {
  std::mt19937 random(5);
  for (const double angle : angles) {
    const Vec6 x = twist(random, angle), d = twist(random, 1), w = twist(random, 0.8);
    const double h = 1e-3;
    const auto difference = [&](const auto& f) {
      return ((8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h)).eval();
    };
    const TangentOperator T(x);
    const Mat6 rate = difference([&](double s) { return TangentOperator(x + s * d).matrix(); });
    EXPECT_LT((T.along(d) - rate).norm(), 1e-11 * (1 + angle)) << angle;
    EXPECT_LT((T * w - T.matrix() * w).norm(), 1e-15 * (1 + angle)) << angle;
    EXPECT_LT((T.transposedTimes(w) - T.matrix().transpose() * w).norm(), 1e-15 * (1 + angle)) << angle;
    EXPECT_LT((T.rateAlong(d) - T.along(d) * d).norm(), 1e-14 * (1 + angle)) << angle;
    EXPECT_LT((transposedSlope(x, w) * d - rate.transpose() * w).norm(), 1e-11 * (1 + angle)) << angle;
    // In time, along x + s d + s^2 w / 2.
    const auto jet = [&](double s) { return TangentOperator(x + s * d + 0.5 * s * s * w).jet(d + s * w, w); };
    EXPECT_LT((difference([&](double s) { return jet(s).value.matrix(); }) - jet(0).rate.matrix()).norm(),
              1e-11 * (1 + angle));
    EXPECT_LT((difference([&](double s) { return jet(s).rate.matrix(); }) - jet(0).acceleration.matrix()).norm(),
              1e-11 * (1 + angle))
        << angle;
  }
}

TEST(Se3, SeriesAreSmoothWhereTheirFormulaChanges) {
  for (int k = 0; k < 10; ++k) {
    EXPECT_NEAR(ExponentialSeries(9 - 1e-14).e[k], ExponentialSeries(9 + 1e-14).e[k], 1e-14) << k;
  }
  const double h = 1e-4;
  for (const double x : {0.0, 0.3, 3.0, 12.0}) {
    for (int k = 0; k <= 3; ++k) {
      const double slope = (ExponentialSeries(x + h).e[k] - ExponentialSeries(x - h).e[k]) / (2 * h);
      EXPECT_NEAR(ExponentialSeries(x).slope(k), slope, 1e-9) << k << " at " << x;
      const double bend = (ExponentialSeries(x + h).slope(k) - ExponentialSeries(x - h).slope(k)) / (2 * h);
      EXPECT_NEAR(ExponentialSeries(x).bend(k), bend, 1e-9) << k << " at " << x;
      const double third = (ExponentialSeries(x + h).bend(k) - ExponentialSeries(x - h).bend(k)) / (2 * h);
      EXPECT_NEAR(ExponentialSeries(x).third(k), third, 1e-9) << k << " at " << x;
    }
  }
}

}  // namespace se3_test
}  // namespace tendril::geometry
