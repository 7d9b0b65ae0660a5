// Bodies eliminated one after another solve the same system as the dense tangent: on random trees of joints, rods,
// bodies fixed to them and branches half-way along rods, with held coordinates, shifts and every kind of wrench.
#include <gtest/gtest.h>

#include <Eigen/LU>

#include "geometry/random.h"
#include "links/builder.h"

namespace tendril::links {
namespace chain_elimination_test {

geometry::Vec6 randomTwist(geometry::SplitMix& random, double size) {
  geometry::Vec6 x;
  for (int i = 0; i < 6; ++i) x[i] = random.uniform(-size, size);
  return x;
}

SoftBody randomRod(geometry::SplitMix& random) {
  SoftBody body;
  body.length = random.uniform(0.2, 0.5);
  body.law = [](double X) { return sectionLaw(circularSection(0.03 - 0.01 * X), 1e6, 4e5, 1000, 1e3); };
  for (int component = 0; component < 6; ++component) {
    if (random.uniform(0, 1) < 0.6 || component == 1)
      body.strains.push_back({component, static_cast<int>(random.uniform(0, 3))});
  }
  body.magnus = 2 * static_cast<int>(random.uniform(1, 4));
  return body;
}

// Links hang on any end so far, on the base too.
System randomTree(geometry::SplitMix& random, int links) {
  Builder builder(geometry::exponential(randomTwist(random, 1)));
  for (int k = 0; k < links; ++k) {
    int parent = static_cast<int>(random.uniform(0, builder.steps() + 1)) - 1;
    const geometry::Pose offset = geometry::exponential(randomTwist(random, 0.3));
    const double kind = random.uniform(0, 1);
    if (kind < 0.3) {
      builder.addSoft(parent, offset, randomRod(random));
    } else if (kind < 0.8) {
      Columns base = Columns::Random(6, static_cast<int>(random.uniform(1, 4)));
      parent = builder.addJoint(parent, offset, base);
    } else {
      parent = builder.addFixed(parent, offset);
    }
    if (kind < 0.3) continue;
    geometry::Vec6 inertia;
    inertia << 0.02, 0.03, 0.04, 1, 1, 1;
    const geometry::Mat6 move = geometry::adjoint(geometry::exponential(randomTwist(random, 0.2)));
    builder.addMass(parent, move.transpose() * inertia.asDiagonal() * move);
  }
  System system = builder.build(1);
  system.gravity = Vec3(1, -2, 9);
  for (int i = 0; i < system.coordinates(); ++i) system.setCoordinate(i, system.stiffness()(i, i) + 0.1, 0.01);
  return system;
}

/// A spring between points of two ends, as a tendon's span.
Tendon spanBetween(int a, int b) {
  TendonSpan span;
  span.a = a, span.b = b, span.straight = true;
  span.atA = Vec3(0.1, 0.2, -0.1), span.atB = Vec3(-0.3, 0.5, 0.4);
  Tendon tendon;
  tendon.tension = 3;
  tendon.spans.push_back(span);
  return tendon;
}

/// A wrench that depends on all of the motion of its end.
struct Drag : ChainForce {
  int step = 0;
  geometry::Mat6 byPose = geometry::Mat6::Random(), byVelocity = geometry::Mat6::Random(),
                 byAcceleration = 0.01 * geometry::Mat6::Random();
  void add(const std::vector<ChainFrame>& frames, bool slopes, ChainLoads& out) override {
    ChainWrench& w = out.wrenches[step];
    w.value += byVelocity * frames[step].velocity + byAcceleration * frames[step].acceleration;
    if (slopes) w.byPose += byPose, w.byVelocity += byVelocity, w.byAcceleration += byAcceleration;
  }
};

TEST(ChainElimination, SolvesAsTheDenseTangentDoes) {
  geometry::SplitMix random(12);
  int most = 0;
  for (int trial = 0; trial < 60; ++trial) {
    System system = randomTree(random, 2 + trial % 12);
    const int n = system.coordinates();
    most = std::max(most, system.chain().bodies());
    if (n == 0) continue;
    Drag drag;
    drag.step = static_cast<int>(random.uniform(0, static_cast<double>(system.chain().steps().size())));
    if (trial % 3 == 0) system.forces.push_back(&drag);
    if (trial % 4 == 0 && !system.masses().empty())
      system.masses()[0].added = geometry::Vec6::Constant(0.1).asDiagonal();
    if (trial % 5 == 0) system.held[static_cast<std::size_t>(n / 2)] = 1;
    VectorX q(n), v(n), a(n), rhs(n), r, x;
    for (int i = 0; i < n; ++i)
      q[i] = random.uniform(-0.5, 0.5), v[i] = random.uniform(-1, 1), a[i] = random.uniform(-1, 1);
    for (int i = 0; i < n; ++i) rhs[i] = random.uniform(-1, 1);
    system.evaluate({q, v, a}, {200, 4e4}, solve::Level::tangent, r);
    for (const double shift : {0.0, 0.3}) {
      Eigen::MatrixXd tangent = system.tangent();
      tangent.diagonal() += shift * system.tangent().diagonal().cwiseAbs();
      ASSERT_TRUE(system.chain().eliminate(system.held, shift)) << trial;
      system.chain().substitute(rhs, system.held, x);
      const VectorX dense = Eigen::PartialPivLU<Eigen::MatrixXd>(tangent).solve(rhs);
      EXPECT_LT((x - dense).norm(), 1e-10 * dense.norm()) << trial << " shift " << shift;
      // Whatever the condition: what is left of the right side.
      EXPECT_LT((tangent * x - rhs).norm(), 1e-10 * (rhs.norm() + tangent.norm() * x.norm() * 1e-4)) << trial;
    }
  }
  EXPECT_GT(most, 5);
}

TEST(ChainElimination, TheTangentIsTheResidualsDerivative) {
  geometry::SplitMix random(8);
  for (int trial = 0; trial < 6; ++trial) {
    System system = randomTree(random, 6 + trial);
    if (trial % 2 == 0) system.masses()[0].added = geometry::Vec6::Constant(0.1).asDiagonal();
    const int n = system.coordinates();
    VectorX q(n), v(n), a(n), r;
    for (int i = 0; i < n; ++i)
      q[i] = random.uniform(-0.5, 0.5), v[i] = random.uniform(-1, 1), a[i] = random.uniform(-1, 1);
    const solve::Rates rates{3, 7};
    system.evaluate({q, v, a}, rates, solve::Level::tangent, r);
    const Eigen::MatrixXd tangent = system.tangent();
    const auto at = [&](double h, const VectorX& d) {
      system.evaluate({q + h * d, v + h * rates.v * d, a + h * rates.a * d}, rates, solve::Level::residual, r);
      return r;
    };
    for (int j = 0; j < n; ++j) {
      const VectorX d = VectorX::Unit(n, j);
      const double h = 1e-3;
      const VectorX near = at(h, d) - at(-h, d), far = at(2 * h, d) - at(-2 * h, d);
      EXPECT_LT(((8 * near - far) / (12 * h) - tangent.col(j)).norm(), 1e-9 * tangent.norm())
          << trial << " column " << j;
    }
  }
}

TEST(ChainElimination, TendonsFromALinkToTheNextAreEliminatedToo) {
  geometry::SplitMix random(21);
  int eliminated = 0, dense = 0;
  for (int trial = 0; trial < 40; ++trial) {
    System system = randomTree(random, 8);
    const int n = system.coordinates(), steps = static_cast<int>(system.chain().steps().size());
    // Between an end and the one it hangs on, or any two.
    const int a = static_cast<int>(random.uniform(0, steps));
    const int parent = system.chain().steps()[static_cast<std::size_t>(a)].parent;
    const int b = trial % 4 == 0 || parent < 0 ? static_cast<int>(random.uniform(0, steps)) : parent;
    if (a == b) continue;
    system.tendons.push_back(trial % 2 == 0 ? spanBetween(a, b) : spanBetween(b, a));
    VectorX q(n), v(n), rhs(n), r, x;
    for (int i = 0; i < n; ++i)
      q[i] = random.uniform(-0.5, 0.5), v[i] = random.uniform(-1, 1), rhs[i] = random.uniform(-1, 1);
    const solve::Rates rates{200, 4e4};
    system.evaluate({q, v, v}, rates, solve::Level::tangent, r);
    const Eigen::MatrixXd tangent = system.tangent();
    for (int j = 0; j < n; ++j) {
      const VectorX d = VectorX::Unit(n, j);
      const auto at = [&](double h) {
        system.evaluate({q + h * d, v + h * rates.v * d, v + h * rates.a * d}, rates, solve::Level::residual, r);
        return r;
      };
      const double h = 1e-4;
      const VectorX near = at(h) - at(-h), far = at(2 * h) - at(-2 * h);
      EXPECT_LT(((8 * near - far) / (12 * h) - tangent.col(j)).norm(), 1e-8 * tangent.norm())
          << trial << " column " << j;
    }
    system.evaluate({q, v, v}, rates, solve::Level::tangent, r);
    ASSERT_TRUE(system.factor(0).ok);
    system.solve(rhs, x);
    EXPECT_LT((x - Eigen::PartialPivLU<Eigen::MatrixXd>(tangent).solve(rhs)).norm(), 1e-10 * x.norm()) << trial;
    ++(system.chain().loose().empty() ? eliminated : dense);
  }
  EXPECT_GT(eliminated, 15);
  EXPECT_GT(dense, 2);
}

TEST(ChainElimination, ABodyThatNothingHoldsIsNoFailureOfTheWholeSystem) {
  // Two parallel revolute joints in a row: what acts on the outer end turns with the inner joint only. The outer
  // joint's own block is zero, the tangent ((2, 1), (1, 0)) is not singular.
  Builder builder;
  Columns axis = Columns::Zero(6, 1);
  axis(2, 0) = 1;
  builder.addJoint(builder.addJoint(-1, {}, axis), {Mat3::Identity(), Vec3(1, 0, 0)}, axis);
  System system = builder.build(1);
  Drag drag;
  drag.step = 1;
  drag.byVelocity = drag.byAcceleration = drag.byPose = geometry::Mat6::Zero();
  drag.byPose(2, 4) = drag.byPose(4, 2) = 1;
  system.forces.push_back(&drag);
  const VectorX still = VectorX::Zero(2), rhs = VectorX::Constant(2, 1);
  VectorX r, x;
  system.evaluate({still, still, still}, {}, solve::Level::tangent, r);
  EXPECT_FALSE(system.chain().eliminate(system.held, 0));
  ASSERT_TRUE(system.factor(0).ok);
  system.solve(rhs, x);
  EXPECT_NEAR(x[0], 1, 1e-14);
  EXPECT_NEAR(x[1], -1, 1e-14);
}

TEST(ChainElimination, MassAndAccelerationAgreeWithTheDenseMatrix) {
  geometry::SplitMix random(5);
  for (int trial = 0; trial < 12; ++trial) {
    System system = randomTree(random, 4 + trial);
    const int n = system.coordinates();
    if (n == 0) continue;
    VectorX q(n), v(n), r, a = VectorX::Zero(n);
    for (int i = 0; i < n; ++i) q[i] = random.uniform(-0.5, 0.5), v[i] = random.uniform(-1, 1);
    // Some joints move nothing that has mass.
    if (!system.acceleration(q, v, a)) continue;
    system.evaluate({q, v, a}, {}, solve::Level::residual, r);
    Eigen::MatrixXd mass;
    system.massMatrix(q, mass);
    EXPECT_LT((mass - mass.transpose()).norm(), 1e-12 * mass.norm());
    EXPECT_LT(r.norm(), 1e-9 * mass.norm() * a.norm()) << trial;
    // Kinetic energy, body by body.
    EXPECT_NEAR(system.energies(q, v).kinetic, 0.5 * v.dot(mass * v), 1e-12 * mass.norm() * v.squaredNorm());
  }
}

}  // namespace chain_elimination_test
}  // namespace tendril::links
