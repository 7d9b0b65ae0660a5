// Natural states and actuation: what an unloaded or held rod does with prescribed curvature, twist and stretch.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/rods_shells/build_scene.h"

namespace tendril::test {
namespace natural_test {

// A rod of 1 m along x in 20 edges, E = 1 MPa, nu = 0.25 (G = 0.4 MPa), width 30 mm along d1, height 10 mm along d2.
std::string strip(const std::string& more, const std::string& rest) {
  return R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "poisson": 0.25, "density": 1000}}, "rods": {"strip": {"section": {"rectangle": {"width": 0.03, "height": 0.01}}, "segments": 20,
    "path": {"line": {"from": [0,0,0], "to": [1,0,0]}})J" +
         more + "}}, " + rest + "}";
}
const std::string statics = R"J("solver": {"mode": "static", "duration": 1, "loadSteps": 10, "tolerance": 1e-11})J";
const std::string clamp = R"J("constraints": [{"clamp": "strip:first"}], )J";

TEST(Natural, AFlatStripIsStiffTowardItsWidth) {
  // d1 = z by default: bending up and down turns toward d1, against E height width^3 / 12, nine times that of d2.
  const double EI1 = 1e6 * 0.01 * 2.7e-5 / 12, EI2 = 1e6 * 0.03 * 1e-6 / 12, P = 1e-5;
  const std::string probe = R"J(, "probes": {"tip": {"position": "strip:last"}})J";
  const auto tip = [&](const std::string& frame, const std::string& force) {
    SceneRun run(
        strip(frame, clamp + statics + ", \"loads\": [{\"force\": " + force + ", \"at\": \"strip:last\"}]" + probe));
    run.toEnd();
    return Vec3(run["tip.x"], run["tip.y"], run["tip.z"]);
  };
  const double soft = P / (3 * EI2), stiff = P / (3 * EI1);
  EXPECT_NEAR(tip("", "[0, 0, 1e-5]").z(), stiff, 2e-3 * stiff);
  EXPECT_NEAR(tip("", "[0, 1e-5, 0]").y(), soft, 2e-3 * soft);
  const std::string turned = ", \"frame\": [0, 1, 0]";
  EXPECT_NEAR(tip(turned, "[0, 0, 1e-5]").z(), soft, 2e-3 * soft);
  EXPECT_NEAR(tip(turned, "[0, 1e-5, 0]").y(), stiff, 2e-3 * stiff);
  // Between the axes the tip leaves the direction of the force, toward the soft one.
  const Vec3 skewed = tip(", \"frame\": [0, 1, 1]", "[0, 0, 1e-5]");
  EXPECT_NEAR(skewed.z(), 0.5 * (soft + stiff), 2e-3 * soft);
  EXPECT_NEAR(std::abs(skewed.y()), 0.5 * (soft - stiff), 2e-3 * soft);
}

TEST(Natural, ATwistedRingCarriesItsTwistEverywhere) {
  // Cut, turned by alpha and joined again: the weld's spring takes the natural numbers too.
  SceneRun run(
      R"J({"format": "tendril/1", "parameters": {"alpha": 3}, "materials": {"m": {"youngs": 1e6, "poisson": 0.25, "density": 1000}}, "rods": {"ring": {
    "section": {"circle": {"radius": 0.01}}, "segments": 40, "path": {"arc": {"center": [0,0,0], "from": [1,0,0], "axis": [0,0,1], "angle": "=2*pi"}},
    "natural": {"curvature": [0, 0], "twist": "=-alpha/(2*pi)"}}}, "joints": [{"weld": ["ring:first", "ring:last"]}],
    "probes": {"w": {"twist": "ring"}, "m": {"moment": "ring:7"}, "k": {"curvature": "ring:7"}, "twist": {"energy": "twist"}, "bend": {"energy": "bend"}},
    "solver": {"dt": 0.01, "duration": 1}})J");
  const double EI = 1e6 * pi * 1e-8 / 4, GJ = 0.4e6 * pi * 1e-8 / 2, l = 2 * std::sin(pi / 40);
  EXPECT_NEAR(run["w"], 0, 1e-12);
  EXPECT_NEAR(run["m.t"], GJ * 3 / (2 * pi), 1e-9 * GJ);
  // Forty equal springs, the weld's among them.
  EXPECT_NEAR(run["twist"], 40 * 0.5 * GJ * std::pow(3 / (2 * pi), 2) * l, 1e-9 * GJ);
  EXPECT_NEAR(run["bend"], 40 * 0.5 * EI / l * std::pow(2 * std::tan(pi / 40), 2), 1e-9 * EI);
  EXPECT_NEAR(std::hypot(run["k.c1"], run["k.c2"]), 2 * pi / 40 / l, 1e-9);
}

