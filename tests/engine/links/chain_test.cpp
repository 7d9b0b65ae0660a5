// Kinematics of chains: velocities and accelerations are derivatives of poses in time, slopes are derivatives by the
// coordinates, and gathered wrenches have the exact tangent, on a branched tree of joints and rods.
#include "links/chain/chain.h"

#include <gtest/gtest.h>

#include <random>

#include "geometry/strain_basis.h"

namespace tendril::links {
namespace chain_test {

geometry::Vec6 randomTwist(std::mt19937& random, double size = 1) {
  std::uniform_real_distribution<double> uniform(-size, size);
  geometry::Vec6 x;
  for (int i = 0; i < 6; ++i) x[i] = uniform(random);
  return x;
}

// Base: a universal joint, a rod of two steps with all six strains, then two branches: a spherical joint with a rod of
// planar bending, and a prismatic joint.
Chain tree(int order) {
  std::mt19937 random(7);
  std::vector<ChainStep> steps;
  int coordinates = 0;
  const auto joint = [&](int parent, const std::vector<int>& axes) {
    ChainStep s;
    s.parent = parent, s.first = coordinates;
    s.offset = geometry::exponential(randomTwist(random, 0.4));
    s.base = Columns::Zero(6, static_cast<int>(axes.size()));
    for (std::size_t i = 0; i < axes.size(); ++i) s.base(axes[i], static_cast<int>(i)) = 1;
    coordinates += static_cast<int>(axes.size());
    steps.push_back(s);
    return static_cast<int>(steps.size()) - 1;
  };
  const auto rod = [&](int parent, double length, const std::vector<int>& modes, int degree, int count) {
    const int first = coordinates;
    const auto points = magnusPoints(order);
    for (int n = 0; n < count; ++n) {
      ChainStep s;
      s.parent = parent, s.first = first, s.order = order, s.length = length / count;
      for (const int mode : modes) {
        for (int k = 0; k <= degree; ++k) s.modes.push_back(mode);
      }
      for (int i = 0; i < magnusStages(order); ++i) {
        const double X = (n + points[i]) / count;
        std::vector<double> values(degree + 1);
        geometry::basisValues(geometry::StrainBasis::legendre, degree, X, values);
        for (std::size_t m = 0; m < modes.size(); ++m)
          s.values[i].insert(s.values[i].end(), values.begin(), values.end());
        s.reference[i] << 0.1, 0.2 * X, 0, 1, 0, 0;
      }
      steps.push_back(s);
      parent = static_cast<int>(steps.size()) - 1;
    }
    coordinates += static_cast<int>(modes.size()) * (degree + 1);
    return parent;
  };
  const int trunk = rod(joint(-1, {1, 2}), 0.6, {0, 1, 2, 3, 4, 5}, 1, 2);
  rod(joint(trunk, {0, 1, 2}), 0.4, {1}, 2, 2);
  joint(trunk, {3});
  return Chain(steps, geometry::exponential(randomTwist(random)), coordinates);
}

struct ChainState {
  VectorX q, v, a;
  ChainState(int n, unsigned seed) : q(n), v(n), a(n) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-0.8, 0.8);
    for (int i = 0; i < n; ++i) q[i] = uniform(random), v[i] = uniform(random), a[i] = uniform(random);
  }
};

template <class F>
auto difference(double h, const F& f) {
  return ((8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h)).eval();
}

TEST(Chain, VelocitiesAndAccelerationsAreDerivativesInTime) {
  for (const int order : {2, 4, 6}) {
    Chain chain = tree(order);
    const ChainState s(chain.size(), 3);
    chain.move(s.q, s.v, s.a, {}, false);
    const auto here = chain.frames();
    const auto at = [&](double t) {
      chain.move(s.q + t * s.v + 0.5 * t * t * s.a, s.v + t * s.a, s.a, {}, false);
      return chain.frames();
    };
    for (std::size_t e = 0; e < here.size(); ++e) {
      const geometry::Vec6 velocity = difference(1e-3, [&](double t) {
        return geometry::Vec6(geometry::logarithm(geometry::inverse(here[e].pose) * at(t)[e].pose));
      });
      EXPECT_LT((velocity - here[e].velocity).norm(), 1e-10 * (1 + velocity.norm())) << order << " step " << e;
      const geometry::Vec6 acceleration = difference(1e-3, [&](double t) { return at(t)[e].velocity; });
      EXPECT_LT((acceleration - here[e].acceleration).norm(), 1e-9 * (1 + acceleration.norm()))
          << order << " step " << e;
    }
  }
}

