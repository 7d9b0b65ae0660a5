// Modes and critical loads against closed forms: from three meshes, of order 2, extrapolated.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "engine/simulation/run_scene.h"
#include "tendril/machine.h"

namespace tendril::test {
namespace modes_theory_test {

constexpr double pi = 3.14159265358979323846;
using Values = std::map<std::string, std::string>;

std::vector<double> frequencies(const std::string& text, int count, int skip = 0) {
  Simulation sim(text);
  while (!sim.finished() && sim.isStatic()) sim.step();
  std::vector<double> out;
  for (const Mode& mode : Machine(sim).modes(count + skip)) {
    if (skip-- > 0) continue;
    out.push_back(2 * pi * mode.frequency);
  }
  return out;
}

/// Three meshes, each with twice the pieces of the one before: raw order 2, and extrapolated to `tolerance`.
void expectOrderTwo(const std::vector<double>& exact, double tolerance,
                    const std::function<std::vector<double>(int)>& of, int pieces) {
  const std::vector<double> coarse = of(pieces), middle = of(2 * pieces), fine = of(4 * pieces);
  for (std::size_t i = 0; i < exact.size(); ++i) {
    const double e0 = middle[i] - coarse[i], e1 = fine[i] - middle[i];
    const double order = std::log2(e0 / e1);
    const double limit = fine[i] + e1 / 3;
    // Below this the differences are round-off.
    if (std::abs(e1) > 1e-9 * exact[i]) {
      EXPECT_NEAR(order, 2, 0.3) << "mode " << i;
    }
    EXPECT_NEAR(limit / exact[i], 1, tolerance) << "mode " << i;
  }
}

TEST(ModesTheory, ABeamClampedAtOneEnd) {
  const double EI = 2, rhoA = 0.7, L = 1.3;
  std::vector<double> exact;
  for (const double b : {1.8751040687, 4.6940911330, 7.8547574382, 10.9955407349})
    exact.push_back(b * b / (L * L) * std::sqrt(EI / rhoA));
  expectOrderTwo(
      exact, 1e-4,
      [&](int n) {
        return frequencies(filled(R"J({"format": "tendril/1",
      "rods": {"beam": {"section": {"stiffness": {"EA": 1e6, "EI1": 2, "EI2": 2, "GJ": 1}, "massPerLength": 0.7, "radius": 1e-3},
        "segments": $n, "path": {"line": {"from": [0, 0, 0], "to": [1.3, 0, 0]}}}},
      "constraints": [{"clamp": "beam:first"}, {"planar": "xz"}], "solver": {"duration": 1}})J",
                                  {{"n", std::to_string(n)}}),
                           4);
      },
      20);
}

TEST(ModesTheory, AStringThatIsPulled) {
  // Pinned at both ends with a tension T: omega^2 = (T k^2 + EI k^4) / rhoA with k = i pi / L.
  const double EA = 1e4, strain = 0.01, EI = 1e-3, rhoA = 0.05, L = 1.01;
  const double T = EA * strain;
  std::vector<double> exact;
  for (int i = 1; i <= 4; ++i) {
    const double k = i * pi / L;
    // The rod is longer than when it was made: what it weighs per length is less, and its natural bends are shorter.
    exact.push_back(std::sqrt((T * k * k + EI * (1 + strain) * k * k * k * k) / (rhoA / (1 + strain))));
  }
  expectOrderTwo(
      exact, 1e-4,
      [&](int n) {
        return frequencies(filled(R"J({"format": "tendril/1",
      "rods": {"string": {"section": {"stiffness": {"EA": 1e4, "EI1": 1e-3, "EI2": 1e-3, "GJ": 1e-3}, "massPerLength": 0.05, "radius": 1e-3},
        "segments": $n, "path": {"line": {"from": [0, 0, 0], "to": [1, 0, 0]}}}},
      "constraints": [{"fix": "string:first"}, {"move": "string:last", "displacement": [0.01, 0, 0]}, {"planar": "xz"}],
      "solver": {"mode": "static", "duration": 1}})J",
                                  {{"n", std::to_string(n)}}),
                           4);
      },
      20);
}

