#include "fit/exact_runs.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "fit/sampling.h"
#include "tendril/sensitivities.h"

namespace tendril::fit {

ExactRuns::ExactRuns(DifferencedRuns::Surroundings around) : around_(std::move(around)), differences_(around_) {
  if (!around_.forEach) around_.forEach = oneByOne;
}

bool ExactRuns::follow(const RunRequest& request, const std::vector<Varied>& varied, RunSamples& out,
                       std::vector<std::string>& doubts) {
  const auto instead = [&doubts](const std::exception& error) {
    doubts = {std::string(error.what()) + "; differences of whole runs stand in for its derivatives"};
    return false;
  };
  std::vector<std::string> names;
  std::map<std::string, double> scales;
  for (const Varied& v : varied) {
    names.push_back(v.name);
    // What is large for an unknown that may come near 0, where its value does not say it.
    if (v.value == 0 || (v.min <= 0 && v.max >= 0)) scales[v.name] = 0.5 * (v.max - v.min);
  }
  if (around_.runs) ++*around_.runs;
  try {
    Sensitivities s(*request.sceneText, request.parameters, names, scales);
    out = sampled(
        request, s.run(), [&] { return s.step([this] { return goesOn(); }); }, names.size(),
        [&s](std::size_t p) { return s.slopes(p); });
    doubts = s.doubts();
  } catch (const std::invalid_argument& error) {
    return instead(error);
  } catch (const GaveUp& error) {
    return instead(error);
  } catch (const BadScene& error) {
    return instead(error);
  }
  if (out.gaveUp == "stopped") return true;
  bool known = out.gaveUp.empty() && out.values.allFinite();
  for (const Eigen::MatrixXd& slopes : out.slopes) known = known && slopes.allFinite();
  return known;
}

std::vector<RunSamples> ExactRuns::withSlopes(const std::vector<RunRequest>& requests,
                                              const std::vector<Varied>& varied) {
  std::vector<RunSamples> out(requests.size());
  std::vector<char> known(requests.size(), 0);
  doubts_.assign(requests.size(), {});
  around_.forEach(requests.size(), [&](std::size_t i) {
    if (goesOn())
      known[i] = follow(requests[i], varied, out[i], doubts_[i]) ? 1 : 0;
    else
      out[i].gaveUp = "stopped", known[i] = 1;
  });
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (!known[i]) out[i] = differences_.withSlopes({requests[i]}, varied).front();
  }
  return out;
}

std::vector<std::string> ExactRuns::doubts() const {
  std::vector<std::string> out;
  for (const std::vector<std::string>& ofOne : doubts_) {
    for (const std::string& words : ofOne) {
      if (std::find(out.begin(), out.end(), words) == out.end()) out.push_back(words);
    }
  }
  return out;
}

}  // namespace tendril::fit
