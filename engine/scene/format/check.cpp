// Checks a resolved scene against the key table: unknown, missing and contradictory keys, wrong types, numbers out of
// range, and reserved keys.
#include <algorithm>
#include <set>

#include "formula/compile/code.h"
#include "scene/format/companions.h"
#include "scene/format/keys.h"
#include "scene/format/tables/table.h"
#include "text/words.h"

namespace tendril::scene {

namespace {

constexpr std::size_t mostFound = 200;

std::string quoted(std::string_view text) { return "\"" + text::clipped(text) + "\""; }

template <class Names>
std::string joined(const Names& names) {
  std::string text;
  for (const auto& name : names) text += (text.empty() ? "" : ", ") + std::string(name);
  return text;
}

std::string found(const text::Value& value) {
  switch (value.kind) {
    case text::Value::Kind::null:
      return "null";
    case text::Value::Kind::boolean:
      return value.boolean ? "true" : "false";
    case text::Value::Kind::number:
      return text::formatNumber(value.number);
    case text::Value::Kind::string:
      return (value.isFormula() ? "the formula " : "the text ") + quoted(value.string);
    case text::Value::Kind::array:
      return value.items.empty() ? "an empty list" : "a list of " + std::to_string(value.items.size());
    case text::Value::Kind::object:
      return value.members.empty() ? "an empty object" : "an object";
  }
  return "";
}

/// The opening character of a value: for a missing key, a whole large object would be too much to underline.
text::Value opening(const text::Value& value) {
  text::Value mark;
  mark.span = {value.span.begin, std::min(value.span.begin + 1, value.span.end)};
  mark.pointer = value.pointer;
  mark.bindings = value.bindings;
  return mark;
}

class StructureCheck {
 public:
  StructureCheck(const text::Document& document, Problems& problems) : document_(document), problems_(problems) {}

  void object(const KeySet& set, const text::Value& value) {
    std::set<std::string> meant;  // by misspelled keys: they do not count as missing
    for (const text::Member& member : value.members) {
      const Key* key = set.find(member.key);
      if (!key || key->name == "*") key = set.wildcard();
      if (!key)
        meant.insert(unknown(set, member, value));
      else
        entry(*key, member, value, set);
    }
    needs(set, value, meant);
  }

  /// Checks the value of a known key; reserved keys are refused.
  void entry(const Key& key, const text::Member& member, const text::Value& holder, const KeySet& set) {
    if (key.later && std::any_of(key.with.begin(), key.with.end(), [&](const std::string& other) {
          return holder.member(other) && set.find(other)->later;
        }))
      return;  // reported at the reserved key that it goes with
    if (key.later)
      atKey(member, holder, "not yet: " + quoted(member.key) + " is reserved for a later version; remove it");
    else
      value(key, member.value, member.key);
  }

  /// Reports an unknown key; returns the known one that was probably meant, or "".
  std::string unknown(const KeySet& set, const text::Member& member, const text::Value& holder) {
    std::vector<std::string> known;
    for (const Key& key : set.keys)
      if (key.name != "*") known.push_back(key.name);
    std::string nearest = text::nearestName(member.key, known);
    std::string message = "unknown key " + quoted(member.key) + " in " + set.title;
    if (member.key == "repeat")
      message = "\"repeat\" belongs in an object of a map or a list (rods, loads, ...), not in " + set.title;
    else if (const std::string advice = adviceOn(set.name, member.key); !advice.empty())
      message += advice;
    else if (known.empty())
      message += "; it has none";
    else
      message += nearest.empty() ? "; it has " + joined(known) : ": did you mean " + quoted(nearest) + "?";
    atKey(member, holder, message);
    return nearest;
  }

 private:
  using Kind = KeyType::Kind;

