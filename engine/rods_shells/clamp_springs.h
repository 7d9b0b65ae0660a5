// Which bend-twist springs act where clamps do: the half springs of a clamp take the place of those that it cuts
// through.
#pragma once

#include <vector>

#include "rods_shells/structure.h"

namespace tendril::rods_shells {

class ClampSprings {
 public:
  /// The structure must have all its clamps.
  explicit ClampSprings(Structure& structure);

  /// Switches them; `on`: per constraint, whether it acts. True where one changed.
  bool act(const std::vector<char>& on);

 private:
  void dropAlike(int spring, std::vector<char>& flags);
  void keepSprings(const std::vector<char>& on);
  void keepBetweenClamps(const std::vector<char>& on);

  Structure& s_;
  std::vector<int>
      onNode_;  // per spring: a number of its edge and node, which half springs of several clamps may share; -1
  std::vector<int> winner_;          // per such number: the half spring that has it, while springs are switched
  std::vector<char> active_, kept_;  // per spring
  std::vector<char> holds_;          // per edge: it lies inside a clamped run
};

}  // namespace tendril::rods_shells
