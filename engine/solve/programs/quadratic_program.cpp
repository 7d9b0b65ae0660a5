// Works in the space of the few active rows: each costs one back-substitution, the rest is small and dense.
#include "solve/programs/quadratic_program.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tendril::solve {
namespace {

constexpr double tolerance = 1e-13;  // of rows, relative to their terms
constexpr double enough = 1e-10;     // of the interior point's gap and errors: below it, its weights swamp the matrix
constexpr double promising = 1e-6;   // of them: the active rows can be distinguished from the others

}  // namespace

void SparseRows::add(std::span<const int> index, std::span<const double> value) {
  index_.insert(index_.end(), index.begin(), index.end());
  value_.insert(value_.end(), value.begin(), value.end());
  start_.push_back(int(index_.size()));
}

double SparseRows::dot(int row, std::span<const double> x) const {
  double sum = 0;
  for (int k = start_[row]; k < start_[row + 1]; ++k) sum += value_[k] * x[index_[k]];
  return sum;
}

double SparseRows::magnitude(int row, std::span<const double> x) const {
  double sum = 0;
  for (int k = start_[row]; k < start_[row + 1]; ++k) sum += std::fabs(value_[k] * x[index_[k]]);
  return sum;
}

void SparseRows::scatter(int row, double factor, std::span<double> y) const {
  for (int k = start_[row]; k < start_[row + 1]; ++k) y[index_[k]] += factor * value_[k];
}

double QuadraticProgram::memberDot(const Member& m, std::span<const double> x) const {
  return m.tangent ? problem_->tangents->dot(m.row, x) : problem_->rows->dot(m.row, x);
}

double QuadraticProgram::memberTarget(const Member& m) const {
  return m.tangent ? problem_->rest[m.row] : problem_->bound[m.row];
}

void QuadraticProgram::memberScatter(const Member& m, double factor, std::span<double> y) const {
  (m.tangent ? problem_->tangents : problem_->rows)->scatter(m.row, factor, y);
}

void QuadraticProgram::begin(const QuadraticProblem& problem) {
  problem_ = &problem;
  const std::size_t size = std::size_t(problem.system->size()), rows = std::size_t(problem.rows->count());
  for (auto* v : {&free_, &x_, &rhs_, &work_}) v->resize(size);
  memberOf_.assign(rows, -1);
  multiplier_.assign(rows, 0.0);
  tangentMultiplier_.assign(rows, 0.0);
  members_.clear();
  small_.clear();
  problem.system->solve(problem.rhs, free_, 1);
  ++report_.solves;
  x_ = free_;
}

int QuadraticProgram::addMember(int row, bool tangent, int normal) {
  const std::size_t size = x_.size(), index = members_.size();
  const Member member{row, tangent};
  if (influence_.size() < (index + 1) * size)
    influence_.resize(std::max((index + 1) * size, influence_.size() * 3 / 2));
  const std::span<double> z(influence_.data() + index * size, size);
  std::fill(z.begin(), z.end(), 0.0);
  memberScatter(member, 1, z);
  problem_->system->solve(z, z, 0);
  ++report_.solves;
  const double gradient = memberDot(member, free_) - memberTarget(member);
  if (tangent)
    small_.addTangent(gradient, problem_->tangentMobility[row], normal, problem_->coefficient[row]);
  else
    small_.addNormal(gradient, problem_->mobility[row]);
  members_.push_back(member);
  for (std::size_t j = 0; j <= index; ++j) small_.setS(int(index), int(j), memberDot(members_[j], z));
  return int(index);
}

void QuadraticProgram::takeUp(int row) {
  const int normal = addMember(row, false, -1);
  memberOf_[row] = normal;
  if (!problem_->start.empty()) small_.x(normal) = std::max(0.0, problem_->start[row]);
  if (!frictional(row)) return;
  const int tangent = addMember(row, true, normal);
  if (!problem_->tangentStart.empty()) small_.x(tangent) = problem_->tangentStart[row];
}

void QuadraticProgram::updateUnknowns() {
  x_ = free_;
  const std::size_t size = x_.size();
  for (std::size_t i = 0; i < members_.size(); ++i) {
    if (small_.x(int(i)) == 0) continue;
    const double* z = influence_.data() + i * size;
    for (std::size_t j = 0; j < size; ++j) x_[j] += small_.x(int(i)) * z[j];
  }
}

int QuadraticProgram::mostViolated(double* violation) const {
  int worst = -1;
  double strength = 0;
  const SparseRows& rows = *problem_->rows;
  for (int r = 0; r < rows.count(); ++r) {
    if (memberOf_[r] >= 0) continue;
    const double short_ = problem_->bound[r] - rows.dot(r, x_);
    if (short_ <= 0 || short_ <= tolerance * (std::fabs(problem_->bound[r]) + rows.magnitude(r, x_))) continue;
    const double s = short_ * short_ / problem_->mobility[r];
    if (s > strength) strength = s, worst = r, *violation = short_;
  }
  return worst;
}

