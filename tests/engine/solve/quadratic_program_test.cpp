// Quadratic programs with many rows: the conditions of optimality at random, degenerate and contradictory problems,
// both methods against each other, and Coulomb friction against its law and against a sliding block.
#include "solve/programs/quadratic_program.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <memory>
#include <numeric>

#include "geometry/random.h"
#include "geometry/types.h"

namespace quadratic_program_test {

using namespace tendril;
using Status = solve::QuadraticReport::Status;

/// K = [[H, A^T], [A, -D]] with a dense factor.
class DenseSystem final : public solve::EqualitySystem {
 public:
  explicit DenseSystem(Eigen::MatrixXd k) : k_(std::move(k)), lu_(k_) {}
  int size() const override { return int(k_.rows()); }
  void solve(std::span<const double> rhs, std::span<double> x, int refine) override {
    const VectorX b = VectorX::Map(rhs.data(), size());
    VectorX y = lu_.solve(b);
    for (int i = 0; i < refine; ++i) y += lu_.solve(b - weighted() * y);
    VectorX::Map(x.data(), size()) = y;
  }
  double backwardError(std::span<const double> rhs, std::span<const double> x) const override {
    const VectorX b = VectorX::Map(rhs.data(), size()), y = VectorX::Map(x.data(), size());
    const VectorX size_ = b.cwiseAbs() + k_.cwiseAbs() * y.cwiseAbs();
    return ((b - k_ * y).cwiseAbs().array() / (size_.array() + 1e-300)).maxCoeff();
  }
  bool weigh(const solve::SparseRows& rows, std::span<const double> weights) override {
    added_ = Eigen::MatrixXd::Zero(size(), size());
    for (int i = 0; !weights.empty() && i < rows.count(); ++i) {
      VectorX l = VectorX::Zero(size());
      rows.scatter(i, 1, {l.data(), std::size_t(size())});
      added_ += weights[i] * l * l.transpose();
    }
    lu_.compute(weighted());
    return true;
  }
  const Eigen::MatrixXd& matrix() const { return k_; }

 private:
  Eigen::MatrixXd weighted() const { return added_.size() ? Eigen::MatrixXd(k_ + added_) : k_; }
  Eigen::MatrixXd k_, added_;
  Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
};

/// v unknowns, e equalities, and everything a problem refers to.
struct Problem {
  int v, e;
  std::unique_ptr<DenseSystem> system;
  std::vector<double> rhs, bound, mobility, coefficient, rest, tangentMobility, start;
  solve::SparseRows rows, tangents;
  Eigen::MatrixXd h;

