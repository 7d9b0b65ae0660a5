// Steps of rods and shells that another run has taken, taken again, and beside it by runs whose parameters differ a
// little: by the tangent at the solution, as the implicit function theorem has it, and corrections.
#include <algorithm>

#include "rods_shells/at_part.h"
#include "rods_shells/model.h"

namespace tendril::rods_shells {
namespace {

// A run comes to its solution by corrections with the base's tangent: each leaves of the one before what the tangent
// there is another one, or what is no part of it, such as friction that lags. Left out of the last may be this share of
// how far the run is from the base, or round-off.
constexpr double settled = 1e-9, rounded = 1e-15;
// The same of what both runs of a pair leave out alike: slopes feel it by how much tangents differ within the pair.
constexpr double alike = 1e-6;
// Corrections that no longer shrink have come to round-off, if they are no more than this share of it; or of the
// structure, where the parameter does next to nothing.
constexpr double noise = 1e-6, faint = 3e-11;
constexpr int mostCorrections = 100;
// Where one correction is enough is known from others, and looked at again every so many.
constexpr int lookEvery = 16;

const char* const apart = "bodies come together in it that do not in the other";

}  // namespace

// Parts that have come together in `first` are one here, too.
std::string Model::joinAs(const Model& first) {
  if (system_->parts().count() == first.system_->parts().count()) return {};
  const std::vector<int> now = system_->joinAs(*first.system_);
  divideWork();
  ledger_.join(now);
  return system_->parts().count() == first.system_->parts().count() ? std::string() : apart;
}

// Prepares the step that `first` has taken; x_ is its guess, with what this run prescribes.
std::string Model::openAlong(Along& run, Model& first) {
  model::StepReport report;
  first_ = &first;
  std::string different = joinAs(first);
  if (!different.empty()) return different;
  caught_ = false;
  if (!openStep(run.request, report)) return report.reason;
  run.step = model::stepInstants(run.request, step_.at);
  return prepareStep(run.step, run.request, report) ? std::string() : report.reason;
}

std::string Model::openLoadAlong(Along& run, const scene::Instant& instant, Model& first) {
  first_ = &first;
  std::string different = joinAs(first);
  if (!different.empty()) return different;
  run.step.end = run.step.at = instant;
  run.step.end.columns = run.step.at.columns = run.columns;
  x_ = history_.q;
  system_->prepare(run.step.end, run.step.end, instant.t, history_.q, false, x_);
  if (system_->elasticity().damped()) system_->elasticity().references() = observed(false).strains;
  system_->beginPaths(history_.q);
  system_->followPath(first.system_->elasticity().frames().path);
  system_->alongOnly = first.alongOnly_;
  return {};
}

void Model::kinematicsOf(int part, bool moves) {
  PartWork& work = work_[static_cast<std::size_t>(part)];
  const std::vector<int>& mine = system_->parts().unknowns[part];
  solve::Kinematics& k = work.kinematics;
  gather(x_, mine, work.x);
  k.rates = moves ? ratesOf(part) : solve::Rates{};
  if (moves) {
    gather(step_.kinematics.base, mine, k.base), gather(step_.kinematics.v0, mine, k.v0);
    gather(step_.kinematics.a0, mine, k.a0);
  } else {
    k.base = k.v0 = k.a0 = VectorX::Zero(work.x.size());
  }
}

// The exact tangent of a part at x_.
std::string Model::linearizeAlong(int part, bool moves) {
  kinematicsOf(part, moves);
  PartWork& work = work_[static_cast<std::size_t>(part)];
  const AtPart at(*system_, part);
  const solve::Kinematics& k = work.kinematics;
  system_->forget();
  system_->sharpen();
  if (system_->hasFriction()) system_->lagFriction(work.x);
  const VectorX moved = work.x - k.base, v = k.rates.v * moved + k.v0, a = k.rates.a * moved + k.a0;
  const solve::Evaluation e = system_->evaluate({work.x, v, a}, k.rates, solve::Level::tangent, work.move);
  if (!e.valid) return e.outside;
  const solve::Factorization f = system_->factor(0);
  if (!f.ok || f.nullPivots > 0) return "the tangent at a solution is singular, so that it does not say how it moves";
  return {};
}

// How far this run is from the base at the end of the step, as it has gone on so far; at the evaluated point of it.
void Model::guessAlong(const std::vector<int>& unknowns, bool moves, const Model& base) {
  const auto& held = system_->supports().prescribed();
  const bool goesOn = moves && history_.dtBefore > 0 && base.history_.dtBefore > 0;
  const double ahead = goesOn ? step_.dt / history_.dtBefore : 0;
  for (const int i : unknowns) {
    if (held[static_cast<std::size_t>(i)]) continue;
    const double now = history_.q[i] - base.history_.q[i];
    const double more = goesOn ? ahead * (now - (history_.qBefore[i] - base.history_.qBefore[i])) : 0;
    x_[i] = base.x_[i] + now + (moves ? step_.at : 1) * more;
  }
}

// J⁻¹ r: the base's tangent, and what residual this run's own parameters and past leave at work.x.
std::string Model::residualAlong(int part, VectorX& dx, Model& base) {
  PartWork& work = work_[static_cast<std::size_t>(part)];
  const solve::Kinematics& k = work.kinematics;
  VectorX v, a, r;
  {
    const AtPart at(*system_, part);
    if (system_->hasFriction()) system_->lagFriction(work.x);
    const VectorX moved = work.x - k.base;
    v = k.rates.v * moved + k.v0, a = k.rates.a * moved + k.a0;
    const solve::Evaluation e = system_->evaluate({work.x, v, a}, k.rates, solve::Level::residual, r);
    if (!e.valid) return e.outside;
  }
  const AtPart there(*base.system_, part);
  dx.resize(r.size());
  base.system_->solve(r, dx);
  return dx.allFinite() ? std::string() : "the tangent at a solution is singular, so that it does not say how it moves";
}

// A pair's solutions, in x_ of each: from guesses by corrections. Slopes are half their difference. What a correction
// leaves out of a run is of second order in how far it went, the same on both sides, and comes into the difference by
// as much as the tangent of one side is another one than that of the other.
std::string Model::correctPair(int part, bool moves, Model& base, const Pair& pair) {
  const std::vector<int>& mine = base.system_->parts().unknowns[part];
  Model* const runs[] = {pair.above, pair.below};
  PartWork* const works[] = {&pair.above->work_[static_cast<std::size_t>(part)],
                             &pair.below->work_[static_cast<std::size_t>(part)]};
  VectorX from, dx[2];
  gather(base.x_, mine, from);
  for (Model* run : runs) {
    run->guessAlong(mine, moves, base);
    run->kinematicsOf(part, moves);
  }
  const auto& held = base.system_->supports().prescribed();
  PartWork& seen = *works[0];
  const bool looks = seen.corrections++ % lookEvery == 0;
  const auto norm = [&](const VectorX& q) {
    const AtPart at(*base.system_, part);
    return base.system_->updateNorm(q);
  };
  const auto extent = [&] {
    const AtPart at(*base.system_, part);
    return base.system_->extent();
  };
  const double whole = extent(), around = rounded * (whole + norm(from));
  double last = 0, lastOdd = 0;
  for (int i = 0;; ++i) {
    if (i == mostCorrections) return "corrections of a step did not settle";
    double size = 0, far = 0;
    bool touches = false;
    for (int side = 0; side < 2; ++side) {
      std::string reason = runs[side]->residualAlong(part, dx[side], base);
      if (!reason.empty()) return reason;
      touches = touches || runs[side]->system_->touches();
      works[side]->x -= dx[side];
      works[side]->move = works[side]->x - from;
      // What is held goes where it is led, and the normals of held edges act by themselves.
      for (std::size_t k = 0; k < mine.size(); ++k) {
        if (held[static_cast<std::size_t>(mine[k])]) works[side]->move[static_cast<Eigen::Index>(k)] = 0;
      }
      size = std::max(size, norm(dx[side])), far = std::max(far, norm(works[side]->move));
    }
    const double odd = norm(0.5 * (dx[0] - dx[1]));
    if (i > 0 && last > 0) {
      const double left = size / last, leftOdd = lastOdd > 0 ? odd / lastOdd : 0;
      seen.contraction = i == 1 ? left : std::max(seen.contraction, left);
      seen.odd = i == 1 ? leftOdd : std::max(seen.odd, leftOdd);
    }
    if (size <= settled * far + around) break;
    if (i > 0 && size > 0.9 * last && size <= std::max(noise * far, faint * whole)) break;
    // At rest no step before tells where it goes, and in contact corrections shrink by another rate, which begins with
    // the touch and changes as it does.
    const bool known = !looks && moves && !touches;
    if (known && seen.odd * odd <= settled * far && seen.contraction * size <= alike * far) break;
    last = size, lastOdd = odd;
  }
  for (int side = 0; side < 2; ++side) scatter(works[side]->x, mine, runs[side]->x_);
  return {};
}

// From x_ to the accepted state. `first`: of the base, whose end is that one's.
void Model::closeAlong(Along& run, const Model* first) {
  model::StepReport report;
  solve::finishStep(step_, history_, x_, q_, v_);
  forEachFresh([&](int i) { v_[i] = fresh_.kinematics.rates.v * (x_[i] - history_.q[i]) + fresh_.kinematics.v0[i]; });
  system_->supports().carryNormals(q_, system_->elasticity().frames());
  if (step_.at != 1) leadHeld(run.request.dt);
  if (first) q_ = first->history_.q, v_ = first->history_.v;
  gainsEnergy(run.step, run.request);
  acceptStep(run.step, run.request, false, report);
  endStep();
  first_ = nullptr;
}

template <class Open, class Close>
model::StepReport Model::along(std::span<const model::Neighbor> neighbors, const double* columns, bool moves,
                               const Open& open, const Close& close) {
  model::StepReport report;
  std::vector<Along> runs{{this, columns, {}, {}}};
  for (const model::Neighbor& neighbor : neighbors)
    runs.push_back({static_cast<Model*>(neighbor.model), neighbor.columns, {}, {}});
  for (Along& run : runs) {
    report.reason = open(run);
    if (!report.reason.empty()) return report;
  }
  for (int p = 0; p < system_->parts().count(); ++p) {
    report.reason = linearizeAlong(p, moves);
    for (std::size_t i = 1; i + 1 < runs.size() && report.reason.empty(); i += 2)
      report.reason = correctPair(p, moves, *this, {runs[i].model, runs[i + 1].model});
    if (!report.reason.empty()) return report;
  }
  for (Along& run : runs) close(run);
  report.accepted = true;
  return report;
}

model::StepReport Model::retake(const model::StepRequest& request, model::Model& lead,
                                std::span<const model::Neighbor> neighbors) {
  if (isExplicit()) return model::Model::retake(request, lead, neighbors);
  auto& first = static_cast<Model&>(lead);
  const auto open = [&](Along& run) {
    run.request = request;
    run.request.columns = run.columns;
    std::string reason = run.model->openAlong(run, first);
    if (run.model != this || !reason.empty()) return reason;
    x_ = step_.at == 1 ? first.history_.q : VectorX(0.5 * (history_.q + first.history_.q));
    return reason;
  };
  return along(neighbors, request.columns, true, open,
               [&](Along& run) { run.model->closeAlong(run, run.model == this ? &first : nullptr); });
}

model::StepReport Model::resettle(const model::SettleRequest& request, model::Model& lead,
                                  std::span<const model::Neighbor> neighbors) {
  auto& first = static_cast<Model&>(lead);
  const auto open = [&](Along& run) {
    std::string reason = run.model->openLoadAlong(run, run.model->instantOf(request), first);
    if (run.model == this && reason.empty()) x_ = first.history_.q;
    return reason;
  };
  const auto close = [&](Along& run) {
    Model& model = *run.model;
    model::StepReport unused;
    model.system_->alongOnly = false;
    model.observedFresh_ = model.balanceFresh_ = false;
    model.acceptLoad(run.step.end, first.alongOnly_, unused);
    if (request.equilibrium) {
      model.x_ = model.history_.q;
      model.system_->prepare(model.instant_, model.instant_, model.instant_.t, model.history_.q, false, model.x_);
      model.observedFresh_ = model.balanceFresh_ = false;
    }
    model.first_ = nullptr;
  };
  return along(neighbors, request.columns, false, open, close);
}

}  // namespace tendril::rods_shells
