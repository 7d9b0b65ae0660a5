// The machine laid open: its matrices against differences of the very forces, its state space against runs, its copy
// against the run that it was taken from.
#include "tendril/machine.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <complex>

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
            {"force": ["=-0.3*(x - X)", "=-0.05*vy*tx", 0], "at": "rod"}],
  "environment": {"gravity": [0, 0, -9.81], "viscous": 0.3},
  "solver": {"integrator": "bdf2", "dt": 1e-3, "duration": 1},
  "probes": {"tip": {"position": "rod:last"}, "speed": {"velocity": "rod:last"}, "hand": {"reaction": "rod:first"}}
})J";

const char* const sheet = R"J({"format": "tendril/1",
  "parameters": {"p": {"value": 3, "min": -10, "max": 10}},
  "materials": {"soft": {"youngs": 1e6, "poisson": 0.3, "density": 1000}},
  "shells": {"sheet": {"thickness": 2e-3, "mesh": {"rectangle": {"corner": [0, 0, 0], "along": [0.2, 0, 0], "across": [0, 0.1, 0], "edge": 0.06}}, "bending": "$bending"}},
  "constraints": [{"clamp": {"of": "sheet", "where": "x < 1e-6"}}],
  "loads": [{"pressure": "=p", "on": "sheet"}],
  "environment": {"gravity": [0, 0, -9.81]},
  "solver": {"integrator": "bdf2", "dt": 1e-3, "duration": 1},
  "probes": {"tip": {"position": {"of": "sheet", "where": "x > 0.1999"}}}
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
    "cables": {"tendon": {"through": "limb", "path": {"oblique": {"from": [0, 0.005], "to": [0.003, 0.002]}}, "tension": "=pull"}}}},
  "environment": {"gravity": [0, 0, -9.81], "fluid": {"density": 100}},
  "solver": {"integrator": "generalized-alpha", "dt": 1e-3, "duration": 1},
  "probes": {"tip": {"position": "arm:tip"}, "turned": {"jointAngle": "arm/hub"}, "length": {"cable": "arm/tendon"}}
})J";

