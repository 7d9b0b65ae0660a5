// Clamps on shells: what they carry, hold and turn, caught late, let go, inside and at borders, for hinges and mid-edge
// normals.
#include <gtest/gtest.h>

#include "engine/rods_shells/shell_scenes.h"

namespace tendril::test {
namespace shell_clamp_test {

const char* const hinge = R"J("bending": "hinge")J";
const char* const midedge = R"J("bending": "midedge")J";

// A strip of 1 m x 0.1 m x 20 mm along x, in 10 squares (or `squares`); nu = 0.
std::string strip(const std::string& model, const std::string& rest, int squares = 10, double damping = 0) {
  const std::string mesh = gridMesh(squares, 1, [&](int i, int j) { return Vec3(double(i) / squares, 0.1 * j, 0); });
  return R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "poisson": 0, "density": 1000, "damping": )J" +
         number(damping) + R"J(}}, "shells": {"s": {"thickness": 0.02, )J" + model + ", \"mesh\": " + mesh + "}}, " +
         rest + "}";
}
const std::string statics = R"J("solver": {"mode": "static", "loadSteps": 4, "tolerance": 1e-11})J";
const std::string weight = R"J("environment": {"gravity": [0.5, 0.2, -0.3]}, )J";
constexpr double EI = 1e6 * 0.1 * 8e-6 / 12;

TEST(ShellClamp, CarriesTheWeight) {
  for (const char* model : {hinge, midedge}) {
    SceneRun run(strip(model, weight + R"J("constraints": [{"clamp": {"of": "s", "where": "x < 0.01"}}],
      "probes": {"pull": {"reaction": {"of": "s", "where": "x < 0.01"}}, "tip": {"position": "s@[1,0,0]"}}, )J" +
                                  statics));
    run.toEnd();
    const double mass = 1000 * 0.02 * 0.1;
    EXPECT_LT(run["tip.z"], -0.05);
    EXPECT_NEAR(run["pull.x"], -0.5 * mass, 1e-7);
    EXPECT_NEAR(run["pull.y"], -0.2 * mass, 1e-7);
    EXPECT_NEAR(run["pull.z"], 0.3 * mass, 1e-7);
  }
}

TEST(ShellClamp, AMidedgeStripSagsAsABeam) {
  // q L^4 / (8 EI), and closer the finer the mesh.
  const double theory = 1000 * 0.02 * 0.1 * 1e-3 / (8 * EI);
  double error[2];
  for (int k = 0; k < 2; ++k) {
    SceneRun run(
        strip(midedge,
              R"J("environment": {"gravity": [0,0,-1e-3]}, "constraints": [{"clamp": {"of": "s", "where": "x < 1e-9"}}],
      "probes": {"tip": {"position": {"of": "s", "where": "x > 0.999"}}}, )J" +
                  statics,
              10 << k));
    error[k] = run.toEnd()["tip.z"] / -theory - 1;
  }
  EXPECT_LT(std::abs(error[0]), 0.03);
  EXPECT_LT(std::abs(error[1]), 0.012);
}

TEST(ShellClamp, AnInnerLineHoldsTwoCantilevers) {
  for (const char* model : {hinge, midedge}) {
    SCOPED_TRACE(model);
    SceneRun run(strip(
        model,
        R"J("environment": {"gravity": [0, 0, -0.5]}, "constraints": [{"clamp": {"of": "s", "where": "abs(x - 0.5) < 0.01"}}],
      "probes": {"left": {"position": {"of": "s", "where": "x < 0.01"}}, "right": {"position": {"of": "s", "where": "x > 0.99"}},
                 "pull": {"reaction": {"of": "s", "where": "abs(x - 0.5) < 0.01"}}}, )J" +
            statics));
    run.toEnd();
    EXPECT_LT(run["left.z"], -0.005);
    EXPECT_NEAR(run["left.z"], run["right.z"], 1e-9);
    EXPECT_NEAR(run["left.x"], 1 - run["right.x"], 1e-9);
    EXPECT_NEAR(run["pull.z"], 2 * 0.5, 1e-8);
    // The half alone.
    const std::string half = gridMesh(5, 1, [](int i, int j) { return Vec3(0.5 + 0.1 * i, 0.1 * j, 0); });
    SceneRun alone(R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "poisson": 0, "density": 1000}},
      "shells": {"s": {"thickness": 0.02, )J" +
                   std::string(model) + ", \"mesh\": " + half + R"J(}},
      "environment": {"gravity": [0, 0, -0.5]}, "constraints": [{"clamp": {"of": "s", "where": "x < 0.51"}}],
      "probes": {"tip": {"position": {"of": "s", "where": "x > 0.99"}}}, )J" +
                   statics + "}");
    alone.toEnd();
    EXPECT_NEAR(alone["tip.z"], run["right.z"], 0.02 * std::abs(run["right.z"]));  // the diagonals lie otherwise
  }
}

