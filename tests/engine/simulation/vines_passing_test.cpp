// Nothing passes through a vine and no vine through anything: thin posts under a whipping tube, obstacles that move far
// in a step, levers and jaws that wedge it. Sides are told by winding, which the engine does not look at.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "engine/simulation/run_scene.h"
#include "vines/step/planar_shapes.h"

namespace tendril::test {
namespace vines_passing_test {

std::string scene(const std::string& vine, const std::string& obstacles, const std::string& solver,
                  const std::string& more = "") {
  return R"({"format": "tendril/1", "vines": {"v": {"massPerLength": 0.05, )" + vine + R"(}}, "obstacles": {)" +
         obstacles + R"(}, "solver": {)" + solver +
         R"(}, "probes": {"deep": {"contact": "penetration"}, "force": {"contact": "force"},
    "E": {"energy": "total"}, "length": {"length": "v"}, "push": {"growthForce": "v"}})" +
         (more.empty() ? "" : ", " + more) + "}";
}

/// Angle [rad] that the axis winds about c from the base to the tip: it changes by a whole turn where c is passed.
double windingAbout(const Vec2& c, const BodyState& vine) {
  double sum = 0;
  for (std::size_t i = 3; i < vine.nodes.size(); i += 3) {
    const Vec2 x = Vec2(vine.nodes[i - 3], vine.nodes[i - 2]) - c, y = Vec2(vine.nodes[i], vine.nodes[i + 1]) - c;
    sum += std::atan2(x.x() * y.y() - x.y() * y.x(), x.dot(y));
  }
  return sum;
}

/// A run to its end, or until it gives up, with an eye on the obstacle that starts at `center` and moves by `velocity`.
struct Passing {
  int changes = 0;  ///< of sides
  double deepest = 0, mostEnergy = 0, mostForce = 0;
  std::string end;  ///< why it gave up
};

Passing runAbout(const std::string& text, const Vec2& center, const Vec2& velocity = Vec2::Zero()) {
  Simulation sim(text);
  Passing out;
  double before = windingAbout(center, sim.bodies()[0]);
  try {
    while (!sim.finished()) {
      sim.step();
      const double now = windingAbout(center + sim.time() * velocity, sim.bodies()[0]);
      out.changes += std::fabs(now - before) > pi;
      before = now;
      out.deepest = std::max(out.deepest, column(sim, "deep"));
      out.mostEnergy = std::max(out.mostEnergy, column(sim, "E"));
      out.mostForce = std::max(out.mostForce, column(sim, "force"));
    }
  } catch (const GaveUp& error) {
    out.end = error.what();
  }
  return out;
}

// A tube of 2 mm whipped about a post of 2 mm by a force of 2 N on its tip: tens of radii in a step.
TEST(VinesPassing, AWhippedTubeStaysOnItsSideOfAThinPost) {
  const std::string whip = R"x("loads": [{"force": ["=2*cos(7*t)", "=2*sin(5*t)", 0], "at": "v:tip"}])x";
  const struct {
    const char *bodies, *growth, *dt;
    Vec2 post;
  } cases[] = {{"10", R"("growth": 0, "tip": false)", "0.02", {0.05843830514772955, 0.06420173521640293}},
               {"4", R"("growth": 0.3, "tip": true)", "0.01", {0.25858169753232324, -0.07628589579070316}},
               {"10", R"("growth": 0.1, "tip": true)", "0.005", {0.25502505198468467, 0.10899194920494101}}};
  for (const auto& c : cases) {
    const Passing run =
        runAbout(scene(R"("length": 0.3, "diameter": 0.002, "bendingStiffness": 0.001, "stall": 5, "bodies": )" +
                           std::string(c.bodies) + ", " + c.growth,
                       R"("post": {"sphere": {"radius": 0.002, "center": [)" + digits(c.post.x()) + ", " +
                           digits(c.post.y()) + ", 0]}}",
                       R"("duration": 1, "dt": )" + std::string(c.dt), whip),
                 c.post);
    EXPECT_EQ(run.end, "");
    EXPECT_EQ(run.changes, 0) << c.dt;
    EXPECT_GT(run.mostForce, 0.1) << c.dt;
    EXPECT_LT(run.deepest, 1.1 * 4e-4 * 0.002) << c.dt;
  }
}

