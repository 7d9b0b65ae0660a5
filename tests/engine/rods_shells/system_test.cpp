// The whole system against finite differences at random, strongly deformed states: potential against residual, residual
// against tangent, with welds, pins, clamps, inertia, damping, drag and follower loads.
#include "rods_shells/terms/system.h"

#include <gtest/gtest.h>

#include <random>

#include "engine/rods_shells/build_scene.h"

namespace tendril::test {
namespace system_test {

// Three rods welded at one node (two that begin there and one that ends, directors at odds), a fourth pinned, an exact
// clamp that turns at an end, one inside, a run of clamped nodes, natural strains, uneven sections and edge lengths.
std::string sceneText(const std::string& loads) {
  return R"J({"format": "tendril/1",
  "materials": {"soft": {"youngs": 2e4, "poisson": 0.3, "density": 900, "damping": 500}},
  "rods": {
    "a": {"section": {"rectangle": {"width": "=0.15*(1 + 0.5*u)", "height": 0.1}}, "segments": 6,
      "path": {"line": {"from": [0,0,0], "to": [1.2,0,0]}}, "frame": [0,1,2],
      "natural": {"curvature": ["=0.3 + s", "=-0.2"], "twist": 0.4, "stretch": 1.05}},
    "b": {"section": {"circle": {"radius": 0.09}}, "path": {"points": [[1.2,0,0], [1.3,0.15,0.05], [1.5,0.2,0.1], [1.6,0.4,0.1], [1.7,0.5,0.3]]}},
    "c": {"section": {"ellipse": {"a": 0.12, "b": 0.06}}, "segments": 5, "path": {"arc": {"center": [1.2,0,1], "from": [1.2,0,0], "axis": [0,1,0.0], "angle": 1}}, "frame": [1,1,0]},
    "d": {"section": {"circle": {"radius": 0.06}}, "segments": 6, "path": {"line": {"from": [1.7,0.5,0.3], "to": [1.7,1.5,0.3]}}}
  },
  "joints": [{"weld": ["a:last", "b:first", "c:first"]}, {"pin": ["b:last", "d:first"]}],
  "constraints": [{"clamp": "a:first", "rotation": {"axis": [1,2,0], "angle": "=0.3*t"}, "displacement": ["=0.1*t", 0, 0]},
    {"clamp": "c:3"}, {"clamp": "d:4..5"}],
  "environment": {"gravity": [0, 1, -9.81], "viscous": 0.7},
  "probes": {"p": {"position": "a:last"}},
  "loads": [)J" +
         loads +
         R"J({"force": [1, 2, 3], "at": "b:2"}, {"line": [0, 0, -2], "on": "a"}, {"mass": 0.2, "at": "c:last"}]})J";
}

const char* const followers = R"J({"follower": [3, -2, 5], "at": "c:last"}, {"follower": [1, 2, 0], "at": "d:first"},
  {"moment": [0.3, -0.4, 0.5], "at": "b:2"}, {"moment": [0.2, 0.1, -0.3], "at": "a:3"},
  {"moment": [0.3, 0.5, -0.4], "at": "b:first"}, {"follower": [2, -3, 4], "at": "a:last"}, )J";

// Of the present place, motion and direction of the point that they act on.
const char* const fields = R"J({"force": ["=-3*x - vy*x", "=sin(y*z)*tx", "=0.2*vz*abs(vz) + tz*X - s"], "at": "a"},
  {"line": ["=40*exp(-0.3*x^2)*ty", "=3*vx*tz", "=u - z*X"], "on": ["b", "c"]},
  {"force": ["=x*y", "=i/n - vx", "=smooth(z, -1, 2)"], "at": "d", "per": "mass"}, )J";
const char* const potentials = R"J({"potential": "=15*((x - X)^2 + 2*(y - Y)^2) + x*y*z", "on": "a"},
  {"potential": "=30*sin(x + 2*y)*tz + 20*tx*ty*y", "on": ["b", "c", "d"], "per": "length"},
  {"potential": "=3*x*tz^2 + t*y", "on": "d", "per": "mass"}, {"potential": "=2*tx*z", "on": "b:1..2"}, )J";

