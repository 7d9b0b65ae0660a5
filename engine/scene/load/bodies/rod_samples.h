// Inputs of field formulas along a rod: its edge midpoints, for sections and stretch, and its interior nodes, for
// curvature and twist. Internal to the loader.
#pragma once

#include <vector>

#include "scene/load/context.h"
#include "scene/select/selector.h"

namespace tendril::scene {

/// Inputs of the rod's edge midpoints or interior nodes, one at a time.
class RodSamples {
 public:
  RodSamples(const Scene& scene, const Rod& rod) : rod_(rod), s_(arcLengths(rod.points)), input_(parametersOf(scene)) {}

  int edges() const { return int(rod_.points.size()) - 1; }  ///< -1 while it has no points
  int springs() const { return int(rod_.points.size()) - 2; }

  const formula::Input& atEdge(int e) {
    const std::size_t k = std::size_t(e);
    return at(0.5 * (rod_.points[k] + rod_.points[k + 1]), 0.5 * (s_[k] + s_[k + 1]), e, edges());
  }
  /// Spring i is at node i + 1.
  const formula::Input& atSpring(int i) {
    const std::size_t k = std::size_t(i) + 1;
    return at(rod_.points[k], s_[k], i, springs());
  }
  double edgeLength(int e) const { return s_[std::size_t(e) + 1] - s_[std::size_t(e)]; }

 private:
  const formula::Input& at(const Vec3& point, double s, int i, int n) {
    input_.s = s;
    input_.u = s / s_.back();
    input_.x = point.x(), input_.y = point.y(), input_.z = point.z();
    input_.i = i;
    input_.n = n;
    return input_;
  }

  const Rod& rod_;
  std::vector<double> s_;
  formula::Input input_;
};

}  // namespace tendril::scene
