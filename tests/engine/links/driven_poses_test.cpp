// Planar, spherical and free joints that are driven: against joints of one coordinate that do the same, against closed
// forms of rigid bodies, and the effort of every kind of joint as a load on the same joint when nothing drives it.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "engine/simulation/run_scene.h"
#include "geometry/se3.h"

namespace tendril::links {
namespace driven_poses_test {

using test::column;
using test::digits;
using test::filled;
using test::runToEnd;
using test::vectorColumn;

/// A body of no symmetry on `joint`, with a pendulum behind it where `behind` says so.
std::string scene(const std::string& joint, const std::string& solver, const std::string& more = "",
                  const std::string& behind = "") {
  return filled(R"({"format": "tendril/1", "linkages": {"a": {"links": {
      "body": {"joint": {$joint}, "offset": {"position": [0.1, 0.2, 0.3], "rotation": {"axis": [1, 2, 3], "angle": 0.7}},
               "body": {"rigid": {"length": 0.3, "mass": 0.8, "inertia": [0.02, 0.03, 0.045], "center": [0.1, 0.05, -0.04]}}}$behind}}},
    "probes": {"tip": {"position": "a/body"}, "speed": {"velocity": "a/body"}, "pose": {"pose": "a/body"}, "at": {"jointAngle": "a/body"},
               "effort": {"jointEffort": "a/body"}},
    "environment": {"gravity": [0, 0, -9.81]}, "solver": {$solver}$more})",
                {{"joint", joint}, {"solver", solver}, {"more", more}, {"behind", behind}});
}

const std::string pendulum =
    R"(, "behind": {"joint": {"revolute": {"axis": "y"}}, "body": {"rigid": {"length": 0.2, "mass": 0.3, "inertia": [1e-3, 1e-3, 1e-3], "center": [0.15, 0, 0.02]}}})";

std::string dynamic(double dt, double duration = 0.6, const std::string& integrator = "generalized-alpha") {
  return filled(R"("dt": $dt, "duration": $duration, "integrator": "$integrator", "tolerance": 1e-10)",
                {{"dt", digits(dt)}, {"duration", digits(duration)}, {"integrator", integrator}});
}

/// Every column with this prefix.
std::vector<double> columnsOf(const Simulation& sim, const std::string& probe) {
  std::vector<double> out;
  for (std::size_t i = 0; i < sim.columns().size(); ++i) {
    const std::string& name = sim.columns()[i];
    if (name == probe || name.rfind(probe + ".", 0) == 0) out.push_back(sim.values()[i]);
  }
  return out;
}

