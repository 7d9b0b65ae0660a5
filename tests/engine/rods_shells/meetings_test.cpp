// Bodies that may touch each other are nothing to each other until they come near, and one part from then on.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/rods_shells/build_scene.h"

namespace tendril::test {
namespace meetings_test {

/// "low" lies along x, "high" across it 30 mm above; "far" flies elsewhere. `more`: of the solver.
std::string scene(const std::string& velocity, bool far, const std::string& more) {
  const std::string elsewhere =
      R"J(, "far": {"material": "b", "section": {"circle": {"radius": 0.004}}, "segments": 5, "path": {"line": {"from": [3,0,0], "to": [3.2,0,0]}}})J";
  return R"J({"format": "tendril/1", "materials": {"a": {"youngs": 1e6, "density": 1000}, "b": {"youngs": 1e8, "density": 3000}}, "rods": {
      "low": {"material": "a", "section": {"circle": {"radius": 0.002}}, "segments": 9, "path": {"line": {"from": [-0.1,0,0], "to": [0.1,0.01,0]}}},
      "high": {"material": "a", "section": {"circle": {"radius": 0.003}}, "segments": 8, "path": {"line": {"from": [0.01,-0.1,0.03], "to": [0,0.1,0.03]}}})J" +
         (far ? elsewhere : "") +
         R"J(}, "constraints": [{"clamp": "low:first"}, {"clamp": "low:last"}], "initial": [{"of": "high", "velocity": )J" +
         velocity + R"J(}], "contact": {"self": true, "stiffness": 300, "distance": 5e-4},
      "solver": {"tolerance": 1e-11, )J" +
         more + "}}";
}

struct Steps {
  scene::Scene scene;
  world::World world;
  rods_shells::Model model;
  std::vector<double> columns = std::vector<double>(8, 0.0);
  double t = 0;

