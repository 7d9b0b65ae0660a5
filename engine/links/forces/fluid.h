// What a medium does to links: drag and lift that grow with the square of the speed, viscous and resistive forces that
// grow with it, the inertia of the fluid that moves along (S, sec. 6), and buoyancy apart from the center of mass.
#pragma once

#include <vector>

#include "links/chain/displacement.h"
#include "links/chain/force.h"
#include "model/energy_watch.h"
#include "scene/instant.h"

namespace tendril::links {

/// A piece of a link: a quadrature point of it, or the place where a rigid body of given mass is lifted.
struct FluidPoint {
  int step = 0;               ///< the frame at its end is meant; x is along the link
  Vec3 local = Vec3::Zero();  ///< in that frame [m]
  double length = 0;          ///< that it stands for [m]
  double radius = 0;          ///< mean half-axis of the section [m]
  int linkage = 0, link = 0;
  double volume = 0;     ///< whose displaced weight lifts here [m^3]
  double added = 0;      ///< mass of the fluid that moves along, across the link [kg]
  double displaced = 0;  ///< mass of the fluid whose place it takes [kg]
};

/// Inertia of the fluid that a piece takes along, about the frame it belongs to: `mass` [kg] across the link, none
/// along it.
geometry::Mat6 addedInertia(double mass, const Vec3& local);

/// Per length, with v the velocity against the medium in the link's frame:
/// F = -rho r |v| [[0, 0, 0], [0, drag, -lift], [0, lift, drag]] v - eta v - diag(tangential, normal, normal) v.
/// Where a point has a volume: F = -rho volume gravity. What fluid that moves along, and fluid that is displaced, do
/// because the medium moves: the inertia of the bodies holds the added mass by the motion over ground.
class Fluid final : public ChainForce {
 public:
  /// `scene` must outlive this.
  Fluid(const scene::Scene& scene, std::vector<FluidPoint> points);

  /// Nothing acts, whatever the time: no medium, or no points.
  bool empty() const;

  /// Other points after live parameters changed; prepare() must follow.
  void setPoints(std::vector<FluidPoint> points) { points_ = std::move(points); }

  /// A rate as a rule of time takes it at the end of a step: `rate` (u - weight0 u(start) - weight1 u(before the
  /// start)).
  struct Difference {
    double rate = 0;                  ///< [1/s]
    double weight0 = 1, weight1 = 0;  ///< of the values at the step's start and at the start of the one before
    double step = 0, before = 0;      ///< [s] lengths of the two
  };

  /// Density, coefficients, and the medium's velocity with its acceleration: by `rule`, or over `step` [s] around the
  /// moment; 0: the scene's. Equilibria stand in a steady stream, and static scenes feel no resistive force, as rods.
  /// Throws Failure.
  void prepare(const scene::Instant& at, double step = 0, const Difference* rule = nullptr);

  void add(const std::vector<ChainFrame>& frames, bool slopes, ChainLoads& out) override;

  /// A medium that moves as a whole.
  struct Stream {
    Vec3 velocity = Vec3::Zero();      ///< [m/s]
    Vec3 acceleration = Vec3::Zero();  ///< [m/s^2]
  };

  /// What resistance, and fluid that moves along, did along a way in this stream; lift of volumes is energy, which is
  /// stored. Kinetic energy is that of the motion over ground.
  void addWork(const ChainDisplacement& way, const Stream& medium, model::WorkDone& done) const;
  /// The medium, as prepared.
  const Stream& medium() const { return medium_; }
  /// Force per volume that lifts, as prepared [N/m^3], and volumes times their places [m^4].
  const Vec3& lift() const { return lift_; }
  Vec3 displaced(const std::vector<ChainFrame>& frames) const;

  /// Of the points with a volume, as prepared [J].
  double buoyantEnergy(const std::vector<ChainFrame>& frames) const { return -lift_.dot(displaced(frames)); }

 private:
  struct Coefficients {
    Mat3 square = Mat3::Zero();  // of |v| v [N s^2/m^2]
    Mat3 linear = Mat3::Zero();  // of v [N s/m]
    bool any = false;            // with what carries
  };
  Vec3 velocity(const scene::Instant& at, double t) const;
  bool carries(const FluidPoint& p) const;

  const scene::Scene& scene_;
  std::vector<FluidPoint> points_;
  std::vector<Coefficients> coefficients_;  // one per point
  Stream medium_;
  Vec3 lift_ = Vec3::Zero();  // per volume [N/m^3]
};

}  // namespace tendril::links
