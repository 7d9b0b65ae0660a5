// Materials of a scene: their numbers stay formulas of parameters, so that a live parameter acts during a run.
#include "scene/load/topics.h"

namespace tendril::scene {
namespace {

formula::Number property(LoadContext& context, const text::Value& material, std::string_view key) {
  const std::string path = "materials." + std::string(key);
  const text::Value* value = material.find(key);
  return value ? context.number(*value, path, Use::live) : formula::Number(defaultNumber(path));
}

}  // namespace

int findMaterial(LoadContext& context, const text::Value& body, const std::string& kind) {
  std::vector<std::string> known;
  for (const Material& material : context.scene.materials) known.push_back(material.name);
  const auto found = [&](std::size_t i, const text::Value& at) {
    const Material& m = context.scene.materials[i];
    for (const formula::Number* number : {&m.youngs, &m.poisson, &m.density, &m.damping}) {
      if (kind == "shell" || !number->isField()) continue;
      context.problem(at, "the formula \"" + number->text() + "\" of material \"" + m.name +
                              "\" changes with the place, which only shells follow; expected another material, and a "
                              "\"section\" that changes along this " +
                              kind);
      break;
    }
    return int(i);
  };
  if (const text::Value* name = body.find("material")) {
    for (std::size_t i = 0; i < known.size(); ++i)
      if (known[i] == name->string) return found(i, *name);
    context.problem(*name, unknownName("material", name->string, known));
    return -1;
  }
  if (known.size() == 1) return found(0, body);
  context.problem(body, known.empty() ? "this " + kind + " needs a material, and the scene has none in \"materials\""
                                      : "\"material\" is missing; it may be left out only where the scene has one");
  return -1;
}

void loadMaterials(LoadContext& context) {
  for (const text::Member& member : membersOf(context, "materials")) {
    const text::Value& value = member.value;
    Material material;
    material.name = member.key;
    material.youngs = property(context, value, "youngs");
    material.poisson = property(context, value, "poisson");
    material.density = property(context, value, "density");
    material.damping = property(context, value, "damping");
    context.scene.materials.push_back(material);
  }
}

}  // namespace tendril::scene
