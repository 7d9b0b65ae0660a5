// Shells whose thickness and material change from place to place, and tables of the natural angles of hinges.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "engine/simulation/run_scene.h"

namespace tendril::rods_shells {
namespace shell_values_test {

using test::column;
using test::digits;
using test::filled;
using test::runToEnd;
using test::vectorColumn;

/// A strip of 0.2 m by 0.04 m along x, clamped at x = 0.
std::string strip(const std::string& keys, const std::string& material, const std::string& more,
                  const std::string& solver, double edge = 0.01) {
  return filled(R"({"format": "tendril/1", "materials": {"m": {$material}}, "parameters": {"k": 1},
    "shells": {"s": {$keys, "mesh": {"rectangle": {"corner": [0, 0, 0], "along": [0.2, 0, 0], "across": [0, 0.04, 0], "edge": $edge}}}},
    "constraints": [{"clamp": {"of": "s", "where": "x < 1e-6"}}], $more
    "probes": {"tip": {"position": {"of": "s", "where": "x > 0.2 - 1e-6"}}, "e": {"energy": "total"}},
    "solver": {$solver}})",
                {{"keys", keys}, {"material", material}, {"more", more}, {"solver", solver}, {"edge", digits(edge)}});
}

const std::string weight = R"("environment": {"gravity": [0, 0, -9.81]},)";
const std::string dynamic = R"("dt": 2e-3, "duration": 0.05)";
const std::string rubber = R"("youngs": 1e7, "poisson": 0.3, "density": 1200, "damping": 5e3)";

const std::vector<std::string> models = {"", R"(, "bending": "hinge")", R"(, "membrane": "springs", "border": 1.7)"};

std::vector<double> endOf(const std::string& text) {
  Simulation sim(text);
  runToEnd(sim);
  return test::allNodes(sim);
}

// To the last bit, in every model.
TEST(ShellValues, AConstantFieldIsAConstant) {
  for (const std::string& model : models) {
    const auto plain = endOf(strip(R"("thickness": 2e-3)" + model, rubber, weight, dynamic));
    const auto fields =
        endOf(strip(R"("thickness": "=2e-3+0*x")" + model,
                    R"("youngs": "=1e7+0*y", "poisson": "=0.3+0*x", "density": "=1200+0*z", "damping": "=5e3+0*i")",
                    weight, dynamic));
    EXPECT_EQ(plain, fields) << model;
    EXPECT_NE(plain, endOf(strip(R"("thickness": "=2e-3+1e-3*x")" + model, rubber, weight, dynamic))) << model;
  }
}

// What acts on a strip of two halves under a force at its end: w = F/3 (L^3 - l^3)/B1 + F l^3/3/B2, with l the length
// of the outer half and B the bending stiffness of the halves; nu = 0, so that a plate is a beam.
TEST(ShellValues, AStripOfTwoHalvesBendsAsABeamOfTwo) {
  const double E = 1e7, b = 0.04, L = 0.2, l = 0.1, F = 1e-5;
  struct Case {
    const char *thickness, *youngs;
    double inner, outer;  // E h^3 / 12
  };
  for (const Case& c : {Case{"=2e-3*(1-0.5*(x>0.1))", "1e7", E * 8e-9 / 12, E * 1e-9 / 12},
                        Case{"2e-3", "\"=1e7*(1+3*(x>0.1))\"", E * 8e-9 / 12, 4 * E * 8e-9 / 12}}) {
    const std::string h = c.thickness[0] == '=' ? "\"" + std::string(c.thickness) + "\"" : c.thickness;
    for (const std::string& model : {std::string(), models[2]}) {
      Simulation sim(strip(
          "\"thickness\": " + h + model, std::string(R"("poisson": 0, "density": 1000, "youngs": )") + c.youngs,
          filled(R"("loads": [{"force": [0, 0, $f], "at": {"of": "s", "where": "x > 0.2 - 1e-6"}, "share": true}],)",
                 {{"f", digits(F)}}),
          R"("mode": "static", "tolerance": 1e-10)", 0.005));
      runToEnd(sim);
      const double w = F * (L * L * L - l * l * l) / (3 * b * c.inner) + F * l * l * l / (3 * b * c.outer);
      EXPECT_NEAR(vectorColumn(sim, "tip").z(), w, 0.01 * w) << c.thickness << model;
    }
  }
}

