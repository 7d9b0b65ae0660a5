#include "links/forces/force_fields.h"

#include <algorithm>
#include <utility>

#include "world/point_fields.h"

namespace tendril::links {
namespace {

using scene::LoadField;
using world::PointPlace;

}  // namespace

/// What a point adds, as a resistance in the frame: the negative of its force and moment, or the slope of its
/// potential.
struct ForceFields::Pull {
  geometry::Vec6 value = geometry::Vec6::Zero();
  geometry::Mat6 byPose = geometry::Mat6::Zero(), byVelocity = geometry::Mat6::Zero();
};

void ForceFields::setFields(std::vector<Field> fields) {
  fields_ = std::move(fields);
  sight_.factors.assign(fields_.size(), 0.0);
  std::size_t points = 0;
  for (const Field& field : fields_) points += field.points.size();
  initial_.resize(points, Vec3::Zero());
}

void ForceFields::setInitial(const std::vector<ChainFrame>& frames) {
  initial_.clear();
  for (const Field& field : fields_) {
    for (const Point& p : field.points) initial_.push_back(frames[static_cast<std::size_t>(p.step)].pose.r);
  }
}

void ForceFields::seenBy(const scene::Load& load, const std::vector<ChainFrame>& frames,
                         std::vector<double>& out) const {
  std::size_t first = 0;
  for (const Field& field : fields_) {
    const std::size_t count = field.points.size(), stride = std::max<std::size_t>(1, count / 8);
    for (std::size_t k = 0; field.load == &load && k < count; k += stride) {
      const Point& p = field.points[k];
      const ChainFrame& frame = frames[static_cast<std::size_t>(p.step)];
      const Mat3& R = frame.pose.R;
      const PointPlace place(frame.pose.r, R.col(0), R * Vec3(frame.velocity.tail<3>()), initial_[first + k]);
      out.insert(out.end(), place.data(), place.data() + formula::Place::count);
      out.insert(out.end(), {p.s, p.u, p.i, p.n});
    }
    first += count;
  }
}

void ForceFields::prepare(const scene::Instant& at) {
  sight_.t = at.t;
  sight_.columns.clear();
  if (at.columns) sight_.columns.assign(at.columns, at.columns + scene_.columns.size() + scene_.states.size());
  for (std::size_t f = 0; f < fields_.size(); ++f) {
    const Field& field = fields_[f];
    const bool on = field.extra ? at.extra != nullptr : scene::isActive(field.load->interval, at);
    sight_.factors[f] = on ? at.factor : 0;
  }
}

// visit(field, factor, point, its initial place) of what acts.
template <class Visit>
void ForceFields::forEachPoint(const Sight& sight, const Visit& visit) const {
  std::size_t point = 0;
  for (std::size_t f = 0; f < fields_.size(); ++f) {
    const Field& field = fields_[f];
    for (const Point& p : field.points) {
      const Vec3& initial = initial_[point++];
      if (sight.factors[f] != 0) visit(field, sight.factors[f], p, initial);
    }
  }
}

formula::Input ForceFields::inputOf(const Point& point, const Sight& sight) const {
  formula::Input in;
  in.t = sight.t, in.parameters = scene_.values.data(), in.columns = sight.columns.data();
  in.s = point.s, in.u = point.u, in.i = point.i, in.n = point.n;
  return in;
}

bool ForceFields::hasPotential() const {
  bool all = true;
  forEachPoint(sight_, [&](const Field& field, double, const Point&, const Vec3&) {
    all = all && field.load->field.kind == LoadField::Kind::potential;
  });
  return all;
}

// With R the frame, e = R x its direction and k, d a twist of it: the place moves by R d, the direction by -R [x] k,
// the velocity R v, with v as it is, by -R [v] k; and R^T F by R^T dF + [R^T F] k.
ForceFields::Pull ForceFields::pullOf(const Field& field, const Point& point, double factor, const Vec3& initial,
                                      const ChainFrame& frame, bool slopes) const {
  if (field.load->field.kind == LoadField::Kind::potential)
    return slopeOf(field, point, factor, initial, frame.pose, slopes);
  Pull out;
  const Mat3& R = frame.pose.R;
  // In statics nothing moves.
  const Vec3 v = scene_.solver.dynamic ? Vec3(frame.velocity.tail<3>()) : Vec3(Vec3::Zero());
  const PointPlace place(frame.pose.r, R.col(0), R * v, initial);
  formula::Input in = inputOf(point, sight_);
  in.place = place.data();
  const world::PointForce f = world::forceAt(field.load->value, in, slopes);
  const double share = factor * point.weight;
  const int row = field.load->field.kind == LoadField::Kind::moment ? 0 : 3;
  const Vec3 own = R.transpose() * f.value;
  out.value.segment<3>(row) = -share * own;
  if (!slopes) return out;
  const auto inFrame = [&](const Mat3& m) { return Mat3(R.transpose() * m * R); };
  out.byPose.block<3, 3>(row, 0) =
      -share * (geometry::skew(own) - inFrame(f.byDirection) * geometry::skew(Vec3::UnitX()) -
                inFrame(f.byVelocity) * geometry::skew(v));
  out.byPose.block<3, 3>(row, 3) = -share * inFrame(f.byPlace);
  if (scene_.solver.dynamic) out.byVelocity.block<3, 3>(row, 3) = -share * inFrame(f.byVelocity);
  return out;
}

// The slope of V by the twist: R^T V_x by its displacement, x cross R^T V_e by its rotation.
ForceFields::Pull ForceFields::slopeOf(const Field& field, const Point& point, double factor, const Vec3& initial,
                                       const geometry::Pose& pose, bool slopes) const {
  Pull out;
  const Mat3& R = pose.R;
  const PointPlace place(pose.r, R.col(0), Vec3::Zero(), initial);
  formula::Input in = inputOf(point, sight_);
  in.place = place.data();
  const world::PointPotential c = world::potentialAt(field.load->field.amount, in);
  const double share = factor * point.weight;
  const Vec3 push = share * (R.transpose() * c.byPlace), turn = share * (R.transpose() * c.byDirection);
  const Mat3 x = geometry::skew(Vec3::UnitX());
  out.value << x * turn, push;
  if (!slopes) return out;
  const Mat<6> second = share * c.twice;
  const auto inFrame = [&](int r, int col) { return Mat3(R.transpose() * second.block<3, 3>(r, col) * R); };
  out.byPose.bottomRightCorner<3, 3>() = inFrame(0, 0);
  out.byPose.bottomLeftCorner<3, 3>() = geometry::skew(push) - inFrame(0, 3) * x;
  out.byPose.topRightCorner<3, 3>() = x * inFrame(3, 0);
  out.byPose.topLeftCorner<3, 3>() = x * (geometry::skew(turn) - inFrame(3, 3) * x);
  return out;
}

void ForceFields::add(const std::vector<ChainFrame>& frames, bool slopes, ChainLoads& out) {
  power_ = 0;
  forEachPoint(sight_, [&](const Field& field, double factor, const Point& p, const Vec3& initial) {
    const auto step = static_cast<std::size_t>(p.step);
    const Pull pull = pullOf(field, p, factor, initial, frames[step], slopes);
    ChainWrench& w = out.wrenches[step];
    w.value += pull.value;
    out.measure(step, pull.value);
    power_ -= pull.value.dot(frames[step].velocity);
    if (slopes) w.byPose += pull.byPose, w.byVelocity += pull.byVelocity;
  });
}

double ForceFields::energyAt(const std::vector<geometry::Pose>& poses, const Sight& sight) const {
  double sum = 0;
  forEachPoint(sight, [&](const Field& field, double factor, const Point& p, const Vec3& initial) {
    if (field.load->field.kind != LoadField::Kind::potential) return;
    const geometry::Pose& pose = poses[static_cast<std::size_t>(p.step)];
    const PointPlace place(pose.r, pose.R.col(0), Vec3::Zero(), initial);
    formula::Input in = inputOf(p, sight);
    in.place = place.data();
    sum += factor * p.weight * field.load->field.amount(in);
  });
  return sum;
}

double ForceFields::keptEnergy(const std::vector<ChainFrame>& frames) const {
  if (fields_.empty()) return 0;
  std::vector<geometry::Pose> poses;
  poses.reserve(frames.size());
  for (const ChainFrame& f : frames) poses.push_back(f.pose);
  return energyAt(poses, sight_);
}

double ForceFields::keptPower(const std::vector<ChainFrame>& frames) const {
  double power = 0;
  forEachPoint(sight_, [&](const Field& field, double factor, const Point& p, const Vec3& initial) {
    if (field.load->field.kind != LoadField::Kind::potential) return;
    const ChainFrame& frame = frames[static_cast<std::size_t>(p.step)];
    power += slopeOf(field, p, factor, initial, frame.pose, false).value.dot(frame.velocity);
  });
  return power;
}

double ForceFields::workOfForces(const ChainDisplacement& way, const Sight& from, const Sight& to) const {
  double work = 0;
  for (const Sight* sight : {&from, &to}) {
    forEachPoint(*sight, [&](const Field& field, double factor, const Point& p, const Vec3& initial) {
      if (field.load->field.kind == LoadField::Kind::potential) return;
      const Vec3 move = way.of(p.step, Vec3::Zero()), direction = way.middle(p.step).col(0).normalized();
      const PointPlace place(way.place(p.step, Vec3::Zero()), direction, move / way.dt, initial);
      formula::Input in = inputOf(p, *sight);
      in.place = place.data();
      const Vec3 value = world::forceAt(field.load->value, in, false).value;
      const bool turns = field.load->field.kind == LoadField::Kind::moment;
      work += 0.5 * factor * p.weight * value.dot(turns ? way.turn(p.step) : move);
    });
  }
  return work;
}

double ForceFields::workOfPotentials(const std::vector<geometry::Pose>& start, const std::vector<ChainFrame>& end,
                                     const Sight& from, const Sight& to) const {
  std::vector<geometry::Pose> poses;
  poses.reserve(end.size());
  for (const ChainFrame& f : end) poses.push_back(f.pose);
  double work = 0;
  for (const Sight* sight : {&from, &to}) work += 0.5 * (energyAt(start, *sight) - energyAt(poses, *sight));
  return work;
}

}  // namespace tendril::links
