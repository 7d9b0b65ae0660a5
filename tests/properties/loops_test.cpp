// Closed chains seen from outside: of random mechanisms, at rest and in motion, both sides of every closing joint stay
// together in each state that is accepted, rows that are redundant included; and four bars keep the side on which they
// are drawn.
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "geometry/se3.h"
#include "law.h"
#include "told.h"

namespace tendril::properties {
namespace loops_test {

using test::digits;

// Of the chain's length, and radians: 1e-7 is what a row that is left out may open, of which a closing joint has up to
// six.
constexpr double closed = 3e-7;
// Of the ground link: so near to a change point nothing is asked of the side.
constexpr double undecided = 1e-5;

enum class Closing { revolute, prismatic, spherical };

struct Mechanism {
  Json scene;
  Closing closing = Closing::revolute;
  std::string from, to;      // probes of both frames; from may be the base:
  geometry::Pose base, pin;  // there, and the place on it
  double size = 0;           // [m]
  // Four bars whose crank is driven: lengths, the crank's pin and knee in the drawing, and how far it surely closes on
  // its way.
  bool four = false;
  double side = 0, margin = 0;
  Vec3 end = Vec3::Zero();
};

double angleOf(const Vec3& v) { return std::atan2(v.y(), v.x()); }

struct Bars {
  double ground, crank, coupler, rocker, start, way;
  double closes(double angle) const {  // over the ground link
    const double d = std::sqrt(ground * ground + crank * crank - 2 * ground * crank * std::cos(angle));
    return std::min(d - std::abs(coupler - rocker), coupler + rocker - d) / ground;
  }
  double margin() const {
    double least = std::min(closes(start), closes(start + way));
    for (int k = -4; k <= 4; ++k) {
      if ((k * pi - start) * (k * pi - start - way) < 0) least = std::min(least, closes(k * pi));
    }
    return least;
  }
};

/// Close by a change point or not.
Bars drawBars(Draw& draw) {
  Bars b{};
  for (int i = 0; i < 100; ++i) {
    b.ground = draw.uniform(0.3, 0.5), b.crank = draw.uniform(0.1, 0.25), b.rocker = draw.uniform(0.2, 0.4);
    const double u = draw.log(1e-4, 0.3) * (draw.chance(0.3) ? -1 : 1);
    b.coupler =
        draw.chance(0.5) ? b.rocker + (b.ground - b.crank) * (1 - u) : (b.ground + b.crank) * (1 + u) - b.rocker;
    b.start = draw.uniform(-pi, pi), b.way = draw.uniform(1, 6) * (draw.chance(0.5) ? 1 : -1);
    if (b.coupler > 0.1 && b.closes(b.start) > 0.05) return b;
  }
  return {0.4, 0.1, 0.4, 0.3, 1, 2};
}

Mechanism mechanism(unsigned seed, const Telling& t, bool still) {
  Draw draw(seed ^ 0x10095u);
  const Features has{draw, t};
  Mechanism m;
  const int kind = static_cast<int>(seed % 5);  // four bars, five, slider-crank, in space, parallelogram driven twice
  const Bars bars = drawBars(draw);
  const bool sprung = has("spring", 0.5), heavy = has("weight", 0.5);
  const double k = draw.log(0.01, 1), dt = draw.uniform(0.005, 0.02), duration = 24 * dt;
  const auto driven = [&](double way, const std::string& more = "") {
    return "=" + digits(way) + (still ? "" : "*ramp(t, 0, " + digits(0.8 * duration) + ")") + more;
  };
  Json links = Json::object();
  double before = 0;
  const auto bar = [&](const std::string& name, const char* axis, const Vec3& way, const std::string& angle) {
    Json joint = {{"revolute", {{"axis", axis}}}};
    if (!angle.empty())
      joint["revolute"]["angle"] = angle;
    else if (sprung)
      joint["revolute"]["stiffness"] = k;
    links[name] = {
        {"joint", joint},
        {"offset", {{"rotation", {{"axis", {0, 0, 1}}, {"angle", angleOf(way) - before}}}}},
        {"body",
         {{"rigid", {{"length", way.norm()}, {"section", {{"circle", {{"radius", 0.01}}}}}, {"density", 1000}}}}}};
    before = angleOf(way), m.size += way.norm();
  };
  Json loop = {{"from", "base"}, {"joint", {{"revolute", {{"axis", "z"}}}}}};
  const auto polar = [](double r, double a) { return Vec3(r * std::cos(a), r * std::sin(a), 0); };
  Bars b = bars;
  if (kind == 4) b.coupler = b.ground, b.rocker = b.crank;
  const Vec3 crank = polar(b.crank, b.start), line = Vec3(b.ground, 0, 0) - crank;
  const double d = line.norm(), along = (b.coupler * b.coupler - b.rocker * b.rocker + d * d) / (2 * d);
  const double sign = draw.chance(0.5) ? 1 : -1,
               height = std::sqrt(std::max(0.0, b.coupler * b.coupler - along * along));
  Vec3 knee = crank + along / d * line + sign * height / d * Vec3(-line.y(), line.x(), 0);
  if (kind == 4) knee = crank + Vec3(b.ground, 0, 0);
  const double since = draw.uniform(0.1, 0.6) * duration, apart = draw.log(1e-3, 1) * (draw.chance(0.5) ? 1 : -1),
               turn = draw.uniform(-1, 1);
  const double slope = draw.uniform(-0.3, 0.3), more = draw.uniform(-1, 1);
  const Vec3 fold = 0.08 * draw.inCube(1);
  m.pin.r = m.end = Vec3(b.ground, 0, 0);
  if (kind == 0) {
    bar("crank", "z", crank, driven(b.way)), bar("coupler", "z", knee - crank, ""),
        bar("rocker", "z", m.end - knee, "");
    m.four = true, m.side = sign, m.margin = b.margin();
    m.to = "rocker";
  } else if (kind == 1) {
    const Vec3 elbow = 0.5 * (crank + knee) + Vec3(fold.x(), fold.y(), 0);
    bar("crank", "z", crank, driven(turn)), bar("coupler", "z", elbow - crank, sprung ? "" : driven(0.5 * more)),
        bar("fourth", "z", knee - elbow, ""), bar("rocker", "z", m.end - knee, "");
    m.to = "rocker";
  } else if (kind == 2) {
    // It slides along x, off the axis or on it.
    const Vec3 at(crank.x() + 0.3, slope * b.crank, 0), slider(0.05, 0, 0);
    bar("crank", "z", crank, driven(b.way)), bar("rod", "z", at - crank, ""), bar("slider", "z", slider, "");
    loop["joint"] = {{"prismatic", {{"axis", "x"}}}};
    m.closing = Closing::prismatic, m.pin.r = at + slider, m.to = "slider";
  } else if (kind == 3) {
    bar("crank", "z", crank, driven(2 * turn));
    const Vec3 far(b.ground, 0.05, 0);
    const double up = 0.15 + 0.2 * std::abs(slope);
    // The coupler goes from the crank's pin to the rocker's tip.
    const Vec3 way = far + Vec3(0, 0, up) - crank;
    const Vec3 across = Vec3(0, 0, 1).cross(way).normalized();
    const double across0 = std::atan2(way.z(), std::hypot(way.x(), way.y()));
    bar("coupler", "z", polar(way.norm(), angleOf(way)), "");
    links["coupler"]["joint"] = {{"spherical", Json::object()}};
    if (sprung) links["coupler"]["joint"]["spherical"]["stiffness"] = 0.1 * k;
    links["coupler"]["offset"]["rotation"] = {
        {{"axis", {0, 0, 1}}, {"angle", angleOf(way) - angleOf(crank)}},
        {{"axis", Telling::list(Eigen::AngleAxisd(-angleOf(crank), Vec3::UnitZ()) * across)}, {"angle", -across0}}};
    before = 0;
    bar("rocker", "y", Vec3(up, 0, 0), "");
    links["rocker"]["parent"] = "base";
    links["rocker"]["offset"] = {{"position", Telling::list(far)},
                                 {"rotation", {{"axis", {0, 1, 0}}, {"angle", -0.5 * pi}}}};
    loop["joint"] = {{"spherical", Json::object()}}, loop["from"] = "rocker";
    m.closing = Closing::spherical, m.from = "rocker", m.to = "coupler";
  } else {
    // Drives that agree, and from some time on do not.
    const std::string leaves =
        still ? "+" + digits(apart) : "+" + digits(apart / duration) + "*max(0, t - " + digits(since) + ")";
    bar("crank", "z", crank, driven(turn)),
        bar("coupler", "z", knee - crank, driven(-turn, has("drive", 0.7) ? leaves : "")),
        bar("rocker", "z", m.end - knee, "");
    m.to = "rocker";
  }
  if (m.from.empty()) loop["offset"] = {{"position", Telling::list(m.pin.r)}};
  loop["to"] = m.to;
  const Mat3 R = Eigen::AngleAxisd(draw.uniform(0, 3), draw.inCube(1).normalized()).toRotationMatrix();
  m.base = {R, draw.inCube(1)};
  m.scene = {{"format", "tendril/1"},
             {"linkages",
              {{"a",
                {{"base",
                  {{"position", Telling::list(m.base.r)},
                   {"forward", Telling::list(R.col(0))},
                   {"up", Telling::list(R.col(2))}}},
                 {"links", links},
                 {"loops", Json::array({loop})}}}}},
             {"environment", {{"gravity", heavy ? Telling::list(Vec3(0, 1, -9.81)) : Telling::list(Vec3::Zero())}}},
             {"probes", {{"to", {{"pose", "a/" + m.to + ":tip"}}}, {"first", {{"position", "a/crank:tip"}}}}}};
  if (!m.from.empty()) m.scene["probes"]["from"] = {{"pose", "a/" + m.from + ":tip"}};
  if (m.four) m.scene["probes"]["knee"] = {{"position", "a/coupler:tip"}};
  m.scene["solver"] = still ? Json{{"mode", "static"}, {"loadSteps", draw.whole(1, 8)}}
                            : Json{{"dt", dt},
                                   {"duration", duration},
                                   {"integrator", draw.chance(0.5) ? "implicit-euler" : "generalized-alpha"}};
  return m;
}

geometry::Pose poseOf(const Simulation& sim, const std::string& probe) {
  const auto c = [&](const char* name) { return test::column(sim, probe + name); };
  return {Eigen::Quaterniond(c(".qw"), c(".qx"), c(".qy"), c(".qz")).toRotationMatrix(),
          Vec3(c(".x"), c(".y"), c(".z"))};
}

/// How far the closing joint stands open, over the chain's length, or in radians.
double gap(const Mechanism& m, const Simulation& sim) {
  const geometry::Pose from = m.from.empty() ? m.base * m.pin : poseOf(sim, "from"), to = poseOf(sim, "to");
  const Vec3 place = from.R.transpose() * (to.r - from.r) / m.size;
  const Mat3 turn = from.R.transpose() * to.R;
  switch (m.closing) {
    case Closing::spherical:
      return place.norm();
    case Closing::revolute:
      return std::max(place.norm(), (turn.col(2) - Vec3::UnitZ()).norm());
    case Closing::prismatic:
      break;
  }
  return std::max(place.tail<2>().norm(), (turn - Mat3::Identity()).norm());
}

/// Which side of the line from the crank's pin to the fixed pin the knee is on: in the units of the lengths.
double sideOf(const Mechanism& m, const Simulation& sim) {
  const Vec3 pin = test::vectorColumn(sim, "first"), knee = test::vectorColumn(sim, "knee"),
             end = m.base.r + m.base.R * m.end;
  return m.base.R.col(2).dot((end - pin).cross(knee - pin)) / (m.size * m.size);
}

std::string keepsClosed(unsigned seed, const std::set<std::string>& without, bool still) {
  Telling t;
  t.without = without;
  const Mechanism m = mechanism(seed, t, still);
  const auto wrong = [&](const Simulation& sim) -> std::string {
    const double open = gap(m, sim);
    if (!(open < closed)) return "open by " + number(open) + " at " + number(sim.time());
    if (m.four && std::abs(m.margin) > undecided && m.side * sideOf(m, sim) < -1e-6)
      return "on the other side at " + number(sim.time());
    return "";
  };
  std::string gaveUp;
  try {
    Simulation sim(m.scene.dump());
    std::string said = wrong(sim);
    try {
      while (said.empty() && !sim.finished()) sim.step(), said = wrong(sim);
    } catch (const std::runtime_error& e) {
      gaveUp = e.what();
      said = wrong(sim);
    }
    if (!said.empty()) return said;
  } catch (const std::exception& e) {
    return e.what();
  }
  if (m.four && m.margin > undecided && !gaveUp.empty()) return "closes on all of its way, but " + gaveUp;
  if (m.four && m.margin < -undecided && gaveUp.empty()) return "leaps a gap of its way";
  return "";
}

Scenes mechanisms(bool still) {
  return [still](unsigned seed, const Telling& t) { return mechanism(seed, t, still).scene.dump(); };
}

TEST(Properties, LoopsStayClosedAndKeepTheirSideInMotion) {
  hold(
      "closed in motion", 50,
      [](unsigned seed, const std::set<std::string>& without) { return keepsClosed(seed, without, false); },
      mechanisms(false));
}
TEST(Properties, LoopsStayClosedAndKeepTheirSideAtRest) {
  hold(
      "closed at rest", 40,
      [](unsigned seed, const std::set<std::string>& without) { return keepsClosed(seed, without, true); },
      mechanisms(true));
}

}  // namespace loops_test
}  // namespace tendril::properties
