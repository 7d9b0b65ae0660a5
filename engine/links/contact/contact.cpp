#include "links/contact/contact.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "contact/obstacle_passage.h"

namespace tendril::links {

Contact::Contact(const world::World& world, Skin skin) : scene_(world.scene()), outside_(scene_, world.obstacles()) {
  setSkin(std::move(skin));
}

int Contact::parts(const contact::ObstacleShape& obstacle, double length, double radius) {
  // Close enough for the obstacle, and for a bent link lying on a plane.
  const double widest = std::max(length / 6, 3 * radius);
  const double apart = std::max(std::min(contact::pointSpacing(obstacle, radius), widest), narrowest * radius);
  if (!(apart > 0)) return 1;  // without thickness no points are close enough; what comes between them is met there
  return static_cast<int>(std::clamp(std::ceil(length / apart), 1.0, static_cast<double>(mostParts)));
}

void Contact::setSkin(Skin skin) {
  skin_ = std::move(skin);
  const std::vector<Candidate> began = std::exchange(candidates_, {}), beganBetween = std::exchange(stretches_, {});
  start_.clear(), near_ = {};
  std::size_t kinds = 0;
  for (const Skin::Group& group : skin_.groups) kinds = std::max(kinds, group.stiffness.size());
  outside_.setKinds(kinds);
  for (std::size_t p = 0; p < skin_.points.size(); ++p) {
    for (const int obstacle : skin_.groups[static_cast<std::size_t>(skin_.points[p].group)].obstacles) {
      const std::size_t o = static_cast<std::size_t>(obstacle);
      candidates_.push_back({p, o, 0});
      if (skin_.points[p].before >= 0 && obstacles()[o].kind != contact::ObstacleShape::Kind::plane)
        stretches_.push_back({p, o, 0});
    }
  }
  all_.resize(candidates_.size());
  std::iota(all_.begin(), all_.end(), std::size_t{0});
  if (began.size() != candidates_.size() || beganBetween.size() != stretches_.size()) return;
  for (std::size_t i = 0; i < began.size(); ++i) candidates_[i].overlap = began[i].overlap;
  for (std::size_t i = 0; i < beganBetween.size(); ++i) stretches_[i].overlap = beganBetween[i].overlap;
}

world::SurfacePoint Contact::placeOf(const Candidate& c) const {
  const ContactPoint& p = skin_.points[c.point];
  const scene::ContactLaw& law = lawOf(c);
  return {c.obstacle, &law, p.radius, outside_.stiffness(law, p.share), c.overlap};
}

void Contact::findOverlaps(const std::vector<ChainFrame>& frames) {
  for (Candidate& c : candidates_) {
    const contact::ObstacleShape shape = outside_.initial(c.obstacle);
    const ContactPoint& p = skin_.points[c.point];
    const Vec3 x = place(c, frames[static_cast<std::size_t>(p.step)].pose);
    c.overlap = std::max(0.0, p.radius - contact::signedDistance(shape, x).distance);
  }
  for (Candidate& c : stretches_) {
    findOverlapBetween(c, outside_.initial(c.obstacle), frames);
  }
}

std::map<std::size_t, double> Contact::deepestOverlaps() const {
  std::map<std::size_t, double> out;
  for (const Candidate& c : candidates_) {
    if (!(c.overlap > 0)) continue;
    double& depth = out[c.obstacle];
    depth = std::max(depth, c.overlap);
  }
  for (const Candidate& c : stretches_) {
    if (c.inner) out[c.obstacle] = std::max(out[c.obstacle], c.overlap);
  }
  return out;
}

void Contact::visit(model::Archive& archive) {
  for (std::vector<Candidate>* list : {&candidates_, &stretches_}) {
    for (Candidate& c : *list) archive(c.overlap);
  }
}

void Contact::prepare(const scene::Instant& end, const scene::Instant& at, double t0) {
  if (outside_.empty()) return;
  outside_.prepare(end, at, t0);
  for (const Skin::Group& group : skin_.groups) {
    for (std::size_t kind = 0; kind < group.stiffness.size(); ++kind) {
      const scene::ContactLaw common = scene::contactValues(scene_, group.radius, group.stiffness[kind], at);
      for (const int o : group.obstacles) outside_.setLaw(kind, static_cast<std::size_t>(o), common, at);
    }
  }
}

void Contact::begin(const std::vector<ChainFrame>& frames) {
  start_.clear(), startBefore_.clear();
  for (const ContactPoint& p : skin_.points) {
    start_.push_back(frames[static_cast<std::size_t>(p.step)].pose);
    startBefore_.push_back(frames[static_cast<std::size_t>(std::max(p.before, 0))].pose);
  }
}

bool Contact::touches(const Candidate& c, const geometry::Pose& pose, Touch& out) const {
  const ContactPoint& p = skin_.points[c.point];
  const world::SurfacePoint side = placeOf(c);
  out.x = place(c, pose);
  if (!outside_.touches(side, out.x, out)) return false;
  out.radius = side.radius, out.stiffness = side.stiffness, out.scale = 1;
  out.count = 1, out.feet[0] = {static_cast<std::size_t>(p.step), 1, p.local};
  return true;
}

template <class Act>
void Contact::forEachTouch(const std::vector<ChainFrame>& frames, const Act& act) const {
  Touch touch;
  const Near& near = nearTo(frames);
  for (const std::size_t i : near.candidates) {
    const Candidate& c = candidates_[i];
    if (touches(c, frames[static_cast<std::size_t>(skin_.points[c.point].step)].pose, touch)) act(c, touch);
  }
  Between b;
  for (const std::size_t i : near.stretches) {
    const Candidate& c = stretches_[i];
    if (!between(c, frames, b)) continue;
    for (const Along* part : {&b.place, &b.start, &b.end}) act(c, part->touch);
  }
}

// Adds damping to a contact's normal force, measured against where point and obstacle were at the step's start. By how
// much they have come nearer [m]. `normal`: of the obstacle there.
double Contact::approach(const Candidate& c, const Touch& touch, contact::Penalty& damped, Vec3* normal) const {
  if (!outside_.damps() || start_.empty()) return 0;
  Vec3 x = Vec3::Zero();
  for (int k = 0; k < touch.count; ++k) {
    const Foot& f = touch.feet[static_cast<std::size_t>(k)];
    x += f.weight * startOf(c, touch, k).r + startOf(c, touch, k).R * f.arm;
  }
  return outside_.damp(placeOf(c, touch), touch.gap, x, damped, normal);
}

// Per normal force times mu, at the velocity u [m/s] against the obstacle; zero where nothing slides.
contact::FrictionForce Contact::slidingFriction(const Candidate& c, const Touch& touch,
                                                const std::vector<ChainFrame>& frames, Vec3& u) const {
  const scene::ContactLaw& law = lawOf(c);
  u.setZero();
  if (!scene_.solver.dynamic || !(law.friction > 0) || !(touch.penalty.force > 0)) {
    contact::FrictionForce none;
    none.force.setZero(), none.slope.setZero();
    return none;
  }
  u = speedOf(frames, touch.feet, touch.count) - obstacles()[c.obstacle].velocity;
  return contact::friction(1, touch.surface.normal, law.slip, u);
}

void Contact::show(const std::vector<ChainFrame>& frames, model::WatchFrame& frame) const {
  if (frame.count == 3) return;
  world::ShownPushes pushes(outside_);
  forEachTouch(frames, [&](const Candidate& c, const Touch& touch) {
    pushes.add(placeOf(c, touch), touch.surface.normal, touch.scale * touch.penalty.energy);
  });
  pushes.show(touch(), frame);
}

void Contact::addWork(const ChainDisplacement& way, model::WorkDone& done, std::vector<Vec3>& pushes) const {
  pushes.assign(obstacles().size(), Vec3::Zero());
  forEachTouch(way.frames, [&](const Candidate& c, const Touch& touch) {
    contact::Penalty e = touch.penalty;
    const double nearer = approach(c, touch, e), scale = touch.scale;
    const Vec3 velocity = obstacles()[c.obstacle].velocity;
    outside_.addNormalWork(placeOf(c, touch), touch.penalty, e, nearer, way.dt, scale, done);
    Vec3 u;
    const Vec3 friction = scale * lawOf(c).friction * e.force * slidingFriction(c, touch, way.frames, u).force;
    Vec3 went = -way.dt * velocity;
    for (int k = 0; k < touch.count; ++k) {
      const Foot& f = touch.feet[static_cast<std::size_t>(k)];
      const int step = static_cast<int>(f.step);
      went += way.of(step, f.arm);
      if (f.weight != 1) went += (f.weight - 1) * way.of(step, Vec3::Zero());
    }
    done.dissipated += friction.dot(went);
    pushes[c.obstacle] += scale * e.force * touch.surface.normal - friction;
  });
}

// Whether what is at x and goes by `way` in the step comes upon the obstacle, or leaves it, faster than steps resolve.
bool Contact::hasImpactAt(const Candidate& c, const Vec3& x, const Vec3& way, double radius) const {
  constexpr double resolved = 0.25;  // of the distance over which contact sets in
  const double onset = lawOf(c).distance;
  if (way.norm() <= resolved * onset) return false;
  const contact::ObstacleShape obstacle = outside_.before(c.obstacle);
  const double aside = outside_.parting().left * c.overlap - radius;
  if (contact::distanceAtLeast(obstacle, x) + aside > onset + 2 * way.norm()) return false;
  const geometry::SignedDistance sd = contact::signedDistance(obstacle, x);
  const double across = sd.normal.dot(way);
  const bool reaches = sd.distance + aside < onset - 2 * std::min(across, 0.0);
  return reaches && std::abs(across) > resolved * onset;
}

bool Contact::hasImpact(const std::vector<ChainFrame>& frames, double dt) const {
  for (const Candidate& c : candidates_) {
    const ContactPoint& p = skin_.points[c.point];
    const ChainFrame& frame = frames[static_cast<std::size_t>(p.step)];
    const Vec3 velocity = frame.pose.R * (frame.velocity.tail<3>() + frame.velocity.head<3>().cross(p.local));
    if (hasImpactAt(c, place(c, frame.pose), dt * (velocity - obstacles()[c.obstacle].velocity), p.radius)) return true;
  }
  for (const Candidate& c : stretches_) {
    const ContactPoint& p = skin_.points[c.point];
    const geometry::Pose &before = frames[static_cast<std::size_t>(p.before)].pose,
                         &pose = frames[static_cast<std::size_t>(p.step)].pose;
    const Vec3& moves = obstacles()[c.obstacle].velocity;
    const contact::ObstacleShape o = outside_.before(c.obstacle);
    Along at = along(c, o, 0, before, pose, 0), end = along(c, o, 0, before, pose, 1);
    const double fastest = std::max((speedOf(frames, at.touch.feet, at.touch.count) - moves).norm(),
                                    (speedOf(frames, end.touch.feet, end.touch.count) - moves).norm());
    if (!isNear(c, o, before, pose, lawOf(c).distance + 2 * dt * fastest)) continue;
    at = along(c, o, 0, before, pose, nearest(c, o, 0, before, pose));
    if (hasImpactAt(c, at.touch.x, dt * (speedOf(frames, at.touch.feet, at.touch.count) - moves), at.touch.radius))
      return true;
  }
  return false;
}

void Contact::add(const std::vector<ChainFrame>& frames, bool slopes, ChainLoads& out) {
  storing_ = 0;
  const auto act = [&](const Candidate& c, const Touch& touch) {
    const Vec3 speed = speedOf(frames, touch.feet, touch.count);
    storing_ +=
        touch.scale * touch.penalty.force *
        (touch.surface.normal.dot(obstacles()[c.obstacle].velocity - speed) + outside_.parting().rate * c.overlap);
    addTouch(c, touch, frames, slopes, out);
  };
  Touch touch;
  const Near& near = nearTo(frames);
  for (const std::size_t i : near.candidates) {
    const Candidate& c = candidates_[i];
    if (touches(c, frames[static_cast<std::size_t>(skin_.points[c.point].step)].pose, touch)) act(c, touch);
  }
  Between b;
  for (const std::size_t i : near.stretches) {
    const Candidate& c = stretches_[i];
    if (!between(c, frames, b)) continue;
    for (const Along* part : {&b.place, &b.start, &b.end}) act(c, part->touch);
    if (slopes) addSlide(c, b, frames, out);
  }
}

// With x = w r + R p a twist (k, l) of a frame moves the point by R A (k; l), A = (-[p]x, w); a force F at it is the
// wrench A^T R^T F, and R^T F itself turns by [R^T F]x k.
void Contact::addTouch(const Candidate& c, const Touch& touch, const std::vector<ChainFrame>& frames, bool slopes,
                       ChainLoads& loads) const {
  const scene::ContactLaw& law = lawOf(c);
  const Vec3& n = touch.surface.normal;
  contact::Penalty e = touch.penalty;
  approach(c, touch, e);
  Vec3 u;
  const contact::FrictionForce unit = slidingFriction(c, touch, frames, u);
  const bool slides = scene_.solver.dynamic && law.friction > 0 && touch.penalty.force > 0;
  const double limit = law.friction * e.force;  // the whole normal force, dashpot included
  Vec3 force = e.force * n;
  if (slides) force -= limit * unit.force;
  force *= touch.scale;
  Mat3 byPlace = Mat3::Zero(), bySpeed = Mat3::Zero();
  if (slopes) {
    byPlace = e.force * touch.surface.hessian - e.stiffness * n * n.transpose();
    if (slides) {
      byPlace += law.friction * e.stiffness * unit.force * n.transpose();
      byPlace -= limit * contact::frictionByNormal(unit, n, u) * touch.surface.hessian;
      bySpeed = (-limit * touch.scale) * unit.slope;
    }
    byPlace *= touch.scale;
  }
  std::array<Mat<3, 6>, 2> arms;
  for (std::size_t k = 0; k < static_cast<std::size_t>(touch.count); ++k) {
    arms[k] << -geometry::skew(touch.feet[k].arm), touch.feet[k].weight * Mat3::Identity();
  }
  for (std::size_t k = 0; k < static_cast<std::size_t>(touch.count); ++k) {
    const std::size_t step = touch.feet[k].step;
    const Mat3& R = frames[step].pose.R;
    const Vec3 local = R.transpose() * force;
    const geometry::Vec6 wrench = arms[k].transpose() * local;
    loads.wrenches[step].value -= wrench;
    loads.measure(step, wrench);
    for (std::size_t j = 0; slopes && j < static_cast<std::size_t>(touch.count); ++j) {
      const ChainFrame& other = frames[touch.feet[j].step];
      const Mat3& Q = other.pose.R;
      Mat<3, 6> change = R.transpose() * byPlace * Q * arms[j];
      if (j == k) change.leftCols<3>() += geometry::skew(local);
      geometry::Mat6 byVelocity = geometry::Mat6::Zero();
      if (slides) {
        const Mat3 seen = R.transpose() * bySpeed * Q;
        change.leftCols<3>() -= seen * geometry::skew(Vec3(arms[j] * other.velocity));
        byVelocity = -arms[k].transpose() * seen * arms[j];
      }
      const geometry::Mat6 byPose = -arms[k].transpose() * change;
      if (j == k) {
        loads.wrenches[step].byPose += byPose, loads.wrenches[step].byVelocity += byVelocity;
      } else {
        loads.couplings.push_back({static_cast<int>(step), static_cast<int>(touch.feet[j].step), byPose, byVelocity});
      }
    }
  }
}

bool Contact::dissipates() const { return scene_.contact.damping > 0 || outside_.hasFriction(); }

scene::ContactSummary Contact::summary(const std::vector<ChainFrame>& frames, int obstacle) const {
  scene::ContactSummary out;
  Touch touch;
  const Near& near = nearTo(frames);
  for (const std::size_t i : near.candidates) {
    const Candidate& c = candidates_[i];
    const ContactPoint& p = skin_.points[c.point];
    if (obstacle >= 0 && c.obstacle != static_cast<std::size_t>(obstacle)) continue;
    const geometry::Pose& pose = frames[static_cast<std::size_t>(p.step)].pose;
    out.penetration =
        std::max(out.penetration, p.radius - contact::signedDistance(obstacles()[c.obstacle], place(c, pose)).distance);
    if (!touches(c, pose, touch) || touch.gap > lawOf(c).distance) continue;
    ++out.pairs;
    out.force += touch.penalty.force;
  }
  constexpr double much = 1e-3;  // of the energy there: what is less lies flat, or at a point
  Between b;
  for (const std::size_t i : near.stretches) {
    const Candidate& c = stretches_[i];
    if ((obstacle >= 0 && c.obstacle != static_cast<std::size_t>(obstacle)) || !between(c, frames, b)) continue;
    const Touch& at = b.place.touch;
    out.penetration = std::max(out.penetration, at.radius - at.surface.distance);
    if (b.excess > much * at.penalty.energy && at.gap <= lawOf(c).distance) ++out.pairs;
    for (const Along* part : {&b.place, &b.start, &b.end}) out.force += part->touch.scale * part->touch.penalty.force;
  }
  return out;
}

double Contact::energyBefore() const {
  if (start_.empty()) return 0;
  double energy = 0;
  for (const Candidate& c : candidates_) {
    const contact::ObstacleShape before = outside_.before(c.obstacle);
    const scene::ContactLaw& law = lawOf(c);
    const double reach = contact::penaltyReach * law.distance,
                 parted = outside_.parting().rate * outside_.parting().elapsed * c.overlap;
    const Vec3 x = place(c, start_[c.point]);
    if (outside_.gap(placeOf(c), contact::distanceAtLeast(before, x)) + parted > reach) continue;
    const double gap = outside_.gap(placeOf(c), contact::signedDistance(before, x).distance) + parted;
    if (gap <= reach) energy += contact::penalty(gap, placeOf(c).stiffness, law.distance).energy;
  }
  Between b;
  for (const Candidate& c : stretches_) {
    const contact::ObstacleShape before = outside_.before(c.obstacle);
    if (between(c, before, outside_.parting().rate * outside_.parting().elapsed * c.overlap, startBefore_[c.point],
                start_[c.point], b))
      energy += b.excess;
  }
  return energy;
}

double Contact::touch() const {
  double most = 0;
  for (const Candidate& c : candidates_)
    most = std::max(most, contact::touchEnergy(placeOf(c).stiffness, lawOf(c).distance));
  return most;
}

double Contact::reach() const {
  double most = 0;
  for (const Candidate& c : candidates_) most = std::max(most, lawOf(c).distance);
  return most;
}

double Contact::energy(const std::vector<ChainFrame>& frames) const {
  double energy = 0;
  Touch touch;
  const Near& near = nearTo(frames);
  for (const std::size_t i : near.candidates) {
    const Candidate& c = candidates_[i];
    if (touches(c, frames[static_cast<std::size_t>(skin_.points[c.point].step)].pose, touch))
      energy += touch.penalty.energy;
  }
  Between b;
  for (const std::size_t i : near.stretches) {
    if (between(stretches_[i], frames, b)) energy += b.excess;
  }
  return energy;
}

}  // namespace tendril::links
