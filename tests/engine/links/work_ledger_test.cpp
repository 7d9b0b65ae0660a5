// The balance of energy of linkages: work, losses and what the integrator made or took, against theory, against each
// other, and in their order in the step.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/simulation/run_scene.h"

namespace tendril::links {
namespace work_ledger_test {

using test::column;
using test::digits;
using test::filled;
using test::vectorColumn;

/// An arm of a rigid link on a hinge, a rigid one on a ball joint and a soft one; `hinge` are keys of the first joint,
/// `first` of the first link, `arm` of the linkage, `more` of the scene.
std::string armWith(const std::string& more, const std::string& hinge = R"("stiffness": 0.5)",
                    const std::string& damping = "0", const std::string& gravity = "[0, 0, -9.81]",
                    const std::string& medium = "", const std::string& arm = "", const std::string& link = "") {
  return filled(R"("materials": {"m": {"youngs": 3e5, "poisson": 0.4, "density": 1000, "damping": $damping}},
    "linkages": {"a": {$arm "links": {
      "one": {$link "joint": {"revolute": {"axis": "y", $hinge}}, "body": {"rigid": {"length": 0.3, "section": {"circle": {"radius": 0.02}}, "density": 1000}}},
      "two": {$link "joint": {"spherical": {"stiffness": 0.2, "damping": "=1e-5*$damping"}}, "body": {"rigid": {"length": 0.2, "section": {"circle": {"radius": 0.02}}, "density": 1000}}},
      "three": {$link "body": {"soft": {"length": 0.3, "section": {"circle": {"radius": 0.015}}, "material": "m", "strains": {"bendY": 2, "bendZ": 2, "twist": 1}}}}}}},
    "environment": {"gravity": $gravity$medium}, $more $solver)",
                {{"more", more},
                 {"hinge", hinge},
                 {"damping", damping},
                 {"gravity", gravity},
                 {"medium", medium},
                 {"arm", arm},
                 {"link", link}});
}

std::string solved(const std::string& body, const std::string& integrator, double dt,
                   const std::string& duration = "0.2") {
  return R"({"format": "tendril/1", )" +
         filled(
             body,
             {{"solver",
               filled(
                   R"("solver": {"integrator": "$integrator", "dt": $dt, "duration": $duration, "tolerance": 1e-10})",
                   {{"integrator", integrator}, {"dt", digits(dt)}, {"duration", duration}})}}) +
         "}";
}

EnergyBalance balanceOf(const std::string& body, const std::string& integrator, double dt) {
  Simulation sim(solved(body, integrator, dt));
  test::runToEnd(sim);
  return *sim.energyBalance();
}

struct Case {
  const char* name;
  std::string scene;
  bool works, dissipates;
};

const std::string calm = "[0, 0, -9.81]";

/// What the midpoint rule keeps the energy of.
std::vector<Case> keptCases() {
  const std::string cables =
      R"("cables": {"c": {"through": "three", "path": {"constant": [0.01, 0]}, "tension": "=0.6+0.4*sin(25*t) "},
    "d": {"through": ["one", "two", "three"], "path": {"constant": [0, 0.01]}, "tension": 0.3},
    "e": {"through": ["one", "two"], "outside": true, "path": {"constant": [0, -0.02]}, "tension": 0.2}},)";
  const std::string streams =
      R"(, "viscous": 0.5, "rft": {"tangential": 0.1, "normal": 0.2}, "fluid": {"density": 300, "velocity": [0.3, 0.2, 0.5]})";
  return {
      {"nothing but gravity", armWith(""), false, false},
      {"damping", armWith("", R"("stiffness": 0.5, "damping": 0.01)", "500"), false, true},
      {"a dead force", armWith(R"("loads": [{"force": [0.2, 0.3, 0.1], "at": "a/three"}],)"), true, false},
      {"a force in time",
       armWith(R"("loads": [{"force": ["=0.5*cos(20*t) ", "=0.4*sin(30*t) ", 0.1], "at": "a/three"}],)"), true, false},
      {"a force that is switched",
       armWith(R"("loads": [{"force": [0.2, 0.3, 0.1], "at": "a/three", "from": 0.048, "until": 0.152}],)"), true,
       false},
      {"a follower force", armWith(R"("loads": [{"follower": [0.1, 0.2, -0.1], "at": "a/three"}],)"), true, false},
      {"a moment", armWith(R"("loads": [{"moment": [0.003, 0.005, 0.004], "at": "a/three"}],)"), true, false},
      {"a mass that is hung on",
       armWith(R"("loads": [{"mass": 0.05, "at": "a/one@1", "from": 0.048, "until": 0.152}],)"), true, false},
      {"a motor, and a spring in time",
       armWith("", R"("torque": "=0.5+0.5*sin(20*t) ", "stiffness": "=0.5+0.3*sin(15*t) ", "rest": "=0.3*sin(10*t) ")"),
       true, false},
      {"gravity in time", armWith("", R"("stiffness": 0.5)", "0", R"(["=3*sin(30*t) ", 0, "=-9.81*cos(20*t) "])"), true,
       false},
      {"cables", armWith("", R"("stiffness": 0.5)", "0", calm, "", cables), true, false},
      {"a stream",
       armWith("", R"("stiffness": 0.5)", "0", calm, streams, "",
               R"("fluid": {"drag": 1, "lift": 0.3, "added": 0.8},)"),
       true, true},
      {"a wind in time",
       armWith("", R"("stiffness": 0.5)", "0", calm,
               R"(, "fluid": {"density": 300, "velocity": ["=0.5*sin(20*t) ", 0.1, 0]})", "",
               R"("fluid": {"drag": 1, "lift": 0.3, "added": 0.8},)"),
       true, true},
  };
}

