// Assembly by pairs into the lower triangle of the band, and solves with iterative refinement.
#include "vines/step/chain_system.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>

#include "vines/pin_spring.h"
#include "vines/step/joint_rows.h"

namespace tendril::vines {
namespace {

constexpr int band = 10;
constexpr double jointTolerance = 1e-9;  // joint error allowed after a step, relative to half a body

BodyPose pose(const Chain& chain, int body) { return {chain.position(body), chain.angle(body)}; }

}  // namespace

double& ChainSystem::at(int row, int col) { return band_->values()[std::size_t(col) * (band + 1) + (row - col)]; }

double ChainSystem::entry(int row, int col) const {
  if (std::abs(row - col) > band) return 0;
  return band_->values()[std::size_t(band_->offset(row, col))];
}

void ChainSystem::resize(int pairs) {
  if (pairs == pairs_) return;
  pairs_ = pairs;
  size_ = perPair * pairs;
  band_ = std::make_unique<solve::BandLdlt>(size_, band, std::vector<int>{});
  for (auto* v : {&rhs_, &residual_, &correction_, &missing_}) v->assign(std::size_t(size_), 0.0);
  for (auto* v : {&rate_, &compliance_}) v->assign(std::size_t(pairs), 0.0);
  for (auto* v : {&mass_, &inertia_}) v->assign(std::size_t(2 * pairs), 0.0);
}

void ChainSystem::assemble(const Chain& chain, const Actuation& actuation, double dt,
                           std::span<const GrowthLock> locked) {
  resize(chain.pairs());
  halfLength_ = chain.parameters().halfLength;
  std::fill(band_->values().begin(), band_->values().end(), 0.0);
  std::fill(rhs_.begin(), rhs_.end(), 0.0);
  plain_.clear();
  setGrowthLaw(chain, actuation.growth, dt, locked);
  addBodies(chain);
  addPins(chain, actuation, dt);
  addPulls(chain, actuation, dt);
  addFields(chain, actuation, dt);
  for (int i = 0; i < pairs_; ++i) {
    addPinRows(chain, i, dt);
    addSlideRows(chain, i, dt);
    addGrowthRow(chain, i, dt);
  }
}

void ChainSystem::addBodies(const Chain& chain) {
  for (int b = 0; b < chain.bodies(); ++b) {
    if (b % 2 == 0) {
      mass_[b] = mass_[b + 1] = chain.bodyMass(b);
      inertia_[b] = inertia_[b + 1] = chain.bodyInertia(b);
    }
    const int k = bodyAt(b);
    for (int c = 0; c < 3; ++c) {
      const double m = c < 2 ? mass_[b] : inertia_[b];
      at(k + c, k + c) += m;
      rhs_[k + c] += m * chain.v[3 * b + c];
    }
  }
}

void ChainSystem::addPins(const Chain& chain, const Actuation& actuation, double dt) {
  const bool implicit = chain.parameters().springs == Parameters::Springs::implicit;
  for (int i = 0; i < pairs_; ++i) {
    double bend = pinAngle(chain, i);
    if (std::size_t(i) < actuation.curvature.size()) bend -= actuation.curvature[i] * chain.pinLength(i);
    const elastic::KelvinVoigt<double> spring = pinSpring(chain, i, bend);
    double impulse = -dt * spring.stress(bend);
    if (std::size_t(i) < actuation.moments.size()) impulse += dt * actuation.moments[i];
    const int ahead = bodyAt(2 * i) + 2, behind = i > 0 ? bodyAt(2 * i - 1) + 2 : -1;
    if (implicit) {
      const double h = dt * (spring.viscosity + dt * spring.stiffness);
      at(ahead, ahead) += h;
      if (behind >= 0) at(behind, behind) += h, at(ahead, behind) -= h;
    } else {
      const double rate = chain.v[6 * i + 2] - (i > 0 ? chain.v[6 * i - 1] : 0.0);
      impulse -= dt * spring.damping(rate);
    }
    rhs_[ahead] += impulse;
    if (behind >= 0) rhs_[behind] -= impulse;
  }
}

// Springs of pulls are implicit, along the point's motion at the step's start.
void ChainSystem::addPulls(const Chain& chain, const Actuation& actuation, double dt) {
  for (int b = 0; b < chain.bodies(); ++b) {
    rhs_[bodyAt(b)] += dt * mass_[b] * actuation.gravity.x();
    rhs_[bodyAt(b) + 1] += dt * mass_[b] * actuation.gravity.y();
  }
  const double d = chain.parameters().halfLength;
  for (const Pull& pull : actuation.pulls) {
    const double length = chain.pairLength(pull.pair);
    const bool second = pull.along > 0.5 * length;
    const int body = 2 * pull.pair + (second ? 1 : 0), k = bodyAt(body);
    const double lever = second ? pull.along - length + d : pull.along - d;
    const Vec2 across = lever * leftOf(directionOf(chain.angle(body)));
    const Vec2 point = chain.position(body) + lever * directionOf(chain.angle(body));
    const Vec2 force = pull.force + pull.stiffness * (pull.target - point);
    rhs_[k] += dt * force.x(), rhs_[k + 1] += dt * force.y();
    rhs_[k + 2] += dt * across.dot(force);
    const double h = dt * dt * pull.stiffness;
    at(k, k) += h, at(k + 1, k + 1) += h, at(k + 2, k + 2) += h * across.squaredNorm();
    at(k + 2, k) += h * across.x(), at(k + 2, k + 1) += h * across.y();
  }
}

Mat3 implicitPart(const Mat3& m, double mass, double inertia) {
  const Vec3 unit(1 / std::sqrt(mass), 1 / std::sqrt(mass), 1 / std::sqrt(inertia));
  Mat3 symmetric = 0.5 * (m + m.transpose());
  const Eigen::SelfAdjointEigenSolver<Mat3> eigen(Mat3(unit.asDiagonal() * symmetric * unit.asDiagonal()));
  if (eigen.eigenvalues()[0] >= 0) return symmetric;
  const Mat3 back = unit.cwiseInverse().asDiagonal() * eigen.eigenvectors();
  return back * eigen.eigenvalues().cwiseMax(0).asDiagonal() * back.transpose();
}

// What is not in the implicit part stays as it is at the step's start.
void ChainSystem::addFields(const Chain& chain, const Actuation& actuation, double dt) {
  for (std::size_t b = 0; b < actuation.fields.size(); ++b) {
    const BodySlopes& field = actuation.fields[b];
    const int body = int(b), k = bodyAt(body);
    const Mat3 C = implicitPart(field.damping, mass_[b], inertia_[b]);
    const Mat3 h = dt * C + dt * dt * implicitPart(field.stiffness, mass_[b], inertia_[b]);
    const Vec3 v(chain.v[3 * b], chain.v[3 * b + 1], chain.v[3 * b + 2]), f = dt * (field.force + C * v);
    for (int r = 0; r < 3; ++r) {
      rhs_[k + r] += f[r];
      for (int c = 0; c <= r; ++c) at(k + r, k + c) += h(r, c);
    }
  }
}

void ChainSystem::addPinRows(const Chain& chain, int pair, double dt) {
  const Parameters& p = chain.parameters();
  const double d = p.halfLength;
  const int ahead = bodyAt(2 * pair), first = ahead + 3;
  const BodyPose b = pose(chain, 2 * pair);
  // The base is a body that does not move and ends at parameters.base.
  const BodyPose a = pair > 0 ? pose(chain, 2 * pair - 1) : BodyPose{p.base - d * directionOf(p.heading), p.heading};
  for (int axis = 0; axis < 2; ++axis) {
    const JointRow row = pinRow(a, b, d, axis);
    const int r = first + axis;
    for (int c = 0; c < 3; ++c) {
      at(r, ahead + c) = row.b[c];
      if (pair > 0) at(r, bodyAt(2 * pair - 1) + c) = row.a[c];
    }
    rhs_[r] = -row.value / dt;
  }
}

void ChainSystem::addSlideRows(const Chain& chain, int pair, double dt) {
  const bool published = chain.parameters().growthForm == Parameters::GrowthForm::rate;
  const BodyPose a = pose(chain, 2 * pair), b = pose(chain, 2 * pair + 1);
  const int ka = bodyAt(2 * pair), kb = bodyAt(2 * pair + 1);
  for (int k = 0; k < 2; ++k) {
    const JointRow row = k == 0 ? slideRow(a, b) : published ? slideRowOfSecond(a, b) : parallelRow(a, b);
    const int r = kb + 3 + k;
    for (int c = 0; c < 3; ++c) at(r, ka + c) = row.a[c], at(r, kb + c) = row.b[c];
    rhs_[r] = -row.value / dt;
  }
}

void ChainSystem::addGrowthRow(const Chain& chain, int pair, double dt) {
  const BodyPose a = pose(chain, 2 * pair), b = pose(chain, 2 * pair + 1);
  const int ka = bodyAt(2 * pair), kb = bodyAt(2 * pair + 1), r = growthAt(pair);
  JointRow row;
  if (chain.parameters().growthForm == Parameters::GrowthForm::rate) {
    row = growthRateRow(a, b, chain.velocity(2 * pair), chain.velocity(2 * pair + 1), dt);
    rhs_[r] = rate_[pair];
  } else {
    row = lengthRow(a, b);
    rhs_[r] = (chain.target[pair] - row.value) / dt + rate_[pair];
  }
  for (int c = 0; c < 3; ++c) at(r, ka + c) = row.a[c], at(r, kb + c) = row.b[c];
  at(r, r) = -compliance_[pair];
}

double ChainSystem::project(const Parameters& p, std::span<const double> target, std::span<double> q) {
  const auto body = [&](int b) { return BodyPose{{q[3 * b], q[3 * b + 1]}, q[3 * b + 2]}; };
  for (int round = 0;; ++round) {
    double worst = 0;
    const auto miss = [&](int row, double value) {
      missing_[row] = -value;
      worst = std::max(worst, std::fabs(value));
    };
    std::fill(missing_.begin(), missing_.end(), 0.0);
    BodyPose before{p.base - p.halfLength * directionOf(p.heading), p.heading};
    for (int i = 0; i < pairs_; ++i) {
      const BodyPose a = body(2 * i), b = body(2 * i + 1);
      for (int axis = 0; axis < 2; ++axis) miss(bodyAt(2 * i) + 3 + axis, pinRow(before, a, p.halfLength, axis).value);
      miss(bodyAt(2 * i + 1) + 3, slideRow(a, b).value);
      miss(bodyAt(2 * i + 1) + 4, parallelRow(a, b).value);
      miss(growthAt(i), lengthRow(a, b).value - target[i]);
      before = b;
    }
    if (worst <= jointTolerance * p.halfLength || round == 4 || !std::isfinite(worst)) return worst;
    band_->solve(missing_, missing_);
    for (int b = 0; b < 2 * pairs_; ++b)
      for (int c = 0; c < 3; ++c) q[3 * b + c] += missing_[bodyAt(b) + c];
  }
}

bool ChainSystem::factor() { return band_->factor(0, {}).ok; }

void ChainSystem::residual(std::span<const double> rhs, std::span<const double> x, std::span<double> r) const {
  band_->multiply(x, r);
  for (int i = 0; i < size_; ++i) r[i] = rhs[i] - r[i];
}

void ChainSystem::solve(std::span<const double> rhs, std::span<double> x, int refine) {
  if (refine == 0) {
    band_->solve(rhs, x);
    return;
  }
  band_->solve(rhs, correction_);
  std::copy(correction_.begin(), correction_.end(), x.begin());
  for (int round = 0; round < refine; ++round) {
    residual(rhs, x, residual_);
    band_->solve(residual_, correction_);
    for (int i = 0; i < size_; ++i) x[i] += correction_[i];
  }
}

double ChainSystem::backwardError(std::span<const double> rhs, std::span<const double> x) const {
  // |K| |x| from the lower triangle, for both halves.
  std::vector<double>& size = sizes_;
  std::vector<double>& rest = rests_;
  size.resize(std::size_t(size_)), rest.resize(std::size_t(size_));
  residual(rhs, x, rest);
  for (int i = 0; i < size_; ++i) size[i] = std::fabs(rhs[i]);
  const std::span<const double> values = band_->values();
  for (int j = 0; j < size_; ++j) {
    const double* column = values.data() + std::size_t(j) * (band + 1);
    const int reach = std::min(band, size_ - 1 - j);
    size[j] += std::fabs(column[0] * x[j]);
    for (int k = 1; k <= reach; ++k) {
      const double entry = std::fabs(column[k]);
      size[j + k] += entry * std::fabs(x[j]);
      size[j] += entry * std::fabs(x[j + k]);
    }
  }
  // Every row in momentum [kg m/s]: rows of speeds are multiplied by the heaviest body's mass, and rotational rows are
  // divided or multiplied by half a body's length.
  const double mass = *std::max_element(mass_.begin(), mass_.end());
  const double turn = 1 / halfLength_;
  const std::array<double, perPair> unit = {1, 1, turn, mass, mass, 1, 1, turn, mass, mass / turn, mass};
  double largest = 0, worst = 0;
  for (int i = 0; i < size_; ++i) largest = std::max(largest, unit[i % perPair] * size[i]);
  // Rows with terms that are negligible beside the others' have no meaningful error of their own.
  for (int i = 0; i < size_; ++i) {
    const double u = unit[i % perPair];
    if (rest[i] != 0) worst = std::max(worst, u * std::fabs(rest[i]) / (u * size[i] + 1e-6 * largest));
  }
  return worst;
}

bool ChainSystem::weigh(const solve::SparseRows& rows, std::span<const double> weights) {
  const std::span<double> values = band_->values();
  if (plain_.empty()) plain_.assign(values.begin(), values.end());
  std::copy(plain_.begin(), plain_.end(), values.begin());
  if (weights.empty()) plain_.clear();
  for (int i = 0; !weights.empty() && i < rows.count(); ++i) {
    const auto index = rows.indices(i);
    const auto value = rows.values(i);
    for (std::size_t r = 0; r < index.size(); ++r)
      for (std::size_t c = 0; c < index.size(); ++c)
        if (index[c] <= index[r]) at(index[r], index[c]) += weights[i] * value[r] * value[c];
  }
  return factor();
}

}  // namespace tendril::vines