TEST(ModesTheory, ARingThatFloats) {
  // In its plane omega^2 = EI / (rhoA R^4) i^2 (i^2 - 1)^2 / (i^2 + 1), i = 2, 3, ..., each twice; three rigid motions.
  const double EI = 1, rhoA = 1, R = 1;
  std::vector<double> exact;
  for (const double i : {2.0, 2.0, 3.0, 3.0})
    exact.push_back(std::sqrt(EI / (rhoA * std::pow(R, 4)) * i * i * (i * i - 1) * (i * i - 1) / (i * i + 1)));
  expectOrderTwo(
      exact, 1e-4,
      [&](int n) {
        return frequencies(filled(R"J({"format": "tendril/1",
      "rods": {"ring": {"section": {"stiffness": {"EA": 1e6, "EI1": 1, "EI2": 1, "GJ": 1}, "massPerLength": 1, "radius": 1e-3},
        "segments": $n, "path": {"arc": {"center": [0, 0, 0], "from": [1, 0, 0], "axis": [0, 1, 0], "angle": "=2*pi"}}}},
      "joints": [{"weld": ["ring:first", "ring:last"]}], "constraints": [{"planar": "xz"}], "solver": {"duration": 1}})J",
                                  {{"n", std::to_string(n)}}),
                           4, 3);
      },
      24);
}

// Meshes of one pattern, each vertex of which is one of the finer ones: others converge as well, but not evenly.
TEST(ModesTheory, APlateOnSimpleSupports) {
  const double E = 1e9, nu = 0.3, h = 2e-3, rho = 1000, a = 1, b = 0.7;
  const double D = E * h * h * h / (12 * (1 - nu * nu));
  std::vector<double> exact;
  for (const auto& [i, j] : std::vector<std::pair<int, int>>{{1, 1}, {2, 1}, {1, 2}, {3, 1}})
    exact.push_back(pi * pi * (i * i / (a * a) + j * j / (b * b)) * std::sqrt(D / (rho * h)));
  expectOrderTwo(
      exact, 1e-4,
      [&](int n) {
        return frequencies(filled(R"J({"format": "tendril/1",
      "materials": {"m": {"youngs": 1e9, "poisson": 0.3, "density": 1000}},
      "shells": {"plate": {"thickness": 2e-3, "mesh": {"rectangle": {"corner": [-0.5, -0.35, 0], "along": [1, 0, 0], "across": [0, 0.7, 0], "edge": $m, "pattern": "right-isosceles"}}}},
      "constraints": [{"fix": {"of": "plate", "where": "abs(abs(x) - 0.5) < 1e-6 || abs(abs(y) - 0.35) < 1e-6"}, "axes": "z"},
                      {"fix": {"of": "plate", "where": "abs(x) + abs(y) < 2"}, "axes": "xy"}],
      "solver": {"duration": 1}})J",
                                  {{"m", digits(1.0 / n)}}),
                           4);
      },
      20);
}

TEST(ModesTheory, LinksThatSwing) {
  // Two equal point masses on massless arms, in gravity: omega^2 = g / L (2 -+ sqrt 2).
  const double g = 9.81, L = 0.4;
  const std::vector<double> got = frequencies(R"J({"format": "tendril/1",
    "linkages": {"chain": {"base": {"forward": [0, 0, -1], "up": [1, 0, 0]}, "links": {
      "a": {"joint": {"revolute": {"axis": "y"}}, "body": {"rigid": {"length": 0.4, "mass": 0.3, "inertia": [0, 0, 0], "center": [0.4, 0, 0]}}},
      "b": {"joint": {"revolute": {"axis": "y"}}, "body": {"rigid": {"length": 0.4, "mass": 0.3, "inertia": [0, 0, 0], "center": [0.4, 0, 0]}}}}}},
    "environment": {"gravity": [0, 0, -9.81]}, "solver": {"duration": 1}})J",
                                              2);
  EXPECT_NEAR(got[0], std::sqrt(g / L * (2 - std::sqrt(2.0))), 1e-9);
  EXPECT_NEAR(got[1], std::sqrt(g / L * (2 + std::sqrt(2.0))), 1e-9);
}

