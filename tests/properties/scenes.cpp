#include "told.h"

#include <algorithm>

#include "engine/simulation/run_scene.h"

namespace tendril::properties {
namespace {

struct Rod {
  std::vector<Vec3> points;
  double radius = 0;
  double flat = 1;  // its width over the root of width times height; 1: a circle
  bool elliptic = false;
  Vec3 tangent = Vec3::Zero();   // of the curve at its start, not of the first edge: the same on every mesh
  Vec3 director = Vec3::Zero();  // along its width, where it is flat
  bool straightens = false;      // it is bent as it is drawn, and would be straight
  std::string material;
};

Rod drawRod(Draw& draw, const Vec3& from, const Vec3& along, int segments, int finer, bool bent) {
  Rod rod;
  const double length = along.norm(), bend = draw.uniform(-0.3, 0.3) * length,
               twist = draw.uniform(-0.15, 0.15) * length;
  rod.radius = length * draw.log(0.006, 0.025);
  const Vec3 e = along / length, a = e.unitOrthogonal(), b = e.cross(a);
  rod.tangent = e;
  const int n = segments * finer;
  for (int i = 0; i <= n; ++i) {
    const double s = static_cast<double>(i) / n, c = bent ? s * s : 0;
    rod.points.push_back(from + s * along + c * bend * a + c * s * twist * b);
  }
  return rod;
}

std::string nodeOf(const std::string& body, int i, int n, bool reversed) {
  return body + ":" + std::to_string(reversed ? n - i : i);
}

Json rodJson(const Rod& rod, const Telling& t) {
  Json points = Json::array();
  for (const Vec3& x : rod.points) points.push_back(t.place(x));
  if (t.nodesReversed) std::reverse(points.begin(), points.end());
  Json out = {{"material", rod.material},
              {"section", {{"circle", {{"radius", t.value(rod.radius, 0, 1, 0)}}}}},
              {"path", {{"points", points}}}};
  if (rod.flat != 1) {
    const double mean = t.value(rod.radius * (rod.elliptic ? 1 : std::sqrt(pi)), 0, 1, 0);
    const char *along = rod.elliptic ? "a" : "width", *across = rod.elliptic ? "b" : "height";
    out["section"] = {{rod.elliptic ? "ellipse" : "rectangle", {{along, mean * rod.flat}, {across, mean / rod.flat}}}};
    out["frame"] = t.direction(rod.director);
  }
  if (rod.straightens) out["natural"] = "straight";
  return out;
}

/// Of the same area, but softer in one direction; and bent as it is drawn.
void shape(Rod& rod, Draw draw, const Telling& t) {
  const Features has{draw, t};
  const double flat = draw.uniform(0.7, 0.95), angle = draw.uniform(0, pi);
  const bool elliptic = draw.chance(0.5), isFlat = has("flat", 0.5), straightens = has("straight", 0.25);
  const Vec3 e = rod.tangent, a = e.unitOrthogonal();
  if (isFlat)
    rod.flat = flat, rod.elliptic = elliptic, rod.director = std::cos(angle) * a + std::sin(angle) * e.cross(a);
  rod.straightens = straightens;
}

/// A sheet of 2 x 3 squares with uneven diagonals, as points and triangles.
Json sheetJson(Draw& draw, const Vec3& corner, const Vec3& along, const Vec3& across, const Telling& t,
               double mostBend = 0.2) {
  const int nx = 4 * t.finer, ny = 2 * t.finer;
  Json points = Json::array(), triangles = Json::array();
  const double bend = draw.uniform(-mostBend, mostBend);
  const Vec3 normal = along.cross(across).normalized();
  for (int j = 0; j <= ny; ++j) {
    for (int i = 0; i <= nx; ++i) {
      const double u = static_cast<double>(i) / nx, v = static_cast<double>(j) / ny;
      points.push_back(t.place(corner + u * along + v * across + bend * u * u * along.norm() * normal));
    }
  }
  const auto add = [&](int a, int b, int c) { triangles.push_back(t.mirror ? Json{a, c, b} : Json{a, b, c}); };
  for (int j = 0; j < ny; ++j) {
    for (int i = 0; i < nx; ++i) {
      const int a = j * (nx + 1) + i, b = a + 1, c = a + nx + 1, d = c + 1;
      if ((i + j) % 2)
        add(a, b, d), add(a, d, c);
      else
        add(a, b, c), add(b, d, c);
    }
  }
  if (t.nodesReversed) {
    const int last = static_cast<int>(points.size()) - 1;
    std::reverse(points.begin(), points.end()), std::reverse(triangles.begin(), triangles.end());
    for (Json& triangle : triangles) {
      for (Json& i : triangle) i = last - i.get<int>();
    }
  }
  return {{"points", points}, {"triangles", triangles}};
}

/// A vertex of that sheet.
std::string vertexOf(int i, const Telling& t) {
  return nodeOf("skin", i, (4 * t.finer + 1) * (2 * t.finer + 1) - 1, t.nodesReversed);
}

void tellBodies(Json& scene, const char* kind, std::vector<std::pair<std::string, Json>> bodies, bool reversed) {
  if (bodies.empty()) return;
  if (reversed) std::reverse(bodies.begin(), bodies.end());
  Json out = Json::object();
  for (auto& [name, body] : bodies) out[name] = std::move(body);
  scene[kind] = std::move(out);
}

/// Natural strains of the first rod that come and go (at rest: are), up to a bend by a radian.
void actuate(Json& scene, Draw draw, const Telling& t, const Asked& asked, const Vec3& along) {
  const Features has{draw, t};
  const double length = along.norm();
  const double rate = draw.uniform(1, 6), bend = draw.uniform(-1, 1) / length, turn = draw.uniform(-1, 1) / length,
               longer = draw.uniform(-0.05, 0.05);
  const auto told = [&](double amplitude) -> Json {
    if (asked.isStatic) return amplitude;
    return "=" + test::digits(amplitude) + "*sin(" + test::digits(rate / t.time) + "*t)^4";
  };
  const bool twisted = has("twisted", 0.2), stretched = has("stretched", 0.2), curved = has("curved", 0.2);
  if (t.cold) return;
  if (twisted)
    scene["actuation"].push_back({{"rod", "one"}, {"twist", told((t.mirror ? -1 : 1) * t.value(turn, 0, -1, 0))}});
  if (stretched && asked.isStatic) scene["actuation"].push_back({{"rod", "one"}, {"stretch", 1 + longer}});
  if (stretched && !asked.isStatic)
    scene["actuation"].push_back({{"rod", "one"}, {"stretch", "=1+" + told(longer).get<std::string>().substr(1)}});
  if (!curved) return;
  // Curvature is told by directors, which begin here where a rod begins: it cannot be told from the other end.
  scene["rods"]["one"]["frame"] = t.direction(along.unitOrthogonal());
  scene["actuation"].push_back({{"rod", "one"}, {"curvature", {told(t.value(bend, 0, -1, 0)), 0}}});
}

/// The first rod begins twisted and spins; as told from its other end and in the mirror.
void turnAtStart(Json& scene, Draw draw, const Telling& t) {
  const Features has{draw, t};
  const double angle = draw.uniform(-1, 1), rate = draw.uniform(-20, 20),
               sign = (t.mirror ? -1 : 1) * (t.nodesReversed ? -1 : 1);
  const std::string u = t.nodesReversed ? "(1-u)" : "u";
  const auto told = [&](double most) { return "=" + test::digits(sign * most) + "*" + u + "*(1+" + u + ")"; };
  const bool turned = has("turned", 0.25), spun = has("spun", 0.15);
  if (turned) scene["initial"].push_back({{"of", "one"}, {"twist", told(angle)}});
  if (spun) scene["initial"].push_back({{"of", "one"}, {"spin", told(rate / t.time)}});
}

/// t x b, as a moment [N m/m] on what has the direction t.
Json turningOf(const Json& b) {
  Json out = Json::array();
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t i = (k + 1) % 3, j = (k + 2) % 3;
    out.push_back("=t" + std::string(1, "xyz"[i]) + "*" + exact(b[j].get<double>()) + " - t" +
                  std::string(1, "xyz"[j]) + "*" + exact(b[i].get<double>()));
  }
  return out;
}

}  // namespace

