// Undamped motion of welded bodies by the midpoint rule: energy stays, free flight keeps momentum and angular momentum,
// and explicit steps come to the same motion.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/rods_shells/build_scene.h"
#include "engine/simulation/run_scene.h"
#include "rods_shells/model.h"

namespace tendril::test {
namespace energy_kept_welds_test {

const char* const flight =
    R"J("materials": {"m": {"youngs": 1e6, "poisson": 0.3, "density": 1000}}, "rods": {"rod": {"section": {"rectangle": {"width": 0.004, "height": 0.003}},
    "segments": 6, "path": {"line": {"from": [0,0,0], "to": [-0.03,-0.02,0.05]}}}}, "shells": {"plate": {"thickness": 1e-3, BENDING, "mesh": {"rectangle": {"corner": [0,0,0],
    "along": [0.06,0,0], "across": [0,0.04,0], "edge": 0.01, "pattern": "right-isosceles"}}}}, "joints": [{"weld": ["rod:first", "plate@[0,0,0]"]}],
    "initial": [{"of": "plate", "velocity": ["=2*z", "=-3*z+20*x", "=1200*x*y"]}, {"of": "rod", "velocity": ["=20*y", "=-20*x+10*z", 1]}])J";

const char* const star =
    R"J("materials": {"m": {"youngs": 2e6, "poisson": 0.4, "density": 1000}}, "defaults": {"rods": {"section": {"rectangle": {"width": 0.02, "height": 0.01}},
    "segments": 6}}, "rods": {"a": {"path": {"line": {"from": [0,0,0], "to": [0.2,0,0]}}, "natural": {"curvature": [3, -4], "twist": 6}},
    "b": {"path": {"line": {"from": [-0.1,0.2,0.05], "to": [0,0,0]}}}, "c": {"path": {"line": {"from": [-0.1,-0.1,-0.1], "to": [0.1,0.1,0.1]}}}},
    "joints": [{"weld": ["a:first", "b:last", "c:3"]}], "initial": [{"of": "*", "velocity": ["=4*y", "=-4*x+3*z", "=20*x*y"]}])J";

std::string scene(const std::string& body, const std::string& integrator, double dt, double duration) {
  return R"({"format": "tendril/1", )" + body +
         R"(, "probes": {"E": {"energy": "total"}, "K": {"energy": "kinetic"}}, "solver": {"integrator": ")" +
         integrator + R"(", "dt": )" + digits(dt) + R"(, "duration": )" + digits(duration) +
         R"(, "tolerance": 1e-10}})";
}

double worstEnergy(const std::string& text) {
  Simulation sim(text);
  const double start = column(sim, "E");
  double worst = 0, peak = start, least = column(sim, "K"), most = least;
  while (!sim.finished()) {
    sim.step();
    const double energy = column(sim, "E"), kinetic = column(sim, "K");
    worst = std::max(worst, std::abs(energy - start)), peak = std::max(peak, energy);
    least = std::min(least, kinetic), most = std::max(most, kinetic);
  }
  EXPECT_GT(most - least, 0.03 * peak) << "it should strain";
  return worst / peak;
}

TEST(EnergyKeptWelds, OfAPlateThatFliesWithARodAtItsCorner) {
  for (const char* bending : {R"("bending": "midedge")", R"("bending": "hinge")"}) {
    std::string body = flight;
    body.replace(body.find("BENDING"), 7, bending);
    for (const double dt : {1e-3, 4e-3})
      EXPECT_LT(worstEnergy(scene(body, "implicit-midpoint", dt, 0.4)), 1e-9) << bending << " at " << dt;
  }
}

TEST(EnergyKeptWelds, OfRodsThatMeetInAFrame) {
  for (const double dt : {1e-3, 5e-3}) EXPECT_LT(worstEnergy(scene(star, "implicit-midpoint", dt, 1)), 1e-8) << dt;
}

/// Momentum and angular momentum about the origin, of nodes, twists and frames.
std::pair<Vec3, Vec3> momenta(rods_shells::Model& model) {
  const rods_shells::Structure& s = model.system().structure();
  const VectorX &q = model.history().q, &v = model.history().v;
  Vec3 p = Vec3::Zero(), L = Vec3::Zero();
  for (std::size_t i = 0; i < s.nodes.size(); ++i) {
    const Vec3 m = s.mass[s.nodeDof[i]] * v.segment<3>(s.nodeDof[i]);
    p += m, L += (s.nodes[i] + q.segment<3>(s.nodeDof[i])).cross(m);
  }
  for (const rods_shells::Weld& w : s.welds) L += s.mass[w.turn] * v.segment<3>(w.turn);
  for (std::size_t i = 0; i < s.edges.size(); ++i)
    L += s.mass[s.edges[i].theta] * v[s.edges[i].theta] * model.system().elasticity().frames().edges[i].t;
  return {p, L};
}

TEST(EnergyKeptWelds, MomentumStaysAndAngularMomentumToTheToleranceWhereStepsResolveTheMotion) {
  // Thin, so that twists have next to no inertia: that is carried along without a gyroscopic moment.
  std::string body = star;
  const std::string section = R"({"rectangle": {"width": 0.02, "height": 0.01}})";
  body.replace(
      body.find(section), section.size(),
      R"({"stiffness": {"EA": 400, "EI1": 0.003, "EI2": 0.006, "GJ": 0.004}, "massPerLength": 0.2, "radius": 1e-5})");
  const std::string natural = R"(, "natural": {"curvature": [3, -4], "twist": 6})";
  body.erase(body.find(natural), natural.size());
  const auto worst = [&](double dt) {
    const scene::Scene scene = loaded(energy_kept_welds_test::scene(body, "implicit-midpoint", dt, 0.02));
    const world::World world(scene);
    rods_shells::Model model(world);
    std::vector<double> columns(scene.columns.size() + 1, 0.0);
    model.begin(columns.data());
    const auto start = momenta(model);
    double angular = 0;
    for (long step = 0; step < std::lround(0.02 / dt); ++step) {
      model::StepRequest request;
      request.t0 = double(step) * dt, request.dt = dt, request.columns = columns.data(), request.smooth = true;
      EXPECT_TRUE(model.step(request, {}).accepted);
      const auto now = momenta(model);
      EXPECT_LT((now.first - start.first).norm(), 1e-9 * start.second.norm() / 0.1);
      angular = std::max(angular, (now.second - start.second).norm() / start.second.norm());
    }
    return angular;
  };
  EXPECT_LT(worst(1e-4), 1e-8);
}

TEST(EnergyKeptWelds, ExplicitStepsOfWeldsComeToTheSameMotion) {
  std::string body = flight;
  body.replace(body.find("BENDING"), 7, R"("bending": "hinge")");
  for (const std::string& one : {body, std::string(star)}) {
    const auto end = [&](const std::string& integrator, double dt) {
      Simulation sim(scene(one, integrator, dt, 2e-3));
      runToEnd(sim);
      return allNodes(sim);
    };
    const auto a = end("verlet", 1e-6), b = end("implicit-midpoint", 1e-5);
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
    EXPECT_LT(most, 1e-6);
  }
}

}  // namespace energy_kept_welds_test
}  // namespace tendril::test
