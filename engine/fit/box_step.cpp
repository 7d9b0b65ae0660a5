#include "fit/box_step.h"

#include <Eigen/QR>
#include <vector>

namespace tendril::fit {

namespace {

enum class Side { free, lower, upper };

/// The minimum where the unknowns that are not free keep their values in p.
Eigen::VectorXd minimumOfFree(const DampedModel& model, const Eigen::VectorXd& p, const std::vector<Side>& sides) {
  const Eigen::Index n = p.size();
  std::vector<Eigen::Index> free;
  for (Eigen::Index j = 0; j < n; ++j)
    if (sides[std::size_t(j)] == Side::free) free.push_back(j);
  Eigen::VectorXd out = p;
  if (free.empty()) return out;
  const Eigen::Index m = Eigen::Index(free.size());
  Eigen::MatrixXd stacked = Eigen::MatrixXd::Zero(n + m, m);
  Eigen::VectorXd right = Eigen::VectorXd::Zero(n + m);
  Eigen::VectorXd fixed = p;
  for (const Eigen::Index j : free) fixed[j] = 0;
  right.head(n) = -(model.q + model.R * fixed);
  const double root = std::sqrt(model.damping);
  for (Eigen::Index k = 0; k < m; ++k) {
    stacked.col(k).head(n) = model.R.col(free[std::size_t(k)]);
    stacked(n + k, k) = root * model.scale[free[std::size_t(k)]];
  }
  const Eigen::VectorXd solved = stacked.householderQr().solve(right);
  for (Eigen::Index k = 0; k < m; ++k) out[free[std::size_t(k)]] = solved[k];
  return out;
}

Eigen::VectorXd gradientAt(const DampedModel& model, const Eigen::VectorXd& p) {
  return model.R.transpose() * (model.R * p + model.q) +
         model.damping * model.scale.cwiseProduct(model.scale).cwiseProduct(p);
}

/// Goes from p towards `target` as far as the box allows; the first bound that it meets is kept. True: all the way.
bool advance(Eigen::VectorXd& p, const Eigen::VectorXd& target, const Eigen::VectorXd& lower,
             const Eigen::VectorXd& upper, std::vector<Side>& sides) {
  double share = 1;
  Eigen::Index hit = -1;
  for (Eigen::Index j = 0; j < p.size(); ++j) {
    const double move = target[j] - p[j];
    if (sides[std::size_t(j)] != Side::free || move == 0) continue;
    const double room = (move > 0 ? upper[j] : lower[j]) - p[j];
    if (std::abs(move) > std::abs(room) && room / move < share) share = room / move, hit = j;
  }
  for (Eigen::Index j = 0; j < p.size(); ++j)
    if (sides[std::size_t(j)] == Side::free) p[j] = share < 1 ? p[j] + share * (target[j] - p[j]) : target[j];
  if (hit < 0) return true;
  const bool up = target[hit] > p[hit];
  p[hit] = up ? upper[hit] : lower[hit];
  sides[std::size_t(hit)] = up ? Side::upper : Side::lower;
  return false;
}

}  // namespace

Eigen::VectorXd boxStep(const DampedModel& model, const Eigen::VectorXd& lower, const Eigen::VectorXd& upper) {
  const Eigen::Index n = model.q.size();
  Eigen::VectorXd p = Eigen::VectorXd::Zero(n);
  std::vector<Side> sides(std::size_t(n), Side::free);
  Eigen::VectorXd gradient = gradientAt(model, p);
  for (Eigen::Index j = 0; j < n; ++j) {
    if (lower[j] == 0 && gradient[j] >= 0) sides[std::size_t(j)] = Side::lower;
    if (upper[j] == 0 && gradient[j] <= 0) sides[std::size_t(j)] = Side::upper;
  }
  // Each round fixes or releases one bound and makes the model smaller: it ends. The limit is for round-off.
  for (Eigen::Index round = 0; round < 10 * n + 20; ++round) {
    if (!advance(p, minimumOfFree(model, p, sides), lower, upper, sides)) continue;
    gradient = gradientAt(model, p);
    Eigen::Index release = -1;
    double steepest = 0;
    for (Eigen::Index j = 0; j < n; ++j) {
      const Side side = sides[std::size_t(j)];
      const double inward = side == Side::lower ? -gradient[j] : side == Side::upper ? gradient[j] : 0;
      if (upper[j] > lower[j] && inward / model.scale[j] > steepest) steepest = inward / model.scale[j], release = j;
    }
    if (release < 0) break;
    sides[std::size_t(release)] = Side::free;
  }
  return p;
}

}  // namespace tendril::fit
