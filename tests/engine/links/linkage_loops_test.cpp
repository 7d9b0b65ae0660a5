// Closed chains in motion: no energy out of nothing with soft links, efforts and accelerations that depend neither on
// the last step's length nor on the size or weight of the machine.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "engine/links/linkage_scene.h"
#include "scene/scene.h"
#include "simulation/inside.h"

namespace tendril::links {
namespace linkage_loops_test {

using namespace test;

// A four-bar linkage of `size` [m], crank `joint`; it stands upright.
std::string fourBar(double size, const std::string& joint, const std::string& solver) {
  const auto bar = [&](const char* turn, const std::string& hinge, double length) {
    return R"({"joint": {"revolute": {"axis": "y")" + hinge +
           R"(}}, "offset": {"rotation": {"axis": [0, 1, 0], "angle": ")" + turn +
           R"("}}, "body": {"rigid": {"length": )" + digits(length * size) + R"(, "section": {"circle": {"radius": )" +
           digits(0.01 * size) + R"(}}, "density": 1000}}})";
  };
  return R"({"format": "tendril/1", "linkages": {"a": {"links": {"crank": )" + bar("=-pi/2", joint, 0.1) +
         R"(, "coupler": )" + bar("=pi/2", "", 0.4) + R"(, "rocker": )" + bar("=pi/2", "", 0.2) +
         R"(}, "loops": [{"from": "base", "offset": {"position": [)" + digits(0.4 * size) +
         R"(, 0, 0]}, "to": "rocker", "joint": {"revolute": {"axis": "y"}}}]}},
         "environment": {"gravity": [0, 0, -9.81]}, "solver": {)" +
         solver + R"(}, "probes": {"q": {"jointAngle": "a/crank"}, "f": {"jointEffort": "a/crank"}}})";
}

TEST(LinkageLoops, EffortsDoNotDependOnTheLastStepsLength) {
  const auto effortAfter = [](const char* integrator, double duration) {
    Simulation sim(
        fourBar(1, R"(, "angle": "=5*t")",
                R"("dt": 0.01, "duration": )" + digits(duration) + R"(, "integrator": ")" + integrator + "\""));
    runToEnd(sim);
    return column(sim, "f");
  };
  for (const char* integrator : {"generalized-alpha", "implicit-euler"}) {
    const double whole = effortAfter(integrator, 0.7);
    EXPECT_NEAR(whole, -0.0122111, 1e-6) << integrator;
    EXPECT_NEAR(effortAfter(integrator, 0.7 + 1e-7), whole, 1e-6) << integrator;
    EXPECT_NEAR(effortAfter(integrator, 0.701), -0.01164, 1e-5) << integrator;
  }
}

TEST(LinkageLoops, MoveAlikeAtAnySize) {
  const auto angleOf = [](double size) {
    const double time = std::sqrt(size);
    Simulation sim(fourBar(size, "", R"("dt": )" + digits(1e-3 * time) + R"(, "duration": )" + digits(0.3 * time)));
    runToEnd(sim);
    return column(sim, "q");
  };
  const double one = angleOf(1);
  EXPECT_GT(std::abs(one), 0.1);
  for (const double size : {1e-4, 1e4}) EXPECT_NEAR(angleOf(size), one, 1e-6) << size;
}

TEST(LinkageLoops, HeavyLinksAreNotTakenForLooseOnes) {
  const std::string weight =
      R"("body": {"rigid": {"mass": 1e9, "inertia": [1e9, 1e9, 1e9], "center": [1, 0, 0], "length": 1}})";
  Simulation sim(test::scene(R"("b": {"joint": {"revolute": {"axis": "y", "angle": "=t"}}, )" + weight +
                                 R"(}, "c": {"joint": {"revolute": {"axis": "y"}}, )" + weight + "}",
                             R"("dt": 0.01, "duration": 0.1)", R"("environment": {"gravity": [0, 0, -9.81]})"));
  EXPECT_TRUE(runToEnd(sim).warnings.empty());
}

// Along its bars no motion of a straight chain brings its end nearer, to first order.
TEST(LinkageLoops, ChainsDrawnStraightAreClosed) {
  const std::string bar = R"({"joint": {"revolute": {"axis": "y"}}, )" + rod + "}";
  Simulation sim(
      R"({"format": "tendril/1", "linkages": {"a": {"links": {"b": )" + bar + R"(, "c": )" + bar +
      R"(}, "loops": [{"from": "base", "offset": {"position": [0.6, 0, 0]}, "to": "c", "joint": {"revolute": {"axis": "y"}}}]}},
    "probes": {"knee": {"position": "a/b:tip"}, "end": {"position": "a:tip"}}})");
  EXPECT_NEAR(column(sim, "end.x"), 0.6, 1e-10);
  EXPECT_NEAR(column(sim, "knee.x"), 0.3, 1e-10);
  EXPECT_NEAR(std::abs(column(sim, "knee.z")), 0.4, 1e-10);
}

