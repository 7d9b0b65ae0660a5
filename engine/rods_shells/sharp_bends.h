// Where a rod bends or twists more from one edge to the next than its mesh resolves. A spring measures a turn by phi as
// the curvature 2 tan(phi / 2) cos(tau / 2), where tau is the twist beside it: its moment per turn is off by the factor
// cos(tau / 2)^2 / cos(phi / 2)^2, the square of the mesh's order, and a bend of half a turn beside a twist of half a
// turn costs nothing. Edges that fold back on each other have no direction in which they go on: such a step has no
// solution.
#pragma once

#include <string>
#include <vector>

#include "rods_shells/structure.h"

namespace tendril::rods_shells {

struct Strains;

class SharpBends {
 public:
  static constexpr double limit = 1.5707963267948966;  ///< [rad] turn or twist: the moment counts double or half
  static constexpr double folded = 2.6;                ///< [rad] turn: it counts more than 13 times

  SharpBends(const Structure& structure, const scene::Scene& scene) : s_(structure), scene_(scene) {}

  struct Instant {
    const char* name;  ///< "t"
    double value;
    const char* unit;  ///< " s", or ""
  };

  /// Warnings at an accepted state, one per rod and run. Corners that are drawn are none.
  void say(const Strains& strains, const Instant& when, std::vector<std::string>& warnings);
  /// Why no step leads on from this state: "; rod "b" folds back on itself ...", or nothing.
  std::string fold(const Strains& strains) const;

 private:
  const Structure& s_;
  const scene::Scene& scene_;
  std::vector<char> said_;  // per rod
};

}  // namespace tendril::rods_shells
