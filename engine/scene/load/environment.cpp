// The environment: gravity, the surrounding medium and its forces. All of it is live.
#include "scene/load/topics.h"

namespace tendril::scene {
namespace {

/// Both coefficients; an omitted one gets its default.
void readResistance(LoadContext& context, const text::Value& value, Surroundings& around) {
  const text::Value* tangential = value.find("tangential");
  const text::Value* normal = value.find("normal");
  if (!tangential && !normal)
    context.problem(value, "\"rft\" is empty; expected \"tangential\" and \"normal\" [N s/m^2]");
  const std::string path = "environment.rft";
  const auto coefficient = [&](const text::Value* at, const std::string& key) {
    const std::string full = path + "." + key;
    return at ? context.number(*at, full, Use::live) : formula::Number(defaultNumber(full));
  };
  around.rftTangential = coefficient(tangential, "tangential");
  around.rftNormal = coefficient(normal, "normal");
}

}  // namespace

void loadEnvironment(LoadContext& context) {
  const text::Value* value = context.root.find("environment");
  if (!value) return;
  Surroundings& around = context.scene.environment;
  if (const text::Value* gravity = value->find("gravity"))
    around.gravity = context.vector(*gravity, "environment.gravity", Use::live);
  const text::Value* fluid = value->find("fluid");
  const text::Value* density = fluid ? fluid->find("density") : nullptr;
  const text::Value* velocity = fluid ? fluid->find("velocity") : nullptr;
  if (density) around.fluidDensity = context.number(*density, "environment.fluid.density", Use::live);
  if (velocity) around.fluidVelocity = context.vector(*velocity, "environment.fluid.velocity", Use::live);
  if (fluid && !density && !velocity)
    context.problem(*fluid, "the fluid is empty; expected its \"density\" [kg/m^3], its \"velocity\" [m/s], or both");
  around.buoyancy = context.flagAt(*value, "buoyancy", false);
  if (around.buoyancy && !density)
    context.problem(*value->find("buoyancy"),
                    "buoyancy needs the density of the medium: "
                    "\"fluid\": {\"density\": 1000}");
  if (const text::Value* viscous = value->find("viscous"))
    around.viscous = context.number(*viscous, "environment.viscous", Use::live);
  if (const text::Value* rft = value->find("rft")) readResistance(context, *rft, around);
  const text::Value* drag = value->find("drag");
  if (!drag) return;
  around.drag = context.number(*drag, "environment.drag", Use::live);
  if (!density && !around.drag.isZero())
    context.problem(*drag, "drag needs the density of the medium: \"fluid\": {\"density\": 1.2}");
}

}  // namespace tendril::scene
