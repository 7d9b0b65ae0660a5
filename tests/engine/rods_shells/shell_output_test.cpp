// What goes into and comes out of shells besides forces: actuation, angles, live parameters, saves, drawings, explicit
// integrators.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/rods_shells/shell_scenes.h"
#include "simulation/inside.h"

namespace tendril::test {
namespace shell_output_test {

const char* const hinge = R"J("bending": "hinge")J";
const char* const midedge = R"J("bending": "midedge")J";

std::string scene(const std::string& model, const std::string& mesh, const std::string& rest, double damping = 0) {
  return R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e5, "poisson": 0.3, "density": 1000, "damping": )J" +
         number(damping) + R"J(}}, "shells": {"s": {"thickness": 0.01, )J" + model + ", \"mesh\": " + mesh + "}}, " +
         rest + "}";
}
const char* const rectangle =
    R"J({"rectangle": {"corner": [0,0,0], "along": [0.4,0,0], "across": [0,0.3,0], "edge": 0.1}})J";

TEST(ShellOutput, ActuationCountsHingesByTheirPlaces) {
  Built b(scene(
      midedge, rectangle,
      R"J("actuation": [{"shell": {"of": "s", "where": "x < 0.31"}, "angle": "=0.01*i + 10*n + 1e4*x + 100*t"}])J"));
  VectorX q = VectorX::Zero(b.structure().size);
  b.prepare(2, q);
  std::vector<std::array<double, 4>> hinges;  // y, x, z, natural angle
  int others = 0;
  for (const rods_shells::ShellEdge& e : b.structure().shell.edges) {
    const Vec3 a = b.structure().nodes[e.a], c = b.structure().nodes[e.b], m = 0.5 * (a + c);
    if (e.isBorder() || a.x() > 0.31 || c.x() > 0.31) {
      EXPECT_EQ(e.natural, 0);
      others += !e.isBorder();
    } else {
      hinges.push_back({std::round(m.y() * 1e6), std::round(m.x() * 1e6), m.z(), e.natural});
    }
  }
  std::sort(hinges.begin(), hinges.end());
  const double n = static_cast<double>(hinges.size());
  ASSERT_GT(n, 10);
  EXPECT_GT(others, 0);
  for (std::size_t i = 0; i < hinges.size(); ++i) {
    EXPECT_NEAR(hinges[i][3], 0.01 * static_cast<double>(i) + 10 * n + 1e-2 * hinges[i][1] + 200, 1e-3) << i;
  }
}

// Two triangles with their normals up: a positive angle lifts their tips.
TEST(ShellOutput, APositiveAngleFoldsTowardTheNormals) {
  const std::string mesh = meshText({{0, -0.5, 0}, {0, 0.5, 0}, {-0.8, 0, 0}, {0.8, 0, 0}}, {{0, 1, 2}, {1, 0, 3}});
  for (const char* model : {hinge, midedge}) {
    for (const double angle : {0.7, -1.9}) {
      SceneRun run(scene(model, mesh, R"J("actuation": [{"shell": "s:0..1", "angle": )J" + number(angle) + R"J(}],
        "constraints": [{"fix": "s:0..1"}], "solver": {"mode": "static", "loadSteps": 4}, "probes": {"a": {"angle": "s"}, "l": {"position": "s:2"}, "r": {"position": "s:3"}, "e": {"energy": "hinge"}})J"));
      run.toEnd();
      EXPECT_NEAR(run["a"], angle, 1e-6);
      EXPECT_NEAR(run["e"], 0, 1e-10);
      // The free triangles share the fold in some way; the angle between their arms is pi - |angle|.
      const Vec3 l = Vec3(run["l.x"], 0, run["l.z"]).normalized(), r = Vec3(run["r.x"], 0, run["r.z"]).normalized();
      EXPECT_NEAR(std::acos(l.dot(r)), pi - std::abs(angle), 1e-6);
      EXPECT_GT((l + r).z() * angle, 0) << "normals point up, so do the tips for a positive angle";
    }
  }
}

// A seam's own edges are hinges of neither shell; only the selected shell's hinges turn.
TEST(ShellOutput, OnlyTheNamedShellsHingesAreActuated) {
  const std::string text =
      R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "poisson": 0.3, "density": 1200}},
    "shells": {
      "a": {"thickness": 1e-3, "mesh": {"points": [[0,0,0],[1,0,0],[0,1,0],[1,1,0]], "triangles": [[0,1,2],[1,3,2]]}},
      "b": {"thickness": 1e-3, "mesh": {"points": [[1,0,0],[0,1,0],[0,0,1],[1,1,1]], "triangles": [[0,1,2],[1,0,3]]}}},
    "joints": [{"weld": ["a:1", "b:0"]}, {"weld": ["a:2", "b:1"]}],
    "actuation": [{"shell": "a:1..2", "angle": 0.3}], "probes": {"both": {"angle": "b:0..1"}}})J";
  Built b(text);
  VectorX q = VectorX::Zero(b.structure().size);
  b.prepare(0, q);
  int turned = 0;
  for (const rods_shells::ShellEdge& e : b.structure().shell.edges) {
    if (e.isBorder()) continue;
    EXPECT_EQ(e.natural == 0.3, e.shell == 0);
    turned += e.natural == 0.3;
  }
  EXPECT_EQ(turned, 1);
  EXPECT_EQ(rods_shells::planProbe(b.structure(), b.scene.probes[0]).hinges.size(), 1u);
}

