// Trajectories that other programs computed, with their clamp (two fixed nodes and a fixed edge) and their time step:
// cantilevers a1, a2 and helix b1 within 1e-3 of the amplitude over two periods, the contortion at every step.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "engine/reference_files.h"
#include "engine/simulation/run_scene.h"
#include "geometry/types.h"

namespace tendril {
namespace dynamics_reference_test {

using test::digits;
using test::filled;
using test::vectorColumn;

struct Row {
  double t;
  Vec3 x;
};

// Rows t, x, y, z after a header.
std::vector<Row> reference(const std::string& name) {
  std::ifstream file = test::referenceFile(name);
  std::vector<Row> rows;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream in(line);
    Row row;
    in >> row.t >> row.x[0] >> row.x[1] >> row.x[2];
    rows.push_back(row);
  }
  return rows;
}

// Largest distance of the probe "tip" from the rows up to `until`; counts the rows met.
double worstDistance(Simulation& sim, const std::vector<Row>& rows, double until, int& met) {
  double worst = 0;
  met = 0;
  for (const Row& row : rows) {
    if (row.t > until) break;
    while (sim.time() < row.t - 1e-6 * sim.stepSize()) sim.step();
    if (std::abs(sim.time() - row.t) > 1e-4 * sim.stepSize()) continue;
    worst = std::max(worst, (vectorColumn(sim, "tip") - row.x).norm());
    ++met;
  }
  return worst;
}

const char* const cantilever = R"J({"format": "tendril/1",
"parameters": {"b": 1.87510406871196, "ratio": "=(cosh(b) + cos(b))/(sinh(b) + sin(b))"},
"materials": {"rubber": {"youngs": $E, "poisson": 0.5, "density": 500}},
"rods": {"arm": {"section": {"circle": {"radius": 0.02}}, "segments": 200,
                 "path": {"line": {"from": [0, 0, 0], "to": [1, 0, 0]}}}},
"constraints": [{"fix": "arm:0..1"}, {"fixTwist": "arm:0"}, {"planar": "xz"}],
"initial": [{"of": "arm:2..200", "velocity": [0, 0, "=2.5e-3*(cosh(b*u) - cos(b*u) - ratio*(sinh(b*u) - sin(b*u)))"]}],
"solver": {"integrator": "implicit-midpoint", "dt": $dt, "duration": 30},
"probes": {"tip": {"position": "arm:last"}}})J";

TEST(DynamicsReference, CantileverWithThePapersClampFollowsTheirProgram) {
  struct Case {
    const char *file, *youngs;
    double dt, period, amplitude, tolerance;
  };
  const Case cases[] = {{"dismech-rods/cantilever_a1_dt0.5.csv", "1e5", 0.5, 12.6, 0.0100555, 1e-3},
                        {"dismech-rods/cantilever_a1_dt0.05.csv", "1e5", 0.05, 12.6, 0.0100555, 1e-3},
                        {"dismech-rods/cantilever_a2_dt0.05.csv", "1e7", 0.05, 1.26, 0.00100555, 1e-3},
                        {"dismech-rods/cantilever_a2_dt0.01.csv", "1e7", 0.01, 1.26, 0.00100555, 1e-3}};
  for (const Case& c : cases) {
    const auto rows = reference(c.file);
    Simulation sim(filled(cantilever, {{"E", c.youngs}, {"dt", digits(c.dt)}}));
    int met = 0;
    const double worst = worstDistance(sim, rows, 2 * c.period, met);
    EXPECT_GE(met, 10) << c.file;
    EXPECT_LT(worst, c.tolerance * c.amplitude) << c.file;
  }
}

// Their mesh of 106 nodes: a lead-in of 25 mm, four edges of 4 mm, and the helix.
std::string helixPoints() {
  std::string out = "[0, 0, 0.025054632806], [0, 0, 0]";
  const auto add = [&](double x, double y, double z) {
    out += ", [" + digits(x) + ", " + digits(y) + ", " + digits(z) + "]";
  };
  for (int k = 1; k <= 4; ++k) add(0, 0.004 * k, 8e-5 * k);
  for (int i = 0; i < 100; ++i) {
    const double z = -0.185 * i / 99, phi = -2 * std::acos(-1.0) * z / 0.05;
    add(0.02 * std::sin(phi), 0.02 * std::cos(phi), z);
  }
  return out;
}

TEST(DynamicsReference, HelixWithThePapersClampFollowsTheirProgramForTwoPeriods) {
  const std::string text = filled(R"J({"format": "tendril/1",
"materials": {"rubber": {"youngs": 1e7, "poisson": 0.5, "density": 1273.52}},
"rods": {"helix": {"section": {"circle": {"radius": 5e-3}}, "path": {"points": [$points]}}},
"constraints": [{"fix": "helix:0..1"}, {"fixTwist": "helix:0"}],
"environment": {"gravity": [0, 0, -9.8]},
"solver": {"integrator": "implicit-midpoint", "dt": $dt, "duration": 10},
"probes": {"tip": {"position": "helix:last"}}})J",
                                  {{"points", helixPoints()}});
  struct Case {
    const char* file;
    double dt, share;
  };
  // Their plain midpoint rule and the one that keeps energy differ by dt^2: 1.6e-5 m at 6 ms, 5e-7 m at 1 ms.
  for (const Case& c : {Case{"dismech-rods/helix_b1_dt6e-3.csv", 6e-3, 1.5e-3},
                        Case{"dismech-rods/helix_b1_dt1e-3_first3s.csv", 1e-3, 1e-4}}) {
    const auto rows = reference(c.file);
    Simulation sim(filled(text, {{"dt", digits(c.dt)}}));
    int met = 0;
    const double worst = worstDistance(sim, rows, 0.43, met);
    EXPECT_GE(met, 10) << c.file;
    EXPECT_LT(worst, c.share * 0.0134) << c.file;
  }
}

// Nodes 0..2 and 18..20 fixed with their edges' twist; the left ones idle for a step, move 1 mm in each of 13 steps and
// then turn 0.02 rad a step.
TEST(DynamicsReference, ContortionFollowsThePythonProgram) {
  const auto rows = reference("dismech-python/contortion_n21_euler.csv");
  Simulation sim(R"J({"format": "tendril/1",
"materials": {"rubber": {"youngs": 2e6, "poisson": 0.5, "density": 1200}},
"rods": {"rod": {"section": {"circle": {"radius": 1e-3}}, "segments": 20,
                 "path": {"line": {"from": [0, 0, 0], "to": [0.1, 0, 0]}}}},
"constraints": [
  {"move": "rod:0..2", "displacement": ["=0.1*clamp(t - 0.01, 0, 0.13)", 0, 0]},
  {"turn": "rod:0..1", "angle": "=2*max(t - 0.14, 0)"},
  {"fix": "rod:18..20"}, {"fixTwist": "rod:18..19"}],
"environment": {"gravity": [0, 0, -9.81]},
"solver": {"dt": 0.01, "duration": 1, "tolerance": 1e-10, "iterations": 400},
"probes": {"tip": {"position": "rod:10"}}})J");
  int met = 0;
  const double worst = worstDistance(sim, rows, 1, met);
  EXPECT_GE(met, 95);
  EXPECT_LT(worst, 5e-6);  // of a sag of 0.02; their loop ends at a looser tolerance
}

}  // namespace dynamics_reference_test
}  // namespace tendril
