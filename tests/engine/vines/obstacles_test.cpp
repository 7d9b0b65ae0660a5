// The chain among obstacles: stall, friction, moving and many obstacles, contradictions that are told, and clutters
// drawn at random through which nothing may pass.
#include "engine/simulation/run_scene.h"
#include "engine/vines/chains.h"
#include "geometry/random.h"

namespace obstacles_test {

using namespace tendril;
using namespace tendril::test;
using Site = vines::Parameters::GrowthSite;
using Status = vines::Report::Status;

vines::Parameters tube(int bodies) {
  vines::Parameters p = vines::Parameters::tube(bodies, 0.4);
  p.massPerLength = 0.05, p.bendingStiffness = 0.02, p.diameter = 0.024;
  return p;
}

std::vector<vines::PlanarShape> channel(double halfWidth, double end) {
  return {vines::PlanarShape::plane(Vec2(end, 0), Vec2(-1, 0)),
          vines::PlanarShape::plane(Vec2(0, -halfWidth), Vec2(0, 1)),
          vines::PlanarShape::plane(Vec2(0, halfWidth), Vec2(0, -1))};
}

TEST(VineStall, StopsAtTheGivenForceWhateverTheNumberOfBodies) {
  for (const Site site : {Site::shared, Site::tip}) {
    for (const int bodies : {10, 30, 70, 200}) {
      vines::Parameters p = tube(bodies);
      p.growthSite = site, p.stall = 5;
      VineRun run(p);
      run.actuation.growth = 0.2;
      run.shapes = channel(0.0125, 0.6);
      run.until(4);
      EXPECT_NEAR(run.chain.tip().x(), 0.588, 1e-9) << bodies;
      EXPECT_NEAR(run.report.growthForce, 5, 1e-9) << bodies;
      EXPECT_NEAR(run.report.growthRate, 0, 1e-9) << bodies;
      double force = 0;
      for (const vines::Contact& c : run.step.contacts()) force += c.obstacle == 0 ? c.normalForce : 0;
      EXPECT_NEAR(force, 5, 1e-9);
    }
  }
}

// A wall that recedes at a given speed lets the tip grow that fast: the force on it falls linearly with that speed.
TEST(VineStall, GrowthFallsLinearlyWithTheLoadOnTheTip) {
  for (const Site site : {Site::shared, Site::tip}) {
    for (const int bodies : {10, 60}) {
      for (const double part : {0.25, 0.5, 0.8}) {
        vines::Parameters p = tube(bodies);
        p.growthSite = site, p.stall = 4;
        VineRun run(p);
        run.actuation.growth = 0.1;
        run.shapes = channel(0.0125, 0.43);
        run.shapes[0].velocity = Vec2(0.1 * part, 0);
        run.until(3);
        EXPECT_NEAR(run.report.growthRate, 0.1 * part, 1e-9);
        // The mass that grows along costs next to nothing; it is not at rest.
        EXPECT_NEAR(run.report.growthForce, 4 * (1 - part), 1e-3) << bodies << " " << part;
      }
    }
  }
}

// Pushed harder than the stall force the tube does not shrink: growth only stops.
TEST(VineStall, AWallThatPushesHarderDoesNotDriveGrowthBack) {
  vines::Parameters p = tube(20);
  p.stall = 1;
  VineRun run(p);
  run.actuation.growth = 0.1;
  run.shapes = {vines::PlanarShape::plane(Vec2(0.45, 0.0), Vec2(-1, -0.2))};
  run.until(1);
  const double before = run.chain.length();
  run.shapes[0].velocity = Vec2(-0.02, 0);
  for (int k = 0; k < 200; ++k) {
    const double length = run.chain.length();
    ASSERT_TRUE(run.advance()) << int(run.report.status);
    EXPECT_GE(run.chain.length(), length - 2e-6);
    EXPECT_GE(run.report.growthRate, -1e-12);
  }
  EXPECT_GE(run.chain.length(), before - 1e-6);
}

TEST(VineObstacles, HardGrowthIntoAWallHeadOnIsAContradictionThatNamesIt) {
  VineRun run(tube(20));
  run.actuation.growth = 0.1;
  run.shapes = {vines::PlanarShape::circle(Vec2(0, 1), 0.1), vines::PlanarShape::plane(Vec2(0.43, 0), Vec2(-1, 0))};
  while (run.time < 1 && run.advance()) {
  }
  const std::vector<double> q = run.chain.q;
  EXPECT_EQ(run.report.status, Status::contradiction);
  EXPECT_EQ(run.report.obstacle, 1);
  EXPECT_EQ(run.report.body, 19);
  EXPECT_GT(run.report.violation, 0.01);
  EXPECT_LE(run.chain.tip().x(), 0.418 + 1e-9);
  EXPECT_FALSE(run.advance());
  EXPECT_EQ(run.chain.q, q) << "a refused step leaves the chain as it was";
}

TEST(VineObstacles, AStartInsideAnObstacleIsFound) {
  vines::Chain chain(tube(20));
  vines::Step step;
  const std::vector<vines::PlanarShape> shapes = {vines::PlanarShape::circle(Vec2(0.9, 0), 0.1),
                                                  vines::PlanarShape::box(Vec2(0.2, 0.05), Vec2(0.03, 0.04))};
  const vines::Overlap overlap = step.overlap(chain, shapes);
  EXPECT_EQ(overlap.obstacle, 1);
  EXPECT_GE(overlap.body, 8);
  EXPECT_LE(overlap.body, 11);
  EXPECT_NEAR(overlap.depth, 0.002, 1e-12);
}

TEST(VineObstacles, TheBaseMayStandOnAWallButNotInOne) {
  vines::Chain chain(tube(20));
  vines::Step step;
  const std::vector<vines::PlanarShape> on = {vines::PlanarShape::plane(Vec2(0, 0), Vec2(1, 0)),
                                              vines::PlanarShape::box(Vec2(-0.1, 0), Vec2(0.1, 0.2))};
  EXPECT_EQ(step.overlap(chain, on).body, -1);
  const std::vector<vines::PlanarShape> in = {vines::PlanarShape::plane(Vec2(0.001, 0), Vec2(1, 0))};
  EXPECT_EQ(step.overlap(chain, in).body, 0);
  EXPECT_NEAR(step.overlap(chain, in).depth, chain.parameters().radius() + 0.001, 1e-12);
  VineRun run(tube(20));
  run.shapes = on;
  run.actuation.growth = 0.1;
  run.until(0.5);
  EXPECT_NEAR(run.chain.tip().x(), 0.45, 1e-12);
}

// Every choice of springs, growth and contact can be had with every other that makes sense.
TEST(VineObstacles, ChoicesCombine) {
  for (const bool physical : {true, false})
    for (const auto springs : {vines::Parameters::Springs::implicit, vines::Parameters::Springs::atStart})
      for (const auto form : {vines::Parameters::GrowthForm::length, vines::Parameters::GrowthForm::rate})
        for (const auto contact : {vines::Parameters::Contact::tube, vines::Parameters::Contact::pairs}) {
          vines::Parameters p = tube(20);
          p.physical = physical, p.springs = springs, p.growthForm = form, p.contact = contact;
          p.stiffness = 0.5, p.friction = 0.2, p.bendingStiffness = 0.005;
          VineRun run(p);
          run.actuation.growth = 0.1;
          run.dt = physical && springs == vines::Parameters::Springs::atStart ? 2e-4 : 0.01;
          run.shapes = {vines::PlanarShape::circle(Vec2(0.47, 0.035), 0.06)};
          run.until(1.2);
          EXPECT_GT(run.chain.tip().x(), 0.47);
          EXPECT_LT(run.chain.tip().y(), -0.01);
        }
}

// A tube pressed flat onto a wall by a moment rests on it along its whole length, without rocking.
TEST(VineObstacles, LiesFlatOnAWallAndComesToRest) {
  for (const bool onBox : {false, true}) {
    vines::Parameters p = tube(20);
    p.bendingDamping = 1e-3;
    VineRun run(p);
    if (onBox)
      run.shapes = {vines::PlanarShape::box(Vec2(0.25, -0.062), Vec2(0.1, 0.05))};
    else
      run.shapes = {vines::PlanarShape::plane(Vec2(0, -0.012), Vec2(0, 1))};
    const std::vector<double> curvature(10, -2.0);
    run.actuation.curvature = curvature;
    run.until(3);
    for (double v : run.chain.v) EXPECT_NEAR(v, 0, 1e-7);
    EXPECT_GT(run.report.active, 0);
    EXPECT_GT(run.report.lowestGap, -p.gapTolerance);
  }
}

// Contact along the tube: a box far narrower than a pair, between its ends, holds it.
TEST(VineObstacles, NothingSlipsBetweenTheEndsOfAPair) {
  vines::Parameters p = tube(6);
  VineRun run(p);
  run.shapes = {vines::PlanarShape::box(Vec2(0.2, -0.03), Vec2(0.002, 0.01))};
  const std::vector<double> moments(3, -0.05);
  run.actuation.moments = moments;
  for (int k = 0; k < 300; ++k) {
    ASSERT_TRUE(run.advance());
    for (int i = 0; i < run.chain.pairs(); ++i)
      EXPECT_GT(vines::planarDistance(run.shapes[0], run.chain.node(i), run.chain.node(i + 1)),
                p.radius() - 2 * p.gapTolerance);
  }
  EXPECT_GT(run.report.active, 0);
}

TEST(VineObstacles, AMovingObstaclePushesAndIsNotPassed) {
  vines::Parameters p = tube(20);
  p.bendingDamping = 1e-3;
  VineRun run(p);
  run.shapes = {vines::PlanarShape::capsule(Vec2(0.38, 0.05), Vec2(0.39, 0.08), 0.01)};
  run.shapes[0].velocity = Vec2(0, -0.1);
  for (int k = 0; k < 150; ++k) {
    ASSERT_TRUE(run.advance()) << k << " " << int(run.report.status);
    for (int i = 0; i < run.chain.pairs(); ++i)
      EXPECT_GT(vines::planarDistance(run.shapes[0], run.chain.node(i), run.chain.node(i + 1)),
                p.radius() - 2 * p.gapTolerance);
  }
  EXPECT_LT(run.chain.tip().y(), -0.08);
  EXPECT_GT(run.report.active, 0);
  EXPECT_LT(run.worstResidual, 1e-12);
  // Fast ones too: ten tube radii per step, from far off.
  VineRun fast(p);
  fast.shapes = {vines::PlanarShape::circle(Vec2(0.3, 0.5), 0.02)};
  fast.shapes[0].velocity = Vec2(0, -12);
  int accepted = 0;
  while (accepted < 8 && fast.advance()) ++accepted;
  for (int i = 0; i < fast.chain.pairs(); ++i)
    EXPECT_GT(vines::planarDistance(fast.shapes[0], fast.chain.node(i), fast.chain.node(i + 1)),
              fast.report.accepted() ? 0.0 : -1.0);
  EXPECT_LT(fast.chain.tip().y(), 0.05) << "it was met, not passed";
}

TEST(VineObstacles, AnOverlapIsOpenedAtTheSpeedOfRecovery) {
  vines::Parameters p = tube(20);
  p.bendingDamping = 1e-3, p.recovery = 0.05;
  VineRun run(p);
  run.shapes = {vines::PlanarShape::circle(Vec2(0.35, 0.025), 0.02)};  // 7 mm deep
  vines::Step look;
  EXPECT_NEAR(look.overlap(run.chain, run.shapes).depth, 0.007, 1e-4);
  double last = 0.007;
  for (int k = 0; k < 30; ++k) {
    ASSERT_TRUE(run.advance()) << k << " " << int(run.report.status) << " " << run.report.violation;
    const double depth = look.overlap(run.chain, run.shapes).depth;
    EXPECT_LE(depth, std::max(last - 0.0005, 0.0) + 2 * p.gapTolerance) << k;
    last = depth;
  }
  EXPECT_LT(last, p.gapTolerance);
}

/// A straight tube that grows along a wall which its natural curvature presses it on.
VineRun pressedOnAWall(double mu, Site site) {
  vines::Parameters p = tube(20);
  p.friction = mu, p.bendingDamping = 1e-3, p.growthSite = site;
  VineRun run(p);
  run.shapes = {vines::PlanarShape::plane(Vec2(0, -0.012), Vec2(0, 1))};
  run.actuation.growth = 0.05;
  return run;
}

TEST(VineFriction, SlidingContactsCarryMuTimesTheirNormalForceAgainstTheMotion) {
  VineRun run = pressedOnAWall(0.4, Site::shared);
  const std::vector<double> curvature(10, -1.0);
  run.actuation.curvature = curvature;
  run.until(2);
  int sliding = 0;
  for (const vines::Contact& c : run.step.contacts()) {
    if (c.normalForce < 1e-6) continue;
    // The wall's normal is +y, so that positive friction acts along -x: against the growth.
    EXPECT_NEAR(c.frictionForce, 0.4 * c.normalForce, 1e-10 * c.normalForce + 1e-12);
    ++sliding;
  }
  EXPECT_GT(sliding, 0);
}

// Grown at the tip the skin does not slide, so that friction costs the growth nothing.
TEST(VineFriction, OldMaterialDoesNotSlideWhenTheTipGrows) {
  VineRun run = pressedOnAWall(0.4, Site::tip);
  double worst = 0;
  std::vector<double> curvature;
  while (run.time < 2) {
    curvature.assign(std::size_t(run.chain.pairs()), -1.0);
    run.actuation.curvature = curvature;
    ASSERT_TRUE(run.advance());
    worst = std::max(worst, std::fabs(run.report.frictionError));
  }
  double along = 0, normal = 0;
  for (const vines::Contact& c : run.step.contacts()) along += c.frictionForce, normal += c.normalForce;
  EXPECT_GT(normal, 0.01);
  EXPECT_LT(std::fabs(along), 0.2 * normal);
  EXPECT_LT(worst, 1e-12);
  EXPECT_NEAR(run.chain.length(), 0.5, 1e-6);
}

TEST(VineFriction, AWallThatMovesAlongDragsTheTipWithIt) {
  for (const double mu : {0.0, 0.5}) {
    vines::Parameters p = tube(20);
    p.friction = mu, p.bendingDamping = 1e-3, p.stall = 1;
    VineRun run(p);
    run.shapes = {vines::PlanarShape::plane(Vec2(0.412, 0), Vec2(-1, 0))};
    run.actuation.growth = 0.1;
    run.shapes[0].velocity = Vec2(0, -0.05);
    run.until(0.2);
    if (mu == 0) {
      EXPECT_NEAR(run.chain.tip().y(), 0, 1e-12);
    } else {
      EXPECT_LT(run.chain.tip().y(), -0.002);
      EXPECT_GE(run.chain.tip().y(), -0.01 - 1e-9) << "not faster than the wall";
    }
  }
}

/// Obstacles at random around the start, none of which touches it.
std::vector<vines::PlanarShape> clutter(geometry::SplitMix& source, const vines::Chain& chain, int count) {
  std::vector<vines::PlanarShape> shapes;
  vines::Step look;
  for (int tries = 0; tries < 40 * count && int(shapes.size()) < count; ++tries) {
    const Vec2 c(source.uniform(-1, 1), source.uniform(-1, 1));
    const double a = source.uniform(0.01, 0.12), b = source.uniform(0.01, 0.12), angle = source.uniform(0, 3);
    vines::PlanarShape shape;
    if (tries % 4 == 0) shape = vines::PlanarShape::circle(c, a);
    if (tries % 4 == 1) shape = vines::PlanarShape::box(c, Vec2(a, b));
    if (tries % 4 == 2) shape = vines::PlanarShape::box(c, Vec2(a, b), angle);
    if (tries % 4 == 3) shape = vines::PlanarShape::capsule(c, c + Vec2(a, b), 0.3 * a);
    const std::vector<vines::PlanarShape> one = {shape};
    if (look.overlap(chain, one).body >= 0 ||
        vines::planarDistance(shape, chain.node(0)).distance < chain.parameters().radius())
      continue;
    shapes.push_back(shape);
  }
  return shapes;
}

// The fall-back finds the same motion as the active set.
TEST(VineClutter, BothMethodsTakeTheSamePath) {
  int touching = 0;
  for (int seed = 0; seed < 5; ++seed) {
    geometry::SplitMix source(static_cast<std::uint64_t>(seed) + 77);
    vines::Parameters p = tube(30);
    p.stall = 3, p.bendingDamping = 1e-4, p.friction = 0.2;
    VineRun a(p), b(p);
    a.step.settings.method = solve::QuadraticSettings::Method::activeSet;
    b.step.settings.method = solve::QuadraticSettings::Method::interiorPoint;
    a.shapes = b.shapes = clutter(source, a.chain, 40);
    a.actuation.growth = b.actuation.growth = 0.2;
    for (int k = 0; k < 150; ++k) {
      ASSERT_TRUE(a.advance());
      ASSERT_TRUE(b.advance());
      touching += a.report.active > 0;
      ASSERT_LT((a.chain.tip() - b.chain.tip()).norm(), 1e-9) << seed << " " << k;
    }
    EXPECT_LT(std::max(a.worstResidual, b.worstResidual), 1e-12);
  }
  EXPECT_GT(touching, 100);
}

// A long tube in a corset of 76 obstacles that close in from both sides: most carry force at once.
TEST(VineClutter, ManyContactsAtOnceAreSolvedExactly) {
  vines::Parameters p = vines::Parameters::tube(400, 2);
  p.massPerLength = 0.05, p.bendingStiffness = 0.02, p.bendingDamping = 1e-3, p.stall = 20;
  VineRun run(p);
  run.step.settings.mostActive = 40;  // so that the interior point takes over
  for (int i = 0; i < 76; ++i) {
    const double side = i % 2 == 0 ? 1 : -1;
    run.shapes.push_back(vines::PlanarShape::circle(Vec2(0.05 + 0.025 * i, side * 0.0225), 0.01));
    run.shapes.back().velocity = Vec2(0, side * -0.01);
  }
  int most = 0;
  for (int k = 0; k < 20; ++k) {
    ASSERT_TRUE(run.advance()) << k << " " << int(run.report.status) << " " << run.report.violation;
    most = std::max(most, run.report.active);
    EXPECT_GT(run.report.lowestGap, -2 * p.gapTolerance);
  }
  EXPECT_GT(most, 60);
  EXPECT_LT(run.worstResidual, 1e-12);
}

// A thousand clutters: after any accepted step no axis lies inside an obstacle, every program is solved to round-off,
// and a step that cannot be done names body and obstacle.
TEST(VineClutter, NothingPassesThroughAThousandOfThem) {
  int refused = 0, steps = 0, touching = 0, unsettled = 0;
  double deepest = 1, worstGap = 0, worstResidual = 0, worstCoulomb = 0;
  for (int seed = 0; seed < 1000; ++seed) {
    geometry::SplitMix source(static_cast<std::uint64_t>(seed) + 1);
    vines::Parameters p = vines::Parameters::tube(12, 0.25);
    p.massPerLength = 0.05, p.bendingStiffness = source.uniform(1e-3, 0.03), p.bendingDamping = 1e-4;
    p.diameter = source.uniform(0.01, 0.03), p.heading = source.uniform(-3, 3);
    if (seed % 2 == 0) p.stall = source.uniform(0.5, 10);
    if (seed % 4 >= 2) p.growthSite = Site::tip;
    if (seed % 3 == 0) p.friction = source.uniform(0.1, 0.6);
    VineRun run(p);
    run.shapes = clutter(source, run.chain, 25);
    if (seed % 5 == 0) run.shapes[0].velocity = Vec2(source.uniform(-0.1, 0.1), source.uniform(-0.1, 0.1));
    run.actuation.growth = 0.3;
    for (int k = 0; k < 100 && run.advanceInParts(6); ++k) {
      ++steps;
      touching += run.report.active > 0;
      unsettled += run.report.frictionUnsettled;
      if (!run.report.frictionUnsettled) worstCoulomb = std::max(worstCoulomb, run.report.frictionError);
      for (const vines::PlanarShape& shape : run.shapes) {
        for (int i = 0; i < run.chain.pairs(); ++i) {
          const double axis = vines::planarDistance(shape, run.chain.node(i), run.chain.node(i + 1));
          deepest = std::min(deepest, axis);
          worstGap = std::min(worstGap, axis - p.radius());
        }
      }
    }
    worstResidual = std::max(worstResidual, run.worstResidual);
    if (run.report.accepted()) continue;
    ++refused;
    EXPECT_GE(run.report.body, 0) << seed;
    EXPECT_GE(run.report.obstacle, 0) << seed;
  }
  EXPECT_GT(deepest, -1e-9);
  EXPECT_GT(worstGap, -1e-4);
  EXPECT_LT(worstResidual, 1e-12);
  EXPECT_LT(worstCoulomb, 1e-12);
  EXPECT_GT(touching, 10000);
  EXPECT_LT(refused, 10);
  std::printf(
      "%d steps, %d touching; axis %.1e m, skin %.1e m, residual %.1e, Coulomb %.1e, unsettled %d, refused %d\n", steps,
      touching, deepest, worstGap, worstResidual, worstCoulomb, unsettled, refused);
}

// Pressed on a knob and into a strait it cannot grow as prescribed and part from both at once. Whether a program sees
// that or ends with forces that swamp all else is up to round-off: either way the step goes on as far as it can.
TEST(VineContradictions, AWedgedVineTakesTheSameStepsHoweverItIsTurned) {
  const auto course = [](double angle) {
    const double c = std::cos(angle), s = std::sin(angle);
    const auto place = [&](double x, double y, double z) {
      return "[" + digits(c * x - s * y) + ", " + digits(s * x + c * y) + ", " + digits(z) + "]";
    };
    const auto post = [&](double x, double y) {
      return R"({"capsule": {"from": )" + place(x, y, -0.2) + R"(, "to": )" + place(x, y, 0.2) +
             R"(, "radius": 0.016466150640492852}})";
    };
    Simulation sim(
        R"J({"format": "tendril/1", "vines": {"one": {"bodies": 4, "length": 0.20996048149050042, "diameter": 0.016466150640492852, "growth": 0.17497921895198704,
            "massPerLength": 0.024991722912675218, "bendingStiffness": 0.006976677973320615, "bendingDamping": 6.976677973320615e-05, "heading": )J" +
        digits(0.0667086786028297 + angle) + R"(}}, "obstacles": {"knob": )" +
        post(0.11867008484087546, -0.014025621310776294) + R"(, "strait1": )" +
        post(0.2162973130370347, 0.040040754301380745) + R"(, "strait2": )" +
        post(0.2194960031715374, -0.007838232638594959) + R"(}, "environment": {"gravity": )" +
        place(0, -2.9996628416068996, 0) + R"(}, "solver": {"dt": 0.015625, "duration": 1.25}})");
    std::vector<double> times;
    try {
      while (!sim.finished()) {
        sim.step();
        times.push_back(sim.time());
      }
    } catch (const GaveUp&) {
      times.push_back(-1);
    }
    return times;
  };
  const std::vector<double> times = course(0);
  EXPECT_GT(times.size(), 1u);
  for (int k = 1; k < 40; ++k) EXPECT_EQ(course(0.16 * k), times) << k;
}

}  // namespace obstacles_test
