// Static shapes of another program's hinge shells: the same mesh, supports and springs.
#include <gtest/gtest.h>

#include "engine/rods_shells/build_scene.h"
#include "engine/validation/shell_run.h"

namespace tendril::test {
namespace shell_reference_test {

// A plate of 1 mm that hangs from its nodes up to x = 0.01, as the other program meshed it.
struct Plate {
  std::vector<std::vector<double>> shape;  // node, x0, y0, x, y, z
  std::string text;

  Plate(const std::string& shapeFile, const std::string& meshFile, const std::string& youngs) {
    shape = shellRows(shapeFile);
    geometry::TriangleMesh mesh;
    for (const auto& row : shape) mesh.points.emplace_back(row[1], row[2], 0);
    for (const auto& t : shellRows(meshFile)) {
      mesh.triangles.push_back({int(t[0]) - 1, int(t[1]) - 1, int(t[2]) - 1});
    }
    text = filled(R"({"format": "tendril/1", "materials": {"m": {"youngs": $E, "poisson": 0.5, "density": 1200}},
      "shells": {"plate": {"thickness": 1e-3, "bending": "hinge", "mesh": $mesh}},
      "constraints": [{"fix": {"of": "plate", "where": "x < 0.01 + 1e-9"}}],
      "environment": {"gravity": [0, 0, -9.81]},
      "solver": {"mode": "static", "tolerance": 1e-10, "iterations": 200},
      "probes": {"tip": {"position": {"of": "plate", "where": "x > 0.1 - 1e-9 && y < 0.003"}}}})",
                  {{"E", youngs}, {"mesh", meshText(mesh)}});
  }
};

// Settles the plate; with `theirs` its border edges carry the whole spring of an interior edge, as in their program,
// where the product gives half of it to each adjacent triangle. Returns the largest distance of a node from theirs.
double worstDistance(const Plate& plate, bool theirs, double& tip) {
  const scene::Scene scene = loaded(plate.text);
  const world::World world(scene);
  rods_shells::Model model(world);
  if (theirs) {
    for (rods_shells::ShellEdge& e : const_cast<rods_shells::Structure&>(model.system().structure()).shell.edges) {
      if (e.isBorder()) e.stretch *= 2;
    }
  }
  const std::vector<double> columns(scene.columns.size() + 1, 0.0);
  model::SettleRequest request;
  for (int step = 1; step <= 5; ++step) {
    request.time = 1, request.factor = step / 5.0, request.columns = columns.data();
    if (!model.settle(request, {}).accepted) throw std::runtime_error("the plate did not settle");
  }
  const rods_shells::Structure& s = model.system().structure();
  double worst = 0;
  for (const auto& row : plate.shape) {
    const int node = s.bodyNodes[0][std::size_t(row[0]) - 1];
    const Vec3 x = s.nodes[node] + model.history().q.segment<3>(s.nodeDof[node]);
    worst = std::max(worst, (x - Vec3(row[3], row[4], row[5])).norm());
    if (row[1] > 0.1 - 1e-9 && row[2] < 0.003) tip = x.z();
  }
  return worst;
}

TEST(ShellReference, HingePlatesHaveTheSameShapes) {
  for (const char* mesh : {"equilateral20", "right20", "eq_algn20"}) {
    for (const auto& [youngs, file] : {std::pair<const char*, const char*>{"2e9", "E2e+09"}, {"2e7", "E2e+07"}}) {
      const Plate plate(std::string("shellCantilever_hinge_") + mesh + "_" + file + ".csv",
                        std::string("mesh_shellCantilever_") + mesh + "_triangles.csv", youngs);
      double tip = 0, ours = 0;
      EXPECT_LT(worstDistance(plate, true, tip), 1e-9) << mesh << ", E = " << youngs;
      // Membrane springs hardly matter to a plate that bends: our own border springs move it by little.
      worstDistance(plate, false, ours);
      EXPECT_NEAR(ours, tip, 5e-3 * std::abs(tip)) << mesh << ", E = " << youngs;
    }
  }
}

}  // namespace shell_reference_test
}  // namespace tendril::test
