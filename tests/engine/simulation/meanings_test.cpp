// What columns mean, what may touch, and the tensions that sliders span.
#include "simulation/meanings.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>
#include <string>

#include "simulation/inside.h"
#include "tendril/simulation.h"

namespace tendril {
namespace meanings_test {

std::string sceneText(const std::string& more) {
  return R"J({"format": "tendril/1",
    "materials": {"m": {"youngs": 1e6, "poisson": 0.5, "density": 1000}},
    "rods": {"arm": {"section": {"circle": {"radius": 0.01}}, "segments": 4, "path": {"line": {"from": [0, 0, 0], "to": [1, 0, 0]}}}},
    "linkages": {"robot": {
      "links": {
        "hub": {"joint": {"revolute": {"axis": "y"}}, "body": {"rigid": {"length": 0.1, "section": {"circle": {"radius": 0.01}}, "density": 1000}}},
        "slide": {"parent": "hub", "joint": {"cylindrical": {"axis": "x"}},
                  "body": {"rigid": {"length": 0.1, "section": {"circle": {"radius": 0.01}}, "density": 1000}}},
        "flyer": {"joint": {"free": {}}, "body": {"rigid": {"length": 0.1, "section": {"circle": {"radius": 0.01}}, "density": 1000}}},
        "limb": {"parent": "hub", "body": {"soft": {"length": 0.2, "section": {"circle": {"radius": 0.01}}, "material": "m",
                 "strains": {"bendY": 2, "stretch": 1}}}}},
      "cables": {"c": {"through": "limb", "path": {"constant": [0, 0.005]}, "tension": TENSION}}}},
    "solver": {"mode": "dynamic", "dt": 0.01, "duration": 2})J" +
         more + "}";
}

std::string withTension(const std::string& tension, const std::string& more) {
  std::string text = sceneText(more);
  return text.replace(text.find("TENSION"), 7, tension);
}

std::map<std::string, ColumnInfo> columnsOf(const std::string& more) {
  const Simulation simulation(withTension("0", more));
  const std::vector<ColumnInfo> all = columnInfo(sceneOf(simulation));
  std::size_t k = 0;
  for (const std::string& name : simulation.columns()) EXPECT_EQ(all.at(k++).name, name);
  for (const auto& [name, value] : simulation.states()) EXPECT_EQ(all.at(k++).name, name);
  EXPECT_EQ(all.size(), k);
  std::map<std::string, ColumnInfo> out;
  for (const ColumnInfo& column : all) out[column.name] = column;
  return out;
}

TEST(Meanings, UnitsAndQuantitiesFollowFromWhatIsMeasured) {
  const auto columns = columnsOf(R"J(, "probes": {
    "tip": {"position": "arm:last"}, "v": {"velocity": "arm:last"}, "fast": {"speed": "arm:last"}, "way": {"tangent": "arm:last"},
    "bent": {"curvature": "arm:2"}, "m": {"moment": "arm:2"}, "at": {"pose": "arm:last"}, "long": {"length": "arm"},
    "st": {"strain": "robot/limb@0.5"}, "pull": {"cable": "robot/c"}, "rate": {"cableRate": "robot/c"},
    "hub": {"jointAngle": "robot/hub"}, "slide": {"jointAngle": "robot/slide"}, "push": {"jointEffort": "robot/slide"},
    "fly": {"jointAngle": "robot/flyer"}, "touch": {"contact": "force"}, "pairs": {"contact": "pairs"},
    "deep": {"contact": "penetration"}, "kinetic": {"energy": "kinetic"}, "ofArm": {"energy": "kinetic", "of": "arm"}})J");
  const auto expect = [&](const std::string& name, const std::string& unit, const std::string& quantity) {
    ASSERT_TRUE(columns.count(name)) << name;
    EXPECT_EQ(columns.at(name).unit, unit) << name;
    EXPECT_EQ(columns.at(name).quantity, quantity) << name;
  };
  expect("tip.x", "m", "position"), expect("v.z", "m/s", "velocity"), expect("fast", "m/s", "speed");
  expect("way.y", "1", "direction"), expect("bent.c2", "1/m", "curvature"), expect("m.t", "N m", "moment");
  expect("at.z", "m", "position"), expect("at.qw", "1", "rotation"), expect("long", "m", "length");
  expect("st.twist", "rad/m", "strain"), expect("st.bendZ", "rad/m", "strain"), expect("st.stretch", "1", "strain");
  expect("pull", "m", "length"), expect("rate", "m/s", "rate of length");
  expect("hub", "rad", "angle"), expect("slide.q0", "rad", "angle"), expect("slide.q1", "m", "displacement");
  expect("push.q0", "N m", "torque"), expect("push.q1", "N", "force");
  expect("fly.q2", "rad", "angle"), expect("fly.q3", "m", "displacement");
  expect("touch", "N", "contact force"), expect("pairs", "1", "contacts"), expect("deep", "m", "penetration");
  EXPECT_EQ(columns.at("kinetic").energy, "kinetic");
  EXPECT_EQ(columns.at("ofArm").energy, "") << "of one body alone";
  EXPECT_EQ(columns.at("ofArm").unit, "J");
}

