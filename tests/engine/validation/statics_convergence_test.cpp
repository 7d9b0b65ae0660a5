// Cantilevers with exact clamps against the elastica: order 2 in the edge length and the theory's own digits.
#include <gtest/gtest.h>

#include <array>

#include "engine/validation/statics_run.h"

namespace tendril::test {
namespace statics_convergence_test {

struct TipRow {
  double load, x, drop;
};

// Distance of the tip from theory on 20, 40 ... 640 edges: order 2 at the finest pair of meshes whose errors stand well
// above the last digit (`unit`) of theory, and below `last` on 160 edges.
void expectOrderTwo(const std::string& kind, const TipRow& row, double unit, double last) {
  std::array<double, 6> error{};
  for (int i = 0; i < 6; ++i) {
    const std::string load = std::to_string(-row.load);
    const std::string rest = R"("constraints": [{"clamp": "rod:first"}], )" +
                             (kind == "weight" ? R"("environment": {"gravity": [0, 0, )" + load + "]}"
                                               : R"("loads": [{"force": [0, 0, )" + load + R"(], "at": "rod:last"}])");
    const Outcome out = solve(cantileverText(20 << i, rest));
    error[i] = std::hypot(out["tip.x"] - row.x, out["tip.z"] + row.drop);
  }
  int finest = 1;
  while (finest < 5 && error[finest + 1] > 30 * unit) ++finest;
  EXPECT_GT(order(error[finest - 1], error[finest]), 1.9) << kind << " " << row.load << ", edges " << (20 << finest);
  EXPECT_LT(error[3], last) << kind << " " << row.load;
}

TEST(StaticsConvergence, HeavyElasticaIsOfOrderTwoInTheEdgeLength) {
  expectOrderTwo("weight", {1, 0.9912464, 0.1234714}, 1e-7, 1e-5);
  expectOrderTwo("weight", {5, 0.8466572, 0.4959050}, 1e-7, 3e-5);
  expectOrderTwo("weight", {10, 0.6563538, 0.7001997}, 1e-7, 3e-5);
  expectOrderTwo("weight", {100, 0.1592234, 0.9375239}, 1e-7, 1e-4);
}

TEST(StaticsConvergence, DeadTipLoadIsOfOrderTwoInTheEdgeLength) {
  expectOrderTwo("tip", {0.5, 0.984081, 0.162144}, 1e-6, 6e-6);
  expectOrderTwo("tip", {1, 0.943567, 0.301721}, 1e-6, 1e-5);
  expectOrderTwo("tip", {2, 0.839358, 0.493457}, 1e-6, 1e-5);
  expectOrderTwo("tip", {4, 0.671059, 0.669964}, 1e-6, 2e-5);
  expectOrderTwo("tip", {10, 0.445004, 0.810609}, 1e-6, 4e-5);
}

TEST(StaticsConvergence, SlenderRodsTakeFewIterationsALoadStep) {
  // EA L^2 / EI = 1e8: where descent alone is accepted, Newton creeps for 20 to 80 iterations a load step.
  const Outcome out = solve(cantileverText(100, R"("constraints": [{"clamp": "rod:first"}],
    "loads": [{"force": [0, 0, -10], "at": "rod:last"}])"));
  EXPECT_LT(out.iterations, 20 * 10);
  EXPECT_TRUE(out.warnings.empty());
}

TEST(StaticsConvergence, RoundCantileverMeetsTheFourStiffnesses) {
  struct Row {
    double E, drop;
  };
  for (const Row& row : {Row{2e10, 2.94000e-5}, Row{2e9, 2.93998e-4}, Row{2e8, 2.937970e-3}, Row{2e7, 2.7585466e-2}}) {
    const std::string text = replaced(sceneFile("cantilever"), "\"segments\": 100", "\"segments\": 200");
    EXPECT_NEAR(solve(text, {{"E", row.E}})["drop"], row.drop, 4e-5 * row.drop) << row.E;
  }
}

TEST(StaticsConvergence, TheSoftestRoundCantileverIsOfOrderTwoWithItsStretch) {
  // The table's rod does not stretch; with EA in, the same boundary-value problem gives this drop, 1.4e-5 of it more.
  const double drop = 2.7585840124e-2;
  double before = 0;
  for (const int edges : {50, 100, 200, 400}) {
    const std::string text =
        replaced(sceneFile("cantilever"), "\"segments\": 100", "\"segments\": " + std::to_string(edges));
    const double error = std::abs(solve(text, {{"E", 2e7}})["drop"] - drop);
    if (before > 0) {
      EXPECT_GT(order(before, error), 1.95) << edges;
    }
    before = error;
  }
}

TEST(StaticsConvergence, TheClampOfThePapersIsOfOrderOneOnly) {
  // Two fixed nodes and an edge without twist: the rod bends from the middle of its first edge on.
  std::array<double, 3> error{};
  for (int i = 0; i < 3; ++i) {
    const Outcome out = solve(cantileverText(25 << i, R"("constraints": [{"fix": "rod:0..1"}, {"fixTwist": "rod:0"}],
      "environment": {"gravity": [0, 0, -1]})"));
    error[i] = std::abs(-out["tip.z"] - 0.1234714);
  }
  EXPECT_GT(error[0] / 0.1234714, 0.05);
  EXPECT_NEAR(order(error[0], error[1]), 1, 0.1);
  EXPECT_NEAR(order(error[1], error[2]), 1, 0.1);
}

}  // namespace statics_convergence_test
}  // namespace tendril::test
