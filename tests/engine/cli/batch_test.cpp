// `tendril check` over several scenes of which some crash, hang or do not load: each costs itself alone, and stands in
// every report with its points.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "engine/cli/program.h"

namespace tendril::test {
namespace batch_test {

using Json = nlohmann::json;

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

const std::string checks =
    R"(, "checks": [{"title": "at once", "at": 0.02, "expect": "tip.z < 0", "points": 2}, {"title": "sags", "expect": "tip.z < 0", "points": 3}])";
const std::string endless = "1e7";  // [s], in steps of 0.01 s

/// A scene that is fine before one that never ends and one that is fine.
struct Batch {
  Folder folder;
  std::string first = folder.write("first.json", cantilever(checks)),
              slow = folder.write("slow.json", cantilever(checks, endless)),
              last = folder.write("last.json", cantilever(checks)), report = folder / "report.xml";

  void everySceneStands(const Output& run, const std::string& reason, const std::string& status) const {
    const Json json = Json::parse(run.out);
    ASSERT_EQ(json["scenes"].size(), 3u);
    for (const int i : {0, 2}) EXPECT_EQ(json["scenes"][static_cast<std::size_t>(i)]["status"], "done");
    EXPECT_EQ(json["scenes"][1]["status"], status);
    EXPECT_TRUE(says(json["scenes"][1]["reason"], reason)) << run.out;
    EXPECT_EQ(json["scenes"][1]["checks"].size(), 2u);
    EXPECT_EQ(json["possiblePoints"], 15);
    const std::string xml = folder.read("report.xml");
    for (const std::string& scene : {first, slow, last})
      EXPECT_TRUE(says(xml, "<testsuite name=\"" + scene + "\" tests=\"2\"")) << xml;
    EXPECT_TRUE(says(xml, "<testsuites name=\"tendril\" tests=\"6\"")) << xml;
    EXPECT_TRUE(says(xml, reason)) << xml;
  }
};

TEST(Batch, ACrashInTheMiddleCostsThatSceneAlone) {
  // A sanitizer would turn these signals into reports of its own.
  ::setenv("ASAN_OPTIONS", "handle_segv=0:handle_sigfpe=0", 0);
  for (const int crash : {SIGSEGV, SIGKILL, SIGABRT, SIGFPE}) {
    const Batch batch;
    Started program({"check", "--json", "--junit", batch.report, batch.first, batch.slow, batch.last});
    // Only that of the endless scene works for so long.
    const int slow = program.child(0.3);
    ASSERT_NE(slow, 0) << "no process of a scene was seen";
    ::kill(slow, crash);
    const Output run = program.wait();
    EXPECT_EQ(run.code, 3) << run.err;
    batch.everySceneStands(run, "signal " + std::to_string(crash), "crashed");
    EXPECT_EQ(Json::parse(run.out)["points"], 12);  // "at once" was decided long before
  }
}

TEST(Batch, ASignalOfTheSystemToo) {
  const Batch batch;
  Surroundings around;
  around.cpuSeconds = 1;
  Started program({"check", "--json", "--junit", batch.report, batch.first, batch.slow, batch.last}, around);
  const Output run = program.wait();
  EXPECT_EQ(run.code, 3) << run.err;
  batch.everySceneStands(run, "was killed", "crashed");
}

TEST(Batch, ALimitOfTimeKeepsWhatWasDecided) {
  const Batch batch;
  const Output run =
      tendril({"check", "--limit", "4", "--json", "--junit", batch.report, batch.first, batch.slow, batch.last});
  EXPECT_EQ(run.code, 3) << run.err;
  batch.everySceneStands(run, "took longer than 4 s", "out of time");
  const Json json = Json::parse(run.out);
  EXPECT_EQ(json["points"], 12);
  EXPECT_EQ(json["scenes"][1]["checks"][0]["passed"], true);
  EXPECT_TRUE(says(json["scenes"][1]["checks"][1]["reason"], "at t = ")) << run.out;
}

TEST(Batch, AnInterruptReportsTheScenesBehindItToo) {
  for (const int request : {SIGINT, SIGTERM, SIGHUP}) {
    const Batch batch;
    Started program({"check", "--json", "--junit", batch.report, batch.slow, batch.first, batch.last});
    program.work(0.8);
    program.signal(request);
    program.signal(request);  // as `timeout` sends it twice
    const Output run = program.wait();
    EXPECT_LT(program.workedOn(), 1);
    EXPECT_EQ(run.code, 130) << run.err;
    const Json json = Json::parse(run.out);
    EXPECT_EQ(json["scenes"][0]["status"], "stopped");
    EXPECT_EQ(json["scenes"][0]["checks"][0]["passed"], true);
    for (const int i : {1, 2}) EXPECT_EQ(json["scenes"][static_cast<std::size_t>(i)]["status"], "not run");
    EXPECT_EQ(json["possiblePoints"], 15);
    EXPECT_TRUE(says(batch.folder.read("report.xml"), "tests=\"6\" failures=\"0\" errors=\"5\""))
        << batch.folder.read("report.xml");
  }
}

TEST(Batch, AnInterruptedSceneWithoutChecksHasFailed) {
  const Folder folder;
  Started program({"check", folder.write("scene.json", cantilever("", endless))});
  program.work(0.8);
  program.signal(SIGINT);
  const Output run = program.wait();
  EXPECT_EQ(run.code, 130);
  EXPECT_TRUE(says(run.out, "0 passed, 1 failed")) << run.out;
}

#ifndef __SANITIZE_ADDRESS__  // whose program does not limit its memory (process.cpp)
TEST(Batch, MemoryIsLimitedForEachScene) {
  const Folder folder;
  std::string large = cantilever(checks);
  large.replace(large.find("\"segments\": 10"), 14, "\"segments\": 200000");
  const Output run = tendril(
      {"check", "--memory", "64", folder.write("large.json", large), folder.write("small.json", cantilever(checks))});
  EXPECT_EQ(run.code, 3) << run.err;
  EXPECT_TRUE(says(run.out, "out of memory: it may take 64 MiB")) << run.out;
  EXPECT_TRUE(says(run.out, "5 of 10 points\n2 passed, 2 failed\n")) << run.out;
}
#endif

TEST(Batch, NoProcessToBeHadCostsNoTitle) {
  const Folder folder;
  const std::string scene = folder.write("scene.json", cantilever(checks));
  Surroundings around;
  around.openFiles = 4;
  const Output run = Started({"check", scene}, around).wait();
  EXPECT_EQ(run.code, 3) << run.err;
  EXPECT_TRUE(says(run.out, "FAIL  " + scene + ": at once (2 points): no pipe to a child process: ")) << run.out;
  EXPECT_TRUE(says(run.out, "0 of 5 points\n0 passed, 2 failed\n")) << run.out;
}

TEST(Batch, ASceneThatDoesNotLoadHasItsPointsInTheTotal) {
  const Folder folder;
  std::string bad = cantilever(checks);
  bad.replace(bad.find("\"segments\""), 10, "\"segmants\"");
  const std::string broken = folder.write("broken.json", bad), fine = folder.write("fine.json", cantilever(checks));
  const Output run = tendril({"check", "--junit", folder / "r.xml", broken, folder / "none.json", fine});
  EXPECT_EQ(run.code, 2);
  EXPECT_TRUE(says(run.out, "FAIL  " + broken + ": loads: ")) << run.out;
  EXPECT_TRUE(says(run.out, "FAIL  " + broken + ": sags (3 points): the scene does not load")) << run.out;
  EXPECT_TRUE(says(run.out, "FAIL  " + folder / "none.json" + ": loads: ")) << run.out;
  EXPECT_TRUE(says(run.out, "5 of 10 points\n2 passed, 4 failed\n")) << run.out;
  EXPECT_TRUE(says(folder.read("r.xml"), "tests=\"6\" failures=\"0\" errors=\"4\"")) << folder.read("r.xml");
}

// Keys that stand twice, numbers that are not finite, halves of characters: no scene, but it tells its checks.
TEST(Batch, ATextThatIsRefusedTellsItsPoints) {
  const Folder folder;
  for (const char* wrong : {R"("title": "a", "title": "b")", R"("title": 1e999)", R"("title": "\ud800")"}) {
    std::string bad = cantilever(checks);
    bad.insert(bad.find('{') + 1, std::string(wrong) + ", ");
    const Output run =
        tendril({"check", folder.write("refused.json", bad), folder.write("fine.json", cantilever(checks))});
    EXPECT_EQ(run.code, 2);
    EXPECT_TRUE(says(run.out, ": sags (3 points): the scene does not load")) << run.out;
    EXPECT_TRUE(says(run.out, "5 of 10 points")) << run.out;
  }
}

TEST(Batch, TheSchemaBesideScenesIsToldAsSuch) {
  const Folder folder;
  const Output run = tendril({"check", folder.write("s.json", tendril({"schema"}).out)});
  EXPECT_EQ(run.code, 2);
  EXPECT_TRUE(says(run.out, "loads: ") && says(run.out, "this is a JSON Schema")) << run.out;
  EXPECT_TRUE(says(run.err, "this is a JSON Schema")) << run.err;
}

TEST(Batch, ManyFractionsOfPointsAddUp) {
  std::string list;
  for (int i = 0; i < 7; ++i)
    list += std::string(i > 0 ? ", " : "") + R"({"title": "c)" + std::to_string(i) +
            R"(", "expect": "1 > 0", "points": 1000.123})";
  const Output run = tendril({"check", "-"}, cantilever(", \"checks\": [" + list + "]"));
  EXPECT_TRUE(says(run.out, "7000.861 of 7000.861 points")) << run.out;
}

