// `tendril run` from the outside: the files it writes, what they hold, and how runs end.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/cli/program.h"

namespace tendril::test {
namespace run_test {

using Json = nlohmann::json;

Json summaryOf(const Folder& folder, const std::string& results) {
  return Json::parse(folder.read(results + "/summary.json"));
}

TEST(Run, PrintsASummaryWithoutAnOutputFolder) {
  const Output run = tendril({"run", "-"}, cantilever());
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_NE(run.out.find("Sagging arm"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("done at t = 0.1 s"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("tip.z"), std::string::npos) << run.out;
}

TEST(Run, SummaryHoldsTheFieldsOfTheContract) {
  const std::string scene =
      cantilever(R"(, "checks": [{"title": "sags", "at": "end", "expect": "tip.z < 0", "points": 2}])");
  const Output run = tendril({"run", "-", "--json", "--set", "E=1e6"}, scene);
  ASSERT_EQ(run.code, 0) << run.err;
  const Json summary = Json::parse(run.out);
  EXPECT_EQ(summary["status"], "done");
  EXPECT_NEAR(summary["time"].get<double>(), 0.1, 1e-12);
  EXPECT_EQ(summary["steps"], 10);
  EXPECT_GE(summary["newtonIterations"].get<int>(), 10);
  EXPECT_EQ(summary["retries"], 0);
  EXPECT_GT(summary["wallSeconds"].get<double>(), 0);
  EXPECT_GE(summary["dofs"].get<int>(), 30);
  EXPECT_EQ(summary["parameters"]["E"], 1e6);
  EXPECT_EQ(summary["parameters"]["g"], 9.81);
  EXPECT_LT(summary["probes"]["tip.z"].get<double>(), 0);
  EXPECT_LT(summary["probes"]["I"].get<double>(), 0);
  ASSERT_EQ(summary["checks"].size(), 1u);
  EXPECT_EQ(summary["checks"][0]["title"], "sags");
  EXPECT_EQ(summary["checks"][0]["passed"], true);
  EXPECT_EQ(summary["checks"][0]["points"], 2);
  EXPECT_EQ(summary["checks"][0]["values"]["tip.z"], summary["probes"]["tip.z"]);
  EXPECT_TRUE(summary["warnings"].is_array());
  EXPECT_EQ(summary["maxPenetration"], 0);
  EXPECT_EQ(summary["scene"].get<std::string>().size(), 64u);
  EXPECT_FALSE(summary["version"].get<std::string>().empty());
}

TEST(Run, ChecksThatARunWhichGaveUpLeftOpenHaveFailed) {
  const Output run =
      tendril({"run", "-", "--json"},
              R"J({"format": "tendril/1", "linkages": {"a": {"links": {"p": {"joint": {"revolute": {"axis": "y",
    "angle": "=t < 0.55 ? t : log(-1)"}}, "body": {"rigid": {"length": 1, "mass": 1}}}}}}, "probes": {"q": {"jointAngle": "a/p"}},
    "solver": {"dt": 0.1, "duration": 1}, "checks": [{"title": "end", "expect": "q < 10", "points": 3}, {"title": "early", "at": 0.2, "expect": "q < 10"},
    {"title": "always", "at": "always", "expect": "q < 10"}]})J");
  const Json summary = Json::parse(run.out), checks = summary["checks"];
  EXPECT_EQ(summary["status"], "gave up");
  ASSERT_EQ(checks.size(), 3u);
  const bool passed[] = {false, true, false};
  const char* const titles[] = {"end", "early", "always"};
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(checks[i]["title"], titles[i]);
    EXPECT_EQ(checks[i]["passed"], passed[i]) << titles[i];
    EXPECT_EQ(checks[i].contains("reason"), !passed[i]) << titles[i];
  }
  EXPECT_EQ(checks[0]["points"], 3);
  EXPECT_NE(checks[0]["reason"].get<std::string>().find("gave up: formula"), std::string::npos);
}

