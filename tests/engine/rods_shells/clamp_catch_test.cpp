// Clamps that catch rods in motion or under load, and clamps that turn: what they hold is what they find.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/simulation/run_scene.h"

namespace tendril::rods_shells {
namespace clamp_catch_test {

using test::column;
using test::digits;
using test::filled;

const char* const integrators[] = {"implicit-euler", "bdf2", "implicit-midpoint", "verlet", "symplectic-euler"};

std::string scene(const std::string& rods, const std::string& rest,
                  const std::string& material = R"("poisson": 0.4, "damping": 500)") {
  const bool moves = rest.find("static") == std::string::npos;
  const std::string balance =
      R"(, "w": {"energy": "work"}, "d": {"energy": "dissipated"}, "made": {"energy": "numerical"})";
  return R"({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "density": 1100, )" + material +
         R"(}}, "rods": {)" + rods + "}, " + rest +
         R"(, "probes": {"tip": {"position": "a:last"}, "e": {"energy": "total"}, "R": {"reaction": "a:last"}, "twist": {"twist": "a:1"})" +
         (moves ? balance : "") + "}}";
}

std::string bar(int segments, const std::string& more = "") {
  return R"("a": {"section": {"circle": {"radius": 0.002}}, "segments": )" + std::to_string(segments) +
         R"(, "path": {"line": {"from": [0, 0, 0], "to": [0.1, 0, 0]}})" + more + "}";
}

std::string solver(const std::string& integrator, double dt, double duration) {
  const bool explicitly = integrator == "verlet" || integrator == "symplectic-euler";
  return R"("solver": {"integrator": ")" + integrator + R"(", "dt": )" + digits(explicitly ? 1e-6 : dt) +
         R"(, "duration": )" + digits(explicitly ? duration / 4 : duration) + "}";
}

TEST(Catch, OfACurvedRodAtRestMovesNothing) {
  const std::string arc = R"("a": {"section": {"circle": {"radius": 0.002}}, "segments": 12,
    "path": {"arc": {"center": [0, 0, 0.1], "from": [0, 0, 0], "axis": [0, -1, 0], "angle": 1}}})";
  const double EI = 1e6 * 3.14159265358979 / 4 * 1.6e-11, energy = EI * 100 * 0.1;
  for (const char* integrator : integrators) {
    for (const char* node : {"first", "5", "last"}) {
      Simulation sim(
          filled(scene(arc, R"("constraints": [{"clamp": "a:$node", "from": 0.004, "before": "free"}], $solver)"),
                 {{"node", node}, {"solver", solver(integrator, 1e-3, 0.02)}}));
      const Progress run = test::runToEnd(sim);
      EXPECT_TRUE(run.warnings.empty()) << integrator << run.warnings[0];
      for (const char* probe : {"w", "d", "made", "e"})
        EXPECT_LT(std::abs(column(sim, probe)), 1e-15 * energy) << integrator << " " << node << " " << probe;
    }
  }
}

// A rod that flies and turns is caught: what it stores and loses then is the same by every integrator, and no damper
// has felt how far the clamp's frame was from it.
TEST(Catch, OfADampedRodInFlightIsNoBlowToItsDampers) {
  for (const char* node : {"5", "last"}) {
    const auto lost = [&](const char* integrator, double dt) {
      Simulation sim(filled(
          scene(bar(10),
                R"J("initial": [{"of": "a", "velocity": [0, 0, "=20*(x-0.05)"]}], "constraints": [{"clamp": "a:$node",
        "from": 0.02, "before": "free"}], "solver": {"integrator": "$integrator", "dt": $dt, "duration": 0.022})J"),
          {{"node", node}, {"integrator", integrator}, {"dt", digits(dt)}}));
      test::runToEnd(sim);
      EXPECT_LT(std::abs(column(sim, "made")), 1e-3 * column(sim, "e")) << integrator << node;
      return column(sim, "d");
    };
    const double exact = lost("implicit-midpoint", 5e-6);
    EXPECT_GT(exact, 1e-8);
    for (const char* integrator : {"bdf2", "verlet", "symplectic-euler"})
      EXPECT_NEAR(lost(integrator, 2e-6), exact, 0.01 * exact) << integrator << node;
  }
}

