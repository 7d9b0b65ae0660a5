// What of rods and shells can touch, and the scene's contact values for them.
#pragma once

#include "contact/contact_mesh.h"
#include "discrete/structure.h"
#include "scene/contact_values.h"

namespace tendril {

/// Of a contact's force this is lost where it cancels in the residual; and the round-off of a place, of its size.
inline constexpr double contactDigits = 2e-14, placeDigits = 4e-16;

/// Rod edges (ghosts aside), shell edges and triangles with their present radii.
ContactMesh contactMesh(const Structure& structure, const Scene& scene);

/// contactValues() with the radii and the stiffness of rods and shells. Throws FormulaFailure.
ContactLaw sceneLaw(const Structure& structure, const Scene& scene, const ContactMesh& mesh, const Moment& at);

}  // namespace tendril