const char* const fourBar = R"J({"format": "tendril/1",
  "parameters": {"M": {"value": 0.5, "min": -2, "max": 2}},
  "linkages": {"bar": {"links": {
      "a": {"joint": {"revolute": {"axis": "y", "stiffness": 2, "torque": "=M"}}, "body": {"rigid": {"length": 0.2, "section": {"circle": {"radius": 0.01}}, "density": 1000}}},
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

const Case cases[] = {{"rod", rod, 0.05, 24},
                      {"sheet-midedge", sheet, 0.02, -1},
                      {"sheet-hinge", sheet, 0.02, -1},
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
  const double scale = reached(K).cwiseAbs().maxCoeff();
  EXPECT_LT((reached(K) - reached(byMove)).cwiseAbs().maxCoeff(), 1e-7 * scale) << "stiffness";
  const double damping = reached(D).cwiseAbs().maxCoeff();
  EXPECT_LT((reached(D) - reached(byRate)).cwiseAbs().maxCoeff(), 1e-7 * damping + 1e-12 * scale) << "damping";
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

// What the state space says of the motion on from the state is what the run does next.
TEST_P(Machines, TheStateSpaceRunsAsTheRunDoes) {
  Simulation sim(textOf(GetParam()));
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

// Coordinates and rates other than those of the state, of the size of its own motions.
MachineState another(const Linearization& l, double by) {
  MachineState out;
  out.q.assign(l.coordinates.size(), 0), out.v = l.rates;
  for (std::size_t i = 0; i < out.q.size(); ++i) {
    out.q[i] = by * std::sin(1.0 + 3.0 * static_cast<double>(i));
    out.v[i] += 0.1 * std::cos(2.0 + 5.0 * static_cast<double>(i));
  }
  return out;
}

// Poses at both sides of the state in every coordinate against the Jacobian, and what moves there against its product
// with the rates.
TEST_P(Machines, PlacesMoveAsTheirJacobiansSay) {
  Simulation sim(textOf(GetParam()));
  sim.advance(GetParam().until);
  Machine machine(sim);
  const std::string name = GetParam().name;
  const std::vector<std::string> places =
      name == "rod"        ? std::vector<std::string>{"rod:last", "rod:3", "rod:1"}
      : name == "arm"      ? std::vector<std::string>{"arm:tip", "arm/limb@0.37", "arm/hub@0.5"}
      : name == "four-bar" ? std::vector<std::string>{"bar/b:tip", "bar/c@0.3"}
                           : std::vector<std::string>{"sheet:last", "sheet@[0.1, 0.05, 0]"};
  const Linearization l = machine.linearize({{}, {}, false});
  const MatrixXd Z = dense(l.motions);
  const auto turnOf = [](const Kinematics& k) {
    return Eigen::Quaterniond(k.rotation[0], k.rotation[1], k.rotation[2], k.rotation[3]).toRotationMatrix();
  };
  const double h = 1e-5;
  const std::vector<double> probes = machine.values();
  for (int k = 0; k < 3 && name.rfind("sheet", 0) != 0; ++k) {
    EXPECT_NEAR(machine.kinematics(places[0]).position[static_cast<std::size_t>(k)],
                probes[static_cast<std::size_t>(k)], 1e-14)
        << "as the probe of the tip";
  }
  if (name == "rod") {
    const MachineState state = machine.state();
    const auto& names = machine.coordinates();
    const auto last = static_cast<std::size_t>(std::find(names.begin(), names.end(), "rod:6.x") - names.begin());
    EXPECT_NEAR(state.q.at(last), probes[0], 1e-14) << "coordinates are places in the world";
  }
  for (const std::string& place : places) {
    const Kinematics here = machine.kinematics(place);
    const MatrixXd J = dense(here.jacobian);
    ASSERT_EQ(J.rows(), here.rotation.empty() ? 3 : 6) << place;
    VectorXd moves(J.rows());
    moves.head(3) = vector(here.velocity);
    if (J.rows() == 6) moves.tail(3) = vector(here.spin);
    EXPECT_LT((J * vector(l.rates) - moves).norm(), 1e-12 * moves.norm()) << place << ", supports stand still";
    double most = 0, off = 0;
    for (int c = 0; c < Z.cols(); ++c) {
      std::vector<Kinematics> side;
      for (const double way : {h, -h}) {
        Machine there(sim);
        const VectorXd move = way * Z.col(c);
        there.displace({move.data(), static_cast<std::size_t>(move.size())});
        side.push_back(there.kinematics(place));
      }
      VectorXd went(J.rows());
      went.head(3) = (vector(side[0].position) - vector(side[1].position)) / (2 * h);
      if (J.rows() == 6) {
        const Eigen::AngleAxisd turn(Eigen::Matrix3d(turnOf(side[0]) * turnOf(side[1]).transpose()));
        went.tail(3) = turn.angle() * turn.axis() / (2 * h);
      }
      const VectorXd said = J * Z.col(c);
      most = std::max(most, said.lpNorm<Eigen::Infinity>());
      off = std::max(off, (went - said).lpNorm<Eigen::Infinity>());
    }
    EXPECT_GT(most, 0) << place;
    EXPECT_LT(off, 3e-8 * most) << place;
  }
  for (const char* wrong : {"nothing:last", "", "a\"b", "rod:\n", "\xff"}) {
    EXPECT_THROW(machine.kinematics(wrong), std::invalid_argument) << wrong;
  }
  EXPECT_THROW(machine.kinematics(name == "rod"   ? "rod"
                                  : name == "arm" ? "arm"
                                                  : "*"),
               std::invalid_argument)
      << "several places are none";
}

TEST_P(Machines, AStateIsWhereItIsSetTo) {
  Simulation sim(textOf(GetParam()));
  sim.advance(GetParam().until);
  Machine machine(sim);
  const MachineState start = machine.state();
  const Linearization l = machine.linearize({{}, {}, false});
  EXPECT_EQ(l.rates, start.v);
  machine.setState(start.q, start.v);
  EXPECT_LT((vector(machine.linearize({{}, {}, false}).forces) - vector(l.forces)).norm(),
            1e-9 * dense(l.stiffness).norm());
  // A place near the start, in all coordinates by something of their own; loops come along.
  MachineState aim = another(l, 0.01);
  for (std::size_t i = 0; i < aim.q.size(); ++i) aim.q[i] = start.q[i] + (l.units[i] == "m" ? 0.01 : 1) * aim.q[i];
  machine.setState(aim.q, aim.v);
  const MachineState there = machine.state();
  if (GetParam().freedoms != 1) {
    EXPECT_LT((vector(there.q) - vector(aim.q)).norm(), 1e-12 * vector(aim.q).norm());
    EXPECT_LT((vector(there.v) - vector(aim.v)).norm(), 1e-12 * vector(aim.v).norm());
  }
  machine.setState(there.q, there.v);
  EXPECT_LT((vector(machine.state().q) - vector(there.q)).norm(), 1e-11 * vector(there.q).norm());
  EXPECT_LT((vector(machine.state().v) - vector(there.v)).norm(), 1e-11 * vector(there.v).norm());
  EXPECT_THROW(machine.setState(std::vector<double>(start.q.size() + 1, 0.0)), std::invalid_argument);
  std::vector<double> none = start.q;
  none[0] = std::nan("");
  EXPECT_THROW(machine.setState(none), std::invalid_argument);
}

TEST(Machine, TipsOfVinesHaveKinematics) {
  Simulation sim(
      R"J({"format": "tendril/1", "vines": {"v": {"bodies": 6, "length": 0.3, "diameter": 0.03, "massPerLength": 0.04,
    "bendingStiffness": 0.02, "curvature": 1, "plane": "xz"}}, "environment": {"gravity": [0, 0, -9.81]}, "solver": {"dt": 1e-3, "duration": 1}})J");
  sim.advance(0.05);
  Machine machine(sim);
  const Kinematics here = machine.kinematics("v:tip");
  const MatrixXd J = dense(here.jacobian), Z = dense(machine.linearize({{}, {}, false}).motions);
  EXPECT_LT(
      (J * vector(machine.state().v) - (VectorXd(6) << vector(here.velocity), vector(here.spin)).finished()).norm(),
      1e-12);
  EXPECT_GT(vector(here.velocity).norm(), 1e-3);
  constexpr double h = 1e-5;
  for (int c = 0; c < Z.cols(); ++c) {
    std::vector<Kinematics> side;
    for (const double way : {h, -h}) {
      MachineState aim = machine.state();
      for (std::size_t i = 0; i < aim.q.size(); ++i) aim.q[i] += way * Z(static_cast<int>(i), c);
      Machine there(sim);
      there.setState(aim.q, aim.v);
      side.push_back(there.kinematics("v:tip"));
    }
    const VectorXd went = (vector(side[0].position) - vector(side[1].position)) / (2 * h);
    EXPECT_LT((went - J.topRows(3) * Z.col(c)).norm(), 1e-8 * J.norm()) << c;
    const Eigen::Quaterniond a(side[0].rotation[0], side[0].rotation[1], side[0].rotation[2], side[0].rotation[3]),
        b(side[1].rotation[0], side[1].rotation[1], side[1].rotation[2], side[1].rotation[3]);
    const Eigen::AngleAxisd turn(a * b.conjugate());
    EXPECT_LT((turn.angle() * turn.axis() / (2 * h) - J.bottomRows(3) * Z.col(c)).norm(), 1e-8 * J.norm()) << c;
  }
}

// By the pose of a ball joint, however it came there.
TEST(Machine, StatesOfBallJointsAreRotationVectors) {
  Simulation sim(arm);
  sim.advance(0.05);
  Machine one(sim), two(sim);
  MachineState aim = one.state();
  const std::vector<std::string> names = one.coordinates();
  const auto ball = static_cast<std::size_t>(std::find(names.begin(), names.end(), "arm/limb[0]") - names.begin());
  aim.q[ball] = 0.7, aim.q[ball + 1] = -1.1, aim.q[ball + 2] = 0.4;
  one.setState(aim.q, aim.v);
  MachineState way = aim;
  way.q[ball] = -0.5, way.q[ball + 1] = 2, way.q[ball + 2] = 0.9;
  two.setState(way.q, way.v);
  two.setState(aim.q, aim.v);
  const Kinematics a = one.kinematics("arm:tip"), b = two.kinematics("arm:tip");
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(a.rotation[i], b.rotation[i], 1e-13);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(a.position[i], b.position[i], 1e-13);
    EXPECT_NEAR(a.velocity[i], b.velocity[i], 1e-11);
    EXPECT_NEAR(one.state().q[ball + i], aim.q[ball + i], 1e-13);
  }
}

// At rest, of a rod, shells with and without massless normals, and an arm with tendon and dampers.
std::string atRest(std::string text) {
  // Loops have no midpoint rule; slow as this one is, its own is as good.
  if (text.find("\"loops\"") != std::string::npos) {
    const std::string key = "\"generalized-alpha\"";
    return text.replace(text.find(key), key.size(), key + ", \"start\": \"equilibrium\"");
  }
  for (const char* integrator : {"\"bdf2\"", "\"generalized-alpha\""}) {
    const std::string key = integrator;
    if (const std::size_t at = text.find(key); at != std::string::npos)
      text.replace(at, key.size(), "\"implicit-midpoint\", \"start\": \"equilibrium\"");
  }
  return text;
}

TEST_P(Machines, ASmallChangeOfAnInputMovesTheRunAsTheStateSpaceSays) {
  const std::string text = atRest(textOf(GetParam()));
  Simulation sim(text);
  Machine machine(sim);
  const Linearization l = machine.linearize();
  const std::string input = sim.parameters()[0].name;
  const auto column = std::find(l.inputs.begin(), l.inputs.end(), input) - l.inputs.begin();
  ASSERT_LT(column, static_cast<std::ptrdiff_t>(l.inputs.size()));
  const MatrixXd A = dense(l.space.A), C = dense(l.space.C);
  const VectorXd B = dense(l.space.B).col(column), D = dense(l.space.D).col(column);
  EXPECT_LT(vector(l.space.drift).norm(), 1e-4 * (A * VectorXd::Ones(A.rows())).norm()) << "it rests";
  const double h = sim.stepSize(), change = 1e-4 * sim.parameters()[0].value;
  const MatrixXd one = MatrixXd::Identity(A.rows(), A.rows());
  const Eigen::PartialPivLU<MatrixXd> left(one - 0.5 * h * A);
  VectorXd x = VectorXd::Zero(A.rows());
  Simulation still = Inside::copyOf(sim);
  ASSERT_TRUE(sim.set(input, sim.parameters()[0].value + change));
  double most = 0, off = 0;
  for (int k = 0; k < 60; ++k) {
    sim.step(), still.step();
    x = left.solve(x + 0.5 * h * (A * x) + h * B * change);
    const VectorXd y = C * x + D * change;
    for (int i = 0; i < y.size(); ++i) {
      if (l.outputs[static_cast<std::size_t>(i)].rfind("tip", 0) != 0) continue;
      const double went = sim.values()[static_cast<std::size_t>(i)] - still.values()[static_cast<std::size_t>(i)];
      most = std::max(most, std::abs(went)), off = std::max(off, std::abs(went - y[i]));
    }
  }
  EXPECT_GT(most, 0);
  EXPECT_LT(off, 2e-3 * most);
}

TEST(Machine, EigenvaluesOfTheStateSpaceAreThoseOfTheModes) {
  Simulation sim(atRest(arm));
  Machine machine(sim);
  const MatrixXd A = dense(machine.linearize().space.A);
  const Eigen::VectorXcd values = Eigen::EigenSolver<MatrixXd>(A).eigenvalues();
  for (const Mode& mode : machine.modes(5)) {
    ASSERT_FALSE(mode.estimate);
    const double omega = 2 * std::acos(-1) * mode.frequency;
    if (mode.damping >= 1) continue;
    std::complex<double> nearest = 0;
    const auto distance = [&](const std::complex<double>& v) {
      return std::abs(-v.real() / std::abs(v) - mode.damping) + std::abs(std::abs(v) / omega - 1);
    };
    for (const std::complex<double>& v : values)
      nearest = distance(v) < distance(nearest) || nearest == 0.0 ? v : nearest;
    EXPECT_NEAR(-nearest.real() / std::abs(nearest), mode.damping, 1e-8)
        << "the damping ratio is that of an eigenvalue";
    EXPECT_NEAR(std::abs(nearest) / omega, 1, 2 * mode.damping * mode.damping)
        << "damping changes frequencies by its square";
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

TEST(Machine, EffortsAndTensionsAreSeenByProbesOfEffort) {
  Simulation sim(
      R"J({"format": "tendril/1", "parameters": {"p": {"value": 0.1, "min": 0, "max": 1}, "T": {"value": 2, "min": 0, "max": 9}},
    "materials": {"m": {"youngs": 1e6, "density": 1000}},
    "linkages": {"a": {"links": {
      "one": {"body": {"soft": {"length": 0.1, "section": {"circle": {"radius": 0.01}}, "strains": {"bendY": 1}}}},
      "s": {"joint": {"revolute": {"axis": "y", "angle": 0.01}}, "body": {"soft": {"length": 0.1, "section": {"circle": {"radius": 0.01}}, "strains": {"bendY": 1}}}},
      "h": {"joint": {"revolute": {"axis": "y", "stiffness": 1, "torque": "=p"}}, "body": {"rigid": {"length": 0.1, "mass": 1, "inertia": [1, 1, 1]}}},
      "b": {"joint": {"spherical": {"stiffness": 2, "torque": [0, 0.1, 0]}}, "body": {"rigid": {"length": 0.1, "mass": 1, "inertia": [1, 1, 1]}}}},
      "cables": {"t": {"tension": "=T", "through": ["one", "s"], "path": {"constant": [0, 0.006]}}}}},
    "probes": {"e": {"jointEffort": "a/h"}, "b": {"jointEffort": "a/b"}, "held": {"jointEffort": "a/s"}}, "solver": {"duration": 1}})J");
  Machine machine(sim);
  Machine::Options options;
  options.inputs = {"a/h", "p", "a/b[0]", "a/b[1]", "a/b[2]", "a/t", "T"};
  const Linearization l = machine.linearize(options);
  const MatrixXd D = dense(l.space.D);
  const auto row = [&](const std::string& name) {
    return static_cast<int>(std::find(l.outputs.begin(), l.outputs.end(), name) - l.outputs.begin());
  };
  ASSERT_EQ(l.outputs.size(), 5u);
  EXPECT_NEAR(D(row("e"), 0), 1, 1e-9);
  EXPECT_NEAR(D(row("e"), 1), 1, 1e-9);
  for (int i = 0; i < 5; ++i) {
    const std::string& name = l.outputs[static_cast<std::size_t>(i)];
    if (name[0] == 'b') {
      for (int j = 0; j < 3; ++j) EXPECT_NEAR(D(i, 2 + j), name == "b.q" + std::to_string(j) ? 1 : 0, 1e-9) << name;
    }
    EXPECT_NEAR(D(i, 5), D(i, 6), 1e-5) << name << ": the same tension";
  }
  EXPECT_GT(std::abs(D(row("held"), 5)), 1e-4) << "what drives the slider holds the cable";
}

TEST(Machine, InverseKinematicsPutsATipWhereItIsAskedFor) {
  Simulation sim(arm);
  Machine machine(sim);
  const std::vector<std::string> columns = {"tip.x", "tip.y", "tip.z"};
  const std::vector<double> target = {0.2, 0.1, 0.05};
  machine.solveFor(columns, target);
  const std::vector<double> got = machine.values();
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(got[i], target[i], 1e-10);

  Simulation loop(fourBar);
  Machine closed(loop);
  const double x = closed.values()[0];
  closed.solveFor({"tip.x"}, std::vector<double>{x - 0.02});
  EXPECT_NEAR(closed.values()[0], x - 0.02, 1e-10);
  const std::vector<double> here = closed.values();
  EXPECT_THROW(closed.solveFor({"tip.x"}, std::vector<double>{5}), NotLinear) << "out of reach";
  EXPECT_EQ(closed.values(), here) << "and all is as before";
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

TEST(Machine, WhatMovesSupportsAndObstaclesIsNoInput) {
  const std::string text = R"J({"format": "tendril/1",
    "parameters": {"lift": {"value": 0.01, "min": 0, "max": 1}, "turn": {"value": 0.1, "min": 0, "max": 1}, "c": {"value": 0, "min": 0, "max": 1}},
    "linkages": {"arm": {"links": {
      "a": {"joint": {"revolute": {"axis": "y", "angle": "=turn*t"}}, "body": {"rigid": {"length": 0.1, "section": {"circle": {"radius": 0.01}}, "density": 1000}}},
      "b": {"joint": {"revolute": {"axis": "y", "stiffness": 1, "damping": "=c"}}, "body": {"rigid": {"length": 0.1, "section": {"circle": {"radius": 0.01}}, "density": 1000}}}}}},
    "obstacles": {"floor": {"plane": {"point": [0, 0, -1], "normal": [0, 0, 1]}, "displacement": [0, 0, "=lift"]}},
    "solver": {"dt": 1e-3, "duration": 1}})J";
  Simulation sim(text);
  Machine machine(sim);
  EXPECT_THROW(machine.linearize({{"lift"}, {}, true}), NotLinear);
  EXPECT_THROW(machine.linearize({{"turn"}, {}, true}), NotLinear) << "though it has not turned yet";
  const Linearization l = machine.linearize();
  EXPECT_EQ(l.inputs, std::vector<std::string>{"c"}) << "at the end of what it may be";
  EXPECT_EQ(l.omitted.size(), 2u);
  try {
    machine.modes(1);
    FAIL() << "what is driven moves";
  } catch (const NotLinear& error) {
    EXPECT_NE(std::string(error.what()).find("moves"), std::string::npos);
  }
}

TEST(Machine, FeedbackIsToldToBeHeld) {
  Simulation sim(R"J({"format": "tendril/1",
    "linkages": {"arm": {"links": {"a": {"joint": {"revolute": {"axis": "y", "torque": "=-2*turned"}},
      "body": {"rigid": {"length": 0.1, "section": {"circle": {"radius": 0.01}}, "density": 1000}}}}}},
    "solver": {"dt": 1e-3, "duration": 1}, "probes": {"turned": {"jointAngle": "arm/a"}}})J");
  const std::vector<std::string> omitted = Machine(sim).omitted();
  ASSERT_EQ(omitted.size(), 1u);
  EXPECT_NE(omitted[0].find("feedback"), std::string::npos);
}

