// Rods and shells that touch themselves and each other (M 4): penalties between pairs of edges and between points and
// triangles, friction and normal damping between their surfaces, all added to the one potential of a step.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "contact/friction.h"
#include "contact/pair_search.h"
#include "contact/penalty.h"
#include "model/energy_watch.h"
#include "rods_shells/contact_law.h"
#include "rods_shells/terms/term.h"

namespace tendril::rods_shells {

class PairContacts final : public ContactTerm {
 public:
  /// Throws model::BuildError where an edge starts on both sides of a triangle: no contact
  /// could tell where it belongs.
  PairContacts(const Structure& structure, const scene::Scene& scene);

  bool empty() const { return !scene_.contact.self; }
  bool acts() const override { return !empty(); }
  bool hasFriction() const override { return !empty() && friction_ > 0; }

  /// Pairs are of one part each: what is of different parts is taken to be apart. A new division keeps what is known of
  /// pairs. Solver to be made again.
  void divide(const solve::Partition& parts);
  /// What follows is about the pairs of this part, or about all with -1. Vectors are whole, but no unknowns of other
  /// parts are looked at.
  void enter(const PartElements& part) override { part_ = empty() ? -1 : part.part; }
  const contact::ContactMesh& mesh() const { return mesh_; }
  /// Gap below which contact forces of two bodies begin [m].
  double reachOf(int a, int b) const {
    return contact::penaltyReach *
           laws_[static_cast<std::size_t>(a) * grains_.size() + static_cast<std::size_t>(b)].distance;
  }

  void refresh() override;
  /// Stiffness and friction.
  void prepare(const scene::Instant& end, const scene::Instant& at, double t0) override;
  void begin(const VectorX& q) override { start_ = q; }

  /// Finds what is near at displacements q, again only if something moved too far since the last time.
  void follow(const VectorX& q);

  /// A sparse tangent holds the pairs of pattern() and no others; widen() takes those near q instead, after which the
  /// solver must be made again and bound.
  void widen(const VectorX& q);
  /// False: a pair that acts now has no place in the tangent. Call after follow(q), before Level::tangent.
  bool fits(const VectorX& q);
  void addPattern(Pattern& pattern) const override;
  void bind(solve::PartedTangent& solver, const std::vector<char>& prescribed) override;
  /// Follows; before a tangent whose pattern lacks a pair it widens.
  bool look(const VectorX& q, solve::Level level) override;

  /// What look(q) saw.
  void evaluate(const VectorX& q, const VectorX& v, double rate, solve::Level level, TermSums& out) override;
  /// Adds what damping and friction took in the prepared step of dt [s], evaluated at q, v, that moved
  /// everything by `move`.
  void addWork(const VectorX& q, const VectorX& v, const VectorX& move, double dt, model::WorkDone& done) const;
  void evaluateFriction(const VectorX& v, double rate, solve::Level level, solve::Evaluation& out,
                        VectorX& gradient) override;
  /// Contact points too.
  void lag(const VectorX& q, Stand stand) override;

  /// No centerlines or surfaces cross.
  double longestStep(const VectorX& q, const VectorX& dq) override;

  /// Where the centers of a pair come so near on the way from q0 to q1 that contact could not part them again: below a
  /// tenth of the radii and nearer than before.
  std::string pressedThrough(const VectorX& q0, const VectorX& q1) override;
  /// A Newton solve may find its way around an end; a step must not.
  std::string passedThrough(const VectorX& q0, const VectorX& q1) override;
  double penetration(const VectorX& q) const override { return empty() ? 0 : summary(q, {}).penetration; }
  /// What begins inside something else, in words for the user; empty if nothing does that the loader does not tell.
  std::string overlapWarning() const;

  /// At accepted displacements q that follow() has seen: of the pairs that touch one of `bodies`; empty: of all.
  scene::ContactSummary summary(const VectorX& q, const std::vector<int>& bodies) const;
  /// [J] of one body (half of what it shares with another), or of all with -1.
  double energy(const VectorX& q, int body) const;

  double touch() const;  ///< energy of the stiffest contact that just touches [J]
  double stiffest() const override;
  double reach() const;  ///< the largest distance from which on surfaces push [m]

  /// A step is accepted at q: follows, and counts toward the next look at patterns that have grown stale. True: one was
  /// taken anew, and the solver must be made again.
  bool accept(const VectorX& q) override;

  /// Of a part: what the tangent's order of summation depends on.
  struct PairSet {
    std::vector<contact::ContactPair> pairs;
    int age = 0;  ///< accepted steps since it was looked at
  };
  /// Of every part.
  using State = std::vector<PairSet>;
  /// The pattern of the accepted state again, where a step that is not accepted has changed it. True: it had; solver to
  /// be made again.
  bool goBack(const VectorX& q) override;
  void visit(model::Archive& archive, const VectorX& q) override;

 private:
  void setState(State state, const VectorX& q);
  /// Where the lower triangle of a pair's 12 x 12 block goes, by blocks of nodes; first -1: not looked up yet.
  using Slots = std::array<int, 78>;
  struct Candidate {
    contact::ContactPair pair;
    std::array<int, 4> nodes;
    double radii;      // sum [m]
    double a2, b2;     // of the edges' smoothing lengths [m^2]
    double stiffness;  // [N/m]
    double distance;   // gap at which it sets in [m]
    double overlap;    // at the start [m]; parts slowly
    int slots = -1;    // place in its part's pattern, -1: not there
  };
  /// Distance [m] with w = sum c_i x_i, gradient c_i w / distance, and what its Hessian needs.
  struct Reach {
    double distance;
    Vec3 w;
    std::array<double, 4> c;
  };
  /// Friction of one contact with what is lagged.
  struct Sliding {
    Candidate pair;
    std::array<double, 4> c;
    double limit;  // mu N [N]
    Vec3 normal;
  };

