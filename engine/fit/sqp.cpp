#include "fit/sqp.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "fit/penalty_step.h"

namespace tendril::fit {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double firstRadius = 0.25;  // of the trust region, in widths of the bounds
constexpr double leastGain = 1e-4;    // of what was foretold, for a step to count
constexpr double poorGain = 0.25, goodGain = 0.75;
constexpr double shortenedBy = 4;
constexpr double mostWeight = 1e8;     // of violations, where gradients are 1
constexpr double judgedWeight = 1e6;   // no multiplier that means something is as large
constexpr double rescaledFrom = 10;    // growth of a gradient that makes it the new scale
constexpr double leastProgress = 0.1;  // share of the possible decrease of violation that a step must aim at
constexpr double noProgress = 1e-6;    // decrease of violation over the radius that counts as none
constexpr double tooCurved = 1e-4;     // step, over that of the gradient alone, that means a curvature which is none
constexpr double dampedFrom = 0.2;     // Powell 1978

/// The problem in y = (x - lower) / width, with objective and constraints over their scales, and constraints as rows
/// that must not be positive.
struct Scaled {
  VectorXd gradient;
  MatrixXd rows;  // of the Jacobian
  VectorXd values;
};

/// An equation, or a side of a constraint.
struct Row {
  Index constraint;
  double sign;
};
using Equations = Eigen::Array<bool, Eigen::Dynamic, 1>;

class Scaling {
 public:
  explicit Scaling(const SqpOptions& options) : options_(options), width_(options.upper - options.lower) {
    for (Index i = 0; i < options.constraintLower.size(); ++i) {
      const double lower = options.constraintLower[i], upper = options.constraintUpper[i];
      if (std::isfinite(upper)) rows.push_back({i, 1});
      if (std::isfinite(lower) && lower < upper) rows.push_back({i, -1});
    }
    equations.resize(Index(rows.size()));
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const Index i = rows[r].constraint;
      equations[Index(r)] = options.constraintLower[i] == options.constraintUpper[i];
    }
    scales = options.scales;
    if (scales.constraints.size() == 0) scales.constraints = VectorXd::Zero(options.constraintLower.size());
  }

  /// Takes larger gradients as the new scales.
  void learn(const ObjectiveValues& values) {
    learn(values.gradient.cwiseProduct(width_).norm(), scales.objective);
    for (Index i = 0; i < scales.constraints.size(); ++i)
      learn(VectorXd(values.jacobian.row(i).transpose()).cwiseProduct(width_).norm(), scales.constraints[i]);
  }

  double objective() const { return scales.objective > 0 ? scales.objective : 1; }
  double constraint(Index i) const { return scales.constraints[i] > 0 ? scales.constraints[i] : 1; }

  VectorXd rowValues(const VectorXd& constraints) const {
    VectorXd out(Index(rows.size()));
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const Index i = rows[r].constraint;
      const double outside = rows[r].sign > 0 ? constraints[i] - options_.constraintUpper[i]
                                              : options_.constraintLower[i] - constraints[i];
      out[Index(r)] = outside / constraint(i);
    }
    return out;
  }

  Scaled scaled(const ObjectiveValues& values) const {
    Scaled out;
    out.gradient = values.gradient.cwiseProduct(width_) / objective();
    out.values = rowValues(values.constraints);
    out.rows.resize(Index(rows.size()), width_.size());
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const Index i = rows[r].constraint;
      out.rows.row(Index(r)) = rows[r].sign / constraint(i) * values.jacobian.row(i).cwiseProduct(width_.transpose());
    }
    return out;
  }

  /// Multipliers of constraints from those of rows.
  VectorXd multipliers(const VectorXd& ofRows) const {
    VectorXd out = VectorXd::Zero(scales.constraints.size());
    for (std::size_t r = 0; r < rows.size(); ++r)
      out[rows[r].constraint] += rows[r].sign * ofRows[Index(r)] * objective() / constraint(rows[r].constraint);
    return out;
  }

  const VectorXd& width() const { return width_; }

  /// Of each row.
  VectorXd violations(const VectorXd& rowValues) const {
    return equations.select(rowValues.cwiseAbs().array(), rowValues.cwiseMax(0).array()).matrix();
  }
  double sumOfViolations(const VectorXd& rowValues) const { return violations(rowValues).sum(); }
  double largestViolation(const VectorXd& rowValues) const {
    return rowValues.size() ? violations(rowValues).maxCoeff() : 0;
  }

  std::vector<Row> rows;
  Equations equations;
  SqpScales scales;

 private:
  static void learn(double size, double& scale) {
    if (size > rescaledFrom * scale || scale == 0) scale = size;
  }

  const SqpOptions& options_;
  VectorXd width_;
};

