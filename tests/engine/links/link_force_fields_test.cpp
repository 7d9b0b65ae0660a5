// Loads on links that are formulas of the point that they act on: their tangent, what is built in beside the same as a
// formula, moments beside the potentials that they have, and energy.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "engine/links/force_checks.h"
#include "engine/simulation/run_scene.h"
#include "links/model.h"
#include "scene/load/load.h"

namespace tendril::links {
namespace link_force_fields_test {

using test::column;
using test::digits;
using test::filled;
using test::runToEnd;
using test::vectorColumn;

/// Probes of what only runs in time have.
std::string balanceOf(const std::string& solver) {
  return solver.find("static") != std::string::npos
             ? ""
             : R"(, "W": {"energy": "work"}, "D": {"energy": "dissipated"}, "N": {"energy": "numerical"})";
}

/// A hub that turns, with a soft limb and a rigid hand.
std::string arm(const std::string& loads, const std::string& solver, const std::string& more = "",
                const std::string& damping = "0") {
  return filled(
      R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e5, "poisson": 0.5, "density": 1000, "damping": $damping}},
    "linkages": {"arm": {"links": {
      "hub": {"joint": {"revolute": {"axis": "z", "stiffness": 0.05}}, "body": {"rigid": {"length": 0.05, "mass": 0.02}}},
      "limb": {"body": {"soft": {"length": 0.3, "section": {"circle": {"radius": "=0.012 - 0.01*s"}}, "material": "m",
        "strains": {"twist": 1, "bendY": 2, "bendZ": 2, "stretch": 1, "shearY": 0, "shearZ": 1}}}},
      "hand": {"joint": {"spherical": {"stiffness": 0.02}},
        "body": {"rigid": {"length": 0.05, "mass": 0.01, "inertia": [1e-6, 3e-6, 3e-6]}}}}}},
    "loads": [$loads], "probes": {"tip": {"position": "arm:tip"}, "limb": {"position": "arm/limb:tip"},
      "all": {"energy": "total"}, "kinetic": {"energy": "kinetic"}$balance},
    "solver": {$solver}$more})J",
      {{"balance", balanceOf(solver)}, {"loads", loads}, {"solver", solver}, {"more", more}, {"damping", damping}});
}

struct Built {
  scene::Scene scene;
  world::World world{scene};
  Model model{world};
  explicit Built(const std::string& text) : scene(std::get<scene::Scene>(scene::loadScene(text))) {}
};

const std::string force =
    R"({"force": ["=0.3*x*y - 2*(z - Z)^3 + vy*tx", "=sin(9*x) - 0.1*vx^2 + tz*u", "=-z*sqrt(vx^2 + vy^2 + vz^2) + X"], "at": "arm/limb", "per": "length"})";
const std::string moment =
    R"({"moment": ["=0.02*ty*x", "=0.01*vx - 0.02*tx*z", "=0.03*y^2 - 0.01*s"], "at": "arm/limb", "per": "mass"})";
const std::string atPoints =
    R"J({"force": ["=-0.4*(x - X)", "=0.1*tz*tx", "=-0.2*vz*abs(vz)"], "at": ["arm/hub@0.5", "arm/limb@0.3", "arm:tip"]},
       {"moment": ["=0.05*ty", "=-0.05*tx*z", "=-0.01*vx"], "at": ["arm/limb@0.7", "arm/hand"]})J";
const std::string potential =
    R"({"potential": "=2*x^2*y - 3*cos(5*z) + 0.3*tx*ty + 0.4*tz*x", "on": "arm/limb", "per": "length"},
       {"potential": "=0.2*x*z^2 - 0.1*ty^2*z", "on": ["arm:tip", "arm/limb@0.4"]})";

VectorX state(std::mt19937& random, const Model& model, int n) {
  VectorX q = test::randomVector(random, n, 1.5);
  for (const BuiltLink& link : model.structure().links) {
    // Stretch and shear, which come last, less than bending.
    if (!link.softs.empty()) q.segment(link.first + 8, link.count - 8) *= 0.1;
  }
  return q;
}