TEST(Natural, StraightMeansNoCurvatureAndNoTwist) {
  SceneRun run(
      R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "poisson": 0.25, "density": 1000}}, "rods": {"arc": {
    "section": {"circle": {"radius": 0.01}}, "segments": 30, "path": {"arc": {"center": [0,0,1], "from": [0,0,0], "axis": [0,-1,0], "angle": 2}}, "natural": "straight"}},
    "constraints": [{"clamp": "arc:first"}], "probes": {"tip": {"position": "arc:last"}, "energy": {"energy": "elastic"}, "length": {"length": "arc"}}, )J" +
      statics + "}");
  EXPECT_GT(run["energy"], 1e-3);
  run.toEnd();
  EXPECT_LT(run["energy"], 1e-15);
  EXPECT_NEAR(run["tip.x"], run["length"], 1e-9);
  EXPECT_NEAR(run["tip.y"], 0, 1e-9);
  EXPECT_NEAR(run["tip.z"], 0, 1e-9);
}

// Tip of a clamped chain whose hinges all turn by k l, the clamp's by half of that: a polygon in a circle.
Vec3 arcTip(double k, double length, int edges) {
  const double l = length / edges, radius = l / (2 * std::sin(k * l / 2));
  return {radius * std::sin(k * length), 0, radius * (1 - std::cos(k * length))};
}

