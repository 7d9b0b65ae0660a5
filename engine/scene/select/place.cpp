#include "scene/place.h"

#include "scene/load/context.h"
#include "scene/select/links.h"

namespace tendril::scene {

std::variant<Place, std::string> findPlace(Scene& scene, std::string_view selector) {
  // Problems stand in a text: that of the selector alone.
  std::string quoted = "\"";
  for (const char letter : selector) {
    if (static_cast<unsigned char>(letter) < ' ') return std::string("a selector is one line of text");
    if (letter == '"' || letter == '\\') quoted += '\\';
    quoted += letter;
  }
  const std::variant<text::Document, Problems> parsed = text::Document::parse(quoted + "\"");
  if (const Problems* wrong = std::get_if<Problems>(&parsed)) return wrong->front().message;
  const auto& document = std::get<text::Document>(parsed);
  const ResolvedScene resolved;
  Problems problems;
  LoadContext context(document, resolved, scene, problems);
  for (int i = 0; i < scene.bodyCount(); ++i) context.bodyNames[scene.bodyName(i)] = i;
  for (std::size_t i = 0; i < scene.linkages.size(); ++i)
    context.linkageNames[scene.linkages[i].name] = static_cast<int>(i);
  for (std::size_t i = 0; i < scene.vines.size(); ++i) context.vineNames[scene.vines[i].name] = static_cast<int>(i);
  for (std::size_t i = 0; i < scene.obstacles.size(); ++i)
    context.obstacleNames[scene.obstacles[i].name] = static_cast<int>(i);
  const Selection found = selectPlaces(context, document.root());
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
