// The terms of a linkage's equation of motion one by one: stiffness and damping against published diagonals, mass and
// Coriolis forces against the kinetic energy, tendons against their lengths, loads against their work.
#include <Eigen/Eigenvalues>

#include "engine/validation/linkage_cases.h"

namespace tendril {
namespace linkage_matrices_test {

using namespace test;

const std::string still = R"("environment": {"gravity": [0, 0, 0]})";

TEST_PUBLISHED(LinkageMatrices, StiffnessAndDampingAreThePublishedOnes) {
  const auto file = linkageReference("toolbox_examples");
  const auto& shipped = file["free_fall"]["new"];
  LinkageCase rod(taperedRod(cubic, still));
  const Eigen::VectorXd K = rod.system().stiffness().diagonal(), D = rod.system().damping().diagonal();
  ASSERT_EQ(rod.size(), 12);
  for (int i = 0; i < 8; ++i) EXPECT_NEAR(K[i], shipped["K_diag"][i].get<double>(), 5.1e-9) << i;
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(D[i], shipped["D_diag_first4"][i].get<double>(), 5.1e-9) << i;
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(D[4 + i], shipped["D_diag_y"][i].get<double>(), 5.1e-9) << i;
}

// Radius r0 (1 - X/2): G J = G pi r^4 / 2 integrates by hand over products of P0 = 1 and P1 = 2X - 1.
TEST(LinkageMatrices, StiffnessOfATaperIsItsIntegral) {
  LinkageCase rod(taperedRod(R"({"twist": 1, "bendY": 0, "stretch": 0})", still));
  const double r4 = 1.6e-7, first = r4 * 31 / 80;  // integral of (1 - X/2)^4 over 0..1: 31/80
  const double G = 1e6 / 3, L = 0.5;
  const Eigen::MatrixXd K = rod.system().stiffness(), D = rod.system().damping();
  EXPECT_NEAR(K(0, 0), G * pi / 2 * first / L, 1e-12);
  // integral of X (1 - X/2)^4: 19/160
  EXPECT_NEAR(K(0, 1), G * pi / 2 * r4 * (2 * 19.0 / 160 - 31.0 / 80) / L, 1e-12);
  EXPECT_NEAR(K(2, 2), 1e6 * pi / 4 * first / L, 1e-12);
  EXPECT_NEAR(K(3, 3), 1e6 * pi * 4e-4 * (7.0 / 12) * L, 1e-9);  // integral of (1 - X/2)^2: 7/12
  EXPECT_NEAR(D(0, 0), 1e4 * pi / 2 * first / L, 1e-14);
  EXPECT_NEAR(D(2, 2), 3 * 1e4 * pi / 4 * first / L, 1e-14);
  EXPECT_NEAR(D(3, 3), 3 * 1e4 * pi * 4e-4 * (7.0 / 12) * L, 1e-9);
  EXPECT_LT((K - K.transpose()).norm(), 1e-16);
}

// A hub that turns, a soft limb with all six modes, a rigid paddle off its tip on a ball joint.
std::string arm(const std::string& more) {
  return R"({"format": "tendril/1", "materials": {"rubber": {"youngs": 1e6, "poisson": 0.4, "density": 1100}},
    "linkages": {"arm": {"links": {
      "hub": {"joint": {"revolute": {"axis": "z"}}, "body": {"rigid": {"length": 0.1, "section": {"circle": {"radius": 0.02}}, "density": 900}}},
      "limb": {"body": {"soft": {"length": 0.4, "section": {"rectangle": {"width": "=0.03 - 0.01*u", "height": 0.02}},
        "strains": {"twist": 1, "bendY": 2, "bendZ": 2, "stretch": 1, "shearY": 0, "shearZ": 0}}}},
      "paddle": {"joint": {"spherical": {}}, "offset": {"position": [0.02, 0.01, 0], "rotation": {"axis": [1, 2, 0], "angle": 0.4}},
        "body": {"rigid": {"length": 0.1, "mass": 0.2, "inertia": [1e-4, 3e-4, 2e-4], "center": [0.05, 0.01, 0.02]}}}},
      "cables": {
        "inside": {"through": "limb", "path": {"oblique": {"from": [0.008, 0], "to": [0, 0.006]}}, "tension": "=T1"},
        "across": {"through": ["hub", "limb", "paddle"], "path": {"constant": [0.01, 0.004]}, "tension": "=T2"},
        "outside": {"through": ["hub", "limb"], "outside": true, "path": {"constant": [0, 0.03]}, "tension": "=T3"}}}},
    "parameters": {"T1": 0, "T2": 0, "T3": 0, "g": 0}, "environment": {"gravity": ["=0.3*g", "=0.5*g", "=-g"]})" +
         (more.empty() ? "" : ", " + more) + "}";
}

TEST(LinkageMatrices, MassIsTheSecondDerivativeOfTheKineticEnergy) {
  LinkageCase c(arm(""));
  std::mt19937 random(1);
  const int n = c.size();
  const VectorX q = randomState(random, n, 0.8);
  Eigen::MatrixXd M;
  c.system().massMatrix(q, M);
  const auto kinetic = [&](const VectorX& v) { return c.system().energies(q, v).kinetic; };
  const VectorX zero = VectorX::Zero(n), rest = c.residual(q);
  double worst = 0, byMotion = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const VectorX a = VectorX::Unit(n, i), b = VectorX::Unit(n, j);
      worst = std::max(worst, std::abs(M(i, j) - (kinetic(a + b) - kinetic(a) - kinetic(b))));
    }
    byMotion = std::max(byMotion, (c.residual(q, zero, VectorX::Unit(n, i)) - rest - M.col(i)).norm());
  }
  EXPECT_LT(worst, 1e-14 * M.norm() * n);
  EXPECT_LT(byMotion, 1e-13 * M.norm());
  EXPECT_GT(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(M).eigenvalues().minCoeff(), 0);
}

