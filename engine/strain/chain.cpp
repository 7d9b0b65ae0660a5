#include "strain/chain.h"

#include <utility>

namespace tendril {

Chain::Chain(std::vector<ChainStep> steps, const Pose& base, int coordinates)
    : steps_(std::move(steps)), base_(base), size_(coordinates) {
  locals_.resize(steps_.size());
  frames_.resize(steps_.size());
  for (ChainFrame& f : frames_) {
    f.jacobian = f.velocitySlope = f.accelerationSlope = Columns::Zero(6, size_);
  }
}

void Chain::moveLocal(const ChainStep& step, const VectorX& q, const VectorX& v, const VectorX& a, Local& local) const {
  const int n = step.coordinates();
  if (step.order == 0) {
    local.slope = step.base;
    local.twist = {step.base * q.segment(step.first, n), step.base * v.segment(step.first, n),
                   step.base * a.segment(step.first, n)};
    return;
  }
  for (int i = 0; i < magnusStages(step.order); ++i) {
    TwistJet& xi = local.strains[i];
    xi = {step.reference[i], Vec6::Zero(), Vec6::Zero()};
    for (int j = 0; j < n; ++j) {
      const double value = step.values[i][j];
      const int k = step.first + j, mode = step.modes[j];
      xi.value[mode] += value * q[k], xi.rate[mode] += value * v[k], xi.acceleration[mode] += value * a[k];
    }
  }
}

void Chain::move(const VectorX& q, const VectorX& v, const VectorX& a, const Rates& rates, bool slopes) {
  for (std::size_t e = 0; e < steps_.size(); ++e) {
    const ChainStep& step = steps_[e];
    Local& local = locals_[e];
    const int n = step.coordinates(), first = step.first;
    moveLocal(step, q, v, a, local);
    // Z and its derivatives in time.
    Columns rate = Columns::Zero(6, n), acceleration = rate;
    if (step.order > 0) {
      const MagnusStep magnus = magnusStep(step.order, step.length, local.strains);
      local.twist = magnus.twist;
      local.slope = rate;
      for (int i = 0; i < magnus.stages; ++i) {
        for (int j = 0; j < n; ++j) {
          const double value = step.values[i][j];
          const int mode = step.modes[j];
          local.slope.col(j) += value * magnus.slope[i].value.col(mode);
          rate.col(j) += value * magnus.slope[i].rate.col(mode);
          acceleration.col(j) += value * magnus.slope[i].acceleration.col(mode);
        }
      }
    }
    const TangentOperator T(local.twist.value);
    const Mat6 t = T.matrix(), along = T.along(local.twist.rate);
    local.motion = exponential(local.twist.value);
    local.pull = adjoint(inverse(local.motion));
    local.relative = t * local.twist.rate;
    local.relativeRate = t * local.twist.acceleration + along * local.twist.rate;
    local.columns = t * local.slope;
    local.shift = local.pull * local.columns;

    ChainFrame& frame = frames_[e];
    const ChainFrame* parent = step.parent < 0 ? nullptr : &frames_[step.parent];
    const Pose start = (parent ? parent->pose : base_) * step.offset;
    const Mat6 carry = adjoint(inverse(step.offset));
    const Vec6 eta = parent ? Vec6(carry * parent->velocity) : Vec6::Zero();
    const Vec6 etaRate = parent ? Vec6(carry * parent->acceleration) : Vec6::Zero();
    frame.pose = start * local.motion;
    frame.velocity = local.pull * (eta + local.relative);
    frame.acceleration = local.pull * (etaRate + local.relativeRate + bracket(eta, local.relative));
    if (!slopes) continue;

    const Mat6 whole = local.pull * carry;
    if (parent) {
      frame.jacobian.noalias() = whole * parent->jacobian;
      frame.velocitySlope.noalias() = whole * parent->velocitySlope;
      frame.accelerationSlope.noalias() = whole * parent->accelerationSlope;
      frame.accelerationSlope.noalias() -= (local.pull * bracketMatrix(local.relative) * carry) * parent->velocitySlope;
    } else {
      frame.jacobian.setZero(), frame.velocitySlope.setZero(), frame.accelerationSlope.setZero();
    }
    const Mat6 s1 = T.slopeOf(local.twist.rate), both = along + s1;
    const Mat6 s2 = T.slopeOf(local.twist.acceleration) + T.bendOf(local.twist.rate);
    const Columns relative = t * rate + s1 * local.slope + rates.v * local.columns;
    const Columns relativeRate = t * acceleration + both * rate + s2 * local.slope +
                                 rates.v * (2 * t * rate + both * local.slope) + rates.a * local.columns;
    frame.jacobian.middleCols(first, n) += local.shift;
    frame.velocitySlope.middleCols(first, n) += local.pull * relative + bracketMatrix(frame.velocity) * local.shift;
    frame.accelerationSlope.middleCols(first, n) += local.pull * (relativeRate + bracketMatrix(eta) * relative) +
                                                    bracketMatrix(frame.acceleration) * local.shift;
  }
}

void Chain::gather(const std::vector<ChainWrench>& wrenches, const std::vector<ChainCoupling>& couplings, VectorX& r,
                   Eigen::MatrixXd* tangent) {
  values_.resize(steps_.size());
  for (std::size_t k = 0; k < steps_.size(); ++k) values_[k] = wrenches[k].value;
  if (tangent) {
    slopes_.resize(steps_.size());
    for (std::size_t k = 0; k < steps_.size(); ++k) {
      const ChainFrame& f = frames_[k];
      slopes_[k].noalias() = wrenches[k].byPose * f.jacobian;
      slopes_[k].noalias() += wrenches[k].byVelocity * f.velocitySlope;
      slopes_[k].noalias() += wrenches[k].byAcceleration * f.accelerationSlope;
    }
    for (const ChainCoupling& c : couplings) slopes_[c.on].noalias() += c.byPose * frames_[c.by].jacobian;
  }
  for (std::size_t k = steps_.size(); k-- > 0;) {
    const ChainStep& step = steps_[k];
    const Local& local = locals_[k];
    const int n = step.coordinates(), first = step.first;
    const Vec6 start = local.pull.transpose() * values_[k];
    r.segment(first, n) += local.columns.transpose() * start;
    const Mat6 carry = adjoint(inverse(step.offset));
    if (tangent) {
      // Its own coordinates turn the wrench of its end.
      Columns& slope = slopes_[k];
      slope.middleCols(first, n) -= bracketTransposed(values_[k]) * local.shift;
      const Columns startSlope = local.pull.transpose() * slope;
      tangent->block(first, 0, n, size_).noalias() += local.columns.transpose() * startSlope;
      tangent->block(first, first, n, n) += local.slope.transpose() * transposedSlope(local.twist.value, start) * local.slope;
      if (step.order > 2) addBend(step, local, start, *tangent);
      if (step.parent >= 0) slopes_[step.parent].noalias() += carry.transpose() * startSlope;
    }
    if (step.parent >= 0) values_[step.parent] += carry.transpose() * start;
  }
}

void Chain::addBend(const ChainStep& step, const Local& local, const Vec6& start, Eigen::MatrixXd& tangent) const {
  const int n = step.coordinates(), first = step.first, stages = magnusStages(step.order);
  const Vec6 y = TangentOperator(local.twist.value).matrix().transpose() * start;
  const MagnusBend bend = magnusBend(step.order, step.length, local.strains, y);
  for (int i = 0; i < stages; ++i) {
    for (int j = 0; j < stages; ++j) {
      for (int row = 0; row < n; ++row) {
        for (int col = 0; col < n; ++col) {
          tangent(first + row, first + col) +=
              step.values[i][row] * step.values[j][col] * bend[i][j](step.modes[row], step.modes[col]);
        }
      }
    }
  }
}

}  // namespace tendril
