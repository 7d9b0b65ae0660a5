// What refers to the linkages of a scene: selectors, loads, probes, initial values, integrators, live parameters; and
// the warnings.
#include "scene_text.h"

namespace tendril::scene {
namespace linkage_uses_test {

using Places = std::vector<LinkRef>;

// ---- what refers to linkages ------------------------------------------------------------------------------------

TEST(LinkageUses, PlacesOfSelectors) {
  const auto places = [](const std::string& selector) {
    const Scene scene = loaded(armText("\"probes\": {\"p\": {\"position\": " + selector + "}}"));
    return scene.probes.empty() ? Places() : scene.probes[0].places;
  };
  EXPECT_EQ(places("\"arm:tip\""), (Places{{0, 1, 1}}));
  EXPECT_EQ(places("\"arm\""), (Places{{0, 0, 1}, {0, 1, 1}}));
  EXPECT_EQ(places("\"arm/hub\""), (Places{{0, 0, 1}}));
  EXPECT_EQ(places("\"arm/hub:tip\""), (Places{{0, 0, 1}}));
  EXPECT_EQ(places("\"arm/limb@0.25\""), (Places{{0, 1, 0.25}}));
  EXPECT_EQ(places("\"arm/limb@0\""), (Places{{0, 1, 0}}));
  EXPECT_EQ(places("\"arm/*b@0.5\""), (Places{{0, 0, 0.5}, {0, 1, 0.5}}));
  EXPECT_EQ(places("\"*:tip\""), (Places{{0, 1, 1}}));
  EXPECT_EQ(places("\"a*/l*:tip\""), (Places{{0, 1, 1}}));
  EXPECT_EQ(places(R"J(["arm/limb@0.5", "arm", "arm/limb"])J"), (Places{{0, 1, 0.5}, {0, 0, 1}, {0, 1, 1}}));
}

TEST(LinkageUses, MixedSelectorsGoTwoWays) {
  const std::string linkages =
      R"J("linkages": {"arm2": {"links": {"a": {"body": {"rigid": {"mass": 1}}}, "b": {"body": {"rigid": {"mass": 1}}}}}})J";
  const auto load = [&](const std::string& selector) {
    const Scene scene = loaded(sceneText(linkages + ", \"loads\": [{\"force\": [0,0,1], \"at\": " + selector + "}]"));
    return scene.loads.empty() ? Load() : scene.loads[0];
  };
  const Load both = load(R"J(["arm:last", "arm2:tip"])J");
  EXPECT_EQ(both.nodes, (std::vector<NodeRef>{{0, 10}}));
  EXPECT_EQ(both.places, (Places{{0, 1, 1}}));
  const Load every = load("\"arm*\"");
  EXPECT_EQ(every.nodes.size(), 11u);
  EXPECT_EQ(every.places.size(), 2u);
  const Load ends = load("\"arm*:last\"");
  EXPECT_EQ(ends.nodes.size(), 1u);
  EXPECT_TRUE(ends.places.empty());
  const Load tips = load("\"arm*:tip\"");
  EXPECT_TRUE(tips.nodes.empty());
  EXPECT_EQ(tips.places.size(), 1u);
}

TEST(LinkageUses, Loads) {
  const Scene scene = loaded(armText(
      R"J("loads": [{"force": [0,0,"=t"], "at": "arm", "share": true}, {"follower": [1,0,0], "at": "arm/limb@0.5"},
    {"moment": [0,1,0], "at": "arm:tip"}, {"mass": 0.5, "at": "arm/hub"}])J"));
  ASSERT_EQ(scene.loads.size(), 4u);
  EXPECT_TRUE(scene.loads[0].share);
  EXPECT_EQ(scene.loads[0].places.size(), 2u);
  EXPECT_EQ(scene.loads[1].kind, Load::Kind::follower);
  EXPECT_EQ(scene.loads[1].places, (Places{{0, 1, 0.5}}));
  EXPECT_EQ(scene.loads[2].places, (Places{{0, 1, 1}}));
  EXPECT_EQ(scene.loads[3].places, (Places{{0, 0, 1}}));
  for (const Load& load : scene.loads) EXPECT_TRUE(load.nodes.empty());
}

TEST(LinkageUses, ProbesAndTheirColumns) {
  const Scene scene = loaded(armText(
      R"J("probes": {"angle": {"jointAngle": "arm/hub"}, "ball": {"jointEffort": "arm/limb"}, "wire": {"cable": "arm/c1"}, "rate": {"cableRate": "arm/c1"},
    "gap": {"distance": ["arm/hub@0", "arm:tip"]}, "pose": {"pose": "arm:tip"}, "E": {"energy": "kinetic", "of": "arm"}, "all": {"energy": "total", "of": "*"}, "push": {"contact": "force", "of": "arm"}},
    "obstacles": {"floor": {"plane": {"point": [0,0,-9], "normal": [0,0,1]}}}, "checks": [{"expect": "ball.q2 == 0 && angle < 1"}])J"));
  EXPECT_EQ(scene.columns, (std::vector<std::string>{"angle", "ball.q0", "ball.q1", "ball.q2", "wire", "rate", "gap",
                                                     "pose.x", "pose.y", "pose.z", "pose.qw", "pose.qx", "pose.qy",
                                                     "pose.qz", "E", "all", "push"}));
  EXPECT_EQ(scene.probes[0].kind, Probe::Kind::jointAngle);
  EXPECT_EQ(scene.probes[0].places, (Places{{0, 0, 1}}));
  EXPECT_EQ(scene.probes[1].columnCount, 3);
  EXPECT_EQ(scene.probes[2].kind, Probe::Kind::cable);
  EXPECT_EQ(scene.probes[3].kind, Probe::Kind::cableRate);
  EXPECT_EQ(scene.probes[3].linkage, 0);
  EXPECT_EQ(scene.probes[3].cableIndex, 0);
  EXPECT_EQ(scene.probes[4].places, (Places{{0, 0, 0}}));
  EXPECT_EQ(scene.probes[4].otherPlaces, (Places{{0, 1, 1}}));
  EXPECT_EQ(scene.probes[6].bodies, (std::vector<int>{0}));
  EXPECT_EQ(scene.probes[7].bodies, (std::vector<int>{0}));
  EXPECT_EQ(scene.probes[8].bodies, (std::vector<int>{0}));
}

TEST(LinkageUses, BodiesCountAfterRodsAndShells) {
  const Scene scene = loaded(sceneText(
      R"J("linkages": {"a": {"links": {"l": {"body": {"rigid": {"mass": 1}}}}}, "b": {"links": {"l": {"body": {"rigid": {"mass": 1}}}}}},
    "obstacles": {"floor": {"plane": {"point": [0,0,-9], "normal": [0,0,1]}}},
    "probes": {"e": {"energy": "total", "of": ["b", "leg0"]}, "f": {"energy": "total", "of": "a*"}, "g": {"contact": "pairs", "of": ["b", "floor"]}})J"));
  EXPECT_EQ(scene.probes.at(0).bodies, (std::vector<int>{1, 4}));
  EXPECT_EQ(scene.probes[1].bodies, (std::vector<int>{0, 3}));
  EXPECT_EQ(scene.probes[2].bodies, (std::vector<int>{4}));
  EXPECT_EQ(scene.bodyOfLinkage(1), 4);
}

TEST(LinkageUses, InitialValues) {
  const Scene scene = loaded(
      linksText(R"J(
    "a": {"joint": {"universal": {}}, "body": {"rigid": {"mass": 1}}},
    "b": {"joint": {"free": {}}, "body": {"soft": {"length": 1, "section": {"circle": {"radius": 0.1}}, "strains": {"twist": 1, "bendY": 2, "shearZ": 0}}}},
    "c1": {"joint": {"cylindrical": {"angle": 1}}, "body": {"rigid": {"mass": 1}}},
    "c2": {"joint": {"cylindrical": {"angle": 1}}, "body": {"rigid": {"mass": 1}}})J",
                "",
                R"J("parameters": {"k": 3}, "initial": [{"of": "arm/a", "angle": [0.1, "=k"], "angleRate": [1, 2]},
      {"of": "arm/b", "twist": "=u", "bendY": "=k*s", "shearZRate": 0.5, "displacement": [1,2,3]},
      {"of": "arm/c*", "displacement": 0.5, "displacementRate": 1}])J"));
  ASSERT_EQ(scene.initial.size(), 3u);
  EXPECT_EQ(scene.initial[0].links, (Places{{0, 0, 1}}));
  ASSERT_EQ(scene.initial[0].coordinate.size(), 2u);
  EXPECT_EQ(valueOf(scene, *scene.initial[0].coordinate[1]), 3);
  EXPECT_EQ(valueOf(scene, *scene.initial[0].coordinateRate[1]), 2);
  const Initial& soft = scene.initial[1];
  EXPECT_EQ(valueOf(scene, *soft.strain[0], 0, 0.25), 0.25);
  EXPECT_EQ(valueOf(scene, *soft.strain[1], 0, 0.5, 2), 3);
  EXPECT_FALSE(soft.strain[5]);
  EXPECT_EQ(valueOf(scene, *soft.strainRate[5]), 0.5);
  EXPECT_FALSE(soft.twist);
  ASSERT_EQ(soft.coordinate.size(), 6u);
  EXPECT_FALSE(soft.coordinate[2]);
  EXPECT_EQ(valueOf(scene, *soft.coordinate[5]), 3);
  EXPECT_EQ(scene.initial[2].links.size(), 2u);
  EXPECT_FALSE(scene.initial[2].coordinate[0]);
  EXPECT_EQ(valueOf(scene, *scene.initial[2].coordinate[1]), 0.5);
}

// ---- solver, parameters, warnings -------------------------------------------------------------------------------

TEST(LinkageUses, Integrators) {
  const auto solver = [](const std::string& more) { return loaded(armText(more)).solver; };
  EXPECT_EQ(solver("").linkageIntegrator, Integrator::generalizedAlpha);
  EXPECT_EQ(solver("").integrator, Integrator::implicitEuler);
  EXPECT_EQ(solver("").rho, 0.9);
  const Solver midpoint = solver(R"J("solver": {"integrator": "implicit-midpoint"})J");
  EXPECT_EQ(midpoint.linkageIntegrator, Integrator::implicitMidpoint);
  EXPECT_EQ(midpoint.integrator, Integrator::implicitMidpoint);
  const Solver alpha = solver(R"J("solver": {"integrator": "generalized-alpha", "rho": 0.5})J");
  EXPECT_EQ(alpha.linkageIntegrator, Integrator::generalizedAlpha);
  EXPECT_EQ(alpha.integrator, Integrator::implicitEuler);
  EXPECT_EQ(alpha.rho, 0.5);
}

TEST(LinkageUses, LiveParametersAreThoseThatTheModelTakesWhileItRuns) {
  const Scene scene = loaded(
      R"J({"format": "tendril/1", "parameters": {"E": 1e6, "T": 1, "k": 1, "turn": 1, "curve": 1, "cd": 1, "m": 1, "L": 1, "r": 0.1, "d": 0.01, "order": 2, "shift": 0.1, "at": 0.5},
    "materials": {"rubber": {"youngs": "=E", "density": 1000}}, "environment": {"fluid": {"density": 1000}},
    "linkages": {"arm": {"links": {
      "hub": {"joint": {"revolute": {"angle": "=turn*t"}}, "body": {"rigid": {"mass": "=m", "inertia": [0, 0, 0]}}, "fluid": {"drag": "=cd"}},
      "limb": {"joint": {"revolute": {"stiffness": "=k"}}, "offset": {"position": ["=shift", 0, 0]},
               "body": {"soft": {"length": "=L", "section": {"circle": {"radius": "=r"}}, "strains": {"bendY": "=order"}, "natural": {"bendY": "=curve*u"}}}}},
     "cables": {"c": {"through": "limb", "path": {"constant": [0, "=d"]}, "tension": "=T"}}}},
    "initial": [{"of": "arm/limb", "bendY": "=at"}]})J");
  std::string live, restart;
  for (const Parameter& parameter : scene.parameters) (parameter.live ? live : restart) += parameter.name + " ";
  EXPECT_EQ(live, "E T k turn curve cd m ");
  EXPECT_EQ(restart, "L r d order shift at ");
}

TEST(LinkageUses, Warnings) {
  const auto warnings = [](const std::string& more) { return warningsOf(loaded(armText(more))); };
  EXPECT_EQ(warnings(""), "");
  EXPECT_EQ(warnings(R"J("solver": {"integrator": "generalized-alpha", "rho": 0.8})J"), "");
  const std::string floor = R"J(, "obstacles": {"f": {"plane": {"point": [0, 0, -9], "normal": [0, 0, 1]}}})J",
                    still = R"J("solver": {"mode": "static", "dt": 0.01})J";
  EXPECT_NE(warnings(still + floor).find("contact of rigid links has by default"), std::string::npos);
  EXPECT_EQ(warnings(still + floor + R"J(, "contact": {"stiffness": 10})J").find("by default"), std::string::npos);
  EXPECT_EQ(warnings(still).find("by default"), std::string::npos);
  EXPECT_NE(
      warnings(R"J("solver": {"integrator": "bdf2", "rho": 0.8})J").find("\"rho\" belongs to \"generalized-alpha\""),
      std::string::npos);
  EXPECT_NE(warnings(R"J("solver": {"mode": "static"}, "initial": [{"of": "arm/limb", "bendYRate": 1}])J")
                .find("initial velocities have no effect"),
            std::string::npos);
  EXPECT_EQ(warnings(R"J("solver": {"mode": "static"}, "initial": [{"of": "arm/limb", "bendY": 1}])J"), "");
  const std::string linkages = R"J("linkages": {"a": {"links": {"l": {"body": {"rigid": {"mass": 1}}}}}})J";
  const std::string beside =
      warningsOf(loaded(sceneText(linkages + R"J(, "solver": {"integrator": "generalized-alpha"})J")));
  EXPECT_NE(beside.find("side by side with rods and shells, without touching"), std::string::npos);
  EXPECT_NE(beside.find("rods and shells run \"implicit-euler\""), std::string::npos);
  EXPECT_NE(warningsOf(loaded(linksText(R"J("a": {"body": {"rigid": {"mass": 1}}})J")))
                .find("material \"rubber\" is not used"),
            std::string::npos);
}

TEST(LinkageUses, DrivenCoordinatesThatJumpAreTold) {
  const auto warnings = [](const std::string& joint, const std::string& more = "") {
    return warningsOf(loaded(R"J({"format": "tendril/1", "linkages": {"arm": {"links": {"a": {"joint": )J" + joint +
                             R"J(, "body": {"rigid": {"mass": 1, "inertia": [1,1,1]}}}}}})J" + more + "}"));
  };
  const std::string jump = warnings(R"J({"revolute": {"angle": "=0.5*step(t - 3)"}})J");
  EXPECT_NE(jump.find("the driven coordinate of \"a\" jumps by 0.5 rad at 3 s"), std::string::npos) << jump;
  EXPECT_NE(jump.find("/linkages/arm/links/a/joint/revolute/angle"), std::string::npos) << jump;
  EXPECT_NE(
      warnings(R"J({"prismatic": {"displacement": "=t < 0.123 ? 0 : 1e-3 + t"}})J").find("jumps by 0.124 m at 0.123 s"),
      std::string::npos);
  const std::string second = warnings(R"J({"universal": {"angle": ["=sin(t)", "=sin(100*t) + 0.2*step(t - 5.5)"]}})J");
  EXPECT_NE(second.find("rad at 5.5 s"), std::string::npos) << second;
  EXPECT_NE(second.find("angle/1"), std::string::npos) << second;
  EXPECT_NE(warnings(R"J({"revolute": {"angle": "=p(t)"}})J",
                     R"J(, "series": {"p": {"time": [0, 1], "value": [0, 1], "interpolation": "step"}})J")
                .size(),
            0u);
  EXPECT_NE(
      warnings(R"J({"prismatic": {"displacement": "=0.1*speed"}})J", R"J(, "probes": {"speed": {"speed": "arm:tip"}})J")
          .find("sees probes or states"),
      std::string::npos);
  // What is steep, or has corners, does not jump.
  for (const char* angle : {"=100*t", "=ramp(t, 3, 3.0001)", "=smooth(t, 1, 2)", "=sin(300*t)", "=abs(t - 2)",
                            "=sqrt(t)", "=1", "=exp(t)", "=tanh(1e4*(t - 3))", "=mod(t, 100)"})
    EXPECT_EQ(warnings(std::string("{\"revolute\": {\"angle\": \"") + angle + "\"}}"), "") << angle;
  // After the run it may do what it likes; a static run has no time.
  EXPECT_EQ(warnings(R"J({"revolute": {"angle": "=step(t - 11)"}})J"), "");
  EXPECT_EQ(warnings(R"J({"revolute": {"angle": "=step(t - 0.5)"}})J", R"J(, "solver": {"mode": "static"})J"), "");
  EXPECT_EQ(warnings(R"J({"revolute": {"torque": "=step(t - 3)"}})J"), "");
}

TEST(LinkageUses, RepeatDefaultsAndExpansion) {
  const std::string text =
      R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1, "density": 1}}, "defaults": {"linkages": {"base": {"position": [0, 0, 1]}}},
    "linkages": {"leg{k}": {"repeat": {"k": 2}, "links": {"l{j}": {"repeat": {"j": 3}, "joint": {"revolute": {"axis": "y", "angle": "=k + j"}}, "body": {"rigid": {"length": "=0.1*(j + 1)"}}}},
      "cables": {"c{m}": {"repeat": {"m": 2}, "through": "l{m}", "path": {"constant": [0, 0]}}}}},
    "probes": {"tip{k}": {"repeat": {"k": 2}, "position": "leg{k}/l2:tip"}}})J";
  const auto expanded = expandScene(text);
  ASSERT_TRUE(std::holds_alternative<std::string>(expanded)) << describe(std::get<Problems>(expanded)[0], "scene");
  EXPECT_EQ(std::get<std::string>(expanded).find("repeat"), std::string::npos);
  for (const Scene& scene : {loaded(text), loaded(std::get<std::string>(expanded))}) {
    ASSERT_EQ(scene.linkages.size(), 2u);
    EXPECT_EQ(scene.linkages[1].name, "leg1");
    EXPECT_EQ(scene.linkages[1].position, Vec3(0, 0, 1));
    ASSERT_EQ(scene.linkages[1].links.size(), 3u);
    EXPECT_EQ(scene.linkages[1].links[2].name, "l2");
    EXPECT_EQ(scene.linkages[1].links[2].parent, 1);
    EXPECT_NEAR(scene.linkages[1].links[2].rigid->length, 0.3, 1e-15);
    EXPECT_EQ(valueOf(scene, *scene.linkages[1].links[2].joint.coordinates[0].driven), 3);
    EXPECT_EQ(scene.linkages[0].cables[1].links, (std::vector<int>{1}));
    EXPECT_EQ(scene.probes[1].places, (Places{{1, 2, 1}}));
  }
}

