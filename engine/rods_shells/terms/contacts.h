// Rods and shells against obstacles: penalties, friction, normal damping; added to the one potential of a step. Normal
// forces and tangent planes of friction are lagged inside a solve (contact/friction.h).
#pragma once

#include <array>
#include <string>
#include <vector>

#include "rods_shells/contact_law.h"
#include "rods_shells/terms/obstacle_points.h"
#include "rods_shells/terms/term.h"
#include "world/obstacle_contact.h"
#include "world/world.h"

namespace tendril::rods_shells {

class Contacts final : public ContactTerm {
 public:
  Contacts(const Structure& structure, const world::World& world);

  bool empty() const { return outside_.empty(); }
  bool acts() const override { return !empty(); }
  bool hasFriction() const override { return !empty() && hasFriction_; }

  /// The beginning: obstacles stand where `at` says. Throws Failure.
  void stand();
  void refresh() override;
  /// Positions and velocities of obstacles, stiffness and friction.
  void prepare(const scene::Instant& end, const scene::Instant& at, double t0) override;
  void bind(solve::PartedTangent& solver, const std::vector<char>& prescribed) override;
  /// What evaluate, lag, longestStep and pressedThrough are about from here on.
  void enter(const PartElements& part) override { part_ = part.part, points_.enter(part_); }

  void begin(const VectorX& q) override { start_ = q; }

  void evaluate(const VectorX& q, const VectorX& v, double rate, solve::Level level, TermSums& out) override;

  /// Adds what damping, friction and obstacles that part did in the prepared step of dt [s], evaluated at q, v, that
  /// moved everything by `move`. `pushes`: force [N] of each obstacle that moves, or of all, whose work is not in
  /// `done`.
  void addWork(const VectorX& q, const VectorX& v, const VectorX& move, double dt, bool all, model::WorkDone& done,
               std::vector<Vec3>& pushes) const;
  /// Shows `frame` the obstacles that touch at displacements q, where they are `later` [s] than they stand.
  void show(const VectorX& q, double later, model::WatchFrame& frame) const;

  void evaluateFriction(const VectorX& v, double rate, solve::Level level, solve::Evaluation& out,
                        VectorX& gradient) override;
  void lag(const VectorX& q, Stand stand) override;

  double longestStep(const VectorX& q, const VectorX& dq) override;
  /// As that, of the way from q0 at the start of the prepared step to q1 where it is evaluated, seen from obstacles,
  /// which go theirs meanwhile; and which obstacle stops it.
  struct Passage {
    double part = 1;
    int obstacle = -1;
  };
  Passage passage(const VectorX& q0, const VectorX& q1, bool free = false) const;
  /// The way of an obstacle until then [m].
  Vec3 wayOf(int obstacle) const {
    const world::ObstaclePath& path = outside_.motion().path(static_cast<std::size_t>(obstacle));
    return path.now - path.before;
  }
  /// Where edges or faces are too coarse for an obstacle, in words for the user: one sentence for each body.
  const std::vector<std::string>& meshWarnings() const { return points_.meshWarnings(); }
  /// Where a body is stretched so far on the way from q0 to q1 of the prepared step that an obstacle which it touches
  /// there may pass between the points that touch, in words for the user; or empty.
  std::string stretchedApart(const VectorX& q0, const VectorX& q1) const;
  /// Name of an obstacle that moves through a body within the prepared step; or empty.
  std::string sweeper(const VectorX& q) const;

  /// Ways are seen from the obstacle.
  std::string passedThrough(const VectorX& q0, const VectorX& q1) override;
  /// What obstacle passes, on that way, through a place that supports hold entirely, where neither can give way, in
  /// words for the user; or empty.
  std::string throughHeld(const VectorX& q0, const VectorX& q1) const;
  /// Where a point has sunk past half of what is between an obstacle's surface and its core on the way from q0
  /// (obstacles at the step's start) to q1 (at its end): contact could not part them again.
  std::string pressedThrough(const VectorX& q0, const VectorX& q1) override;
  double penetration(const VectorX& q) const override { return empty() ? 0 : summary(q, -1, -1).penetration; }

  /// At displacements q: of one body and one obstacle, or of all with -1.
  scene::ContactSummary summary(const VectorX& q, int body, int obstacle) const;
  double energy(const VectorX& q, int body) const;  ///< [J] of one body, or of all with -1

  double touch() const;  ///< energy of the stiffest contact that just touches [J]
  double stiffest() const override;
  double reach() const;  ///< the largest distance from which on surfaces push [m]

  const std::vector<contact::ObstacleShape>& obstacles() const { return outside_.shapes(); }
  /// Overlaps at the start are found anew.
  void visit(model::Archive& archive, const VectorX& /*q*/) override {
    overlapsDue_ = overlapsDue_ || archive.restores();
  }

 private:
  using Point = ContactPoint;
  using Candidate = ObstacleCandidate;
  /// Friction of one contact with what is lagged.
  struct Sliding {
    Candidate at;
    double limit;  // mu N [N]
    Vec3 normal;
  };
  /// An edge, or a triangle with points inside, whose points obstacles may pass between once it is longer than `closed`
  /// [m].
  struct Span {
    int carrier = 0;
    double closed = 0;
  };
  void findSpans();
  double longestSide(const Point& middle, const VectorX& q) const;
  bool meets(const Point& middle, int obstacle, int parts, double apart, const VectorX& q0, const VectorX& q1) const;
  double beside(int obstacle, double radius, double apart) const;
  void takeMesh();
  void setReach();
  template <class F>
  void forEachSliding(F f) const;
  template <class F>
  void forEachLargestShare(F f) const;
  static Vec3 mean(const Point& p, const VectorX& values, const Structure& s);
  Vec3 place(const Point& p, const VectorX& q) const;
  const scene::ContactLaw& lawOf(const Candidate& c) const { return lawOf(c.point.body, c.obstacle); }
  const scene::ContactLaw& lawOf(int body, int obstacle) const {
    return outside_.law(static_cast<std::size_t>(body), static_cast<std::size_t>(obstacle));
  }
  world::SurfacePoint placeOf(const Candidate& c) const {
    const scene::ContactLaw& law = lawOf(c);
    return {static_cast<std::size_t>(c.obstacle), &law, c.point.radius, outside_.stiffness(law, c.share), c.overlap};
  }
  bool isHeld(const Point& p) const;
  double damp(const Candidate& c, const world::SurfacePoint& side, double gap, contact::Penalty& e) const;
  void findSlots(Candidate& c) const;
  void scatter(Candidate& c, const Mat3& h);
  void push(const Candidate& c, const Vec3& force, VectorX& gradient) const;

  const Structure& s_;
  const scene::Scene& scene_;
  world::ObstacleContact outside_;
  mutable ObstaclePoints points_;     // what is near is looked for when it is asked for
  std::vector<ContactGrain> grains_;  // per body
  std::vector<double> reach_;         // per body [m]
  std::vector<Span> spans_;
  int part_ = -1;
  std::vector<std::vector<Sliding>> slidings_;  // of each part
  VectorX start_;                               // displacements at the step's start
  mutable VectorX to_;
  bool hasFriction_ = false;
  bool overlapsDue_ = true;
  solve::PartedTangent* solver_ = nullptr;
  double* values_ = nullptr;
  const std::vector<char>* prescribed_ = nullptr;
};

}  // namespace tendril::rods_shells
