// Least squares within bounds against problems whose answers are known, and standard errors against certified ones and
// against the spread of many fits.
#include "fit/least_squares.h"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cmath>
#include <functional>
#include <limits>

#include "fit/generator.h"
#include "fit/uncertainty.h"

namespace tendril::test {
namespace least_squares_test {

using Eigen::MatrixXd, Eigen::VectorXd;
constexpr double infinite = std::numeric_limits<double>::infinity();

/// y against a model whose value and slopes are given.
class Curve : public fit::Residuals {
 public:
  using Model = std::function<double(double t, const VectorXd& x, VectorXd& slopes)>;
  Curve(VectorXd t, VectorXd y, double sigma, Model model)
      : t_(std::move(t)), y_(std::move(y)), sigma_(sigma), model_(std::move(model)) {}

  bool evaluate(const VectorXd& x, VectorXd& residuals, MatrixXd* jacobian) override {
    if (refuse && refuse(x)) return false;
    residuals.resize(t_.size());
    if (jacobian) jacobian->resize(t_.size(), x.size());
    for (Eigen::Index i = 0; i < t_.size(); ++i) {
      VectorXd slopes(x.size());
      residuals[i] = (model_(t_[i], x, slopes) - y_[i]) / sigma_;
      if (jacobian) jacobian->row(i) = slopes.transpose() / sigma_;
    }
    return true;
  }
  std::string why() const override { return "refused"; }
  std::function<bool(const VectorXd&)> refuse;