TEST(Run, AProbeWithoutAValueIsNullWithOneWarning) {
  const Output run =
      tendril({"run", "-", "--json"}, R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e7, "density": 1000}},
    "rods": {"a": {"section": {"circle": {"radius": 0.01}}, "segments": 4, "path": {"line": {"from": [0,0,0], "to": [1,0,0]}}}},
    "constraints": [{"clamp": "a:first"}], "probes": {"r": {"formula": "(t - t)/(t - t)"}}, "solver": {"dt": 0.01, "duration": 0.02}})J");
  ASSERT_EQ(run.code, 0) << run.err;
  const Json summary = Json::parse(run.out);
  EXPECT_TRUE(summary["probes"]["r"].is_null());
  EXPECT_EQ(summary["warnings"].size(), 1) << summary["warnings"];
}

TEST(Run, WritesARowPerAcceptedStepThatReadsBackExactly) {
  const Folder folder;
  const Output run = tendril({"run", "-", "--out", folder / "a/b"}, cantilever());
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(folder.list("a/b"), (std::vector<std::string>{"final.json", "probes.csv", "summary.json"}));
  const Table table = readTable(folder.read("a/b/probes.csv"));
  EXPECT_EQ(table.names, (std::vector<std::string>{"t", "tip.x", "tip.y", "tip.z", "energy", "I"}));
  ASSERT_EQ(table.rows.size(), 11u);
  EXPECT_EQ(table.rows[0][0], 0);
  EXPECT_EQ(table.rows[0][1], 0.1);
  const Json summary = summaryOf(folder, "a/b");
  for (std::size_t i = 1; i < table.names.size(); ++i)
    EXPECT_EQ(table.rows.back()[i], summary["probes"][table.names[i]].get<double>()) << table.names[i];
  const Json last = Json::parse(folder.read("a/b/final.json"));
  ASSERT_EQ(last["nodes"]["arm"].size(), 11u);
  EXPECT_EQ(last["nodes"]["arm"][10][2], summary["probes"]["tip.z"]);
  EXPECT_EQ(last["velocity"]["arm"].size(), 11u);
  EXPECT_EQ(last["twist"]["arm"].size(), 10u);
}

TEST(Run, RowsAtEvenTimesAreInterpolatedBetweenSteps) {
  const Folder folder;
  const std::string scene = folder.write("scene.json", cantilever());
  ASSERT_EQ(tendril({"run", scene, "--out", folder / "all"}).code, 0);
  ASSERT_EQ(tendril({"run", scene, "--out", folder / "even", "--rows", "0.025"}).code, 0);
  const Table all = readTable(folder.read("all/probes.csv")), even = readTable(folder.read("even/probes.csv"));
  ASSERT_EQ(even.rows.size(), 5u);
  for (std::size_t k = 0; k < 5; ++k) EXPECT_DOUBLE_EQ(even.rows[k][0], 0.025 * static_cast<double>(k));
  EXPECT_NEAR(even.rows[1][3], (all.rows[2][3] + all.rows[3][3]) / 2, 1e-12);  // 0.025 s is half way from 0.02 to 0.03
  EXPECT_NE(all.rows[2][3], all.rows[3][3]);
  EXPECT_EQ(even.rows[2][3], all.rows[5][3]);  // 0.05 s is a step: its own numbers, not a mixture
}

TEST(Run, FramesHoldTheNodesAtEvenTimes) {
  const Folder folder;
  ASSERT_EQ(tendril({"run", "-", "--out", folder / "r", "--frames", "50"}, cantilever()).code, 0);
  std::istringstream lines(folder.read("r/frames.ndjson"));
  std::string line;
  std::vector<Json> frames;
  while (std::getline(lines, line)) frames.push_back(Json::parse(line));
  ASSERT_EQ(frames.size(), 6u);  // 0, 0.02, ... 0.1 s
  EXPECT_EQ(frames[0]["t"], 0);
  EXPECT_NEAR(frames[5]["t"].get<double>(), 0.1, 1e-12);
  EXPECT_EQ(frames[5]["nodes"], Json::parse(folder.read("r/final.json"))["nodes"]);
  EXPECT_NE(frames[4]["nodes"], frames[5]["nodes"]);
}

