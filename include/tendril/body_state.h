// The state of one body, in double precision, as result files hold it.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace tendril {

/// The last accepted state of a rod, shell, linkage or vine. Lists that its kind lacks are empty.
struct BodyState {
  std::string name;                     ///< in the scene
  std::vector<double> nodes, velocity;  ///< 3 per node [m], [m/s]; linkages: of the centerline, link by link
  std::vector<double> twist;            ///< rods: per edge [rad]
  std::vector<double> radius, d1, curvature, stretch;  ///< per node: [m], 3 x unit, [1/m], ratio (`--vtk`)
  std::vector<std::array<int, 3>> triangles;           ///< shells: node numbers; else empty
  std::vector<double> normal, strain, energy;          ///< shells, per node: 3 x unit, Green strain, bending [J/m^2]
  std::vector<double> placements;                      ///< vines: x, y [m], theta [rad] of every body in its plane
  /// Linkages: coordinates and rates of a link, joint first ("arm/limb").
  struct LinkState {
    std::string name;                  ///< "arm/limb"
    std::vector<double> q, v;          ///< [rad] or [m], strains [1/m] or ratios; v per second
    int firstNode = 0, nodeCount = 0;  ///< its run of nodes
  };
  std::vector<LinkState> links;
};

}  // namespace tendril
