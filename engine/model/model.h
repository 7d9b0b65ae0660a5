// What every model offers to the simulation door: advance, solve, observe, draw, save and restore. No physics here.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "model/drawing.h"

namespace tendril {

/// Asked once per Newton iteration; false stops the work.
using Continue = std::function<bool()>;

/// One attempt at a step or a solve: accepted, or the state is as before.
struct StepReport {
  bool accepted = false;
  bool stopped = false;  ///< `Continue` said no
  long iterations = 0;   ///< Newton iterations
  std::string reason;    ///< why it was not accepted
  std::vector<std::string> warnings;
};

/// What a model is told about a step: times [s] and what feedback formulas see.
struct StepRequest {
  double t0 = 0;                    ///< accepted time
  double dt = 0;                    ///< length of the attempt
  const double* columns = nullptr;  ///< probe columns, then states, of the last accepted step
  bool smooth = true;               ///< false after a discontinuity: multi-step schemes start again
};

/// A static solve: everything as at `time`, loads, gravity, actuation and prescribed motion scaled by `factor`.
struct SettleRequest {
  double time = 0;
  double factor = 1;
  const double* columns = nullptr;
  bool equilibrium = false;  ///< the dynamic run's start: with the scene's extra loads
};

class Model {
 public:
  virtual ~Model() = default;
  virtual StepReport step(const StepRequest& request, const Continue& keepGoing) = 0;
  virtual StepReport settle(const SettleRequest& request, const Continue& keepGoing) = 0;
  /// Largest step [s] of an explicit integrator, infinity when implicit.
  virtual double stableStep() = 0;

  virtual const Drawing& drawing() const = 0;
  virtual void snapshot(Snapshot& out) = 0;
  /// Values of a probe (index into the scene's probes) at the accepted state, one per column.
  virtual void observe(int probe, std::span<double> columns) = 0;

  virtual void refresh() = 0;  ///< live parameters changed; positions and velocities are kept
  virtual void save(std::vector<std::byte>& out) const = 0;
  virtual void restore(std::span<const std::byte>& in) = 0;  ///< consumes its part; throws std::runtime_error
};

}  // namespace tendril
