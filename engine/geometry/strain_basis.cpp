#include "geometry/strain_basis.h"

#include <algorithm>
#include <cmath>

#include "geometry/sort_rows.h"
#include "geometry/types.h"

namespace tendril::geometry {
namespace {

// Interval between uniform nodes that contains X, and the position in it.
struct Cell {
  int index;
  double u;
};
Cell cellOf(int cells, double X) {
  const int i = std::clamp(static_cast<int>(X * cells), 0, cells - 1);
  return {i, X * cells - i};
}

void hermiteValues(int order, double X, std::span<double> out) {
  const int cells = (order + 1) / 2 - 1;
  const auto [i, u] = cellOf(cells, X);
  const double h = 1.0 / cells, v = 1 - u;
  std::fill(out.begin(), out.end(), 0.0);
  out[2 * i] = v * v * (1 + 2 * u), out[2 * i + 1] = h * u * v * v;
  out[2 * i + 2] = u * u * (1 + 2 * v), out[2 * i + 3] = -h * v * u * u;
}

}  // namespace

int basisSize(StrainBasis basis, int order) { return basis == StrainBasis::fourier ? 2 * order + 1 : order + 1; }

const char* basisProblem(StrainBasis basis, int order) {
  if (order < 0) return "an order is 0 or more";
  if (basis == StrainBasis::hermite && order > 0 && (order % 2 == 0 || order < 3)) {
    return "a hermite basis has value and slope at two nodes or more: its order is 0, 3, 5, 7 ...";
  }
  return "";
}

void basisValues(StrainBasis basis, int order, double X, std::span<double> out) {
  out[0] = 1;
  if (order == 0) return;
  const double x = 2 * X - 1;
  switch (basis) {
    case StrainBasis::monomial:
      for (int k = 1; k <= order; ++k) out[k] = X * out[k - 1];
      return;
    case StrainBasis::legendre:
      out[1] = x;
      for (int k = 2; k <= order; ++k) out[k] = ((2 * k - 1) * x * out[k - 1] - (k - 1) * out[k - 2]) / k;
      return;
    case StrainBasis::chebyshev:
      out[1] = x;
      for (int k = 2; k <= order; ++k) out[k] = 2 * x * out[k - 1] - out[k - 2];
      return;
    case StrainBasis::fourier:
      for (int k = 1; k <= order; ++k) out[2 * k - 1] = std::cos(2 * pi * k * X), out[2 * k] = std::sin(2 * pi * k * X);
      return;
    case StrainBasis::hermite:
      return hermiteValues(order, X, out);
    case StrainBasis::gaussian:
      for (int k = 0; k <= order; ++k) out[k] = std::exp(-0.5 * (X * order - k) * (X * order - k));
      return;
    case StrainBasis::inverseMultiquadric:
      for (int k = 0; k <= order; ++k) out[k] = 1 / std::sqrt(1 + (X * order - k) * (X * order - k));
      return;
    case StrainBasis::fem: {
      const auto [i, u] = cellOf(order, X);
      std::fill(out.begin(), out.end(), 0.0);
      out[i] = 1 - u, out[i + 1] = u;
      return;
    }
  }
}

namespace {

/// Positions of the kinks in the functions, including the ends, ascending.
std::vector<double> elementEnds(StrainBasis basis, const std::vector<int>& orders) {
  std::vector<double> ends = {0, 1};
  for (const int order : orders) {
    int elements = 1;
    if (basis == StrainBasis::fem) elements = std::max(1, order);
    if (basis == StrainBasis::hermite) elements = std::max(1, (order - 1) / 2);
    for (int k = 1; k < elements; ++k) ends.push_back(static_cast<double>(k) / elements);
  }
  sortRows(ends);
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  return ends;
}

}  // namespace

Quadrature basisQuadrature(StrainBasis basis, const std::vector<int>& orders, int points) {
  const std::vector<double> ends = elementEnds(basis, orders);
  const int elements = static_cast<int>(ends.size()) - 1, least = elements > 1 ? 2 : 1;
  const Quadrature gauss = gaussLegendre(std::max(least, (points + elements - 1) / elements));
  Quadrature out;
  for (int e = 0; e < elements; ++e) {
    const double from = ends[e], size = ends[e + 1] - from;
    for (std::size_t i = 0; i < gauss.points.size(); ++i) {
      out.points.push_back(from + size * gauss.points[i]), out.weights.push_back(size * gauss.weights[i]);
    }
    out.points.push_back(ends[e + 1]), out.weights.push_back(0);
  }
  return out;
}

}  // namespace tendril::geometry