  void add(const text::Value& at, std::string message) {
    if (problems_.size() < mostFound) problems_.push_back(document_.problem(at, std::move(message)));
  }
  void atKey(const text::Member& member, const text::Value& holder, std::string message) {
    if (problems_.size() < mostFound) problems_.push_back(document_.problemAtKey(member, holder, std::move(message)));
  }
  void unexpected(const Key& key, const text::Value& value, const std::string& name) {
    std::string message =
        quoted(name) + ": expected " + describeType(key) + ", found " + ::tendril::scene::found(value);
    const bool takesNumbers = key.types[0].kind <= Kind::points || key.types[0].kind == Kind::integer;
    if (value.isString() && !value.isFormula() && takesNumbers) message += " (a formula starts with \"=\")";
    add(value, message);
  }

  void needs(const KeySet& set, const text::Value& value, const std::set<std::string>& meant) {
    std::set<std::string> groupsDone;
    bool kindKnown = meant.empty();
    for (const Key& key : set.keys) {
      if (key.required && !value.member(key.name) && !meant.count(key.name))
        add(opening(value), set.title + " needs the key " + quoted(key.name) + ": " + key.doc);
      if (!key.group.empty() && groupsDone.insert(key.group).second && !group(set, key, value, meant))
        kindKnown = false;
    }
    if (kindKnown) companions(set, value);
  }

  /// Keys that are allowed only beside others, or required beside them.
  void companions(const KeySet& set, const text::Value& value) {
    for (const Key& key : set.keys) {
      const text::Member* member = value.member(key.name);
      if (member && !key.with.empty() && !beside(key.with, value))
        atKey(*member, value,
              quoted(key.name) + " goes only with " + joined(key.with) + insteadOf(set.name, key.name, value));
      if (!member)
        for (const std::string& other : key.demandedBy)
          if (value.member(other))
            add(opening(value), quoted(other) + " needs " + quoted(key.name) + " beside it: " + key.doc);
    }
    for (const Demand& demand : demands())
      if (set.name == demand.object && value.member(demand.trigger) &&
          std::none_of(demand.oneOf.begin(), demand.oneOf.end(), [&](const char* k) { return value.member(k); }))
        add(opening(value), quoted(demand.trigger) + " needs one of these beside it: " + joined(demand.oneOf));
  }

  static bool beside(const std::vector<std::string>& others, const text::Value& value) {
    return std::any_of(others.begin(), others.end(), [&](const std::string& other) { return value.member(other); });
  }

  /// False where no key of an exactly-one group is present.
  bool group(const KeySet& set, const Key& first, const text::Value& value, const std::set<std::string>& meant) {
    std::vector<std::string> members, present;
    for (const Key& key : set.keys)
      if (key.group == first.group) {
        if (!key.later) members.push_back(key.name);
        if (value.member(key.name)) present.push_back(key.name);
        if (meant.count(key.name)) return true;
      }
    if (present.size() > 1)
      atKey(*value.member(present[1]), value,
            set.title + " takes only one of " + joined(present) + ": more than one is given here");
    if (!present.empty() || !first.exactlyOne) return true;
    add(opening(value), set.title + " needs exactly one of " + joined(members));
    return false;
  }

  void value(const Key& key, const text::Value& value, const std::string& name) {
    for (const KeyType& type : key.types)
      if (shaped(type, value)) return content(key, type, value, name);
    unexpected(key, value, name);
  }

  /// Whether the JSON type is that of the alternative.
  static bool shaped(const KeyType& type, const text::Value& value) {
    switch (type.kind) {
      case Kind::number:
      case Kind::integer:
        return value.isNumber() || value.isFormula();
      case Kind::formula:
        return value.isNumber() || value.isString();
      case Kind::vector:
      case Kind::pair:
      case Kind::numbers:
      case Kind::rows:
      case Kind::points:
      case Kind::triangles:
      case Kind::selectors:
      case Kind::texts:
        return value.isArray();
      case Kind::boolean:
        return value.kind == text::Value::Kind::boolean;
      case Kind::text:
      case Kind::axes:
      case Kind::choice:
        return value.isString();
      case Kind::selector:
        return value.isString() || value.isObject();
      case Kind::object:
      case Kind::map:
      case Kind::labels:
        return value.isObject();
      case Kind::list:
        return value.isArray();
      case Kind::any:
        return true;
    }
    return false;
  }

