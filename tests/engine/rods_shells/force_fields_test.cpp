// Loads that are formulas of the point that they act on: against what is built in, against closed forms, and what keeps
// energy.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/rods_shells/shell_scenes.h"

namespace tendril::test {
namespace force_fields_test {

std::string rod(const std::string& loads, const std::string& environment, const std::string& solver) {
  return R"J({"format": "tendril/1",
    "materials": {"soft": {"youngs": 2e5, "poisson": 0.4, "density": 1100, "damping": 100}},
    "rods": {"arm": {"section": {"circle": {"radius": 0.004}}, "segments": 20,
      "path": {"arc": {"center": [0, 0, 0.3], "from": [0, 0, 0], "axis": [0, 1, 0.3], "angle": 1.2}}}},
    "constraints": [{"clamp": "arm:first"}],
    "environment": {"gravity": [0, 1, -9.81])J" +
         environment + R"J(}, "loads": [)J" + loads + R"J(], "solver": {)J" + solver + R"J(},
    "probes": {"tip": {"position": "arm:last"}, "middle": {"position": "arm:10"}}})J";
}

// The built-in drag of rods, -eta l v on nodes of length l, written as a formula.
TEST(ForceFields, AViscousFormulaIsTheBuiltInDragAtTheSameState) {
  Built mine(
      rod(R"J({"line": ["=-0.3*(vx - 2)", "=-0.3*(vy - t)", "=-0.3*vz"], "on": "arm"})J", "", R"J("dt": 0.01)J"));
  Built theirs(rod("", R"J(, "viscous": 0.3, "fluid": {"velocity": [2, "=t", 0]})J", R"J("dt": 0.01)J"));
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const int size = mine.system->size();
  VectorX q = VectorX::Zero(size), v(size), a = VectorX::Zero(size);
  for (int i = 0; i < size; ++i) q[i] = 0.003 * uniform(random), v[i] = uniform(random);
  VectorX r[2], x[2], b(size);
  for (int i = 0; i < size; ++i) b[i] = uniform(random);
  int k = 0;
  for (Built* one : {&mine, &theirs}) {
    VectorX state = q;
    one->prepare(0.7, state);
    ASSERT_TRUE(one->system->evaluate({state, v, a}, {50, 2500}, solve::Level::tangent, r[k]).valid);
    ASSERT_TRUE(one->system->factor(0).ok);
    x[k].resize(size);
    for (int i = 0; i < size; ++i) b[i] = one->system->supports().prescribed()[i] ? 0 : b[i];
    one->system->solve(b, x[k]);
    ++k;
  }
  EXPECT_LT((r[0] - r[1]).norm(), 1e-12 * r[1].norm());
  EXPECT_LT((x[0] - x[1]).norm(), 1e-12 * x[1].norm());
}

TEST(ForceFields, AViscousFormulaRunsAsTheBuiltInDragDoes) {
  for (const char* integrator : {"implicit-euler", "bdf2", "implicit-midpoint", "verlet"}) {
    const bool isExplicit = std::string(integrator) == "verlet";
    const std::string solver = std::string(R"J("duration": 0.2, "dt": )J") + (isExplicit ? "1e-5" : "0.002") +
                               R"J(, "tolerance": 1e-9, "integrator": ")J" + integrator + "\"";
    SceneRun mine(rod(R"J({"line": ["=-0.3*(vx - 2)", "=-0.3*vy", "=-0.3*vz"], "on": "arm"})J", "", solver));
    SceneRun theirs(rod("", R"J(, "viscous": 0.3, "fluid": {"velocity": [2, 0, 0]})J", solver));
    mine.toEnd(), theirs.toEnd();
    for (const char* column : {"tip.x", "tip.y", "tip.z", "middle.x"})
      EXPECT_NEAR(mine[column], theirs[column], 1e-8 * 0.36) << integrator << " " << column;
  }
}

