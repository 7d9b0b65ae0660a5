// Linkages of a scene in their typed form: bases, links with joints and bodies, cables, loops, what refers to them, and
// the warnings.
#include <cmath>

#include "scene_text.h"

namespace tendril {
namespace {

using Kind = LinkJoint::Kind;
using Places = std::vector<LinkRef>;

double valueOf(const Scene& scene, const Number& number, double t = 0, double u = 0, double length = 1) {
  FormulaInput input;
  input.parameters = scene.values.data();
  input.t = t;
  input.u = u;
  input.s = u * length;
  return number(input);
}

std::string warningsOf(const Scene& scene) {
  std::string all;
  for (const Problem& warning : scene.warnings) all += describe(warning, "scene") + "\n";
  return all;
}

Linkage armOf(const std::string& links, const std::string& members = "") {
  const Scene scene = loaded(linksText(links, members));
  return scene.linkages.empty() ? Linkage() : scene.linkages[0];
}

LinkJoint jointOf(const std::string& joint) {
  const Linkage arm = armOf(R"J("a": {"body": {"rigid": {"mass": 1}}, "joint": )J" + joint + "}");
  return arm.links.empty() ? LinkJoint() : arm.links[0].joint;
}

Link softOf(const std::string& soft) {
  const Linkage arm = armOf(R"J("a": {"body": {"soft": )J" + soft + "}}");
  return arm.links.empty() ? Link() : arm.links[0];
}

TEST(LoadLinkages, TheExampleOfTheContract) {
  const Scene scene = loaded(R"J({"format": "tendril/1", "materials": {"silicone": {"youngs": 1e6, "density": 1000}}, "linkages": {"arm": {
    "base": {"position": [0,0,0], "forward": [1,0,0], "up": [0,0,1]},
    "links": {
      "hub":  {"joint": {"revolute": {"axis": "z", "angle": "=pi*t"}}, "body": {"rigid": {"length": 0.2, "section": {"circle": {"radius": 0.01}}, "density": 1000}}},
      "limb": {"joint": {"spherical": {}}, "body": {"soft": {"length": 0.3, "section": {"circle": {"radius": "=0.02 - 0.01*u"}}, "material": "silicone",
               "strains": {"twist": 2, "bendY": 3, "bendZ": 3, "stretch": 0}, "basis": "legendre", "points": 5, "natural": {"bendY": 1.0}}}}},
    "cables": {"c1": {"through": ["limb"], "path": {"constant": [0, 0.008]}, "tension": "=10*ramp(t,0,1)"}} }}})J");
  ASSERT_EQ(scene.linkages.size(), 1u);
  const Linkage& arm = scene.linkages[0];
  EXPECT_EQ(arm.name, "arm");
  EXPECT_TRUE(arm.rotation.isIdentity());
  ASSERT_EQ(arm.links.size(), 2u);
  const Link &hub = arm.links[0], &limb = arm.links[1];
  EXPECT_EQ(hub.parent, -1);
  EXPECT_EQ(limb.parent, 0);
  EXPECT_EQ(limb.parentAt, 1);
  EXPECT_EQ(hub.joint.kind, Kind::revolute);
  EXPECT_EQ(hub.joint.axis, 2);
  ASSERT_EQ(hub.joint.coordinates.size(), 1u);
  EXPECT_EQ(valueOf(scene, *hub.joint.coordinates[0].driven, 0.5), 0.5 * pi);
  ASSERT_TRUE(hub.rigid);
  EXPECT_EQ(hub.rigid->length, 0.2);
  EXPECT_EQ(hub.rigid->center, Vec3(0.1, 0, 0));
  EXPECT_EQ(valueOf(scene, hub.rigid->density), 1000);
  EXPECT_FALSE(hub.rigid->mass);
  EXPECT_EQ(limb.joint.kind, Kind::spherical);
  EXPECT_EQ(limb.joint.coordinates.size(), 3u);
  ASSERT_EQ(limb.soft.size(), 1u);
  EXPECT_FALSE(limb.rigid);
  const SoftDivision& soft = limb.soft[0];
  EXPECT_EQ(soft.length, 0.3);
  EXPECT_EQ(soft.material, 0);
  EXPECT_EQ(soft.order, (std::array<int, 6>{2, 3, 3, 0, -1, -1}));
  EXPECT_EQ(soft.basis, StrainBasis::legendre);
  EXPECT_EQ(soft.points, 5);
  EXPECT_EQ(soft.magnus, 4);
  EXPECT_EQ(soft.substeps, 1);
  EXPECT_NEAR(valueOf(scene, soft.section.radius, 0, 0.5), 0.015, 1e-15);
  EXPECT_EQ(valueOf(scene, soft.natural[1]), 1);
  EXPECT_EQ(valueOf(scene, soft.natural[3]), 0);
  ASSERT_EQ(arm.cables.size(), 1u);
  EXPECT_EQ(arm.cables[0].links, (std::vector<int>{1}));
  EXPECT_EQ(valueOf(scene, arm.cables[0].from[1]), 0.008);
  EXPECT_EQ(valueOf(scene, arm.cables[0].tension, 0.5), 5);
  EXPECT_EQ(warningsOf(scene), "");
}