TEST(Machine, WhatHasNoEquationsIsRefusedByName) {
  const std::string vine =
      R"J({"format": "tendril/1", "vines": {"v": {"bodies": 10, "length": 0.3, "diameter": 0.03, "massPerLength": 0.04, "bendingStiffness": 0.02, "growth": 0.1}}})J";
  Simulation grows(vine);
  Machine machine(grows);
  EXPECT_THROW(machine.linearize(), NotLinear);
  const std::string slides = R"J({"format": "tendril/1",
    "materials": {"m": {"youngs": 1e6, "density": 1000}},
    "rods": {"r": {"section": {"circle": {"radius": 0.01}}, "segments": 4, "path": {"line": {"from": [0, 0, 0.0099], "to": [0.2, 0, 0.0099]}}}},
    "obstacles": {"floor": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}}, "contact": {"friction": 0.3}, "environment": {"gravity": [0, 0, -9.81]},
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

// ---- forces at the rates of the state -------------------------------------------------------------------------------

const char* const viscousRod =
    R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "density": 1000, "damping": 1e4}},
  "rods": {"b": {"section": {"circle": {"radius": 0.002}}, "segments": 2, "path": {"line": {"from": [0, 0, 0], "to": [0.1, 0, 0]}}}},
  "constraints": [{"fix": "b:first"}, {"planar": "xz"}], "initial": [{"of": "b:last", "velocity": [1, 0, 0]}],
  "solver": {"dt": 1e-7, "duration": 1}})J";