// A hanging chain of more and more rods is the continuous one, whose modes are Bessel functions of order 0.
TEST(ModesTheory, AHangingChainOfLinks) {
  const double g = 9.81, L = 1.6;
  std::vector<double> exact;
  for (const double zero : {2.404825557695773, 5.520078110286311, 8.653727912911013, 11.791534439014281})
    exact.push_back(0.5 * zero * std::sqrt(g / L));
  expectOrderTwo(
      exact, 1e-4,
      [&](int n) {
        return frequencies(filled(R"J({"format": "tendril/1",
      "linkages": {"chain": {"base": {"forward": [0, 0, -1], "up": [1, 0, 0]}, "links": {
        "a{k}": {"repeat": {"k": $n}, "joint": {"revolute": {"axis": "y"}}, "body": {"rigid": {"length": $length, "mass": $mass, "inertia": [0, $turn, $turn]}}}}}},
      "environment": {"gravity": [0, 0, -9.81]}, "solver": {"duration": 1}})J",
                                  {{"n", std::to_string(n)},
                                   {"length", digits(L / n)},
                                   {"mass", digits(0.5 / n)},
                                   {"turn", digits(0.5 / n * L * L / (12.0 * n * n))}}),
                           4);
      },
      24);
}

TEST(ModesTheory, DampingRatios) {
  // A mass on a hinge with a spring and a damper, below and above critical damping.
  for (const double c : {0.01, 0.3, 5.0}) {
    Simulation sim(filled(R"J({"format": "tendril/1",
      "linkages": {"one": {"links": {"a": {"joint": {"prismatic": {"axis": "x", "stiffness": 4, "damping": $c}},
        "body": {"rigid": {"length": 0, "mass": 0.25, "inertia": [1, 1, 1]}}}}}}, "solver": {"duration": 1}})J",
                          {{"c", digits(c)}}));
    const std::vector<Mode> modes = Machine(sim).modes(1);
    ASSERT_EQ(modes.size(), 1u);
    EXPECT_NEAR(2 * pi * modes[0].frequency, 4, 1e-12);
    EXPECT_NEAR(modes[0].damping, c / (2 * std::sqrt(4 * 0.25)), 1e-12);
    EXPECT_FALSE(modes[0].estimate);
  }
}

TEST(ModesTheory, APrestressedColumnGoesSlackAtEulersLoad) {
  // omega^2 = omega0^2 (1 - P / Pcr) for a column between pins.
  const auto lowest = [&](double P) {
    return frequencies(filled(R"J({"format": "tendril/1",
      "rods": {"c": {"section": {"stiffness": {"EA": 1e7, "EI1": 1, "EI2": 1, "GJ": 1}, "massPerLength": 1, "radius": 1e-3},
        "segments": 50, "path": {"line": {"from": [0, 0, 0], "to": [0, 0, 1]}}}},
      "constraints": [{"fix": "c:first"}, {"fix": "c:last", "axes": "xy"}, {"planar": "xz"}],
      "loads": [{"force": [0, 0, -$P], "at": "c:last"}],
      "solver": {"mode": "static", "duration": 1}})J",
                              {{"P", digits(P)}}),
                       1)[0];
  };
  const double w0 = lowest(0), w = lowest(5);
  EXPECT_NEAR(w * w / (w0 * w0), 1 - 5 / (pi * pi), 2e-3);
}

std::string column(const std::string& more, const std::string& constraints) {
  return filled(R"J({"format": "tendril/1",
      "rods": {"c": {"section": {"stiffness": {"EA": 1e7, "EI1": 1, "EI2": 1, "GJ": 1}, "massPerLength": 1, "radius": 1e-3},
        "segments": 50, "path": {"line": {"from": [0, 0, 0], "to": [0, 0, 1]}}}},
      "constraints": $constraints, "loads": [$more], "solver": {"mode": "static", "duration": 1}})J",
                {{"constraints", constraints}, {"more", more}});
}

