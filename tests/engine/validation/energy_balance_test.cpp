// The balance of energy of rods and shells: work, losses and what the integrator made or took, against theory, against
// each other, and in their order in the step.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "engine/simulation/run_scene.h"

namespace tendril {
namespace energy_balance_test {

using test::column;
using test::digits;
using test::filled;

struct Balance {
  EnergyBalance energy;
  Progress progress;
};

Balance balanceOf(const std::string& body, const std::string& integrator, double dt) {
  Simulation sim(R"({"format": "tendril/1", )" +
                 filled(body, {{"solver", filled(R"("solver": {"integrator": "$integrator", "dt": $dt, "duration": 0.2,
                          "tolerance": 1e-10})",
                                                 {{"integrator", integrator}, {"dt", digits(dt)}})}}) +
                 "}");
  Balance out;
  out.progress = test::runToEnd(sim);
  out.energy = *sim.energyBalance();
  return out;
}

/// A heavy rubber cantilever, with `more` keys of the scene and of its material.
std::string arm(const std::string& more, const std::string& material = "", const std::string& clamp = "",
                const std::string& gravity = "[0, 0, -9.81]", const std::string& medium = "") {
  return filled(R"("materials": {"m": {"youngs": 2e5, "poisson": 0.4, "density": 1100$material}}, "rods": {"a": {
    "section": {"circle": {"radius": 0.01}}, "segments": 10, "path": {"line": {"from": [0, 0, 0], "to": [0.4, 0, 0]}}}},
    "constraints": [{"clamp": "a:first"$clamp}], "environment": {"gravity": $gravity$medium}, $more $solver)",
                {{"more", more}, {"material", material}, {"clamp", clamp}, {"gravity", gravity}, {"medium", medium}});
}

std::string sheet(const std::string& bending, const std::string& more, const std::string& material = "",
                  const std::string& medium = "", const std::string& clamp = "") {
  return filled(R"("materials": {"m": {"youngs": 2e5, "poisson": 0.3, "density": 1100$material}}, "shells": {"p": {
    "thickness": 0.004, "bending": "$bending", "mesh": {"rectangle": {"corner": [0, 0, 0], "along": [0.2, 0, 0], "across":
    [0, 0.1, 0], "edge": 0.05}}}}, "constraints": [{"clamp": {"of": "p", "where": "x < 0.001"}$clamp}],
    "environment": {"gravity": [0, 0, -9.81]$medium}, $more $solver)",
                {{"bending", bending}, {"more", more}, {"material", material}, {"medium", medium}, {"clamp", clamp}});
}

struct Case {
  const char* name;
  std::string scene;
  bool works, dissipates;
  bool secondOrder;  // whether what BDF2 leaves over is of second order: forces of its end, times the way, are not
};

std::vector<Case> cases() {
  const std::string drag = R"(, "viscous": 0.5, "fluid": {"velocity": [0.3, 0.2, 0.5]})";
  std::vector<Case> out = {
      {"nothing but gravity", arm(""), false, false, true},
      {"damping", arm("", R"(, "damping": 300)"), false, true, true},
      {"viscous drag in a wind", arm("", "", "", "[0, 0, -9.81]", drag), true, true, true},
      {"resistive force", arm("", "", "", "[0, 0, -9.81]", R"(, "rft": {"tangential": 0.3, "normal": 0.8})"), false,
       true, true},
      {"a follower force", arm(R"("loads": [{"follower": [0.05, 0.1, -0.1], "at": "a:last"}],)"), true, false, true},
      {"a moment", arm(R"("loads": [{"moment": [0.002, 0.01, 0.002], "at": "a:last"}],)"), true, false, true},
      {"a force in time", arm(R"("loads": [{"force": [0, "=0.2*sin(40*t) ", 0.1], "at": "a:last"}],)"), true, false,
       true},
      {"a support that moves", arm("", "", R"(, "displacement": [0, "=0.05*sin(15*t)^2", "=0.02*sin(20*t)^2"])"), true,
       false, false},
      {"a clamp that turns", arm("", "", R"(, "rotation": {"axis": [0, 1, 1], "angle": "=1.5*sin(20*t)^2"})"), true,
       false, true},
      {"actuation", arm(R"("actuation": [{"rod": "a", "curvature": ["=3*sin(30*t)^2", "=2*sin(20*t)^2"], "twist":
                           "=3*sin(25*t)^2", "stretch": "=1+0.02*sin(30*t)^2"}],)"),
       true, false, true},
      {"damped actuation",
       arm(R"("actuation": [{"rod": "a", "curvature": ["=3*sin(30*t)^2", 0], "stretch":
                                  "=1+0.2*sin(30*t)^2"}],)",
           R"(, "damping": 300)"),
       true, true, true},
      {"a clamp that turns under a mass",
       arm(R"("loads": [{"mass": 0.02, "at": "a:last"}],)", "",
           R"(, "rotation": {"axis": [0, 1, 1], "angle": "=1.5*sin(20*t)^2"})"),
       true, false, true},
      {"a moment that turns with what it acts on",
       arm(R"J("loads": [{"moment": [0, "=0.05*tz", "=0.02*sin(40*t)*tx"], "at": "a", "per": "length"}],)J"), true,
       false, true},
      {"a force in place and motion", arm(R"J("loads": [{"force": ["=-0.3*vx", "=2*z", "=0.5-0.1*vz"], "at": "a"}],)J"),
       true, false, true},
      {"gravity in time", arm("", "", "", R"(["=3*sin(30*t) ", 0, "=-9.81*cos(20*t) "])"), true, false, true},
      {"viscous drag in a wind that changes",
       arm("", "", "", "[0, 0, -9.81]",
           R"J(, "viscous": 0.5, "fluid": {"velocity": ["=2*sin(30*t)", 0.2, "=20*t^2"]})J"),
       true, true, true},
  };
  for (const char* bending : {"hinge", "midedge"}) {
    out.push_back({"a sheet", sheet(bending, ""), false, false, true});
    out.push_back({"a damped sheet", sheet(bending, "", R"(, "damping": 300)"), false, true, true});
    out.push_back({"a sheet in viscous air that begins to move",
                   sheet(bending, "", "", R"J(, "viscous": 0.1, "fluid": {"velocity": ["=sin(20*t)", 0, "=30*t^2"]})J"),
                   true, true, true});
    out.push_back({"a sheet in the wind",
                   sheet(bending, "", "", R"(, "fluid": {"density": 1.2, "velocity": [0, 1, 2]}, "drag": 2)"), true,
                   true, true});
    out.push_back(
        {"a sheet under pressure", sheet(bending, R"("loads": [{"pressure": 30, "on": "p"}],)"), true, false, true});
  }
  out.push_back({"a sheet on a clamp that turns",
                 sheet("hinge", "", "", "", R"(, "rotation": {"axis": [0, 1, 0.2], "angle": "=1.2*sin(10*t)^2"})"),
                 true, false, false});
  out.push_back({"a damped sheet whose clamp turns",
                 sheet("hinge", "", R"(, "damping": 300)", "",
                       R"(, "rotation": {"axis": [0, 1, 1], "angle": "=0.7*sin(10*t)^2"})"),
                 true, true, false});  // BDF2's error falls sixfold here
  return out;
}

