// Formulas that drive joints and have kinks: what hangs on them takes its momentum, whenever and however fast they
// come.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>

#include "engine/links/linkage_scene.h"
#include "links/step_course.h"

namespace tendril::links {
namespace drive_kinks_test {

using namespace test;

constexpr std::array allIntegrators = {"generalized-alpha", "implicit-euler",   "bdf2",
                                       "implicit-midpoint", "symplectic-euler", "verlet"};

// A rod hangs by a hinge on a slide along x.
std::string hinged(const std::string& motion, const std::string& solver, double gravity = 0) {
  return test::scene(R"("s": {"joint": {"prismatic": {"axis": "x", "displacement": ")" + motion +
                         R"("}}, "body": {"rigid": {"length": 0, "mass": 1, "inertia": [1, 1, 1]}}},
                   "r": {"joint": {"revolute": {"axis": "y"}}, "offset": {"rotation": {"axis": [0, 1, 0], "angle": "=pi/2"}}, )" +
                         rod + "}",
                     solver,
                     R"("environment": {"gravity": [0, 0, )" + digits(-gravity) +
                         R"(]}, "probes": {"q": {"jointAngle": "a/r"}, "v": {"velocity": "a/r:tip"},
                   "N": {"energy": "numerical"}, "K": {"energy": "kinetic"}, "f": {"jointEffort": "a/s"}})");
}

std::string solverOf(const std::string& integrator, double dt, double duration) {
  return R"("integrator": ")" + integrator + R"(", "dt": )" + digits(dt) + R"(, "duration": )" + digits(duration);
}

// [rad/s]
double turning(Simulation& sim, double speed) {
  return std::hypot(column(sim, "v.x") - speed, column(sim, "v.z")) / length;
}

// Of a rod about its end, pushed sideways there: mass * length / 2 over its moment of inertia.
double turningPerSpeed() { return mass * 0.5 * length / inertia; }

TEST(DriveKinks, PassOnAllOfTheirMomentumWheneverTheyCome) {
  // Within steps, at their ends to round-off and almost, in the first step and the last.
  for (const char* when : {"0.203", "0.2", "0.20001", "0.209999", "0.2099", "0.0031", "0.017", "0.399"}) {
    const double begun = std::atof(when);
    for (const char* integrator : allIntegrators) {
      Simulation sim(hinged("=max(0, t - " + std::string(when) + ")", solverOf(integrator, 0.01, 0.4)));
      EXPECT_EQ(runToEnd(sim).retries, 0) << when << integrator;
      EXPECT_NEAR(turning(sim, 1), turningPerSpeed(), 1e-6 * turningPerSpeed()) << when << integrator;
      EXPECT_NEAR(std::abs(column(sim, "q")), turningPerSpeed() * (0.4 - begun), 2e-5) << when << integrator;
      EXPECT_LT(std::abs(column(sim, "N")), 0.01 * column(sim, "K")) << when << integrator;
    }
  }
}

// A point mass on a sprung hinge through itself turns without mass, so accelerations are not known: the implicit step
// alone passes the momentum on.
TEST(DriveKinks, PassOnTheirMomentumBesideWhatHasNoMass) {
  const std::string links =
      R"("s": {"joint": {"prismatic": {"axis": "x", "displacement": "=max(0, t - 0.103) "}}, "body": {"rigid": {"length": 0, "mass": 1, "inertia": [1, 1, 1]}}},
      "r": {"joint": {"revolute": {"axis": "y"}}, "offset": {"rotation": {"axis": [0, 1, 0], "angle": "=pi/2"}}, )" +
      rod + R"(},
      "bead": {"joint": {"revolute": {"axis": "x", "stiffness": 1}}, "body": {"rigid": {"length": 0, "mass": 1e-9}}})";
  for (const char* integrator : {"generalized-alpha", "implicit-euler", "bdf2"}) {
    Simulation sim(test::scene(links, solverOf(integrator, 0.01, 0.4),
                               R"("environment": {"gravity": [0, 0, 0]}, "probes": {"v": {"velocity": "a/r:tip"}})"));
    runToEnd(sim);
    EXPECT_NEAR(turning(sim, 1), turningPerSpeed(), 0.01 * turningPerSpeed()) << integrator;
  }
}

