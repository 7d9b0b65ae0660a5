// Feedback acts one step late, and a push that comes late works: a spring that a controller plays feeds what swings, and
// one of negative stiffness damps it, over many steps and without any swing from step to step (FeedbackWatch). Told here,
// by what the delay does to the kinetic energy in steps that are tried on a copy of the model.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "model/model.h"
#include "scene/scene.h"
#include "simulation/columns.h"

namespace tendril {

class LagWatch {
 public:
  explicit LagWatch(const scene::Scene& scene);
  ~LagWatch();

  /// After the accepted step from t - dt to t, with the columns that formulas see next.
  void afterStep(const model::Model& model, double t, double dt, const std::vector<double>& columns);
  /// At the end of a run: a warning where the delay gave or took a good part of the energy that came in. Else empty.
  std::string verdict(model::Model& model) const;
  /// A parameter changed: what was seen before says nothing.
  void forget();

 private:
  struct Loop {
    const formula::Number* number = nullptr;
    double largest = 0;
    double late = 0, size = 0;  ///< sums of squares, of what the delay changes its value by and of the value
  };

  bool follows(const std::vector<double>& columns, double t);
  bool valueOf(const Loop& loop, double t, const std::vector<double>& columns, double& value) const;
  /// Kinetic energy [J] after a step from the saved state in which formulas see `seen`, and what they see then. False:
  /// it was not accepted.
  bool tried(const std::vector<double>& seen, double& kinetic, std::vector<double>& after);
  double powerOfDelay(const model::Model& model);

  const scene::Scene& scene_;
  std::unique_ptr<scene::Scene> copy_;   // with a probe of the kinetic energy as its last
  std::unique_ptr<model::Model> trial_;  // made where it is first needed
  std::vector<Loop> loops_;
  std::vector<std::byte> saved_;
  std::unique_ptr<ProbeColumns> columns_;
  std::vector<double> now_, end_, after_;
  double late_ = 0;  // by how much of a step formulas see too old a state; 0: nothing is watched
  double time_ = 0, dt_ = 0, power_ = 0, work_ = 0;  // [W], [J] of the delay
  double longest_ = 0;                               // [s] of the steps
  long steps_ = 0, next_ = 0, looks_ = 0;
};

}  // namespace tendril
