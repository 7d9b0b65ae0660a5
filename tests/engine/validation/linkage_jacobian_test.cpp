// The whole assembled system of linkages with everything on at once: its tangent against differences of its residual at
// random, strongly deformed, moving states.
#include "engine/links/tangent_differences.h"
#include "engine/validation/linkage_cases.h"

namespace tendril {
namespace linkage_jacobian_test {

using namespace test;

// A tree with a joint of every kind, springs and dampers, soft links in several bases with all modes, tendons inside,
// outside and through joints, a closed loop, loads of every kind, a medium with drag, lift and added mass, and
// obstacles whose skins reach far.
const char* const everything = R"({
  "format": "tendril/1",
  "materials": {"rubber": {"youngs": 1e5, "poisson": 0.4, "density": 1100, "damping": 200}},
  "linkages": {
    "tree": {
      "base": {"position": [0.1, -0.2, 0.3], "forward": [1, 0.3, 0.2]},
      "links": {
        "root": {"joint": {"free": {"stiffness": [0.3, 2], "damping": [0.02, 0.1], "torque": [0.1, 0, "=0.1*t"], "force": [0, 0.2, 0]}},
          "body": {"rigid": {"length": 0.2, "section": {"circle": {"radius": 0.03}}, "density": 800}}, "fluid": {"added": 0.5, "drag": 1, "lift": 0.2}},
        "hinge": {"joint": {"revolute": {"axis": "y", "stiffness": 0.4, "damping": 0.03, "rest": 0.2}},
          "body": {"soft": {"length": 0.4, "section": {"circle": {"radius": "=0.03 - 0.01*u"}}, "natural": {"bendZ": 0.5, "twist": 0.3},
            "strains": {"twist": 2, "bendY": 3, "bendZ": 3, "stretch": 1, "shearY": 1, "shearZ": 1}}}, "fluid": {"added": 0.6, "drag": 1.1, "lift": -0.1}},
        "ball": {"joint": {"spherical": {"stiffness": 0.2, "damping": 0.01, "torque": [0, 0.05, 0.02]}},
          "body": {"soft": {"length": 0.3, "section": {"ellipse": {"a": 0.02, "b": 0.015}}, "basis": "monomial", "magnus": 6, "substeps": 2,
            "strains": {"twist": 1, "bendY": 1, "bendZ": 1}}}, "fluid": {"drag": 0.8}},
        "screw": {"parent": "hinge", "joint": {"helical": {"axis": "x", "pitch": 0.05, "stiffness": 0.1, "torque": 0.02}},
          "body": {"rigid": {"length": 0.1, "mass": 0.1, "inertia": [1e-4, 2e-4, 3e-4], "center": [0.04, 0.01, -0.01]}}},
        "cross": {"joint": {"universal": {"axis": "x", "stiffness": [0.1, 0.2], "damping": 0.01}},
          "body": {"soft": {"length": 0.2, "section": {"rectangle": {"width": 0.02, "height": 0.015}}, "basis": "fourier", "magnus": 2,
            "strains": {"twist": 0, "bendY": 1, "bendZ": 1}}}},
        "slide": {"parent": "root@0.5", "offset": {"position": [0, 0.05, 0], "rotation": {"axis": [0, 0, 1], "angle": 1}},
          "joint": {"prismatic": {"axis": "x", "stiffness": 5, "damping": 0.1, "force": 0.1}},
          "body": {"rigid": {"length": 0.1, "mass": 0.1, "inertia": [1e-4, 1e-4, 1e-4]}}},
        "drum": {"joint": {"cylindrical": {"axis": "z", "stiffness": [0.1, 3]}},
          "body": {"rigid": {"length": 0.1, "mass": 0.2, "inertia": [1e-4, 1e-4, 1e-4]}}},
        "table": {"parent": "ball@0.4", "joint": {"planar": {"axis": "z", "stiffness": [0.1, 4], "torque": 0.01, "force": [0.1, -0.1]}},
          "body": {"rigid": {"length": 0.1, "mass": 0.2, "inertia": [1e-4, 2e-4, 1e-4]}}},
        "arch": {"parent": "root", "offset": {"position": [0, -0.05, 0]},
          "body": {"soft": {"length": 0.3, "section": {"circle": {"radius": 0.01}}, "basis": "fem", "strains": {"twist": 2, "bendY": 3, "bendZ": 3, "stretch": 2}}}},
        "link": {"joint": {"revolute": {"axis": "z"}}, "body": {"rigid": {"length": 0.15, "mass": 0.1, "inertia": [1e-4, 1e-4, 1e-4]}}}
      },
      "cables": {
        "inside": {"through": "hinge", "path": {"helical": {"radius": 0.015, "pitch": 0.2}}, "tension": 3},
        "through": {"through": ["root", "hinge", "ball"], "path": {"oblique": {"from": [0.02, 0.01], "to": [0, -0.01]}}, "tension": 2},
        "outside": {"through": ["hinge", "ball"], "outside": true, "path": {"constant": [-0.01, 0.03]}, "tension": -1.5}
      },
      "loops": [{"from": "link", "to": "screw", "joint": {"spherical": {}}}]
    },
    "other": {"base": {"position": [0, 0.5, 0]}, "links": {"rod": {"body": {"soft": {"length": 0.3, "section": {"circle": {"radius": 0.01}},
      "basis": "gaussian", "strains": {"bendY": 2, "bendZ": 2}}}}}}
  },
  "loads": [{"force": [0.3, -0.2, 0.5], "at": "tree/hinge@0.35"}, {"follower": [0.1, 0.4, 0.2], "at": "tree/ball:tip"},
    {"moment": [0.02, 0.05, -0.03], "at": "tree/cross:tip"}, {"mass": 0.05, "at": "tree/hinge@0.8"}, {"follower": [0, 0, 0.2], "at": "other:tip"}],
  "environment": {"gravity": [1, 2, -9.81], "fluid": {"density": 500}, "buoyancy": true, "viscous": 0.05},
  "obstacles": {"floor": {"plane": {"point": [0, 0, -0.6], "normal": [0, 0, 1]}},
    "ball": {"sphere": {"center": [0.6, 0.5, 0.4], "radius": 0.1}},
    "beam": {"capsule": {"from": [0.5, -0.6, -0.2], "to": [0.9, -0.2, 0.8], "radius": 0.05}}},
  "contact": {"stiffness": 2, "distance": 0.5, "friction": 0.4, "slip": 0.5, "damping": 0.02},
  "solver": {"dt": 1e-3, "duration": 1, "integrator": "implicit-euler"}
})";

