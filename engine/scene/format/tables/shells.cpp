// The key table for shells: a shell with its thickness, models and stress-free state, and the meshes that give its
// initial shape.
#include "scene/format/tables/table.h"

namespace tendril::scene {

const std::vector<KeyObject>& shellKeyObjects() {
  static const std::vector<KeyObject> objects = {
      {"shell",
       "a shell",
       {
           {"material", "text", "", "", "", "", "", "Name of its material; optional if the scene has only one."},
           {"thickness", "number field", "m", "", "(0,inf)", "required", "",
            "Thickness h, at the middle of each triangle."},
           {"bending", "choice hinge midedge", "", "\"midedge\"", "", "", "",
            "midedge: mid-edge normals, converges to thin-shell theory on any mesh. hinge: one spring per interior "
            "edge, simpler and cheaper, but its results depend on the mesh's pattern."},
           {"membrane", "choice springs stvk", "", "", "", "", "",
            "stvk: Saint Venant-Kirchhoff triangles with Poisson's ratio. springs: a spring per edge (nu = 1/3 on a "
            "regular "
            "mesh). Default: stvk with midedge, springs with hinge."},
           {"border", "number", "", "1", "[0,inf)", "", "",
            "Factor on the springs of edges with one triangle, which have half the stiffness of an interior edge's; 2 gives them all of it, as some "
            "programs do. With \"membrane\": \"springs\"."},
           {"mesh", "object mesh", "", "", "", "required", "", "The initial shape, a mesh of triangles."},
           {"natural", "choice flat", "", "", "", "", "",
            "The stress-free state; default: the initial shape. \"flat\": every hinge is flat."},
           {"look", "object look", "", "", "", "", "", "Display only."},
       }},
      {"mesh",
       "a mesh",
       {
           {"rectangle", "object sheet", "", "", "", "one:kind", "", "A rectangle or a parallelogram."},
           {"regular-polygon", "object polygon", "", "", "", "one:kind", "",
            "A regular polygon of equal triangles in rings about its center, which is vertex 0."},
           {"disk", "object disk", "", "", "", "one:kind", "", "A disk in rings about its center, which is vertex 0."},
           {"points", "points", "m", "", "", "one:kind", "", "Exactly these vertices, with triangles."},
           {"obj", "text", "", "", "", "one:kind", "", "The text of a Wavefront file."},
           {"triangles", "triangles", "", "", "[0,inf)", "", "points!",
            "The three vertices of each triangle, counted from 0; right-handed about the normal."},
       }},
      {"sheet",
       "a rectangle of a mesh",
       {
           {"corner", "vector", "m", "", "", "required", "", "First corner."},
           {"along", "vector", "m", "", "", "required", "", "The side from that corner that rows of triangles follow."},
           {"across", "vector", "m", "", "", "required", "",
            "The other side from that corner; the normal is along x across."},
           {"edge", "number", "m", "", "(0,inf)", "required", "",
            "Desired edge length; corners and borders are exact."},
           {"pattern", "choice equilateral equilateral-aligned right-isosceles random nonuniform", "",
            "\"equilateral\"", "", "", "",
            "How it is divided: rows of triangles along or (aligned) across, a grid with diagonals, or uneven."},
       }},
      {"polygon",
       "a regular polygon",
       {
           {"center", "vector", "m", "", "", "required", "", "Center."},
           {"normal", "vector", "", "", "", "required", "", "Normal."},
           {"side", "number", "m", "", "(0,inf)", "required", "", "Length of a side."},
           {"sides", "integer", "", "", "[3,1000]", "required", "", "Number of sides."},
           {"edge", "number", "m", "", "(0,inf)", "required", "", "Desired edge length along the sides."},
           {"toward", "vector", "", "", "", "", "",
            "Direction from the center to the first corner (default: x projected on the plane, or y where the normal "
            "is "
            "along x)."},
       }},
      {"disk",
       "a disk",
       {
           {"center", "vector", "m", "", "", "required", "", "Center."},
           {"normal", "vector", "", "", "", "required", "", "Normal."},
           {"radius", "number", "m", "", "(0,inf)", "required", "", "Radius; the border's vertices lie on the circle."},
           {"edge", "number", "m", "", "(0,inf)", "required", "", "Desired edge length."},
           {"toward", "vector", "", "", "", "", "",
            "Direction from the center to the first border vertex (default as for a regular polygon)."},
       }},
  };
  return objects;
}

}  // namespace tendril::scene
