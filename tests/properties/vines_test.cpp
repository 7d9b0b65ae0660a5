// Laws of vines, held against random scenes; and friction of a tube at its threshold.
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "law.h"
#include "vines/step/planar_shapes.h"

namespace tendril::properties {
namespace properties_vines_test {

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
  if (draw.chance(0.5))
    t.turn << 0, 0, 1, 1, 0, 0, 0, 1, 0;
  else
    t.turn << 1, 0, 0, 0, 0, -1, 0, 1, 0;
}
void mirrored(Draw&, Telling& t) { t.mirror = true; }
void inOtherUnits(Draw& draw, Telling& t) {
  t.time = std::exp2(draw.whole(-20, 20)), t.length = std::exp2(draw.whole(-20, 20)),
  t.mass = std::exp2(draw.whole(-20, 20));
}
void turnedAround(Draw&, Telling& t) { t.bodiesReversed = true; }
void withAStranger(Draw&, Telling& t) { t.stranger = true; }

TEST(VineProperties, TurnedAndShiftedVinesGrowAlike) {
  alike("rotation of vines", 60, grown(), digitsOfVines, turnedInThePlane);
}
TEST(VineProperties, PlanesAreAlike) { alike("planes of vines", 60, grown(), digitsOfVines, inAnotherPlane); }
TEST(VineProperties, MirroredVinesGrowAlike) { alike("mirror of vines", 60, grown(), digitsOfVines, mirrored); }
TEST(VineProperties, UnitsChangeNoBitOfVines) { alike("units of vines", 60, grown(), 0, inOtherUnits); }
TEST(VineProperties, TheOrderOfVinesChangesNoBit) { alike("order of vines", 50, grown(), 0, turnedAround); }
TEST(VineProperties, AnotherVineChangesNoBit) { alike("stranger beside vines", 50, grown(), 0, withAStranger); }

// A rod of another model that touches nothing either; it must not be cut for vines, nor they for it.
TEST(VineProperties, ARodElsewhereChangesNoBitOfVines) {
  // Its nodes are no part of the course.
  alike(
      "rod beside vines", 50,
      [](unsigned seed, const Telling& t) {
        Json scene = Json::parse(vines(seed, t, {}));
        if (!t.stranger) return scene.dump();
        scene["vines"].erase("stranger");
        scene["materials"]["stranger"] = {{"youngs", 3e10}, {"density", 2600}};
        scene["rods"]["stranger"] = {{"section", {{"circle", {{"radius", 0.01}}}}},
                                     {"segments", 4},
                                     {"path", {{"line", {{"from", {0, 0, 30}}, {"to", {0.3, 0, 30}}}}}}};
        scene["constraints"].push_back({{"clamp", "stranger:first"}});
        return scene.dump();
      },
      0, withAStranger);
}

// ---- friction
// ---------------------------------------------------------------------------------------------------------

/// An L: from its base down to a wall and along it, pressed on it and pulled along it at the tip. The knee above the
/// wall bears nothing of what presses on the tip. How fast the tip goes along the wall after a time, over what it would
/// without friction.
double slip(Draw& draw, double mu, double ratio) {
  const double foot = draw.uniform(0.1, 0.3), d = draw.uniform(0.004, 0.008), rho = draw.log(0.01, 1);
  const double press = draw.log(0.1, 10), pull = (draw.chance(0.5) ? 1 : -1) * ratio * press,
               angle = draw.uniform(-pi, pi);
  const double mass = rho * foot * 4 / 3, T = std::sqrt(0.02 * d * mass / std::abs(pull)), c = std::cos(angle),
               s = std::sin(angle);
  const auto turn = [&](double x, double y) { return Json::array({c * x - s * y, s * x + c * y, 0}); };
  const auto body = [&](double x, double y, double theta) {
    return Json::array({c * x - s * y, s * x + c * y, theta + angle});
  };
  Json scene = {{"format", "tendril/1"}};
  scene["vines"]["v"] = {{"bodies", 4},
                         {"length", 2 * foot},
                         {"diameter", d},
                         {"massPerLength", rho},
                         {"placements",
                          {body(0, -0.25 * foot, -0.5 * pi), body(0, -0.75 * foot, -0.5 * pi),
                           body(0.25 * foot, -foot, 0), body(0.75 * foot, -foot, 0)}}};
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
  hold(
      "friction of a tube", 30,
      [](unsigned seed, const std::set<std::string>&) -> std::string {
        Draw draw(seed);
        const double mu = draw.uniform(0.1, 0.8), below = draw.uniform(0.5, 0.93), above = draw.uniform(1.07, 1.5);
        const double held = slip(draw, mu, below * mu), free = slip(draw, mu, above * mu), expected = 1 - 1 / above;
        if (std::abs(held) > 1e-9) return "slips at " + number(below) + " of its friction: " + number(held);
        if (std::abs(free - expected) > 0.1)
          return "accelerates by " + number(free) + " of the pull instead of " + number(expected);
        return "";
      },
      none());
}

/// Two links, the far one with its bare end on a wall at any angle, or leaning on a post; a force at the tip asks for a
/// friction of its own. In a frame whose y is the normal of what is touched.
struct Leaning {
  double l = 0, d = 0, rho = 0;
  Vec2 base, knee, tip, place;  // place: of the axis, above where the skin touches
  Vec2 normal;
  double post = 0;             // radius; 0: a wall
  Mat<2> mass, atTip, atSkin;  // by the rates of both links; rows of atSkin: along, and the normal
};

Leaning drawLeaning(Draw& draw) {
  Leaning s;
  for (;;) {
    s.l = draw.uniform(0.1, 0.3), s.d = draw.uniform(0.004, 0.008), s.rho = draw.log(0.01, 1);
    const double first = draw.uniform(-pi, pi), second = draw.uniform(-pi, pi), share = draw.uniform(0.3, 0.7);
    const bool onPost = draw.chance(0.5);
    s.post = onPost ? s.d * draw.uniform(0.5, 2) : 0;
    const Vec2 a(std::cos(first), std::sin(first)), b(std::cos(second), std::sin(second));
    s.knee = s.l * a, s.tip = s.knee + s.l * b, s.base = Vec2::Zero();
    s.place = onPost ? Vec2(s.knee + share * s.l * b) : s.tip;
    s.normal = onPost ? Vec2((draw.chance(0.5) ? 1 : -1) * vines::leftOf(b)) : Vec2(0, 1);
    const double turn = a.x() * b.y() - a.y() * b.x();
    if (std::abs(turn) < 0.3) continue;
    // Nothing else touches: both links come from above the wall, and the near one passes beside the post.
    if (!onPost && std::min(s.knee.y(), 0.0) < s.tip.y() + 0.3 * s.l) continue;
    const Vec2 center = s.place - (0.5 * s.d + s.post) * s.normal;
    const double along = std::clamp(a.dot(center), 0.0, s.l);
    if (onPost && (center - along * a).norm() < s.post + 2 * s.d) continue;
    const double m = s.rho * s.l, own = m * (s.l * s.l / 12 + s.d * s.d / 8), cross = 0.5 * m * s.l * s.l * a.dot(b);
    s.mass << own + 1.25 * m * s.l * s.l, cross, cross, own + 0.25 * m * s.l * s.l;
    s.atTip.col(0) = s.l * vines::leftOf(a), s.atTip.col(1) = s.l * vines::leftOf(b);
    // The skin lies a radius from the axis and turns with its link.
    const Vec2 x = -vines::leftOf(s.normal), skin = vines::leftOf(s.place - s.knee - 0.5 * s.d * s.normal);
    s.atSkin << s.l * x.dot(vines::leftOf(a)), x.dot(skin), s.l * s.normal.dot(vines::leftOf(a)), s.normal.dot(skin);
    return s;
  }
}

/// Rates per time with which it goes off where friction is `mu` and the force at the tip asks for `ratio` of it.
Vec2 goesOff(const Leaning& s, const Vec2& force, double friction) {
  const Mat<2> inverse = s.mass.inverse();
  const Vec2 free = inverse * s.atTip.transpose() * force, push = inverse * s.atSkin.transpose() * Vec2(friction, 1);
  return free - s.atSkin.row(1).dot(free) / s.atSkin.row(1).dot(push) * push;
}

/// The two links under a force that asks for `asked` of the normal force as friction, turned about z.
struct Push {
  Leaning links;
  double mu = 0, asked = 0, turn = 0;
  Vec2 force;
  double time = 0;  // in which it would come far less than a diameter
  double unit = 0;  // [m/s] that it would give to a link's mass
  Mat<2> turned() const { return Eigen::Rotation2Dd(turn).toRotationMatrix(); }
};

Push drawPush(unsigned seed, bool slips) {
  Draw draw(seed ^ 0x62617265u);
  const double mu = draw.uniform(0.1, 0.8), below = draw.uniform(0.5, 0.95), above = draw.uniform(1.05, 1.5),
               side = draw.chance(0.5) ? 1 : -1;
  const double turn = draw.uniform(-pi, pi), press = draw.log(0.1, 10);
  Push p{drawLeaning(draw), mu, side * mu * (slips ? above : below), turn, Vec2::Zero(), 0, 0};
  p.force = -press * p.links.atTip.transpose().inverse() * p.links.atSkin.transpose() * Vec2(p.asked, 1);
  const double mass = p.links.rho * p.links.l;
  p.time = std::sqrt(0.02 * p.links.d * mass / p.force.norm()), p.unit = p.force.norm() * p.time / mass;
  return p;
}

Json leaning(const Push& p) {
  const Leaning& s = p.links;
  const auto told = [&](const Vec2& x) {
    const Vec2 y = p.turned() * x;
    return Json::array({y.x(), y.y(), 0});
  };
  const auto body = [&](const Vec2& from, const Vec2& to, double share) {
    const Vec2 x = p.turned() * Vec2(from + share * (to - from)), way = p.turned() * Vec2(to - from);
    return Json::array({x.x(), x.y(), std::atan2(way.y(), way.x())});
  };
  Json scene = {{"format", "tendril/1"}};
  scene["vines"]["v"] = {
      {"bodies", 4},
      {"length", 2 * s.l},
      {"diameter", s.d},
      {"massPerLength", s.rho},
      {"placements",
       {body(s.base, s.knee, 0.25), body(s.base, s.knee, 0.75), body(s.knee, s.tip, 0.25), body(s.knee, s.tip, 0.75)}}};
  const Json at = told(s.place - ((0.5 + 1e-9) * s.d + s.post) * s.normal);
  if (s.post > 0)
    scene["obstacles"]["post"]["sphere"] = {{"center", at}, {"radius", s.post}};
  else
    scene["obstacles"]["wall"]["plane"] = {{"point", at}, {"normal", told(s.normal)}};
  scene["contact"]["friction"] = p.mu;
  scene["loads"] = {{{"force", told(p.force)}, {"at", "v:tip"}}};
  scene["probes"]["v"] = {{"velocity", "v:tip"}};
  scene["solver"] = {{"dt", p.time / 20}, {"duration", p.time}};
  return scene;
}

/// Of the tip at the end, in the frame of the links.
Vec2 speedOf(const Push& p) {
  Simulation sim(leaning(p).dump());
  test::runToEnd(sim);
  return p.turned().transpose() * test::vectorColumn(sim, "v").head<2>() / p.unit;
}

TEST(VineProperties, ABareEndAndALeaningBodySlipBeyondTheirFrictionAndNotBelow) {
  hold(
      "friction of a bare end", 200,
      [](unsigned seed, const std::set<std::string>&) -> std::string {
        const Push less = drawPush(seed, false), more = drawPush(seed, true);
        const Leaning& s = more.links;
        // Where friction itself presses or lifts about as hard as the links give way, they may jam or take off.
        const Mat<2> gives = s.atSkin * s.mass.inverse() * s.atSkin.transpose();
        if (std::abs(more.asked * gives(0, 1)) > 0.7 * gives(1, 1)) return "skip";
        const std::string what = s.post > 0 ? "body: " : "end: ";
        const double held = speedOf(less).norm();
        if (held > 1e-9) return what + "slips at " + number(less.asked / less.mu) + " of its friction: " + number(held);
        const Vec2 slid = speedOf(more),
                   expected =
                       s.atTip * goesOff(s, more.force, std::copysign(more.mu, more.asked)) * more.time / more.unit;
        const double off = (slid - expected).norm();
        return off < 0.05 * expected.norm() ? ""
                                            : what + "goes off by " + number(slid.norm()) + ", not by " +
                                                  number(expected.norm()) + ", off by " + number(off);
      },
      [](unsigned seed, const Telling&) { return leaning(drawPush(seed, true)).dump(); });
}

}  // namespace properties_vines_test
}  // namespace tendril::properties