TEST(Run, WritesFilesForParaView) {
  const Folder folder;
  ASSERT_EQ(tendril({"run", "-", "--out", folder / "r", "--frames", "50", "--vtk"}, cantilever()).code, 0);
  EXPECT_EQ(folder.list("r/vtk").size(), 7u);
  const std::string body = folder.read("r/vtk/arm_000005.vtp"), scene = folder.read("r/vtk/scene.pvd");
  for (const char* name : {"velocity", "radius", "d1", "curvature", "stretch"})
    EXPECT_NE(body.find("Name=\"" + std::string(name) + "\""), std::string::npos) << name;
  EXPECT_NE(body.find("NumberOfPoints=\"11\""), std::string::npos);
  EXPECT_EQ(body.find("nan"), std::string::npos);
  EXPECT_NE(scene.find("file=\"arm_000005.vtp\""), std::string::npos);
  EXPECT_NE(scene.find("timestep=\"0.02\""), std::string::npos) << scene;
}

TEST(Run, WritesShellsForParaViewAsPolygons) {
  const Folder folder;
  const char* scene = R"({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "poisson": 0.3, "density": 1000}},
    "shells": {"sheet": {"thickness": 1e-3, "mesh": {"points": [[0, 0, 0], [0.1, 0, 0], [0.1, 0.1, 0], [0, 0.1, 0]],
      "triangles": [[0, 1, 2], [0, 2, 3]]}}}, "solver": {"dt": 0.01, "duration": 0.02}})";
  ASSERT_EQ(tendril({"run", "-", "--out", folder / "r", "--vtk"}, scene).code, 0);
  const std::string body = folder.read("r/vtk/sheet_000000.vtp");
  for (const char* name : {"velocity", "normal", "curvature", "strain", "energy"})
    EXPECT_NE(body.find("Name=\"" + std::string(name) + "\""), std::string::npos) << name;
  EXPECT_NE(body.find("NumberOfLines=\"0\""), std::string::npos);
  EXPECT_NE(body.find("NumberOfPolys=\"2\""), std::string::npos);
  EXPECT_NE(body.find("0 1 2\n0 2 3\n"), std::string::npos) << body;
  const Json final = Json::parse(folder.read("r/final.json"));
  EXPECT_EQ(final["nodes"]["sheet"].size(), 4u);
  EXPECT_FALSE(final["twist"].contains("sheet"));
}

TEST(Run, UntilGoesOnPastTheScenesEndAndLandsThere) {
  const Output run = tendril({"run", "-", "--json", "--until", "0.125"}, cantilever());
  ASSERT_EQ(run.code, 0) << run.err;
  const Json summary = Json::parse(run.out);
  EXPECT_EQ(summary["time"], 0.125);
  EXPECT_EQ(summary["steps"], 13);
  const std::string fixed = R"({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "density": 1000}},
    "rods": {"a": {"section": {"circle": {"radius": 1e-3}}, "path": {"line": {"from": [0,0,0], "to": [0.1,0,0]}}}},
    "constraints": [{"clamp": "a:first"}], "solver": {"mode": "static"}})";
  EXPECT_EQ(tendril({"run", "-", "--until", "2"}, fixed).code, 2);
}

