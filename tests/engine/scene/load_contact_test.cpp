// The loader: obstacles, the law of contact, resistive forces and contact probes, what they become and what they warn
// of.
#include <cmath>

#include "formula/formula.h"
#include "scene_text.h"

namespace tendril::scene {
namespace load_contact_test {

const char* const floorText = R"J("obstacles": {"floor": {"plane": {"point": [0, 0, -1], "normal": [0, 0, 2]}}})J";

/// Warnings of sceneText (rods of 1 mm radius, 1 MPa: E r is 1000 N/m) with these members.
std::string warnings(const std::string& more) { return warningsOf(loaded(sceneText(more))); }

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// A horizontal rod along x of 10 edges, 1 m, radius 10 mm, at this height, with more members.
std::string barText(double height, const std::string& more) {
  const std::string z = std::to_string(height);
  return R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "density": 1000}}, "rods": {"arm": {
    "section": {"circle": {"radius": 0.01}}, "segments": 10, "path": {"line": {"from": [0, 0, )J" +
         z + "], \"to\": [1, 0, " + z + "]}}}}, " + more + "}";
}

TEST(LoadContact, ShapesOfObstacles) {
  const Scene scene = loaded(sceneText(R"J("parameters": {"r": 0.2}, "obstacles": {
    "floor": {"plane": {"point": [0, 0, -1], "normal": [0, 0, 2]}},
    "ball": {"sphere": {"center": [0, "=2*r", 9], "radius": "=r"}, "look": {"color": "#abc", "hidden": true}},
    "crate": {"box": {"center": [5, 5, 5], "half": [1, 2, 3], "rotation": [{"axis": [0, 0, 3], "angle": "=pi/2"}, {"axis": [1, 0, 0], "angle": "=pi/2"}]}},
    "pin": {"capsule": {"from": [8, 0, 0], "to": [9, 0, 0], "radius": 0.5}},
    "drum": {"cylinder": {"from": [0, 8, 0], "to": [0, 9, 0], "radius": 0.25}}})J"));
  ASSERT_EQ(scene.obstacles.size(), 5u);
  const Obstacle &floor = scene.obstacles[0], &ball = scene.obstacles[1], &crate = scene.obstacles[2];
  EXPECT_EQ(floor.kind, Obstacle::Kind::plane);
  EXPECT_EQ(floor.name, "floor");
  EXPECT_EQ(floor.point, Vec3(0, 0, -1));
  EXPECT_EQ(floor.normal, Vec3(0, 0, 1));
  EXPECT_EQ(floor.pointer, "/obstacles/floor");
  EXPECT_FALSE(floor.stiffness || floor.friction || floor.distance || floor.slip || floor.velocity ||
               floor.displacement);
  EXPECT_EQ(ball.kind, Obstacle::Kind::sphere);
  EXPECT_EQ(ball.point, Vec3(0, 0.4, 9));
  EXPECT_EQ(ball.radius, 0.2);
  EXPECT_EQ(ball.look.color, "#abc");
  EXPECT_TRUE(ball.look.hidden);
  EXPECT_EQ(crate.kind, Obstacle::Kind::box);
  EXPECT_EQ(crate.half, Vec3(1, 2, 3));
  // About z, then about x, both fixed in space: the box's x goes to y, then to z.
  EXPECT_LT((crate.axes.col(0) - Vec3(0, 0, 1)).norm(), 1e-15);
  EXPECT_LT((crate.axes.col(1) - Vec3(-1, 0, 0)).norm(), 1e-15);
  EXPECT_LT((crate.axes.col(2) - Vec3(0, -1, 0)).norm(), 1e-15);
  EXPECT_EQ(scene.obstacles[3].kind, Obstacle::Kind::capsule);
  EXPECT_EQ(scene.obstacles[3].point, Vec3(8, 0, 0));
  EXPECT_EQ(scene.obstacles[3].end, Vec3(9, 0, 0));
  EXPECT_EQ(scene.obstacles[4].kind, Obstacle::Kind::cylinder);
  EXPECT_EQ(scene.obstacles[4].radius, 0.25);
  EXPECT_EQ(warningsOf(scene), "");
}

// A static run would leave where it is what a velocity is to move.
TEST(LoadContact, VelocitiesAreForMotionAlone) {
  const std::string still = R"J("solver": {"mode": "static"})J";
  for (
      const char* moves :
      {R"J("constraints": [{"move": "arm:first", "velocity": [0, 0, 1]}])J",
       R"J("constraints": [{"clamp": "arm:first", "velocity": [0, 0, 1]}])J",
       R"J("constraints": [{"clamp": "arm:first"}], "obstacles": {"ball": {"sphere": {"center": [0, 5, 0], "radius": 1},
                                     "velocity": [0, 1, 0]}})J"}) {
    const Problems problems = problemsOf(barText(0, std::string(moves) + std::string(", ") + still));
    ASSERT_FALSE(problems.empty()) << moves;
    EXPECT_TRUE(has(problems[0].message, "a static run has no velocities")) << moves;
    loaded(barText(0, moves));
  }
  const std::string thrown =
      R"J("constraints": [{"clamp": "arm:first"}], "initial": [{"of": "arm", "velocity": [0, 0, 1]}])J";
  EXPECT_TRUE(
      has(warningsOf(loaded(barText(0, thrown + R"J(, "solver": {"start": "equilibrium"})J"))), "starts at rest"));
}

TEST(LoadContact, OwnValuesMotionDefaultsAndRepeat) {
  const Scene scene = loaded(sceneText(R"J("defaults": {"obstacles": {"stiffness": 500, "slip": 1e-4}}, "obstacles": {
    "post{k}": {"repeat": {"k": 3}, "sphere": {"center": ["=k", 5, 0], "radius": 0.1}, "velocity": [0, "=k*t", 0]},
    "lid": {"plane": {"point": [0, 0, -3], "normal": [0, 0, 1]}, "stiffness": "=1e3*ramp(t, 0, 1)", "friction": "=0.1 + t",
            "distance": 1e-4, "slip": 2e-3, "displacement": [0, 0, "=0.1*t"]}})J"));
  ASSERT_EQ(scene.obstacles.size(), 4u);
  EXPECT_EQ(scene.obstacles[2].name, "post2");
  EXPECT_EQ(valueOf(scene, *scene.obstacles[2].stiffness), 500);
  EXPECT_EQ(*scene.obstacles[2].slip, 1e-4);
  EXPECT_EQ(valueOf(scene, (*scene.obstacles[2].velocity)[1], 3), 6);
  EXPECT_FALSE(scene.obstacles[2].displacement);
  const Obstacle& lid = scene.obstacles[3];
  EXPECT_EQ(valueOf(scene, *lid.stiffness, 0.5), 500);
  EXPECT_EQ(valueOf(scene, *lid.friction, 0.5), 0.6);
  EXPECT_EQ(*lid.distance, 1e-4);
  EXPECT_EQ(*lid.slip, 2e-3);
  EXPECT_EQ(valueOf(scene, (*lid.displacement)[2], 2), 0.2);
  EXPECT_EQ(warningsOf(scene), "");
}

TEST(LoadContact, TheLawAndItsDefaults) {
  const Scene bare = loaded(sceneText(floorText));
  EXPECT_FALSE(bare.contact.self);
  EXPECT_FALSE(bare.contact.stiffness || bare.contact.distance);
  EXPECT_TRUE(bare.contact.friction.isZero());
  EXPECT_EQ(bare.contact.slip, 1e-3);
  EXPECT_EQ(bare.contact.damping, 0);
  EXPECT_FALSE(bare.contact.perLength);
  EXPECT_EQ(bare.solver.integrator, Integrator::implicitEuler);
  const Scene full = loaded(sceneText(std::string(floorText) + R"J(, "contact": {"stiffness": 2e3, "distance": 5e-4,
    "friction": 0.4, "slip": 2e-3, "damping": 1e-3, "per": "length"})J"));
  EXPECT_EQ(valueOf(full, *full.contact.stiffness), 2e3);
  EXPECT_EQ(*full.contact.distance, 5e-4);
  EXPECT_EQ(valueOf(full, full.contact.friction), 0.4);
  EXPECT_EQ(full.contact.slip, 2e-3);
  EXPECT_EQ(full.contact.damping, 1e-3);
  EXPECT_TRUE(full.contact.perLength);
  EXPECT_EQ(warningsOf(full), "");
}

TEST(LoadContact, WhatIsLive) {
  const Scene scene = loaded(
      sceneText(R"J("parameters": {"k": 1e3, "mu": 0.4, "ko": 1e3, "muo": 1, "v": 1, "ct": 0.1, "cn": 0.2, "w": 1,
      "delta": 1e-4, "nu": 1e-3, "c": 0, "r": 0.1, "px": 3, "a": 1, "do": 1e-4, "no": 1e-3},
    "contact": {"stiffness": "=k", "friction": "=mu", "distance": "=delta", "slip": "=nu", "damping": "=c"},
    "environment": {"rft": {"tangential": "=ct", "normal": "=cn"}},
    "obstacles": {"ball": {"sphere": {"center": ["=px", 0, 0], "radius": "=r"}, "stiffness": "=ko", "friction": "=muo", "velocity": ["=v", 0, 0]},
      "crate": {"box": {"center": [5, 5, 5], "half": [1, 1, 1], "rotation": {"axis": [0, 0, 1], "angle": "=a"}},
                "displacement": ["=w*t", 0, 0], "distance": "=do", "slip": "=no"}})J"));
  for (const Parameter& p : scene.parameters) {
    const bool live =
        std::string("k mu ko muo v ct cn w").find(p.name) != std::string::npos && p.name != "no" && p.name != "c";
    EXPECT_EQ(p.live, live) << p.name;
  }
}

TEST(LoadContact, TimedValuesSeeProbes) {
  const Scene scene = loaded(sceneText(R"J("probes": {"tip": {"position": "arm:last"}}, "obstacles": {"floor": {
    "plane": {"point": [0, 0, -1], "normal": [0, 0, 1]}, "friction": "=0.3 + tip.x", "displacement": [0, 0, "=0.1*tip.z"]}})J"));
  EXPECT_TRUE(scene.obstacles.at(0).friction->formula()->seesColumns());
}

TEST(LoadContact, ResistiveForces) {
  const Scene both = loaded(sceneText(R"J("environment": {"rft": {"tangential": 0.01, "normal": 0.1}})J"));
  EXPECT_EQ(valueOf(both, *both.environment.rftTangential), 0.01);
  EXPECT_EQ(valueOf(both, *both.environment.rftNormal), 0.1);
  const Scene one = loaded(sceneText(R"J("environment": {"rft": {"normal": 0.1}})J"));
  ASSERT_TRUE(one.environment.rftTangential);
  EXPECT_TRUE(one.environment.rftTangential->isZero());
  EXPECT_FALSE(loaded(sceneText("")).environment.rftNormal);
  const std::string sheet =
      R"J("thickness": 1e-3, "mesh": {"points": [[0,0,0],[1,0,0],[0,1,0]], "triangles": [[0,1,2]]})J";
  EXPECT_TRUE(
      has(warningsOf(loaded(shellText(sheet, R"J("environment": {"rft": {"normal": 1}})J"))), "\"rft\" acts on rods"));
  EXPECT_EQ(warnings(R"J("environment": {"fluid": {"velocity": [1, 0, 0]}, "rft": {"normal": 1}})J"), "");
  EXPECT_EQ(warningsOf(loaded(
                R"J({"format": "tendril/1", "environment": {"fluid": {"velocity": [1, 0, 0]}, "rft": {"normal": 1}},
    "linkages": {"a": {"links": {"l": {"joint": {"prismatic": {}}, "body": {"rigid": {"mass": 1, "length": 0.1, "section": {"circle": {"radius": 0.01}}}}}}}}})J")),
            "");
}

TEST(LoadContact, Probes) {
  const Scene scene = loaded(sceneText(
      std::string(floorText) +
      R"J(, "contact": {"self": true}, "joints": [{"weld": ["arm:first", "leg0:first"]}, {"weld": ["arm:last", "leg1:first"]}], "probes": {
    "f": {"contact": "force"}, "m": {"contact": "pairs", "of": "arm"}, "d": {"contact": "penetration", "of": ["leg*", "floor"]},
    "e": {"energy": "contact"}, "g": {"energy": "bend", "of": ["leg0", "leg1"]}, "w": {"formula": "2*f + m"}})J"));
  ASSERT_EQ(scene.probes.size(), 6u);
  EXPECT_EQ(scene.columns, (std::vector<std::string>{"f", "m", "d", "e", "g", "w"}));
  EXPECT_EQ(scene.probes[0].kind, Probe::Kind::contact);
  EXPECT_EQ(scene.probes[0].contact, ContactKind::force);
  EXPECT_TRUE(scene.probes[0].bodies.empty() && scene.probes[0].obstacles.empty());
  EXPECT_EQ(scene.probes[1].contact, ContactKind::pairs);
  EXPECT_EQ(scene.probes[1].bodies, std::vector<int>{0});
  EXPECT_EQ(scene.probes[2].contact, ContactKind::penetration);
  EXPECT_EQ(scene.probes[2].bodies, (std::vector<int>{1, 2}));
  EXPECT_EQ(scene.probes[2].obstacles, std::vector<int>{0});
  EXPECT_EQ(scene.probes[3].energy, EnergyKind::contact);
  EXPECT_EQ(scene.probes[4].bodies, (std::vector<int>{1, 2}));
  EXPECT_EQ(warningsOf(scene), "");
}

// ---- warnings ---------------------------------------------------------------------------------------------------

TEST(LoadContact, WarnsWhereNothingTouches) {
  EXPECT_TRUE(has(warnings(R"J("contact": {"friction": 0.4})J"), "/contact: nothing touches here"));
  EXPECT_EQ(warnings(R"J("contact": {"self": false})J"), "");
  EXPECT_TRUE(has(warnings(R"J("probes": {"f": {"contact": "force"}})J"), "/probes/f: this probe stays 0"));
  EXPECT_TRUE(has(warnings(R"J("probes": {"e": {"energy": "contact"}})J"), "stays 0"));
  EXPECT_FALSE(has(warnings(R"J("probes": {"e": {"energy": "total"}})J"), "stays 0"));
}

TEST(LoadContact, WarnsOfAbsurdStiffness) {
  const auto stiff = [](const std::string& k) {
    return warnings(std::string(floorText) + ", \"contact\": {\"stiffness\": " + k + "}");
  };
  EXPECT_TRUE(
      has(stiff("1.1e9"),
          "/contact/stiffness: this stiffness is more than a million times E r of the softest body (1000 N/m)"));
  EXPECT_EQ(stiff("0.9e9"), "");
  EXPECT_EQ(stiff("1.1e-3"), "");
  EXPECT_TRUE(has(stiff("0.9e-3"), "less than a millionth"));
  EXPECT_EQ(stiff("\"=1e3*t\""), "");  // it may grow from 0
  EXPECT_TRUE(
      has(warnings(R"J("obstacles": {"b": {"sphere": {"center": [0, 5, 0], "radius": 1}, "stiffness": 1e10}})J"),
          "/obstacles/b/stiffness"));
  // Per length k is measured by E.
  EXPECT_EQ(warnings(std::string(floorText) + R"J(, "contact": {"stiffness": 0.9e12, "per": "length"})J"), "");
  EXPECT_TRUE(has(warnings(std::string(floorText) + R"J(, "contact": {"stiffness": 1.1e12, "per": "length"})J"),
                  "E of the softest body (1e+06 N/m^2)"));
  // A shell of half a millimeter half thickness is softer than the rod: E h / 2 is 500 N/m.
  const auto soft = [](const std::string& k) {
    return warningsOf(loaded(plateText(std::string(floorText) + ", \"contact\": {\"stiffness\": " + k + "}")));
  };
  EXPECT_TRUE(has(soft("5.1e8"), "(500 N/m)"));
  EXPECT_EQ(soft("4.9e8"), "");
}

TEST(LoadContact, StiffnessOfExplicitSectionsIsTheirEAOverPiR) {
  const auto text = [](const std::string& k) {
    return R"J({"format": "tendril/1", "rods": {"a": {"section": {"stiffness": {"EA": 3.141592653589793, "EI1": 1, "EI2": 1, "GJ": 1}, "massPerLength": 1, "radius": 0.01},
      "path": {"line": {"from": [0,0,0], "to": [1,0,0]}}}}, )J" +
           std::string(floorText) + ", \"contact\": {\"stiffness\": " + k + "}}";
  };
  EXPECT_TRUE(has(warningsOf(loaded(text("1.1e8"))), "(100 N/m)"));
  EXPECT_EQ(warningsOf(loaded(text("0.9e8"))), "");
}

