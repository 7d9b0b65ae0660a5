// Force fields on vines: their derivatives, what is built in beside the same as a formula, closed forms, and what steps
// take explicitly.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "engine/scene/scene_text.h"
#include "engine/simulation/run_scene.h"
#include "engine/vines/chains.h"
#include "vines/explicit_part.h"
#include "vines/force_fields.h"
#include "vines/joints.h"
#include "vines/pin_spring.h"

namespace tendril::vines {
namespace vine_force_fields_test {

using test::column;
using test::digits;
using test::filled;
using test::runToEnd;
using test::vectorColumn;

constexpr const char* planes[] = {"xy", "xz", "yz"};

Plane planeOf(int k) {
  Plane plane;
  plane.origin = Vec3(0.1, -0.2, 0.3);
  plane.u = k == 2 ? Vec3::UnitY() : Vec3::UnitX();
  plane.v = k == 0 ? Vec3::UnitY() : Vec3::UnitZ();
  return plane;
}

/// Bent and moving, with its joints closed as far as its placements go.
Chain bentChain(const Parameters& p, double bend) {
  Chain chain(p);
  Vec2 end = p.base;
  for (int b = 0; b < chain.bodies(); ++b) {
    const int pair = b / 2;
    const double angle = p.heading + bend * (1 + pair) + 0.1 * std::sin(2.0 * pair);
    const Vec2 center = end + p.halfLength * directionOf(angle);
    end = center + p.halfLength * directionOf(angle);
    const auto k = static_cast<std::size_t>(3 * b);
    chain.q[k] = center.x(), chain.q[k + 1] = center.y(), chain.q[k + 2] = angle;
    chain.v[k] = 0.3 * std::sin(1.7 * b), chain.v[k + 1] = 0.2 * std::cos(b), chain.v[k + 2] = 1 + std::sin(3.0 * b);
  }
  return chain;
}

const char* const everyKind = R"J(
  {"force": ["=0.3*x*y - 2*(z - Z)^3 + vy*tx", "=sin(9*x) - 0.1*vx^2 + tz*u", "=-z*sqrt(vx^2 + vy^2 + vz^2) + X"], "at": "v:tip"},
  {"force": ["=0.7*x*z - vz*ty", "=-0.4*y*abs(vy) + i", "=x - 3*(z - Z) + tx^2"], "at": "v", "per": "mass"},
  {"line": ["=5*(Y - y)*z + ty*vx", "=s - 2*vy", "=0.3*tx*tz*x + u*vz"], "on": "v"},
  {"potential": "=2*(x - X)^2*(1 + z) + 0.4*y*tx + 0.3*tz^2*y + 0.2*ty*x^3", "on": "v", "per": "length"},
  {"potential": "=3*x*y^2 + 0.5*tx*z - 0.7*ty*y*y", "on": "v"})J";

/// Motions that pins, slides and lengths allow, by columns.
Eigen::MatrixXd allowed(const Eigen::MatrixXd& rows) { return Eigen::FullPivLU<Eigen::MatrixXd>(rows).kernel(); }

Eigen::VectorXd forcesOf(ForceFields& fields, const Chain& chain, const Plane& plane) {
  Eigen::VectorXd out(3 * chain.bodies());
  const std::vector<BodySlopes>& sums = fields.at(chain, plane, {});
  for (int b = 0; b < chain.bodies(); ++b) out.segment<3>(3 * b) = sums[static_cast<std::size_t>(b)].force;
  return out;
}

TEST(VineForceFields, SlopesAreThoseOfDifferences) {
  for (int k = 0; k < 3; ++k) {
    const scene::Scene scene = scene::loaded(scene::vineText("\"plane\": \"" + std::string(planes[k]) + "\"",
                                                             "\"loads\": [" + std::string(everyKind) + "]"));
    const Plane plane = planeOf(k);
    Parameters p = Parameters::tube(8, 0.6);
    p.heading = 0.4;
    ForceFields fields(scene, 0);
    fields.setInitial(Chain(p), plane);
    const Chain chain = bentChain(p, 0.3);
    Actuation actuation;
    const std::vector<BodySlopes> here = fields.at(chain, plane, {});
    actuation.fields = here;
    Parameters loose = p;
    loose.bendingStiffness = 0;
    Chain bare = chain;
    bare.setParameters(loose);
    const Matrices m = matricesOf(bare, actuation);
    // What counts by length stays as it is where lengths do.
    const Eigen::MatrixXd Z = allowed(jointRows(chain));
    ASSERT_EQ(Z.cols(), 4);
    const double h = 1e-5;
    const auto differs = [&](const Eigen::MatrixXd& motions, const Eigen::MatrixXd& slope, bool rates) {
      double largest = 0, worst = 0;
      for (int c = 0; c < motions.cols(); ++c) {
        const auto at = [&](double by) {
          Chain moved = chain;
          std::vector<double>& of = rates ? moved.v : moved.q;
          for (std::size_t i = 0; i < of.size(); ++i) of[i] += by * motions(static_cast<Eigen::Index>(i), c);
          return forcesOf(fields, moved, plane);
        };
        const Eigen::VectorXd exact = -slope * motions.col(c), found = (at(h) - at(-h)) / (2 * h);
        largest = std::max(largest, exact.cwiseAbs().maxCoeff());
        worst = std::max(worst, (found - exact).cwiseAbs().maxCoeff());
      }
      EXPECT_GT(largest, 0.05) << planes[k];
      EXPECT_LT(worst, 1e-7 * largest) << planes[k] << (rates ? " by rates" : " by places");
    };
    differs(Z, m.stiffness, false);
    differs(Eigen::MatrixXd::Identity(24, 24), m.damping, true);
  }
}

TEST(VineForceFields, TheProgramTakesTheSymmetricPartThatResists) {
  Mat3 m;
  m << 3, 1, 0.2, -1, 2, 0.1, 0.2, -0.3, -0.01;
  const double mass = 0.5, inertia = 2e-3;
  const Mat3 held = implicitPart(m, mass, inertia), rest = 0.5 * (m + m.transpose()) - held;
  EXPECT_EQ((held - held.transpose()).norm(), 0);
  const Vec3 unit(std::sqrt(1 / mass), std::sqrt(1 / mass), std::sqrt(1 / inertia));
  const auto eigenvalues = [&](const Mat3& of) {
    return Eigen::SelfAdjointEigenSolver<Mat3>(Mat3(unit.asDiagonal() * of * unit.asDiagonal())).eigenvalues();
  };
  EXPECT_GE(eigenvalues(held)[0], -1e-12);
  EXPECT_LE(eigenvalues(rest)[2], 1e-12);
  EXPECT_LT(eigenvalues(rest)[0], -1);  // which m has
  const Mat3 stiff = Vec3(3, 0, 1).asDiagonal();
  EXPECT_EQ(implicitPart(stiff, mass, inertia), stiff);
}

/// Of what the moment of a wrinkling tube gains by bending.
TEST(VineForceFields, TangentOfAWrinklingPinIsThatOfDifferences) {
  Parameters p = Parameters::tube(8, 0.4);
  p.pressure = 2000, p.bendingStiffness = 0.05;
  const Chain chain(p);
  for (const double bend : {0.01, -0.2, 0.5, 1.5, 30.0, 300.0}) {
    const auto moment = [&](double at) { return pinSpring(chain, 1, at).stress(at); };
    const double h = 1e-5 * std::abs(bend), found = (moment(bend + h) - moment(bend - h)) / (2 * h);
    const double first = pinTangent(chain, 1, 0);
    EXPECT_NEAR(pinTangent(chain, 1, bend), found, 1e-9 * first + 1e-6 * std::abs(found)) << bend;
  }
  EXPECT_LT(pinTangent(chain, 1, 0.5), 0.9 * pinSpring(chain, 1, 0.5).stiffness);
}

/// A vine that grows at its tip, or does not grow, under what `loads` and `more` say.
std::string hanging(const std::string& loads, const std::string& environment, const std::string& vine) {
  return filled(R"J({"format": "tendril/1", "environment": {$environment}, "loads": [$loads],
    "vines": {"v": {"bodies": 12, "length": 0.4, "diameter": 0.02, "massPerLength": 0.05, "bendingStiffness": 0.002, "bendingDamping": 1e-5,
      "plane": "xz", "heading": 0.35$vine}},
    "probes": {"tip": {"position": "v:tip"}, "v": {"velocity": "v:tip"}}, "solver": {"dt": 0.005, "duration": 1}})J",
                {{"loads", loads}, {"environment", environment}, {"vine", vine}});
}

