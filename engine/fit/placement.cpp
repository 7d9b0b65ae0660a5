#include "fit/placement.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/frames.h"
#include "geometry/se3.h"

namespace tendril::fit {

namespace {

constexpr double onALine = 1e-6;  // height of a triangle over its longest side: errors grow by the inverse

double cross(const Vec2& a, const Vec2& b) { return a.x() * b.y() - a.y() * b.x(); }

/// Coordinates in a triangle: 1 at one corner and 0 at the others, and linear between (barycentric).
struct Triangle {
  std::array<Vec2, 3> slopes;  // d coordinate / d point, constant
  Vec2 first;

  explicit Triangle(const Corners& points) : first(points[0]) {
    const Vec2 u = points[1] - points[0], v = points[2] - points[0];
    const double area = cross(u, v);
    slopes[1] = Vec2(v.y(), -v.x()) / area;
    slopes[2] = Vec2(-u.y(), u.x()) / area;
    slopes[0] = -slopes[1] - slopes[2];
  }
  Vec3 coordinates(const Vec2& point) const {
    const Vec2 from = point - first;
    const double b1 = slopes[1].dot(from), b2 = slopes[2].dot(from);
    return {1 - b1 - b2, b1, b2};
  }
};

double heightOver(const Vec2& a, const Vec2& b, const Vec2& c, double& longest) {
  longest = std::max({(b - a).norm(), (c - b).norm(), (a - c).norm()});
  return longest > 0 ? std::abs(cross(b - a, c - a)) / longest : 0;
}

/// The three of four points that lie on a line, as words; empty: none do.
std::string lineIn(const Corners& points, const char* where) {
  for (std::size_t left = 4; left-- > 0;) {
    std::array<std::size_t, 3> of{};
    for (std::size_t k = 0, n = 0; k < 4; ++k)
      if (k != left) of[n++] = k;
    double longest = 0;
    const double height = heightOver(points[of[0]], points[of[1]], points[of[2]], longest);
    // Not: height <= ..., so that what is not finite is refused, too.
    if (height > onALine * longest) continue;
    return "points " + std::to_string(of[0]) + ", " + std::to_string(of[1]) + " and " + std::to_string(of[2]) +
           " lie on a line " + where;
  }
  return {};
}

/// How the fourth corner lies in the triangle of the others, in the image over in the plane: the weights that make a
/// projective map of an affine one. All are positive where the four are on one side of the horizon.
Vec3 weightsOf(const Triangle& plane, const Triangle& image, const Corners& corners, const Corners& seen) {
  return image.coordinates(seen[3]).cwiseQuotient(plane.coordinates(corners[3]));
}

Sighting tracked(ConstVectorRef numbers, const Vec3& point) {
  Vec<6> twist = Vec<6>::Zero();
  twist.head<3>() = numbers.head<3>();
  const geometry::TangentOperator tangent(twist);
  const Vec3 rotated = tangent.exponential().R * point, placed = rotated + numbers.segment<3>(3);
  const double scale = numbers[6];
  Sighting out;
  out.at = scale * placed;
  out.byPoint = scale * tangent.exponential().R;
  out.byNumbers.resize(3, 7);
  // d (R p) = (V d rotation) x (R p), with V the tangent operator.
  out.byNumbers.leftCols<3>() = -scale * geometry::skew(rotated) * tangent.matrix().topLeftCorner<3, 3>();
  out.byNumbers.middleCols<3>(3) = scale * Mat3::Identity();
  out.byNumbers.col(6) = placed;
  return out;
}

/// With b the coordinates of the point in the plane's triangle, its image is the mean of the corners' images with the
/// weights w_i = b_i l_i / m_i, where l and m are the coordinates of the fourth corner in the image and in the plane:
/// it takes each corner to its image, and lines to lines.
Sighting filmed(const Placement& placement, ConstVectorRef numbers, const Vec3& point) {
  Sighting out;
  out.problem = flawOf(placement, numbers);
  if (!out.problem.empty()) return out;
  const Corners seen = imageOf(numbers);
  const Triangle plane(placement.corners), image(seen);
  const Vec3 share = plane.coordinates(placement.plane.coordinates(point)), fourth = image.coordinates(seen[3]),
             ratio = share.cwiseQuotient(plane.coordinates(placement.corners[3])), weights = fourth.cwiseProduct(ratio);
  const double sum = weights.sum();
  if (!(sum > 0)) {
    out.problem = "a point lies on the camera's horizon or beyond it";
    return out;
  }
  Vec2 at = Vec2::Zero();
  for (int i = 0; i < 3; ++i) at += weights[i] / sum * seen[std::size_t(i)];
  out.at.head<2>() = at;
  out.byNumbers = Mat<3, Eigen::Dynamic>::Zero(3, 8);
  const Vec3 factor = weightsOf(plane, image, placement.corners, seen);
  for (int i = 0; i < 3; ++i) {
    const std::size_t k = std::size_t(i);
    const Vec2 arm = (seen[k] - at) / sum;
    const Vec3 along = plane.slopes[k].x() * placement.plane.x + plane.slopes[k].y() * placement.plane.y;
    out.byPoint.topRows<2>() += factor[i] * arm * along.transpose();
    // By the corners' images: as places to average, and through the coordinates of the fourth, which grow along their
    // slopes with it and fall with what it is measured by.
    out.byNumbers.block<2, 2>(0, 2 * i) += weights[i] / sum * Mat<2>::Identity();
    for (int j = 0; j < 4; ++j)
      out.byNumbers.block<2, 2>(0, 2 * j) += (j == 3 ? 1 : -fourth[j]) * ratio[i] * arm * image.slopes[k].transpose();
  }
  return out;
}

}  // namespace

double ScenePlane::distance(const Vec3& point) const { return std::abs(x.cross(y).dot(point - origin)); }

Corners imageOf(ConstVectorRef numbers) {
  Corners out;
  for (int k = 0; k < 4; ++k) out[std::size_t(k)] = numbers.segment<2>(2 * k);
  return out;
}

double leastHeight(const Corners& points) {
  double least = infinity, longest = 0;
  for (std::size_t left = 0; left < 4; ++left)
    least =
        std::min(least, heightOver(points[(left + 1) % 4], points[(left + 2) % 4], points[(left + 3) % 4], longest));
  return least;
}

double sizeOf(const Corners& points) {
  double most = 0;
  for (const Vec2& a : points)
    for (const Vec2& b : points) most = std::max(most, (a - b).norm());
  return most;
}

std::string flawOf(const Placement& placement, ConstVectorRef numbers) {
  if (placement.kind == Placement::Kind::tracker) return numbers[6] > 0 ? "" : "the scale is not greater than 0";
  if (placement.kind != Placement::Kind::camera) return {};
  const Corners seen = imageOf(numbers);
  if (std::string line = lineIn(placement.corners, "in the plane"); !line.empty()) return line;
  if (std::string line = lineIn(seen, "in the image"); !line.empty()) return line;
  const Vec3 weights = weightsOf(Triangle(placement.corners), Triangle(seen), placement.corners, seen);
  return weights.minCoeff() > 0 ? "" : "no camera sees these four points so: some of them are behind it";
}

Sighting sightOf(const Placement& placement, ConstVectorRef numbers, const Vec3& point) {
  if (placement.kind == Placement::Kind::camera) return filmed(placement, numbers, point);
  if (placement.kind == Placement::Kind::tracker) return tracked(numbers, point);
  Sighting out;
  out.at = point, out.byPoint = Mat3::Identity();
  return out;
}

Mat3 homographyOf(const Placement& placement, ConstVectorRef numbers) {
  const Corners seen = imageOf(numbers);
  const Triangle plane(placement.corners), image(seen);
  const Vec3 weights = weightsOf(plane, image, placement.corners, seen), origin = plane.coordinates(Vec2::Zero());
  Mat3 H = Mat3::Zero();
  for (int i = 0; i < 3; ++i) {
    const Vec2 slope = plane.slopes[std::size_t(i)];
    const Vec3 place(seen[std::size_t(i)].x(), seen[std::size_t(i)].y(), 1);
    H += weights[i] * place * Vec3(slope.x(), slope.y(), origin[i]).transpose();
  }
  const double largest = H.cwiseAbs().maxCoeff();
  return H / (std::abs(H(2, 2)) > std::numeric_limits<double>::epsilon() * largest ? H(2, 2) : largest);
}

}  // namespace tendril::fit
