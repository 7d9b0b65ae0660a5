// What of a link touches: its start wherever that is a place of its own, and all of its profile, in any pose.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "engine/simulation/run_scene.h"
#include "links/structure.h"
#include "links/touching_places.h"
#include "scene/load/load.h"

namespace tendril::links {
namespace linkage_rest_test {

using test::column;
using test::digits;
using test::filled;
using test::runToEnd;

// A body that comes down on a floor along a slide, its x lifted from the floor by `tilt`; how high its start comes to
// rest. A crumb elsewhere asks for points close to each other.
double restingHeight(const std::string& body, double tilt, double above, bool crumb = false) {
  Simulation sim(
      filled(R"J({"format": "tendril/1", "materials": {"stiff": {"youngs": 1e12, "density": 1000, "damping": 1e8}},
    "linkages": {"p": {"base": {"position": [0, 0, $above], "forward": [0, 0, 1], "up": [1, 0, 0]}, "links": {
      "slide": {"joint": {"prismatic": {"axis": "x", "damping": 20}}, "body": {"rigid": {}}},
      "a": {"offset": {"rotation": {"axis": [0, 1, 0], "angle": $turn}}, "body": $body}}}},
    "obstacles": {"floor": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}$crumb}, "contact": {"stiffness": 2e5, "distance": 2e-4},
    "environment": {"gravity": [0, 0, -9.81]}, "solver": {"integrator": "implicit-euler", "dt": 0.01, "duration": 2},
    "probes": {"start": {"position": "p/a@0"}, "along": {"tangent": "p/a@0"}, "pairs": {"contact": "pairs"}}})J",
             {{"above", digits(above)},
              {"turn", digits(tilt - 0.5 * pi)},
              {"body", body},
              {"crumb", crumb ? R"(, "crumb": {"sphere": {"center": [5, 0, 0], "radius": 1e-3}})" : ""}}));
  runToEnd(sim);
  EXPECT_NEAR(column(sim, "along.z"), std::sin(tilt), 1e-3);
  EXPECT_GE(column(sim, "pairs"), 1);
  return column(sim, "start.z");
}

struct Profile {
  const char* name;
  double length, widest;
  std::string radius;
  struct Part {
    double s, radius;
    bool edge = true;  // of an end or a step, which is round by as much; otherwise a ball
  };
  std::vector<Part> parts;
};

std::vector<Profile> profiles() {
  return {{"ball", 0.1, 0.05, "=sqrt(max(0.05^2 - (s - 0.05)^2, 0))", {{0.05, 0.05, false}}},
          {"ball that ends in noise", 0.1, 0.05, "=sqrt(max(0.05^2 - (s - 0.05)^2, 1e-16))", {{0.05, 0.05, false}}},
          {"wheel on a shaft",
           0.5,
           0.05,
           "=abs(u-0.42)<0.05?0.05:0.005",
           {{0.185, 0.05}, {0.235, 0.05}, {0, 0.005}, {0.5, 0.005}}},
          {"thin wheel on a shaft",
           0.5,
           0.05,
           "=abs(u-0.42)<0.007?0.05:0.005",
           {{0.2065, 0.05}, {0.2135, 0.05}, {0, 0.005}, {0.5, 0.005}}},
          {"ball on a shaft",
           0.5,
           0.05,
           "=max(0.005, sqrt(max(0.05^2 - (s - 0.22)^2, 0)))",
           {{0.22, 0.05, false}, {0, 0.005}, {0.5, 0.005}}},
          {"two balls",
           0.5,
           0.06,
           "=max(0.005, sqrt(max(0, max(0.05^2 - (s - 0.13)^2, 0.06^2 - (s - 0.37)^2))))",
           {{0.13, 0.05, false}, {0.37, 0.06, false}, {0, 0.005}, {0.5, 0.005}}},
          {"round ends",
           0.5,
           0.05,
           "=sqrt(max(0.05^2 - max(0, max(0.05 - s, s - 0.45))^2, 0))",
           {{0.05, 0.05, false}, {0.45, 0.05, false}}},
          {"two shafts", 0.5, 0.02, "=u<0.37?0.02:0.005", {{0, 0.02}, {0.185, 0.02}, {0.5, 0.005}}},
          {"shaft", 0.5, 0.02, "=0.02", {{0, 0.02}, {0.5, 0.02}}},
          {"cone", 0.5, 0.1, "=0.1-0.19*s", {{0, 0.1}, {0.5, 0.005}}}};
}

