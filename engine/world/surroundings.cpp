#include "world/surroundings.h"

namespace tendril::world {
namespace {

Vec3 scaled(const scene::Scene& scene, const scene::Number3& value, const scene::Instant& at) {
  const formula::Input in = scene::timedInput(scene, at);
  return at.factor * Vec3(value[0](in), value[1](in), value[2](in));
}

}  // namespace

Vec3 gravity(const scene::Scene& scene, const scene::Instant& at) {
  return scaled(scene, scene.environment.gravity, at);
}

double mediumDensity(const scene::Scene& scene, const scene::Instant& at) {
  const auto& density = scene.environment.fluidDensity;
  return density ? (*density)(scene::timedInput(scene, at)) : 0;
}

Vec3 mediumVelocity(const scene::Scene& scene, const scene::Instant& at) {
  return scaled(scene, scene.environment.fluidVelocity, at);
}

}  // namespace tendril::world
