// Linkages in a medium through the door: terminal speed with buoyancy, rigid and soft, and a stream that bends an arm.
#include <gtest/gtest.h>

#include "engine/simulation/run_scene.h"

namespace tendril {
namespace {

using namespace test;

// 0.3 m long, 10 mm thick in radius, 2000 kg/m^3, falling across itself in water.
std::string sinking(const std::string& body, const std::string& more) {
  return R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e9, "poisson": 0.3, "density": 2000}},
    "linkages": {"l": {"base": {"position": [0, 0, 0]}, "links": {"stick": {"joint": {"prismatic": {"axis": "z"}},
      "body": )J" + body + R"J(, "fluid": {"drag": 1.1, "added": 0.6}}}}},
    "environment": {"gravity": [0, 0, -9.81], "fluid": {"density": 1000)J" + more + R"J(}, "buoyancy": true},
    "solver": {"dt": 1e-2, "duration": 5}, "probes": {"v": {"velocity": "l/stick:tip"}}})J";
}

const char* const rigidStick = R"J({"rigid": {"length": 0.3, "section": {"circle": {"radius": 0.01}}, "density": 2000}})J";
const char* const softStick = R"J({"soft": {"length": 0.3, "section": {"circle": {"radius": 0.01}}, "material": "m", "strains": {"bendY": 1}}})J";

TEST(LinkageFluidScene, RigidAndSoftLinksSinkAtTheTerminalSpeed) {
  // m g (1 - rho_w / rho) = rho_w r L drag v^2.
  const double speed = std::sqrt(pi * 1e-4 * 1000 * 9.81 / (1000 * 0.01 * 1.1));
  for (const char* body : {rigidStick, softStick}) {
    Simulation still(sinking(body, "")), stream(sinking(body, R"J(, "velocity": [0, 0, 0.2])J"));
    runToEnd(still);
    runToEnd(stream);
    EXPECT_NEAR(column(still, "v.z"), -speed, 1e-5 * speed) << body;
    EXPECT_NEAR(column(stream, "v.z"), 0.2 - speed, 1e-5 * speed) << body;
  }
}

// Added mass and buoyancy at the start: (m - m_w) g / (m + added m_w) = 9.81 (2000 - 1000) / (2000 + 600).
TEST(LinkageFluidScene, TheFallBeginsWithTheMassOfTheWaterMoved) {
  for (const char* body : {rigidStick, softStick}) {
    Simulation sim(sinking(body, ""));
    sim.advance(0.01);
    EXPECT_NEAR(column(sim, "v.z"), -9.81 * 1000 / 2600 * 0.01, 5e-3 * 0.04) << body;
  }
}

// A stiff arm across a steady stream turns on its sprung hinge by the moment of its drag.
TEST(LinkageFluidScene, AStreamHoldsASprungArm) {
  for (const char* solver : {R"J({"mode": "static"})J", R"J({"dt": 0.02, "duration": 20})J"}) {
    Simulation sim(std::string(R"J({"format": "tendril/1", "linkages": {"l": {"links": {"stick": {
      "joint": {"revolute": {"axis": "z", "stiffness": 200, "damping": 20}},
      "body": {"rigid": {"length": 0.3, "section": {"circle": {"radius": 0.01}}, "density": 2000}}, "fluid": {"drag": 1.1}}}}},
      "environment": {"fluid": {"density": 1000, "velocity": [0, 0.5, 0]}}, "solver": )J") + solver +
      R"J(, "probes": {"q": {"jointAngle": "l/stick"}}})J");
    runToEnd(sim);
    const double q = column(sim, "q");
    // |v| and the part across v cos q: moment rho r drag v^2 cos q L^2 / 2.
    EXPECT_NEAR(200 * q, 1000 * 0.01 * 1.1 * 0.25 * std::cos(q) * 0.045, 1e-6) << solver;
    EXPECT_GT(q, 5e-4);
  }
}

}  // namespace
}  // namespace tendril
