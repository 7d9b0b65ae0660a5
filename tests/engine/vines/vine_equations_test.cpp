// The equations of motion of vines: matrices against differences of the motion itself, modes against theory, the state
// space against runs.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "engine/simulation/run_scene.h"
#include "engine/vines/chains.h"
#include "model/equations.h"
#include "simulation/inside.h"
#include "simulation/side_by_side.h"
#include "tendril/machine.h"
#include "vines/joints.h"

namespace tendril::vines {
namespace vine_equations_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::digits;
using test::filled;
using test::runToEnd;
using test::vectorColumn;

MatrixXd dense(const SparseMatrix& m) {
  MatrixXd out = MatrixXd::Zero(m.rows, m.columns);
  for (std::size_t i = 0; i < m.value.size(); ++i) out(m.row[i], m.column[i]) += m.value[i];
  return out;
}

model::Model& modelOf(Simulation& sim) { return *Inside::modelIn(sim).parts().front().model; }

model::Equations equationsOf(Simulation& sim) {
  model::Equations out;
  modelOf(sim).equations(out);
  return out;
}

/// Two vines under all that acts on vines, wrinkled and not.
std::string busy(double dt = 0.002) {
  return filled(R"J({"format": "tendril/1",
    "parameters": {"F": {"value": 0.06, "min": -1, "max": 1}},
    "environment": {"gravity": [0.5, 0.3, -3]},
    "vines": {
      "v": {"bodies": 8, "length": 0.4, "diameter": 0.02, "massPerLength": 0.05, "bendingStiffness": 0.004, "bendingDamping": 2e-4, "pressure": 600,
        "plane": "xz", "heading": 0.35, "curvature": "=2 + sin(3*i)", "steer": "=0.002*cos(i)"},
      "w": {"bodies": 6, "length": 0.3, "diameter": 0.02, "mass": 0.004, "stiffness": 0.03, "damping": 3e-4, "base": [1, 0, 0]}},
    "loads": [{"force": [0.01, 0, "=F"], "at": "v:tip"}, {"force": [0.02, "=-F", 0], "at": "w:tip"},
      {"line": ["=-0.3*vx*abs(vx) + 0.1*vz", 0, "=-0.1*vz - 2*(z - Z)*x + 0.05*tx"], "on": "v"},
      {"potential": "=1.5*(z - Z)^2*x + 0.004*tx*z", "on": "v", "per": "length"},
      {"force": ["=0.2*vy", "=-0.3*y*x", 0], "at": "w:tip"}],
    "probes": {"tip": {"position": "v:tip"}, "speed": {"velocity": "w:tip"}, "turn": {"tangent": "v:tip"}, "push": {"growthForce": "w"}},
    "solver": {"dt": $dt, "duration": 2}})J",
                {{"dt", digits(dt)}});
}

// In the chart of unknowns that are free: what accelerations of these do where their places and rates change.
TEST(VineEquations, MatricesAreTheDerivativesOfTheMotion) {
  Simulation sim(busy());
  sim.advance(0.15);
  const model::Equations e = equationsOf(sim);
  const int n = e.size(), r = e.freedoms();
  ASSERT_EQ(n, 42);
  ASSERT_EQ(r, 7);
  EXPECT_GT(e.rates.cwiseAbs().maxCoeff(), 0.5) << "it moves";
  EXPECT_FALSE(e.potential);
  std::vector<int> own;
  for (const std::string& name : e.motionNames)
    own.push_back(static_cast<int>(std::find(e.names.begin(), e.names.end(), name) - e.names.begin()));
  const MatrixXd Z = e.motions, M = Z.transpose() * MatrixXd(e.mass) * Z;
  EXPECT_EQ((Z(own, Eigen::all) - MatrixXd::Identity(r, r)).norm(), 0);
  const VectorXd a0 = e.accelerations(own), f = Z.transpose() * e.forces;
  EXPECT_LT((M * a0 - f).norm(), 1e-10 * f.norm()) << "f is what accelerates the state itself";
  MatrixXd byPlace(r, r), byRate(r, r);
  for (const bool rates : {false, true}) {
    for (int c = 0; c < r; ++c) {
      const auto at = [&](double h) {
        Simulation moved = Inside::copyOf(sim);
        modelOf(moved).displace({rates ? VectorXd(VectorXd::Zero(n)) : VectorXd(h * Z.col(c)),
                                 rates ? VectorXd(e.rates + h * Z.col(c)) : e.rates, VectorXd::Zero(n)});
        return VectorXd(equationsOf(moved).accelerations(own));
      };
      const double h = 2e-4;
      (rates ? byRate : byPlace).col(c) = (8 * (at(h) - at(-h)) - at(2 * h) + at(-2 * h)) / (12 * h);
    }
  }
  const MatrixXd K = Z.transpose() * MatrixXd(e.stiffness) * Z, D = Z.transpose() * MatrixXd(e.damping) * Z;
  EXPECT_GT(D.cwiseAbs().maxCoeff(), 1e-4);
  EXPECT_LT((K + M * byPlace).cwiseAbs().maxCoeff(), 1e-7 * K.cwiseAbs().maxCoeff());
  EXPECT_LT((D + M * byRate).cwiseAbs().maxCoeff(), 1e-7 * D.cwiseAbs().maxCoeff());
}