double throughput(const EnergyBalance& e) { return e.peak + std::abs(e.work) + e.dissipated; }

// The midpoint rule keeps every stored energy, so that its balance shows whether work and losses are the right ones.
TEST(EnergyBalance, OfTheMidpointRuleIsClosedWhateverActs) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const EnergyBalance e = balanceOf(c.scene, "implicit-midpoint", 4e-3).energy;
    EXPECT_LT(std::abs(e.numerical), 1e-9 * throughput(e));
    EXPECT_EQ(std::abs(e.work) > 1e-3 * e.peak, c.works) << e.work;
    EXPECT_EQ(e.dissipated > 1e-3 * e.peak, c.dissipates) << e.dissipated;
    EXPECT_GT(e.peak, 0);
  }
}

TEST(EnergyBalance, WorkAndLossesAreThoseOfEveryIntegrator) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const EnergyBalance exact = balanceOf(c.scene, "implicit-midpoint", 1e-3).energy,
                        other = balanceOf(c.scene, "bdf2", 1e-3).energy;
    EXPECT_NEAR(other.work, exact.work, 0.02 * throughput(exact));
    EXPECT_NEAR(other.dissipated, exact.dissipated, 0.02 * throughput(exact));
  }
}

TEST(EnergyBalance, WhatIntegratorsTakeIsOfTheirOrder) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const auto taken = [&](const char* integrator, double dt) {
      return balanceOf(c.scene, integrator, dt).energy.numerical;
    };
    // Steps that resolve the slow motion well; Euler's own share falls with half its step to a half, BDF2's to a
    // quarter.
    const double euler1 = taken("implicit-euler", 5e-4), euler2 = taken("implicit-euler", 2.5e-4);
    EXPECT_LT(euler1, 0);
    EXPECT_NEAR(euler1 / euler2, 1.9, 0.35);
    if (!c.secondOrder) continue;
    const double bdf1 = taken("bdf2", 5e-4), bdf2 = taken("bdf2", 2.5e-4);
    EXPECT_LT(std::abs(bdf1), 0.2 * std::abs(euler1));
    EXPECT_NEAR(bdf1 / bdf2, 4.2, 0.6);
  }
}

TEST(EnergyBalance, OfAnExplicitIntegratorClosesToItsOrder) {
  for (const Case& c : cases()) {
    if (std::string(c.scene).find("midedge") != std::string::npos) continue;
    SCOPED_TRACE(c.name);
    for (const char* integrator : {"verlet", "symplectic-euler"}) {
      const EnergyBalance e = balanceOf(c.scene, integrator, 5e-5).energy;
      EXPECT_LT(std::abs(e.numerical), 1e-3 * throughput(e)) << integrator;
    }
  }
}

