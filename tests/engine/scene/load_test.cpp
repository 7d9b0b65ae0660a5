// The loader: what a scene text becomes, section by section.
#include <algorithm>
#include <cmath>
#include <set>

#include "scene_text.h"

namespace tendril::scene {
namespace load_test {

const Parameter& parameter(const Scene& scene, const std::string& name) {
  for (const Parameter& candidate : scene.parameters)
    if (candidate.name == name) return candidate;
  ADD_FAILURE() << "no parameter " << name;
  static const Parameter none;
  return none;
}

TEST(Load, FifteenLinesAreACantilever) {
  const Scene scene = loaded(R"J({
  "format": "tendril/1",
  "materials": {"silicone": {"youngs": 2e6, "density": 1200}},
  "rods": {"arm": {"section": {"circle": {"radius": 1e-3}}, "path": {"line": {"from": [0,0,0], "to": [0.1,0,0]}}}},
  "constraints": [{"clamp": "arm:first"}],
  "environment": {"gravity": [0, 0, -9.81]},
  "probes": {"tip": {"position": "arm:last"}}
})J");
  ASSERT_EQ(scene.rods.size(), 1u);
  EXPECT_EQ(scene.rods[0].points.size(), 41u);  // 40 segments
  EXPECT_EQ(scene.rods[0].material, 0);
  EXPECT_EQ(scene.rods[0].frame, Vec3(0, 0, 1));
  EXPECT_EQ(valueOf(scene, scene.materials[0].poisson), 0.5);
  EXPECT_EQ(valueOf(scene, scene.materials[0].damping), 0);
  EXPECT_TRUE(scene.solver.dynamic);
  EXPECT_EQ(scene.solver.integrator, Integrator::implicitEuler);
  EXPECT_EQ(scene.solver.dt, 0.01);
  EXPECT_EQ(scene.solver.duration, 10);
  EXPECT_EQ(scene.solver.tolerance, 1e-8);
  EXPECT_EQ(scene.solver.iterations, 50);
  EXPECT_EQ(valueOf(scene, scene.environment.gravity[2]), -9.81);
  EXPECT_EQ(scene.columns, (std::vector<std::string>{"tip.x", "tip.y", "tip.z"}));
  EXPECT_EQ(scene.warnings.size(), 0u) << warningsOf(scene);
}

TEST(Load, StaticRunsLastOneSecond) {
  EXPECT_EQ(loaded(sceneText(R"J("solver": {"mode": "static"})J")).solver.duration, 1);
  EXPECT_EQ(loaded(sceneText(R"J("solver": {"mode": "static", "duration": 3})J")).solver.duration, 3);
}

TEST(Load, SolverSettings) {
  const Solver solver =
      loaded(sceneText(R"J("solver": {"integrator": "bdf2", "dt": "=1/50", "duration": 2, "tolerance": 1e-10,
    "iterations": 20, "lineSearch": false, "adaptive": {"min": 1e-5}, "start": "equilibrium",
    "with": [{"force": [0, 0, -1], "at": "arm:last"}]})J"))
          .solver;
  EXPECT_EQ(solver.integrator, Integrator::bdf2);
  EXPECT_EQ(solver.dt, 0.02);
  EXPECT_FALSE(solver.lineSearch);
  EXPECT_TRUE(solver.adaptive);
  EXPECT_EQ(solver.minStep, 1e-5);
  EXPECT_EQ(solver.maxStep, 1e-2);
  EXPECT_TRUE(solver.startEquilibrium);
  ASSERT_EQ(solver.startWith.size(), 1u);
  EXPECT_EQ(solver.startWith[0].nodes, (std::vector<NodeRef>{{0, 10}}));
}

TEST(Load, FrameIsAcrossTheRod) {
  const Scene scene = loaded(sceneText(""));
  EXPECT_EQ(scene.rods[0].frame, Vec3(0, 0, 1));
  EXPECT_EQ(scene.rods[1].frame, Vec3(1, 0, 0));  // along z
  const Scene tilted = loaded(rodText(R"J("path": {"line": {"from": [0,0,0], "to": [1e-5,0,1]}})J"));
  EXPECT_EQ(tilted.rods[0].frame, Vec3(0, 0, 1));  // not within 1e-6 of z
}

TEST(Load, PathsBecomeNodesAndTangents) {
  const Scene arc = loaded(rodText(
      R"J("segments": 8, "path": {"arc": {"center": [0,0,0], "from": [1,0,0], "axis": [0,0,1], "angle": "=pi"}})J"));
  EXPECT_NEAR((arc.rods[0].points[4] - Vec3(0, 1, 0)).norm(), 0, 1e-14);
  EXPECT_NEAR((arc.rods[0].startTangent - Vec3(0, 1, 0)).norm(), 0, 1e-14);
  EXPECT_NEAR((arc.rods[0].endTangent - Vec3(0, -1, 0)).norm(), 0, 1e-14);
  const Scene helix = loaded(rodText(
      R"J("segments": 90, "path": {"helix": {"from": [0.04,0,0], "axis": [0,0,-1], "center": [0,0,0], "pitch": 0.01, "length": 0.5}})J"));
  const double rise = 0.01 * 0.5 / std::hypot(2 * pi * 0.04, 0.01);
  EXPECT_NEAR(helix.rods[0].points.back().z(), -rise, 1e-15);
  EXPECT_LT(helix.rods[0].points[1].y(), 0);  // right-handed about -z
  const Scene curve = loaded(rodText(R"J("segments": 6, "path": {"curve": {"x": "=2*u^2", "y": 0, "z": "=w"}})J",
                                     R"J("parameters": {"w": 3})J"));
  for (int i = 0; i <= 6; ++i) EXPECT_NEAR((curve.rods[0].points[i] - Vec3(2 * i / 6.0, 0, 3)).norm(), 0, 1e-10);
  const Scene points = loaded(rodText(R"J("path": {"points": [[0,0,0], [1,0,0], [1,1,0]]})J"));
  const double half = std::sqrt(0.5);
  EXPECT_NEAR((points.rods[0].startTangent - Vec3(half, -half, 0)).norm(), 0, 1e-14);
  EXPECT_NEAR((points.rods[0].nodeTangents[1] - Vec3(half, half, 0)).norm(), 0, 1e-14);
  EXPECT_NEAR((points.rods[0].endTangent - Vec3(-half, half, 0)).norm(), 0, 1e-14);
}

TEST(Load, DefaultSegmentsDoNotDisturbPoints) {
  const Scene scene = loaded(R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1, "density": 1}},
    "defaults": {"rods": {"segments": 24, "section": {"circle": {"radius": 1e-3}}}},
    "rods": {"a": {"path": {"points": [[0,0,0],[1,0,0],[2,0,0]]}}, "b": {"path": {"line": {"from": [0,0,0], "to": [0,0,1]}}}}})J");
  ASSERT_EQ(scene.rods.size(), 2u);
  EXPECT_EQ(scene.rods[0].points.size(), 3u);
  EXPECT_EQ(scene.rods[1].points.size(), 25u);
}

