// Scenes of linkages that fall, strike and slide: energy, rest and friction through the door.
#include <gtest/gtest.h>

#include <stdexcept>

#include "engine/simulation/run_scene.h"

namespace tendril::links {
namespace linkage_contact_scene_test {

using namespace test;

// A stick of 0.126 kg falls 0.3 m on a slope and tumbles.
std::string tumbling(const std::string& integrator) {
  return R"J({"format": "tendril/1",
    "linkages": {"l": {"base": {"position": [0, 0, 0.3]}, "links": {"stick": {"joint": {"free": {}},
      "body": {"rigid": {"length": 0.2, "section": {"circle": {"radius": 0.02}}, "density": 500}}}}}},
    "obstacles": {"floor": {"plane": {"point": [0, 0, 0], "normal": [0.1, 0, 1]}}},
    "contact": {"friction": 0.5, "damping": 0.005, "stiffness": 1e4, "distance": 1e-3},
    "environment": {"gravity": [0, 0, -9.81]},
    "solver": {"integrator": ")J" +
         integrator + R"J(", "dt": 2e-3, "duration": 2},
    "probes": {"tip": {"position": "l/stick:tip"}, "f": {"contact": "force"}, "d": {"contact": "penetration"},
      "e": {"energy": "total"}}})J";
}

TEST(LinkageContactScene, BlowsGiveNoEnergyWhateverTheSchemeRemembers) {
  for (const char* integrator : {"implicit-euler", "bdf2", "generalized-alpha"}) {
    Simulation sim(tumbling(integrator));
    const double start = column(sim, "e");
    double before = start, gained = 0;
    while (!sim.finished()) {
      sim.step();
      gained += std::max(0.0, column(sim, "e") - before);
      before = column(sim, "e");
    }
    EXPECT_LT(gained, 0.01 * start) << integrator;
    // It lies on the slope at last: its weight times the slope's cosine, no bounce left.
    const double mass = 500 * pi * 4e-4 * 0.2;
    EXPECT_NEAR(column(sim, "f"), mass * 9.81 / std::sqrt(1.01), 1e-3 * mass * 9.81) << integrator;
    EXPECT_LT(sim.maxPenetration(), 0.005) << integrator;
  }
}

TEST(LinkageContactScene, WhatBeginsInsideStartsFromTheEquilibriumOfStatics) {
  const auto lying = [](const std::string& solver) {
    return R"J({"format": "tendril/1", "linkages": {"l": {"base": {"position": [0, 0, 0.015]}, "links": {"slide": {"joint": {"prismatic": {"axis": "z"}},
        "body": {"rigid": {"length": 0.2, "section": {"circle": {"radius": 0.02}}, "density": 500}}}}}},
      "obstacles": {"floor": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}}, "contact": {"stiffness": 100},
      "environment": {"gravity": [0, 0, -9.81]}, "solver": {)J" +
           solver + R"J(},
      "probes": {"tip": {"position": "l/slide:tip"}, "v": {"speed": "l/slide:tip"}}})J";
  };
  Simulation statics(lying(R"J("mode": "static")J"));
  runToEnd(statics);
  Simulation sim(lying(R"J("dt": 1e-3, "duration": 0.15, "start": "equilibrium")J"));
  EXPECT_NEAR(column(sim, "tip.z"), column(statics, "tip.z"), 1e-7);
  while (!sim.finished()) {
    sim.step();
    EXPECT_LT(column(sim, "v"), 1e-5);
  }
  EXPECT_NEAR(column(sim, "tip.z"), column(statics, "tip.z"), 1e-7);
}

