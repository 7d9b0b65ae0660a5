// Watches the balance of energy step by step, so that no run gains energy out of nothing unseen.
#pragma once

#include <algorithm>

namespace tendril::model {

/// What acted in a step, kinds added up [J].
struct WorkDone {
  double work = 0, dissipated = 0;
};

/// Which steps gain too much. Schemes that lose energy do not earn the right to gain it back, and what was let through
/// is not held against the next step.
class EnergyWatch {
 public:
  static constexpr double allowance = 0.03;     ///< of the energies in play may be gained before steps are cut
  static constexpr double part = 1e-4;          ///< smaller gains of one step are round-off of schemes, and let through
  static constexpr double finest = 1.0 / 4096;  ///< of the scene's dt: no step is cut shorter for its energy

  /// Whether a step that gains `gain` [J], with `size` [J] in play at its end, adds to a surplus of which there is too
  /// much already.
  bool refuses(double gain, double size) const {
    const double largest = std::max(largest_, size);
    return gain > part * largest && surplus_ + gain > allowance * largest;
  }
  void accept(double gain, double size) {
    largest_ = std::max(largest_, size);
    surplus_ = std::clamp(surplus_ + gain, 0.0, allowance * largest_);
  }
  double largest() const { return largest_; }

  struct State {
    double surplus = 0, largest = 0;
  };
  EnergyWatch() = default;
  explicit EnergyWatch(const State& s) { setState(s); }
  State state() const { return {surplus_, largest_}; }
  void setState(const State& s) { surplus_ = s.surplus, largest_ = s.largest; }

 private:
  double surplus_ = 0, largest_ = 0;
};

}  // namespace tendril::model
