// Feedback acts one step late. Where a loop's response is too strong for that delay, it oscillates from step to step,
// an artifact of the time step. Detected from the values of a loop's formulas in the last steps and, where they look
// suspicious, from trial steps on a copy of the model with and without the last oscillation.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "model/model.h"
#include "scene/scene.h"
#include "simulation/load_samples.h"

namespace tendril {

class FeedbackWatch {
 public:
  explicit FeedbackWatch(const scene::Scene& scene);

  /// After the accepted step from t - dt to t, with the columns that formulas see next. New warnings, each reported
  /// once.
  std::vector<std::string> afterStep(const model::Model& model, double t, double dt,
                                     const std::vector<double>& columns);
  /// The solver gave up after the last accepted state: a strongly oscillating loop may be the cause.
  std::vector<std::string> afterFailure(const model::Model& model);
  /// Whether a loop was reported since the run began.
  bool hasReported() const;
  /// A parameter changed: earlier observations are void.
  void forget();

 private:
  static constexpr int window = 12;  // number of increments examined

  /// A formula that acts on the model and sees probes or states, or the rate of a state.
  struct Loop {
    const formula::Number* number = nullptr;
    LoadSamples samples;
    int state = -1;                  ///< for a rate: the state whose value is watched
    double increments[window] = {};  ///< due to the observed columns alone, the latest at `next` - 1
    int next = 0, count = 0;
    double largest = 0;   ///< of all values and increments so far
    long quietUntil = 0;  ///< was tested and cleared
    bool reported = false;
  };
  /// Response of a loop at a given step length.
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