// The kinetic energy itself: velocities of the frames are those with which their poses move.
TEST(LinkageMatrices, VelocitiesAreDerivativesOfPoses) {
  LinkageCase c(arm(""));
  std::mt19937 random(2);
  const int n = c.size();
  const VectorX q = randomState(random, n, 1), v = randomState(random, n, 1), zero = VectorX::Zero(n);
  const auto poses = [&](double t) {
    c.system().place(q + t * v, zero);
    std::vector<geometry::Pose> out;
    for (const links::ChainFrame& f : c.system().chain().frames()) out.push_back(f.pose);
    return out;
  };
  const double h = 1e-3;
  const auto a = poses(-h), b = poses(h), a2 = poses(-2 * h), b2 = poses(2 * h), at = poses(0);
  c.system().place(q, v);
  const auto& frames = c.system().chain().frames();
  for (std::size_t k = 0; k < frames.size(); ++k) {
    const Mat3 R = (8 * (b[k].R - a[k].R) - (b2[k].R - a2[k].R)) / (12 * h);
    const Vec3 r = (8 * (b[k].r - a[k].r) - (b2[k].r - a2[k].r)) / (12 * h);
    const Mat3 spin = at[k].R.transpose() * R;
    EXPECT_LT((spin - geometry::skew(Vec3(frames[k].velocity.head<3>()))).norm(), 1e-9) << k;
    EXPECT_LT((at[k].R.transpose() * r - frames[k].velocity.tail<3>()).norm(), 1e-9) << k;
  }
}

// Lagrange: h = (dM/dt) v - grad (v' M v) / 2. The published equations 37 and 39 to 41 fail this in space.
TEST(LinkageMatrices, CoriolisForcesAreLagranges) {
  for (const std::string& text : {arm(""), taperedRod(cubic, still, 0)}) {
    LinkageCase c(text);
    std::mt19937 random(3);
    const int n = c.size();
    const VectorX q = randomState(random, n, 1), v = randomState(random, n, 2), zero = VectorX::Zero(n);
    const auto mass = [&](const VectorX& x) {
      Eigen::MatrixXd M;
      c.system().massMatrix(x, M);
      return M;
    };
    const double h = 1e-3;
    const Eigen::MatrixXd rate =
        (8 * (mass(q + h * v) - mass(q - h * v)) - (mass(q + 2 * h * v) - mass(q - 2 * h * v))) / (12 * h);
    const VectorX expected = rate * v - gradientOf(
                                            q, [&](const VectorX& x) { return 0.5 * v.dot(mass(x) * v); }, 1e-3);
    // Damping is zero in both scenes.
    const VectorX found = c.residual(q, v, zero) - c.residual(q);
    EXPECT_LT((found - expected).norm(), 1e-8 * expected.norm());
    EXPECT_GT(expected.norm(), 1e-3);
  }
}

