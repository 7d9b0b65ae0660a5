// The key table: that its rows are sound, what it answers by path, and every kind of fault that the structure check
// finds, each told once, at its place.
#include "scene/format/keys.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <set>

#include "scene/format/tables/table.h"
#include "scene/resolve/resolve.h"

namespace tendril::scene {
namespace keys_test {

TEST(KeyTable, RowsAreSound) {
  const std::set<std::string> words = {"number",  "vector",  "pair",   "numbers", "rows",    "points",   "triangles",
                                       "integer", "boolean", "text",   "axes",    "formula", "selector", "selectors",
                                       "choice",  "any",     "object", "map",     "labels",  "list",     "texts"};
  std::set<std::string> names;
  for (const auto* part : {&sceneKeyObjects(), &bodyKeyObjects(), &shellKeyObjects(), &contactKeyObjects(),
                           &outputKeyObjects(), &linkageKeyObjects(), &vineKeyObjects()})
    for (const KeyObject& object : *part) {
      EXPECT_TRUE(names.insert(object.name).second) << object.name << " appears twice";
      std::set<std::string> keys;
      for (const KeyRow& row : object.rows) {
        const std::string where = std::string(object.name) + "." + row.key;
        EXPECT_TRUE(keys.insert(row.key).second) << where << " appears twice";
        std::string rest = row.type;
        while (!rest.empty()) {
          const std::string one = rest.substr(0, rest.find('|'));
          EXPECT_TRUE(words.count(one.substr(0, one.find(' ')))) << where << ": " << row.type;
          rest = rest.find('|') == std::string::npos ? "" : rest.substr(rest.find('|') + 1);
        }
        EXPECT_GT(std::string(row.doc).size(), 3u) << where;
        if (*row.standard != '\0') {
          EXPECT_TRUE(std::holds_alternative<text::Document>(text::Document::parse(row.standard))) << where;
        }
      }
    }
  for (const KeySet& set : keySets())
    for (const Key& key : set.keys) {
      for (const KeyType& type : key.types)
        EXPECT_TRUE(type.object.empty() || findKeySet(type.object)) << set.name << "." << key.name;
      for (const std::string& other : key.with) EXPECT_NE(set.find(other), nullptr) << set.name << "." << key.name;
    }
}

TEST(KeyTable, AnswersByPath) {
  EXPECT_EQ(defaultNumber("solver.dt"), 0.01);
  EXPECT_EQ(defaultNumber("solver.duration"), 10);
  EXPECT_EQ(defaultNumber("solver.tolerance"), 1e-8);
  EXPECT_EQ(defaultNumber("materials.damping"), 0);
  EXPECT_TRUE(std::isnan(defaultNumber("materials.youngs")));
  EXPECT_TRUE(std::isnan(defaultNumber("environment.gravity")));
  EXPECT_EQ(rangeOf("rods.no"), nullptr);
  EXPECT_TRUE(rangeOf("materials.poisson")->holds(0.5));
  EXPECT_FALSE(rangeOf("materials.poisson")->holds(-1));
  EXPECT_FALSE(rangeOf("rods.section.circle.radius")->holds(0));
  EXPECT_TRUE(rangeOf("rods.section.circle.radius")->holds(1e-9));
  EXPECT_FALSE(rangeOf("rods.section.circle.radius")->holds(std::nan("")));
  EXPECT_FALSE(rangeOf("rods.segments")->holds(1.5));
  EXPECT_TRUE(rangeOf("rods.segments")->holds(200000));
  EXPECT_FALSE(rangeOf("rods.segments")->holds(1e12));
  EXPECT_EQ(rangeMessage("materials.youngs", -3), "youngs must be greater than 0 Pa, but it is -3");
  EXPECT_EQ(rangeMessage("materials.poisson", 0.6), "poisson must be greater than -1 and at most 0.5, but it is 0.6");
  EXPECT_EQ(rangeMessage("rods.segments", 0.5), "segments must be an integer from 1 to 200000, but it is 0.5");
  EXPECT_NE(rangeMessage("loads.force", std::nan("")).find("finite"), std::string::npos);
  EXPECT_TRUE(sightOf("loads.force").timed && sightOf("loads.force").columns && !sightOf("loads.force").field);
  EXPECT_TRUE(sightOf("actuation.curvature").timed && sightOf("actuation.curvature").field);
  EXPECT_TRUE(sightOf("rods.natural.twist").field && !sightOf("rods.natural.twist").timed);
  EXPECT_TRUE(sightOf("rods.path.curve.x").along);
  EXPECT_FALSE(sightOf("materials.youngs").timed);
  EXPECT_TRUE(sightOf("constraints.rotation.angle").timed);
}

struct Bad {
  const char *member, *message, *pointer;
};

const char* const base = R"({"format": "tendril/1",
"materials": {"m": {"youngs": 1e6, "density": 1000}},
"rods": {"arm": {"section": {"circle": {"radius": 1e-3}}, "path": {"line": {"from": [0,0,0], "to": [1,0,0]}}}})";

Problems check(const std::string& text) {
  auto parsed = text::Document::parse(text);
  if (auto* wrong = std::get_if<Problems>(&parsed)) return *wrong;
  Problems problems;
  resolveScene(std::get<text::Document>(parsed), {}, problems);
  return problems;
}

void expectOne(const std::string& text, const std::string& message, const std::string& pointer) {
  const Problems problems = check(text);
  ASSERT_FALSE(problems.empty()) << "accepted: " << text;
  EXPECT_NE(problems[0].message.find(message), std::string::npos) << problems[0].message << "\nwanted: " << message;
  EXPECT_EQ(problems[0].pointer, pointer) << problems[0].message;
  EXPECT_EQ(problems.size(), 1u) << describe(problems.back(), "noise") << "\n" << text;
}

TEST(Structure, FaultsOfSectionsAreToldOnce) {
  const Bad cases[] = {
      {R"("rod": {})", "unknown key \"rod\" in a scene: did you mean \"rods\"?", "/rod"},
      {R"("banana": {})", "unknown key \"banana\" in a scene; it has format,", "/banana"},
      {R"("shells": {"plate": {"thickness": -1, "mesh": {"obj": ""}}})", "must be greater than 0 m",
       "/shells/plate/thickness"},
      {R"("shells": {"plate": {"tickness": 1, "mesh": {"obj": ""}}})", "did you mean \"thickness\"?",
       "/shells/plate/tickness"},
      {R"("shells": {"plate": {"thickness": 1, "mesh": {"disc": {}}}})", "did you mean \"disk\"?",
       "/shells/plate/mesh/disc"},
      {R"("shells": {"plate": {"thickness": 1, "mesh": {"points": [[0, 0, 0]]}}})", "needs \"triangles\" beside it",
       "/shells/plate/mesh"},
      {R"("shells": {"plate": {"thickness": 1, "mesh": {"points": [[0, 0, 0]], "triangles": [[0, 1.5, 2]]}}})",
       "must be an integer at least 0, but it is 1.5", "/shells/plate/mesh/triangles/0/1"},
      {R"("shells": {"plate": {"thickness": 1, "bending": "hinges", "mesh": {"obj": ""}}})", "did you mean \"hinge\"?",
       "/shells/plate/bending"},
      {R"("linkages": [])", "expected an object with names", "/linkages"},
      {R"("obstacles": [])", "expected", "/obstacles"},
      {R"("obstacles": {"floor": {"plain": {}}})", "did you mean \"plane\"?", "/obstacles/floor/plain"},
      {R"("obstacles": {"floor": {}})", "exactly one of plane, sphere, box, capsule, cylinder", "/obstacles/floor"},
      {R"("obstacles": {"f": {"plane": {"point": [0,0,0]}}})", "needs the key \"normal\"", "/obstacles/f/plane"},
      {R"("obstacles": {"b": {"sphere": {"center": [0,0,0], "radius": 0}}})", "greater than 0 m, but it is 0",
       "/obstacles/b/sphere/radius"},
      {R"("obstacles": {"b": {"box": {"center": [0,0,0], "half": [1,-1,1]}}})", "greater than 0 m, but it is -1",
       "/obstacles/b/box/half/1"},
      {R"("obstacles": {"b": {"sphere": {"center": [0,0,0], "radius": 1}, "velocity": [0,0,1], "displacement": [0,0,1]}})",
       "takes only one of velocity, displacement", "/obstacles/b/displacement"},
      {R"("contact": {"stiffness": 0})", "greater than 0 N/m, but it is 0", "/contact/stiffness"},
      {R"("contact": {"friction": -0.1})", "at least 0, but it is -0.1", "/contact/friction"},
      {R"("contact": {"per": "area"})", "expected one of \"contact\", \"length\"", "/contact/per"},
      {R"("contact": {"frction": 0.1})", "did you mean \"friction\"?", "/contact/frction"},
      {R"("environment": {"rft": {"tangential": -1}})", "at least 0 N s/m^2", "/environment/rft/tangential"},
      {R"("environment": {"drag": -0.5})", "must be at least 0", "/environment/drag"},
      {R"("environment": {"gravity": [0, 0]})", "expected 3 numbers, found 2", "/environment/gravity"},
      {R"("environment": {"gravity": -9.81})", "expected a list of 3 numbers [m/s^2], found -9.81",
       "/environment/gravity"},
      {R"("environment": {"gravity": [0, 0, "-9.81"]})", "a formula starts with \"=\"", "/environment/gravity/2"},
      {R"("environment": {"buoyancy": true})", "\"buoyancy\" goes only with fluid", "/environment/buoyancy"},
      {R"("environment": {"viscous": -1})", "must be at least 0 Pa s, but it is -1", "/environment/viscous"},
      {R"("joints": [{"weld": []}])", "expected a list of selectors, found an empty list", "/joints/0/weld"},
      {R"("joints": [{"weld": ["arm:first", 3]}])", "found 3", "/joints/0/weld/1"},
      {R"("joints": [{}])", "a joint needs exactly one of weld, pin", "/joints/0"},
      {R"("joints": [{"weld": ["a", "b"], "pin": ["a", "b"]}])", "takes only one of weld, pin", "/joints/0/pin"},
      {R"("joints": 3)", "expected a list of objects, found 3", "/joints"},
      {R"("joints": [3])", "expected an object, a joint, found 3", "/joints/0"},
      {R"("constraints": [{"clmp": "arm:first"}])", "did you mean \"clamp\"?", "/constraints/0/clmp"},
      {R"("constraints": [{"clamp": ""}])", "found an empty text", "/constraints/0/clamp"},
      {R"("constraints": [{"fix": {"of": "arm"}}])", "needs the key \"where\"", "/constraints/0/fix"},
      {R"("constraints": [{"fix": "arm", "axes": "xq"}])", "some of x, y and z", "/constraints/0/axes"},
      {R"("constraints": [{"fix": "arm", "axes": "xx"}])", "some of x, y and z", "/constraints/0/axes"},
      {R"("constraints": [{"clamp": "arm:first", "axes": "x"}])", "\"axes\" goes only with fix", "/constraints/0/axes"},
      {R"("constraints": [{"turn": "arm:0"}])", "\"turn\" needs \"angle\" beside it", "/constraints/0"},
      {R"("constraints": [{"move": "arm"}])", "needs one of these beside it: displacement, velocity", "/constraints/0"},
      {R"("constraints": [{"move": "arm", "velocity": [0,0,0], "displacement": [0,0,0]}])", "takes only one of",
       "/constraints/0/velocity"},
      {R"("constraints": [{"planar": "xw"}])", "expected one of \"xy\", \"xz\", \"yz\"", "/constraints/0/planar"},
      {R"("constraints": [{"clamp": "arm:first", "then": "drop"}])", "expected one of \"hold\", \"release\"",
       "/constraints/0/then"},
      {R"("loads": [{"force": [1, 0, 0]}])", "\"force\" needs \"at\" beside it", "/loads/0"},
      {R"("loads": [{"mass": -1, "at": "arm"}])", "must be at least 0 kg", "/loads/0/mass"},
      {R"("loads": [{"moment": [0, 0, 1], "at": "arm:last", "share": true}])", "\"share\" goes only with force",
       "/loads/0/share"},
      {R"("loads": [{"pressure": "=100", "on": "plate", "share": true}])", "\"share\" goes only with force",
       "/loads/0/share"},
      {R"("loads": [{"pressure": "=100"}])", "\"pressure\" needs \"on\" beside it", "/loads/0"},
      {R"("actuation": [{"rod": "arm"}])", "needs one of these beside it: curvature, twist", "/actuation/0"},
      {R"("actuation": [{"rod": "arm", "curvature": 3}])", "a list of 2 numbers", "/actuation/0/curvature"},
      {R"("actuation": [{"shell": "ray"}])", "needs one of these beside it: angle, table, csv", "/actuation/0"},
      {R"("actuation": [{"shell": "ray", "angle": 1, "curvature": [1, 2]}])", "the hinges of a shell take \"angle\"",
       "/actuation/0/curvature"},
      {R"("actuation": [{"rod": "arm", "twist": 1, "angle": 1}])", "goes only with shell; rods take",
       "/actuation/0/angle"},
      {R"("actuation": [{"rod": "arm", "table": {"time": [0]}}])", "curvature1, curvature2, twist, stretch, angle",
       "/actuation/0/table"},
      {R"("actuation": [{"rod": "arm", "table": {"time": [0], "twist": ["x"]}}])", "expected a number",
       "/actuation/0/table/twist/0"},
      {R"("states": {"I": {}})", "a state needs the key \"rate\"", "/states/I"},
      {R"("states": {"x": {"rate": 0}})", "reserved", "/states/x"},
      {R"("initial": [{"velocity": [0,0,0]}])", "needs the key \"of\"", "/initial/0"},
      {R"("initial": [{"of": "arm"}])", "\"of\" needs one of these beside it", "/initial/0"},
      {R"("initial": [{"of": "arm/limb", "stretch": -1}])", "greater than -1, but it is -1", "/initial/0/stretch"},
      {R"("solver": {"mode": "dynamc"})", "did you mean \"dynamic\"?", "/solver/mode"},
      {R"("solver": {"integrator": "generalized-alfa"})", "did you mean \"generalized-alpha\"?", "/solver/integrator"},
      {R"("solver": {"rho": 1.1})", "must be from 0 to 1, but it is 1.1", "/solver/rho"},
      {R"("solver": {"dt": 0})", "must be greater than 0 s, but it is 0", "/solver/dt"},
      {R"("solver": {"dt": null})", "found null", "/solver/dt"},
      {R"("solver": {"iterations": 2.5})", "must be an integer from 1 to 100000, but it is 2.5", "/solver/iterations"},
      {R"("solver": {"lineSearch": 1})", "expected true or false, found 1", "/solver/lineSearch"},
      {R"("solver": {"with": []})", "\"with\" goes only with start", "/solver/with"},
      {R"("solver": {"start": "equilibrium", "with": [{"force": [0,0,1]}]})", "\"force\" needs \"at\"",
       "/solver/with/0"},
      {R"("solver": {"adaptive": true})", "expected an object, the adaptive step", "/solver/adaptive"},
      {R"("probes": {"tip": {"postion": "arm:last"}})", "did you mean \"position\"?", "/probes/tip/postion"},
      {R"("probes": {"tip": "arm:last"})", "expected an object, a probe, found the text", "/probes/tip"},
      {R"("probes": {"e": {"energy": "potential"}})", "expected one of \"kinetic\"", "/probes/e/energy"},
      {R"("probes": {"e": {"energy": "total", "reduce": "max"}})", "\"reduce\" goes only with", "/probes/e/reduce"},
      {R"("probes": {"tip": {"speed": "arm:last", "unit": "km/h"}})",
       "\"unit\" goes only with formula; what else is measured has its own, in SI", "/probes/tip/unit"},
      {R"("probes": {"f": {"formula": "1", "unit": 1}})", "\"unit\": expected a text, found 1", "/probes/f/unit"},
      {R"("probes": {"f": {"formula": "1", "hidden": 1}})", "expected true or false, found 1", "/probes/f/hidden"},
      {R"("states": {"I": {"rate": 0, "lable": "sum"}})", "did you mean \"label\"?", "/states/I/lable"},
      {R"("probes": {"c": {"cable": 1}})", "expected a text", "/probes/c/cable"},
      {R"("probes": {"j": {"jointAngel": "arm/hub"}})", "did you mean \"jointAngle\"?", "/probes/j/jointAngel"},
      {R"("probes": {"j": {"contact": "forces"}})", "did you mean \"force\"?", "/probes/j/contact"},
      {R"("probes": {"j": {"contact": "force", "reduce": "max"}})", "goes only with", "/probes/j/reduce"},
      {R"("probes": {"d": {"distance": ["arm:first"]}})", "expected a list of two selectors, found a list of 1",
       "/probes/d/distance"},
      {R"("probes": {"a": {"speed": "arm"}}, "states": {"a": {"rate": 0}})", "is the name of a probe too", "/states/a"},
      {R"("probes": {"3d": {"speed": "arm"}})", "is not a name", "/probes/3d"},
      {R"("checks": [{"at": "end"}])", "a check needs the key \"expect\"", "/checks/0"},
      {R"("checks": [{"at": "sometimes", "expect": "1"}])", "expected one of \"end\", \"always\", \"ever\"",
       "/checks/0/at"},
      {R"("checks": [{"expect": true}])", "expected a formula, found true", "/checks/0/expect"},
      {R"("checks": [{"expect": "1", "points": -1}])", "must be at least 0", "/checks/0/points"},
      {R"("checks": [{"expect": "1", "with": {"E": "x"}}])", "expected a number", "/checks/0/with/E"},
      {R"("view": {"camera": {"position": [1, 2]}})", "expected 3 numbers, found 2", "/view/camera/position"},
      {R"("view": {"speed": 0})", "must be greater than 0", "/view/speed"},
      {R"("title": 3)", "expected a text, found 3", "/title"},
  };
  for (const Bad& bad : cases) expectOne(std::string(base) + ",\n" + bad.member + "}", bad.message, bad.pointer);
}

TEST(Structure, FaultsOfRodsAreToldOnce) {
  const Bad cases[] = {
      {R"("section": {"circle": {"radius": -1}}, "path": {"points": [[0,0,0],[1,0,0]]})",
       "must be greater than 0 m, but it is -1", "/rods/arm/section/circle/radius"},
      {R"("section": {"circle": {"raduis": 1}}, "path": {"points": [[0,0,0],[1,0,0]]})", "did you mean \"radius\"?",
       "/rods/arm/section/circle/raduis"},
      {R"("section": {"circle": 1e-3}, "path": {"points": [[0,0,0],[1,0,0]]})",
       "expected an object, a circle, found 0.001", "/rods/arm/section/circle"},
      {R"("section": {"radius": 1e-3}, "path": {"points": [[0,0,0],[1,0,0]]})",
       "needs exactly one of circle, rectangle", "/rods/arm/section"},
      {R"("section": {"circle": {"radius": 1}, "tube": {"radius": 1, "wall": 1}}, )"
       R"("path": {"points": [[0,0,0],[1,0,0]]})",
       "takes only one of circle, tube", "/rods/arm/section/tube"},
      {R"("section": {"circle": {"radius": 1}, "massPerLength": 1}, "path": {"points": [[0,0,0],[1,0,0]]})",
       "\"massPerLength\" goes only with stiffness", "/rods/arm/section/massPerLength"},
      {R"("path": {"points": [[0,0,0],[1,0,0]]})", "a rod needs the key \"section\"", "/rods/arm"},
      {R"("section": {"circle": {"radius": 1}})", "a rod needs the key \"path\"", "/rods/arm"},
      {R"("section": {"circle": {"radius": 1}}, "path": {"line": {"from": [0,0,0]}})", "a line needs the key \"to\"",
       "/rods/arm/path/line"},
      {R"("section": {"circle": {"radius": 1}}, "path": {"points": [[0,0], [1,0,0]]})", "expected 3 numbers, found 2",
       "/rods/arm/path/points/0"},
      {R"("section": {"circle": {"radius": 1}}, "path": {"points": [3]})", "a list of points",
       "/rods/arm/path/points/0"},
      {R"("section": {"circle": {"radius": 1}}, "path": {"points": [[0,0,0],[1,0,0]]}, "segments": 1e12)",
       "from 1 to 200000, but it is 1000000000000", "/rods/arm/segments"},
      {R"("section": {"circle": {"radius": 1}}, "path": {"points": [[0,0,0],[1,0,0]]}, "segments": 0)",
       "from 1 to 200000, but it is 0", "/rods/arm/segments"},
      {R"("section": {"circle": {"radius": 1}}, "path": {"points": [[0,0,0],[1,0,0]]}, "natural": "bent")",
       "expected \"straight\", found \"bent\"", "/rods/arm/natural"},
      {R"("section": {"circle": {"radius": 1}}, "path": {"points": [[0,0,0],[1,0,0]]}, "natural": 3)",
       "expected \"straight\", or an object", "/rods/arm/natural"},
      {R"("section": {"circle": {"radius": 1}}, "path": {"points": [[0,0,0],[1,0,0]]}, "look": {"opacity": 2})",
       "from 0 to 1", "/rods/arm/look/opacity"},
  };
  for (const Bad& bad : cases)
    expectOne(
        std::string(
            R"({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "density": 1000}}, "rods": {"arm": {)") +
            bad.member + "}}}",
        bad.message, bad.pointer);
}

TEST(Structure, FormatAndRootAreChecked) {
  expectOne("[1]", "a scene is an object", "");
  expectOne("{}", "needs the key \"format\"", "");
  expectOne("{\"format\": \"tendril/2\"}", "expected \"tendril/1\", found \"tendril/2\"", "/format");
  expectOne("{\"format\": 1}", "expected \"tendril/1\", found 1", "/format");
  expectOne(R"({"format": "tendril/1", "materials": {"m": {"youngs": -1, "density": 1}}})", "greater than 0 Pa",
            "/materials/m/youngs");
  expectOne(R"({"format": "tendril/1", "materials": {"m": {"youngs": 1, "density": 1, "poisson": -1}}})",
            "greater than -1 and at most 0.5", "/materials/m/poisson");
}

TEST(Structure, ProblemsAreListedTogetherInTheOrderOfTheText) {
  const Problems problems = check(R"({"format": "tendril/1", "solver": {"dt": -1, "mod": "x"},
    "materials": {"m": {"youngs": "soft"}}})");
  ASSERT_EQ(problems.size(), 4u);
  EXPECT_EQ(problems[0].pointer, "/solver/dt");
  EXPECT_EQ(problems[1].pointer, "/solver/mod");
  EXPECT_EQ(problems[2].pointer, "/materials/m");
  EXPECT_EQ(problems[3].pointer, "/materials/m/youngs");
  EXPECT_EQ(problems[3].line, 2);
}

