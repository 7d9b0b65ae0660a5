// The key table, part of the vines: growing robots in a plane.
#include "scene/format/tables/table.h"

namespace tendril::scene {

namespace {

const std::vector<KeyObject> vineObjects = {
    {"vine",
     "a vine",
     {
         {"bodies", "integer", "", "30", "[2,20000]", "", "",
          "Number of bodies at the start, an even number: two slide on each other as a pair."},
         {"length", "number", "m", "", "(0,inf)", "required", "", "Length at the start."},
         {"diameter", "number", "m", "", "(0,inf)", "required", "", "Diameter of the tube."},
         {"heading", "number", "rad", "0", "", "", "",
          "Direction at the base, from the plane's first axis toward its second."},
         {"base", "vector", "m", "[0, 0, 0]", "", "", "", "Position of the base; the plane passes through it."},
         {"plane", "choice xy xz yz", "", "\"xy\"", "", "", "",
          "The plane in which it moves. An obstacle acts through its cross-section with that plane."},
         {"massPerLength", "number", "kg/m", "", "(0,inf)", "one:kind", "",
          "Mass of the tube; the mass of each body, and its inertia as a thin-walled tube, follow from its length."},
         {"bendingStiffness", "number", "N m^2", "0", "[0,inf)", "", "massPerLength",
          "EI of the tube; each pin has EI over the length it represents, for any number of bodies."},
         {"bendingDamping", "number", "N m^2 s", "0", "[0,inf)", "", "massPerLength",
          "Resistance of the tube to the rate of its curvature."},
         {"pressure", "number", "Pa", "", "(0,inf)", "", "massPerLength",
          "Internal pressure of a tube whose wall wrinkles in bending: beyond the moment pi p R^3 / 2 its stiffness falls "
          "as the moment approaches pi p R^3 (Comer and Levy 1963). Default: it never wrinkles."},
         {"mass", "number", "kg", "", "(0,inf)", "one:kind", "",
          "Instead: mass of every body, as in the published program. Such a robot changes with \"bodies\"."},
         {"inertia", "number", "kg m^2", "", "(0,inf)", "", "mass",
          "Inertia of every body (default: that of a thin-walled tube of its mass, length and diameter)."},
         {"stiffness", "number", "N m/rad", "0", "[0,inf)", "", "mass", "Stiffness of every pin."},
         {"damping", "number", "N m s/rad", "0", "[0,inf)", "", "mass", "Damping of every pin."},
         {"growth", "number timed", "m/s", "0", "", "", "",
          "Rate at which it lengthens, shared by all pairs; negative: it retracts."},
         {"tip", "boolean", "", "false", "", "", "",
          "It grows only at its tip: new bodies appear there, and the rest stays where it is."},
         {"springs", "choice implicit explicit", "", "\"implicit\"", "", "", "",
          "Whether pin springs act with the state at the end of a step, for any step, or at its start, as published, for short steps only."},
         {"stall", "number timed", "N", "", "(0,inf)", "", "",
          "Growth slows with the load that resists it at the tip, and stops at this force (default: growth never slows)."},
         {"steer", "number timed field", "N m", "0", "", "", "",
          "Moment at every pin, bending what follows to the left; a formula may see s (arc length from the base), u (from 0 "
          "to 1), i and n (index of the pin, and the number of pins)."},
         {"curvature", "number timed field", "1/m", "0", "", "", "",
          "Natural curvature, positive to the left, at every pin."},
         {"contact", "choice tube pairs", "", "\"tube\"", "", "", "",
          "What touches: the whole tube, or only the far end of every pair, as published."},
         {"placements", "rows", "", "", "", "", "",
          "Initial shape, if not straight along its heading: x, y [m] from the base in its plane and the direction theta "
          "[rad] of every body's center, base to tip."},
         {"velocities", "rows", "", "", "", "", "placements", "Their initial rates (default: at rest)."},
         {"look", "object look", "", "", "", "", "", "Display only."},
     }},
};

}  // namespace

const std::vector<KeyObject>& vineKeyObjects() { return vineObjects; }

}  // namespace tendril::scene