TEST(VineForceFields, AForcePerMassIsGravity) {
  for (const char* vine : {"", R"(, "growth": 0.3)", R"(, "growth": 0.3, "tip": true)"}) {
    Simulation heavy(hanging("", R"("gravity": [0, 3, -9.81])", vine));
    Simulation pulled(hanging(R"({"force": [0, 3, -9.81], "at": "v", "per": "mass"})", "", vine));
    Simulation stored(hanging(R"({"potential": "=9.81*z - 3*y", "on": "v", "per": "mass"})", "", vine));
    for (Simulation* sim : {&heavy, &pulled, &stored}) runToEnd(*sim);
    EXPECT_LT(vectorColumn(heavy, "tip").z(), 0.1) << vine;
    for (const char* probe : {"tip", "v"}) {
      const Vec3 is = vectorColumn(heavy, probe);
      EXPECT_LT((vectorColumn(pulled, probe) - is).norm(), 1e-11) << vine;
      EXPECT_LT((vectorColumn(stored, probe) - is).norm(), 1e-11) << vine;
      EXPECT_EQ(vectorColumn(pulled, probe).y(), 0) << "the plane bears what is across it";
    }
  }
}

// The wall of a tube that everts at its tip does not move forward, and drag along it takes nothing from growth.
TEST(VineForceFields, DragPerLengthDoesNotSeeAWallThatEverts) {
  const auto grown = [](const std::string& vine, const std::string& loads) {
    Simulation sim(filled(R"J({"format": "tendril/1", "loads": [$loads],
      "vines": {"v": {"bodies": 8, "length": 0.4, "diameter": 0.02, "massPerLength": 0.05, "bendingStiffness": 0.02, "growth": 0.2, "stall": 2$vine}},
      "probes": {"length": {"length": "v"}}, "solver": {"dt": 0.005, "duration": 1}})J",
                          {{"vine", vine}, {"loads", loads}}));
    runToEnd(sim);
    return column(sim, "length");
  };
  const std::string drag = R"J({"line": ["=-40*vx", "=-40*vy", 0], "on": "v"})J";
  EXPECT_NEAR(grown(R"(, "tip": true)", drag), grown(R"(, "tip": true)", ""), 1e-9);
  const double free = grown("", ""), slowed = grown("", drag);
  EXPECT_NEAR(free, 0.6, 1e-3);
  EXPECT_LT(slowed, 0.9 * free) << "bodies that are pushed along feel it";
}