double apart(const std::vector<double>& a, const std::vector<double>& b) {
  EXPECT_EQ(a.size(), b.size());
  double most = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

struct Pair {
  const char *one, *other;
};

// About or along one axis, at rest, from afar, with kinks, jumps, in statics, and more than a turn.
TEST(DrivenPoses, AboutOneAxisGoAsTheirJointsOfOneCoordinate) {
  const std::vector<std::string> formulas = {"0.7",
                                             R"J("=2*sin(9*t)")J",
                                             R"J("=5+3*t")J",
                                             R"J("=40*t^2")J",
                                             R"J("=3*abs(t-0.2137)")J",
                                             R"J("=max(0,t-0.1)*4-max(0,t-0.3113)*9")J",
                                             R"J("=0.3*t+0.8*(t>0.25)")J",
                                             R"J("=0.9*smooth(t,0.1,0.3)")J"};
  const Pair pairs[] = {
      {R"("revolute": {"axis": "z", "angle": $f})", R"("spherical": {"angle": [0, 0, $f]})"},
      {R"("revolute": {"axis": "y", "angle": $f})", R"("spherical": {"rotation": {"axis": [0, 3, 0], "angle": $f}})"},
      {R"("revolute": {"axis": "x", "angle": $f})", R"("free": {"angle": [$f, 0, 0], "displacement": [0, 0, 0]})"},
      {R"("prismatic": {"axis": "y", "displacement": $f})",
       R"("free": {"angle": [0, 0, 0], "displacement": [0, $f, 0]})"},
      {R"("revolute": {"axis": "z", "angle": $f})", R"("planar": {"angle": $f, "displacement": [0, 0]})"},
      {R"("prismatic": {"axis": "y", "displacement": $f})", R"("planar": {"angle": 0, "displacement": [0, $f]})"},
  };
  for (const char* integrator :
       {"generalized-alpha", "implicit-euler", "bdf2", "implicit-midpoint", "verlet", "static"}) {
    for (const std::string& f : formulas) {
      const bool still = std::string(integrator) == "static";
      const std::string solver = still ? R"("mode": "static", "loadSteps": 4)" : dynamic(2e-3, 0.4, integrator);
      for (const Pair& pair : pairs) {
        const std::string where = std::string(integrator) + " " + f + " " + pair.other;
        Simulation one(scene(filled(pair.one, {{"f", f}}), solver, "", pendulum));
        Simulation other(scene(filled(pair.other, {{"f", f}}), solver, "", pendulum));
        const Progress p = runToEnd(one), q = runToEnd(other);
        // A load step of more than 3 rad is cut where a pose is driven.
        if (!still) {
          EXPECT_EQ(p.warnings, q.warnings) << where;
        }
        EXPECT_LT(apart(columnsOf(one, "pose"), columnsOf(other, "pose")), 1e-9) << where;
        EXPECT_LT(apart(columnsOf(one, "speed"), columnsOf(other, "speed")), 1e-6) << where;
        if (still) continue;
        EXPECT_NEAR(one.energyBalance()->work, other.energyBalance()->work, 1e-6) << where;
        EXPECT_NEAR(one.energyBalance()->numerical, other.energyBalance()->numerical, 1e-6) << where;
      }
    }
  }
}

/// A kind of joint: its keys but for drives and loads, and how many rotations and translations it has.
struct Kind {
  const char *name, *keys;
  int rotations, translations;
};
const Kind kinds[] = {{"revolute", R"("axis": "y")", 1, 0},
                      {"prismatic", R"("axis": "y")", 0, 1},
                      {"helical", R"("axis": "z", "pitch": 0.1)", 1, 0},
                      {"universal", R"("axis": "x")", 2, 0},
                      {"cylindrical", R"("axis": "z")", 1, 1},
                      {"planar", R"("axis": "y")", 1, 2},
                      {"spherical", "", 3, 0},
                      {"free", "", 3, 3}};

std::string listOf(const std::vector<std::string>& items) {
  if (items.size() == 1) return items[0];
  std::string out;
  for (const std::string& item : items) out += (out.empty() ? "[" : ", ") + item;
  return out + "]";
}

std::string jointOf(const Kind& kind, const char* turning, const char* moving,
                    const std::vector<std::string>& coordinates) {
  std::string keys = kind.keys;
  const auto add = [&](const char* key, int first, int count) {
    if (count == 0) return;
    keys += std::string(keys.empty() ? "" : ", ") + "\"" + key +
            "\": " + listOf({coordinates.begin() + first, coordinates.begin() + first + count});
  };
  add(turning, 0, kind.rotations), add(moving, kind.rotations, kind.translations);
  return std::string("\"") + kind.name + "\": {" + keys + "}";
}

/// How far the joint with the efforts of the driven one as its loads ends from it.
double missed(const Kind& kind, double dt) {
  std::vector<std::string> drives;
  for (int k = 0; k < kind.rotations + kind.translations; ++k) {
    drives.push_back(
        filled(R"J("=$a*(1-cos($w*t))")J",
               {{"a", digits(k < kind.rotations ? 0.4 + 0.1 * k : 0.07 - 0.02 * k)}, {"w", digits(5 + 0.7 * k)}}));
  }
  Simulation driven(scene(jointOf(kind, "angle", "displacement", drives), dynamic(dt), "", pendulum));
  std::vector<std::vector<double>> efforts;
  std::string times;
  for (;;) {
    efforts.resize(drives.size());
    const std::vector<double> now = columnsOf(driven, "effort");
    EXPECT_EQ(now.size(), drives.size()) << kind.name;
    for (std::size_t k = 0; k < now.size(); ++k) efforts[k].push_back(now[k]);
    times += (times.empty() ? "" : ", ") + digits(driven.time());
    if (driven.finished()) break;
    driven.step();
  }
  std::string series = R"(, "series": {"m": {"time": [)" + times + "]";
  std::vector<std::string> loads;
  for (std::size_t k = 0; k < efforts.size(); ++k) {
    std::string list;
    for (const double e : efforts[k]) list += (list.empty() ? "" : ", ") + digits(e);
    series += ", \"e" + std::to_string(k) + "\": [" + list + "]";
    loads.push_back("\"=m.e" + std::to_string(k) + "(t)\"");
  }
  Simulation loaded(scene(jointOf(kind, "torque", "force", loads), dynamic(dt), series + "}}", pendulum));
  runToEnd(loaded);
  return apart(columnsOf(driven, "pose"), columnsOf(loaded, "pose"));
}

TEST(DrivenPoses, TheEffortOfEveryKindOfJointMovesItWhenItIsItsLoad) {
  for (const Kind& kind : kinds) {
    const double coarse = missed(kind, 2e-3), fine = missed(kind, 1e-3);
    EXPECT_LT(coarse, 2e-3) << kind.name;
    EXPECT_NEAR(std::log2(coarse / fine), 2, 0.35) << kind.name;
  }
}

/// R = Rz(f) Ry(g) Rx(h), of three hinges with nothing between them, or of one ball joint.
const std::string f = "0.9*sin(4*t)", g = "1.1*(1-cos(3*t))", h = "5*t+0.4*sin(6*t)";
const std::string ball = filled(
    R"("spherical": {"rotation": [{"axis": [1, 0, 0], "angle": "=$h"}, {"axis": [0, 1, 0], "angle": "=$g"}, {"axis": [0, 0, 1], "angle": "=$f"}]})",
    {{"f", f}, {"g", g}, {"h", h}});

std::string hinges(const std::string& solver) {
  return filled(R"({"format": "tendril/1", "linkages": {"a": {"links": {
      "one": {"joint": {"revolute": {"axis": "z", "angle": "=$f"}}, "body": {"rigid": {}}, "offset": {"position": [0.1, 0.2, 0.3], "rotation": {"axis": [1, 2, 3], "angle": 0.7}}},
      "two": {"joint": {"revolute": {"axis": "y", "angle": "=$g"}}, "body": {"rigid": {}}},
      "body": {"joint": {"revolute": {"axis": "x", "angle": "=$h"}},
               "body": {"rigid": {"length": 0.3, "mass": 0.8, "inertia": [0.02, 0.03, 0.045], "center": [0.1, 0.05, -0.04]}}}$behind}}},
    "probes": {"tip": {"position": "a/behind"}, "speed": {"velocity": "a/behind"}},
    "environment": {"gravity": [0, 0, -9.81]}, "solver": {$solver}})",
                {{"f", f}, {"g", g}, {"h", h}, {"solver", solver}, {"behind", pendulum}});
}

