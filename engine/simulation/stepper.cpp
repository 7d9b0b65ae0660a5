#include "simulation/stepper.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>

#include "geometry/sort_rows.h"

namespace tendril {
namespace {

constexpr long staticIterations = 60000;  // of Newton, in all attempts at one static load step
constexpr double smallest = 1e-6;         // of dt: a step is divided no further
constexpr double sliver = 1e-3;           // of dt: a shorter remainder is merged with the next step
constexpr int mostAsked = 8;              // consecutive parts of one step that models may request

std::string number(double v) {
  char text[40];
  std::snprintf(text, sizeof text, "%.6g", v);
  return text;
}

// What was tried before giving up on the step: "120 iterations and 3 cuts of the step on: ", before the last attempt's
// reason.
std::string attempts(const StepCost& cost, const std::string& step) {
  const long cuts = cost.retries - 1;
  return std::to_string(cost.iterations) + (cost.iterations == 1 ? " iteration" : " iterations") +
         (cuts > 0 ? " and " + std::to_string(cuts) + (cuts == 1 ? " cut of " : " cuts of ") + step : std::string()) +
         " on: ";
}

}  // namespace

Stepper::Stepper(const scene::Scene& scene, model::Model& model) : scene_(scene), model_(model) {
  for (const scene::Check& c : scene.checks) {
    if (c.when == scene::Check::When::time) landings_.push_back(c.time);
  }
  const auto add = [this](const scene::Interval& i) { landings_.push_back(i.from), landings_.push_back(i.until); };
  for (const scene::Constraint& c : scene.constraints) add(c.interval);
  for (const scene::Load& l : scene.loads) add(l.interval);
  for (const scene::Actuation& a : scene.actuation) add(a.interval);
  geometry::sortRows(landings_);
  remembers_ =
      scene.solver.integrator == scene::Integrator::bdf2 || scene.solver.linkageIntegrator == scene::Integrator::bdf2;
  step_ =
      scene.solver.adaptive ? std::clamp(scene.solver.dt, scene.solver.minStep, scene.solver.maxStep) : scene.solver.dt;
}

bool Stepper::finished() const { return time_ >= scene_.solver.duration; }

void Stepper::reportCut(StepCost& cost, const std::string& what, const char* wasCut, const std::string& reason) {
  if (!cut_.empty()) return;
  cutReason_ = reason;
  cut_ = what + " (" + reason + ")" + wasCut + "; further cuts are counted as retries";
  cost.warnings.push_back(cut_);
}

void Stepper::giveUp(const std::string& what, const model::StepReport& report, const StepCost& cost) const {
  const char* step = scene_.solver.dynamic ? "the step" : "the load step";
  throw StepFailure(what + ", " + attempts(cost, step) + report.reason + advice(report), cost,
                    report.reason == cutReason_ ? cut_ : std::string());
}

// What to try where the reason does not say it, and where a smaller step would be something else.
std::string Stepper::advice(const model::StepReport& report) const {
  if (report.advised || report.hopeless) return {};
  if (scene_.solver.adaptive && scene_.solver.dynamic)
    return "; a smaller \"min\" of \"adaptive\", more damping or gentler loads may help";
  if (scene_.solver.dynamic)
    return "; a smaller \"dt\", \"adaptive\" time steps, more damping or gentler loads may help";
  return "; more \"loadSteps\", a smaller load or a dynamic run with damping may help";
}

void Stepper::nextTarget() {
  const scene::Solver& solver = scene_.solver;
  const double dt = solver.dt, duration = solver.duration, slack = 1e-9 * std::min(dt, duration);
  if (!solver.adaptive) step_ = dt;
  // BDF2 beyond a ratio of 2.4 falls back to implicit Euler, at full length after a cut.
  if (remembers_ && lastStep_ > 0) step_ = std::min(step_, 2 * lastStep_);
  if (solver.adaptive) {
    target_ = std::min(time_ + step_, duration);
    for (double landing : landings_) {
      if (landing <= time_ + slack) continue;
      // The remaining time is divided into even steps: a sliver would make the next step restart and grow too fast.
      if (landing < target_ + slack)
        target_ = landing;
      else if (landing < time_ + 2 * step_)
        target_ = time_ + 0.5 * (landing - time_);
      break;
    }
  } else {
    ++count_;
    target_ = base_ + static_cast<double>(count_) * dt;
  }
  if (target_ > duration - slack) target_ = duration;
  inside_ = true;
}

StepCost Stepper::step(ProbeColumns& columns, const model::Continue& keepGoing) {
  const State before = state();
  StepCost cost;
  try {
    scene_.solver.dynamic ? dynamicStep(columns, keepGoing, cost) : staticStep(columns, keepGoing, cost);
    if (!cost.accepted) setState(before);
    return cost;
  } catch (const StepFailure&) {
    setState(before);
    throw;
  } catch (const std::runtime_error& error) {
    setState(before);
    throw StepFailure(error.what(), cost);
  } catch (...) {
    setState(before);
    throw;
  }
}

void Stepper::dynamicStep(ProbeColumns& columns, const model::Continue& keepGoing, StepCost& cost) {
  const scene::Solver& solver = scene_.solver;
  const double slack = 1e-9 * std::min(solver.dt, solver.duration);
  const double least = solver.adaptive ? solver.minStep : smallest * solver.dt;
  if (!inside_) nextTarget();
  double ask = 0;
  int asked = 0;
  for (bool again = false;;) {
    const double rest = target_ - time_;
    // Never leave a sliver: the last part takes all that remains; BDF2, which grows from it, takes the last two halves.
    const double part = remembers_ ? std::min(step_, 0.5 * rest) : step_;
    const double dt = ask > 0 ? ask : step_ >= rest * (1 - 1e-9) ? rest : part;
    model::StepRequest request;
    request.t0 = time_, request.dt = dt;
    request.columns = columns.all().data();
    request.since = time_ - lastStep_;
    request.smooth = smooth_, request.again = again, request.whole = asked >= mostAsked;
    const model::StepReport report = model_.step(request, keepGoing);
    cost.iterations += report.iterations;
    for (const std::string& w : report.warnings) cost.warnings.push_back(w);
    if (report.stopped) return;
    if (report.accepted) {
      cost.accepted = true;
      taken_ = request;
      time_ = dt == rest ? target_ : time_ + dt;
      lastStep_ = dt;
      smooth_ = true;
      if (time_ >= target_ - slack) inside_ = false, time_ = target_;
      if (ask > 0 && inside_ && !solver.adaptive && target_ < solver.duration && target_ - time_ < sliver * solver.dt) {
        nextTarget();
        step_ = target_ - time_;
        return;
      }
      const bool easy = report.iterations <= 5;
      if (solver.adaptive) {
        if (easy) step_ = std::min(2 * std::max(step_, dt), solver.maxStep);
      } else if (easy) {
        step_ = std::min(2 * step_, solver.dt);
      }
      return;
    }
    if (report.ask > 0) {
      ask = report.ask;
      ++asked;
      continue;
    }
    ++cost.retries;
    again = true, ask = 0;
    step_ = 0.5 * dt;
    if (step_ < least || report.hopeless) {
      giveUp("at t = " + number(time_) + " s no step of " + number(dt) + " s or more could be taken", report, cost);
    }
    reportCut(cost, "at t = " + number(time_) + " s a step of " + number(dt) + " s could not be taken", " and was cut",
              report.reason);
  }
}

void Stepper::staticStep(ProbeColumns& columns, const model::Continue& keepGoing, StepCost& cost) {
  const double duration = scene_.solver.duration, full = duration / std::max(1, scene_.solver.loadSteps);
  if (!inside_) {
    ++count_;
    target_ = count_ >= scene_.solver.loadSteps ? duration : static_cast<double>(count_) * full;
    step_ = target_ - time_;
    inside_ = true;
  }
  for (;;) {
    const double rest = target_ - time_;
    const double part = step_ >= rest * (1 - 1e-9) ? rest : step_;
    model::SettleRequest request;
    request.time = duration;
    request.factor = (part == rest ? target_ : time_ + part) / duration;
    request.columns = columns.all().data();
    const model::StepReport report = model_.settle(request, keepGoing);
    cost.iterations += report.iterations;
    for (const std::string& w : report.warnings) cost.warnings.push_back(w);
    if (report.stopped) return;
    if (report.accepted) {
      cost.accepted = true;
      settled_ = request;
      time_ = part == rest ? target_ : time_ + part;
      if (part == rest) inside_ = false;
      return;
    }
    ++cost.retries;
    step_ = 0.5 * part;
    const std::string at = "at load factor " + number(time_ / duration);
    if (report.hopeless || step_ < 1e-4 * full || cost.iterations > staticIterations) {
      giveUp(at + " the static solve found no equilibrium", report, cost);
    }
    reportCut(cost, at + " a load step was cut", "", report.reason);
  }
}

Stepper::State Stepper::state() const { return {time_, base_, target_, step_, lastStep_, count_, smooth_, inside_}; }

void Stepper::setState(const State& s) {
  time_ = s.time, base_ = s.base, target_ = s.target, step_ = s.step, lastStep_ = s.lastStep;
  count_ = s.count, smooth_ = s.smooth, inside_ = s.inside;
}

}  // namespace tendril
