// What an optimizer asks of a scene: residuals of probes at times as functions of its parameters, with their Jacobian.
// docs/sensitivities.md has an example.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tendril/sensitivities.h"
#include "tendril/simulation.h"

namespace tendril {

/// A column of the probes at a time.
struct ProbeAt {
  std::string column;
  std::size_t index = 0;  ///< of the column among Simulation::columns()
  double time = 0;        ///< [s]
};

/// Reads "tip.x@0.5", "tip.x@end" and "tip.x", which is the end too; `until` [s] is the end. Throws
/// std::invalid_argument for a column that the run has not, what is no time, and a time beyond the end.
ProbeAt probeAt(const std::string& text, const Simulation& run, double until);

/// Takes columns at times, in any order, of a run that somebody else steps, with their slopes: between accepted steps
/// values are those of Simulation::between, and slopes the derivatives of these.
class ProbeSamples {
 public:
  /// Takes what is to be had of the state. Refers to `run` as long as it lives.
  ProbeSamples(const Sensitivities& run, const std::vector<ProbeAt>& of);
  ProbeSamples(const Simulation& run, const std::vector<ProbeAt>& of);  ///< without slopes
  ~ProbeSamples();
  ProbeSamples(ProbeSamples&&) noexcept;
  ProbeSamples& operator=(ProbeSamples&&) noexcept;

  void take();            ///< after each accepted step of the run
  bool complete() const;  ///< all times have come; only then are there values
  /// In the order of `of`. Throws std::logic_error unless complete().
  std::vector<double> values() const;
  /// d(value)/d(parameter), row by row: a row per value, a column per parameter of Sensitivities::with().
  std::vector<double> slopes() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// r_i(x) = (value of probe i - data_i) / sigma_i, of x, the values of n parameters. A whole run for each x; the last
/// one is kept, so that the Jacobian and products with it at the same x cost nothing more. For one thread at a time.
class RunResiduals {
 public:
  struct Setup {
    std::map<std::string, double> set = {};     ///< other parameters, and x where it starts
    std::vector<std::string> with = {};         ///< the parameters that x is
    std::vector<std::string> of = {};           ///< m probes at times, as probeAt() reads them
    std::vector<double> data = {};              ///< m numbers, in the probes' units; empty: 0
    std::vector<double> sigma = {};             ///< m standard deviations or scales, more than 0; empty: 1
    std::map<std::string, double> scales = {};  ///< as of Sensitivities
  };
  /// Builds the scene. Throws what the constructor of Sensitivities throws, and std::invalid_argument for what
  /// probeAt() refuses, and for data and sigma that do not fit.
  RunResiduals(std::string_view sceneText, Setup setup);
  ~RunResiduals();
  RunResiduals(RunResiduals&&) noexcept;
  RunResiduals& operator=(RunResiduals&&) noexcept;

  const std::vector<std::string>& with() const;
  const std::vector<ProbeAt>& of() const;
  const std::vector<double>& start() const;  ///< n values that the scene, or `set`, gives x

  /// m residuals. Throws BadScene where the scene is not valid at x, GaveUp where the run gives up before the last time
  /// or keepGoing says no, and std::invalid_argument for an x of another size, or that is not finite.
  const std::vector<double>& residual(std::span<const double> x, const KeepGoing& keepGoing = {});
  /// m x n numbers d(r_i)/d(x_j), row by row. Throws as residual(), and std::invalid_argument where there is no
  /// derivative at x.
  const std::vector<double>& jacobian(std::span<const double> x, const KeepGoing& keepGoing = {});
  /// n numbers: the Jacobian's transpose times `v` of m numbers; of v = r the gradient of half of the sum of squares.
  std::vector<double> vjp(std::span<const double> x, std::span<const double> v, const KeepGoing& keepGoing = {});
  /// What makes the last Jacobian doubtful.
  const std::vector<Doubt>& findings() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tendril