TEST(VineForceFields, AForceAtTheTipIsTheLoadThatItWas) {
  const std::string force = R"J("force": [0.02, 0, "=-0.05*sin(9*t)"], "at": "v:tip")J";
  Simulation load(hanging("{" + force + "}", "", ""));
  Simulation field(hanging("{" + force + ", \"per\": \"node\"}", "", ""));
  runToEnd(load), runToEnd(field);
  // A dead force turns past its lever within a step, which only the field's tangent sees: of first order in dt.
  EXPECT_LT((vectorColumn(load, "tip") - vectorColumn(field, "tip")).norm(), 2e-3);
  EXPECT_GT((vectorColumn(load, "tip") - Vec3(0.4, 0, 0)).norm(), 0.05);
}

// One pair without stiffness turns about its base: I w' = -c sum(w r^2) w.
TEST(VineForceFields, DragDecaysAsItsExponential) {
  const double length = 0.4, c = 0.05, massPerLength = 0.05, w0 = 1e-3, end = 0.5;
  const auto rateAfter = [&](double dt) {
    const scene::Scene scene =
        scene::loaded(scene::vineText("", R"J("loads": [{"line": ["=-0.05*vx", "=-0.05*vy", 0], "on": "v"}])J"));
    Parameters p = Parameters::tube(2, length);
    p.massPerLength = massPerLength, p.bendingStiffness = 0;
    Chain chain(p);
    for (int b = 0; b < 2; ++b) {
      const auto k = static_cast<std::size_t>(3 * b);
      chain.v[k + 1] = w0 * (2 * b + 1) * p.halfLength, chain.v[k + 2] = w0;
    }
    ForceFields fields(scene, 0);
    Step step;
    Actuation actuation;
    for (int k = 0; k < std::lround(end / dt); ++k) {
      actuation.fields = fields.at(chain, planeOf(0), {});
      EXPECT_TRUE(step.advance(chain, actuation, {}, dt).accepted());
    }
    return chain.v[2] / w0;
  };
  Parameters p = Parameters::tube(2, length);
  p.massPerLength = massPerLength;
  const Chain chain(p);
  double inertia = 0, drag = 0;
  for (int b = 0; b < 2; ++b) {
    const double r = (2 * b + 1) * p.halfLength;
    inertia += chain.bodyInertia(b) + chain.bodyMass(b) * r * r, drag += c * 0.5 * length * r * r;
  }
  const double theory = std::exp(-drag / inertia * end);
  EXPECT_LT(theory, 0.7);
  const double coarse = rateAfter(0.01) - theory, fine = rateAfter(0.005) - theory, finest = rateAfter(0.0025) - theory;
  EXPECT_LT(std::abs(finest), 2e-3);
  EXPECT_NEAR(coarse / fine, 2, 0.05);
  EXPECT_NEAR(fine / finest, 2, 0.03);
  // Without a limit on steps: once, backward Euler.
  EXPECT_NEAR(rateAfter(end), 1 / (1 + drag / inertia * end), 1e-6);
}

