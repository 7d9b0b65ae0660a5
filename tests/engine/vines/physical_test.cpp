// The physical mode without obstacles: vibration against the chain's eigenvalue and beam theory, energy, order in dt,
// wrinkling, steering, saving and memory.
#include <Eigen/Dense>

#include "engine/solve/allocation_count.h"
#include "engine/vines/chains.h"
#include "vines/pin_spring.h"

namespace physical_test {

using namespace tendril;
using namespace tendril::test;

/// Lowest eigenfrequency [rad/s] of the chain at rest, growth off: K of the springs on the motions that joints allow.
double lowestFrequency(const vines::Chain& chain) {
  vines::ChainSystem system;
  system.assemble(chain, {}, 1, {});  // dt = 1: H = M + K, without damping
  const int n = 3 * chain.bodies();
  Eigen::MatrixXd k = Eigen::MatrixXd::Zero(n, n), m = Eigen::MatrixXd::Zero(n, n), a(5 * chain.pairs() + 0, n);
  std::vector<int> bodies, rows;
  for (int u = 0; u < system.size(); ++u) {
    const int local = u % vines::ChainSystem::perPair;
    (local < 3 || (local >= 5 && local < 8) ? bodies : rows).push_back(u);
  }
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) k(i, j) = system.entry(bodies[i], bodies[j]);
    m(i, i) = i % 3 == 2 ? system.inertiaOf(i / 3) : system.massOf(i / 3);
    k(i, i) -= m(i, i);
    for (std::size_t r = 0; r < rows.size(); ++r) a(int(r), i) = system.entry(rows[r], bodies[i]);
  }
  const Eigen::MatrixXd free = Eigen::FullPivLU<Eigen::MatrixXd>(a).kernel();
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> modes(free.transpose() * k * free,
                                                                        free.transpose() * m * free);
  return std::sqrt(modes.eigenvalues()[0]);
}

TEST(VinePhysics, PublishedConstantsGiveTheChainsEigenfrequency) {
  vines::Parameters p = vines::Parameters::published(10, 0.016845);
  p.springs = vines::Parameters::Springs::implicit;
  p.mass = 1e-3, p.inertia = 2e-4, p.stiffness = 0.05, p.damping = 0;
  EXPECT_NEAR(lowestFrequency(vines::Chain(p)), 3.0006, 5e-5);
}

vines::Parameters softTube(int bodies) {
  vines::Parameters p = vines::Parameters::tube(bodies, 0.4);
  p.massPerLength = 0.05, p.bendingStiffness = 0.02, p.diameter = 0.01;
  return p;
}

// Clamped beam: omega = 1.8751^2 sqrt(EI / (rho L^4)); the error falls with the square of the bodies' length.
TEST(VinePhysics, VibratesAsABeamWhateverTheNumberOfBodies) {
  const double beam = 1.8751040687 * 1.8751040687 * std::sqrt(0.02 / 0.05) / (0.4 * 0.4);
  double before = 0;
  for (const int bodies : {10, 20, 40, 80}) {
    vines::Parameters p = softTube(bodies);
    p.diameter = 1e-4;  // without rotary inertia, as the theory
    const double error = std::fabs(lowestFrequency(vines::Chain(p)) / beam - 1);
    EXPECT_LT(error, 2.0 / (bodies * bodies)) << bodies;
    if (before > 0) {
      EXPECT_NEAR(before / error, 4, 0.4) << bodies;
    }
    before = error;
  }
}

TEST(VinePhysics, SwingsWithItsEigenfrequency) {
  vines::Parameters p = softTube(20);
  p.bendingDamping = 1.5e-5;  // half a percent of critical for the lowest mode, thirty times that for what is above it
  VineRun run(p);
  const double omega = lowestFrequency(run.chain);
  std::vector<double> angles;
  for (int i = 0; i < run.chain.pairs(); ++i) angles.push_back(1e-3 * (i + 0.5));
  bendTo(run.chain, angles);
  run.dt = 2e-3 / omega;
  std::vector<double> crossings;
  double last = run.chain.tip().y();
  while (crossings.size() < 8 && run.time < 60 / omega) {
    ASSERT_TRUE(run.advance());
    const double now = run.chain.tip().y();
    if (last > 0 && now <= 0) crossings.push_back(run.time - run.dt * now / (now - last));
    last = now;
  }
  ASSERT_EQ(crossings.size(), 8u);
  EXPECT_NEAR(2 * pi * 4 / (crossings[7] - crossings[3]), omega, 2e-3 * omega);
  EXPECT_LT(run.worstResidual, 1e-12);
}

double energy(const vines::Chain& chain) {
  double sum = kineticEnergy(chain);
  for (int i = 0; i < chain.pairs(); ++i) {
    const double bend = vines::pinAngle(chain, i);
    sum += 0.5 * vines::pinSpring(chain, i, bend).stiffness * bend * bend;
  }
  return sum;
}

