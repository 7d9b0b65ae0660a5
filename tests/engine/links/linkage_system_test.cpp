// Linkages against exact elastica, published numbers and their own energy: the model before any scene.
#include "links/system/system.h"

#include <gtest/gtest.h>

#include "links/builder.h"
#include "solve/time_scheme.h"

namespace tendril::links {
namespace linkage_system_test {

int tipOf(System& system) { return static_cast<int>(system.chain().steps().size()) - 1; }

// Loads grow in even steps.
template <class Load>
VectorX settle(System& system, int steps, const Load& load) {
  VectorX q = VectorX::Zero(system.size());
  solve::Kinematics still;
  still.base = still.v0 = still.a0 = q;
  solve::NewtonSettings settings;
  settings.tolerance = 1e-12;
  solve::Newton newton;
  for (int i = 1; i <= steps; ++i) {
    load(static_cast<double>(i) / steps);
    const solve::NewtonReport report = newton.solve(system, still, settings, q);
    EXPECT_TRUE(report.converged) << report.reason << " at load step " << i;
  }
  return q;
}

Vec3 tip(System& system, const VectorX& q) {
  const VectorX zero = VectorX::Zero(system.size());
  system.chain().move(q, zero, zero, {}, false);
  return system.chain().frames()[tipOf(system)].pose.r;
}

SoftBody beam(int order, int points, int substeps = 1, int magnus = 4) {
  SoftBody body;
  body.length = 100;
  body.law = [](double) { return sectionLaw(circularSection(0.285), 6.75e9, 2.25e9, 0, 0); };
  body.strains = {{1, order}};
  body.points = points, body.substeps = substeps, body.magnus = magnus;
  return body;
}

Vec3 followerTip(const SoftBody& body, double force) {
  Builder builder;
  builder.addSoft(-1, {}, body);
  System system = builder.build(100);
  system.wrenches.push_back({tipOf(system), geometry::Vec6::Zero(), false});
  const VectorX q = settle(system, 1 + static_cast<int>(force / 2e3),
                           [&](double part) { system.wrenches[0].wrench[5] = part * force; });
  return tip(system, q);
}

TEST(LinkageSystem, FollowerForceConvergesToTheElastica) {
  // Sources: exact elastica by shooting from the tip; the published discretization.
  const Vec3 published = followerTip(beam(4, 5), 10e3);
  EXPECT_NEAR(published.x(), 58.27527, 2e-5);
  EXPECT_NEAR(published.z(), 71.13647, 2e-5);
  const Vec3 far = followerTip(beam(4, 5), 130e3);
  EXPECT_NEAR(far.x(), 24.40668, 2e-5);
  EXPECT_NEAR(far.z(), -49.59104, 2e-5);
  const Vec3 fine = followerTip(beam(12, 24, 2), 130e3);
  EXPECT_NEAR(fine.x(), 24.043101, 1e-3);
  EXPECT_NEAR(fine.z(), -47.903872, 1e-3);
  const Vec3 finest = followerTip(beam(18, 30, 1, 6), 130e3);
  EXPECT_NEAR(finest.x(), 24.043101, 1e-5);
  EXPECT_NEAR(finest.z(), -47.903872, 1e-5);
}

SoftBody tapered(double viscosity, int order = 3, int points = 5) {
  SoftBody body;
  body.length = 0.5;
  body.law = [viscosity](double X) {
    return sectionLaw(circularSection(0.02 - 0.01 * X), 1e6, 1e6 / 3, 1000, viscosity);
  };
  body.strains = {{0, order}, {1, order}, {2, order}};
  body.points = points;
  return body;
}

TEST(LinkageSystem, ATaperedRodSagsAsTheToolboxSays) {
  Builder builder;
  builder.addSoft(-1, {}, tapered(0));
  System system = builder.build(0.5);
  const VectorX q = settle(system, 4, [&](double part) { system.gravity = Vec3(0, 0, -9.81 * part); });
  const Vec3 x = tip(system, q);
  EXPECT_NEAR(x.x(), 0.3552492381, 1e-9);
  EXPECT_NEAR(x.y(), 0, 1e-12);
  EXPECT_NEAR(x.z(), -0.3180907129, 1e-9);
  EXPECT_NEAR(q[4], 1.039126682, 1e-8);
  EXPECT_NEAR(q[7], 0.06132999921, 1e-9);
}

// Released from a bend about y with gravity across it: motion in three dimensions.
double energyDrift(double dt, double duration) {
  Builder builder;
  builder.addSoft(-1, {}, tapered(0));
  System system = builder.build(0.5);
  system.gravity = Vec3(0, -9.81, 0);
  solve::History history;
  history.q = history.v = VectorX::Zero(system.size());
  history.q[4] = 0.5;  // 1 rad/m over half a meter
  const double before = system.energies(history.q, history.v).total();
  EXPECT_NEAR(before, 0.0121737, 1e-7);
  solve::Newton newton;
  solve::NewtonSettings settings;
  settings.tolerance = 1e-12;
  settings.pivots = false;
  solve::TimeStep step;
  VectorX x, q, v;
  double worst = 0;
  for (long k = 0; k < std::lround(duration / dt); ++k) {
    solve::prepareStep(solve::ImplicitScheme::midpoint, history, dt, step);
    x = step.guess;
    const solve::NewtonReport report = newton.solve(system, step.kinematics, settings, x);
    EXPECT_TRUE(report.converged) << report.reason;
    solve::finishStep(step, history, x, q, v);
    history.q = q, history.v = v, history.dtBefore = dt;
    worst = std::max(worst, std::abs(system.energies(q, v).total() - before));
  }
  const Vec3 end = tip(system, history.q);
  EXPECT_GT(end.head<2>().norm(), 0.1);
  return worst;
}

TEST(LinkageSystem, EnergyStaysInThreeDimensions) {
  const double coarse = energyDrift(4e-4, 0.2), fine = energyDrift(2e-4, 0.2);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.3);
  EXPECT_LT(fine, 1e-4 * 0.15);
}

SoftBody finger(double radius, int order, const std::vector<int>& components, int points, int magnus = 4) {
  SoftBody body;
  body.length = 0.5;
  body.law = [radius](double) { return sectionLaw(circularSection(radius), 1e6, 1e6 / 3, 1000, 0); };
  for (const int c : components) body.strains.push_back({c, order});
  body.points = points, body.magnus = magnus;
  return body;
}

Vec3 pulled(const SoftBody& body, double tension, const std::function<Builder::Path(double)>& path) {
  Builder builder;
  builder.addSoft(-1, {}, body);
  System system = builder.build(0.5);
  system.tendons.push_back(builder.tendon({0}, path));
  const VectorX q = settle(system, 4, [&](double part) { system.tendons[0].tension = part * tension; });
  return tip(system, q);
}

TEST(LinkageSystem, TendonsBendAsTheirClosedFormsSay) {
  const auto straight = [](double) { return Builder::Path{Vec3(0, 0.008, 0), Vec3::Zero()}; };
  const Vec3 bend = pulled(finger(0.01, 0, {2}, 5), 1, straight);
  EXPECT_NEAR(bend.x(), 0.478663419, 1e-9);
  EXPECT_NEAR(bend.y(), 0.124595509, 1e-9);
  const Vec3 both = pulled(finger(0.01, 0, {2, 3}, 5), 4, straight);
  EXPECT_NEAR(both.x(), 0.216432714, 1e-9);
  EXPECT_NEAR(both.y(), 0.351270404, 1e-9);
}

TEST(LinkageSystem, ObliqueAndHelicalTendonsConverge) {
  // Sources: pointwise exact strain, integrated independently.
  const std::vector<int> all = {0, 1, 2, 3, 4, 5};
  const auto oblique = [](double s) {
    return Builder::Path{Vec3(0, 0.015 - 0.02 * s, 0.02 * s), Vec3(0, -0.02, 0.02)};
  };
  const Vec3 exact(0.477522094, 0.113421650, 0.031760013);
  EXPECT_LT((pulled(finger(0.02, 2, all, 5), 10, oblique) - exact).norm(), 4e-6);
  EXPECT_LT((pulled(finger(0.02, 8, all, 12, 6), 10, oblique) - exact).norm(), 2e-8);
  const double turn = 2 * pi / 0.25;
  const auto helix = [turn](double s) {
    const double c = std::cos(turn * s), d = std::sin(turn * s);
    return Builder::Path{0.015 * Vec3(0, c, d), 0.015 * turn * Vec3(0, -d, c)};
  };
  const Vec3 wound(0.495015250, 0.000095333, 0.023256631);
  EXPECT_LT((pulled(finger(0.02, 4, all, 16), 10, helix) - wound).norm(), 1e-3);
  EXPECT_LT((pulled(finger(0.02, 12, all, 24, 6), 10, helix) - wound).norm(), 1e-6);
}

}  // namespace linkage_system_test
}  // namespace tendril::links
