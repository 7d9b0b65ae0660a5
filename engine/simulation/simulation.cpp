#include "tendril/simulation.h"
#include "geometry/sort_rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <optional>
#include <set>

#include "model/archive.h"
#include "model/balance_probe.h"
#include "scene/load/load.h"
#include "simulation/blend.h"
#include "simulation/check_log.h"
#include "simulation/columns.h"
#include "simulation/feedback_watch.h"
#include "simulation/inside.h"
#include "simulation/lag_watch.h"
#include "simulation/models.h"
#include "simulation/stepper.h"

namespace tendril {

template <>
inline constexpr model::Contents model::contentsOf<Stepper::State> = model::Contents::other;
template <>
inline constexpr model::Contents model::contentsOf<CheckLog::Entry> = model::Contents::other;

namespace {

using Overrides = std::map<std::string, double>;
using Settled = std::function<void(const model::SettleRequest&)>;

std::unique_ptr<scene::Scene> load(const std::string& text, const Overrides& overrides) {
  scene::LoadOptions options;
  options.overrides = overrides;
  auto result = scene::loadScene(text, options);
  if (auto* problems = std::get_if<Problems>(&result)) throw BadScene(std::move(*problems));
  return std::make_unique<scene::Scene>(std::move(std::get<scene::Scene>(result)));
}

// FNV-1a, enough to tell one scene text from another, and a damaged save from a whole one.
std::uint64_t fingerprint(std::string_view text) {
  std::uint64_t h = 1469598103934665603ull;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 1099511628211ull;
  return h;
}

// Of the most energy in play, and of what dampers, drag and friction took: integrators that take more are told. Of what
// came in: those that make more are.
constexpr double toldShare = 0.1;
// Times what came in: explicit integrators that make more are unstable. At 0.95 of the longest stable step the energy
// of the fastest vibration goes up and down by 39 times itself.
constexpr double unstableShare = 100;
constexpr double unstableGrain = 32;  // steps of dt between two looks at that

// The last byte grows with every change of what is saved.
constexpr std::uint64_t saveFormat = 0x54454e4452494c08ull;

std::array<std::vector<float>*, 10> listsOf(Snapshot& s) {
  return {&s.positions, &s.obstacles, &s.joints,    &s.tendons, &s.tensions,
          &s.contacts,  &s.directors, &s.curvature, &s.strain,  &s.energy};
}

}  // namespace

const char* version() { return TENDRIL_VERSION; }

BadScene::BadScene(Problems list)
    : std::runtime_error(list.empty() ? "the scene cannot be loaded" : list.front().message),
      problems(std::move(list)) {}

struct Simulation::Impl {
  std::string text;
  Overrides overrides;
  std::unique_ptr<scene::Scene> scene;
  std::unique_ptr<SideBySide> model;
  std::unique_ptr<ProbeColumns> columns;
  std::unique_ptr<Stepper> stepper;
  std::unique_ptr<CheckLog> checks;
  std::unique_ptr<FeedbackWatch> watch;
  std::unique_ptr<LagWatch> lag;
  std::vector<model::PartBalance> parts;  ///< kept, so that a look at them allocates nothing
  std::vector<std::string> waiting;       // warnings of the start, said with the first step
  std::set<std::string> said;
  Snapshot snapshot;
  bool snapshotFresh = false;
  // A live parameter changed since the state was accepted: its snapshot was taken before, with the values that belong
  // to it.
  bool snapshotKept = false;

  /// All but the header of a save.
  void visit(model::Archive& archive);

  std::optional<double> duration;  // another end than the scene's [s]
  double stableStep = 0;           // of explicit integrators, at the start [s]

