// Linkages as scenes: joints of every kind against closed forms, large turns, driven and sprung joints with their
// efforts, closed loops, integrators, saves, and what cannot be assembled.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "engine/links/linkage_scene.h"
#include "geometry/types.h"

namespace tendril::links {
namespace strain_model_test {

using namespace test;

// Quadrature that misses a cable's turns, a section's waves, a natural strain's, or bumps of the basis is told, with
// the points that help; they then are silent, and so is what five points follow.
TEST(StrainModel, PointsThatMissWhatIsToldAlongALinkAreNamed) {
  const auto warningsOf = [](const std::string& body, const std::string& cable, int points) {
    Simulation sim(
        R"({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "poisson": 0.5, "density": 1000}}, "linkages": {"a": {"links": {"b": {"body": {"soft": {"length": 0.2, "material": "m", )" +
        body + (points > 0 ? ", \"points\": " + std::to_string(points) : "") + "}}}}" + cable +
        R"(}}, "solver": {"mode": "static"}, "environment": {"gravity": [0, 0, -9.81]}})");
    std::vector<std::string> out;
    for (const Problem& w : sim.sceneWarnings()) {
      if (w.message.find("quadrature points") != std::string::npos) out.push_back(w.message);
    }
    return out;
  };
  const std::string round = R"("section": {"circle": {"radius": 0.01}}, )",
                    three = R"("strains": {"bendY": 2, "bendZ": 2, "twist": 1})";
  const std::string helix =
      R"(, "cables": {"c": {"through": ["b"], "path": {"helical": {"radius": 0.006, "pitch": 0.05}}, "tension": 5}})";
  const struct {
    std::string body, cable;
    int enough;
  } missed[] = {{round + three, helix, 40},
                {R"("section": {"circle": {"radius": "=0.01+0.004*sin(2*pi*s/0.05) "}}, )" + three, "", 80},
                {round + three + R"(, "natural": {"bendZ": "=40*sin(2*pi*s/0.04) "})", "", 80},
                {round + R"("basis": "gaussian", "strains": {"bendY": 20})", "", 84}};
  for (const auto& c : missed) {
    const auto told = warningsOf(c.body, c.cable, 0);
    ASSERT_EQ(told.size(), 1u) << c.body;
    EXPECT_NE(told[0].find("\"a/b\""), std::string::npos) << told[0];
    EXPECT_TRUE(warningsOf(c.body, c.cable, c.enough).empty()) << c.body;
  }
  const std::string straight =
      R"(, "cables": {"c": {"through": ["b"], "path": {"constant": [0.006, 0]}, "tension": 5}})";
  EXPECT_TRUE(warningsOf(round + three, straight, 0).empty());
  EXPECT_TRUE(warningsOf(R"("section": {"circle": {"radius": "=0.01*(1-0.3*u) "}}, )" + three, straight, 0).empty());
}

TEST(StrainModel, APendulumSwingsWithItsFrequency) {
  const std::string text =
      test::scene(R"("l": {"joint": {"revolute": {"axis": "y"}}, )" + rod + "}", R"("dt": 1e-3, "duration": 4)",
                  R"("environment": {"gravity": [9.81, 0, 0]}, "initial": [{"of": "a/l", "angle": 0.01}],
                                 "probes": {"q": {"jointAngle": "a/l"}, "E": {"energy": "total"}})");
  Simulation sim(text);
  const double omega = std::sqrt(mass * 9.81 * 0.5 * length / inertia), start = column(sim, "E");
  runToEnd(sim);
  // The amplitude lengthens the period by q0^2 / 16.
  EXPECT_NEAR(column(sim, "q"), 0.01 * std::cos(omega * (1 - 0.01 * 0.01 / 16) * 4), 1e-6);
  EXPECT_NEAR(column(sim, "E"), start, 1e-9 * mass * 9.81);
}

TEST(StrainModel, DrivenJointsTellTheirMotorsEffort) {
  const std::string text = test::scene(
      R"("l": {"joint": {"revolute": {"axis": "y", "angle": "=0.7*sin(3*t) "}}, )" + rod + "}",
      R"("dt": 2e-3, "duration": 1)",
      R"("environment": {"gravity": [0, 0, -9.81]}, "probes": {"q": {"jointAngle": "a/l"}, "T": {"jointEffort": "a/l"}})");
  Simulation sim(text);
  const auto expected = [](double t) {
    const double q = 0.7 * std::sin(3 * t), a = -9 * q;
    return inertia * a - mass * 9.81 * 0.5 * length * std::cos(q);  // positive turns x toward -z
  };
  EXPECT_NEAR(column(sim, "T"), expected(0), 1e-6);
  runToEnd(sim);
  EXPECT_NEAR(column(sim, "q"), 0.7 * std::sin(3.0), 1e-12);
  EXPECT_NEAR(column(sim, "T"), expected(1), 1e-6);
}

// A kink in the angle is an impact: what hangs freely on the driven link takes all of its momentum.
TEST(StrainModel, AKinkOfADrivenCoordinatePassesItsWholeMomentumOn) {
  for (const double dt : {2e-3, 1e-3}) {
    const std::string text = test::scene(
        R"("l": {"joint": {"prismatic": {"axis": "x", "displacement": "=2*max(0, t - 0.1) "}}, )" + rod + R"(},
                 "free": {"joint": {"prismatic": {"axis": "y"}}, "offset": {"rotation": {"axis": [0, 0, 1], "angle": 0.5}}, )" +
            rod + "}",
        "\"dt\": " + std::to_string(dt) + R"(, "duration": 0.3)", R"("probes": {"v": {"velocity": "a/free:tip"}})");
    Simulation sim(text);
    runToEnd(sim);
    // Across its own guide the free link is dragged along, along it it stays at rest in space.
    const Vec3 guide(-std::sin(0.5), std::cos(0.5), 0), v(column(sim, "v.x"), column(sim, "v.y"), column(sim, "v.z"));
    EXPECT_NEAR(v.dot(guide), 0, 1e-9) << dt;
    EXPECT_NEAR(v.dot(Vec3(std::cos(0.5), std::sin(0.5), 0)), 2 * std::cos(0.5), 1e-9) << dt;
  }
}

TEST(StrainModel, SpringsRestsAndLoadsBalanceInStatics) {
  const std::string text = test::scene(
      R"("r": {"joint": {"revolute": {"axis": "y", "stiffness": 4, "rest": 0.3, "torque": 2}}, )" + rod + R"(},
         "s": {"joint": {"spherical": {"stiffness": 5, "torque": [0.4, -1.1, 0.7]}}, )" +
          rod + R"(},
         "p": {"joint": {"prismatic": {"axis": "x", "stiffness": 100, "force": 7}}, )" +
          rod + R"(},
         "h": {"joint": {"helical": {"axis": "x", "pitch": 0.1, "stiffness": 2, "torque": 0.5}}, )" +
          rod + R"(},
         "f": {"joint": {"free": {"stiffness": [3, 50], "torque": [0.1, 0.2, -0.3], "force": [1, -2, 3]}}, )" +
          rod + "}",
      R"("mode": "static")",
      R"("probes": {"r": {"jointAngle": "a/r"}, "q": {"jointAngle": "a/s"}, "p": {"jointAngle": "a/p"}, "h": {"jointAngle": "a/h"}, "f": {"jointAngle": "a/f"}})");
  Simulation sim(text);
  runToEnd(sim);
  EXPECT_NEAR(column(sim, "r"), 0.3 + 2.0 / 4, 1e-9);
  EXPECT_NEAR(column(sim, "q.q0"), 0.4 / 5, 1e-9);
  EXPECT_NEAR(column(sim, "q.q1"), -1.1 / 5, 1e-9);
  EXPECT_NEAR(column(sim, "q.q2"), 0.7 / 5, 1e-9);
  EXPECT_NEAR(column(sim, "p"), 0.07, 1e-9);
  EXPECT_NEAR(column(sim, "h"), 0.25, 1e-9);
  // Rotation vector first, then the place, at which the force pulls in the link's own, turned frame.
  const Vec3 turn(0.1 / 3, 0.2 / 3, -0.1);
  EXPECT_NEAR(column(sim, "f.q0"), turn.x(), 1e-9);
  const Vec3 place = Eigen::AngleAxisd(turn.norm(), turn.normalized()) * Vec3(1, -2, 3) / 50;
  EXPECT_NEAR(column(sim, "f.q3"), place.x(), 1e-9);
  EXPECT_NEAR(column(sim, "f.q4"), place.y(), 1e-9);
  EXPECT_NEAR(column(sim, "f.q5"), place.z(), 1e-9);
}

// Its energy is counted from where it is at ease.
TEST(StrainModel, ASpringsEnergyCountsFromItsRest) {
  Simulation sim(test::scene(R"("l": {"joint": {"revolute": {"axis": "y", "stiffness": 2, "rest": 0.5}}, )" + rod + "}",
                             R"("dt": 1e-3, "duration": 0.3, "integrator": "implicit-midpoint")",
                             R"("probes": {"E": {"energy": "total"}, "K": {"energy": "kinetic"}})"));
  EXPECT_NEAR(column(sim, "E"), 0.5 * 2 * 0.25, 1e-12);
  double fastest = 0;
  while (!sim.finished()) {
    sim.step();
    EXPECT_NEAR(column(sim, "E"), 0.25, 1e-9);
    fastest = std::max(fastest, column(sim, "K"));
  }
  EXPECT_GT(fastest, 0.2);
}

// A free body about its middle axis turns over again and again: many turns, no torque.
TEST(StrainModel, AFreeBodyTumblesWithoutASingularity) {
  const std::string text =
      test::scene(R"("l": {"joint": {"free": {}}, "body": {"rigid": {"length": 0, "mass": 2, "inertia": [1, 2, 3]}}})",
                  R"("dt": 2e-3, "duration": 12, "integrator": "implicit-midpoint")",
                  R"("initial": [{"of": "a/l", "angleRate": [0.02, 4, 0.03], "displacementRate": [0.3, 0, 0]}],
                                 "probes": {"place": {"position": "a/l:tip"}, "turn": {"pose": "a/l:tip"}, "E": {"energy": "total"}})");
  Simulation sim(text);
  const double start = column(sim, "E");
  bool turnedOver = false;
  while (!sim.finished()) {
    sim.step();
    EXPECT_NEAR(column(sim, "E"), start, 2e-5 * start);
    const double y = 1 - 2 * (std::pow(column(sim, "turn.qx"), 2) + std::pow(column(sim, "turn.qz"), 2));
    turnedOver = turnedOver || y < -0.9;  // its middle axis has changed sides
  }
  EXPECT_TRUE(turnedOver);
  // The center of mass flies straight at the speed it was given, which was told in the body's frame at t = 0.
  EXPECT_NEAR(column(sim, "place.x"), 3.6, 1e-4);
  EXPECT_NEAR(std::hypot(column(sim, "place.y"), column(sim, "place.z")), 0, 2e-4);
}

std::string fourBar(const std::string& last) {
  const auto bar = [](double l) {
    return R"("body": {"rigid": {"length": )" + std::to_string(l) +
           R"(, "section": {"circle": {"radius": 0.01}}, "density": 1000}})";
  };
  return R"({"format": "tendril/1", "linkages": {"a": {"links": {
      "crank": {"joint": {"revolute": {"axis": "y", "angle": "=4*t"}}, )" +
         bar(0.2) + R"(},
      "coupler": {"joint": {"revolute": {"axis": "y"}}, "offset": {"rotation": {"axis": [0, 1, 0], "angle": -0.8}}, )" +
         bar(0.6) + R"(},
      "rocker": {"joint": {"revolute": {"axis": "y"}}, "offset": {"rotation": {"axis": [0, 1, 0], "angle": 2.2}}, )" +
         bar(0.5) + R"(}},
    "loops": [{"from": "base", "offset": {"position": [)" +
         last + R"(]}, "to": "rocker", "joint": {"revolute": {"axis": "y"}}}]}},
    "environment": {"gravity": [0, 0, -9.81]}, "solver": {"dt": 5e-3, "duration": 10},
    "probes": {"pin": {"position": "a/rocker:tip"}, "T": {"jointEffort": "a/crank"}, "E": {"energy": "total"}, "w": {"formula": "1"}}})";
}

TEST(StrainModel, AClosedChainStaysClosedAndNamesItsRedundantRows) {
  Simulation sim(fourBar("0.6, 0, 0.05"));
  ASSERT_EQ(sim.sceneWarnings().size(), 1u);
  const std::string& warning = sim.sceneWarnings()[0].message;
  for (const char* row : {"moving along y", "turning about x", "turning about z"}) {
    EXPECT_NE(warning.find(row), std::string::npos) << warning;
  }
  double work = 0, torque = column(sim, "T");
  const double start = column(sim, "E");
  while (!sim.finished()) {
    sim.step();
    EXPECT_NEAR(column(sim, "pin.x"), 0.6, 1e-10);
    EXPECT_NEAR(column(sim, "pin.y"), 0, 1e-10);
    EXPECT_NEAR(column(sim, "pin.z"), 0.05, 1e-10);
    work += 0.5 * (torque + column(sim, "T")) * 4 * 5e-3;
    torque = column(sim, "T");
  }
  // The motor's work is what the energy grew by.
  EXPECT_NEAR(work, column(sim, "E") - start, 2e-3);
}

TEST(StrainModel, WhatCannotBeAssembledIsNamed) {
  try {
    Simulation sim(fourBar("2.6, 0, 0.05"));
    FAIL() << "accepted";
  } catch (const BadScene& bad) {
    EXPECT_NE(bad.problems[0].message.find("does not close"), std::string::npos) << bad.problems[0].message;
    EXPECT_EQ(bad.problems[0].pointer, "/linkages/a/loops/0");
  }
  try {
    Simulation sim(test::scene(R"("l": {"joint": {"revolute": {"axis": "y"}}, "body": {"rigid": {"length": 0.1}}})",
                               "\"dt\": 1e-3", ""));
    FAIL() << "accepted";
  } catch (const BadScene& bad) {
    EXPECT_NE(bad.problems[0].message.find("\"a/l\""), std::string::npos) << bad.problems[0].message;
    EXPECT_EQ(bad.problems[0].pointer, "/linkages/a/links/l");
  }
}

const std::string everything = R"({"format": "tendril/1",
  "parameters": {"T": {"value": 2, "min": 0, "max": 5}},
  "materials": {"rubber": {"youngs": 2e5, "poisson": 0.5, "density": 1000, "damping": 300}},
  "linkages": {"a": {"links": {
    "trunk": {"joint": {"free": {"stiffness": [1, 200], "damping": [0.05, 3]}}, "body": {"rigid": {"length": 0.1, "section": {"circle": {"radius": 0.02}}, "density": 1000}}},
    "limb": {"joint": {"spherical": {"stiffness": 0.3, "damping": 1e-3}}, "body": {"soft": {"length": 0.3, "section": {"circle": {"radius": 0.01}}, "material": "rubber", "strains": {"twist": 1, "bendY": 2, "bendZ": 2, "stretch": 0}}}},
    "fork": {"parent": "trunk", "joint": {"universal": {"axis": "x", "stiffness": 0.2}}, "offset": {"position": [0, 0.03, 0]}, "body": {"rigid": {"length": 0.2, "section": {"circle": {"radius": 0.01}}, "density": 1000}}},
    "plate": {"joint": {"planar": {"axis": "z", "stiffness": [0.1, 20]}}, "body": {"rigid": {"length": 0.1, "section": {"circle": {"radius": 0.01}}, "density": 1000}}},
    "screw": {"joint": {"cylindrical": {"axis": "x", "stiffness": [0.1, 30]}}, "body": {"rigid": {"length": 0.1, "section": {"circle": {"radius": 0.01}}, "density": 1000}}}},
    "cables": {"c": {"through": ["trunk", "limb"], "path": {"constant": [0, 0.005]}, "tension": "=T"}}}},
  "environment": {"gravity": [0, 0, -9.81]},
  "obstacles": {"floor": {"plane": {"point": [0, 0, -0.12], "normal": [0, 0, 1]}}}, "contact": {"friction": 0.3, "stiffness": 2000, "distance": 2e-3},
  "initial": [{"of": "a/limb", "angleRate": [0, 3, 2], "bendY": 1}],
  "solver": {"dt": 2e-3, "duration": 0.4, "integrator": "INTEGRATOR"},
  "probes": {"tip": {"position": "a/limb:tip"}, "c": {"cable": "a/c"}, "w": {"cableRate": "a/c"}, "screw": {"jointAngle": "a/screw"}, "touch": {"contact": "force"}}})";

std::string with(const char* integrator) {
  std::string text = everything;
  return text.replace(text.find("INTEGRATOR"), 10, integrator);
}

TEST(StrainModel, ARestoredRunContinuesBitForBit) {
  for (const char* integrator : {"generalized-alpha", "implicit-euler", "implicit-midpoint", "bdf2"}) {
    Simulation whole(with(integrator)), copy(with(integrator));
    while (whole.time() < 0.2) whole.step();
    const std::vector<std::byte> saved = whole.save();
    copy.step();
    copy.restore(saved);
    while (!whole.finished()) {
      whole.step(), copy.step();
      ASSERT_EQ(whole.values().size(), copy.values().size());
      for (std::size_t i = 0; i < whole.values().size(); ++i)
        ASSERT_EQ(whole.values()[i], copy.values()[i]) << integrator << " " << whole.columns()[i];
    }
    EXPECT_GT(whole.maxPenetration(), 0) << "the floor was never touched";
  }
}

TEST(StrainModel, LiveParametersActAtOnceAndKeepTheState) {
  Simulation sim(with("generalized-alpha"));
  while (sim.time() < 0.1) sim.step();
  const double before = column(sim, "c"), time = sim.time();
  EXPECT_TRUE(sim.set("T", 4));
  EXPECT_EQ(sim.time(), time);
  const std::vector<std::byte> kept = sim.save();
  sim.step();
  EXPECT_NEAR(column(sim, "c"), before, 1e-2);
  sim.restore(kept);
  EXPECT_NEAR(column(sim, "c"), before, 1e-12);
}

// The rate of a tendon's length is the slope of its length.
TEST(StrainModel, TendonRatesAreSlopesOfTheirLengths) {
  Simulation sim(with("implicit-midpoint"));
  double before = 0, rate = 0;
  while (sim.time() < 0.05) {
    before = column(sim, "c"), rate = column(sim, "w");
    sim.step();
    const double slope = (column(sim, "c") - before) / 2e-3;
    EXPECT_NEAR(slope, 0.5 * (rate + column(sim, "w")), 0.02 * (std::abs(slope) + 0.05));
  }
}

// All integrators go to one answer: the explicit ones at small steps, the implicit ones with their order.
TEST(StrainModel, IntegratorsAgree) {
  const auto tip = [](const char* integrator, double dt) {
    const std::string text =
        test::scene(R"("l": {"joint": {"revolute": {"axis": "z", "angle": "=3*t"}}, )" + rod + R"(},
           "m": {"joint": {"spherical": {}}, "body": {"soft": {"length": 0.3, "section": {"circle": {"radius": 0.02}}, "strains": {"bendY": 1, "bendZ": 1}}}})",
                    "\"dt\": " + std::to_string(dt) + R"(, "duration": 0.2, "integrator": ")" + integrator + "\"",
                    R"("environment": {"gravity": [0, 0, -9.81]}, "probes": {"tip": {"position": "a:tip"}})");
    Simulation sim(text);
    while (!sim.finished()) sim.step();
    return Vec3(column(sim, "tip.x"), column(sim, "tip.y"), column(sim, "tip.z"));
  };
  const Vec3 exact = tip("implicit-midpoint", 1e-4);
  for (const char* integrator : {"generalized-alpha", "implicit-midpoint", "bdf2", "verlet"}) {
    const double coarse = (tip(integrator, 2e-3) - exact).norm(), fine = (tip(integrator, 1e-3) - exact).norm();
    EXPECT_LT(fine, 2e-3) << integrator;
    EXPECT_GT(std::log2(coarse / fine), 1.6) << integrator;
  }
  for (const char* integrator : {"implicit-euler", "symplectic-euler"}) {
    const double coarse = (tip(integrator, 5e-4) - exact).norm(), fine = (tip(integrator, 2.5e-4) - exact).norm();
    EXPECT_NEAR(std::log2(coarse / fine), 1, 0.35) << integrator;
  }
}