TEST(Load, SectionsOfEveryKind) {
  const auto section = [](const std::string& text) {
    return loaded(R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1, "density": 1}},
      "rods": {"a": {"section": )J" +
                  text + R"J(, "path": {"line": {"from": [0,0,0], "to": [1,0,0]}}}}})J")
        .rods.at(0)
        .section;
  };
  EXPECT_EQ(section(R"J({"circle": {"radius": 1e-3}})J").kind, Section::Kind::circle);
  EXPECT_EQ(section(R"J({"rectangle": {"width": 1, "height": 2}})J").height.text(), "2");
  EXPECT_EQ(section(R"J({"ellipse": {"a": 1, "b": 2}})J").kind, Section::Kind::ellipse);
  EXPECT_EQ(section(R"J({"tube": {"radius": 2, "wall": "=1 + u/2"}})J").kind, Section::Kind::tube);
  const Section beside =
      section(R"J({"stiffness": {"EA": 1, "EI1": 2, "EI2": 3, "GJ": 4}, "massPerLength": 5, "radius": 6})J");
  EXPECT_EQ(beside.kind, Section::Kind::stiffness);
  EXPECT_EQ(beside.massPerLength.text(), "5");
  EXPECT_TRUE(beside.hasRadius);
  EXPECT_EQ(section(R"J({"stiffness": {"EA": 1, "EI1": 2, "EI2": 3, "GJ": 4, "massPerLength": 5, "radius": 6}})J")
                .radius.text(),
            "6");
}

