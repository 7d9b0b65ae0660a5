// Values of a run: every probe column at the last accepted state, then the scene's states.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/model.h"
#include "scene/scene.h"

namespace tendril {

class ProbeColumns {
 public:
  explicit ProbeColumns(const scene::Scene& scene);

  /// Evaluates the probes at an accepted state at time t. A formula without a finite value leaves NaN and one warning.
  /// Throws Failure.
  void observe(model::Model& model, double t);
  /// Advances states by dt with the rates of the state just observed. Throws Failure.
  void advanceStates(double t, double dt);

  const std::vector<double>& all() const { return values_; }  ///< Scene::columns, then states
  std::vector<double>& all() { return values_; }
  /// New warnings since the last call.
  std::vector<std::string> takeWarnings();

 private:
  const scene::Scene& scene_;
  double display(std::size_t probe, const formula::Input& in);

  std::vector<double> values_, rates_;
  std::vector<char> warned_;  // per probe
  std::vector<std::string> warnings_;
};

}  // namespace tendril
