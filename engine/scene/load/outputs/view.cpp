// Display only: the view, kept as JSON text with its formulas evaluated, and the appearance of bodies.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "scene/load/topics.h"

namespace tendril::scene {
namespace {

using Json = nlohmann::ordered_json;

Json jsonOf(LoadContext& context, const text::Value& value) {
  switch (value.kind) {
    case text::Value::Kind::null: return nullptr;
    case text::Value::Kind::boolean: return value.boolean;
    case text::Value::Kind::number: return value.number;
    case text::Value::Kind::string:
      if (value.isFormula()) return context.constantOf(value).value_or(0);
      return value.string;
    case text::Value::Kind::array: break;
    case text::Value::Kind::object: break;
  }
  if (value.isArray()) {
    Json list = Json::array();
    for (const text::Value& item : value.items) list.push_back(jsonOf(context, item));
    return list;
  }
  Json object = Json::object();
  for (const text::Member& member : value.members) object[member.key] = jsonOf(context, member.value);
  return object;
}

}  // namespace

Look loadLook(LoadContext& context, const text::Value* value) {
  Look look;
  if (!value) return look;
  look.color = context.textAt(*value, "color");
  look.label = context.textAt(*value, "label");
  look.hidden = context.flagAt(*value, "hidden", false);
  if (value->find("opacity")) look.opacity = context.constantAt(*value, "rods.look", "opacity");
  return look;
}

void loadView(LoadContext& context) {
  const text::Value* view = context.root.find("view");
  if (!view) return;
  std::vector<std::string> known;
  for (const Parameter& parameter : context.scene.parameters) known.push_back(parameter.name);
  for (const char* key : {"keys", "try"}) {
    const text::Value* entries = view->find(key);
    if (!entries) continue;
    for (const text::Member& entry : entries->members)
      for (const text::Member& set : entry.value.members)
        if (std::find(known.begin(), known.end(), set.key) == known.end())
          context.problemAtKey(set, entry.value, unknownName("parameter", set.key, known));
  }
  context.scene.view = jsonOf(context, *view).dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace tendril::scene