// A tendon beside a hinge: torque T d cos(phi / 2) where the sections touch, at any angle; none through its middle.
TEST(StrainModel, TendonsHaveTheirLeverAtAHinge) {
  for (const double angle : {0.6, 1.57, 2.5}) {
    const auto effort = [&](const char* path, const char* offset) {
      const std::string text = R"({"format": "tendril/1", "linkages": {"a": {"links": {"l": {)" + rod +
                               R"(}, "m": {"offset": {"position": [)" + offset +
                               R"(]}, "joint": {"revolute": {"axis": "z", "angle": )" + std::to_string(angle) + "}}, " +
                               rod + R"(}}, "cables": {"c": {"through": ["l", "m"], "path": {"constant": [)" + path +
                               R"(]}, "tension": 5}}}},
                               "solver": {"mode": "static"}, "probes": {"T": {"jointEffort": "a/m"}}})";
      Simulation sim(text);
      runToEnd(sim);
      return column(sim, "T");
    };
    EXPECT_NEAR(effort("0.01, 0", "0, 0, 0"), -5 * 0.01 * std::cos(0.5 * angle), 1e-9) << angle;
    EXPECT_NEAR(effort("0, 0", "0.05, 0, 0"), 0, 1e-9) << angle;
  }
}

TEST(StrainModel, VerletKeepsItsOrderBesideDrivenJoints) {
  const auto end = [](const char* integrator, double dt) {
    Simulation sim(
        test::scene(R"("l": {"joint": {"revolute": {"axis": "y", "angle": "=sin(4*t) "}}, )" + rod + R"(},
                           "m": {"joint": {"revolute": {"axis": "y"}}, )" +
                        rod + "}",
                    "\"dt\": " + std::to_string(dt) + R"(, "duration": 0.4, "integrator": ")" + integrator + "\"",
                    R"("environment": {"gravity": [0, 0, -9.81]}, "probes": {"q": {"jointAngle": "a/m"}})"));
    while (!sim.finished()) sim.step();
    return column(sim, "q");
  };
  const double exact = end("implicit-midpoint", 1e-4);
  const double coarse = std::abs(end("verlet", 2e-3) - exact), fine = std::abs(end("verlet", 1e-3) - exact);
  EXPECT_GT(std::log2(coarse / fine), 1.6) << coarse << " " << fine;
}

