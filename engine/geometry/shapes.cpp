// Path shapes of rods as points (shapes.h). Analytic where there is a formula; a parametric curve is measured by
// extrapolated chord sums and differentiated by polynomial interpolation.
#include "geometry/shapes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

namespace tendril::geometry {
namespace {

using Curve = std::function<Vec3(double)>;

std::string format(const char* pattern, double a, double b = 0) {
  std::array<char, 200> text;
  std::snprintf(text.data(), text.size(), pattern, a, b);
  return text.data();
}

/// Distance from the axis, and the frame that rotates with the angle: e1 toward `from`, e2 = axis x e1.
struct AxisFrame {
  Vec3 axis, foot, e1, e2;
  double radius = 0;
};

std::variant<AxisFrame, std::string> axisFrame(const Vec3& center, const Vec3& from, const Vec3& axis) {
  if (!(axis.norm() > 0)) return std::string("the axis has length 0; expected a direction");
  AxisFrame frame;
  frame.axis = axis.normalized();
  frame.foot = center + frame.axis * frame.axis.dot(from - center);
  const Vec3 arm = from - frame.foot;
  frame.radius = arm.norm();
  if (!(frame.radius > 1e-12 * (from - center).norm()) || frame.radius == 0)
    return std::string("\"from\" lies on the axis through \"center\"; expected a point at some distance from it");
  frame.e1 = arm / frame.radius;
  frame.e2 = frame.axis.cross(frame.e1);
  return frame;
}

// Arc length of a curve.

/// Arc length of the curve over [a, b]: chord sums over 1, 2, 4, ... pieces, whose errors are even powers of the piece
/// length, extrapolated (Romberg).
double arcLength(const Curve& curve, double a, double b, const Vec3& ra, const Vec3& rb) {
  constexpr int levels = 11;
  std::vector<Vec3> points = {ra, rb};
  std::array<double, levels> row{}, previous{};
  row[0] = (rb - ra).norm();
  for (int level = 1; level < levels; ++level) {
    std::vector<Vec3> finer;
    finer.reserve(2 * points.size() - 1);
    const double step = (b - a) / double(points.size() - 1);
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
      finer.push_back(points[i]);
      finer.push_back(curve(a + (double(i) + 0.5) * step));
    }
    finer.push_back(points.back());
    points.swap(finer);
    previous = row;
    row[0] = 0;
    for (std::size_t i = 0; i + 1 < points.size(); ++i) row[0] += (points[i + 1] - points[i]).norm();
    double power = 1;
    for (int k = 1; k <= level; ++k) {
      power *= 4;
      row[k] = row[k - 1] + (row[k - 1] - previous[k - 1]) / (power - 1);
    }
    if (level >= 2 && std::abs(row[level] - previous[level - 1]) <= 1e-13 * row[level]) return row[level];
  }
  return row[0];  // not smooth here: the finest chord sum is safer than its extrapolation
}

/// The curve divided into panels with their arc lengths, so that the length at any u is a short computation.
class MeasuredCurve {
 public:
  MeasuredCurve(const Curve& curve, int panels) : curve_(curve) {
    for (int p = 0; p <= panels; ++p) {
      u_.push_back(double(p) / panels);
      r_.push_back(curve_(u_.back()));
      s_.push_back(p == 0 ? 0 : s_.back() + arcLength(curve_, u_[p - 1], u_[p], r_[p - 1], r_[p]));
    }
  }

  double length() const { return s_.back(); }

  /// u where the arc length is s: safeguarded Newton within one panel.
  double parameterAt(double s) const {
    const auto above = std::upper_bound(s_.begin() + 1, s_.end() - 1, s);
    const std::size_t p = std::size_t(above - s_.begin()) - 1;
    double low = u_[p], high = u_[p + 1];
    const double panel = s_[p + 1] - s_[p];
    if (!(panel > 0)) return low;
    double u = low + (high - low) * std::clamp((s - s_[p]) / panel, 0.0, 1.0);
    for (int iteration = 0; iteration < 60; ++iteration) {
      const Vec3 r = curve_(u);
      const double error = s_[p] + arcLength(curve_, u_[p], u, r_[p], r) - s;
      if (std::abs(error) <= 1e-13 * length()) break;
      (error > 0 ? high : low) = u;
      const double h = 1e-3 * (u_[p + 1] - u_[p]);
      const double a = std::max(u - h, u_[p]), b = std::min(u + h, u_[p + 1]);
      const double slope = (curve_(b) - curve_(a)).norm() / (b - a);
      double next = u - error / slope;
      if (!(next > low && next < high)) next = 0.5 * (low + high);
      if (next == u) break;
      u = next;
    }
    return u;
  }