const char* const viscousBend =
    R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "density": 1000, "damping": 1e3}},
  "rods": {"b": {"section": {"rectangle": {"width": 0.002, "height": 0.004}}, "segments": 6,
    "path": {"arc": {"center": [0, 0, 0], "from": [0.05, 0, 0], "axis": [0, 0.2, 1], "angle": 2}}}},
  "constraints": [{"clamp": "b:first"}], "environment": {"gravity": [0, 1, -9.81]},
  "initial": [{"of": "b", "velocity": [0, "=0.3*u", "=u"], "spin": "=3*u"}],
  "solver": {"dt": 1e-6, "duration": 1, "integrator": "implicit-midpoint"}})J";

const char* const viscousSheet =
    R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "density": 1000, "poisson": 0.3, "damping": 1e3}},
  "shells": {"p": {"thickness": 1e-3, "bending": "hinge", "mesh": {"rectangle": {"corner": [0, 0, 0], "along": [0.05, 0, 0],
    "across": [0, 0.03, 0.01], "edge": 0.02}}}},
  "constraints": [{"clamp": {"of": "p", "where": "x<1e-6"}}], "environment": {"gravity": [0, 0, -9.81]},
  "initial": [{"of": "p", "velocity": [0, "=x", "=10*x"]}],
  "solver": {"dt": 1e-6, "duration": 1, "integrator": "implicit-midpoint"}})J";