double highest(const Profile& p, double tilt) {
  double out = -1;
  for (const Profile::Part& part : p.parts) out = std::max(out, part.radius - part.s * std::sin(tilt));
  return out;
}

// Where its start may rest, from edges as they are drawn to round ones.
void expectRest(const Profile& p, double tilt, double z, const std::string& what) {
  double low = -1;
  for (const auto& [s, radius, edge] : p.parts)
    low = std::max(low, radius * (edge ? std::cos(tilt) : 1) - s * std::sin(tilt));
  EXPECT_GT(z, low - 0.01 * p.widest) << p.name << " at " << tilt << what;
  EXPECT_LT(z, highest(p, tilt) + 0.01 * p.widest) << p.name << " at " << tilt << what;
}

TEST(LinkageRest, ARigidBodyStandsOnItsSurfaceInAnyPose) {
  for (const Profile& p : profiles()) {
    const std::string body = filled(
        R"J({"rigid": {"length": $length, "section": {"circle": {"radius": "$radius"}}, "mass": 1, "inertia": [1, 1, 1]}})J",
        {{"length", digits(p.length)}, {"radius", p.radius}});
    for (const double tilt : {-1.5, -0.8, -0.3, -0.05, 0.0, 0.02, 0.15, 0.6, 1.1, 1.5}) {
      const double right = highest(p, tilt);
      for (const bool crumb : {false, true}) {
        expectRest(p, tilt, restingHeight(body, tilt, right + 0.01, crumb), crumb ? " with a crumb" : "");
      }
    }
  }
}

TEST(LinkageRest, ASoftBodyStandsOnItsSurfaceInAnyPose) {
  for (const Profile& p : profiles()) {
    if (p.radius.find("max(0.05^2 - (s - 0.05)") != std::string::npos || std::string(p.name) == "round ends")
      continue;  // soft ones end blunt
    for (const double tilt : {-0.8, -0.05, 0.0, 0.15, 1.1}) {
      const double right = highest(p, tilt);
      const double z = restingHeight(
          filled(
              R"J({"soft": {"length": $length, "section": {"circle": {"radius": "$radius"}}, "material": "stiff", "strains": {"bendY": 1}, "points": 20}})J",
              {{"length", digits(p.length)}, {"radius", p.radius}}),
          tilt, right + 0.01);
      expectRest(p, tilt, z, "");
    }
  }
}

// A start of 20 mm radius that comes down on the floor with its link above it.
double standing(const std::string& links,
                const std::string& base = R"("position": [0, 0, 0.2], "forward": [0, 0, 1])") {
  Simulation sim(
      filled(R"J({"format": "tendril/1", "materials": {"stiff": {"youngs": 1e9, "density": 1000, "damping": 1e5}},
    "linkages": {"p": {"base": {$base}, "links": {$links}}},
    "obstacles": {"floor": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}}, "contact": {"stiffness": 5e4},
    "environment": {"gravity": [0, 0, -9.81]}, "solver": {"integrator": "implicit-euler", "dt": 0.005, "duration": 2},
    "probes": {"start": {"position": "p/a@0"}, "pairs": {"contact": "pairs"}, "force": {"contact": "force"}}})J",
             {{"base", base}, {"links", links}}));
  runToEnd(sim);
  EXPECT_EQ(column(sim, "pairs"), 1) << links;
  EXPECT_GT(column(sim, "force"), 0.1) << links;
  return column(sim, "start.z");
}

const char* const bodies[] = {
    R"("body": {"rigid": {"length": 0.2, "section": {"circle": {"radius": 0.02}}, "density": 1000}})",
    R"("body": {"soft": {"length": 0.2, "section": {"circle": {"radius": 0.02}}, "material": "stiff", "strains": {"bendY": 1}}})"};

