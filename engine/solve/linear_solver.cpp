// The rule that picks a linear solver: every candidate's time is modeled from its structure, the cheapest is built.
#include "solve/linear_solver.h"

#include <limits>
#include <utility>
#include <vector>

#include "solve/band_ldlt.h"
#include "solve/ordering/compress.h"
#include "solve/ordering/dissection.h"
#include "solve/ordering/ordering.h"
#include "solve/sparse_ldlt.h"

namespace tendril::solve {
namespace {

struct BandChoice {
  std::vector<int> order;
  int halfBandwidth = 0;
};

double total(const SolverCosts& costs) { return costs.factor + costs.solve; }
double bandCost(int size, int halfBandwidth) { return total(BandLdlt::modeledCosts(size, halfBandwidth)); }

/// Minimum degree for trees and nets, nested dissection for sheets, whichever gives the cheaper factor.
Supernodes choosePanels(const CompressedGraph& groups) {
  Supernodes best = findSupernodes(groups, fillReducingOrder(groups.graph));
  std::vector<int> weight(groups.size());
  for (int i = 0; i < groups.size(); ++i) weight[i] = groups.weight(i);
  Supernodes dissected = findSupernodes(groups, nestedDissection(groups.graph, weight));
  return total(SparseLdlt::modeledCosts(dissected)) < total(SparseLdlt::modeledCosts(best)) ? dissected : best;
}

/// Natural, folded or reverse Cuthill-McKee, whichever gives the cheapest band; the natural order wins a tie because it
/// needs no permutation of vectors.
BandChoice chooseBand(const Graph& graph, const CompressedGraph& groups) {
  BandChoice best{{}, halfBandwidth(graph, {})};
  for (auto& order : {foldOrder(graph.size()), expandOrder(groups, reverseCuthillMcKee(groups.graph))}) {
    const int band = halfBandwidth(graph, order);
    if (bandCost(graph.size(), band) < bandCost(graph.size(), best.halfBandwidth)) best = {order, band};
  }
  return best;
}

std::unique_ptr<LinearSolver> buildBand(const Graph& graph, BandChoice choice) {
  return std::make_unique<BandLdlt>(graph.size(), choice.halfBandwidth, std::move(choice.order));
}

}  // namespace

std::unique_ptr<LinearSolver> makeBandSolver(int size, std::span<const std::array<int, 2>> pattern) {
  const Graph graph = buildGraph(size, pattern);
  return buildBand(graph, chooseBand(graph, compress(graph)));
}

std::unique_ptr<LinearSolver> makeSparseSolver(int size, std::span<const std::array<int, 2>> pattern) {
  const Graph graph = buildGraph(size, pattern);
  return std::make_unique<SparseLdlt>(graph, choosePanels(compress(graph)));
}

std::unique_ptr<LinearSolver> makeLinearSolver(int size, std::span<const std::array<int, 2>> pattern) {
  const Graph graph = buildGraph(size, pattern);
  const CompressedGraph groups = compress(graph);
  BandChoice band = chooseBand(graph, groups);
  const bool bandFits = (band.halfBandwidth + 1.0) * size < std::numeric_limits<int>::max();
  // A band this narrow is always best; analyzing the alternative is not worth the time.
  if (band.halfBandwidth <= 12) return buildBand(graph, std::move(band));
  Supernodes panels = choosePanels(groups);
  if (bandFits && bandCost(size, band.halfBandwidth) <= total(SparseLdlt::modeledCosts(panels)))
    return buildBand(graph, std::move(band));
  return std::make_unique<SparseLdlt>(graph, std::move(panels));
}

}  // namespace tendril::solve
