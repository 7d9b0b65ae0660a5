// What the scene does to its linkages at a time: gravity, loads, springs and efforts of joints, tensions, and the
// coordinates that it prescribes.
#pragma once

#include <vector>

#include "scene/moment.h"
#include "strain/structure.h"

namespace tendril {

/// A prescribed coordinate of a joint at a time.
struct DrivenValue {
  int coordinate = 0;
  double value = 0, rate = 0, acceleration = 0;
};

class Drives {
 public:
  explicit Drives(const Scene& scene) : scene_(scene) {}

  /// Marks the prescribed coordinates and adds what acts in joints of several rotations to a fresh system.
  void attach(const LinkageStructure& structure, LinkageSystem& system) const;

  /// Everything that acts at `at`. Throws FormulaFailure.
  void apply(const Moment& at, const LinkageStructure& structure, LinkageSystem& system) const;

  /// Values at `at`, with derivatives from differences of order four over steps of `width` [s], whose sum over the steps of
  /// a run is the change of velocity even where a formula has kinks; 0: none. No formula is asked beyond the run.
  void driven(const Moment& at, double width, const LinkageStructure& structure, std::vector<DrivenValue>& out) const;

  /// Torque or force of a joint's coordinate at a time, where it is not driven.
  double effort(const Moment& at, const JointCoordinate& coordinate) const;

 private:
  void applyLoads(const Moment& at, const LinkageStructure& structure, LinkageSystem& system) const;

  const Scene& scene_;
};

}  // namespace tendril
