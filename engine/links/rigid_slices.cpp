#include "links/rigid_slices.h"

#include <array>

#include "geometry/quadrature.h"

namespace tendril::links {
namespace {

constexpr double digits = 1e-9;  // of the whole: mass and moments of a part keep them when it is halved
constexpr int firstParts = 16;   // that all of the body is held against
constexpr int halvings = 30;     // a step of the section then lies in a part of 1e-10 of the body

class Slicer {
 public:
  Slicer(const scene::Scene& scene, const scene::RigidBody& body)
      : scene_(scene), body_(body), rule_(geometry::gaussLegendre(8)) {}

  std::vector<RigidSlice> all() {
    std::vector<RigidSlice> whole = part(0, 1);
    std::vector<std::vector<RigidSlice>> parts;
    Moments sum{};
    for (int i = 0; i < firstParts; ++i) {
      parts.push_back(part(static_cast<double>(i) / firstParts, static_cast<double>(i + 1) / firstParts));
      const Moments one = momentsOf(parts.back());
      for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += one[k];
    }
    whole_ = sum;
    if (isAlike(momentsOf(whole), sum)) return whole;
    std::vector<RigidSlice> out;
    for (int i = 0; i < firstParts; ++i) {
      refine(static_cast<double>(i) / firstParts, static_cast<double>(i + 1) / firstParts,
             std::move(parts[static_cast<std::size_t>(i)]), 0, out);
    }
    return out;
  }

 private:
  // Volume, its first and second moment along the length, and those of the section.
  using Moments = std::array<double, 6>;

  std::vector<RigidSlice> part(double from, double to) const {
    std::vector<RigidSlice> out;
    for (std::size_t i = 0; i < rule_.points.size(); ++i) {
      const double s = (from + (to - from) * rule_.points[i]) * body_.length;
      out.push_back(
          {s, (to - from) * rule_.weights[i] * body_.length, sectionAt(scene_, *body_.section, s, body_.length)});
    }
    return out;
  }

  static Moments momentsOf(const std::vector<RigidSlice>& slices) {
    Moments out{};
    for (const auto& [s, length, g] : slices) {
      const Moments here{g.area, g.area * s, g.area * s * s, g.I1, g.I2, g.polar};
      for (std::size_t k = 0; k < out.size(); ++k) out[k] += length * here[k];
    }
    return out;
  }

  bool isAlike(const Moments& a, const Moments& b) const {
    for (std::size_t k = 0; k < a.size(); ++k) {
      if (!(std::abs(a[k] - b[k]) <= digits * std::abs(whole_[k]))) return false;
    }
    return true;
  }

  void refine(double from, double to, std::vector<RigidSlice> slices, int depth, std::vector<RigidSlice>& out) const {
    const double middle = 0.5 * (from + to);
    std::vector<RigidSlice> left = part(from, middle), right = part(middle, to);
    Moments both = momentsOf(left);
    const Moments other = momentsOf(right);
    for (std::size_t k = 0; k < both.size(); ++k) both[k] += other[k];
    if (depth == halvings || isAlike(momentsOf(slices), both)) {
      out.insert(out.end(), slices.begin(), slices.end());
      return;
    }
    refine(from, middle, std::move(left), depth + 1, out);
    refine(middle, to, std::move(right), depth + 1, out);
  }

  const scene::Scene& scene_;
  const scene::RigidBody& body_;
  geometry::Quadrature rule_;
  Moments whole_{};
};

}  // namespace

std::vector<RigidSlice> slicesOf(const scene::Scene& scene, const scene::RigidBody& body) {
  return Slicer(scene, body).all();
}

}  // namespace tendril::links
