// Points are placed at random around each existing point in turn and kept where no other is closer than the desired
// size allows (Bridson 2007), until nothing more fits; Delaunay connects them to triangles. Only + - * / and roots are
// used, so that every machine makes the same mesh.
#include "geometry/mesh_scatter.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "geometry/delaunay.h"
#include "geometry/random.h"

namespace tendril::geometry {

namespace {

using SizeField = std::function<double(const Vec2&)>;  ///< desired edge length [m] at a point

constexpr double spacing = 0.71;  ///< smallest distance over the desired edge: edges then have the desired mean length
constexpr int throws = 30;        ///< attempts around each point before giving up
constexpr double smallestSine = 0.16;  ///< of angles in uneven meshes: 9.2 degrees

double clamped(double value, double low, double high) { return std::min(std::max(value, low), high); }

/// Both components uniform in [-most, most); x is drawn first, because the compiler may choose the order of arguments.
Vec2 randomStep(SplitMix& random, double most) {
  const double x = random.uniform(-most, most);
  const double y = random.uniform(-most, most);
  return Vec2(x, y);
}

/// Points in a grid of cells, for finding the nearest ones.
class Buckets {
 public:
  Buckets(const Vec2& size, double cell, double mostCells = 2e6)
      : cell_(std::max(cell, std::sqrt(size.x() * size.y() / mostCells))),
        columns_(static_cast<int>(size.x() / cell_) + 1),
        rows_(static_cast<int>(size.y() / cell_) + 1),
        cells_(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_)) {}

  void add(const Vec2& p) { cells_[index(column(p.x()), row(p.y()))].push_back(p); }

  bool anyWithin(const Vec2& p, double distance) const {
    for (int r = row(p.y() - distance); r <= row(p.y() + distance); ++r)
      for (int c = column(p.x() - distance); c <= column(p.x() + distance); ++c)
        for (const Vec2& q : cells_[index(c, r)])
          if ((q - p).squaredNorm() < distance * distance) return true;
    return false;
  }

 private:
  int column(double x) const { return static_cast<int>(clamped(x / cell_, 0, columns_ - 1)); }
  int row(double y) const { return static_cast<int>(clamped(y / cell_, 0, rows_ - 1)); }
  std::size_t index(int column, int row) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) + static_cast<std::size_t>(column);
  }

  double cell_;
  int columns_, rows_;
  std::vector<std::vector<Vec2>> cells_;
};

/// Fractions 0 = f0 < f1 < ... < 1 along the side from `from` to `to`, without the last; spaced by the field times 1 -
/// jitter to 1 + jitter.
std::vector<double> unevenFractions(const Vec2& from, const Vec2& to, const SizeField& edge, double jitter,
                                    SplitMix& random) {
  const double length = (to - from).norm();
  std::vector<double> at = {0};
  while (at.back() < length) {
    const Vec2 here = from + (to - from) * (at.back() / length);
    at.push_back(at.back() + edge(here) * random.uniform(1 - jitter, 1 + jitter));
  }
  // The last step passes the end: omit it where most of it does.
  if (at.size() > 2 && at.back() - length > 0.5 * (at.back() - at[at.size() - 2])) at.pop_back();
  const double reached = at.back();
  at.pop_back();
  for (double& a : at) a /= reached;
  return at;
}

/// Points along the four sides, counter-clockwise from (0, 0); `fractions` gives those of a side, from 0 on, without 1.
template <typename Fractions>
std::vector<Vec2> borderPoints(const Vec2& size, const Fractions& fractions) {
  const Vec2 corners[4] = {Vec2(0, 0), Vec2(size.x(), 0), size, Vec2(0, size.y())};
  std::vector<Vec2> points;
  for (std::size_t k = 0; k < 4; ++k) {
    const Vec2 &from = corners[k], &to = corners[(k + 1) % 4];
    for (const double f : fractions(from, to)) points.push_back(from + (to - from) * f);
  }
  return points;
}

std::vector<double> evenFractions(const Vec2& from, const Vec2& to, double edge) {
  std::vector<double> fractions(static_cast<std::size_t>(std::max(1.0, std::floor((to - from).norm() / edge + 0.5))));
  for (std::size_t i = 0; i < fractions.size(); ++i)
    fractions[i] = static_cast<double>(i) / static_cast<double>(fractions.size());
  return fractions;
}