TEST(CriticalLoads, ALoadThatAlsoBendsHasNone) {
  const char* clamped = R"J([{"clamp": "c:first"}, {"planar": "xz"}])J";
  Simulation leans(column(R"J({"force": [0.01, 0, -1], "at": "c:last"})J", clamped));
  EXPECT_THROW(Machine(leans).criticalLoads(1), NotLinear);
  Simulation bends(column(R"J({"force": [1, 0, 0], "at": "c:last"})J", clamped));
  EXPECT_THROW(Machine(bends).criticalLoads(1), NotLinear);
  Simulation pulled(column(R"J({"force": [0, 0, 1], "at": "c:last"})J", clamped));
  EXPECT_TRUE(Machine(pulled).criticalLoads(3).empty()) << "nothing buckles under tension";
}

// A side force of any size leaves Euler's load, by no more than each factor says of itself, or is refused: nothing in
// between, and never that it makes nothing unstable.
TEST(CriticalLoads, ASideLoadLeavesEulersLoadOrIsRefused) {
  const auto factorsBeside = [](double side, int count) {
    Simulation sim(filled(R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "density": 1000}},
      "rods": {"b": {"section": {"circle": {"radius": 0.003}}, "segments": 20, "path": {"line": {"from": [0, 0, 0], "to": [0.2, 0, 0]}}}},
      "constraints": [{"clamp": "b:first"}, {"planar": "xz"}], "loads": [{"force": [-1, 0, $side], "at": "b:last"}],
      "solver": {"mode": "static"}})J",
                          {{"side", digits(-side)}}));
    return Machine(sim).criticalLoads(count);
  };
  const std::vector<CriticalLoad> exact = factorsBeside(0, 3);
  ASSERT_EQ(exact.size(), 3u);
  EXPECT_LT(exact[0].error, 1e-3);
  int told = 0, refused = 0;
  for (const double side :
       {1e-5, 1e-4, 3e-4, 1e-3, 2e-3, 4e-3, 7e-3, 8e-3, 9e-3, 0.01, 0.012, 0.015, 0.018, 0.03, 0.1, 0.3, 1.0}) {
    try {
      const std::vector<CriticalLoad> found = factorsBeside(side, 3);
      ASSERT_FALSE(found.empty()) << "side " << side << ": that makes nothing unstable";
      for (std::size_t i = 0; i < found.size(); ++i)
        EXPECT_LE(std::abs(found[i].factor / exact[i].factor - 1), found[i].error + exact[i].error) << "side " << side;
      EXPECT_NEAR(found[0].factor / exact[0].factor, 1, 0.02) << "side " << side;
      ++told;
    } catch (const NotLinear& error) {
      EXPECT_NE(std::string(error.what()).find("the loads bend the structure"), std::string::npos) << error.what();
      ++refused;
    }
  }
  EXPECT_GE(told, 2) << "what hardly bends has its factors";
  EXPECT_GE(refused, 10);
}

// Loads that change no stiffness at all are none that something is sought in.
TEST(CriticalLoads, WithoutLoadsThereAreNone) {
  Simulation sim(R"J({"format": "tendril/1", "materials": {"m": {"youngs": 7e10, "density": 2700, "poisson": 0.3}},
    "rods": {"b": {"section": {"circle": {"radius": 0.002}}, "segments": 80, "path": {"line": {"from": [0, 0, 0], "to": [1, 0, 0]}}}},
    "constraints": [{"clamp": "b:first"}], "solver": {"mode": "static"}})J");
  EXPECT_TRUE(Machine(sim).criticalLoads(1).empty());
}

std::string whyNoModes(const std::string& text, double until = 0) {
  Simulation sim(text);
  while (sim.isStatic() ? !sim.finished() : sim.time() < until) sim.step();
  try {
    Machine(sim).modes(2);
  } catch (const NotLinear& error) {
    return error.what();
  }
  return "";
}

std::string armed(const std::string& more) {
  return filled(R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "density": 1000}},
    "rods": {"b": {"section": {"circle": {"radius": 0.002}}, "segments": 10, "path": {"line": {"from": [0, 0, 0], "to": [0.1, 0, 0]}}}},
    $more})J",
                {{"more", more}});
}

