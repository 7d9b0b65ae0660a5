// Actuation of soft links by stress-free strains that change with time: against links that have them by themselves,
// against closed forms, and what it gives.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>

#include "engine/simulation/run_scene.h"

namespace tendril::links {
namespace link_actuation_test {

using test::column;
using test::filled;
using test::runToEnd;
using test::vectorColumn;

constexpr double length = 0.3, radius = 0.01, youngs = 1e6;
const double EI = youngs * pi / 4 * std::pow(radius, 4);

struct Told {
  std::string own;   ///< keys of the body
  std::string more;  ///< of the scene
  std::string solver = R"("integrator": "generalized-alpha", "dt": 1e-3, "duration": 0.05)";
  std::string strains = R"("twist": 1, "bendY": 2, "bendZ": 2, "stretch": 1, "shearY": 0, "shearZ": 1)";
  std::string probes = {};
};

/// Probes of what only runs in time have.
std::string balanceOf(const std::string& solver) {
  return solver.find("static") != std::string::npos
             ? ""
             : R"(, "W": {"energy": "work"}, "D": {"energy": "dissipated"}, "N": {"energy": "numerical"})";
}

std::string arm(const Told& told) {
  return filled(
      R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "poisson": 0.4, "density": 1000, "damping": 300}},
    "linkages": {"arm": {"links": {"limb": {"body": {"soft": {"length": 0.3,
      "section": {"circle": {"radius": 0.01}}, "material": "m", "points": 8, "strains": {$strains}$own}}}}}},
    "probes": {"tip": {"position": "arm:tip"}, "k": {"strain": "arm/limb@0.5"}, "E": {"energy": "elastic"},
      "bend": {"energy": "bend"}, "all": {"energy": "total"}$balance$probes},
    "solver": {$solver}$more})J",
      {{"balance", balanceOf(told.solver)},
       {"probes", told.probes},
       {"strains", told.strains},
       {"own", told.own},
       {"solver", told.solver},
       {"more", told.more}});
}

const std::string natural =
    R"({"twist": 2, "bendY": "=3 + 5*u", "bendZ": -4, "stretch": "=0.1*u", "shearY": 0.05, "shearZ": 0.02})";
const std::string heavy =
    R"(, "environment": {"gravity": [0, 3, -9.81]}, "loads": [{"force": [0, 0.01, 0.02], "at": "arm:tip"}])";
const std::string actuated = R"(, "actuation": [{"link": "arm/limb", "natural": )" + natural + "}]";

TEST(LinkActuation, ConstantStrainsHoldALinkAsItsOwn) {
  for (const char* steps : {"1", "4"}) {
    const std::string solver = std::string(R"("mode": "static", "tolerance": 1e-11, "loadSteps": )") + steps;
    Simulation own(arm({R"(, "natural": )" + natural, heavy, solver}));
    Simulation driven(arm({"", heavy + actuated, solver}));
    runToEnd(own), runToEnd(driven);
    EXPECT_LT((vectorColumn(own, "tip") - vectorColumn(driven, "tip")).norm(), 1e-9 * length);
    EXPECT_GT((vectorColumn(own, "tip") - Vec3(length, 0, 0)).norm(), 0.3 * length);
    EXPECT_NEAR(column(own, "E"), column(driven, "E"), 1e-8 * column(own, "E"));
    EXPECT_NEAR(column(own, "bend"), column(driven, "bend"), 1e-8 * column(own, "bend"));
  }
}

