// The balance of energy of linkages where what acts changes: masses that are hung on, dampers that follow the time,
// joints that are driven to the end of a run.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "engine/links/linkage_scene.h"

namespace tendril::links {
namespace work_ledger_changes_test {

using namespace test;

// A flying body takes on a mass that moves as fast, and drops it.
double madeByHanging(const std::string& integrator, const std::string& dt) {
  Simulation sim(test::scene(
      R"("p": {"joint": {"free": {}}, "body": {"rigid": {"length": 0.3, "mass": 1, "inertia": [0.01, 0.01, 0.01]}}})",
      R"("dt": )" + dt + R"(, "duration": 1.5, "integrator": ")" + integrator + "\"",
      R"("loads": [{"mass": 1, "at": "a/p@0.5", "from": 0.5, "until": 1}], "environment": {"gravity": [0, 0, -1]},
                          "initial": [{"of": "a/p", "displacementRate": [1, 0, 0], "angleRate": [0, 0, 3]}],
                          "probes": {"W": {"energy": "work"}, "N": {"energy": "numerical"}})"));
  long retries = 0;
  double most = 0;
  while (!sim.finished()) {
    const Progress p = sim.step();
    retries += p.retries, most = std::max(most, column(sim, "W"));
    for (const std::string& w : p.warnings) ADD_FAILURE() << integrator << ": " << w;
  }
  EXPECT_EQ(retries, 0) << integrator;
  // At t = 0.5: kinetic energy of 0.5 (1 + 0.5^2) J, and of the middle's 0.45 m/s sideways.
  EXPECT_GT(most, 0.5) << integrator;
  return std::abs(column(sim, "N"));
}

TEST(EnergyOfChanges, AMassThatIsHungOnBringsItsMotionAlong) {
  for (const char* integrator : {"generalized-alpha", "implicit-midpoint", "bdf2"})
    EXPECT_LT(madeByHanging(integrator, "0.01"), 0.03) << integrator;
  const double fine = madeByHanging("implicit-euler", "0.005");
  EXPECT_LT(fine, 0.03);
  EXPECT_NEAR(madeByHanging("implicit-euler", "0.01") / fine, 2, 0.2) << "it loses by its order";
}

// A damper that follows the time takes what the motion loses.
TEST(EnergyOfChanges, DampersCountAsTheyAreWhereTheMotionIsBalanced) {
  for (const char* joint : {R"("revolute": {"axis": "x", )", R"("spherical": {)"}) {
    const std::string rate = joint[1] == 's' ? R"("angleRate": [10, 0, 0])" : R"("angleRate": 10)";
    for (const char* integrator : {"implicit-midpoint", "generalized-alpha", "bdf2", "verlet"}) {
      const auto numerical = [&](double dt) {
        Simulation sim(test::scene(
            "\"b\": {\"joint\": {" + std::string(joint) +
                R"J("damping": "=0.02*(1 + 0.9*sin(20*t))"}}, "body": {"rigid": {"mass": 1, "length": 0.1,
                               "inertia": [0.01, 0.01, 0.01], "center": [0, 0, 0]}}})J",
            R"("duration": 0.3, "integrator": ")" + std::string(integrator) + R"(", "dt": )" + std::to_string(dt),
            R"("initial": [{"of": "a/b", )" + rate +
                R"(}], "probes": {"N": {"energy": "numerical"}, "D": {"energy": "dissipated"}})"));
        runToEnd(sim);
        EXPECT_GT(column(sim, "D"), 0.2) << integrator;
        return std::abs(column(sim, "N"));
      };
      const double coarse = numerical(0.01), fine = numerical(0.005);
      EXPECT_LT(coarse, 5e-3) << joint << integrator;
      EXPECT_TRUE(coarse > 3 * fine || coarse < 1e-12) << joint << integrator << ": " << coarse << ", " << fine;
    }
  }
}

// A formula without a value beyond the end, or with another one there.
TEST(DrivenJoints, AreAskedNothingBeyondTheRun) {
  for (const char* beyond : {"log(-1)", "100"}) {
    for (const double dt : {0.01, 0.7}) {
      Simulation sim(test::scene(R"("p": {"joint": {"revolute": {"axis": "x", "angle": "=t <= 2 ? t^3 : )" +
                                     std::string(beyond) +
                                     R"("}}, "body": {"rigid": {"length": 1, "mass": 1, "inertia": [2, 1, 1]}}})",
                                 R"("duration": 2, "dt": )" + std::to_string(dt),
                                 R"("probes": {"m": {"jointEffort": "a/p"}, "K": {"energy": "kinetic"}})"));
      runToEnd(sim);
      EXPECT_EQ(sim.time(), 2);
      EXPECT_NEAR(column(sim, "m"), 2 * 6 * 2, 1e-8) << beyond << dt;
      EXPECT_NEAR(column(sim, "K"), 12 * 12, 1e-8) << beyond << dt;
    }
  }
}

}  // namespace work_ledger_changes_test
}  // namespace tendril::links