// Timoshenko's infinite beam on a Winkler foundation of k [N/m^2] under a force P: w = P b / (2 k), and it rises again
// at pi / b; b^4 = k / (4 E I).
std::string bed(double k, int edges, double length, const std::string& load, const std::string& solver) {
  return R"J({"format": "tendril/1", "parameters": {"k": )J" + number(k) + R"J(},
    "materials": {"steel": {"youngs": 1e9, "poisson": 0.3, "density": 2000}},
    "rods": {"beam": {"section": {"circle": {"radius": 0.01}}, "segments": )J" +
         std::to_string(edges) + R"J(, "path": {"line": {"from": [0, 0, 0], "to": [)J" + number(length) +
         R"J(, 0, 0]}}}},
    "loads": [)J" +
         load + R"J(], "solver": {)J" + solver + R"J(},
    "probes": {"middle": {"position": "beam:)J" +
         std::to_string(edges / 2) + R"J("}, "end": {"position": "beam:last"}}})J";
}

TEST(ForceFields, ABeamOnABedOfSpringsSinksAsWinklerSays) {
  const double EI = 1e9 * 3.14159265358979323846 / 4 * 1e-8;
  for (const double k : {1e2, 1e4, 1e6, 1e8}) {
    const double b = std::pow(k / (4 * EI), 0.25), length = 16 / b, sinks = 1e-4 / b;
    const double P = sinks * 2 * k / b;
    const std::string springs =
        R"J({"potential": "=0.5*k*((x - X)^2 + (y - Y)^2 + (z - Z)^2)", "on": "beam", "per": "length"}, )J";
    double error[2];
    for (const int refined : {0, 1}) {
      const int edges = refined ? 200 : 100;
      const std::string push =
          R"J({"force": [0, 0, )J" + number(-P) + R"J(], "at": "beam:)J" + std::to_string(edges / 2) + "\"}";
      SceneRun run(bed(k, edges, length, springs + push, R"J("mode": "static", "tolerance": 1e-10)J"));
      run.toEnd();
      error[refined] = run["middle.z"] / -sinks - 1;
      EXPECT_TRUE(run.progress.warnings.empty()) << run.progress.warnings.front();
    }
    EXPECT_LT(std::abs(error[1]), 2e-3) << "k " << k;
    EXPECT_NEAR(error[0] / error[1], 4, 0.05) << "k " << k;
    EXPECT_NEAR((4 * error[1] - error[0]) / 3, 0, 3e-5) << "k " << k;
  }
}

// On the bed all of it swings at sqrt(k / m), whatever its stiffness, and as a force it does the same.
TEST(ForceFields, ABeamOnABedOfSpringsSwingsAsOne) {
  const double mass = 2000 * 3.14159265358979323846 * 1e-4, k = 400,
               period = 2 * 3.14159265358979323846 / std::sqrt(k / mass);
  const std::string solver =
      R"J("integrator": "implicit-midpoint", "duration": )J" + number(period) + R"J(, "dt": )J" + number(period / 400);
  const std::string start = R"J(, "initial": [{"velocity": [0, 0, 0.1], "of": "beam"}])J";
  for (const char* load : {R"J({"potential": "=0.5*k*(z^2 + y^2 + (x - X)^2)", "on": "beam", "per": "length"})J",
                           R"J({"line": ["=-k*(x - X)", "=-k*y", "=-k*z"], "on": "beam"})J"}) {
    std::string text = bed(k, 12, 1, load, solver);
    text.insert(text.rfind('}'), start);
    SceneRun run(text);
    run.toEnd();
    const double amplitude = 0.1 * std::sqrt(mass / k);
    EXPECT_NEAR(run["middle.z"], 0, 4e-4 * amplitude) << load;
    EXPECT_NEAR(run["end.z"], 0, 4e-4 * amplitude) << load;
  }
}

// A rod far shorter than its orbit, e = 0.5, GM = 1, a = 1, and soft enough that its digits are none of the orbit's.
std::string planet(const std::string& load, double periods, int steps) {
  const double period = 2 * 3.14159265358979323846;
  return R"J({"format": "tendril/1",
    "materials": {"stone": {"youngs": 100, "poisson": 0.3, "density": 1000}},
    "rods": {"planet": {"section": {"circle": {"radius": 1e-3}}, "segments": 1, "path": {"line": {"from": [0.5, 0, -5e-4], "to": [0.5, 0, 5e-4]}}}},
    "initial": [{"velocity": [0, 1.7320508075688772, 0], "of": "planet"}],
    "loads": [)J" +
         load + R"J(],
    "solver": {"integrator": "implicit-midpoint", "duration": )J" +
         number(periods * period) + R"J(, "dt": )J" + number(period / steps) + R"J(, "tolerance": 1e-10},
    "probes": {"at": {"position": "planet:first"}, "other": {"position": "planet:last"}, "energy": {"energy": "total"}}})J";
}
const char* const attraction = R"J({"potential": "=-1/sqrt(x^2 + y^2 + z^2)", "on": "planet", "per": "mass"})J";

