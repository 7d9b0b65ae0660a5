// The expansion of a scene: text that means the same, without repeat, defaults and comments.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "engine/scene/scene_text.h"
#include "scene/load/load.h"
#include "scene/resolve/expand_writer.h"

namespace tendril::scene {
namespace expand_test {

std::string readFile(const std::string& path) {
  std::ifstream file(std::string(TENDRIL_SOURCE_DIR) + path, std::ios::binary);
  return std::string((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
}

std::string expanded(const std::string& text, const LoadOptions& options = {}) {
  auto result = expandScene(text, options);
  if (auto* problems = std::get_if<Problems>(&result)) {
    ADD_FAILURE() << describe(problems->at(0), "scene");
    return {};
  }
  return std::get<std::string>(result);
}

double sample(const formula::Number& number, const Scene& scene, const std::vector<double>& columns) {
  formula::Input input;
  input.t = 0.3, input.s = 0.02, input.u = 0.4, input.x = 1, input.y = 2, input.z = 3, input.i = 2, input.n = 5;
  input.parameters = scene.values.data();
  input.columns = columns.data();
  return number(input);
}

/// Both scenes have the same bodies and the same numbers, sampled at one place and time.
void expectSame(const Scene& a, const Scene& b) {
  const std::vector<double> columns(a.columns.size() + a.states.size(), 0.25);
  const auto same = [&](const formula::Number& p, const formula::Number& q) {
    EXPECT_EQ(sample(p, a, columns), sample(q, b, columns)) << p.text();
  };
  EXPECT_EQ(a.values, b.values);
  EXPECT_EQ(a.columns, b.columns);
  ASSERT_EQ(a.rods.size(), b.rods.size());
  for (std::size_t r = 0; r < a.rods.size(); ++r) {
    EXPECT_EQ(a.rods[r].name, b.rods[r].name);
    EXPECT_EQ(a.rods[r].points, b.rods[r].points);
    EXPECT_EQ(a.rods[r].material, b.rods[r].material);
    EXPECT_EQ(a.rods[r].naturalStraight, b.rods[r].naturalStraight);
    same(a.rods[r].section.radius, b.rods[r].section.radius);
    same(a.rods[r].section.width, b.rods[r].section.width);
    ASSERT_EQ(a.rods[r].naturalCurvature.has_value(), b.rods[r].naturalCurvature.has_value());
    if (a.rods[r].naturalCurvature) same((*a.rods[r].naturalCurvature)[0], (*b.rods[r].naturalCurvature)[0]);
  }
  ASSERT_EQ(a.loads.size(), b.loads.size());
  for (std::size_t k = 0; k < a.loads.size(); ++k) {
    EXPECT_EQ(a.loads[k].nodes, b.loads[k].nodes);
    for (std::size_t c = 0; c < 3; ++c) same(a.loads[k].value[c], b.loads[k].value[c]);
  }
  ASSERT_EQ(a.constraints.size(), b.constraints.size());
  for (std::size_t k = 0; k < a.constraints.size(); ++k) EXPECT_EQ(a.constraints[k].nodes, b.constraints[k].nodes);
  ASSERT_EQ(a.checks.size(), b.checks.size());
  for (std::size_t k = 0; k < a.checks.size(); ++k) same(a.checks[k].expect, b.checks[k].expect);
  EXPECT_EQ(a.joints.size(), b.joints.size());
  EXPECT_EQ(a.view, b.view);
}

TEST(Expand, LoadsAsTheSameScene) {
  for (const char* path : {"/tests/fuzz/corpus/everything.json", "/tests/fuzz/corpus/language.json"}) {
    const std::string text = readFile(path);
    ASSERT_FALSE(text.empty()) << path;
    const std::string once = expanded(text);
    EXPECT_EQ(once.find("repeat"), std::string::npos);
    EXPECT_EQ(once.find("\"defaults\""), std::string::npos);
    EXPECT_EQ(once.find("//"), std::string::npos);
    expectSame(loaded(text), loaded(once));
    EXPECT_EQ(expanded(once), once) << "an expansion is its own expansion";
  }
}

TEST(Expand, RepeatNamesBecomeTheirNumbers) {
  const std::string text =
      rodText(R"("path": {"line": {"from": [0, 0, 0], "to": [1, 0, 0]}})",
              R"J("loads": [{"repeat": {"k": 2, "j": 2}, "force": ["=10*k + j", "={k}^2", "=k(t)"], "at": "arm:{k+1}"}],
    "series": {"k": {"time": [0, 1], "value": [3, 3]}},
    "checks": [{"repeat": {"k": 2}, "title": "check {k}", "expect": "t >= k"}])J");
  const std::string once = expanded(text);
  EXPECT_NE(once.find("\"force\": [\"=10*1 + 0\", \"=1^2\", \"=k(t)\"], \"at\": \"arm:2\""), std::string::npos) << once;
  EXPECT_NE(once.find("{\"title\": \"check 1\", \"expect\": \"t >= 1\"}"), std::string::npos) << once;
  expectSame(loaded(text), loaded(once));
}

TEST(Expand, OverridesAreWritten) {
  const std::string text = rodText(R"("path": {"line": {"from": [0, 0, 0], "to": ["=L", 0, 0]}})",
                                   R"("parameters": {"L": {"value": 1, "max": 3, "min": 0}, "M": "=2*L"})");
  const std::string once = expanded(text, {{{"L", 2.5}}});
  EXPECT_NE(once.find("\"value\": 2.5"), std::string::npos) << once;
  EXPECT_EQ(loaded(once).values, (std::vector<double>{2.5, 5}));
}

TEST(Expand, RefusesWhatDoesNotLoad) {
  EXPECT_TRUE(std::holds_alternative<Problems>(expandScene("{", {})));
  EXPECT_TRUE(std::holds_alternative<Problems>(expandScene(rodText(R"("path": {"points": [[0,0,0]]})"), {})));
}

TEST(Expand, SubstitutionKnowsTheLanguage) {
  const text::Bindings bindings = {{"k", 3}, {"e2", 7}};
  EXPECT_EQ(substituteBindings("=k*tip.k + k(t) + 1e2 + kk + e2", bindings), "=3*tip.k + k(t) + 1e2 + kk + 7");
  EXPECT_EQ(substituteBindings("k", bindings), "3");
  EXPECT_EQ(substituteBindings("", bindings), "");
}

TEST(Expand, WritesTextsAndNumbersThatReadBack) {
  const std::string text =
      R"J({"a": "\"\\\n\t\u0001é", "b": [0.1, 1e-300, -0.0, 123456789012345678, 1e22], "c": {}, "d": []})J";
  const text::Document document = std::get<text::Document>(text::Document::parse(text));
  const std::string written = writeJson(document.root());
  const text::Document again = std::get<text::Document>(text::Document::parse(written));
  EXPECT_EQ(again.root().find("a")->string, document.root().find("a")->string);
  for (std::size_t k = 0; k < 5; ++k)
    EXPECT_EQ(again.root().find("b")->items[k].number, document.root().find("b")->items[k].number);
  EXPECT_NE(written.find("\"c\": {},\n  \"d\": []\n}\n"), std::string::npos) << written;
}

}  // namespace expand_test
}  // namespace tendril::scene
