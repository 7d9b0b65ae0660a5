// What contact costs by parts: the search for near pairs in a pile of 1,000 to 50,000 edges, whose time per edge must
// hardly grow, the neighbors that are excluded once, one pair's distance with its Hessian, and one pair's way without
// a crossing. Shares of a whole step are in contact_shares_bench.cpp.
#include <benchmark/benchmark.h>

#include <cmath>
#include <memory>

#include "contact/pair_search.h"
#include "contact/point_triangle.h"
#include "contact/segment_distance.h"
#include "contact/sweep.h"
#include "geometry/random.h"

namespace {

using namespace tendril;

constexpr double radius = 2e-3, edgeLength = 1e-2, reach = 5e-4;

double reachOf(int, int) { return reach; }
constexpr int edgesOfRod = 20;

Vec3 direction(geometry::SplitMix& random) {
  for (;;) {
    const double x = random.uniform(-1, 1), y = random.uniform(-1, 1), z = random.uniform(-1, 1);
    const Vec3 v(x, y, z);
    if (v.squaredNorm() > 1e-4 && v.squaredNorm() <= 1) return v.normalized();
  }
}

/// Back into [0, side] as if walls reflected it.
double folded(double x, double side) {
  const double rest = std::fmod(std::abs(x), 2 * side);
  return rest > side ? 2 * side - rest : rest;
}

/// Rods of 20 edges at random in a cube of which they fill a third, folded back at its walls, so that it is as dense
/// with a thousand edges as with many.
struct Pile {
  contact::ContactMesh mesh;
  std::vector<Vec3> nodes;