TEST(ShellClamp, TurnsAndMovesAnUnloadedShellAsARigidBody) {
  for (const char* model : {hinge, midedge}) {
    SceneRun run(strip(
        model, R"J("constraints": [{"clamp": {"of": "s", "where": "x < 0.01"}, "displacement": ["=0.2*t", 0, "=-0.1*t"],
      "rotation": [{"axis": [0,1,0], "angle": "=1.2*t"}, {"axis": [0,0,1], "angle": "=-0.7*t"}]}],
      "probes": {"e": {"energy": "elastic"}}, )J" +
                   statics));
    run.toEnd();
    const Mat3 R = (Eigen::AngleAxisd(-0.7, Vec3::UnitZ()) * Eigen::AngleAxisd(1.2, Vec3::UnitY())).toRotationMatrix();
    const Vec3 pivot(0, 0.05, 0);  // the middle of what is held
    const auto body = run.sim.bodies()[0];
    for (int i = 0; i <= 10; ++i) {
      for (int j = 0; j < 2; ++j) {
        const Vec3 expected = pivot + Vec3(0.2, 0, -0.1) + R * (Vec3(0.1 * i, 0.1 * j, 0) - pivot);
        EXPECT_LT((Eigen::Map<const Vec3>(&body.nodes[3 * (11 * j + i)]) - expected).norm(), 1e-7) << model << " " << i;
      }
    }
    EXPECT_LT(run["e"], 1e-10);
  }
}

// One end clamped, the other turned by a small angle a about its own place: energy (4 EI / L) a^2 / 2, end slope a.
TEST(ShellClamp, RotationBendsAStripAsItBendsABeam) {
  const double angle = 1e-3;
  for (const int squares : {10, 20}) {
    SceneRun run(strip(midedge,
                       R"J("constraints": [{"clamp": {"of": "s", "where": "x < 0.01"}},
      {"clamp": {"of": "s", "where": "x > 0.99"}, "rotation": {"axis": [0,1,0], "angle": 1e-3}}],
      "probes": {"e": {"energy": "hinge"}, "near": {"position": {"of": "s", "where": "abs(x - 0.9) < 0.01"}}, "mid": {"position": {"of": "s", "where": "abs(x - 0.5) < 0.01"}}}, )J" +
                           statics,
                       squares));
    run.toEnd();
    EXPECT_NEAR(run["e"] / (2 * EI * angle * angle), 1, 0.03);
    // w = a x^2 (L - x) / L^2 upwards: turning about +y lowers what lies ahead.
    EXPECT_NEAR(run["mid.z"] / (angle * 0.125), 1, 0.03);
    EXPECT_NEAR(run["near.z"] / (angle * 0.9 * 0.9 * 0.1), 1, squares == 10 ? 0.05 : 0.02);
  }
}

// Caught where it hangs in equilibrium, and let go again: nothing may move, with or without damping.
TEST(ShellClamp, CatchingAndReleasingAShellAtRestMovesNothing) {
  for (const char* model : {hinge, midedge}) {
    for (const char* integrator : {"implicit-euler", "implicit-midpoint", "bdf2"}) {
      for (const double damping : {0.0, 300.0}) {
        SCOPED_TRACE(std::string(model) + ", " + integrator + ", " + number(damping));
        SceneRun run(strip(
            model,
            R"J("environment": {"gravity": [0, 0.1, -0.3]}, "constraints": [{"clamp": {"of": "s", "where": "x < 0.01"}},
          {"clamp": {"of": "s", "where": "abs(x - 0.5) < 0.01"}, "from": 0.05, "before": "free", "until": 0.15, "then": "release"},
          {"clamp": {"of": "s", "where": "x > 0.79 && x < 0.91"}, "from": 0.03, "before": "free", "until": 0.12, "then": "release"}],
          "probes": {"tip": {"position": "s@[1,0,0]"}, "v": {"speed": "s", "reduce": "max"}, "e": {"energy": "elastic"}, "h": {"energy": "hinge"}},
          "solver": {"dt": 0.01, "duration": 0.3, "start": "equilibrium", "tolerance": 1e-11, "integrator": ")J" +
                std::string(integrator) + "\"}",
            10, damping));
        const double z = run["tip.z"], e = run["e"], h = run["h"];
        EXPECT_LT(z, -0.03);
        double fastest = 0, energy = 0, bending = 0;
        while (!run.sim.finished()) {
          run.sim.step();
          fastest = std::max(fastest, run["v"]);
          energy = std::max(energy, std::abs(run["e"] - e)), bending = std::max(bending, std::abs(run["h"] - h));
        }
        EXPECT_LT(fastest, 1e-7);
        EXPECT_NEAR(run["tip.z"], z, 1e-8);
        EXPECT_LT(energy, 1e-6 * e);
        EXPECT_LT(bending, 1e-6 * h);
      }
    }
  }
}

