// Links in a medium: exact tangents, terminal speeds, lift and added mass by their closed forms.
#include "links/forces/fluid.h"

#include "formula/formula.h"

#include "engine/links/force_checks.h"

namespace tendril::links {
namespace linkage_fluid_test {

using namespace test;

scene::Scene water(double drag, double lift, double added = 0) {
  scene::Scene scene;
  scene.environment.fluidDensity = 1000.0;
  scene.environment.fluidVelocity = scene::Number3{0, 0, 0};
  scene::Linkage arm;
  arm.links.resize(2);
  for (scene::Link& l : arm.links) l.fluid = scene::LinkFluid{added, drag, lift};
  scene.linkages = {arm};
  return scene;
}

TEST(LinkageFluid, TangentIsTheDerivativeOfTheResidual) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    scene::Scene scene = water(1.1, -0.3);
    scene.environment.fluidVelocity = scene::Number3{0.4, -0.7, 0.2};
    scene.environment.viscous = 0.5;
    scene.environment.rftTangential = 1.0, scene.environment.rftNormal = 3.0;
    const std::vector<FluidPoint> points = {{1, Vec3::Zero(), 0.3, 0.05, 0, 0},
                                            {2, Vec3(0.1, 0, 0), 0.3, 0.04, 0, 0},
                                            {3, Vec3::Zero(), 0.3, 0.03, 0, 0},
                                            {4, Vec3(0.1, 0.05, -0.08), 0.2, 0.03, 0, 1}};
    System arm = bendingArm();
    const Eigen::MatrixXd none = Eigen::MatrixXd::Zero(16, 16);
    System system(arm.chain(), {}, none, none, 1);
    Fluid fluid(scene, points);
    fluid.prepare({});
    ASSERT_FALSE(fluid.empty());
    system.forces = {&fluid};
    std::mt19937 random(seed);
    const VectorX q = randomVector(random, 16, 0.8), v = randomVector(random, 16, 1), zero = VectorX::Zero(16);
    EXPECT_LT(tangentError(system, q, v, zero, {3, 0}), 1e-8) << seed;
    EXPECT_LT(tangentError(system, q, zero, zero, {0, 0}), 1e-8) << seed;
    // At rest in a medium at rest there is no force and its slope is the linear part's.
    scene.environment.fluidVelocity = scene::Number3{0, 0, 0};
    fluid.prepare({});
    VectorX r;
    system.evaluate({q, zero, zero}, {1, 0}, solve::Level::tangent, r);
    EXPECT_EQ(r.norm(), 0);
    EXPECT_GT(system.tangent().norm(), 0);
    EXPECT_LT((system.tangent() - system.tangent().transpose()).norm(), 1e-12 * system.tangent().norm());
  }
}

// In a stream that is fast and gains speed, with fluid that moves along: at generic motions, across and along.
TEST(LinkageFluid, FluidThatIsCarriedAlongHasItsExactTangent) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    scene::Scene scene = water(0, 0);
    const auto number = [](const char* text) {
      formula::Scope scope;
      return formula::Number(std::get<0>(formula::compileFormula(text, scope, {.timed = true}, {}, {})));
    };
    scene.environment.fluidVelocity = scene::Number3{number("0.4 + 3 * t"), number("-0.7 + t"), number("0.2 - 2 * t")};
    const std::vector<FluidPoint> points = {{1, Vec3::Zero(), 0.3, 0.05, 0, 0, 0, 0.8, 1.1},
                                            {4, Vec3(0.1, 0.05, -0.08), 0.2, 0.03, 0, 1, 0, 0.5, 0.4}};
    System arm = bendingArm();
    const Eigen::MatrixXd none = Eigen::MatrixXd::Zero(16, 16);
    System system(arm.chain(), {}, none, none, 1);
    Fluid fluid(scene, points);
    fluid.prepare({.t = 0.1}, 0.01);
    EXPECT_LT((fluid.medium().acceleration - Vec3(3, 1, -2)).norm(), 1e-12);
    ASSERT_FALSE(fluid.empty());
    system.forces = {&fluid};
    std::mt19937 random(seed);
    const VectorX q = randomVector(random, 16, 0.8), v = randomVector(random, 16, 1), zero = VectorX::Zero(16);
    EXPECT_LT(tangentError(system, q, v, zero, {3, 0}), 1e-8) << seed;
    EXPECT_LT(tangentError(system, q, zero, zero, {0, 0}), 1e-8) << seed;
  }
}

Walk falling(System& system, double dt, double duration) {
  Walk walk(system);
  walk.dt = dt;
  walk.go(duration);
  return walk;
}

std::vector<FluidPoint> parts(double length, double radius, int n) {
  std::vector<FluidPoint> out;
  for (int i = 0; i < n; ++i) out.push_back({1, Vec3(((i + 0.5) / n - 0.5) * length, 0, 0), length / n, radius, 0, 0});
  return out;
}

