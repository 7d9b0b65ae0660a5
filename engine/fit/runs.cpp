#include "fit/runs.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "tendril/simulation.h"
#include "text/words.h"

namespace tendril::fit {

namespace {

constexpr double sameTime = 1e-9;  // share of a step within which a time is that of an accepted step

/// One run, from accepted step to accepted step.
class Sampling {
 public:
  Sampling(const RunRequest& request, const std::function<bool()>& goOn)
      : request_(request), goOn_(goOn), simulation_(*request.sceneText, request.parameters) {
    out_.values.resize(Eigen::Index(request.times.size()), Eigen::Index(request.columns.size()));
    out_.rates = Eigen::MatrixXd::Zero(out_.values.rows(), out_.values.cols());
  }

  RunSamples run() {
    const double grain = sameTime * simulation_.stepSize();
    take(grain);
    while (next_ < request_.times.size()) {
      const double wanted = request_.times[next_];
      if (simulation_.finished()) {
        out_.gaveUp = "the run ends at " + text::formatNumber(simulation_.time()) + " s, before the data at " +
                      text::formatNumber(wanted) + " s";
        return out_;
      }
      before_ = simulation_.time();
      from_.assign(simulation_.values().begin(), simulation_.values().end());
      simulation_.step([this] { return !goOn_ || goOn_(); });
      if (!(simulation_.time() > before_)) {
        out_.gaveUp = "stopped";
        return out_;
      }
      fillRatesOfStart();
      take(grain);
    }
    return out_;
  }

 private:
  /// All times up to the accepted state.
  void take(double grain) {
    const std::vector<double> now(simulation_.values().begin(), simulation_.values().end());
    for (; next_ < request_.times.size() && request_.times[next_] <= simulation_.time() + grain; ++next_) {
      const double t = request_.times[next_], span = simulation_.time() - before_;
      const bool inside = !from_.empty() && t < simulation_.time() - grain;
      put(inside ? simulation_.between(from_, now, (t - before_) / span) : now);
      if (!from_.empty()) putRates(next_, now, span);
    }
  }

  void put(const std::vector<double>& values) {
    for (std::size_t c = 0; c < request_.columns.size(); ++c)
      out_.values(Eigen::Index(next_), Eigen::Index(c)) = values[std::size_t(request_.columns[c])];
  }

  void putRates(std::size_t row, const std::vector<double>& now, double span) {
    for (std::size_t c = 0; c < request_.columns.size(); ++c) {
      const std::size_t column = std::size_t(request_.columns[c]);
      out_.rates(Eigen::Index(row), Eigen::Index(c)) = (now[column] - from_[column]) / span;
    }
  }

  /// Of times at the start, which were taken before there was a step.
  void fillRatesOfStart() {
    if (ratesOfStart_) return;
    ratesOfStart_ = true;
    const std::vector<double> now(simulation_.values().begin(), simulation_.values().end());
    for (std::size_t row = 0; row < next_; ++row) putRates(row, now, simulation_.time() - before_);
  }

  const RunRequest& request_;
  const std::function<bool()>& goOn_;
  Simulation simulation_;
  RunSamples out_;
  std::vector<double> from_;  // values before the last step
  double before_ = 0;         // and its time
  std::size_t next_ = 0;      // among the times
  bool ratesOfStart_ = false;
};

/// Values of the parameter at which a difference is taken: beside its own, or two on one side at a bound.
std::array<double, 2> pointsOf(const Varied& v) {
  const double h = std::min(v.increment, 0.25 * (v.max - v.min));
  if (v.value + h > v.max) return {v.value - h, v.value - 2 * h};
  if (v.value - h < v.min) return {v.value + h, v.value + 2 * h};
  return {v.value + h, v.value - h};
}

/// The slope at `v` of values at the two points and, where they are on one side or one is missing, at v itself.
Eigen::MatrixXd slopeOf(const Varied& v, const RunSamples& middle, const std::array<const RunSamples*, 2>& of) {
  const std::array<double, 2> points = pointsOf(v);
  const double a = points[0] - v.value, b = points[1] - v.value;
  if (!of[0]->gaveUp.empty()) return (of[1]->values - middle.values) / b;
  if (!of[1]->gaveUp.empty()) return (of[0]->values - middle.values) / a;
  if (a * b < 0) return (of[0]->values - of[1]->values) / (a - b);
  return ((of[0]->values - middle.values) * (b / a) - (of[1]->values - middle.values) * (a / b)) / (b - a);
}

}  // namespace

void oneByOne(std::size_t count, const std::function<void(std::size_t)>& work) {
  for (std::size_t i = 0; i < count; ++i) work(i);
}

DifferencedRuns::DifferencedRuns(Surroundings around) : around_(std::move(around)) {
  if (!around_.forEach) around_.forEach = oneByOne;
}

RunSamples DifferencedRuns::run(const RunRequest& request) {
  RunSamples none;
  if (around_.goOn && !around_.goOn()) {
    none.gaveUp = "stopped";
    return none;
  }
  if (around_.runs) ++*around_.runs;
  try {
    RunSamples out = Sampling(request, around_.goOn).run();
    if (out.gaveUp.empty() && !out.values.allFinite()) out.gaveUp = "a probe is not finite";
    return out;
  } catch (const GaveUp& error) {
    none.gaveUp = error.what();
  } catch (const BadScene& error) {
    none.gaveUp = error.what();
  }
  return none;
}

std::vector<RunSamples> DifferencedRuns::runAll(const std::vector<RunRequest>& requests) {
  std::vector<RunSamples> out(requests.size());
  around_.forEach(requests.size(), [&](std::size_t i) { out[i] = run(requests[i]); });
  return out;
}

std::vector<RunSamples> DifferencedRuns::samples(const std::vector<RunRequest>& requests) {
  lastSamples_ = runAll(requests);
  lastRequests_ = requests;
  return lastSamples_;
}

std::vector<RunSamples> DifferencedRuns::withSlopes(const std::vector<RunRequest>& requests,
                                                    const std::vector<Varied>& varied) {
  const bool known = requests == lastRequests_;
  // Each request's two points of each parameter, then, where they are not known, the requests themselves.
  std::vector<RunRequest> all;
  for (const RunRequest& request : requests)
    for (const Varied& v : varied)
      for (const double point : pointsOf(v)) {
        all.push_back(request);
        all.back().parameters[v.name] = point;
      }
  const std::size_t points = all.size(), each = 2 * varied.size();
  if (!known) all.insert(all.end(), requests.begin(), requests.end());
  const std::vector<RunSamples> runs = runAll(all);
  std::vector<RunSamples> out;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const RunSamples& middle = known ? lastSamples_[i] : runs[points + i];
    RunSamples one = middle;
    for (std::size_t p = 0; p < varied.size() && one.gaveUp.empty(); ++p) {
      const RunSamples *first = &runs[i * each + 2 * p], *second = first + 1;
      if (!first->gaveUp.empty() && !second->gaveUp.empty())
        one.gaveUp = "with " + varied[p].name + " changed a little: " + first->gaveUp;
      else
        one.slopes.push_back(slopeOf(varied[p], middle, {first, second}));
    }
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace tendril::fit
