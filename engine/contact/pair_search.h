// Which pairs of edges, and of points and triangles, are near enough to touch or to pass through each other. Neighbors
// along the structure never count (contact/exclusions.h).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "contact/broad_phase.h"
#include "contact/contact_mesh.h"
#include "contact/exclusions.h"

namespace tendril::contact {

class PairSearch {
 public:
  /// The parts of a mesh to search, each list ascending.
  struct Among {
    std::vector<int> points, edges, triangles;
  };
  static Among everything(const ContactMesh& mesh);

  /// `initial`: node positions that decide which pairs are neighbors [m]; `reach`: of two bodies.
  PairSearch(const ContactMesh& mesh, std::span<const Vec3> initial, const ReachOf& reach);

  /// All pairs among those given whose gap (distance minus both radii) is below `gap` at positions x, ascending.
  /// Allocates nothing once warm.
  void near(const Among& among, std::span<const Vec3> x, double gap, std::vector<ContactPair>& pairs);
  /// All pairs among those given whose boxes around the straight paths from x to x + dx, widened by half the radii,
  /// overlap, ascending: no other pair comes closer than half the sum of its radii.
  void swept(const Among& among, std::span<const Vec3> x, std::span<const Vec3> dx, std::vector<ContactPair>& pairs);

  /// An edge and a triangle that it crosses at positions x, neighbors excluded; empty if there is none.
  std::optional<std::array<int, 2>> pierced(std::span<const Vec3> x);

  /// Nodes of the pair: the ends of both edges, or the point and the triangle's corners.
  std::array<int, 4> nodes(const ContactPair& pair) const;
  double radii(const ContactPair& pair) const;  ///< sum of both [m]

 private:
  template <class BoxOf, class Keep>
  void search(const Among& among, BoxOf boxOf, Keep keep, std::vector<ContactPair>& pairs);

  const ContactMesh& mesh_;
  Exclusions edgeExclusions_;
  PointExclusions pointExclusions_;
  BroadPhase broad_;
  std::vector<Box> boxes_;
  std::vector<std::array<int, 2>> overlaps_;
};

}  // namespace tendril::contact
