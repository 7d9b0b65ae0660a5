// Momentum of what floats freely, which the midpoint rule keeps where nothing twists. (What twists in space keeps angular
// momentum but for the inertia of twist and to second order, once twist is resolved: DynamicsInvariance has that.)
#include <cmath>

#include "discrete/model.h"
#include "law.h"
#include "scene/load.h"

namespace tendril::properties {
namespace {

struct Momenta {
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
  double scale = 0;  // sum of m |x| |v|
};

/// About the first place of the centre of mass, twist of rods included.
Momenta momentaOf(DiscreteModel& model) {
  const Structure& s = model.system().structure();
  const VectorX &q = model.history().q, &v = model.history().v;
  Vec3 centre = Vec3::Zero();
  double mass = 0;
  for (std::size_t i = 0; i < s.nodes.size(); ++i) centre += s.mass[s.nodeDof[i]] * s.nodes[i], mass += s.mass[s.nodeDof[i]];
  centre /= mass;
  Momenta out;
  for (std::size_t i = 0; i < s.nodes.size(); ++i) {
    const Vec3 x = s.nodes[i] + q.segment<3>(s.nodeDof[i]) - centre, p = s.mass[s.nodeDof[i]] * v.segment<3>(s.nodeDof[i]);
    out.linear += p, out.angular += x.cross(p), out.scale += x.norm() * p.norm();
  }
  for (const Edge& e : s.edges) {
    const Vec3 along = e.initial + q.segment<3>(s.nodeDof[e.b]) - q.segment<3>(s.nodeDof[e.a]);
    out.angular += s.mass[e.theta] * v[e.theta] * along.normalized();
  }
  return out;
}

/// Rods, pinned nets and sheets that fly apart and turn, each point with its own velocity; rods in a plane.
std::string thrown(unsigned seed, const Telling& telling) {
  Asked asked;
  asked.isFree = true, asked.touching = false;
  Telling t = telling;
  t.integrator = "implicit-midpoint";
  // A weld's frame has an inertia of its own, which is not summed here.
  for (const char* f : {"force", "moment", "follower", "weight", "weld", "initial"}) t.without.insert(f);
  Json scene = Json::parse(continuum(seed, t, asked));
  Draw draw(seed + 21);
  const double speed = draw.uniform(0.05, 0.3);
  const auto wave = [&](const char* along, double scale) {
    std::string out = "=" + test::digits(speed * draw.uniform(-1, 1));
    for (int k = 1; k <= 2; ++k) out += "+" + test::digits(speed * draw.uniform(-1, 1)) + "*sin(" + test::digits(k * scale) + "*" + along + ")";
    return out;
  };
  for (auto& [name, rod] : scene["rods"].items()) {
    const Json x = wave("u", 3), y = wave("u", 3);
    for (Json& p : rod["path"]["points"]) p[2] = 0.0;
    rod["frame"] = {0, 0, 1};
    scene["initial"].push_back({{"of", name}, {"velocity", {x, y, 0.0}}});
  }
  if (scene.contains("shells")) scene["initial"].push_back({{"of", "skin"}, {"velocity", {wave("y", 10), wave("x", 10), wave("x", 10)}}});
  return scene.dump();
}

struct Drift {
  bool refused = false;
  double linear = 0, angular = 0;  // the largest, of the start's
};

Drift driftOf(const std::string& text) {
  auto result = loadScene(text, {});
  const Scene& scene = std::get<Scene>(result);
  DiscreteModel model(scene);
  const Momenta start = momentaOf(model);
  const double dt = scene.solver.dt;
  Drift out;
  for (int k = 0; k < std::lround(scene.solver.duration / dt); ++k) {
    StepRequest request;
    request.t0 = k * dt, request.dt = dt;
    out.refused = !model.step(request, {}).accepted;
    if (out.refused) return out;
    const Momenta now = momentaOf(model);
    out.angular = std::max(out.angular, (now.angular - start.angular).norm() / start.scale);
    out.linear = std::max(out.linear, (now.linear - start.linear).norm() / start.linear.norm());
  }
  return out;
}

TEST(Properties, WhatNeitherTwistsNorRubsKeepsItsAngularMomentum) {
  hold("angular momentum", 40, [](unsigned seed, const std::set<std::string>& without) -> std::string {
    Telling t;
    t.without = without;
    const Drift drift = driftOf(thrown(seed, t));
    if (drift.refused) return "skip";
    if (drift.linear > 1e-9) return "momentum drifts by " + number(drift.linear);
    return drift.angular < 1e-9 ? "" : "drifts by " + number(drift.angular);
  }, [](unsigned seed, const Telling& t) { return thrown(seed, t); });
}

}  // namespace
}  // namespace tendril::properties
