#include "simulation/feedback_watch.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <memory>

#include "formula/formula.h"
#include "simulation/columns.h"
#include "simulation/models.h"

namespace tendril {
namespace {

constexpr double swing = 1e-3;  // of the largest value so far: smaller oscillations are ignored
constexpr double guilty = 0.5;  // response of one step to an oscillation, negated: weaker ones do not sustain it
constexpr double calm = 0.35;   // a response that decays in a few steps
constexpr int halvings = 20;    // of dt, in search of a stable one
constexpr long patience = 50;   // steps after which a loop that was cleared is tested again

}  // namespace

FeedbackWatch::FeedbackWatch(const scene::Scene& scene) : scene_(scene) {
  if (!scene.solver.dynamic) return;
  const auto watch = [this](const formula::Number& number, int state) {
    Loop loop;
    loop.number = &number, loop.state = state;
    if (state < 0) loop.samples = LoadSamples(scene_, number);
    loops_.push_back(loop);
  };
  for (const formula::Number& number : scene.feedback) watch(number, -1);
  for (std::size_t i = 0; i < scene.states.size(); ++i) {
    if (scene.states[i].rate.seesColumns()) watch(scene.states[i].rate, static_cast<int>(i));
  }
  now_.assign(scene.columns.size() + scene.states.size(), 0.0);
  before_ = now_;
}

formula::Input FeedbackWatch::input(double t, const std::vector<double>& columns) const {
  formula::Input in;
  in.t = t, in.u = 0.5;
  in.parameters = scene_.values.data();
  in.columns = columns.data();
  return in;
}

// False: the formula has no value there, such as a field outside its domain.
bool FeedbackWatch::valueOf(const Loop& loop, double t, const std::vector<double>& columns, double& value) const {
  if (loop.state < 0) return loop.samples.valueOf(*loop.number, input(t, columns), value);
  value = columns[scene_.columns.size() + static_cast<std::size_t>(loop.state)];
  return std::isfinite(value);
}

bool FeedbackWatch::hasReported() const {
  return std::any_of(loops_.begin(), loops_.end(), [](const Loop& loop) { return loop.reported; });
}

void FeedbackWatch::forget() {
  for (Loop& loop : loops_) loop.count = 0, loop.largest = 0;
  steps_ = 0;
}

// Increments at a fixed time, so that a formula's own dependence on time does not count.
void FeedbackWatch::follow(Loop& loop, double t, const std::vector<double>& columns) {
  double value = 0, last = 0;
  if (!valueOf(loop, t, columns, value) || !valueOf(loop, t, now_, last)) {
    loop.count = 0;
    return;
  }
  const double increment = value - last;
  loop.increments[loop.next] = increment;
  loop.next = (loop.next + 1) % window;
  loop.count = std::min(loop.count + 1, window);
  loop.largest = std::max({loop.largest, std::abs(value), std::abs(increment)});
}

// Whether the latest `least` increments alternate in sign in every other step or more, and do not decay.
bool FeedbackWatch::swings(const Loop& loop, int least) const {
  if (loop.count < least) return false;
  const auto at = [&](int back) { return loop.increments[(loop.next - 1 - back + 2 * window) % window]; };
  const int half = least / 2;
  int turns = 0;
  double late = 0, early = 0;
  for (int i = 0; i < least; ++i) {
    if (i + 1 < least) turns += at(i) * at(i + 1) < 0;
    (i < half ? late : early) += std::abs(at(i));
  }
  return 2 * turns >= least - 1 && late >= 0.5 * early && late / half > swing * loop.largest;
}

// Columns, including states, after a step from the saved state in which formulas see `seen`. False: not accepted.
bool FeedbackWatch::columnsAfter(model::Model& trial, std::span<const std::byte> saved, double dt,
                                 const std::vector<double>& seen, std::vector<double>& after) const {
  trial.restore(saved);
  model::StepRequest request;
  request.t0 = time_, request.dt = dt;
  request.columns = seen.data();
  request.since = time_;
  request.smooth = false;
  if (!trial.step(request, {}).accepted) return false;
  ProbeColumns columns(scene_);
  columns.all() = now_;
  columns.observe(trial, time_ + dt);
  columns.advanceStates(time_ + dt, dt);
  after = columns.all();
  return true;
}

// The response of a formula's next value to its latest oscillation, as a fraction of it.
FeedbackWatch::Answer FeedbackWatch::answerOf(const Loop& loop, model::Model& trial,
                                              const std::vector<std::byte>& saved, double dt) const {
  double now = 0, last = 0, with = 0, without = 0, ahead = 0, behind = 0;
  if (!valueOf(loop, time_, now_, now) || !valueOf(loop, time_, before_, last) || now == last) return {};
  std::vector<double> a, b;
  if (!columnsAfter(trial, saved, dt, now_, a) || !columnsAfter(trial, saved, dt, before_, b)) return {};
  if (!valueOf(loop, time_, a, with) || !valueOf(loop, time_, b, without)) return {};
  // Where the formula has a kink, as at a limit, its slope midway may exceed the mean between the ends.
  constexpr double little = 1e-3;
  std::vector<double> x(a.size()), y(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double middle = 0.5 * (now_[i] + before_[i]), by = little * (a[i] - b[i]);
    x[i] = middle + by, y[i] = middle - by;
  }
  Answer out;
  out.known = true;
  out.gain = (with - without) / (now - last);
  if (valueOf(loop, time_, x, ahead) && valueOf(loop, time_, y, behind)) {
    out.gain = std::min(out.gain, (ahead - behind) / (2 * little * (now - last)));
  }
  return out;
}

// A state's own value in its rate, by an explicit Euler step.
FeedbackWatch::Answer FeedbackWatch::answerOfState(const Loop& loop, double dt) const {
  const std::size_t at = scene_.columns.size() + static_cast<std::size_t>(loop.state);
  std::vector<double> without = now_;
  without[at] = before_[at];
  if (now_[at] == before_[at]) return {};
  try {
    const double change = (*loop.number)(input(time_, now_)) - (*loop.number)(input(time_, without));
    return {true, dt * change / (now_[at] - before_[at])};
  } catch (const formula::Failure&) {
    return {};
  }
}

std::string FeedbackWatch::judge(Loop& loop, const model::Model& model) {
  loop.quietUntil = steps_ + patience;
  std::unique_ptr<model::Model> trial;
  std::vector<std::byte> saved;
  if (loop.state < 0) trial = makeModel(scene_), model.save(saved);
  const auto answer = [&](double dt) -> Answer {
    try {
      return loop.state < 0 ? answerOf(loop, *trial, saved, dt) : answerOfState(loop, dt);
    } catch (const std::exception&) {
      return {};  // a formula without a value, or a model that cannot continue
    }
  };
  const Answer own = answer(dt_);
  // Where not even one step succeeds, shorter ones may.
  if (own.known && own.gain > -guilty) return {};
  double stableStep = 0;
  bool strong = own.known;
  for (int k = 1; k <= halvings && stableStep == 0; ++k) {
    const Answer shorter = answer(std::ldexp(dt_, -k));
    strong = strong || (shorter.known && shorter.gain < -guilty);
    if (shorter.known && shorter.gain > -calm) stableStep = std::ldexp(dt_, -k);
  }
  if (!strong) return {};
  loop.reported = true;
  const formula::Location& location = loop.number->formula()->location();
  char gain[80] = "", cure[160];
  if (own.known)
    std::snprintf(gain, sizeof gain, " (in a step of %.3g s it answers %.2g times its own change)", dt_, -own.gain);
  if (stableStep > 0) {
    const double unit = std::pow(10, std::floor(std::log10(stableStep)));
    std::snprintf(cure, sizeof cure, "take a \"dt\" of %.1g s or less, or less gain",
                  std::floor(stableStep / unit * (1 + 1e-9)) * unit);
  } else {
    std::snprintf(
        cure, sizeof cure,
        "no shorter \"dt\" stabilizes it either: take less gain, or let it see a state that follows with a delay");
  }
  char when[40];
  std::snprintf(when, sizeof when, "%.4g", time_);
  return "the feedback \"" + loop.number->text() + "\" (at " + location.pointer +
         ") is too strong for its step: at t = " + when + " s it oscillates from step to step" + gain +
         ", and what follows is not the motion of the scene; " + cure;
}

std::vector<std::string> FeedbackWatch::afterStep(const model::Model& model, double t, double dt,
                                                  const std::vector<double>& columns) {
  std::vector<std::string> out;
  if (loops_.empty()) return out;
  for (Loop& loop : loops_) loop.samples.see(model);
  if (steps_ > 0) {
    for (Loop& loop : loops_) {
      if (!loop.reported) follow(loop, t, columns);
    }
  }
  before_.swap(now_);
  now_ = columns;
  time_ = t, dt_ = dt;
  ++steps_;
  for (Loop& loop : loops_) {
    if (loop.reported || steps_ < loop.quietUntil || !swings(loop, window)) continue;
    std::string warning = judge(loop, model);
    if (!warning.empty()) out.push_back(std::move(warning));
  }
  return out;
}

std::vector<std::string> FeedbackWatch::afterFailure(const model::Model& model) {
  constexpr int few = 4;
  std::vector<std::string> out;
  for (Loop& loop : loops_) {
    if (loop.reported || !swings(loop, few)) continue;
    std::string warning = judge(loop, model);
    if (!warning.empty()) out.push_back(std::move(warning));
  }
  return out;
}

}  // namespace tendril
