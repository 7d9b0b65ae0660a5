// Energy of linkages at long steps: motions that a scheme cannot follow are cut, and nothing comes out of nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "engine/links/linkage_scene.h"
#include "links/energy_account.h"

namespace tendril::links {
namespace linkage_energy_test {

using namespace test;

TEST(EnergyAccount, LetsWorkAndLossesThroughAndRefusesASurplusThatGrows) {
  EnergyAccount account;
  const auto entry = [](double change, double power) {
    EnergyAccount::Entry e;
    e.change = change, e.power = power, e.dt = 0.1, e.size = 1;
    return e;
  };
  EXPECT_FALSE(account.refuses(entry(5, 0)));  // nothing is known of the power before
  account.accept(entry(0, 0));
  EXPECT_TRUE(account.refuses(entry(0.04, 0)));
  EXPECT_FALSE(account.refuses(entry(0.04, 0.2)));  // at most 0.02 J came from outside
  EXPECT_FALSE(account.refuses(entry(-3, -100)));
  for (int i = 0; i < 2; ++i) {
    EXPECT_FALSE(account.refuses(entry(0.014, 0))) << i;
    account.accept(entry(0.014, 0));
  }
  EXPECT_TRUE(account.refuses(entry(0.014, 0)));
  EXPECT_FALSE(account.refuses(entry(0.5e-4, 0)));  // round-off of the scheme
  account.accept(entry(-0.01, 0));
  EXPECT_FALSE(account.refuses(entry(0.01, 0)));
  account.forget();
  EXPECT_FALSE(account.refuses(entry(0.5, 0)));
}

// What dampers take on the way of a step has to come from somewhere, and a load gives no more than along it.
TEST(EnergyAccount, LossesDoNotPayForAGain) {
  EnergyAccount account;
  EnergyAccount::Entry e;
  e.change = -0.5, e.dt = 0.1, e.size = 1;
  account.accept(e);
  e.damped = 0.4;
  EXPECT_FALSE(account.refuses(e));
  e.damped = 0.6;
  EXPECT_TRUE(account.refuses(e));
  e.given = 0.1;
  EXPECT_FALSE(account.refuses(e));
  account.begin(-20);
  e.power = -20;  // what else acts takes no more than what was given
  EXPECT_NEAR(account.gainOf(e), 0.1, 1e-15);
  e.change = 0.2, e.damped = 0, e.given = -0.1, e.power = 0;
  EXPECT_NEAR(account.gainOf(e), 0.3, 1e-15);
}

// What a load gives is what the linkage stores.
TEST(LinkageEnergy, GrowsByTheWorkOfItsLoads) {
  Simulation sim(test::scene(
      R"("l": {"joint": {"universal": {"axis": "x", "stiffness": [0.1, 0.2]}}, )" + rod +
          R"(}, "k": {"joint": {"spherical": {"stiffness": 0.3}}, )" + rod +
          R"(}, "s": {"body": {"soft": {"length": 0.3, "section": {"circle": {"radius": 0.02}}, "material": "rubber",
                               "strains": {"bendY": 1, "bendZ": 1}}}})",
      R"("dt": 1e-4, "duration": 0.3, "integrator": "generalized-alpha")",
      R"x("environment": {"gravity": [0, -5, -9.81]}, "loads": [{"force": [0, "=3*sin(9*t)", 2], "at": "a:tip"}],
                          "probes": {"E": {"energy": "total"}, "K": {"energy": "kinetic"}, "v": {"velocity": "a:tip"}})x"));
  // Trapezoids of the load's power; the step's error is of third order.
  double work = 0;
  const auto power = [&] { return 3 * std::sin(9 * sim.time()) * column(sim, "v.y") + 2 * column(sim, "v.z"); };
  const double start = column(sim, "E");
  double before = power();
  while (!sim.finished()) {
    const double from = sim.time();
    sim.step();
    const double now = power();
    work += 0.5 * (sim.time() - from) * (before + now);
    before = now;
  }
  EXPECT_GT(std::abs(work), 0.1);
  EXPECT_NEAR(column(sim, "E") - start, work, 1e-4 * column(sim, "K"));
}

