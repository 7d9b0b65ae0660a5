// Strains of a structure at one moment, for damping rates and probes, and linear combinations of them.
#pragma once

#include <vector>

#include "geometry/types.h"

namespace tendril::rods_shells {

struct ShellStrains {
  std::vector<double> stretch;  ///< per edge: |e| / length - 1
  std::vector<double> angle;    ///< per edge: hinge angle [rad], unwrapped; 0 at the border
  std::vector<Vec3> green;      ///< per triangle: E11, E22, 2 E12 in its rest frame
  std::vector<Vec3> alpha;      ///< per triangle: angle from its normal to the mid-edge normal of edge k [rad]
};

struct Strains {
  std::vector<double> stretch;  ///< per rod edge: |e| / natural length - 1
  std::vector<double>
      elongation;  ///< per rod edge: |e| - initial length [m]; dampers do not feel a natural length that changes
  std::vector<Vec3> bend;         ///< per bend-twist spring: curvature 1, curvature 2, twist
  std::vector<Vec3> tie;          ///< per tie of a weld's frame to a shell: turn against it, about its initial axes
  std::vector<double> connector;  ///< per spring between places: what its kind measures
  ShellStrains shell;
};

/// f(list of out, lists of x ...) for every list of numbers; all must have the same sizes.
template <class F, class... S>
void forEachList(F f, S&... s) {
  f(s.stretch...);
  f(s.elongation...);
  f(s.bend...);
  f(s.tie...);
  f(s.connector...);
  f(s.shell.stretch...);
  f(s.shell.angle...);
  f(s.shell.green...);
  f(s.shell.alpha...);
}

}  // namespace tendril::rods_shells
