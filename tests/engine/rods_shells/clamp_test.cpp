// Exact clamps: what they carry, what they hold at ends, inside a rod and over a run of nodes, and how they move a rod.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "engine/rods_shells/build_scene.h"

namespace tendril::test {
namespace clamp_test {

// A round rod of 1 m in `segments` edges along `path`; `rest` completes the scene.
std::string rod(const std::string& segments, const std::string& path, const std::string& rest) {
  return R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e7, "poisson": 0.3, "density": 1000}},
    "rods": {"arm": {"section": {"circle": {"radius": 0.01}}, "segments": )J" +
         segments + ", \"path\": " + path + "}}, " + rest + "}";
}
const char* const line = R"J({"line": {"from": [0,0,0], "to": [1,0,0]}})J";
const char* const helix =
    R"J({"helix": {"from": [0.1,0,0], "axis": [0,0,1], "center": [0,0,0], "pitch": 0.1, "length": 1}})J";
const std::string statics = R"J("solver": {"mode": "static", "duration": 1, "loadSteps": 20, "tolerance": 1e-10})J";

Vec3 node(const SceneRun& run, int i) {
  const auto bodies = run.sim.bodies();
  return {bodies[0].nodes[3 * i], bodies[0].nodes[3 * i + 1], bodies[0].nodes[3 * i + 2]};
}

TEST(Clamp, CarriesTheWeightAndTheWeightTimesItsArm) {
  SceneRun run(rod("20", helix,
                   R"J("constraints": [{"clamp": "arm:first"}], "environment": {"gravity": [1,-2,-9]},
    "probes": {"force": {"reaction": "arm:first"}, "moment": {"reactionMoment": "arm:first"}}, )J" +
                       statics));
  run.toEnd();
  Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
  const auto mass = Built(rod("20", helix, statics)).structure().mass;
  const rods_shells::Structure s = rods_shells::buildStructure(loaded(rod("20", helix, statics)));
  for (int i = 0; i <= 20; ++i) {
    const Vec3 weight = mass[s.nodeDof[i]] * Vec3(1, -2, -9);
    force += weight;
    moment += (node(run, i) - node(run, 0)).cross(weight);
  }
  const Vec3 reaction(run["force.x"], run["force.y"], run["force.z"]);
  const Vec3 reactionMoment(run["moment.x"], run["moment.y"], run["moment.z"]);
  EXPECT_LT((reaction + force).norm(), 1e-8 * force.norm());
  EXPECT_LT((reactionMoment + moment).norm(), 1e-6 * moment.norm());
  EXPECT_GT(moment.norm(), 0.1);
}

TEST(Clamp, InsideARodHoldsTwoCantilevers) {
  const std::string rest = R"J("environment": {"gravity": [0,0,-9.81]}, "probes": {"left": {"position": "arm:first"},
    "right": {"position": "arm:last"}, "force": {"reaction": "arm:20"}, "moment": {"reactionMoment": "arm:20"},
    "bend": {"curvature": "arm:20"}}, "constraints": [{"clamp": "arm:20"}], )J" +
                           statics;
  SceneRun run(rod("40", line, rest));
  run.toEnd();
  // The same half alone.
  SceneRun half(rod("20", R"J({"line": {"from": [0,0,0], "to": [0.5,0,0]}})J",
                    R"J("environment": {"gravity": [0,0,-9.81]},
    "probes": {"tip": {"position": "arm:last"}}, "constraints": [{"clamp": "arm:first"}], )J" +
                        statics));
  half.toEnd();
  EXPECT_LT(half["tip.z"], -0.01);
  EXPECT_NEAR(run["right.z"], half["tip.z"], 1e-9);
  EXPECT_NEAR(run["left.z"], half["tip.z"], 1e-9);
  EXPECT_NEAR(run["right.x"] - 0.5, half["tip.x"], 1e-9);
  EXPECT_NEAR(run["moment.y"], 0, 1e-8);
  EXPECT_NEAR(run["force.z"], 1000 * pi * 1e-4 * 9.81, 1e-7);
}