/// Solves for the unknowns again, with refinement, and corrects the members' multipliers by the remaining error of
/// their rows.
void QuadraticProgram::correct() {
  for (int round = 0; round < 3; ++round) {
    std::copy(problem_->rhs.begin(), problem_->rhs.end(), rhs_.begin());
    for (std::size_t i = 0; i < members_.size(); ++i)
      if (small_.x(int(i)) != 0) memberScatter(members_[i], small_.x(int(i)), rhs_);
    problem_->system->solve(rhs_, x_, 1);
    ++report_.solves;
    if (round == 2) return;
    double worst = 0;
    for (std::size_t i = 0; i < members_.size(); ++i) {
      const double actual = memberDot(members_[i], x_) - memberTarget(members_[i]);
      const auto& rows = members_[i].tangent ? *problem_->tangents : *problem_->rows;
      const double size = std::fabs(memberTarget(members_[i])) + rows.magnitude(members_[i].row, x_);
      if (small_.state(int(i)) == FrictionProgram::State::free && size > 0)
        worst = std::max(worst, std::fabs(actual) / size);
      small_.gradient(int(i)) += actual - small_.slope(int(i));
    }
    if (worst <= 0.1 * tolerance || !small_.resolve()) return;
  }
}

/// False: too many rows, or too many changes.
bool QuadraticProgram::activeSet(const QuadraticSettings& settings) {
  small_.negligible = settings.negligible;
  for (int r = 0; !problem_->start.empty() && r < problem_->rows->count(); ++r)
    if (problem_->start[r] > 0 && memberOf_[r] < 0) takeUp(r);
  bool exact = false;  // friction obeys its law; not required while rows are still being added
  for (int round = 0; round <= 6 * problem_->rows->count() + 6; ++round) {
    const auto outcome = small_.solve(exact ? settings.mostFrictionRounds : 1);
    if (outcome == BoundedProgram::Outcome::limit) return false;
    if (outcome == BoundedProgram::Outcome::unbounded) {
      report_.status = QuadraticReport::Status::infeasible;
      // The row that cannot be satisfied, and its violation where the others were satisfied last.
      double most = 0;
      for (std::size_t i = 0; i < members_.size(); ++i) {
        const double missing = members_[i].tangent || small_.direction()[i] <= 0 ? 0 : -small_.slope(int(i));
        if (missing > most) most = missing, report_.row = members_[i].row;
      }
      if (report_.row >= 0) report_.infeasibility = problem_->bound[report_.row] - problem_->rows->dot(report_.row, x_);
      return true;
    }
    updateUnknowns();
    double violation = 0;
    int worst = mostViolated(&violation);
    if (worst < 0 && !exact) {
      exact = true;
      if (problem_->tangents) continue;
    }
    if (worst < 0) {
      correct();
      worst = mostViolated(&violation);
    }
    if (worst < 0) return true;
    exact = false;
    if (int(members_.size()) >= settings.mostActive) return false;
    takeUp(worst);
  }
  return false;
}

/// The interior point's next unknowns work_ and steps of slacks and multipliers, for products of both that end at
/// correction_. Returns the fraction of the steps that keeps them positive, at most 1.
double QuadraticProgram::interiorStep() {
  const SparseRows& rows = *problem_->rows;
  const std::size_t m = slack_.size();
  std::copy(problem_->rhs.begin(), problem_->rhs.end(), rhs_.begin());
  for (std::size_t i = 0; i < m; ++i)
    rows.scatter(int(i), correction_[i] / slack_[i] + multiplier_[i] + weight_[i] * problem_->bound[i], rhs_);
  problem_->system->solve(rhs_, work_, 2);
  ++report_.solves;
  double length = 1;
  for (std::size_t i = 0; i < m; ++i) {
    slackStep_[i] = rows.dot(int(i), work_) - problem_->bound[i] - slack_[i];
    multiplierStep_[i] = correction_[i] / slack_[i] - multiplier_[i] - weight_[i] * slackStep_[i];
    if (slackStep_[i] < 0) length = std::min(length, -slack_[i] / slackStep_[i]);
    if (multiplierStep_[i] < 0) length = std::min(length, -multiplier_[i] / multiplierStep_[i]);
  }
  return length;
}