// A block of rubber pushed over a floor: friction takes mu m g along the way, the force gives F times the way.
// An obstacle that lifts a beam does its work once, whatever else may change what bodies store.
TEST(EnergyBalance, WhatObstaclesDoDoesNotDependOnWhatActsElsewhere) {
  const auto lifted = [](const std::string& more, const std::string& rod, const char* integrator) {
    Simulation sim(test::filled(
        R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "density": 1000, "damping": 1000}}, "rods": {
      "a": {"section": {"circle": {"radius": 0.003}}, "segments": 10, "path": {"line": {"from": [0, 0, 0], "to": [0.1, 0, 0]}}},
      "far": {"section": {"circle": {"radius": 0.003}}, "segments": 4, "path": {"line": {"from": [0, 1, 0], "to": [0.1, 1, 0]}}}},
      "constraints": [{"clamp": "a:first"}, {"clamp": "far:first"$rod}], $more "environment": {"gravity": [0, 0, -9.81]},
      "obstacles": {"o": {"sphere": {"center": [0.07, 0, -0.015], "radius": 0.01}, "displacement": [0, 0, "=0.02*smooth(t,0,0.1)"]}},
      "contact": {"stiffness": 300, "distance": 1e-3}, "solver": {"integrator": "$integrator", "dt": $dt, "duration": 0.1}})J",
        {{"more", more},
         {"rod", rod},
         {"integrator", integrator},
         {"dt", std::string(integrator) == "verlet" ? "1e-5" : "1e-3"}}));
    test::runToEnd(sim);
    return *sim.energyBalance();
  };
  for (const char* integrator : {"implicit-midpoint", "implicit-euler", "bdf2", "verlet"}) {
    const EnergyBalance plain = lifted("", "", integrator);
    EXPECT_GT(plain.work, 1e-4);
    for (const auto& [more, rod] :
         std::vector<std::array<std::string, 2>>{{R"("loads": [{"mass": 1e-9, "at": "far:last"}],)", ""},
                                                 {R"("actuation": [{"rod": "far", "curvature": [0, 0]}],)", ""},
                                                 {"", R"(, "rotation": {"axis": [0, 0, 1], "angle": "=0*t"})"}}) {
      const EnergyBalance e = lifted(more, rod, integrator);
      EXPECT_NEAR(e.work, plain.work, 1e-6 * plain.work) << integrator << more << rod;
      EXPECT_NEAR(e.numerical, plain.numerical, 1e-6 * plain.work) << integrator << more << rod;
    }
  }
}

TEST(EnergyBalance, FrictionTakesItsForceTimesTheWay) {
  Simulation sim(R"({"format": "tendril/1", "materials": {"m": {"youngs": 1e7, "density": 1000}}, "rods": {"a": {
    "section": {"circle": {"radius": 0.01}}, "segments": 4, "path": {"line": {"from": [0, 0, 0.01], "to": [0.1, 0, 0.01]}}}},
    "constraints": [{"move": "a", "displacement": ["=0.5*t^2", 0, -0.0002]}],
    "obstacles": {"floor": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}},
    "contact": {"stiffness": 1000, "distance": 0.001, "friction": 0.3, "slip": 0.001},
    "probes": {"N": {"contact": "force"}, "at": {"position": "a:first"}, "W": {"energy": "work"}, "D": {"energy": "dissipated"},
    "K": {"energy": "kinetic"}, "made": {"energy": "numerical"}},
    "solver": {"dt": 0.001, "duration": 1}})");
  sim.advance(0.02);
  const double x = column(sim, "at.x"), W = column(sim, "W"), D = column(sim, "D"), K = column(sim, "K"),
               n = column(sim, "made");
  test::runToEnd(sim);
  const double way = column(sim, "at.x") - x, lost = column(sim, "D") - D;
  EXPECT_NEAR(lost, 0.3 * column(sim, "N") * way, 1e-4 * lost);
  EXPECT_NEAR(column(sim, "W") - W, lost + column(sim, "K") - K, 1e-6 * lost);
  EXPECT_NEAR(column(sim, "made") - n, 0, 1e-6 * lost);
}

// A damped rod that its clamp spins about its own axis is at rest for whoever spins with it: nothing twists, nothing is
// lost.
TEST(EnergyBalance, ARodThatSpinsWithItsClampLosesNothing) {
  for (const char* integrator : {"implicit-euler", "bdf2", "implicit-midpoint"}) {
    SCOPED_TRACE(integrator);
    Simulation sim(filled(R"({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "poisson": 0.4, "density": 1000,
      "damping": 1000}}, "rods": {"a": {"section": {"circle": {"radius": 0.01}}, "segments": 10, "path": {"line": {
      "from": [0, 0, 0], "to": [0.3, 0, 0]}}}}, "constraints": [{"clamp": "a:first", "rotation": {"axis": [1, 0, 0],
      "angle": "=20*t "}}], "initial": [{"of": "a", "spin": 20}], "probes": {"twist": {"twist": "a:1"},
      "D": {"energy": "dissipated"}, "K": {"energy": "kinetic"}},
      "solver": {"integrator": "$integrator", "dt": 0.001, "duration": 0.2}})",
                          {{"integrator", integrator}}));
    test::runToEnd(sim);
    EXPECT_NEAR(column(sim, "twist"), 0, 1e-9);
    EXPECT_NEAR(column(sim, "D"), 0, 1e-12 * column(sim, "K"));
  }
}

// A damped rod whose clamp turns it to and fro: work and losses close the balance to second order.
TEST(EnergyBalance, ClosesWhereAClampTurnsADampedRod) {
  const std::string scene =
      arm("", R"(, "damping": 300)", R"(, "rotation": {"axis": [0, 1, 1], "angle": "=1.5*sin(20*t)^2"})");
  const EnergyBalance coarse = balanceOf(scene, "implicit-midpoint", 4e-3).energy,
                      fine = balanceOf(scene, "implicit-midpoint", 2e-3).energy;
  EXPECT_LT(std::abs(coarse.numerical), 2e-5 * throughput(coarse));
  EXPECT_NEAR(coarse.numerical / fine.numerical, 4, 0.5);
}

