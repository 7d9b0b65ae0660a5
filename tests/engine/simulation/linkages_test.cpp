// Linkages through the door, alone and beside rods and shells: they move as they do alone, go back and continue bit for
// bit, and share probes, parameters and feedback.
#include <gtest/gtest.h>

#include "engine/rods_shells/build_scene.h"
#include "engine/simulation/run_scene.h"
#include "links/model.h"

namespace tendril {
namespace linkages_test {

using test::filled;

// A driven hub, a soft limb on a sprung joint with a tendon under feedback, a passive hand, over a floor.
const char* const scene = R"J({"format": "tendril/1",
"parameters": {"E": {"value": 3e5, "min": 1e5, "max": 1e6}},
"materials": {"rubber": {"youngs": "=E", "poisson": 0.4, "density": 1000, "damping": 500}},
$others
"linkages": {"arm": {"base": {"position": [0, 0, 0.02]}, "links": {
  "hub": {"joint": {"revolute": {"axis": "z", "angle": "=3*t"}},
          "body": {"rigid": {"length": 0.1, "section": {"circle": {"radius": 0.01}}, "density": 1000}}},
  "limb": {"joint": {"revolute": {"axis": "y", "stiffness": 0.5, "damping": 0.01}},
           "body": {"soft": {"length": 0.3, "section": {"circle": {"radius": "=0.012 - 0.004*u"}}, "material": "rubber",
                             "strains": {"twist": 0, "bendY": 2, "bendZ": 2}}}},
  "hand": {"joint": {"spherical": {"stiffness": 0.05, "damping": 1e-3}},
           "body": {"rigid": {"length": 0.03, "section": {"circle": {"radius": 0.008}}, "density": 1000}}}},
  "cables": {"c1": {"through": ["limb"], "path": {"constant": [0, 0.006]}, "tension": "=2*ramp(t, 0, 0.1) + 5*I"}}}},
"obstacles": {"floor": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}},
"environment": {"gravity": [0, 0, -9.81]},
"states": {"I": {"rate": "=0.05 - tip.z"}},
"solver": {"integrator": "$integrator", "dt": $dt, "duration": 0.2$more},
"probes": {"tip": {"position": "arm:tip"}, "length": {"cable": "arm/c1"}, "armEnergy": {"energy": "total", "of": "arm"},
           "touch": {"contact": "force", "of": "arm"}$probes}})J";

const char* const others =
    R"J("rods": {"whip": {"section": {"circle": {"radius": 0.01}}, "segments": 5, "material": "rubber",
  "path": {"line": {"from": [0, 1, 0.1], "to": [0.3, 1, 0.1]}}}},
"shells": {"sheet": {"mesh": {"rectangle": {"corner": [0, -1, 0.01], "along": [0.1, 0, 0], "across": [0, 0.1, 0], "edge": 0.05}},
  "thickness": 2e-3, "material": "rubber"}},
"constraints": [{"clamp": "whip:first"}],)J";
const char* const otherProbes =
    R"J(, "whip": {"position": "whip:last"}, "whipEnergy": {"energy": "total", "of": "whip"},
  "sheetEnergy": {"energy": "total", "of": "sheet"}, "energy": {"energy": "total"},
  "allTouch": {"contact": "force"}, "sheetTouch": {"contact": "force", "of": ["whip", "sheet"]},
  "gap": {"distance": ["whip:last", "arm:tip"]}, "highest": {"position": ["whip:last", "arm:tip"], "reduce": "max"})J";

std::string textOf(const std::string& integrator, bool beside, const std::string& dt = "2e-3",
                   const std::string& more = "") {
  return filled(scene, {{"integrator", integrator},
                        {"dt", dt},
                        {"more", more},
                        {"others", beside ? others : ""},
                        {"probes", beside ? otherProbes : ""}});
}

class LinkageSave : public ::testing::TestWithParam<const char*> {};

