// Loops that are closed by moving the joints the least, and velocities that keep them closed.
#include <algorithm>
#include <cmath>

#include "geometry/random.h"
#include "links/loops/loops.h"
#include "links/words.h"
#include "solve/dense_lu.h"

namespace tendril::links {
namespace {

// The smallest x with J x = gaps, where coordinates of `own` closing joints cost nothing: they are no motion of a body.
// Rows may depend on one another, as long as they agree.
VectorX leastChange(const Eigen::MatrixXd& J, const VectorX& gaps, const std::vector<int>& own) {
  Eigen::MatrixXd rest = J;
  VectorX left = gaps;
  for (const int i : own) {
    const double size = rest.col(i).norm();
    if (!(size > 1e-9 * J.col(i).norm())) continue;
    const VectorX n = rest.col(i) / size;
    left -= n.dot(left) * n;
    rest -= n * (n.transpose() * rest).eval();
  }
  for (const int i : own) rest.col(i).setZero();
  VectorX x =
      rest.transpose() * solve::DenseLu(rest * rest.transpose(), solve::DenseLu::Pivots::all, 1e-11).solve(left);
  if (own.empty()) return x;
  Eigen::MatrixXd columns(J.rows(), static_cast<int>(own.size()));
  for (std::size_t k = 0; k < own.size(); ++k) columns.col(static_cast<int>(k)) = J.col(own[k]);
  const VectorX y = solve::DenseLu(columns.transpose() * columns, solve::DenseLu::Pivots::all, 1e-11)
                        .solve(columns.transpose() * (gaps - J * x));
  for (std::size_t k = 0; k < own.size(); ++k) x[own[k]] = y[static_cast<int>(k)];
  return x;
}

}  // namespace

// Coordinates of closing joints themselves.
std::vector<int> Loops::screws() const {
  std::vector<int> out;
  for (const Structure::Loop& l : state_.structure->loops) {
    if (l.screw >= 0) out.push_back(state_.structure->builder.step(l.screw).first);
  }
  return out;
}

// To where they close best: by the angle between both frames, and the turns by how far these have come along.
void Loops::turnScrews(VectorX& q) const {
  if (screws().empty()) return;
  state_.system->place(q, VectorX::Zero(q.size()));
  const std::vector<ChainFrame>& frames = state_.system->chain().frames();
  for (const Structure::Loop& l : state_.structure->loops) {
    if (l.screw < 0) continue;
    const ChainStep& step = state_.structure->builder.step(l.screw);
    const Vec3 axis = step.base.col(0).head<3>();
    const double pitch = step.base.col(0).tail<3>().dot(axis);
    const geometry::Pose apart = geometry::inverse(frames[static_cast<std::size_t>(step.parent)].pose) *
                                 frames[static_cast<std::size_t>(l.b)].pose;
    const Eigen::Quaterniond turn(apart.R);
    const double angle = 2 * std::atan2(turn.vec().dot(axis), turn.w());
    const double turns = pitch != 0 ? std::round((apart.r.dot(axis) / pitch - angle) / (2 * pi)) : 0;
    q[step.first] = angle + 2 * pi * turns;
  }
}

bool Loops::assemble(VectorX& q, const std::vector<char>& held) const {
  if (empty()) return true;
  const VectorX units = state_.system->units().head(state_.system->coordinates());
  VectorX gaps;
  Eigen::MatrixXd J;
  for (int iteration = 0; iteration < 60; ++iteration) {
    state_.system->closureGaps(q, gaps, &J);
    if (gaps.cwiseAbs().maxCoeff() <= 1e-13 * state_.system->scale()) return true;
    for (int i = 0; i < state_.system->coordinates(); ++i) {
      if (held[static_cast<std::size_t>(i)]) J.col(i).setZero();
    }
    J *= units.asDiagonal();
    VectorX dq = leastChange(J, gaps, screws());
    const double most = dq.lpNorm<Eigen::Infinity>();
    if (most > 0.3) dq *= 0.3 / most;
    q.head(state_.system->coordinates()) -= units.cwiseProduct(dq);
    if (most < 1e-14) break;
  }
  state_.system->closureGaps(q, gaps, nullptr);
  return gaps.allFinite() && gaps.cwiseAbs().maxCoeff() <= 1e-10 * state_.system->scale();
}

// Prescribed joints are led from zero, where the scene's offsets draw the chain closed, to where they start, so that
// the other joints stay on the side on which they are drawn. Where zero is not closed, from where they are. `doubt`:
// words where the side is unsure.
bool Loops::assembleFromZero(VectorX& q, std::string& doubt) const {
  const VectorX wanted = q;
  double most = 0;
  for (const DrivenValue& d : state_.prescribed) q[d.coordinate] = 0, most = std::max(most, std::abs(d.value));
  bool singular = false;
  turnScrews(q);
  if (most > 0 && assemble(q)) {
    if (lead(q, state_.system->held, lastingRows(q, {}, singular), doubt)) return true;
    doubt =
        "the chain comes to where it does not close, so it is closed anew where they start: which of its sides it "
        "takes is not "
        "determined; draw it where they start, with driven joints that begin at zero";
  }
  q = wanted;
  turnScrews(q);
  if (assemble(q)) return true;
  // Drawn straight, say, no small motion brings the ends nearer: from beside it one may.
  geometry::SplitMix random(1);
  for (int attempt = 1; attempt <= 8; ++attempt) {
    q = wanted;
    for (int i = 0; i < state_.system->coordinates(); ++i) {
      if (!state_.system->held[static_cast<std::size_t>(i)])
        q[i] += 0.1 * attempt * state_.system->units()[i] * random.uniform(-1, 1);
    }
    if (assemble(q)) return true;
  }
  q = wanted, doubt.clear();
  turnScrews(q);
  assemble(q);  // for the gap that it ends with
  return false;
}

void Loops::projectVelocity() {
  if (empty()) return;
  const int n = state_.system->coordinates();
  VectorX gaps;
  Eigen::MatrixXd J;
  state_.system->closureGaps(state_.history.q, gaps, &J);
  const VectorX rate = J * state_.history.v.head(n);
  for (int i = 0; i < n; ++i) {
    if (state_.system->held[static_cast<std::size_t>(i)]) J.col(i).setZero();
  }
  const VectorX units = state_.system->units().head(n);
  J *= units.asDiagonal();
  state_.history.v.head(n) -= units.cwiseProduct(leastChange(J, rate, screws()));
}

void Loops::close(std::vector<model::Remark>& remarks) {
  const std::vector<ClosureRow>& all = state_.structure->closures;
  if (all.empty()) return;
  judgeScheme(remarks);
  state_.system->setClosures(all);
  VectorX q = state_.history.q.head(state_.system->coordinates());
  std::string doubt;
  if (!assembleFromZero(q, doubt)) {
    VectorX gaps;
    state_.system->closureGaps(q, gaps, nullptr);
    int worst = 0;
    gaps.cwiseAbs().maxCoeff(&worst);
    throw model::BuildError(loopOf(worst).pointer,
                            "the loop does not close: a gap of " + lengthInWords(std::abs(gaps[worst])) +
                                " remains however the joints are moved; check lengths, offsets and driven joints");
  }
  if (!doubt.empty()) {
    remarks.push_back({state_.own.pointer, "on the way from zero to where the driven joints start, " + doubt});
  }
  bool singular = false;
  rows_ = lastingRows(q, state_.system->held, singular);
  if (singular) {
    remarks.push_back({loopOf(rows_.back()).pointer,
                       "the closed chain starts in a singular position, where its loops leave it more freedoms than "
                       "elsewhere: a slightly different start tells which way it moves"});
  }
  remarkRedundant(remarks);
  state_.system->setClosures(keptRows(*state_.structure));
  state_.history.q = VectorX::Zero(state_.system->size());
  state_.history.q.head(q.size()) = q;
  const VectorX v = state_.history.v.head(q.size());
  state_.history.v = VectorX::Zero(state_.system->size());
  state_.history.v.head(q.size()) = v;
}

// Schemes that do not run with loops, or badly.
void Loops::judgeScheme(std::vector<model::Remark>& remarks) const {
  const scene::Solver& solver = state_.scene.solver;
  const bool isAlpha = solver.linkageIntegrator == scene::Integrator::generalizedAlpha;
  if (!solver.dynamic) return;
  if (!isAlpha && solver.linkageIntegrator != scene::Integrator::implicitEuler) {
    throw model::BuildError("/solver/integrator", "linkages with loops run with generalized-alpha or implicit-euler");
  }
  // Without damping of what a step cannot resolve, errors of the loops' forces ring on.
  constexpr double mostLeft = 0.99;
  if (isAlpha && solver.rho > mostLeft) {
    remarks.push_back(
        {"/solver/rho",
         "with loops, forces ring at a \"rho\" so close to 1, and more energy is lost than at 0.9: take 0.9 or less"});
  }
}

// Of each loop, the rows that are not kept.
void Loops::remarkRedundant(std::vector<model::Remark>& remarks) const {
  const std::vector<ClosureRow>& all = state_.structure->closures;
  for (std::size_t l = 0; l < state_.structure->loops.size(); ++l) {
    std::string names;
    for (std::size_t r = 0; r < all.size(); ++r) {
      const bool kept = std::find(rows_.begin(), rows_.end(), static_cast<int>(r)) != rows_.end();
      if (all[r].loop == static_cast<int>(l) && !kept) names += (names.empty() ? "" : ", ") + all[r].name;
    }
    if (names.empty()) continue;
    const scene::LinkLoop& loop = state_.own.loops[static_cast<std::size_t>(state_.structure->loops[l].index)];
    remarks.push_back({loop.pointer, inWords(state_.own, loop) + " is redundant in: " + names +
                                         "; the other joints forbid that already, and these rows are left out"});
  }
}

const scene::LinkLoop& Loops::loopOf(int row) const {
  const ClosureRow& closing = state_.structure->closures[static_cast<std::size_t>(row)];
  const Structure::Loop& l = state_.structure->loops[static_cast<std::size_t>(closing.loop)];
  return state_.own.loops[static_cast<std::size_t>(l.index)];
}

std::vector<ClosureRow> Loops::keptRows(const Structure& structure) const {
  std::vector<ClosureRow> rows;
  for (const int r : rows_) rows.push_back(structure.closures[static_cast<std::size_t>(r)]);
  return rows;
}

}  // namespace tendril::links