  explicit Pile(int edges) {
    geometry::SplitMix random(7);
    const double side = std::cbrt(3 * edges * EIGEN_PI * radius * radius * edgeLength);
    for (int rod = 0; rod * edgesOfRod < edges; ++rod) {
      const double x = random.uniform(0, side), y = random.uniform(0, side), z = random.uniform(0, side);
      const Vec3 start(x, y, z);
      const Vec3 along = direction(random);
      for (int k = 0; k <= edgesOfRod; ++k) {
        const int node = static_cast<int>(nodes.size());
        mesh.points.push_back({node, rod, radius, edgeLength});
        if (k > 0) mesh.edges.push_back({{node - 1, node}, rod, radius, edgeLength});
        nodes.push_back((start + k * edgeLength * along).unaryExpr([&](double v) { return folded(v, side); }));
      }
    }
  }
};

void sizes(benchmark::internal::Benchmark* b) {
  b->Arg(1000)->Arg(5000)->Arg(20000)->Arg(50000)->Unit(benchmark::kMillisecond);
}

void perEdge(benchmark::State& state, std::size_t pairs) {
  state.counters["s/edge"] = benchmark::Counter(
      static_cast<double>(state.range(0)), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  state.counters["pairs/edge"] = static_cast<double>(pairs) / static_cast<double>(state.range(0));
}

// Boxes, overlaps, exclusions and the distance of what overlaps, warm, as a step does it when something moved too far.
void nearPairs(benchmark::State& state) {
  const Pile pile(static_cast<int>(state.range(0)));
  contact::PairSearch search(pile.mesh, pile.nodes, reachOf);
  const contact::PairSearch::Among all = contact::PairSearch::everything(pile.mesh);
  std::vector<contact::ContactPair> pairs;
  search.near(all, pile.nodes, reach + radius, pairs);
  for (auto _ : state) {
    search.near(all, pile.nodes, reach + radius, pairs);
    benchmark::DoNotOptimize(pairs.data());
  }
  perEdge(state, pairs.size());
}
BENCHMARK(nearPairs)->Apply(sizes);

// The grid alone.
void boxOverlaps(benchmark::State& state) {
  const Pile pile(static_cast<int>(state.range(0)));
  std::vector<contact::Box> boxes;
  for (const contact::ContactMesh::Edge& e : pile.mesh.edges) {
    const Vec3 &a = pile.nodes[e.nodes[0]], &b = pile.nodes[e.nodes[1]],
               wide = Vec3::Constant(radius + 0.5 * (reach + radius));
    boxes.push_back({a.cwiseMin(b) - wide, a.cwiseMax(b) + wide});
  }
  contact::BroadPhase broad;
  std::vector<std::array<int, 2>> pairs;
  broad.find(boxes, pairs);
  for (auto _ : state) {
    broad.find(boxes, pairs);
    benchmark::DoNotOptimize(pairs.data());
  }
  perEdge(state, pairs.size());
}
BENCHMARK(boxOverlaps)->Apply(sizes);

// What a moving pile is searched for before an update too long for the pairs at hand.
void sweptPairs(benchmark::State& state) {
  const Pile pile(static_cast<int>(state.range(0)));
  contact::PairSearch search(pile.mesh, pile.nodes, reachOf);
  const contact::PairSearch::Among all = contact::PairSearch::everything(pile.mesh);
  geometry::SplitMix random(3);
  std::vector<Vec3> move;
  for (std::size_t i = 0; i < pile.nodes.size(); ++i) move.push_back(radius * direction(random));
  std::vector<contact::ContactPair> pairs;
  search.swept(all, pile.nodes, move, pairs);
  for (auto _ : state) {
    search.swept(all, pile.nodes, move, pairs);
    benchmark::DoNotOptimize(pairs.data());
  }
  perEdge(state, pairs.size());
}
BENCHMARK(sweptPairs)->Apply(sizes);

// Once per scene, and again when a radius changes.
void excludedNeighbors(benchmark::State& state) {
  const Pile pile(static_cast<int>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(std::make_unique<contact::PairSearch>(pile.mesh, pile.nodes, reachOf));
  perEdge(state, 0);
}
BENCHMARK(excludedNeighbors)->Apply(sizes);

using Corners = std::array<Vec3, 4>;

/// Pairs about two radii apart: every case of two edges, one in four parallel; or a point over, beside or past a
/// corner.
std::vector<Corners> places(contact::ContactPair::Kind kind) {
  geometry::SplitMix random(11);
  std::vector<Corners> out;
  for (int n = 0; n < 1024; ++n) {
    const Vec3 a = direction(random), b = n % 4 == 0 ? a : direction(random), apart = 2 * radius * a.unitOrthogonal();
    const Vec3 p = edgeLength * random.uniform(-0.5, 0) * a, q = edgeLength * random.uniform(-0.8, 0) * b + apart;
    if (kind == contact::ContactPair::Kind::edges) {
      out.push_back({p, p + edgeLength * a, q, q + edgeLength * b});
    } else {
      out.push_back({p, q, q + edgeLength * b, q + edgeLength * direction(random)});
    }
  }
  return out;
}

/// One call of `work` an iteration, over all the places in turn.
template <class Work>
void overPlaces(benchmark::State& state, contact::ContactPair::Kind kind, Work work) {
  const std::vector<Corners> all = places(kind);
  std::size_t n = 0;
  for (auto _ : state) {
    work(all[n]);
    n = (n + 1) % all.size();
  }
}

constexpr double length2 = edgeLength * edgeLength;

void edgesDistance(benchmark::State& state) {
  overPlaces(state, contact::ContactPair::Kind::edges, [](const Corners& x) {
    benchmark::DoNotOptimize(contact::segmentDistance(x[0], x[1], x[2], x[3], length2, length2));
  });
}
BENCHMARK(edgesDistance);

void edgesHessian(benchmark::State& state) {
  overPlaces(state, contact::ContactPair::Kind::edges, [](const Corners& x) {
    const contact::SegmentDistance d = contact::segmentDistance(x[0], x[1], x[2], x[3], length2, length2);
    benchmark::DoNotOptimize(contact::segmentHessian(d, x[0], x[1], x[2], x[3], length2, length2));
  });
}
BENCHMARK(edgesHessian);

void pointTriangleDistances(benchmark::State& state) {
  overPlaces(state, contact::ContactPair::Kind::pointTriangle, [](const Corners& x) {
    benchmark::DoNotOptimize(contact::pointTriangleDistance(x[0], x[1], x[2], x[3]));
  });
}
BENCHMARK(pointTriangleDistances);

void pointTriangleHessians(benchmark::State& state) {
  overPlaces(state, contact::ContactPair::Kind::pointTriangle, [](const Corners& x) {
    const contact::PointTriangleDistance d = contact::pointTriangleDistance(x[0], x[1], x[2], x[3]);
    benchmark::DoNotOptimize(contact::pointTriangleHessian(d, x[1], x[2], x[3]));
  });
}
BENCHMARK(pointTriangleHessians);

// Ends that move by half a radius each: most pairs need an advance or two.
void edgesWithoutCrossing(benchmark::State& state) {
  geometry::SplitMix random(5);
  Corners move;
  for (Vec3& m : move) m = 0.5 * radius * direction(random);
  overPlaces(state, contact::ContactPair::Kind::edges, [&](const Corners& x) {
    benchmark::DoNotOptimize(contact::longestStep(contact::ContactPair::Kind::edges, x, move, 0.1 * radius));
  });
}
BENCHMARK(edgesWithoutCrossing);

}  // namespace
