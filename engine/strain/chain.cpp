#include "strain/chain.h"

#include <algorithm>
#include <utility>

#include "strain/chain_blocks.h"

namespace tendril {
namespace {

bool isIdentity(const Pose& g) { return g.R == Mat3::Identity() && g.r == Vec3::Zero(); }

// Twists of a frame moved to the world's directions about `origin`.
DualMatrix seenFrom(const Vec3& origin, const Pose& frame) {
  return {frame.R, crossColumns(frame.r - origin, frame.R)};
}

}  // namespace

Chain::Chain(std::vector<ChainStep> steps, const Pose& base, int coordinates)
    : steps_(std::move(steps)), base_(base), size_(coordinates) {
  locals_.resize(steps_.size());
  frames_.resize(steps_.size());
  values_.resize(steps_.size());
  for (std::size_t k = 0; k < steps_.size(); ++k) locals_[k].plain = isIdentity(steps_[k].offset);
  findBodies();
}

void Chain::setOffset(int step, const Pose& offset) {
  steps_[static_cast<std::size_t>(step)].offset = offset;
  locals_[static_cast<std::size_t>(step)].plain = isIdentity(offset);
}

// Steps belong to the body of the step they hang on if they share its coordinates or have none.
void Chain::findBodies() {
  bodyOf_.assign(static_cast<std::size_t>(size_), -1);
  for (std::size_t k = 0; k < steps_.size(); ++k) {
    const ChainStep& step = steps_[k];
    const int n = step.coordinates(), parent = step.parent;
    const int beyond = parent < 0 ? -1 : bodyOfStep_[static_cast<std::size_t>(parent)];
    const int carried = parent < 0 ? -1 : carrier_[static_cast<std::size_t>(parent)];
    bodyOfStep_.push_back(beyond), carrier_.push_back(carried), before_.push_back(-1);
    if (n == 0) continue;
    carrier_[k] = static_cast<int>(k);
    if (beyond >= 0 && bodies_[beyond].first == step.first && bodies_[beyond].n == n) {
      before_[k] = carried;
    } else {
      bodyOfStep_[k] = static_cast<int>(bodies_.size());
      Body body;
      body.first = step.first, body.n = n, body.ld = n + n % 2;
      body.parent = beyond, body.on = carried;
      if (beyond >= 0) bodies_[beyond].children.push_back(bodyOfStep_[k]);
      const auto own = static_cast<std::size_t>(n * body.ld), wide = static_cast<std::size_t>(6 * body.ld);
      body.own.resize(own), body.toStart.resize(wide), body.byInput.resize(static_cast<std::size_t>(n * blocks::all));
      body.through.resize(6 * blocks::all);
      bodies_.push_back(std::move(body));
      for (int i = step.first; i < step.first + n; ++i) {
        separable_ = separable_ && bodyOf_[static_cast<std::size_t>(i)] < 0;
        bodyOf_[static_cast<std::size_t>(i)] = bodyOfStep_[k];
      }
    }
    Body& body = bodies_[bodyOfStep_[k]];
    body.steps.push_back(static_cast<int>(k));
    locals_[k].columns.assign(static_cast<std::size_t>(blocks::all * body.ld), 0);
    locals_[k].shift.assign(static_cast<std::size_t>(6 * body.ld), 0);
    locals_[k].turn.assign(static_cast<std::size_t>(6 * body.ld), 0);
  }
  separable_ = separable_ && std::find(bodyOf_.begin(), bodyOf_.end(), -1) == bodyOf_.end();
}

void Chain::moveStep(std::size_t index, const VectorX& q, const VectorX& v, const VectorX& a) {
  const ChainStep& step = steps_[index];
  Local& local = locals_[index];
  ChainFrame& frame = frames_[index];
  const int n = step.coordinates(), first = step.first;
  const ChainFrame* parent = step.parent < 0 ? nullptr : &frames_[step.parent];
  local.start = parent ? parent->pose : base_;
  local.velocity = parent ? parent->velocity : Vec6::Zero();
  local.acceleration = parent ? parent->acceleration : Vec6::Zero();
  if (!local.plain) {
    local.start = local.start * step.offset;
    local.velocity = pullBack(step.offset, local.velocity);
    local.acceleration = pullBack(step.offset, local.acceleration);
  }
  if (n == 0) {
    frame.pose = local.start, frame.velocity = local.velocity, frame.acceleration = local.acceleration;
    return;
  }
  if (step.order == 0) {
    local.twist = {Vec6::Zero(), Vec6::Zero(), Vec6::Zero()};
    for (int j = 0; j < n; ++j) {
      local.twist.value += q[first + j] * step.base.col(j);
      local.twist.rate += v[first + j] * step.base.col(j);
      local.twist.acceleration += a[first + j] * step.base.col(j);
    }
  } else {
    for (int i = 0; i < magnusStages(step.order); ++i) {
      TwistJet& xi = local.strains[i];
      xi = {step.reference[i], Vec6::Zero(), Vec6::Zero()};
      for (int j = 0; j < n; ++j) {
        const double value = step.values[i][j];
        const int k = first + j, mode = step.modes[j];
        xi.value[mode] += value * q[k], xi.rate[mode] += value * v[k], xi.acceleration[mode] += value * a[k];
      }
    }
    local.twist = magnusTwist(step.order, step.length, local.strains);
  }
  local.tangent = TangentOperator(local.twist.value);
  local.motion = local.tangent.exponential();
  const Vec6 relative = local.tangent * local.twist.rate;
  const Vec6 relativeRate = local.tangent * local.twist.acceleration + local.tangent.rateAlong(local.twist.rate);
  frame.pose = local.start * local.motion;
  frame.velocity = pullBack(local.motion, local.velocity + relative);
  frame.acceleration =
      pullBack(local.motion, local.acceleration + relativeRate + bracket(local.velocity, relative));
}

void Chain::move(const VectorX& q, const VectorX& v, const VectorX& a, const Rates& rates, bool slopes) {
  for (std::size_t k = 0; k < steps_.size(); ++k) moveStep(k, q, v, a);
  if (!slopes) return;
  for (Body& body : bodies_) placeColumns(body, rates);
}

// Seen in directions that stay, the displacement of an end is the sum of what its steps add, and so are its first and
// second derivative in time: d (eta) / d q = d (displacement) / dt there. With T the tangent operator of Omega, Z its
// slope and A the adjoint map of a step's start, the step adds A T Z, whose derivative in time is A (d/dt + ad(eta)) T Z.
void Chain::placeColumns(Body& body, const Rates& rates) {
  body.origin = locals_[body.steps.front()].start.r;
  const int n = body.n, ld = body.ld;
  for (const int index : body.steps) {
    const ChainStep& step = steps_[index];
    Local& local = locals_[index];
    const Jet<DualMatrix> t = local.tangent.jet(local.twist.rate, local.twist.acceleration);
    const DualVector eta(local.velocity), etaRate(local.acceleration);
    const DualMatrix A = seenFrom(body.origin, local.start);
    const DualMatrix rate = t.rate + cross(eta, t.value);
    const DualMatrix m0 = A * t.value, m1 = A * rate + rates.v * m0;
    const DualMatrix m2 = A * (t.acceleration + cross(eta, t.rate + rate) + cross(etaRate, t.value)) +
                          (2 * rates.v) * m1 + (rates.a - 2 * rates.v * rates.v) * m0;
    double* out = local.columns.data();
    if (before_[index] >= 0) {
      local.columns = locals_[before_[index]].columns;
    } else {
      std::fill(local.columns.begin(), local.columns.end(), 0);
    }
    std::fill(local.shift.begin(), local.shift.end(), 0);
    double* shift = local.shift.data();
    // Adds share times a column to coordinate j.
    const auto add = [&](int j, double share, const DualMatrix& d0, const DualMatrix& d1, const DualMatrix& d2, int mode) {
      const int c = mode % 3;
      double* to = out + j;
      double* s = shift + j;
      for (int r = 0; r < 3; ++r) {
        if (mode < 3) {
          to[(blocks::acceleration + r) * ld] += share * d2.a(r, c);
          to[(blocks::acceleration + 3 + r) * ld] += share * d2.b(r, c);
          to[(blocks::turning + r) * ld] += share * d1.a(r, c);
          to[(blocks::speed + r) * ld] += share * d1.b(r, c);
          to[(blocks::turn + r) * ld] += share * d0.a(r, c);
          to[(blocks::place + r) * ld] += share * d0.b(r, c);
          s[r * ld] += share * d0.a(r, c);
          s[(3 + r) * ld] += share * d0.b(r, c);
        } else {
          to[(blocks::acceleration + 3 + r) * ld] += share * d2.a(r, c);
          to[(blocks::speed + r) * ld] += share * d1.a(r, c);
          to[(blocks::place + r) * ld] += share * d0.a(r, c);
          s[(3 + r) * ld] += share * d0.a(r, c);
        }
      }
    };
    if (step.order == 0) {
      for (int j = 0; j < n; ++j) {
        for (int mode = 0; mode < 6; ++mode) {
          if (step.base(mode, j) != 0) add(j, step.base(mode, j), m0, m1, m2, mode);
        }
      }
      continue;
    }
    const MagnusStep magnus = magnusStep(step.order, step.length, local.strains);
    for (int i = 0; i < magnus.stages; ++i) {
      const Jet<DualMatrix>& z = magnus.slope[i];
      const DualMatrix d0 = m0 * z.value, d1 = m1 * z.value + m0 * z.rate,
                       d2 = m2 * z.value + 2 * (m1 * z.rate) + m0 * z.acceleration;
      for (int j = 0; j < n; ++j) add(j, step.values[i][j], d0, d1, d2, step.modes[j]);
    }
  }
}

// From a step inwards: every body on the way moves its end, as the step of it that the way goes through does.
void Chain::jacobian(int step, Columns& out) const {
  out.setZero(6, size_);
  const Pose& end = frames_[step].pose;
  for (int on = carrier_[step]; on >= 0;) {
    const Body& body = bodies_[bodyOfStep_[on]];
    const Local& local = locals_[on];
    const Pose seen{end.R, end.r - body.origin};
    for (int j = 0; j < body.n; ++j) {
      Vec6 x;
      for (int r = 0; r < 6; ++r) x[r] = local.columns[static_cast<std::size_t>((blocks::turn + r) * body.ld + j)];
      out.col(body.first + j) += pullBack(seen, x);
    }
    on = body.on;
  }
}

ChainSlopes Chain::slopes(int step) const {
  ChainSlopes out;
  jacobian(step, out.shift);
  out.velocity = out.acceleration = Columns::Zero(6, size_);
  const ChainFrame& end = frames_[step];
  for (int on = carrier_[step]; on >= 0;) {
    const Body& body = bodies_[bodyOfStep_[on]];
    const Local& local = locals_[on];
    const Pose seen{end.pose.R, end.pose.r - body.origin};
    for (int j = 0; j < body.n; ++j) {
      Vec6 rate, acceleration;
      for (int r = 0; r < 6; ++r) {
        const int row = r < 3 ? blocks::turning + r : blocks::speed + r - 3;
        rate[r] = local.columns[static_cast<std::size_t>(row * body.ld + j)];
        acceleration[r] = local.columns[static_cast<std::size_t>((blocks::acceleration + r) * body.ld + j)];
      }
      rate = pullBack(seen, rate), acceleration = pullBack(seen, acceleration);
      out.velocity.col(body.first + j) += rate;
      out.acceleration.col(body.first + j) += acceleration - bracket(end.velocity, rate);
    }
    on = body.on;
  }
  return out;
}

void Chain::gatherValues(const std::vector<ChainWrench>& wrenches, VectorX& r) {
  for (std::size_t k = 0; k < steps_.size(); ++k) values_[k] = wrenches[k].value;
  for (std::size_t k = steps_.size(); k-- > 0;) {
    const ChainStep& step = steps_[k];
    Local& local = locals_[k];
    const int n = step.coordinates(), first = step.first;
    local.wrench = n > 0 ? pushWrench(local.motion, values_[k]) : values_[k];
    if (n > 0) {
      const Vec6 y = local.tangent.transposedTimes(local.wrench);
      if (step.order == 0) {
        for (int j = 0; j < n; ++j) r[first + j] += step.base.col(j).dot(y);
      } else {
        const auto onStages = magnusTransposed(step.order, step.length, local.strains, y);
        for (int i = 0; i < magnusStages(step.order); ++i) {
          for (int j = 0; j < n; ++j) r[first + j] += step.values[i][j] * onStages[i][step.modes[j]];
        }
      }
    }
    if (step.parent < 0) continue;
    if (local.plain) {
      values_[step.parent] += local.wrench;
    } else {
      values_[step.parent] += pushWrench(step.offset, local.wrench);
    }
  }
}

void Chain::gather(const std::vector<ChainWrench>& wrenches, const std::vector<ChainCoupling>& couplings, VectorX& r,
                   Eigen::MatrixXd* tangent) {
  gatherValues(wrenches, r);
  if (!tangent) return;
  clearTangent();
  condense(wrenches, {});
  assemble(couplings, *tangent);
}

}  // namespace tendril
