// What a clamp of several nodes holds between them: it moves nothing, and it stays bent.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "engine/simulation/run_scene.h"

namespace tendril::rods_shells {
namespace clamp_inside_test {

using test::column;
using test::digits;
using test::filled;

const double EI = 1e6 * 3.14159265358979 / 4 * 1.6e-11;

// A tenth of a meter, bent by 10/m from straight.
std::string bentRod(int segments, const std::string& material = "") {
  return R"({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "density": 1100, "poisson": 0.4)" + material +
         R"(}},
    "rods": {"a": {"section": {"circle": {"radius": 0.002}}, "natural": "straight", "segments": )" +
         std::to_string(segments) +
         R"(, "path": {"arc": {"center": [0, 0, 0.1], "from": [0, 0, 0], "axis": [0, -1, 0], "angle": 1}}}},)";
}

TEST(InsideAClamp, TheRodIsAsBentAsItIs) {
  for (const char* nodes : {"0..6", "3..9", "6..12"}) {
    Simulation sim(
        filled(bentRod(12) + R"("constraints": [{"clamp": "a:$nodes"}], "solver": {"mode": "static"}, "probes": {
      "k": {"curvature": ["a:4", "a:8"], "reduce": "max"}, "m": {"moment": ["a:4", "a:8"], "reduce": "max"}, "first": {"curvature": "a:first"},
      "last": {"curvature": "a:last"}, "e": {"energy": "elastic"}, "R": {"reaction": "a"}, "M": {"reactionMoment": "a", "reduce": "sum"}}})",
               {{"nodes", nodes}}));
    test::runToEnd(sim);
    EXPECT_NEAR(column(sim, "k.c1"), 10, 0.01) << nodes;
    EXPECT_NEAR(column(sim, "m.c1"), 10 * EI, 0.01 * EI) << nodes;
    EXPECT_NEAR(column(sim, "e"), 0.5 * EI * 100 * 0.05, 0.002 * 0.5 * EI * 100 * 0.05) << nodes;
    // An end inside has the curvature of its half edge, a free end none.
    EXPECT_NEAR(column(sim, "first.c1"), std::string(nodes) == "0..6" ? 10 : 0, 0.02) << nodes;
    EXPECT_NEAR(column(sim, "last.c1"), std::string(nodes) == "6..12" ? 10 : 0, 0.02) << nodes;
    // What is within itself in balance is no load of the clamp.
    EXPECT_LT(test::vectorColumn(sim, "R").norm(), 1e-9 * EI / 0.01) << nodes;
    EXPECT_LT(test::vectorColumn(sim, "M").norm(), 1e-9 * EI * 10) << nodes;
  }
}

// Two clamps that share nodes store what is between them once.
TEST(InsideAClamp, EnergyCountsOnce) {
  const auto energy = [](const std::string& constraints) {
    Simulation sim(bentRod(12) + R"("constraints": [)" + constraints +
                   R"(], "solver": {"mode": "static"}, "probes": {"e": {"energy": "elastic"}}})");
    test::runToEnd(sim);
    return column(sim, "e");
  };
  const double once = energy(R"({"clamp": "a:2..8"})");
  for (const char* more : {R"({"clamp": "a:5"})", R"({"clamp": "a:2..8"})", R"({"clamp": "a:4..6"})",
                           R"({"clamp": "a:2..3"})", R"({"clamp": "a:8"})"}) {
    EXPECT_NEAR(energy(R"({"clamp": "a:2..8"},)" + std::string(more)), once, 2e-3 * once) << more;
    EXPECT_NEAR(energy(std::string(more) + R"(, {"clamp": "a:2..8"})"), once, 2e-3 * once) << more;
  }
  EXPECT_NEAR(energy(R"({"clamp": "a:2..6"}, {"clamp": "a:4..8"})"), once, 2e-3 * once);
}

// What several clamps of one run hold is held as by one: each node bears the same, under a load at the end.
TEST(InsideAClamp, OverlappingRunsBearWhatOneDoes) {
  const auto moments = [](const std::string& constraints) {
    Simulation sim(bentRod(12) + R"("constraints": [)" + constraints +
                   R"(], "loads": [{"force": [0.003, 0.001, -0.002], "at": "a:last"}],
      "solver": {"mode": "static"}, "probes": {"m2": {"reactionMoment": "a:2"}, "m4": {"reactionMoment": "a:4"}, "m6": {"reactionMoment": "a:6"},
      "m8": {"reactionMoment": "a:8"}, "M": {"reactionMoment": "a", "reduce": "sum"}, "p": {"position": "a:last"}}})");
    test::runToEnd(sim);
    std::vector<Vec3> out;
    for (const char* name : {"m2", "m4", "m6", "m8", "M", "p"}) out.push_back(test::vectorColumn(sim, name));
    return out;
  };
  const std::vector<Vec3> one = moments(R"({"clamp": "a:2..8"})");
  EXPECT_GT(one[3].norm(), 1e-5);
  for (const char* several :
       {R"({"clamp": "a:2..6"}, {"clamp": "a:2..8"})", R"({"clamp": "a:2..8"}, {"clamp": "a:2..6"})",
        R"({"clamp": "a:2..6"}, {"clamp": "a:4..8"})", R"({"clamp": "a:2..8"}, {"clamp": "a:4..6"})"}) {
    const std::vector<Vec3> all = moments(several);
    for (std::size_t i = 0; i < one.size(); ++i)
      EXPECT_LT((all[i] - one[i]).norm(), 1e-6 * one[3].norm()) << several << i;
  }
}