// A tension's generalized force is minus the gradient of its tendon's length, wherever the tendon runs.
TEST(LinkageMatrices, TensionsPullAlongTheGradientOfLength) {
  std::mt19937 random(4);
  const std::map<std::string, double> each[] = {{{"T1", 1}}, {{"T2", 1}}, {{"T3", 1}}};
  LinkageCase slack(arm(""));
  for (int i = 0; i < 3; ++i) {
    LinkageCase c(arm(""), each[i]);
    const VectorX q = randomState(random, c.size(), 0.8);
    const links::Tendon& tendon = c.model->structure().wires[static_cast<std::size_t>(i)].tendon;
    const auto length = [&](const VectorX& x) {
      c.system().place(x, VectorX::Zero(x.size()));
      return links::tendonLength(tendon, x, c.system().chain().frames());
    };
    const VectorX pull = c.residual(q) - slack.residual(q), expected = gradientOf(q, length, 1e-3);
    EXPECT_LT((pull - expected).norm(), 1e-8 * expected.norm()) << i;
    EXPECT_GT(expected.norm(), 1e-3) << i;
    // Its rate is the gradient along the velocity.
    const VectorX v = randomState(random, c.size(), 1);
    c.system().place(q, v);
    EXPECT_NEAR(links::tendonRate(tendon, q, v, c.system().chain().frames()), expected.dot(v), 1e-8);
  }
}

TEST(LinkageMatrices, GravityIsTheGradientOfItsEnergy) {
  LinkageCase weightless(arm("")), c(arm(""), {{"g", 9.81}});
  std::mt19937 random(5);
  const VectorX q = randomState(random, c.size(), 0.8);
  const VectorX zero = VectorX::Zero(c.size());
  const VectorX found = c.residual(q) - weightless.residual(q);
  const VectorX expected = gradientOf(
      q, [&](const VectorX& x) { return c.system().energies(x, zero).gravity; }, 1e-3);
  EXPECT_LT((found - expected).norm(), 1e-9 * expected.norm());
}

// Loads within a soft link and at tips: what they do along a change of coordinates is force times way.
TEST(LinkageMatrices, LoadsDoTheirWork) {
  struct Row {
    const char* load;
    int link;
    double at;
    Vec3 value;
    bool world, moment;
  };
  const Row rows[] = {
      {R"({"force": [1, -2, 3], "at": "arm/limb@0.37"})", 1, 0.37, Vec3(1, -2, 3), true, false},
      {R"({"force": [1, -2, 3], "at": "arm/paddle:tip"})", 2, 1, Vec3(1, -2, 3), true, false},
      {R"({"follower": [0.5, 2, 1], "at": "arm/limb:tip"})", 1, 1, Vec3(0.5, 2, 1), false, false},
      {R"({"follower": [0.5, 2, 1], "at": "arm/paddle@0.5"})", 2, 0.5, Vec3(0.5, 2, 1), false, false},
      {R"({"moment": [0.3, 0.2, -0.4], "at": "arm/limb:tip"})", 1, 1, Vec3(0.3, 0.2, -0.4), true, true}};
  std::mt19937 random(6);
  for (const Row& row : rows) {
    const std::string text = arm(std::string("\"loads\": [") + row.load + "]");
    LinkageCase c(text), free(arm(""));
    // A load within a link adds a step to the chain, and no coordinate.
    ASSERT_EQ(c.size(), free.size());
    const VectorX q = randomState(random, c.size(), 0.8), zero = VectorX::Zero(c.size());
    const VectorX found = free.residual(q) - c.residual(q);
    const links::ChainPlace place = c.model->structure().place(*c.scene, {0, row.link, row.at});
    VectorX expected(c.size());
    for (int i = 0; i < c.size(); ++i) {
      c.system().place(q, VectorX::Unit(c.size(), i));
      const links::PlaceState s = links::stateAt(place, c.system().chain().frames(), q, VectorX::Unit(c.size(), i));
      const Vec3 way = row.moment ? Vec3(s.velocity.head<3>()) : Vec3(s.velocity.tail<3>());
      expected[i] = row.value.dot(row.world ? Vec3(s.pose.R * way) : way);
    }
    EXPECT_LT((found - expected).norm(), 1e-12 * expected.norm()) << row.load;
    // Dead forces: also by differences of the place itself.
    if (row.world && !row.moment) {
      const VectorX work = gradientOf(
          q,
          [&](const VectorX& x) {
            c.system().place(x, zero);
            return row.value.dot(links::stateAt(place, c.system().chain().frames(), x, zero).pose.r);
          },
          1e-3);
      EXPECT_LT((found - work).norm(), 1e-9 * work.norm()) << row.load;
    }
  }
}

}  // namespace linkage_matrices_test
}  // namespace tendril
