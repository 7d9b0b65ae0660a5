// Shells whose hinges open from the start: velocities that are known, momenta, supports, and what is refused.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "engine/rods_shells/shell_scenes.h"
#include "rods_shells/shell_fields.h"

namespace tendril::test {
namespace hinge_rates_test {

// A strip of 8 x 2 squares of 1 cm, turned as `turn` says.
std::string strip(const std::string& bending, const std::string& initial, const std::string& more = "",
                  const Mat3& turn = Mat3::Identity()) {
  const std::string mesh = gridMesh(8, 2, [&](int i, int j) {
    return Vec3(turn * Vec3(0.01 * i - 0.04, 0.01 * j - 0.01, 0) + Vec3(0.02, 0.1, -0.05));
  });
  return R"J({"format": "tendril/1", "materials": {"sheet": {"youngs": 1e6, "poisson": 0.3, "density": 1000}},
    "shells": {"flap": {"thickness": 5e-4, "bending": ")J" +
         bending + R"J(", "mesh": )J" + mesh + R"J(}}, "initial": [)J" + initial + "]" + more + "}";
}

struct Started {
  scene::Scene scene;
  world::World world;
  rods_shells::Model model;
  explicit Started(const std::string& text) : scene(loaded(text)), world(scene), model(world) {}
  const rods_shells::Structure& structure() { return model.system().structure(); }
  Vec3 velocity(int node) { return model.history().v.segment<3>(structure().nodeDof[static_cast<std::size_t>(node)]); }
  const Vec3& at(int node) { return structure().nodes[static_cast<std::size_t>(node)]; }
  int count() { return static_cast<int>(structure().nodes.size()); }
  double fastest() {
    double out = 0;
    for (int i = 0; i < count(); ++i) out = std::max(out, velocity(i).norm());
    return out;
  }
  /// Rates [rad/s] at which the hinge angles begin to change, by the velocities of its nodes.
  std::vector<double> rates() {
    const double h = 1e-5 / (1 + fastest());
    rods_shells::ShellElasticity& shells = model.system().elasticity().shells();
    rods_shells::ShellStrains one, other;
    shells.strains(h * model.history().v, one), shells.strains(-h * model.history().v, other);
    std::vector<double> out;
    for (std::size_t i = 0; i < one.angle.size(); ++i) out.push_back((one.angle[i] - other.angle[i]) / (2 * h));
    return out;
  }
};

const char* const bendings[] = {"hinge", "midedge"};

// A side that is clamped may not turn, though no node of it would move: the rest folds at the crease alone.
TEST(HingeRates, AClampedSideDoesNotTurn) {
  for (const char* bending : bendings) {
    Started run(strip(bending, R"J({"of": {"of": "flap", "where": "abs(x - 0.02) < 1e-6"}, "hingeRate": 3})J",
                      R"J(, "constraints": [{"clamp": {"of": "flap", "where": "x < -0.0199"}}])J"));
    for (int i = 0; i < run.count(); ++i) {
      const double beyond = std::max(0.0, run.at(i).x() - 0.02);
      EXPECT_NEAR(run.velocity(i).norm(), 3 * beyond, 1e-6) << bending << " at x = " << run.at(i).x();
    }
  }
}

// What is joined to the sheet is so stiff that its bending is lost in round-off.
TEST(HingeRates, WhatRoundOffHidesIsRefused) {
  const auto beside = [] {
    return strip("hinge", R"J({"of": {"of": "flap", "where": "abs(x - 0.02) < 1e-6"}, "hingeRate": 3})J",
                 R"J(, "defaults": {"shells": {"material": "sheet"}},
      "constraints": [{"fix": {"of": "flap", "where": "x < -0.0099"}}], "joints": [{"weld": ["rib:first", "flap:8"]}],
      "rods": {"rib": {"material": "rib", "section": {"circle": {"radius": 0.002}}, "segments": 20,
        "path": {"line": {"from": [0.06, 0.09, -0.05], "to": [0.08, 0.09, -0.05]}}}})J");
  };
  std::string soft = beside(), stiff = beside();
  const std::string key = "\"materials\": {";
  soft.insert(soft.find(key) + key.size(), R"J("rib": {"youngs": 1e7, "density": 1000}, )J");
  stiff.insert(stiff.find(key) + key.size(), R"J("rib": {"youngs": 2e14, "density": 7800}, )J");
  Started run(soft);
  EXPECT_NEAR(run.velocity(0).norm(), 3 * 0.04, 1e-6) << "the weld";
  try {
    Started lost(stiff);
    EXPECT_NEAR(lost.velocity(0).norm(), 3 * 0.04, 1e-3) << "a wrong number without a word";
  } catch (const model::BuildError& error) {
    EXPECT_NE(std::string(error.what()).find("round-off"), std::string::npos);
    EXPECT_EQ(error.pointer.rfind("/initial/0", 0), 0u);
  }
}