TEST_P(LinkageSave, ContinuesBitForBit) {
  for (const bool beside : {false, true}) {
    const std::string text = textOf(GetParam(), beside);
    Simulation whole(text);
    std::vector<std::byte> saved;
    while (!whole.finished()) {
      whole.step();
      if (saved.empty() && whole.time() > 0.07) saved = whole.save();
    }
    ASSERT_FALSE(saved.empty());
    Simulation resumed(text);
    resumed.restore(saved);
    EXPECT_EQ(resumed.save(), saved);
    test::runToEnd(resumed);
    EXPECT_EQ(test::allNodes(resumed), test::allNodes(whole));
    EXPECT_EQ(std::vector<double>(resumed.values().begin(), resumed.values().end()),
              std::vector<double>(whole.values().begin(), whole.values().end()));
    EXPECT_EQ(resumed.save(), whole.save());
    EXPECT_GT(test::column(whole, "touch"), 0) << "the hand lies on the floor";
  }
}

// The step that a later model refuses leaves no trace in the linkages.
TEST_P(LinkageSave, AStepThatIsTakenBackLeavesNoTrace) {
  const scene::Scene loaded = test::loaded(textOf(GetParam(), false));
  const world::World world(loaded);
  links::Model there(world), back(world);
  std::vector<double> columns(32, 0.0);
  model::StepRequest request;
  request.columns = columns.data();
  request.dt = 1e-3;
  request.smooth = false;
  std::vector<std::byte> before, after;
  for (int i = 0; i < 60; ++i) {
    before.clear();
    back.save(before);
    model::StepRequest other = request;
    other.dt = i % 2 ? 5e-4 : 2e-3;
    ASSERT_TRUE(back.step(other, {}).accepted);
    std::span<const std::byte> bytes(before);
    back.restore(bytes);
    EXPECT_TRUE(bytes.empty());
    ASSERT_TRUE(there.step(request, {}).accepted);
    ASSERT_TRUE(back.step(request, {}).accepted);
    before.clear(), after.clear();
    there.save(before), back.save(after);
    ASSERT_EQ(before, after) << i;
    request.t0 += request.dt;
    request.smooth = true;
  }
}

INSTANTIATE_TEST_SUITE_P(All, LinkageSave,
                         ::testing::Values("generalized-alpha", "implicit-euler", "implicit-midpoint", "bdf2"),
                         [](const auto& info) {
                           std::string name = info.param;
                           for (auto dash = name.find('-'); dash != std::string::npos; dash = name.find('-'))
                             name.erase(dash, 1);
                           return name;
                         });

TEST(LinkagesBeside, MoveAsTheyDoAlone) {
  Simulation alone(textOf("generalized-alpha", false)), both(textOf("generalized-alpha", true));
  test::runToEnd(alone);
  const Progress cost = test::runToEnd(both);
  ASSERT_EQ(cost.retries, 0);
  for (const char* name : {"tip.x", "tip.y", "tip.z", "length", "armEnergy", "touch"}) {
    EXPECT_EQ(test::column(both, name), test::column(alone, name)) << name;
  }
  const auto bodies = both.bodies(), bodyAlone = alone.bodies();
  ASSERT_EQ(bodies.size(), 3u);
  EXPECT_EQ(bodies[2].name, "arm");
  EXPECT_EQ(bodies[2].nodes, bodyAlone[0].nodes);
  ASSERT_EQ(bodies[2].links.size(), 3u);
  EXPECT_EQ(bodies[2].links[1].name, "arm/limb");
  EXPECT_EQ(bodies[2].links[1].q, bodyAlone[0].links[1].q);
  EXPECT_EQ(bodies[2].links[1].q.size(), 1u + 1 + 3 + 3);  // its joint first
  EXPECT_NEAR(bodies[2].links[0].q[0], 0.6, 1e-9);
  EXPECT_NEAR(bodies[2].links[0].v[0], 3, 1e-6);
  EXPECT_GT(both.degreesOfFreedom(), alone.degreesOfFreedom());
}