TEST(Load, StiffnessNeedsNoMaterialNorInStaticsARadius) {
  const Scene scene = loaded(R"J({"format": "tendril/1", "solver": {"mode": "static"}, "rods": {"a": {
    "section": {"stiffness": {"EA": 1, "EI1": 2, "EI2": 3, "GJ": 4}, "massPerLength": 5},
    "path": {"line": {"from": [0,0,0], "to": [1,0,0]}}}}, "constraints": [{"clamp": "a:first"}]})J");
  EXPECT_EQ(scene.rods.at(0).material, -1);
  EXPECT_FALSE(scene.rods.at(0).section.hasRadius);
}

TEST(Load, NaturalStates) {
  EXPECT_TRUE(loaded(rodText(R"J("natural": "straight", "path": {"line": {"from": [0,0,0], "to": [1,0,0]}})J"))
                  .rods[0]
                  .naturalStraight);
  const Scene scene = loaded(rodText(
      R"J("natural": {"curvature": ["=k*u", 0], "stretch": 1.1}, "path": {"line": {"from": [0,0,0], "to": [1,0,0]}})J",
      R"J("parameters": {"k": 3})J"));
  const Rod& rod = scene.rods[0];
  ASSERT_TRUE(rod.naturalCurvature);
  EXPECT_TRUE((*rod.naturalCurvature)[0].isField());
  EXPECT_FALSE(rod.naturalTwist);
  EXPECT_EQ(valueOf(scene, *rod.naturalStretch), 1.1);
}

TEST(Load, WeldsMeetAndMerge) {
  const Scene scene =
      loaded(sceneText(R"J("joints": [{"weld": ["arm:first", "leg0:first"]}, {"pin": ["arm:last", "leg1:first"]}])J"));
  ASSERT_EQ(scene.joints.size(), 2u);
  EXPECT_TRUE(scene.joints[0].weld);
  EXPECT_FALSE(scene.joints[1].weld);
  const Scene chain = loaded(R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1, "density": 1}},
    "defaults": {"rods": {"section": {"circle": {"radius": 1e-3}}}},
    "rods": {"leg{k}": {"repeat": {"k": 3}, "path": {"line": {"from": [0,0,0], "to": ["=cos(k)", "=sin(k)", 0]}}}},
    "joints": [{"weld": ["leg0:first", "leg1:first"]}, {"weld": ["leg2:first", "leg1:first"]}]})J");
  ASSERT_EQ(chain.joints.size(), 1u);
  EXPECT_EQ(chain.joints[0].nodes.size(), 3u);
}

