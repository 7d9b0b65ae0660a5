// A shallow spherical cap that stays axisymmetric, by Marguerre's equations: an independent answer for domes that snap.
// Differences on a line from the center to the rim, Newton under a prescribed dip of the center.
#pragma once

#include <Eigen/LU>
#include <stdexcept>

#include "geometry/types.h"

namespace tendril::test {

/// A cap of rise H over a rim of radius a, z = H (1 - r^2 / a^2), its rim clamped, under a dead load per area.
///
/// Strains eps_r = u' + z' w' + w'^2 / 2, eps_t = u / r, curvatures w'' and w' / r; energy
/// pi C (eps_r^2 + eps_t^2 + 2 nu eps_r eps_t) + pi D (...) integrated over r dr, C = E h / (1 - nu^2). Strains live at
/// the middles of N cells, curvatures at their ends: second order in a / N.
class ShallowCap {
 public:
  ShallowCap(double radius, double rise, double thickness, double youngs, double poisson, int cells)
      : n_(cells), radius_(radius), rise_(rise), poisson_(poisson), q_(VectorX::Zero(2 * cells)) {
    membrane_ = youngs * thickness / (1 - poisson * poisson);
    bending_ = membrane_ * thickness * thickness / 12;
  }

  /// Load per area [Pa], downward, that holds the center `dip` [m] below its initial place. Go in steps along a path:
  /// each solve starts where the last one ended.
  double load(double dip) {
    VectorX& x = q_;  // u_1 .. u_(n-1), then w_0 .. w_(n-1), then the load
    for (int iteration = 0; iteration < 60; ++iteration) {
      VectorX r = VectorX::Zero(2 * n_);
      Eigen::MatrixXd K = Eigen::MatrixXd::Zero(2 * n_, 2 * n_);
      assemble(x, r, K);
      r[2 * n_ - 1] = x[w(0)] + dip;
      K.row(2 * n_ - 1).setZero();
      K(2 * n_ - 1, w(0)) = 1;
      const VectorX dx = K.partialPivLu().solve(r);
      x.head(2 * n_) -= dx;
      if (dx.head(2 * n_ - 1).norm() < 1e-12 * radius_) return x[2 * n_ - 1];
    }
    throw std::runtime_error("the shallow cap did not settle");
  }

 private:
  // Unknowns; the rim and the center's u are held (-1).
  int u(int i) const { return i == 0 || i == n_ ? -1 : i - 1; }
  int w(int i) const { return i == n_ ? -1 : n_ - 1 + i; }

  // An energy k (a^2 + b^2 + 2 nu a b) / 2 of two linear forms, the first with a square: a = a0 + s^2 / 2.
  struct Form {
    std::array<int, 4> index{-1, -1, -1, -1};
    std::array<double, 4> a{}, b{}, s{};
  };
  void addEnergy(const Form& f, double k, const VectorX& x, VectorX& r, Eigen::MatrixXd& K) const {
    double a = 0, b = 0, s = 0;
    for (int i = 0; i < 4; ++i) {
      if (f.index[i] < 0) continue;
      a += f.a[i] * x[f.index[i]], b += f.b[i] * x[f.index[i]], s += f.s[i] * x[f.index[i]];
    }
    a += 0.5 * s * s;
    const double pa = k * (a + poisson_ * b), pb = k * (b + poisson_ * a);
    for (int i = 0; i < 4; ++i) {
      if (f.index[i] < 0) continue;
      const double ai = f.a[i] + s * f.s[i];
      r[f.index[i]] += pa * ai + pb * f.b[i];
      for (int j = 0; j < 4; ++j) {
        if (f.index[j] < 0) continue;
        const double aj = f.a[j] + s * f.s[j];
        K(f.index[i], f.index[j]) +=
            k * (ai * aj + f.b[i] * f.b[j] + poisson_ * (ai * f.b[j] + aj * f.b[i])) + pa * f.s[i] * f.s[j];
      }
    }
  }

  void assemble(const VectorX& x, VectorX& r, Eigen::MatrixXd& K) const {
    const double h = radius_ / n_, turn = 2 * pi;
    for (int i = 0; i < n_; ++i) {
      const double middle = (i + 0.5) * h, slope = -2 * rise_ * middle / (radius_ * radius_);
      Form f;
      f.index = {u(i), u(i + 1), w(i), w(i + 1)};
      f.a = {-1 / h, 1 / h, -slope / h, slope / h};
      f.b = {0.5 / middle, 0.5 / middle, 0, 0};
      f.s = {0, 0, -1 / h, 1 / h};
      addEnergy(f, turn * middle * h * membrane_, x, r, K);
      // The load on this ring, half to either end; work is load * w.
      for (int end = 0; end < 2; ++end) {
        if (w(i + end) < 0) continue;
        r[w(i + end)] += 0.5 * turn * middle * h * x[2 * n_ - 1];
        K(w(i + end), 2 * n_ - 1) += 0.5 * turn * middle * h;
      }
    }
    for (int i = 0; i <= n_; ++i) {
      const double place = i * h;
      Form f;
      double area = turn * place * h;
      if (i == 0) {
        f.index = {w(0), w(1), -1, -1};  // slope 0 here, (w1 - w0) / h at h / 2
        f.a = f.b = {-2 / (h * h), 2 / (h * h), 0, 0};
        area = pi * h * h / 4;
      } else if (i == n_) {
        f.index = {w(n_ - 1), -1, -1, -1};
        f.a = {2 / (h * h), 0, 0, 0};
        area = turn * (place - h / 4) * h / 2;
      } else {
        f.index = {w(i - 1), w(i), w(i + 1), -1};
        f.a = {1 / (h * h), -2 / (h * h), 1 / (h * h), 0};
        f.b = {-0.5 / (h * place), 0, 0.5 / (h * place), 0};
      }
      addEnergy(f, area * bending_, x, r, K);
    }
  }

  int n_;
  double radius_, rise_, poisson_, membrane_ = 0, bending_ = 0;
  VectorX q_;
};

}  // namespace tendril::test