TEST(LinkageContactScene, GeneralizedAlphaKeepsItsOrderWhileNothingStrikes) {
  // Above the floor, out of its reach, the floor changes nothing.
  const auto swing = [](const std::string& more) {
    const std::string text = R"J({"format": "tendril/1", "linkages": {"l": {"links": {"a": {
      "joint": {"revolute": {"axis": "y"}}, "body": {"rigid": {"length": 0.5, "section": {"circle": {"radius": 0.01}}, "density": 1000}}}}}},
      "environment": {"gravity": [0, 0, -9.81]}, )J" +
                             more +
                             R"J("solver": {"dt": 5e-3, "duration": 1}, "probes": {"q": {"jointAngle": "l/a"}}})J";
    Simulation sim(text);
    runToEnd(sim);
    return column(sim, "q");
  };
  const double alone = swing("");
  EXPECT_EQ(swing(R"J("obstacles": {"floor": {"plane": {"point": [0, 0, -0.8], "normal": [0, 0, 1]}}}, )J"), alone);
  EXPECT_NE(swing(R"J("obstacles": {"floor": {"plane": {"point": [0, 0, -0.4], "normal": [0, 0, 1]}}}, )J"), alone);
}

// A soft cantilever sinks on the floor: statics and the end of its motion agree.
TEST(LinkageContactScene, ASoftArmComesToRestWhereStaticsPutsIt) {
  const auto arm = [](const std::string& solver) {
    return R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "poisson": 0.5, "density": 1000, "damping": 2e4}},
      "linkages": {"l": {"base": {"position": [0, 0, 0.15]}, "links": {"limb": {"body": {"soft": {"length": 0.5, "material": "m",
        "section": {"circle": {"radius": 0.01}}, "strains": {"bendY": 4}}}}}}},
      "obstacles": {"floor": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}}, "contact": {"damping": 0.01},
      "environment": {"gravity": [0, 0, -9.81]}, "solver": )J" +
           solver + R"J(,
      "probes": {"tip": {"position": "l/limb:tip"}, "f": {"contact": "force"}}})J";
  };
  Simulation still(arm(R"J({"mode": "static", "loadSteps": 8})J")), moving(arm(R"J({"dt": 1e-2, "duration": 5})J"));
  runToEnd(still);
  runToEnd(moving);
  EXPECT_GT(column(still, "f"), 0.3);
  EXPECT_NEAR(column(moving, "f"), column(still, "f"), 1e-4 * column(still, "f"));
  EXPECT_NEAR(column(moving, "tip.x"), column(still, "tip.x"), 1e-6);
  EXPECT_NEAR(column(moving, "tip.z"), column(still, "tip.z"), 1e-6);
}

// A bar that drops by 0.2 mm on a floor, and what else there is; `more` adds linkages.
std::string dropped(const std::string& more) {
  return R"J({"format": "tendril/1", "materials": {"jelly": {"youngs": 1e3, "density": 1000}},
    "linkages": {"l": {"base": {"position": [0, 0, 0.0102]}, "links": {"bar": {"joint": {"prismatic": {"axis": "z", "damping": 20}},
      "body": {"rigid": {"length": 0.2, "section": {"circle": {"radius": 0.01}}, "density": 7800}}}}})J" +
         more + R"J(},
    "obstacles": {"floor": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}},
    "environment": {"gravity": [0, 0, -9.81]}, "solver": {"integrator": "implicit-euler", "dt": 0.005, "duration": 1, "tolerance": 1e-10},
    "probes": {"tip": {"position": "l/bar:tip"}, "f": {"contact": "force", "of": "l"}, "d": {"contact": "penetration", "of": "l"}}})J";
}

TEST(LinkageContactScene, AnUnrelatedLinkageChangesNoContact) {
  Simulation alone(dropped(""));
  runToEnd(alone);
  const double weight = 7800 * pi * 1e-4 * 0.2 * 9.81;
  EXPECT_NEAR(column(alone, "f"), weight, 1e-4 * weight);
  const auto with = [&](const std::string& body) {
    return dropped(R"J(, "other": {"base": {"position": [3, 0, 5]}, "links": {"b": {"body": )J" + body + "}}}");
  };
  for (const char* body :
       {R"({"rigid": {"length": 10, "section": {"circle": {"radius": 0.09}}, "density": 20000}})",
        R"({"soft": {"length": 0.1, "section": {"circle": {"radius": 0.002}}, "strains": {"bendY": 1}}})",
        R"({"rigid": {"length": 0.1, "section": {"circle": {"radius": 0.09}}, "density": 20000}})",
        R"({"rigid": {"length": 0.1, "section": {"circle": {"radius": 1e-4}}, "density": 1000}})"}) {
    Simulation sim(with(body));
    runToEnd(sim);
    for (const char* name : {"tip.z", "f", "d"})
      EXPECT_EQ(column(sim, name), column(alone, name)) << name << " beside " << body;
  }
}