TEST(Load, RepeatedLegs) {
  const Scene scene = loaded(R"J({"format": "tendril/1", "parameters": {"legs": 4, "r": 0.1},
    "materials": {"m": {"youngs": 1e6, "density": 1e3}},
    "defaults": {"rods": {"section": {"circle": {"radius": 1e-3}}, "segments": 5}},
    "rods": {"leg{k}": {"repeat": {"k": "=legs"}, "path": {"line": {"from": [0,0,0], "to": ["=r*cos(2*pi*k/legs)", "=r*sin(2*pi*k/legs)", 0]}}}},
    "joints": [{"weld": ["leg0:first", "leg1:first", "leg2:first", "leg3:first"]}],
    "loads": [{"repeat": {"k": 2}, "force": [0, 0, "=-k"], "at": "leg{(k+1)%4}:last"}]})J");
  ASSERT_EQ(scene.rods.size(), 4u);
  EXPECT_EQ(scene.rods[3].name, "leg3");
  EXPECT_NEAR((scene.rods[1].points.back() - Vec3(0, 0.1, 0)).norm(), 0, 1e-16);
  EXPECT_NEAR((scene.rods[2].points.back() - Vec3(-0.1, 0, 0)).norm(), 0, 1e-16);
  ASSERT_EQ(scene.loads.size(), 2u);
  EXPECT_EQ(scene.loads[0].nodes, (std::vector<NodeRef>{{1, 5}}));
  EXPECT_EQ(scene.loads[1].nodes, (std::vector<NodeRef>{{2, 5}}));
  EXPECT_EQ(valueOf(scene, scene.loads[1].value[2]), -1);
  EXPECT_FALSE(parameter(scene, "legs").live);
  EXPECT_FALSE(parameter(scene, "r").live);
}

TEST(Load, ConstraintsOfEveryKind) {
  const Scene scene = loaded(sceneText(R"J("constraints": [
    {"clamp": "arm:first", "displacement": [0, 0, "=t"], "rotation": [{"axis": [0,0,2], "angle": "=t"}, {"axis": [1,0,0], "angle": 1}]},
    {"fix": "arm:last", "axes": "zx"}, {"fixTwist": "arm:0"}, {"turn": "arm:last", "angle": "=2*t", "from": 1, "before": "free"},
    {"move": "leg0:last", "velocity": [1,0,0], "until": 2, "then": "release"}, {"planar": "xz"}])J"));
  ASSERT_EQ(scene.constraints.size(), 6u);
  const Constraint& clamp = scene.constraints[0];
  ASSERT_EQ(clamp.rotation.size(), 2u);
  EXPECT_EQ(clamp.rotation[0].axis, Vec3(0, 0, 1));
  EXPECT_TRUE(clamp.rotation[0].angle.isTimed());
  EXPECT_EQ(valueOf(scene, (*clamp.displacement)[2], 0.5), 0.5);
  EXPECT_EQ(scene.constraints[1].axes, (std::array<bool, 3>{true, false, true}));
  EXPECT_EQ(scene.constraints[2].edges, (std::vector<EdgeRef>{{0, 0}}));
  EXPECT_TRUE(scene.constraints[3].freeBefore);
  EXPECT_EQ(scene.constraints[3].interval.from, 1);
  EXPECT_TRUE(scene.constraints[4].release);
  EXPECT_EQ(scene.constraints[5].normal, 1);
  EXPECT_EQ(scene.constraints[5].pointer, "/constraints/5");
}

TEST(Load, PlanesNameTheAxisThatIsHeld) {
  EXPECT_EQ(loaded(sceneText(R"J("constraints": [{"planar": "xy"}])J")).constraints[0].normal, 2);
  EXPECT_EQ(loaded(sceneText(R"J("constraints": [{"planar": "yz"}])J")).constraints[0].normal, 0);
}

TEST(Load, LoadsOfEveryKind) {
  const Scene scene = loaded(sceneText(R"J("loads": [{"force": [0,0,"=-F*ramp(t,0,1)"], "at": "arm", "share": true},
    {"follower": [1,0,0], "at": "arm:last", "until": 3}, {"moment": [0,1,0], "at": "arm:last"},
    {"line": [0,0,-1], "on": "leg*"}, {"mass": "=m", "at": "arm:5"}], "parameters": {"F": 2, "m": 0.1})J"));
  ASSERT_EQ(scene.loads.size(), 5u);
  EXPECT_TRUE(scene.loads[0].share);
  EXPECT_EQ(valueOf(scene, scene.loads[0].value[2], 0.5), -1);
  EXPECT_EQ(scene.loads[1].kind, Load::Kind::follower);
  EXPECT_EQ(scene.loads[1].interval.until, 3);
  EXPECT_EQ(scene.loads[3].nodes.size(), 10u);
  EXPECT_EQ(valueOf(scene, scene.loads[4].mass), 0.1);
}

