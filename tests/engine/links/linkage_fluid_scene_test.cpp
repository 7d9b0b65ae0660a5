// Linkages in a medium through the door: terminal speed with buoyancy, rigid and soft, and a stream that bends an arm.
#include <gtest/gtest.h>

#include "engine/simulation/run_scene.h"

namespace tendril::links {
namespace linkage_fluid_scene_test {

using namespace test;

// 0.3 m long, 10 mm thick in radius, 2000 kg/m^3, falling across itself in water.
std::string sinking(const std::string& body, const std::string& more) {
  return R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e9, "poisson": 0.3, "density": 2000}},
    "linkages": {"l": {"base": {"position": [0, 0, 0]}, "links": {"stick": {"joint": {"prismatic": {"axis": "z"}},
      "body": )J" +
         body + R"J(, "fluid": {"drag": 1.1, "added": 0.6}}}}},
    "environment": {"gravity": [0, 0, -9.81], "fluid": {"density": 1000)J" +
         more + R"J(}, "buoyancy": true},
    "solver": {"dt": 1e-2, "duration": 5}, "probes": {"v": {"velocity": "l/stick:tip"}}})J";
}

const char* const rigidStick =
    R"J({"rigid": {"length": 0.3, "section": {"circle": {"radius": 0.01}}, "density": 2000}})J";
const char* const softStick =
    R"J({"soft": {"length": 0.3, "section": {"circle": {"radius": 0.01}}, "material": "m", "strains": {"bendY": 1}}})J";

TEST(LinkageFluidScene, RigidAndSoftLinksSinkAtTheTerminalSpeed) {
  // m g (1 - rho_w / rho) = rho_w r L drag v^2.
  const double speed = std::sqrt(pi * 1e-4 * 1000 * 9.81 / (1000 * 0.01 * 1.1));
  for (const char* body : {rigidStick, softStick}) {
    Simulation still(sinking(body, "")), stream(sinking(body, R"J(, "velocity": [0, 0, 0.2])J"));
    runToEnd(still);
    runToEnd(stream);
    EXPECT_NEAR(column(still, "v.z"), -speed, 1e-5 * speed) << body;
    EXPECT_NEAR(column(stream, "v.z"), 0.2 - speed, 1e-5 * speed) << body;
  }
}

// Added mass and buoyancy at the start: (m - m_w) g / (m + added m_w) = 9.81 (2000 - 1000) / (2000 + 600).
TEST(LinkageFluidScene, TheFallBeginsWithTheMassOfTheWaterMoved) {
  for (const char* body : {rigidStick, softStick}) {
    Simulation sim(sinking(body, ""));
    sim.advance(0.01);
    EXPECT_NEAR(column(sim, "v.z"), -9.81 * 1000 / 2600 * 0.01, 5e-3 * 0.04) << body;
  }
}

// A cone's volume is a polynomial's integral: a cone as heavy as its water floats in any pose and does not move.
TEST(LinkageFluidScene, ATaperedRigidBodyDisplacesItsExactVolume) {
  const double mass = 1000 * pi / 3 * 0.4 * (4e-2 * 4e-2 + 4e-2 * 5e-3 + 5e-3 * 5e-3);
  // About the center of its volume, given as the center of mass too.
  const double center =
      0.4 * (4e-2 * 4e-2 + 2 * 4e-2 * 5e-3 + 3 * 5e-3 * 5e-3) / (4 * (4e-2 * 4e-2 + 4e-2 * 5e-3 + 5e-3 * 5e-3));
  char body[200];
  std::snprintf(body, sizeof body, R"J("mass": %.17g, "inertia": [0.01, 0.02, 0.02], "center": [%.17g, 0, 0])J", mass,
                center);
  for (const std::string& given : {std::string(body), std::string(R"J("density": 1000)J")}) {
    Simulation sim(R"J({"format": "tendril/1", "linkages": {"l": {"links": {"cone": {"joint": {"free": {}},
        "offset": {"rotation": {"axis": [0.3, 1, 0.2], "angle": 0.8}},
        "body": {"rigid": {"length": 0.4, "section": {"circle": {"radius": "=0.04 - 0.0875*s"}}, )J" +
                   given + R"J(}}}}}},
      "environment": {"gravity": [0, 0, -9.81], "fluid": {"density": 1000}, "buoyancy": true},
      "solver": {"dt": 0.05, "duration": 1}, "probes": {"p": {"pose": "l:tip"}, "v": {"speed": "l:tip"}}})J");
    const double x = column(sim, "p.x"), z = column(sim, "p.z");
    runToEnd(sim);
    EXPECT_NEAR(column(sim, "p.x"), x, 1e-12) << given;
    EXPECT_NEAR(column(sim, "p.z"), z, 1e-12) << given;
    EXPECT_LT(column(sim, "v"), 1e-12) << given;
  }
}

// Its mass by how it is pushed, its inertia by how it is turned; steps and bulges of a section, however short.
TEST(LinkageFluidScene, ARigidBodyHasTheMassOfItsSection) {
  const double length = 0.4, rho = 2000;
  const auto disk = [](double r) { return pi * r * r; };
  const auto polar = [](double r) { return 0.5 * pi * r * r * r * r; };
  const double k = 60, a = 0.01, b = 0.008, kl = k * length;
  const struct {
    const char* radius;
    double mass, about;  // of a meter's density 1
  } cases[] = {
      {"s < 0.15 ? 0.02 : 0.01", 0.15 * disk(0.02) + 0.25 * disk(0.01), 0.15 * polar(0.02) + 0.25 * polar(0.01)},
      {"abs(s - 0.21) < 0.016 ? 0.05 : 0.005", 0.032 * disk(0.05) + 0.368 * disk(0.005),
       0.032 * polar(0.05) + 0.368 * polar(0.005)},
      {"abs(s - 0.0713) < 0.002 ? 0.05 : 0.005", 0.004 * disk(0.05) + 0.396 * disk(0.005),
       0.004 * polar(0.05) + 0.396 * polar(0.005)},
      {"0.01 + 0.008*sin(60*s)",
       pi * (a * a * length + 2 * a * b * (1 - std::cos(kl)) / k + b * b * (length / 2 - std::sin(2 * kl) / (4 * k))),
       0},
      {"0.02 - 0.03*s", pi * length * (4e-4 + 0.02 * 0.008 + 6.4e-5) / 3, 0},
  };
  for (const auto& [radius, mass, about] : cases) {
    const auto moved = [&, r = std::string(radius)](const char* joint, const char* load, const char* probe) {
      Simulation sim(R"J({"format": "tendril/1", "linkages": {"l": {"links": {"b": {"joint": )J" + std::string(joint) +
                     R"J(, "body": {"rigid": {"length": 0.4, "section": {"circle": {"radius": "=)J" + r +
                     R"J("}}, "density": 2000}}}}}},
        "loads": [{)J" +
                     load +
                     R"J(, "at": "l/b"}], "solver": {"dt": 0.1, "duration": 1, "integrator": "implicit-midpoint"},
        "probes": {"q": {)J" +
                     probe + R"J(: "l/b"}}})J");
      runToEnd(sim);
      return column(sim, "q");
    };
    const double way = moved(R"J({"prismatic": {"axis": "z"}})J", R"J("force": [0, 0, 0.01])J", R"J("jointAngle")J");
    EXPECT_NEAR(0.5 * 0.01 / way, rho * mass, 1e-8 * rho * mass) << radius;
    if (about == 0) continue;
    const double angle = moved(R"J({"revolute": {"axis": "x"}})J", R"J("moment": [1e-6, 0, 0])J", R"J("jointAngle")J");
    EXPECT_NEAR(0.5 * 1e-6 / angle, rho * about, 1e-8 * rho * about) << radius;
  }
}

