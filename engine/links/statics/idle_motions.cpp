// Idle motions: a coupler between two ball joints, or what hangs on one, spins about its line, and nothing else moves.
// What neither opens loops nor stores or takes energy has no say in an equilibrium: statics keeps still along it.
#include <algorithm>
#include <cmath>
#include <vector>

#include "links/definiteness.h"
#include "links/statics/idle_motions.h"
#include "solve/allowed_motions.h"

namespace tendril::links {
namespace {

constexpr double idleDisplacement = 0.3;  // [rad, or of the size] on which a motion must stay idle
constexpr double idleMost =
    1e-5;  // [rad, or of the size] that springs against idle motions yield, by Newton's tolerance

// Rows of what must not move, by coordinates in their units and lengths in the chain's.
class Unmoved {
 public:
  explicit Unmoved(System& system) : system_(system), n_(system.coordinates()) {}

  void coordinate(int i) {
    VectorX row = VectorX::Zero(n_);
    row[i] = 1;
    rows_.push_back(row);
  }
  void coordinates(const ChainStep& step) {
    for (int i = step.first; i < step.first + step.coordinates(); ++i) coordinate(i);
  }
  void place(int step, const Vec3& local) {
    system_.chain().jacobian(step, columns_);
    for (int k = 0; k < 3; ++k) {
      const VectorX turns = (-geometry::skew(local) * columns_.topRows<3>()).row(k), moves = columns_.row(3 + k);
      rows_.push_back((turns + moves).cwiseProduct(system_.units().head(n_)) / system_.scale());
    }
  }
  void frame(int step) {
    place(step, Vec3::Zero());
    for (int k = 0; k < 3; ++k) rows_.push_back(columns_.row(k).transpose().cwiseProduct(system_.units().head(n_)));
  }
  void loops(const VectorX& q) {
    VectorX gaps;
    Eigen::MatrixXd all;
    system_.closureGaps(q, gaps, &all);
    for (int r = 0; r < all.rows(); ++r)
      rows_.push_back(all.row(r).transpose().cwiseProduct(system_.units().head(n_)) / system_.scale());
  }

  Eigen::MatrixXd matrix() const {
    Eigen::MatrixXd out(static_cast<int>(rows_.size()), n_);
    for (std::size_t r = 0; r < rows_.size(); ++r) out.row(static_cast<int>(r)) = rows_[r];
    return out;
  }

 private:
  System& system_;
  int n_;
  Columns columns_;
  std::vector<VectorX> rows_;
};

}  // namespace

// Motions at q, one per column, across each other and of unit length in the system's units: to first order they keep
// all loops closed, and of what stores energy or is loaded they move nothing, each for itself: springs, tendons, masses
// that gravity pulls at, points of loads and of contact.
Eigen::MatrixXd IdleMotions::at(const VectorX& q) const {
  const int n = state_.system->coordinates();
  // Of open chains only balls spin so: other joints that nothing holds are reported as they are.
  const bool spins = !state_.system->closures().empty() || !state_.system->springs.empty();
  if (!spins || !state_.fluid->empty() || state_.pointer.active) return Eigen::MatrixXd::Zero(n, 0);
  const std::vector<ChainStep>& steps = state_.system->chain().steps();
  Unmoved kept(*state_.system);
  kept.loops(q);  // and with them frames and columns
  for (int i = 0; i < n; ++i) {
    if (state_.system->force[i] != 0 || !state_.system->stiffness().row(i).isZero(0)) kept.coordinate(i);
  }
  for (const PoseSpring& s : state_.system->springs) {
    if (s.rotation > 0 || s.translation > 0 || !s.effort.isZero(0))
      kept.coordinates(steps[static_cast<std::size_t>(s.step)]);
  }
  for (const MassPoint& m : state_.system->masses()) {
    if (!(m.weight * m.inertia(3, 3) != 0) || state_.system->gravity.isZero(0)) continue;
    const Mat3 arm = m.inertia.topRightCorner<3, 3>() / m.inertia(3, 3);
    kept.place(m.step, Vec3(arm(2, 1), arm(0, 2), arm(1, 0)));
  }
  for (const PointWrench& w : state_.system->wrenches) {
    if (w.world && w.wrench.head<3>().isZero(0)) {
      kept.place(w.step, Vec3::Zero());
    } else {
      kept.frame(w.step);
    }
  }
  for (const Tendon& t : state_.system->tendons) {
    for (const TendonSpan& s : t.spans) kept.frame(s.a), kept.frame(s.b);
  }
  for (const ContactPoint& p : state_.contact->points()) kept.place(p.step, p.local);
  std::vector<int> free;
  for (int i = 0; i < n; ++i) {
    if (!state_.system->held[static_cast<std::size_t>(i)]) free.push_back(i);
  }
  Eigen::MatrixXd z = solve::allowedMotions(kept.matrix(), free, n);
  for (int c = 0; c < z.cols(); ++c) {
    for (int k = 0; k < 2 * c; ++k) z.col(c) -= z.col(k % c).dot(z.col(c)) * z.col(k % c).eval();
    z.col(c).normalize();
  }
  return z;
}

// Idle motions from x on are kept from the static solve: springs hold them there. Forces do no work along them, so
// these springs bear nothing where all is in balance, and any of the equilibria along them is as good as the one so
// found.
void IdleMotions::rest(const VectorX& x) {
  const int n = state_.system->coordinates();
  state_.system->idle = at(x);
  // Of a position that is singular, as a dead point, first order is not the whole story. Of an open chain, where bodies
  // may spin as they are many, all at once.
  const bool each = !state_.system->closures().empty();
  const VectorX all =
      state_.system->idle.rowwise().sum() / std::sqrt(std::max(1.0, static_cast<double>(state_.system->idle.cols())));
  for (int c = 0; c < (each ? state_.system->idle.cols() : std::min<Eigen::Index>(1, state_.system->idle.cols()));
       ++c) {
    VectorX moved = x;
    moved.head(n) += idleDisplacement *
                     state_.system->units().head(n).cwiseProduct(each ? VectorX(state_.system->idle.col(c)) : all);
    if (!loops_.assemble(moved) || at(moved).cols() != state_.system->idle.cols()) state_.system->idle.resize(n, 0);
  }
  state_.system->idle = state_.system->units().head(n).cwiseInverse().asDiagonal() * state_.system->idle;
  state_.system->idleFrom = x.head(n);
  state_.framesFresh = false;
}

void IdleMotions::release() { state_.system->idle.resize(state_.system->coordinates(), 0); }

// One of those that are kept, its largest entry 1 in the system's units.
VectorX IdleMotions::motion() const {
  const auto units = state_.system->units().head(state_.system->coordinates());
  const VectorX z = units.cwiseProduct(state_.system->idle.col(0));
  return units.cwiseProduct(z) / z.cwiseAbs().maxCoeff();
}

// Whether springs that hold idle motions bear something at x: then these were not idle.
bool IdleMotions::bears(const VectorX& x) const {
  if (state_.system->idle.cols() == 0) return false;
  return (state_.system->idle.transpose() * (x.head(state_.system->coordinates()) - state_.system->idleFrom))
             .cwiseAbs()
             .maxCoeff() > idleMost;
}

}  // namespace tendril::links
