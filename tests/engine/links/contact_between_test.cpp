// Links against obstacles between the points that touch: exact tangents, and no grooves where a surface is smooth.
#include <algorithm>
#include <cmath>
#include <string>

#include "engine/links/force_checks.h"
#include "engine/simulation/run_scene.h"
#include "links/contact/contact.h"

namespace tendril::links {
namespace contact_between_test {

using namespace test;

std::vector<scene::Obstacle> curvedObstacles() {
  std::vector<scene::Obstacle> out(4);
  out[0].name = "ball", out[0].kind = scene::Obstacle::Kind::sphere, out[0].point = Vec3(0.5, 0.4, 0),
  out[0].radius = 0.3;
  out[1].name = "block", out[1].kind = scene::Obstacle::Kind::box, out[1].point = Vec3(0.4, -0.5, 0.1),
  out[1].half = Vec3(0.3, 0.2, 0.1);
  out[1].axes = Eigen::AngleAxisd(0.5, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  out[2].name = "pill", out[2].kind = scene::Obstacle::Kind::capsule, out[2].point = Vec3(0.2, -0.4, 0.3);
  out[2].end = Vec3(0.7, 0.3, 0.4), out[2].radius = 0.1;
  out[3].name = "drum", out[3].kind = scene::Obstacle::Kind::cylinder, out[3].point = Vec3(0.5, -0.2, -0.4);
  out[3].end = Vec3(0.5, 0.4, -0.3), out[3].radius = 0.2;
  return out;
}

// From the rod's start to its end, and on the last body, whose radius changes.
std::vector<ContactPoint> farApart(bool joined) {
  std::vector<ContactPoint> out(2);
  out[0].step = 3, out[0].radius = 0.05, out[0].share = 0.9, out[0].beforeRadius = 0.04, out[0].apart = 0.9;
  out[1].step = 4, out[1].local = Vec3(0.4, 0, 0), out[1].radius = 0.03, out[1].share = 0.5,
  out[1].beforeLocal = Vec3(-0.1, 0, 0);
  out[1].beforeRadius = 0.05, out[1].apart = 0.5;
  if (joined) out[0].before = 0, out[1].before = 4;
  return out;
}

scene::Instant instant(double t) {
  scene::Instant m;
  m.t = m.middle = t;
  return m;
}

TEST(LinkageContactBetween, TangentsAreExactWhereThePlaceMovesAlongTheLink) {
  for (std::size_t kind = 0; kind < 4; ++kind) {
    for (const bool moving : {false, true}) {
      int found = 0;
      for (unsigned seed = 1; seed <= 3000 && found < 4; ++seed) {
        scene::Scene scene;
        scene.obstacles = {curvedObstacles()[kind]};
        scene.obstacles[0].velocity = scene::Number3{0.2, -0.1, 0.3};
        scene.contact.stiffness = 30.0, scene.contact.distance = 0.3;
        scene.contact.friction = moving ? 0.6 : 0.0, scene.contact.slip = 1, scene.contact.damping = 0.05;
        scene.contact.perLength = seed % 2 == 0;
        System arm = bendingArm();
        const Eigen::MatrixXd none = Eigen::MatrixXd::Zero(16, 16);
        System system(arm.chain(), {}, none, none, 1);
        const world::World world(scene);
        Contact contact(world, skinOf(scene, farApart(true))), points(world, skinOf(scene, farApart(false)));
        system.forces = {&contact};
        std::mt19937 random(seed);
        const VectorX q = randomVector(random, 16, 0.6), zero = VectorX::Zero(16);
        const VectorX v = moving ? randomVector(random, 16, 1) : zero;
        for (Contact* c : {&contact, &points})
          c->prepare(instant(moving ? 0.02 : 1), instant(moving ? 0.02 : 1), moving ? 0 : 1);
        if (moving) {
          system.place(q - 0.02 * v, zero);
          contact.begin(system.chain().frames());
        }
        system.place(q, v);
        const double whole = contact.energy(system.chain().frames());
        if (!(whole > 0.02 && whole > 1.2 * points.energy(system.chain().frames()))) continue;
        if (contact.summary(system.chain().frames(), 0).penetration > 0.03) continue;  // inside, blocks have ridges
        ++found;
        EXPECT_LT(tangentError(system, q, v, zero, {moving ? 3.0 : 0.0, 0}), 1e-6) << kind << " " << seed << moving;
        if (moving) continue;
        EXPECT_LT((system.tangent() - system.tangent().transpose()).norm(), 1e-11 * system.tangent().norm())
            << kind << " " << seed;
        VectorX r;
        system.evaluate({q, zero, zero}, {}, solve::Level::residual, r);
        const VectorX d = randomVector(random, 16, 1);
        const auto energy = [&](double h) {
          system.place(q + h * d, zero);
          return contact.energy(system.chain().frames());
        };
        EXPECT_NEAR((energy(1e-5) - energy(-1e-5)) / 2e-5, r.dot(d), 1e-6 * r.norm()) << kind << " " << seed;
      }
      EXPECT_EQ(found, 4) << kind << moving;
    }
  }
}

// A rigid bar of 0.3 m and 1.849 N, led across an obstacle without friction: the largest force that takes over its
// weight, and by how much it goes up and down over its radius.
struct Slide {
  double effort = 0, groove = 0;
};

Slide slideOver(const std::string& obstacle, const std::string& top, int links = 1) {
  std::string more;
  const double length = 0.3 / links;
  const std::string body = R"J("body": {"rigid": {"length": )J" + digits(length) +
                           R"J(, "section": {"circle": {"radius": 0.01}}, "density": 2000}}})J";
  for (int i = 1; i < links; ++i) more += ", \"b" + std::to_string(i) + R"J(": {"joint": {"fixed": {}}, )J" + body;
  Simulation sim(
      filled(R"J({"format": "tendril/1", "linkages": {"a": {"base": {"position": [0, 0, "=$top + 0.0105"]}, "links": {
      "x": {"joint": {"prismatic": {"axis": "x", "displacement": "=0.05*t"}}, "body": {"rigid": {}}},
      "b0": {"joint": {"prismatic": {"axis": "z", "damping": 5}}, $body$more}}},
    "environment": {"gravity": [0, 0, -9.81]}, "obstacles": {"o": {$obstacle}},
    "solver": {"integrator": "implicit-euler", "dt": 0.004, "duration": 2.5}, "probes": {"ef": {"jointEffort": "a/x"}, "pos": {"position": "a/b0"}}})J",
             {{"top", top}, {"body", body}, {"more", more}, {"obstacle", obstacle}}));
  Slide out;
  double low = 1, high = -1;
  while (!sim.finished()) {
    sim.step();
    if (sim.time() < 0.5) continue;
    out.effort = std::max(out.effort, std::abs(column(sim, "ef")) / 1.849);
    low = std::min(low, column(sim, "pos.z")), high = std::max(high, column(sim, "pos.z"));
  }
  out.groove = (high - low) / 0.01;
  return out;
}