TEST(LoadLinkages, Bases) {
  const auto base = [](const std::string& text) { return armOf(R"J("a": {"body": {"rigid": {"mass": 1}}})J", "\"base\": " + text); };
  Mat3 wanted;
  wanted << 0, 0, 1, 0, -1, 0, 1, 0, 0;  // x up; z, which cannot point up, along the world's x
  EXPECT_TRUE(base(R"J({"forward": [0,0,2]})J").rotation.isApprox(wanted));
  wanted << 0, -1, 0, 1, 0, 0, 0, 0, 1;
  const Linkage turned = base(R"J({"forward": [0,3,0], "up": [0,1,1], "position": [1,2,3]})J");
  EXPECT_TRUE(turned.rotation.isApprox(wanted));
  EXPECT_EQ(turned.position, Vec3(1, 2, 3));
  EXPECT_NEAR(turned.rotation.determinant(), 1, 1e-15);
}

TEST(LoadLinkages, ParentsAndOffsets) {
  const Linkage arm = armOf(R"J(
    "a": {"body": {"rigid": {"length": 1}}},
    "b": {"body": {"rigid": {"length": 1}}, "offset": {"position": [0,0.0035,0], "rotation": [{"axis": [0,0,1], "angle": "=pi/2"}, {"axis": [1,0,0], "angle": "=pi/2"}]}},
    "c": {"body": {"rigid": {"length": 1}}, "parent": "a@0.25"},
    "d": {"body": {"rigid": {"length": 1}}, "parent": "base"},
    "e": {"body": {"rigid": {"length": 1}}, "parent": "b"})J");
  ASSERT_EQ(arm.links.size(), 5u);
  EXPECT_EQ(arm.links[1].parent, 0);
  EXPECT_EQ(arm.links[1].offset, Vec3(0, 0.0035, 0));
  EXPECT_TRUE((arm.links[1].offsetRotation * Vec3::UnitX()).isApprox(Vec3::UnitZ()));  // x to y, then y to z
  EXPECT_EQ(arm.links[2].parent, 0);
  EXPECT_EQ(arm.links[2].parentAt, 0.25);
  EXPECT_EQ(arm.links[3].parent, -1);
  EXPECT_EQ(arm.links[4].parent, 1);
  EXPECT_EQ(arm.links[4].parentAt, 1);
}

TEST(LoadLinkages, JointsOfEveryKind) {
  const auto kinds = {"fixed", "revolute", "prismatic", "universal", "cylindrical", "planar", "spherical", "free"};
  for (const char* kind : kinds) {
    const LinkJoint joint = jointOf(std::string("{\"") + kind + "\": {}}");
    EXPECT_EQ(int(joint.coordinates.size()), LinkJoint::freedoms(joint.kind)) << kind;
    EXPECT_EQ(joint.axis, joint.kind == Kind::planar ? 2 : 0) << kind;
  }
  const LinkJoint screw = jointOf(R"J({"helical": {"axis": "y", "pitch": -0.01, "torque": "=2*t", "rest": 0.5}})J");
  EXPECT_EQ(screw.kind, Kind::helical);
  EXPECT_EQ(screw.axis, 1);
  EXPECT_EQ(screw.pitch, -0.01);
  EXPECT_TRUE(screw.coordinates[0].rotation);
  EXPECT_EQ(valueOf({}, screw.coordinates[0].effort, 3), 6);
  EXPECT_EQ(valueOf({}, screw.coordinates[0].rest), 0.5);
  const LinkJoint slide = jointOf(R"J({"prismatic": {"displacement": "=t", "damping": 2}})J");
  EXPECT_FALSE(slide.coordinates[0].rotation);
  EXPECT_TRUE(slide.coordinates[0].driven);
  EXPECT_EQ(valueOf({}, slide.coordinates[0].damping), 2);
}

