// On which side a chain closes: whether two closed positions are joined by a path on which it keeps its side.
//
// Let J be the gradient of the closing rows by the coordinates that are free, s its smallest singular value at a closed
// position a, and L a bound of how fast J changes, all in units of the chain's size. Within the distance r of a, L r <
// s, every motion along the free directions meets at most one closed position. So if another closed position b is
// nearer than s/(2.5 L), the straight path from a to b, closed by the least motion, is continuous and ends at b
// (Newton-Kantorovich). That path asks less than all directions: with D = |J(b) - J(a)| + L |b - a|^2/8, more than what
// the gradient changes by along it, gaps on it are at most D |b - a|/8. So it also is if D < s/2.5 and L D |b - a| / (8
// s^2) < 1/5.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "links/loops/loops.h"
#include "links/words.h"
#include "solve/dense_lu.h"

namespace tendril::links {
namespace {

constexpr double margin = 2.5;          // see above
constexpr double alongPath = 0.2;       // see above
constexpr double shrinking = 0.85;      // of a displacement, at least, of either half of it
constexpr int mostLooked = 400;         // positions within one step of a motion
constexpr double farthestTurned = 0.5;  // of a joint in one load step [rad, or of the size]

}  // namespace

bool Loops::arePrescribed() const {
  int free = -static_cast<int>(spins_.size());
  for (std::size_t i = 0; i < inLoops_.size(); ++i) free += inLoops_[i] && !state_.system->held[i];
  return free <= static_cast<int>(state_.system->closures().size());
}

// How far apart two states are, of the coordinates that open and close loops [rad, or of the size].
double Loops::distanceBetween(const VectorX& a, const VectorX& b) const {
  const VectorX& units = state_.system->units();
  double sum = 0;
  for (std::size_t i = 0; i < inLoops_.size(); ++i) {
    const int c = static_cast<int>(i);
    if (inLoops_[i]) sum += std::pow((b[c] - a[c]) / units[c], 2);
  }
  return std::sqrt(sum);
}

// How firmly the coordinates that are free close the loops at q, by the rows that `rows` numbers.
Loops::Grip Loops::gripAt(const VectorX& q, const std::vector<char>& held, const std::vector<int>& rows) const {
  Grip out;
  VectorX gaps;
  Eigen::MatrixXd all;
  state_.system->closureGaps(q, gaps, &all);
  const double scale = state_.system->scale();
  const int m = static_cast<int>(rows.size());
  Eigen::MatrixXd J(m, all.cols());
  for (int r = 0; r < m; ++r) J.row(r) = all.row(rows[static_cast<std::size_t>(r)]) / scale;
  J *= state_.system->units().head(state_.system->coordinates()).asDiagonal();
  for (int i = 0; i < J.cols(); ++i) {
    if (held[static_cast<std::size_t>(i)]) J.col(i).setZero();
  }
  // A second derivative is a lever at most, of positions, or the size of a product of directions.
  const std::vector<ChainFrame>& frames = state_.system->chain().frames();
  double sum = 0;
  for (std::size_t l = 0; l < state_.structure->loops.size(); ++l) {
    double lever = 1, products = 0;
    for (const int r : rows) {
      const ClosureRow& row = state_.system->closures()[static_cast<std::size_t>(r)];
      if (row.product && row.loop == static_cast<int>(l)) products += std::pow(row.size / scale, 2);
    }
    const Vec3 end = frames[static_cast<std::size_t>(state_.structure->loops[l].b)].pose.r;
    for (const int step : parts_[l].steps)
      lever = std::max(lever, (frames[static_cast<std::size_t>(step)].pose.r - end).norm() / scale);
    sum += std::pow(parts_[l].coordinates, 2) * (lever * lever + products);
  }
  out.bend = std::sqrt(sum);
  if (m == 0) {
    out.firm = 1;
    return out;
  }
  out.gradient = J;
  // From below: 1/s^2 is the largest singular value of the inverse of J J^T.
  const solve::DenseLu lu(J * J.transpose(), solve::DenseLu::Pivots::all, 1e-15);
  if (!lu.regular()) {
    if (lu.rank() < m) lu.kernel().cwiseAbs().maxCoeff(&out.row);
    out.row = rows[static_cast<std::size_t>(out.row)];
    return out;
  }
  double inverse = 0, largest = 0;
  for (int r = 0; r < m; ++r) {
    const VectorX column = lu.solve(VectorX::Unit(m, r));
    inverse += column.squaredNorm();
    if (column.squaredNorm() > largest) largest = column.squaredNorm(), out.row = rows[static_cast<std::size_t>(r)];
  }
  out.firm = 1 / std::sqrt(std::sqrt(inverse));
  return out;
}

// Whether a position at this distance of a closed one is on its side.
bool Loops::Grip::holds(double distance) const { return margin * bend * distance <= firm; }

bool Loops::staysBetween(const Grip& a, const Grip& b, double distance) {
  if (a.holds(distance) || b.holds(distance)) return true;
  if (a.gradient.size() == 0 || a.gradient.size() != b.gradient.size()) return false;
  const double firm = std::max(a.firm, b.firm), bend = std::max(a.bend, b.bend);
  const double change = (b.gradient - a.gradient).norm() + 0.125 * bend * distance * distance;
  return margin * change <= firm && 0.125 * bend * change * distance <= alongPath * firm * firm;
}

std::vector<int> Loops::allRows() const {
  std::vector<int> rows(state_.system->closures().size());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<int>(i);
  return rows;
}

// Whether the path between two closed positions, closed by the least motion, is one on which the chain keeps its
// side. Unsure: `at` is where it comes so near to a position with two sides that parts of the shortest length do not
// tell.
Loops::Side Loops::sideBetween(const VectorX& a, const VectorX& to, VectorX& at) const {
  const VectorX b = unspun(a, to);
  const std::vector<int> rows = allRows();
  const Grip here = gripAt(a, state_.system->held, rows);
  int left = std::numeric_limits<int>::max();
  return here.holds(distanceBetween(a, b))
             ? Side::kept
             : sideBetween(a, here, b, gripAt(b, state_.system->held, rows), rows, left, at);
}

// Looks at `left` positions at most; what is not looked at is unsure.
Loops::Side Loops::sideBetween(const VectorX& a, const Grip& atA, const VectorX& b, const Grip& atB,
                               const std::vector<int>& rows, int& left, VectorX& at) const {
  const double distance = distanceBetween(a, b);
  if (staysBetween(atA, atB, distance)) return Side::kept;
  if (distance < shortestPart || left <= 0) {
    at = a;
    return Side::unsure;
  }
  VectorX middle = 0.5 * (a + b);
  // On different sides the middle falls to one of them, and what is left does not get shorter.
  if (!assemble(middle, state_.system->held) ||
      !(std::max(distanceBetween(a, middle), distanceBetween(middle, b)) < shrinking * distance))
    return Side::changed;
  --left;
  const Grip between = gripAt(middle, state_.system->held, rows);
  VectorX elsewhere;
  const Side first = sideBetween(a, atA, middle, between, rows, left, at);
  if (first == Side::changed) return first;
  const Side second = sideBetween(middle, between, b, atB, rows, left, first == Side::kept ? at : elsewhere);
  return second == Side::kept ? first : second;
}

// Whether a step of a motion, to q, keeps the chain on its side. All closed positions within a reach of one that was
// looked at are on its side, so a look is needed only where the motion has gone farther since. With `next`, for when
// the step is taken.
Loops::Side Loops::sideOfStep(const VectorX& to, SideReach& next, VectorX& at) const {
  const VectorX q = unspun(state_.history.q, to);
  const double distance = distanceBetween(state_.history.q, q);
  next = {reach.reach, reach.gone + distance};
  if (next.gone <= next.reach) return Side::kept;
  const std::vector<int> rows = allRows();
  const Grip here = gripAt(state_.history.q, state_.system->held, rows);
  next = {here.firm / (margin * here.bend), distance};
  if (next.gone <= next.reach) return Side::kept;
  next = {};
  int left = mostLooked;
  return sideBetween(state_.history.q, here, q, gripAt(q, state_.system->held, rows), rows, left, at);
}

bool Loops::keepsSide(const VectorX& to, double t, SideReach& next, model::StepReport& report) {
  if (empty() || bend_) return true;
  // Far steps end where charts of rotations do, and are not taken anyhow.
  report.reason = tooFast(state_, to, Advance::step);
  if (!report.reason.empty()) return false;
  state_.framesFresh = false;
  VectorX at;
  const Side side = sideOfStep(to, next, at);
  if (side == Side::changed) report.reason = changeInWords();
  if (side != Side::unsure || !isFirstDoubt()) return side != Side::changed;
  char when[60];
  std::snprintf(when, sizeof when, "by t = %.4g s, ", t);
  report.warnings.push_back(when +
                            doubtInWords(at, (to - state_.history.q).head(state_.system->coordinates()), allRows()));
  return true;
}

std::string Loops::turnedFar(const VectorX& from, const VectorX& to) const {
  const VectorX q = unspun(from, to);
  VectorX motion = VectorX::Zero(state_.system->coordinates());
  double most = 0;
  for (const BuiltLink& built : state_.structure->links) {
    for (int i = built.jointFirst; i < built.jointFirst + built.jointCount; ++i) {
      if (state_.system->held[static_cast<std::size_t>(i)] || !inLoops_[static_cast<std::size_t>(i)]) continue;
      motion[i] = q[i] - from[i];
      most = std::max(most, std::abs(motion[i]) / state_.system->units()[i]);
    }
  }
  if (!(most > farthestTurned)) return {};
  return whatMoves(state_, motion) + " turned by more than half a radian in one load step";
}

std::string Loops::leavesSide(const VectorX& from, const VectorX& q, std::string& doubt) const {
  if (empty()) return {};
  state_.framesFresh = false;
  std::string far = turnedFar(from, q);
  if (!far.empty()) return far;
  // Strains bend loops in so many ways that a look through the displacement would cost more than the solve.
  if (bend_) return {};
  VectorX at;
  const Side side = sideBetween(from, q, at);
  if (side == Side::changed) {
    return "no way that keeps the loops of \"" + state_.own.name +
           "\" closed leads to the equilibrium found: it lies on another side of them";
  }
  if (side == Side::unsure && doubt.empty()) {
    doubt = doubtInWords(at, (q - from).head(state_.system->coordinates()), allRows());
  }
  return {};
}

// Why the step that changes the side of loops is not taken.
std::string Loops::changeInWords() const {
  return inWords(state_, state_.system->closures()[static_cast<std::size_t>(
                             gripAt(state_.history.q, state_.system->held, allRows()).row)]) +
         " would close on another side of its chain, with no way there on which it stays closed: the chain jams, "
         "or passes close by a "
         "position in which all bars lie in one line";
}

}  // namespace tendril::links