TEST(Run, BadInputWritesNothing) {
  const Folder folder;
  const std::string out = folder / "r";
  EXPECT_EQ(tendril({"run", "-", "--out", out}, "{").code, 2);
  EXPECT_EQ(tendril({"run", "-", "--out", out, "--set", "E=-1"}, cantilever()).code, 2);
  EXPECT_EQ(tendril({"run", "-", "--out", out, "--rows", "0"}, cantilever()).code, 2);
  EXPECT_EQ(tendril({"run", "-", "--out", out, "--rows", "1e-300"}, cantilever()).code, 2);
  EXPECT_EQ(tendril({"run", "-", "--out", out, "--resume", folder / "none"}, cantilever()).code, 2);
  EXPECT_EQ(tendril({"run", folder / "none.json", "--out", out}).code, 2);
  EXPECT_TRUE(folder.list().empty());
}

TEST(Run, UnknownParameterNamesTheNearest) {
  const Output run = tendril({"run", "-", "--set", "e2=1", "--set", "E=1e6"}, cantilever(R"(, "description": "two")"));
  EXPECT_EQ(run.code, 2);
  EXPECT_NE(run.err.find("e2"), std::string::npos) << run.err;
  EXPECT_EQ(run.out, "");
}

TEST(Run, AFormulaThatFailsKeepsWhatWasComputed) {
  const Folder folder;
  const std::string scene =
      cantilever(R"json(, "loads": [{"force": [0, 0, "=-1e-4*sqrt(0.055 - t)"], "at": "arm:last"}])json");
  const Output run = tendril({"run", "-", "--out", folder / "r", "--save", folder / "s"}, scene);
  EXPECT_EQ(run.code, 3);
  EXPECT_NE(run.err.find("sqrt(0.055 - t)"), std::string::npos) << run.err;
  const Json summary = summaryOf(folder, "r");
  EXPECT_EQ(summary["status"], "gave up");
  EXPECT_NE(summary["reason"].get<std::string>().find("sqrt"), std::string::npos);
  EXPECT_NEAR(summary["time"].get<double>(), 0.05, 1e-12);
  EXPECT_EQ(readTable(folder.read("r/probes.csv")).rows.size(), 6u);
  EXPECT_TRUE(folder.has("r/final.json"));
  EXPECT_TRUE(folder.has("s"));
}

TEST(Run, AResumedRunContinuesBitForBit) {
  const Folder folder;
  const std::string scene = folder.write("scene.json", cantilever());
  ASSERT_EQ(tendril({"run", scene, "--out", folder / "whole"}).code, 0);
  ASSERT_EQ(tendril({"run", scene, "--until", "0.04", "--out", folder / "first", "--save", folder / "state"}).code, 0);
  const Output second = tendril({"run", scene, "--resume", folder / "state", "--out", folder / "second"});
  ASSERT_EQ(second.code, 0) << second.err;
  const Table whole = readTable(folder.read("whole/probes.csv")), first = readTable(folder.read("first/probes.csv")),
              rest = readTable(folder.read("second/probes.csv"));
  ASSERT_EQ(first.rows.size(), 5u);
  ASSERT_EQ(rest.rows.size(), 7u);
  EXPECT_EQ(rest.rows[0], whole.rows[4]);
  EXPECT_EQ(rest.rows[6], whole.rows[10]);
  EXPECT_EQ(folder.read("second/final.json"), folder.read("whole/final.json"));
}

// What only the first run's end has decided is open again.
TEST(Run, ChecksOfARunThatGoesOnPastItsEndAreThoseOfOneRun) {
  const Folder folder;
  const std::string scene = folder.write("scene.json", cantilever(R"J(, "checks": [
    {"title": "late", "expect": "t > 0.15"}, {"title": "early", "expect": "t < 0.15"}, {"title": "always", "at": "always", "expect": "t < 0.15"},
    {"title": "ever", "at": "ever", "expect": "t > 0.15"}, {"title": "window", "at": "always", "during": [0, 0.05], "expect": "t < 0.15"}])J"));
  const Output whole = tendril({"run", scene, "--until", "0.2", "--json"});
  ASSERT_EQ(tendril({"run", scene, "--save", folder / "at.state"}).code, 0);
  const Output resumed = tendril({"run", scene, "--resume", folder / "at.state", "--until", "0.2", "--json"});
  const Json one = Json::parse(whole.out)["checks"], two = Json::parse(resumed.out)["checks"];
  ASSERT_EQ(one.size(), 5u);
  EXPECT_EQ(one, two);
  EXPECT_EQ(one[0]["passed"], true);
  EXPECT_EQ(one[1]["passed"], false);
}

