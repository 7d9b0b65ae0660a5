// Laws that know no answer, held against random scenes.
#include <algorithm>

#include "law.h"
#include "told.h"

namespace tendril::properties {
namespace laws_test {

Asked inFlight() {
  Asked asked;
  asked.isFree = true, asked.touching = false;
  return asked;
}

Scenes of(Asked asked) {
  return [asked](unsigned seed, const Telling& t) { return continuum(seed, t, asked); };
}
Scenes links(Asked asked = {}) {
  return [asked](unsigned seed, const Telling& t) { return linkage(seed, t, asked); };
}
Scenes loops(Asked asked = {}) {
  return [asked](unsigned seed, const Telling& t) { return closedChain(seed, t, asked); };
}
/// Bodies that touch each other.
Scenes heaps(Asked asked = {}) {
  return [asked](unsigned seed, const Telling& t) { return touching(seed, t, asked); };
}

void turned(Draw& draw, Telling& t) {
  Vec3 axis = draw.inCube(1);
  t.turn = Eigen::AngleAxisd(draw.uniform(0.3, 3), axis.normalized()).toRotationMatrix();
  t.shift = draw.inCube(0.5);
}

// Solver tolerance 1e-11, some 24 steps: what the last digits grow to in so short a motion.
constexpr double digitsOfMotion = 1e-6, digitsOfRest = 1e-6;
// Explicit steps solve nothing: what round-off grows to in some hundred of them.
constexpr double digitsOfExplicit = 1e-9;

TEST(Properties, TurnedAndShiftedScenesMoveAlike) { alike("rotation", 45, of(moving()), digitsOfMotion, turned); }
TEST(Properties, TurnedAndShiftedScenesRestAlike) { alike("rotation at rest", 45, of(still()), digitsOfRest, turned); }
TEST(Properties, TurnedAndShiftedScenesMoveAlikeByExplicitSteps) {
  alike("rotation, explicit", 30, of(explicitly()), digitsOfExplicit, turned);
  alike("rotation of linkages, explicit", 30, links(explicitly()), digitsOfExplicit, turned);
}
TEST(Properties, TurnedAndShiftedLinkagesMoveAlike) {
  alike("rotation of linkages", 60, links(), digitsOfMotion, turned);
}
TEST(Properties, TurnedAndShiftedLinkagesLandAlike) {
  alike("rotation of linkages that land", 60, links(landing()), digitsOfMotion, turned);
}
TEST(Properties, TurnedAndShiftedLinkagesRestAlike) {
  alike("rotation of linkages at rest", 40, links(still()), digitsOfRest, turned);
}
TEST(Properties, TurnedAndShiftedLoopsMoveAlike) { alike("rotation of loops", 40, loops(), digitsOfMotion, turned); }
TEST(Properties, TurnedAndShiftedLoopsRestAlike) {
  alike("rotation of loops at rest", 40, loops(still()), digitsOfRest, turned);
}
TEST(Properties, TurnedAndShiftedBodiesMeetAlike) {
  alike("rotation of what touches", 40, heaps(), digitsOfMotion, turned);
}

void mirrored(Draw&, Telling& t) { t.mirror = true; }
TEST(Properties, MirroredScenesMoveAlike) { alike("mirror", 45, of(moving()), digitsOfMotion, mirrored); }
TEST(Properties, MirroredBodiesMeetAlike) { alike("mirror of what touches", 40, heaps(), digitsOfMotion, mirrored); }
TEST(Properties, MirroredScenesRestAlike) { alike("mirror at rest", 60, of(still()), digitsOfRest, mirrored); }
TEST(Properties, MirroredScenesMoveAlikeByExplicitSteps) {
  alike("mirror, explicit", 30, of(explicitly()), digitsOfExplicit, mirrored);
}

TEST(Properties, MirroredLinkagesMoveAndRestAlike) {
  alike("mirror of linkages", 40, links(), digitsOfMotion, mirrored);
  alike("mirror of linkages that land", 40, links(landing()), digitsOfMotion, mirrored);
  alike("mirror of linkages at rest", 40, links(still()), digitsOfRest, mirrored);
  alike("mirror of loops", 30, loops(), digitsOfMotion, mirrored);
  alike("mirror of loops at rest", 30, loops(still()), digitsOfRest, mirrored);
}

void inOtherUnits(Draw& draw, Telling& t) {
  t.time = std::exp2(draw.whole(-20, 20)), t.length = std::exp2(draw.whole(-20, 20)),
  t.mass = std::exp2(draw.whole(-20, 20));
}
TEST(Properties, UnitsChangeNoBitOfMotion) { alike("units", 50, of(moving()), 0, inOtherUnits); }
TEST(Properties, UnitsChangeNoBitOfRest) { alike("units at rest", 60, of(still()), 0, inOtherUnits); }
TEST(Properties, UnitsChangeNoBitOfExplicitSteps) {
  alike("units, explicit", 30, of(explicitly()), 0, inOtherUnits);
  alike("units of linkages, explicit", 30, links(explicitly()), 0, inOtherUnits);
}
TEST(Properties, UnitsChangeNoBitOfLinkages) { alike("units of linkages", 60, links(), 0, inOtherUnits); }
TEST(Properties, UnitsChangeNoBitOfLinkagesThatLand) {
  alike("units of linkages that land", 60, links(landing()), 0, inOtherUnits);
}
TEST(Properties, UnitsChangeNoBitOfLinkagesAtRest) {
  alike("units of linkages at rest", 40, links(still()), 0, inOtherUnits);
}
TEST(Properties, UnitsChangeNoBitOfLoops) { alike("units of loops", 40, loops(), 0, inOtherUnits); }
TEST(Properties, UnitsChangeNoBitOfLoopsAtRest) {
  alike("units of loops at rest", 40, loops(still()), 0, inOtherUnits);
}
TEST(Properties, UnitsChangeNoBitOfWhatTouches) { alike("units of what touches", 40, heaps(), 0, inOtherUnits); }

/// Sheets whose hinges open from the start, for a few steps: what they fold into later is another law's.
Scenes opening() {
  return [](unsigned seed, const Telling& t) {
    Json scene = Json::parse(continuum(seed, t, moving()));
    const double rate = Draw(seed + 311).uniform(-1, 1), dt = scene["solver"]["dt"];
    scene["solver"]["duration"] = 6 * dt;
    if (scene.contains("shells") && scene["shells"].contains("skin"))
      scene["initial"].push_back({{"of", "skin"}, {"hingeRate", rate / t.time}});
    return scene.dump();
  };
}
TEST(Properties, HingesOpenAlikeHoweverTheyAreTold) {
  alike("rotation of opening hinges", 30, opening(), digitsOfMotion, turned);
  alike("mirror of opening hinges", 30, opening(), digitsOfMotion, mirrored);
  alike("units of opening hinges", 30, opening(), 0, inOtherUnits);
  alike("stranger beside opening hinges", 30, opening(), 0, [](Draw&, Telling& t) { t.stranger = true; });
}

void bodiesTurnedAround(Draw&, Telling& t) { t.bodiesReversed = true; }
void nodesTurnedAround(Draw&, Telling& t) { t.nodesReversed = true; }
TEST(Properties, TheOrderOfBodiesDoesNotMatter) {
  alike("order of bodies", 40, of(moving()), digitsOfMotion, bodiesTurnedAround);
}
TEST(Properties, TheOrderOfBodiesThatTouchDoesNotMatter) {
  alike("order of what touches", 40, heaps(), digitsOfMotion, bodiesTurnedAround);
}
TEST(Properties, TheOrderOfLinkagesDoesNotMatter) {
  alike("order of linkages", 40, links(), 0, bodiesTurnedAround, [](Telling& t) { t.stranger = true; });
}
// Curvature is told by directors that begin where a rod begins.
void straightens(Telling& t) { t.without.insert({"curved", "flat"}); }
TEST(Properties, TheOrderOfNodesDoesNotMatter) {
  alike("order of nodes", 40, of(moving()), digitsOfMotion, nodesTurnedAround, straightens);
}
TEST(Properties, TheOrderOfNodesDoesNotMatterAtRest) {
  alike("order of nodes at rest", 50, of(still()), digitsOfRest, nodesTurnedAround, straightens);
}
TEST(Properties, TheOrderDoesNotMatterToExplicitSteps) {
  alike("order of bodies, explicit", 30, of(explicitly()), digitsOfExplicit, bodiesTurnedAround);
  alike("order of nodes, explicit", 30, of(explicitly()), digitsOfExplicit, nodesTurnedAround, straightens);
}
TEST(Properties, TheOrderOfNodesOfWhatTouchesDoesNotMatter) {
  alike("order of nodes of what touches", 40, heaps(), digitsOfMotion, nodesTurnedAround);
}

void withAStranger(Draw&, Telling& t) { t.stranger = true; }
TEST(Properties, AnUnrelatedBodyChangesNoBitOfMotion) { alike("stranger", 50, of(moving()), 0, withAStranger); }
TEST(Properties, AnUnrelatedBodyChangesNoBitOfRest) { alike("stranger at rest", 50, of(still()), 0, withAStranger); }
TEST(Properties, AnUnrelatedHeapChangesNoBitOfWhatTouches) {
  alike("stranger beside what touches", 50, heaps(), 0, withAStranger);
}
TEST(Properties, AnUnrelatedBodyChangesNoBitOfExplicitSteps) {
  alike("stranger, explicit", 30, of(explicitly()), 0, withAStranger);
  alike("stranger beside linkages, explicit", 30, links(explicitly()), 0, withAStranger);
}
TEST(Properties, AnUnrelatedLinkageChangesNoBitOfMotion) {
  alike("stranger beside linkages", 50, links(), 0, withAStranger);
}
TEST(Properties, AnUnrelatedLinkageChangesNoBitOfLanding) {
  alike("stranger beside linkages that land", 50, links(landing()), 0, withAStranger);
}
TEST(Properties, AnUnrelatedLinkageChangesNoBitOfRest) {
  alike("stranger beside linkages at rest", 50, links(still()), 0, withAStranger);
}

/// Obstacles that nothing comes near, at rest and moving, before and behind those that there are.
Scenes beside(const Scenes& scenes) {
  return [scenes](unsigned seed, const Telling& t) {
    Telling alone = t;
    alone.stranger = false;
    Json scene = Json::parse(scenes(seed, alone));
    if (!t.stranger || t.without.count("stranger") != 0) return scene.dump();
    Draw draw(seed + 167);
    Json obstacles = Json::object();
    const int count = draw.whole(1, 12);
    const bool still = scene["solver"].value("mode", "") == "static";
    for (int i = 0; i < count; ++i) {
      const Vec3 at = Vec3(0, -30, 40) + draw.inCube(5);
      const double r = draw.log(0.01, 1);
      Json o;
      if (i % 3 == 0) o["sphere"] = {{"center", t.place(at)}, {"radius", t.value(r, 0, 1, 0)}};
      if (i % 3 == 1)
        o["box"] = {{"center", t.place(at)},
                    {"half", {t.value(r, 0, 1, 0), t.value(2 * r, 0, 1, 0), t.value(r, 0, 1, 0)}}};
      if (i % 3 == 2)
        o["capsule"] = {{"from", t.place(at)}, {"to", t.place(at + Vec3(r, 1, r))}, {"radius", t.value(r, 0, 1, 0)}};
      if (draw.chance(0.4) && !still) o["velocity"] = t.vector(draw.inCube(3), 0, 1, -1);
      obstacles[(i % 2 ? "z" : "a") + std::to_string(i)] = o;
    }
    const Json own = scene.value("obstacles", Json::object());
    for (const auto& [name, o] : own.items()) obstacles[name] = o;
    scene["obstacles"] = obstacles;
    return scene.dump();
  };
}
TEST(Properties, ObstaclesThatNothingComesNearChangeNoBit) {
  alike("far obstacles", 50, beside(of(moving())), 0, withAStranger);
  alike("far obstacles at rest", 30, beside(of(still())), 0, withAStranger);
  alike("far obstacles beside what touches", 40, beside(heaps()), 0, withAStranger);
  alike("far obstacles beside linkages", 50, beside(links()), 0, withAStranger);
  alike("far obstacles beside linkages that land", 30, beside(links(landing())), 0, withAStranger);
}

void drifting(Draw& draw, Telling& t) { t.drift = draw.inCube(0.5); }
TEST(Properties, AMotionLooksTheSameFromATrain) { alike("Galilei", 12, of(inFlight()), digitsOfMotion, drifting); }
TEST(Properties, AFloorLooksTheSameFromATrain) {
  Asked asked;
  asked.isFree = true;
  alike("Galilei over a floor", 12, of(asked), digitsOfMotion, drifting);
}
TEST(Properties, WhatTouchesLooksTheSameFromATrain) {
  alike("Galilei of what touches", 30, heaps(inFlight()), digitsOfMotion, drifting);
}

/// A rod or a sheet that nothing holds and an obstacle of any shape that comes its way, in steps as long as its radius
/// or more.
std::string collision(unsigned seed, const Telling& t) {
  Draw draw(seed ^ 0x636f6c6cu);
  const auto has = [&](const char* feature, double share) {
    return draw.chance(share) && t.without.count(feature) == 0;
  };
  Json scene = {{"format", "tendril/1"}};
  const double E = draw.log(1e6, 1e8), r = draw.uniform(0.002, 0.005), size = draw.uniform(0.01, 0.03),
               speed = draw.log(0.3, 3);
  scene["materials"]["m"] = {{"youngs", E}, {"poisson", 0.3}, {"density", draw.uniform(500, 2000)}};
  const Vec3 askew = draw.inCube(0.02), along(0.2, askew.x(), askew.y()), off = 0.6 * draw.inCube(size);
  const bool sheet = has("sheet", 0.4), rubs = has("friction", 0.4), heavy = has("weight", 0.4);
  if (sheet) {
    scene["shells"]["b"] = {{"material", "m"},
                            {"thickness", 2 * r},
                            {"bending", "hinge"},
                            {"mesh",
                             {{"rectangle",
                               {{"corner", {0, -0.05, 0}},
                                {"along", Telling::list(along)},
                                {"across", {0, 0.1, askew.z()}},
                                {"edge", 0.03}}}}}};
  } else {
    scene["rods"]["b"] = {{"material", "m"},
                          {"section", {{"circle", {{"radius", r}}}}},
                          {"segments", draw.whole(6, 12)},
                          {"path", {{"line", {{"from", {0, 0, 0}}, {"to", Telling::list(along)}}}}}};
  }
  // From above, to where the middle is.
  const double gap = draw.uniform(0.2, 1.5) * size;
  const Vec3 middle = 0.5 * along + Vec3(off.x(), off.y(), r + size + gap), across = Vec3(off.z(), 1, 0.2).normalized();
  Json shape;
  switch (draw.whole(0, 3)) {
    case 0:
      shape = {{"sphere", {{"center", Telling::list(middle)}, {"radius", size}}}};
      break;
    case 1:
      shape = {{"capsule",
                {{"from", Telling::list(middle - 0.1 * across)},
                 {"to", Telling::list(middle + 0.1 * across)},
                 {"radius", size}}}};
      break;
    case 2:
      shape = {{"cylinder",
                {{"from", Telling::list(middle - 0.1 * across)},
                 {"to", Telling::list(middle + 0.1 * across)},
                 {"radius", size}}}};
      break;
    default:
      shape = {{"box", {{"center", Telling::list(middle)}, {"half", Telling::list(Vec3(size, 0.1, size))}}}};
      break;
  }
  const Vec3 comes(draw.uniform(-0.3, 0.3) * speed, draw.uniform(-0.3, 0.3) * speed, -speed);
  shape["velocity"] = Telling::list(comes + t.drift);
  scene["obstacles"]["o"] = shape;
  scene["contact"] = {{"distance", 0.3 * r}, {"slip", 0.02 * speed}};
  if (rubs) scene["contact"]["friction"] = draw.uniform(0.1, 0.6);
  scene["environment"]["gravity"] = heavy ? Json::array({0, 0, -9.81}) : Json::array({0, 0, 0});
  scene["initial"] = {{{"of", "b"}, {"velocity", Telling::list(t.drift)}}};
  static const char* const integrators[] = {"implicit-euler", "bdf2", "implicit-midpoint"};
  const double dt = draw.log(0.1, 2) * r / speed;
  scene["solver"] = {
      {"integrator", integrators[draw.whole(0, 2)]}, {"dt", dt}, {"duration", 40 * dt}, {"tolerance", 1e-11}};
  return scene.dump();
}
TEST(Properties, WhatAnObstacleStrikesLooksTheSameFromATrain) {
  alike("Galilei of obstacles", 60, collision, digitsOfMotion,
        [](Draw& draw, Telling& t) { t.drift = draw.log(0.3, 30) * draw.inCube(1).normalized(); });
}

/// What it would take to stretch the first rod to twice its length, about [J].
double materialEnergy(const std::string& scene) {
  const Json s = Json::parse(scene);
  const double r = radiusOf(s["rods"]["one"]), E = s["materials"]["a"]["youngs"];
  return E * pi * r * r * 0.3;
}

/// A train up to a hundred times as fast as what moves in it.
void rushing(Draw& draw, Telling& t) { t.drift = draw.log(1, 100) * draw.inCube(1).normalized(); }

/// What is gained and wasted, cut and told is nothing that a train changes, however much energy of motion it has.
/// `single`: so is what was in play. Of bodies that meet that is counted together as soon as they may touch in a step,
/// by how far they go in it.
Law sameFromATrain(const Scenes& scenes, bool single) {
  return [=](unsigned seed, const std::set<std::string>& without) -> std::string {
    Telling stands, flies;
    stands.without = flies.without = without;
    Draw draw(seed + 77);
    rushing(draw, flies);
    const Course a = run(scenes(seed, stands), stands), b = run(scenes(seed, flies), flies);
    const double through = a.energy.peak + a.energy.dissipated;
    if (a.failure.empty() != b.failure.empty()) return "one runs, one does not: " + a.failure + b.failure;
    if (!a.failure.empty() || through == 0 || (single && through < 1e-24 * materialEnergy(a.scene))) return "skip";
    // What is told otherwise is rounded otherwise, and may not be cut at the same step.
    const bool alike = apart(a, b) < digitsOfMotion;
    if (a.gained != b.gained || a.warned != b.warned) {
      return hangsOnRoundOff(a, seed, scenes, stands, digitsOfMotion) ? "skip" : "cut or told in one alone";
    }
    if (!alike || a.retries != b.retries) return "skip";
    std::vector<std::pair<const char*, double>> off = {{"numerical", b.energy.numerical - a.energy.numerical},
                                                       {"dissipated", b.energy.dissipated - a.energy.dissipated}};
    if (single)
      off.insert(off.end(),
                 {{"peak", b.energy.peak - a.energy.peak}, {"what came in", b.energy.given - a.energy.given}});
    for (const auto& [what, by] : off) {
      if (std::abs(by) > 1e-5 * through + b.energy.little) return what + (" off by " + number(by / through));
    }
    return "";
  };
}
TEST(Properties, TheWatchSeesTheSameFromATrain) {
  Asked asked;
  asked.isFree = true;
  hold("the watch from a train", 12, sameFromATrain(of(asked), true), of(asked));
  asked.landing = true;
  hold("the watch of linkages from a train", 40, sameFromATrain(links(asked), false), links(asked));
  hold("the watch of what touches from a train", 30, sameFromATrain(heaps(inFlight()), false), heaps(inFlight()));
}

// ---- balances -----------------------------------------------------------------------------------------------------

/// What the integrator has made or taken, of all that passed through. Where rods are at rest and nothing acts, that is
/// round-off of places, squared.
double leftOver(const Course& c, bool rods) {
  const double through = c.energy.peak + std::abs(c.energy.work) + c.energy.dissipated;
  if (c.energy.numerical == 0 || (rods && through < 1e-24 * materialEnergy(c.scene))) return 0;
  return c.energy.numerical / through;
}

TEST(Properties, TheMidpointRuleClosesTheBalanceOfEnergy) {
  Asked asked;
  asked.touching = false;
  const auto closes = [](const Scenes& scenes, bool rods) {
    return [=](unsigned seed, const std::set<std::string>& without) -> std::string {
      Telling t;
      t.without = without, t.integrator = "implicit-midpoint";
      const Course c = run(scenes(seed, t), t);
      if (!c.failure.empty() || c.retries > 0) return "skip";
      const double off = std::abs(leftOver(c, rods));
      return off < 1e-7 ? "" : "numerical " + number(off) + " of what passes through";
    };
  };
  hold("energy", 60, closes(of(asked), true), of(asked));
  // Kinks of drives are passed by implicit Euler.
  Asked undriven = asked;
  undriven.driven = false;
  hold("energy of linkages", 60, closes(links(undriven), false), links(undriven));
}

TEST(Properties, NoIntegratorGainsMoreThanTheWatchAllowsWithoutAWord) {
  const auto gains = [](const Scenes& scenes, bool rods) {
    return [=](unsigned seed, const std::set<std::string>& without) -> std::string {
      Telling t;
      t.without = without;
      const Course c = run(scenes(seed, t), t);
      if (!c.failure.empty() || c.warned) return "skip";
      return leftOver(c, rods) < 0.06 ? "" : "gained " + number(leftOver(c, rods));
    };
  };
  hold("no gain", 60, gains(of({}), true), of({}));
  hold("no gain of linkages", 60, gains(links(), false), links());
}

/// Heavy rods in a chain of pins from the end of a cantilever; `loads` on the cantilever [of its weight].
std::string hangingChain(unsigned seed, const Telling&, double share) {
  Draw draw(seed);
  Json scene = {{"format", "tendril/1"}, {"materials", {{"m", {{"youngs", 1e7}, {"density", 1000}}}}}};
  Vec3 from = Vec3::Zero();
  const int count = 2 + static_cast<int>(draw.uniform(0, 2));
  for (int i = 0; i < count; ++i) {
    const Vec3 to = from + draw.uniform(0.05, 0.1) * draw.inCube(1).normalized();
    scene["rods"]["r" + std::to_string(i)] = {
        {"section", {{"circle", {{"radius", draw.uniform(0.002, 0.004)}}}}},
        {"segments", 5},
        {"path", {{"line", {{"from", Telling::list(from)}, {"to", Telling::list(to)}}}}}};
    if (i > 0)
      scene["joints"].push_back({{"pin", {"r" + std::to_string(i - 1) + ":last", "r" + std::to_string(i) + ":first"}}});
    from = to;
  }
  scene["constraints"] = Json::array({{{"clamp", "r0:first"}}});
  scene["environment"]["gravity"] = {0, 0, -9.81};
  scene["solver"] = {{"mode", "static"}, {"loadSteps", 1 + static_cast<int>(draw.uniform(0, 6))}};
  // Some 2 g of rubber.
  const double size = share * 0.02 * draw.uniform(0.5, 1);
  const bool follower = draw.uniform(0, 1) < 0.5;
  const Vec3 along = draw.inCube(1).normalized() * (follower ? size : 0.1 * size);
  if (share > 0)
    scene["loads"] = Json::array({{{follower ? "follower" : "moment", Telling::list(along)}, {"at", "r0:last"}}});
  return scene.dump();
}

TEST(Properties, ATinyLoadThatFollowsChangesNoEquilibrium) {
  const Scenes scenes = [](unsigned seed, const Telling& t) { return hangingChain(seed, t, 1e-9); };
  const Law law = [&](unsigned seed, const std::set<std::string>& without) -> std::string {
    Telling t;
    t.without = without;
    const Course with = run(scenes(seed, t), t), none = run(hangingChain(seed, t, 0), t);
    if (!with.failure.empty() || !none.failure.empty())
      return with.failure.empty() == none.failure.empty() ? "skip" : with.failure + none.failure;
    return apart(with, none) > 1e-6 ? "apart by " + number(apart(with, none)) : "";
  };
  hold("a tiny load that follows", 60, law, scenes);
}

/// Sums over a scene's free motion, by probes.
TEST(Properties, FreeBodiesMoveByTheirWeightAlone) {
  hold(
      "momentum", 50,
      [](unsigned seed, const std::set<std::string>& without) -> std::string {
        Telling t;
        t.without = without;
        t.without.insert({"force", "moment", "follower", "second", "sheet"});
        Json scene = Json::parse(continuum(seed, t, inFlight()));
        scene["probes"] = {{"v", {{"velocity", "one"}}}};
        try {
          Simulation sim(scene.dump());
          const std::size_t nodes = scene["rods"]["one"]["path"]["points"].size();
          // Momentum over mass: end nodes bear half an edge. From positions of all nodes and their change over the last
          // step.
          Vec3 g(scene["environment"]["gravity"][0], scene["environment"]["gravity"][1],
                 scene["environment"]["gravity"][2]);
          const auto mean = [&] {
            const auto body = sim.bodies().front();
            Vec3 sum = Vec3::Zero();
            double mass = 0;
            for (std::size_t i = 0; i < nodes; ++i) {
              double m = 0;
              const auto p = [&](std::size_t k) {
                return Vec3(scene["rods"]["one"]["path"]["points"][k][0], scene["rods"]["one"]["path"]["points"][k][1],
                            scene["rods"]["one"]["path"]["points"][k][2]);
              };
              if (i > 0) m += 0.5 * (p(i) - p(i - 1)).norm();
              if (i + 1 < nodes) m += 0.5 * (p(i + 1) - p(i)).norm();
              sum += m * Vec3(body.nodes[3 * i], body.nodes[3 * i + 1], body.nodes[3 * i + 2]), mass += m;
            }
            return Vec3(sum / mass);
          };
          const Vec3 x0 = mean();
          Vec3 v0 = Vec3::Zero();
          for (const Json& i : scene.value("initial", Json::array())) {
            if (i.contains("velocity")) v0 = Vec3(i["velocity"][0], i["velocity"][1], i["velocity"][2]);
          }
          const long retries = test::runToEnd(sim).retries;
          if (retries > 0) return "skip";
          const double T = sim.time(), dt = scene["solver"]["dt"], n = std::round(T / dt);
          const std::string integrator = scene["solver"]["integrator"];
          // What a constant acceleration makes of n equal steps from a known velocity: the midpoint rule falls as
          // everything does, implicit Euler at every step by its last velocity, BDF2 after one step of Euler.
          const double steps = integrator == "implicit-midpoint" ? 0.5 * n * n
                               : integrator == "implicit-euler"  ? 0.5 * n * (n + 1)
                                                                 : 0.5 * n * n + 0.75 * (1 - std::pow(3, -n));
          const double off = (mean() - x0 - v0 * T - steps * dt * dt * g).norm();
          const double allowed = 1e-9 * (0.3 + (v0 * T).norm() + T * T * g.norm());
          return off <= allowed ? "" : "falls " + number(off) + " m beside";
        } catch (const std::exception&) {
          return std::string("skip");
        }
      },
      of(inFlight()));
}

// ---- statics ------------------------------------------------------------------------------------------------------

TEST(Properties, ReactionsBearTheLoads) {
  hold(
      "reactions", 60,
      [](unsigned seed, const std::set<std::string>& without) -> std::string {
        Telling t;
        t.without = without;
        t.without.insert({"follower", "field"});
        Json scene = Json::parse(continuum(seed, t, still()));
        scene["probes"] = {{"R", {{"reaction", "one:first"}}}};
        const bool sheet = scene.contains("shells");
        if (sheet) scene["probes"]["S"] = {{"reaction", "skin"}};
        try {
          Simulation sim(scene.dump());
          test::runToEnd(sim);
          Vec3 sum = test::vectorColumn(sim, "R");
          double size = 0;
          const auto list = [](const Json& j) { return Vec3(j[0], j[1], j[2]); };
          if (sheet) {
            const Json& skin = scene["shells"]["skin"];
            double area = 0;
            for (const Json& c : skin["mesh"]["triangles"]) {
              const auto corner = [&](int k) {
                return list(skin["mesh"]["points"][c[static_cast<std::size_t>(k)].get<std::size_t>()]);
              };
              area += 0.5 * (corner(1) - corner(0)).cross(corner(2) - corner(0)).norm();
            }
            const double rho = scene["materials"]["b"]["density"];
            const Vec3 weight = rho * skin["thickness"].get<double>() * area * list(scene["environment"]["gravity"]);
            sum += test::vectorColumn(sim, "S") + weight, size += weight.norm();
          }
          for (const Json& load : scene.value("loads", Json::array())) {
            if (load.contains("force")) sum += list(load["force"]), size += list(load["force"]).norm();
          }
          for (const auto& [name, rod] : scene["rods"].items()) {
            double length = 0;
            const Json& p = rod["path"]["points"];
            for (std::size_t i = 1; i < p.size(); ++i) length += (list(p[i]) - list(p[i - 1])).norm();
            const double r = radiusOf(rod), rho = scene["materials"][rod["material"].get<std::string>()]["density"];
            const Vec3 weight = rho * pi * r * r * length * list(scene["environment"]["gravity"]);
            sum += weight, size += weight.norm();
          }
          if (size == 0) return "skip";
          return sum.norm() < 1e-6 * size ? "" : "they differ by " + number(sum.norm() / size);
        } catch (const std::exception&) {
          return std::string("skip");
        }
      },
      of(still()));
}

// A slide at the base that does not move bears what acts along its axis.
TEST(Properties, ASlideThatIsHeldBearsTheLoadsOfItsLinkage) {
  hold(
      "reactions of linkages", 40,
      [](unsigned seed, const std::set<std::string>& without) -> std::string {
        Telling t;
        t.without = without;
        t.without.insert({"field", "wrench"});  // whose sum depends on how it stands
        Json scene = Json::parse(linkage(seed, t, still()));
        static const char* const axes[] = {"x", "y", "z"};
        const int axis = Draw(seed + 7).whole(0, 2);
        Json& links = scene["linkages"]["arm"]["links"];
        links["l0"]["joint"] = {{"prismatic", {{"axis", axes[axis]}, {"displacement", 0}}}};
        scene["probes"]["effort"] = {{"jointEffort", "arm/l0"}};
        const auto list = [](const Json& j) { return Vec3(j[0], j[1], j[2]); };
        double mass = 0;
        for (const auto& [name, link] : links.items()) {
          const Json& body = *link["body"].begin();
          const double r = body.contains("section") ? body["section"]["circle"]["radius"].get<double>() : 0;
          mass += body.contains("mass") ? body["mass"].get<double>() : 1000 * pi * r * r * body["length"].get<double>();
        }
        Vec3 sum = mass * list(scene["environment"]["gravity"]);
        double size = sum.norm();
        for (const Json& load : scene.value("loads", Json::array()))
          sum += list(load["force"]), size += list(load["force"]).norm();
        try {
          Simulation sim(scene.dump());
          test::runToEnd(sim);
          if (size == 0) return "skip";
          const double off = test::column(sim, "effort") + sum[axis];
          return std::abs(off) < 1e-6 * size ? "" : "they differ by " + number(off / size);
        } catch (const std::exception& error) {
          return "skip";
        }
      },
      links(still()));
}

// Two small loads about a loaded equilibrium: what the one does at the place of the other is what the other does at the
// place of the one.
struct Pushed {
  Json scene;
  std::string at, to;  ///< two places
  double small = 0;    ///< force that moves them little [N]
};

/// By how much the work of either small load on the other's motion differs.
std::string reciprocal(Pushed p, Draw draw, int refined = 0) {
  Draw directions = draw;
  const Vec3 a = directions.inCube(1).normalized(), b = directions.inCube(1).normalized();
  p.scene["probes"] = {{"at", {{"position", p.at}}}, {"to", {{"position", p.to}}}};
  const auto with = [&](double fa, double fb) {
    Json s = p.scene;
    s["loads"].push_back({{"force", Telling::list(fa * a)}, {"at", p.at}});
    s["loads"].push_back({{"force", Telling::list(fb * b)}, {"at", p.to}});
    Simulation sim(s.dump());
    test::runToEnd(sim);
    return std::pair(test::vectorColumn(sim, "at"), test::vectorColumn(sim, "to"));
  };
  try {
    // Central differences, so that what is left is of third order.
    const auto none = with(0, 0), ap = with(p.small, 0), am = with(-p.small, 0), bp = with(0, p.small),
               bm = with(0, -p.small);
    // What stands upright falls to the one side or the other: then these are not small.
    const double most = (ap.first - am.first).norm() + (bp.second - bm.second).norm();
    if ((ap.first + am.first - 2 * none.first).norm() + (bp.second + bm.second - 2 * none.second).norm() > 0.05 * most)
      return "skip";
    const double ab = b.dot(ap.second - am.second), ba = a.dot(bp.first - bm.first);
    const double size = std::sqrt(std::abs(a.dot(ap.first - am.first) * b.dot(bp.second - bm.second)));
    if (std::abs(ab - ba) <= 1e-4 * size) return "";
    // Near where something buckles only smaller loads are small.
    if (refined < 2) return reciprocal({p.scene, p.at, p.to, p.small / 8}, draw, refined + 1);
    return "they differ by " + number(std::abs(ab - ba) / size);
  } catch (const std::exception&) {
    return "skip";
  }
}

TEST(Properties, SmallLoadsAboutAnEquilibriumAreReciprocal) {
  hold(
      "reciprocity", 50,
      [](unsigned seed, const std::set<std::string>& without) -> std::string {
        Telling t;
        t.without = without;
        t.without.insert({"moment", "follower"});
        Pushed p{Json::parse(continuum(seed, t, still())), {}, {}};
        const int n = static_cast<int>(p.scene["rods"]["one"]["path"]["points"].size()) - 1;
        const bool second = p.scene["rods"].contains("two");
        Draw draw(seed + 5);
        p.at = "one:" + std::to_string(draw.whole(2, n)),
        p.to = second ? "two:last" : "one:" + std::to_string(n / 2 + 1);
        const double r = radiusOf(p.scene["rods"]["one"]), E = p.scene["materials"]["a"]["youngs"];
        p.small = 1e-4 * E * pi / 4 * std::pow(r, 4) / 0.09;
        return reciprocal(p, draw);
      },
      of(still()));
  for (const auto& [name, body, scenes] :
       {std::tuple("linkages", "arm/l", links(still())), std::tuple("loops", "bars/l", loops(still()))}) {
    hold(
        std::string("reciprocity of ") + name, 40,
        [body = std::string(body), scenes = scenes](unsigned seed,
                                                    const std::set<std::string>& without) -> std::string {
          Telling t;
          t.without = without;
          Pushed p{Json::parse(scenes(seed, t)), {}, {}};
          const int last = static_cast<int>(p.scene["linkages"].begin()->at("links").size()) - 1;
          Draw draw(seed + 5);
          p.at = body + std::to_string(draw.whole(0, last)) + "@0.7",
          p.to = body + (last == 2 ? "1@0.5" : std::to_string(last) + "@1");
          p.small = 1e-4;
          return reciprocal(p, draw);
        },
        scenes);
  }
}

/// Loads, weight and actuation that grow smoothly from nothing, so that nothing rings faster than steps resolve.
std::string gently(const std::string& text) {
  Json scene = Json::parse(text);
  const double T = scene["solver"]["duration"];
  const auto slowed = [&](const Json& v) -> Json {
    return "=(" + (v.is_string() ? v.get<std::string>().substr(1) : test::digits(v.get<double>())) + ")*sin(0.5*pi*t/" +
           test::digits(T) + ")^4";
  };
  const auto slow = [&](Json& list) {
    for (Json& v : list) v = slowed(v);
  };
  slow(scene["environment"]["gravity"]);
  if (scene.contains("loads")) {
    for (Json& load : scene["loads"]) {
      if (!load.contains("wrench")) {
        slow(*load.begin());
        continue;
      }
      for (Json& part : load["wrench"]) slow(part);
    }
  }
  if (scene.contains("actuation")) {
    for (Json& actuation : scene["actuation"]) {
      if (actuation.contains("natural")) slow(actuation["natural"]);
    }
  }
  if (scene.contains("linkages") && scene["linkages"].begin()->contains("cables")) {
    Json& tension = (*scene["linkages"].begin())["cables"]["tendon"]["tension"];
    tension = slowed(tension);
  }
  return scene.dump();
}

// ---- order --------------------------------------------------------------------------------------------------------

/// Halving the step twice, `first` times the scene's own being the longest, and up to twice more where stiff modes hide
/// the order of long steps.
Law ordered(const Scenes& scenes, const std::string& integrator, double order, double first, double duration) {
  return [=](unsigned seed, const std::set<std::string>& without) -> std::string {
    std::vector<Course> c;
    std::string said;
    for (int k = 0; k < 5; ++k) {
      Telling t;
      t.without = without, t.integrator = integrator;
      // Stiff modes and jumps, here of what straightens, have no order.
      t.without.insert({"sheet", "second", "initial", "curved", "turned", "spun"});
      t.dt = first * std::exp2(-k), t.duration = duration;
      c.push_back(run(gently(scenes(seed, t)), t));
      if (!c.back().failure.empty() || c.back().retries > 0) return "skip";
      if (k < 2) continue;
      const std::size_t last = c.size() - 1;
      const double d1 = apart(c[last - 1], c[last - 2]), d2 = apart(c[last], c[last - 1]);
      if (d1 < 1e-7) return k == 2 ? "skip" : said;
      const double found = std::log2(d1 / d2);
      if (found > order - 0.5) return "";
      said = "order " + number(found) + ", differences " + number(d1) + " and " + number(d2);
    }
    return said;
  };
}

TEST(Properties, HalfTheStepLeavesTheErrorOfItsOrder) {
  Asked asked;
  asked.touching = false;
  // Errors of kinks are of the order, but go up and down with where in a step they come.
  asked.driven = false;
  for (const auto& [integrator, order] :
       {std::pair("implicit-euler", 1), std::pair("bdf2", 2), std::pair("implicit-midpoint", 2)}) {
    hold(std::string("order of ") + integrator, 16, ordered(of(asked), integrator, order, 1.0 / 16, 0.15), of(asked));
  }
  for (const auto& [integrator, order] : {std::pair("implicit-euler", 1), std::pair("bdf2", 2),
                                          std::pair("implicit-midpoint", 2), std::pair("generalized-alpha", 2)}) {
    hold(std::string("order of linkages, ") + integrator, 16,
         ordered(links(asked), integrator, order, order == 1 ? 0.125 : 0.5, 0.5), links(asked));
  }
  for (const auto& [integrator, order] : {std::pair("implicit-euler", 1), std::pair("generalized-alpha", 2)}) {
    hold(std::string("order of loops, ") + integrator, 16,
         ordered(loops(), integrator, order, order == 1 ? 0.125 : 1, 0.5), loops());
  }
}

}  // namespace laws_test
}  // namespace tendril::properties
