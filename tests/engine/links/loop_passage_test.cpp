// Plane four-bar linkages that come close by positions in which all bars lie in one line. As long as no crank angle is
// a turning point, knee and rocker stay on the side of the line from crank pin to fixed pin on which they are drawn:
// that is the closed form.
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <string>

#include "engine/links/linkage_scene.h"

namespace tendril::links {
namespace loop_passage_test {

using namespace test;

struct FourBar {
  double ground, crank, coupler, rocker, angle, side;  // lengths [m], the crank's angle in the drawing, +1 or -1

  Vec3 knee(double turned) const {
    const Vec3 pin = crank * Vec3(std::cos(angle + turned), std::sin(angle + turned), 0),
               line = Vec3(ground, 0, 0) - pin;
    const double d = line.norm(), along = (coupler * coupler - rocker * rocker + d * d) / (2 * d);
    return pin + along / d * line +
           side * std::sqrt(coupler * coupler - along * along) / d * Vec3(-line.y(), line.x(), 0);
  }

  std::string scene(const std::string& drive, const std::string& solver) const {
    const Vec3 pin = crank * Vec3(std::cos(angle), std::sin(angle), 0), at = knee(0), end(ground, 0, 0);
    const double toKnee = std::atan2(at.y() - pin.y(), at.x() - pin.x()),
                 toEnd = std::atan2(end.y() - at.y(), end.x() - at.x());
    const auto bar = [](double turn, double length, const std::string& hinge) {
      return R"({"joint": {"revolute": {"axis": "z")" + hinge +
             R"(}}, "offset": {"rotation": {"axis": [0, 0, 1], "angle": )" + digits(turn) +
             R"(}}, "body": {"rigid": {"length": )" + digits(length) +
             R"(, "section": {"circle": {"radius": 0.01}}, "density": 1000}}})";
    };
    return R"({"format": "tendril/1", "linkages": {"a": {"links": {"crank": )" + bar(angle, crank, drive) +
           R"(, "coupler": )" + bar(toKnee - angle, coupler, "") + R"(, "rocker": )" + bar(toEnd - toKnee, rocker, "") +
           R"(}, "loops": [{"from": "base", "offset": {"position": [)" + digits(ground) +
           R"(, 0, 0]}, "to": "rocker", "joint": {"revolute": {"axis": "z"}}}]}}, "solver": {)" + solver +
           R"(}, "probes": {"q": {"jointAngle": "a/crank"}, "knee": {"position": "a/coupler:tip"}}})";
  }
};

std::string driven(const std::string& angle) { return R"(, "angle": ")" + angle + "\""; }

struct Ended {
  std::string said, failed;
  Vec3 knee = Vec3::Zero();
  double turned = 0;
};

Ended run(const std::string& scene) {
  Simulation sim(scene);
  Ended out;
  try {
    while (!sim.finished()) {
      for (const std::string& w : sim.step().warnings) out.said += w + "\n";
    }
  } catch (const std::runtime_error& e) {
    out.failed = e.what();
  }
  out.knee = Vec3(column(sim, "knee.x"), column(sim, "knee.y"), column(sim, "knee.z"));
  out.turned = column(sim, "q");
  return out;
}

// An antiparallelogram and a kite whose bars are unlike by 25 parts in a million and 7 in ten thousand. The motion
// turns the knee by a radian within a hundredth of a radian of the crank, in far less than a step.
TEST(LoopPassage, MotionsKeepTheirSide) {
  for (const FourBar& bars :
       {FourBar{0.473846, 0.199928, 0.473846, 0.199933, 1, -1}, FourBar{0.3, 0.2998, 0.50005, 0.5, -2, 1}}) {
    for (const char* dt : {"0.01", "0.005"}) {
      const double way = bars.crank < 0.25 ? 3.234 : 3.6;
      const Ended end = run(
          bars.scene(driven("=" + digits(way) + "*ramp(t, 0, 0.3)"), R"("duration": 0.4, "dt": )" + std::string(dt)));
      EXPECT_EQ(end.failed, "") << dt;
      EXPECT_NEAR(end.turned, way, 1e-12);
      EXPECT_LT((end.knee - bars.knee(way)).norm(), 1e-8) << dt << " " << bars.crank << "\n" << end.said;
    }
  }
}

// Nothing drives it: the crank's speed carries it by the same place.
TEST(LoopPassage, FreeMotionsKeepTheirSide) {
  const FourBar bars{0.473846, 0.199928, 0.473846, 0.199933, 1, -1};
  for (const char* dt : {"0.01", "0.002"}) {
    std::string scene = bars.scene("", R"("duration": 0.4, "dt": )" + std::string(dt));
    scene.insert(scene.find(R"("solver")"), R"("initial": [{"of": "a/crank", "angleRate": 30}], )");
    const Ended end = run(scene);
    EXPECT_EQ(end.failed, "") << dt;
    EXPECT_GT(std::abs(end.turned), 2.5) << dt;
    EXPECT_LT((end.knee - bars.knee(end.turned)).norm(), 1e-8) << dt << " " << end.turned << "\n" << end.said;
  }
}

// Lengths that make the crank's pin come nearer to the fixed pin than coupler and rocker are unlike: there it stops.
TEST(LoopPassage, NothingLeapsAJam) {
  const FourBar bars{0.20347, 0.20347, 0.41833, 0.4224, 1, 1};
  const double jam = std::asin(0.5 * (0.4224 - 0.41833) / 0.20347) * 2 - 1;  // the crank's turn
  for (const int steps : {1, 3, 64}) {
    const Ended end = run(bars.scene(driven("=-3.6"), R"("mode": "static", "loadSteps": )" + std::to_string(steps)));
    EXPECT_NE(end.failed.find("joint \"a/crank\" cannot be driven beyond -0.97999"), std::string::npos)
        << steps << end.failed;
    EXPECT_NEAR(end.turned, jam, 1e-3) << steps;
  }
  for (const char* dt : {"0.01", "0.002"}) {
    const Ended end = run(bars.scene(driven("=-3.6*ramp(t, 0, 0.3)"), R"("duration": 0.4, "dt": )" + std::string(dt)));
    EXPECT_NE(end.failed.find("joint \"a/crank\" cannot be driven beyond -0.97"), std::string::npos)
        << dt << end.failed;
    EXPECT_GE(end.turned, jam - 1e-9) << dt;
  }
}

// Bars of equal lengths pass through one line: nothing but round-off knows the side.
TEST(LoopPassage, MotionsThroughTwoSidesAreTold) {
  const FourBar bars{0.4, 0.2, 0.4, 0.2, 1, -1};
  const Ended end = run(bars.scene(driven("=3*ramp(t, 0, 0.3)"), R"("duration": 0.4, "dt": 0.01)"));
  EXPECT_NE(end.said.find("not determined"), std::string::npos) << end.said << end.failed;
  const Ended before = run(bars.scene(driven("=1.9*ramp(t, 0, 0.3)"), R"("duration": 0.4, "dt": 0.01)"));
  EXPECT_EQ(before.said.find("not determined"), std::string::npos) << before.said;
  EXPECT_EQ(before.failed, "");
}

// A crank about z, a coupler between two ball joints, with a knee or without, and a rocker about y: driven until the
// coupler is too short. By how far the rocker's tip gets it is: |knee| <= the bars of the coupler in one line.
struct Spatial {
  double coupler, far;
  bool knee;

