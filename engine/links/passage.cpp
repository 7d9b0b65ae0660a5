// Which way closed chains go: whether two closed positions are joined by a way on which the chain keeps its side, and driven
// joints that are led.
//
// Let J be the gradient of the closing rows by the coordinates that are free, s its smallest singular value at a closed
// position a, and L a bound of how fast J changes, all in units of the chain's size. Within the distance r of a, L r < s,
// every motion along the free directions meets at most one closed position. So if another closed position b is nearer than
// s/(2.5 L), the straight way from a to b, closed by the least motion, is continuous and ends at b (Newton-Kantorovich).
// That way asks less than all directions: with D = |J(b) - J(a)| + L |b - a|^2/8, more than what the gradient changes by along
// it, gaps on it are at most D |b - a|/8. So it also is if D < s/2.5 and L D |b - a| / (8 s^2) < 1/5.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "solve/dense_lu.h"
#include "links/model.h"

namespace tendril::links {
namespace {

constexpr double margin = 2.5;         // see above
constexpr double alongWay = 0.2;       // see above
constexpr double shortestPart = 1e-5;  // of a way that is looked through [rad, or of the size]
constexpr double shrinking = 0.85;     // of a way, at least, of either half of it
constexpr double leastDriven = 1e-9;   // of a driven joint, in which a jump is looked for
constexpr double longestLeap = 1e-3;   // of a driven joint, over where nothing closes surely
constexpr int mostUnsure = 200;        // shortest parts in a row
constexpr double longestUnsure = 0.5;  // of a part that is taken though it is not sure: a longer one swings to another side
constexpr double longestLed = 0.1;     // of a driven joint, closed at once [rad, or of the size]
constexpr int mostLooked = 400;        // positions within one step of a motion

}  // namespace

// Steps of the chain between both frames of each loop, and the coordinates that move them.
void Model::findLoopParts() {
  sideReach_ = {};
  const std::vector<ChainStep>& steps = system_->chain().steps();
  loopParts_.clear();
  inLoops_.assign(static_cast<std::size_t>(system_->coordinates()), 0);
  for (const Structure::Loop& loop : structure_->loops) {
    LoopPart part;
    std::vector<char> once(steps.size(), 0), moves(inLoops_.size(), 0);
    for (const int end : {loop.a, loop.b}) {
      for (int i = end; i >= 0; i = steps[static_cast<std::size_t>(i)].parent) once[static_cast<std::size_t>(i)] ^= 1;
    }
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (!once[i]) continue;
      part.steps.push_back(static_cast<int>(i));
      for (int c = steps[i].first; c < steps[i].first + steps[i].coordinates(); ++c) {
        moves[static_cast<std::size_t>(c)] = inLoops_[static_cast<std::size_t>(c)] = 1;
      }
    }
    part.coordinates = static_cast<int>(std::count(moves.begin(), moves.end(), 1));
    loopParts_.push_back(part);
  }
  findSpins();
  loopsBend_ = false;
  for (const BuiltLink& b : structure_->links) {
    for (int i = b.first; i < b.first + b.count; ++i) {
      const bool strain = i < b.jointFirst || i >= b.jointFirst + b.jointCount;
      loopsBend_ = loopsBend_ || (strain && inLoops_[static_cast<std::size_t>(i)]);
    }
  }
}