TEST(Meanings, FormulasAndStatesSayTheirOwn) {
  const auto columns = columnsOf(R"J(, "probes": {
    "tip": {"position": "arm:last", "label": "Tip", "hidden": true}, "sag": {"formula": "-tip.z", "unit": "m", "label": "Sag"},
    "bare": {"formula": "tip.x"}}, "states": {"sum": {"rate": "=tip.z", "unit": "m s", "label": "Sum"}, "count": {"rate": 1, "hidden": true}})J");
  EXPECT_EQ(columns.at("tip.y").label, "Tip");
  EXPECT_TRUE(columns.at("tip.y").hidden);
  EXPECT_EQ(columns.at("sag").unit, "m");
  EXPECT_EQ(columns.at("sag").label, "Sag");
  EXPECT_EQ(columns.at("sag").quantity, "");
  EXPECT_EQ(columns.at("bare").unit, "");
  EXPECT_EQ(columns.at("sum").unit, "m s");
  EXPECT_EQ(columns.at("sum").label, "Sum");
  EXPECT_FALSE(columns.at("sum").hidden);
  EXPECT_TRUE(columns.at("count").hidden);
}

TEST(Meanings, ColumnsOfOneProbeHaveItsNumberAndStatesHaveTheirOwn) {
  const auto columns = columnsOf(
      R"J(, "probes": {"tip": {"position": "arm:last"}, "long": {"length": "arm"}, "v": {"velocity": "arm:last"}},
    "states": {"sum": {"rate": 1}, "more": {"rate": 1}})J");
  const std::map<std::string, int> expected = {{"tip.x", 0}, {"tip.y", 0}, {"tip.z", 0}, {"long", 1}, {"v.x", 2},
                                               {"v.y", 2},   {"v.z", 2},   {"sum", 3},   {"more", 4}};
  std::map<std::string, int> found;
  for (const auto& [name, column] : columns) found[name] = column.probe;
  EXPECT_EQ(found, expected);
}

TEST(Meanings, TheCameraFollowsPartsOfTheDrawing) {
  const auto partsOf = [](const std::string& follow) {
    Simulation simulation(withTension("0", ", \"view\": {\"follow\": \"" + follow + "\"}"));
    const Drawing& drawing = simulation.drawing();
    const Followed found = followed(sceneOf(simulation), drawing);
    std::string names;
    for (const int part : found.parts) names += drawing.parts.at(static_cast<std::size_t>(part)).name + " ";
    if (found.nodes) names += std::to_string(found.nodes->first) + ".." + std::to_string(found.nodes->last);
    return names;
  };
  EXPECT_EQ(partsOf("arm"), "arm ");
  EXPECT_EQ(partsOf("arm:1..3"), "arm 1..3");
  EXPECT_EQ(partsOf("robot"), "robot/hub robot/slide robot/flyer robot/limb ");
  EXPECT_EQ(partsOf("robot/slide"), "robot/slide ");
  EXPECT_EQ(partsOf("nobody"), "");
}

TEST(Meanings, SupportsOfLinksNameTheJointThatTheyHold) {
  Simulation simulation(withTension("0", ""));
  const Drawing& drawing = simulation.drawing();
  ASSERT_EQ(drawing.marks.size(), 1u);
  EXPECT_EQ(drawing.marks[0].kind, "fix");
  EXPECT_EQ(drawing.joints.at(static_cast<std::size_t>(drawing.marks[0].joint)).name, "robot/hub");
}

TEST(Meanings, TensionsSpanWhatSlidersAskFor) {
  const auto span = [](const std::string& tension) {
    const Simulation simulation(
        withTension(tension, R"J(, "parameters": {"T": {"value": 20, "min": 1, "max": 20, "unit": "N"},
      "k": {"value": 2, "min": 1, "max": 3}, "fixed": 40, "twice": "=2*T"}, "probes": {"hub": {"jointAngle": "robot/hub"}})J"));
    return tensionSpan(sceneOf(simulation));
  };
  using Span = std::array<double, 2>;
  EXPECT_EQ(span("\"=T\""), (Span{0, 20}));
  EXPECT_EQ(span("\"=T*(t > 1)\""), (Span{0, 20}));
  EXPECT_EQ(span("\"=-T\""), (Span{-20, 0}));
  EXPECT_EQ(span("\"=max(-T, 0)\""), (Span{0, 0}));
  EXPECT_EQ(span("\"=max(T, 0)*ramp(t, 0, 1)\""), (Span{0, 20}));
  EXPECT_EQ(span("\"=twice - 10\""), (Span{-8, 30})) << "through a formula of the slider's";
  EXPECT_EQ(span("\"=k*T\""), (Span{0, 60}));
  EXPECT_EQ(span("\"=T + 5*hub\""), (Span{0, 20})) << "what is fed back counts as 0";
  EXPECT_EQ(span("\"=sqrt(T - 5)\""), (Span{0, std::sqrt(15.0)})) << "no value at one end";
  EXPECT_EQ(span("\"=fixed*t\""), (Span{0, 0}));
  EXPECT_EQ(span("3"), (Span{0, 0}));
}

TEST(Meanings, BodiesMayTouchObstaclesOrThemselves) {
  const auto touching = [](const std::string& more) {
    const Simulation simulation(withTension("0", more));
    return mayTouch(sceneOf(simulation));
  };
  EXPECT_FALSE(touching(""));
  EXPECT_TRUE(touching(R"J(, "obstacles": {"ground": {"plane": {"point": [0, 0, -1], "normal": [0, 0, 1]}}})J"));
  EXPECT_TRUE(touching(R"J(, "contact": {"self": true})J"));
  EXPECT_FALSE(touching(R"J(, "contact": {"self": false})J"));
}

}  // namespace meanings_test
}  // namespace tendril
