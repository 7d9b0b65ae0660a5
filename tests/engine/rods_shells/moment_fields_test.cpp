// Moments on rods that are formulas of the point that they act on: their tangent against differences, moments that are
// the same everywhere, a magnet against its potential, and the work that they do.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/rods_shells/shell_scenes.h"

namespace tendril::test {
namespace moment_fields_test {

// A bent rod, clamped, with a branch that is welded to its middle and another rod that goes on at its end.
std::string tree(const std::string& loads, const std::string& solver, const std::string& probes = "") {
  return R"J({"format": "tendril/1",
    "materials": {"soft": {"youngs": 2e5, "poisson": 0.4, "density": 1100, "damping": 50}},
    "rods": {
      "arm": {"section": {"circle": {"radius": 0.004}}, "segments": 6, "path": {"arc": {"center": [0, 0, 0.3], "from": [0, 0, 0], "axis": [0, 1, 0.3], "angle": 0.7}}},
      "twig": {"section": {"circle": {"radius": 0.003}}, "segments": 3, "path": {"arc": {"center": [0, 0, 0.3], "from": [0, 0, 0], "axis": [0, 1, 0.3], "angle": 0.3}}}},
    "constraints": [{"clamp": "arm:first"}], "loads": [)J" +
         loads + R"J(], "solver": {)J" + solver +
         R"J(}, "probes": {"tip": {"position": "arm:last"}, "middle": {"position": "arm:3"}, "base": {"reactionMoment": "arm:first"})J" +
         probes + "}}";
}

std::string welded(std::string text) {
  const std::string twig = R"J("twig": {"section": {"circle": {"radius": 0.003}}, "path": {"points": [)J";
  const auto at = text.find("\"twig\""), end = text.find("}}},", at);
  // From the middle of the arm, whose node is at 0.35 rad of its arc.
  const Vec3 axis = Vec3(0, 1, 0.3).normalized(), center(0, 0, 0.3);
  const Vec3 from = center + Eigen::AngleAxisd(0.35, axis) * Vec3(0, 0, -0.3);
  std::string points;
  for (int k = 0; k < 4; ++k) {
    const Vec3 p = from + k * Vec3(0.01, 0.03, 0.02);
    points += std::string(k ? ", [" : "[") + number(p.x()) + ", " + number(p.y()) + ", " + number(p.z()) + "]";
  }
  text.replace(at, end + 3 - at, twig + points + "]}}}");
  text.insert(text.find("\"constraints\""), R"J("joints": [{"weld": ["arm:3", "twig:first"]}], )J");
  return text;
}

// The last tangent, of free unknowns.
Eigen::MatrixXd tangentOf(const rods_shells::System& system) {
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(system.structure().size, system.structure().size);
  system.forEachEntry([&](int row, int col, double value, bool) { out(row, col) += value; });
  return out;
}

TEST(MomentFields, TheirTangentIsTheDerivativeInTwistedAndBentStates) {
  const std::string see =
      R"J(["=0.02*ty*x - 0.001*vz + 0.01*s*tz", "=0.03*tz*z + 0.002*vx*tx", "=0.02*(x - X)*tx + 0.001*vy*vy"])J";
  for (const char* where : {R"J("at": ["arm", "twig"])J", R"J("at": "arm", "per": "length")J",
                            R"J("at": "twig", "per": "mass")J", R"J("at": ["arm:3", "twig:0"])J"}) {
    SCOPED_TRACE(where);
    Built with(welded(tree(R"J({"moment": )J" + see + ", " + where + "}", R"J("dt": 0.01)J"))),
        without(welded(tree("", R"J("dt": 0.01)J")));
    const int size = with.system->size();
    std::mt19937 random(11);
    std::uniform_real_distribution<double> uniform(-1, 1);
    VectorX q(size), v(size), a = VectorX::Zero(size), r;
    for (int i = 0; i < size; ++i) q[i] = 0.01 * uniform(random), v[i] = uniform(random);
    for (const rods_shells::Edge& e : with.structure().edges) q[e.theta] = 1.3 * uniform(random);
    for (const rods_shells::Weld& w : with.structure().welds) {
      for (int k = 0; k < 3; ++k) q[w.turn + k] = 0.4 * uniform(random);
    }
    ASSERT_EQ(with.structure().welds.size(), 1u);
    with.prepare(0.3, q), without.prepare(0.3, q);
    const double rate = 30;
    const auto field = [&](double h, int k) {
      VectorX x = q, w = v, one, other;
      x[k] += h, w[k] += rate * h;
      EXPECT_TRUE(with.system->evaluate({x, w, a}, {rate, 0}, solve::Level::residual, one).valid);
      EXPECT_TRUE(without.system->evaluate({x, w, a}, {rate, 0}, solve::Level::residual, other).valid);
      return VectorX(one - other);
    };
    ASSERT_TRUE(with.system->evaluate({q, v, a}, {rate, 0}, solve::Level::tangent, r).valid);
    ASSERT_TRUE(without.system->evaluate({q, v, a}, {rate, 0}, solve::Level::tangent, r).valid);
    const Eigen::MatrixXd slope = tangentOf(*with.system) - tangentOf(*without.system);
    const std::vector<char>& held = with.system->supports().prescribed();
    const double scale = slope.cwiseAbs().maxCoeff();
    ASSERT_GT(scale, 0);
    EXPECT_GT((slope - slope.transpose()).cwiseAbs().maxCoeff(), 0.01 * scale);
    for (int k = 0; k < size; ++k) {
      if (held[static_cast<std::size_t>(k)]) continue;
      const double h = 1e-5;
      const VectorX difference = (field(h, k) - field(-h, k)) / (2 * h);
      for (int i = 0; i < size; ++i) {
        if (held[static_cast<std::size_t>(i)]) continue;
        EXPECT_NEAR(difference[i], slope(i, k), 1e-6 * scale) << i << " " << k;
      }
    }
  }
}

// Inside, at a free end, on a weld by both its names, where a rod goes on, and on a clamp.
TEST(MomentFields, OneThatIsTheSameEverywhereIsTheDeadOne) {
  for (const char* at : {"arm:2", "arm:last", "arm:3", "twig:first", "twig", "arm:first"}) {
    std::vector<double> ends[2];
    for (const int field : {0, 1}) {
      const std::string x = field ? R"J("=0.002*t + 0*x*vz*tx")J" : R"J("=0.002*t")J";
      SceneRun run(welded(tree(R"J({"moment": [)J" + x + R"J(, 0.001, -0.0015], "at": ")J" + at + "\"}",
                               R"J("dt": 0.005, "duration": 0.1, "tolerance": 1e-11)J",
                               R"J(, "twig": {"position": "twig:last"})J")));
      run.toEnd();
      ends[field].assign(run.sim.values().begin(), run.sim.values().end());
    }
    for (std::size_t k = 0; k < ends[0].size(); ++k) EXPECT_NEAR(ends[0][k], ends[1][k], 1e-9) << at << " " << k;
  }
}

TEST(MomentFields, OnAClampGoToTheClampAlone) {
  SceneRun run(tree(R"J({"moment": ["=0.3*tx + 0*x", "=2*Z + 0.4", "=-0.5 + vx"], "at": "arm:first"})J",
                    R"J("dt": 0.005, "duration": 0.02)J", R"J(, "elastic": {"energy": "elastic"})J"));
  run.toEnd();
  EXPECT_LT(run["elastic"], 1e-30);
  EXPECT_NEAR(run["base.y"], -0.4, 1e-15);
  EXPECT_NEAR(run["base.z"], 0.5, 1e-15);
  EXPECT_GT(run["base.x"], 0.2);  // it begins toward -x
}

// A ribbon of m [A m] along its tangent: m t x B on every edge, and where B changes in space the force of that change.
std::string ribbon(const std::string& loads, const std::string& solver) {
  return R"J({"format": "tendril/1", "parameters": {"m": 0.06, "g": 4},
    "materials": {"soft": {"youngs": 1e6, "poisson": 0.4, "density": 1100}},
    "rods": {"arm": {"section": {"rectangle": {"width": 0.008, "height": 0.002}}, "segments": 10, "path": {"line": {"from": [0, 0, 0], "to": [0.2, 0, 0]}}, "frame": [0, 1, 0]}},
    "constraints": [{"clamp": "arm:first"}], "loads": [)J" +
         loads + R"J(], "solver": {)J" + solver + R"J(}, "probes": {"tip": {"position": "arm:last"})J" +
         (solver.find("static") == std::string::npos
              ? R"J(, "total": {"energy": "total"}, "work": {"energy": "work"}, "N": {"energy": "numerical"})J"
              : "") +
         "}}";
}
const char* const magnet = R"J({"potential": "=-m*(0.3*ty + tz*(1 + g*x) + g*z*tx)", "on": "arm", "per": "length"})J";
const char* const torque =
    R"J({"moment": ["=m*(ty*(1 + g*x) - tz*0.3)", "=m*(tz*g*z - tx*(1 + g*x))", "=m*(tx*0.3 - ty*g*z)"], "at": "arm", "per": "length"},
        {"line": ["=m*g*tz", 0, "=m*g*tx"], "on": "arm"})J";

