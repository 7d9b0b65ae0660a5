#include "simulation/models.h"

#include "links/model.h"
#include "rods_shells/model.h"
#include "vines/model.h"

namespace tendril {

std::unique_ptr<SideBySide> makeModel(const scene::Scene& scene) {
  auto all = std::make_unique<SideBySide>(scene);
  const world::World& world = all->world();
  std::vector<SideBySide::Part> parts;
  const auto add = [&](int first, int count, std::unique_ptr<model::Model> model) {
    parts.push_back({first, first + count, std::move(model)});
  };
  if (scene.bodyCount() > 0) add(0, scene.bodyCount(), std::make_unique<rods_shells::Model>(world));
  // Links of different linkages never touch: each linkage is solved for by itself.
  for (int i = 0; i < static_cast<int>(scene.linkages.size()); ++i) {
    add(scene.bodyOfLinkage(i), 1, std::make_unique<links::Model>(world, i));
  }
  if (!scene.vines.empty())
    add(scene.bodyOfVine(0), static_cast<int>(scene.vines.size()), std::make_unique<vines::Model>(world));
  all->hold(std::move(parts));
  return all;
}

}  // namespace tendril