// Nothing but the step tells how stiff it may be: an impact takes some steps, and throws it back.
TEST(LinkageContactScene, WithoutWeightABlowIsAsShortAsStepsResolve) {
  for (const char* body : {R"("length": 0.2, "section": {"circle": {"radius": 0.01}}, "density": 1000)",
                           R"("length": 0.2, "mass": 0.1)"}) {
    for (const char* per : {"contact", "length"}) {
      Simulation sim(
          R"J({"format": "tendril/1", "linkages": {"k": {"base": {"position": [0, 0, 0.012]}, "links": {"a": {
          "joint": {"prismatic": {"axis": "z"}}, "body": {"rigid": {)J" +
          std::string(body) + R"J(}}}}}},
          "environment": {"gravity": [0, 0, 0]}, "obstacles": {"f": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}},
          "contact": {"per": ")J" +
          per + R"J("}, "initial": [{"of": "k/a", "displacementRate": -0.04}],
          "solver": {"integrator": "implicit-midpoint", "dt": 1e-3, "duration": 0.6},
          "probes": {"v": {"velocity": "k/a:tip"}, "d": {"contact": "penetration"}}})J");
      double deepest = 0;
      while (!sim.finished()) sim.step(), deepest = std::max(deepest, column(sim, "d"));
      EXPECT_NEAR(column(sim, "v.z"), 0.04, 4e-3) << body << per;
      EXPECT_LT(deepest, 3e-3 * 0.04) << body << per;
    }
  }
}

TEST(LinkageContactScene, WhatHasNoMassIsToldToHaveNoStiffness) {
  const auto warned = [](const std::string& contact) {
    Simulation sim(R"J({"format": "tendril/1", "linkages": {"k": {"base": {"position": [0, 0, 0.1]}, "links": {"a": {
        "joint": {"revolute": {"axis": "y", "stiffness": 1}}, "body": {"rigid": {"length": 0.2}}}}}},
        "obstacles": {"f": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}}, )J" +
                   contact + R"J("solver": {"mode": "static"}})J");
    int said = 0;
    for (const Problem& w : sim.sceneWarnings())
      said += w.message.find("could take its stiffness from") != std::string::npos;
    return said;
  };
  EXPECT_EQ(warned(""), 1);
  EXPECT_EQ(warned(R"J("contact": {"stiffness": 100}, )J"), 0);
}

TEST(LinkageContactScene, ASoftWhiskerDoesNotLetItsRigidBarSink) {
  std::string text = dropped("");
  const std::string whisker =
      R"J(, "whisker": {"parent": "bar", "body": {"soft": {"length": 0.05, "section": {"circle": {"radius": 0.002}}, "strains": {"bendY": 1}}}}}})J";
  const std::string end = "7800}}}}}";
  text.replace(text.find(end), end.size(), "7800}}}" + whisker);
  Simulation sim(text);
  runToEnd(sim);
  EXPECT_NEAR(column(sim, "tip.z"), 0.01, 5e-4);
}

