// Prints the key table as a JSON Schema (2020-12). It accepts every valid scene: keys that `defaults` may supply are
// required only in scenes without `defaults`, and maps and lists of objects may contain `repeat`.
#include <cmath>
#include <set>
#include <utility>

#include "scene/format/keys.h"
#include "scene/format/tables/table.h"
#include "scene/resolve/expand_writer.h"
#include "text/document.h"

namespace tendril::scene {

namespace {

using TypeKind = KeyType::Kind;

text::Value text(std::string string) {
  text::Value value;
  value.kind = text::Value::Kind::string;
  value.string = std::move(string);
  return value;
}
text::Value number(double number) {
  text::Value value;
  value.kind = text::Value::Kind::number;
  value.number = number;
  return value;
}
text::Value flag(bool boolean) {
  text::Value value;
  value.kind = text::Value::Kind::boolean;
  value.boolean = boolean;
  return value;
}
text::Value list(std::vector<text::Value> items) {
  text::Value value;
  value.kind = text::Value::Kind::array;
  value.items = std::move(items);
  return value;
}
text::Value texts(const std::vector<std::string>& strings) {
  std::vector<text::Value> items;
  items.reserve(strings.size());
  for (const std::string& string : strings) items.push_back(text(string));
  return list(std::move(items));
}
text::Value object(std::initializer_list<std::pair<const char*, text::Value>> members) {
  text::Value value;
  value.kind = text::Value::Kind::object;
  for (const auto& [key, member] : members) value.members.push_back({key, {}, member});
  return value;
}
void put(text::Value& into, std::string key, text::Value value) {
  into.members.push_back({std::move(key), {}, std::move(value)});
}

text::Value reference(const std::string& name) { return object({{"$ref", text("#/$defs/" + name)}}); }
text::Value required(const std::vector<std::string>& keys) { return object({{"required", texts(keys)}}); }

text::Value anyOf(std::vector<text::Value> alternatives) {
  if (alternatives.size() == 1) return std::move(alternatives[0]);
  return object({{"anyOf", list(std::move(alternatives))}});
}

/// A literal in the key's range, or a formula.
text::Value numeric(const formula::NumberRange& range) {
  text::Value literal = object({{"type", text(range.integer ? "integer" : "number")}});
  if (std::isfinite(range.low)) put(literal, range.lowOpen ? "exclusiveMinimum" : "minimum", number(range.low));
  if (std::isfinite(range.high)) put(literal, range.highOpen ? "exclusiveMaximum" : "maximum", number(range.high));
  return anyOf({literal, reference("formula")});
}

text::Value listOf(text::Value items, int least = 0, int most = 0) {
  text::Value value = object({{"type", text("array")}, {"items", std::move(items)}});
  if (least > 0) put(value, "minItems", number(least));
  if (most > 0) put(value, "maxItems", number(most));
  return value;
}

text::Value mapOf(text::Value entries) {
  return object(
      {{"type", text("object")}, {"propertyNames", reference("name")}, {"additionalProperties", std::move(entries)}});
}

text::Value typeSchema(const KeyType& type, const Key& key, bool topLevel) {
  switch (type.kind) {
    case TypeKind::number:
    case TypeKind::integer:
      return numeric(key.range);
    case TypeKind::vector:
      return listOf(numeric(key.range), 3, 3);
    case TypeKind::pair:
      return listOf(numeric(key.range), 2, 2);
    case TypeKind::numbers:
      return listOf(numeric(key.range));
    case TypeKind::rows:
      return listOf(anyOf({numeric(key.range), listOf(numeric(key.range))}));
    case TypeKind::points:
      return listOf(reference("point"), 2);
    case TypeKind::triangles:
      return listOf(listOf(object({{"type", text("integer")}, {"minimum", number(0)}}), 3, 3));
    case TypeKind::boolean:
      return object({{"type", text("boolean")}});
    case TypeKind::text:
      return object({{"type", text("string")}});
    case TypeKind::texts:
      return listOf(object({{"type", text("string")}}), 1);
    case TypeKind::axes:
      return object({{"type", text("string")}, {"pattern", text("^[xyz]{1,3}$")}});
    case TypeKind::formula:
      return object({{"type", list({text("string"), text("number")})}});
    case TypeKind::selector:
      return reference("selector");
    case TypeKind::selectors:
      return listOf(reference("selector"), type.two ? 2 : 1, type.two ? 2 : 0);
    case TypeKind::choice: {
      std::vector<std::string> all = type.choices;
      all.insert(all.end(), type.laterChoices.begin(), type.laterChoices.end());
      return object({{"enum", texts(all)}});
    }
    case TypeKind::any:
      return object({});
    case TypeKind::object:
      return reference(type.object);
    case TypeKind::labels:
      return object({{"type", text("object")}, {"additionalProperties", numeric(key.range)}});
    case TypeKind::map:
      return mapOf(type.orNumber ? anyOf({numeric(key.range), reference(type.object)}) : reference(type.object));
    case TypeKind::list:
      return topLevel ? anyOf({listOf(reference(type.object)), reference(type.object)})
                      : listOf(reference(type.object));
  }
  return object({});
}

text::Value keySchema(const Key& key, bool topLevel) {
  std::vector<text::Value> alternatives;
  for (const KeyType& type : key.types) alternatives.push_back(typeSchema(type, key, topLevel));
  text::Value schema = anyOf(std::move(alternatives));
  std::string doc = key.doc;
  if (!key.unit.empty()) doc += " [" + key.unit + "]";
  if (key.later) doc = "Reserved for a later version. " + doc;
  put(schema, "description", text(doc));
  if (key.later) put(schema, "$comment", text("later"));
  if (!key.standard.empty()) {
    auto parsed = text::Document::parse(key.standard);  // a test ensures that every default is valid JSON
    if (const text::Document* standard = std::get_if<text::Document>(&parsed)) put(schema, "default", standard->root());
  }
  return schema;
}

std::vector<std::string> requiredKeys(const KeySet& set) {
  std::vector<std::string> names;
  for (const Key& key : set.keys)
    if (key.required) names.push_back(key.name);
  return names;
}

/// The groups of a set, each as "exactly one" (where `exactly` is set and the group requires one) or "at most one".
std::vector<text::Value> groupSchemas(const KeySet& set, bool exactly) {
  std::vector<text::Value> schemas;
  std::set<std::string> done;
  for (const Key& first : set.keys) {
    if (first.group.empty() || !done.insert(first.group).second) continue;
    std::vector<text::Value> present;
    for (const Key& key : set.keys)
      if (key.group == first.group) present.push_back(required({key.name}));
    std::vector<text::Value> alternatives = present;
    if (!exactly || !first.exactlyOne)
      alternatives.push_back(object({{"not", object({{"anyOf", list(std::move(present))}})}}));
    schemas.push_back(object({{"oneOf", list(std::move(alternatives))}}));
  }
  return schemas;
}

/// `filled`: defaults may supply keys, so none is required here. `repeated`: is in a map or a list.
text::Value setSchema(const KeySet& set, bool filled, bool repeated) {
  text::Value schema = object({{"type", text("object")}});
  text::Value properties = object({});
  for (const Key& key : set.keys)
    if (key.name != "*") put(properties, key.name, keySchema(key, set.name == "scene"));
  if (repeated) put(properties, "repeat", reference("repeat"));
  put(schema, "properties", std::move(properties));
  put(schema, "additionalProperties", set.wildcard() ? keySchema(*set.wildcard(), false) : flag(false));
  if (!filled && !requiredKeys(set).empty()) put(schema, "required", texts(requiredKeys(set)));
  std::vector<text::Value> groups = groupSchemas(set, !filled);
  if (!groups.empty()) put(schema, "allOf", list(std::move(groups)));
  return schema;
}

/// In a scene without `defaults` the objects themselves must have the required keys.
text::Value strictSections() {
  text::Value sections = object({});
  for (const Key& section : keySets()[0].keys) {
    const KeyType& type = section.types[0];
    if (section.later || (type.kind != TypeKind::map && type.kind != TypeKind::list)) continue;
    const KeySet& set = *findKeySet(type.object);
    text::Value strict = object({});
    if (!requiredKeys(set).empty()) put(strict, "required", texts(requiredKeys(set)));
    std::vector<text::Value> groups;
    for (text::Value& group : groupSchemas(set, true)) groups.push_back(std::move(group));
    if (!groups.empty()) put(strict, "allOf", list(std::move(groups)));
    if (strict.members.empty()) continue;
    const char* place = type.kind == TypeKind::map ? "additionalProperties" : "items";
    put(sections, section.name, object({{place, std::move(strict)}}));
  }
  return object({{"properties", std::move(sections)}});
}

void putCommon(text::Value& definitions) {
  put(definitions, "formula",
      object({{"type", text("string")},
              {"pattern", text("^=")},
              {"maxLength", number(20000)},
              {"description", text("A formula: a text that starts with \"=\".")}}));
  put(definitions, "name",
      object({{"pattern", text("^([A-Za-z_]|\\{[^{}]*\\})([A-Za-z0-9_]|\\{[^{}]*\\})*$")},
              {"description", text("A name; {k} stands for the value of a repeat name.")}}));
  put(definitions, "point", listOf(numeric({}), 3, 3));
  text::Value selector = anyOf({object({{"type", text("string")}, {"minLength", number(1)}}), reference("selection")});
  put(selector, "description",
      text(
          "Nodes: arm, arm:first, arm:last, arm:3, arm:-2, arm:2..5, leg*:first, *, plate@[x,y,z], or an object with a "
          "formula."));
  put(definitions, "selector", std::move(selector));
  put(definitions, "repeat",
      object({{"type", text("object")},
              {"minProperties", number(1)},
              {"propertyNames", object({{"pattern", text("^[A-Za-z_][A-Za-z0-9_]*$")}})},
              {"additionalProperties",
               anyOf({object({{"type", text("integer")}, {"minimum", number(0)}}), reference("formula")})},
              {"description", text("Stands for copies with k = 0, 1, ... count-1; several names make a grid, the first "
                                   "outermost. {k} in texts is replaced by its value.")}}));
}

}  // namespace

std::string keysSchema() {
  const std::vector<KeySet>& sets = keySets();
  std::set<std::string> filled, repeated;
  for (const KeySet& set : sets)
    for (const Key& key : set.keys)
      for (const KeyType& type : key.types) {
        if (type.kind == TypeKind::map || type.kind == TypeKind::list) repeated.insert(type.object);
        if (set.name == "defaults") filled.insert(type.object);
      }
  text::Value schema =
      object({{"$schema", text("https://json-schema.org/draft/2020-12/schema")},
              {"title", text("Tendril scene")},
              {"description", text("A scene file of Tendril, format tendril/1. SI units, radians, z up.")}});
  text::Value scene = setSchema(sets[0], false, false);
  for (text::Member& member : scene.members) schema.members.push_back(std::move(member));
  put(schema, "if", object({{"not", required({"defaults"})}}));
  put(schema, "then", strictSections());
  text::Value definitions = object({});
  putCommon(definitions);
  for (std::size_t k = 1; k < sets.size(); ++k)
    put(definitions, sets[k].name,
        setSchema(sets[k], filled.count(sets[k].name) > 0, repeated.count(sets[k].name) > 0));
  put(schema, "$defs", std::move(definitions));
  return writeJson(schema);
}

}  // namespace tendril::scene