// A pair on a bed of springs across it, pressed at its tip: K a + sum(w k r^2) sin a cos a = F L cos a.
TEST(VineForceFields, ABedOfSpringsOfAnyStiffnessComesToRest) {
  for (const double k : {1e2, 1e4, 1e6, 1e8}) {
    const double force = 2e-4 * k;
    Simulation sim(filled(R"J({"format": "tendril/1", "parameters": {"k": {"value": $k, "min": 1, "max": 1e9}},
      "vines": {"v": {"bodies": 2, "length": 0.4, "diameter": 0.02, "massPerLength": 0.05, "bendingStiffness": 0.02, "bendingDamping": 0.001}},
      "loads": [{"potential": "=0.5*k*(y - Y)^2", "on": "v", "per": "length"}, {"force": [0, $force, 0], "at": "v:tip"}],
      "probes": {"tip": {"position": "v:tip"}}, "solver": {"dt": 0.01, "duration": 6}})J",
                          {{"force", digits(force)}, {"k", digits(k)}}));
    const Progress progress = runToEnd(sim);
    EXPECT_TRUE(progress.warnings.empty()) << progress.warnings.front();
    const double bed = k * 0.2 * (0.1 * 0.1 + 0.3 * 0.3), spring = 0.02 / 0.2;
    double a = 0;
    for (int i = 0; i < 50; ++i) {
      const double f = spring * a + bed * std::sin(a) * std::cos(a) - force * 0.4 * std::cos(a);
      a -= f / (spring + bed * std::cos(2 * a) + force * 0.4 * std::sin(a));
    }
    EXPECT_NEAR(vectorColumn(sim, "tip").y() / (0.4 * std::sin(a)), 1, 1e-8) << k;
  }
}

// The tip of a long vine on Winkler's bed sinks by 2 F b / k, with b^4 = k / (4 EI).
TEST(VineForceFields, ALongVineOnABedSinksAsWinklersBeam) {
  double before = 0;
  for (const int bodies : {80, 160}) {
    const double k = 1e6, b = 10, EI = k / (4 * b * b * b * b), force = 1e-6 * k;
    Simulation sim(
        filled(R"J({"format": "tendril/1",
      "vines": {"v": {"bodies": $n, "length": 1, "diameter": 0.02, "massPerLength": 0.05, "bendingStiffness": $EI, "bendingDamping": 0.1}},
      "loads": [{"potential": "=0.5*$k*((x - X)^2 + (y - Y)^2)", "on": "v", "per": "length"}, {"force": [0, $force, 0], "at": "v:tip"}],
      "probes": {"tip": {"position": "v:tip"}}, "solver": {"dt": 0.01, "duration": 1}})J",
               {{"n", std::to_string(bodies)}, {"EI", digits(EI)}, {"force", digits(force)}, {"k", digits(k)}}));
    runToEnd(sim);
    const double error = vectorColumn(sim, "tip").y() / (2 * force * b / k) - 1;
    EXPECT_LT(std::abs(error), 30.0 / (bodies * bodies)) << bodies << " " << error;
    if (before != 0) {
      EXPECT_NEAR(before / error, 4, 0.5);
    }
    before = error;
  }
}