/// Mehrotra's predictor-corrector method (1992) on all rows, without friction. Leaves its guess of the active rows'
/// multipliers at its best point. False: that was not close.
bool QuadraticProgram::interiorPoint() {
  const SparseRows& rows = *problem_->rows;
  const std::size_t m = std::size_t(rows.count());
  for (auto* v : {&slack_, &weight_, &slackStep_, &multiplierStep_, &correction_}) v->resize(m);
  double violation = 0;
  for (std::size_t i = 0; i < m; ++i) violation = std::max(violation, problem_->bound[i] - rows.dot(int(i), free_));
  guess_.assign(m, 0.0);
  if (violation <= 0) return true;
  x_ = free_;
  for (std::size_t i = 0; i < m; ++i) {
    slack_[i] = std::max(rows.dot(int(i), x_) - problem_->bound[i], 0.1 * violation);
    multiplier_[i] = 0.1 * violation / problem_->mobility[i];
  }
  double largest = 0, least = std::numeric_limits<double>::infinity();
  bool lost = false;
  for (int iteration = 0; iteration < 60; ++iteration) {
    double gap = 0, error = 0;
    for (std::size_t i = 0; i < m; ++i) {
      weight_[i] = multiplier_[i] / slack_[i], gap += multiplier_[i] * slack_[i];
      error = std::max(error, std::fabs(rows.dot(int(i), x_) - problem_->bound[i] - slack_[i]));
    }
    gap /= double(m);
    largest = std::max(largest, gap);
    const bool near = gap <= promising * largest && error <= promising * violation;
    if (near && gap < least) {
      least = gap;
      for (std::size_t i = 0; i < m; ++i)
        guess_[i] = multiplier_[i] * problem_->mobility[i] > slack_[i] ? multiplier_[i] : 0;
    }
    if (least <= enough * largest || gap > 1e3 * least) break;
    if (!problem_->system->weigh(rows, weight_)) break;
    std::fill(correction_.begin(), correction_.end(), 0.0);
    const double affine = interiorStep();
    double after = 0;
    for (std::size_t i = 0; i < m; ++i)
      after += (slack_[i] + affine * slackStep_[i]) * (multiplier_[i] + affine * multiplierStep_[i]);
    const double centering = std::pow(after / double(m) / gap, 3);
    for (std::size_t i = 0; i < m; ++i) correction_[i] = centering * gap - slackStep_[i] * multiplierStep_[i];
    const double length = std::min(1.0, 0.9995 * interiorStep());
    for (std::size_t j = 0; j < x_.size(); ++j) x_[j] += length * (work_[j] - x_[j]);
    for (std::size_t i = 0; i < m; ++i) {
      slack_[i] += length * slackStep_[i];
      multiplier_[i] += length * multiplierStep_[i];
      lost = lost || !(slack_[i] > 0) || !(multiplier_[i] > 0);
    }
    if (lost) break;
  }
  return std::isfinite(least);
}

void QuadraticProgram::finish(const QuadraticSettings& settings) {
  std::fill(multiplier_.begin(), multiplier_.end(), 0.0);
  for (std::size_t i = 0; i < members_.size(); ++i)
    (members_[i].tangent ? tangentMultiplier_ : multiplier_)[members_[i].row] = small_.x(int(i));
  report_.active = 0;
  for (double value : multiplier_) report_.active += value > 0;
  if (report_.status == QuadraticReport::Status::infeasible) return;
  report_.frictionError = small_.coulombError();
  if (!small_.settled()) report_.status = QuadraticReport::Status::frictionUnsettled;
  report_.residual = problem_->system->backwardError(rhs_, x_);
  const SparseRows& rows = *problem_->rows;
  double largest = 0;
  for (int r = 0; r < rows.count(); ++r)
    if (memberOf_[r] >= 0) largest = std::max(largest, std::fabs(problem_->bound[r]) + rows.magnitude(r, x_));
  for (int r = 0; r < rows.count(); ++r) {
    const double over = rows.dot(r, x_) - problem_->bound[r];
    const double size = std::fabs(problem_->bound[r]) + rows.magnitude(r, x_) + 1e-3 * largest;
    const double wrong = multiplier_[r] > 0 ? std::fabs(over) : std::max(0.0, -over);
    if (wrong > settings.negligible && wrong > 0) report_.residual = std::max(report_.residual, wrong / size);
  }
}

QuadraticReport QuadraticProgram::solve(const QuadraticProblem& problem, const QuadraticSettings& settings) {
  using Method = QuadraticSettings::Method;
  report_ = {};
  begin(problem);
  bool done = settings.method != Method::interiorPoint && activeSet(settings);
  if (!done && settings.method != Method::activeSet) {
    report_.interiorPoint = true;
    const bool converged = interiorPoint();
    problem.system->weigh(*problem.rows, {});
    // The rows found active start the active set, which ends exactly, and works alone where none were found.
    QuadraticProblem again = problem;
    if (converged) again.start = guess_, again.tangentStart = {};
    QuadraticSettings unlimited = settings;
    unlimited.mostActive = 2 * problem.rows->count() + 1;
    begin(again);
    done = activeSet(unlimited);
    problem_ = &problem;
  }
  if (!done) report_.status = QuadraticReport::Status::failed;
  finish(settings);
  return report_;
}

}  // namespace tendril::solve
