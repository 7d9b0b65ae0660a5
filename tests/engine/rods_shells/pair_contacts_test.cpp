// Rods and shells that touch themselves and each other in the assembled system: exact derivatives, momentum, no
// crossing, the pattern of the tangent, save and restore.
#include <gtest/gtest.h>

#include "engine/geometry/draw.h"
#include "engine/rods_shells/shell_scenes.h"
#include "engine/simulation/run_scene.h"

namespace tendril::rods_shells {
namespace pair_contacts_test {

using namespace test;

// Two rods, one bent over the other, and two sheets: every kind of pair, with a contact layer that reaches all of them.
std::string crowd(const std::string& contact) {
  return R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e5, "poisson": 0.3, "density": 1000, "damping": 50}},
    "defaults": {"rods": {"section": {"circle": {"radius": 0.02}}, "segments": 5}},
    "rods": {"bow": {"path": {"arc": {"center": [0, 0, 1], "from": [0.6, 0, 0.6], "axis": [0, 1, 0], "angle": 1.4}}},
             "bar": {"path": {"line": {"from": [0.1, -0.5, 0.7], "to": [0.2, 0.6, 0.5]}}}},
    "shells": {"low": {"thickness": 0.04, "mesh": )J" +
         gridMesh(2, 2, [](int i, int j) { return Vec3(0.4 * i, 0.4 * j, -0.1 + 0.1 * i * j); }) +
         R"J(}, "high": {"thickness": 0.03, "mesh": )J" +
         gridMesh(2, 1, [](int i, int j) { return Vec3(0.1 + 0.3 * i, 0.4 * j, 0.3 + 0.05 * i); }) + R"J(}},
    "contact": {"self": true, )J" +
         contact + R"J(}, "environment": {"gravity": [0, 1, -9.81]},
    "solver": {"dt": 0.01, "duration": 1}})J";
}

const char* const rubbing = R"J("stiffness": 3000, "distance": 0.5, "friction": 0.4, "slip": 4, "damping": 0.02)J";
const char* const rubbingPerLength =
    R"J("per": "length", "stiffness": 9000, "distance": 0.5, "friction": 0.4, "slip": 4)J";

TEST(PairContacts, ResidualIsTheGradientOfThePotentialWhileFrictionIsLagged) {
  for (const char* law : {rubbing, rubbingPerLength}) {
    for (unsigned seed = 1; seed <= 4; ++seed) {
      ShellState s(crowd(law), seed, 0.05);
      s.beginContact();
      VectorX r, unused;
      const solve::Evaluation here = s.evaluate(s.trial, solve::Level::residual, r);
      ASSERT_TRUE(here.valid && here.hasPotential);
      ASSERT_GT(s.system.pairs().summary(s.trial, {}).pairs, 100);
      for (int k = 0; k < 4; ++k) {
        const VectorX d = s.direction();
        const auto difference = [&](double h) {
          return (s.evaluate(s.trial + h * d, solve::Level::value, unused).potential -
                  s.evaluate(s.trial - h * d, solve::Level::value, unused).potential) /
                 (2 * h);
        };
        const double slope = (4 * difference(4e-5) - difference(8e-5)) / 3;
        EXPECT_NEAR(slope, r.dot(d), 1e-6 * r.norm()) << "seed " << seed;
      }
    }
  }
}

TEST(PairContacts, TangentIsTheDerivativeOfTheResidual) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    ShellState s(crowd(rubbing), seed, 0.05);
    s.beginContact();
    VectorX r, up, down, y(s.trial.size());
    ASSERT_TRUE(s.evaluate(s.trial, solve::Level::tangent, r).valid);
    ASSERT_TRUE(s.system.factor(0).ok);
    for (int k = 0; k < 3; ++k) {
      const VectorX b = s.direction();
      s.system.solve(b, y);
      const double size = y.norm();
      const auto difference = [&](double h) {
        s.evaluate(s.trial + (h / size) * y, solve::Level::residual, up);
        s.evaluate(s.trial - (h / size) * y, solve::Level::residual, down);
        return VectorX((up - down) * (size / (2 * h)));
      };
      // Steps that few changes of case fall into, where the Hessian jumps.
      const VectorX derivative = (4 * difference(3e-5) - difference(6e-5)) / 3;
      EXPECT_LT((derivative - b).norm(), 1e-5 * b.norm()) << "seed " << seed;
    }
  }
}