TEST(Load, Environment) {
  const Scene scene = loaded(sceneText(
      R"J("environment": {"gravity": [0,0,"=-9.81*smooth(t,0,1)"], "fluid": {"density": 1000}, "buoyancy": true, "viscous": 0.1})J"));
  EXPECT_TRUE(scene.environment.gravity[2].isTimed());
  EXPECT_TRUE(scene.environment.buoyancy);
  EXPECT_EQ(valueOf(scene, *scene.environment.fluidDensity), 1000);
  EXPECT_EQ(valueOf(scene, scene.environment.viscous), 0.1);
}

TEST(Load, ActuationByFormulaTableAndText) {
  const Scene scene = loaded(sceneText(R"J("actuation": [
    {"rod": "arm", "curvature": ["=sin(2*pi*t - 2*pi*u)", 0]},
    {"rod": "arm", "stretch": "=1 + 0.1*t"},
    {"rod": "leg0", "table": {"time": [0, 1], "curvature1": [[1, 2, 3], 4], "interpolation": "step"}},
    {"rod": "leg1", "csv": "\uFEFFtime, curvature1[0], curvature1[1], curvature1[2]\n0, 0, 0, 0\n1.5, 1, 2, 3\r\n\n"},
    {"rod": "leg1", "csv": "t;curvature2;stretch[0];stretch[1];stretch[2];stretch[3]\n0;1;1;1;1;1\n2;3;1;2;3;4"}])J"));
  ASSERT_EQ(scene.actuation.size(), 5u);
  EXPECT_EQ(scene.actuation[0].nodes.size(), 11u);
  EXPECT_TRUE((*scene.actuation[0].curvature)[0].isField());
  const ActuationTable& table = *scene.actuation[2].table;
  EXPECT_TRUE(table.step);
  EXPECT_EQ(table.curvature1, (std::vector<std::vector<double>>{{1, 2, 3}, {4, 4, 4}}));
  const ActuationTable& text = *scene.actuation[3].table;
  EXPECT_EQ(text.time, (std::vector<double>{0, 1.5}));
  EXPECT_EQ(text.curvature1, (std::vector<std::vector<double>>{{0, 0, 0}, {1, 2, 3}}));
  EXPECT_FALSE(text.step);
  const ActuationTable& mixed = *scene.actuation[4].table;
  EXPECT_EQ(mixed.curvature2, (std::vector<std::vector<double>>{{1}, {3}}));
  EXPECT_EQ(mixed.stretch[1], (std::vector<double>{1, 2, 3, 4}));
}

TEST(Load, TableColumnsFollowTheSelection) {
  const Scene scene = loaded(sceneText(R"J("actuation": [
    {"rod": "leg*", "table": {"time": [0, 1], "twist": [[1, 2, 3, 4, 5, 6], 7]}},
    {"rod": "arm:3..5", "csv": "t,curvature1[0],curvature1[1],curvature1[2]\n0,1,2,3"}])J"));
  ASSERT_EQ(scene.actuation.size(), 3u);  // a rod each
  EXPECT_EQ(scene.actuation[0].table->twist, (std::vector<std::vector<double>>{{1, 2, 3}, {7, 7, 7}}));
  EXPECT_EQ(scene.actuation[1].table->twist, (std::vector<std::vector<double>>{{4, 5, 6}, {7, 7, 7}}));
  EXPECT_EQ(scene.actuation[1].nodes.front().body, 2);
  EXPECT_EQ(scene.actuation[2].table->curvature1, (std::vector<std::vector<double>>{{0, 0, 1, 2, 3, 0, 0, 0, 0}}));
}

