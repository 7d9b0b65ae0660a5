#include "strain/magnus.h"

#include <cmath>

namespace tendril {
namespace {

// A polynomial of the strains built from sums and brackets, with its Jacobian by each stage; all with derivatives in time.
struct Term {
  TwistJet v;
  std::array<Jet<Mat6>, 3> d;
};

Jet<Mat6> zeroMatrix() { return {Mat6::Zero(), Mat6::Zero(), Mat6::Zero()}; }

template <class T>
Jet<T> sum(const Jet<T>& x, double s, const Jet<T>& y) {
  return {x.value + s * y.value, x.rate + s * y.rate, x.acceleration + s * y.acceleration};
}

// x + s y.
Term sum(const Term& x, double s, const Term& y, int stages) {
  Term z;
  z.v = sum(x.v, s, y.v);
  for (int i = 0; i < stages; ++i) z.d[i] = sum(x.d[i], s, y.d[i]);
  return z;
}

Term scaled(double s, const Term& x, int stages) {
  Term z;
  z.v = {s * x.v.value, s * x.v.rate, s * x.v.acceleration};
  for (int i = 0; i < stages; ++i) z.d[i] = {s * x.d[i].value, s * x.d[i].rate, s * x.d[i].acceleration};
  return z;
}

TwistJet bracketOf(const TwistJet& x, const TwistJet& y) {
  return {bracket(x.value, y.value), bracket(x.rate, y.value) + bracket(x.value, y.rate),
          bracket(x.acceleration, y.value) + 2 * bracket(x.rate, y.rate) + bracket(x.value, y.acceleration)};
}

Jet<Mat6> product(const Jet<Mat6>& x, const Jet<Mat6>& y) {
  return {x.value * y.value, x.rate * y.value + x.value * y.rate,
          x.acceleration * y.value + 2 * x.rate * y.rate + x.value * y.acceleration};
}

Term bracketOf(const Term& x, const Term& y, int stages) {
  Term z;
  z.v = bracketOf(x.v, y.v);
  const auto ad = [](const TwistJet& t) {
    return Jet<Mat6>{bracketMatrix(t.value), bracketMatrix(t.rate), bracketMatrix(t.acceleration)};
  };
  const Jet<Mat6> X = ad(x.v), Y = ad(y.v);
  for (int i = 0; i < stages; ++i) z.d[i] = sum(product(X, y.d[i]), -1, product(Y, x.d[i]));
  return z;
}

Term omega(int order, double h, const std::array<TwistJet, 3>& strains) {
  const int n = magnusStages(order);
  std::array<Term, 3> xi;
  for (int i = 0; i < n; ++i) {
    xi[i].v = strains[i];
    for (int j = 0; j < n; ++j) xi[i].d[j] = zeroMatrix();
    xi[i].d[i].value = Mat6::Identity();
  }
  if (order == 2) return scaled(h, xi[0], n);
  if (order == 4) {
    const Term mean = scaled(0.5 * h, sum(xi[0], 1, xi[1], n), n);
    return sum(mean, std::sqrt(3.0) / 12 * h * h, bracketOf(xi[0], xi[1], n), n);
  }
  // Brackets of g' = g xi are those of Y' = A Y with the opposite sign: Omega(xi) = -Omega_left(-xi).
  const Term a1 = scaled(-h, xi[1], n), a2 = scaled(-std::sqrt(15.0) / 3 * h, sum(xi[2], -1, xi[0], n), n);
  const Term a3 = scaled(-10.0 / 3 * h, sum(sum(xi[2], -2, xi[1], n), 1, xi[0], n), n);
  const Term c1 = bracketOf(a1, a2, n);
  const Term c2 = scaled(-1.0 / 60, bracketOf(a1, sum(scaled(2, a3, n), 1, c1, n), n), n);
  const Term left = sum(sum(scaled(-20, a1, n), -1, a3, n), 1, c1, n);
  const Term triple = scaled(1.0 / 240, bracketOf(left, sum(a2, 1, c2, n), n), n);
  return scaled(-1, sum(sum(a1, 1.0 / 12, a3, n), 1, triple, n), n);
}

}  // namespace

std::array<double, 3> magnusPoints(int order) {
  if (order == 2) return {0.5, 0, 0};
  if (order == 4) return {0.5 - std::sqrt(3.0) / 6, 0.5 + std::sqrt(3.0) / 6, 0};
  return {0.5 - std::sqrt(15.0) / 10, 0.5, 0.5 + std::sqrt(15.0) / 10};
}

MagnusStep magnusStep(int order, double h, const std::array<TwistJet, 3>& strains) {
  const Term t = omega(order, h, strains);
  MagnusStep step;
  step.stages = magnusStages(order);
  step.twist = t.v;
  step.slope = t.d;
  return step;
}

// The derivative of y . slope along each strain component is its rate where that component alone moves.
MagnusBend magnusBend(int order, double h, const std::array<TwistJet, 3>& strains, const Vec6& y) {
  const int n = magnusStages(order);
  MagnusBend bend;
  if (order == 2) {
    bend[0][0] = Mat6::Zero();
    return bend;
  }
  if (order == 4) {
    // y . c [xi1, xi2] = c y . ad(xi1) xi2.
    Mat6 m;
    const double c = std::sqrt(3.0) / 12 * h * h;
    for (int k = 0; k < 6; ++k) m.row(k) = c * y.transpose() * bracketMatrix(Vec6::Unit(k));
    bend[0][0] = bend[1][1] = Mat6::Zero();
    bend[0][1] = m, bend[1][0] = m.transpose();
    return bend;
  }
  std::array<TwistJet, 3> moving = strains;
  for (TwistJet& s : moving) s.rate = s.acceleration = Vec6::Zero();
  for (int j = 0; j < n; ++j) {
    for (int k = 0; k < 6; ++k) {
      moving[j].rate = Vec6::Unit(k);
      const Term t = omega(order, h, moving);
      for (int i = 0; i < n; ++i) bend[i][j].col(k) = t.d[i].rate.transpose() * y;
      moving[j].rate.setZero();
    }
  }
  return bend;
}

}  // namespace tendril