const std::string driven = armWith("", R"("angle": "=0.8*sin(10*t)^2")");

double throughput(const EnergyBalance& e) { return e.peak + std::abs(e.work) + e.dissipated; }

// The midpoint rule keeps every stored energy, so that its balance shows whether work and losses are the right ones.
TEST(EnergyBalanceOfLinkages, OfTheMidpointRuleIsClosedWhateverActs) {
  for (const Case& c : keptCases()) {
    SCOPED_TRACE(c.name);
    const EnergyBalance e = balanceOf(c.scene, "implicit-midpoint", 4e-3);
    EXPECT_LT(std::abs(e.numerical), 1e-9 * throughput(e));
    EXPECT_EQ(std::abs(e.work) > 1e-3 * e.peak || e.work * e.work > 1e-9 * e.peak * e.peak, c.works) << e.work;
    EXPECT_EQ(e.dissipated > 1e-3 * e.peak, c.dissipates) << e.dissipated;
    EXPECT_GT(e.peak, 0);
  }
}

// What acted is known of the last state that was looked at, which need not be the one that the solve ended with.
TEST(EnergyBalanceOfLinkages, OfABodyAfloatUnderADeadForceIsClosed) {
  for (const double dt : {4e-3, 2e-3, 1e-3}) {
    Simulation sim(filled(R"({"format": "tendril/1",
      "linkages": {"arm": {"links": {"l0": {"joint": {"free": {}}, "body": {"rigid": {"length": 0.2, "section": {"circle": {"radius": 0.011}}, "density": 1000}}}}}},
      "loads": [{"force": [-0.053, -0.087, -0.083], "at": "arm/l0@1"}],
      "initial": [{"of": "arm/l0", "angleRate": [1.46, 2.42, -2.12], "displacementRate": [0.09, 0.25, 0.34]}],
      "solver": {"integrator": "implicit-midpoint", "dt": $dt, "duration": 0.1, "tolerance": 1e-11}})",
                          {{"dt", digits(dt)}}));
    test::runToEnd(sim);
    const EnergyBalance e = *sim.energyBalance();
    EXPECT_LT(std::abs(e.numerical), 1e-11 * e.peak) << dt;
  }
}

