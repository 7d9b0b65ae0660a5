// The tangent of a chain's gathered wrenches, condensed body by body: how a body's generalized forces and the wrench at
// its start depend on its own coordinates and on how its start moves; and the dense tangent put together from that.
#include <algorithm>

#include "links/chain/blocks.h"
#include "links/chain/chain.h"

namespace tendril::links {
namespace {

using Resistance = Eigen::Map<Eigen::Matrix<double, 6, blocks::all, Eigen::RowMajor>>;

}  // namespace

void Chain::clearTangent() {
  for (Body& body : bodies_) {
    std::fill(body.own.begin(), body.own.end(), 0);
    std::fill(body.byInput.begin(), body.byInput.end(), 0);
    std::fill(body.toStart.begin(), body.toStart.end(), 0);
    std::fill(body.through.begin(), body.through.end(), 0);
    for (const int k : body.steps) locals_[k].resists = false;
  }
}

void Chain::condense(const std::vector<ChainWrench>& wrenches, const std::vector<ChainInertia>& inertias,
                     const std::vector<ChainCoupling>& couplings) {
  inputs_ = blocks::inertial;
  loose_.clear();
  for (const ChainCoupling& c : couplings) {
    if (!addCoupling(c)) loose_.push_back(c);
  }
  for (const ChainInertia& m : inertias) addInertia(m);
  for (std::size_t k = 0; k < steps_.size(); ++k) addWrench(k, wrenches[k]);
  for (Body& body : bodies_) condenseBody(body);
}

// With mass m, moment c and inertia I about the body's start, turning w and velocity v there, momentum p: the rate of
// momentum depends on accelerations by (I, [c]x; -[c]x, m), on turning by (2 [w]x I - tr(I) [w]x + 2 c.v - 2 v c^T;
// -2 [p]x), and on linear velocity and place not at all. Weight turns by (-[c]x [g]x; -m [g]x).
void Chain::addInertia(const ChainInertia& m) {
  const int on = carrier_[m.step];
  if (on < 0) return;
  const Body& body = bodies_[bodyOfStep_[on]];
  const ChainFrame& frame = frames_[m.step];
  const Mat3& R = frame.pose.R;
  const Vec3 x = frame.pose.r - body.origin, moment = R * m.moment, half = moment + (0.5 * m.mass) * x;
  const Vec3 c = moment + m.mass * x;
  Mat3 inertia = R * m.inertia * R.transpose() - geometry::symmetric(half, x);
  inertia.diagonal().array() += 2 * x.dot(half);
  const Vec3 w = R * frame.velocity.head<3>(), v = R * frame.velocity.tail<3>() - w.cross(x);
  const Vec3 p = m.mass * v + w.cross(c);
  Mat3 spin =
      2 * geometry::crossColumns(w, inertia) - geometry::skew(Vec3(inertia.trace() * w)) - 2 * v * c.transpose();
  spin.diagonal().array() += 2 * c.dot(v);

  Local& local = locals_[on];
  Resistance out(local.resistance.data());
  if (!local.resists) out.setZero();
  local.resists = true;
  const Mat3 C = geometry::skew(c);
  out.block<3, 3>(0, blocks::acceleration) += inertia;
  out.block<3, 3>(0, blocks::acceleration + 3) += C;
  out.block<3, 3>(3, blocks::acceleration) -= C;
  out.block<3, 3>(3, blocks::acceleration + 3).diagonal().array() += m.mass;
  out.block<3, 3>(0, blocks::turning) += spin;
  out.block<3, 3>(3, blocks::turning) -= geometry::skew(Vec3(2 * p));
  out.block<3, 3>(0, blocks::turn) -= geometry::crossColumns(c, geometry::skew(m.gravity));
  out.block<3, 3>(3, blocks::turn) -= geometry::skew(Vec3(m.mass * m.gravity));
}

// A wrench seen in directions that stay changes by W a + (V - W ad(eta)) v + P x, where W, V, P are its derivatives and
// a, v, x the acceleration, velocity and displacement of the frame seen there.
void Chain::addWrench(std::size_t step, const ChainWrench& wrench) {
  const int on = carrier_[step];
  if (on < 0) return;
  const bool P = !wrench.byPose.isZero(0), V = !wrench.byVelocity.isZero(0), W = !wrench.byAcceleration.isZero(0);
  if (!P && !V && !W) return;
  const Body& body = bodies_[bodyOfStep_[on]];
  const ChainFrame& frame = frames_[step];
  const geometry::Mat6 pull = geometry::adjoint(geometry::inverse({frame.pose.R, frame.pose.r - body.origin}));
  Local& local = locals_[on];
  Resistance out(local.resistance.data());
  if (!local.resists) out.setZero();
  local.resists = true;
  const auto seen = [&](const geometry::Mat6& m) { return geometry::Mat6(pull.transpose() * m * pull); };
  if (P) {
    out.block<6, 6>(0, blocks::turn) += seen(wrench.byPose);
    if (!wrench.byPose.rightCols<3>().isZero(0)) inputs_ = blocks::all;
  }
  if (W) out.block<6, 6>(0, blocks::acceleration) += seen(wrench.byAcceleration);
  if (V || W) {
    const geometry::Mat6 m = seen(wrench.byVelocity - wrench.byAcceleration * geometry::bracketMatrix(frame.velocity));
    out.block<6, 3>(0, blocks::turning) += m.leftCols<3>();
    out.block<6, 3>(0, blocks::speed) += m.rightCols<3>();
    inputs_ = blocks::all;
  }
}

// With P the derivative, J how the body's coordinates move the two ends, and its start's displacement an input: within
// a body the wrench changes by P (J q + start). Of an end that the body hangs on, only the start moves; a wrench on
// that end is one at the start.
bool Chain::addCoupling(const ChainCoupling& coupling) {
  const int on = carrier_[coupling.on], by = carrier_[coupling.by];
  if (on < 0 || by < 0) return true;
  const int bodyOn = bodyOfStep_[on], bodyBy = bodyOfStep_[by];
  const bool moves = bodyOn == bodyBy || bodies_[bodyBy].on == on, turns = bodyOn == bodyBy || bodies_[bodyOn].on == by;
  if (!moves && !turns) return false;
  Body& body = bodies_[moves ? bodyBy : bodyOn];
  const auto pull = [&](int step) {
    const geometry::Pose& g = frames_[step].pose;
    return geometry::adjoint(geometry::inverse({g.R, g.r - body.origin}));
  };
  using Block = Eigen::Matrix<double, 6, 6, Eigen::RowMajor>;
  const Block P = pull(coupling.on).transpose() * coupling.byPose * pull(coupling.by);
  const int n = body.n, ld = body.ld;
  const double* shiftOn = locals_[on].columns.data() + blocks::turn * ld;
  if (moves) {
    right_.assign(static_cast<std::size_t>(6 * ld), 0);
    blocks::addProduct(6, ld, P.data(), 6, locals_[by].columns.data() + blocks::turn * ld, ld, right_.data(), ld);
    for (int i = 0; i < 6 * ld; ++i) body.toStart[i] += right_[i];
    if (turns) blocks::addTransposed(n, ld, shiftOn, ld, right_.data(), ld, body.own.data(), ld);
  }
  for (int r = 0; r < 6; ++r) {
    for (int c = 0; c < 6; ++c) body.through[r * blocks::all + blocks::turn + c] += P(r, c);
    for (int i = 0; turns && i < n; ++i) {
      for (int c = 0; c < 6; ++c) body.byInput[i * blocks::all + blocks::turn + c] += shiftOn[r * ld + i] * P(r, c);
    }
  }
  if (!coupling.byVelocity.isZero(0)) {
    const Block V = pull(coupling.on).transpose() * coupling.byVelocity * pull(coupling.by);
    const auto input = [](int c) { return c < 3 ? blocks::turning + c : blocks::speed + c - 3; };
    if (moves) {
      left_.assign(static_cast<std::size_t>(6 * ld), 0), right_.assign(static_cast<std::size_t>(6 * ld), 0);
      for (int c = 0; c < 6; ++c) std::copy_n(locals_[by].columns.data() + input(c) * ld, ld, left_.data() + c * ld);
      blocks::addProduct(6, ld, V.data(), 6, left_.data(), ld, right_.data(), ld);
      for (int i = 0; i < 6 * ld; ++i) body.toStart[i] += right_[i];
      if (turns) blocks::addTransposed(n, ld, shiftOn, ld, right_.data(), ld, body.own.data(), ld);
    }
    for (int r = 0; r < 6; ++r) {
      for (int c = 0; c < 6; ++c) body.through[r * blocks::all + input(c)] += V(r, c);
      for (int i = 0; turns && i < n; ++i) {
        for (int c = 0; c < 6; ++c) body.byInput[i * blocks::all + input(c)] += shiftOn[r * ld + i] * V(r, c);
      }
    }
  }
  inputs_ = blocks::all;
  return true;
}

void Chain::condenseBody(Body& body) {
  const int n = body.n, ld = body.ld;
  const bool anchored = body.parent < 0;
  for (const int k : body.steps) std::fill(locals_[k].turn.begin(), locals_[k].turn.end(), 0);
  for (std::size_t s = body.steps.size(); s-- > 0;) {
    const int k = body.steps[s];
    Local& local = locals_[k];
    double* turn = local.turn.data();
    if (local.resists) {
      const double* resistance = local.resistance.data();
      blocks::addProduct(inputs_ == blocks::all ? blocks::all : blocks::inertial, ld, resistance, blocks::all,
                         local.columns.data(), ld, turn, ld);
      if (!anchored) {
        blocks::addTransposed(n, inputs_, local.columns.data() + blocks::turn * ld, ld, resistance, blocks::all,
                              body.byInput.data(), blocks::all);
        for (int i = 0; i < 6 * blocks::all; ++i) body.through[i] += resistance[i];
      }
    }
    // Its own coordinates turn the wrench of its end.
    const geometry::Vec6 wrench = geometry::pushWrench({local.start.R, local.start.r - body.origin}, local.wrench);
    const double *a = local.shift.data(), *b = a + 3 * ld;
    const double m0 = wrench[0], m1 = wrench[1], m2 = wrench[2], f0 = wrench[3], f1 = wrench[4], f2 = wrench[5];
    for (int j = 0; j < ld; ++j) {
      const double a0 = a[j], a1 = a[ld + j], a2 = a[2 * ld + j], b0 = b[j], b1 = b[ld + j], b2 = b[2 * ld + j];
      turn[j] -= m1 * a2 - m2 * a1 + f1 * b2 - f2 * b1;
      turn[ld + j] -= m2 * a0 - m0 * a2 + f2 * b0 - f0 * b2;
      turn[2 * ld + j] -= m0 * a1 - m1 * a0 + f0 * b1 - f1 * b0;
      turn[3 * ld + j] -= f1 * a2 - f2 * a1;
      turn[4 * ld + j] -= f2 * a0 - f0 * a2;
      turn[5 * ld + j] -= f0 * a1 - f1 * a0;
    }
    blocks::addTransposed(n, ld, local.shift.data(), ld, turn, ld, body.own.data(), ld);
    addBend(steps_[k], local, body);
    double* inwards = before_[k] >= 0 ? locals_[before_[k]].turn.data() : anchored ? nullptr : body.toStart.data();
    for (int i = 0; inwards && i < 6 * ld; ++i) inwards[i] += turn[i];
  }
}

// The step's own twist changes how the wrench at its start acts on its coordinates: (Z q)^T s (Z q), and what Omega
// bends.
void Chain::addBend(const ChainStep& step, const Local& local, Body& body) {
  const int n = body.n, ld = body.ld;
  const geometry::DualMatrix s = local.tangent.transposedSlope(local.wrench);
  left_.assign(static_cast<std::size_t>(6 * ld), 0);
  right_.assign(static_cast<std::size_t>(6 * ld), 0);
  const auto add = [&](double* rows, const geometry::DualMatrix& m, int angular, int linear, int mode, int j,
                       double value) {
    const int c = mode % 3;
    for (int r = 0; r < 3; ++r) {
      if (mode < 3) {
        rows[(angular + r) * ld + j] += value * m.a(r, c);
        rows[(linear + r) * ld + j] += value * m.b(r, c);
      } else {
        rows[(linear + r) * ld + j] += value * m.a(r, c);
      }
    }
  };
  if (step.order == 0) {
    const geometry::DualMatrix one = geometry::dualIdentity();
    for (int j = 0; j < n; ++j) {
      for (int mode = 0; mode < 6; ++mode) {
        add(left_.data(), one, 0, 3, mode, j, step.base(mode, j));
        add(right_.data(), s, 3, 0, mode, j, step.base(mode, j));
      }
    }
  } else {
    for (int i = 0; i < magnusStages(step.order); ++i) {
      const geometry::DualMatrix column = s * local.slopes[i];
      for (int j = 0; j < n; ++j) {
        add(left_.data(), local.slopes[i], 0, 3, step.modes[j], j, step.values[i][j]);
        add(right_.data(), column, 3, 0, step.modes[j], j, step.values[i][j]);
      }
    }
  }
  blocks::addTransposed(n, ld, left_.data(), ld, right_.data(), ld, body.own.data(), ld);
  if (step.order > 2) addMagnusBend(step, local, body);
}

void Chain::addMagnusBend(const ChainStep& step, const Local& local, Body& body) {
  const int n = body.n, stages = magnusStages(step.order);
  const geometry::Vec6 y = local.tangent.transposedTimes(local.wrench);
  const MagnusBend bend = magnusBend(step.order, step.length, local.strains, y);
  if (stages == 2) {
    // One stage against the other, and of opposite sign the other way round.
    const geometry::Mat6 m = geometry::wrenchMatrix(bend[0][1]);
    const double *u = step.values[0].data(), *v = step.values[1].data();
    for (int r = 0; r < n; ++r) {
      double* out = body.own.data() + r * body.ld;
      for (int from = 0, to = 0; from < n; from = to) {
        const double entry = m(step.modes[r], step.modes[from]), a = entry * u[r], b = entry * v[r];
        while (to < n && step.modes[to] == step.modes[from]) ++to;
        if (entry == 0) continue;
        for (int c = from; c < to; ++c) out[c] += a * v[c] - b * u[c];
      }
    }
    return;
  }
  for (int i = 0; i < stages; ++i) {
    for (int j = 0; j < stages; ++j) {
      const geometry::DualMatrix& m = bend[i][j];
      for (int r = 0; r < n; ++r) {
        const int row = step.modes[r];
        double* out = body.own.data() + r * body.ld;
        const double share = step.values[i][r];
        for (int c = 0; c < n; ++c) {
          const int col = step.modes[c];
          const double entry = row < 3   ? (col < 3 ? m.b(row, col) : m.a(row, col - 3))
                               : col < 3 ? m.a(row - 3, col)
                                         : 0;
          out[c] += share * step.values[j][c] * entry;
        }
      }
    }
  }
}

void Chain::assemble(const std::vector<ChainCoupling>& couplings, Eigen::MatrixXd& tangent) {
  // With what lies beyond: bodies as if those further out were parts of them.
  for (std::size_t b = bodies_.size(); b-- > 0;) addBeyond(bodies_[b]);
  // How starts move: 18 x size, in the inputs of each body.
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const int w = inputs_;
  std::vector<Rows> starts(bodies_.size());
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const Body& body = bodies_[b];
    const auto own = Eigen::Map<const Rows>(body.ownAll.data(), body.n, body.ld).leftCols(body.n);
    tangent.block(body.first, body.first, body.n, body.n) += own;
    Rows& start = starts[b];
    if (body.parent < 0) continue;
    const Body& parent = bodies_[body.parent];
    start = starts[body.parent];
    if (start.size() == 0) start = Rows::Zero(blocks::all, size_);
    start.middleCols(parent.first, parent.n) +=
        Eigen::Map<const Rows>(locals_[body.on].columns.data(), blocks::all, parent.ld).leftCols(parent.n);
    const Vec3 way = body.origin - parent.origin;
    for (int j = 0; j < size_; ++j) blocks::moveInputs(way, start.data() + j, size_);
    tangent.block(body.first, 0, body.n, size_) +=
        Eigen::Map<const Rows>(body.byInputAll.data(), body.n, blocks::all).leftCols(w) * start.topRows(w);
    // Its coordinates change the wrench on all that it hangs on.
    Rows wrench = Eigen::Map<const Rows>(body.toStartAll.data(), 6, body.ld).leftCols(body.n);
    const Body* from = &body;
    while (from->parent >= 0) {
      const Body& below = bodies_[from->parent];
      const Vec3 lever = from->origin - below.origin;
      for (int j = 0; j < body.n; ++j) {
        const Vec3 force = wrench.col(j).tail<3>();
        wrench.col(j).head<3>() += lever.cross(force);
      }
      const auto shift =
          Eigen::Map<const Rows>(locals_[from->on].columns.data() + blocks::turn * below.ld, 6, below.ld);
      tangent.block(below.first, body.first, below.n, body.n) += shift.leftCols(below.n).transpose() * wrench;
      from = &below;
    }
  }
  Columns on, by;
  for (const ChainCoupling& c : couplings) {
    jacobian(c.on, on), jacobian(c.by, by);
    tangent.topLeftCorner(size_, size_).noalias() += on.transpose() * (c.byPose * by);
  }
}

}  // namespace tendril::links
