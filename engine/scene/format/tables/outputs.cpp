// The key table, third part: states, initial conditions, probes, checks and the view.
#include "scene/format/tables/table.h"

namespace tendril::scene {

namespace {

constexpr const char* reducible =
    "position|velocity|tangent|reaction|reactionMoment|curvature|moment|pose|speed|twist|strain|stretch|"
    "tension|length|angle";

}  // namespace

const std::vector<KeyObject>& outputKeyObjects() {
  static const std::vector<KeyObject> objects = {
      {"state",
       "a state",
       {
           {"rate", "number timed", "", "", "", "required", "", "y += dt*rate at each accepted step."},
           {"initial", "number", "", "0", "", "", "", "Value at t = 0."},
           {"unit", "text", "", "", "", "", "", "Unit, for display; \"1\" for a pure number."},
           {"label", "text", "", "", "", "", "", "Name for display."},
           {"hidden", "boolean", "", "false", "", "", "", "Whether it is not plotted."},
       }},
      {"initial",
       "an initial condition",
       {
           {"of", "selector", "", "", "", "required", "", "The nodes, the body, or the link (\"arm/limb\")."},
           {"velocity", "vector field", "m/s", "", "", "", "", "Velocity of the nodes of rods and shells."},
           {"twist", "number field", "rad", "", "", "", "",
            "Twist angle of the edges of rods, from their directors as drawn; on linkages the rotation rate about x of a soft body [rad/m]."},
           {"spin", "number field", "rad/s", "", "", "", "", "Rate of the twist angle."},
           {"hingeRate", "number field|numbers field", "rad/s", "", "", "", "",
            "Shells: rate at which the hinges begin to fold toward the normals, one for all selected hinges or one each; i counts them in order of y, then x, then z. The shell moves as it would follow natural angles."},
           {"bendY", "number link", "rad/m", "", "", "", "", "Linkages: bending about y of a soft body."},
           {"bendZ", "number link", "rad/m", "", "", "", "", "Linkages: bending about z."},
           {"stretch", "number link", "", "", "(-1,inf)", "", "", "Linkages: elongation, natural one included."},
           {"shearY", "number link", "", "", "", "", "", "Linkages: shear along y."},
           {"shearZ", "number link", "", "", "", "", "", "Linkages: shear along z."},
           {"twistRate", "number link", "rad/(m s)", "", "", "", "", "Linkages: rate of twist."},
           {"bendYRate", "number link", "rad/(m s)", "", "", "", "", "Linkages: rate of bendY."},
           {"bendZRate", "number link", "rad/(m s)", "", "", "", "", "Linkages: rate of bendZ."},
           {"stretchRate", "number link", "1/s", "", "", "", "", "Linkages: rate of stretch."},
           {"shearYRate", "number link", "1/s", "", "", "", "", "Linkages: rate of shearY."},
           {"shearZRate", "number link", "1/s", "", "", "", "", "Linkages: rate of shearZ."},
           {"angle", "number|numbers", "rad", "", "", "", "",
            "Linkages: angle of the link's joint; a list where it has several (spherical, free: a rotation vector)."},
           {"displacement", "number|numbers", "m", "", "", "", "",
            "Linkages: displacement of the link's joint; a list where it has several."},
           {"angleRate", "number|numbers", "rad/s", "", "", "", "", "Linkages: rate of the angle."},
           {"displacementRate", "number|numbers", "m/s", "", "", "", "", "Linkages: rate of the displacement."},
       }},
      {"probe",
       "a probe",
       {
           {"position", "selector|selectors", "m", "", "", "one:kind", "", "Columns x y z."},
           {"velocity", "selector|selectors", "m/s", "", "", "one:kind", "", "Columns x y z."},
           {"tangent", "selector|selectors", "", "", "", "one:kind", "",
            "Unit tangent of a rod, or x of a link; columns x y z."},
           {"reaction", "selector|selectors", "N", "", "", "one:kind", "",
            "Force of the support on the node; columns x y z."},
           {"reactionMoment", "selector|selectors", "N m", "", "", "one:kind", "",
            "Moment of a rod's clamp; columns x y z."},
           {"curvature", "selector|selectors", "1/m", "", "", "one:kind", "",
            "Columns c1 c2, toward d1 and d2; of rods and soft links."},
           {"moment", "selector|selectors", "N m", "", "", "one:kind", "", "Internal moment; columns c1 c2 t."},
           {"pose", "selector|selectors", "", "", "", "one:kind", "", "Columns x y z qw qx qy qz."},
           {"speed", "selector|selectors", "m/s", "", "", "one:kind", "", "Magnitude of the velocity."},
           {"twist", "selector|selectors", "rad/m", "", "", "one:kind", "", "Twist, of rods and soft links."},
           {"strain", "selector|selectors", "", "", "", "one:kind", "",
            "Strains of soft links, the natural ones included: columns twist bendY bendZ [rad/m], stretch (0 at rest) shearY shearZ."},
           {"stretch", "selector|selectors", "", "", "", "one:kind", "", "Length over initial length, of edges."},
           {"tension", "selector|selectors", "N", "", "", "one:kind", "", "Axial force, positive when pulled."},
           {"length", "selector|selectors", "m", "", "", "one:kind", "",
            "Sum of the lengths of edges; for a vine by its name, its current length."},
           {"formula", "formula timed", "", "", "", "one:kind", "", "A formula of other probes."},
           {"energy",
            "choice kinetic gravity stretch bend twist membrane hinge springs contact elastic total work dissipated numerical",
            "J", "", "", "one:kind", "",
            "Energy of this kind, of the whole scene or of one body; membrane: in the plane of shells, hinge: their "
            "bending in either model; bend: of rods, soft links and the pins of vines. work, dissipated, numerical: the energy balance of rods, "
            "shells and linkages since the start of the motion."},
           {"distance", "selectors 2", "m", "", "", "one:kind", "", "Between two selections."},
           {"jointAngle", "selector", "rad", "", "", "one:kind", "",
            "Coordinates of the joint of one link, \"arm/hub\": rad, or m for translations; columns q0 q1 ... where it has "
            "several, rotations first."},
           {"jointEffort", "selector", "N m", "", "", "one:kind", "",
            "Effort along these coordinates, in the same columns: the motor's where the joint is driven, otherwise its load."},
           {"cable", "text", "m", "", "", "one:kind", "", "Length of a cable, \"arm/c1\"."},
           {"cableRate", "text", "m/s", "", "", "one:kind", "", "Rate of that length; negative while it shortens."},
           {"growthForce", "text", "N", "", "", "one:kind", "", "Force with which a growing vine pushes at its tip."},
           {"angle", "selector|selectors", "rad", "", "", "one:kind", "",
            "Angle of a shell's hinges, the interior edges with both ends selected; positive where they fold toward "
            "the normals."},
           {"contact", "choice force pairs penetration", "", "", "", "one:kind", "",
            "force: sum of the normal forces [N]. pairs: number of contacts within reach. penetration: the deepest [m]."},
           {"of", "selector|selectors", "", "", "", "", "energy|contact",
            "The body or bodies whose energy it is; for contact also obstacles: only contacts of these bodies with these obstacles."},
           {"reduce", "choice mean sum min max", "", "\"mean\"", "", "", reducible,
            "How a selection becomes one number per column (default mean; sum for reactions and lengths)."},
           {"unit", "text", "", "", "", "", "formula", "Unit of the formula, for display; \"1\" for a pure number."},
           {"label", "text", "", "", "", "", "", "Name for display."},
           {"hidden", "boolean", "", "false", "", "", "", "Whether it is not plotted."},
       }},
      {"check",
       "a check",
       {
           {"title", "text", "", "", "", "", "", "What it shows."},
           {"at", "number|choice end always ever", "s", "\"end\"", "", "", "",
            "A time, or \"end\", \"always\" or \"ever\" (at t = 0 and after every accepted step)."},
           {"expect", "formula timed", "", "", "", "required", "", "Passes where this is not zero."},
           {"points", "number", "", "1", "[0,inf)", "", "", "Weight in grading."},
           {"during", "pair", "s", "", "", "", "", "For always and ever: only between these times."},
           {"with", "labels", "", "", "", "", "", "Parameters for a separate run of this check."},
       }},
      {"view",
       "the view",
       {
           {"camera", "object camera", "", "", "", "", "", "Initial position of the camera."},
           {"speed", "number", "", "1", "(0,inf)", "", "", "Simulated seconds per second."},
           {"follow", "text", "", "", "", "", "",
            "The body that the camera follows, or a range of nodes of a rod (\"rod:40..60\") whose initial size on the screen it keeps."},
           {"thicken", "number", "", "1", "(0,inf)", "", "", "Factor on the drawn thickness."},
           {"exaggerate", "number", "", "1", "[1,inf)", "", "",
            "Factor on the drawn displacements of rods and shells from their initial shape, shown in the view."},
           {"background", "text", "", "", "", "", "", "CSS color."},
           {"keys", "object viewkeys", "", "", "", "", "",
            "Keys for playing: while one is pressed, the live parameters that it names have the given values."},
           {"try", "object tries", "", "", "", "", "",
            "Things to try: texts for buttons on the page, and the parameters that each one sets."},
       }},
      {"tries",
       "what to try",
       {
           {"*", "object trial", "", "", "", "", "", "The text of a button: {\"Make it softer\": {\"E\": 1e5}}."},
       }},
      {"trial",
       "one thing to try",
       {
           {"*", "number", "", "", "", "", "", "Value for the parameter of this name."},
       }},
      {"viewkeys",
       "keys that play",
       {
           {"left", "object heldkey", "", "", "", "", "", "The left arrow key: {\"turn\": 1}."},
           {"right", "object heldkey", "", "", "", "", "", "The right arrow key."},
           {"up", "object heldkey", "", "", "", "", "", "The up arrow key."},
           {"down", "object heldkey", "", "", "", "", "", "The down arrow key."},
           {"space", "object heldkey", "", "", "", "", "", "The space bar, which plays and pauses otherwise."},
       }},
      {"heldkey",
       "a key that plays",
       {
           {"*", "number", "", "", "", "", "", "Value of the parameter of this name while the key is pressed."},
       }},
      {"camera",
       "the camera",
       {
           {"position", "vector", "m", "", "", "", "", "Its position."},
           {"target", "vector", "m", "", "", "", "", "The point it looks at."},
       }},
  };
  return objects;
}

}  // namespace tendril::scene