// Caught while it swings: held there from then on, its plane with it, and turned from where it was caught.
TEST(ShellClamp, ACaughtPartStaysAndTurnsFromWhereItWasCaught) {
  for (const char* model : {hinge, midedge}) {
    SCOPED_TRACE(model);
    SceneRun run(strip(model, R"J("environment": {"gravity": [0, 0, -2]}, "constraints": [
      {"clamp": {"of": "s", "where": "x < 0.11"}, "from": 0.1, "before": "free", "rotation": {"axis": [0,1,0], "angle": "=t > 0.15 ? 0.5 : 0"}}],
      "initial": [{"of": "s", "velocity": [0, 0, "=-3*x"]}],
      "probes": {"first": {"position": "s@[0,0,0]"}, "second": {"position": "s@[0.1,0,0]"}},
      "solver": {"dt": 0.005, "duration": 0.2})J"));
    run.sim.advance(0.1);
    const Vec3 a(run["first.x"], run["first.y"], run["first.z"]), b(run["second.x"], run["second.y"], run["second.z"]);
    EXPECT_GT((b - a).normalized().x(), 0.5);
    EXPECT_LT((b - a).z(), -0.01);
    run.sim.advance(0.04);
    EXPECT_LT((Vec3(run["first.x"], run["first.y"], run["first.z"]) - a).norm(), 1e-13);
    EXPECT_LT((Vec3(run["second.x"], run["second.y"], run["second.z"]) - b).norm(), 1e-13);
    run.toEnd();
    const Vec3 c(run["first.x"], run["first.y"], run["first.z"]), d(run["second.x"], run["second.y"], run["second.z"]);
    const Mat3 R = Eigen::AngleAxisd(0.5, Vec3::UnitY()).toRotationMatrix();
    EXPECT_LT(((d - c) - R * (b - a)).norm(), 1e-12) << "turned as one rigid piece";
  }
}

// The hinge's clamp of twice its stiffness acts at the clamped edge itself: the sag converges with order two, where a
// clamp of two rows of nodes acts half an edge inside and is of order one.
TEST(ShellClamp, HingesConvergeWithOrderTwo) {
  double sag[3], rows[3];
  for (int k = 0; k < 3; ++k) {
    const int squares = 8 << k;
    const std::string rest =
        R"J("environment": {"gravity": [0,0,-1e-3]}, "probes": {"tip": {"position": {"of": "s", "where": "x > 0.999"}}}, )J" +
        statics + R"J(, "constraints": [)J";
    const auto text = [&](const std::string& constraint) {
      const std::string mesh = gridMesh(squares, std::max(1, squares / 8), [&](int i, int j) {
        return Vec3(double(i) / squares, 0.125 * j / std::max(1, squares / 8), 0);
      });
      return R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "poisson": 0, "density": 1000}},
        "shells": {"s": {"thickness": 0.02, "bending": "hinge", "mesh": )J" +
             mesh + "}}, " + rest + constraint + "]}";
    };
    sag[k] = SceneRun(text(R"J({"clamp": {"of": "s", "where": "x < 1e-9"}})J")).toEnd()["tip.z"];
    rows[k] =
        SceneRun(text(R"J({"fix": {"of": "s", "where": "x < )J" + number(1.01 / squares) + "\"}}")).toEnd()["tip.z"];
  }
  EXPECT_GT(std::abs((sag[1] - sag[0]) / (sag[2] - sag[1])), 2.8) << sag[0] << " " << sag[1] << " " << sag[2];
  EXPECT_LT(std::abs((rows[1] - rows[0]) / (rows[2] - rows[1])), 2.6) << rows[0] << " " << rows[1] << " " << rows[2];
}

// Carried across its plane at its own speed and let go: nothing happens to what flies on.
TEST(ShellClamp, LettingGoOfASheetInUniformFlightDoesNothing) {
  for (const char* integrator : {"implicit-euler", "bdf2", "implicit-midpoint"}) {
    SceneRun run(strip(
        midedge,
        R"J("initial": [{"of": "s", "velocity": [0, 0, 1]}], "constraints": [{"clamp": {"of": "s", "where": "x < 0.01"},
      "velocity": [0, 0, 1], "until": 0.05, "then": "release"}], "probes": {"K": {"energy": "kinetic"}, "e": {"energy": "elastic"},
      "w": {"energy": "work"}, "made": {"energy": "numerical"}}, "solver": {"integrator": ")J" +
            std::string(integrator) + R"J(", "dt": 0.01, "duration": 0.1})J"));
    const double before = run["K"];
    run.toEnd();
    for (const char* none : {"e", "w", "made"})
      EXPECT_LT(std::abs(run[none]), 1e-9 * before) << integrator << " " << none;
    EXPECT_NEAR(run["K"], before, 1e-9 * before) << integrator;
  }
}

}  // namespace shell_clamp_test
}  // namespace tendril::test
