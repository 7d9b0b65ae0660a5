// Static scenes for the validation tests: read from scenes/ or given as text, solved, and asked for their probes.
#pragma once

#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "tendril/simulation.h"

namespace tendril::test {

/// Text of scenes/`name`.json.
inline std::string sceneFile(const std::string& name) {
  std::ifstream in(std::string(TENDRIL_SOURCE_DIR) + "/scenes/" + name + ".json");
  if (!in) throw std::runtime_error("no scene " + name);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

/// The text with `from` replaced by `to`; it must be there.
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  if (at == std::string::npos) throw std::runtime_error("the scene does not hold " + from);
  return text.replace(at, from.size(), to);
}

/// Probes of a scene at its end.
struct Outcome {
  std::map<std::string, double> columns;
  long iterations = 0, retries = 0;
  std::vector<std::string> warnings;
  double operator[](const std::string& name) const { return columns.at(name); }
};

inline Outcome outcomeOf(const Simulation& sim, const Progress& progress) {
  Outcome out;
  for (std::size_t i = 0; i < sim.columns().size(); ++i) out.columns[sim.columns()[i]] = sim.values()[i];
  out.iterations = progress.iterations, out.retries = progress.retries, out.warnings = progress.warnings;
  return out;
}

inline Outcome solve(const std::string& text, const std::map<std::string, double>& parameters = {}) {
  Simulation sim(text, parameters);
  const Progress progress = sim.advance(2 * sim.duration());
  if (!sim.finished()) throw std::runtime_error("the scene did not come to its end");
  return outcomeOf(sim, progress);
}

/// Order of convergence between two errors on meshes that differ by a factor of two.
inline double order(double coarse, double fine) { return std::log2(coarse / fine); }

/// A unit cantilever along x with EI = GJ = 1, EA = 1e8, exactly clamped at the origin; `rest` completes the scene.
inline std::string cantileverText(int segments, const std::string& rest, int loadSteps = 20) {
  return R"({"format": "tendril/1",
    "rods": {"rod": {"section": {"stiffness": {"EA": 1e8, "EI1": 1, "EI2": 1, "GJ": 1}, "massPerLength": 1, "radius": 0.01},
      "segments": )" +
         std::to_string(segments) + R"(, "path": {"line": {"from": [0,0,0], "to": [1,0,0]}}}},
    "solver": {"mode": "static", "duration": 1, "tolerance": 1e-10, "loadSteps": )" +
         std::to_string(loadSteps) + R"(},
    "probes": {"tip": {"position": "rod:last"}},
    )" + rest +
         "}";
}

}  // namespace tendril::test
