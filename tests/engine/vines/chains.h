// Small helpers of the chain's tests: steps that must be accepted, and what is measured on a chain.
#pragma once

#include <gtest/gtest.h>

#include "vines/step/step.h"

namespace tendril::test {

/// A chain with what acts on it; every step must be accepted with a residual below 1e-12 and obey Coulomb's law.
struct VineRun {
  vines::Chain chain;
  vines::Step step;
  vines::Actuation actuation;
  std::vector<vines::PlanarShape> shapes;
  double dt = 0.01, time = 0;
  vines::Report report;
  double worstResidual = 0;

  explicit VineRun(const vines::Parameters& p) : chain(p) {}

  /// One step; obstacles move on with their velocities. False: refused.
  bool advance() {
    for (vines::PlanarShape& shape : shapes)
      for (Vec2& x : shape.core) x += dt * shape.velocity;
    report = step.advance(chain, actuation, shapes, dt);
    if (!report.accepted()) return false;
    time += dt;
    worstResidual = std::max(worstResidual, report.residual);
    return true;
  }
  /// The same in up to 2^depth shorter steps where a long one is refused, as a simulation does.
  bool advanceInParts(int depth) {
    const std::vector<vines::PlanarShape> before = shapes;
    if (advance()) return true;
    using Status = vines::Report::Status;
    const Status s = report.status;
    const bool shorterMayDo = s == Status::tooFast || s == Status::turned || s == Status::moved ||
                              s == Status::passage || s == Status::penetration;
    if (depth == 0 || !shorterMayDo) return false;
    shapes = before;
    dt *= 0.5;
    const bool done = advanceInParts(depth - 1) && advanceInParts(depth - 1);
    dt *= 2;
    return done;
  }
  void until(double end) {
    while (time < end - 1e-9 * dt) {
      ASSERT_TRUE(advance()) << "at " << time << " s: status " << int(report.status) << " body " << report.body
                             << " obstacle " << report.obstacle << " by " << report.violation;
      ASSERT_FALSE(report.frictionUnsettled) << "at " << time << " s";
    }
    EXPECT_LT(worstResidual, 1e-12);
  }
};

inline double kineticEnergy(const vines::Chain& chain) {
  double sum = 0;
  for (int b = 0; b < chain.bodies(); ++b)
    sum += 0.5 * chain.bodyMass(b) * chain.velocity(b).squaredNorm() +
           0.5 * chain.bodyInertia(b) * chain.v[3 * b + 2] * chain.v[3 * b + 2];
  return sum;
}

/// Turns pair i by angles[i] from the heading, joints intact.
inline void bendTo(vines::Chain& chain, const std::vector<double>& angles) {
  const double d = chain.parameters().halfLength;
  Vec2 at = chain.parameters().base;
  for (int i = 0; i < chain.pairs(); ++i) {
    const double angle = chain.parameters().heading + angles[i];
    const Vec2 t = vines::directionOf(angle);
    for (int k = 0; k < 2; ++k) {
      const Vec2 x = at + (d + k * chain.target[i]) * t;
      chain.q[6 * i + 3 * k] = x.x(), chain.q[6 * i + 3 * k + 1] = x.y(), chain.q[6 * i + 3 * k + 2] = angle;
    }
    at += (chain.target[i] + 2 * d) * t;
  }
}

}  // namespace tendril::test
