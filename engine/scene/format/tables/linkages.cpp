// The key table for linkages: chains of rigid and soft links with their joints, bodies, cables and closing loops.
#include "scene/format/tables/table.h"

namespace tendril::scene {

namespace {

const std::vector<KeyObject> linkageObjects = {
    {"linkage",
     "a linkage",
     {
         {"base", "object base", "", "", "", "", "", "Where it starts: a fixed frame."},
         {"links", "map link", "", "", "", "required", "",
          "Its links by name, in order: each is attached to the one before it unless it names a parent."},
         {"cables", "map cable", "", "", "", "", "", "Its tendons and chambers by name."},
         {"loops", "list loop", "", "", "", "", "", "Joints that close chains."},
         {"look", "object look", "", "", "", "", "",
          "Display only: defaults for the looks of its links. Cables without a color of their own show their tension."},
     }},
    {"base",
     "a base",
     {
         {"position", "vector", "m", "[0, 0, 0]", "", "", "", "Its position."},
         {"forward", "vector", "", "[1, 0, 0]", "", "", "", "Direction of its x, along the first link."},
         {"up", "vector", "", "", "", "", "",
          "Direction toward which its z points, projected normal to x (default [0, 0, 1], or [1, 0, 0] where forward "
          "is "
          "along z)."},
     }},
    {"link",
     "a link",
     {
         {"joint", "object linkjoint", "", "", "", "", "", "How it is attached to its parent (default: fixed)."},
         {"body", "object body", "", "", "", "required", "", "Rigid or soft. Its x runs along the link."},
         {"parent", "text", "", "", "", "", "",
          "What it is attached to, if not the tip of the link before: \"palm\" (its tip), \"palm@0.5\" (halfway along it) "
          "or \"base\"."},
         {"offset", "object offset", "", "", "", "", "", "Pose of its joint in the parent's frame there."},
         {"fluid", "object linkfluid", "", "", "", "", "",
          "Forces of the medium (environment.fluid, with its density) on the link."},
         {"look", "object look", "", "", "", "", "", "Display only."},
     }},
    {"offset",
     "an offset",
     {
         {"position", "vector", "m", "[0, 0, 0]", "", "", "", "From the parent's frame to the joint."},
         {"rotation", "object fixedturn|list fixedturn", "", "", "", "", "",
          "Rotates the joint's frame relative to the parent's; a list is applied in order, about the parent's axes."},
     }},
    {"body",
     "a link's body",
     {
         {"rigid", "object rigid", "", "", "", "one:kind", "", "A rigid body."},
         {"soft", "object soft", "", "", "", "one:kind", "",
          "A soft body: a rod whose unknowns are its strains along its length."},
     }},
    {"rigid",
     "a rigid body",
     {
         {"length", "number", "m", "0", "[0,inf)", "", "", "From its joint to its tip, along x."},
         {"section", "object section", "", "", "", "", "",
          "Cross-section; with density it gives mass and inertia, with mass it is for contact and display. Contact points along a "
          "body are at least 1.5 radii apart, and at most 60."},
         {"density", "number", "kg/m^3", "", "(0,inf)", "any:inertia", "section",
          "Density of the solid with this section and length."},
         {"mass", "number", "kg", "", "(0,inf)", "any:inertia", "",
          "Mass, instead of density. A body with neither is massless."},
         {"inertia", "vector", "kg m^2", "[0, 0, 0]", "[0,inf)", "", "mass",
          "Principal moments about the center of mass, along x, y and z."},
         {"center", "vector", "m", "", "", "", "mass", "Center of mass, from the joint (default: halfway to the tip)."},
     }},
    {"soft",
     "a soft body",
     {
         {"length", "number", "m", "", "(0,inf)", "", "",
          "Length. With divisions: the total; divisions without a length of their own share the rest."},
         {"section", "object section", "", "", "", "", "",
          "Cross-section, d1 is y and d2 is z; its fields see s and u, which run along the body (or its division). "
          "Explicit "
          "stiffness resists shear with EA/3. Contact points along it, or along a division, are at least 1.5 radii apart, and at most 60."},
         {"material", "text", "", "", "", "", "", "Name of its material; optional if the scene has only one."},
         {"strains", "object strains", "", "", "", "", "",
          "The modes in which it deforms, each with its order, which is one less than its number of coordinates (Fourier: "
          "two per order, plus one). A mode that is left out is rigid."},
         {"basis", "choice monomial legendre chebyshev fourier hermite gaussian inverse-multiquadric fem", "",
          "\"legendre\"", "", "", "",
          "Functions of X = s/length that make up each mode. gaussian and inverse-multiquadric: bumps around order + 1 "
          "evenly spaced centers; fem: linear between order + 1 evenly spaced nodes; hermite: value and slope at "
          "(order + 1)/2 nodes, order 0, 3, 5, ..."},
         {"points", "integer", "", "", "[1,1000]", "", "",
          "Quadrature points, at least as many as functions (default: 5, or as many as functions where those are more; "
          "Fourier also 4 per order). Those of fem and hermite are divided evenly among the elements, at least two each."},
         {"magnus", "integer", "", "4", "[2,6]", "", "", "Order of the integration steps between points: 2, 4 or 6."},
         {"substeps", "integer", "", "1", "[1,100]", "", "", "Integration steps from one point to the next."},
         {"natural", "object strainvalues", "", "", "", "", "", "The stress-free strains (default: straight)."},
         {"divisions", "list division", "", "", "", "", "",
          "Parts, one after another, each with its own strains; keys that a part leaves out are taken from here."},
     }},
    {"strains",
     "a list of modes",
     {
         {"twist", "integer", "", "", "[0,100]", "", "", "Order of the rotation rate about x."},
         {"bendY", "integer", "", "", "[0,100]", "", "",
          "Order of the rotation rate about y: bending toward -z and z."},
         {"bendZ", "integer", "", "", "[0,100]", "", "",
          "Order of the rotation rate about z: bending toward y and -y."},
         {"stretch", "integer", "", "", "[0,100]", "", "", "Order of the stretch along x."},
         {"shearY", "integer", "", "", "[0,100]", "", "", "Order of the shear along y."},
         {"shearZ", "integer", "", "", "[0,100]", "", "", "Order of the shear along z."},
     }},
    {"strainvalues",
     "a list of strains",
     {
         {"twist", "number link", "rad/m", "0", "", "", "", "Rotation rate about x."},
         {"bendY", "number link", "rad/m", "0", "", "", "", "Rotation rate about y; positive turns x toward -z."},
         {"bendZ", "number link", "rad/m", "0", "", "", "", "Rotation rate about z; positive turns x toward y."},
         {"stretch", "number link", "", "0", "(-1,inf)", "", "", "Elongation: 0.1 is a tenth longer."},
         {"shearY", "number link", "", "0", "", "", "", "Shear along y."},
         {"shearZ", "number link", "", "0", "", "", "", "Shear along z."},
     }},
    {"linkfluid",
     "a link's fluid",
     {
         {"added", "number", "", "0", "[0,inf)", "", "", "Coefficient of the added mass, across the link."},
         {"drag", "number", "", "0", "[0,inf)", "", "", "Coefficient of drag, across the link."},
         {"lift", "number", "", "0", "", "", "", "Coefficient of lift."},
     }},
    {"loop",
     "a closing joint",
     {
         {"from", "text", "", "", "", "required", "",
          "The link that carries the joint: \"rocker\" (its tip), \"rocker@0.5\" or \"base\"."},
         {"to", "text", "", "", "", "required", "", "The link that it connects to, in the same form."},
         {"offset", "object offset", "", "", "", "", "", "Pose of the joint in the frame of `from`."},
         {"joint", "object linkjoint", "", "", "", "required", "",
          "The relative motion that remains free. It is neither driven nor loaded, and has no spring."},
     }},
    {"cable",
     "a cable",
     {
         {"through", "text|texts", "", "", "", "required", "",
          "The link that it runs in, or a list of links in the order of its path."},
         {"path", "object cablepath", "", "", "", "required", "", "Its path in the cross-section."},
         {"from", "integer", "", "1", "[1,1000]", "", "",
          "The division of the first link at whose start it begins, counted from 1."},
         {"to", "integer", "", "", "[1,1000]", "", "",
          "The division of the last link at whose end it ends (default: the last one)."},
         {"tension", "number timed", "N", "0", "", "", "",
          "Positive pulls, like a tendon; negative pushes, like a pressurized chamber."},
         {"outside", "boolean", "", "false", "", "", "",
          "It spans straight from the start section to the end section of each link, or of its divisions there."},
         {"look", "object look", "", "", "", "", "", "Display only."},
     }},
    {"cablepath",
     "a cable's path",
     {
         {"constant", "pair", "m", "", "", "one:kind", "", "y and z in every section."},
         {"oblique", "object oblique", "", "", "", "one:kind", "",
          "Straight from one point of its first section to one of its last."},
         {"helical", "object winding", "", "", "", "one:kind", "", "Around the centerline."},
         {"custom", "object cableoffsets", "", "", "", "one:kind", "", "Formulas of s and u."},
     }},
    {"oblique",
     "an oblique path",
     {
         {"from", "pair", "m", "", "", "required", "", "y and z at its start."},
         {"to", "pair", "m", "", "", "required", "", "y and z at its end."},
     }},
    {"winding",
     "a helical path",
     {
         {"radius", "number", "m", "", "(0,inf)", "required", "", "Distance from the centerline."},
         {"pitch", "number", "m", "", "", "required", "", "Length per turn; positive winds from y to z."},
         {"phase", "number", "rad", "0", "", "", "", "Angle from y at the start."},
     }},
    {"cableoffsets",
     "a custom path",
     {
         {"y", "number link", "m", "", "", "required", "", "y, a formula of s and u, which run over all of the cable."},
         {"z", "number link", "m", "", "", "required", "", "z, a formula of s and u."},
     }},
};

constexpr const char* driven = "Prescribes the coordinate as a function of time.";
constexpr const char* loaded = "Load on the link from its parent.";

KeyRow axisRow(const char* standard, const char* doc) {
  return {"axis", "choice x y z", "", standard, "", "", "", doc};
}

/// Spring and damper with these units; `rest` null: the spring is relaxed where the coordinates are 0.
void addSpring(KeyObject& object, const char* type, const char* spring, const char* damper, const char* rest) {
  const bool both = *spring == '\0';  // rotations and translations
  object.rows.push_back(
      {"stiffness", type, spring, "0", "[0,inf)", "", "",
       both ? "Springs: [of rotations, N m/rad, of translations, N/m], or one number for all." : "Spring."});
  object.rows.push_back({"damping", type, damper, "0", "[0,inf)", "", "",
                         both ? "Dampers: [of rotations, of translations], or one number for all." : "Damper."});
  if (rest) object.rows.push_back({"rest", type, rest, "0", "", "", "", "Coordinate at which the spring is relaxed."});
}

std::vector<KeyObject> jointObjects() {
  const char* one = "number timed";
  const char* two = "number timed|pair timed";
  const KeyRow angle = {"angle", one, "rad", "", "", "any:turn", "", driven};
  const KeyRow torque = {"torque", one, "N m", "", "", "any:turn", "", loaded};
  const KeyRow displacement = {"displacement", one, "m", "", "", "any:slide", "", driven};
  const KeyRow force = {"force", one, "N", "", "", "any:slide", "", loaded};

  KeyObject revolute = {
      "revolute", "a revolute joint", {axisRow("\"x\"", "It rotates about this axis."), angle, torque}};
  addSpring(revolute, one, "N m/rad", "N m s/rad", "rad");
  KeyObject prismatic = {
      "prismatic", "a prismatic joint", {axisRow("\"x\"", "It slides along this axis."), displacement, force}};
  addSpring(prismatic, one, "N/m", "N s/m", "m");
  KeyObject helical = {
      "helical",
      "a helical joint",
      {axisRow("\"x\"", "It rotates about this axis and advances along it."),
       {"pitch", "number", "m/rad", "", "", "required", "", "Advance per angle, not 0; positive is right-handed."},
       angle,
       torque}};
  addSpring(helical, one, "N m/rad", "N m s/rad", "rad");
  KeyObject universal = {
      "universal",
      "a universal joint",
      {axisRow("\"x\"",
               "The axis that it does not rotate about: it rotates about the next one (x: y; y: z; z: x), then about "
               "the one after."),
       {"angle", "pair timed", "rad", "", "", "any:turn", "", "Prescribes both: [first angle, second angle]."},
       {"torque", "pair timed", "N m", "", "", "any:turn", "",
        "Loads on both: [about the first axis, about the second]."}}};
  addSpring(universal, two, "N m/rad", "N m s/rad", "rad");
  KeyObject cylindrical = {
      "cylindrical",
      "a cylindrical joint",
      {axisRow("\"x\"", "It rotates about this axis and slides along it."), angle, torque, displacement, force}};
  addSpring(cylindrical, two, "", "", "");
  const char* ownFrame = "In the link's own frame.";
  const KeyRow vector = {
      "angle", "vector timed",
      "rad",   "",
      "",      "any:turn",
      "",      "Prescribes the orientation, as a rotation vector in the joint's frame on its parent."};
  const KeyRow rotation = {"rotation",
                           "object turn|list turn",
                           "",
                           "",
                           "",
                           "any:turn",
                           "",
                           "Prescribes the orientation; a list is applied in order, about the axes of the joint's "
                           "frame on its parent."};
  KeyObject planar = {"planar",
                      "a planar joint",
                      {axisRow("\"z\"", "Normal of the plane in which it moves."),
                       angle,
                       {"torque", one, "N m", "", "", "any:turn", "", "About the normal, on the link from its parent."},
                       {"displacement", "pair timed", "m", "", "", "any:slide", "",
                        "Prescribes both, along the two axes of the plane (normal z: x and y) on its parent."},
                       {"force", "pair timed", "N", "", "", "any:slide", "",
                        "Along the two axes of the plane (normal z: x and y), in the link's own frame."}}};
  addSpring(planar, two, "", "", nullptr);
  KeyObject spherical = {"spherical",
                         "a spherical joint",
                         {vector, rotation, {"torque", "vector timed", "N m", "", "", "any:turn", "", ownFrame}}};
  addSpring(spherical, one, "N m/rad", "N m s/rad", nullptr);
  KeyObject free = {"free",
                    "a free joint",
                    {vector,
                     rotation,
                     {"torque", "vector timed", "N m", "", "", "any:turn", "", ownFrame},
                     {"displacement", "vector timed", "m", "", "", "any:slide", "",
                      "Prescribes its position, in the joint's frame on its parent."},
                     {"force", "vector timed", "N", "", "", "any:slide", "", ownFrame}}};
  addSpring(free, two, "", "", nullptr);
  return {{"linkjoint",
           "a link's joint",
           {
               {"fixed", "object fixed", "", "", "", "one:kind", "", "No degrees of freedom."},
               {"revolute", "object revolute", "", "", "", "one:kind", "", "One rotation."},
               {"prismatic", "object prismatic", "", "", "", "one:kind", "", "One translation."},
               {"helical", "object helical", "", "", "", "one:kind", "",
                "A screw: one rotation with a proportional advance."},
               {"universal", "object universal", "", "", "", "one:kind", "",
                "Two rotations, one after the other (Cardan)."},
               {"cylindrical", "object cylindrical", "", "", "", "one:kind", "",
                "A rotation and a translation on one axis."},
               {"planar", "object planar", "", "", "", "one:kind", "", "A rotation and two translations in a plane."},
               {"spherical", "object spherical", "", "", "", "one:kind", "", "Three rotations: a ball joint."},
               {"free", "object free", "", "", "", "one:kind", "", "All six degrees of freedom."},
           }},
          {"fixed", "a fixed joint", {}},
          std::move(revolute),
          std::move(prismatic),
          std::move(helical),
          std::move(universal),
          std::move(cylindrical),
          std::move(planar),
          std::move(spherical),
          std::move(free)};
}

/// A division has the keys of a soft body, except divisions.
KeyObject divisionOf(const KeyObject& soft) {
  KeyObject division = soft;
  division.name = "division";
  division.title = "a division of a soft body";
  division.rows.pop_back();
  division.rows[0].doc = "Length of this division.";
  return division;
}

}  // namespace

const std::vector<KeyObject>& linkageKeyObjects() {
  static const std::vector<KeyObject> objects = [] {
    std::vector<KeyObject> all = linkageObjects;
    for (const KeyObject& object : linkageObjects)
      if (std::string_view(object.name) == "soft") all.push_back(divisionOf(object));
    for (KeyObject& joint : jointObjects()) all.push_back(std::move(joint));
    return all;
  }();
  return objects;
}

}  // namespace tendril::scene