TEST(LinkageUses, BodiesThatTheMediumCannotTakeHoldOfAreWarnedOf) {
  const auto warnings = [](const std::string& link, const std::string& around) {
    return warningsOf(
        loaded(linksText("\"a\": {" + link + "}", "",
                         "\"environment\": {\"gravity\": [0,0,-9.81], \"fluid\": {\"density\": 1000}" + around + "}")));
  };
  const std::string ball = R"J("body": {"rigid": {"mass": 1, "inertia": [1,1,1]}})J", floats = ", \"buoyancy\": true";
  const std::string disk = R"J("body": {"rigid": {"mass": 1, "section": {"circle": {"radius": 0.1}}}})J";
  const std::string stick = R"J("body": {"rigid": {"mass": 1, "length": 1, "section": {"circle": {"radius": 0.1}}}})J";
  const std::string lost = "the medium does not act on \"arm/a\"";
  EXPECT_NE(warnings(ball, floats).find("/linkages/arm/links/a/body: " + lost), std::string::npos);
  EXPECT_NE(warnings(ball, floats).find("has no section; expected \"section\" and \"length\""), std::string::npos);
  EXPECT_NE(warnings(ball + ", \"fluid\": {\"drag\": 1}", "").find("/linkages/arm/links/a/fluid: " + lost),
            std::string::npos);
  EXPECT_NE(warnings(ball, ", \"viscous\": 1").find(lost), std::string::npos);
  EXPECT_NE(warnings(disk, floats).find("has the length 0, so no volume"), std::string::npos);
  EXPECT_EQ(warnings(stick, floats).find(lost), std::string::npos);
  EXPECT_EQ(warnings(ball, "").find(lost), std::string::npos) << "nothing acts";
  EXPECT_EQ(warnings(R"J("body": {"rigid": {"length": 1}})J", floats).find(lost), std::string::npos)
      << "a mere arm weighs nothing";
}

