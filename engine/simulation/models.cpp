#include "simulation/models.h"

#include <stdexcept>

#include "discrete/model.h"

namespace tendril {

std::unique_ptr<Model> makeModel(const Scene& scene) {
  if (!scene.linkages.empty()) throw std::invalid_argument("/linkages: not yet");
  return std::make_unique<DiscreteModel>(scene);
}

}  // namespace tendril
