// What a user does to a run: looks, sliders, another end, feedback, obstacles that are moved.
#include <algorithm>
#include <cmath>
#include <regex>

#include "law.h"

namespace tendril::properties {
namespace controls_test {

using test::column;
using test::digits;

std::vector<std::pair<std::string, Scenes>> everyKind() {
  return {
      {"rods and shells", [](unsigned seed, const Telling& t) { return continuum(seed, t, moving()); }},
      {"what touches", [](unsigned seed, const Telling& t) { return touching(seed, t, {}); }},
      {"linkages", [](unsigned seed, const Telling& t) { return linkage(seed, t, {}); }},
      {"loops", [](unsigned seed, const Telling& t) { return closedChain(seed, t, {}); }},
      {"explicit steps", [](unsigned seed, const Telling& t) { return continuum(seed, t, explicitly()); }},
      {"explicit steps of linkages", [](unsigned seed, const Telling& t) { return linkage(seed, t, explicitly()); }},
      {"vines", [](unsigned seed, const Telling& t) { return vines(seed, t, {}); }}};
}

Scenes none() {
  return [](unsigned, const Telling&) { return std::string("(see the seed)"); };
}

// ---- looks
// ------------------------------------------------------------------------------------------------------------

/// Probes of what is computed only where it is asked for.
void probe(Json& scene) {
  const bool vine = scene.contains("vines");
  for (const char* energy : {"total", "elastic", "contact"}) {
    if (!vine) scene["probes"][energy] = {{"energy", energy}};
  }
  if (!vine) scene["probes"]["given"] = {{"energy", "work"}};
  if (scene.contains("contact")) scene["probes"]["pressed"] = {{"contact", "force"}};
  if (scene.contains("rods") && scene["rods"].contains("one"))
    scene["probes"]["R"] = {{"reaction", "one"}}, scene["probes"]["M"] = {{"reactionMoment", "one"}, {"reduce", "sum"}};
  if (scene.contains("linkages")) {
    for (const auto& [name, body] : scene["linkages"].items()) {
      for (const auto& [link, own] : body["links"].items())
        scene["probes"][link] = {{"jointEffort", name + "/" + link}};
    }
  }
}

// Explicit integrators too: they take over more from the last step.
TEST(Properties, LooksAndProbesChangeNothing) {
  for (const auto& [name, scenes] : everyKind()) {
    hold(
        "looks at " + name, 16,
        [name = name, scenes = scenes](unsigned seed, const std::set<std::string>& without) -> std::string {
          Telling t;
          t.without = without;
          Json scene = Json::parse(scenes(seed, t));
          const std::string plain = scene.dump();
          probe(scene);
          try {
            Simulation alone(plain), seen(scene.dump());
            long retries = 0;
            while (!alone.finished()) {
              retries += alone.step().retries + seen.step().retries;
              if (seed % 2 == 0 || seen.finished())
                seen.snapshot(), seen.bodies(), seen.maxPenetration(), seen.energyBalance(), seen.save();
            }
            return test::allNodes(alone) == test::allNodes(seen)
                       ? ""
                       : "who is looked at runs otherwise, " + std::to_string(retries) + " retries";
          } catch (const std::exception&) {
            return "skip";
          }
        },
        scenes);
  }
}

// ---- another end
// ------------------------------------------------------------------------------------------------------

TEST(Properties, AnotherEndStaysAndIsThatOfASceneWithThatDuration) {
  for (const auto& [name, scenes] : everyKind()) {
    hold(
        "another end of " + name, 6,
        [scenes = scenes](unsigned seed, const std::set<std::string>& without) -> std::string {
          Telling t;
          t.without = without;
          Json scene = Json::parse(scenes(seed, t));
          Draw draw(seed + 3);
          const double end = draw.uniform(0.1, 1.5) * scene["solver"]["duration"].get<double>();
          // A value that a run begins with.
          scene["parameters"]["fresh"] = {{"value", 1}};
          scene["solver"]["tolerance"] = "=1e-11*fresh";
          Json told = scene;
          told["solver"]["duration"] = end;
          try {
            Simulation own(scene.dump()), other(told.dump()), restored(scene.dump());
            own.setDuration(end);
            const int way = draw.whole(0, 3);
            if (way == 1) own.step(), own.reset();
            if (way == 2) own.step(), own.set("fresh", 1);
            if (way == 3) restored.restore(own.save()), std::swap(own, restored);
            test::runToEnd(own), test::runToEnd(other);
            if (own.time() != other.time() || own.duration() != end)
              return "it ends at " + number(own.time()) + " s instead of " + number(end) + " s";
            return test::allNodes(own) == test::allNodes(other) ? "" : "it runs otherwise";
          } catch (const std::exception&) {
            return "skip";
          }
        },
        scenes);
  }
}

// ---- sliders
// ----------------------------------------------------------------------------------------------------------

/// Weight, loads, tendons and contact by a slider that says 1.
std::string slid(const std::string& text) {
  Json scene = Json::parse(text);
  scene["parameters"]["slider"] = {{"value", 1}, {"min", 0.1}, {"max", 10}};
  const auto slide = [](Json& v) {
    v = "=slider*(" + (v.is_string() ? v.get<std::string>().substr(1) : digits(v.get<double>())) + ")";
  };
  for (Json& g : scene["environment"]["gravity"]) slide(g);
  if (scene.contains("loads")) {
    for (Json& load : scene["loads"])
      for (Json& v : *load.begin()) slide(v);
  }
  if (scene.contains("contact") && scene["contact"].contains("stiffness")) slide(scene["contact"]["stiffness"]);
  if (scene.contains("linkages") && scene["linkages"].begin()->contains("cables"))
    slide((*scene["linkages"].begin())["cables"]["tendon"]["tension"]);
  if (scene.contains("vines")) slide(scene["vines"]["one"]["massPerLength"]);
  if (scene.contains("actuation")) {
    for (Json& a : scene["actuation"]) {
      if (a.contains("twist")) slide(a["twist"]);
    }
  }
  return scene.dump();
}

TEST(Properties, ASliderMovesNothingThatIsAccepted) {
  for (const auto& [name, scenes] : everyKind()) {
    hold(
        "slider of " + name, 12,
        [scenes = scenes](unsigned seed, const std::set<std::string>& without) -> std::string {
          Telling t;
          t.without = without;
          const std::string scene = slid(scenes(seed, t));
          try {
            Simulation a(scene), b(scene), c(scene), still(scene);
            Draw draw(seed);
            const int before = draw.whole(1, 12);
            for (int i = 0; i < before; ++i) a.step(), b.step(), still.step();
            const std::vector<double> nodes = test::allNodes(still),
                                      values(still.values().begin(), still.values().end());
            a.snapshot();
            const double value = draw.log(0.3, 3);
            if (!a.set("slider", value) || !b.set("slider", value)) return "the slider restarts";
            c.restore(b.save());
            if (test::allNodes(a) != nodes) return "the slider moves what is accepted";
            if (!sameLook(a, still)) return "it looks otherwise once the slider has moved";
            if (!sameLook(a, b)) return "who has looked before the slider moved sees something else";
            if (!sameLook(a, c)) return "restored it looks otherwise";
            test::runToEnd(a), test::runToEnd(b), test::runToEnd(c);
            return a.save() == b.save() && a.save() == c.save() ? "" : "it goes on otherwise";
          } catch (const std::exception&) {
            return "skip";
          }
        },
        scenes);
  }
}

// ---- obstacles that are moved
// -----------------------------------------------------------------------------------------

/// Nodes along the middle of a body along x, from its root to its tip.
std::vector<std::size_t> middleOf(const BodyState& body) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < body.nodes.size(); i += 3) {
    if (std::abs(body.nodes[i + 1]) < 0.026) out.push_back(i);
  }
  std::stable_sort(out.begin(), out.end(), [&](std::size_t a, std::size_t b) { return body.nodes[a] < body.nodes[b]; });
  return out;
}

