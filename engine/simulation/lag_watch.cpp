#include "simulation/lag_watch.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <exception>
#include <span>

#include "formula/formula.h"
#include "simulation/blend.h"
#include "simulation/columns.h"
#include "simulation/load_samples.h"
#include "simulation/models.h"

namespace tendril {
namespace {

constexpr double noticed =
    2e-3;  // of a loop's largest value: where no value changes by more in a step, delay is ignored
constexpr double reportedShare = 0.1;  // of the energy supplied, as for integrators
constexpr double targetShare = 0.03;   // of it, at the recommended step

// Age of the columns that formulas see, relative to the time at which a scheme evaluates forces, in steps.
double lateness(const scene::Scene& scene) {
  const auto of = [](scene::Integrator integrator) {
    // Forces are evaluated at the step's start, like the columns.
    if (integrator == scene::Integrator::symplecticEuler) return 0.0;
    return integrator == scene::Integrator::implicitMidpoint ? 0.5 : 1.0;
  };
  double out = 1;
  if (scene.bodyCount() > 0) out = std::min(out, of(scene.solver.integrator));
  if (!scene.linkages.empty()) out = std::min(out, of(scene.solver.linkageIntegrator));
  return out;
}

bool isEuler(const scene::Scene& scene) {
  return (scene.bodyCount() > 0 && scene.solver.integrator == scene::Integrator::implicitEuler) ||
         (!scene.linkages.empty() && scene.solver.linkageIntegrator == scene::Integrator::implicitEuler);
}

// Loads that push. Supports, driven joints and obstacles move immediately with their formulas, and so have velocities
// in the trial steps from which no work can be determined.
bool pushes(std::string pointer) {
  if (pointer.rfind("/linkages/", 0) != 0)
    return pointer.rfind("/loads/", 0) == 0 || pointer.rfind("/actuation/", 0) == 0;
  // The key, without the number of a component.
  std::string key = pointer.substr(pointer.rfind('/') + 1);
  if (key.find_first_not_of("0123456789") == std::string::npos) {
    pointer.erase(pointer.rfind('/'));
    key = pointer.substr(pointer.rfind('/') + 1);
  }
  return key == "torque" || key == "force" || key == "tension";
}

}  // namespace

LagWatch::LagWatch(const scene::Scene& scene) : scene_(scene) {
  if (!scene.solver.dynamic || scene.feedback.empty() || !scene.vines.empty()) return;
  for (const formula::Number& number : scene.feedback) {
    if (!pushes(number.formula()->location().pointer)) return;
    Loop loop;
    loop.number = &number;
    loop.samples = LoadSamples(scene, number);
    loops_.push_back(loop);
  }
  late_ = lateness(scene);
}

LagWatch::~LagWatch() = default;

void LagWatch::forget() {
  for (Loop& loop : loops_) loop.largest = loop.late = loop.size = 0;
  trial_.reset(), copy_.reset();
  steps_ = next_ = looks_ = 0;
  power_ = work_ = 0;
}

// False: the formula has no value there.
bool LagWatch::valueOf(const Loop& loop, double t, const std::vector<double>& columns, double& value) const {
  formula::Input in;
  in.t = t, in.u = 0.5;
  in.parameters = scene_.values.data();
  in.columns = columns.data();
  return loop.samples.valueOf(*loop.number, in, value);
}

// Whether some loop's value changes enough from step to step for the delay to matter.
bool LagWatch::follows(const std::vector<double>& columns, double t) {
  bool out = false;
  for (Loop& loop : loops_) {
    double value = 0, last = 0;
    if (!valueOf(loop, t, columns, value)) continue;
    loop.largest = std::max(loop.largest, std::abs(value));
    // At a fixed time, so that a formula's own dependence on time does not count.
    if (steps_ > 0 && valueOf(loop, t, now_, last)) out = out || std::abs(value - last) > noticed * loop.largest;
  }
  return out;
}

bool LagWatch::tried(const std::vector<double>& seen, double& kinetic, std::vector<double>& after) {
  std::span<const std::byte> in = saved_;
  trial_->restore(in);
  model::StepRequest request;
  request.t0 = time_, request.dt = dt_;
  request.columns = seen.data();
  request.since = time_;
  request.smooth = false;
  if (!trial_->step(request, {}).accepted) return false;
  trial_->observe(static_cast<int>(scene_.probes.size()), {&kinetic, 1});
  columns_->all() = now_;
  columns_->observe(*trial_, time_ + dt_);
  columns_->advanceStates(time_ + dt_, dt_);
  after = columns_->all();
  return true;
}

// Takes a step with the columns that formulas will see, and one with those that they should see: the difference in
// kinetic energy is the work of the force's delayed part.
double LagWatch::powerOfDelay(const model::Model& model) {
  try {
    if (!trial_) {
      copy_ = std::make_unique<scene::Scene>(scene_);
      scene::Probe probe;
      probe.kind = scene::Probe::Kind::energy, probe.energy = scene::EnergyKind::kinetic;
      copy_->probes.push_back(probe);
      trial_ = makeModel(*copy_);
      columns_ = std::make_unique<ProbeColumns>(scene_);
    }
    saved_.clear();
    model.save(saved_);
    double late = 0, timely = 0;
    if (!tried(now_, late, end_)) return 0;
    if (late_ < 1) end_ = ColumnBlend(scene_).between(now_, end_, late_);
    if (!tried(end_, timely, after_)) return 0;
    for (Loop& loop : loops_) {
      double now = 0, then = 0;
      if (!valueOf(loop, time_, now_, now) || !valueOf(loop, time_, end_, then)) continue;
      loop.late += (then - now) * (then - now), loop.size += then * then;
    }
    return std::isfinite(late - timely) ? (late - timely) / dt_ : 0;
  } catch (const std::exception&) {
    return 0;  // a formula without a value, or a model that cannot continue
  }
}

void LagWatch::afterStep(const model::Model& model, double t, double dt, const std::vector<double>& columns) {
  if (late_ == 0) return;
  work_ += dt * power_;
  for (Loop& loop : loops_) loop.samples.see(model);
  const bool follow = follows(columns, t);
  time_ = t, dt_ = dt, now_ = columns;
  longest_ = std::max(longest_, dt);
  if (!follow) power_ = 0;
  if (++steps_ < next_ || !follow) return;
  // Seldom, since it takes two trial steps; more often at first, and unevenly, to avoid resonance with an oscillation.
  constexpr std::array<long, 5> gaps{19, 27, 14, 31, 23};
  next_ = steps_ + std::min(1 + steps_ / 20, gaps[static_cast<std::size_t>(looks_++) % gaps.size()]);
  power_ = powerOfDelay(model);
}

std::string LagWatch::verdict(model::Model& model) const {
  model::WatchedBalance energy;
  if (late_ == 0 || work_ == 0 || !model.energyBalance(energy)) return {};
  // Implicit Euler removes as much energy from a spring as its delay supplies. Other integrators remove surplus energy.
  const double taken = isEuler(scene_) ? std::min(0.0, energy.numerical) : 0;
  const double net = work_ > 0 ? std::max(0.0, work_ + taken) : work_;
  const double came = std::max(energy.given, energy.little);
  if (!(std::abs(net) > reportedShare * came)) return {};
  const auto lateness = [](const Loop& l) { return l.size > 0 ? l.late / l.size : 0; };
  const auto worst = std::max_element(loops_.begin(), loops_.end(),
                                      [&](const Loop& a, const Loop& b) { return lateness(a) < lateness(b); });
  // Supplied energy grows by a factor whose logarithm is proportional to dt.
  const double share = std::min(std::abs(net) / came, 0.999), growth = -std::log(1 - share);
  const double step = longest_ * targetShare / growth, unit = std::pow(10, std::floor(std::log10(step)));
  std::string others;
  if (loops_.size() > 1)
    others =
        " and " + std::to_string(loops_.size() - 1) + (loops_.size() == 2 ? " other that acts" : " others that act");
  char text[400];
  std::snprintf(
      text, sizeof text,
      " act%s one step late, and the delay %s the motion about %.2g J that the scene does not, where %.2g J came in at most: "
      "oscillations %s; take a \"dt\" of about %.1g s, where it is a few percent, or less gain",
      others.empty() ? "s" : "", net > 0 ? "gave" : "took from", std::abs(net), came,
      net > 0 ? "may grow too large or last too long" : "may decay too soon",
      std::floor(step / unit * (1 + 1e-9)) * unit);
  return "the feedback \"" + worst->number->text() + "\" (at " + worst->number->formula()->location().pointer + ")" +
         others + text;
}

}  // namespace tendril
