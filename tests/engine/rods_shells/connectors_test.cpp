// Springs between places of rods and shells: against beam theory, in motion, wound in, saved; and what is refused of
// them.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/simulation/run_scene.h"

namespace tendril {
namespace connectors_test {

using test::filled;

/// A cantilever whose tip hangs by a spring from a post that does not move.
const char* const hung = R"J({"format": "tendril/1", "parameters": {"k": $k},
"materials": {"m": {"youngs": 1e9, "poisson": 0.3, "density": 1000}},
"rods": {"arm": {"section": {"circle": {"radius": 0.005}}, "segments": $n, "path": {"line": {"from": [0, 0, 0], "to": [0.5, 0, 0]}}},
         "post": {"section": {"circle": {"radius": 0.005}}, "segments": 1, "path": {"line": {"from": [0.5, 0, 0.2], "to": [0.5, 0, 0.3]}}}},
"springs": {"wire": {"distance": {"stiffness": "=k"$more}, "between": ["arm:last", "post:first"]}},
"constraints": [{"clamp": "arm:first"}, {"clamp": "post"}],
"loads": [{"force": [0, 0, $F], "at": "arm:last"}],
"solver": $solver,
"probes": {"tip": {"position": "arm:last"}, "spring": {"energy": "springs"}, "elastic": {"energy": "elastic"}}})J";

const char* const still = R"J({"mode": "static"})J";

TEST(Connectors, ASpringAtTheTipStandsBesideTheBeam) {
  const double EI = 1e9 * pi * std::pow(0.005, 4) / 4, beam = 3 * EI / std::pow(0.5, 3), F = -1e-3;
  for (const double k : {0.0, 2.0, 20.0}) {
    double before = 0;
    for (const int n : {20, 40}) {
      Simulation sim(filled(
          hung,
          {{"k", test::digits(k)}, {"n", std::to_string(n)}, {"F", test::digits(F)}, {"solver", still}, {"more", ""}}));
      test::runToEnd(sim);
      // Of a discrete cantilever the deflection is off by 1 / (2 n^2).
      const double expected = F / (beam + k), error = std::abs(test::column(sim, "tip.z") / expected - 1);
      EXPECT_LT(error, 0.6 / (n * n)) << k;
      if (before > 1e-6) {
        EXPECT_NEAR(before / error, 4, 0.2) << k;
      }
      before = error;
      EXPECT_NEAR(test::column(sim, "spring"), 0.5 * k * expected * expected,
                  0.01 * 0.5 * k * expected * expected + 1e-15);
    }
  }
}

TEST(Connectors, ANaturalLengthWindsIn) {
  Simulation sim(
      filled(hung, {{"k", "1e4"}, {"n", "30"}, {"F", "0"}, {"solver", still}, {"more", R"(, "natural": 0.1)"}}));
  test::runToEnd(sim);
  const double x = test::column(sim, "tip.x") - 0.5, z = test::column(sim, "tip.z") - 0.2;
  EXPECT_NEAR(std::hypot(x, z), 0.1, 2e-3);  // far stiffer than the beam
}

/// Two stiff rods across the x axis; the second turns about it against a torsion spring of 0.02 N m/rad.
const char* const arms = R"J({"format": "tendril/1",
"materials": {"m": {"youngs": 1e11, "poisson": 0.3, "density": 1000}},
"rods": {"a": {"section": {"circle": {"radius": 0.01}}, "segments": 1, "path": {"line": {"from": [0, $y, 0], "to": [0, 0, 0]}}},
         "b": {"section": {"circle": {"radius": 0.01}}, "segments": 1, "path": {"line": {"from": [0.1, 0, 0], "to": [0.1, 0.2, 0]}}}},
"springs": {"torsion": {"dihedral": {"stiffness": 0.02$more}, "between": ["a:first", "a:last", "b:first", "b:last"]}},
"constraints": [{"fix": ["a", "b:first"]}, {"fix": "b:last", "axes": "x"}, {"fixTwist": ["a:0", "b:0"]}],
"loads": [{"force": [0, 0, $F], "at": "b:last"}],
"environment": {"gravity": [0, 0, 0]},
"solver": $solver,
"probes": {"tip": {"position": "b:last"}, "spring": {"energy": "springs"}$probes}})J";