// A thrown linkage moves as one that rests, seen from a train, as long as no step is cut.
TEST(StrainModel, WhatFliesMovesAsWhatRestsSeenFromATrain) {
  const auto flown = [](const char* joint, const char* integrator, double speed) {
    const bool flat = std::string(joint).find("planar") != std::string::npos;
    Simulation sim(
        R"({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "poisson": 0.4, "density": 1100, "damping": 0}}, "linkages": {"m": {"links": {"b": {
      "joint": {)" +
        std::string(joint) +
        R"(}, "body": {"soft": {"length": 0.3, "section": {"circle": {"radius": 0.01}}, "strains": {"bendZ": 3}}}}}}},
      "initial": [{"of": "m/b", "bendZ": "=2*u", )" +
        (flat ? "\"angleRate\": 3, \"displacementRate\": [0, " + digits(speed) + "]"
              : "\"angleRate\": [1, 2, 3], \"displacementRate\": [0, " + digits(speed) + ", 0]") +
        R"(}], "environment": {"gravity": [0, 0, 0]}, "solver": {"integrator": ")" + integrator +
        R"(", "dt": 0.001, "duration": 0.1, "tolerance": 1e-12},
      "probes": {"p": {"position": "m:tip"}, "v": {"velocity": "m/b@0.5"}}})");
    EXPECT_EQ(runToEnd(sim).retries, 0) << joint << integrator;
    return std::pair(vectorColumn(sim, "p"), vectorColumn(sim, "v"));
  };
  for (const char* joint : {R"("free": {})", R"("planar": {"axis": "z"})"}) {
    for (const char* integrator : {"generalized-alpha", "bdf2", "implicit-euler"}) {
      const auto rest = flown(joint, integrator, 0), thrown = flown(joint, integrator, 20);
      EXPECT_LT((thrown.first - rest.first - Vec3(0, 2, 0)).norm(), 1e-7) << joint << integrator;
      EXPECT_LT((thrown.second - rest.second - Vec3(0, 20, 0)).norm(), 1e-5) << joint << integrator;
    }
  }
}

}  // namespace strain_model_test
}  // namespace tendril::links
