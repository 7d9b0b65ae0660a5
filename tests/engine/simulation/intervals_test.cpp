// from, until, before and then of constraints and loads; which of two constraints wins.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/simulation/run_scene.h"

namespace tendril {
namespace intervals_test {

using test::column;
using test::filled;

// A free chain of two edges without gravity unless asked; node 2 is watched.
const char* const chain = R"J({"format": "tendril/1",
"materials": {"rubber": {"youngs": 1e6, "poisson": 0.4, "density": 1000}},
"rods": {"rod": {"section": {"circle": {"radius": 0.01}}, "segments": 2,
                 "path": {"line": {"from": [0, 0, 1], "to": [0.2, 0, 1]}}}},
"constraints": [$constraints], "loads": [$loads],
"environment": {"gravity": [0, 0, $gravity]},
"solver": {"dt": 0.01, "duration": 1},
"probes": {"a": {"position": "rod:0"}, "b": {"position": "rod:2"}, "v": {"velocity": "rod:2"},
           "pull": {"reaction": "rod:*", "reduce": "sum"}, "twist": {"twist": "rod"}}})J";

Simulation scene(const std::string& constraints, const std::string& loads = "", const std::string& gravity = "0") {
  std::string text = filled(chain, {{"constraints", constraints}, {"loads", loads}, {"gravity", gravity}});
  const auto star = text.find("rod:*");
  text.replace(star, 5, "rod");
  return Simulation(text);
}

const char* const all = R"("fix": "rod")";

// Each switch of a load costs multi-step schemes one step of the first order: a spinning rod by BDF2, with and without
// fifty taps of 1e-12 N, which are switched a hundred times.
TEST(Interval, ASwitchCostsOneStepOfTheFirstOrder) {
  const auto energyOf = [](int taps, double dt) {
    std::string loads;
    for (int i = 0; i < taps; ++i) {
      loads += std::string(i ? ", " : "") + R"({"force": [0, 1e-12, 0], "at": "rod:2", "from": )" +
               test::digits(0.02 * i) + R"(, "until": )" + test::digits(0.02 * i + 0.01) + "}";
    }
    Simulation sim(
        filled(R"J({"format": "tendril/1", "materials": {"rubber": {"youngs": 1e6, "poisson": 0.4, "density": 1000}},
      "rods": {"rod": {"section": {"circle": {"radius": 0.01}}, "segments": 2, "path": {"line": {"from": [0, 0, 1], "to": [0.2, 0, 1]}}}},
      "constraints": [{"fix": "rod:0"}], "loads": [$loads], "initial": [{"of": "rod", "velocity": [0, 0, "=4*x"]}],
      "environment": {"gravity": [0, 0, 0]}, "solver": {"integrator": "bdf2", "dt": $dt, "duration": 1}, "probes": {"E": {"energy": "total"}}})J",
               {{"loads", loads}, {"dt", test::digits(dt)}}));
    test::runToEnd(sim);
    return column(sim, "E");
  };
  const double without = energyOf(0, 1e-3), taps = energyOf(50, 1e-3), none = energyOf(0, 2.5e-4);
  // A hundred of a thousand steps are of the first order and take 0.5 %; it was 1.1 % where a switch cost three.
  EXPECT_NEAR(without, none, 0.001 * none);
  EXPECT_GT(taps, (1 - 0.0075) * none);
}

TEST(Interval, AConstraintHoldsItsPlaceBeforeItBegins) {
  Simulation sim = scene(std::string("{") + all + R"(, "from": 0.5})", "", "-9.81");
  test::runToEnd(sim);
  EXPECT_EQ(column(sim, "b.z"), 1);
}

TEST(Interval, BeforeFreeLetsItFallAndThenCatchesIt) {
  Simulation sim = scene(std::string("{") + all + R"(, "from": 0.5, "before": "free"})", "", "-9.81");
  sim.advance(0.5);
  const double caught = column(sim, "b.z");
  // Implicit Euler falls g t (t + dt) / 2.
  EXPECT_NEAR(caught, 1 - 9.81 * 0.5 * 0.51 / 2, 1e-9);
  test::runToEnd(sim);
  EXPECT_NEAR(column(sim, "b.z"), caught, 1e-12);
}

TEST(Interval, ThenReleaseLetsGoAndHoldDoesNot) {
  Simulation held = scene(std::string("{") + all + R"(, "until": 0.4})", "", "-9.81");
  test::runToEnd(held);
  EXPECT_EQ(column(held, "b.z"), 1);
  Simulation released = scene(std::string("{") + all + R"(, "until": 0.4, "then": "release"})", "", "-9.81");
  released.advance(0.4);
  EXPECT_EQ(column(released, "b.z"), 1);
  test::runToEnd(released);
  EXPECT_NEAR(column(released, "b.z"), 1 - 9.81 * 0.6 * 0.61 / 2, 1e-9);
}