// Rates that change within a part of a step, or of a few: to the order of the way that the rod turns in a step.
TEST(DriveKinks, RampsThatStepsDoNotFollowPassOnTheirMomentum) {
  for (const double width : {0.0001, 0.001, 0.004, 0.008, 0.012, 0.02, 0.03}) {
    for (const double begun : {0.1, 0.103, 0.1072, 0.0995}) {
      const std::string t0 = digits(begun), w = digits(width);
      const std::string motion = "=t < " + t0 + " ? 0 : (t < " + t0 + " + " + w + " ? (t - " + t0 + ")^2/(2*" + w +
                                 ") : t - " + t0 + " - " + w + "/2)";
      for (const char* integrator : allIntegrators) {
        Simulation sim(hinged(motion, solverOf(integrator, 0.01, 0.4)));
        runToEnd(sim);
        EXPECT_NEAR(turning(sim, 1), turningPerSpeed(), 4e-3 * turningPerSpeed())
            << width << " " << begun << integrator;
        EXPECT_LT(std::abs(column(sim, "N")), 0.01 * column(sim, "K")) << width << " " << begun << integrator;
      }
    }
  }
}

// Two kinks within one step, an impulse there and back: the rod is left turned by the way alone.
TEST(DriveKinks, RampsWithinOneStepPassOnBothBlows) {
  const std::string motion = "=0.05*ramp(t, 0.1021, 0.1064)";
  const auto angleOf = [&](const char* integrator, double dt) {
    Simulation sim(hinged(motion, solverOf(integrator, dt, 0.3), 9.81));
    runToEnd(sim);
    return column(sim, "q");
  };
  const double right = angleOf("verlet", 2e-5);
  for (const char* integrator : allIntegrators) EXPECT_NEAR(angleOf(integrator, 0.01), right, 1e-2) << integrator;
}

// A saw under a pendulum, with kinks at no common place in the steps.
TEST(DriveKinks, LeaveTheOrderOfTheIntegrator) {
  const auto angleOf = [](const char* integrator, double dt) {
    Simulation sim(hinged("=0.05*abs(2*(t/0.0873 - floor(t/0.0873 + 0.5)))", solverOf(integrator, dt, 0.5), 9.81));
    runToEnd(sim);
    return column(sim, "q");
  };
  const double right = angleOf("verlet", 2e-5);
  for (const char* integrator : {"generalized-alpha", "bdf2", "implicit-midpoint"}) {
    const auto error = [&](double dt) { return std::abs(angleOf(integrator, dt) - right); };
    // Where in their steps kinks come decides at long ones; with a step of implicit Euler at each these were 0.01 to
    // 0.024.
    EXPECT_LT(error(0.01), 1e-3) << integrator;
    EXPECT_LT(error(0.00125), 1e-4) << integrator;
    EXPECT_LT(error(3.125e-4), error(1.25e-3) / 14) << integrator;
  }
}

// Differences of a formula keep their digits at short steps, and after many turns.
TEST(DriveKinks, EffortsKeepTheirDigitsAtShortSteps) {
  for (const double turned : {0.0, 100.0}) {
    for (const double dt : {1e-5, 1e-6}) {
      Simulation sim(test::scene(R"("h": {"joint": {"revolute": {"axis": "z", "angle": "=)" + digits(turned) +
                                     R"(+sin(t+0.3) "}}, )" + rod + "}",
                                 solverOf("generalized-alpha", dt, 1e-3),
                                 R"("environment": {"gravity": [0, 0, 0]}, "probes": {"f": {"jointEffort": "a/h"}})"));
      for (int i = 0; i < 50; ++i) {
        sim.step();
        const double right = -inertia * std::sin(sim.time() + 0.3);
        ASSERT_NEAR(column(sim, "f"), right, 3e-3 * std::abs(right)) << turned << " " << dt << " " << i;
      }
    }
  }
}

