// A scene in other units is the same scene: with seconds, meters and kilograms told as powers of two, every bit of a
// run is the same, for rods, shells and linkages with contact and friction.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/simulation/run_scene.h"

namespace tendril {
namespace simulation_units_test {

using test::digits;

struct Units {
  double time = 1, length = 1, mass = 1;
};

/// The scene's numbers in these units, by their dimensions: "<value kg m s>" becomes value * mass^kg * length^m *
/// time^s.
std::string told(const std::string& text, const Units& u) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] != '<') {
      out += text[at++];
      continue;
    }
    double value = 0;
    int kg = 0, m = 0, s = 0, read = 0;
    if (std::sscanf(text.c_str() + at, "<%lf %d %d %d>%n", &value, &kg, &m, &s, &read) != 4 || read == 0)
      throw std::logic_error(text.substr(at, 20));
    out += digits(value * std::pow(u.mass, kg) * std::pow(u.length, m) * std::pow(u.time, s));
    at += std::size_t(read);
  }
  return out;
}

const char* const rods = R"J({"format": "tendril/1",
"materials": {"rubber": {"youngs": <1e6 1 -1 -2>, "poisson": 0.4, "density": <1000 1 -3 0>, "damping": <200 1 -1 -1>}},
"defaults": {"rods": {"section": {"circle": {"radius": <0.01 0 1 0>}}, "segments": 8}},
"rods": {"a": {"path": {"line": {"from": [0, 0, <0.1 0 1 0>], "to": [<0.3 0 1 0>, 0, <0.12 0 1 0>]}}},
         "b": {"path": {"line": {"from": [<0.15 0 1 0>, <-0.1 0 1 0>, <0.15 0 1 0>], "to": [<0.15 0 1 0>, <0.1 0 1 0>, <0.16 0 1 0>]}}}},
"constraints": [{"clamp": "a:first", "until": <0.3 0 0 1>, "then": "release"}],
"obstacles": {"floor": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}},
"contact": {"self": true, "friction": 0.3, "stiffness": <2000 1 0 -2>, "distance": <0.001 0 1 0>, "slip": <0.001 0 1 -1>, "damping": <0.001 0 0 1>},
"environment": {"gravity": [0, 0, <-9.81 0 1 -2>], "viscous": <0.01 1 -1 -1>},
"solver": {"integrator": "$integrator", "dt": <0.005 0 0 1>, "duration": <0.6 0 0 1>}})J";

const char* const shell = R"J({"format": "tendril/1",
"materials": {"sheet": {"youngs": <1e6 1 -1 -2>, "poisson": 0.3, "density": <1000 1 -3 0>, "damping": <200 1 -1 -1>}},
"shells": {"flap": {"thickness": <0.002 0 1 0>, "bending": "$bending",
  "mesh": {"rectangle": {"corner": [<-0.15 0 1 0>, <-0.1 0 1 0>, <0.06 0 1 0>], "along": [<0.3 0 1 0>, 0, 0], "across": [0, <0.2 0 1 0>, 0], "edge": <0.05 0 1 0>}}}},
"obstacles": {"ball": {"sphere": {"center": [0, <0.01 0 1 0>, 0], "radius": <0.05 0 1 0>}}},
"contact": {"friction": 0.3, "stiffness": <500 1 0 -2>, "distance": <0.001 0 1 0>, "slip": <0.001 0 1 -1>},
"environment": {"gravity": [0, 0, <-9.81 0 1 -2>], "fluid": {"density": <1.2 1 -3 0>}, "drag": 1},
"solver": {"integrator": "$integrator", "dt": <0.004 0 0 1>, "duration": <0.3 0 0 1>}})J";

const char* const links = R"J({"format": "tendril/1",
"materials": {"rubber": {"youngs": <1e6 1 -1 -2>, "poisson": 0.4, "density": <1000 1 -3 0>, "damping": <500 1 -1 -1>}},
"linkages": {"arm": {"base": {"position": [0, 0, <0.2 0 1 0>]}, "links": {
  "upper": {"joint": {"revolute": {"axis": "y", "stiffness": <0.1 1 2 -2>, "damping": <0.01 1 2 -1>}},
            "body": {"rigid": {"length": <0.2 0 1 0>, "section": {"circle": {"radius": <0.01 0 1 0>}}, "density": <1000 1 -3 0>}}},
  "slide": {"joint": {"prismatic": {"axis": "x", "stiffness": <100 1 0 -2>, "damping": <0.5 1 0 -1>}},
            "body": {"rigid": {"length": <0.1 0 1 0>, "section": {"circle": {"radius": <0.01 0 1 0>}}, "density": <1000 1 -3 0>}}},
  "limb": {"body": {"soft": {"length": <0.3 0 1 0>, "section": {"circle": {"radius": <0.01 0 1 0>}}, "material": "rubber",
                             "strains": {"bendY": 2, "bendZ": 1, "stretch": 1}}}}}}},
