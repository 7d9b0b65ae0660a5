#include "links/chain/magnus.h"

#include <cmath>

namespace tendril::links {
namespace {

constexpr double commutatorShare = 0.14433756729740644;  // sqrt(3) / 12

// A polynomial of the strains built from sums and brackets, with its Jacobian by each stage; all with derivatives in
// time.
struct Term {
  TwistJet v;
  std::array<geometry::Jet<geometry::DualMatrix>, 3> d;
};

geometry::Jet<geometry::DualMatrix> zeroMatrix() { return {}; }

template <class T>
geometry::Jet<T> sum(const geometry::Jet<T>& x, double s, const geometry::Jet<T>& y) {
  return {x.value + s * y.value, x.rate + s * y.rate, x.acceleration + s * y.acceleration};
}
template <class T>
geometry::Jet<T> scaled(double s, const geometry::Jet<T>& x) {
  return {s * x.value, s * x.rate, s * x.acceleration};
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
  z.v = scaled(s, x.v);
  for (int i = 0; i < stages; ++i) z.d[i] = scaled(s, x.d[i]);
  return z;
}

TwistJet bracketOf(const TwistJet& x, const TwistJet& y) {
  return {geometry::bracket(x.value, y.value), geometry::bracket(x.rate, y.value) + geometry::bracket(x.value, y.rate),
          geometry::bracket(x.acceleration, y.value) + 2 * geometry::bracket(x.rate, y.rate) +
              geometry::bracket(x.value, y.acceleration)};
}

// ad_x y.
geometry::Jet<geometry::DualMatrix> product(const TwistJet& x, const geometry::Jet<geometry::DualMatrix>& y) {
  const geometry::DualVector x0(x.value), x1(x.rate), x2(x.acceleration);
  return {geometry::cross(x0, y.value), geometry::cross(x1, y.value) + geometry::cross(x0, y.rate),
          geometry::cross(x2, y.value) + 2 * geometry::cross(x1, y.rate) + geometry::cross(x0, y.acceleration)};
}

Term bracketOf(const Term& x, const Term& y, int stages) {
  Term z;
  z.v = bracketOf(x.v, y.v);
  for (int i = 0; i < stages; ++i) z.d[i] = sum(product(x.v, y.d[i]), -1, product(y.v, x.d[i]));
  return z;
}

Term omegaOfSix(double h, const std::array<TwistJet, 3>& strains) {
  const int n = 3;
  std::array<Term, 3> xi;
  for (int i = 0; i < n; ++i) {
    xi[i].v = strains[i];
    for (int j = 0; j < n; ++j) xi[i].d[j] = zeroMatrix();
    xi[i].d[i].value = geometry::dualIdentity();
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

TwistJet magnusTwist(int order, double h, const std::array<TwistJet, 3>& strains) {
  if (order == 2) return scaled(h, strains[0]);
  if (order == 4) {
    const TwistJet mean = scaled(0.5 * h, sum(strains[0], 1, strains[1]));
    return sum(mean, commutatorShare * h * h, bracketOf(strains[0], strains[1]));
  }
  return omegaOfSix(h, strains).v;
}

MagnusStep magnusStep(int order, double h, const std::array<TwistJet, 3>& strains) {
  MagnusStep step;
  step.stages = magnusStages(order);
  if (order == 6) {
    const Term t = omegaOfSix(h, strains);
    step.twist = t.v;
    step.slope = t.d;
    return step;
  }
  step.twist = magnusTwist(order, h, strains);
  if (order == 2) {
    step.slope[0].value = h * geometry::dualIdentity();
    return step;
  }
  // Omega = h (xi_1 + xi_2) / 2 + c ad(xi_1) xi_2.
  const double c = commutatorShare * h * h;
  for (int i = 0; i < 2; ++i) {
    const TwistJet by = scaled(i == 0 ? -c : c, strains[1 - i]);
    step.slope[i] = {geometry::skew(geometry::DualVector(by.value)), geometry::skew(geometry::DualVector(by.rate)),
                     geometry::skew(geometry::DualVector(by.acceleration))};
    step.slope[i].value.a.diagonal().array() += 0.5 * h;
  }
  return step;
}

std::array<geometry::Vec6, 3> magnusTransposed(int order, double h, const std::array<TwistJet, 3>& strains,
                                               const geometry::Vec6& y) {
  if (order == 2) return {h * y, geometry::Vec6::Zero(), geometry::Vec6::Zero()};
  const geometry::DualVector f = geometry::TangentOperator::swapped(y);
  if (order == 4) {
    const double c = commutatorShare * h * h;
    const auto side = [&](double sign, const TwistJet& other) {
      return geometry::TangentOperator::swapped((0.5 * h) * f +
                                                (sign * c) * geometry::cross(geometry::DualVector(other.value), f));
    };
    return {side(1, strains[1]), side(-1, strains[0]), geometry::Vec6::Zero()};
  }
  const Term t = omegaOfSix(h, strains);
  std::array<geometry::Vec6, 3> out;
  for (int i = 0; i < 3; ++i) out[i] = geometry::TangentOperator::swapped(geometry::transposed(t.d[i].value) * f);
  return out;
}

// The derivative of y . slope along each strain component is its rate where that component alone moves; over dual
// vectors three components stand for all six.
MagnusBend magnusBend(int order, double h, const std::array<TwistJet, 3>& strains, const geometry::Vec6& y) {
  MagnusBend bend;
  if (order == 2) return bend;
  const geometry::DualVector f = geometry::TangentOperator::swapped(y);
  if (order == 4) {
    // y . c [xi_1, xi_2] = -c xi_1 . (f x xi_2).
    bend[0][1] = (-commutatorShare * h * h) * geometry::skew(f);
    bend[1][0] = geometry::transposed(bend[0][1]);
    return bend;
  }
  std::array<TwistJet, 3> moving = strains;
  for (TwistJet& s : moving) s.rate = s.acceleration = geometry::Vec6::Zero();
  for (int j = 0; j < 3; ++j) {
    for (int k = 0; k < 3; ++k) {
      moving[j].rate = geometry::Vec6::Unit(k);
      const Term t = omegaOfSix(h, moving);
      for (int i = 0; i < 3; ++i) {
        const geometry::DualVector column = geometry::transposed(t.d[i].rate) * f;
        bend[i][j].a.col(k) = column.a, bend[i][j].b.col(k) = column.b;
      }
      moving[j].rate.setZero();
    }
  }
  return bend;
}

}  // namespace tendril::links