TEST(ModesTheory, ForcesThatTurnTheMotionHaveNone) {
  const auto across = [](const char* y, const char* z, const char* environment) {
    return armed(filled(R"J("constraints": [{"clamp": "b:first"}], "solver": {"mode": "static"},
      "loads": [{"line": [0, "=$y", "=$z"], "on": "b"}], "environment": {$environment})J",
                        {{"y", y}, {"z", z}, {"environment", environment}}));
  };
  for (const char* environment : {"", R"("viscous": 0.3)", R"("viscous": 300)"}) {
    EXPECT_NE(whyNoModes(across("-0.3*vz", "0.3*vy", environment)).find("turn the motion"), std::string::npos)
        << environment;
    EXPECT_EQ(whyNoModes(across("-0.3*vy", "-0.1*vz", environment)), "") << "drag turns nothing: " << environment;
  }
  EXPECT_NE(whyNoModes(across("-3e-4*vz", "3e-4*vy", R"("viscous": 0.3)")).find("turn the motion"), std::string::npos);
}

TEST(ModesTheory, WhatIsHeldRests) {
  const auto driven = [](const char* constraint) {
    return armed(filled(R"J("constraints": [$constraint], "solver": {"dt": 1e-3, "duration": 1})J",
                        {{"constraint", constraint}}));
  };
  for (const char* constraint : {R"J({"clamp": "b:first", "rotation": {"axis": [0, 0, 1], "angle": "=3*t"}})J",
                                 R"J({"clamp": "b:first", "displacement": [0, "=0.1*t", 0]})J",
                                 R"J({"clamp": "b:first", "velocity": [0, 0.1, 0]})J"}) {
    EXPECT_NE(whyNoModes(driven(constraint)).find("the support in /constraints/0 moves"), std::string::npos)
        << constraint;
  }
  for (const char* constraint :
       {R"J({"clamp": "b:first", "rotation": {"axis": [0, 0, 1], "angle": "=3*t^3"}})J",
        R"J({"clamp": "b:first", "displacement": [0, "=0.1*(1-cos(5*t))", 0]})J",
        R"J({"clamp": "b:first", "velocity": [0, "=0.1*t", 0]})J", R"J({"clamp": "b:first"})J"}) {
    EXPECT_EQ(whyNoModes(driven(constraint)), "") << constraint << ": it begins at rest";
  }
}

TEST(ModesTheory, ADriveThatAcceleratesIsNamed) {
  // Out of line, and in line, where no stiffness feels that the hub pulls the link across.
  for (const char* natural : {"5", "0"}) {
    const std::string why =
        whyNoModes(filled(R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "density": 1000}},
      "linkages": {"a": {"links": {"h": {"joint": {"revolute": {"axis": "z", "angle": "=300*t^2"}},
        "body": {"rigid": {"length": 0.1, "section": {"circle": {"radius": 0.01}}, "density": 1000}}},
        "s": {"body": {"soft": {"length": 0.2, "section": {"circle": {"radius": 0.005}}, "strains": {"bendY": 2, "bendZ": 2},
          "natural": {"bendZ": $natural}}}}}}}, "solver": {"dt": 0.001, "duration": 1}})J",
                          {{"natural", natural}}));
    EXPECT_NE(why.find("the drive of the joint in /linkages/a/links/h/joint"), std::string::npos) << why;
  }
}

// Springs of a bed would grow with the load.
TEST(CriticalLoads, AFieldIsNoLoadThatGrows) {
  Simulation sim(R"J({"format": "tendril/1",
    "rods": {"beam": {"section": {"stiffness": {"EA": 1e6, "EI1": 2, "EI2": 2, "GJ": 1}, "massPerLength": 0.7, "radius": 1e-3},
      "segments": 20, "path": {"line": {"from": [0, 0, 0], "to": [1, 0, 0]}}}},
    "constraints": [{"fix": "beam:first"}, {"fix": "beam:last", "axes": "yz"}, {"planar": "xz"}],
    "loads": [{"force": [-1, 0, 0], "at": "beam:last"}, {"potential": "=50*z^2", "on": "beam", "per": "length"}],
    "solver": {"mode": "static"}})J");
  while (!sim.finished()) sim.step();
  try {
    Machine(sim).criticalLoads(1);
    FAIL() << "a bed of springs grew with the load";
  } catch (const NotLinear& error) {
    EXPECT_NE(std::string(error.what()).find("/loads/1"), std::string::npos);
  }
}

