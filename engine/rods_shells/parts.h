// Parts of a structure: bodies that share unknowns, through joints or because they may touch each other. What one part
// does is nothing to another, so each is solved for by itself, by its own scale of forces and lengths.
#pragma once

#include "rods_shells/structure.h"
#include "solve/parted_tangent.h"

namespace tendril::rods_shells {

/// Elements of one part, or of all parts (part -1), each list ascending.
struct PartElements {
  int part = -1;
  std::vector<int> edges, springs, shellEdges, triangles, welds, ties, connectors;
  std::vector<int> nodeDofs;        ///< first unknown of each node
  double meanEdge = 0, extent = 0;  ///< [m], as of Structure
  VectorX unitWeight;               ///< of its unknowns: 1 for displacements, 1 / mean edge for angles
  std::vector<int> body;  ///< of its unknowns: which of the part's bodies, or -1 where several meet; empty: it has one
  int bodies = 1;
  std::vector<int>
      bodyOf;  ///< of all bodies, rods and then shells: which of the part's it is, or -1; empty: it has one
  const std::vector<int>* ofUnknown = nullptr;
  const std::vector<int>* unknowns = nullptr;  ///< of one part, ascending

  bool has(int unknown) const { return part < 0 || (*ofUnknown)[unknown] == part; }
};

/// The division of a structure. It does not move: the elements point into it.
struct Parts {
  solve::Partition unknowns;
  std::vector<PartElements> elements;
  PartElements all;

  Parts() = default;
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;
  /// `pattern`: pairs of unknowns that the tangent may couple.
  void divide(const Structure& structure, std::span<const std::array<int, 2>> pattern);
};

}  // namespace tendril::rods_shells
