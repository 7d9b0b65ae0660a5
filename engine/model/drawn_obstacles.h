// The obstacles of a scene as every model draws them.
#pragma once

#include "model/drawing.h"
#include "scene/scene.h"

namespace tendril::model {

void addObstacles(Drawing& drawing, const scene::Scene& scene);

}  // namespace tendril::model
