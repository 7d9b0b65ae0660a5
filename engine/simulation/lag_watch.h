// Feedback acts one step late, and a delayed force does spurious work: a spring realized by a controller drives
// oscillations, and one of negative stiffness damps them, over many steps and without oscillating from step to step
// (FeedbackWatch). Detected by the effect of the delay on the kinetic energy in trial steps on a copy of the model.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "model/model.h"
#include "scene/scene.h"
#include "simulation/columns.h"
#include "simulation/load_samples.h"

namespace tendril {

class LagWatch {
 public:
  explicit LagWatch(const scene::Scene& scene);
  ~LagWatch();

  /// After the accepted step from t - dt to t, with the columns that formulas see next.
  void afterStep(const model::Model& model, double t, double dt, const std::vector<double>& columns);
  /// At the end of a run: a warning where the delay supplied or removed a large part of the energy supplied; otherwise
  /// empty.
  std::string verdict(model::Model& model) const;
  /// A parameter changed: earlier observations are void.
  void forget();

 private:
  struct Loop {
    const formula::Number* number = nullptr;
    LoadSamples samples;
    double largest = 0;
    double late = 0, size = 0;  ///< sums of squares: of the change in value due to the delay, and of the value
  };

  bool follows(const std::vector<double>& columns, double t);
  bool valueOf(const Loop& loop, double t, const std::vector<double>& columns, double& value) const;
  /// Kinetic energy [J] after a step from the saved state in which formulas see `seen`, and what they see then. False:
  /// it was not accepted.
  bool tried(const std::vector<double>& seen, double& kinetic, std::vector<double>& after);
  double powerOfDelay(const model::Model& model);

  const scene::Scene& scene_;
  std::unique_ptr<scene::Scene> copy_;   // with an added last probe for the kinetic energy
  std::unique_ptr<model::Model> trial_;  // created when first needed
  std::vector<Loop> loops_;
  std::vector<std::byte> saved_;
  std::unique_ptr<ProbeColumns> columns_;
  std::vector<double> now_, end_, after_;
  double late_ = 0;  // age of the state that formulas see, in steps; 0: nothing is watched
  double time_ = 0, dt_ = 0, power_ = 0, work_ = 0;  // [W], [J] due to the delay
  double longest_ = 0;                               // [s] of the steps
  long steps_ = 0, next_ = 0, looks_ = 0;
};

}  // namespace tendril