TEST(LinkagesBeside, ProbesOfBothAddUpAndMix) {
  Simulation sim(textOf("implicit-euler", true));
  test::runToEnd(sim);
  const auto value = [&](const char* name) { return test::column(sim, name); };
  const double energy = value("armEnergy") + value("whipEnergy") + value("sheetEnergy");
  EXPECT_NEAR(value("energy"), energy, 1e-12 * std::abs(energy));
  EXPECT_NEAR(value("allTouch"), value("touch") + value("sheetTouch"), 1e-12);
  EXPECT_GT(value("touch"), 0);
  const Vec3 whip = test::vectorColumn(sim, "whip"), tip = test::vectorColumn(sim, "tip");
  EXPECT_NEAR(value("gap"), (whip - tip).norm(), 1e-12);
  EXPECT_EQ(test::vectorColumn(sim, "highest"), whip.cwiseMax(tip));
}

TEST(LinkagesBeside, AreDrawnBehindRodsAndShells) {
  Simulation sim(textOf("generalized-alpha", true));
  sim.advance(0.05);
  const Drawing& d = sim.drawing();
  ASSERT_EQ(d.parts.size(), 5u);
  int points = 0;
  for (const DrawingPart& part : d.parts) {
    EXPECT_EQ(part.firstPoint, points) << part.name;
    points += part.pointCount;
  }
  EXPECT_EQ(d.halfAxes.size(), 2u * static_cast<std::size_t>(points));
  EXPECT_EQ(d.parts[3].kind, "soft");
  EXPECT_EQ(d.obstacles.size(), 1u);
  const Snapshot& s = sim.snapshot();
  EXPECT_EQ(s.positions.size(), 3u * static_cast<std::size_t>(points));
  EXPECT_EQ(s.curvature.size(), static_cast<std::size_t>(points));
  EXPECT_EQ(s.obstacles.size(), 3u);
  EXPECT_EQ(s.joints.size(), 6 * d.joints.size());
  ASSERT_EQ(s.tensions.size(), 1u);
  EXPECT_NEAR(s.tensions[0], 1 + 5 * sim.states()[0].second, 0.1);
  for (int k = 0; k < 3; ++k) {
    const double tip = s.positions[s.positions.size() - 3 + static_cast<std::size_t>(k)];
    EXPECT_NEAR(tip, test::vectorColumn(sim, "tip")[k], 1e-6);
  }
}

