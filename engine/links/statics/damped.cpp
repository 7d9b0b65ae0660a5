// Damped motion down to a stable equilibrium, where Newton finds none.
#include <cmath>

#include "links/statics/load_step.h"

namespace tendril::links {
namespace {

constexpr int dampedSteps = 1000, dampedFailures = 40;  // failures in a row
constexpr long dampedIterations = 2000;                 // of Newton, in one damped motion

constexpr const char* alike =
    "the static solve met an unstable place that nothing leans off from, as a straight column under too much load: of "
    "its two sides, which are as good, one was taken; a small side load or imperfection chooses";

}  // namespace

// Motion against dashpots on the coordinates, by implicit Euler, from x until what acts is in a stable balance. Steps
// are so short that the dashpots make every tangent definite: each is then a step down, to the side that the forces
// lean to, where a longer one may be drawn to an unstable position, or beyond it. x: where it ends.
bool LoadStep::settleDamped(VectorX& x) {
  if (!jam_.empty()) return false;
  const VectorX even = evenWeights();
  state_.weigh({});
  double w = state_.system->closureUnit() * state_.system->scale() * state_.system->scale(),
         least = 0;  // of a dashpot over the step [N m]
  double movedBefore = 0;
  int failures = 0, pushes = 0;
  bool chosen = false;
  const long before = report_.iterations;
  for (int i = 0; i < dampedSteps && failures < dampedFailures && report_.iterations - before < dampedIterations; ++i) {
    VectorX trial = x;
    state_.system->dashpots = w * even, state_.system->dashpotsFrom = x;
    const solve::NewtonReport newton = solveFrom(settings_, trial);
    state_.system->dashpots.resize(0);
    if (newton.stopped) return false;
    const double moved = newton.converged ? state_.system->updateNorm(trial - x) : 0;
    if (!newton.converged || state_.system->unstable() > 0 || !(moved < 0.3 * state_.system->extent()) ||
        !contactAllows(x, trial) || !leavesSide(trial).empty()) {
      ++failures;
      least = 2 * w;
      w *= 4;
      continue;
    }
    failures = 0;
    x = from_ = trial;
    least *= 0.9;
    if (newton.iterations <= 10) w = std::max(0.25 * w, least);
    const bool calming = moved < 1e-3 * state_.system->extent() && moved < movedBefore;
    movedBefore = moved;
    if (!calming && i % 10 != 9) continue;
    if (comesToRest(x)) {
      if (chosen) report_.warnings.emplace_back(alike);
      return true;
    }
    if (report_.stopped) return false;
    bool leans = false;
    if (pushes < 5 && moved < nowhere * state_.system->extent() && pushOff(x, leans))
      ++pushes, chosen = chosen || !leans;
  }
  return false;
}

// Weights that make a meter of a joint count as much as the turn that moves the chain's length by it.
VectorX LoadStep::evenWeights() const {
  return state_.system->units().head(state_.system->coordinates()).cwiseAbs2().cwiseInverse();
}

// Whether x, where a damped motion is, is in balance, or a stable equilibrium lies close by; x is then that.
bool LoadStep::comesToRest(VectorX& x) {
  VectorX trial = x;
  solve::NewtonReport newton = solveFrom(settings_, trial);
  if (newton.converged && state_.system->updateNorm(trial - x) <= 0.05 * state_.system->extent() &&
      leavesSide(trial).empty()) {
    if (stabilityAt(trial) == Stability::unstable) return false;
    x = trial;
    return true;
  }
  if (newton.stopped) return false;
  // Where nothing holds some motion, Newton may run away along it: being in balance is enough.
  solve::NewtonSettings asItIs = settings_;
  asItIs.iterations = 0;
  trial = x;
  newton = solveFrom(asItIs, trial);
  return newton.converged && stabilityAt(trial) != Stability::unstable;
}

// Moves x off an unstable position near which a motion down rests: to the side that the forces lean to, which `leans`
// says, or to either, where they lean to none. False: the position is not unstable.
bool LoadStep::pushOff(VectorX& x, bool& leans) {
  VectorX motion, at = x, r;
  if (stabilityAt(x, &motion) != Stability::unstable) return false;
  const int n = state_.system->coordinates();
  const VectorX zero = VectorX::Zero(state_.system->size());
  at.tail(state_.system->size() - n) /= state_.system->closureUnit();
  const solve::Evaluation e = state_.system->evaluate({at, zero, zero}, {}, solve::Level::residual, r);
  const double lean = -r.head(n).dot(motion);
  leans = std::abs(lean) > 1e-12 * e.forceScale * state_.system->scale();
  VectorX pushed = x;
  pushed.head(n) += (leans && lean < 0 ? -1e-3 : 1e-3) * motion;
  if (!contactAllows(x, pushed)) return false;
  x = pushed;
  return true;
}

// Whether contacts allow the displacement from one state to another.
bool LoadStep::contactAllows(const VectorX& from, const VectorX& to) {
  if (state_.contact->empty()) return true;
  return state_.system->longestStep(from, to - from) >= 1;
}

// A few times in a run.
void LoadStep::reportDamped(const std::string& at, const std::string& reason) {
  constexpr int most = 5;
  if (++statics_.damped > most) return;
  report_.warnings.push_back(at + "the static solve of \"" + state_.own.name + "\" (" + reason +
                             ") went on by damped motion" +
                             (statics_.damped == most ? "; more of this is not told" : ""));
}

}  // namespace tendril::links
