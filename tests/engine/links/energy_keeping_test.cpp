// Steps of the midpoint rule keep the mechanical energy of linkages: chains, soft links in space, joints of several
// rotations and of places, sprung ones, tendons pulled by a constant tension, dead forces, a driven joint at rest.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/simulation/run_scene.h"

namespace tendril::links {
namespace energy_keeping_test {

using test::column;
using test::digits;
using test::filled;

struct Kept {
  const char *name, *linkage, *initial, *rest;
  double dt;
  const char* potential;  ///< of what acts beside gravity and elasticity [J]; of a formula probe
};

// $steps: of the solver.
const char* const keptScene = R"J({"format": "tendril/1",
"materials": {"rubber": {"youngs": 1e6, "poisson": 0.4, "density": 1000}},
"linkages": {"arm": $linkage},
"initial": [$initial],
$rest
"environment": {"gravity": [0, 0, -9.81]},
"probes": {"total": {"energy": "total"}, "kinetic": {"energy": "kinetic"}, "tip": {"position": "arm:tip"}$probes},
"solver": {"integrator": "implicit-midpoint", "dt": $dt, "duration": $duration, "tolerance": 1e-10}})J";

const char* const keptBar =
    R"J("body": {"rigid": {"length": 0.2, "section": {"circle": {"radius": 0.01}}, "density": 1000}})J";

std::string keptLinkage(const Kept& c) { return filled(c.linkage, {{"bar", keptBar}}); }

const Kept keptCases[] = {
    {"Pendulums",
     R"J({"links": {"a": {"joint": {"revolute": {"axis": "y"}}, $bar}, "b": {"joint": {"revolute": {"axis": "y"}}, $bar}, "c": {"joint": {"revolute": {"axis": "z"}}, $bar}}})J",
     "", "", 0.01, ""},
    {"LongSteps",
     R"J({"links": {"a": {"joint": {"revolute": {"axis": "y"}}, $bar}, "b": {"joint": {"revolute": {"axis": "z"}}, $bar}}})J",
     "", "", 0.03, ""},
    {"SoftInSpace",
     R"J({"links": {"limb": {"body": {"soft": {"length": 0.4, "section": {"circle": {"radius": 0.01}}, "material": "rubber",
      "strains": {"twist": 1, "bendY": 2, "bendZ": 2}}}}}})J",
     R"J({"of": "arm/limb", "bendZ": 3})J", "", 0.002, ""},
    {"Slides",
     R"J({"links": {"rail": {"joint": {"prismatic": {"axis": "z", "stiffness": 40}}, $bar}, "swing": {"joint": {"revolute": {"axis": "y", "stiffness": 0.05}}, $bar}}})J",
     "", "", 0.01, ""},
    {"BallJoints",
     R"J({"links": {"a": {"joint": {"spherical": {"stiffness": 0.2}}, $bar}, "b": {"joint": {"spherical": {}}, "body": {"rigid": {"length": 0.2, "section": {"rectangle": {"width": 0.02, "height": 0.01}}, "density": 1000}}}}})J",
     R"J({"of": "arm/b", "angleRate": [2, 3, -4]})J", "", 0.01, ""},
    {"Tendon",
     R"J({"links": {"limb": {"body": {"soft": {"length": 0.4, "section": {"circle": {"radius": 0.01}}, "material": "rubber", "strains": {"bendY": 2, "bendZ": 2}}}}},
      "cables": {"wire": {"through": "limb", "path": {"oblique": {"from": [0.006, 0], "to": [0, 0.006]}}, "tension": 3}}})J",
     "", "", 0.01, ", \"wire\": {\"cable\": \"arm/wire\"}, \"left\": {\"formula\": \"3*wire\"}"},
    {"DeadForce",
     R"J({"links": {"a": {"joint": {"revolute": {"axis": "y"}}, $bar}, "b": {"joint": {"universal": {"axis": "y"}}, $bar}}})J",
     "", R"J("loads": [{"force": [0.3, 0.2, 0.1], "at": "arm:tip"}],)J", 0.01,
     ", \"left\": {\"formula\": \"-(0.3*tip.x + 0.2*tip.y + 0.1*tip.z)\"}"},
};

std::string keptText(const Kept& c, double dt, double duration) {
  return filled(keptScene, {{"linkage", keptLinkage(c)},
                            {"initial", c.initial},
                            {"rest", c.rest},
                            {"probes", c.potential},
                            {"dt", digits(dt)},
                            {"duration", digits(duration)}});
}

class EnergyOfLinkages : public ::testing::TestWithParam<Kept> {};

TEST_P(EnergyOfLinkages, Stays) {
  const Kept& c = GetParam();
  Simulation sim(keptText(c, c.dt, 40));
  const bool other = std::string(c.potential).find("left") != std::string::npos;
  const auto energy = [&] { return column(sim, "total") + (other ? column(sim, "left") : 0); };
  const double start = energy();
  double worst = 0, peak = 0;
  long retries = 0;
  while (!sim.finished()) {
    const Progress p = sim.step();
    retries += p.retries;
    worst = std::max(worst, std::abs(energy() - start)), peak = std::max(peak, column(sim, "kinetic"));
  }
  EXPECT_LT(worst, 1e-8 * peak);
  EXPECT_EQ(retries, 0);
}

TEST_P(EnergyOfLinkages, TheRuleStaysOfOrderTwo) {
  const Kept& c = GetParam();
  const bool soft = std::string(c.linkage).find("soft") != std::string::npos;  // with faster vibrations
  const auto end = [&](double part) {
    Simulation sim(keptText(c, soft ? 0.125 * part : part, 0.32));
    test::runToEnd(sim);
    return test::vectorColumn(sim, "tip");
  };
  const Vec3 exact = end(2.5e-4);
  const double coarse = (end(4e-3) - exact).norm(), fine = (end(2e-3) - exact).norm();
  EXPECT_GT(coarse, 3.4 * fine);
  EXPECT_LT(coarse, 4.8 * fine);
}

INSTANTIATE_TEST_SUITE_P(All, EnergyOfLinkages, ::testing::ValuesIn(keptCases),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace energy_keeping_test
}  // namespace tendril::links