// Five times its own size in a step, or five radii of the tube.
TEST(VinesPassing, AFastObstacleTakesTheTubeAlong) {
  const std::string tube =
      R"("bodies": 40, "length": 0.4, "bendingStiffness": 0.02, "bendingDamping": 0.002, "diameter": )";
  const Passing thin =
      runAbout(scene(tube + "0.002",
                     R"("ball": {"sphere": {"center": [0.25, 0.305, 0], "radius": 0.001}, "velocity": [0, -1, 0]})",
                     R"("dt": 0.01, "duration": 0.5)"),
               {0.25, 0.305}, {0, -1});
  EXPECT_EQ(thin.changes, 0);
  EXPECT_GT(thin.mostForce, 0);
  const Passing thick =
      runAbout(scene(tube + "0.02",
                     R"("ball": {"sphere": {"center": [0.25, 0.311, 0], "radius": 0.015}, "velocity": [0, -5.6, 0]})",
                     R"("dt": 0.01, "duration": 0.1)"),
               {0.25, 0.311}, {0, -5.6});
  EXPECT_EQ(thick.changes, 0);
  EXPECT_GT(thick.mostForce, 0);
  const Passing box = runAbout(
      scene(tube + "0.02",
            R"("box": {"box": {"center": [0.25, 0.25, 0], "half": [0.02, 0.02, 0.02]}, "velocity": [0, -10, 0]})",
            R"("dt": 0.01, "duration": 0.05)"),
      {0.25, 0.25}, {0, -10});
  EXPECT_EQ(box.changes, 0);
  EXPECT_GT(box.mostForce, 0);
}

// A thin wall that would go over base, tube and tip at once ends the run; one that pushes what can give way does not.
TEST(VinesPassing, AWallDoesNotJumpTheWholeRobot) {
  const Passing run = runAbout(
      scene(
          R"("bodies": 20, "length": 0.4, "diameter": 0.02, "bendingStiffness": 0.02, "bendingDamping": 0.002)",
          R"x("wall": {"box": {"center": [0.45, 0, 0], "half": [0.001, 0.1, 0.1], "rotation": {"axis": [0, 0, 1], "angle": 0.4}},
                                         "displacement": ["=-0.6*(t > 0.0999)", 0, 0]})x",
          R"("dt": 0.01, "duration": 0.3)"),
      {10, 10});
  EXPECT_NE(run.end.find("obstacle \"wall\""), std::string::npos) << run.end;
}

// A rising ball jams the tube under a post: there is an end to that, and no energy from nothing before it.
TEST(VinesPassing, ALeverThatWedgesTheTubeEndsTheRun) {
  const Passing run = runAbout(scene(R"("bodies": 10, "length": 0.3, "diameter": 0.02, "bendingStiffness": 0.02)",
                                     R"("post": {"sphere": {"center": [0.22, 0.0205, 0], "radius": 0.01}},
                                        "lever": {"sphere": {"center": [0.26, -0.045, 0], "radius": 0.03}, "velocity": [0, 0.1, 0]})",
                                     R"("dt": 0.01, "duration": 0.3)"),
                               {0.22, 0.0205});
  EXPECT_NE(run.end.find("of vine \"v\""), std::string::npos) << run.end;
  EXPECT_EQ(run.changes, 0);
  EXPECT_LT(run.deepest, 1.2 * 4e-4 * 0.02);
  EXPECT_LT(run.mostEnergy, 1);  // it was 835 J
}

// Overlaps that the tolerance allows in every one of thousands of short steps do not add up.
TEST(VinesPassing, ManyShortStepsDoNotPressItIn) {
  const Passing run = runAbout(
      scene(
          R"("bodies": 10, "length": 0.3, "diameter": 0.02, "bendingStiffness": 0.5, "growth": 0.3, "stall": 5, "tip": true)",
          R"x("a": {"sphere": {"center": [0.3132792700040799, 0.08208135678642978, 0], "radius": 0.03}, "displacement": ["=-0.0615791*sin(25*t)", "=-0.0510688*sin(25*t)", 0]},
               "b": {"sphere": {"center": [0.24578207530274299, -0.08834047216063254, 0], "radius": 0.01}, "displacement": ["=0.0241447*sin(3.75*t)", "=0.0762695*sin(3.75*t)", 0]},
               "c": {"sphere": {"center": [0.2829869623191478, 0.1198338659561316, 0], "radius": 0.01}, "displacement": ["=0.0556516*sin(0.625*t)", "=-0.0574709*sin(0.625*t)", 0]},
               "d": {"sphere": {"center": [0.23103268031682717, -0.10090873422540225, 0], "radius": 0.002}, "displacement": ["=-0.07682*sin(1.83039*t)", "=0.0223312*sin(1.83039*t)", 0]})x",
          R"("dt": 0.005, "duration": 1)"),
      {10, 10});
  EXPECT_LT(run.deepest, 1.2 * 4e-4 * 0.02);
  EXPECT_GT(run.mostForce, 1);
}

}  // namespace vines_passing_test
}  // namespace tendril::test