TEST(PairContacts, FrictionAndNormalForcesBetweenBodiesAddUpToNothing) {
  ShellState s(crowd(rubbing), 7, 0.05);
  s.beginContact();
  const VectorX v = s.kinematics.rates.v * (s.trial - s.accepted) + s.kinematics.v0;
  VectorX gradient = VectorX::Zero(s.system.size() + 1);
  solve::Evaluation out;
  s.system.pairs().follow(s.trial);
  rods_shells::TermSums sums{out, gradient, gradient};
  s.system.pairs().evaluate(s.trial, v, s.kinematics.rates.v, solve::Level::residual, sums);
  Vec3 force = Vec3::Zero();
  double size = 0;
  for (const int dof : s.structure().nodeDof) {
    force += gradient.segment<3>(dof);
    size += gradient.segment<3>(dof).norm();
  }
  EXPECT_GT(size, 1);
  EXPECT_LT(force.norm(), 1e-13 * size);
}

/// A rod thrown across another one, with the gap and speed of a bullet.
std::string thrown(double speed, const std::string& more) {
  return R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "poisson": 0.3, "density": 1000}},
    "defaults": {"rods": {"section": {"circle": {"radius": 2e-3}}, "segments": 12}},
    "rods": {"still": {"path": {"line": {"from": [-0.1, 0, 0], "to": [0.1, 0.01, 0]}}},
             "thrown": {"path": {"line": {"from": [0.005, -0.11, 0.03], "to": [0.003, 0.1, 0.03]}}}},
    "contact": {"self": true, "stiffness": 1e5, "distance": 2e-4)J" +
         more + R"J(},
    "initial": [{"of": "thrown", "velocity": [0, 0, )J" +
         digits(-speed) + R"J(]}],
    "solver": {"dt": 1e-3, "duration": 0.05},
    "probes": {"low": {"position": "still:6"}, "high": {"position": "thrown:6"}, "f": {"contact": "force"},
               "many": {"contact": "pairs"}, "still": {"contact": "force", "of": "still"}, "e": {"energy": "contact"}}})J";
}

/// How far the thrown rod is above the still one where they cross in plan; all nodes only move up and down.
double clearance(const Simulation& sim) {
  const auto bodies = sim.bodies();
  const auto at = [&](int body, int node) {
    const double* x = bodies[body].nodes.data() + 3 * node;
    return Vec3(x[0], x[1], x[2]);
  };
  for (int i = 0; i < 12; ++i) {
    for (int j = 0; j < 12; ++j) {
      const Vec3 a = at(0, i), d = at(0, i + 1) - a, b = at(1, j), e = at(1, j + 1) - b, r = b - a;
      const double det = d.x() * e.y() - d.y() * e.x();
      const double s = (r.x() * e.y() - r.y() * e.x()) / det, t = (r.x() * d.y() - r.y() * d.x()) / det;
      if (s >= 0 && s < 1 && t >= 0 && t < 1) return b.z() + t * e.z() - a.z() - s * d.z();
    }
  }
  throw std::runtime_error("the rods do not cross in plan");
}

TEST(PairContacts, AThrownRodNeverPassesThroughAnother) {
  // Up to twenty times its thickness per step.
  for (const double speed : {1.0, 5.0, 80.0}) {
    std::string text = thrown(speed, "");
    text.replace(text.find("\"initial\""), 0, R"J("constraints": [{"fix": "*", "axes": "xy"}], )J");
    SceneRun run(text);
    double touched = 0;
    while (!run.sim.finished()) {
      run.sim.step();
      touched += column(run.sim, "f");
      ASSERT_GT(clearance(run.sim), 0) << speed;
    }
    EXPECT_GT(touched, 0) << speed;
    EXPECT_LT(run.sim.maxPenetration(), 4e-3) << speed;
  }
}

TEST(PairContacts, ProbesSeeBothSidesOfAContact) {
  SceneRun run(thrown(1, ""));
  double most = 0, energy = 0;
  while (!run.sim.finished()) {
    run.sim.step();
    EXPECT_EQ(column(run.sim, "f"), column(run.sim, "still"));
    most = std::max(most, column(run.sim, "many")), energy = std::max(energy, column(run.sim, "e"));
  }
  EXPECT_GE(most, 1);
  EXPECT_GT(energy, 0);
}