TEST(LoadContact, WarnsOfFrictionThatCannotHold) {
  const std::string rough = std::string(floorText) + R"J(, "contact": {"friction": 0.4})J";
  EXPECT_TRUE(has(warnings(rough + R"J(, "solver": {"integrator": "implicit-midpoint"})J"),
                  "/solver/integrator: friction with \"implicit-midpoint\""));
  EXPECT_EQ(warnings(rough + R"J(, "solver": {"integrator": "bdf2"})J"), "");
  EXPECT_EQ(warnings(std::string(floorText) + R"J(, "solver": {"integrator": "implicit-midpoint"})J"), "");
  EXPECT_TRUE(has(warnings(rough + R"J(, "solver": {"mode": "static"}, "constraints": [{"clamp": "*:first"}])J"),
                  "/contact/friction: friction has no effect in a static run"));
}

TEST(LoadContact, ExplicitIntegratorsTakeContactWithoutFriction) {
  const std::string solver = R"J(, "solver": {"integrator": "verlet"})J";
  EXPECT_EQ(loaded(sceneText(floorText + solver)).obstacles.size(), 1u);
  // The only obstacle has a friction of its own, which is none.
  EXPECT_EQ(
      loaded(
          sceneText(
              R"J("obstacles": {"f": {"plane": {"point": [0,0,-1], "normal": [0,0,1]}, "friction": 0}}, "contact": {"friction": 1})J" +
              solver))
          .obstacles.size(),
      1u);
}

