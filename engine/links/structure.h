// A linkage of a scene as steps of a chain: which step and which coordinates belong to which link, and what hangs on
// them. Built once from the scene; live parameters build it again.
#pragma once

#include <vector>

#include "links/builder.h"
#include "links/contact/contact.h"
#include "links/forces/fluid.h"
#include "links/forces/force_fields.h"
#include "scene/scene.h"
#include "scene/section_geometry.h"

namespace tendril::links {

/// A link in the chain.
struct BuiltLink {
  int linkage = 0, link = 0;
  geometry::Pose offset;               ///< of its joint from `parent`, without what the joint has turned
  std::vector<int> joint;              ///< steps of its joint; a universal, a planar and a free joint have two
  int jointFirst = 0, jointCount = 0;  ///< its joint's coordinates
  bool onGroup = false;                ///< planar, spherical, free: coordinates count from the last accepted state
  JointColumns base;                   ///< of these: how each coordinate turns and moves
  std::vector<int> softs;              ///< soft bodies, numbers of the builder
  std::vector<double> starts;          ///< arc length where each begins [m]
  int tip = 0;                         ///< step of its tip
  int firstStep = 0, lastStep = 0;
  int first = 0, count = 0;  ///< all its coordinates, joint first
  int mass = -1;             ///< rigid: index of its inertia

  int start() const { return joint.back(); }  ///< step of the frame after the joint
};

/// A place on a link as part of the chain: a frame, and what leads to it where it is not the end of a step.
struct ChainPlace {
  int step = 0;           ///< the end before it
  geometry::Pose offset;  ///< rigid: from there
  const SoftSegment* soft = nullptr;
  double X = 0;  ///< soft: where
};

struct Structure {
  Structure(const scene::Scene& scene, int linkage);

  Builder builder;
  int linkage = 0;  ///< its number in the scene, as places have it
  std::vector<BuiltLink> links;
  double scale = 1;  ///< longest way from the base to a tip [m]
  /// A quadrature point of a soft link.
  struct Piece {
    int soft = 0, point = 0;  ///< the soft body, a number of the builder, and which of its points
    double s = 0, u = 0;      ///< along the link, as formulas see them
    double n = 0;             ///< how many the link has
    bool first = false;       ///< of these
    const TendonPoint& in(const Builder& b) const { return b.soft(soft).points[static_cast<std::size_t>(point)]; }
    int step(const Builder& b) const { return b.mass(b.soft(soft).masses[static_cast<std::size_t>(point)]).step; }
  };
  struct PlacedLoad {
    const scene::Load* load = nullptr;
    bool extra = false;         ///< of the equilibrium solve only
    std::vector<int> steps;     ///< per place on this linkage
    std::vector<int> masses;    ///< the same for masses hung on: indices of System::masses
    std::vector<Piece> pieces;  ///< of the links along which it acts
  };
  std::vector<PlacedLoad> loads;  ///< those that act here, in the order of the scene
  /// A soft link whose stress-free strains actuation gives.
  struct Actuated {
    std::vector<Piece> pieces;
    std::vector<const scene::Actuation*> by;  ///< in the order of the scene: the last one counts
  };
  std::vector<Actuated> actuated;
  std::vector<ClosureRow> closures;  ///< of all loops
  struct Loop {
    int index = 0;
    int a = 0, b = 0;  ///< steps of both frames
    int screw = -1;    ///< helical: the step of its own, whose coordinate is no body's
  };
  std::vector<Loop> loops;
  struct Wire {
    int cable = 0;
    Tendon tendon;
    double rigid = 0;             ///< length that never changes [m]
    std::vector<ChainPlace> way;  ///< drawn polyline: places and points of their sections
    std::vector<Vec3> points;
  };
  std::vector<Wire> wires;

  Skin skin;  ///< with points close enough for each obstacle
  std::vector<FluidPoint> fluidPoints;

  const BuiltLink& at(const scene::LinkRef& ref) const { return links[static_cast<std::size_t>(ref.link)]; }
  ChainPlace place(const scene::Scene& scene, const scene::LinkRef& ref) const;
  std::vector<Piece> piecesOf(int link) const;  ///< none of a rigid one
  /// Of the loads that are formulas of their point.
  std::vector<ForceFields::Field> fields(const scene::Scene& scene) const;
  /// A step that ends there; added to the chain where there is none.
  int stepAt(const scene::Scene& scene, const scene::LinkRef& ref);

 private:
  void addLink(const scene::Scene& scene, int link);
  void addLoads(const scene::Scene& scene);
  void addActuation(const scene::Scene& scene);
  void addJoint(const scene::Scene& scene, BuiltLink& built, int parent);
  void addRigid(const scene::Scene& scene, BuiltLink& built);
  void addSofts(const scene::Scene& scene, BuiltLink& built);
  void addLoops(const scene::Scene& scene);
  void addCable(const scene::Scene& scene, int cable);
  void addSkin(const scene::Scene& scene);
  struct Touched;
  class Toucher;
  static int aroundStart(const scene::Link& parent, const Touched& before, const scene::Link& l, double radius);
  std::vector<Skin::Group> contactGroups(const scene::Scene& scene) const;
  /// Radius of a link's contact points [m]; infinite where it has none.
  double thinnest(int link, int group) const;
  /// The smallest of the contact points, without those that are next to nothing beside others of their link; where none
  /// has any, a hundredth of the linkage's length [m].
  double contactRadius(int group) const;
  /// By kind of contact point [N/m]: of soft links E r of the softest, of rigid ones what bears the weight of all and
  /// what an impact can be resolved with.
  std::vector<double> contactStiffness(const scene::Scene& scene, int group) const;
  void addFluidPoints(const scene::Scene& scene, const BuiltLink& built);
};

/// Section of a link at arc length s [m] of its body or division of `length` [m].
scene::SectionGeometry sectionAt(const scene::Scene& scene, const scene::Section& section, double s, double length);

/// Pose and velocity at a place, from the frames of the steps at q, v.
struct PlaceState {
  geometry::Pose pose;
  geometry::Vec6 velocity = geometry::Vec6::Zero();  ///< body frame
};
PlaceState stateAt(const ChainPlace& place, const std::vector<ChainFrame>& frames, const VectorX& q, const VectorX& v);

}  // namespace tendril::links
