// Random linkages: open chains, and chains that close.
#include <cmath>

#include "engine/simulation/run_scene.h"
#include "told.h"

namespace tendril::properties {
namespace {

Json round(const Telling& t, double radius) { return {{"circle", {{"radius", t.value(radius, 0, 1, 0)}}}}; }

Json bar(const Telling& t, double length, double radius, double density) {
  return {
      {"rigid",
       {{"length", t.value(length, 0, 1, 0)}, {"section", round(t, radius)}, {"density", t.value(density, 1, -3, 0)}}}};
}

/// The same without a section.
Json rod(const Telling& t, double length, double radius, double density) {
  const double m = density * pi * radius * radius * length, across = m * length * length / 12;
  return {{"rigid",
           {{"length", t.value(length, 0, 1, 0)},
            {"mass", t.value(m, 1, 0, 0)},
            {"center", {t.value(0.5 * length, 0, 1, 0), 0, 0}},
            {"inertia",
             {t.value(0.5 * m * radius * radius, 1, 2, 0), t.value(across, 1, 2, 0), t.value(across, 1, 2, 0)}}}}};
}

Json base(const Telling& t) {
  return {
      {"position", t.place(Vec3::Zero())}, {"forward", t.direction(Vec3::UnitX())}, {"up", t.direction(Vec3::UnitZ())}};
}

/// Of soft links: stress-free strains that change, moments and forces per length in their own frames, and fields:
/// springs to a point, a magnet's moment, drag with the square of the speed. As strong as bends the `weakest` [N m/rad]
/// a little, over a length of `total` [m].
void actAlong(Json& scene, const Json& softs, Draw draw, const Telling& t, const Asked& asked, double total,
              double weakest) {
  const double bend = draw.uniform(-4, 4), twist = draw.uniform(-3, 3), beat = draw.uniform(5, 40),
               phase = draw.uniform(0, 6);
  const auto wave = [&](double most) {
    const std::string size = "=" + exact(most) + "*(1 + u)";
    return asked.isStatic ? size : size + "*sin(" + exact(beat / t.time) + "*t - " + exact(phase) + "*u)";
  };
  const double sign = t.mirror ? -1 : 1;  // of turns about x and z and of ways along y
  if (Features{draw, t}("muscle", 0.4))
    scene["actuation"].push_back({{"link", softs},
                                  {"natural",
                                   {{"bendY", wave(t.value(bend, 0, -1, 0))},
                                    {"bendZ", wave(sign * t.value(0.7 * bend, 0, -1, 0))},
                                    {"twist", wave(sign * t.value(twist, 0, -1, 0))}}}});
  const Vec3 moment = 0.3 * weakest / total * draw.inCube(1), force = 0.3 * weakest / (total * total) * draw.inCube(1);
  const bool pushes = !asked.isFree && !asked.plain;
  if (Features{draw, t}("wrench", 0.3) && pushes && (!asked.isStatic || asked.follows))
    scene["loads"].push_back({{"link", softs},
                              {"wrench",
                               {{"moment",
                                 {wave(sign * t.value(moment.x(), 1, 1, -2)), t.value(moment.y(), 1, 1, -2),
                                  sign * t.value(moment.z(), 1, 1, -2)}},
                                {"force",
                                 {t.value(force.x(), 1, 0, -2), sign * t.value(force.y(), 1, 0, -2),
                                  wave(t.value(force.z(), 1, 0, -2))}}}}});
  const Vec3 center = draw.inCube(0.3), field = 0.5 * weakest / total * draw.inCube(1);
  const double springs = weakest / (total * total * total) * draw.uniform(0.1, 2), air = draw.uniform(0.5, 5);
  if (!Features{draw, t}("field", 0.3) || !pushes) return;
  const auto told = [](const Json& v) { return exact(v.get<double>()); };
  const Json c = t.place(center), b = t.vector(field, 1, 2, -2);
  std::string distance;
  for (std::size_t k = 0; k < 3; ++k) {
    const std::string way = "(" + std::string(1, "xyz"[k]) + " - " + told(c[k]) + ")";
    distance += (k ? " + " : "") + way + "*" + way;
  }
  scene["loads"].push_back({{"potential", "=0.5*" + exact(t.value(springs, 1, -1, -2)) + "*(" + distance + ")"},
                            {"on", softs},
                            {"per", "length"}});
  Json turn = Json::array(), drag = Json::array();
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t i = (k + 1) % 3, j = (k + 2) % 3;
    turn.push_back("=t" + std::string(1, "xyz"[i]) + "*" + told(b[j]) + " - t" + std::string(1, "xyz"[j]) + "*" +
                   told(b[i]));
    drag.push_back("=-" + exact(t.value(air, 1, -2, 0)) + "*sqrt(vx*vx + vy*vy + vz*vz)*v" + std::string(1, "xyz"[k]));
  }
  scene["loads"].push_back({{"moment", turn}, {"at", softs}});
  if (!asked.isStatic) scene["loads"].push_back({{"line", drag}, {"on", softs}});
}

}  // namespace

