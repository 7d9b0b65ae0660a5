// Accepted state of one body for result files. Promised to strangers.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace tendril::model {

struct BodyState {
  std::string name;
  std::vector<double> nodes, velocity;  ///< 3 per node [m], [m/s]; linkages: of the centerline, link by link
  std::vector<double> twist;            ///< rods: per edge [rad]
  std::vector<double> radius, d1, curvature, stretch;  ///< per node: [m], 3 x unit, [1/m], ratio (`--vtk`)
  std::vector<std::array<int, 3>> triangles;           ///< shells: node numbers; else empty
  std::vector<double> normal, strain, energy;          ///< shells, per node: 3 x unit, Green strain, bending [J/m^2]
  std::vector<double> placements;                      ///< vines: x, y [m], theta [rad] of every body in its plane
  /// Linkages: coordinates and rates of a link, joint first ("arm/limb").
  struct LinkState {
    std::string name;
    std::vector<double> q, v;
    int firstNode = 0, nodeCount = 0;  ///< its run of nodes
  };
  std::vector<LinkState> links;
};

}  // namespace tendril::model
