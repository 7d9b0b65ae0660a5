// Feedback acts one step late. Where a loop answers itself more strongly than that bears, it swings from step to step,
// and what it moves is none of the scene's physics. Told here: by what a loop's formulas did in the last steps, and, where
// that looks so, by steps tried on a copy of the model with and without the last swing.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "model/model.h"
#include "scene/scene.h"

namespace tendril {

class FeedbackWatch {
 public:
  explicit FeedbackWatch(const scene::Scene& scene);

  /// After the accepted step from t - dt to t, with the columns that formulas see next. New warnings, each said once.
  std::vector<std::string> afterStep(const model::Model& model, double t, double dt, const std::vector<double>& columns);
  /// The solver gave up from the last accepted state on: a loop that swings wildly may be why.
  std::vector<std::string> afterFailure(const model::Model& model);
  /// Whether a loop was told since the run began.
  bool hasTold() const;
  /// A parameter changed: what was seen before says nothing.
  void forget();

 private:
  static constexpr int window = 12;  // increments that are looked at

  /// What acts and sees probes or states, or the rate of a state.
  struct Loop {
    const formula::Number* number = nullptr;
    int state = -1;                ///< of the rate: its value is what is watched
    double increments[window] = {};  ///< by what was seen alone, the latest at `next` - 1
    int next = 0, count = 0;
    double largest = 0;            ///< of all values and increments so far
    long quietUntil = 0;           ///< was tried and found innocent
    bool said = false;
  };
  /// How a loop answers at steps of some length.
  struct Answer {
    bool known = false;
    double gain = 0;
  };

  formula::Input input(double t, const std::vector<double>& columns) const;
  bool valueOf(const Loop& loop, double t, const std::vector<double>& columns, double& value) const;
  void follow(Loop& loop, double t, const std::vector<double>& columns);
  bool swings(const Loop& loop, int least) const;
  std::string judge(Loop& loop, const model::Model& model);
  Answer answerOf(const Loop& loop, model::Model& trial, const std::vector<std::byte>& saved, double dt) const;
  Answer answerOfState(const Loop& loop, double dt) const;
  bool columnsAfter(model::Model& trial, std::span<const std::byte> saved, double dt, const std::vector<double>& seen,
                    std::vector<double>& after) const;

  const scene::Scene& scene_;
  std::vector<Loop> loops_;
  std::vector<double> now_, before_;  // columns
  double time_ = 0, dt_ = 0;
  long steps_ = 0;
};

}  // namespace tendril