TEST(Batch, ValuesThatAreWrongForOneCheckCostThatOneAlone) {
  const Output run = tendril({"check", "-"}, cantilever(R"(, "checks": [{"title": "fine", "expect": "tip.z < 0"},
    {"title": "impossible", "with": {"E": -1}, "expect": "1", "points": 4}])"));
  EXPECT_EQ(run.code, 2);
  EXPECT_TRUE(says(run.out, "1 of 5 points")) << run.out;
  EXPECT_TRUE(says(run.out, "FAIL  <stdin>: impossible [E = -1] (4 points)")) << run.out;
}

TEST(Batch, ParametersCanBeSet) {
  const std::string scene = cantilever(R"(, "checks": [{"title": "stiff", "expect": "abs(tip.z) < 1e-3"},
    {"title": "soft by itself", "with": {"E": 2e6}, "expect": "abs(tip.z) > 1e-3"}])");
  EXPECT_EQ(tendril({"check", "-"}, scene).code, 1);
  const Output set = tendril({"check", "--set", "E=1e9", "-"}, scene);
  EXPECT_EQ(set.code, 0) << set.out << set.err;
  EXPECT_EQ(tendril({"check", "--set", "F=1", "-"}, scene).code, 2);
  const Output twice = tendril({"run", "--set", "E=1e9", "--set", "E=2e9", "-"}, scene);
  EXPECT_EQ(twice.code, 2);
  EXPECT_TRUE(says(twice.err, "gives \"E\" two values")) << twice.err;
}

