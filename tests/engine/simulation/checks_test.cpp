// Checks: their four kinds of time, interpolation between steps, runs of their own, what a failing one reports.
#include <gtest/gtest.h>

#include "engine/simulation/run_scene.h"

namespace tendril {
namespace checks_test {

using test::filled;

// A rod on rails moving at x = v t (v = 1), sampled every 0.1 s.
const char* const rail = R"J({"format": "tendril/1",
"parameters": {"v": 1},
"materials": {"rubber": {"youngs": 1e6, "poisson": 0.4, "density": 1000}},
"rods": {"rod": {"section": {"circle": {"radius": 0.01}}, "segments": 1,
                 "path": {"line": {"from": [0, 0, 0], "to": [0.1, 0, 0]}}}},
"constraints": [{"move": "rod", "displacement": ["=v*t", "=t^2", 0]}],
"solver": {"dt": 0.1, "duration": 1},
"probes": {"p": {"position": "rod:0"}, "double": {"formula": "2*p.x"}},
"checks": [$checks]})J";

std::vector<CheckResult> results(const std::string& checks, const std::map<std::string, double>& overrides = {}) {
  Simulation sim(filled(rail, {{"checks", checks}}), overrides);
  test::runToEnd(sim);
  return sim.checks();
}

CheckResult only(const std::string& check) {
  const auto list = results(check);
  if (list.size() != 1) throw std::runtime_error("not one result");
  return list[0];
}

// Between two steps a rotation goes on, whichever of the numbers that tell it jump: a bar spins freely at 3 rad/s.
TEST(Checks, BetweenStepsRotationsGoTheShorterWay) {
  Simulation sim(R"J({"format": "tendril/1", "linkages": {"a": {"links": {"top": {"joint": {"spherical": {}},
      "body": {"rigid": {"length": 0.2, "section": {"circle": {"radius": 0.01}}, "density": 1000}}}}}},
    "initial": [{"of": "a/top", "angleRate": [0, 0, 3]}], "environment": {"gravity": [0, 0, 0]}, "solver": {"dt": 0.05, "duration": 3},
    "probes": {"q": {"jointAngle": "a/top"}, "p": {"pose": "a:tip"}},
    "checks": [{"expect": "abs(q.q2 - 3.09) < 1e-3", "at": 1.03}, {"expect": "abs(q.q2 - (3.12 - 2*pi)) < 1e-3 || abs(q.q2 - 3.12) < 1e-3", "at": 1.04},
               {"expect": "abs(p.qw^2 + p.qx^2 + p.qy^2 + p.qz^2 - 1) < 1e-12", "at": 1.04}, {"expect": "abs(abs(p.qz) - sin(1.545)) < 1e-3", "at": 1.03},
               {"expect": "abs(abs(p.qz) - abs(sin(0.5*3*2.11))) < 1e-3", "at": 2.11}]})J");
  test::runToEnd(sim);
  for (const CheckResult& c : sim.checks()) EXPECT_TRUE(c.passed) << c.at;
}

TEST(Checks, AtTheEnd) {
  EXPECT_TRUE(only(R"({"expect": "abs(p.x - 1) < 1e-12"})").passed);
  const CheckResult failed = only(R"({"title": "short", "expect": "p.x < double - 1.5", "points": 3})");
  EXPECT_FALSE(failed.passed);
  EXPECT_EQ(failed.title, "short");
  EXPECT_EQ(failed.points, 3);
  EXPECT_EQ(failed.at, 1);
  ASSERT_EQ(failed.values.size(), 2u);
  EXPECT_NEAR(failed.values.at("p.x"), 1, 1e-12);
  EXPECT_NEAR(failed.values.at("double"), 2, 1e-12);
}

TEST(Checks, AtATimeBetweenStepsColumnsAreInterpolatedLinearly) {
  const CheckResult r =
      only(R"({"at": 0.25, "expect": "abs(p.y - 0.065) < 1e-12 && abs(p.x - 0.25) < 1e-12 && abs(t - 0.25) < 1e-12"})");
  EXPECT_TRUE(r.passed) << r.values.at("p.y");  // between 0.04 and 0.09, not 0.0625
  EXPECT_EQ(r.at, 0.25);
}