// Three fingers of unlike length over a floor, or one of them.
std::string fingers(const std::vector<int>& which, const std::string& probes) {
  std::string out;
  for (const int k : which) {
    const std::string n = std::to_string(k);
    out += (out.empty() ? "" : ", ") + ("\"f" + n) + R"J(": {"base": {"position": [0, )J" + n +
           R"J(, 0.014]}, "links": {"a": {
      "joint": {"revolute": {"axis": "y", "stiffness": 0.1}},
      "body": {"rigid": {"length": 0.)J" +
           std::to_string(k + 1) + R"J(, "section": {"circle": {"radius": 0.01}}, "density": 1000}}}}})J";
  }
  return R"J({"format": "tendril/1", "linkages": {)J" + out + R"J(}, "environment": {"gravity": [0, 0, -9.81]},
    "obstacles": {"floor": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}},
    "contact": {"stiffness": 200, "distance": 5e-3}, "solver": {"dt": 2e-3, "duration": 0.2}, "probes": {)J" +
         probes + "}}";
}

TEST(LinkagesTogether, ProbesAddUpAndMixAndThePointerPullsOne) {
  std::vector<double> z, angle, energy, touch;
  for (int k = 0; k < 3; ++k) {
    const std::string n = std::to_string(k);
    Simulation sim(fingers({k}, "\"tip\": {\"position\": \"f" + n + ":tip\"}, \"a\": {\"jointAngle\": \"f" + n +
                                    "/a\"}, \"e\": {\"energy\": \"total\"}, \"c\": {\"contact\": \"force\"}"));
    ASSERT_EQ(test::runToEnd(sim).retries, 0);
    z.push_back(test::column(sim, "tip.z")), angle.push_back(test::column(sim, "a"));
    energy.push_back(test::column(sim, "e")), touch.push_back(test::column(sim, "c"));
  }
  const std::string text =
      fingers({0, 1, 2}, R"J("mean": {"position": ["f2:tip", "f0:tip"]}, "last": {"position": "f2:tip"},
    "first": {"position": "f0:tip"}, "e": {"energy": "total"}, "two": {"energy": "total", "of": ["f0", "f2"]},
    "gap": {"distance": ["f0:tip", "f2:tip"]}, "c": {"contact": "force"}, "one": {"contact": "force", "of": "f1"},
    "a": {"jointAngle": "f2/a"})J");
  Simulation sim(text), pulled(text), resumed(text);
  sim.advance(0.1);
  resumed.restore(sim.save());
  ASSERT_EQ(test::runToEnd(sim).retries, 0);
  test::runToEnd(resumed);
  EXPECT_EQ(resumed.save(), sim.save());
  const auto value = [&](const char* name) { return test::column(sim, name); };
  EXPECT_EQ(value("last.z"), z[2]);
  EXPECT_EQ(value("first.z"), z[0]);
  EXPECT_NEAR(value("mean.z"), 0.5 * (z[0] + z[2]), 1e-15);
  EXPECT_NEAR(value("e"), energy[0] + energy[1] + energy[2], 1e-14);
  EXPECT_NEAR(value("two"), energy[0] + energy[2], 1e-14);
  EXPECT_NEAR(value("c"), touch[0] + touch[1] + touch[2], 1e-12);
  EXPECT_EQ(value("one"), touch[1]);
  EXPECT_GT(touch[0] + touch[1] + touch[2], 0);
  EXPECT_EQ(value("a"), angle[2]);
  EXPECT_NEAR(value("gap"), (test::vectorColumn(sim, "first") - test::vectorColumn(sim, "last")).norm(), 1e-15);
  pulled.grab(pulled.drawing().parts[2].firstPoint + pulled.drawing().parts[2].pointCount - 1, 0.3, 2, 1);
  test::runToEnd(pulled);
  EXPECT_EQ(test::column(pulled, "first.z"), z[0]);
  EXPECT_GT(test::column(pulled, "last.z"), z[2] + 1e-3);
  ASSERT_EQ(sim.bodies().size(), 3u);
  EXPECT_EQ(sim.bodies()[1].links[0].name, "f1/a");
  const Drawing& drawing = sim.drawing();
  ASSERT_EQ(drawing.marks.size(), 3u);
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(drawing.parts[static_cast<std::size_t>(k)].body, k);
    EXPECT_EQ(drawing.marks[static_cast<std::size_t>(k)].joint, k) << "the support holds the joint of its own finger";
  }
}

TEST(Linkages, SleevesStayWhereTheParentHasThemWhileLinksSlide) {
  Simulation sim(R"J({"format": "tendril/1", "linkages": {"m": {"links": {
    "bar": {"joint": {"revolute": {"axis": "z", "angle": "=0.5*t"}},
            "body": {"rigid": {"length": 0.2, "section": {"circle": {"radius": 0.01}}, "density": 1000}}},
    "piston": {"joint": {"prismatic": {"axis": "x", "displacement": "=0.1*t"}},
               "body": {"rigid": {"length": 0.1, "section": {"circle": {"radius": 0.01}}, "density": 1000}}},
    "foot": {"joint": {"revolute": {"axis": "z"}},
             "body": {"rigid": {"length": 0.3, "section": {"circle": {"radius": 0.01}}, "density": 1000}}}},
    "loops": [{"from": "base", "offset": {"position": [0.5, 0, 0]}, "to": "foot", "joint": {"planar": {"axis": "z"}}},
              {"from": "bar", "offset": {"position": [0.5, 0, 0]}, "to": "piston", "joint": {"cylindrical": {"axis": "x"}}}]}},
    "solver": {"dt": 0.01, "duration": 1}})J");
  sim.advance(0.8);
  const Drawing& d = sim.drawing();
  const Snapshot& s = sim.snapshot();
  const auto place = [&](std::size_t joint) {
    return Vec3(s.joints[6 * joint], s.joints[6 * joint + 1], s.joints[6 * joint + 2]);
  };
  const auto end = [&](std::size_t part) {
    const std::size_t last = 3 * static_cast<std::size_t>(d.parts[part].firstPoint + d.parts[part].pointCount - 1);
    return Vec3(s.positions[last], s.positions[last + 1], s.positions[last + 2]);
  };
  const Vec3 along(std::cos(0.4), std::sin(0.4), 0);
  ASSERT_EQ(d.joints.size(), 5u);
  EXPECT_LT((place(1) - 0.2 * along).norm(), 1e-6) << "at the end of the bar, not 0.08 m beyond";
  EXPECT_LT((end(1) - 0.38 * along).norm(), 1e-6);
  EXPECT_LT((place(2) - 0.38 * along).norm(), 1e-6) << "pins go with what they carry";
  EXPECT_LT((place(3) - end(2)).norm(), 1e-6);
  EXPECT_LT((place(4) - 0.7 * along).norm(), 1e-6) << "of a loop: at the offset from the bar's tip";
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(s.joints[6 * 4 + 3 + static_cast<std::size_t>(k)], along[k], 1e-6);
}