  std::string scene(int steps) const {
    const auto bar = [](double length) {
      return R"(, "body": {"rigid": {"length": )" + digits(length) +
             R"(, "section": {"circle": {"radius": 0.01}}, "density": 1000}}})";
    };
    const double each = knee ? 0.5 * coupler : coupler;
    return R"({"format": "tendril/1", "linkages": {"a": {"links": {"crank": {"joint": {"revolute": {"axis": "z", "angle": 3.1}})" +
           bar(0.2) +
           R"(, "coupler": {"joint": {"spherical": {"stiffness": 0.01}}, "offset": {"rotation": {"axis": [0, 1, 0], "angle": -0.5}})" +
           bar(each) +
           (knee
                ? R"(, "second": {"joint": {"revolute": {"axis": "y", "stiffness": 0.5}}, "offset": {"rotation": {"axis": [0, 1, 0], "angle": 0.6}})" +
                      bar(each)
                : "") +
           R"(, "rocker": {"parent": "base", "joint": {"revolute": {"axis": "y"}}, "offset": {"position": [)" +
           digits(far) + R"(, 0.05, 0], "rotation": {"axis": [0, 1, 0], "angle": "=-pi/2"}})" + bar(0.25) +
           R"(}, "loops": [{"from": "rocker", "to": ")" + (knee ? "second" : "coupler") +
           R"(", "joint": {"spherical": {}}}]}}, "environment": {"gravity": [0, 0, -9.81]}, "solver": {"mode": "static", "loadSteps": )" +
           std::to_string(steps) + R"(}, "probes": {"q": {"jointAngle": "a/crank"}}})";
  }
  /// The crank's angle where the nearest place of the rocker's tip is as far as the coupler is long.
  double jam() const {
    double low = 0.5, high = 3.1;
    for (int i = 0; i < 60; ++i) {
      const double a = 0.5 * (low + high), x = far - 0.2 * std::cos(a), y = 0.05 - 0.2 * std::sin(a);
      (std::hypot(x - 0.25, y) < coupler ? low : high) = a;
    }
    return low;
  }
};

