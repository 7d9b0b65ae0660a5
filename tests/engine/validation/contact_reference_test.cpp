// Contact against trajectories that other programs computed, where their steps were solved to the end: the earthworm
// over its whole five seconds, the finger with and without its ball, the snake, the dropped rod. What does not need
// their numbers is in contact_planar_test.cpp.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "engine/reference_files.h"
#include "engine/simulation/run_scene.h"
#include "engine/validation/planar_cases.h"
#include "engine/validation/statics_run.h"

namespace tendril {
namespace contact_reference_test {

using namespace test;

using Row = std::map<std::string, double>;

// Rows by the names of a header, after lines of comment.
std::vector<Row> reference(const std::string& name) {
  std::ifstream file = referenceFile("mat-dismech/" + name);
  std::vector<Row> rows;
  std::vector<std::string> names;
  std::string line;
  while (std::getline(file, line)) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream in(line);
    std::string cell;
    if (names.empty()) {
      while (std::getline(in, cell, ',')) names.push_back(cell);
      continue;
    }
    Row row;
    for (std::size_t i = 0; std::getline(in, cell, ','); ++i) row[names.at(i)] = std::stod(cell);
    rows.push_back(row);
  }
  return rows;
}

// Steps to the time of a row; false for a row between two steps.
bool reach(Simulation& sim, double t) {
  while (sim.time() < t - 1e-6 * sim.stepSize()) sim.step();
  return std::abs(sim.time() - t) < 1e-4 * sim.stepSize();
}

// The published clock adds up 0.01 s, so that round-off makes a first stroke of 11 steps, another of 9; rest lengths
// change by 1 mm before every step. Written as a table, this is that schedule.
std::string earthwormByTheirClock() {
  std::string times = "0", lengths = "[1, 1]";
  double first = 0.05, second = 0.05, clock = 0;
  for (int step = 1; step <= 500; ++step) {
    const double phase = std::fmod(clock, 0.3);
    if (phase < 0.1) {
      first -= 1e-3;
    } else if (phase < 0.2) {
      first += 1e-3, second -= 1e-3;
    } else {
      second += 1e-3;
    }
    clock += 0.01;
    times += ", " + digits(step / 100.0);
    lengths += ", [" + digits(first / 0.05) + ", " + digits(second / 0.05) + "]";
  }
  const std::string scene = sceneFile("earthworm");
  const auto from = scene.find("\"actuation\""), to = scene.find('\n', from);
  return scene.substr(0, from) + "\"actuation\": [{\"rod\": \"worm\", \"table\": {\"time\": [" + times +
         "], \"stretch\": [" + lengths + "]}}]," + scene.substr(to);
}

TEST(ContactReference, TheEarthwormCrawlsAsPublishedForFiveSeconds) {
  const std::pair<const char*, double> cases[] = {{"caterpillar_friction1_tight1.csv", 0.25},
                                                  {"caterpillar_friction0_tight1.csv", 0}};
  for (const auto& [file, mu] : cases) {
    const auto rows = reference(file);
    Simulation sim(earthwormByTheirClock(), {{"mu", mu}});
    double worst = 0;
    int met = 0;
    for (const Row& row : rows) {
      if (!reach(sim, row.at("t"))) continue;
      ++met;
      const char* const nodes[][2] = {{"tail", "1"}, {"foot", "2"}, {"head", "3"}};
      for (const auto& [probe, node] : nodes) {
        const Vec3 theirs(row.at(std::string("x") + node), row.at(std::string("y") + node),
                          row.at(std::string("z") + node));
        worst = std::max(worst, (vectorColumn(sim, probe) - theirs).norm());
      }
    }
    EXPECT_GT(met, 200) << file;
    EXPECT_LT(worst, 1e-8) << file;  // it comes 18 cm; the task is 1e-4
  }
}

// Largest distance of nodes 13, 25, 37 and 49 from the rows.
template <class Place>
double fingerDistance(const Row& row, const Place& place) {
  double worst = 0;
  for (const int node : {13, 25, 37, 49}) {
    const auto [x, z] = place(node - 1);
    worst = std::max(worst, std::hypot(x - row.at("x" + std::to_string(node)), z - row.at("z" + std::to_string(node))));
  }
  return worst;
}

TEST(ContactReference, TheFingerWithoutABallClosesAsPublished) {
  const auto rows = reference("gripping_nocontact_tight.csv");
  Simulation sim(fingerScene(), {{"ball", 0}});
  double worst = 0;
  for (const Row& row : rows) {
    ASSERT_TRUE(reach(sim, row.at("t")));
    worst = std::max(worst, fingerDistance(row, [&](int node) { return fingerNode(sim, node); }));
  }
  EXPECT_EQ(rows.size(), 100u);
  EXPECT_LT(worst, 1e-8);
}

// As published, a step ends after one or two updates, which leaves the tip up to 10 mm from where the same equations
// put it, 2.8 mm at the end. The second solver shows that nothing but the end of the iterations is behind this: stopped
// by the published rule it follows the published run within 1e-5 m; run to the end it agrees with Tendril
// (contact_planar_test).
TEST(ContactReference, TheFingerWithItsBallIsThePublishedOneButForItsUnfinishedIterations) {
  for (const bool ball : {true, false}) {
    const auto rows = reference(ball ? "gripping_sphere_shipped.csv" : "gripping_nocontact_shipped.csv");
    PlanarFinger finger(ball);
    Simulation sim(fingerScene(), {{"ball", ball ? 1 : 0}});
    double second = 0, ours = 0, atEnd = 0;
    for (const Row& row : rows) {
      finger.step(publishedRule);
      ASSERT_TRUE(reach(sim, row.at("t")));
      second = std::max(
          second, fingerDistance(row, [&](int node) { return std::pair(finger.rod.x[node], finger.rod.y[node]); }));
      atEnd = fingerDistance(row, [&](int node) { return fingerNode(sim, node); });
      ours = std::max(ours, atEnd);
    }
    EXPECT_LT(second, 1e-5) << ball;
    EXPECT_LT(ours, 0.0105) << ball;
    EXPECT_LT(atEnd, 6e-3) << ball;
  }
}

TEST(ContactReference, TheSecondSolverSwimsAsPublished) {
  const auto rows = reference("snake_tight_implicit_drag_shapes.csv");
  PlanarSnake snake(40);
  double worst = 0;
  for (const int step : {100, 500, 1000}) {
    while (snake.steps < step) snake.step();
    for (const Row& row : rows) {
      const int node = static_cast<int>(row.at("node")) - 1;
      const std::string at = std::to_string(step);
      worst = std::max(worst, std::hypot(snake.rod.x[node] - row.at("x_" + at), snake.rod.y[node] - row.at("y_" + at)));
    }
  }
  EXPECT_EQ(rows.size(), 41u);
  EXPECT_LT(worst, 1e-8);
}

// 2 MPa: the fall, the impact after 0.1 s, the rebound and the second fall and rebound, at every row of their file.
TEST_PUBLISHED(ContactReference, TheDroppedRodFallsAndReboundsAsPublished) {
  const auto rows = reference("rodContact_E2e6_authors.csv");
  Simulation sim(sceneFile("rod-drop"));
  double worstHeight = 0, worstPlace = 0, top = -1, theirTop = -1;
  int met = 0;
  for (const Row& row : rows) {
    const double t = row.at("t");
    if (t > 0.45) break;
    if (!reach(sim, t)) continue;
    ++met;
    const Vec3 low = vectorColumn(sim, "low");
    worstHeight = std::max(worstHeight, std::abs(low.z() - row.at("z")));
    worstPlace = std::max(worstPlace, std::hypot(low.x() - row.at("x"), low.y() - row.at("y")));
    if (t > 0.15 && t < 0.25) top = std::max(top, low.z()), theirTop = std::max(theirTop, row.at("z"));
  }
  EXPECT_GT(met, 70);
  EXPECT_LT(worstHeight, 1e-3 * 0.05);  // of the fall
  EXPECT_LT(worstPlace, 2e-4);
  EXPECT_NEAR(top + 0.05, theirTop + 0.05, 2e-3 * 0.05);
}

}  // namespace contact_reference_test
}  // namespace tendril
