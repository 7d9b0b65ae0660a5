// The machine laid open: its matrices against differences of the very forces, its state space against runs, its copy
// against the run that it was taken from.
#include "tendril/machine.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "engine/simulation/run_scene.h"
#include "model/equations.h"
#include "simulation/inside.h"
#include "simulation/side_by_side.h"

namespace tendril::test {
namespace machine_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd dense(const SparseMatrix& m) {
  MatrixXd out = MatrixXd::Zero(m.rows, m.columns);
  for (std::size_t i = 0; i < m.value.size(); ++i) out(m.row[i], m.column[i]) += m.value[i];
  return out;
}

VectorXd vector(const std::vector<double>& list) {
  return Eigen::Map<const VectorXd>(list.data(), static_cast<Eigen::Index>(list.size()));
}

struct Case {
  const char* name;
  const char* text;
  double until;  ///< [s]
  int freedoms;  ///< motions that loops allow
};

// Bent, twisted and prestressed, with forces that follow, see velocities and places.
const char* const rod = R"J({"format": "tendril/1",
  "parameters": {"F": {"value": 0.4, "min": -1, "max": 1}},
  "materials": {"soft": {"youngs": 1e6, "poisson": 0.4, "density": 1100}},
  "rods": {"rod": {"section": {"circle": {"radius": 0.01}}, "segments": 6, "path": {"line": {"from": [0, 0, 0], "to": [0.5, 0, 0]}},
    "natural": {"curvature": ["=3*sin(5*s)", 2], "twist": 4}}},
  "constraints": [{"clamp": "rod:first"}],
  "loads": [{"force": [0, 0.2, "=-F"], "at": "rod:last"}, {"moment": [0, 0.01, 0.02], "at": "rod:4"},
            {"force": ["=-0.3*(x - X)", "=-0.05*vy*tx", 0], "of": "rod"}],
  "environment": {"gravity": [0, 0, -9.81], "viscous": 0.3},
  "solver": {"integrator": "bdf2", "dt": 1e-3, "duration": 1},
  "probes": {"tip": {"position": "rod:last"}, "speed": {"velocity": "rod:last"}, "hand": {"reaction": "rod:first"}}
})J";

const char* const sheet = R"J({"format": "tendril/1",
  "parameters": {"p": {"value": 3, "min": -10, "max": 10}},
  "materials": {"soft": {"youngs": 1e6, "poisson": 0.3, "density": 1000}},
  "shells": {"sheet": {"thickness": 2e-3, "mesh": {"rectangle": {"size": [0.2, 0.1], "divisions": [3, 2]}}, "bending": "$bending"}},
  "constraints": [{"clamp": {"of": "sheet", "where": "x < -0.0999"}}],
  "loads": [{"pressure": "=p", "at": "sheet"}],
  "environment": {"gravity": [0, 0, -9.81]},
  "solver": {"integrator": "bdf2", "dt": 1e-3, "duration": 1},
  "probes": {"tip": {"position": {"of": "sheet", "where": "x > 0.0999"}}}
})J";

// A soft link on a ball joint behind a sprung hinge, with a tendon, in a medium.
const char* const arm = R"J({"format": "tendril/1",
  "parameters": {"pull": {"value": 2, "min": 0, "max": 5}},
  "materials": {"silicone": {"youngs": 1e6, "density": 1100, "damping": 2e3}},
  "linkages": {"arm": {"links": {
      "hub": {"joint": {"revolute": {"axis": "z", "stiffness": 0.5, "damping": 0.01, "torque": 0.05}},
              "body": {"rigid": {"length": 0.1, "section": {"circle": {"radius": 0.01}}, "density": 1200}}},
      "limb": {"joint": {"spherical": {"stiffness": 0.2, "damping": 0.003}},
               "body": {"soft": {"length": 0.2, "section": {"circle": {"radius": "=0.01 - 0.004*u"}}, "material": "silicone",
                        "strains": {"twist": 1, "bendY": 2, "bendZ": 2, "stretch": 0}}}, "fluid": {"drag": 1}}},
    "cables": {"tendon": {"through": "limb", "path": {"oblique": [[0, 0.005], [0.003, 0.002]]}, "tension": "=pull"}}}},
  "environment": {"gravity": [0, 0, -9.81], "fluid": {"density": 100}},
  "solver": {"integrator": "generalized-alpha", "dt": 1e-3, "duration": 1},
  "probes": {"tip": {"position": "arm:tip"}, "turned": {"jointAngle": "arm/hub"}, "length": {"cable": "arm/tendon"}}
})J";