// ---- what starts inside obstacles -------------------------------------------------------------------------------

TEST(LoadContact, TouchingIsNoOverlap) {
  EXPECT_EQ(warningsOf(loaded(
                barText(0.01, R"J("obstacles": {"floor": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}})J"))),
            "");
  EXPECT_EQ(warningsOf(loaded(
                barText(0.3, R"J("obstacles": {"b": {"sphere": {"center": [0.33, 0, 0.2], "radius": 0.09}}})J"))),
            "");
}

TEST(LoadContact, ShallowOverlapIsAWarningWithCountAndDepth) {
  const std::string text = warningsOf(
      loaded(barText(0.008, R"J("obstacles": {"floor": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}})J")));
  EXPECT_TRUE(has(
      text,
      "/obstacles/floor: rod \"arm\" node 0 starts 2 mm inside obstacle \"floor\" (and 10 more places): contact will push it out"))
      << text;
}

TEST(LoadContact, EdgesBetweenNodesAreSeen) {
  // A ball of 20 mm under the middle of edge 3, its top 5 mm above the lower side of the bar.
  const std::string text = warningsOf(
      loaded(barText(0, R"J("obstacles": {"ball": {"sphere": {"center": [0.35, 0, -0.025], "radius": 0.02}}})J")));
  EXPECT_TRUE(has(text, "rod \"arm\" edge 3 starts 5 mm inside obstacle \"ball\": contact")) << text;
  for (const char* shape : {R"J("box": {"center": [0.35, 0, -0.025], "half": [0.02, 0.02, 0.02]})J",
                            R"J("capsule": {"from": [0.35, -1, -0.025], "to": [0.35, 1, -0.025], "radius": 0.02})J",
                            R"J("cylinder": {"from": [0.35, -1, -0.025], "to": [0.35, 1, -0.025], "radius": 0.02})J"}) {
    const std::string same = warningsOf(loaded(barText(0, "\"obstacles\": {\"o\": {" + std::string(shape) + "}}")));
    EXPECT_TRUE(has(same, "rod \"arm\" edge 3 starts 5 mm inside")) << shape << "\n" << same;
  }
}

