// A model's equations of motion about its accepted state, as matrices: M a + D v + K q = f + B u for small motions q of
// its free unknowns, the feedback of its formulas and what is prescribed held as they are.
#pragma once

#include <Eigen/SparseCore>
#include <stdexcept>
#include <string>
#include <vector>

#include "geometry/types.h"

namespace tendril::model {

using Sparse = Eigen::SparseMatrix<double>;

/// A model, or its present state, has no linear equations; what() says why and what to change.
class NoEquations : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// n unknowns that are free to move, of which r motions satisfy all closed loops.
struct Equations {
  std::vector<std::string> names;  ///< n: "rod:3.x", "rod:3.twist", "arm/limb[2]"
  std::vector<std::string> units;  ///< n: "m", "rad" or "1"
  VectorX reach;                   ///< n: a motion by this much changes the whole shape [unit]
  VectorX values;                  ///< n: of the state [unit]; of joints with several rotations a rotation vector
  VectorX rates, accelerations;    ///< n: of the state [unit/s], [unit/s^2]; in statics 0

  Sparse mass, damping, stiffness;  ///< n x n [N s^2/m], [N s/m], [N/m], or with moments and angles in place of these
  bool potential = true;            ///< the forces behind the stiffness have one: it is symmetric but for round-off
  VectorX forces;  ///< n: f, what acts beyond equilibrium at these rates without acceleration [N], [N m]

  /// n x r: unknowns by the motions that loops and joints allow; the identity without. Columns flagged in `massless`
  /// have M column = 0, all others a positive definite mass.
  Sparse motions;
  std::vector<std::string> motionNames;  ///< r
  std::vector<char> massless;            ///< r

  std::vector<std::string> inputs;  ///< actuators of the model's own: tensions [N], efforts of joints [N m], [N]
  std::vector<char> used;           ///< the scene gives the actuator a value
  Sparse actuation;                 ///< n x inputs

  std::vector<std::string> omitted;  ///< what acts and is not in the matrices, in words

  int size() const { return static_cast<int>(names.size()); }
  int freedoms() const { return static_cast<int>(motions.cols()); }
};

/// Largest difference of a matrix from its mirror image, by its largest entry.
double skewness(const Sparse& m);
/// Up to there it is round-off.
constexpr double skewByRounding = 1e-9;

/// A state near the accepted one, by the free unknowns of its Equations.
struct Nearby {
  VectorX move, rates, accelerations;  ///< n: displacements from the accepted state; whole rates and accelerations
  VectorX inputs = {};                 ///< beyond what the scene gives to Equations::inputs; empty: nothing
};

/// Where a place is and how it moves.
struct PlaceMotion {
  Vec3 position = Vec3::Zero();                       ///< [m]
  bool turns = true;                                  ///< a frame goes with it; vertices of shells have none
  Mat3 frame = Mat3::Identity();                      ///< columns: d1, d2 and the tangent of a rod; x, y, z of a link
  Vec3 velocity = Vec3::Zero(), spin = Vec3::Zero();  ///< [m/s], [rad/s] in the world
  Sparse jacobian;  ///< 6 x n, or 3 x n without a frame: velocity, then spin, by rates of the free unknowns
};

}  // namespace tendril::model
