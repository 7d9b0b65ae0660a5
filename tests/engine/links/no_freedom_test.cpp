// Linkages in which nothing can move: they stand where they are drawn, in statics, from an equilibrium and with loops.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/links/linkage_scene.h"

namespace tendril::links {
namespace no_freedom_test {

using namespace test;

const std::string weighed =
    R"("environment": {"gravity": [0, 0, -9.81]}, "loads": [{"force": [0, 0, -3], "at": "a:tip"}],
  "probes": {"tip": {"position": "a:tip"}, "energy": {"energy": "total"}})";
const std::string fixedLinks = "\"l\": {" + rod + "}, \"m\": {" + rod + "}";

std::string ringed(const std::string& solver, const std::string& joint, const std::string& x) {
  std::string text = test::scene(fixedLinks, solver, weighed);
  const std::string links = R"({"a": {)", loop = R"("loops": [{"from": "base", "offset": {"position": [)" + x +
                                                 R"(, 0, 0]}, "to": "m", "joint": {)" + joint + R"(: {}}}], )";
  return text.insert(text.find(links) + links.size(), loop);
}

const std::vector<std::string> solvers = {R"("mode": "static")", R"("mode": "static", "loadSteps": 3)",
                                          R"("start": "equilibrium", "dt": 0.01, "duration": 0.03)",
                                          R"("dt": 0.01, "duration": 0.03)",
                                          R"("integrator": "implicit-euler", "dt": 0.01, "duration": 0.03)"};

TEST(NoFreedom, ALinkageStandsWhereItIsDrawn) {
  for (const std::string& solver : solvers) {
    Simulation sim(test::scene(fixedLinks, solver, weighed));
    EXPECT_TRUE(runToEnd(sim).warnings.empty()) << solver;
    EXPECT_EQ(sim.degreesOfFreedom(), 0);
    EXPECT_DOUBLE_EQ(column(sim, "tip.x"), 2 * length) << solver;
    EXPECT_EQ(column(sim, "tip.z"), 0) << solver;
  }
}

TEST(NoFreedom, OverAnObstacleToo) {
  const std::string floor =
      weighed + R"(, "obstacles": {"floor": {"plane": {"point": [0, 0, -1], "normal": [0, 0, 1]}}})";
  for (const std::string& solver : solvers) {
    Simulation sim(test::scene(fixedLinks, solver, floor));
    runToEnd(sim);
    EXPECT_EQ(column(sim, "tip.z"), 0) << solver;
  }
}

TEST(NoFreedom, ALoopThatIsDrawnClosedIsRedundantAndOneThatIsOpenIsRefused) {
  for (const std::string& solver : solvers) {
    for (const char* joint : {R"("fixed")", R"("spherical")"}) {
      Simulation sim(ringed(solver, joint, "1"));
      runToEnd(sim);
      ASSERT_FALSE(sim.sceneWarnings().empty()) << solver;
      const std::string& last = sim.sceneWarnings().back().message;
      EXPECT_NE(last.find("redundant"), std::string::npos) << last;
      EXPECT_EQ(column(sim, "tip.z"), 0) << solver;
      EXPECT_THROW(Simulation(ringed(solver, joint, "1.1")), BadScene) << solver;
    }
  }
}

TEST(NoFreedom, BesideALinkageThatMoves) {
  const std::string both = test::scene(fixedLinks, R"("mode": "static")", weighed);
  std::string text = both;
  const std::string head = R"("linkages": {)";
  text.insert(
      text.find(head) + head.size(),
      R"("b": {"base": {"position": [0, 1, 0]}, "links": {"p": {"joint": {"revolute": {"axis": "y", "stiffness": 100}}, )" +
          rod + "}}}, ");
  Simulation sim(text);
  runToEnd(sim);
  EXPECT_EQ(column(sim, "tip.z"), 0);
  EXPECT_EQ(sim.degreesOfFreedom(), 1);
}

}  // namespace no_freedom_test
}  // namespace tendril::links
