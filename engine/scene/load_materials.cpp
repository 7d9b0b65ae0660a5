// Materials of a scene: their numbers stay formulas of parameters, so that a live parameter acts while the scene runs.
#include "scene/keys.h"
#include "scene/load_topics.h"

namespace tendril {
namespace {

Number property(LoadContext& context, const Value& material, std::string_view key, double fallback, const Range& range) {
  const Value* value = material.find(key);
  return value ? context.number(*value, context.constant(), Use::live, range, key) : Number(fallback);
}

Range poissonRange() {
  Range range;
  range.min = -1;
  range.max = 0.5;
  range.openMin = true;
  return range;
}

}  // namespace

void loadMaterials(LoadContext& context) {
  for (const Member& member : membersOf(context, "materials")) {
    const Value& value = member.value;
    Material material;
    material.name = member.key;
    if (!value.find("youngs")) context.problem(value, "\"youngs\" (Young's modulus in Pa) is missing");
    material.youngs = property(context, value, "youngs", 0, Range::positive());
    material.poisson = property(context, value, "poisson", 0.5, poissonRange());
    material.density = property(context, value, "density", 1000, Range::positive());
    material.damping = property(context, value, "damping", 0, Range::notNegative());
    context.scene.materials.push_back(material);
  }
}

}  // namespace tendril