// A stick of given mass that hangs on a ball joint, heavy at its foot: buoyancy acts at the middle of its volume.
// Released level it swings as a pendulum does; energy, with that of buoyancy, stays.
TEST(LinkageFluidScene, BuoyancyLiftsAtTheCenterOfTheVolume) {
  Simulation sim(
      R"J({"format": "tendril/1", "linkages": {"l": {"links": {"stick": {"joint": {"revolute": {"axis": "y"}},
      "body": {"rigid": {"length": 0.4, "section": {"circle": {"radius": 0.02}}, "mass": 0.3, "inertia": [1e-4, 2e-3, 2e-3], "center": [0.1, 0, 0]}}}}}},
    "environment": {"gravity": [0, 0, -9.81], "fluid": {"density": 1000}, "buoyancy": true},
    "solver": {"dt": 1e-3, "duration": 0.5, "integrator": "implicit-midpoint"},
    "probes": {"q": {"jointAngle": "l/stick"}, "E": {"energy": "total"}, "G": {"energy": "gravity"}, "K": {"energy": "kinetic"}, "a": {"jointEffort": "l/stick"}}})J");
  const double water = 1000 * pi * 4e-4 * 0.4;
  const double moment = 9.81 * (water * 0.2 - 0.3 * 0.1), inertia = 2e-3 + 0.3 * 0.01;
  sim.advance(0.01);
  EXPECT_NEAR(column(sim, "q"), -0.5 * moment / inertia * 1e-4, 1e-5 * moment / inertia * 1e-4);
  EXPECT_NEAR(column(sim, "G"), moment * std::sin(column(sim, "q")), 1e-12);
  const double energy = column(sim, "E");
  runToEnd(sim);
  EXPECT_GT(column(sim, "K"), 0.1);
  EXPECT_NEAR(column(sim, "E"), energy, 1e-5 * column(sim, "K"));
}

