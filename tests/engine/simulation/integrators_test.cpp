// Every integrator on a soft rod that swings far and twists: its order in the time step, and the same limit for all;
// the stable step of the explicit ones.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/simulation/run_scene.h"

namespace tendril {
namespace integrators_test {

using test::column;
using test::digits;
using test::filled;

// Soft and coarse, so that explicit steps of milliseconds are stable; naturally bent and twisted out of the plane.
const char* const swinging = R"J({"format": "tendril/1",
"parameters": {"g": {"value": 9.81, "min": 0, "max": 20}},
"materials": {"rubber": {"youngs": 1e5, "poisson": 0.4, "density": 1000, "damping": $eta}},
"rods": {"rod": {"section": {"rectangle": {"width": 0.03, "height": 0.02}}, "segments": 6,
                 "path": {"line": {"from": [0, 0, 0], "to": [0.5, 0, 0]}},
                 "natural": {"curvature": [0.5, "=2*u"], "twist": 1}}},
"constraints": [{"clamp": "rod:first"}],
"environment": {"gravity": [0, "=0.2*g", "=-g"]},
"solver": {"integrator": "$integrator", "dt": $dt, "duration": 0.4, "tolerance": 1e-12},
"probes": {"tip": {"position": "rod:last"}}})J";

std::vector<double> shape(const std::string& integrator, double dt, double eta = 0) {
  Simulation sim(filled(swinging, {{"integrator", integrator}, {"dt", digits(dt)}, {"eta", digits(eta)}}));
  const Progress p = test::runToEnd(sim);
  EXPECT_EQ(p.retries, 0) << integrator;
  return test::allNodes(sim);
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

struct Expected {
  const char* integrator;
  double dt, order, dampedOrder;
};

class Integrators : public ::testing::TestWithParam<Expected> {};

TEST_P(Integrators, ConvergesWithItsOrderToTheSameMotion) {
  const Expected& e = GetParam();
  const auto exact = shape("verlet", 2.5e-5);
  const double coarse = distance(shape(e.integrator, e.dt), exact),
               fine = distance(shape(e.integrator, e.dt / 2), exact);
  EXPECT_NEAR(std::log2(coarse / fine), e.order, 0.1) << coarse << " " << fine;
  EXPECT_LT(fine, 0.02);
  EXPECT_GT(fine, 1e-7);
}

// Verlet takes the rates of strain by backward differences: order one.
TEST_P(Integrators, ConvergesWithItsOrderUnderMaterialDamping) {
  const Expected& e = GetParam();
  const double eta = 300;
  const auto exact = shape("bdf2", 2.5e-5, eta);
  const double coarse = distance(shape(e.integrator, e.dt, eta), exact);
  const double fine = distance(shape(e.integrator, e.dt / 2, eta), exact);
  EXPECT_NEAR(std::log2(coarse / fine), e.dampedOrder, 0.15) << coarse << " " << fine;
  EXPECT_GT(fine, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(All, Integrators,
                         ::testing::Values(Expected{"implicit-euler", 4e-4, 1, 1},
                                           Expected{"implicit-midpoint", 2e-3, 2, 2}, Expected{"bdf2", 1e-3, 2, 2},
                                           Expected{"symplectic-euler", 4e-4, 1, 1}, Expected{"verlet", 8e-4, 2, 1}),
                         [](const auto& info) {
                           std::string name = info.param.integrator;
                           name.erase(std::remove(name.begin(), name.end(), '-'), name.end());
                           return name;
                         });

// A stretched chain: the highest mode has omega close to 2 c / l, with c = sqrt(E / rho), so the limit is l / c.
TEST(ExplicitStep, IsEstimatedWithinAFactorOfTheTrueLimitAndATooLongOneRefused) {
  const std::string text = R"J({"format": "tendril/1",
"materials": {"rubber": {"youngs": 1e6, "poisson": 0.4, "density": 1000}},
"rods": {"rod": {"section": {"circle": {"radius": 2e-3}}, "segments": 20,
                 "path": {"line": {"from": [0, 0, 0], "to": [1, 0, 0]}}}},
"constraints": [{"clamp": "rod:first"}],
"initial": [{"of": "rod", "velocity": ["=0.01*sin(50*u)", "=0.01*u", 0]}],
"solver": {"integrator": "$integrator", "dt": $dt, "duration": 2},
"probes": {"energy": {"energy": "total"}}})J";
  const double limit = 0.05 / std::sqrt(1e6 / 1000);
  for (const char* integrator : {"verlet", "symplectic-euler"}) {
    double named = 0;
    try {
      Simulation sim(filled(text, {{"integrator", integrator}, {"dt", "0.01"}}));
      ADD_FAILURE() << "a step of 0.01 s was taken";
    } catch (const BadScene& bad) {
      ASSERT_EQ(bad.problems.size(), 1u);
      EXPECT_EQ(bad.problems[0].pointer, "/solver/dt");
      const std::string& message = bad.problems[0].message;
      const auto at = message.find("stable step is ");
      ASSERT_NE(at, std::string::npos) << message;
      named = std::stod(message.substr(at + 15));
    }
    EXPECT_GT(named, 0.5 * limit);
    EXPECT_LT(named, 1.02 * limit);
    // The step that the message names works: near the limit the energy sways by a factor, but it stays bounded.
    Simulation sim(filled(text, {{"integrator", integrator}, {"dt", digits(0.95 * named)}}));
    const double start = column(sim, "energy");
    test::runToEnd(sim);
    EXPECT_LT(column(sim, "energy"), 10 * start);
  }
}

// Drag that grows with the velocity bounds an explicit step, whichever way it is told.
TEST(Integrators, TheStableStepCountsEveryDrag) {
  const auto refusal = [](const std::string& drag) -> std::string {
    try {
      Simulation sim(filled(
          R"({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "density": 1000}}, "rods": {"a": {"section": {"circle":
        {"radius": 0.003}}, "segments": 5, "path": {"line": {"from": [0, 0, 0], "to": [0.1, 0, 0]}}}}, "environment": {$drag},
        "initial": [{"of": "a", "velocity": [0, 0, 0.1]}], "solver": {"integrator": "verlet", "dt": 5e-5, "duration": 0.01}})",
          {{"drag", drag}}));
      return "";
    } catch (const BadScene& bad) {
      return bad.problems[0].message;
    }
  };
  const std::string resistive = refusal(R"("rft": {"tangential": 5000, "normal": 5000})");
  EXPECT_NE(resistive.find("too long for an explicit integrator"), std::string::npos) << resistive;
  EXPECT_EQ(resistive, refusal(R"("viscous": 5000)"));
  EXPECT_EQ(refusal(R"("rft": {"tangential": 0.5, "normal": 1})"), "");
}

}  // namespace integrators_test
}  // namespace tendril