TEST(LoadContact, HeldNodesMayStartInside) {
  const std::string wall = R"J("obstacles": {"wall": {"plane": {"point": [0.05, 0, 0], "normal": [1, 0, 0]}}})J";
  for (const char* held : {R"J({"clamp": "arm:first"})J", R"J({"fix": "arm:first"})J",
                           R"J({"move": "arm:first", "displacement": [0, 0, "=t"]})J"}) {
    const std::string text = warningsOf(loaded(barText(0, wall + ", \"constraints\": [" + held + "]")));
    EXPECT_TRUE(has(text, "node 0 starts 60 mm inside obstacle \"wall\"")) << text;
  }
  for (const char* loose :
       {R"J({"fix": "arm:first", "axes": "xy"})J", R"J({"clamp": "arm:first", "from": 1, "before": "free"})J",
        R"J({"clamp": "arm:first", "until": 1, "then": "release"})J", R"J({"clamp": "arm:last"})J"})
    EXPECT_EQ(problemsOf(barText(0, wall + ", \"constraints\": [" + loose + "]")).size(), 1u) << loose;
}

TEST(LoadContact, DisplacementsCountFromTheStart) {
  const auto text = [](const char* displacement) {
    return barText(
        0, R"J("obstacles": {"floor": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}, "displacement": [0, 0, )J" +
               std::string(displacement) + "]}}");
  };
  EXPECT_EQ(warningsOf(loaded(text("\"=t - 0.02\""))), "");
  EXPECT_EQ(problemsOf(text("\"=0.02 - t\"")).size(), 1u);
}

