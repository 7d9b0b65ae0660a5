// Cross-sections of rods and links, and stress-free states of rods: fields that are stored as formulas and tried along
// the body, so that a taper that becomes negative is refused before anything runs.
#include <cmath>

#include "scene/load/bodies/field_samples.h"
#include "scene/load/topics.h"

namespace tendril::scene {
namespace {

/// Reads the members of one kind of section and tries them along the body.
class SectionReader {
 public:
  SectionReader(LoadContext& context, const std::string& path, FieldSamples& samples, Section& section)
      : context_(context), path_(path), samples_(samples), section_(section) {}

  /// The field `holder`.`key`, located at path.`kind`.`key`.
  formula::Number field(const text::Value& holder, const char* kind, const char* key) {
    const text::Value* value = holder.find(key);
    if (!value) {
      context_.problem(holder, std::string("\"") + key + "\" is missing");
      return {};
    }
    const std::string full = path_ + "." + kind + "." + key;
    formula::Number number = context_.number(*value, full, Use::restart);
    samples_.accept(context_, number, *value, full);
    return number;
  }

  void checkWall(const text::Value& tube) {
    if (!tube.find("wall") || !tube.find("radius")) return;
    for (int k = 0; k < samples_.count(); ++k) {
      double radius = 0, wall = 0;
      try {
        radius = section_.radius(samples_.at(k));
        wall = section_.wall(samples_.at(k));
      } catch (const formula::Failure&) {
        return;  // reported by field
      }
      if (!(wall > 0 && radius > 0) || wall <= radius) continue;
      context_.problem(*tube.find("wall"), "the wall (" + inWords(wall) + " m) is thicker than the radius (" +
                                               inWords(radius) + " m) at " + samples_.name(k));
      return;
    }
  }

  void stiffness(const text::Value& section, const text::Value& stiffness) {
    section_.EA = field(stiffness, "stiffness", "EA");
    section_.EI1 = field(stiffness, "stiffness", "EI1");
    section_.EI2 = field(stiffness, "stiffness", "EI2");
    section_.GJ = field(stiffness, "stiffness", "GJ");
    // massPerLength and radius may be beside "stiffness" or inside it.
    const text::Value& massHolder = stiffness.find("massPerLength") ? stiffness : section;
    section_.massPerLength = field(massHolder, "stiffness", "massPerLength");
    const text::Value& radiusHolder = stiffness.find("radius") ? stiffness : section;
    section_.hasRadius = radiusHolder.find("radius") != nullptr;
    if (section_.hasRadius) section_.radius = field(radiusHolder, "stiffness", "radius");
    if (!section_.hasRadius && context_.dynamic)
      context_.problem(stiffness,
                       "a dynamic run needs \"radius\" beside \"stiffness\": the inertia in twist is "
                       "massPerLength*radius^2/2");
  }

 private:
  LoadContext& context_;
  const std::string& path_;
  FieldSamples& samples_;
  Section& section_;
};

formula::Number naturalField(LoadContext& context, const text::Value& value, const std::string& path, const Rod& rod) {
  formula::Number number = context.number(value, path, Use::restart);
  if (!number.isField() || rod.points.empty()) return number;
  RodSamples samples(context.scene, rod);
  for (int i = 0; i < samples.springs(); ++i) {
    const std::string message = wrongValue(number, samples.atSpring(i), path, "node " + std::to_string(i + 1));
    if (message.empty()) continue;
    context.problem(value, message);
    break;
  }
  return number;
}

/// The discrete curvature is undefined for an angle of pi or more between neighboring edges.
void checkTurning(LoadContext& context, const text::Value& curvature, const Rod& rod) {
  RodSamples samples(context.scene, rod);
  for (int i = 0; i < samples.springs(); ++i) {
    double k1 = 0, k2 = 0, length = 0;  // natural
    try {
      for (const int e : {i, i + 1}) {
        length += 0.5 * samples.edgeLength(e) * (rod.naturalStretch ? (*rod.naturalStretch)(samples.atEdge(e)) : 1);
      }
      k1 = (*rod.naturalCurvature)[0](samples.atSpring(i));
      k2 = (*rod.naturalCurvature)[1](samples.atSpring(i));
    } catch (const formula::Failure&) {
      return;  // reported by naturalField
    }
    const double turning = std::hypot(k1, k2) * length;
    if (turning < pi * (1 - 1e-6)) continue;
    context.problem(curvature, "this curvature turns the rod by " + inWords(turning) + " rad at node " +
                                   std::to_string(i + 1) + "; expected less than pi: give more segments");
    return;
  }
}

}  // namespace

void loadSection(LoadContext& context, const text::Value& value, const std::string& path, FieldSamples& samples,
                 Section& section) {
  using Kind = Section::Kind;
  SectionReader reader(context, path, samples, section);
  if (const text::Value* circle = value.find("circle")) {
    section.kind = Kind::circle;
    section.radius = reader.field(*circle, "circle", "radius");
  } else if (const text::Value* rectangle = value.find("rectangle")) {
    section.kind = Kind::rectangle;
    section.width = reader.field(*rectangle, "rectangle", "width");
    section.height = reader.field(*rectangle, "rectangle", "height");
  } else if (const text::Value* ellipse = value.find("ellipse")) {
    section.kind = Kind::ellipse;
    section.a = reader.field(*ellipse, "ellipse", "a");
    section.b = reader.field(*ellipse, "ellipse", "b");
  } else if (const text::Value* tube = value.find("tube")) {
    section.kind = Kind::tube;
    section.radius = reader.field(*tube, "tube", "radius");
    section.wall = reader.field(*tube, "tube", "wall");
    reader.checkWall(*tube);
  } else if (const text::Value* stiffness = value.find("stiffness")) {
    section.kind = Kind::stiffness;
    reader.stiffness(value, *stiffness);
  } else {
    context.problem(value, "expected one of circle, rectangle, ellipse, tube, stiffness");
  }
}

void loadNatural(LoadContext& context, const text::Value& value, Rod& rod) {
  if (value.isString()) {
    rod.naturalStraight = value.string == "straight";
    if (!rod.naturalStraight)
      context.problem(value, "expected \"straight\" or an object with curvature, twist, stretch");
    return;
  }
  if (const text::Value* curvature = value.find("curvature")) {
    if (curvature->isArray() && curvature->items.size() == 2) {
      rod.naturalCurvature = {naturalField(context, curvature->items[0], "rods.natural.curvature", rod),
                              naturalField(context, curvature->items[1], "rods.natural.curvature", rod)};
    } else {
      context.problem(*curvature, "expected two numbers, the curvature toward d1 and toward d2 [1/m]");
    }
  }
  if (const text::Value* twist = value.find("twist"))
    rod.naturalTwist = naturalField(context, *twist, "rods.natural.twist", rod);
  if (const text::Value* stretch = value.find("stretch")) {
    rod.naturalStretch = context.number(*stretch, "rods.natural.stretch", Use::restart);
    RodEdges edges(context, rod);
    edges.accept(context, *rod.naturalStretch, *stretch, "rods.natural.stretch");
  }
  if (rod.naturalCurvature && !rod.points.empty()) checkTurning(context, *value.find("curvature"), rod);
}

}  // namespace tendril::scene
