#include "rods_shells/terms/force_fields.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "elastic/moment.h"

namespace tendril::rods_shells {
namespace {

using formula::Place;
using scene::LoadField;

Vec3 vectorAt(const double* p) { return {p[0], p[1], p[2]}; }

}  // namespace

template <int N>
struct ForceFields::Seen {
  Vec3 x[N];
  double place[Place::count];
};

/// What a point adds, three components for each of its corners, then for what it turns [N m].
struct ForceFields::Pull {
  Vec<9> forces = Vec<9>::Zero();  // minus the force [N]
  Mat<9> slope = Mat<9>::Zero();   // of that [N/m]
  double potential = 0;            // [J]
};

ForceFields::ForceFields(const Structure& structure, const scene::Scene& scene, Elasticity& elasticity)
    : s_(structure), scene_(scene), elasticity_(elasticity) {
  for (const scene::Load& load : scene.loads) {
    if (load.kind == scene::Load::Kind::field) fields_.push_back({&load, fieldPoints(s_, scene_, load), 0, {}});
  }
}

void ForceFields::bind(solve::PartedTangent& solver, const std::vector<char>& prescribed) {
  solver_ = &solver;
  prescribed_ = &prescribed;
  for (std::vector<Field>* list : {&fields_, &extra_}) {
    for (Field& field : *list) field.offsets.clear();
  }
}

void ForceFields::locate(Field& field) const {
  for (const FieldPoint& point : field.points) {
    // Their slopes stand in blocks of their own.
    if (turns(point)) continue;
    for (int r = 0; r < 3 * point.count; ++r) {
      for (int c = 0; c <= r; ++c) {
        const int row = dof(point, r), col = dof(point, c);
        const bool held =
            (*prescribed_)[static_cast<std::size_t>(row)] || (*prescribed_)[static_cast<std::size_t>(col)];
        field.offsets.push_back(held ? solver_->trash() : solver_->offset(row, col));
      }
    }
  }
}

// Formulas see what they saw here until the next step, whatever is measured or set meanwhile.
void ForceFields::prepare(const scene::Instant& /*end*/, const scene::Instant& at, double /*t0*/) {
  extra_.clear();
  if (at.extra) {
    for (const scene::Load& load : *at.extra) {
      if (load.kind == scene::Load::Kind::field) extra_.push_back({&load, fieldPoints(s_, scene_, load), 0, {}});
    }
  }
  if (fields_.empty() && extra_.empty()) return;
  parameters_ = scene_.values;
  columns_.clear();
  if (at.columns) columns_.assign(at.columns, at.columns + scene_.columns.size() + scene_.states.size());
  input_ = {};
  input_.t = at.t;
  for (std::vector<Field>* list : {&fields_, &extra_}) {
    for (Field& field : *list) field.factor = scene::isActive(field.load->interval, at) ? at.factor : 0;
  }
}

void ForceFields::hold(const std::vector<char>& clampOn) {
  for (std::vector<Field>* list : {&fields_, &extra_}) {
    for (Field& field : *list) {
      for (FieldPoint& point : field.points) {
        point.clamped = std::any_of(point.clamps.begin(), point.clamps.end(),
                                    [&](int c) { return clampOn[static_cast<std::size_t>(c)]; });
      }
    }
  }
}

Vec3 ForceFields::momentOnClamp(int node, const VectorX& q, const VectorX& v) const {
  Vec3 sum = Vec3::Zero();
  forEachActive([&](const Field& field) {
    for (const FieldPoint& point : field.points) {
      if (!point.clamped || point.node() != node) continue;
      Seen<2> seen = seenAt<2>(point, q, scene_.solver.dynamic ? &v : nullptr);
      turn(seen);
      sum += momentAt(field, point, seen.place);
    }
    return false;
  });
  return sum;
}

void ForceFields::keepEnergy(const VectorX& q, double dt) {
  if (dt > 0 && !fields_.empty())
    start_ = q;
  else
    start_.resize(0);
}

// Until f(field) is true.
template <class F>
void ForceFields::forEachActive(F f) const {
  for (const std::vector<Field>* list : {&fields_, &extra_}) {
    for (const Field& field : *list) {
      if (field.factor != 0 && f(field)) return;
    }
  }
}

bool ForceFields::actsHere(const Field& field) const {
  return std::any_of(field.points.begin(), field.points.end(), [this](const FieldPoint& p) { return isMine(p); });
}

void ForceFields::seenBy(int load, const VectorX& q, const VectorX& v, std::vector<double>& out) const {
  for (const Field& field : fields_) {
    if (field.load != &scene_.loads[static_cast<std::size_t>(load)]) continue;
    const std::size_t stride = std::max<std::size_t>(1, field.points.size() / 8);
    const auto add = [&out](const auto& seen, const FieldPoint& p) {
      out.insert(out.end(), seen.place, seen.place + Place::count);
      out.insert(out.end(), {p.s, p.u, p.i, p.n});
    };
    for (std::size_t k = 0; k < field.points.size(); k += stride) {
      const FieldPoint& point = field.points[k];
      const VectorX* moving = scene_.solver.dynamic ? &v : nullptr;
      if (point.count == 1) {
        add(seenAt<1>(point, q, moving), point);
      } else if (point.count == 2) {
        Seen<2> seen = seenAt<2>(point, q, moving);
        turn(seen);
        add(seen, point);
      } else {
        Seen<3> seen = seenAt<3>(point, q, moving);
        turn(seen);
        add(seen, point);
      }
    }
  }
}

bool ForceFields::acts() const {
  bool any = false;
  forEachActive([&](const Field& field) { return any = actsHere(field); });
  return any;
}

bool ForceFields::hasPotential() const {
  bool other = false;
  forEachActive([&](const Field& field) {
    return other = field.load->field.kind != LoadField::Kind::potential && actsHere(field);
  });
  return !other;
}

bool ForceFields::slopesBeside() const {
  bool any = false;
  forEachActive(
      [&](const Field& field) { return any = field.load->field.kind == LoadField::Kind::moment && actsHere(field); });
  return any;
}

bool ForceFields::feelsVelocity() const {
  bool any = false;
  forEachActive([&](const Field& field) { return any = placeOf(*field.load).velocity && actsHere(field); });
  return any;
}

formula::Input ForceFields::inputOf(const FieldPoint& point, const double* place) const {
  formula::Input in = input_;
  in.parameters = parameters_.data();
  in.columns = columns_.data();
  in.s = point.s, in.u = point.u, in.i = point.i, in.n = point.n;
  in.place = place;
  return in;
}

/// In statics nothing moves, whatever v holds: null.
template <int N>
ForceFields::Seen<N> ForceFields::seenAt(const FieldPoint& point, const VectorX& q, const VectorX* v) const {
  Seen<N> out;
  for (int k = 0; k < N; ++k) {
    const auto node = static_cast<std::size_t>(point.corners[static_cast<std::size_t>(k)]);
    out.x[k] = s_.nodes[node] + q.segment<3>(s_.nodeDof[node]);
  }
  const auto node = static_cast<std::size_t>(point.node());
  for (int k = 0; k < 3; ++k) {
    out.place[Place::x + k] = out.x[point.own][k];
    out.place[Place::direction + k] = 0;
    out.place[Place::velocity + k] = v ? (*v)[s_.nodeDof[node] + k] : 0;
    out.place[Place::initial + k] = s_.nodes[node][k];
  }
  return out;
}

/// The direction of an edge or a triangle, which is written into the place.
template <int N>
elastic::Direction<N> ForceFields::turn(Seen<N>& seen) const {
  elastic::Direction<N> out(seen.x);
  for (int k = 0; k < 3; ++k) seen.place[Place::direction + k] = out.unit[k];
  return out;
}

template <int N>
void ForceFields::addForce(const Field& field, const FieldPoint& point, const VectorX& q, const VectorX& v, double rate,
                           bool slopes, Pull& out) const {
  Seen<N> seen = seenAt<N>(point, q, scene_.solver.dynamic ? &v : nullptr);
  const int row = 3 * point.own;
  const auto add = [&](const auto& directionSlopes) {
    const formula::Input in = inputOf(point, seen.place);
    const double share = field.factor * point.weight;
    for (int r = 0; r < 3; ++r) {
      const formula::Number& number = field.load->value[static_cast<std::size_t>(r)];
      if (!slopes) {
        out.forces[row + r] -= share * number(in);
        continue;
      }
      const formula::Slopes f = number.slopes(in);
      out.forces[row + r] -= share * f.value;
      out.slope.template block<1, 3>(row + r, row) -=
          share * (vectorAt(f.by) + rate * vectorAt(f.by + Place::velocity)).transpose();
      directionSlopes(row + r, share * vectorAt(f.by + Place::direction));
    }
  };
  if constexpr (N == 1) {
    add([](int, const Vec3&) {});
  } else {
    const elastic::Direction<N> direction = turn(seen);
    if (field.load->field.kind == LoadField::Kind::force) {
      add([&](int r, const Vec3& by) {
        for (int k = 0; k < N; ++k) out.slope.template block<1, 3>(r, 3 * k) -= by.transpose() * direction.by[k];
      });
      return;
    }
    // A pressure pushes with its third of the present area.
    const formula::Input in = inputOf(point, seen.place);
    const Vec3 third = direction.size / 6 * direction.unit;
    const formula::Number& number = field.load->field.amount;
    const formula::Slopes p = slopes ? number.slopes(in) : formula::Slopes{number(in), {}};
    out.forces.template segment<3>(row) -= field.factor * p.value * third;
    if (!slopes) return;
    const auto at = [&out, row](int k) { return out.slope.template block<3, 3>(row, 3 * k); };
    at(point.own) -= field.factor * third * (vectorAt(p.by) + rate * vectorAt(p.by + Place::velocity)).transpose();
    for (int k = 0; k < N; ++k) {
      at(k) -= field.factor * (third * (vectorAt(p.by + Place::direction).transpose() * direction.by[k]) +
                               p.value / 6 * direction.whole[k]);
    }
  }
}

Vec3 ForceFields::momentAt(const Field& field, const FieldPoint& point, const double* place) const {
  const formula::Input in = inputOf(point, place);
  const scene::Number3& m = field.load->value;
  return field.factor * point.weight * Vec3(m[0](in), m[1](in), m[2](in));
}

// As a dead one turns an edge or a frame, and beyond that by how the moment changes with what its formulas see.
void ForceFields::addMoment(const Field& field, const FieldPoint& point, const VectorX& q, const VectorX& v,
                            double rate, bool slopes, Pull& out) const {
  if (point.clamped) return;
  Seen<2> seen = seenAt<2>(point, q, scene_.solver.dynamic ? &v : nullptr);
  const elastic::Direction<2> direction = turn(seen);
  const Vec3 moment = momentAt(field, point, seen.place);
  Eigen::Matrix<double, 9, 3> by = Eigen::Matrix<double, 9, 3>::Zero();  // what is added, by the moment
  if (point.weld >= 0) {
    const elastic::FrameTurn& frame = elasticity_.turnOf(point.weld);
    by.block<3, 3>(6, 0) = -frame.rate().transpose();
    if (slopes) out.slope.block<3, 3>(6, 6) -= frame.onIncrementSlope(moment);
  } else {
    const elastic::EdgeFrame& frame = (*frames_)[static_cast<std::size_t>(point.edge)];
    by.block<3, 3>(0, 0) = frame.spin * frame.t.transpose() - frame.inverse * geometry::skew(frame.t);
    by.block<3, 3>(3, 0) = -by.block<3, 3>(0, 0);
    by.row(6) = -frame.t.transpose();
    if (slopes) {
      const elastic::EdgeMoment dead = elastic::edgeMoment(frame, moment);
      for (const int r : {0, 3}) {
        for (const int c : {0, 3}) out.slope.block<3, 3>(r, c) += (r == c ? -1 : 1) * dead.forceJacobian;
      }
      out.slope.block<1, 3>(6, 0) += dead.twistJacobian.transpose();
      out.slope.block<1, 3>(6, 3) -= dead.twistJacobian.transpose();
    }
  }
  out.forces += by * moment;
  if (!slopes) return;
  const formula::Input in = inputOf(point, seen.place);
  const double share = field.factor * point.weight;
  for (int k = 0; k < 3; ++k) {
    const formula::Slopes m = field.load->value[static_cast<std::size_t>(k)].slopes(in);
    Vec<6> changes = Vec<6>::Zero();
    changes.segment<3>(3 * point.own) = share * (vectorAt(m.by) + rate * vectorAt(m.by + Place::velocity));
    const Vec3 turned = share * vectorAt(m.by + Place::direction);
    for (int c = 0; c < 2; ++c) changes.segment<3>(3 * c) += direction.by[c].transpose() * turned;
    out.slope.leftCols<6>() += by.col(k) * changes.transpose();
  }
}

template <int N>
void ForceFields::addPotential(const Field& field, const FieldPoint& point, const VectorX& q, Pull& out) const {
  Seen<N> seen = seenAt<N>(point, q, nullptr);
  const double share = field.factor * point.weight;
  const int row = 3 * point.own;
  const auto add = [&](const formula::Curves& c, Mat<6>& second) {
    for (int r = 0, k = 0; r < 6; ++r) {
      for (int col = 0; col <= r; ++col, ++k) second(r, col) = second(col, r) = share * c.twice[k];
    }
    out.potential += share * c.value;
    out.forces.template segment<3>(row) += share * vectorAt(c.by);
    out.slope.template block<3, 3>(row, row) += second.template block<3, 3>(0, 0);
  };
  Mat<6> second;
  if constexpr (N == 1) {
    add(field.load->field.amount.curves(inputOf(point, seen.place)), second);
  } else {
    const elastic::Direction<N> direction = turn(seen);
    const formula::Curves c = field.load->field.amount.curves(inputOf(point, seen.place));
    add(c, second);
    const Vec3 by = share * vectorAt(c.by + Place::direction);
    const Mat3 mixed = second.template block<3, 3>(0, 3), twice = second.template block<3, 3>(3, 3);
    const Mat<3 * N> bent = direction.curvature(by);
    for (int k = 0; k < N; ++k) {
      out.forces.template segment<3>(3 * k) += direction.by[k].transpose() * by;
      const Mat3 across = mixed * direction.by[k];
      out.slope.template block<3, 3>(row, 3 * k) += across;
      out.slope.template block<3, 3>(3 * k, row) += across.transpose();
      for (int l = 0; l < N; ++l) {
        out.slope.template block<3, 3>(3 * k, 3 * l) +=
            direction.by[k].transpose() * twice * direction.by[l] + bent.template block<3, 3>(3 * k, 3 * l);
      }
    }
  }
}

template <int N>
double ForceFields::potentialAt(const Field& field, const FieldPoint& point, const VectorX& q) const {
  Seen<N> seen = seenAt<N>(point, q, nullptr);
  if constexpr (N > 1) turn(seen);
  return field.factor * point.weight * field.load->field.amount(inputOf(point, seen.place));
}

double ForceFields::energyAt(const Field& field, const FieldPoint& point, const VectorX& q) const {
  if (field.load->field.kind != LoadField::Kind::potential) return 0;
  return point.count == 1   ? potentialAt<1>(field, point, q)
         : point.count == 2 ? potentialAt<2>(field, point, q)
                            : potentialAt<3>(field, point, q);
}

double ForceFields::missedWork(const VectorX& q, const VectorX& move) {
  double missed = 0;
  VectorX before;
  forEachActive([&](const Field& field) {
    if (field.load->field.kind != LoadField::Kind::potential) return false;
    if (before.size() == 0) before = q - move;
    for (const FieldPoint& point : field.points) {
      if (!isMine(point)) continue;
      Pull pulled;
      if (point.count == 1)
        addPotential<1>(field, point, q, pulled);
      else if (point.count == 2)
        addPotential<2>(field, point, q, pulled);
      else
        addPotential<3>(field, point, q, pulled);
      missed += energyAt(field, point, before) - pulled.potential;
      for (int k = 0; k < 3 * point.count; ++k) missed += pulled.forces[k] * move[dof(point, k)];
    }
    return false;
  });
  return missed;
}

// Gonzalez 1996: the gradient in the middle, corrected along the increment so that its work is the difference of the
// potential exactly. Where that difference is round-off, nothing is left to correct.
template <int N>
void ForceFields::addDiscrete(const Field& field, const FieldPoint& point, const VectorX& q, Pull& out) const {
  addPotential<N>(field, point, q, out);
  Vec<9> move = Vec<9>::Zero();
  for (int k = 0; k < 3 * N; ++k) move[k] = 2 * (q[dof(point, k)] - start_[dof(point, k)]);
  const double square = move.squaredNorm();
  if (square == 0) return;
  VectorX& end = end_;
  if (end.size() != q.size()) end = VectorX::Zero(q.size());
  for (int k = 0; k < 3 * N; ++k) end[dof(point, k)] = start_[dof(point, k)] + move[k];
  const double before = potentialAt<N>(field, point, start_), after = potentialAt<N>(field, point, end);
  const double missing = after - before - out.forces.dot(move);
  constexpr double rounded = 8 * std::numeric_limits<double>::epsilon();
  if (std::abs(missing) <= rounded * (std::abs(after) + std::abs(before))) return;
  const double share = missing / square;
  out.forces += share * move;
  out.slope.diagonal().array() += 2 * share;
}

template <int N>
void ForceFields::pull(const Field& field, const FieldPoint& point, const VectorX& q, const VectorX& v, double rate,
                       bool slopes, Pull& out) const {
  if (field.load->field.kind != LoadField::Kind::potential)
    addForce<N>(field, point, q, v, rate, slopes, out);
  else if (start_.size() > 0)
    addDiscrete<N>(field, point, q, out);
  else
    addPotential<N>(field, point, q, out);
}

void ForceFields::add(const FieldPoint& point, const int* offsets, const Pull& pull, TermSums& out) const {
  const int size = this->size(point);
  for (int k = 0; k < size; ++k) out.forces[dof(point, k)] += pull.forces[k];
  for (int c = 0; out.sizes && c < point.count; ++c)
    out.sizes->segment<3>(dof(point, 3 * c)).array() += pull.forces.segment<3>(3 * c).norm() / std::sqrt(3.0);
  for (int k = 3 * point.count; out.sizes && k < size; ++k) {
    const Vec3 turned = pull.forces.segment<3>(3 * point.count);  // zero beyond a twist angle
    (*out.sizes)[dof(point, k)] += turned.norm() / std::sqrt(static_cast<double>(size - 3 * point.count));
  }
  if (!out.tangent) return;
  std::array<int, 9> dofs;
  for (int k = 0; k < size; ++k) {
    const int unknown = dof(point, k);
    dofs[static_cast<std::size_t>(k)] = (*prescribed_)[static_cast<std::size_t>(unknown)] ? -1 : unknown;
  }
  const std::span<const int> own(dofs.data(), static_cast<std::size_t>(size));
  if (turns(point)) return out.tangent->add(own, pull.slope.topLeftCorner(size, size));
  const std::span<double> values = solver_->values();
  double skewest = 0;
  for (int r = 0; r < size; ++r) {
    for (int c = 0; c <= r; ++c) {
      values[static_cast<std::size_t>(*offsets++)] += 0.5 * (pull.slope(r, c) + pull.slope(c, r));
      skewest = std::max(skewest, std::abs(pull.slope(r, c) - pull.slope(c, r)));
    }
  }
  // Round-off of a symmetric slope would make the whole tangent unsymmetric.
  constexpr double rounded = 16 * std::numeric_limits<double>::epsilon();
  if (skewest <= rounded * pull.slope.cwiseAbs().maxCoeff()) return;
  const Mat<9> skew = 0.5 * (pull.slope - pull.slope.transpose());
  out.tangent->add(own, skew.topLeftCorner(size, size));
}

// What the last digits of places and of values make of a force. Formulas may cancel more, of which nothing is known
// here.
double ForceFields::roundOffOf(const FieldPoint& point, const VectorX& q, const Pull& pull) const {
  constexpr double digits = 8 * std::numeric_limits<double>::epsilon();
  double place = 0;
  for (int k = 0; k < 3 * point.count; ++k) {
    const auto node = static_cast<std::size_t>(point.corners[static_cast<std::size_t>(k / 3)]);
    place = std::max({place, std::abs(s_.nodes[node][k % 3]), std::abs(q[dof(point, k)])});
  }
  if (!turns(point)) return digits * (pull.forces.norm() + place * pull.slope.norm());
  // Moments count as forces at the ends of the edge.
  const Vec3 edge =
      s_.nodes[static_cast<std::size_t>(point.corners[1])] - s_.nodes[static_cast<std::size_t>(point.corners[0])];
  Vec<9> rows = Vec<9>::Constant(1 / edge.norm());
  rows.head<6>().setOnes();
  const Mat<9> slope = rows.asDiagonal() * pull.slope;
  return digits *
         (rows.cwiseProduct(pull.forces).norm() + place * slope.leftCols<6>().norm() + slope.rightCols<3>().norm());
}

void ForceFields::evaluate(const VectorX& q, const VectorX& v, double rate, solve::Level level, TermSums& out) {
  if (!fields_.empty() || !extra_.empty()) evaluateFields(q, v, rate, level, out);
}

void ForceFields::evaluateFields(const VectorX& q, const VectorX& v, double rate, solve::Level level, TermSums& out) {
  double potential = 0, magnitude = 0, rounded2 = 0;
  bool acts = false;
  const bool mayCount = out.evaluation.hasPotential, forces = level != solve::Level::value;
  for (std::vector<Field>* list : {&fields_, &extra_}) {
    for (Field& field : *list) {
      if (field.factor == 0) continue;
      if (out.tangent && field.offsets.empty()) locate(field);
      const int* offsets = field.offsets.data();
      if (forces && field.load->field.kind == LoadField::Kind::moment) frames_ = &elasticity_.edgeFrames(q);
      for (const FieldPoint& point : field.points) {
        const int* own = offsets;
        if (!turns(point)) offsets += 3 * point.count * (3 * point.count + 1) / 2;
        if (!isMine(point)) continue;
        Pull pulled;
        if (!forces) {
          if (mayCount) pulled.potential = energyAt(field, point, q);
        } else if (turns(point)) {
          addMoment(field, point, q, v, rate, out.tangent != nullptr, pulled);
        } else if (point.count == 1) {
          pull<1>(field, point, q, v, rate, out.tangent != nullptr, pulled);
        } else if (point.count == 2) {
          pull<2>(field, point, q, v, rate, out.tangent != nullptr, pulled);
        } else {
          pull<3>(field, point, q, v, rate, out.tangent != nullptr, pulled);
        }
        acts = true;
        potential += pulled.potential;
        magnitude += std::abs(pulled.potential);
        if (!forces) continue;
        add(point, own, pulled, out);
        if (out.tangent) rounded2 += std::pow(roundOffOf(point, q, pulled), 2);
      }
    }
  }
  if (out.tangent) rounded_ = std::sqrt(rounded2);
  if (acts && forces) out.evaluation.roundOff = std::hypot(out.evaluation.roundOff, rounded_);
  if (!mayCount) return;
  out.evaluation.potential += potential;
  out.evaluation.magnitude = std::max(out.evaluation.magnitude, magnitude);
}

}  // namespace tendril::rods_shells
