// Shells whose hinges open from the start: the velocity of what follows natural angles that change, with nothing but
// the elastic energy to say how (theory.md, Hinges that open from the start).
#include "rods_shells/hinge_rates.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>

#include <algorithm>
#include <cmath>

#include "model/model.h"
#include "rods_shells/shell_fields.h"

namespace tendril::rods_shells {
namespace {

/// Rigid motions of a part that its supports let it make, as columns over its unknowns, each as large as moves nodes by
/// about 1 [m/s].
Eigen::MatrixXd freeMotions(const Structure& s, const PartElements& part, const std::vector<int>& nodeOf,
                            const std::vector<char>& held) {
  const auto at = [&](int dof) { return s.nodes[static_cast<std::size_t>(nodeOf[static_cast<std::size_t>(dof)])]; };
  Vec3 middle = Vec3::Zero();
  for (const int d : part.nodeDofs) middle += at(d) / static_cast<double>(part.nodeDofs.size());
  Eigen::MatrixXd motions = Eigen::MatrixXd::Zero(s.size, 6), there = motions;
  for (const int d : part.nodeDofs) {
    motions.block<3, 3>(d, 0).setIdentity();
    motions.block<3, 3>(d, 3) = geometry::skew(Vec3((middle - at(d)) / part.extent));
  }
  for (const int i : part.edges) {
    const Edge& e = s.edges[static_cast<std::size_t>(i)];
    motions.block<1, 3>(e.theta, 3) = e.initial.transpose() / (e.initial.norm() * part.extent);
  }
  for (const int i : part.welds)
    motions.block<3, 3>(s.welds[static_cast<std::size_t>(i)].turn, 3) = Mat3::Identity() / part.extent;
  for (int i = 0; i < s.size; ++i) {
    if (held[static_cast<std::size_t>(i)]) there.row(i) = motions.row(i);
  }
  for (const int i : part.edges) there.row(s.edges[static_cast<std::size_t>(i)].theta) *= part.extent;
  for (const int i : part.welds) there.middleRows<3>(s.welds[static_cast<std::size_t>(i)].turn) *= part.extent;
  // What is left of six motions where supports hold none of it.
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(there);
  qr.setThreshold(1e-9);
  const Eigen::Index rank = there.isZero(0) ? 0 : qr.rank(), left = 6 - rank;
  Eigen::MatrixXd mix = Eigen::MatrixXd::Zero(6, left);
  mix.bottomRows(left).setIdentity();
  if (rank > 0 && left > 0) {
    const Eigen::MatrixXd r = qr.matrixR().topRows(rank);
    mix.topRows(rank) = -r.leftCols(rank).triangularView<Eigen::Upper>().solve(r.rightCols(left));
    mix = qr.colsPermutation() * mix;
  }
  Eigen::MatrixXd out = motions * mix;
  for (int i = 0; i < s.size; ++i) {
    if (held[static_cast<std::size_t>(i)]) out.row(i).setZero();
  }
  return out;
}

}  // namespace

std::vector<double> initialHingeRates(const Structure& structure, const scene::Scene& scene) {
  std::vector<double> rates;
  for (const scene::Initial& initial : scene.initial) {
    if (initial.hingeRate.empty()) continue;
    rates.resize(structure.shell.edges.size(), 0.0);
    const HingeFields fields = hingeFields(structure, scene, initial.nodes);
    for (std::size_t k = 0; k < fields.hinges.size(); ++k) {
      const std::size_t entry = std::min(k, initial.hingeRate.size() - 1);
      try {
        rates[static_cast<std::size_t>(fields.hinges[k])] = initial.hingeRate[entry](fields.inputs[k]);
      } catch (const formula::Failure&) {
        throw model::BuildError(initial.pointer + "/hingeRate", "the formula gives no finite number at hinge " +
                                                                    std::to_string(k) + " of the selected ones");
      }
    }
  }
  return rates;
}

// K v = B, with the stiffness K of the elastic energy alone, as if the initial shape were free of stress, and B the
// pull of natural angles that have changed by their rates. Both are exact: the forces are linear in natural angles, and
// without stress K is that of the strains' metric. Supports hold still. K + sigma M, with sigma far below what bends,
// is the preconditioner of conjugate gradients on K, which is singular where something is free to move.
void System::followHinges(const VectorX& q, const std::vector<double>& rates, const std::string& pointer, VectorX& v) {
  const Structure& s = structure_;
  double largest = 0;
  for (const double rate : rates) largest = std::max(largest, std::abs(rate));
  if (largest == 0) return;
  Strains strains;
  elasticity_->strains(q, strains);
  Naturals unstressed;
  elasticity_->copyNaturals(unstressed);
  unstressed.springs = strains.bend, unstressed.connectors = strains.connector;
  for (std::size_t i = 0; i < s.edges.size(); ++i) unstressed.edges[i] = s.edges[i].length + strains.elongation[i];
  for (std::size_t i = 0; i < rates.size(); ++i) {
    if (!s.shell.edges[i].isBorder()) unstressed.hinges[i] = s.shell.edges[i].initialAngle;
  }
  Naturals changed = unstressed;
  for (std::size_t i = 0; i < rates.size(); ++i) changed.hinges[i] += rates[i] / largest;

  const std::vector<char>& held = supports_->prescribed();
  const VectorX& mass = loads_->mass();
  const auto gradientOf = [&](Naturals& naturals, solve::Level level) {
    clear(gradient_);
    elasticity_->exchange(naturals);
    elasticity_->evaluate(q, 0, level, gradient_);
    elasticity_->exchange(naturals);
    return VectorX(gradient_.head(s.size));
  };
  for (int p = 0; p < parts_.unknowns.count(); ++p) {
    const std::vector<int>& mine = parts_.unknowns.unknowns[static_cast<std::size_t>(p)];
    enter(p);
    const std::vector<int>& edges = here().shellEdges;
    if (std::none_of(edges.begin(), edges.end(), [&](int i) { return rates[static_cast<std::size_t>(i)] != 0; }))
      continue;
    const auto n = static_cast<Eigen::Index>(mine.size());
    solve::TangentSolver& solver = solver_->part(p);
    solver_->clear(part_);
    const VectorX pull = gradientOf(unstressed, solve::Level::tangent) - gradientOf(changed, solve::Level::residual);
    VectorX b(n), m(n), diagonal(n);
    for (Eigen::Index k = 0; k < n; ++k) {
      const int i = mine[static_cast<std::size_t>(k)], own = static_cast<int>(k);
      const bool free = !held[static_cast<std::size_t>(i)];
      double& entry = solver.values()[static_cast<std::size_t>(solver.offset(own, own))];
      if (!free) entry = 1;
      b[k] = free ? pull[i] : 0, m[k] = free ? mass[i] : 0, diagonal[k] = entry;
    }
    double stiffest = 0;  // [1/s^2]
    for (const int d : here().nodeDofs) {
      const Eigen::Index first = parts_.unknowns.local[static_cast<std::size_t>(d)];
      for (Eigen::Index k = first; k < first + 3; ++k) {
        if (m[k] > 0) stiffest = std::max(stiffest, diagonal[k] / m[k]);
      }
    }
    const auto solved = [&](double sigma) {
      for (int k = 0; k < static_cast<int>(n); ++k)
        solver.values()[static_cast<std::size_t>(solver.offset(k, k))] = diagonal[k] + sigma * m[k];
      if (!solver.factor(0, {}).ok)
        throw model::BuildError(pointer, "the stiffness of a shell with \"hingeRate\" has no factor");
      const auto multiply = [&](const VectorX& x, VectorX& y) {
        solver.multiply({x.data(), static_cast<std::size_t>(n)}, {y.data(), static_cast<std::size_t>(n)});
        y -= sigma * m.cwiseProduct(x);
      };
      // Rigid motions have no stiffness, and what round-off makes of them would be all that is seen of small rests. Of
      // those that hold no unknown, clamps may yet resist some.
      Eigen::MatrixXd motions = stiffest > 0 ? Eigen::MatrixXd(freeMotions(s, here(), nodeOf_, held)(mine, Eigen::all))
                                             : Eigen::MatrixXd(n, 0);
      if (motions.cols() > 0) {
        Eigen::MatrixXd resisted(n, motions.cols());
        VectorX y(n);
        for (Eigen::Index c = 0; c < motions.cols(); ++c) {
          multiply(motions.col(c), y);
          resisted.col(c) = y;
        }
        const Eigen::MatrixXd own = motions.transpose() * resisted,
                              inert = motions.transpose() * m.asDiagonal() * motions;
        const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> each(0.5 * (own + own.transpose()), inert);
        constexpr double rounded = 1e-14;
        Eigen::Index loose = 0;
        while (loose < motions.cols() && each.eigenvalues()[loose] <= rounded * stiffest) ++loose;
        motions = (motions * each.eigenvectors().leftCols(loose)).eval();
      }
      const Eigen::MatrixXd momenta = m.asDiagonal() * motions;
      const Eigen::LDLT<Eigen::MatrixXd> inertia(momenta.transpose() * motions);
      const auto take = [&](const Eigen::MatrixXd& what, const Eigen::MatrixXd& by, VectorX& of) {
        for (int pass = 0; pass < 2 && motions.cols() > 0; ++pass) of -= what * inertia.solve(by.transpose() * of);
      };
      VectorX x = VectorX::Zero(n), r = b, z(n), y(n), d(n);
      double whole = 0;
      // Each round begins with what is really left, which the recursion loses sight of.
      for (int round = 0; round < 3; ++round) {
        if (round > 0) multiply(x, y), r = b - y;
        double before = 0, least = 0;
        for (int pass = 0, best = 0; pass < 100 && pass < best + 4; ++pass) {
          take(momenta, motions, r);
          solver.solve({r.data(), static_cast<std::size_t>(n)}, {z.data(), static_cast<std::size_t>(n)});
          take(motions, momenta, z);
          const double left = r.dot(z);  // its energy
          if (whole == 0) whole = left;
          if (!(left > 1e-30 * whole)) break;
          if (pass == 0 || left < least) least = left, best = pass;
          d = pass == 0 ? z : VectorX(z + (left / before) * d);
          multiply(d, y);
          const double curvature = d.dot(y);
          // Less than that has no stiffness at all, as mechanisms have.
          if (!(curvature > 1e-6 * left)) break;
          x += (left / curvature) * d;
          r -= (left / curvature) * y;
          before = left;
        }
      }
      take(motions, momenta, x);
      return x;
    };
    // Bending is softer than stretching by the squares of thickness and mesh, and yet some digits stiffer than this.
    // Where it is not, because what is joined to the shell is so stiff, another shift gives something else.
    const VectorX x = solved(1e-12 * stiffest), other = solved(1e-11 * stiffest);
    constexpr double same = 1e-5;
    const auto nodes = [&](const VectorX& of) {
      double most = 0;
      for (const int i : here().nodeDofs)
        most = std::max(most, of.segment<3>(parts_.unknowns.local[static_cast<std::size_t>(i)]).norm());
      return most;
    };
    if (!(nodes(x - other) <= same * nodes(x)))
      throw model::BuildError(
          pointer,
          "the velocity of hinges that open by \"hingeRate\" is lost in round-off: something joined to the shell is too "
          "stiff beside its bending, the shell is too thin, or a part that is not held swings freely on it; hold that part, "
          "or give nodes a \"velocity\" instead");
    for (Eigen::Index k = 0; k < n; ++k) v[mine[static_cast<std::size_t>(k)]] += largest * x[k];
  }
  enter(-1);
}

}  // namespace tendril::rods_shells