// By their places, since titles may be equal.
TEST(Batch, RunsThatSetMakesEqualAreOneAndDecideAllTheirChecks) {
  const std::string scene = cantilever(R"(, "checks": [{"title": "a", "expect": "tip.z < 0"},
    {"title": "a", "with": {"E": 1e9}, "expect": "tip.z < -1e-3"}, {"title": "at once", "at": 0, "expect": "tip.z == 0"},
    {"title": "both", "with": {"g": 5, "E": 1e9}, "expect": "tip.z > -1e-3"}])");
  const Output run = tendril({"check", "--json", "--set", "E=1e9", "--set", "g=5", "-"}, scene);
  const Json all = Json::parse(run.out)["scenes"][0]["checks"];
  ASSERT_EQ(all.size(), 4u);
  for (const Json& check : all) EXPECT_EQ(check["passed"], !(check["title"] == "a" && check.contains("with"))) << all;
  const Json single = Json::parse(tendril({"run", "-", "--json", "--set", "E=1e9"}, scene).out)["checks"];
  ASSERT_EQ(single.size(), 3u) << single;
  EXPECT_EQ(single[0]["passed"], true);
  EXPECT_EQ(single[1]["passed"], false);
  const Output one = tendril({"check", "--set", "E=1e9", "--only", "at once", "-"}, scene);
  EXPECT_TRUE(says(one.out, "1 passed, 0 failed")) << one.out;
}

