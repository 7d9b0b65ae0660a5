// The loader's shared reading of numbers, vectors, rotations and intervals (context.h).
#include "scene/load/context.h"
#include "text/words.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace tendril::scene {

std::string inWords(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

namespace {

std::string outOfRange(double value, std::string_view path) {
  const formula::NumberRange* range = path.empty() ? nullptr : rangeOf(path);
  if (range ? range->holds(value) : std::isfinite(value)) return {};
  return range ? rangeMessage(path, value) : "expected a finite number, found " + inWords(value);
}

std::string notFinite(const formula::Number& number) {
  return "the formula \"" + number.text() + "\" gives no finite number (NaN or infinity)";
}

}  // namespace

std::string wrongValue(const formula::Number& number, const formula::Input& input, std::string_view path,
                       const std::string& where) {
  std::string message;
  try {
    message = outOfRange(number(input), path);
  } catch (const formula::Failure&) {
    message = notFinite(number);
  }
  return message.empty() || where.empty() ? message : message + " at " + where;
}

std::string unknownName(std::string_view kind, std::string_view name, const std::vector<std::string>& known) {
  std::string message = "unknown " + std::string(kind) + " \"" + std::string(name) + "\"";
  const std::string nearest = text::nearestName(name, known);
  if (!nearest.empty()) return message + "; did you mean \"" + nearest + "\"?";
  if (known.empty()) return message + "; the scene has none";
  return message + "; expected one of " + listed(known);
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < 8; ++i) text += (i ? ", " : "") + names[i];
  return text + (names.size() > 8 ? ", ..." : "");
}

LoadContext::LoadContext(const text::Document& document_, const ResolvedScene& resolved, Scene& scene_,
                         Problems& problems)
    : document(document_),
      root(resolved.root),
      scene(scene_),
      scope(resolved.scope),
      problems_(problems),
      usedLive_(resolved.parameters.size(), false),
      usedForRestart_(resolved.structural) {
  usedForRestart_.resize(resolved.parameters.size(), false);
}

void LoadContext::problem(const text::Value& at, const std::string& message) {
  if (problems_.size() < mostProblems) problems_.push_back(document.problem(at, message));
}

void LoadContext::refuseVelocity(const text::Value* velocity) {
  if (velocity && !dynamic)
    problem(*velocity, "a static run has no velocities; expected a \"displacement\", which may be a formula of t");
}

void LoadContext::problemAtKey(const text::Member& member, const text::Value& object, const std::string& message) {
  if (problems_.size() < mostProblems) problems_.push_back(document.problemAtKey(member, object, message));
}

void LoadContext::warn(const text::Value& at, const std::string& message) {
  if (scene.warnings.size() < mostProblems) scene.warnings.push_back(document.problem(at, message));
}

void LoadContext::claimName(const text::Member& member, const text::Value& holder) {
  const auto body = bodyNames.find(member.key);
  const char* kind = body != bodyNames.end()          ? (scene.isRod(body->second) ? "rod" : "shell")
                     : linkageNames.count(member.key) ? "linkage"
                     : vineNames.count(member.key)    ? "vine"
                                                      : nullptr;
  if (kind)
    problemAtKey(member, holder,
                 "\"" + member.key + "\" is the name of a " + kind +
                     " already; rods, shells, linkages, vines and obstacles share one set of names");
}

formula::Sight LoadContext::sightAt(std::string_view path) const {
  formula::Sight sight = sightOf(path);
  sight.columns = sight.columns && dynamic;
  return sight;
}

formula::Sight LoadContext::observed() const {
  formula::Sight sight;
  sight.timed = true;
  sight.columns = true;
  return sight;
}

void LoadContext::markUse(int parameter, Use use) {
  (use == Use::live ? usedLive_ : usedForRestart_)[std::size_t(parameter)] = true;
}

bool LoadContext::inRange(double value, const text::Value& at, std::string_view path) {
  const std::string message = outOfRange(value, path);
  if (!message.empty()) problem(at, message);
  return message.empty();
}

