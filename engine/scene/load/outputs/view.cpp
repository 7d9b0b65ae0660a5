// Display only: the view, kept as JSON text with its formulas evaluated and what it follows resolved, and the
// appearance of bodies.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "scene/load/topics.h"
#include "scene/select/selector.h"

namespace tendril::scene {
namespace {

using Json = nlohmann::ordered_json;

Json jsonOf(LoadContext& context, const text::Value& value) {
  switch (value.kind) {
    case text::Value::Kind::null:
      return nullptr;
    case text::Value::Kind::boolean:
      return value.boolean;
    case text::Value::Kind::number:
      return value.number;
    case text::Value::Kind::string:
      if (value.isFormula()) return context.constantOf(value).value_or(0);
      return value.string;
    case text::Value::Kind::array:
    case text::Value::Kind::object:
      break;
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

/// At least two nodes of a body of `count` nodes, cut where it ends; nothing where the text is no such range.
std::optional<Run> runOf(std::string_view text, std::size_t count) {
  const long size = static_cast<long>(count);
  long first = 0, last = 0;
  if (!parseRange(text, first, last)) return std::nullopt;
  if (first < 0) first += size;
  last = std::min(last < 0 ? last + size : last, size - 1);
  if (first < 0 || first >= last) return std::nullopt;
  return Run{static_cast<int>(first), static_cast<int>(last)};
}

/// "arm", "arm/limb" or "rod:40..60"; a warning where that is nothing.
void loadFollow(LoadContext& context, const text::Value& value) {
  const Scene& scene = context.scene;
  const std::size_t colon = value.string.find(':');
  const std::string name = value.string.substr(0, colon);
  Follow follow;
  std::vector<std::string> known;
  const auto offer = [&](const std::string& one, int body, int link) {
    known.push_back(one);
    if (one == name) follow.body = body, follow.link = link;
  };
  for (int body = 0; body < scene.bodyCount(); ++body) offer(scene.bodyName(body), body, -1);
  for (std::size_t i = 0; i < scene.linkages.size(); ++i) {
    const int body = scene.bodyOfLinkage(static_cast<int>(i));
    const Linkage& linkage = scene.linkages[i];
    offer(linkage.name, body, -1);
    for (std::size_t k = 0; k < linkage.links.size(); ++k)
      offer(linkage.name + "/" + linkage.links[k].name, body, static_cast<int>(k));
  }
  for (std::size_t i = 0; i < scene.vines.size(); ++i)
    offer(scene.vines[i].name, scene.bodyOfVine(static_cast<int>(i)), -1);
  if (follow.body < 0) return context.warn(value, unknownName("body", name, known));
  if (colon != std::string::npos) {
    if (follow.body < scene.bodyCount())
      follow.nodes = runOf(value.string.substr(colon + 1), scene.points(follow.body).size());
    if (!follow.nodes)
      return context.warn(
          value, "\"" + value.string +
                     "\" is no run of nodes of a rod or shell; expected a body, or a range such as \"rod:40..60\"");
  }
  context.scene.follow = follow;
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
  const text::Value* follow = view->find("follow");
  if (follow && follow->isString()) loadFollow(context, *follow);
  context.scene.view = jsonOf(context, *view).dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace tendril::scene
