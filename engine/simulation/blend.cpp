#include "simulation/blend.h"

#include <cmath>
#include <numbers>

namespace tendril {

ColumnBlend::ColumnBlend(const scene::Scene& scene) {
  using Joint = scene::LinkJoint::Kind;
  for (const scene::Probe& probe : scene.probes) {
    if (probe.kind == scene::Probe::Kind::pose) quaternions_.push_back(static_cast<std::size_t>(probe.firstColumn) + 3);
    if (probe.kind != scene::Probe::Kind::jointAngle || probe.places.empty()) continue;
    const scene::LinkRef& link = probe.places.front();
    const Joint kind =
        scene.linkages[static_cast<std::size_t>(link.linkage)].links[static_cast<std::size_t>(link.link)].joint.kind;
    if (kind != Joint::planar && kind != Joint::spherical && kind != Joint::free) continue;
    turns_.push_back({static_cast<std::size_t>(probe.firstColumn), kind == Joint::planar ? 1u : 3u});
  }
}

namespace {

constexpr double wholeTurn = 2 * std::numbers::pi;

double dot(const double* a, const double* b, std::size_t n) {
  double sum = 0;
  for (std::size_t k = 0; k < n; ++k) sum += a[k] * b[k];
  return sum;
}

double sizeOf(const double* v, std::size_t n) { return std::sqrt(dot(v, v, n)); }

/// The same rotation in the other direction, (1 - 2 pi / |v|) v, in place; with `slopes`, its slopes in place of those
/// of v. A rotation vector of no length stays.
void turnOtherWay(double* v, double* slopes, std::size_t n) {
  const double size = sizeOf(v, n);
  if (!(size > 0)) return;
  const double other = 1 - wholeTurn / size;
  if (slopes) {
    const double change = wholeTurn * dot(v, slopes, n) / (size * size * size);
    for (std::size_t k = 0; k < n; ++k) slopes[k] = other * slopes[k] + change * v[k];
  }
  for (std::size_t k = 0; k < n; ++k) v[k] *= other;
}

/// A rotation vector between `a` and `b`, by the shorter way; with its slopes where those of both are given.
void blendTurn(const double* a, const double* b, const double* slopesA, const double* slopesB, std::size_t n,
               double weight, double* turn, double* slopes) {
  double target[3] = {}, targetSlopes[3] = {};
  for (std::size_t k = 0; k < n; ++k) target[k] = b[k], targetSlopes[k] = slopes ? slopesB[k] : 0;
  turnOtherWay(target, slopes ? targetSlopes : nullptr, n);
  double near = 0, far = 0;
  for (std::size_t k = 0; k < n; ++k)
    near += (b[k] - a[k]) * (b[k] - a[k]), far += (target[k] - a[k]) * (target[k] - a[k]);
  if (!(far < near)) return;
  for (std::size_t k = 0; k < n; ++k) turn[k] = a[k] + weight * (target[k] - a[k]);
  for (std::size_t k = 0; k < n && slopes; ++k) slopes[k] = slopesA[k] + weight * (targetSlopes[k] - slopesA[k]);
  if (sizeOf(turn, n) > 0.5 * wholeTurn) turnOtherWay(turn, slopes, n);
}

/// A quaternion between `a` and `b`, whose size goes from one to the other; with its slopes where those of both are
/// given.
void blendQuaternion(const double* a, const double* b, const double* slopesA, const double* slopesB, double weight,
                     double* turn, double* slopes) {
  const double sign = dot(a, b, 4) < 0 ? -1 : 1;
  for (std::size_t k = 0; k < 4; ++k) turn[k] = a[k] + weight * (sign * b[k] - a[k]);
  for (std::size_t k = 0; k < 4 && slopes; ++k) slopes[k] = slopesA[k] + weight * (sign * slopesB[k] - slopesA[k]);
  const double size = sizeOf(turn, 4), sizeA = sizeOf(a, 4), sizeB = sizeOf(b, 4);
  if (!(size > 0)) return;
  const double wanted = sizeA + weight * (sizeB - sizeA), ratio = wanted / size;
  if (slopes) {
    const double changeA = sizeA > 0 ? dot(a, slopesA, 4) / sizeA : 0,
                 changeB = sizeB > 0 ? dot(b, slopesB, 4) / sizeB : 0;
    const double change = changeA + weight * (changeB - changeA) - ratio * dot(turn, slopes, 4) / size;
    for (std::size_t k = 0; k < 4; ++k) slopes[k] = ratio * slopes[k] + change / size * turn[k];
  }
  for (std::size_t k = 0; k < 4; ++k) turn[k] *= ratio;
}

std::vector<double> linearBetween(const std::vector<double>& from, const std::vector<double>& to, double weight) {
  std::vector<double> out = from;
  for (std::size_t k = 0; k < out.size(); ++k) out[k] += weight * (to[k] - out[k]);
  return out;
}

}  // namespace

std::vector<double> ColumnBlend::between(const std::vector<double>& from, const std::vector<double>& to,
                                         double weight) const {
  std::vector<double> out = linearBetween(from, to, weight);
  for (const auto& [first, n] : turns_)
    blendTurn(&from[first], &to[first], nullptr, nullptr, n, weight, &out[first], nullptr);
  for (const std::size_t first : quaternions_)
    blendQuaternion(&from[first], &to[first], nullptr, nullptr, weight, &out[first], nullptr);
  return out;
}

std::vector<double> ColumnBlend::slopesBetween(const std::vector<double>& from, const std::vector<double>& to,
                                               const std::vector<double>& slopesFrom,
                                               const std::vector<double>& slopesTo, double weight) const {
  std::vector<double> out = linearBetween(slopesFrom, slopesTo, weight), values = linearBetween(from, to, weight);
  for (const auto& [first, n] : turns_) {
    blendTurn(&from[first], &to[first], &slopesFrom[first], &slopesTo[first], n, weight, &values[first], &out[first]);
  }
  for (const std::size_t first : quaternions_) {
    blendQuaternion(&from[first], &to[first], &slopesFrom[first], &slopesTo[first], weight, &values[first],
                    &out[first]);
  }
  return out;
}

}  // namespace tendril
