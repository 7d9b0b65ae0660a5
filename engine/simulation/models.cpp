#include "simulation/models.h"

#include <stdexcept>

#include "discrete/model.h"
#include "simulation/side_by_side.h"

namespace tendril {
namespace {

std::unique_ptr<Model> linkageModel(const Scene&) { throw std::invalid_argument("/linkages: not yet"); }

}  // namespace

std::unique_ptr<Model> makeModel(const Scene& scene) {
  if (scene.linkages.empty()) return std::make_unique<DiscreteModel>(scene);
  if (scene.bodyCount() == 0) return linkageModel(scene);
  std::vector<SideBySide::Part> parts;
  parts.push_back({Owner::discrete, std::make_unique<DiscreteModel>(scene)});
  parts.push_back({Owner::linkages, linkageModel(scene)});
  return std::make_unique<SideBySide>(scene, std::move(parts));
}

}  // namespace tendril
