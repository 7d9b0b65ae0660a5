// The path of a rod: reads the numbers of its shape and turns them into nodes and tangents (shapes.h).
#include <cmath>

#include "scene/load_topics.h"
#include "scene/shapes.h"

namespace tendril {
namespace {

constexpr int defaultSegments = 40;
constexpr int mostSegments = 1000000;

/// Segments of the rod; refuses them beside explicit points, unless they come from "defaults".
std::optional<int> segmentsOf(LoadContext& context, const Value& rod) {
  const Value* value = rod.find("segments");
  if (!value) return defaultSegments;
  Range range;
  range.min = 1;
  range.max = mostSegments;
  range.integer = true;
  const auto segments = context.constantOf(*value, range, "segments");
  if (!segments) return std::nullopt;
  return int(*segments);
}

/// A vector member of a shape; a missing one is a problem.
std::optional<Vec3> pointAt(LoadContext& context, const Value& shape, std::string_view key) {
  const Value* value = shape.find(key);
  if (value) return context.point(*value);
  context.problem(shape, "\"" + std::string(key) + "\" is missing; expected three numbers [x, y, z]");
  return std::nullopt;
}

std::optional<double> numberAt(LoadContext& context, const Value& shape, std::string_view key, const Range& range = {}) {
  const Value* value = shape.find(key);
  if (value) return context.constantOf(*value, range, key);
  context.problem(shape, "\"" + std::string(key) + "\" is missing; expected a number");
  return std::nullopt;
}

using MaybeShape = std::optional<ShapeResult>;  // nothing: problems are already in the list

MaybeShape line(LoadContext& context, const Value& value, int segments) {
  const auto from = pointAt(context, value, "from"), to = pointAt(context, value, "to");
  if (!from || !to) return std::nullopt;
  return lineShape(*from, *to, segments);
}

MaybeShape arc(LoadContext& context, const Value& value, int segments) {
  const auto center = pointAt(context, value, "center"), from = pointAt(context, value, "from");
  const auto axis = pointAt(context, value, "axis");
  const auto angle = numberAt(context, value, "angle");
  if (!center || !from || !axis || !angle) return std::nullopt;
  return arcShape(*center, *from, *axis, *angle, segments);
}

MaybeShape helix(LoadContext& context, const Value& value, int segments) {
  const auto from = pointAt(context, value, "from"), axis = pointAt(context, value, "axis");
  const auto center = pointAt(context, value, "center");
  const auto pitch = numberAt(context, value, "pitch"), length = numberAt(context, value, "length", Range::positive());
  if (!from || !axis || !center || !pitch || !length) return std::nullopt;
  return helixShape(*from, *axis, *center, *pitch, *length, segments);
}

/// Evaluates one component of a curve. The only field it may see is u: the others are NaN here.
double curveComponent(const Number& number, FormulaInput input, double u) {
  const double hidden = std::nan("");
  input.u = u;
  input.s = input.x = input.y = input.z = input.i = input.n = hidden;
  return number(input);
}

/// Why a component of a curve has no value at u: it sees more than u, or its value is not finite.
std::string curveFault(const Number& number, FormulaInput input, double u) {
  input.u = u;
  try {
    number(input);
    return "the formulas of a curve see u and the parameters, not s, x, y, z, i, n";
  } catch (const FormulaFailure&) {
    return "the formula \"" + number.text() + "\" gives no finite number at u = " + inWords(u);
  }
}

MaybeShape curve(LoadContext& context, const Value& value, int segments) {
  std::array<Number, 3> components;
  std::array<const Value*, 3> values = {value.find("x"), value.find("y"), value.find("z")};
  bool good = true;
  for (std::size_t c = 0; c < 3; ++c) {
    if (!values[c]) {
      context.problem(value, std::string("\"") + "xyz"[c] + "\" is missing; expected a formula of u");
      good = false;
      continue;
    }
    components[c] = context.number(*values[c], context.field(), Use::restart, {}, "component");
    good = good && (!values[c]->isString() || components[c].isFormula());
  }
  if (!good) return std::nullopt;
  const FormulaInput input = context.input();
  double lastU = 0;
  std::size_t lastComponent = 0;
  const auto at = [&](double u) {
    Vec3 point;
    lastU = u;
    for (lastComponent = 0; lastComponent < 3; ++lastComponent)
      point[Eigen::Index(lastComponent)] = curveComponent(components[lastComponent], input, u);
    return point;
  };
  try {
    return curveShape(at, segments);
  } catch (const FormulaFailure&) {
    context.problem(*values[lastComponent], curveFault(components[lastComponent], input, lastU));
    return std::nullopt;
  }
}

MaybeShape points(LoadContext& context, const Value& rod, const Value& value) {
  const Value* segments = rod.find("segments");
  if (segments && segments->pointer.rfind("/defaults", 0) != 0)
    context.problem(*segments, "\"segments\" does not go with a path of \"points\", which are exactly the nodes");
  std::vector<Vec3> nodes;
  bool good = true;
  for (const Value& item : value.items) {
    const auto point = context.point(item);
    good = good && point;
    nodes.push_back(point.value_or(Vec3::Zero()));
  }
  if (!good) return std::nullopt;
  return pointsShape(std::move(nodes));
}

}  // namespace

std::optional<std::vector<Vec3>> loadPath(LoadContext& context, const Value& rodValue, Rod& rod) {
  const Value* path = rodValue.find("path");
  if (!path || path->members.size() != 1) {
    context.problem(path ? *path : rodValue, "expected \"path\" with one of line, arc, helix, curve, points");
    return std::nullopt;
  }
  const std::string& kind = path->members[0].key;
  const Value& value = path->members[0].value;
  MaybeShape result;
  if (kind == "points") {
    result = points(context, rodValue, value);
  } else {
    const auto segments = segmentsOf(context, rodValue);
    const int count = segments.value_or(1);
    if (kind == "line") result = line(context, value, count);
    else if (kind == "arc") result = arc(context, value, count);
    else if (kind == "helix") result = helix(context, value, count);
    else if (kind == "curve") result = curve(context, value, count);
    else context.problem(*path, unknownName("path", kind, {"line", "arc", "helix", "curve", "points"}));
    if (!segments) return std::nullopt;
  }
  if (!result) return std::nullopt;
  if (const auto* fault = std::get_if<std::string>(&*result)) {
    context.problem(value, *fault);
    return std::nullopt;
  }
  Shape& shape = std::get<Shape>(*result);
  rod.nodeTangents = std::move(shape.tangents);
  rod.startTangent = rod.nodeTangents.front();
  rod.endTangent = rod.nodeTangents.back();
  return std::move(shape.points);
}

}  // namespace tendril