TEST(LinkForceFields, HaveTheirExactTangentFarFromRest) {
  for (const std::string& loads :
       {force, moment, atPoints, potential, force + "," + moment + "," + atPoints + "," + potential}) {
    Built built(arm(loads, R"("dt": 1e-3)"));
    System& system = built.model.system();
    std::mt19937 random(7);
    const int n = system.size();
    for (const solve::Rates rates : {solve::Rates{0, 0}, solve::Rates{20, 400}}) {
      const VectorX q = state(random, built.model, n), v = test::randomVector(random, n, 2),
                    a = test::randomVector(random, n, 5);
      EXPECT_LT(test::tangentError(system, q, v, a, rates), 1e-8) << loads;
    }
  }
}

TEST(LinkForceFields, OfPotentialsHaveASymmetricTangentWhichIsTheirSlopes) {
  Built built(arm(potential, R"("dt": 1e-3)")), bare(arm("", R"("dt": 1e-3)"));
  std::mt19937 random(3);
  const int n = built.model.system().size();
  const VectorX q = state(random, built.model, n), none = VectorX::Zero(n);
  VectorX with, without;
  built.model.system().evaluate({q, none, none}, {}, solve::Level::tangent, with);
  const Eigen::MatrixXd tangent = built.model.system().tangent();
  EXPECT_LT((tangent - tangent.transpose()).norm(), 1e-12 * tangent.norm());
  bare.model.system().evaluate({q, none, none}, {}, solve::Level::tangent, without);
  EXPECT_GT((tangent - bare.model.system().tangent()).norm(), 1e-2 * tangent.norm());
  EXPECT_GT((with - without).norm(), 1e-2 * with.norm());
}

// The same drag by a key and by formulas.
TEST(LinkForceFields, OfVelocityAreTheViscousDragThatIsBuiltIn) {
  const std::string link =
      R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e5, "poisson": 0.5, "density": 1000}},
    "linkages": {"arm": {"links": {"limb": {"joint": {"spherical": {"stiffness": 0.05}}, "body": {"soft": {"length": 0.3,
      "section": {"circle": {"radius": 0.01}}, "material": "m", "strains": {"twist": 1, "bendY": 2, "bendZ": 2, "stretch": 1}}}}}}},
    "initial": [{"of": "arm/limb", "bendY": 3, "angleRate": [2, -3, 9]}], "probes": {"tip": {"position": "arm:tip"}},
    "solver": {"dt": 1e-3, "duration": 0.1, "tolerance": 1e-10}, $drag})J";
  const std::string builtIn = filled(link, {{"drag", R"("environment": {"viscous": 0.4})"}}),
                    told = filled(
                        link,
                        {{"drag", R"("loads": [{"line": ["=-0.4*vx", "=-0.4*vy", "=-0.4*vz"], "on": "arm/limb"}])"}}),
                    none = filled(link, {{"drag", R"("environment": {})"}});
  Built a(builtIn), b(told);
  std::mt19937 random(11);
  const int n = a.model.system().size();
  const VectorX q = test::randomVector(random, n, 0.5), v = test::randomVector(random, n, 3), none_ = VectorX::Zero(n);
  VectorX ra, rb;
  const solve::Rates rates{50, 2500};
  a.model.system().evaluate({q, v, none_}, rates, solve::Level::tangent, ra);
  b.model.system().evaluate({q, v, none_}, rates, solve::Level::tangent, rb);
  EXPECT_LT((ra - rb).norm(), 1e-13 * ra.norm());
  EXPECT_LT((a.model.system().tangent() - b.model.system().tangent()).norm(),
            1e-13 * a.model.system().tangent().norm());
  Simulation drag(builtIn), field(told), free(none);
  runToEnd(drag), runToEnd(field), runToEnd(free);
  EXPECT_LT((vectorColumn(drag, "tip") - vectorColumn(field, "tip")).norm(), 1e-9);
  EXPECT_GT((vectorColumn(drag, "tip") - vectorColumn(free, "tip")).norm(), 1e-2);
}