TEST(LoadContact, TapersAreTakenAtTheirPlace) {
  const std::string text = warningsOf(
      loaded(R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "density": 1000}}, "rods": {"arm": {
    "section": {"circle": {"radius": "=0.02*(1 - 0.5*u)"}}, "segments": 10, "path": {"line": {"from": [0, 0, 0.0125], "to": [1, 0, 0.0125]}}}},
    "obstacles": {"floor": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}}})J"));
  // Radii of the edges are 19.5 to 10.5 mm; nodes take the mean of their edges: 19.5, 19, ... 13 of node 7; the rest is
  // free.
  EXPECT_TRUE(has(text, "rod \"arm\" node 0 starts 7 mm inside obstacle \"floor\" (and 7 more places)")) << text;
}

TEST(LoadContact, ShellsOverlapByHalfTheirThickness) {
  const auto plate = [](const char* z) {
    return plateText(R"J("constraints": [{"clamp": "rope"}], "obstacles": {"floor": {"plane": {"point": [0, 0, )J" +
                     std::string(z) + R"J(], "normal": [0, 0, 1]}}})J");
  };
  EXPECT_TRUE(has(warningsOf(loaded(plate("-4e-4"))),
                  "shell \"plate\" node 0 starts 0.1 mm inside obstacle \"floor\" (and 4 more places)"));
  const Problems problems = problemsOf(plate("4e-4"));
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_TRUE(
      has(problems[0].message, "deeper than its half thickness of 0.5 mm; expected the middle surface outside of it"))
      << problems[0].message;
  // A pin through a triangle, between all vertices.
  const Problems pierced = problemsOf(plateText(
      R"J("obstacles": {"pin": {"capsule": {"from": [0.05, 0.02, 0.005], "to": [0.05, 0.02, 0.01], "radius": 2e-3}},
    "ball": {"sphere": {"center": [0.05, 0, 0], "radius": 2e-3}}})J"));
  ASSERT_EQ(pierced.size(), 1u);
  EXPECT_TRUE(
      has(pierced[0].message, "shell \"plate\" between the nodes 0 and 1 starts 2.5 mm inside obstacle \"ball\""))
      << pierced[0].message;
}

