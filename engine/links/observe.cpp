// What is seen of linkages: probes, with the balance of energy.
#include "links/model.h"
#include "links/view/probes.h"
#include "model/balance_probe.h"
#include "scene/reducer.h"

namespace tendril::links {

void Model::observe(int number, std::span<double> columns) {
  using Kind = scene::Probe::Kind;
  const scene::Probe& probe = scene_.probes[static_cast<std::size_t>(number)];
  scene::Reducer out(probe.reduce, columns);
  if (probe.kind == Kind::energy && scene::isOfBalance(probe.energy)) {
    model::WatchedBalance balance;
    energyBalance(balance);
    out.add(model::valueOf(balance, probe.energy));
    return;
  }
  if (probe.kind == Kind::jointEffort) balance();
  links::observe(state_, probe, out);
}

bool Model::energyBalance(model::WatchedBalance& out) {
  prepare(instant_, instant_, instant_.t);
  out = ledger_->balance(history_.q, history_.v);
  out.little = little(scene_.solver.dt) + ledger_->flightDigits();
  framesFresh_ = false;
  return true;
}

Vec3 Model::meanPosition(int number, bool second) {
  return links::meanPosition(state_, scene_.probes[static_cast<std::size_t>(number)], second);
}

}  // namespace tendril::links