double turnOf(Simulation& sim) { return std::atan2(test::column(sim, "tip.z"), test::column(sim, "tip.y")); }

// k (angle - natural) = F r cos(angle), from flat to folded over, where the angle is pi as built, to both sides.
TEST(Connectors, ATorsionSpringBearsTheMomentOfAForce) {
  for (const double y : {0.3, -0.3}) {
    for (const double F : {-0.3, 0.1, 0.3}) {
      for (const double off : {0.0, 0.4, -0.7}) {
        const double built = y > 0 ? 0 : pi, natural = built + off;
        Simulation sim(filled(arms, {{"y", test::digits(y)},
                                     {"F", test::digits(F)},
                                     {"solver", still},
                                     {"probes", ""},
                                     {"more", off == 0 ? "" : ", \"natural\": " + test::digits(natural)}}));
        test::runToEnd(sim);
        const double angle = turnOf(sim);
        EXPECT_NEAR(0.02 * (angle - off), F * 0.2 * std::cos(angle), 1e-8) << y << " " << F << " " << off;
        EXPECT_NEAR(test::column(sim, "spring"), 0.01 * (angle - off) * (angle - off), 1e-9);
      }
    }
  }
}

// Wound by more than a turn: what drives it does the work, and a run that goes on from a save knows how many turns
// there were.
TEST(Connectors, ATorsionSpringCountsItsTurns) {
  const auto text = [](const char* integrator) {
    return filled(arms,
                  {{"y", "0.3"},
                   {"F", "0"},
                   {"probes", R"(, "numerical": {"energy": "numerical"}, "work": {"energy": "work"})"},
                   {"more", R"J(, "natural": "=9*smooth(t, 0, 3)", "damping": 2e-3)J"},
                   {"solver", filled(R"({"integrator": "$integrator", "dt": 2e-3, "duration": 4, "tolerance": 1e-10})",
                                     {{"integrator", integrator}})}});
  };
  for (const char* integrator : {"implicit-midpoint", "bdf2"}) {
    Simulation whole(text(integrator)), again(text(integrator));
    whole.advance(2);
    again.restore(whole.save());
    test::runToEnd(whole), test::runToEnd(again);
    EXPECT_EQ(test::allNodes(whole), test::allNodes(again)) << integrator;
    // It swings about its end; energy tells how far it is off, and the work is all there is.
    const double off = std::sqrt(2 * test::column(whole, "spring") / 0.02), past = turnOf(whole) - (9 - 2 * pi);
    EXPECT_NEAR(off, std::abs(past), 1e-6) << integrator;
    EXPECT_LT(off, 0.5) << integrator;
    EXPECT_LT(std::abs(test::column(whole, "numerical")), 0.02 * test::column(whole, "work")) << integrator;
  }
}

/// A short rod flies past the axis of a torsion spring, `off` beside it.
std::string passing(double off) {
  return filled(R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e8, "poisson": 0.3, "density": 1000}},
"rods": {"a": {"section": {"circle": {"radius": 0.005}}, "segments": 2, "path": {"line": {"from": [0, 0.1, 0], "to": [0, 0, 0]}}},
         "b": {"section": {"circle": {"radius": 0.005}}, "segments": 2, "path": {"line": {"from": [0.1, 0, 0], "to": [0.1, 0, 0.1]}}},
         "c": {"section": {"circle": {"radius": 0.005}}, "segments": 2, "path": {"line": {"from": [0.2, 0.1, $off], "to": [0.25, 0.1, $off]}}}},
"springs": {"torsion": {"dihedral": {"stiffness": 1e-4}, "between": ["a:first", "a:last", "b:first", "c:first"]}},
"constraints": [{"fix": ["a", "b"]}], "initial": [{"of": "c", "velocity": [0, -1, 0]}], "environment": {"gravity": [0, 0, 0]},
"solver": {"integrator": "implicit-midpoint", "dt": 1e-3, "duration": 0.104, "tolerance": 1e-10},
"probes": {"tip": {"position": "c:first"}, "total": {"energy": "total"}, "numerical": {"energy": "numerical"}}})J",
                {{"off", test::digits(off)}});
}

