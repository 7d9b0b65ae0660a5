// Linkages of a scene in their typed form: bases, links with joints and bodies, cables and loops.
#include <cmath>

#include "scene_text.h"

namespace tendril::scene {
namespace load_linkages_test {

using Kind = LinkJoint::Kind;

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
  const Scene scene = loaded(
      R"J({"format": "tendril/1", "materials": {"silicone": {"youngs": 1e6, "density": 1000}}, "linkages": {"arm": {
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
  EXPECT_EQ(soft.basis, geometry::StrainBasis::legendre);
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
  const auto base = [](const std::string& text) {
    return armOf(R"J("a": {"body": {"rigid": {"mass": 1}}})J", "\"base\": " + text);
  };
  Mat3 wanted;
  wanted << 0, 0, 1, 0, -1, 0, 1, 0, 0;  // x up; z, which cannot point up, along the world's x
  EXPECT_TRUE(base(R"J({"forward": [0,0,2]})J").rotation.isApprox(wanted));
  wanted << 0, -1, 0, 1, 0, 0, 0, 0, 1;
  const Linkage turned = base(R"J({"forward": [0,3,0], "up": [0,1,1], "position": [1,2,3]})J");
  EXPECT_TRUE(turned.rotation.isApprox(wanted));
  EXPECT_EQ(turned.position, Vec3(1, 2, 3));
  EXPECT_NEAR(turned.rotation.determinant(), 1, 1e-15);
  EXPECT_TRUE(base(R"J({"forward": [0,1e300,0], "up": [0,1e-300,1e-300]})J").rotation.isApprox(wanted))
      << "a direction has no size";
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
  const LinkJoint piston = jointOf(
      R"J({"cylindrical": {"axis": "z", "angle": "=t", "force": 7, "stiffness": [1, 2], "rest": [0.1, 0.2]}})J");
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
  const auto body = [](const std::string& text) {
    return *armOf(R"J("a": {"body": {"rigid": )J" + text + "}}").links.at(0).rigid;
  };
  const RigidBody massless = body(R"J({"length": 0.5})J");
  EXPECT_FALSE(massless.section || massless.mass);
  EXPECT_EQ(massless.length, 0.5);
  const RigidBody ball = body(R"J({"mass": 2, "inertia": [1, 2, 3], "center": [0, 0.1, 0]})J");
  EXPECT_EQ(ball.length, 0);
  EXPECT_EQ(valueOf({}, *ball.mass), 2);
  EXPECT_EQ(valueOf({}, ball.inertia[2]), 3);
  EXPECT_EQ(ball.center, Vec3(0, 0.1, 0));
  const RigidBody drawn =
      body(R"J({"mass": 2, "length": 1, "section": {"rectangle": {"width": 0.1, "height": 0.2}}})J");
  ASSERT_TRUE(drawn.section);
  EXPECT_EQ(drawn.section->kind, Section::Kind::rectangle);
  EXPECT_EQ(drawn.center, Vec3(0.5, 0, 0));
}

TEST(LoadLinkages, PointsFollowTheFunctions) {
  const auto points = [](const std::string& basis, int order) {
    return softOf("{\"length\": 1, \"section\": {\"circle\": {\"radius\": 0.1}}, \"basis\": \"" + basis +
                  "\", \"strains\": {\"bendY\": 1, \"bendZ\": " + std::to_string(order) + "}}")
        .soft.at(0)
        .points;
  };
  EXPECT_EQ(points("legendre", 3), 5);
  EXPECT_EQ(points("monomial", 8), 9);
  EXPECT_EQ(points("fourier", 1), 5);
  EXPECT_EQ(points("fourier", 3), 12);
  EXPECT_EQ(points("inverse-multiquadric", 6), 7);
}

TEST(LoadLinkages, Divisions) {
  const Link link = softOf(
      R"J({"length": 1, "section": {"circle": {"radius": "=0.1*(2 - u)"}}, "strains": {"bendY": 2}, "magnus": 6, "substeps": 2, "natural": {"bendY": "=s"},
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
  EXPECT_EQ(link.soft[2].basis, geometry::StrainBasis::fem);
  EXPECT_EQ(link.soft[2].points, 3);
  EXPECT_EQ(link.soft[2].magnus, 2);
  EXPECT_EQ(link.soft[2].section.kind, Section::Kind::ellipse);
  EXPECT_EQ(valueOf({}, link.soft[1].natural[1], 0, 0.5, 0.3), 0.15);
  EXPECT_EQ(link.soft[2].pointer, "/linkages/arm/links/a/body/soft/divisions/2");
}

TEST(LoadLinkages, ExplicitStiffnessNeedsNoMaterial) {
  const Link link = softOf(
      R"J({"length": 1, "section": {"stiffness": {"EA": 1, "EI1": 2, "EI2": 3, "GJ": 4}, "massPerLength": 5, "radius": 6}, "strains": {"bendY": 0}})J");
  EXPECT_EQ(link.soft.at(0).material, -1);
  EXPECT_EQ(valueOf({}, link.soft[0].section.EI2), 3);
  EXPECT_EQ(valueOf({}, link.soft[0].section.radius), 6);
}

TEST(LoadLinkages, CablesAndLoops) {
  const Linkage arm = armOf(R"J(
    "a": {"body": {"rigid": {"length": 1, "section": {"circle": {"radius": 1}}, "density": 1}}},
    "b": {"body": {"soft": {"length": 1, "section": {"circle": {"radius": 1}}, "strains": {"bendY": 0}}}})J",
                            R"J(
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
  const Scene scene = loaded(
      linksText(R"J(
    "a": {"body": {"rigid": {"mass": 1}}, "fluid": {"added": 0.6, "drag": "=cd"}},
    "b": {"body": {"rigid": {"mass": 1}}, "look": {"color": "#123", "label": "B"}})J",
                R"J("look": {"color": "#3a7", "opacity": 0.5})J",
                R"J("parameters": {"cd": 1.1}, "environment": {"fluid": {"density": 1000, "velocity": [1,0,0]}})J"));
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

}  // namespace load_linkages_test
}  // namespace tendril::scene
