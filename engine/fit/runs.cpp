#include "fit/runs.h"

#include "fit/sampling.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "tendril/simulation.h"

namespace tendril::fit {

namespace {

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
  if (!goesOn()) {
    none.gaveUp = "stopped";
    return none;
  }
  if (around_.runs) ++*around_.runs;
  return samplesOrReason([&] {
    Simulation simulation(*request.sceneText, request.parameters);
    return sampled(request, simulation, [&] { return simulation.step([&] { return goesOn(); }); });
  });
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