TEST(LinkageRest, AStartThatIsNotAtTheTipBeforeItTouches) {
  const std::string post =
      R"("post": {"body": {"rigid": {"length": 0.4, "section": {"circle": {"radius": 0.005}}, "density": 100}}}, )";
  const std::string sliding = R"("joint": {"prismatic": {"axis": "x", "damping": 5}}, )";
  for (const std::string body : bodies) {
    EXPECT_NEAR(standing(R"("a": {)" + sliding + body + "}"), 0.02, 2e-4);
    EXPECT_NEAR(standing(post + R"("a": {"parent": "post@0.5", )" + sliding + body + "}"), 0.02, 2e-4);
    EXPECT_NEAR(standing(post + R"("a": {"parent": "post@0", )" + sliding + body + "}"), 0.02, 2e-4);
    EXPECT_NEAR(standing(post + R"("a": {"offset": {"position": [-0.2, 0, 0]}, )" + sliding + body + "}"), 0.02, 2e-4);
    EXPECT_NEAR(standing(post + R"("a": {)" + sliding + body + "}"), 0.02, 2e-4);
    for (const char* joint : {R"("cylindrical": {"axis": "x", "damping": [1, 5]})",
                              R"("helical": {"axis": "x", "pitch": 0.05, "damping": 5e-4})"}) {
      EXPECT_NEAR(standing(post + R"("a": {"joint": {)" + joint + "}, " + body + "}"), 0.02, 2e-4) << joint;
      EXPECT_NEAR(standing(R"("a": {"joint": {)" + std::string(joint) + "}, " + body + "}"), 0.02, 2e-4) << joint;
    }
    // Held beside the one before it, which slides.
    const std::string cart =
        R"("cart": {)" + sliding +
        R"("body": {"rigid": {"length": 0.4, "section": {"circle": {"radius": 0.005}}, "density": 100}}}, )";
    EXPECT_NEAR(standing(cart + R"("a": {"offset": {"position": [-0.5, 0, 0]}, )" + body + "}"), 0.02, 2e-4);
    EXPECT_NEAR(standing(cart + R"("a": {"parent": "cart@0", )" + body + "}"), 0.02, 2e-4);
  }
}

TEST(LinkageRest, AStartOnArmsWithoutThicknessTouchesWithItsOwn) {
  for (const std::string body : bodies) {
    for (const char* joint : {"\"fixed\": {}", R"("revolute": {"axis": "y", "angle": 0})"}) {
      const std::string arms =
          R"("lift": {"joint": {"prismatic": {"axis": "x", "damping": 5}}, "body": {"rigid": {}}}, "turn": {"joint": {"revolute": {"axis": "z", "angle": 0}}, "body": {"rigid": {}}}, )";
      EXPECT_NEAR(standing(arms + R"("a": {"joint": {)" + joint + "}, " + body + "}"), 0.02, 2e-4) << joint;
    }
  }
}

