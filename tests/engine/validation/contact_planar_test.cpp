// Contact and swimming against a second solver that shares no code with the engine (planar_rod.h): the finger that
// grips a ball, and the snake on finer and finer meshes, where resistance at nodes and at edges must become the same.
#include <gtest/gtest.h>

#include <array>

#include "engine/validation/planar_cases.h"

namespace tendril {
namespace contact_planar_test {

using namespace test;

TEST(ContactPlanar, TheFingerGripsItsBallAsInTheSecondSolver) {
  PlanarFinger finger(true);
  Simulation sim(fingerScene());
  double worst = 0, grip = 0;
  while (!sim.finished()) {
    sim.step();
    finger.step(toTheEnd);
    for (const int node : {12, 24, 36, 48}) {
      const auto [x, z] = fingerNode(sim, node);
      worst = std::max(worst, std::hypot(x - finger.rod.x[node], z - finger.rod.y[node]));
    }
    grip = std::max(grip, column(sim, "grip"));
  }
  EXPECT_EQ(finger.steps, 100);
  EXPECT_GT(grip, 1e-5);
  EXPECT_LT(worst, 1e-7);
}

// Where head and tail are after ten seconds, in both: [x, y, x, y].
std::array<double, 4> ends(int edges, bool atNodes) {
  if (atNodes) {
    PlanarSnake snake(edges);
    while (snake.steps < 1000) snake.step();
    return {snake.rod.x.front(), snake.rod.y.front(), snake.rod.x.back(), snake.rod.y.back()};
  }
  Simulation sim(sceneFile("snake"), {{"segments", edges}, {"turn", PlanarSnake::turn(edges)}});
  runToEnd(sim);
  const Vec3 head = vectorColumn(sim, "head"), tail = vectorColumn(sim, "tail");
  return {head.x(), head.y(), tail.x(), tail.y()};
}

// An edge moves with the mean of its ends, so it resists a wave a little less than its two nodes. That is of the second
// order in the edge's length: 0.51 mm of a way of 26 cm on the published mesh, 0.13 mm and 0.034 mm on finer ones.
TEST(ContactPlanar, ResistanceAtEdgesAndAtNodesBecomeTheSame) {
  double before = 0, last = 0;
  for (const int edges : {40, 80, 160}) {
    const auto ours = ends(edges, false), theirs = ends(edges, true);
    last = 0;
    for (int i = 0; i < 4; ++i) last = std::max(last, std::abs(ours[i] - theirs[i]));
    if (before > 0) {
      EXPECT_NEAR(order(before, last), 2, 0.15) << edges;
    }
    before = last;
  }
  EXPECT_LT(last, 1e-4);
}

}  // namespace contact_planar_test
}  // namespace tendril