std::string balled(const std::string& solver) {
  std::string text = scene(ball, solver, "", pendulum);
  const std::string body = R"("a/body")", behind = R"("a/behind")";
  for (const char* probe : {R"("position": )", R"("velocity": )"}) {
    const std::size_t at = text.find(probe + body);
    text.replace(at, (probe + body).size(), probe + behind);
  }
  return text;
}

struct End {
  std::vector<double> motion;
  EnergyBalance balance;
};

End endOf(const std::string& text) {
  Simulation sim(text);
  runToEnd(sim);
  End end{columnsOf(sim, "tip"), *sim.energyBalance()};
  for (const double v : columnsOf(sim, "speed")) end.motion.push_back(v);
  return end;
}

TEST(DrivenPoses, ABallGoesAsThreeHingesAndConvergesWithTheOrderOfTheScheme) {
  struct Case {
    const char* integrator;
    double order;
  };
  const End exact = endOf(hinges(dynamic(1e-4)));
  for (const Case& c :
       {Case{"generalized-alpha", 2}, {"implicit-midpoint", 2}, {"bdf2", 2}, {"verlet", 2}, {"implicit-euler", 1}}) {
    std::vector<double> off, work, numerical;
    for (const double dt : {4e-3, 2e-3, 1e-3}) {
      const End one = endOf(balled(dynamic(dt, 0.6, c.integrator))),
                three = endOf(hinges(dynamic(dt, 0.6, c.integrator)));
      off.push_back(apart(one.motion, exact.motion));
      work.push_back(std::abs(one.balance.work - exact.balance.work)),
          numerical.push_back(std::abs(one.balance.numerical));
      EXPECT_LT(off.back(), 2 * apart(three.motion, exact.motion) + 1e-6) << c.integrator << " " << dt;
    }
    EXPECT_NEAR(std::log2(off[1] / off[2]), c.order, 0.3) << c.integrator;
    EXPECT_GT(std::log2(work[1] / work[2]), c.order - 0.4) << c.integrator;
    EXPECT_GT(std::log2(numerical[1] / numerical[2]), c.order - 0.4) << c.integrator;
  }
}

