#include "fit/not_measured.h"

#include <map>
#include <optional>

#include "simulation/inside.h"
#include "simulation/step_settings.h"

namespace tendril::fit {

namespace {

/// What a run is made of that no unknown may change.
struct RunFrame {
  std::vector<std::pair<std::string_view, double>> steps;
  int degreesOfFreedom = 0;
  bool operator==(const RunFrame&) const = default;
};

/// Nothing where the scene cannot be with these parameters.
std::optional<RunFrame> runFrameOf(const std::string& sceneText, const std::map<std::string, double>& parameters) {
  try {
    const Simulation run = Inside::unstarted(sceneText, parameters, {});
    return RunFrame{stepSettings(sceneOf(run).solver), int(run.degreesOfFreedom())};
  } catch (const BadScene&) {
    return std::nullopt;
  }
}

std::string reason(const Unknown& unknown, const RunFrame& frame, const RunFrame& other) {
  for (std::size_t k = 0; k < frame.steps.size() && k < other.steps.size(); ++k) {
    if (frame.steps[k].second != other.steps[k].second)
      return "the solver's \"" + std::string(frame.steps[k].first) + "\" depends on \"" + unknown.name +
             "\": steps are chosen, and no measurement tells them; give it a number in the scene";
  }
  if (frame.degreesOfFreedom != other.degreesOfFreedom)
    return "\"" + unknown.name +
           "\" sets how many there are of something, so that it only goes in jumps, which no search can follow; fit "
           "with one number after the other";
  return {};
}

}  // namespace

std::vector<std::string> notMeasured(const std::string& sceneText, const std::vector<Unknown>& unknowns) {
  std::vector<std::string> out(unknowns.size());
  std::map<std::string, double> start, ends[2];
  for (const Unknown& unknown : unknowns) {
    if (!unknown.ofScene) continue;
    start[unknown.name] = unknown.start;
    ends[0][unknown.name] = unknown.min, ends[1][unknown.name] = unknown.max;
  }
  const std::optional<RunFrame> frame = runFrameOf(sceneText, start);
  if (!frame) return out;
  // All at once, and one by one where that says something.
  if (runFrameOf(sceneText, ends[0]) == frame && runFrameOf(sceneText, ends[1]) == frame) return out;
  for (std::size_t u = 0; u < unknowns.size(); ++u) {
    if (!unknowns[u].ofScene) continue;
    for (const double end : {unknowns[u].min, unknowns[u].max}) {
      std::map<std::string, double> beside = start;
      beside[unknowns[u].name] = end;
      const std::optional<RunFrame> other = runFrameOf(sceneText, beside);
      if (other && out[u].empty()) out[u] = reason(unknowns[u], *frame, *other);
    }
  }
  return out;
}

}  // namespace tendril::fit
