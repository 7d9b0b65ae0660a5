// Runs with the exact derivatives that go along with them (tendril/sensitivities.h).
#pragma once

#include "fit/runs.h"

namespace tendril::fit {

/// Where a run has no derivative by a parameter at its present value, or its derivatives cannot follow it, by
/// differences of whole runs instead.
class ExactRuns final : public RunSource {
 public:
  ExactRuns() : ExactRuns(DifferencedRuns::Surroundings()) {}
  explicit ExactRuns(DifferencedRuns::Surroundings around);
  std::vector<RunSamples> samples(const std::vector<RunRequest>& requests) override {
    return differences_.samples(requests);
  }
  std::vector<RunSamples> withSlopes(const std::vector<RunRequest>& requests,
                                     const std::vector<Varied>& varied) override;
  std::vector<std::string> doubts() const override;

 private:
  bool goesOn() const { return !around_.goOn || around_.goOn(); }
  /// False: it has no such derivatives.
  bool follow(const RunRequest& request, const std::vector<Varied>& varied, RunSamples& out,
              std::vector<std::string>& doubts);
  DifferencedRuns::Surroundings around_;
  DifferencedRuns differences_;
  std::vector<std::vector<std::string>> doubts_;  // per request of the last withSlopes()
};

}  // namespace tendril::fit
