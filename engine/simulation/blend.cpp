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

std::vector<double> ColumnBlend::between(const std::vector<double>& from, const std::vector<double>& to,
                                         double weight) const {
  std::vector<double> out = from;
  for (std::size_t k = 0; k < out.size(); ++k) out[k] += weight * (to[k] - out[k]);
  constexpr double whole = 2 * std::numbers::pi;
  const auto sizeOf = [](const double* v, std::size_t n) {
    double squares = 0;
    for (std::size_t k = 0; k < n; ++k) squares += v[k] * v[k];
    return std::sqrt(squares);
  };
  for (const auto& [first, n] : turns_) {
    const double *a = &from[first], *b = &to[first];
    const double size = sizeOf(b, n);
    // The same rotation, in the other direction.
    const double other = size > 0 ? 1 - whole / size : 1;
    double near = 0, far = 0;
    for (std::size_t k = 0; k < n; ++k)
      near += (b[k] - a[k]) * (b[k] - a[k]), far += (other * b[k] - a[k]) * (other * b[k] - a[k]);
    if (!(far < near)) continue;
    double* turn = &out[first];
    for (std::size_t k = 0; k < n; ++k) turn[k] = a[k] + weight * (other * b[k] - a[k]);
    const double length = sizeOf(turn, n);
    for (std::size_t k = 0; k < n && length > 0.5 * whole; ++k) turn[k] *= 1 - whole / length;
  }
  for (const std::size_t first : quaternions_) {
    const double *a = &from[first], *b = &to[first];
    double along = 0;
    for (std::size_t k = 0; k < 4; ++k) along += a[k] * b[k];
    const double sign = along < 0 ? -1 : 1;
    double* turn = &out[first];
    for (std::size_t k = 0; k < 4; ++k) turn[k] = a[k] + weight * (sign * b[k] - a[k]);
    const double size = sizeOf(turn, 4), wanted = sizeOf(a, 4) + weight * (sizeOf(b, 4) - sizeOf(a, 4));
    for (std::size_t k = 0; k < 4 && size > 0; ++k) turn[k] *= wanted / size;
  }
  return out;
}

}  // namespace tendril
