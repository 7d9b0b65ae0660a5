// A linkage as a mechanical system r(q, v, a) = M(q) a + h(q, v) + K q + D v - F(q): a chain with inertia at its points,
// elastic coordinates, gravity and wrenches, and its exact tangent for the one Newton (S, eqs. 26-32).
#pragma once

#include <memory>
#include <vector>

#include "strain/chain.h"

namespace tendril {

/// Inertia at the end of a chain step, body frame: a rigid body's, or what a quadrature point of a rod stands for.
struct MassPoint {
  int step = 0;
  Mat6 inertia = Mat6::Zero();  ///< [kg m^2 .. kg]
  double weight = 1;            ///< share of gravity that buoyancy leaves
};

/// A wrench (moment; force) at the end of a chain step.
struct PointWrench {
  int step = 0;
  Vec6 wrench = Vec6::Zero();  ///< [N m, N]
  bool world = false;          ///< directions are the world's; else the body's (follower)
};

/// Where a tendon runs inside a soft body, at one quadrature point: its length there is weight * |k x d + p + d'| with
/// (k, p) the strain, d the offset in the section and d' its slope (S, eq. 20).
struct TendonPoint {
  double weight = 0;  ///< [m]
  int first = 0;      ///< first coordinate of the body
  std::vector<int> modes;
  std::vector<double> values;  ///< of its coordinates there
  Vec6 reference = Vec6::Zero();
  Vec3 offset = Vec3::Zero(), slope = Vec3::Zero();  ///< [m], [1]
};

struct Tendon {
  double tension = 0;  ///< [N]; negative pushes
  std::vector<TendonPoint> points;
};

class LinkageSystem final : public MechanicalSystem {
 public:
  /// `stiffness`, `damping`: of the coordinates, size x size. `scale`: length of the linkage [m].
  LinkageSystem(Chain chain, std::vector<MassPoint> masses, Eigen::MatrixXd stiffness, Eigen::MatrixXd damping,
                double scale);
  LinkageSystem(LinkageSystem&&) noexcept;
  ~LinkageSystem() override;

  Vec3 gravity = Vec3::Zero();         ///< [m/s^2]
  std::vector<PointWrench> wrenches;
  std::vector<Tendon> tendons;
  VectorX force;                       ///< generalized force of motors [N m, N]; zero at construction

  Chain& chain() { return chain_; }

  int size() const override { return chain_.size(); }
  void retract(const VectorX& q0, const VectorX& dq, double factor, VectorX& q) const override { q = q0 + factor * dq; }
  Evaluation evaluate(const Motion& motion, const Rates& rates, Level level, VectorX& r) override;
  Factorisation factor(double shift) override;
  void solve(const VectorX& rhs, VectorX& x) override;
  double residualNorm(const VectorX& r) const override { return r.norm() / scale_; }
  double updateNorm(const VectorX& dq) const override { return scale_ * dq.cwiseAbs().maxCoeff(); }
  double extent() const override { return scale_; }

  /// Length [m] of a tendon and its derivative by the coordinates (size() entries).
  double tendonLength(const Tendon& tendon, const VectorX& q, VectorX& slope) const;

  struct Energies {
    double kinetic = 0, gravity = 0, elastic = 0;  ///< [J]; gravity: 0 at the world's origin
    double total() const { return kinetic + gravity + elastic; }
  };
  Energies energies(const VectorX& q, const VectorX& v);

 private:
  Chain chain_;
  std::vector<MassPoint> masses_;
  Eigen::MatrixXd stiffness_, damping_, tangent_;
  double scale_;
  std::vector<ChainWrench> work_;
  VectorX zero_;
  struct Factor;  // of the dense, unsymmetric tangent
  std::unique_ptr<Factor> factor_;
};

}  // namespace tendril