  Impl(std::string sceneText, Overrides given, bool settle, std::optional<double> end = {})
      : text(std::move(sceneText)), overrides(std::move(given)), duration(end) {
    scene = load(text, overrides);
    if (duration) scene->solver.duration = *duration;
    try {
      model = makeModel(*scene);
    } catch (const model::BuildError& error) {
      throw BadScene({scene->source.problem(error.pointer, error.what())});
    } catch (const formula::Failure& failure) {
      throw GaveUp(failure.what());
    }
    for (const model::Remark& r : model->remarks())
      scene->warnings.push_back(scene->source.problem(r.pointer, r.message));
    refuseUnstable();
    columns = std::make_unique<ProbeColumns>(*scene);
    stepper = std::make_unique<Stepper>(*scene, *model);
    checks = std::make_unique<CheckLog>(*scene);
    watch = std::make_unique<FeedbackWatch>(*scene);
    lag = std::make_unique<LagWatch>(*scene);
    if (settle) start();
  }

  static std::unique_ptr<Impl> restored(const std::string& text, std::span<const std::byte> bytes,
                                        const Overrides* instead);

  bool isExplicit() const {
    const scene::Integrator integrator = scene->solver.integrator;
    return scene->solver.dynamic &&
           (integrator == scene::Integrator::symplecticEuler || integrator == scene::Integrator::verlet) &&
           (scene->bodyCount() > 0 || !scene->linkages.empty());
  }

  void refuseUnstable() {
    if (!scene->solver.dynamic) return;
    const double limit = stableStep = model->stableStep();
    const scene::Solver& solver = scene->solver;
    const bool adapts = solver.adaptive && solver.dt <= limit;
    const double longest = adapts ? solver.maxStep : solver.dt;
    if (longest <= limit) return;
    const char* name = adapts ? "adaptive.max" : "dt";
    // Explicit are the springs of vines, the integrator of all else, or both.
    const bool springs = std::any_of(scene->vines.begin(), scene->vines.end(),
                                     [](const scene::Vine& vine) { return !vine.implicitSprings; });
    const bool integrator = isExplicit();
    std::string instead = springs ? "\"springs\": \"implicit\" for vines" : "";
    if (integrator) instead += std::string(springs ? " and " : "") + "an implicit integrator";
    char message[240];
    std::snprintf(message, sizeof message,
                  "%s = %.6g s is too long for %s here: the stable step is %.4g s; take a smaller %s or %s", name,
                  longest, integrator ? "an explicit integrator" : "explicit springs", limit, name, instead.c_str());
    throw BadScene({scene->source.problem(adapts ? "/solver/adaptive/max" : "/solver/dt", message)});
  }

  void open() {
    columns->observe(*model, 0);
    model->begin(columns->all().data());
  }

  // The state at t = 0: equilibrium where it is asked for, probes, checks.
  void start(const Settled& settled = {}) {
    try {
      open();
      if (scene->solver.dynamic && scene->solver.startEquilibrium) settleAtStart(settled);
      columns->observe(*model, 0);
      for (const std::string& w : columns->takeWarnings()) waiting.push_back(w);
      checks->observe(0, columns->all(), false);
    } catch (const formula::Failure& failure) {
      Progress spent;
      spent.warnings = columns->takeWarnings();
      throw GaveUp(failure.what(), spent);
    }
  }

  // At once where that goes, else in parts.
  void settleAtStart(const Settled& settled) {
    model::SettleRequest request;
    request.columns = columns->all().data();
    request.equilibrium = true;
    constexpr double least = 1.0 / 256;
    double done = 0, part = 1;
    Progress spent;
    while (done < 1) {
      request.factor = std::min(1.0, done + part);
      const model::StepReport report = model->settle(request, {});
      spent.iterations += report.iterations;
      waiting.insert(waiting.end(), report.warnings.begin(), report.warnings.end());
      if (report.accepted) {
        done = request.factor;
        if (settled) settled(request);
        continue;
      }
      ++spent.retries;
      part *= 0.5;
      if (part >= least) continue;
      spent.warnings = waiting;
      throw GaveUp("no equilibrium was found to start from, " + std::to_string(spent.iterations) + " iterations and " +
                       std::to_string(spent.retries - 1) + " cuts of the load on: " + report.reason,
                   spent);
    }
  }

  void say(std::vector<std::string>& out, const std::vector<std::string>& warnings) {
    for (const std::string& w : warnings) {
      if (said.insert(w).second) out.push_back(w);
    }
  }

