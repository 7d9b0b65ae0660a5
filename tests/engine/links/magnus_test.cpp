// Magnus steps: order of convergence for a strain that turns, derivatives in the strains and in time.
#include "links/chain/magnus.h"

#include <gtest/gtest.h>

#include <random>

namespace tendril::links {
namespace magnus_test {

geometry::Vec6 strainAt(double s) {
  geometry::Vec6 xi;
  xi << 0.9 * std::sin(2 * s), 1.1 - s * s, 0.7 * std::cos(3 * s), 1 + 0.1 * s, 0.2 * std::sin(s), -0.1 * s * s;
  return xi;
}

geometry::Pose along(int order, int steps) {
  geometry::Pose g;
  const double h = 1.0 / steps;
  const auto points = magnusPoints(order);
  for (int n = 0; n < steps; ++n) {
    std::array<TwistJet, 3> xi;
    for (int i = 0; i < magnusStages(order); ++i)
      xi[i] = {strainAt(h * (n + points[i])), geometry::Vec6::Zero(), geometry::Vec6::Zero()};
    g = g * geometry::exponential(magnusStep(order, h, xi).twist.value);
  }
  return g;
}

TEST(Magnus, HasItsOrder) {
  const geometry::Pose exact = along(6, 400);
  for (const int order : {2, 4, 6}) {
    const auto error = [&](int steps) {
      return geometry::logarithm(geometry::inverse(exact) * along(order, steps)).norm();
    };
    const int coarse = order == 2 ? 32 : 8;
    EXPECT_NEAR(std::log2(error(coarse) / error(2 * coarse)), order, 0.3) << order;
  }
}

std::array<TwistJet, 3> randomStrains(unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-2, 2);
  std::array<TwistJet, 3> xi;
  for (TwistJet& x : xi) {
    for (int k = 0; k < 6; ++k)
      x.value[k] = uniform(random), x.rate[k] = uniform(random), x.acceleration[k] = uniform(random);
  }
  return xi;
}

TEST(Magnus, SlopesAndRatesAreDerivatives) {
  for (const int order : {2, 4, 6}) {
    const auto xi = randomStrains(order);
    const double h = 0.3, d = 1e-3;
    const MagnusStep step = magnusStep(order, h, xi);
    const auto difference = [&](const auto& f) {
      return ((8 * (f(d) - f(-d)) - (f(2 * d) - f(-2 * d))) / (12 * d)).eval();
    };
    // In time: strains move along their rates and accelerations.
    const auto at = [&](double t) {
      auto moved = xi;
      for (TwistJet& x : moved) x.value += t * x.rate + 0.5 * t * t * x.acceleration, x.rate += t * x.acceleration;
      return magnusStep(order, h, moved);
    };
    EXPECT_LT((difference([&](double t) { return at(t).twist.value; }) - step.twist.rate).norm(), 1e-10) << order;
    EXPECT_LT((difference([&](double t) { return at(t).twist.rate; }) - step.twist.acceleration).norm(), 1e-10)
        << order;
    for (int i = 0; i < step.stages; ++i) {
      EXPECT_LT(
          (difference([&](double t) { return at(t).slope[i].value.matrix(); }) - step.slope[i].rate.matrix()).norm(),
          1e-10)
          << order;
      EXPECT_LT(
          (difference([&](double t) { return at(t).slope[i].rate.matrix(); }) - step.slope[i].acceleration.matrix())
              .norm(),
          1e-10)
          << order;
      for (int k = 0; k < 6; ++k) {
        const auto moved = [&](double s) {
          auto x = xi;
          x[i].value[k] += s;
          return magnusStep(order, h, x).twist.value;
        };
        EXPECT_LT((difference(moved) - step.slope[i].value.matrix().col(k)).norm(), 1e-11) << order;
      }
    }
  }
}

TEST(Magnus, BendIsTheSecondDerivative) {
  for (const int order : {2, 4, 6}) {
    const auto xi = randomStrains(order + 10);
    const double h = 0.3, d = 1e-3;
    const geometry::Vec6 y = randomStrains(99)[0].value;
    const MagnusBend bend = magnusBend(order, h, xi, y);
    for (int i = 0; i < magnusStages(order); ++i) {
      for (int j = 0; j < magnusStages(order); ++j) {
        for (int k = 0; k < 6; ++k) {
          const auto gradient = [&](double s) {
            auto x = xi;
            x[j].value[k] += s;
            return geometry::Vec6(magnusStep(order, h, x).slope[i].value.matrix().transpose() * y);
          };
          const geometry::Vec6 difference =
              (8 * (gradient(d) - gradient(-d)) - (gradient(2 * d) - gradient(-2 * d))) / (12 * d);
          EXPECT_LT((difference - geometry::wrenchMatrix(bend[i][j]).col(k)).norm(), 1e-10) << order;
        }
      }
    }
  }
}

}  // namespace magnus_test
}  // namespace tendril::links
