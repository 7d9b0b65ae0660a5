// Actuation: natural curvature, twist and stretch as functions of time, by formula or by table, written into the
// structure's present natural strains.
#pragma once

#include "rods_shells/loads.h"
#include "rods_shells/structure.h"

namespace tendril {

class Actuator {
 public:
  Actuator(Structure& structure, const Scene& scene);
  /// Natural strains at `moment`; what is not actuated keeps its rest value. instant.factor blends from rest to full.
  void apply(const Instant& instant);
  bool empty() const { return targets_.empty(); }

 private:
  struct Target {
    std::vector<int> springs, edges, hinges;
    std::vector<FormulaInput> springFields, edgeFields, hingeFields;
    std::vector<int> springColumns, edgeColumns;  // place in a table row
  };
  Target hingeTarget(const Actuation& a) const;
  void applyFormula(const Actuation& a, const Target& target, const Instant& instant);
  void applyTable(const Actuation& a, const Target& target, const Instant& instant);
  void setCurvature(int spring, double k1, double k2, bool first, bool second, double factor);

  Structure& s_;
  const Scene& scene_;
  std::vector<Target> targets_;
  std::array<std::vector<double>, 4> rows_;  // table rows of the moment: curvature 1, 2, twist, stretch
};

}  // namespace tendril