// A stiff arm across a steady stream turns on its sprung hinge by the moment of its drag.
TEST(LinkageFluidScene, AStreamHoldsASprungArm) {
  for (const char* solver : {R"J({"mode": "static"})J", R"J({"dt": 0.02, "duration": 20})J"}) {
    Simulation sim(std::string(R"J({"format": "tendril/1", "linkages": {"l": {"links": {"stick": {
      "joint": {"revolute": {"axis": "z", "stiffness": 200, "damping": 20}},
      "body": {"rigid": {"length": 0.3, "section": {"circle": {"radius": 0.01}}, "density": 2000}}, "fluid": {"drag": 1.1}}}}},
      "environment": {"fluid": {"density": 1000, "velocity": [0, 0.5, 0]}}, "solver": )J") +
                   solver + R"J(, "probes": {"q": {"jointAngle": "l/stick"}}})J");
    runToEnd(sim);
    const double q = column(sim, "q");
    // |v| and the part across v cos q: moment rho r drag v^2 cos q L^2 / 2.
    EXPECT_NEAR(200 * q, 1000 * 0.01 * 1.1 * 0.25 * std::cos(q) * 0.045, 1e-6) << solver;
    EXPECT_GT(q, 5e-4);
  }
}

// A rigid stick and a soft one behind it, thrown: in a stream, and seen from the stream.
std::string thrownInWater(double stream, const std::string& integrator, const std::string& fluid, double dt = 2e-3) {
  return filled(R"J({"format": "tendril/1", "materials": {"m": {"youngs": 2e5, "poisson": 0.3, "density": 1300}},
    "linkages": {"l": {"base": {"position": [0, 0, 0]}, "links": {
      "head": {"joint": {"free": {}}, "body": {"rigid": {"length": 0.2, "section": {"circle": {"radius": 0.01}}, "density": 1500}}, "fluid": $fluid},
      "tail": {"parent": "head", "joint": {"fixed": {}}, "fluid": $fluid,
        "body": {"soft": {"length": 0.3, "section": {"circle": {"radius": 0.01}}, "material": "m", "strains": {"bendY": 2, "bendZ": 2}}}}}}},
    "initial": [{"of": "l/head", "displacementRate": [$speed, 0.3, -0.2], "angleRate": [0.5, 1.5, -2]}],
    "environment": {"gravity": [0, 0, 0], "fluid": {"density": 1000, "velocity": [$stream, 0, 0]}},
    "solver": {"dt": $dt, "duration": 0.5, "integrator": "$integrator", "tolerance": 1e-12},
    "probes": {"tip": {"position": "l/tail:tip"}, "numerical": {"energy": "numerical"}, "kinetic": {"energy": "kinetic"}}})J",
                {{"fluid", fluid},
                 {"speed", digits(0.4 + stream)},
                 {"stream", digits(stream)},
                 {"integrator", integrator},
                 {"dt", digits(dt)}});
}

TEST(LinkageFluidScene, AStreamCarriesLinksAsOneSeesFromIt) {
  for (const char* integrator : {"generalized-alpha", "bdf2", "implicit-midpoint"}) {
    for (const char* fluid : {R"J({"added": 0.9})J", R"J({"added": 0.6, "drag": 1.1})J"}) {
      double before = 0;
      for (const double dt : {2e-3, 1e-3}) {
        Simulation still(thrownInWater(0, integrator, fluid, dt)), stream(thrownInWater(-1.3, integrator, fluid, dt));
        runToEnd(still);
        runToEnd(stream);
        const double apart = (vectorColumn(stream, "tip") - vectorColumn(still, "tip") + Vec3(1.3 * 0.5, 0, 0)).norm();
        EXPECT_LT(apart, 2e-5) << integrator << fluid;
        if (before > 0) {
          EXPECT_LT(apart, before / 3) << integrator << fluid;
        }
        const double kept = std::string(integrator) == "implicit-midpoint" ? 1e-12 : 2e-3;
        EXPECT_LT(std::abs(column(stream, "numerical")), kept * column(stream, "kinetic")) << integrator << fluid;
        before = apart;
      }
    }
  }
}