// With points alone 0.49 of the weight and 0.28 of the radius; more on the edge.
TEST(LinkageContactBetween, ALinkSlidesOverALogABarAndAnEdgeAsOverASmoothOne) {
  for (const char* radius : {"0.1", "0.02"}) {
    const Slide log = slideOver(
        std::string(R"J("capsule": {"from": [0.2, -0.1, 0], "to": [0.2, 0.1, 0], "radius": )J") + radius + "}", radius);
    EXPECT_LT(log.effort, 0.02) << radius;
    EXPECT_LT(log.groove, 0.02) << radius;
  }
  const Slide edge = slideOver(
      R"J("box": {"center": [0.2, 0, 0], "half": [0.01, 0.15, 0.01], "rotation": {"axis": [0, 1, 0], "angle": "=pi/4"}})J",
      "0.0141421356237");
  EXPECT_LT(edge.effort, 0.03);
  EXPECT_LT(edge.groove, 0.02);
}

TEST(LinkageContactBetween, SplittingALinkByFixedJointsChangesLittle) {
  for (const int links : {10, 40}) {
    const Slide log =
        slideOver(R"J("capsule": {"from": [0.2, -0.1, 0], "to": [0.2, 0.1, 0], "radius": 0.1})J", "0.1", links);
    EXPECT_LT(log.effort, 0.02) << links;
    EXPECT_LT(log.groove, 0.02) << links;
  }
}

// An arm sinks onto a slanted smooth bar and off along it: 0.0756 with five divisions and with twenty. With points
// alone it hung between two of them: 0.032.
TEST(LinkageContactBetween, AnArmThatSlidesDownASlantedBarComesToRestWhereItShould) {
  Simulation sim(
      R"J({"format": "tendril/1", "materials": {"s": {"youngs": 1e6, "density": 1100, "poisson": 0.5}}, "environment": {"gravity": [0, 0, -9.81]},
    "obstacles": {"s": {"capsule": {"from": [0.2, -0.1, -0.06], "to": [0.22, 0.1, -0.09], "radius": 0.02}}},
    "contact": {"stiffness": 10000, "per": "length", "distance": 0.0006}, "solver": {"mode": "static", "loadSteps": 40},
    "linkages": {"a": {"links": {"b": {"body": {"soft": {"length": 0.3, "section": {"circle": {"radius": 0.006}},
      "strains": {"bendY": 12, "bendZ": 12, "twist": 4}, "points": 20, "magnus": 6}}}}}}, "probes": {"tip": {"position": "a:tip"}, "f": {"contact": "force"}}})J");
  runToEnd(sim);
  EXPECT_NEAR(column(sim, "tip.y"), 0.0756, 0.004);
  EXPECT_NEAR(column(sim, "tip.z"), -0.0734, 0.002);
  EXPECT_NEAR(column(sim, "f"), 0.183, 0.004);
}

// 2 mm inside, between two points of a link: pushed out over a hundred steps, as a point would be, not at once.
TEST(LinkageContactBetween, WhatBeginsInsideBetweenPointsIsPushedOutGently) {
  Simulation sim(
      R"J({"format": "tendril/1", "linkages": {"a": {"links": {"b": {"joint": {"prismatic": {"axis": "z", "damping": 20}},
      "body": {"rigid": {"length": 0.3, "section": {"circle": {"radius": 0.01}}, "density": 2000}}}}}}, "environment": {"gravity": [0, 0, -9.81]},
    "obstacles": {"o": {"capsule": {"from": [0.125, -0.1, -0.028], "to": [0.125, 0.1, -0.028], "radius": 0.02}}},
    "solver": {"integrator": "implicit-euler", "dt": 0.004, "duration": 2}, "probes": {"pos": {"position": "a/b"}}})J");
  for (int i = 0; i < 10; ++i) sim.step();
  EXPECT_NEAR(column(sim, "pos.z"), 2e-4, 2e-4);
  runToEnd(sim);
  EXPECT_NEAR(column(sim, "pos.z"), 0.002, 2e-4);
}

}  // namespace contact_between_test
}  // namespace tendril::links
