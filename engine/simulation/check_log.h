// Decides a scene's checks while it runs: at times between steps by linear interpolation, "always" and "ever" after
// every accepted step.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "scene/scene.h"
#include "simulation/blend.h"
#include "tendril/simulation.h"

namespace tendril {

class CheckLog {
 public:
  /// The current values of parameters select the checks of this run: those whose "with" they satisfy, and those
  /// without.
  explicit CheckLog(const scene::Scene& scene);

  /// A state was accepted at t (the first call is t = 0). `end`: it is the last of the run; checks decided only by the
  /// end reopen if the run continues anyway. A check whose value is not a number fails.
  void observe(double t, const std::vector<double>& columns, bool end);
  void clear();

  std::vector<int> own() const;              ///< indices of the checks of this run
  std::vector<CheckResult> results() const;  ///< the decided ones, in scene order
  int decided() const;                       ///< number of them

  enum Decided : std::int32_t { open = 0, forGood = 1, byTheEnd = 2 };
  struct Entry {
    std::int32_t decided = open,
                 passed = 0;  ///< passed: 0 or 1; without padding, so that equal states save equal bytes
    double at = 0;
  };
  struct State {
    double time = 0;
    char started = 0;
    std::vector<double> columns;              ///< of the last observation
    std::vector<Entry> entries;               ///< per check
    std::vector<std::vector<double>> values;  ///< per check: columns when it was decided
  };
  const State& state() const { return state_; }
  void setState(const State& state) { state_ = state; }

 private:
  bool holds(const scene::Check& check, double t, const std::vector<double>& columns) const;
  std::string withoutValue(const scene::Check& check, double t, const std::vector<double>& columns) const;
  std::vector<double> between(double time, double t, const std::vector<double>& columns) const;
  bool missed(const scene::Check& check, double t) const;
  void decideBetween(std::size_t i, double t, const std::vector<double>& columns);
  void decide(std::size_t i, bool passed, double t, const std::vector<double>& columns, Decided how = forGood);

  const scene::Scene& scene_;
  ColumnBlend blend_;
  std::vector<char> mine_;
  State state_;
};

}  // namespace tendril
