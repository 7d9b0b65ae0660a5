// What probes show and messages say of a balance of energy.
#pragma once

#include <string>

#include "model/watched_balance.h"
#include "scene/scene.h"

namespace tendril::model {

/// [J]; `kind` is one of the balance (isOfBalance).
inline double valueOf(const WatchedBalance& balance, scene::EnergyKind kind) {
  if (kind == scene::EnergyKind::work) return balance.work;
  return kind == scene::EnergyKind::dissipated ? balance.dissipated : balance.numerical;
}

/// " of ..." with the name of the first of some bodies that belong together.
inline std::string motionOf(int body, int bodies, const scene::Scene& scene) {
  const int linkage = body - scene.bodyCount(), count = static_cast<int>(scene.linkages.size());
  if (linkage >= count) return " of the vines";
  if (linkage >= 0) return count > 1 ? " of the linkages" : " of \"" + scene.linkages.front().name + "\"";
  return " of \"" + scene.bodyName(body) + "\"" + (bodies > 1 ? " and what it is joined to or may touch" : "");
}

}  // namespace tendril::model