// An arch of two rubber links falls through: 4e10 J before the work of loops was told from that of loads.
TEST(LinkageLoops, SoftArchesGainNoEnergy) {
  const std::string link =
      R"({"joint": {"revolute": {"axis": "y"}}, "body": {"soft": {"length": 0.5, "section": {"circle": {"radius": 0.01}},
    "strains": {"bendY": 2}}}})";
  Simulation sim(
      R"({"format": "tendril/1", "materials": {"rubber": {"youngs": 1e6, "poisson": 0.5, "density": 1000, "damping": 0}},
    "linkages": {"a": {"links": {"b": )" +
      link + R"(, "c": )" + link + R"(}, "loops": [{"from": "base", "offset": {"position": [0.7, 0, 0]},
    "to": "c", "joint": {"revolute": {"axis": "y"}}}]}}, "environment": {"gravity": [0, 0, -9.81]}, "solver": {"dt": 0.005, "duration": 1.2},
    "initial": [{"of": "a/c", "angle": 0.5}], "probes": {"E": {"energy": "total"}}})");
  const double start = column(sim, "E");
  double highest = start;
  while (!sim.finished()) {
    sim.step();
    highest = std::max(highest, column(sim, "E"));
  }
  EXPECT_LT(highest, start + 0.05);
}

// A slider on a rod that is three times as long as the crank: drawn with the crank toward it, it stays there.
TEST(LinkageLoops, StaticDrivesKeepTheSideOnWhichTheChainIsDrawn) {
  for (const double angle : {-5.0, -2.0, 1.0, 2.0, 3.0, 5.0, 8.0}) {
    for (const int steps : {1, 2, 3, 5, 10}) {
      const std::string bar =
          R"("body": {"rigid": {"section": {"circle": {"radius": 0.01}}, "density": 1000, "length": )";
      Simulation sim(R"({"format": "tendril/1", "linkages": {"a": {"links": {
          "crank": {"joint": {"revolute": {"axis": "y", "angle": )" +
                     digits(angle) + "}}, " + bar + R"(0.1}}},
          "rod": {"joint": {"revolute": {"axis": "y"}}, "offset": {"rotation": {"axis": [0, 1, 0], "angle": 0.01}}, )" +
                     bar + R"(0.3}}},
          "slider": {"joint": {"revolute": {"axis": "y"}}, "offset": {"rotation": {"axis": [0, 1, 0], "angle": -0.01}}, )" +
                     bar + R"(0.05}}}},
          "loops": [{"from": "base", "offset": {"position": [0.3, 0, 0]}, "to": "slider", "joint": {"prismatic": {"axis": "x"}}}]}},
          "environment": {"gravity": [0, 0, -9.81]}, "solver": {"mode": "static", "loadSteps": )" +
                     std::to_string(steps) + R"(}, "probes": {"tip": {"position": "a/rod:tip"}}})");
      runToEnd(sim);
      const double s = std::sin(angle), wanted = 0.1 * std::cos(angle) + std::sqrt(0.09 - 0.01 * s * s);
      EXPECT_NEAR(column(sim, "tip.x"), wanted, 1e-9) << angle << " rad in " << steps;
    }
  }
}

