// Links put together: joints, rigid bodies and soft bodies become the steps of a chain with inertia, stiffness and
// damping of their coordinates (S, secs. 2 and 3; angular strain coordinates are angles, linear ones plain strains).
#pragma once

#include <functional>
#include <vector>

#include "geometry/strain_basis.h"
#include "links/system/system.h"

namespace tendril::links {

/// Of a rod's cross-section: x along the rod, moments of area about its own axes.
struct RodSection {
  double area = 0;                ///< [m^2]
  double Jx = 0, Jy = 0, Jz = 0;  ///< [m^4]
  double torsion = 0;             ///< torsion constant [m^4]
};
RodSection circularSection(double radius);

/// Per length, by strain component (twist, bendY, bendZ, stretch, shearY, shearZ).
struct SectionLaw {
  geometry::Vec6 inertia = geometry::Vec6::Zero();    ///< [kg m] x3, [kg/m] x3
  geometry::Vec6 stiffness = geometry::Vec6::Zero();  ///< [N m^2] x3, [N] x3
  geometry::Vec6 viscosity = geometry::Vec6::Zero();  ///< [N m^2 s] x3, [N s] x3
};
/// Isotropic: diag(G Jt, E Jy, E Jz, E A, G A, G A), viscosity eta diag(Jt, 3 Jy, 3 Jz, 3 A, A, A). [Pa], [kg/m^3], [Pa
/// s]
SectionLaw sectionLaw(const RodSection& section, double youngs, double shear, double density, double viscosity);

struct SoftBody {
  double length = 1;                                  ///< [m]
  std::function<SectionLaw(double X)> law;            ///< X = s / length
  std::function<geometry::Vec6(double X)> reference;  ///< natural strain; empty: (0, 0, 0, 1, 0, 0)
  struct Mode {
    int component = 0;  ///< 0..5
    int order = 0;
  };
  std::vector<Mode> strains;
  geometry::StrainBasis basis = geometry::StrainBasis::legendre;
  int points = 5;    ///< Gauss points; fem, hermite: shared evenly by the elements, at least two each
  int magnus = 4;    ///< order of the steps between points
  int substeps = 1;  ///< per interval
};

/// A soft body in the chain.
struct SoftSegment {
  SoftBody body;
  int first = 0;                          ///< its coordinates
  std::vector<int> modes;                 ///< component of each
  std::vector<double> at;                 ///< X where a step ends, from 0 (the body's start)
  std::vector<int> step;                  ///< the step that ends there; of X = 0 what it hangs on
  geometry::Pose offset;                  ///< of its start, seen from that
  std::vector<TendonPoint> points;        ///< quadrature, without a tendon's place in them
  std::vector<double> places;             ///< X of those
  std::vector<geometry::Vec6> stiffness;  ///< of the sections there, as in SectionLaw
  std::vector<int> masses;                ///< of those, into System::masses

  /// Values of its coordinates' functions at X, angular ones per length.
  std::vector<double> values(double X) const;
  geometry::Vec6 reference(double X) const;
  geometry::Vec6 strain(double X, const VectorX& q) const;
  /// The step from the last end before X to X: another leaf of the chain, or to be looked at only.
  ChainStep stepTo(double X) const;
};

class Builder {
 public:
  explicit Builder(const geometry::Pose& base = {}) : base_(base) {}

  /// A joint whose motion is exp(base q), after `offset` from the end `parent` (-1: the base). Returns its end.
  int addJoint(int parent, const geometry::Pose& offset, const Columns& base);
  /// A joint of several rotations: its columns that move do so first, in directions that do not turn with the others.
  /// Both are steps with the coordinates of all columns. Returns their ends.
  std::vector<int> addGroup(int parent, const geometry::Pose& offset, const Columns& base);
  /// An end at a fixed place from another.
  int addFixed(int parent, const geometry::Pose& offset) { return addJoint(parent, offset, Columns::Zero(6, 0)); }
  /// A step as it is.
  int addStep(const ChainStep& step);
  /// Inertia in an end's frame [kg m^2 .. kg]. Returns its index into System::masses.
  int addMass(int step, const geometry::Mat6& inertia);
  /// A soft body from an end on. Returns its number.
  int addSoft(int parent, const geometry::Pose& offset, const SoftBody& body);
  const SoftSegment& soft(int number) const { return softs_[static_cast<std::size_t>(number)]; }
  const ChainStep& step(int number) const { return steps_[static_cast<std::size_t>(number)]; }
  int masses() const { return static_cast<int>(masses_.size()); }
  const MassPoint& mass(int index) const { return masses_[static_cast<std::size_t>(index)]; }
  MassPoint& mass(int index) { return masses_[static_cast<std::size_t>(index)]; }
  int tipOf(int number) const { return soft(number).step.back(); }
  int coordinates() const { return coordinates_; }
  int steps() const { return static_cast<int>(steps_.size()); }

  struct Path {
    Vec3 offset, slope;  ///< in the section [m], and by arc length
  };
  /// The points of a tendon inside the soft bodies, in the order given: `path` at the arc length s [m] from the start
  /// of the first of them.
  Tendon tendon(const std::vector<int>& bodies, const std::function<Path(double s)>& path) const;

  System build(double scale) const;

 private:
  geometry::Pose base_;
  std::vector<ChainStep> steps_;
  std::vector<MassPoint> masses_;
  struct Block {
    int first;
    Eigen::MatrixXd stiffness, damping;
  };
  std::vector<Block> blocks_;
  std::vector<SoftSegment> softs_;
  int coordinates_ = 0;
};

}  // namespace tendril::links