TEST(Load, ProbesHaveFlatColumnsAndAnOrder) {
  const Scene scene = loaded(sceneText(R"J("probes": {
    "late": {"formula": "=early + I"}, "early": {"formula": "tip.x + 1"}, "tip": {"position": "arm:last"},
    "bend": {"curvature": "arm:5"}, "inner": {"moment": "arm:5"}, "frame": {"pose": "arm:last"},
    "pull": {"reaction": "arm:first"}, "lowest": {"position": "arm", "reduce": "min"}, "long": {"length": "arm"},
    "all": {"energy": "elastic", "of": "leg*"}, "gap": {"distance": ["arm:last", "leg0:last"]}},
    "states": {"I": {"rate": "=1 - tip.x", "initial": 0.5}})J"));
  EXPECT_EQ(scene.columns,
            (std::vector<std::string>{"late",     "early",    "tip.x",    "tip.y",   "tip.z",   "bend.c1", "bend.c2",
                                      "inner.c1", "inner.c2", "inner.t",  "frame.x", "frame.y", "frame.z", "frame.qw",
                                      "frame.qx", "frame.qy", "frame.qz", "pull.x",  "pull.y",  "pull.z",  "lowest.x",
                                      "lowest.y", "lowest.z", "long",     "all",     "gap"}));
  EXPECT_EQ(scene.probes[2].firstColumn, 2);
  EXPECT_EQ(scene.probes[2].columnCount, 3);
  EXPECT_EQ(scene.probeOrder.size(), scene.probes.size());
  const auto place = [&scene](int probe) {
    return std::find(scene.probeOrder.begin(), scene.probeOrder.end(), probe) - scene.probeOrder.begin();
  };
  EXPECT_LT(place(2), place(1));
  EXPECT_LT(place(1), place(0));
  EXPECT_EQ(scene.probes[6].reduce, Reduce::sum);
  EXPECT_EQ(scene.probes[7].reduce, Reduce::min);
  EXPECT_EQ(scene.probes[9].bodies, (std::vector<int>{1, 2}));
  EXPECT_EQ(scene.probes[9].energy, EnergyKind::elastic);
  std::vector<double> columns(scene.columns.size() + 1, 0);
  columns[2] = 0.25;                  // tip.x
  columns[scene.columns.size()] = 7;  // I
  formula::Input input;
  input.parameters = scene.values.data();
  input.columns = columns.data();
  EXPECT_EQ(scene.states[0].rate(input), 0.75);
  EXPECT_EQ(scene.states[0].initial, 0.5);
  columns[1] = 1.25;
  EXPECT_EQ(scene.probes[0].formula(input), 8.25);
}

TEST(Load, Checks) {
  const Scene scene =
      loaded(sceneText(R"J("parameters": {"E": 1}, "probes": {"tip": {"position": "arm:last"}}, "checks": [
    {"title": "holds", "at": "end", "expect": "abs(tip.z) < 1e-3 && tip.x > 0", "points": 2},
    {"at": "=1/4", "expect": "=E > 0", "with": {"E": 5}}, {"at": "always", "during": [0, 1], "expect": "tip.x > 0"},
    {"at": "ever", "expect": "tip.y > 1"}])J"));
  ASSERT_EQ(scene.checks.size(), 4u);
  EXPECT_EQ(scene.checks[0].when, Check::When::end);
  EXPECT_EQ(scene.checks[0].points, 2);
  EXPECT_EQ(std::set<int>(scene.checks[0].usesColumns.begin(), scene.checks[0].usesColumns.end()),
            (std::set<int>{0, 2}));
  EXPECT_EQ(scene.checks[1].when, Check::When::time);
  EXPECT_EQ(scene.checks[1].time, 0.25);
  EXPECT_EQ(scene.checks[1].with.at("E"), 5);
  EXPECT_EQ(scene.checks[2].during.until, 1);
  EXPECT_EQ(scene.checks[3].title, "tip.y > 1");
}

TEST(Load, AWindowOfACheckThatEndsAfterTheRunIsWarnedOf) {
  const std::vector<Problem> warnings =
      loaded(sceneText(R"J("checks": [{"at": "always", "during": [9, 11], "expect": "1"}])J")).warnings;
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].pointer, "/checks/0/during");
  EXPECT_NE(warnings[0].message.find("the run at 10 s"), std::string::npos) << warnings[0].message;
}