TEST(Structure, ManyProblemsAreCut) {
  std::string text = "{\"format\": \"tendril/1\"";
  for (int k = 0; k < 5000; ++k) text += ", \"key" + std::to_string(k) + "\": 1";
  const Problems problems = check(text + "}");
  EXPECT_EQ(problems.size(), 100u);
  EXPECT_NE(problems.back().message.find("more problems"), std::string::npos);
}

TEST(Structure, EveryPathOfTheContractIsKnown) {
  for (const char* path : {"rods.natural.curvature",
                           "rods.look.hidden",
                           "shells.mesh.regular-polygon.toward",
                           "linkages.links.joint.helical.pitch",
                           "linkages.links.body.soft.strains.shearZ",
                           "linkages.cables.path.oblique.from",
                           "linkages.loops.joint.fixed",
                           "vines.stall",
                           "linkages.links.fluid.added",
                           "linkages.links.body.rigid.inertia",
                           "obstacles.box.rotation.axis",
                           "contact.per",
                           "constraints.before",
                           "loads.follower",
                           "environment.fluid.density",
                           "actuation.csv",
                           "solver.with.force",
                           "probes.reactionMoment",
                           "checks.during",
                           "view.camera.target",
                           "initial.bendYRate"})
    EXPECT_NE(findKey(path), nullptr) << path;
}

