// Every key of a link's start does something; so a key that is forgotten fails here.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/simulation/run_scene.h"

namespace tendril::links {
namespace initial_keys_test {

/// Coordinates and rates at the end of a short run, the link starting with `key` if there is one.
std::vector<double> motionFrom(const std::string& key) {
  const std::string start = key.empty() ? "" : R"(, "initial": [{"of": "arm/limb", ")" + key + R"(": 0.05}])";
  Simulation sim(R"({"format": "tendril/1", "materials": {"m": {"youngs": 1e6, "poisson": 0.4, "density": 1000}},
    "linkages": {"arm": {"links": {"limb": {"joint": {"cylindrical": {"axis": "y", "stiffness": [2, 300]}},
      "body": {"soft": {"length": 0.2, "section": {"circle": {"radius": 0.02}}, "material": "m",
        "strains": {"twist": 1, "bendY": 1, "bendZ": 1, "stretch": 1, "shearY": 1, "shearZ": 1}}}}}}},
    "solver": {"integrator": "implicit-euler", "dt": 1e-4, "duration": 5e-4})" +
                 start + "}");
  test::runToEnd(sim);
  std::vector<double> out;
  for (const auto& body : sim.bodies()) {
    for (const auto& link : body.links) {
      out.insert(out.end(), link.q.begin(), link.q.end());
      out.insert(out.end(), link.v.begin(), link.v.end());
    }
  }
  return out;
}

TEST(KeysAct, EveryOneOfALinksStartChangesItsMotion) {
  const std::vector<double> still = motionFrom("");
  ASSERT_EQ(*std::max_element(still.begin(), still.end()), 0);
  for (const char* key :
       {"twist", "bendY", "bendZ", "stretch", "shearY", "shearZ", "twistRate", "bendYRate", "bendZRate", "stretchRate",
        "shearYRate", "shearZRate", "angle", "displacement", "angleRate", "displacementRate"}) {
    const std::vector<double> moved = motionFrom(key);
    double most = 0;
    for (std::size_t i = 0; i < still.size(); ++i) most = std::max(most, std::abs(moved[i] - still[i]));
    EXPECT_GT(most, 1e-5) << key;
  }
}

}  // namespace initial_keys_test
}  // namespace tendril::links
