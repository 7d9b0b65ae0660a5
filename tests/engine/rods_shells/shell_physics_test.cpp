// Shells against sums by hand: masses, weights, loads on areas and edges, pressure, drag, buoyancy, viscous media.
#include <gtest/gtest.h>

#include "engine/rods_shells/shell_scenes.h"

namespace tendril::test {
namespace shell_physics_test {

// A plate of 0.4 m x 0.2 m and 2 mm at height 0.3 m, 1200 kg/m^3; `models` completes the shell, `rest` the scene.
std::string plate(const std::string& models, const std::string& rest, const std::string& mesh = {}) {
  const std::string rectangle =
      R"J({"rectangle": {"corner": [0,0,0.3], "along": [0.4,0,0], "across": [0,0.2,0], "edge": 0.07}})J";
  return R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "poisson": 0.3, "density": 1200}},
    "shells": {"s": {"thickness": 2e-3, )J" +
         models + ", \"mesh\": " + (mesh.empty() ? rectangle : mesh) + "}}, " + rest + "}";
}
const char* const hinge = R"J("bending": "hinge")J";
const char* const midedge = R"J("bending": "midedge")J";
constexpr double area = 0.4 * 0.2, mass = area * 2e-3 * 1200;

VectorX zeros(const Built& b) { return VectorX::Zero(b.structure().size); }

// Sum over nodes of a vector's displacement parts.
Vec3 sum(const rods_shells::Structure& s, const VectorX& v) {
  Vec3 out = Vec3::Zero();
  for (int d : s.nodeDof) out += v.segment<3>(d);
  return out;
}

TEST(ShellPhysics, MassIsDensityTimesThicknessTimesArea) {
  for (const char* model : {hinge, midedge}) {
    const Built b(plate(model, R"J("probes": {})J"));
    EXPECT_LT((sum(b.structure(), b.structure().mass) - mass * Vec3::Ones()).norm(), 1e-14);
    EXPECT_LT((sum(b.structure(), b.structure().displaced) - 2e-3 * area * Vec3::Ones()).norm(), 1e-16);
    EXPECT_NEAR(b.structure().mass.sum(), 3 * mass, 1e-14);  // turns of normals have none
  }
}

TEST(ShellPhysics, GravityEnergyIsWeightTimesHeight) {
  SceneRun run(
      plate(midedge, R"J("environment": {"gravity": [0,0,-9.81]}, "loads": [{"mass": 0.1, "at": "s@[0,0,0.3]"}],
    "probes": {"all": {"energy": "gravity"}, "own": {"energy": "gravity", "of": "s"}})J"));
  EXPECT_NEAR(run["all"], (mass + 0.1) * 9.81 * 0.3, 1e-12);
  EXPECT_NEAR(run["own"], (mass + 0.1) * 9.81 * 0.3, 1e-12) << "a load's mass belongs to the body it is put on";
}

TEST(ShellPhysics, ASharedForceIsDividedByArea) {
  Built b(
      plate(midedge, R"J("loads": [{"force": [0, 3, 10], "share": true, "at": {"of": "s", "where": "x < 0.21"}}])J"));
  VectorX q = zeros(b);
  b.prepare(0, q);
  const rods_shells::Structure& s = b.structure();
  const VectorX& dead = b.system->loads().dead();
  EXPECT_LT((sum(s, dead) - Vec3(0, 3, 10)).norm(), 1e-13);
  double selected = 0;
  for (std::size_t i = 0; i < s.nodes.size(); ++i) selected += s.nodes[i].x() < 0.21 ? s.shell.area[i] : 0;
  for (std::size_t i = 0; i < s.nodes.size(); ++i) {
    const double part = s.nodes[i].x() < 0.21 ? s.shell.area[i] / selected : 0;
    EXPECT_LT((dead.segment<3>(s.nodeDof[i]) - part * Vec3(0, 3, 10)).norm(), 1e-13);
  }
}

TEST(ShellPhysics, ALineLoadActsPerLengthOfTheSelectedEdges) {
  Built b(plate(midedge, R"J("loads": [{"line": [1, 0, 5], "on": {"of": "s", "where": "y < 0.001"}}])J"));
  VectorX q = zeros(b);
  b.prepare(0, q);
  EXPECT_LT((sum(b.structure(), b.system->loads().dead()) - 0.4 * Vec3(1, 0, 5)).norm(), 1e-13);
}

TEST(ShellPhysics, ASeamOfTwoShellsIsOneLine) {
  const std::string text =
      R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "poisson": 0.3, "density": 1200}},
    "shells": {
      "a": {"thickness": 1e-3, "mesh": {"points": [[0,0,0],[1,0,0],[0,1,0],[1,1,0]], "triangles": [[0,1,2],[1,3,2]]}},
      "b": {"thickness": 1e-3, "mesh": {"points": [[0,0,0],[1,0,0],[0,0,1],[1,0,1]], "triangles": [[0,1,2],[1,3,2]]}}},
    "joints": [{"weld": ["a:0", "b:0"]}, {"weld": ["a:1", "b:1"]}],
    "loads": [{"line": [0, 0, 2], "on": ")J";
  for (const char* body : {"a", "*"}) {
    Built b(text + body + "\"}]}");
    VectorX q = zeros(b);
    b.prepare(0, q);
    // Edges of either square: 4 + sqrt 2 m; the seam of 1 m counts once.
    const double length = (*body == 'a' ? 4 : 7) + (*body == 'a' ? 1 : 2) * std::sqrt(2.0);
    EXPECT_NEAR(sum(b.structure(), b.system->loads().dead()).z(), 2 * length, 1e-13) << body;
  }
}

TEST(ShellPhysics, PressureOnAClosedShellHasNoResultant) {
  ShellState s(plate(midedge, R"J("loads": [{"pressure": 1000, "on": "s"}])J", octahedron(0.3, 0.4, 0.5)), 1, 0.05);
  VectorX zero = zeros(Built(plate(midedge, R"J("probes": {})J", octahedron(0.3, 0.4, 0.5))));
  rods_shells::ForceBalance balance;
  s.system.balance(s.trial, zero, zero, 0, false, balance);
  const VectorX pressure = balance.residual - balance.elastic;  // minus the forces
  Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
  double size = 0, work = 0;
  for (std::size_t i = 0; i < s.structure().nodes.size(); ++i) {
    const Vec3 f = -pressure.segment<3>(s.structure().nodeDof[i]), x = s.place(s.trial, static_cast<int>(i));
    force += f, moment += x.cross(f), size += f.norm(), work += x.dot(f);
  }
  EXPECT_GT(size, 100);
  EXPECT_LT(force.norm(), 1e-12 * size);
  EXPECT_LT(moment.norm(), 1e-12 * size);
  EXPECT_GT(work, 0) << "positive pressure acts along the normals";
}

TEST(ShellPhysics, APressurisedSphereCarriesPrOver2h) {
  // r = 1 m, h = 10 mm, p = 10 Pa: strain p r (1 - nu) / (2 E h).
  const std::string text =
      R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "poisson": 0.3, "density": 1000}},
    "shells": {"s": {"thickness": 1e-2, "mesh": )J" +
      sphere(1, 3) + R"J(}},
    "constraints": [{"fix": "s:0", "axes": "yz"}, {"fix": "s:2", "axes": "xz"}, {"fix": "s:4", "axes": "xy"}],
    "loads": [{"pressure": 10, "on": "s"}], "solver": {"mode": "static"}, "probes": {"top": {"position": "s:4"}}})J";
  SceneRun run(text);
  run.toEnd();
  EXPECT_TRUE(run.progress.warnings.empty()) << run.progress.warnings.front();
  const double strain = 10 * 1 * 0.7 / (2 * 1e6 * 1e-2);
  double radius = 0, least = 1, most = -1;
  const auto body = run.sim.bodies()[0];
  const std::size_t n = body.nodes.size() / 3;
  for (std::size_t i = 0; i < n; ++i) {
    radius += Vec3(body.nodes[3 * i], body.nodes[3 * i + 1], body.nodes[3 * i + 2]).norm() / static_cast<double>(n);
    least = std::min(least, body.strain[i]), most = std::max(most, body.strain[i]);
  }
  EXPECT_NEAR((radius - 1) / strain, 1, 0.04);
  EXPECT_GT(least, 0.8 * strain);
  EXPECT_LT(most, 1.25 * strain);
}

