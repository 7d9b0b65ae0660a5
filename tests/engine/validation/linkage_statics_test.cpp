// Static states of linkages against numbers of other programs at the same discretization, coordinate by coordinate, and
// mechanisms with driven joints. The numbers lie in a folder beside the project; without it the tests that need them
// say so and are skipped.
#include "engine/validation/linkage_cases.h"
#include "engine/validation/statics_run.h"

namespace tendril {
namespace validation_linkage_statics_test {

using namespace test;

const std::string sag =
    R"("environment": {"gravity": [0, 0, -9.81]}, "solver": {"mode": "static", "tolerance": 1e-12})";

TEST(LinkageStatics, TheTaperedRodSagsAsTheToolboxSays) {
  LinkageCase c(taperedRod(cubic, sag));
  const VectorX q = c.settle(4);
  const Vec3 tip = c.tip(0, q).r;
  // Toolbox discretization; then the exact elastica, from which it is 0.14 mm away.
  EXPECT_LT((tip - Vec3(0.3552492381, 0, -0.3180907129)).norm(), 1e-9);
  EXPECT_LT((tip - Vec3(0.355105663, 0, -0.3181100691)).norm(), 1.5e-4);
}

TEST(LinkageStatics, TheTaperedRodHasTheToolboxsCoordinates) {
  const auto file = linkageReference("statics_and_mechanisms");
  const VectorX q = LinkageCase(taperedRod(cubic, sag)).settle(4);
  EXPECT_LT(coordinateDistance(q, file["results"]["e1_freefall_static_toolbox_cubic_5gp"]["q"]), 1e-8);
}

TEST(LinkageStatics, TheTaperedRodTendsToTheElastica) {
  // Inextensible elastica with its weight per length, solved as a boundary value problem.
  const Vec3 exact(0.355105663, 0, -0.3181100691);
  double before = 1;
  for (const int order : {2, 4, 6, 8}) {
    LinkageCase c(taperedRod("{\"bendY\": " + std::to_string(order) + "}", sag, 0, 2 * order + 6, 6));
    const double error = (c.tip(0, c.settle(4)).r - exact).norm();
    EXPECT_LT(error, 0.3 * before) << order;
    before = error;
  }
  EXPECT_LT(before, 3e-7);  // 6e-7 of the length
}

const std::map<std::string, double> pulled = {{"T1", 5}, {"T2", 2}, {"T3", 1}, {"T4", 2}, {"still", 1}};

TEST(LinkageStatics, TheSoftManipulatorHangsAsComputed) {
  LinkageCase c(sceneFile("soft-manipulator"), pulled);
  ASSERT_EQ(c.size(), 18);
  const VectorX q = c.settle(4);
  const Vec3 tip = c.tip(1, q).r;
  EXPECT_LT((tip - Vec3(0.8795173724, 0.1169537290, 0.0977871603)).norm(), 1e-9);  // our own digits
}

TEST(LinkageStatics, TheSoftManipulatorHasItsEighteenPublishedCoordinates) {
  const auto file = linkageReference("soft_manipulator_vs_toolbox");
  LinkageCase c(sceneFile("soft-manipulator"), pulled);
  const VectorX q = c.settle(4);
  const Vec3 tip = c.tip(1, q).r;
  EXPECT_LT(coordinateDistance(q, file["statics"]["q_toolbox"]), 5.1e-7);
  EXPECT_LT((tip - vectorOf(file["statics"]["tip"])).norm(), 9e-7);
}

// The published paths have coefficients of six decimals [m]: what lies between them and the straight lines moves the
// coordinates by 2.4e-4. `rate`: how much the distance from the centerline falls per length.
void roundPath(links::Tendon& tendon, double degrees, double rate) {
  const auto six = [](double x) { return std::round(1e6 * x) / 1e6; };
  const double c = std::cos(degrees * pi / 180), d = std::sin(degrees * pi / 180);
  const Vec3 start(0, six(0.03 * c), six(0.03 * d)), slope(0, -six(rate * c), -six(rate * d));
  for (links::TendonPoint& p : tendon.points) {
    const double s = (0.03 - p.offset.norm()) / rate;
    p.offset = start + s * slope, p.slope = slope;
  }
}

void roundPaths(links::System& system) {
  const double degrees[] = {0, 120, 240, 180, 300, 60};
  for (std::size_t k = 0; k < 6; ++k) roundPath(system.tendons[k], degrees[k], k < 3 ? 0.02 / 0.9 : 0.01 / 0.4);
}

// Six oblique cables, all modes, over half a turn of bending.
std::string sixCables(int order, int points) {
  const auto cable = [](const char* name, const char* through, double to, double degrees, double tension) {
    const double c = std::cos(degrees * pi / 180), s = std::sin(degrees * pi / 180);
    char text[400];
    std::snprintf(
        text, sizeof text,
        R"("%s": {"through": %s, "path": {"oblique": {"from": [%.17g, %.17g], "to": [%.17g, %.17g]}}, "tension": %g})",
        name, through, 0.03 * c, 0.03 * s, to * c, to * s, tension);
    return std::string(text);
  };
  const std::string n = std::to_string(order);
  const std::string strains = "{\"twist\": " + n + ", \"bendY\": " + n + ", \"bendZ\": " + n + ", \"stretch\": " + n +
                              ", \"shearY\": " + n + ", \"shearZ\": " + n + "}, \"points\": " + std::to_string(points) +
                              "}}";
  const char* both = R"(["one", "two"])";
  return R"({"format": "tendril/1", "materials": {"rubber": {"youngs": 1e6, "poisson": 0.5, "density": 1000}},
      "linkages": {"arm": {"links": {
        "one": {"body": {"soft": {"length": 0.4, "section": {"circle": {"radius": "=0.03 - 2*u/225"}}, "strains": )" +
         strains + R"(},
        "two": {"body": {"soft": {"length": 0.5, "section": {"circle": {"radius": "=19/900 - u/90"}}, "strains": )" +
         strains + R"(}},
        "cables": {)" +
         cable("a", both, 0.01, 0, 20) + ", " + cable("b", both, 0.01, 120, 55) + ", " +
         cable("c", both, 0.01, 240, 10) + ", " + cable("d", "\"one\"", 0.02, 180, 40) + ", " +
         cable("e", "\"one\"", 0.02, 300, 0) + ", " + cable("f", "\"one\"", 0.02, 60, 10) +
         R"(}}}, "solver": {"mode": "static", "tolerance": 1e-12}})";
}

TEST(LinkageStatics, TheManipulatorOfSixObliqueCablesHangsAsComputed) {
  LinkageCase coarse(sixCables(2, 5));
  roundPaths(coarse.system());
  const VectorX q = coarse.settle(10);
  EXPECT_LT((coarse.tip(1, q).r - Vec3(0.04762179611, -0.1095875175, 0.205901395)).norm(), 1e-7);
  EXPECT_LT((coarse.tip(0, q).r - Vec3(0.1976846628, -0.1650881946, 0.1673531413)).norm(), 1e-7);
  LinkageCase fine(sixCables(6, 14));
  roundPaths(fine.system());
  const VectorX p = fine.settle(10);
  EXPECT_LT((fine.tip(1, p).r - Vec3(0.05833064756, -0.1096389544, 0.2009254577)).norm(), 1e-7);
}

TEST(LinkageStatics, TheManipulatorOfSixObliqueCablesHasItsPublishedCoordinates) {
  const auto file = linkageReference("tendons");
  LinkageCase coarse(sixCables(2, 5)), fine(sixCables(6, 14));
  roundPaths(coarse.system()), roundPaths(fine.system());
  EXPECT_LT(coordinateDistance(coarse.settle(10), file["results"]["c4_softmanipulator_new_toolbox_quadratic_5gp"]["q"]),
            1e-7);
  EXPECT_LT(coordinateDistance(fine.settle(10), file["results"]["c4_softmanipulator_new_order6_14gp"]["q"]), 1e-7);
}

// Straight tendons in a thin finger: closed forms at every tension, bending only and with all modes.
TEST(LinkageStatics, StraightTendonsBendToTheirClosedForms) {
  for (const double T : {0.5, 1.0, 2.0, 4.0}) {
    for (const bool all : {false, true}) {
      const std::string strains =
          all ? R"({"twist": 0, "bendY": 0, "bendZ": 0, "stretch": 0, "shearY": 0, "shearZ": 0})" : R"({"bendY": 0})";
      LinkageCase c(
          R"({"format": "tendril/1", "materials": {"rubber": {"youngs": 1e6, "poisson": 0.5, "density": 1000}},
        "linkages": {"arm": {"links": {"limb": {"body": {"soft": {"length": 0.5, "section": {"circle": {"radius": 0.01}}, "strains": )" +
          strains + R"(}}}}, "cables": {"c": {"through": "limb", "path": {"constant": [0, 0.008]}, "tension": )" +
          std::to_string(T) + R"(}}}}, "solver": {"mode": "static", "tolerance": 1e-12}})");
      // The offset is along z: the arm bends about -y, toward the tendon, in an arc that it shortens at most.
      const double kappa = T * 0.008 / (1e6 * pi * 1e-8 / 4), stretch = all ? 1 - T / (1e6 * pi * 1e-4) : 1;
      const Vec3 tip = c.tip(0, c.settle(2)).r;
      EXPECT_LT((tip - stretch / kappa * Vec3(std::sin(kappa * 0.5), 0, 1 - std::cos(kappa * 0.5))).norm(), 1e-12)
          << T << all;
    }
  }
}

// The tendon runs beside the thin joints, so that these are given by their stiffness (5 x 15 mm of 1 MPa) and a wider
// skin. Three soft joints of 10 mm between rigid phalanges, each bent by a tendon in it: kappa = T d/EI, 0.448 rad a
// joint.
TEST(LinkageStatics, TheGripperFingerClosesByItsClosedForm) {
  std::string links, cables;
  for (int k = 0; k < 3; ++k) {
    const std::string n = std::to_string(k);
    links +=
        (k ? ", " : "") + std::string("\"joint") + n + R"(": {"offset": {"position": [0, )" + (k ? "-0.0035" : "0") +
        R"(, 0]}, "body": {"soft": {"length": 0.01, "section": {"stiffness": {"EA": 75, "EI1": 1.5625e-4, "EI2": 1.40625e-3, "GJ": 1e-3}, "massPerLength": 0.1, "radius": 0.008}, "strains": {"bendZ": 1}}}}, "bone)" +
        n +
        R"(": {"offset": {"position": [0, 0.0035, 0]}, "body": {"rigid": {"length": 0.02, "section": {"rectangle": {"width": 0.012, "height": 0.02}}, "density": 1000}}})";
    cables += (k ? ", " : "") + std::string("\"c") + n + R"(": {"through": "joint)" + n +
              R"(", "path": {"constant": [0.007, 0]}, "tension": 1})";
  }
  LinkageCase c(R"({"format": "tendril/1", "materials": {"rubber": {"youngs": 1e6, "poisson": 0.5, "density": 1000}},
    "linkages": {"finger": {"links": {)" +
                links + R"(}, "cables": {)" + cables + R"(}}}, "solver": {"mode": "static", "tolerance": 1e-12}})");
  const geometry::Pose tip = c.tip(5, c.settle(2));
  EXPECT_LT((tip.r - Vec3(0.05335765649, 0.06185709254, 0)).norm(), 1e-10);
  EXPECT_NEAR(std::atan2(tip.R(1, 0), tip.R(0, 0)), 3 * 0.448, 1e-12);
}

TEST(LinkageStatics, TheFollowerBeamHasItsPublishedCoordinates) {
  const auto file = linkageReference("follower_tip_force");
  for (const auto& [force, row] : file["results"]["gvs_order4_5gp"].items()) {
    LinkageCase c(sceneFile("follower-force-linkage"),
                  {{"F", std::stod(force)}, {"order", 4}, {"points", 5}, {"magnus", 4}});
    const VectorX q = c.settle(65);
    EXPECT_LT(coordinateDistance(q, row["q"]), 1e-7) << force;
    const Vec3 tip = c.tip(0, q).r;
    EXPECT_LT(std::hypot(tip.x() - row["x"].get<double>(), tip.z() - row["z"].get<double>()), 1e-6) << force;
  }
}

// Two rigid links, driven about the vertical and a horizontal axis, and a soft one with all modes under gravity.
TEST(LinkageStatics, TheHybridRobotHoldsItsSoftLinkWithTheMotorsOfTheReference) {
  const auto scene = [](const std::string& strains, int points) {
    return R"({"format": "tendril/1", "materials": {"rubber": {"youngs": 1e6, "poisson": 0.5, "density": 1000}},
    "linkages": {"arm": {"base": {"forward": [0, 0, 1], "up": [-1, 0, 0]}, "links": {
      "column": {"joint": {"revolute": {"axis": "x", "angle": "=pi/4"}}, "body": {"rigid": {"length": 0.3, "section": {"circle": {"radius": 0.03}}, "density": 1000}}},
      "boom": {"offset": {"rotation": {"axis": [0, 1, 0], "angle": "=pi/2"}}, "joint": {"revolute": {"axis": "y", "angle": "=-pi/6"}},
        "body": {"rigid": {"length": 0.3, "section": {"circle": {"radius": "=0.03 - 0.01*u"}}, "density": 1000}}},
      "limb": {"body": {"soft": {"length": 0.5, "section": {"circle": {"radius": "=0.02 - 0.01*u"}}, "strains": )" +
           strains + ", \"points\": " + std::to_string(points) + R"(}}}}}},
    "environment": {"gravity": [0, 0, -9.81]}, "solver": {"mode": "static", "loadSteps": 4, "tolerance": 1e-12},
    "probes": {"root": {"position": "arm/boom:tip"}, "tip": {"position": "arm:tip"}, "turn": {"jointEffort": "arm/column"}, "lift": {"jointEffort": "arm/boom"}}})";
  };
  const Outcome out = test::solve(scene(allModes, 5));
  EXPECT_NEAR(out["root.x"], 0.1837117307, 1e-10);
  EXPECT_NEAR(out["root.y"], 0.1837117307, 1e-10);
  EXPECT_NEAR(out["root.z"], 0.45, 1e-12);
  EXPECT_NEAR(out["tip.x"], 0.4870158636, 1e-9);
  EXPECT_NEAR(out["tip.y"], 0.4870158636, 1e-9);
  EXPECT_NEAR(out["tip.z"], 0.2763869134, 1e-9);
  EXPECT_NEAR(out["turn"], 0, 1e-9);
  EXPECT_NEAR(out["lift"], -2.248701221, 1e-8);
  const Outcome fine =
      test::solve(scene(R"({"twist": 6, "bendY": 6, "bendZ": 6, "stretch": 6, "shearY": 6, "shearZ": 6})", 16));
  EXPECT_NEAR(fine["tip.x"], 0.4869036096, 1e-8);
  EXPECT_NEAR(fine["tip.z"], 0.2763329067, 1e-8);
  EXPECT_NEAR(fine["lift"], -2.248630632, 1e-7);
}

std::string crank(const std::string& angle, const std::string& solver) {
  const auto link = [](const char* length) {
    return std::string(R"("body": {"rigid": {"length": )") + length +
           R"(, "section": {"circle": {"radius": 0.03}}, "density": 1000}})";
  };
  return R"({"format": "tendril/1", "linkages": {"m": {"links": {
      "crank": {"joint": {"revolute": {"axis": "y", "angle": ")" +
         angle + R"("}}, )" + link("0.2") + R"(},
      "coupler": {"offset": {"rotation": {"axis": [0, 1, 0], "angle": "=-pi/4"}}, "joint": {"revolute": {"axis": "y"}}, )" +
         link("0.7") + R"(},
      "rocker": {"offset": {"rotation": {"axis": [0, 1, 0], "angle": "=3*pi/4"}}, "joint": {"revolute": {"axis": "y"}}, )" +
         link("0.5") + R"(},
      "rod": {"parent": "crank", "offset": {"rotation": {"axis": [0, 1, 0], "angle": "=pi/6"}}, "joint": {"revolute": {"axis": "y"}}, )" +
         link("0.7") + R"(},
      "slider": {"offset": {"rotation": {"axis": [0, 1, 0], "angle": "=-pi/6"}}, "joint": {"revolute": {"axis": "y"}}, )" +
         link("0.2") + R"(}},
    "loops": [
      {"from": "base", "offset": {"position": [0.6949747468305833, 0, -0.00502525316941671]}, "to": "rocker", "joint": {"revolute": {"axis": "y"}}},
      {"from": "base", "offset": {"position": [0, 0, -0.35]}, "to": "slider", "joint": {"prismatic": {"axis": "x"}}}]}},
    "environment": {"gravity": [0, 0, -9.81]}, "solver": {)" +
         solver + R"(},
    "probes": {"pin": {"position": "m/coupler:tip"}, "slide": {"position": "m/rod:tip"}, "motor": {"jointEffort": "m/crank"},
      "T": {"energy": "kinetic"}, "U": {"energy": "gravity"}}})";
}

// Rotation about +y takes x to -z. Planar chain, closed by trigonometry in the reference, torque by virtual work.
TEST(LinkageStatics, FourBarAndSliderCrankStandAndNeedTheReferencesTorque) {
  struct Row {
    double theta, pinX, pinZ, slide, torque, moving;
  };
  const Row rows[] = {{0, 0.6949747468, 0.4949747468, 0.8062177826, -4.437939447, -4.103583823},
                      {0.5, 0.3831517861, 0.3858282247, 0.6837397166, -1.196245162, -1.404725105},
                      {1, 0.3837525769, 0.3863067809, 0.4062177826, 5.585651656, 5.611380039}};
  for (const Row& row : rows) {
    // The angle is led there in the load steps, so that the chain stays on its branch.
    const std::string angle = row.theta > 0 ? "=" + std::to_string(row.theta) + "*pi" : "=0*t";
    const Outcome out = test::solve(crank(angle, R"("mode": "static", "loadSteps": 20, "tolerance": 1e-12)"));
    EXPECT_NEAR(out["pin.x"], row.pinX, 1e-9) << row.theta;
    EXPECT_NEAR(out["pin.z"], row.pinZ, 1e-9) << row.theta;
    EXPECT_NEAR(out["slide.x"], row.slide, 1e-9) << row.theta;
    EXPECT_NEAR(out["slide.z"], -0.35, 1e-10) << row.theta;
    EXPECT_NEAR(out["motor"], row.torque, 1e-7) << row.theta;
  }
}

// Driven at pi rad/s: positions and torque of the motor at once, energies of the whole.
TEST(LinkageStatics, FourBarAndSliderCrankRunWithTheReferencesMotorTorque) {
  const auto file = linkageReference("statics_and_mechanisms");
  const auto& rows = file["results"]["e3_fourbar_slidercrank"]["rows"];
  for (const double dt : {2e-3, 1e-3}) {
    Simulation sim(crank("=pi*t", "\"duration\": 2, \"dt\": " + std::to_string(dt)));
    const auto column = [&](const char* name) {
      return sim.values()[std::find(sim.columns().begin(), sim.columns().end(), name) - sim.columns().begin()];
    };
    double place = 0, torque = 0, energy = 0;
    for (const auto& row : rows) {
      const double t = row["theta"].get<double>() / pi;
      while (sim.time() < t - 1e-6) sim.step();
      place = std::max({place, std::abs(column("pin.x") - row["coupler_rocker_pin_xz"][0].get<double>()),
                        std::abs(column("pin.z") - row["coupler_rocker_pin_xz"][1].get<double>()),
                        std::abs(column("slide.x") - row["slider_pin_xz"][0].get<double>())});
      torque = std::max(torque, std::abs(column("motor") - row["motor_torque_at_pi_rad_s"].get<double>()));
      energy = std::max(
          {energy, std::abs(column("T") - row["T"].get<double>()), std::abs(column("U") - row["U"].get<double>())});
    }
    EXPECT_LT(place, 1e-8) << dt;
    EXPECT_LT(torque, 1e-6) << dt;  // that of the motion itself, whatever the step: to the reference's digits
    EXPECT_LT(energy, 1e-3) << dt;
  }
}

}  // namespace validation_linkage_statics_test
}  // namespace tendril