const char* const dampedSpring = R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "density": 1000}},
  "rods": {"b": {"section": {"circle": {"radius": 0.002}}, "segments": 4, "path": {"line": {"from": [0, 0, 0], "to": [0.1, 0, 0]}}},
    "p": {"section": {"circle": {"radius": 0.002}}, "segments": 2, "path": {"line": {"from": [0.1, 0, 0.1], "to": [0.1, 0, 0.12]}}}},
  "constraints": [{"clamp": "b:first"}, {"clamp": "p:0..2"}, {"planar": "xz"}],
  "springs": {"k": {"distance": {"stiffness": 0.05, "damping": 0.004}, "between": ["b:last", "p:first"]}},
  "initial": [{"of": "b", "velocity": [0, 0, "=u"]}], "solver": {"dt": 1e-6, "duration": 1}})J";

const char* const viscousLink =
    R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "density": 1000, "damping": 200}},
  "linkages": {"a": {"links": {"s": {"joint": {"revolute": {"axis": "y", "damping": 0.01}},
    "body": {"soft": {"length": 0.2, "section": {"circle": {"radius": 8e-3}}, "strains": {"bendY": 2, "bendZ": 2}}}}}}},
  "environment": {"gravity": [0, 1, -9.81]}, "initial": [{"of": "a/s", "bendY": 4, "bendYRate": 20, "angleRate": 3}],
  "solver": {"dt": 1e-6, "duration": 1, "integrator": "implicit-midpoint"}})J";

