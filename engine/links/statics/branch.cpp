// A branch of equilibria, followed in parts of a load step.
#include <cstdio>
#include <utility>

#include "links/statics/load_step.h"

namespace tendril::links {
namespace {

constexpr int finestPart = 4096;  // of a load step
constexpr int jumps = 20;         // damped motions within one load step

}  // namespace

// The branch of equilibria from x, which is one under the part `done` of the load, to the part `to`. Where it ends, as
// in a snap, damped motion leads to the next one.
bool LoadStep::follow(double done, double to, VectorX& x, std::string& reason) {
  const double least = (to - done) / finestPart;
  double part = 0.5 * (to - done);
  VectorX trial;
  for (int jumped = 0; done < to;) {
    const double factor = done + part < to - 0.5 * least ? done + part : to;
    trial = x;
    loadBy(factor, trial);
    Found found = findFrom(trial, reason);
    if (report_.stopped) return false;
    if (found != Found::sure && part > least) {
      part *= 0.5;
      continue;
    }
    if (found != Found::sure) {
      trial = x;
      loadBy(factor, trial);
      const double beyond = std::exchange(statics_.barrier.factor, factor);
      // As short a part does not close from an equilibrium: what is free does not help.
      if (!jam_.empty()) {
        statics_.barrier.reason = jam_, statics_.barrier.jammed = true;
        return false;
      }
      const bool tooMany = ++jumped > jumps;
      if (tooMany) trial = x, loadBy(to, trial);
      if (!settleDamped(trial)) return false;
      statics_.barrier.factor = beyond;
      char at[160];
      std::snprintf(at, sizeof at, "at load factor %.4g ", factor);
      reportDamped(at, reason);
      // Where each part of the load needs it, as beside a column that may bend to any side, the rest goes at once.
      if (tooMany) {
        x = trial;
        return true;
      }
    }
    x = trial;
    done = factor;
    part *= 2;
  }
  return true;
}

}  // namespace tendril::links