// A chain that whips: steps that are too long for it are cut, and energy does not come out of nothing.
TEST(LinkageEnergy, AWhippingChainGainsNoEnergyAtLongSteps) {
  for (const char* integrator : {"generalized-alpha", "implicit-midpoint", "bdf2"}) {
    std::string links;
    for (int k = 0; k < 5; ++k) {
      links +=
          std::string(k > 0 ? ", " : "") + "\"l" + std::to_string(k) +
          R"(": {"joint": {"revolute": {"axis": "y"}}, "body": {"rigid": {"length": 0.02, "section": {"circle": {"radius": 0.005}}, "density": 1000}}})";
    }
    Simulation sim(test::scene(
        links, R"("dt": 0.01, "duration": 3, "integrator": ")" + std::string(integrator) + "\"",
        R"("environment": {"gravity": [0, 0, -9.81]}, "probes": {"E": {"energy": "total"}, "K": {"energy": "kinetic"}})"));
    double most = 0, highest = 0;
    while (!sim.finished()) {
      sim.step();
      most = std::max(most, column(sim, "K")), highest = std::max(highest, column(sim, "E"));
    }
    EXPECT_GT(most, 2e-3);
    EXPECT_LT(highest, 0.2 * most) << integrator;
  }
}

// Gravity that changes in time is no surplus: a mass that follows it in antiphase.
TEST(LinkageEnergy, TimedGravityIsNoReasonToCut) {
  Simulation sim(test::scene(
      R"("l": {"joint": {"prismatic": {"axis": "x"}}, )" + rod + "}", R"("dt": 5e-3, "duration": 5)",
      R"x("environment": {"gravity": ["=9.81*sin(20*t)", 0, 0]}, "initial": [{"of": "a/l", "displacementRate": "=-9.81/20"}])x"));
  EXPECT_TRUE(runToEnd(sim).warnings.empty());
}

// Two soft links on a universal joint fall about: without the account they went from 0.5 J to 200 J at these steps.
TEST(LinkageEnergy, SoftLinksGainNoneAtLongSteps) {
  const std::string soft =
      R"("body": {"soft": {"length": 0.3, "section": {"circle": {"radius": 0.01}}, "material": "rubber",
    "strains": {"twist": 2, "bendY": 3, "bendZ": 3}}})";
  for (const char* integrator : {"generalized-alpha", "implicit-midpoint"}) {
    Simulation sim(test::scene(
        "\"l\": {" + soft + R"(}, "k": {"joint": {"universal": {"axis": "x"}}, )" + soft + "}",
        R"("dt": 0.01, "duration": 0.8, "integrator": ")" + std::string(integrator) + "\"",
        R"("environment": {"gravity": [0, -5, -9.81]}, "probes": {"E": {"energy": "total"}, "K": {"energy": "kinetic"}})"));
    double most = 0, highest = 0;
    while (!sim.finished()) {
      sim.step();
      most = std::max(most, column(sim, "K")), highest = std::max(highest, column(sim, "E"));
    }
    EXPECT_GT(most, 0.4);
    EXPECT_LT(highest, 0.05 * most) << integrator;
  }
}

// Soft links whose damping is fast against the step, let go or pushed by a jump: generalized-alpha swings too far, and
// what its motion burns came out of nothing. A shorter step and the midpoint rule make less and none.
TEST(LinkageEnergy, WhatDampersBurnIsNotMadeByTheIntegrator) {
  const auto link = [](const char* youngs, const char* damping, const char* strains) {
    return filled(
        R"({"format": "tendril/1", "materials": {"m": {"youngs": $youngs, "density": 1000, "damping": $damping}},
      "linkages": {"a": {"links": {"l": {"body": {"soft": {"length": 0.2, "section": {"circle": {"radius": 0.01}}, "strains": {$strains}}}}}}},
      $more "solver": {"integrator": "$integrator", "dt": $dt, "duration": 0.6}})",
        {{"youngs", youngs}, {"damping", damping}, {"strains", strains}});
  };
  const std::string pushed =
      R"("environment": {"gravity": [0, 0, -9.81]}, "loads": [{"follower": [-30, 0, 60], "at": "a/l:tip", "from": 0.1, "until": 0.4}],)";
  const std::string released = R"("initial": [{"of": "a/l", "shearZ": "=0.1*u"}],)";
  const std::string scenes[] = {
      filled(link("1.2e8", "2e5", R"("bendY": 3)"), {{"more", pushed}}),
      filled(link("1e6", "1e5", R"("bendY": 3, "stretch": 0, "shearZ": 3)"), {{"more", released}})};
  for (const std::string& scene : scenes) {
    const auto made = [&](const char* integrator, double dt) {
      Simulation sim(filled(scene, {{"integrator", integrator}, {"dt", digits(dt)}}));
      runToEnd(sim);
      return sim.energyBalance()->numerical / sim.energyBalance()->given;
    };
    EXPECT_LT(made("generalized-alpha", 1e-2), 0.06);
    EXPECT_LT(made("generalized-alpha", 2e-3), 0.03);
    EXPECT_LT(std::abs(made("implicit-midpoint", 1e-2)), 1e-6);
  }
}