TEST(EnergyBalanceOfLinkages, WorkAndLossesAreThoseOfEveryIntegrator) {
  std::vector<Case> cases = keptCases();
  cases.push_back({"a joint that is driven", driven, true, false});
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    const EnergyBalance exact = balanceOf(c.scene, "implicit-midpoint", 1e-3);
    for (const char* other : {"bdf2", "generalized-alpha"}) {
      const EnergyBalance e = balanceOf(c.scene, other, 1e-3);
      EXPECT_NEAR(e.work, exact.work, 1e-3 * throughput(exact)) << other;
      EXPECT_NEAR(e.dissipated, exact.dissipated, 1e-3 * throughput(exact)) << other;
    }
    const EnergyBalance e = balanceOf(c.scene, "verlet", 1e-4);
    EXPECT_NEAR(e.work, exact.work, 1e-3 * throughput(exact));
    EXPECT_NEAR(e.dissipated, exact.dissipated, 1e-3 * throughput(exact));
  }
}

TEST(EnergyBalanceOfLinkages, WhatIntegratorsTakeIsOfTheirOrder) {
  std::vector<Case> cases = keptCases();
  cases.push_back({"a joint that is driven", driven, true, false});
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    const auto taken = [&](const char* integrator, double dt) { return balanceOf(c.scene, integrator, dt).numerical; };
    const double through = throughput(balanceOf(c.scene, "bdf2", 1e-3));
    const double euler = taken("implicit-euler", 4e-4);
    EXPECT_LT(euler, 0);
    EXPECT_NEAR(euler / taken("implicit-euler", 2e-4), 1.95, 0.2);
    EXPECT_NEAR(taken("symplectic-euler", 1e-4) / taken("symplectic-euler", 5e-5), 2, 0.3);
    // Of second order, or too little to tell.
    for (const char* second : {"bdf2", "generalized-alpha", "verlet"}) {
      const double dt = second == std::string("verlet") ? 1e-4 : 4e-4, coarse = taken(second, dt),
                   fine = taken(second, dt / 2);
      EXPECT_LT(std::abs(coarse), 0.1 * std::abs(euler)) << second;
      EXPECT_LT(std::abs(fine), std::max(0.36 * std::abs(coarse), 1e-7 * through)) << second << " " << coarse;
    }
  }
  const double coarse = balanceOf(driven, "implicit-midpoint", 2e-3).numerical;
  EXPECT_NEAR(coarse / balanceOf(driven, "implicit-midpoint", 1e-3).numerical, 4, 0.4);
}

// A four-bar mechanism on a motor, with a damped crank: its loop does no work, whatever the forces in it.
TEST(EnergyBalanceOfLinkages, LoopsDoNoWork) {
  const std::string bar =
      R"("body": {"rigid": {"length": $l, "section": {"circle": {"radius": 0.02}}, "density": 1000}})";
  const auto link = [&](const char* l) { return filled(bar, {{"l", l}}); };
  const std::string scene = R"("linkages": {"a": {"links": {
    "crank": {"joint": {"revolute": {"axis": "y", "torque": "=0.3*sin(20*t) ", "damping": 0.005}}, )" +
                            link("0.1") + R"(},
    "coupler": {"joint": {"revolute": {"axis": "y", "stiffness": 0.2}}, )" +
                            link("0.3") + R"(},
    "rocker": {"parent": "base", "offset": {"position": [0.25, 0, 0]}, "joint": {"revolute": {"axis": "y"}}, )" +
                            link("0.2") + R"(}},
    "loops": [{"from": "coupler@1", "to": "rocker@1", "joint": {"revolute": {"axis": "y"}}}]}},
    "environment": {"gravity": [0, 0, -9.81]}, $solver)";
  const EnergyBalance coarse = balanceOf(scene, "generalized-alpha", 1e-3),
                      fine = balanceOf(scene, "generalized-alpha", 5e-4);
  EXPECT_LT(std::abs(coarse.numerical), 1e-5 * throughput(coarse));
  EXPECT_NEAR(coarse.numerical / fine.numerical, 4.2, 0.6);
  EXPECT_NEAR(balanceOf(scene, "implicit-euler", 1e-3).numerical / balanceOf(scene, "implicit-euler", 5e-4).numerical,
              2, 0.1);
  EXPECT_GT(fine.work, 0.1 * fine.peak);
  EXPECT_GT(fine.dissipated, 0.1 * fine.peak);
}

const std::vector<std::string> all = {"implicit-euler",   "bdf2",  "generalized-alpha", "implicit-midpoint",
                                      "symplectic-euler", "verlet"};

