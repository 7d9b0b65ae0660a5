// `tendril fit` from the outside: its files, its errors, stopping and going on.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "engine/cli/program.h"

namespace tendril::test {
namespace cli_fit_test {

using Json = nlohmann::json;

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string sceneText() {
  return R"json({
  // A remark that stays.
  "format": "tendril/1",
  "parameters": {"E": {"value": 4e6, "min": 1e5, "max": 1e8, "scale": "log", "unit": "Pa"}, "g": 9.81},
  "materials": {"rubber": {"youngs": "=E", "poisson": 0.5, "density": 1200, "damping": 2e3}},
  "rods": {"arm": {"section": {"circle": {"radius": 3e-3}}, "segments": 8,
    "path": {"line": {"from": [0, 0, 0], "to": [0.1, 0, 0]}}, "material": "rubber"}},
  "constraints": [{"clamp": "arm:first"}], "environment": {"gravity": [0, 0, "=-g"]},
  "solver": {"dt": 0.01, "duration": 0.3}, "probes": {"tip": {"position": "arm:last"}}})json";
}

std::string planText(const std::string& more = "") {
  return R"({"format": "tendril-fit/1", "scene": "arm.json", "unknowns": {"E": {"min": 5e5, "max": 2e7}},
  "experiments": [{"data": {"csv": "arm.csv", "columns": {"tip.z": {"probe": "tip.z", "sigma": 1e-4}}}}])" +
         more + "}";
}

/// A scene, its plan, and data of a run with E = 2e6.
void fill(const Folder& folder, const std::string& more = "") {
  folder.write("arm.json", sceneText());
  folder.write("plan.json", planText(more));
  const Output run = tendril({"run", folder / "arm.json", "--set", "E=2e6", "--out", folder / "truth"});
  ASSERT_EQ(run.code, 0) << run.err;
  folder.write("arm.csv", folder.read("truth/probes.csv"));
}

TEST(FitCommand, FindsTheTruthAndWritesItsFiles) {
  const Folder folder;
  fill(folder, R"(, "hold": [{"experiment": 0, "from": 0.25}], "starts": 2)");
  const Output run = tendril({"fit", folder / "plan.json", "--out", folder / "out", "--write", folder / "new.json"});
  ASSERT_EQ(run.code, 0) << run.out << run.err;
  EXPECT_TRUE(contains(run.out, "  E  2000000 +- ")) << run.out;
  EXPECT_EQ(folder.list("out"), (std::vector<std::string>{"fit.json", "report.html"}));
  const Json result = Json::parse(folder.read("out/fit.json"));
  EXPECT_EQ(result["format"], "tendril-fit-result/1");
  EXPECT_EQ(result["status"], "done");
  EXPECT_NEAR(double(result["unknowns"][0]["value"]) / 2e6, 1, 1e-6);
  EXPECT_GT(double(result["unknowns"][0]["standardError"]), 0);
  EXPECT_EQ(result["unknowns"][0]["identifiable"], true);
  EXPECT_EQ(result["starts"].size(), 2u);
  EXPECT_LT(double(result["experiments"][0]["columns"]["tip.z"]["heldError"]), 1e-7);
  const std::string scene = folder.read("new.json");
  EXPECT_TRUE(contains(scene, "// A remark that stays.")) << scene;
  const Output again = tendril({"run", folder / "new.json", "--json"});
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(Json::parse(again.out)["parameters"]["E"], result["unknowns"][0]["value"]);
}

TEST(FitCommand, TheReportNeedsNothingElse) {
  const Folder folder;
  fill(folder);
  ASSERT_EQ(tendril({"fit", folder / "plan.json", "--out", folder / "out"}).code, 0);
  const std::string page = folder.read("out/report.html");
  for (const char* part : {"<svg", "tip.z", "standard error", "singular value", "tendril fit "})
    EXPECT_TRUE(contains(page, part)) << part;
  for (const char* outside : {"<script", "http", "src=", "href=", "@import", "url("})
    EXPECT_FALSE(contains(page, outside)) << outside;
}

