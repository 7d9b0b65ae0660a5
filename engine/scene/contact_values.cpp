#include "scene/contact_values.h"

#include <algorithm>

namespace tendril::scene {

ContactLaw contactValues(const Scene& scene, double smallest, double softest, const Instant& at) {
  const formula::Input in = timedInput(scene, at);
  const Contact& contact = scene.contact;
  ContactLaw law;
  law.distance = contact.distance ? *contact.distance : 0.1 * smallest;
  law.stiffness = contact.stiffness ? (*contact.stiffness)(in) : contact.perLength ? softest / smallest : softest;
  law.friction = contact.friction(in);
  law.slip = contact.slip;
  return law;
}

ContactLaw contactValues(const Obstacle& obstacle, const ContactLaw& common, const formula::Input& at) {
  ContactLaw law = common;
  if (obstacle.stiffness) law.stiffness = (*obstacle.stiffness)(at);
  if (obstacle.friction) law.friction = (*obstacle.friction)(at);
  if (obstacle.distance) law.distance = *obstacle.distance;
  if (obstacle.slip) law.slip = *obstacle.slip;
  return law;
}

double overlapLeft(const Scene& scene, const Instant& at) {
  if (!scene.solver.dynamic || scene.solver.startEquilibrium) return 0;
  return std::max(0.0, 1 - at.t / (100 * scene.solver.dt));
}

Parting parting(const Scene& scene, const Instant& at, double t0) {
  Instant start = at;
  start.t = t0;
  Parting p;
  p.elapsed = at.t - t0;
  p.left = overlapLeft(scene, at);
  p.rate = p.elapsed > 0 ? (overlapLeft(scene, start) - p.left) / p.elapsed : 0;
  return p;
}

}  // namespace tendril::scene
