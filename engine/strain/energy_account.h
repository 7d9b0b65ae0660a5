// Holds a linkage's mechanical energy against the power that went into it. Implicit schemes gain energy out of nothing
// where a step is long for the motion: what they gain is summed, and steps that go on gaining are to be cut.
#pragma once

#include <algorithm>
#include <limits>

#include "geometry/types.h"

namespace tendril {

class EnergyAccount {
 public:
  /// One attempt: change of kinetic, gravity's and elastic energy [J], the power of everything else at its evaluation
  /// point [W], its length [s], and the size of the energies in play [J].
  struct Entry {
    double change = 0, power = 0, dt = 0, size = 0;
    double kinetic = 0;          ///< at its end [J]
    Vec3 weight = Vec3::Zero();  ///< mass times place at its end [kg m]
  };

  /// Whether the attempt adds to a surplus of which there is too much already.
  bool refuses(const Entry& entry) const {
    const double gain = gainOf(entry), largest = std::max(largest_, entry.size);
    return gain > part * largest && surplus_ + gain > allowance * largest;
  }
  void accept(const Entry& entry) {
    largest_ = std::max(entry.size, largest_);
    // Schemes that lose energy do not earn the right to gain it back; what was let through is not held against the next.
    surplus_ = std::clamp(surplus_ + gainOf(entry), 0.0, allowance * largest_);
    powerBefore_ = entry.power;
  }
  /// Forces jump here, or nothing is known of the step before: the next step is judged by the power that it begins with.
  void begin(double power) { powerBefore_ = power; }
  bool knows() const { return powerBefore_ < std::numeric_limits<double>::infinity(); }
  /// The next step is not judged.
  void forget() { begin(std::numeric_limits<double>::infinity()); }

  struct State {
    double surplus, largest, powerBefore;
  };
  State state() const { return {surplus_, largest_, powerBefore_}; }
  void setState(const State& s) { surplus_ = s.surplus, largest_ = s.largest, powerBefore_ = s.powerBefore; }

 private:
  static constexpr double allowance = 0.03;  // of the energies in play
  static constexpr double part = 1e-4;       // smaller gains of a step are round-off of schemes

  // The least that cannot have come from outside: power counts with the larger of its values at both ends.
  double gainOf(const Entry& e) const { return e.change - e.dt * std::max({e.power, powerBefore_, 0.0}); }

  double surplus_ = 0, largest_ = 0, powerBefore_ = std::numeric_limits<double>::infinity();
};

}  // namespace tendril
