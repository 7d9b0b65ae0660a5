// Flight: momentum of a linkage along the places that its base leaves free. Along such a coordinate all that hangs on
// it moves in one direction, which does not turn within a step, so momentum changes by what acts from outside alone,
// however the links move against each other. Schemes know it to their order only, since the center of mass is no
// coordinate.
#include <algorithm>

#include "links/system/system.h"
#include "solve/dense_lu.h"

namespace tendril::links {

// A closing joint between what a coordinate moves and what it does not move holds it.
void System::findFlight() {
  flight_ = {};
  const std::vector<ChainStep>& steps = chain_.steps();
  // Of each step: the coordinates that move it so, and whether another one turns what hangs on it.
  std::vector<std::vector<int>> movers(steps.size());
  std::vector<char> turned(steps.size(), 0);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const ChainStep& step = steps[i];
    if (step.parent >= 0)
      movers[i] = movers[static_cast<std::size_t>(step.parent)],
      turned[i] = turned[static_cast<std::size_t>(step.parent)];
    const bool moves = step.order == 0 && step.base.topRows<3>().isZero(0);
    // A turn of the same joint about the line of the move leaves its direction as it is.
    const auto keeps = [&step](const Vec3& direction) {
      for (int o = 0; o < step.base.cols(); ++o) {
        if (!step.base.col(o).head<3>().cross(direction).isZero(0)) return false;
      }
      return true;
    };
    for (int c = 0; step.order == 0 && !turned[i] && c < step.base.cols(); ++c) {
      const int coordinate = step.first + c;
      if (held[static_cast<std::size_t>(coordinate)] || step.base.col(c).isZero(0)) continue;
      if (!step.base.col(c).head<3>().isZero(0) || !keeps(step.base.col(c).tail<3>())) continue;
      movers[i].push_back(static_cast<int>(flight_.coordinates.size()));
      flight_.coordinates.push_back(coordinate), flight_.steps.push_back(static_cast<int>(i));
    }
    if (!moves && step.coordinates() > 0) turned[i] = 1;
  }
  std::vector<char> tied(flight_.coordinates.size(), 0);
  const auto moved = [&](int step, int f) {
    const std::vector<int>& m = movers[static_cast<std::size_t>(step)];
    return std::find(m.begin(), m.end(), f) != m.end();
  };
  for (const ClosureRow& row : closures_) {
    for (std::size_t f = 0; f < tied.size(); ++f)
      tied[f] = tied[f] || moved(row.a, static_cast<int>(f)) != moved(row.b, static_cast<int>(f));
  }
  flight_.whole =
      std::all_of(movers.begin(), movers.end(), [&](const std::vector<int>& by) { return by.size() == tied.size(); }) &&
      std::find(tied.begin(), tied.end(), 1) == tied.end();
  std::vector<int> number(tied.size(), -1);
  int count = 0;
  for (std::size_t f = 0; f < tied.size(); ++f) {
    if (tied[f]) continue;
    flight_.coordinates[static_cast<std::size_t>(count)] = flight_.coordinates[f],
    flight_.steps[static_cast<std::size_t>(count)] = flight_.steps[f];
    number[f] = count++;
  }
  flight_.coordinates.resize(static_cast<std::size_t>(count)), flight_.steps.resize(static_cast<std::size_t>(count));
  double mass = 0;
  for (const MassPoint& m : masses_) {
    std::vector<int> by;
    for (const int f : movers[static_cast<std::size_t>(m.step)]) {
      if (number[static_cast<std::size_t>(f)] >= 0) by.push_back(number[static_cast<std::size_t>(f)]);
    }
    if (!by.empty()) mass += m.inertia(3, 3);
    flight_.movers.push_back(std::move(by));
  }
  if (!(mass > 0)) flight_ = {};
}

Vec3 System::directionOf(int flight) const {
  const ChainStep& step = chain_.steps()[static_cast<std::size_t>(flight_.steps[static_cast<std::size_t>(flight)])];
  const int column = flight_.coordinates[static_cast<std::size_t>(flight)] - step.first;
  return chain_.frames()[static_cast<std::size_t>(flight_.steps[static_cast<std::size_t>(flight)])].pose.R *
         step.base.col(column).tail<3>();
}

template <class Of>
void System::sumFlight(VectorX& out, const Of& of) const {
  out.setZero(static_cast<Eigen::Index>(flight_.coordinates.size()));
  for (std::size_t i = 0; i < flight_.movers.size(); ++i) {
    if (flight_.movers[i].empty()) continue;
    const MassPoint& m = masses_[i];
    const ChainFrame& frame = chain_.frames()[static_cast<std::size_t>(m.step)];
    const Vec3 sum = frame.pose.R * of(geometry::Mat6(m.inertia + m.added), frame);
    for (const int f : flight_.movers[i]) out[f] += directionOf(f).dot(sum);
  }
}

