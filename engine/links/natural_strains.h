// Actuation of soft links: stress-free strains that change with time, as fields along the link.
#pragma once

#include <vector>

#include "links/structure.h"
#include "scene/instant.h"

namespace tendril::links {

/// By how much the stress-free strain of a soft body at a quadrature point differs from its own, with which the chain
/// is built; where a mode feels it.
struct NaturalStrain {
  const Structure::Piece* piece = nullptr;
  int component = 0;  ///< as in SoftBody::Mode
  double more = 0;    ///< [rad/m], [1]
};

/// Of all that actuation gives at `at`, into `out`. In statics instant.factor leads from the links' own. Throws
/// Failure.
void findNaturalStrains(const scene::Scene& scene, const scene::Instant& at, const Structure& structure,
                        std::vector<NaturalStrain>& out);

/// Sets what these do to the system: its generalized force and what it stores beyond that of its coordinates. Comes
/// after the joints are set. Throws Failure.
void applyNaturalStrains(const scene::Scene& scene, const scene::Instant& at, const Structure& structure,
                         System& system);

/// What the stress of `natural` stores beyond what coordinates q have alone [J], added by component.
void addNaturalEnergy(const std::vector<NaturalStrain>& natural, const Structure& structure, const VectorX& q,
                      double (&components)[6]);

}  // namespace tendril::links
