// What is small or soft is solved for beside what is large or stiff: forces that move nothing, and bodies that are
// hundreds of thousands of times heavier, change nothing of it.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/simulation/run_scene.h"

namespace tendril {
namespace small_parts_test {

using test::column;
using test::digits;
using test::filled;

double tipOf(const std::string& scene, const std::string& probe = "tip.z") {
  Simulation sim(
      R"({"format": "tendril/1", "materials": {"rubber": {"youngs": 1e6, "density": 1100}, "steel": {"youngs": 2e11, "density": 7800},
    "calm": {"youngs": 1e6, "density": 1100, "damping": 3e4}}, "environment": {"gravity": [0, 0, -9.81]}, )" +
      scene + "}");
  test::runToEnd(sim);
  return column(sim, probe);
}

const char* const still = R"("solver": {"mode": "static"})";

/// A silicone finger of 5 cm by 2 mm on a rigid arm of 1 m.
std::string finger(double density, const std::string& solver, const std::string& joint = "",
                   const std::string& material = "rubber") {
  return filled(R"("linkages": {"h": {"links": {
    "arm": {$joint "body": {"rigid": {"length": 1, "section": {"circle": {"radius": 0.05}}, "density": $density}}},
    "finger": {"body": {"soft": {"material": "$material", "length": 0.05, "section": {"circle": {"radius": 1e-3}}, "strains": {"bendY": 3}}}}}}},
    $solver, "probes": {"tip": {"position": "h:tip"}})",
                {{"joint", joint}, {"density", digits(density)}, {"material", material}, {"solver", solver}});
}

TEST(SmallParts, AFingerBendsAlikeOnALightAndOnAHeavyArm) {
  const double alone = tipOf(finger(1e-3, still));
  EXPECT_NEAR(alone, -0.0260138, 1e-6);
  for (const double density : {100.0, 7800.0, 2e4, 1e8})
    EXPECT_NEAR(tipOf(finger(density, still)), alone, 1e-8) << density;
  for (const double density : {100.0, 7800.0, 2e4, 1e8}) {
    EXPECT_NEAR(tipOf(finger(density, still, R"("joint": {"revolute": {"axis": "y", "angle": 0}},)")), alone, 1e-8)
        << density;
  }
  for (const double stiffness : {10.0, 1e3, 2e4}) {
    const std::string joint =
        R"("joint": {"revolute": {"axis": "y", "angle": 0, "stiffness": )" + digits(stiffness) + R"(, "rest": 0.5}},)";
    EXPECT_NEAR(tipOf(finger(1e-3, still, joint)), alone, 1e-8) << stiffness;
  }
}

// In one part with a steel beam, which it never touches, a hair is solved for to its own last digits, not to the
// beam's.
TEST(SmallParts, AHairBesideABeamEndsByItsOwnRoundOff) {
  const auto hair = [](const std::string& beam, const std::string& self, const std::string& tolerance) {
    Simulation sim(filled(
        R"({"format": "tendril/1", "materials": {"soft": {"youngs": 1e5, "poisson": 0.4, "density": 1000, "damping": 100}, "steel": {"youngs": 2e11, "poisson": 0.3, "density": 7800, "damping": 1e6}},
      "rods": {"a": {"material": "soft", "section": {"circle": {"radius": 3e-4}}, "segments": 20, "path": {"line": {"from": [0, 0, 0], "to": [0.015, 0, 0]}}}$beam},
      "constraints": [{"clamp": "a:first"}$clamp], "environment": {"gravity": [0, 0, -9.81]}$self, "solver": {"integrator": "implicit-midpoint", "dt": 0.005, "duration": 0.5, "tolerance": $tolerance},
      "probes": {"tip": {"position": "a:last"}, "R": {"reaction": "a:first"}}})",
        {{"beam", beam},
         {"clamp", beam.empty() ? "" : R"(, {"clamp": "B:last"})"},
         {"self", self},
         {"tolerance", tolerance}}));
    test::runToEnd(sim);
    return Vec3(column(sim, "tip.x"), column(sim, "tip.z"), 100 * column(sim, "R.z"));
  };
  const std::string beam =
      R"(, "B": {"material": "steel", "section": {"circle": {"radius": 0.2}}, "segments": 10, "path": {"line": {"from": [0, 5, 0], "to": [-20, 5, 0]}}})";
  const Vec3 alone = hair("", "", "1e-10");
  for (const char* tolerance : {"1e-8", "1e-12"})
    EXPECT_LT((hair(beam, R"(, "contact": {"self": true})", tolerance) - alone).norm(), 1e-6 * alone.norm())
        << tolerance;
}

