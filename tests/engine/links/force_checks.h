// Small chains for tests of forces on links: an arm that moves in every way, a body that slides, their tangents by
// finite differences, and steps in time.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <utility>
#include <vector>

#include "engine/links/tangent_differences.h"
#include "geometry/strain_basis.h"
#include "links/contact/contact.h"
#include "links/system/system.h"
#include "solve/time_scheme.h"

namespace tendril::test {

inline links::Columns axes(const std::vector<int>& which) {
  links::Columns base = links::Columns::Zero(6, static_cast<int>(which.size()));
  for (std::size_t i = 0; i < which.size(); ++i) base(which[i], static_cast<int>(i)) = 1;
  return base;
}

inline geometry::Mat6 rigidInertia(double mass, const Vec3& moments) {
  geometry::Mat6 m = geometry::Mat6::Zero();
  m.diagonal() << moments, Vec3::Constant(mass);
  return m;
}

inline VectorX randomVector(std::mt19937& random, int n, double size) {
  std::uniform_real_distribution<double> uniform(-size, size);
  VectorX x(n);
  for (int i = 0; i < n; ++i) x[i] = uniform(random);
  return x;
}

/// These points against all obstacles of the scene, of contact radius 0.02 where that counts.
inline links::Skin skinOf(const scene::Scene& scene, std::vector<links::ContactPoint> points, double stiffness = 0) {
  links::Skin::Group all{{}, {stiffness}, 0.02};
  for (std::size_t o = 0; o < scene.obstacles.size(); ++o) all.obstacles.push_back(static_cast<int>(o));
  return {std::move(points), {all}};
}

/// A joint with these freedoms, then a rigid body about its end.
inline links::System bodyOn(const std::vector<int>& freedoms, const geometry::Pose& offset, double mass,
                            const Vec3& moments, const Vec3& center = Vec3::Zero()) {
  links::ChainStep joint;
  joint.offset = offset, joint.base = axes(freedoms);
  links::ChainStep body;
  body.parent = 0, body.first = static_cast<int>(freedoms.size()), body.base = links::Columns(6, 0);
  body.offset.r = center;
  const int n = body.first;
  links::MassPoint m;
  m.step = 1, m.inertia = rigidInertia(mass, moments);
  return {links::Chain({joint, body}, {}, n), {m}, Eigen::MatrixXd::Zero(n, n), Eigen::MatrixXd::Zero(n, n), 1};
}

/// A spherical joint, a rod of three steps with six strains of first order, a revolute joint with a rigid body: ends 0;
/// 1, 2, 3; 4. About 1.2 m long.
inline links::System bendingArm() {
  std::vector<links::ChainStep> steps;
  links::ChainStep shoulder;
  shoulder.base = axes({0, 1, 2});
  steps.push_back(shoulder);
  for (int n = 0; n < 3; ++n) {
    links::ChainStep s;
    s.parent = n, s.first = 3, s.order = 4, s.length = 0.3;
    for (int mode = 0; mode < 6; ++mode) s.modes.insert(s.modes.end(), 2, mode);
    const auto points = links::magnusPoints(4);
    for (int i = 0; i < links::magnusStages(4); ++i) {
      std::vector<double> values(2);
      geometry::basisValues(geometry::StrainBasis::legendre, 1, (n + points[i]) / 3, values);
      for (int mode = 0; mode < 6; ++mode) s.values[i].insert(s.values[i].end(), values.begin(), values.end());
      s.reference[i] = geometry::Vec6::Zero();
      s.reference[i][3] = 1;
    }
    steps.push_back(s);
  }
  links::ChainStep wrist;
  wrist.parent = 3, wrist.first = 15, wrist.base = axes({1}), wrist.offset.r = Vec3(0.1, 0, 0.05);
  steps.push_back(wrist);
  std::vector<links::MassPoint> masses;
  for (int k = 1; k <= 4; ++k) {
    links::MassPoint m;
    m.step = k, m.inertia = rigidInertia(0.5, Vec3(1e-3, 2e-3, 2e-3));
    masses.push_back(m);
  }
  const Eigen::MatrixXd stiffness = Eigen::MatrixXd::Identity(16, 16);
  return {links::Chain(steps, {}, 16), masses, stiffness, 0.1 * stiffness, 1};
}

/// Largest error of the tangent against differences of the residual, over its size.
inline double tangentError(links::System& system, const VectorX& q, const VectorX& v, const VectorX& a,
                           const solve::Rates& rates) {
  const TangentPair pair = tangentAndDifferences(system, q, v, a, rates, 1e-5);
  return (pair.tangent - pair.differences).colwise().norm().maxCoeff() / pair.tangent.norm();
}

/// Steps in time; `prepare` is told every step's start, evaluation point and end [s].
struct Walk {
  links::System& system;
  solve::ImplicitScheme scheme = solve::ImplicitScheme::euler;
  double dt = 1e-3;
  solve::History history;
  double t = 0;
  std::function<void(double t0, double at, double end)> prepare, accepted;

  explicit Walk(links::System& s) : system(s) { history.q = history.v = VectorX::Zero(s.size()); }

  bool step() {
    solve::TimeStep step;
    solve::prepareStep(scheme, history, dt, step);
    const double end = t + dt;
    system.place(history.q, history.v);
    if (prepare) prepare(t, t + step.at * dt, end);
    VectorX x = history.q, q, v;
    solve::NewtonSettings settings;
    settings.tolerance = 1e-10;
    settings.pivots = false;
    const solve::NewtonReport report = newton.solve(system, step.kinematics, settings, x);
    iterations += report.iterations;
    if (!report.converged) return false;
    solve::finishStep(step, history, x, q, v);
    history.q = q, history.v = v, history.dtBefore = dt;
    if (accepted) accepted(t, t + step.at * dt, end);
    t = end;
    return true;
  }
  void go(double duration) {
    const int n = static_cast<int>(std::lround(duration / dt));
    for (int i = 0; i < n; ++i) ASSERT_TRUE(step()) << "at t = " << t;
  }

  solve::Newton newton;
  int iterations = 0;
};

}  // namespace tendril::test