// A magnet along a link in a field B has the energy -m e.B and feels the moment m e x B, each per length.
TEST(LinkForceFields, MomentsAndTheirPotentialLeadToOneEquilibrium) {
  const std::string solver = R"("mode": "static", "tolerance": 1e-11, "loadSteps": 3)";
  Simulation turned(arm(
      R"({"moment": ["=ty*0.06 - tz*0.03", "=tz*(-0.02) - tx*0.06", "=tx*0.03 + ty*0.02"], "at": "arm/limb", "per": "length"})",
      solver));
  Simulation stored(
      arm(R"J({"potential": "=-(-0.02*tx + 0.03*ty + 0.06*tz)", "on": "arm/limb", "per": "length"})J", solver));
  runToEnd(turned), runToEnd(stored);
  EXPECT_LT((vectorColumn(turned, "tip") - vectorColumn(stored, "tip")).norm(), 1e-8);
  EXPECT_GT((vectorColumn(turned, "tip") - Vec3(0.4, 0, 0)).norm(), 0.1);
}

TEST(LinkForceFields, ASpringAtTheTipBearsWhatTheLinkDoesNot) {
  // A cantilever of bending stiffness EI with a load F at its tip, held there by a spring k: F = (k + 3 EI/L^3) w,
  // where w is small.
  const double EI = 1e6 * pi / 4 * std::pow(0.01, 4), L = 0.3, F = 1e-4;
  for (const double k : {1e-2, 1.0, 1e4, 1e8}) {
    Simulation sim(
        filled(R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "poisson": 0.5, "density": 1000}},
    "linkages": {"arm": {"links": {"limb": {"body": {"soft": {"length": 0.3, "section": {"circle": {"radius": 0.01}},
      "material": "m", "strains": {"bendY": 1}}}}}}},
    "loads": [{"force": [0, 0, $F], "at": "arm:tip"}, {"force": [0, 0, "=-$k*(z - Z)"], "at": "arm:tip"}],
    "probes": {"tip": {"position": "arm:tip"}}, "solver": {"mode": "static"}})J",
               {{"F", digits(F)}, {"k", digits(k)}}));
    runToEnd(sim);
    EXPECT_NEAR(column(sim, "tip.z"), F / (k + 3 * EI / (L * L * L)), 1e-6 * F / (k + 3 * EI / (L * L * L))) << k;
  }
}

// A ball on a spring to a point, in all directions: an ellipse of period 2 pi sqrt(m/k).
TEST(LinkForceFields, PotentialsKeepTheEnergyOfTheMidpointRule) {
  const double m = 0.5, k = 20, period = 2 * pi * std::sqrt(m / k);
  const auto end = [&](int steps, double& off) {
    Simulation sim(filled(R"J({"format": "tendril/1", "linkages": {"ball": {"links": {"b": {"joint": {"free": {}},
      "body": {"rigid": {"mass": 0.5, "inertia": [1e-3, 1e-3, 1e-3], "center": [0, 0, 0]}}}}}},
    "loads": [{"potential": "=0.5*20*(x^2 + y^2 + z^2) + 3*x^4", "on": "ball/b"}],
    "initial": [{"of": "ball/b", "displacement": [0.4, 0, 0.1], "displacementRate": [0, 1.5, 0], "angleRate": [3, 1, 2]}],
    "probes": {"at": {"position": "ball/b"}, "E": {"energy": "kinetic"}, "W": {"energy": "work"}, "N": {"energy": "numerical"}},
    "solver": {"integrator": "implicit-midpoint", "dt": $dt, "duration": $T, "tolerance": 1e-12}})J",
                          {{"dt", digits(period / steps)}, {"T", digits(period)}}));
    const auto energy = [&] {
      const Vec3 x = vectorColumn(sim, "at");
      return column(sim, "E") + 0.5 * k * x.squaredNorm() + 3 * std::pow(x.x(), 4);
    };
    const double start = energy();
    while (!sim.finished()) {
      sim.step();
      off = std::max(off, std::abs(energy() - start) / start);
      EXPECT_NEAR(column(sim, "W") + column(sim, "N"), column(sim, "E") - 0.5 * m * 1.5 * 1.5 - 0.5e-3 * 14,
                  1e-9 * start);
    }
    return vectorColumn(sim, "at");
  };
  double off = 0, rest = 0;
  const Vec3 coarse = end(40, off), fine = end(80, rest), finer = end(160, rest);
  EXPECT_LT(off, 1e-10);
  EXPECT_NEAR((coarse - fine).norm() / (fine - finer).norm(), 4, 0.4);
}

