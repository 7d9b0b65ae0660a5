// The spider on its slope (scenes/spider-drop.json, pulled along two legs): mirror images at every step, and a pose at
// rest that does not depend on the step or on the width of contact, where anything can be independent of them.
//
// A pose held by friction depends on its past. Two things must be the same for two runs to end alike: how deep the feet
// stand, and where they slid on the way. The depth is the same where k delta is: then a foot carries its load at the
// same gap in units of delta. Sliding is the same where the feet hold from the first touch (mu = 1), or where nothing
// falls. What slides after a fall does not end in the same place: with mu = 0.4 the published settings end 12 mm apart
// along the slope, and dt = 0.25 ms ends 31 mm further. The height is the same all along.
#include <gtest/gtest.h>

#include "engine/simulation/run_scene.h"
#include "engine/validation/statics_run.h"

namespace tendril {
namespace contact_spider_test {

using namespace test;

struct Setting {
  double dt, delta;
};
constexpr Setting settings[] = {{2.5e-3, 5e-3}, {2.5e-3, 5e-4}, {1e-3, 5e-3}, {1e-3, 5e-4}};

const char* const places[] = {"body", "head", "foot0", "foot1", "foot2", "foot3"};
using Posture = std::vector<Vec3>;

/// Runs until `end`, mirror images all the way; the pose there.
Posture rest(const std::string& text, std::map<std::string, double> parameters, double end) {
  parameters["direction"] = 0;
  Simulation sim(text, parameters);
  double skew = 0;
  while (sim.time() < end - 1e-9) {
    sim.step();
    const Vec3 left = vectorColumn(sim, "foot1"), right = vectorColumn(sim, "foot3");
    skew = std::max({skew, std::abs(column(sim, "body.y")), std::abs(column(sim, "head.y")),
                     (left - Vec3(right.x(), -right.y(), right.z())).norm()});
  }
  EXPECT_LT(skew, 1e-6);
  Posture pose;
  for (const char* place : places) pose.push_back(vectorColumn(sim, place));
  return pose;
}

double apart(const Posture& a, const Posture& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, (a[i] - b[i]).norm());
  return most;
}

double largestDistance(const std::vector<Posture>& poses) {
  double most = 0;
  for (const Posture& a : poses)
    for (const Posture& b : poses) most = std::max(most, apart(a, b));
  return most;
}

// The two settings of the published program end there with the body at -0.025 m and -0.092 m: one stands, one lies.
TEST(ContactSpider, BothPublishedSettingsEndAtTheSameHeight) {
  const std::string text = replaced(sceneFile("spider-drop"), R"("damping": "=damping")", R"("damping": 0)");
  const Posture fast = rest(text, {{"dt", 2.5e-3}, {"distance", 5e-3}, {"slip", 1e-2}}, 2);
  const Posture accurate = rest(text, {{"dt", 1e-3}, {"distance", 5e-4}, {"slip", 5e-3}}, 2);
  EXPECT_NEAR(fast[0].z(), accurate[0].z(), 2e-3);
  EXPECT_NEAR(accurate[0].z(), -0.092, 2e-3);
}

TEST(ContactSpider, SetDownItRestsInOnePlaceWhateverTheStepAndTheWidthOfContact) {
  const std::string text = sceneFile("spider-drop");
  const double foot = 9 * 1180 * pi * 25e-6 * 0.1 * 9.8 / 4;
  std::vector<Posture> poses;
  for (const Setting& s : settings) {
    // A foot carries its load where the surfaces touch: 8,830 N/m with the narrow layer.
    const double k = 15 * foot / (s.delta * std::log(2.0));
    poses.push_back(rest(
        text, {{"h", 0}, {"dt", s.dt}, {"distance", s.delta}, {"stiffness", k}, {"damping", 1e5}, {"slip", 1e-3}}, 2));
  }
  EXPECT_LT(largestDistance(poses), 2e-3);
  EXPECT_GT(poses[0][0].z(), 0.05);  // it stands
}

// With the published stiffness of 1e4 N/m the wide layer lifts the feet by a millimeter: a part of what is left.
TEST(ContactSpider, DroppedOntoFeetThatHoldItRestsInOnePlaceToo) {
  std::vector<Posture> poses;
  for (const Setting& s : settings) {
    poses.push_back(rest(sceneFile("spider-drop"),
                         {{"mu", 1}, {"dt", s.dt}, {"distance", s.delta}, {"damping", 3e5}, {"slip", 1e-3}}, 2));
  }
  EXPECT_LT(largestDistance(poses), 2e-3);
}

}  // namespace contact_spider_test
}  // namespace tendril
