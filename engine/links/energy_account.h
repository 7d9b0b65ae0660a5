// Holds a linkage's mechanical energy against the power that went into it. Implicit schemes gain energy out of nothing
// where a step is long for the motion: what they gain is summed, and steps that go on gaining are to be cut.
#pragma once

#include <algorithm>
#include <limits>
#include <optional>

#include "geometry/types.h"
#include "model/archive.h"
#include "model/energy_watch.h"

namespace tendril::links {

class EnergyAccount {
 public:
  /// One attempt: change of kinetic, gravity's, elastic and contact energy [J], what dampers took and what loads and
  /// motors gave on the way [J], the power of everything else at its evaluation point [W], its length [s], and the size
  /// of the energies in play [J].
  struct Entry {
    double change = 0, damped = 0, given = 0, power = 0, dt = 0, size = 0;
    double touched = 0;          ///< in play for who stands where what touches does, in this step alone [J]
    double kinetic = 0;          ///< at its end [J]
    Vec3 weight = Vec3::Zero();  ///< mass times place at its end [kg m]
    /// What the integrator made in it [J], where the balance of this step is known exactly: then that alone is its
    /// gain.
    std::optional<double> numerical = {};
  };

  /// The least that cannot have come from outside [J]: power counts with the larger of its values at both ends, and
  /// takes no more than what was given. Dampers and loads count by the way that the step went: along it no motion is
  /// damped less than that at an even pace, whatever the rates at the ends, which would let a step that swings too far
  /// pay for what it burns.
  double gainOf(const Entry& e) const {
    if (e.numerical) return *e.numerical;
    const double least = std::min(-e.given, 0.0);
    return e.change + e.damped - e.given - std::max(e.dt * std::max(e.power, powerBefore_), least);
  }
  /// Whether the attempt adds to a surplus of which there is too much already.
  bool refuses(const Entry& entry) const { return watch_.refuses(gainOf(entry), std::max(entry.size, entry.touched)); }
  void accept(const Entry& entry) {
    watch_.accept(gainOf(entry), entry.size);
    powerBefore_ = entry.power;
  }
  /// Forces jump here, or nothing is known of the step before: the next step is judged by the power that it begins
  /// with.
  void begin(double power) { powerBefore_ = power; }
  bool knows() const { return powerBefore_ < std::numeric_limits<double>::infinity(); }
  /// The next step is not judged.
  void forget() { begin(std::numeric_limits<double>::infinity()); }

  struct State {
    model::EnergyWatch::State watch;
    double powerBefore;
  };
  State state() const { return {watch_.state(), powerBefore_}; }
  void visit(model::Archive& archive) {
    State s = state();
    archive(s.watch.surplus, s.watch.largest, s.powerBefore);
    setState(s);
  }
  void setState(const State& s) { watch_.setState(s.watch), powerBefore_ = s.powerBefore; }

 private:
  model::EnergyWatch watch_;
  double powerBefore_ = std::numeric_limits<double>::infinity();
};

}  // namespace tendril::links