Optimality judged(const Scaling& scaling, const ObjectiveValues& values, const VectorXd& x, const SqpOptions& options) {
  const Scaled at = scaling.scaled(values);
  const VectorXd y = (x - options.lower).cwiseQuotient(scaling.width());
  PenaltyModel model;
  model.B = MatrixXd::Identity(y.size(), y.size());
  model.g = at.gradient, model.A = at.rows, model.d = at.values, model.equation = scaling.equations,
  model.weight = judgedWeight;
  model.lower = -y, model.upper = VectorXd::Ones(y.size()) - y;
  const PenaltyStep step = penaltyStep(model);
  Optimality out;
  out.multipliers = scaling.multipliers(step.multipliers);
  out.stationarity = step.p.norm();
  out.violation = scaling.largestViolation(at.values);
  out.boundMultipliers = VectorXd::Zero(y.size());
  const VectorXd left = values.gradient + values.jacobian.transpose() * out.multipliers;
  for (Index j = 0; j < y.size(); ++j) {
    const bool held = (x[j] <= options.lower[j] && left[j] > 0) || (x[j] >= options.upper[j] && left[j] < 0);
    if (held) out.boundMultipliers[j] = -left[j];
  }
  return out;
}

/// One call of minimize().
class Search {
 public:
  Search(ConstrainedProblem& problem, const VectorXd& start, const SqpOptions& options)
      : problem_(problem), options_(options), scaling_(options), n_(start.size()) {
    out_.x = start.cwiseMax(options.lower).cwiseMin(options.upper);
  }

  SqpResult run() {
    out_.stop = search();
    if (out_.stop == Stop::noStart) out_.reason = problem_.why();
    out_.scales = scaling_.scales;
    return std::move(out_);
  }

 private:
  Stop search() {
    if (!asked()) return Stop::asked;
    ++out_.trials;
    ObjectiveValues values;
    if (!evaluate(out_.x, values, true)) return asked() ? (++out_.gaveUp, Stop::noStart) : Stop::asked;
    accept(out_.x, std::move(values));
    scaling_.learn(out_.values);
    B_ = MatrixXd::Identity(n_, n_);
    while (true) {
      const double before = scaling_.objective();
      scaling_.learn(out_.values);
      B_ *= before / scaling_.objective();
      at_ = scaling_.scaled(out_.values);
      out_.optimality = judged(scaling_, out_.values, out_.x, options_);
      if (out_.optimality.stationarity <= options_.stationarity && isAllowed()) return Stop::stationary;
      if (within_ && !(out_.optimality.stationarity < 0.5 * *within_)) return Stop::decrease;
      if (out_.iterations >= options_.most) return Stop::iterations;
      if (const auto stop = improve()) return *stop;
      ++out_.iterations;
      if (!asked()) return Stop::asked;
      ObjectiveValues next;
      if (!evaluate(out_.x, next, true)) {
        if (!asked()) return Stop::asked;
        out_.reason = problem_.why();
        return Stop::noStep;
      }
      learnCurvature(next);
      out_.values = std::move(next);
    }
  }

  bool isAllowed() const { return scaling_.largestViolation(at_.values) <= options_.violation; }

