// The step: assemble and factor once, find contacts, solve, check the tube's new position, and linearize contact there
// again until the tube stays clear.
#include "vines/step/step.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tendril::vines {
namespace {

constexpr int mostPasses = 12;            // of repeated contact linearization
constexpr int firstKept = 5;              // pass from which on the rows of earlier passes are kept
constexpr int mostLockRounds = 60;        // of pairs whose growth stalls or is fed
constexpr int roundsTogether = 12;        // rounds in which all pairs change at once; then one at a time
constexpr int mostReleases = 3;           // of a stalled pair in a step
constexpr int mostSearches = 4;           // with ever larger margins
constexpr double largestTurn = 0.5;       // [rad] of a body in one step
constexpr double largestResidual = 1e-9;  // scaled; solved programs are below 1e-14
constexpr double fedTolerance = 1e-6;     // of the rate: growth may exceed the feed, so that no pair oscillates
constexpr double axisDepth = 1e-7;        // of the radius: depth of the axis inside an obstacle that is round-off
constexpr double negligibleGap = 4e-10;   // of the diameter: contradictions smaller than this in a step are ignored

using Status = Report::Status;

}  // namespace

/// Rows of the points found, for the velocity at the step's end; after the first pass, at the positions where the last
/// pass led. Passes that oscillate between two sides of an obstacle end by keeping the rows of all passes: each keeps
/// the tube outside one more half plane that contains the obstacle.
void Step::addRows(const Chain& chain, std::span<const PlanarShape> shapes, double dt, int pass) {
  const Parameters& p = chain.parameters();
  const auto points = search_.points();
  if (pass < firstKept) {
    rows_.clear(), tangents_.clear(), rowPoints_.clear();
    for (auto* v : {&bound_, &mobility_, &friction_, &rest_, &tangentMobility_}) v->clear();
  }
  rowPoints_.insert(rowPoints_.end(), points.begin(), points.end());
  for (const SurfacePoint& c : points) {
    const Vec2& obstacleVelocity = shapes[c.obstacle].velocity;
    const Vec3 row = pointRow(c.normal, c.direction, c.lever);
    const int k = ChainSystem::bodyAt(c.body);
    const std::array<int, 3> index = {k, k + 1, k + 2};
    rows_.add(index, {row.data(), 3});
    const double room = (c.gap - floor_[c.near]) / dt;
    const double moved = c.atStart ? c.normal.dot(obstacleVelocity)
                                   : row.dot(Vec3(newV_[3 * c.body], newV_[3 * c.body + 1], newV_[3 * c.body + 2]));
    bound_.push_back(moved - room);
    mobility_.push_back(1 / system_.massOf(c.body) + row[2] * row[2] / system_.inertiaOf(c.body));
    friction_.push_back(c.friction);
    rest_.push_back(0), tangentMobility_.push_back(1);
    if (c.friction <= 0) {
      tangents_.add({}, {});
      continue;
    }
    // The skin of a pair that grows at the tip is old material and does not slide forward: it moves with the first
    // body.
    const bool everts = p.growthSite == Parameters::GrowthSite::tip && c.pair == chain.pairs() - 1;
    const int body = everts ? 2 * c.pair : c.body;
    const double lever = everts ? c.along - p.halfLength : c.lever;
    const Vec2 tangent = leftOf(c.normal);
    Vec3 slide = pointRow(tangent, c.direction, lever);
    slide[2] -= p.radius();  // the skin lies that far from the axis, toward the obstacle
    const int s = ChainSystem::bodyAt(body);
    const std::array<int, 3> slideIndex = {s, s + 1, s + 2};
    tangents_.add(slideIndex, {slide.data(), 3});
    rest_.back() = tangent.dot(obstacleVelocity);
    tangentMobility_.back() = 1 / system_.massOf(body) + slide[2] * slide[2] / system_.inertiaOf(body);
  }
}