const char* const fourBar = R"J({"format": "tendril/1",
  "linkages": {"bar": {"links": {
      "a": {"joint": {"revolute": {"axis": "y", "stiffness": 2}}, "body": {"rigid": {"length": 0.2, "section": {"circle": {"radius": 0.01}}, "density": 1000}}},
      "b": {"joint": {"revolute": {"axis": "y"}}, "body": {"rigid": {"length": 0.3, "section": {"circle": {"radius": 0.01}}, "density": 1000}}},
      "c": {"joint": {"revolute": {"axis": "y"}}, "body": {"rigid": {"length": 0.2, "section": {"circle": {"radius": 0.01}}, "density": 1000}}}},
    "loops": [{"from": "base", "offset": {"position": [0.3, 0, 0]}, "to": "c", "joint": {"revolute": {"axis": "y"}}}]}},
  "initial": [{"of": "bar/a", "angle": -1.4}, {"of": "bar/b", "angle": 1.4}, {"of": "bar/c", "angle": 1.4}],
  "environment": {"gravity": [0, 0, -9.81]},
  "solver": {"integrator": "generalized-alpha", "dt": 1e-3, "duration": 1},
  "probes": {"tip": {"position": "bar/b:tip"}}
})J";

std::string textOf(const Case& c) {
  std::string text = c.text;
  const std::string key = "$bending";
  if (const std::size_t at = text.find(key); at != std::string::npos)
    text.replace(at, key.size(), std::string(c.name).find("hinge") != std::string::npos ? "hinge" : "midedge");
  return text;
}

const Case cases[] = {{"rod", rod, 0.05, 42},
                      {"sheet-midedge", sheet, 0.02, -1},
                      {"sheet-hinge", sheet, 0.02, 27},
                      {"arm", arm, 0.05, 13},
                      {"four-bar", fourBar, 0.05, 1}};

