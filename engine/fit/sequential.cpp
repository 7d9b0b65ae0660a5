#include "fit/sequential.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "fit/sampling.h"
#include "simulation/inside.h"
#include "text/words.h"

namespace tendril::fit {

namespace {

constexpr double sameTime = 1e-9;  // share of a step within which times are one
constexpr double unlimited = std::numeric_limits<double>::infinity();

/// A number of the data that is fitted to.
struct Number {
  Eigen::Index index = 0;  ///< among the plan's residuals
  Eigen::Index row = 0, column = 0;
  double time = 0;  ///< [s] of the run
};

/// The numbers of each group, in the order of the plan's residuals within it.
std::vector<std::vector<Number>> numbersOf(const Plan& plan, const std::vector<KnotGroup>& groups) {
  std::vector<std::vector<Number>> out(groups.size());
  const Experiment& film = plan.experiments[0];
  Eigen::Index index = 0;
  for (Eigen::Index c = 0; c < film.data.cols(); ++c)
    for (Eigen::Index r = 0; r < film.data.rows(); ++r) {
      if (film.held[std::size_t(r)] || std::isnan(film.data(r, c))) continue;
      const double time = std::max(0.0, film.time[std::size_t(r)] - film.columns[std::size_t(c)].delay.value);
      const auto group = std::find_if(groups.begin(), groups.end() - 1, [&](const KnotGroup& g) {
        return time <= g.until + sameTime * std::max(1e-300, std::abs(g.until));
      });
      out[std::size_t(group - groups.begin())].push_back({index++, r, c, time});
    }
  return out;
}

/// The run along which knots are found: at the last accepted step before the data of the present group.
class Walk {
 public:
  Walk(const Plan& plan, const std::vector<KnotGroup>& groups) : plan_(plan), groups_(groups) {
    values_.resize(Eigen::Index(plan.unknowns.size()));
  }

  /// This group's values, and those of later ones, which nothing is known of yet.
  void take(std::size_t group, const Eigen::VectorXd& values) {
    for (std::size_t later = group; later < groups_.size(); ++later)
      for (Eigen::Index j = 0; j < values.size(); ++j) values_[groups_[later].unknowns[std::size_t(j)]] = values[j];
  }
  Eigen::VectorXd valuesOf(std::size_t group) const {
    Eigen::VectorXd out(Eigen::Index(groups_[group].unknowns.size()));
    for (Eigen::Index j = 0; j < out.size(); ++j) out[j] = values_[groups_[group].unknowns[std::size_t(j)]];
    return out;
  }

  RunSamples samples(const RunRequest& request) {
    return samplesOrReason([&] {
      begin();
      return sampled(request, *run_, [this] { return run_->step(); });
    });
  }

  /// To the last accepted step that is not after the group's data, with the values that it has now.
  void pass(std::size_t group) {
    begin();
    const double end = groups_[group].until, grain = sameTime * run_->stepSize();
    std::vector<std::byte> last = run_->save();
    while (!run_->finished() && run_->time() < end - grain) {
      run_->step();
      if (run_->time() <= end + grain) last = run_->save();
    }
    saved_ = std::move(last);
  }

 private:
  void begin() {
    std::map<std::string, double> parameters = plan_.experiments[0].set;
    for (std::size_t u = 0; u < plan_.unknowns.size(); ++u)
      parameters[plan_.unknowns[u].name] = values_[Eigen::Index(u)];
    run_.reset();
    if (saved_.empty())
      run_.emplace(plan_.sceneText, parameters);
    else
      run_.emplace(Inside::resumed(plan_.sceneText, parameters, saved_));
  }

  const Plan& plan_;
  const std::vector<KnotGroup>& groups_;
  Eigen::VectorXd values_;
  std::optional<Simulation> run_;
  std::vector<std::byte> saved_;  // empty: the start
};

/// Residuals of one group's data, then of its priors, over the positions of its knots.
class GroupResiduals final : public Residuals {
 public:
  GroupResiduals(const Plan& plan, const KnotGroup& group, std::size_t index, const std::vector<Number>& numbers,
                 Walk& walk)
      : plan_(plan), group_(group), index_(index), numbers_(numbers), walk_(walk) {
    for (const DataColumn& column : plan.experiments[0].columns) request_.columns.push_back(column.index);
    for (const Number& number : numbers) request_.times.push_back(number.time);
    std::sort(request_.times.begin(), request_.times.end());
    request_.times.erase(std::unique(request_.times.begin(), request_.times.end()), request_.times.end());
  }