"obstacles": {"floor": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}},
"contact": {"friction": 0.3, "stiffness": <500 1 0 -2>, "distance": <0.001 0 1 0>, "slip": <0.001 0 1 -1>},
"environment": {"gravity": [0, 0, <-9.81 0 1 -2>]},
"solver": {"integrator": "$integrator", "dt": <0.005 0 0 1>, "duration": <0.5 0 0 1>}})J";

// A crank that a motor turns, a rod, and a slider with a spring along its way: a closed loop, and coordinates of unlike
// units.
const char* const engine = R"J({"format": "tendril/1",
"linkages": {"engine": {"links": {
  "crank": {"joint": {"revolute": {"axis": "y", "angle": "=0.8 * sin(3 * t / <1 0 0 1>)"}},
            "body": {"rigid": {"length": <0.1 0 1 0>, "section": {"circle": {"radius": <0.01 0 1 0>}}, "density": <2000 1 -3 0>}}},
  "rod": {"joint": {"revolute": {"axis": "y", "damping": <0.001 1 2 -1>}},
          "body": {"rigid": {"length": <0.3 0 1 0>, "section": {"circle": {"radius": <0.01 0 1 0>}}, "density": <1000 1 -3 0>}}},
  "slider": {"parent": "base", "offset": {"position": [<0.4 0 1 0>, 0, 0]}, "joint": {"prismatic": {"axis": "x", "stiffness": <50 1 0 -2>, "damping": <0.4 1 0 -1>}},
             "body": {"rigid": {"length": <0.05 0 1 0>, "section": {"circle": {"radius": <0.02 0 1 0>}}, "density": <3000 1 -3 0>}}}},
  "loops": [{"from": "rod", "to": "slider@0", "joint": {"revolute": {"axis": "y"}}}]}},
"environment": {"gravity": [0, 0, <-9.81 0 1 -2>]},
"solver": {"integrator": "$integrator", "dt": <0.01 0 0 1>, "duration": <0.6 0 0 1>}})J";

// Turns and ways in one joint, a soft link with a tendon, a medium with drag.
const char* const arm = R"J({"format": "tendril/1",
"materials": {"rubber": {"youngs": <1e6 1 -1 -2>, "poisson": 0.4, "density": <1000 1 -3 0>, "damping": <500 1 -1 -1>}},
"linkages": {"arm": {"base": {"position": [0, 0, <0.2 0 1 0>]}, "links": {
  "cart": {"joint": {"planar": {"axis": "y", "stiffness": [<0.2 1 2 -2>, <30 1 0 -2>], "damping": [<0.002 1 2 -1>, <0.3 1 0 -1>]}},
           "body": {"rigid": {"length": <0.1 0 1 0>, "section": {"circle": {"radius": <0.02 0 1 0>}}, "density": <1000 1 -3 0>}}},
  "ball": {"joint": {"spherical": {"damping": <0.001 1 2 -1>}}, "body": {"rigid": {"length": <0.1 0 1 0>, "section": {"circle": {"radius": <0.01 0 1 0>}}, "density": <1000 1 -3 0>}}},
  "limb": {"body": {"soft": {"length": <0.3 0 1 0>, "section": {"circle": {"radius": <0.01 0 1 0>}}, "material": "rubber",
                             "strains": {"twist": 1, "bendY": 2, "bendZ": 1, "stretch": 1}}}, "fluid": {"drag": 1, "lift": 0.1}}},
  "cables": {"left": {"through": "limb", "path": {"constant": [0, <0.006 0 1 0>]}, "tension": <2 1 1 -2>}}}},
"environment": {"gravity": [0, <1 0 1 -2>, <-9.81 0 1 -2>], "fluid": {"density": <100 1 -3 0>}},
"solver": {"integrator": "$integrator", "dt": <0.005 0 0 1>, "duration": <0.4 0 0 1>}})J";

// Equilibria, with a follower force on a rod, a sheet, and a soft arm on a sprung rail.
const char* const still = R"J({"format": "tendril/1",
"materials": {"rubber": {"youngs": <1e6 1 -1 -2>, "poisson": 0.4, "density": <1000 1 -3 0>}},
"rods": {"a": {"section": {"circle": {"radius": <0.005 0 1 0>}}, "segments": 12, "path": {"line": {"from": [0, 0, 0], "to": [<0.3 0 1 0>, 0, 0]}}}},
"shells": {"flap": {"thickness": <0.004 0 1 0>, "bending": "midedge",
  "mesh": {"rectangle": {"corner": [0, <0.2 0 1 0>, 0], "along": [<0.2 0 1 0>, 0, 0], "across": [0, <0.1 0 1 0>, 0], "edge": <0.05 0 1 0>}}}},
