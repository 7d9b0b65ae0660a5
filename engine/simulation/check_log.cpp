#include "simulation/check_log.h"

#include <algorithm>

namespace tendril {
namespace {

bool satisfied(const std::map<std::string, double>& with, const scene::Scene& scene) {
  return std::all_of(with.begin(), with.end(), [&](const auto& entry) {
    const auto named = [&](const scene::Parameter& p) { return p.name == entry.first; };
    const auto found = std::find_if(scene.parameters.begin(), scene.parameters.end(), named);
    return found != scene.parameters.end() &&
           scene.values[static_cast<std::size_t>(found - scene.parameters.begin())] == entry.second;
  });
}

}  // namespace

CheckLog::CheckLog(const scene::Scene& scene) : scene_(scene), blend_(scene) {
  for (const scene::Check& c : scene.checks) mine_.push_back(satisfied(c.with, scene));
  clear();
}

void CheckLog::clear() {
  state_ = State();
  state_.entries.resize(scene_.checks.size());
  state_.values.resize(scene_.checks.size());
}

bool CheckLog::holds(const scene::Check& check, double t, const std::vector<double>& columns) const {
  formula::Input in;
  in.t = t;
  in.parameters = scene_.values.data();
  in.columns = columns.data();
  try {
    return check.expect(in) != 0;
  } catch (const formula::Failure&) {
    return false;  // results() says why
  }
}

// Why a check that was decided with these columns has no value, or empty.
std::string CheckLog::withoutValue(const scene::Check& check, double t, const std::vector<double>& columns) const {
  formula::Input in;
  in.t = t;
  in.parameters = scene_.values.data();
  in.columns = columns.data();
  try {
    check.expect(in);
    return {};
  } catch (const formula::Failure& failure) {
    return std::string("its value is not a number: ") + failure.what();
  }
}

void CheckLog::decide(std::size_t i, bool passed, double t, const std::vector<double>& columns, Decided how) {
  state_.entries[i] = {how, static_cast<std::int32_t>(passed), t};
  state_.values[i] = columns;
}

// Values at a time between the last step and this one.
std::vector<double> CheckLog::between(double time, double t, const std::vector<double>& columns) const {
  return blend_.between(state_.columns, columns, (time - state_.time) / (t - state_.time));
}

// The whole window lies between the last step and this one.
bool CheckLog::missed(const scene::Check& check, double t) const {
  const double slack = 1e-9 * std::min(scene_.solver.dt, scene_.solver.duration);
  return state_.started && state_.time < check.during.from - slack && t > check.during.until + slack;
}

// A window that no step hits is checked at its ends.
void CheckLog::decideBetween(std::size_t i, double t, const std::vector<double>& columns) {
  const scene::Check& c = scene_.checks[i];
  const bool wanted = c.when == scene::Check::When::ever;
  std::vector<double> then = between(c.during.from, t, columns);
  bool held = holds(c, c.during.from, then);
  double at = c.during.from;
  if (held != wanted) {
    then = between(c.during.until, t, columns), at = c.during.until;
    held = holds(c, at, then);
  }
  decide(i, held, at, then);
}

void CheckLog::observe(double t, const std::vector<double>& columns, bool end) {
  const double slack = 1e-9 * std::min(scene_.solver.dt, scene_.solver.duration);
  for (std::size_t i = 0; i < scene_.checks.size(); ++i) {
    const scene::Check& c = scene_.checks[i];
    Entry& entry = state_.entries[i];
    if (entry.decided == byTheEnd && t > state_.time) entry = {}, state_.values[i].clear();
    if (!mine_[i] || entry.decided) continue;
    const bool inside = t >= c.during.from - slack && t <= c.during.until + slack, over = t > c.during.until + slack;
    switch (c.when) {
      case scene::Check::When::end:
        if (end) decide(i, holds(c, t, columns), t, columns, byTheEnd);
        break;
      case scene::Check::When::time:
        if (t < c.time - slack) break;
        if (!state_.started || t <= c.time + slack) {
          decide(i, holds(c, t, columns), t, columns);
        } else {
          const std::vector<double> then = between(c.time, t, columns);
          decide(i, holds(c, c.time, then), c.time, then);
        }
        break;
      case scene::Check::When::always:
        if (missed(c, t))
          decideBetween(i, t, columns);
        else if (inside && !holds(c, t, columns))
          decide(i, false, t, columns);
        else if (end || over)
          decide(i, true, t, columns, over ? forGood : byTheEnd);
        break;
      case scene::Check::When::ever:
        if (missed(c, t))
          decideBetween(i, t, columns);
        else if (inside && holds(c, t, columns))
          decide(i, true, t, columns);
        else if (end || over)
          decide(i, false, t, columns, over ? forGood : byTheEnd);
        break;
    }
  }
  state_.time = t;
  state_.started = 1;
  state_.columns = columns;
}

std::vector<int> CheckLog::own() const {
  std::vector<int> out;
  for (std::size_t i = 0; i < mine_.size(); ++i)
    if (mine_[i]) out.push_back(static_cast<int>(i));
  return out;
}

int CheckLog::decided() const {
  return static_cast<int>(
      std::count_if(state_.entries.begin(), state_.entries.end(), [](const Entry& e) { return e.decided != open; }));
}

std::vector<CheckResult> CheckLog::results() const {
  std::vector<CheckResult> out;
  for (std::size_t i = 0; i < scene_.checks.size(); ++i) {
    if (!state_.entries[i].decided) continue;
    CheckResult r;
    r.index = static_cast<int>(i);
    r.title = scene_.checks[i].title;
    r.points = scene_.checks[i].points;
    r.passed = state_.entries[i].passed != 0;
    r.at = state_.entries[i].at;
    if (!r.passed) r.reason = withoutValue(scene_.checks[i], r.at, state_.values[i]);
    for (int column : scene_.checks[i].usesColumns) {
      const std::size_t k = static_cast<std::size_t>(column);
      const std::string name =
          k < scene_.columns.size() ? scene_.columns[k] : scene_.states[k - scene_.columns.size()].name;
      r.values[name] = state_.values[i][k];
    }
    out.push_back(r);
  }
  return out;
}

}  // namespace tendril