formula::Number LoadContext::formula(const text::Value& value, formula::Sight sight, Use use,
                                     std::vector<int>* columnsUsed) {
  if (value.isNumber()) return formula::Number(value.number);
  if (!value.isString()) {
    problem(value, "expected a formula");
    return {};
  }
  const Problem source = document.problem(value, "");
  static const text::Bindings none;
  auto compiled = formula::compileFormula(value.string, scope, sight, value.bindings ? *value.bindings : none,
                                          {source.pointer, source.line, source.column});
  if (const auto* error = std::get_if<formula::Error>(&compiled)) {
    if (problems_.size() < mostProblems)
      problems_.push_back(document.problem(value, error->message, error->at, error->length));
    return {};
  }
  const auto& ready = std::get<0>(compiled);
  for (const int parameter : ready->parametersUsed()) markUse(parameter, use);
  if (columnsUsed) *columnsUsed = ready->columnsUsed();
  if (ready->seesColumns()) noteFeedback(ready);
  return formula::Number(ready);
}

// Formulas for display only are not included, nor are rates of states, which have their own list.
void LoadContext::noteFeedback(const std::shared_ptr<const formula::Formula>& formula) {
  const std::string& pointer = formula->location().pointer;
  for (const char* other : {"/probes", "/checks", "/states", "/view"})
    if (pointer.rfind(other, 0) == 0) return;
  for (const formula::Number& known : scene.feedback)
    if (known.formula()->location().pointer == pointer) return;
  scene.feedback.emplace_back(formula);
}

formula::Number LoadContext::number(const text::Value& value, std::string_view path, Use use) {
  if (value.isNumber()) {
    inRange(value.number, value, path);
    return formula::Number(value.number);
  }
  if (!value.isFormula()) {
    problem(value, "expected a number, or a formula such as \"=2*pi\"");
    return {};
  }
  formula::Number result = formula(value, sightAt(path), use);
  if (!result.isFormula() || result.isTimed() || result.isField()) return result;
  const auto wrong = [result, path = std::string(path)](const Scene& now) {
    return wrongValue(result, parametersOf(now), path);
  };
  if (use == Use::live)
    require(value, {result}, wrong);
  else if (const std::string message = wrong(scene); !message.empty())
    problem(value, message);
  return result;
}

std::optional<double> LoadContext::constantOf(const text::Value& value, std::string_view path) {
  std::optional<double> now;
  if (value.isNumber()) {
    now = value.number;
  } else if (value.isFormula()) {
    const formula::Number compiled = formula(value, {}, Use::restart);
    if (!compiled.isFormula()) return std::nullopt;  // its problem is in the list
    now = evaluate(compiled, input(), value);
  } else {
    problem(value, "expected a number, or a formula such as \"=2*pi\"");
  }
  if (!now || !inRange(*now, value, path)) return std::nullopt;
  return now;
}

double LoadContext::constantAt(const text::Value& object, std::string_view path, std::string_view key) {
  const std::string full = std::string(path) + "." + std::string(key);
  const text::Value* value = object.find(key);
  return value ? constantOf(*value, full).value_or(defaultNumber(full)) : defaultNumber(full);
}

std::optional<double> LoadContext::neededAt(const text::Value& object, std::string_view path, std::string_view key) {
  const text::Value* value = object.find(key);
  if (value) return constantOf(*value, std::string(path) + "." + std::string(key));
  problem(object, "\"" + std::string(key) + "\" is missing; expected a number");
  return std::nullopt;
}

bool LoadContext::flagAt(const text::Value& object, std::string_view key, bool fallback) const {
  const text::Value* value = object.find(key);
  return value && value->kind == text::Value::Kind::boolean ? value->boolean : fallback;
}

std::string LoadContext::textAt(const text::Value& object, std::string_view key) const {
  const text::Value* value = object.find(key);
  return value && value->isString() ? value->string : std::string();
}