TEST(EnergyBalanceOfLinkages, ADeadForceDoesItsForceTimesTheWay) {
  for (const std::string& integrator : all) {
    SCOPED_TRACE(integrator);
    Simulation sim(solved(
        armWith(
            R"("loads": [{"force": [0.2, 0.3, 0.1], "at": "a/three"}], "probes": {"at": {"position": "a/three"}},)"),
        integrator, 1e-4, "0.05"));
    const Vec3 from = vectorColumn(sim, "at");
    test::runToEnd(sim);
    const double work = Vec3(0.2, 0.3, 0.1).dot(vectorColumn(sim, "at") - from);
    EXPECT_NEAR(sim.energyBalance()->work, work, 1e-9 * sim.energyBalance()->peak);
  }
}

TEST(EnergyBalanceOfLinkages, AConstantTorqueDoesItTimesTheAngle) {
  for (const std::string& integrator : all) {
    SCOPED_TRACE(integrator);
    Simulation sim(
        solved(armWith(R"("probes": {"at": {"jointAngle": "a/one"}},)", R"("torque": 0.7)"), integrator, 1e-4, "0.05"));
    test::runToEnd(sim);
    EXPECT_NEAR(sim.energyBalance()->work, 0.7 * column(sim, "at"), 1e-12);
  }
}

/// A rod on a hinge, with `joint` keys; inertia about it.
std::string pendulum(const std::string& joint, const std::string& more = "") {
  return filled(R"("linkages": {"a": {"links": {"one": {"joint": {"revolute": {"axis": "y", $joint}},
    "body": {"rigid": {"length": 0.5, "mass": 3, "inertia": [1, 0.2, 1], "center": [0, 0, 0]}}}}}}, $more $solver)",
                {{"joint", joint}, {"more", more}});
}

// I w' + c w + k q = 0 from q0: what is left is known.
TEST(EnergyBalanceOfLinkages, ADamperTakesWhatAPendulumLoses) {
  const double I = 0.2, k = 20, c = 0.1, q0 = 0.5, T = 1;
  const double decay = c / (2 * I), omega = std::sqrt(k / I - decay * decay), e = std::exp(-decay * T);
  const double q = q0 * e * (std::cos(omega * T) + decay / omega * std::sin(omega * T));
  const double w = -q0 * e * (k / I / omega) * std::sin(omega * T);
  const double lost = 0.5 * k * (q0 * q0 - q * q) - 0.5 * I * w * w;
  for (const std::string& integrator : all) {
    SCOPED_TRACE(integrator);
    const std::string scene =
        pendulum(R"("stiffness": 20, "damping": 0.1)", R"("initial": [{"of": "a/one", "angle": 0.5}],)");
    Simulation sim(solved(scene, integrator, 1e-3, "1"));
    test::runToEnd(sim);
    const bool first = integrator == "implicit-euler" || integrator == "symplectic-euler";
    EXPECT_NEAR(sim.energyBalance()->dissipated, lost, (first ? 0.05 : 2e-4) * lost);
    EXPECT_EQ(sim.energyBalance()->work, 0);
  }
}

// Spun up by what drives its joint: it gives the kinetic energy and what the damper takes.
TEST(EnergyBalanceOfLinkages, WhatDrivesAJointGivesItsMotion) {
  for (const std::string& integrator : all) {
    SCOPED_TRACE(integrator);
    Simulation sim(solved(pendulum(R"("angle": "=3*t^2", "damping": 0.1)"), integrator, 1e-3, "1"));
    test::runToEnd(sim);
    const double motion = 0.5 * 0.2 * 36, taken = 0.1 * 36.0 / 3;
    EXPECT_NEAR(sim.energyBalance()->dissipated, taken, 1e-4 * taken);
    EXPECT_NEAR(sim.energyBalance()->work, motion + taken, 3e-3 * (motion + taken));
  }
}