// Lifted slowly: its support gives the weight times the height.
// A plate held by a plane that turns it over: it goes round as if it were rigid, and stores nothing when it has come
// past a full fold and round again.
TEST(EnergyBalance, ADampedPlateTurnsRoundWithItsClamp) {
  for (const char* bending : {"hinge", "midedge"}) {
    for (const char* integrator : {"implicit-midpoint", "bdf2"}) {
      Simulation sim(filled(
          R"({"format": "tendril/1", "materials": {"m": {"youngs": 1e8, "poisson": 0.3, "density": 1100, "damping": 1e4}},
        "shells": {"p": {"thickness": 0.004, "bending": "$bending", "mesh": {"rectangle": {"corner": [0, 0, 0], "along": [0.06, 0, 0],
          "across": [0, 0.04, 0], "edge": 0.02}}}}, "environment": {"gravity": [0, 0, 0]},
        "constraints": [{"clamp": {"of": "p", "where": "x < 0.001"}, "rotation": {"axis": [0, 1, 0], "angle": "=12*(t < 0.5 ? 2*t^2 : t < 1 ? 1 - 2*(1 - t)^2 : 1) "}}],
        "probes": {"e": {"energy": "elastic"}, "q": {"position": "p@[0.06, 0.02, 0]"}},
        "solver": {"integrator": "$integrator", "dt": 5e-4, "duration": 1.1, "tolerance": 1e-10}})",
          {{"bending", bending}, {"integrator", integrator}}));
      test::runToEnd(sim);
      const EnergyBalance energy = *sim.energyBalance();
      EXPECT_NEAR(column(sim, "q.x"), 0.06 * std::cos(12.0), 2e-5) << bending << " " << integrator;
      EXPECT_NEAR(column(sim, "q.z"), -0.06 * std::sin(12.0), 2e-5) << bending << " " << integrator;
      EXPECT_LT(column(sim, "e"), 1e-4 * energy.peak) << bending << " " << integrator;
      EXPECT_LT(energy.dissipated, 0.01 * energy.peak) << bending << " " << integrator;
    }
  }
}

TEST(EnergyBalance, ASupportThatLiftsGivesTheWeightTimesTheHeight) {
  Simulation sim(R"({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "density": 1000}}, "rods": {"a": {
    "section": {"circle": {"radius": 0.01}}, "segments": 6, "path": {"line": {"from": [0, 0, 0], "to": [0, 0, -0.3]}}}},
    "constraints": [{"clamp": "a:first", "displacement": [0, 0, "=0.2*sin(0.5*pi*t/4)^2"]}],
    "environment": {"gravity": [0, 0, -9.81]}, "probes": {"W": {"energy": "work"}},
    "solver": {"integrator": "implicit-midpoint", "dt": 0.01, "duration": 4, "start": "equilibrium"}})");
  test::runToEnd(sim);
  const double weight = 1000 * pi * 1e-4 * 0.3 * 9.81;
  EXPECT_NEAR(column(sim, "W"), weight * 0.2, 2e-3 * weight * 0.2);
}

// Implicit Euler swallows a jump that BDF2 shows: the run says so at its end, with what helps.
TEST(EnergyBalance, ARunWhoseIntegratorTookOverATenthSaysSoOnce) {
  const std::string scene = arm("");
  const auto said = [&](const char* integrator, double dt) {
    const std::vector<std::string> warnings = balanceOf(scene, integrator, dt).progress.warnings;
    return std::count_if(warnings.begin(), warnings.end(), [](const std::string& w) {
      return w.find("the integrator took") != std::string::npos &&
             w.find("\"implicit-midpoint\" keeps energy") != std::string::npos;
    });
  };
  EXPECT_EQ(said("implicit-euler", 1e-2), 1);
  EXPECT_EQ(said("implicit-midpoint", 1e-2), 0);
  EXPECT_EQ(said("bdf2", 1e-3), 0);
}

// What comes into play after a loss does not make it less: a free bar swings, implicit Euler takes that, and then it is
// thrown. What had not come yet does not either: a fall from rest begins with steps that lose all and have next to
// nothing.
TEST(EnergyBalance, ALossIsHeldAgainstWhatWasInPlayUntilThen) {
  const auto told = [](const std::string& initial, double push, double gravity) {
    const std::string scene =
        filled(R"J("materials": {"m": {"youngs": 2e6, "poisson": 0.4, "density": 1100}}, "rods": {"a": {
      "section": {"circle": {"radius": 0.01}}, "segments": 10, "path": {"line": {"from": [0, 0, 0], "to": [0.4, 0, 0]}}}},
      "environment": {"gravity": [0, 0, $g]}, $initial "loads": [{"line": ["=$push*step(t - 0.1)", 0, 0], "on": "a"}], $solver)J",
               {{"g", digits(gravity)}, {"initial", initial}, {"push", digits(push)}});
    const Balance here = balanceOf(scene, "implicit-euler", 5e-3);
    EXPECT_GT(here.energy.peak, 0);
    const auto& warnings = here.progress.warnings;
    return std::count_if(warnings.begin(), warnings.end(),
                         [](const std::string& w) { return w.find("the integrator took") != std::string::npos; });
  };
  const std::string swings = R"J("initial": [{"of": "a", "velocity": [0, 0, "=cos(2*pi*u)"]}],)J";
  EXPECT_EQ(told(swings, 0, 0), 1);
  EXPECT_EQ(told(swings, 3, 0), 1);
  EXPECT_EQ(told("", 0, -9.81), 0);
}

