#include "fit/plan_text.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "scene/load/context.h"
#include "text/words.h"

namespace tendril::fit {

namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();
constexpr std::size_t mostProblems = 100;

const char* kindOf(const text::Value& value) {
  switch (value.kind) {
    case text::Value::Kind::null:
      return "null";
    case text::Value::Kind::boolean:
      return value.boolean ? "true" : "false";
    case text::Value::Kind::number:
      return "a number";
    case text::Value::Kind::string:
      return "a text";
    case text::Value::Kind::array:
      return "a list";
    case text::Value::Kind::object:
      break;
  }
  return "an object";
}

std::vector<std::string> namesIn(std::initializer_list<const char*> words) { return {words.begin(), words.end()}; }

bool within(double value, const Range& range) {
  if (!std::isfinite(value) || (range.whole && value != std::floor(value))) return false;
  return range.open ? value > range.min && value < range.max : value >= range.min && value <= range.max;
}

}  // namespace

const Range anyNumber = {-unbounded, unbounded, false, false, "a finite number"};
const Range positiveNumber = {0, unbounded, true, false, "a number greater than 0"};

void PlanText::problem(const text::Value& at, const std::string& message) {
  if (problems.size() < mostProblems)
    problems.push_back(document_.problem(at, message));
  else if (!problems.back().message.ends_with(text::andMoreProblems))
    problems.back().message += text::andMoreProblems;
}

void PlanText::problemAtKey(const text::Value& object, const text::Member& member, const std::string& message) {
  if (problems.size() < mostProblems) problems.push_back(document_.problemAtKey(member, object, message));
}

void PlanText::unknownName(const text::Value& at, const char* kind, const std::string& name,
                           const std::vector<std::string>& known) {
  problem(at, scene::unknownName(kind, name, known));
}

bool PlanText::object(const text::Value& value, std::initializer_list<const char*> known,
                      std::initializer_list<const char*> later) {
  if (!value.isObject()) {
    problem(value, std::string("found ") + kindOf(value) + "; expected an object");
    return false;
  }
  const std::vector<std::string> names = namesIn(known), reserved = namesIn(later);
  for (const text::Member& member : value.members) {
    if (std::find(names.begin(), names.end(), member.key) != names.end()) continue;
    if (std::find(reserved.begin(), reserved.end(), member.key) != reserved.end())
      problemAtKey(value, member, "\"" + member.key + "\" is reserved: not yet");
    else
      problemAtKey(value, member, scene::unknownName("key", member.key, names));
  }
  return true;
}

std::optional<double> PlanText::number(const text::Value& value, const Range& range) {
  if (!value.isNumber()) {
    problem(value, std::string("found ") + kindOf(value) + "; expected " + range.words);
    return std::nullopt;
  }
  if (within(value.number, range)) return value.number;
  problem(value, "found " + text::formatNumber(value.number) + "; expected " + range.words);
  return std::nullopt;
}

std::optional<double> PlanText::number(const text::Value& object, const char* key, const Range& range) {
  const text::Value* value = object.find(key);
  return value ? number(*value, range) : std::nullopt;
}

std::optional<std::string> PlanText::string(const text::Value& object, const char* key) {
  const text::Value* value = object.find(key);
  if (!value) return std::nullopt;
  if (value->isString()) return value->string;
  problem(*value, std::string("found ") + kindOf(*value) + "; expected a text in quotes");
  return std::nullopt;
}

}  // namespace tendril::fit