TEST(LoadLinkages, JointsOfSeveralCoordinates) {
  const LinkJoint cardan = jointOf(R"J({"universal": {"angle": [0.1, "=t"], "stiffness": [1, 2], "damping": 3}})J");
  EXPECT_EQ(valueOf({}, *cardan.coordinates[1].driven, 4), 4);
  EXPECT_EQ(valueOf({}, cardan.coordinates[0].stiffness), 1);
  EXPECT_EQ(valueOf({}, cardan.coordinates[1].stiffness), 2);
  EXPECT_EQ(valueOf({}, cardan.coordinates[1].damping), 3);
  const LinkJoint piston = jointOf(R"J({"cylindrical": {"axis": "z", "angle": "=t", "force": 7, "stiffness": [1, 2], "rest": [0.1, 0.2]}})J");
  ASSERT_EQ(piston.coordinates.size(), 2u);
  EXPECT_TRUE(piston.coordinates[0].rotation && piston.coordinates[0].driven);
  EXPECT_FALSE(piston.coordinates[1].rotation || piston.coordinates[1].driven);
  EXPECT_EQ(valueOf({}, piston.coordinates[1].effort), 7);
  EXPECT_EQ(valueOf({}, piston.coordinates[1].stiffness), 2);
  EXPECT_EQ(valueOf({}, piston.coordinates[1].rest), 0.2);
  const LinkJoint puck = jointOf(R"J({"planar": {"torque": 1, "force": [2, 3], "stiffness": [4, 5]}})J");
  EXPECT_TRUE(puck.coordinates[0].rotation);
  EXPECT_EQ(valueOf({}, puck.coordinates[0].effort), 1);
  EXPECT_EQ(valueOf({}, puck.coordinates[2].effort), 3);
  EXPECT_EQ(valueOf({}, puck.coordinates[0].stiffness), 4);
  EXPECT_EQ(valueOf({}, puck.coordinates[1].stiffness), 5);
  EXPECT_EQ(valueOf({}, puck.coordinates[2].stiffness), 5);
  const LinkJoint open = jointOf(R"J({"free": {"torque": [1,2,3], "force": [4,5,6], "damping": [0.1, 0.2]}})J");
  for (int k = 0; k < 6; ++k) {
    EXPECT_EQ(valueOf({}, open.coordinates[std::size_t(k)].effort), k + 1);
    EXPECT_EQ(valueOf({}, open.coordinates[std::size_t(k)].damping), k < 3 ? 0.1 : 0.2);
  }
}

TEST(LoadLinkages, RigidBodies) {
  const auto body = [](const std::string& text) { return *armOf(R"J("a": {"body": {"rigid": )J" + text + "}}").links.at(0).rigid; };
  const RigidBody massless = body(R"J({"length": 0.5})J");
  EXPECT_FALSE(massless.section || massless.mass);
  EXPECT_EQ(massless.length, 0.5);
  const RigidBody ball = body(R"J({"mass": 2, "inertia": [1, 2, 3], "center": [0, 0.1, 0]})J");
  EXPECT_EQ(ball.length, 0);
  EXPECT_EQ(valueOf({}, *ball.mass), 2);
  EXPECT_EQ(valueOf({}, ball.inertia[2]), 3);
  EXPECT_EQ(ball.center, Vec3(0, 0.1, 0));
  const RigidBody drawn = body(R"J({"mass": 2, "length": 1, "section": {"rectangle": {"width": 0.1, "height": 0.2}}})J");
  ASSERT_TRUE(drawn.section);
  EXPECT_EQ(drawn.section->kind, Section::Kind::rectangle);
  EXPECT_EQ(drawn.center, Vec3(0.5, 0, 0));
}