  explicit Steps(const std::string& text) : scene(loaded(text)), world(scene), model(world) {
    model.begin(columns.data());
  }
  int parts() { return model.system().parts().count(); }
  void step(double dt) {
    model::StepRequest request;
    request.t0 = t, request.dt = dt, request.columns = columns.data();
    const model::StepReport report = model.step(request, {});
    if (!report.accepted) throw std::runtime_error(report.reason);
    t += dt;
  }
};

TEST(Meetings, BodiesAreOnePartFromWhereTheyComeNear) {
  for (const char* integrator : {"implicit-euler", "bdf2", "implicit-midpoint", "verlet"}) {
    const bool isExplicit = std::string(integrator) == "verlet";
    Steps s(
        scene("[0, 0, -1]", true, std::string(R"("integrator": ")") + integrator + R"(", "dt": 1e-4, "duration": 1)"));
    EXPECT_EQ(s.parts(), 3);
    double apart = 0;
    while (s.parts() == 3) {
      s.step(isExplicit ? 2e-5 : 1e-3);
      ASSERT_LT(s.t, 0.1);
      if (s.parts() == 3) apart = s.t;
    }
    // 30 mm less both radii, the reach of contact and one step.
    EXPECT_NEAR(apart, 0.0245, 0.002) << integrator;
    EXPECT_EQ(s.parts(), 2);
    // Thrown back, it is still of one part with what it met.
    for (int i = 0; i < 50; ++i) s.step(isExplicit ? 2e-5 : 1e-3);
    EXPECT_EQ(s.parts(), 2);
  }
}

TEST(Meetings, WhatPassesBesideStaysApart) {
  Steps s(scene("[0.2, 0, 0]", false, R"("dt": 1e-3, "duration": 1)"));
  for (int i = 0; i < 100; ++i) s.step(1e-3);
  EXPECT_EQ(s.parts(), 2);
}

// A step that is refused or stopped after it has brought parts together leaves them apart, and no bit of another state:
// the shorter one that is taken in its place may not bring them together.
TEST(Meetings, AStepThatIsNotTakenBringsNothingTogether) {
  for (const char* integrator : {"implicit-euler", "bdf2", "implicit-midpoint"}) {
    const auto make = [&](const std::string& iterations) {
      return scene("[0, 0, -3]", true,
                   std::string(R"("dt": 1e-3, "duration": 1, "integrator": ")") + integrator + "\"" + iterations);
    };
    model::StepRequest request;
    const auto tryLong = [&](Steps& s, const model::Continue& keepGoing) {
      request.t0 = s.t, request.dt = 0.02, request.smooth = true, request.columns = s.columns.data();
      std::vector<std::byte> before, after;
      s.model.save(before);
      const model::StepReport report = s.model.step(request, keepGoing);
      s.model.save(after);
      EXPECT_FALSE(report.accepted) << integrator;
      EXPECT_EQ(s.parts(), 3) << integrator;
      EXPECT_TRUE(before == after) << integrator;
      return report;
    };
    Steps refused(make(R"(, "iterations": 3)")), stopped(make("")), plain(make(""));
    for (Steps* s : {&refused, &stopped, &plain}) s->step(1e-3), s->step(1e-3);
    EXPECT_FALSE(tryLong(refused, {}).stopped) << integrator;
    int asked = 0;
    EXPECT_TRUE(tryLong(stopped, [&] { return ++asked < 6; }).stopped) << integrator;
    EXPECT_EQ(asked, 6);
    // What is taken in its place is what would have been taken without it. (Refused, schemes start again.)
    stopped.step(1e-3), plain.step(1e-3);
    std::vector<std::byte> a, b;
    stopped.model.save(a), plain.model.save(b);
    EXPECT_TRUE(a == b) << integrator;
  }
}

// Alone it would be 30 mm below after one step.
TEST(Meetings, WhatWouldPassWithinAStepIsMet) {
  Steps s(scene("[0, 0, -3]", false, R"("dt": 1e-3, "duration": 1)"));
  s.step(0.02);
  EXPECT_EQ(s.parts(), 1);
  const auto& q = s.model.history().q;
  const rods_shells::Structure& structure = s.model.system().structure();
  EXPECT_GT(q[structure.nodeDof[10 + 4] + 2] + 0.03, q[structure.nodeDof[5] + 2]);
}

// One rod is pressed down on another that crosses it: what the supports of both take up is the load.
TEST(Meetings, AtRestWhatIsPressedOnAnotherIsMet) {
  SceneRun run(R"J({"format": "tendril/1", "materials": {"a": {"youngs": 1e8, "density": 1000}}, "rods": {
      "low": {"section": {"circle": {"radius": 0.002}}, "segments": 20, "path": {"line": {"from": [-0.1,0,0], "to": [0.1,0,0]}}},
      "high": {"section": {"circle": {"radius": 0.002}}, "segments": 20, "path": {"line": {"from": [0,-0.1,0.006], "to": [0,0.1,0.006]}}}},
      "constraints": [{"clamp": "low:first"}, {"clamp": "low:last"}, {"clamp": "high:first"}, {"clamp": "high:last"}],
      "loads": [{"force": [0, 0, -1], "at": "high:10"}], "contact": {"self": true, "stiffness": 1e4, "distance": 2e-4},
      "probes": {"low": {"reaction": ["low:first", "low:last"], "reduce": "sum"}, "high": {"reaction": ["high:first", "high:last"], "reduce": "sum"}, "f": {"contact": "force"}},
      "solver": {"mode": "static", "loadSteps": 4}})J");
  run.toEnd();
  EXPECT_GT(run["f"], 0.1);
  EXPECT_NEAR(run["low.z"], run["f"], 1e-3 * run["f"]);  // of sizes, which lean a little
  EXPECT_NEAR(run["low.z"] + run["high.z"], 1, 1e-7);
}

// Before they meet, as they meet, and long after.
TEST(Meetings, SavesGoOnBitForBitWhateverHasMet) {
  for (const char* integrator : {"implicit-euler", "bdf2", "implicit-midpoint"}) {
    const std::string text = scene(
        "[0, 0, -1]", true, std::string(R"("integrator": ")") + integrator + R"(", "dt": 1e-3, "duration": 0.06)");
    Simulation whole(text);
    std::vector<std::vector<std::byte>> saves;
    while (!whole.finished()) {
      saves.push_back(whole.save());
      whole.step();
    }
    for (std::size_t i = 0; i < saves.size(); i += 7) {
      Simulation again(text);
      again.restore(saves[i]);
      again.advance(1);
      EXPECT_EQ(again.save(), whole.save()) << integrator << " from step " << i;
    }
  }
}

}  // namespace meetings_test
}  // namespace tendril::test