/// Angle [rad] by which a body is seen to turn from its root to its tip, from a place in the plane x, z: positive where
/// it passes below.
double sweep(const BodyState& body, const std::vector<std::size_t>& middle, double x, double z) {
  double sum = 0, before[2] = {0, 0};
  for (const std::size_t i : middle) {
    if (i == middle.front()) before[0] = body.nodes[i] - x, before[1] = body.nodes[i + 2] - z;
    const double now[2] = {body.nodes[i] - x, body.nodes[i + 2] - z};
    sum += std::atan2(before[0] * now[1] - before[1] * now[0], before[0] * now[0] + before[1] * now[1]);
    before[0] = now[0], before[1] = now[1];
  }
  return sum;
}

/// By how much the middle of a body is stretched, at most: what is may be pierced between the places where it touches.
double stretchOf(const BodyState& body, const BodyState& start, const std::vector<std::size_t>& middle) {
  const auto length = [](const BodyState& b, std::size_t i, std::size_t j) {
    return std::hypot(b.nodes[j] - b.nodes[i], b.nodes[j + 1] - b.nodes[i + 1], b.nodes[j + 2] - b.nodes[i + 2]);
  };
  double most = 0;
  for (std::size_t k = 1; k < middle.size(); ++k)
    most = std::max(most, length(body, middle[k - 1], middle[k]) / length(start, middle[k - 1], middle[k]));
  return most;
}