TEST(CriticalLoads, WhatNothingResistsAndNoLoadPushesIsNoInstability) {
  // Between pins the column may spin about itself.
  Simulation sim(column(R"J({"force": [0, 0, -1], "at": "c:last"})J",
                        R"J([{"fix": "c:first"}, {"fix": "c:last", "axes": "xy"}])J"));
  const std::vector<CriticalLoad> loads = Machine(sim).criticalLoads(2);
  ASSERT_EQ(loads.size(), 2u);
  EXPECT_NEAR(loads[0].factor / (pi * pi), 1, 1e-3);
  EXPECT_NEAR(loads[1].factor / loads[0].factor, 1, 1e-6) << "the other way";
}

TEST(ModesTheory, EqualModesAreCountedTogether) {
  std::string rods;
  for (int i = 0; i < 6; ++i)
    rods += (i ? ", " : "") + filled(R"J("r$i": {"section": {"stiffness": {"EA": 1e6, "EI1": 2, "EI2": 2, "GJ": 1},
      "massPerLength": 0.7, "radius": 1e-3}, "segments": 8, "path": {"line": {"from": [0, $i, 0], "to": [1, $i, 0]}}})J",
                                     {{"i", std::to_string(i)}});
  Simulation sim(R"J({"format": "tendril/1", "rods": {)J" + rods +
                 R"J(}, "constraints": [{"clamp": ["r0:first", "r1:first",
    "r2:first", "r3:first", "r4:first", "r5:first"]}], "solver": {"duration": 1}})J");
  for (const int count : {1, 4, 13}) {
    const std::vector<Mode> modes = Machine(sim).modes(count);
    ASSERT_EQ(modes.size(), static_cast<std::size_t>(count));
    for (int i = 0; i < std::min(count, 12); ++i)
      EXPECT_NEAR(modes[static_cast<std::size_t>(i)].frequency / modes[0].frequency, 1, 1e-8);
    if (count > 12) {
      EXPECT_GT(modes[12].frequency, 3 * modes[0].frequency);
    }
  }
}

TEST(ModesTheory, WhatGrowsIsSlowedByItsDamper) {
  // An inverted pendulum: J mu^2 + c mu - m g a = 0.
  const double m = 0.2, a = 0.3, c = 0.05, g = 9.81, J = m * a * a;
  Simulation sim(filled(R"J({"format": "tendril/1",
    "linkages": {"p": {"base": {"forward": [0, 0, 1], "up": [1, 0, 0]}, "links": {"a": {"joint": {"revolute": {"axis": "y", "damping": $c}},
      "body": {"rigid": {"length": 0.3, "mass": 0.2, "inertia": [0, 0, 0], "center": [0.3, 0, 0]}}}}}},
    "environment": {"gravity": [0, 0, -9.81]}, "solver": {"duration": 1}})J",
                        {{"c", digits(c)}}));
  const std::vector<Mode> modes = Machine(sim).modes(1);
  EXPECT_NEAR(modes[0].growth, (-c + std::sqrt(c * c + 4 * J * m * g * a)) / (2 * J), 1e-8);
  EXPECT_EQ(modes[0].frequency, 0);
}

std::string fineColumn(int edges) {
  return filled(R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e9, "poisson": 0.3, "density": 1000}},
    "rods": {"c": {"section": {"circle": {"radius": 0.005}}, "segments": $n, "path": {"line": {"from": [0, 0, 0], "to": [0, 0, 1]}}}},
    "constraints": [{"clamp": "c:first"}], "loads": [{"force": [0, 0, -1], "at": "c:last"}], "solver": {"mode": "static"}})J",
                {{"n", std::to_string(edges)}});
}

