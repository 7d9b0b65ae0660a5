// Large rotations in statics: roll-up, follower force, the 45 degree bend and the hanging helix converge to theory.
#include <gtest/gtest.h>

#include "engine/validation/statics_run.h"
#include "geometry/types.h"

namespace tendril::test {
namespace statics_large_test {

TEST(StaticsLarge, RollUpClosesWithOrderTwo) {
  const std::string text = sceneFile("roll-up");
  const double at50 = solve(text, {{"edges", 50}})["gap"], at100 = solve(text, {{"edges", 100}})["gap"];
  const double at200 = solve(text, {{"edges", 200}})["gap"];
  EXPECT_NEAR(at50, 5.2e-3, 5e-5);
  EXPECT_NEAR(at100, 1.3e-3, 2e-5);
  EXPECT_NEAR(at200, 3.3e-4, 5e-6);
  EXPECT_GT(order(at50, at100), 1.95);
  EXPECT_GT(order(at100, at200), 1.95);
}

TEST(StaticsLarge, TwoTurnsRollUpAsWell) {
  // Every edge of the second half turns by more than pi: charts are crossed, the twist stays zero.
  const Outcome out = solve(sceneFile("roll-up"), {{"turns", 2}, {"edges", 200}});
  EXPECT_LT(out["gap"], 3e-3);
  // A hinge that carries M turns by (M l / EI) (1 - (M l / EI)^2 / 3) to that order.
  const double turn = 4 * pi / 200;
  EXPECT_NEAR(out["bend.c1"], 4 * pi * (1 - turn * turn / 3), 1e-5 * 4 * pi);
  EXPECT_LT(std::abs(out["tip.y"]), 1e-9);
}

TEST(StaticsLarge, FollowerForceConvergesToTheElastica) {
  // The table of the inextensible rod; the rod's own stretch stays below 4e-5 of its length.
  struct Row {
    double F, x, z, angle;
  };
  for (const Row& row : {Row{10e3, 58.2697, 71.1296, 1.34103}, Row{30e3, -8.7132, 60.5357, 2.83875},
                         Row{50e3, 2.0436, 44.8115, 3.13894}, Row{130e3, 24.0431, -47.9039, 0.84963}}) {
    const std::string text = replaced(sceneFile("follower-force"), "\"segments\": 400", "\"segments\": 800");
    const Outcome out = solve(text, {{"F", row.F}});
    EXPECT_NEAR(out["tip.x"], row.x, 1e-2) << row.F;
    EXPECT_NEAR(out["tip.z"], row.z, 1e-2) << row.F;
    EXPECT_NEAR(out["angle"], row.angle, 2e-4) << row.F;
  }
}

TEST(StaticsLarge, FollowerForceIsOfOrderTwo) {
  // Against theory with the stretch in, integrated apart.
  double before = 0;
  for (const int edges : {100, 200, 400}) {
    const std::string text =
        replaced(sceneFile("follower-force"), "\"segments\": 400", "\"segments\": " + std::to_string(edges));
    const Outcome out = solve(text, {{"F", 50e3}});
    const double error = std::hypot(out["tip.x"] - 2.0432163, out["tip.z"] - 44.8108164);
    if (before > 0) {
      EXPECT_GT(order(before, error), 1.9) << edges;
    }
    before = error;
  }
  EXPECT_LT(before, 4e-3);
}

TEST(StaticsLarge, BendOfFortyFiveDegreesConvergesToTheRow) {
  const std::string text = replaced(replaced(sceneFile("bend-45"), "\"segments\": 120", "\"segments\": 240"),
                                    "\"segments\": 120", "\"segments\": 240");
  const Outcome low = solve(text, {{"P", 300}}), high = solve(text, {{"P", 600}});
  EXPECT_NEAR(low["tip.x"], 22.245, 1e-3);
  EXPECT_NEAR(low["tip.y"], 58.780, 1e-3);
  EXPECT_NEAR(low["tip.z"], 40.189, 1e-3);
  EXPECT_NEAR(high["tip.x"], 15.685, 1e-3);
  EXPECT_NEAR(high["tip.y"], 47.152, 1e-3);
  EXPECT_NEAR(high["tip.z"], 53.472, 1e-3);
  EXPECT_NEAR(low["squareTip.x"] - 40, 22.113, 1e-3);
  EXPECT_NEAR(low["squareTip.y"], 58.537, 1e-3);
  EXPECT_NEAR(low["squareTip.z"], 40.478, 1e-3);
  EXPECT_NEAR(high["squareTip.x"] - 40, 15.558, 1e-3);
  EXPECT_NEAR(high["squareTip.y"], 46.894, 1e-3);
  EXPECT_NEAR(high["squareTip.z"], 53.604, 1e-3);
}

TEST(StaticsLarge, HangingHelixConvergesWithOrderTwo) {
  const std::string text = sceneFile("hanging-helix");
  double before = 0;
  for (const int edges : {100, 200, 400}) {
    const Outcome out = solve(text, {{"edges", static_cast<double>(edges)}});
    const double error = Vec3(out["tip.x"] + 0.0019087, out["tip.y"] + 0.0152064, out["tip.z"] + 0.1987121).norm();
    if (before > 0) {
      EXPECT_GT(order(before, error), 1.9) << edges;
    }
    before = error;
  }
  EXPECT_LT(before, 2e-5);
}

TEST(StaticsLarge, HelixOfTheOtherHandIsTheMirrorImage) {
  const std::string text = sceneFile("hanging-helix");
  const Outcome left = solve(text), right = solve(replaced(text, "\"pitch\": -0.05", "\"pitch\": 0.05"));
  EXPECT_NEAR(left["tip.x"], right["tip.x"], 1e-9);
  EXPECT_NEAR(left["tip.y"], -right["tip.y"], 1e-9);
  EXPECT_NEAR(left["tip.z"], right["tip.z"], 1e-9);
  EXPECT_GT(std::abs(left["tip.y"]), 0.01);
}

}  // namespace statics_large_test
}  // namespace tendril::test