// Half springs in series take the place of the spring through the node, but for what the mesh leaves: the energy that
// appears falls with the square of the edge's length or faster.
TEST(Catch, OfARodUnderLoadAppearsWithTheMeshAlone) {
  const auto stirred = [](int segments) {
    Simulation sim(
        filled(scene(bar(segments),
                     R"("constraints": [{"clamp": "a:first"}, {"clamp": "a:$middle", "from": 0.01, "before": "free"}],
      "loads": [{"force": [0, 3e-4, 1e-3], "at": "a:last"}], "solver": {"integrator": "implicit-midpoint", "dt": 1e-3, "duration": 0.05,
      "start": "equilibrium", "tolerance": 1e-10})",
                     "\"poisson\": 0.4"),
               {{"middle", std::to_string(segments / 2)}}));
    double largest = 0;
    const double before = (sim.step(), column(sim, "e"));
    while (!sim.finished()) sim.step(), largest = std::max(largest, std::abs(column(sim, "e") - before));
    return largest / before;
  };
  const double coarse = stirred(10), fine = stirred(40);
  EXPECT_LT(coarse, 2e-3);
  EXPECT_LT(fine, coarse / 16);
}

TEST(Catch, OfARodThatHasSpunStoresNoTurns) {
  for (const char* integrator : integrators) {
    for (const double time : {0.5, 1.0, 1.7}) {
      const bool slow = std::string(integrator) == "verlet" || std::string(integrator) == "symplectic-euler";
      Simulation sim(
          filled(scene(bar(6), R"("constraints": [{"turn": "a", "angle": "=$rate*t", "until": $T, "then": "release"},
        {"clamp": "a:first", "from": $T, "before": "free"}], "solver": {"integrator": "$integrator", "dt": $dt, "duration": $end})",
                       "\"poisson\": 0.4"),
                 {{"rate", slow ? "1000" : "10"},
                  {"T", digits(slow ? time / 100 : time)},
                  {"integrator", integrator},
                  {"dt", slow ? "5e-6" : "1e-3"},
                  {"end", digits(slow ? time / 100 + 1e-5 : time + 2e-3)}}));
      test::runToEnd(sim);
      // Without a twist but what the spin's inertia has made since.
      EXPECT_LT(std::abs(column(sim, "twist")), slow ? 200 : 2) << integrator << " " << time;
      EXPECT_LE(column(sim, "e"), column(sim, "w") * (1 + 1e-3)) << integrator << " " << time;
    }
  }
}

// A clamp of several nodes holds the edges between them as it finds them, and lets them go so.
TEST(Catch, OfSeveralNodesKeepsTheSpinOfTheEdgesBetween) {
  for (const char* nodes : {"0..1", "2..4", "0..6"}) {
    Simulation sim(filled(
        scene(
            bar(6),
            R"("initial": [{"of": "a", "spin": 50}], "constraints": [{"clamp": "a:$nodes", "from": 0.1, "before": "free",
      "until": 0.15, "then": "release"}], "solver": {"integrator": "implicit-midpoint", "dt": 1e-3, "duration": 0.2})",
            "\"poisson\": 0.4"),
        {{"nodes", nodes}}));
    const double before = column(sim, "e");
    test::runToEnd(sim);
    EXPECT_LT(column(sim, "e"), before * (1 + 1e-9)) << nodes;
    EXPECT_LT(std::abs(column(sim, "w")), before * (1 + 1e-9)) << nodes;
  }
}

// The half edge beside a clamped node bends once, however many constraints clamp the node.
TEST(Clamped, TwiceIsClampedOnce) {
  const auto tip = [](const std::string& constraints) {
    Simulation sim(scene(
        bar(10) +
            R"(, "b": {"section": {"circle": {"radius": 0.002}}, "segments": 10, "path": {"line": {"from": [0, 0, 0], "to": [0, 0.1, 0]}}})",
        R"("joints": [{"weld": ["a:first", "b:first"]}], "constraints": [)" + constraints +
            R"(], "environment": {"gravity": [0, 0, -0.1]}, "solver": {"mode": "static"})"));
    test::runToEnd(sim);
    return column(sim, "tip.z");
  };
  const double once = tip(R"({"clamp": ["a:first", "b:first"]})");
  EXPECT_LT(once, -1e-5);
  EXPECT_NEAR(tip(R"({"clamp": "a:first"}, {"clamp": "b:first"})"), once, 1e-9 * -once);
  EXPECT_NEAR(tip(R"({"clamp": "a:first"}, {"clamp": "a:first"}, {"clamp": "a:first"})"), once, 1e-9 * -once);
}

