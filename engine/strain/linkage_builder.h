// Links put together: joints, rigid bodies and soft bodies become the steps of a chain with inertia, stiffness and
// damping of their coordinates (S, secs. 2 and 3; angular strain coordinates are angles, linear ones plain strains).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "strain/basis.h"
#include "strain/linkage_system.h"

namespace tendril {

/// Of a rod's cross-section: x along the rod, moments of area about its own axes.
struct RodSection {
  double area = 0;                ///< [m^2]
  double Jx = 0, Jy = 0, Jz = 0;  ///< [m^4]
};
RodSection circularSection(double radius);
/// Height along y, width along z.
RodSection rectangularSection(double height, double width);
/// Half-axes along y and z.
RodSection ellipticSection(double a, double b);

struct SoftBody {
  double length = 1;                                     ///< [m]
  double youngs = 0, shear = 0, density = 0, viscosity = 0;  ///< [Pa], [Pa], [kg/m^3], [Pa s]
  std::function<RodSection(double X)> section;           ///< X = s / length
  std::function<Vec6(double X)> reference;               ///< natural strain; empty: (0, 0, 0, 1, 0, 0)
  struct Mode {
    int component = 0;  ///< twist, bendY, bendZ, stretch, shearY, shearZ: 0..5
    int order = 0;
  };
  std::vector<Mode> strains;
  StrainBasis basis = StrainBasis::legendre;
  int points = 5;    ///< Gauss points; raised to the highest order + 1
  int magnus = 4;    ///< order of the steps between points
  int substeps = 1;  ///< per interval
};

class LinkageBuilder {
 public:
  explicit LinkageBuilder(const Pose& base = {}) : base_(base) {}

  /// A joint whose motion is exp(base q), after `offset` from the end `parent` (-1: the base). Returns its end.
  int addJoint(int parent, const Pose& offset, const Columns& base);
  /// A rigid body fixed to an end: inertia [kg m^2, kg] about `parent`'s frame moved by `center`. Returns the end of
  /// `tip`, seen from the same frame.
  int addRigid(int parent, const Pose& center, const Mat6& inertiaAtCenter, const Pose& tip);
  /// A soft body from an end on. Returns its tip's end.
  int addSoft(int parent, const Pose& offset, const SoftBody& body);

  /// A tendon inside the soft bodies added so far, in the order of `bodies` (0: the first): `path` gives the offset in the
  /// section and its slope at the arc length s [m] from the start of the first of them.
  struct Path {
    Vec3 offset, slope;
  };
  Tendon tendon(const std::vector<int>& bodies, const std::function<Path(double s)>& path) const;

  LinkageSystem build(double scale);

 private:
  int fixedTo(int parent, const Pose& offset);

  Pose base_;
  std::vector<ChainStep> steps_;
  std::vector<MassPoint> masses_;
  struct Block {
    int first;
    Eigen::MatrixXd stiffness, damping;
  };
  std::vector<Block> blocks_;
  struct Soft {
    double length;
    std::vector<TendonPoint> points;  // without their tendon
    std::vector<double> places;       // arc lengths within the body [m]
  };
  std::vector<Soft> softs_;
  int coordinates_ = 0;
};

}  // namespace tendril
