// Jacobians of pins, slides, growth and contacts of the chain by central differences at random bent states, and the
// band matrix against its dense definition.
#include <gtest/gtest.h>

#include <array>
#include <functional>

#include "geometry/random.h"
#include "vines/step/chain_system.h"
#include "vines/step/contact_search.h"
#include "vines/step/joint_rows.h"

namespace joint_rows_test {

using namespace tendril;

struct TwoBodies {
  std::array<double, 6> q;
  vines::BodyPose a() const { return {{q[0], q[1]}, q[2]}; }
  vines::BodyPose b() const { return {{q[3], q[4]}, q[5]}; }
};

TwoBodies random(geometry::SplitMix& source) {
  TwoBodies s;
  for (double& x : s.q) x = source.uniform(-1.5, 1.5);
  return s;
}

/// Largest error of a row's derivatives against differences of its value.
double worstError(const std::function<vines::JointRow(const TwoBodies&)>& of, const TwoBodies& s) {
  const vines::JointRow row = of(s);
  double worst = 0, size = 0;
  for (int k = 0; k < 6; ++k) {
    TwoBodies plus = s, minus = s;
    const double h = 1e-6;
    plus.q[k] += h, minus.q[k] -= h;
    const double difference = (of(plus).value - of(minus).value) / (2 * h);
    const double exact = k < 3 ? row.a[k] : row.b[k - 3];
    worst = std::max(worst, std::fabs(exact - difference));
    size = std::max(size, std::fabs(exact));
  }
  EXPECT_GT(size, 0.1);
  return worst;
}

TEST(VineJoints, JacobiansMatchDifferences) {
  geometry::SplitMix source(7);
  for (int trial = 0; trial < 50; ++trial) {
    const TwoBodies s = random(source);
    for (int axis = 0; axis < 2; ++axis)
      EXPECT_LT(worstError([&](const TwoBodies& t) { return vines::pinRow(t.a(), t.b(), 0.3, axis); }, s), 1e-9);
    EXPECT_LT(worstError([](const TwoBodies& t) { return vines::slideRow(t.a(), t.b()); }, s), 1e-9);
    EXPECT_LT(worstError([](const TwoBodies& t) { return vines::slideRowOfSecond(t.a(), t.b()); }, s), 1e-9);
    EXPECT_LT(worstError([](const TwoBodies& t) { return vines::parallelRow(t.a(), t.b()); }, s), 1e-9);
    EXPECT_LT(worstError([](const TwoBodies& t) { return vines::lengthRow(t.a(), t.b()); }, s), 1e-9);
  }
}

// The rate g(q, v) = h . (v_b - v_a) / |h|: the row is g_v + dt g_q, both by differences of g itself.
TEST(VineJoints, GrowthRateRowIsTheRatesLinearization) {
  geometry::SplitMix source(8);
  for (int trial = 0; trial < 50; ++trial) {
    const TwoBodies s = random(source), v = random(source);
    const double dt = 0.1, h = 1e-6;
    const auto rate = [](const TwoBodies& q, const TwoBodies& w) {
      const Vec2 d = q.b().x - q.a().x;
      return d.dot(w.b().x - w.a().x) / d.norm();
    };
    const vines::JointRow row = vines::growthRateRow(s.a(), s.b(), v.a().x, v.b().x, dt);
    EXPECT_NEAR(row.value, rate(s, v), 1e-14);
    for (int k = 0; k < 6; ++k) {
      TwoBodies qp = s, qm = s, vp = v, vm = v;
      qp.q[k] += h, qm.q[k] -= h, vp.q[k] += h, vm.q[k] -= h;
      const double byV = (rate(s, vp) - rate(s, vm)) / (2 * h), byQ = (rate(qp, v) - rate(qm, v)) / (2 * h);
      const double scale = 1 + std::fabs(byQ);
      EXPECT_NEAR(k < 3 ? row.a[k] : row.b[k - 3], byV + dt * byQ, 1e-7 * scale) << k;
    }
  }
}

/// A chain bent at every pin and stretched in every pair, its joints intact, with random velocities.
vines::Chain bent(const vines::Parameters& p, geometry::SplitMix& source) {
  vines::Chain chain(p);
  Vec2 at = p.base;
  double angle = p.heading;
  for (int i = 0; i < chain.pairs(); ++i) {
    angle += source.uniform(-0.4, 0.4);
    const Vec2 t = vines::directionOf(angle);
    chain.target[i] = 2 * p.halfLength * source.uniform(1, 1.8);
    for (int k = 0; k < 2; ++k) {
      const Vec2 x = at + (p.halfLength + k * chain.target[i]) * t;
      const int b = 2 * i + k;
      chain.q[3 * b] = x.x(), chain.q[3 * b + 1] = x.y(), chain.q[3 * b + 2] = angle;
    }
    at += (chain.target[i] + 2 * p.halfLength) * t;
  }
  for (double& x : chain.v) x = source.uniform(-0.1, 0.1);
  return chain;
}

TEST(VineJoints, ContactRowsMatchDifferencesOfTheGap) {
  geometry::SplitMix source(9);
  int compared = 0;
  for (int trial = 0; trial < 200; ++trial) {
    vines::Parameters p = vines::Parameters::tube(8, 0.4);
    vines::Chain chain = bent(p, source);
    const Vec2 middle = 0.5 * (chain.node(1) + chain.tip());
    const Vec2 center = middle + Vec2(source.uniform(-0.1, 0.1), source.uniform(-0.1, 0.1));
    std::vector<vines::PlanarShape> shapes;
    const int kind = trial % 4;
    if (kind == 0) shapes.push_back(vines::PlanarShape::circle(center, 0.03));
    if (kind == 1) shapes.push_back(vines::PlanarShape::box(center, Vec2(0.03, 0.02), source.uniform(0, 3)));
    if (kind == 2) shapes.push_back(vines::PlanarShape::capsule(center, center + Vec2(0.03, 0.02), 0.01));
    if (kind == 3) shapes.push_back(vines::PlanarShape::plane(center, Vec2(source.uniform(-1, 1), 1)));
    vines::ContactSearch search;
    const double margin = 0.05, h = 1e-7;
    search.findPairs(chain, shapes, 0, margin);
    search.findPoints(chain, chain.q, shapes, 0, 0, margin);
    const std::vector<vines::SurfacePoint> points(search.points().begin(), search.points().end());
    for (const vines::SurfacePoint& c : points) {
      if (c.feature < 0) continue;
      // Rigid motions of the pair keep the place's feature: move the pair's bodies as one.
      const Vec3 row = vines::pointRow(c.normal, c.direction, c.lever);
      const int other = c.body % 2 == 0 ? c.body + 1 : c.body - 1;
      const Vec2 between = chain.position(other) - chain.position(c.body);
      for (int k = 0; k < 3; ++k) {
        const auto gapAt = [&](double step) {
          std::vector<double> q = chain.q;
          q[3 * c.body + k] += step, q[3 * other + k] += step;
          if (k == 2) {
            const Vec2 x = chain.position(c.body) + Eigen::Rotation2Dd(step) * between;
            q[3 * other] = x.x(), q[3 * other + 1] = x.y();
          }
          search.findPoints(chain, q, shapes, 0, 0, margin + 1e-3);
          for (const vines::SurfacePoint& now : search.points())
            if (now.pair == c.pair && now.obstacle == c.obstacle && now.feature == c.feature) return now.gap;
          ADD_FAILURE() << "the place is gone";
          return 0.0;
        };
        EXPECT_NEAR(row[k], (gapAt(h) - gapAt(-h)) / (2 * h), 2e-7) << "kind " << kind << " feature " << c.feature;
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 600);
}

TEST(VineSystem, MatrixIsSymmetricBandWithRowsAfterTheirBodies) {
  geometry::SplitMix source(11);
  vines::Parameters p = vines::Parameters::tube(10, 0.5);
  const vines::Chain chain = bent(p, source);
  vines::ChainSystem system;
  vines::Actuation actuation;
  actuation.growth = 0.05;
  system.assemble(chain, actuation, 0.01, {});
  ASSERT_TRUE(system.factor());
  const int n = system.size();
  ASSERT_EQ(n, 55);
  Eigen::MatrixXd dense(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) dense(i, j) = system.entry(i, j);
  EXPECT_EQ((dense - dense.transpose()).cwiseAbs().maxCoeff(), 0.0);
  VectorX x = VectorX::Random(n);
  std::vector<double> rhs(static_cast<std::size_t>(n)), solved(static_cast<std::size_t>(n));
  VectorX::Map(rhs.data(), n) = dense * x;
  system.solve(rhs, solved, 1);
  EXPECT_LT((VectorX::Map(solved.data(), n) - x).norm(), 1e-9 * x.norm());
  EXPECT_LT(system.backwardError(rhs, solved), 1e-15);
  solved[7] *= 1 + 1e-6;
  EXPECT_GT(system.backwardError(rhs, solved), 1e-8);
}

// The step's equalities: its velocity takes every joint back to zero to first order, and every pair to its length.
TEST(VineSystem, SolutionObeysJointsAndGrowth) {
  geometry::SplitMix source(12);
  for (const auto form : {vines::Parameters::GrowthForm::length, vines::Parameters::GrowthForm::rate}) {
    vines::Parameters p = vines::Parameters::tube(12, 0.5);
    p.growthForm = form;
    vines::Chain chain = bent(p, source);
    const double dt = 1e-3;
    vines::Actuation actuation;
    actuation.growth = 0.06;
    vines::ChainSystem system;
    system.assemble(chain, actuation, dt, {});
    ASSERT_TRUE(system.factor());
    std::vector<double> x(static_cast<std::size_t>(system.size()));
    system.solve(system.rhs(), x, 1);
    for (int i = 0; i < chain.pairs(); ++i) {
      const int a = vines::ChainSystem::bodyAt(2 * i), b = vines::ChainSystem::bodyAt(2 * i + 1);
      EXPECT_NEAR(x[a + 2], x[b + 2], 1e-9) << "the pair stays straight";
      const Vec2 t = vines::directionOf(chain.angle(2 * i)), n = vines::leftOf(t);
      const Vec2 relative(x[b] - x[a], x[b + 1] - x[a + 1]);
      if (form == vines::Parameters::GrowthForm::length) {
        EXPECT_NEAR(relative.dot(t), 0.01, 1e-9);
      }
      EXPECT_NEAR(relative.dot(n), chain.reach(i) * x[a + 2], 1e-9);
    }
  }
}

}  // namespace joint_rows_test
