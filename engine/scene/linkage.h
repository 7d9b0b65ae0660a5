// The typed scene of linkages: trees of rigid and soft links with joints, cables and closing loops, as described in
// docs/linkages.md. Frames: x along a link, d1 is y and d2 is z; SI units, radians.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "formula/number.h"
#include "geometry/strain_basis.h"
#include "geometry/types.h"
#include "scene/rotation.h"
#include "scene/section.h"

namespace tendril::scene {

/// A position on a link: `at` runs from 0 (after its joint) to 1 (its tip); along x on a rigid body.
struct LinkRef {
  int linkage = 0, link = 0;
  double at = 1;
  friend bool operator==(const LinkRef&, const LinkRef&) = default;
};

/// One degree of freedom of a joint. Rotations [rad, N m, N m/rad], translations [m, N, N/m].
struct JointCoordinate {
  bool rotation = true;
  std::optional<formula::Number> driven;  ///< timed; prescribes the coordinate
  formula::Number effort;                 ///< timed; torque or force along it, on the link from its parent
  formula::Number stiffness, damping;     ///< timed
  formula::Number rest;                   ///< timed; where its spring is relaxed
};

/// Coordinates by kind, rotations first (axis a, then b, c cyclic): revolute, helical: about a; prismatic: along a;
/// universal: about b, then about c (Cardan); cylindrical: about a, along a; planar (normal a): about a, along b, c;
/// spherical: rotation vector; free: rotation vector, then position. The last three have one stiffness and damping for
/// all rotations and one for all translations, and no `rest`; their rotations are driven all or none, and so are their
/// translations; their efforts act in the link's own frame.
struct LinkJoint {
  enum class Kind { fixed, revolute, prismatic, helical, universal, cylindrical, planar, spherical, free };
  Kind kind = Kind::fixed;
  int axis = 0;      ///< a: 0 x, 1 y, 2 z
  double pitch = 0;  ///< helical: advance per angle [m/rad]
  std::vector<JointCoordinate> coordinates;
  /// Prescribed rotation of spherical and free joints, one turn after another about the parent's axes; where there are
  /// any, `driven` of the rotations is 0.
  Rotation turns;
  std::string pointer;

  static int freedoms(Kind kind) {
    constexpr int count[] = {0, 1, 1, 1, 2, 2, 3, 3, 6};
    return count[static_cast<int>(kind)];
  }
};

/// A rigid body: a cylinder (box, ...) of `section` and `density` along x, or mass, inertia and center as given.
struct RigidBody {
  double length = 0;                    ///< from joint to tip [m]
  std::optional<Section> section;       ///< fields of s and u; also for display
  formula::Number density;              ///< [kg/m^3], with section
  std::optional<formula::Number> mass;  ///< [kg]; overrides section and density
  std::array<formula::Number, 3>
      inertia;                 ///< principal moments about the center of mass, along x y z [kg m^2]; with mass
  Vec3 center = Vec3::Zero();  ///< of mass, in the link's frame [m]; default: the middle
};

/// A soft body, or one division of it. Strain components everywhere: twist, bendY, bendZ, stretch, shearY, shearZ.
struct SoftDivision {
  double length = 1;                                    ///< [m]
  Section section;                                      ///< fields of s and u within the division
  int material = -1;                                    ///< -1 allowed with Section::Kind::stiffness
  std::array<int, 6> order = {-1, -1, -1, -1, -1, -1};  ///< of each mode; -1: rigid
  geometry::StrainBasis basis = geometry::StrainBasis::legendre;
  int points = 5;                          ///< quadrature points
  int magnus = 4;                          ///< order of the steps between them: 2, 4 or 6
  int substeps = 1;                        ///< between two points
  std::array<formula::Number, 6> natural;  ///< stress-free strain, fields; stretch counts from 0
  std::string pointer;
};

/// Fluid forces on a link, per length where it is soft (docs/linkages.md).
struct LinkFluid {
  formula::Number added;  ///< coefficient of added mass, across the link
  formula::Number drag;   ///< coefficient of drag, across
  formula::Number lift;   ///< coefficient of lift
};

struct Look {
  std::string color, label;
  std::optional<double> opacity;
  bool hidden = false;
};

struct Link {
  std::string name;
  int parent = -1;             ///< link number in its linkage, always smaller; -1: the base
  double parentAt = 1;         ///< position along the parent, 0 to 1
  Vec3 offset = Vec3::Zero();  ///< of the joint in the parent's frame there [m]
  Mat3 offsetRotation = Mat3::Identity();
  LinkJoint joint;
  std::optional<RigidBody> rigid;  ///< otherwise soft
  std::vector<SoftDivision> soft;  ///< one after another
  std::optional<LinkFluid> fluid;
  Look look;
  std::string pointer;

  double length() const {
    if (rigid) return rigid->length;
    double sum = 0;
    for (const SoftDivision& d : soft) sum += d.length;
    return sum;
  }
};

/// A tendon or pneumatic chamber: a path of constant tension through the cross-sections of links.
struct Cable {
  enum class Path { constant, oblique, helical, custom };
  std::string name;
  std::vector<int> links;  ///< in the order of its path, indices in its linkage
  int firstDivision = 0;   ///< of its first link, where it begins
  int lastDivision = -1;   ///< of its last link, where it ends; -1: the last one
  Path path = Path::constant;
  std::array<formula::Number, 2> from, to;  ///< y, z [m]: constant (from), oblique
  formula::Number radius, pitch,
      phase;             ///< helical [m], [m per turn], [rad]: (radius cos a, radius sin a), a = phase + 2 pi s / pitch
  formula::Number y, z;  ///< custom [m]: fields of s and u over the whole cable
  bool outside = false;  ///< straight from the start section of each link to its end section
  formula::Number tension;  ///< [N] timed; positive pulls
  Look look;
  std::string pointer;

  /// Its divisions of the k-th of its links, which is this one: the first, and one past the last; of a rigid link 0, 0.
  std::array<std::size_t, 2> divisionsOf(std::size_t k, const Link& link) const {
    const bool ends = k + 1 == links.size() && lastDivision >= 0;
    return {k == 0 ? std::size_t(firstDivision) : 0, ends ? std::size_t(lastDivision) + 1 : link.soft.size()};
  }
  /// Of its k-th link, the length that it runs over [m].
  double lengthIn(std::size_t k, const Link& link) const {
    if (link.rigid) return link.length();
    double sum = 0;
    const auto [first, end] = divisionsOf(k, link);
    for (std::size_t d = first; d < end; ++d) sum += link.soft[d].length;
    return sum;
  }
};

/// A joint that closes a chain: the joint frame is `from`'s frame at its position, displaced by the offset; `to`'s
/// frame at its position may differ from it only by the joint's motion. Not driven, no spring.
struct LinkLoop {
  int from = -1, to = -1;  ///< link numbers; -1: the base
  double fromAt = 1, toAt = 1;
  Vec3 offset = Vec3::Zero();  ///< of the joint, in `from`'s frame [m]
  Mat3 offsetRotation = Mat3::Identity();
  LinkJoint joint;
  std::string pointer;
};

struct Linkage {
  std::string name;
  Vec3 position = Vec3::Zero();      ///< of the base [m]
  Mat3 rotation = Mat3::Identity();  ///< of the base: columns x (forward), y, z (toward up)
  std::vector<Link> links;
  std::vector<Cable> cables;
  std::vector<LinkLoop> loops;
  Look look;
  std::string pointer;
};

}  // namespace tendril::scene