TEST(Load, InitialValues) {
  const Scene scene = loaded(sceneText(
      R"J("initial": [{"velocity": [0, "=sin(pi*u)", 0], "of": "arm"}, {"twist": "=0.1*i", "of": "arm"}, {"spin": 3, "of": "leg*"}])J"));
  ASSERT_EQ(scene.initial.size(), 3u);
  EXPECT_TRUE((*scene.initial[0].velocity)[1].isField());
  EXPECT_TRUE(scene.initial[1].twist);
  EXPECT_EQ(scene.initial[2].nodes.size(), 10u);
}

TEST(Load, ViewStaysText) {
  const Scene scene =
      loaded(sceneText(R"J("view": {"camera": {"position": [1, "=2*3", 0.5]}, "follow": "arm", "speed": 2})J"));
  EXPECT_EQ(scene.view, R"J({"camera":{"position":[1.0,6.0,0.5]},"follow":"arm","speed":2.0})J");
  const Scene tries =
      loaded(sceneText(R"J("parameters": {"k": 1}, "view": {"try": {"Twice as much": {"k": "=2*3"}}})J"));
  EXPECT_EQ(tries.view, R"J({"try":{"Twice as much":{"k":6.0}}})J");
  EXPECT_EQ(loaded(sceneText("")).view, "{}");
}

TEST(Load, ARunThatTheCameraFollowsEndsWhereItsBodyEnds) {
  const auto followed = [](const std::string& run) {
    return loaded(sceneText("\"view\": {\"follow\": \"" + run + "\"}"));
  };
  const auto nodesOf = [&](const std::string& run) {
    const Follow follow = followed(run).follow;
    return follow.nodes ? std::vector<int>{follow.body, follow.nodes->first, follow.nodes->last}
                        : std::vector<int>{follow.body};
  };
  const int last = static_cast<int>(followed("arm").points(0).size()) - 1;
  EXPECT_EQ(nodesOf("arm"), (std::vector<int>{0}));
  EXPECT_EQ(nodesOf("arm:1..2"), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(nodesOf("arm:1..600"), (std::vector<int>{0, 1, last}));
  EXPECT_EQ(nodesOf("arm:-2..-1"), (std::vector<int>{0, last - 1, last}));
  EXPECT_EQ(loaded(sceneText("")).follow.body, -1);
  for (const std::string wrong : {"arm:2..1", "arm:1..1", "arm:600..700", "arm:1", "arm:a..b", "arm:"}) {
    const Scene scene = followed(wrong);
    EXPECT_EQ(scene.follow.body, -1) << wrong;
    EXPECT_TRUE(std::any_of(scene.warnings.begin(), scene.warnings.end(), [&](const Problem& w) {
      return w.pointer == "/view/follow" && w.message.find("\"" + wrong + "\" is no run of nodes") == 0;
    })) << wrong;
  }
}

TEST(Load, LiveParametersStandOnlyInWhatActsWhileRunning) {
  const Scene scene = loaded(R"J({"format": "tendril/1",
    "parameters": {"E0": 1e6, "E": "=2*E0", "F": 1, "L": 1, "twice": "=2*both", "both": 1, "g": 9.81, "k": 0, "unused": 1},
    "materials": {"m": {"youngs": "=E", "density": 1000}},
    "rods": {"arm": {"section": {"circle": {"radius": "=0.01*both"}}, "path": {"line": {"from": [0,0,0], "to": ["=L",0,0]}},
                     "natural": {"curvature": ["=k", 0]}}},
    "environment": {"gravity": [0, 0, "=-g"]},
    "loads": [{"force": [0, 0, "=F*twice"], "at": "arm:last"}]})J");
  EXPECT_TRUE(parameter(scene, "E").live);
  EXPECT_TRUE(parameter(scene, "E").derived);
  EXPECT_TRUE(parameter(scene, "E0").live);
  EXPECT_TRUE(parameter(scene, "F").live);
  EXPECT_TRUE(parameter(scene, "g").live);
  EXPECT_TRUE(parameter(scene, "twice").live);
  EXPECT_FALSE(parameter(scene, "both").live);  // also in a section
  EXPECT_FALSE(parameter(scene, "L").live);
  EXPECT_FALSE(parameter(scene, "k").live);
  EXPECT_NE(warningsOf(scene).find("\"unused\" is not used"), std::string::npos);
}

