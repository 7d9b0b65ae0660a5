#include "scene/place.h"

#include "scene/load/context.h"
#include "scene/select/links.h"

namespace tendril::scene {

std::variant<Place, std::string> findPlace(Scene& scene, std::string_view selector) {
  const text::Document none;
  const ResolvedScene resolved;
  Problems problems;
  LoadContext context(none, resolved, scene, problems);
  for (int i = 0; i < scene.bodyCount(); ++i) context.bodyNames[scene.bodyName(i)] = i;
  for (std::size_t i = 0; i < scene.linkages.size(); ++i)
    context.linkageNames[scene.linkages[i].name] = static_cast<int>(i);
  for (std::size_t i = 0; i < scene.vines.size(); ++i) context.vineNames[scene.vines[i].name] = static_cast<int>(i);
  for (std::size_t i = 0; i < scene.obstacles.size(); ++i)
    context.obstacleNames[scene.obstacles[i].name] = static_cast<int>(i);
  text::Value value;
  value.kind = text::Value::Kind::string;
  value.string = selector;
  const Selection found = selectPlaces(context, value);
  if (!problems.empty()) return problems.front().message;
  const std::size_t count = found.nodes.size() + found.places.size() + found.vines.size();
  if (count != 1)
    return "\"" + std::string(selector) + "\" is " + std::to_string(count) +
           " places; expected one, such as \"rod:last\", \"arm/limb@0.5\" or \"vine:tip\"";
  if (!found.nodes.empty()) return Place{found.nodes.front()};
  if (!found.places.empty()) return Place{found.places.front()};
  return Place{VineTip{found.vines.front()}};
}

}  // namespace tendril::scene
