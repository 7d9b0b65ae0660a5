// Growth at the tip: old material stays put, pairs appear and vanish, and the robot does not depend on how finely it is
// cut, alone or past obstacles.
#include "engine/vines/chains.h"

namespace tip_growth_test {

using namespace tendril;
using namespace tendril::test;
using Site = vines::Parameters::GrowthSite;

vines::Parameters tube(int bodies, Site site) {
  vines::Parameters p = vines::Parameters::tube(bodies, 0.4);
  p.massPerLength = 0.05, p.bendingStiffness = 0.02, p.growthSite = site, p.bendingDamping = 1e-3;
  return p;
}

TEST(VineTip, OldMaterialStaysPutAndNewPairsAppear) {
  VineRun run(tube(20, Site::tip));
  run.actuation.growth = 0.1;
  const std::vector<double> start = run.chain.q;
  run.until(3.9);
  EXPECT_NEAR(run.chain.tip().x(), 0.79, 1e-9);
  EXPECT_EQ(run.chain.pairs(), 19);  // 0.04 m each, the last one growing
  for (int k = 0; k < 3 * 19; ++k) EXPECT_NEAR(run.chain.q[k], start[k], 1e-12) << k;
  for (int k = 0; k < 3 * (run.chain.bodies() - 1); ++k) EXPECT_NEAR(run.chain.v[k], 0, 1e-12);
  EXPECT_NEAR(run.chain.tipVelocity().x(), 0.1, 1e-12);
  VineRun shared(tube(20, Site::shared));
  shared.actuation.growth = 0.1;
  shared.until(4);
  EXPECT_NEAR(shared.chain.tip().x(), 0.8, 1e-9);
  EXPECT_GT(shared.chain.q[0], 2 * start[0] * 0.4) << "shared growth carries old material along";
}

// Bent and grown past a circle: far from the tip nothing moves once the tube has passed.
TEST(VineTip, NodesFarFromTheTipDoNotMove) {
  VineRun run(tube(20, Site::tip));
  run.actuation.growth = 0.1;
  run.dt = 0.005;
  run.shapes = {vines::PlanarShape::circle(Vec2(0.47, 0.035), 0.06)};
  run.until(0.2);
  std::vector<Vec2> before;
  for (int i = 0; i <= 5; ++i) before.push_back(run.chain.node(i));
  run.until(6);
  EXPECT_GT(run.chain.pairs(), 22);
  // The bend at the circle turns the tube's start as an elastic line does, by millimeters; along itself nothing moves.
  for (int i = 0; i <= 5; ++i) EXPECT_NEAR(run.chain.node(i).x(), before[i].x(), 3e-3) << i;
  double along = 0;
  for (int i = 0; i < 9; ++i) along = std::max(along, std::fabs(run.chain.pairLength(i) - 0.04));
  EXPECT_LT(along, 1e-6);
}

TEST(VineTip, SplittingKeepsPlaceLengthAndSpeed) {
  vines::Parameters p = tube(8, Site::tip);
  vines::Chain chain(p);
  chain.target.back() = 2 * p.halfLength + p.pairLength() + 0.001;
  bendTo(chain, {0.1, 0.3, 0.2, 0.5});
  for (int b = 0; b < 8; ++b) chain.v[3 * b + 2] = 0.3;
  const Vec2 tip = chain.tip();
  const double length = chain.length();
  ASSERT_TRUE(chain.adaptTip());
  EXPECT_EQ(chain.bodies(), 10);
  EXPECT_NEAR((chain.tip() - tip).norm(), 0, 1e-15);
  EXPECT_NEAR(chain.length(), length, 1e-15);
  for (int i = 0; i < chain.pairs(); ++i) EXPECT_NEAR(chain.reach(i), chain.target[i], 1e-14);
  EXPECT_FALSE(chain.adaptTip());
  // Joints of the new pairs hold exactly.
  for (int i = 3; i < 5; ++i) EXPECT_NEAR((chain.position(2 * i) - chain.node(i)).norm(), p.halfLength, 1e-14);
}

TEST(VineTip, RetractsPairByPairAndKeepsTheLast) {
  VineRun run(tube(20, Site::tip));
  run.actuation.growth = -0.1;
  for (int k = 0; k < 350; ++k) {
    const double length = run.chain.length();
    ASSERT_TRUE(run.advance()) << k << " status " << int(run.report.status);
    EXPECT_NEAR(run.chain.length(), length - 0.001, 1e-9) << k;
  }
  EXPECT_EQ(run.chain.pairs(), 2);
  EXPECT_NEAR(run.chain.tip().x(), 0.05, 1e-9);
  for (int k = 0; k < 60; ++k) ASSERT_TRUE(run.advance()) << k;
  EXPECT_EQ(run.chain.pairs(), 1);
  EXPECT_NEAR(run.chain.length(), 0.004, 1e-9) << "a tenth of a pair is left";
  EXPECT_NEAR(run.report.growthRate, 0, 1e-12);
  EXPECT_LT(run.worstResidual, 1e-12);
  run.actuation.growth = 0.1;
  run.time = 0;
  run.until(2);
  EXPECT_NEAR(run.chain.tip().x(), 0.204, 1e-9);
}

TEST(VineTip, RetractsOutOfABend) {
  vines::Parameters p = tube(20, Site::tip);
  p.stall = 5;
  VineRun run(p);
  run.shapes = {vines::PlanarShape::circle(Vec2(0.47, 0.035), 0.06),
                vines::PlanarShape::box(Vec2(0.6, -0.2), Vec2(0.2, 0.03), -0.2)};
  run.actuation.growth = 0.1;
  run.until(3);
  EXPECT_GT(run.chain.pairs(), 14);
  run.actuation.growth = -0.1;
  run.until(6);
  EXPECT_NEAR(run.chain.length(), 0.4, 0.02);
  run.until(9);
  EXPECT_NEAR(run.chain.length(), 0.1, 0.02);
}

// The same robot cut into 40 to 160 bodies takes the same path past a circle and along a wall.
TEST(VineInvariance, TipPathDoesNotDependOnTheNumberOfBodies) {
  for (const Site site : {Site::shared, Site::tip}) {
    std::vector<std::vector<Vec2>> paths;
    for (const int bodies : {40, 80, 160}) {
      VineRun run(tube(bodies, site));
      run.actuation.growth = 0.1;
      run.shapes = {vines::PlanarShape::circle(Vec2(0.47, 0.025), 0.06),
                    vines::PlanarShape::box(Vec2(0.75, -0.17), Vec2(0.1, 0.08))};
      std::vector<Vec2> path;
      for (int k = 0; k < 400; ++k) {
        ASSERT_TRUE(run.advance()) << bodies << " " << k;
        path.push_back(run.chain.tip());
      }
      EXPECT_LT(run.worstResidual, 1e-12);
      EXPECT_GT((path.back() - path.front()).norm(), 0.3);
      paths.push_back(path);
    }
    double worst = 0;
    for (const auto& path : paths)
      for (std::size_t k = 0; k < path.size(); ++k) worst = std::max(worst, (path[k] - paths.back()[k]).norm());
    EXPECT_LT(worst, 0.01 * 0.8) << int(site);
    std::printf("invariance, growth %s: %.2e m\n", site == Site::tip ? "at the tip" : "shared", worst);
  }
}

}  // namespace tip_growth_test
