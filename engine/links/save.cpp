// Everything that the future of a linkage depends on.
#include "links/model.h"

namespace tendril::links {

void Model::visit(model::Archive& archive) {
  archive.list(history_.q, model::SavedState::Kind::place), archive.list(history_.v, model::SavedState::Kind::rate);
  for (VectorX* v : {&history_.a, &history_.auxiliary, &acceleration_, &push_, &auxiliaryPush_}) archive.list(*v);
  archive(history_.dtBefore);
  if (archive.restores()) history_.qBefore = history_.vBefore = VectorX::Zero(history_.q.size());
  if (history_.dtBefore > 0) archive.list(history_.qBefore), archive.list(history_.vBefore);
  double unit = system_->closureUnit();
  archive(unit, maxPenetration_, haveAcceleration_, pushKnown_);
  archive(instant_.t, instant_.middle, instant_.factor, instant_.slack);
  archive.list(columns_);
  for (const PoseSpring& s : system_->springs) {
    geometry::Pose offset = system_->chain().steps()[static_cast<std::size_t>(s.step)].offset;
    archive(offset.R, offset.r);
    if (archive.restores()) system_->chain().setOffset(s.step, offset);
  }
  contact_->visit(archive);
  account_.visit(archive);
  archive(saidGain_);
  ledger_->visit(archive);
  archive(storesFresh_, kinetic_, weight_, pull_);
  if (!archive.restores()) return;
  system_->setClosureUnit(unit);
  instant_.columns = columns_.data();
  statics_.barrier.forget();
  triedAt_ = -1;
  standAtAccepted();
}

}  // namespace tendril::links