/// A rod, a sheet, a soft link or a vine along x at height 0, and a bar across that a slider or feedback takes through
/// it, within a step.
TEST(Properties, AnObstacleThatJumpsPassesThroughNothing) {
  for (const char* kind : {"rod", "sheet", "link", "vine"}) {
    hold(
        std::string("jump of an obstacle over a ") + kind, 12,
        [kind](unsigned seed, const std::set<std::string>&) -> std::string {
          Draw draw(seed + 71);
          const std::string what = kind;
          const double r = draw.uniform(0.003, 0.008), R = draw.uniform(0.01, 0.03), x = draw.uniform(0.15, 0.35),
                       gap = draw.uniform(0.002, 0.02);
          const double height = r + R + gap, depth = height + draw.uniform(1.1, 4) * (r + R),
                       dt = draw.uniform(0.003, 0.012), side = draw.chance(0.5) ? 1 : -1;
          const int steps = draw.whole(2, 6);
          Json scene = {
              {"format", "tendril/1"},
              {"materials",
               {{"m", {{"youngs", draw.log(5e5, 5e6)}, {"poisson", 0.4}, {"density", 1000}, {"damping", 1000}}}}}};
          const Json circle = {{"circle", {{"radius", r}}}};
          if (what == "rod") {
            scene["rods"]["body"] = {{"section", circle},
                                     {"segments", draw.whole(10, 30)},
                                     {"path", {{"line", {{"from", {0, 0, 0}}, {"to", {0.5, 0, 0}}}}}}};
            scene["constraints"] = {{{"clamp", "body:first"}}};
          } else if (what == "sheet") {
            scene["shells"]["body"] = {
                {"thickness", 0.5 * r},
                {"bending", "hinge"},
                {"mesh",
                 {{"rectangle",
                   {{"corner", {0, -0.1, 0}}, {"along", {0.5, 0, 0}}, {"across", {0, 0.2, 0}}, {"edge", 0.05}}}}}};
            scene["constraints"] = {{{"fix", "body:first"}}};
          } else if (what == "link") {
            scene["linkages"]["body"]["links"]["limb"]["body"]["soft"] = {
                {"length", 0.5}, {"section", circle}, {"material", "m"}, {"strains", {{"bendY", 3}, {"bendZ", 3}}}};
          } else {
            scene["vines"]["body"] = {{"length", 0.5}, {"bodies", 20},         {"diameter", 2 * r},       {"growth", 0},
                                      {"plane", "xz"}, {"massPerLength", 0.1}, {"bendingStiffness", 0.01}};
          }
          scene["contact"]["stiffness"] = 5000;
          const bool feedback = draw.chance(0.5);
          const std::string way =
              feedback ? "=clock < " + digits((steps - 0.5) * dt) + " ? 0 : " + digits(-side * depth) : "=slider";
          if (feedback)
            scene["states"]["clock"]["rate"] = 1;
          else
            scene["parameters"]["slider"] = {{"value", 0}, {"min", -1}, {"max", 1}};
          scene["obstacles"]["bar"] = {
              {"capsule", {{"from", {x, -0.3, side * height}}, {"to", {x, 0.3, side * height}}, {"radius", R}}},
              {"displacement", {0, 0, way}}};
          scene["solver"] = {{"dt", dt}, {"duration", 1}};
          try {
            Simulation sim(scene.dump());
            const BodyState start = sim.bodies()[0];
            const std::vector<std::size_t> middle = middleOf(start);
            for (int i = 0; i < steps; ++i) sim.step();
            if (!feedback) sim.set("slider", -side * depth);
            // Later what is pushed may swing about its end.
            const double until = sim.time() + 3.5 * dt;
            while (sim.time() < until) {
              sim.step();
              // Places that touch are up to 0.87 radii of both apart and are let in half way: farther apart they let a
              // bar through.
              if (stretchOf(sim.bodies()[0], start, middle) > 1 / 0.87) return "";
              if (side * sweep(sim.bodies()[0], middle, x, side * height + sim.snapshot().obstacles[2]) < 0)
                return "the bar has passed through";
            }
          } catch (const GaveUp&) {
          }
          return "";
        },
        none());
  }
}

// ---- feedback
// ---------------------------------------------------------------------------------------------------------

/// Whether feedback is told to be too strong, and the step that it is told to be calm at (0: none).
struct Told {
  bool told = false;
  double dt = 0;
};