VectorXd forcesOf(Machine& machine) { return vector(machine.linearize({{}, {}, false}).forces); }

TEST(Machine, ForcesAreThoseOfViscousMaterialsToo) {
  Simulation rodRun(viscousRod);
  Machine rod(rodRun);
  const std::vector<std::string> names = rod.coordinates();
  const auto of = [&](Machine& machine, const char* name) {
    const auto& list = machine.coordinates();
    return forcesOf(machine)[std::find(list.begin(), list.end(), name) - list.begin()];
  };
  // eta A v / l of the outer edge.
  EXPECT_NEAR(of(rod, "b:2.x"), -1e4 * pi * 4e-6 / 0.05, 1e-8);
  Simulation springRun(dampedSpring);
  Machine spring(springRun);
  EXPECT_NEAR(of(spring, "b:4.z"), -0.004, 1e-10);
}

class Rates : public testing::TestWithParam<const char*> {};

// At small rates forces change by D v, and no motion is without what it meets.
TEST_P(Rates, SmallOnesMeetTheDamping) {
  Simulation sim(GetParam());
  Machine machine(sim);
  const MachineState state = machine.state();
  const std::vector<double> none(state.v.size(), 0);
  machine.setState(state.q, none);
  const Linearization still = machine.linearize({{}, {}, false});
  const VectorXd v = 1e-5 * vector(state.v);
  machine.setState(state.q, std::vector<double>(v.data(), v.data() + v.size()));
  const VectorXd met = forcesOf(machine) - vector(still.forces), said = -dense(still.damping) * v;
  ASSERT_GT(said.norm(), 0);
  EXPECT_LE((met - said).norm(), 1e-4 * said.norm());
}

