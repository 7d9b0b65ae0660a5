// The scene's contact as numbers: what can touch, and stiffness, friction, distance and slip where nobody says otherwise.
#pragma once

#include "contact/contact_mesh.h"
#include "discrete/loads.h"
#include "discrete/structure.h"

namespace tendril {

/// Of one kind of contact at one time.
struct ContactLaw {
  double stiffness = 0;  ///< k [N/m], or [N/m^2] with "per": "length"
  double friction = 0;   ///< Coulomb's mu
  double distance = 0;   ///< delta [m]
  double slip = 0;       ///< nu [m/s]
};

/// What contact probes and the summary see at a state.
struct ContactSummary {
  double force = 0;        ///< sum of normal forces [N]
  int pairs = 0;           ///< contacts within reach
  double penetration = 0;  ///< deepest [m]
};

/// Of a contact's force this is lost where it cancels in the residual; and the round-off of a place, of its size.
inline constexpr double contactDigits = 2e-14, placeDigits = 4e-16;

/// Rod edges (ghosts aside), shell edges and triangles with their present radii.
ContactMesh contactMesh(const Structure& structure, const Scene& scene);

/// `contact` of the scene. Without numbers: distance a tenth of the smallest radius; stiffness E r of the softest body,
/// per length E. Throws FormulaFailure.
ContactLaw sceneLaw(const Structure& structure, const Scene& scene, const ContactMesh& mesh, const Moment& at);

/// Share of the overlaps at the start that contact still allows: bodies that begin inside each other are parted over the
/// first hundred steps, not thrown apart. In statics 0.
double overlapLeft(const Scene& scene, const Moment& at);

/// What a timed value of the scene sees.
FormulaInput timedInput(const Scene& scene, const Moment& moment);

}  // namespace tendril