/// Initial guess for rows that continue contacts of the last step: their impulses.
void Step::startFromCarried() {
  start_.assign(rowPoints_.size(), 0.0);
  tangentStart_.assign(rowPoints_.size(), 0.0);
  // Both lists run from base to tip, once for each pass; the last pass comes last and is the one to continue.
  std::size_t to = rowPoints_.size();
  for (std::size_t k = carried_.size(); k-- > 0;) {
    const CarriedContact& c = carried_[k];
    while (to > 0 && rowPoints_[to - 1].pair > c.pair) --to;
    for (std::size_t i = to; i-- > 0 && rowPoints_[i].pair == c.pair;) {
      if (rowPoints_[i].obstacle != c.obstacle || rowPoints_[i].feature != c.feature) continue;
      start_[i] = c.normal, tangentStart_[i] = c.tangent;
    }
  }
}

void Step::rememberForNextPass() {
  carried_.clear();
  for (std::size_t i = 0; i < rowPoints_.size(); ++i) {
    const double normal = program_.multipliers()[i];
    if (normal <= 0) continue;
    const SurfacePoint& c = rowPoints_[i];
    carried_.push_back({c.pair, c.obstacle, c.feature, normal, program_.tangentMultipliers()[i]});
  }
}

/// False: no velocity satisfies the program, as the report says.
bool Step::solveProgram(Report& report, double diameter, double dt) {
  bool frictional = false;
  for (double f : friction_) frictional = frictional || f > 0;
  solve::QuadraticProblem problem;
  problem.system = &system_;
  problem.rhs = system_.rhs();
  problem.rows = &rows_;
  problem.bound = bound_, problem.mobility = mobility_;
  problem.start = start_;
  if (frictional) {
    problem.tangents = &tangents_;
    problem.coefficient = friction_, problem.rest = rest_;
    problem.tangentMobility = tangentMobility_, problem.tangentStart = tangentStart_;
  }
  settings.negligible = negligibleGap * diameter / dt;
  const solve::QuadraticReport solved = program_.solve(problem, settings);
  ++report.programs;
  report.candidates = int(bound_.size()), report.active = solved.active;
  report.residual = solved.residual;
  report.frictionError = solved.frictionError;
  report.frictionUnsettled = solved.status == solve::QuadraticReport::Status::frictionUnsettled;
  if (solved.status == solve::QuadraticReport::Status::infeasible ||
      solved.status == solve::QuadraticReport::Status::failed) {
    report.status =
        solved.status == solve::QuadraticReport::Status::infeasible ? Status::contradiction : Status::failed;
    const int row = solved.row >= 0 ? solved.row : hardestRow();
    if (row >= 0) report.body = rowPoints_[row].body, report.obstacle = rowPoints_[row].obstacle;
    report.violation = solved.infeasibility;
    return false;
  }
  if (solved.residual <= largestResidual) return true;
  // Wedged: no finite forces satisfy growth, contact and Coulomb's law, and those found swamp the rest. Whether a
  // program sees that it has no solution or ends so is up to round-off.
  report.status = Status::contradiction;
  if (const int row = hardestRow(); row >= 0)
    report.body = rowPoints_[row].body, report.obstacle = rowPoints_[row].obstacle;
  return false;
}

void Step::readMotion(const Chain& chain, double dt) {
  const std::vector<double>& x = program_.solution();
  newV_.resize(chain.v.size());
  newQ_.resize(chain.q.size());
  for (int b = 0; b < chain.bodies(); ++b) {
    const int k = ChainSystem::bodyAt(b);
    for (int c = 0; c < 3; ++c) {
      newV_[3 * b + c] = x[k + c];
      newQ_[3 * b + c] = chain.q[3 * b + c] + dt * x[k + c];
    }
  }
  newTarget_.resize(chain.target.size());
  for (int i = 0; i < chain.pairs(); ++i) {
    const double impulse = -x[ChainSystem::growthAt(i)];
    newTarget_[i] = chain.target[i] + dt * (system_.growthRate(i) - system_.growthCompliance(i) * impulse);
  }
  if (chain.parameters().growthForm == Parameters::GrowthForm::length)
    apart_ = system_.project(chain.parameters(), newTarget_, newQ_);
}

