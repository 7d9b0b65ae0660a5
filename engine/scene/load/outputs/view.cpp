// What is for display only: the view, kept as JSON text with its formulas evaluated, and the looks of bodies.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "scene/load/topics.h"

namespace tendril {
namespace {

using Json = nlohmann::ordered_json;

Json jsonOf(LoadContext& context, const Value& value) {
  switch (value.kind) {
    case Value::Kind::null: return nullptr;
    case Value::Kind::boolean: return value.boolean;
    case Value::Kind::number: return value.number;
    case Value::Kind::string:
      if (value.isFormula()) return context.constantOf(value).value_or(0);
      return value.string;
    case Value::Kind::array: break;
    case Value::Kind::object: break;
  }
  if (value.isArray()) {
    Json list = Json::array();
    for (const Value& item : value.items) list.push_back(jsonOf(context, item));
    return list;
  }
  Json object = Json::object();
  for (const Member& member : value.members) object[member.key] = jsonOf(context, member.value);
  return object;
}

}  // namespace

Look loadLook(LoadContext& context, const Value* value) {
  Look look;
  if (!value) return look;
  look.color = context.textAt(*value, "color");
  look.label = context.textAt(*value, "label");
  look.hidden = context.flagAt(*value, "hidden", false);
  if (value->find("opacity")) look.opacity = context.constantAt(*value, "rods.look", "opacity");
  return look;
}

void loadView(LoadContext& context) {
  const Value* view = context.root.find("view");
  if (!view) return;
  std::vector<std::string> known;
  for (const Parameter& parameter : context.scene.parameters) known.push_back(parameter.name);
  for (const char* key : {"keys", "try"}) {
    const Value* entries = view->find(key);
    if (!entries) continue;
    for (const Member& entry : entries->members)
      for (const Member& set : entry.value.members)
        if (std::find(known.begin(), known.end(), set.key) == known.end())
          context.problemAtKey(set, entry.value, unknownName("parameter", set.key, known));
  }
  context.scene.view = jsonOf(context, *view).dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace tendril
