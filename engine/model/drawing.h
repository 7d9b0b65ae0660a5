// What is drawn: a Drawing is shape and connectivity, a Snapshot one moment of it. Promised to strangers.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace tendril {

/// A body's run of points in the Drawing and the Snapshot.
struct DrawingPart {
  std::string name;  ///< the body's name in the scene
  std::string kind;  ///< "rod" or "shell"
  int firstPoint = 0, pointCount = 0;
  std::string color, label;  ///< from the body's "look"; may be empty
  double opacity = 1;
  bool hidden = false;
};

/// A small symbol at a point: what holds or loads the structure there.
struct DrawingMark {
  std::string kind;  ///< "clamp", "fix", "move", "turn", "weld", "pin", "force", "follower", "moment", "line", "pressure",
                     ///< "mass"
  int point = 0;
  std::array<double, 3> direction = {0, 0, 0};  ///< loads: direction at t = 0, unit or zero
};

struct Drawing {
  std::vector<DrawingPart> parts;
  std::vector<float> halfAxes;           ///< 2 per point: section's half-axes along d1 and d2 [m]; shells: half the
                                         ///< thickness, twice
  std::vector<std::uint8_t> round;       ///< 1 per point: 1 elliptic section, 0 rectangular
  std::vector<std::uint32_t> segments;   ///< 2 point indices per rod edge
  std::vector<std::uint32_t> triangles;  ///< 3 point indices per shell triangle
  std::vector<DrawingMark> marks;
  std::uint64_t revision = 1;  ///< grows when any of the above changes
};

enum class ScalarField { curvature, strain, energy };

/// One moment. Floats, 3 or 1 per point, in part order.
struct Snapshot {
  double time = 0;               ///< [s]
  std::vector<float> positions;  ///< 3 per point [m]
  std::vector<float> directors;  ///< 3 per point, unit: material director d1; shells: normal
  std::vector<float> curvature;  ///< 1 per point [1/m]
  std::vector<float> strain;     ///< 1 per point: axial strain; shells: larger principal membrane strain
  std::vector<float> energy;     ///< 1 per point: elastic energy per length [J/m]; shells: bending energy per area
                                 ///< [J/m^2]
};

}  // namespace tendril
