#include "simulation/columns.h"

#include <limits>

namespace tendril {

ProbeColumns::ProbeColumns(const scene::Scene& scene) : scene_(scene) {
  values_.assign(scene.columns.size(), 0.0);
  for (const scene::State& state : scene.states) values_.push_back(state.initial);
  warned_.assign(scene.probes.size(), 0);
}

// An invalid value that is only displayed does not end a run; one that the physics uses does.
double ProbeColumns::display(std::size_t probe, const formula::Input& in) {
  try {
    return scene_.probes[probe].formula(in);
  } catch (const formula::Failure& failure) {
    if (!warned_[probe]) {
      warnings_.push_back("probe \"" + scene_.probes[probe].name +
                          "\" has no value at some times (null in JSON, nan in CSV): " + failure.what());
    }
    warned_[probe] = 1;
    return std::numeric_limits<double>::quiet_NaN();
  }
}

std::vector<std::string> ProbeColumns::takeWarnings() { return std::exchange(warnings_, {}); }

void ProbeColumns::observe(model::Model& model, double t) {
  formula::Input in;
  in.t = t;
  in.parameters = scene_.values.data();
  in.columns = values_.data();
  for (int i : scene_.probeOrder) {
    const scene::Probe& probe = scene_.probes[i];
    if (probe.kind == scene::Probe::Kind::formula) {
      values_[probe.firstColumn] = display(static_cast<std::size_t>(i), in);
    } else {
      model.observe(i, {values_.data() + probe.firstColumn, static_cast<std::size_t>(probe.columnCount)});
    }
  }
}

void ProbeColumns::advanceStates(double t, double dt) {
  formula::Input in;
  in.t = t;
  in.parameters = scene_.values.data();
  in.columns = values_.data();
  rates_.clear();  // all rates see the values before any state moves
  for (const scene::State& state : scene_.states) rates_.push_back(state.rate(in));
  for (std::size_t i = 0; i < rates_.size(); ++i) values_[scene_.columns.size() + i] += dt * rates_[i];
}

}  // namespace tendril