  /// Takes a step. The reason to stop, if there is none.
  std::optional<Stop> improve() {
    bool lastFailed = false;
    while (true) {
      PenaltyStep step = stepWithin(radius_);
      if (curved_ && step.p.norm() < tooCurved * std::min(radius_, out_.optimality.stationarity)) {
        // A kink, or an error of derivatives, has left a curvature that nothing goes on from.
        B_ = MatrixXd::Identity(n_, n_), curved_ = false;
        step = stepWithin(radius_);
      }
      if (!isAllowed() && cannotBeMet_) return Stop::infeasible;
      const double foretold = decreaseOf(step.p, at_.values + at_.rows * step.p);
      const double length = step.p.lpNorm<Eigen::Infinity>();
      const bool smallest = length <= options_.step || !(foretold > 0);
      if (smallest) return lastFailed || !isAllowed() ? Stop::noStep : Stop::step;
      if (!asked()) return Stop::asked;
      ObjectiveValues values;
      VectorXd x = moved(step.p);
      if (!tried(x, values, lastFailed)) {
        if (!asked()) return Stop::asked;
        radius_ = length / shortenedBy;
        continue;
      }
      double gain = gainOf(values) / foretold;
      const bool bent = violationOf(values) > scaling_.sumOfViolations(at_.values) + options_.violation;
      if (gain < leastGain && bent) {
        if (!asked()) return Stop::asked;
        gain = corrected(step.p, x, values, foretold, gain, lastFailed);
      }
      if (gain < poorGain) radius_ = length / shortenedBy;
      if (gain > goodGain && length > 0.9 * radius_) radius_ = std::min(1.0, 2 * radius_);
      // What is foretold is lost in errors of evaluation: derivatives alone still say whether it goes on.
      const bool lost = foretold <= options_.noise && isAllowed() && -gain * foretold <= options_.noise &&
                        largestViolationOf(values) <= options_.violation;
      within_ = lost ? std::optional(out_.optimality.stationarity) : std::nullopt;
      if (gain > leastGain || lost) {
        multipliers_ = step.multipliers;
        accept(x, std::move(values));
        return std::nullopt;
      }
      if (foretold <= options_.noise && isAllowed()) return Stop::decrease;
    }
  }

  bool tried(const VectorXd& x, ObjectiveValues& values, bool& failed) {
    ++out_.trials;
    failed = !evaluate(x, values, false);
    if (failed && asked()) ++out_.gaveUp, out_.reason = problem_.why();
    return !failed;
  }

  /// A second-order correction of a step that constraints bent away: their values are those at its end. The gain of the
  /// better of both, which x and values then are.
  double corrected(const VectorXd& p, VectorXd& x, ObjectiveValues& values, double foretold, double gain,
                   bool& failed) {
    const VectorXd atEnd = scaling_.rowValues(values.constraints);
    const PenaltyStep step = penaltyStep(model(radius_, weight_, atEnd - at_.rows * p));
    const VectorXd other = moved(step.p);
    ObjectiveValues there;
    if (!tried(other, there, failed)) {
      failed = false;
      return gain;
    }
    const double better = gainOf(there) / foretold;
    if (better <= gain) return gain;
    x = other, values = std::move(there);
    return better;
  }

  VectorXd y() const { return (out_.x - options_.lower).cwiseQuotient(scaling_.width()); }

  VectorXd moved(const VectorXd& p) const {
    const VectorXd at = y();
    VectorXd x = out_.x + scaling_.width().cwiseProduct(p);
    for (Index j = 0; j < n_; ++j) {
      if (p[j] != 0 && p[j] <= -at[j]) x[j] = options_.lower[j];
      if (p[j] != 0 && p[j] >= 1 - at[j]) x[j] = options_.upper[j];
    }
    return x.cwiseMax(options_.lower).cwiseMin(options_.upper);
  }

  PenaltyModel model(double radius, double weight, const VectorXd& rowValues) const {
    const VectorXd at = y();
    PenaltyModel out;
    out.B = B_, out.g = at_.gradient, out.A = at_.rows, out.d = rowValues, out.equation = scaling_.equations,
    out.weight = weight;
    out.lower = (-at).cwiseMax(-radius), out.upper = (VectorXd::Ones(n_) - at).cwiseMin(radius);
    return out;
  }

  /// The step, with a weight of violations that makes it lead towards what is allowed, where that is possible.
  PenaltyStep stepWithin(double radius) {
    PenaltyStep step = penaltyStep(model(radius, weight_, at_.values));
    cannotBeMet_ = false;
    const double now = scaling_.sumOfViolations(at_.values);
    const auto left = [&] { return scaling_.sumOfViolations(at_.values + at_.rows * step.p); };
    if (left() <= options_.violation) return step;
    PenaltyModel allowed = model(radius, 1, at_.values);
    allowed.g.setZero(), allowed.B = noProgress * MatrixXd::Identity(n_, n_);
    const double least = scaling_.sumOfViolations(at_.values + at_.rows * penaltyStep(allowed).p);
    // Of a violation that is smaller than the radius, whatever is left of it.
    cannotBeMet_ = least > options_.violation && now - least <= noProgress * std::min(radius, now);
    const double goal = least <= options_.violation ? options_.violation : now - leastProgress * (now - least);
    while (left() > goal && weight_ < mostWeight && !cannotBeMet_) {
      weight_ *= 10;
      step = penaltyStep(model(radius, weight_, at_.values));
    }
    return step;
  }

