// Welds where rods go on smoothly: shapes, loads and inertia are those of one rod.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/simulation/run_scene.h"

namespace tendril {
namespace statics_weld_shapes_test {

using test::column;
using test::digits;
using test::filled;

/// Two straight rods of 0.1 m and 0.2 m in one line, n and 2 n edges, welded; clamped at the start.
std::string inLine(int n, const std::string& a, const std::string& b, const std::string& more) {
  return filled(R"({"format": "tendril/1", "materials": {"m": {"youngs": 1e7, "density": 1000}},
    "rods": {"a": {"section": {"circle": {"radius": 0.003}}, "segments": $n, $a "frame": [0, 0, 1], "path": {"line": {"from": [0, 0, 0], "to": [0.1, 0, 0]}}},
             "b": {$b "segments": $m, "frame": [0, 0, 1], "path": {"line": {"from": [0.1, 0, 0], "to": [0.3, 0, 0]}}}},
    "joints": [{"weld": ["a:last", "b:first"]}], "constraints": [{"clamp": "a:first"}], $more})",
                {{"n", std::to_string(n)}, {"m", std::to_string(2 * n)}, {"a", a}, {"b", b}, {"more", more}});
}

const char* const thick = R"("section": {"circle": {"radius": 0.003}},)";

// A circle of curvature 5 over both: natural or actuated, the node of the weld bends with the rest.
TEST(WeldedShapes, ActuationAndNaturalShapesBendTheNodeOfAWeldToo) {
  const std::string probes = R"("probes": {"tip": {"position": "b:last"}}, "solver": {"mode": "static"})";
  const double x = std::sin(5 * 0.3) / 5;
  for (const int n : {5, 10}) {
    const std::string natural = R"("natural": {"curvature": [5, 0]},)";
    Simulation told(inLine(n, natural, thick + natural, probes));
    Simulation actuated(inLine(n, "", thick, R"("actuation": [{"rod": "*", "curvature": [5, 0]}], )" + probes));
    test::runToEnd(told), test::runToEnd(actuated);
    EXPECT_NEAR(column(told, "tip.x"), x, 0.02 * x / (n * n));
    EXPECT_NEAR(column(actuated, "tip.x"), x, 0.02 * x / (n * n));
  }
}

// A shape of the first rod alone ends at the weld.
TEST(WeldedShapes, TheShapeOfOneRodEndsAtTheWeld) {
  double off[2];
  for (int k = 0; k < 2; ++k) {
    Simulation sim(inLine(5 << k, R"("natural": {"curvature": [5, 0]},)", thick,
                          R"("probes": {"tip": {"position": "b:last"}}, "solver": {"mode": "static"})"));
    test::runToEnd(sim);
    off[k] = std::abs(column(sim, "tip.x") - (std::sin(0.5) / 5 + 0.2 * std::cos(0.5)));
  }
  EXPECT_LT(off[0], 1e-3);
  EXPECT_NEAR(off[0] / off[1], 4, 0.4);
}

// A moment at the node between a thick and a thin rod bends what is before it, whichever way the thin one was drawn.
TEST(WeldedShapes, AMomentBetweenUnlikeRodsActsAtTheirNodeOnce) {
  const double M = 1e-4, EI = 1e7 * pi / 4 * std::pow(0.003, 4), slope = M * 0.1 / EI;
  for (const char* at : {R"("a:last")", R"("b:first")", R"(["a:last", "b:first"])"}) {
    Simulation sim(
        inLine(5, "", R"("section": {"circle": {"radius": 0.002}},)",
               filled(R"("loads": [{"moment": [0, 0, 1e-4], "at": $at}], "probes": {"tip": {"position": "b:last"},
                                 "M": {"reactionMoment": "a:first"}}, "solver": {"mode": "static"})",
                      {{"at", at}})));
    test::runToEnd(sim);
    EXPECT_NEAR(column(sim, "tip.y"), slope * (0.05 + 0.2), 1e-4 * slope) << at;
    EXPECT_NEAR(column(sim, "M.z"), -M, 1e-6 * M) << at;
  }
}

// A pin of no weight welded to the middle of a shaft does not change how it twists to and fro.
TEST(WeldedShapes, AFrameAddsNoInertiaAboutTheAxisOfAShaft) {
  const auto turned = [](const std::string& more) {
    Simulation sim(
        filled(R"({"format": "tendril/1", "materials": {"m": {"youngs": 2e9, "poisson": 0.4, "density": 1100}},
      "rods": {"a": {"section": {"circle": {"radius": 0.002}}, "segments": 20, "path": {"line": {"from": [0, 0, 0], "to": [1, 0, 0]}}}$more,
      "constraints": [{"clamp": "a:first"}], "initial": [{"of": "a", "twist": "=0.1*sin(0.5*pi*s) "}],
      "probes": {"K": {"energy": "kinetic"}, "T": {"energy": "twist"}},
      "solver": {"integrator": "implicit-midpoint", "dt": 2e-5, "duration": 0.0008}})",
               {{"more", more}}));
    test::runToEnd(sim);
    return column(sim, "T") / (column(sim, "T") + column(sim, "K"));
  };
  const double alone = turned("}");
  const double pinned = turned(R"(, "pin": {"section": {"circle": {"radius": 0.0001}}, "segments": 2, "path": {"line": {
    "from": [0.5, 0, 0], "to": [0.5, 0.005, 0]}}}}, "joints": [{"weld": ["a:10", "pin:first"]}])");
  EXPECT_NEAR(pinned, alone, 2e-3);
}

}  // namespace statics_weld_shapes_test
}  // namespace tendril