/// The frame is in all that is written, and changes neither what --write writes nor what --resume goes on from.
TEST(FitCommand, SaysWhereTheTrackerOrTheCameraIs) {
  const Folder folder;
  fill(folder);
  const std::string columns = R"("columns": {"tip.z": {"probe": "tip.z", "sigma": 1e-4}})";
  const auto plan = [&](const std::string& frame, const std::string& column) {
    std::string text = planText();
    text.replace(text.find(columns), columns.size(),
                 R"("columns": {"tip.x": {"probe": "tip.x", "sigma": 1e-4}, "tip.z": {"probe": ")" + column +
                     R"(", "sigma": 1e-4}}, "frame": )" + frame);
    return folder.write("plan.json", text);
  };
  // The data are the scene's own coordinates, so that the tracker is where the scene is.
  const std::vector<std::string> call = {
      "fit", plan(R"({"fit": ["scale"]})", "tip.z"), "--out", folder / "out", "--write", folder / "new.json"};
  const Output run = tendril(call);
  ASSERT_EQ(run.code, 0) << run.out << run.err;
  EXPECT_TRUE(contains(run.out, "  frame0.scale  1 +- ")) << run.out;
  const Json result = Json::parse(folder.read("out/fit.json"));
  const Json& tracker = result["experiments"][0]["frame"];
  EXPECT_EQ(tracker["kind"], "tracker");
  EXPECT_EQ(tracker["scale"], result["unknowns"][1]["value"]);
  EXPECT_NEAR(double(tracker["scale"]), 1, 1e-6);
  EXPECT_EQ(tracker["translation"], Json({0, 0, 0}));
  const std::string report = folder.read("out/report.html");
  for (const char* part : {"<h2>Frames</h2>", "rotation x</td><td>0</td><td>given", "fitted, frame0.scale"})
    EXPECT_TRUE(contains(report, part)) << part;
  EXPECT_NEAR(double(Json::parse(tendril({"run", folder / "new.json", "--json"}).out)["parameters"]["E"]) / 2e6, 1,
              1e-5);
  EXPECT_FALSE(contains(folder.read("new.json"), "frame"));
  std::vector<std::string> more = call;
  more.push_back("--resume");
  ASSERT_EQ(tendril(more).code, 0);
  EXPECT_EQ(Json::parse(folder.read("out/fit.json"))["unknowns"], result["unknowns"]);
  // A camera whose image has the plane's coordinates: the data's x and z.
  const std::string camera = R"({"plane": "xz", "points": [{"plane": [0, 0], "image": [0, 0]},
    {"plane": [1, 0], "image": [1, 0]}, {"plane": [1, 1], "image": [1, 1]}, {"plane": [0, 1], "image": [0, 1]}]})";
  ASSERT_EQ(tendril({"fit", plan(camera, "tip.y"), "--out", folder / "out"}).code, 0);
  const Json seen = Json::parse(folder.read("out/fit.json"));
  EXPECT_NEAR(double(seen["unknowns"][0]["value"]) / 2e6, 1, 1e-6);
  const Json& of = seen["experiments"][0]["frame"];
  EXPECT_EQ(of["kind"], "camera");
  EXPECT_EQ(of["homography"], Json({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}));
  EXPECT_LT(double(of["offPlane"]), 1e-12);
  EXPECT_TRUE(contains(folder.read("out/report.html"), "Homography"));
  // Priors count in chi squared and in the degrees of freedom: 8 of 9 unknowns have one.
  std::string clicked = camera;
  clicked.insert(1, R"("fit": true, "sigma": 1e-3, )");
  ASSERT_EQ(tendril({"fit", plan(clicked, "tip.y"), "--out", folder / "out"}).code, 0);
  const Json fitted = Json::parse(folder.read("out/fit.json"));
  EXPECT_EQ(int(fitted["degreesOfFreedom"]), int(fitted["numbers"]) - 1);
  EXPECT_EQ(fitted["unknowns"].size(), 9u);
  // The same, from a plane that the rod is not in: 0.1 m beside 1.4 m between the points, much more than 0.1 mm.
  std::string beside = camera;
  beside.replace(beside.find("\"xz\""), 4, R"({"origin": [0, 0.1, 0], "x": [1, 0, 0], "y": [0, 0, 1]})");
  const Output off = tendril({"fit", plan(beside, "tip.y"), "--out", folder / "out"});
  EXPECT_TRUE(contains(off.out, "points were up to 0.1 m off the camera's plane")) << off.out;
}