// Near the axis the angle changes over the distance from it: steps become as short as that takes, and nothing is lost.
TEST(Connectors, WhatPassesCloseByTheAxisOfATorsionSpringKeepsItsEnergy) {
  Simulation sim(passing(2e-3));
  const double total = test::column(sim, "total");
  test::runToEnd(sim);
  EXPECT_LT(test::column(sim, "tip.y"), 0);
  EXPECT_LT(std::abs(test::column(sim, "numerical")), 1e-5 * total);
}

// On the axis there is no angle: a run ends there, and has gained nothing.
TEST(Connectors, WhatMeetsTheAxisOfATorsionSpringEndsTheRun) {
  Simulation sim(passing(0));
  std::string why;
  try {
    test::runToEnd(sim);
  } catch (const std::exception& e) {
    why = e.what();
  }
  EXPECT_GT(test::column(sim, "tip.y"), 0);
  EXPECT_LT(std::abs(test::column(sim, "numerical")), 1e-9 * test::column(sim, "total"));
  EXPECT_FALSE(why.empty());
}

/// Two free rods that a stretched spring pulls together, tumbling.
const char* const pair = R"J({"format": "tendril/1",
"materials": {"m": {"youngs": 2e6, "poisson": 0.3, "density": 1000}},
"rods": {"a": {"section": {"circle": {"radius": 0.01}}, "segments": 4, "path": {"line": {"from": [0, 0, 0], "to": [0.2, 0, 0]}}},
         "b": {"section": {"circle": {"radius": 0.01}}, "segments": 3, "path": {"line": {"from": [0, 0.2, 0.1], "to": [0.1, 0.3, 0.1]}}}},
"springs": {"wire": {"distance": {"stiffness": 30, "natural": "$natural", "damping": $damping}, "between": ["a:last", "b:first"]},
            "other": {"distance": {"stiffness": 10}, "between": ["a:1", "b:last"]}},
"initial": [{"of": "a", "velocity": [0.1, 0.3, -0.2]}],
"environment": {"gravity": [0, 0, 0]},
"solver": {"integrator": "$integrator", "dt": 2e-3, "duration": 1.5, "tolerance": 1e-11},
"probes": {"total": {"energy": "total"}, "numerical": {"energy": "numerical"}, "spring": {"energy": "springs"}, "gone": {"energy": "dissipated"},
           "work": {"energy": "work"}}})J";

std::string pairText(const std::string& natural, const std::string& damping, const std::string& integrator) {
  return filled(pair, {{"natural", natural}, {"damping", damping}, {"integrator", integrator}});
}

TEST(Connectors, TheMidpointRuleKeepsTheEnergyOfWhatASpringPulls) {
  Simulation sim(pairText("=0.1", "0", "implicit-midpoint"));
  const double before = test::column(sim, "total");
  EXPECT_GT(test::column(sim, "spring"), 0.1);
  test::runToEnd(sim);
  EXPECT_NEAR(test::column(sim, "total"), before, 1e-9 * before);
  EXPECT_LT(std::abs(test::column(sim, "numerical")), 1e-9 * before);
}

TEST(Connectors, DampersTakeWhatIsMissing) {
  for (const char* integrator : {"implicit-midpoint", "bdf2", "implicit-euler"}) {
    Simulation sim(pairText("=0.1", "0.2", integrator));
    const double before = test::column(sim, "total");
    test::runToEnd(sim);
    const double gone = test::column(sim, "gone"), numerical = test::column(sim, "numerical");
    EXPECT_GT(gone, 0.02 * before) << integrator;
    EXPECT_NEAR(test::column(sim, "total") - numerical, before - gone, 1e-6 * before) << integrator;
    if (std::string(integrator) == "implicit-midpoint") {
      EXPECT_LT(std::abs(numerical), 1e-7 * before);
    }
  }
}

