// The key table, second part: rods with their sections, paths and natural states, joints, constraints, loads and
// actuation.
#include "scene/format/tables/table.h"

namespace tendril::scene {

namespace {

const std::vector<KeyObject> rodObjects = {
    {"rod",
     "a rod",
     {
         {"material", "text", "", "", "", "", "", "Name of its material; optional if the scene has only one."},
         {"section", "object section", "", "", "", "required", "", "Cross-section."},
         {"segments", "integer", "", "40", "[1,200000]", "", "", "Number of edges (not with a path of points)."},
         {"path", "object path", "", "", "", "required", "", "The initial centerline."},
         {"natural", "choice straight|object natural", "", "", "", "", "",
          "The stress-free state; default: the initial shape. \"straight\": zero curvature and twist."},
         {"frame", "vector", "", "", "", "", "",
          "Hint for director d1 at the start, projected normal to the tangent (of a path of points: to the first edge; default [0, 0, 1], or [1, 0, 0] where "
          "the rod starts along z)."},
         {"look", "object look", "", "", "", "", "", "Display only."},
     }},
    {"section",
     "a cross-section",
     {
         {"circle", "object circle", "", "", "", "one:kind", "", "A solid circle."},
         {"rectangle", "object rectangle", "", "", "", "one:kind", "",
          "Width along d1, height along d2; EI1 = E height width^3/12 resists bending toward d1; Saint-Venant "
          "torsion."},
         {"ellipse", "object ellipse", "", "", "", "one:kind", "", "Half-axes a along d1, b along d2."},
         {"tube", "object tube", "", "", "", "one:kind", "", "A hollow circle."},
         {"stiffness", "object stiffness", "", "", "", "one:kind", "", "Explicit stiffnesses instead of a shape."},
         {"massPerLength", "number field", "kg/m", "", "(0,inf)", "", "stiffness",
          "Mass per length, beside stiffness."},
         {"radius", "number field", "m", "", "(0,inf)", "", "stiffness",
          "Beside stiffness: for twist inertia, contact and display."},
     }},
    {"circle", "a circle", {{"radius", "number field", "m", "", "(0,inf)", "required", "", "Radius."}}},
    {"rectangle",
     "a rectangle",
     {
         {"width", "number field", "m", "", "(0,inf)", "required", "", "Along director d1."},
         {"height", "number field", "m", "", "(0,inf)", "required", "", "Along director d2."},
     }},
    {"ellipse",
     "an ellipse",
     {
         {"a", "number field", "m", "", "(0,inf)", "required", "", "Half-axis along director d1."},
         {"b", "number field", "m", "", "(0,inf)", "required", "", "Half-axis along director d2."},
     }},
    {"tube",
     "a tube",
     {
         {"radius", "number field", "m", "", "(0,inf)", "required", "", "Outer radius."},
         {"wall", "number field", "m", "", "(0,inf)", "required", "", "Wall thickness, at most the radius."},
     }},
    {"stiffness",
     "explicit stiffness",
     {
         {"EA", "number field", "N", "", "(0,inf)", "required", "", "Resists stretching."},
         {"EI1", "number field", "N m^2", "", "(0,inf)", "required", "", "Resists bending toward d1."},
         {"EI2", "number field", "N m^2", "", "(0,inf)", "required", "", "Resists bending toward d2."},
         {"GJ", "number field", "N m^2", "", "(0,inf)", "required", "", "Resists twisting."},
         {"massPerLength", "number field", "kg/m", "", "(0,inf)", "", "",
          "Mass per length; may be given beside stiffness instead."},
         {"radius", "number field", "m", "", "(0,inf)", "", "", "Radius; may be given beside stiffness instead."},
     }},
    {"path",
     "a path",
     {
         {"line", "object line", "", "", "", "one:kind", "", "A straight line."},
         {"arc", "object arc", "", "", "", "one:kind", "", "A circular arc."},
         {"helix", "object helix", "", "", "", "one:kind", "", "A helix, right-handed for positive pitch."},
         {"curve", "object curve", "", "", "", "one:kind", "",
          "Formulas of u from 0 to 1, resampled to equal arc length."},
         {"points", "points", "m", "", "", "one:kind", "", "Exactly these nodes, at least two; no segments then."},
     }},
    {"line",
     "a line",
     {
         {"from", "vector", "m", "", "", "required", "", "Start."},
         {"to", "vector", "m", "", "", "required", "", "End."},
     }},
    {"arc",
     "an arc",
     {
         {"center", "vector", "m", "", "", "required", "", "Center of the circle."},
         {"from", "vector", "m", "", "", "required", "", "Start."},
         {"axis", "vector", "", "", "", "required", "", "Axis of rotation, normal to the arc's plane."},
         {"angle", "number", "rad", "", "", "required", "", "Angle of rotation about the axis."},
     }},
    {"helix",
     "a helix",
     {
         {"from", "vector", "m", "", "", "required", "", "Start."},
         {"axis", "vector", "", "", "", "required", "", "Direction in which it advances."},
         {"center", "vector", "m", "", "", "required", "", "A point on the axis."},
         {"pitch", "number", "m", "", "", "required", "", "Advance per turn; negative for a left-handed helix."},
         {"length", "number", "m", "", "(0,inf)", "required", "", "Length along the helix."},
     }},
    {"curve",
     "a curve",
     {
         {"x", "number along", "m", "", "", "required", "", "x of u."},
         {"y", "number along", "m", "", "", "required", "", "y of u."},
         {"z", "number along", "m", "", "", "required", "", "z of u."},
     }},
    {"natural",
     "a stress-free state",
     {
         {"curvature", "pair field", "1/m", "", "", "", "", "Toward d1 and toward d2, at interior nodes."},
         {"twist", "number field", "rad/m", "", "", "", "", "Twist, at interior nodes."},
         {"stretch", "number field", "", "", "(0,inf)", "", "",
          "Ratio to the initial edge length, at edge midpoints. Bending and twisting stiffness, and the curvature and twist given here, refer to the natural length."},
     }},
    {"look",
     "a look",
     {
         {"color", "text", "", "", "", "", "", "CSS color, such as \"#3a7\"."},
         {"opacity", "number", "", "1", "[0,1]", "", "", "1 is opaque."},
         {"hidden", "boolean", "", "false", "", "", "", "Whether it is not drawn."},
         {"label", "text", "", "", "", "", "", "Name for display."},
     }},
};

const std::vector<KeyObject> actionObjects = {
    {"selection",
     "a selection",
     {
         {"of", "text", "", "", "", "required", "", "The body whose nodes are selected."},
         {"where", "formula position", "", "", "", "required", "",
          "Selects nodes where this is not zero: a formula of the initial x y z and of i and n, for rods also of s and u."},
     }},
    {"joint",
     "a joint",
     {
         {"weld", "selectors", "", "", "", "one:kind", "",
          "These nodes are joined, and the rods that meet there are clamped to one rigid frame, which rotates as a whole; where a "
          "shell is among them, the frame follows the rotation of its edges around the node. Shells welded only to shells get no "
          "frame."},
         {"pin", "selectors", "", "", "", "one:kind", "", "These nodes are joined, but free to rotate: a ball joint."},
     }},
    {"spring",
     "a spring",
     {
         {"between", "selectors", "", "", "", "required", "", "The nodes that it connects: \"arm:last\"."},
         {"distance", "object springlaw", "", "", "", "one:kind", "",
          "Resists changes in the distance between two nodes. It pushes as well as pulls: it does not go slack like a string."},
         {"dihedral", "object torsionlaw", "", "", "", "one:kind", "",
          "Resists changes in the dihedral angle of four nodes, from the plane of the first three to that of the last three, right-handed about "
          "the line from the second to the third: a torsion spring between two rods connects the last two nodes of one and the first two of the "
          "other. The angle accumulates over whole turns, starting from the value nearest to \"natural\"."},
         {"look", "object look", "", "", "", "", "", "How it is drawn."},
     }},
    {"springlaw",
     "the law of a spring",
     {
         {"stiffness", "number", "N/m", "", "[0,inf)", "required", "", "Force per change of length."},
         {"natural", "number timed", "m", "", "[0,inf)", "", "",
          "Length at zero force; default: as built. A formula of t winds it in or lets it out."},
         {"damping", "number", "N s/m", "0", "[0,inf)", "", "", "Damping: force per speed."},
     }},
    {"torsionlaw",
     "the law of a torsion spring",
     {
         {"stiffness", "number", "N m/rad", "", "[0,inf)", "required", "", "Moment per change of angle."},
         {"natural", "number timed", "rad", "", "", "", "",
          "Angle at zero moment; default: as built. A formula of t winds it."},
         {"damping", "number", "N m s/rad", "0", "[0,inf)", "", "", "Damping: moment per angular speed."},
     }},
    {"turn",
     "a rotation",
     {
         {"axis", "vector", "", "", "", "required", "", "Axis, fixed in space."},
         {"angle", "number timed", "rad", "", "", "required", "", "Angle, right-handed about the axis."},
     }},
    {"constraint",
     "a constraint",
     {
         {"clamp", "selector|selectors", "", "", "", "one:kind", "",
          "Prescribes position, tangent and director at the node, exactly at the end of the rod; on a shell the nodes "
          "and the plane that they lie in."},
         {"fix", "selector|selectors", "", "", "", "one:kind", "", "Fixes the positions of these nodes."},
         {"fixTwist", "selector|selectors", "", "", "", "one:kind", "",
          "Fixes the twist angle of a rod's edge; arm:0 is the first edge."},
         {"turn", "selector|selectors", "", "", "", "one:kind", "", "Prescribes the twist angle of a rod's edge."},
         {"move", "selector|selectors", "", "", "", "one:kind", "", "Prescribes the positions of these nodes."},
         {"planar", "choice xy xz yz", "", "", "", "one:kind", "",
          "Keeps every node in a plane parallel to this one, and twist at zero."},
         {"axes", "axes", "", "\"xyz\"", "", "", "fix", "Which components are fixed."},
         {"angle", "number timed", "rad", "", "", "", "turn!", "Twist angle of the edge."},
         {"displacement", "vector timed", "m", "", "", "any:motion", "move|clamp",
          "Relative to the initial position; for a clamp that was free before, relative to where it caught the node."},
         {"velocity", "vector timed", "m/s", "", "", "any:motion", "move|clamp", "Velocity, instead of displacement."},
         {"rotation", "object turn|list turn", "", "", "", "", "clamp",
          "Rotates the clamped frame about the clamped point (of a shell: the center of its clamped nodes); a list is applied in order, about fixed axes."},
         {"from", "number", "s", "", "", "", "", "Acts from this time on."},
         {"until", "number", "s", "", "", "", "", "Acts until this time."},
         {"before", "choice hold free", "", "\"hold\"", "", "", "", "Before from: fixed, or free."},
         {"then", "choice hold release", "", "\"hold\"", "", "", "", "After until: fixed, or released."},
     }},
    {"load",
     "a load",
     {
         {"force", "vector timed place", "N", "", "", "one:kind", "",
          "A dead force on each selected node, or, where its formulas see the point that they act on, a force field: x y z is "
          "the point's present place there. On links it acts at the selected points, on vines at their tips."},
         {"follower", "vector timed", "N", "", "", "one:kind", "",
          "Components in the rod's material frame at the node (d1, d2, t), on a link in its frame (x, y, z): it rotates with them."},
         {"moment", "vector timed place", "N m", "", "", "one:kind", "",
          "A dead moment on the rod at each selected node, or on a link, or, where its formulas see the point that they act on, a field of moments, as force is one of forces."},
         {"line", "vector timed place", "N/m", "", "", "one:kind", "",
          "A force per length, on the edges with both ends selected or along a soft link or a vine; x y z is the present place of "
          "the point that it acts on."},
         {"pressure", "number timed place", "Pa", "", "", "one:kind", "",
          "On a shell, along its normals: acts on the triangles with all three corners selected and rotates with them; "
          "x y z is the present place of the corner that it acts on."},
         {"potential", "number timed place", "J", "", "", "one:kind", "",
          "The energy of a force field, whose force is minus its slope: x y z is the present place of the point, and "
          "velocities are not seen."},
         {"mass", "number", "kg", "", "[0,inf)", "one:kind", "", "Added mass, with weight and inertia."},
         {"wrench", "object wrench", "", "", "", "one:kind", "",
          "Moment and force per length of a soft link, in the link's own frame (x, y, z) there: they rotate with it."},
         {"at", "selector|selectors", "", "", "", "", "force!|follower!|moment!|mass!", "Where it acts."},
         {"on", "selector|selectors", "", "", "", "", "line!|pressure!|potential!", "The body it acts on."},
         {"link", "selector|selectors", "", "", "", "", "wrench!", "The soft link that it acts along."},
         {"per", "choice node length area mass", "", "\"node\"", "", "", "force|moment|potential",
          "What force, moment and potential are counted by: each node, or point of a link, or tip of a vine; the length of soft links, of vines, of rods, or "
          "of the edges of shells, with both ends "
          "selected; the area of the triangles of shells with all corners selected; or the mass of soft links, of vines, of such edges "
          "of rods and of such triangles. Lengths, areas and masses are the initial ones, of vines the present ones."},
         {"share", "boolean", "", "false", "", "", "force",
          "One total force, divided among the nodes by their share of length (rods) or area (shells), equally among links."},
         {"from", "number", "s", "", "", "", "", "Acts from this time on."},
         {"until", "number", "s", "", "", "", "", "Acts until this time."},
     }},
    {"wrench",
     "a wrench",
     {
         {"moment", "vector timed link", "N m/m", "[0, 0, 0]", "", "", "",
          "About x, y and z of the link, per length; s and u run along the whole link."},
         {"force", "vector timed link", "N/m", "[0, 0, 0]", "", "", "", "Along them, per length."},
     }},
    {"actuation",
     "an actuation",
     {
         {"rod", "selector|selectors", "", "", "", "one:what", "", "The rod, or some of its nodes."},
         {"shell", "selector|selectors", "", "", "", "one:what", "",
          "The hinges (interior edges) whose two end nodes are selected."},
         {"link", "selector|selectors", "", "", "", "one:what", "", "The soft link, or several."},
         {"curvature", "pair timed field", "1/m", "", "", "", "rod", "Natural curvature toward d1 and d2."},
         {"twist", "number timed field", "rad/m", "", "", "", "rod", "Natural twist."},
         {"stretch", "number timed field", "", "", "(0,inf)", "", "rod",
          "Factor on the natural edge length, for stretching only: bending and twist refer to the length without actuation."},
         {"table", "object table", "", "", "", "any:table", "rod|shell", "A table over time."},
         {"csv", "text", "", "", "", "any:table", "rod|shell",
          "The text of such a table: a header, then rows of time and values. Columns: time (or t), then curvature1, curvature2, "
          "twist and stretch (of a shell: angle), or, one per spring, curvature1[0], curvature1[1] and so on."},
         {"angle", "number timed field", "rad", "", "", "", "shell",
          "Natural angle of the hinges, positive where the triangles fold toward their normals; i counts the selected "
          "hinges in order of y, then x, then z."},
         {"natural", "object timedstrains", "", "", "", "", "link!",
          "Stress-free strains of the link, instead of its body's own."},
         {"from", "number", "s", "", "", "", "", "Acts from this time on."},
         {"until", "number", "s", "", "", "", "", "Acts until this time."},
     }},
    {"timedstrains",
     "a list of timed strains",
     {
         {"twist", "number timed link", "rad/m", "", "", "", "",
          "Rotation rate about x. A strain that is not given, or that a division has no mode of, stays as the body has "
          "it; s and u run along the whole link."},
         {"bendY", "number timed link", "rad/m", "", "", "", "", "Rotation rate about y; positive turns x toward -z."},
         {"bendZ", "number timed link", "rad/m", "", "", "", "", "Rotation rate about z; positive turns x toward y."},
         {"stretch", "number timed link", "", "", "(-1,inf)", "", "", "Elongation: 0.1 is a tenth longer."},
         {"shearY", "number timed link", "", "", "", "", "", "Shear along y."},
         {"shearZ", "number timed link", "", "", "", "", "", "Shear along z."},
     }},
    {"table",
     "a table",
     {
         {"time", "numbers", "s", "", "", "required", "", "Strictly increasing times."},
         {"curvature1", "rows", "1/m", "", "", "", "",
          "Per time: one number for all springs, or a list with one each."},
         {"curvature2", "rows", "1/m", "", "", "", "", "Likewise, toward d2."},
         {"twist", "rows", "rad/m", "", "", "", "", "Likewise, twist."},
         {"stretch", "rows", "", "", "(0,inf)", "", "", "Likewise, one per edge: factor on the natural length."},
         {"angle", "rows", "rad", "", "", "", "",
          "Of a shell: one for all hinges, or one each, in the order of \"angle\" of an actuation."},
         {"interpolation", "choice linear step", "", "\"linear\"", "", "", "", "Between the times."},
     }},
};

}  // namespace

const std::vector<KeyObject>& bodyKeyObjects() {
  static const std::vector<KeyObject> objects = [] {
    std::vector<KeyObject> all = rodObjects;
    all.insert(all.end(), actionObjects.begin(), actionObjects.end());
    return all;
  }();
  return objects;
}

}  // namespace tendril::scene