/// Rotation by a vector.
Mat3 turned(const Vec3& vector) {
  geometry::Vec6 x = geometry::Vec6::Zero();
  x.head<3>() = vector;
  return geometry::exponential(x).R;
}

// Of a body that alone hangs on a free joint nothing is free: its motion is the formulas', and the effort is Newton's
// and Euler's.
TEST(DrivenPoses, AFreeBodyNeedsTheEffortOfItsMotion) {
  const std::string keys =
      R"J("free": {"angle": ["=2.5*sin(3*t)", "=1.2*t^2", "=4*t-t^3"], "displacement": ["=0.3*sin(5*t)", "=0.2*t^2", "=0.1*cos(4*t)"]})J";
  const auto angle = [](double t) { return Vec3(2.5 * std::sin(3 * t), 1.2 * t * t, 4 * t - t * t * t); };
  const auto place = [](double t) { return Vec3(0.3 * std::sin(5 * t), 0.2 * t * t, 0.1 * std::cos(4 * t)); };
  const Mat3 base = turned(0.7 * Vec3(1, 2, 3).normalized());
  const Vec3 center(0.1, 0.05, -0.04), moments(0.02, 0.03, 0.045);
  const double m = 0.8, t = 0.6, e = 1e-3;
  // The body's own spin and its change, in closed form but for differences in the formulas' own time.
  const auto spin = [&](double at) {
    const Mat3 R = turned(angle(at));
    const Mat3 d = (8 * (turned(angle(at + e)) - turned(angle(at - e))) -
                    (turned(angle(at + 2 * e)) - turned(angle(at - 2 * e)))) /
                   (12 * e);
    const Mat3 w = R.transpose() * d;
    return Vec3(w(2, 1), w(0, 2), w(1, 0));
  };
  const Vec3 w = spin(t), dw = (8 * (spin(t + e) - spin(t - e)) - (spin(t + 2 * e) - spin(t - 2 * e))) / (12 * e);
  const Vec3 acceleration =
      (16 * (place(t + e) + place(t - e)) - place(t + 2 * e) - place(t - 2 * e) - 30 * place(t)) / (12 * e * e);
  const Mat3 R = turned(angle(t));
  const Vec3 ofCenter = R.transpose() * acceleration + dw.cross(center) + w.cross(w.cross(center));
  const Vec3 force = m * (ofCenter - (base * R).transpose() * Vec3(0, 0, -9.81));
  const Vec3 torque = Vec3(moments.cwiseProduct(dw)) + w.cross(Vec3(moments.cwiseProduct(w))) + center.cross(force);
  std::vector<double> off;
  for (const double dt : {4e-3, 2e-3}) {
    Simulation sim(scene(keys, dynamic(dt)));
    runToEnd(sim);
    const Vec3 tip = Vec3(0.1, 0.2, 0.3) + base * (place(t) + R * Vec3(0.3, 0, 0));
    EXPECT_LT((vectorColumn(sim, "tip") - tip).norm(), 1e-12);
    const Vec3 rate = (8 * (place(t + e) - place(t - e)) - (place(t + 2 * e) - place(t - 2 * e))) / (12 * e);
    EXPECT_LT((vectorColumn(sim, "speed") - base * (rate + R * w.cross(Vec3(0.3, 0, 0)))).norm(), 2e-6);
    const std::vector<double> effort = columnsOf(sim, "effort");
    const std::vector<double> wanted = {torque.x(), torque.y(), torque.z(), force.x(), force.y(), force.z()};
    off.push_back(apart(effort, wanted));
    // All that the joint does becomes energy of the body.
    const Vec3 speed = base * (rate + R * w.cross(center)), at = base * (place(t) + R * center);
    const Vec3 w0 = spin(0), v0 = base * ((8 * (place(e) - place(-e)) - (place(2 * e) - place(-2 * e))) / (12 * e) +
                                          w0.cross(center));
    const double energy = 0.5 * m * (speed.squaredNorm() - v0.squaredNorm()) +
                          0.5 * (moments.dot(w.cwiseAbs2()) - moments.dot(w0.cwiseAbs2())) +
                          9.81 * m * (at - base * (place(0) + center)).z();
    EXPECT_NEAR(sim.energyBalance()->work, energy, 40 * dt * dt);
  }
  EXPECT_LT(off[0], 1e-4);
  EXPECT_GT(off[0] / off[1], 6);  // differences of the third order in accelerations
}