 private:
  VectorXd t_, y_;
  double sigma_;
  Model model_;
};

class Rosenbrock : public fit::Residuals {
 public:
  bool evaluate(const VectorXd& x, VectorXd& r, MatrixXd* J) override {
    r = VectorXd{{10 * (x[1] - x[0] * x[0]), 1 - x[0]}};
    if (J) *J = MatrixXd{{-20 * x[0], 10}, {-1, 0}};
    return true;
  }
};

fit::LeastSquaresOptions within(VectorXd lower, VectorXd upper) {
  fit::LeastSquaresOptions options;
  options.lower = std::move(lower), options.upper = std::move(upper);
  return options;
}

TEST(LeastSquares, FindsTheEndOfRosenbrocksValley) {
  Rosenbrock problem;
  const auto found = fit::minimize(problem, VectorXd{{-1.2, 1}}, {});
  EXPECT_TRUE(fit::converged(found.stop)) << fit::wordsOf(found.stop);
  EXPECT_NEAR(found.x[0], 1, 1e-8);
  EXPECT_NEAR(found.x[1], 1, 1e-8);
  EXPECT_LT(found.iterations, 40);
}

TEST(LeastSquares, StopsAtABoundThatTheValleyCrosses) {
  Rosenbrock problem;
  const auto first = fit::minimize(problem, VectorXd{{-1.2, 1}}, within(VectorXd{{-2, -2}}, VectorXd{{0.5, 2}}));
  EXPECT_TRUE(fit::converged(first.stop)) << fit::wordsOf(first.stop);
  EXPECT_EQ(first.x[0], 0.5);
  EXPECT_NEAR(first.x[1], 0.25, 1e-9);
  EXPECT_NEAR(first.cost, 0.125, 1e-12);
  // With y <= 0.5 the minimum is where -400 x (0.5 - x^2) = 2 (1 - x).
  const auto second = fit::minimize(problem, VectorXd{{-1.2, 0}}, within(VectorXd{{-2, -2}}, VectorXd{{2, 0.5}}));
  double low = 0.5, high = 1;
  for (int i = 0; i < 60; ++i) {
    const double x = 0.5 * (low + high);
    (-400 * x * (0.5 - x * x) - 2 * (1 - x) < 0 ? low : high) = x;
  }
  EXPECT_EQ(second.x[1], 0.5);
  EXPECT_NEAR(second.x[0], low, 1e-8);
}

TEST(LeastSquares, LeavesABoundWhereItStarts) {
  Rosenbrock problem;
  const auto found = fit::minimize(problem, VectorXd{{-2, -2}}, within(VectorXd{{-2, -2}}, VectorXd{{2, 2}}));
  EXPECT_NEAR(found.x[0], 1, 1e-8);
}

/// Misra1a of the Statistical Reference Datasets of NIST: monomolecular adsorption.
Curve misra1a() {
  const VectorXd y{{10.07, 14.73, 17.94, 23.93, 29.61, 35.18, 40.02, 44.82, 50.76, 55.05, 61.01, 66.40, 75.47, 81.78}};
  const VectorXd x{{77.6, 114.9, 141.1, 190.8, 239.9, 289.0, 332.8, 378.4, 434.8, 477.3, 536.8, 593.1, 689.1, 760.0}};
  return {x, y, 1, [](double t, const VectorXd& b, VectorXd& slopes) {
            const double e = std::exp(-b[1] * t);
            slopes[0] = 1 - e, slopes[1] = b[0] * t * e;
            return b[0] * (1 - e);
          }};
}

fit::MinimumSample sampleOf(const fit::LeastSquaresResult& found, VectorXd range, bool known) {
  fit::MinimumSample sample;
  sample.jacobian = found.jacobian, sample.residuals = found.residuals, sample.data = found.residuals.size();
  sample.range = std::move(range), sample.knownVariance = known;
  sample.free.assign(std::size_t(sample.range.size()), true);
  return sample;
}

TEST(LeastSquares, MeetsTheCertifiedValuesAndStandardErrorsOfMisra1a) {
  for (const VectorXd& start : {VectorXd{{500, 1e-4}}, VectorXd{{250, 5e-4}}}) {
    Curve problem = misra1a();
    fit::LeastSquaresOptions options;
    options.decrease = 1e-14;
    const auto found = fit::minimize(problem, start, options);
    EXPECT_NEAR(found.x[0] / 2.3894212918e2, 1, 1e-8);
    EXPECT_NEAR(found.x[1] / 5.5015643181e-4, 1, 1e-8);
    EXPECT_NEAR(2 * found.cost / 1.2455138894e-1, 1, 1e-9);
    const auto known = fit::uncertaintyOf(sampleOf(found, VectorXd{{1000, 1e-2}}, false));
    EXPECT_NEAR(std::sqrt(known.variance) / 1.0187876330e-1, 1, 1e-8);
    EXPECT_NEAR(known.standardError[0] / 2.7070075241, 1, 1e-6);
    EXPECT_NEAR(known.standardError[1] / 7.2668688436e-6, 1, 1e-6);
    EXPECT_LT(known.correlation(0, 1), -0.99);
    EXPECT_TRUE(known.identifiable[0] && known.identifiable[1]);
  }
}

/// exp(-(a + b) t) with an amplitude: only the sum of a and b matters.
TEST(LeastSquares, SaysWhichCombinationNothingTells) {
  const VectorXd t = VectorXd::LinSpaced(20, 0, 2);
  Curve problem(t, (-1.5 * t.array()).exp() * 2, 0.01, [](double time, const VectorXd& x, VectorXd& slopes) {
    const double e = std::exp(-(x[0] + x[1]) * time);
    slopes = VectorXd{{-time * x[2] * e, -time * x[2] * e, e}};
    return x[2] * e;
  });
  const auto found =
      fit::minimize(problem, VectorXd{{0.2, 0.4, 1}}, within(VectorXd::Zero(3), VectorXd::Constant(3, 5)));
  EXPECT_NEAR(found.x[0] + found.x[1], 1.5, 1e-6);
  EXPECT_NEAR(found.x[2], 2, 1e-6);
  const auto known = fit::uncertaintyOf(sampleOf(found, VectorXd::Constant(3, 5), true));
  EXPECT_EQ(known.identifiable, (std::vector<bool>{false, false, true}));
  EXPECT_EQ(known.standardError[0], infinite);
  EXPECT_TRUE(std::isfinite(known.standardError[2]));
  const fit::Direction& untold = known.directions.back();
  EXPECT_FALSE(untold.told);
  EXPECT_NEAR(std::abs(untold.combination[0]), std::sqrt(0.5), 1e-9);
  EXPECT_NEAR(untold.combination[0], -untold.combination[1], 1e-9);
  EXPECT_NEAR(untold.combination[2], 0, 1e-9);
}

double line(double t, const VectorXd& x, VectorXd& slopes) {
  slopes = VectorXd{{1, t}};
  return x[0] + x[1] * t;
}

TEST(LeastSquares, HubersLossBearsOutliersThatSquaresDoNot) {
  const VectorXd t = VectorXd::LinSpaced(50, 0, 1);
  VectorXd y = 1 + 2 * t.array();
  fit::Generator noise(3);
  for (double& value : y) value += 0.01 * noise.normal();
  for (Eigen::Index i = 2; i < 50; i += 10) y[i] += 3;
  Curve problem(t, y, 0.01, line);
  const auto squares = fit::minimize(problem, VectorXd::Zero(2), {});
  fit::LeastSquaresOptions options;
  options.huber = VectorXd::Constant(50, 2);
  const auto huber = fit::minimize(problem, VectorXd::Zero(2), options);
  EXPECT_TRUE(fit::converged(huber.stop)) << fit::wordsOf(huber.stop);
  EXPECT_GT(std::abs(squares.x[0] - 1), 0.2);
  auto sample = sampleOf(huber, VectorXd::Constant(2, 10), true);
  sample.huber = options.huber;
  const auto known = fit::uncertaintyOf(sample);
  for (int j = 0; j < 2; ++j) {
    EXPECT_LT(std::abs(huber.x[j] - (j + 1)), 3 * known.standardError[j]);
    EXPECT_LT(known.standardError[j], 0.015);
  }
}

TEST(LeastSquares, StandardErrorsAreTheSpreadOfFitsToNewNoise) {
  const VectorXd t = VectorXd::LinSpaced(40, 0, 3);
  for (const double threshold : {infinite, 1.5}) {
    double sum = 0, squares = 0, product = 0;
    constexpr int fits = 50;
    for (int seed = 0; seed < fits; ++seed) {
      fit::Generator noise(std::uint64_t(seed) + 1);
      VectorXd y = 3 * (-0.8 * t.array()).exp();
      for (double& value : y) value += 0.05 * noise.normal();
      Curve problem(t, y, 0.05, [](double time, const VectorXd& x, VectorXd& slopes) {
        const double e = std::exp(-x[1] * time);
        slopes = VectorXd{{e, -time * x[0] * e}};
        return x[0] * e;
      });
      auto options = within(VectorXd{{0, 0}}, VectorXd{{10, 10}});
      if (std::isfinite(threshold)) options.huber = VectorXd::Constant(t.size(), threshold);
      const auto found = fit::minimize(problem, VectorXd{{1, 0.1}}, options);
      ASSERT_TRUE(fit::converged(found.stop)) << seed << ": " << fit::wordsOf(found.stop);
      auto sample = sampleOf(found, VectorXd{{10, 10}}, true);
      sample.huber = options.huber;
      const auto known = fit::uncertaintyOf(sample);
      const double a = (found.x[0] - 3) / known.standardError[0], b = (found.x[1] - 0.8) / known.standardError[1];
      sum += a + b, squares += a * a + b * b, product += a * b;
    }
    const double mean = sum / (2 * fits), spread = std::sqrt(squares / (2 * fits) - mean * mean);
    EXPECT_GT(spread, 0.8) << threshold;
    EXPECT_LT(spread, 1.2) << threshold;
    EXPECT_GT(product / fits, 0) << "amplitude and rate are correlated";
  }
}

TEST(LeastSquares, APointWithoutResidualsShortensTheStepAndIsCounted) {
  const VectorXd t = VectorXd::LinSpaced(10, 0, 1);
  Curve problem(t, 1 + 2 * t.array(), 1, line);
  int asked = 0;
  problem.refuse = [&asked](const VectorXd& x) { return ++asked, x[1] > 1 && x[0] < 0.5; };
  const auto found = fit::minimize(problem, VectorXd{{-3, 0}}, {});
  EXPECT_TRUE(fit::converged(found.stop)) << fit::wordsOf(found.stop);
  EXPECT_NEAR(found.x[0], 1, 1e-7);
  EXPECT_NEAR(found.x[1], 2, 1e-7);
  Curve never(t, t, 1, line);
  never.refuse = [](const VectorXd&) { return true; };
  const auto none = fit::minimize(never, VectorXd::Zero(2), {});
  EXPECT_EQ(none.stop, fit::Stop::noStart);
  EXPECT_EQ(none.reason, "refused");
  EXPECT_EQ(none.gaveUp, 1);
}

TEST(LeastSquares, AWallOfRefusalsIsNotAMinimum) {
  const VectorXd t = VectorXd::LinSpaced(10, 0, 1);
  Curve problem(t, 1 + 2 * t.array(), 1, line);
  problem.refuse = [](const VectorXd& x) { return x[0] > 0.5; };
  const auto found = fit::minimize(problem, VectorXd{{0.5, 0}}, {});
  EXPECT_GT(found.gaveUp, 0);
  EXPECT_FALSE(fit::converged(found.stop)) << fit::wordsOf(found.stop);
}

TEST(LeastSquares, StopsWithTheBestSoFarWhenAsked) {
  Rosenbrock problem;
  fit::LeastSquaresOptions options;
  double best = 0;
  options.goOn = [&best](const fit::LeastSquaresState& now) { return best = now.cost, now.iterations < 5; };
  const auto found = fit::minimize(problem, VectorXd{{-1.2, 1}}, options);
  EXPECT_EQ(found.stop, fit::Stop::asked);
  EXPECT_EQ(found.cost, best);
  EXPECT_LT(found.cost, 12.1) << "of the start";
}

TEST(FitStarts, FillTheCubeEvenlyAndDependOnTheSeedAlone) {
  int cells[16] = {};
  for (int k = 0; k < 64; ++k) {
    const VectorXd p = fit::evenPoint(7, k, 2);
    EXPECT_EQ(p, fit::evenPoint(7, k, 2));
    ASSERT_TRUE(p.minCoeff() >= 0 && p.maxCoeff() < 1);
    ++cells[int(4 * p[0]) * 4 + int(4 * p[1])];
  }
  for (const int count : cells) EXPECT_TRUE(count >= 2 && count <= 6) << count;
  EXPECT_NE(fit::evenPoint(7, 0, 2), fit::evenPoint(8, 0, 2));
}

}  // namespace least_squares_test
}  // namespace tendril::test
