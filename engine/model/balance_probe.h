// What probes show of a balance of energy.
#pragma once

#include "model/energy_balance.h"
#include "scene/scene.h"

namespace tendril {

/// [J]; `kind` is one of the balance (isOfBalance).
inline double valueOf(const EnergyBalance& balance, EnergyKind kind) {
  if (kind == EnergyKind::work) return balance.work;
  return kind == EnergyKind::dissipated ? balance.dissipated : balance.numerical;
}

}  // namespace tendril