// Half of a pose: the angle alone, or the place alone.
TEST(DrivenPoses, PlacesAndTurnsMayBeDrivenAlone) {
  for (const char* joint : {R"J("free": {"angle": ["=2*t", "=sin(3*t)", "=t^2"], "force": [0, 0, 7.848]})J",
                            R"J("free": {"displacement": ["=0.2*sin(5*t)", "=t^2", 0], "torque": [0.01, 0.02, 0]})J",
                            R"J("planar": {"angle": "=3*sin(4*t)", "force": [0.2, 0.1]})J",
                            R"J("planar": {"displacement": ["=0.2*sin(5*t)", "=t^2"], "torque": 0.02})J"}) {
    std::vector<std::vector<double>> ends;
    std::vector<double> numerical;
    for (const double dt : {4e-3, 2e-3, 1e-3}) {
      Simulation sim(scene(joint, dynamic(dt), "", pendulum));
      runToEnd(sim);
      ends.push_back(columnsOf(sim, "pose")), numerical.push_back(std::abs(sim.energyBalance()->numerical));
    }
    const double coarse = apart(ends[0], ends[1]), fine = apart(ends[1], ends[2]);
    EXPECT_NEAR(std::log2(coarse / fine), 2, 0.4) << joint;
    EXPECT_GT(numerical[1] / numerical[2], 3) << joint;
  }
}

TEST(DrivenPoses, StartWhereTheyAreDrivenTo) {
  // Far from where they are drawn, also by half a turn.
  for (const char* angle : {"[2, 1, -1]", "[0, 3.14159265358979, 0]", R"(["=2+t", "=1-t^2", 7])"}) {
    Simulation sim(scene(filled(R"("free": {"angle": $angle, "displacement": ["=1+t", 2, 3]})", {{"angle", angle}}),
                         dynamic(1e-3, 0.01)));
    const Vec3 vector = std::string(angle).find('=') == std::string::npos
                            ? (std::string(angle)[1] == '2' ? Vec3(2, 1, -1) : Vec3(0, pi, 0))
                            : Vec3(2, 1, 7);
    const Mat3 base = turned(0.7 * Vec3(1, 2, 3).normalized());
    EXPECT_LT(
        (vectorColumn(sim, "tip") - Vec3(0.1, 0.2, 0.3) - base * (Vec3(1, 2, 3) + turned(vector) * Vec3(0.3, 0, 0)))
            .norm(),
        1e-12);
    runToEnd(sim);
    const auto bytes = sim.save();
    Simulation again(scene(filled(R"("free": {"angle": $angle, "displacement": ["=1+t", 2, 3]})", {{"angle", angle}}),
                           dynamic(1e-3, 0.01)));
    again.restore(bytes);
    EXPECT_EQ(columnsOf(again, "pose"), columnsOf(sim, "pose"));
    EXPECT_EQ(columnsOf(again, "effort"), columnsOf(sim, "effort"));
  }
}

// A live value moves what hangs on the joint along, at once and without momentum, and its work is booked.
TEST(DrivenPoses, FollowLiveValues) {
  const std::string more = R"(, "parameters": {"k": 0.2})";
  Simulation one(scene(R"("revolute": {"axis": "z", "angle": "=k"})", dynamic(2e-3), more, pendulum));
  Simulation other(scene(R"("spherical": {"angle": [0, 0, "=k"]})", dynamic(2e-3), more, pendulum));
  for (Simulation* sim : {&one, &other}) {
    while (sim->time() < 0.2) sim->step();
    EXPECT_TRUE(sim->set("k", 0.5));
    runToEnd(*sim);
  }
  EXPECT_LT(apart(columnsOf(one, "pose"), columnsOf(other, "pose")), 1e-9);
  EXPECT_LT(apart(columnsOf(one, "effort"), {column(other, "effort.q2")}), 1e-5);
  EXPECT_NEAR(one.energyBalance()->work, other.energyBalance()->work, 1e-9);
}

