// The obstacles of a scene as every model draws them.
#pragma once

#include "model/drawing.h"
#include "scene/scene.h"

namespace tendril {

void addObstacles(Drawing& drawing, const Scene& scene);

}  // namespace tendril
