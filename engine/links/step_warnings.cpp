#include "links/step_warnings.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "links/words.h"

namespace tendril::links {

void StepWarnings::warnOfPassing(const VectorX& q, const VectorX& v, model::StepReport& report) {
  if (state_.contact->empty() || passed_) return;
  state_.system->place(q, v);
  const std::string words = state_.contact->passedBetween(state_.system->chain().frames());
  if (words.empty()) return;
  passed_ = true;
  report.warnings.push_back(words);
}

void StepWarnings::warnOfWhirling(const VectorX& q, const VectorX& v, double dt, model::StepReport& report) {
  if (whirled_) return;
  for (const BuiltLink& built : state_.structure->links) {
    for (const int joint : built.joint) {
      const ChainStep& step = state_.structure->builder.step(joint);
      const int n = step.coordinates();
      if (n == 0 || !state_.system->held[static_cast<std::size_t>(step.first)]) continue;
      const double turn = (step.base * (q - state_.history.q).segment(step.first, n)).head<3>().norm();
      const double speed = (step.base * v.segment(step.first, n)).head<3>().norm();
      if (!(turn > longestTurn && speed * dt > longestTurn)) continue;
      whirled_ = true;
      char words[160];
      std::snprintf(words, sizeof words,
                    " is driven by %.3g rad within a step of %.3g s: what it shakes is not followed; half a radian a "
                    "step takes a \"dt\" of %.2g s",
                    turn, dt, longestTurn / speed);
      report.warnings.push_back("joint " + nameOf(state_.scene, built) + words);
      return;
    }
  }
}

void StepWarnings::adviseShorter(const model::StepRequest& request, model::StepReport& report) {
  constexpr double perStep = 5;  // Newton iterations of a step that goes through
  if (report.stopped || cuts_.said || state_.scene.solver.adaptive) return;
  cuts_.iterations += report.iterations;
  if (report.accepted) {
    ++cuts_.taken, cuts_.covered += request.dt;
    if (request.dt < 0.5 * state_.scene.solver.dt) ++cuts_.shortTaken, cuts_.shortCovered += request.dt;
    return;
  }
  ++cuts_.cut;
  if (cuts_.cut < 100 || 3 * cuts_.cut < cuts_.taken ||
      cuts_.covered < std::min(0.25 * state_.scene.solver.duration, 1.0))
    return;
  // Where cuts were needed, steps of this length went through.
  const double advised = cuts_.shortCovered / static_cast<double>(std::max(1L, cuts_.shortTaken));
  if (!(perStep * cuts_.covered / advised < 0.5 * static_cast<double>(cuts_.iterations))) return;
  cuts_.said = true;
  char before[160], after[160];
  std::snprintf(before, sizeof before,
                "\": %ld of %ld attempts at a step up to t = %.4g s were cut (the last: ", cuts_.cut,
                cuts_.cut + cuts_.taken, request.t0);
  std::snprintf(after, sizeof after, "); a \"dt\" of %.1g s or less is likely to run faster", advised);
  report.warnings.push_back("dt is long for the motion of \"" + state_.own.name + before + report.reason + after);
}

}  // namespace tendril::links