  double decreaseOf(const VectorXd& p, const VectorXd& rowsAfter) const {
    return -at_.gradient.dot(p) - 0.5 * p.dot(B_ * p) +
           weight_ * (scaling_.sumOfViolations(at_.values) - scaling_.sumOfViolations(rowsAfter));
  }

  double violationOf(const ObjectiveValues& values) const {
    return scaling_.sumOfViolations(scaling_.rowValues(values.constraints));
  }

  double largestViolationOf(const ObjectiveValues& values) const {
    return scaling_.largestViolation(scaling_.rowValues(values.constraints));
  }

  double gainOf(const ObjectiveValues& values) const {
    return (out_.values.objective - values.objective) / scaling_.objective() +
           weight_ * (scaling_.sumOfViolations(at_.values) - violationOf(values));
  }

  void accept(const VectorXd& x, ObjectiveValues values) {
    before_ = out_.x, out_.x = x;
    out_.history.push_back({values.objective, largestViolationOf(values)});
    // The derivatives of the last point stay until those of this one are known.
    out_.values.objective = values.objective, out_.values.constraints = values.constraints;
    if (values.gradient.size()) out_.values = std::move(values);
  }

  /// BFGS with the change of the Lagrangian's gradient along the last step.
  void learnCurvature(const ObjectiveValues& next) {
    const Scaled after = scaling_.scaled(next);
    const VectorXd s = (out_.x - before_).cwiseQuotient(scaling_.width());
    VectorXd change = after.gradient - at_.gradient + (after.rows - at_.rows).transpose() * multipliers_;
    const double size = s.squaredNorm();
    if (!(size > 0) || !change.allFinite()) return;
    if (!curved_ && change.dot(s) > 0) B_ *= change.squaredNorm() / change.dot(s), curved_ = true;
    const VectorXd Bs = B_ * s;
    const double along = s.dot(Bs), found = s.dot(change);
    if (found < dampedFrom * along) {
      const double share = (1 - dampedFrom) * along / (along - found);
      change = share * change + (1 - share) * Bs;
    }
    B_ += change * change.transpose() / s.dot(change) - Bs * Bs.transpose() / along;
    B_ = MatrixXd(0.5 * (B_ + B_.transpose()));
  }

  bool evaluate(const VectorXd& x, ObjectiveValues& values, bool slopes) const {
    return problem_.evaluate(x, values, slopes) && std::isfinite(values.objective) && values.constraints.allFinite() &&
           (!slopes || (values.gradient.allFinite() && values.jacobian.allFinite()));
  }

  bool asked() const {
    if (!options_.goOn) return true;
    const SqpPoint now =
        out_.history.empty() ? SqpPoint{std::numeric_limits<double>::quiet_NaN(), 0} : out_.history.back();
    return options_.goOn({out_.iterations, out_.trials, out_.gaveUp, now.objective, now.violation});
  }

  ConstrainedProblem& problem_;
  const SqpOptions& options_;
  Scaling scaling_;
  Index n_;
  Scaled at_;             // the last point with derivatives
  VectorXd before_;       // x of it, after a step
  VectorXd multipliers_;  // of rows, of the last step
  MatrixXd B_;
  bool curved_ = false, cannotBeMet_ = false;
  std::optional<double> within_;  // stationarity before a step whose effect is lost in errors of evaluation
  double radius_ = firstRadius, weight_ = 1;
  SqpResult out_;
};

}  // namespace

Optimality optimalityAt(const ObjectiveValues& values, const VectorXd& x, const SqpOptions& options) {
  Scaling scaling(options);
  scaling.learn(values);
  return judged(scaling, values, x, options);
}

SqpResult minimize(ConstrainedProblem& problem, const VectorXd& start, const SqpOptions& options) {
  return Search(problem, start, options).run();
}

}  // namespace tendril::fit
