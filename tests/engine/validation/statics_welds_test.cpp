// Welds against the theory of frames of beams: n half edges that meet in one rigid node. Order 2 in the edge length for
// stars, corners of any angle, unlike arms and rods on clamped plates; what hangs on a weld and carries nothing changes
// nothing; and neither the place, the direction nor the order of things does.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <random>

#include "engine/simulation/run_scene.h"
#include "engine/validation/statics_run.h"
#include "geometry/frames.h"

namespace tendril::test {
namespace statics_welds_test {

struct ArmOf {
  Vec3 along;  // from the middle to its end [m]
  double EI, GJ, EA;
  bool clamped;
};

std::string vectorText(const Vec3& v) { return "[" + digits(v.x()) + "," + digits(v.y()) + "," + digits(v.z()) + "]"; }

/// Rods from the origin to their ends, welded there; every other one is drawn toward the weld.
std::string star(const std::vector<ArmOf>& arms, int segments, const std::string& rest, bool backwards = false) {
  std::string rods, weld, constraints;
  for (std::size_t k = 0; k < arms.size(); ++k) {
    const std::size_t i = backwards ? arms.size() - 1 - k : k;
    const ArmOf& a = arms[i];
    const bool inwards = i % 2 == 1;
    const std::string name = "a" + std::to_string(i), outer = name + (inwards ? ":first" : ":last");
    rods += (k ? ", \"" : "\"") + name + R"(": {"section": {"stiffness": {"EA": )" + digits(a.EA) + R"(, "EI1": )" +
            digits(a.EI) + R"(, "EI2": )" + digits(a.EI) + R"(, "GJ": )" + digits(a.GJ) +
            R"(}, "massPerLength": 1, "radius": 0.01}, "segments": )" + std::to_string(segments) +
            R"(, "path": {"line": {"from": )" + vectorText(inwards ? a.along : Vec3(Vec3::Zero())) + R"(, "to": )" +
            vectorText(inwards ? Vec3(Vec3::Zero()) : a.along) + "}}}";
    weld += (k ? ", \"" : "\"") + name + (inwards ? ":last\"" : ":first\"");
    if (a.clamped) constraints += (constraints.empty() ? R"({"clamp": ")" : R"(, {"clamp": ")") + outer + "\"}";
  }
  return R"({"format": "tendril/1", "rods": {)" + rods + R"(}, "joints": [{"weld": [)" + weld +
         R"(]}], "constraints": [)" + constraints + R"(], "solver": {"mode": "static", "tolerance": 1e-13}, )" + rest +
         "}";
}

/// Displacement and turn of the middle of a star under a force and a moment there: beams that are clamped at their
/// ends.
Eigen::Matrix<double, 6, 1> frameTheory(const std::vector<ArmOf>& arms, const Vec3& force, const Vec3& moment) {
  Mat<6> K = Mat<6>::Zero();
  for (const ArmOf& a : arms) {
    if (!a.clamped) continue;
    const double L = a.along.norm();
    const Vec3 t = a.along / L;
    const Mat3 along = t * t.transpose(), across = Mat3::Identity() - along;
    K.block<3, 3>(0, 0) += a.EA / L * along + 12 * a.EI / (L * L * L) * across;
    K.block<3, 3>(3, 3) += a.GJ / L * along + 4 * a.EI / L * across;
    const Mat3 mixed = -6 * a.EI / (L * L) * geometry::skew(t);  // u . (turn x t)
    K.block<3, 3>(0, 3) += mixed;
    K.block<3, 3>(3, 0) += mixed.transpose();
  }
  Vec<6> load;
  load << force, moment;
  return K.ldlt().solve(load);
}

TEST(Welds, StarsOfUnlikeArmsFollowTheTheoryOfFramesToTheSecondOrder) {
  std::mt19937 random(5);
  const auto uniform = [&](double a, double b) { return a + (b - a) * (double(random()) / 4294967296.0); };
  for (int n = 2; n <= 6; ++n) {
    SCOPED_TRACE(std::to_string(n) + " arms");
    std::vector<ArmOf> arms;
    for (int k = 0; k < n; ++k) {
      Vec3 t(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1));
      const double EI = std::exp(uniform(-2, 2));
      arms.push_back({uniform(0.5, 1.5) * t.normalized(), EI, EI * uniform(0.5, 2), 1e4 * EI, true});
    }
    arms.push_back({Vec3(0.3, -0.5, 0.4), 0.7, 0.9, 1e4, false});  // the force pulls at its end
    const Vec3 F = 1e-7 * Vec3(1, 2, -1.5), M = 1e-7 * Vec3(-0.7, 0.4, 0.9), arm = arms.back().along;
    const auto u = frameTheory(arms, F, M + arm.cross(F));
    const double L = arm.norm();
    const Vec3 t = arm / L, across = F - t * t.dot(F);
    const Vec3 exact = u.head<3>() + Vec3(u.tail<3>()).cross(arm) + L * L * L / (3 * arms.back().EI) * across +
                       L / arms.back().EA * (F - across);
    const std::string last = "a" + std::to_string(n) + (n % 2 ? ":first" : ":last"),
                      middle = n % 2 ? ":last" : ":first";
    const std::string loads = R"("loads": [{"force": )" + vectorText(F) + R"(, "at": ")" + last + R"("}, {"moment": )" +
                              vectorText(M) + R"(, "at": "a0:first"}], "probes": {"tip": {"position": ")" + last +
                              R"("}})";
    double error[2];
    for (int k = 0; k < 2; ++k) {
      Simulation sim(star(arms, 12 << k, loads));
      runToEnd(sim);
      error[k] = (vectorColumn(sim, "tip") - arm - exact).norm() / exact.norm();
    }
    EXPECT_LT(error[0], 3.0 / (12 * 12));
    EXPECT_LT(error[1], 0.26 * error[0] + 1e-7);
  }
}