  void content(const Key& key, const KeyType& type, const text::Value& at, const std::string& name) {
    switch (type.kind) {
      case Kind::number:
      case Kind::integer:
        return number(key, at, name);
      case Kind::vector:
        return numbers(key, at, name, 3);
      case Kind::pair:
        return numbers(key, at, name, 2);
      case Kind::numbers:
        return numbers(key, at, name, 0);
      case Kind::rows:
        for (const text::Value& row : at.items) row.isArray() ? numbers(key, row, name, 0) : number(key, row, name);
        return;
      case Kind::points:
      case Kind::triangles:
        for (const text::Value& point : at.items)
          point.isArray() ? numbers(key, point, name, 3) : unexpected(key, point, name);
        return;
      case Kind::choice:
        return choice(type, at, name);
      case Kind::axes:
        return axes(at, name);
      case Kind::selector:
        return selector(at, name);
      case Kind::selectors:
        for (const text::Value& item : at.items)
          item.isString() || item.isObject() ? selector(item, name) : unexpected(key, item, name);
        if (at.items.empty() || (type.two && at.items.size() != 2)) unexpected(key, at, name);
        return;
      case Kind::texts:
        for (const text::Value& item : at.items)
          if (!item.isString()) unexpected(key, item, name);
        if (at.items.empty()) unexpected(key, at, name);
        return;
      case Kind::object:
        return object(*findKeySet(type.object), at);
      case Kind::map:
        return map(type, at);
      case Kind::labels:
        for (const text::Member& member : at.members) number(key, member.value, member.key);
        return;
      case Kind::list:
        for (const text::Value& item : at.items)
          if (item.isObject())
            object(*findKeySet(type.object), item);
          else
            add(item,
                "expected an object, " + findKeySet(type.object)->title + ", found " + ::tendril::scene::found(item));
        return;
      case Kind::formula:
      case Kind::boolean:
      case Kind::text:
      case Kind::any:
        return;
    }
  }

  void number(const Key& key, const text::Value& at, const std::string& name) {
    if (at.isFormula()) return;
    if (!at.isNumber()) {
      Key one;
      one.types.emplace_back();
      one.types[0].kind = key.range.integer ? Kind::integer : Kind::number;
      one.range = key.range;
      one.unit = key.unit;
      unexpected(one, at, name);
    } else if (!key.range.holds(at.number)) {
      add(at, quoted(name) + " must be " + (key.range.integer ? "an integer " : "") + describeRange(key.range) +
                  (key.unit.empty() ? "" : " " + key.unit) + ", but it is " + text::formatNumber(at.number));
    }
  }

  void numbers(const Key& key, const text::Value& at, const std::string& name, std::size_t count) {
    if (count != 0 && at.items.size() != count)
      return add(at, quoted(name) + ": expected " + std::to_string(count) + " numbers, found " +
                         std::to_string(at.items.size()));
    for (const text::Value& item : at.items) number(key, item, name);
  }

  void choice(const KeyType& type, const text::Value& at, const std::string& name) {
    const auto has = [&](const std::vector<std::string>& list) {
      return std::find(list.begin(), list.end(), at.string) != list.end();
    };
    if (has(type.choices)) return;
    if (has(type.laterChoices)) return add(at, "not yet: " + quoted(at.string) + " is reserved for a later version");
    const std::string nearest = text::nearestName(at.string, type.choices);
    std::vector<std::string> known;
    for (const std::string& one : type.choices) known.push_back(quoted(one));
    add(at, quoted(name) + ": expected " + (known.size() > 1 ? "one of " : "") + joined(known) + ", found " +
                quoted(at.string) +
                (nearest.empty() || known.size() == 1 ? "" : ": did you mean " + quoted(nearest) + "?"));
  }