void System::momentum(VectorX& p) const {
  sumFlight(p,
            [](const geometry::Mat6& inertia, const ChainFrame& f) { return Vec3((inertia * f.velocity).tail<3>()); });
}

void System::momentumRate(VectorX& rate) const {
  sumFlight(rate, [](const geometry::Mat6& inertia, const ChainFrame& f) {
    const Vec3 turning = f.velocity.head<3>(), p = (inertia * f.velocity).tail<3>();
    return Vec3((inertia * f.acceleration).tail<3>() + turning.cross(p));
  });
}

// From what has been gathered: the rest of the equations along flight is what the forces lack of this momentum's rate.
void System::findPush() {
  momentumRate(push_);
  carried_ = push_;
  for (std::size_t f = 0; f < flight_.coordinates.size(); ++f) {
    const int i = flight_.coordinates[f];
    push_[static_cast<Eigen::Index>(f)] -= elastic_[i] + viscous_[i] - force[i] + gathered_[i];
  }
}

// Where coordinates move masses that others do not move, it is not diagonal.
void System::flightMass(Eigen::MatrixXd& mass) const {
  const auto n = static_cast<Eigen::Index>(flight_.coordinates.size());
  mass.setZero(n, n);
  for (std::size_t i = 0; i < flight_.movers.size(); ++i) {
    const MassPoint& m = masses_[i];
    const Mat3& R = chain_.frames()[static_cast<std::size_t>(m.step)].pose.R;
    const Mat3 inertia = (m.inertia + m.added).bottomRightCorner<3, 3>();
    for (const int f : flight_.movers[i]) {
      for (const int g : flight_.movers[i])
        mass(f, g) += directionOf(f).dot(R * (inertia * (R.transpose() * directionOf(g))));
    }
  }
}

VectorX System::flightRates(const Vec3& velocity) const {
  const auto n = static_cast<Eigen::Index>(flight_.coordinates.size());
  Eigen::MatrixXd directions(3, n);
  for (Eigen::Index f = 0; f < n; ++f) directions.col(f) = directionOf(static_cast<int>(f));
  const solve::DenseLu lu(directions.transpose() * directions, solve::DenseLu::Pivots::rows);
  if (n == 0 || !lu.regular()) return VectorX::Zero(n);
  return lu.solve(directions.transpose() * velocity);
}

Vec3 System::alongFlight(const Vec3& velocity) const {
  const VectorX rates = flightRates(velocity);
  Vec3 out = Vec3::Zero();
  for (int f = 0; f < static_cast<int>(rates.size()); ++f) out += rates[f] * directionOf(f);
  return out;
}

Vec3 System::linearMomentum() const {
  Vec3 sum = Vec3::Zero();
  for (const MassPoint& m : masses_) {
    const ChainFrame& frame = chain_.frames()[static_cast<std::size_t>(m.step)];
    sum += frame.pose.R * (m.inertia * frame.velocity).tail<3>();
  }
  return sum;
}

double System::wholeMass() const {
  double mass = 0;
  for (const MassPoint& m : masses_) mass += m.inertia(3, 3);
  return mass;
}

double System::heavyMass() const {
  double mass = 0;
  for (const MassPoint& m : masses_) mass += m.weight * m.inertia(3, 3);
  return mass;
}

bool System::flightIsTied() const {
  if (!flight_.whole) return true;
  // What moves along with a link is a medium at rest.
  if (std::any_of(masses_.begin(), masses_.end(), [](const MassPoint& m) { return !m.added.isZero(0); })) return true;
  const auto flies = [this](int from, int to) {
    return std::any_of(flight_.coordinates.begin(), flight_.coordinates.end(),
                       [&](int i) { return i >= from && i < to; });
  };
  for (const int i : flight_.coordinates) {
    if (force[i] != 0 || stiffness()(i, i) != 0 || damping()(i, i) != 0) return true;
  }
  return std::any_of(springs.begin(), springs.end(), [&](const PoseSpring& s) {
    const int first = chain_.steps()[static_cast<std::size_t>(s.step)].first;
    return flies(first, first + static_cast<int>(s.base.cols())) &&
           (s.translation != 0 || s.moving != 0 || !s.effort.isZero(0));
  });
}

}  // namespace tendril::links
