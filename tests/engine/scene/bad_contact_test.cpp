// Everything wrong that a scene can say of obstacles, contact and resistive forces: each row with the exact place and
// words of its problem.
#include "bad_rows.h"

namespace tendril::scene {
namespace bad_contact_test {

constexpr Row::Form more = Row::Form::more, plate = Row::Form::plate, whole = Row::Form::whole;

#define FLOOR R"J("obstacles": {"floor": {"plane": {"point": [0,0,-1], "normal": [0,0,1]}}})J"

const std::vector<Row>& rows() {
  static const std::vector<Row> table = {
      // ---- shapes
      {more, R"J("obstacles": {"f": ~{~}})J", "/obstacles/f", "exactly one of plane, sphere, box, capsule, cylinder"},
      {more, R"J("obstacles": {"f": {"plane": {"point": [0,0,0], "normal": ~[0,0,0]~}}})J", "/obstacles/f/plane/normal",
       "normal has length 0"},
      {more, R"J("obstacles": {"f": {"plane": {"point": [0,0,"=~t~"], "normal": [0,0,1]}}})J",
       "/obstacles/f/plane/point/2", "t"},
      {more, R"J("obstacles": {"f": {"sphere": {"center": [0,0,0], "radius": ~-1~}}})J", "/obstacles/f/sphere/radius",
       "greater than 0 m, but it is -1"},
      {more, R"J("obstacles": {"f": {"sphere": {"center": [0,0,0], "radius": ~"=1-2"~}}})J",
       "/obstacles/f/sphere/radius", "greater than 0 m, but it is -1"},
      {more, R"J("obstacles": {"f": {"sphere": {"center": [0,0,~"=1/0"~], "radius": 1}}})J",
       "/obstacles/f/sphere/center/2", "no finite number"},
      {more, R"J("obstacles": {"f": {"box": {"center": [0,0,9], "half": [1,~"=0"~,1]}}})J", "/obstacles/f/box/half/1",
       "greater than 0 m, but it is 0"},
      {more, R"J("obstacles": {"f": {"box": {"center": [0,0,9], "half": ~[1,1]~}}})J", "/obstacles/f/box/half",
       "expected 3 numbers"},
      {more,
       R"J("obstacles": {"f": {"box": {"center": [0,0,9], "half": [1,1,1], "rotation": {"axis": ~[0,0,0]~, "angle": 1}}}})J",
       "/obstacles/f/box/rotation/axis", "axis has length 0"},
      {more,
       R"J("obstacles": {"f": {"box": {"center": [0,0,9], "half": [1,1,1], "rotation": {"axis": [0,0,1], "angle": "=~t~"}}}})J",
       "/obstacles/f/box/rotation/angle", "t"},
      {more, R"J("obstacles": {"f": {"capsule": {"from": [1,2,3], "to": ~[1,2,3]~, "radius": 1}}})J",
       "/obstacles/f/capsule/to", "the same point; expected two, or a \"sphere\""},
      {more, R"J("obstacles": {"f": {"cylinder": {"from": [1,2,3], "to": ~[1,2,"=1+2"]~, "radius": 1}}})J",
       "/obstacles/f/cylinder/to", "the same point; expected the centers of the two ends"},
      // ---- names
      {more, R"J("obstacles": {~"arm"~: {"sphere": {"center": [0,9,0], "radius": 1}}})J", "/obstacles/arm",
       "the name of a rod already; rods, shells, linkages, vines and obstacles share one set of names"},
      {plate, R"J("obstacles": {~"plate"~: {"sphere": {"center": [0,9,0], "radius": 1}}})J", "/obstacles/plate",
       "the name of a shell already"},
      {more, R"J("obstacles": {~"a b"~: {"sphere": {"center": [0,9,0], "radius": 1}}})J", "/obstacles/a b",
       "is not a name"},
      {more, FLOOR R"J(, "constraints": [{"fix": ~"floor"~}])J", "/constraints/0/fix",
       "\"floor\" is an obstacle; expected a rod"},
      {more, FLOOR R"J(, "loads": [{"force": [0,0,1], "at": ~"floor:first"~}])J", "/loads/0/at", "is an obstacle"},
      // ---- their values
      {more, R"J("obstacles": {"f": {"sphere": {"center": [0,9,0], "radius": 1}, "stiffness": ~0~}})J",
       "/obstacles/f/stiffness", "greater than 0 N/m, but it is 0"},
      {more, R"J("obstacles": {"f": {"sphere": {"center": [0,9,0], "radius": 1}, "stiffness": ~"=-2"~}})J",
       "/obstacles/f/stiffness", "greater than 0 N/m, but it is -2"},
      {more, R"J("obstacles": {"f": {"sphere": {"center": [0,9,0], "radius": 1}, "stiffness": ~"=t - 1"~}})J",
       "/obstacles/f/stiffness", "but it is -1 at t = 0"},
      {more, R"J("obstacles": {"f": {"sphere": {"center": [0,9,0], "radius": 1}, "friction": ~"=t - 1"~}})J",
       "/obstacles/f/friction", "at least 0, but it is -1 at t = 0"},
      {more, R"J("obstacles": {"f": {"sphere": {"center": [0,9,0], "radius": 1}, "friction": "=~x~"}})J",
       "/obstacles/f/friction", "not a field"},
      {more, R"J("obstacles": {"f": {"sphere": {"center": [0,9,0], "radius": 1}, "distance": ~0~}})J",
       "/obstacles/f/distance", "greater than 0 m"},
      {more, R"J("obstacles": {"f": {"sphere": {"center": [0,9,0], "radius": 1}, "distance": "=~t~"}})J",
       "/obstacles/f/distance", "t"},
      {more, R"J("obstacles": {"f": {"sphere": {"center": [0,9,0], "radius": 1}, "slip": ~0~}})J", "/obstacles/f/slip",
       "greater than 0 m/s"},
      {more, R"J("obstacles": {"f": {"sphere": {"center": [0,9,0], "radius": 1}, ~"damping"~: 0}})J",
       "/obstacles/f/damping", "unknown key"},
      {more,
       R"J("obstacles": {"f": {"sphere": {"center": [0,9,0], "radius": 1}, "velocity": [0,0,1], ~"displacement"~: [0,0,1]}})J",
       "/obstacles/f/displacement", "takes only one of velocity, displacement"},
      {more, R"J("obstacles": {"f": {"sphere": {"center": [0,9,0], "radius": 1}, "velocity": ~1~}})J",
       "/obstacles/f/velocity", "a list of 3 numbers"},
      {more, R"J("defaults": {"obstacles": {~"stifness"~: 1}})J", "/defaults/obstacles/stifness",
       "did you mean \"stiffness\""},
      // ---- the law
      {more, R"J("contact": {"stiffness": ~-1~})J", "/contact/stiffness", "greater than 0 N/m"},
      {more, R"J("contact": {"distance": ~0~})J", "/contact/distance", "greater than 0 m"},
      {more, R"J("contact": {"friction": ~-0.1~})J", "/contact/friction", "at least 0"},
      {more, R"J("contact": {"friction": ~"=-0.1"~})J", "/contact/friction", "at least 0, but it is -0.1"},
      {more, R"J("contact": {"slip": ~0~})J", "/contact/slip", "greater than 0 m/s"},
      {more, R"J("contact": {"damping": ~-1~})J", "/contact/damping", "at least 0 s"},
      {more, R"J("contact": {"per": ~"node"~})J", "/contact/per", "one of \"contact\", \"length\""},
      {more, R"J("contact": {"self": ~1~})J", "/contact/self", "true or false"},
      {more, FLOOR R"J(, "contact": {"friction": 0.4}, "solver": {"integrator": ~"verlet"~})J", "/solver/integrator",
       "friction has to be solved implicitly"},
      {more,
       R"J("obstacles": {"f": {"sphere": {"center": [0,9,0], "radius": 1}, "friction": 1}}, "solver": {"integrator": ~"symplectic-euler"~})J",
       "/solver/integrator", "expected an implicit integrator"},
      {whole,
       R"J({"format": "tendril/1", "rods": {"a": {"section": ~{"stiffness": {"EA": 1, "EI1": 1, "EI2": 1, "GJ": 1}, "massPerLength": 1}~,
        "path": {"line": {"from": [0,0,0], "to": [1,0,0]}}}}, "solver": {"mode": "static"}, )J" FLOOR "}",
       "/rods/a/section", "rod \"a\" has no radius, and contact needs one"},
      // ---- what starts inside
      {more, R"J("obstacles": {~"floor"~: {"plane": {"point": [0,0,1.1e-3], "normal": [0,0,-1]}}})J",
       "/obstacles/floor",
       "rod \"leg0\" node 4 starts 1 m inside obstacle \"floor\" (and 3 more places), deeper than its radius of 1 mm; expected the centerline outside of it"},
      {more, R"J("obstacles": {~"floor"~: {"plane": {"point": [0,0,1.1e-3], "normal": [0,0,1]}}})J", "/obstacles/floor",
       "rod \"arm\" node 0 starts 2.1 mm inside obstacle \"floor\" (and 10 more places)"},
      {more, R"J("obstacles": {~"ball"~: {"sphere": {"center": [0.55,0,0], "radius": 0.01}}})J", "/obstacles/ball",
       "rod \"arm\" edge 5 starts 11 mm inside obstacle \"ball\", deeper"},
      // ---- resistive forces
      {more, R"J("environment": {"rft": ~{}~})J", "/environment/rft", "\"rft\" is empty"},
      {more, R"J("environment": {"rft": {"normal": ~-1~}})J", "/environment/rft/normal", "at least 0 N s/m^2"},
      {more, R"J("environment": {"rft": {"normal": "=~t~"}})J", "/environment/rft/normal", "t"},
      // ---- probes
      {more, FLOOR R"J(, "probes": {"a": {"contact": ~"forces"~}})J", "/probes/a/contact", "did you mean \"force\"?"},
      {more, FLOOR R"J(, "probes": {"a": {"contact": "force", "of": ~"flor"~}})J", "/probes/a/of",
       "unknown body or obstacle \"flor\"; did you mean \"floor\"?"},
      {more, FLOOR R"J(, "probes": {"a": {"contact": "force", "of": ["floor", ~"x*"~]}})J", "/probes/a/of/1",
       "body or obstacle"},
      {more, FLOOR R"J(, "probes": {"a": {"contact": "force", "of": ~{"of": "arm", "where": "x > 0"}~}})J",
       "/probes/a/of", "expected the name of a body or an obstacle"},
      {more, FLOOR R"J(, "probes": {"a": {"contact": "force", "of": ~"arm:3"~}})J", "/probes/a/of",
       "unknown body or obstacle"},
      {more, FLOOR R"J(, "probes": {"a": {"energy": "contact", "of": ~"floor"~}})J", "/probes/a/of", "is an obstacle"},
      {more, FLOOR R"J(, "probes": {"a": {"position": "arm", ~"of"~: "floor"}})J", "/probes/a/of",
       "goes only with energy, contact"},
  };
  return table;
}

TEST(BadContact, EveryRowIsRefusedAtItsPlaceAndInItsWords) {
  for (const Row& row : rows()) expectRefused(row);
}

TEST(BadContact, AWrongShapeIsToldOnceAndNotSearched) {
  const Problems problems = problemsOf(sceneText(
      R"J("obstacles": {"a": {"sphere": {"center": [0, 0, 0], "radius": "=1-2"}}, "b": {"sphere": {"center": [0, 0, 0], "radius": 1}}})J"));
  EXPECT_EQ(problems.size(), 1u) << listed(problems);
}

TEST(BadContact, AWrongRadiusOfARodIsToldOnce) {
  const Problems problems = problemsOf(
      R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1, "density": 1}}, "rods": {"arm": {"section": {"circle": {"radius": "=0.1 - u"}},
    "path": {"line": {"from": [0,0,0], "to": [1,0,0]}}}}, "contact": {"self": true}, )J" FLOOR "}");
  EXPECT_EQ(problems.size(), 1u) << listed(problems);
}

}  // namespace bad_contact_test
}  // namespace tendril::scene
