// One model against another, and what must not depend on how a body is made up.
#include <algorithm>
#include <cmath>

#include "law.h"

namespace tendril::properties {
namespace models_test {

using test::digits;

Json list(const Vec3& v) { return Telling::list(v); }

Vec3 tipOf(const Json& scene, const char* probe = "tip") {
  Simulation sim(scene.dump());
  test::runToEnd(sim);
  return test::vectorColumn(sim, probe);
}

// ---- rod, soft link, shell strip ------------------------------------------------------------------------------------

struct Beam {
  double E, L, width, height;
  Vec3 force;
};

Beam drawBeam(unsigned seed) {
  Draw draw(seed + 31);
  Beam b;
  b.E = draw.log(1e5, 1e9), b.L = draw.uniform(0.2, 0.5);
  b.width = b.L * draw.uniform(0.05, 0.1), b.height = b.L * draw.uniform(0.005, 0.02);
  const double EI = b.E * b.width * std::pow(b.height, 3) / 12;
  // Across the flat side, and a little along: up to half a radian at the tip.
  b.force =
      EI / (b.L * b.L) * Vec3(draw.uniform(-0.3, 0.3), 0, draw.uniform(0.1, 1) * (draw.uniform(0, 1) < 0.5 ? -1 : 1));
  return b;
}

Json beamScene(const Beam& b) {
  return {{"format", "tendril/1"},
          {"materials", {{"m", {{"youngs", b.E}, {"poisson", 0}, {"density", 1000}}}}},
          {"solver", {{"mode", "static"}, {"loadSteps", 2}}}};
}

Json sectionOf(const Beam& b) { return {{"rectangle", {{"width", b.width}, {"height", b.height}}}}; }

Vec3 rodTip(const Beam& b) {
  Json s = beamScene(b);
  s["rods"]["beam"] = {{"section", sectionOf(b)},
                       {"segments", 60},
                       {"frame", {0, 1, 0}},
                       {"path", {{"line", {{"from", {0, 0, 0}}, {"to", {b.L, 0, 0}}}}}}};
  s["constraints"] = {{{"clamp", "beam:first"}}};
  s["loads"] = {{{"force", list(b.force)}, {"at", "beam:last"}}};
  s["probes"]["tip"] = {{"position", "beam:last"}};
  return tipOf(s);
}

Vec3 linkTip(const Beam& b) {
  Json s = beamScene(b);
  s["linkages"]["arm"]["links"]["beam"]["body"]["soft"] = {
      {"length", b.L}, {"section", sectionOf(b)}, {"material", "m"}, {"strains", {{"bendY", 4}, {"stretch", 2}}}};
  s["loads"] = {{{"force", list(b.force)}, {"at", "arm/beam@1"}}};
  s["probes"]["tip"] = {{"position", "arm/beam@1"}};
  return tipOf(s);
}

Vec3 stripTip(const Beam& b) {
  Json s = beamScene(b);
  const int n = 30;
  const double h = b.L / n;
  s["shells"]["beam"] = {{"thickness", b.height},
                         {"bending", "midedge"},
                         {"membrane", "stvk"},
                         {"mesh",
                          {{"rectangle",
                            {{"corner", {0, -b.width / 2, 0}},
                             {"along", {b.L, 0, 0}},
                             {"across", {0, b.width, 0}},
                             {"edge", h},
                             {"pattern", "right-isosceles"}}}}}};
  s["constraints"] = {{{"clamp", {{"of", "beam"}, {"where", "x < " + digits(0.01 * h)}}}}};
  const Json end = {{"of", "beam"}, {"where", "x > " + digits(b.L - 0.01 * h)}};
  s["loads"] = {{{"force", list(b.force)}, {"share", true}, {"at", end}}};
  s["probes"]["tip"] = {{"position", end}};
  return tipOf(s);
}

TEST(Properties, ARodASoftLinkAndAStripOfShellBendAlike) {
  hold(
      "rod, link, strip", 16,
      [](unsigned seed, const std::set<std::string>&) -> std::string {
        const Beam b = drawBeam(seed);
        const Vec3 still(b.L, 0, 0), rod = rodTip(b) - still, link = linkTip(b) - still, strip = stripTip(b) - still;
        if ((rod - link).norm() > 2e-3 * rod.norm())
          return "rod and link by " + number((rod - link).norm() / rod.norm());
        if ((rod - strip).norm() > 2e-2 * rod.norm())
          return "rod and strip by " + number((rod - strip).norm() / rod.norm());
        return "";
      },
      none());
}

// ---- how a body is made up
// --------------------------------------------------------------------------------------------

/// The scene's first rod cut at a node, its halves welded.
std::string cut(const std::string& text, int at) {
  Json scene = Json::parse(text);
  const Json rod = scene["rods"]["one"];
  const Json& points = rod["path"]["points"];
  Json near = rod, far = rod;
  near["path"]["points"] = Json(points.begin(), points.begin() + at + 1);
  far["path"]["points"] = Json(points.begin() + at, points.end());
  scene["rods"] = {{"one", near}, {"far", far}};
  scene["joints"].push_back({{"weld", {"one:last", "far:first"}}});
  if (scene.contains("loads")) {
    for (Json& load : scene["loads"]) {
      const int node = std::stoi(load["at"].get<std::string>().substr(4));
      if (node > at) load["at"] = "far:" + std::to_string(node - at);
    }
  }
  if (scene.contains("actuation")) {
    const Json own = scene["actuation"];
    for (Json more : own) more["rod"] = "far", scene["actuation"].push_back(more);
  }
  if (scene.contains("initial")) {
    Json more = scene["initial"][0];
    more["of"] = "far";
    scene["initial"].push_back(more);
  }
  return scene.dump();
}

TEST(Properties, ARodThatIsCutAndWeldedIsTheRod) {
  for (const bool isStatic : {true, false}) {
    hold(
        isStatic ? "cut and welded at rest" : "cut and welded", 40,
        [=](unsigned seed, const std::set<std::string>& without) -> std::string {
          Telling t;
          t.without = without;
          t.without.insert({"second", "sheet", "curved", "twisted", "turned", "spun", "flat", "straight",
                            "field"});  // half edges at a weld have shapes of their own
          Asked asked;
          asked.isStatic = isStatic;
          const std::string whole = continuum(seed, t, asked);
          const int nodes = static_cast<int>(Json::parse(whole)["rods"]["one"]["path"]["points"].size());
          Draw draw(seed);
          // A clamp takes its direction from the first three points, which stay together.
          const int at = draw.whole(2, nodes - 2);
          const Course a = run(whole, t);
          Course b = run(cut(whole, at), t);
          // A rod that lies folded back on itself has no next step (SharpBends): round-off decides when that is seen.
          if ((a.failure + b.failure).find("folds back on itself") != std::string::npos) return "skip";
          if (a.failure.empty() != b.failure.empty()) return a.failure + b.failure;
          if (!a.failure.empty() || a.retries + b.retries > 0) return "skip";
          // Bodies come by name: "far" is w, f1, f2 ..., then "one" is o0, o1 ..., w.
          const std::size_t n = static_cast<std::size_t>(nodes);
          if (b.nodes.size() != n + 1) return "another number of nodes";
          if ((b.nodes.back() - b.nodes[0]).norm() > 0) return "the weld has opened";
          const std::ptrdiff_t farCount = static_cast<std::ptrdiff_t>(nodes) - at;
          std::vector<Vec3> ordered(b.nodes.begin() + farCount, b.nodes.end());
          ordered.insert(ordered.end(), b.nodes.begin() + 1, b.nodes.begin() + farCount);
          b.nodes = ordered;
          const double distance = apart(a, b);
          return distance < 1e-6 ? "" : "apart by " + number(distance);
        },
        [](unsigned seed, const Telling& t) { return continuum(seed, t, {}); });
  }
}

// A straight rod of which a twist is told at its start, or the other way round as its own, stores the same and swings
// alike.
TEST(Properties, ARodTwistedAtItsStartIsOneThatIsTwistedByNature) {
  hold(
      "twisted at its start", 40,
      [](unsigned seed, const std::set<std::string>& without) -> std::string {
        Telling t;
        t.without = without;
        // What bends sees the turn of sections from one edge to the next, by the mesh.
        for (const char* f : {"second", "sheet", "bent", "curved", "twisted", "turned", "force", "moment", "weight",
                              "initial", "floor", "straight", "field"})
          t.without.insert(f);
        Json scene = Json::parse(continuum(seed, t, {}));
        Draw draw(seed + 17);
        const double rate = draw.uniform(2, 8) * (draw.chance(0.5) ? 1 : -1);
        scene["probes"]["stored"] = {{"energy", "twist"}, {"of", "one"}};
        Json start = scene, own = scene;
        start["initial"].push_back({{"of", "one"}, {"twist", "=" + digits(rate) + "*s"}});
        own["rods"]["one"]["natural"]["twist"] = -rate;
        try {
          Simulation a(start.dump()), b(own.dump());
          const double whole = test::column(b, "stored");
          for (const char* when : {"start", "end"}) {
            const double told = test::column(a, "stored"), byNature = test::column(b, "stored");
            if (std::abs(told - byNature) > 1e-6 * whole)
              return std::string("it stores ") + number(told) + " J at the " + when + " instead of " +
                     number(byNature) + " J";
            if (test::runToEnd(a).retries + test::runToEnd(b).retries > 0) return "skip";
          }
          return "";
        } catch (const std::exception& error) {
          return error.what();
        }
      },
      [](unsigned seed, const Telling& t) { return continuum(seed, t, {}); });
}

TEST(Properties, FinerMeshesConvergeToSecondOrder) {
  hold(
      "order in h", 24,
      [](unsigned seed, const std::set<std::string>& without) -> std::string {
        Asked asked;
        asked.isStatic = asked.follows = true;
        std::vector<Vec3> tip;
        std::string said;
        // Bending within a few edges of a clamp needs more of them before an order shows.
        for (int finer = 2; finer <= 128; finer *= 2) {
          Telling t;
          t.without = without;
          t.without.insert("sheet");
          t.finer = finer;
          const Course c = run(continuum(seed, t, asked), t);
          if (!c.failure.empty()) return "skip";
          const std::size_t nodes = Json::parse(c.scene)["rods"]["one"]["path"]["points"].size();
          tip.push_back(c.nodes[nodes - 1]);
          if (tip.size() < 3) continue;
          const std::size_t last = tip.size() - 1;
          const double d1 = (tip[last - 1] - tip[last - 2]).norm(), d2 = (tip[last] - tip[last - 1]).norm();
          if (d1 < 1e-7) return tip.size() == 3 ? "skip" : said;
          const double order = std::log2(d1 / d2);
          if (order > 1.7) return "";
          said = "order " + number(order) + ", differences " + number(d1) + " and " + number(d2) + " m";
        }
        return said;
      },
      [](unsigned seed, const Telling& t) {
        Asked asked;
        asked.isStatic = asked.follows = true;
        return continuum(seed, t, asked);
      });
}

// ---- friction
// ---------------------------------------------------------------------------------------------------------

/// A body that lies on a slope of angle a, along it: how fast it slides down after a while, over g times that time.
double slides(const char* kind, double a, double mu, unsigned seed) {
  Draw draw(seed + 9);
  const double L = draw.uniform(0.05, 0.2), r = L * draw.uniform(0.03, 0.06), g = 9.81, rho = 1200, c = std::cos(a),
               s = std::sin(a);
  const Vec3 down(c, 0, -s), up(s, 0, c), from = r * up, to = from - L * down;
  Json scene = {{"format", "tendril/1"}, {"materials", {{"m", {{"youngs", 1e8}, {"poisson", 0.3}, {"density", rho}}}}}};
  scene["environment"]["gravity"] = {0, 0, -g};
  scene["obstacles"]["slope"]["plane"] = {{"point", {0, 0, 0}}, {"normal", list(up)}};
  double weight = rho * pi * r * r * L * g;
  const std::string what = kind;
  if (what == "rod") {
    scene["rods"]["b"] = {{"section", {{"circle", {{"radius", r}}}}},
                          {"segments", 6},
                          {"frame", {0, 1, 0}},
                          {"path", {{"line", {{"from", list(from)}, {"to", list(to)}}}}}};
    scene["probes"]["v"] = {{"velocity", "b"}};
  } else if (what == "shell") {
    scene["shells"]["b"] = {{"thickness", 2 * r},
                            {"mesh",
                             {{"rectangle",
                               {{"corner", list(from - 0.25 * L * Vec3::UnitY())},
                                {"along", list(-L * down)},
                                {"across", {0, 0.5 * L, 0}},
                                {"edge", L / 4}}}}}};
    weight = rho * 2 * r * 0.5 * L * L * g;
    scene["probes"]["v"] = {{"velocity", "b"}};
  } else {
    scene["linkages"]["b"] = {
        {"base", {{"position", list(from)}, {"forward", list(-down)}, {"up", list(up)}}},
        {"links",
         {{"only",
           {{"joint", {{"planar", {{"axis", "y"}}}}},
            {"body", {{"rigid", {{"length", L}, {"section", {{"circle", {{"radius", r}}}}}, {"density", rho}}}}}}}}}};
    scene["probes"]["v"] = {{"velocity", "b/only@0.5"}};
  }
  const double distance = 0.1 * r;
  scene["contact"] = {{"per", "length"},
                      {"stiffness", weight * c / L * 15 / distance / std::log(2.0)},
                      {"distance", distance},
                      {"friction", mu},
                      {"slip", 1e-4}};
  scene["solver"] = {{"integrator", "implicit-euler"}, {"dt", 2e-3}, {"duration", 0.4}};
  Simulation sim(scene.dump());
  test::runToEnd(sim);
  return test::vectorColumn(sim, "v").dot(down) / (g * sim.time());
}

TEST(Properties, FrictionHoldsUpToItsAngleAndNotBeyond) {
  for (const char* kind : {"rod", "shell", "link"}) {
    hold(
        std::string("friction of a ") + kind, 12,
        [kind](unsigned seed, const std::set<std::string>&) -> std::string {
          Draw draw(seed);
          const double mu = draw.uniform(0.1, 0.8), less = std::atan(mu) * draw.uniform(0.5, 0.95),
                       more = std::atan(mu) * draw.uniform(1.05, 1.4);
          const double held = slides(kind, less, mu, seed), free = slides(kind, more, mu, seed);
          const double expected = std::sin(more) - mu * std::cos(more);
          if (std::abs(held) > 1e-4)
            return "slides at " + number(less / std::atan(mu)) + " of its angle: " + number(held);
          if (std::abs(free - expected) > 0.02 * std::sin(more))
            return "accelerates by " + number(free) + " g instead of " + number(expected);
          return "";
        },
        none());
  }
}

}  // namespace models_test
}  // namespace tendril::properties
