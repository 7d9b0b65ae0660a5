// Shells in the assembled system against finite differences at random, strongly deformed states: potential against
// residual, residual against tangent, for every pair of models, clamps, joints, closed meshes, media and pressure.
#include <gtest/gtest.h>

#include "engine/rods_shells/shell_scenes.h"

namespace tendril::test {
namespace shell_system_test {

struct Case {
  std::string name, text;
  double reach = 0.06;
  bool conservative = true;
  std::function<void(scene::Scene&)> change = {};
};

std::string scene(const std::string& bodies, const std::string& rest = "") {
  return R"J({"format": "tendril/1",
  "materials": {"soft": {"youngs": 2e4, "poisson": 0.3, "density": 900, "damping": 0},
                "viscous": {"youngs": 2e4, "poisson": 0.2, "density": 700, "damping": 400}},
  "environment": {"gravity": [0, 1, -9.81]},
  "solver": {"dt": 0.01, "duration": 1},
  "probes": {"all": {"energy": "total"}}, )J" +
         bodies + (rest.empty() ? "" : ", " + rest) + "}";
}

std::string shell(const std::string& models, const std::string& mesh, const std::string& material = "soft") {
  return "{\"material\": \"" + material + "\", \"thickness\": 0.2, " + models + ", \"mesh\": " + mesh + "}";
}

const char* const models[] = {
    R"J("bending": "hinge", "membrane": "springs")J", R"J("bending": "hinge", "membrane": "stvk")J",
    R"J("bending": "midedge", "membrane": "stvk")J", R"J("bending": "midedge", "membrane": "springs")J"};

std::string flatGrid() {
  return gridMesh(4, 3, [](int i, int j) { return Vec3(0.3 * i, 0.3 * j, 0); });
}
std::string curvedGrid() {
  return gridMesh(4, 3, [](int i, int j) {
    const double x = 0.3 * i, y = 0.3 * j;
    return Vec3(x, y, 0.4 * x * (1.2 - x) - 0.3 * y * y);
  });
}
const char* const rectangle =
    R"J({"rectangle": {"corner": [0,0,0], "along": [1.2,0,0], "across": [0,0.9,0], "edge": 0.3}})J";
std::string tetrahedron() {
  return meshText({{0, 0, 0}, {0.5, 0, 0}, {0.1, 0.5, 0}, {0.2, 0.2, 0.45}},
                  {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}});
}

// Rods welded to a shell: "up" normal to it at an inner vertex, "out" in its plane from a border vertex on, "rib" along
// its own edges, "back" welded by its last node.
std::string rods(const std::string& which) {
  const std::map<std::string, std::string> all = {
      {"up",
       R"J("up": {"material": "viscous", "section": {"rectangle": {"width": 0.3, "height": 0.2}}, "path": {"points": [[0.6,0.3,0], [0.6,0.3,0.3], [0.7,0.3,0.6]]}})J"},
      {"out",
       R"J("out": {"material": "soft", "section": {"circle": {"radius": 0.15}}, "path": {"points": [[1.2,0.3,0], [1.5,0.3,0], [1.8,0.4,0]]}})J"},
      {"rib",
       R"J("rib": {"material": "soft", "section": {"circle": {"radius": 0.15}}, "path": {"points": [[0,0.6,0], [0.3,0.6,0], [0.6,0.6,0]]}})J"},
      {"back",
       R"J("back": {"material": "soft", "section": {"circle": {"radius": 0.15}}, "path": {"points": [[0.3,0.3,-0.6], [0.3,0.35,-0.3], [0.3,0.3,0]]}})J"}};
  std::string out = "\"rods\": {";
  for (const auto& [name, text] : all) {
    if (which.find(name) != std::string::npos) out += (out.back() == '{' ? "" : ", ") + text;
  }
  return out + "}";
}

