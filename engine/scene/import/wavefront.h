// Reads the text of a Wavefront file (.obj): its vertices and faces as a triangle mesh.
#pragma once

#include <string_view>
#include <variant>

#include "geometry/triangle_mesh.h"
#include "tendril/problem.h"

namespace tendril::scene {

/// The mesh (not yet checked: checkMesh), or every problem with its line. `v x y z` are vertices, further numbers are
/// ignored; `f` lists three or more vertices, counted from 1 or backwards from -1, as `a`, `a/b`, `a//c` or `a/b/c`;
/// polygons are split into fans about their first vertex. Normals, texture coordinates, groups, materials and comments
/// are ignored; unused vertices are omitted. `numbers`, where given, gets the text's number of each vertex and
/// triangle: the `v` and the `f` counted from 1, for checkMesh.
std::variant<geometry::TriangleMesh, Problems> readWavefront(std::string_view text,
                                                             geometry::MeshNumbers* numbers = nullptr);

/// Whether the text begins like a Wavefront file: with a statement such as `v`, `o` or `mtllib`, after comments.
bool looksLikeWavefront(std::string_view text);

}  // namespace tendril::scene
