// Linkages in flight: what only flies falls by its weight, and what turns within it pushes it nowhere.
#include <gtest/gtest.h>

#include "engine/simulation/run_scene.h"

namespace tendril::links {
namespace flight_test {

using test::column, test::filled, test::runToEnd;

const char* const integrators[] = {"implicit-midpoint", "generalized-alpha", "bdf2", "implicit-euler", "verlet",
                                   "symplectic-euler"};

// A scheme's own round-off is no gain of energy, and no correction acts where links do not move against each other.
TEST(Flight, OfWhatKeepsItsShapeIsThatOfAStone) {
  for (const char* integrator : integrators) {
    for (const char* g : {"0", "-9.81"}) {
      for (const char* joint : {R"("free": {})", R"("planar": {"axis": "y"})"}) {
        for (
            const char* more :
            {"",
             R"(, "tail": {"joint": {"revolute": {"axis": "y", "stiffness": 3}}, "body": {"rigid": {"length": 0.2, "mass": 0.5, "inertia": [1e-3, 2e-3, 2e-3]}}})"}) {
          SCOPED_TRACE(std::string(integrator) + g + joint + more);
          Simulation sim(filled(
              R"({"format": "tendril/1", "linkages": {"a": {"base": {"position": [5, 1, 2]}, "links": {"b": {"joint": {$joint},
            "body": {"rigid": {"length": 0.3, "mass": 1.5, "inertia": [1e-3, 4e-3, 5e-3]}}}$more}}}, "environment": {"gravity": [0, 0, $g]},
            "initial": [{"of": "a/b", "displacementRate": $rate}], "solver": {"integrator": "$integrator", "dt": 5e-3, "duration": 0.5, "tolerance": 1e-12},
            "probes": {"v": {"velocity": "a/b@0.5"}$probe}})",
              {{"joint", joint},
               {"more", more},
               {"probe", *more ? R"(, "w": {"velocity": "a/tail@0.5"})" : ""},
               {"g", g},
               {"integrator", integrator},
               {"rate", joint[1] == 'f' ? "[1.1, 0.7, 0.3]" : "[1.1, 0.3]"}}));
          const auto velocity = [&] {
            const Vec3 first = test::vectorColumn(sim, "v");
            return *more ? Vec3(0.75 * first + 0.25 * test::vectorColumn(sim, "w")) : first;
          };
          const Vec3 start = velocity();
          const Progress all = runToEnd(sim);
          EXPECT_EQ(all.retries, 0);
          EXPECT_TRUE(all.warnings.empty()) << all.warnings.front();
          EXPECT_LT((velocity() - start - Vec3(0, 0, 0.5 * std::stod(g))).norm(), 1e-11);
          // The links stay as they are, to the digits of what the flight has.
          if (*more) {
            EXPECT_LT((test::vectorColumn(sim, "w") - velocity()).norm(), 1e-9);
          }
        }
      }
    }
  }
}

// Loops close within what flies: rates that are put right after a step change no momentum.
// Along the axis of a cylindrical root nothing acts, whatever turns and swings on it.
TEST(Flight, AlongACylindricalRootKeepsItsMomentum) {
  for (const char* integrator : {"implicit-midpoint", "generalized-alpha", "bdf2", "implicit-euler"}) {
    Simulation sim(filled(R"({"format": "tendril/1", "linkages": {"a": {"links": {
      "c": {"joint": {"cylindrical": {"axis": "x"}}, "body": {"rigid": {"length": 0.1, "section": {"circle": {"radius": 0.01}}, "density": 1000}}},
      "r": {"joint": {"revolute": {"axis": "y"}}, "body": {"rigid": {"length": 0.2, "section": {"circle": {"radius": 0.01}}, "density": 1000}}},
      "s": {"joint": {"revolute": {"axis": "z", "stiffness": 0.2}}, "body": {"rigid": {"length": 0.2, "section": {"circle": {"radius": 0.01}}, "density": 1000}}}}}},
      "environment": {"gravity": [0, 0, 0]}, "initial": [{"of": "a/r", "angleRate": 4}, {"of": "a/c", "displacementRate": 1, "angleRate": 3}],
      "solver": {"dt": 0.01, "duration": 0.5, "integrator": "$integrator"},
      "probes": {"vc": {"velocity": "a/c@0.5"}, "vr": {"velocity": "a/r@0.5"}, "vs": {"velocity": "a/s@0.5"}}})",
                          {{"integrator", integrator}}));
    const auto along = [&] {
      return 0.2 * column(sim, "vc.x") + 0.4 * column(sim, "vr.x") + 0.4 * column(sim, "vs.x");
    };
    const double start = along();
    runToEnd(sim);
    EXPECT_NEAR(along(), start, 1e-12) << integrator;
  }
}

TEST(Flight, OfACartPushedByALoopWithinItGoesOn) {
  for (const char* integrator : {"generalized-alpha", "implicit-euler"}) {
    Simulation sim(filled(R"({"format": "tendril/1", "linkages": {"c": {"links": {
      "frame": {"joint": {"prismatic": {"axis": "x"}}, "body": {"rigid": {"length": 0.4, "mass": 0.8, "inertia": [2e-3, 0.01, 0.011]}}},
      "crank": {"parent": "frame@0", "joint": {"revolute": {"axis": "y"}}, "offset": {"rotation": {"axis": [0, 1, 0], "angle": "=-pi/2"}},
        "body": {"rigid": {"length": 0.1, "mass": 0.1, "inertia": [1e-5, 1e-4, 1e-4]}}},
      "coupler": {"joint": {"revolute": {"axis": "y"}}, "offset": {"rotation": {"axis": [0, 1, 0], "angle": "=pi/2"}},
        "body": {"rigid": {"length": 0.4, "mass": 0.3, "inertia": [1e-4, 4e-3, 4e-3]}}},
      "rocker": {"joint": {"revolute": {"axis": "y"}}, "offset": {"rotation": {"axis": [0, 1, 0], "angle": "=pi/2"}},
        "body": {"rigid": {"length": 0.2, "mass": 0.2, "inertia": [1e-4, 1e-3, 1e-3]}}}},
      "loops": [{"from": "frame", "to": "rocker", "joint": {"revolute": {"axis": "y"}}}]}},
      "environment": {"gravity": [0, 0, -9.81]}, "initial": [{"of": "c/crank", "angleRate": 10}],
      "solver": {"integrator": "$integrator", "dt": 5e-3, "duration": 1},
      "probes": {"a": {"velocity": "c/frame@0.5"}, "b": {"velocity": "c/crank@0.5"}, "k": {"velocity": "c/coupler@0.5"}, "r": {"velocity": "c/rocker@0.5"}}})",
                          {{"integrator", integrator}}));
    const auto momentum = [&] {
      return 0.8 * column(sim, "a.x") + 0.1 * column(sim, "b.x") + 0.3 * column(sim, "k.x") + 0.2 * column(sim, "r.x");
    };
    const double start = momentum();
    runToEnd(sim);
    EXPECT_GT(std::abs(start), 0.1);
    EXPECT_NEAR(momentum(), start, 1e-8 * std::abs(start)) << integrator;
  }
}

}  // namespace flight_test
}  // namespace tendril::links