std::string linkage(unsigned seed, const Telling& t, const Asked& asked) {
  Draw draw(seed ^ 0x51ed270bu);
  const Features has{draw, t};
  Json scene = {{"format", "tendril/1"}};
  const bool damped = has("damping", 0.6) && !t.cold;
  const double E = draw.log(3e5, 3e6), r = draw.uniform(0.008, 0.015);
  scene["materials"]["rubber"] = material(t, E, 1000, damped ? 2e-3 * E : 0);
  Json links = Json::object(), through = Json::array(), softs = Json::array();
  static const char* const axes[] = {"x", "y", "z"};
  const int count = draw.whole(1, 3);
  const bool afloat = (has("afloat", 0.2) && !asked.isStatic) || asked.isFree;
  double total = 0, weakest = 1;
  // Contact by its defaults, some of it of bodies without a section.
  Draw own(seed + 29);
  const bool unsaid = Features{own, t}("unsaid", asked.landing ? 2 : 1.0 / 3),
             bare = Features{own, t}("bare", 0.3) && unsaid;
  // A joint that is driven on suddenly.
  Draw motor(seed + 71);
  const bool drives = Features{motor, t}("drive", 0.4) && asked.driven && !asked.isStatic && !t.cold;
  const double since = motor.uniform(0.005, 0.08), pace = motor.uniform(-2, 2);
  const Vec3 about = motor.inCube(2);
  for (int i = 0; i < count; ++i) {
    const double length = draw.uniform(0.1, 0.25), k = draw.log(0.02, 0.5), c = 0.02 * k;
    const int kind = draw.whole(0, 2);
    const char* axis = axes[draw.whole(0, 2)];
    Json joint = kind == 0   ? Json{{"revolute", {{"axis", axis}, {"stiffness", t.value(k, 1, 2, -2)}}}}
                 : kind == 1 ? Json{{"prismatic", {{"axis", axis}, {"stiffness", t.value(200 * k, 1, 0, -2)}}}}
                             : Json{{"spherical", {{"stiffness", t.value(k, 1, 2, -2)}}}};
    if (damped) (*joint.begin())["damping"] = kind == 1 ? t.value(200 * c, 1, 0, -1) : t.value(c, 1, 2, -1);
    if (drives && kind < 2 && i == count - 1) {
      // A turn about y and ways across it are the same in the mirror.
      const double sign = t.mirror && (kind == 0) != (axis[0] == 'y') ? -1 : 1;
      const double rate = sign * (kind == 0 ? pace / t.time : t.value(0.1 * pace, 0, 1, -1));
      (*joint.begin())[kind == 0 ? "angle" : "displacement"] =
          "=" + test::digits(rate) + "*max(0, t - " + test::digits(since * t.time) + ")";
    }
    if (drives && kind == 2 && i == count - 1) {
      const Vec3 flip(1, t.mirror ? -1 : 1, 1), rate = (t.mirror ? -1 : 1) * about.cwiseProduct(flip) / t.time;
      for (const double w : {rate.x(), rate.y(), rate.z()})
        (*joint.begin())["angle"].push_back("=" + test::digits(w) + "*max(0, t - " + test::digits(since * t.time) +
                                            ")");
    }
    if (i == 0 && afloat) joint = {{"free", Json::object()}};
    Json body;
    const int y = draw.whole(0, 2), z = draw.whole(0, 2);
    if (draw.chance(0.5)) {
      body = bare ? rod(t, length, r, 1000) : bar(t, length, r, 1000);
    } else {
      body["soft"] = {{"length", t.value(length, 0, 1, 0)},
                      {"section", round(t, r)},
                      {"material", "rubber"},
                      {"strains", {{"bendY", y}, {"bendZ", z}, {"twist", 1}}}};
      softs.push_back("arm/l" + std::to_string(i));
      weakest = std::min(weakest, E * pi / 4 * std::pow(r, 4) / length);
    }
    weakest = std::min(weakest, k), total += length;
    links["l" + std::to_string(i)] = {{"joint", joint}, {"body", body}};
    through.push_back("l" + std::to_string(i));
  }
  scene["linkages"]["arm"] = {{"base", base(t)}, {"links", links}};
  // As strong as turns the weakest joint by half a radian.
  const double pull = draw.uniform(-0.5, 0.5) * weakest / (0.5 * r),
               y = (t.mirror ? -1 : 1) * draw.uniform(-0.5, 0.5) * r, z = draw.uniform(-0.5, 0.5) * r;
  // What changes in time: the tension, and where the floor is.
  Draw clock(seed + 53);
  const Features inTime{clock, t};
  const double beat = clock.uniform(5, 40), way = clock.uniform(-0.05, 0.05), sideways = clock.uniform(-0.2, 0.2);
  const bool pulsing = inTime("pulsing", 0.4) && !asked.isStatic, moves = inTime("moving", 0.3);
  if (has("tendon", 0.4) && !t.cold) {
    scene["linkages"]["arm"]["cables"]["tendon"] = {
        {"through", through},
        {"path", {{"constant", {t.value(y, 0, 1, 0), t.value(z, 0, 1, 0)}}}},
        {"tension", t.value(pull, 1, 1, -2)}};
    if (pulsing)
      scene["linkages"]["arm"]["cables"]["tendon"]["tension"] =
          "=" + test::digits(t.value(pull, 1, 1, -2)) + "*sin(" + test::digits(beat / t.time) + "*t)^2";
  }
  if (t.stranger && t.without.count("stranger") == 0) {
    Json place = {{"position", t.place(Vec3(0, 9, 20))}};
    // It swings, and hangs somewhere at rest.
    const Json joint = {{"revolute", {{"axis", "y"}, {"stiffness", t.value(2e5, 1, 2, -2)}}}};
    scene["linkages"]["stranger"] = {{"base", place},
                                     {"links", {{"only", {{"joint", joint}, {"body", bar(t, 3, 0.3, 8000)}}}}}};
    if (!asked.isStatic) scene["initial"].push_back({{"of", "stranger/only"}, {"angleRate", 2 / t.time}});
  }
  if (t.bodiesReversed && scene["linkages"].size() > 1) {
    Json turned = Json::object();
    turned["stranger"] = scene["linkages"]["stranger"], turned["arm"] = scene["linkages"]["arm"];
    scene["linkages"] = turned;
  }
  const std::string tip = "arm/l" + std::to_string(count - 1) + "@1";
  const Vec3 push = 0.1 * draw.inCube(1);
  if (has("force", 0.6) && !t.cold) scene["loads"].push_back({{"force", t.vector(push, 1, 1, -2)}, {"at", tip}});
  if (!softs.empty() && !t.cold) actAlong(scene, softs, Draw(seed + 223), t, asked, total, weakest);
  const Vec3 weight(0, 0, -draw.uniform(1, 9.81));
  const bool heavy = has("weight", 0.8) && !t.cold;
  scene["environment"]["gravity"] = heavy ? t.vector(weight, 0, 1, -2) : Json::array({0, 0, 0});
  static const char* const integrators[] = {"implicit-euler", "bdf2", "implicit-midpoint", "generalized-alpha"};
  const std::string integrator = integrators[draw.whole(0, 3)];
  const double dt = draw.uniform(0.002, 0.006);
  scene["solver"] = solver(t, asked, integrator, dt, 24);
  if (t.stranger && t.without.count("stranger") == 0 && !asked.isStatic) {
    const double step = scene["solver"]["dt"].get<double>();
    for (const int k : {3, 9, 14}) {
      scene["loads"].push_back({{"force", t.vector(Vec3(0, 2, 1), 1, 1, -2)},
                                {"at", "stranger/only@1"},
                                {"from", (k + 0.3) * step},
                                {"until", (k + 4) * step}});
    }
  }
  if (asked.isExplicit) scene["solver"] = solver(t, asked, seed % 2 ? "verlet" : "symplectic-euler", 0.015 * dt, 120);
  const double depth = draw.uniform(0.005, 0.02), mu = draw.uniform(0.1, 0.6), mass = 1000 * pi * r * r * total;
  const Vec3 normal = Vec3(draw.uniform(-0.05, 0.05), draw.uniform(-0.05, 0.05), 1).normalized();
  if (has("floor", asked.landing ? 2 : 0.3) && asked.touching && !asked.isStatic) {
    scene["obstacles"]["floor"] = {
        {"plane", {{"point", t.place(Vec3(0, 0, -r - 0.05 * total - depth))}, {"normal", t.direction(normal)}}}};
    const Vec3 goes = moves ? Vec3(sideways, 0, way) : Vec3(Vec3::Zero());
    if (moves || !t.drift.isZero(0))
      scene["obstacles"]["floor"]["velocity"] = Telling::list(t.length / t.time * (t.matrix() * goes + t.drift));
    scene["contact"] = {{"per", own.chance(0.5) ? "length" : "contact"}, {"slip", t.value(0.01, 0, 1, -1)}};
    if (!unsaid)
      scene["contact"] = {{"per", "contact"},
                          {"stiffness", t.value(1000 * mass, 1, 0, -2)},
                          {"distance", t.value(0.3 * r, 0, 1, 0)},
                          {"slip", t.value(0.01, 0, 1, -1)}};
    const bool rubs = has("friction", 0.5);
    if (rubs && !asked.isExplicit) scene["contact"]["friction"] = mu;
  }
  const Vec3 speed = draw.inCube(0.4), spin = draw.inCube(3);
  if (afloat && (has("initial", 0.8) || asked.isFree)) {
    // Of the base's frame, whose y is another one in the mirror.
    const Vec3 flip(1, t.mirror ? -1 : 1, 1);
    const Json w = Telling::list((t.mirror ? -1 : 1) * spin.cwiseProduct(flip) / t.time),
               v = Telling::list(t.length / t.time * (speed.cwiseProduct(flip) + t.turn.transpose() * t.drift));
    scene["initial"].push_back({{"of", "arm/l0"}, {"angleRate", w}, {"displacementRate", v}});
  }
  return scene.dump();
}