// Places of links on hinges and balls at each other's tips are those of their parts, none of them twice.
TEST(LinkageRest, StartsAtTipsAsThickAreNoPlacesOfTheirOwn) {
  const auto pairs = [](const std::string& links) {
    Simulation sim(
        filled(R"J({"format": "tendril/1", "linkages": {"p": {"base": {"position": [0, 0, 0.02]}, "links": {$links}}},
      "obstacles": {"floor": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}}, "contact": {"stiffness": 1e3, "distance": 1e-3},
      "environment": {"gravity": [0, 0, -9.81]}, "solver": {"integrator": "implicit-euler", "dt": 0.005, "duration": 0.3}, "probes": {"pairs": {"contact": "pairs"}}})J",
               {{"links", links}}));
    runToEnd(sim);
    return column(sim, "pairs");
  };
  const auto link = [](const std::string& name, const std::string& joint, const std::string& radius,
                       const std::string& more = "") {
    return "\"" + name + R"(": {)" + more + R"("joint": {)" + joint +
           R"(}, "body": {"rigid": {"length": 0.12, "section": {"circle": {"radius": )" + radius +
           R"(}}, "density": 1000}}})";
  };
  const std::string hinge = R"("revolute": {"axis": "y", "damping": 1e-2})", ball = R"("spherical": {"damping": 1e-2})",
                    slide = R"("prismatic": {"axis": "z", "damping": 1e-2})";
  const std::string first = link("a", slide, "0.02") + ", ";  // four parts of 30 mm each, with a start
  const double one = pairs(link("a", slide, "0.02")), each = one - 1;
  EXPECT_EQ(pairs(first + link("b", hinge, "0.02") + ", " + link("c", ball, "0.02")), one + 2 * each);
  EXPECT_EQ(pairs(first + link("b", hinge, "0.0201")), one + each);
  EXPECT_EQ(pairs(first + link("b", slide, "0.02")), one + each + 1);
  EXPECT_EQ(pairs(first + link("b", hinge, "0.02", R"("offset": {"position": [0.01, 0, 0]}, )")), one + each + 1);
  EXPECT_EQ(pairs(first + link("b", hinge, "0.02", R"("parent": "a@0.5", )")), one + each + (each == 1 ? 1 : 0));
  EXPECT_EQ(pairs(first + link("b", hinge, "0.02", R"("parent": "a@0.3", )")), one + each + 1);
}

// What contact is by default where no place says it: by the ball, not by its poles.
TEST(LinkageRest, PolesOfABallDoNotSetItsContact) {
  for (const char* radius : {"=sqrt(max(0.05^2 - (s - 0.05)^2, 0))", "=sqrt(max(0.05^2 - (s - 0.05)^2, 1e-16))"}) {
    for (const char* side : {"[1, 0, 0]", "[0, 0, 1]", "[1, 0, 1]"}) {
      Simulation sim(filled(
          R"J({"format": "tendril/1", "linkages": {"p": {"base": {"position": [0, 0, 0.2], "forward": $side, "up": [0, 1, 0]}, "links": {"a": {"joint": {"free": {"damping": [0, 5]}},
          "body": {"rigid": {"length": 0.1, "section": {"circle": {"radius": "$radius"}}, "density": 1000}}}}}},
        "obstacles": {"floor": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}}, "environment": {"gravity": [0, 0, -9.81]},
        "solver": {"integrator": "implicit-euler", "dt": 2e-3, "duration": 2},
        "probes": {"middle": {"position": "p/a@0.5"}, "pairs": {"contact": "pairs"}, "deep": {"contact": "penetration"}}})J",
          {{"radius", radius}, {"side", side}}));
      runToEnd(sim);
      // Contact sets in at a tenth of the radius: where it bears the weight is up to a hundredth before touch.
      EXPECT_NEAR(column(sim, "middle.z"), 0.05, 5e-4) << radius << side;
      EXPECT_EQ(column(sim, "pairs"), 1) << radius << side;
    }
  }
}

TEST(TouchingPlaces, OfCylindersAndMildTapersAreEven) {
  for (const std::function<double(double, double)>& radius :
       {std::function<double(double, double)>([](double, double) { return 0.01; }),
        std::function<double(double, double)>([](double, double u) { return 0.02 - 0.015 * u; }),
        std::function<double(double, double)>([](double, double u) { return 0.02 - 0.01 * u * u; }),
        std::function<double(double, double)>([](double, double u) { return 0.02 * std::exp(-2 * u); })}) {
    const std::vector<TouchingPlace> places = touchingPlaces(0.7, 7, radius, 1);
    ASSERT_EQ(places.size(), 8u);
    for (int n = 0; n <= 7; ++n) {
      const TouchingPlace& p = places[static_cast<std::size_t>(n)];
      EXPECT_EQ(p.s, 0.7 * n / 7);
      EXPECT_EQ(p.radius, radius(p.s, n / 7.0));
      EXPECT_EQ(p.apart, 0.7 / 7);
      EXPECT_EQ(p.share, 0.7 / 7 * (n == 0 || n == 7 ? 0.5 : 1));
    }
  }
}

