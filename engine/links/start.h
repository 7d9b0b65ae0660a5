// How linkages start: initial strains and joint coordinates, and what is amiss there.
#pragma once

#include <vector>

#include "links/state.h"
#include "model/model.h"

namespace tendril::links {

/// Initial values of the scene, into the motion so far and the offsets of joints of several rotations.
void setInitial(State& state);
/// Links that begin inside obstacles, as contact has found them, and contact that nothing gives a stiffness.
void remarkContact(const State& state, std::vector<model::Remark>& remarks);
/// A free coordinate without mass, stiffness or damping has no motion. Loads are left out: what turns without mass may
/// feel their moments, but they do not tell how fast it turns. Throws model::BuildError.
void refuseLoose(const State& state);

}  // namespace tendril::links
