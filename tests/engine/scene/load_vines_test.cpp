// Vines as the loader sees them: growth by the solver's steps, starts that tear bodies apart, values that leave their
// range, and what does nothing to them.
#include <cmath>

#include "bad_rows.h"
#include "text/words.h"

namespace tendril::scene {
namespace load_vines_test {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string solver(const std::string& members) { return R"("solver": {)" + members + "}"; }

TEST(LoadVines, GrowthIsHeldAgainstTheSolversSteps) {
  // A body is 20 mm long; the tip grows by 0.15 m/s.
  const std::string growth = R"("tip": true, "growth": 0.15)";
  EXPECT_TRUE(problemsOf(vineText(growth, solver(R"("dt": 0.13)"))).empty());
  const Problems refused = problemsOf(vineText(growth, solver(R"("dt": 0.14)")));
  ASSERT_EQ(refused.size(), 1u);
  EXPECT_EQ(refused[0].pointer, "/vines/v/growth");
  EXPECT_TRUE(has(refused[0].message, "a step of 0.14 s lengthens a pair by 21 mm, more than the 20 mm of a body"))
      << refused[0].message;
  // Steps shorter than the solver's default: 0.5 mm a step, where 0.01 s would bring 5 mm to bodies of 1 mm.
  const std::string fine =
      R"({"format": "tendril/1", "vines": {"v": {"bodies": 400, "length": 0.4, "diameter": 0.02, "massPerLength": 0.05,
    "growth": 0.5, "tip": true}}, "solver": {"dt": 0.001}})";
  EXPECT_EQ(listed(problemsOf(fine)), listed({}));
}

/// Four bodies of 0.1 m along x whose first pair turns by `turn` and whose second by `other`, about their pins; then
/// what one body does beside.
std::string moving(double turn, double other, int body = 0, int component = 0, double more = 0) {
  const double d = 0.05;
  std::string placements, velocities;
  for (int b = 0; b < 4; ++b) {
    const double x = (2 * b + 1) * d, pin = 4 * d;
    double rates[3] = {0, b < 2 ? turn * x : turn * pin + other * (x - pin), b < 2 ? turn : other};
    if (b == body) rates[component] += more;
    const std::string comma = b > 0 ? ", " : "";
    placements += comma + "[" + text::formatNumber(x) + ", 0, 0]";
    velocities += comma + "[" + text::formatNumber(rates[0]) + ", " + text::formatNumber(rates[1]) + ", " +
                  text::formatNumber(rates[2]) + "]";
  }
  return R"({"format": "tendril/1", "vines": {"v": {"bodies": 4, "length": 0.4, "diameter": 0.02, "mass": 0.01, "placements": [)" +
         placements + R"(], "velocities": [)" + velocities + "]}}}";
}

TEST(LoadVines, VelocitiesThatTearBodiesApartAreRefused) {
  EXPECT_EQ(listed(problemsOf(moving(2, -1))), listed({}));
  EXPECT_EQ(listed(problemsOf(moving(2, -1, 1, 2, 0.005))), listed({}));  // stored numbers are not exact
  const auto refusal = [](const std::string& text) {
    const Problems problems = problemsOf(text);
    return problems.size() == 1 ? problems[0].pointer + ": " + problems[0].message : listed(problems);
  };
  const std::string at = "/vines/v/velocities: ";
  EXPECT_EQ(
      refusal(moving(0, 0, 1, 2, 3)),
      at +
          "body 1 turns at 3 rad/s, and the one that it slides on at 0 rad/s; expected rates at which the bodies stay joined");
  EXPECT_TRUE(has(refusal(moving(0, 0, 0, 1, 0.2)), at + "body 0 leaves where the one before ends at 0.2 m/s"));
  EXPECT_TRUE(has(refusal(moving(2, 2, 2, 0, 0.5)), at + "body 2 leaves where the one before ends at 0.5 m/s"));
  EXPECT_TRUE(
      has(refusal(moving(1, 2, 3, 1, -0.4)), at + "body 3 leaves the one that it slides on sideways at 0.4 m/s"));
  // Along each other they may slide: so pairs grow. What hangs on them goes with them.
  EXPECT_EQ(listed(problemsOf(moving(0, 0, 3, 0, 0.5))), listed({}));
}

TEST(LoadVines, AStallForceStartsAboveZero) {
  const Problems refused = problemsOf(vineText(R"("growth": 0.1, "stall": "=10*t")"));
  ASSERT_EQ(refused.size(), 1u);
  EXPECT_EQ(refused[0].pointer, "/vines/v/stall");
  EXPECT_EQ(refused[0].message, "stall must be greater than 0 N, but it is 0 at t = 0");
  EXPECT_TRUE(problemsOf(vineText(R"("growth": 0.1, "stall": "=5 - 10*t")")).empty());  // told when the run comes there
}

TEST(LoadVines, TheMediumThatTheyDoNotFeelIsSaid) {
  const std::string medium =
      R"("environment": {"gravity": [0, -9.81, 0], "fluid": {"density": 1000, "velocity": [1, 0, 0]}, "buoyancy": true,
    "viscous": 5, "rft": {"tangential": 1, "normal": 2}, "drag": 0.5})";
  const std::string said = warningsOf(loaded(vineText("", medium)));
  for (const char* key : {"fluid", "buoyancy", "viscous", "rft", "drag"})
    EXPECT_TRUE(has(said, std::string("/environment/") + key + ": \"" + key +
                              "\" does not act on vine \"v\"; of the environment only \"gravity\" acts on vines"))
        << key << "\n"
        << said;
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 5) << said;
  EXPECT_EQ(warningsOf(loaded(vineText("", R"("environment": {"gravity": [0, 0, -9.81], "viscous": 0, "drag": 0})"))),
            "");
  // Beside a rod that feels it, too; without vines nothing is said.
  const std::string viscous = R"("environment": {"viscous": 5})";
  EXPECT_EQ(warningsOf(loaded(sceneText(viscous))), "");
  EXPECT_TRUE(has(warningsOf(loaded(
                      sceneText(viscous + R"(, "vines": {"v": {"length": 0.4, "diameter": 0.02, "massPerLength": 0.05},
    "w": {"length": 0.4, "diameter": 0.02, "massPerLength": 0.05, "base": [0, 1, 0]}})"))),
                  "/environment/viscous: \"viscous\" does not act on vines \"v\" and \"w\""));
}