// The knee of the four-bar linkage stays above the line from the crank to the fixed pin, with a soft coupler too.
TEST(LinkageLoops, StaticDrivesKeepTheKneeOnItsSide) {
  for (const bool soft : {false, true}) {
    const auto kneeAt = [&](double angle, int steps) {
      std::string text =
          fourBar(1, R"(, "angle": )" + digits(angle), R"("mode": "static", "loadSteps": )" + std::to_string(steps));
      text.replace(text.find(R"("q": {)"), 0, R"("knee": {"position": "a/coupler:tip"}, )");
      if (soft) {
        const std::size_t at = text.find(R"("rigid": {"length": 0.4)"), end = text.find(R"("density": 1000)", at);
        text.replace(end, 15, R"("strains": {"bendY": 2}, "material": "steel")");
        text.replace(at, 7, R"("soft")");
        text.insert(1, R"("materials": {"steel": {"youngs": 1e9, "density": 1000}}, )");
      }
      Simulation sim(text);
      runToEnd(sim);
      return Vec3(column(sim, "knee.x"), 0, column(sim, "knee.z"));
    };
    for (const double angle : {-5.0, 1.5, 2.0, 8.0}) {
      // The rocker hangs from the knee, which is where two circles meet.
      const Vec3 crank(0.1 * std::sin(angle), 0, 0.1 * std::cos(angle)), way = Vec3(0.4, 0, 0) - crank;
      const double d = way.norm(), along = (0.16 - 0.04 + d * d) / (2 * d), off = std::sqrt(0.16 - along * along);
      const Vec3 knee = crank + along / d * way + off / d * Vec3(-way.z(), 0, way.x());
      for (const int steps : {1, 2, 5}) {
        EXPECT_LT((kneeAt(angle, steps) - knee).norm(), soft ? 1e-3 : 1e-9)
            << angle << " rad in " << steps << (soft ? " soft" : "");
      }
    }
  }
}

// A motion without masses that is damped leads there: the crank's torque turns it by almost a turn, the knee stays
// above.
TEST(LinkageLoops, LoadedAndSprungChainsKeepTheirSideInAnyNumberOfSteps) {
  struct Case {
    const char* joint;
    double crank, kneeX, kneeZ;  // from damped motion, dynamic
  };
  for (const Case& c : {Case{R"(, "torque": 3, "stiffness": 0.5)", 5.89518, 0.34923, 0.19345},
                        Case{R"(, "rest": -5, "stiffness": 0.5)", -4.86934, 0.45809, 0.19138}}) {
    for (const int steps : {1, 2, 8, 64}) {
      std::string text = fourBar(1, c.joint, R"("mode": "static", "loadSteps": )" + std::to_string(steps));
      text.replace(text.find(R"("q": {)"), 0, R"("knee": {"position": "a/coupler:tip"}, )");
      Simulation sim(text);
      runToEnd(sim);
      EXPECT_NEAR(column(sim, "q"), c.crank, 1e-5) << c.joint << " in " << steps;
      EXPECT_NEAR(column(sim, "knee.x"), c.kneeX, 1e-5) << c.joint << " in " << steps;
      EXPECT_NEAR(column(sim, "knee.z"), c.kneeZ, 1e-5) << c.joint << " in " << steps;
    }
  }
}

// A slider-crank that its spring brings out of balance where it is drawn, between two basins of the loads to come: it
// is at rest without these first, and follows from there. By a table of the energy over the crank's angle: -0.7433
// unloaded, where it goes on to -3.0093 under 0.54 of the torque and snaps to -4.0083 under 0.55.
TEST(LinkageLoops, WhichEquilibriumSpringsLeadToDoesNotDependOnLoadSteps) {
  for (const int steps : {1, 2, 3, 4, 5, 16, 64}) {
    const auto link = [](double length, double turn, const std::string& joint) {
      return R"({"joint": {"revolute": {"axis": "z")" + joint +
             R"(}}, "offset": {"rotation": {"axis": [0, 0, 1], "angle": )" + digits(turn) +
             R"(}}, "body": {"rigid": {"section": {"circle": {"radius": 0.01}}, "density": 1000, "length": )" +
             digits(length) + "}}}";
    };
    Simulation sim(
        R"({"format": "tendril/1", "linkages": {"m": {"links": {"l0": )" +
        link(0.18341052043951203, -1.2368574535981076, "") + R"(, "l1": )" +
        link(0.19633441411694233, 2.393561672393224, R"(, "stiffness": 0.3, "rest": 1.9590179860488166)") +
        R"(, "l2": )" +
        link(0.1, -1.1567042187951158, R"(, "stiffness": 1.4552426613179608, "torque": 5.379147618511358)") +
        R"(}, "loops": [{"from": "base", "offset": {"position": [0, 0.006461946838715151, 0]}, "to": "l2", "joint": {"prismatic": {"axis": "x"}}}]}},
        "solver": {"mode": "static", "loadSteps": )" +
        std::to_string(steps) + R"(}, "probes": {"q": {"jointAngle": "m/l0"}}})");
    runToEnd(sim);
    EXPECT_NEAR(column(sim, "q"), -3.52889416, 1e-6) << steps;
  }
}