// ---- rods that start inside each other --------------------------------------------------------------------------

std::string pairText(const std::string& first, const std::string& second, const std::string& more = "") {
  return R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "density": 1000}}, "defaults": {"rods": {"segments": 10, "section": {"circle": {"radius": 0.01}}}},
    "rods": {"a": {"path": )J" +
         first + "}, \"b\": {\"path\": " + second + "}}, \"contact\": {\"self\": true}" + more + "}";
}

TEST(LoadContact, OverlappingRodsAreTold) {
  const std::string along = R"J({"line": {"from": [0, 0, 0], "to": [1, 0, 0]}})J";
  EXPECT_EQ(warningsOf(loaded(pairText(along, R"J({"line": {"from": [0.55, -1, 0.02], "to": [0.55, 1, 0.02]}})J"))),
            "");
  const std::string text =
      warningsOf(loaded(pairText(along, R"J({"line": {"from": [0.55, -1.1, 0.015], "to": [0.55, 0.9, 0.015]}})J")));
  EXPECT_TRUE(has(
      text,
      "/contact/self: 1 pair of rod edges overlap at the start, deepest by 5 mm: rod \"a\" edge 5 and rod \"b\" edge 5; contact will push them apart"))
      << text;
  // Parallel rods overlap along their whole length.
  EXPECT_TRUE(has(warningsOf(loaded(pairText(along, R"J({"line": {"from": [0, 0.015, 0], "to": [1, 0.015, 0]}})J"))),
                  "28 pairs of rod edges overlap at the start, deepest by 5 mm"));
  EXPECT_EQ(warningsOf(loaded(pairText(along, R"J({"line": {"from": [0, 0.015, 0], "to": [1, 0.015, 0]}})J",
                                       R"J(, "constraints": [])J")))
                .find("cross"),
            std::string::npos);
}

