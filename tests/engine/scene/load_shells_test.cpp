// The loader: what a scene with shells becomes, section by section, and what it warns of.
#include <cmath>

#include "scene_text.h"

namespace tendril::scene {
namespace load_shells_test {

using Nodes = std::vector<NodeRef>;

const std::string sheet =
    R"J("mesh": {"rectangle": {"corner": [0, 0, 0], "along": [0.2, 0, 0], "across": [0, 0.1, 0], "edge": 0.02}})J";

Nodes nodesOf(const std::string& selector) {
  const Scene scene = loaded(plateText("\"constraints\": [{\"fix\": " + selector + "}]"));
  return scene.constraints.empty() ? Nodes() : scene.constraints[0].nodes;
}

TEST(LoadShells, AFewLinesAreAShell) {
  const Scene scene = loaded(shellText("\"thickness\": 1e-3, " + sheet));
  ASSERT_EQ(scene.shells.size(), 1u);
  const Shell& shell = scene.shells[0];
  EXPECT_EQ(shell.name, "plate");
  EXPECT_EQ(shell.material, 0);
  EXPECT_EQ(valueOf(scene, shell.thickness), 1e-3);
  EXPECT_EQ(shell.bending, Shell::Bending::midedge);
  EXPECT_EQ(shell.membrane, Shell::Membrane::stvk);
  EXPECT_FALSE(shell.naturalFlat);
  EXPECT_GT(shell.points.size(), 60u);
  EXPECT_GT(shell.triangles.size(), 100u);
  EXPECT_EQ(scene.bodyCount(), 1);
  EXPECT_FALSE(scene.isRod(0));
  EXPECT_EQ(scene.bodyName(0), "plate");
  EXPECT_EQ(scene.warnings.size(), 0u) << warningsOf(scene);
}

TEST(LoadShells, ModelsAndTheirDefaults) {
  const auto shell = [](const std::string& members) {
    return loaded(shellText(members + ", \"thickness\": 1e-3, " + sheet)).shells.at(0);
  };
  EXPECT_EQ(shell(R"J("bending": "hinge")J").bending, Shell::Bending::hinge);
  EXPECT_EQ(shell(R"J("bending": "hinge")J").membrane, Shell::Membrane::springs);
  EXPECT_EQ(shell(R"J("bending": "hinge", "membrane": "stvk")J").membrane, Shell::Membrane::stvk);
  EXPECT_EQ(shell(R"J("bending": "midedge")J").membrane, Shell::Membrane::stvk);
  EXPECT_EQ(shell(R"J("membrane": "springs")J").membrane, Shell::Membrane::springs);
  EXPECT_TRUE(shell(R"J("natural": "flat")J").naturalFlat);
  EXPECT_EQ(shell(R"J("look": {"color": "#123", "opacity": 0.5})J").look.color, "#123");
}

TEST(LoadShells, DefaultsFillWhatIsLeftOut) {
  const Scene scene = loaded(shellText(sheet, R"J("defaults": {"shells": {"thickness": 2e-3, "bending": "hinge"}})J"));
  EXPECT_EQ(valueOf(scene, scene.shells.at(0).thickness), 2e-3);
  EXPECT_EQ(scene.shells.at(0).bending, Shell::Bending::hinge);
}

TEST(LoadShells, MeshesOfEveryKind) {
  const auto mesh = [](const std::string& text) {
    return loaded(shellText("\"thickness\": 1e-4, \"mesh\": {" + text + "}")).shells.at(0);
  };
  for (const char* pattern : {"equilateral", "equilateral-aligned", "right-isosceles", "random", "nonuniform"}) {
    const Shell shell = mesh(
        R"J("rectangle": {"corner": [1, 0, 0], "along": [0, 0.2, 0], "across": [0, 0, 0.1], "edge": 0.02, "pattern": ")J" +
        std::string(pattern) + "\"}");
    double area = 0;
    for (const std::array<int, 3>& t : shell.triangles) {
      const Vec3 &a = shell.points[t[0]], &b = shell.points[t[1]], &c = shell.points[t[2]];
      area += 0.5 * (b - a).cross(c - a).x();  // along x across is +x
    }
    EXPECT_NEAR(area, 0.02, 1e-12) << pattern;
  }
  const Shell hexagon =
      mesh(R"J("regular-polygon": {"center": [0, 0, 1], "normal": [0, 0, 1], "side": 0.3, "sides": 6, "edge": 0.1})J");
  EXPECT_EQ(hexagon.points.size(), 37u);
  EXPECT_EQ(hexagon.triangles.size(), 54u);
  const Shell disk = mesh(R"J("disk": {"center": [0, 0, 0], "normal": [1, 0, 0], "radius": 0.1, "edge": 0.05})J");
  EXPECT_EQ(disk.points.size(), 19u);
  double farthest = 0;
  for (const Vec3& point : disk.points) farthest = std::max(farthest, point.y());
  EXPECT_NEAR(farthest, 0.1, 1e-15);  // the first border vertex lies along y where the normal is along x
}

TEST(LoadShells, InlinePointsMayBeFormulas) {
  const Scene scene = loaded(shellText(
      R"J("thickness": 1e-3, "mesh": {"points": [[0,0,0], ["=L",0,0], [0,"=2*L",0]], "triangles": [[0,1,2]]})J",
      R"J("parameters": {"L": 0.5})J"));
  ASSERT_EQ(scene.shells.at(0).triangles.size(), 1u);
  EXPECT_EQ(scene.shells.at(0).points[2], Vec3(0, 1, 0));
  EXPECT_FALSE(scene.parameters.at(0).live);
}

TEST(LoadShells, TriangulationIsTurnedWithAWarning) {
  const Scene scene = loaded(shellText(
      R"J("thickness": 1e-3, "mesh": {"points": [[0,0,0],[1,0,0],[0,1,0],[1,1,0]], "triangles": [[0,1,2],[1,2,3]]})J"));
  EXPECT_EQ(scene.shells.at(0).triangles[0], (std::array<int, 3>{0, 1, 2}));
  const std::array<int, 3> t = scene.shells.at(0).triangles[1];
  const std::vector<Vec3>& p = scene.shells.at(0).points;
  EXPECT_GT((p[t[1]] - p[t[0]]).cross(p[t[2]] - p[t[0]]).z(), 0);
  EXPECT_NE(warningsOf(scene).find("turned"), std::string::npos) << warningsOf(scene);
}

TEST(LoadShells, ThicknessAndMaterialsAreLive) {
  const Scene scene = loaded(
      R"J({"format": "tendril/1", "parameters": {"E": 1e6, "nu": 0.3, "h": 1e-3, "p": 2, "wind": 3, "a": 1, "cd": 1, "e": 0.02, "x0": 0.01},
    "materials": {"m": {"youngs": "=E", "poisson": "=nu", "density": 1000}},
    "shells": {"plate": {"thickness": "=h", "mesh": {"rectangle": {"corner": [0,0,0], "along": [0.2,0,0], "across": [0,0.1,0], "edge": "=e"}}}},
    "constraints": [{"clamp": {"of": "plate", "where": "x < x0"}}],
    "loads": [{"pressure": "=p*t", "on": "plate"}], "actuation": [{"shell": "plate", "angle": "=a*t"}],
    "environment": {"fluid": {"density": 1, "velocity": ["=wind", 0, 0]}, "drag": "=cd"}})J");
  for (const Parameter& parameter : scene.parameters)
    EXPECT_EQ(parameter.live, parameter.name != "e" && parameter.name != "x0") << parameter.name;
}

TEST(LoadShells, SelectorsReachVertices) {
  EXPECT_EQ(nodesOf("\"plate\""), (Nodes{{1, 0}, {1, 1}, {1, 2}, {1, 3}, {1, 4}}));
  EXPECT_EQ(nodesOf("\"plate:3\""), (Nodes{{1, 3}}));
  EXPECT_EQ(nodesOf("\"plate:first\""), (Nodes{{1, 0}}));
  EXPECT_EQ(nodesOf("\"plate:last\""), (Nodes{{1, 4}}));
  EXPECT_EQ(nodesOf("\"plate:1..2\""), (Nodes{{1, 1}, {1, 2}}));
  EXPECT_EQ(nodesOf("\"plate@[0.06, 0.05, 3]\""), (Nodes{{1, 4}}));
  EXPECT_EQ(nodesOf("\"*:0\""), (Nodes{{0, 0}, {1, 0}}));
  EXPECT_EQ(nodesOf("\"*\"").size(), 10u);
  EXPECT_EQ(nodesOf(R"J({"of": "plate", "where": "x < 0.01"})J"), (Nodes{{1, 0}, {1, 3}}));
  EXPECT_EQ(nodesOf(R"J({"of": "plate", "where": "i == n - 1"})J"), (Nodes{{1, 4}}));
  EXPECT_EQ(nodesOf(R"J({"of": "*", "where": "z > -1e-6 && i == 0"})J"), (Nodes{{0, 0}, {1, 0}}));
}

TEST(LoadShells, JointsOfRodsAndShells) {
  const Scene scene = loaded(plateText(R"J("joints": [{"weld": ["rope:first", "plate@[0,0,0]"]}])J"));
  ASSERT_EQ(scene.joints.size(), 1u);
  EXPECT_TRUE(scene.joints[0].weld);
  EXPECT_EQ(scene.joints[0].nodes, (Nodes{{0, 0}, {1, 0}}));
  const Scene two = loaded(
      R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1, "density": 1}}, "defaults": {"shells": {"thickness": 1e-3}},
    "shells": {"a": {"mesh": {"points": [[0,0,0],[1,0,0],[0,1,0]], "triangles": [[0,1,2]]}},
               "b": {"mesh": {"points": [[0,0,0],[1,0,0],[0,0,1]], "triangles": [[0,1,2]]}}},
    "joints": [{"weld": ["a:0", "b:0"]}, {"pin": ["a:1", "b:1"]}]})J");
  ASSERT_EQ(two.joints.size(), 2u);
  EXPECT_EQ(two.joints[1].nodes, (Nodes{{0, 1}, {1, 1}}));
}