 private:
  const Curve& curve_;
  std::vector<double> u_, s_;
  std::vector<Vec3> r_;
};

// Tangent of a curve.

constexpr int stencil = 9;

/// Derivative at u of the polynomial through `stencil` Chebyshev points of [a, b]: barycentric Lagrange weights.
Vec3 derivativeInWindow(const Curve& curve, double u, double a, double b) {
  std::array<double, stencil> x;
  std::array<Vec3, stencil> r;
  for (int i = 0; i < stencil; ++i) {
    x[i] = 0.5 * (a + b) - 0.5 * (b - a) * std::cos(pi * i / (stencil - 1));
    x[i] = std::clamp(x[i], 0.0, 1.0);
    r[i] = curve(x[i]);
  }
  // d/du of the Lagrange basis l_i at u, as a sum over the factor that is differentiated.
  Vec3 derivative = Vec3::Zero();
  for (int i = 0; i < stencil; ++i) {
    double weight = 0;
    for (int k = 0; k < stencil; ++k) {
      if (k == i) continue;
      double product = 1 / (x[i] - x[k]);
      for (int j = 0; j < stencil; ++j)
        if (j != i && j != k) product *= (u - x[j]) / (x[i] - x[j]);
      weight += product;
    }
    derivative += weight * (r[i] - r[stencil / 2]);  // weights sum to zero: smaller numbers, less round-off
  }
  return derivative;
}

/// Unit tangent at u: derivatives in shrinking windows, the one that agrees best with its predecessor.
Vec3 curveTangent(const Curve& curve, double u, double length) {
  Vec3 best = Vec3::Zero(), previous = Vec3::Zero();
  double smallest = std::numeric_limits<double>::infinity();
  double width = 0.16;
  for (int i = 0; i < 9; ++i, width /= 2.5) {
    const double a = std::clamp(u - 0.5 * width, 0.0, 1.0 - width);
    const Vec3 derivative = derivativeInWindow(curve, u, a, a + width);
    const double difference = (derivative - previous).norm();
    if (i > 0 && difference < smallest) {
      smallest = difference;
      best = derivative;
    }
    previous = derivative;
  }
  if (best.norm() > 1e-6 * length) return best.normalized();
  // The parametrization is stationary here (r' = 0): use the direction of a short chord.
  const double a = std::max(u - 1e-4, 0.0), b = std::min(u + 1e-4, 1.0);
  const Vec3 chord = curve(b) - curve(a);
  return chord.norm() > 0 ? Vec3(chord.normalized()) : Vec3(Vec3::Zero());
}

// Checks.

/// `v` rotated about the axis t0 x t1 by `fraction` of the angle from t0 to t1.
Vec3 turnedBy(const Vec3& v, const Vec3& t0, const Vec3& t1, double fraction) {
  const Vec3 axis = t0.cross(t1);
  const double sine = axis.norm();
  if (sine < 1e-300) return v;
  const double angle = fraction * std::atan2(sine, t0.dot(t1));
  return Eigen::AngleAxisd(angle, axis / sine) * v;
}

std::string nodesMeet(std::size_t i) {
  return "nodes " + std::to_string(i) + " and " + std::to_string(i + 1) + " are at the same position";
}

/// Why these nodes are not a valid rod, or "".
std::string faultOf(const std::vector<Vec3>& points) {
  double length = 0;
  for (std::size_t i = 0; i + 1 < points.size(); ++i) length += (points[i + 1] - points[i]).norm();
  for (const Vec3& point : points)
    if (!point.allFinite()) return "a point is not finite";
  if (!(length > 0) || !std::isfinite(length)) return "the path has length 0; expected points at different positions";
  const double shortest = 1e-12 * length;
  Vec3 before = Vec3::Zero();
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    const Vec3 edge = points[i + 1] - points[i];
    if (!(edge.norm() > shortest)) return nodesMeet(i);
    const Vec3 tangent = edge.normalized();
    if (i > 0 && before.dot(tangent) < 0 && before.cross(tangent).norm() < 1e-6)
      return "the path turns back on itself (by 180 degrees) at node " + std::to_string(i) +
             "; expected a smaller turning, by more segments or other points";
    before = tangent;
  }
  return "";
}

ShapeResult checked(Shape shape) {
  std::string fault = faultOf(shape.points);
  if (!fault.empty()) return fault;
  return shape;
}

}  // namespace