std::string closedChain(unsigned seed, const Telling& t, const Asked& asked) {
  Draw draw(seed ^ 0x6c6f6f70u);
  const Features has{draw, t};
  Json scene = {{"format", "tendril/1"}};
  const double E = draw.log(3e6, 3e7), r = draw.uniform(0.005, 0.01);
  scene["materials"]["rubber"] = material(t, E, 1000, 2e-3 * E);
  // Where the pins are, in the plane x, z; the last one stays.
  const double pins[4][2] = {{0, 0},
                             {draw.uniform(-0.1, 0.1), draw.uniform(0.15, 0.25)},
                             {draw.uniform(0.3, 0.45), draw.uniform(0.2, 0.35)},
                             {draw.uniform(0.3, 0.5), draw.uniform(-0.1, 0.05)}};
  const bool inSpace = has("space", 0.4), soft = has("soft", 0.4), sprung = has("spring", 0.6) || asked.isStatic;
  const double k = draw.log(0.05, 1);
  Json links = Json::object();
  double before = 0;
  for (int i = 0; i < 3; ++i) {
    const double dx = pins[i + 1][0] - pins[i][0], dz = pins[i + 1][1] - pins[i][1], length = std::hypot(dx, dz),
                 angle = std::atan2(dz, dx);
    Json joint = inSpace && i > 0 ? Json{{"spherical", Json::object()}} : Json{{"revolute", {{"axis", "y"}}}};
    if (sprung) (*joint.begin())["stiffness"] = t.value(k, 1, 2, -2);
    // About y from x toward -z.
    Json link = {{"joint", joint}, {"offset", {{"rotation", {{"axis", {0, 1, 0}}, {"angle", before - angle}}}}}};
    if (soft && i == 1) {
      link["body"]["soft"] = {{"length", t.value(length, 0, 1, 0)},
                              {"section", round(t, r)},
                              {"material", "rubber"},
                              {"strains", {{"bendY", 1}, {"bendZ", 1}, {"twist", 1}}}};
    } else {
      link["body"] = bar(t, length, r, 1000);
    }
    links["l" + std::to_string(i)] = link;
    before = angle;
  }
  const Json pin = {t.value(pins[3][0], 0, 1, 0), 0, t.value(pins[3][1], 0, 1, 0)};
  const Json closing = inSpace ? Json{{"spherical", Json::object()}} : Json{{"revolute", {{"axis", "y"}}}};
  scene["linkages"]["bars"] = {
      {"base", base(t)},
      {"links", links},
      {"loops", {{{"from", "base"}, {"offset", {{"position", pin}}}, {"to", "l2"}, {"joint", closing}}}}};
  const Vec3 push = 0.3 * draw.inCube(1);
  if (has("force", 0.6)) scene["loads"].push_back({{"force", t.vector(push, 1, 1, -2)}, {"at", "bars/l1@0.5"}});
  const double g = draw.uniform(1, 9.81), rate = draw.uniform(-4, 4);
  const bool heavy = has("weight", 0.8);
  scene["environment"]["gravity"] = heavy ? t.vector(Vec3(0, 0, -g), 0, 1, -2) : Json::array({0, 0, 0});
  if (has("initial", 0.7) && !asked.isStatic)
    scene["initial"].push_back({{"of", "bars/l0"}, {"angleRate", rate / t.time}});
  const std::string own = draw.chance(0.5) ? "implicit-euler" : "generalized-alpha";
  const double dt = draw.uniform(0.002, 0.006);
  scene["solver"] = solver(t, asked, own, dt, 24);
  return scene.dump();
}

