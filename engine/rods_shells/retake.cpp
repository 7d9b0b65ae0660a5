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
  const std::string different = joinAs(first);
  if (!different.empty()) return different;
  caught_ = false;
  if (!openStep(run.request, report)) return report.reason;
  run.step = model::stepInstants(run.request, step_.at);
  return prepareStep(run.step, run.request, report) ? std::string() : report.reason;
}

std::string Model::openLoadAlong(Along& run, const scene::Instant& instant, Model& first) {
  first_ = &first;
  const std::string different = joinAs(first);
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

// To this run's solution, in x_: from a guess by the residual that its own parameters and past leave there, and the
// base's tangent.
std::string Model::correctAlong(int part, bool moves, Model& base) {
  const std::vector<int>& mine = system_->parts().unknowns[part];
  guessAlong(mine, moves, base);
  kinematicsOf(part, moves);
  PartWork& work = work_[static_cast<std::size_t>(part)];
  const solve::Kinematics& k = work.kinematics;
  VectorX from, v, a, r, dx;
  gather(base.x_, mine, from);
  dx.resize(from.size());
  const bool looks = work.corrections++ % lookEvery == 0;
  double last = 0;
  for (int i = 0;; ++i) {
    if (i == mostCorrections) return "corrections of a step did not settle";
    const AtPart at(*system_, part);
    if (system_->hasFriction()) system_->lagFriction(work.x);
    const VectorX moved = work.x - k.base;
    v = k.rates.v * moved + k.v0, a = k.rates.a * moved + k.a0;
    const solve::Evaluation e = system_->evaluate({work.x, v, a}, k.rates, solve::Level::residual, r);
    if (!e.valid) return e.outside;
    {
      const AtPart there(*base.system_, part);
      base.system_->solve(r, dx);
    }
    if (!dx.allFinite()) return "the tangent at a solution is singular, so that it does not say how it moves";
    work.x -= dx;
    work.move = work.x - from;
    const double size = system_->updateNorm(dx), far = system_->updateNorm(work.move);
    if (i > 0 && last > 0) work.contraction = i == 1 ? size / last : std::max(work.contraction, size / last);
    if (size <= settled * far + rounded * (system_->extent() + system_->updateNorm(from))) break;
    if (i > 0 && size > 0.9 * last && size <= std::max(noise * far, faint * system_->extent())) break;
    // In contact they shrink by another rate, which begins with the touch and changes as it does.
    if (!looks && !system_->touches() && work.contraction * size <= settled * far) break;
    last = size;
  }
  scatter(work.x, mine, x_);
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
    for (std::size_t i = 1; i < runs.size() && report.reason.empty(); ++i)
      report.reason = runs[i].model->correctAlong(p, moves, *this);
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
    const std::string reason = run.model->openAlong(run, first);
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
    const std::string reason = run.model->openLoadAlong(run, run.model->instantOf(request), first);
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
