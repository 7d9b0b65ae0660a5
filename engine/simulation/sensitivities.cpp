#include "tendril/sensitivities.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <optional>

#include "model/state_pair.h"
#include "simulation/columns.h"
#include "simulation/inside.h"
#include "simulation/side_by_side.h"
#include "simulation/step_settings.h"
#include "simulation/stepper.h"

namespace tendril {
namespace {

using Parameters = std::map<std::string, double>;

// Of a parameter's size: the change on either side, to begin with. Its square is what differences leave out, 1e-9, and
// its inverse is what they make of round-off.
const double share = std::ldexp(1, -15);
// Where a run answers a change more and more, or less and less evenly, neighbors come closer by this factor, but to no
// less than this share of places, and this of the parameter.
constexpr double closer = 0.125;
const double least = std::ldexp(1, -22), finest = std::ldexp(1, -40);
// Of how far neighbors are from the run: what their mean may be off it. Its square, 1.5e-8, is what a step's slopes
// leave out. They go apart again where it is less than that by the other factor.
const double unevenest = std::ldexp(1, -13), farther = std::ldexp(1, -10);
// Where closer neighbors are not by that much more even, it is not for what bends that they are not. Smooth answers: by
// `closer`.
constexpr double mended = 0.25;
// Of a column's size, where its parameter doubles: slopes less than that need not be even.
constexpr double minor = 1e-3;
// Of the numbers of a state: what both sides may differ by from round-off.
constexpr double rounded = 1e-13;
// Stop rule of runs beside the first, where they solve by themselves, since its errors count 1 / share times; and of
// those that have come closer. Less than that some solves do not reach.
constexpr double tight = 1e-12, tighter = 1e-13;
// Of the largest slope of a column so far: a difference between what both sides say of it that is told.
constexpr double unlike = 0.02;
// Of a column's size, where its parameter doubles: a difference between both sides that is less is none.
constexpr double slight = 3e-3;
// Of a column, over its size, by a parameter, over its own: what grows beyond runs away, as chaos does, and no slope
// says anything.
constexpr double runaway = 1e6;

std::string fourDigits(double value) {
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
  /// The slopes to both sides of a column.
  struct Sides {
    double up = 0, down = 0, time = 0;  // [s]
    double gap() const { return std::abs(up - down); }
  };
  /// How places, rates or a column have answered a parameter so far.
  struct Answer {
    double most = 0;   // the largest slope
    double tried = 0;  // unevenness that neighbors closer by did not mend
  };
  struct Varied {
    std::string name;
    double value = 0, size = 0;   // in its unit; what is large for it
    double change = 0, wide = 0;  // half of what both sides differ by: now, and to begin with
    std::vector<double> slopes;
    std::vector<double> most;     // per column: the largest slope so far
    std::vector<Sides> uneven;    // where both sides differ most
    std::vector<Sides> now;       // at the last accepted state
    std::vector<Answer> answers;  // of places and rates, then per column
  };
  /// Where a run stands: its columns, and what its model saves.
  using Standing = model::SavedState;
  /// One try of a step, or a static solve, by the run that only takes them again and these neighbors.
  using Take = std::function<model::StepReport(const std::vector<model::Neighbor>&)>;
  /// Observes a run after it.
  using See = std::function<void(Simulation&)>;

  std::string text;
  Parameters set;
  std::vector<std::string> names;
  Simulation first;
  std::vector<Simulation> beside;  // the same again, then above and below for each parameter
  std::vector<Varied> varied;
  std::vector<double> sizes;           // per column: the largest of its probe so far
  std::vector<Standing> before;        // of `beside`, before the step; kept to reuse memory
  Standing after;                      // of the run taken again, after it
  std::vector<model::Spread> spreads;  // of its lists, as neighbors lie about it
  std::vector<double> uneven, far;     // of these lists, then columns: look()
  double cut = -1;                     // [s] end of the first step that was cut
  std::string lost;                    // why derivatives cannot go on

  Impl(std::string_view sceneText, const Parameters& given, const std::vector<std::string>& with,
       const Parameters& scales)
      : text(sceneText), set(given), names(with), first(Inside::unstarted(text, set, {})) {
    const std::vector<ParameterInfo> all = first.parameters();
    for (const std::string& name : with) varied.push_back(vary(name, all, scales));
    for (const auto& [name, scale] : scales) {
      if (std::find(with.begin(), with.end(), name) == with.end())
        throw std::invalid_argument("parameter \"" + name + "\" has a scale, but nothing is differentiated by it");
    }
    beside.reserve(1 + 2 * varied.size());  // references stay
    beside.push_back(Inside::unstarted(text, set, tight));
    for (Varied& v : varied) {
      std::vector<Simulation> pair = neighbors(v, share * v.size);
      std::move(pair.begin(), pair.end(), std::back_inserter(beside));
      v.wide = v.change;
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
    out.name = name, out.value = p->value, out.size = size;
    return out;
  }

  /// The two on either side at this change of a parameter, which it then has to the last digit.
  std::vector<Simulation> neighbors(Varied& v, double change) const {
    const double ends[2] = {v.value + change, v.value - change};
    std::vector<Simulation> out;
    const double tolerance = change < share * v.size ? tighter : tight;
    for (const double end : ends) out.push_back(neighbor(v.name, end, tolerance));
    v.change = 0.5 * (ends[0] - ends[1]);
    return out;
  }

  Simulation neighbor(const std::string& name, double value, double tolerance) const {
    const Simulation& base = beside.front();
    Parameters own = set;
    own[name] = value;
    const auto refuse = [&](const std::string& why) {
      throw std::invalid_argument("parameter \"" + name + "\" has no derivative here: " + why);
    };
    std::unique_ptr<Simulation> out;
    try {
      out = std::make_unique<Simulation>(Inside::unstarted(text, own, tolerance));
    } catch (const BadScene& bad) {
      refuse("at " + fourDigits(value) + ", a little beside, " + bad.what());
    }
    if (out->degreesOfFreedom() != base.degreesOfFreedom() || out->columns() != base.columns())
      refuse("it sets how many there are of something, so that it only goes in steps");
    scene::Solver solver = Inside::sceneOf(*out).solver;
    solver.tolerance = Inside::sceneOf(base).solver.tolerance;
    if (stepSettings(solver) != stepSettings(Inside::sceneOf(base).solver))
      refuse("the steps that the solver takes, or how long the run is, depend on it");
    return std::move(*out);
  }

  void start() {
    Inside::modelIn(first).lead();
    for (Simulation& run : beside) Inside::open(run);
    Inside::start(first, [&](const model::SettleRequest& request) { resettle(request, [](Simulation&) {}); });
    for (Simulation& run : beside) Inside::columnsIn(run).observe(Inside::modelIn(run), 0);
    measure();
  }

  Progress step(const KeepGoing& keepGoing) {
    if (!lost.empty()) throw GaveUp(lost);
    const double before = first.time();
    Progress progress = first.step(keepGoing);
    if (progress.steps == 0) return progress;
    const double t = first.time();
    if (progress.retries > 0 && cut < 0) cut = t;
    const Stepper& stepper = Inside::stepperIn(first);
    const See see = [&](Simulation& run) {
      ProbeColumns& columns = Inside::columnsIn(run);
      columns.observe(Inside::modelIn(run), t);
      if (!first.isStatic()) columns.advanceStates(t, t - before);
    };
    first.isStatic() ? resettle(stepper.settled(), see) : retake(stepper.taken(), see);
    measure();
    return progress;
  }

  void resettle(const model::SettleRequest& asked, const See& see) {
    model::SettleRequest request = asked;
    follow(
        [&](const std::vector<model::Neighbor>& neighbors) {
          request.columns = Inside::columnsIn(beside.front()).all().data();
          return Inside::modelIn(beside.front()).resettle(request, Inside::modelIn(first), neighbors);
        },
        see);
  }

  void retake(const model::StepRequest& asked, const See& see) {
    model::StepRequest request = asked;
    follow(
        [&](const std::vector<model::Neighbor>& neighbors) {
          request.columns = Inside::columnsIn(beside.front()).all().data();
          return Inside::modelIn(beside.front()).retake(request, Inside::modelIn(first), neighbors);
        },
        see);
  }

  static void keep(Simulation& run, Standing& out) {
    out.clear();
    model::Archive archive(out);
    for (double& column : Inside::columnsIn(run).all()) archive(column);
    Inside::modelIn(run).visit(archive);
  }

  static void putBack(Simulation& run, const Standing& standing) {
    std::span<const std::byte> bytes = standing.bytes;
    model::Archive archive(bytes);
    for (double& column : Inside::columnsIn(run).all()) archive(column);
    Inside::modelIn(run).visit(archive);
  }

  Simulation& above(std::size_t i) { return beside[2 * i + 1]; }
  Simulation& below(std::size_t i) { return beside[2 * i + 2]; }

  /// Why a step was not taken by the run again and the neighbors by parameters from `begin` to `end`; empty where it
  /// was.
  std::string attempt(const Take& take, const See& see, std::size_t begin, std::size_t end) {
    std::vector<model::Neighbor> with;
    for (std::size_t i = 2 * begin + 1; i < 2 * end + 1; ++i)
      with.push_back({&Inside::modelIn(beside[i]), Inside::columnsIn(beside[i]).all().data()});
    try {
      const model::StepReport report = take(with);
      if (!report.accepted) {
        return "a run with parameters a little beside could not take the same step, for " + report.reason;
      }
      see(beside.front());
      for (std::size_t i = 2 * begin + 1; i < 2 * end + 1; ++i) see(beside[i]);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return {};
  }

  // Neighbors that cannot take a step may do so closer by.
  void follow(const Take& take, const See& see) {
    constexpr int mostTries = 4;
    before.resize(beside.size());
    for (std::size_t i = 0; i < beside.size(); ++i) keep(beside[i], before[i]);
    std::string reason = attempt(take, see, 0, varied.size());
    for (int tries = 1; tries < mostTries && !reason.empty(); ++tries) {
      putBack(beside.front(), before.front());
      bool placed = true;
      for (std::size_t i = 0; i < varied.size() && placed; ++i) placed = place(i, closer, before);
      if (!placed) break;
      reason = attempt(take, see, 0, varied.size());
    }
    if (!reason.empty()) {
      lost = "the derivatives cannot follow the run: " + reason;
      throw GaveUp(lost);
    }
    for (std::size_t i = 0; i < varied.size(); ++i) refine(i, take, see);
  }

  /// Replaces the neighbors by a parameter by others that are `factor` times as far, where all stood `then`; which then
  /// says where these stand. False where there are none: nothing changed.
  bool place(std::size_t i, double factor, std::vector<Standing>& then) {
    Varied& v = varied[i];
    const double was = v.change;
    Standing &up = then[2 * i + 1], &down = then[2 * i + 2];
    if (!model::alike(then[0], up, down)) return false;
    try {
      std::vector<Simulation> pair = neighbors(v, factor * was);
      model::rescale(then[0], up, down, v.change / was);
      putBack(pair[0], up), putBack(pair[1], down);
      above(i) = std::move(pair[0]), below(i) = std::move(pair[1]);
    } catch (const std::exception&) {
      v.change = was;
      return false;
    }
    return true;
  }

  // A step that neighbors take too unevenly is taken again by some that are closer by. Where they do no better, it has
  // a kink, or what is uneven is round-off. Where all is even to many digits they may go apart again.
  void refine(std::size_t i, const Take& take, const See& see) {
    Varied& v = varied[i];
    look(i);
    std::optional<std::size_t> worst = mostUneven(v);
    while (worst && mayComeCloser(v)) {
      const double was = v.change;
      const Standing base = after, up = before[2 * i + 1], down = before[2 * i + 2];
      const std::vector<double> then = uneven;
      std::vector<Simulation> wide;
      wide.push_back(std::move(above(i))), wide.push_back(std::move(below(i)));
      bool better = false;
      if (place(i, closer, before)) {
        putBack(beside.front(), before.front());
        if (attempt(take, see, i, i + 1).empty() && look(i)) better = uneven[*worst] < mended * then[*worst];
      }
      if (!better) {
        putBack(beside.front(), base);
        above(i) = std::move(wide[0]), below(i) = std::move(wide[1]);
        before[2 * i + 1] = up, before[2 * i + 2] = down;
        v.change = was;
        for (std::size_t k = 0; k < then.size() && k < v.answers.size(); ++k) {
          const bool same = k >= uneven.size() || !(uneven[k] < mended * then[k]);
          if (same && then[k] > unevenest) v.answers[k].tried = then[k];
        }
        look(i);
      }
      worst = mostUneven(v);
    }
    remember(v);
    const bool even = std::none_of(uneven.begin(), uneven.end(), [](double e) { return e > farther * unevenest; });
    if (!even || uneven.empty() || !(v.change < v.wide)) return;
    std::vector<Standing> here(beside.size());
    for (const std::size_t run : {std::size_t(0), 2 * i + 1, 2 * i + 2}) keep(beside[run], here[run]);
    place(i, 1 / closer, here);
  }

  // They must stay as far from the run as round-off lets them tell a slope. Where nothing moves, there is
  // none but that of formulas.
  bool mayComeCloser(const Varied& v) const {
    if (closer * v.change < finest * v.size) return false;
    const auto far = [](const model::Spread& s) {
      return s.kind == model::SavedState::Kind::place && closer * s.odd >= least * s.size && s.odd > 0;
    };
    const bool still = std::all_of(spreads.begin(), spreads.end(), [](const model::Spread& s) { return s.odd == 0; });
    return still || std::any_of(spreads.begin(), spreads.end(), far);
  }

  /// How unevenly a parameter's neighbors lie about the run now: of places and rates, and of each column, what
  /// their mean is off the run, over how far they are from it, or were once. False: they cannot be compared.
  bool look(std::size_t i) {
    Varied& v = varied[i];
    uneven.clear(), far.clear();
    Standing up, down;
    after.clear();
    keep(beside.front(), after), keep(above(i), up), keep(below(i), down);
    if (!model::alike(after, up, down)) return false;
    model::spreadOf(after, up, down, spreads);
    const std::vector<double>&base = Inside::columnsIn(beside.front()).all(), &high = Inside::columnsIn(above(i)).all(),
          &low = Inside::columnsIn(below(i)).all();
    if (v.answers.size() != spreads.size() + base.size()) v.answers.assign(spreads.size() + base.size(), {});
    const double dt = first.isStatic() ? 0 : Inside::stepperIn(first).taken().dt;
    const auto add = [&](const model::Spread& s, double roundOff, double little) {
      Answer& answer = v.answers[uneven.size()];
      const double reach = std::max(s.odd, v.change * answer.most);
      const bool told = s.even > roundOff && std::isfinite(s.even) && reach > little;
      uneven.push_back(told ? s.even / reach : 0), far.push_back(s.odd);
      if (uneven.back() <= unevenest) answer.tried = 0;
    };
    double places = 0;
    for (const model::Spread& s : spreads) {
      if (s.kind == model::SavedState::Kind::place) places = s.size;
      const double of = s.kind == model::SavedState::Kind::place ? s.size : dt > 0 ? places / dt : s.size;
      add(s, rounded * std::max(of, s.size), 0);
    }
    for (std::size_t c = 0; c < base.size(); ++c) {
      const double size = std::max(sizes[c], std::abs(base[c]));
      add({model::SavedState::Kind::other, size, 0.5 * std::abs(high[c] - low[c]),
           0.5 * std::abs((high[c] - base[c]) + (low[c] - base[c]))},
          rounded * size, minor * v.change * size / v.size);
    }
    return true;
  }

  /// Where neighbors lie too unevenly, and have not been tried closer by. Nowhere while a kink is in the state: what
  /// bends and what breaks come closer by different laws, and both sides of the kink are to be told.
  std::optional<std::size_t> mostUneven(const Varied& v) const {
    std::optional<std::size_t> out;
    const std::size_t columns = Inside::sceneOf(first).columns.size();
    for (std::size_t k = 0; k < uneven.size(); ++k) {
      const bool shown = k >= spreads.size() && k < spreads.size() + columns;
      if (!shown && v.answers[k].tried > 0) return {};
    }
    for (std::size_t k = 0; k < uneven.size(); ++k) {
      if (uneven[k] > std::max(unevenest, v.answers[k].tried / closer) && (!out || uneven[k] > uneven[*out])) out = k;
    }
    return out;
  }

  void remember(Varied& v) {
    for (std::size_t k = 0; k < far.size(); ++k) {
      if (std::isfinite(far[k])) v.answers[k].most = std::max(v.answers[k].most, far[k] / v.change);
    }
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
      Varied& v = varied[i];
      for (std::size_t c = 0; c < sizes.size(); ++c) {
        const double up = (above[c] - base[c]) / v.change, down = (base[c] - below[c]) / v.change;
        v.slopes[c] = 0.5 * (up + down);
        if (!std::isfinite(up + down)) continue;
        v.now[c] = {up, down, first.time()};
        v.most[c] = std::max(v.most[c], std::abs(v.slopes[c]));
        if (v.now[c].gap() > v.uneven[c].gap()) v.uneven[c] = v.now[c];
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
        const double grows = v.most[c] * v.size / (runaway * sizes[c]);
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
    out.words = "a step that ended at t = " + fourDigits(cut) +
                " s was cut: with other parameters it may be cut elsewhere, which no derivative tells";
    return out;
  }

  /// How much both sides of a column differ, over what is told.
  struct Kink {
    std::size_t column = 0;
    Sides sides;
    double size = 0;
  };

  // Where they differed most, against the largest slope until now; and at the present state, against the slope there.
  Kink kinkOf(const Varied& v, std::size_t c) const {
    const double least = slight * sizes[c] / v.size;
    const Sides &then = v.uneven[c], &now = v.now[c];
    const double before = then.gap() / (2 * unlike * v.most[c] + least),
                 present = now.gap() / (2 * unlike * std::abs(v.slopes[c]) + least);
    return present > before ? Kink{c, now, present} : Kink{c, then, before};
  }

  /// `kinks`: the worst first.
  Doubt ofKinks(const Varied& v, const std::vector<Kink>& kinks) const {
    constexpr std::size_t named = 4;
    const Sides& u = kinks[0].sides;
    const std::size_t column = kinks[0].column;
    Doubt out{Doubt::Kind::kink, nameOf(column), v.name, u.time, u.up, u.down, {}};
    out.words = "\"" + out.column + "\" changes with \"" + v.name + "\" by " + fourDigits(out.upward) + " upward and " +
                fourDigits(out.downward) + " downward at t = " + fourDigits(u.time) +
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