TEST(LoadContact, CrossingCenterlinesAreRefused) {
  const Problems problems = problemsOf(pairText(R"J({"line": {"from": [0, 0, 0], "to": [1, 0, 0]}})J",
                                                R"J({"line": {"from": [0.55, -1.1, 0], "to": [0.55, 0.9, 0]}})J"));
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].pointer, "/contact/self");
  EXPECT_TRUE(has(problems[0].message,
                  "the centerlines of rod \"a\" edge 5 and rod \"b\" edge 5 cross, so contact cannot separate them"))
      << problems[0].message;
  const Problems ends = problemsOf(pairText(R"J({"line": {"from": [0, 0, 0], "to": [1, 0, 0]}})J",
                                            R"J({"line": {"from": [0, 0, 0], "to": [0, 1, 0]}})J"));
  ASSERT_EQ(ends.size(), 1u);
  EXPECT_TRUE(has(ends[0].message, "\"weld\" or \"pin\"")) << ends[0].message;
}

TEST(LoadContact, NeighborsAreNoOverlap) {
  const std::string x = R"J({"line": {"from": [0, 0, 0], "to": [1, 0, 0]}})J",
                    y = R"J({"line": {"from": [0, 0, 0], "to": [0, 1, 0]}})J";
  for (const char* joint : {"weld", "pin"})
    EXPECT_EQ(warningsOf(loaded(
                  pairText(x, y, ", \"joints\": [{\"" + std::string(joint) + "\": [\"a:first\", \"b:first\"]}]"))),
              "")
        << joint;
  // A ring whose edges are shorter than its radius, closed by a weld.
  EXPECT_EQ(
      warningsOf(loaded(
          R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "density": 1000}}, "rods": {"ring": {"segments": 200,
    "section": {"circle": {"radius": 0.01}}, "path": {"arc": {"center": [0, 0, 0], "from": [0.1, 0, 0], "axis": [0, 0, 1], "angle": "=2*pi"}}}},
    "joints": [{"weld": ["ring:first", "ring:last"]}], "contact": {"self": true}})J")),
      "");
}

TEST(LoadContact, ARodMayOverlapItself) {
  // A helix whose turns are 15 mm apart, thinner than its rod of 20 mm.
  const auto helix = [](const char* pitch) {
    return warningsOf(loaded(
        R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "density": 1000}}, "rods": {"coil": {"segments": 120,
      "section": {"circle": {"radius": 0.01}}, "path": {"helix": {"from": [0.1, 0, 0], "axis": [0, 0, 1], "center": [0, 0, 0], "pitch": )J" +
        std::string(pitch) + R"J(, "length": 2}}}},
      "contact": {"self": true}})J"));
  };
  const std::string text = helix("0.015");
  EXPECT_TRUE(has(text, "of rod edges overlap at the start, deepest by 5")) << text;
  EXPECT_TRUE(has(text, "rod \"coil\" edge ") && has(text, " and edge ")) << text;
  EXPECT_EQ(helix("0.021"), "");
}

TEST(LoadContact, TwentyThousandEdgesAreSearched) {
  const std::string text =
      R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "density": 1000}}, "rods": {"r{i1}_{j1}": {"repeat": {"i1": 10, "j1": 10}, "segments": 200,
      "section": {"circle": {"radius": 0.004}}, "path": {"line": {"from": ["=0.01*i1", "=0.01*j1", 0], "to": ["=0.01*i1 + 0.2", "=0.01*j1 + 0.1", 1]}}}},
    "contact": {"self": true}, "obstacles": {"o{k1}": {"repeat": {"k1": 20}, "sphere": {"center": ["=k1", -0.5, 0.5], "radius": 0.4}}}})J";
  EXPECT_EQ(loaded(text).rods.size(), 100u);
}

// Its edges' boxes all overlap: the search has to end by its own limit.
TEST(LoadContact, AThickRodOfManyShortEdgesIsNotSearchedForever) {
  const Scene scene = loaded(
      R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "density": 1000}}, "rods": {"log": {"segments": 30000,
    "section": {"circle": {"radius": 1}}, "path": {"line": {"from": [0, 0, 0], "to": [1, 0, 0]}}}}, "contact": {"self": true}})J");
  EXPECT_EQ(scene.rods[0].points.size(), 30001u);
}

}  // namespace load_contact_test
}  // namespace tendril::scene
