// Moments and forces per length on soft links, in the links' own frames: closed forms, a rod under followers, the
// tangent, and their work.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "engine/links/force_checks.h"
#include "engine/simulation/run_scene.h"
#include "links/model.h"
#include "scene/load/load.h"

namespace tendril::links {
namespace link_wrench_test {

using test::column;
using test::digits;
using test::filled;
using test::runToEnd;
using test::vectorColumn;

constexpr double length = 0.3, radius = 0.01, youngs = 1e6;
const double EI = youngs * pi / 4 * std::pow(radius, 4);

/// Probes of what only runs in time have.
std::string balanceOf(const std::string& solver) {
  return solver.find("static") != std::string::npos
             ? ""
             : R"(, "W": {"energy": "work"}, "D": {"energy": "dissipated"}, "N": {"energy": "numerical"})";
}

std::string arm(const std::string& wrench, const std::string& strains, const std::string& solver,
                const std::string& more = "") {
  return filled(
      R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "poisson": 0.5, "density": 1000, "damping": 100}},
    "linkages": {"arm": {"links": {"limb": {"body": {"soft": {"length": 0.3, "section": {"circle": {"radius": 0.01}},
      "material": "m", "strains": {$strains}}}}}}},
    "loads": [{"link": "arm/limb", "wrench": $wrench}],
    "probes": {"tip": {"position": "arm:tip"}, "k0": {"strain": "arm/limb@0"}, "k": {"strain": "arm/limb@0.5"},
      "k1": {"strain": "arm/limb@1"}, "all": {"energy": "total"}$balance},
    "solver": {$solver}$more})J",
      {{"balance", balanceOf(solver)}, {"wrench", wrench}, {"strains", strains}, {"solver", solver}, {"more", more}});
}

// A moment m per length that turns with the link: EI k = m (L - s), however far it bends.
TEST(LinkWrench, AMomentPerLengthBendsByItsRest) {
  const double m = 6 * EI / (length * length);  // turns the tip by 3 rad
  Simulation sim(arm(filled(R"({"moment": [0, "=$m*t", 0]})", {{"m", digits(m)}}), R"("bendY": 1, "bendZ": 0)",
                     R"("mode": "static", "tolerance": 1e-11)"));
  runToEnd(sim);
  EXPECT_NEAR(column(sim, "k0.bendY"), m * length / EI, 1e-9 * m * length / EI);
  EXPECT_NEAR(column(sim, "k.bendY"), m * length / (2 * EI), 1e-9 * m * length / EI);
  EXPECT_NEAR(column(sim, "k1.bendY"), 0, 1e-9 * m * length / EI);
  EXPECT_EQ(column(sim, "k.bendZ"), 0);
}

TEST(LinkWrench, AFieldOfMomentsIsTakenAlongTheLink) {
  // m = c s: EI k = c (L^2 - s^2) / 2.
  const double c = 4 * EI / std::pow(length, 3);
  Simulation sim(arm(filled(R"({"moment": ["=0*u", 0, "=$c*s"]})", {{"c", digits(c)}}), R"("bendZ": 2)",
                     R"("mode": "static", "tolerance": 1e-11)"));
  runToEnd(sim);
  EXPECT_NEAR(column(sim, "k0.bendZ"), c * length * length / (2 * EI), 1e-9);
  EXPECT_NEAR(column(sim, "k.bendZ"), c * 0.75 * length * length / (2 * EI), 1e-9);
}

// A force per length across that turns with the link, as followers on the nodes of a rod.
TEST(LinkWrench, AForcePerLengthBendsAsFollowersBendARod) {
  const double f = 12 * EI / std::pow(length, 3);
  Simulation link(arm(filled(R"({"force": [0, 0, $f]})", {{"f", digits(f)}}),
                      R"("bendY": 7, "stretch": 5, "shearZ": 5)", R"("mode": "static", "loadSteps": 4)"));
  const int n = 100;
  Simulation rod(filled(
      R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "poisson": 0.5, "density": 1000}},
    "rods": {"rod": {"section": {"circle": {"radius": 0.01}}, "segments": $n, "frame": [0, 0, 1],
      "path": {"line": {"from": [0, 0, 0], "to": [0.3, 0, 0]}}}},
    "constraints": [{"clamp": "rod:first"}], "probes": {"tip": {"position": "rod:last"}},
    "loads": [{"follower": [$h, 0, 0], "at": "rod:1..$n"}, {"follower": [$half, 0, 0], "at": "rod:last"}],
    "solver": {"mode": "static", "loadSteps": 8}})J",
      {{"n", std::to_string(n)}, {"h", digits(f * length / n)}, {"half", digits(-0.5 * f * length / n)}}));
  runToEnd(link), runToEnd(rod);
  const Vec3 tip = vectorColumn(link, "tip");
  EXPECT_LT(tip.x(), 0.5 * length);
  EXPECT_LT((tip - vectorColumn(rod, "tip")).norm(),
            0.01 * length);  // followers of a rod turn with its edges: first order in their length
}