TEST(LoadLinkages, PointsFollowTheFunctions) {
  const auto points = [](const std::string& basis, int order) {
    return softOf("{\"length\": 1, \"section\": {\"circle\": {\"radius\": 0.1}}, \"basis\": \"" + basis + "\", \"strains\": {\"bendY\": 1, \"bendZ\": " +
                  std::to_string(order) + "}}").soft.at(0).points;
  };
  EXPECT_EQ(points("legendre", 3), 5);
  EXPECT_EQ(points("monomial", 8), 9);
  EXPECT_EQ(points("fourier", 1), 5);
  EXPECT_EQ(points("fourier", 3), 12);
  EXPECT_EQ(points("inverse-multiquadric", 6), 7);
}

TEST(LoadLinkages, Divisions) {
  const Link link = softOf(R"J({"length": 1, "section": {"circle": {"radius": "=0.1*(2 - u)"}}, "strains": {"bendY": 2}, "magnus": 6, "substeps": 2, "natural": {"bendY": "=s"},
    "divisions": [{"length": 0.4}, {"strains": {}}, {"basis": "fem", "strains": {"twist": 1}, "points": 3, "magnus": 2, "section": {"ellipse": {"a": 1, "b": 2}}}]})J");
  ASSERT_EQ(link.soft.size(), 3u);
  EXPECT_EQ(link.soft[0].length, 0.4);
  EXPECT_NEAR(link.soft[1].length, 0.3, 1e-15);
  EXPECT_NEAR(link.soft[2].length, 0.3, 1e-15);
  EXPECT_NEAR(link.length(), 1, 1e-15);
  EXPECT_EQ(link.soft[0].order[1], 2);
  EXPECT_EQ(link.soft[0].magnus, 6);
  EXPECT_EQ(link.soft[0].substeps, 2);
  EXPECT_EQ(link.soft[1].order, (std::array<int, 6>{-1, -1, -1, -1, -1, -1}));
  EXPECT_EQ(link.soft[2].order, (std::array<int, 6>{1, -1, -1, -1, -1, -1}));
  EXPECT_EQ(link.soft[2].basis, StrainBasis::fem);
  EXPECT_EQ(link.soft[2].points, 3);
  EXPECT_EQ(link.soft[2].magnus, 2);
  EXPECT_EQ(link.soft[2].section.kind, Section::Kind::ellipse);
  EXPECT_EQ(valueOf({}, link.soft[1].natural[1], 0, 0.5, 0.3), 0.15);
  EXPECT_EQ(link.soft[2].pointer, "/linkages/arm/links/a/body/soft/divisions/2");
}

TEST(LoadLinkages, ExplicitStiffnessNeedsNoMaterial) {
  const Link link = softOf(R"J({"length": 1, "section": {"stiffness": {"EA": 1, "EI1": 2, "EI2": 3, "GJ": 4}, "massPerLength": 5, "radius": 6}, "strains": {"bendY": 0}})J");
  EXPECT_EQ(link.soft.at(0).material, -1);
  EXPECT_EQ(valueOf({}, link.soft[0].section.EI2), 3);
  EXPECT_EQ(valueOf({}, link.soft[0].section.radius), 6);
}