// Steps that see a contact in few places must not make its bounces higher: what contact stores is in the account.
TEST(LinkageContactScene, ABounceDoesNotGrow) {
  for (const char* integrator : {"implicit-midpoint", "generalized-alpha", "bdf2"}) {
    for (const char* dt : {"0.0013", "0.0026", "0.004"}) {
      Simulation sim(
          R"J({"format": "tendril/1", "linkages": {"k": {"base": {"position": [0, 0, 0.0103]}, "links": {"a": {
        "joint": {"prismatic": {"axis": "z"}}, "body": {"rigid": {"length": 0.2, "section": {"circle": {"radius": 0.01}}, "density": 1000}}}}}},
        "environment": {"gravity": [0, 0, -9.81]}, "obstacles": {"f": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}},
        "solver": {"integrator": ")J" +
          std::string(integrator) + R"J(", "dt": )J" + dt + R"J(, "duration": 10},
        "probes": {"e": {"energy": "total"}, "k": {"energy": "kinetic"}, "c": {"energy": "contact"}}})J");
      const double start = column(sim, "e"), drop = 1000 * pi * 1e-4 * 0.2 * 9.81 * 3e-4;
      double highest = start;
      while (!sim.finished()) sim.step(), highest = std::max(highest, column(sim, "e"));
      // The account lets 3 % pass, and of what is let through and lost again once more.
      EXPECT_LT(highest - start, 0.05 * drop) << integrator << " with " << dt;
    }
  }
}

// What an impact takes along is mu times what it takes across, dashpots included.
TEST(LinkageContactScene, FrictionTakesTheWholeNormalForce) {
  for (const char* integrator : {"implicit-euler", "bdf2", "generalized-alpha", "implicit-midpoint"}) {
    for (const char* damping : {"0", "1e-3", "1e-2"}) {
      Simulation sim(filled(
          R"({"format": "tendril/1", "linkages": {"a": {"base": {"position": [0, 0, 0.01], "forward": [0, 1, 0], "up": [0, 0, 1]},
        "links": {"s": {"joint": {"free": {}}, "body": {"rigid": {"length": 0.2, "section": {"circle": {"radius": 0.01}}, "density": 1000}}}}}},
        "obstacles": {"f": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}}, "contact": {"stiffness": 2e4, "distance": 5e-4, "friction": 0.3,
        "slip": 1e-3, "damping": $damping}, "initial": [{"of": "a/s", "displacement": [0, 0, 1.1e-3], "displacementRate": [0, 2, -0.5]}],
        "solver": {"dt": 1e-4, "duration": 0.06, "integrator": "$integrator"}, "probes": {"v": {"velocity": "a/s@0.5"}}})",
          {{"damping", damping}, {"integrator", integrator}}));
      runToEnd(sim);
      const double across = column(sim, "v.z") + 0.5, along = 2 - std::hypot(column(sim, "v.x"), column(sim, "v.y"));
      EXPECT_GT(across, 0.5) << integrator << damping;
      EXPECT_NEAR(along / (0.3 * across), 1, 0.01) << integrator << damping;
    }
  }
}

// By default contact bears what 5 ms resolve, which is not an impact at 4 m/s: it says where, and what it advises
// holds.
TEST(LinkageContactScene, ABlowThatContactDoesNotHoldIsNamed) {
  const auto hit = [](const std::string& contact, const std::string& dt) -> std::string {
    Simulation sim(filled(
        R"({"format": "tendril/1", "linkages": {"a": {"links": {"s": {"joint": {"free": {}}, "body": {"rigid": {"length": 0.4,
      "section": {"circle": {"radius": 0.01}}, "density": 1000}}}}}}, "obstacles": {"wire": {"capsule": {"from": [0.31, -0.2, -0.05], "to": [0.31, 0.2, -0.05],
      "radius": 0.002}}}, $contact "initial": [{"of": "a/s", "displacementRate": [0, 0, -4]}], "solver": {"dt": $dt, "duration": 0.05}})",
        {{"contact", contact}, {"dt", dt}}));
    try {
      runToEnd(sim);
    } catch (const std::runtime_error& e) {
      return e.what();
    }
    return "";
  };
  const std::string failed = hit("", "5e-3");
  EXPECT_NE(failed.find("\"a/s\" is pressed into obstacle \"wire\""), std::string::npos) << failed;
  EXPECT_EQ(hit("", "1e-3"), "");
  EXPECT_EQ(hit(R"("contact": {"stiffness": 1e6},)", "5e-3"), "");
}