TEST(Actuation, ByFormulaBendsTwistsAndStretchesToThePrescribedValues) {
  SceneRun run(strip(
      "", clamp + statics + R"J(, "actuation": [{"rod": "strip", "curvature": ["=2*t", 0], "stretch": "=1 + 0.1*t"}],
    "probes": {"tip": {"position": "strip:last"}, "energy": {"energy": "elastic"}, "k": {"curvature": "strip:first"}})J"));
  // Half the load factor is half of both.
  for (int i = 0; i < 5; ++i) run.sim.step();
  EXPECT_NEAR(run["k.c1"], 1, 1e-8);
  run.toEnd();
  const Vec3 tip = 1.1 * arcTip(2, 1, 20);
  EXPECT_NEAR(run["tip.x"], tip.x(), 1e-8);
  EXPECT_NEAR(run["tip.z"], tip.z(), 1e-8);
  EXPECT_NEAR(run["k.c1"], 2, 1e-8) << "the clamp's spring is actuated too";
  EXPECT_LT(run["energy"], 1e-15);
}

TEST(Actuation, OfAPartLeavesTheRestAtItsNaturalState) {
  SceneRun run(strip(
      "", clamp + statics + R"J(, "actuation": [{"rod": "strip:6..9", "curvature": [0, "=1 + 0*i"], "twist": 0.5}],
    "probes": {"in": {"curvature": "strip:6"}, "out": {"curvature": "strip:5"}, "last": {"curvature": "strip:9"}, "w": {"twist": "strip:7"}, "w4": {"twist": "strip:4"}})J"));
  run.toEnd();
  EXPECT_NEAR(run["in.c2"], 1, 1e-8);
  EXPECT_NEAR(run["last.c2"], 1, 1e-8);
  EXPECT_NEAR(run["out.c2"], 0, 1e-8);
  EXPECT_NEAR(run["w"], 0.5, 1e-8);
  EXPECT_NEAR(run["w4"], 0, 1e-8);
}

TEST(Actuation, FieldsSeeArcLengthAndIndexOfTheirSpring) {
  SceneRun run(strip("", clamp + statics + R"J(, "actuation": [{"rod": "strip", "curvature": ["=s", "=0.1*i/n"]}],
    "probes": {"a": {"curvature": "strip:1"}, "b": {"curvature": "strip:15"}, "c": {"curvature": "strip:first"}})J"));
  run.toEnd();
  EXPECT_NEAR(run["a.c1"], 0.05, 1e-8);
  EXPECT_NEAR(run["a.c2"], 0, 1e-8);
  EXPECT_NEAR(run["b.c1"], 0.75, 1e-8);
  EXPECT_NEAR(run["b.c2"], 0.1 * 14 / 19, 1e-8);
  EXPECT_NEAR(run["c.c1"], 0, 1e-8);
}

TEST(Actuation, TablesAreReadBetweenTheirTimesAndHeldOutside) {
  const std::string table =
      R"J("actuation": [{"rod": "strip", "table": {"time": [1, 2], "curvature1": [[0], [3]], "twist": [[0.2], [0.4]], "interpolation": "KIND"}}],
    "probes": {"k": {"curvature": "strip:10"}, "w": {"twist": "strip:10"}}, "solver": {"dt": 0.25, "duration": 3, "tolerance": 1e-10})J";
  for (const bool linear : {true, false}) {
    std::string text = strip("", table);
    text.replace(text.find("KIND"), 4, linear ? "linear" : "step");
    Built built(text);
    const auto natural = [&](double t) {
      VectorX q = VectorX::Zero(built.system->size());
      built.prepare(t, q);
      const rods_shells::Spring& p = built.structure().springs[9];
      return Vec<2>(rods_shells::continuousCurvature(p.natural.head<2>(), p.voronoi)[0], p.natural[2] / p.voronoi);
    };
    EXPECT_NEAR(natural(0)[0], 0, 1e-12);
    EXPECT_NEAR(natural(0)[1], 0.2, 1e-12);
    EXPECT_NEAR(natural(1.5)[0], linear ? 1.5 : 0, 1e-12);
    EXPECT_NEAR(natural(1.75)[1], linear ? 0.35 : 0.2, 1e-12);
    EXPECT_NEAR(natural(2)[0], 3, 1e-12);
    EXPECT_NEAR(natural(9)[1], 0.4, 1e-12);
  }
}

TEST(Actuation, EndsWithItsInterval) {
  Built built(strip(
      "",
      clamp +
          R"J("actuation": [{"rod": "strip", "curvature": [2, 0], "from": 1, "until": 2}, {"rod": "strip", "curvature": ["=5", 1], "from": 1.5, "until": 1.7}],
    "probes": {"k": {"curvature": "strip:10"}})J"));
  const auto natural = [&](double t) {
    VectorX q = VectorX::Zero(built.system->size());
    built.prepare(t, q);
    const rods_shells::Spring& p = built.structure().springs[9];
    return Vec<2>(rods_shells::continuousCurvature(p.natural.head<2>(), p.voronoi));
  };
  EXPECT_EQ(natural(0.5)[0], 0);
  EXPECT_NEAR(natural(1.2)[0], 2, 1e-12);
  EXPECT_NEAR(natural(1.6)[0], 5, 1e-12) << "the later one wins";
  EXPECT_NEAR(natural(1.6)[1], 1, 1e-12);
  EXPECT_NEAR(natural(1.9)[0], 2, 1e-12);
  EXPECT_EQ(natural(2.5)[0], 0);
}

// A rod that is drawn 1 m long and is X m long without stress is a rod of X m: it bends and twists as one.
TEST(Natural, ARodBendsAndTwistsByItsNaturalLength) {
  const double EI1 = 1e6 * 0.01 * 2.7e-5 / 12, P = 1e-5;
  const auto run = [&](const std::string& natural) {
    SceneRun out(strip(
        ", \"natural\": {\"curvature\": [0, 0], \"twist\": 0" + natural + "}",
        clamp + statics +
            R"J(, "loads": [{"force": [0, 0, 1e-5], "at": "strip:last"}, {"moment": [1e-5, 0, 0], "at": "strip:last"}],
                         "probes": {"tip": {"position": "strip:last"}, "twist": {"energy": "twist"}, "w": {"twist": "strip"}})J"));
    out.toEnd();
    return Vec3(out["tip.z"], out["twist"], out["w"]);
  };
  const Vec3 plain = run("");
  for (const double length : {0.7, 1.5}) {
    const std::string value = std::to_string(length);
    const Vec3 is = run(", \"stretch\": " + value);
    const double sag = P * std::pow(length, 3) / (3 * EI1);
    EXPECT_NEAR(is[0], sag, 4e-3 * sag) << length;
    EXPECT_NEAR(is[1], length * plain[1], 1e-5 * plain[1]) << length;
    EXPECT_NEAR(is[2], plain[2], 1e-5 * plain[2]) << length;
  }
}

TEST(Natural, CurvatureAndTwistAreGivenPerNaturalLength) {
  const std::string probes =
      R"J(, "probes": {"tip": {"position": "strip:last"}, "k": {"curvature": "strip:7"}, "w": {"twist": "strip"}, "e": {"energy": "elastic"}})J";
  const auto holds = [&](const std::string& natural, double k, double w) {
    SceneRun run(strip(natural, clamp + statics + probes));
    run.toEnd();
    EXPECT_NEAR(run["k.c1"], k, 1e-8);
    EXPECT_NEAR(run["w"], w, 1e-8);
    EXPECT_NEAR(run["e"], 0, 1e-12);
    if (w == 0) {
      EXPECT_NEAR(run["tip.z"], (1 - std::cos(1.5 * k)) / k, 2e-3);
    }
  };
  for (const double w : {0.0, 3.0}) {
    const std::string given = "\"curvature\": [0.8, 0], \"twist\": " + std::to_string(w);
    holds(", \"natural\": {" + given + ", \"stretch\": 1.5}", 0.8, w);
  }
}

TEST(Natural, AnInitialTwistIsCountedFromTheDirectorsAsDrawn) {
  const auto energy = [](const std::string& initial) {
    SceneRun run(strip(
        ", \"natural\": {\"curvature\": [0, 0], \"twist\": 2}",
        initial +
            R"J("probes": {"e": {"energy": "twist"}, "w": {"twist": "strip"}}, "solver": {"dt": 1e-6, "duration": 1e-6})J"));
    return std::pair(run["e"], run["w"]);
  };
  const auto drawn = energy(""), turned = energy(R"J("initial": [{"of": "strip", "twist": "=2*s"}], )J");
  EXPECT_GT(drawn.first, 1e-4);
  EXPECT_NEAR(drawn.second, 0, 1e-12);
  EXPECT_NEAR(turned.first, 0, 1e-12);
  EXPECT_NEAR(turned.second, 2, 1e-9);
}

TEST(Natural, AHintForTheFrameIsProjectedAcrossTheFirstEdgeOfAPathOfPoints) {
  SceneRun run(
      R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "density": 1000}}, "rods": {"a": {"section": {"circle": {"radius": 0.001}},
    "path": {"points": [[0,0,0], [0.01,0,0], [0.018,0.006,0], [0.026,0.006,0.006]]}, "frame": [1, 0.2, 1]}},
    "probes": {"p": {"pose": "a:first"}}, "solver": {"dt": 1e-6, "duration": 1e-6}})J");
  const Vec3 d1 = Eigen::Quaterniond(run["p.qw"], run["p.qx"], run["p.qy"], run["p.qz"]).toRotationMatrix().col(0);
  EXPECT_LT((d1 - Vec3(0, 0.2, 1).normalized()).norm(), 1e-12);
}

}  // namespace natural_test
}  // namespace tendril::test
