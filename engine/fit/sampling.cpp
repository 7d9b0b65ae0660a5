#include "fit/sampling.h"

#include "text/words.h"

namespace tendril::fit {
namespace {

constexpr double sameTime = 1e-9;  // share of a step within which a time is that of an accepted step

using Slopes = std::function<std::span<const double>(std::size_t)>;

/// One run, from accepted step to accepted step.
class Sampling {
 public:
  Sampling(const RunRequest& request, const Simulation& run, std::size_t parameters, const Slopes& slopes)
      : request_(request), run_(run), slopes_(slopes), slopesBefore_(parameters) {
    out_.values.resize(Eigen::Index(request.times.size()), Eigen::Index(request.columns.size()));
    out_.rates = Eigen::MatrixXd::Zero(out_.values.rows(), out_.values.cols());
    out_.slopes.assign(parameters, out_.rates);
  }

  RunSamples run(const std::function<Progress()>& step) {
    const double grain = sameTime * run_.stepSize();
    take(grain);
    while (next_ < request_.times.size()) {
      const double wanted = request_.times[next_];
      if (run_.finished()) {
        out_.gaveUp = "the run ends at " + text::formatNumber(run_.time()) + " s, before the data at " +
                      text::formatNumber(wanted) + " s";
        return out_;
      }
      remember();
      step();
      if (!(run_.time() > before_)) {
        out_.gaveUp = "stopped";
        return out_;
      }
      fillRatesOfStart();
      take(grain);
    }
    return out_;
  }

 private:
  void remember() {
    before_ = run_.time();
    from_.assign(run_.values().begin(), run_.values().end());
    for (std::size_t p = 0; p < slopesBefore_.size(); ++p) {
      const std::span<const double> now = slopes_(p);
      slopesBefore_[p].assign(now.begin(), now.end());
    }
  }

  /// All times up to the accepted state.
  void take(double grain) {
    const std::vector<double> now(run_.values().begin(), run_.values().end());
    for (; next_ < request_.times.size() && request_.times[next_] <= run_.time() + grain; ++next_) {
      const double t = request_.times[next_], span = run_.time() - before_;
      const bool inside = !from_.empty() && t < run_.time() - grain;
      const double part = inside ? (t - before_) / span : 1;
      put(inside ? run_.between(from_, now, part) : now);
      if (!from_.empty()) putRates(next_, now, span);
      for (std::size_t p = 0; p < slopesBefore_.size(); ++p) putSlopes(p, part);
    }
  }

  void put(const std::vector<double>& values) {
    for (std::size_t c = 0; c < request_.columns.size(); ++c)
      out_.values(Eigen::Index(next_), Eigen::Index(c)) = values[std::size_t(request_.columns[c])];
  }

  void putSlopes(std::size_t parameter, double part) {
    const std::span<const double> now = slopes_(parameter);
    const std::vector<double>& before = slopesBefore_[parameter];
    for (std::size_t c = 0; c < request_.columns.size(); ++c) {
      const std::size_t column = std::size_t(request_.columns[c]);
      out_.slopes[parameter](Eigen::Index(next_), Eigen::Index(c)) =
          part == 1 ? now[column] : before[column] + part * (now[column] - before[column]);
    }
  }

  void putRates(std::size_t row, const std::vector<double>& now, double span) {
    for (std::size_t c = 0; c < request_.columns.size(); ++c) {
      const std::size_t column = std::size_t(request_.columns[c]);
      out_.rates(Eigen::Index(row), Eigen::Index(c)) = (now[column] - from_[column]) / span;
    }
  }

  /// Of times at the start, which were taken before there was a step.
  void fillRatesOfStart() {
    if (ratesOfStart_) return;
    ratesOfStart_ = true;
    const std::vector<double> now(run_.values().begin(), run_.values().end());
    for (std::size_t row = 0; row < next_; ++row) putRates(row, now, run_.time() - before_);
  }

  const RunRequest& request_;
  const Simulation& run_;
  const Slopes& slopes_;
  RunSamples out_;
  std::vector<double> from_;                       // values before the last step
  std::vector<std::vector<double>> slopesBefore_;  // per parameter
  double before_ = 0;                              // and its time
  std::size_t next_ = 0;                           // among the times
  bool ratesOfStart_ = false;
};

}  // namespace

RunSamples sampled(const RunRequest& request, const Simulation& run, const std::function<Progress()>& step,
                   std::size_t parameters, const Slopes& slopes) {
  return Sampling(request, run, parameters, slopes).run(step);
}

}  // namespace tendril::fit
