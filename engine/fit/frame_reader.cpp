#include "fit/frame_reader.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "fit/terms.h"
#include "simulation/inside.h"
#include "text/words.h"

namespace tendril::fit {

namespace {

using text::formatNumber;
using Kind = Placement::Kind;

constexpr int scaleNumber = 6;
constexpr double scaleFactor = 10;    // of a scale that is fitted, to each side
constexpr double reach = 2;           // of a translation that is fitted, in what data and points are from their origins
constexpr double cornerShare = 0.25;  // of the least height: three points within it of where they were make a triangle

bool isCamera(const text::Value& frame) { return frame.find("plane") || frame.find("points"); }

/// A list of `count` values.
const std::vector<text::Value>* listOf(PlanText& text, const text::Value& value, std::size_t count, const char* words) {
  if (value.isArray() && value.items.size() == count) return &value.items;
  text.problem(value, std::string("expected ") + words);
  return nullptr;
}

std::optional<Vec3> vectorOf(PlanText& text, const text::Value& value) {
  const auto* items = listOf(text, value, 3, "a list of three numbers, [x, y, z]");
  if (!items) return std::nullopt;
  Vec3 out = Vec3::Zero();
  for (std::size_t k = 0; k < 3; ++k) {
    const auto number = text.number((*items)[k]);
    if (!number) return std::nullopt;
    out[Eigen::Index(k)] = *number;
  }
  return out;
}

void setUnit(Plan& plan, const Term& term, const char* unit) {
  if (term.unknown >= 0) plan.unknowns[std::size_t(term.unknown)].unit = unit;
}

/// Rotation, translation and scale; none, none and 1 where they are missing.
void readTracker(PlanText& text, const text::Value& frame, Plan& plan, Frame& out) {
  if (!text.object(frame, {"rotation", "translation", "scale", "fit"})) return;
  out.placement.kind = Kind::tracker;
  out.numbers.assign(7, Term());
  out.numbers[scaleNumber].value = 1;
  const std::pair<const char*, const char*> vectors[] = {{"rotation", "rad"}, {"translation", "m"}};
  for (std::size_t v = 0; v < 2; ++v) {
    const text::Value* value = frame.find(vectors[v].first);
    const auto* items = value ? listOf(text, *value, 3, "a list of three: numbers, or names of unknowns") : nullptr;
    for (std::size_t k = 0; items && k < 3; ++k) {
      out.numbers[3 * v + k] = readTerm(text, (*items)[k], vectors[v].first, plan);
      setUnit(plan, out.numbers[3 * v + k], vectors[v].second);
    }
    double turn = 0;
    for (std::size_t k = 0; v == 0 && k < 3; ++k) turn = std::hypot(turn, out.numbers[k].value);
    if (turn > pi)
      text.problem(*value, "turns by " + formatNumber(turn) + " rad; expected at most half a turn, in radians");
  }
  const text::Value* scale = frame.find("scale");
  if (!scale) return;
  Term& term = out.numbers[scaleNumber] = readTerm(text, *scale, "scale", plan);
  if (term.unknown >= 0 && !(plan.unknowns[std::size_t(term.unknown)].min > 0))
    text.problem(*scale, "a scale is greater than 0; give its unknown a \"min\" greater than 0");
  else if (term.unknown < 0 && scale->isNumber() && !(term.value > 0))
    text.problem(*scale, "found " + formatNumber(term.value) + "; expected a number greater than 0");
}

/// "xz", or an origin and two directions.
bool readPlane(PlanText& text, const text::Value& frame, ScenePlane& out) {
  constexpr const char* words =
      "expected two axes of the scene, such as \"xz\", or {\"origin\": [x, y, z], \"x\": [..], \"y\": [..]}";
  const text::Value* plane = frame.find("plane");
  if (!plane) return text.problem(frame, std::string("\"plane\" is missing: ") + words), false;
  if (plane->isString()) {
    const std::string& axes = plane->string;
    const bool good = axes.size() == 2 && axes[0] != axes[1] && axes.find_first_not_of("xyz") == std::string::npos;
    if (!good) return text.problem(*plane, words), false;
    out.x = Vec3::Unit(axes[0] - 'x'), out.y = Vec3::Unit(axes[1] - 'x');
    return true;
  }
  if (!plane->isObject()) return text.problem(*plane, words), false;
  if (!text.object(*plane, {"origin", "x", "y"})) return false;
  if (!plane->find("x") || !plane->find("y")) return text.problem(*plane, words), false;
  const auto x = vectorOf(text, *plane->find("x")), y = vectorOf(text, *plane->find("y"));
  const auto origin = plane->find("origin") ? vectorOf(text, *plane->find("origin")) : Vec3(Vec3::Zero());
  if (!x || !y || !origin) return false;
  constexpr double square = 1e-6;  // as much as directions with six digits are off
  if (!(x->norm() > 0 && y->norm() > 0 && std::abs(x->normalized().dot(y->normalized())) < square))
    return text.problem(*plane, "\"x\" and \"y\" are not at right angles; expected two directions that are"), false;
  // Exactly so, which the rounding of the numbers is not.
  out.origin = *origin, out.x = x->normalized();
  out.y = (*y - y->dot(out.x) * out.x).normalized();
  return true;
}

/// Four points of the plane and of the image.
void readPoints(PlanText& text, const text::Value& frame, const Plan& plan, Frame& out) {
  constexpr const char* words =
      "four points, such as {\"plane\": [0.1, 0], \"image\": [640, 360]}: where they are in the plane [m] and in the "
      "image";
  const text::Value* points = frame.find("points");
  if (!points) return text.problem(frame, std::string("\"points\" is missing: ") + words);
  const auto* items = listOf(text, *points, 4, words);
  for (std::size_t k = 0; items && k < 4; ++k) {
    const text::Value& item = (*items)[k];
    if (!text.object(item, {"plane", "image"})) continue;
    const text::Value *place = item.find("plane"), *image = item.find("image");
    if (!place || !image) {
      text.problem(item, "expected \"plane\": [x, y] and \"image\": [x, y]");
      continue;
    }
    const auto* in = listOf(text, *place, 2, "a list of two numbers, coordinates in the plane [m]");
    const auto* seen = listOf(text, *image, 2, "a list of two, x and y in the image: numbers, or names of unknowns");
    for (std::size_t c = 0; in && seen && c < 2; ++c) {
      out.placement.corners[k][Eigen::Index(c)] = text.number((*in)[c]).value_or(0);
      out.numbers[2 * k + c] = readTerm(text, (*seen)[c], "image of a point", plan);
    }
  }
}

Eigen::VectorXd startsOf(const Plan& plan) {
  Eigen::VectorXd out(Eigen::Index(plan.unknowns.size()));
  for (std::size_t u = 0; u < plan.unknowns.size(); ++u) out[Eigen::Index(u)] = plan.unknowns[u].start;
  return out;
}

void readCamera(PlanText& text, const text::Value& frame, const Plan& plan, Frame& out) {
  if (!text.object(frame, {"plane", "points", "fit", "sigma"})) return;
  out.placement.kind = Kind::camera;
  out.numbers.assign(8, Term());
  const std::size_t before = text.problems.size();
  readPlane(text, frame, out.placement.plane);
  readPoints(text, frame, plan, out);
  if (text.problems.size() > before) return;
  const std::string flaw = flawOf(out.placement, out.at(startsOf(plan)));
  if (flaw.empty()) return;
  const bool line = flaw.find("on a line") != std::string::npos;
  text.problem(*frame.find("points"),
               flaw + (line ? "; expected four of which no three do" : "; are two of them exchanged?"));
}

/// Which of the numbers "fit" makes unknown.
std::vector<bool> fitted(PlanText& text, const text::Value& frame, const Placement& placement) {
  std::vector<bool> out(std::size_t(placement.count()), false);
  const text::Value* fit = frame.find("fit");
  if (!fit || (fit->kind == text::Value::Kind::boolean && !fit->boolean)) return out;
  if (fit->kind == text::Value::Kind::boolean) return std::vector<bool>(out.size(), true);
  if (placement.kind == Kind::camera || !fit->isArray())
    return text.problem(*fit, placement.kind == Kind::camera
                                  ? "expected true or false"
                                  : "expected true or false, or a list of \"rotation\", \"translation\" and \"scale\""),
           out;
  for (const text::Value& item : fit->items) {
    const std::vector<std::string> groups = {"rotation", "translation", "scale"};
    const auto at = item.isString() ? std::find(groups.begin(), groups.end(), item.string) : groups.end();
    if (at == groups.end()) {
      text.problem(item, "expected \"rotation\", \"translation\" or \"scale\"");
      continue;
    }
    const std::size_t first = 3 * std::size_t(at - groups.begin());
    for (std::size_t k = first; k < std::min<std::size_t>(first + 3, 7); ++k) out[k] = true;
  }
  return out;
}

/// Points that the experiment's frame sees, each once, where they are as the run begins.
std::vector<Vec3> pointsAtStart(const Simulation& simulation, const Experiment& experiment) {
  std::vector<Vec3> out;
  for (const DataColumn& column : experiment.columns)
    if (column.axis >= 0) {
      Vec3 point;
      for (int k = 0; k < 3; ++k) point[k] = simulation.values()[std::size_t(column.point[std::size_t(k)])];
      out.push_back(point);
    }
  return out;
}

/// The farthest that data and points are from their origins, in the scene [m].
double extentOf(const Simulation& simulation, const Experiment& experiment, double scale) {
  double data = 0, points = 0;
  for (std::size_t c = 0; c < experiment.columns.size(); ++c)
    for (Eigen::Index r = 0; r < experiment.data.rows() && experiment.columns[c].axis >= 0; ++r)
      if (const double value = experiment.data(r, Eigen::Index(c)); !std::isnan(value))
        data = std::max(data, std::abs(value));
  for (const Vec3& point : pointsAtStart(simulation, experiment)) points = std::max(points, point.norm());
  return data / scale + points;
}

/// The unknown that number `k` of the frame becomes, about its given value.
Unknown unknownAbout(const Frame& frame, int k, double extent, double height) {
  const double value = frame.numbers[std::size_t(k)].value;
  Unknown out;
  out.ofScene = false, out.start = value;
  double away = cornerShare * height;
  if (frame.placement.kind == Kind::tracker) {
    away = k < 3 ? pi : reach * extent;
    out.unit = k < 3 ? "rad" : k < scaleNumber ? "m" : "";
  }
  out.min = value - away, out.max = value + away;
  if (frame.placement.kind == Kind::tracker && k == scaleNumber)
    out.min = value / scaleFactor, out.max = value * scaleFactor, out.logarithmic = true;
  return out;
}

/// "frame0.rotation.x", "frame0.image2.y".
std::string unknownName(const Placement& placement, std::size_t experiment, int k) {
  const std::string frame = "frame" + std::to_string(experiment) + ".";
  if (placement.kind == Kind::camera) return frame + "image" + std::to_string(k / 2) + (k % 2 == 0 ? ".x" : ".y");
  if (k == scaleNumber) return frame + "scale";
  return frame + (k < 3 ? "rotation." : "translation.") + "xyz"[k % 3];
}

}  // namespace

std::string numberName(const Placement& placement, int number) {
  if (placement.kind == Kind::camera) return "image of point " + std::to_string(number / 2) + ", " + "xy"[number % 2];
  if (number == scaleNumber) return "scale";
  return std::string(number < 3 ? "rotation " : "translation ") + "xyz"[number % 3];
}

bool namesInFrame(const text::Value& frame, const std::string& name) {
  const auto isName = [&name](const text::Value* value) { return value && value->isString() && value->string == name; };
  const auto holds = [&isName](const text::Value* list) {
    return list && std::any_of(list->items.begin(), list->items.end(),
                               [&isName](const text::Value& item) { return isName(&item); });
  };
  if (isName(frame.find("scale")) || holds(frame.find("rotation")) || holds(frame.find("translation"))) return true;
  const text::Value* points = frame.find("points");
  return points && std::any_of(points->items.begin(), points->items.end(),
                               [&holds](const text::Value& point) { return holds(point.find("image")); });
}

bool fitsFrames(const text::Value& experiments) {
  return std::any_of(experiments.items.begin(), experiments.items.end(), [](const text::Value& experiment) {
    const text::Value* data = experiment.find("data");
    const text::Value* frame = data ? data->find("frame") : nullptr;
    const text::Value* fit = frame ? frame->find("fit") : nullptr;
    return fit && (fit->boolean || !fit->items.empty());
  });
}

void readFrame(PlanText& text, const text::Value& frame, Plan& plan, Experiment& experiment) {
  if (isCamera(frame))
    readCamera(text, frame, plan, experiment.frame);
  else
    readTracker(text, frame, plan, experiment.frame);
}

void readSeen(PlanText& text, const text::Value& column, const Simulation& simulation, const Experiment& experiment,
              DataColumn& out) {
  const text::Value* through = column.find("frame");
  const bool given = experiment.frame.placement.kind != Kind::scene;
  if (through && through->kind != text::Value::Kind::boolean)
    return text.problem(*through,
                        "expected true or false: whether the column is seen through the \"frame\" of its data");
  if (through && through->boolean && !given)
    return text.problem(*through, "the data have no \"frame\"; give them one, or leave this out");
  if (!given || (through && !through->boolean)) return;
  const text::Value& at = *column.find("probe");
  const std::size_t dot = out.probe.rfind('.');
  const std::string point = out.probe.substr(0, dot),
                    letter = dot == std::string::npos ? "" : out.probe.substr(dot + 1);
  const auto& names = simulation.columns();
  bool isPlace = false;
  for (const scene::Probe& probe : sceneOf(simulation).probes)
    isPlace = isPlace || (probe.name == point &&
                          (probe.kind == scene::Probe::Kind::position || probe.kind == scene::Probe::Kind::pose));
  if (!isPlace || letter.size() != 1 || letter[0] < 'x' || letter[0] > 'z')
    return text.problem(at, "\"" + text::clipped(out.probe) +
                                "\" is no coordinate of a place, which a frame sees; expected x, y or z of a "
                                "\"position\" or a \"pose\", or \"frame\": false beside it");
  if (letter[0] - 'x' >= experiment.frame.placement.axes())
    return text.problem(
        at, "an image has no z; expected \"" + point + ".x\" or \"" + point + ".y\", which are x and y in the image");
  out.axis = letter[0] - 'x';
  for (int k = 0; k < 3; ++k)
    out.point[std::size_t(k)] = int(std::find(names.begin(), names.end(), point + "." + "xyz"[k]) - names.begin());
}

void fitFrame(PlanText& text, const text::Value& frame, const Simulation& simulation, std::size_t number, Plan& plan,
              Experiment& experiment) {
  Frame& of = experiment.frame;
  const std::vector<Vec3> points = pointsAtStart(simulation, experiment);
  if (points.empty()) return text.problem(frame, "no column is seen through the frame; leave it out");
  const Eigen::VectorXd given = of.at(startsOf(plan));
  for (const Vec3& point : points)
    if (const Sighting sight = sightOf(of.placement, given, point); !sight.problem.empty())
      return text.problem(frame, "as the run begins, " + sight.problem +
                                     "; the points that say where the camera is must lie on the same side");
  const std::vector<bool> wanted = fitted(text, frame, of.placement);
  const text::Value* sigma = frame.find("sigma");
  const auto known = sigma ? text.number(*sigma, positiveNumber) : std::nullopt;
  if (sigma && std::find(wanted.begin(), wanted.end(), true) == wanted.end())
    return text.problem(*sigma,
                        "\"sigma\" is the standard deviation of points that are fitted; expected \"fit\": true "
                        "beside it");
  const double extent = of.placement.kind == Kind::tracker ? extentOf(simulation, experiment, given[scaleNumber]) : 0;
  const double height = of.placement.kind == Kind::camera ? leastHeight(imageOf(given)) : 0;
  for (int k = 0; k < of.placement.count(); ++k) {
    Term& term = of.numbers[std::size_t(k)];
    if (!wanted[std::size_t(k)]) continue;
    if (term.unknown >= 0)
      return text.problem(*frame.find("fit"), "\"" + plan.unknowns[std::size_t(term.unknown)].name +
                                                  "\" is an unknown already; expected numbers beside \"fit\"");
    Unknown unknown = unknownAbout(of, k, extent, height);
    unknown.name = unknownName(of.placement, number, k);
    if (!(unknown.min < unknown.max))
      return text.problem(*frame.find("fit"),
                          "data and points lie at their origins, so that the translation has no "
                          "bounds; name unknowns in its place");
    if (known) unknown.prior = Prior{term.value, *known, true};
    term.unknown = int(plan.unknowns.size());
    plan.unknowns.push_back(unknown);
  }
}

}  // namespace tendril::fit