// Three radians a step are more than the shorter way round tells.
TEST(DrivenPoses, TurnsTooFarForAStepCutIt) {
  Simulation sim(scene(R"("spherical": {"angle": [0, 0, "=700*t"]})", dynamic(1e-2, 0.02)));
  const Progress p = runToEnd(sim);
  EXPECT_GT(p.retries, 0);
  const Mat3 base = turned(0.7 * Vec3(1, 2, 3).normalized());
  EXPECT_LT((vectorColumn(sim, "tip") - Vec3(0.1, 0.2, 0.3) - base * turned(Vec3(0, 0, 14)) * Vec3(0.3, 0, 0)).norm(),
            1e-11);
  Simulation jumps(scene(R"J("spherical": {"angle": [0, 0, "=4*(t>0.012)"]})J", dynamic(1e-2, 0.02)));
  std::string why;
  try {
    runToEnd(jumps);
  } catch (const std::exception& failed) {
    why = failed.what();
  }
  EXPECT_NE(why.find("joint \"a/body\" is driven by more than 3 rad in one step"), std::string::npos) << why;
}

/// A four-bar in the plane x, z, closed at (0.4, 0, 0), whose crank is driven.
std::string bars(const std::string& crank, const std::string& solver, double length = 0.1) {
  return filled(R"J({"format": "tendril/1", "linkages": {"a": {"links": {
      "crank": {"joint": {$crank}, "offset": {"rotation": {"axis": [0, 1, 0], "angle": -1.2}}, "body": {"rigid": {"length": $length, "mass": 0.1, "inertia": [1e-5, 1e-4, 1e-4]}}},
      "rod": {"joint": {"revolute": {"axis": "y"}}, "body": {"rigid": {"length": 0.4, "mass": 0.2, "inertia": [1e-5, 2e-3, 2e-3]}}, "offset": {"rotation": {"axis": [0, 1, 0], "angle": 0.9}}},
      "rocker": {"joint": {"revolute": {"axis": "y"}}, "body": {"rigid": {"length": 0.3, "mass": 0.2, "inertia": [1e-5, 1e-3, 1e-3]}}, "offset": {"rotation": {"axis": [0, 1, 0], "angle": 1.6}}}},
      "loops": [{"from": "base", "offset": {"position": [0.4, 0, 0]}, "to": "rocker", "joint": {"revolute": {"axis": "y"}}}]}},
    "probes": {"pin": {"position": "a/rod"}, "speed": {"velocity": "a/rod"}}, "environment": {"gravity": [0, 0, -9.81]}, "solver": {$solver}})J",
                {{"crank", crank}, {"solver", solver}, {"length", digits(length)}});
}

TEST(DrivenPoses, DriveClosedChains) {
  const std::string f = R"J("=0.3+6*t")J";
  for (const std::string& solver :
       {dynamic(2e-3, 0.5), std::string(R"("mode": "static", "duration": 0.2, "loadSteps": 10)")}) {
    const auto endOfBars = [&](const std::string& crank) {
      Simulation sim(bars(crank, solver));
      runToEnd(sim);
      return columnsOf(sim, "pin");
    };
    const std::vector<double> hinge = endOfBars(R"("revolute": {"axis": "y", "angle": )" + f + "}");
    EXPECT_LT(apart(hinge, endOfBars(R"("spherical": {"angle": [0, )" + f + ", 0]}")), 1e-8);
    EXPECT_LT(apart(hinge, endOfBars(R"("planar": {"axis": "y", "displacement": [0, 0], "angle": )" + f + "}")), 1e-8);
    EXPECT_LT(
        apart(hinge,
              endOfBars(R"("free": {"displacement": [0, 0, 0], "rotation": {"axis": [0, 1, 0], "angle": )" + f + "}}")),
        1e-8);
  }
}

// A crank that is too long jams, and the run says which joint.
TEST(DrivenPoses, JamAsHingesDo) {
  for (const char* crank :
       {R"J("revolute": {"axis": "y", "angle": "=-3*t"})J", R"J("spherical": {"angle": [0, "=-3*t", 0]})J"}) {
    std::string why;
    try {
      Simulation sim(bars(crank, dynamic(5e-3, 1.5), 0.35));
      runToEnd(sim);
    } catch (const std::exception& failed) {
      why = failed.what();
    }
    EXPECT_NE(why.find("joint \"a/crank\" cannot be driven "), std::string::npos) << crank << ": " << why;
  }
}

}  // namespace driven_poses_test
}  // namespace tendril::links