  // What counts as the integrator's loss [J], beside what it is held against, and the share of that which is let pass.
  struct Loss {
    double energy, of, share;
  };

  // At the end; or at the time at which it was worst, before more came into play: a run begins with steps that lose
  // much of the little that there is, so more is let pass there.
  static Loss lossOf(const model::WatchedBalance& e) {
    const Loss last{-e.numerical, std::max(e.peak, e.dissipated), toldShare}, worst{e.lost, e.lostOf, 3 * toldShare};
    return worst.energy * last.share * last.of > last.energy * worst.share * worst.of ? worst : last;
  }

  // How much more the integrator made or took of a part than what is let pass: 1 or less is.
  static double excess(const model::WatchedBalance& e, bool gain) {
    if (gain) return e.numerical > e.little ? e.numerical / (toldShare * e.given) : 0;
    const Loss loss = lossOf(e);
    return loss.energy > e.little ? loss.energy / (loss.share * loss.of) : 0;
  }

  // At the end of a run, where the most that was in play is known. Each part by its own energy; those with the most are
  // told of.
  void sayNumericalEnergy(Progress& progress) {
    if (!scene->solver.dynamic) return;
    parts.clear();
    model->energyOfParts(parts);
    for (const bool gain : {true, false}) {
      std::vector<model::PartBalance> told;
      std::copy_if(parts.begin(), parts.end(), std::back_inserter(told),
                   [gain](const model::PartBalance& p) { return excess(p.energy, gain) > 1; });
      if (told.empty()) continue;
      geometry::sortRows(told, [gain](const model::PartBalance& a, const model::PartBalance& b) {
        return gain ? a.energy.numerical > b.energy.numerical : lossOf(a.energy).energy > lossOf(b.energy).energy;
      });
      std::string of = parts.size() < 2 ? "" : model::motionOf(told[0].body, told[0].bodies, *scene);
      if (told.size() > 1)
        of += ", and more than a tenth in " + std::to_string(told.size() - 1) +
              (told.size() == 2 ? " other part" : " other parts");
      const model::WatchedBalance& e = told[0].energy;
      if (gain) {
        say(progress.warnings,
            {"the integrator made " + brief(e.numerical) + " J" + (of.empty() ? "" : " in the motion" + of) +
             " that nothing gave, against at most " + brief(e.given) +
             " J that came in: do not trust the motion; "
             "a shorter \"dt\" makes less" +
             otherIntegrators(gain)});
      } else {
        say(progress.warnings, {"the integrator took " + brief(lossOf(e).energy) + " J out of the motion" + of +
                                ", which no damper, drag or friction did, against at most " + brief(lossOf(e).of) +
                                " J in motion, bending and contact until then: a shorter \"dt\" takes less" +
                                otherIntegrators(gain) + losesAtJumps()});
      }
      return;
    }
  }

  // What begins in touch is pushed away by what its contact stores there, the harder the stiffer: no matter where other
  // motion is more by far.
  void sayPressedAtStart(Progress& progress) {
    if (!scene->solver.dynamic || scene->solver.startEquilibrium) return;
    parts.clear();
    model->energyOfParts(parts);
    for (const model::PartBalance& p : parts) {
      if (!(p.energy.pressed > toldShare * p.energy.peak)) continue;
      const std::string of = parts.size() < 2 ? "" : model::motionOf(p.body, p.bodies, *scene);
      say(progress.warnings,
          {"as the run began, contact stored " + brief(p.energy.pressed) + " J, of at most " + brief(p.energy.peak) +
           " J in motion, bending and contact at one time" + of +
           ": what begins nearer to an obstacle or another body than the contact \"distance\" is thrown off; begin farther away, "
           "or with \"start\": \"equilibrium\""});
      return;
    }
  }

  static std::string brief(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", value);
    return text;
  }

