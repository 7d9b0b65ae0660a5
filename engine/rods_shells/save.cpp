// Everything that the future of rods and shells depends on.
#include "rods_shells/model.h"

namespace tendril::rods_shells {
namespace {

void visit(model::Archive& archive, Strains& strains) {
  forEachList([&](auto& list) { archive.list(list); }, strains);
}

void visit(model::Archive& archive, EnergyLedger::Kept& part, std::size_t obstacles) {
  model::WatchedBalance& sum = part.sum;
  archive(sum.work, sum.dissipated, sum.numerical, sum.peak, sum.given, sum.pressed, sum.lost, sum.lostOf);
  archive(part.watch.surplus, part.watch.largest, part.first, part.stored.bodies, part.stored.contact, part.lifted);
  archive(part.rate.work, part.rate.dissipated, part.mass, part.force, part.drain);
  model::visit(archive, part.frame);
  archive.anyList(part.pushes, obstacles);
  archive(part.known);
}

}  // namespace

void Elasticity::visit(model::Archive& archive) {
  FrameState& f = state_;
  archive.list(f.edges), archive.list(f.spin), archive.list(f.referenceTwist), archive.list(f.held),
      archive.list(f.welds);
  archive.list(f.connector), archive.list(f.hingeAngle), archive.list(f.planes.normals), archive.list(f.planes.angles);
}

void Supports::visit(model::Archive& archive) {
  SupportState& s = state_;
  archive.list(s.traveled), archive.list(s.anchored);
  const auto each = [&archive](auto& lists) {
    for (auto& list : lists) archive.list(list);
  };
  each(s.turned), each(s.anchors), each(s.inside), each(s.angles);
  archive.list(s.frames), archive.list(s.normals);
  if (archive.restores()) caught_ = false, caughtFrames_.clear();
}

// Of as many parts as there are, into which what is restored has been divided before.
void EnergyLedger::visit(model::Archive& archive) {
  std::uint64_t parts = kept_.parts.size();
  archive(parts);
  if (parts != kept_.parts.size()) model::Archive::refuse();
  for (Kept& part : kept_.parts) rods_shells::visit(archive, part, system_.contacts().obstacles().size());
  archive.list(kept_.support), archive.list(kept_.bodyLoads);
  archive(kept_.peak, kept_.given, kept_.open, kept_.saidGain);
}

void Model::visit(model::Archive& archive) {
  archive.list(history_.q, model::SavedState::Kind::place), archive.list(history_.v, model::SavedState::Kind::rate);
  archive(history_.dtBefore);
  if (archive.restores()) history_.qBefore = history_.vBefore = VectorX::Zero(history_.q.size());
  if (history_.dtBefore > 0) archive.list(history_.qBefore), archive.list(history_.vBefore);
  archive.list(acceleration_);
  archive(haveAcceleration_, strainRate_, maxPenetration_);
  archive(instant_.t, instant_.middle, instant_.slack, instant_.factor);
  archive.list(columns_);
  system_->visit(archive, history_.q);
  // Strains of the accepted state depend on the natural lengths of its time: saved, not computed again.
  rods_shells::visit(archive, strainsBefore_);
  archive(observedFresh_);
  if (archive.restores()) observed_.strains = strainsBefore_;
  if (observedFresh_) rods_shells::visit(archive, observed_.strains);
  if (archive.restores()) {
    divideWork();
    ledger_.divide();
  }
  ledger_.visit(archive);
  if (!archive.restores()) return;
  for (PartWork& work : work_) work.newton = solve::Newton();
  balanceFresh_ = false;
  standAtAccepted();
}

}  // namespace tendril::rods_shells
