// The first passes over a scene: parameters in all their forms, series, repeat and defaults.
#include "scene/resolve/resolve.h"

#include <gtest/gtest.h>

namespace tendril::scene {
namespace resolve_test {

/// A scene with one material and the given members; rods are left to the test.
std::string scene(const std::string& members) {
  return std::string("{\"format\": \"tendril/1\", \"materials\": {\"m\": {\"youngs\": 1e6, \"density\": 1000}}") +
         (members.empty() ? "" : ",\n") + members + "}";
}

const std::string rod =
    "\"section\": {\"circle\": {\"radius\": 1e-3}}, \"path\": {\"line\": {\"from\": [0,0,0], \"to\": [1,0,0]}}";

struct Resolved {
  std::shared_ptr<text::Document> document;
  ResolvedScene scene;
  Problems problems;

  double value(const std::string& parameter) const {
    return scene.values.at(std::size_t(scene.scope.parameters.at(parameter)));
  }
  const Parameter& parameter(const std::string& name) const {
    return scene.parameters.at(std::size_t(scene.scope.parameters.at(name)));
  }
  const text::Value& at(std::initializer_list<const char*> keys) const {
    const text::Value* value = &scene.root;
    for (const char* key : keys) {
      value = value->isArray() ? &value->items.at(std::stoul(key)) : value->find(key);
      if (!value) throw std::runtime_error(std::string("no ") + key);
    }
    return *value;
  }
};

Resolved resolve(const std::string& text, const std::map<std::string, double>& overrides = {}) {
  Resolved out;
  out.document = std::make_shared<text::Document>(std::get<text::Document>(text::Document::parse(text)));
  out.scene = resolveScene(*out.document, overrides, out.problems);
  return out;
}

Resolved good(const std::string& text, const std::map<std::string, double>& overrides = {}) {
  Resolved out = resolve(text, overrides);
  for (const Problem& problem : out.problems) ADD_FAILURE() << describe(problem, "scene") << "\n" << text;
  return out;
}

void expectProblem(const std::string& text, const std::string& part, const std::string& pointer = "?",
                   const std::map<std::string, double>& overrides = {}) {
  const Resolved out = resolve(text, overrides);
  ASSERT_FALSE(out.problems.empty()) << "accepted: " << text;
  EXPECT_NE(out.problems[0].message.find(part), std::string::npos) << out.problems[0].message << "\n" << text;
  if (pointer != "?") {
    EXPECT_EQ(out.problems[0].pointer, pointer) << out.problems[0].message;
  }
  EXPECT_EQ(out.problems.size(), 1u) << "noise: " << describe(out.problems.back(), "scene") << "\n" << text;
}

TEST(Parameters, EveryFormIsRead) {
  const Resolved r = good(scene(R"("parameters": {
    "plain": 3, "formula": "=2*later + plain", "later": "=plain^2",
    "slider": {"value": "=plain/2", "min": "=plain/10", "max": 10, "scale": "log", "step": 0.5, "unit": "Pa",
               "label": "Stiffness"},
    "menu": {"value": 1, "choices": [0.5, "=plain"]},
    "named": {"value": 1, "choices": {"half as much": 0.5, "all": 1}}})"));
  EXPECT_EQ(r.value("formula"), 21);
  EXPECT_EQ(r.value("slider"), 1.5);
  const Parameter& slider = r.parameter("slider");
  EXPECT_EQ(slider.min, 0.3);
  EXPECT_EQ(slider.max, 10);
  EXPECT_EQ(slider.step, 0.5);
  EXPECT_TRUE(slider.logarithmic && slider.derived);
  EXPECT_EQ(slider.unit + slider.label, "PaStiffness");
  EXPECT_FALSE(r.parameter("plain").derived);
  ASSERT_EQ(r.parameter("menu").choices.size(), 2u);
  EXPECT_EQ(r.parameter("menu").choices[1], (std::pair<std::string, double>{"3", 3}));
  EXPECT_EQ(r.parameter("named").choices[0], (std::pair<std::string, double>{"half as much", 0.5}));
}

TEST(Parameters, AFormulaOfConstantsAloneMayBeSetAsANumber) {
  const Resolved r = good(
      scene(R"J("parameters": {"a": "=pi", "b": {"value": "=pi/2", "min": 0, "max": "=pi"}, "c": "=2*b", "d": "=w(1)"},
    "series": {"w": {"time": [0, 2], "value": [0, "=a"]}})J"));
  EXPECT_EQ(r.value("b"), pi / 2);
  EXPECT_FALSE(r.parameter("a").derived || r.parameter("b").derived);
  EXPECT_FALSE(r.scene.derived[1].isFormula());
  EXPECT_TRUE(r.parameter("c").derived);
  EXPECT_TRUE(r.parameter("d").derived) << "it follows a series, which may follow parameters";
}

TEST(Parameters, OrderFollowsDependencies) {
  const Resolved r = good(scene(R"("parameters": {"a": "=b+1", "b": "=c+1", "c": 1})"));
  EXPECT_EQ(r.scene.parameterOrder, (std::vector<int>{2, 1, 0}));
  EXPECT_TRUE(r.scene.derived[0].isFormula());
  EXPECT_FALSE(r.scene.derived[2].isFormula());
}

TEST(Parameters, OverridesReplaceValuesAndFormulas) {
  const std::string text =
      scene(R"("parameters": {"a": 1, "b": "=2*a", "force": {"value": "=b", "min": 0, "max": 3}})");
  const Resolved r = good(text, {{"a", 5}, {"force", -7}});
  EXPECT_EQ(r.value("b"), 10);
  EXPECT_EQ(r.value("force"), -7) << "outside of min and max is allowed";
  EXPECT_FALSE(r.parameter("force").derived);
  expectProblem(text, "unknown parameter \"forse\" to set: did you mean \"force\"?", "/parameters", {{"forse", 1}});
  expectProblem(text, "must be a finite number", "/parameters", {{"a", std::numeric_limits<double>::infinity()}});
  expectProblem(scene(""), "the scene has no parameters", "", {{"E", 1}});
}

TEST(Parameters, WrongOnesAreProblems) {
  expectProblem(scene(R"("parameters": {"a": "=b", "b": "=c+1", "c": "=a"})"), "in a cycle: a -> b -> c -> a",
                "/parameters/a");
  expectProblem(scene(R"("parameters": {"a": "=a"})"), "in a cycle: a -> a", "/parameters/a");
  expectProblem(scene(R"("parameters": {"a": "=1/0"})"), "a has no finite value", "/parameters/a");
  expectProblem(scene(R"("parameters": {"a": "=t"})"), "t is not known here", "/parameters/a");
  expectProblem(scene(R"("parameters": {"width": 1, "b": "=widht"})"), "did you mean \"width\"?", "/parameters/b");
  expectProblem(scene(R"("parameters": {"a": "3"})"), "expected a number, a formula or an object", "/parameters/a");
  expectProblem(scene(R"("parameters": {"a": {"value": "x"}})"), "(a formula starts with \"=\")",
                "/parameters/a/value");
  expectProblem(scene(R"("parameters": {"a": {"min": 1}})"), "needs the key \"value\"", "/parameters/a");
  expectProblem(scene(R"("parameters": {"a": {"value": 1, "min": 2, "max": 2}})"), "max must be greater than min",
                "/parameters/a/max");
  expectProblem(scene(R"("parameters": {"a": {"value": 1, "min": 0, "max": 2, "scale": "log"}})"), "logarithmic",
                "/parameters/a/min");
  expectProblem(scene(R"("parameters": {"a": {"value": 1, "scale": "lgo"}})"), "did you mean \"log\"?",
                "/parameters/a/scale");
  expectProblem(scene(R"("parameters": {"t": 1})"), "reserved", "/parameters/t");
  expectProblem(scene(R"("parameters": {"2a": 1})"), "is not a name", "/parameters/2a");
  expectProblem(scene(R"("parameters": [1])"), "expected an object", "/parameters");
}

TEST(Parameters, LongChainsAreLimited) {
  std::string text = "\"parameters\": {";
  for (int k = 0; k < 20000; ++k) text += "\"p" + std::to_string(k) + "\": \"=p" + std::to_string(k + 1) + "\", ";
  expectProblem(scene(text + "\"p20000\": 1}"), "more than 1000 deep");
}

TEST(SeriesSection, BecomesFunctions) {
  const Resolved r = good(scene(R"("parameters": {"a": "=limb.phi(0.5) + one(9) + 0", "b": 2},
    "series": {"limb": {"time": [0, 1, "=1+b"], "phi": [0, "=b", 4], "interpolation": "step"},
               "one": {"time": [0], "value": [7]}})"));
  EXPECT_EQ(r.value("a"), 7);
  const formula::Series& limb = *r.scene.scope.series.at("limb");
  EXPECT_EQ(limb.time, (std::vector<double>{0, 1, 3}));
  EXPECT_EQ(limb.columns.at("phi"), (std::vector<double>{0, 2, 4}));
  EXPECT_TRUE(limb.step);
}

TEST(SeriesSection, WrongOnesAreProblems) {
  const auto series = [](const std::string& body) { return scene("\"series\": {\"a\": {" + body + "}}"); };
  expectProblem(series(R"("time": [0, 1, 1], "value": [1, 2, 3])"), "times must increase: 1 follows 1",
                "/series/a/time/2");
  expectProblem(series(R"("time": [0, 1], "value": [1, 2, 3])"), "has 3 numbers, but there are 2 times",
                "/series/a/value");
  expectProblem(series(R"("time": [0, 1])"), "needs a column", "/series/a");
  expectProblem(series(R"("value": [0, 1])"), "needs the key \"time\"", "/series/a");
  expectProblem(series(R"("time": [0, 1], "value": [1, true])"), "expected a number, found true", "/series/a/value/1");
  expectProblem(series(R"("time": [0, 1], "value": 3)"), "expected a list of numbers", "/series/a/value");
  expectProblem(scene(R"("series": {"sin": {"time": [0], "value": [1]}})"), "name of a function", "/series/sin");
  expectProblem(scene(R"("parameters": {"p": "=a(0) + 0"}, "series": {"a": {"time": [0], "value": ["=p"]}})"),
                "in a cycle: p -> a -> p");
}

TEST(Repeat, MakesCopiesInMapsAndLists) {
  const Resolved r = good(scene(R"("parameters": {"legs": 3},
    "rods": {"leg{k}": {"repeat": {"k": "=legs"}, )" +
                                rod + R"(, "look": {"label": "leg {k+1}"}}},
    "joints": [{"repeat": {"k": "=legs"}, "weld": ["leg{k}:last", "leg{(k+1)%3}:first"]}],
    "loads": [{"repeat": {"i2": 2, "j2": 2}, "force": ["=i2 + 10*j2", 0, 0], "at": "leg{i2+j2}:last"}])"));
  ASSERT_EQ(r.at({"rods"}).members.size(), 3u);
  EXPECT_EQ(r.at({"rods"}).members[2].key, "leg2");
  EXPECT_EQ(r.at({"rods", "leg2", "look", "label"}).string, "leg 3");
  EXPECT_EQ(r.at({"rods", "leg2"}).find("repeat"), nullptr);
  EXPECT_EQ(r.at({"joints", "2", "weld", "1"}).string, "leg0:first");
  ASSERT_EQ(r.at({"loads"}).items.size(), 4u);
  EXPECT_EQ(r.at({"loads", "1", "force", "0"}).bindings->at("j2"), 1) << "the first name is the outermost";
  EXPECT_EQ(r.at({"loads", "1", "force", "0"}).bindings->at("i2"), 0);
  EXPECT_EQ(r.at({"loads", "3", "at"}).string, "leg2:last");
  EXPECT_EQ(r.at({"loads", "3", "at"}).pointer, "/loads/0/at");
  EXPECT_TRUE(r.scene.structural[0]) << "legs makes bodies: a change restarts the run";
  const Problem problem = r.document->problem(r.at({"loads", "3", "at"}), "m");
  EXPECT_EQ(problem.message, "m (with i2 = 1, j2 = 1)");
}

TEST(Repeat, NestsAndReplacesInFormulasAndKeys) {
  const Resolved r = good(scene(R"("rods": {"a": {)" + rod + R"(}},
    "checks": [{"repeat": {"k": 2}, "expect": "=t >= {k-1} && k >= 0", "with": {"p{k}": "=k"}}],
    "constraints": [{"repeat": {"k": 1}, "clamp": "a:first",
                     "rotation": [{"repeat": {"j": 2}, "axis": [0, 0, 1], "angle": "=k+j"}]}])"));
  EXPECT_EQ(r.at({"checks", "0", "expect"}).string, "=t >= (-1) && k >= 0");
  EXPECT_EQ(r.at({"checks", "1", "with", "p1"}).string, "=k");
  ASSERT_EQ(r.at({"constraints", "0", "rotation"}).items.size(), 2u);
  EXPECT_EQ(r.at({"constraints", "0", "rotation", "1", "angle"}).bindings->size(), 2u);
}

TEST(Repeat, WrongOnesAreProblems) {
  const auto rods = [](const std::string& key, const std::string& repeat) {
    return scene("\"parameters\": {\"half\": 0.5}, \"rods\": {\"" + key + "\": {\"repeat\": " + repeat + ", " + rod +
                 "}}");
  };
  expectProblem(rods("leg", R"({"k": 2})"), "must name k", "/rods/leg");
  expectProblem(rods("leg{k}", R"({"k": 2, "j": 2})"), "must name j", "/rods/leg{k}");
  expectProblem(rods("leg{k%2}", R"({"k": 3})"), "two objects are called \"leg0\"", "/rods/leg{k%2}");
  expectProblem(rods("leg{k}", R"({"k": 2.5})"), "must be an integer from 0 to 200000, but it is 2.5",
                "/rods/leg{k}/repeat/k");
  expectProblem(rods("leg{k}", R"({"k": -1})"), "must be an integer", "/rods/leg{k}/repeat/k");
  expectProblem(rods("leg{k}", R"({"k": "=half"})"), "must be an integer", "/rods/leg{k}/repeat/k");
  expectProblem(rods("leg{k}", R"({"k": "=haf"})"), "did you mean \"half\"?", "/rods/leg{k}/repeat/k");
  expectProblem(rods("leg{k}", R"({"k": true})"), "integer or a formula", "/rods/leg{k}/repeat/k");
  expectProblem(rods("leg{k}", R"({})"), "expected names with their counts", "/rods/leg{k}/repeat");
  expectProblem(rods("leg{k}", R"(4)"), "expected names with their counts", "/rods/leg{k}/repeat");
  expectProblem(rods("leg{t}", R"({"t": 2})"), "reserved", "/rods/leg{t}/repeat/t");
  expectProblem(rods("leg{k/2}", R"({"k": 2})"), "must be an integer, but it is 0.5");
  expectProblem(rods("leg{k+}", R"({"k": 1})"), "in \"{k+}\": the formula ends");
  expectProblem(rods("leg{k}{j}", R"({"k": 400, "j": 1e5})"), "repeat makes too many copies");
  expectProblem(rods("leg{k}", R"({"k": 100000})"), "repeat makes too many copies");
  expectProblem(scene(R"("rods": {"a": {)" + rod + R"(}}, "solver": {"repeat": {"k": 2}})"),
                "belongs in an object of a map or a list");
}

TEST(Repeat, AFaultInEveryCopyIsToldOnce) {
  expectProblem(scene("\"rods\": {\"leg{k}\": {\"repeat\": {\"k\": 500}, \"color\": 1, " + rod + "}}"),
                "unknown key \"color\" in a rod", "/rods/leg{k}/color");
}

TEST(Defaults, FillKeyByKeyAndNotDeeper) {
  const Resolved r = good(
      scene(R"("defaults": {"rods": {"segments": 24, "section": {"circle": {"radius": 5e-3}}, "look": {"label": "{k}"}},
      "loads": {"force": [0, 0, -1], "at": "a:last", "share": true}, "probes": {"reduce": "max"}},
    "rods": {"a": {"path": {"line": {"from": [0,0,0], "to": [1,0,0]}}, "section": {"circle": {"radius": 1e-3}},
                   "look": {}},
             "b{k}": {"repeat": {"k": 2}, "path": {"points": [[0,0,0], [1,0,0]]}}},
    "loads": [{}, {"moment": [0, 0, 1]}, {"line": [0, 0, 1], "on": "a"}],
    "probes": {"tip": {"position": "a:last"}, "energy": {"energy": "total"}})"));
  EXPECT_EQ(r.at({"rods", "a", "segments"}).number, 24);
  EXPECT_EQ(r.at({"rods", "a", "section", "circle", "radius"}).number, 1e-3);
  EXPECT_EQ(r.at({"rods", "b1", "section", "circle", "radius"}).pointer, "/defaults/rods/section/circle/radius");
  EXPECT_EQ(r.at({"rods", "a"}).find("look")->members.size(), 0u);
  EXPECT_EQ(r.at({"rods", "b1", "look", "label"}).string, "1") << "a default sees the repeat names of what it fills";
  EXPECT_EQ(r.at({"rods", "b0"}).find("segments"), nullptr) << "points have no segments";
  EXPECT_NE(r.at({"loads", "0"}).find("share"), nullptr);
  EXPECT_EQ(r.at({"loads", "1"}).find("force"), nullptr) << "one kind of load only";
  EXPECT_EQ(r.at({"loads", "1"}).find("share"), nullptr) << "share goes with force only";
  EXPECT_NE(r.at({"loads", "1"}).find("at"), nullptr);
  EXPECT_EQ(r.at({"loads", "2"}).find("at"), nullptr);
  EXPECT_NE(r.at({"probes", "tip"}).find("reduce"), nullptr);
  EXPECT_EQ(r.at({"probes", "energy"}).find("reduce"), nullptr);
  EXPECT_EQ(r.scene.root.find("defaults"), nullptr);
}

TEST(Defaults, WrongOnesAreProblemsOnce) {
  const std::string rods = "\"rods\": {\"a\": {" + rod + "}, \"b\": {" + rod + "}}, ";
  expectProblem(scene(rods + R"("defaults": {"rod": {}})"), "did you mean \"rods\"?", "/defaults/rod");
  expectProblem(scene(rods + R"("defaults": {"solver": {}})"), "unknown key \"solver\" in the defaults",
                "/defaults/solver");
  expectProblem(scene(rods + R"("defaults": {"rods": {"segment": 3}})"), "did you mean \"segments\"?",
                "/defaults/rods/segment");
  expectProblem(scene(rods + R"("defaults": {"rods": {"segments": -3}})"), "must be an integer from 1 to 200000",
                "/defaults/rods/segments");
  expectProblem(scene(rods + R"("defaults": {"rods": 3})"), "expected an object", "/defaults/rods");
  expectProblem(scene(rods + R"("defaults": 3)"), "expected an object", "/defaults");
}

TEST(Resolve, ALoneObjectIsAListOfOne) {
  const Resolved r = good(scene("\"rods\": {\"a\": {" + rod + R"(}}, "initial": {"velocity": [1, 0, 0], "of": "a"})"));
  ASSERT_TRUE(r.at({"initial"}).isArray());
  EXPECT_EQ(r.at({"initial", "0", "of"}).string, "a");
}

}  // namespace resolve_test
}  // namespace tendril::scene
