// Bodies that share nothing are nothing to each other: what a probe of one sees has the same bits whatever the other
// is.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "engine/rods_shells/build_scene.h"

namespace tendril::test {
namespace rods_shells_parts_test {

std::string text(double v) {
  char out[40];
  std::snprintf(out, sizeof out, "%.17g", v);
  return out;
}

double next(unsigned long long& state, double from, double to) {
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return from + (to - from) * static_cast<double>(state >> 11) / 9007199254740992.0;
}

/// A light soft rod, bent in the middle.
std::string softBody(unsigned seed) {
  unsigned long long state = seed + 77;
  const double r = next(state, 1e-3, 2e-3), bend = next(state, -0.05, 0.05);
  return R"("soft": {"material": "rubber", "section": {"circle": {"radius": )" + text(r) + R"(}}, "segments": )" +
         std::to_string(10 + seed % 7) + R"(, "path": {"curve": {"x": "=0.1*u", "y": "=)" + text(bend) +
         R"J(*sin(pi*u)", "z": "=0.02*u"}}})J";
}

std::string stiffRod(unsigned seed) {
  return R"("stiff": {"material": "steel", "section": {"circle": {"radius": 0.05}}, "segments": )" +
         std::to_string(5 + seed % 11) + R"(, "path": {"line": {"from": [0,1,0], "to": [)" +
         text(1 + 0.1 * (seed % 5)) + R"(,1,0.3]}}})";
}

enum class Which { soft, stiffFirst, stiffLast };

std::string scene(unsigned seed, Which which, const std::string& solver, bool contact) {
  const std::string soft = softBody(seed), stiff = stiffRod(seed);
  std::string rods = soft;
  if (which == Which::stiffFirst) rods = stiff + "," + soft;
  if (which == Which::stiffLast) rods = soft + "," + stiff;
  std::string constraints = R"({"clamp": "soft:first"})", loads;
  if (seed % 3 == 1) loads = R"({"follower": [0, 1e-4, 0], "at": "soft:last"})";
  if (which != Which::soft) {
    constraints += R"(,{"clamp": "stiff:first"})";
    const std::string more = seed % 2 ? R"({"follower": [0, 2e3, 0], "at": "stiff:last"})"
                                      : R"({"force": [0, 100, 3e4], "at": "stiff:last"})";
    loads += (loads.empty() ? "" : ",") + more;
  }
  return R"({"format": "tendril/1", "materials": {"rubber": {"youngs": )" + text(1e5 * (1 + seed % 9)) +
         R"(, "poisson": 0.4, "density": 1100, "damping": )" + text(seed % 2 ? 300.0 : 0.0) +
         R"(}, "steel": {"youngs": 2e11, "density": 7800}}, "rods": {)" + rods + R"(}, "constraints": [)" +
         constraints + R"(], "loads": [)" + loads + R"(], "environment": {"gravity": [0, 0.3, -9.81]},)" +
         (contact ? R"("obstacles": {"floor": {"plane": {"point": [0,0,-0.02], "normal": [0,0,1]}}},
           "contact": {"stiffness": 100, "distance": 1e-3, "friction": 0.4},)"
                  : "") +
         R"("probes": {"tip": {"position": "soft:last"}, "R": {"reaction": "soft:first"}, "E": {"energy": "elastic", "of": "soft"}},
         "solver": )" +
         solver + "}";
}

struct Seen {
  std::vector<double> values;
  long retries = 0;
};

Seen see(const std::string& json) {
  SceneRun run(json);
  run.toEnd();
  return {{run["tip.x"], run["tip.y"], run["tip.z"], run["R.x"], run["R.y"], run["R.z"], run["E"]},
          run.progress.retries};
}

void compare(const std::string& solver, bool contact = false) {
  int compared = 0;
  for (unsigned seed = 0; seed < 12; ++seed) {
    const Seen alone = see(scene(seed, Which::soft, solver, contact));
    for (const Which which : {Which::stiffFirst, Which::stiffLast}) {
      const Seen beside = see(scene(seed, which, solver, contact));
      if (beside.retries > 0 || alone.retries > 0) continue;  // a step that one cuts the other cuts too
      ++compared;
      for (std::size_t i = 0; i < alone.values.size(); ++i) {
        EXPECT_EQ(alone.values[i], beside.values[i]) << "column " << i << ", seed " << seed << ", " << solver;
      }
    }
  }
  EXPECT_GT(compared, 12);
}

