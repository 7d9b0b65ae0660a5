// The dihedral angle [rad] of four points, as a strain of the three vectors along them: from the plane of the first
// three to that of the last three, right-handed about the middle vector; 0 where the outer points are on the same side
// of it. A. Blondel, M. Karplus, J. Comput. Chem. 17 (1996) 1132.
#pragma once

#include <cmath>

#include "elastic/vector_strain.h"
#include "geometry/types.h"

namespace tendril::elastic {

struct Dihedral {
  static constexpr const char* name = "dihedral";
  static constexpr int vectors = 3;
  static constexpr double period = 2 * pi;
  static constexpr const char* undefined = "three of its places on one line";

  // With A = u0 x u1, B = u1 x u2, l = |u1|: atan2(l u0 . B, A . B). Gradient N = l A / A^2 in u0, P = l B / B^2 in u2,
  // and what rotations leave for u1: a = u0 . u1 / l^2 and c = u2 . u1 / l^2 of these.
  static VectorStrain<3> at(const Vec<9>& u) {
    constexpr double least = 1e-12;  // square of the smallest sine with which the angle has digits
    VectorStrain<3> out;
    const Vec3 u0 = u.head<3>(), u1 = u.segment<3>(3), u2 = u.tail<3>();
    const Vec3 A = u0.cross(u1), B = u1.cross(u2);
    const double ll = u1.squaredNorm(), AA = A.squaredNorm(), BB = B.squaredNorm(), l = std::sqrt(ll);
    // Not valid where any of it is not a number.
    out.valid = AA > least * ll * u0.squaredNorm() && BB > least * ll * u2.squaredNorm();
    if (!out.valid) return out;
    out.value = std::atan2(l * u0.dot(B), A.dot(B));
    const double a = u0.dot(u1) / ll, c = u2.dot(u1) / ll, rr0 = AA / ll, rr2 = BB / ll;
    const Vec3 N = (l / AA) * A, P = (l / BB) * B, along = u1 / ll;
    out.gradient << N, -a * N - c * P, P;
    // With m0 and m2 from the axis to the outer points, over the squares of these distances.
    const Vec3 m0 = (u0 - a * u1) / rr0, m2 = (u2 - c * u1) / rr2;
    const Mat3 S0 = N * m0.transpose() + m0 * N.transpose(), S2 = P * m2.transpose() + m2 * P.transpose();
    const Mat3 N1 = along * N.transpose(), P1 = along * P.transpose(), ends = a * N1 + c * P1;
    const Mat3 H01 = a * S0 - N1, H21 = c * S2 - P1;
    const Mat3 H11 = ends + ends.transpose() - (0.5 * rr0 / ll + a * a) * S0 - (0.5 * rr2 / ll + c * c) * S2;
    const Mat3 none = Mat3::Zero();
    out.hessian << -S0, H01, none, H01.transpose(), H11, H21.transpose(), none, H21, -S2;
    return out;
  }
};

}  // namespace tendril::elastic
