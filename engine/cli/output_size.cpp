// Sizes are estimates: a number takes 19 characters, as most do.
#include "cli/output_size.h"

#include <cmath>

#include "cli/arguments.h"
#include "cli/numbers.h"
#include "scene/scene.h"
#include "simulation/inside.h"

namespace tendril::cli {

namespace {

constexpr double manyOutputs = 1e6;  // rows or frames allowed without --yes
constexpr double mostOutputs = 1e9;  // and with it
constexpr double numberSize = 19;    // [bytes]

std::string sizeText(double bytes) {
  const char* const units[] = {"bytes", "kB", "MB", "GB", "TB", "PB"};
  std::size_t unit = 0;
  for (; bytes >= 1000 && unit + 1 < std::size(units); ++unit) bytes /= 1000;
  return humanNumber(bytes, 3) + " " + units[unit];
}

double frameSize(const Simulation& simulation) {
  double numbers = 0;
  for (const BodyState& body : simulation.bodies()) {
    numbers +=
        static_cast<double>(body.nodes.size() + body.velocity.size() + body.twist.size() + body.placements.size());
    for (const BodyState::LinkState& link : body.links) numbers += static_cast<double>(link.q.size() + link.v.size());
  }
  return numberSize * numbers;
}

/// With enough digits to differ from the limit that it exceeds.
std::string countText(double count) { return humanNumber(count, count < 2 * manyOutputs ? 9 : 3); }

/// One for each interval, and one for the start; intervals that fit to round-off count.
double countOf(double intervals) { return std::floor(intervals * (1 + 1e-9)) + 1; }

/// `what`: "--frames 1e9 makes 1e10 frames".
void refuse(double count, const std::string& what, double bytes, const std::string& instead, bool yes) {
  if (yes && count <= mostOutputs) return;
  const std::string size = what + ", about " + sizeText(bytes) + " in all; ";
  if (count > mostOutputs) throw UsageError(size + "at most 1e9 are written" + instead);
  if (count > manyOutputs) throw UsageError(size + "more than a million are written only with --yes" + instead);
}

}  // namespace

void refuseHugeOutput(const ResultOptions& options, const Simulation& simulation, double until) {
  const double span = until - simulation.time();
  if (!(span > 0)) return;
  const auto columns = static_cast<double>(columnNames(simulation).size() + 1);
  const auto refuseRows = [&](double rows, const std::string& what, const std::string& instead) {
    refuse(rows, what + countText(rows) + " rows of probes.csv", numberSize * columns * rows, instead, options.yes);
  };
  if (options.rows) {
    refuseRows(countOf(span / *options.rows), "--rows " + humanNumber(*options.rows) + " makes ", "");
  } else {
    const double steps = simulation.isStatic() ? sceneOf(simulation).solver.loadSteps : span / simulation.stepSize();
    refuseRows(countOf(steps), "a row for every step makes ", "; --rows DT writes fewer");
  }
  if (!options.frames || simulation.isStatic()) return;
  const double frames = countOf(span * *options.frames), files = options.vtk ? 2 : 1;
  refuse(frames, "--frames " + humanNumber(*options.frames) + " makes " + countText(frames) + " frames",
         files * frames * frameSize(simulation), "", options.yes);
}

}  // namespace tendril::cli