// Links between two ball joints: below the first is nothing that moves but the second, by which a loop closes or the chain goes
// on, and no loop goes from between them.
void Model::findSpins() {
  spins_.clear();
  const std::vector<ChainStep>& steps = system_->chain().steps();
  const auto isBall = [](const ChainStep& s) { return s.order == 0 && s.base.cols() == 3 && s.base.topRows<3>().isIdentity(0) && s.base.bottomRows<3>().isZero(0); };
  const auto moves = [&](const LoopPart& part, int step) { return std::find(part.steps.begin(), part.steps.end(), step) != part.steps.end(); };
  for (int ball = 0; ball < static_cast<int>(steps.size()); ++ball) {
    if (!isBall(steps[static_cast<std::size_t>(ball)])) continue;
    Spin spin{ball, -1, false};
    bool is = true;
    for (std::size_t l = 0; l < loopParts_.size() && is; ++l) {
      if (!moves(loopParts_[l], ball)) continue;
      // The one of its ends that hangs on the ball joint, and what moves right after that.
      int end = -1, next = -1;
      for (const int from : {structure_->loops[l].a, structure_->loops[l].b}) {
        int mover = -1, i = from;
        for (; i > ball; i = steps[static_cast<std::size_t>(i)].parent) {
          if (steps[static_cast<std::size_t>(i)].coordinates() > 0) mover = i;
        }
        if (i == ball) end = from, next = mover;
      }
      int rows = 0;
      for (const ClosureRow& row : structure_->closures) rows += row.loop == static_cast<int>(l) ? (row.product ? 4 : 1) : 0;
      is = next < 0 ? rows == 3 : isBall(steps[static_cast<std::size_t>(next)]);
      if (next >= 0) end = next;
      is = is && (spin.end < 0 || spin.end == end);
      spin.end = end, spin.child = next >= 0;
    }
    for (const LoopPart& part : loopParts_) is = is && !(spin.child && moves(part, spin.end) && !moves(part, ball));
    if (is && spin.end >= 0) spins_.push_back(spin);
  }
}

// A closed position as near to `from` as it gets when such links spin about the line through their balls, which moves nothing
// else of the loops.
VectorX Model::unspun(const VectorX& from, VectorX q) const {
  const std::vector<ChainStep>& steps = system_->chain().steps();
  const auto turn = [](const Vec3& x) { return geometry::exponential((geometry::Vec6() << x, Vec3::Zero()).finished()).R; };
  const auto vector = [](const Mat3& R) { return Vec3(geometry::logarithm(geometry::Pose{R, Vec3::Zero()}).head<3>()); };
  for (const Spin& spin : spins_) {
    const int first = steps[static_cast<std::size_t>(spin.ball)].first;
    geometry::Pose way;
    for (int i = spin.end; i != spin.ball; i = steps[static_cast<std::size_t>(i)].parent) way = steps[static_cast<std::size_t>(i)].offset * way;
    if (!(way.r.norm() > 0)) continue;
    const Mat3 now = turn(q.segment<3>(first));
    const Eigen::Quaterniond apart(Mat3(turn(from.segment<3>(first)).transpose() * now));
    const Vec3 axis = way.r.normalized(), back = -2 * std::atan2(axis.dot(apart.vec()), apart.w()) * axis;
    q.segment<3>(first) = vector(now * turn(back));
    if (!spin.child) continue;
    const int next = steps[static_cast<std::size_t>(spin.end)].first;
    q.segment<3>(next) = vector(turn(-(way.R.transpose() * back)) * turn(q.segment<3>(next)));
  }
  return q;
}

// Driven joints alone say how the loops stand.
bool Model::loopsAreDriven() const {
  int free = -static_cast<int>(spins_.size());
  for (std::size_t i = 0; i < inLoops_.size(); ++i) free += inLoops_[i] && !system_->held[i];
  return free <= static_cast<int>(system_->closures().size());
}

// How far apart two states are, of the coordinates that open and close loops [rad, or of the size].
double Model::wayBetween(const VectorX& a, const VectorX& b) const {
  const VectorX& units = system_->units();
  double sum = 0;
  for (std::size_t i = 0; i < inLoops_.size(); ++i) {
    const int c = static_cast<int>(i);
    if (inLoops_[i]) sum += std::pow((b[c] - a[c]) / units[c], 2);
  }
  return std::sqrt(sum);
}