TEST(ForceFields, APotentialKeepsTheEnergyOfAnOrbit) {
  const double mass = 1000 * 3.14159265358979323846 * 1e-9;
  SceneRun run(planet(attraction, 10, 400));
  const auto energy = [&] {
    const Vec3 a(run["at.x"], run["at.y"], run["at.z"]), b(run["other.x"], run["other.y"], run["other.z"]);
    return run["energy"] / mass - 0.5 / a.norm() - 0.5 / b.norm();
  };
  const double first = energy();
  EXPECT_NEAR(first, -0.5, 1e-6);
  double worst = 0;
  while (!run.sim.finished()) {
    run.progress = run.sim.step();
    worst = std::max(worst, std::abs(energy() - first));
    ASSERT_TRUE(run.progress.warnings.empty()) << run.progress.warnings.front();
  }
  EXPECT_LT(worst, 1e-9 * 0.5);
}

// How far behind it is after an orbit: that of a scheme of second order.
TEST(ForceFields, ThePeriodOfAnOrbitConvergesWithTheSquareOfTheStep) {
  double error[3];
  int k = 0;
  for (const int steps : {400, 800, 1600}) {
    SceneRun run(planet(attraction, 1, steps));
    run.toEnd();
    error[k++] = std::atan2(run["at.y"], run["at.x"]);
  }
  EXPECT_NEAR(std::log2((error[0] - error[1]) / (error[1] - error[2])), 2, 0.05);
}

TEST(ForceFields, AForceAndItsPotentialRunAlikeWhereStepsDoNotKeepEnergy) {
  const char* const force =
      R"J({"force": ["=-x*(x^2 + y^2 + z^2)^-1.5", "=-y*(x^2 + y^2 + z^2)^-1.5", "=-z*(x^2 + y^2 + z^2)^-1.5"], "at": "planet", "per": "mass"})J";
  for (const char* integrator : {"implicit-euler", "bdf2"}) {
    double end[2];
    int k = 0;
    for (const char* load : {force, attraction}) {
      std::string text = planet(load, 0.5, 400);
      text.replace(text.find("implicit-midpoint"), 17, integrator);
      SceneRun run(text);
      run.toEnd();
      end[k++] = run["at.x"];
    }
    EXPECT_NEAR(end[0], end[1], 1e-9) << integrator;
  }
}

// A magnetized rod swings in a field: what it stores is of its tangent, and the energy is kept all the same.
TEST(ForceFields, APotentialOfTheTangentKeepsEnergyInASwing) {
  const std::string text = R"J({"format": "tendril/1",
    "materials": {"soft": {"youngs": 1e6, "poisson": 0.4, "density": 1100}},
    "rods": {"arm": {"section": {"circle": {"radius": 0.003}}, "segments": 16, "path": {"line": {"from": [0, 0, 0], "to": [0.2, 0, 0]}}}},
    "constraints": [{"clamp": "arm:first"}],
    "loads": [{"potential": "=-0.15*(tz*(1 + 5*x) + 0.3*ty*z)", "on": "arm", "per": "length"}],
    "solver": {"integrator": "implicit-midpoint", "duration": 1, "dt": 0.002, "tolerance": 1e-11},
    "probes": {"tip": {"position": "arm:last"}}})J";
  SceneRun run(text);
  double highest = 0;
  while (!run.sim.finished()) {
    run.progress = run.sim.step();
    highest = std::max(highest, run["tip.z"]);
    ASSERT_TRUE(run.progress.warnings.empty()) << run.progress.warnings.front();
  }
  const EnergyBalance balance = *run.sim.energyBalance();
  EXPECT_GT(highest, 0.1);
  EXPECT_LT(std::abs(balance.numerical), 1e-7 * balance.peak);
}

