#include "simulation/load_samples.h"

#include <algorithm>
#include <cmath>

#include "formula/formula.h"

namespace tendril {

PlaceSamples samplesOf(const scene::Scene& scene, const formula::Number& number) {
  PlaceSamples out;
  const formula::PlaceUse sees = number.place();
  if (!sees.now() && !sees.initial) return out;
  constexpr std::size_t most = 9;
  const std::string& pointer = number.formula()->location().pointer;
  for (const scene::Load& load : scene.loads) {
    if (load.nodes.empty() || pointer.rfind(load.pointer + "/", 0) != 0) continue;
    const std::size_t stride = std::max<std::size_t>(1, load.nodes.size() / most);
    for (std::size_t i = 0; i < load.nodes.size(); i += stride) {
      const scene::NodeRef ref = load.nodes[i];
      const Vec3& at = scene.points(ref.body)[static_cast<std::size_t>(ref.node)];
      const Vec3 direction =
          scene.isRod(ref.body)
              ? scene.rods[static_cast<std::size_t>(ref.body)].nodeTangents[static_cast<std::size_t>(ref.node)]
              : Vec3(Vec3::Constant(1 / std::sqrt(3.0)));
      for (const double speed : {0.0, 1.0}) {
        std::array<double, formula::Place::count> place;
        for (int k = 0; k < 3; ++k) {
          place[static_cast<std::size_t>(formula::Place::x + k)] = at[k];
          place[static_cast<std::size_t>(formula::Place::direction + k)] = direction[k];
          place[static_cast<std::size_t>(formula::Place::velocity + k)] = speed;
          place[static_cast<std::size_t>(formula::Place::initial + k)] = at[k];
        }
        out.push_back(place);
      }
    }
  }
  // Of a load that nothing shows, somewhere: a formula must not look where there is no point.
  if (out.empty()) out.emplace_back().fill(0);
  return out;
}

bool sampledValue(const formula::Number& number, const PlaceSamples& samples, formula::Input in, double& value) {
  const auto evaluated = [&](double& out) {
    try {
      out = number(in);
      return std::isfinite(out);
    } catch (const formula::Failure&) {
      return false;
    }
  };
  if (samples.empty()) return evaluated(value);
  double sum = 0, weights = 0, one = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    in.place = samples[i].data();
    const double weight = 1 + 0.37 * static_cast<double>(i % 5);
    if (evaluated(one)) sum += weight * one, weights += weight;
  }
  if (weights > 0) value = sum / weights;
  return weights > 0;
}

}  // namespace tendril