TEST(VinePhysics, EnergyNeverGrowsWithoutGrowth) {
  for (const double dt : {0.01, 0.005, 0.001}) {
    VineRun run(softTube(20));
    std::vector<double> angles;
    for (int i = 0; i < run.chain.pairs(); ++i) angles.push_back(0.12 * (i + 1));
    bendTo(run.chain, angles);
    run.dt = dt;
    double last = energy(run.chain);
    const double start = last;
    for (int k = 0; k < 400; ++k) {
      ASSERT_TRUE(run.advance());
      const double now = energy(run.chain);
      EXPECT_LE(now, last + 1e-12 * start) << "dt " << dt << " step " << k;
      last = now;
    }
    EXPECT_LT(last, start);
    EXPECT_NEAR(run.chain.length(), 0.4, 1e-9) << "joints do not drift";
    EXPECT_LT(run.worstResidual, 1e-12);
  }
}

TEST(VinePhysics, AnyInertiaAndAnyStepAreStableWithImplicitSprings) {
  for (const double inertia : {2e-4, 1e-7, 1e-11}) {
    vines::Parameters p = vines::Parameters::published(30, 0.1 / 15);
    p.springs = vines::Parameters::Springs::implicit;
    p.inertia = inertia;
    VineRun run(p);
    std::vector<double> angles(15, 0.3);
    bendTo(run.chain, angles);
    run.dt = 0.05;
    run.actuation.growth = 0.04;
    run.until(5);
    EXPECT_NEAR(run.chain.tip().x(), 0.4 + 5 * 0.04, 0.02);
  }
}

/// Tip after 0.2 s of swinging while growing.
Vec2 tipWith(double dt) {
  vines::Parameters p = softTube(20);
  p.bendingDamping = 1e-4;
  VineRun run(p);
  std::vector<double> angles;
  for (int i = 0; i < run.chain.pairs(); ++i) angles.push_back(0.05 * (i + 1));
  bendTo(run.chain, angles);
  run.dt = dt;
  run.actuation.growth = 0.1;
  run.until(0.2);
  return run.chain.tip();
}

TEST(VinePhysics, ConvergesWithFirstOrderInTheStep) {
  const Vec2 a = tipWith(5e-4), b = tipWith(2.5e-4), c = tipWith(1.25e-4), d = tipWith(6.25e-5);
  EXPECT_GT((a - b).norm(), 1e-5);
  EXPECT_NEAR((a - b).norm() / (b - c).norm(), 2, 0.3);
  EXPECT_NEAR((b - c).norm() / (c - d).norm(), 2, 0.15);
}

TEST(VinePhysics, GrowsByExactlyWhatIsAskedWithoutDrift) {
  vines::Parameters p = softTube(20);
  p.bendingDamping = 1e-3;
  VineRun run(p);
  std::vector<double> angles;
  for (int i = 0; i < 10; ++i) angles.push_back(0.2 * i);
  bendTo(run.chain, angles);
  run.actuation.growth = 0.03;
  run.until(4);
  EXPECT_NEAR(run.chain.length(), 0.4 + 4 * 0.03, 1e-9);
  run.actuation.growth = -0.05;
  run.until(8);
  EXPECT_NEAR(run.chain.length(), 0.4 + 4 * 0.03 - 4 * 0.05, 1e-9);
}

// A moment M at every pin bends the whole tube as its natural curvature M / EI does: into an arc.
TEST(VinePhysics, MomentsAndNaturalCurvatureSteerIntoTheSameArc) {
  const double curvature = 3, length = 0.4;
  for (const bool byMoment : {false, true}) {
    vines::Parameters p = softTube(40);
    p.bendingDamping = 2e-3;
    VineRun run(p);
    const std::vector<double> field(20, byMoment ? curvature * p.bendingStiffness : curvature);
    (byMoment ? run.actuation.moments : run.actuation.curvature) = field;
    run.dt = 0.02;
    run.until(8);
    const Vec2 arc(std::sin(curvature * length) / curvature, (1 - std::cos(curvature * length)) / curvature);
    EXPECT_LT((run.chain.tip() - arc).norm(), 2e-3 * length);
    EXPECT_LT(kineticEnergy(run.chain), 1e-12);
  }
}

TEST(VineWrinkling, MomentIsContinuousAndRisesToCollapse) {
  const double pressure = 2e4, radius = 0.012, critical = 0.05, collapse = pi * pressure * std::pow(radius, 3);
  EXPECT_NEAR(vines::wrinkledMoment(pressure, radius, critical, critical), 0.5 * collapse, 1e-12 * collapse);
  double last = 0, slope = 1e9;
  for (int k = 1; k < 3000; ++k) {
    const double angle = 0.001 * k;
    const double moment = vines::wrinkledMoment(pressure, radius, critical, angle);
    EXPECT_GT(moment, last);
    EXPECT_LE(moment - last, slope * (1 + 1e-6)) << "it only softens, without a jump, at " << angle;
    if (k > 2) {
      EXPECT_GT(moment - last, 0.9 * slope) << angle;
    }
    slope = moment - last, last = moment;
  }
  EXPECT_LT(last, collapse);
  EXPECT_GT(last, 0.9 * collapse);
  // The formula and its limit near g = pi meet.
  double ends[2];
  for (int k = 0; k < 2; ++k) {
    const double r = k == 0 ? 0.9999e-2 : 1.0001e-2;
    ends[k] = vines::wrinkledMoment(pressure, radius, critical, critical * pi / (std::sin(r) - r * std::cos(r)));
  }
  EXPECT_NEAR(ends[0], ends[1], 1e-7 * collapse);
  EXPECT_NEAR(ends[0], collapse, 2e-5 * collapse);
}

