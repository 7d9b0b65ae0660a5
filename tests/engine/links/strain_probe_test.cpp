// Probes of the strains along soft links, and joints whose motion nothing resists, through the door.
#include <gtest/gtest.h>

#include "engine/simulation/run_scene.h"

namespace tendril::links {
namespace strain_probe_test {

using namespace test;

const char* const head =
    R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "poisson": 0.3, "density": 1000}}, "linkages": {"arm": {"links": {)J";

// A cantilever under a tip moment about z takes the same curvature everywhere, beside its natural one.
TEST(StrainProbe, TellsTheWholeStrainNaturalIncludedAtAnyPlace) {
  Simulation sim(std::string(head) + R"J(
    "limb": {"body": {"soft": {"length": 0.4, "section": {"circle": {"radius": 0.01}}, "strains": {"twist": 0, "bendY": 1, "bendZ": 0, "stretch": 0},
      "natural": {"bendZ": 0.7, "bendY": "=3*u", "shearY": 0.02, "stretch": 0.05}}}}}}},
    "loads": [{"moment": [0, 0, 2e-3], "at": "arm:tip"}], "solver": {"mode": "static"},
    "probes": {"mid": {"strain": "arm/limb@0.5"}, "root": {"strain": "arm/limb@0"}, "tip": {"strain": "arm:tip"}, "c": {"curvature": "arm/limb@0.5"}, "turned": {"twist": "arm/limb@0.5"},
      "both": {"strain": ["arm/limb@0", "arm/limb@1"], "reduce": "max"}}})J");
  EXPECT_NEAR(column(sim, "mid.bendZ"), 0.7, 1e-14);
  EXPECT_NEAR(column(sim, "mid.bendY"), 1.5, 1e-14);
  EXPECT_NEAR(column(sim, "root.bendY"), 0, 1e-14);
  EXPECT_NEAR(column(sim, "tip.bendY"), 3, 1e-14);
  EXPECT_NEAR(column(sim, "both.bendY"), 3, 1e-14);
  EXPECT_NEAR(column(sim, "mid.shearY"), 0.02, 1e-14);
  EXPECT_NEAR(column(sim, "mid.stretch"), 0.05, 1e-14);
  EXPECT_EQ(column(sim, "mid.twist"), 0);
  EXPECT_NEAR(column(sim, "c.c1"), 0.7, 1e-14) << "toward y by bendZ";
  EXPECT_NEAR(column(sim, "c.c2"), -1.5, 1e-14) << "toward z against bendY";
  runToEnd(sim);
  EXPECT_EQ(column(sim, "turned"), column(sim, "mid.twist"));
  EXPECT_NE(column(sim, "turned"), 0);
}

TEST(StrainProbe, SeesWhatAMomentBends) {
  Simulation sim(std::string(head) + R"J(
    "limb": {"body": {"soft": {"divisions": [{"length": 0.1}, {"length": 0.3, "section": {"circle": {"radius": 0.005}}}], "section": {"circle": {"radius": 0.01}}, "strains": {"bendZ": 0}}}}}}},
    "loads": [{"moment": [0, 0, 2e-3], "at": "arm:tip"}], "solver": {"mode": "static"},
    "probes": {"thick": {"curvature": "arm/limb@0.2"}, "border": {"curvature": "arm/limb@0.25"}, "thin": {"strain": "arm/limb"}}})J");
  runToEnd(sim);
  const double k = 2e-3 / (1e6 * pi * 1e-8 / 4);
  EXPECT_NEAR(column(sim, "thick.c1"), k, 1e-9 * k);
  EXPECT_NEAR(column(sim, "border.c1"), 16 * k, 1e-8 * k) << "the border belongs to the division that begins there";
  EXPECT_NEAR(column(sim, "thin.bendZ"), 16 * k, 1e-8 * k);
}

std::string loose(const std::string& joint, const std::string& body, const std::string& more = "") {
  return std::string(head) + "\"a\": {\"joint\": {\"" + joint + "\": {" + more + "}}, \"body\": {\"rigid\": {" + body +
         R"J(}}}}}}, "environment": {"gravity": [0, 0, -9.81]}, "solver": {"dt": 0.01, "duration": 0.1}})J";
}