// The two halves turn against each other, and neither is strained.
TEST(HingeRates, ACreaseOpensAtItsRate) {
  for (const char* bending : bendings) {
    Started run(strip(bending, R"J({"of": {"of": "flap", "where": "abs(x - 0.02) < 1e-6"}, "hingeRate": 3})J"));
    const std::vector<double> rates = run.rates();
    for (std::size_t i = 0; i < rates.size(); ++i) {
      const rods_shells::ShellEdge& e = run.structure().shell.edges[i];
      const bool crease = std::abs(run.at(e.a).x() - 0.02) + std::abs(run.at(e.b).x() - 0.02) < 1e-6;
      EXPECT_NEAR(rates[i], crease ? 3 : 0, 1e-6) << bending;
    }
    // Toward the normals, which are +z: both ends rise.
    EXPECT_GT(run.velocity(0).z(), 0.01);
    EXPECT_GT(run.velocity(8).z(), 0.01);
  }
}

// Hinge angles of a cylinder: what they belong to is found, but for what moves the sheet as a whole.
TEST(HingeRates, AStripThatBendsToACylinderMovesAsOne) {
  const double k = 7;
  const auto bent = [&](double x) { return 0.5 * k * (x - 0.02) * (x - 0.02); };
  for (const char* bending : bendings) {
    Built flat(strip(bending, ""));
    const rods_shells::Structure& s = flat.structure();
    VectorX w = VectorX::Zero(s.size);
    for (std::size_t i = 0; i < s.nodes.size(); ++i) w[s.nodeDof[i] + 2] = bent(s.nodes[i].x());
    rods_shells::ShellStrains one, other;
    const double h = 1e-4;
    flat.system->elasticity().shells().strains(h * w, one);
    flat.system->elasticity().shells().strains(-h * w, other);
    std::vector<scene::NodeRef> all;
    for (int i = 0; i < static_cast<int>(s.nodes.size()); ++i) all.push_back({0, i});
    std::string rates;
    for (const int i : rods_shells::selectedHinges(s, all))
      rates += (rates.empty() ? "" : ", ") +
               number((one.angle[static_cast<std::size_t>(i)] - other.angle[static_cast<std::size_t>(i)]) / (2 * h));
    Started run(strip(bending, R"J({"of": "flap", "hingeRate": [)J" + rates + "]}"));
    // Less what lifts and tilts it, by its masses.
    Mat3 inertia = Mat3::Zero();
    Vec3 momenta = Vec3::Zero();
    const auto tilts = [&](int i) { return Vec3(1, run.at(i).x(), run.at(i).y()); };
    for (int i = 0; i < run.count(); ++i) {
      const double m = s.mass[s.nodeDof[static_cast<std::size_t>(i)]];
      inertia += m * tilts(i) * tilts(i).transpose(), momenta += m * bent(run.at(i).x()) * tilts(i);
    }
    const Vec3 rigid = inertia.ldlt().solve(momenta);
    for (int i = 0; i < run.count(); ++i) {
      const Vec3 v = run.velocity(i);
      EXPECT_NEAR(v.z(), bent(run.at(i).x()) - rigid.dot(tilts(i)), 1e-8) << bending << " " << i;
      EXPECT_NEAR(v.head<2>().norm(), 0, 1e-8) << bending << " " << i;
    }
  }
}