// The same laws about the axes of each plane make the same motion.
TEST(VineForceFields, AllPlanesAreAlike) {
  const std::string names[3][2] = {{"x", "y"}, {"x", "z"}, {"y", "z"}};
  std::vector<Vec2> tips;
  for (int k = 0; k < 3; ++k) {
    const std::string a = names[k][0], b = names[k][1];
    const auto vector = [&](const std::string& alongA, const std::string& alongB) {
      const std::string across = "\"=7*" + a + "*v" + b + "\"", first = "\"=" + alongA + "\"",
                        second = "\"=" + alongB + "\"";
      return k == 0   ? "[" + first + ", " + second + ", " + across + "]"
             : k == 1 ? "[" + first + ", " + across + ", " + second + "]"
                      : "[" + across + ", " + first + ", " + second + "]";
    };
    std::string upperA(1, static_cast<char>(std::toupper(a[0])));
    const std::string loads = "{\"line\": " + vector("0.4*" + b + " - 0.1*v" + a, "-0.3*" + a + " + 0.2*t" + a) +
                              ", \"on\": \"v\"}, {\"potential\": \"=2*(" + a + " - " + upperA + ")^2 + 0.01*t" + b +
                              "\", \"on\": \"v\"}";
    Simulation sim(filled(R"J({"format": "tendril/1", "loads": [$loads],
      "vines": {"v": {"bodies": 12, "length": 0.4, "diameter": 0.02, "massPerLength": 0.05, "bendingStiffness": 0.002, "bendingDamping": 1e-4,
        "plane": "$plane", "heading": 0.35}}, "probes": {"tip": {"position": "v:tip"}}, "solver": {"dt": 0.005, "duration": 1}})J",
                          {{"loads", loads}, {"plane", planes[k]}}));
    runToEnd(sim);
    const Vec3 tip = vectorColumn(sim, "tip");
    tips.emplace_back(k == 2 ? tip.y() : tip.x(), k == 0 ? tip.y() : tip.z());
  }
  EXPECT_GT((tips[0] - 0.4 * directionOf(0.35)).norm(), 0.05);
  EXPECT_LT((tips[1] - tips[0]).norm(), 1e-14);
  EXPECT_LT((tips[2] - tips[0]).norm(), 1e-14);
}

/// A bent vine, at rest where it is straight in its own curvature, in a field that turns velocities: what it has done
/// to a push after many steps.
struct Turned {
  Chain chain;
  std::vector<double> curvature;
  std::vector<BodySlopes> field;
  Actuation actuation;
};

void turn(Turned& of, double strength) {
  of.field.assign(static_cast<std::size_t>(of.chain.bodies()), {});
  for (std::size_t b = 0; b < of.field.size(); ++b) {
    BodySlopes& body = of.field[b];
    const Vec2 v = of.chain.velocity(static_cast<int>(b));
    body.force << strength * v.y(), -strength * v.x(), 0;
    body.damping(0, 1) = -strength, body.damping(1, 0) = strength;
  }
  of.actuation.fields = of.field;
}