TEST(LinkagesBeside, ParametersAndThePointerReachBoth) {
  for (const bool beside : {false, true}) {
    Simulation sim(textOf("generalized-alpha", beside)), soft(textOf("generalized-alpha", beside));
    sim.advance(0.05), soft.advance(0.05);
    EXPECT_TRUE(soft.set("E", 1e5));
    EXPECT_EQ(soft.time(), sim.time());
    sim.advance(0.05), soft.advance(0.05);
    EXPECT_GT((test::vectorColumn(sim, "tip") - test::vectorColumn(soft, "tip")).norm(), 1e-4);
    const int last = static_cast<int>(sim.drawing().halfAxes.size() / 2) - 1;
    const double before = test::column(sim, "tip.z");
    sim.grab(last, test::column(sim, "tip.x"), test::column(sim, "tip.y"), 0.5);
    sim.advance(0.05);
    EXPECT_GT(test::column(sim, "tip.z"), before + 1e-3);
    sim.release();
  }
}

TEST(LinkagesBeside, AStaticSceneSettlesBoth) {
  std::string text = textOf("generalized-alpha", true);
  text.replace(text.find("\"solver\": {"), 11, "\"solver\": {\"mode\": \"static\", \"loadSteps\": 4, ");
  text.erase(text.find(" + 5*I"), 6);  // a static solve has no states
  text.erase(text.find("\"states\""), text.find("\"solver\"") - text.find("\"states\""));
  text.erase(text.find("\"integrator\""), text.find("\"dt\"") - text.find("\"integrator\""));
  // At rest nothing but the rod's clamp and the arm's joints holds: the sheet is held too.
  text.replace(text.find("[{\"clamp\": \"whip:first\"}]"), 25, "[{\"clamp\": \"whip:first\"}, {\"fix\": \"sheet\"}]");
  Simulation sim(text);
  const Progress cost = test::runToEnd(sim);
  EXPECT_GE(cost.steps, 4);
  EXPECT_LT(test::column(sim, "whip.z"), 0.09);
  EXPECT_NEAR(test::column(sim, "length"), 0.3, 0.05);
  for (const auto& body : sim.bodies()) {
    for (double v : body.velocity) EXPECT_EQ(v, 0);
  }
}

}  // namespace linkages_test
}  // namespace tendril
