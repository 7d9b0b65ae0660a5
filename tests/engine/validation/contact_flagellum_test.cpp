// The helical tail of scenes/flagellum.json, stiff and turned in place: thrust and torque converge to those of a rigid
// helix by Gray and Hancock's resistive-force theory, with the second order in the edge's length.
#include <gtest/gtest.h>

#include "engine/simulation/run_scene.h"
#include "engine/validation/statics_run.h"

namespace tendril {
namespace contact_flagellum_test {

using namespace test;

TEST(ContactFlagellum, ThrustAndTorqueOfATurningHelixConvergeToTheory) {
  std::string text = replaced(sceneFile("flagellum"), R"("duration": 5)", R"("duration": 1.5)");
  const double radius = 0.01, pitch = 0.04, along = 0.3, across = 0.6, omega = 2 * pi * 2;
  const double arc = std::hypot(pitch, 2 * pi * radius), sine = 2 * pi * radius / arc, cosine = pitch / arc;
  const double thrust = (across - along) * sine * cosine * omega * radius * 4 * arc;
  const double torque = omega * radius * (across * cosine * cosine + along * sine * sine) * radius * 4 * arc;
  double thrustBefore = 0, torqueBefore = 0;
  for (const double perTurn : {10, 20, 40}) {
    // Short steps: backward differences of a turning motion are late by a part of the step.
    Simulation sim(text, {{"motor", 0}, {"E", 3e8}, {"dt", 1e-3}, {"perTurn", perTurn}});
    runToEnd(sim);
    const double thrustError = std::abs(-column(sim, "root.x") / thrust - 1);
    const double torqueError = std::abs(column(sim, "effort") / torque - 1);
    if (thrustBefore > 0) {
      EXPECT_NEAR(order(thrustBefore, thrustError), 2, 0.1) << perTurn;
      EXPECT_NEAR(order(torqueBefore, torqueError), 2, 0.2) << perTurn;
    }
    thrustBefore = thrustError, torqueBefore = torqueError;
  }
  EXPECT_LT(thrustBefore, 5e-3);
  EXPECT_LT(torqueBefore, 5e-3);
}

}  // namespace contact_flagellum_test
}  // namespace tendril