  // Mid-edge normals have no inertia: what a jump makes them give up is lost at once, however short the step.
  std::string losesAtJumps() const {
    const bool normals = std::any_of(scene->shells.begin(), scene->shells.end(),
                                     [](const scene::Shell& s) { return s.bending == scene::Shell::Bending::midedge; });
    const bool jumps = std::any_of(scene->actuation.begin(), scene->actuation.end(), [this](const scene::Actuation& a) {
      const auto inside = [this](double t) { return t > 0 && t < scene->solver.duration; };
      return a.ofHinges() && (inside(a.interval.from) || inside(a.interval.until));
    });
    return normals && jumps
               ? "; where actuation jumps, let it grow in time: mid-edge normals lose at a jump what no \"dt\" saves"
               : "";
  }

  std::string otherIntegrators(bool gains) const {
    const scene::Integrator integrator =
        scene->linkages.empty() ? scene->solver.integrator : scene->solver.linkageIntegrator;
    const bool loops = std::any_of(scene->linkages.begin(), scene->linkages.end(),
                                   [](const scene::Linkage& l) { return !l.loops.empty(); });
    std::string text;
    const bool euler = integrator == scene::Integrator::implicitEuler;
    // Loops run with two integrators.
    if (euler && !gains) text += loops ? ", \"generalized-alpha\" much less" : ", \"bdf2\" much less";
    if (loops && gains && !euler) text += ", and \"implicit-euler\" takes energy out instead";
    if (!loops && integrator != scene::Integrator::implicitMidpoint) {
      text += ", and \"implicit-midpoint\" keeps energy";
      // Steps in which links collide with obstacles are of implicit Euler, whatever the integrator.
      if (!scene->linkages.empty() && !scene->obstacles.empty()) text += " but what impacts take";
    }
    return text;
  }

  // What has become unstable gains without bound. Looked at now and then: it costs a good part of a step.
  void refuseRunaway(double before) {
    const double t = stepper->time(), grain = unstableGrain * scene->solver.dt;
    if (!isExplicit() || (std::floor(before / grain) == std::floor(t / grain) && !stepper->finished())) return;
    parts.clear();
    model->energyOfParts(parts);
    const auto unstable = std::find_if(parts.begin(), parts.end(), [](const model::PartBalance& p) {
      return p.energy.numerical > unstableShare * std::max(p.energy.given, p.energy.little);
    });
    if (unstable == parts.end()) return;
    const model::WatchedBalance& energy = unstable->energy;
    char text[320];
    std::snprintf(
        text, sizeof text,
        "by t = %.6g s the explicit integrator has made %.3g J, where %.3g J came in at most: it has become unstable; "
        "the stable step was %.4g s at the start and has become shorter than dt = %.6g s since; take a shorter dt or "
        "an implicit integrator",
        t, energy.numerical, energy.given, stableStep, scene->solver.dt);
    throw std::runtime_error(text);
  }

  void sayLag(Progress& progress) {
    // What swings from step to step says nothing of swings that steps resolve.
    const std::string warning = watch->hasReported() ? "" : lag->verdict(*model);
    if (!warning.empty()) say(progress.warnings, {warning});
  }

