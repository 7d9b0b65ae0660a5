#include "rods_shells/sharp_bends.h"

#include <cmath>
#include <cstdio>

#include "rods_shells/strains.h"

namespace tendril::rods_shells {
namespace {

constexpr double degrees = 180 / 3.14159265358979323846;

/// Angle between the edges of a spring [rad]: half a turn where the twist hides it.
double turnOf(const Vec3& strain) {
  return 2 * std::atan2(0.5 * std::hypot(strain[0], strain[1]), std::abs(std::cos(0.5 * strain[2])));
}

bool resistsBending(const Spring& p) { return p.active && (p.stiffness[0] > 0 || p.stiffness[1] > 0); }

/// No more than half of it is drawn: a corner is meant.
bool isDeformed(const Spring& p, const Vec3& strain) {
  const Vec3 off = strain - p.natural;
  return std::hypot(off[0], off[1]) > 0.5 * std::hypot(strain[0], strain[1]);
}

}  // namespace

void SharpBends::say(const Strains& strains, const Instant& when, std::vector<std::string>& warnings) {
  said_.resize(scene_.rods.size());
  for (std::size_t i = 0; i < s_.springs.size(); ++i) {
    const Spring& p = s_.springs[i];
    const Vec3& strain = strains.bend[i];
    const double twist = std::abs(strain[2]);
    const bool twisted = twist > limit;
    // Cheap first: a turn below the limit, without a twist beyond it, has less than this curvature.
    const bool bent =
        strain[0] * strain[0] + strain[1] * strain[1] > 2 && turnOf(strain) > limit && isDeformed(p, strain);
    if ((!twisted && !bent) || !resistsBending(p) || said_[static_cast<std::size_t>(p.rod)]) continue;
    said_[static_cast<std::size_t>(p.rod)] = 1;
    char text[300];
    std::snprintf(
        text, sizeof text,
        "\" %s by %.0f degrees from one edge to the next at its node %d at %s = %.4g%s, which its mesh does not resolve: "
        "%s; use more segments",
        twisted ? "twists" : "turns", degrees * (twisted ? twist : turnOf(strain)), p.place, when.name, when.value,
        when.unit,
        twisted ? "it resists bending there less than half as much as it should"
                : "it resists that bend more than twice as much as it should");
    warnings.push_back("rod \"" + scene_.rods[static_cast<std::size_t>(p.rod)].name + text);
  }
}

std::string SharpBends::fold(const Strains& strains) const {
  double sharpest = folded;
  int at = -1;
  for (std::size_t i = 0; i < s_.springs.size(); ++i) {
    if (!resistsBending(s_.springs[i])) continue;
    const double turn = turnOf(strains.bend[i]);
    if (turn > sharpest && isDeformed(s_.springs[i], strains.bend[i])) sharpest = turn, at = static_cast<int>(i);
  }
  if (at < 0) return {};
  const Spring& p = s_.springs[static_cast<std::size_t>(at)];
  char text[160];
  std::snprintf(text, sizeof text,
                "\" folds back on itself at its node %d, by %.1f degrees from one edge to the next: use more segments",
                p.place, degrees * sharpest);
  return "; rod \"" + scene_.rods[static_cast<std::size_t>(p.rod)].name + text;
}

}  // namespace tendril::rods_shells
