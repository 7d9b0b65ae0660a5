#include "contact/sweep.h"

#include "contact/point_triangle.h"

namespace tendril::contact {
namespace {

/// Bound on the speed of a point of one side relative to the other's: a convex combination of corner differences.
double relativeMove(ContactPair::Kind kind, const std::array<Vec3, 4>& dx) {
  const int first = kind == ContactPair::Kind::edges ? 2 : 1;
  double square = 0;
  for (int a = 0; a < first; ++a) {
    for (int b = first; b < 4; ++b) square = std::max(square, (dx[a] - dx[b]).squaredNorm());
  }
  return std::sqrt(square);
}

}  // namespace

double centeredistance(ContactPair::Kind kind, const std::array<Vec3, 4>& x) {
  if (kind == ContactPair::Kind::edges) return centerlineDistance(x[0], x[1], x[2], x[3]);
  return pointTriangleDistance(x[0], x[1], x[2], x[3]).distance;
}

namespace {

/// Fraction of the path on which the distance, initially `distance`, stays above `least`.
double advance(ContactPair::Kind kind, const std::array<Vec3, 4>& x, const std::array<Vec3, 4>& dx, double distance,
               double least) {
  constexpr int advances = 60;
  const double move = relativeMove(kind, dx);
  double alpha = 0;
  for (int k = 0; k < advances; ++k) {
    const double free = distance - least;
    if (alpha + free / move >= 1 || move == 0) return 1;
    // The advance is too short to matter: the bound is reached.
    if (k > 0 && free < 2e-3 * least) return alpha;
    alpha += free / move;
    distance =
        centeredistance(kind, {x[0] + alpha * dx[0], x[1] + alpha * dx[1], x[2] + alpha * dx[2], x[3] + alpha * dx[3]});
  }
  return alpha;
}

}  // namespace

double longestStep(ContactPair::Kind kind, const std::array<Vec3, 4>& x, const std::array<Vec3, 4>& dx, double floor) {
  const double distance = centeredistance(kind, x);
  return advance(kind, x, dx, distance, std::max((1 - sweepShare) * distance, std::min(floor, 0.98 * distance)));
}

bool staysApart(ContactPair::Kind kind, const std::array<Vec3, 4>& x, const std::array<Vec3, 4>& dx, double floor) {
  const double distance = centeredistance(kind, x);
  return advance(kind, x, dx, distance, std::min(floor, 0.98 * distance)) == 1;
}

}  // namespace tendril::contact
