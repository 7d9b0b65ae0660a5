// Derivatives of random scenes by their parameters, held against whole runs.
#include "engine/simulation/whole_runs.h"
#include "law.h"

namespace tendril::properties {
namespace derivatives_test {

constexpr double digitsOfSlopes = 1e-6;

/// The numbers of a list as a parameter times what they are.
void scale(Json& list, const std::string& parameter) {
  for (Json& v : list) v = "=" + parameter + "*(" + test::digits(v.get<double>()) + ")";
}

/// The scene with "stiff" before all moduli and "weight" before gravity, and probes of its bodies.
std::string varied(const std::string& text) {
  Json scene = Json::parse(text), probes;
  for (const char* kind : {"materials", "rods", "shells", "linkages", "vines"}) {
    if (!scene.contains(kind)) continue;
    for (const auto& [name, one] : scene[kind].items()) {
      if (one.contains("youngs")) one["youngs"] = "=stiff*" + test::digits(one["youngs"].get<double>());
      if (kind == std::string("rods") || kind == std::string("shells")) probes[name] = {{"position", name + ":last"}};
      if (kind == std::string("linkages")) {
        for (const auto& [link, body] : one["links"].items())
          probes[name + "_" + link] = {{"position", name + "/" + link + ":tip"}};
      }
      if (kind == std::string("vines")) probes[name] = {{"position", name + ":tip"}};
    }
  }
  scene["probes"] = probes;
  scene["parameters"] = {{"stiff", 1}, {"weight", 1}};
  if (scene.contains("environment") && scene["environment"].contains("gravity"))
    scale(scene["environment"]["gravity"], "weight");
  scene["solver"]["tolerance"] = 1e-12;
  return scene.dump();
}

void areThoseOfWholeRuns(const std::string& name, unsigned count, const Scenes& scenes, int steps) {
  const Law law = [=](unsigned seed, const std::set<std::string>& without) -> std::string {
    Telling telling;
    telling.without = without;
    const std::string parameter = seed % 2 ? "stiff" : "weight";
    try {
      const test::Verdict v = test::judge(varied(scenes(seed, telling)), {}, {parameter}, steps);
      if (v.known == 0 || !v.doubts.empty()) return "skip";
      return v.worst < digitsOfSlopes ? "" : v.where + " is off by " + number(v.worst) + " of itself";
    } catch (const std::exception&) {
      return "skip";  // no run, or nothing that follows it
    }
  };
  hold(name, count, law, scenes, 0.3);
}

Scenes of(Asked asked) {
  return [asked](unsigned seed, const Telling& t) { return continuum(seed, t, asked); };
}

TEST(Slopes, OfRodsAndShellsAreThoseOfWholeRuns) { areThoseOfWholeRuns("slopes", 20, of(moving()), 8); }
TEST(Slopes, AtRestAreThoseOfWholeRuns) { areThoseOfWholeRuns("slopes at rest", 20, of(still()), 4); }
TEST(Slopes, OfWhatTouchesAreThoseOfWholeRuns) {
  areThoseOfWholeRuns(
      "slopes of what touches", 12, [](unsigned seed, const Telling& t) { return touching(seed, t, {}); }, 12);
}
TEST(Slopes, OfLinkagesAreThoseOfWholeRuns) {
  areThoseOfWholeRuns(
      "slopes of linkages", 12, [](unsigned seed, const Telling& t) { return linkage(seed, t, {}); }, 8);
  areThoseOfWholeRuns(
      "slopes of loops", 8, [](unsigned seed, const Telling& t) { return closedChain(seed, t, {}); }, 8);
}
TEST(Slopes, OfVinesAreThoseOfWholeRuns) {
  areThoseOfWholeRuns(
      "slopes of vines", 12, [](unsigned seed, const Telling& t) { return vines(seed, t, {}); }, 8);
}

}  // namespace derivatives_test
}  // namespace tendril::properties
