#include "tendril/residuals.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <stdexcept>

#include "simulation/sampling.h"
#include "text/words.h"

namespace tendril {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw std::invalid_argument(why); }

/// A finite decimal number that is all of the text.
std::optional<double> timeOf(const std::string& text) {
  if (text.empty() || text.find_first_not_of("0123456789+-.eE") != std::string::npos) return std::nullopt;
  char* end = nullptr;
  const double time = std::strtod(text.c_str(), &end);
  if (end != text.c_str() + text.size() || !(time >= 0) || !std::isfinite(time)) return std::nullopt;
  return time;
}

std::vector<double> timesOf(const std::vector<ProbeAt>& of) {
  std::vector<double> out;
  out.reserve(of.size());
  for (const ProbeAt& one : of) out.push_back(one.time);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

std::vector<std::size_t> columnsOf(const std::vector<ProbeAt>& of) {
  std::vector<std::size_t> out;
  out.reserve(of.size());
  for (const ProbeAt& one : of) out.push_back(one.index);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace

ProbeAt probeAt(const std::string& text, const Simulation& run, double until) {
  const std::string quoted = "\"" + text + "\"";
  const std::size_t at = text.rfind('@');
  ProbeAt out{text.substr(0, at), 0, until};
  const std::vector<std::string>& columns = run.columns();
  const auto found = std::find(columns.begin(), columns.end(), out.column);
  if (found == columns.end()) {
    std::string all;
    for (const std::string& c : columns) all += (all.empty() ? "" : ", ") + c;
    refuse(quoted + ": no probe column \"" + out.column + "\"; the scene has " + (all.empty() ? "none" : all));
  }
  out.index = static_cast<std::size_t>(found - columns.begin());
  const std::string when = at == std::string::npos ? "end" : text.substr(at + 1);
  if (when == "end") return out;
  const std::optional<double> time = timeOf(when);
  if (!time) refuse(quoted + ": after the @ comes a time in seconds, or \"end\"");
  if (*time > until * (1 + 1e-12)) refuse(quoted + ": the run ends at " + text::formatNumber(until) + " s");
  out.time = std::min(*time, until);
  return out;
}

struct ProbeSamples::Impl {
  std::vector<ProbeAt> of;
  std::vector<double> times;
  std::vector<std::size_t> columns;
  std::size_t parameters;
  Sampler sampler;

  Impl(const Simulation& run, const std::vector<ProbeAt>& wanted, std::size_t count, const Sampler::Slopes& slopes)
      : of(wanted),
        times(timesOf(of)),
        columns(columnsOf(of)),
        parameters(count),
        sampler(run, times, columns, count, slopes) {}

  double in(const Eigen::MatrixXd& table, const ProbeAt& one) const {
    const auto row = std::lower_bound(times.begin(), times.end(), one.time) - times.begin();
    const auto column = std::lower_bound(columns.begin(), columns.end(), one.index) - columns.begin();
    return table(row, column);
  }

  const Samples& all() const {
    if (!sampler.complete()) throw std::logic_error("the run has not come to all times of these samples");
    return sampler.samples();
  }
};

ProbeSamples::ProbeSamples(const Sensitivities& run, const std::vector<ProbeAt>& of)
    : impl_(std::make_unique<Impl>(run.run(), of, run.with().size(),
                                   [&run](std::size_t parameter) { return run.slopes(parameter); })) {}
ProbeSamples::ProbeSamples(const Simulation& run, const std::vector<ProbeAt>& of)
    : impl_(std::make_unique<Impl>(run, of, 0, Sampler::Slopes())) {}
ProbeSamples::~ProbeSamples() = default;
ProbeSamples::ProbeSamples(ProbeSamples&&) noexcept = default;
ProbeSamples& ProbeSamples::operator=(ProbeSamples&&) noexcept = default;

void ProbeSamples::take() { impl_->sampler.take(); }
bool ProbeSamples::complete() const { return impl_->sampler.complete(); }

std::vector<double> ProbeSamples::values() const {
  std::vector<double> out;
  for (const ProbeAt& one : impl_->of) out.push_back(impl_->in(impl_->all().values, one));
  return out;
}

std::vector<double> ProbeSamples::slopes() const {
  std::vector<double> out;
  for (const ProbeAt& one : impl_->of) {
    for (std::size_t p = 0; p < impl_->parameters; ++p) out.push_back(impl_->in(impl_->all().slopes[p], one));
  }
  return out;
}

struct RunResiduals::Impl {
  std::string text;
  Setup setup;
  std::vector<ProbeAt> of;
  std::vector<std::string> columns;  // of the scene, which x must not change
  std::vector<double> start;
  std::vector<double> x, residual, jacobian;  // the last ones; empty: none
  std::vector<Doubt> findings;

  Impl(std::string_view sceneText, Setup given) : text(sceneText), setup(std::move(given)) {
    if (setup.with.empty()) refuse("x has no parameters: name those to differentiate by");
    if (setup.of.empty()) refuse("there are no residuals: name probes at times, such as \"tip.z@0.5\"");
    for (const std::string& name : setup.with) {
      if (std::count(setup.with.begin(), setup.with.end(), name) > 1)
        refuse("parameter \"" + name + "\" stands twice among those to differentiate by");
    }
    const Sensitivities s(text, setup.set, setup.with, setup.scales);  // refuses what has no derivative
    columns = s.run().columns();
    for (const std::string& one : setup.of) of.push_back(probeAt(one, s.run(), s.run().duration()));
    const std::vector<ParameterInfo> all = s.run().parameters();
    for (const std::string& name : setup.with) {
      const auto p = std::find_if(all.begin(), all.end(), [&](const ParameterInfo& i) { return i.name == name; });
      start.push_back(p->value);
    }
    requireEach(setup.data, "data");
    requireEach(setup.sigma, "sigma");
    for (const double sigma : setup.sigma) {
      if (!(sigma > 0)) refuse("each number of sigma must be more than 0, not " + text::formatNumber(sigma));
    }
  }

  void requireEach(const std::vector<double>& list, const std::string& name) const {
    if (!list.empty() && list.size() != of.size())
      refuse(name + " has " + std::to_string(list.size()) + " numbers, and there are " + std::to_string(of.size()) +
             " probes at times");
    for (const double number : list) {
      if (!std::isfinite(number)) refuse("the numbers of " + name + " must be finite");
    }
  }

  double scale(std::size_t i) const { return setup.sigma.empty() ? 1 : setup.sigma[i]; }

  std::map<std::string, double> parametersAt(std::span<const double> at) const {
    if (at.size() != setup.with.size())
      refuse("x has " + std::to_string(at.size()) + " numbers, and there are " + std::to_string(setup.with.size()) +
             " parameters");
    std::map<std::string, double> out = setup.set;
    for (std::size_t j = 0; j < at.size(); ++j) {
      if (!std::isfinite(at[j])) refuse("x must be finite, and its \"" + setup.with[j] + "\" is not");
      out[setup.with[j]] = at[j];
    }
    return out;
  }

  /// Takes the run to the last time.
  template <class Run>
  void drive(Run& stepped, const Simulation& run, ProbeSamples& samples, const KeepGoing& keepGoing) const {
    while (!samples.complete()) {
      const double before = run.time();
      if (!run.finished()) stepped.step(keepGoing);
      if (run.time() > before)
        samples.take();
      else if (run.finished())
        throw GaveUp("the run ends at " + text::formatNumber(run.time()) + " s here, before the last of the times");
      else
        throw GaveUp("stopped at t = " + text::formatNumber(before) + " s");
    }
  }

  std::vector<double> residualOf(std::vector<double> values) const {
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = (values[i] - (setup.data.empty() ? 0 : setup.data[i])) / scale(i);
    return values;
  }

  void requireColumns(const Simulation& run) const {
    if (run.columns() != columns) refuse("at this x the scene has other probe columns than at the start");
  }

  bool knows(std::span<const double> at, const std::vector<double>& what) const {
    return !what.empty() && std::equal(at.begin(), at.end(), x.begin(), x.end());
  }

  void keep(std::span<const double> at, std::vector<double> residuals, std::vector<double> slopes) {
    x.assign(at.begin(), at.end()), residual = std::move(residuals), jacobian = std::move(slopes);
  }

  const std::vector<double>& residualAt(std::span<const double> at, const KeepGoing& keepGoing) {
    const auto parameters = parametersAt(at);
    if (knows(at, residual)) return residual;
    Simulation run(text, parameters);
    requireColumns(run);
    ProbeSamples samples(run, of);
    drive(run, run, samples, keepGoing);
    keep(at, residualOf(samples.values()), {});
    return residual;
  }

  const std::vector<double>& jacobianAt(std::span<const double> at, const KeepGoing& keepGoing) {
    const auto parameters = parametersAt(at);
    if (knows(at, jacobian)) return jacobian;
    Sensitivities s(text, parameters, setup.with, setup.scales);
    requireColumns(s.run());
    ProbeSamples samples(s, of);
    drive(s, s.run(), samples, keepGoing);
    std::vector<double> slopes = samples.slopes();
    for (std::size_t k = 0; k < slopes.size(); ++k) slopes[k] /= scale(k / setup.with.size());
    keep(at, residualOf(samples.values()), std::move(slopes));
    findings = s.findings();
    return jacobian;
  }
};

RunResiduals::RunResiduals(std::string_view sceneText, Setup setup)
    : impl_(std::make_unique<Impl>(sceneText, std::move(setup))) {}
RunResiduals::~RunResiduals() = default;
RunResiduals::RunResiduals(RunResiduals&&) noexcept = default;
RunResiduals& RunResiduals::operator=(RunResiduals&&) noexcept = default;

const std::vector<std::string>& RunResiduals::with() const { return impl_->setup.with; }
const std::vector<ProbeAt>& RunResiduals::of() const { return impl_->of; }
const std::vector<double>& RunResiduals::start() const { return impl_->start; }

const std::vector<double>& RunResiduals::residual(std::span<const double> x, const KeepGoing& keepGoing) {
  return impl_->residualAt(x, keepGoing);
}

const std::vector<double>& RunResiduals::jacobian(std::span<const double> x, const KeepGoing& keepGoing) {
  return impl_->jacobianAt(x, keepGoing);
}

std::vector<double> RunResiduals::vjp(std::span<const double> x, std::span<const double> v,
                                      const KeepGoing& keepGoing) {
  const std::size_t m = impl_->of.size(), n = impl_->setup.with.size();
  if (v.size() != m)
    refuse("v has " + std::to_string(v.size()) + " numbers, and there are " + std::to_string(m) + " residuals");
  const std::vector<double>& jacobian = impl_->jacobianAt(x, keepGoing);
  std::vector<double> out(n, 0);
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) out[j] += jacobian[i * n + j] * v[i];
  }
  return out;
}

const std::vector<Doubt>& RunResiduals::findings() const { return impl_->findings; }

}  // namespace tendril
