// Flat shells at rest against plate and beam theory and published benchmarks, on all five patterns of meshes, and the
// order in which mid-edge bending with Saint Venant-Kirchhoff membranes converges.
#include <gtest/gtest.h>

#include "engine/validation/shell_run.h"

namespace tendril::test {
namespace shell_statics_test {

// A plate of 0.1 x 0.02 m and 1 mm, clamped at x = 0, under its own weight; edges of `edge`.
double cantileverDrop(const std::string& pattern, double edge, double youngs, double poisson,
                      const std::string& bending = "midedge") {
  const Outcome run = solve(filled(R"({"format": "tendril/1",
    "materials": {"m": {"youngs": $E, "poisson": $nu, "density": 1200}},
    "shells": {"plate": {"thickness": 1e-3, "bending": "$bending", "mesh": $mesh}},
    "constraints": [{"clamp": {"of": "plate", "where": "x < 1e-9"}}],
    "environment": {"gravity": [0, 0, -9.8]},
    "solver": {"mode": "static", "loadSteps": 4, "tolerance": 1e-9},
    "probes": {"tip": {"position": {"of": "plate", "where": "x > 0.1 - 1e-9"}}}})",
                                   {{"E", digits(youngs)},
                                    {"nu", digits(poisson)},
                                    {"bending", bending},
                                    {"mesh", rectangleText("[0, -0.01, 0]", 0.1, 0.02, edge, pattern)}}));
  return -run["tip.z"];
}

TEST(ShellStatics, CantileverPlatesWithoutPoissonsRatioAreBeams) {
  struct Case {
    double youngs, drop;
  };
  for (const Case& c :
       {Case{2e10, 8.8199945e-5}, Case{2e9, 8.8194512e-4}, Case{2e8, 8.7657105e-3}, Case{2e7, 6.0387800e-2}}) {
    for (const std::string& pattern : meshPatterns()) {
      EXPECT_NEAR(cantileverDrop(pattern, 5e-3, c.youngs, 0) / c.drop, 1, 5e-3) << pattern << ", E = " << c.youngs;
    }
  }
}

TEST(ShellStatics, CantileverPlatesWithPoissonsRatioAgreeOnFiveMeshes) {
  // Beam theory with E, and with E / (1 - nu^2) for a plate that may not curl.
  const double beam = 8.8194512e-4, wide = 0.75 * beam;
  // The clamp stops the curl at once: the corner makes the order 1.5.
  const double coarse = cantileverDrop("equilateral", 2.5e-3, 2e9, 0.5),
               fine = cantileverDrop("equilateral", 1.25e-3, 2e9, 0.5);
  const double limit = extrapolated(coarse, fine, 1.5);
  EXPECT_NEAR(limit, 8.216e-4, 2e-7);
  EXPECT_GT(limit, wide);
  EXPECT_LT(limit, beam);
  for (const std::string& pattern : meshPatterns()) {
    EXPECT_NEAR(cantileverDrop(pattern, 2.5e-3, 2e9, 0.5) / limit, 1, 2e-2) << pattern;
  }
}

TEST(ShellStatics, HingesErrAsTheLatticePredicts) {
  // A strip of equilateral hinges that may curl sags about a tenth more than a beam; its rows of triangles come and go
  // with the mesh. Grids with diagonals are too soft by more than a fifth, and refining does not help.
  const double beam = 8.8194512e-4;
  const double rows = cantileverDrop("equilateral", 2.5e-3 / 3, 2e9, 0.5, "hinge") / beam;
  const double aligned = cantileverDrop("equilateral-aligned", 2.5e-3 / 3, 2e9, 0.5, "hinge") / beam;
  EXPECT_NEAR(rows, 1.10, 0.05);
  EXPECT_NEAR(aligned, 1.10, 0.05);
  for (double edge : {5e-3, 2.5e-3, 1.25e-3}) {
    const double grid = cantileverDrop("right-isosceles", edge, 2e9, 0.5, "hinge") / beam;
    EXPECT_GT(grid, 1.2) << edge;
    EXPECT_LT(grid, 1.26) << edge;
  }
}

// Sze, Liu and Lo (2004), cantilever under end shear: (-U, W) of the tip.
std::array<double, 2> endShear(const std::string& pattern, double edge, double P) {
  std::string text = sceneFile("end-shear");
  text = replaced(text, "\"edge\": 0.25", "\"edge\": " + digits(edge));
  text = replaced(text, "\"pattern\": \"equilateral\"", "\"pattern\": \"" + pattern + "\"");
  const Outcome run = solve(text, {{"P", P}});
  EXPECT_TRUE(run.warnings.empty()) << run.warnings.front();
  return {run["back"], run["up"]};
}