// Mid-edge normals have no inertia: where natural shapes pull at them from the start they begin in equilibrium, and
// what it would have taken to get there is in no account.
TEST(EnergyBalance, NormalsBeginInEquilibriumWithTheirNaturalShape) {
  std::string points, triangles;
  for (int j = 0; j < 4; ++j) {
    for (int i = 0; i < 6; ++i) {
      const int a = 6 * j + i, b = a + 6;
      points += (a > 0 ? ", [" : "[") + digits(0.02 * i) + ", " + digits(0.02 * j) + ", " + digits(0.002 * i * i) + "]";
      if (i == 5 || j == 3) continue;
      const auto corner = [](int k) { return std::to_string(k); };
      triangles += (a > 0 ? ", [" : "[") + corner(a) + ", " + corner(a + 1) + ", " + corner(b + 1) + "], [" +
                   corner(a) + ", " + corner(b + 1) + ", " + corner(b) + "]";
    }
  }
  const std::string flattens = filled(R"("mesh": {"points": [$points], "triangles": [$triangles]}, "natural": "flat")",
                                      {{"points", points}, {"triangles", triangles}});
  const std::string bends =
      R"("mesh": {"rectangle": {"corner": [0, 0, 0], "along": [0.1, 0, 0], "across": [0, 0.06, 0], "edge": 0.02, "pattern": "equilateral"}})";
  for (const bool actuated : {true, false}) {
    for (const double dt : {2e-3, 1e-3}) {
      Simulation sim(
          filled(R"({"format": "tendril/1", "materials": {"m": {"youngs": 1e7, "poisson": 0.3, "density": 1000}},
        "shells": {"s": {"thickness": 0.001, "bending": "midedge", $mesh}}, "constraints": [{"fix": {"of": "s", "where": "x<1e-6"}}], $more
        "solver": {"integrator": "implicit-midpoint", "dt": $dt, "duration": 0.1, "tolerance": 1e-11}})",
                 {{"mesh", actuated ? bends : flattens},
                  {"more", actuated ? R"("actuation": [{"shell": "s", "angle": "=0.3"}],)" : ""},
                  {"dt", digits(dt)}}));
      EXPECT_TRUE(test::runToEnd(sim).warnings.empty());
      const EnergyBalance energy = *sim.energyBalance();
      EXPECT_GT(energy.peak, 1e-6);
      EXPECT_LT(std::abs(energy.numerical), 1e-9 * energy.peak) << actuated << " " << dt;
    }
  }
}

// What only sits there, or rests by its weight, loses round-off of nothing: no word about that.
TEST(EnergyBalance, NothingIsSaidOfRoundOff) {
  Simulation plate(
      R"({"format": "tendril/1", "materials": {"m": {"youngs": 1e7, "poisson": 0.3, "density": 1000}}, "shells": {"a": {"thickness": 0.002,
    "mesh": {"rectangle": {"corner": [0, 0, 0], "along": [0.2, 0, 0], "across": [0, 0.1, 0], "edge": 0.05}}}},
    "constraints": [{"clamp": {"of": "a", "where": "x<1e-6"}, "displacement": [0, 0, 0.05]}], "solver": {"dt": 0.01, "duration": 0.1, "start": "equilibrium"}})");
  EXPECT_TRUE(test::runToEnd(plate).warnings.empty());
  EXPECT_NE(plate.energyBalance()->numerical, 0);
}

// Bent far, a rod vibrates faster than at its start: what had been stable gains without bound.
TEST(EnergyBalance, AnExplicitRunThatBecomesUnstableGivesUp) {
  const auto run = [](const char* integrator, const char* force, double dt) {
    Simulation sim(
        filled(R"({"format": "tendril/1", "materials": {"m": {"youngs": 1e7, "poisson": 0.3, "density": 1000}},
      "rods": {"a": {"section": {"circle": {"radius": 0.01}}, "segments": 10, "path": {"line": {"from": [0, 0, 0], "to": [0.5, 0, 0]}}}},
      "constraints": [{"clamp": "a:first"}], "loads": [{"force": [0, 0, "=$force*sin(40*t) "], "at": "a:last"}],
      "solver": {"dt": $dt, "duration": 0.3, "integrator": "$integrator"}})",
               {{"force", force}, {"dt", digits(dt)}, {"integrator", integrator}}));
    try {
      test::runToEnd(sim);
    } catch (const GaveUp& end) {
      return std::string(end.what());
    }
    return std::string();
  };
  for (const char* integrator : {"verlet", "symplectic-euler"}) {
    const std::string why = run(integrator, "1000", 2e-4);
    EXPECT_NE(why.find("the explicit integrator has made"), std::string::npos) << why;
    EXPECT_NE(why.find("the stable step was"), std::string::npos) << why;
    EXPECT_EQ(run(integrator, "1000", 5e-6), "");
    EXPECT_EQ(run(integrator, "5", 2e-4), "");
  }
}