// Without gravity the energies of links at rest are round-off, squared: no reason to cut or to warn.
TEST(LinkageEnergy, AtRestWithoutGravityNothingIsCutOrSaid) {
  for (const char* integrator : {"generalized-alpha", "implicit-midpoint", "bdf2", "implicit-euler"}) {
    for (const char* loads :
         {"", R"(, "loads": [{"force": [0.1, 0.07, -0.03], "at": "a:tip"}, {"force": [0.2, 0.1, 0.3], "at": "a:tip"},
                                     {"force": [-0.3, -0.17, -0.27], "at": "a:tip"}])"}) {
      Simulation sim(
          test::scene(R"("l": {"joint": {"free": {}}, )" + rod + R"(}, "k": {"joint": {"spherical": {}}, )" + rod + "}",
                      R"("dt": 1e-3, "duration": 0.5, "integrator": ")" + std::string(integrator) + "\"",
                      R"("probes": {"K": {"energy": "kinetic"}})" + std::string(loads)));
      const Progress done = runToEnd(sim);
      EXPECT_EQ(done.retries, 0) << integrator << loads;
      EXPECT_TRUE(done.warnings.empty()) << integrator << loads << done.warnings.front();
      EXPECT_LT(column(sim, "K"), 1e-25);
    }
  }
}

// A joint that a probe drives by a jump: no step is short enough, which is said once, with its size.
TEST(LinkageEnergy, SaysWhatTheShortestStepsMake) {
  Simulation sim(test::scene(R"("l": {"joint": {"revolute": {"axis": "y"}}, )" + rod +
                                 R"x(}, "k": {"joint": {"revolute": {"axis": "y", "angle": "=q < 1 ? 0 : -0.4"}}, )x" +
                                 rod + "}",
                             R"("dt": 5e-3, "duration": 0.6)",
                             R"("environment": {"gravity": [0, 0, -9.81]}, "probes": {"q": {"jointAngle": "a/l"}})"));
  int said = 0;
  for (const std::string& w : runToEnd(sim).warnings) {
    const std::string made = "the integrator has made ";
    if (w.find(made) == std::string::npos) continue;
    ++said;
    EXPECT_GT(std::stod(w.substr(w.find(made) + made.size())), 0.01) << w;
  }
  EXPECT_EQ(said, 1);
}

// Two soft links that whip around in a closed chain: at steps that are long for that most of the work goes into cuts.
TEST(LinkageEnergy, SaysOnceWhichStepSparesCuts) {
  const std::string soft =
      R"("body": {"soft": {"length": 0.5, "section": {"circle": {"radius": 0.01}}, "material": "rubber",
      "strains": {"bendY": 4, "bendZ": 3, "twist": 2}}})";
  const std::string links =
      R"("b": {"joint": {"revolute": {"axis": "y"}}, )" + soft + R"(}, "c": {"joint": {"spherical": {}}, )" + soft +
      R"(}}, "loops": [{"from": "base", "offset": {"position": [0.7, 0, 0]}, "to": "c", "joint": {"spherical": {}}}], "cables": {)";
  const auto advice = [&](const std::string& dt) {
    Simulation sim(test::scene(
        links, "\"dt\": " + dt + R"(, "duration": 0.6)",
        R"("environment": {"gravity": [0, 0, -9.81]}, "initial": [{"of": "a/c", "angle": [0, 0.5, 0.2]}])"));
    int said = 0;
    for (const std::string& w : runToEnd(sim).warnings)
      said += w.find("dt is long for the motion of \"a\"") != std::string::npos;
    return said;
  };
  EXPECT_EQ(advice("0.03"), 1);
  EXPECT_EQ(advice("0.0005"), 0);
}

}  // namespace linkage_energy_test
}  // namespace tendril::links
