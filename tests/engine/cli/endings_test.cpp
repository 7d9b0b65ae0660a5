// How the program ends where it is asked to, or where what it writes does not fit: at once, with what is whole.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <ctime>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/atomic_file.h"
#include "cli/interrupt.h"
#include "engine/cli/program.h"

namespace tendril::test {
namespace endings_test {

using Json = nlohmann::json;

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

const std::vector<std::string> smallFiles = {"final.json", "probes.csv", "summary.json"};

TEST(Ending, EverySignalKeepsWhatWasComputed) {
  for (const int request : {SIGINT, SIGTERM, SIGHUP, SIGXFSZ}) {
    const Folder folder;
    const std::string scene = folder.write("scene.json", cantilever("", "1e7"));
    Started program({"run", scene, "--out", folder / "r", "--rows", "100"});
    ASSERT_TRUE(eventually([&] { return folder.has("r"); }));
    program.work(0.3);
    program.signal(request);
    program.signal(request);  // one to the process and one to its group, as `timeout` and terminals do
    const Output run = program.wait();
    EXPECT_EQ(run.code, 130) << request << run.err;
    EXPECT_LT(program.workedOn(), 1);
    EXPECT_EQ(Json::parse(folder.read("r/summary.json"))["status"], "stopped");
    EXPECT_EQ(folder.list("r"), smallFiles);
  }
}

// Ten million frames lie within one step.
TEST(Ending, FramesBetweenTwoStepsDoNotHoldItUp) {
  const Folder folder;
  const std::string scene = folder.write("scene.json", cantilever());
  Started program({"run", scene, "--out", folder / "r", "--frames", "1e9", "--yes"});
  ASSERT_TRUE(eventually([&] { return folder.has("r"); }));
  program.work(0.5);
  program.signal(SIGTERM);
  const Output run = program.wait();
  EXPECT_EQ(run.code, 130) << run.err;
  EXPECT_LT(program.workedOn(), 1);
  EXPECT_TRUE(folder.has("r/frames.ndjson"));
  EXPECT_EQ(folder.read("r/frames.ndjson").back(), '\n');
}

TEST(Ending, AStepThatTakesLongIsNotWaitedFor) {
  const Folder folder;
  folder.write("old", "old");
  const ::pid_t child = ::fork();
  if (child == 0) {
    if (!std::freopen("/dev/null", "w", stderr)) ::_exit(2);
    cli::AtomicFile rows(folder / "rows", cli::AtomicFile::WhenCut::keep), other(folder / "other"),
        last(folder / "old", cli::AtomicFile::WhenCut::dropOld);
    rows.write("1\n"), rows.write("2\n"), other.write("half"), last.write("half");
    const cli::InterruptGuard guard;
    cli::InterruptGuard::waitNoLonger(cli::AtomicFile::keepAll);
    ::raise(SIGTERM);
    while (std::clock() < 20 * CLOCKS_PER_SEC) {
    }
    ::_exit(1);
  }
  int status = 0;
  struct rusage used;
  ::wait4(child, &status, 0, &used);
  EXPECT_LT(used.ru_utime.tv_sec, 5);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 130);
  EXPECT_EQ(folder.list(), std::vector<std::string>{"rows"});
  EXPECT_EQ(folder.read("rows"), "1\n2\n");
}

TEST(Ending, WhatWasIgnoredStaysIgnored) {
  const Folder folder;
  const std::string scene = folder.write("scene.json", cantilever("", "2e2"));
  ::signal(SIGHUP, SIG_IGN);
  Started program({"run", scene, "--json"});
  ::signal(SIGHUP, SIG_DFL);
  program.work(0.05);
  program.signal(SIGHUP);
  EXPECT_EQ(program.wait().code, 0) << "as under nohup";
}

TEST(Ending, PartFilesOfDeadRunsAreSwept) {
  const Folder folder;
  const std::string scene = folder.write("scene.json", cantilever("", "1e7"));
  {
    Started program({"run", scene, "--out", folder / "r", "--rows", "100", "--save", folder / "state"});
    ASSERT_TRUE(eventually([&] { return folder.list("r").size() == 3; }));
    program.signal(SIGKILL);
    program.wait();
  }
  EXPECT_FALSE(folder.list("r").empty());
  folder.write("r/.notes.part", "mine");
  folder.write(".other.12.part", "of another file");
  const std::string alive = folder.write("r/.probes.csv.1.part", "of a run that goes on");
  const int held = ::open(alive.c_str(), O_RDONLY);
  ASSERT_EQ(::flock(held, LOCK_EX), 0);
  ASSERT_EQ(tendril({"run", scene, "--until", "1", "--out", folder / "r", "--save", folder / "state"}).code, 0);
  EXPECT_EQ(folder.list("r"), (std::vector<std::string>{".notes.part", ".probes.csv.1.part", "final.json", "probes.csv",
                                                        "summary.json"}));
  ::close(held);
  EXPECT_EQ(folder.list(), (std::vector<std::string>{".other.12.part", "r", "scene.json", "state"}));
}

TEST(Ending, ARequestWhileASceneIsLoadedEndsWithItsCode) {
  for (const int request : {SIGINT, SIGTERM, SIGHUP, SIGXFSZ}) {
    for (const char* command : {"run", "validate", "expand"}) {
      const Folder folder;
      const std::string pipe = folder / "pipe";
      ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
      Started program({command, pipe});
      int writer = -1;
      ASSERT_TRUE(eventually([&] { return (writer = ::open(pipe.c_str(), O_WRONLY | O_NONBLOCK)) >= 0; }));
      program.signal(request);
      const Output run = program.wait();
      ::close(writer);
      EXPECT_EQ(run.code, 130) << command << request;
      EXPECT_TRUE(says(run.err, "interrupted before anything")) << run.err;
    }
  }
}

TEST(Ending, NoFileOfTheCallIsReplaced) {
  const Folder folder;
  const std::string scene = folder.write("me.json", cantilever()), last = folder.write("final.json", cantilever()),
                    here = folder / ".";
  const auto refused = [&](const std::vector<std::string>& words) {
    const Output run = tendril(words);
    EXPECT_EQ(run.code, 2) << words[2];
    EXPECT_TRUE(says(run.err, "would replace")) << run.err;
    EXPECT_EQ(folder.list(), (std::vector<std::string>{"final.json", "me.json"}));
    EXPECT_EQ(folder.read("me.json"), cantilever());
    EXPECT_EQ(folder.read("final.json"), cantilever());
  };
  refused({"run", scene, "--save", scene});
  refused({"run", scene, "--save", last});
  refused({"run", last, "--out", here});
  refused({"run", scene, "--out", here, "--save", folder / "probes.csv"});
  EXPECT_EQ(tendril({"run", scene, "--save", ""}).code, 2);
}

TEST(Ending, TwoRunsDoNotWriteIntoOneFolder) {
  const Folder folder;
  const std::string scene = folder.write("scene.json", cantilever("", "1e7")), r = folder / "r";
  Started first({"run", scene, "--out", r, "--rows", "100"});
  ASSERT_TRUE(eventually([&] { return folder.list("r").size() >= 3; }));
  const Output second = tendril({"run", scene, "--until", "1", "--out", r});
  EXPECT_EQ(second.code, 2) << second.err;
  EXPECT_TRUE(says(second.err, "another run is writing its results into " + r)) << second.err;
  first.signal(SIGKILL);
  first.wait();
  EXPECT_EQ(tendril({"run", scene, "--until", "1", "--out", r}).code, 0) << "who is dead holds nothing";
  EXPECT_EQ(folder.list("r"), smallFiles);
}

// A folder of results is one run's, also where the run is killed.
TEST(Ending, ResultsOfTheRunBeforeStandBesideNoOthers) {
  const Folder folder;
  const std::string scene = folder.write("scene.json", cantilever()), r = folder / "r",
                    long_ = folder.write("long.json", cantilever("", "1e7"));
  ASSERT_EQ(tendril({"run", scene, "--out", r, "--frames", "50", "--vtk"}).code, 0);
  folder.write("r/vtk/experiment_000001.vtp", "measured");
  folder.write("r/vtk/notes.txt", "mine");
  Started program({"run", long_, "--out", r, "--rows", "100"});
  ASSERT_TRUE(eventually([&] { return !folder.has("r/summary.json"); }));
  ASSERT_TRUE(eventually([&] { return !folder.has("r/vtk/arm_000005.vtp"); }));
  program.signal(SIGKILL);
  program.wait();
  for (const char* name : {"summary.json", "final.json", "probes.csv", "frames.ndjson", "vtk/scene.pvd"})
    EXPECT_FALSE(folder.has("r/" + std::string(name))) << name;
  EXPECT_EQ(folder.list("r/vtk"), (std::vector<std::string>{"experiment_000001.vtp", "notes.txt"}));
  folder.write("r/frames.ndjson", "[1, 2]\n");
  ASSERT_EQ(tendril({"run", scene, "--out", r}).code, 0);
  EXPECT_EQ(folder.read("r/frames.ndjson"), "[1, 2]\n") << "no result of a run";
}

TEST(Ending, AResultThatCannotBeWrittenIsNotDone) {
  const Folder folder;
  const std::string scene = folder.write("scene.json", cantilever("", "3")), r = folder / "r";
  ASSERT_EQ(tendril({"run", scene, "--out", r}).code, 0);
  Surroundings around;
  around.fileBytes = 20000;  // of 30 kB of rows, which are written at the end
  Started program({"run", scene, "--out", r}, around);
  const Output run = program.wait();
  EXPECT_EQ(run.code, 3);
  const Json summary = Json::parse(folder.read("r/summary.json"));
  EXPECT_EQ(summary["status"], "stopped");
  EXPECT_TRUE(says(summary["reason"], "probes.csv: File too large")) << summary["reason"];
  EXPECT_TRUE(says(run.err, "not all of its results are in " + r)) << run.err;
  EXPECT_FALSE(says(run.err, "done")) << run.err;
  const std::string rows = folder.read("r/probes.csv");
  EXPECT_GT(rows.size(), 19000u) << "as many as fit";
  EXPECT_EQ(rows.back(), '\n');
}

TEST(Ending, AFolderThatIsGoneHoldsNoResults) {
  const Folder folder;
  const std::string scene = folder.write("scene.json", cantilever("", "1e7")), r = folder / "r";
  Output run;
  // A run whose folder goes while it still opens its files has not begun: it is refused with 2, and another one is
  // started.
  for (int k = 0; k < 20 && (k == 0 || run.code == 2); ++k) {
    Started program({"run", scene, "--out", r, "--rows", "100"});
    ASSERT_TRUE(eventually([&] { return folder.list("r").size() >= 3; }));
    std::filesystem::rename(r, folder / ("elsewhere" + std::to_string(k)));
    program.signal(SIGTERM);
    run = program.wait();
  }
  EXPECT_EQ(run.code, 3) << run.err;
  EXPECT_TRUE(says(run.err, "no summary in " + r)) << run.err;
}

TEST(Ending, WhoMayReadASavedStateStaysAsItWas) {
  const Folder folder;
  const std::string scene = folder.write("scene.json", cantilever()), state = folder.write("state", "old");
  ASSERT_EQ(::chmod(state.c_str(), 0600), 0);
  ASSERT_EQ(tendril({"run", scene, "--save", state}).code, 0);
  struct stat after = {};
  ASSERT_EQ(::stat(state.c_str(), &after), 0);
  EXPECT_EQ(after.st_mode & 0777, 0600u);
  EXPECT_EQ(tendril({"run", scene, "--resume", state, "--until", "0.05"}).code, 2) << "the state is past that";
}

// RLIMIT_FSIZE stands for a full disk: the write fails in the same way, with SIGXFSZ besides.
TEST(Ending, SmallFilesAreKeptWhereALargeOneDoesNotFit) {
  const Folder folder;
  const std::string scene = folder.write("scene.json", cantilever("", "10"));
  Surroundings around;
  around.fileBytes = 400000;
  Started program(
      {"run", scene, "--out", folder / "r", "--rows", "0.1", "--frames", "1000", "--save", folder / "state"}, around);
  const Output run = program.wait();
  EXPECT_EQ(run.code, 3) << run.err;
  EXPECT_TRUE(says(run.err, "frames.ndjson: File too large")) << run.err;
  const Json summary = Json::parse(folder.read("r/summary.json"));
  EXPECT_EQ(summary["status"], "stopped");
  EXPECT_TRUE(says(summary["reason"], "frames.ndjson")) << summary["reason"];
  EXPECT_GT(readTable(folder.read("r/probes.csv")).rows.size(), 1u);
  EXPECT_TRUE(folder.has("r/final.json"));
  EXPECT_TRUE(folder.has("state"));
  const std::string frames = folder.read("r/frames.ndjson");
  ASSERT_FALSE(frames.empty());
  EXPECT_LE(frames.size(), 400000u);
  EXPECT_EQ(frames.back(), '\n');
  EXPECT_TRUE(Json::accept(frames.substr(frames.rfind('\n', frames.size() - 2) + 1)));
}

// What makes room for the small files is lost: such a run is not done.
TEST(Ending, AFullDiskIsNeverDone) {
  for (const auto& [size, more] :
       {std::pair<long, std::vector<std::string>>{96 << 10, {"--until", "4", "--frames", "20"}},
        {200 << 10, {"--until", "19"}},
        {64 << 10, {"--until", "6.3"}}}) {
    const Folder folder, disk;
    std::vector<std::string> all = {"run", folder.write("scene.json", cantilever("", "1e7")), "--out", disk / "r"};
    all.insert(all.end(), more.begin(), more.end());
    Surroundings around;
    around.disk = {disk / "", size};
    const Output run = Started(all, around).wait();
    const Json summary = Json::parse(disk.read("r/summary.json"));
    const Table table = readTable(disk.read("r/probes.csv"));
    EXPECT_EQ(run.code, 3) << size << run.err;
    EXPECT_EQ(summary["status"], "stopped") << size;
    EXPECT_TRUE(says(run.err, "left out: the other files did not fit") || says(run.err, "No space left")) << run.err;
    EXPECT_GT(table.rows.size(), 50u) << size << " rows that fit are kept";
  }
}

TEST(Ending, RowsThatDoNotFitEndTheRunWithThoseThatDo) {
  const Folder folder;
  Surroundings around;
  around.input = cantilever("", "100");
  around.fileBytes = 200000;
  Started program({"run", "-", "--out", folder / "r"}, around);
  EXPECT_EQ(program.wait().code, 3);
  EXPECT_EQ(Json::parse(folder.read("r/summary.json"))["status"], "stopped");
  const Table table = readTable(folder.read("r/probes.csv"));
  ASSERT_GT(table.rows.size(), 100u);
  EXPECT_EQ(table.rows.back().size(), table.names.size());
}

TEST(Ending, AFileOfWhichNothingFitsDoesNotAppear) {
  const Folder folder;
  Surroundings around;
  around.input = cantilever("", "100");
  around.fileBytes = 1000;  // less than its numbers
  Started program({"run", "-", "--out", folder / "r"}, around);
  const Output run = program.wait();
  EXPECT_EQ(run.code, 3);
  EXPECT_TRUE(says(run.err, "final.json: File too large")) << run.err;
  EXPECT_FALSE(folder.has("r/final.json"));
  const Table table = readTable(folder.read("r/probes.csv"));
  ASSERT_GT(table.rows.size(), 3u) << "rows fit one by one";
  EXPECT_EQ(table.rows.back().size(), table.names.size());
  for (const std::string& file : folder.list("r")) EXPECT_GT(folder.read("r/" + file).size(), 0u) << file;
}

TEST(Ending, OutputsBeyondAMillionAreRefusedWithTheirSize) {
  const Folder folder;
  const std::string scene = folder.write("scene.json", cantilever("", "1e5"));
  const auto refused = [&](const std::vector<std::string>& more, const std::string& words) {
    std::vector<std::string> all = {"run", scene, "--out", folder / "r"};
    all.insert(all.end(), more.begin(), more.end());
    const Output run = tendril(all);
    EXPECT_EQ(run.code, 2) << words;
    EXPECT_TRUE(says(run.err, words)) << run.err;
    EXPECT_FALSE(folder.has("r"));
  };
  refused({"--rows", "10", "--frames", "1000"},
          "--frames 1000 makes 1e+08 frames, about 144 GB in all; more than a million are written only with --yes");
  refused({"--rows", "1e-3"}, "--rows 0.001 makes 1e+08 rows of probes.csv, about 11.4 GB in all");
  refused({}, "a row for every step makes 1e+07 rows of probes.csv, about 1.14 GB in all");
  refused({"--rows", "1e-9", "--yes"}, "at most 1e9");
  // At the edge: a million and one, with that of the start.
  refused({"--rows", "0.1"}, "--rows 0.1 makes 1000001 rows of probes.csv");
  refused({"--rows", "10", "--frames", "10"}, "--frames 10 makes 1000001 frames");
  for (const std::vector<std::string>& more :
       std::vector<std::vector<std::string>>{{"--yes"}, {"--rows", "0.10000005"}}) {
    const std::string name = folder / ("r" + more.back());
    std::vector<std::string> all = {"run", scene, "--out", name};
    all.insert(all.end(), more.begin(), more.end());
    Started allowed(all);
    ASSERT_TRUE(eventually([&] { return folder.has("r" + more.back()); }));
    allowed.work(0.2);
    allowed.signal(SIGINT);
    EXPECT_EQ(allowed.wait().code, 130);
    EXPECT_TRUE(folder.has("r" + more.back() + "/probes.csv"));
  }
}

TEST(Ending, ScenesAreReadToTheirLimitAndNoFurther) {
  const Folder folder;
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"validate", "/dev/zero"},
                                             {"run", "/dev/zero"},
                                             {"check", "/dev/zero"},
                                             {"expand", "/dev/zero"},
                                             {"import", "/dev/zero"},
                                             {"run", folder.write("s.json", cantilever()), "--resume", "/dev/zero"}}) {
    Surroundings around;
    around.cpuSeconds = 20;
    const Output run = Started(words, around).wait();
    EXPECT_EQ(run.code, 2) << words[0];
    EXPECT_TRUE(says(run.err, "longer than 64 MiB")) << run.err;
  }
}