TEST(Connectors, WindingInDoesWork) {
  Simulation sim(pairText("=0.2 - 0.1*smooth(t, 0, 1)", "0", "implicit-midpoint"));
  const double before = test::column(sim, "total");
  test::runToEnd(sim);
  const double work = test::column(sim, "work");
  EXPECT_GT(std::abs(work), 1e-3 * before);
  EXPECT_NEAR(test::column(sim, "total"), before + work + test::column(sim, "numerical"), 1e-6 * before);
  EXPECT_LT(std::abs(test::column(sim, "numerical")), 1e-3 * before);
}

TEST(Connectors, SaveAndRestoreGoOnBitForBit) {
  Simulation whole(pairText("=0.2 - 0.1*t", "0.1", "bdf2"));
  whole.advance(0.5);
  const auto saved = whole.save();
  Simulation again(pairText("=0.2 - 0.1*t", "0.1", "bdf2"));
  again.restore(saved);
  test::runToEnd(whole), test::runToEnd(again);
  EXPECT_EQ(test::allNodes(whole), test::allNodes(again));
}

TEST(Connectors, WhatIsNoSpringIsRefused) {
  const auto problem = [](const std::string& between, const std::string& law = R"("distance": {"stiffness": 1})") {
    const std::string text =
        R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "poisson": 0.3, "density": 1000}},
    "rods": {"a": {"section": {"circle": {"radius": 0.01}}, "segments": 4, "path": {"line": {"from": [0, 0, 0], "to": [0.2, 0, 0]}}},
             "b": {"section": {"circle": {"radius": 0.01}}, "segments": 4, "path": {"line": {"from": [0.2, 0, 0], "to": [0.2, 1, 0]}}}},
    "linkages": {"arm": {"links": {"l": {"body": {"rigid": {"length": 0.1, "mass": 1}}}}}},
    "springs": {"s": {)J" +
        law + ", \"between\": " + between + "}}, \"solver\": {\"duration\": 0.1}}";
    try {
      Simulation sim(text);
    } catch (const BadScene& bad) {
      return bad.problems.front().pointer + " " + bad.problems.front().message;
    }
    return std::string();
  };
  EXPECT_EQ(problem(R"(["a:first", "b:last"])"), "");
  EXPECT_NE(problem(R"(["a:last", "b:first"])")
                .find("/springs/s/between \"distance\" cannot be measured as built: its places at one position"),
            std::string::npos)
      << problem(R"(["a:last", "b:first"])");
  const char* const torsion = R"("dihedral": {"stiffness": 1, "natural": -2})";
  EXPECT_EQ(problem(R"(["a:first", "a:last", "b:1", "b:last"])", R"("distance": {"stiffness": 1})")
                .find("\"distance\" is between 2 places"),
            std::string("/springs/s/between ").size());
  EXPECT_NE(problem(R"(["a:0", "a:1", "a:2", "b:last"])", torsion).find("three of its places on one line"),
            std::string::npos);
  EXPECT_NE(problem(R"(["a:0", "a:last", "b:first", "b:last"])", torsion).find("cannot be measured as built"),
            std::string::npos);
  EXPECT_NE(problem(R"(["a:last"])").find("is between 2 places"), std::string::npos);
  EXPECT_NE(problem(R"(["a", "b:last"])").find("is between 2 places"), std::string::npos);
  EXPECT_NE(problem(R"(["a:last", "a:last"])").find("twice"), std::string::npos);
  EXPECT_NE(problem(R"(["a:last", "arm/l"])").find("nodes of rods and shells"), std::string::npos);
  EXPECT_NE(
      problem(R"(["a:first", "b:last"])", R"("distance": {"stiffness": -1})").find("/springs/s/distance/stiffness"),
      std::string::npos);
  EXPECT_NE(problem(R"(["a:first", "b:last"])", R"("distance": {"stiffness": 1, "natural": -1})")
                .find("/springs/s/distance/natural"),
            std::string::npos);
  EXPECT_NE(problem(R"(["a:first", "b:last"])", R"("distanc": {"stiffness": 1})").find("did you mean \"distance\""),
            std::string::npos);
}

}  // namespace connectors_test
}  // namespace tendril
