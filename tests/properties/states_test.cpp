// What a state is: saved, looked at, stopped or refused, it goes on as if nothing had been tried.
#include <algorithm>
#include <cmath>

#include "law.h"

namespace tendril::properties {
namespace states_test {

std::vector<std::pair<std::string, Scenes>> everyKind() {
  return {
      {"rods and shells", [](unsigned seed, const Telling& t) { return continuum(seed, t, moving()); }},
      {"what touches", [](unsigned seed, const Telling& t) { return touching(seed, t, {}); }},
      {"linkages", [](unsigned seed, const Telling& t) { return linkage(seed, t, landing(seed % 2 == 0)); }},
      {"loops", [](unsigned seed, const Telling& t) { return closedChain(seed, t, {}); }},
      {"explicit steps", [](unsigned seed, const Telling& t) { return continuum(seed, t, explicitly()); }},
      {"explicit steps of linkages", [](unsigned seed, const Telling& t) { return linkage(seed, t, explicitly()); }},
      {"vines", [](unsigned seed, const Telling& t) { return vines(seed, t, {}); }}};
}

/// Where all nodes are and how fast they go.
std::vector<double> placesAndRates(const Simulation& sim) {
  std::vector<double> out;
  for (const BodyState& body : sim.bodies()) {
    for (const auto* list : {&body.nodes, &body.velocity, &body.twist, &body.placements})
      out.insert(out.end(), list->begin(), list->end());
    for (const auto& link : body.links)
      out.insert(out.end(), link.q.begin(), link.q.end()), out.insert(out.end(), link.v.begin(), link.v.end());
  }
  return out;
}

/// The first clamp goes its way by a velocity: how far it has come is state, and so is what it carries.
std::string withASupportThatTravels(const std::string& text) {
  Json scene = Json::parse(text);
  const Json& solver = scene["solver"];
  if (!scene.contains("constraints") || solver.value("mode", "dynamic") == "static") return text;
  const double duration = solver["duration"].get<double>();
  Json& first = scene["constraints"][0];
  if (!first.contains("from"))
    first["velocity"] = {0.02 / duration, "=0.05*sin(7*t/" + number(duration) + ")/" + number(duration), 0};
  return scene.dump();
}

// ---- states -------------------------------------------------------------------------------------------------------

TEST(Properties, SavedHalfWayARunGoesOnBitForBit) {
  for (const auto& [name, scenes] : everyKind()) {
    hold(
        "save of " + name, 30,
        [scenes = scenes](unsigned seed, const std::set<std::string>& without) -> std::string {
          Telling t;
          t.without = without;
          const std::string scene = seed % 2 == 0 ? withASupportThatTravels(scenes(seed, t)) : scenes(seed, t);
          try {
            Simulation whole(scene), other(scene);
            Draw draw(seed);
            const int half = draw.whole(1, 20);
            for (int i = 0; i < half; ++i) whole.step();
            const auto saved = whole.save();
            other.restore(saved);
            Simulation seen(scene);
            seen.restore(saved);
            if (!sameLook(seen, whole)) return "restored it looks otherwise";
            // Stopped at the beginning or in the middle of a step, looked at twice: nothing may change.
            int asked = 0, most = static_cast<int>(seed % 2);
            const std::vector<double> places = placesAndRates(other);
            other.step([&] { return ++asked <= most; });
            if (other.time() > whole.time()) other.restore(saved);
            if (other.save() != saved) return "a stopped step has changed the state";
            if (!sameLook(other, whole) || placesAndRates(other) != places)
              return "after a stopped step it looks otherwise";
            other.snapshot();
            const auto looked = other.save();
            const std::vector<float> positions = other.snapshot().positions;
            if (other.save() != looked || other.snapshot().positions != positions)
              return "a look has changed the state";
            test::runToEnd(whole), test::runToEnd(other);
            return whole.save() == other.save() ? "" : "it goes on otherwise";
          } catch (const std::exception&) {
            return std::string("skip");
          }
        },
        scenes);
  }
}

/// Vines have no iterations to run out of: a rod that swings far off has, and takes them along.
std::string vinesBesideARod(unsigned seed, const Telling& t) {
  Json scene = Json::parse(vines(seed, t, {}));
  scene["materials"]["soft"] = {{"youngs", 1e6}, {"density", 1000}};
  scene["rods"]["beside"] = {{"material", "soft"},
                             {"section", {{"circle", {{"radius", 0.005}}}}},
                             {"segments", 6},
                             {"path", {{"line", {{"from", {0, 0, 30}}, {"to", {0.3, 0, 30}}}}}}};
  scene["constraints"].push_back({{"clamp", "beside:first"}});
  scene["loads"].push_back({{"force", {0, 0.3, 0.2}}, {"at", "beside:last"}});
  return scene.dump();
}

/// Whether a joint of several rotations is driven.
bool drivesARotation(const Json& scene) {
  const Json& links = scene["linkages"]["arm"]["links"];
  return std::any_of(links.begin(), links.end(), [](const Json& link) {
    return link["joint"].contains("spherical") && link["joint"]["spherical"].contains("angle");
  });
}

// A first step eight times as long, with fewer iterations than it takes, is refused and cut; what is taken in its place
// is that of a run that begins with it.
TEST(Properties, ARefusedStepLeavesNothing) {
  auto kinds = everyKind();
  kinds.back() = {"vines", vinesBesideARod};
  for (const auto& [name, scenes] : kinds) {
    if (name.rfind("explicit", 0) == 0) continue;  // solves nothing
    hold(
        "refused steps of " + name, 40,
        [name = name, scenes = scenes](unsigned seed, const std::set<std::string>& without) -> std::string {
          Telling t;
          t.without = without, t.dt = name == "what touches" ? 64 : 8, t.duration = t.dt;  // those steps are short
          // What bodies begin in they part from over so many steps of the scene, also where it is too little to be
          // told.
          t.without.insert({"floor", "pressed", "strait"});
          Json scene = Json::parse(scenes(seed, t));
          try {
            Simulation plain(scene.dump());
            for (const Problem& w : plain.sceneWarnings()) {
              if (w.message.find("contact pushes it out") != std::string::npos ||
                  w.message.find("overlap at the start") != std::string::npos)
                return "skip";
            }
            const Progress whole = plain.step();
            if (whole.iterations < 3) return "skip";
            scene["solver"]["iterations"] = name == "vines" ? 4 : whole.iterations - 1;  // the rod's alone
            Simulation cut(scene.dump());
            if (cut.step().retries == 0) return "skip";
            scene["solver"]["dt"] = cut.time();
            Simulation fresh(scene.dump());
            if (fresh.step().retries > 0 || fresh.time() != cut.time()) return "skip";
            const std::vector<double> a = placesAndRates(cut), b = placesAndRates(fresh);
            double off = 0, size = 0;
            for (std::size_t i = 0; i < a.size(); ++i)
              off = std::max(off, std::abs(a[i] - b[i])), size = std::max(size, std::abs(a[i]));
            // What might touch is found anew, and its equations may be eliminated in another order. The windows over
            // which formulas of joints of several rotations are differentiated are parts of the scene's dt, which is
            // another.
            const bool digits = name == "what touches" || (name == "linkages" && drivesARotation(scene));
            const bool same = digits ? off < 1e-9 * size : a == b;
            return same ? "" : "after a refused step it goes on otherwise: " + number(off / size);
          } catch (const std::exception&) {
            return std::string("skip");
          }
        },
        scenes, 0.3);  // many need no cut
  }
}

}  // namespace states_test
}  // namespace tendril::properties