// Round-off in the stiffness of bending grows with the cube of the number of edges, and drowns small loads.
TEST(CriticalLoads, FineColumnsHaveEulersLoadOrAreRefused) {
  const double euler = 0.25 * pi * pi * 1e9 * 0.25 * pi * std::pow(0.005, 4);
  for (const int edges : {300, 700}) {
    Simulation sim(fineColumn(edges));
    EXPECT_NEAR(Machine(sim).criticalLoads(1).at(0).factor / euler, 1, 2e-4) << edges;
  }
  Simulation sim(fineColumn(2500));
  try {
    const double factor = Machine(sim).criticalLoads(1).at(0).factor;
    EXPECT_NEAR(factor / euler, 1, 1e-3);
  } catch (const NotLinear& error) {
    EXPECT_NE(std::string(error.what()).find("edges in \"c\" in place of 2500"), std::string::npos) << error.what();
  }
}

TEST(CriticalLoads, WhereNothingIsFreeThereAreNone) {
  for (
      const char* scene : {
          R"J({"format": "tendril/1", "linkages": {"a": {"links": {"h": {"joint": {"revolute": {"axis": "y", "angle": 1}},
             "body": {"rigid": {"length": 0.2, "mass": 1, "inertia": [1, 1, 1]}}}}}}, "solver": {"mode": "static"}})J",
          R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "density": 1000}}, "rods": {"r": {"section": {"circle":
             {"radius": 0.01}}, "segments": 4, "path": {"line": {"from": [0, 0, 0], "to": [1, 0, 0]}}}},
             "constraints": [{"fix": "r"}, {"fixTwist": "r"}], "solver": {"mode": "static"}})J"}) {
    Simulation sim(scene);
    EXPECT_THROW(Machine(sim).criticalLoads(1), NotLinear);
  }
}

// Greenhill: a shaft that its end twists, with a clamp that keeps its place, at 8.9868 EI / (G J) of turn.
TEST(CriticalLoads, AClampMayTurnAsFarAsItTakes) {
  Simulation sim(R"J({"format": "tendril/1",
    "rods": {"c": {"section": {"stiffness": {"EA": 1e7, "EI1": 1, "EI2": 1, "GJ": 0.8}, "massPerLength": 1, "radius": 1e-3},
      "segments": 100, "path": {"line": {"from": [0, 0, 0], "to": [1, 0, 0]}}}},
    "constraints": [{"clamp": "c:first"}, {"clamp": "c:last", "rotation": {"axis": [1, 0, 0], "angle": 0.1}}],
    "solver": {"mode": "static"}})J");
  EXPECT_NEAR(Machine(sim).criticalLoads(1).at(0).factor / (8.98682 / 0.8 / 0.1), 1, 5e-3);
}

std::string thread(const char* radius, const char* more, int edges = 1000) {
  return filled(R"J({"format": "tendril/1", "materials": {"m": {"youngs": 3e9, "density": 1300}},
    "rods": {"hair": {"section": {"circle": {"radius": $radius}}, "segments": $edges, "path": {"line": {"from": [0, 0, 0], "to": [0.1, 0.2, -0.4]}}}},
    $more "solver": {"duration": 1}})J",
                {{"radius", radius}, {"edges", std::to_string(edges)}, {"more", more}});
}

// Stretching is 1e15 times as stiff as bending: that hides neither the bending of a hair, nor that a free one is free.
TEST(ModesTheory, AHairHasItsFrequencies) {
  const double length = std::sqrt(0.21), c = std::sqrt(3e9 / 1300.0) * 0.5 * 3e-5 / (length * length) / (2 * pi);
  Simulation held(thread("3e-5", R"J("constraints": [{"clamp": "hair:first"}],)J"));
  for (const Mode& mode : Machine(held).modes(2)) {
    EXPECT_FALSE(mode.rigid);
    EXPECT_NEAR(mode.frequency / (1.8751040687 * 1.8751040687 * c), 1, 2e-3);
  }
  Simulation loose(thread("3e-5", ""));
  const std::vector<Mode> modes = Machine(loose).modes(8);
  for (int i = 0; i < 8; ++i) {
    const Mode& mode = modes[static_cast<std::size_t>(i)];
    EXPECT_EQ(mode.rigid, i < 6) << i;
    EXPECT_EQ(mode.hidden, 0);
    if (i >= 6) {
      EXPECT_NEAR(mode.frequency / (4.7300407449 * 4.7300407449 * c), 1, 2e-3);
    }
  }
}