// Where all bars of a parallelogram lie in one line it may go on as one or crossed: that is told. With a longer ground
// the crank's tip stays farther from the rocker's pin than coupler less rocker, 0.305 over 0.3, and nearer than both:
// one side all the way.
TEST(LinkageLoops, WaysThroughPositionsWithTwoSidesAreTold) {
  const auto told = [](double ground, const std::string& solver) {
    const auto bar = [](const char* turn, double length, const char* hinge) {
      return R"({"joint": {"revolute": {"axis": "y")" + std::string(hinge) +
             R"(}}, "offset": {"rotation": {"axis": [0, 1, 0], "angle": ")" + turn +
             R"("}}, "body": {"rigid": {"length": )" + digits(length) +
             R"(, "section": {"circle": {"radius": 0.01}}, "density": 1000}}})";
    };
    Simulation sim(
        R"({"format": "tendril/1", "linkages": {"a": {"links": {"crank": )" + bar("=-pi/3", 0.2, R"(, "angle": 2.5)") +
        R"(, "coupler": )" + bar("=pi/3", 0.5, "") + R"(, "rocker": )" + bar("=pi/3", 0.2, "") +
        R"(}, "loops": [{"from": "base", "offset": {"position": [)" + digits(ground) +
        R"(, 0, 0]}, "to": "rocker", "joint": {"revolute": {"axis": "y"}}}]}}, "solver": {)" + solver + "}}");
    std::string said;
    for (const auto& r : sceneOf(sim).warnings) said += r.message + "\n";
    for (const std::string& w : runToEnd(sim).warnings) said += w + "\n";
    return said;
  };
  for (const std::string solver :
       {R"("mode": "static")", R"("mode": "static", "loadSteps": 7)", R"("dt": 0.01, "duration": 0.01)"}) {
    const std::string said = told(0.5, solver);
    EXPECT_NE(said.find("not determined"), std::string::npos) << solver << said;
    EXPECT_NE(said.find("joint \"a/crank\" at 1.04"), std::string::npos) << solver << said;  // pi/3
    EXPECT_EQ(told(0.505, solver).find("not determined"), std::string::npos) << solver << told(0.505, solver);
  }
}

// The rod comes within 3.5 degrees of standing across the rail.
TEST(LinkageLoops, DrivesPassCloseByDeadPointsOnTheirSide) {
  const double a = 0.2, e = 0.35, l = 0.551, tilt = std::asin(e / l);
  const auto link = [](double turn, double length, const std::string& hinge) {
    return R"({"joint": {"revolute": {"axis": "y")" + hinge +
           R"(}}, "offset": {"rotation": {"axis": [0, 1, 0], "angle": )" + digits(turn) +
           R"(}}, "body": {"rigid": {"length": )" + digits(length) +
           R"(, "section": {"circle": {"radius": 0.01}}, "density": 1000}}})";
  };
  for (const double angle : {6.0, -6.0}) {
    for (const std::string solver :
         {R"("mode": "static")", R"("mode": "static", "loadSteps": 5)", R"("dt": 0.01, "duration": 0.01)"}) {
      Simulation sim(R"({"format": "tendril/1", "linkages": {"a": {"links": {"crank": )" +
                     link(0, a, R"(, "angle": )" + digits(angle)) + R"(, "rod": )" + link(tilt, l, "") +
                     R"(, "slider": )" + link(-tilt, 0.05, "") +
                     R"(}, "loops": [{"from": "base", "offset": {"position": [0, 0, )" + digits(-e) +
                     R"(]}, "to": "slider", "joint": {"prismatic": {"axis": "x"}}}]}}, "solver": {)" + solver +
                     R"(}, "probes": {"pin": {"position": "a/rod:tip"}}})");
      for (const auto& r : sceneOf(sim).warnings)
        EXPECT_EQ(r.message.find("not determined"), std::string::npos) << r.message;
      for (const std::string& w : runToEnd(sim).warnings) EXPECT_EQ(w.find("not determined"), std::string::npos) << w;
      const double drop = e - a * std::sin(angle);
      EXPECT_NEAR(column(sim, "pin.x"), a * std::cos(angle) + std::sqrt(l * l - drop * drop), 1e-9) << angle << solver;
    }
  }
}