TEST(Run, ChecksWhoseTimeIsNotReachedAreTold) {
  const std::string scene = cantilever(
      R"(, "checks": [{"title": "end", "expect": "tip.z < 0"}, {"title": "start", "at": 0.01, "expect": "tip.z < 1"}])");
  const Output run = tendril({"run", "-", "--until", "0.05"}, scene);
  EXPECT_NE(run.out.find("1 check not decided: the run ended before its time"), std::string::npos) << run.out;
}

// However short it is against dt.
TEST(Run, AnEndBeforeTheFirstStepIsReached) {
  const Output run = tendril({"run", "-", "--until", "1e-9", "--json"}, cantilever());
  EXPECT_GE(Json::parse(run.out)["steps"].get<int>(), 1);
}

// A log that standard output goes to is written on, not replaced.
TEST(Run, WhatGoesToStandardOutputByNameGoesThroughIt) {
  const Folder folder;
  const std::string scene =
      folder.write("scene.json", cantilever(R"(, "checks": [{"title": "sags", "expect": "tip.z < 0"}])"));
  Surroundings around;
  around.out = folder / "log";
  EXPECT_EQ(Started({"check", scene, "--junit", "/dev/stdout"}, around).wait().code, 0);
  const std::string text = folder.read("log");
  EXPECT_NE(text.find("sags (1 point)"), std::string::npos) << text;
  EXPECT_NE(text.find("<testsuite"), std::string::npos) << text;
  EXPECT_NE(text.find("1 passed"), std::string::npos) << text;
}

TEST(Run, ASaveOfAnotherSceneIsRefused) {
  const Folder folder;
  ASSERT_EQ(tendril({"run", "-", "--save", folder / "state"}, cantilever()).code, 0);
  std::string other = cantilever();
  other.replace(other.find("\"segments\": 10"), 14, "\"segments\": 12");
  const Output run = tendril({"run", "-", "--resume", folder / "state", "--out", folder / "r"}, other);
  EXPECT_EQ(run.code, 2) << run.out;
  EXPECT_FALSE(folder.has("r"));
  folder.write("junk", "not a save");
  EXPECT_EQ(tendril({"run", "-", "--resume", folder / "junk"}, cantilever()).code, 2);
}

TEST(Run, AnInterruptKeepsWhatWasComputed) {
  const Folder folder;
  const Output run =
      tendril({"run", "-", "--yes", "--out", folder / "r", "--save", folder / "state"}, cantilever("", "5e6"), 1.0);
  EXPECT_EQ(run.code, 130) << run.err;
  const Json summary = summaryOf(folder, "r");
  EXPECT_EQ(summary["status"], "stopped");
  EXPECT_GT(summary["time"].get<double>(), 0);
  EXPECT_EQ(readTable(folder.read("r/probes.csv")).rows.size(), summary["steps"].get<std::size_t>() + 1);
  EXPECT_EQ(folder.list("r"), (std::vector<std::string>{"final.json", "probes.csv", "summary.json"}));
  EXPECT_TRUE(folder.has("state"));
}

TEST(Run, TheSummaryNamesTheSceneByItsSha256) {
  // The digest is that of the bytes of the file: a trailing blank changes it and nothing else.
  const Json a = Json::parse(tendril({"run", "-", "--json"}, cantilever()).out);
  const Json b = Json::parse(tendril({"run", "-", "--json"}, cantilever() + " ").out);
  EXPECT_NE(a["scene"], b["scene"]);
  EXPECT_EQ(a["probes"], b["probes"]);
}

}  // namespace run_test
}  // namespace tendril::test