TEST(VineForceFields, ThePartThatActsExplicitlyLimitsStepsAsTold) {
  Parameters p = Parameters::tube(6, 0.6);
  p.massPerLength = 0.1, p.bendingStiffness = 0.02, p.bendingDamping = 1e-4;
  Turned start{bentChain(p, 0.8), {}, {}, {}};
  std::fill(start.chain.v.begin(), start.chain.v.end(), 0.0);
  for (int i = 0; i < start.chain.pairs(); ++i)
    start.curvature.push_back(pinAngle(start.chain, i) / start.chain.pinLength(i));
  start.actuation.curvature = start.curvature;
  const double strength = 1;
  turn(start, strength);
  // Long enough that what is let through is none.
  const double duration = 400;
  EXPECT_TRUE(mayGrow(start.chain, start.field, 0.05, duration));
  const std::optional<double> longest = longestStep(start.chain, start.actuation, 0.05, duration);
  ASSERT_TRUE(longest);
  ASSERT_GT(*longest, 1e-4);
  EXPECT_FALSE(longestStep(start.chain, start.actuation, 0.98 * *longest, duration));
  const auto swings = [&](double dt, int steps) {
    Turned run = start;
    run.actuation.curvature = run.curvature;
    for (int b = 0; b < run.chain.bodies(); ++b) run.chain.v[static_cast<std::size_t>(3 * b + 2)] = 0;
    Step step;
    Pull push{run.chain.pairs() - 1, run.chain.pairLength(run.chain.pairs() - 1), Vec2(1e-5, 2e-5), Vec2::Zero(), 0};
    double early = 0, late = 0;
    for (int k = 0; k < steps; ++k) {
      turn(run, strength);
      run.actuation.pulls = k == 0 ? std::span<const Pull>(&push, 1) : std::span<const Pull>();
      EXPECT_TRUE(step.advance(run.chain, run.actuation, {}, dt).accepted());
      const double energy = test::kineticEnergy(run.chain);
      if (k >= steps / 2 && k < steps * 6 / 10) early = std::max(early, energy);
      if (k >= steps * 9 / 10) late = std::max(late, energy);
    }
    return late / early;
  };
  EXPECT_LT(swings(0.9 * *longest, 20000), 0.9);
  EXPECT_GT(swings(1.1 * *longest, 20000), 1.1);
}

/// A vine at rest, bent as it is by nature, in a field that turns velocities.
std::string turning(double strength, double dt) {
  std::string placements;
  Vec2 end = Vec2::Zero();
  for (int body = 0; body < 6; ++body) {
    const int pair = body / 2;
    const double angle = 0.3 + 0.6 * pair;
    const Vec2 center = end + 0.05 * directionOf(angle);
    end = center + 0.05 * directionOf(angle);
    placements +=
        (body > 0 ? ", [" : "[") + digits(center.x()) + ", " + digits(center.y()) + ", " + digits(angle) + "]";
  }
  return filled(R"J({"format": "tendril/1", "parameters": {"b": {"value": $b, "min": 0, "max": 100}},
    "vines": {"v": {"bodies": 6, "length": 0.6, "diameter": 0.02, "massPerLength": 0.1, "bendingStiffness": 0.02, "bendingDamping": 1e-4, "curvature": 3,
      "placements": [$placements]}},
    "loads": [{"line": ["=b*vy", "=-b*vx", 0], "on": "v"}], "probes": {"tip": {"position": "v:tip"}},
    "solver": {"dt": $dt, "duration": 20}})J",
                {{"b", digits(strength)}, {"dt", digits(dt)}, {"placements", placements}});
}

std::vector<std::string> warningsIn(Simulation& sim) {
  std::vector<std::string> all;
  while (!sim.finished()) {
    const Progress progress = sim.step();
    // Where it swings, other things are told too.
    for (const std::string& warning : progress.warnings)
      if (warning.find("force fields") != std::string::npos) all.push_back(warning);
  }
  return all;
}

TEST(VineForceFields, StepsThatAreTooLongForThemAreToldWithSeconds) {
  Simulation sim(turning(10, 0.02));
  const std::vector<std::string> told = warningsIn(sim);
  ASSERT_EQ(told.size(), 1u);
  const std::string words =
      "the force fields on vine \"v\" have a part that acts explicitly, for it is not symmetric or "
      "pushes away, and steps of 0.02 s let it swing up by itself: expected at most ";
  ASSERT_NE(told[0].find(words), std::string::npos) << told[0];
  const double seconds = std::stod(told[0].substr(told[0].find(words) + words.size()));
  EXPECT_GT(seconds, 1e-4);
  EXPECT_LT(seconds, 0.02);
  Simulation shorter(turning(10, 0.95 * seconds));
  EXPECT_TRUE(warningsIn(shorter).empty());
  // A drag that is symmetric says nothing.
  Simulation weak(turning(0, 0.02));
  EXPECT_TRUE(warningsIn(weak).empty());
}