TEST(Batch, ChecksCanBeChosenByTheirTitles) {
  const std::string scene = cantilever(
      R"(, "checks": [{"title": "right", "expect": "tip.z < 0", "points": 2}, {"title": "wrong", "expect": "tip.z > 0"},
    {"title": "never runs", "with": {"E": -1}, "expect": "1"}])");
  const Folder folder;
  const std::string file = folder.write("scene.json", scene), other = folder.write("other.json", cantilever(checks));
  const Output one = tendril({"check", "--only", "right", file, other});
  EXPECT_EQ(one.code, 0) << one.out << one.err;
  EXPECT_TRUE(says(one.out, "2 of 2 points\n1 passed, 0 failed")) << one.out;
  EXPECT_TRUE(says(one.out, other + ": none of these checks")) << one.out;
  EXPECT_EQ(tendril({"check", "--only", "right", "--only", "wrong", file}).code, 1);
  const Output none = tendril({"check", "--only", "rihgt", file});
  EXPECT_EQ(none.code, 2);
  EXPECT_TRUE(says(none.err, "did you mean \"right\"?")) << none.err;
}

TEST(Batch, APipeIsReadOnce) {
  const Folder folder;
  const std::string pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  Started program({"check", pipe, pipe});
  std::ofstream(pipe) << cantilever(checks);
  const Output run = program.wait();
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_TRUE(says(run.out, "10 of 10 points")) << run.out;
}

TEST(Batch, WhatDoesNotComeCostsItselfAlone) {
  const Folder folder;
  const std::string pipe = folder / "pipe", scene = folder.write("scene.json", cantilever(checks));
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const Output run = tendril({"check", "--limit", "1", "--json", "--junit", folder / "r.xml", scene, pipe, scene});
  EXPECT_EQ(run.code, 3) << run.err;
  const Json all = Json::parse(run.out);
  EXPECT_EQ(all["points"], 10);
  EXPECT_EQ(all["scenes"][1]["status"], "out of time");
  EXPECT_TRUE(says(all["scenes"][1]["reason"], "took longer than 1 s")) << run.out;
  EXPECT_TRUE(says(folder.read("r.xml"), "tests=\"5\"")) << folder.read("r.xml");
}

TEST(Batch, AnInterruptWhileAPipeIsWaitedForReportsEveryScene) {
  const Folder folder;
  const std::string pipe = folder / "pipe", scene = folder.write("scene.json", cantilever(checks));
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  Started program({"check", "--junit", folder / "r.xml", scene, pipe});
  // Its reader is there: the program is waiting for what does not come.
  int writer = -1;
  ASSERT_TRUE(eventually([&] { return (writer = ::open(pipe.c_str(), O_WRONLY | O_NONBLOCK)) >= 0; }));
  program.signal(SIGTERM);
  const Output run = program.wait();
  ::close(writer);
  EXPECT_EQ(run.code, 130) << run.err;
  EXPECT_TRUE(says(run.out, "0 of 5 points")) << run.out;
  EXPECT_TRUE(says(folder.read("r.xml"), "errors=\"3\"")) << folder.read("r.xml");
}

TEST(Batch, AReportWritesOverNoScene) {
  const Folder folder;
  const std::string a = folder.write("a.json", cantilever(checks)), b = folder.write("b.json", cantilever(checks));
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"check", "--junit", a, b}, {"check", "--junit", a, a, b}, {"check", "--junit", folder / "./b.json", b}}) {
    const Output run = tendril(words);
    EXPECT_EQ(run.code, 2) << run.err;
    EXPECT_TRUE(says(run.err, "would replace")) << run.err;
    EXPECT_EQ(run.out, "") << "nothing may run";
  }
  EXPECT_EQ(folder.read("a.json"), cantilever(checks));
  EXPECT_EQ(folder.list(), (std::vector<std::string>{"a.json", "b.json"}));
  EXPECT_EQ(tendril({"check", "--junit", "", b}).code, 2);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(tendril({"check", "--junit", folder / "r.xml", b}).code, 0) << "its own, again";
}

