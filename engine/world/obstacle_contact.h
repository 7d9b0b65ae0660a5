// Contact with a scene's obstacles, whatever touches them: where obstacles are within a step, the laws that hold, how
// far a point on a body is from touching, and the normal force there. A model says where its points are, as functions
// of its unknowns, and what becomes of the forces on them. Rods, shells and links go through here; vines meet the same
// shapes on the same paths, but by complementarity instead of a penalty.
#pragma once

#include <vector>

#include "contact/obstacle.h"
#include "contact/penalty.h"
#include "model/energy_watch.h"
#include "model/watch_frame.h"
#include "scene/contact_values.h"
#include "world/obstacles.h"

namespace tendril::world {

/// A point on the surface of a body against an obstacle.
struct SurfacePoint {
  std::size_t obstacle = 0;
  const scene::ContactLaw* law = nullptr;
  double radius = 0;     ///< of the body there [m]
  double stiffness = 0;  ///< [N/m]
  double overlap = 0;    ///< how deep inside the obstacle it began [m]; parts slowly
};

/// A point within reach of an obstacle.
struct ObstacleTouch {
  geometry::SignedDistance surface;  ///< of the obstacle, there
  double gap = 0;                    ///< [m]
  contact::Penalty penalty;          ///< without damping
};

class ObstacleContact {
 public:
  /// The scene and its obstacles must outlive it.
  ObstacleContact(const scene::Scene& scene, const Obstacles& obstacles);

  bool empty() const { return shapes_.empty(); }
  /// Where the step is evaluated, with velocities.
  const std::vector<contact::ObstacleShape>& shapes() const { return shapes_; }
  contact::ObstacleShape initial(std::size_t obstacle) const { return at(obstacle, motion_.initial(obstacle)); }
  contact::ObstacleShape before(std::size_t obstacle) const { return at(obstacle, motion_.path(obstacle).before); }
  contact::ObstacleShape after(std::size_t obstacle) const { return at(obstacle, motion_.path(obstacle).after); }
  const ObstaclePaths& motion() const { return motion_; }
  const scene::Parting& parting() const { return parting_; }

  /// The beginning: obstacles are where they are accepted to be.
  void stand() { motion_.stand(); }
  /// Positions, velocities and parting for a step from t0 that ends at `end` and is evaluated at `at`, where laws are
  /// taken too. Throws Failure.
  void prepare(const scene::Instant& end, const scene::Instant& at, double t0);

  /// Laws are kept by kind of what touches, a number that the model gives, and obstacle.
  void setKinds(std::size_t kinds) { laws_.assign(kinds * shapes_.size(), {}); }
  /// What an obstacle makes of the law that the scene has for a kind. After prepare(), whose `at` this is. Throws
  /// Failure.
  void setLaw(std::size_t kind, std::size_t obstacle, const scene::ContactLaw& common, const scene::Instant& at);
  const scene::ContactLaw& law(std::size_t kind, std::size_t obstacle) const {
    return laws_[kind * shapes_.size() + obstacle];
  }
  const std::vector<scene::ContactLaw>& laws() const { return laws_; }
  bool hasFriction() const;
  /// Of a law for a point that stands for a length [m].
  double stiffness(const scene::ContactLaw& law, double share) const {
    return scene_.contact.perLength ? law.stiffness * share : law.stiffness;
  }

  double gap(const SurfacePoint& p, double distance) const { return distance - p.radius + parting_.left * p.overlap; }
  /// Out of reach at x, as a cheap bound tells already.
  bool isFar(const SurfacePoint& p, const Vec3& x) const {
    return gap(p, contact::distanceAtLeast(shapes_[p.obstacle], x)) > contact::penaltyReach * p.law->distance;
  }
  /// Whether the point, at x, is within reach.
  bool touches(const SurfacePoint& p, const Vec3& x, ObstacleTouch& out) const {
    if (isFar(p, x)) return false;
    out.surface = contact::signedDistance(shapes_[p.obstacle], x);
    out.gap = gap(p, out.surface.distance);
    if (out.gap > contact::penaltyReach * p.law->distance) return false;
    out.penalty = contact::penalty(out.gap, p.stiffness, p.law->distance);
    return true;
  }
  /// Normal forces are damped in the prepared step.
  bool damps() const { return scene_.contact.damping != 0 && parting_.elapsed > 0; }
  /// [1]: the damping time over the elapsed time.
  double dampingShare() const { return scene_.contact.damping / parting_.elapsed; }
  /// Adds damping to a normal force, with damps(): measured against x, where the point was at the step's start, and
  /// where the obstacle was. By how much they have come nearer [m]. `normal`: of the obstacle there.
  double damp(const SurfacePoint& p, double gapNow, const Vec3& x, contact::Penalty& damped,
              Vec3* normal = nullptr) const;

  /// Adds what a normal force did in the prepared step of dt [s], `scale` times: by its damping, as surfaces came
  /// `nearer` by that [m], and by overlaps of the start that part.
  void addNormalWork(const SurfacePoint& p, const contact::Penalty& plain, const contact::Penalty& damped,
                     double nearer, double dt, double scale, model::WorkDone& done) const;

 private:
  contact::ObstacleShape at(std::size_t obstacle, const Vec3& moved) const {
    contact::ObstacleShape shape = shapes_[obstacle];
    shape.moved = moved;
    return shape;
  }

  const scene::Scene& scene_;
  std::vector<contact::ObstacleShape> shapes_;
  ObstaclePaths motion_;
  std::vector<scene::ContactLaw> laws_;
  scene::Parting parting_;
};

/// What pushes in a step, to be shown to a frame from which energies are seen.
class ShownPushes {
 public:
  explicit ShownPushes(const ObstacleContact& contact) : contact_(contact), stored_(contact.shapes().size(), 0.0) {}
  /// `energy` [J]: stored in this contact.
  void add(const SurfacePoint& point, const Vec3& normal, double energy) {
    stored_[point.obstacle] += energy;
    pushes_.push_back({point, normal});
  }
  /// Obstacles that store less than a share of `touch` [J], the energy of a contact that just touches, push nothing.
  void show(double touch, model::WatchFrame& frame) const;

 private:
  struct Push {
    SurfacePoint point;
    Vec3 normal;
  };
  const ObstacleContact& contact_;
  std::vector<double> stored_;
  std::vector<Push> pushes_;
};

}  // namespace tendril::world