/// Smallest gap beyond what is required, at the points found last, and the smallest of all [m].
double Step::worstGap(const SurfacePoint** where, double* lowest) const {
  double worst = *lowest = infinity;
  for (const SurfacePoint& c : search_.points()) {
    *lowest = std::min(*lowest, c.gap);
    const double over = c.gap - floor_[c.near];
    if (over < worst) worst = over, *where = &c;
  }
  return worst;
}

double Step::largestMotion(const Chain& chain) const {
  double largest = 0;
  for (int b = 0; b < chain.bodies(); ++b) {
    const Vec2 moved(newQ_[3 * b] - chain.q[3 * b], newQ_[3 * b + 1] - chain.q[3 * b + 1]);
    const double turned = std::fabs(newQ_[3 * b + 2] - chain.q[3 * b + 2]);
    largest = std::max(largest, moved.norm() + turned * std::max(chain.parameters().halfLength, chain.reach(b / 2)));
  }
  return largest;
}

/// The body that rotated most, if the rotation or the remaining joint error is too large for a linear step, or -1; the
/// published step has no such limit.
int Step::turnedTooFar(const Chain& chain) const {
  const Parameters& p = chain.parameters();
  if (p.growthForm == Parameters::GrowthForm::rate) return -1;
  double most = 0;
  int body = 0;
  for (int b = 0; b < chain.bodies(); ++b) {
    const double turn = std::fabs(newQ_[3 * b + 2] - chain.q[3 * b + 2]);
    if (!(turn <= most)) most = turn, body = b;
  }
  return most <= largestTurn && apart_ <= 1e-3 * p.halfLength ? -1 : body;
}

/// The row with the largest impulse; without any, the most demanding one; -1 where nothing is near.
int Step::hardestRow() const {
  const auto& impulses = program_.multipliers();
  const auto largest = [&](const std::vector<double>& of) {
    return int(std::max_element(of.begin(), of.end()) - of.begin());
  };
  if (rowPoints_.empty()) return -1;
  if (impulses.size() == rowPoints_.size() && impulses[largest(impulses)] > 0) return largest(impulses);
  return largest(bound_);
}

/// The published form of growth uses the unsigned distance of the bodies, which cannot pass through zero.
bool Step::shrinksAway(const Chain& chain, double growth) const {
  if (chain.parameters().growthForm == Parameters::GrowthForm::length || growth >= 0) return false;
  double shortest = infinity;
  for (int i = 0; i < chain.pairs(); ++i) shortest = std::min(shortest, chain.reach(i));
  return shortest + growth / chain.pairs() <= 0;
}

Report Step::solveWithContacts(const Chain& chain, std::span<const PlanarShape> shapes, double dt, double margin) {
  Report report;
  const bool tube = chain.parameters().contact == Parameters::Contact::tube;
  const double tolerance = chain.parameters().gapTolerance;
  search_.findPairs(chain, shapes, dt, margin);
  floor_.assign(std::size_t(search_.pairCount()), 0.0);
  search_.findPoints(chain, chain.q, shapes, dt, dt, margin);
  firstPoints_.assign(search_.points().begin(), search_.points().end());
  // Overlaps never deepen beyond the tolerance; otherwise many short steps would add theirs up.
  double deepest = -tolerance;
  // An existing overlap opens slowly, to do no work on a wedged tube. The published contact has no such limit.
  const double part = opens_ ? std::min(1.0, dt / chain.parameters().recoveryTime) : 0;
  for (const SurfacePoint& c : firstPoints_) {
    deepest = std::min(deepest, c.gap);
    if (!tube || c.gap >= 0) continue;
    floor_[c.near] = std::min(floor_[c.near], c.gap + std::min(dt * chain.parameters().recovery, -part * c.gap));
  }
  carried_ = chain.carried;
  for (int pass = 0;; ++pass) {
    addRows(chain, shapes, dt, pass);
    startFromCarried();
    if (!solveProgram(report, chain.parameters().diameter, dt)) return report;
    readMotion(chain, dt);
    if (!tube || search_.pairCount() == 0) return report;
    rememberForNextPass();
    // Widened by the motion, so that what blocked the tube is still found from where it would go without contact.
    search_.findPoints(chain, newQ_, shapes, 0, dt, margin + 2 * largestMotion(chain));
    const SurfacePoint* where = nullptr;
    const double worst = worstGap(&where, &report.lowestGap);
    const int crossed = search_.findCrossed(chain, newQ_, shapes, dt);
    if (crossed < 0 && worst >= -tolerance && report.lowestGap >= deepest - 1e-6 * tolerance) return report;
    if (pass + 1 < mostPasses) {
      if (crossed >= 0) search_.replaceCrossed(firstPoints_);
      continue;
    }
    report.status = crossed < 0 ? Status::penetration : Status::passage;
    report.body = crossed < 0 ? where->body : 2 * search_.pairOf(crossed);
    report.obstacle = crossed < 0 ? where->obstacle : search_.obstacleOf(crossed);
    report.violation = std::max(-worst, deepest - report.lowestGap);
    return report;
  }
}

