// The key table, part of the linkages: chains of rigid and soft links with their joints, bodies, cables and closing
// loops.
#include "scene/format/tables/table.h"

namespace tendril::scene {

namespace {

const std::vector<KeyObject> linkageObjects = {
    {"linkage",
     "a linkage",
     {
         {"base", "object base", "", "", "", "", "", "Where it starts: a frame that stands still."},
         {"links", "map link", "", "", "", "required", "",
          "Its links by name, in order: each hangs on the one before it unless it names a parent."},
         {"cables", "map cable", "", "", "", "", "", "Its tendons and chambers by name."},
         {"loops", "list loop", "", "", "", "", "", "Joints that close chains."},
         {"look", "object look", "", "", "", "", "",
          "Display only; what a link leaves out of its own look. Cables without a color of their own show their "
          "tension."},
     }},
    {"base",
     "a base",
     {
         {"position", "vector", "m", "[0, 0, 0]", "", "", "", "Its place."},
         {"forward", "vector", "", "[1, 0, 0]", "", "", "", "Direction of its x, along the first link."},
         {"up", "vector", "", "", "", "", "",
          "Direction toward which its z points, projected normal to x (default [0, 0, 1], or [1, 0, 0] where forward "
          "is "
          "along z)."},
     }},
    {"link",
     "a link",
     {
         {"joint", "object linkjoint", "", "", "", "", "", "How it hangs on its parent (default: fixed)."},
         {"body", "object body", "", "", "", "required", "", "Rigid or soft. Its x runs along the link."},
         {"parent", "text", "", "", "", "", "",
          "What it hangs on, if not the tip of the link before: \"palm\" (its tip), \"palm@0.5\" (half way along it) "
          "or "
          "\"base\"."},
         {"offset", "object offset", "", "", "", "", "", "Place of its joint in the parent's frame there."},
         {"fluid", "object linkfluid", "", "", "", "", "",
          "Forces of the medium (environment.fluid, with its density) on the link."},
         {"look", "object look", "", "", "", "", "", "Display only."},
     }},
    {"offset",
     "an offset",
     {
         {"position", "vector", "m", "[0, 0, 0]", "", "", "", "From the parent's frame to the joint."},
         {"rotation", "object fixedturn|list fixedturn", "", "", "", "", "",
          "Turns the joint's frame against the parent's; a list is applied in order, about the parent's axes."},
     }},
    {"body",
     "a link's body",
     {
         {"rigid", "object rigid", "", "", "", "one:kind", "", "A rigid body."},
         {"soft", "object soft", "", "", "", "one:kind", "",
          "A soft body: a rod whose strains along it are the unknowns."},
     }},
    {"rigid",
     "a rigid body",
     {
         {"length", "number", "m", "0", "[0,inf)", "", "", "From its joint to its tip, along x."},
         {"section", "object section", "", "", "", "", "",
          "Cross-section; with density it gives mass and inertia, with mass it is for contact and display. Points of contact along a "
          "body are no closer than 1.5 of its radii, and 60 at most."},
         {"density", "number", "kg/m^3", "", "(0,inf)", "any:inertia", "section",
          "Of the solid that section and length make."},
         {"mass", "number", "kg", "", "(0,inf)", "any:inertia", "",
          "Mass, instead of density. A body with neither is massless."},
         {"inertia", "vector", "kg m^2", "[0, 0, 0]", "[0,inf)", "", "mass",
          "Principal moments about the center of mass, along x, y and z."},
         {"center", "vector", "m", "", "", "", "mass",
          "Center of mass, from the joint (default: half way to the tip)."},
     }},
    {"soft",
     "a soft body",
     {
         {"length", "number", "m", "", "(0,inf)", "", "",
          "Length. Beside divisions: the whole, of which those without a length of their own share what is left."},
         {"section", "object section", "", "", "", "", "",
          "Cross-section, d1 is y and d2 is z; its fields see s and u, which run along the body (or its division). "
          "Explicit "
          "stiffness resists shear with EA/3. Points of contact along it, or a division, are no closer than 1.5 of its radii, and 60 at most."},
         {"material", "text", "", "", "", "", "", "Name of its material; may be left out where the scene has one."},
         {"strains", "object strains", "", "", "", "", "",
          "The modes in which it deforms, each with its order: one coordinate more than the order (Fourier: two per "
          "order "
          "and one). A mode that is left out is rigid."},
         {"basis", "choice monomial legendre chebyshev fourier hermite gaussian inverse-multiquadric fem", "",
          "\"legendre\"", "", "", "",
          "Functions of X = s/length that make up each mode. gaussian and inverse-multiquadric: bumps around order + 1 "
          "even "
          "centers; fem: linear between order + 1 even nodes; hermite: value and slope at (order + 1)/2 nodes, order "
          "0, "
          "3, 5, ..."},
         {"points", "integer", "", "", "[1,1000]", "", "",
          "Quadrature points, at least as many as functions (default: 5, or as many as functions where those are more; "
          "Fourier also 4 per order). Those of fem and hermite are shared evenly by the elements, at least two each."},
         {"magnus", "integer", "", "4", "[2,6]", "", "", "Order of the steps from point to point: 2, 4 or 6."},
         {"substeps", "integer", "", "1", "[1,100]", "", "", "Steps from one point to the next."},
         {"natural", "object strainvalues", "", "", "", "", "", "The stress-free strains (default: straight)."},
         {"divisions", "list division", "", "", "", "", "",
          "Parts, one after the other, each with strains of its own; what a part leaves out it takes from here."},
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
         {"to", "text", "", "", "", "required", "", "The link that it holds, at a place in the same form."},
         {"offset", "object offset", "", "", "", "", "", "Place of the joint in the frame of `from`."},
         {"joint", "object linkjoint", "", "", "", "required", "",
          "What may still move between the two. It is neither driven nor loaded, and has no spring."},
     }},
    {"cable",
     "a cable",
     {
         {"through", "text|texts", "", "", "", "required", "",
          "The link that it runs in, or the list of them in the order of its way."},
         {"path", "object cablepath", "", "", "", "required", "", "Where it runs in the section."},
         {"tension", "number timed", "N", "0", "", "", "",
          "Positive pulls, as a tendon; negative pushes, as a pressurised chamber."},
         {"outside", "boolean", "", "false", "", "", "",
          "It spans straight from the start section to the end section of each link."},
         {"look", "object look", "", "", "", "", "", "Display only."},
     }},
    {"cablepath",
     "a cable's path",
     {
         {"constant", "pair", "m", "", "", "one:kind", "", "y and z in every section."},
         {"oblique", "object oblique", "", "", "", "one:kind", "",
          "Straight from one point of the first section to one of the last."},
         {"helical", "object winding", "", "", "", "one:kind", "", "Around the centerline."},
         {"custom", "object cableoffsets", "", "", "", "one:kind", "", "Formulas of s and u."},
     }},
    {"oblique",
     "an oblique path",
     {
         {"from", "pair", "m", "", "", "required", "", "y and z at the start of the first link."},
         {"to", "pair", "m", "", "", "required", "", "y and z at the end of the last link."},
     }},
    {"winding",
     "a helical path",
     {
         {"radius", "number", "m", "", "(0,inf)", "required", "", "Distance from the centerline."},
         {"pitch", "number", "m", "", "", "required", "", "Length per turn; positive turns from y to z."},
         {"phase", "number", "rad", "0", "", "", "", "Angle from y at the start."},
     }},
    {"cableoffsets",
     "a custom path",
     {
         {"y", "number link", "m", "", "", "required", "", "y, of s and u, which run over the links listed."},
         {"z", "number link", "m", "", "", "required", "", "z, of s and u."},
     }},
};

constexpr const char* driven = "Drives it: the coordinate as a function of time.";
constexpr const char* loaded = "Loads it, on the link against its parent.";

KeyRow axisRow(const char* standard, const char* doc) {
  return {"axis", "choice x y z", "", standard, "", "", "", doc};
}

/// Spring and damper with these units; `rest` null: the spring is at ease where the coordinates are 0.
void addSpring(KeyObject& object, const char* type, const char* spring, const char* damper, const char* rest) {
  const bool both = *spring == '\0';  // rotations and translations
  object.rows.push_back(
      {"stiffness", type, spring, "0", "[0,inf)", "", "",
       both ? "Springs: [of rotations, N m/rad, of translations, N/m], or one number for all." : "Spring."});
  object.rows.push_back({"damping", type, damper, "0", "[0,inf)", "", "",
                         both ? "Dampers: [of rotations, of translations], or one number for all." : "Damper."});
  if (rest) object.rows.push_back({"rest", type, rest, "0", "", "", "", "Where the spring is at ease."});
}

std::vector<KeyObject> jointObjects() {
  const char* one = "number timed";
  const char* two = "number timed|pair timed";
  const KeyRow angle = {"angle", one, "rad", "", "", "any:turn", "", driven};
  const KeyRow torque = {"torque", one, "N m", "", "", "any:turn", "", loaded};
  const KeyRow displacement = {"displacement", one, "m", "", "", "any:slide", "", driven};
  const KeyRow force = {"force", one, "N", "", "", "any:slide", "", loaded};

  KeyObject revolute = {"revolute", "a revolute joint", {axisRow("\"x\"", "It turns about this axis."), angle, torque}};
  addSpring(revolute, one, "N m/rad", "N m s/rad", "rad");
  KeyObject prismatic = {
      "prismatic", "a prismatic joint", {axisRow("\"x\"", "It slides along this axis."), displacement, force}};
  addSpring(prismatic, one, "N/m", "N s/m", "m");
  KeyObject helical = {
      "helical",
      "a helical joint",
      {axisRow("\"x\"", "It turns about this axis and advances along it."),
       {"pitch", "number", "m/rad", "", "", "required", "", "Advance per angle, not 0; positive is right-handed."},
       angle,
       torque}};
  addSpring(helical, one, "N m/rad", "N m s/rad", "rad");
  KeyObject universal = {
      "universal",
      "a universal joint",
      {axisRow("\"x\"",
               "The axis that it does not turn about: it turns about the next one (x: y; y: z; z: x), then about "
               "the one after."),
       {"angle", "pair timed", "rad", "", "", "any:turn", "", "Drives both: [first angle, second angle]."},
       {"torque", "pair timed", "N m", "", "", "any:turn", "",
        "Loads both: [about the first axis, about the second]."}}};
  addSpring(universal, two, "N m/rad", "N m s/rad", "rad");
  KeyObject cylindrical = {
      "cylindrical",
      "a cylindrical joint",
      {axisRow("\"x\"", "It turns about this axis and slides along it."), angle, torque, displacement, force}};
  addSpring(cylindrical, two, "", "", "");
  KeyObject planar = {"planar",
                      "a planar joint",
                      {axisRow("\"z\"", "Normal of the plane in which it moves."),
                       {"torque", one, "N m", "", "", "", "", "About the normal, on the link against its parent."},
                       {"force", "pair timed", "N", "", "", "", "",
                        "Along the two axes of the plane (normal z: x and y), in the link's own frame."}}};
  addSpring(planar, two, "", "", nullptr);
  KeyObject spherical = {"spherical",
                         "a spherical joint",
                         {{"torque", "vector timed", "N m", "", "", "", "", "In the link's own frame."}}};
  addSpring(spherical, one, "N m/rad", "N m s/rad", nullptr);
  KeyObject free = {"free",
                    "a free joint",
                    {{"torque", "vector timed", "N m", "", "", "", "", "In the link's own frame."},
                     {"force", "vector timed", "N", "", "", "", "", "In the link's own frame."}}};
  addSpring(free, two, "", "", nullptr);
  return {{"linkjoint",
           "a link's joint",
           {
               {"fixed", "object fixed", "", "", "", "one:kind", "", "No freedom."},
               {"revolute", "object revolute", "", "", "", "one:kind", "", "One rotation."},
               {"prismatic", "object prismatic", "", "", "", "one:kind", "", "One translation."},
               {"helical", "object helical", "", "", "", "one:kind", "", "A screw: one rotation that advances."},
               {"universal", "object universal", "", "", "", "one:kind", "",
                "Two rotations, one after the other (Cardan)."},
               {"cylindrical", "object cylindrical", "", "", "", "one:kind", "",
                "A rotation and a translation on one axis."},
               {"planar", "object planar", "", "", "", "one:kind", "", "A rotation and two translations in a plane."},
               {"spherical", "object spherical", "", "", "", "one:kind", "", "Three rotations: a ball joint."},
               {"free", "object free", "", "", "", "one:kind", "", "All six freedoms."},
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

/// A division has what a soft body has, but no divisions.
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
