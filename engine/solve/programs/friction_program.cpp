// Contacts with friction in the space of their multipliers.
#include "solve/programs/friction_program.h"

#include <algorithm>
#include <cmath>

#include "geometry/types.h"

namespace tendril::solve {
namespace {

constexpr double regular = 1e-11;  // pivots below this part of the largest indicate redundant contacts
constexpr int mostForLemke = 80;   // its tableau, three rows per friction multiplier, is still fast
constexpr int fewMembers = 16;     // for which the exact solve is almost free
constexpr int plainRounds = 6;     // of the fixed-point iteration before Lemke's method is tried

}  // namespace

int FrictionProgram::addNormal(double gradient, double scale) {
  bounded_.add(gradient, 0, infinity, scale);
  partner_.push_back(-1), coefficient_.push_back(-1);
  return size() - 1;
}

int FrictionProgram::addTangent(double gradient, double scale, int normal, double coefficient) {
  bounded_.add(gradient, 0, 0, scale);
  partner_[normal] = size() - 1;
  partner_.push_back(normal), coefficient_.push_back(coefficient);
  return size() - 1;
}

/// Round-off of a slope's terms.
double FrictionProgram::noise(int i) const {
  double size = std::fabs(bounded_.gradient[i]);
  for (int j = 0; j < this->size(); ++j) size += std::fabs(bounded_.s(i, j) * x(j));
  return 1e-12 * size;
}

double FrictionProgram::coulombError() const {
  double largest = 0, error = 0;
  for (int i = 0; i < size(); ++i)
    if (isTangent(i)) largest = std::max(largest, coefficient_[i] * x(partner_[i]));
  if (largest == 0) return 0;
  for (int i = 0; i < size(); ++i) {
    if (!isTangent(i)) continue;
    const double over = std::fabs(x(i)) - coefficient_[i] * x(partner_[i]);
    error = std::max(error, state_[i] == State::free ? over : std::fabs(over));
  }
  return error / largest;
}

void FrictionProgram::readStates() {
  state_.assign(std::size_t(size()), State::open);
  for (int i = 0; i < size(); ++i) {
    if (bounded_.free(i))
      state_[i] = State::free;
    else if (isTangent(i) && bounded_.free(partner_[i]) && bounded_.high[i] > 0)
      state_[i] = x(i) >= bounded_.high[i]  ? State::slidesUp
                  : x(i) <= bounded_.low[i] ? State::slidesDown
                                            : State::free;
  }
}

BoundedProgram::Outcome FrictionProgram::solve(int mostRounds) {
  using Outcome = BoundedProgram::Outcome;
  bounded_.negligible = negligible;
  settled_ = true;
  if (std::none_of(coefficient_.begin(), coefficient_.end(), [](double c) { return c >= 0; })) {
    const Outcome outcome = bounded_.solve();
    readStates();
    return outcome;
  }
  double least = infinity;
  std::vector<State>& last = lastStates_;
  last.clear();
  for (int round = 0; round < mostRounds; ++round) {
    for (int i = 0; i < size(); ++i) {
      if (!isTangent(i)) continue;
      const double wanted = coefficient_[i] * std::max(0.0, x(partner_[i]));
      // Bounds that oscillate are damped by taking part of each change.
      const double limit = bounded_.high[i] + (round < plainRounds ? 1 : 0.4) * (wanted - bounded_.high[i]);
      bounded_.low[i] = -limit, bounded_.high[i] = limit;
    }
    const Outcome outcome = bounded_.solve();
    // Bounded friction does not affect whether normals contradict each other: later it is friction that grows.
    if (outcome == Outcome::unbounded && round > 0) break;
    if (outcome != Outcome::solved) return outcome;
    readStates();
    if (mostRounds == 1) return outcome;
    // The exact solve pays off where the states have settled, or are few.
    const bool steady = size() <= fewMembers || state_ == last;
    last = state_;
    if (steady && polish()) return outcome;
    if (round == plainRounds && size() <= mostForLemke && lemke()) return outcome;
    const double error = coulombError();
    if (round > 0 && error < least) least = error, best_ = bounded_.high;
  }
  // No state was found: uses the closest bounds, and reports them as unsettled.
  settled_ = false;
  for (int i = 0; i < size() && least < infinity; ++i)
    if (isTangent(i)) bounded_.high[i] = best_[i], bounded_.low[i] = -best_[i];
  const Outcome outcome = bounded_.solve();
  readStates();
  return outcome;
}

bool FrictionProgram::resolve() {
  if (settled_ && polish()) return true;
  if (settled_) return false;
  if (bounded_.solve() != BoundedProgram::Outcome::solved) return false;
  readStates();
  return true;
}

/// Newton's step with t = +-mu n at sliding contacts, repeated against round-off; accepted if the answer satisfies
/// every inequality.
bool FrictionProgram::polish() {
  kept_ = bounded_.x;
  unknown_.clear();
  for (int i = 0; i < size(); ++i)
    if (state_[i] == State::free) unknown_.push_back(i);
  const auto sense = [&](int i) {
    return state_[i] == State::slidesUp ? 1.0 : state_[i] == State::slidesDown ? -1.0 : 0.0;
  };
  const auto tie = [&] {
    for (int i = 0; i < size(); ++i) {
      if (state_[i] == State::open) bounded_.x[i] = 0;
      if (sense(i) != 0) bounded_.x[i] = sense(i) * coefficient_[i] * x(partner_[i]);
    }
  };
  tie();
  const int m = int(unknown_.size()), width = m + 1;
  for (int round = 0; round < 3 && m > 0; ++round) {
    matrix_.assign(std::size_t(m) * width, 0.0);
    for (int r = 0; r < m; ++r) {
      for (int c = 0; c < m; ++c) {
        const int i = unknown_[r], j = unknown_[c], slides = isTangent(j) ? -1 : partner_[j];
        double value = bounded_.s(i, j);
        if (slides >= 0) value += sense(slides) * coefficient_[slides] * bounded_.s(i, slides);
        matrix_[std::size_t(r) * width + c] = value;
      }
      matrix_[std::size_t(r) * width + m] = -slope(unknown_[r]);
    }
    if (!eliminate(m)) break;
    tie();
  }
  if (obeysLaw()) return true;
  bounded_.x = kept_;
  return false;
}

/// Gaussian elimination with complete pivoting on matrix_ (the right-hand side its last column); adds the solution to
/// the unknowns, zero for redundant ones.
bool FrictionProgram::eliminate(int m) {
  const int width = m + 1;
  pivotCol_.resize(std::size_t(m));
  for (int c = 0; c < m; ++c) pivotCol_[c] = c;
  const auto at = [&](int r, int c) -> double& { return matrix_[std::size_t(r) * width + c]; };
  int rank = 0;
  double first = 0;
  for (; rank < m; ++rank) {
    int row = rank, col = rank;
    for (int r = rank; r < m; ++r)
      for (int c = rank; c < m; ++c)
        if (std::fabs(at(r, c)) > std::fabs(at(row, col))) row = r, col = c;
    const double pivot = std::fabs(at(row, col));
    if (rank == 0) first = pivot;
    if (!(pivot > regular * first)) break;
    if (row != rank) std::swap_ranges(&at(row, 0), &at(row, 0) + width, &at(rank, 0));
    for (int r = 0; col != rank && r < m; ++r) std::swap(at(r, col), at(r, rank));
    std::swap(pivotCol_[col], pivotCol_[rank]);
    for (int r = rank + 1; r < m; ++r) {
      const double factor = at(r, rank) / at(rank, rank);
      for (int c = rank; factor != 0 && c < width; ++c) at(r, c) -= factor * at(rank, c);
    }
  }
  for (int r = rank; r-- > 0;) {
    double sum = at(r, m);
    for (int c = r + 1; c < rank; ++c) sum -= at(r, c) * at(c, m);
    at(r, m) = sum / at(r, r);
    if (!std::isfinite(at(r, m))) return false;
  }
  for (int r = 0; r < rank; ++r) bounded_.x[unknown_[pivotCol_[r]]] += at(r, m);
  return true;
}

bool FrictionProgram::obeysLaw() const {
  double largest = 0;
  for (int i = 0; i < size(); ++i) largest = std::max(largest, std::fabs(x(i)));
  const double little = 1e-13 * largest;
  for (int i = 0; i < size(); ++i) {
    if (!std::isfinite(x(i))) return false;
    if (!isTangent(i) && x(i) < -little) return false;
    if (isTangent(i) && std::fabs(x(i)) > coefficient_[i] * x(partner_[i]) + little) return false;
  }
  for (int i = 0; i < size(); ++i) {
    const double residual = slope(i), least = noise(i);
    bool obeys = true;
    if (state_[i] == State::free)
      obeys = std::fabs(residual) <= least;
    else if (isTangent(i) && state_[i] == State::open)
      obeys = x(partner_[i]) <= little;
    else if (isTangent(i) && state_[i] == State::slidesUp)
      obeys = residual <= least;
    else
      obeys = residual >= -least;  // a normal multiplier at its bound, and sliding down
    if (!obeys) return false;
  }
  return true;
}

/// The complementarity problem of Stewart and Trinkle (1996): per normal n, and per friction t = up - down with the
/// sliding speed s: slope + s >= 0 with up, s - slope >= 0 with down, mu n - up - down >= 0 with s. Scaled by the
/// diagonal.
bool FrictionProgram::lemke() {
  std::vector<int>& offset = unknown_;
  offset.assign(std::size_t(size()), 0);
  int count = 0;
  for (int i = 0; i < size(); ++i) offset[i] = count, count += isTangent(i) ? 3 : 1;
  // Roots of ratios: roots of entries would depend on the units.
  double unit = 0;
  for (int i = 0; i < size(); ++i) unit = std::max(unit, bounded_.s(i, i));
  if (!(unit > 0)) return false;
  const auto root = [&](int i) { return std::sqrt(std::max(bounded_.s(i, i) / unit, 1e-290)); };
  lemke_.resize(count);
  for (int i = 0; i < size(); ++i) {
    for (int j = 0; j < size(); ++j) {
      const double value = bounded_.s(i, j) / unit / (root(i) * root(j));
      for (int a = 0; a < (isTangent(i) ? 2 : 1); ++a)
        for (int b = 0; b < (isTangent(j) ? 2 : 1); ++b)
          lemke_.m(offset[i] + a, offset[j] + b) = a == b ? value : -value;
    }
    const double g = bounded_.gradient[i] / root(i);
    lemke_.q(offset[i]) = g;
    if (!isTangent(i)) continue;
    const int p = offset[i];
    lemke_.q(p + 1) = -g;
    lemke_.m(p, p + 2) = lemke_.m(p + 1, p + 2) = 1;
    lemke_.m(p + 2, p) = lemke_.m(p + 2, p + 1) = -1;
    lemke_.m(p + 2, offset[partner_[i]]) = coefficient_[i] * root(i) / root(partner_[i]);
  }
  if (!lemke_.solve()) return false;
  const std::vector<double>& z = lemke_.z();
  kept_ = bounded_.x;
  const std::vector<State> before = state_;
  double largest = 0;
  for (double value : z) largest = std::max(largest, value);
  for (int i = 0; i < size(); ++i) {
    const int p = offset[i];
    bounded_.x[i] = (isTangent(i) ? z[p] - z[p + 1] : z[p]) / (unit * root(i));
    if (!isTangent(i)) {
      state_[i] = z[p] > 1e-13 * largest ? State::free : State::open;
      continue;
    }
    const bool touches = z[offset[partner_[i]]] > 1e-13 * largest, slides = z[p + 2] > 0;
    state_[i] = !touches ? State::open : !slides ? State::free : z[p] > z[p + 1] ? State::slidesUp : State::slidesDown;
  }
  const std::vector<double> boxed = kept_;
  if (polish()) return true;
  bounded_.x = boxed;
  state_ = before;
  return false;
}

}  // namespace tendril::solve