// The kinetic energy of a uniform motion: half the mass times its square, with the integral of rho h for the mass,
// which the middles of triangles give exactly where it is linear.
TEST(ShellValues, MassesSum) {
  const auto energyOf = [](const std::string& thickness, const std::string& density) {
    std::string text = strip("\"thickness\": " + thickness, R"("youngs": 1e7, "poisson": 0.3, "density": )" + density,
                             R"("initial": [{"of": "s", "velocity": [0, 0, 3]}],)", dynamic);
    const std::size_t from = text.find("\"constraints\""), to = text.find("\"initial\"");
    Simulation sim(text.erase(from, to - from));
    return column(sim, "e");
  };
  const double area = 0.2 * 0.04;
  EXPECT_NEAR(energyOf(R"J("=1e-3*(1+5*x)")J", "1000"), 4.5 * 1.5 * area, 1e-14);
  EXPECT_NEAR(energyOf("1e-3", R"J("=1000*(1+10*y+2*x)")J"), 4.5 * 1.4 * area, 1e-14);
}

TEST(ShellValues, AreLive) {
  const std::string keys = R"J("thickness": "=2e-3*(1+k*x)")J", more = R"("environment": {"gravity": [0, 0, -9.81]},)";
  Simulation live(strip(keys, rubber, more, R"("mode": "static", "tolerance": 1e-10)"));
  EXPECT_TRUE(live.set("k", 4));
  runToEnd(live);
  Simulation fresh(strip(R"J("thickness": "=2e-3*(1+4*x)")J", rubber, more, R"("mode": "static", "tolerance": 1e-10)"));
  runToEnd(fresh);
  EXPECT_EQ(test::allNodes(live), test::allNodes(fresh));
  // A value out of range is refused, with its place.
  Simulation running(strip(keys, rubber, more, dynamic));
  running.step();
  std::string why;
  try {
    running.set("k", -20);
  } catch (const std::exception& wrong) {
    why = wrong.what();
  }
  EXPECT_NE(why.find("of shell \"s\""), std::string::npos) << why;
}

/// Four quads in a row along x with three folds, in order of x, and diagonals.
std::string folded(const std::string& actuation) {
  return strip(R"("thickness": 1e-3, "bending": "hinge")", rubber,
               R"("actuation": [{"shell": "s", )" + actuation + "}],", R"("dt": 5e-3, "duration": 0.1)", 0.04);
}

TEST(HingeTables, AreFormulasOfTimeBetweenTheirRows) {
  const auto formula = endOf(folded(R"("angle": "=0.4*min(t,0.06)/0.06")"));
  const auto table = endOf(folded(R"("table": {"time": [0, 0.06], "angle": [0, 0.4]})"));
  const auto csv = endOf(folded(R"("csv": "time,angle\n0,0\n0.06,0.4")"));
  double most = 0, bent = 0;
  for (std::size_t i = 0; i < table.size(); ++i) {
    most = std::max({most, std::abs(table[i] - formula[i]), std::abs(csv[i] - table[i])});
    bent = std::max(bent, i % 3 == 2 ? std::abs(table[i]) : 0);
  }
  EXPECT_LT(most, 1e-12);
  EXPECT_GT(bent, 1e-3);
}

// One column per hinge, in the order that i counts in.
TEST(HingeTables, HaveAColumnForEachHinge) {
  Simulation sim(folded(R"("angle": "=0.01*i*n")"));
  int n = 0;
  for (int width = 1; width < 60 && n == 0; ++width) {
    std::string row;
    for (int k = 0; k < width; ++k) row += (k ? ", " : "") + digits(0.01 * k * width);
    try {
      Simulation tried(folded(R"("table": {"time": [0], "angle": [[)" + row + "]]}"));
      if (width > 1) n = width;
      if (n == 0) continue;
      runToEnd(sim), runToEnd(tried);
      EXPECT_EQ(test::allNodes(sim), test::allNodes(tried));
      std::string header = "time", values = "0";
      for (int k = 0; k < n; ++k) header += ",angle[" + std::to_string(k) + "]", values += "," + digits(0.01 * k * n);
      EXPECT_EQ(endOf(folded("\"csv\": \"" + header + "\\n" + values + "\"")), test::allNodes(sim));
    } catch (const std::exception& wrong) {
      EXPECT_NE(std::string(wrong.what()).find("(one per hinge)"), std::string::npos) << wrong.what();
    }
  }
  EXPECT_GT(n, 5);
}

TEST(HingeTables, RefuseWhatIsOfRods) {
  const auto why = [](const std::string& actuation) -> std::string {
    try {
      Simulation sim(folded(actuation));
    } catch (const std::exception& wrong) {
      return wrong.what();
    }
    return {};
  };
  EXPECT_NE(why(R"("table": {"time": [0], "twist": [0]})").find("hinges of shells have no \"twist\""),
            std::string::npos);
  EXPECT_NE(why(R"("csv": "time,curvature1\n0,1")").find("unknown column \"curvature1\""), std::string::npos);
  EXPECT_NE(why(R"("angle": 1, "table": {"time": [0], "angle": [0]})").find("exclude each other"), std::string::npos);
}

}  // namespace shell_values_test
}  // namespace tendril::rods_shells