  /// What may touch each other: all of one part. It knows nothing of others.
  struct Group {
    contact::PairSearch::Among among;
    std::vector<int> nodes;
    double distance = 0, stiffness = 0;  // the largest of its bodies' laws [m], [N/m]
    double longest = 0;                  // what a contact stands for at most [m]
    double margin = 0;  // candidates are complete while no node moved further than half of this from the others [m]
    std::vector<Candidate> candidates;  // ascending
    std::vector<Vec3> found;            // displacements of its nodes at which they were found; empty: never
    std::vector<Sliding> slidings;
    std::vector<Slots> slots;  // of the pairs of the pattern

    double reach() const {
      return contact::penaltyReach * distance;
    }  ///< gap below which candidates may act when found [m]
  };
  std::span<Group> here() {
    return part_ < 0 ? std::span(groups_) : std::span(&groups_[static_cast<std::size_t>(part_)], 1);
  }
  std::span<const Group> here() const { return const_cast<PairContacts*>(this)->here(); }
  PairSet& patternOf(const Group& group) { return state_[static_cast<std::size_t>(&group - groups_.data())]; }

  void makeGroups();
  void measure(Group& group) const;
  void follow(Group& group, const VectorX& q);
  void widen(Group& group, const VectorX& q);
  bool accept(Group& group, const VectorX& q);
  double stiffest(const Group& group) const;
  void update(Group& group, std::span<const contact::ContactPair> pairs);
  Candidate candidate(const contact::ContactPair& pair) const;
  void place(const Group& group, const VectorX& q);
  /// Of any of the group's nodes from the mean of all: what moves everything alike brings nothing nearer. move(first
  /// unknown of a node, its number in the group) is how far that moved [m].
  template <class Move>
  double farthest(const Group& group, Move move) const;
  double sinceFound(const Group& group, const VectorX& q) const;
  std::array<int, 2> bodiesOf(const contact::ContactPair& pair) const;
  std::array<Vec3, 4> moves(const std::array<int, 4>& nodes, const VectorX& dq) const;
  std::array<Vec3, 4> corners(const std::array<int, 4>& nodes, const VectorX& q) const;
  Reach distanceOf(const Candidate& c, const std::array<Vec3, 4>& x) const;
  void addPenalty(const Candidate& c, Slots& slots, const std::array<Vec3, 4>& x, const Reach& r,
                  const contact::Penalty& e);
  void findSlots(const Candidate& c, Slots& slots);
  void scatter(const Candidate& c, Slots& slots, const Mat3 (&h)[4][4]);
  double stiffnessOf(const Candidate& c) const;
  void findLaws(const scene::Instant& at);
  const scene::ContactLaw& lawOf(const contact::ContactPair& pair) const;
  double gapOf(const Candidate& c, double distance) const { return distance - c.radii + parting_.left * c.overlap; }
  double damp(const Candidate& c, double gap, contact::Penalty& e) const;
  void findOverlaps();
  void refuseBadStart() const;
  /// visit(kind, nodes, radii, bodies of the pair) for all that could come near each other on the way dq from q.
  template <class Visit>
  void forEachOnTheWay(const VectorX& q, const VectorX& dq, Visit visit);
  /// visit(candidate, corners, distance) for all of a group whose gap is within the penalty's reach.
  template <class Visit>
  void forEachTouching(const Group& group, const VectorX& q, Visit visit) const;

  const Structure& s_;
  const scene::Scene& scene_;
  contact::ContactMesh mesh_;
  std::unique_ptr<contact::PairSearch> search_;
  std::vector<ContactGrain> grains_;                // per body
  std::vector<scene::ContactLaw> laws_;             // per two bodies
  double friction_ = 0, slip_ = 0, stiffness_ = 0;  // of all; the stiffness where a formula gives it [N/m]
  double damping_ = 0;                              // [s]
  scene::Parting parting_;
  VectorX start_;  // displacements at the step's start
  State state_;
  std::optional<State> before_;  // of the accepted state, once a step has changed it
  std::vector<std::pair<contact::ContactPair, double>>
      overlaps_;  // ascending: pairs that began inside each other, depth [m]

  std::vector<int> partOf_;  // of nodes
  int part_ = -1, parts_ = 1;
  std::vector<Group> groups_;  // per part

  solve::PartedTangent* solver_ = nullptr;
  const std::vector<char>* prescribed_ = nullptr;
  double* values_ = nullptr;
  // Work space.
  std::vector<Vec3> x_, dx_;  // per node of all
  VectorX way_;
  std::vector<contact::ContactPair> near_;
};

template <class Visit>
void PairContacts::forEachTouching(const Group& group, const VectorX& q, Visit visit) const {
  for (const Candidate& c : group.candidates) {
    const std::array<Vec3, 4> x = corners(c.nodes, q);
    const Reach r = distanceOf(c, x);
    if (gapOf(c, r.distance) <= contact::penaltyReach * c.distance) visit(c, x, r);
  }
}

template <class Move>
double PairContacts::farthest(const Group& group, Move move) const {
  Vec3 mean = Vec3::Zero();
  for (std::size_t k = 0; k < group.nodes.size(); ++k) mean += move(s_.nodeDof[group.nodes[k]], k);
  mean /= static_cast<double>(group.nodes.size());
  double square = 0;
  for (std::size_t k = 0; k < group.nodes.size(); ++k)
    square = std::max(square, (move(s_.nodeDof[group.nodes[k]], k) - mean).squaredNorm());
  return std::sqrt(square);
}

}  // namespace tendril::rods_shells