TEST(SmallParts, InMotionToo) {
  for (const char* integrator : {"implicit-euler", "bdf2", "implicit-midpoint", "generalized-alpha"}) {
    const std::string solver =
        std::string(R"("solver": {"integrator": ")") + integrator + R"(", "dt": 0.02, "duration": 6})";
    const double light = tipOf(finger(1e-3, solver, "", "calm")), heavy = tipOf(finger(5e4, solver, "", "calm"));
    EXPECT_NEAR(light, -0.02601, 2e-4) << integrator;
    EXPECT_NEAR(heavy, light, 1e-6) << integrator;
  }
}

TEST(SmallParts, AnotherLinkageIsNoMeasure) {
  const std::string alone =
      R"("finger": {"base": {"position": [0, 0, 0]}, "links": {"f": {"body": {"soft": {"material": "rubber",
    "length": 0.01, "section": {"circle": {"radius": 1e-4}}, "strains": {"bendY": 4}}}}}})";
  const std::string arm =
      R"(, "arm": {"base": {"position": [0, 2, 0]}, "links": {"a": {"joint": {"revolute": {"axis": "y", "stiffness": 1e6}},
    "body": {"rigid": {"length": 1, "section": {"circle": {"radius": 0.05}}, "density": 7800}}}}})";
  const auto scene = [&](const std::string& more) {
    return "\"linkages\": {" + alone + more + "}, " + still + R"(, "probes": {"tip": {"position": "finger:tip"}})";
  };
  EXPECT_NEAR(tipOf(scene(arm)), tipOf(scene("")), 1e-8);
}

TEST(SmallParts, AForceOnWhatIsHeldBendsNothing) {
  const auto rod = [](double force) {
    return tipOf(filled(R"("rods": {"w": {"material": "rubber", "section": {"circle": {"radius": 1e-3}}, "segments": 20,
      "path": {"line": {"from": [0, 0, 0], "to": [0.05, 0, 0]}}}}, "constraints": [{"clamp": "w:first"}],
      "loads": [{"force": [$force, 0, 0], "at": "w:first"}], $solver, "probes": {"tip": {"position": "w:last"}})",
                        {{"force", digits(force)}, {"solver", still}}));
  };
  EXPECT_NEAR(rod(0), -0.0260397, 1e-6);
  for (const double force : {1.0, 1e3, 1e6, 1e12}) EXPECT_NEAR(rod(force), rod(0), 1e-8) << force;
  const auto sheet = [](double force) {
    return tipOf(
        filled(R"("shells": {"s": {"material": "rubber", "thickness": 5e-4, "mesh": {"rectangle": {"corner": [0, 0, 0],
      "along": [0.03, 0, 0], "across": [0, 0.01, 0], "edge": 0.005}}}}, "constraints": [{"clamp": {"of": "s", "where": "x < 1e-6"}}],
      "loads": [{"force": [$force, 0, 0], "at": "s:0"}], $solver, "probes": {"tip": {"position": "s@[0.03, 0, 0]"}})",
               {{"force", digits(force)}, {"solver", still}}));
  };
  EXPECT_LT(sheet(0), -1e-3);
  for (const double force : {1e2, 1e3, 1e9}) EXPECT_NEAR(sheet(force), sheet(0), 1e-8) << force;
}

/// A rubber whisker of 1 cm, welded to a steel bar or 1 m beside it.
std::string whisker(const std::string& bar, const std::string& more, const std::string& solver,
                    const std::string& place, const std::string& end) {
  return filled(
      R"("rods": {"w": {"material": "calm", "section": {"circle": {"radius": 1e-4}}, "segments": 20, "frame": [0, 1, 0],
    "path": {"line": {"from": [$place], "to": [$end]}}}$bar}, $more, $solver, "probes": {"tip": {"position": "w:last"}})",
      {{"bar", bar}, {"more", more}, {"solver", solver}, {"place", place}, {"end", end}});
}
const char* const bar =
    R"(, "b": {"material": "steel", "section": {"circle": {"radius": 0.05}}, "segments": 10, "frame": [0, 1, 0],
    "path": {"line": {"from": [0, 0, 0], "to": [1, 0, 0]}}})";

