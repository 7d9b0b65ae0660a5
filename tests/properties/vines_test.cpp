// Laws of vines, held against random scenes; and friction of a tube at its threshold.
#include <cmath>

#include "law.h"

namespace tendril::properties {
namespace {

Scenes grown() {
  return [](unsigned seed, const Telling& t) { return vines(seed, t, {}); };
}

// Some 80 steps through clutter: what the last digits grow to where corners are passed.
constexpr double digitsOfVines = 1e-7;

void turnedInThePlane(Draw& draw, Telling& t) {
  t.turn = Eigen::AngleAxisd(draw.uniform(0.3, 3), Vec3::UnitZ()).toRotationMatrix();
  t.shift = draw.inCube(0.5);
}
void inAnotherPlane(Draw& draw, Telling& t) {
  if (draw.chance(0.5)) t.turn << 0, 0, 1, 1, 0, 0, 0, 1, 0;
  else t.turn << 1, 0, 0, 0, 0, -1, 0, 1, 0;
}
void mirrored(Draw&, Telling& t) { t.mirror = true; }
void inOtherUnits(Draw& draw, Telling& t) {
  t.time = std::exp2(draw.whole(-20, 20)), t.length = std::exp2(draw.whole(-20, 20)), t.mass = std::exp2(draw.whole(-20, 20));
}
void turnedAround(Draw&, Telling& t) { t.bodiesReversed = true; }
void withAStranger(Draw&, Telling& t) { t.stranger = true; }

TEST(VineProperties, TurnedAndShiftedVinesGrowAlike) { alike("rotation of vines", 60, grown(), digitsOfVines, turnedInThePlane); }
TEST(VineProperties, PlanesAreAlike) { alike("planes of vines", 60, grown(), digitsOfVines, inAnotherPlane); }
TEST(VineProperties, MirroredVinesGrowAlike) { alike("mirror of vines", 60, grown(), digitsOfVines, mirrored); }
TEST(VineProperties, UnitsChangeNoBitOfVines) { alike("units of vines", 60, grown(), 0, inOtherUnits); }
TEST(VineProperties, TheOrderOfVinesChangesNoBit) { alike("order of vines", 50, grown(), 0, turnedAround); }
TEST(VineProperties, AnotherVineChangesNoBit) { alike("stranger beside vines", 50, grown(), 0, withAStranger); }

// A rod of another model that touches nothing either; it must not be cut for vines, nor they for it.
TEST(VineProperties, ARodElsewhereChangesNoBitOfVines) {
  // Its nodes are no part of the course.
  alike("rod beside vines", 50, [](unsigned seed, const Telling& t) {
    Json scene = Json::parse(vines(seed, t, {}));
    if (!t.stranger) return scene.dump();
    scene["vines"].erase("stranger");
    scene["materials"]["stranger"] = {{"youngs", 3e10}, {"density", 2600}};
    scene["rods"]["stranger"] = {{"section", {{"circle", {{"radius", 0.01}}}}}, {"segments", 4}, {"path", {{"line", {{"from", {0, 0, 30}}, {"to", {0.3, 0, 30}}}}}}};
    scene["constraints"].push_back({{"clamp", "stranger:first"}});
    return scene.dump();
  }, 0, withAStranger);
}

// ---- friction ---------------------------------------------------------------------------------------------------------

/// An L: from its base down to a wall and along it, pressed on it and pulled along it at the tip. The knee above the wall
/// bears nothing of what presses on the tip. How fast the tip goes along the wall after a time, over what it would without friction.
double slip(Draw& draw, double mu, double ratio) {
  const double foot = draw.uniform(0.1, 0.3), d = draw.uniform(0.004, 0.008), rho = draw.log(0.01, 1);
  const double press = draw.log(0.1, 10), pull = (draw.chance(0.5) ? 1 : -1) * ratio * press, angle = draw.uniform(-pi, pi);
  const double mass = rho * foot * 4 / 3, T = std::sqrt(0.02 * d * mass / std::abs(pull)), c = std::cos(angle), s = std::sin(angle);
  const auto turn = [&](double x, double y) { return Json::array({c * x - s * y, s * x + c * y, 0}); };
  const auto body = [&](double x, double y, double theta) { return Json::array({c * x - s * y, s * x + c * y, theta + angle}); };
  Json scene = {{"format", "tendril/1"}};
  scene["vines"]["v"] = {{"bodies", 4}, {"length", 2 * foot}, {"diameter", d}, {"massPerLength", rho},
                         {"placements", {body(0, -0.25 * foot, -0.5 * pi), body(0, -0.75 * foot, -0.5 * pi), body(0.25 * foot, -foot, 0), body(0.75 * foot, -foot, 0)}}};
  scene["obstacles"]["wall"]["plane"] = {{"point", turn(0, -foot - (0.5 + 1e-6) * d)}, {"normal", turn(0, 1)}};
  scene["contact"]["friction"] = mu;
  scene["loads"] = {{{"force", turn(pull, -press)}, {"at", "v:tip"}}};
  scene["probes"]["v"] = {{"velocity", "v:tip"}};
  scene["solver"] = {{"dt", T / 20}, {"duration", T}};
  Simulation sim(scene.dump());
  test::runToEnd(sim);
  const Vec3 v = test::vectorColumn(sim, "v");
  return std::abs(c * v.x() + s * v.y()) * rho * foot * 4 / 3 / (std::abs(pull) * sim.time());
}

TEST(VineProperties, ATubeSlipsOnAWallBeyondItsFrictionAndNotBelow) {
  hold("friction of a tube", 30, [](unsigned seed, const std::set<std::string>&) -> std::string {
    Draw draw(seed);
    const double mu = draw.uniform(0.1, 0.8), below = draw.uniform(0.5, 0.93), above = draw.uniform(1.07, 1.5);
    const double held = slip(draw, mu, below * mu), free = slip(draw, mu, above * mu), expected = 1 - 1 / above;
    if (std::abs(held) > 1e-9) return "slips at " + number(below) + " of its friction: " + number(held);
    if (std::abs(free - expected) > 0.1) return "accelerates by " + number(free) + " of the pull instead of " + number(expected);
    return "";
  }, [](unsigned, const Telling&) { return std::string("(see the seed)"); });
}

}  // namespace
}  // namespace tendril::properties
