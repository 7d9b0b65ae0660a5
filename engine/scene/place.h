// One place on the bodies of a scene that is loaded, from a selector such as "rod:last", "arm/limb@0.5" or "vine:tip".
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "scene/scene.h"

namespace tendril::scene {

struct VineTip {
  int vine = 0;
};

struct Place {
  std::variant<NodeRef, LinkRef, VineTip> at;
};

/// The place, or in words why the selector is none: it is wrong, or names several. The scene stays as it is.
std::variant<Place, std::string> findPlace(Scene& scene, std::string_view selector);

}  // namespace tendril::scene