// A mid-edge shell with a rod, damped, a clamp that catches on the way and lets go, drag, actuation, midpoint.
std::string rich(const std::string& model, const std::string& integrator) {
  return R"J({"format": "tendril/1", "parameters": {"E": {"value": 1e5, "min": 1e4, "max": 1e6}, "h": {"value": 0.01, "min": 1e-3, "max": 0.1}},
    "materials": {"m": {"youngs": "=E", "poisson": 0.3, "density": 1000, "damping": 50}},
    "shells": {"s": {"thickness": "=h", )J" +
         model + ", \"mesh\": " + rectangle + R"J(}},
    "rods": {"r": {"section": {"circle": {"radius": 6e-3}}, "segments": 3, "path": {"line": {"from": [0.4,0.1,0], "to": [0.6,0.1,0.1]}}}},
    "joints": [{"weld": ["r:first", "s@[0.4,0.1,0]"]}],
    "constraints": [{"clamp": {"of": "s", "where": "x < 0.01"}}, {"clamp": {"of": "s", "where": "x > 0.15 && x < 0.26"}, "from": 0.05, "before": "free", "until": 0.25, "then": "release"}],
    "environment": {"gravity": [0,0,-9.81], "drag": 1, "fluid": {"density": 5, "velocity": [0,1,0]}},
    "actuation": [{"shell": "s", "angle": "=0.1*sin(20*t)"}],
    "solver": {"dt": 0.01, "duration": 0.4, "integrator": ")J" +
         integrator + R"J("},
    "probes": {"tip": {"position": "r:last"}, "e": {"energy": "total"}, "a": {"angle": "s", "reduce": "max"}, "pull": {"reaction": {"of": "s", "where": "x < 0.01"}}}})J";
}

TEST(ShellOutput, ARestoredRunContinuesBitForBit) {
  for (const char* model : {hinge, midedge}) {
    for (const char* integrator : {"implicit-midpoint", "bdf2"}) {
      for (const int steps : {3, 12, 26}) {
        SCOPED_TRACE(std::string(model) + ", " + integrator + ", " + std::to_string(steps));
        SceneRun run(rich(model, integrator));
        for (int k = 0; k < steps; ++k) run.sim.step();
        const auto bytes = run.sim.save();
        SceneRun again(rich(model, integrator));
        again.sim.advance(0.1);  // elsewhere, with other supports
        again.sim.restore(bytes);
        const Snapshot a = run.sim.snapshot(), b = again.sim.snapshot();
        EXPECT_EQ(a.positions, b.positions);
        EXPECT_EQ(a.directors, b.directors);
        run.toEnd(), again.toEnd();
        const auto left = run.sim.bodies(), right = again.sim.bodies();
        for (std::size_t i = 0; i < left.size(); ++i) {
          EXPECT_EQ(left[i].nodes, right[i].nodes);
          EXPECT_EQ(left[i].velocity, right[i].velocity);
        }
        for (std::size_t i = 0; i < run.sim.columns().size(); ++i) {
          EXPECT_EQ(run.sim.values()[i], again.sim.values()[i]) << run.sim.columns()[i];
        }
      }
    }
  }
}