// A rod at rest under load that a clamp takes, holds and lets go has what it had: but for what the mesh leaves at the
// ends.
TEST(InsideAClamp, EnergyOfABentRodStaysWhereItIsCaughtAndLetGo) {
  const auto stirred = [](int segments, const char* integrator) {
    Simulation sim(
        filled(bentRod(segments, R"(, "damping": 100)") +
                   R"("constraints": [{"clamp": "a:first"}, {"clamp": "a:$from..$to", "from": 0.01, "before": "free",
      "until": 0.02, "then": "release"}], "loads": [{"force": [0, 3e-4, 1e-3], "at": "a:last"}], "solver": {"integrator": "$integrator", "dt": 1e-3,
      "duration": 0.03, "start": "equilibrium", "tolerance": 1e-10}, "probes": {"e": {"energy": "elastic"}, "work": {"energy": "work"},
      "made": {"energy": "numerical"}, "lost": {"energy": "dissipated"}}})",
               {{"from", std::to_string(segments / 5)},
                {"to", std::to_string(segments * 3 / 5)},
                {"integrator", integrator}}));
    double largest = 0;
    const double before = (sim.step(), column(sim, "e"));
    while (!sim.finished()) {
      sim.step();
      for (const double change :
           {column(sim, "e") - before, column(sim, "work"), column(sim, "made"), column(sim, "lost")})
        largest = std::max(largest, std::abs(change));
    }
    return largest / before;
  };
  for (const char* integrator : {"implicit-euler", "bdf2", "implicit-midpoint"}) {
    const double coarse = stirred(10, integrator), fine = stirred(40, integrator);
    EXPECT_LT(coarse, 5e-3) << integrator;
    EXPECT_LT(fine, coarse / 8) << integrator;
  }
}

// What it holds moves and turns as one piece: nothing inside does work or is damped.
TEST(InsideAClamp, NothingChangesWhereTheClampTurns) {
  for (const char* integrator : {"implicit-euler", "bdf2", "implicit-midpoint", "verlet", "symplectic-euler"}) {
    const bool slow = std::string(integrator) == "verlet" || std::string(integrator) == "symplectic-euler";
    Simulation sim(
        filled(bentRod(12, R"(, "damping": 100)") +
                   R"J("constraints": [{"clamp": "a", "displacement": [0, "=t^2", 0], "rotation": {"axis": [1, 1, 0],
      "angle": "=30*t^2"}}], "solver": {"integrator": "$integrator", "dt": $dt, "duration": $end}, "probes": {"e": {"energy": "elastic"},
      "b": {"energy": "bend"}, "kinetic": {"energy": "kinetic"}, "work": {"energy": "work"}, "lost": {"energy": "dissipated"}, "k": {"curvature": "a:5"},
      "m": {"moment": "a:first"}}})J",
               {{"integrator", integrator}, {"dt", slow ? "1e-5" : "1e-3"}, {"end", slow ? "0.01" : "0.1"}}));
    const double before = column(sim, "b");
    EXPECT_NEAR(before, 0.5 * EI * 100 * 0.1, 0.003 * before);
    test::runToEnd(sim);
    EXPECT_NEAR(column(sim, "b"), before, 1e-9 * before) << integrator;
    EXPECT_NEAR(column(sim, "k.c1"), 10, 0.01) << integrator;
    EXPECT_NEAR(column(sim, "m.c1"), 10 * EI, 0.02 * EI) << integrator;
    EXPECT_LT(std::abs(column(sim, "lost")), 1e-9 * before) << integrator;
    EXPECT_NEAR(column(sim, "work"), column(sim, "kinetic"), 1e-6 * column(sim, "kinetic")) << integrator;
  }
}

// A clamp within a rod bears what either side does to it: its node shows the mean, as at a weld.
TEST(Clamped, WithinARodTheNodeShowsTheMeanOfBothSides) {
  Simulation sim(
      R"({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "density": 1100}}, "rods": {"a": {"section": {"circle": {"radius": 0.002}},
    "segments": 10, "path": {"line": {"from": [0, 0, 0], "to": [0.1, 0, 0]}}}}, "constraints": [{"clamp": "a:5"}],
    "loads": [{"moment": [0, 1e-6, 0], "at": "a:last"}], "solver": {"mode": "static"}, "probes": {"m": {"moment": "a:5"}, "beside": {"moment": "a:8"}}})");
  test::runToEnd(sim);
  EXPECT_GT(std::abs(column(sim, "beside.c1")) + std::abs(column(sim, "beside.c2")), 0.9e-6);
  EXPECT_NEAR(column(sim, "m.c1"), 0.5 * column(sim, "beside.c1"), 1e-12);
  EXPECT_NEAR(column(sim, "m.c2"), 0.5 * column(sim, "beside.c2"), 1e-12);
}

// What a clamp's half springs held is given up at the release: that is work, by whatever integrator.
TEST(Clamped, WhatItHeldIsWorkWhereItLetsGo) {
  const auto work = [](const char* integrator) {
    Simulation sim(filled(
        bentRod(10) +
            R"("constraints": [{"clamp": "a:first", "until": 0.001, "then": "release"}], "solver": {"integrator": "$integrator",
      "dt": 2e-6, "duration": 0.0012}, "probes": {"work": {"energy": "work"}, "made": {"energy": "numerical"}}})",
        {{"integrator", integrator}}));
    test::runToEnd(sim);
    EXPECT_LT(std::abs(column(sim, "made")), 0.01 * std::abs(column(sim, "work"))) << integrator;
    return column(sim, "work");
  };
  const double exact = work("implicit-midpoint");
  EXPECT_LT(exact, -1e-6);
  for (const char* integrator : {"verlet", "symplectic-euler"})
    EXPECT_NEAR(work(integrator), exact, 1e-3 * -exact) << integrator;
}

}  // namespace clamp_inside_test
}  // namespace tendril::rods_shells
