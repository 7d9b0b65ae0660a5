#include "tendril/sensitivities.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "simulation/columns.h"
#include "simulation/inside.h"
#include "simulation/side_by_side.h"
#include "simulation/step_settings.h"
#include "simulation/stepper.h"

namespace tendril {
namespace {

using Parameters = std::map<std::string, double>;

// Of a parameter's size: the change on either side. Its square is what differences leave out, 1e-9, and its inverse is
// what they make of round-off.
const double share = std::ldexp(1, -15);
// Stop rule of runs beside the first, where they solve by themselves: its errors count 1 / share times.
constexpr double tight = 1e-12;
// Of the largest slope of a column so far: a difference between what both sides say of it that is told.
constexpr double unlike = 0.02;
// Of a column's size, where its parameter doubles: a difference between both sides that is less is none.
constexpr double slight = 3e-3;
// Of a column, over its size, by a parameter, over its own: what grows beyond runs away, and no slope says anything.
// What stays within bounds differs by no more than these, over `share`: chaos there is told by its two sides.
constexpr double runaway = 1e6;

std::string brief(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

std::string listOf(const std::vector<ParameterInfo>& all) {
  std::string text;
  for (const ParameterInfo& p : all) {
    if (!p.derived && p.choices.empty()) text += (text.empty() ? "" : ", ") + p.name;
  }
  return text.empty() ? "none that may vary" : text;
}

}  // namespace

struct Sensitivities::Impl {
  /// How both sides of a column have differed most so far.
  struct Uneven {
    double up = 0, down = 0, time = 0;  // changes to either side; [s]
    double gap() const { return std::abs(up - down); }
  };
  struct Varied {
    std::string name;
    double value = 0, change = 0;  // in its unit; half of what both sides differ by
    std::vector<double> slopes;
    std::vector<double> most;    // per column: the largest difference of both sides so far
    std::vector<Uneven> uneven;  // where both sides differ most
    std::vector<Uneven> now;     // at the last accepted state
  };

  std::vector<std::string> names;
  Simulation first;
  std::vector<Simulation> beside;  // the same again, then above and below for each parameter
  std::vector<Varied> varied;
  std::vector<double> sizes;  // per column: the largest of its probe so far
  double cut = -1;            // [s] end of the first step that was cut
  std::string lost;           // why derivatives cannot go on

  Impl(std::string_view text, const Parameters& set, const std::vector<std::string>& with, const Parameters& scales)
      : names(with), first(Inside::unstarted(text, set, {})) {
    const std::vector<ParameterInfo> all = first.parameters();
    for (const std::string& name : with) varied.push_back(vary(name, all, scales));
    for (const auto& [name, scale] : scales) {
      if (std::find(with.begin(), with.end(), name) == with.end())
        throw std::invalid_argument("parameter \"" + name + "\" has a scale, but nothing is differentiated by it");
    }
    beside.reserve(1 + 2 * varied.size());  // references stay
    beside.push_back(Inside::unstarted(text, set, tight));
    const Simulation& base = beside.front();
    for (Varied& v : varied) {
      double ends[2] = {v.value + v.change, v.value - v.change};
      for (const double end : ends) beside.push_back(neighbor(text, set, v.name, end, base));
      v.change = 0.5 * (ends[0] - ends[1]);
    }
    sizes.assign(Inside::columnsIn(first).all().size(), 0);
    for (Varied& v : varied) v.most = v.slopes = sizes, v.uneven.resize(sizes.size()), v.now = v.uneven;
    start();
  }

  static Varied vary(const std::string& name, const std::vector<ParameterInfo>& all, const Parameters& scales) {
    const auto p = std::find_if(all.begin(), all.end(), [&](const ParameterInfo& i) { return i.name == name; });
    const std::string quoted = "parameter \"" + name + "\"";
    if (p == all.end())
      throw std::invalid_argument("no " + quoted + " to differentiate by: the scene has " + listOf(all));
    if (p->derived) throw std::invalid_argument(quoted + " is a formula of others: differentiate by those");
    if (!p->choices.empty()) throw std::invalid_argument(quoted + " is a choice of a menu, which has no derivative");
    const auto given = scales.find(name);
    if (given != scales.end() && !(given->second > 0 && std::isfinite(given->second)))
      throw std::invalid_argument("the scale of " + quoted + " must be more than 0");
    // Of a value on its way through 0 a share would drown in round-off: there, what is large for it counts.
    const bool ranged = p->hasRange && (p->value == 0 || (p->min <= 0 && p->max >= 0));
    const double large = given != scales.end() ? given->second : ranged ? p->max - p->min : 0;
    const double size = p->value != 0 ? std::max(std::abs(p->value), share * large) : large;
    if (!(size > 0) || !std::isfinite(size))
      throw std::invalid_argument(quoted +
                                  " is 0 and has no range, so that nobody knows what a small change of it is: give it "
                                  "\"min\" and \"max\", or a scale here");
    Varied out;
    out.name = name, out.value = p->value, out.change = share * size;
    return out;
  }