/// Tip displacement of a bracket: a clamped arm of 1 m along x, and one of 0.6 m that leaves it at an angle.
Vec3 bracketTip(double angle, int segments, const Vec3& F) {
  const Vec3 second = 0.6 * Vec3(std::cos(angle), std::sin(angle), 0);
  Simulation sim(star({{Vec3(-1, 0, 0), 1, 1.3, 1e5, true}, {second, 0.5, 0.4, 1e5, false}}, segments,
                      R"("loads": [{"force": )" + vectorText(F) +
                          R"(, "at": "a1:first"}], "probes": {"tip": {"position": "a1:first"}})"));
  runToEnd(sim);
  return vectorColumn(sim, "tip") - second;
}

TEST(Welds, CornersOfAnyAngleAreOfSecondOrder) {
  for (int degrees = 15; degrees <= 180; degrees += 15) {
    SCOPED_TRACE(degrees);
    const double angle = degrees * pi / 180;
    const Vec3 second = 0.6 * Vec3(std::cos(angle), std::sin(angle), 0), t = second / 0.6, F = 1e-7 * Vec3(0.6, 1, 2);
    const auto u = frameTheory({{Vec3(-1, 0, 0), 1, 1.3, 1e5, true}}, F, second.cross(F));
    const Vec3 across = F - t * t.dot(F);
    const Vec3 exact = u.head<3>() + Vec3(u.tail<3>()).cross(second) + 0.216 / 1.5 * across + 0.6 / 1e5 * (F - across);
    const double coarse = (bracketTip(angle, 10, F) - exact).norm() / exact.norm(),
                 fine = (bracketTip(angle, 20, F) - exact).norm() / exact.norm();
    EXPECT_LT(coarse, 1.1 / (10 * 10));
    EXPECT_LT(fine, 0.26 * coarse + 1e-7);
  }
}

std::string spine(int perPart, const std::string& ribs, const std::string& joints) {
  return R"J({"format": "tendril/1", "materials": {"body": {"youngs": 1e6, "poisson": 0.45, "density": 1000}, "rib": {"youngs": 1e9, "poisson": 0.3, "density": 1000}},
    "rods": {"spine": {"material": "body", "section": {"circle": {"radius": 0.004}}, "segments": )J" +
         std::to_string(20 * perPart) + R"J(, "path": {"line": {"from": [0,0,0], "to": [0.2,0,0]}}})J" + ribs + "}" +
         joints +
         R"J(, "constraints": [{"clamp": "spine:first"}], "loads": [{"force": [0,1e-9,2e-9], "at": "spine:last"}, {"moment": [1e-10,0,0], "at": "spine:last"}],
    "solver": {"mode": "static", "tolerance": 1e-15}, "probes": {"tip": {"position": "spine:last"}, "twist": {"twist": "spine"}}})J";
}