TEST(ShellOutput, ResetStartsAgain) {
  SceneRun run(rich(midedge, "implicit-euler"));
  run.toEnd();
  const double z = run["tip.z"], e = run["e"];
  run.sim.reset();
  EXPECT_EQ(run.sim.time(), 0);
  run.toEnd();
  EXPECT_EQ(run["tip.z"], z);
  EXPECT_EQ(run["e"], e);
}

TEST(ShellOutput, ThicknessAndYoungsModulusActWhileRunning) {
  for (const char* model : {hinge, midedge}) {
    const std::string text =
        R"J({"format": "tendril/1", "parameters": {"E": {"value": 1e6, "min": 1e4, "max": 1e9}, "h": {"value": 0.01, "min": 1e-3, "max": 0.1}},
      "materials": {"m": {"youngs": "=E", "poisson": 0.3, "density": 1000}},
      "shells": {"s": {"thickness": "=h", )J" +
        std::string(model) + ", \"mesh\": " + rectangle + R"J(}},
      "constraints": [{"clamp": {"of": "s", "where": "x < 0.01"}}], "environment": {"gravity": [0,0,-0.02], "viscous": 5},
      "solver": {"dt": 0.05, "duration": 100}, "probes": {"tip": {"position": {"of": "s", "where": "x > 0.39"}}, "pull": {"reaction": {"of": "s", "where": "x < 0.01"}}}})J";
    SceneRun run(text);
    run.sim.advance(20);
    const double before = run["tip.z"];
    EXPECT_NEAR(run["pull.z"], 1000 * 0.01 * 0.12 * 0.02, 1e-5);
    EXPECT_TRUE(run.sim.set("E", 1e7));
    EXPECT_GT(run.sim.time(), 19);
    run.sim.advance(20);
    EXPECT_NEAR(run["tip.z"] / before, 0.1, 0.02);
    // Twice as thick: twice the weight, eight times the stiffness.
    const double stiff = run["tip.z"];
    const auto revision = run.sim.drawing().revision;
    EXPECT_TRUE(run.sim.set("h", 0.02));
    EXPECT_EQ(run.sim.drawing().halfAxes[0], 0.01f);
    EXPECT_EQ(run.sim.drawing().revision, revision + 1) << "the page sees that the drawing is another";
    run.sim.advance(20);
    EXPECT_NEAR(run["pull.z"], 1000 * 0.02 * 0.12 * 0.02, 1e-5);
    EXPECT_NEAR(run["tip.z"] / stiff, 0.25, 0.01);
  }
}

