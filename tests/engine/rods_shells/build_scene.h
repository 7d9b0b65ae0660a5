// Scenes as text for the tests of rods_shells/: loaded, built, or solved.
#pragma once

#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "rods_shells/model.h"
#include "scene/load/load.h"
#include "tendril/simulation.h"

namespace tendril::test {

/// The scene of a text; throws with the first problem.
inline scene::Scene loaded(const std::string& text) {
  auto result = scene::loadScene(text);
  if (auto* problems = std::get_if<Problems>(&result)) {
    throw std::runtime_error(problems->front().pointer + ": " + problems->front().message);
  }
  return std::move(std::get<scene::Scene>(result));
}

/// A scene with its mechanical system.
struct Built {
  scene::Scene scene;
  world::World world;
  std::unique_ptr<rods_shells::System> system;
  std::vector<double> columns;

  explicit Built(const std::string& text)
      : scene(loaded(text)), world(scene), system(std::make_unique<rods_shells::System>(world)) {
    columns.assign(scene.columns.size() + scene.states.size() + 1, 0.0);
  }
  const rods_shells::Structure& structure() const { return system->structure(); }
  /// Everything as at time t; prescribed values go into q.
  void prepare(double t, VectorX& q) {
    scene::Instant instant;
    instant.t = instant.middle = t;
    instant.columns = columns.data();
    const VectorX before = q;
    system->prepare(instant, instant, t, before, false, q);
  }
};

/// A simulation with its columns by name.
struct SceneRun {
  Simulation sim;
  Progress progress;

  explicit SceneRun(const std::string& text, const std::map<std::string, double>& parameters = {})
      : sim(text, parameters) {}
  SceneRun& toEnd() {
    progress = sim.advance(2 * sim.duration());
    if (!sim.finished()) throw std::runtime_error("the scene did not come to its end");
    return *this;
  }
  double operator[](const std::string& name) const {
    for (std::size_t i = 0; i < sim.columns().size(); ++i) {
      if (sim.columns()[i] == name) return sim.values()[i];
    }
    throw std::runtime_error("no column " + name);
  }
};

}  // namespace tendril::test
