// A body whose motion is too fast for the step cuts it for all. What it does not touch goes on all the same, in shorter
// steps: no further from what is true than without it.
#include <algorithm>
#include <stdexcept>

#include "law.h"

namespace tendril::properties {
namespace cuts_test {

/// Beside the scene a bar that a clamp turns by more in a step than it may.
std::string besideASpinner(const Scenes& scenes, unsigned seed, Telling t) {
  const bool beside = t.stranger;
  t.stranger = false;
  const std::string alone = scenes(seed, t);
  if (!beside) return alone;
  Json scene = Json::parse(alone);
  const double turns = 2 + seed % 5;
  const double dt = scene["solver"]["dt"].get<double>() / t.dt, length = 0.3;
  scene["materials"]["stranger"] = {{"youngs", 2e11}, {"density", 2600}};
  scene["rods"]["stranger"] = {{"material", "stranger"},
                               {"section", {{"circle", {{"radius", 0.01}}}}},
                               {"segments", 4},
                               {"path", {{"line", {{"from", {0, 9, 30}}, {"to", {length, 9, 30}}}}}}};
  const Json turn = {{"axis", {0, 0, 1}}, {"angle", "=" + test::digits(turns / dt) + "*t"}};
  scene["constraints"].push_back({{"clamp", "stranger:first"}, {"rotation", turn}});
  return scene.dump();
}

// Against a run with an eighth of the step, at the end and at three quarters of it. Where an oscillation happens to be
// right there, half the step knows better what an error is.
constexpr double allowed = 2;

void noWorse(const std::string& name, unsigned count, const Scenes& scenes, const std::string& integrator) {
  const Scenes both = [&](unsigned seed, const Telling& t) { return besideASpinner(scenes, seed, t); };
  const Law law = [&](unsigned seed, const std::set<std::string>& without) -> std::string {
    Telling alone, beside, half, fine;
    alone.without = without, alone.integrator = integrator;
    beside = half = fine = alone;
    beside.stranger = true, half.dt = 0.5, fine.dt = 0.125;
    const Course a = run(both(seed, alone), alone);
    if (!a.failure.empty() || a.retries > 0) return "skip";
    const Course b = run(both(seed, beside), beside);
    if (!b.failure.empty()) return "gives up beside a body that is cut: " + b.failure;
    if (b.retries == 0) return "nothing is cut";
    const Course truth = run(both(seed, fine), fine);
    double error = apart(a, truth);
    const double cut = apart(b, truth);
    const auto earlier = [](Telling t) {
      t.duration = 0.75;
      return t;
    };
    if (cut > allowed * error) error = std::max(error, apart(run(both(seed, half), half), truth));
    if (cut > allowed * error)
      error = std::max(error, apart(run(both(seed, earlier(alone)), alone), run(both(seed, earlier(fine)), fine)));
    if (!(error < 1)) return "skip";
    return cut <= allowed * error + 1e-7 ? "" : "off by " + number(cut) + " of the extent, alone by " + number(error);
  };
  hold(name, count, law, both);
}

Scenes bodies() {
  return [](unsigned seed, const Telling& t) { return continuum(seed, t, moving()); };
}
Scenes arms() {
  return [](unsigned seed, const Telling& t) { return linkage(seed, t, {}); };
}

TEST(Properties, ABodyThatIsCutMakesNothingElseWorse) {
  for (const char* integrator : {"bdf2", "implicit-euler", "implicit-midpoint"})
    noWorse(std::string("beside cuts, ") + integrator, 15, bodies(), integrator);
}

TEST(Properties, ABodyThatIsCutMakesNoLinkageWorse) {
  for (const char* integrator : {"bdf2", "implicit-euler", "generalized-alpha"})
    noWorse(std::string("linkages beside cuts, ") + integrator, 15, arms(), integrator);
}

// Over two seconds: one rod swings from its clamp, another is shaken so that half of all steps are cut.
TEST(Properties, ARodSwingsTheSameBesideOneThatIsCut) {
  const auto tip = [](double dt, bool beside) {
    Json scene =
        Json::parse(R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "poisson": 0.35, "density": 1100}},
      "rods": {"a": {"section": {"circle": {"radius": 0.004}}, "segments": 9, "path": {"line": {"from": [0, 0, 0], "to": [0.2, 0.013, 0]}}}},
      "constraints": [{"clamp": "a:first"}], "environment": {"gravity": [0, 0, -9.81]}, "solver": {"integrator": "bdf2", "duration": 2}})J");
    scene["solver"]["dt"] = dt;
    if (beside) {
      scene["rods"]["x"] = scene["rods"]["a"];
      scene["rods"]["x"]["path"] = Json::parse(R"J({"line": {"from": [0, 3, 0], "to": [0.2, 3, 0]}})J");
      scene["constraints"].push_back({{"clamp", "x:first"}});
      scene["loads"] = Json::parse(R"J([{"force": [0, 0, "=5*sin(300*t)"], "at": "x:last"}])J");
      scene["solver"]["iterations"] = 8;
    }
    Simulation sim(scene.dump());
    EXPECT_EQ(test::runToEnd(sim).retries > 300, beside);
    for (const auto& body : sim.bodies()) {
      if (body.name == "a") return Vec3(body.nodes.end()[-3], body.nodes.end()[-2], body.nodes.end()[-1]);
    }
    throw std::runtime_error("no rod");
  };
  const Vec3 truth = tip(0.0005, false);
  EXPECT_LT((tip(0.01, true) - truth).norm(), (tip(0.01, false) - truth).norm());
}

}  // namespace cuts_test
}  // namespace tendril::properties
