// Places along a body whose spheres touch: the even ones, and those that its profile asks for between them.
#pragma once

#include <functional>
#include <vector>

namespace tendril::links {

struct TouchingPlace {
  double u = 0;       ///< along the body, 0 to 1
  double s = 0;       ///< [m]
  double radius = 0;  ///< [m]
  double apart = 0;   ///< from the place before it [m]
  double share = 0;   ///< of the length [m]
};

/// By how much of its radius a surface may stand out of the spheres, and they out of it.
inline constexpr double uncovered = 0.01;
/// That are added to one body at most.
inline constexpr int mostAdded = 60;

/// The ends of `parts` equal parts, the start first. Where the profile `radius(s, u)` [m] stands out of the cones
/// between their spheres by more than `uncovered`, spheres are added that are tangent to it, the largest gaps first;
/// even ones that stand out of a flank by as much move to where they are tangent. So places of cylinders and of mild
/// tapers stay even. A sphere that lies within another, its distance taken `slack` times, is left out. What is shorter
/// than a hundredth of the body may be overlooked.
std::vector<TouchingPlace> touchingPlaces(double length, int parts,
                                          const std::function<double(double s, double u)>& radius, double slack);

}  // namespace tendril::links
