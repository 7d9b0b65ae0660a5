// Loads that are formulas of their point: what a point adds, in world axes, with exact derivatives.
#pragma once

#include <array>
#include <cstddef>

#include "geometry/types.h"
#include "scene/scene.h"

namespace tendril::world {

/// The numbers of a formula::Place.
class PointPlace {
 public:
  PointPlace(const Vec3& x, const Vec3& direction, const Vec3& velocity, const Vec3& initial) {
    using formula::Place;
    for (int k = 0; k < 3; ++k) {
      const auto at = [&](int first) -> double& { return numbers_[static_cast<std::size_t>(first + k)]; };
      at(Place::x) = x[k], at(Place::direction) = direction[k];
      at(Place::velocity) = velocity[k], at(Place::initial) = initial[k];
    }
  }
  const double* data() const { return numbers_.data(); }

 private:
  std::array<double, formula::Place::count> numbers_;
};

/// The value of a force or moment, and its derivatives where they are asked for.
struct PointForce {
  Vec3 value;
  Mat3 byPlace, byDirection, byVelocity;
};

/// A potential with its derivatives by place, then direction.
struct PointPotential {
  Vec3 byPlace, byDirection;
  Mat<6> twice;
};

inline Vec3 vectorAt(const double* p) { return {p[0], p[1], p[2]}; }

/// Throws formula::Failure.
inline PointForce forceAt(const scene::Number3& value, const formula::Input& in, bool slopes) {
  using formula::Place;
  PointForce out;
  for (int k = 0; k < 3; ++k) {
    const formula::Number& number = value[static_cast<std::size_t>(k)];
    if (!slopes) {
      out.value[k] = number(in);
      continue;
    }
    const formula::Slopes f = number.slopes(in);
    out.value[k] = f.value;
    out.byPlace.row(k) = vectorAt(f.by), out.byDirection.row(k) = vectorAt(f.by + Place::direction);
    out.byVelocity.row(k) = vectorAt(f.by + Place::velocity);
  }
  return out;
}

/// Throws formula::Failure.
inline PointPotential potentialAt(const formula::Number& amount, const formula::Input& in) {
  const formula::Curves c = amount.curves(in);
  PointPotential out{vectorAt(c.by), vectorAt(c.by + formula::Place::direction), {}};
  for (int r = 0, k = 0; r < 6; ++r) {
    for (int col = 0; col <= r; ++col, ++k) out.twice(r, col) = out.twice(col, r) = c.twice[k];
  }
  return out;
}

}  // namespace tendril::world