TEST(Interval, ADrivenNodeHoldsWhereItsIntervalEnds) {
  Simulation sim = scene(R"({"move": "rod", "displacement": [0, 0, "=2*t"], "until": 0.3})");
  sim.advance(0.3);
  EXPECT_NEAR(column(sim, "b.z"), 1.6, 1e-12);
  test::runToEnd(sim);
  EXPECT_NEAR(column(sim, "b.z"), 1.6, 1e-12);
}

TEST(Interval, AVelocityIsIntegratedWithinItsInterval) {
  Simulation sim = scene(R"({"move": "rod", "velocity": [0, 0, "=6*t"], "from": 0.2, "until": 0.6})");
  test::runToEnd(sim);
  EXPECT_NEAR(column(sim, "b.z"), 1 + 3 * (0.36 - 0.04), 1e-9);
}

TEST(Interval, ALoadActsInItsIntervalOnly) {
  // Total mass 1000 pi 1e-4 0.2 kg; 10 N/kg from 0.2 to 0.5 s.
  const double mass = 1000 * std::acos(-1.0) * 1e-4 * 0.2;
  Simulation sim = scene("", R"({"force": [0, 0, )" + test::digits(10 * mass) +
                                 R"(], "at": "rod", "share": true, "from": 0.2, "until": 0.5})");
  sim.advance(0.2);
  EXPECT_NEAR(column(sim, "v.z"), 0, 1e-15);
  test::runToEnd(sim);
  EXPECT_NEAR(column(sim, "v.z"), 10 * 0.3, 1e-9);  // thirty steps, whatever the integrator's place in them
}

TEST(Interval, LoadsThatMeetNeitherOverlapNorLeaveAGap) {
  const double mass = 1000 * std::acos(-1.0) * 1e-4 * 0.2;
  const std::string force = R"("force": [0, 0, )" + test::digits(10 * mass) + R"(], "at": "rod", "share": true)";
  Simulation whole = scene("", "{" + force + "}");
  Simulation parts = scene("", "{" + force + R"(, "until": 0.37}, {)" + force + R"(, "from": 0.37, "until": 0.71}, {)" +
                                   force + R"(, "from": 0.71})");
  test::runToEnd(whole);
  test::runToEnd(parts);
  EXPECT_NEAR(column(parts, "v.z"), column(whole, "v.z"), 1e-12);
  EXPECT_NEAR(column(whole, "v.z"), 10, 1e-9);
}

TEST(Interval, TheLaterOfTwoPrescriptionsWins) {
  const std::string up = R"({"move": "rod:2", "displacement": [0, 0, "=t"]})",
                    down = R"({"move": "rod:2", "displacement": [0, 0, "=-t"]})";
  Simulation sim = scene(up + ", " + down);
  EXPECT_FALSE(sim.sceneWarnings().empty());
  test::runToEnd(sim);
  EXPECT_NEAR(column(sim, "b.z"), 0, 1e-12);
  Simulation other = scene(down + ", " + up);
  test::runToEnd(other);
  EXPECT_NEAR(column(other, "b.z"), 2, 1e-12);
}

TEST(Interval, AfterAReleaseTheEarlierPrescriptionActsAgain) {
  Simulation sim = scene(
      R"({"move": "rod:2", "displacement": [0, 0, "=0.1*t"]}, {"fix": "rod:2", "until": 0.5, "then": "release"})");
  sim.advance(0.5);
  EXPECT_NEAR(column(sim, "b.z"), 1, 1e-12);
  test::runToEnd(sim);
  EXPECT_NEAR(column(sim, "b.z"), 1.1, 1e-12);
}

TEST(Interval, FixedAxesLeaveTheOthersFree) {
  Simulation sim = scene(R"({"fix": "rod", "axes": "xz"})", R"({"line": [0, 1, 1], "on": "rod"})");
  test::runToEnd(sim);
  EXPECT_EQ(column(sim, "b.z"), 1);
  EXPECT_GT(column(sim, "b.y"), 0.5);
  EXPECT_NEAR(column(sim, "pull.z"), -0.2, 1e-9);  // 1 N/m over 0.2 m, carried by the supports
  EXPECT_NEAR(column(sim, "pull.y"), 0, 1e-9);
}

}  // namespace intervals_test
}  // namespace tendril
