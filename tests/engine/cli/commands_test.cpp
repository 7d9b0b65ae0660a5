// Commands, options and exit codes from the outside: check, validate, expand, schema, help, and wrong calls.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "engine/cli/program.h"

namespace tendril::test {
namespace commands_test {

using Json = nlohmann::json;

std::string lastLine(const std::string& text) {
  const std::size_t end = text.find_last_not_of('\n');
  if (end == std::string::npos) return "";
  const std::size_t begin = text.find_last_of('\n', end);
  return text.substr(begin == std::string::npos ? 0 : begin + 1,
                     end - (begin == std::string::npos ? 0 : begin + 1) + 1);
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

const std::string good = R"({"title": "sags", "at": "end", "expect": "tip.z < 0", "points": 3})";
const std::string bad = R"({"title": "<floats> & \"flies\"", "at": "end", "expect": "tip.z > 0"})";
const std::string stiff =
    R"({"title": "hardly sags when stiff", "with": {"E": 1e9}, "expect": "abs(tip.z) < 1e-3", "at": "end"})";

std::string withChecks(const std::string& list) { return cantilever(R"(, "checks": [)" + list + "]"); }
std::string givesUp(const std::string& list) {
  return cantilever(
      R"json(, "loads": [{"force": [0, 0, "=-1e-4*sqrt(0.055 - t)"], "at": "arm:last"}], "checks": [)json" + list +
      "]");
}

TEST(Check, CountsAndExitsByTheChecks) {
  const Folder folder;
  const std::string fine = folder.write("fine.json", withChecks(good + "," + stiff));
  const std::string wrong = folder.write("wrong.json", withChecks(good + "," + bad));
  const Output passed = tendril({"check", fine});
  EXPECT_EQ(passed.code, 0) << passed.out << passed.err;
  EXPECT_EQ(lastLine(passed.out), "2 passed, 0 failed");
  const Output failed = tendril({"check", wrong, fine});
  EXPECT_EQ(failed.code, 1);
  EXPECT_EQ(lastLine(failed.out), "3 passed, 1 failed");
  EXPECT_TRUE(contains(failed.out, "FAIL  " + wrong + ": <floats> & \"flies\"")) << failed.out;
  EXPECT_TRUE(contains(failed.out, "tip.z = -")) << failed.out;
  EXPECT_TRUE(contains(failed.out, "pass  " + fine + ": sags (3 points)")) << failed.out;
}

TEST(Check, ACheckWithParametersOfItsOwnIsARunOfItsOwn) {
  const std::string soft = R"({"title": "main run is soft", "expect": "abs(tip.z) > 1e-3", "at": "end"})";
  const Output run = tendril({"check", "-"}, withChecks(soft + "," + stiff));
  EXPECT_EQ(run.code, 0) << run.out << run.err;
  EXPECT_EQ(lastLine(run.out), "2 passed, 0 failed");
}

TEST(Check, TheWorstExitCodeWins) {
  const Folder folder;
  const std::string broken = folder.write("broken.json", "{"), gives = folder.write("gives.json", givesUp(good)),
                    wrong = folder.write("wrong.json", withChecks(bad)),
                    fine = folder.write("fine.json", withChecks(good));
  EXPECT_EQ(tendril({"check", fine, wrong, gives}).code, 3);
  EXPECT_EQ(tendril({"check", wrong, gives, broken, fine}).code, 2);
  const Output all = tendril({"check", broken, gives, wrong, fine, folder / "none.json"});
  EXPECT_EQ(all.code, 2);
  EXPECT_EQ(lastLine(all.out), "1 passed, 4 failed") << "what does not load has failed too";
}

TEST(Check, ASceneWithoutChecksSaysSoAndStillHasToRun) {
  const Output fine = tendril({"check", "-"}, cantilever());
  EXPECT_EQ(fine.code, 0);
  EXPECT_TRUE(contains(fine.out, "no checks")) << fine.out;
  EXPECT_EQ(lastLine(fine.out), "0 passed, 0 failed");
  const Output gives = tendril({"check", "-"}, givesUp(""));
  EXPECT_EQ(gives.code, 3);
  EXPECT_EQ(lastLine(gives.out), "0 passed, 1 failed");
}

TEST(Check, PrintsJsonAlone) {
  const Output run = tendril({"check", "--json", "-"}, withChecks(good + "," + bad + "," + stiff));
  EXPECT_EQ(run.code, 1);
  const Json report = Json::parse(run.out);
  EXPECT_EQ(report["passed"], 2);
  EXPECT_EQ(report["failed"], 1);
  EXPECT_EQ(report["points"], 4);
  EXPECT_EQ(report["scenes"][0]["status"], "done");
  EXPECT_EQ(report["scenes"][0]["checks"].size(), 3u);
}

TEST(Check, WritesJUnitWithEverythingEscaped) {
  const Folder folder;
  const std::string scene = folder.write("a&b.json", withChecks(good + "," + bad)),
                    broken = folder.write("c.json", "{");
  EXPECT_EQ(tendril({"check", "--junit", folder / "report.xml", scene, broken}).code, 2);
  const std::string xml = folder.read("report.xml");
  EXPECT_TRUE(contains(xml, R"(<testsuites name="tendril" tests="3" failures="1" errors="1">)")) << xml;
  EXPECT_TRUE(contains(xml, R"(name="&lt;floats&gt; &amp; &quot;flies&quot;")")) << xml;
  EXPECT_TRUE(contains(xml, "a&amp;b.json")) << xml;
  EXPECT_TRUE(contains(xml, "<error message=")) << xml;
}

TEST(Validate, SeesWhatChecksSet) {
  const Output run = tendril(
      {"validate", "-"}, cantilever(R"(, "checks": [{"title": "soft", "with": {"E": -1}, "expect": "tip.z < 0"}])"));
  EXPECT_EQ(run.code, 2);
  EXPECT_NE(run.err.find("check \"soft\", with E = -1: "), std::string::npos) << run.err;
}

TEST(Validate, ListsEveryProblemWithItsPlace) {
  const Folder folder;
  std::string text = cantilever();
  text.replace(text.find("\"segments\""), 10, "\"segmants\"");
  text.replace(text.find("\"arm:first\""), 11, "\"arn:first\"");
  const std::string broken = folder.write("broken.json", text), fine = folder.write("fine.json", cantilever());
  const Output run = tendril({"validate", broken, fine});
  EXPECT_EQ(run.code, 2);
  EXPECT_TRUE(contains(run.err, broken + ":5:")) << run.err;
  EXPECT_TRUE(contains(run.err, "segments")) << run.err;
  EXPECT_TRUE(contains(run.out, "problem")) << run.out;
  const Output good = tendril({"validate", fine});
  EXPECT_EQ(good.code, 0);
  EXPECT_EQ(good.out, "0 problems, 0 warnings\n");
  EXPECT_EQ(good.err, "");
}

TEST(Expand, PrintsASceneThatLoadsAndRunsTheSame) {
  const std::string scene =
      cantilever(R"json(, "loads": [{"repeat": {"k": 2}, "force": [0, 0, "=-1e-5*(k+1)"], "at": "arm:last"}])json");
  const Output expanded = tendril({"expand", "-"}, scene);
  ASSERT_EQ(expanded.code, 0) << expanded.err;
  EXPECT_FALSE(contains(expanded.out, "repeat"));
  const Json a = Json::parse(tendril({"run", "-", "--json"}, scene).out);
  const Json b = Json::parse(tendril({"run", "-", "--json"}, expanded.out).out);
  EXPECT_EQ(a["probes"], b["probes"]);
  EXPECT_EQ(tendril({"expand", "-"}, "{").code, 2);
}

TEST(Import, MakesASceneOfAGeometryText) {
  const Output scene = tendril({"import", "-", "--material", R"({"youngs": 1e6, "density": 1100, "poisson": 0.5})"},
                               "*Nodes\n0,0,0\n0.1,0,0\n0.2,0,0\n*Edges\n1,2\n2,3\n");
  ASSERT_EQ(scene.code, 0) << scene.err;
  const Output valid = tendril({"validate", "-"}, scene.out);
  EXPECT_EQ(valid.code, 0) << valid.err << scene.out;
  EXPECT_EQ(tendril({"import", "-"}, "nonsense").code, 2);
  const Output none = tendril({"import", "-", "--material", ""}, "*Nodes\n0,0,0\n0.1,0,0\n*Edges\n1,2\n");
  EXPECT_EQ(none.code, 2);
  EXPECT_EQ(none.err, "tendril import: --material needs a material as JSON, not \"\"; see tendril import --help\n");
}

TEST(Commands, SchemaAndVersionPrint) {
  EXPECT_TRUE(Json::parse(tendril({"schema"}).out).is_object());
  EXPECT_TRUE(contains(tendril({"version"}).out, "tendril "));
}

TEST(Commands, EveryCommandHasHelp) {
  const Output all = tendril({"--help"});
  EXPECT_EQ(all.code, 0);
  for (const char* name : {"run", "check", "validate", "expand", "import", "schema", "version"}) {
    EXPECT_TRUE(contains(all.out, std::string("\n  ") + name)) << name;
    const Output help = tendril({name, "--help"});
    EXPECT_EQ(help.code, 0);
    EXPECT_TRUE(contains(help.out, std::string("Usage: tendril ") + name)) << help.out;
  }
  for (const char* word : {"--help", "-h"}) {  // also where a value is due
    const Output help = tendril({"run", "x.json", "--out", word});
    EXPECT_EQ(help.code, 0) << help.err;
    EXPECT_TRUE(contains(help.out, "Usage: tendril run")) << help.out;
  }
}

TEST(Commands, HelpTakesACommandAndNothingElse) {
  for (const char* word : {"help", "--help", "-h"}) {
    EXPECT_EQ(tendril({word, "run"}).out, tendril({"run", "--help"}).out) << word;
    EXPECT_EQ(tendril({word, "--help"}).out, tendril({"--help"}).out) << word;
    for (const std::string other : {"nonsense", "--bogus"}) {
      const Output refused = tendril({word, other});
      EXPECT_EQ(refused.code, 2) << word;
      EXPECT_TRUE(contains(refused.err, "unknown command \"" + other + "\"")) << refused.err;
    }
    EXPECT_EQ(tendril({word, "run", "check"}).code, 2) << word;
  }
  EXPECT_EQ(tendril({"--version"}).out, tendril({"version"}).out);
  EXPECT_EQ(tendril({"--version", "extra"}).err,
            "tendril version: takes no operand, but \"extra\" was given; see tendril version --help\n");
  for (const std::string name : {"--help", "-h", "--version"}) {
    const Output refused = tendril({name + "=1"});
    EXPECT_EQ(refused.code, 2);
    EXPECT_EQ(refused.err, "tendril: " + name + " takes no value; see tendril --help\n");
  }
}

TEST(Commands, AnEmptyOperandIsNamed) {
  const std::string why = " is empty: it needs the name of a file, or - for standard input; see tendril ";
  const Output run = tendril({"run", ""});
  EXPECT_EQ(run.code, 2);
  EXPECT_EQ(run.err, "tendril run: SCENE" + why + "run --help\n");
  const Output check = tendril({"check", "-", ""}, withChecks(good));
  EXPECT_EQ(check.code, 2);
  EXPECT_EQ(check.err, "tendril check: SCENE 2" + why + "check --help\n");
}

TEST(Commands, WrongCallsAreRefused) {
  EXPECT_EQ(tendril({}).code, 2);
  const Output command = tendril({"chekc"});
  EXPECT_EQ(command.code, 2);
  EXPECT_TRUE(contains(command.err, "did you mean check?")) << command.err;
  const Output option = tendril({"run", "x.json", "--frame", "3"});
  EXPECT_EQ(option.code, 2);
  EXPECT_TRUE(contains(option.err, "did you mean --frames?")) << option.err;
  for (const char* later : {"sweep", "serve"}) {
    const Output run = tendril({later, "x.json"});
    EXPECT_EQ(run.code, 2);
    EXPECT_TRUE(contains(run.err, "not yet")) << run.err;
  }
  EXPECT_EQ(tendril({"run", "a", "b"}).code, 2);
  EXPECT_EQ(tendril({"run", "-", "--set", "E"}, cantilever()).code, 2);
  EXPECT_EQ(tendril({"run", "-", "--set", "E=nan"}, cantilever()).code, 2);
  EXPECT_EQ(tendril({"run", "-", "--vtk"}, cantilever()).code, 2);
}

// The third factor of a column of 17 diameters: it has shortened by 1.4 % before.
TEST(Buckle, MarksFactorsThatMayBeOffAndRefusesLoadsThatBend) {
  const auto column = [](const char* side) {
    return std::string(R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "density": 1000}},
      "rods": {"b": {"section": {"circle": {"radius": 0.006}}, "segments": 20, "path": {"line": {"from": [0, 0, 0], "to": [0.2, 0, 0]}}}},
      "constraints": [{"clamp": "b:first"}, {"planar": "xz"}], "solver": {"mode": "static"},
      "loads": [{"force": [-1, 0, )J") +
           side + R"J(], "at": "b:last"}]})J";
  };
  const Output straight = tendril({"buckle", "-", "--count", "3"}, column("0"));
  EXPECT_EQ(straight.code, 0) << straight.err;
  EXPECT_TRUE(contains(straight.out, " * by up to 1.4 %")) << straight.out;
  EXPECT_TRUE(contains(straight.out, "* may be off")) << straight.out;
  const Json all = Json::parse(tendril({"buckle", "-", "--count", "3", "--json"}, column("0")).out);
  EXPECT_LT(all.at("loads").at(0).at("error"), 1e-3);
  EXPECT_GT(all.at("loads").at(2).at("error"), 1e-3);
  const Output slender = tendril({"buckle", "-", "--count", "1"}, column("0"));
  EXPECT_FALSE(contains(slender.out, "*")) << slender.out;
  for (const char* side : {"-0.01", "-0.015", "-0.3"}) {
    const Output bent = tendril({"buckle", "-"}, column(side));
    EXPECT_EQ(bent.code, 3) << side << bent.out;
    EXPECT_TRUE(contains(bent.err, "the loads bend the structure")) << bent.err;
  }
}

TEST(Modes, AnEstimatedRatioSaysWhereTheDampedFrequenciesAre) {
  const Output out = tendril({"modes", "-", "--count", "2"}, R"J({"format": "tendril/1", "linkages": {"a": {"links": {
    "p": {"joint": {"revolute": {"axis": "y", "stiffness": 1, "damping": 0.02}}, "body": {"rigid": {"length": 0.1, "mass": 1, "inertia": [1e-3, 1e-3, 1e-3]}}},
    "q": {"joint": {"revolute": {"axis": "y", "stiffness": 1, "damping": 2}}, "body": {"rigid": {"length": 0.1, "mass": 1, "inertia": [1e-3, 1e-3, 1e-3]}}}}}},
    "solver": {"duration": 1}})J");
  EXPECT_EQ(out.code, 0) << out.err;
  ASSERT_TRUE(contains(out.out, " *")) << out.out;
  EXPECT_TRUE(contains(out.out, "eigenvalues of A of `tendril linearize`")) << out.out;
}

}  // namespace commands_test
}  // namespace tendril::test
