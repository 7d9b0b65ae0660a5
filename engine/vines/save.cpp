// The state that the future of vines depends on.
#include "vines/model.h"

namespace tendril::vines {

void Model::visit(model::Archive& archive) {
  constexpr std::size_t mostContacts = 64 * static_cast<std::size_t>(mostBodies);
  bool changed = false;
  for (Robot& robot : robots_) {
    Chain& chain = robot.chain;
    const int bodies = chain.bodies();
    archive.anyList(chain.q, 3 * static_cast<std::size_t>(mostBodies), model::SavedState::Kind::place);
    const std::size_t now = chain.q.size() / 3;
    if (now < 2 || chain.q.size() % 6 != 0) model::Archive::refuse();
    if (archive.restores()) chain.v.resize(3 * now), chain.target.resize(now / 2), chain.fed.resize(now / 2);
    changed = changed || bodies != chain.bodies();
    archive.list(chain.v, model::SavedState::Kind::rate), archive.list(chain.target), archive.list(chain.fed);
    // Field by field: these structs have padding.
    archive.resize(chain.carried, mostContacts);
    for (CarriedContact& c : chain.carried) archive(c.pair, c.obstacle, c.feature, c.normal, c.tangent);
    archive.resize(robot.contacts, mostContacts);
    for (Contact& c : robot.contacts) archive(c.body, c.obstacle, c.normalForce, c.frictionForce, c.point, c.normal);
    archive(robot.report.growthForce, robot.saidStep);
  }
  archive(instant_.t, instant_.middle, instant_.slack, maxPenetration_, steps_);
  archive.list(columns_);
  if (!archive.restores()) return;
  instant_.columns = columns_.data();
  standAtAccepted();
  if (changed) draw();
}

}  // namespace tendril::vines
