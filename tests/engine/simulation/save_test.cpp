// A restored run continues bit for bit, with every integrator and with everything that a run remembers.
#include <gtest/gtest.h>

#include "engine/simulation/run_scene.h"

namespace tendril {
namespace save_test {

using test::filled;

// Damping, actuation by formula and table, feedback through a state, a moving and turning clamp, a support that catches
// and one that lets go, a driven twist angle, a weld, cut steps or adaptive ones.
const char* const rich = R"J({"format": "tendril/1",
"parameters": {"E": {"value": 3e5, "min": 1e5, "max": 1e6}},
"materials": {"rubber": {"youngs": "=E", "poisson": 0.4, "density": 1000, "damping": 500}},
"defaults": {"rods": {"section": {"rectangle": {"width": 0.03, "height": 0.02}}, "segments": 5}},
"rods": {"arm": {"path": {"line": {"from": [0, 0, 0], "to": [0.3, 0, 0]}}},
         "hand": {"path": {"line": {"from": [0.3, 0, 0], "to": [0.3, 0.2, 0]}}, "natural": {"twist": 2}}},
"joints": [{"weld": ["arm:last", "hand:first"]}],
"constraints": [
  {"clamp": "arm:first", "velocity": ["=0.1*sin(20*t)", 0, 0], "rotation": {"axis": [1, 0, 0], "angle": "=2*t"}},
  {"fix": "hand:last", "axes": "z", "from": 0.06, "until": 0.12, "before": "free", "then": "release"},
  {"turn": "hand:last", "angle": "=3*t", "from": 0.05}],
"loads": [{"follower": [0.02, 0, 0], "at": "hand:last", "from": 0.03}, {"mass": 0.01, "at": "arm:last"}],
"environment": {"gravity": [0, 0, -9.81], "viscous": 0.05},
"actuation": [{"rod": "arm", "curvature": ["=3*sin(30*t) + 5*I", 0]},
              {"rod": "hand", "table": {"time": [0, 0.1, 0.2], "curvature1": [[0], [3], [1]]}}],
"states": {"I": {"rate": "=0.05 - tip.z"}},
"solver": {"integrator": "$integrator", "dt": $dt, "duration": 0.2$more},
"probes": {"tip": {"position": "hand:last"}, "energy": {"energy": "total"}, "pull": {"reaction": "arm:first"}},
"checks": [{"at": "ever", "expect": "tip.z < -0.01"}, {"at": 0.15, "expect": "tip.x > -1"}]})J";

struct Case {
  const char *name, *integrator, *dt, *more;
};

class SaveRestore : public ::testing::TestWithParam<Case> {};

TEST_P(SaveRestore, ContinuesBitForBit) {
  const Case& c = GetParam();
  const std::string text = filled(rich, {{"integrator", c.integrator}, {"dt", c.dt}, {"more", c.more}});
  Simulation whole(text);
  std::vector<std::byte> saved;
  while (!whole.finished()) {
    whole.step();
    if (saved.empty() && whole.time() > 0.07) saved = whole.save();
  }
  ASSERT_FALSE(saved.empty());
  Simulation resumed(text);
  resumed.restore(saved);
  EXPECT_GT(resumed.time(), 0.07);
  EXPECT_EQ(resumed.save(), saved);  // nothing was lost on the way
  test::runToEnd(resumed);

  EXPECT_EQ(resumed.time(), whole.time());
  EXPECT_EQ(test::allNodes(resumed), test::allNodes(whole));
  EXPECT_EQ(std::vector<double>(resumed.values().begin(), resumed.values().end()),
            std::vector<double>(whole.values().begin(), whole.values().end()));
  EXPECT_EQ(resumed.states(), whole.states());
  EXPECT_EQ(resumed.save(), whole.save());
  ASSERT_EQ(resumed.checks().size(), whole.checks().size());
  for (std::size_t i = 0; i < whole.checks().size(); ++i) EXPECT_EQ(resumed.checks()[i].at, whole.checks()[i].at);
}

INSTANTIATE_TEST_SUITE_P(
    All, SaveRestore,
    ::testing::Values(Case{"Euler", "implicit-euler", "5e-3", ""}, Case{"Midpoint", "implicit-midpoint", "2e-3", ""},
                      Case{"Bdf2", "bdf2", "2e-3", ""}, Case{"SymplecticEuler", "symplectic-euler", "1e-4", ""},
                      Case{"Verlet", "verlet", "1e-4", ""},
                      Case{"Adaptive", "bdf2", "2e-3", R"(, "adaptive": {"min": 1e-6, "max": 5e-3})"},
                      Case{"FromEquilibrium", "implicit-midpoint", "2e-3", R"(, "start": "equilibrium")"}),
    [](const auto& info) { return info.param.name; });

TEST(SaveRestore, KeepsParametersThatWereSet) {
  const std::string text = filled(rich, {{"integrator", "bdf2"}, {"dt", "2e-3"}, {"more", ""}});
  Simulation whole(text);
  whole.advance(0.03);
  whole.set("E", 8e5);
  whole.advance(0.03);
  const auto saved = whole.save();
  Simulation resumed(text);
  resumed.restore(saved);
  test::runToEnd(whole);
  test::runToEnd(resumed);
  EXPECT_EQ(test::allNodes(resumed), test::allNodes(whole));
  for (const ParameterInfo& p : resumed.parameters()) {
    if (p.name != "E") continue;
    EXPECT_EQ(p.value, 8e5);
  }
}

TEST(SaveRestore, RefusesWhatIsNotItsOwnAndStaysAsItWas) {
  const std::string text = filled(rich, {{"integrator", "bdf2"}, {"dt", "2e-3"}, {"more", ""}});
  Simulation sim(text), other(filled(rich, {{"integrator", "bdf2"}, {"dt", "1e-3"}, {"more", ""}}));
  sim.advance(0.02);
  const auto before = sim.save();
  EXPECT_THROW(sim.restore(other.save()), std::runtime_error);
  auto damaged = before;
  damaged.resize(damaged.size() / 2);
  EXPECT_THROW(sim.restore(damaged), std::runtime_error);
  EXPECT_THROW(sim.restore({}), std::runtime_error);
  EXPECT_EQ(sim.save(), before);
}

}  // namespace save_test
}  // namespace tendril