TEST(Clamp, ARunOfNodesHoldsWhatIsInsideAndBendsAtItsEnd) {
  SceneRun run(rod("40", line,
                   R"J("environment": {"gravity": [0,0,-9.81]}, "constraints": [{"clamp": "arm:0..20"}],
    "probes": {"tip": {"position": "arm:last"}, "inner": {"curvature": "arm:10"}}, )J" +
                       statics));
  run.toEnd();
  SceneRun half(rod("20", R"J({"line": {"from": [0,0,0], "to": [0.5,0,0]}})J",
                    R"J("environment": {"gravity": [0,0,-9.81]},
    "probes": {"tip": {"position": "arm:last"}}, "constraints": [{"clamp": "arm:first"}], )J" +
                        statics));
  half.toEnd();
  EXPECT_NEAR(run["tip.z"], half["tip.z"], 1e-9);
  EXPECT_EQ(run["inner.c1"], 0);
  for (int i = 0; i <= 20; ++i) EXPECT_LT((node(run, i) - Vec3(i / 40.0, 0, 0)).norm(), 1e-15) << i;
}

// A moved and turned clamp carries the whole unloaded rod along as a rigid body.
void expectRigid(const std::string& selection, const std::string& path, int pivot) {
  SceneRun run(rod("20", path,
                   "\"constraints\": [{\"clamp\": \"" + selection + R"J(", "displacement": [0.3, -0.2, 0.1],
    "rotation": [{"axis": [0,0,1], "angle": 2.5}, {"axis": [1,1,0], "angle": -1.7}]}],
    "probes": {"energy": {"energy": "elastic"}, "pose": {"pose": "arm:last"}, "moment": {"reactionMoment": "arm:first"}}, )J" +
                       statics));
  const Vec3 x0 = node(run, pivot);
  std::vector<Vec3> before;
  for (int i = 0; i <= 20; ++i) before.push_back(node(run, i));
  const Eigen::Quaterniond first(run["pose.qw"], run["pose.qx"], run["pose.qy"], run["pose.qz"]);
  run.toEnd();
  const Mat3 turn =
      (Eigen::AngleAxisd(-1.7, Vec3(1, 1, 0).normalized()) * Eigen::AngleAxisd(2.5, Vec3::UnitZ())).toRotationMatrix();
  for (int i = 0; i <= 20; ++i) {
    const Vec3 expected = x0 + Vec3(0.3, -0.2, 0.1) + turn * (before[i] - x0);
    EXPECT_LT((node(run, i) - expected).norm(), 1e-7) << selection << " " << path << ", node " << i;
  }
  const Eigen::Quaterniond last(run["pose.qw"], run["pose.qx"], run["pose.qy"], run["pose.qz"]);
  EXPECT_LT((last.toRotationMatrix() - turn * first.toRotationMatrix()).norm(), 1e-6) << selection << " " << path;
  EXPECT_LT(run["energy"], 1e-14) << selection << " " << path;
}

TEST(Clamp, MovesAndTurnsTheRodAsARigidBody) {
  expectRigid("arm:first", line, 0);
  expectRigid("arm:first", helix, 0);
  expectRigid("arm:last", helix, 20);
  expectRigid("arm:7", helix, 7);
  expectRigid("arm:0..3", helix, 0);
  expectRigid("arm:9..12", line, 9);
}

TEST(Clamp, TwoTurnsBetweenTwoClampsTwistTheRodEvenly) {
  SceneRun run(rod("20", line,
                   R"J("constraints": [{"clamp": "arm:first"}, {"clamp": "arm:last", "rotation":
      {"axis": [1,0,0], "angle": "=4*pi"}}], "probes": {"twist": {"twist": "arm"}, "most": {"twist": "arm", "reduce": "max"},
    "torque": {"reactionMoment": "arm:last"}, "other": {"reactionMoment": "arm:first"}, "middle": {"position": "arm:10"}}, )J" +
                       statics));
  run.toEnd();
  const double GJ = 1e7 / 2.6 * pi * 1e-8 / 2;
  EXPECT_NEAR(run["twist"], 4 * pi, 1e-7);
  EXPECT_NEAR(run["most"], 4 * pi, 1e-7);
  EXPECT_NEAR(run["torque.x"], GJ * 4 * pi, 1e-7 * GJ);
  EXPECT_NEAR(run["other.x"], -GJ * 4 * pi, 1e-7 * GJ);
  EXPECT_NEAR(run["middle.x"], 0.5, 1e-9);
}