// How firmly the coordinates that are not held close the loops at q, by the rows that `rows` numbers.
Model::Grip Model::gripAt(const VectorX& q, const std::vector<char>& held, const std::vector<int>& rows) const {
  Grip out;
  VectorX gaps;
  Eigen::MatrixXd all;
  system_->closureGaps(q, gaps, &all);
  const double scale = system_->scale();
  const int m = static_cast<int>(rows.size());
  Eigen::MatrixXd J(m, all.cols());
  for (int r = 0; r < m; ++r) J.row(r) = all.row(rows[static_cast<std::size_t>(r)]) / scale;
  J *= system_->units().head(system_->coordinates()).asDiagonal();
  for (int i = 0; i < J.cols(); ++i) {
    if (held[static_cast<std::size_t>(i)]) J.col(i).setZero();
  }
  // A second derivative is a lever at most, of places, or the size of a product of directions.
  const std::vector<ChainFrame>& frames = system_->chain().frames();
  double sum = 0;
  for (std::size_t l = 0; l < structure_->loops.size(); ++l) {
    double lever = 1, products = 0;
    for (const int r : rows) {
      const ClosureRow& row = system_->closures()[static_cast<std::size_t>(r)];
      if (row.product && row.loop == static_cast<int>(l)) products += std::pow(row.size / scale, 2);
    }
    const Vec3 end = frames[static_cast<std::size_t>(structure_->loops[l].b)].pose.r;
    for (const int step : loopParts_[l].steps) lever = std::max(lever, (frames[static_cast<std::size_t>(step)].pose.r - end).norm() / scale);
    sum += std::pow(loopParts_[l].coordinates, 2) * (lever * lever + products);
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
bool Model::Grip::holds(double way) const { return margin * bend * way <= firm; }

bool Model::staysBetween(const Grip& a, const Grip& b, double way) {
  if (a.holds(way) || b.holds(way)) return true;
  if (a.gradient.size() == 0 || a.gradient.size() != b.gradient.size()) return false;
  const double firm = std::max(a.firm, b.firm), bend = std::max(a.bend, b.bend);
  const double change = (b.gradient - a.gradient).norm() + 0.125 * bend * way * way;
  return margin * change <= firm && 0.125 * bend * change * way <= alongWay * firm * firm;
}

std::vector<int> Model::allRows() const {
  std::vector<int> rows(system_->closures().size());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<int>(i);
  return rows;
}

// Whether the way between two closed positions, closed by the least motion, is one on which the chain keeps its side. Unsure:
// `at` is where it comes so near to a position with two sides that parts of the shortest length do not tell.
Model::Side Model::sideBetween(const VectorX& a, const VectorX& to, VectorX& at) const {
  const VectorX b = unspun(a, to);
  const std::vector<int> rows = allRows();
  const Grip here = gripAt(a, system_->held, rows);
  int left = std::numeric_limits<int>::max();
  return here.holds(wayBetween(a, b)) ? Side::kept : sideBetween(a, here, b, gripAt(b, system_->held, rows), rows, left, at);
}

// Looks at `left` positions at most; what is not looked at is unsure.
Model::Side Model::sideBetween(const VectorX& a, const Grip& atA, const VectorX& b, const Grip& atB, const std::vector<int>& rows,
                                           int& left, VectorX& at) const {
  const double way = wayBetween(a, b);
  if (staysBetween(atA, atB, way)) return Side::kept;
  if (way < shortestPart || left <= 0) {
    at = a;
    return Side::unsure;
  }
  VectorX middle = 0.5 * (a + b);
  // On different sides the middle falls to one of them, and what is left does not get shorter.
  if (!assemble(middle, system_->held) || !(std::max(wayBetween(a, middle), wayBetween(middle, b)) < shrinking * way)) return Side::changed;
  --left;
  const Grip between = gripAt(middle, system_->held, rows);
  VectorX elsewhere;
  const Side first = sideBetween(a, atA, middle, between, rows, left, at);
  if (first == Side::changed) return first;
  const Side second = sideBetween(middle, between, b, atB, rows, left, first == Side::kept ? at : elsewhere);
  return second == Side::kept ? first : second;
}

// Whether a step of a motion, to q, keeps the chain on its side. All closed positions within a reach of one that was looked at
// are on its side, so a look is needed only where the motion has gone farther since. With `next`, for when the step is taken.
Model::Side Model::sideOfStep(const VectorX& to, SideReach& next, VectorX& at) const {
  const VectorX q = unspun(history_.q, to);
  const double way = wayBetween(history_.q, q);
  next = {sideReach_.reach, sideReach_.gone + way};
  if (next.gone <= next.reach) return Side::kept;
  const std::vector<int> rows = allRows();
  const Grip here = gripAt(history_.q, system_->held, rows);
  next = {here.firm / (margin * here.bend), way};
  if (next.gone <= next.reach) return Side::kept;
  next = {};
  int left = mostLooked;
  return sideBetween(history_.q, here, q, gripAt(q, system_->held, rows), rows, left, at);
}

// Whether the step to q_ may be taken. Loops with strains are not looked at: see leavesSide.
bool Model::keepsSide(double t, SideReach& next, model::StepReport& report) {
  if (system_->closures().empty() || loopsBend_) return true;
  // Far ways end where charts of rotations do, and are not taken anyhow.
  report.reason = tooFast(q_, Way::step);
  if (!report.reason.empty()) return false;
  framesFresh_ = false;
  VectorX at;
  const Side side = sideOfStep(q_, next, at);
  if (side == Side::changed) report.reason = changeInWords();
  if (side != Side::unsure || saidDoubt_) return side != Side::changed;
  saidDoubt_ = true;
  char when[60];
  std::snprintf(when, sizeof when, "by t = %.4g s, ", t);
  report.warnings.push_back(when + doubtInWords(at, (q_ - history_.q).head(system_->coordinates()), allRows()));
  return true;
}

// Why the step that changes the side of loops is not taken.
std::string Model::changeInWords() const {
  return loopInWords(system_->closures()[static_cast<std::size_t>(gripAt(history_.q, system_->held, allRows()).row)]) +
         " would close on another side of its chain, with no way there on which it stays closed: the chain jams, or passes close by a "
         "position in which all bars lie in one line";
}

// That a driven joint, on its way along `motion`, comes at q to where its chain can be led no farther.
std::string Model::jamInWords(const VectorX& q, const VectorX& motion) const {
  const Grip grip = gripAt(q, system_->held, allRows());
  int farthest = 0;
  motion.cwiseQuotient(system_->units().head(motion.size())).cwiseAbs().maxCoeff(&farthest);
  char at[60];
  std::snprintf(at, sizeof at, " cannot be driven beyond %.6g: there ", q[farthest]);
  return whatMoves(motion) + at + loopInWords(system_->closures()[static_cast<std::size_t>(grip.row)]) + " jams; beyond, the other joints cannot close it, or only on another side";
}

// Of a step of motion that failed: that driven joints cannot be led through a step of the scene's length from the accepted
// state, where they alone say how the loops stand; or empty.
std::string Model::jamOfStep(const model::StepRequest& request) {
  if (system_->closures().empty() || !loopsAreDriven()) return {};
  scene::Instant end;
  end.t = std::min(request.t0 + std::max(request.dt, scene_.solver.dt), std::max(scene_.solver.duration, request.t0 + request.dt));
  end.middle = end.t, end.slack = 1e-9 * request.dt, end.columns = request.columns;
  drives_.driven(end, Drives::Side::before, request.dt, *structure_, driven_);
  VectorX led = history_.q, motion = VectorX::Zero(system_->coordinates());
  for (const DrivenValue& d : driven_) motion[d.coordinate] = d.value - led[d.coordinate];
  std::string doubt;
  const bool goes = motion.isZero(0) || lead(led, system_->held, allRows(), doubt);
  const std::string words = goes ? std::string() : jamInWords(led, motion);
  standAtAccepted();
  return words;
}

// Driven joints are led from where q has them to where driven_ says, in parts so short that the other joints stay on
// their side. False: the chain does not close on the way by what is not held. `doubt` gets words where the side is unsure.
bool Model::lead(VectorX& q, const std::vector<char>& held, const std::vector<int>& rows, std::string& doubt) const {
  const VectorX from = q;
  VectorX motion = VectorX::Zero(system_->coordinates());
  for (const DrivenValue& d : driven_) motion[d.coordinate] = d.value - from[d.coordinate];
  const double most = motion.size() > 0 ? motion.cwiseQuotient(system_->units().head(motion.size())).cwiseAbs().maxCoeff() : 0;
  if (!(most > 0)) return true;
  const double longest = 1 / std::min(1000.0, std::ceil(most / longestLed));
  int unsure = 0;
  double part = longest;
  Grip here = gripAt(q, held, rows);
  for (double done = 0; done < 1;) {
    const double next = done + part < 1 - 1e-12 ? done + part : 1;
    VectorX trial = q;
    for (const DrivenValue& d : driven_) trial[d.coordinate] = next < 1 ? from[d.coordinate] + next * motion[d.coordinate] : d.value;
    const bool closes = assemble(trial, held);
    const double way = closes ? wayBetween(q, trial) : 0;
    const Grip there = closes ? gripAt(trial, held, rows) : Grip();
    const bool sure = closes && staysBetween(here, there, way);
    const bool kept = sure || (closes && unsure > mostUnsure && way < longestUnsure);
    if (!kept && part * most > leastDriven && !(closes && way < shortestPart)) {
      part *= 0.5;
      continue;
    }
    if (!closes) {
      // Right at a position with two sides nothing closes surely: beyond it the chain may.
      if (!leapOver(q, from, motion, done, held)) return false;
      if (doubt.empty()) doubt = doubtInWords(q, motion, rows);
      here = gripAt(q, held, rows), part = longest, unsure = 0;
      continue;
    }
    unsure = sure ? 0 : unsure + 1;
    if (!sure && doubt.empty()) doubt = doubtInWords(q, motion, rows);
    q = trial, here = there, done = next;
    part = unsure > mostUnsure ? longest : std::min(2 * part, longest);
  }
  return true;
}

// From q, where the part `done` of the way is led, the least distance on to where the chain closes.
bool Model::leapOver(VectorX& q, const VectorX& from, const VectorX& motion, double& done, const std::vector<char>& held) const {
  const double most = motion.cwiseQuotient(system_->units().head(motion.size())).cwiseAbs().maxCoeff();
  for (double leap = 10 * leastDriven; leap < 2 * longestLeap; leap *= 10) {
    const double next = std::min(1.0, done + leap / most);
    VectorX trial = q;
    for (const DrivenValue& d : driven_) trial[d.coordinate] = next < 1 ? from[d.coordinate] + next * motion[d.coordinate] : d.value;
    if (!assemble(trial, held) || !(wayBetween(q, trial) < longestUnsure)) continue;
    q = trial, done = next;
    return true;
  }
  return false;
}

// That the side is not determined which a chain takes at q, on a way along `motion`.
std::string Model::doubtInWords(const VectorX& q, const VectorX& motion, const std::vector<int>& rows) const {
  const Grip grip = gripAt(q, system_->held, rows);
  int farthest = 0;
  motion.cwiseQuotient(system_->units().head(motion.size())).cwiseAbs().maxCoeff(&farthest);
  char at[60];
  std::snprintf(at, sizeof at, " at %.6g ", q[farthest]);
  return "with " + whatMoves(motion) + at + loopInWords(system_->closures()[static_cast<std::size_t>(grip.row)]) +
         " comes to a position, or close by one, from which its chain can go on in two ways, as where all bars lie in one line: "
         "which side it takes there is not determined; draw the chain beyond that position, or make its lengths unlike";
}

}  // namespace tendril::links