TEST(SmallParts, AWhiskerOnAHeldBarBends) {
  const std::string slow = R"("solver": {"integrator": "bdf2", "dt": 0.01, "duration": 4})";
  for (const std::string& solver : {std::string(still), slow}) {
    const double alone =
        tipOf(whisker("", R"("constraints": [{"clamp": "w:first"}])", solver, "1, 0, 0", "1.01, 0, 0"));
    EXPECT_NEAR(alone, -4.496e-3, 2e-5);
    EXPECT_NEAR(tipOf(whisker(bar, R"("joints": [{"weld": ["b:last", "w:first"]}], "constraints": [{"clamp": "b"}])",
                              solver, "1, 0, 0", "1.01, 0, 0")),
                alone, 1e-7);
  }
}

TEST(SmallParts, ContactOfBodiesMakesNoMeasureOfTheHeaviest) {
  const std::string self = R"(, "contact": {"self": true, "distance": 1e-5, "stiffness": 10})";
  for (const char* integrator : {"implicit-euler", "bdf2", "implicit-midpoint"}) {
    const std::string solver =
        std::string(R"("solver": {"integrator": ")") + integrator + R"(", "dt": 0.01, "duration": 4})";
    const double alone =
        tipOf(whisker("", R"("constraints": [{"clamp": "w:first"}])", solver, "0, 1, 0", "0.01, 1, 0"));
    EXPECT_NEAR(tipOf(whisker(bar, R"("constraints": [{"clamp": "w:first"}, {"clamp": "b:first"}])" + self, solver,
                              "0, 1, 0", "0.01, 1, 0")),
                alone, 1e-7)
        << integrator;
  }
}

// Round-off in the beam, 10^11 times as heavy as the thread, exceeds all that acts on the thread.
TEST(SmallParts, AThreadFallsAlikeBesideABeamThatItMightTouch) {
  const auto tip = [](const std::string& contact, const std::string& integrator) {
    Simulation sim(filled(R"({"format": "tendril/1", "materials": {"steel": {"youngs": 2e11, "density": 7800},
      "silk": {"youngs": 1e7, "density": 1000, "damping": 1e3}}, "rods": {
      "beam": {"material": "steel", "section": {"circle": {"radius": 0.05}}, "segments": 40,
        "path": {"line": {"from": [0, 0.1, 0], "to": [1, 0.1, 0]}}},
      "thread": {"material": "silk", "section": {"circle": {"radius": 5e-6}}, "segments": 40,
        "path": {"line": {"from": [0, 0, 0], "to": [0.01, 0, 0]}}}},
      "constraints": [{"clamp": ["beam:first", "thread:first"]}], $contact "environment": {"gravity": [0, 0, -9.81]},
      "solver": {"integrator": "$integrator", "dt": 0.01, "duration": 0.3}, "probes": {"tip": {"position": "thread:last"}}})",
                          {{"contact", contact}, {"integrator", integrator}}));
    test::runToEnd(sim);
    return test::vectorColumn(sim, "tip");
  };
  for (const char* integrator : {"bdf2", "implicit-euler"}) {
    const Vec3 apart = tip("", integrator), near = tip(R"("contact": {"self": true},)", integrator);
    EXPECT_LT((near - apart).norm(), 1e-4 * 0.01) << integrator;
  }
}

// Both ends of a wire are fixed: its tension, 500,000 times its weight, acts on nothing that moves.
TEST(SmallParts, ATautWireSagsAsItsWeightSays) {
  const double L = 1, r = 5e-4, E = 2e11, density = 78, stretch = 0.005, g = 9.81;
  const double A = 3.14159265358979 * r * r, T = E * A * stretch, w = density * A * g;
  const double k = std::sqrt(T / (E * A * r * r / 4));  // pinned: a string, stiffened at its ends
  const double sag = w * L * L / (8 * T) * (1 - 8 / (k * k * L * L) * (1 - 1 / std::cosh(k * L / 2)));
  Simulation sim(
      R"({"format": "tendril/1", "materials": {"m": {"youngs": 2e11, "density": 78, "damping": 1e7}}, "rods": {"w": {"section":
    {"circle": {"radius": 5e-4}}, "segments": 100, "frame": [0, 1, 0], "path": {"line": {"from": [0, 0, 0], "to": [1, 0, 0]}}, "natural":
    {"curvature": [0, 0], "twist": 0, "stretch": 0.99502487562189057}}}, "constraints": [{"fix": ["w:first", "w:last"]}], "environment":
    {"gravity": [0, 0, -9.81]}, "solver": {"dt": 0.01, "duration": 3}, "probes": {"mid": {"position": "w:50"}}})");
  test::runToEnd(sim);
  EXPECT_NEAR(column(sim, "mid.z"), -sag, 1e-3 * sag);
}

}  // namespace small_parts_test
}  // namespace tendril
