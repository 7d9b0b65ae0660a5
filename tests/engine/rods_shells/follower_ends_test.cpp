// A follower force at a free end goes by the directors of the end, however the rod's natural shape bends or twists
// there.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/rods_shells/build_scene.h"

namespace tendril::test {
namespace follower_ends_test {

constexpr double length = 0.3, radius = 4e-3, youngs = 2e6;
constexpr double stiffness = youngs * pi / 4 * radius * radius * radius * radius,
                 stretching = youngs * pi * radius * radius;

std::string inDigits(double v) {
  char out[40];
  std::snprintf(out, sizeof out, "%.17g", v);
  return out;
}

/// Clamped at one end; straight where it is drawn.
std::string scene(int segments, const std::string& natural, const std::string& loads, const std::string& at = "a:last",
                  bool backwards = false) {
  const std::string path =
      backwards ? R"({"from": [0.3,0,0], "to": [0,0,0]})" : R"({"from": [0,0,0], "to": [0.3,0,0]})";
  return R"J({"format": "tendril/1", "materials": {"m": {"youngs": 2e6, "poisson": 0.5, "density": 1000}}, "rods": {"a": {"section": {"circle": {"radius": 4e-3}},
    "segments": )J" +
         std::to_string(segments) + R"J(, "frame": [0,0,1], "path": {"line": )J" + path + R"J(}, "natural": )J" +
         natural + R"J(}}, "constraints": [{"clamp": "a:)J" + (backwards ? "last" : "first") + R"J("}], "loads": )J" +
         loads + R"J(, "probes": {"p": {"position": ")J" + at +
         R"J("}}, "solver": {"mode": "static", "loadSteps": 10}})J";
}

Vec3 tip(const std::string& json) {
  SceneRun run(json);
  run.toEnd();
  return {run["p.x"], run["p.y"], run["p.z"]};
}

/// Of a plane rod with this natural curvature [1/m] that a force [N] pushes along its end: integrated from there, where
/// all is known, to the clamp by Runge and Kutta's method. {along the clamp's direction, across it} [m].
std::array<double, 2> exactTip(double curvature, double force) {
  using State = std::array<double, 3>;  // x, y, angle, in the frame of the end
  const auto rate = [&](const State& s) {
    const double stretch = 1 + force * std::cos(s[2]) / stretching;
    return State{stretch * std::cos(s[2]), stretch * std::sin(s[2]), curvature + force * s[1] / stiffness};
  };
  State s{};
  constexpr int steps = 4000;
  const double h = -length / steps;
  for (int i = 0; i < steps; ++i) {
    const auto at = [&](const State& k, double share) {
      return State{s[0] + share * h * k[0], s[1] + share * h * k[1], s[2] + share * h * k[2]};
    };
    const State k1 = rate(s), k2 = rate(at(k1, 0.5)), k3 = rate(at(k2, 0.5)), k4 = rate(at(k3, 1));
    for (int c = 0; c < 3; ++c) s[c] += h / 6 * (k1[c] + 2 * k2[c] + 2 * k3[c] + k4[c]);
  }
  return {-(s[0] * std::cos(s[2]) + s[1] * std::sin(s[2])), std::abs(s[0] * std::sin(s[2]) - s[1] * std::cos(s[2]))};
}

TEST(FollowerEnds, PushARodOfNaturalCurvatureAsTheorySays) {
  for (const double force : {0.01, -0.01}) {
    const auto exact = exactTip(5, force);
    double before = 0;
    for (const int n : {20, 40, 80, 160}) {
      const Vec3 p = tip(scene(n, R"({"curvature": [5, 0]})",
                               R"([{"follower": [0, 0, )" + inDigits(force) + R"(], "at": "a:last"}])"));
      const double off = std::hypot(p.x() - exact[0], std::hypot(p.y(), p.z()) - exact[1]);
      if (before > 0) {
        EXPECT_NEAR(before / off, 4, 0.5) << n << " edges, " << force << " N";
      }
      before = off;
    }
    EXPECT_LT(before, 1e-4 * length);
  }
}

/// The end's way from one mesh to the next, over that from there to the one after: 4 for the second order.
double ratio(const std::string& natural, const std::string& loads, const std::string& at = "a:last",
             bool backwards = false) {
  const Vec3 coarse = tip(scene(30, natural, loads, at, backwards)),
             middle = tip(scene(60, natural, loads, at, backwards)),
             fine = tip(scene(120, natural, loads, at, backwards));
  return (coarse - middle).norm() / (middle - fine).norm();
}

