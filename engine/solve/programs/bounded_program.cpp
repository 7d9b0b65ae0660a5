// The primal active set: move to the minimum over the free variables, stop at the first bound reached and fix that
// variable; at the minimum, free the variable that pulls hardest away from its bound. A variable that depends on the
// free ones moves along the null space until it is blocked; if nothing blocks it, the program is unbounded. In terms of
// the constraints whose multipliers the variables are, this is the dual method of Goldfarb and Idnani (1983).
#include "solve/programs/bounded_program.h"

#include <algorithm>
#include <cmath>

#include "geometry/types.h"

namespace tendril::solve {
namespace {

constexpr double dependent = 1e-11;       // pivots below this part of the diagonal count as zero
constexpr double dependentScale = 1e-12;  // or below this part of the scale
constexpr double slack = 1e-13;           // of a slope, relative to its terms

}  // namespace

void BoundedProgram::add(double g, double lowest, double highest, double scale) {
  const std::size_t n = std::size_t(size_) + 1;
  if (n > stride_) {
    const std::size_t wider = std::max<std::size_t>(16, 2 * stride_);
    std::vector<double> moved(wider * wider, 0.0);
    for (int i = 0; i < size_; ++i)
      std::copy_n(s_.begin() + std::ptrdiff_t(std::size_t(i) * stride_), size_,
                  moved.begin() + std::ptrdiff_t(std::size_t(i) * wider));
    s_.swap(moved);
    stride_ = wider;
    factor_.assign(wider * wider, 0.0);
    for (auto* v : {&gradient, &low, &high, &x, &scale_, &direction_, &work_, &products_}) v->resize(wider, 0.0);
    isFree_.resize(wider, 0);
    excused_.resize(wider, 0);
    order_.reserve(wider);
  }
  const std::size_t i = n - 1;
  gradient[i] = g, low[i] = lowest, high[i] = highest, scale_[i] = scale, x[i] = 0;
  for (std::size_t j = 0; j < n; ++j) s_[i * stride_ + j] = s_[j * stride_ + i] = 0;
  size_ = int(n);
}

void BoundedProgram::setS(int i, int j, double value) {
  s_[std::size_t(i) * stride_ + j] = s_[std::size_t(j) * stride_ + i] = value;
}

double BoundedProgram::slope(int i) const {
  double sum = gradient[i];
  for (int j = 0; j < size_; ++j) sum += s(i, j) * x[j];
  return sum;
}

/// The row of variable i in the factor after the first m, and its pivot. L D L^T takes no roots, whose rounding would
/// depend on the units.
double BoundedProgram::eliminate(int i, std::size_t m, double* row) {
  double pivot = s(i, i);
  for (std::size_t r = 0; r < m; ++r) {
    double sum = s(i, order_[r]);
    const double* earlier = factor_.data() + r * stride_;
    for (std::size_t k = 0; k < r; ++k) sum -= earlier[k] * products_[k];
    products_[r] = sum;
    row[r] = sum / earlier[r];
    pivot -= row[r] * sum;
  }
  return pivot;
}

bool BoundedProgram::append(int i) {
  const std::size_t m = order_.size();
  double* row = factor_.data() + m * stride_;
  const double pivot = eliminate(i, m, row);
  if (!(pivot > dependent * s(i, i)) || !(pivot > dependentScale * scale_[i])) return false;
  row[m] = pivot;
  order_.push_back(i);
  isFree_[i] = 1;
  ++changes_;
  return true;
}

void BoundedProgram::remove(std::size_t index) {
  isFree_[order_[index]] = 0;
  ++changes_;
  // Only rows from `index` on change; their pivots grow, so that appending them again can fail only by round-off.
  std::vector<int>& order = order_;
  const std::size_t m = order.size();
  std::size_t kept = index;
  for (std::size_t r = index + 1; r < m; ++r) {
    const int i = order[r];
    double* row = factor_.data() + kept * stride_;
    const double pivot = eliminate(i, kept, row);
    if (!(pivot > 0)) {
      isFree_[i] = 0;
      continue;
    }
    row[kept] = pivot;
    order[kept++] = i;
  }
  order.resize(kept);
}

/// rhs := S_FF^-1 rhs, both in the order of the factor.
void BoundedProgram::solveFree(std::vector<double>& rhs) const {
  const std::size_t m = order_.size();
  for (std::size_t r = 0; r < m; ++r) {
    const double* row = factor_.data() + r * stride_;
    for (std::size_t k = 0; k < r; ++k) rhs[r] -= row[k] * rhs[k];
  }
  for (std::size_t r = m; r-- > 0;) {
    rhs[r] /= factor_[r * stride_ + r];
    for (std::size_t k = r + 1; k < m; ++k) rhs[r] -= factor_[k * stride_ + r] * rhs[k];
  }
}

double BoundedProgram::largestStep(const std::vector<double>& d, int& blocking) const {
  double longest = infinity;
  blocking = -1;
  for (int i = 0; i < size_; ++i) {
    if (d[i] == 0) continue;
    const double room = d[i] > 0 ? high[i] - x[i] : low[i] - x[i];
    const double step = std::max(0.0, room / d[i]);
    if (step < longest) longest = step, blocking = i;
  }
  return longest;
}

void BoundedProgram::step(double length, int blocking) {
  for (int i = 0; i < size_; ++i)
    if (direction_[i] != 0) x[i] = std::clamp(x[i] + length * direction_[i], low[i], high[i]);
  if (blocking < 0) return;
  x[blocking] = direction_[blocking] > 0 ? high[blocking] : low[blocking];
  if (!isFree_[blocking]) return;
  remove(std::size_t(std::find(order_.begin(), order_.end(), blocking) - order_.begin()));
}

/// Newton's step on the free variables, repeated when bounds cut it short. False after too many.
bool BoundedProgram::moveToMinimum() {
  for (int cut = 0; cut <= 2 * size_ + 4; ++cut) {
    if (order_.empty()) return true;
    for (std::size_t r = 0; r < order_.size(); ++r) work_[r] = -slope(order_[r]);
    solveFree(work_);
    std::fill(direction_.begin(), direction_.begin() + size_, 0.0);
    for (std::size_t r = 0; r < order_.size(); ++r) direction_[order_[r]] = work_[r];
    int blocking = -1;
    const double longest = largestStep(direction_, blocking);
    if (longest >= 1) {
      step(1, -1);
      return true;
    }
    step(longest, blocking);
  }
  return false;
}

/// Frees variable i, which rests at a bound that it does not push against. False: it reached its other bound.
bool BoundedProgram::release(int i, bool& unbounded) {
  const double sign = slope(i) < 0 ? 1 : -1;
  while (!append(i)) {
    for (std::size_t r = 0; r < order_.size(); ++r) work_[r] = -sign * s(i, order_[r]);
    solveFree(work_);
    std::fill(direction_.begin(), direction_.begin() + size_, 0.0);
    direction_[i] = sign;
    for (std::size_t r = 0; r < order_.size(); ++r) direction_[order_[r]] = work_[r];
    int blocking = -1;
    const double longest = largestStep(direction_, blocking);
    if (blocking < 0 || !(longest < infinity)) {
      unbounded = true;
      return false;
    }
    step(longest, blocking);
    ++changes_;
    if (blocking == i) return false;
  }
  return true;
}

BoundedProgram::Outcome BoundedProgram::solve() {
  changes_ = 0;
  order_.clear();
  for (int i = 0; i < size_; ++i) {
    x[i] = std::clamp(x[i], low[i], high[i]);
    isFree_[i] = excused_[i] = 0;
  }
  for (int i = 0; i < size_; ++i)
    if (x[i] > low[i] && x[i] < high[i] && !append(i))
      x[i] = low[i] > -infinity ? std::clamp(0.0, low[i], high[i]) : x[i];
  const int most = 40 * size_ + 200;
  while (changes_ < most) {
    if (!moveToMinimum()) return Outcome::limit;
    int worst = -1;
    double pull = 0;
    for (int i = 0; i < size_; ++i) {
      if (isFree_[i] || excused_[i] || low[i] == high[i]) continue;
      double sum = gradient[i], size = std::fabs(gradient[i]);
      for (int j = 0; j < size_; ++j) sum += s(i, j) * x[j], size += std::fabs(s(i, j) * x[j]);
      const double away = x[i] <= low[i] ? -sum : x[i] >= high[i] ? sum : std::fabs(sum);
      if (away <= slack * size) continue;
      const double strength = away * away / std::max(s(i, i), dependentScale * scale_[i]);
      if (strength > pull) pull = strength, worst = i;
    }
    if (worst < 0) return Outcome::solved;
    bool unbounded = false;
    release(worst, unbounded);
    if (!unbounded) continue;
    if (std::fabs(slope(worst)) > negligible) return Outcome::unbounded;
    excused_[worst] = 1;
  }
  return Outcome::limit;
}

}  // namespace tendril::solve
