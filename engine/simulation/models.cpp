#include "simulation/models.h"

#include "discrete/model.h"
#include "simulation/side_by_side.h"
#include "strain/strain_model.h"

namespace tendril {
std::unique_ptr<Model> makeModel(const Scene& scene) {
  if (scene.linkages.empty()) return std::make_unique<DiscreteModel>(scene);
  if (scene.bodyCount() == 0) return std::make_unique<StrainModel>(scene);
  std::vector<SideBySide::Part> parts;
  parts.push_back({Owner::discrete, std::make_unique<DiscreteModel>(scene)});
  parts.push_back({Owner::linkages, std::make_unique<StrainModel>(scene)});
  return std::make_unique<SideBySide>(scene, std::move(parts));
}

}  // namespace tendril
