// Generated triangle meshes: rectangles in five patterns, regular polygons and disks. Corners and borders are met
// exactly; the wanted edge length is met as nearly as that allows. All are deterministic.
#pragma once

#include "geometry/triangle_mesh.h"

namespace tendril {

enum class MeshPattern { equilateral, equilateralAligned, rightIsosceles, random, nonuniform };

/// Rectangle (or parallelogram) from `corner` with sides `along` and `across`; normal along x across.
/// equilateral: rows of triangles along `along`; equilateralAligned: rows along `across`; rightIsosceles: a grid with one
/// direction of diagonals; random: jittered points with minimum distance, Delaunay; nonuniform: strongly graded and
/// uneven points, Delaunay (the fifth mesh of J fig. 13).
TriangleMesh rectangleMesh(const Vec3& corner, const Vec3& along, const Vec3& across, double edge, MeshPattern pattern);

/// Regular polygon with `sides` sides of length `side`, first corner towards `toward` (projected; see contract), in
/// `side / edge` (rounded) rings of equal triangles about the centre.
TriangleMesh regularPolygonMesh(const Vec3& center, const Vec3& normal, double side, int sides, double edge,
                                const Vec3& toward);

/// Disk: concentric rings, the k-th with 6 k vertices; the border vertices lie on the circle.
TriangleMesh diskMesh(const Vec3& center, const Vec3& normal, double radius, double edge, const Vec3& toward);

}  // namespace tendril
