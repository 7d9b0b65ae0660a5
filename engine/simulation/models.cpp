#include "simulation/models.h"

#include "discrete/model.h"
#include "simulation/side_by_side.h"
#include "strain/strain_model.h"
#include "vine/vine_model.h"

namespace tendril {

std::unique_ptr<Model> makeModel(const Scene& scene) {
  std::vector<SideBySide::Part> parts;
  if (scene.bodyCount() > 0) parts.push_back({Owner::discrete, std::make_unique<DiscreteModel>(scene)});
  if (!scene.linkages.empty()) parts.push_back({Owner::linkages, std::make_unique<StrainModel>(scene)});
  if (!scene.vines.empty()) parts.push_back({Owner::vines, std::make_unique<VineModel>(scene)});
  if (parts.size() == 1) return std::move(parts.front().model);
  return std::make_unique<SideBySide>(scene, std::move(parts));
}

}  // namespace tendril