TEST(FollowerEnds, ConvergeWithTheSquareOfTheEdgeHoweverTheEndIsShaped) {
  const std::string all = R"([{"follower": [0.004, -0.003, 0.01], "at": "a:last"}])";
  EXPECT_NEAR(ratio(R"({"curvature": [5, -3]})", all), 4, 0.5);
  EXPECT_NEAR(ratio(R"({"twist": 12})", all), 4, 0.5);
  EXPECT_NEAR(ratio(R"({"curvature": [4, 2], "twist": 8})", all), 4, 0.5);
  EXPECT_NEAR(ratio(R"({})", all), 4, 0.6);
  EXPECT_NEAR(ratio(R"({"curvature": [5, -3], "twist": 5})",
                    R"([{"follower": [0.004, -0.003, -0.01], "at": "a:first"}])", "a:first", true),
              4, 0.5);
}

/// How far the end of a rod of n edges whose last one is a rod of its own, with another director, is from that of the
/// whole [m].
double awayFromWhole(int n) {
  using Json = nlohmann::json;
  const auto rod = [n](const char* frame, const char* curvature, int from, int to) {
    Json points;
    for (int i = from; i <= to; ++i) points.push_back({length * i / n, 0, 0});
    return Json{{"section", {{"circle", {{"radius", radius}}}}},
                {"frame", Json::parse(frame)},
                {"natural", {{"curvature", Json::parse(curvature)}, {"twist", 5}}},
                {"path", {{"points", points}}}};
  };
  Json whole = Json::parse(
      R"J({"format": "tendril/1", "materials": {"m": {"youngs": 2e6, "poisson": 0.5, "density": 1000}}, "constraints": [{"clamp": "a:first"}],
    "loads": [{"follower": [0.004, -0.003, 0.01], "at": "a:last"}], "probes": {"p": {"position": "a:last"}}, "solver": {"mode": "static", "loadSteps": 10}})J");
  Json welded = whole;
  whole["rods"] = {{"a", rod("[0,0,1]", "[6,-4]", 0, n)}};
  welded["rods"] = {{"a", rod("[0,0,1]", "[6,-4]", 0, n - 1)}, {"b", rod("[0,1,0]", "[4,6]", n - 1, n)}};
  welded["joints"].push_back({{"weld", {"a:last", "b:first"}}});
  welded["loads"][0] = {{"follower", {0.003, 0.004, 0.01}}, {"at", "b:last"}};
  welded["probes"]["p"]["position"] = "b:last";
  EXPECT_GT((tip(whole.dump()) - Vec3(length, 0, 0)).norm(), 0.05);
  return (tip(whole.dump()) - tip(welded.dump())).norm();
}

TEST(FollowerEnds, GoByTheNaturalShapeAcrossAWeld) {
  const double coarse = awayFromWhole(5), fine = awayFromWhole(10);
  EXPECT_LT(coarse, 1e-3 * length);  // 0.12 of it where the edge alone said where the end points
  EXPECT_LT(fine, coarse / 3);
}

// What acts on a clamped node goes to the clamp, whose directors are those of the node, however the rod would bend on
// from it.
TEST(FollowerEnds, AtAClampGoByTheClamp) {
  for (const bool backwards : {false, true}) {
    const std::string end = backwards ? "a:last" : "a:first";
    nlohmann::json json =
        nlohmann::json::parse(scene(10, R"({"curvature": [5, -3], "twist": 8})",
                                    R"([{"follower": [0.1, 0.2, 1], "at": ")" + end + R"("}])", "a:last", backwards));
    json["probes"]["R"] = {{"reaction", end}};
    SceneRun run(json.dump());
    run.toEnd();
    // d1 is z, and d2 = t x d1 is -y along x, y against it.
    const double along = backwards ? -1 : 1;
    EXPECT_NEAR(run["R.x"], -along, 1e-12) << end;
    EXPECT_NEAR(run["R.y"], along * 0.2, 1e-12) << end;
    EXPECT_NEAR(run["R.z"], -0.1, 1e-12) << end;
  }
}

// At a corner that is drawn, the end edge says where the end points.
TEST(FollowerEnds, GoByTheEndEdgeBehindACorner) {
  SceneRun run(
      R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e12, "density": 1000}}, "rods": {"a": {"section": {"circle": {"radius": 0.01}},
    "path": {"points": [[0,0,0], [1,0,0], [1,1,0]]}}}, "constraints": [{"clamp": "a:first"}], "loads": [{"follower": [0, 0, 3], "at": "a:last"}],
    "probes": {"R": {"reaction": "a:first"}}, "solver": {"mode": "static"}})J");
  run.toEnd();
  EXPECT_NEAR(run["R.x"], 0, 1e-3);  // what bends turns it by 4e-4
  EXPECT_NEAR(run["R.y"], -3, 1e-3);
}

}  // namespace follower_ends_test
}  // namespace tendril::test