TEST(Welds, WhatHangsOnAWeldAndCarriesNothingChangesNothing) {
  for (const int perPart : {1, 4}) {
    const std::string at = std::to_string(perPart);
    Simulation bare(spine(perPart, "", ""));
    Simulation ribbed(spine(
        perPart,
        R"J(, "rib{k}": {"repeat": {"k": 21}, "material": "rib", "section": {"rectangle": {"width": 0.004, "height": 0.002}},
      "path": {"points": [["=0.01*k",-0.008,0.002], ["=0.01*k",0,0], ["=0.01*k",0.006,0.004]]}})J",
        R"J(, "joints": [{"repeat": {"k": 21}, "weld": ["spine:{=)J" + at + R"J(*k}", "rib{k}:1"]}])J"));
    runToEnd(bare), runToEnd(ribbed);
    for (const char* c : {"tip.y", "tip.z", "twist"}) {
      EXPECT_NEAR(column(ribbed, c), column(bare, c), 1e-12 * std::abs(column(bare, c))) << c << ", " << perPart;
    }
  }
}

TEST(Welds, ARodThatIsSplitAndWeldedIsTheRodItself) {
  const std::string head =
      R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "poisson": 0.3, "density": 1000}},
    "defaults": {"rods": {"section": {"rectangle": {"width": 0.01, "height": 0.005}}}}, "rods": {)J";
  const std::string tail =
      R"J(, "constraints": [{"clamp": "a:first"}], "environment": {"gravity": [0,1,-9.81]}, "solver": {"dt": 0.01, "duration": 0.3},
    "probes": {"tip": {"position": "END"}}})J";
  Simulation whole(head + R"J("a": {"segments": 16, "path": {"line": {"from": [0,0,0], "to": [0.5,0,0]}}}})J" +
                   replaced(tail, "END", "a:last"));
  Simulation split(head +
                   R"J("a": {"segments": 8, "path": {"line": {"from": [0,0,0], "to": [0.25,0,0]}}}, "b": {"segments": 8,
    "path": {"line": {"from": [0.25,0,0], "to": [0.5,0,0]}}}}, "joints": [{"weld": ["a:last", "b:first"]}])J" +
                   replaced(tail, "END", "b:last"));
  runToEnd(whole), runToEnd(split);
  for (const char* c : {"tip.x", "tip.y", "tip.z"}) EXPECT_NEAR(column(whole, c), column(split, c), 1e-13) << c;
}

std::vector<ArmOf> someArms() {
  return {{Vec3(1, 0.2, 0), 1, 1.3, 1e5, true},
          {Vec3(-0.3, 0.8, 0.1), 0.6, 0.5, 1e5, true},
          {Vec3(0, -0.4, 0.7), 2, 1, 1e5, false},
          {Vec3(-0.2, 0.1, -0.6), 0.5, 0.8, 1e5, false}};
}

TEST(Welds, NeitherTheSpaceNorTheOrderOfTheRodsMatters) {
  // Large loads: the frame turns by more than half a radian.
  const Mat3 Q = Eigen::AngleAxisd(2.1, Vec3(1, -2, 0.5).normalized()).toRotationMatrix();
  const Vec3 F(0.9, -2, 1.4), M(0.5, -0.8, 0.3);
  const auto tip = [&](const Mat3& turn, bool backwards) -> Vec3 {
    std::vector<ArmOf> arms = someArms();
    for (ArmOf& a : arms) a.along = turn * a.along;
    Simulation sim(star(arms, 8,
                        R"("loads": [{"force": )" + vectorText(turn * F) + R"(, "at": "a3:first"}, {"moment": )" +
                            vectorText(turn * M) +
                            R"(, "at": "a2:last"}], "probes": {"tip": {"position": "a3:first"}})",
                        backwards));
    runToEnd(sim);
    return turn.transpose() * vectorColumn(sim, "tip");
  };
  const Vec3 here = tip(Mat3::Identity(), false);
  EXPECT_GT((here - Vec3(-0.2, 0.1, -0.6)).norm(), 0.3);
  EXPECT_LT((tip(Q, false) - here).norm(), 1e-9);
  EXPECT_LT((tip(Mat3::Identity(), true) - here).norm(), 1e-9);
}

TEST(Welds, AClampHoldsAllThatMeetsThereAndTurnsItRigidly) {
  // Clamped by one name; the others follow its rotation as if each were clamped and turned by itself.
  std::string text = star(
      someArms(), 8,
      R"("loads": [{"force": [0,0,1e-3], "at": "a2:last"}], "probes": {"p": {"position": "a2:last"}, "q": {"position": "a1:first"},
    "m": {"reactionMoment": "a0:first"}, "e": {"energy": "elastic"}})");
  const auto from = text.find("\"constraints\": [") + 16, to = text.find(R"(], "solver")");
  const std::string turn = R"(, "rotation": {"axis": [1,2,3], "angle": 2.5}})";
  Simulation one(text.replace(from, to - from, R"({"clamp": "a3:last")" + turn));
  runToEnd(one);
  const Mat3 R = Eigen::AngleAxisd(2.5, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  EXPECT_LT((vectorColumn(one, "q") - R * Vec3(-0.3, 0.8, 0.1)).norm(), 1e-9);
  const Vec3 arm = R * Vec3(0, -0.4, 0.7), F(0, 0, 1e-3), t = arm.normalized(), p = vectorColumn(one, "p");
  const double L = arm.norm();
  const Vec3 sag = L * L * L / 6 * (F - t * t.dot(F));
  EXPECT_LT((p - arm - sag).norm(), 0.01 * sag.norm());
  EXPECT_LT((vectorColumn(one, "m") + p.cross(F)).norm(), 1e-9);
}

