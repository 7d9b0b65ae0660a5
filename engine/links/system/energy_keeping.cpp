// Steps of the midpoint rule that keep a linkage's energy. In the middle x of a step, with the rates v and
// accelerations a of the rule, the equations are
//   M(x) a + C(x, v) v + grad V(x) + c M(x) (q1 - q0) = other forces
// with the number c that makes the left side do exactly the work by which kinetic and potential energy change from
// (q0, v0) to (q1, v1), after Gonzalez (1996, J. Nonlinear Sci. 6). The correction is of order dt^2, as the rule's own
// error. In flight momentum is kept too: what c does and what the rule misses leave it alone. Written with momenta of
// both ends, the rule would miss less, but the force that it then has of the change of velocities, -grad (v0^T M v1) /
// 2, points the wrong way where motions that the step does not resolve turn round in it.
#include <algorithm>
#include <cmath>
#include <limits>

#include "links/system/system.h"

namespace tendril::links {
namespace {

// Of the way in flight: motion within the linkage that is as small keeps its energy to the rule's own order only.
constexpr double aside = 1e-4;
// [rad] of the largest unknown, in a difference that stands for a product of the tangent.
constexpr double moved = 1e-6;

}  // namespace

System::Conserved System::conserved(const VectorX& q, const VectorX& v) {
  const Energies e = energies(q, v);
  Conserved out;
  const double elastic = elasticOf(e, q);
  out.stored = out.all = e.kinetic + e.gravity + elastic;
  out.size = e.kinetic + std::abs(e.gravity) + std::abs(elastic);
  const auto add = [&](double energy) { out.all += energy, out.size += std::abs(energy); };
  for (const Tendon& t : tendons) {
    if (t.tension != 0) add(t.tension * tendonLength(t, q, chain_.frames()));
  }
  for (const PointWrench& p : wrenches) {
    if (p.world) add(-p.wrench.tail<3>().dot(chain_.frames()[p.step].pose.r));
  }
  for (const ChainForce* f : forces) add(f->keptEnergy(chain_.frames()));
  return out;
}

// What the forces of conserved() do, beside those that power() counts, at the motion of the chain's frames [W].
double System::otherPower(const VectorX& q, const VectorX& v) const {
  const std::vector<ChainFrame>& frames = chain_.frames();
  double power = 0;
  for (const Tendon& t : tendons) {
    if (t.tension != 0) power += t.tension * tendonRate(t, q, v, frames);
  }
  for (const PointWrench& p : wrenches) {
    if (p.world) power -= p.wrench.tail<3>().dot(frames[p.step].pose.R * frames[p.step].velocity.tail<3>());
  }
  for (const ChainForce* f : forces) power += f->keptPower(frames);
  return power;
}

void System::keepEnergy(const VectorX& q0, const VectorX& v0, double dt) {
  keep_.dt = dt, keep_.solves = 0;
  if (dt == 0) return;
  const int n = coordinates();
  keep_.q0 = q0.head(n), keep_.v0 = v0.head(n);
  // All energies and momenta are those of who flies along: the digits of what a fast flight has would be missed within.
  keep_.flown.setZero(n);
  keep_.flies = !flight_.coordinates.empty() && !flightIsTied();
  place(keep_.q0, keep_.v0);
  momentum(keep_.momentum0), flightMass(keep_.mass0);
  const solve::DenseLu lu(keep_.mass0, solve::DenseLu::Pivots::rows);
  if (keep_.flies && lu.regular()) {
    const VectorX rates = lu.solve(keep_.momentum0);
    for (std::size_t f = 0; f < flight_.coordinates.size(); ++f)
      keep_.flown[flight_.coordinates[f]] = rates[static_cast<Eigen::Index>(f)];
  }
  keep_.start = conserved(keep_.q0, keep_.v0 - keep_.flown);
  momentum(keep_.momentum0);
  place(keep_.q0, keep_.v0);
}

// Takes out of a way what moves the center of mass in flight, and finds M(x) of what is left in keep_.along.
void System::leaveFlight(VectorX& way) {
  const auto moveAlong = [&] {
    chain_.move(keep_.middle, zero_, way, {}, false);
    loads_.reset(chain_.steps().size());
    for (const MassPoint& m : masses_) {
      loads_.wrenches[m.step].value += (m.inertia + m.added) * chain_.frames()[m.step].acceleration;
    }
    keep_.along.setZero(coordinates());
    chain_.gather(loads_.wrenches, {}, keep_.along, nullptr);
  };
  moveAlong();
  keep_.whole = 0;
  if (flight_.coordinates.empty()) return;
  keep_.whole = way.dot(keep_.along);
  flightMass(keep_.mass);
  const solve::DenseLu lu(keep_.mass, solve::DenseLu::Pivots::rows);
  if (!lu.regular()) return;
  VectorX carried(static_cast<Eigen::Index>(flight_.coordinates.size()));
  for (std::size_t f = 0; f < flight_.coordinates.size(); ++f)
    carried[static_cast<Eigen::Index>(f)] = keep_.along[flight_.coordinates[f]];
  carried = lu.solve(carried);
  for (std::size_t f = 0; f < flight_.coordinates.size(); ++f)
    way[flight_.coordinates[f]] -= carried[static_cast<Eigen::Index>(f)];
  moveAlong();
}

// What does not need the power in the middle: moves the chain, so it comes before all else.
void System::beginKeeping(const solve::Motion& motion) {
  const int n = coordinates();
  keep_.way = 2 * (motion.q.head(n) - keep_.q0);
  keep_.end1 = keep_.q0 + keep_.way, keep_.rate1 = 2 * motion.v.head(n) - keep_.v0;
  keep_.end = conserved(keep_.end1, keep_.rate1 - keep_.flown);
  momentum(keep_.momentum1), flightMass(keep_.mass1);
  keep_.free = keep_.way - keep_.dt * keep_.flown;
  for (int i = 0; i < n; ++i) {
    if (held[static_cast<std::size_t>(i)]) keep_.free[i] = 0;
  }
  keep_.middle = motion.q.head(n);
  leaveFlight(keep_.free);
}

// Adds the correction to what is gathered; returns what round-off leaves in it [N m].
double System::addKeeping(const solve::Motion& motion) {
  keep_.rate = motion.v.head(coordinates());
  if (!flight_.coordinates.empty()) {
    // The end's rates take up what momentum lacks there.
    const solve::DenseLu lu(keep_.mass1, solve::DenseLu::Pivots::rows);
    VectorX along(static_cast<Eigen::Index>(flight_.coordinates.size()));
    for (std::size_t f = 0; f < flight_.coordinates.size(); ++f)
      along[static_cast<Eigen::Index>(f)] = keep_.flown[flight_.coordinates[f]];
    const VectorX heavier = (keep_.mass1 - keep_.mass0) * along;
    if (lu.regular()) {
      const VectorX lacks = keep_.momentum0 + keep_.dt * push_ - keep_.momentum1 - heavier;
      // Seen from the ground, as the power is. What is not balanced yet does no work in flight: times its speed that
      // would outweigh all that Newton knows.
      const double gain =
          lu.solve(lacks).dot(keep_.momentum1 + 0.5 * lacks) + along.dot(keep_.dt * carried_ - 0.5 * heavier);
      keep_.end.all += gain, keep_.end.stored += gain;
    }
  }
  const double work = keep_.dt * (power_ + otherPower(springChart_, keep_.rate));
  const double missing = keep_.end.all - keep_.start.all - work;
  // The account of energy sees what the stored energies do.
  power_ = (keep_.end.stored - keep_.start.stored) / keep_.dt;
  const double square = keep_.free.dot(keep_.along);
  if (!(square > 0) || !std::isfinite(missing)) return 0;
  // Where the way within the linkage is so short that round-off is all that is missing, it is let be: at most that a
  // step.
  const auto units = units_.head(coordinates());
  VectorX within = keep_.way;
  for (int i = 0; keep_.flies && i < coordinates(); ++i) {
    if (!held[static_cast<std::size_t>(i)]) within[i] = keep_.free[i];
  }
  const double size = std::max(keep_.end.size, keep_.start.size),
               turn = within.cwiseQuotient(units).cwiseAbs().maxCoeff();
  const double noise = 8 * std::numeric_limits<double>::epsilon() * size, bound = size * turn * turn * turn;
  // So is motion within a linkage that is little beside its flight: the digits of that would pump it.
  const double fade = bound / (bound + noise) * square / (square + aside * aside * keep_.whole);
  gathered_ += (fade * missing / square) * keep_.along;
  return fade * noise / square * keep_.along.cwiseProduct(units).norm();
}

// Newton's update with the whole tangent, known by differences of the residual; the plain rule's, which is factored, is
// the preconditioner.
void System::solveKeeping(const VectorX& rhs, VectorX& x) {
  solve::KrylovLimits limits;
  limits.accuracy = 1e-3, limits.iterations = limits.patience = 12;
  keep_.rhs = rhs;
  const auto times = [&](const VectorX& z, VectorX& y) {
    y.setZero(z.size());
    const double turn = z.cwiseQuotient(units_).cwiseAbs().maxCoeff();
    if (!(turn > 0) || !std::isfinite(turn)) return;
    const double h = moved / turn;
    keep_.atQ = keep_.q + h * z;
    keep_.atV = keep_.v + (h * keep_.rates.v) * z;
    keep_.atA = keep_.a + (h * keep_.rates.a) * z;
    evaluate({keep_.atQ, keep_.atV, keep_.atA}, keep_.rates, solve::Level::residual, keep_.atR);
    y = (keep_.atR - keep_.r) / h;
    for (int i = 0; i < coordinates(); ++i) {
      if (held[static_cast<std::size_t>(i)]) y[i] = z[i];
    }
  };
  keep_.krylov.gmres(
      keep_.rhs, units_, limits, times, [&](const VectorX& r, VectorX& z) { solvePlain(r, z); }, keep_.x);
  x = keep_.x;
}

}  // namespace tendril::links
