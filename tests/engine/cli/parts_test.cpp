// The program's parts by themselves: arguments, output times, interpolation, digests, escapes, files.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <thread>

#include "cli/arguments.h"
#include "cli/atomic_file.h"
#include "cli/check_messages.h"
#include "cli/check_report.h"
#include "cli/exit_code.h"
#include "cli/frame_sampler.h"
#include "cli/numbers.h"
#include "cli/probe_table.h"
#include "cli/progress.h"
#include "cli/sha256.h"
#include "cli/vtk_writer.h"
#include "engine/cli/program.h"

namespace tendril::cli {
namespace cli_parts_test {

using test::Folder;

TEST(Sha256, MatchesThePublishedExamples) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(std::string(1000000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Arguments, NumbersAreDecimalAndFinite) {
  EXPECT_EQ(parseNumber("2e6"), 2e6);
  EXPECT_EQ(parseNumber("-.5"), -0.5);
  for (const char* text : {"", "inf", "nan", "0x10", "1e999", "1 ", " 1", "1,5", "2e", "-"})
    EXPECT_FALSE(parseNumber(text)) << text;
}

CommandSpec runLike() {
  CommandSpec spec;
  spec.name = "run";
  spec.operand = "SCENE";
  spec.several = true;
  spec.options = {{"--set", "k=v", "", true}, {"--only", "TITLE", "", true}, {"--until", "T", ""}, {"--json", "", ""}};
  return spec;
}

using Words = std::vector<std::string>;

Words operandsOf(const Words& words) { return runLike().parse(words).operands(); }

/// Of an option, beside one scene.
Words valuesOf(const std::string& option, Words words) {
  words.push_back("a");
  const Arguments arguments = runLike().parse(words);
  EXPECT_EQ(arguments.operands(), Words{"a"});
  return arguments.texts(option);
}

std::string refusal(const Words& words) {
  try {
    runLike().parse(words);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(Arguments, ValuesMayFollowOrBeJoined) {
  const Arguments arguments = runLike().parse({"--set", "a=1", "--set=b=2", "--json", "--until=3", "--", "-x"});
  EXPECT_EQ(arguments.assignments("--set"), (std::map<std::string, double>{{"a", 1}, {"b", 2}}));
  EXPECT_EQ(arguments.number("--until"), 3);
  EXPECT_TRUE(arguments.has("--json"));
  EXPECT_EQ(arguments.operands(), Words{"-x"});
  EXPECT_FALSE(runLike().parse({"a"}).has("--json"));
  EXPECT_THROW(runLike().parse({"a", "--until=-1"}).positiveNumber("--until"), UsageError);
}

TEST(Arguments, AnyWordMayBeAValue) {
  for (const char* word : {"-1",     "-.5", "",   "-",   "--", "--json", "--until=1", "--set=", "a=b", "=", "[a,b]",
                           "[[aa]]", "[]",  "{}", "a b", "%%", "true",   "\"a\"",     "/a:b",   "run", "++"}) {
    EXPECT_EQ(valuesOf("--only", {"--only", word}), Words{word});
    EXPECT_EQ(valuesOf("--only", {std::string("--only=") + word}), Words{word});
  }
  EXPECT_EQ(valuesOf("--only", {"--only", "", "--only=", "--only", "b"}), (Words{"", "", "b"}));
  EXPECT_EQ(runLike().parse({"--until", "-1e-3", "a"}).number("--until"), -1e-3);
}

TEST(Arguments, OperandsKeepTheirOrderAndTheirWords) {
  EXPECT_EQ(operandsOf({"b", "--json", "a", "--until", "1", "-", "--", "c"}), (Words{"b", "a", "-", "c"}));
  EXPECT_EQ(operandsOf({"[a,b]", "[[cc]]", "{}", "d=", "=", "/e:f", "++", "run"}),
            (Words{"[a,b]", "[[cc]]", "{}", "d=", "=", "/e:f", "++", "run"}));
  EXPECT_EQ(operandsOf({"--", "--json", "--set=", "--", "-5"}), (Words{"--json", "--set=", "--", "-5"}));
}

TEST(Arguments, RefusalsNameTheWordAndTheFix) {
  EXPECT_EQ(refusal({"a", "--untl=3"}), "unknown option \"--untl\"; did you mean --until?");
  EXPECT_EQ(refusal({"a", "-json"}), "unknown option \"-json\"; did you mean --json?");
  for (const std::string word : {"-5", "-x", "---x", "-!", "--!x", "--Until", "--unti", "--a.b", "--un_til"})
    for (const std::string& given : {word, word + "=", word + "=1"})
      EXPECT_EQ(refusal({"a", given}).rfind("unknown option \"" + word + "\"", 0), 0u) << given;
  EXPECT_EQ(refusal({"a", "--=x"}), "unknown option \"--\"");
  EXPECT_EQ(refusal({"a", "--until", "1", "--until=2"}), "--until is given twice");
  EXPECT_EQ(refusal({"a", "--json", "--json"}), "--json is given twice");
  for (const char* word : {"--json=", "--json=1", "--json=true", "--json=false", "--json={}"})
    EXPECT_EQ(refusal({"a", word}), "--json takes no value");
  EXPECT_EQ(refusal({"a", "--help=1"}), "--help takes no value");
  EXPECT_EQ(refusal({"a", "--help="}), "--help takes no value");
  EXPECT_EQ(refusal({"a", "-h=1"}), "-h takes no value");
  EXPECT_EQ(refusal({"a", "--hepl=1"}), "unknown option \"--hepl\"; did you mean --help?");
  EXPECT_EQ(refusal({"a", "--until"}), "--until needs a value: --until T");
  EXPECT_EQ(refusal({}), "needs a SCENE: tendril run SCENE...");
  EXPECT_EQ(refusal({"--until", "a"}), refusal({}));
  CommandSpec one = runLike(), none = runLike();
  one.several = false;
  none.operand = "";
  EXPECT_THROW(one.parse({"a", "b"}), UsageError);
  EXPECT_THROW(none.parse({"a"}), UsageError);
}

TEST(Arguments, HelpListsTheOptionsWithTheirPlaceholders) {
  CommandSpec spec = runLike();
  spec.summary = "Runs.";
  spec.details = "  kept   as it is\n";
  spec.options[2].help = "stop then";
  const std::string help = spec.help();
  EXPECT_NE(help.find("Usage: tendril run SCENE..."), std::string::npos) << help;
  const std::string line = help.substr(std::min(help.find("--until T"), help.size()));
  EXPECT_NE(line.substr(0, line.find('\n')).find(" stop then"), std::string::npos) << help;
  EXPECT_EQ(help.find("--help"), std::string::npos) << help;
  EXPECT_TRUE(help.ends_with("\n\n  kept   as it is\n") && !help.ends_with("\n\n\n  kept   as it is\n")) << help;
}

TEST(ExitCode, OfSeveralTheFirstOfTwoThreeOne) {
  EXPECT_EQ(worseExit(exitCheckFailed, exitGaveUp), exitGaveUp);
  EXPECT_EQ(worseExit(exitGaveUp, exitBadInput), exitBadInput);
  EXPECT_EQ(worseExit(exitDone, exitCheckFailed), exitCheckFailed);
  EXPECT_EQ(worseExit(exitDone, exitDone), exitDone);
}

TEST(Ticks, DoNotDriftAndMeetStepsWithinRoundOff) {
  Ticks ticks(0.1, 0, 0.01);
  double time = 0;
  int count = 0;
  for (int step = 0; step <= 100000; ++step) {  // 1000 s in steps of 0.01 s, summed with round-off
    for (; ticks.due(time); ticks.advance()) ++count;
    time += 0.01;
  }
  EXPECT_EQ(count, 10001);
  EXPECT_DOUBLE_EQ(Ticks(0.25, 0.3, 0.01).next(), 0.5);
  EXPECT_EQ(Ticks(0.25, 0.5, 0.01).next(), 0.5);
  EXPECT_DOUBLE_EQ(Ticks(0.25, 0.5, 0.01).weight(0.4, 0.6), 0.5);
  EXPECT_EQ(Ticks(0.25, 0.5, 0.01).weight(0.4, 0.5 + 1e-12), 1);
}

TEST(ProbeTable, KeepsSeventeenDigits) {
  const Folder folder;
  ProbeTable table(folder / "p.csv", {"a"}, std::nullopt, {});
  table.accept(0, {1.0 / 3});
  EXPECT_FALSE(folder.has("p.csv"));
  table.commit();
  EXPECT_EQ(folder.read("p.csv"), "t,a\n0,0.33333333333333331\n");
}

TEST(ProbeTable, OneLongStepFillsSeveralRows) {
  const Folder folder;
  ProbeTable table(folder / "p.csv", {"a"}, Ticks(0.25, 0, 0.01), [](const auto& from, const auto& to, double w) {
    return std::vector<double>{from[0] + w * (to[0] - from[0])};
  });
  table.accept(0, {0});
  table.accept(1, {4});
  table.commit();
  EXPECT_EQ(folder.read("p.csv"), "t,a\n0,0\n0.25,1\n0.5,2\n0.75,3\n1,4\n");
}

BodyState body(double x, double angle) {
  BodyState state;
  state.name = "arm";
  state.nodes = {x, 0, 0, x, 1, 0};
  state.velocity = {1, 2, 3, 4, 5, 6};
  state.twist = {x};
  state.d1 = {std::cos(angle), std::sin(angle), 0, 0, 0, 1};
  return state;
}

TEST(FrameSampler, MixesNodesAndKeepsDirectorsUnit) {
  std::vector<double> times;
  std::vector<Bodies> frames;
  FrameSampler sampler(Ticks(0.5, 0, 0.01), [&](double time, const Bodies& bodies) {
    times.push_back(time);
    frames.push_back(bodies);
  });
  sampler.accept(0, {body(0, 0)});
  sampler.accept(1, {body(2, 1)});
  ASSERT_EQ(times, (std::vector<double>{0, 0.5, 1}));
  EXPECT_EQ(frames[1][0].nodes[0], 1);
  EXPECT_EQ(frames[2][0].nodes[0], 2);
  EXPECT_NEAR(frames[1][0].d1[0], std::cos(0.5), 1e-12);
  EXPECT_NEAR(frames[1][0].d1[1], std::sin(0.5), 1e-12);
}

TEST(BodyJson, WritesNullWhereANumberIsNotFinite) {
  BodyState state = body(0.1, 0);
  EXPECT_TRUE(bodyJson({state}, std::nullopt).finite);
  state.twist = {std::numeric_limits<double>::quiet_NaN()};
  const BodyJson json = bodyJson({state}, 0.5);
  EXPECT_FALSE(json.finite);
  EXPECT_EQ(json.text, R"({"t":0.5,"nodes":{"arm":[[0.1,0,0],[0.1,1,0]]},"velocity":{"arm":[[1,2,3],[4,5,6]]},)"
                       R"("twist":{"arm":[null]},"linkages":{},"vines":{}})");
}

// A linkage of two links: a soft one of three nodes and a rigid one without freedom, of two.
BodyState armOfLinks(double shift) {
  BodyState state;
  state.name = "arm";
  for (int i = 0; i < 5; ++i) state.nodes.insert(state.nodes.end(), {i < 3 ? 1.0 * i : i - 1.0, shift, 0.0});
  state.velocity.assign(15, shift);
  state.radius = {0.1, 0.1, 0.1, 0.2, 0.2};
  state.links = {{"arm/limb", {shift, 2}, {3, shift}, 0, 3}, {"arm/hand", {}, {}, 3, 2}};
  return state;
}

TEST(BodyJson, GivesLinksByNameWithTheirCoordinates) {
  BodyState state = armOfLinks(0.5);
  EXPECT_EQ(
      bodyJson({state}, std::nullopt).text,
      R"({"nodes":{"arm":[[0,0.5,0],[1,0.5,0],[2,0.5,0],[2,0.5,0],[3,0.5,0]]},"velocity":{"arm":[[0.5,0.5,0.5],)"
      R"([0.5,0.5,0.5],[0.5,0.5,0.5],[0.5,0.5,0.5],[0.5,0.5,0.5]]},"twist":{},"linkages":{"arm/limb":{"q":[0.5,2],)"
      R"("v":[3,0.5]},"arm/hand":{"q":[],"v":[]}},"vines":{}})");
  state.links[0].v[1] = std::numeric_limits<double>::infinity();
  const BodyJson json = bodyJson({body(0, 0), state}, std::nullopt);
  EXPECT_FALSE(json.finite);
  EXPECT_NE(json.text.find(R"("v":[3,null]})"), std::string::npos) << json.text;
}

TEST(FrameSampler, MixesCoordinatesOfLinks) {
  const Bodies mixed = mixBodies({armOfLinks(0)}, {armOfLinks(1)}, 0.25);
  EXPECT_EQ(mixed[0].links[0].q, (std::vector<double>{0.25, 2}));
  EXPECT_EQ(mixed[0].links[0].v, (std::vector<double>{3, 0.25}));
  EXPECT_EQ(mixed[0].links[0].nodeCount, 3);
  EXPECT_EQ(mixed[0].nodes[1], 0.25);
}

TEST(Vtk, ALinkageIsOneLineForEachLink) {
  const std::string text = vtpText(armOfLinks(0));
  const auto has = [&](const std::string& part) { return text.find(part) != std::string::npos; };
  EXPECT_TRUE(has("NumberOfPoints=\"5\" NumberOfVerts=\"0\" NumberOfLines=\"2\"")) << text;
  EXPECT_TRUE(has("0 1 2\n3 4\n")) << text;
  EXPECT_TRUE(has("Name=\"offsets\" format=\"ascii\">\n3\n5\n")) << text;
  EXPECT_TRUE(has("Name=\"radius\""));
  EXPECT_FALSE(has("curvature")) << "it has none";
}

TEST(Vtk, GivesUpItsNewestFrames) {
  const Folder folder;
  VtkWriter writer(folder / "vtk");
  for (const double time : {0.0, 1.0, 2.0}) writer.add(time, {armOfLinks(time)});
  EXPECT_TRUE(writer.dropLast());
  writer.commit();
  EXPECT_EQ(folder.list("vtk"), (std::vector<std::string>{"arm_000000.vtp", "arm_000001.vtp", "scene.pvd"}));
  EXPECT_EQ(folder.read("vtk/scene.pvd").find("arm_000002"), std::string::npos);
  EXPECT_TRUE(writer.dropLast());
  EXPECT_TRUE(writer.dropLast());
  EXPECT_FALSE(writer.dropLast());
}

TEST(Numbers, ReadBackExactly) {
  for (const double value : {0.1, 1.0 / 3, 6.02214076e23, -4.9406564584124654e-324, 1.7976931348623157e308}) {
    std::string text;
    EXPECT_TRUE(appendJsonNumber(text, value));
    EXPECT_EQ(std::strtod(text.c_str(), nullptr), value) << text;
  }
}

TEST(AtomicFile, AppearsWholeOrNotAtAll) {
  const Folder folder;
  folder.write("f", "old");
  {
    AtomicFile file(folder / "f");
    file.write("half");
  }
  EXPECT_EQ(folder.read("f"), "old");
  AtomicFile file(folder / "f");
  file.write("new");
  EXPECT_EQ(folder.read("f"), "old");
  file.commit();
  EXPECT_EQ(folder.read("f"), "new");
  EXPECT_EQ(folder.list(), std::vector<std::string>{"f"});
  EXPECT_THROW(AtomicFile(folder / "none/f"), FileError);
  EXPECT_THROW(readWhole(folder / "none", 10), FileError);
  EXPECT_THROW(readWhole(folder / "f", 2), FileError);
  EXPECT_EQ(readWhole(folder / "f", 3), "new");
}

TEST(Junit, TextThatXmlCannotHoldIsReplaced) {
  EXPECT_EQ(xmlEscape("a<b & \"c\">"), "a&lt;b &amp; &quot;c&quot;&gt;");
  EXPECT_EQ(xmlEscape(std::string("x\x01y\xff") + "z"), "x\xef\xbf\xbdy\xef\xbf\xbdz");
  EXPECT_EQ(xmlEscape("\xc3\xa9\xe2\x82\xac\xf0\x9d\x84\x9e"), "\xc3\xa9\xe2\x82\xac\xf0\x9d\x84\x9e");
  EXPECT_EQ(xmlEscape("\xed\xa0\x80"), "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");  // a lone surrogate
}

TEST(CheckMessages, ArriveAsTheyWereSent) {
  CheckLine sent, came;
  sent.index = 3, sent.error = true, sent.reason = "two\nlines";
  sent.result.title = "\"\xc3\xa9\"", sent.result.at = 1.0 / 3, sent.result.points = 0.1,
  sent.result.reason = "no number";
  sent.result.values = {
      {"a", 1.0 / 3}, {"b", std::numeric_limits<double>::quiet_NaN()}, {"c", -std::numeric_limits<double>::infinity()}};
  sent.with = {{"E", 6.02214076e23}};
  CheckListener listener;
  listener.decided = [&](const CheckLine& line) { came = line; };
  sendingListener([&](const std::string& text) {
    EXPECT_EQ(text.find('\n'), std::string::npos);
    receiveMessage(text, listener);
  }).decided(sent);
  EXPECT_EQ(came.index, 3);
  EXPECT_TRUE(came.error);
  EXPECT_EQ(came.reason, sent.reason);
  EXPECT_EQ(came.result.title, sent.result.title);
  EXPECT_EQ(came.result.at, 1.0 / 3);
  EXPECT_EQ(came.result.points, 0.1);
  EXPECT_EQ(came.result.reason, "no number");
  EXPECT_EQ(came.with, sent.with);
  EXPECT_EQ(came.result.values["a"], 1.0 / 3);
  EXPECT_TRUE(std::isnan(came.result.values["b"]));
  EXPECT_EQ(came.result.values["c"], -std::numeric_limits<double>::infinity());
  EXPECT_THROW(receiveMessage("half a li", listener), std::exception);
}

TEST(ProgressLine, SaysTimeStepsFactorAndTimeToGo) {
  const std::string line = progressLine("scene.json", 0, 10, 2.5, 250, 5);
  EXPECT_EQ(line, "scene.json [#####...............]  25% t = 2.5 of 10 s, 250 steps, x0.5, 15 s to go");
}

TEST(ProgressLine, NothingIsSilentForTwoSecondsOffATerminal) {
  // A run that is loaded for a while, and then is in one long step.
  ::testing::internal::CaptureStderr();
  {
    const LoadingLine line("scene.json");
    std::this_thread::sleep_for(std::chrono::milliseconds(1400));
  }
  {
    ProgressBar bar("scene.json", 0, 10);
    bar.show(0, 0);
    std::this_thread::sleep_for(std::chrono::milliseconds(10100));
  }
  const std::string said = ::testing::internal::GetCapturedStderr();
  // A line each 1.75 s at most makes six in 11.5 s; a busy machine is late with some.
  EXPECT_GE(std::count(said.begin(), said.end(), '\n'), 4) << said;
}

}  // namespace cli_parts_test
}  // namespace tendril::cli