// All bars follow the crank, so their energy is the work of its motor.
TEST(LinkageLoops, MotorsGiveWhatTheBarsTake) {
  for (const char* integrator : {"generalized-alpha", "implicit-euler"}) {
    for (const char* angle : {"=6*t", "=3*t^2"}) {
      const auto missing = [&](double dt) {
        std::string text =
            fourBar(1, R"(, "angle": ")" + std::string(angle) + "\"",
                    R"("duration": 1, "integrator": ")" + std::string(integrator) + R"(", "dt": )" + digits(dt));
        text.replace(text.find(R"("q": {)"), 0,
                     R"("W": {"energy": "work"}, "N": {"energy": "numerical"}, "E": {"energy": "total"}, )");
        Simulation sim(text);
        const double before = column(sim, "E");
        long retries = 0;
        while (!sim.finished()) {
          const Progress p = sim.step();
          retries += p.retries;
          for (const std::string& w : p.warnings) ADD_FAILURE() << w;
        }
        EXPECT_EQ(retries, 0) << integrator;
        EXPECT_NEAR(column(sim, "N"), column(sim, "E") - before - column(sim, "W"), 1e-12) << integrator;
        return std::abs(column(sim, "N"));
      };
      const double coarse = missing(0.01), fine = missing(0.005);
      EXPECT_LT(coarse, 1e-4) << integrator << angle;
      EXPECT_GT(coarse, 3.5 * fine) << integrator << angle;
    }
  }
}

TEST(LinkageLoops, ARhoThatLeavesForcesRingingIsTold) {
  for (const auto& [rho, told] : {std::pair("0.99", false), std::pair("0.999", true), std::pair("1", true)}) {
    Simulation sim(fourBar(1, "", R"("dt": 0.01, "duration": 0.01, "rho": )" + std::string(rho)));
    const auto& all = sceneOf(sim).warnings;
    EXPECT_EQ(std::any_of(all.begin(), all.end(), [](const auto& w) { return w.pointer == "/solver/rho"; }), told)
        << rho;
  }
}

// A spatial chain that is locked: springs push against its loop, and nothing but round-off moves.
TEST(LinkageLoops, RoundOffOfALockedChainIsNoGain) {
  Simulation sim(
      R"({"format": "tendril/1", "linkages": {"m": {"links": {"l0": {"body": {"rigid": {"length": 0.1514892004198621, "section": {"circle":
    {"radius": 0.01}}, "density": 1000}}, "offset": {"position": [0, 0, 0], "rotation": {"axis": [-0.26196800550152505,
    0.46916185613172373, -0.508794000198769], "angle": 1.13268835109999}}, "parent": "base", "joint": {"revolute": {"axis": "z",
    "stiffness": 0.24968779206280436, "rest": 0.21510559414884312}}}, "l1": {"body": {"rigid": {"length": 0.23759350673907867, "section":
    {"circle": {"radius": 0.01}}, "density": 1000}}, "offset": {"position": [0, 0, 0], "rotation": {"axis": [-0.13501440068564752,
    0.0719218064679235, 0.19330051401847775], "angle": 1.2368083347602075}}, "parent": "l0", "joint": {"revolute": {"axis": "x",
    "damping": 0.08428955724042425, "torque": -0.49061203888981353}}}, "l2": {"body": {"rigid": {"length": 0.1751124061886659, "section":
    {"circle": {"radius": 0.01}}, "density": 1000}}, "offset": {"position": [0, 0, 0], "rotation": {"axis": [0.06169817827108695,
    -1.8227076942644491, 1.0495518374612058], "angle": 2.019967049455449}}, "parent": "l1", "joint": {"revolute": {"axis": "x"}}}, "l3":
    {"body": {"rigid": {"length": 0.17173928162167423, "section": {"circle": {"radius": 0.01}}, "density": 1000}}, "offset": {"position":
    [0, 0, 0], "rotation": {"axis": [1.2610514248394251, 0.26033217011678106, -0.4499522321724105], "angle": 2.3191186212491526}},
    "parent": "l2", "joint": {"revolute": {"axis": "z"}}}}, "loops": [{"from": "base", "to": "l3", "offset": {"position":
    [0.21827687961324355, 0.1828042916862096, -0.23629266440306212], "rotation": {"axis": [0.7497824082995219, 0.6488954475394936,
    0.12946442896444388], "angle": 2.6331914560765313}}, "joint": {"planar": {"axis": "z"}}}]}}, "environment": {"gravity": [0, 0, 0]},
    "solver": {"dt": 0.01, "duration": 1.0}, "probes": {"N": {"energy": "numerical"}}, "initial": [{"of": "m/l0", "angleRate":
    -2.788384714599098}]})");
  long retries = 0;
  while (!sim.finished()) {
    const Progress p = sim.step();
    retries += p.retries;
    for (const std::string& w : p.warnings) ADD_FAILURE() << w;
  }
  EXPECT_EQ(retries, 0);
  EXPECT_LT(std::abs(column(sim, "N")), 1e-13);
}

