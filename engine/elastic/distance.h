// The distance of two points [m], as a strain of the vector between them.
#pragma once

#include "elastic/vector_strain.h"

namespace tendril::elastic {

struct Distance {
  static constexpr const char* name = "distance";
  static constexpr int vectors = 1;
  static constexpr const char* undefined = "its places at one position";

  // |u|, u / |u|, (I - t t^T) / |u|
  static VectorStrain<1> at(const Vec3& u) {
    VectorStrain<1> out;
    out.value = u.norm();
    out.valid = out.value > 0;
    if (!out.valid) return out;
    const Vec3 t = u / out.value;
    out.gradient = t;
    out.hessian = (Mat3::Identity() - t * t.transpose()) / out.value;
    return out;
  }

  // (u0 + u1) / (|u0| + |u1|); the general one is ill-conditioned for a single vector, which has no rotation about
  // itself.
  static Vec3 between(const Vec3& u0, const Vec3& u1) { return (u0 + u1) / (u0.norm() + u1.norm()); }
};

}  // namespace tendril::elastic