TEST(VineEquations, RowsTurnAsTheirDifferences) {
  Chain chain(Parameters::tube(6, 0.3));
  VectorXd v(18), l(15);
  for (int k = 0; k < 18; ++k)
    v[k] = std::sin(5.0 * k + 1), chain.q[static_cast<std::size_t>(k)] += 0.2 * std::cos(3.0 * k);
  for (int k = 0; k < 15; ++k) l[k] = std::cos(7.0 * k);
  const auto moved = [&](double h, const VectorXd& way) {
    Chain out = chain;
    for (int k = 0; k < 18; ++k) out.q[static_cast<std::size_t>(k)] += h * way[k];
    return out;
  };
  const double h = 1e-5;
  const MatrixXd once = (jointRows(moved(h, v)) - jointRows(moved(-h, v))) / (2 * h);
  EXPECT_LT((turnedRows(chain, v) - once).cwiseAbs().maxCoeff(), 1e-9);
  const MatrixXd twice = (turnedRows(moved(h, v), v) - turnedRows(moved(-h, v), v)) / (2 * h);
  EXPECT_LT((twiceTurnedRows(chain, v) - twice).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LT((bentRows(chain, l) * v - once.transpose() * l).cwiseAbs().maxCoeff(), 1e-9);
}

double frequencyOf(const std::string& text, int mode) {
  Simulation sim(text);
  Machine machine(sim);
  return machine.modes(4)[static_cast<std::size_t>(mode)].frequency;
}

// Without rotary inertia, as the theory: of second order in the bodies' length.
TEST(VineEquations, ModesOfACantileverAreEulerAndBernoullis) {
  const double roots[] = {1.87510406871196, 4.69409113297418, 7.85475743823761};
  for (int mode = 0; mode < 3; ++mode) {
    const double theory = roots[mode] * roots[mode] * std::sqrt(0.02 / 0.05) / (0.4 * 0.4) / (2 * pi);
    double error[3];
    for (int k = 0; k < 3; ++k) {
      error[k] =
          frequencyOf(
              filled(
                  R"J({"format": "tendril/1", "vines": {"v": {"bodies": $n, "length": 0.4, "diameter": 1e-5, "massPerLength": 0.05, "bendingStiffness": 0.02}},
        "solver": {"duration": 1}})J",
                  {{"n", std::to_string(20 << k)}}),
              mode) /
              theory -
          1;
    }
    EXPECT_NEAR(error[0] / error[1], 4, 0.4) << mode;
    EXPECT_NEAR(error[1] / error[2], 4, 0.1) << mode;
    const double first = (4 * error[1] - error[0]) / 3, second = (4 * error[2] - error[1]) / 3;
    EXPECT_LT(std::abs((16 * second - first) / 15), 1e-6 * (1 + 10 * mode)) << mode;
  }
}

// A heavy string: its frequencies are half the zeros of J0 times sqrt(g / L).
TEST(VineEquations, AVineWithoutStiffnessHangsAsAString) {
  const double roots[] = {2.404825557695773, 5.520078110286311};
  for (int mode = 0; mode < 2; ++mode) {
    double value[3];
    for (int k = 0; k < 3; ++k) {
      value[k] = frequencyOf(filled(R"J({"format": "tendril/1", "environment": {"gravity": [0, 0, -9.81]},
        "vines": {"v": {"bodies": $n, "length": 0.8, "diameter": 1e-5, "massPerLength": 0.05, "bendingStiffness": 0, "plane": "xz", "heading": "=-pi/2"}},
        "solver": {"duration": 1}})J",
                                    {{"n", std::to_string(20 << k)}}),
                             mode) /
                     (0.5 * roots[mode] * std::sqrt(9.81 / 0.8) / (2 * pi)) -
                 1;
    }
    EXPECT_NEAR(value[1] / value[2], 4, 0.1) << mode;
    const double first = (4 * value[1] - value[0]) / 3, second = (4 * value[2] - value[1]) / 3;
    EXPECT_LT(std::abs((16 * second - first) / 15), 1e-5) << mode;
  }
}

