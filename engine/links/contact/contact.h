// Points on the links of a linkage against obstacles: the penalties, friction and normal damping of rods and shells,
// with normal forces and tangent planes of friction taken where they are, so that one unsymmetric solve ends a step.
#pragma once

#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "contact/friction.h"
#include "contact/obstacle_search.h"
#include "links/chain/displacement.h"
#include "links/chain/force.h"
#include "world/obstacle_contact.h"
#include "world/world.h"

namespace tendril::links {

/// A point of the frame at the end of a chain step that may touch the obstacles of its group.
struct ContactPoint {
  int step = 0;
  Vec3 local = Vec3::Zero();  ///< in that frame [m]
  double radius = 0;          ///< of contact [m]
  double share = 0;           ///< length it stands for [m], for "per": "length"
  int kind = 0;               ///< which of the stiffnesses is its own where the scene names none
  int linkage = 0, link = 0, group = 0;
  /// What its link is from the point before it on, where that is: none with `before` -1.
  int before = -1;                     ///< a step
  Vec3 beforeLocal = Vec3::Zero();     ///< in its frame [m]
  double beforeRadius = 0, apart = 0;  ///< [m], at rest
};

/// What of a linkage may touch. Finer obstacles are met at more points, which are nothing to other obstacles.
struct Skin {
  /// Obstacles that are met at the same points.
  struct Group {
    std::vector<int> obstacles;  ///< ascending
    /// Where the scene names none: `stiffness` by kind of point [N/m], per length over `radius`; a tenth of `radius`
    /// [m] as distance.
    std::vector<double> stiffness;
    double radius = 0;
  };
  std::vector<ContactPoint> points;
  std::vector<Group> groups;  ///< each obstacle of the scene is in one, or there are none
};

class Contact final : public ChainForce {
 public:
  /// `scene` must outlive this.
  Contact(const world::World& world, Skin skin);

  /// Nothing can touch: no obstacles or no points.
  bool empty() const { return candidates_.empty(); }

  /// Into how many parts a link, or division of one, of this length [m] goes for an obstacle, each of which ends in a
  /// point; 60 at most.
  static constexpr int mostParts = 60;
  static constexpr double narrowest = 1.5;  ///< of the radius: how close points of one such part are at least
  static int parts(const contact::ObstacleShape& obstacle, double length, double radius);

  /// Another skin after live parameters changed: where obstacles are and what overlapped at the start stay. Points must
  /// not change in number.
  void setSkin(Skin skin);

  void stand() { outside_.stand(); }  ///< the beginning
  /// Takes the overlaps at the start, which part over the first hundred steps, from the frames at t = 0.
  void findOverlaps(const std::vector<ChainFrame>& frames);
  void visit(model::Archive& archive);
  /// [m] with every obstacle that it begins in.
  std::map<std::size_t, double> deepestOverlaps() const;

  /// Places and velocities of obstacles, stiffness and friction for a step from t0 that ends at `end` and is evaluated
  /// at `at`. With at.t == t0 (statics, explicit starts) there is no damping; friction vanishes where nothing moves.
  /// Throws Failure.
  void prepare(const scene::Instant& end, const scene::Instant& at, double t0);

  /// Frames at the start of the prepared step: normal damping and the checks below count from there.
  void begin(const std::vector<ChainFrame>& frames);

  /// Whether, from frames and velocities at the start of the prepared step of `dt` [s], a point goes so fast toward or
  /// away from an obstacle that the step sees its contact in few places or not at all: an impact.
  bool hasImpact(const std::vector<ChainFrame>& frames, double dt) const;