// The moment of Munk turns a body across the stream, about whatever axis: c rho A L U^2 sin cos. Static, and as the
// rest of a motion; before, there was none.
TEST(LinkageFluidScene, AStreamTurnsABodyAcrossIt) {
  for (const char* solver : {R"J({"mode": "static"})J", R"J({"dt": 0.02, "duration": 40})J"}) {
    Simulation sim(
        std::string(
            R"J({"format": "tendril/1", "linkages": {"l": {"base": {"forward": [1, 0.5, 0]}, "links": {"stick": {
      "joint": {"revolute": {"axis": "z", "stiffness": 2, "damping": 2}},
      "body": {"rigid": {"length": 0.3, "section": {"circle": {"radius": 0.01}}, "density": 2000}}, "fluid": {"added": 0.8}}}}},
      "environment": {"gravity": [0, 0, 0], "fluid": {"density": 1000, "velocity": [1.5, 0, 0]}}, "solver": )J") +
        solver + R"J(, "probes": {"q": {"jointAngle": "l/stick"}}})J");
    runToEnd(sim);
    const double q = column(sim, "q"), at = std::atan2(0.5, 1) + q;
    EXPECT_NEAR(2 * q, 0.8 * 1000 * pi * 1e-4 * 0.3 * 2.25 * std::sin(at) * std::cos(at), 1e-6) << solver;
    EXPECT_GT(q, 0.03);
  }
}

// Morison: a held body feels rho A L (1 + c) du/dt across it and rho A L du/dt along it; before, nothing.
TEST(LinkageFluidScene, AStreamThatGainsSpeedPushesWhatIsHeld) {
  for (const bool across : {true, false}) {
    Simulation sim(filled(R"J({"format": "tendril/1", "linkages": {"l": {"links": {"stick": {
      "joint": {"prismatic": {"axis": "$axis", "displacement": 0}},
      "body": {"rigid": {"length": 0.3, "section": {"circle": {"radius": 0.01}}, "density": 2000}}, "fluid": {"added": 0.8}}}}},
      "environment": {"gravity": [0, 0, 0], "fluid": {"density": 1000, "velocity": $velocity}}, "solver": {"dt": 1e-3, "duration": 0.2},
      "probes": {"f": {"jointEffort": "l/stick"}}})J",
                          {{"axis", across ? "y" : "x"},
                           {"velocity", across ? R"J([0, "=sin(7*t)", 0])J" : R"J(["=sin(7*t)", 0, 0])J"}}));
    for (int i = 0; i < 200; ++i) {
      sim.step();
      const double acceleration = 7 * std::cos(7 * sim.time());
      EXPECT_NEAR(-column(sim, "f"), 1000 * pi * 1e-4 * 0.3 * (across ? 1.8 : 1) * acceleration, 1e-4) << sim.time();
    }
  }
}

// Bodies as dense as the fluid go where the fluid goes, whatever its motion, their shape, joints, drag and added mass.
TEST(LinkageFluidScene, NeutralBodiesGoAlongWithAMediumThatAccelerates) {
  for (const char* integrator : {"generalized-alpha", "bdf2", "implicit-midpoint", "implicit-euler"}) {
    Simulation sim(
        filled(R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e5, "poisson": 0.3, "density": 1000}},
      "linkages": {"l": {"base": {"forward": [1, 0.3, -0.5]}, "links": {
        "a": {"joint": {"free": {}}, "body": {"rigid": {"length": 0.3, "section": {"circle": {"radius": "=0.01+0.01*s"}}, "density": 1000}}, "fluid": {"added": 0.8, "drag": 1}},
        "b": {"parent": "a", "joint": {"revolute": {"axis": "y", "stiffness": 0.01}}, "fluid": {"added": 0.4, "drag": 1, "lift": 0.5},
          "body": {"soft": {"length": 0.3, "section": {"circle": {"radius": 0.01}}, "material": "m", "strains": {"bendY": 2, "bendZ": 2, "twist": 1}}}}}}},
      "environment": {"gravity": [0, 0, -9.81], "buoyancy": true, "fluid": {"density": 1000, "velocity": ["=0.3*sin(5*t)", "=t^2", "=0.2*t"]}},
      "solver": {"integrator": "$integrator", "dt": 2e-3, "duration": 0.4, "tolerance": 1e-11},
      "probes": {"v": {"velocity": "l/b:tip"}, "elastic": {"energy": "elastic"}}})J",
               {{"integrator", integrator}}));
    runToEnd(sim);
    EXPECT_LT((vectorColumn(sim, "v") - Vec3(0.3 * std::sin(2.0), 0.16, 0.08)).norm(), 1e-5) << integrator;
    EXPECT_LT(column(sim, "elastic"), 1e-12) << integrator;
  }
}

