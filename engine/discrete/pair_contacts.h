// Rods and shells that touch themselves and each other (M 4): penalties between pairs of edges and between points and
// triangles, friction and normal damping between their surfaces, all added to the one potential of a step.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "contact/friction.h"
#include "contact/pair_search.h"
#include "contact/penalty.h"
#include "discrete/contact_law.h"
#include "model/energy_watch.h"
#include "solve/mechanical_system.h"
#include "solve/parted_tangent.h"

namespace tendril {

class PairContacts {
 public:
  /// Throws std::invalid_argument (JSON pointer first) where an edge starts on both sides of a triangle: no contact
  /// could tell where it belongs.
  PairContacts(const Structure& structure, const Scene& scene);

  bool empty() const { return !scene_.contact.self; }
  bool hasFriction() const { return law_.friction > 0; }

  /// Radii, neighbours and shares again after live parameters changed.
  void refresh();
  /// Stiffness and friction at a time. Throws FormulaFailure.
  void prepare(const Moment& at, double t0);
  /// Normal damping of the prepared step counts from displacements q, the state at its start.
  void begin(const VectorX& q) { start_ = q; }

  /// Finds what is near at displacements q, again only if something moved too far since the last time.
  void follow(const VectorX& q);

  /// A sparse tangent holds the pairs of pattern() and no others; widen() takes those near q instead, after which the
  /// solver must be made again and bound.
  void widen(const VectorX& q);
  /// False: a pair that acts now has no place in the tangent. Call after follow(q), before Level::tangent.
  bool fits(const VectorX& q);
  /// Unknowns of each pair of the pattern, 12 each.
  std::vector<std::array<int, 12>> patternDofs() const;
  void bind(PartedTangent& solver, const std::vector<char>& prescribed);

  /// As Contacts::evaluate; follow(q) comes first, and fits(q) before tangents.
  void evaluate(const VectorX& q, const VectorX& v, double rate, Level level, Evaluation& out, VectorX& gradient);
  /// Its part of friction alone.
  /// Adds what damping and friction took in the prepared step of dt [s], evaluated at q, v, that moved
  /// everything by `move`.
  void addWork(const VectorX& q, const VectorX& v, const VectorX& move, double dt, WorkDone& done) const;
  void evaluateFriction(const VectorX& v, double rate, Level level, Evaluation& out, VectorX& gradient);
  /// Takes normal forces, contact points and tangent planes of friction from displacements q.
  void lag(const VectorX& q);

  /// Largest part of the update dq from q on which no centrelines or surfaces cross, in [0, 1].
  double longestStep(const VectorX& q, const VectorX& dq);

  /// Names the bodies of a pair whose centres come so near on the way from q0 to q1 that contact could not part them
  /// again: below a tenth of the radii and nearer than before. Empty: none. A step that does so is not accepted.
  std::string squeezed(const VectorX& q0, const VectorX& q1);
  /// Names the bodies of a pair that the straight way from q0 to q1 would take through each other. A Newton solve may find
  /// its way around an end; a step must not.
  std::string crossed(const VectorX& q0, const VectorX& q1);
  /// What begins inside something else, in words for the user; empty if nothing does that the loader does not tell.
  std::string overlapWarning() const;

  /// At accepted displacements q that follow() has seen: of the pairs that touch one of `bodies`; empty: of all.
  ContactSummary summary(const VectorX& q, const std::vector<int>& bodies) const;
  /// [J] of one body (half of what it shares with another), or of all with -1.
  double energy(const VectorX& q, int body) const;

  double touch() const;     ///< energy of the stiffest contact that just touches [J]
  double stiffest() const;  ///< largest stiffness of a contact, k [N/m]

  /// A step is accepted at q: follows, and counts towards the next look at a pattern that has grown stale. True: the
  /// pattern was taken anew, and the solver must be made again.
  bool accept(const VectorX& q);

  /// What the tangent's order of summation depends on; goes into `save`.
  struct State {
    std::vector<ContactPair> pattern;
    int age = 0;  ///< accepted steps since the pattern was looked at
  };
  const State& state() const { return state_; }
  /// The pattern of the accepted state again, where a step that is not accepted has changed it. True: it had; solver to be
  /// made again.
  bool goBack(const VectorX& q);
  /// Throws std::runtime_error where a pair is not of this scene; solver to be made again.
  void setState(State state, const VectorX& q);