TEST(VineForceFields, SavedRunsGoOnAsTheyWereAndParametersAct) {
  const std::string text = hanging(R"J({"line": ["=p*vz*z", 0, "=-p*(z - Z) - 0.02*vz*abs(vz)"], "on": "v"},
      {"potential": "=0.1*p*tx*z", "on": "v:tip"})J",
                                   R"("gravity": [0, 0, -2])", R"(, "look": {"color": "teal"})");
  std::string live = text;
  live.insert(1, R"("parameters": {"p": {"value": 0.5, "min": 0, "max": 5}}, )");
  Simulation first(live);
  first.advance(0.4);
  const std::vector<std::byte> saved = first.save();
  runToEnd(first);
  Simulation second(live);
  second.restore(saved);
  runToEnd(second);
  EXPECT_EQ(first.save(), second.save());
  Simulation changed(live);
  changed.restore(saved);
  ASSERT_TRUE(changed.set("p", 2));
  runToEnd(changed);
  EXPECT_GT((vectorColumn(changed, "tip") - vectorColumn(first, "tip")).norm(), 1e-3);
}

TEST(VineForceFields, BadOnesAreNamed) {
  struct Case {
    const char *load, *pointer, *message;
    const char* vine = "";
  };
  const Case cases[] = {
      {R"({"line": [0, 0, "=-Z"], "on": "v"})", "/loads/0/line",
       "X Y Z are where the point was at the start, and of vine \"v\", which grows, most is not there yet",
       R"("growth": 0.1)"},
      {R"({"potential": "=X", "on": "v"})", "/loads/0/potential", "which grows", R"("growth": 0.1)"},
      {R"({"line": [0, 0, "=nx"], "on": "v"})", "/loads/0/line",
       "nx ny nz are the normal of a shell, and this load acts on a vine, whose tangent is tx ty tz"},
      {R"({"moment": [0, 0, "=x"], "at": "v"})", "/loads/0/moment",
       "a vine takes a \"force\", a \"line\" and a \"potential\", and no \"moment\""},
      {R"({"potential": "=vx", "on": "v"})", "/loads/0/potential", "a potential does not see velocities"},
      {R"({"force": [0, 0, 1], "at": "v", "per": "area"})", "/loads/0/at", "counts by the area of shells"},
      {R"({"line": [0, 0, 1], "on": "v:tip"})", "/loads/0/on",
       "a load per length or mass acts along whole vines; expected \"v\""},
      {R"({"line": [0, 0, 1], "on": ["v", "w"]})", "/loads/0/on/1",
       "a load per length or mass acts on vines or on other bodies"},
      {R"({"force": ["=x", 0, 0], "at": "v@0.5"})", "/loads/0/at", "is not a position on a vine"},
      {R"({"force": ["=x", 0, 0], "at": "v", "share": true})", "/loads/0", "\"share\" divides one total force"},
      {R"({"line": ["=q", 0, 0], "on": "v"})", "/loads/0/line/0", "q"},
  };
  for (const Case& c : cases) {
    const Problems found = scene::problemsOf(scene::vineText(c.vine, "\"loads\": [" + std::string(c.load) + "]"));
    ASSERT_FALSE(found.empty()) << c.load;
    EXPECT_EQ(found[0].pointer, c.pointer) << c.load << found[0].message;
    EXPECT_NE(found[0].message.find(c.message), std::string::npos) << found[0].message;
  }
  // What has no value ends the run, and names the formula.
  Simulation sim(scene::vineText(
      "", R"J("loads": [{"line": [0, "=sqrt(0.05 - t)", 0], "on": "v"}], "solver": {"dt": 0.01, "duration": 1})J"));
  try {
    runToEnd(sim);
    ADD_FAILURE() << "it ran";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("sqrt(0.05 - t)"), std::string::npos) << error.what();
  }
}

}  // namespace vine_force_fields_test
}  // namespace tendril::vines
