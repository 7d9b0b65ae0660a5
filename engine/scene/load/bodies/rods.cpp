// Rods of a scene: material, path, frame, section and stress-free state, and limits on their number.
#include "geometry/frames.h"
#include "scene/load/bodies/field_samples.h"
#include "scene/load/topics.h"

namespace tendril::scene {
namespace {

void findFrame(LoadContext& context, const text::Value& value, Rod& rod) {
  const Vec3 firstEdge = rod.points[1] - rod.points[0];
  const text::Value* frame = value.find("frame");
  if (!frame) {
    const bool alongZ =
        geometry::isParallel(rod.startTangent, Vec3::UnitZ()) || geometry::isParallel(firstEdge, Vec3::UnitZ());
    rod.frame = alongZ ? Vec3::UnitX() : Vec3::UnitZ();
    return;
  }
  const auto hint = context.direction(*frame, "frame");
  if (!hint) return;
  rod.frame = *hint;
  if (geometry::isParallel(*hint, rod.startTangent) || geometry::isParallel(*hint, firstEdge)) {
    context.problem(*frame,
                    "the frame hint is parallel to the rod's start; expected a direction across it, toward "
                    "which director d1 points");
    return;
  }
  // The start tangent of a path of points is estimated from its first three: there the hint refers to the first edge.
  const text::Value* path = value.find("path");
  const Vec3 t = firstEdge.normalized();
  if (path && path->find("points")) rod.frame = geometry::transport(geometry::normalTo(*hint, t), t, rod.startTangent);
}

void loadRod(LoadContext& context, const text::Member& member) {
  const text::Value& value = member.value;
  Rod rod;
  rod.name = member.key;
  const text::Value* shape = value.find("section");
  // With explicit stiffnesses a material contributes only its damping.
  const bool one = context.scene.materials.size() == 1;
  if (one || value.find("material") || !shape || !shape->find("stiffness"))
    rod.material = findMaterial(context, value, "rod");
  auto points = loadPath(context, value, rod);
  if (points) {
    rod.points = std::move(*points);
    findFrame(context, value, rod);
  } else {
    context.bodiesUsable = false;
  }
  RodEdges edges(context, rod);
  if (const text::Value* section = value.find("section"))
    loadSection(context, *section, "rods.section", edges, rod.section);
  else
    context.problem(value, "\"section\" is missing; expected for example {\"circle\": {\"radius\": 1e-3}}");
  if (const text::Value* natural = value.find("natural")) loadNatural(context, *natural, rod);
  rod.look = loadLook(context, value.find("look"));
  context.bodyNames[rod.name] = int(context.scene.rods.size());
  context.scene.rods.push_back(std::move(rod));
}

}  // namespace

void loadRods(LoadContext& context) {
  long nodes = 0;
  for (const text::Member& member : membersOf(context, "rods")) {
    loadRod(context, member);
    nodes += long(context.scene.rods.back().points.size());  // a single rod is limited by its segments
    if (nodes > mostNodes) {
      context.problem(member.value, "the scene has more than " + std::to_string(mostNodes) +
                                        " nodes with this rod; expected fewer segments or rods");
      context.bodiesUsable = false;
      return;
    }
  }
}

}  // namespace tendril::scene
