// Everything wrong that a scene can say of shells: each row with the exact place and words of its problem.
#include "bad_rows.h"

namespace tendril::scene {
namespace bad_shells_test {

constexpr Row::Form whole = Row::Form::whole, more = Row::Form::more, plate = Row::Form::plate,
                    shell = Row::Form::shell;

#define SHEET R"J("mesh": {"rectangle": {"corner": [0,0,0], "along": [1,0,0], "across": [0,1,0], "edge": 0.5}})J"

const std::vector<Row>& rows() {
  static const std::vector<Row> table = {
      // ---- the shell
      {whole, R"J(~{"format": "tendril/1"}~)J", "",
       "no bodies; expected at least one in \"rods\", \"shells\", \"linkages\" or \"vines\""},
      {whole, R"J({"format": "tendril/1", "shells": {"a": ~{"thickness": 1, )J" SHEET R"J(}~}})J", "/shells/a",
       "this shell needs a material"},
      {shell, R"J("material": ~"ruber"~, "thickness": 1e-3, )J" SHEET, "/shells/plate/material",
       "did you mean \"rubber\""},
      {shell, R"J("thickness": ~"=1-2"~, )J" SHEET, "/shells/plate/thickness", "greater than 0 m, but it is -1"},
      {shell, R"J("thickness": ~"=u"~, )J" SHEET, "/shells/plate/thickness", "shells have none, and see x y z i n"},
      {shell, R"J("thickness": ~"=1e-3-x"~, )J" SHEET, "/shells/plate/thickness", "of shell \"plate\""},
      {plate, R"J("defaults": {"shells": {~"thicknes"~: 1}})J", "/defaults/shells/thicknes",
       "did you mean \"thickness\""},
      {whole, R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1, "density": 1}},
        "rods": {"a": {"section": {"circle": {"radius": 1}}, "path": {"line": {"from": [0,0,0], "to": [1,0,0]}}}},
        "shells": {~"a"~: {"thickness": 1e-3, )J" SHEET R"J(}}})J",
       "/shells/a", "name of a rod already"},
      // ---- generated meshes
      {shell,
       R"J("thickness": 1e-3, "mesh": {"rectangle": {"corner": [0,0,0], "along": ~[0,0,0]~, "across": [0,1,0], "edge": 1}})J",
       "/shells/plate/mesh/rectangle/along", "length 0"},
      {shell,
       R"J("thickness": 1e-3, "mesh": {"rectangle": {"corner": [0,0,0], "along": [1,1,0], "across": ~[2,2,0]~, "edge": 1}})J",
       "/shells/plate/mesh/rectangle/across", "parallel"},
      {shell,
       R"J("thickness": 1e-3, "mesh": {"rectangle": ~{"corner": [0,0,0], "along": [1,0,0], "across": [0,1,0], "edge": 1e-4}~})J",
       "/shells/plate/mesh/rectangle", "a scene has at most 2000000 nodes; expected a longer \"edge\""},
      {shell,
       R"J("thickness": 1e-3, "mesh": {"rectangle": {"corner": [0,0,0], "along": [1,0,0], "across": [0,1,0], "edge": 0.1, "pattern": ~"hexagonal"~}})J",
       "/shells/plate/mesh/rectangle/pattern", "expected one of \"equilateral\""},
      {shell,
       R"J("thickness": 1e-3, "mesh": {"regular-polygon": {"center": [0,0,0], "normal": [0,0,1], "side": 1, "sides": ~2~, "edge": 0.1}})J",
       "/shells/plate/mesh/regular-polygon/sides", "integer from 3"},
      {shell,
       R"J("thickness": 1e-3, "mesh": {"regular-polygon": {"center": [0,0,0], "normal": [0,0,1], "side": 1, "sides": 6, "edge": 0.1, "toward": ~[0,0,-2]~}})J",
       "/shells/plate/mesh/regular-polygon/toward", "along the normal"},
      {shell,
       R"J("thickness": 1e-3, "mesh": {"regular-polygon": ~{"center": [0,0,0], "normal": [0,0,1], "side": 1, "sides": 1000, "edge": 1e-3}~})J",
       "/shells/plate/mesh/regular-polygon", "5.005e+08 vertices"},
      {shell,
       R"J("thickness": 1e-3, "mesh": {"disk": {"center": [0,0,0], "normal": ~[0,0,0]~, "radius": 1, "edge": 0.1}})J",
       "/shells/plate/mesh/disk/normal", "length 0"},
      {shell,
       R"J("thickness": 1e-3, "mesh": {"disk": ~{"center": [0,0,0], "normal": [0,0,1], "radius": 1, "edge": 1e-300}~})J",
       "/shells/plate/mesh/disk", "longer \"edge\""},
      {shell,
       R"J("thickness": 1e-3, "mesh": {"disk": {"center": [0,0,0], "normal": [0,0,1], "radius": 1, "edge": ~"=1/0"~}})J",
       "/shells/plate/mesh/disk/edge", "no finite number"},
      {shell,
       R"J("thickness": 1e-3, "mesh": {"disk": {"center": [0,0,0], "normal": [0,0,1], "radius": 1, "edge": 1}, ~"obj"~: ""})J",
       "/shells/plate/mesh/obj", "only one of"},
      // ---- inline meshes
      {shell, R"J("thickness": 1e-3, "mesh": {"points": [[0,0,0],[1,0,0],[0,1,0]], "triangles": [[0,1,~3~]]})J",
       "/shells/plate/mesh/triangles/0/2", "triangle 0 has the corner 3, but the vertices are numbered 0 to 2"},
      {shell, R"J("thickness": 1e-3, "mesh": {"points": [[0,0,0],[1,0,0],[0,1,0]], "triangles": [[0,1,~-1~]]})J",
       "/shells/plate/mesh/triangles/0/2", "at least 0"},
      {shell, R"J("thickness": 1e-3, "mesh": {"points": [[0,0,0],[1,0,0],[0,1,0]], "triangles": [~[0,1]~]})J",
       "/shells/plate/mesh/triangles/0", "expected 3 numbers"},
      {shell, R"J("thickness": 1e-3, "mesh": {"points": [[0,0,0],[1,0,0],[0,1,0]], "triangles": ~[]~})J",
       "/shells/plate/mesh/triangles", "no triangles"},
      {shell, R"J("thickness": 1e-3, "mesh": {"points": [[0,0,0],[1,0,0],[0,1,0]], "triangles": ~[[0,1,1]]~})J",
       "/shells/plate/mesh/triangles", "triangle 0"},
      {shell, R"J("thickness": 1e-3, "mesh": {"points": [[0,0,0],[1,0,0],[0,1,0]], "triangles": ~[[0,1,2],[2,0,1]]~})J",
       "/shells/plate/mesh/triangles", "triangle"},
      {shell, R"J("thickness": 1e-3, "mesh": {"points": [[0,0,0],[1,0,0],[0,1,0],[1,1,0]], "triangles": ~[[0,1,2]]~})J",
       "/shells/plate/mesh/triangles", "3"},
      {shell,
       R"J("thickness": 1e-3, "mesh": {"points": [[0,0,0],[1,0,0],[0,1,0],[1,0,0]], "triangles": ~[[0,1,2],[0,3,2]]~})J",
       "/shells/plate/mesh/triangles", "1 and 3"},
      {shell, R"J("thickness": 1e-3, "mesh": {"points": [[0,0,0],[1,0,0],[2,0,0]], "triangles": ~[[0,1,2]]~})J",
       "/shells/plate/mesh/triangles", "area"},
      {shell,
       R"J("thickness": 1e-3, "mesh": {"points": [[0,0,0],[1,0,0],[0,1,0],[0,-1,0],[0,0,1]], "triangles": ~[[0,1,2],[1,0,3],[0,1,4]]~})J",
       "/shells/plate/mesh/triangles", "belongs to 3 triangles"},
      {shell, R"J("thickness": 1e-3, "mesh": {"points": [[0,0,0],[1,~"=1/0"~,0],[0,1,0]], "triangles": [[0,1,2]]})J",
       "/shells/plate/mesh/points/1/1", "no finite number"},
      // ---- selectors
      {plate, R"J("constraints": [{"fix": ~"plat"~}])J", "/constraints/0/fix",
       "unknown rod or shell \"plat\"; did you mean \"plate\"?"},
      {plate, R"J("constraints": [{"fix": ~"plate:5"~}])J", "/constraints/0/fix", "shell \"plate\" has nodes 0 to 4"},
      {plate, R"J("constraints": [{"fix": {"of": "plate", "where": ~"s < 1"~}}])J", "/constraints/0/fix/where",
       "shells have no arc length"},
      {plate, R"J("constraints": [{"fix": {"of": "*", "where": ~"u < 1"~}}])J", "/constraints/0/fix/where",
       "\"plate\" is a shell"},
      {plate, R"J("constraints": [{"fix": ~"tail*"~}])J", "/constraints/0/fix", "matches no rod or shell"},
      {shell, R"J("thickness": 1e-3, )J" SHEET R"J(}}, "constraints": [{"fix": ~"plat"~}], "view": {"camera": {)J",
       "/constraints/0/fix", "unknown shell"},
      // ---- joints
      {plate, R"J("joints": [{"weld": ~["rope:first", "plate:2"]~}])J", "/joints/0/weld",
       "the node of plate nearest to rope:0 is plate:0, 0 m away"},
      {plate, R"J("joints": [{"weld": ~["rope:last", "plate@[0,0,0]"]~}])J", "/joints/0/weld",
       "0.1 m apart; expected at most 1.73205e-07 m (1e-6 of the structure's size); no node of plate is nearer to rope:4"},
      // ---- constraints
      {plate, R"J("constraints": [{"fixTwist": ~"plate"~}])J", "/constraints/0/fixTwist",
       "\"plate\" is a shell, and \"fixTwist\" fixes the twist of a rod's edges"},
      {plate, R"J("constraints": [{"turn": ~"plate:0"~, "angle": 1}])J", "/constraints/0/turn",
       "\"clamp\", \"fix\" or \"move\""},
      {plate, R"J("constraints": [{"turn": ~{"of": "plate", "where": "x > 0"}~, "angle": 1}])J", "/constraints/0/turn",
       "is a shell"},
      // ---- loads
      {plate, R"J("loads": [{"follower": [0,0,1], "at": ~"plate:0"~}])J", "/loads/0/at",
       "\"pressure\" turns with the surface"},
      {plate, R"J("loads": [{"moment": [0,0,1], "at": ~"plate"~}])J", "/loads/0/at",
       "\"moment\" acts on the edge of a rod"},
      {plate, R"J("loads": [{"line": [0,0,1], "on": ~"plate:2"~}])J", "/loads/0/on", "no whole edge"},
      {plate, R"J("loads": [{"pressure": 1, "on": ~"plate:0..3"~}])J", "/loads/0/on", "no whole triangle"},
      {plate, R"J("loads": [{"pressure": 1, "on": ~"rope"~}])J", "/loads/0/on",
       "\"rope\" is a rod, and \"pressure\" acts on the triangles of shells"},
      {plate, R"J("loads": [{"pressure": "=~tip~", "on": "plate"}])J", "/loads/0/pressure", "unknown name"},
      {plate, R"J("loads": [{"force": [0,0,1], "share": true, "at": ~"*"~}])J", "/loads/0/at",
       "by length on rods and by area on shells"},
      {plate, R"J("solver": {"start": "equilibrium", "with": [{"pressure": 1, "on": ~"rope"~}]})J", "/solver/with/0/on",
       "is a rod"},
      // ---- environment
      {plate, R"J("environment": {"drag": ~0.5~})J", "/environment/drag", "drag needs the density of the medium"},
      {plate, R"J("environment": {"fluid": ~{}~})J", "/environment/fluid", "the fluid is empty"},
      {plate, R"J("environment": {"fluid": {"velocity": [1,0,0]}, "buoyancy": ~true~})J", "/environment/buoyancy",
       "needs the density"},
      {plate, R"J("environment": {"fluid": {"density": 1, "velocity": ~3~}})J", "/environment/fluid/velocity",
       "3 numbers"},
      // ---- actuation
      {plate, R"J("actuation": [{"rod": ~"plate"~, "curvature": [1, 0]}])J", "/actuation/0/rod",
       "{\"shell\": ..., \"angle\": ...}"},
      {plate, R"J("actuation": [{"rod": ~"*"~, "table": {"time": [0], "curvature1": [[1, 2, 3]]}}])J",
       "/actuation/0/rod", "\"plate\" is a shell"},
      {plate, R"J("actuation": [{"shell": ~"rope"~, "angle": 1}])J", "/actuation/0/shell", "\"rope\" is a rod"},
      {plate, R"J("actuation": [{"shell": ~"plate:0..1"~, "angle": 1}])J", "/actuation/0/shell",
       "the selection holds no hinge"},
      {plate, R"J("actuation": [{"shell": "plate", "angle": ~"=u*t"~}])J", "/actuation/0/angle",
       "shells have no arc length"},
      {plate, R"J("actuation": [{"shell": "plate", ~"twist"~: 1, "angle": 1}])J", "/actuation/0/twist",
       "goes only with rod"},
      {plate, R"J("actuation": [~{"shell": "plate", "angle": 1, "csv": "t,angle\n0,1"}~])J", "/actuation/0",
       "a table and a formula exclude each other"},
      {plate, R"J("actuation": [{"shell": "plate", "csv": ~"t,twist\n0,1"~}])J", "/actuation/0/csv",
       "unknown column \"twist\""},
      {plate, R"J("actuation": [~{~"shell": "plate"}])J", "/actuation/0",
       "needs one of these beside it: angle, table, csv"},
      // ---- initial
      {plate, R"J("initial": [{"spin": 1, "of": ~"plate"~}])J", "/initial/0/of",
       "\"twist\" and \"spin\" turn the edges of rods"},
      {plate, R"J("initial": [{"twist": 1, "of": ~"*"~}])J", "/initial/0/of", "is a shell"},
      {plate, R"J("initial": [{"velocity": [0, 0, ~"=s"~], "of": "plate"}])J", "/initial/0/velocity/2",
       "shells have no arc length"},
      // ---- solver
      {plate, R"J("solver": {"integrator": ~"verlet"~})J", "/solver/integrator",
       "expected \"bending\": \"hinge\" there, or an implicit integrator"},
      // ---- probes
      {plate, R"J("probes": {"a": {"tangent": ~"plate:0"~}})J", "/probes/a/tangent", "\"tangent\" measures rods"},
      {plate, R"J("probes": {"a": {"curvature": ~"plate"~}})J", "/probes/a/curvature",
       "take the \"angle\" of its hinges"},
      {plate, R"J("probes": {"a": {"twist": ~"plate"~}})J", "/probes/a/twist", "is a shell"},
      {plate, R"J("probes": {"a": {"moment": ~"plate"~}})J", "/probes/a/moment", "is a shell"},
      {plate, R"J("probes": {"a": {"pose": ~"plate:0"~}})J", "/probes/a/pose", "take its \"position\""},
      {plate, R"J("probes": {"a": {"stretch": ~"plate"~}})J", "/probes/a/stretch", "is a shell"},
      {plate, R"J("probes": {"a": {"tension": ~"plate"~}})J", "/probes/a/tension", "is a shell"},
      {plate, R"J("probes": {"a": {"length": ~"plate"~}})J", "/probes/a/length", "take the \"distance\""},
      {plate, R"J("probes": {"a": {"reactionMoment": ~"plate:0"~}})J", "/probes/a/reactionMoment",
       "take the \"reaction\" of the clamped nodes"},
      {plate, R"J("probes": {"a": {"angle": ~"rope"~}})J", "/probes/a/angle", "on rods take the \"curvature\""},
      {plate, R"J("probes": {"a": {"angle": ~"plate:0..1"~}})J", "/probes/a/angle", "holds no hinge"},
      {plate, R"J("probes": {"a": {"energy": "membrane", "of": ~"plat"~}})J", "/probes/a/of", "did you mean \"plate\""},
      {plate, R"J("probes": {"a": {"energy": "membrane", "of": ~"plate:3"~}})J", "/probes/a/of",
       "\"plate:3\" is a part of \"plate\"; expected the name of a whole body: rope, plate"},
      {more, R"J("probes": {"a": {"angle": ~"arm"~}})J", "/probes/a/angle", "\"arm\" is a rod"},
  };
  return table;
}

