// Derivatives of a run by its parameters, judged by central differences of whole runs that are solved to twelve digits
// and take the same steps.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "simulation/inside.h"
#include "tendril/sensitivities.h"

namespace tendril::test {

/// Columns after some steps of a whole run, and the time.
struct End {
  std::vector<double> columns;
  double time = 0;
};

inline End endOf(const std::string& text, const std::map<std::string, double>& set, int steps) {
  Simulation run = Inside::unstarted(text, set, 1e-12);
  Inside::start(run, {});
  for (int i = 0; i < steps && !run.finished(); ++i) run.step();
  return {{run.values().begin(), run.values().end()}, run.time()};
}

/// By central differences at a change, and whether both runs took the same steps as the first.
inline std::vector<double> differences(const std::string& text, std::map<std::string, double> set,
                                       const std::string& name, double value, double change, int steps, double time) {
  set[name] = value + change;
  const End above = endOf(text, set, steps);
  set[name] = value - change;
  const End below = endOf(text, set, steps);
  if (above.time != time || below.time != time) return {};
  std::vector<double> out;
  for (std::size_t c = 0; c < above.columns.size(); ++c)
    out.push_back((above.columns[c] - below.columns[c]) / (2 * change));
  return out;
}

/// Largest relative error where differences know the slope, and how many they knew.
struct Verdict {
  double worst = 0;
  int known = 0, of = 0;
  std::string where;
  std::vector<std::string> doubts;
};

/// Of each column, that of the largest of its probe.
inline std::vector<double> sizesOf(const Simulation& run) {
  const auto probe = [&](std::size_t c) { return run.columns()[c].substr(0, run.columns()[c].find('.')); };
  std::vector<double> out(run.columns().size(), 0);
  for (std::size_t c = 0; c < out.size(); ++c) {
    for (std::size_t other = 0; other < out.size(); ++other) {
      if (probe(other) == probe(c)) out[c] = std::max(out[c], std::abs(run.values()[other]));
    }
  }
  return out;
}

/// Of `steps` steps, by each of `with`.
inline Verdict judge(const std::string& text, const std::map<std::string, double>& set,
                     const std::vector<std::string>& with, int steps) {
  Sensitivities s(text, set, with);
  int taken = 0;
  for (; taken < steps && !s.run().finished(); ++taken) s.step();
  Verdict out;
  out.doubts = s.doubts();
  const std::vector<std::string>& columns = s.run().columns();
  const std::vector<double> sizes = sizesOf(s.run());
  for (std::size_t i = 0; i < with.size(); ++i) {
    const auto all = s.run().parameters();
    const auto p = std::find_if(all.begin(), all.end(), [&](const ParameterInfo& q) { return q.name == with[i]; });
    const double size = p->value != 0 ? std::abs(p->value) : p->max - p->min;
    std::vector<std::vector<double>> by;
    for (const double share : {4e-5, 2e-5, 1e-5}) {
      by.push_back(differences(text, set, with[i], p->value, share * size, taken, s.run().time()));
      if (by.back().empty()) return out;
    }
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const auto [low, high] = std::minmax({by[0][k], by[1][k], by[2][k]});
      // A slope that changes a probe by less than 1e-5 of itself where the parameter doubles is none.
      const double most = std::max({std::abs(low), std::abs(high), 1e-5 * sizes[k] / size});
      ++out.of;
      if (!(high - low <= 1e-7 * most)) continue;
      // Each side is known to some last digits, which neighbors divide by how far they are apart.
      const double rounded = 4 * std::numeric_limits<double>::epsilon() * sizes[k] / (std::ldexp(1, -15) * size);
      const double off = std::max(0.0, std::abs(s.slopes(i)[k] - by[2][k]) - rounded);
      const double error = most > 0 ? off / most : off;
      ++out.known;
      if (error > out.worst) out.worst = error, out.where = columns[k] + " by " + with[i];
    }
  }
  return out;
}

}  // namespace tendril::test