TEST(LinkActuation, ConstantStrainsMoveALinkAsItsOwn) {
  const std::string straight =
      R"(, "initial": [{"of": "arm/limb", "twist": 0, "bendY": 0, "bendZ": 0, "stretch": 0, "shearY": 0, "shearZ": 0}])";
  for (const char* integrator : {"implicit-euler", "bdf2", "implicit-midpoint", "generalized-alpha"}) {
    const std::string solver =
        std::string(R"("integrator": ")") + integrator + R"(", "dt": 1e-3, "duration": 0.04, "tolerance": 1e-11)";
    Simulation own(arm({R"(, "natural": )" + natural, heavy + straight, solver}));
    Simulation driven(arm({"", heavy + actuated, solver}));
    EXPECT_NEAR(column(own, "E"), column(driven, "E"), 1e-12 * column(own, "E")) << integrator;
    runToEnd(own), runToEnd(driven);
    EXPECT_LT((vectorColumn(own, "tip") - vectorColumn(driven, "tip")).norm(), 1e-7 * length) << integrator;
    EXPECT_GT((vectorColumn(own, "tip") - Vec3(length, 0, 0)).norm(), 0.1 * length);
    EXPECT_NEAR(column(own, "all"), column(driven, "all"), 1e-6 * column(own, "E")) << integrator;
  }
}

// One coordinate: the strain k, whose stress is EI (k - k*(t)).
double workAt(const std::string& strain, const std::string& integrator, double dt, double& numerical, double& inPlay) {
  Simulation sim(arm({"", R"(, "actuation": [{"link": "arm", "natural": {"bendY": ")" + strain + R"("}}])",
                      R"("integrator": ")" + integrator + R"(", "dt": )" + test::digits(dt) + R"(, "duration": 0.2)",
                      R"("bendY": 0)"}));
  const std::function<double(double)> natural = [](double t) { return 8 * std::sin(40 * t); };
  double work = 0, before = 0;
  inPlay = 0;
  while (!sim.finished()) {
    const double from = sim.time(), k = before;
    sim.step();
    before = column(sim, "k.bendY");
    const double mean = 0.5 * (natural(from) + natural(sim.time())) - 0.5 * (k + before);
    work += EI * length * mean * (natural(sim.time()) - natural(from));
    inPlay = std::max(inPlay, column(sim, "all"));
    EXPECT_NEAR(column(sim, "bend"), 0.5 * EI * length * std::pow(before - natural(sim.time()), 2), 1e-12 * EI * 100);
    EXPECT_NEAR(column(sim, "W") - column(sim, "D") + column(sim, "N"), column(sim, "all"), 1e-9 * inPlay);
  }
  numerical = column(sim, "N");
  EXPECT_NEAR(column(sim, "W"), work, 1e-3 * inPlay) << integrator;
  return column(sim, "W");
}

TEST(LinkActuation, GivesTheWorkOfItsStress) {
  for (const char* integrator : {"implicit-midpoint", "generalized-alpha", "bdf2", "implicit-euler"}) {
    double coarse = 0, fine = 0, inPlay = 0;
    workAt("=8*sin(40*t)", integrator, 1e-3, coarse, inPlay);
    const double work = workAt("=8*sin(40*t)", integrator, 2.5e-4, fine, inPlay);
    EXPECT_GT(work, 0.2 * inPlay);
    const bool first = std::string(integrator) == "implicit-euler";
    // Nothing but what the rule is known to lose, which a quarter of the step divides by four or sixteen.
    EXPECT_LT(std::abs(fine), (first ? 0.5 : 0.15) * std::abs(coarse) + 1e-9 * inPlay) << integrator;
    EXPECT_LT(std::abs(fine), (first ? 0.1 : 1e-3) * inPlay) << integrator;
  }
}

TEST(LinkActuation, RunsAlongTheWholeLinkAndOnlyWhereAModeFeelsIt) {
  const std::string two = R"(, "divisions": [{"length": 0.1}, {"strains": {"bendY": 3, "twist": 0}}])";
  const std::string probes = R"(, "a": {"strain": "arm/limb@0.1"}, "b": {"strain": "arm/limb@0.8"})";
  Simulation sim(arm({two, R"(, "actuation": [{"link": "arm/limb", "natural": {"bendY": "=40*s", "twist": "=3*u"}}])",
                      R"("mode": "static")", R"("bendY": 1)", probes}));
  runToEnd(sim);
  EXPECT_NEAR(column(sim, "a.bendY"), 40 * 0.03, 1e-9);
  EXPECT_NEAR(column(sim, "b.bendY"), 40 * 0.24, 1e-9);
  EXPECT_EQ(column(sim, "a.twist"), 0);
  EXPECT_NEAR(column(sim, "b.twist"), 3 * (0.1 + 0.3) / 2 / 0.3, 1e-9);  // the mean over its division
}

TEST(LinkActuation, TheLastEntryThatActsCountsAndLetsGo) {
  const std::string solver = R"("integrator": "implicit-euler", "dt": 5, "duration": 100)";
  Simulation sim(arm({R"(, "natural": {"bendZ": 1})", R"(, "actuation": [
    {"link": "arm/limb", "natural": {"bendY": 1, "bendZ": 2}},
    {"link": "arm/limb", "natural": {"bendZ": 5}, "from": 30, "until": 60}])",
                      solver}));
  const auto at = [&](double t, double y, double z) {
    while (sim.time() < t) sim.step();
    EXPECT_NEAR(column(sim, "k.bendY"), y, 1e-3) << t;
    EXPECT_NEAR(column(sim, "k.bendZ"), z, 1e-3) << t;
  };
  at(30, 1, 2), at(60, 1, 5), at(100, 1, 2);
}