  void add(const std::vector<ChainFrame>& frames, bool slopes, ChainLoads& out) override;
  double energy(const std::vector<ChainFrame>& frames) const override;
  /// Rate at which what contact stores changed at the last motion that add() saw [W], obstacles included.
  double storing() const { return storing_; }
  /// [J] at the start of the prepared step, where points and obstacles were, with stiffnesses as they are prepared.
  double energyBefore() const;
  /// [J] of the stiffest contact that just touches.
  double touch() const;
  double reach() const;  ///< the largest distance from which on surfaces push [m]
  double longestStep(const std::vector<geometry::Pose>& from, const std::vector<geometry::Pose>& to) override;
  /// Shows `frame` the obstacles that touch at these frames.
  void show(const std::vector<ChainFrame>& frames, model::WatchFrame& frame) const;
  /// What its forces at the motion of `way.frames` did along a way, beside what is stored.
  void addWork(const ChainDisplacement& way, model::WorkDone& done, std::vector<Vec3>& pushes) const;

  /// After begin(): name of an obstacle that moves through a point within the prepared step; or empty.
  std::string sweeper() const;
  /// The largest part of the way from there to `frames` that lets no point pass through an obstacle, seen from the
  /// obstacle, which goes to where the step is evaluated meanwhile; and its own way [m] that stops it.
  struct Passed {
    double part = 1;
    Vec3 way = Vec3::Zero();
  };
  Passed passedBy(const std::vector<ChainFrame>& frames) const;
  /// Name of an obstacle that a point passes through on its way to `end`, seen from the obstacle; or empty. Ways are
  /// those of the screw motion that takes a frame from start to end in less than half a turn.
  std::string crossed(const std::vector<ChainFrame>& end) const;
  /// Name of an obstacle that a point has sunk into too deep to be parted again; or empty. The obstacles must have been
  /// prepared at the step's end.
  std::string engulfed(const std::vector<ChainFrame>& end) const;
  /// What point is farthest on its way from touch to where nothing parts it from an obstacle any more, beyond half of
  /// that, in words; or empty. For a solve that failed at these frames.
  std::string pressedIn(const std::vector<ChainFrame>& frames) const;
  /// What obstacle passes through a link between two of its points, on its way to `end`, in words; or empty. Points
  /// that are close enough come in its way first.
  std::string passedBetween(const std::vector<ChainFrame>& end) const;

  const std::vector<ContactPoint>& points() const { return skin_.points; }
  /// With one obstacle, or with all for -1.
  scene::ContactSummary summary(const std::vector<ChainFrame>& frames, int obstacle) const;
  /// Touching takes energy, by damping or by friction.
  bool dissipates() const;
  bool hasFriction() const { return outside_.hasFriction(); }

  /// With `moved` as prepared last.
  const std::vector<contact::ObstacleShape>& obstacles() const { return outside_.shapes(); }