 private:
  /// Where the lower triangle of a pair's 12 x 12 block goes, by blocks of nodes; first -1: not looked up yet.
  using Slots = std::array<int, 78>;
  struct Candidate {
    ContactPair pair;
    std::array<int, 4> nodes;
    double radii;       // sum [m]
    double a2, b2;      // of the edges' smoothing lengths [m^2]
    double stiffness;   // [N/m]
    double distance;    // gap at which it sets in [m]
    double overlap;     // at the start [m]; parts slowly
    int slots = -1;     // place in the pattern, -1: not there
  };
  /// Distance [m] with w = sum c_i x_i, gradient c_i w / distance, and what its Hessian needs.
  struct Reach {
    double distance;
    Vec3 w;
    std::array<double, 4> c;
  };
  /// Friction of one contact with what is lagged.
  struct Rub {
    Candidate pair;
    std::array<double, 4> c;
    double limit;  // mu N [N]
    Vec3 normal;
  };

  void update(std::span<const ContactPair> pairs);
  Candidate candidate(const ContactPair& pair) const;
  void place(const VectorX& q);
  double farthest(const VectorX& to, const VectorX* from) const;
  std::array<int, 2> bodiesOf(const ContactPair& pair) const;
  std::array<Vec3, 4> moves(const std::array<int, 4>& nodes, const VectorX& dq) const;
  std::array<Vec3, 4> corners(const std::array<int, 4>& nodes, const VectorX& q) const;
  Reach reachOf(const Candidate& c, const std::array<Vec3, 4>& x) const;
  void addPenalty(const Candidate& c, const std::array<Vec3, 4>& x, const Reach& r, const Penalty& e);
  void findSlots(const Candidate& c);
  int placeInPattern(const ContactPair& pair) const;
  void scatter(const Candidate& c, const Mat3 (&h)[4][4]);
  double stiffnessOf(const Candidate& c) const;
  void findLaws(const Moment& at);
  const ContactLaw& lawOf(const ContactPair& pair) const;
  double gapOf(const Candidate& c, double distance) const { return distance - c.radii + overlapLeft_ * c.overlap; }
  double damp(const Candidate& c, double gap, Penalty& e) const;
  void findOverlaps();
  void refuseBadStart() const;
  /// visit(kind, nodes, radii, bodies of the pair) for all that could come near each other on the way dq from q.
  template <class Visit>
  void forEachOnTheWay(const VectorX& q, const VectorX& dq, Visit visit);
  /// visit(candidate, corners, reach) for all whose gap is within the penalty's reach.
  template <class Visit>
  void forEachTouching(const VectorX& q, Visit visit) const;

  const Structure& s_;
  const Scene& scene_;
  ContactMesh mesh_;
  std::unique_ptr<PairSearch> search_;
  std::vector<ContactGrain> grains_;  // per body
  std::vector<ContactLaw> laws_;      // per two bodies
  ContactLaw law_;                    // friction and slip of all; the largest distance and stiffness
  double damping_ = 0;  // [s]
  double elapsed_ = 0;  // from the step's start to where it is evaluated [s]
  VectorX start_;       // displacements at the step's start
  double margin_ = 0;  // candidates are complete while no node moved further than half of this from the others [m]
  double reach_ = 0;   // gap below which candidates may act when found [m]
  State state_;
  std::optional<State> before_;  // of the accepted state, once a step has changed it
  std::vector<std::pair<ContactPair, double>> overlaps_;  // ascending: pairs that began inside each other, depth [m]
  double overlapLeft_ = 0;
  double parting_ = 0;  // [1/s] how fast that becomes less

  std::vector<Candidate> candidates_;  // ascending
  VectorX found_;                      // displacements at which they were found; empty: never
  std::vector<Rub> rubs_;
  std::vector<Slots> slots_;           // of the pairs of the pattern

  PartedTangent* solver_ = nullptr;
  const std::vector<char>* prescribed_ = nullptr;
  double* values_ = nullptr;
  // Work space.
  std::vector<Vec3> x_, dx_;
  VectorX way_;
  std::vector<ContactPair> near_;
};

template <class Visit>
void PairContacts::forEachTouching(const VectorX& q, Visit visit) const {
  for (const Candidate& c : candidates_) {
    const std::array<Vec3, 4> x = corners(c.nodes, q);
    const Reach r = reachOf(c, x);
    if (gapOf(c, r.distance) <= penaltyReach * c.distance) visit(c, x, r);
  }
}

}  // namespace tendril