const std::vector<std::string>& features() {
  static const std::vector<std::string> names = {
      "second", "weld",     "stem",    "sheet",     "force",     "moment", "follower", "weight",
      "drag",   "damping",  "initial", "floor",     "friction",  "bent",   "stranger", "pressure",
      "tip",    "stall",    "growth",  "steer",     "curvature", "crowd",  "moving",   "pressed",
      "strait", "caught",   "twisted", "stretched", "curved",    "turned", "spun",     "afloat",
      "tendon", "pulsing",  "space",   "soft",      "spring",    "unsaid", "drive",    "bare",
      "flat",   "straight", "self",    "wire",      "torsion",   "field",  "muscle",   "wrench"};
  return names;
}

// Every number is drawn whether it is used or not, so that leaving something out leaves the rest as it is.
std::string continuum(unsigned seed, const Telling& t, const Asked& asked) {
  Draw draw(seed);
  const Features has{draw, t};
  Json scene = {{"format", "tendril/1"}};
  const double E = draw.log(2e5, 2e8), rho = draw.uniform(500, 2000), eta = E * draw.log(1e-5, 1e-3);
  const bool damped = has("damping", 0.5) && !t.cold;
  scene["materials"]["a"] = material(t, E, rho, damped ? eta : 0);
  scene["materials"]["b"] = material(t, E * draw.log(0.1, 10), rho * draw.uniform(0.5, 2), damped ? eta : 0);

  const int n = draw.whole(5, 9), n2 = draw.whole(3, 6), joint = draw.whole(1, n - 1);
  const bool bent = has("bent", 0.6), second = has("second", 0.6), weld = has("weld", asked.isStatic ? 2 : 0.6),
             sheet = has("sheet", 0.5) && asked.shells;
  const Vec3 along(0.3, draw.uniform(-0.1, 0.1), draw.uniform(-0.05, 0.05)), corner(0.05, 0.25, 0.1);
  std::vector<std::pair<std::string, Json>> rods, shells;
  Rod first = drawRod(draw, Vec3::Zero(), along, n, t.finer, bent);
  first.material = "a";
  Rod branch =
      drawRod(draw, first.points[static_cast<std::size_t>(joint * t.finer)],
              Vec3(draw.uniform(-0.1, 0.1), draw.uniform(0.08, 0.15), draw.uniform(-0.1, 0.1)), n2, t.finer, bent);
  branch.material = "b";
  const int last = n * t.finer, last2 = n2 * t.finer;
  shape(first, Draw(seed + 131), t), shape(branch, Draw(seed + 137), t);
  rods.push_back({"one", rodJson(first, t)});
  if (second) {
    rods.push_back({"two", rodJson(branch, t)});
    scene["joints"].push_back(
        {{weld || asked.isStatic ? "weld" : "pin",
          {nodeOf("one", joint * t.finer, last, t.nodesReversed), nodeOf("two", 0, last2, t.nodesReversed)}}});
  }
  const bool midedge = draw.uniform(0, 1) < 0.5;
  const Json mesh = sheetJson(draw, corner, Vec3(0.2, 0.02, 0), Vec3(0, 0.1, 0.02), t);
  const double thickness = draw.log(0.001, 0.006);
  if (sheet) {
    shells.push_back({"skin",
                      {{"material", "b"},
                       {"thickness", t.value(thickness, 0, 1, 0)},
                       {"bending", midedge && !asked.isExplicit ? "midedge" : "hinge"},
                       {"mesh", mesh}}});
  }
  // A rod that stands on the sheet.
  Draw grown(seed + 101);
  const Vec3 up(grown.uniform(-0.05, 0.05), grown.uniform(-0.05, 0.05), grown.uniform(0.06, 0.12));
  const int foot = grown.whole(0, 1) == 0 ? 4 * t.finer : 4 * t.finer + 1 + 2 * t.finer,
            segments = grown.whole(3, 5) * t.finer;
  if (Features{grown, t}("stem", 0.4) && sheet && !asked.isExplicit) {
    const Json& start =
        mesh["points"]
            [static_cast<std::size_t>(t.nodesReversed ? static_cast<int>(mesh["points"].size()) - 1 - foot : foot)];
    const Vec3 from = t.back(Vec3(start[0], start[1], start[2]), 0);
    Rod stem = drawRod(grown, from, up, segments / t.finer, t.finer, bent);
    stem.material = "b";
    rods.push_back({"stem", rodJson(stem, t)});
    Json& first = rods.back().second["path"]["points"][static_cast<std::size_t>(t.nodesReversed ? segments : 0)];
    first = start;
    scene["joints"].push_back({{"weld", {nodeOf("stem", 0, segments, t.nodesReversed), vertexOf(foot, t)}}});
  }
  if (t.stranger && t.without.count("stranger") == 0) {
    Draw own(seed + 13);
    Rod stranger = drawRod(own, Vec3(0, 7, 20), Vec3(0.01, 0.3, 0.05), 7, 1, true);
    stranger.material = "stone";
    scene["materials"]["stone"] = material(t, asked.isExplicit ? E : 3e10, 2600, 0);
    rods.push_back({"stranger", rodJson(stranger, t)});
    scene["constraints"].push_back({{"clamp", "stranger:first"}});
    scene["loads"].push_back({{"force", t.vector(Vec3(3, 1, 2), 1, 1, -2)}, {"at", "stranger:last"}});
    // Fields of its own, on as many points as it has.
    Draw sown(seed + 17);
    if (Features{sown, t}("field", 0.6)) {
      const double pull = sown.uniform(1, 20), air = sown.uniform(0.5, 5);
      const Vec3 magnet = sown.inCube(0.5);
      scene["loads"].push_back({{"potential", "=" + exact(t.value(pull, 1, -1, -2)) + "*(x*x + y*y + z*z)"},
                                {"on", "stranger"},
                                {"per", "length"}});
      scene["loads"].push_back(
          {{"moment", turningOf(t.vector(magnet, 1, 1, -2))}, {"at", "stranger"}, {"per", "length"}});
      Json drag = Json::array();
      for (const char* v : {"vx", "vy", "vz"})
        drag.push_back("=-" + exact(t.value(air, 1, -2, 0)) + "*sqrt(vx*vx + vy*vy + vz*vz)*" + v);
      if (!asked.isStatic) scene["loads"].push_back({{"line", drag}, {"on", "stranger"}});
    }
  }
  tellBodies(scene, "rods", std::move(rods), t.bodiesReversed);
  tellBodies(scene, "shells", std::move(shells), t.bodiesReversed);

  const std::string tip = nodeOf("one", last, last, t.nodesReversed), root = nodeOf("one", 0, last, t.nodesReversed),
                    inside = nodeOf("one", n / 2 * t.finer, last, t.nodesReversed);
  if (!asked.isFree) {
    scene["constraints"].push_back({{"clamp", root}});
    if (sheet) scene["constraints"].push_back({{"clamp", {vertexOf(0, t), vertexOf(4 * t.finer + 1, t)}}});
  }
  // About as much as bends the rod by a third of its length.
  const double EI = E * pi / 4 * std::pow(first.radius, 4), L = along.norm(),
               strength = EI / (L * L) * draw.uniform(0.2, 1.5);
  const Vec3 push = strength * draw.inCube(1), turn = 0.3 * L * strength * draw.inCube(1),
             pull = 0.5 * strength * draw.inCube(1);
  if (has("force", 0.7) && !t.cold) scene["loads"].push_back({{"force", t.vector(push, 1, 1, -2)}, {"at", tip}});
  const bool turnsTip = Draw(seed + 41).chance(0.5), turned = has("moment", 0.4) && !t.cold && !asked.plain;
  if (turned) scene["loads"].push_back({{"moment", t.axial(turn, 1, 2, -2)}, {"at", turnsTip ? tip : inside}});
  // Beside a moment at its node a follower force is of the first order in h (theory.md).
  const bool follows = !asked.isStatic || (asked.follows && !(turned && turnsTip));
  if (has("follower", 0.3) && !t.cold && !asked.plain && follows) {
    scene["loads"].push_back(
        {{"follower", Json::array({0.0, 0.0, t.value(pull.x() * (t.nodesReversed ? -1 : 1), 1, 1, -2)})}, {"at", tip}});
  }
  // Springs to a point, a magnet's pull on the tangent, and drag with the square of the speed.
  Draw sown(seed + 211);
  const Vec3 center = sown.inCube(0.3), axis = sown.inCube(0.5 * strength);
  const double springs = strength / (L * L) * sown.uniform(0.1, 1),
               air = rho * pi * first.radius * first.radius * sown.uniform(0.5, 5);
  if (Features{sown, t}("field", 0.35) && !asked.isFree && !asked.plain && !t.cold) {
    const auto told = [](const Json& v) { return exact(v.get<double>()); };
    const Json c = t.place(center), a = t.vector((t.nodesReversed ? -1 : 1) * axis, 1, 1, -2);
    // Products, not powers, whose last bits are not the same in all units.
    const auto square = [](const std::string& v) { return v + "*" + v; };
    std::string distance, along;
    for (int k = 0; k < 3; ++k) {
      const std::string x(1, "xyz"[k]);
      distance += (k ? " + " : "") + square("(" + x + " - " + told(c[static_cast<std::size_t>(k)]) + ")");
      along += " - " + told(a[static_cast<std::size_t>(k)]) + "*t" + x;
    }
    scene["loads"].push_back(
        {{"potential", "=0.5*" + exact(t.value(springs, 1, -1, -2)) + "*(" + distance + ")" + along},
         {"on", "one"},
         {"per", "length"}});
    Json drag = Json::array();
    for (const char* v : {"vx", "vy", "vz"})
      drag.push_back("=-" + exact(t.value(air, 1, -2, 0)) + "*sqrt(vx*vx + vy*vy + vz*vz)*" + v);
    if (!asked.isStatic) scene["loads"].push_back({{"line", drag}, {"on", "one"}});
    // Another magnet, by its moment.
    Draw wound(seed + 223);
    const Vec3 magnet = wound.inCube(0.3 * strength);
    if (Features{wound, t}("moment", 0.5))
      scene["loads"].push_back({{"moment", turningOf(t.vector((t.nodesReversed ? -1 : 1) * magnet, 1, 1, -2))},
                                {"at", "one"},
                                {"per", "length"}});
  }
  const double g = std::min(9.81, 30 * strength / (rho * pi * first.radius * first.radius * L)) * draw.uniform(0.1, 1);
  const Vec3 weight(draw.uniform(-0.2, 0.2) * g, draw.uniform(-0.2, 0.2) * g, -g);
  const bool heavy = has("weight", 0.7) && !(t.cold);
  scene["environment"]["gravity"] = heavy ? t.vector(weight, 0, 1, -2) : Json::array({0, 0, 0});
  const double viscous = draw.log(0.01, 1);
  if (has("drag", 0.3) && !t.cold && !asked.isFree) scene["environment"]["viscous"] = t.value(viscous, 1, -1, -1);
  const Vec3 speed = draw.inCube(0.4);
  const bool moving = has("initial", 0.5) && !asked.isStatic;
  if (moving || !t.drift.isZero(0)) {
    const Vec3 told = t.length / t.time * (t.matrix() * (moving ? speed : Vec3(Vec3::Zero())) + t.drift);
    Json initial = Json::array();
    for (const char* kind : {"rods", "shells"}) {
      if (scene.find(kind) == scene.end()) continue;
      for (const auto& body : scene[kind].items()) {
        if (body.key() != "stranger") initial.push_back({{"of", body.key()}, {"velocity", Telling::list(told)}});
      }
    }
    scene["initial"] = initial;
  }
  if (!asked.isStatic && !t.cold) turnAtStart(scene, Draw(seed + 83), t);
  const double depth = draw.uniform(0.012, 0.04), mu = draw.uniform(0.1, 0.6);
  const Vec3 normal = Vec3(draw.uniform(-0.15, 0.15), draw.uniform(-0.15, 0.15), 1).normalized();
  if (has("floor", 0.5) && asked.touching && !asked.isStatic) {
    scene["obstacles"]["floor"] = {
        {"plane", {{"point", t.place(Vec3(0, 0, -2 * first.radius - depth))}, {"normal", t.direction(normal)}}}};
    if (!t.drift.isZero(0)) scene["obstacles"]["floor"]["velocity"] = Telling::list(t.length / t.time * t.drift);
    const double k = std::max(30 * EI / (L * L * L), 10.0);
    scene["contact"] = {{"stiffness", t.value(k, 1, 0, -2)},
                        {"distance", t.value(0.3 * first.radius, 0, 1, 0)},
                        {"slip", t.value(0.01, 0, 1, -1)}};
    const bool rubs = has("friction", 0.5);
    if (rubs && !asked.isExplicit) scene["contact"]["friction"] = mu;
    Draw own(seed + 139);
    if (Features{own, t}("unsaid", 0.3) && !asked.isExplicit) scene["contact"].erase("stiffness");
  }
  // Bodies may meet, though most of these do not: what watches for it is nothing to those that stay apart.
  Draw among(seed + 163);
  if (Features{among, t}("self", 0.3) && asked.touching && !asked.isExplicit) {
    if (!scene.contains("contact"))
      scene["contact"] = {{"distance", t.value(0.3 * first.radius, 0, 1, 0)}, {"slip", t.value(0.01, 0, 1, -1)}};
    scene["contact"]["self"] = true;
  }
  // A spring from the tip of one rod to that of the other, stretched or pressed at the start.
  Draw wired(seed + 173);
  const double stiff = EI / (L * L * L) * wired.log(0.3, 10), slack = wired.uniform(0.8, 1.1),
               lossy = wired.log(1e-3, 1e-2);
  if (Features{wired, t}("wire", 0.4) && second) {
    const double distance = (first.points.back() - branch.points.back()).norm();
    Json law = {{"stiffness", t.value(stiff, 1, 0, -2)}};
    if (!t.cold) law["natural"] = t.value(slack * distance, 0, 1, 0);
    if (damped) law["damping"] = t.value(stiff * lossy, 1, 0, -1);
    scene["springs"]["wire"] = {{"distance", law}, {"between", {tip, nodeOf("two", last2, last2, t.nodesReversed)}}};
  }
  // A torsion spring between their last edges, at ease as built.
  Draw wound(seed + 179);
  const double torsion = EI / L * wound.log(0.05, 1), creep = wound.log(1e-3, 1e-2);
  if (Features{wound, t}("torsion", 0.3) && second) {
    Json law = {{"stiffness", t.value(torsion, 1, 2, -2)}};
    if (damped) law["damping"] = t.value(torsion * creep, 1, 2, -1);
    const Json places = {nodeOf("one", last - t.finer, last, t.nodesReversed), tip,
                         nodeOf("two", last2, last2, t.nodesReversed),
                         nodeOf("two", last2 - t.finer, last2, t.nodesReversed)};
    scene["springs"]["torsion"] = {{"dihedral", law}, {"between", places}};
  }
  static const char* const integrators[] = {"implicit-euler", "bdf2", "implicit-midpoint"};
  const std::string own = integrators[draw.whole(0, 2)];
  actuate(scene, Draw(seed + 61), t, asked, along);
  // A part of the slowest period, so that most of what moves is resolved.
  const double period = 1.8 * L * L * std::sqrt(rho * 4 / (E * first.radius * first.radius));
  const double dt = period / draw.uniform(30, 80);
  scene["solver"] = solver(t, asked, own, moving ? std::min(dt, 0.01 * L / speed.norm()) : dt, 24);
  if (asked.isExplicit) {
    // A part of the time in which waves pass an edge, or dampers take what moves there.
    const double other = scene["materials"]["b"]["youngs"].get<double>() /
                         scene["materials"]["b"]["density"].get<double>() / t.value(1, 0, 2, -2);
    const double edge = std::min(L / n, 0.04), wave = edge / std::sqrt(std::max(E / rho, other)) / t.finer;
    const double most = 0.15 * (damped ? std::min(wave, wave * wave * E / eta) : wave);
    scene["solver"] = solver(t, asked, seed % 2 ? "verlet" : "symplectic-euler", most, 160);
  }
  // A clamp that catches a node in motion, and turns it or not.
  Draw later(seed + 107);
  const bool turns = later.chance(0.5),
             catches = Features{later, t}("caught", 0.3) && asked.catching && !asked.isFree && !asked.isStatic;
  // Half springs are stiffer than those that the step was chosen for.
  if (catches && asked.isExplicit) scene["solver"]["dt"] = 0.5 * scene["solver"]["dt"].get<double>();
  const double when = (asked.isExplicit ? 10 : 1) * later.whole(4, 12) * scene["solver"]["dt"].get<double>() / t.dt,
               way = later.uniform(-1, 1);
  const Vec3 about = later.inCube(1);
  const std::string where = later.chance(0.5) ? tip : inside;
  if (catches) {
    Json clamp = {{"clamp", where}, {"from", when}, {"before", "free"}};
    const std::string angle =
        "=" + test::digits(way) + "*smooth(t, " + test::digits(when) + ", " + test::digits(3 * when) + ")";
    if (turns) clamp["rotation"] = {{"axis", t.axial(about, 0, 0, 0)}, {"angle", angle}};
    scene["constraints"].push_back(clamp);
  }
  if (asked.isStatic) scene["solver"]["loadSteps"] = 2;
  // What comes and goes on a stranger, and a mass that hangs there, are nothing to others.
  if (t.stranger && t.without.count("stranger") == 0) {
    scene["loads"].push_back({{"mass", t.value(0.3, 1, 0, 0)}, {"at", "stranger:5"}});
    if (!asked.isStatic) {
      const double step = scene["solver"]["dt"].get<double>();
      for (const int k : {3, 9, 14}) {
        scene["loads"].push_back({{"force", t.vector(Vec3(0, 2, 1), 1, 1, -2)},
                                  {"at", "stranger:4"},
                                  {"from", (k + 0.3) * step},
                                  {"until", (k + 4) * step}});
      }
    }
  }
  return scene.dump();
}