TEST(LoopPassage, SpatialChainsThatJamWithAFreedomLeftAreNamed) {
  for (const Spatial& bars : {Spatial{0.4, 0.45, false}, Spatial{0.4, 0.5, true}}) {
    for (const int steps : {1, 8}) {
      Simulation sim(bars.scene(steps));
      std::string failed;
      long iterations = 0;
      try {
        while (!sim.finished()) iterations += sim.step().iterations;
      } catch (const std::runtime_error& e) {
        failed = e.what();
      }
      EXPECT_NE(failed.find("joint \"a/crank\" cannot be driven beyond"), std::string::npos) << steps << failed;
      EXPECT_NEAR(column(sim, "q"), bars.jam(), 2e-3) << steps;
      EXPECT_LT(iterations, 3000) << steps << bars.knee;
    }
  }
}

// A closed triangle is rigid: where its crank is driven, a row of the loop says nothing new of what is free.
std::string triangle(const std::string& drive, const std::string& solver) {
  const auto bar = [](double turn, double length, const std::string& hinge) {
    return R"({"joint": {"revolute": {"axis": "z")" + hinge +
           R"(}}, "offset": {"rotation": {"axis": [0, 0, 1], "angle": )" + digits(turn) +
           R"(}}, "body": {"rigid": {"length": )" + digits(length) +
           R"(, "section": {"circle": {"radius": 0.01}}, "density": 1000}}})";
  };
  const double first = std::atan2(0.24, 0.18);
  return R"({"format": "tendril/1", "linkages": {"a": {"links": {"crank": )" + bar(first, 0.3, drive) + R"(, "bar": )" +
         bar(std::atan2(-0.24, 0.32) - first, 0.4, "") +
         R"(}, "loops": [{"from": "base", "offset": {"position": [0.5, 0, 0]}, "to": "bar", "joint": {"revolute": {"axis": "z"}}}]}}, "solver": {)" +
         solver + R"(}, "probes": {"q": {"jointAngle": "a/crank"}, "knee": {"position": "a/crank:tip"}}})";
}

TEST(LoopPassage, RowsThatDrivesMakeRedundantMustNotOpen) {
  for (const char* solver :
       {R"("mode": "static")", R"("mode": "static", "loadSteps": 20)", R"("duration": 0.2, "dt": 0.01)",
        R"("duration": 0.2, "dt": 0.01, "integrator": "implicit-euler")"}) {
    const bool still = std::string(solver).find("static") != std::string::npos;
    const Ended end = run(triangle(driven(still ? "=0.3" : "=0.3*sin(1.5*t)"), solver));
    EXPECT_NE(end.failed.find("jams"), std::string::npos) << solver << end.failed;
    EXPECT_LT(std::abs(end.turned), 1e-5) << solver;
    EXPECT_EQ(run(triangle(driven("=0*t"), solver)).failed, "") << solver;
  }
}

// Both cranks of a parallelogram, driven alike: one drive says what the other one does.
TEST(LoopPassage, DrivesThatAgreeMayBeMoreThanItTakes) {
  const FourBar bars{0.4, 0.2, 0.4, 0.2, 1, 1};
  for (const char* solver : {R"("mode": "static")", R"("duration": 0.4, "dt": 0.01)"}) {
    const bool still = std::string(solver).find("static") != std::string::npos;
    const std::string turn = still ? "0.6" : "0.6*ramp(t, 0, 0.3)";
    std::string scene = bars.scene(driven("=" + turn), solver);
    const std::size_t coupler = scene.find(R"("coupler")"), hinge = scene.find(R"("axis": "z")", coupler);
    scene.insert(hinge + 11, driven("=-" + turn));
    const Ended end = run(scene);
    EXPECT_EQ(end.failed, "") << solver;
    EXPECT_LT((end.knee - bars.knee(0.6)).norm(), 1e-9) << solver;
  }
}

}  // namespace loop_passage_test
}  // namespace tendril::links