// At 0.95 of the stable step the energy of the fastest vibration goes up and down by a multiple of itself, and stays:
// no reason to give up, but told where the run ends with too much.
TEST(EnergyBalance, AStableExplicitRunIsNotRefused) {
  const auto vibrating = [](const char* integrator, double dt, int steps = 20000) {
    return filled(R"({"format": "tendril/1", "materials": {"m": {"youngs": 1e7, "density": 1000}},
      "rods": {"a": {"section": {"circle": {"radius": 0.01}}, "segments": 12, "path": {"line": {"from": [0, 0, 0], "to": [0.3, 0, 0]}}}},
      "initial": [{"of": "a", "velocity": ["=1e-6*cos(12*pi*u) ", 0, 0]}],
      "solver": {"dt": $dt, "duration": "=$steps*$dt", "integrator": "$integrator"}})",
                  {{"dt", digits(dt)}, {"integrator", integrator}, {"steps", std::to_string(steps)}});
  };
  int told = 0;
  for (const char* integrator : {"verlet", "symplectic-euler"}) {
    double limit = 0;
    try {
      Simulation sim(vibrating(integrator, 1));
    } catch (const BadScene& bad) {
      const std::string what = bad.what(), before = "the stable step is ";
      limit = std::stod(what.substr(what.find(before) + before.size()));
    }
    Simulation sim(vibrating(integrator, 0.95 * limit));
    EXPECT_NO_THROW(test::runToEnd(sim)) << integrator;
    EXPECT_TRUE(sim.finished());
    const EnergyBalance energy = *sim.energyBalance();
    EXPECT_GT(energy.given, energy.little) << integrator;
    for (int steps = 100; steps < 110; ++steps) {
      Simulation part(vibrating(integrator, 0.95 * limit, steps));
      bool said = false;
      for (const std::string& w : test::runToEnd(part).warnings)
        said = said || w.find("the integrator made") != std::string::npos;
      EXPECT_EQ(said, part.energyBalance()->numerical > 0.1 * part.energyBalance()->given) << integrator << steps;
      told += said;
    }
  }
  EXPECT_GT(told, 0);
}

// Stiff rods that fall on a floor at steps that do not resolve the impact: the midpoint rule would throw some of them
// higher.
TEST(EnergyBalance, NoImpactGivesMoreEnergyThanTheWatchAllows) {
  long retries = 0;
  for (int i = 0; i < 12; ++i) {
    Simulation sim(
        filled(R"({"format": "tendril/1", "materials": {"m": {"youngs": 1e7, "density": 1000}}, "rods": {"a": {
      "section": {"circle": {"radius": 0.005}}, "segments": 6, "path": {"line": {"from": [0, 0, $h], "to": [0.2, 0, 0.05]}}}},
      "obstacles": {"floor": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}},
      "contact": {"stiffness": 1e4, "distance": 0.0005}, "environment": {"gravity": [0, 0, -9.81]},
      "probes": {"E": {"energy": "total"}, "G": {"energy": "gravity"}, "made": {"energy": "numerical"}},
      "solver": {"integrator": "implicit-midpoint", "dt": 0.002, "duration": 0.4}})",
               {{"h", digits(0.03 + 0.005 * i)}}));
    const double start = column(sim, "E");
    double most = start, peak = 0;
    while (!sim.finished()) {
      retries += sim.step().retries;
      most = std::max(most, column(sim, "E"));
      peak = std::max(peak, column(sim, "E") - column(sim, "G"));
      EXPECT_NEAR(column(sim, "E") - start, column(sim, "made"), 1e-9 * peak);
    }
    EXPECT_LT(most - start, 0.035 * peak) << i;
  }
  EXPECT_GT(retries, 0);
}

// Where a contact begins, all that is in play is the penalty's first tail, of which one step may make a multiple.
TEST(EnergyBalance, AContactThatBeginsFromNothingIsNoAlarm) {
  for (const char* integrator : {"implicit-midpoint", "implicit-euler", "bdf2"}) {
    for (const double speed : {0.02, 0.2, 0.5}) {
      Simulation sim(
          filled(R"({"format": "tendril/1", "materials": {"m": {"youngs": 2e6, "poisson": 0.5, "density": 1200}},
        "rods": {"r": {"section": {"circle": {"radius": 4e-3}}, "segments": 20, "frame": [0, 1, 0],
          "path": {"line": {"from": [-0.1, 0, 0], "to": [0.1, 0, 0]}}}},
        "environment": {"gravity": [0, 0, 0]},
        "obstacles": {"ball": {"sphere": {"center": [0, 0, -0.0172], "radius": 0.01}, "velocity": [0, 0, $speed]}},
        "solver": {"integrator": "$integrator", "dt": 0.001, "duration": $duration}})",
                 {{"integrator", integrator}, {"speed", digits(speed)}, {"duration", digits(0.008 / speed)}}));
      const Progress progress = test::runToEnd(sim);
      const EnergyBalance energy = *sim.energyBalance();
      EXPECT_GT(energy.peak, 0) << integrator << " " << speed;
      for (const std::string& warning : progress.warnings)
        EXPECT_EQ(warning.find("do not trust"), std::string::npos) << integrator << " " << speed << ": " << warning;
      // Faster than a quarter of the contact's distance in a step, impacts are not resolved and may be cut.
      if (speed < 0.1) {
        EXPECT_EQ(progress.retries, 0) << integrator;
      }
    }
  }
}

