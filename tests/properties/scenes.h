// Random scenes of every kind as functions of a seed and of how they are told.
#pragma once

#include <string>
#include <vector>

#include "telling.h"

namespace tendril::properties {

/// Features of a scene that can be left out one by one.
const std::vector<std::string>& features();

struct Asked {
  bool isStatic = false;
  bool follows = false;  ///< follower loads at rest too
  bool isFree = false;   ///< nothing is held
  bool touching = true;  ///< contact may happen
  bool landing = false;  ///< linkages: there is a floor, and contact goes by its defaults
  bool plain = false;    ///< nothing that breaks a symmetry of frames: no follower loads, no actuation
  bool shells = true;
  bool catching = false;    ///< a clamp may catch a rod half way
  bool driven = true;       ///< linkages: a joint may be driven on suddenly
  bool isExplicit = false;  ///< explicit integrators, at steps that they bear
};

inline Asked moving() {
  Asked asked;
  asked.catching = true;
  return asked;
}
inline Asked still() {
  Asked asked;
  asked.isStatic = true;
  return asked;
}
inline Asked landing(bool lands = true) {
  Asked asked;
  asked.landing = lands;
  return asked;
}
/// By explicit integrators.
inline Asked explicitly() {
  Asked asked = moving();
  asked.isExplicit = true;
  return asked;
}

/// Rods, nets of rods, shells and both.
std::string continuum(unsigned seed, const Telling& telling, const Asked& asked);
/// Rods and sheets that fall on each other and rub, with weights and speeds of their own.
std::string touching(unsigned seed, const Telling& telling, const Asked& asked);
/// Open chains of rigid and soft links: held or afloat, with tendons, above a floor.
std::string linkage(unsigned seed, const Telling& telling, const Asked& asked);
/// Chains that close: four bars in a plane, or in space with balls for hinges.
std::string closedChain(unsigned seed, const Telling& telling, const Asked& asked);
/// The same on a frame that nothing holds, weighs down or pushes.
std::string closedAfloat(unsigned seed, const Telling& telling, const Asked& asked);

/// Vines among obstacles, in one plane that tellings may turn into another; they turn about its normal alone.
std::string vines(unsigned seed, const Telling& telling, const Asked& asked);

}  // namespace tendril::properties
