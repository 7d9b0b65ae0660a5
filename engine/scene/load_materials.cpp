// Materials of a scene: their numbers stay formulas of parameters, so that a live parameter acts while the scene runs.
#include "scene/load_topics.h"

namespace tendril {
namespace {

Number property(LoadContext& context, const Value& material, std::string_view key) {
  const std::string path = "materials." + std::string(key);
  const Value* value = material.find(key);
  return value ? context.number(*value, path, Use::live) : Number(defaultNumber(path));
}

}  // namespace

void loadMaterials(LoadContext& context) {
  for (const Member& member : membersOf(context, "materials")) {
    const Value& value = member.value;
    Material material;
    material.name = member.key;
    material.youngs = property(context, value, "youngs");
    material.poisson = property(context, value, "poisson");
    material.density = property(context, value, "density");
    material.damping = property(context, value, "damping");
    context.scene.materials.push_back(material);
  }
}

}  // namespace tendril
