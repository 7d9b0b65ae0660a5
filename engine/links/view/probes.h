// What probes see of a linkage at its accepted state.
#pragma once

#include "links/state.h"
#include "scene/reducer.h"

namespace tendril::links {

/// Of all probes but those of the energy balance; efforts are those of the system's last evaluation.
void observe(const State& state, const scene::Probe& probe, scene::Reducer& out);
/// Of a probe's places on this linkage, or of those that it is compared with [m].
Vec3 meanPosition(const State& state, const scene::Probe& probe, bool second);
/// Of joints of several rotations: rotation vector, then displacement, of the pose over the joint.
VectorX jointCoordinates(const State& state, const BuiltLink& link);

}  // namespace tendril::links
