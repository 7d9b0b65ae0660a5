// Springs between places: which vectors they are measured by.
#pragma once

#include <array>
#include <vector>

#include "elastic/spring_kinds.h"
#include "scene/scene.h"

namespace tendril::scene {

/// As many as its kind has, each from a node to a node.
std::vector<std::array<NodeRef, 2>> vectorsOf(const Scene& scene, const Spring& spring);

}  // namespace tendril::scene