TEST(Checks, AtATimeOfAStepItIsThatStep) {
  EXPECT_TRUE(only(R"({"at": 0.3, "expect": "abs(p.y - 0.09) < 1e-12"})").passed);
  EXPECT_TRUE(only(R"({"at": "=0.1*3", "expect": "abs(p.y - 0.09) < 1e-12"})").passed);
  EXPECT_TRUE(only(R"({"at": 0, "expect": "p.x == 0"})").passed);
}

TEST(Checks, AlwaysFailsAtTheFirstBreach) {
  EXPECT_TRUE(only(R"({"at": "always", "expect": "p.x < 1.0001"})").passed);
  const CheckResult r = only(R"({"at": "always", "expect": "p.x < 0.45"})");
  EXPECT_FALSE(r.passed);
  EXPECT_NEAR(r.at, 0.5, 1e-12);
  EXPECT_FALSE(only(R"({"at": "always", "expect": "t > 0"})").passed);  // t = 0 counts
}

TEST(Checks, EverPassesAtTheFirstTime) {
  const CheckResult r = only(R"({"at": "ever", "expect": "p.x > 0.45"})");
  EXPECT_TRUE(r.passed);
  EXPECT_NEAR(r.at, 0.5, 1e-12);
  EXPECT_FALSE(only(R"({"at": "ever", "expect": "p.x > 1.5"})").passed);
}

TEST(Checks, DuringLimitsThem) {
  EXPECT_TRUE(only(R"({"at": "always", "during": [0.5, 0.8], "expect": "p.x > 0.49 && p.x < 0.81"})").passed);
  EXPECT_FALSE(only(R"({"at": "ever", "during": [0.2, 0.6], "expect": "p.x > 0.65"})").passed);
  EXPECT_TRUE(only(R"({"at": "ever", "during": [0.2, 0.7], "expect": "p.x > 0.65"})").passed);
  // Between two steps: what holds there is what the steps on both sides say.
  EXPECT_FALSE(only(R"({"at": "always", "during": [0.51, 0.53], "expect": "0"})").passed);
  EXPECT_TRUE(only(R"({"at": "always", "during": [0.51, 0.53], "expect": "p.x > 0.505 && p.x < 0.535"})").passed);
  EXPECT_FALSE(only(R"({"at": "always", "during": [0.51, 0.53], "expect": "p.x > 0.505 && p.x < 0.525"})").passed);
  EXPECT_TRUE(only(R"({"at": "ever", "during": [0.51, 0.53], "expect": "p.x > 0.525"})").passed);
}

TEST(Checks, ThoseWithParametersOfTheirOwnBelongToARunOfTheirOwn) {
  const std::string checks =
      R"({"title": "a", "expect": "p.x < 1.5"}, {"title": "b", "with": {"v": 2}, "expect": "p.x > 1.5"},
    {"title": "c", "with": {"v": 2}, "expect": "p.x > 1.9"})";
  Simulation sim(filled(rail, {{"checks", checks}}));
  const auto runs = sim.checkRuns();
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_TRUE(runs[0].with.empty());
  EXPECT_EQ(runs[1].with.at("v"), 2);
  EXPECT_EQ(runs[1].indices, (std::vector<int>{1, 2}));
  const auto main = results(checks), own = results(checks, runs[1].with);
  ASSERT_EQ(main.size(), 1u);
  EXPECT_EQ(main[0].title, "a");
  ASSERT_EQ(own.size(), 3u) << "a check without parameters of its own belongs to every run";
  EXPECT_FALSE(own[0].passed);
  EXPECT_TRUE(own[1].passed && own[2].passed);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(own[static_cast<std::size_t>(i)].index, i);
}

TEST(Checks, OutputNeverChangesTheRun) {
  const auto times = [](const std::string& checks) {
    Simulation sim(filled(rail, {{"checks", checks}}));
    std::vector<double> out;
    while (!sim.finished()) {
      sim.step();
      out.push_back(sim.time());
    }
    return out;
  };
  EXPECT_EQ(times(R"({"at": 0.25, "expect": "1"})"), times(""));
}

}  // namespace checks_test
}  // namespace tendril
