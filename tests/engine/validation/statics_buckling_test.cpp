// Stability read from the pivots of the tangent: Euler's column and Michell's ring at their critical loads.
#include <gtest/gtest.h>

#include <memory>
#include <variant>

#include "engine/validation/statics_run.h"
#include "rods_shells/model.h"
#include "scene/load/load.h"

namespace tendril::test {
namespace statics_buckling_test {

// A scene and its model.
struct Loaded {
  scene::Scene scene;
  std::unique_ptr<world::World> world;
  std::unique_ptr<rods_shells::Model> model;
  std::vector<double> columns;

  Loaded(const std::string& text, const std::map<std::string, double>& parameters) {
    scene::LoadOptions options;
    options.overrides = parameters;
    auto loaded = scene::loadScene(text, options);
    scene = std::move(std::get<scene::Scene>(loaded));
    world = std::make_unique<world::World>(scene);
    model = std::make_unique<rods_shells::Model>(*world);
    columns.assign(scene.columns.size() + 1, 0.0);
  }
  void settle(int steps) {
    for (int i = 1; i <= steps; ++i) {
      model::SettleRequest request;
      request.time = scene.solver.duration;
      request.factor = static_cast<double>(i) / steps;
      request.columns = columns.data();
      if (!model->settle(request, {}).accepted) throw std::runtime_error("no equilibrium");
    }
  }
};

// Negative pivots of the tangent of `text` at the equilibrium that `held` finds: the same scene with more supports,
// which keep it on the branch whose stability is asked for.
int negativePivots(const std::string& text, const std::string& held, const std::map<std::string, double>& parameters) {
  Loaded branch(held, parameters), free(text, parameters);
  branch.settle(4);
  const VectorX& q = branch.model->history().q;
  rods_shells::System& system = free.model->system();
  scene::Instant instant;
  instant.t = instant.middle = free.scene.solver.duration;
  instant.columns = free.columns.data();
  VectorX x = q, r;
  system.prepare(instant, instant, instant.t, q, false, x);
  system.elasticity().setFrames(branch.model->system().elasticity().frames());
  const VectorX zero = VectorX::Zero(system.size());
  const solve::Evaluation there = system.evaluate({q, zero, zero}, {0, 0}, solve::Level::tangent, r);
  EXPECT_LT(system.residualNorm(r), 1e-6 * there.forceScale + 1e-9)
      << "the branch is no equilibrium of the free structure";
  const solve::Factorization f = system.factor(0);
  EXPECT_TRUE(f.ok);
  EXPECT_EQ(f.nullPivots, 0);
  return f.negativePivots;
}

// The parameter "ratio" at which the first negative pivot appears.
double critical(const std::string& text, const std::string& held, std::map<std::string, double> parameters) {
  double low = 0.9, high = 1.1;
  parameters["ratio"] = low;
  EXPECT_EQ(negativePivots(text, held, parameters), 0);
  parameters["ratio"] = high;
  EXPECT_GE(negativePivots(text, held, parameters), 1);
  while (high - low > 2e-5) {
    const double middle = 0.5 * (low + high);
    parameters["ratio"] = middle;
    (negativePivots(text, held, parameters) > 0 ? high : low) = middle;
  }
  return 0.5 * (low + high);
}

TEST(StaticsBuckling, EulersLoadFromTheLowestPivotAtFiftyEdges) {
  std::string text = replaced(sceneFile("buckling-column"), "\"segments\": 200", "\"segments\": 50");
  // The perfect column: no sideways push.
  text = replaced(text, "\"=imperfection*ratio*Pcr\"", "0");
  const std::string held = replaced(text, "[{\"clamp\": \"column:first\"}]",
                                    "[{\"clamp\": \"column:first\"}, {\"fix\": \"column\", \"axes\": \"xy\"}]");
  EXPECT_NEAR(critical(text, held, {}), 1, 5e-4);
}

// A closed ring of a straight rod, welded after one end was turned by `ratio` times Michell's angle, on supports that
// carry nothing: three points, and one edge against rolling in itself.
const char* const ring = R"({"format": "tendril/1",
  "parameters": {"edges": 120, "stiffness": 1, "ratio": 1},
  "rods": {"ring": {
    "section": {"stiffness": {"EA": 1e6, "EI1": 1, "EI2": 1, "GJ": "=stiffness"}, "massPerLength": 1, "radius": 0.02},
    "segments": "=edges", "path": {"arc": {"center": [-1,0,0], "from": [0,0,0], "axis": [0,0,1], "angle": "=2*pi"}},
    "natural": {"curvature": [0, 0], "twist": "=-ratio*sqrt(3)/stiffness"}}},
  "joints": [{"weld": ["ring:first", "ring:last"]}],
  "constraints": [{"fix": "ring:first"}, {"fix": {"of": "ring", "where": "x < -2 + 1e-9"}, "axes": "yz"},
    {"fix": {"of": "ring", "where": "y > 1 - 1e-9"}, "axes": "z"}, {"fixTwist": "ring:first"}],
  "solver": {"mode": "static", "duration": 1, "tolerance": 1e-10},
  "probes": {"place": {"position": "ring:last"}}})";

TEST(StaticsBuckling, MichellsRingLeavesItsPlaneAtTwoPiRootThree) {
  const std::string held =
      replaced(ring, "\"constraints\": [", "\"constraints\": [{\"fix\": \"ring\", \"axes\": \"z\"},");
  for (const double stiffness : {0.6666666666666667, 1.0, 2.0}) {
    double before = 0;
    for (const double edges : {60.0, 120.0, 240.0}) {
      const double error = std::abs(critical(ring, held, {{"edges", edges}, {"stiffness", stiffness}}) - 1);
      EXPECT_LT(error, 2e-2 * (60 / edges) * (60 / edges)) << "GJ/EI = " << stiffness << ", edges " << edges;
      if (before > 0) {
        EXPECT_GT(order(before, error), 1.9) << "GJ/EI = " << stiffness << ", edges " << edges;
      }
      before = error;
    }
  }
}

double columnError(int edges, double ratio, double axial, double lateral) {
  const std::string text =
      replaced(sceneFile("buckling-column"), "\"segments\": 200", "\"segments\": " + std::to_string(edges));
  const Outcome out = solve(text, {{"ratio", ratio}, {"imperfection", 1e-6}});
  return std::hypot(out["tip.z"] - axial, out["tip.x"] - lateral);
}

TEST(StaticsBuckling, PostBuckledColumnIsEulersElastica) {
  // The push of 1e-6 moves the tip by less than 2e-5.
  EXPECT_LT(columnError(200, 1.05, 0.905336, 0.379980), 2e-5);
  EXPECT_LT(columnError(200, 1.1, 0.820296, 0.508534), 2e-5);
  const double coarse = columnError(50, 1.5, 0.363588, 0.788576), middle = columnError(100, 1.5, 0.363588, 0.788576);
  const double fine = columnError(200, 1.5, 0.363588, 0.788576);
  EXPECT_GT(order(coarse, middle), 1.9);
  EXPECT_GT(order(middle, fine), 1.9);
  EXPECT_LT(fine, 7e-5);
}

}  // namespace statics_buckling_test
}  // namespace tendril::test