// A random accepted state, and a trial state far from it within one chart.
struct State {
  Built built;
  std::mt19937 random;
  VectorX accepted, trial;
  solve::Kinematics kinematics;

  State(const std::string& text, unsigned seed) : built(text), random(seed) {
    rods_shells::System& system = *built.system;
    accepted = VectorX::Zero(system.size());
    move(accepted, 0.06, 1.0);
    built.prepare(0.5, accepted);
    system.accept(accepted);
    system.elasticity().strains(accepted, system.elasticity().references());
    do {
      trial = accepted;
      move(trial, 0.09, 1.5);
      built.prepare(1, trial);
    } while (system.elasticity().largestTurn(trial) > 1.45 || sharpest(trial) > 5);
    kinematics.rates = {20, 100};  // inertia, damping and elasticity of the same size
    kinematics.base = accepted;
    kinematics.v0 = VectorX::Zero(system.size());
    kinematics.a0 = VectorX::Zero(system.size());
    move(kinematics.v0, 0.5, 1);
    move(kinematics.a0, 5, 10);
  }

  // Largest discrete curvature 2 tan(angle / 2): edges that all but fold would drown finite differences in round-off.
  double sharpest(const VectorX& q) {
    rods_shells::Strains strains;
    built.system->elasticity().strains(q, strains);
    double largest = 0;
    for (const Vec3& bend : strains.bend) largest = std::max(largest, bend.head<2>().norm());
    return largest;
  }
  void move(VectorX& q, double nodes, double twists) {
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (int i = 0; i < q.size(); ++i) q[i] += nodes * uniform(random);
    for (const rods_shells::Edge& e : built.structure().edges) q[e.theta] += twists * uniform(random);
    for (const rods_shells::Weld& weld : built.structure().welds) {
      for (int k = 0; k < 3; ++k) q[weld.turn + k] += 0.6 * twists * uniform(random);
    }
  }
  VectorX direction() {
    VectorX d = VectorX::Zero(accepted.size());
    move(d, 1, 1);
    for (int i = 0; i < d.size(); ++i) {
      if (built.system->supports().prescribed()[i]) d[i] = 0;
    }
    return d / d.norm();
  }
  solve::Evaluation evaluate(const VectorX& x, solve::Level level, VectorX& r) {
    const VectorX v = kinematics.rates.v * (x - kinematics.base) + kinematics.v0;
    const VectorX a = kinematics.rates.a * (x - kinematics.base) + kinematics.a0;
    return built.system->evaluate({x, v, a}, kinematics.rates, level, r);
  }
};

TEST(DiscreteSystem, ResidualIsTheGradientOfThePotential) {
  double turned = 0;
  for (unsigned seed = 1; seed <= 40; ++seed) {
    State s(sceneText(seed > 20 ? potentials : ""), seed);
    turned = std::max(turned, s.built.system->elasticity().largestTurn(s.trial));
    VectorX r, unused;
    const solve::Evaluation here = s.evaluate(s.trial, solve::Level::residual, r);
    ASSERT_TRUE(here.valid);
    ASSERT_TRUE(here.hasPotential);
    ASSERT_GT(r.norm(), 1);
    for (int k = 0; k < 5; ++k) {
      const VectorX d = s.direction();
      // Richardson's central difference: error of order h^4.
      const auto difference = [&](double h) {
        const double up = s.evaluate(s.trial + h * d, solve::Level::value, unused).potential;
        return (up - s.evaluate(s.trial - h * d, solve::Level::value, unused).potential) / (2 * h);
      };
      const double h = 1e-4, slope = (4 * difference(h) - difference(2 * h)) / 3;
      EXPECT_NEAR(slope, r.dot(d), 1e-6 * r.norm()) << "seed " << seed;
    }
  }
  EXPECT_GT(turned, 1.2) << "the states are too tame";
}

