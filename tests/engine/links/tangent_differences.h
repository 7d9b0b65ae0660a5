// The tangent of a system of linkages, and the same by differences of its residual.
#pragma once

#include <gtest/gtest.h>

#include "links/system/system.h"

namespace tendril::test {

struct TangentPair {
  Eigen::MatrixXd tangent, differences;
};

/// For an unknown that moves q by one, v by rates.v and a by rates.a; central differences over h and 2 h, extrapolated.
inline TangentPair tangentAndDifferences(links::System& system, const VectorX& q, const VectorX& v, const VectorX& a,
                                         const solve::Rates& rates, double h) {
  const auto residual = [&](const VectorX& dx, solve::Level level) {
    const VectorX at = q + dx, speed = v + rates.v * dx, acceleration = a + rates.a * dx;
    VectorX r;
    EXPECT_TRUE(system.evaluate({at, speed, acceleration}, rates, level, r).valid);
    return r;
  };
  const int n = system.size();
  residual(VectorX::Zero(n), solve::Level::tangent);
  TangentPair out{system.tangent(), Eigen::MatrixXd(n, n)};
  for (int k = 0; k < n; ++k) {
    const auto difference = [&](double width) {
      const VectorX d = width * VectorX::Unit(n, k);
      return VectorX((residual(d, solve::Level::residual) - residual(-d, solve::Level::residual)) / (2 * width));
    };
    out.differences.col(k) = (4 * difference(h) - difference(2 * h)) / 3;
  }
  return out;
}

}  // namespace tendril::test