// A small change of a force, as the state space says and as runs of ever shorter steps have it.
TEST(VineEquations, TheStateSpaceIsWhatShortStepsComeTo) {
  const auto text = [](double dt) {
    return filled(R"J({"format": "tendril/1", "parameters": {"F": {"value": 0, "min": -1, "max": 1}},
      "environment": {"gravity": [0, 0, -9.81]},
      "vines": {"v": {"bodies": 6, "length": 0.3, "diameter": 0.02, "massPerLength": 0.05, "bendingStiffness": 0.01, "bendingDamping": 1e-3, "plane": "xz", "heading": "=-pi/2"}},
      "loads": [{"force": ["=F", 0, 0], "at": "v:tip"}, {"line": ["=-0.2*vx", 0, 0], "on": "v"}],
      "probes": {"tip": {"position": "v:tip"}, "speed": {"velocity": "v:tip"}, "push": {"growthForce": "v"}}, "solver": {"dt": $dt, "duration": 1}})J",
                  {{"dt", digits(dt)}});
  };
  const double change = 1e-4, end = 0.2;
  Simulation sim(text(0.001));
  Machine machine(sim);
  const Linearization l = machine.linearize();
  EXPECT_TRUE(l.omitted.empty());
  ASSERT_EQ(l.inputs, std::vector<std::string>{"F"});
  const MatrixXd A = dense(l.space.A), B = dense(l.space.B), C = dense(l.space.C);
  ASSERT_EQ(A.rows(), 6);
  VectorXd x = VectorXd::Zero(6);
  const int parts = 20000;
  const double h = end / parts;
  const MatrixXd one = MatrixXd::Identity(6, 6);
  const Eigen::PartialPivLU<MatrixXd> left(one - 0.5 * h * A);
  for (int k = 0; k < parts; ++k) x = left.solve(x + 0.5 * h * (A * x) + h * B * change);
  const VectorXd said = C * x;
  const auto went = [&](double dt) {
    Simulation run(text(dt));
    EXPECT_TRUE(run.set("F", change));
    run.advance(end);
    VectorXd y(said.size());
    for (int i = 0; i < y.size(); ++i)
      y[i] = run.values()[static_cast<std::size_t>(i)] - l.space.y0[static_cast<std::size_t>(i)];
    return y;
  };
  const VectorXd coarse = went(2e-4), fine = went(1e-4), better = 2 * fine - coarse;
  for (const int i : {0, 3}) {  // along x: the tip's place and speed
    EXPECT_GT(std::abs(said[i]), 1e-6);
    EXPECT_NEAR(better[i] / said[i], 1, 1e-3) << l.outputs[static_cast<std::size_t>(i)];
    EXPECT_NEAR((coarse[i] - said[i]) / (fine[i] - said[i]), 2, 0.1);
  }
  // What growth holds of the weight below its last slide.
  EXPECT_NEAR(l.space.y0[6], -0.5 * 0.05 * 0.1 * 9.81, 1e-10);
}

TEST(VineEquations, ProbesGoWithTheMotion) {
  Simulation sim(busy());
  sim.advance(0.15);
  const model::Equations e = equationsOf(sim);
  Machine machine(sim);
  const MatrixXd C = dense(machine.linearize().space.C);
  ASSERT_EQ(C.cols(), 14);
  const MatrixXd Z = e.motions;
  for (int c = 0; c < 7; ++c) {
    const auto at = [&](double h) {
      Simulation moved = Inside::copyOf(sim);
      modelOf(moved).displace({h * Z.col(c), e.rates, VectorXd::Zero(e.size())});
      Machine there(moved);
      const std::vector<double> values = there.values();
      return VectorXd(Eigen::Map<const VectorXd>(values.data(), static_cast<Eigen::Index>(values.size())));
    };
    const double h = 1e-4;
    const VectorXd found = (at(h) - at(-h)) / (2 * h);
    const double largest = C.topRows(9).cwiseAbs().maxCoeff();
    EXPECT_LT((found - C.col(c)).head(9).cwiseAbs().maxCoeff(), 1e-6 * largest) << c;
  }
}

TEST(VineEquations, ATipIsPutWhereItIsAskedFor) {
  Simulation sim(busy());
  Machine machine(sim);
  const std::vector<double> before = machine.values();
  machine.solveFor({"tip.x", "tip.z"}, std::vector<double>{before[0] - 0.03, before[2] + 0.02});
  const std::vector<double> after = machine.values();
  EXPECT_NEAR(after[0], before[0] - 0.03, 1e-9);
  EXPECT_NEAR(after[2], before[2] + 0.02, 1e-9);
}