  Problem(geometry::SplitMix& source, int unknowns, int equalities) : v(unknowns), e(equalities) {
    const auto matrix = [&](int r, int c) {
      Eigen::MatrixXd m(r, c);
      for (int j = 0; j < c; ++j)
        for (int i = 0; i < r; ++i) m(i, j) = source.uniform(-1, 1);
      return m;
    };
    const Eigen::MatrixXd root = matrix(v, v), a = matrix(e, v);
    h = root * root.transpose() + 0.1 * Eigen::MatrixXd::Identity(v, v);
    Eigen::MatrixXd k = Eigen::MatrixXd::Zero(v + e, v + e);
    k.topLeftCorner(v, v) = h;
    k.bottomLeftCorner(e, v) = a;
    k.topRightCorner(v, e) = a.transpose();
    if (e > 1) k(v + e - 1, v + e - 1) = -0.5;
    system = std::make_unique<DenseSystem>(k);
    for (int i = 0; i < v + e; ++i) rhs.push_back(source.uniform(-1, 1));
  }
  void addRow(const VectorX& l, double least) {
    std::vector<int> index(static_cast<std::size_t>(v));
    std::iota(index.begin(), index.end(), 0);
    rows.add(index, {l.data(), std::size_t(v)});
    bound.push_back(least);
    mobility.push_back(l.dot(h.ldlt().solve(l)));
  }
  void addTangent(const VectorX& t, double mu, double speed) {
    std::vector<int> index(static_cast<std::size_t>(v));
    std::iota(index.begin(), index.end(), 0);
    tangents.add(index, {t.data(), std::size_t(v)});
    coefficient.push_back(mu), rest.push_back(speed);
    tangentMobility.push_back(t.dot(h.ldlt().solve(t)));
  }
  solve::QuadraticProblem view() const {
    solve::QuadraticProblem p;
    p.system = system.get(), p.rhs = rhs, p.rows = &rows, p.bound = bound, p.mobility = mobility, p.start = start;
    if (!coefficient.empty())
      p.tangents = &tangents, p.coefficient = coefficient, p.rest = rest, p.tangentMobility = tangentMobility;
    return p;
  }
};

VectorX randomVector(geometry::SplitMix& source, int n) {
  VectorX x(n);
  for (double& value : x) value = source.uniform(-1, 1);
  return x;
}

/// Worst of stationarity, equalities, rows, signs and complementarity, relative to the problem's size of about one.
double optimality(const Problem& p, const solve::QuadraticProgram& solved) {
  VectorX rest =
      VectorX::Map(p.rhs.data(), p.v + p.e) - p.system->matrix() * VectorX::Map(solved.solution().data(), p.v + p.e);
  double worst = 0, size = 1;
  for (int i = 0; i < p.rows.count(); ++i) {
    const double multiplier = solved.multipliers()[i];
    p.rows.scatter(i, multiplier, {rest.data(), std::size_t(p.v + p.e)});
    if (!p.coefficient.empty())
      p.tangents.scatter(i, solved.tangentMultipliers()[i], {rest.data(), std::size_t(p.v + p.e)});
    const double over = p.rows.dot(i, solved.solution()) - p.bound[i];
    worst = std::max({worst, -over, -multiplier, std::min(std::fabs(over), std::fabs(multiplier))});
    size = std::max(size, std::fabs(multiplier));
  }
  return std::max(worst, rest.cwiseAbs().maxCoeff() / size);
}

TEST(QuadraticProgram, BothMethodsMeetTheConditionsOfOptimality) {
  geometry::SplitMix source(21);
  int active = 0, interior = 0;
  for (int trial = 0; trial < 200; ++trial) {
    Problem p(source, 12, trial % 5);
    for (int i = 0; i < 20; ++i) p.addRow(randomVector(source, p.v), source.uniform(-1, 0.2));
    solve::QuadraticProgram a, b;
    solve::QuadraticSettings settings;
    settings.method = solve::QuadraticSettings::Method::activeSet;
    const solve::QuadraticReport first = a.solve(p.view(), settings);
    if (first.status == Status::infeasible) continue;
    ASSERT_EQ(first.status, Status::solved) << trial;
    EXPECT_LT(first.residual, 1e-12);
    EXPECT_LT(optimality(p, a), 1e-11) << trial;
    settings.method = solve::QuadraticSettings::Method::interiorPoint;
    const solve::QuadraticReport second = b.solve(p.view(), settings);
    ASSERT_EQ(second.status, Status::solved) << trial;
    EXPECT_LT(optimality(p, b), 1e-11);
    EXPECT_LT(second.residual, 1e-12);
    for (int i = 0; i < p.v; ++i) EXPECT_NEAR(a.solution()[i], b.solution()[i], 1e-9);
    active += first.active, interior += second.interiorPoint;
  }
  EXPECT_GT(active, 200);
  EXPECT_GT(interior, 150);
}

TEST(QuadraticProgram, LastStepsMultipliersGiveTheSameAnswerWithFewerSolves) {
  geometry::SplitMix source(22);
  int cold = 0, warm = 0;
  for (int trial = 0; trial < 30; ++trial) {
    Problem p(source, 15, 3);
    for (int i = 0; i < 25; ++i) p.addRow(randomVector(source, p.v), source.uniform(-0.5, 0.2));
    solve::QuadraticProgram a, b;
    const auto first = a.solve(p.view());
    if (first.status != Status::solved) continue;
    p.start = a.multipliers();
    const auto second = b.solve(p.view());
    cold += first.solves, warm += second.solves;
    for (int i = 0; i < p.v; ++i) EXPECT_NEAR(a.solution()[i], b.solution()[i], 1e-11);
  }
  EXPECT_LE(warm, cold);
}

// Rows repeated, scaled and summed: the multipliers are not unique, the answer is.
TEST(QuadraticProgram, RedundantRowsDoNoHarm) {
  geometry::SplitMix source(23);
  int active = 0;
  for (int trial = 0; trial < 100; ++trial) {
    Problem p(source, 8, 2);
    std::vector<VectorX> l;
    std::vector<double> c;
    for (int i = 0; i < 4; ++i) l.push_back(randomVector(source, p.v)), c.push_back(source.uniform(-0.3, 0.3));
    solve::QuadraticProgram a, b;
    for (int i = 0; i < 4; ++i) p.addRow(l[i], c[i]);
    const auto plain = a.solve(p.view());
    for (int i = 0; i < 4; ++i) p.addRow(l[i], c[i]), p.addRow(2 * l[i], 2 * c[i]);
    p.addRow(l[0] + l[1], c[0] + c[1]);
    p.addRow(l[2] + l[3], c[2] + c[3]);
    const auto redundant = b.solve(p.view());
    ASSERT_EQ(plain.status, redundant.status) << trial;
    if (plain.status != Status::solved) continue;
    active += plain.active;
    EXPECT_LT(optimality(p, b), 1e-11);
    for (int i = 0; i < p.v; ++i) EXPECT_NEAR(a.solution()[i], b.solution()[i], 1e-10);
  }
  EXPECT_GT(active, 100);
}

TEST(QuadraticProgram, ContradictionsNameARow) {
  geometry::SplitMix source(24);
  for (int trial = 0; trial < 50; ++trial) {
    Problem p(source, 6, 2);
    for (int i = 0; i < 5; ++i) p.addRow(randomVector(source, p.v), -5);
    const VectorX l = randomVector(source, p.v);
    p.addRow(l, 0.5);
    p.addRow(-l, 0.25);  // -0.25 >= l v >= 0.5
    solve::QuadraticProgram program;
    const auto report = program.solve(p.view());
    ASSERT_EQ(report.status, Status::infeasible);
    EXPECT_TRUE(report.row == 5 || report.row == 6) << report.row;
    EXPECT_GT(report.infeasibility, 0.1);
  }
  // An equality that a row contradicts: v_0 = 1 and v_0 <= 0.
  Problem p(source, 3, 0);
  Eigen::MatrixXd k = Eigen::MatrixXd::Identity(4, 4);
  k(3, 3) = 0, k(3, 0) = k(0, 3) = 1;
  p.system = std::make_unique<DenseSystem>(k);
  p.e = 1, p.h = Eigen::MatrixXd::Identity(3, 3);
  p.rhs = {0, 0, 0, 1};
  p.addRow(-VectorX::Unit(3, 0), 0);
  solve::QuadraticProgram program;
  const auto report = program.solve(p.view());
  EXPECT_EQ(report.status, Status::infeasible);
  EXPECT_EQ(report.row, 0);
  EXPECT_NEAR(report.infeasibility, 1, 1e-12);
}

/// Largest violation of Coulomb's law, relative to the largest normal multiplier.
double coulombViolation(const Problem& p, const solve::QuadraticProgram& solved, int* sliding, int* sticking) {
  double worst = 0, largest = 1e-3;
  for (double n : solved.multipliers()) largest = std::max(largest, n);
  for (int i = 0; i < p.rows.count(); ++i) {
    const double n = solved.multipliers()[i], t = solved.tangentMultipliers()[i], limit = p.coefficient[i] * n;
    const double speed = p.tangents.dot(i, solved.solution()) - p.rest[i];
    worst = std::max(worst, (std::fabs(t) - limit) / largest);
    if (n <= 1e-9 * largest) continue;
    if (std::fabs(speed) > 1e-9) {
      worst = std::max(worst, std::fabs(t + (speed > 0 ? limit : -limit)) / largest);
      ++*sliding;
    } else {
      ++*sticking;
    }
  }
  return worst;
}

TEST(QuadraticProgram, FrictionObeysCoulombsLaw) {
  geometry::SplitMix source(25);
  int sliding = 0, sticking = 0, solved = 0, unsettled = 0;
  for (int trial = 0; trial < 200; ++trial) {
    Problem p(source, 10, trial % 4);
    for (int i = 0; i < 6; ++i) {
      p.addRow(randomVector(source, p.v), source.uniform(-0.3, 0.3));
      p.addTangent(randomVector(source, p.v), source.uniform(0.1, 0.8), source.uniform(-0.2, 0.2));
    }
    solve::QuadraticProgram program;
    const auto report = program.solve(p.view());
    if (report.status == Status::infeasible) continue;
    if (report.status == Status::frictionUnsettled) {
      ++unsettled;  // tangents without any relation to their normals need not have a solution at all
      EXPECT_GT(report.frictionError, 0);
      continue;
    }
    ASSERT_EQ(report.status, Status::solved);
    ++solved;
    EXPECT_LT(report.residual, 1e-11) << trial;
    EXPECT_LT(report.frictionError, 1e-12) << trial;
    EXPECT_LT(optimality(p, program), 1e-10) << trial;
    EXPECT_LT(coulombViolation(p, program, &sliding, &sticking), 1e-11) << trial;
  }
  EXPECT_GT(sliding, 100);
  EXPECT_GT(sticking, 100);
  EXPECT_GT(solved, 150);
  EXPECT_LT(unsettled, 10);
}

// A block of mass m on the floor, pushed by an impulse along it: it sticks below mu m g dt, slides above.
TEST(QuadraticProgram, BlockSticksAndSlides) {
  const double m = 2, weight = 3, mu = 0.5;
  for (const double push : {0.0, 1.0, 1.4999999, 1.5000001, 2.5, -2.5}) {
    geometry::SplitMix source(1);
    Problem p(source, 2, 0);
    p.h = m * Eigen::MatrixXd::Identity(2, 2);
    p.system = std::make_unique<DenseSystem>(p.h);
    p.rhs = {push, -weight};
    p.addRow(VectorX::Unit(2, 1), 0);
    p.addTangent(VectorX::Unit(2, 0), mu, 0);
    solve::QuadraticProgram program;
    const auto report = program.solve(p.view());
    ASSERT_EQ(report.status, Status::solved);
    EXPECT_NEAR(program.multipliers()[0], weight, 1e-14);
    const double kept = std::max(0.0, std::fabs(push) - mu * weight) / m;
    EXPECT_NEAR(program.solution()[0], push < 0 ? -kept : kept, 1e-14);
  }
}

// Sixty rows at once: more than the active set takes up, so that the interior point takes over unasked.
TEST(QuadraticProgram, InteriorPointTakesOverWhereManyRowsAreActive) {
  geometry::SplitMix source(26);
  Problem p(source, 80, 4);
  for (int i = 0; i < 60; ++i) p.addRow(VectorX::Unit(p.v, i) + 0.05 * randomVector(source, p.v), 2);
  solve::QuadraticProgram program;
  solve::QuadraticSettings settings;
  settings.mostActive = 20;
  const auto report = program.solve(p.view(), settings);
  EXPECT_EQ(report.status, Status::solved);
  EXPECT_TRUE(report.interiorPoint);
  EXPECT_GT(report.active, 30);
  EXPECT_LT(report.residual, 1e-12);
  EXPECT_LT(optimality(p, program), 1e-10);
}

}  // namespace quadratic_program_test
