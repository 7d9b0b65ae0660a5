// The key table for contact: obstacles with their shapes, the law of contact and friction, and the resistive forces of
// a fluid on rods.
#include "scene/format/tables/table.h"

namespace tendril::scene {

namespace {

const std::vector<KeyObject> obstacleObjects = {
    {"obstacle",
     "an obstacle",
     {
         {"plane", "object plane", "", "", "", "one:kind", "", "All space behind a plane: a floor or a wall."},
         {"sphere", "object sphere", "", "", "", "one:kind", "", "A ball."},
         {"box", "object box", "", "", "", "one:kind", "", "A box."},
         {"capsule", "object capsule", "", "", "", "one:kind", "", "A cylinder with round ends."},
         {"cylinder", "object cylinder", "", "", "", "one:kind", "", "A cylinder with flat ends."},
         {"stiffness", "number timed", "N/m", "", "(0,inf)", "", "",
          "Its own stiffness k, instead of contact's (N/m^2 with \"per\": \"length\")."},
         {"distance", "number", "m", "", "(0,inf)", "", "", "Its own distance delta, instead of contact's."},
         {"friction", "number timed", "", "", "[0,inf)", "", "",
          "Its own coefficient of friction, instead of contact's."},
         {"slip", "number", "m/s", "", "(0,inf)", "", "", "Its own slip velocity nu, instead of contact's."},
         {"velocity", "vector timed", "m/s", "", "", "any:motion", "",
          "It moves with this velocity, without rotating."},
         {"displacement", "vector timed", "m", "", "", "any:motion", "",
          "Displacement from its initial position, without rotating; instead of velocity."},
         {"look", "object look", "", "", "", "", "", "Display only."},
     }},
    {"plane",
     "a plane",
     {
         {"point", "vector", "m", "", "", "required", "", "A point on it."},
         {"normal", "vector", "", "", "", "required", "", "Direction of its free side."},
     }},
    {"sphere",
     "a sphere",
     {
         {"center", "vector", "m", "", "", "required", "", "Center."},
         {"radius", "number", "m", "", "(0,inf)", "required", "", "Radius."},
     }},
    {"box",
     "a box",
     {
         {"center", "vector", "m", "", "", "required", "", "Center."},
         {"half", "vector", "m", "", "(0,inf)", "required", "", "Half of each side, along its own axes."},
         {"rotation", "object fixedturn|list fixedturn", "", "", "", "", "",
          "Rotates it about its center; a list is applied in order, about fixed axes."},
     }},
    {"fixedturn",
     "a fixed rotation",
     {
         {"axis", "vector", "", "", "", "required", "", "Axis, fixed in space."},
         {"angle", "number", "rad", "", "", "required", "", "Angle, right-handed about the axis."},
     }},
    {"capsule",
     "a capsule",
     {
         {"from", "vector", "m", "", "", "required", "", "Start of the axis, center of one round end."},
         {"to", "vector", "m", "", "", "required", "", "End of the axis, center of the other."},
         {"radius", "number", "m", "", "(0,inf)", "required", "", "Radius."},
     }},
    {"cylinder",
     "a cylinder",
     {
         {"from", "vector", "m", "", "", "required", "", "Center of one end."},
         {"to", "vector", "m", "", "", "required", "", "Center of the other end."},
         {"radius", "number", "m", "", "(0,inf)", "required", "", "Radius."},
     }},
};

const std::vector<KeyObject> lawObjects = {
    {"contact",
     "contact",
     {
         {"self", "boolean", "", "false", "", "", "",
          "Whether rods and shells touch each other and themselves; obstacles act regardless."},
         {"stiffness", "number timed", "N/m", "", "(0,inf)", "", "",
          "k of the energy k (log(1 + exp(-K d))/K)^2 of a gap d, K = 15/distance; N/m^2 with \"per\": \"length\". "
          "Default: E r of the softer of the two that touch; for soft links, E r of the linkage's softest one; for rigid links the "
          "largest of that, m/(3 dt)^2 with the linkage's mass m, and its weight over a thousandth of their thinnest radius."},
         {"distance", "number", "m", "", "(0,inf)", "", "",
          "delta: the gap at which the force vanishes. Default: a tenth of the smaller radius of the two that touch; for a "
          "linkage, of its smallest radius, or of a hundredth of its length where no link has one."},
         {"friction", "number timed", "", "0", "[0,inf)", "", "", "Coulomb's coefficient of friction."},
         {"slip", "number", "m/s", "1e-3", "(0,inf)", "", "",
          "nu: friction reaches its full value at about this velocity; sticking contacts creep at a fraction of it."},
         {"damping", "number", "s", "0", "[0,inf)", "", "",
          "Normal dissipation: a force of damping times the contact's stiffness times the speed of approach."},
         {"per", "choice contact length", "", "\"contact\"", "", "", "",
          "What the stiffness applies to: each contact (of a node or a pair of edges), or a unit of length, so that "
          "refining does not stiffen a rod or a link. Contact of a shell still stiffens with the square root of the number of its "
          "vertices."},
     }},
    {"rft",
     "the resistive forces",
     {
         {"tangential", "number", "N s/m^2", "0", "[0,inf)", "", "",
          "Force per length and per velocity along the rod, by the velocity relative to fluid.velocity."},
         {"normal", "number", "N s/m^2", "0", "[0,inf)", "", "",
          "Force per length and per velocity across the rod, by the velocity relative to fluid.velocity."},
     }},
};

}  // namespace

const std::vector<KeyObject>& contactKeyObjects() {
  static const std::vector<KeyObject> objects = [] {
    std::vector<KeyObject> all = obstacleObjects;
    all.insert(all.end(), lawObjects.begin(), lawObjects.end());
    return all;
  }();
  return objects;
}

}  // namespace tendril::scene