/// Fills the rectangle between the given points; `smallest` is the minimum of the field.
void throwPoints(const Vec2& size, const SizeField& edge, double smallest, SplitMix& random,
                 std::vector<Vec2>& points) {
  Buckets buckets(size, spacing * smallest);
  for (const Vec2& p : points) buckets.add(p);
  for (std::size_t head = 0; head < points.size(); ++head) {
    const Vec2 around = points[head];
    const double reach = spacing * edge(around);
    for (int k = 0; k < throws; ++k) {
      const Vec2 step = randomStep(random, 2);
      const double far = step.squaredNorm();
      if (far < 1 || far > 4) continue;
      const Vec2 p = around + reach * step;
      const double apart = spacing * edge(p),
                   gap = 0.5 * apart;  // the gap keeps triangles at the border from being flat
      if (p.x() < gap || p.y() < gap || p.x() > size.x() - gap || p.y() > size.y() - gap) continue;
      if (buckets.anyWithin(p, apart)) continue;
      buckets.add(p);
      points.push_back(p);
    }
  }
}

/// Sine of the triangle's smallest angle.
double leastSine(const std::vector<Vec2>& points, const std::array<int, 3>& triangle) {
  const Vec2 a = points[static_cast<std::size_t>(triangle[1])] - points[static_cast<std::size_t>(triangle[0])];
  const Vec2 b = points[static_cast<std::size_t>(triangle[2])] - points[static_cast<std::size_t>(triangle[0])];
  const double doubled = a.x() * b.y() - a.y() * b.x();
  const double p = a.norm(), q = b.norm(), r = (b - a).norm();
  const double longest = std::max({p, q, r}), second = std::max(std::min(p, q), std::min(std::max(p, q), r));
  return doubled / (second * longest);
}

}  // namespace

PlaneMesh scatteredMesh(const Vec2& size, double edge) {
  PlaneMesh mesh;
  SplitMix random(2);
  mesh.points = borderPoints(size, [edge](const Vec2& from, const Vec2& to) { return evenFractions(from, to, edge); });
  throwPoints(
      size, [edge](const Vec2&) { return edge; }, edge, random, mesh.points);
  mesh.triangles = delaunay(mesh.points);
  return mesh;
}

PlaneMesh unevenMesh(const Vec2& size, double edge) {
  // Two waves of fine and coarse along the first side, and coarser toward the opposite border.
  const SizeField field = [&size, edge](const Vec2& p) {
    const double u = clamped(p.x() / size.x(), 0, 1), v = clamped(p.y() / size.y(), 0, 1);
    const double phase = 2 * u - std::floor(2 * u), wave = 4 * phase * (1 - phase);
    return edge * (0.55 + 0.75 * wave * wave + 0.25 * v);
  };
  SplitMix random(3);
  const std::vector<Vec2> border = borderPoints(
      size, [&](const Vec2& from, const Vec2& to) { return unevenFractions(from, to, field, 0.3, random); });
  std::vector<Vec2> even = border;
  throwPoints(size, field, 0.55 * edge, random, even);
  PlaneMesh mesh;
  mesh.points = even;
  for (std::size_t k = border.size(); k < even.size(); ++k) {
    const double most = 0.45 * spacing * field(even[k]);
    Vec2& p = mesh.points[k];
    p += randomStep(random, most);
    const double gap = 0.6 * most;
    p = Vec2(clamped(p.x(), gap, size.x() - gap), clamped(p.y(), gap, size.y() - gap));
  }
  // Points of triangles that are too sharp move halfway back to their even positions, until none is too sharp.
  for (int round = 0;; ++round) {
    mesh.triangles = delaunay(mesh.points);
    std::vector<bool> back(mesh.points.size(), false);
    bool valid = true;
    for (const std::array<int, 3>& triangle : mesh.triangles) {
      if (leastSine(mesh.points, triangle) >= smallestSine) continue;
      for (const int v : triangle) back[static_cast<std::size_t>(v)] = true;
      valid = false;
    }
    if (valid || round == 12) return mesh;
    for (std::size_t k = border.size(); k < even.size(); ++k)
      if (back[k]) mesh.points[k] = 0.5 * (mesh.points[k] + even[k]);
  }
}

}  // namespace tendril::geometry
