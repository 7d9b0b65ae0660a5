// Shells that are hard to simulate: folded flat, nearly degenerate, of one or two triangles, thrown, in huge steps.
#include <gtest/gtest.h>

#include "engine/rods_shells/shell_scenes.h"

namespace tendril::test {
namespace shell_robustness_test {

const char* const models[] = {R"J("bending": "hinge")J", R"J("bending": "midedge")J",
                              R"J("bending": "hinge", "membrane": "stvk")J",
                              R"J("bending": "midedge", "membrane": "springs")J"};

std::string scene(const std::string& model, const std::string& mesh, const std::string& rest, double damping = 0) {
  return R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e5, "poisson": 0.3, "density": 1000, "damping": )J" +
         number(damping) + R"J(}}, "shells": {"s": {"thickness": 0.01, )J" + model + ", \"mesh\": " + mesh + "}}, " +
         rest + "}";
}

void expectFinite(SceneRun& run) {
  for (const double v : run.sim.values()) EXPECT_TRUE(std::isfinite(v));
  for (const auto& body : run.sim.bodies()) {
    for (const double x : body.nodes) EXPECT_TRUE(std::isfinite(x));
    for (const double x : body.velocity) EXPECT_TRUE(std::isfinite(x));
  }
  for (const float x : run.sim.snapshot().directors) EXPECT_TRUE(std::isfinite(x));
}

const std::string falling = R"J("environment": {"gravity": [0,0,-9.81]}, "solver": {"dt": 0.01, "duration": 0.5},
  "probes": {"v": {"velocity": "s"}, "e": {"energy": "elastic"}, "all": {"energy": "total"}})J";

TEST(ShellRobustness, AFreeSheetOfOneOrTwoTrianglesFallsAndCarriesNoStress) {
  const std::string meshes[] = {
      meshText({{0, 0, 0}, {0.3, 0, 0}, {0, 0.2, 0.1}}, {{0, 1, 2}}),
      meshText({{0, 0, 0}, {0.3, 0, 0}, {0, 0.2, 0.1}, {0.3, 0.3, 0.4}}, {{0, 1, 2}, {1, 3, 2}}),
      // Two that touch nowhere: no hinge at all.
      meshText({{0, 0, 0}, {0.3, 0, 0}, {0, 0.2, 0.1}, {1, 0, 0}, {1.3, 0, 0}, {1, 0.2, 0}}, {{0, 1, 2}, {3, 4, 5}})};
  for (const char* model : models) {
    for (const std::string& mesh : meshes) {
      SCOPED_TRACE(model);
      SceneRun run(scene(model, mesh, falling, 10));
      run.toEnd();
      EXPECT_NEAR(run["v.z"], -9.81 * 0.5, 1e-9);
      EXPECT_LT(run["e"], 1e-18);
      EXPECT_EQ(run.progress.retries, 0);
      expectFinite(run);
    }
  }
}

// Two unequal triangles folded onto each other: the hinge angle is pi, the mean of the normals is nothing.
TEST(ShellRobustness, AFlatFoldRestsMovesAndIsClamped) {
  const std::string mesh = meshText({{0, 0, 0}, {0, 0.3, 0}, {0.3, 0.1, 0}, {0.2, 0.2, 0}}, {{0, 1, 2}, {1, 0, 3}});
  for (const char* model : models) {
    SCOPED_TRACE(model);
    SceneRun run(scene(model, mesh, falling));
    run.toEnd();
    EXPECT_NEAR(run["v.z"], -9.81 * 0.5, 1e-9);
    EXPECT_LT(run["e"], 1e-16);
    expectFinite(run);
    // Clamped at the fold the leaves hang, each bent from the plane between them.
    SceneRun held(scene(model, mesh, R"J("constraints": [{"clamp": "s:0..1"}], "environment": {"gravity": [0,0,-0.05]},
      "solver": {"dt": 0.01, "duration": 1}, "probes": {"a": {"position": "s:2"}, "b": {"position": "s:3"}, "e": {"energy": "elastic"}})J",
                        500));
    EXPECT_LT(held["e"], 1e-20);
    held.toEnd();
    EXPECT_LT(held["a.z"], -1e-5);
    EXPECT_LT(held["b.z"], -1e-5);
    EXPECT_GT(held["a.z"], -0.1);
    expectFinite(held);
  }
}