TEST(PairContacts, SaveAndRestoreGoOnBitForBit) {
  const std::string text = thrown(1, ", \"friction\": 0.3");
  for (const double at : {0.01, 0.026, 0.035}) {
    Simulation whole(text), first(text), second(text);
    whole.advance(0.05);
    first.advance(at);
    second.restore(first.save());
    second.advance(0.05 - at);
    EXPECT_EQ(allNodes(second), allNodes(whole)) << at;
    EXPECT_EQ(second.maxPenetration(), whole.maxPenetration()) << at;
  }
}

TEST(PairContacts, ASavedPairOfAnotherSceneIsRefused) {
  Simulation sim(thrown(1, ""));
  sim.advance(0.03);
  std::vector<std::byte> saved = sim.save();
  Simulation other(thrown(1, ""));
  for (std::size_t cut = 1; cut < 40; cut += 7) {
    EXPECT_THROW(other.restore(std::span(saved).first(saved.size() - cut)), std::runtime_error);
  }
}

// A strip folded over itself by gravity: its upper half comes to lie on its lower one.
TEST(PairContacts, AFoldedSheetLiesOnItself) {
  const std::string text =
      R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e5, "poisson": 0.3, "density": 1000, "damping": 50}},
    "shells": {"s": {"thickness": 2e-3, "bending": "hinge", "mesh": {"rectangle": {"corner": [0, 0, 0], "along": [0.2, 0, 0], "across": [0, 0.05, 0], "edge": 0.0125}}}},
    "obstacles": {"table": {"plane": {"point": [0, 0, -1.3e-3], "normal": [0, 0, 1]}}},
    "contact": {"self": true, "stiffness": 500, "distance": 4e-4, "friction": 0.3},
    "constraints": [{"fix": {"of": "s", "where": "x < 0.08"}}, {"move": {"of": "s", "where": "x > 0.19"}, "velocity": ["=-0.25*(t<0.6)", 0, "=(0.02 + 0.2*cos(pi*t/0.6))*(t<0.6)"], "until": 0.6}],
    "environment": {"gravity": [0, 0, -9.81], "viscous": 0.01}, "solver": {"dt": 2e-3, "duration": 1.2},
    "probes": {"f": {"contact": "force", "of": "s"}, "end": {"position": {"of": "s", "where": "x > 0.19"}, "reduce": "min"}}})J";
  SceneRun run(text);
  while (!run.sim.finished()) run.sim.step();
  EXPECT_GT(run["end.z"], 1e-3);  // not through the sheet below
  EXPECT_LT(run["end.z"], 0.05);
  EXPECT_LT(run.sim.maxPenetration(), 5e-4);
}

TEST(PairContacts, SupportsDoNotMoveOneRodThroughAnother) {
  const std::string text =
      R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "poisson": 0.3, "density": 1000}},
    "defaults": {"rods": {"section": {"circle": {"radius": 2e-3}}, "segments": 8}},
    "rods": {"still": {"path": {"line": {"from": [-0.1, 0, 0], "to": [0.1, 0, 0]}}},
             "moved": {"path": {"line": {"from": [0.004, -0.1, 0.03], "to": [0.004, 0.1, 0.03]}}}},
    "contact": {"self": true, "stiffness": 1e5, "distance": 2e-4},
    "constraints": [{"fix": "still"}, {"move": "moved", "velocity": [0, 0, -1]}],
    "solver": {"dt": 1e-2, "duration": 0.1}, "probes": {"moved": {"position": "moved"}}})J";
  Simulation sim(text);
  EXPECT_THROW(runToEnd(sim), GaveUp);
  EXPECT_GT(column(sim, "moved.z"), 0);
}

TEST(PairContacts, LivePartsOfTheLawActWithoutARestart) {
  std::string text = thrown(1, ", \"friction\": \"=mu\"");
  text.replace(text.find("\"materials\""), 0, "\"parameters\": {\"mu\": 0.1}, ");
  Simulation sim(text), same(text);
  sim.advance(0.02), same.advance(0.02);
  EXPECT_TRUE(sim.set("mu", 0.9));
  sim.advance(0.03), same.advance(0.03);
  EXPECT_NE(allNodes(sim), allNodes(same));
}

