// Momentum of what floats freely, which the midpoint rule keeps where nothing twists. (What twists in space keeps
// angular momentum but for the inertia of twist and to second order, once twist is resolved: DynamicsInvariance has
// that.)
#include <array>
#include <cmath>
#include <vector>

#include "law.h"
#include "links/model.h"
#include "rods_shells/model.h"
#include "scene/load/load.h"

namespace tendril::properties {
namespace momentum_test {

struct Momenta {
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
  double scale = 0;  // sum of m |x| |v|
};

/// About the first place of the center of mass, twist of rods included.
Momenta momentaOf(rods_shells::Model& model) {
  const rods_shells::Structure& s = model.system().structure();
  const VectorX &q = model.history().q, &v = model.history().v;
  Vec3 center = Vec3::Zero();
  double mass = 0;
  for (std::size_t i = 0; i < s.nodes.size(); ++i)
    center += s.mass[s.nodeDof[i]] * s.nodes[i], mass += s.mass[s.nodeDof[i]];
  center /= mass;
  Momenta out;
  for (std::size_t i = 0; i < s.nodes.size(); ++i) {
    const Vec3 x = s.nodes[i] + q.segment<3>(s.nodeDof[i]) - center,
               p = s.mass[s.nodeDof[i]] * v.segment<3>(s.nodeDof[i]);
    out.linear += p, out.angular += x.cross(p), out.scale += x.norm() * p.norm();
  }
  for (const rods_shells::Edge& e : s.edges) {
    const Vec3 along = e.initial + q.segment<3>(s.nodeDof[e.b]) - q.segment<3>(s.nodeDof[e.a]);
    out.angular += s.mass[e.theta] * v[e.theta] * along.normalized();
  }
  return out;
}

/// Rods, pinned nets and sheets that fly apart and turn, each point with its own velocity; rods in a plane.
std::string thrown(unsigned seed, const Telling& telling) {
  Asked asked;
  asked.isFree = true, asked.touching = false;
  Telling t = telling;
  t.integrator = "implicit-midpoint";
  // A weld's frame has an inertia of its own, which is not summed here.
  for (const char* f : {"force", "moment", "follower", "weight", "weld", "stem", "initial", "twisted", "stretched",
                        "curved", "turned", "spun"})
    t.without.insert(f);
  Json scene = Json::parse(continuum(seed, t, asked));
  Draw draw(seed + 21);
  const double speed = draw.uniform(0.05, 0.3);
  const auto wave = [&](const char* along, double scale) {
    std::string out = "=" + test::digits(speed * draw.uniform(-1, 1));
    for (int k = 1; k <= 2; ++k)
      out += "+" + test::digits(speed * draw.uniform(-1, 1)) + "*sin(" + test::digits(k * scale) + "*" + along + ")";
    return out;
  };
  scene["initial"];  // a new key moves the others
  for (auto& [name, rod] : scene["rods"].items()) {
    const Json x = wave("u", 3), y = wave("u", 3);
    for (Json& p : rod["path"]["points"]) p[2] = 0.0;
    rod["frame"] = {0, 0, 1};
    scene["initial"].push_back({{"of", name}, {"velocity", {x, y, 0.0}}});
  }
  if (scene.contains("shells"))
    scene["initial"].push_back({{"of", "skin"}, {"velocity", {wave("y", 10), wave("x", 10), wave("x", 10)}}});
  return scene.dump();
}

/// About the first place of the center of mass.
Momenta momentaOf(links::Model& model) {
  links::System& system = model.system();
  system.place(model.history().q, model.history().v);
  Momenta out;
  for (const links::MassPoint& m : system.masses()) {
    const links::ChainFrame& frame = system.chain().frames()[static_cast<std::size_t>(m.step)];
    const geometry::Vec6 own = m.inertia * frame.velocity;
    const Vec3 p = frame.pose.R * own.tail<3>(), turn = frame.pose.R * own.head<3>();
    out.linear += p, out.angular += frame.pose.r.cross(p) + turn,
        out.scale += frame.pose.r.norm() * p.norm() + turn.norm();
  }
  return out;
}

struct Drift {
  bool refused = false;
  double linear = 0, angular = 0;  // the largest, of the start's
};

template <class Model>
Drift driftOf(const std::string& text) {
  auto result = scene::loadScene(text, {});
  const scene::Scene& scene = std::get<scene::Scene>(result);
  const world::World world(scene);
  Model model(world);
  const Momenta start = momentaOf(model);
  const double dt = scene.solver.dt;
  Drift out;
  for (int k = 0; k < std::lround(scene.solver.duration / dt); ++k) {
    model::StepRequest request;
    request.t0 = k * dt, request.dt = dt;
    out.refused = !model.step(request, {}).accepted;
    if (out.refused) return out;
    const Momenta now = momentaOf(model);
    out.angular = std::max(out.angular, (now.angular - start.angular).norm() / start.scale);
    out.linear = std::max(out.linear, (now.linear - start.linear).norm() / start.linear.norm());
  }
  return out;
}

TEST(Properties, WhatNeitherTwistsNorRubsKeepsItsAngularMomentum) {
  hold(
      "angular momentum", 40,
      [](unsigned seed, const std::set<std::string>& without) -> std::string {
        Telling t;
        t.without = without;
        const Drift drift = driftOf<rods_shells::Model>(thrown(seed, t));
        if (drift.refused) return "skip";
        if (drift.linear > 1e-9) return "momentum drifts by " + number(drift.linear);
        return drift.angular < 1e-9 ? "" : "drifts by " + number(drift.angular);
      },
      [](unsigned seed, const Telling& t) { return thrown(seed, t); });
}

/// A curved rod that is held somewhere and twisted by a moment.
std::string twisted(unsigned seed, const char* integrator, const Telling& telling) {
  Draw draw(seed);
  Json scene = {{"format", "tendril/1"},
                {"materials", {{"m", {{"youngs", draw.uniform(5e5, 5e6)}, {"density", 1000}}}}}};
  scene["rods"]["a"] = {
      {"section", {{"circle", {{"radius", draw.uniform(2e-3, 4e-3)}}}}},
      {"segments", draw.whole(4, 10)},
      {"path",
       {{"arc",
         {{"center", {0, 0, 0}}, {"from", {0.1, 0, 0}}, {"axis", {0, 0, 1}}, {"angle", draw.uniform(0.5, 2)}}}}}};
  const char* holds[] = {"clamp", "fix"};
  scene["constraints"] = {{{holds[draw.whole(0, 1)], "a:first"}}};
  if (telling.without.count("turned") == 0 && draw.whole(0, 1) == 1)
    scene["constraints"].push_back({{"fixTwist", "a:first"}});
  scene["loads"] = {{{"moment", Telling::list(draw.inCube(1e-3))}, {"at", "a:last"}},
                    {{"moment", Telling::list(draw.inCube(1e-3))}, {"at", "a:2"}}};
  scene["environment"]["gravity"] = Telling::list(draw.inCube(5));
  scene["solver"] = {{"integrator", integrator}, {"dt", 1e-3}, {"duration", 0.03}, {"tolerance", 1e-12}};
  scene["probes"]["R"] = {{"reaction", "a:first"}};
  return scene.dump();
}

// Whatever turns the rod's frames: what its supports bear is what its momentum gains beyond its weight.
TEST(Properties, SupportsBearWhatMomentumGains) {
  for (const char* integrator : {"implicit-euler", "bdf2"}) {
    const auto told = [integrator](unsigned seed, const Telling& t) { return twisted(seed, integrator, t); };
    hold(
        "reactions", 20,
        [told](unsigned seed, const std::set<std::string>& without) -> std::string {
          Telling t;
          t.without = without;
          auto result = scene::loadScene(told(seed, t), {});
          const scene::Scene& scene = std::get<scene::Scene>(result);
          const world::World world(scene);
          rods_shells::Model model(world);
          const std::vector<double> none(scene.columns.size());
          model.begin(none.data());
          double mass = 0, worst = 0, largest = 0;
          for (const int d : model.system().structure().nodeDof) mass += model.system().structure().mass[d];
          Vec3 now = momentaOf(model).linear, before = now;
          const double dt = scene.solver.dt;
          for (int k = 0; k < std::lround(scene.solver.duration / dt); ++k) {
            model::StepRequest request;
            request.t0 = k * dt, request.dt = dt, request.columns = none.data(), request.smooth = k > 0;
            if (!model.step(request, {}).accepted) return "skip";
            const Vec3 next = momentaOf(model).linear;
            const bool second = scene.solver.integrator == scene::Integrator::bdf2 && k > 0;
            const Vec3 rate = second ? Vec3((1.5 * next - 2 * now + 0.5 * before) / dt) : Vec3((next - now) / dt);
            before = now, now = next;
            double reaction[3];
            model.observe(0, reaction);
            const Vec3 bears(reaction[0], reaction[1], reaction[2]);
            worst = std::max(worst, (bears - rate + mass * model.system().loads().gravity()).norm());
            largest = std::max(largest, bears.norm());
          }
          return worst < 1e-8 * largest ? "" : "off by " + number(worst / largest);
        },
        told);
  }
}

// Forces of contact and friction are pairs, whatever the integrator; those of contact are in line.
TEST(Properties, WhatTouchesInFlightKeepsItsMomentum) {
  Asked asked;
  asked.isFree = true;
  const auto falling = [asked](unsigned seed, const Telling& telling) {
    Telling t = telling;
    t.without.insert("weight");
    return touching(seed, t, asked);
  };
  hold(
      "momentum of what touches", 40,
      [=](unsigned seed, const std::set<std::string>& without) -> std::string {
        Telling t;
        t.without = without;
        const Drift drift = driftOf<rods_shells::Model>(falling(seed, t));
        if (drift.refused) return "skip";
        return drift.linear < 1e-9 ? "" : "momentum drifts by " + number(drift.linear);
      },
      falling);
}

/// A linkage that nothing holds, weighs down or pushes.
std::function<std::string(unsigned, const Telling&)> floatingBy(const char* integrator) {
  return [=](unsigned seed, const Telling& telling) {
    Asked asked;
    asked.isFree = true, asked.touching = false;
    Telling t = telling;
    t.integrator = integrator;
    for (const char* f : {"force", "weight"}) t.without.insert(f);
    return linkage(seed, t, asked);
  };
}

// However badly the step resolves how its links move against each other, and wherever it is cut.
TEST(Properties, LinkagesAfloatKeepTheirMomentum) {
  for (const char* integrator :
       {"implicit-midpoint", "generalized-alpha", "bdf2", "implicit-euler", "verlet", "symplectic-euler"}) {
    const auto floating = floatingBy(integrator);
    hold(
        std::string("momentum of linkages, ") + integrator, 40,
        [=](unsigned seed, const std::set<std::string>& without) -> std::string {
          Telling t;
          t.without = without;
          const bool isExplicit = std::string(integrator) == "verlet" || std::string(integrator) == "symplectic-euler";
          t.dt = isExplicit ? 0.01 : 1, t.duration = 0.5;
          const Drift drift = driftOf<links::Model>(floating(seed, t));
          if (drift.refused) return "skip";
          return drift.linear < 1e-9 ? "" : "momentum drifts by " + number(drift.linear);
        },
        floating);
  }
}

/// A floating linkage whose chain is closed.
std::function<std::string(unsigned, const Telling&)> closedBy(const char* integrator) {
  return [=](unsigned seed, const Telling& telling) {
    Telling t = telling;
    t.integrator = integrator;
    return closedAfloat(seed, t, {});
  };
}

/// Whether steps half as long divide the drift of angular momentum by `least`, if only in short steps.
std::string angularOrder(unsigned seed, const std::set<std::string>& without, const Scenes& floating, double least) {
  Telling t;
  t.without = without;
  Drift before, now;
  std::string said;
  t.duration = 0.5;
  for (int k = 0; k < 4; ++k) {
    t.dt = std::exp2(-2 - k);
    before = now, now = driftOf<links::Model>(floating(seed, t));
    if (now.refused) return "skip";
    if (k == 0) continue;
    if (now.angular < 1e-9 || before.angular > least * now.angular) return "";
    said = "drifts by " + number(before.angular) + ", " + number(now.angular);
  }
  return said;
}

// Angular momentum is no linear function of the coordinates, and is kept to the order of the integrator.
TEST(Properties, LinkagesAfloatKeepTheirAngularMomentum) {
  for (const char* integrator : {"implicit-midpoint", "generalized-alpha"}) {
    const auto floating = floatingBy(integrator);
    hold(
        std::string("angular momentum of linkages, ") + integrator, 24,
        [=](unsigned seed, const std::set<std::string>& without) { return angularOrder(seed, without, floating, 2.8); },
        floating);
  }
}

// What closes a chain are forces within it, and rates that are put right after a step change neither momentum.
TEST(Properties, ClosedChainsAfloatKeepTheirMomentum) {
  for (const char* integrator : {"generalized-alpha", "implicit-euler"}) {
    const auto floating = closedBy(integrator);
    hold(
        std::string("momentum of closed chains, ") + integrator, 40,
        [=](unsigned seed, const std::set<std::string>& without) -> std::string {
          Telling t;
          t.without = without;
          t.duration = 0.5;
          const Drift drift = driftOf<links::Model>(floating(seed, t));
          if (drift.refused) return "skip";
          return drift.linear < 1e-9 ? "" : "momentum drifts by " + number(drift.linear);
        },
        floating);
  }
}

TEST(Properties, ClosedChainsAfloatKeepTheirAngularMomentum) {
  // Twice as fine divides by 4 and by 2.
  const std::pair<const char*, double> orders[] = {{"generalized-alpha", 2.8}, {"implicit-euler", 1.6}};
  for (const auto& [integrator, least] : orders) {
    const auto floating = closedBy(integrator);
    hold(
        std::string("angular momentum of closed chains, ") + integrator, 16,
        [floating, least = least](unsigned seed, const std::set<std::string>& without) {
          return angularOrder(seed, without, floating, least);
        },
        floating);
  }
}

/// At the end of a run; not known where a step is cut, which depends on the energy of the flight.
struct Flown {
  bool known = false;
  Vec3 momentum = Vec3::Zero(), place = Vec3::Zero();
  double mass = 0;
};
Flown flown(const std::string& text) {
  auto result = scene::loadScene(text, {});
  const scene::Scene& scene = std::get<scene::Scene>(result);
  const world::World world(scene);
  links::Model model(world);
  Flown out;
  for (int k = 0; k < std::lround(scene.solver.duration / scene.solver.dt); ++k) {
    model::StepRequest request;
    request.t0 = k * scene.solver.dt, request.dt = scene.solver.dt;
    if (!model.step(request, {}).accepted) return out;
  }
  out.known = true;
  out.momentum = momentaOf(model).linear;
  for (const links::MassPoint& m : model.system().masses()) out.mass += m.inertia(3, 3);
  out.place = model.system().energies(model.history().q, model.history().v).weight / out.mass;
  return out;
}

TEST(Properties, ThrownLinkagesMoveAsThoseAtRestSeenFromATrain) {
  Asked asked;
  asked.isFree = true, asked.touching = false;
  for (const char* integrator : {"generalized-alpha", "bdf2", "implicit-euler", "implicit-midpoint"}) {
    const auto thrown = [=](unsigned seed, const Telling& telling, double speed) {
      Telling t = telling;
      t.integrator = integrator;
      for (const char* f : {"force", "weight"}) t.without.insert(f);
      Json scene = Json::parse(linkage(seed, t, asked));
      scene["solver"]["dt"] = 0.001, scene["solver"]["duration"] = 0.1, scene["solver"]["tolerance"] = 1e-12;
      for (Json& item : scene["initial"]) {
        if (item["of"] == "arm/l0") item["displacementRate"][1] = item["displacementRate"][1].get<double>() + speed;
      }
      return scene.dump();
    };
    hold(
        std::string("flight, ") + integrator, 24,
        [=](unsigned seed, const std::set<std::string>& without) -> std::string {
          Telling t;
          t.without = without;
          constexpr double speed = 10;
          const Flown rest = flown(thrown(seed, t, 0)), far = flown(thrown(seed, t, speed));
          if (!rest.known || !far.known) return "skip";
          const Vec3 more = (far.momentum - rest.momentum) / rest.mass, way = far.place - rest.place;
          if (std::abs(more.norm() - speed) > 1e-6 * speed) return "flies on at " + number(more.norm());
          return (way - 0.1 * more).norm() < 1e-7 ? "" : "comes elsewhere, by " + number((way - 0.1 * more).norm());
        },
        [=](unsigned seed, const Telling& t) { return thrown(seed, t, 10); });
  }
}

// A stream that carries a linkage along with its fluid is one at rest, seen from a boat: to the order of the rule.
TEST(Properties, LinkagesInAStreamMoveAsThoseTowedThroughAMediumAtRest) {
  Asked asked;
  asked.isFree = true, asked.touching = false;
  for (const char* integrator : {"generalized-alpha", "bdf2", "implicit-midpoint"}) {
    const auto afloat = [=](unsigned seed, const Telling& telling, double speed, double dt) {
      Telling t = telling;
      t.integrator = integrator;
      for (const char* f : {"force", "weight"}) t.without.insert(f);
      Json scene = Json::parse(linkage(seed, t, asked));
      scene["solver"]["dt"] = dt, scene["solver"]["duration"] = 0.06, scene["solver"]["tolerance"] = 1e-12;
      scene["environment"]["gravity"] = {0, 0, 0};
      scene["environment"]["fluid"] = {{"density", 1000}, {"velocity", {speed, 0.5 * speed, 0}}};
      for (Json& link : scene["linkages"]["arm"]["links"]) link["fluid"] = {{"added", 0.9}, {"drag", 0.5}};
      for (Json& item : scene["initial"]) {
        if (item["of"] != "arm/l0") continue;
        item["displacementRate"][0] = item["displacementRate"][0].get<double>() + speed;
        item["displacementRate"][1] = item["displacementRate"][1].get<double>() + 0.5 * speed;
      }
      return scene.dump();
    };
    hold(
        std::string("stream, ") + integrator, 12,
        [=](unsigned seed, const std::set<std::string>& without) -> std::string {
          Telling t;
          t.without = without;
          constexpr double speed = -0.8;
          // Where a drive sets off within a step its error depends on where, and where a shape changes fast the longest
          // steps do not resolve it: one halving may say little, and three tell.
          std::vector<double> apart;
          std::vector<std::array<Vec3, 2>> places;
          std::array<double, 2> error{};  // of both runs at the longest step
          for (const double dt : {1e-3, 5e-4, 2.5e-4, 1.25e-4}) {
            const Flown rest = flown(afloat(seed, t, 0, dt)), far = flown(afloat(seed, t, speed, dt));
            if (!rest.known || !far.known) return "skip";
            apart.push_back((far.place - rest.place - 0.06 * Vec3(speed, 0.5 * speed, 0)).norm());
            places.push_back({rest.place, far.place});
            if (apart[0] < 1e-10) return "";
            for (std::size_t i = 0; i < 2; ++i) error[i] = std::max(error[i], (places[0][i] - places.back()[i]).norm());
            const double halvings = static_cast<double>(apart.size()) - 1;
            if (halvings == 2 && apart[0] > error[0] + error[1])
              return "comes elsewhere, by " + number(apart[0]) + ", with errors of " + number(error[0]) + " and " +
                     number(error[1]);
            if (halvings > 1 && apart.back() < apart[0] / std::pow(2.5, halvings)) return "";
          }
          return "is not of the second order: " + number(apart[0]) + ", then " + number(apart[1]) + ", then " +
                 number(apart[2]) + ", then " + number(apart[3]);
        },
        [=](unsigned seed, const Telling& t) { return afloat(seed, t, -0.8, 1e-3); });
  }
}

}  // namespace momentum_test
}  // namespace tendril::properties