TEST(ShellPhysics, PressureOfTheFirstSolveIsGoneWhenTheRunBegins) {
  SceneRun run(plate(midedge, R"J("constraints": [{"clamp": {"of": "s", "where": "x < 0.01"}}],
      "solver": {"dt": 0.01, "duration": 0.1, "start": "equilibrium", "with": [{"pressure": 0.01, "on": "s"}]},
      "probes": {"tip": {"position": {"of": "s", "where": "x > 0.39"}}, "v": {"velocity": {"of": "s", "where": "x > 0.39"}}})J"));
  // p L^4 / (8 D) of a wide plate is 0.0439 m, of a beam 0.0482 m; the strip is in between.
  EXPECT_GT(run["tip.z"] - 0.3, 0.04);
  EXPECT_LT(run["tip.z"] - 0.3, 0.05);
  run.toEnd();
  EXPECT_LT(run["v.z"], 0);
}

TEST(ShellPhysics, AFallingPlateReachesTheSpeedOfDrag) {
  for (const char* model : {hinge, midedge}) {
    SceneRun run(plate(model, R"J("environment": {"gravity": [0,0,-9.81], "drag": 1.2, "fluid": {"density": 1.3}},
      "solver": {"dt": 0.02, "duration": 8}, "probes": {"v": {"velocity": "s"}, "spread": {"speed": "s", "reduce": "max"}})J"));
    run.toEnd();
    const double speed = std::sqrt(2 * mass * 9.81 / (1.3 * 1.2 * area));
    EXPECT_NEAR(run["v.z"], -speed, 1e-6 * speed);
    EXPECT_NEAR(run["spread"], speed, 1e-6 * speed);
  }
}

TEST(ShellPhysics, AWindCarriesAPlateToItsOwnSpeed) {
  // Edge on it would not; face on, the relative speed falls as 1 / t.
  SceneRun run(plate(hinge, R"J("environment": {"drag": 2, "fluid": {"density": 10, "velocity": [3, 0, 4]}},
      "solver": {"dt": 0.02, "duration": 10, "integrator": "bdf2"}, "probes": {"v": {"velocity": "s"}})J"));
  run.toEnd();
  // u' = -c u^2 with c = rho Cd / (2 * mass per area).
  const double c = 10 * 2 / (2 * 2e-3 * 1200), left = 4 / (1 + 4 * c * 10);
  EXPECT_NEAR(run["v.z"], 4 - left, 0.03 * left);
  EXPECT_NEAR(run["v.x"], 0, 1e-12) << "along its plane a face has no drag";
}

TEST(ShellPhysics, AShellOfTheMediumsDensityFloats) {
  SceneRun run(plate(midedge, R"J("environment": {"gravity": [0,0,-9.81], "buoyancy": true, "fluid": {"density": 1200}},
      "solver": {"dt": 0.05, "duration": 1}, "probes": {"v": {"speed": "s", "reduce": "max"}, "e": {"energy": "gravity"}})J"));
  run.toEnd();
  EXPECT_LT(run["v"], 1e-12);
  EXPECT_NEAR(run["e"], 0, 1e-12);
}

TEST(ShellPhysics, AViscousMediumSlowsAShellAsABodyOfItsSize) {
  // Implicit Euler: v (1 + k dt)^-n toward the medium's velocity, k = eta sqrt(A) / m.
  SceneRun run(plate(hinge, R"J("environment": {"viscous": 0.5, "fluid": {"velocity": [0, 0, 1]}},
      "initial": [{"of": "s", "velocity": [2, 0, 0]}],
      "solver": {"dt": 0.05, "duration": 1, "tolerance": 1e-12}, "probes": {"v": {"velocity": "s"}, "most": {"velocity": "s", "reduce": "max"}})J"));
  run.toEnd();
  const double k = 0.5 * std::sqrt(area) / mass, left = std::pow(1 + 0.05 * k, -20);
  EXPECT_NEAR(run["v.x"], 2 * left, 1e-9);
  EXPECT_NEAR(run["most.x"], 2 * left, 1e-9);
  EXPECT_NEAR(run["v.z"], 1 - left, 1e-9);
}

TEST(ShellPhysics, AWeldOfARodAddsNeitherMassNorLengthInTheMedium) {
  const std::string rod = R"J("rods": {"r": {"section": {"circle": {"radius": 5e-3}}, "segments": 2,
      "path": {"line": {"from": [0.2,0,0.3], "to": [0.2,-0.2,0.3]}}}}, "environment": {"viscous": 2}, "probes": {})J";
  Built loose(plate(midedge, rod)),
      welded(plate(midedge, rod + R"J(, "joints": [{"weld": ["r:first", "s@[0.2,0,0.3]"]}])J"));
  ASSERT_EQ(welded.structure().edges.size(), 2u);
  ASSERT_EQ(welded.structure().ties.size(), 1u);
  VectorX q = zeros(loose), p = zeros(welded);
  loose.prepare(0, q), welded.prepare(0, p);
  const auto total = [](Built& b, const VectorX& v) { return sum(b.structure(), v); };
  EXPECT_LT((total(loose, loose.structure().mass) - total(welded, welded.structure().mass)).norm(), 1e-15);
  EXPECT_LT(
      (total(loose, loose.system->loads().viscosity()) - total(welded, welded.system->loads().viscosity())).norm(),
      1e-14);
}

TEST(ShellPhysics, EnergiesOfTheBodiesAddUpToTheTotal) {
  const std::string text =
      R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e5, "poisson": 0.3, "density": 1200, "damping": 100}},
    "rods": {"r": {"section": {"circle": {"radius": 5e-3}}, "segments": 3, "path": {"line": {"from": [0.2,0,0], "to": [0.2,-0.2,0]}}}},
    "shells": {"a": {"thickness": 2e-3, "mesh": {"rectangle": {"corner": [0,0,0], "along": [0.4,0,0], "across": [0,0.2,0], "edge": 0.1, "pattern": "right-isosceles"}}},
               "b": {"thickness": 3e-3, "bending": "hinge", "mesh": {"rectangle": {"corner": [0,0.2,0], "along": [0.4,0,0], "across": [0,0.2,0], "edge": 0.1, "pattern": "right-isosceles"}}}},
    "joints": [{"weld": ["r:first", "a@[0.2,0,0]"]}, {"weld": ["a@[0,0.2,0]", "b@[0,0.2,0]"]}, {"weld": ["a@[0.1,0.2,0]", "b@[0.1,0.2,0]"]}],
    "constraints": [{"clamp": {"of": "a", "where": "x < 0.01"}}],
    "environment": {"gravity": [0,0,-9.81], "buoyancy": true, "fluid": {"density": 200}},
    "solver": {"dt": 0.01, "duration": 0.2}, "loads": [{"mass": 0.05, "at": "a@[0.4,0.2,0]"}, {"mass": 0.02, "at": "r:last"}], "probes": {"place": {"position": "b"} )J";
  std::string probes;
  const char* const kinds[] = {"kinetic",  "gravity", "stretch", "bend", "twist",
                               "membrane", "hinge",   "elastic", "total"};
  for (const char* kind : kinds) {
    probes += std::string(", \"") + kind + R"J(_all": {"energy": ")J" + kind + "\"}";
    for (const char* body : {"r", "a", "b"}) {
      probes +=
          std::string(", \"") + kind + "_" + body + R"J(": {"energy": ")J" + kind + R"J(", "of": ")J" + body + "\"}";
    }
  }
  SceneRun run(text + probes + "}}");
  run.toEnd();
  for (const std::string kind : kinds) {
    const double all = run[kind + "_all"];
    EXPECT_NEAR(run[kind + "_r"] + run[kind + "_a"] + run[kind + "_b"], all, 1e-12 * std::abs(run["total_all"]) + 1e-15)
        << kind;
    EXPECT_NE(all, 0) << kind;
  }
  EXPECT_NEAR(run["total_all"], run["kinetic_all"] + run["gravity_all"] + run["elastic_all"], 1e-13);
  EXPECT_GT(run["hinge_a"] * run["hinge_b"] * run["membrane_a"] * run["membrane_b"], 0);
  EXPECT_EQ(run["bend_a"] + run["stretch_b"] + run["membrane_r"] + run["hinge_r"], 0);
}

}  // namespace shell_physics_test
}  // namespace tendril::test