// A sledge that is driven over a floor: friction takes mu N along the way.
// A crank that turns from the start: the forces in the loop load its motor in the first step as in all others.
TEST(EnergyBalanceOfLinkages, TheMotorOfALoopGivesItsMotionFromTheStart) {
  const auto link = [](const char* length) {
    return filled(R"("body": {"rigid": {"length": $l, "section": {"circle": {"radius": 0.03}}, "density": 1000}})",
                  {{"l", length}});
  };
  const std::string scene = R"({"format": "tendril/1", "linkages": {"machine": {"links": {
      "crank": {"joint": {"revolute": {"axis": "y", "angle": "=pi*t"}}, )" +
                            link("0.2") + R"(},
      "rod": {"offset": {"rotation": {"axis": [0, 1, 0], "angle": "=pi/6"}}, "joint": {"revolute": {"axis": "y"}}, )" +
                            link("0.7") + R"(},
      "slider": {"offset": {"rotation": {"axis": [0, 1, 0], "angle": "=-pi/6"}}, "joint": {"revolute": {"axis": "y"}}, )" +
                            link("0.2") + R"(}},
    "loops": [{"from": "base", "offset": {"position": [0, 0, -0.35]}, "to": "slider", "joint": {"prismatic": {"axis": "x"}}}]}},
    "environment": {"gravity": [0, 0, -9.81]}, "solver": {"dt": 5e-3, "duration": 2}})";
  Simulation sim(scene);
  test::runToEnd(sim);
  EXPECT_LT(std::abs(sim.energyBalance()->numerical), 0.02 * sim.energyBalance()->peak);
}

TEST(EnergyBalanceOfLinkages, FrictionTakesItsForceTimesTheWay) {
  for (const char* integrator : {"implicit-euler", "bdf2", "generalized-alpha"}) {
    SCOPED_TRACE(integrator);
    const std::string ball =
        R"("body": {"rigid": {"length": 0.02, "section": {"circle": {"radius": 0.02}}, "density": 1000}})";
    Simulation sim(solved(
        R"("linkages": {"a": {"base": {"position": [0, 0, 0.0195]}, "links": {"slide": {"joint": {"prismatic": {"axis": "x", "displacement": "=0.5*t^2"}}, )" +
            ball + R"(}, "foot": {"joint": {"prismatic": {"axis": "z"}}, )" + ball + R"(}}}},
      "obstacles": {"floor": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}}, "environment": {"gravity": [0, 0, -9.81]},
      "contact": {"stiffness": 1000, "distance": 0.001, "friction": 0.3, "slip": 0.001, "damping": 0.01},
      "probes": {"N": {"contact": "force"}, "at": {"position": "a/foot"}, "W": {"energy": "work"}, "D": {"energy": "dissipated"}, "E": {"energy": "total"}, "made": {"energy": "numerical"}}, $solver)",
        integrator, 1e-3, "1"));
    sim.advance(0.3);
    const double x = column(sim, "at.x"), W = column(sim, "W"), D = column(sim, "D"), E = column(sim, "E"),
                 made = column(sim, "made");
    test::runToEnd(sim);
    const double lost = column(sim, "D") - D;
    EXPECT_NEAR(lost, 0.3 * column(sim, "N") * (column(sim, "at.x") - x), 2e-3 * lost);
    EXPECT_NEAR(column(sim, "W") - W, lost + column(sim, "E") - E, 2e-3 * lost);
    EXPECT_NEAR(column(sim, "made") - made, 0, 2e-3 * lost);
  }
}

// A floor that lifts a weight slowly gives the weight times the height; a belt that carries it off gives the motion and
// what rubs.
TEST(EnergyBalanceOfLinkages, ObstaclesThatMoveGiveWhatTheyCarry) {
  Simulation sim(solved(
      R"("linkages": {"a": {"base": {"position": [0, 0, 0.02]}, "links": {"foot": {"joint": {"prismatic": {"axis": "z"}},
      "body": {"rigid": {"length": 0.02, "section": {"circle": {"radius": 0.02}}, "density": 1000}}}}}},
      "obstacles": {"floor": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}, "displacement": [0, 0, "=0.1*sin(0.5*pi*t)^2"]}}, "environment": {"gravity": [0, 0, -9.81]},
      "contact": {"stiffness": 1000, "distance": 0.001, "damping": 0.01}, "probes": {"W": {"energy": "work"}, "E": {"energy": "total"}, "D": {"energy": "dissipated"}, "G": {"energy": "gravity"}}, $solver)",
      "generalized-alpha", 1e-3, "1"));
  const double G = column(sim, "G"), E = column(sim, "E");
  test::runToEnd(sim);
  const double weight = 1000 * pi * 4e-4 * 0.02 * 9.81;
  EXPECT_NEAR(column(sim, "G") - G, weight * 0.1, 0.02 * weight * 0.1);
  EXPECT_NEAR(column(sim, "W") - column(sim, "D"), column(sim, "E") - E, 0.01 * weight * 0.1);
}