TEST(ShellOutput, TheDrawingHasTrianglesUnitNormalsAndFiniteFields) {
  SceneRun run(rich(midedge, "implicit-midpoint"));
  const Drawing& drawing = run.sim.drawing();
  ASSERT_EQ(drawing.parts.size(), 2u);
  EXPECT_EQ(drawing.parts[0].kind, "rod");
  EXPECT_EQ(drawing.parts[1].kind, "shell");
  const std::size_t first = 4, count = static_cast<std::size_t>(drawing.parts[1].pointCount);
  EXPECT_EQ(drawing.parts[1].firstPoint, 4);
  ASSERT_EQ(drawing.triangles.size(), 3 * sceneOf(run.sim).shells[0].triangles.size());
  std::vector<char> used(first + count, 0);
  for (const auto corner : drawing.triangles) {
    ASSERT_GE(corner, first);
    ASSERT_LT(corner, first + count);
    used[corner] = 1;
  }
  EXPECT_EQ(std::count(used.begin(), used.end(), 1), static_cast<std::ptrdiff_t>(count));
  EXPECT_EQ(drawing.halfAxes[2 * first], 0.005f);
  for (int k = 0; k < 12; ++k) run.sim.step();
  const Snapshot& s = run.sim.snapshot();
  ASSERT_EQ(s.positions.size(), 3 * (first + count));
  ASSERT_EQ(s.curvature.size(), first + count);
  double most = 0;
  for (std::size_t i = 0; i < first + count; ++i) {
    const Eigen::Vector3f d(s.directors[3 * i], s.directors[3 * i + 1], s.directors[3 * i + 2]);
    EXPECT_NEAR(d.norm(), 1, 1e-5);
    EXPECT_TRUE(std::isfinite(s.curvature[i]) && std::isfinite(s.strain[i]) && std::isfinite(s.energy[i]));
    EXPECT_GE(s.curvature[i], 0);
    EXPECT_GE(s.energy[i], 0);
    if (i >= first) {
      EXPECT_GT(d.z(), 0);
      most = std::max<double>(most, s.energy[i]);
    }
  }
  EXPECT_GT(most, 0);
}

// A sheet bent into a cylinder of 1 m radius, isometric to its flat rest state: every inner vertex sees 1 / r.
TEST(ShellOutput, CurvatureAndBendingEnergyOfACylinder) {
  const std::string mesh =
      gridMesh(16, 8, [](int i, int j) { return Vec3(0.05 * j, std::sin(0.05 * i), std::cos(0.05 * i)); });
  for (const char* model : {midedge}) {
    SceneRun run(scene(
        std::string(model) + R"J(, "natural": "flat")J", mesh,
        R"J("constraints": [{"fix": "s"}], "probes": {"e": {"energy": "hinge"}}, "solver": {"mode": "static"})J"));
    run.toEnd();
    const double rigidity = 1e5 * 1e-6 / (12 * (1 - 0.09));
    const auto body = run.sim.bodies()[0];
    for (int j = 2; j <= 6; ++j) {
      for (int i = 2; i <= 14; ++i) {
        EXPECT_NEAR(body.curvature[17 * j + i], 1, 0.05);
        EXPECT_NEAR(body.energy[17 * j + i] / (0.5 * rigidity), 1, 0.1);
      }
    }
  }
}

TEST(ShellOutput, ExplicitIntegratorsStepHingeShellsStablyAndRefuseMore) {
  for (const char* integrator : {"verlet", "symplectic-euler"}) {
    const auto text = [&](double dt) {
      return scene(
          hinge, rectangle,
          R"J("environment": {"gravity": [0,0,-3]}, "constraints": [{"clamp": {"of": "s", "where": "x < 0.01"}}],
        "probes": {"e": {"energy": "total"}, "k": {"energy": "kinetic"}}, "solver": {"duration": 0.5, "dt": )J" +
              number(dt) + R"J(, "integrator": ")J" + integrator + "\"}");
    };
    const scene::Scene probe = loaded(text(1e-5));
    const world::World world(probe);
    rods_shells::Model model(world);
    const double limit = model.stableStep();
    EXPECT_GT(limit, 1e-5);
    EXPECT_LT(limit, 1e-1);
    EXPECT_THROW(SceneRun(text(1.1 * limit)), BadScene);
    SceneRun run(text(0.6 * limit));
    double worst = 0, kinetic = 0;
    const double start = run["e"];
    while (!run.sim.finished()) {
      run.sim.step();
      worst = std::max(worst, std::abs(run["e"] - start)), kinetic = std::max(kinetic, run["k"]);
    }
    EXPECT_GT(kinetic, 1e-3);
    EXPECT_LT(worst, 0.05 * kinetic) << integrator;
  }
}

}  // namespace shell_output_test
}  // namespace tendril::test