// M a = f is how a run goes on.
TEST_P(Rates, ForcesAreHowARunGoesOn) {
  Simulation sim(GetParam());
  Machine machine(sim);
  const Linearization l = machine.linearize({{}, {}, true});
  const VectorXd before = vector(machine.state().v);
  sim.step();
  Machine after(sim);
  const VectorXd change = (vector(after.state().v) - before) / sim.time();
  VectorXd drift = VectorXd::Zero(change.size()), seen = drift;
  for (std::size_t i = 0; i < l.coordinates.size(); ++i) {
    const auto at = std::find(l.space.states.begin(), l.space.states.end(), l.coordinates[i] + "'");
    if (at == l.space.states.end()) continue;
    const auto k = static_cast<Eigen::Index>(i);
    drift[k] = l.space.drift[static_cast<std::size_t>(at - l.space.states.begin())], seen[k] = change[k];
  }
  EXPECT_LE((drift - seen).norm(), 0.01 * seen.norm());
}

INSTANTIATE_TEST_SUITE_P(Machine, Rates,
                         testing::Values(viscousRod, viscousBend, viscousSheet, dampedSpring, viscousLink));

// A bob on a cart that is driven: l q'' = -g cos q + x'' sin q, or with the other signs, as Newton has it.
TEST(Machine, ADrivePushesWhatHangsOnIt) {
  Simulation sim(R"J({"format": "tendril/1", "linkages": {"a": {"base": {"forward": [1, 0, 0]}, "links": {
    "cart": {"joint": {"prismatic": {"axis": "x", "displacement": "=0.02*sin(12*t)"}}, "body": {"rigid": {"length": 0, "mass": 1}}},
    "bob": {"joint": {"revolute": {"axis": "y"}}, "offset": {"rotation": {"axis": [0, 1, 0], "angle": "=pi/2"}},
      "body": {"rigid": {"length": 0.25, "mass": 0.1, "center": [0.25, 0, 0], "inertia": [1e-9, 1e-9, 1e-9]}}}}}},
    "environment": {"gravity": [0, 0, -9.81]}, "solver": {"dt": 1e-4, "duration": 1, "integrator": "implicit-midpoint"}})J");
  while (sim.time() < 0.1 - 1e-9) sim.step();
  Machine machine(sim);
  const Linearization l = machine.linearize();
  const double q = machine.state().q[0], a = -0.02 * 144 * std::sin(12 * sim.time()), R = 0.25;
  // It hangs at q = 0, and turns about y: the bob is at x = -R sin q.
  const double exact = (a * std::cos(q) - 9.81 * std::sin(q)) / R;
  EXPECT_NEAR(l.space.drift[1], exact, 1e-4 * std::abs(exact));
}

