// What is drawn: a Drawing is shape and connectivity, a Snapshot one instant of it. Points of all bodies are numbered
// in one row, part after part; lists of 3 per point hold x, y, z of the first, then of the second, and so on.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace tendril {

/// A body's run of points in the Drawing and the Snapshot.
struct DrawingPart {
  std::string name;                    ///< the body's name in the scene
  std::string kind;                    ///< "rod", "shell", "vine"; links ("arm/limb"): "soft", "rigid"
  int firstPoint = 0, pointCount = 0;  ///< points firstPoint ... firstPoint + pointCount - 1 of the one row
  std::string color, label;            ///< from the body's "look"; may be empty
  double opacity = 1;
  bool hidden = false;
  double bodyLength = 0;  ///< vines: of the rigid bodies that slide on each other between two points [m]
  int body = 0;           ///< whose part it is, as lists of bodies number them: rods, shells, linkages, vines
  int link = -1;          ///< of a linkage: which of its links
};

/// A small symbol at a point: what holds or loads the structure there.
struct DrawingMark {
  std::string kind;  ///< "clamp", "fix", "move", "turn", "weld", "pin", "force", "follower", "moment", "line",
                     ///< "pressure", "mass"
  int point = 0;     ///< which of the drawn points
  std::array<double, 3> direction = {0, 0, 0};  ///< loads: direction at t = 0, unit or zero
  int joint = -1;  ///< of a support that holds a link by a joint: which, in Drawing::joints
};

/// A body that does not deform. It may move: Snapshot::obstacles.
struct DrawingObstacle {
  std::string name;                          ///< in the scene
  std::string kind;                          ///< "plane", "sphere", "box", "capsule", "cylinder"
  std::array<double, 3> point = {0, 0, 0};   ///< plane: a point; sphere, box: center; others: one end [m]
  std::array<double, 3> end = {0, 0, 0};     ///< capsule, cylinder: the other end [m]
  std::array<double, 3> normal = {0, 0, 1};  ///< plane: unit, toward the free side
  std::array<double, 3> half = {0, 0, 0};    ///< box: half sides along its own axes [m]
  std::array<double, 9> axes = {1, 0, 0, 0, 1, 0, 0, 0, 1};  ///< box: its axes, one after the other
  double radius = 0;                                         ///< [m]
  std::string color, label;
  double opacity = 1;
  bool hidden = false;
};

/// A joint between links: where it is and along what is in Snapshot::joints.
struct DrawingJoint {
  std::string name;  ///< of the link that it carries, "arm/limb"
  std::string kind;  ///< "revolute", "prismatic", ... as in the scene; closing joints too
  double size = 0;   ///< radius of what meets there [m], for its symbol
};

/// A tendon, or a spring between points: a polyline in Snapshot::tendons.
struct DrawingTendon {
  std::string name;                    ///< "arm/c1"; of a spring its own
  int firstPoint = 0, pointCount = 0;  ///< in Snapshot::tendons, which numbers its points on its own
  bool outside = false;                ///< runs outside of the links' material
  std::string color, label;
  bool hidden = false;
  const char* unit = "N";  ///< of its tension; "N m" of a torsion spring
};

/// What stays while a run goes on, until `revision` grows.
struct Drawing {
  std::vector<DrawingPart> parts;
  std::vector<float> halfAxes;           ///< 2 per point: section's half-axes along d1 and d2 [m]; shells: half the
                                         ///< thickness, twice
  std::vector<std::uint8_t> round;       ///< 1 per point: 1 elliptic section, 0 rectangular
  std::vector<std::uint32_t> segments;   ///< 2 point indices per edge of a rod or link
  std::vector<std::uint32_t> triangles;  ///< 3 point indices per shell triangle
  std::vector<DrawingMark> marks;
  std::vector<DrawingObstacle> obstacles;
  std::vector<DrawingJoint> joints;
  std::vector<DrawingTendon> tendons;
  std::uint64_t revision = 1;  ///< grows when any of the above changes
};

/// One instant. Floats, 3 or 1 per point, in part order.
struct Snapshot {
  double time = 0;               ///< [s]
  std::vector<float> positions;  ///< 3 per point [m]
  std::vector<float> obstacles;  ///< 3 per obstacle: how far it has moved [m]
  std::vector<float> joints;     ///< 6 per joint: place [m], of sliding joints on the parent; unit axis
  std::vector<float> tendons;    ///< 3 per point of tendons [m]
  std::vector<float> tensions;   ///< 1 per tendon [N]; of a torsion spring [N m]
  std::vector<float>
      contacts;  ///< 6 per contact that vines feel: place [m], force on the vine [N]; their number varies
  std::vector<float> directors;  ///< 3 per point, unit: material director d1; shells: normal
  std::vector<float> curvature;  ///< 1 per point [1/m]
  std::vector<float> strain;     ///< 1 per point: axial strain; shells: larger principal membrane strain
  std::vector<float> energy;     ///< 1 per point: elastic energy per length [J/m]; shells: bending energy per area
                                 ///< [J/m^2]
};

}  // namespace tendril
