// The balance of mechanical energy of a run, with what the watch over its integrator remembers besides.
#pragma once

#include <algorithm>

#include "tendril/energy_balance.h"

namespace tendril::model {

/// The balance that users see, and what a warning about the integrator is decided by.
struct WatchedBalance : EnergyBalance {
  using Scalar = double;  ///< all of it
  double pressed = 0;     ///< in contact as the run began, where that is more than would lift everything by three times
                          ///< the contact distance
  double lost = 0;        ///< what the integrator had taken when that was the largest part of lostOf
  double lostOf = 0;  ///< what had been in play, or dissipated, until then: a tenth of what has been by now, or more

  /// As the run begins, with `contact` [J] stored in contact by what has the weight [N] and is pushed from `reach` [m]
  /// on.
  void beginPressed(double contact, double weight, double reach) {
    constexpr double lifted = 3;
    pressed = contact > lifted * weight * reach ? contact : 0;
  }

  /// At the end of a step, whose other values are known.
  void measureLoss() {
    const double base = std::max(peak, dissipated), now = std::max(0.0, -numerical);
    if (now * lostOf >= lost * base || lostOf < 0.1 * base) lost = now, lostOf = base;
  }

  WatchedBalance& operator+=(const WatchedBalance& other) {
    work += other.work, dissipated += other.dissipated, numerical += other.numerical, peak += other.peak;
    given += other.given, little += other.little, pressed += other.pressed;
    lost += other.lost, lostOf += other.lostOf;
    return *this;
  }
};

/// Energy balance of an isolated group of bodies.
struct PartBalance {
  WatchedBalance energy;
  int body = 0;    ///< the first of them, as lists of bodies number them
  int bodies = 1;  ///< how many they are
};

}  // namespace tendril::model