TEST(LoadVines, ContactThatIsNotForThemIsSaid) {
  const std::string ball = R"("obstacles": {"ball": {"sphere": {"center": [0, 3, 0], "radius": 1}, "friction": 0.2)";
  EXPECT_EQ(warningsOf(loaded(vineText("", ball + R"(}}, "contact": {"friction": 0.3})"))), "");
  const std::string said = warningsOf(loaded(
      vineText("", ball + R"(, "stiffness": 100}}, "contact": {"self": true, "distance": 1e-3, "damping": 0.1})")));
  EXPECT_TRUE(has(said, "/contact/self: \"self\": true is for rods and shells")) << said;
  for (const char* place :
       {"/contact/distance: \"distance\"", "/contact/damping: \"damping\"", "/obstacles/ball/stiffness: \"stiffness\""})
    EXPECT_TRUE(has(said, std::string(place) + " has no effect: contact of vines is rigid")) << place << "\n" << said;
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 4) << said;
  // Without obstacles, too: vines do not touch themselves.
  EXPECT_TRUE(has(warningsOf(loaded(vineText("", R"("contact": {"self": true})"))),
                  "/contact/self: \"self\": true is for rods and shells"));
  EXPECT_FALSE(has(
      warningsOf(loaded(shellText(
          R"("thickness": 1e-3, "mesh": {"rectangle": {"corner": [0, 0, 0], "along": [0.1, 0, 0], "across": [0, 0.1, 0], "edge": 0.05}})",
          R"("contact": {"self": true}, "vines": {"v": {"length": 0.4, "diameter": 0.02, "massPerLength": 0.05}})"))),
      "/contact/self"));
}

TEST(LoadVines, SolverKeysThatAreNotForThemAreSaid) {
  const std::string settings = solver(
      R"("dt": 0.01, "integrator": "bdf2", "tolerance": 1e-9, "iterations": 20, "lineSearch": false, "start": "equilibrium")");
  const std::string said = warningsOf(loaded(vineText("", settings)));
  for (const char* key : {"integrator", "tolerance", "iterations", "lineSearch", "start"})
    EXPECT_TRUE(has(said, std::string("/solver/") + key + ": \"" + key + "\" has no effect on vines")) << key << "\n"
                                                                                                       << said;
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 5) << said;
  EXPECT_EQ(warningsOf(loaded(vineText("", solver(R"("dt": 0.01, "duration": 3)")))), "");
  EXPECT_FALSE(has(
      warningsOf(loaded(sceneText(
          R"("solver": {"integrator": "bdf2"}, "vines": {"v": {"length": 0.4, "diameter": 0.02, "massPerLength": 0.05}})"))),
      "/solver/integrator"));
}

TEST(LoadVines, ANameOfAnObstacleAndAPlaneForOthersAreSaid) {
  const Problems taken =
      problemsOf(vineText("", R"("obstacles": {"v": {"sphere": {"center": [0, 3, 0], "radius": 1}}})"));
  ASSERT_EQ(taken.size(), 1u);
  EXPECT_EQ(taken[0].pointer, "/obstacles/v");
  EXPECT_TRUE(has(taken[0].message, "\"v\" is the name of a vine already")) << taken[0].message;
  EXPECT_TRUE(has(warningsOf(loaded(vineText("", R"("constraints": [{"planar": "xz"}])"))),
                  "/constraints/0/planar: \"planar\" is for rods and shells"));
}

TEST(LoadVines, EnergiesThatTheyDoNotHaveAreSaid) {
  const std::string probes =
      R"("probes": {"a": {"energy": "membrane", "of": "v"}, "b": {"energy": "twist"}, "c": {"energy": "contact"}, "d": {"energy": "bend", "of": "v"},
    "e": {"energy": "total"}}, "obstacles": {"ball": {"sphere": {"center": [0, 3, 0], "radius": 1}}})";
  const std::string said = warningsOf(loaded(vineText("", probes)));
  for (const char* name : {"a", "b", "c"})
    EXPECT_TRUE(
        has(said, std::string("/probes/") + name + "/energy: this probe stays 0: vines have the energies \"kinetic\""))
        << said;
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 3) << said;
  // Of the whole scene, or of several bodies, others may have them.
  const std::string both =
      R"("vines": {"v": {"length": 0.4, "diameter": 0.02, "massPerLength": 0.05}}, "probes": {"a": {"energy": "twist"}, "b": {"energy": "twist", "of": "*"},
    "c": {"energy": "twist", "of": ["v"]}})";
  const std::string beside = warningsOf(loaded(sceneText(both)));
  EXPECT_FALSE(has(beside, "/probes/a"));
  EXPECT_FALSE(has(beside, "/probes/b"));
  EXPECT_TRUE(has(beside, "/probes/c/energy: this probe stays 0"));
}

}  // namespace load_vines_test
}  // namespace tendril::scene
