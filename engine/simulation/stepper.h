// Time stepping of a run: the next step, smaller ones where a step does not converge, and a clear failure where none
// does.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "model/model.h"
#include "scene/scene.h"
#include "simulation/columns.h"

namespace tendril {

/// The cost of one accepted step.
struct StepCost {
  bool accepted = false;  ///< false: stopped by `Continue`
  long iterations = 0, retries = 0;
  std::vector<std::string> warnings;
};

/// No step was accepted, however small, or a formula failed within it.
class StepFailure : public std::runtime_error {
 public:
  StepFailure(const std::string& reason, StepCost spent, std::string warning = {})
      : std::runtime_error(reason), cost(std::move(spent)), repeats(std::move(warning)) {}
  StepCost cost;
  std::string repeats;  ///< the warning of a cut step that gave the same reason; empty: none
};

class Stepper {
 public:
  Stepper(const scene::Scene& scene, model::Model& model);

  /// One accepted step, or one accepted part of a static load step. Throws StepFailure with the reason where the solver
  /// gives up; the model and the state here are then those of the last accepted step, as after a stop.
  StepCost step(ProbeColumns& columns, const model::Continue& keepGoing);

  double time() const { return time_; }
  bool finished() const;
  /// What the last accepted step, or static solve, was asked for by; its columns are no longer what they were.
  const model::StepRequest& taken() const { return taken_; }
  const model::SettleRequest& settled() const { return settled_; }
  /// A parameter changed: multi-step schemes restart.
  void discontinuity() { smooth_ = false; }

  struct State {
    double time = 0, base = 0, target = 0, step = 0, lastStep = 0;
    std::int64_t count = 0;
    std::int32_t smooth = 0, inside = 0;  ///< 0 or 1; without padding, so that equal states save equal bytes
  };
  State state() const;
  void setState(const State& state);

 private:
  void staticStep(ProbeColumns& columns, const model::Continue& keepGoing, StepCost& cost);
  void dynamicStep(ProbeColumns& columns, const model::Continue& keepGoing, StepCost& cost);
  void nextTarget();
  void reportCut(StepCost& cost, const std::string& what, const char* wasCut, const std::string& reason);
  [[noreturn]] void giveUp(const std::string& what, const model::StepReport& report, const StepCost& cost) const;
  std::string advice(const model::StepReport& report) const;

  const scene::Scene& scene_;
  model::Model& model_;
  std::vector<double> landings_;  // adaptive: times that steps must hit, of checks and switches [s]
  model::StepRequest taken_;
  model::SettleRequest settled_;
  double time_ = 0;
  double base_ = 0;  // steps are counted from here, so that times accumulate no round-off
  std::int64_t count_ = 0;
  double target_ = 0;  // end of the user's time step
  double step_ = 0;    // next attempt
  double lastStep_ = 0;
  bool remembers_ = false;  // BDF2 steps some model
  bool inside_ = false;     // within a step that was cut
  bool smooth_ = false;
  std::string cut_, cutReason_;  // one warning reports cuts, the count of retries their number
};

}  // namespace tendril