TEST(TouchingPlaces, StandForTheWholeLengthAndAreBounded) {
  for (const double waves : {2.0, 9.0, 40.0, 1e4}) {
    const std::vector<TouchingPlace> places = touchingPlaces(
        0.5, 6, [&](double, double u) { return 0.02 + 0.01 * std::sin(waves * 2 * pi * u); }, 1);
    double share = 0, s = -1;
    for (const TouchingPlace& p : places) {
      EXPECT_GT(p.s, s);
      s = p.s, share += p.share;
    }
    EXPECT_NEAR(share, 0.5, 1e-12);
    EXPECT_LE(places.size(), 7u + mostAdded);
  }
}

// Links of many lengths and radii, some soft and divided, that branch: whatever places they share, the places stand for
// all of their length. Before, what a start that lies in another sphere stood for was lost, half of a chain of short
// links.
TEST(LinkageRest, PlacesOfContactStandForTheWholeLength) {
  std::mt19937 random(5);
  const auto draw = [&](double from, double to) { return std::uniform_real_distribution<double>(from, to)(random); };
  int shared = 0;
  for (int trial = 0; trial < 40; ++trial) {
    std::string links =
        R"J("root": {"joint": {"free": {}}, "body": {"rigid": {"length": 0.2, "section": {"circle": {"radius": 0.02}}, "density": 1000}}})J";
    std::vector<std::string> names = {"root"};
    double length = 0.2;
    const int count = 1 + static_cast<int>(draw(0, 6));
    for (int i = 0; i < count; ++i) {
      const double l = draw(0.03, 0.3), r = draw(0.005, 0.03);
      const std::string parent = names[static_cast<std::size_t>(draw(0, static_cast<double>(names.size())))],
                        name = "l" + std::to_string(i);
      const std::string circle =
          R"J({"circle": {"radius": "=)J" + digits(r) + (draw(0, 1) < 0.5 ? "*(1 - 0.5*u)" : "") + "\"}}";
      const bool soft = draw(0, 1) < 0.4;
      const std::string body =
          soft ? R"J({"soft": {"divisions": [{"length": )J" + digits(0.4 * l) + R"J(, "section": )J" + circle +
                     R"J(, "strains": {"bendY": 1}}, {"length": )J" + digits(0.6 * l) + R"J(, "section": )J" + circle +
                     R"J(, "strains": {"bendY": 1}}]}})J"
               : R"J({"rigid": {"length": )J" + digits(l) + R"J(, "section": )J" + circle + R"J(, "density": 1000}})J";
      static const char* const joints[] = {R"J({"revolute": {"axis": "y"}})J", R"J({"fixed": {}})J",
                                           R"J({"spherical": {}})J", R"J({"prismatic": {"axis": "z"}})J"};
      links += ", \"" + name + R"J(": {"parent": ")J" + parent + R"J(", "joint": )J" +
               joints[static_cast<int>(draw(0, 4))] + R"J(, "body": )J" + body + "}";
      names.push_back(name), length += l;
    }
    const std::string text =
        R"J({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "density": 1000}}, "linkages": {"p": {"links": {)J" +
        links +
        R"J(}}}, "obstacles": {"floor": {"plane": {"point": [0, 0, -9], "normal": [0, 0, 1]}}}, "contact": {"per": "length"}})J";
    const auto loaded = scene::loadScene(text, {});
    ASSERT_TRUE(std::holds_alternative<scene::Scene>(loaded)) << std::get<Problems>(loaded)[0].message << text;
    const Structure structure(std::get<scene::Scene>(loaded), 0);
    double sum = 0;
    for (const ContactPoint& p : structure.skin.points) {
      sum += p.share;
      if (p.link > 0 && p.before < 0) --shared;
    }
    shared += count;
    EXPECT_NEAR(sum, length, 1e-12) << text;
  }
  EXPECT_GT(shared, 10);  // starts that lie in other spheres
}

}  // namespace linkage_rest_test
}  // namespace tendril::links