std::optional<double> LoadContext::evaluate(const formula::Number& number, const formula::Input& input,
                                            const text::Value& at) {
  try {
    return number(input);
  } catch (const formula::Failure&) {
    problem(at, notFinite(number));
    return std::nullopt;
  }
}

bool LoadContext::require(const text::Value& at, const std::vector<formula::Number>& numbers, const Wrong& wrong) {
  const std::string message = wrong(scene);
  if (!message.empty()) problem(at, message);
  requireLater(document.problem(at, ""), numbers, wrong);
  return message.empty();
}

void LoadContext::requireLater(const Problem& source, const std::vector<formula::Number>& numbers, const Wrong& wrong) {
  const bool live = std::any_of(numbers.begin(), numbers.end(), [](const formula::Number& number) {
    return number.formula() && !number.formula()->parametersUsed().empty();
  });
  if (live) scene.liveRules.push_back({source, wrong});
}

Number3 LoadContext::vector(const text::Value& value, std::string_view path, Use use) {
  Number3 result;
  if (!value.isArray() || value.items.size() != 3) {
    problem(value, "expected three numbers [x, y, z]");
    return result;
  }
  for (std::size_t i = 0; i < 3; ++i) result[i] = number(value.items[i], path, use);
  return result;
}

std::optional<Vec3> LoadContext::point(const text::Value& value) {
  if (!value.isArray() || value.items.size() != 3) {
    problem(value, "expected three numbers [x, y, z]");
    return std::nullopt;
  }
  Vec3 result = Vec3::Zero();
  bool good = true;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto component = constantOf(value.items[i]);
    good = good && component;
    result[Eigen::Index(i)] = component.value_or(0);
  }
  return good ? std::optional<Vec3>(result) : std::nullopt;
}

std::optional<Vec3> LoadContext::direction(const text::Value& value, std::string_view name) {
  auto result = point(value);
  const double size = result ? result->cwiseAbs().maxCoeff() : 0;
  if (size > 0 && !std::isnormal(result->squaredNorm())) return Vec3(*result / size);  // for callers that take its norm
  if (!result || size > 0) return result;
  problem(value, std::string(name) + " has length 0; expected a direction");
  return std::nullopt;
}

Rotation LoadContext::rotation(const text::Value& value, std::string_view path, Use use) {
  Rotation result;
  if (value.isArray()) {
    for (const text::Value& item : value.items)
      for (const Turn& turn : rotation(item, path, use)) result.push_back(turn);
    return result;
  }
  const text::Value* axis = value.find("axis");
  const text::Value* angle = value.find("angle");
  if (!axis || !angle) {
    problem(value, "expected a rotation {\"axis\": [x, y, z], \"angle\": ...}, or a list of such");
    return result;
  }
  const auto along = direction(*axis, "axis");
  const formula::Number by = number(*angle, std::string(path) + ".angle", use);
  if (along) result.push_back({along->normalized(), by});
  return result;
}

std::optional<Mat3> LoadContext::orientation(const text::Value& value, std::string_view path) {
  Mat3 result = Mat3::Identity();
  const std::size_t before = problems_.size();
  for (const Turn& turn : rotation(value, path, Use::restart))
    if (const auto angle = evaluate(turn.angle, input(), value))
      result = Eigen::AngleAxisd(*angle, turn.axis).toRotationMatrix() * result;
  if (problems_.size() > before) return std::nullopt;
  return result;
}

Interval LoadContext::interval(const text::Value& object) {
  Interval result;
  const text::Value* from = object.find("from");
  const text::Value* until = object.find("until");
  if (from) result.from = constantOf(*from).value_or(result.from);
  if (until) result.until = constantOf(*until).value_or(result.until);
  if (from && until && result.until <= result.from)
    problem(*until,
            "\"until\" is " + inWords(result.until) + ", which is not after \"from\" (" + inWords(result.from) + ")");
  return result;
}

}  // namespace tendril::scene