// A clamp that lets go, or catches, within a step must not brake: what it carried coasts on.
TEST(Clamp, WhatIsLetGoBetweenStepsKeepsItsSpeed) {
  const std::vector<const char*> integrators = {"implicit-euler", "bdf2", "implicit-midpoint"};
  for (const char* integrator : integrators) {
    for (const int late : {0, 1, 4, 6, 9}) {
      const std::string until = "0.40" + std::to_string(late), from = "0.20" + std::to_string(late);
      const std::string kept =
          R"J("velocity": ["=0.3*smooth(t, 0, 0.2)", 0, 0], "until": )J" + until + R"J(, "then": "release")J";
      const std::string caught = R"("before": "free", "from": )" + from + R"(, "until": )" + until +
                                 R"(, "velocity": [0.3, 0, 0], "then": "release")";
      for (const bool catches : {false, true}) {
        SceneRun run(
            R"({"format": "tendril/1", "materials": {"m": {"youngs": 5e7, "poisson": 0.5, "density": 1200, "damping": 1e4}},
          "rods": {"r": {"section": {"circle": {"radius": 0.004}}, "segments": 10, "path": {"line": {"from": [0,0,0], "to": [0.1,0,0]}}}},
          "constraints": [{"clamp": "r:0", )" +
            (catches ? caught : kept) + "}], " +
            (catches ? R"("initial": [{"of": "r", "velocity": [0.3, 0, 0]}], )" : "") +
            R"("probes": {"v": {"velocity": "r"}},
          "solver": {"dt": 0.01, "duration": 0.8, "integrator": ")" +
            integrator + R"("}})");
        run.toEnd();
        EXPECT_NEAR(run["v.x"], 0.3, 1e-4) << integrator << " " << until << (catches ? " caught" : "");
      }
    }
  }
}

TEST(Clamp, ReleasedRodsSpringBack) {
  // Clamped inside until t = 0.1 s: then the full spring acts again and the rod is one piece.
  SceneRun run(rod(
      "10", line,
      R"J("constraints": [{"fix": "arm:0..1"}, {"fixTwist": "arm:0"}, {"clamp": "arm:5", "until": 0.1, "then": "release"}],
    "probes": {"middle": {"position": "arm:5"}, "bend": {"curvature": "arm:5"}}, "environment": {"gravity": [0,0,-1]},
    "solver": {"dt": 0.01, "duration": 0.3})J"));
  while (run.sim.time() < 0.1 - 1e-9) run.sim.step();
  EXPECT_EQ(run["middle.z"], 0);
  run.toEnd();
  EXPECT_LT(run["middle.z"], -1e-3);
  EXPECT_NE(run["bend.c1"], 0);
}

// What they cost is told by memory, which no machine's speed changes.
TEST(Clamp, ManyOnOneNodeCostEachTheSameAndHoldAsOne) {
  const auto scene = [](int count) {
    std::string clamps;
    for (int i = 0; i < count; ++i) clamps += std::string(i > 0 ? "," : "") + R"({"clamp": "arm:first"})";
    return rod("4", line,
               R"("environment": {"gravity": [0,0,-9.81]}, "constraints": [)" + clamps +
                   R"(], "solver": {"integrator": "implicit-euler", "dt": 0.01, "duration": 0.02})");
  };
  const auto tip = [&](int count) { return node(SceneRun(scene(count)).toEnd(), 4); };
  const Vec3 one = tip(1);
  EXPECT_EQ(tip(3), one);
  // Pairs of 8000 would take 256 MiB.
  rusage before, after;
  getrusage(RUSAGE_SELF, &before);
  const Vec3 many = tip(8000);
  getrusage(RUSAGE_SELF, &after);
#ifdef __linux__
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 150 << 10);  // [KiB]
#endif
  EXPECT_LT((many - one).norm(), 1e-12);
}

}  // namespace clamp_test
}  // namespace tendril::test