// A point mass beside a ball joint can spin about the line between them without moving, whatever moment gravity has.
TEST(LooseJoint, WhatSpinsWithoutInertiaIsRefusedAtItsPlace) {
  for (const char* joint : {"spherical", "free"}) {
    for (const char* body :
         {R"J("mass": 1, "length": 0.5)J", R"J("mass": 1, "length": 0.5, "inertia": [0, 0.01, 0.01])J"}) {
      try {
        Simulation sim(loose(joint, body));
        ADD_FAILURE() << joint << " " << body;
      } catch (const BadScene& bad) {
        ASSERT_EQ(bad.problems.size(), 1u);
        EXPECT_EQ(bad.problems[0].pointer, "/linkages/arm/links/a");
        const std::string& text = bad.problems[0].message;
        EXPECT_NE(text.find("joint \"arm/a\" can move without moving any mass"), std::string::npos) << text;
        EXPECT_NE(text.find("with \"inertia\" where it turns about itself"), std::string::npos) << text;
      }
    }
    EXPECT_NO_THROW(Simulation(loose(joint, R"J("mass": 1, "length": 0.5, "inertia": [1e-4, 0.01, 0.01])J")));
  }
  EXPECT_NO_THROW(Simulation(loose("spherical", R"J("mass": 1, "length": 0.5)J", R"J("damping": 0.01)J")));
  EXPECT_NO_THROW(Simulation(loose("revolute", R"J("mass": 1, "length": 0.5)J", R"J("axis": "y")J")));
}

TEST(LinkageStart, TellsWhatBeginsInsideAnObstacle) {
  const auto warnings = [](const char* place) {
    Simulation sim(
        std::string(head) +
        R"J("a": {"joint": {"revolute": {"axis": "y"}}, "body": {"rigid": {"length": 0.3, "section": {"circle": {"radius": 0.01}}, "density": 1000}}}}}},
      "obstacles": {"ball": {"sphere": {"center": [0.3, 0, )J" +
        place + R"J(], "radius": 0.05}}}})J");
    std::string all;
    for (const Problem& warning : sim.sceneWarnings()) all += warning.pointer + ": " + warning.message + "\n";
    return all;
  };
  EXPECT_NE(warnings("0.05").find("/linkages/arm: \"arm\" begins 10 mm inside obstacle \"ball\""), std::string::npos)
      << warnings("0.05");
  EXPECT_NE(warnings("0.05").find("as far as the way is free"), std::string::npos) << warnings("0.05");
  EXPECT_EQ(warnings("0.07").find("inside obstacle"), std::string::npos) << warnings("0.07");
}

TEST(LinkageStart, NumbersOutOfAllScaleAreCalledSo) {
  try {
    Simulation sim(
        std::string(head) +
        R"J("a": {"body": {"soft": {"length": 1, "section": {"circle": {"radius": 0.01}}, "strains": {"bendY": 0}, "natural": {"bendY": 1e300}}}}}}}})J");
    ADD_FAILURE() << "it starts";
  } catch (const BadScene& bad) {
    EXPECT_NE(bad.problems.at(0).message.find("not finite: look for numbers out of all scale"), std::string::npos)
        << bad.problems[0].message;
  }
}

// Gravity along a hinge's axis holds it nowhere: statics say so instead of being done at once.
TEST(LooseJoint, StaticsTellWhatNothingHolds) {
  Simulation sim(
      std::string(head) +
      R"J("a": {"joint": {"revolute": {"axis": "z"}}, "body": {"rigid": {"mass": 1, "length": 1, "inertia": [1, 1, 1]}}}}}},
    "environment": {"gravity": [0, 0, -9.81]}, "solver": {"mode": "static"}})J");
  const Progress progress = sim.advance(10);
  ASSERT_FALSE(progress.warnings.empty());
  EXPECT_NE(progress.warnings[0].find("nothing holds joint \"arm/a\""), std::string::npos) << progress.warnings[0];
}

}  // namespace strain_probe_test
}  // namespace tendril::links
