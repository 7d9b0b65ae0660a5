// A second, small solver of rods in a plane, written for comparison: nodes only, forces of contact, friction and
// resistance at nodes, as in the programs that were published, with the rule by which they stop. Implicit Euler, Newton
// with a Jacobian by central differences. Shares no code with the engine.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <vector>

namespace tendril::test {

/// When an update has been applied, Newton ends if its residual was below `residual` [N] or `relative` times the first
/// one, or if it moved no coordinate by more than `velocity` dt. Nothing is measured after the last update.
struct StopRule {
  double residual, relative, velocity;
};

struct PlanarRod {
  double EA = 0, EI = 0, edge = 0;   // [N], [N m^2], rest length of every edge [m]
  double massPerLength = 0;          // [kg/m]
  int fixedNodes = 0;                // at the start of the rod
  std::vector<double> x, y, vx, vy;  // at the last step's end
  std::vector<double> natural;       // twice the tangent of half the turning angle, at inner nodes
  /// Adds the force on node i at place (px, py) with velocity (ux, uy) and tangent (tx, ty); `share` is the length it
  /// has.
  std::function<void(double px, double py, double ux, double uy, double tx, double ty, double share, double& fx,
                     double& fy)>
      nodeForce;

  /// A straight rod along x from the origin.
  void layOut(int edges, double length) {
    edge = length / edges;
    x.resize(edges + 1), y.assign(edges + 1, 0), vx = y, vy = y, natural.assign(edges + 1, 0);
    for (int i = 0; i <= edges; ++i) x[i] = edge * i;
  }
  int nodes() const { return static_cast<int>(x.size()); }

  /// One step; returns the number of updates. Throws std::runtime_error after 200 of them.
  int step(double dt, const StopRule& rule) {
    const int n = 2 * nodes();
    std::vector<double> q(n), start(n), v(n), f(n), plus(n), minus(n);
    for (int i = 0; i < nodes(); ++i)
      start[2 * i] = x[i], start[2 * i + 1] = y[i], v[2 * i] = vx[i], v[2 * i + 1] = vy[i];
    q = start;
    double first = 0;
    for (int iteration = 1; iteration <= 200; ++iteration) {
      residual(q, start, v, dt, f);
      double size = 0, moved = 0;
      for (int i = 2 * fixedNodes; i < n; ++i) size += f[i] * f[i];
      size = std::sqrt(size);
      if (iteration == 1) first = size;
      jacobian(q, start, v, dt, plus, minus);
      solveBand(f);
      for (int i = 2 * fixedNodes; i < n; ++i) q[i] -= f[i], moved = std::max(moved, std::abs(f[i]));
      if (size <= rule.residual || size < rule.relative * first || moved / dt < rule.velocity) {
        for (int i = 0; i < nodes(); ++i) {
          vx[i] = (q[2 * i] - x[i]) / dt, vy[i] = (q[2 * i + 1] - y[i]) / dt;
          x[i] = q[2 * i], y[i] = q[2 * i + 1];
        }
        return iteration;
      }
    }
    throw std::runtime_error("the planar rod does not converge");
  }

 private:
  static constexpr int band = 5;  // unknowns to either side that a residual depends on
  static constexpr int width = 2 * band + 1;
  std::vector<double> matrix_;  // row i holds columns i - band .. i + band

