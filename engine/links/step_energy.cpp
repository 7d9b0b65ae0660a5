// What a step of linkages did to what is stored: for the account that cuts steps which gain energy, and to be told.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "links/model.h"

namespace tendril::links {

// Of everything but what is stored, what dampers take and what loads and motors give.
double Model::power() const {
  return system_->power() + system_->dampingPower() - system_->givenPower() +
         (contact_->empty() ? 0 : contact_->storing()) - ledger_->carriedByOthers();
}

// What the step from the accepted state to (q_, v_) does to the stored energies, with springs as they are at its end
// and the mean of gravity.
EnergyAccount::Entry Model::entry(double dt, System::Energies& end) {
  EnergyAccount::Entry out;
  out.dt = dt;
  const double others = power() + ledger_->carriedByOthers(), given = system_->givenPower();
  // What a mass has that a load hangs on or takes away comes and goes with it.
  const VectorX q0 = leaps_.empty() ? history_.q : leapt();
  double pressed = 0;  // what leaps change of what contact stores
  if (!leaps_.empty() && !contact_->empty()) {
    system_->place(q0, history_.v);
    pressed = contact_->energy(system_->chain().frames());
    system_->place(history_.q, history_.v);
    pressed -= contact_->energy(system_->chain().frames());
  }
  if (!storesFresh_ || ledger_->hangsMasses()) {
    const System::Energies before = system_->energies(q0, history_.v);
    kinetic_ = before.kinetic, weight_ = before.weight;
    if (!storesFresh_) pull_ = system_->gravity;
  }
  const System::Energies& e = end = system_->energies(q_, v_);
  out.change = e.kinetic - kinetic_ - 0.5 * (pull_ + system_->gravity).dot(e.weight - weight_) + e.elastic -
               system_->elasticEnergy(q0) - system_->restForce.dot((q_ - q0).head(system_->coordinates()));
  ledger_->see();
  // Seen from there.
  if (ledger_->flies()) out.change -= ledger_->carried(0.5 * (pull_ + system_->gravity));
  out.power = others - ledger_->carriedByOthers(), out.given = dt * (given - ledger_->carriedByLoads());
  out.size = e.kinetic - ledger_->flight() + std::abs(system_->elasticOf(e, q_)) + ledger_->flightDigits() + little(dt);
  out.kinetic = e.kinetic, out.weight = e.weight;
  out.touched = ledger_->touched(kinetic_, e.kinetic);
  if (contact_->empty()) return out;
  const double stored = contact_->energy(system_->chain().frames());
  out.change += stored - contact_->energyBefore() - pressed;
  out.size += stored;
  return out;
}

// Energy [J] that is little for a linkage of this mass, where nothing moves or touches to speak of: a millionth of what
// gravity could do, a tenth of what a contact stores that just touches, and what loads do along the last three digits
// of coordinates, and these could store and move.
double Model::little(double dt) const {
  constexpr double digits = 1e3 * std::numeric_limits<double>::epsilon();
  const int n = system_->coordinates();
  const double scale = system_->scale(), speed = digits * scale / dt;
  double stiffness = system_->stiffness().diagonal().dot(system_->units().head(n).cwiseAbs2());  // [N m]
  for (const PoseSpring& s : system_->springs) stiffness += s.rotation + scale * scale * s.translation;
  const double mass = system_->wholeMass();
  double push = system_->force.cwiseAbs().dot(system_->units().head(n));  // [N m]
  for (const PointWrench& w : system_->wrenches) push += w.wrench.head<3>().norm() + scale * w.wrench.tail<3>().norm();
  const double touch = contact_->empty() ? 0 : contact_->touch();
  return 0.1 * touch + 1e-6 * system_->gravity.norm() * mass * scale + digits * push + digits * digits * stiffness +
         mass * speed * speed;
}

// Once in a run: the accepted step, which ends at t [s], gained `gain` [J], which is too much, and is the shortest to
// be tried.
void Model::tellGain(double t, double gain, model::StepReport& report) {
  if (saidGain_) return;
  saidGain_ = true;
  model::WatchedBalance balance;
  energyBalance(balance);
  char made[100], of[240];
  std::snprintf(made, sizeof made, "by t = %.4g s the integrator has made %.3g J in \"", t,
                std::max(balance.numerical, gain));
  std::snprintf(
      of, sizeof of,
      "\" that nothing gave, of %.3g J in motion, bending and contact, and steps of a part in 4096 of dt do not help: "
      "do not trust what follows; look for what jumps or is too stiff",
      balance.peak);
  report.warnings.push_back(made + own_.name + of);
}

}  // namespace tendril::links