TEST(Schema, PublishedFileIsTheTableByteForByte) {
  std::ifstream file(std::string(TENDRIL_SOURCE_DIR) + "/scenes/tendril.schema.json", std::ios::binary);
  const std::string published((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  EXPECT_TRUE(published == keysSchema()) << "print it anew: tendril schema > scenes/tendril.schema.json";
}

TEST(Schema, IsJsonWithEveryReferenceDefined) {
  const std::string schema = keysSchema();
  const auto parsed = text::Document::parse(schema);
  ASSERT_TRUE(std::holds_alternative<text::Document>(parsed));
  const text::Value& definitions = *std::get<text::Document>(parsed).root().find("$defs");
  int references = 0;
  const std::string mark = "\"#/$defs/";
  for (std::size_t at = schema.find(mark); at != std::string::npos; at = schema.find(mark, at + 1)) {
    const std::size_t begin = at + mark.size();
    const std::string name = schema.substr(begin, schema.find('"', begin) - begin);
    EXPECT_NE(definitions.find(name), nullptr) << name;
    ++references;
  }
  EXPECT_GT(references, 100);
}

TEST(Reference, NamesEveryKey) {
  const std::string page = keysReference();
  for (const KeySet& set : keySets())
    for (const Key& key : set.keys)
      EXPECT_NE(page.find("| `" + (key.name == "*" ? "any name" : key.name) + "` |"), std::string::npos) << key.name;
}

}  // namespace keys_test
}  // namespace tendril::scene