TEST(MomentFields, AMagnetTurnsAsItsPotentialSays) {
  double ends[2][3];
  int k = 0;
  for (const char* load : {magnet, torque}) {
    SceneRun run(ribbon(load, R"J("mode": "static", "loadSteps": 4, "tolerance": 1e-11)J"));
    run.toEnd();
    EXPECT_TRUE(run.progress.warnings.empty()) << run.progress.warnings.front();
    ends[k][0] = run["tip.x"], ends[k][1] = run["tip.y"], ends[k][2] = run["tip.z"];
    ++k;
  }
  EXPECT_GT(ends[0][2], 0.1);
  for (int c = 0; c < 3; ++c) EXPECT_NEAR(ends[0][c], ends[1][c], 1e-9) << c;
}

TEST(MomentFields, AMagnetMovesAsItsPotentialSays) {
  double ends[2];
  int k = 0;
  for (const char* load : {magnet, torque}) {
    SceneRun run(
        ribbon(load, R"J("integrator": "implicit-euler", "duration": 0.02, "dt": 0.001, "tolerance": 1e-11)J"));
    run.toEnd();
    ends[k++] = run["tip.z"];
  }
  EXPECT_GT(ends[0], 1e-3);
  EXPECT_NEAR(ends[0], ends[1], 1e-9);
}

