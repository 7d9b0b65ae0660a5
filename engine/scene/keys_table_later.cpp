// The key table, last part: what the format reserves and this version refuses with "not yet": linkages and
// vines. The schema and the reference page show these keys as reserved.
#include "scene/keys_table.h"

namespace tendril {

namespace {

const std::vector<KeyObject> linkageObjects = {
    {"linkage",
     "a linkage",
     {
         {"base", "object base", "", "", "", "", "", "Where it starts."},
         {"links", "map link", "", "", "", "required", "", "Its links, in order."},
         {"cables", "map cable", "", "", "", "", "", "Its cables."},
         {"loops", "list loop", "", "", "", "", "", "Joints that close chains."},
         {"look", "object look", "", "", "", "", "", "Display only."},
     }},
    {"base",
     "a base",
     {
         {"position", "vector", "m", "[0, 0, 0]", "", "", "", "Place of the first joint."},
         {"forward", "vector", "", "[1, 0, 0]", "", "", "", "Direction of x."},
         {"up", "vector", "", "[0, 0, 1]", "", "", "", "Direction towards which z turns."},
     }},
    {"link",
     "a link",
     {
         {"joint", "object linkjoint", "", "", "", "", "", "How it hangs on its parent."},
         {"body", "object body", "", "", "", "required", "", "Rigid or soft."},
         {"parent", "text", "", "", "", "", "", "The link it hangs on, if not the one before."},
         {"offset", "object offset", "", "", "", "", "", "Place of the joint in the parent's tip frame."},
         {"fluid", "object linkfluid", "", "", "", "", "", "Coefficients in a fluid."},
         {"look", "object look", "", "", "", "", "", "Display only."},
     }},
    {"offset",
     "an offset",
     {
         {"position", "vector", "m", "[0, 0, 0]", "", "", "", "Position."},
         {"rotation", "object turn|list turn", "", "", "", "", "", "Rotation."},
     }},
    {"linkjoint",
     "a link's joint",
     {
         {"fixed", "object coordinate", "", "", "", "one:kind", "", "No freedom."},
         {"revolute", "object coordinate", "", "", "", "one:kind", "", "One rotation."},
         {"prismatic", "object coordinate", "", "", "", "one:kind", "", "One translation."},
         {"helical", "object coordinate", "", "", "", "one:kind", "", "A screw."},
         {"universal", "object coordinate", "", "", "", "one:kind", "", "Two rotations."},
         {"cylindrical", "object coordinate", "", "", "", "one:kind", "", "Rotation and translation."},
         {"planar", "object coordinate", "", "", "", "one:kind", "", "Motion in a plane."},
         {"spherical", "object coordinate", "", "", "", "one:kind", "", "Three rotations."},
         {"free", "object coordinate", "", "", "", "one:kind", "", "All six."},
     }},
    {"coordinate",
     "a joint's coordinates",
     {
         {"axis", "choice x y z", "", "", "", "", "", "Its axis."},
         {"pitch", "number", "m/rad", "", "", "", "", "Helical: advance per angle."},
         {"angle", "number timed", "rad", "", "", "", "", "Driven angle."},
         {"displacement", "number timed", "m", "", "", "", "", "Driven displacement."},
         {"torque", "number timed", "N m", "", "", "", "", "Applied torque."},
         {"force", "number timed", "N", "", "", "", "", "Applied force."},
         {"stiffness", "number", "", "0", "[0,inf)", "", "", "Spring."},
         {"damping", "number", "", "0", "[0,inf)", "", "", "Damper."},
         {"rest", "number", "", "0", "", "", "", "Rest value of the spring."},
     }},
    {"body",
     "a link's body",
     {
         {"rigid", "object rigid", "", "", "", "one:kind", "", "A rigid body."},
         {"soft", "object soft|list soft", "", "", "", "one:kind", "", "A soft body."},
     }},
    {"rigid",
     "a rigid body",
     {
         {"length", "number", "m", "", "[0,inf)", "", "", "Length."},
         {"section", "object section", "", "", "", "", "", "Cross-section."},
         {"density", "number", "kg/m^3", "", "(0,inf)", "", "", "Density."},
         {"mass", "number", "kg", "", "(0,inf)", "", "", "Mass."},
         {"inertia", "vector", "kg m^2", "", "[0,inf)", "", "", "Principal moments."},
         {"center", "vector", "m", "", "", "", "", "Centre of mass."},
     }},
    {"soft",
     "a soft body",
     {
         {"length", "number", "m", "", "(0,inf)", "", "", "Length."},
         {"section", "object section", "", "", "", "", "", "Cross-section."},
         {"material", "text", "", "", "", "", "", "Name of its material."},
         {"strains", "object strains", "", "", "", "", "", "Allowed modes with their order."},
         {"basis", "choice monomial legendre chebyshev fourier hermite gaussian inverse-multiquadric fem", "",
          "\"legendre\"", "", "", "", "Basis of the modes."},
         {"points", "integer", "", "5", "[1,1000]", "", "", "Quadrature points."},
         {"natural", "object strainvalues", "", "", "", "", "", "Stress-free strains."},
         {"divisions", "list soft", "", "", "", "", "", "Parts, one after the other."},
     }},
    {"strains",
     "the modes of a soft body",
     {
         {"twist", "integer", "", "", "[0,100]", "", "", "Order of the mode."},
         {"bendY", "integer", "", "", "[0,100]", "", "", "Order of the mode."},
         {"bendZ", "integer", "", "", "[0,100]", "", "", "Order of the mode."},
         {"stretch", "integer", "", "", "[0,100]", "", "", "Order of the mode."},
         {"shearY", "integer", "", "", "[0,100]", "", "", "Order of the mode."},
         {"shearZ", "integer", "", "", "[0,100]", "", "", "Order of the mode."},
     }},
    {"strainvalues",
     "strains of a soft body",
     {
         {"twist", "number field", "1/m", "0", "", "", "", "Rotation rate about x."},
         {"bendY", "number field", "1/m", "0", "", "", "", "Rotation rate about y."},
         {"bendZ", "number field", "1/m", "0", "", "", "", "Rotation rate about z."},
         {"stretch", "number field", "", "0", "", "", "", "Stretch."},
         {"shearY", "number field", "", "0", "", "", "", "Shear along y."},
         {"shearZ", "number field", "", "0", "", "", "", "Shear along z."},
     }},
    {"linkfluid",
     "the fluid forces on a link",
     {
         {"added", "number", "", "0", "[0,inf)", "", "", "Added mass coefficient."},
         {"drag", "number", "", "0", "[0,inf)", "", "", "Drag coefficient."},
         {"lift", "number", "", "0", "", "", "", "Lift coefficient."},
     }},
    {"loop",
     "a closing joint",
     {
         {"from", "text", "", "", "", "required", "", "One link."},
         {"to", "text", "", "", "", "required", "", "The other link."},
         {"joint", "object linkjoint", "", "", "", "required", "", "The joint between them."},
     }},
    {"cable",
     "a cable",
     {
         {"through", "any", "", "", "", "required", "", "The links it runs in."},
         {"path", "object cablepath", "", "", "", "required", "", "Where it runs in the section."},
         {"tension", "number timed", "N", "0", "", "", "", "Tension, positive when it pulls."},
         {"outside", "boolean", "", "false", "", "", "", "Whether it spans straight between the links."},
     }},
    {"cablepath",
     "a cable's path",
     {
         {"constant", "pair", "m", "", "", "one:kind", "", "y and z in the section."},
         {"oblique", "object oblique", "", "", "", "one:kind", "", "From one point of the section to another."},
         {"helical", "object winding", "", "", "", "one:kind", "", "Around the centreline."},
         {"custom", "object offsets", "", "", "", "one:kind", "", "Formulas of s and u."},
     }},
    {"oblique",
     "an oblique path",
     {
         {"from", "pair", "m", "", "", "required", "", "y and z at the start."},
         {"to", "pair", "m", "", "", "required", "", "y and z at the end."},
     }},
    {"winding",
     "a helical path",
     {
         {"radius", "number", "m", "", "(0,inf)", "required", "", "Distance from the centreline."},
         {"pitch", "number", "m", "", "", "required", "", "Advance per turn."},
         {"phase", "number", "rad", "0", "", "", "", "Angle at the start."},
     }},
    {"offsets",
     "a custom path",
     {
         {"y", "number field", "m", "", "", "required", "", "y of s and u."},
         {"z", "number field", "m", "", "", "required", "", "z of s and u."},
     }},
};

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

const std::vector<KeyObject>& laterKeyObjects() {
  static const std::vector<KeyObject> objects = [] {
    std::vector<KeyObject> all = linkageObjects;
    all.insert(all.end(), vineObjects.begin(), vineObjects.end());
    return all;
  }();
  return objects;
}

}  // namespace tendril
