#include "cli/linear.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>

#include <nlohmann/json.hpp>
#include "cli/atomic_file.h"
#include "cli/drive.h"
#include "cli/exit_code.h"
#include "cli/interrupt.h"
#include "cli/numbers.h"
#include "cli/progress.h"
#include "cli/scene_input.h"
#include "cli/targets.h"
#include "tendril/machine.h"

namespace tendril::cli {

namespace {

using Json = nlohmann::ordered_json;

Json json(const SparseMatrix& m) {
  return {{"rows", m.rows}, {"columns", m.columns}, {"row", m.row}, {"column", m.column}, {"value", m.value}};
}

Json json(const std::vector<std::string>& names) {
  Json out = Json::array();
  for (const std::string& name : names) out.push_back(name);
  return out;
}

/// As Matrix Market's coordinate format has it: entries from 1, general, real.
std::string matrixMarket(const SparseMatrix& m, const std::string& what) {
  std::string text = "%%MatrixMarket matrix coordinate real general\n% " + what + "\n" + std::to_string(m.rows) + " " +
                     std::to_string(m.columns) + " " + std::to_string(m.value.size()) + "\n";
  for (std::size_t i = 0; i < m.value.size(); ++i) {
    text += std::to_string(m.row[i] + 1) + " " + std::to_string(m.column[i] + 1) + " ";
    appendDigits17(text, m.value[i]);
    text += '\n';
  }
  return text;
}

struct Loaded {
  SceneInput input;
  std::unique_ptr<Simulation> simulation;
  int exit = exitDone;  ///< not done: it did not load, and that was said
};

Loaded load(const Arguments& arguments) {
  Loaded out;
  const std::map<std::string, double> overrides = arguments.assignments("--set");
  out.input = readScene(arguments.operands()[0]);
  try {
    const LoadingLine line(out.input.name);
    out.simulation = std::make_unique<Simulation>(out.input.text, overrides);
    printWarnings(out.simulation->sceneWarnings(), out.input.name);
  } catch (const BadScene& bad) {
    printProblems(bad.problems, out.input.name);
    out.exit = exitBadInput;
  } catch (const GaveUp& error) {
    std::fprintf(stderr, "tendril: %s: gave up: %s\n", printable(out.input.name).c_str(),
                 printable(error.what()).c_str());
    out.exit = exitGaveUp;
  }
  return out;
}

/// To the time that --at names; statics without it to their full load.
int goTo(const Arguments& arguments, Loaded& loaded) {
  Simulation& simulation = *loaded.simulation;
  const std::optional<double> at = arguments.number("--at");
  if (at && *at < 0) throw UsageError("--at " + humanNumber(*at) + ": a run begins at 0 s");
  const double until = at.value_or(simulation.isStatic() ? simulation.duration() : 0);
  if (until > simulation.duration() * (1 + 1e-12)) {
    if (simulation.isStatic())
      throw UsageError("--at " + humanNumber(until, 12) + ": this static scene ends with its full load at " +
                       humanNumber(simulation.duration(), 12) + " s");
    simulation.setDuration(until);
  }
  if (!(until > simulation.time())) return exitDone;
  const Outcome outcome = drive(simulation, until, loaded.input.name, [] { return true; });
  if (outcome.ending == Ending::done) return exitDone;
  std::fprintf(stderr, "tendril: %s: %s: %s\n", printable(loaded.input.name).c_str(), endingText(outcome.ending),
               printable(outcome.reason).c_str());
  return outcome.ending == Ending::gaveUp ? exitGaveUp : exitInterrupted;
}

int sayNotLinear(const Loaded& loaded, const char* why) {
  std::fprintf(stderr, "tendril: %s: %s\n", printable(loaded.input.name).c_str(), printable(why).c_str());
  return exitGaveUp;
}

int countOf(const Arguments& arguments, int unless) {
  const double count = arguments.positiveNumber("--count").value_or(unless);
  constexpr double most = 1000;
  if (count != std::floor(count) || count > most) throw UsageError("--count needs a whole number up to 1000");
  return static_cast<int>(count);
}

struct MatrixFile {
  const char* name;
  const SparseMatrix* matrix;
  const char* what;
};

void warnOfOmitted(const Loaded& loaded, const std::vector<std::string>& omitted) {
  for (const std::string& words : omitted)
    std::fprintf(stderr, "%s: warning: not in the matrices: %s\n", printable(loaded.input.name).c_str(),
                 printable(words).c_str());
}

/// Coordinates that move most in a shape, with how far: "rod:25.z 1, rod:24.z 0.99".
std::string largestOf(const std::vector<double>& shape, const std::vector<std::string>& names) {
  std::vector<std::size_t> order(shape.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  const std::size_t shown = std::min<std::size_t>(2, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<long>(shown), order.end(),
                    [&](std::size_t a, std::size_t b) {
                      return std::abs(shape[a]) != std::abs(shape[b]) ? std::abs(shape[a]) > std::abs(shape[b]) : a < b;
                    });
  std::string text;
  for (std::size_t k = 0; k < shown; ++k)
    text += (k ? ", " : "") + names[order[k]] + " " + humanNumber(shape[order[k]], 3);
  return text;
}

}  // namespace

int linearizeCommand(const Arguments& arguments) {
  const std::optional<std::string> folder = arguments.fileName("--out");
  if (!folder) throw UsageError("give --out DIR: the matrices are written into that folder");
  Loaded loaded = load(arguments);
  if (loaded.exit != exitDone) return loaded.exit;
  const InterruptGuard guard;
  if (const int exit = goTo(arguments, loaded); exit != exitDone) return exit;
  Machine::Options options;
  options.inputs = arguments.list("--inputs"), options.outputs = arguments.list("--outputs");
  options.space = !arguments.has("--matrices-only");
  Linearization l;
  try {
    l = Machine(*loaded.simulation).linearize(options);
  } catch (const NotLinear& error) {
    return sayNotLinear(loaded, error.what());
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  }
  std::vector<MatrixFile> files = {{"mass", &l.mass, "M of M a + D v + K q = f + B u"},
                                   {"damping", &l.damping, "D of M a + D v + K q = f + B u"},
                                   {"stiffness", &l.stiffness, "K of M a + D v + K q = f + B u"},
                                   {"actuation", &l.actuation, "B of M a + D v + K q = f + B u"},
                                   {"motions", &l.motions, "q by the motions that closed loops allow"}};
  if (options.space)
    files.insert(files.end(), {{"A", &l.space.A, "x' = A x + B u + drift"},
                               {"B", &l.space.B, "x' = A x + B u + drift"},
                               {"C", &l.space.C, "y = y0 + C x + D u"},
                               {"D", &l.space.D, "y = y0 + C x + D u"}});
  Json all = {{"format", "tendril-linear/1"},
              {"scene", loaded.input.name},
              {"time", l.time},
              {"coordinates", json(l.coordinates)},
              {"units", json(l.units)},
              {"rates", l.rates},
              {"forces", l.forces},
              {"inputs", json(l.inputs)},
              {"outputs", json(l.outputs)},
              {"omitted", json(l.omitted)}};
  if (options.space)
    all["space"] = {
        {"states", json(l.space.states)}, {"units", json(l.space.units)}, {"drift", l.space.drift}, {"y0", l.space.y0}};
  Json matrices = Json::object();
  for (const MatrixFile& file : files) matrices[file.name] = json(*file.matrix);
  all["matrices"] = std::move(matrices);
  makeFolder(*folder);
  for (const MatrixFile& file : files) {
    // Names that differ only by case are one file on some machines.
    const std::string name = std::string(file.name).size() == 1 ? "space" + std::string(file.name) : file.name;
    writeWhole(*folder + "/" + name + ".mtx", matrixMarket(*file.matrix, file.what));
  }
  // Of another call's state space nothing stays.
  for (const char* name : {"A", "B", "C", "D"}) {
    std::error_code ignored;
    if (!options.space) std::filesystem::remove(*folder + "/space" + name + ".mtx", ignored);
  }
  writeWhole(*folder + "/linear.json", all.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
  warnOfOmitted(loaded, l.omitted);
  std::fprintf(stderr, "%s: %zu coordinates, %zu states, %zu inputs, %zu outputs at t = %s s, matrices in %s\n",
               printable(loaded.input.name).c_str(), l.coordinates.size(), l.space.states.size(), l.inputs.size(),
               l.outputs.size(), humanNumber(l.time, 9).c_str(), folder->c_str());
  return exitDone;
}

int modesCommand(const Arguments& arguments) {
  const int count = countOf(arguments, 10);
  Loaded loaded = load(arguments);
  if (loaded.exit != exitDone) return loaded.exit;
  const InterruptGuard guard;
  if (const int exit = goTo(arguments, loaded); exit != exitDone) return exit;
  try {
    Machine machine(*loaded.simulation);
    const std::vector<Mode> modes = machine.modes(count);
    warnOfOmitted(loaded, machine.omitted());
    const std::vector<std::string>& names = machine.coordinates();
    if (arguments.has("--json")) {
      Json all = {{"format", "tendril-modes/1"},
                  {"scene", loaded.input.name},
                  {"time", loaded.simulation->time()},
                  {"coordinates", json(names)}};
      Json list = Json::array();
      for (const Mode& m : modes) {
        Json one = {{"frequency", m.frequency}, {"damping", m.damping}};
        if (m.growth > 0) one["growth"] = m.growth;
        if (m.rigid) one["rigid"] = true;
        if (m.hidden > 0) one["hidden"] = m.hidden;
        if (m.estimate) one["estimate"] = true;
        one["shape"] = m.shape;
        list.push_back(std::move(one));
      }
      all["modes"] = std::move(list);
      std::fputs((all.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n").c_str(), stdout);
      return exitDone;
    }
    std::printf("%s at t = %s s\n\n  mode  frequency [Hz]  damping ratio  moves most\n",
                printable(loaded.input.name).c_str(), humanNumber(loaded.simulation->time(), 9).c_str());
    bool estimates = false, grows = false, hides = false;
    for (std::size_t i = 0; i < modes.size(); ++i) {
      const Mode& m = modes[i];
      const std::string frequency = m.rigid        ? "rigid"
                                    : m.hidden > 0 ? "below " + humanNumber(m.hidden, 3)
                                    : m.growth > 0 ? "grows"
                                                   : humanNumber(m.frequency, 9);
      const std::string damping = m.growth > 0 ? humanNumber(m.growth, 4) + "/s" + (m.estimate ? " *" : "")
                                               : humanNumber(m.damping, 4) + (m.estimate ? " *" : "");
      std::printf("  %4zu  %14s  %13s  %s\n", i + 1, frequency.c_str(), damping.c_str(),
                  printable(largestOf(m.shape, names)).c_str());
      estimates = estimates || m.estimate, grows = grows || m.growth > 0, hides = hides || m.hidden > 0;
    }
    if (estimates)
      std::printf(
          "\n* damping couples modes: estimated from the undamped shape, and the frequency is that without damping. The "
          "eigenvalues of A of `tendril linearize` are the damped rates and frequencies\n");
    if (hides) {
      std::printf(
          "\nbelow: round-off in the stiffness of what is far stiffer hides the frequency; fewer, longer pieces have "
          "less of it\n");
    }
    if (grows) std::printf("\nThis equilibrium is unstable: what grows leaves it.\n");
  } catch (const NotLinear& error) {
    return sayNotLinear(loaded, error.what());
  }
  return exitDone;
}

int buckleCommand(const Arguments& arguments) {
  const int count = countOf(arguments, 4);
  Loaded loaded = load(arguments);
  if (loaded.exit != exitDone) return loaded.exit;
  const bool isStatic = loaded.simulation->isStatic();
  try {
    Machine machine(*loaded.simulation);
    const std::vector<CriticalLoad> loads = machine.criticalLoads(count);
    const std::vector<std::string>& names = machine.coordinates();
    if (arguments.has("--json")) {
      Json all = {{"format", "tendril-buckle/1"}, {"scene", loaded.input.name}, {"coordinates", json(names)}};
      Json list = Json::array();
      for (const CriticalLoad& l : loads)
        list.push_back({{"factor", l.factor}, {"error", l.error}, {"shape", l.shape}});
      all["loads"] = std::move(list);
      std::fputs((all.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n").c_str(), stdout);
      return exitDone;
    }
    if (loads.empty()) {
      std::printf("%s: these loads make nothing unstable, as far as stiffness changes in proportion to them\n",
                  printable(loaded.input.name).c_str());
      return exitDone;
    }
    std::printf("%s\n\n        times the loads  moves most\n", printable(loaded.input.name).c_str());
    // What a factor promises without a word.
    constexpr double good = 1e-3;
    bool uncertain = false;
    for (std::size_t i = 0; i < loads.size(); ++i) {
      const bool told = loads[i].error > good;
      std::string may;
      if (told)
        may = loads[i].error < 1 ? " * by up to " + humanNumber(100 * loads[i].error, 2) + " %" : " * by any amount";
      std::printf("  %4zu  %15s  %s%s\n", i + 1, humanNumber(loads[i].factor, 9).c_str(),
                  printable(largestOf(loads[i].shape, names)).c_str(), may.c_str());
      uncertain = uncertain || told;
    }
    if (uncertain) std::printf("\n* may be off: under so much of its loads the structure has deformed before\n");
  } catch (const NotLinear& error) {
    const int exit = sayNotLinear(loaded, error.what());
    return isStatic ? exit : exitBadInput;
  }
  return exitDone;
}

}  // namespace tendril::cli