// Held by a moment at the first pin between the two, a tube wrinkles there to the angle of the formula; a larger moment
// than pi P R^3 folds it.
TEST(VineWrinkling, PinSettlesWhereTheFormulaSays) {
  vines::Parameters p = softTube(20);
  p.bendingDamping = 3e-4, p.pressure = 5e3, p.diameter = 0.024;
  const double collapse = pi * p.pressure * std::pow(p.radius(), 3);
  for (const double part : {0.3, 0.7, 0.9}) {
    VineRun run(p);
    std::vector<double> moments(10, 0.0);
    moments[4] = part * collapse;
    run.actuation.moments = moments;
    run.until(20);
    const double critical = 0.5 * collapse / (p.bendingStiffness / p.pairLength());
    EXPECT_NEAR(vines::wrinkledMoment(p.pressure, p.radius(), critical, vines::pinAngle(run.chain, 4)), part * collapse,
                1e-5 * collapse);
    if (part > 0.5) {
      EXPECT_GT(vines::pinAngle(run.chain, 4), critical);
    }
  }
}

TEST(VineStepping, ARestoredChainContinuesBitForBit) {
  vines::Parameters p = softTube(20);
  p.friction = 0.3, p.stall = 5;
  VineRun run(p);
  run.shapes = {vines::PlanarShape::circle(Vec2(0.45, 0.03), 0.05),
                vines::PlanarShape::box(Vec2(0.5, -0.12), Vec2(0.1, 0.02), 0.1)};
  run.actuation.growth = 0.1;
  run.until(1);
  ASSERT_FALSE(run.chain.carried.empty());
  vines::Chain copy(p);
  copy.q = run.chain.q, copy.v = run.chain.v, copy.target = run.chain.target, copy.carried = run.chain.carried;
  run.until(2);
  vines::Step fresh;
  for (int k = 0; k < 100; ++k) ASSERT_TRUE(fresh.advance(copy, run.actuation, run.shapes, run.dt).accepted());
  EXPECT_EQ(copy.q, run.chain.q);
  EXPECT_EQ(copy.v, run.chain.v);
}

TEST(VineStepping, AllocatesNothingOnceWarm) {
  vines::Parameters p = softTube(20);
  p.friction = 0.3, p.stall = 5;
  VineRun run(p);
  run.shapes = {vines::PlanarShape::circle(Vec2(0.45, 0.03), 0.05),
                vines::PlanarShape::box(Vec2(0.5, -0.12), Vec2(0.1, 0.02), 0.1)};
  run.actuation.growth = 0.1;
  run.until(1.5);
  ASSERT_GT(run.report.active, 0);
  const long before = allocationCount();
  for (int k = 0; k < 20; ++k) run.advance();
  EXPECT_EQ(allocationCount(), before);
}

TEST(VineStepping, ImpossibleParametersAreRefused) {
  EXPECT_THROW(vines::Chain(vines::Parameters::tube(7, 0.4)), std::invalid_argument);
  EXPECT_THROW(vines::Chain(vines::Parameters::tube(0, 0.4)), std::invalid_argument);
  vines::Parameters p = softTube(20);
  p.massPerLength = 0;
  EXPECT_NE(p.problem(), "");
  p = softTube(20), p.stall = 0;
  EXPECT_NE(p.problem(), "");
  p = vines::Parameters::published(20, 0.01), p.stall = 5;
  EXPECT_NE(p.problem(), "");
  EXPECT_EQ(softTube(20).problem(), "");
}

// Where the step is too long for what moves, it says so and changes nothing.
TEST(VineStepping, ATurnTooFarForOneStepIsRefused) {
  VineRun run(softTube(20));
  std::vector<double> angles;
  for (int i = 0; i < 10; ++i) angles.push_back(0.4 * (i + 1));
  bendTo(run.chain, angles);
  const std::vector<double> before = run.chain.q;
  run.dt = 0.05;
  EXPECT_FALSE(run.advance());
  EXPECT_EQ(run.report.status, vines::Report::Status::turned);
  EXPECT_GE(run.report.body, 0);
  EXPECT_EQ(run.chain.q, before);
  EXPECT_TRUE(run.advanceInParts(6));
}

TEST(VineStepping, GrowthBeyondABodysLengthPerStepIsRefused) {
  VineRun run(softTube(20));
  run.actuation.growth = 0.21 / run.dt;  // ten pairs, bodies of 0.02 m
  EXPECT_FALSE(run.advance());
  EXPECT_EQ(run.report.status, vines::Report::Status::tooFast);
}

}  // namespace physical_test
