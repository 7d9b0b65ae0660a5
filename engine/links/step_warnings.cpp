// What is said of steps once in a run: prescribed joints that turn too far, and which dt would spare cuts.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "links/model.h"

namespace tendril::links {

// Once in a run, before the accepted state moves on: joints that are driven go as they must, at any speed, but what they
// shake is seen only so often. A leap, which has no speed, is no matter of dt.
void Model::sayWhirled(model::StepReport& report, double dt) {
  if (saidWhirled_) return;
  for (const BuiltLink& built : structure_->links) {
    for (const int joint : built.joint) {
      const ChainStep& step = structure_->builder.step(joint);
      const int n = step.coordinates();
      if (n == 0 || !system_->held[static_cast<std::size_t>(step.first)]) continue;
      const double turn = (step.base * (q_ - history_.q).segment(step.first, n)).head<3>().norm();
      const double speed = (step.base * v_.segment(step.first, n)).head<3>().norm();
      if (!(turn > longestTurn && speed * dt > longestTurn)) continue;
      saidWhirled_ = true;
      char words[160];
      std::snprintf(words, sizeof words, " is driven by %.3g rad within a step of %.3g s: what it shakes is not followed; half a radian a step takes a \"dt\" of %.2g s",
                    turn, dt, longestTurn / speed);
      report.warnings.push_back("joint " + nameOf(scene_, built) + words);
      return;
    }
  }
}

// Attempts that come to nothing cost as much as steps, or more: where they are many, says once which dt spares them, if
// that is likely to save half of the work. Not from the first few steps: they need not be like the rest.
void Model::adviseShorter(const model::StepRequest& request, model::StepReport& report) {
  constexpr double perStep = 5;  // Newton iterations of a step that goes through
  if (report.stopped || cuts_.said || scene_.solver.adaptive) return;
  cuts_.iterations += report.iterations;
  if (report.accepted) {
    ++cuts_.taken, cuts_.covered += request.dt;
    if (request.dt < 0.5 * scene_.solver.dt) ++cuts_.shortTaken, cuts_.shortCovered += request.dt;
    return;
  }
  ++cuts_.cut;
  if (cuts_.cut < 100 || 3 * cuts_.cut < cuts_.taken || cuts_.covered < std::min(0.25 * scene_.solver.duration, 1.0))
    return;
  // Where cuts were needed, steps of this length went through.
  const double advised = cuts_.shortCovered / static_cast<double>(std::max(1L, cuts_.shortTaken));
  if (!(perStep * cuts_.covered / advised < 0.5 * static_cast<double>(cuts_.iterations))) return;
  cuts_.said = true;
  char before[160], after[160];
  std::snprintf(before, sizeof before,
                "\": %ld of %ld attempts at a step up to t = %.4g s were cut (the last: ",
                cuts_.cut, cuts_.cut + cuts_.taken, request.t0);
  std::snprintf(after, sizeof after, "); a \"dt\" of %.1g s or less is likely to run faster", advised);
  report.warnings.push_back("dt is long for the motion of \"" + own_.name + before + report.reason + after);
}

}  // namespace tendril::links
