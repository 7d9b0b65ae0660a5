// The published finger and snake, for the second solver (planar_rod.h) and for Tendril.
#pragma once

#include <string>
#include <utility>

#include "engine/simulation/run_scene.h"
#include "engine/validation/planar_rod.h"
#include "engine/validation/statics_run.h"
#include "geometry/types.h"

namespace tendril::test {

inline constexpr StopRule publishedRule{1e-4, 1e-4, 1e-2};  // rather loose
inline constexpr StopRule toTheEnd{1e-10, 1e-10, 1e-9};

/// A soft rod of radius 1 mm without gravity.
inline PlanarRod softRod(int edges, double length) {
  constexpr double radius = 1e-3, youngs = 2e6;
  PlanarRod rod;
  rod.EA = youngs * pi * radius * radius;
  rod.EI = youngs * pi * radius * radius * radius * radius / 4;
  rod.massPerLength = 1200 * pi * radius * radius;
  rod.layOut(edges, length);
  rod.nodeForce = [](double, double, double, double, double, double, double, double&, double&) {};
  return rod;
}

/// The finger that wishes to curl, and the ball in its way; x and z are the plane's x and y. Steps of 0.1 s.
struct PlanarFinger {
  PlanarRod rod = softRod(48, 0.48);
  int steps = 0;

  explicit PlanarFinger(bool ball) {
    rod.fixedNodes = 2;
    if (ball) rod.nodeForce = push;
  }
  void step(const StopRule& rule) {
    ++steps;
    for (int i = 11; i <= 47; ++i) rod.natural[i] = steps / 100.0 * 0.1885575962600097;
    rod.step(0.1, rule);
  }

 private:
  static void push(double px, double py, double ux, double uy, double, double, double, double& fx, double& fy) {
    constexpr double stiffness = 20, delta = 1e-3, mu = 0.25, slip = 1e-2, K = 15 / delta;
    double nx = px - 0.1, ny = py - 0.05;
    const double distance = std::hypot(nx, ny), gap = distance - 0.049;
    if (gap > delta) return;
    nx /= distance, ny /= distance;
    const double z = std::exp(-K * gap), force = 2 * stiffness * z * std::log1p(z) / (K * (1 + z));
    fx += force * nx, fy += force * ny;
    const double along = ux * -ny + uy * nx;  // velocity along (-ny, nx)
    const double friction = -mu * force * std::tanh(7.5 * along / slip);
    fx += friction * -ny, fy += friction * nx;
  }
};

/// scenes/sphere-grip.json with a probe at each of the nodes that were published.
inline std::string fingerScene() {
  return replaced(
      sceneFile("sphere-grip"), R"("tip": {)",
      R"("n12": {"position": "finger:12"}, "n24": {"position": "finger:24"}, "n36": {"position": "finger:36"},
                     "n48": {"position": "finger:48"}, "tip": {)");
}

inline std::pair<double, double> fingerNode(const Simulation& sim, int node) {
  const Vec3 at = vectorColumn(sim, "n" + std::to_string(node));
  return {at.x(), at.z()};
}

/// The snake with resistance at its nodes, each with the tangent from one neighbor to the other. Steps of 0.01 s.
struct PlanarSnake {
  PlanarRod rod;
  int steps = 0;

  explicit PlanarSnake(int edges) : rod(softRod(edges, 0.1)) { rod.nodeForce = resist; }
  void step() {
    const int edges = rod.nodes() - 1, springs = edges - 1;
    const double t = 0.01 * steps++;
    // Scaled so that the curvature does not depend on the mesh.
    for (int j = 0; j < springs; ++j)
      rod.natural[j + 1] = -turn(edges) * std::sin(2 * pi * t - 2 * pi * j / (springs - 1) + pi / 2);
    rod.step(0.01, toTheEnd);
  }
  static double turn(int edges) { return 0.05 * 40 / edges; }

 private:
  static void resist(double, double, double ux, double uy, double tx, double ty, double share, double& fx, double& fy) {
    constexpr double along = 0.01, across = 0.1;
    const double u = ux * tx + uy * ty;
    fx -= share * (across * ux + (along - across) * u * tx);
    fy -= share * (across * uy + (along - across) * u * ty);
  }
};

}  // namespace tendril::test
