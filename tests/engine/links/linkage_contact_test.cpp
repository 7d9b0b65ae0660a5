// Links against obstacles: exact tangents in strong motion, rest, sliding and sticking by their closed forms, and
// nothing passes through anything.
#include "links/contact/contact.h"

#include "engine/links/force_checks.h"

namespace tendril::links {
namespace linkage_contact_test {

using namespace test;

scene::Obstacle plane(const Vec3& point, const Vec3& normal) {
  scene::Obstacle o;
  o.name = "floor", o.point = point, o.normal = normal.normalized();
  return o;
}

std::vector<scene::Obstacle> everyObstacle() {
  std::vector<scene::Obstacle> out(5);
  out[0] = plane(Vec3(0, 0, -0.4), Vec3(0.1, 0.2, 1));
  out[1].name = "ball", out[1].kind = scene::Obstacle::Kind::sphere, out[1].point = Vec3(0.5, 0.4, 0),
  out[1].radius = 0.4;
  out[2].name = "block", out[2].kind = scene::Obstacle::Kind::box, out[2].point = Vec3(0.4, -0.5, 0.1);
  out[2].half = Vec3(0.3, 0.2, 0.1);
  out[2].axes = Eigen::AngleAxisd(0.5, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  out[3].name = "pill", out[3].kind = scene::Obstacle::Kind::capsule, out[3].point = Vec3(0.2, -0.4, 0.5);
  out[3].end = Vec3(0.7, 0.3, 0.6), out[3].radius = 0.1;
  out[4].name = "drum", out[4].kind = scene::Obstacle::Kind::cylinder, out[4].point = Vec3(0.5, -0.2, -0.6);
  out[4].end = Vec3(0.5, 0.4, -0.5), out[4].radius = 0.2;
  return out;
}

std::vector<ContactPoint> armPoints() {
  return {{1, Vec3::Zero(), 0.05, 0.3},
          {2, Vec3(-0.05, 0.02, 0), 0.05, 0.3},
          {3, Vec3::Zero(), 0.04, 0.3},
          {4, Vec3(0.1, 0.05, -0.08), 0.03, 0.2}};
}

scene::Instant instant(double t) {
  scene::Instant m;
  m.t = m.middle = t;
  return m;
}

// A step of dynamics whose start lies a little before the state.
void midStep(Contact& contact, System& system, const VectorX& q, const VectorX& v) {
  contact.prepare(instant(0.02), instant(0.02), 0);
  system.place(q - 0.02 * v, VectorX::Zero(system.size()));
  contact.begin(system.chain().frames());
}

TEST(LinkageContact, TangentIsTheDerivativeOfTheResidual) {
  for (const double slip : {4.0, 0.3}) {
    for (std::size_t kind = 0; kind < 5; ++kind) {
      int found = 0;  // states with a firm touch
      for (unsigned seed = 1; seed <= 200 && found < 3; ++seed) {
        scene::Scene scene;
        scene.obstacles = {everyObstacle()[kind]};
        scene.obstacles[0].velocity = scene::Number3{0.2, -0.1, 0.3};
        scene.contact.stiffness = 30.0, scene.contact.distance = 0.8;
        scene.contact.friction = 0.6, scene.contact.slip = slip, scene.contact.damping = 0.05;
        scene.contact.perLength = seed % 2 == 0;
        System system = bendingArm();
        world::World world(scene);
        Contact contact(world, skinOf(scene, armPoints()));
        system.forces = {&contact};
        std::mt19937 random(seed);
        const VectorX q = randomVector(random, 16, 0.8), v = randomVector(random, 16, 1),
                      a = randomVector(random, 16, 2);
        midStep(contact, system, q, v);
        system.place(q, v);
        const scene::ContactSummary touching = contact.summary(system.chain().frames(), 0);
        if (touching.force < 1) continue;
        ++found;
        EXPECT_GT(touching.pairs, 0) << kind << " " << seed;
        EXPECT_LT(tangentError(system, q, v, a, {50, 1000}), 1e-8) << kind << " " << seed;
        EXPECT_LT(tangentError(system, q, v, a, {1, 2}), 1e-8) << kind << " " << seed;
      }
      EXPECT_EQ(found, 3) << kind;
    }
  }
}

// The contact's own part of the tangent, without the inertia that drowns it; frictionless statics is its symmetric
// case.
TEST(LinkageContact, AloneItsTangentIsExactAndItsForceThePotentials) {
  scene::Scene scene;
  scene.obstacles = everyObstacle();
  scene.contact.stiffness = 30.0, scene.contact.distance = 0.8, scene.contact.friction = 0.6, scene.contact.slip = 1;
  for (const bool moving : {false, true}) {
    for (unsigned seed = 1; seed <= 4; ++seed) {
      System arm = bendingArm();
      const Eigen::MatrixXd none = Eigen::MatrixXd::Zero(16, 16);
      System system(arm.chain(), {}, none, none, 1);
      world::World world(scene);
      Contact contact(world, skinOf(scene, armPoints()));
      system.forces = {&contact};
      std::mt19937 random(seed);
      const VectorX q = randomVector(random, 16, 0.8), zero = VectorX::Zero(16);
      const VectorX v = moving ? randomVector(random, 16, 1) : zero;
      if (moving) {
        midStep(contact, system, q, v);
      } else {
        contact.prepare(instant(1), instant(1), 1);
      }
      EXPECT_LT(tangentError(system, q, v, zero, {moving ? 3.0 : 0.0, 0}), 1e-8) << seed;
      if (moving) {
        // Friction makes it unsymmetric; no lagging hides that.
        EXPECT_GT((system.tangent() - system.tangent().transpose()).norm(), 1e-2 * system.tangent().norm());
        continue;
      }
      EXPECT_LT((system.tangent() - system.tangent().transpose()).norm(), 1e-12 * system.tangent().norm());
      VectorX r;
      system.evaluate({q, zero, zero}, {}, solve::Level::residual, r);
      const VectorX d = randomVector(random, 16, 1);
      const auto energy = [&](double h) {
        system.place(q + h * d, zero);
        return contact.energy(system.chain().frames());
      };
      EXPECT_NEAR((energy(1e-5) - energy(-1e-5)) / 2e-5, r.dot(d), 1e-7 * r.norm()) << seed;
    }
  }
}

struct Dynamics {
  world::World& world;
  Contact& contact;
  Walk walk;
  double deepest = 0;

  Dynamics(System& system, Contact& c, world::World& w) : world(w), contact(c), walk(system) {
    system.forces = {&contact};
    system.place(walk.history.q, walk.history.v);
    contact.stand();
    contact.findOverlaps(system.chain().frames());
    walk.prepare = [this](double t0, double at, double end) {
      contact.prepare(instant(end), instant(at), t0);
      contact.begin(walk.system.chain().frames());
    };
    walk.accepted = [this](double t0, double, double end) {
      contact.prepare(instant(end), instant(end), t0);
      walk.system.place(walk.history.q, walk.history.v);
      deepest = std::max(deepest, contact.summary(walk.system.chain().frames(), -1).penetration);
      world.prepare(instant(end), t0);
      world.accept();
    };
  }
};

// A link of 1 m and 2 kg on a hinge, its tip a ball of 50 mm; the floor bears half of its weight.
TEST(LinkageContact, ThinLinksHaveAsManyPointsAsThereAreAtMost) {
  const contact::ObstacleShape box = contact::obstacleShape(everyObstacle()[2]);
  EXPECT_EQ(Contact::parts(box, 1, 0.1), 7);  // not more than 1.5 radii apart
  EXPECT_EQ(Contact::parts(box, 1, 1e-3), Contact::mostParts);
  EXPECT_EQ(Contact::parts(box, 1, 1e-15), Contact::mostParts);
  EXPECT_EQ(Contact::parts(box, 1, 0), 1);
  EXPECT_EQ(Contact::parts(box, 0, 0), 1);
}

TEST(LinkageContact, APendulumComesToRestOnAPlane) {
  scene::Scene scene;
  scene.obstacles = {plane(Vec3(0, 0, -0.5), Vec3::UnitZ())};
  scene.contact.stiffness = 1e4, scene.contact.distance = 1e-3, scene.contact.damping = 0.05;
  System system = bodyOn({1}, {}, 2, Vec3(0, 1, 1) * (2.0 / 12), Vec3(0.5, 0, 0));
  system.gravity = Vec3(0, 0, -9.81);
  world::World world(scene);
  Contact contact(world, skinOf(scene, {{1, Vec3(0.5, 0, 0), 0.05, 1}}));
  Dynamics run(system, contact, world);
  run.walk.dt = 5e-3;
  run.walk.go(3);
  const scene::ContactSummary rest = contact.summary(system.chain().frames(), 0);
  EXPECT_EQ(rest.pairs, 1);
  EXPECT_NEAR(rest.force, 2 * 9.81 / 2, 1e-5);
  // 2 k d = N beyond the penalty's rounding.
  EXPECT_NEAR(rest.penetration, rest.force / 2e4, 1e-6);
  EXPECT_NEAR(std::sin(run.walk.history.q[0]), 0.45 + rest.penetration, 1e-9);
  EXPECT_LT(run.deepest, 0.05);
}

TEST(LinkageContact, ASlidingBodyIsSlowedByMuG) {
  scene::Scene scene;
  scene.obstacles = {plane(Vec3::Zero(), Vec3::UnitZ())};
  scene.contact.stiffness = 1e4, scene.contact.distance = 1e-3, scene.contact.friction = 0.4;
  System system = bodyOn({3, 4, 5}, {Mat3::Identity(), Vec3(0, 0, 0.02)}, 0.5, Vec3::Constant(1e-4));
  system.gravity = Vec3(0, 0, -9.81);
  world::World world(scene);
  Contact contact(world, skinOf(scene, {{1, Vec3::Zero(), 0.02, 1}}));
  Dynamics run(system, contact, world);
  run.walk.dt = 1e-3;
  run.walk.go(0.3);
  // Settled on the floor; pushed at 2 m/s along a diagonal.
  run.walk.history.v = Vec3(1.2, 1.6, 0);
  run.walk.go(0.2);
  const VectorX v = run.walk.history.v;
  EXPECT_NEAR(v.head<2>().norm(), 2 - 0.4 * 9.81 * 0.2, 1e-4);
  EXPECT_NEAR(v[0] / v[1], 0.75, 1e-9);
  EXPECT_NEAR(v[2], 0, 1e-6);
  run.walk.go(0.4);
  EXPECT_LT(run.walk.history.v.norm(), 1e-9);
}

// Below the friction angle it creeps at the speed where the law's force is the slope's.
TEST(LinkageContact, OnASlopeItSticksAsTheLawSays) {
  const double slope = 0.2;
  scene::Scene scene;
  scene.obstacles = {plane(Vec3::Zero(), Vec3::UnitZ())};
  scene.contact.stiffness = 1e4, scene.contact.distance = 1e-3, scene.contact.friction = 0.4;
  System system = bodyOn({3, 5}, {Mat3::Identity(), Vec3(0, 0, 0.02)}, 0.5, Vec3::Constant(1e-4));
  system.gravity = 9.81 * Vec3(std::sin(slope), 0, -std::cos(slope));
  world::World world(scene);
  Contact contact(world, skinOf(scene, {{1, Vec3::Zero(), 0.02, 1}}));
  Dynamics run(system, contact, world);
  run.walk.dt = 5e-3;
  run.walk.go(1);
  const double creep = 1e-3 / 7.5 * std::atanh(std::tan(slope) / 0.4);
  EXPECT_NEAR(run.walk.history.v[0], creep, 1e-6 * creep);
}

TEST(LinkageContact, AMovingBoxDragsWhatItHolds) {
  scene::Scene scene;
  scene::Obstacle belt;
  belt.name = "belt", belt.kind = scene::Obstacle::Kind::box, belt.point = Vec3(0, 0, -0.05),
  belt.half = Vec3(2, 2, 0.05);
  belt.velocity = scene::Number3{0, 0.1, 0};
  scene.obstacles = {belt};
  scene.contact.stiffness = 1e4, scene.contact.distance = 1e-3, scene.contact.friction = 0.4;
  System system = bodyOn({3, 4, 5}, {Mat3::Identity(), Vec3(0, 0, 0.02)}, 0.5, Vec3::Constant(1e-4));
  system.gravity = Vec3(0, 0, -9.81);
  world::World world(scene);
  Contact contact(world, skinOf(scene, {{1, Vec3::Zero(), 0.02, 1}}));
  Dynamics run(system, contact, world);
  run.walk.dt = 5e-3;
  run.walk.go(1);
  EXPECT_NEAR(run.walk.history.v[1], 0.1, 1e-9);
  EXPECT_NEAR(world.obstacles().states()[0].traveled.y(), 0.1, 1e-12);
  EXPECT_NEAR(contact.obstacles()[0].moved.y(), 0.1, 1e-12);
}

// A frictionless ball against a sphere that stands: midpoint keeps the energy, Euler never gains any; the sphere's
// center is passed by no angular momentum.
TEST(LinkageContact, AnElasticBounceKeepsEnergyAndAngularMomentum) {
  scene::Scene scene;
  scene::Obstacle ball;
  ball.name = "ball", ball.kind = scene::Obstacle::Kind::sphere, ball.radius = 0.1;
  scene.obstacles = {ball};
  scene.contact.stiffness = 2e3, scene.contact.distance = 0.01;
  const auto bounce = [&](solve::ImplicitScheme scheme, double dt) {
    System system = bodyOn({3, 4, 5}, {Mat3::Identity(), Vec3(-0.3, 0.07, 0)}, 0.5, Vec3::Constant(1e-4));
    world::World world(scene);
    Contact contact(world, skinOf(scene, {{1, Vec3::Zero(), 0.05, 1}}));
    Dynamics run(system, contact, world);
    run.walk.scheme = scheme, run.walk.dt = dt;
    run.walk.history.v = Vec3(1, 0, 0);
    double before = 0.25, worst = 0;
    int gains = 0;
    for (int i = 0; i < static_cast<int>(0.4 / dt); ++i) {
      EXPECT_TRUE(run.walk.step());
      system.place(run.walk.history.q, run.walk.history.v);
      const double energy =
          system.energies(run.walk.history.q, run.walk.history.v).total() + contact.energy(system.chain().frames());
      gains += energy > before + 1e-13;
      worst = std::max(worst, std::abs(energy - 0.25));
      before = energy;
    }
    const Vec3 x = system.chain().frames()[1].pose.r, v = run.walk.history.v;
    EXPECT_LT(v[0], 0);
    EXPECT_NEAR(x.cross(v).z(), -0.07, 2e-2 * 0.07);
    EXPECT_EQ(scheme == solve::ImplicitScheme::euler ? gains : 0, 0);
    return worst;
  };
  const double coarse = bounce(solve::ImplicitScheme::midpoint, 4e-4),
               fine = bounce(solve::ImplicitScheme::midpoint, 2e-4);
  EXPECT_LT(fine, 2e-4 * 0.25);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.5);
  EXPECT_GT(bounce(solve::ImplicitScheme::euler, 4e-4), 1e-3 * 0.25);
}

TEST(LinkageContact, DampingTakesTheBounce) {
  scene::Scene scene;
  scene.obstacles = {plane(Vec3::Zero(), Vec3::UnitZ())};
  scene.contact.stiffness = 1e3, scene.contact.distance = 1e-3;
  const auto highest = [&](double damping) {
    scene.contact.damping = damping;
    System system = bodyOn({5}, {Mat3::Identity(), Vec3(0, 0, 0.12)}, 0.5, Vec3::Constant(1e-4));
    system.gravity = Vec3(0, 0, -9.81);
    world::World world(scene);
    Contact contact(world, skinOf(scene, {{1, Vec3::Zero(), 0.02, 1}}));
    Dynamics run(system, contact, world);
    run.walk.scheme = solve::ImplicitScheme::midpoint, run.walk.dt = 5e-4;
    run.walk.go(0.15);
    double top = -1;
    for (int i = 0; i < 500; ++i) {
      EXPECT_TRUE(run.walk.step());
      top = std::max(top, run.walk.history.q[0] + 0.1);
    }
    return top;
  };
  EXPECT_NEAR(highest(0), 0.1, 2e-3);
  EXPECT_LT(highest(0.02), 0.06);
}

// A link swings at a thin plate far faster than its thickness in a step: it is thrown back, or where its energy is
// beyond the plate's penalty, no step is short enough.
TEST(LinkageContact, NothingPassesThroughAThinPlate) {
  scene::Obstacle plate;
  plate.name = "plate", plate.kind = scene::Obstacle::Kind::box, plate.point = Vec3(0.7, 0, -0.3),
  plate.half = Vec3(0.2, 0.2, 2e-3);
  for (const double speed : {2.0, 30.0, 300.0}) {
    scene::Scene scene;
    scene.obstacles = {plate};
    scene.contact.stiffness = 1e5, scene.contact.distance = 5e-4;
    System system = bodyOn({1}, {}, 0.2, Vec3(0, 1, 1) * (0.2 / 12), Vec3(0.5, 0, 0));
    world::World world(scene);
    Contact contact(world, skinOf(scene, {{1, Vec3(0.2, 0, 0), 5e-3, 1}, {1, Vec3(0.3, 0, 0), 5e-3, 1}}));
    Dynamics run(system, contact, world);
    run.walk.history.v[0] = speed;
    bool refused = false;
    run.walk.dt = 1e-2;
    for (int i = 0; i < 100; ++i) {
      const solve::History before = run.walk.history;
      if (!run.walk.step() || !contact.crossed(system.chain().frames()).empty() ||
          !contact.engulfed(system.chain().frames()).empty()) {
        run.walk.history = before, run.walk.dt *= 0.5, refused = true;
        if (run.walk.dt < 1e-7) break;
        continue;
      }
      system.place(run.walk.history.q, run.walk.history.v);
      EXPECT_GT((system.chain().frames()[1].pose.r + 0.2 * system.chain().frames()[1].pose.R.col(0)).z(), -0.3)
          << speed;
    }
    EXPECT_TRUE(run.walk.history.v[0] < 0 || run.walk.dt < 1e-7) << speed;
    EXPECT_EQ(run.walk.dt < 1e-7, speed == 300.0);
    EXPECT_TRUE(refused || speed < 100);
  }
}

TEST(LinkageContact, AStepIsCutWhereItsWayIsBarred) {
  scene::Scene scene;
  scene::Obstacle ball;
  ball.name = "ball", ball.kind = scene::Obstacle::Kind::sphere, ball.point = Vec3(1, 0, 0), ball.radius = 0.1;
  ball.velocity = scene::Number3{-80, 0, 0};
  scene.obstacles = {ball};
  world::World world(scene);
  Contact contact(world, skinOf(scene, {{0, Vec3(0, 0, 0.01), 0.02, 1}}, 1e3));
  const geometry::Pose here, there{Mat3::Identity(), Vec3(2, 0, 0)}, aside{Mat3::Identity(), Vec3(2, 2, 0)};
  contact.prepare(instant(0), instant(0), 0);
  const double part = contact.longestStep({here}, {there});
  EXPECT_GT(2 * part, 1 - 0.12);
  EXPECT_LT(2 * part, 1);
  EXPECT_EQ(contact.longestStep({here}, {aside}), 1);
  // Within 0.02 s it comes from 1 m to -0.6 m: through the point at the origin.
  std::vector<ChainFrame> frames(1);
  contact.prepare(instant(0.02), instant(0.02), 0);
  contact.begin(frames);
  EXPECT_EQ(contact.sweeper(), "ball");
  EXPECT_EQ(contact.crossed(frames), "ball");
  frames[0].pose.r = Vec3(-1.7, 0, 0);
  EXPECT_EQ(contact.crossed(frames), "");
  frames[0].pose.r = Vec3(-0.6, 0, 0);
  EXPECT_EQ(contact.engulfed(frames), "ball");
  EXPECT_EQ(contact.summary(frames, 0).pairs, 1);
  EXPECT_NEAR(contact.summary(frames, -1).penetration, 0.11, 1e-12);
}

TEST(LinkageContact, ABlowIsForeseen) {
  scene::Scene scene;
  scene.obstacles = {plane(Vec3::Zero(), Vec3::UnitZ())};
  scene.contact.stiffness = 1e4, scene.contact.distance = 1e-3;
  world::World world(scene);
  Contact contact(world, skinOf(scene, {{0, Vec3(0.1, 0, 0), 0.02, 1}}));
  contact.prepare(instant(0.01), instant(0.01), 0);
  std::vector<ChainFrame> frames(1);
  const auto impact = [&](double height, const Vec3& velocity) {
    frames[0].pose.r = Vec3(0, 0, height);
    frames[0].velocity.tail<3>() = velocity;
    return contact.hasImpact(frames, 0.01);
  };
  EXPECT_TRUE(impact(0.03, Vec3(0, 0, -2)));    // arrives within the step
  EXPECT_FALSE(impact(0.03, Vec3(0, 0, 2)));    // flies away
  EXPECT_TRUE(impact(0.0195, Vec3(0, 0, 2)));   // is thrown off
  EXPECT_FALSE(impact(0.0195, Vec3(3, 0, 0)));  // slides
  EXPECT_FALSE(impact(0.0195, Vec3(0, 0, -0.01)));
  EXPECT_FALSE(impact(0.5, Vec3(0, 0, -2)));
  // A turn about y moves the point by -0.1 w.
  frames[0].velocity.head<3>() = Vec3(0, 20, 0);
  EXPECT_TRUE(impact(0.03, Vec3::Zero()));
}

TEST(LinkageContact, WhatBeginsInsidePartsSlowly) {
  scene::Scene scene;
  scene.obstacles = {plane(Vec3::Zero(), Vec3::UnitZ())};
  scene.contact.stiffness = 1e5, scene.contact.distance = 1e-3;
  scene.solver.dt = 1e-3;
  System system = bodyOn({5}, {Mat3::Identity(), Vec3(0, 0, 0.01)}, 0.5, Vec3::Constant(1e-4));
  system.gravity = Vec3(0, 0, -9.81);
  world::World world(scene);
  Contact contact(world, skinOf(scene, {{1, Vec3::Zero(), 0.02, 1}}));
  Dynamics run(system, contact, world);
  double fastest = 0;
  for (int i = 0; i < 500; ++i) {
    ASSERT_TRUE(run.walk.step());
    fastest = std::max(fastest, std::abs(run.walk.history.v[0]));
  }
  EXPECT_NEAR(run.walk.history.q[0], 0.01, 1e-4);
  // 10 mm in 0.1 s, not the 2 m/s that the penalty would give.
  EXPECT_LT(fastest, 0.25);
}

}  // namespace linkage_contact_test
}  // namespace tendril::links
