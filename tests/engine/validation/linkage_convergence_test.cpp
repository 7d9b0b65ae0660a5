// The follower beam as a linkage against the exact elastica: how its error falls with the order of the basis, and with
// the steps of Magnus methods of order 2, 4 and 6.
#include "engine/validation/linkage_cases.h"
#include "engine/validation/statics_run.h"

namespace tendril {
namespace linkage_convergence_test {

using namespace test;

// Inextensible, 50 kN and 130 kN: integrated from the free tip to nine digits.
constexpr double x50 = 2.043583546, z50 = 44.81152622, x130 = 24.0431005, z130 = -47.90387232;

Outcome beam(double force, int order, int points, int magnus, int substeps, const char* basis = "legendre") {
  const std::string text =
      replaced(sceneFile("follower-force-linkage"), "\"magnus\": \"=magnus\"",
               "\"magnus\": \"=magnus\", \"substeps\": " + std::to_string(substeps) + ", \"basis\": \"" + basis + "\"");
  return test::solve(text, {{"F", force},
                            {"order", static_cast<double>(order)},
                            {"points", static_cast<double>(points)},
                            {"magnus", static_cast<double>(magnus)}});
}
double error50(const Outcome& out) { return std::hypot(out["tip.x"] - x50, out["tip.z"] - z50); }
double error130(const Outcome& out) { return std::hypot(out["tip.x"] - x130, out["tip.z"] - z130); }

TEST(LinkageConvergence, ErrorFallsExponentiallyWithTheOrderOfTheBasis) {
  double before = 1e3;
  for (const int order : {4, 6, 8, 10, 12}) {
    const double error = error130(beam(130e3, order, 20, 6, 1));
    EXPECT_LT(error, 0.35 * before) << order;  // two orders more: at least three times less
    before = error;
  }
  EXPECT_LT(before, 5e-4);
  EXPECT_LT(error130(beam(130e3, 16, 30, 6, 1)), 1e-5);  // 1e-7 of the length
}

// Chebyshev and monomial functions span the same space as Legendre's: the same state.
TEST(LinkageConvergence, PolynomialBasesOfOneOrderGiveOneState) {
  const Outcome legendre = beam(50e3, 6, 10, 4, 1), chebyshev = beam(50e3, 6, 10, 4, 1, "chebyshev"),
                monomial = beam(50e3, 6, 10, 4, 1, "monomial");
  for (const char* column : {"tip.x", "tip.z"}) {
    EXPECT_NEAR(legendre[column], chebyshev[column], 1e-6) << column;
    EXPECT_NEAR(legendre[column], monomial[column], 1e-6) << column;
  }
}

// Bases that are local converge too, algebraically: elements halve, and neither points nor steps run over their ends.
TEST(LinkageConvergence, ElementsHaveTheirOrder) {
  double linear[3], cubic[3];
  for (int k = 0; k < 3; ++k) {
    linear[k] = error50(beam(50e3, 4 << k, 12 << k, 6, 1, "fem"));
    cubic[k] = error50(beam(50e3, (4 << k) + 1, 10 << k, 6, 1, "hermite"));
  }
  EXPECT_GT(order(linear[0], linear[2]) / 2, 1.9);
  EXPECT_GT(order(cubic[0], cubic[2]) / 2, 3.8);
  EXPECT_LT(linear[2], 1e-3);  // 16 elements: 1e-5 of the length
  EXPECT_LT(cubic[2], 1e-5);
}

// The steps between the same points, halved: against steps so short that their error has gone.
TEST(LinkageConvergence, StepsOfMagnusHaveTheirOrder) {
  const Outcome limit = beam(50e3, 10, 11, 6, 8);
  const auto error = [&](int magnus, int substeps) {
    const Outcome out = beam(50e3, 10, 11, magnus, substeps);
    return std::hypot(out["tip.x"] - limit["tip.x"], out["tip.z"] - limit["tip.z"]);
  };
  EXPECT_NEAR(order(error(2, 1), error(2, 2)), 2, 0.3);
  EXPECT_NEAR(order(error(2, 2), error(2, 4)), 2, 0.1);
  EXPECT_NEAR(order(error(4, 1), error(4, 2)), 4, 0.5);
  EXPECT_NEAR(order(error(4, 2), error(4, 4)), 4, 0.2);
  EXPECT_NEAR(order(error(6, 1), error(6, 2)), 6, 0.6);
}

}  // namespace linkage_convergence_test
}  // namespace tendril
