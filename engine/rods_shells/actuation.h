// Actuation: natural curvature, twist and stretch as functions of time, by formula or by table, written into the
// structure's present natural strains.
#pragma once

#include "rods_shells/loads.h"
#include "rods_shells/structure.h"

namespace tendril::rods_shells {

class Actuator {
 public:
  Actuator(Structure& structure, const scene::Scene& scene);
  /// Natural strains at `moment`; what is not actuated keeps its rest value. instant.factor blends from rest to full.
  void apply(const scene::Instant& instant);

 private:
  struct Target {
    std::vector<int> springs, edges, hinges;
    std::vector<formula::Input> springFields, edgeFields, hingeFields;
    std::vector<int> springColumns, edgeColumns;  // place in a table row
  };
  void applyToConnectors(const scene::Instant& instant);
  Target hingeTarget(const scene::Actuation& a) const;
  void applyFormula(const scene::Actuation& a, const Target& target, const scene::Instant& instant);
  void applyTable(const scene::Actuation& a, const Target& target, const scene::Instant& instant);
  void setCurvature(int spring, double k1, double k2, bool first, bool second, double factor);

  Structure& s_;
  const scene::Scene& scene_;
  std::vector<Target> targets_;
  std::array<std::vector<double>, 5> rows_;  // table rows of the moment: curvature 1, 2, twist, stretch, angle
};

}  // namespace tendril::rods_shells
