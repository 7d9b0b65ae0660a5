// Runs of a scene, sampled at given times, with their derivatives by parameters. All that a fit knows of simulations
// goes through RunSource, so that another kind of derivative is another class of it.
#pragma once

#include <Eigen/Core>
#include <atomic>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "simulation/sampling.h"

namespace tendril::fit {

struct RunRequest {
  const std::string* sceneText = nullptr;
  std::map<std::string, double> parameters;
  std::vector<double> times;  ///< [s], increasing
  std::vector<int> columns;   ///< of the simulation's probes
  bool operator==(const RunRequest&) const = default;
};

/// A parameter by which runs are differentiated, at its value in the requests.
struct Varied {
  std::string name;
  double value = 0;
  double increment = 0;     ///< that differences may use
  double min = 0, max = 0;  ///< they stay between these
};

struct RunSamples : Samples {  // slopes: by each varied parameter
  std::string gaveUp;          ///< why there are none; empty: there are
};

/// For one thread at a time.
class RunSource {
 public:
  virtual ~RunSource() = default;
  virtual std::vector<RunSamples> samples(const std::vector<RunRequest>& requests) = 0;
  virtual std::vector<RunSamples> withSlopes(const std::vector<RunRequest>& requests,
                                             const std::vector<Varied>& varied) = 0;
  /// Of the slopes of the last withSlopes(), in words: what makes them doubtful.
  virtual std::vector<std::string> doubts() const { return {}; }
};

/// Does work(0) to work(count - 1), in any order, at one time or one after the other.
using ForEach = std::function<void(std::size_t count, const std::function<void(std::size_t)>& work)>;
void oneByOne(std::size_t count, const std::function<void(std::size_t)>& work);

/// Derivatives by central differences of whole runs, (f(p + h) - f(p - h)) / 2h; at a bound by three points on its one
/// side; and by two where one of the runs gives up. Their error is that of h^2, and the solver's tolerance over h.
class DifferencedRuns final : public RunSource {
 public:
  struct Surroundings {
    ForEach forEach;                    ///< default: one after the other
    std::function<bool()> goOn;         ///< false: runs end as given up; asked from the threads of forEach
    std::atomic<long>* runs = nullptr;  ///< counts them
  };
  DifferencedRuns() : DifferencedRuns(Surroundings()) {}
  explicit DifferencedRuns(Surroundings around);
  std::vector<RunSamples> samples(const std::vector<RunRequest>& requests) override;
  std::vector<RunSamples> withSlopes(const std::vector<RunRequest>& requests,
                                     const std::vector<Varied>& varied) override;

 private:
  bool goesOn() const { return !around_.goOn || around_.goOn(); }
  RunSamples run(const RunRequest& request);
  std::vector<RunSamples> runAll(const std::vector<RunRequest>& requests);
  Surroundings around_;
  std::vector<RunRequest> lastRequests_;  // of samples(): slopes are mostly asked for where values have just been
  std::vector<RunSamples> lastSamples_;
};

}  // namespace tendril::fit
