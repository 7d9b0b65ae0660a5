// Which parts of a structure come so near each other that contact may act between them. Where nothing does, each is
// solved for without the others.
#pragma once

#include <array>
#include <vector>

#include "contact/broad_phase.h"
#include "rods_shells/terms/pair_contacts.h"
#include "solve/parted_tangent.h"

namespace tendril::rods_shells {

/// Follows the ways of all nodes in a step, as boxes. Two parts meet where boxes around the ways of two of their edges
/// or triangles overlap, wider by the radii and by the reach of contact: whatever touches or crosses on the way does.
/// So do boxes around the way from its start to its end, less what both go together. What meets depends on these two
/// parts alone, not on others or on when they were looked at, nor on how fast they fly side by side.
class Meetings {
 public:
  /// Both must outlive it.
  Meetings(const Structure& structure, const PairContacts& pairs) : s_(structure), pairs_(pairs) {}

  /// Radii and reaches may have changed, or what is of one part.
  void refresh() { seen_.clear(); }
  /// A step begins at displacements q.
  void begin(const VectorX& q);
  /// It comes by displacements q, if one has begun: of the given first unknowns of nodes alone, the others of q are not
  /// looked at.
  void pass(const VectorX& q, const std::vector<int>& nodeDofs);
  /// Pairs of parts that met since begin(), in a step that ends at displacements q.
  std::vector<std::array<int, 2>> find(const VectorX& q, const solve::Partition& parts);

 private:
  struct Element {
    std::array<int, 3> nodes;  // of an edge, the last twice; or of a triangle
    int body;
    double radius;  // [m]
  };
  contact::Box around(const Element& e, const std::vector<contact::Box>& nodes, double wide) const;
  contact::Box besides(const Element& e, const Vec3& common, double wide) const;
  Vec3 wayOf(const Element& e) const;
  void search(const solve::Partition& parts);
  int partOf(const Element& e, const solve::Partition& parts) const {
    return parts.of[static_cast<std::size_t>(s_.nodeDof[e.nodes[0]])];
  }

  const Structure& s_;
  const PairContacts& pairs_;
  std::vector<int> nodeOf_;         // of a node's first unknown
  std::vector<contact::Box> ways_;  // per node, since begin()
  VectorX start_, end_;             // displacements at begin(), and where find() looks
  std::vector<contact::Box> seen_;  // per node: `near_` is complete while ways stay inside; empty: never looked
  std::vector<Element> elements_;
  std::vector<std::array<int, 2>> near_;  // elements of different parts whose seen boxes overlap
  contact::BroadPhase broad_;
  std::vector<contact::Box> boxes_;
  std::vector<std::array<int, 2>> overlaps_;
};

}  // namespace tendril::rods_shells