/// Pairs that the load would push back stall, and yield again when the load drops below what growth can push; pairs
/// that it pulls grow only as fast as they are fed. `one`: only the first that violates this law changes. True:
/// changed.
bool Step::updateLocks(double growth, double dt, double stall, bool one) {
  bool changed = false;
  const double most = stall * dt, sign = growth < 0 ? -1 : 1;
  for (std::size_t i = 0; i < locked_.size(); ++i) {
    const double against = -sign * program_.solution()[ChainSystem::growthAt(int(i))];  // resisting impulse [N s]
    const GrowthLock before = locked_[i];
    if (before == GrowthLock::yields && system_.growthRate(int(i)) != 0) {
      if (against > most * (1 + 1e-12)) locked_[i] = GrowthLock::stalled;
      if (against < -most * fedTolerance) locked_[i] = GrowthLock::fed;
    } else if (before == GrowthLock::stalled && against < most * (1 - 1e-12)) {
      // With friction a pair may be overloaded when it yields and underloaded when it stalls: then it yields.
      locked_[i] = ++released_[i] < mostReleases ? GrowthLock::yields : GrowthLock::letGo;
    } else if (before == GrowthLock::fed && against > most * fedTolerance) {
      locked_[i] = GrowthLock::yields;
    }
    changed = changed || locked_[i] != before;
    if (one && changed) break;
  }
  return changed;
}

/// After a contradiction: relaxes one condition after another. False: none is left.
bool Step::relent() {
  bool fed = false, stalled = false;
  for (GrowthLock& lock : locked_) {
    if (lock == GrowthLock::fed) lock = GrowthLock::yields, fed = true;
    stalled = stalled || lock == GrowthLock::stalled;
  }
  if (fed) return true;
  if (opens_) {
    opens_ = false;
    return true;
  }
  for (GrowthLock& lock : locked_)
    if (lock == GrowthLock::stalled) lock = GrowthLock::letGo;
  return stalled;
}

Report Step::advance(Chain& chain, const Actuation& actuation, std::span<const PlanarShape> shapes, double dt) {
  const Parameters& p = chain.parameters();
  Report report;
  if (shrinksAway(chain, actuation.growth * dt)) {
    report.status = Status::tooShort;
    return report;
  }
  const int growing = p.growthSite == Parameters::GrowthSite::tip ? 1 : chain.pairs();
  if (std::fabs(actuation.growth) * dt > growing * 2 * p.halfLength) {
    report.status = Status::tooFast;
    report.body = chain.bodies() - 1;
    return report;
  }
  double fastest = std::fabs(actuation.growth);
  for (int b = 0; b < chain.bodies(); ++b) fastest = std::max(fastest, chain.velocity(b).norm());
  double margin = 2 * dt * fastest + 0.5 * p.radius();
  const bool stalls = std::isfinite(p.stall);
  // Pairs that were fed are likely to be fed again.
  locked_.assign(std::size_t(chain.pairs()), GrowthLock::yields);
  for (std::size_t i = 0; stalls && i < locked_.size(); ++i)
    if (chain.fed[i] != 0) locked_[i] = GrowthLock::fed;
  opens_ = true;
  released_.assign(locked_.size(), 0);
  for (int search = 0, round = 0;;) {
    system_.assemble(chain, actuation, dt, locked_);
    if (!system_.factor()) {
      report.status = Status::failed;
      return report;
    }
    report = solveWithContacts(chain, shapes, dt, margin);
    if (report.status == Status::contradiction && ++round < mostLockRounds && relent()) continue;
    if (!report.accepted()) return report;
    if (stalls && ++round < mostLockRounds && updateLocks(actuation.growth, dt, p.stall, round > roundsTogether))
      continue;
    if (const int body = turnedTooFar(chain); body >= 0) {
      report.status = Status::turned;
      report.body = body;
      return report;
    }
    const double motion = largestMotion(chain);
    if (motion <= margin || shapes.empty()) break;
    if (++search == mostSearches || !std::isfinite(motion)) {
      report.status = std::isfinite(motion) ? Status::moved : Status::failed;
      return report;
    }
    margin = 1.5 * motion;
  }
  accept(chain, shapes, dt, report);
  report.retracted = actuation.growth < 0 && system_.retracted();
  return report;
}