  static Simulation neighbor(std::string_view text, Parameters set, const std::string& name, double value,
                             const Simulation& base) {
    set[name] = value;
    const auto refuse = [&](const std::string& why) {
      throw std::invalid_argument("parameter \"" + name + "\" has no derivative here: " + why);
    };
    std::unique_ptr<Simulation> out;
    try {
      out = std::make_unique<Simulation>(Inside::unstarted(text, set, tight));
    } catch (const BadScene& bad) {
      refuse("at " + brief(value) + ", a little beside, " + bad.what());
    }
    if (out->degreesOfFreedom() != base.degreesOfFreedom() || out->columns() != base.columns())
      refuse("it sets how many there are of something, so that it only goes in steps");
    if (stepSettings(Inside::sceneOf(*out).solver) != stepSettings(Inside::sceneOf(base).solver))
      refuse("the steps that the solver takes, or how long the run is, depend on it");
    return std::move(*out);
  }

  void start() {
    Inside::modelIn(first).lead();
    for (Simulation& run : beside) Inside::open(run);
    Inside::start(first, [&](const model::SettleRequest& request) { resettle(request); });
    for (Simulation& run : beside) Inside::columnsIn(run).observe(Inside::modelIn(run), 0);
    measure();
  }

  std::vector<model::Neighbor> neighbors() {
    std::vector<model::Neighbor> out;
    for (std::size_t i = 1; i < beside.size(); ++i)
      out.push_back({&Inside::modelIn(beside[i]), Inside::columnsIn(beside[i]).all().data()});
    return out;
  }

  void resettle(model::SettleRequest request) {
    request.columns = Inside::columnsIn(beside.front()).all().data();
    follow(Inside::modelIn(beside.front()).resettle(request, Inside::modelIn(first), neighbors()));
  }

  void retake(model::StepRequest request) {
    request.columns = Inside::columnsIn(beside.front()).all().data();
    follow(Inside::modelIn(beside.front()).retake(request, Inside::modelIn(first), neighbors()));
  }

  void follow(const model::StepReport& report) {
    if (report.accepted) return;
    lost =
        "the derivatives cannot follow the run: a run with parameters a little beside could not take the same step, "
        "for " +
        report.reason;
    throw GaveUp(lost);
  }

  Progress step(const KeepGoing& keepGoing) {
    if (!lost.empty()) throw GaveUp(lost);
    const double before = first.time();
    Progress progress = first.step(keepGoing);
    if (progress.steps == 0) return progress;
    const double t = first.time();
    if (progress.retries > 0 && cut < 0) cut = t;
    try {
      const Stepper& stepper = Inside::stepperIn(first);
      first.isStatic() ? resettle(stepper.settled()) : retake(stepper.taken());
      for (Simulation& run : beside) {
        ProbeColumns& columns = Inside::columnsIn(run);
        columns.observe(Inside::modelIn(run), t);
        if (!first.isStatic()) columns.advanceStates(t, t - before);
      }
    } catch (const GaveUp&) {
      throw;
    } catch (const std::runtime_error& error) {
      lost = std::string("the derivatives cannot follow the run: ") + error.what();
      throw GaveUp(lost, progress);
    }
    measure();
    return progress;
  }

  void measure() {
    const std::vector<double>& base = Inside::columnsIn(beside.front()).all();
    const scene::Scene& scene = Inside::sceneOf(first);
    const auto grow = [&](std::size_t from, std::size_t to) {
      double most = 0;
      for (std::size_t c = from; c < to; ++c) most = std::isfinite(base[c]) ? std::max(most, std::abs(base[c])) : most;
      for (std::size_t c = from; c < to; ++c) sizes[c] = std::max(sizes[c], most);
    };
    for (const scene::Probe& probe : scene.probes)
      grow(std::size_t(probe.firstColumn), std::size_t(probe.firstColumn + probe.columnCount));
    for (std::size_t c = scene.columns.size(); c < sizes.size(); ++c) grow(c, c + 1);
    for (std::size_t i = 0; i < varied.size(); ++i) {
      const std::vector<double>&above = Inside::columnsIn(beside[2 * i + 1]).all(),
            &below = Inside::columnsIn(beside[2 * i + 2]).all();
      for (std::size_t c = 0; c < sizes.size(); ++c) {
        const double up = above[c] - base[c], down = base[c] - below[c];
        Varied& v = varied[i];
        v.slopes[c] = (up + down) / (2 * v.change);
        if (!std::isfinite(up + down)) continue;
        v.now[c] = {up, down, first.time()};
        v.most[c] = std::max(v.most[c], std::abs(up + down));
        if (std::abs(up - down) > v.uneven[c].gap()) v.uneven[c] = {up, down, first.time()};
      }
    }
  }

