// What hostile use showed: supports that catch and let go under midpoint, damaged saves, NaN in conditions, honest
// counts.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "formula/number.h"
#include "tendril/simulation.h"

namespace tendril {
namespace robustness_test {

std::string arm(const std::string& extra, const std::string& solver) {
  return R"({"format": "tendril/1", "materials": {"m": {"youngs": 1e7, "poisson": 0.5, "density": 1200}},
    "rods": {"arm": {"section": {"circle": {"radius": 1e-3}}, "segments": 20,
                     "path": {"line": {"from": [0,0,0], "to": [0.1,0,0]}}}},
    "environment": {"gravity": [0,0,-9.81]},
    "probes": {"tip": {"position": "arm:last"}, "energy": {"energy": "total"}, "v": {"speed": "arm:10"}},
    "solver": )" +
         solver + extra + "}";
}

TEST(Robustness, MidpointGainsNothingFromASupportThatCatchesAndLetsGo) {
  Simulation simulation(arm(R"(, "constraints": [{"clamp": "arm:first"},
      {"fix": "arm:10", "from": 0.05, "until": 0.15, "before": "free", "then": "release"}])",
                            R"({"integrator": "implicit-midpoint", "dt": 1e-3, "duration": 0.4})"));
  simulation.advance(0.1);
  EXPECT_EQ(simulation.values()[4], 0) << "a held node is at rest";
  const double caught = simulation.values()[3];
  while (!simulation.finished()) {
    simulation.step();
    // The swings exchange about 3e-5 J; midpoint keeps their sum to a few per cent at this step.
    EXPECT_LT(simulation.values()[3], caught + 1e-6) << "at t = " << simulation.time();
  }
}

TEST(Robustness, ADamagedSaveIsRefusedAndChangesNothing) {
  Simulation simulation(arm(R"(, "constraints": [{"clamp": "arm:first"}])", R"({"dt": 1e-2, "duration": 1})"));
  simulation.advance(0.1);
  const std::vector<std::byte> whole = simulation.save();
  for (std::size_t at = 0; at < whole.size(); at += whole.size() / 97 + 1) {
    std::vector<std::byte> bytes = whole;
    bytes[at] ^= std::byte{0x10};
    EXPECT_THROW(simulation.restore(bytes), std::runtime_error) << at;
  }
  EXPECT_THROW(simulation.restore(std::span(whole).first(whole.size() - 1)), std::runtime_error);
  EXPECT_THROW(simulation.restore({}), std::runtime_error);
  EXPECT_EQ(simulation.save(), whole);
  simulation.restore(whole);
  EXPECT_EQ(simulation.save(), whole);
}

TEST(Robustness, WhatIsNoPointPlaceOrTimeIsRefusedAndChangesNothing) {
  Simulation simulation(arm(R"(, "constraints": [{"clamp": "arm:first"}])", R"({"dt": 1e-2, "duration": 1})"));
  simulation.advance(0.1);
  const std::vector<std::byte> before = simulation.save();
  const double nan = std::nan(""), infinite = std::numeric_limits<double>::infinity();
  for (const int point : {-1, 21, std::numeric_limits<int>::min(), std::numeric_limits<int>::max()})
    EXPECT_THROW(simulation.grab(point, 0, 0, 0), std::invalid_argument) << point;
  for (const double wrong : {nan, infinite, -infinite}) {
    EXPECT_THROW(simulation.grab(20, wrong, 0, 0), std::invalid_argument);
    EXPECT_THROW(simulation.grab(20, 0, wrong, 0), std::invalid_argument);
    EXPECT_THROW(simulation.grab(20, 0, 0, wrong), std::invalid_argument);
    EXPECT_THROW(simulation.setDuration(wrong), std::invalid_argument);
  }
  EXPECT_THROW(simulation.advance(nan), std::invalid_argument);
  EXPECT_EQ(simulation.save(), before);
  EXPECT_EQ(simulation.duration(), 1);
  simulation.grab(20, 0.1, 0, 0);
}

TEST(Robustness, NaNInAConditionIsReportedNotDecided) {
  for (const char* formula :
       {"=sqrt(0.05 - t) > -1", "=sqrt(0.05 - t) > -1 ? 1 : 0", "=!(sqrt(0.05 - t) > 2)", "=1 && sqrt(0.05 - t)"}) {
    Simulation simulation(
        arm(std::string(R"(, "constraints": [{"clamp": "arm:first"}], "loads": [{"force": [0, 0, ")") + formula +
                R"("], "at": "arm:last"}])",
            R"({"dt": 1e-2, "duration": 0.2})"));
    try {
      simulation.advance(1);
      ADD_FAILURE() << formula;
    } catch (const GaveUp& gaveUp) {
      EXPECT_NE(std::string(gaveUp.what()).find("sqrt(0.05 - t)"), std::string::npos) << gaveUp.what();
      EXPECT_NE(std::string(gaveUp.what()).find("t = 0.06"), std::string::npos) << gaveUp.what();
    }
  }
}

TEST(Robustness, ASupportThatJumpsIsNamedAndItsCutsAreCounted) {
  Simulation simulation(arm(R"(, "constraints": [{"clamp": "arm:first"},
      {"move": "arm:last", "displacement": [0, 0, "=step(t - 0.05)*kick"], "from": 0.05, "before": "free"}],
      "parameters": {"kick": 0.1})",
                            R"({"dt": 1e-2, "duration": 0.2})"));
  try {
    simulation.advance(1);
    ADD_FAILURE() << "a jump of the arm's own length was taken";
  } catch (const GaveUp& gaveUp) {
    EXPECT_NE(std::string(gaveUp.what()).find("a support moves by 0.1"), std::string::npos) << gaveUp.what();
    EXPECT_GT(gaveUp.retries, 10);
  }
  EXPECT_NEAR(simulation.time(), 0.05, 1e-6);
}

}  // namespace robustness_test
}  // namespace tendril