void Step::accept(Chain& chain, std::span<const PlanarShape> shapes, double dt, Report& report) {
  const Parameters& p = chain.parameters();
  for (double value : newV_) {
    if (std::isfinite(value)) continue;
    report.status = Status::failed;
    return;
  }
  if (p.contact == Parameters::Contact::tube) {
    int pair = -1, obstacle = -1;
    const double before = search_.axisDistance(chain, chain.q, shapes, dt, &pair, &obstacle);
    const double after = search_.axisDistance(chain, newQ_, shapes, 0, &pair, &obstacle);
    if (after < std::min(0.0, before) - axisDepth * p.radius()) {
      report.status = Status::penetration;
      report.body = 2 * pair + 1, report.obstacle = obstacle, report.violation = -after;
      return;
    }
  }
  contacts_.clear();
  rememberForNextPass();
  chain.carried = carried_;
  for (std::size_t i = 0; i < rowPoints_.size(); ++i) {
    const double normal = program_.multipliers()[i];
    if (normal <= 0) continue;
    const SurfacePoint& c = rowPoints_[i];
    contacts_.push_back({c.body, c.obstacle, c.point - p.radius() * c.normal, c.normal, normal / dt,
                         program_.tangentMultipliers()[i] / dt});
  }
  chain.q.swap(newQ_);
  chain.v.swap(newV_);
  for (std::size_t i = 0; i < locked_.size(); ++i) chain.fed[i] = locked_[i] == GrowthLock::fed ? 1 : 0;
  for (int i = 0; i < chain.pairs(); ++i) {
    const double impulse = -program_.solution()[ChainSystem::growthAt(i)];
    const double rate = system_.growthRate(i) - system_.growthCompliance(i) * impulse;
    chain.target[i] = p.growthForm == Parameters::GrowthForm::length ? newTarget_[i] : chain.reach(i);
    report.growthRate += rate;
    if (i == chain.pairs() - 1) report.growthForce = impulse / dt;
  }
  const int bodies = chain.bodies();
  while (chain.adaptTip()) {
  }
  report.bodiesChanged = chain.bodies() - bodies;
}

Overlap Step::overlap(const Chain& chain, std::span<const PlanarShape> shapes) {
  Overlap deepest;
  search_.findPairs(chain, shapes, 0, 0);
  search_.findPoints(chain, chain.q, shapes, 0, 0, 0);
  for (const SurfacePoint& c : search_.points())
    if (-c.gap > deepest.depth) deepest = {c.body, c.obstacle, -c.gap, false};
  // The base may stand on an obstacle, but its axis must neither lie inside one nor cross one.
  int pair = -1, obstacle = -1;
  const double axis = search_.axisDistance(chain, chain.q, shapes, 0, &pair, &obstacle);
  if (axis < -axisDepth * chain.parameters().radius())
    deepest = {2 * pair, obstacle, chain.parameters().radius() - axis, true};
  return deepest;
}

}  // namespace tendril::vines
