// Fields on bodies of unlike size and kind in one scene: each sees its own points alone.
#include <gtest/gtest.h>

#include "engine/simulation/run_scene.h"

namespace tendril {
namespace unlike_fields_test {

struct Part {
  std::string section, body, load, support, initial;
};

const Part rod = {
    "rods",
    R"J("arm": {"material": "soft", "section": {"circle": {"radius": 0.004}}, "segments": 5, "path": {"line": {"from": [0, 0, 0], "to": [0.2, 0, 0.02]}}})J",
    R"J({"moment": ["=0.01*ty*(1 + s) - 0.001*vz", "=0.02*tz*n", "=0.01*x*tx*i"], "at": "arm", "per": "length"}, {"line": ["=-3*(x - X)", "=-0.1*vy", "=-20*(z - Z) + u"], "on": "arm"})J",
    R"J({"clamp": "arm:first"})J", R"J({"of": "arm", "velocity": [0, "=0.3*u", 0.1]})J"};
const Part shell = {
    "shells",
    R"J("sheet": {"material": "soft", "thickness": 0.002, "bending": "hinge", "mesh": {"rectangle": {"corner": [0, 1, 0], "along": [0.2, 0, 0], "across": [0, 0.16, 0.02], "edge": 0.04, "pattern": "right-isosceles"}}})J",
    R"J({"potential": "=-2*nz*(1 + x) + 30*z*z", "on": "sheet", "per": "area"}, {"pressure": "=20*(1 + i/n) - 30*vz", "on": "sheet"}, {"force": ["=-0.1*vx*vx", 0, "=-0.2*(z - Z)"], "at": "sheet:7"})J",
    R"J({"fix": {"of": "sheet", "where": "x < 0.001"}})J", R"J({"of": "sheet", "velocity": [0, 0, "=x*y"]})J"};
const Part link = {
    "linkages",
    R"J("leg": {"base": {"position": [0, -1, 0]}, "links": {"limb": {"body": {"soft": {"material": "soft", "length": 0.2, "section": {"circle": {"radius": 0.006}}, "strains": {"bendY": 2, "bendZ": 1, "twist": 1}}}}}})J",
    R"J({"force": ["=-2*(x - X)", "=-0.01*vy*vy", "=-3*z*(1 + u)"], "at": "leg/limb", "per": "length"}, {"moment": ["=0.002*ty", "=0.003*tx + 0.001*z", 0], "at": "leg/limb@1"})J",
    "", R"J({"of": "leg/limb", "bendYRate": 3})J"};

std::string scene(const std::vector<Part>& parts) {
  std::string bodies, loads, supports, starts;
  const auto add = [](std::string& list, const std::string& one) {
    list += (list.empty() || one.empty() ? "" : ", ") + one;
  };
  for (const Part& p : parts) {
    bodies += "\"" + p.section + "\": {" + p.body + "}, ";
    add(loads, p.load), add(supports, p.support), add(starts, p.initial);
  }
  return R"J({"format": "tendril/1", "materials": {"soft": {"youngs": 2e5, "poisson": 0.4, "density": 1100, "damping": 20}}, )J" +
         bodies + "\"loads\": [" + loads + "], \"constraints\": [" + supports + "], \"initial\": [" + starts +
         R"J(], "environment": {"gravity": [0, 0, -3]}, "solver": {"dt": 0.002, "duration": 0.03}})J";
}

std::map<std::string, std::vector<double>> statesOf(const std::vector<Part>& parts) {
  Simulation sim(scene(parts));
  while (!sim.finished()) sim.step();
  std::map<std::string, std::vector<double>> out;
  for (const BodyState& body : sim.bodies()) {
    std::vector<double>& all = out[body.name];
    all.insert(all.end(), body.nodes.begin(), body.nodes.end());
    all.insert(all.end(), body.twist.begin(), body.twist.end());
  }
  return out;
}

TEST(UnlikeFields, OfARodAShellAndALinkAreNothingToEachOther) {
  const auto together = statesOf({rod, shell, link});
  for (const Part& part : {rod, shell, link}) {
    for (const auto& [name, alone] : statesOf({part})) {
      ASSERT_EQ(together.count(name), 1u) << name;
      EXPECT_EQ(together.at(name), alone) << name;
      EXPECT_FALSE(alone.empty());
    }
  }
  // In another order of the scene's text.
  const auto turned = statesOf({link, shell, rod});
  for (const auto& [name, state] : together) EXPECT_EQ(turned.at(name), state) << name;
}

}  // namespace unlike_fields_test
}  // namespace tendril