TEST(ShellStatics, EndShearFollowsThePublishedTable) {
  const double table[][3] = {{0.2, 0.026, 0.663}, {0.4, 0.103, 1.309}, {1, 0.563, 3.015}, {1.6, 1.184, 4.292},
                             {2, 1.604, 4.933},   {2.8, 2.370, 5.855}, {4, 3.286, 6.698}};
  for (const auto& row : table) {
    const auto tip = endShear("equilateral", 0.25, row[0]);
    EXPECT_NEAR(tip[0], row[1], 1e-2 * row[1] + 5e-4) << "P = " << row[0];
    EXPECT_NEAR(tip[1], row[2], 1e-2 * row[2]) << "P = " << row[0];
  }
  for (const std::string& pattern : meshPatterns()) {
    const auto tip = endShear(pattern, 0.25, 4);
    EXPECT_NEAR(tip[0], 3.286, 1e-2 * 3.286) << pattern;
    EXPECT_NEAR(tip[1], 6.698, 1e-2 * 6.698) << pattern;
  }
}

// Center of a simply supported square plate over q a^4 / D.
double plateCoefficient(const std::string& pattern, int cells) {
  const double a = 0.1, D = 2e11 * 1e-9 / (12 * (1 - 0.09));
  const std::string mesh = rectangleText("[0, 0, 0]", a, a, a / cells, pattern);
  const Outcome run = solve(filled(R"({"format": "tendril/1",
    "materials": {"steel": {"youngs": 2e11, "poisson": 0.3, "density": 7750}},
    "shells": {"plate": {"thickness": 1e-3, "mesh": $mesh}},
    "constraints": [{"fix": {"of": "plate", "where": "min(x, y) < 1e-9 || max(x, y) > 0.1 - 1e-9"}}],
    "loads": [{"pressure": -1, "on": "plate"}], "solver": {"mode": "static"},
    "probes": {"center": {"position": "plate@[0.05, 0.05, 0]"}}})",
                                   {{"mesh", mesh}}));
  return -run["center.z"] * D / (a * a * a * a);
}

TEST(ShellStatics, SimplySupportedSquarePlateIsNaviers) {
  for (const std::string& pattern : meshPatterns()) {
    // The grid's diagonals begin at 1.1 % with 20 cells a side.
    EXPECT_NEAR(plateCoefficient(pattern, 32) / 0.00406, 1, 1e-2) << pattern;
  }
}

TEST(ShellStatics, MidEdgeShellsConvergeWithSecondOrder) {
  // Regular family: a grid with diagonals; every error against theory, or three meshes against each other.
  const double beam = 8.8194512e-4;
  double error[3];
  for (int k = 0; k < 3; ++k) error[k] = cantileverDrop("right-isosceles", 1e-2 / (1 << k), 2e9, 0) / beam - 1;
  EXPECT_GT(order(error[0], error[1]), 1.9);
  EXPECT_GT(order(error[1], error[2]), 1.9);
  // Equilateral rows: their number over the width is rounded, the order is not as clean.
  for (int k = 0; k < 3; ++k) error[k] = cantileverDrop("equilateral", 1e-2 / (1 << k), 2e9, 0) / beam - 1;
  EXPECT_GT(order(error[0], error[1]), 1.5);
  EXPECT_GT(order(error[1], error[2]), 1.5);
  // Navier's series with all its digits.
  for (int k = 0; k < 3; ++k) error[k] = plateCoefficient("right-isosceles", 10 << k) / 0.00406235 - 1;
  EXPECT_GT(order(error[0], error[1]), 1.9);
  EXPECT_GT(order(error[1], error[2]), 1.9);
  // Large turns: the end-sheared strip at P = 4.
  double up[3];
  for (int k = 0; k < 3; ++k) up[k] = endShear("right-isosceles", 0.5 / (1 << k), 4)[1];
  EXPECT_GT(order(std::abs(up[0] - up[1]), std::abs(up[1] - up[2])), 1.5);
  // Its limit is the elastica, which cannot stretch: the strip's strains are of the order 1e-4.
  EXPECT_NEAR(extrapolated(up[1], up[2], 2) / 6.69964, 1, 2e-4);
}

}  // namespace shell_statics_test
}  // namespace tendril::test
