// The key table, last part: what the format reserves and this version refuses with "not yet": vines. The schema and the
// reference page show these keys as reserved.
#include "scene/keys_table.h"

namespace tendril {

namespace {

const std::vector<KeyObject> vineObjects = {
    {"vine",
     "a vine",
     {
         {"bodies", "integer", "", "", "[1,100000]", "required", "", "Number of bodies."},
         {"length", "number", "m", "", "(0,inf)", "required", "", "Length at the start."},
         {"diameter", "number", "m", "", "(0,inf)", "required", "", "Diameter."},
         {"heading", "number", "rad", "0", "", "", "", "Direction at the base."},
         {"base", "vector", "m", "[0, 0, 0]", "", "", "", "Place of the base."},
         {"plane", "choice xy xz yz", "", "\"xy\"", "", "", "", "The plane it lives in."},
         {"mass", "number", "kg", "", "(0,inf)", "", "", "Mass of a body."},
         {"inertia", "number", "kg m^2", "", "(0,inf)", "", "", "Inertia of a body."},
         {"massPerLength", "number", "kg/m", "", "(0,inf)", "", "", "Instead of mass and inertia."},
         {"stiffness", "number", "N m", "", "[0,inf)", "", "", "Stiffness of a pin."},
         {"bendingStiffness", "number", "N m^2", "", "[0,inf)", "", "", "Instead of stiffness."},
         {"damping", "number", "N m s", "0", "[0,inf)", "", "", "Damping of a pin."},
         {"growth", "number timed", "m/s", "0", "", "", "", "Growth rate."},
         {"tip", "boolean", "", "false", "", "", "", "Whether it grows at the tip only."},
         {"springs", "choice implicit explicit", "", "\"implicit\"", "", "", "", "Time scheme of the pins."},
         {"stall", "number", "N", "", "(0,inf)", "", "", "Tip load that stops growth."},
         {"steer", "number timed field", "N m", "0", "", "", "", "Moment per pin."},
         {"contact", "choice tube pairs", "", "\"tube\"", "", "", "", "Contact model."},
         {"look", "object look", "", "", "", "", "", "Display only."},
     }},
};

}  // namespace

const std::vector<KeyObject>& laterKeyObjects() { return vineObjects; }

}  // namespace tendril