// Two free rods that begin a third of their thickness inside each other: parted, not thrown apart.
TEST(PairContacts, WhatBeginsInsideIsPartedGently) {
  const std::string text =
      R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "poisson": 0.3, "density": 1000}},
    "defaults": {"rods": {"section": {"circle": {"radius": 2e-3}}, "segments": 12}},
    "rods": {"low": {"path": {"line": {"from": [-0.1, 0, 0], "to": [0.1, 0.01, 0]}}},
             "high": {"path": {"line": {"from": [0.005, -0.11, 0.0027], "to": [0.003, 0.1, 0.0027]}}}},
    "contact": {"self": true, "stiffness": 1e5, "distance": 2e-4}, "solver": {"dt": 1e-3, "duration": 0.3},
    "probes": {"depth": {"contact": "penetration"}, "speed": {"velocity": "high"}, "f": {"contact": "force"}}})J";
  SceneRun run(text);
  EXPECT_NEAR(run["depth"], 1.3e-3, 1e-5);
  double fastest = 0;
  while (!run.sim.finished()) {
    run.sim.step();
    fastest = std::max(fastest, column(run.sim, "speed.z"));
  }
  EXPECT_EQ(run["depth"], 0);
  // 1.3 mm in a tenth of a second; at once, the penalty's energy would give 2 m/s.
  EXPECT_LT(fastest, 0.05);
  EXPECT_GT(fastest, 0.003);
}

TEST(PairContacts, WhatBeginsInsideIsApartInTheEquilibriumToStartFrom) {
  const std::string text =
      R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "poisson": 0.4, "density": 1100}},
    "defaults": {"rods": {"section": {"circle": {"radius": 4e-3}}, "segments": 20}},
    "rods": {"low": {"path": {"line": {"from": [0, 0, 4e-3], "to": [0.2, 0, 4e-3]}}},
             "high": {"path": {"line": {"from": [0.1, -0.1, 0.0105], "to": [0.1, 0.1, 0.0105]}}, "frame": [0, 0, 1]}},
    "constraints": [{"clamp": ["low:first", "low:last", "high:first"]}], "environment": {"gravity": [0, 0, -9.81]},
    "contact": {"stiffness": 50, "self": true},
    "solver": {"integrator": "implicit-midpoint", "dt": 1e-3, "duration": 0.15, "start": "equilibrium"},
    "probes": {"p": {"position": "high:last"}, "v": {"speed": "high:last"}, "f": {"contact": "force"}}})J";
  SceneRun run(text);
  const double start = run["p.z"];
  EXPECT_GT(run["f"], 0.01);
  while (!run.sim.finished()) {
    run.sim.step();
    EXPECT_LT(column(run.sim, "v"), 1e-5);
  }
  EXPECT_NEAR(run["p.z"], start, 1e-6);
}

TEST(PairContacts, ARodThatStartsOnBothSidesOfASheetIsRefused) {
  const std::string text =
      R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "poisson": 0.3, "density": 1000}},
    "rods": {"needle": {"section": {"circle": {"radius": 1e-3}}, "segments": 4, "path": {"line": {"from": [0.013, 0.011, -0.05], "to": [0.01, 0.01, 0.05]}}}},
    "shells": {"sheet": {"thickness": 1e-3, "mesh": {"rectangle": {"corner": [-0.1, -0.1, 0.001], "along": [0.2, 0, 0], "across": [0, 0.2, 0], "edge": 0.05}}}},
    "contact": {"self": true}, "solver": {"dt": 1e-3, "duration": 0.1}})J";
  try {
    Simulation sim(text);
    FAIL() << "it was accepted";
  } catch (const BadScene& bad) {
    EXPECT_EQ(bad.problems.front().pointer, "/contact/self");
    EXPECT_NE(bad.problems.front().message.find("\"needle\""), std::string::npos);
  }
}

