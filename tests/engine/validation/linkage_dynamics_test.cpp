// Motions of linkages at the discretization of other programs whose steps were converged, the order of the integrators
// against them, and the undamped energy in three dimensions.
#include "engine/simulation/run_scene.h"
#include "engine/validation/linkage_cases.h"
#include "engine/validation/statics_run.h"

namespace tendril {
namespace linkage_dynamics_test {

using namespace test;

// Tip of the released rod, with cubic strains and five points, after 0.25, 0.5 and 0.75 s.
struct Release {
  double across, eta;
  Vec3 tip[3];
  double energy;  // at the end [J]
};
const Release releases[] = {
    {0,
     1e4,
     {Vec3(0.3235255415, 0, -0.3418231457), Vec3(0.2306212175, 0, -0.3872673956), Vec3(0.4487606202, 0, -0.2051266868)},
     -0.1523122617},
    {0,
     0,
     {Vec3(0.281408157, 0, -0.3567201904), Vec3(0.1853147544, 0, -0.3824223609), Vec3(0.4634562207, 0, -0.1580584756)},
     -0.08945416931},
    {1,
     1e4,
     {Vec3(0.3301930393, -0.3382722818, 0.00731848829), Vec3(0.1703075834, -0.3933469548, 0.07293662252),
      Vec3(0.4669454115, -0.1593651761, -0.05096257753)},
     -0.1118088873},
    {1,
     0,
     {Vec3(0.2865650849, -0.3583049826, 0.01825875846), Vec3(0.1193051694, -0.3722383083, 0.09061024783),
      Vec3(0.4714418403, -0.104812509, -0.0800373355)},
     0.01217367153}};

struct Distance {
  double tip, energy;
};
Distance distance(const Release& row, const std::string& integrator, double dt, int quarters = 3) {
  Simulation sim(replaced(sceneFile("tapered-release"), "\"implicit-midpoint\"", "\"" + integrator + "\""),
                 {{"across", row.across}, {"eta", row.eta}, {"dt", dt}, {"T", 0.25 * quarters}});
  double worst = 0;
  for (int k = 0; k < quarters; ++k) {
    while (sim.time() < 0.25 * (k + 1) - 1e-9) sim.step();
    worst = std::max(worst, (vectorColumn(sim, "tip") - row.tip[k]).norm());
  }
  return {worst, std::abs(column(sim, "total") - row.energy)};
}

TEST(LinkageDynamics, ReleasedRodsFollowTheReferenceWithinTenMicrometers) {
  for (const Release& row : releases) {
    const Distance d = distance(row, "implicit-midpoint", row.eta > 0 ? 1e-3 : 2e-4);
    EXPECT_LT(d.tip, 1e-5) << row.across << ' ' << row.eta;
    EXPECT_LT(d.energy, 2e-6) << row.across << ' ' << row.eta;
  }
}

TEST(LinkageDynamics, IntegratorsOfOrderTwoConvergeToTheReferenceSo) {
  for (const char* integrator : {"implicit-midpoint", "generalized-alpha", "bdf2", "verlet"}) {
    const double coarse = distance(releases[3], integrator, 1e-3, 1).tip,
                 fine = distance(releases[3], integrator, 5e-4, 1).tip;
    // BDF2 begins with a step of order one.
    EXPECT_NEAR(order(coarse, fine), 2, std::string(integrator) == "bdf2" ? 0.5 : 0.2) << integrator;
    EXPECT_LT(fine, 2e-4) << integrator;
  }
  const double coarse = distance(releases[2], "implicit-euler", 2e-3, 1).tip,
               fine = distance(releases[2], "implicit-euler", 1e-3, 1).tip;
  EXPECT_NEAR(order(coarse, fine), 1, 0.15);
}

// In space the change of the Jacobian with the shape shows: the plain midpoint rule errs there with the square of the
// step, by 4e-6 at 0.5 ms. The one that keeps energy does at no step.
TEST(LinkageDynamics, UndampedEnergyInSpaceStaysAtAnyStep) {
  for (const double dt : {5e-4, 1e-3, 4e-3}) {
    Simulation sim(sceneFile("tapered-release"), {{"dt", dt}, {"T", 1}});
    double worst = 0, moving = 0;
    const double start = column(sim, "total");
    EXPECT_NEAR(start, 0.0121736715, 1e-9);
    while (!sim.finished()) {
      sim.step();
      worst = std::max(worst, std::abs(column(sim, "total") - start));
      moving = std::max(moving, column(sim, "kinetic"));
    }
    EXPECT_LT(worst, 1e-7 * moving) << dt;
    EXPECT_GT(moving, 0.18);
  }
}

TEST(LinkageDynamics, TheSoftManipulatorIsWhereItsReferenceIsAfterASecond) {
  Simulation sim(sceneFile("soft-manipulator"), {{"dt", 2e-3}});
  while (sim.time() < 1 - 1e-9) sim.step();
  EXPECT_LT((vectorColumn(sim, "tip") - Vec3(0.8795535702, 0, 0.1686413759)).norm(), 1e-5);
}

TEST(LinkageDynamics, TheSoftManipulatorMovesAsItsReference) {
  const auto file = linkageReference("soft_manipulator_vs_toolbox");
  Simulation sim(sceneFile("soft-manipulator"), {{"dt", 2e-3}});
  double ours = 0, published = 0;
  for (const auto& row : file["dynamics"]["rows"]) {
    while (sim.time() < row["t"].get<double>() - 1e-9) sim.step();
    ours = std::max(ours, (vectorColumn(sim, "tip") - vectorOf(row["tip_reference"])).norm());
    published = std::max(published, (vectorColumn(sim, "tip") - vectorOf(row["tip_toolbox_q"])).norm());
  }
  EXPECT_LT(ours, 1e-5);
  EXPECT_LT(published, 1.3e-4);  // whose own steps had a relative tolerance of 1e-3
}

}  // namespace linkage_dynamics_test
}  // namespace tendril
