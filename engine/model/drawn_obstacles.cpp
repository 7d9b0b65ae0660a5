#include "model/drawn_obstacles.h"

namespace tendril::model {

void addObstacles(Drawing& drawing, const scene::Scene& scene) {
  static const char* const kinds[] = {"plane", "sphere", "box", "capsule", "cylinder"};
  const auto list = [](const Vec3& v) { return std::array<double, 3>{v.x(), v.y(), v.z()}; };
  for (const scene::Obstacle& o : scene.obstacles) {
    DrawingObstacle out;
    out.name = o.name;
    out.kind = kinds[static_cast<int>(o.kind)];
    out.point = list(o.point), out.end = list(o.end), out.normal = list(o.normal), out.half = list(o.half);
    for (int k = 0; k < 9; ++k) out.axes[k] = o.axes(k % 3, k / 3);
    out.radius = o.radius;
    out.color = o.look.color, out.label = o.look.label;
    out.opacity = o.look.opacity.value_or(1), out.hidden = o.look.hidden;
    drawing.obstacles.push_back(out);
  }
}

}  // namespace tendril::model