// Measured angles are lines from sample to sample. A kink at each of them costs no order: what hangs on the joint
// swings as with the smooth motion that was sampled, to what lines leave of that.
TEST(DriveKinks, ASeriesMovesAsWhatItSamples) {
  std::string times, values;
  for (int i = 0; i <= 200; ++i) {
    times += (i ? ", " : "") + digits(0.005 * i), values += (i ? ", " : "") + digits(0.5 * std::sin(6 * 0.005 * i));
  }
  const auto angleOf = [&](const char* motion, const char* integrator, double dt) {
    Simulation sim(test::scene(R"("h": {"joint": {"revolute": {"axis": "y", "angle": ")" + std::string(motion) +
                                   R"("}}, )" + rod + R"(},
                         "k": {"joint": {"revolute": {"axis": "y"}}, )" +
                                   rod + "}",
                               solverOf(integrator, dt, 1),
                               R"("series": {"m": {"time": [)" + times + R"(], "a": [)" + values +
                                   R"(]}}, "environment": {"gravity": [0, 0, -9.81]},
                         "probes": {"q": {"jointAngle": "a/k"}, "N": {"energy": "numerical"}, "K": {"energy": "kinetic"}})"));
    EXPECT_EQ(runToEnd(sim).retries, 0) << integrator;
    return std::array{column(sim, "q"), column(sim, "N")};
  };
  const double right = angleOf("=0.5*sin(6*t)", "verlet", 1e-4)[0];
  for (const char* integrator : {"generalized-alpha", "bdf2", "implicit-midpoint"}) {
    const auto [coarse, made] = angleOf("=m.a(t)", integrator, 0.004);
    const auto [fine, less] = angleOf("=m.a(t)", integrator, 0.001);
    EXPECT_NEAR(coarse, right, 0.02) << integrator;
    EXPECT_NEAR(fine, right, 0.002) << integrator;
    EXPECT_LT(std::abs(less), 1e-3) << integrator << made;
  }
}

// A lift stops between two steps under a passenger on a damped spring: what is lost is the passenger's motion, wherever
// in its step the lift stops.
TEST(DriveKinks, ABlowWithinAStepStoresNothing) {
  for (const double into : {0.0, 0.003, 0.006, 0.009, 0.00999}) {
    for (const char* integrator : {"generalized-alpha", "bdf2", "implicit-midpoint"}) {
      Simulation sim(R"({"format": "tendril/1", "linkages": {"a": {"links": {
          "lift": {"joint": {"prismatic": {"axis": "z", "displacement": "=min(t, )" +
                     digits(0.3 + into) + R"() "}}, "body": {"rigid": {"length": 0, "mass": 10}}},
          "passenger": {"joint": {"prismatic": {"axis": "z", "stiffness": 1e5, "damping": 60}}, "body": {"rigid": {"length": 0, "mass": 1}}}}}},
          "environment": {"gravity": [0, 0, 0]}, "probes": {"W": {"energy": "work"}, "D": {"energy": "dissipated"}, "N": {"energy": "numerical"}},
          "solver": {)" +
                     solverOf(integrator, 0.01, 1) + "}}");
      EXPECT_EQ(runToEnd(sim).retries, 0);
      EXPECT_NEAR(column(sim, "D") - column(sim, "N"), 0.5, 0.01) << into << integrator;
      EXPECT_NEAR(column(sim, "W"), -5, 0.01) << into << integrator;
    }
  }
}

// What a ramp that stops does to a soft bar with a stretch mode far above the step.
TEST(DriveKinks, ABlowWithinAStepIsThatAtAStep) {
  const auto workOf = [](double stop, const std::string& integrator) {
    Simulation sim(
        R"({"format": "tendril/1", "materials": {"m": {"youngs": 1e8, "poisson": 0.4, "density": 1000}}, "linkages": {"a": {"links": {
        "bar": {"joint": {"prismatic": {"axis": "x", "displacement": "=min(t, )" +
        digits(stop) + R"() "}},
                "body": {"soft": {"length": 0.3, "section": {"circle": {"radius": 0.01}}, "material": "m", "strains": {"stretch": 1}}}}}}},
        "environment": {"gravity": [0, 0, 0]}, "probes": {"W": {"energy": "work"}, "T": {"energy": "total"}}, "solver": {)" +
        solverOf(integrator, 0.01, 0.3) + "}}");
    runToEnd(sim);
    return column(sim, "W");
  };
  for (const char* integrator : {"implicit-midpoint", "generalized-alpha", "bdf2", "implicit-euler"}) {
    const double right = workOf(0.2, integrator);
    EXPECT_LT(right, -1e-3);
    for (const double stop : {0.2003, 0.2077, 0.2099})
      EXPECT_NEAR(workOf(stop, integrator), right, 1e-6 * std::abs(right)) << stop << integrator;
  }
}