TEST(LoadLinkages, CablesAndLoops) {
  const Linkage arm = armOf(R"J(
    "a": {"body": {"rigid": {"length": 1, "section": {"circle": {"radius": 1}}, "density": 1}}},
    "b": {"body": {"soft": {"length": 1, "section": {"circle": {"radius": 1}}, "strains": {"bendY": 0}}}})J", R"J(
    "cables": {"straight": {"through": "b", "path": {"constant": [0.1, 0.2]}},
               "slant": {"through": ["a", "b"], "path": {"oblique": {"from": [0.1, 0], "to": [0, 0.2]}}, "tension": -3},
               "wound": {"through": ["b"], "path": {"helical": {"radius": 0.5, "pitch": 0.25}}},
               "own": {"through": ["b"], "path": {"custom": {"y": "=0.5*u", "z": "=s/4"}}},
               "far": {"through": ["b"], "path": {"constant": [5, 0]}, "outside": true}},
    "loops": [{"from": "b", "to": "base", "joint": {"revolute": {"axis": "y"}}, "offset": {"position": [0, 0, 1]}},
              {"from": "base", "to": "a@0.5", "joint": {"helical": {"axis": "z", "pitch": 0.1}}}])J");
  ASSERT_EQ(arm.cables.size(), 5u);
  EXPECT_EQ(arm.cables[0].path, Cable::Path::constant);
  EXPECT_EQ(valueOf({}, arm.cables[0].from[1]), 0.2);
  EXPECT_TRUE(arm.cables[0].tension.isZero());
  EXPECT_EQ(arm.cables[1].links, (std::vector<int>{0, 1}));
  EXPECT_EQ(arm.cables[1].path, Cable::Path::oblique);
  EXPECT_EQ(valueOf({}, arm.cables[1].from[0]), 0.1);
  EXPECT_EQ(valueOf({}, arm.cables[1].to[1]), 0.2);
  EXPECT_EQ(valueOf({}, arm.cables[1].tension), -3);
  EXPECT_EQ(arm.cables[2].path, Cable::Path::helical);
  EXPECT_EQ(valueOf({}, arm.cables[2].pitch), 0.25);
  EXPECT_EQ(valueOf({}, arm.cables[2].phase), 0);
  EXPECT_EQ(arm.cables[3].path, Cable::Path::custom);
  EXPECT_EQ(valueOf({}, arm.cables[3].y, 0, 0.5), 0.25);
  EXPECT_EQ(valueOf({}, arm.cables[3].z, 0, 0.5, 2), 0.25);
  EXPECT_TRUE(arm.cables[4].outside);
  ASSERT_EQ(arm.loops.size(), 2u);
  EXPECT_EQ(arm.loops[0].from, 1);
  EXPECT_EQ(arm.loops[0].fromAt, 1);
  EXPECT_EQ(arm.loops[0].to, -1);
  EXPECT_EQ(arm.loops[0].offset, Vec3(0, 0, 1));
  EXPECT_EQ(arm.loops[0].joint.axis, 1);
  EXPECT_EQ(arm.loops[1].to, 0);
  EXPECT_EQ(arm.loops[1].toAt, 0.5);
  EXPECT_EQ(arm.loops[1].joint.pitch, 0.1);
}