TEST(Parts, AnUnrelatedBodyChangesNothingInStatics) { compare(R"({"mode": "static", "loadSteps": 2})"); }
TEST(Parts, AnUnrelatedBodyChangesNothingInImplicitEuler) { compare(R"({"dt": 0.005, "duration": 0.1})"); }
TEST(Parts, AnUnrelatedBodyChangesNothingInImplicitMidpoint) {
  compare(R"({"integrator": "implicit-midpoint", "dt": 0.002, "duration": 0.05})");
}
TEST(Parts, AnUnrelatedBodyChangesNothingInBdf2) { compare(R"({"integrator": "bdf2", "dt": 0.005, "duration": 0.1})"); }
TEST(Parts, AnUnrelatedBodyChangesNothingOnTheGround) { compare(R"({"dt": 0.002, "duration": 0.2})", true); }

// What a support must do against friction is its own part's, wherever that stands among the parts.
TEST(Parts, ASupportPullsAgainstTheFrictionOfItsOwnPart) {
  const auto work = [](const std::string& before, const std::string& after) {
    const auto rod = [](const std::string& name, double y) {
      return "\"" + name + R"(": {"material": "m", "section": {"circle": {"radius": 0.005}}, "segments": 8,
        "path": {"line": {"from": [0, )" +
             text(y) + R"(, 0.0052], "to": [0.3, )" + text(y) + R"(, 0.0052]}}})";
    };
    std::string rods = rod("pulled", 0);
    if (!before.empty()) rods = rod(before, 3) + "," + rods;
    if (!after.empty()) rods += "," + rod(after, 5);
    SceneRun run(R"({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "density": 1000}}, "rods": {)" + rods +
                 R"(},
      "constraints": [{"move": "pulled:0", "displacement": ["=0.1*t", 0, 0]}],
      "obstacles": {"floor": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}},
      "contact": {"friction": 0.5, "stiffness": 2000, "distance": 0.001}, "environment": {"gravity": [0, 0, -9.81]},
      "solver": {"dt": 0.002, "duration": 0.2, "integrator": "implicit-euler"}, "probes": {"W": {"energy": "work"}}})");
    run.toEnd();
    return run["W"];
  };
  const double alone = work("", "");
  EXPECT_GT(alone, 1e-3);
  EXPECT_EQ(work("first", ""), alone);
  EXPECT_EQ(work("", "last"), alone);
  EXPECT_EQ(work("first", "last"), alone);
}

TEST(Parts, AThreadBesideABeamBearsItsOwnWeight) {
  const auto scene = [](const std::string& more, const std::string& clamp) {
    return R"({"format": "tendril/1", "materials": {"steel": {"youngs": 2e11, "density": 7800}, "silk": {"youngs": 1e7, "density": 1000}},
      "rods": {"thread": {"material": "silk", "section": {"circle": {"radius": 5e-6}}, "segments": 40, "path": {"line": {"from": [0,0,0], "to": [0.01,0,0]}}})" +
           more + R"(}, "constraints": [{"clamp": "thread:first"})" + clamp +
           R"(], "environment": {"gravity": [0,0,-9.81]},
      "probes": {"R": {"reaction": "thread:first"}}, "solver": {"mode": "static"}})";
  };
  const std::string beam =
      R"(, "beam": {"material": "steel", "section": {"circle": {"radius": 0.05}}, "segments": 40, "path": {"line": {"from": [0,0.1,0], "to": [1,0.1,0]}}})";
  SceneRun alone(scene("", "")), beside(scene(beam, R"(, {"clamp": "beam:first"})"));
  alone.toEnd(), beside.toEnd();
  const double weight = 1000 * pi * 25e-12 * 0.01 * 9.81;
  EXPECT_NEAR(beside["R.z"], weight, 1e-6 * weight);
  EXPECT_EQ(beside["R.z"], alone["R.z"]);
}

}  // namespace rods_shells_parts_test
}  // namespace tendril::test