// A rod whose points round, by the midpoint rule: what its elements are off by round-off is nothing that acts, and
// where something will act, its energies until then are no gain.
TEST(EnergyBalance, RoundOffAtRestIsNeitherSolvedForNorBlamed) {
  const auto run = [](const std::string& loads) {
    Simulation sim(
        R"({"format": "tendril/1", "materials": {"m": {"youngs": 6413477.3, "poisson": 0.35, "density": 1087}},
      "rods": {"a": {"section": {"circle": {"radius": 0.0034}}, "path": {"points": [[0,0,0], [0.0375,0.0075,0.0001],
        [0.075,0.015,0.0002], [0.1125,0.0226,0.0003]]}}}, "constraints": [{"clamp": "a:first"}])" +
        loads +
        R"(, "environment": {"gravity": [0,0,0]}, "solver": {"integrator": "implicit-midpoint", "dt": 0.0232,
        "duration": 0.7}})");
    return test::runToEnd(sim);
  };
  EXPECT_EQ(run("").iterations, 0);
  const Progress later = run(R"(, "loads": [{"follower": [0, 0, "=ramp(t, 0.69, 0.7)*1e-9"], "at": "a:last"}])");
  EXPECT_EQ(later.retries, 0);
  EXPECT_TRUE(later.warnings.empty());
}

TEST(EnergyBalance, GoesOnAfterARestoreBitForBit) {
  for (const char* integrator : {"implicit-euler", "implicit-midpoint", "bdf2", "verlet"}) {
    SCOPED_TRACE(integrator);
    const double dt = integrator == std::string("verlet") ? 1e-4 : 2e-3;
    const std::string scene =
        R"({"format": "tendril/1", )" +
        filled(cases()[9].scene, {{"solver", filled(R"("solver": {"integrator": "$i", "dt": $dt, "duration": 0.2})",
                                                    {{"i", integrator}, {"dt", digits(dt)}})}}) +
        "}";
    Simulation whole(scene), part(scene);
    for (int i = 0; i < 20; ++i) whole.step(), part.step();
    Simulation other(scene);
    other.restore(part.save());
    for (int i = 0; i < 20; ++i) whole.step(), other.step();
    const EnergyBalance a = *whole.energyBalance(), b = *other.energyBalance();
    EXPECT_EQ(a.work, b.work);
    EXPECT_EQ(a.dissipated, b.dissipated);
    EXPECT_EQ(a.numerical, b.numerical);
    EXPECT_EQ(a.peak, b.peak);
  }
}

// A live slider that stiffens a bent rod does work: what the rod holds more afterwards.
TEST(EnergyBalance, ASliderThatStiffensDoesWork) {
  Simulation sim(R"({"format": "tendril/1", "parameters": {"E": {"value": 1e6, "min": 1e5, "max": 1e7}},
    "materials": {"m": {"youngs": "=E", "density": 1000}}, "rods": {"a": {"section": {"circle": {"radius": 0.005}},
    "segments": 8, "natural": "straight", "path": {"arc": {"center": [0, 0, 0.1], "from": [0, 0, 0], "axis": [0, -1, 0],
    "angle": 1}}}}, "constraints": [{"clamp": "a:first"}], "probes": {"e": {"energy": "elastic"}, "W": {"energy": "work"},
    "made": {"energy": "numerical"}},
    "solver": {"integrator": "implicit-midpoint", "dt": 1e-4, "duration": 1, "tolerance": 1e-10}})");
  sim.advance(1e-3);
  const double before = column(sim, "e");
  ASSERT_TRUE(sim.set("E", 2e6));
  sim.step();
  EXPECT_NEAR(column(sim, "W"), before, 0.01 * before);
  EXPECT_NEAR(column(sim, "made"), 0, 1e-8 * before);
}

// A mass that a slider hangs on a rod comes with its weight, at the height where it is hung.
TEST(EnergyBalance, ASliderThatAddsAMassDoesWork) {
  Simulation sim(R"({"format": "tendril/1", "parameters": {"k": {"value": 0.1, "min": 0, "max": 7}},
    "materials": {"m": {"youngs": 1e6, "density": 1000}}, "rods": {"a": {"section": {"circle": {"radius": 0.005}},
    "segments": 8, "path": {"line": {"from": [0, 0, 0.3], "to": [0.2, 0, 0.4]}}}}, "constraints": [{"clamp": "a:first"}],
    "loads": [{"mass": "=0.01*k", "at": "a:last"}], "environment": {"gravity": [0, 0, -9.81]},
    "probes": {"E": {"energy": "total"}, "W": {"energy": "work"}, "made": {"energy": "numerical"}},
    "solver": {"integrator": "implicit-midpoint", "dt": 1e-3, "duration": 1, "tolerance": 1e-10}})");
  const double start = column(sim, "E");
  sim.advance(5e-2);
  const double work = column(sim, "W");
  ASSERT_TRUE(sim.set("k", 3));
  sim.advance(5e-2);
  EXPECT_GT(std::abs(column(sim, "W") - work), 1e-2);
  EXPECT_NEAR(column(sim, "E") - start - column(sim, "W"), column(sim, "made"), 1e-9);
  EXPECT_NEAR(column(sim, "made"), 0, 1e-8);
}

