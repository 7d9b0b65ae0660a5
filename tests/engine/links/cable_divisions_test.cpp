// A cable over some divisions of a soft link is the same as one through a link of its own that consists of these.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "engine/simulation/run_scene.h"

namespace tendril::links {
namespace cable_divisions_test {

using test::column;
using test::filled;
using test::runToEnd;
using test::vectorColumn;

std::string division(const std::string& length) {
  return R"({"length": )" + length +
         R"(, "section": {"circle": {"radius": 0.01}}, "strains": {"bendY": 1, "bendZ": 1, "twist": 1, "stretch": 0}})";
}

const std::string four[] = {division("0.05"), division("0.06"), division("0.07"), division("0.08")};

std::string scene(const std::string& links, const std::string& cables, const std::string& tip,
                  const std::string& solver) {
  return filled(
      R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "poisson": 0.4, "density": 1100, "damping": 300}},
    "linkages": {"a": {"links": {$links}, "cables": {"c": {"tension": "=2*smooth(t,0,0.1)", $cables}}}},
    "probes": {"tip": {"position": "a/$tip"}, "cable": {"cable": "a/c"}, "rate": {"cableRate": "a/c"}},
    "environment": {"gravity": [0, 0, -9.81]}, "solver": {$solver}})J",
      {{"links", links}, {"cables", cables}, {"tip", tip}, {"solver", solver}});
}

/// All four divisions in one link, or in three of which the cable runs through the middle one.
std::string whole(const std::string& cable, const std::string& solver, const std::string& span) {
  return scene(R"("l": {"body": {"soft": {"length": 0.26, "divisions": [)" + four[0] + "," + four[1] + "," + four[2] +
                   "," + four[3] + "]}}}",
               R"("through": "l", )" + span + cable, "l", solver);
}

std::string split(const std::string& cable, const std::string& solver) {
  return scene(R"("l1": {"body": {"soft": {"divisions": [)" + four[0] +
                   R"(], "length": 0.05}}}, "l2": {"body": {"soft": {"divisions": [)" + four[1] + "," + four[2] +
                   R"(], "length": 0.13}}}, "l3": {"body": {"soft": {"divisions": [)" + four[3] +
                   R"(], "length": 0.08}}})",
               R"("through": "l2", )" + cable, "l3", solver);
}

const std::vector<std::string> paths = {R"("path": {"constant": [0.004, 0.003]})",
                                        R"("path": {"oblique": {"from": [0.006, 0], "to": [0, 0.005]}})",
                                        R"("path": {"helical": {"radius": 0.006, "pitch": 0.09, "phase": 0.4}})",
                                        R"J("path": {"custom": {"y": "=0.006*cos(20*s)", "z": "=0.005*u^2"}})J",
                                        R"("outside": true, "path": {"constant": [0.012, 0]})"};
const std::string dynamic = R"("dt": 2e-3, "duration": 0.2, "tolerance": 1e-11)",
                  still = R"("mode": "static", "duration": 1, "tolerance": 1e-12)";

TEST(CableDivisions, AreTheSameAsALinkOfTheirOwn) {
  for (const std::string& solver : {dynamic, still}) {
    for (const std::string& path : paths) {
      Simulation one(whole(path, solver, R"("from": 2, "to": 3, )")), other(split(path, solver));
      EXPECT_NEAR(column(one, "cable"), column(other, "cable"), 1e-14) << path;
      EXPECT_GT(column(one, "cable"), 0.12) << path;
      runToEnd(one), runToEnd(other);
      EXPECT_LT((vectorColumn(one, "tip") - vectorColumn(other, "tip")).norm(), 1e-9) << path;
      EXPECT_NEAR(column(one, "cable"), column(other, "cable"), 1e-10) << path;
      EXPECT_NEAR(column(one, "rate"), column(other, "rate"), 1e-8) << path;
      if (solver == dynamic) {
        EXPECT_NEAR(one.energyBalance()->work, other.energyBalance()->work, 1e-10) << path;
      }
      const std::vector<float> drawn = one.snapshot().tendons, asOther = other.snapshot().tendons;
      ASSERT_EQ(drawn.size(), asOther.size());
      for (std::size_t i = 0; i < drawn.size(); ++i) EXPECT_NEAR(drawn[i], asOther[i], 1e-6) << path;
      // It does something, and not what it does over all.
      Simulation all(whole(path, solver, ""));
      runToEnd(all);
      EXPECT_GT((vectorColumn(one, "tip") - vectorColumn(all, "tip")).norm(), 1e-3) << path;
    }
  }
}

// All of the divisions, however they are named, are the whole link, to the last bit.
TEST(CableDivisions, AllOfThemAreTheWholeLink) {
  for (const std::string& path : paths) {
    Simulation plain(whole(path, dynamic, "")), named(whole(path, dynamic, R"("from": 1, "to": 4, )"));
    runToEnd(plain), runToEnd(named);
    EXPECT_EQ(vectorColumn(plain, "tip"), vectorColumn(named, "tip")) << path;
  }
}

// Of several links the first may be left where it begins, and the last where it ends.
TEST(CableDivisions, EndLongCables) {
  const std::string path = R"("path": {"oblique": {"from": [0.006, 0], "to": [0, 0.005]}})";
  const auto of = [](const std::string& list) { return R"("body": {"soft": {"divisions": [)" + list + "]}}"; };
  Simulation one(scene("\"l1\": {" + of(four[0] + "," + four[1]) + "}, \"l2\": {" + of(four[2] + "," + four[3]) + "}",
                       R"("through": ["l1", "l2"], "from": 2, "to": 1, )" + path, "l2", dynamic));
  Simulation other(split(path, dynamic));
  runToEnd(one), runToEnd(other);
  EXPECT_LT((vectorColumn(one, "tip") - vectorColumn(other, "tip")).norm(), 1e-8);
}

}  // namespace cable_divisions_test
}  // namespace tendril::links