  bool evaluate(const Eigen::VectorXd& z, Eigen::VectorXd& residuals, Eigen::MatrixXd* jacobian) override {
    if (!at(z, residuals)) return false;
    if (!jacobian) return true;
    jacobian->resize(residuals.size(), z.size());
    for (Eigen::Index j = 0; j < z.size(); ++j) {
      // Beside z, or on its one side at a bound.
      const double up = std::min(1.0, z[j] + differenceShare), down = std::max(0.0, z[j] - differenceShare);
      Eigen::VectorXd beside = z, above, below;
      beside[j] = up;
      if (!at(beside, above)) return false;
      beside[j] = down;
      if (!at(beside, below)) return false;
      jacobian->col(j) = (above - below) / (up - down);
    }
    return true;
  }
  std::string why() const override { return why_; }
  Eigen::Index count() const { return Eigen::Index(numbers_.size()) + priors(); }

  Eigen::VectorXd huber() const {
    if (plan_.huber == 0) return {};
    Eigen::VectorXd out = Eigen::VectorXd::Constant(count(), unlimited);
    for (std::size_t i = 0; i < numbers_.size(); ++i) out[Eigen::Index(i)] = plan_.huber / columnOf(numbers_[i]).sigma;
    return out;
  }

 private:
  const DataColumn& columnOf(const Number& number) const {
    return plan_.experiments[0].columns[std::size_t(number.column)];
  }
  const Unknown& unknown(Eigen::Index j) const { return plan_.unknowns[std::size_t(group_.unknowns[std::size_t(j)])]; }
  Eigen::Index priors() const {
    Eigen::Index count = 0;
    for (const int u : group_.unknowns) count += plan_.unknowns[std::size_t(u)].prior.has_value();
    return count;
  }

  bool at(const Eigen::VectorXd& z, Eigen::VectorXd& residuals) {
    Eigen::VectorXd values(z.size());
    for (Eigen::Index j = 0; j < z.size(); ++j) values[j] = unknown(j).value(z[j]);
    walk_.take(index_, values);
    residuals.resize(count());
    Eigen::Index i = 0;
    if (!numbers_.empty()) {
      const RunSamples samples = walk_.samples(request_);
      why_ = samples.gaveUp;
      if (!why_.empty()) return false;
      for (const Number& number : numbers_) {
        const auto row = std::lower_bound(request_.times.begin(), request_.times.end(), number.time);
        const double model = samples.values(row - request_.times.begin(), number.column);
        const DataColumn& column = columnOf(number);
        residuals[i++] =
            (model + column.offset.value - plan_.experiments[0].data(number.row, number.column)) / column.sigma;
      }
    }
    for (Eigen::Index j = 0; j < z.size(); ++j)
      if (unknown(j).prior) residuals[i++] = unknown(j).priorResidual(z[j]);
    return true;
  }

  const Plan& plan_;
  const KnotGroup& group_;
  std::size_t index_;
  const std::vector<Number>& numbers_;
  Walk& walk_;
  RunRequest request_;
  std::string why_;
};

/// Of a group without data: it stays where the one before it was.
LeastSquaresResult untold(const Eigen::VectorXd& from) {
  LeastSquaresResult out;
  out.stop = Stop::gradient, out.x = from;
  out.residuals.resize(0), out.jacobian.resize(0, from.size());
  return out;
}

/// What the groups found, put where the whole plan's residuals have it.
class Assembly {
 public:
  Assembly(const Plan& plan, Eigen::Index data) : plan_(plan) {
    Eigen::Index rows = data;
    for (const Unknown& unknown : plan.unknowns) {
      priorRows_.push_back(rows);
      rows += unknown.prior.has_value();
    }
    const Eigen::Index n = Eigen::Index(plan.unknowns.size());
    result.residuals = Eigen::VectorXd::Zero(rows), result.jacobian = Eigen::MatrixXd::Zero(rows, n);
    result.stop = Stop::decrease;
  }

  void add(const KnotGroup& group, const std::vector<Number>& numbers, const LeastSquaresResult& found) {
    for (Eigen::Index j = 0; j < found.x.size(); ++j) result.x[group.unknowns[std::size_t(j)]] = found.x[j];
    const auto put = [&](Eigen::Index row, Eigen::Index from) {
      result.residuals[row] = found.residuals[from];
      for (Eigen::Index j = 0; j < found.jacobian.cols(); ++j)
        result.jacobian(row, group.unknowns[std::size_t(j)]) = found.jacobian(from, j);
    };
    Eigen::Index i = 0;
    for (const Number& number : numbers) put(number.index, i++);
    for (const int u : group.unknowns)
      if (plan_.unknowns[std::size_t(u)].prior) put(priorRows_[std::size_t(u)], i++);
    result.cost += found.cost;
    result.trials += found.trials, result.gaveUp += found.gaveUp;
    if (!found.reason.empty()) result.reason = found.reason;
    if (converged(result.stop) && !converged(found.stop)) result.stop = found.stop;
  }

