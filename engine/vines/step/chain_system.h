// The equality-constrained step of the chain as one band matrix: mass, springs and dampers, and the rows of pins,
// slides and growth. Each row follows the last body that it touches, so that every leading part of the matrix is itself
// such a system, of full row rank: LDL^T exists without pivoting, and its half-bandwidth is 10 at any length.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "solve/band_ldlt.h"
#include "solve/programs/quadratic_program.h"
#include "vines/chain.h"

namespace tendril::vines {

/// A force at a point of a pair, `along` [m] from its start, and a spring that pulls the point to a target.
struct Pull {
  int pair = 0;
  double along = 0;
  Vec2 force = Vec2::Zero();   ///< [N]
  Vec2 target = Vec2::Zero();  ///< [m]
  double stiffness = 0;        ///< [N/m]
};

/// What acts on a body by where it is and how it moves: force and moment [N], [N m], and minus their derivatives by
/// (x, y, theta) and by the rates of these.
struct BodySlopes {
  Vec3 force = Vec3::Zero();
  Mat3 stiffness = Mat3::Zero(), damping = Mat3::Zero();
};

/// The part of a matrix by a body's (x, y, theta) that may enter the program: symmetric and without negative
/// eigenvalues, where `mass` and `inertia` measure motions.
Mat3 implicitPart(const Mat3& m, double mass, double inertia);

/// Loads and drives on the chain during a step. Pins beyond the end of a span have no moment and are straight.
struct Actuation {
  double growth = 0;                ///< of the whole length [m/s]; negative retracts
  std::span<const double> moments;  ///< at each pin [N m], turning what follows to the left; empty: none
  Vec2 gravity = Vec2::Zero();      ///< [m/s^2]
  std::span<const Pull> pulls;
  std::span<const BodySlopes> fields;  ///< on each body; empty: none
  std::span<const double> curvature;   ///< natural, at each pin [1/m], positive to the left; empty: straight
};

/// How a pair grows when growth yields to a load.
enum class GrowthLock : char {
  yields,   ///< slowed by the load
  stalled,  ///< not at all: the load is above the stall force
  fed,      ///< at the prescribed rate: the load pulls, but material is fed no faster
  letGo     ///< yields to any load within this step: no solution was found with the pair stalled
};

/// K = [[H, J^T], [J, -D]] at the step's start, with unknowns v and minus the impulses of the rows, pair by pair: first
/// body 3, pin 2, second body 3, slide 2, growth 1.
/// H = M + T^T (dt C + dt^2 K) T  (implicit springs; T the relative angles at the pins), else M; + dt^2 k P^T P of
/// pulls; + dt C+ + dt^2 K+ of fields, the implicit parts of their C and K
/// f = M v_k - dt T^T (K (T q_k - natural) - moments) [- dt T^T C T v_k with explicit springs] + dt (F(q_k, v_k) + C+
/// v_k) of fields
class ChainSystem final : public solve::EqualitySystem {
 public:
  static constexpr int perPair = 11;
  /// Index of a body's x in the unknowns; y and theta follow.
  static int bodyAt(int body) { return perPair * (body / 2) + (body % 2 != 0 ? 5 : 0); }
  static int growthAt(int pair) { return perPair * pair + 10; }

  /// Assembles matrix and right-hand side for a step of `dt` [s]. `locked`: of each pair, or empty: all yield.
  void assemble(const Chain& chain, const Actuation& actuation, double dt, std::span<const GrowthLock> locked);
  /// False: the factor is not finite.
  bool factor();

  /// Projects positions `q` onto joints and lengths, in the metric of H and with the Jacobians of the step's start: the
  /// linearization error of a step is of second order in its rotation. For the length form of growth; `target`: lengths
  /// to reach. The matrix must be factored. Returns the remaining error [m, rad].
  double project(const Parameters& parameters, std::span<const double> target, std::span<double> q);

  int size() const override { return size_; }
  void solve(std::span<const double> rhs, std::span<double> x, int refine) override;
  double backwardError(std::span<const double> rhs, std::span<const double> x) const override;
  bool weigh(const solve::SparseRows& rows, std::span<const double> weights) override;

  std::span<const double> rhs() const { return rhs_; }
  /// Rate prescribed by growth row `pair` [m/s], and how much it slows per impulse [m/s / (N s)].
  double growthRate(int pair) const { return rate_[pair]; }
  double growthCompliance(int pair) const { return compliance_[pair]; }
  /// Retraction was prescribed, and no pair can become shorter.
  bool retracted() const { return retracted_; }
  double massOf(int body) const { return mass_[body]; }
  double inertiaOf(int body) const { return inertia_[body]; }
  /// Matrix entry, for tests.
  double entry(int row, int col) const;

 private:
  void resize(int pairs);
  double& at(int row, int col);
  void addBodies(const Chain& chain);
  void addPins(const Chain& chain, const Actuation& actuation, double dt);
  void addPulls(const Chain& chain, const Actuation& actuation, double dt);
  void addFields(const Chain& chain, const Actuation& actuation, double dt);
  void addPinRows(const Chain& chain, int pair, double dt);
  void addSlideRows(const Chain& chain, int pair, double dt);
  void addGrowthRow(const Chain& chain, int pair, double dt);
  void setGrowthLaw(const Chain& chain, double growth, double dt, std::span<const GrowthLock> locked);
  void residual(std::span<const double> rhs, std::span<const double> x, std::span<double> r) const;

  int size_ = 0, pairs_ = 0;
  double halfLength_ = 1;  // of a body [m]
  bool retracted_ = false;
  std::unique_ptr<solve::BandLdlt> band_;
  std::vector<double> plain_;  // the matrix, while the band contains a weighted one
  std::vector<double> rhs_, rate_, compliance_, mass_, inertia_;
  std::vector<double> residual_, correction_, missing_;
  mutable std::vector<double> sizes_, rests_;
};

}  // namespace tendril::vines
