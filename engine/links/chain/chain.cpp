#include "links/chain/chain.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "geometry/invariants.h"
#include "links/chain/blocks.h"

namespace tendril::links {
namespace {

bool isIdentity(const geometry::Pose& g) { return g.R == Mat3::Identity() && g.r == Vec3::Zero(); }

// Twists of a frame moved to the world's directions about `origin`.
geometry::DualMatrix seenFrom(const Vec3& origin, const geometry::Pose& frame) {
  return {frame.R, geometry::crossColumns(frame.r - origin, frame.R)};
}

// What a unit of one component of a twist does, as inputs.
void modeColumn(const geometry::Jet<geometry::DualMatrix>& d, int mode, double* out) {
  const int c = mode % 3;
  const bool angular = mode < 3;
  for (int r = 0; r < 3; ++r) {
    out[blocks::acceleration + r] = angular ? d.acceleration.a(r, c) : 0;
    out[blocks::acceleration + 3 + r] = angular ? d.acceleration.b(r, c) : d.acceleration.a(r, c);
    out[blocks::turning + r] = angular ? d.rate.a(r, c) : 0;
    out[blocks::speed + r] = angular ? d.rate.b(r, c) : d.rate.a(r, c);
    out[blocks::turn + r] = angular ? d.value.a(r, c) : 0;
    out[blocks::place + r] = angular ? d.value.b(r, c) : d.value.a(r, c);
  }
}

}  // namespace

Chain::Chain(std::vector<ChainStep> steps, const geometry::Pose& base, int coordinates)
    : steps_(std::move(steps)), base_(base), size_(coordinates) {
  locals_.resize(steps_.size());
  frames_.resize(steps_.size());
  values_.resize(steps_.size());
  for (std::size_t k = 0; k < steps_.size(); ++k) locals_[k].plain = isIdentity(steps_[k].offset);
  findBodies();
}

void Chain::setOffset(int step, const geometry::Pose& offset) {
  assert(geometry::inRange(step, steps_.size()));
  steps_[static_cast<std::size_t>(step)].offset = offset;
  locals_[static_cast<std::size_t>(step)].plain = isIdentity(offset);
}

// Steps belong to the body of the step they hang on if they share its coordinates or have none.
void Chain::findBodies() {
  bodyOf_.assign(static_cast<std::size_t>(size_), -1);
  for (std::size_t k = 0; k < steps_.size(); ++k) {
    const ChainStep& step = steps_[k];
    const int n = step.coordinates(), parent = step.parent;
    assert(parent < static_cast<int>(k) && parent >= -1 && "parents come before their children");
    assert(n == 0 || (step.first >= 0 && step.first + n <= size_));
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
      if (zeros_.size() < static_cast<std::size_t>(body.ld)) zeros_.resize(static_cast<std::size_t>(body.ld), 0);
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
  local.velocity = parent ? parent->velocity : geometry::Vec6::Zero();
  local.acceleration = parent ? parent->acceleration : geometry::Vec6::Zero();
  if (!local.plain) {
    local.start = local.start * step.offset;
    local.velocity = geometry::pullBack(step.offset, local.velocity);
    local.acceleration = geometry::pullBack(step.offset, local.acceleration);
  }
  if (n == 0) {
    frame.pose = local.start, frame.velocity = local.velocity, frame.acceleration = local.acceleration;
    return;
  }
  if (step.order == 0) {
    local.twist = {geometry::Vec6::Zero(), geometry::Vec6::Zero(), geometry::Vec6::Zero()};
    for (int j = 0; j < n; ++j) {
      local.twist.value += q[first + j] * step.base.col(j);
      local.twist.rate += v[first + j] * step.base.col(j);
      local.twist.acceleration += a[first + j] * step.base.col(j);
    }
  } else {
    for (int i = 0; i < magnusStages(step.order); ++i) {
      TwistJet& xi = local.strains[i];
      xi = {step.reference[i], geometry::Vec6::Zero(), geometry::Vec6::Zero()};
      for (int j = 0; j < n; ++j) {
        const double value = step.values[i][j];
        const int k = first + j, mode = step.modes[j];
        xi.value[mode] += value * q[k], xi.rate[mode] += value * v[k], xi.acceleration[mode] += value * a[k];
      }
    }
    local.twist = magnusTwist(step.order, step.length, local.strains);
  }
  local.tangent = geometry::TangentOperator(local.twist.value);
  local.motion = local.tangent.exponential();
  const geometry::Vec6 relative = local.tangent * local.twist.rate;
  const geometry::Vec6 relativeRate =
      local.tangent * local.twist.acceleration + local.tangent.rateAlong(local.twist.rate);
  frame.pose = local.start * local.motion;
  frame.velocity = geometry::pullBack(local.motion, local.velocity + relative);
  frame.acceleration =
      geometry::pullBack(local.motion, local.acceleration + relativeRate + geometry::bracket(local.velocity, relative));
}

void Chain::move(const VectorX& q, const VectorX& v, const VectorX& a, const solve::Rates& rates, bool slopes) {
  for (std::size_t k = 0; k < steps_.size(); ++k) moveStep(k, q, v, a);
  if (!slopes) return;
  for (Body& body : bodies_) placeColumns(body, rates);
}

// Seen in directions that stay, the displacement of an end is the sum of what its steps add, and so are its first and
// second derivative in time: d (eta) / d q = d (displacement) / dt there. With T the tangent operator of Omega, Z its
// slope and A the adjoint map of a step's start, the step adds A T Z, whose derivative in time is A (d/dt + ad(eta)) T
// Z.
void Chain::placeColumns(Body& body, const solve::Rates& rates) {
  body.origin = locals_[body.steps.front()].start.r;
  const int ld = body.ld;
  for (const int index : body.steps) {
    const ChainStep& step = steps_[index];
    Local& local = locals_[index];
    const geometry::Jet<geometry::DualMatrix> t = local.tangent.jet(local.twist.rate, local.twist.acceleration);
    const geometry::DualVector eta(local.velocity), etaRate(local.acceleration);
    const geometry::DualMatrix A = seenFrom(body.origin, local.start);
    const geometry::DualMatrix rate = t.rate + geometry::cross(eta, t.value);
    geometry::Jet<geometry::DualMatrix> m;
    m.value = A * t.value;
    m.rate = A * rate + rates.v * m.value;
    m.acceleration = A * (t.acceleration + geometry::cross(eta, t.rate + rate) + geometry::cross(etaRate, t.value)) +
                     (2 * rates.v) * m.rate + (rates.a - 2 * rates.v * rates.v) * m.value;
    const double* before = before_[index] >= 0 ? locals_[before_[index]].columns.data() : nullptr;
    if (step.order == 0) {
      jointColumns(step, m, ld, before, local);
    } else if (step.order == 2) {
      rodColumns<1>(step, m, ld, before, local);
    } else if (step.order == 4) {
      rodColumns<2>(step, m, ld, before, local);
    } else {
      rodColumns<3>(step, m, ld, before, local);
    }
  }
}

void Chain::jointColumns(const ChainStep& step, const geometry::Jet<geometry::DualMatrix>& m, int ld,
                         const double* before, Local& local) {
  for (int j = 0; j < step.coordinates(); ++j) {
    double sum[blocks::all] = {};
    for (int mode = 0; mode < 6; ++mode) {
      double e[blocks::all];
      modeColumn(m, mode, e);
      for (int r = 0; r < blocks::all; ++r) sum[r] += step.base(mode, j) * e[r];
    }
    for (int r = 0; r < blocks::all; ++r) local.columns[r * ld + j] = (before ? before[r * ld + j] : 0) + sum[r];
    for (int r = 0; r < 6; ++r) local.shift[r * ld + j] = sum[blocks::turn + r];
  }
}

// Products of the start's map with the slopes of Omega by both strains of order 4, h/2 + ad(x): both in one register.
void Chain::slopesOfFour(const ChainStep& step, const geometry::Jet<geometry::DualMatrix>& m, Local& local,
                         double (*e)[2][blocks::all]) {
  using Wide = solve::WideOf<2>::Type;
  const MagnusStep magnus = magnusStep(4, step.length, local.strains);
  const double half = 0.5 * step.length;
  for (int i = 0; i < 2; ++i) local.slopes[i] = magnus.slope[i].value;
  // x, its rate and acceleration: real and dual part.
  Wide x[3][2][3];
  const auto axis = [](const Mat3& k, int c) { return c == 0 ? k(2, 1) : c == 1 ? k(0, 2) : k(1, 0); };
  for (int i = 0; i < 2; ++i) {
    const geometry::Jet<geometry::DualMatrix>& z = magnus.slope[i];
    for (int c = 0; c < 3; ++c) {
      x[0][0][c][i] = axis(z.value.a, c), x[0][1][c][i] = axis(z.value.b, c);
      x[1][0][c][i] = axis(z.rate.a, c), x[1][1][c][i] = axis(z.rate.b, c);
      x[2][0][c][i] = axis(z.acceleration.a, c), x[2][1][c][i] = axis(z.acceleration.b, c);
    }
  }
  const auto add = [](Wide* sum, double f, const Mat3& k, int r, const Wide* v) {
    const double k0 = f * k(r, 0), k1 = f * k(r, 1), k2 = f * k(r, 2);
    sum[0] += k1 * v[2] - k2 * v[1];
    sum[1] += k2 * v[0] - k0 * v[2];
    sum[2] += k0 * v[1] - k1 * v[0];
  };
  // The parts of e that a row of the result goes to, of angular and of linear components.
  const auto store = [&](int r, int angularA, int angularB, const Wide* a, const Wide* b) {
    for (int c = 0; c < 3; ++c) {
      for (int i = 0; i < 2; ++i) {
        e[c][i][angularA + r] = a[c][i], e[c][i][angularB + r] = b[c][i];
        e[3 + c][i][angularA + r] = 0, e[3 + c][i][angularB + r] = a[c][i];
      }
    }
  };
  const auto start = [&](Wide* sum, const Mat3& k, int r) {
    for (int c = 0; c < 3; ++c) sum[c] = Wide{half * k(r, c), half * k(r, c)};
  };
  for (int r = 0; r < 3; ++r) {
    Wide a[3], b[3];
    const auto both = [&](double f, const geometry::DualMatrix& k, const Wide(*v)[3]) {
      add(a, f, k.a, r, v[0]), add(b, f, k.a, r, v[1]), add(b, f, k.b, r, v[0]);
    };
    start(a, m.value.a, r), start(b, m.value.b, r);
    both(1, m.value, x[0]);
    store(r, blocks::turn, blocks::place, a, b);
    start(a, m.rate.a, r), start(b, m.rate.b, r);
    both(1, m.rate, x[0]), both(1, m.value, x[1]);
    store(r, blocks::turning, blocks::speed, a, b);
    start(a, m.acceleration.a, r), start(b, m.acceleration.b, r);
    both(1, m.acceleration, x[0]), both(2, m.rate, x[1]), both(1, m.value, x[2]);
    store(r, blocks::acceleration, blocks::acceleration + 3, a, b);
  }
}

// The same of order 2 and 6.
template <int Stages>
void Chain::slopesOf(const ChainStep& step, const geometry::Jet<geometry::DualMatrix>& m, Local& local,
                     double (*e)[Stages][blocks::all]) {
  const MagnusStep magnus = magnusStep(step.order, step.length, local.strains);
  for (int i = 0; i < Stages; ++i) {
    const geometry::Jet<geometry::DualMatrix>& z = magnus.slope[i];
    local.slopes[i] = z.value;
    geometry::Jet<geometry::DualMatrix> d;
    d.value = m.value * z.value;
    d.rate = m.rate * z.value + m.value * z.rate;
    d.acceleration = m.acceleration * z.value + 2 * (m.rate * z.rate) + m.value * z.acceleration;
    for (int mode = 0; mode < 6; ++mode) modeColumn(d, mode, e[mode][i]);
  }
}

// Coordinates of one component follow one another: their columns are the component's, times their functions' values.
template <int Stages>
void Chain::rodColumns(const ChainStep& step, const geometry::Jet<geometry::DualMatrix>& m, int ld,
                       const double* before, Local& local) {
  double all[6][Stages][blocks::all];
  if constexpr (Stages == 2) {
    slopesOfFour(step, m, local, all);
  } else {
    slopesOf<Stages>(step, m, local, all);
  }
  const int n = step.coordinates();
  const double* values[Stages];
  for (int i = 0; i < Stages; ++i) values[i] = step.values[i].data();
  for (int from = 0, to = 0; from < n; from = to) {
    const int mode = step.modes[from];
    while (to < n && step.modes[to] == mode) ++to;
    const double(*e)[blocks::all] = all[mode];
    for (int r = 0; r < blocks::all; ++r) {
      double* out = local.columns.data() + r * ld;
      const double* start = before ? before + r * ld : zeros_.data();
      for (int c = from; c < to; ++c) {
        double sum = e[0][r] * values[0][c];
        for (int i = 1; i < Stages; ++i) sum += e[i][r] * values[i][c];
        out[c] = start[c] + sum;
      }
    }
    for (int r = 0; r < 6; ++r) {
      double* out = local.shift.data() + r * ld;
      for (int c = from; c < to; ++c) {
        double sum = e[0][blocks::turn + r] * values[0][c];
        for (int i = 1; i < Stages; ++i) sum += e[i][blocks::turn + r] * values[i][c];
        out[c] = sum;
      }
    }
  }
}

// From a step inwards: every body on the way moves its end, as the step of it that the way goes through does.
void Chain::jacobian(int step, Columns& out) const {
  out.setZero(6, size_);
  const geometry::Pose& end = frames_[step].pose;
  for (int on = carrier_[step]; on >= 0;) {
    const Body& body = bodies_[bodyOfStep_[on]];
    const Local& local = locals_[on];
    const geometry::Pose seen{end.R, end.r - body.origin};
    for (int j = 0; j < body.n; ++j) {
      geometry::Vec6 x;
      for (int r = 0; r < 6; ++r) x[r] = local.columns[static_cast<std::size_t>((blocks::turn + r) * body.ld + j)];
      out.col(body.first + j) += geometry::pullBack(seen, x);
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
    const geometry::Pose seen{end.pose.R, end.pose.r - body.origin};
    for (int j = 0; j < body.n; ++j) {
      geometry::Vec6 rate, acceleration;
      for (int r = 0; r < 6; ++r) {
        const int row = r < 3 ? blocks::turning + r : blocks::speed + r - 3;
        rate[r] = local.columns[static_cast<std::size_t>(row * body.ld + j)];
        acceleration[r] = local.columns[static_cast<std::size_t>((blocks::acceleration + r) * body.ld + j)];
      }
      rate = geometry::pullBack(seen, rate), acceleration = geometry::pullBack(seen, acceleration);
      out.velocity.col(body.first + j) += rate;
      out.acceleration.col(body.first + j) += acceleration - geometry::bracket(end.velocity, rate);
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
    local.wrench = n > 0 ? geometry::pushWrench(local.motion, values_[k]) : values_[k];
    if (n > 0) {
      const geometry::Vec6 y = local.tangent.transposedTimes(local.wrench);
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
      values_[step.parent] += geometry::pushWrench(step.offset, local.wrench);
    }
  }
}

void Chain::gather(const std::vector<ChainWrench>& wrenches, const std::vector<ChainCoupling>& couplings, VectorX& r,
                   Eigen::MatrixXd* tangent) {
  gatherValues(wrenches, r);
  if (!tangent) return;
  clearTangent();
  condense(wrenches, {}, couplings);
  assemble(loose_, *tangent);
}

}  // namespace tendril::links