// What a stream gains at once moves a free body at once, also between two steps.
TEST(LinkageFluidScene, AStreamThatJumpsStrikes) {
  for (const char* integrator : {"generalized-alpha", "bdf2", "implicit-midpoint", "implicit-euler", "verlet"}) {
    for (const double jump : {0.1, 0.1003}) {
      Simulation sim(filled(R"J({"format": "tendril/1", "linkages": {"l": {"links": {"stick": {"joint": {"free": {}},
        "body": {"rigid": {"length": 0.3, "section": {"circle": {"radius": 0.01}}, "density": 2000}}, "fluid": {"added": 0.8}}}}},
        "environment": {"gravity": [0, 0, 0], "fluid": {"density": 1000, "velocity": ["=t < $jump ? 0 : 0.4", "=t < $jump ? 0 : 0.4", 0]}},
        "solver": {"dt": 1e-3, "duration": 0.102, "integrator": "$integrator"}, "probes": {"v": {"velocity": "l/stick"}}})J",
                            {{"jump", digits(jump)}, {"integrator", integrator}}));
      runToEnd(sim);
      const double along = column(sim, "v.x"), across = column(sim, "v.y");
      // Two steps later, in which the stream has begun to turn it.
      EXPECT_NEAR(along, 0.4 * 1000 / 2000, 5e-3 * along) << integrator << jump;
      EXPECT_NEAR(across, 0.4 * 1800 / 2800, 5e-3 * across) << integrator << jump;
    }
  }
}

// Two links in flight, the second driven on suddenly in the middle of a step: drag, which then acts otherwise, does so
// from the kink on. Before, it did so for the whole step, which was of the first order.
TEST(LinkageFluidScene, ADriveThatBeginsInFlightKeepsItsOrderInAStream) {
  for (const char* integrator : {"generalized-alpha", "implicit-midpoint"}) {
    const auto end = [&](double dt) {
      Simulation sim(filled(R"J({"format": "tendril/1", "linkages": {"l": {"links": {
        "head": {"joint": {"free": {}}, "body": {"rigid": {"length": 0.2, "section": {"circle": {"radius": 0.01}}, "density": 1000}},
          "fluid": {"added": 0.9, "drag": 2}},
        "tail": {"joint": {"revolute": {"axis": "z", "angle": "=-8*max(0, t-0.0509)"}}, "fluid": {"added": 0.9, "drag": 2},
          "body": {"rigid": {"length": 0.1, "section": {"circle": {"radius": 0.01}}, "density": 1000}}}}}},
        "initial": [{"of": "l/head", "displacementRate": [0.3, 0.2, 0], "angleRate": [0, 0, 2]}],
        "environment": {"gravity": [0, 0, 0], "fluid": {"density": 1000, "velocity": [-0.8, -0.4, 0]}},
        "solver": {"dt": $dt, "duration": 0.1, "integrator": "$integrator", "tolerance": 1e-12}, "probes": {"tip": {"position": "l/tail:tip"}}})J",
                            {{"dt", digits(dt)}, {"integrator", integrator}}));
      runToEnd(sim);
      return vectorColumn(sim, "tip");
    };
    // By a factor of four each, but for where in its step the drive begins. The errors of a step of implicit Euler
    // there were 1.2e-5 and 3.1e-5 m at 2 ms, 1.5e-7 and 4.5e-7 at 0.25 ms.
    const Vec3 right = end(1e-5);
    const double fine = (end(2.5e-4) - right).norm(), finer = (end(1.25e-4) - right).norm();
    EXPECT_LT((end(2e-3) - right).norm(), std::string(integrator) == "implicit-midpoint" ? 5e-7 : 2e-5) << integrator;
    EXPECT_LT(finer, std::string(integrator) == "implicit-midpoint" ? 2e-9 : 1e-7) << integrator;
    EXPECT_NEAR(fine / finer, 4, 0.2) << integrator;
  }
}

}  // namespace linkage_fluid_scene_test
}  // namespace tendril::links