// A rod pressed along its whole length onto a fixed one: how deep the contact gives way.
double giveWay(int segments, const std::string& law) {
  const std::string text =
      R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e7, "poisson": 0.3, "density": 1000, "damping": 1e4}},
    "defaults": {"rods": {"section": {"circle": {"radius": 5e-3}}, "segments": )J" +
      std::to_string(segments) + R"J(}},
    "rods": {"low": {"path": {"line": {"from": [-0.2, 0, 0], "to": [0.2, 0, 0]}}},
             "high": {"path": {"line": {"from": [-0.2, 0, 0.0101], "to": [0.2, 0, 0.0101]}}}},
    "contact": {"self": true, "distance": 1e-3, )J" +
      law + R"J(}, "constraints": [{"fix": "low"}, {"fix": "high", "axes": "xy"}],
    "loads": [{"line": [0, 0, -50], "on": "high"}], "solver": {"mode": "static"},
    "probes": {"middle": {"position": {"of": "high", "where": "abs(x) < 0.1"}}}})J";
  SceneRun run(text);
  while (!run.sim.finished()) run.sim.step();
  return 0.0101 - run["middle.z"];
}

TEST(PairContacts, PerLengthAFinerMeshIsAsStiff) {
  const char* const perLength = R"J("per": "length", "stiffness": 1e5)J";
  const double coarse = giveWay(20, perLength), fine = giveWay(80, perLength);
  EXPECT_GT(coarse, 2e-5);
  EXPECT_NEAR(fine, coarse, 0.02 * coarse);
  // Per contact, four times as many of them give way a good deal less.
  EXPECT_LT(giveWay(80, R"J("stiffness": 2e3)J"), 0.8 * giveWay(20, R"J("stiffness": 2e3)J"));
}

/// Two crossed rods, one thrown at the other; the penalty may be as soft as one likes.
std::string shot(const char* stiffness, const char* speed, int segments, const char* dt) {
  return std::string(R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "poisson": 0.3, "density": 1000}},
    "defaults": {"rods": {"section": {"circle": {"radius": 2e-3}}, "segments": )J") +
         std::to_string(segments) + R"J(}},
    "rods": {"still": {"path": {"line": {"from": [-0.05, 0, 0], "to": [0.05, 0.003, 0]}}},
             "thrown": {"path": {"line": {"from": [0.002, -0.05, 0.006], "to": [0.001, 0.05, 0.006]}}}},
    "contact": {"self": true, "stiffness": )J" +
         stiffness + R"J(, "distance": 2e-4}, "constraints": [{"fix": "*", "axes": "xy"}],
    "initial": [{"of": "thrown", "velocity": [0, 0, -)J" +
         speed + R"J(]}], "solver": {"dt": )J" + dt + R"J(, "duration": 0.02}})J";
}

// Either it bounces or the run says that contact is too soft; through the other rod it never gets.
TEST(PairContacts, HoweverSoftAndFastNothingCrosses) {
  struct Case {
    const char *stiffness, *speed, *dt;
    int segments;
  };
  for (const Case& c : {Case{"10", "10", "1e-3", 10}, Case{"1e3", "50", "1e-2", 10}, Case{"1e3", "30", "1e-3", 1},
                        Case{"1", "1", "1e-3", 6}}) {
    Simulation sim(shot(c.stiffness, c.speed, c.segments, c.dt));
    std::string reason;
    try {
      while (!sim.finished()) {
        sim.step();
        const auto bodies = sim.bodies();
        // Only up and down: the middle of the thrown rod against the middle of the other.
        const auto height = [&](int body) {
          const auto& x = bodies[body].nodes;
          return c.segments % 2 ? 0.5 * (x[2] + x[5]) : x[3 * (c.segments / 2) + 2];
        };
        ASSERT_GT(height(1), height(0)) << c.stiffness << " at " << c.speed;
      }
    } catch (const GaveUp& gaveUp) {
      reason = gaveUp.what();
      EXPECT_TRUE(reason.find("too soft") != std::string::npos || reason.find("no convergence") != std::string::npos)
          << reason;
    }
  }
}

TEST(PairContacts, StaticSupportsDoNotPassBodiesThroughEachOther) {
  const std::string text =
      R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "poisson": 0.3, "density": 1000}},
    "defaults": {"rods": {"section": {"circle": {"radius": 2e-3}}, "segments": 8}},
    "rods": {"still": {"path": {"line": {"from": [-0.1, 0, 0], "to": [0.1, 0, 0]}}},
             "moved": {"path": {"line": {"from": [0.004, -0.1, 0.03], "to": [0.004, 0.1, 0.03]}}}},
    "contact": {"self": true, "stiffness": 10, "distance": 2e-4},
    "constraints": [{"fix": "still"}, {"move": "moved", "displacement": [0, 0, -0.06]}],
    "solver": {"mode": "static", "loadSteps": 3}, "probes": {"moved": {"position": "moved"}}})J";
  Simulation sim(text);
  EXPECT_THROW(runToEnd(sim), GaveUp);
  EXPECT_GT(column(sim, "moved.z"), 0);
}

