// `repeat`: an object that has it is replaced by copies, one for every combination of its names. The copies keep the
// location of their source and remember the values of the names.
#include <cmath>
#include <set>

#include "formula/compile/lexer.h"
#include "scene/format/keys.h"
#include "scene/resolve/passes.h"
#include "text/words.h"

namespace tendril::scene {

namespace {

constexpr std::size_t mostCopies = 200000;
constexpr std::size_t mostCopiedValues = 1000000;

bool repeats(const text::Value& value) { return value.isObject() && value.member("repeat"); }

/// The names that the "{...}" parts of a key read.
std::set<std::string> namesInBraces(const std::string& key) {
  std::set<std::string> names;
  for (std::size_t open = key.find('{'); open != std::string::npos; open = key.find('{', open + 1)) {
    const std::size_t close = key.find('}', open);
    if (close == std::string::npos) break;
    const std::string inner = key.substr(open + 1, close - open - 1);
    for (formula::Token token = formula::nextFormulaToken(inner, 0); token.kind != formula::Token::Kind::end;
         token = formula::nextFormulaToken(inner, token.at + token.length))
      if (token.kind == formula::Token::Kind::name) names.insert(std::string(token.text));
  }
  return names;
}

}  // namespace

text::Value Repeater::section(const text::Value& source) {
  text::Value out = source.isArray() || source.isObject() ? text::Value{} : source;
  if (source.isArray() || source.isObject()) {
    out.kind = source.kind;
    out.span = source.span;
    out.pointer = source.pointer;
  }
  if (source.isArray()) items(source, nullptr, out);
  if (source.isObject()) members(source, nullptr, false, out);
  return out;
}

text::Value Repeater::copy(const text::Value& source, const Shared& bindings, bool isCopy) {
  text::Value out;
  if (bindings && ++copiedValues_ > mostCopiedValues && tooMany(source)) return out;
  out.kind = source.kind;
  out.boolean = source.boolean;
  out.number = source.number;
  out.span = source.span;
  out.pointer = source.pointer;
  out.bindings = bindings;
  if (source.isString())
    out.string = bindings ? substitute(source.string, source, bindings).value_or(source.string) : source.string;
  if (source.isArray()) items(source, bindings, out);
  if (source.isObject()) members(source, bindings, isCopy, out);
  return out;
}

void Repeater::items(const text::Value& source, const Shared& bindings, text::Value& out) {
  out.items.reserve(source.items.size());
  for (const text::Value& item : source.items) {
    if (exhausted_) return;
    if (!repeats(item)) {
      out.items.push_back(copy(item, bindings, false));
      continue;
    }
    for (const Shared& combination : combinations(item, bindings)) {
      if (exhausted_) return;
      out.items.push_back(copy(item, combination, true));
    }
  }
}

void Repeater::members(const text::Value& source, const Shared& bindings, bool isCopy, text::Value& out) {
  out.members.reserve(source.members.size());
  std::set<std::string> keys;
  const auto add = [&](const text::Member& member, const Shared& inside, bool copied) {
    if (exhausted_) return;
    const std::optional<std::string> key = inside ? substitute(member.key, member.value, inside) : member.key;
    if (!key) return;
    text::Member made{*key, member.keySpan, {}};
    made.value = copy(member.value, inside, copied);
    const bool isNew = keys.insert(made.key).second;
    if (isNew)
      out.members.push_back(std::move(made));
    else
      problems_.push_back(
          document_.problemAtKey(member, made.value, "two objects are called \"" + made.key + "\" here"));
  };
  for (const text::Member& member : source.members) {
    if (isCopy && member.key == "repeat") continue;
    if (!repeats(member.value)) {
      add(member, bindings, false);
    } else if (keyNames(member, *member.value.find("repeat"))) {
      for (const Shared& combination : combinations(member.value, bindings)) add(member, combination, true);
    }
  }
}

bool Repeater::keyNames(const text::Member& member, const text::Value& repeat) {
  if (!repeat.isObject()) return true;  // combinations() reports what is wrong
  const std::set<std::string> named = namesInBraces(member.key);
  for (const text::Member& name : repeat.members) {
    if (named.count(name.key)) continue;
    problems_.push_back(document_.problemAtKey(member, member.value,
                                               "the key of repeated objects must name " + name.key +
                                                   ", so that each copy has its own name: \"" +
                                                   text::clipped(member.key, 40) + "{" + name.key + "}\""));
    return false;
  }
  return true;
}

std::vector<Repeater::Shared> Repeater::combinations(const text::Value& object, const Shared& outer) {
  const text::Value& repeat = *object.find("repeat");
  if (!repeat.isObject() || repeat.members.empty()) {
    problems_.push_back(document_.problem(repeat, "\"repeat\": expected names with their counts, such as {\"k\": 4}"));
    return {};
  }
  std::vector<Shared> all = {outer ? outer : std::make_shared<const text::Bindings>()};
  for (const text::Member& name : repeat.members) {
    if (!nameIsGood(name, repeat, outer)) return {};
    const std::optional<int> copies = count(name, repeat, outer);
    if (!copies) return {};
    if ((copies_ += all.size() * static_cast<std::size_t>(*copies)) > mostCopies && tooMany(name.value)) return {};
    std::vector<Shared> longer;
    for (const Shared& before : all)
      for (int k = 0; k < *copies; ++k) {
        text::Bindings next = *before;
        next[name.key] = k;
        longer.push_back(std::make_shared<const text::Bindings>(std::move(next)));
      }
    all = std::move(longer);
  }
  return all;
}

bool Repeater::nameIsGood(const text::Member& name, const text::Value& repeat, const Shared& outer) {
  std::string fault;
  if (!isName(name.key))
    fault = "is not a name: letters, digits and _ only, not a digit first";
  else if (isReservedName(name.key))
    fault = "is reserved: formulas know t s u x y z i n as time and position";
  else if (outer && outer->count(name.key))
    fault = "is the name of a repeat around this one: choose another";
  if (fault.empty()) return true;
  problems_.push_back(document_.problemAtKey(name, repeat, "\"" + text::clipped(name.key) + "\" " + fault));
  return false;
}

std::optional<int> Repeater::count(const text::Member& name, const text::Value& repeat, const Shared& outer) {
  text::Value at = name.value;
  at.bindings = outer;
  if (!at.isNumber() && !at.isFormula()) {
    problems_.push_back(
        document_.problem(at, "the count of " + name.key + " must be an integer or a formula of parameters"));
    return std::nullopt;
  }
  const std::optional<double> value = evaluateConstant(document_, at, scope_, values_, problems_, &used_);
  if (!value) return std::nullopt;
  if (*value >= 0 && *value <= static_cast<double>(mostCopies) && *value == std::floor(*value))
    return static_cast<int>(*value);
  at.bindings = repeat.bindings;
  problems_.push_back(document_.problem(at, "the count of " + name.key + " must be an integer from 0 to " +
                                                std::to_string(mostCopies) + ", but it is " +
                                                text::formatNumber(*value)));
  return std::nullopt;
}

bool Repeater::tooMany(const text::Value& at) {
  if (!exhausted_)
    problems_.push_back(document_.problem(at, "repeat makes too many copies: at most " + std::to_string(mostCopies) +
                                                  " copies and " + std::to_string(mostCopiedValues) +
                                                  " values in them"));
  return exhausted_ = true;
}

std::optional<std::string> Repeater::substitute(const std::string& text, const text::Value& at,
                                                const Shared& bindings) {
  std::string out;
  for (std::size_t k = 0; k < text.size();) {
    const std::size_t open = text.find('{', k);
    const std::size_t close = open == std::string::npos ? open : text.find('}', open);
    if (close == std::string::npos) return out + text.substr(k);
    out += text.substr(k, open - k);
    const std::optional<std::string> integer = integerText(text.substr(open + 1, close - open - 1), at, bindings);
    if (!integer) return std::nullopt;
    // In a formula "2^{k-5}" and "{k-5}^2" mean the number.
    const bool guarded = !text.empty() && text[0] == '=' && (*integer)[0] == '-';
    out += guarded ? "(" + *integer + ")" : *integer;
    k = close + 1;
  }
  return out;
}

std::optional<std::string> Repeater::integerText(const std::string& expression, const text::Value& at,
                                                 const Shared& bindings) {
  text::Value part;
  part.kind = text::Value::Kind::string;
  part.string = expression;
  part.span = at.span;
  part.pointer = at.pointer;
  part.bindings = bindings;
  const auto compiled = formula::compileFormula(expression, scope_, formula::Sight{}, *bindings, {});
  if (const auto* error = std::get_if<formula::Error>(&compiled)) {
    problems_.push_back(document_.problem(part, "in \"{" + text::clipped(expression) + "}\": " + error->message));
    return std::nullopt;
  }
  const std::optional<double> value = evaluateConstant(document_, part, scope_, values_, problems_, &used_);
  if (!value) return std::nullopt;
  const double rounded = std::round(*value);
  if (std::fabs(*value - rounded) > 1e-9 || std::fabs(rounded) > 1e9) {
    problems_.push_back(document_.problem(
        part, "\"{" + text::clipped(expression) + "}\" must be an integer, but it is " + text::formatNumber(*value)));
    return std::nullopt;
  }
  return std::to_string(static_cast<long long>(rounded));
}

}  // namespace tendril::scene
