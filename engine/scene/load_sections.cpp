// Cross-sections and stress-free states of rods: fields that are kept as formulas and tried at every place where the
// model will evaluate them, so that a taper that goes negative is refused before anything runs.
#include <cmath>

#include "scene/load_topics.h"
#include "scene/rod_places.h"

namespace tendril {
namespace {

/// A field of edges at `path`.`key`: compiled, and tried at every edge midpoint.
Number edgeField(LoadContext& context, const Value& object, const std::string& path, const std::string& key,
                 const Rod& rod) {
  const Value* value = object.find(key);
  if (!value) {
    context.problem(object, "\"" + key + "\" is missing");
    return {};
  }
  const std::string full = path + "." + key;
  const Number number = context.number(*value, full, Use::restart);
  if (!number.isField() || rod.points.empty()) return number;
  RodPlaces places(context, rod);
  for (int e = 0; e < places.edges(); ++e)
    if (!context.checkField(number, places.atEdge(e), *value, full, "edge " + std::to_string(e))) break;
  return number;
}

void checkWall(LoadContext& context, const Value& tube, const Rod& rod) {
  if (rod.points.empty() || !tube.find("wall") || !tube.find("radius")) return;
  RodPlaces places(context, rod);
  for (int e = 0; e < places.edges(); ++e) {
    double radius = 0, wall = 0;
    try {
      radius = rod.section.radius(places.atEdge(e));
      wall = rod.section.wall(places.atEdge(e));
    } catch (const FormulaFailure&) {
      return;  // reported by edgeField
    }
    if (!(wall > 0 && radius > 0) || wall <= radius) continue;
    context.problem(*tube.find("wall"), "the wall (" + inWords(wall) + " m) is thicker than the radius (" +
                                            inWords(radius) + " m) at edge " + std::to_string(e));
    return;
  }
}

void loadStiffness(LoadContext& context, const Value& section, const Value& stiffness, Rod& rod) {
  const std::string path = "rods.section.stiffness";
  rod.section.kind = Section::Kind::stiffness;
  rod.section.EA = edgeField(context, stiffness, path, "EA", rod);
  rod.section.EI1 = edgeField(context, stiffness, path, "EI1", rod);
  rod.section.EI2 = edgeField(context, stiffness, path, "EI2", rod);
  rod.section.GJ = edgeField(context, stiffness, path, "GJ", rod);
  // massPerLength and radius stand beside "stiffness" or inside it.
  const Value& massHolder = stiffness.find("massPerLength") ? stiffness : section;
  rod.section.massPerLength = edgeField(context, massHolder, path, "massPerLength", rod);
  const Value& radiusHolder = stiffness.find("radius") ? stiffness : section;
  rod.section.hasRadius = radiusHolder.find("radius") != nullptr;
  if (rod.section.hasRadius) rod.section.radius = edgeField(context, radiusHolder, path, "radius", rod);
  if (!rod.section.hasRadius && context.dynamic)
    context.problem(stiffness, "a dynamic run needs \"radius\" beside \"stiffness\": the rod's inertia in twist is "
                               "massPerLength*radius^2/2");
}

Number naturalField(LoadContext& context, const Value& value, const std::string& path, const Rod& rod) {
  const Number number = context.number(value, path, Use::restart);
  if (!number.isField() || rod.points.empty()) return number;
  RodPlaces places(context, rod);
  for (int i = 0; i < places.springs(); ++i)
    if (!context.checkField(number, places.atSpring(i), value, path, "node " + std::to_string(i + 1))) break;
  return number;
}

/// An angle of pi or more between neighbouring edges has no discrete curvature.
void checkTurning(LoadContext& context, const Value& curvature, const Rod& rod) {
  RodPlaces places(context, rod);
  for (int i = 0; i < places.springs(); ++i) {
    double k1 = 0, k2 = 0;
    try {
      k1 = (*rod.naturalCurvature)[0](places.atSpring(i));
      k2 = (*rod.naturalCurvature)[1](places.atSpring(i));
    } catch (const FormulaFailure&) {
      return;  // reported by naturalField
    }
    const double turning = std::hypot(k1, k2) * places.voronoiLength(i);
    if (turning < pi * (1 - 1e-6)) continue;
    context.problem(curvature, "this curvature turns the rod by " + inWords(turning) + " rad at node " +
                                   std::to_string(i + 1) + "; expected less than pi: give more segments");
    return;
  }
}

}  // namespace

void loadSection(LoadContext& context, const Value& value, Rod& rod) {
  Section& section = rod.section;
  if (const Value* circle = value.find("circle")) {
    section.kind = Section::Kind::circle;
    section.radius = edgeField(context, *circle, "rods.section.circle", "radius", rod);
  } else if (const Value* rectangle = value.find("rectangle")) {
    section.kind = Section::Kind::rectangle;
    section.width = edgeField(context, *rectangle, "rods.section.rectangle", "width", rod);
    section.height = edgeField(context, *rectangle, "rods.section.rectangle", "height", rod);
  } else if (const Value* ellipse = value.find("ellipse")) {
    section.kind = Section::Kind::ellipse;
    section.a = edgeField(context, *ellipse, "rods.section.ellipse", "a", rod);
    section.b = edgeField(context, *ellipse, "rods.section.ellipse", "b", rod);
  } else if (const Value* tube = value.find("tube")) {
    section.kind = Section::Kind::tube;
    section.radius = edgeField(context, *tube, "rods.section.tube", "radius", rod);
    section.wall = edgeField(context, *tube, "rods.section.tube", "wall", rod);
    checkWall(context, *tube, rod);
  } else if (const Value* stiffness = value.find("stiffness")) {
    loadStiffness(context, value, *stiffness, rod);
  } else {
    context.problem(value, "expected one of circle, rectangle, ellipse, tube, stiffness");
  }
}

void loadNatural(LoadContext& context, const Value& value, Rod& rod) {
  if (value.isString()) {
    rod.naturalStraight = value.string == "straight";
    if (!rod.naturalStraight) context.problem(value, "expected \"straight\" or an object with curvature, twist, stretch");
    return;
  }
  if (const Value* curvature = value.find("curvature")) {
    if (curvature->isArray() && curvature->items.size() == 2) {
      rod.naturalCurvature = {naturalField(context, curvature->items[0], "rods.natural.curvature", rod),
                              naturalField(context, curvature->items[1], "rods.natural.curvature", rod)};
      if (!rod.points.empty()) checkTurning(context, *curvature, rod);
    } else {
      context.problem(*curvature, "expected two numbers, the curvature towards d1 and towards d2 [1/m]");
    }
  }
  if (const Value* twist = value.find("twist")) rod.naturalTwist = naturalField(context, *twist, "rods.natural.twist", rod);
  if (value.find("stretch")) rod.naturalStretch = edgeField(context, value, "rods.natural", "stretch", rod);
}

}  // namespace tendril
