// Pairs that never count as contacts because they are neighbors along the structure, which keeps them close together.
// The rule is geometric, so refining a mesh changes nothing.
#pragma once

#include <array>
#include <functional>
#include <span>
#include <vector>

#include "contact/contact_mesh.h"
#include "geometry/types.h"

namespace tendril::contact {

/// Gap below which contact forces of two bodies begin [m].
using ReachOf = std::function<double(int, int)>;

/// Pairs of edges. With g the length along edges and through joints between the nearest ends of two edges, a pair is
/// excluded where g < (pi/2) (r1 + r2), since an arc that brings the two edges into contact needs at least that length,
/// or where g < 4 (r1 + r2) and their gap is already below `reach` in the initial state (legs at a joint). Edges that
/// share a node are always excluded.
class Exclusions {
 public:
  /// `edges`: two node numbers each; `lengths`: along the rod at rest [m]; `radii` [m]; `nodes`: initial positions [m];
  /// `reach`: of two edges, by the bodies that they belong to.
  Exclusions(std::span<const std::array<int, 2>> edges, std::span<const double> lengths, std::span<const double> radii,
             std::span<const Vec3> nodes, const ReachOf& reach);

  bool excluded(int i, int j) const;
  std::size_t size() const { return partners_.size(); }  ///< excluded pairs

 private:
  std::vector<int> starts_, partners_;  // of edge i: partners_[starts_[i]..starts_[i + 1]), larger than i, ascending
};

/// Pairs of a point and a triangle by the same rule, with g the length along edges from the point to the nearest
/// corner.
class PointExclusions {
 public:
  /// As Exclusions, with `reach` of two bodies; empty without triangles.
  PointExclusions(const ContactMesh& mesh, std::span<const Vec3> nodes, const ReachOf& reach);

  bool excluded(int point, int triangle) const;
  std::size_t size() const { return triangles_.size(); }  ///< excluded pairs

 private:
  std::vector<int> starts_, triangles_;  // triangles of point i: triangles_[starts_[i]..starts_[i + 1]), ascending
};

}  // namespace tendril::contact
