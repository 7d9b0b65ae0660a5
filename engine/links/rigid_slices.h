// The solid of a rigid body along its length: places and weights that integrate its section.
#pragma once

#include <vector>

#include "links/structure.h"
#include "scene/scene.h"

namespace tendril::links {

struct RigidSlice {
  double s = 0;       ///< from the body's start [m]
  double length = 0;  ///< of the part that it stands for [m]; they add up to the body's
  scene::SectionGeometry section;
};

/// Of a body with a section and a length. Tapers by polynomials, areas up to degree 15, have eight slices and come out
/// exactly; where the section bends or steps, parts are halved until the mass and its moments keep nine digits.
/// What is shorter than a hundredth of the body may fall between the places that are looked at first.
std::vector<RigidSlice> slicesOf(const scene::Scene& scene, const scene::RigidBody& body);

}  // namespace tendril::links