TEST(Machine, AStaticSceneHasNoRates) {
  Simulation sim(R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "density": 1000}},
    "rods": {"b": {"section": {"circle": {"radius": 0.002}}, "segments": 4, "path": {"line": {"from": [0, 0, 0], "to": [0.1, 0, 0]}}}},
    "constraints": [{"clamp": "b:first"}], "solver": {"mode": "static"}})J");
  Machine machine(sim);
  MachineState state = machine.state();
  machine.setState(state.q, state.v);
  state.v[0] = 1;
  EXPECT_THROW(machine.setState(state.q, state.v), std::invalid_argument);
  EXPECT_THROW(machine.displace(std::vector<double>(state.q.size(), 0), state.v), std::invalid_argument);
}

TEST(Machine, AStateThatCannotBeLeavesTheOneThatIs) {
  for (const char* text : {viscousLink, viscousBend}) {
    Simulation sim(text);
    Machine machine(sim);
    const MachineState before = machine.state();
    const VectorXd forces = forcesOf(machine);
    const std::size_t n = before.q.size();
    const auto refused = [&](const std::vector<double>& q, const std::vector<double>& v) {
      std::string why;
      try {
        machine.setState(q, v);
      } catch (const std::exception& error) {
        why = error.what();
      }
      EXPECT_NE(why, "");
      if (text == viscousLink) {
        EXPECT_EQ(why.find("edge"), std::string::npos) << why;
      }
      EXPECT_EQ(machine.state().q, before.q);
      EXPECT_EQ(machine.state().v, before.v);
      EXPECT_EQ(forcesOf(machine), forces);
    };
    refused(std::vector<double>(n, 1e300), before.v);
    refused(std::vector<double>(n, -1e20), before.v);
    refused(before.q, std::vector<double>(n, 1e300));
  }
}

}  // namespace machine_test
}  // namespace tendril::test
