#include "strain/linkage_builder.h"

#include <algorithm>

#include "geometry/quadrature.h"

namespace tendril {
namespace {

// Values of all functions of all modes at X, angular ones per length.
std::vector<double> coordinateValues(const SoftBody& body, double X) {
  std::vector<double> out;
  for (const SoftBody::Mode& m : body.strains) {
    std::vector<double> values(basisSize(body.basis, m.order));
    basisValues(body.basis, m.order, X, values);
    for (const double v : values) out.push_back(m.component < 3 ? v / body.length : v);
  }
  return out;
}

std::vector<int> coordinateModes(const SoftBody& body) {
  std::vector<int> out;
  for (const SoftBody::Mode& m : body.strains) out.insert(out.end(), basisSize(body.basis, m.order), m.component);
  return out;
}

Vec6 referenceAt(const SoftBody& body, double X) {
  if (body.reference) return body.reference(X);
  Vec6 straight = Vec6::Zero();
  straight[3] = 1;
  return straight;
}

Vec6 inertiaOf(const RodSection& s) {
  Vec6 d;
  d << s.Jx, s.Jy, s.Jz, s.area, s.area, s.area;
  return d;
}

}  // namespace

RodSection circularSection(double radius) {
  const double J = pi * radius * radius * radius * radius / 4;
  return {pi * radius * radius, 2 * J, J, J};
}
RodSection rectangularSection(double height, double width) {
  const double Jy = height * width * width * width / 12, Jz = height * height * height * width / 12;
  return {height * width, Jy + Jz, Jy, Jz};
}
RodSection ellipticSection(double a, double b) {
  const double Jy = pi * a * b * b * b / 4, Jz = pi * a * a * a * b / 4;
  return {pi * a * b, Jy + Jz, Jy, Jz};
}

int LinkageBuilder::fixedTo(int parent, const Pose& offset) { return addJoint(parent, offset, Columns::Zero(6, 0)); }

int LinkageBuilder::addJoint(int parent, const Pose& offset, const Columns& base) {
  ChainStep step;
  step.parent = parent, step.offset = offset, step.first = coordinates_, step.base = base;
  coordinates_ += static_cast<int>(base.cols());
  steps_.push_back(step);
  return static_cast<int>(steps_.size()) - 1;
}

int LinkageBuilder::addRigid(int parent, const Pose& center, const Mat6& inertiaAtCenter, const Pose& tip) {
  const int end = fixedTo(parent, tip);
  const Mat6 toCenter = adjoint(inverse(inverse(tip) * center));
  masses_.push_back({end, toCenter.transpose() * inertiaAtCenter * toCenter, 1});
  return end;
}

int LinkageBuilder::addSoft(int parent, const Pose& offset, const SoftBody& body) {
  int highest = 0;
  for (const SoftBody::Mode& m : body.strains) highest = std::max(highest, m.order);
  const Quadrature gauss = gaussLegendre(std::max(body.points, highest + 1));
  const std::vector<int> modes = coordinateModes(body);
  const int n = static_cast<int>(modes.size()), first = coordinates_;
  coordinates_ += n;
  Block block{first, Eigen::MatrixXd::Zero(n, n), Eigen::MatrixXd::Zero(n, n)};
  const auto at = magnusPoints(body.magnus);
  Soft soft;
  soft.length = body.length;
  double from = 0;
  int end = parent;
  Pose start = offset;
  for (std::size_t i = 0; i <= gauss.points.size(); ++i) {
    const bool last = i == gauss.points.size();
    const double to = last ? 1 : gauss.points[i];
    for (int k = 0; k < body.substeps; ++k) {
      const double dX = (to - from) / body.substeps, X0 = from + k * dX;
      ChainStep step;
      step.parent = end, step.offset = start, step.first = first;
      step.order = body.magnus, step.length = dX * body.length, step.modes = modes;
      for (int j = 0; j < magnusStages(body.magnus); ++j) {
        step.values[j] = coordinateValues(body, X0 + at[j] * dX);
        step.reference[j] = referenceAt(body, X0 + at[j] * dX);
      }
      steps_.push_back(step);
      end = static_cast<int>(steps_.size()) - 1;
      start = Pose();
    }
    from = to;
    if (last) break;
    const RodSection s = body.section(to);
    const double weight = gauss.weights[i] * body.length;
    masses_.push_back({end, Mat6((weight * body.density * inertiaOf(s)).asDiagonal()), 1});
    Vec6 stiff, viscous;
    stiff << body.shear * s.Jx, body.youngs * s.Jy, body.youngs * s.Jz, body.youngs * s.area, body.shear * s.area,
        body.shear * s.area;
    viscous << s.Jx, 3 * s.Jy, 3 * s.Jz, 3 * s.area, s.area, s.area;
    const std::vector<double> values = coordinateValues(body, to);
    soft.points.push_back({weight, first, modes, values, referenceAt(body, to), Vec3::Zero(), Vec3::Zero()});
    soft.places.push_back(to * body.length);
    for (int r = 0; r < n; ++r) {
      for (int c = 0; c < n; ++c) {
        if (modes[r] != modes[c]) continue;
        block.stiffness(r, c) += weight * stiff[modes[r]] * values[r] * values[c];
        block.damping(r, c) += weight * body.viscosity * viscous[modes[r]] * values[r] * values[c];
      }
    }
  }
  blocks_.push_back(std::move(block));
  softs_.push_back(std::move(soft));
  return end;
}

Tendon LinkageBuilder::tendon(const std::vector<int>& bodies, const std::function<Path(double s)>& path) const {
  Tendon out;
  double start = 0;
  for (const int b : bodies) {
    const Soft& soft = softs_[b];
    for (std::size_t i = 0; i < soft.points.size(); ++i) {
      const Path at = path(start + soft.places[i]);
      TendonPoint p = soft.points[i];
      p.offset = at.offset, p.slope = at.slope;
      out.points.push_back(std::move(p));
    }
    start += soft.length;
  }
  return out;
}

LinkageSystem LinkageBuilder::build(double scale) {
  Eigen::MatrixXd stiffness = Eigen::MatrixXd::Zero(coordinates_, coordinates_), damping = stiffness;
  for (const Block& b : blocks_) {
    stiffness.block(b.first, b.first, b.stiffness.rows(), b.stiffness.cols()) += b.stiffness;
    damping.block(b.first, b.first, b.damping.rows(), b.damping.cols()) += b.damping;
  }
  return LinkageSystem(Chain(steps_, base_, coordinates_), masses_, stiffness, damping, scale);
}

}  // namespace tendril