 private:
  /// A point against an obstacle; or what is from the point before it on.
  struct Candidate {
    std::size_t point = 0, obstacle = 0;
    double overlap = 0;  // how deep inside it began [m]
    bool inner = false;  // deeper between the points than at them
  };
  /// What a place is in the frame of a step: weight * r + R * arm, one or two of these together.
  struct Foot {
    std::size_t step = 0;
    double weight = 1;
    Vec3 arm = Vec3::Zero();  // [m]
  };
  /// What may touch: the rest is out of reach while points and obstacles together have gone no farther than a margin
  /// from where they were looked at.
  struct Near {
    std::vector<std::size_t> candidates, stretches;     // their numbers, ascending
    std::vector<Vec3> pointsAt, beforeAt, obstaclesAt;  // empty: never looked at
    double reach = 0, margin = 0;                       // [m]
  };
  const Near& nearTo(const std::vector<ChainFrame>& frames) const;
  void look(const std::vector<ChainFrame>& frames) const;
  /// A contact within reach, in the world.
  struct Touch : world::ObstacleTouch {
    Vec3 x;  // where the point is [m]
    std::array<Foot, 2> feet;
    int count = 1;                     // of feet; of two the first is the frame before
    double radius = 0, stiffness = 0;  // [m], [N/m]
    double scale = 1;                  // of all that it does
  };
  /// Place t of the way between two points: how it and its gap change with t.
  struct Along {
    Touch touch;
    std::array<Foot, 2> by;
    Vec3 slope = Vec3::Zero();
    double gap1 = 0, gap2 = 0;  // first and second derivative of the gap
  };
  /// What contact between two points adds to that of the points: at the place and, taken away again, at both ends.
  struct Between {
    double t = 0, excess = 0;  // [J]
    Along place, start, end;
  };
  bool touches(const Candidate& c, const geometry::Pose& pose, Touch& out) const;
  Along along(const Candidate& c, const contact::ObstacleShape& o, double more, const geometry::Pose& before,
              const geometry::Pose& pose, double t) const;
  bool isNear(const Candidate& c, const contact::ObstacleShape& o, const geometry::Pose& before,
              const geometry::Pose& pose, double reach) const;
  double nearest(const Candidate& c, const contact::ObstacleShape& o, double more, const geometry::Pose& before,
                 const geometry::Pose& pose) const;
  bool between(const Candidate& c, const contact::ObstacleShape& o, double more, const geometry::Pose& before,
               const geometry::Pose& pose, Between& out) const;
  bool between(const Candidate& c, const std::vector<ChainFrame>& frames, Between& out) const;
  void findOverlapBetween(Candidate& c, const contact::ObstacleShape& o, const std::vector<ChainFrame>& frames);
  void addSlide(const Candidate& c, const Between& b, const std::vector<ChainFrame>& frames, ChainLoads& loads) const;
  bool hasImpactAt(const Candidate& c, const Vec3& x, const Vec3& way, double radius) const;
  /// Calls act(candidate, touch) for all that is within reach.
  template <class Act>
  void forEachTouch(const std::vector<ChainFrame>& frames, const Act& act) const;
  Vec3 place(const Candidate& c, const geometry::Pose& pose) const {
    return pose.r + pose.R * skin_.points[c.point].local;
  }
  class Motion;
  Motion motionTo(const std::vector<ChainFrame>& frames) const;
  const std::vector<std::size_t>& onPaths(const Motion& motion) const;
  double passage(const Candidate& c, const contact::ObstacleShape& o, const geometry::Pose& from,
                 const geometry::Vec6& screw, const Vec3& move) const;
  double passageFromStart(const Candidate& c, const Motion& motion, const Vec3& move) const;
  const scene::ContactLaw& lawOf(const Candidate& c) const {
    return outside_.law(static_cast<std::size_t>(skin_.points[c.point].kind), c.obstacle);
  }
  world::SurfacePoint placeOf(const Candidate& c) const;
  world::SurfacePoint placeOf(const Candidate& c, const Touch& touch) const {
    return {c.obstacle, &lawOf(c), touch.radius, touch.stiffness, c.overlap};
  }
  double approach(const Candidate& c, const Touch& touch, contact::Penalty& damped, Vec3* normal = nullptr) const;
  const geometry::Pose& startOf(const Candidate& c, const Touch& touch, int foot) const {
    return touch.count == 2 && foot == 0 ? startBefore_[c.point] : start_[c.point];
  }
  contact::FrictionForce slidingFriction(const Candidate& c, const Touch& touch, const std::vector<ChainFrame>& frames,
                                         Vec3& u) const;
  void addTouch(const Candidate& c, const Touch& touch, const std::vector<ChainFrame>& frames, bool slopes,
                ChainLoads& loads) const;
  static Vec3 speedOf(const std::vector<ChainFrame>& frames, const std::array<Foot, 2>& feet, int count) {
    Vec3 u = Vec3::Zero();
    for (int k = 0; k < count; ++k) {
      const Foot& f = feet[static_cast<std::size_t>(k)];
      const ChainFrame& frame = frames[f.step];
      u += frame.pose.R * (f.weight * frame.velocity.tail<3>() + frame.velocity.head<3>().cross(f.arm));
    }
    return u;
  }

  const scene::Scene& scene_;
  world::ObstacleContact outside_;  // laws by kind of point
  Skin skin_;
  std::vector<Candidate> candidates_;
  std::vector<std::size_t> all_;      // their numbers
  std::vector<Candidate> stretches_;  // between points, against all but planes
  mutable Near near_;
  std::vector<geometry::Pose> start_;        // of the points' frames at the step's start
  std::vector<geometry::Pose> startBefore_;  // and of those before them
  double storing_ = 0;
};

}  // namespace tendril::links