TEST(LinkForceFields, GiveTheWorkThatTheBalanceTells) {
  const std::string loads =
      R"({"potential": "=20*((x - X)^2 + (z - Z - 0.02*sin(30*t))^2) - 0.02*ty", "on": "arm/limb", "per": "length"},
         {"force": ["=0.2*sin(20*t) - 0.05*vx", "=-5*y", "=0.3*tx"], "at": "arm:tip"},
         {"moment": [0, "=0.01*tz - 2e-4*vx", "=0.05*x"], "at": "arm/limb", "per": "length"})";
  for (const char* integrator : {"implicit-midpoint", "generalized-alpha", "bdf2", "implicit-euler"}) {
    double numerical[2] = {}, work[2] = {}, inPlay = 0;
    for (int k = 0; k < 2; ++k) {
      Simulation sim(arm(loads,
                         std::string(R"("duration": 0.2, "tolerance": 1e-11, "integrator": ")") + integrator +
                             R"(", "dt": )" + (k ? "5e-4" : "2e-3"),
                         "", "30"));
      while (!sim.finished()) {
        sim.step();
        inPlay = std::max(inPlay, column(sim, "all"));
        EXPECT_NEAR(column(sim, "W") - column(sim, "D") + column(sim, "N"), column(sim, "all"), 1e-9 * inPlay);
      }
      numerical[k] = std::abs(column(sim, "N")), work[k] = column(sim, "W");
    }
    const bool first = std::string(integrator) == "implicit-euler";
    EXPECT_LT(numerical[1], (first ? 0.5 : 0.2) * numerical[0] + 1e-8 * inPlay) << integrator;
    EXPECT_LT(numerical[1], (first ? 0.3 : 0.01) * inPlay) << integrator;
    EXPECT_GT(std::abs(work[1]), 0.05 * inPlay);
  }
}

TEST(LinkForceFields, CountTheirPointsAndTheirMass) {
  // Weight as a field of mass, and as gravity; a force that only the second point feels.
  const std::string solver = R"("mode": "static", "tolerance": 1e-11)";
  const std::string limb =
      R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "poisson": 0.5, "density": 1000}},
    "linkages": {"arm": {"links": {"limb": {"body": {"soft": {"length": 0.3, "section": {"circle": {"radius": "=0.01 - 0.02*s"}},
      "material": "m", "strains": {"bendY": 2}}}}}}}, "probes": {"tip": {"position": "arm:tip"}}, "solver": {"mode": "static"}, $load})J";
  const auto tip = [&](const std::string& load) {
    Simulation sim(filled(limb, {{"load", load}}));
    runToEnd(sim);
    return vectorColumn(sim, "tip");
  };
  EXPECT_LT((tip(R"("environment": {"gravity": [0, 0, -9.81]})") -
             tip(R"("loads": [{"force": [0, 0, -9.81], "at": "arm/limb", "per": "mass"}])"))
                .norm(),
            1e-10);
  EXPECT_LT((tip(R"J("loads": [{"force": [0, 0, "=0.01*i*(n - 1)"], "at": ["arm/limb@0.2", "arm/limb@0.9"]}])J") -
             tip(R"("loads": [{"force": [0, 0, 0.01], "at": "arm/limb@0.9"}])"))
                .norm(),
            1e-10);
  EXPECT_LT((tip(R"("loads": [{"force": [0, 0, "=0.1*u"], "at": "arm/limb@0.4"}])") -
             tip(R"("loads": [{"force": [0, 0, "=0.04 + 0*s"], "at": "arm/limb@0.4"}])"))
                .norm(),
            1e-10);
  EXPECT_GT(tip(R"("loads": [{"line": [0, 0, 0.1], "on": "arm/limb"}])").z(), 1e-3);
}

}  // namespace link_force_fields_test
}  // namespace tendril::links
