// The key table itself: rows of plain text that define everything about a key, and their parsed form for the check, the
// schema and the reference page. Internal to engine/scene/format.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scene/format/keys.h"

namespace tendril::scene {

/// One key of one kind of object. Texts are empty where they do not apply.
struct KeyRow {
  const char* key;  ///< "*": any name, for the contents of an object beside its named keys
  /// Alternatives separated by "|". Numbers: "number", "vector" (3), "pair" (2), "numbers" (a list), "rows" (a list of
  /// numbers or lists), "points" (a list of vectors), "triangles", followed by the rights "timed", "field", "along",
  /// "place" (the point that a load acts on), "link" (s and u along a link); "integer", "boolean", "text", "texts" (a
  /// list), "axes", "formula" (always one, "=" optional; same rights), "selector", "selectors" (a list; "selectors 2":
  /// of two), "choice a b c" ("later:c" is reserved), "any", "object X", "map X" ("map X number": or plain numbers),
  /// "labels" (numbers under free texts), "list X".
  const char* type;
  const char* unit;
  const char* standard;  ///< the default, as JSON
  const char* range;     ///< "(0,inf)": greater than 0; "[0,1]"; always finite
  /// "required"; "one:G" exactly one key of group G; "any:G" at most one.
  const char* need;
  const char* with;  ///< "fix|move": allowed only beside one of these; "turn!": also required there
  const char* doc;
  bool later = false;  ///< reserved: refused with "not yet"
};

/// A kind of object: the contents of `rods`, of `section`, of `section.circle` ...
struct KeyObject {
  const char* name;
  const char* title;  ///< for messages and headings: "a rod"
  std::vector<KeyRow> rows;
};

/// The parts of the table, one file each.
const std::vector<KeyObject>& sceneKeyObjects();    // scene.cpp: the top level, materials, solver, view ...
const std::vector<KeyObject>& bodyKeyObjects();     // bodies.cpp: rods, joints, constraints, loads, actuation
const std::vector<KeyObject>& shellKeyObjects();    // shells.cpp: shells and their meshes
const std::vector<KeyObject>& outputKeyObjects();   // outputs.cpp: states, initial, probes, checks, view
const std::vector<KeyObject>& contactKeyObjects();  // contact.cpp: obstacles, contact, resistive forces
const std::vector<KeyObject>& linkageKeyObjects();  // linkages.cpp: linkages
const std::vector<KeyObject>& vineKeyObjects();     // vines.cpp: vines

/// One alternative of a key's type, parsed.
struct KeyType {
  enum class Kind {
    number,
    vector,
    pair,
    numbers,
    rows,
    points,
    triangles,
    integer,
    boolean,
    text,
    texts,
    axes,
    formula,
    selector,
    selectors,
    choice,
    any,
    object,
    map,
    labels,
    list
  };
  Kind kind = Kind::any;
  formula::Sight sight;
  std::string object;     ///< object, map, list: the kind of object
  bool two = false;       ///< selectors: exactly two
  bool orNumber = false;  ///< map: numbers are allowed beside objects
  std::vector<std::string> choices, laterChoices;
};

/// A row, parsed.
struct Key {
  std::string name, unit, standard, doc;
  std::vector<KeyType> types;
  formula::NumberRange range;
  bool required = false, exactlyOne = false, later = false;
  std::string group;  ///< of which exactly one (exactlyOne) or at most one is allowed
  std::vector<std::string> with, demandedBy;
};

struct KeySet {
  std::string name, title;
  std::vector<Key> keys;

  const Key* find(std::string_view key) const;
  const Key* wildcard() const { return find("*"); }
};

/// All kinds of objects, parsed once; the first is "scene".
const std::vector<KeySet>& keySets();
const KeySet* findKeySet(std::string_view name);

/// The key at a path in the form of keys.h, or null.
const Key* findKey(std::string_view path);

/// "a number greater than 0 [m]", "one of linear, step": what messages expect.
std::string describeType(const Key& key);
/// "greater than 0", "from 0 to 1", "" where every finite number is allowed.
std::string describeRange(const formula::NumberRange& range);

}  // namespace tendril::scene
