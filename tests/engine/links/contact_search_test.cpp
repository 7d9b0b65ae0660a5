// What is near obstacles is looked for now and then only: nothing that touches is missed, and nothing depends on when
// it was looked for.
#include "engine/links/force_checks.h"

namespace tendril::links {
namespace contact_search_test {

using namespace test;

std::vector<scene::Obstacle> clutter(std::mt19937& random) {
  std::uniform_real_distribution<double> at(-1.2, 1.2), size(0.02, 0.25);
  std::vector<scene::Obstacle> out(40);
  for (std::size_t i = 0; i < out.size(); ++i) {
    scene::Obstacle& o = out[i];
    o.name = "o" + std::to_string(i);
    o.kind = static_cast<scene::Obstacle::Kind>(1 + i % 4);
    o.point = Vec3(at(random), at(random), at(random));
    o.end = o.point + Vec3(size(random), 2 * size(random), size(random));
    o.half = Vec3(size(random), size(random), size(random)), o.radius = size(random);
    o.velocity = scene::Number3{0.3 * at(random), 0.3 * at(random), 0.3 * at(random)};
  }
  out[0].kind = scene::Obstacle::Kind::plane, out[0].normal = Vec3(0.1, 0, 1).normalized(), out[0].point.z() = -1.2;
  return out;
}

std::vector<ContactPoint> skin() {
  std::vector<ContactPoint> out(3);
  out[0].step = 1, out[0].radius = 0.05, out[0].share = 0.3;
  out[1].step = 3, out[1].radius = 0.05, out[1].share = 0.9;
  out[1].before = 0, out[1].beforeRadius = 0.04, out[1].apart = 0.9;
  out[2].step = 4, out[2].local = Vec3(0.4, 0, 0), out[2].radius = 0.03, out[2].share = 0.5;
  out[2].before = 4, out[2].beforeLocal = Vec3(-0.1, 0, 0), out[2].beforeRadius = 0.05, out[2].apart = 0.5;
  return out;
}

TEST(LinkageContactSearch, NothingIsMissedWhileAllMoves) {
  constexpr double distance = 0.05;
  std::mt19937 random(11);
  scene::Scene scene;
  scene.obstacles = clutter(random);
  scene.contact.stiffness = 30.0, scene.contact.distance = distance, scene.contact.friction = 0.4,
  scene.contact.slip = 1;
  world::World world(scene);
  System system = bendingArm();
  Contact contact(world, skinOf(scene, skin()));
  VectorX q = randomVector(random, 16, 0.5);
  const VectorX v = randomVector(random, 16, 1);
  int pressed = 0, between = 0;
  double t = 0;
  for (int step = 0; step < 300; ++step) {
    scene::Instant end;
    end.t = end.middle = t + (step % 7 == 0 ? 0.2 : 0.01);
    q += randomVector(random, 16, step % 11 == 0 ? 0.5 : 0.01);
    system.place(q, v);
    const std::vector<ChainFrame>& frames = system.chain().frames();
    contact.prepare(end, end, t);
    // A trial without numbers leaves nothing behind.
    std::vector<ChainFrame> lost = frames;
    for (std::size_t i = step % 2; i < lost.size(); ++i) lost[i].pose.r.setConstant(std::nan(""));
    if (step % 3 == 0) contact.energy(lost);
    // Had everything within reach, and looks no more.
    Contact all(world, skinOf(scene, skin()));
    scene.contact.distance = 100.0;
    all.prepare(end, end, t);
    all.energy(frames);
    scene.contact.distance = distance;
    all.prepare(end, end, t);
    const double whole = all.energy(frames);
    ASSERT_EQ(contact.energy(frames), whole) << step;
    ChainLoads some, every;
    for (ChainLoads* loads : {&some, &every}) loads->reset(frames.size());
    contact.add(frames, true, some), all.add(frames, true, every);
    for (std::size_t i = 0; i < frames.size(); ++i) {
      ASSERT_EQ(some.wrenches[i].value, every.wrenches[i].value) << step;
      ASSERT_EQ(some.wrenches[i].byPose, every.wrenches[i].byPose) << step;
    }
    const scene::ContactSummary seen = contact.summary(frames, -1), of = all.summary(frames, -1);
    ASSERT_EQ(seen.force, of.force);
    ASSERT_EQ(seen.penetration, of.penetration);
    pressed += of.pairs > 0;
    between += !every.couplings.empty();
    world.prepare(end, t);
    world.accept();
    t = end.t;
  }
  EXPECT_GT(pressed, 100);
  EXPECT_GT(between, 20);
}

}  // namespace contact_search_test
}  // namespace tendril::links