TEST(Ending, EveryFailedWriteOfStandardOutputEndsWithThree) {
  const Folder folder;
  const std::string scene = folder.write("s.json",
                                         cantilever(R"(, "checks": [{"title": "wrong", "expect": "tip.z > 0"}])")),
                    text = folder.write("g.txt", "*Nodes\n0,0,0\n0.1,0,0\n0.2,0,0\n*Edges\n1,2\n2,3\n");
  Surroundings around;
  around.out = "/dev/full";
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{{"schema"},
                                                                                     {"version"},
                                                                                     {"--help"},
                                                                                     {"run", "--help"},
                                                                                     {"run", scene},
                                                                                     {"run", scene, "--json"},
                                                                                     {"check", scene},
                                                                                     {"check", "--json", scene},
                                                                                     {"validate", scene},
                                                                                     {"expand", scene},
                                                                                     {"import", text}}) {
    Started program(words, around);
    const Output run = program.wait();
    EXPECT_EQ(run.code, 3) << words[0];
    EXPECT_TRUE(says(run.err, "cannot write to standard output")) << words[0] << run.err;
  }
}

TEST(Ending, StreamsThatAreClosedTakeNoResultFile) {
  const Folder folder;
  Surroundings around;
  around.out = "closed";
  Started program({"run", folder.write("s.json", cantilever()), "--json", "--out", folder / "r"}, around);
  EXPECT_EQ(program.wait().code, 3);
  EXPECT_EQ(folder.read("r/probes.csv").substr(0, 5), "t,tip");
  EXPECT_EQ(Json::parse(folder.read("r/summary.json"))["status"], "done");
}

}  // namespace endings_test
}  // namespace tendril::test
