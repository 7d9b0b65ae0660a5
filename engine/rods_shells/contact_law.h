// What of rods and shells can touch, and the scene's contact values for them.
#pragma once

#include <limits>

#include "contact/contact_mesh.h"
#include "rods_shells/structure.h"
#include "scene/contact_values.h"

namespace tendril::rods_shells {

/// Of a contact's force this is lost where it cancels in the residual.
inline constexpr double contactDigits = 2e-14;

/// Rod edges, shell edges and triangles with their present radii.
contact::ContactMesh contactMesh(const Structure& structure, const scene::Scene& scene);

/// What a body says about its contact where the scene says nothing; infinite where the body does not tell either.
struct ContactGrain {
  double smallest = std::numeric_limits<double>::infinity();  ///< radius [m]
  double softest = std::numeric_limits<double>::infinity();   ///< E r [N/m]; left out where the scene gives a stiffness
};

/// Of every rod and shell.
std::vector<ContactGrain> contactGrains(const Structure& structure, const scene::Scene& scene,
                                        const contact::ContactMesh& mesh);

/// contactValues() of two bodies, or of one with itself or an obstacle: others have no say. Throws Failure.
scene::ContactLaw pairLaw(const scene::Scene& scene, const ContactGrain& a, const ContactGrain& b,
                          const scene::Instant& at);

}  // namespace tendril::rods_shells