// The softest arm that sags no farther than allowed: the limit holds it, at one time.
TEST(FitCommand, FindsTheLeastOfAnObjective) {
  const Folder folder;
  folder.write("arm.json", sceneText());
  folder.write("plan.json", R"({"format": "tendril-fit/1", "scene": "arm.json", "starts": 2,
    "unknowns": {"E": {"min": 5e5, "max": 2e7}},
    "minimize": {"formula": "E/1e6 + 0*tip.x@end", "unit": "MPa"},
    "subject": [{"formula": "tip.z", "min": -0.02, "always": true, "unit": "m", "name": "sag"}]})");
  const Output run = tendril({"fit", folder / "plan.json", "--out", folder / "out", "--write", folder / "new.json"});
  ASSERT_EQ(run.code, 0) << run.out << run.err;
  EXPECT_TRUE(contains(run.out, "= -0.02 m, at least -0.02, multiplier -")) << run.out;
  const Json result = Json::parse(folder.read("out/fit.json"));
  EXPECT_EQ(result["status"], "done");
  EXPECT_EQ(result["allowed"], true);
  EXPECT_LT(double(result["stationarity"]), 1e-6);
  int active = 0;
  for (const Json& one : result["subject"]) active += bool(one["active"]);
  EXPECT_EQ(active, 1);
  EXPECT_EQ(result["starts"].size(), 2u);
  const Output again = tendril({"run", folder / "new.json", "--out", folder / "again"});
  ASSERT_EQ(again.code, 0) << again.err;
  const std::string page = folder.read("out/report.html");
  for (const char* part : {"<svg", "sag @ ", "multiplier", "MPa per m", "Conditions of a minimum"})
    EXPECT_TRUE(contains(page, part)) << part;
  for (const char* outside : {"<script", "http", "src=", "href=", "@import", "url("})
    EXPECT_FALSE(contains(page, outside)) << outside;
  // All starts are over: nothing is left to search.
  const Output resumed = tendril({"fit", folder / "plan.json", "--out", folder / "out", "--resume"});
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_EQ(Json::parse(folder.read("out/fit.json"))["starts"], result["starts"]);
}

TEST(FitCommand, NumbersDoNotDependOnTheJobs) {
  const Folder folder;
  fill(folder, R"(, "starts": 3)");
  Json one = Json::parse(tendril({"fit", folder / "plan.json", "--jobs", "1", "--json"}).out),
       four = Json::parse(tendril({"fit", folder / "plan.json", "--jobs", "4", "--json"}).out);
  for (Json* result : {&one, &four}) result->erase("seconds"), result->erase("command");
  EXPECT_EQ(one, four);
}

TEST(FitCommand, AWrongPlanRunsNothingAndWritesNothing) {
  const Folder folder;
  fill(folder);
  const std::string plan = folder.write("bad.json", planText(R"(, "stars": 2)"));
  const Output run = tendril({"fit", plan, "--out", folder / "out"});
  EXPECT_EQ(run.code, 2);
  EXPECT_TRUE(contains(run.err, "bad.json:2:")) << run.err;
  EXPECT_TRUE(contains(run.err, "did you mean \"starts\"?")) << run.err;
  EXPECT_FALSE(folder.has("out"));
  const Output replaced = tendril({"fit", folder / "plan.json", "--write", folder / "plan.json"});
  EXPECT_EQ(replaced.code, 2);
  EXPECT_TRUE(contains(replaced.err, "--write would replace")) << replaced.err;
  EXPECT_EQ(tendril({"fit", folder / "plan.json", "--resume"}).code, 2);
  EXPECT_EQ(tendril({"fit", folder / "plan.json", "--jobs", "0.5"}).code, 2);
  EXPECT_EQ(tendril({"fit", folder / "none.json"}).code, 2);
}