TEST(Welds, AnInitialTwistRunsThroughAWeld) {
  const std::string text =
      R"J({"format": "tendril/1", "defaults": {"rods": {"section": {"stiffness": {"EA": 1e4, "EI1": 1, "EI2": 2, "GJ": 3}, "massPerLength": 1,
    "radius": 0.1}}}, "rods": {"rod": {"segments": 10, "path": {"line": {"from": [0,0,0], "to": [1,0,0]}}}, "rib": {"section": {"stiffness": {"EA": 1, "EI1": 1e-8, "EI2": 1e-8, "GJ": 1e-8}, "massPerLength": 1e-3, "radius": 0.01}, "segments": 2,
    "path": {"line": {"from": [0.5,0,0], "to": [0.5,0.2,0]}}}}, "joints": [{"weld": ["rod:5", "rib:first"]}], "constraints": [{"clamp": "rod:first"}],
    "initial": [{"twist": "=9*s", "of": "rod"}], "probes": {"e": {"energy": "twist"}, "b": {"energy": "bend"}, "w": {"twist": "rod:5"}}, "solver": {"dt": 0.01, "duration": 1}})J";
  Simulation sim(text);
  EXPECT_NEAR(column(sim, "w"), 9, 1e-6);
  EXPECT_NEAR(column(sim, "e"), 0.5 * 3 * 81 * 0.95, 1e-4) << "the rib is soft, and bent by four radians";
}

/// A rod that stands on a plate whose border, or all of it, is clamped; displacement of its tip.
double onPlate(int segments, const std::string& held, const std::string& bending, const std::string& place,
               const Vec3& F) {
  Simulation sim(
      R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e7, "poisson": 0.3, "density": 1000}}, "rods": {"rod": {"section": {"circle": {"radius": 0.002}},
    "segments": )J" +
      std::to_string(segments) + R"J(, "path": {"line": {"from": [)J" + place + R"J(,0], "to": [)J" + place +
      R"J(,0.1]}}}},
    "shells": {"plate": {"thickness": 2e-3, "bending": ")J" +
      bending +
      R"J(", "mesh": {"rectangle": {"corner": [0,0,0], "along": [0.04,0,0], "across": [0,0.04,0], "edge": 0.01,
      "pattern": "right-isosceles"}}}}, "joints": [{"weld": ["rod:first", "plate@[)J" +
      place + R"J(,0]"]}],
    "constraints": [)J" +
      held + R"J(], "loads": [{"force": )J" + vectorText(F) + R"J(, "at": "rod:last"}],
    "solver": {"mode": "static", "tolerance": 1e-12}, "probes": {"tip": {"position": "rod:last"}}})J");
  runToEnd(sim);
  return column(sim, "tip.x") - std::stod(place);
}

TEST(Welds, ARodOnAClampedPlateIsClampedToTheSecondOrder) {
  const double EI = 1e7 * pi / 4 * std::pow(0.002, 4), exact = 1e-6 * std::pow(0.1, 3) / (3 * EI);
  for (const char* bending : {"midedge", "hinge"}) {
    for (const char* place : {"0.02,0.02", "0,0", "0.04,0.02"})
      for (const char* held : {"clamp", "fix"}) {
        SCOPED_TRACE(std::string(bending) + " at " + place + ", " + held);
        const auto error = [&](int n) {
          return onPlate(n, std::string("{\"") + held + R"(": "plate"})", bending, place, {1e-6, 0, 0}) / exact - 1;
        };
        const double coarse = error(10), fine = error(20);
        EXPECT_LT(std::abs(coarse), 0.6 / (10 * 10));
        EXPECT_LT(std::abs(fine), 0.27 * std::abs(coarse));
      }
  }
}