// No energy comes from anywhere else, and the work is that of the potential, to the second order of the step.
TEST(MomentFields, WhatTheyDoIsWork) {
  for (const char* integrator : {"implicit-midpoint", "bdf2"}) {
    SCOPED_TRACE(integrator);
    double apart[2];
    for (const int fine : {0, 1}) {
      double work[2];
      int k = 0;
      for (const char* load : {magnet, torque}) {
        SceneRun run(ribbon(load, std::string(R"J("integrator": ")J") + integrator +
                                      R"J(", "duration": 0.03, "dt": )J" + (fine ? "0.0005" : "0.001") +
                                      R"J(, "tolerance": 1e-11)J"));
        const double before = run["total"];
        run.toEnd();
        work[k++] = run["work"];
        EXPECT_NEAR(run["total"] - before, run["work"] + run["N"], 1e-8 * run["work"]);
        const bool keeps = integrator[0] == 'i';
        EXPECT_LT(std::abs(run["N"]), (keeps ? 1e-8 : 0.1) * run["work"]);
      }
      EXPECT_GT(work[0], 1e-5);
      apart[fine] = std::abs(work[1] / work[0] - 1);
    }
    EXPECT_LT(apart[1], 0.01);
    EXPECT_LT(apart[1], 0.35 * apart[0]);
  }
}

std::string refusal(const std::string& load) {
  auto result = scene::loadScene(
      R"J({"format": "tendril/1", "materials": {"soft": {"youngs": 1e5, "poisson": 0.3, "density": 1000}},
    "rods": {"arm": {"section": {"circle": {"radius": 0.01}}, "segments": 2, "path": {"line": {"from": [0, 0, 1], "to": [1, 0, 1]}}}},
    "shells": {"sheet": {"thickness": 0.01, "mesh": {"rectangle": {"corner": [0, 0, 0], "along": [1, 0, 0], "across": [0, 1, 0], "edge": 0.5}}}},
    "loads": [)J" +
      load + "]}");
  const auto* problems = std::get_if<Problems>(&result);
  return problems ? problems->front().message : "";
}

TEST(MomentFields, WhatTheyCannotActOnIsRefusedWithAWord) {
  EXPECT_NE(refusal(R"J({"moment": ["=x", 0, 0], "at": "sheet"})J").find("acts on the edge of a rod"),
            std::string::npos);
  EXPECT_NE(refusal(R"J({"moment": [1, 0, 0], "at": "sheet", "per": "mass"})J").find("acts on the edge of a rod"),
            std::string::npos);
  EXPECT_NE(refusal(R"J({"moment": [1, 0, 0], "at": "arm", "per": "area"})J").find("rods have no area"),
            std::string::npos);
  EXPECT_NE(refusal(R"J({"moment": ["=nx", 0, 0], "at": "arm"})J").find("tangent is tx ty tz"), std::string::npos);
  EXPECT_NE(refusal(R"J({"moment": [1, 0, 0], "at": "arm:1", "per": "length"})J").find("edge"), std::string::npos);
  EXPECT_EQ(refusal(R"J({"moment": ["=x*vy*tz*Y*s*t", 0, 0], "at": "arm", "per": "mass"})J"), "");
}

}  // namespace moment_fields_test
}  // namespace tendril::test