TEST(Chain, SlopesAreTotalDerivatives) {
  for (const int order : {2, 4, 6}) {
    Chain chain = tree(order);
    const ChainState s(chain.size(), 4);
    const solve::Rates rates{3, 7};
    chain.move(s.q, s.v, s.a, rates, true);
    const auto here = chain.frames();
    std::vector<ChainSlopes> slopes;
    for (std::size_t e = 0; e < here.size(); ++e) slopes.push_back(chain.slopes(static_cast<int>(e)));
    for (int j = 0; j < chain.size(); ++j) {
      const VectorX d = VectorX::Unit(chain.size(), j);
      const auto at = [&](double h) {
        chain.move(s.q + h * d, s.v + h * rates.v * d, s.a + h * rates.a * d, rates, false);
        return chain.frames();
      };
      for (std::size_t e = 0; e < here.size(); ++e) {
        const geometry::Vec6 shift = difference(1e-3, [&](double h) {
          return geometry::Vec6(geometry::logarithm(geometry::inverse(here[e].pose) * at(h)[e].pose));
        });
        EXPECT_LT((shift - slopes[e].shift.col(j)).norm(), 1e-9) << order << " step " << e << " column " << j;
        const geometry::Vec6 velocity = difference(1e-3, [&](double h) { return at(h)[e].velocity; });
        EXPECT_LT((velocity - slopes[e].velocity.col(j)).norm(), 1e-9) << order << " step " << e << " column " << j;
        const geometry::Vec6 acceleration = difference(1e-3, [&](double h) { return at(h)[e].acceleration; });
        EXPECT_LT((acceleration - slopes[e].acceleration.col(j)).norm(), 1e-9)
            << order << " step " << e << " column " << j;
      }
    }
  }
}

TEST(Chain, GatheredWrenchesHaveTheirExactTangent) {
  for (const int order : {2, 4, 6}) {
    Chain chain = tree(order);
    const ChainState s(chain.size(), 5);
    const solve::Rates rates{3, 7};
    std::mt19937 random(6);
    std::vector<geometry::Vec6> follower;
    std::vector<geometry::Mat6> mass, drag;
    for (std::size_t e = 0; e < chain.steps().size(); ++e) {
      follower.push_back(randomTwist(random));
      mass.emplace_back(geometry::Mat6::Random()), drag.emplace_back(geometry::Mat6::Random());
    }
    // Any wrench that depends on velocity and acceleration will do.
    const auto gathered = [&](double h, const VectorX& d, Eigen::MatrixXd* tangent) {
      chain.move(s.q + h * d, s.v + h * rates.v * d, s.a + h * rates.a * d, rates, tangent != nullptr);
      std::vector<ChainWrench> wrenches;
      for (std::size_t e = 0; e < chain.steps().size(); ++e) {
        const ChainFrame& f = chain.frames()[e];
        wrenches.push_back(
            {follower[e] + mass[e] * f.acceleration + drag[e] * f.velocity, geometry::Mat6::Zero(), drag[e], mass[e]});
      }
      VectorX r = VectorX::Zero(chain.size());
      chain.gather(wrenches, {}, r, tangent);
      return r;
    };
    Eigen::MatrixXd tangent = Eigen::MatrixXd::Zero(chain.size(), chain.size());
    const VectorX none = VectorX::Zero(chain.size());
    const VectorX r = gathered(0, none, &tangent);
    // Power: the generalized force is J^T of each wrench.
    VectorX direct = none;
    for (std::size_t e = 0; e < chain.steps().size(); ++e) {
      const ChainFrame& f = chain.frames()[e];
      Columns jacobian;
      chain.jacobian(static_cast<int>(e), jacobian);
      direct += jacobian.transpose() * (follower[e] + mass[e] * f.acceleration + drag[e] * f.velocity);
    }
    EXPECT_LT((r - direct).norm(), 1e-12 * r.norm());
    for (int j = 0; j < chain.size(); ++j) {
      const VectorX d = VectorX::Unit(chain.size(), j);
      const VectorX column = difference(1e-3, [&](double h) { return gathered(h, d, nullptr); });
      EXPECT_LT((column - tangent.col(j)).norm(), 1e-9 * (1 + column.norm())) << order << " column " << j;
    }
  }
}

}  // namespace chain_test
}  // namespace tendril::links