TEST(Welds, AClampOfARodAtItsWeldHoldsAndTurnsTheShellToo) {
  Simulation sim(
      R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e7, "poisson": 0.3, "density": 1000}}, "rods": {"rod": {"section": {"circle": {"radius": 0.004}},
      "segments": 4, "path": {"line": {"from": [0.02,0.02,0], "to": [0.03,0.05,0.1]}}}}, "shells": {"plate": {"thickness": 1e-3, "mesh": {"rectangle": {"corner": [0,0,0],
      "along": [0.08,0,0], "across": [0,0.04,0], "edge": 0.01, "pattern": "right-isosceles"}}}}, "joints": [{"weld": ["rod:first", "plate@[0.02,0.02,0]"]}],
      "constraints": [{"clamp": "rod:first", "rotation": {"axis": [1,2,0.5], "angle": 0.8}}], "solver": {"mode": "static", "loadSteps": 4},
      "probes": {"far": {"position": "plate@[0.08,0.04,0]"}, "tip": {"position": "rod:last"}}})J");
  runToEnd(sim);
  const Mat3 R = Eigen::AngleAxisd(0.8, Vec3(1, 2, 0.5).normalized()).toRotationMatrix();
  const Vec3 at(0.02, 0.02, 0);
  EXPECT_LT((vectorColumn(sim, "far") - at - R * (Vec3(0.08, 0.04, 0) - at)).norm(), 1e-8);
  EXPECT_LT((vectorColumn(sim, "tip") - at - R * (Vec3(0.03, 0.05, 0.1) - at)).norm(), 1e-8);
}

TEST(Welds, AClampOfARodAtItsWeldFeelsWhatPullsAtTheShell) {
  Simulation sim(
      R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e7, "poisson": 0.3, "density": 1000}}, "rods": {"rod": {"section": {"circle": {"radius": 0.004}},
      "segments": 4, "path": {"line": {"from": [0.02,0.02,0], "to": [0.03,0.05,0.1]}}}}, "shells": {"plate": {"thickness": 1e-3, "mesh": {"rectangle": {"corner": [0,0,0],
      "along": [0.08,0,0], "across": [0,0.04,0], "edge": 0.01, "pattern": "right-isosceles"}}}}, "joints": [{"weld": ["rod:first", "plate@[0.02,0.02,0]"]}],
      "constraints": [{"clamp": "rod:first"}], "loads": [{"force": [1e-6,2e-6,-3e-6], "at": "plate@[0.08,0.04,0]"}, {"force": [2e-6,1e-6,0], "at": "rod:last"}],
      "solver": {"mode": "static", "tolerance": 1e-12}, "probes": {"m": {"reactionMoment": "rod:first"}}})J");
  runToEnd(sim);
  const Vec3 exact =
      -Vec3(0.06, 0.02, 0).cross(Vec3(1e-6, 2e-6, -3e-6)) - Vec3(0.01, 0.03, 0.1).cross(Vec3(2e-6, 1e-6, 0));
  EXPECT_LT((vectorColumn(sim, "m") - exact).norm(), 1e-3 * exact.norm());
}

TEST(Welds, AFreeRodOnAShellStiffensNothing) {
  const auto corner = [](bool welded) {
    std::string text =
        R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e7, "poisson": 0.3, "density": 1000}}, "rods": {"rod": {"section": {"circle": {"radius": 0.004}},
      "segments": 4, "path": {"line": {"from": [0.02,0.02,0], "to": [0.03,0.05,0.1]}}}},
      "shells": {"plate": {"thickness": 1e-3, "mesh": {"rectangle": {"corner": [0,0,0], "along": [0.08,0,0], "across": [0,0.04,0], "edge": 0.01,
        "pattern": "right-isosceles"}}}}, "joints": [{"JOINT": ["rod:first", "plate@[0.02,0.02,0]"]}],
      "constraints": [{"clamp": {"of": "plate", "where": "x < 1e-6"}}, MORE], "loads": [{"force": [0,0,1e-9], "at": "plate@[0.08,0.04,0]"}],
      "solver": {"mode": "static", "tolerance": 1e-15}, "probes": {"tip": {"position": "plate@[0.08,0.04,0]"}}})J";
    text = replaced(text, "JOINT", welded ? "weld" : "pin");
    text = replaced(text, ", MORE", welded ? "" : R"J(, {"clamp": "rod:last"})J");
    if (!welded) text = replaced(text, R"J({"pin": ["rod:first", "plate@[0.02,0.02,0]"]})J", "");
    Simulation sim(text);
    runToEnd(sim);
    return column(sim, "tip.z");
  };
  const double alone = corner(false);
  EXPECT_NEAR(corner(true), alone, 1e-12 * alone);
}

}  // namespace statics_welds_test
}  // namespace tendril::test
