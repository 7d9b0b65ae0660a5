// Loads on a vine that are formulas of the point that they act on: what they exert on its bodies, with exact
// derivatives by their placements and rates. They act at the tip, and along the tube at each half of a pair.
#pragma once

#include <vector>

#include "scene/instant.h"
#include "vines/chain.h"
#include "vines/cross_section.h"
#include "vines/step/chain_system.h"

namespace tendril::vines {

class ForceFields {
 public:
  /// Of the vine with that index; `scene` must outlive this.
  ForceFields(const scene::Scene& scene, int vine);

  bool empty() const { return loads_.empty(); }
  /// Remembers where the points of a vine that does not grow are at the start of a run.
  void setInitial(const Chain& chain, const Plane& plane);
  /// What they exert on each body of the chain at `at`, as it stands and moves; empty without fields that act. Throws
  /// formula::Failure where a formula has no value, or no finite slope.
  const std::vector<BodySlopes>& at(const Chain& chain, const Plane& plane, const scene::Instant& at);
  /// As model::Model::seenByLoad.
  void seenBy(const scene::Load& load, const Chain& chain, const Plane& plane, std::vector<double>& out) const;

 private:
  /// A point of a body: its distance from the body's center toward the tip [m], and what the value is multiplied by.
  struct Point {
    int body = 0;
    double lever = 0, weight = 1;
    double s = 0, u = 0, i = 0, n = 0;  // as formulas see them
  };
  struct Field {
    const scene::Load* load;
    std::vector<Vec3> initial;  // of its points
    double i, n;                // at the tip
  };
  static void findPoints(const Chain& chain, const Field& field, std::vector<Point>& points);
  void add(const Chain& chain, const Plane& plane, const Field& field, const Point& point, const Vec3& initial,
           formula::Input in);

  const scene::Scene& scene_;
  std::vector<Field> loads_;
  std::vector<Point> points_;  // of the field at hand
  std::vector<BodySlopes> sums_;
};

}  // namespace tendril::vines
