// The path of a rod: reads the numbers of its shape and converts them to nodes and tangents (shapes.h).
#include "geometry/shapes.h"
#include "scene/load/topics.h"

namespace tendril::scene {
namespace {

/// A vector member of a shape; a missing one is a problem.
std::optional<Vec3> pointAt(LoadContext& context, const text::Value& shape, std::string_view key) {
  const text::Value* value = shape.find(key);
  if (value) return context.point(*value);
  context.problem(shape, "\"" + std::string(key) + "\" is missing; expected three numbers [x, y, z]");
  return std::nullopt;
}

using MaybeShape = std::optional<geometry::ShapeResult>;  // empty: problems are already in the list

MaybeShape line(LoadContext& context, const text::Value& value, int segments) {
  const auto from = pointAt(context, value, "from"), to = pointAt(context, value, "to");
  if (!from || !to) return std::nullopt;
  return geometry::lineShape(*from, *to, segments);
}

MaybeShape arc(LoadContext& context, const text::Value& value, int segments) {
  const auto center = pointAt(context, value, "center"), from = pointAt(context, value, "from");
  const auto axis = pointAt(context, value, "axis");
  const auto angle = context.neededAt(value, "rods.path.arc", "angle");
  if (!center || !from || !axis || !angle) return std::nullopt;
  return geometry::arcShape(*center, *from, *axis, *angle, segments);
}

MaybeShape helix(LoadContext& context, const text::Value& value, int segments) {
  const auto from = pointAt(context, value, "from"), axis = pointAt(context, value, "axis");
  const auto center = pointAt(context, value, "center");
  const auto pitch = context.neededAt(value, "rods.path.helix", "pitch");
  const auto length = context.neededAt(value, "rods.path.helix", "length");
  if (!from || !axis || !center || !pitch || !length) return std::nullopt;
  return geometry::helixShape(*from, *axis, *center, *pitch, *length, segments);
}

MaybeShape curve(LoadContext& context, const text::Value& value, int segments) {
  std::array<formula::Number, 3> components;
  std::array<const text::Value*, 3> values = {value.find("x"), value.find("y"), value.find("z")};
  bool good = true;
  for (std::size_t c = 0; c < 3; ++c) {
    if (!values[c]) {
      context.problem(value, std::string("\"") + "xyz"[c] + "\" is missing; expected a formula of u");
      good = false;
      continue;
    }
    components[c] = context.number(*values[c], std::string("rods.path.curve.") + "xyz"[c], Use::restart);
    good = good && (!values[c]->isString() || components[c].isFormula());
  }
  if (!good) return std::nullopt;
  formula::Input input = context.input();
  std::size_t lastComponent = 0;
  const auto at = [&](double u) {
    Vec3 point;
    input.u = u;
    for (lastComponent = 0; lastComponent < 3; ++lastComponent)
      point[Eigen::Index(lastComponent)] = components[lastComponent](input);
    return point;
  };
  try {
    return geometry::curveShape(at, segments);
  } catch (const formula::Failure&) {
    context.problem(*values[lastComponent], "the formula \"" + components[lastComponent].text() +
                                                "\" gives no finite number at u = " + inWords(input.u));
    return std::nullopt;
  }
}

MaybeShape points(LoadContext& context, const text::Value& rod, const text::Value& value) {
  const text::Value* segments = rod.find("segments");
  if (segments && segments->pointer.rfind("/defaults", 0) != 0)
    context.problem(*segments, "\"segments\" does not go with a path of \"points\", which are exactly the nodes");
  std::vector<Vec3> nodes;
  bool good = true;
  for (const text::Value& item : value.items) {
    const auto point = context.point(item);
    good = good && point;
    nodes.push_back(point.value_or(Vec3::Zero()));
  }
  if (!good) return std::nullopt;
  return geometry::pointsShape(std::move(nodes));
}

}  // namespace

std::optional<std::vector<Vec3>> loadPath(LoadContext& context, const text::Value& rodValue, Rod& rod) {
  const text::Value* path = rodValue.find("path");
  if (!path || path->members.size() != 1) {
    context.problem(path ? *path : rodValue, "expected \"path\" with one of line, arc, helix, curve, points");
    return std::nullopt;
  }
  const std::string& kind = path->members[0].key;
  const text::Value& value = path->members[0].value;
  MaybeShape result;
  if (kind == "points") {
    result = points(context, rodValue, value);
  } else {
    const text::Value* given = rodValue.find("segments");
    const auto segments = given ? context.constantOf(*given, "rods.segments") : defaultNumber("rods.segments");
    const int count = int(segments.value_or(1));
    if (kind == "line")
      result = line(context, value, count);
    else if (kind == "arc")
      result = arc(context, value, count);
    else if (kind == "helix")
      result = helix(context, value, count);
    else if (kind == "curve")
      result = curve(context, value, count);
    else
      context.problem(*path, unknownName("path", kind, {"line", "arc", "helix", "curve", "points"}));
    if (!segments) return std::nullopt;
  }
  if (!result) return std::nullopt;
  if (const auto* fault = std::get_if<std::string>(&*result)) {
    context.problem(value, *fault);
    return std::nullopt;
  }
  geometry::Shape& shape = std::get<geometry::Shape>(*result);
  rod.nodeTangents = std::move(shape.tangents);
  rod.startTangent = rod.nodeTangents.front();
  rod.endTangent = rod.nodeTangents.back();
  return std::move(shape.points);
}

}  // namespace tendril::scene