  void axes(const text::Value& at, const std::string& name) {
    const std::string& text = at.string;
    bool good = !text.empty() && text.size() <= 3 && text.find_first_not_of("xyz") == std::string::npos;
    for (const char c : text) good = good && std::count(text.begin(), text.end(), c) == 1;
    if (!good) add(at, quoted(name) + ": expected some of x, y and z, such as \"xz\", found " + quoted(text));
  }

  void selector(const text::Value& at, const std::string& name) {
    if (at.isObject())
      object(*findKeySet("selection"), at);
    else if (at.string.empty())
      add(at, quoted(name) + ": expected a selector, such as \"arm:last\", found an empty text");
  }

  void map(const KeyType& type, const text::Value& at) {
    const KeySet& set = *findKeySet(type.object);
    for (const text::Member& member : at.members) {
      if (!isName(member.key))
        atKey(member, at, quoted(member.key) + " is not a name: letters, digits and _ only, not a digit first");
      const bool number = type.orNumber && (member.value.isNumber() || member.value.isFormula());
      if (member.value.isObject())
        object(set, member.value);
      else if (!number)
        add(member.value, quoted(member.key) + ": expected " + (type.orNumber ? "a number, a formula or " : "") +
                              "an object, " + set.title + ", found " + ::tendril::scene::found(member.value));
    }
  }

  const text::Document& document_;
  Problems& problems_;
};

/// Reports names that formulas could not distinguish from their own.
void checkNames(const text::Document& document, const text::Value& root, Problems& problems) {
  for (const char* section : {"parameters", "probes", "states", "series"}) {
    const text::Value* map = root.find(section);
    if (!map || !map->isObject()) continue;
    for (const text::Member& member : map->members) {
      if (isReservedName(member.key))
        problems.push_back(document.problemAtKey(
            member, member.value,
            quoted(member.key) + " is reserved: formulas know t s u x y z i n as time and position"));
      if (std::string_view(section) == "series" && formula::findFormulaFunction(member.key))
        problems.push_back(
            document.problemAtKey(member, member.value, quoted(member.key) + " is the name of a function"));
    }
  }
  const text::Value *probes = root.find("probes"), *states = root.find("states");
  if (!probes || !states) return;
  for (const text::Member& state : states->members)
    if (probes->member(state.key))
      problems.push_back(document.problemAtKey(state, state.value, quoted(state.key) + " is the name of a probe too"));
}

}  // namespace

void checkStructure(const text::Document& document, const text::Value& root, Problems& problems) {
  const KeySet& scene = keySets()[0];
  if (!root.isObject()) {
    problems.push_back(
        document.problem(root, "a scene is an object, { \"format\": \"tendril/1\", ... }, but this is " + found(root)));
    return;
  }
  StructureCheck(document, problems).object(scene, root);
  checkNames(document, root, problems);
}

void checkDefaults(const text::Document& document, const text::Value& defaults, Problems& problems) {
  StructureCheck check(document, problems);
  const KeySet& sections = *findKeySet("defaults");
  if (!defaults.isObject()) {
    problems.push_back(document.problem(defaults, "\"defaults\": expected an object, found " + found(defaults)));
    return;
  }
  for (const text::Member& section : defaults.members) {
    const Key* key = sections.find(section.key);
    if (!key) {
      check.unknown(sections, section, defaults);
    } else if (key->later || !section.value.isObject()) {
      check.entry(*key, section, defaults, sections);
    } else {
      const KeySet& set = *findKeySet(key->types[0].object);
      for (const text::Member& member : section.value.members) {
        const Key* inner = set.find(member.key);
        if (!inner || inner->name == "*")
          check.unknown(set, member, section.value);
        else
          check.entry(*inner, member, section.value, set);
      }
    }
  }
}

}  // namespace tendril::scene