// Whatever the scheme, the work of a potential is its difference, and what is left is the integrator's own.
TEST(ForceFields, TheWorkOfAPotentialIsItsDifference) {
  for (const char* integrator : {"implicit-euler", "bdf2", "implicit-midpoint", "verlet"}) {
    const bool isExplicit = std::string(integrator) == "verlet";
    SceneRun run(std::string(R"J({"format": "tendril/1",
      "materials": {"soft": {"youngs": 1e5, "poisson": 0.4, "density": 1000}},
      "rods": {"arm": {"section": {"circle": {"radius": 0.01}}, "segments": 2, "path": {"line": {"from": [0, 0, 0], "to": [0.2, 0, 0]}}}},
      "loads": [{"potential": "=50*(x - X - 0.1)*(x - X - 0.1) + 20*z*x", "on": "arm"}],
      "probes": {"a": {"position": "arm:0"}, "b": {"position": "arm:1"}, "c": {"position": "arm:2"}, "E": {"energy": "total"}, "N": {"energy": "numerical"}},
      "solver": {"integrator": ")J") +
                 integrator + R"J(", "duration": 0.05, "dt": )J" + (isExplicit ? "1e-5" : "5e-4") + "}}");
    const auto energy = [&] {
      double sum = run["E"];
      int k = 0;
      for (const char* node : {"a", "b", "c"}) {
        const double x = run[std::string(node) + ".x"], pulled = x - 0.1 * k++ - 0.1;
        sum += 50 * pulled * pulled + 20 * run[std::string(node) + ".z"] * x;
      }
      return sum;
    };
    const double before = energy();
    run.toEnd();
    EXPECT_NEAR(run["N"], energy() - before, 1e-9 * before) << integrator;
  }
}

// The watches of feedback look at such a formula too.
TEST(ForceFields, AFormulaMaySeeItsPointAndAProbe) {
  const std::string watched =
      R"J(, "solver": {"dt": 1e-3, "duration": 0.02}, "probes": {"tip": {"position": "arm:last"}, "v": {"velocity": "arm:last"}}, "states": {"held": {"rate": "=tip.z", "initial": 1}}})J";
  for (const char* load : {R"J({"force": [0, 0, "=-0.01*v.z + 0*z - 0.01"], "at": "arm:last"})J",
                           R"J({"line": [0, 0, "=-tip.z*(z < 1)*(X > 0.05)"], "on": "arm"})J",
                           R"J({"potential": "=held*tip.z*(z - Z)", "on": "arm", "from": 0.01})J"}) {
    SceneRun run(R"J({"format": "tendril/1", "materials": {"soft": {"youngs": 1e6, "poisson": 0.4, "density": 1000}},
      "rods": {"arm": {"section": {"circle": {"radius": 0.005}}, "segments": 6, "path": {"line": {"from": [0, 0, 0], "to": [0.2, 0, 0]}}}},
      "constraints": [{"clamp": "arm:first"}], "loads": [)J" +
                 std::string(load) + "]" + watched);
    run.toEnd();
    EXPECT_TRUE(std::isfinite(run["tip.z"])) << load;
  }
}

// A pressure that is the same everywhere is the one that is built in.
TEST(ForceFields, AFieldOfOnePressureIsThatPressure) {
  std::vector<double> ends;
  for (const char* pressure : {"800", R"J("=800 + 0*x*vz*nx")J"}) {
    SceneRun run(R"J({"format": "tendril/1",
      "materials": {"soft": {"youngs": 1e5, "poisson": 0.3, "density": 1000, "damping": 30}},
      "shells": {"sheet": {"thickness": 0.002, "mesh": {"rectangle": {"corner": [0, 0, 0], "along": [0.2, 0, 0], "across": [0, 0.2, 0], "edge": 0.04}}}},
      "constraints": [{"fix": {"of": "sheet", "where": "x < 0.001"}}],
      "loads": [{"pressure": )J" +
                 std::string(pressure) + R"J(, "on": "sheet"}],
      "solver": {"dt": 0.002, "duration": 0.02, "tolerance": 1e-10},
      "probes": {"far": {"position": "sheet@[0.2,0.2,0]"}}})J");
    run.toEnd();
    ends.push_back(run["far.z"]);
  }
  EXPECT_GT(std::abs(ends[0]), 0.01);
  EXPECT_NEAR(ends[0], ends[1], 1e-9);
}