// Soft links afloat whose hinge sets off within a step that is long for their bending: one step over the kink gained a
// tenth of all energy, and gave 2.3 times what the hinge gives in short steps. The step ends at the kink.
TEST(DriveKinks, AStepEndsAtAKinkAndGainsNothing) {
  const auto afloat = [](const std::string& integrator, double dt) {
    const std::string section = R"("section": {"circle": {"radius": 0.013}})";
    return R"({"format": "tendril/1", "materials": {"rubber": {"youngs": 2e6, "poisson": 0.35, "density": 1000, "damping": 4e3}},
      "linkages": {"a": {"links": {
        "l0": {"joint": {"free": {}}, "body": {"soft": {"length": 0.145, )" +
           section + R"(, "material": "rubber", "strains": {"bendY": 0, "bendZ": 2, "twist": 1}}}},
        "l1": {"joint": {"revolute": {"axis": "z", "stiffness": 0.03, "damping": 6e-4}},
               "body": {"soft": {"length": 0.17, )" +
           section + R"(, "material": "rubber", "strains": {"bendY": 2, "bendZ": 0, "twist": 1}}}},
        "l2": {"joint": {"revolute": {"axis": "z", "angle": "=1.65*max(0, t - 0.0397) "}}, "body": {"rigid": {"length": 0.237, )" +
           section + R"(, "density": 1000}}}}}},
      "loads": [{"force": [-0.062, -0.095, -0.06], "at": "a/l2@1"}], "environment": {"gravity": [0, 0, -5.77]},
      "solver": {"integrator": ")" +
           integrator + R"(", "dt": )" + digits(dt) + R"(, "duration": 0.12, "tolerance": 1e-11},
      "initial": [{"of": "a/l0", "angleRate": [-0.72, -0.65, -1.57], "displacementRate": [0.11, 0.31, 0.38]}],
      "probes": {"N": {"energy": "numerical"}, "W": {"energy": "work"}, "K": {"energy": "kinetic"}}})";
  };
  Simulation fine(afloat("implicit-midpoint", 0.005 / 8));
  runToEnd(fine);
  const double given = column(fine, "W");
  for (const char* integrator : {"implicit-midpoint", "bdf2"}) {
    Simulation sim(afloat(integrator, 0.005));
    const Progress progress = runToEnd(sim);
    EXPECT_EQ(progress.retries, 0) << integrator;
    EXPECT_LE(progress.steps, 32) << integrator;  // 24, one for the kink, and BDF2 lets its steps grow by twos
    EXPECT_NEAR(column(sim, "W"), given, 0.1 * given) << integrator;
    EXPECT_LT(std::abs(column(sim, "N")), 0.03 * column(sim, "K")) << integrator;
  }
}

// A live value that turns a driven joint at once works by what that changes of the stored energies, as a jump of a
// formula does.
TEST(DriveKinks, ALeapOfALiveValueWorksByWhatItChanges) {
  for (const char* integrator : {"generalized-alpha", "bdf2", "implicit-midpoint", "implicit-euler"}) {
    for (const double gravity : {0.0, 9.81}) {
      Simulation sim(test::scene(R"("h": {"joint": {"revolute": {"axis": "y", "angle": "=p"}}, )" + rod +
                                     R"(}, "k": {"joint": {"revolute": {"axis": "y"}}, )" + rod + "}",
                                 solverOf(integrator, 0.005, 1),
                                 R"("parameters": {"p": 0}, "environment": {"gravity": [0, 0, )" + digits(-gravity) +
                                     R"(]}, "initial": [{"of": "a/k", "angleRate": 2}],
                           "probes": {"W": {"energy": "work"}, "N": {"energy": "numerical"}, "G": {"energy": "gravity"}, "E": {"energy": "total"}})"));
      sim.advance(0.4);
      const double before = column(sim, "E"), took = column(sim, "N");
      EXPECT_TRUE(sim.set("p", 0.5));
      const Progress after = sim.advance(0.005);
      EXPECT_TRUE(after.warnings.empty()) << after.warnings.front();
      EXPECT_EQ(after.retries, 0);
      EXPECT_NEAR(column(sim, "N"), took, 0.02 * (std::abs(before) + std::abs(column(sim, "W"))))
          << integrator << gravity;
      if (gravity == 0) {
        EXPECT_EQ(column(sim, "W"), 0) << integrator;
      } else {
        EXPECT_GT(std::abs(column(sim, "W")), 0.1) << integrator;
      }
    }
  }
}

// What a formula does beyond the end is none of the run's business, nor what stands before its start.
TEST(DriveKinks, KnowNothingOutsideTheRun) {
  const auto after = [](const std::string& motion) {
    Simulation sim(hinged(motion, solverOf("generalized-alpha", 0.01, 0.2)));
    runToEnd(sim);
    return std::array{column(sim, "q"), column(sim, "v.x"), column(sim, "f")};
  };
  EXPECT_EQ(after("=sin(3*t)"), after("=t < 0 ? 7 : (t > 0.2 ? 9 : sin(3*t))"));
}

// A jump is warned of. It carries what hangs on the joint along, and its work is that by which the stored energies
// change.
TEST(DriveKinks, AJumpMakesNoEnergyAndNoMomentum) {
  for (const char* integrator : {"generalized-alpha", "bdf2", "implicit-midpoint"}) {
    for (const char* when : {"0.2", "0.203"}) {
      Simulation sim(hinged("=t < " + std::string(when) + " ? 0 : 0.1", solverOf(integrator, 0.01, 0.4)));
      const Progress done = runToEnd(sim);
      EXPECT_EQ(done.retries, 0) << integrator << when;
      EXPECT_LT(column(sim, "K"), 1e-18) << integrator << when;
      EXPECT_LT(std::abs(column(sim, "N")), 1e-18) << integrator << when;
    }
  }
}

TEST(StepCourse, FindsKinksAndWhatTheyLeave) {
  // Of a parabola that goes on as another one.
  for (const double at : {0.0, 0.002, 0.013, 0.3, 0.5, 0.77, 0.992}) {
    const double scale = 1e-3;  // [s]
    const auto f = [&](double s) {
      const double x = s / scale;
      return 2 + 0.7 * x + 0.4 * x * x + (x > at ? 1.5 * (x - at) - 0.9 * (x - at) * (x - at) : 0);
    };
    const StepCourse course(f, 5, scale, 2, 0.7 / scale, nullptr);
    ASSERT_FALSE(course.isSmooth()) << at;
    const double rate = 0.7 + 0.8 + 1.5 - 1.8 * (1 - at);
    EXPECT_NEAR(course.endRate() * scale, rate, 1e-3) << at;
    // Close to an end the acceleration there is taken from beyond the kink: over at most a 64th of the step.
    ASSERT_LE(course.kinks().size(), 1u) << at;
    const StepCourse::Kink kink = course.kinks().empty() ? StepCourse::Kink() : course.kinks()[0];
    EXPECT_NEAR((course.startJump() + kink.jump) * scale, 1.5, 1.8 / 64) << at;
    EXPECT_NEAR(kink.after / scale, at, 0.02) << at;
    EXPECT_NEAR(kink.leap, 0, 1e-3) << at;
  }
  // Two of them in one step.
  for (const auto& [from, to] : {std::pair(0.1, 0.6), std::pair(0.3, 0.4), std::pair(0.05, 0.95)}) {
    const auto ramp = [from = from, to = to](double x) { return 2 + 5 * std::clamp(x, from, to) + 0.3 * x * x; };
    const StepCourse course(ramp, 5, 1, ramp(0), 0, nullptr);
    ASSERT_EQ(course.kinks().size(), 2u) << from;
    for (const int k : {0, 1}) {
      const StepCourse::Kink& kink = course.kinks()[static_cast<std::size_t>(k)];
      EXPECT_NEAR(kink.after, k == 0 ? from : to, 1e-6) << from;
      EXPECT_NEAR(kink.jump, k == 0 ? 5 : -5, 1e-6) << from;
      EXPECT_EQ(kink.leap, 0) << from;
    }
    EXPECT_NEAR(course.endRate(), 0.6, 1e-9) << from;
  }
  // Eight steps a period are followed.
  const auto wave = [](double s) { return std::sin(s); };
  EXPECT_TRUE(StepCourse(wave, 0.7, 0.7, 0, 1, nullptr).isSmooth());
  // As fast as that, noise of values is no kink.
  const auto slow = [](double s) { return 1000 + 1e-9 * s; };
  EXPECT_TRUE(StepCourse(slow, 100, 1e-4, 1000, 1e-9, nullptr).isSmooth());
}

}  // namespace drive_kinks_test
}  // namespace tendril::links