Told toldOf(const Json& scene) {
  std::vector<std::string> warnings;
  Simulation sim(scene.dump());
  try {
    warnings = test::runToEnd(sim).warnings;
  } catch (const GaveUp& gaveUp) {
    warnings = gaveUp.spent.warnings;
  }
  Told out;
  for (const std::string& w : warnings) {
    if (w.find("too strong for its step") == std::string::npos) continue;
    out.told = true;
    std::smatch found;
    if (std::regex_search(w, found, std::regex("a \"dt\" of ([^ ]+) s"))) out.dt = std::stod(found[1]);
  }
  return out;
}

/// A loop whose answer to its own change in one step is -gain: a slide that is braked by its speed, a rod at rest that
/// is pushed back by its deflection, a state that decays.
Json loop(const std::string& kind, double gain, unsigned seed) {
  Draw draw(seed + 19);
  Json scene = {{"format", "tendril/1"},
                {"materials", {{"m", {{"youngs", 1e6}, {"poisson", 0.4}, {"density", 1000}}}}}};
  scene["environment"]["gravity"] = {0, 0, 0};
  const double dt = draw.log(1e-3, 1e-1);
  static const char* const integrators[] = {"implicit-euler", "implicit-midpoint"};
  const std::string own = integrators[draw.whole(0, 1)];
  scene["solver"] = {{"integrator", own}, {"dt", dt}, {"duration", 60 * dt}, {"tolerance", 1e-11}};
  const double L = draw.uniform(0.1, 0.4), r = L * draw.uniform(0.01, 0.03), mass = 1000 * pi * r * r * L,
               push = draw.log(1e-3, 1);
  if (kind == "slide") {
    scene["linkages"]["arm"]["links"]["bar"] = {
        {"joint",
         {{"prismatic",
           {{"axis", "x"}, {"force", "=" + digits(mass * push) + "-" + digits(gain * mass / dt) + "*tip.x"}}}}},
        {"body", {{"rigid", {{"length", L}, {"section", {{"circle", {{"radius", r}}}}}, {"density", 1000}}}}}};
    scene["probes"]["tip"] = {{"velocity", "arm:tip"}};
    return scene;
  }
  const double k = 3e6 * pi / 4 * std::pow(r, 4) / std::pow(L, 3);
  scene["rods"]["arm"] = {{"section", {{"circle", {{"radius", r}}}}},
                          {"segments", 12},
                          {"path", {{"line", {{"from", {0, 0, 0}}, {"to", {L, 0, 0}}}}}}};
  scene["constraints"] = {{{"clamp", "arm:first"}}};
  if (kind == "state") {
    scene["states"]["level"] = {{"initial", 1}, {"rate", "=" + digits(push) + "-" + digits(gain / dt) + "*level"}};
    return scene;
  }
  // So long a step that the rod follows at once.
  const double period = 1.8 * L * L * std::sqrt(4000 / (1e6 * r * r)), slow = 50 * period;
  scene["solver"] = {{"integrator", "implicit-euler"}, {"dt", slow}, {"duration", 60 * slow}, {"tolerance", 1e-11}};
  scene["probes"]["tip"] = {{"position", "arm:last"}};
  scene["loads"] = {
      {{"force", {0, 0, "=" + digits(1e-3 * push * k * L) + "-" + digits(gain * k) + "*tip.z"}}, {"at", "arm:last"}}};
  return scene;
}

TEST(Properties, FeedbackThatSwingsFromStepToStepIsTold) {
  for (const char* kind : {"slide", "rod", "state"}) {
    hold(
        std::string("feedback of a ") + kind, 6,
        [kind](unsigned seed, const std::set<std::string>&) -> std::string {
          Draw draw(seed);
          // A rod has no memory but its feedback's: it swings from a gain of 1 on, what adds up from 2 on.
          const double bound = kind == std::string("rod") ? 1 : 2, weak = bound * draw.uniform(0.1, 0.8),
                       strong = bound * draw.uniform(1.05, 2);
          if (toldOf(loop(kind, weak, seed)).told) return "a gain of " + number(weak) + ", which holds, is told";
          const Told told = toldOf(loop(kind, strong, seed));
          if (!told.told) return "a gain of " + number(strong) + " is not told";
          if (told.dt == 0)
            return kind == std::string("rod") ? ""
                                              : "a gain of " + number(strong) + " is told without a step that holds it";
          Json calm = loop(kind, strong, seed);
          calm["solver"]["dt"] = told.dt, calm["solver"]["duration"] = 60 * told.dt;
          return toldOf(calm).told ? "the step that is said to hold it does not" : "";
        },
        none());
  }
}

}  // namespace controls_test
}  // namespace tendril::properties
