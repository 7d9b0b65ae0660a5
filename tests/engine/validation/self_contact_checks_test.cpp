// What the checks of the self-contact scenes are worth: with contact between bodies switched off, only those that do
// not speak of it may pass.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "engine/simulation/run_scene.h"
#include "engine/validation/statics_run.h"

namespace tendril::test {
namespace self_contact_checks_test {

// Titles of the checks that pass without contact between bodies. The checks of a run that gives up have failed.
std::set<std::string> passedWithout(const std::string& scene) {
  const std::string text = replaced(sceneFile(scene), "\"self\": true", "\"self\": false");
  std::set<std::string> passed;
  for (const Simulation::CheckRun& run : Simulation(text).checkRuns()) {
    Simulation sim(text, run.with);
    try {
      runToEnd(sim);
    } catch (const GaveUp&) {
      continue;
    }
    for (const CheckResult& check : sim.checks()) {
      const bool own = std::find(run.indices.begin(), run.indices.end(), check.index) != run.indices.end();
      if (own && check.passed) passed.insert(check.title);
    }
  }
  return passed;
}

using Titles = std::set<std::string>;

TEST(SelfContactChecks, OfThePileFailWithoutContact) {
  EXPECT_EQ(passedWithout("rod-pile"), (Titles{"all stay in the box", "they come to rest"}));
}

TEST(SelfContactChecks, OfTheEntanglementFailWithoutContact) {
  EXPECT_EQ(passedWithout("entanglement"),
            (Titles{"the tips rise as they do with other seeds: at 5 s", "and at 10 s"}));
}

TEST(SelfContactChecks, OfThePlectonemeFailWithoutContact) {
  EXPECT_EQ(
      passedWithout("plectoneme"),
      (Titles{"2 % below the critical moment it is still straight: M = GJ times its twist", "2 % above it buckles"}));
}

TEST(SelfContactChecks, OfTheKnotFailWithoutContact) { EXPECT_EQ(passedWithout("overhand-knot"), Titles{}); }

}  // namespace self_contact_checks_test
}  // namespace tendril::test
