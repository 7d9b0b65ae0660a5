// Generated triangle meshes: rectangles in five patterns, regular polygons and disks. Corners and borders are exact;
// the desired edge length is matched as closely as that allows. All are deterministic.
#pragma once

#include "geometry/triangle_mesh.h"

namespace tendril::geometry {

enum class MeshPattern { equilateral, equilateralAligned, rightIsosceles, random, nonuniform };

/// Limit on triangles; the functions below refuse more before allocating memory, with a std::length_error whose message
/// has the number.
inline constexpr long mostMeshTriangles = 4000000;

/// Rectangle (or parallelogram) from `corner` with sides `along` and `across`; normal along x across. The sides must
/// span an area and `edge` [m] be positive (std::invalid_argument).
/// equilateral: rows of triangles along `along`, every other row begins and ends with half a triangle;
/// equilateralAligned: rows along `across`; rightIsosceles: a grid with one direction of diagonals, from `corner` to
/// the opposite corner; random: evenly spaced border, interior points at random with a minimum distance, Delaunay;
/// nonuniform: strongly graded and uneven points, Delaunay (the fifth mesh of J fig. 13), angles above 8 degrees.
TriangleMesh rectangleMesh(const Vec3& corner, const Vec3& along, const Vec3& across, double edge, MeshPattern pattern);

/// Regular polygon with `sides` (at least 3) sides of length `side`, with the first corner in the direction `toward`
/// (projected; if nothing is left of it, x, or y where the normal is along x), in `side / edge` (rounded) rings of
/// equal triangles about the center. Vertex 0 is the center; the rings follow, each from its first corner on,
/// right-handed about `normal`.
TriangleMesh regularPolygonMesh(const Vec3& center, const Vec3& normal, double side, int sides, double edge,
                                const Vec3& toward);

/// Disk: concentric rings, the k-th with 6 k vertices; the border vertices lie on the circle. Numbered like polygons.
TriangleMesh diskMesh(const Vec3& center, const Vec3& normal, double radius, double edge, const Vec3& toward);

}  // namespace tendril::geometry
