#include "strain/linkage_contact.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "contact/obstacle_passage.h"

namespace tendril {

LinkageContact::LinkageContact(const Scene& scene, std::vector<LinkageContactPoint> points, std::vector<double> stiffness,
                               double radius)
    : scene_(scene), motion_(scene) {
  for (const Obstacle& o : scene.obstacles) obstacles_.push_back(obstacleShape(o));
  setPoints(std::move(points), std::move(stiffness), radius);
}

double LinkageContact::spacing(const Scene& scene, double radius) {
  double least = std::numeric_limits<double>::infinity();
  for (const Obstacle& o : scene.obstacles) least = std::min(least, pointSpacing(obstacleShape(o), radius));
  return least;
}

int LinkageContact::parts(const Scene& scene, double length, double radius) {
  // Close enough for the obstacles, and for a bent link lying on a plane.
  const double widest = std::max(length / 6, 3 * radius);
  const double apart = std::max(std::min(spacing(scene, radius), widest), narrowest * radius);
  return std::clamp(static_cast<int>(std::ceil(length / apart)), 1, mostParts);
}

void LinkageContact::setPoints(std::vector<LinkageContactPoint> points, std::vector<double> stiffness, double radius) {
  points_ = std::move(points);
  stiffness_ = std::move(stiffness), radius_ = radius;
  laws_.assign(stiffness_.size() * obstacles_.size(), {});
  const std::vector<double> began = overlaps();
  candidates_.clear(), start_.clear();
  for (std::size_t p = 0; p < points_.size(); ++p) {
    for (std::size_t o = 0; o < obstacles_.size(); ++o) candidates_.push_back({p, o, 0});
  }
  if (began.size() == candidates_.size()) setOverlaps(began);
}

Vec3 LinkageContact::place(const Candidate& c, const Pose& pose) const {
  return pose.r + pose.R * points_[c.point].local;
}

double LinkageContact::stiffnessAt(const Candidate& c) const {
  const double k = lawOf(c).stiffness;
  return scene_.contact.perLength ? k * points_[c.point].share : k;
}

double LinkageContact::gapOf(const Candidate& c, double distance) const {
  return distance - points_[c.point].radius + overlapLeft_ * c.overlap;
}

void LinkageContact::findOverlaps(const std::vector<ChainFrame>& frames) {
  for (Candidate& c : candidates_) {
    ObstacleShape shape = obstacles_[c.obstacle];
    shape.moved = motion_.initial(c.obstacle);
    const LinkageContactPoint& p = points_[c.point];
    const Vec3 x = place(c, frames[static_cast<std::size_t>(p.step)].pose);
    c.overlap = std::max(0.0, p.radius - signedDistance(shape, x).distance);
  }
}

std::vector<double> LinkageContact::overlaps() const {
  std::vector<double> out;
  for (const Candidate& c : candidates_) out.push_back(c.overlap);
  return out;
}

std::map<std::size_t, double> LinkageContact::deepestOverlaps() const {
  std::map<std::size_t, double> out;
  for (const Candidate& c : candidates_) {
    if (!(c.overlap > 0)) continue;
    double& depth = out[c.obstacle];
    depth = std::max(depth, c.overlap);
  }
  return out;
}

void LinkageContact::setOverlaps(const std::vector<double>& overlaps) {
  for (std::size_t i = 0; i < candidates_.size(); ++i) candidates_[i].overlap = overlaps[i];
}

void LinkageContact::prepare(const Moment& end, const Moment& at, double t0) {
  if (obstacles_.empty()) return;
  const FormulaInput in = timedInput(scene_, at);
  overlapLeft_ = overlapLeft(scene_, at);
  elapsed_ = at.t - t0;
  Moment start = at;
  start.t = t0;
  parting_ = elapsed_ > 0 ? (overlapLeft(scene_, start) - overlapLeft_) / elapsed_ : 0;
  motion_.prepare(end, at, t0);
  for (std::size_t i = 0; i < obstacles_.size(); ++i) {
    obstacles_[i].moved = motion_.way(i).now;
    obstacles_[i].velocity = motion_.way(i).velocity;
  }
  for (std::size_t kind = 0; kind < stiffness_.size(); ++kind) {
    const ContactLaw common = contactValues(scene_, radius_, stiffness_[kind], at);
    for (std::size_t i = 0; i < obstacles_.size(); ++i) {
      laws_[kind * obstacles_.size() + i] = contactValues(scene_.obstacles[i], common, in);
    }
  }
}

void LinkageContact::begin(const std::vector<ChainFrame>& frames) {
  start_.clear(), startBefore_.clear();
  for (const LinkageContactPoint& p : points_) {
    start_.push_back(frames[static_cast<std::size_t>(p.step)].pose);
    startBefore_.push_back(frames[static_cast<std::size_t>(std::max(p.before, 0))].pose);
  }
}

bool LinkageContact::touches(const Candidate& c, const Pose& pose, Touch& out) const {
  const ContactLaw& law = lawOf(c);
  const ObstacleShape& obstacle = obstacles_[c.obstacle];
  const double reach = penaltyReach * law.distance;
  out.x = place(c, pose);
  if (gapOf(c, distanceAtLeast(obstacle, out.x)) > reach) return false;
  out.sd = signedDistance(obstacle, out.x);
  out.gap = gapOf(c, out.sd.distance);
  if (out.gap > reach) return false;
  out.penalty = penalty(out.gap, stiffnessAt(c), law.distance);
  return true;
}

// Adds damping to a contact's normal force, measured against where point and obstacle were at the step's start. By how
// much they have come nearer [m].
double LinkageContact::approach(const Candidate& c, const Touch& touch, Penalty& damped) const {
  const double damping = scene_.contact.damping;
  if (damping == 0 || elapsed_ <= 0 || start_.empty()) return 0;
  ObstacleShape before = obstacles_[c.obstacle];
  before.moved = motion_.way(c.obstacle).before;
  const double start = gapOf(c, signedDistance(before, place(c, start_[c.point])).distance);
  const Penalty there = penalty(start, stiffnessAt(c), lawOf(c).distance);
  addApproachDamping(damped, touch.gap, start, there.energy, damping / elapsed_);
  return start - touch.gap;
}

// Per normal force times mu, at the velocity u [m/s] against the obstacle; zero where nothing rubs.
FrictionForce LinkageContact::rubbing(const Candidate& c, const Touch& touch, const ChainFrame& frame, Vec3& u) const {
  const ContactLaw& law = lawOf(c);
  u.setZero();
  if (!scene_.solver.dynamic || !(law.friction > 0) || !(touch.penalty.force > 0)) {
    FrictionForce none;
    none.force.setZero(), none.slope.setZero();
    return none;
  }
  const Vec3 speed = frame.velocity.tail<3>() + frame.velocity.head<3>().cross(points_[c.point].local);
  u = frame.pose.R * speed - obstacles_[c.obstacle].velocity;
  return friction(1, touch.sd.normal, law.slip, u);
}

void LinkageContact::addWork(const ChainWay& way, WorkDone& done, std::vector<Vec3>& pushes) const {
  pushes.assign(obstacles_.size(), Vec3::Zero());
  Touch touch;
  Vec3 u;
  for (const Candidate& c : candidates_) {
    const int step = points_[c.point].step;
    const ChainFrame& frame = way.frames[static_cast<std::size_t>(step)];
    if (!touches(c, frame.pose, touch)) continue;
    Penalty e = touch.penalty;
    const double nearer = approach(c, touch, e);
    const Vec3 velocity = obstacles_[c.obstacle].velocity;
    done.work += way.dt * e.force * parting_ * c.overlap;
    if (nearer > 0) done.dissipated += (e.force - touch.penalty.force) * nearer * way.dt / elapsed_;
    const Vec3 rub = lawOf(c).friction * e.force * rubbing(c, touch, frame, u).force;
    done.dissipated += rub.dot(way.of(step, points_[c.point].local) - way.dt * velocity);
    pushes[c.obstacle] += e.force * touch.sd.normal - rub;
  }
}

bool LinkageContact::strikes(const std::vector<ChainFrame>& frames, double dt) const {
  constexpr double resolved = 0.25;  // of the distance over which contact sets in
  for (const Candidate& c : candidates_) {
    const LinkageContactPoint& p = points_[c.point];
    const ChainFrame& frame = frames[static_cast<std::size_t>(p.step)];
    const double onset = lawOf(c).distance;
    const Vec3 velocity = frame.pose.R * (frame.velocity.tail<3>() + frame.velocity.head<3>().cross(p.local));
    const Vec3 way = dt * (velocity - obstacles_[c.obstacle].velocity), x = place(c, frame.pose);
    if (way.norm() <= resolved * onset) continue;
    ObstacleShape obstacle = obstacles_[c.obstacle];
    obstacle.moved = motion_.way(c.obstacle).before;
    if (gapOf(c, distanceAtLeast(obstacle, x)) > onset + 2 * way.norm()) continue;
    const SignedDistance sd = signedDistance(obstacle, x);
    const double across = sd.normal.dot(way);
    const bool reaches = gapOf(c, sd.distance) < onset - 2 * std::min(across, 0.0);
    if (reaches && std::abs(across) > resolved * onset) return true;
  }
  return false;
}

void LinkageContact::add(const std::vector<ChainFrame>& frames, bool slopes, ChainLoads& out) {
  Touch touch;
  storing_ = 0;
  for (const Candidate& c : candidates_) {
    const std::size_t step = static_cast<std::size_t>(points_[c.point].step);
    const ChainFrame& frame = frames[step];
    if (!touches(c, frame.pose, touch)) continue;
    const Vec3 speed = frame.pose.R * (frame.velocity.tail<3>() + frame.velocity.head<3>().cross(points_[c.point].local));
    storing_ += touch.penalty.force * (touch.sd.normal.dot(obstacles_[c.obstacle].velocity - speed) + parting_ * c.overlap);
    addTouch(c, touch, frame, slopes, step, out);
  }
}

// With x = r + R p a twist (k, l) of the frame moves the point by R A (k; l), A = (-[p]x, 1); a force F at it is the
// wrench A^T R^T F, and R^T F itself turns by [R^T F]x k.
void LinkageContact::addTouch(const Candidate& c, const Touch& touch, const ChainFrame& frame, bool slopes,
                              std::size_t step, ChainLoads& loads) const {
  ChainWrench& out = loads.wrenches[step];
  const ContactLaw& law = lawOf(c);
  const Vec3& n = touch.sd.normal;
  const Mat3& R = frame.pose.R;
  Mat<3, 6> A;
  A << -skew(points_[c.point].local), Mat3::Identity();
  const Vec3 speed = A * frame.velocity;  // of the point, body frame
  Penalty e = touch.penalty;
  approach(c, touch, e);
  Vec3 u;
  const FrictionForce unit = rubbing(c, touch, frame, u);
  const bool rubs = scene_.solver.dynamic && law.friction > 0 && touch.penalty.force > 0;
  const double limit = law.friction * e.force;  // the whole normal force, dashpot included
  Vec3 force = e.force * n;
  if (rubs) force -= limit * unit.force;
  const Vec3 local = R.transpose() * force;
  const Vec6 wrench = A.transpose() * local;
  out.value -= wrench;
  loads.measure(step, wrench);
  if (!slopes) return;
  Mat3 byPlace = e.force * touch.sd.hessian - e.stiffness * n * n.transpose();
  if (rubs) {
    byPlace += law.friction * e.stiffness * unit.force * n.transpose();
    byPlace -= limit * frictionByNormal(unit, n, u) * touch.sd.hessian;
  }
  Mat<3, 6> change = R.transpose() * byPlace * R * A;
  change.leftCols<3>() += skew(local);
  if (rubs) {
    const Mat3 bySpeed = -limit * (R.transpose() * unit.slope * R);
    change.leftCols<3>() -= bySpeed * skew(speed);
    out.byVelocity -= A.transpose() * bySpeed * A;
  }
  out.byPose -= A.transpose() * change;
}

// Part of the way of a point whose frame goes by `screw` (a twist of its own) while the obstacle goes by `move`. Along
// a screw a point's speed does not change.
double LinkageContact::passage(const Candidate& c, const ObstacleShape& o, const Pose& from, const Vec6& screw,
                               const Vec3& move) const {
  const LinkageContactPoint& p = points_[c.point];
  const double arc = (screw.tail<3>() + screw.head<3>().cross(p.local)).norm(), length = arc + move.norm();
  return firstPassageAlong(o, p.radius, length, [&](double part) {
    return Vec3(place(c, part == 0 ? from : from * exponential(part * screw)) - part * move);
  });
}

double LinkageContact::longestStep(const std::vector<Pose>& from, const std::vector<Pose>& to) {
  double part = 1;
  Vec6 screw = Vec6::Zero();
  std::size_t known = from.size();  // the step whose screw that is
  for (const Candidate& c : candidates_) {
    const std::size_t step = static_cast<std::size_t>(points_[c.point].step);
    if (step != known) screw = logarithm(inverse(from[step]) * to[step]), known = step;
    part = std::min(part, passage(c, obstacles_[c.obstacle], from[step], screw, Vec3::Zero()));
  }
  return part;
}

std::string LinkageContact::sweeper() const {
  if (start_.empty()) return {};
  for (const Candidate& c : candidates_) {
    const ObstacleMotion::Way& way = motion_.way(c.obstacle);
    const Vec3 move = way.after - way.before;
    if (move.isZero(0)) continue;
    ObstacleShape o = obstacles_[c.obstacle];
    o.moved = way.before;
    if (passage(c, o, start_[c.point], Vec6::Zero(), move) < 1) return scene_.obstacles[c.obstacle].name;
  }
  return {};
}

std::string LinkageContact::crossed(const std::vector<ChainFrame>& end) const {
  if (start_.empty()) return {};
  for (const Candidate& c : candidates_) {
    const ObstacleMotion::Way& way = motion_.way(c.obstacle);
    const Pose& from = start_[c.point];
    const Vec6 screw = logarithm(inverse(from) * end[static_cast<std::size_t>(points_[c.point].step)].pose);
    ObstacleShape o = obstacles_[c.obstacle];
    o.moved = way.before;
    if (passage(c, o, from, screw, way.after - way.before) < 1) return scene_.obstacles[c.obstacle].name;
  }
  return {};
}

std::string LinkageContact::engulfed(const std::vector<ChainFrame>& end) const {
  if (start_.empty()) return {};
  for (const Candidate& c : candidates_) {
    const LinkageContactPoint& p = points_[c.point];
    ObstacleShape o = obstacles_[c.obstacle];
    const Vec3 x = place(c, end[static_cast<std::size_t>(p.step)].pose);
    if (!isEngulfed(o, p.radius, x)) continue;
    const double now = signedDistance(o, x).distance;
    o.moved = motion_.way(c.obstacle).before;
    if (now < signedDistance(o, place(c, start_[c.point])).distance) return scene_.obstacles[c.obstacle].name;
  }
  return {};
}

std::string LinkageContact::pressedIn(const std::vector<ChainFrame>& frames) const {
  double most = 0.5;
  const Candidate* deepest = nullptr;
  for (const Candidate& c : candidates_) {
    const LinkageContactPoint& p = points_[c.point];
    const ObstacleShape& o = obstacles_[c.obstacle];
    const double limit = coreLimit(o, p.radius);
    if (!std::isfinite(limit)) continue;
    const double depth = p.radius - signedDistance(o, place(c, frames[static_cast<std::size_t>(p.step)].pose)).distance;
    if (depth > most * (p.radius - limit)) most = depth / (p.radius - limit), deepest = &c;
  }
  if (!deepest) return {};
  const LinkageContactPoint& p = points_[deepest->point];
  const Linkage& linkage = scene_.linkages[static_cast<std::size_t>(p.linkage)];
  return "\"" + linkage.name + "/" + linkage.links[static_cast<std::size_t>(p.link)].name + "\" is pressed into obstacle \"" +
         scene_.obstacles[deepest->obstacle].name + "\" almost to its core: a larger contact \"stiffness\" holds it, or a shorter \"dt\", which the default goes by";
}

bool LinkageContact::dissipates() const {
  return scene_.contact.damping > 0 || std::any_of(laws_.begin(), laws_.end(), [](const ContactLaw& law) { return law.friction > 0; });
}

ContactSummary LinkageContact::summary(const std::vector<ChainFrame>& frames, int obstacle) const {
  ContactSummary out;
  Touch touch;
  for (const Candidate& c : candidates_) {
    const LinkageContactPoint& p = points_[c.point];
    if (obstacle >= 0 && c.obstacle != static_cast<std::size_t>(obstacle)) continue;
    const Pose& pose = frames[static_cast<std::size_t>(p.step)].pose;
    out.penetration =
        std::max(out.penetration, p.radius - signedDistance(obstacles_[c.obstacle], place(c, pose)).distance);
    if (!touches(c, pose, touch) || touch.gap > lawOf(c).distance) continue;
    ++out.pairs;
    out.force += touch.penalty.force;
  }
  return out;
}

double LinkageContact::energyBefore() const {
  if (start_.empty()) return 0;
  double energy = 0;
  for (const Candidate& c : candidates_) {
    ObstacleShape before = obstacles_[c.obstacle];
    before.moved = motion_.way(c.obstacle).before;
    const ContactLaw& law = lawOf(c);
    const double reach = penaltyReach * law.distance, parted = parting_ * elapsed_ * c.overlap;
    const Vec3 x = place(c, start_[c.point]);
    if (gapOf(c, distanceAtLeast(before, x)) + parted > reach) continue;
    const double gap = gapOf(c, signedDistance(before, x).distance) + parted;
    if (gap <= reach) energy += penalty(gap, stiffnessAt(c), law.distance).energy;
  }
  return energy;
}

double LinkageContact::touch() const {
  double most = 0;
  for (const Candidate& c : candidates_) most = std::max(most, touchEnergy(stiffnessAt(c), lawOf(c).distance));
  return most;
}

double LinkageContact::energy(const std::vector<ChainFrame>& frames) const {
  double energy = 0;
  Touch touch;
  for (const Candidate& c : candidates_) {
    if (touches(c, frames[static_cast<std::size_t>(points_[c.point].step)].pose, touch)) energy += touch.penalty.energy;
  }
  return energy;
}

}  // namespace tendril
