// The penalty against numbers of 60-digit arithmetic, its derivatives by differences, and its behavior far inside and
// far outside.
#include "contact/penalty.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tendril::contact {
namespace penalty_test {

TEST(Penalty, AgainstNumbersOfManyDigits) {
  struct Case {
    double d, k, delta, energy, force, stiffness;
  };
  const Case cases[] = {
      {-1, 1000, 0.001, 1.0000000000000000e+03, 2.0000000000000000e+03, 2.0000000000000000e+03},
      {-0.001, 1000, 0.001, 1.0000000407869702e-03, 1.9999994289825036e+00, 2.0000079534554670e+03},
      {-0.00001, 1000, 0.001, 2.6416656423837815e-06, 5.5244710261360262e-02, 9.6097998987547055e+02},
      {0, 1000, 0.001, 2.1353467285253398e-06, 4.6209812037329684e-02, 8.4657359027997268e+02},
      {0.0005, 1000, 0.001, 1.3588142953096311e-12, 4.0753160968279453e-08, 1.2220879452508615e-03},
      {0.001, 1000, 0.001, 4.1589422694766209e-19, 1.2476824900085213e-14, 3.7430466112706317e-10},
      {0.0013, 1000, 0.001, 5.1325440594541457e-23, 1.5397632152199798e-18, 4.6192896338867520e-14},
      {0.02, 3e7, 0.05, 2.0430056337264785e-03, 1.2242872800177720e+00, 7.3320994016523900e+02},
      {-0.003, 25, 0.0002, 2.2499999999999999e-04, 1.4999999999999999e-01, 5.0000000000000000e+01},
  };
  for (const Case& c : cases) {
    const Penalty p = penalty(c.d, c.k, c.delta);
    EXPECT_NEAR(p.energy / c.energy, 1, 1e-13) << c.d;
    EXPECT_NEAR(p.force / c.force, 1, 1e-13) << c.d;
    EXPECT_NEAR(p.stiffness / c.stiffness, 1, 1e-13) << c.d;
  }
}

TEST(Penalty, NothingOverflows) {
  for (const double d : {-1e6, -1.0, 1.0, 1e6}) {
    for (const double delta : {1e-9, 1e-3}) {
      const Penalty p = penalty(d, 1e4, delta);
      EXPECT_NEAR(p.energy, d < 0 ? 1e4 * d * d : 0, 1e-9 * 1e4 * d * d);
      EXPECT_NEAR(p.force, d < 0 ? -2e4 * d : 0, 1e-9 * 2e4 * std::abs(d));
      EXPECT_NEAR(p.stiffness, d < 0 ? 2e4 : 0, 1e-5);
    }
  }
}

TEST(Penalty, DerivativesByDifferences) {
  const double k = 370, delta = 2e-3;
  for (int i = -40; i <= 40; ++i) {
    const double d = i * 5e-5, h = 1e-6;
    const auto difference = [&](const auto& f) {
      return (8 * (f(d + h) - f(d - h)) - (f(d + 2 * h) - f(d - 2 * h))) / (12 * h);
    };
    const Penalty p = penalty(d, k, delta);
    const double force = -difference([&](double x) { return penalty(x, k, delta).energy; });
    const double stiffness = -difference([&](double x) { return penalty(x, k, delta).force; });
    EXPECT_NEAR(p.force, force, 1e-7 * (p.force + 1e-6));
    EXPECT_NEAR(p.stiffness, stiffness, 1e-7 * (p.stiffness + 1e-4));
  }
}

TEST(Penalty, PushesApartAlwaysAndLessWithTheGap) {
  double energy = 1e300, force = 1e300;
  for (int i = -200; i <= 200; ++i) {
    const Penalty p = penalty(i * 1e-5, 1000, 1e-3);
    EXPECT_GT(p.energy, 0);
    EXPECT_GT(p.force, 0);
    EXPECT_GT(p.stiffness, 0);
    EXPECT_LT(p.energy, energy);
    EXPECT_LT(p.force, force);
    energy = p.energy, force = p.force;
  }
  // Beyond the reach nothing is lost to round-off.
  EXPECT_LT(penalty(penaltyReach * 1e-3, 1000, 1e-3).energy, 1e-16 * penalty(0, 1000, 1e-3).energy);
}

}  // namespace penalty_test
}  // namespace tendril::contact