std::string closedAfloat(unsigned seed, const Telling& t, const Asked& asked) {
  Draw draw(seed ^ 0x61666c74u);
  const Features has{draw, t};
  Json scene = {{"format", "tendril/1"}};
  const double E = draw.log(3e6, 3e7), r = draw.uniform(0.005, 0.01);
  scene["materials"]["rubber"] = material(t, E, 1000, 2e-3 * E);
  // Pins in the plane x, z of the frame, which reaches from the first to the last; a fifth bar makes a knee more.
  const double ground = draw.uniform(0.3, 0.5);
  std::vector<Vec<2>> pins = {{0, 0},
                              {draw.uniform(-0.1, 0.1), draw.uniform(0.15, 0.25)},
                              {draw.uniform(0.3, 0.45), draw.uniform(0.2, 0.35)},
                              {ground, 0}};
  const Vec<2> knee(0.5 * (pins[1] + pins[2]) + Vec<2>(0, draw.uniform(0.05, 0.1)));
  const bool inSpace = has("space", 0.4), soft = has("soft", 0.4), sprung = has("spring", 0.6),
             five = has("second", 0.3), slides = has("bare", 0.25) && !inSpace;
  if (five) pins.insert(pins.begin() + 2, knee);
  const double k = draw.log(0.05, 1), tail = draw.uniform(0.1, 0.25);
  Json links = Json::object();
  links["frame"] = {{"joint", {{"free", Json::object()}}}, {"body", bar(t, ground, r, 1000)}};
  double before = 0;
  const std::size_t bars = pins.size() - 1;
  for (std::size_t i = 0; i < bars; ++i) {
    const Vec<2> way = pins[i + 1] - pins[i];
    const double angle = std::atan2(way.y(), way.x());
    Json joint = inSpace && i > 0 ? Json{{"spherical", Json::object()}} : Json{{"revolute", {{"axis", "y"}}}};
    if (sprung) (*joint.begin())["stiffness"] = t.value(k, 1, 2, -2);
    // About y from x toward -z.
    Json link = {{"joint", joint}, {"offset", {{"rotation", {{"axis", {0, 1, 0}}, {"angle", before - angle}}}}}};
    if (i == 0) link["parent"] = "frame@0";
    if (soft && i == 1) {
      link["body"]["soft"] = {{"length", t.value(way.norm(), 0, 1, 0)},
                              {"section", round(t, r)},
                              {"material", "rubber"},
                              {"strains", {{"bendY", 1}, {"bendZ", 1}, {"twist", 1}}}};
    } else {
      link["body"] = bar(t, way.norm(), r, 1000);
    }
    links["l" + std::to_string(i)] = link;
    before = angle;
  }
  const std::string last = "l" + std::to_string(bars - 1);
  Json closing = {{"from", "frame"},
                  {"to", last},
                  {"joint", {{inSpace ? "spherical" : "revolute", inSpace ? Json::object() : Json{{"axis", "y"}}}}}};
  if (slides) {
    // Along the last bar, whose direction the frame's own keeps.
    closing["joint"] = {{"prismatic", {{"axis", "x"}}}};
    closing["offset"]["rotation"] = {{"axis", {0, 1, 0}}, {"angle", -before}};
  }
  // What hangs on the chain turns it out of its plane.
  if (has("stem", 0.4))
    links["tail"] = {{"parent", "frame"},
                     {"joint", {{"spherical", {{"stiffness", t.value(k, 1, 2, -2)}}}}},
                     {"body", bar(t, tail, r, 1000)}};
  scene["linkages"]["bars"] = {{"base", base(t)}, {"links", links}, {"loops", {closing}}};
  scene["environment"]["gravity"] = {0, 0, 0};
  const double rate = draw.uniform(-8, 8);
  const Vec3 speed = draw.inCube(0.4), spin = draw.inCube(3);
  scene["initial"] = {{{"of", "bars/frame"},
                       {"angleRate", Telling::list(spin / t.time)},
                       {"displacementRate", Telling::list(t.length / t.time * speed)}}};
  if (has("initial", 0.8)) scene["initial"].push_back({{"of", "bars/l0"}, {"angleRate", rate / t.time}});
  const std::string own = draw.chance(0.5) ? "implicit-euler" : "generalized-alpha";
  scene["solver"] = solver(t, asked, own, draw.uniform(0.002, 0.006), 24);
  return scene.dump();
}

}  // namespace tendril::properties
