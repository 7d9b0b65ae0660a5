// What is said of steps once in a run: that an obstacle passed between two points of a link, that a prescribed joint
// turns too far in a step, and which dt would spare cuts.
#pragma once

#include "links/state.h"
#include "model/model.h"

namespace tendril::links {

class StepWarnings {
 public:
  explicit StepWarnings(const State& state) : state_(state) {}

  /// Before a run.
  void begin() { passed_ = whirled_ = false; }
  /// After parameters have changed.
  void forgetCuts() { cuts_ = {}; }

  // Of a step to q, before the accepted state moves on there:
  /// Points of links are fixed in the material: where that is stretched, an obstacle may pass between them. Of a load
  /// step, too.
  void warnOfPassing(const VectorX& q, const VectorX& v, model::StepReport& report);
  /// Joints that are prescribed go as they must, at any speed, but what they shake is seen only so often. A jump, which
  /// has no speed, is no matter of dt.
  void warnOfWhirling(const VectorX& q, const VectorX& v, double dt, model::StepReport& report);
  /// Of an attempt at a step, taken or not. Attempts that come to nothing cost as much as steps, or more: where they
  /// are many, says which dt spares them, if that is likely to save half of the work. Not from the first few steps:
  /// they need not be like the rest.
  void adviseShorter(const model::StepRequest& request, model::StepReport& report);

 private:
  struct Cuts {
    long taken = 0, shortTaken = 0, cut = 0, iterations = 0;
    double covered = 0, shortCovered = 0;  // by the steps taken, and by those of less than half dt [s]
    bool said = false;
  };

  const State& state_;
  Cuts cuts_;  // among the attempts at a step since the start, or since parameters changed
  bool passed_ = false, whirled_ = false;
};

}  // namespace tendril::links
