// A linkage as it stands: its part of the scene, its equations with what acts on them, and its motion up to the
// accepted state. All that works on a linkage (loops, statics, what is seen of it) shares this and owns the rest
// itself.
#pragma once

#include <memory>
#include <vector>

#include "links/drives.h"
#include "links/forces/force_fields.h"
#include "links/forces/pointer_spring.h"
#include "links/structure.h"
#include "solve/time_scheme.h"
#include "world/world.h"

namespace tendril::links {

struct State {
  /// Without equations yet. The accepted state is the model's: its motion, its instant and what that sees.
  State(const world::World& world, int linkage, solve::History& history, std::vector<double>& columns,
        scene::Instant& instant);

  const scene::Scene& scene;
  const scene::Linkage& own;
  std::unique_ptr<Structure> structure;
  std::unique_ptr<System> system;
  std::unique_ptr<Contact> contact;
  std::unique_ptr<Fluid> fluid;
  std::unique_ptr<ForceFields> fields;
  PointerSpring pointer;
  Drives drives;
  solve::History& history;
  std::vector<double>& columns;         ///< what `instant` sees
  scene::Instant& instant;              ///< of the accepted state
  std::vector<DrivenValue> prescribed;  ///< coordinates, as last asked for
  /// Beyond what the scene gives, where lookAt() shows them: of tendons [N] and of coordinates [N m], [N]; else empty.
  VectorX moreTension, moreEffort;

  /// Whether the chain's frames, efforts and energies are those of the accepted state.
  mutable bool framesFresh = false, balanceFresh = false, energiesFresh = false;

  /// What acts at `at`, in a step from t0 [s] to `end`.
  void prepare(const scene::Instant& end, const scene::Instant& at, double t0) const;
  /// What acts at the accepted state again, whatever has been tried.
  void stand();
  /// Prescribed coordinates stand in x where their formulas say, with the rates that these say in k.
  void prescribe(const scene::Instant& at, Drives::Side side, double width, VectorX& x, solve::Kinematics& k);
  /// Weighs closing rows for a solve; multipliers keep the forces that they stand for.
  void weigh(const solve::Rates& rates);

  // At the accepted state:
  const std::vector<ChainFrame>& frames() const;
  const System::Energies& energies() const;
  PlaceState at(const scene::LinkRef& ref) const;

 private:
  mutable System::Energies energies_;  // while energiesFresh
};

}  // namespace tendril::links