TEST(BadShells, EveryRowIsRefusedAtItsPlaceAndInItsWords) {
  for (const Row& row : rows()) expectRefused(row);
}

TEST(BadShells, AWrongMeshIsToldOnceAndHidesWhatRefersToIt) {
  const Problems problems = problemsOf(
      shellText(R"J("thickness": 1e-3, "mesh": {"points": [[0,0,0],[1,0,0],[2,0,0]], "triangles": [[0,1,2]]})J",
                R"J("constraints": [{"clamp": "plate:7"}], "probes": {"a": {"angle": "plate"}})J"));
  EXPECT_EQ(problems.size(), 1u) << listed(problems);
}

TEST(BadShells, AWrongSelectionIsNotCountedAgainstATable) {
  const Problems problems = problemsOf(plateText(
      R"J("actuation": [{"rod": "plate", "table": {"time": [0], "curvature1": [[1, 2, 3]]}}, {"rod": "rop", "csv": "t,curvature1[0],curvature1[1]\n0,1,2"}])J"));
  EXPECT_EQ(problems.size(), 2u) << listed(problems);
}

TEST(BadShells, NodesOfAllBodiesTogetherAreBounded) {
  const std::string sheet =
      R"J("mesh": {"rectangle": {"corner": [0, 0, "=k"], "along": [1,0,0], "across": [0,1,0], "edge": 5e-3}})J";
  const Problems problems = problemsOf(R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1, "density": 1}},
    "shells": {"p{k}": {"repeat": {"k": 45}, "thickness": 1e-3, )J" +
                                       sheet + "}}}");
  ASSERT_FALSE(problems.empty());
  EXPECT_NE(problems[0].message.find("at most 2000000 nodes"), std::string::npos) << listed(problems);
}

}  // namespace bad_shells_test
}  // namespace tendril::scene
