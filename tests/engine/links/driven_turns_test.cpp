// Joints that are driven farther in a step than steps follow: told, once.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/simulation/run_scene.h"

namespace tendril::links {
namespace driven_turns_test {

using test::filled;
using test::runToEnd;

std::vector<std::string> whirled(const std::string& angle, const std::string& solver) {
  Simulation sim(filled(
      R"J({"format": "tendril/1", "linkages": {"a": {"links": {"slide": {"joint": {"prismatic": {"axis": "x", "stiffness": 200, "damping": 5}},
      "body": {"rigid": {"mass": 5, "inertia": [0.1, 0.1, 0.1], "center": [0, 0, 0]}}},
      "rotor": {"joint": {"revolute": {"axis": "y", "angle": "$angle"}}, "body": {"rigid": {"length": 0.05, "mass": 0.1, "center": [0.05, 0, 0]}}}}}},
    "solver": {$solver}})J",
      {{"angle", angle}, {"solver", solver}}));
  std::vector<std::string> out;
  for (const std::string& w : runToEnd(sim).warnings) {
    if (w.find("is driven by") != std::string::npos) out.push_back(w);
  }
  return out;
}

// Half a turn and more a step, as 50 turns a second at the default dt: the rotor seemed to shake nothing, in silence.
TEST(DrivenTurns, ThatStepsDoNotFollowAreToldOnce) {
  for (const char* integrator : {"generalized-alpha", "implicit-midpoint", "implicit-euler", "bdf2"}) {
    const auto words = whirled("=2*pi*50*t", std::string(R"J("duration": 0.2, "integrator": ")J") + integrator + "\"");
    ASSERT_EQ(words.size(), 1u) << integrator;
    EXPECT_NE(words[0].find("joint \"a/rotor\" is driven by 3.14 rad within a step of 0.01 s"), std::string::npos)
        << words[0];
    EXPECT_NE(words[0].find("a \"dt\" of 0.0016 s"), std::string::npos) << words[0];
  }
  EXPECT_EQ(whirled("=2*pi*50*t", R"J("duration": 0.05, "dt": 1.5e-3)J").size(), 0u);
  EXPECT_EQ(whirled("=2*pi*5*t", R"J("duration": 0.2)J").size(), 0u);
}

}  // namespace driven_turns_test
}  // namespace tendril::links