/// After the search the exit code would be 3, with the result.
TEST(FitCommand, WhereTheSceneCannotBeWrittenIsSaidBeforeTheSearch) {
  const Folder folder;
  fill(folder);
  for (const std::string& path : {folder / "none/new.json", folder / "truth"}) {
    const Output run = tendril({"fit", folder / "plan.json", "--write", path});
    EXPECT_EQ(run.code, 2) << path;
    EXPECT_TRUE(contains(run.err, "cannot write " + path)) << run.err;
    EXPECT_EQ(run.out, "") << "nothing was found yet";
  }
  // A folder that the call makes itself is there in time.
  folder.write("plan.json", planText());
  const Output run =
      tendril({"fit", folder / "plan.json", "--out", folder / "out", "--write", folder / "out/new.json"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(folder.list("out"), (std::vector<std::string>{"fit.json", "new.json", "report.html"}));
}

/// A series' knots that make a spline are written as what was run.
TEST(FitCommand, WritesASplineAsItWasRun) {
  const Folder folder;
  std::string scene = sceneText();
  scene.replace(scene.find("\"rods\""), 0,
                R"("series": {"pull": {"time": [0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3], "value": [9, 9, 9, 9, 9, 9, 9]}},
  )");
  scene.replace(scene.find("\"=-g\""), 5, "\"=-pull(t)\"");
  folder.write("arm.json", scene);
  std::string other = scene;
  other.replace(other.find("[9, 9"), 21, "[4, 6, 9, 12, 10, 7, 5]");
  const Output truth = tendril({"run", folder.write("other.json", other), "--out", folder / "truth"});
  ASSERT_EQ(truth.code, 0) << truth.err;
  folder.write("arm.csv", folder.read("truth/probes.csv"));
  folder.write("plan.json", R"({"format": "tendril-fit/1", "scene": "arm.json",
    "unknowns": {"weight": {"series": "pull", "knots": 4, "spline": true, "min": 0, "max": 30}},
    "experiments": [{"data": {"csv": "arm.csv", "columns": {"tip.z": {"probe": "tip.z", "sigma": 1e-4}}}}]})");
  const Output fit = tendril({"fit", folder / "plan.json", "--out", folder / "out", "--write", folder / "new.json"});
  ASSERT_EQ(fit.code, 0) << fit.err;
  const Json column = Json::parse(folder.read("out/fit.json"))["experiments"][0]["columns"]["tip.z"];
  const Output again = tendril({"run", folder / "new.json", "--out", folder / "again"});
  ASSERT_EQ(again.code, 0) << again.err;
  const std::string table = folder.read("again/probes.csv");
  std::istringstream lines(table);
  std::string line;
  std::getline(lines, line);
  ASSERT_EQ(line, "t,tip.x,tip.y,tip.z");
  std::size_t row = 0;
  for (; std::getline(lines, line); ++row)
    EXPECT_NEAR(std::stod(line.substr(line.rfind(',') + 1)), double(column["model"][row]), 1e-12) << row;
  EXPECT_EQ(row, column["model"].size());
}

TEST(FitCommand, StoppedItWritesTheBestSoFarAndGoesOnFromIt) {
  const Folder folder;
  fill(folder, R"(, "starts": 1000)");
  const std::vector<std::string> call = {"fit", folder / "plan.json", "--out", folder / "out"};
  const Output stopped = tendril(call, "", 1.5);
  ASSERT_EQ(stopped.code, 130) << stopped.err;
  const Json first = Json::parse(folder.read("out/fit.json"));
  EXPECT_EQ(first["status"], "stopped");
  ASSERT_GE(first["starts"].size(), 1u);
  EXPECT_NEAR(double(first["unknowns"][0]["value"]) / 2e6, 1, 1e-3);
  EXPECT_TRUE(contains(folder.read("out/report.html"), "the best so far"));
  std::vector<std::string> more = call;
  more.push_back("--resume");
  ASSERT_EQ(tendril(more, "", 1.5).code, 130);
  const Json after = Json::parse(folder.read("out/fit.json"));
  EXPECT_GT(after["starts"].size(), first["starts"].size());
  EXPECT_EQ(after["starts"][0], first["starts"][0]);
  folder.write("plan.json", planText());
  const Output other = tendril(more);
  EXPECT_EQ(other.code, 2);
  EXPECT_TRUE(contains(other.err, "of another plan, scene or data")) << other.err;
}

TEST(FitCommand, ARunThatGivesUpEverywhereIsExitCodeThree) {
  const Folder folder;
  fill(folder);
  std::string scene = sceneText();
  scene.replace(scene.find("\"=-g\""), 5, "\"=-g*sqrt(0.055 - t)\"");
  folder.write("arm.json", scene);
  const Output run = tendril({"fit", folder / "plan.json", "--out", folder / "out"});
  EXPECT_EQ(run.code, 3) << run.out << run.err;
  EXPECT_TRUE(contains(run.err, "gave up")) << run.err;
}

}  // namespace cli_fit_test
}  // namespace tendril::test