TEST(LinkageUses, CablesThatPassALinkAndCamerasThatFollowNothingAreWarnedOf) {
  const std::string bar = R"J("body": {"rigid": {"length": 1, "section": {"circle": {"radius": 0.1}}, "density": 1}})J";
  const auto warnings = [&](const std::string& through, const std::string& more) {
    return warningsOf(loaded(linksText(
        "\"a\": {" + bar + "}, \"b\": {" + bar + "}, \"c\": {" + bar + "}, \"d\": {\"parent\": \"a\", " + bar + "}",
        "\"cables\": {\"w\": {\"through\": " + through + ", \"path\": {\"constant\": [0, 0]}" + more + "}}",
        "\"view\": {\"follow\": \"arm/c\"}")));
  };
  EXPECT_NE(
      warnings(R"J(["a", "c"])J", "")
          .find(
              "/linkages/arm/cables/w/through: the cable goes straight from the tip of \"a\" to the start of \"c\", which is not attached there"),
      std::string::npos);
  EXPECT_NE(warnings(R"J(["b", "d"])J", "").find("from the tip of \"b\" to the start of \"d\""), std::string::npos);
  for (const std::string& fine : {warnings(R"J(["a", "b", "c"])J", ""), warnings(R"J(["a", "d"])J", ""),
                                  warnings(R"J(["a", "c"])J", ", \"outside\": true")})
    EXPECT_EQ(fine.find("goes straight"), std::string::npos) << fine;
  EXPECT_EQ(warnings("\"a\"", "").find("/view"), std::string::npos);
  const std::string lost = warningsOf(loaded(armText(R"J("view": {"follow": "amr"})J")));
  EXPECT_NE(lost.find("/view/follow: unknown body \"amr\"; did you mean \"arm\"?"), std::string::npos) << lost;
  const auto followed = [](const std::string& run) {
    return warningsOf(loaded(sceneText("\"view\": {\"follow\": \"" + run + "\"}")));
  };
  EXPECT_EQ(followed("arm:1..2").find("/view"), std::string::npos) << followed("arm:1..2");
  EXPECT_NE(followed("amr:1..2").find("unknown body \"amr\""), std::string::npos) << followed("amr:1..2");
}

TEST(LinkageUses, SpringsThatTurnNegativeAreWarnedOf) {
  const auto warnings = [](const std::string& joint) {
    return warningsOf(loaded(linksText(
        "\"a\": {\"joint\": {\"revolute\": " + joint + R"J(}, "body": {"rigid": {"mass": 1, "inertia": [1,1,1]}}})J",
        "", "\"solver\": {\"duration\": 1}")));
  };
  const std::string later = warnings(R"J({"stiffness": "=t > 0.5 ? -3 : 1"})J");
  EXPECT_NE(
      later.find(
          "/linkages/arm/links/a/joint/revolute/stiffness: stiffness must be at least 0 N m/rad, but it is -3 at t = 0.5005 s"),
      std::string::npos)
      << later;
  EXPECT_NE(warnings(R"J({"damping": "=0.5 - t"})J").find("revolute/damping: damping must be at least 0"),
            std::string::npos);
  EXPECT_EQ(warnings(R"J({"stiffness": "=1 - t", "rest": "=-t"})J").find("at least"), std::string::npos);
}

}  // namespace linkage_uses_test
}  // namespace tendril::scene
