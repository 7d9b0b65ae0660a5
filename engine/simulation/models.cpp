#include "simulation/models.h"

#include "links/model.h"
#include "rods_shells/model.h"
#include "vines/model.h"

namespace tendril {
namespace {

using Made = std::unique_ptr<model::Model>;

Made makeRodsAndShells(const world::World& world, int) { return std::make_unique<rods_shells::Model>(world); }
// Links of different linkages never touch: each linkage is solved for by itself.
Made makeLinkage(const world::World& world, int linkage) { return std::make_unique<links::Model>(world, linkage); }
Made makeVines(const world::World& world, int) { return std::make_unique<vines::Model>(world); }

/// A kind of model. It is made through a pointer: the optimizer of the whole module would otherwise write the
/// constructors of all kinds into one function, which every scene would have to download.
struct ModelKind {
  int (*models)(const scene::Scene& scene);        ///< how many a scene has
  int (*bodiesOfEach)(const scene::Scene& scene);  ///< how many bodies each of them has
  Made (*make)(const world::World& world, int index);
};

/// In the order of bodies.
constexpr ModelKind modelKinds[] = {
    {[](const scene::Scene& scene) { return scene.bodyCount() > 0 ? 1 : 0; },
     [](const scene::Scene& scene) { return scene.bodyCount(); }, makeRodsAndShells},
    {[](const scene::Scene& scene) { return static_cast<int>(scene.linkages.size()); },
     [](const scene::Scene&) { return 1; }, makeLinkage},
    {[](const scene::Scene& scene) { return scene.vines.empty() ? 0 : 1; },
     [](const scene::Scene& scene) { return static_cast<int>(scene.vines.size()); }, makeVines},
};

}  // namespace

std::unique_ptr<SideBySide> makeModel(const scene::Scene& scene) {
  auto all = std::make_unique<SideBySide>(scene);
  std::vector<SideBySide::Part> parts;
  int body = 0;
  for (const ModelKind& kind : modelKinds) {
    const int models = kind.models(scene), bodies = kind.bodiesOfEach(scene);
    for (int i = 0; i < models; ++i, body += bodies) parts.push_back({body, body + bodies, kind.make(all->world(), i)});
  }
  all->hold(std::move(parts));
  return all;
}

}  // namespace tendril