std::string touching(unsigned seed, const Telling& t, const Asked& asked) {
  Draw draw(seed ^ 0x746f7563u);
  const Features has{draw, t};
  Json scene = {{"format", "tendril/1"}};
  const double E = draw.log(1e6, 1e8), rho = draw.uniform(500, 2000);
  scene["materials"]["a"] = material(t, E, rho, 0);
  scene["materials"]["b"] = material(t, E * draw.log(0.1, 10), rho * draw.uniform(0.5, 2), 0);
  // One lies along x, two falls across it; both a little bent, askew and beside the middle.
  const int n = draw.whole(5, 9), n2 = draw.whole(4, 8);
  const Vec3 along(0.3, draw.uniform(-0.03, 0.03), draw.uniform(-0.02, 0.02)),
      across(draw.uniform(-0.05, 0.05), 0.2, draw.uniform(-0.03, 0.03));
  Rod one = drawRod(draw, Vec3::Zero(), along, n, t.finer, false);
  one.material = "a";
  Rod two = drawRod(draw, Vec3::Zero(), across, n2, t.finer, false);
  two.material = "b";
  const double thickness = draw.log(0.002, 0.006);
  const bool sheet = has("sheet", 0.35);
  const Vec3 corner(0, -0.05, 0), width(0, 0.1, 0);
  const double under = sheet ? 0.5 * thickness : one.radius, gap = draw.uniform(0.1, 1) * two.radius;
  // Height of the rod or sheet below the middle of the one that falls.
  const double share = draw.uniform(0.35, 0.65), slope = along.z() / along.x();
  // A sheet is met first at its border, where what falls is lowest.
  const double lowest = sheet ? 0.05 / across.y() * std::abs(across.z() - slope * across.x()) : 0;
  const double height = share * along.z() + 1.3 * (under + two.radius) + gap + lowest;
  const Vec3 middle = share * Vec3(along.x(), along.y(), 0) + height * Vec3::UnitZ();
  for (Vec3& x : two.points) x += middle - 0.45 * across;
  shape(one, Draw(seed + 131), t), shape(two, Draw(seed + 137), t);
  std::vector<std::pair<std::string, Json>> rods;
  const Json mesh = sheetJson(draw, corner, Vec3(along.x(), 0, along.z()), width, t, 0);
  if (!sheet) rods.push_back({"one", rodJson(one, t)});
  rods.push_back({"two", rodJson(two, t)});
  // A heap elsewhere, of thicker rods.
  const bool strangers = t.stranger && t.without.count("stranger") == 0;
  if (strangers) {
    Draw own(seed + 151);
    Rod below = drawRod(own, Vec3(0, 7, 20), Vec3(0.3, 0.01, 0.02), own.whole(3, 8), 1, false);
    below.radius *= 2, below.material = "b";
    Rod above = drawRod(own, Vec3(0.15, 6.9, 20.01 + 1.2 * (below.radius + two.radius)), Vec3(0.01, 0.2, 0),
                        own.whole(3, 8), 1, false);
    above.radius = two.radius, above.material = "a";
    const auto at = seed % 2 ? rods.begin() : rods.end();
    rods.insert(at, {{"stranger", rodJson(below, t)}, {"stranger2", rodJson(above, t)}});
  }
  tellBodies(scene, "rods", std::move(rods), t.bodiesReversed);
  if (sheet)
    scene["shells"]["skin"] = {
        {"material", "a"}, {"thickness", t.value(thickness, 0, 1, 0)}, {"bending", "hinge"}, {"mesh", mesh}};
  if (!asked.isFree && sheet)
    scene["constraints"].push_back(
        {{"clamp", {vertexOf(0, t), vertexOf(4 * t.finer + 1, t), vertexOf(2 * (4 * t.finer + 1), t)}}});
  if (!asked.isFree && !sheet) scene["constraints"] = {{{"clamp", "one:first"}}, {{"clamp", "one:last"}}};
  const double L = along.norm(), k = sheet ? 100 : 48 * E * pi / 4 * std::pow(one.radius, 4) / (L * L * L);
  const double mass = rho * pi * two.radius * two.radius * across.norm(), slow = std::sqrt(mass / k);
  // It sinks by some of its radii, and slips along.
  const double speed = draw.uniform(0.3, 2) * two.radius / slow, mu = draw.uniform(0.1, 0.8);
  const Vec3 velocity(draw.uniform(-0.5, 0.5) * speed, draw.uniform(-0.5, 0.5) * speed, -speed);
  scene["initial"] = {{{"of", "two"}, {"velocity", t.vector(velocity, 0, 1, -1)}}};
  if (!t.drift.isZero(0)) {
    scene["initial"] = {{{"of", "two"}, {"velocity", t.vector(velocity + t.drift, 0, 1, -1)}},
                        {{"of", sheet ? "skin" : "one"}, {"velocity", t.vector(t.drift, 0, 1, -1)}}};
  }
  if (strangers) {
    scene["constraints"].push_back({{"clamp", "stranger:first"}});
    scene["constraints"].push_back({{"clamp", "stranger:last"}});
    scene["initial"].push_back({{"of", "stranger2"}, {"velocity", t.vector(Vec3(0.3 * speed, 0, -speed), 0, 1, -1)}});
  }
  const double g = draw.uniform(0.1, 1) * speed / slow;
  const bool heavy = has("weight", 0.6) && !t.cold;
  scene["environment"]["gravity"] = heavy ? t.vector(Vec3(0, 0, -g), 0, 1, -2) : Json::array({0, 0, 0});
  scene["contact"] = {{"self", true},
                      {"stiffness", t.value(30 * k, 1, 0, -2)},
                      {"distance", t.value(0.2 * two.radius, 0, 1, 0)},
                      {"slip", t.value(0.02 * speed, 0, 1, -1)}};
  if (has("friction", 0.6)) scene["contact"]["friction"] = mu;
  Draw later(seed + 139);
  if (Features{later, t}("unsaid", 0.3)) scene["contact"].erase("stiffness");
  static const char* const integrators[] = {"implicit-euler", "bdf2", "implicit-midpoint"};
  const std::string own = integrators[draw.whole(0, 2)];
  const double dt = 0.03 * two.radius / speed;
  scene["solver"] = solver(t, asked, own, std::min(dt, 0.05 * slow), 40);
  return scene.dump();
}

}  // namespace tendril::properties
