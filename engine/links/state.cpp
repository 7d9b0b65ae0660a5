#include "links/state.h"

namespace tendril::links {

State::State(const world::World& world, int linkage, solve::History& history, std::vector<double>& columns,
             scene::Instant& instant)
    : scene(world.scene()),
      own(scene.linkages[static_cast<std::size_t>(linkage)]),
      drives(scene),
      history(history),
      columns(columns),
      instant(instant) {
  structure = std::make_unique<Structure>(scene, linkage);
  contact = std::make_unique<Contact>(world, structure->skin);
  pointer.world = &world;
  fluid = std::make_unique<Fluid>(scene, structure->fluidPoints);
  fields = std::make_unique<ForceFields>(scene);
}

void State::prepare(const scene::Instant& end, const scene::Instant& at, double t0) const {
  drives.apply(at, *structure, *system);
  if (!contact->empty()) contact->prepare(end, at, t0);
  if (!fluid->empty()) fluid->prepare(at, end.t - t0);
  if (!fields->empty()) fields->prepare(at);
}

void State::stand() {
  system->keepEnergy(history.q, history.v, 0);
  prepare(instant, instant, instant.t);
  framesFresh = balanceFresh = energiesFresh = false;
}

void State::prescribe(const scene::Instant& at, Drives::Side side, double width, VectorX& x, solve::Kinematics& k) {
  drives.driven(at, side, width, *structure, *system, prescribed);
  for (const DrivenValue& d : prescribed) {
    x[d.coordinate] = d.value;
    if (k.base.size() != x.size()) continue;
    k.base[d.coordinate] = d.value, k.v0[d.coordinate] = d.rate, k.a0[d.coordinate] = d.acceleration;
  }
}

void State::weigh(const solve::Rates& rates) {
  const double before = system->closureUnit();
  system->weighClosures(rates);
  history.q.tail(system->size() - system->coordinates()) *= before / system->closureUnit();
}

const std::vector<ChainFrame>& State::frames() const {
  if (!framesFresh) system->place(history.q, history.v);
  framesFresh = true;
  return system->chain().frames();
}

const System::Energies& State::energies() const {
  if (!energiesFresh) {
    drives.apply(instant, *structure, *system);
    if (!fluid->empty()) fluid->prepare(instant);
    energies_ = system->energies(history.q, history.v);
    framesFresh = energiesFresh = true;
  }
  return energies_;
}

PlaceState State::at(const scene::LinkRef& ref) const {
  return stateAt(structure->place(scene, ref), frames(), history.q, history.v);
}

}  // namespace tendril::links