TEST(LoadShells, TheJointToleranceMeasuresShellsToo) {
  // 1e-6 of the diagonal of a plate of 1000 m: the rods that meet there may be 1.4 mm apart.
  const std::string text = R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1, "density": 1}},
    "rods": {"a": {"section": {"circle": {"radius": 0.01}}, "path": {"line": {"from": [0,0,0.001], "to": [0,0,1]}}}},
    "shells": {"p": {"thickness": 1e-3, "mesh": {"points": [[0,0,0],[1000,0,0],[0,1000,0]], "triangles": [[0,1,2]]}}},
    "joints": [{"weld": ["a:first", "p:0"]}]})J";
  EXPECT_EQ(loaded(text).joints.size(), 1u);
}

TEST(LoadShells, LoadsAndConstraints) {
  const Scene scene = loaded(plateText(
      R"J("constraints": [{"clamp": "plate:0..1", "displacement": [0, 0, "=t"]}, {"move": "plate:2", "velocity": [1,0,0]}, {"planar": "xy"}],
    "loads": [{"pressure": "=2*t", "on": "plate"}, {"line": [0,0,1], "on": "plate:0..1"}, {"force": [0,0,1], "at": "plate", "share": true}, {"mass": 0.1, "at": "plate:4"}],
    "initial": [{"velocity": ["=x", "=i/n", 0], "of": "plate"}],
    "solver": {"start": "equilibrium", "with": [{"pressure": 5, "on": "plate"}]})J"));
  ASSERT_EQ(scene.constraints.size(), 3u);
  EXPECT_EQ(scene.constraints[0].nodes.size(), 2u);
  ASSERT_EQ(scene.loads.size(), 4u);
  EXPECT_EQ(scene.loads[0].kind, Load::Kind::pressure);
  EXPECT_EQ(valueOf(scene, scene.loads[0].pressure, 3), 6);
  EXPECT_EQ(scene.loads[0].nodes.size(), 5u);
  EXPECT_EQ(scene.loads[1].nodes.size(), 2u);
  EXPECT_TRUE(scene.loads[2].share);
  EXPECT_TRUE((*scene.initial.at(0).velocity)[0].isField());
  EXPECT_EQ(valueOf(scene, scene.solver.startWith.at(0).pressure), 5);
}

TEST(LoadShells, TheMediumMoves) {
  const Scene scene = loaded(plateText(
      R"J("environment": {"fluid": {"density": 1.2, "velocity": [0, "=5*ramp(t,0,1)", 0]}, "drag": 1.1, "buoyancy": true})J"));
  EXPECT_EQ(valueOf(scene, scene.environment.fluidVelocity[1], 0.5), 2.5);
  EXPECT_EQ(valueOf(scene, scene.environment.drag), 1.1);
  EXPECT_TRUE(scene.environment.buoyancy);
  EXPECT_EQ(scene.warnings.size(), 0u) << warningsOf(scene);
  const Scene still = loaded(plateText(R"J("environment": {"fluid": {"velocity": [1,0,0]}, "viscous": 0.1})J"));
  EXPECT_FALSE(still.environment.fluidDensity);
}

TEST(LoadShells, HingesAreActuatedAndMeasured) {
  const Scene scene = loaded(plateText(
      R"J("actuation": [{"shell": {"of": "plate", "where": "abs(x - y) < 1e-6"}, "angle": "=0.1*sin(t)*(i + 1)", "from": 1}],
    "probes": {"fold": {"angle": "plate", "reduce": "max"}, "m": {"energy": "membrane", "of": "plate"}, "h": {"energy": "hinge"}, "all": {"energy": "total", "of": "*"},
               "gap": {"distance": ["plate:0", "rope:last"]}, "pull": {"reaction": "plate:0..1"}, "v": {"speed": "plate:4"}})J"));
  ASSERT_EQ(scene.actuation.size(), 1u);
  EXPECT_EQ(scene.actuation[0].nodes, (Nodes{{1, 0}, {1, 2}, {1, 4}}));
  EXPECT_TRUE(scene.actuation[0].angle->isField());
  EXPECT_EQ(scene.actuation[0].interval.from, 1);
  EXPECT_EQ(scene.probes[0].kind, Probe::Kind::angle);
  EXPECT_EQ(scene.probes[0].reduce, Reduce::max);
  EXPECT_EQ(scene.probes[1].energy, EnergyKind::membrane);
  EXPECT_EQ(scene.probes[1].bodies, (std::vector<int>{1}));
  EXPECT_EQ(scene.probes[3].bodies, (std::vector<int>{0, 1}));
  EXPECT_EQ(scene.columns,
            (std::vector<std::string>{"fold", "m", "h", "all", "gap", "pull.x", "pull.y", "pull.z", "v"}));
}

TEST(LoadShells, ExplicitIntegratorsTakeHingesPinsAndWelds) {
  const auto scene = [](const std::string& joints) {
    return shellText(
        R"J("thickness": 1e-3, "bending": "hinge", )J" + sheet,
        R"J("rods": {"a": {"section": {"circle": {"radius": 1e-3}}, "path": {"line": {"from": [0,0,0], "to": [0,0,-1]}}}},
      "solver": {"integrator": "verlet", "dt": 1e-5})J" +
            joints);
  };
  EXPECT_EQ(loaded(scene("")).solver.integrator, Integrator::verlet);
  EXPECT_EQ(loaded(scene(R"J(, "joints": [{"pin": ["a:first", "plate@[0,0,0]"]}])J")).joints.size(), 1u);
  EXPECT_EQ(loaded(scene(R"J(, "joints": [{"weld": ["a:first", "plate@[0,0,0]"]}])J")).joints.size(), 1u);
}

TEST(LoadShells, Warnings) {
  const auto warnings = [](const std::string& more) { return warningsOf(loaded(plateText(more))); };
  EXPECT_EQ(warnings(""), "");
  EXPECT_NE(warningsOf(loaded(shellText("\"thickness\": 1, " + sheet))).find("is the mesh in another unit?"),
            std::string::npos);
  EXPECT_EQ(warningsOf(loaded(shellText("\"thickness\": 0.02, " + sheet))), "");
  EXPECT_NE(warnings(R"J("solver": {"mode": "static"}, "constraints": [{"clamp": "rope:first"}])J")
                .find("nothing holds shell \"plate\""),
            std::string::npos);
  EXPECT_EQ(
      warnings(
          R"J("solver": {"mode": "static"}, "constraints": [{"clamp": "rope:first"}], "joints": [{"weld": ["rope:first", "plate:0"]}])J"),
      "");
  EXPECT_NE(warnings(R"J("constraints": [{"fix": "plate:0"}, {"move": "plate:0", "displacement": [0, 0, "=t"]}])J")
                .find("prescribe z of plate:0 differently"),
            std::string::npos);
  EXPECT_NE(warnings(R"J("constraints": [{"move": "plate:0", "displacement": [0, "=t", 0]}, {"planar": "xz"}])J")
                .find("prescribe y of plate:0 differently"),
            std::string::npos);
  EXPECT_NE(warnings(R"J("constraints": [{"clamp": "plate:4"}])J").find("acts like \"fix\""), std::string::npos);
  EXPECT_EQ(warnings(R"J("constraints": [{"clamp": "plate:0..1"}])J"), "");
  EXPECT_NE(
      warnings(R"J("environment": {"fluid": {"velocity": [1,0,0]}})J").find("the velocity of the medium has no effect"),
      std::string::npos);
  EXPECT_NE(
      warningsOf(loaded(sceneText(R"J("environment": {"fluid": {"density": 1}, "drag": 1})J"))).find("acts on shells"),
      std::string::npos);
  const Scene used = loaded(
      R"J({"format": "tendril/1", "materials": {"a": {"youngs": 1, "density": 1}, "b": {"youngs": 1, "density": 1}},
    "shells": {"p": {"material": "b", "thickness": 1e-3, )J" +
      sheet + "}}}");
  EXPECT_NE(warningsOf(used).find("material \"a\" is not used"), std::string::npos);
  EXPECT_EQ(warningsOf(used).find("material \"b\""), std::string::npos);
}

TEST(LoadShells, ExpansionPrintsThemAndLoadsTheSame) {
  const std::string text =
      R"J({"format": "tendril/1", "parameters": {"h": 1e-3}, "materials": {"m": {"youngs": 1, "density": 1}}, "defaults": {"shells": {"bending": "hinge"}},
    "shells": {"p{k}": {"repeat": {"k": 2}, "thickness": "=h*(k+1)", "mesh": {"points": [[0,0,"=k"],[1,0,"=k"],[0,1,"=k"]], "triangles": [[0,1,2]]}}}})J";
  const auto expanded = expandScene(text);
  ASSERT_TRUE(std::holds_alternative<std::string>(expanded));
  EXPECT_EQ(std::get<std::string>(expanded).find("repeat"), std::string::npos);
  const Scene scene = loaded(std::get<std::string>(expanded));
  ASSERT_EQ(scene.shells.size(), 2u);
  EXPECT_EQ(scene.shells[1].name, "p1");
  EXPECT_EQ(scene.shells[1].bending, Shell::Bending::hinge);
  EXPECT_EQ(scene.shells[1].points[0], Vec3(0, 0, 1));
  EXPECT_EQ(valueOf(scene, scene.shells[1].thickness), 2e-3);
}

}  // namespace load_shells_test
}  // namespace tendril::scene
