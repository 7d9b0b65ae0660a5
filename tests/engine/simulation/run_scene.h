// Scenes written in tests: filling in numbers, running, reading columns by name.
#pragma once

#include <algorithm>
#include <cstdio>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "geometry/types.h"
#include "tendril/simulation.h"

namespace tendril::test {

/// `text` with every "$name" replaced by its number or text; longer names first.
inline std::string filled(std::string text, const std::map<std::string, std::string>& values) {
  for (auto entry = values.rbegin(); entry != values.rend(); ++entry) {
    const std::string key = "$" + entry->first;
    for (std::size_t at = text.find(key); at != std::string::npos; at = text.find(key, at + entry->second.size())) {
      text.replace(at, key.size(), entry->second);
    }
  }
  return text;
}

/// A double with all its digits, for scene texts.
inline std::string digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

/// A column's value at the last accepted step. Throws std::out_of_range for an unknown name.
inline double column(const Simulation& sim, const std::string& name) {
  const auto& names = sim.columns();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw std::out_of_range("no column " + name);
  return sim.values()[static_cast<std::size_t>(found - names.begin())];
}

/// Columns .x, .y, .z of a probe.
inline Vec3 vectorColumn(const Simulation& sim, const std::string& probe) {
  return {column(sim, probe + ".x"), column(sim, probe + ".y"), column(sim, probe + ".z")};
}

/// Runs to the end; what it cost in all.
inline Progress runToEnd(Simulation& sim) {
  Progress total;
  while (!sim.finished()) {
    Progress p = sim.step();
    total.steps += p.steps, total.iterations += p.iterations, total.retries += p.retries;
    total.warnings.insert(total.warnings.end(), p.warnings.begin(), p.warnings.end());
  }
  total.time = sim.time();
  return total;
}

/// Positions of all nodes of all bodies, one after another.
inline std::vector<double> allNodes(const Simulation& sim) {
  std::vector<double> out;
  for (const auto& body : sim.bodies()) out.insert(out.end(), body.nodes.begin(), body.nodes.end());
  return out;
}

}  // namespace tendril::test
