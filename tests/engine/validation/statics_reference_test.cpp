// Static shapes of other programs: the same chain, clamped as they clamp it.
#include <gtest/gtest.h>

#include "engine/reference_files.h"
#include "engine/validation/statics_run.h"

namespace tendril::test {
namespace statics_reference_test {

// Rows of numbers of a CSV file, without comments and header.
std::vector<std::vector<double>> rows(const std::string& name) {
  std::ifstream in = referenceFile("mat-dismech/" + name);
  std::vector<std::vector<double>> out;
  std::string line;
  bool header = true;
  while (std::getline(in, line)) {
    if (line.empty() || line[0] == '#') continue;
    if (header) {
      header = false;
      continue;
    }
    std::vector<double> row;
    std::stringstream cells(line);
    std::string cell;
    while (std::getline(cells, cell, ',')) row.push_back(std::stod(cell));
    out.push_back(row);
  }
  return out;
}

std::vector<double> nodesOf(const std::string& text, const std::map<std::string, double>& parameters) {
  Simulation sim(text, parameters);
  sim.advance(2 * sim.duration());
  return sim.bodies().at(0).nodes;
}

TEST(StaticsReference, PneumaticActuatorHasTheSameShapesToAMicrometer) {
  const auto shapes = rows("pneunet_shapes.csv");
  ASSERT_EQ(shapes.size(), 51u);
  const std::string text = sceneFile("pneunet");
  for (int pull = 0; pull < 2; ++pull) {
    for (int k = 0; k < 3; ++k) {
      const auto nodes = nodesOf(text, {{"pressure", 0.5 * (k + 1)}, {"pull", pull}});
      double worst = 0;
      for (int i = 0; i < 51; ++i) {
        const double x = shapes[i][1 + 6 * pull + 2 * k], z = shapes[i][2 + 6 * pull + 2 * k];
        worst =
            std::max({worst, std::abs(nodes[3 * i] - x), std::abs(nodes[3 * i + 1]), std::abs(nodes[3 * i + 2] - z)});
      }
      EXPECT_LT(worst, 1e-6) << "pressure " << 0.5 * (k + 1) << ", pull " << pull;
    }
  }
}

TEST(StaticsReference, FlatStripWithThePapersClampHasTheSameShapes) {
  const auto shapes = rows("rodCantilever_shapes.csv");
  ASSERT_EQ(shapes.size(), 51u);
  // Nodes up to x = 0.01 are fixed, and the twist of the edges between them.
  std::string text = replaced(sceneFile("cantilever-figure"), "\"segments\": 100", "\"segments\": 50");
  text = replaced(text, "\"L\": 0.09", "\"L\": 0.1");
  text = replaced(text, "[{\"clamp\": \"strip:first\"}]",
                  "[{\"fix\": \"strip:0..5\"}, {\"fixTwist\": \"strip:0..5\"}, {\"planar\": \"xz\"}]");
  const double moduli[] = {1e7, 2e7, 2e8, 2e9, 2e10};
  for (int k = 0; k < 5; ++k) {
    const auto nodes = nodesOf(text, {{"E", moduli[k]}});
    double worst = 0;
    for (int i = 0; i < 51; ++i) {
      worst = std::max(
          {worst, std::abs(nodes[3 * i] - shapes[i][1 + 2 * k]), std::abs(nodes[3 * i + 2] - shapes[i][2 + 2 * k])});
    }
    EXPECT_LT(worst, 1e-6) << "E = " << moduli[k];
  }
}

}  // namespace statics_reference_test
}  // namespace tendril::test
