// One implicit step of rods and shells, part after part: bodies that share nothing do not share a solve either, so that
// each has its own start, its own measure of what is small, and its own way to the end.
#include <algorithm>

#include "rods_shells/at_part.h"
#include "rods_shells/model.h"

namespace tendril::rods_shells {
// What is free of part p stands as at the step's start, but for a way that all of it goes [m].
void Model::carry(int p, const Vec3& way, VectorX& q) const {
  const auto& held = system_->supports().prescribed();
  for (const int d : system_->elements(p).nodeDofs) {
    for (int axis = 0; axis < 3; ++axis) {
      if (!held[static_cast<std::size_t>(d + axis)]) q[d + axis] = history_.q[d + axis] + way[axis];
    }
  }
}

// The extrapolated guess must not lie behind an obstacle, as seen from there, or on the other side of a rod. Supports
// move what they hold all the way, whatever the rest does; false: that alone would pass through something.
bool Model::keepGuessOutside(double elapsed) {
  const Contacts& contacts = system_->contacts();
  if (contacts.empty() && system_->pairs().empty()) return true;
  const auto& held = system_->supports().prescribed();
  for (int p = 0; p < system_->parts().count(); ++p) {
    const AtPart at(*system_, p);
    const Vec3 along = elapsed * ledger_.velocityOf(p);
    const bool holds = holdsIn(p);
    // Bodies pass each other by what they do not do together.
    const auto between = [&](const VectorX& q) {
      move_ = q - history_.q;
      for (const int d : system_->elements(p).nodeDofs) move_.segment<3>(d) -= along;
      return system_->pairs().longestStep(history_.q, move_);
    };
    // Held back from obstacles one after the other, beside each of them.
    for (int round = 0; round < 4; ++round) {
      const Contacts::Passage outside = contacts.empty() ? Contacts::Passage{} : contacts.passage(history_.q, x_);
      const double apart = between(x_);
      if (outside.part == 1 && apart == 1) break;
      VectorX carried = history_.q;
      for (const int i : system_->parts().unknowns[p]) {
        if (held[i]) carried[i] = x_[i];
      }
      carry(p, along, carried);
      if (round == 0 && holds &&
          (between(carried) < 1 || (!contacts.empty() && contacts.passage(history_.q, carried, true).part < 1))) {
        blame(static_cast<std::size_t>(p));
        return false;
      }
      carry(p, outside.part <= apart ? contacts.wayOf(outside.obstacle) : along, carried);
      const double share = 0.5 * std::min(outside.part, apart);
      for (const int i : system_->parts().unknowns[p]) x_[i] = carried[i] + share * (x_[i] - carried[i]);
    }
  }
  return true;
}

bool Model::holdsIn(int p) const {
  const auto& held = system_->supports().prescribed();
  const std::vector<int>& mine = system_->parts().unknowns[p];
  return std::any_of(mine.begin(), mine.end(), [&held](int i) { return held[i]; });
}

// From x_ to x_. Iterations are those of the part that took the most. A part that does not converge is tried once more
// from where `startAgain` puts x_. Where one fails for good, the rest is not tried.
solve::NewtonReport Model::solveParts(const solve::NewtonSettings& settings, const model::Continue& startAgain) {
  solve::NewtonReport out;
  out.converged = true;
  bool prepared = false;
  int most = 0;
  for (int p = 0; p < system_->parts().count(); ++p) {
    PartWork& work = work_[static_cast<std::size_t>(p)];
    const std::vector<int>& mine = system_->parts().unknowns[p];
    const solve::Kinematics& k = step_.kinematics;
    work.kinematics.rates = ratesOf(p);
    gather(k.base, mine, work.kinematics.base), gather(k.v0, mine, work.kinematics.v0);
    gather(k.a0, mine, work.kinematics.a0), gather(history_.q, mine, work.base);
    gather(x_, mine, work.x);
    out = solveWithFriction(p, settings);
    int iterations = out.iterations;
    if (!out.converged && !out.stopped) {
      if (!prepared) {
        guess_ = x_;
        startAgain();
        again_.swap(x_);
        x_.swap(guess_);
        prepared = true;
      }
      gather(again_, mine, work.x);
      out = solveWithFriction(p, settings);
      iterations += out.iterations;
    }
    scatter(work.x, mine, x_);
    most = std::max(most, iterations);
    if (out.converged) continue;
    if (!out.stopped) blame(static_cast<std::size_t>(p));
    break;
  }
  out.iterations = most;
  return out;
}

// Newton with normal forces and tangent planes of friction lagged: roughly first, then taken anew after every update,
// so that what it ends with is balanced with its own friction. That converges linearly and fast; where it does not,
// friction is held through whole solves, repeated until nothing is left to do.
solve::NewtonReport Model::solveWithFriction(int part, const solve::NewtonSettings& settings) {
  constexpr int sweeps = 40, mostUpdates = 15;
  constexpr double rough = 1e-4;
  PartWork& work = work_[static_cast<std::size_t>(part)];
  const AtPart at(*system_, part);
  if (!system_->hasFriction()) return work.newton.solve(*system_, work.kinematics, settings, work.x);
  solve::NewtonSettings first = settings, follow = settings;
  first.tolerance = std::max(settings.tolerance, rough);
  follow.iterations = std::min(settings.iterations, mostUpdates);
  // Seen from a moving frame the same: what rests on an obstacle that moves has not sunk into it.
  system_->lagFriction(work.base, Stand::start);
  solve::NewtonReport report = work.newton.solve(*system_, work.kinematics, first, work.x);
  if (!report.converged) return report;
  int iterations = report.iterations;
  system_->lagFriction(work.x);
  work.swept = work.x;
  system_->mayRelag = true;
  report = work.newton.solve(*system_, work.kinematics, follow, work.x);
  system_->mayRelag = false;
  iterations += report.iterations;
  const bool settled = report.converged || report.stopped;
  if (!settled) work.x = work.swept, report.converged = true;
  for (int i = 0; !settled && report.converged; ++i) {
    system_->lagFriction(work.x);
    work.swept = work.x;
    report = work.newton.solve(*system_, work.kinematics, settings, work.x);
    iterations += report.iterations;
    // Settled: nothing left to do, or what was done is below the stop rule's update.
    work.move = work.x - work.swept;
    const bool still =
        report.iterations == 0 || system_->updateNorm(work.move) <= settings.tolerance * system_->extent();
    if (report.converged && still) break;
    if (i + 1 == sweeps) {
      report.converged = false;
      report.reason = "friction did not settle in " + std::to_string(sweeps) + " sweeps";
    }
  }
  report.iterations = iterations;
  return report;
}

}  // namespace tendril::rods_shells
