// Parses the rows of the key table once, and answers queries by path: range, default, what a formula may see.
#include "scene/format/keys.h"

#include <cmath>
#include <cstdlib>

#include "scene/format/tables/table.h"

namespace tendril::scene {

namespace {

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    if (end > 0) parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

KeyType::Kind kindOf(const std::string& word) {
  using Kind = KeyType::Kind;
  static const std::pair<const char*, Kind> kinds[] = {{"number", Kind::number},       {"vector", Kind::vector},
                                                       {"pair", Kind::pair},           {"numbers", Kind::numbers},
                                                       {"rows", Kind::rows},           {"points", Kind::points},
                                                       {"triangles", Kind::triangles}, {"integer", Kind::integer},
                                                       {"boolean", Kind::boolean},     {"text", Kind::text},
                                                       {"axes", Kind::axes},           {"formula", Kind::formula},
                                                       {"selector", Kind::selector},   {"selectors", Kind::selectors},
                                                       {"choice", Kind::choice},       {"any", Kind::any},
                                                       {"object", Kind::object},       {"map", Kind::map},
                                                       {"labels", Kind::labels},       {"list", Kind::list},
                                                       {"texts", Kind::texts}};
  for (const auto& [name, kind] : kinds)
    if (word == name) return kind;
  return Kind::any;  // a test ensures that no row has another word
}

KeyType parseType(const std::string& text) {
  const std::vector<std::string> words = split(text, ' ');
  KeyType type;
  type.kind = kindOf(words[0]);
  for (std::size_t k = 1; k < words.size(); ++k) {
    const std::string& word = words[k];
    if (type.kind == KeyType::Kind::choice) {
      const bool later = word.compare(0, 6, "later:") == 0;
      (later ? type.laterChoices : type.choices).push_back(later ? word.substr(6) : word);
    } else if (type.kind == KeyType::Kind::object || type.kind == KeyType::Kind::map ||
               type.kind == KeyType::Kind::list) {
      if (k == 1)
        type.object = word;
      else
        type.orNumber = true;
    } else if (type.kind == KeyType::Kind::selectors) {
      type.two = true;
    } else if (word == "timed") {
      type.sight.timed = type.sight.columns = true;
    } else if (word == "field") {
      type.sight.field = true;
    } else if (word == "position") {
      type.sight.position = true;
    } else if (word == "along") {
      type.sight.along = true;
    } else if (word == "place") {
      type.sight.place = true;
    } else if (word == "link") {
      type.sight.link = true;
    }
  }
  return type;
}

/// "(0,inf)", "[1,200]": parentheses exclude the bound.
formula::NumberRange parseRange(const std::string& text) {
  formula::NumberRange range;
  if (text.empty()) return range;
  char* end = nullptr;
  range.lowOpen = text[0] == '(';
  range.low = std::strtod(text.c_str() + 1, &end);
  range.high = std::strtod(end + 1, &end);
  range.highOpen = *end == ')' && std::isfinite(range.high);
  return range;
}

Key parseRow(const KeyRow& row) {
  Key key;
  key.name = row.key;
  key.unit = row.unit;
  key.standard = row.standard;
  key.doc = row.doc;
  key.later = row.later;
  for (const std::string& alternative : split(row.type, '|')) key.types.push_back(parseType(alternative));
  key.range = parseRange(row.range);
  key.range.integer = key.types[0].kind == KeyType::Kind::integer || key.types[0].kind == KeyType::Kind::triangles;
  const std::string need = row.need;
  key.required = need == "required";
  key.exactlyOne = need.compare(0, 4, "one:") == 0;
  if (need.find(':') != std::string::npos) key.group = need.substr(need.find(':') + 1);
  for (std::string other : split(row.with, '|')) {
    const bool demanded = other.back() == '!';
    if (demanded) other.pop_back();
    if (demanded) key.demandedBy.push_back(other);
    key.with.push_back(std::move(other));
  }
  return key;
}

KeySet parseObject(const KeyObject& object) {
  KeySet set;
  set.name = object.name;
  set.title = object.title;
  for (const KeyRow& row : object.rows) set.keys.push_back(parseRow(row));
  return set;
}

/// `defaults` has a key for every section that contains objects; its value is such an object with any of its keys.
void fillDefaults(std::vector<KeySet>& sets) {
  KeySet* defaults = nullptr;
  for (KeySet& set : sets)
    if (set.name == "defaults") defaults = &set;
  for (const Key& section : sets[0].keys) {
    const KeyType& type = section.types[0];
    if (type.kind != KeyType::Kind::map && type.kind != KeyType::Kind::list) continue;
    Key key;
    key.name = section.name;
    key.doc = "What each object of " + section.name + " has where it leaves it out.";
    key.later = section.later;
    KeyType objectType;
    objectType.kind = KeyType::Kind::object;
    objectType.object = type.object;
    key.types.push_back(objectType);
    defaults->keys.push_back(std::move(key));
  }
}

bool isLetter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_'; }

}  // namespace

const std::vector<KeySet>& keySets() {
  static const std::vector<KeySet> sets = [] {
    std::vector<KeySet> all;
    for (const std::vector<KeyObject>* part :
         {&sceneKeyObjects(), &bodyKeyObjects(), &shellKeyObjects(), &contactKeyObjects(), &outputKeyObjects(),
          &linkageKeyObjects(), &vineKeyObjects()})
      for (const KeyObject& object : *part) all.push_back(parseObject(object));
    fillDefaults(all);
    return all;
  }();
  return sets;
}

const KeySet* findKeySet(std::string_view name) {
  for (const KeySet& set : keySets())
    if (set.name == name) return &set;
  return nullptr;
}

const Key* KeySet::find(std::string_view key) const {
  for (const Key& candidate : keys)
    if (candidate.name == key) return &candidate;
  return nullptr;
}

const Key* findKey(std::string_view path) {
  const Key* key = nullptr;
  for (const std::string& part : split(path, '.')) {
    const Key* next = nullptr;
    if (!key) {
      next = keySets()[0].find(part);
    } else {
      for (const KeyType& type : key->types)
        if (const KeySet* set = type.object.empty() ? nullptr : findKeySet(type.object); set && !next)
          next = set->find(part);
    }
    if (!next) return nullptr;
    key = next;
  }
  return key;
}

const formula::NumberRange* rangeOf(std::string_view path) {
  const Key* key = findKey(path);
  return key ? &key->range : nullptr;
}

formula::Number limitedToRange(const formula::Number& number, const std::string& path) {
  const formula::NumberRange* range = rangeOf(path);
  return range ? number.limitedTo(*range, path, rangeMessage) : number;
}

formula::Sight sightOf(std::string_view path) {
  const Key* key = findKey(path);
  formula::Sight sight = key ? key->types[0].sight : formula::Sight{};
  if (sight.field && path.substr(0, 9) == "linkages.") {  // a section: links have no x y z before their joints are set
    sight.field = false;
    sight.link = true;
  }
  return sight;
}

double defaultNumber(std::string_view path) {
  const Key* key = findKey(path);
  if (!key || key->standard.empty()) return std::nan("");
  char* end = nullptr;
  const double value = std::strtod(key->standard.c_str(), &end);
  return *end == '\0' ? value : std::nan("");
}

std::vector<std::string> keysOf(std::string_view section) {
  std::vector<std::string> names;
  const Key* key = keySets()[0].find(section);
  const KeyType::Kind kind = key ? key->types[0].kind : KeyType::Kind::any;
  if (kind != KeyType::Kind::map && kind != KeyType::Kind::list) return names;
  for (const Key& entry : findKeySet(key->types[0].object)->keys)
    if (entry.name != "*") names.push_back(entry.name);
  return names;
}

bool defaultFits(std::string_view section, const text::Value& item, std::string_view name) {
  const Key* holder = keySets()[0].find(section);
  const KeySet* set = holder && !holder->types[0].object.empty() ? findKeySet(holder->types[0].object) : nullptr;
  const Key* key = set ? set->find(name) : nullptr;
  if (!key || item.member(name)) return false;
  if (!key->group.empty())
    for (const Key& other : set->keys)
      if (other.group == key->group && item.member(other.name)) return false;
  if (section == "rods" && name == "segments") {
    const text::Value* path = item.find("path");
    if (path && path->find("points")) return false;
  }
  if (key->with.empty()) return true;
  for (const std::string& other : key->with)
    if (item.member(other)) return true;
  return false;
}

bool isName(std::string_view text) {
  if (text.empty() || !isLetter(text[0])) return false;
  for (const char c : text)
    if (!isLetter(c) && !(c >= '0' && c <= '9')) return false;
  return true;
}

bool isReservedName(std::string_view text) {
  return text.size() == 1 && std::string_view("tsuxyzin").find(text[0]) != std::string_view::npos;
}

}  // namespace tendril::scene