#ifndef __SANITIZE_ADDRESS__
TEST(Batch, AMemoryThatIsTooSmallIsSaidWithEveryCheck) {
  const std::string scene = cantilever(checks);
  const Output run = tendril({"check", "--memory", "5", "-"}, scene);
  EXPECT_EQ(run.code, 3) << run.err;
  EXPECT_TRUE(says(run.out, "sags (3 points): out of memory: it may take 5 MiB")) << run.out << run.err;
  EXPECT_TRUE(says(run.out, "0 of 5 points")) << run.out;
  for (const char* much : {"1e14", "1e300"}) {
    const Output enough = tendril({"check", "--memory", much, "-"}, scene);
    EXPECT_EQ(enough.code, 0) << enough.out << enough.err;
  }
}
#endif

TEST(Batch, ATitleIsNotRefusedForASceneThatDoesNotTellItsTitles) {
  const Folder folder;
  const Output run = tendril({"check", "--only", "up", "--junit", folder / "r.xml", folder / "none.json"});
  EXPECT_EQ(run.code, 2);
  EXPECT_TRUE(says(run.err, "cannot read")) << run.err;
  EXPECT_TRUE(says(folder.read("r.xml"), "errors=\"1\"")) << folder.read("r.xml");
}

TEST(Batch, ACheckHasOneNameWhetherItRanOrNot) {
  const Folder folder;
  const std::string text = cantilever(R"(, "checks": [{"title": "stiff", "with": {"E": 1e9}, "expect": "tip.z < 0"}])");
  std::string bad = text;
  bad.replace(bad.find("\"arm:first\""), 11, "\"arn:first\"");
  const Output run = tendril({"check", folder.write("fine.json", text), folder.write("bad.json", bad)});
  EXPECT_TRUE(says(run.out, "pass  " + folder / "fine.json" + ": stiff [E = 1e+09]")) << run.out;
  EXPECT_TRUE(says(run.out, "FAIL  " + folder / "bad.json" + ": stiff [E = 1e+09]")) << run.out;
}

TEST(Batch, ControlCharactersOfTitlesDoNotReachATerminal) {
  const std::string scene = cantilever(R"(, "checks": [{"title": "a\u001b[2Kb\u009bc\u00e9", "expect": "1"}])");
  for (const char* command : {"check", "run"}) {
    const Output run = tendril({command, "-"}, scene);
    EXPECT_TRUE(says(run.out, "a\\x1b[2Kb\\x9bc\u00e9")) << run.out;
    EXPECT_EQ(run.out.find('\x1b'), std::string::npos);
  }
}

TEST(Batch, PointsBeyondAllNumbersStayNumbers) {
  const Output run = tendril({"check", "--json", "-"}, cantilever(R"(, "checks": [
    {"title": "a", "expect": "1", "points": 1e308}, {"title": "b", "expect": "1", "points": 1e308}])"));
  EXPECT_TRUE(Json::parse(run.out)["points"].is_number()) << run.out;
}

// Of the integrator's losses, of which this scene has too many.
TEST(Batch, WarningsOfRunsNameTheirScene) {
  const Output run = tendril({"run", "-", "--json"}, cantilever());
  EXPECT_TRUE(says(run.err, "<stdin>: warning: ")) << run.err;
}

// As many as are still to be planned when the request comes.
TEST(Batch, AnInterruptAtOnceCountsAllPoints) {
  const Folder folder;
  const std::string scene = folder.write("scene.json", cantilever(checks, endless));
  std::vector<std::string> words = {"check", "--json"};
  words.insert(words.end(), 200, scene);
  Started program(words);
  ASSERT_NE(program.child(), 0) << "no process of a scene was seen";
  program.signal(SIGTERM);
  const Output run = program.wait();
  EXPECT_EQ(run.code, 130) << run.err;
  EXPECT_EQ(Json::parse(run.out)["possiblePoints"], 1000);
}

TEST(Batch, AReportThatCannotBeWrittenIsNoSuccess) {
  const Output run = tendril({"check", "--junit", "/dev/full", "-"}, cantilever(checks));
  EXPECT_EQ(run.code, 3);
  EXPECT_TRUE(says(run.out, "5 of 5 points")) << run.out;
}

}  // namespace batch_test
}  // namespace tendril::test