/// Largest column error of the tangent over its norm. The differences carry 3e-9 of round-off and truncation, which
/// changes with their width as it must.
double tangentError(links::System& system, const VectorX& q, const VectorX& v, const VectorX& a,
                    const solve::Rates& rates) {
  const TangentPair pair = tangentAndDifferences(system, q, v, a, rates, 2e-4);
  double worst = 0;
  for (int k = 0; k < system.size(); ++k) {
    const VectorX slope = pair.differences.col(k);
    worst = std::max(worst, (pair.tangent.col(k) - slope).norm() / (slope.norm() + 1e-3 * pair.tangent.norm()));
  }
  return worst;
}

TEST(LinkageJacobian, HoldsWithEverythingOn) {
  LinkageCase c(everything);
  c.run(3);  // friction and normal damping are prepared by steps
  ASSERT_EQ(c.system().closures().size(), 3u);
  std::mt19937 random(11);
  double resting = 0;
  for (int round = 0; round < 6; ++round) {
    const int n = c.size();
    const VectorX q = c.q() + randomState(random, n, 0.8), v = randomState(random, n, 1), a = randomState(random, n, 3);
    EXPECT_LT(tangentError(c.system(), q, v, a, {}), 1e-8) << "statics, round " << round;
    EXPECT_LT(tangentError(c.system(), q, v, a, {20, 400}), 1e-8) << "dynamics, round " << round;
    resting = std::max(resting, c.residual(q).norm());
  }
  EXPECT_GT(resting, 1);
}

// Contact, tendons, springs, loops, fluid and loads do act in those states: without each, the residual is another.
TEST(LinkageJacobian, EverythingActs) {
  LinkageCase c(everything);
  c.run(3);
  std::mt19937 random(12);
  const int n = c.size();
  const VectorX q = c.q() + randomState(random, n, 0.8), v = randomState(random, n, 1), a = randomState(random, n, 3);
  links::System& system = c.system();
  const VectorX whole = c.residual(q, v, a);
  const auto changes = [&](const char* what) { EXPECT_GT((c.residual(q, v, a) - whole).norm(), 1e-3) << what; };
  ASSERT_EQ(system.forces.size(), 3u);  // contact, fluid, pointer
  for (int i = 0; i < 2; ++i) {
    links::ChainForce* force = system.forces[static_cast<std::size_t>(i)];
    system.forces.erase(system.forces.begin() + i);
    changes(i == 0 ? "contact" : "fluid");
    system.forces.insert(system.forces.begin() + i, force);
  }
  for (links::Tendon& tendon : system.tendons) {
    const double tension = tendon.tension;
    EXPECT_NE(tension, 0);
    tendon.tension = 0;
    changes("tendon");
    tendon.tension = tension;
  }
  for (links::PoseSpring& spring : system.springs) {
    const links::PoseSpring before = spring;
    spring.rotation = spring.translation = 0, spring.effort.setZero();
    changes("spring");
    spring = before;
  }
  for (links::PointWrench& load : system.wrenches) {
    const links::PointWrench before = load;
    load.wrench.setZero();
    changes("load");
    load = before;
  }
  VectorX loose = q;
  loose.tail(3).setZero();
  EXPECT_GT((c.residual(loose, v, a) - whole).norm(), 1e-3) << "loop";
}

}  // namespace linkage_jacobian_test
}  // namespace tendril