// What is drawn closed stays, and so do rates that keep it closed, whatever joint closes the chain: also two turns up a
// screw.
TEST(LinkageLoops, WhatIsDrawnClosedStaysAndSoDoRatesThatObey) {
  struct Case {
    const char* joint;
    Vec3 angle, place, spin, speed;
  };
  const Vec3 none = Vec3::Zero(), x = Vec3::UnitX(), z = Vec3::UnitZ();
  for (const Case& c :
       {Case{R"("fixed": {})", none, none, none, none},
        Case{R"("revolute": {"axis": "x"})", 0.6 * x, none, 2 * x, none},
        Case{R"("prismatic": {"axis": "x"})", none, 0.03 * x, none, 0.1 * x},
        Case{R"("cylindrical": {"axis": "x"})", 0.6 * x, 0.03 * x, 2 * x, 0.1 * x},
        Case{R"("helical": {"axis": "x", "pitch": 0.05})", 0.6 * x, 0.03 * x, 2 * x, 0.1 * x},
        Case{R"("helical": {"axis": "z", "pitch": -0.05})", 0.6 * z, -0.05 * (0.6 + 4 * pi) * z, 2 * z, -0.1 * z},
        Case{R"("universal": {"axis": "x"})", 0.6 * Vec3::UnitY(), none, 2 * Vec3::UnitY(), none},
        Case{R"("planar": {"axis": "x"})", 0.6 * x, Vec3(0, 0.03, -0.02), 2 * x, Vec3(0, 0.1, 0.2)},
        Case{R"("spherical": {})", Vec3(0.6, -0.4, 0.2), none, Vec3(2, 1, 3), none}}) {
    const auto list = [](const Vec3& v) {
      return "[" + digits(v[0]) + ", " + digits(v[1]) + ", " + digits(v[2]) + "]";
    };
    Simulation sim(
        R"({"format": "tendril/1", "linkages": {"m": {"links": {"b": {"joint": {"free": {}}, "body": {"rigid": {"mass": 1,
      "inertia": [1e-2, 1e-2, 1e-2], "length": 0.1, "center": [0, 0, 0]}}}}, "loops": [{"from": "base", "to": "b@0", "joint": {)" +
        std::string(c.joint) + R"(}}]}},
      "initial": [{"of": "m/b", "angle": )" +
        list(c.angle) + R"(, "displacement": )" + list(c.place) + R"(, "angleRate": )" + list(c.spin) +
        R"(, "displacementRate": )" + list(c.speed) +
        R"(}], "solver": {"duration": 0.01, "dt": 1e-3}, "probes": {"q": {"jointAngle": "m/b"}}})");
    const std::vector<double> rates = sim.bodies()[0].links[0].v;
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(column(sim, "q.q" + std::to_string(k)), c.angle[k], 1e-12) << c.joint;
      EXPECT_NEAR(column(sim, "q.q" + std::to_string(3 + k)), c.place[k], 1e-12) << c.joint;
      EXPECT_NEAR(rates[static_cast<std::size_t>(k)], c.spin[k], 1e-12) << c.joint;
      EXPECT_NEAR(rates[static_cast<std::size_t>(k + 3)], c.speed[k], 1e-12) << c.joint;
    }
  }
}

// The angle of a screw that closes a chain is free, also where a static run leads what is driven.
TEST(LinkageLoops, AStaticRunDrivesAScrew) {
  for (const int steps : {1, 4}) {
    Simulation sim(R"({"format": "tendril/1", "linkages": {"m": {"links": {
      "a": {"joint": {"prismatic": {"axis": "x", "displacement": 0.01}}, "body": {"rigid": {"length": 0, "mass": 1, "inertia": [1e-2, 1e-2, 1e-2]}}},
      "b": {"joint": {"revolute": {"axis": "x"}}, "body": {"rigid": {"length": 0.1, "mass": 1, "inertia": [1e-2, 1e-2, 1e-2]}}}},
      "loops": [{"from": "base", "to": "b@0", "joint": {"helical": {"axis": "x", "pitch": 0.05}}}]}},
      "solver": {"mode": "static", "loadSteps": )" +
                   std::to_string(steps) + R"(}, "probes": {"q": {"jointAngle": "m/b"}}})");
    runToEnd(sim);
    EXPECT_NEAR(column(sim, "q"), 0.2, 1e-9) << steps;
  }
}

}  // namespace linkage_loops_test
}  // namespace tendril::links
