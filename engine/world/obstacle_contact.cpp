#include "world/obstacle_contact.h"

#include <algorithm>

namespace tendril::world {

ObstacleContact::ObstacleContact(const scene::Scene& scene, const Obstacles& obstacles)
    : scene_(scene), motion_(obstacles) {
  for (const scene::Obstacle& o : scene.obstacles) shapes_.push_back(contact::obstacleShape(o));
}

void ObstacleContact::prepare(const scene::Instant& end, const scene::Instant& at, double t0) {
  parting_ = scene::parting(scene_, at, t0);
  motion_.prepare(end, at, t0);
  for (std::size_t i = 0; i < shapes_.size(); ++i) {
    shapes_[i].moved = motion_.path(i).now;
    shapes_[i].velocity = motion_.path(i).velocity;
  }
}

void ObstacleContact::setLaw(std::size_t kind, std::size_t obstacle, const scene::ContactLaw& common,
                             const scene::Instant& at) {
  laws_[kind * shapes_.size() + obstacle] =
      scene::contactValues(scene_.obstacles[obstacle], common, scene::timedInput(scene_, at));
}

bool ObstacleContact::hasFriction() const {
  return std::any_of(laws_.begin(), laws_.end(), [](const scene::ContactLaw& law) { return law.friction > 0; });
}

double ObstacleContact::damp(const SurfacePoint& p, double gapNow, const Vec3& x, contact::Penalty& damped,
                             Vec3* normal) const {
  const geometry::SignedDistance surface = contact::signedDistance(before(p.obstacle), x);
  const double start = gap(p, surface.distance);
  contact::addApproachDamping(damped, gapNow, start, contact::penalty(start, p.stiffness, p.law->distance).energy,
                              dampingShare());
  if (normal) *normal = surface.normal;
  return start - gapNow;
}

void ObstacleContact::addNormalWork(const SurfacePoint& p, const contact::Penalty& plain,
                                    const contact::Penalty& damped, double nearer, double dt, double scale,
                                    model::WorkDone& done) const {
  done.work += scale * dt * damped.force * p.overlap * parting_.rate;
  if (nearer > 0) done.dissipated += scale * (damped.force - plain.force) * nearer * dt / parting_.elapsed;
}

void ShownPushes::show(double touch, model::WatchFrame& frame) const {
  for (const Push& push : pushes_) {
    if (stored_[push.point.obstacle] < model::WatchFrame::touches * touch) continue;
    const Vec3& velocity = contact_.shapes()[push.point.obstacle].velocity;
    frame.meet(push.normal, velocity);
    if (push.point.law->friction > 0) frame.hold(velocity);
  }
}

}  // namespace tendril::world