  bool stepOnce(Progress& progress, const KeepGoing& keepGoing) {
    const double before = stepper->time();
    const auto pay = [&](const StepCost& cost) {
      progress.iterations += cost.iterations;
      progress.retries += cost.retries;
      say(progress.warnings, waiting);
      waiting.clear();
      say(progress.warnings, cost.warnings);
    };
    try {
      const StepCost cost = stepper->step(*columns, keepGoing);
      pay(cost);
      if (!cost.accepted) return false;
      ++progress.steps;
      progress.time = stepper->time();
      snapshotFresh = snapshotKept = false;
      const double t = stepper->time();
      columns->observe(*model, t);
      say(progress.warnings, columns->takeWarnings());
      if (scene->solver.dynamic) columns->advanceStates(t, t - before);
      say(progress.warnings, watch->afterStep(*model, t, t - before, columns->all()));
      lag->afterStep(*model, t, t - before, columns->all());
      checks->observe(t, columns->all(), stepper->finished());
      refuseRunaway(before);
      if (stepper->finished()) sayLag(progress), sayNumericalEnergy(progress), sayPressedAtStart(progress);
    } catch (const StepFailure& failure) {
      pay(failure.cost);
      say(progress.warnings, watch->afterFailure(*model));
      sayLag(progress);
      throw GaveUp(failure.what(), progress, failure.repeats);
    } catch (const std::runtime_error& error) {
      throw GaveUp(error.what(), progress);
    }
    return true;
  }
};

Simulation::Simulation(std::string_view sceneText, const Overrides& overrides)
    : impl_(std::make_unique<Impl>(std::string(sceneText), overrides, true)) {}
Simulation::Simulation(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

const scene::Scene& Inside::sceneOf(const Simulation& simulation) { return *simulation.impl_->scene; }
scene::Scene& Inside::sceneIn(Simulation& simulation) { return *simulation.impl_->scene; }
SideBySide& Inside::modelIn(Simulation& simulation) { return *simulation.impl_->model; }
ProbeColumns& Inside::columnsIn(Simulation& simulation) { return *simulation.impl_->columns; }
Stepper& Inside::stepperIn(Simulation& simulation) { return *simulation.impl_->stepper; }
Simulation Inside::unstarted(std::string_view sceneText, const Overrides& overrides, std::optional<double> tolerance) {
  auto impl = std::make_unique<Simulation::Impl>(std::string(sceneText), overrides, false);
  scene::Solver& solver = impl->scene->solver;
  if (tolerance) solver.tolerance = std::min(solver.tolerance, *tolerance);
  return Simulation(std::move(impl));
}
void Inside::open(Simulation& simulation) { simulation.impl_->open(); }
void Inside::start(Simulation& simulation, const std::function<void(const model::SettleRequest&)>& settled) {
  simulation.impl_->start(settled);
}
Simulation Inside::copyOf(const Simulation& simulation) {
  const Simulation::Impl& from = *simulation.impl_;
  Simulation out(std::make_unique<Simulation::Impl>(from.text, from.overrides, false, from.duration));
  out.restore(simulation.save());
  return out;
}

const std::string& Simulation::title() const { return impl_->scene->title; }
const std::string& Simulation::description() const { return impl_->scene->description; }
const Problems& Simulation::sceneWarnings() const { return impl_->scene->warnings; }

Progress Simulation::step(const KeepGoing& keepGoing) {
  Progress progress;
  progress.time = time();
  if (!finished()) impl_->stepOnce(progress, keepGoing);
  return progress;
}

Progress Simulation::advance(double seconds, const KeepGoing& keepGoing) {
  if (std::isnan(seconds)) throw std::invalid_argument("the seconds to advance are not a number");
  Progress progress;
  progress.time = time();
  const double until = time() + seconds - 1e-9 * stepSize();
  while (!finished() && time() < until) {
    if (!impl_->stepOnce(progress, keepGoing)) break;
  }
  return progress;
}

double Simulation::time() const { return impl_->stepper->time(); }
double Simulation::duration() const { return impl_->scene->solver.duration; }
void Simulation::setDuration(double seconds) {
  if (isStatic()) throw std::invalid_argument("a static scene has no other end than its full load");
  if (!(seconds >= time())) throw std::invalid_argument("the run cannot end before the time it has reached");
  if (!std::isfinite(seconds)) throw std::invalid_argument("the end of a run must be finite");
  impl_->scene->solver.duration = seconds;
  impl_->duration = seconds;
}
double Simulation::stepSize() const {
  const scene::Solver& s = impl_->scene->solver;
  return s.dynamic ? std::min(s.dt, s.duration) : s.duration / std::max(1, s.loadSteps);
}
bool Simulation::finished() const { return impl_->stepper->finished(); }
bool Simulation::isStatic() const { return !impl_->scene->solver.dynamic; }
int Simulation::degreesOfFreedom() const { return impl_->model->degreesOfFreedom(); }
std::optional<EnergyBalance> Simulation::energyBalance() const {
  model::WatchedBalance out;
  if (isStatic() || !impl_->model->energyBalance(out)) return std::nullopt;
  return out;
}

double Simulation::maxPenetration() const { return impl_->model->maxPenetration(); }

const std::vector<std::string>& Simulation::columns() const { return impl_->scene->columns; }
std::span<const double> Simulation::values() const {
  return {impl_->columns->all().data(), impl_->scene->columns.size()};
}

std::vector<double> Simulation::between(const std::vector<double>& from, const std::vector<double>& to,
                                        double weight) const {
  return ColumnBlend(*impl_->scene).between(from, to, weight);
}

std::vector<std::pair<std::string, double>> Simulation::states() const {
  std::vector<std::pair<std::string, double>> out;
  for (std::size_t i = 0; i < impl_->scene->states.size(); ++i) {
    out.emplace_back(impl_->scene->states[i].name, impl_->columns->all()[impl_->scene->columns.size() + i]);
  }
  return out;
}

std::vector<ParameterInfo> Simulation::parameters() const {
  std::vector<ParameterInfo> out;
  for (std::size_t i = 0; i < impl_->scene->parameters.size(); ++i) {
    const scene::Parameter& p = impl_->scene->parameters[i];
    ParameterInfo info;
    info.name = p.name, info.label = p.label, info.unit = p.unit;
    info.value = impl_->scene->values[i];
    info.hasRange = p.min && p.max;
    info.min = p.min.value_or(0), info.max = p.max.value_or(0), info.step = p.step.value_or(0);
    info.logarithmic = p.logarithmic, info.live = p.live, info.derived = p.derived;
    info.choices = p.choices;
    out.push_back(info);
  }
  return out;
}

bool Simulation::set(const std::string& name, double value) {
  Overrides next = impl_->overrides;
  next[name] = value;
  const auto& list = impl_->scene->parameters;
  const auto found = std::find_if(list.begin(), list.end(), [&](const scene::Parameter& p) { return p.name == name; });
  if (found != list.end() && found->live) {
    snapshot();
    Problems problems = scene::setLiveParameter(*impl_->scene, static_cast<int>(found - list.begin()), value);
    if (!problems.empty()) throw BadScene(std::move(problems));
    impl_->snapshotKept = true;
    impl_->overrides = next;
    impl_->model->refresh();
    impl_->stepper->discontinuity();
    impl_->watch->forget();
    impl_->lag->forget();
    return true;
  }
  impl_ = std::make_unique<Impl>(impl_->text, next, true, impl_->duration);
  return false;
}

void Simulation::reset() { impl_ = std::make_unique<Impl>(impl_->text, impl_->overrides, true, impl_->duration); }

const Drawing& Simulation::drawing() const { return impl_->model->drawing(); }

const Snapshot& Simulation::snapshot() {
  if (!impl_->snapshotFresh) {
    impl_->model->snapshot(impl_->snapshot);
    impl_->snapshotFresh = true;
  }
  impl_->snapshot.time = time();
  return impl_->snapshot;
}

std::vector<BodyState> Simulation::bodies() const {
  std::vector<BodyState> out;
  impl_->model->bodies(out);
  return out;
}

void Simulation::grab(int point, double x, double y, double z) {
  const std::size_t count = drawing().halfAxes.size() / 2;
  if (point < 0 || static_cast<std::size_t>(point) >= count)
    throw std::invalid_argument("there is no point " + std::to_string(point) + " to grab: the drawing has " +
                                std::to_string(count));
  const Vec3 target(x, y, z);
  if (!target.allFinite()) throw std::invalid_argument("the place to pull a point to must be finite");
  impl_->model->grab(point, target);
}
void Simulation::release() { impl_->model->release(); }

std::vector<CheckResult> Simulation::checks() const { return impl_->checks->results(); }
int Simulation::decidedChecks() const { return impl_->checks->decided(); }

std::vector<int> Simulation::ownChecks() const { return impl_->checks->own(); }

std::vector<Simulation::CheckRun> Simulation::checkRuns() const {
  std::vector<CheckRun> runs;
  for (std::size_t i = 0; i < impl_->scene->checks.size(); ++i) {
    const auto& with = impl_->scene->checks[i].with;
    auto same = std::find_if(runs.begin(), runs.end(), [&](const CheckRun& r) { return r.with == with; });
    if (same == runs.end()) same = runs.insert(with.empty() ? runs.begin() : runs.end(), CheckRun{with, {}});
    same->indices.push_back(static_cast<int>(i));
  }
  return runs;
}

namespace {

/// What a simulation is made of again, before the rest can be visited.
struct SaveHeader {
  std::uint64_t format = saveFormat, scene = 0;
  Overrides overrides;
  std::optional<double> duration;
};

void visit(model::Archive& archive, SaveHeader& header) {
  constexpr std::size_t most = 10000;
  archive(header.format, header.scene);
  std::vector<std::pair<std::string, double>> set(header.overrides.begin(), header.overrides.end());
  archive.resize(set, most);
  for (auto& [name, value] : set) {
    archive.anyList(name, most);
    archive(value);
  }
  header.overrides = Overrides(set.begin(), set.end());
  bool has = header.duration.has_value();
  double duration = header.duration.value_or(0);
  archive(has, duration);
  header.duration = has ? std::optional(duration) : std::nullopt;
}

void visit(model::Archive& archive, CheckLog::State& log, std::size_t columns) {
  archive(log.time, log.started);
  archive.list(log.entries);
  for (std::vector<double>& row : log.values) {
    row.resize(columns, 0.0);
    archive.list(row);
  }
}

}  // namespace

// All that follows from the scene has been made.
void Simulation::Impl::visit(model::Archive& archive) {
  Stepper::State steps = stepper->state();
  archive(steps);
  archive.list(columns->all());
  CheckLog::State log = checks->state();
  tendril::visit(archive, log, columns->all().size());
  if (archive.restores()) {
    log.columns = columns->all();
    stepper->setState(steps);
    checks->setState(log);
  }
  model->visit(archive);
  archive(snapshotKept);
  if (!snapshotKept) return;
  if (archive.restores()) model->snapshot(snapshot);
  for (std::vector<float>* list : listsOf(snapshot)) archive.list(*list);
  snapshotFresh = true;
}

std::vector<std::byte> Simulation::save() const {
  std::vector<std::byte> out;
  model::Archive archive(out);
  SaveHeader header{saveFormat, fingerprint(impl_->text), impl_->overrides, impl_->duration};
  tendril::visit(archive, header);
  impl_->visit(archive);
  std::uint64_t sum = fingerprint({reinterpret_cast<const char*>(out.data()), out.size()});
  archive(sum);
  return out;
}

/// What a run of this text saved, with its own overrides or with these.
std::unique_ptr<Simulation::Impl> Simulation::Impl::restored(const std::string& text, std::span<const std::byte> bytes,
                                                             const Overrides* instead) {
  std::uint64_t format = 0, sum = 0;
  if (bytes.size() >= sizeof format) std::memcpy(&format, bytes.data(), sizeof format);
  if (format >> 8 == saveFormat >> 8 && format != saveFormat)
    throw std::runtime_error("this state was saved by another version of Tendril: run the scene again");
  if (format != saveFormat) throw std::runtime_error("these bytes are not a saved simulation");
  std::memcpy(&sum, bytes.data() + bytes.size() - sizeof sum, sizeof sum);
  bytes = bytes.first(bytes.size() - sizeof sum);
  if (bytes.size() < sizeof format || sum != fingerprint({reinterpret_cast<const char*>(bytes.data()), bytes.size()})) {
    throw std::runtime_error("the saved state is damaged or cut short");
  }
  model::Archive archive(bytes);
  SaveHeader header;
  tendril::visit(archive, header);
  if (header.scene != fingerprint(text)) model::Archive::refuse();
  auto next = std::make_unique<Impl>(text, instead ? *instead : header.overrides, false, header.duration);
  next->visit(archive);
  if (!bytes.empty()) throw std::runtime_error("the saved state is damaged");
  return next;
}

void Simulation::restore(std::span<const std::byte> bytes) { impl_ = Impl::restored(impl_->text, bytes, nullptr); }

Simulation Inside::resumed(std::string_view sceneText, const Overrides& overrides, std::span<const std::byte> saved) {
  return Simulation(Simulation::Impl::restored(std::string(sceneText), saved, &overrides));
}

}  // namespace tendril
