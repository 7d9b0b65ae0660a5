// Loads that are formulas of their point, against problems that others solve: a magnetized ribbon in a field with a
// gradient against its boundary-value problem, the pull-in of a plate on a spring, and the waves of a pressed rod on a
// foundation.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <functional>

#include "engine/rods_shells/build_scene.h"

namespace tendril::test {
namespace force_fields_theory_test {

constexpr double pi = 3.14159265358979323846;

std::string number(double v) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", v);
  return text;
}

// In the plane y = 0: B = (2 z, 1 + 3 x) [T], a moment m per length along the tangent (cos a, sin a).
struct Ribbon {
  double EI, m, length;
  using State = Eigen::Matrix<double, 6, 1>;  // x, z, a, EI a', and the force (Nx, Nz) that holds the line together

  State slope(const State& y) const {
    const double c = std::cos(y[2]), s = std::sin(y[2]);
    const double Bx = 2 * y[1], Bz = 1 + 3 * y[0];
    // Of m t.B: its gradient by place pulls, that by the angle turns.
    State out;
    out << c, s, y[3] / EI, m * (s * Bx - c * Bz) + s * y[4] - c * y[5], -m * 3 * s, -m * 2 * c;
    return out;
  }
  State end(const Vec3& start) const {
    State y;
    y << 0, 0, 0, start[0], start[1], start[2];
    constexpr int steps = 2000;
    const double h = length / steps;
    for (int k = 0; k < steps; ++k) {
      const State k1 = slope(y), k2 = slope(y + 0.5 * h * k1), k3 = slope(y + 0.5 * h * k2), k4 = slope(y + h * k3);
      y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    return y;
  }
  /// Tip of the ribbon whose far end neither turns nor pulls.
  State solve() const {
    Vec3 start = Vec3::Zero();
    const Vec3 unit(EI / length, EI / (length * length), EI / (length * length));
    for (int k = 0; k < 50; ++k) {
      const Vec3 rest = end(start).tail<3>();
      if (rest.cwiseQuotient(unit).norm() < 1e-11) break;
      Mat3 J;
      for (int c = 0; c < 3; ++c) {
        const Vec3 step = 1e-6 * unit[c] * Vec3::Unit(c);
        J.col(c) = (end(start + step).tail<3>() - end(start - step).tail<3>()) / (2e-6 * unit[c]);
      }
      start -= J.partialPivLu().solve(rest);
    }
    return end(start);
  }
};

TEST(ForceFieldsTheory, AMagneticRibbonInAFieldWithAGradientTakesTheShapeOfItsBoundaryValueProblem) {
  const double radius = 2e-4, E = 3e6, length = 0.1;
  const Ribbon ribbon{E * pi / 4 * std::pow(radius, 4), 7e-7, length};
  const Ribbon::State exact = ribbon.solve();
  EXPECT_GT(exact[2], 0.8) << "the ribbon bends far";
  Vec3 error[3];
  int k = 0;
  for (const int edges : {40, 80, 160}) {
    SceneRun run(R"J({"format": "tendril/1",
      "materials": {"soft": {"youngs": )J" +
                 number(E) + R"J(, "poisson": 0.5, "density": 2000}},
      "rods": {"ribbon": {"section": {"circle": {"radius": )J" +
                 number(radius) + R"J(}}, "segments": )J" + std::to_string(edges) + R"J(,
        "path": {"line": {"from": [0, 0, 0], "to": [)J" +
                 number(length) + R"J(, 0, 0]}}}},
      "constraints": [{"clamp": "ribbon:first"}],
      "loads": [{"potential": "=-7e-7*(tx*2*z + tz*(1 + 3*x))", "on": "ribbon", "per": "length"}],
      "solver": {"mode": "static", "tolerance": 1e-10},
      "probes": {"tip": {"position": "ribbon:last"}}})J");
    run.toEnd();
    error[k++] = Vec3(run["tip.x"] - exact[0], 0, run["tip.z"] - exact[1]);
  }
  EXPECT_LT(error[2].norm(), 1e-3 * length);
  EXPECT_NEAR(std::log2(error[0].norm() / error[1].norm()), 2, 0.05);
  EXPECT_NEAR(std::log2(error[1].norm() / error[2].norm()), 2, 0.05);
  EXPECT_LT(((4 * error[2] - error[1]) / 3).norm(), 1e-4 * length);
}

// A charged strip above a plane on springs k: it snaps where V^2 = 8 k g^3 / (27 eps w), at a third of the gap g.
TEST(ForceFieldsTheory, AStripOnSpringsIsPulledInAtTheVoltageOfThePlate) {
  const double k = 50, gap = 1e-4, permittivity = 8.8541878128e-12, width = 0.01;
  const double pullIn = std::sqrt(8 * k * gap * gap * gap / (27 * permittivity * width));
  const auto run = [&](double voltage) {
    SceneRun out(R"J({"format": "tendril/1", "parameters": {"k": )J" + number(k) + R"J(, "V": )J" + number(voltage) +
                 R"J(},
      "materials": {"polymer": {"youngs": 1e5, "poisson": 0.2, "density": 2300}},
      "rods": {"strip": {"section": {"circle": {"radius": 0.001}}, "segments": 4, "path": {"line": {"from": [0, 0, 0], "to": [0.1, 0, 0]}}}},
      "loads": [{"potential": "=0.5*k*((x - X)^2 + (y - Y)^2 + z^2)", "on": "strip", "per": "length"},
                {"potential": "=-0.5*8.8541878128e-12*0.01*V^2/(1e-4 + z)", "on": "strip", "per": "length"}],
      "solver": {"mode": "static", "loadSteps": 20},
      "probes": {"middle": {"position": "strip:2"}}})J");
    return out.toEnd()["middle.z"];
  };
  const double sunk = run(0.999 * pullIn);
  // k z (g + z)^2 = -eps w V^2 / 2.
  const double c = 0.5 * permittivity * width * std::pow(0.999 * pullIn, 2);
  EXPECT_NEAR(k * sunk * (gap + sunk) * (gap + sunk), -c, 1e-6 * c);
  EXPECT_GT(sunk, -gap / 3);
  EXPECT_LT(sunk, -0.9 * gap / 3);
  EXPECT_THROW(run(1.001 * pullIn), GaveUp);
}

// Far from a small push in its middle, a rod that is pressed by P < 2 sqrt(k EI) waves with the number b of
// b^2 = sqrt(k / EI) / 2 + P / (4 EI), which comes to (k / EI)^(1/4) where it buckles (Hetenyi 1946).
TEST(ForceFieldsTheory, APressedRodOnAFoundationWavesWithTheNumberThatItBucklesWith) {
  const double radius = 0.002, E = 1e9, k = 2e4, EI = E * pi / 4 * std::pow(radius, 4);
  const double critical = 2 * std::sqrt(k * EI), P = 0.97 * critical;
  const double b = std::sqrt(0.5 * std::sqrt(k / EI) + P / (4 * EI)), length = 24 * pi / b;
  EXPECT_NEAR(b / std::pow(k / EI, 0.25), 1, 0.01);
  double error[2];
  for (const int refined : {0, 1}) {
    const int edges = refined ? 960 : 480;
    const std::string last = std::to_string(edges), middle = std::to_string(edges / 2);
    // Pressed without being shortened: as stiff along itself as it is not across.
    SceneRun run(R"J({"format": "tendril/1", "parameters": {"k": 2e4},
      "rods": {"rod": {"section": {"stiffness": {"EA": 1e6, "EI1": )J" +
                 number(EI) + R"J(, "EI2": )J" + number(EI) + R"J(, "GJ": )J" + number(EI) +
                 R"J(, "massPerLength": 0.01}}, "segments": )J" + last + R"J(,
        "path": {"line": {"from": [0, 0, 0], "to": [)J" +
                 number(length) + R"J(, 0, 0]}}}},
      "constraints": [{"fix": "rod:)J" +
                 middle + R"J(", "axes": "x"}],
      "loads": [{"potential": "=0.5*k*(y^2 + z^2)", "on": "rod", "per": "length"},
                {"force": [)J" +
                 number(P) + R"J(, 0, 0], "at": "rod:first"}, {"force": [)J" + number(-P) +
                 R"J(, 0, 0], "at": "rod:last"},
                {"force": [0, 0, 1e-6], "at": "rod:)J" +
                 middle + R"J("}],
      "solver": {"mode": "static", "tolerance": 1e-9}, "probes": {"middle": {"position": "rod:)J" +
                 middle + R"J("}}})J");
    run.toEnd();
    std::vector<double> zeros;
    const Snapshot& shape = run.sim.snapshot();
    const auto z = [&](int i) { return static_cast<double>(shape.positions[static_cast<std::size_t>(3 * i + 2)]); };
    const double h = length / edges;
    for (int i = edges / 2; i < 3 * edges / 4; ++i) {
      if (z(i) * z(i + 1) < 0) zeros.push_back(h * (i + z(i) / (z(i) - z(i + 1))));
    }
    ASSERT_GT(zeros.size(), 4u);
    const double number = pi * static_cast<double>(zeros.size() - 2) / (zeros.back() - zeros[1]);
    error[refined] = number / b - 1;
  }
  EXPECT_LT(std::abs(error[1]), 2e-3);
  EXPECT_LT(std::abs(error[1]), 0.5 * std::abs(error[0]));
}

}  // namespace force_fields_theory_test
}  // namespace tendril::test
