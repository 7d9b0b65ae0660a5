// Prints the key table as the reference page of the scene format, in Markdown.
#include <set>

#include "scene/format/keys.h"
#include "scene/format/tables/table.h"

namespace tendril::scene {

namespace {

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

std::string rights(const KeyType& type) {
  std::string text;
  if (type.sight.timed) text += ", *timed*";
  if (type.sight.field) text += ", *field*";
  if (type.sight.place) text += ", of its *point*";
  if (type.sight.along) text += ", of `u`";
  if (type.sight.link) text += ", of `s` and `u`";
  return text;
}

std::string typeCell(const Key& key) {
  std::string text = describeType(key);
  for (const KeyType& type : key.types)
    if ((type.kind == KeyType::Kind::object || type.kind == KeyType::Kind::map || type.kind == KeyType::Kind::list) &&
        type.object != "defaults")  // which has no section of its own
      text += " ([" + type.object + "](#" + type.object + "))";
  return text + rights(key.types[0]);
}

std::string documentation(const Key& key) {
  std::string text = key.later ? "**Not yet.** " + key.doc : key.doc;
  if (key.required) text += " Required.";
  if (!key.with.empty()) {
    text += " Only with";
    for (std::size_t k = 0; k < key.with.size(); ++k) text += (k > 0 ? ", `" : " `") + key.with[k] + "`";
    text += ".";
  }
  return text;
}

void table(const KeySet& set, std::string& page) {
  if (set.keys.empty()) page += "It has no keys.\n";
  if (set.keys.empty()) return;
  page += "| key | value | default | meaning |\n| --- | --- | --- | --- |\n";
  for (const Key& key : set.keys)
    page += "| `" + (key.name == "*" ? std::string("any name") : key.name) + "` | " + escaped(typeCell(key)) + " | " +
            (key.standard.empty() ? "" : "`" + key.standard + "`") + " | " + escaped(documentation(key)) + " |\n";
}

void groups(const KeySet& set, std::string& page) {
  std::set<std::string> done;
  for (const Key& first : set.keys) {
    if (first.group.empty() || !done.insert(first.group).second) continue;
    page += first.exactlyOne ? "\nExactly one of" : "\nAt most one of";
    bool comma = false;
    for (const Key& key : set.keys)
      if (key.group == first.group) {
        page += (comma ? ", `" : " `") + key.name + "`";
        comma = true;
      }
    page += ".\n";
  }
}

}  // namespace

std::string keysReference() {
  std::string page =
      "# Scene reference\n\n"
      "Every key of a scene file, printed from the table that the loader checks scenes against. SI units, radians, z "
      "up.\n"
      "Wherever a number is expected, a text that starts with `=` is a formula. *Timed* values also see `t` and, in "
      "dynamic runs, probes and states; *fields* also see `s u x y z i n` (on linkages `s` and `u` alone). Values "
      "of their *point* see the point that a load acts on as it is now: its place `x y z`, velocity `vx vy vz`, tangent "
      "`tx ty tz` (rods, links) or normal `nx ny nz` (shells), its initial place `X Y Z`, and `s u i n`. All others see the "
      "initial place as `x y z`.\n"
      "An object in any map or list may carry `repeat`. **Not yet** marks what is reserved and refused.\n";
  for (const KeySet& set : keySets()) {
    if (set.name == "defaults") continue;
    page += "\n## " + set.name + "\n\n" + "What " + set.title + " holds.\n\n";
    table(set, page);
    groups(set, page);
  }
  return page;
}

}  // namespace tendril::scene