TEST(HingeRates, HingesFollowForAShortTimeToItsFirstOrder) {
  for (const char* bending : bendings) {
    double error[2];
    for (const int fine : {0, 1}) {
      const double dt = fine ? 5e-6 : 1e-5;
      SceneRun run(strip(bending, R"J({"of": {"of": "flap", "where": "abs(x - 0.02) < 1e-6"}, "hingeRate": 2})J",
                         R"J(, "solver": {"integrator": "implicit-midpoint", "dt": )J" + number(dt) +
                             R"J(, "duration": )J" + number(4 * dt) +
                             R"J(}, "probes": {"fold": {"angle": {"of": "flap", "where": "abs(x - 0.02) < 1e-6"}}})J"));
      run.toEnd();
      error[fine] = std::abs(run["fold"] / (4 * dt * 2) - 1);
    }
    EXPECT_LT(error[1], 0.05) << bending;
    EXPECT_LT(error[1], 0.6 * error[0] + 1e-6) << bending;
  }
}

// Two triangles of altitude H on one hinge, free: with m at either far corner, and twice as much at those of the hinge,
// its angle has the inertia m H^2 / 3 and swings as a spring of M(17).
TEST(HingeRates, AHingeSwingsWithTheEnergyThatItBeganWith) {
  const double side = 0.02, H = side * std::sqrt(0.75), thickness = 4e-4, E = 1e6, rho = 1000, rate = 0.05;
  const double m = rho * thickness * 0.5 * side * H / 3, inertia = m * H * H / 3,
               k = 2 / std::sqrt(3.0) * E * std::pow(thickness, 3) / 12, frequency = std::sqrt(k / inertia);
  const double quarter = 0.5 * 3.14159265358979323846 / frequency;
  const std::string mesh =
      meshText({{0, 0, 0}, {side, 0, 0}, {0.5 * side, H, 0}, {0.5 * side, -H, 0}}, {{0, 1, 2}, {1, 0, 3}});
  SceneRun run(R"J({"format": "tendril/1", "materials": {"sheet": {"youngs": 1e6, "poisson": 0.3, "density": 1000}},
    "shells": {"flap": {"thickness": 4e-4, "bending": "hinge", "mesh": )J" +
               mesh +
               R"J(}}, "initial": [{"of": "flap", "hingeRate": 0.05}],
    "solver": {"integrator": "implicit-midpoint", "tolerance": 1e-11, "dt": )J" +
               number(quarter / 200) + R"J(, "duration": )J" + number(quarter) +
               R"J(}, "probes": {"fold": {"angle": "flap"}, "T": {"energy": "kinetic"}}})J");
  EXPECT_NEAR(run["T"], 0.5 * inertia * rate * rate, 1e-9 * inertia * rate * rate);
  run.toEnd();
  EXPECT_NEAR(run["fold"], rate / frequency, 1e-4 * rate / frequency);
  EXPECT_LT(run["T"], 1e-3 * 0.5 * inertia * rate * rate);
}

struct Momentum {
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
  double scale = 0;
};
Momentum momentumOf(Started& run) {
  Momentum out;
  const VectorX& m = run.model.system().loads().mass();
  for (int i = 0; i < run.count(); ++i) {
    const Vec3 p = m[run.structure().nodeDof[static_cast<std::size_t>(i)]] * run.velocity(i);
    out.linear += p, out.angular += run.at(i).cross(p), out.scale += p.norm();
  }
  return out;
}

const char* const uneven = R"J({"of": "flap", "hingeRate": "=4 - 30*(x - 0.02)^2 + 20*(y - 0.1) + 0.3*i/n"})J";

TEST(HingeRates, WhatNothingHoldsHasNoMomentum) {
  for (const char* bending : bendings) {
    for (const char* loads : {"", R"J(, "loads": [{"mass": 0.003, "at": "flap:4"}])J"}) {
      Started run(strip(bending, uneven, loads));
      const Momentum p = momentumOf(run);
      EXPECT_GT(run.fastest(), 0.01);
      EXPECT_LT(p.linear.norm(), 1e-12 * p.scale) << bending;
      EXPECT_LT(p.angular.norm(), 1e-13 * p.scale) << bending;
    }
  }
}

TEST(HingeRates, SupportsDoNotMove) {
  for (const char* bending : bendings) {
    Started held(strip(bending, uneven, R"J(, "constraints": [{"clamp": {"of": "flap", "where": "x < -0.0199"}}])J"));
    for (const int i : {0, 9, 18}) EXPECT_EQ(held.velocity(i).norm(), 0);
    EXPECT_GT(held.velocity(8).z(), 0.001);
    // On an edge that may turn, the rest has no momentum about it.
    Started hinged(strip(bending, uneven, R"J(, "constraints": [{"fix": {"of": "flap", "where": "x < -0.0199"}}])J"));
    for (const int i : {0, 9, 18}) EXPECT_EQ(hinged.velocity(i).norm(), 0);
    const VectorX& m = hinged.model.system().loads().mass();
    double about = 0, scale = 0;
    for (int i = 0; i < hinged.count(); ++i) {
      const double p = m[hinged.structure().nodeDof[static_cast<std::size_t>(i)]] * hinged.velocity(i).z();
      about += (hinged.at(i).x() + 0.02) * p, scale += 0.08 * std::abs(p);
    }
    EXPECT_GT(scale, 0);
    EXPECT_LT(std::abs(about), 1e-11 * scale) << bending;
  }
}

TEST(HingeRates, TurnWithTheShellAndAddToItsVelocity) {
  const Mat3 turn = Eigen::AngleAxisd(0.9, Vec3(0.3, -0.5, 0.8).normalized()).toRotationMatrix();
  for (const char* bending : bendings) {
    Started one(strip(bending, R"J({"of": "flap", "hingeRate": 5})J")),
        other(strip(bending, R"J({"of": "flap", "hingeRate": 5}, {"of": "flap", "velocity": [1, 2, 3]})J", "", turn));
    for (int i = 0; i < one.count(); ++i)
      EXPECT_LT((turn * one.velocity(i) + Vec3(1, 2, 3) - other.velocity(i)).norm(), 1e-9) << bending;
    EXPECT_GT(one.fastest(), 0.01);
  }
}

// Scales of length, mass and time, and how thin it is, are nothing to it.
TEST(HingeRates, AreFoundInAnyUnitsAndForThinSheets) {
  for (const double thickness : {5e-3, 5e-4, 5e-6}) {
    for (const double youngs : {1e-3, 1e6, 1e12}) {
      std::string text =
          strip("midedge", R"J({"of": {"of": "flap", "where": "abs(x - 0.02) < 1e-6"}, "hingeRate": 1e-3})J");
      text.replace(text.find("\"youngs\": 1e6"), 13, "\"youngs\": " + number(youngs));
      text.replace(text.find("\"thickness\": 5e-4"), 17, "\"thickness\": " + number(thickness));
      Started run(text);
      double worst = 0;
      for (std::size_t i = 0; i < run.rates().size(); ++i) {
        const rods_shells::ShellEdge& e = run.structure().shell.edges[i];
        const bool crease = std::abs(run.at(e.a).x() - 0.02) + std::abs(run.at(e.b).x() - 0.02) < 1e-6;
        worst = std::max(worst, std::abs(run.rates()[i] - (crease ? 1e-3 : 0)));
      }
      EXPECT_LT(worst, 1e-8) << thickness << " " << youngs;
    }
  }
}

// A body that it is not joined to moves as it did, bit for bit.
TEST(HingeRates, AreNothingToOtherBodies) {
  const std::string other =
      R"J("other": {"thickness": 1e-3, "material": "sheet", "mesh": {"rectangle": {"corner": [1, 0, 0], "along": [0.3, 0, 0], "across": [0, 0.2, 0], "edge": 0.1}}}, )J";
  std::string both = strip("hinge", std::string(uneven) + R"J(, {"of": "other", "velocity": [0, 0, "=x*y"]})J");
  both.insert(both.find("\"flap\""), other);
  both.insert(both.find("\"bending\""), "\"material\": \"sheet\", ");
  Started two(both), one(strip("hinge", uneven));
  const int first = two.count() - one.count();
  for (int i = 0; i < one.count(); ++i) EXPECT_EQ(one.velocity(i), two.velocity(first + i));
  for (int i = 0; i < first; ++i) EXPECT_EQ(two.velocity(i), Vec3(0, 0, two.at(i).x() * two.at(i).y()));
}

// A folded sheet that wants to be flat is stressed; its hinges begin to open all the same.
TEST(HingeRates, StressOfTheInitialShapeIsNothingToThem) {
  for (const char* bending : bendings) {
    const std::string mesh =
        gridMesh(4, 2, [](int i, int j) { return Vec3(0.01 * (i - 2), 0.01 * j, 0.006 * std::abs(i - 2)); });
    Started run(R"J({"format": "tendril/1", "materials": {"sheet": {"youngs": 1e6, "poisson": 0.3, "density": 1000}},
      "shells": {"flap": {"thickness": 1e-3, "natural": "flat", "bending": ")J" +
                std::string(bending) + R"J(", "mesh": )J" + mesh +
                R"J(}}, "initial": [{"of": {"of": "flap", "where": "abs(x) < 1e-6"}, "hingeRate": -2}]})J");
    const std::vector<double> rates = run.rates();
    for (std::size_t i = 0; i < rates.size(); ++i) {
      const rods_shells::ShellEdge& e = run.structure().shell.edges[i];
      const bool crease = std::abs(run.at(e.a).x()) + std::abs(run.at(e.b).x()) < 1e-6;
      EXPECT_NEAR(rates[i], crease ? -2 : 0, 1e-6) << bending;
    }
  }
}

std::string refusal(const std::string& initial) {
  auto result = scene::loadScene(
      R"J({"format": "tendril/1", "materials": {"soft": {"youngs": 1e5, "poisson": 0.3, "density": 1000}},
    "rods": {"arm": {"section": {"circle": {"radius": 0.01}}, "segments": 2, "path": {"line": {"from": [0, 0, 1], "to": [1, 0, 1]}}}},
    "shells": {"sheet": {"thickness": 0.01, "mesh": {"rectangle": {"corner": [0, 0, 0], "along": [1, 0, 0], "across": [0, 1, 0], "edge": 0.5}}}},
    "linkages": {"chain": {"links": {"bar": {"body": {"rigid": {"length": 0.3, "section": {"circle": {"radius": 0.01}}, "density": 1000}}}}}},
    "initial": [)J" +
      initial + "]}");
  const auto* problems = std::get_if<Problems>(&result);
  return problems ? problems->front().message : "";
}

TEST(HingeRates, WhatHasNoHingesIsRefusedWithAWord) {
  const auto refused = [](const std::string& initial, const char* word) {
    const std::string told = refusal(initial);
    EXPECT_NE(told.find(word), std::string::npos) << initial << ": " << told;
  };
  refused(R"J({"of": "arm", "hingeRate": 1})J", "is a rod");
  refused(R"J({"of": "chain/bar", "hingeRate": 1})J", "is for shells");
  refused(R"J({"of": "sheet:0", "hingeRate": 1})J", "hinge");
  refused(R"J({"of": "sheet", "hingeRate": [1, 2]})J", "2 rates for");
  refused(R"J({"of": "sheet", "hingeRate": "=1/0"})J", "no finite number");
  refused(R"J({"of": "sheet", "hingeRate": "=t"})J", "t");
  refused(R"J({"of": "sheet", "hingeRate": "=s"})J", "s");
  refused(R"J({"of": "sheet", "hingerate": 1})J", "hingeRate");
  refused(R"J({"of": "sheet", "hingeRate": true})J", "expected");
  EXPECT_EQ(refusal(R"J({"of": "sheet", "hingeRate": "=x*y + i/n", "velocity": [0, 0, 1]})J"), "");
  EXPECT_THROW(Started(strip("hinge", R"J({"of": "flap", "hingeRate": "=1/(x - x)"})J")), std::exception);
}

}  // namespace hinge_rates_test
}  // namespace tendril::test