// Folding further than flat: the angle goes on beyond pi.
TEST(ShellRobustness, AHingeDrivenThroughPiKeepsCounting) {
  const std::string mesh = meshText({{0, 0, 0}, {0, 0.3, 0}, {-0.3, 0.1, 0}, {0.2, 0.2, 0}}, {{0, 1, 2}, {1, 0, 3}});
  for (const char* model : {models[0], models[1]}) {
    for (const double angle : {5.0, -5.0}) {
      SceneRun run(scene(model, mesh,
                         R"J("constraints": [{"fix": "s:0..2"}], "actuation": [{"shell": "s:0..1", "angle": )J" +
                             number(angle) + R"J(}],
        "solver": {"mode": "static", "loadSteps": 10}, "probes": {"a": {"angle": "s"}, "e": {"energy": "elastic"}})J"));
      run.toEnd();
      EXPECT_NEAR(run["a"], angle, 1e-6);
      EXPECT_NEAR(run["e"], 0, 1e-10);
    }
  }
}

TEST(ShellRobustness, NearlyDegenerateTrianglesStayAtRestAndMove) {
  // A strip whose middle triangles are needles: altitude a ten-thousandth of the length.
  const std::string mesh = gridMesh(6, 2, [](int i, int j) {
    return Vec3(0.1 * i, j == 0 ? 0 : j == 1 ? 0.05 : 0.05 + 1e-5, 0);
  });
  for (const char* model : models) {
    SCOPED_TRACE(model);
    SceneRun run(
        scene(model, mesh,
              R"J("constraints": [{"clamp": {"of": "s", "where": "x < 0.01"}}], "environment": {"gravity": [0,0,-1]},
      "solver": {"dt": 0.01, "duration": 0.2}, "probes": {"v": {"velocity": "s"}, "e": {"energy": "elastic"}, "tip": {"position": "s:6"}})J"));
    run.toEnd();
    EXPECT_LT(run["tip.z"], -0.001);
    EXPECT_GT(run["tip.z"], -0.03);
    expectFinite(run);
  }
}

TEST(ShellRobustness, HugeStepsAndThrowsGiveNumbersOrAnHonestStop) {
  const std::string mesh = gridMesh(4, 3, [](int i, int j) { return Vec3(0.1 * i, 0.1 * j, 0.02 * i * j); });
  for (const char* model : models) {
    for (const char* solver :
         {R"J("dt": 10, "duration": 50)J", R"J("dt": 0.1, "duration": 0.5, "integrator": "implicit-midpoint")J",
          R"J("dt": 1, "duration": 3, "integrator": "bdf2")J"}) {
      SCOPED_TRACE(std::string(model) + ", " + solver);
      SceneRun run(scene(
          model, mesh,
          R"J("constraints": [{"clamp": {"of": "s", "where": "x < 0.01"}}], "environment": {"gravity": [0,0,-9.81]},
        "initial": [{"of": "s", "velocity": ["=20*sin(90*y)", "=-30*cos(70*x)", "=40*sin(50*x*y)"]}],
        "probes": {"v": {"velocity": "s"}, "e": {"energy": "elastic"}}, "solver": {)J" +
              std::string(solver) + "}",
          5));
      try {
        run.toEnd();
      } catch (const GaveUp& stop) {
        EXPECT_NE(std::string(stop.what()).find("converge"), std::string::npos) << stop.what();
      }
      expectFinite(run);
    }
  }
}

TEST(ShellRobustness, AStepThatDoesNotConvergeIsCutAndReported) {
  const std::string mesh = gridMesh(4, 3, [](int i, int j) { return Vec3(0.1 * i, 0.1 * j, 0.02 * i * j); });
  for (const char* model : {models[0], models[1]}) {
    SceneRun run(
        scene(model, mesh, R"J("initial": [{"of": "s", "velocity": ["=5*sin(90*y)", "=-5*cos(70*x)", "=5*sin(50*x)"]}],
      "probes": {"v": {"velocity": "s"}}, "solver": {"dt": 0.05, "duration": 0.2, "iterations": 4})J"));
    const double v = run["v.x"];
    run.toEnd();
    EXPECT_GT(run.progress.retries, 0) << model;
    ASSERT_FALSE(run.progress.warnings.empty());
    EXPECT_NE(run.progress.warnings[0].find("was cut"), std::string::npos) << run.progress.warnings[0];
    EXPECT_TRUE(std::isfinite(v));
    expectFinite(run);
  }
}

// A sudden jump of a support: refused with its size, or cut into pieces, but never nonsense.
TEST(ShellRobustness, AJumpingSupportIsNamed) {
  const std::string mesh = gridMesh(4, 2, [](int i, int j) { return Vec3(0.1 * i, 0.1 * j, 0); });
  SceneRun run(scene(models[1], mesh, R"J("constraints": [{"clamp": {"of": "s", "where": "x < 0.01"}},
    {"move": {"of": "s", "where": "x > 0.39"}, "displacement": ["=t < 0.095 ? 0 : -0.9", 0, 0]}],
    "probes": {"v": {"velocity": "s"}}, "solver": {"dt": 0.01, "duration": 0.2})J"));
  try {
    run.toEnd();
  } catch (const GaveUp& stop) {
    EXPECT_NE(std::string(stop.what()).find("a support moves by 0.9 m"), std::string::npos) << stop.what();
  }
  expectFinite(run);
}

// A thin sheet whose weight snaps it from one equilibrium to one of several others: which of them must not depend on
// how it lies in the frame of coordinates.
TEST(ShellRobustness, ASheetThatSnapsRestsAlikeHoweverItIsTurned) {
  const Vec3 along(0.2, 0.02, 0), across(0, 0.1, 0.02), normal = along.cross(across).normalized();
  const Vec3 weight(0.06273256219237706, -0.06038443810651362, -1.0881498342071154);
  const auto corner = [&](const Mat3& turn) {
    std::vector<Vec3> points;
    std::vector<std::array<int, 3>> triangles;
    for (int j = 0; j <= 2; ++j) {
      for (int i = 0; i <= 4; ++i) {
        const double u = i / 4.0;
        points.push_back(turn * (Vec3(0.05, 0.25, 0.1) + u * along + 0.5 * j * across +
                                 0.17682944226 * u * u * along.norm() * normal));
        const int a = 5 * j + i, b = a + 1, c = a + 5, d = c + 1;
        if (i == 4 || j == 2) continue;
        if ((i + j) % 2)
          triangles.insert(triangles.end(), {{a, b, d}, {a, d, c}});
        else
          triangles.insert(triangles.end(), {{a, b, c}, {b, d, c}});
      }
    }
    const Vec3 g = turn * weight;
    SceneRun run(
        R"J({"format": "tendril/1", "materials": {"m": {"youngs": 585759.5935163754, "poisson": 0.35, "density": 1185.8276092367307}},
      "shells": {"s": {"thickness": 0.0011636162193937884, "bending": "midedge", "mesh": )J" +
        meshText(points, triangles) +
        R"J(}}, "constraints": [{"clamp": ["s:0", "s:5"]}], "environment": {"gravity": [)J" + number(g.x()) + "," +
        number(g.y()) + "," + number(g.z()) +
        R"J(]}, "probes": {"tip": {"position": "s:14"}}, "solver": {"mode": "static", "tolerance": 1e-11, "loadSteps": 2}})J");
    run.toEnd();
    return Vec3(turn.transpose() * Vec3(run["tip.x"], run["tip.y"], run["tip.z"]));
  };
  const Vec3 plain = corner(Mat3::Identity());
  for (int k = 1; k <= 8; ++k) {
    const Mat3 turn =
        Eigen::AngleAxisd(0.7 * k, Vec3(std::sin(k), std::cos(2 * k), 0.3).normalized()).toRotationMatrix();
    EXPECT_LT((corner(turn) - plain).norm(), 1e-6) << k;
  }
}

}  // namespace shell_robustness_test
}  // namespace tendril::test