TEST(PairContacts, WhatStartsInOnePlaceIsRefusedAndWhatOverlapsIsTold) {
  const auto sheets = [](const char* z) {
    return std::string(R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "poisson": 0.3, "density": 1000}},
      "defaults": {"shells": {"thickness": 2e-3}},
      "shells": {"low": {"mesh": {"rectangle": {"corner": [0, 0, 0], "along": [0.1, 0, 0], "across": [0, 0.1, 0], "edge": 0.05}}},
                 "high": {"mesh": {"rectangle": {"corner": [0.01, 0.01, )J") +
           z + R"J(], "along": [0.1, 0, 0], "across": [0, 0.1, 0], "edge": 0.05}}}},
      "contact": {"self": true}, "solver": {"dt": 1e-3, "duration": 0.1}})J";
  };
  EXPECT_THROW(Simulation{sheets("0")}, BadScene);
  const Simulation told(sheets("1.5e-3"));
  ASSERT_EQ(told.sceneWarnings().size(), 1u);
  EXPECT_NE(told.sceneWarnings()[0].message.find("deepest by 0.5 mm"), std::string::npos)
      << told.sceneWarnings()[0].message;
  EXPECT_TRUE(Simulation(sheets("2.1e-3")).sceneWarnings().empty());
}

// What an explicit step may be depends on the penalty as well.
TEST(PairContacts, ExplicitStepsTooLongForThePenaltyAreRefused) {
  const auto scene = [](const char* stiffness, const char* dt) {
    return std::string(R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e5, "poisson": 0.3, "density": 1000}},
      "defaults": {"rods": {"section": {"circle": {"radius": 4e-3}}, "segments": 8}},
      "rods": {"still": {"path": {"line": {"from": [-0.1, 0, 0], "to": [0.1, 0, 0]}}},
               "moved": {"path": {"line": {"from": [0.004, -0.1, 0.012], "to": [0.004, 0.1, 0.012]}}}},
      "constraints": [{"clamp": ["still:first", "still:last"]}], "initial": [{"of": "moved", "velocity": [0, 0, -1]}],
      "contact": {"self": true, "distance": 4e-4, "stiffness": )J") +
           stiffness + R"J(}, "solver": {"integrator": "verlet", "dt": )J" + dt +
           R"J(, "duration": 0.02}, "probes": {"e": {"energy": "total"}, "f": {"contact": "force"}}})J";
  };
  EXPECT_THROW(Simulation{scene("1e6", "1e-4")}, BadScene);
  Simulation sim(scene("1e4", "2e-5"));
  const double before = column(sim, "e");
  double touched = 0;
  while (!sim.finished()) {
    sim.step();
    touched = std::max(touched, column(sim, "f"));
    EXPECT_NEAR(column(sim, "e"), before, 0.02 * before);
  }
  EXPECT_GT(touched, 0);
}

// Edges of a flat sheet lie in the planes of all its triangles, on whichever side round-off puts them.
TEST(PairContacts, AFlatSheetDoesNotPierceItselfHoweverItLies) {
  Draw draw(11);
  for (int k = 0; k < 400; ++k) {
    const Mat3 turn = Eigen::AngleAxisd(draw.uniform(0, 3), draw.inCube(1).normalized()).toRotationMatrix();
    const Vec3 along(0.075, 0, -0.0028184052877395093), across(0, 0.05, 0), shift = draw.inCube(0.5);
    const std::string text =
        R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e7, "density": 1000}},
      "shells": {"skin": {"thickness": 1e-3, "mesh": )J" +
        gridMesh(4, 2, [&](int i, int j) { return Vec3(turn * (i * along + j * across) + shift); }) +
        R"J(}}, "contact": {"self": true}, "solver": {"dt": 1e-3, "duration": 1e-3}})J";
    EXPECT_NO_THROW(Simulation{text}) << k;
  }
}

}  // namespace pair_contacts_test
}  // namespace tendril::rods_shells