TEST(LinkActuation, SeesProbesOfTheLastStep) {
  const std::string solver = R"("integrator": "implicit-euler", "dt": 0.01, "duration": 0.2)";
  const auto with = [&](const std::string& formula, const std::string& probe) {
    return arm(
        {"", R"(, "actuation": [{"link": "arm/limb", "natural": {"bendY": ")" + formula + "\"}}]" + probe, solver});
  };
  Simulation fed(with("=p*u", R"(, "states": {"p": {"rate": 10, "unit": "1"}})")), told(with("=10*(t - 0.01)*u", ""));
  runToEnd(fed), runToEnd(told);
  EXPECT_LT((vectorColumn(fed, "tip") - vectorColumn(told, "tip")).norm(), 1e-9 * length);
  EXPECT_GT((vectorColumn(fed, "tip") - Vec3(length, 0, 0)).norm(), 0.01 * length);
}

TEST(LinkActuation, FollowsLiveParametersWithTheirWork) {
  Simulation sim(arm(
      {"",
       R"(, "parameters": {"asked": {"value": 2}}, "actuation": [{"link": "arm/limb", "natural": {"bendY": "=asked"}}])"}));
  for (int i = 0; i < 5; ++i) sim.step();
  const double all = column(sim, "all"), k = column(sim, "k.bendY");
  sim.set("asked", 6);
  sim.step();
  EXPECT_NEAR(column(sim, "W") - column(sim, "D") + column(sim, "N"), column(sim, "all") - 0.5 * EI * length * 4,
              1e-9 * EI);
  EXPECT_GT(column(sim, "W"), 0.8 * 0.5 * EI * length * (std::pow(6 - k, 2) - std::pow(2 - k, 2)));
  EXPECT_GT(column(sim, "all"), all);
}

