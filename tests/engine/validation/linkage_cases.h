// Linkages for the validation tests: a scene's strain model with its system, static states, matrices by differences,
// and the reference numbers, which lie in a folder beside the project.
#pragma once

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <variant>
#include <vector>

#include "engine/reference_files.h"
#include "links/model.h"
#include "scene/load/load.h"

namespace tendril::test {

/// A scene of linkages only, as its model.
struct LinkageCase {
  std::unique_ptr<scene::Scene> scene;
  std::unique_ptr<world::World> world;
  std::unique_ptr<links::Model> model;
  std::vector<double> columns;

  explicit LinkageCase(const std::string& text, const std::map<std::string, double>& parameters = {}) {
    auto result = scene::loadScene(text, {parameters});
    if (const auto* problems = std::get_if<Problems>(&result)) {
      throw std::runtime_error(problems->front().pointer + ": " + problems->front().message);
    }
    scene = std::make_unique<scene::Scene>(std::move(std::get<scene::Scene>(result)));
    world = std::make_unique<world::World>(*scene);
    model = std::make_unique<links::Model>(*world);
    columns.assign(scene->columns.size() + scene->states.size(), 0.0);
  }
  links::System& system() { return model->system(); }
  int size() { return system().size(); }
  const VectorX& q() const { return model->history().q; }

  /// Statics in even load steps; the coordinates.
  const VectorX& settle(int steps) {
    for (int i = 1; i <= steps; ++i) {
      const model::StepReport report =
          model->settle({scene->solver.duration, static_cast<double>(i) / steps, columns.data(), false}, {});
      EXPECT_TRUE(report.accepted) << report.reason << " at load step " << i;
    }
    return q();
  }
  /// Steps of the scene's dt.
  void run(int steps) {
    for (int i = 0; i < steps; ++i) {
      const double dt = scene->solver.dt;
      const model::StepReport report = model->step({steps_++ * dt, dt, columns.data(), true}, {});
      ASSERT_TRUE(report.accepted) << report.reason << " in step " << steps_;
    }
  }
  /// Of the tip of a link at q.
  geometry::Pose tip(int link, const VectorX& q) {
    system().place(q, VectorX::Zero(size()));
    return system().chain().frames()[static_cast<std::size_t>(model->structure().at({0, link, 1}).tip)].pose;
  }
  VectorX residual(const VectorX& q, const VectorX& v, const VectorX& a) {
    VectorX r;
    EXPECT_TRUE(system().evaluate({q, v, a}, {}, solve::Level::residual, r).valid);
    return r;
  }
  VectorX residual(const VectorX& q) { return residual(q, VectorX::Zero(size()), VectorX::Zero(size())); }

 private:
  int steps_ = 0;
};

inline VectorX randomState(std::mt19937& random, int n, double size) {
  std::uniform_real_distribution<double> uniform(-size, size);
  VectorX x(n);
  for (int i = 0; i < n; ++i) x[i] = uniform(random);
  return x;
}

/// Gradient of a function of the coordinates, by differences of order four.
template <class Function>
VectorX gradientOf(const VectorX& q, const Function& f, double h = 1e-4) {
  VectorX out(q.size());
  for (int i = 0; i < q.size(); ++i) {
    const auto at = [&](double d) {
      VectorX x = q;
      x[i] += d;
      return static_cast<double>(f(x));
    };
    out[i] = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
  }
  return out;
}

/// A file of reference numbers.
inline nlohmann::json linkageReference(const std::string& name) {
  std::ifstream file = referenceFile("sorosim/" + name + ".json");
  return nlohmann::json::parse(file);
}

inline Vec3 vectorOf(const nlohmann::json& list) {
  return Vec3(list.at(0).get<double>(), list.at(1).get<double>(), list.at(2).get<double>());
}

/// Largest difference between coordinates and a list of numbers of the same length.
inline double coordinateDistance(const VectorX& q, const nlohmann::json& list) {
  EXPECT_EQ(static_cast<std::size_t>(q.size()), list.size());
  double worst = 0;
  for (int i = 0; i < q.size(); ++i)
    worst = std::max(worst, std::abs(q[i] - list.at(static_cast<std::size_t>(i)).get<double>()));
  return worst;
}

/// The tapered rod of the free-fall example: a scene with `more` behind it.
inline std::string taperedRod(const std::string& strains, const std::string& more, double damping = 1e4, int points = 5,
                              int magnus = 4) {
  return R"({"format": "tendril/1", "materials": {"rubber": {"youngs": 1e6, "poisson": 0.5, "density": 1000, "damping": )" +
         std::to_string(damping) +
         R"(}}, "linkages": {"arm": {"links": {"limb": {"body": {"soft": {"length": 0.5, "section": {"circle": {"radius": "=0.02 - 0.01*u"}},
         "strains": )" +
         strains + R"(, "points": )" + std::to_string(points) + ", \"magnus\": " + std::to_string(magnus) + "}}}}}}, " +
         more + "}";
}
constexpr const char* cubic = R"({"twist": 3, "bendY": 3, "bendZ": 3})";
constexpr const char* allModes = R"({"twist": 3, "bendY": 3, "bendZ": 3, "stretch": 1, "shearY": 1, "shearZ": 1})";

}  // namespace tendril::test