TEST(DiscreteSystem, TangentIsTheDerivativeOfTheResidual) {
  for (const char* loads : {"", followers, fields, potentials}) {
    for (unsigned seed = 1; seed <= 20; ++seed) {
      State s(sceneText(loads), 100 + seed);
      VectorX r, up, down, y(s.trial.size());
      const solve::Evaluation here = s.evaluate(s.trial, solve::Level::tangent, r);
      ASSERT_TRUE(here.valid);
      EXPECT_EQ(here.hasPotential, loads != followers && loads != fields);
      ASSERT_TRUE(s.built.system->factor(0).ok);
      for (int k = 0; k < 5; ++k) {
        // y = A^-1 b, so that the derivative of the residual along y must be b.
        VectorX b = s.direction();
        s.built.system->solve(b, y);
        const double size = y.norm();
        const auto difference = [&](double h) {
          s.evaluate(s.trial + (h / size) * y, solve::Level::residual, up);
          s.evaluate(s.trial - (h / size) * y, solve::Level::residual, down);
          return VectorX((up - down) * (size / (2 * h)));
        };
        const VectorX derivative = (4 * difference(1e-4) - difference(2e-4)) / 3;
        EXPECT_LT((derivative - b).norm(), 1e-5 * b.norm()) << "seed " << seed << ", loads " << loads;
      }
    }
  }
}

TEST(DiscreteSystem, EveryLevelSeesTheSamePotential) {
  State s(sceneText(""), 7);
  VectorX r;
  const double value = s.evaluate(s.trial, solve::Level::value, r).potential;
  EXPECT_DOUBLE_EQ(value, s.evaluate(s.trial, solve::Level::residual, r).potential);
  EXPECT_DOUBLE_EQ(value, s.evaluate(s.trial, solve::Level::tangent, r).potential);
}

TEST(DiscreteSystem, ResidualIsZeroAtPrescribedUnknownsAndOnlyThere) {
  State s(sceneText(followers), 8);
  VectorX r;
  s.evaluate(s.trial, solve::Level::residual, r);
  int prescribed = 0;
  for (int i = 0; i < r.size(); ++i) {
    if (s.built.system->supports().prescribed()[i]) {
      ++prescribed;
      EXPECT_EQ(r[i], 0);
    } else {
      EXPECT_NE(r[i], 0);
    }
  }
  // Clamped nodes: a:first, c:3, d:4 and d:5; the twist of the edge inside the run.
  EXPECT_EQ(prescribed, 3 * 4 + 1);
}

TEST(DiscreteSystem, MovingTheChartLeavesEnergyAndForcesAsTheyAre) {
  State s(sceneText(""), 9);
  VectorX before, after;
  const double energy = s.evaluate(s.trial, solve::Level::residual, before).potential;
  s.built.system->accept(s.trial);
  const double moved = s.evaluate(s.trial, solve::Level::residual, after).potential;
  EXPECT_NEAR(moved, energy, 1e-10 * std::abs(energy));
  // At fixed twist angles the chart changes what the twist's conjugate force does to a node: only where it is in
  // balance are the forces on nodes the same. The forces on twists always are.
  for (const rods_shells::Edge& e : s.built.structure().edges)
    EXPECT_NEAR(after[e.theta], before[e.theta], 1e-8 * before.norm());
}

TEST(DiscreteSystem, StatesOutsideTheChartAreInvalid) {
  State s(sceneText(""), 10);
  VectorX r, q = s.accepted;
  // Edge 1 of rod d turned back on itself.
  const rods_shells::Structure& structure = s.built.structure();
  const int first = structure.nodeDof[structure.bodyNodes[3][1]], second = structure.nodeDof[structure.bodyNodes[3][2]];
  const Vec3 a = structure.nodes[structure.bodyNodes[3][1]] + q.segment<3>(first);
  const Vec3 b = structure.nodes[structure.bodyNodes[3][2]] + q.segment<3>(second);
  q.segment<3>(second) -= 2 * (b - a);
  EXPECT_FALSE(s.evaluate(q, solve::Level::value, r).valid);
  EXPECT_FALSE(s.evaluate(q, solve::Level::tangent, r).valid);
}

}  // namespace system_test
}  // namespace tendril::test