TEST(Catch, AtRestDoesNotDependOnTheLoadSteps) {
  for (const char* motion : {R"("displacement": [0, 0, 0.005])", R"("rotation": {"axis": [0, 1, 0], "angle": 0.3})"}) {
    std::vector<double> first;
    for (const int steps : {1, 2, 4, 10}) {
      Simulation sim(filled(
          scene(bar(20),
                R"("constraints": [{"clamp": "a:first"}, {"clamp": "a:last", "from": 0.5, "before": "free", $motion}],
        "solver": {"mode": "static", "loadSteps": $steps})"),
          {{"motion", motion}, {"steps", std::to_string(steps)}}));
      test::runToEnd(sim);
      const std::vector<double> now = {column(sim, "tip.z"), column(sim, "R.x"), column(sim, "R.z")};
      if (first.empty()) first = now;
      for (std::size_t i = 0; i < now.size(); ++i) EXPECT_NEAR(now[i], first[i], 1e-9) << motion << steps;
    }
  }
}

TEST(Turn, OfAClampByAnyAngleInAStepIsFollowed) {
  const std::string twisted =
      R"("constraints": [{"clamp": "a:first", "rotation": {"axis": [1, 0, 0], "angle": "=$angle"}}, {"clamp": "a:last"}],)";
  const double GJ = 1e6 / 2.8 * 3.14159265358979 / 2 * 1.6e-11;
  for (const double angle : {-9.0, -4.0, 2.0, 3.2, 4.0, 7.0}) {
    for (const int steps : {1, 2, 5}) {
      Simulation sim(filled(scene(bar(10), twisted + R"("solver": {"mode": "static", "loadSteps": $steps})"),
                            {{"angle", digits(angle)}, {"steps", std::to_string(steps)}}));
      test::runToEnd(sim);
      EXPECT_NEAR(column(sim, "twist"), -angle / 0.1, 1e-8 * std::abs(angle) / 0.1) << angle << " " << steps;
      EXPECT_NEAR(column(sim, "e"), 0.5 * GJ * angle * angle / 0.1, 1e-6 * GJ * angle * angle) << angle << " " << steps;
    }
    for (const char* integrator : {"implicit-euler", "bdf2", "implicit-midpoint"}) {
      Simulation sim(
          filled(scene(bar(10), twisted + R"("solver": {"integrator": "$integrator", "dt": 0.5, "duration": 1})"),
                 {{"angle", digits(angle) + "*t"}, {"integrator", integrator}}));
      test::runToEnd(sim);
      // The midpoint rule lets ring on what its two steps do not resolve.
      const double rings = std::string(integrator) == "implicit-midpoint" ? 5e-3 : 1e-3;
      EXPECT_NEAR(column(sim, "twist"), -angle / 0.1, rings * std::abs(angle) / 0.1) << integrator << angle;
    }
  }
}

// Every node is moved alike: what bears them is m a.
TEST(Driven, ReactionsBearTheInertiaOfWhatTheyMove) {
  const double mass = 1100 * 3.14159265358979 * 4e-6 * 0.1, k = 300;
  for (const char* integrator : integrators) {
    const bool slow = std::string(integrator) == "verlet" || std::string(integrator) == "symplectic-euler";
    Simulation sim(
        filled(scene(bar(6), R"J("constraints": [{"move": "a", "displacement": [0, 0, "=0.002*(1 - cos($k*t))"]}],
      "solver": {"integrator": "$integrator", "dt": $dt, "duration": 0.012})J"),
               {{"k", digits(k)}, {"integrator", integrator}, {"dt", slow ? "2e-6" : "1e-5"}}));
    test::runToEnd(sim);
    // A twelfth of the mass lumps at the last of six edges.
    EXPECT_NEAR(column(sim, "R.z"), mass / 12 * 0.002 * k * k * std::cos(k * 0.012), 2e-2 * mass / 12 * 0.002 * k * k)
        << integrator;
  }
}

}  // namespace clamp_catch_test
}  // namespace tendril::rods_shells
