#include "world/world.h"

namespace tendril::world {
World::World(const scene::Scene& scene) : scene_(scene), obstacles_(scene) {
  const std::vector<double> columns = scene::columnsAtStart(scene);
  begin(columns.data());
}

void World::begin(const double* columns) {
  scene::Instant start;
  start.factor = scene_.solver.dynamic ? 1 : 0;  // statics begin unloaded and undriven
  start.columns = columns;
  obstacles_.stand(start);
}

void World::draw(Drawing& out) const {
  static const char* const kinds[] = {"plane", "sphere", "box", "capsule", "cylinder"};
  const auto list = [](const Vec3& v) { return std::array<double, 3>{v.x(), v.y(), v.z()}; };
  out.obstacles.clear();
  for (const scene::Obstacle& o : scene_.obstacles) {
    DrawingObstacle drawn;
    drawn.name = o.name;
    drawn.kind = kinds[static_cast<int>(o.kind)];
    drawn.point = list(o.point), drawn.end = list(o.end), drawn.normal = list(o.normal), drawn.half = list(o.half);
    for (int k = 0; k < 9; ++k) drawn.axes[k] = o.axes(k % 3, k / 3);
    drawn.radius = o.radius;
    drawn.color = o.look.color, drawn.label = o.look.label;
    drawn.opacity = o.look.opacity.value_or(1), drawn.hidden = o.look.hidden;
    out.obstacles.push_back(drawn);
  }
}

void World::snapshot(Snapshot& out) const {
  out.obstacles.clear();
  for (const Obstacles::State& s : obstacles_.states())
    for (int k = 0; k < 3; ++k) out.obstacles.push_back(static_cast<float>(s.displacement[k]));
}

}  // namespace tendril::world
