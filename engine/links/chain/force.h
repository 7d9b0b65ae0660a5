// What acts on a chain beside its own inertia: wrenches on the ends of its steps with their exact derivatives.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "links/chain/chain.h"

namespace tendril::links {

/// Wrenches of a whole chain: one per step, and what couples two ends. They resist: a force counts with its sign
/// turned.
struct ChainLoads {
  std::vector<ChainWrench> wrenches;
  std::vector<ChainCoupling> couplings;
  std::vector<double>
      sizes;          ///< [N m] of the largest single wrench on each step: what its sum is small or round-off beside
  double length = 1;  ///< [m] of the chain: what a force times it is comparable to a moment

  void measure(std::size_t step, const geometry::Vec6& wrench) {
    const double size = std::sqrt(wrench.head<3>().squaredNorm() + length * length * wrench.tail<3>().squaredNorm());
    sizes[step] = std::max(sizes[step], size);
  }

  void reset(std::size_t steps) {
    wrenches.assign(steps, {});
    couplings.clear();
    sizes.assign(steps, 0.0);
  }
};

class ChainForce {
 public:
  virtual ~ChainForce() = default;

  /// Adds at the motion of `frames`; derivatives only with `slopes`. r grows by J^T wrench, so forces are subtracted.
  virtual void add(const std::vector<ChainFrame>& frames, bool slopes, ChainLoads& out) = 0;
  /// [J] of what has a potential.
  virtual double energy(const std::vector<ChainFrame>& /*frames*/) const { return 0; }
  /// [J] of what steps that keep energy count in, and its rate [W] at the motion of `frames`.
  virtual double keptEnergy(const std::vector<ChainFrame>& /*frames*/) const { return 0; }
  virtual double keptPower(const std::vector<ChainFrame>& /*frames*/) const { return 0; }
  /// [W] that it gives as loads do, at the last add().
  virtual double givenPower() const { return 0; }
  /// Whether what acts by the placement alone has a potential.
  virtual bool hasPotential() const { return true; }
  /// Largest part in (0, 1] of a straight way between two placements that it allows.
  virtual double longestStep(const std::vector<geometry::Pose>& /*from*/, const std::vector<geometry::Pose>& /*to*/) {
    return 1;
  }
};

/// A wrench of fixed directions in the world, in the frame of a body.
inline geometry::Vec6 inBody(const geometry::Pose& g, const geometry::Vec6& wrench) {
  geometry::Vec6 y;
  y << g.R.transpose() * wrench.head<3>(), g.R.transpose() * wrench.tail<3>();
  return y;
}
/// How that changes as the body moves: a matrix of its twist.
inline geometry::Mat6 turnInBody(const geometry::Vec6& local) {
  geometry::Mat6 m = geometry::Mat6::Zero();
  m.topLeftCorner<3, 3>() = geometry::skew(Vec3(local.head<3>()));
  m.bottomLeftCorner<3, 3>() = geometry::skew(Vec3(local.tail<3>()));
  return m;
}

}  // namespace tendril::links