TEST(LinkageContactScene, SaveAndRestoreGoOnBitForBit) {
  Simulation whole(tumbling("generalized-alpha")), first(tumbling("generalized-alpha")),
      second(tumbling("generalized-alpha"));
  whole.advance(1);
  first.advance(0.5);
  second.restore(first.save());
  second.advance(0.5);
  for (const char* name : {"tip.x", "tip.y", "tip.z", "e", "f"})
    EXPECT_EQ(column(second, name), column(whole, name)) << name;
}

// A body that lies on a table which goes up and down: the table's work, which is the mean of its push at both ends of a
// step, is what a damper takes. Before it went by the push at the end, which left 3 % of it, of the first order.
TEST(LinkageContactScene, WhatATableCarriesToAndFroCostsNothing) {
  for (const char* integrator : {"generalized-alpha", "bdf2"}) {
    double before = 0;
    for (const double dt : {1e-3, 5e-4}) {
      Simulation sim(
          filled(R"J({"format": "tendril/1", "linkages": {"l": {"base": {"position": [0, 0, 0.01]}, "links": {"a": {
        "joint": {"prismatic": {"axis": "z", "damping": 0.5}}, "body": {"rigid": {"length": 0.1, "section": {"circle": {"radius": 0.01}}, "density": 3000}}}}}},
        "obstacles": {"table": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}, "displacement": [0, 0, "=0.01*(1-cos(4*pi*t))"]}},
        "contact": {"stiffness": 2e3, "distance": 2e-3, "damping": 1e-3}, "environment": {"gravity": [0, 0, -9.81]},
        "solver": {"integrator": "$integrator", "dt": $dt, "duration": 0.5, "start": "equilibrium", "tolerance": 1e-11},
        "probes": {"numerical": {"energy": "numerical"}, "work": {"energy": "work"}, "dissipated": {"energy": "dissipated"}}})J",
                 {{"integrator", integrator}, {"dt", digits(dt)}}));
      const Progress run = runToEnd(sim);
      EXPECT_TRUE(run.warnings.empty()) << run.warnings[0];
      const double lost = std::abs(column(sim, "numerical"));
      EXPECT_GT(column(sim, "dissipated"), 1.9e-3);
      EXPECT_LT(lost, 2e-4 * column(sim, "work")) << integrator;
      if (before > 0) {
        EXPECT_LT(lost, before / 2.5) << integrator;
      }
      before = lost;
    }
  }
}

// A free bar rides on a table that goes up, with damped contact: as with BDF2, and at the steps that it asks for.
// Before, the term that keeps energy left no balance: 15,000 steps and 100,000 iterations for 0.1 s.
TEST(LinkageContactScene, DampedContactOnAMovingTableTakesTheStepsThatItAsksFor) {
  double height = 0;
  for (const char* integrator : {"bdf2", "implicit-midpoint"}) {
    for (const double damping : {1e-3, 1e-2}) {
      Simulation sim(
          filled(R"J({"format": "tendril/1", "linkages": {"l": {"base": {"position": [0, 0, 0.003]}, "links": {"bar": {
        "joint": {"free": {}}, "body": {"rigid": {"length": 0.1, "section": {"circle": {"radius": 0.003}}, "density": 7800}}}}}},
        "obstacles": {"table": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}, "displacement": [0, 0, "=0.1*(1-cos(2*pi*0.7*t))"]}},
        "contact": {"damping": $damping}, "environment": {"gravity": [0, 0, -9.81]},
        "solver": {"integrator": "$integrator", "dt": 1e-3, "duration": 0.2}, "probes": {"tip": {"position": "l/bar:tip"}}})J",
                 {{"integrator", integrator}, {"damping", digits(damping)}}));
      const Progress run = runToEnd(sim);
      EXPECT_LE(run.retries, 4) << integrator << damping;
      EXPECT_LE(run.iterations, 12 * run.steps) << integrator << damping;
      if (height == 0) height = column(sim, "tip.z");
      EXPECT_NEAR(column(sim, "tip.z"), height, 2e-6) << integrator << damping;
      EXPECT_NEAR(height, 0.003 + 0.1 * (1 - std::cos(2 * pi * 0.7 * 0.2)), 2e-4);
    }
  }
}

}  // namespace linkage_contact_scene_test
}  // namespace tendril::links