std::string refusal(const std::string& loads) {
  const std::string text = R"J({"format": "tendril/1", "parameters": {)J" +
                           std::string(loads.find("per\": \"node") != loads.npos ? "\"X\": 3" : "") + R"J(},
    "materials": {"soft": {"youngs": 1e5, "poisson": 0.3, "density": 1000}},
    "rods": {"arm": {"section": {"circle": {"radius": 0.01}}, "segments": 2, "path": {"line": {"from": [0, 0, 1], "to": [1, 0, 1]}}}},
    "shells": {"sheet": {"thickness": 0.01, "mesh": {"rectangle": {"corner": [0, 0, 0], "along": [1, 0, 0], "across": [0, 1, 0], "edge": 0.5}}}},
    "loads": [)J" + loads + "]}";
  auto result = scene::loadScene(text);
  const auto* problems = std::get_if<Problems>(&result);
  if (problems) return problems->front().message;
  const Problems& warnings = std::get<scene::Scene>(result).warnings;
  return warnings.empty() ? "" : "warning: " + warnings.front().message;
}

TEST(ForceFields, WhatAFormulaCannotSeeIsRefusedWithAWord) {
  EXPECT_NE(refusal(R"J({"force": ["=tx", 0, 0], "at": "sheet"})J").find("normal is nx ny nz"), std::string::npos);
  EXPECT_NE(refusal(R"J({"force": ["=nx", 0, 0], "at": "arm"})J").find("tangent is tx ty tz"), std::string::npos);
  EXPECT_NE(refusal(R"J({"force": ["=s", 0, 0], "at": "sheet"})J").find("s"), std::string::npos);
  EXPECT_NE(refusal(R"J({"potential": "=vx", "on": "arm"})J").find("velocities"), std::string::npos);
  EXPECT_NE(refusal(R"J({"line": ["=nx", 0, 0], "on": "sheet"})J").find("per\": \"area"), std::string::npos);
  EXPECT_NE(refusal(R"J({"force": [1, 0, 0], "at": "arm", "per": "area"})J").find("rods have no area"),
            std::string::npos);
  EXPECT_NE(refusal(R"J({"force": ["=x", 0, 0], "at": "arm", "share": true})J").find("share"), std::string::npos);
  EXPECT_NE(refusal(R"J({"force": [1, 0, 0], "at": "arm:1", "per": "length"})J").find("edge"), std::string::npos);
  EXPECT_NE(refusal(R"J({"force": ["=vq", 0, 0], "at": "arm"})J").find("did you mean"), std::string::npos);
  EXPECT_NE(refusal(R"J({"follower": ["=vx", 0, 0], "at": "arm:last"})J").find("vx"), std::string::npos);
  EXPECT_NE(refusal(R"J({"force": ["=X", 0, 0], "at": "arm", "per": "node"})J")
                .find("warning: \"X\" is a name of this scene"),
            std::string::npos);
  EXPECT_EQ(refusal(R"J({"force": ["=x*vy*tz*Y*s", 0, 0], "at": "arm"}, {"pressure": "=nz*Y", "on": "sheet"})J"), "");
}

TEST(ForceFields, EveryNameThatTheSceneHidesIsToldOnce) {
  auto result = scene::loadScene(R"J({"format": "tendril/1", "parameters": {"vx": 1, "X": 3},
    "materials": {"soft": {"youngs": 1e5, "poisson": 0.3, "density": 1000}},
    "rods": {"arm": {"material": "soft", "section": {"circle": {"radius": 0.01}}, "segments": 2, "path": {"line": {"from": [0, 0, 1], "to": [1, 0, 1]}}}},
    "loads": [{"force": ["=vx*X", "=X", 0], "at": "arm"}]})J");
  ASSERT_TRUE(std::holds_alternative<scene::Scene>(result));
  const Problems& warnings = std::get<scene::Scene>(result).warnings;
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_NE(warnings[0].message.find("\"vx\" is a name"), std::string::npos);
  EXPECT_NE(warnings[1].message.find("\"X\" is a name"), std::string::npos);
}

// An infinite slope is a run that gave up, with the formula's name.
TEST(ForceFields, AnInfiniteSlopeEndsTheRunWithItsFormula) {
  SceneRun run(
      rod(R"J({"force": ["=sqrt(x - X)", 0, 0], "at": "arm:first"})J", "", R"J("dt": 0.01, "duration": 0.1)J"));
  try {
    run.toEnd();
    ADD_FAILURE() << "the run went on";
  } catch (const GaveUp& failure) {
    EXPECT_NE(std::string(failure.what()).find("sqrt(x - X)"), std::string::npos) << failure.what();
  }
}

}  // namespace force_fields_test
}  // namespace tendril::test