std::string chosen(const std::string& integrator, bool slider = false) {
  const std::string cables =
      R"("cables": {"c": {"through": "three", "path": {"constant": [0.01, 0]}, "tension": "=0.6+0.4*sin(25*t) "}},)";
  return solved((slider ? R"("parameters": {"k": {"value": 0.5, "min": 0.1, "max": 3}}, )" : "") +
                    armWith(R"("loads": [{"force": [0.2, "=0.3*sin(9*t) ", 0.1], "at": "a/three"}],)",
                            slider ? R"("stiffness": "=k", "damping": 0.01)" : R"("stiffness": 0.5, "damping": 0.01)",
                            "300", calm, "", cables),
                integrator, integrator == "verlet" || integrator == "symplectic-euler" ? 1e-4 : 2e-3);
}

void expectSame(const EnergyBalance& a, const EnergyBalance& b) {
  EXPECT_EQ(a.work, b.work);
  EXPECT_EQ(a.dissipated, b.dissipated);
  EXPECT_EQ(a.numerical, b.numerical);
  EXPECT_EQ(a.peak, b.peak);
}

TEST(EnergyBalanceOfLinkages, GoesOnAfterARestoreBitForBit) {
  for (const std::string& integrator : all) {
    SCOPED_TRACE(integrator);
    Simulation whole(chosen(integrator)), part(chosen(integrator));
    for (int i = 0; i < 20; ++i) whole.step(), part.step();
    whole.energyBalance(), part.energyBalance();
    Simulation other(chosen(integrator));
    other.restore(part.save());
    for (int i = 0; i < 20; ++i) whole.step(), other.step();
    expectSame(*whole.energyBalance(), *other.energyBalance());
  }
}

TEST(EnergyBalanceOfLinkages, StepsThatAreStoppedAndLooksChangeNothing) {
  for (const std::string& integrator : all) {
    SCOPED_TRACE(integrator);
    Simulation plain(chosen(integrator)), other(chosen(integrator));
    for (int i = 0; i < 30; ++i) {
      int asked = 0;
      const int most = i % 3;
      other.step([&] { return asked++ < most; });
      while (other.time() < plain.time() + 1e-12) other.step();
      other.snapshot();
      plain.step();
    }
    while (other.time() > plain.time() + 1e-12) plain.step();
    EXPECT_EQ(plain.energyBalance()->work, other.energyBalance()->work);
    EXPECT_EQ(plain.energyBalance()->dissipated, other.energyBalance()->dissipated);
    EXPECT_EQ(plain.energyBalance()->numerical, other.energyBalance()->numerical);
  }
}

// A live slider that stiffens a bent joint does work: what the joint holds more afterwards.
TEST(EnergyBalanceOfLinkages, ASliderThatStiffensDoesWork) {
  for (const char* integrator : {"implicit-midpoint", "generalized-alpha"}) {
    Simulation sim(chosen(integrator, true));
    sim.advance(0.1);
    const EnergyBalance before = *sim.energyBalance();
    Simulation same(chosen(integrator, true));
    same.restore(sim.save());
    ASSERT_TRUE(sim.set("k", 1.5));
    const EnergyBalance after = *sim.energyBalance();
    EXPECT_GT(after.work - before.work, 1e-3 * before.peak);
    EXPECT_NEAR(after.numerical, before.numerical, 1e-12 * before.peak);
    test::runToEnd(sim);
    const bool keeps = integrator == std::string("implicit-midpoint");
    EXPECT_LT(std::abs(sim.energyBalance()->numerical), (keeps ? 1e-9 : 1e-3) * throughput(*sim.energyBalance()));
  }
}

