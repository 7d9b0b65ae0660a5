// Closing rows that say nothing new, and those that stay open.
#include <algorithm>
#include <cmath>

#include "links/loops/loops.h"
#include "links/words.h"

namespace tendril::links {

// Rows that are not combinations of those before them, by their gradients.
std::vector<int> Loops::independentRows(const VectorX& q) const {
  VectorX gaps;
  Eigen::MatrixXd J;
  state_.system->closureGaps(q, gaps, &J);
  for (int i = 0; i < state_.system->coordinates(); ++i) {
    if (state_.system->held[static_cast<std::size_t>(i)]) J.col(i).setZero();
  }
  J *= state_.system->units().head(state_.system->coordinates()).asDiagonal();
  std::vector<int> kept;
  std::vector<Eigen::VectorXd> basis;
  const double size = std::max(state_.system->scale(), J.lpNorm<Eigen::Infinity>());
  for (int r = 0; r < J.rows(); ++r) {
    Eigen::VectorXd rest = J.row(r).transpose();
    for (int pass = 0; pass < 2; ++pass) {
      for (const Eigen::VectorXd& b : basis) rest -= b.dot(rest) * b;
    }
    if (rest.norm() <= 1e-7 * size) continue;
    kept.push_back(r);
    basis.push_back(rest.normalized());
  }
  return kept;
}

// The same of rows that q alone may lose: a position nearby, closed too, tells what is always redundant. `staying`:
// coordinates that are not moved there; none if empty.
std::vector<int> Loops::lastingRows(const VectorX& q, const std::vector<char>& staying, bool& singular) const {
  VectorX near = q;
  std::uint64_t seed = 1;
  for (int i = 0; i < near.size(); ++i) {
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    if (staying.empty() || !staying[static_cast<std::size_t>(i)]) {
      near[i] += 0.1 * state_.system->units()[i] * (static_cast<double>(seed >> 40) / (1 << 24) - 0.5);
    }
  }
  std::vector<int> here = independentRows(q);
  if (!assemble(near)) return here;
  const std::vector<int> there = independentRows(near);
  singular = there.size() > here.size();
  return singular ? there : here;
}

std::string Loops::openRedundant(const VectorX& q) const {
  constexpr double closed = 1e-7;  // of the size
  const std::vector<ClosureRow>& all = state_.structure->closures;
  if (rows_.size() == all.size()) return {};
  state_.system->place(q, state_.history.v);
  const std::vector<ChainFrame>& frames = state_.system->chain().frames();
  double most = closed * state_.system->scale();
  const ClosureRow* open = nullptr;
  for (std::size_t r = 0; r < all.size(); ++r) {
    if (std::find(rows_.begin(), rows_.end(), static_cast<int>(r)) != rows_.end()) continue;
    const double gap = std::abs(closureGap(all[r], frames[static_cast<std::size_t>(all[r].a)].pose,
                                           frames[static_cast<std::size_t>(all[r].b)].pose)
                                    .value);
    if (gap > most) most = gap, open = &all[r];
  }
  if (!open) return {};
  return inWords(state_, *open) + " would open by " + lengthInWords(most) + " (" + open->name +
         "): the chain cannot move as its joints are driven, it jams";
}

std::string Loops::openLoop(const VectorX& q) const {
  if (empty() || !q.allFinite()) return {};
  VectorX gaps;
  state_.system->closureGaps(q, gaps, nullptr);
  int worst = 0;
  const double gap = gaps.cwiseAbs().maxCoeff(&worst);
  if (gap < 1e-6 * state_.system->scale()) return {};
  return inWords(state_, state_.system->closures()[static_cast<std::size_t>(worst)]) + " stays open by " +
         lengthInWords(gap) + ": its chain may be led to where it cannot close";
}

}  // namespace tendril::links