ShapeResult lineShape(const Vec3& from, const Vec3& to, int segments) {
  const Vec3 span = to - from;
  if (!(span.norm() > 0)) return std::string("\"from\" and \"to\" are the same point; expected a line of some length");
  Shape shape;
  for (int i = 0; i <= segments; ++i) shape.points.push_back(from + span * (double(i) / segments));
  shape.points.back() = to;
  shape.tangents.assign(shape.points.size(), span.normalized());
  return checked(std::move(shape));
}

ShapeResult arcShape(const Vec3& center, const Vec3& from, const Vec3& axis, double angle, int segments) {
  auto result = axisFrame(center, from, axis);
  if (auto* fault = std::get_if<std::string>(&result)) return *fault;
  const AxisFrame& frame = std::get<AxisFrame>(result);
  if (angle == 0) return std::string("the angle is 0; expected an arc of some length");
  if (!(std::abs(angle) / segments < pi * (1 - 1e-6)))
    return format("each segment spans %.3g rad; expected less than pi: give more segments", std::abs(angle) / segments);
  Shape shape;
  for (int i = 0; i <= segments; ++i) {
    const double phi = angle * (double(i) / segments);
    const double c = std::cos(phi), s = std::sin(phi);
    shape.points.push_back(i == 0 ? from : Vec3(frame.foot + frame.radius * (c * frame.e1 + s * frame.e2)));
    shape.tangents.push_back((angle > 0 ? 1.0 : -1.0) * (c * frame.e2 - s * frame.e1));
  }
  return checked(std::move(shape));
}

ShapeResult helixShape(const Vec3& from, const Vec3& axis, const Vec3& center, double pitch, double length,
                       int segments) {
  auto result = axisFrame(center, from, axis);
  if (auto* fault = std::get_if<std::string>(&result)) return *fault;
  const AxisFrame& frame = std::get<AxisFrame>(result);
  if (!(length > 0)) return format("the length is %g; expected a number greater than 0", length);
  const double rise = std::abs(pitch) / (2 * pi);  // per radian
  const double speed = std::hypot(frame.radius, rise);
  const double hand = pitch < 0 ? -1 : 1;
  const double total = length / speed;
  if (!(total / segments < pi * (1 - 1e-6)))
    return format("each segment spans %.3g rad of the helix; expected less than pi: give more segments",
                  total / segments);
  Shape shape;
  for (int i = 0; i <= segments; ++i) {
    const double phi = total * (double(i) / segments);
    const double c = std::cos(phi), s = hand * std::sin(phi);
    const Vec3 point = frame.foot + frame.radius * (c * frame.e1 + s * frame.e2) + rise * phi * frame.axis;
    shape.points.push_back(i == 0 ? from : point);
    const Vec3 around = hand * frame.radius * (c * frame.e2 - s * frame.e1);
    shape.tangents.push_back(((around + rise * frame.axis) / speed).normalized());
  }
  return checked(std::move(shape));
}

ShapeResult curveShape(const std::function<Vec3(double)>& curve, int segments) {
  const MeasuredCurve measured(curve, std::max(64, 2 * segments));
  const double length = measured.length();
  if (!std::isfinite(length) || !(length > 0))
    return std::string("the curve has length 0; expected x, y, z that vary with u");
  std::vector<double> parameters;
  Shape shape;
  for (int i = 0; i <= segments; ++i) {
    const double s = length * (double(i) / segments);
    parameters.push_back(i == 0 ? 0 : i == segments ? 1 : measured.parameterAt(s));
    shape.points.push_back(curve(parameters.back()));
  }
  const std::string fault = faultOf(shape.points);
  if (!fault.empty()) return fault;
  for (const double u : parameters) {
    shape.tangents.push_back(curveTangent(curve, u, length));
    if (!(shape.tangents.back().norm() > 0.5)) return format("the curve has no tangent at u = %g", u);
  }
  return shape;
}

ShapeResult pointsShape(std::vector<Vec3> points) {
  if (points.size() < 2) return std::string("a rod needs at least two points");
  const std::string fault = faultOf(points);
  if (!fault.empty()) return fault;
  const std::size_t edges = points.size() - 1;
  const auto edge = [&points](std::size_t e) { return Vec3((points[e + 1] - points[e]).normalized()); };
  Shape shape;
  shape.tangents.resize(points.size());
  for (std::size_t i = 1; i < edges; ++i) shape.tangents[i] = (edge(i - 1) + edge(i)).normalized();
  const Vec3 first = edge(0), last = edge(edges - 1);
  shape.tangents.front() = edges > 1 ? turnedBy(first, first, edge(1), -0.5) : first;
  shape.tangents.back() = edges > 1 ? turnedBy(last, edge(edges - 2), last, 0.5) : last;
  shape.points = std::move(points);
  return shape;
}

}  // namespace tendril::geometry