// What flies together is heavier at once: that is work, of a linkage and of a rod, and nothing that the integrator
// made.
TEST(EnergyBalanceOfLinkages, AMassThatChangesInFlightIsWork) {
  const std::string flies[] = {
      R"("linkages": {"a": {"links": {"b": {"joint": {"free": {}}, "body": {"rigid": {"length": 0.3, "section": {"circle": {"radius": 0.01}}, "density": "=rho"}}}}}},
      "initial": [{"of": "a/b", "displacementRate": [30, 20, 0], "angleRate": [1, 2, 0]}],)",
      R"("rods": {"a": {"section": {"circle": {"radius": 0.01}}, "segments": 6, "material": "m", "path": {"line": {"from": [0, 0, 0], "to": [0.3, 0, 0]}}}},
      "materials": {"m": {"youngs": 1e7, "poisson": 0.3, "density": "=rho"}}, "initial": [{"of": "a", "velocity": [30, 20, 0]}],)"};
  for (const std::string& body : flies) {
    for (const char* integrator : {"implicit-midpoint", "generalized-alpha", "bdf2", "implicit-euler"}) {
      if (body[1] == 'r' && integrator == std::string("generalized-alpha")) continue;  // of linkages alone
      SCOPED_TRACE(integrator + body);
      Simulation sim(
          R"({"format": "tendril/1", "parameters": {"rho": {"value": 1000, "min": 500, "max": 4000}}, "environment": {"gravity": [0, 0, -9.81]}, )" +
          body + R"("solver": {"integrator": ")" + std::string(integrator) + R"(", "dt": 1e-3, "duration": 0.1}})");
      sim.advance(0.05);
      const EnergyBalance before = *sim.energyBalance();
      ASSERT_TRUE(sim.set("rho", 3000));
      sim.advance(0.05);
      const EnergyBalance after = *sim.energyBalance();
      // Twice the mass of before is there too, with the speed that it has had; and the weight has pulled at it since.
      const double more = 2000 * pi * 1e-4 * 0.3, speed2 = 30 * 30 + 20 * 20;
      EXPECT_NEAR(after.work, 0.5 * more * speed2, 1e-3 * 0.5 * more * speed2);
      EXPECT_LT(std::abs(after.numerical - before.numerical), 1e-2 * after.peak);
    }
  }
}

TEST(EnergyBalanceOfLinkages, AddsToThatOfRods) {
  const std::string rod =
      R"("rods": {"r": {"section": {"circle": {"radius": 0.01}}, "segments": 6, "path": {"line": {"from": [0, 2, 0], "to": [0.3, 2, 0]}}}}, "constraints": [{"clamp": "r:first"}],)";
  const std::string probes =
      R"("probes": {"W": {"energy": "work"}, "D": {"energy": "dissipated"}, "made": {"energy": "numerical"}, "E": {"energy": "total"}},)";
  const std::string scene = armWith(rod + probes, R"("torque": "=0.5*sin(20*t) ")", "300");
  for (const char* integrator : {"implicit-midpoint", "bdf2"}) {
    Simulation sim(solved(scene, integrator, 2e-3));
    const double E = column(sim, "E");
    test::runToEnd(sim);
    EXPECT_NEAR(column(sim, "E") - E, column(sim, "W") - column(sim, "D") + column(sim, "made"), 1e-11);
    EXPECT_EQ(sim.energyBalance()->work, column(sim, "W"));
    EXPECT_NE(column(sim, "W"), 0);
    if (integrator == std::string("implicit-midpoint")) {
      EXPECT_LT(std::abs(column(sim, "made")), 1e-9 * throughput(*sim.energyBalance()));
    }
  }
}

TEST(EnergyBalanceOfLinkages, ARunWhoseIntegratorTookOverATenthSaysSo) {
  const auto said = [&](const char* integrator) {
    Simulation sim(solved(armWith(""), integrator, 2e-2, "1"));
    const std::vector<std::string> warnings = test::runToEnd(sim).warnings;
    return std::count_if(warnings.begin(), warnings.end(),
                         [](const std::string& w) { return w.find("the integrator took") != std::string::npos; });
  };
  EXPECT_EQ(said("implicit-euler"), 1);
  EXPECT_EQ(said("implicit-midpoint"), 0);
}

}  // namespace work_ledger_test
}  // namespace tendril::links