TEST(LinkWrench, HasItsExactTangentFarFromRest) {
  auto loaded = scene::loadScene(arm(R"({"moment": ["=0.02*u", -0.03, 0.01], "force": [0.2, "=3*s", -0.5]})",
                                     R"("twist": 1, "bendY": 2, "bendZ": 1, "stretch": 1, "shearY": 0, "shearZ": 1)",
                                     R"("dt": 1e-3)",
                                     R"(, "actuation": [{"link": "arm", "natural": {"bendY": "=20*u", "twist": 9}}])"));
  const world::World world(std::get<scene::Scene>(loaded));
  Model model(world);
  std::mt19937 random(5);
  const int n = model.system().size();
  for (const solve::Rates rates : {solve::Rates{0, 0}, solve::Rates{30, 900}}) {
    VectorX q = test::randomVector(random, n, 2);
    q.tail(3) *= 0.1;
    EXPECT_LT(test::tangentError(model.system(), q, test::randomVector(random, n, 3), test::randomVector(random, n, 10),
                                 rates),
              1e-8);
  }
}

// Bent by one strain k, a moment m per length turns the point at s by k s: its work is m k L^2 / 2.
TEST(LinkWrench, GivesTheWorkOfItsMoment) {
  const double m = 4 * EI / (length * length);
  for (const char* integrator : {"implicit-midpoint", "generalized-alpha", "bdf2", "implicit-euler", "verlet"}) {
    const bool isExplicit = std::string(integrator) == "verlet";
    Simulation sim(arm(filled(R"({"moment": [0, $m, 0]})", {{"m", digits(m)}}), R"("bendY": 0)",
                       std::string(R"("duration": 0.1, "integrator": ")") + integrator + R"(", "dt": )" +
                           (isExplicit ? "1e-4" : "1e-3")));
    double most = 0;
    while (!sim.finished()) {
      sim.step();
      const double work = 0.5 * m * length * length * column(sim, "k.bendY");
      most = std::max(most, work);
      EXPECT_NEAR(column(sim, "W"), work, 1e-4 * most + 1e-12) << integrator << " " << sim.time();
      EXPECT_NEAR(column(sim, "W") - column(sim, "D") + column(sim, "N"), column(sim, "all"), 1e-9 * most + 1e-15);
    }
    EXPECT_GT(most, EI);
  }
}

TEST(LinkWrench, ActsWhileItsTimeLastsAndGrowsInEquilibria) {
  const std::string solver = R"("integrator": "implicit-euler", "dt": 5, "duration": 60)";
  const double m = EI / length;
  Simulation sim(
      arm(filled(R"({"moment": [0, $m, 0]}, "from": 20, "until": 40)", {{"m", digits(m)}}), R"("bendY": 1)", solver));
  const auto at = [&](double t, double k) {
    while (sim.time() < t) sim.step();
    EXPECT_NEAR(column(sim, "k0.bendY"), k, 1e-3) << t;
  };
  at(20, 0), at(40, 1), at(60, 0);
}

TEST(LinkWrench, RefusesWhatItDoesNotActOn) {
  const auto refused = [](const std::string& load, const std::string& words) {
    try {
      Simulation sim(
          filled(R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "poisson": 0.4, "density": 1000}},
        "linkages": {"arm": {"links": {"hub": {"body": {"rigid": {"length": 0.1, "mass": 1}}},
          "limb": {"body": {"soft": {"length": 0.3, "section": {"circle": {"radius": 0.01}}, "strains": {"bendY": 1}}}}}}},
        "loads": [$load]})J",
                 {{"load", load}}));
      ADD_FAILURE() << load << " was taken";
    } catch (const std::exception& e) {
      EXPECT_NE(std::string(e.what()).find(words), std::string::npos) << e.what();
    }
  };
  refused(R"({"link": "arm/hub", "wrench": {"force": [0, 0, 1]}})", "\"arm/hub\" is rigid");
  refused(R"({"link": "arm/limb", "wrench": {}})", "neither \"moment\" nor \"force\"");
  refused(R"({"wrench": {"force": [0, 0, 1]}})", "\"wrench\" needs \"link\" beside it");
  refused(R"({"link": "arm/limb", "at": "arm:tip", "wrench": {"force": [0, 0, 1]}})", "\"at\" goes only with");
  refused(R"({"link": "arm/limb", "wrench": {"force": [0, "=x", 1]}})", "x");
}

}  // namespace link_wrench_test
}  // namespace tendril::links