TEST(EnergyBalance, ProbesThatItDoesNotAnswerAreRefused) {
  const auto refused = [](const std::string& text, const std::string& why) {
    try {
      Simulation sim(text);
      ADD_FAILURE() << "loaded";
    } catch (const BadScene& bad) {
      EXPECT_NE(std::string(bad.what()).find(why), std::string::npos) << bad.what();
    }
  };
  const std::string rod =
      R"({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "density": 1000}}, "rods": {"a": {
    "section": {"circle": {"radius": 0.01}}, "segments": 4, "path": {"line": {"from": [0, 0, 0], "to": [0.1, 0, 0]}}}}, )";
  refused(
      rod +
          R"("probes": {"w": {"energy": "work"}}, "solver": {"mode": "static"}, "constraints": [{"clamp": "a:first"}]})",
      "static");
  refused(rod + R"("probes": {"w": {"energy": "numerical", "of": "a"}}, "solver": {"dt": 0.01, "duration": 1}})",
          "whole scene");
}

// A light rod that bounces off the floor beside a heavy one that coasts: what is cut and warned of is the light one's
// own.
TEST(EnergyBalance, AHeavyStrangerHidesNoGain) {
  const auto run = [](const std::string& rod, const std::string& initial) {
    Simulation sim(filled(
        R"({"format": "tendril/1", "materials": {"a": {"youngs": 1e6, "poisson": 0.5, "density": 1000}, "h": {"youngs": 1e9, "density": 8000}},
      "rods": {"a": {"material": "a", "section": {"circle": {"radius": 0.004}}, "segments": 10, "path": {"line": {"from": [0, 0, 0.054], "to": [0.1, 0, 0.054]}}}$rod},
      "environment": {"gravity": [0, 0, -9.81]}, "obstacles": {"floor": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}}, "contact": {"stiffness": 1e4},
      "initial": [$initial], "probes": {"p": {"position": "a"}, "E": {"energy": "total", "of": "a"}},
      "solver": {"integrator": "implicit-midpoint", "dt": 0.002, "duration": 0.4}})",
        {{"rod", rod}, {"initial", initial}}));
    const Progress progress = test::runToEnd(sim);
    bool warned = false;
    for (const std::string& w : progress.warnings) warned = warned || w.find("the integrator") != std::string::npos;
    return std::tuple(column(sim, "p.z"), column(sim, "E"), progress.retries, warned);
  };
  const auto alone = run("", "");
  const auto beside = run(
      R"(, "h": {"material": "h", "section": {"circle": {"radius": 0.02}}, "segments": 4, "path": {"line": {"from": [3, 0, 5], "to": [3.5, 0, 5]}}})",
      R"({"of": "h", "velocity": [5, 0, 0]})");
  EXPECT_GT(std::get<2>(alone), 0);
  EXPECT_TRUE(std::get<3>(alone));
  EXPECT_EQ(alone, beside);
}

// What a support or an obstacle gives in one half of a period it takes in the other, however long it goes on.
TEST(EnergyBalance, WhatIsCarriedToAndFroCostsNothing) {
  const std::string rod =
      R"("rods": {"a": {"section": {"circle": {"radius": 0.003}}, "segments": 6, "path": {"line": {"from": [0, 0, 0.003], "to": [0.1, 0, 0.003]}}}})";
  const auto ends = [](const std::string& body, double dt) {
    Simulation sim(
        filled(R"({"format": "tendril/1", $body, "solver": {"integrator": "bdf2", "dt": $dt, "duration": 10}})",
               {{"body", body}, {"dt", digits(dt)}}));
    Balance out;
    out.progress = test::runToEnd(sim);
    out.energy = *sim.energyBalance();
    return out;
  };
  const std::string shaken =
      R"J("materials": {"m": {"youngs": 1e9, "poisson": 0.3, "density": 1000}}, )J" + rod +
      R"J(, "constraints": [{"clamp": "a:first", "displacement": [0, "=0.05*(1-cos(2*pi*t))", 0]}])J";
  const std::string lifted =
      R"J("materials": {"m": {"youngs": 1e6, "poisson": 0.3, "density": 1000}}, )J" + rod +
      R"J(, "environment": {"gravity": [0, 0, -9.81]}, "contact": {"damping": 0.01, "stiffness": 300},
    "obstacles": {"table": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}, "displacement": [0, 0, "=0.05*(1-cos(2*pi*0.5*t))"]}})J";
  for (const std::string& body : {shaken, lifted}) {
    const Balance coarse = ends(body, 0.01), fine = ends(body, 0.005);
    EXPECT_LT(std::abs(coarse.energy.work), 0.02 * coarse.energy.peak) << body;
    EXPECT_LT(std::abs(fine.energy.work), 0.4 * std::abs(coarse.energy.work) + 1e-3 * fine.energy.peak) << body;
    for (const std::string& w : fine.progress.warnings) EXPECT_EQ(w.find("the integrator"), std::string::npos) << w;
    EXPECT_EQ(fine.progress.retries, 0) << body;
  }
}

}  // namespace energy_balance_test
}  // namespace tendril
