// Undamped motion on which nothing acts: with the midpoint rule the energy stays, at steps that do not resolve it too.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/simulation/run_scene.h"

namespace tendril {
namespace energy_kept_test {

using test::column;
using test::digits;
using test::filled;

struct Kept {
  double worst = 0;      // largest departure of the energy from its start, of the peak
  double exchanged = 0;  // largest share of the peak that was kinetic
  double lost = 0;       // largest share of the peak that was not
  long retries = 0;
};

Kept energyOf(const std::string& text) {
  Simulation sim(text);
  Kept out;
  const double start = column(sim, "E");
  double peak = std::abs(start), kinetic = 0, elastic = 0;
  while (!sim.finished()) {
    out.retries += sim.step().retries;
    out.worst = std::max(out.worst, std::abs(column(sim, "E") - start));
    kinetic = std::max(kinetic, column(sim, "K"));
    elastic = std::max(elastic, column(sim, "E") - column(sim, "K"));
  }
  peak = std::max({peak, kinetic, elastic});
  out.worst /= peak, out.exchanged = kinetic / peak, out.lost = elastic / peak;
  return out;
}

void expectKept(const std::string& body, double dt, double duration) {
  SCOPED_TRACE(body + " at " + digits(dt));
  const Kept kept = energyOf(R"({"format": "tendril/1", )" + body +
                             filled(R"(, "probes": {"E": {"energy": "total"}, "K": {"energy": "kinetic"}}, "solver": {
                             "integrator": "implicit-midpoint", "dt": $dt, "duration": $T, "tolerance": 1e-10}})",
                                    {{"dt", digits(dt)}, {"T", digits(duration)}}));
  EXPECT_LT(kept.worst, 1e-6);
  EXPECT_EQ(kept.retries, 0);
  EXPECT_GT(kept.exchanged, 0.1) << "it should move";
  EXPECT_GT(kept.lost, 0.01) << "it should strain";
}

// A bent rod that is let go, clamped: the plain midpoint rule gains 127 times its energy in a second at 2 ms.
TEST(EnergyKept, OfAClampedRodThatSpringsBack) {
  const std::string arm = R"("materials": {"m": {"youngs": 1e7, "density": 1200}}, "rods": {"arm": {
    "section": {"circle": {"radius": 0.003}}, "segments": 20, "natural": "straight",
    "path": {"arc": {"center": [0, 0, 0.1], "from": [0, 0, 0], "axis": [0, -1, 0], "angle": 2.0}}}},
    "constraints": [{"clamp": "arm:first"}])";
  for (const double dt : {1e-3, 2e-3, 5e-3}) expectKept(arm, dt, 1);
}

TEST(EnergyKept, OfAFreeRodThatTwistsAndBendsInSpace) {
  const std::string rod = R"("materials": {"m": {"youngs": 2e6, "poisson": 0.4, "density": 1000}}, "rods": {"r": {
    "section": {"rectangle": {"width": 0.02, "height": 0.01}}, "segments": 16,
    "natural": {"curvature": [3, -4], "twist": 6}, "path": {"line": {"from": [0, 0, 0], "to": [0.4, 0.1, 0]}}}},
    "initial": [{"of": "r", "velocity": ["=y", "=3*u", "=2*u*u-z"]}])";
  for (const double dt : {1e-3, 4e-3}) expectKept(rod, dt, 2);
}

TEST(EnergyKept, OfShellsOfEveryKindClampedAndFree) {
  for (const char* const model : {R"("bending": "hinge")", R"("bending": "hinge", "membrane": "stvk")",
                                  R"("bending": "midedge")", R"("bending": "midedge", "membrane": "springs")"}) {
    for (const bool clamped : {true, false}) {
      expectKept(std::string(R"("materials": {"m": {"youngs": 1e7, "density": 1200, "poisson": 0.3}}, "shells": {"a": {
        "thickness": 0.002, )") +
                     model + R"(, "mesh": {"rectangle": {"corner": [0, 0, 0], "along": [0.2, 0, 0],
        "across": [0, 0.04, 0], "edge": 0.02}}}}, "initial": [{"of": "a", "velocity": [0, "=20*x*y", "=200*x*x"]}])" +
                     (clamped ? R"(, "constraints": [{"clamp": {"of": "a", "where": "x<1e-9"}}])" : ""),
                 2e-3, 0.5);
    }
  }
}

// A thick soft rod, kinked in its middle: its bending crushes its edges to a twentieth of their length, over and over.
// The plain midpoint rule takes 1.2 kJ to 80 GJ.
TEST(EnergyKept, OfAKinkedRodThatCrushesItsEdges) {
  const Kept kept =
      energyOf(R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e4, "poisson": 0.5, "density": 5000}},
    "rods": {"b": {"section": {"circle": {"radius": 0.25}}, "segments": 60, "natural": "straight", "path": {"curve": {
      "x": "=3*u*cos(pi/4)", "y": "=0", "z": "=u<0.5?3*u*sin(pi/4):3*(1-u)*sin(pi/4)"}}}},
    "probes": {"E": {"energy": "total"}, "K": {"energy": "kinetic"}},
    "solver": {"integrator": "implicit-midpoint", "dt": 0.005, "duration": 15, "tolerance": 1e-10}})J");
  EXPECT_LT(kept.worst, 1e-6);
  EXPECT_GT(kept.exchanged, 0.3);
  EXPECT_LT(kept.retries, 10);
}

// A sheet with springs along its edges that is pressed together so fast that edges become shorter than a tenth of their
// length, where they resist without bound, in every scheme and in every reading of energy.
std::string pressedSheet(double speed) {
  const std::string v = digits(speed);
  return R"("materials": {"m": {"youngs": 1e5, "poisson": 0.3, "density": 1000}},
    "shells": {"s": {"thickness": 0.01, "bending": "hinge",
      "mesh": {"points": [[0, 0, 0], [0.1, 0, 0], [0.1, 0.1, 0], [0, 0.1, 0]], "triangles": [[0, 1, 2], [0, 2, 3]]}}},
    "constraints": [{"planar": "xy"}], "environment": {"gravity": [0, 0, 0]},
    "initial": [{"of": {"of": "s", "where": "x > 0.05"}, "velocity": [-)" +
         v + R"(, 0, 0]}, {"of": {"of": "s", "where": "x < 0.05"}, "velocity": [)" + v + ", 0, 0]}]";
}

TEST(EnergyKept, OfASheetThatIsCrushed) { expectKept(pressedSheet(12), 1e-5, 5e-3); }

TEST(EnergyKept, ASheetThatIsCrushedResistsInEverySchemeAndIsNamed) {
  for (const char* integrator : {"implicit-euler", "implicit-midpoint", "bdf2", "verlet"}) {
    Simulation sim(R"({"format": "tendril/1", )" + pressedSheet(12) +
                   R"(, "probes": {"a": {"position": "s:0"}, "b": {"position": "s:1"}}, "solver": {"integrator": ")" +
                   integrator + R"(", "dt": 1e-5, "duration": 5e-3}})");
    double shortest = 1;
    bool named = false;
    while (!sim.finished()) {
      for (const std::string& warning : sim.step().warnings)
        named = named || warning.find("shell \"s\" is crushed") != std::string::npos;
      shortest = std::min(shortest, (test::vectorColumn(sim, "b") - test::vectorColumn(sim, "a")).norm());
    }
    EXPECT_GT(shortest, 1e-3) << integrator;
    EXPECT_LT(shortest, 0.01) << integrator;
    EXPECT_TRUE(named) << integrator;
  }
}

}  // namespace energy_kept_test
}  // namespace tendril