std::string refusal(const std::string& text, double until, bool modes = false) {
  Simulation sim(text);
  if (until > 0) sim.advance(until);
  Machine machine(sim);
  try {
    if (modes)
      machine.modes(2);
    else
      machine.linearize();
  } catch (const NotLinear& error) {
    return error.what();
  }
  return "";
}

// By its matrix, and not by the word for it: a bed of springs written as forces has a potential.
TEST(VineEquations, ForcesThatHaveAPotentialHaveModes) {
  const auto first = [](const char* load) {
    Simulation sim(filled(
        R"J({"format": "tendril/1", "vines": {"v": {"bodies": 12, "length": 0.3, "diameter": 0.03, "massPerLength": 0.04,
      "bendingStiffness": 0.02}}, "loads": [$load], "solver": {"dt": 1e-3, "duration": 1}})J",
        {{"load", load}}));
    return Machine(sim).modes(1).at(0).frequency;
  };
  const double springs = first(R"J({"line": [0, "=-5*y", 0], "on": "v"})J"),
               potential = first(R"J({"potential": "=2.5*y^2", "on": "v", "per": "length"})J"),
               drag = first(R"J({"line": ["=-0.01*vx", "=-0.01*vy", 0], "on": "v"})J");
  EXPECT_NEAR(springs, potential, 1e-9 * potential);
  EXPECT_LT(drag, 0.95 * springs);
  EXPECT_THROW(first(R"J({"line": ["=-0.1*tx", "=-0.1*ty", 0], "on": "v"})J"), NotLinear) << "it follows";
}

TEST(VineEquations, WhatHasNoneIsRefusedByName) {
  const auto vine = [](const std::string& more, const std::string& beside = "") {
    return R"J({"format": "tendril/1", "vines": {"v": {"bodies": 10, "length": 0.3, "diameter": 0.03, "massPerLength": 0.04, "bendingStiffness": 0.02)J" +
           more + "}}" + beside + R"J(, "solver": {"dt": 0.01, "duration": 2}})J";
  };
  const std::string grows = R"(, "growth": "=t < 0.5 ? 0.1 : 0")";
  EXPECT_EQ(
      refusal(vine(grows), 0.2),
      "vine \"v\" grows, and with it its mass: it has no linear equations; expected a time at which \"growth\" is 0");
  EXPECT_EQ(refusal(vine(grows), 0.8), "");
  const std::string wall = R"J(, "obstacles": {"wall": {"box": {"center": [0.25, 0.07, 0], "half": [0.05, 0.05, 1]}}},
    "loads": [{"force": [0, 0.2, 0], "at": "v:tip"}])J";
  EXPECT_EQ(
      refusal(vine("", wall), 0.5),
      "vine \"v\" bears on an obstacle, which it cannot enter but may leave: it has no linear equations; expected a "
      "state in which it touches nothing");
  const std::string turns = R"J(, "loads": [{"line": ["=-0.1*tx", "=-0.1*ty", 0], "on": "v"}])J";
  EXPECT_EQ(refusal(vine("", turns), 0), "");
  EXPECT_NE(refusal(vine("", turns), 0, true).find("a field of forces in /loads/0"), std::string::npos)
      << refusal(vine("", turns), 0, true);
  const auto omitted = [&](const std::string& more) {
    Simulation sim(vine(more));
    return Machine(sim).omitted();
  };
  EXPECT_EQ(omitted(R"(, "steer": "=0.001*s*i")").size(), 0u);
  ASSERT_EQ(omitted(R"(, "curvature": "=x*s")").size(), 1u);
  EXPECT_EQ(omitted(R"(, "curvature": "=x*s")")[0],
            "how \"steer\" and \"curvature\" of vine \"v\" change with the places of its pins");
  // A parameter that lets it grow is no input.
  Simulation sim(R"J({"format": "tendril/1", "parameters": {"rate": {"value": 0, "min": 0, "max": 1}},
    "vines": {"v": {"bodies": 10, "length": 0.3, "diameter": 0.03, "massPerLength": 0.04, "bendingStiffness": 0.02, "growth": "=0.1*rate"}}})J");
  Machine machine(sim);
  EXPECT_TRUE(machine.linearize().inputs.empty());
  EXPECT_THROW(machine.linearize({{"rate"}, {}, true}), NotLinear);
}

}  // namespace vine_equations_test
}  // namespace tendril::vines
