// Prescribed joints that are led, and where they jam.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "links/loops/loops.h"
#include "links/words.h"

namespace tendril::links {
namespace {

constexpr double leastLed = 1e-9;      // of a prescribed joint, in which a jump is looked for
constexpr double longestLeap = 1e-3;   // of a prescribed joint, over where nothing closes surely
constexpr int mostUnsure = 200;        // shortest parts in a row
constexpr double longestUnsure = 0.5;  // of a part that is taken though it is not sure: longer ones change sides
constexpr double longestLed = 0.1;     // of a prescribed joint, closed at once [rad, or of the size]

}  // namespace

std::string Loops::jamInWords(const VectorX& q, const VectorX& motion) const {
  const Grip grip = gripAt(q, state_.system->held, allRows());
  int farthest = 0;
  motion.cwiseQuotient(state_.system->units().head(motion.size())).cwiseAbs().maxCoeff(&farthest);
  char at[60] = " cannot be driven on: there ";
  if (!countsAnew(state_, farthest)) std::snprintf(at, sizeof at, " cannot be driven beyond %.6g: there ", q[farthest]);
  return whatMoves(state_, motion) + at +
         inWords(state_, state_.system->closures()[static_cast<std::size_t>(grip.row)]) +
         " jams; beyond, the other joints cannot close it, or only on another side";
}

std::string Loops::jamOfStep(const model::StepRequest& request) {
  if (empty() || !arePrescribed()) return {};
  scene::Instant end;
  end.t = std::min(request.t0 + std::max(request.dt, state_.scene.solver.dt),
                   std::max(state_.scene.solver.duration, request.t0 + request.dt));
  end.middle = end.t, end.slack = 1e-9 * request.dt, end.columns = request.columns;
  state_.drives.driven(end, Drives::Side::before, request.dt, *state_.structure, *state_.system, state_.prescribed);
  VectorX led = state_.history.q, motion = VectorX::Zero(state_.system->coordinates());
  for (const DrivenValue& d : state_.prescribed) motion[d.coordinate] = d.value - led[d.coordinate];
  std::string doubt;
  const bool goes = motion.isZero(0) || lead(led, state_.system->held, doubt);
  std::string words = goes ? std::string() : jamInWords(led, motion);
  state_.stand();
  reach = {};
  return words;
}

bool Loops::lead(VectorX& q, const std::vector<char>& held, const std::vector<int>& rows, std::string& doubt) const {
  const VectorX from = q;
  VectorX motion = VectorX::Zero(state_.system->coordinates());
  for (const DrivenValue& d : state_.prescribed) motion[d.coordinate] = d.value - from[d.coordinate];
  const double most =
      motion.size() > 0 ? motion.cwiseQuotient(state_.system->units().head(motion.size())).cwiseAbs().maxCoeff() : 0;
  if (!(most > 0)) return true;
  const double longest = 1 / std::min(1000.0, std::ceil(most / longestLed));
  int unsure = 0;
  double part = longest;
  Grip here = gripAt(q, held, rows);
  for (double done = 0; done < 1;) {
    const double next = done + part < 1 - 1e-12 ? done + part : 1;
    VectorX trial = q;
    for (const DrivenValue& d : state_.prescribed)
      trial[d.coordinate] = next < 1 ? from[d.coordinate] + next * motion[d.coordinate] : d.value;
    const bool closes = assemble(trial, held);
    const double distance = closes ? distanceBetween(q, trial) : 0;
    const Grip there = closes ? gripAt(trial, held, rows) : Grip();
    const bool sure = closes && staysBetween(here, there, distance);
    const bool kept = sure || (closes && unsure > mostUnsure && distance < longestUnsure);
    if (!kept && part * most > leastLed && !(closes && distance < shortestPart)) {
      part *= 0.5;
      continue;
    }
    if (!closes) {
      // Right at a position with two sides nothing closes surely: beyond it the chain may.
      if (!leapOver(q, from, motion, done, held)) return false;
      if (doubt.empty()) doubt = doubtInWords(q, motion, rows);
      here = gripAt(q, held, rows), part = longest, unsure = 0;
      continue;
    }
    unsure = sure ? 0 : unsure + 1;
    if (!sure && doubt.empty()) doubt = doubtInWords(q, motion, rows);
    q = trial, here = there, done = next;
    part = unsure > mostUnsure ? longest : std::min(2 * part, longest);
  }
  return true;
}

bool Loops::leadJoints(VectorX& q, std::string& doubt) const {
  std::vector<char> held(static_cast<std::size_t>(state_.system->coordinates()), 1);
  for (const BuiltLink& b : state_.structure->links) {
    for (int i = b.jointFirst; i < b.jointFirst + b.jointCount; ++i) {
      held[static_cast<std::size_t>(i)] = state_.system->held[static_cast<std::size_t>(i)];
    }
  }
  for (const int i : screws()) held[static_cast<std::size_t>(i)] = 0;
  return lead(q, held, doubt);
}

// From q, where the part `done` of the displacement is led, the least distance on to where the chain closes.
bool Loops::leapOver(VectorX& q, const VectorX& from, const VectorX& motion, double& done,
                     const std::vector<char>& held) const {
  const double most = motion.cwiseQuotient(state_.system->units().head(motion.size())).cwiseAbs().maxCoeff();
  double leap = leastLed;
  while ((leap *= 10) < 2 * longestLeap) {
    const double next = std::min(1.0, done + leap / most);
    VectorX trial = q;
    for (const DrivenValue& d : state_.prescribed)
      trial[d.coordinate] = next < 1 ? from[d.coordinate] + next * motion[d.coordinate] : d.value;
    if (!assemble(trial, held) || !(distanceBetween(q, trial) < longestUnsure)) continue;
    q = trial, done = next;
    return true;
  }
  return false;
}

// That the side is not determined which a chain takes at q, as it moves along `motion`.
std::string Loops::doubtInWords(const VectorX& q, const VectorX& motion, const std::vector<int>& rows) const {
  const Grip grip = gripAt(q, state_.system->held, rows);
  int farthest = 0;
  motion.cwiseQuotient(state_.system->units().head(motion.size())).cwiseAbs().maxCoeff(&farthest);
  char at[60] = " ";
  if (!countsAnew(state_, farthest)) std::snprintf(at, sizeof at, " at %.6g ", q[farthest]);
  return "with " + whatMoves(state_, motion) + at +
         inWords(state_, state_.system->closures()[static_cast<std::size_t>(grip.row)]) +
         " comes to a position, or close by one, from which its chain can go on in two ways, as where all bars lie in "
         "one line: "
         "which side it takes there is not determined; draw the chain beyond that position, or make its lengths unlike";
}

}  // namespace tendril::links