  LeastSquaresResult result;

 private:
  const Plan& plan_;
  std::vector<Eigen::Index> priorRows_;
};

}  // namespace

std::vector<KnotGroup> knotGroups(const Plan& plan) {
  std::vector<KnotGroup> out;
  for (std::size_t u = 0; u < plan.unknowns.size(); ++u) {
    const double until = plan.unknowns[u].until.value_or(unlimited);
    const auto at = std::find_if(out.begin(), out.end(), [&](const KnotGroup& g) { return g.until >= until; });
    if (at != out.end() && at->until == until)
      at->unknowns.push_back(int(u));
    else
      out.insert(at, {until, {int(u)}});
  }
  return out;
}

std::string whyNotSequential(const Plan& plan) {
  for (const Unknown& unknown : plan.unknowns)
    if (!unknown.until)
      return "\"" + unknown.name +
             "\" is no knot of a series that is linear between its knots, in a scene with motion: one knot after the "
             "other is found from its own data, and nothing else can be";
  const std::vector<KnotGroup> groups = knotGroups(plan);
  for (const KnotGroup& group : groups)
    if (group.unknowns.size() != groups.front().unknowns.size())
      return "the unknown series have knots at different times: give all the same";
  if (plan.experiments.size() != 1)
    return "there are " + std::to_string(plan.experiments.size()) + " experiments; one is followed along its run";
  for (const DataColumn& column : plan.experiments[0].columns)
    if (column.axis >= 0)
      return "the data are seen through a frame: give them in the scene's own coordinates, which one knot after the "
             "other is found from";
  return {};
}

LeastSquaresResult searchSequentially(const Plan& plan, const PlanResiduals& residuals, const Eigen::VectorXd& start,
                                      const std::function<bool(const LeastSquaresState&)>& goOn) {
  const std::vector<KnotGroup> groups = knotGroups(plan);
  const std::vector<std::vector<Number>> numbers = numbersOf(plan, groups);
  Assembly all(plan, residuals.dataCount());
  LeastSquaresResult& out = all.result;
  out.x = start;
  Walk walk(plan, groups);
  LeastSquaresState state;
  state.x = &out.x;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const KnotGroup& group = groups[g];
    const Eigen::Index n = Eigen::Index(group.unknowns.size());
    Eigen::VectorXd from(n);
    // From where the group before ended: bounds and scales of a series are those of all its knots.
    for (Eigen::Index j = 0; j < n; ++j) from[j] = out.x[groups[g == 0 ? 0 : g - 1].unknowns[std::size_t(j)]];
    GroupResiduals own(plan, group, g, numbers[g], walk);
    LeastSquaresOptions options;
    options.lower = Eigen::VectorXd::Zero(n), options.upper = Eigen::VectorXd::Ones(n);
    options.huber = own.huber();
    if (goOn)
      options.goOn = [&](const LeastSquaresState& now) {
        state.iterations = int(g), state.trials = out.trials + now.trials, state.gaveUp = out.gaveUp + now.gaveUp;
        state.cost = out.cost + now.cost;
        return goOn(state);
      };
    LeastSquaresResult found = own.count() > 0 ? minimize(own, from, options) : untold(from);
    if (found.stop == Stop::asked || found.stop == Stop::noStart) {
      out.stop = found.stop;
      out.reason = "after " + text::formatNumber(g == 0 ? 0 : groups[g - 1].until) + " s: " + found.reason;
      out.residuals.resize(0), out.jacobian.resize(0, 0);
      return out;
    }
    if (found.jacobian.size() == 0) found.jacobian = Eigen::MatrixXd::Zero(found.residuals.size(), n);
    all.add(group, numbers[g], found);
    out.iterations = int(g) + 1;
    Eigen::VectorXd values(n);
    for (Eigen::Index j = 0; j < n; ++j)
      values[j] = plan.unknowns[std::size_t(group.unknowns[std::size_t(j)])].value(found.x[j]);
    walk.take(g, values);
    try {
      if (g + 1 < groups.size()) walk.pass(g);
    } catch (const GaveUp& error) {
      out.stop = Stop::noStart, out.reason = error.what();
      out.residuals.resize(0), out.jacobian.resize(0, 0);
      return out;
    }
  }
  return out;
}

}  // namespace tendril::fit