  std::vector<Doubt> findings() const {
    std::vector<Doubt> out;
    if (cut >= 0) out.push_back(ofCut());
    for (const Varied& v : varied) {
      std::vector<Kink> kinks;
      std::size_t grown = 0;
      double growth = 1;
      for (std::size_t c = 0; c < sizes.size(); ++c) {
        const Kink kink = kinkOf(v, c);
        if (kink.size > 1) kinks.push_back(kink);
        const double grows = v.most[c] / (2 * share * runaway * sizes[c]);
        if (sizes[c] > 0 && grows > growth) growth = grows, grown = c;
      }
      std::stable_sort(kinks.begin(), kinks.end(), [](const Kink& a, const Kink& b) { return a.size > b.size; });
      if (!kinks.empty()) out.push_back(ofKinks(v, kinks));
      if (growth > 1) out.push_back(ofGrowth(v, grown));
    }
    return out;
  }

  Doubt ofCut() const {
    Doubt out;
    out.time = cut;
    out.words = "a step that ended at t = " + brief(cut) +
                " s was cut: with other parameters it may be cut elsewhere, which no derivative tells";
    return out;
  }

  /// How much both sides of a column differ, over what is told.
  struct Kink {
    std::size_t column = 0;
    Uneven sides;
    double size = 0;
  };

  // Where they differed most, against the largest slope until now; and at the present state, against the slope there.
  Kink kinkOf(const Varied& v, std::size_t c) const {
    const double least = slight * share * sizes[c];
    const Uneven &then = v.uneven[c], &now = v.now[c];
    const double before = then.gap() / (unlike * v.most[c] + least),
                 present = now.gap() / (unlike * std::abs(now.up + now.down) + least);
    return present > before ? Kink{c, now, present} : Kink{c, then, before};
  }

  /// `kinks`: the worst first.
  Doubt ofKinks(const Varied& v, const std::vector<Kink>& kinks) const {
    constexpr std::size_t named = 4;
    const Uneven& u = kinks[0].sides;
    const std::size_t column = kinks[0].column;
    Doubt out{Doubt::Kind::kink, nameOf(column), v.name, u.time, u.up / v.change, u.down / v.change, {}};
    out.words = "\"" + out.column + "\" changes with \"" + v.name + "\" by " + brief(out.upward) + " upward and " +
                brief(out.downward) + " downward at t = " + brief(u.time) +
                " s: there is a kink, such as a contact that one side has and the other has not, or the motion is "
                "chaotic or bends much within so small a change, and the derivative is no more than the mean of both";
    for (std::size_t k = 1; k < kinks.size() && k <= named; ++k)
      out.words += (k == 1 ? "; so it is with \"" : ", \"") + nameOf(kinks[k].column) + "\"";
    if (kinks.size() > named + 1) out.words += " and " + std::to_string(kinks.size() - named - 1) + " more";
    return out;
  }

  Doubt ofGrowth(const Varied& v, std::size_t column) const {
    Doubt out{Doubt::Kind::growth, nameOf(column), v.name, first.time(), 0, 0, {}};
    out.words =
        "\"" + out.column + "\" depends on \"" + v.name +
        "\" more than a million times as much as in proportion: such a motion runs away, and no derivative says "
        "where it goes";
    return out;
  }

  std::string nameOf(std::size_t column) const {
    const scene::Scene& scene = Inside::sceneOf(first);
    return column < scene.columns.size() ? scene.columns[column] : scene.states[column - scene.columns.size()].name;
  }
};

Sensitivities::Sensitivities(std::string_view sceneText, const Parameters& set, const std::vector<std::string>& with,
                             const Parameters& scales)
    : impl_(std::make_unique<Impl>(sceneText, set, with, scales)) {}
Sensitivities::~Sensitivities() = default;
Sensitivities::Sensitivities(Sensitivities&&) noexcept = default;
Sensitivities& Sensitivities::operator=(Sensitivities&&) noexcept = default;

Progress Sensitivities::step(const KeepGoing& keepGoing) { return impl_->step(keepGoing); }
const Simulation& Sensitivities::run() const { return impl_->first; }
const std::vector<std::string>& Sensitivities::with() const { return impl_->names; }
std::span<const double> Sensitivities::slopes(std::size_t parameter) const {
  return impl_->varied.at(parameter).slopes;
}
std::vector<Doubt> Sensitivities::findings() const { return impl_->findings(); }
std::vector<std::string> Sensitivities::doubts() const {
  std::vector<std::string> out;
  for (Doubt& doubt : findings()) out.push_back(std::move(doubt.words));
  return out;
}

}  // namespace tendril