std::vector<Case> conservativeCases() {
  std::vector<Case> out;
  const std::string held = R"J("constraints": [{"clamp": {"of": "s", "where": "x < 0.31"}}])J";
  for (const char* m : models) {
    out.push_back({std::string("flat grid, ") + m, scene("\"shells\": {\"s\": " + shell(m, flatGrid()) + "}")});
    out.push_back({std::string("curved grid, damped, clamped, ") + m,
                   scene("\"shells\": {\"s\": " + shell(m, curvedGrid(), "viscous") + "}", held)});
    out.push_back(
        {std::string("naturally flat, ") + m,
         scene("\"shells\": {\"s\": " + shell(m + std::string(R"J(, "natural": "flat")J"), curvedGrid()) + "}", held)});
    // Edges of triangles that are not wholly clamped, at the border and inside, turned and moved while damped.
    Case turning{
        std::string("turning clamp inside, ") + m,
        scene(
            "\"shells\": {\"s\": " + shell(m, curvedGrid(), "viscous") + "}",
            R"J("constraints": [{"clamp": {"of": "s", "where": "x > 0.55 && x < 0.65"}, "displacement": ["=0.1*t", 0, "=-0.05*t"]},
                         {"clamp": {"of": "s", "where": "y < 0.01 && x > 0.8"}}])J")};
    turning.change = [](scene::Scene& s) {
      s.constraints[0].rotation = {{Vec3(1, 2, 0.5).normalized(), formula::Number(0.4)},
                                   {Vec3(0, 0, 1), formula::Number(-0.2)}};
    };
    out.push_back(turning);
    out.push_back(
        {std::string("tetrahedron, ") + m, scene("\"shells\": {\"s\": " + shell(m, tetrahedron()) + "}"), 0.04});
    out.push_back({std::string("octahedron, damped, ") + m,
                   scene("\"shells\": {\"s\": " + shell(m, octahedron(0.4, 0.3, 0.35), "viscous") + "}"), 0.05});
    out.push_back({std::string("pressure in an octahedron, ") + m,
                   scene("\"shells\": {\"s\": " + shell(m, octahedron(0.4, 0.3, 0.35)) + "}",
                         R"J("loads": [{"pressure": 500, "on": "s"}])J"),
                   0.05});
    out.push_back(
        {std::string("pressure on a sheet with a held border, ") + m,
         scene("\"shells\": {\"s\": " + shell(m, curvedGrid()) + "}",
               R"J("constraints": [{"fix": {"of": "s", "where": "x < 0.01 || x > 1.19 || y < 0.01 || y > 0.89"}}],
                             "loads": [{"pressure": 500, "on": "s"}])J")});
    out.push_back({std::string("potentials of place and normal, ") + m,
                   scene("\"shells\": {\"s\": " + shell(m, curvedGrid()) + "}",
                         R"J("loads": [{"potential": "=400*nz^2 + 200*x*ny + 90*(z - Z)^2", "on": "s", "per": "area"},
                             {"potential": "=x*y*nx", "on": "s", "per": "mass"}, {"potential": "=8*nx*ny + x*z", "on": {"of": "s", "where": "x < 0.7"}},
                             {"potential": "=20*sin(3*x)*y", "on": "s", "per": "length"}])J")});
    out.push_back(
        {std::string("rods, ") + m,
         scene(rods("up out back") + ", \"shells\": {\"s\": " + shell(m, flatGrid()) + "}",
               R"J("joints": [{"weld": ["up:first", "s@[0.6,0.3,0]"]}, {"weld": ["out:first", "s@[1.2,0.3,0]"]},
                                        {"weld": ["back:last", "s@[0.3,0.3,0]"]}])J"),
         0.05});
    out.push_back({std::string("rib, two rods at one vertex, ") + m,
                   scene(rods("rib up back") + ", \"shells\": {\"s\": " + shell(m, flatGrid()) + "}",
                         R"J("joints": [{"weld": ["rib:0", "s@[0,0.6,0]"]}, {"weld": ["rib:1", "s@[0.3,0.6,0]"]},
                                        {"weld": ["rib:2", "s@[0.6,0.6,0]"]}, {"weld": ["up:first", "s@[0.6,0.3,0]"]},
                                        {"weld": ["back:last", "s@[0.3,0.3,0]"]}])J"),
                   0.05});
    out.push_back(
        {std::string("two shells welded, ") + m,
         scene("\"shells\": {\"s\": " + shell(m, flatGrid()) + ", \"other\": " +
                   shell(models[2], gridMesh(4, 2, [](int i, int j) { return Vec3(0.3 * i, 0, 0.3 * j); }), "viscous") +
                   "}",
               R"J("joints": [{"weld": ["s:0", "other:0"]}, {"weld": ["s:1", "other:1"]}, {"weld": ["s:2", "other:2"]},
                                        {"weld": ["s:3", "other:3"]}, {"weld": ["s:4", "other:4"]}])J")});
    out.push_back(
        {std::string("actuated hinges, moving viscous medium, buoyancy, ") + m,
         scene("\"shells\": {\"s\": " + shell(m, rectangle) + "}",
               R"J("actuation": [{"shell": {"of": "s", "where": "x > 0.2"}, "angle": "=0.5*sin(t + x) - 0.1*i"}])J")});
    std::string& medium = out.back().text;
    const std::string plain = R"J("environment": {"gravity": [0, 1, -9.81]})J";
    medium.replace(
        medium.find(plain), plain.size(),
        R"J("environment": {"gravity": [0, 1, -9.81], "viscous": 50, "buoyancy": true, "fluid": {"density": 1000, "velocity": ["=1 + t", 2, -1]}})J");
  }
  return out;
}

std::vector<Case> loadedCases() {
  std::vector<Case> out;
  for (const char* m : {models[0], models[2]}) {
    std::string text = scene(
        "\"shells\": {\"s\": " + shell(m, curvedGrid(), "viscous") + "}",
        R"J("constraints": [{"fix": "s:0", "axes": "xz"}], "loads": [{"pressure": "=300 + 100*t", "on": {"of": "s", "where": "x < 0.7"}}])J");
    const std::string plain = R"J("environment": {"gravity": [0, 1, -9.81]})J";
    text.replace(
        text.find(plain), plain.size(),
        R"J("environment": {"gravity": [0, 1, -9.81], "drag": 1.5, "fluid": {"density": 800, "velocity": ["=1 + t", 2, -1]}})J");
    out.push_back({std::string("drag and pressure, ") + m, text, 0.06, false, {}});
    out.push_back(
        {std::string("fields of place, motion and normal, ") + m,
         scene("\"shells\": {\"s\": " + shell(m, curvedGrid()) + "}",
               R"J("constraints": [{"fix": "s:0"}], "loads": [{"pressure": "=300*x + 50*vz - 100*nz + 20*X", "on": "s"},
                             {"force": ["=-2*vx*abs(vx)", "=30*nx*x", "=20*nz - y*z"], "at": "s", "per": "area"},
                             {"force": ["=0.2*nz", "=vx*y", 0], "at": {"of": "s", "where": "x < 0.7"}},
                             {"line": ["=-y*vz", "=20*i/n", "=x^2"], "on": "s"}, {"force": ["=-vx", "=x*nx", 1], "at": "s", "per": "mass"}])J"),
         0.06,
         false,
         {}});
    out.push_back({std::string("unlike pressures, borders free and half held, ") + m,
                   scene("\"shells\": {\"s\": " + shell(m, curvedGrid()) + "}",
                         R"J("constraints": [{"fix": {"of": "s", "where": "x < 0.01"}}],
                             "loads": [{"pressure": 500, "on": "s"}, {"pressure": -300, "on": {"of": "s", "where": "y < 0.31"}}])J"),
                   0.06,
                   false,
                   {}});
  }
  return out;
}

void checkGradient(const Case& c, unsigned seed) {
  SCOPED_TRACE(c.name + ", seed " + std::to_string(seed));
  ShellState s(c.text, seed, c.reach, c.change);
  VectorX r, unused;
  const solve::Evaluation here = s.evaluate(s.trial, solve::Level::residual, r);
  ASSERT_TRUE(here.valid);
  ASSERT_TRUE(here.hasPotential);
  EXPECT_DOUBLE_EQ(here.potential, s.evaluate(s.trial, solve::Level::value, unused).potential);
  for (int k = 0; k < 4; ++k) {
    const VectorX d = s.direction();
    const auto difference = [&](double h) {
      const double up = s.evaluate(s.trial + h * d, solve::Level::value, unused).potential;
      return (up - s.evaluate(s.trial - h * d, solve::Level::value, unused).potential) / (2 * h);
    };
    const double h = 1e-4, slope = (4 * difference(h) - difference(2 * h)) / 3;
    EXPECT_NEAR(slope, r.dot(d), 1e-6 * r.norm());
  }
}

void checkTangent(const Case& c, unsigned seed) {
  SCOPED_TRACE(c.name + ", seed " + std::to_string(seed));
  ShellState s(c.text, seed, c.reach, c.change);
  VectorX r, up, down, y(s.trial.size());
  const solve::Evaluation here = s.evaluate(s.trial, solve::Level::tangent, r);
  ASSERT_TRUE(here.valid);
  EXPECT_EQ(here.hasPotential, c.conservative);
  ASSERT_TRUE(s.system.factor(0).ok);
  for (int k = 0; k < 4; ++k) {
    // y = A^-1 b, so that the derivative of the residual along y must be b.
    const VectorX b = s.direction();
    s.system.solve(b, y);
    const double size = y.norm();
    const auto difference = [&](double h) {
      s.evaluate(s.trial + (h / size) * y, solve::Level::residual, up);
      s.evaluate(s.trial - (h / size) * y, solve::Level::residual, down);
      return VectorX((up - down) * (size / (2 * h)));
    };
    const VectorX derivative = (4 * difference(1e-4) - difference(2e-4)) / 3;
    EXPECT_LT((derivative - b).norm(), 1e-5 * b.norm());
  }
}

TEST(ShellSystem, ResidualIsTheGradientOfThePotential) {
  for (const Case& c : conservativeCases()) {
    for (unsigned seed = 1; seed <= 3; ++seed) checkGradient(c, seed);
  }
}

TEST(ShellSystem, TangentIsTheDerivativeOfTheResidual) {
  for (const Case& c : conservativeCases()) {
    for (unsigned seed = 11; seed <= 13; ++seed) checkTangent(c, seed);
  }
}

TEST(ShellSystem, TangentOfDragAndPressureIsExact) {
  for (const Case& c : loadedCases()) {
    for (unsigned seed = 21; seed <= 23; ++seed) checkTangent(c, seed);
  }
}

// What the unknowns of held edges are: nodes at their places, the normals' turns prescribed, the rest free.
TEST(ShellSystem, ClampsPrescribeNodesAndTheTurnsOfTheirEdges) {
  const Case c = conservativeCases()[2 * 13 + 1];
  ASSERT_NE(c.name.find("midedge\", \"membrane\": \"stvk"), std::string::npos) << c.name;
  ShellState s(c.text, 5);
  VectorX r;
  s.evaluate(s.trial, solve::Level::residual, r);
  int nodes = 0, turns = 0;
  for (std::size_t i = 0; i < s.structure().nodes.size(); ++i) {
    const int d = s.structure().nodeDof[i];
    const bool held = s.structure().nodes[i].x() < 0.31;
    for (int k = 0; k < 3; ++k) {
      EXPECT_EQ(s.system.supports().prescribed()[d + k] != 0, held);
      if (held) {
        EXPECT_EQ(s.trial[d + k], 0);
      }
    }
    nodes += held;
  }
  for (const rods_shells::ShellEdge& e : s.structure().shell.edges) {
    const bool held = s.structure().nodes[e.a].x() < 0.31 && s.structure().nodes[e.b].x() < 0.31;
    EXPECT_EQ(s.system.supports().prescribed()[e.psi] != 0, held);
    turns += held;
    EXPECT_EQ(r[e.psi] == 0, held);
  }
  EXPECT_EQ(nodes, 8);
  EXPECT_EQ(turns, 4 + 6 + 3);  // the run is one square wide: 4 rungs, 6 sides, 3 diagonals
}

}  // namespace shell_system_test
}  // namespace tendril::test