// A wave of curvature that swims by the resistance of its medium: one soft link, and a rod of sixty edges.
TEST(LinkActuation, ATravellingWaveSwimsAsARodDoes) {
  const std::string scene =
      R"J({"format": "tendril/1", "materials": {"m": {"youngs": 2e6, "poisson": 0.5, "density": 1200}},
    "environment": {"gravity": [0, 0, 0], "rft": {"tangential": 0.01, "normal": 0.1}}, $body,
    "solver": {"integrator": "implicit-euler", "dt": 1e-3, "duration": 1.5}})J";
  Simulation rod(filled(scene, {{"body", R"J("rods": {"snake": {"section": {"circle": {"radius": 1e-3}}, "segments": 60,
      "path": {"line": {"from": [0, 0, 0], "to": [0.1, 0, 0]}}, "frame": [0, 1, 0]}},
    "actuation": [{"rod": "snake", "curvature": ["=30*sin(2*pi*(t - u))", 0]}],
    "probes": {"head": {"position": "snake:first"}, "tail": {"position": "snake:last"}})J"}}));
  Simulation link(
      filled(scene, {{"body", R"J("linkages": {"snake": {"links": {"body": {"joint": {"planar": {"axis": "z"}},
      "body": {"soft": {"length": 0.1, "section": {"circle": {"radius": 1e-3}}, "material": "m", "strains": {"bendZ": 7}, "points": 12}}}}}},
    "actuation": [{"link": "snake/body", "natural": {"bendZ": "=30*sin(2*pi*(t - u))"}}],
    "probes": {"head": {"position": "snake/body@0"}, "tail": {"position": "snake/body@1"}})J"}}));
  runToEnd(rod), runToEnd(link);
  EXPECT_LT(column(rod, "head.x"), -0.02);
  EXPECT_LT((vectorColumn(rod, "head") - vectorColumn(link, "head")).norm(), 1e-3);
  EXPECT_LT((vectorColumn(rod, "tail") - vectorColumn(link, "tail")).norm(), 1e-3);
}

TEST(KeysAct, EveryStrainThatActuationGivesMovesTheLink) {
  const auto moved = [](const std::string& strains) {
    Simulation sim(
        arm({"", strains.empty() ? "" : R"(, "actuation": [{"link": "arm", "natural": {)" + strains + "}}]"}));
    for (int i = 0; i < 3; ++i) sim.step();
    return sim.bodies()[0].links[0].q;
  };
  const std::vector<double> still = moved("");
  for (const char* key : {"twist", "bendY", "bendZ", "stretch", "shearY", "shearZ"}) {
    const std::vector<double> now = moved("\"" + std::string(key) + "\": 0.1");
    double most = 0;
    for (std::size_t i = 0; i < still.size(); ++i) most = std::max(most, std::abs(now[i] - still[i]));
    EXPECT_GT(most, 1e-6) << key;
  }
}

TEST(LinkActuation, RefusesWhatFeelsNoStrain) {
  const auto refused = [](const std::string& actuation, const std::string& words) {
    try {
      Simulation sim(
          filled(R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "poisson": 0.4, "density": 1000}},
        "linkages": {"arm": {"links": {"hub": {"body": {"rigid": {"length": 0.1, "mass": 1}}},
          "limb": {"body": {"soft": {"length": 0.3, "section": {"circle": {"radius": 0.01}}, "strains": {"bendY": 1}}}}}}},
        "rods": {"rod": {"section": {"circle": {"radius": 0.01}}, "segments": 4, "path": {"line": {"from": [0,1,0], "to": [1,1,0]}}}},
        "actuation": [$actuation]})J",
                 {{"actuation", actuation}}));
      ADD_FAILURE() << actuation << " was taken";
    } catch (const std::exception& e) {
      EXPECT_NE(std::string(e.what()).find(words), std::string::npos) << e.what();
    }
  };
  refused(R"({"link": "arm/hub", "natural": {"bendY": 1}})", "\"arm/hub\" is rigid");
  refused(R"({"link": "arm/limb", "natural": {"twist": 1}})", "\"arm/limb\" has no mode of \"twist\"");
  refused(R"({"link": "arm/limb", "natural": {}})", "no strain is given");
  refused(R"({"link": "rod", "natural": {"bendY": 1}})", "unknown linkage \"rod\"");
  refused(R"({"link": "arm/limb@0.5", "natural": {"bendY": 1}})", "a whole link");
  refused(R"({"link": "arm/limb"})", "\"link\" needs \"natural\" beside it");
  refused(R"({"link": "arm/limb", "natural": {"bendY": 1}, "curvature": [1, 0]})", "a soft link takes \"natural\"");
  refused(R"J({"link": "arm/limb", "natural": {"bendY": "=1/(u - u)"}})J", "no finite number");
}

}  // namespace link_actuation_test
}  // namespace tendril::links
