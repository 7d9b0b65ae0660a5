// `tendril gradient` from the outside: numbers that theory gives, times, files and wrong calls.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "engine/cli/program.h"

namespace tendril {
namespace gradient_test {

using nlohmann::json;
using test::Folder;
using test::Output;
using test::tendril;

const char* const cantilever = R"({"format": "tendril/1", "parameters": {
    "E": {"value": 1e9, "min": 1e8, "max": 1e10, "unit": "Pa"}, "P": 1e-4, "half": "=P/2"},
  "materials": {"m": {"youngs": "=E", "poisson": 0.3, "density": 1000}},
  "rods": {"a": {"section": {"circle": {"radius": 0.002}}, "segments": 20,
    "path": {"line": {"from": [0, 0, 0], "to": [0.3, 0, 0]}}}},
  "constraints": [{"clamp": "a:first"}], "loads": [{"force": [0, 0, "=-P"], "at": "a:last"}],
  "probes": {"tip": {"position": "a:last"}}, "solver": {$solver}})";

std::string scene(const std::string& solver) {
  std::string text = cantilever;
  return text.replace(text.find("$solver"), 7, solver);
}

// w = P L^3 / (3 E I) for little loads.
TEST(Gradient, OfACantileverIsThatOfItsFormula) {
  const Folder folder;
  const std::string file = folder.write("a.json", scene(R"("mode": "static")"));
  const Output out = tendril({"gradient", file, "--with", "E,P", "--of", "tip.z@end", "--json"});
  ASSERT_EQ(out.code, 0) << out.err;
  const json all = json::parse(out.out);
  const json& of = all.at("of").at(0);
  const double w = of.at("value");
  EXPECT_LT(w, -1e-5);
  EXPECT_NEAR(of.at("slopes").at(0), -w / 1e9, 1e-6 * std::abs(w) / 1e9);
  EXPECT_NEAR(of.at("slopes").at(1), w / 1e-4, 1e-6 * std::abs(w) / 1e-4);
  EXPECT_EQ(all.at("with").at(0).at("unit"), "Pa");
  EXPECT_TRUE(all.at("doubts").empty());
  const Output words = tendril({"gradient", file, "--with", "E"});
  EXPECT_EQ(words.code, 0);
  EXPECT_NE(words.out.find("tip.z at t = 1 s"), std::string::npos) << words.out;
  EXPECT_NE(words.out.find("per Pa   (1 % more: -1 %)"), std::string::npos) << words.out;
}

TEST(Gradient, AtTimesBetweenStepsIsLinearBetweenThem) {
  const Folder folder;
  const std::string file = folder.write("a.json", scene(R"("dt": 0.01, "duration": 0.05)"));
  const Output out = tendril({"gradient", file, "--with", "P", "--of", "tip.z@0.02,tip.z@0.025,tip.z@0.03,tip.z",
                              "--out", folder / "rows.csv", "--json"});
  ASSERT_EQ(out.code, 0) << out.err;
  const json of = json::parse(out.out).at("of");
  const auto slope = [&](std::size_t i) { return of.at(i).at("slopes").at(0).get<double>(); };
  EXPECT_NEAR(slope(1), 0.5 * (slope(0) + slope(2)), 1e-12 * std::abs(slope(1)));
  EXPECT_NEAR(of.at(3).at("time").get<double>(), 0.05, 1e-12);
  const std::string rows = folder.read("rows.csv");
  EXPECT_EQ(rows.substr(0, rows.find('\n')), "t,d(tip.x)/d(P),d(tip.y)/d(P),d(tip.z)/d(P)");
  EXPECT_EQ(std::count(rows.begin(), rows.end(), '\n'), 7);
}

TEST(Gradient, ReplacesNoSceneAndSaysWhatActsOnNothing) {
  const Folder folder;
  std::string text = scene(R"("mode": "static")");
  text.replace(text.find("\"half\""), 6, "\"idle\": 2, \"half\"");
  const std::string file = folder.write("a.json", text);
  const Output replaced = tendril({"gradient", file, "--with", "E", "--out", file});
  EXPECT_EQ(replaced.code, 2);
  EXPECT_NE(replaced.err.find("would replace"), std::string::npos) << replaced.err;
  EXPECT_EQ(folder.read("a.json"), text);
  const Output idle = tendril({"gradient", file, "--with", "E,idle", "--of", "tip.z@end"});
  EXPECT_EQ(idle.code, 0);
  EXPECT_NE(idle.err.find("nothing that is measured changes with \"idle\""), std::string::npos) << idle.err;
  EXPECT_EQ(idle.err.find("changes with \"E\""), std::string::npos) << idle.err;
}

TEST(Gradient, WrongCallsSayWhatToDo) {
  const Folder folder;
  const std::string file = folder.write("a.json", scene(R"("dt": 0.01, "duration": 0.05)"));
  const auto refused = [&](const std::vector<std::string>& more, const char* words) {
    std::vector<std::string> call = {"gradient", file};
    call.insert(call.end(), more.begin(), more.end());
    const Output out = tendril(call);
    EXPECT_EQ(out.code, 2);
    EXPECT_NE(out.err.find(words), std::string::npos) << out.err;
    EXPECT_EQ(out.out, "");
  };
  refused({}, "give --with A,B");
  refused({"--with", "F"}, "no parameter \"F\" to differentiate by: the scene has E, P");
  refused({"--with", "half"}, "is a formula of others");
  refused({"--with", "P", "--of", "top.z"}, "no probe column \"top.z\"; the scene has tip.x, tip.y, tip.z");
  refused({"--with", "P", "--of", "tip.z@1"}, "the run ends at 0.05 s");
  refused({"--with", "P", "--of", "tip.z@soon"}, "a time in seconds, or \"end\"");
}

}  // namespace gradient_test
}  // namespace tendril