  void residual(const std::vector<double>& q, const std::vector<double>& q0, const std::vector<double>& v, double dt,
                std::vector<double>& f) const {
    const int count = nodes();
    for (int i = 0; i < count; ++i) {
      const double share = edge * (i == 0 || i == count - 1 ? 0.5 : 1), m = massPerLength * share;
      const double ux = (q[2 * i] - q0[2 * i]) / dt, uy = (q[2 * i + 1] - q0[2 * i + 1]) / dt;
      f[2 * i] = m * (ux - v[2 * i]) / dt, f[2 * i + 1] = m * (uy - v[2 * i + 1]) / dt;
      const int a = std::max(i - 1, 0), b = std::min(i + 1, count - 1);
      double tx = q[2 * b] - q[2 * a], ty = q[2 * b + 1] - q[2 * a + 1];
      const double length = std::hypot(tx, ty);
      double fx = 0, fy = 0;
      nodeForce(q[2 * i], q[2 * i + 1], ux, uy, tx / length, ty / length, share, fx, fy);
      f[2 * i] -= fx, f[2 * i + 1] -= fy;
    }
    for (int e = 0; e + 1 < count; ++e) {
      const double dx = q[2 * e + 2] - q[2 * e], dy = q[2 * e + 3] - q[2 * e + 1], l = std::hypot(dx, dy);
      const double tension = EA * (l / edge - 1) / l;
      f[2 * e] -= tension * dx, f[2 * e + 1] -= tension * dy, f[2 * e + 2] += tension * dx,
          f[2 * e + 3] += tension * dy;
    }
    for (int i = 1; i + 1 < count; ++i) {
      const double ax = q[2 * i] - q[2 * i - 2], ay = q[2 * i + 1] - q[2 * i - 1];
      const double bx = q[2 * i + 2] - q[2 * i], by = q[2 * i + 3] - q[2 * i + 1];
      const double half = std::tan(0.5 * std::atan2(ax * by - ay * bx, ax * bx + ay * by));
      const double moment = EI / edge * (2 * half - natural[i]) * (1 + half * half);
      // The turning angle grows with the second edge's direction and falls with the first one's.
      const double a2 = ax * ax + ay * ay, b2 = bx * bx + by * by;
      const double gax = moment * ay / a2, gay = -moment * ax / a2, gbx = -moment * by / b2, gby = moment * bx / b2;
      f[2 * i - 2] -= gax, f[2 * i - 1] -= gay;
      f[2 * i] += gax - gbx, f[2 * i + 1] += gay - gby;
      f[2 * i + 2] += gbx, f[2 * i + 3] += gby;
    }
  }

  void jacobian(std::vector<double> q, const std::vector<double>& q0, const std::vector<double>& v, double dt,
                std::vector<double>& plus, std::vector<double>& minus) {
    const int n = static_cast<int>(q.size());
    const double h = 1e-5 * edge;
    matrix_.assign(static_cast<std::size_t>(n) * width, 0);
    const std::vector<double> at = q;
    for (int color = 0; color < width; ++color) {
      for (int j = color; j < n; j += width) q[j] = at[j] + h;
      residual(q, q0, v, dt, plus);
      for (int j = color; j < n; j += width) q[j] = at[j] - h;
      residual(q, q0, v, dt, minus);
      for (int j = color; j < n; j += width) {
        q[j] = at[j];
        for (int i = std::max(0, j - band); i <= std::min(n - 1, j + band); ++i) {
          matrix_[static_cast<std::size_t>(i) * width + j - i + band] = (plus[i] - minus[i]) / (2 * h);
        }
      }
    }
    for (int i = 0; i < 2 * fixedNodes; ++i) {
      for (int k = 0; k < width; ++k) matrix_[static_cast<std::size_t>(i) * width + k] = k == band ? 1 : 0;
    }
  }

  /// Elimination within the band, without pivoting; `f` becomes the solution.
  void solveBand(std::vector<double>& f) {
    const int n = static_cast<int>(f.size());
    for (int i = 0; i < 2 * fixedNodes; ++i) f[i] = 0;
    const auto at = [&](int i, int j) -> double& {
      return matrix_[static_cast<std::size_t>(i) * width + j - i + band];
    };
    for (int k = 0; k < n; ++k) {
      for (int i = k + 1; i <= std::min(n - 1, k + band); ++i) {
        const double ratio = at(i, k) / at(k, k);
        if (ratio == 0) continue;
        for (int j = k; j <= std::min(n - 1, k + band); ++j) at(i, j) -= ratio * at(k, j);
        f[i] -= ratio * f[k];
      }
    }
    for (int i = n - 1; i >= 0; --i) {
      for (int j = i + 1; j <= std::min(n - 1, i + band); ++j) f[i] -= at(i, j) * f[j];
      f[i] /= at(i, i);
    }
  }
};

}  // namespace tendril::test