// A cylinder across its fall: m g (1 - rho_w / rho) = rho_w r L drag v^2.
TEST(LinkageFluid, AFallingLinkReachesItsTerminalSpeed) {
  const double length = 0.3, radius = 0.01, density = 2000, volume = pi * radius * radius * length;
  for (const double lift : {0.0, 0.4}) {
    const scene::Scene scene = water(1.1, lift);
    System system = bodyOn({3, 4, 5}, {}, density * volume, Vec3::Constant(1e-4));
    system.masses()[0].weight = 1 - 1000 / density;
    system.gravity = Vec3(0, 0, -9.81);
    Fluid fluid(scene, parts(length, radius, 4));
    fluid.prepare({});
    system.forces = {&fluid};
    const Vec3 v = falling(system, 0.01, 5).history.v;
    // Drag and lift are at right angles: together sqrt(drag^2 + lift^2) |v|^2, and it glides aside at lift / drag.
    const double speed = std::sqrt(volume * (density - 1000) * 9.81 / (1000 * radius * length * std::hypot(1.1, lift)));
    EXPECT_NEAR(v.norm(), speed, 1e-7 * speed);
    EXPECT_NEAR(v.x(), 0, 1e-12);
    // F = -c (drag (vy, vz) + lift (-vz, vy)) |v| balances (0, -w): lift vz = drag vy.
    EXPECT_NEAR(v.y() * 1.1, v.z() * lift, 1e-7 * speed);
  }
}

TEST(LinkageFluid, ViscousAndResistiveForcesHaveTheirTerminalSpeeds) {
  scene::Scene scene = water(0, 0);
  scene.linkages[0].links[0].fluid.reset();
  scene.environment.viscous = 0.5;
  scene.environment.rftTangential = 1.0, scene.environment.rftNormal = 3.0;
  scene.environment.fluidVelocity = scene::Number3{0.1, 0.2, -0.3};
  System system = bodyOn({3, 4, 5}, {}, 0.05, Vec3::Constant(1e-4));
  system.gravity = Vec3(4, 2, -9.81);
  Fluid fluid(scene, parts(0.3, 0.01, 3));
  fluid.prepare({});
  system.forces = {&fluid};
  const Vec3 v = falling(system, 0.01, 3).history.v;
  EXPECT_NEAR(v.x(), 0.1 + 0.05 * 4 / (0.3 * 1.5), 1e-9);
  EXPECT_NEAR(v.y(), 0.2 + 0.05 * 2 / (0.3 * 3.5), 1e-9);
  EXPECT_NEAR(v.z(), -0.3 - 0.05 * 9.81 / (0.3 * 3.5), 1e-9);
}

// A spinning cylinder in water: each part's drag grows with the square of its distance from the middle.
TEST(LinkageFluid, SpinIsBrakedByEveryPart) {
  const scene::Scene scene = water(1.1, 0);
  System system = bodyOn({2}, {}, 0.1, Vec3::Constant(1e-3));
  Fluid fluid(scene, parts(0.4, 0.01, 400));
  fluid.prepare({});
  system.forces = {&fluid};
  VectorX r;
  const VectorX q = VectorX::Zero(1), v = VectorX::Constant(1, 3.0);
  system.evaluate({q, v, q}, {}, solve::Level::residual, r);
  // 2 int_0^(L/2) rho r drag (w s)^2 s ds.
  const double exact = 2 * 1000 * 0.01 * 1.1 * 9 * std::pow(0.2, 4) / 4;
  EXPECT_NEAR(r[0], exact, 1e-4 * exact);
}

TEST(LinkageFluid, AddedMassSlowsTheStartAcrossAndNotAlong) {
  const double length = 0.3, area = pi * 1e-4, mass = 0.2;
  System system = bodyOn({0, 1, 2, 3, 4, 5}, {}, mass, Vec3::Constant(1e-3));
  for (const FluidPoint& p : parts(length, 0.01, 200)) {
    system.masses()[0].added += addedInertia(1000 * area * 0.6 * p.length, p.local);
  }
  const double added = 1000 * area * length * 0.6;
  system.gravity = Vec3(0, 3, -9.81);
  VectorX zero = VectorX::Zero(6), a = zero;
  ASSERT_TRUE(system.acceleration(zero, zero, a));
  EXPECT_NEAR(a[4], 3 * mass / (mass + added), 1e-12);
  EXPECT_NEAR(a[5], -9.81 * mass / (mass + added), 1e-12);
  system.gravity = Vec3(2, 0, 0);
  ASSERT_TRUE(system.acceleration(zero, zero, a));
  EXPECT_NEAR(a[3], 2, 1e-12);
  // About its middle a rod's length turns with it: added L^2 / 12.
  Eigen::MatrixXd m;
  system.massMatrix(zero, m);
  EXPECT_NEAR(m(2, 2), 1e-3 + added * length * length / 12, 1e-4 * added * length * length / 12);
  EXPECT_NEAR(m(0, 0), 1e-3, 1e-15);
}

TEST(LinkageFluid, WithoutAMediumThereIsNothing) {
  scene::Scene scene = water(1.1, 0);
  EXPECT_FALSE(Fluid(scene, parts(1, 0.1, 2)).empty());
  EXPECT_TRUE(Fluid(scene, {}).empty());
  scene.environment.fluidDensity.reset();
  EXPECT_TRUE(Fluid(scene, parts(1, 0.1, 2)).empty());
  scene.environment.viscous = 0.1;
  EXPECT_FALSE(Fluid(scene, parts(1, 0.1, 2)).empty());
}

}  // namespace linkage_fluid_test
}  // namespace tendril::links
