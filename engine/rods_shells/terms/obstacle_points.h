// Where rods and shells can touch obstacles: at their nodes and at fixed places on edges and in triangles. Only what is
// near an obstacle is ever written down; it is looked for again as bodies and obstacles move.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "contact/contact_mesh.h"
#include "contact/obstacle_search.h"
#include "rods_shells/structure.h"
#include "solve/parted_tangent.h"
#include "world/obstacle_contact.h"

namespace tendril::rods_shells {

/// A material point: a node, or a fixed place on an edge or in a triangle.
struct ContactPoint {
  int count = 1;  ///< nodes that carry it
  std::array<int, 3> nodes{};
  std::array<double, 3> weights{};
  int body = 0;
  double radius = 0;  ///< [m]
};

/// A point against an obstacle.
struct ObstacleCandidate {
  int carrier = 0;  ///< the node, edge or triangle that it is on, in one numbering
  int obstacle = 0;
  int place = 0;  ///< which of the carrier's points for this obstacle
  ContactPoint point;
  double share = 0;    ///< length that it stands for [m]
  double overlap = 0;  ///< how deep inside it began [m]; parts slowly
  /// Entries of the tangent, the lower triangle of its 3, 6 or 9 unknowns; -1 in front: not looked for yet.
  std::array<int, 45> slots{-1};

  bool isBefore(const ObstacleCandidate& other) const {
    return std::array{carrier, obstacle, place} < std::array{other.carrier, other.obstacle, other.place};
  }
};

/// What of a body can touch obstacles, in the order of nodes, edges and triangles.
struct ContactCarrier {
  ContactPoint middle;  ///< its nodes with equal weights
  double share = 0;     ///< of a shell's vertex: the length that it stands for [m]
  double length = 0;    ///< the longest side at rest [m]; 0: a node
  double most = 0;      ///< of the parts that a side is divided into
};

class ObstaclePoints {
 public:
  /// What is referred to must live as long.
  ObstaclePoints(const Structure& structure, const scene::Scene& scene, const world::ObstacleContact& outside);

  /// Takes lengths and radii anew; divide() must follow.
  void measure(const contact::ContactMesh& mesh);
  void divide(const solve::Partition& parts);
  /// Of one part or, with -1, of all: what everything below is about.
  void enter(int part) { part_ = part; }
  /// Gaps below which bodies and obstacles push each other, by body; what is known is forgotten where they have grown
  /// [m].
  void setReach(std::span<const double> reach);
  double reachOf(int body) const { return reach_[static_cast<std::size_t>(body)]; }
  /// Entries of the tangent are looked for again.
  void forgetSlots();
  /// Overlaps are those with obstacles at their initial places; displacements are zero.
  void findOverlaps();

  /// Where obstacles stand in the prepared step: where it is evaluated, at its start, at its end.
  enum class Stand { now, before, after };
  /// All points within reach of obstacles at displacements q, and some that are not; ascending. Where they are `later`
  /// [s] than that, by their velocities.
  std::vector<ObstacleCandidate>& around(const VectorX& q, Stand stand = Stand::now, double later = 0);
  /// All points that may come nearer to an obstacle than their radius on straight ways from q0 to q1 while it is
  /// anywhere on its own way, and some that may not; ascending.
  const std::vector<ObstacleCandidate>& onWays(const VectorX& q0, const VectorX& q1);

  const std::vector<ContactCarrier>& carriers() const { return carriers_; }
  int partOf(const ObstacleCandidate& c) const { return partOf_[static_cast<std::size_t>(c.point.nodes[0])]; }
  /// Into how many parts a side goes for an obstacle.
  int parts(const ContactCarrier& carrier, int obstacle) const;
  /// What near() looks at: obstacles anywhere on their ways of the prepared step.
  void lookAtWays();
  /// Obstacles that may come nearer than `wide` [m] to a carrier while it goes straight from q0 to q1, ascending.
  const std::vector<int>& near(const ContactCarrier& carrier, double wide, const VectorX& q0, const VectorX& q1);

  /// The largest share of a body's points for obstacles as finely met as one [m].
  struct LargestShare {
    int body = 0, fineness = 0;
    double share = 0;
  };
  const std::vector<LargestShare>& largestShares() const { return here().shares; }
  /// Obstacles of which each has a fineness of its own, ascending; and whose an obstacle has.
  const std::vector<int>& finenesses() const { return finenesses_; }
  int finenessOf(int obstacle) const { return fineness_[static_cast<std::size_t>(obstacle)]; }

  /// Where edges or faces are too coarse for an obstacle, in words for the user: one sentence for each body.
  const std::vector<std::string>& meshWarnings() const { return meshWarnings_; }

 private:
  /// Of one part, or of all: who belongs to it, and what was near when its nodes and the obstacles were last looked at.
  struct Group {
    std::vector<int> carriers, nodes;
    std::vector<LargestShare> shares;
    double margin = 0;                       // how far they may go together until that is looked at again [m]
    std::vector<Vec3> nodesAt, obstaclesAt;  // displacements of its nodes, places of obstacles then; empty: never
    std::vector<ObstacleCandidate> candidates;
  };
  const Group& here() const { return part_ < 0 ? groups_.back() : groups_[static_cast<std::size_t>(part_)]; }
  Group& here() { return part_ < 0 ? groups_.back() : groups_[static_cast<std::size_t>(part_)]; }
  void measure(Group& group) const;
  void findCoarse();
  Vec3 standOf(std::size_t obstacle, Stand stand, double later) const;
  double farthest(const Group& group, const VectorX& q) const;
  double farthestWay(const Group& group) const;
  Vec3 placeOf(int node, const VectorX& q) const { return s_.nodes[node] + q.segment<3>(s_.nodeDof[node]); }
  contact::Box boxOf(const ContactPoint& p, double wider, const VectorX& q0, const VectorX& q1) const;
  template <class Wider>
  void search(const std::vector<int>& carriers, const VectorX& q0, const VectorX& q1, Wider wider,
              std::vector<ObstacleCandidate>& out);
  void search(Group& group, const VectorX& q);
  void addCandidates(int carrier, int obstacle, std::vector<ObstacleCandidate>& out) const;
  double nodeShare(const ContactCarrier& node, int obstacle) const;
  void forget();

  const Structure& s_;
  const scene::Scene& scene_;
  const std::vector<contact::ObstacleShape>& obstacles_;
  const world::ObstaclePaths& motion_;
  std::vector<ContactCarrier> carriers_;
  std::vector<std::vector<int>> rodEdges_;      // of each node: carriers of the edges of rods that meet there
  std::vector<int> fineness_;                   // per obstacle: the first one for which sides go into as many parts
  std::vector<int> finenesses_;                 // these, ascending
  std::vector<int> partOf_;                     // per node
  std::vector<double> reach_;                   // per body [m]
  std::vector<Group> groups_;                   // of each part, then of all
  std::vector<ObstacleCandidate> overlapping_;  // at the start, with their overlaps
  std::vector<ObstacleCandidate> swept_;
  int part_ = -1;
  std::vector<std::string> meshWarnings_;
  contact::ObstacleSearch search_;
  std::vector<contact::ObstacleSearch::Range> ranges_;
  std::vector<int> met_;
};

}  // namespace tendril::rods_shells