class Machines : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(All, Machines, testing::ValuesIn(cases), [](const auto& param) {
  std::string name = param.param.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

// The stiffness, damping and mass of the model alone against differences of its forces, in one chart.
TEST_P(Machines, MatricesAreTheDerivativesOfTheForces) {
  Simulation sim(textOf(GetParam()));
  sim.advance(GetParam().until);
  Simulation copy = Inside::copyOf(sim);
  model::Model& model = *Inside::modelIn(copy).parts()[0].model;
  model::Equations e;
  model.equations(e);
  const int n = e.size();
  ASSERT_GT(n, 0);
  if (GetParam().freedoms > 0) {
    EXPECT_EQ(e.freedoms(), GetParam().freedoms);
  }
  const auto forcesAt = [&](int unknown, double move, double rate) {
    model::Nearby near{VectorX::Zero(n), e.rates, e.accelerations};
    if (unknown >= 0) near.move[unknown] += move, near.rates[unknown] += rate;
    model.lookAt(&near);
    VectorX f;
    EXPECT_TRUE(model.unbalanced(e.accelerations, f));
    return f;
  };
  const MatrixXd K = e.stiffness, D = e.damping, M = e.mass;
  EXPECT_LT((M - M.transpose()).norm(), 1e-12 * M.norm());
  const double fast = e.rates.cwiseQuotient(e.reach).lpNorm<Eigen::Infinity>() + 1;
  // One size for entries of all units: by what moves all by its reach.
  const auto reached = [&](const MatrixXd& m) { return MatrixXd(e.reach.asDiagonal() * m * e.reach.asDiagonal()); };
  MatrixXd byMove(n, n), byRate(n, n);
  for (int j = 0; j < n; ++j) {
    const double h = 1e-6 * e.reach[j], g = 1e-5 * fast * e.reach[j];
    byMove.col(j) = -(forcesAt(j, h, 0) - forcesAt(j, -h, 0)) / (2 * h);
    byRate.col(j) = -(forcesAt(j, 0, g) - forcesAt(j, 0, -g)) / (2 * g);
  }
  model.lookAt(nullptr);
  const bool viscous = std::string(GetParam().text).find("\"damping\": 2e3") != std::string::npos;
  const double scale = reached(K).cwiseAbs().maxCoeff();
  EXPECT_LT((reached(K) - reached(byMove)).cwiseAbs().maxCoeff(), 1e-7 * scale) << "stiffness";
  const double damping = reached(D).cwiseAbs().maxCoeff();
  EXPECT_LT((reached(D) - reached(byRate)).cwiseAbs().maxCoeff(), 1e-7 * damping + 1e-12 * scale)
      << "damping" << viscous;
}

TEST_P(Machines, AskingChangesNothing) {
  Simulation sim(textOf(GetParam()));
  sim.advance(GetParam().until);
  const std::vector<std::byte> before = sim.save();
  Machine machine(sim);
  machine.linearize();
  machine.displace(std::vector<double>(machine.coordinates().size(), 0.0));
  EXPECT_EQ(sim.save(), before);
}

// What the state space says of a small motion from the state is what the run does next. Both with the same steps: the
// midpoint rule of a linear system.
TEST_P(Machines, TheStateSpaceRunsAsTheRunDoes) {
  std::string text = textOf(GetParam());
  for (const char* integrator : {"bdf2", "generalized-alpha"}) {
    if (const std::size_t at = text.find(integrator); at != std::string::npos)
      text.replace(at, std::string(integrator).size(), "bdf2");
  }
  Simulation sim(text);
  sim.advance(GetParam().until);
  Machine machine(sim);
  const Linearization l = machine.linearize();
  const MatrixXd A = dense(l.space.A), C = dense(l.space.C);
  const VectorXd drift = vector(l.space.drift), y0 = vector(l.space.y0);
  ASSERT_EQ(A.rows(), static_cast<Eigen::Index>(l.space.states.size()));
  // y' = C (A x + drift) at the state itself, against what the next steps do.
  const VectorXd slope = C * drift, curve = C * (A * drift);
  const double h = 1e-3;
  VectorXd now = VectorXd(vector({sim.values().begin(), sim.values().end()}));
  EXPECT_LT((now - y0).norm(), 1e-9 * (1 + y0.norm())) << "the same probes";
  for (int i = 0; i < slope.size(); ++i) {
    const std::string& column = l.outputs[static_cast<std::size_t>(i)];
    if (column.rfind("tip", 0) != 0) continue;
    Simulation next = Inside::copyOf(sim);
    next.advance(h);
    const double went = next.values()[static_cast<std::size_t>(i)] - now[i];
    const double said = h * slope[i] + 0.5 * h * h * curve[i];
    EXPECT_NEAR(went, said, 0.05 * h * (std::abs(slope[i]) + h * std::abs(curve[i])) + 1e-9) << column;
  }
}

TEST(Machine, InputsActAsTheyDoInARun) {
  // From rest, for one parameter and one tension: what follows at once from a small change of them.
  Simulation sim(arm);
  sim.advance(0.05);
  Machine machine(sim);
  const Linearization l = machine.linearize({{"arm/tendon", "pull", "arm/hub"}, {}, true});
  const MatrixXd B = dense(l.actuation);
  ASSERT_EQ(B.cols(), 3);
  EXPECT_LT((B.col(0) - B.col(1)).norm(), 1e-8 * B.col(0).norm()) << "the parameter is the tension";
  EXPECT_NEAR(B.col(2).lpNorm<1>(), 1, 1e-15) << "an effort acts on its own coordinate";
  EXPECT_EQ(B(0, 2), 1);
  EXPECT_THROW(machine.linearize({{"arm/nothing"}, {}, true}), std::invalid_argument);
  EXPECT_THROW(machine.linearize({{}, {"nothing.x"}, true}), std::invalid_argument);
}

TEST(Machine, InverseKinematicsPutsATipWhereItIsAskedFor) {
  Simulation sim(arm);
  Machine machine(sim);
  const std::vector<std::string> columns = {"tip.x", "tip.y", "tip.z"};
  const std::vector<double> target = {0.2, 0.1, 0.05};
  machine.solveFor(columns, target);
  const std::vector<double> got = machine.values();
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(got[i], target[i], 1e-10);
  EXPECT_THROW(machine.solveFor(columns, std::vector<double>{3, 0, 0}), NotLinear) << "out of reach";
  EXPECT_EQ(machine.values(), got) << "and all is as before";

  Simulation loop(fourBar);
  Machine closed(loop);
  const double x = closed.values()[0];
  closed.solveFor({"tip.x"}, std::vector<double>{x - 0.02});
  EXPECT_NEAR(closed.values()[0], x - 0.02, 1e-10);
}

TEST(Machine, JacobiansAreThoseOfProbes) {
  Simulation sim(arm);
  sim.advance(0.05);
  Machine machine(sim);
  const MatrixXd J = dense(machine.jacobian({"tip.x", "tip.y", "tip.z"}));
  VectorXd move = VectorXd::Zero(J.cols());
  for (int i = 0; i < move.size(); ++i) move[i] = 1e-5 * std::sin(1.0 + i);
  const std::vector<double> before = machine.values();
  machine.displace(std::vector<double>(move.data(), move.data() + move.size()));
  const std::vector<double> after = machine.values();
  for (int i = 0; i < 3; ++i)
    EXPECT_NEAR(after[static_cast<std::size_t>(i)] - before[static_cast<std::size_t>(i)], J.row(i).dot(move), 1e-9);
}

TEST(Machine, WhatHasNoEquationsIsRefusedByName) {
  const std::string vine = R"J({"format": "tendril/1", "vines": {"v": {"length": 1, "growth": 0.1}}})J";
  Simulation grows(vine);
  Machine machine(grows);
  EXPECT_THROW(machine.linearize(), NotLinear);
  const std::string slides = R"J({"format": "tendril/1",
    "materials": {"m": {"youngs": 1e6, "density": 1000}},
    "rods": {"r": {"section": {"circle": {"radius": 0.01}}, "segments": 4, "path": {"line": {"from": [0, 0, 0.0099], "to": [0.2, 0, 0.0099]}}}},
    "obstacles": {"floor": {"plane": {}}}, "contact": {"friction": 0.3}, "environment": {"gravity": [0, 0, -9.81]},
    "solver": {"dt": 1e-3, "duration": 1}})J";
  Simulation touches(slides);
  touches.advance(0.02);
  try {
    Machine(touches).linearize();
    FAIL() << "friction was linearized";
  } catch (const NotLinear& error) {
    EXPECT_NE(std::string(error.what()).find("friction"), std::string::npos);
  }
}

}  // namespace machine_test
}  // namespace tendril::test
