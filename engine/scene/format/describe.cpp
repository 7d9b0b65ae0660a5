// Describes what the key table expects: types, ranges, and values outside of them.
#include <cmath>

#include "scene/format/keys.h"
#include "scene/format/tables/table.h"
#include "text/words.h"

namespace tendril::scene {

namespace {

std::string list(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace

std::string describeRange(const formula::NumberRange& range) {
  const bool low = std::isfinite(range.low), high = std::isfinite(range.high);
  const std::string least = text::formatNumber(range.low), most = text::formatNumber(range.high);
  if (low && high && !range.lowOpen && !range.highOpen) return "from " + least + " to " + most;
  std::string text;
  if (low) text = (range.lowOpen ? "greater than " : "at least ") + least;
  if (high) text += (low ? " and " : "") + std::string(range.highOpen ? "less than " : "at most ") + most;
  return text;
}

std::string rangeMessage(std::string_view path, double value) {
  const Key* key = findKey(path);
  const std::string name = key ? key->name : std::string(path);
  if (!std::isfinite(value)) return name + " must be a finite number, but it is " + text::formatNumber(value);
  std::string expected = key ? describeRange(key->range) : "";
  if (key && key->range.integer) expected = "an integer" + (expected.empty() ? "" : " " + expected);
  if (key && !key->unit.empty()) expected += " " + key->unit;
  return name + " must be " + expected + ", but it is " + text::formatNumber(value);
}

std::string describeType(const Key& key) {
  std::string text;
  for (const KeyType& type : key.types) {
    std::string one;
    const std::string range = describeRange(key.range);
    const std::string unit = key.unit.empty() ? "" : " [" + key.unit + "]";
    using Kind = KeyType::Kind;
    switch (type.kind) {
      case Kind::number:
        one = "a number" + (range.empty() ? "" : " " + range) + unit;
        break;
      case Kind::integer:
        one = "an integer" + (range.empty() ? "" : " " + range);
        break;
      case Kind::vector:
        one = "a list of 3 numbers" + unit;
        break;
      case Kind::pair:
        one = "a list of 2 numbers" + unit;
        break;
      case Kind::numbers:
        one = "a list of numbers" + unit;
        break;
      case Kind::rows:
        one = "a list of numbers or of lists of numbers" + unit;
        break;
      case Kind::points:
        one = "a list of points [x, y, z]" + unit;
        break;
      case Kind::triangles:
        one = "a list of triangles [a, b, c]";
        break;
      case Kind::boolean:
        one = "true or false";
        break;
      case Kind::text:
        one = "a text";
        break;
      case Kind::texts:
        one = "a list of texts";
        break;
      case Kind::axes:
        one = "some of x, y and z, such as \"xz\"";
        break;
      case Kind::formula:
        one = "a formula";
        break;
      case Kind::selector:
        one = "a selector, such as \"arm:last\"";
        break;
      case Kind::selectors:
        one = type.two ? "a list of two selectors" : "a list of selectors";
        break;
      case Kind::choice: {
        std::vector<std::string> known;
        for (const std::string& choice : type.choices) known.push_back("\"" + choice + "\"");
        one = (known.size() > 1 ? "one of " : "") + list(known);
        break;
      }
      case Kind::any:
        one = "a value";
        break;
      case Kind::object:
        one = "an object, " + findKeySet(type.object)->title;
        break;
      case Kind::map:
        one = "an object with names";
        break;
      case Kind::labels:
        one = "an object of numbers";
        break;
      case Kind::list:
        one = "a list of objects";
        break;
    }
    text += (text.empty() ? "" : ", or ") + one;
  }
  return text;
}

}  // namespace tendril::scene