TEST(LoadLinkages, FluidAndLooks) {
  const Scene scene = loaded(linksText(R"J(
    "a": {"body": {"rigid": {"mass": 1}}, "fluid": {"added": 0.6, "drag": "=cd"}},
    "b": {"body": {"rigid": {"mass": 1}}, "look": {"color": "#123", "label": "B"}})J",
    R"J("look": {"color": "#3a7", "opacity": 0.5})J", R"J("parameters": {"cd": 1.1}, "environment": {"fluid": {"density": 1000, "velocity": [1,0,0]}})J"));
  ASSERT_TRUE(scene.linkages.at(0).links.at(0).fluid);
  const LinkFluid& fluid = *scene.linkages[0].links[0].fluid;
  EXPECT_EQ(valueOf(scene, fluid.added), 0.6);
  EXPECT_EQ(valueOf(scene, fluid.drag), 1.1);
  EXPECT_EQ(valueOf(scene, fluid.lift), 0);
  EXPECT_FALSE(scene.linkages[0].links[1].fluid);
  EXPECT_EQ(scene.linkages[0].links[0].look.color, "#3a7");
  EXPECT_EQ(scene.linkages[0].links[1].look.color, "#123");
  EXPECT_EQ(*scene.linkages[0].links[1].look.opacity, 0.5);
  EXPECT_EQ(scene.linkages[0].links[0].look.label, "");
  EXPECT_EQ(warningsOf(scene).find("velocity of the medium"), std::string::npos) << warningsOf(scene);
}

// ---- what refers to linkages ------------------------------------------------------------------------------------

TEST(LoadLinkages, PlacesOfSelectors) {
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

TEST(LoadLinkages, MixedSelectorsGoTwoWays) {
  const std::string linkages = R"J("linkages": {"arm2": {"links": {"a": {"body": {"rigid": {"mass": 1}}}, "b": {"body": {"rigid": {"mass": 1}}}}}})J";
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

TEST(LoadLinkages, Loads) {
  const Scene scene = loaded(armText(R"J("loads": [{"force": [0,0,"=t"], "at": "arm", "share": true}, {"follower": [1,0,0], "at": "arm/limb@0.5"},
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

TEST(LoadLinkages, ProbesAndTheirColumns) {
  const Scene scene = loaded(armText(R"J("probes": {"angle": {"jointAngle": "arm/hub"}, "ball": {"jointEffort": "arm/limb"}, "wire": {"cable": "arm/c1"}, "rate": {"cableRate": "arm/c1"},
    "gap": {"distance": ["arm/hub@0", "arm:tip"]}, "pose": {"pose": "arm:tip"}, "E": {"energy": "kinetic", "of": "arm"}, "all": {"energy": "total", "of": "*"}, "push": {"contact": "force", "of": "arm"}},
    "obstacles": {"floor": {"plane": {"point": [0,0,-9], "normal": [0,0,1]}}}, "checks": [{"expect": "ball.q2 == 0 && angle < 1"}])J"));
  EXPECT_EQ(scene.columns, (std::vector<std::string>{"angle", "ball.q0", "ball.q1", "ball.q2", "wire", "rate", "gap", "pose.x", "pose.y", "pose.z", "pose.qw", "pose.qx", "pose.qy",
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

TEST(LoadLinkages, BodiesCountAfterRodsAndShells) {
  const Scene scene = loaded(sceneText(R"J("linkages": {"a": {"links": {"l": {"body": {"rigid": {"mass": 1}}}}}, "b": {"links": {"l": {"body": {"rigid": {"mass": 1}}}}}},
    "obstacles": {"floor": {"plane": {"point": [0,0,-9], "normal": [0,0,1]}}},
    "probes": {"e": {"energy": "total", "of": ["b", "leg0"]}, "f": {"energy": "total", "of": "a*"}, "g": {"contact": "pairs", "of": ["b", "floor"]}})J"));
  EXPECT_EQ(scene.probes.at(0).bodies, (std::vector<int>{1, 4}));
  EXPECT_EQ(scene.probes[1].bodies, (std::vector<int>{0, 3}));
  EXPECT_EQ(scene.probes[2].bodies, (std::vector<int>{4}));
  EXPECT_EQ(scene.bodyOfLinkage(1), 4);
}

TEST(LoadLinkages, InitialValues) {
  const Scene scene = loaded(linksText(R"J(
    "a": {"joint": {"universal": {}}, "body": {"rigid": {"mass": 1}}},
    "b": {"joint": {"free": {}}, "body": {"soft": {"length": 1, "section": {"circle": {"radius": 0.1}}, "strains": {"twist": 1, "bendY": 2, "shearZ": 0}}}},
    "c1": {"joint": {"cylindrical": {"angle": 1}}, "body": {"rigid": {"mass": 1}}},
    "c2": {"joint": {"cylindrical": {"angle": 1}}, "body": {"rigid": {"mass": 1}}})J", "",
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

TEST(LoadLinkages, Integrators) {
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

TEST(LoadLinkages, LiveParametersAreThoseThatTheModelTakesWhileItRuns) {
  const Scene scene = loaded(R"J({"format": "tendril/1", "parameters": {"E": 1e6, "T": 1, "k": 1, "turn": 1, "curve": 1, "cd": 1, "m": 1, "L": 1, "r": 0.1, "d": 0.01, "order": 2, "shift": 0.1, "at": 0.5},
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

TEST(LoadLinkages, Warnings) {
  const auto warnings = [](const std::string& more) { return warningsOf(loaded(armText(more))); };
  EXPECT_EQ(warnings(""), "");
  EXPECT_EQ(warnings(R"J("solver": {"integrator": "generalized-alpha", "rho": 0.8})J"), "");
  EXPECT_NE(warnings(R"J("solver": {"integrator": "bdf2", "rho": 0.8})J").find("\"rho\" belongs to \"generalized-alpha\""), std::string::npos);
  EXPECT_NE(warnings(R"J("solver": {"mode": "static"}, "initial": [{"of": "arm/limb", "bendYRate": 1}])J").find("initial velocities have no effect"), std::string::npos);
  EXPECT_EQ(warnings(R"J("solver": {"mode": "static"}, "initial": [{"of": "arm/limb", "bendY": 1}])J"), "");
  const std::string linkages = R"J("linkages": {"a": {"links": {"l": {"body": {"rigid": {"mass": 1}}}}}})J";
  const std::string beside = warningsOf(loaded(sceneText(linkages + R"J(, "solver": {"integrator": "generalized-alpha"})J")));
  EXPECT_NE(beside.find("side by side with rods and shells, without touching"), std::string::npos);
  EXPECT_NE(beside.find("rods and shells run \"implicit-euler\""), std::string::npos);
  EXPECT_NE(warningsOf(loaded(linksText(R"J("a": {"body": {"rigid": {"mass": 1}}})J"))).find("material \"rubber\" is not used"), std::string::npos);
}

TEST(LoadLinkages, DrivenCoordinatesThatJumpAreTold) {
  const auto warnings = [](const std::string& joint, const std::string& more = "") {
    return warningsOf(loaded(R"J({"format": "tendril/1", "linkages": {"arm": {"links": {"a": {"joint": )J" + joint + R"J(, "body": {"rigid": {"mass": 1, "inertia": [1,1,1]}}}}}})J" + more + "}"));
  };
  const std::string jump = warnings(R"J({"revolute": {"angle": "=0.5*step(t - 3)"}})J");
  EXPECT_NE(jump.find("the driven coordinate of \"a\" jumps by 0.5 rad at 3 s"), std::string::npos) << jump;
  EXPECT_NE(jump.find("/linkages/arm/links/a/joint/revolute/angle"), std::string::npos) << jump;
  EXPECT_NE(warnings(R"J({"prismatic": {"displacement": "=t < 0.123 ? 0 : 1e-3 + t"}})J").find("jumps by 0.124 m at 0.123 s"), std::string::npos);
  const std::string second = warnings(R"J({"universal": {"angle": ["=sin(t)", "=sin(100*t) + 0.2*step(t - 5.5)"]}})J");
  EXPECT_NE(second.find("rad at 5.5 s"), std::string::npos) << second;
  EXPECT_NE(second.find("angle/1"), std::string::npos) << second;
  EXPECT_NE(warnings(R"J({"revolute": {"angle": "=p(t)"}})J", R"J(, "series": {"p": {"time": [0, 1], "value": [0, 1], "interpolation": "step"}})J").size(), 0u);
  EXPECT_NE(warnings(R"J({"prismatic": {"displacement": "=0.1*speed"}})J", R"J(, "probes": {"speed": {"speed": "arm:tip"}})J").find("sees probes or states"), std::string::npos);
  // What is steep, or has corners, does not jump.
  for (const char* angle : {"=100*t", "=ramp(t, 3, 3.0001)", "=smooth(t, 1, 2)", "=sin(300*t)", "=abs(t - 2)", "=sqrt(t)", "=1", "=exp(t)", "=tanh(1e4*(t - 3))", "=mod(t, 100)"})
    EXPECT_EQ(warnings(std::string("{\"revolute\": {\"angle\": \"") + angle + "\"}}"), "") << angle;
  // After the run it may do what it likes; a static run has no time.
  EXPECT_EQ(warnings(R"J({"revolute": {"angle": "=step(t - 11)"}})J"), "");
  EXPECT_EQ(warnings(R"J({"revolute": {"angle": "=step(t - 0.5)"}})J", R"J(, "solver": {"mode": "static"})J"), "");
  EXPECT_EQ(warnings(R"J({"revolute": {"torque": "=step(t - 3)"}})J"), "");
}

TEST(LoadLinkages, RepeatDefaultsAndExpansion) {
  const std::string text = R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1, "density": 1}}, "defaults": {"linkages": {"base": {"position": [0, 0, 1]}}},
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

}  // namespace
}  // namespace tendril