TEST(ModesTheory, WhatRoundOffHidesIsNotRigid) {
  Simulation sim(thread("3e-8", R"J("constraints": [{"clamp": "hair:first"}],)J", 400));
  const double exact = 1.8751040687 * 1.8751040687 * std::sqrt(3e9 / 1300.0) * 0.5 * 3e-8 / 0.21 / (2 * pi);
  const Mode mode = Machine(sim).modes(1).at(0);
  EXPECT_FALSE(mode.rigid);
  EXPECT_EQ(mode.frequency, 0);
  EXPECT_GT(mode.hidden, exact);
  // A soft slider beside one that is far stiffer.
  Simulation sliders(R"J({"format": "tendril/1", "linkages": {
    "a": {"links": {"b": {"joint": {"prismatic": {"axis": "x", "stiffness": 1e12}}, "body": {"rigid": {"length": 0, "mass": 1, "inertia": [1, 1, 1]}}}}},
    "c": {"links": {"d": {"joint": {"prismatic": {"axis": "x", "stiffness": 1e-3}}, "body": {"rigid": {"length": 0, "mass": 1, "inertia": [1, 1, 1]}}}}},
    "e": {"links": {"f": {"joint": {"prismatic": {"axis": "x"}}, "body": {"rigid": {"length": 0, "mass": 1, "inertia": [1, 1, 1]}}}}}},
    "solver": {"duration": 1}})J");
  const std::vector<Mode> modes = Machine(sliders).modes(3);
  EXPECT_TRUE(modes[0].rigid);
  EXPECT_FALSE(modes[1].rigid);
  EXPECT_NEAR(2 * pi * modes[1].frequency, std::sqrt(1e-3), 1e-9);
}

TEST(CriticalLoads, EulersFourColumns) {
  struct Column {
    const char* name;
    const char* constraints;
    double factor;    ///< of pi^2 EI / L^2
    double load = 1;  ///< that a factor of 1 stands for [N]
  };
  const Column columns[] = {
      {"free", R"J([{"clamp": "c:first"}, {"planar": "xz"}])J", 0.25},
      {"pins", R"J([{"fix": "c:first"}, {"fix": "c:last", "axes": "xy"}, {"planar": "xz"}])J", 1},
      {"clamp and pin", R"J([{"clamp": "c:first"}, {"fix": "c:last", "axes": "xy"}, {"planar": "xz"}])J", 2.045748},
      // The upper clamp comes down: the load is what that takes.
      {"clamps", R"J([{"clamp": "c:first"}, {"clamp": "c:last", "displacement": [0, 0, -1e-6]}, {"planar": "xz"}])J", 4,
       10},
  };
  for (const Column& column : columns) {
    Simulation sim(filled(R"J({"format": "tendril/1",
      "rods": {"c": {"section": {"stiffness": {"EA": 1e7, "EI1": 1, "EI2": 1, "GJ": 1}, "massPerLength": 1, "radius": 1e-3},
        "segments": 50, "path": {"line": {"from": [0, 0, 0], "to": [0, 0, 1]}}}},
      "constraints": $constraints, "loads": [{"force": [0, 0, $load], "at": "c:last"}],
      "solver": {"mode": "static", "duration": 1}})J",
                          {{"constraints", column.constraints}, {"load", column.factor == 4 ? "0" : "-1"}}));
    const std::vector<CriticalLoad> loads = Machine(sim).criticalLoads(2);
    ASSERT_FALSE(loads.empty()) << column.name;
    // A chain of edges h bends in waves of k under 2 (1 - cos k h) / h^2 in place of k^2: 0.13 % less between clamps.
    const double k = std::sqrt(column.factor) * pi, h = 1.0 / 50;
    EXPECT_NEAR(loads[0].factor * column.load / (2 * (1 - std::cos(k * h)) / (h * h)), 1, 2e-4) << column.name;
    EXPECT_NEAR(loads[0].factor * column.load / (column.factor * pi * pi), 1, 1.4e-3) << column.name;
  }
}

}  // namespace modes_theory_test
}  // namespace tendril::test