"linkages": {"arm": {"base": {"position": [0, <-0.2 0 1 0>, 0]}, "links": {
  "rail": {"joint": {"prismatic": {"axis": "z", "stiffness": <20 1 0 -2>}},
           "body": {"rigid": {"length": <0.1 0 1 0>, "section": {"circle": {"radius": <0.01 0 1 0>}}, "density": <1000 1 -3 0>}}},
  "limb": {"body": {"soft": {"length": <0.3 0 1 0>, "section": {"circle": {"radius": <0.01 0 1 0>}}, "material": "rubber", "strains": {"bendY": 2, "stretch": 1}}}}}}},
"constraints": [{"clamp": "a:first"}, {"clamp": {"of": "flap", "where": "<1e-6 0 1 0> > x"}}],
"loads": [{"follower": [0, 0, <0.02 1 1 -2>], "at": "a:last"}],
"environment": {"gravity": [0, 0, <-9.81 0 1 -2>]},
"solver": {"mode": "static", "loadSteps": 3, "duration": <1 0 0 1>}})J";

const char* const sheet = R"J({"format": "tendril/1",
"materials": {"sheet": {"youngs": <1e5 1 -1 -2>, "poisson": 0.3, "density": <1000 1 -3 0>, "damping": <20 1 -1 -1>}},
"shells": {"flap": {"thickness": <0.002 0 1 0>, "bending": "hinge",
  "mesh": {"rectangle": {"corner": [0, 0, 0], "along": [<0.3 0 1 0>, 0, 0], "across": [0, <0.2 0 1 0>, 0], "edge": <0.05 0 1 0>}}}},
"constraints": [{"clamp": {"of": "flap", "where": "<1e-6 0 1 0> > x"}}],
"environment": {"gravity": [0, 0, <-9.81 0 1 -2>], "fluid": {"density": <1.2 1 -3 0>}, "drag": 1},
"solver": {"integrator": "$integrator", "dt": <0.001 0 0 1>, "duration": <0.3 0 0 1>}})J";

struct Case {
  const char *name, *scene, *integrator, *bending;
};

class SceneUnits : public ::testing::TestWithParam<Case> {};

TEST_P(SceneUnits, ChangeNoBit) {
  const Case& c = GetParam();
  const std::string text = test::filled(c.scene, {{"integrator", c.integrator}, {"bending", c.bending}});
  struct Course {
    std::vector<double> nodes;
    long iterations = 0, retries = 0;
  };
  const auto run = [&](const Units& u) {
    Course out;
    Simulation sim(told(text, u));
    while (!sim.finished()) {
      const Progress p = sim.step();
      out.iterations += p.iterations, out.retries += p.retries;
      for (const double x : test::allNodes(sim)) out.nodes.push_back(x / u.length);
    }
    return out;
  };
  const Course plain = run({});
  for (const Units& u : {Units{16, 1, 1}, Units{1, 4, 1}, Units{1, 1, 8}, Units{0.0625, 0.25, 2}, Units{1, 0x1p-20, 1},
                         Units{0x1p-14, 0x1p-20, 0x1p-30}, Units{0x1p10, 0x1p20, 0x1p30}}) {
    const Course other = run(u);
    EXPECT_EQ(other.iterations, plain.iterations) << u.time << " " << u.length << " " << u.mass;
    EXPECT_EQ(other.retries, plain.retries);
    ASSERT_EQ(other.nodes.size(), plain.nodes.size());
    std::size_t first = 0;
    while (first < plain.nodes.size() && plain.nodes[first] == other.nodes[first]) ++first;
    double worst = 0;
    for (std::size_t i = 0; i < plain.nodes.size(); ++i)
      worst = std::max(worst, std::abs(plain.nodes[i] - other.nodes[i]));
    EXPECT_EQ(first, plain.nodes.size()) << "time " << u.time << " length " << u.length << " mass " << u.mass
                                         << ": up to " << worst;
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, SceneUnits,
    ::testing::Values(
        Case{"RodsEuler", rods, "implicit-euler", ""}, Case{"RodsBdf2", rods, "bdf2", ""},
        Case{"RodsMidpoint", rods, "implicit-midpoint", ""}, Case{"HingesEuler", shell, "implicit-euler", "hinge"},
        Case{"HingesMidpoint", shell, "implicit-midpoint", "hinge"},
        Case{"MidedgeEuler", shell, "implicit-euler", "midedge"}, Case{"LinksEuler", links, "implicit-euler", ""},
        Case{"LinksAlpha", links, "generalized-alpha", ""}, Case{"LinksMidpoint", links, "implicit-midpoint", ""},
        Case{"LoopEuler", engine, "implicit-euler", ""}, Case{"LoopAlpha", engine, "generalized-alpha", ""},
        Case{"ArmBdf2", arm, "bdf2", ""}, Case{"ArmAlpha", arm, "generalized-alpha", ""},
        Case{"ArmMidpoint", arm, "implicit-midpoint", ""}, Case{"SheetVerlet", sheet, "verlet", ""},
        Case{"Equilibria", still, "", ""}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace simulation_units_test
}  // namespace tendril
