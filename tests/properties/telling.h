// One random scene, told in many ways: turned, shifted, mirrored, in other units, in another order, with a stranger
// beside it. What is told twice must run alike.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "engine/geometry/draw.h"
#include "geometry/types.h"

namespace tendril::properties {

using Json = nlohmann::ordered_json;

using test::Draw;

struct Telling {
  Mat3 turn = Mat3::Identity();
  Vec3 shift = Vec3::Zero();              ///< [m], after the turn
  Vec3 drift = Vec3::Zero();              ///< [m/s]: everything moves with it
  bool mirror = false;                    ///< y told as -y, before the turn
  double time = 1, length = 1, mass = 1;  ///< what a second, a meter, a kilogram are told as
  bool bodiesReversed = false, nodesReversed = false;
  bool stranger = false;  ///< a body that touches nothing
  bool cold = false;      ///< without weights and dampers: nothing but what is stored
  double dt = 1;          ///< times the scene's own
  double duration = 1;
  double nudge = 0;               ///< relative, of all stiffnesses: shows what round-off decides
  int finer = 1;                  ///< times as many edges
  std::string integrator;         ///< instead of the scene's own
  std::set<std::string> without;  ///< features that are left out, to find the smallest scene that fails

  /// Numbers by their dimensions.
  double value(double v, int kg, int m, int s) const {
    return v * std::pow(mass, kg) * std::pow(length, m) * std::pow(time, s);
  }
  Mat3 matrix() const { return mirror ? Mat3(turn * Vec3(1, -1, 1).asDiagonal()) : turn; }
  Json place(const Vec3& x) const { return list(length * (matrix() * x + shift)); }
  Json direction(const Vec3& v) const { return list(matrix() * v); }
  Json vector(const Vec3& v, int kg, int m, int s) const { return list(value(1, kg, m, s) * (matrix() * v)); }
  /// Moments, axes of rotation.
  Json axial(const Vec3& v, int kg, int m, int s) const {
    return list((mirror ? -1 : 1) * value(1, kg, m, s) * (matrix() * v));
  }
  /// Where a told place is in the first telling, after t seconds of it.
  Vec3 back(const Vec3& told, double t) const { return matrix().transpose() * (told / length - shift - t * drift); }

  static Json list(const Vec3& v) { return Json::array({v.x(), v.y(), v.z()}); }
};

}  // namespace tendril::properties