TEST(Load, OverridesAct) {
  const std::string text = rodText(R"J("segments": "=N", "path": {"line": {"from": [0,0,0], "to": [1,0,0]}})J",
                                   R"J("parameters": {"N": 4})J");
  LoadOptions options;
  options.overrides["N"] = 7;
  EXPECT_EQ(loaded(text).rods[0].points.size(), 5u);
  EXPECT_EQ(loaded(text, options).rods[0].points.size(), 8u);
}

TEST(Load, FeedbackIsSeenInDynamicRunsOnly) {
  const std::string probes =
      R"J("probes": {"tip": {"position": "arm:last"}}, "loads": [{"force": ["=-tip.x", 0, 0], "at": "arm:last"}])J";
  EXPECT_TRUE(loaded(sceneText(probes)).loads[0].value[0].seesColumns());
  EXPECT_EQ(problemsOf(sceneText(probes + R"J(, "solver": {"mode": "static"})J")).size(), 1u);
}

TEST(Load, WarnsOfConflictsAndSlips) {
  const auto warnings = [](const std::string& more) { return warningsOf(loaded(sceneText(more))); };
  EXPECT_NE(warnings(R"J("parameters": {"A": {"value": 5, "min": 6, "max": 7}}, "environment": {"viscous": "=A"})J")
                .find("\"A\" is 5, below its min 6"),
            std::string::npos);
  EXPECT_NE(warnings(R"J("parameters": {"pi": 3.1416}, "environment": {"viscous": "=pi"})J")
                .find("\"pi\" replaces the constant"),
            std::string::npos);
  EXPECT_EQ(warnings(R"J("parameters": {"e": 0.3}, "environment": {"viscous": "=e"})J"), "");
  EXPECT_NE(warnings(R"J("constraints": [{"fix": "arm:last"}, {"move": "arm:last", "displacement": [0, 0, "=t"]}])J")
                .find("prescribe z of arm:10 differently"),
            std::string::npos);
  EXPECT_EQ(warnings(R"J("constraints": [{"fix": "arm:last"}, {"clamp": "arm:last"}, {"planar": "xz"}])J"), "");
  EXPECT_EQ(
      warnings(
          R"J("constraints": [{"fix": "arm:last", "axes": "x"}, {"move": "arm:last", "displacement": [0, 0, "=t"]}])J"),
      "");
  EXPECT_EQ(
      warnings(
          R"J("constraints": [{"fix": "arm:last", "until": 1, "then": "release"}, {"move": "arm:last", "displacement": [0, 0, "=t"], "from": 1, "before": "free"}])J"),
      "");
  EXPECT_NE(warnings(R"J("solver": {"dt": 3, "duration": 1})J").find("longer than the duration"), std::string::npos);
  EXPECT_NE(warnings(R"J("solver": {"mode": "static"})J").find("nothing holds rod \"arm\""), std::string::npos);
  EXPECT_NE(warnings(R"J("loads": [{"force": [0,0,1], "at": "arm:last", "from": 20}])J").find("the run ends at 10 s"),
            std::string::npos);
  const Scene unused = loaded(
      R"J({"format": "tendril/1", "materials": {"a": {"youngs": 1, "density": 1}, "b": {"youngs": 1, "density": 1}},
    "rods": {"r": {"material": "b", "section": {"circle": {"radius": 1}}, "path": {"line": {"from": [0,0,0], "to": [1,0,0]}}}}})J");
  EXPECT_NE(warningsOf(unused).find("material \"a\" is not used"), std::string::npos);
}

}  // namespace load_test
}  // namespace tendril::scene
