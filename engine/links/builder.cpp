#include "links/builder.h"

namespace tendril::links {

RodSection circularSection(double radius) {
  const double J = pi * radius * radius * radius * radius / 4;
  return {pi * radius * radius, 2 * J, J, J, 2 * J};
}

SectionLaw sectionLaw(const RodSection& s, double youngs, double shear, double density, double viscosity) {
  SectionLaw law;
  law.inertia << s.Jx, s.Jy, s.Jz, s.area, s.area, s.area;
  law.inertia *= density;
  law.stiffness << shear * s.torsion, youngs * s.Jy, youngs * s.Jz, youngs * s.area, shear * s.area, shear * s.area;
  law.viscosity << s.torsion, 3 * s.Jy, 3 * s.Jz, 3 * s.area, s.area, s.area;
  law.viscosity *= viscosity;
  return law;
}

namespace {

geometry::Quadrature quadratureOf(const SoftBody& body) {
  std::vector<int> orders;
  for (const SoftBody::Mode& m : body.strains) orders.push_back(m.order);
  return geometry::basisQuadrature(body.basis, orders, body.points);
}

}  // namespace

std::vector<double> SoftSegment::values(double X) const {
  std::vector<double> out;
  for (const SoftBody::Mode& m : body.strains) {
    const std::size_t from = out.size();
    out.resize(from + static_cast<std::size_t>(geometry::basisSize(body.basis, m.order)));
    geometry::basisValues(body.basis, m.order, X, {out.data() + from, out.size() - from});
    for (std::size_t i = from; i < out.size() && m.component < 3; ++i) out[i] /= body.length;
  }
  return out;
}

geometry::Vec6 SoftSegment::reference(double X) const {
  if (body.reference) return body.reference(X);
  geometry::Vec6 straight = geometry::Vec6::Zero();
  straight[3] = 1;
  return straight;
}

geometry::Vec6 SoftSegment::strain(double X, const VectorX& q) const {
  geometry::Vec6 xi = reference(X);
  const std::vector<double> v = values(X);
  for (std::size_t j = 0; j < modes.size(); ++j) xi[modes[j]] += v[j] * q[first + static_cast<int>(j)];
  return xi;
}

ChainStep SoftSegment::stepTo(double X) const {
  std::size_t i = 0;
  while (i + 1 < at.size() && at[i + 1] < X) ++i;
  ChainStep out;
  out.parent = step[i], out.first = first, out.modes = modes, out.order = body.magnus;
  if (i == 0) out.offset = offset;
  const double dX = X - at[i];
  out.length = dX * body.length;
  const auto stages = magnusPoints(body.magnus);
  for (int j = 0; j < magnusStages(body.magnus); ++j) {
    out.values[j] = values(at[i] + stages[j] * dX);
    out.reference[j] = reference(at[i] + stages[j] * dX);
  }
  return out;
}

int Builder::addStep(const ChainStep& step) {
  steps_.push_back(step);
  return static_cast<int>(steps_.size()) - 1;
}

int Builder::addJoint(int parent, const geometry::Pose& offset, const Columns& base) {
  ChainStep step;
  step.parent = parent, step.offset = offset, step.first = coordinates_, step.base = base;
  coordinates_ += static_cast<int>(base.cols());
  return addStep(step);
}

std::vector<int> Builder::addGroup(int parent, const geometry::Pose& offset, const Columns& base) {
  if (base.bottomRows<3>().isZero(0)) return {addJoint(parent, offset, base)};
  Columns moves = base, turns = base;
  moves.topRows<3>().setZero(), turns.bottomRows<3>().setZero();
  const int place = addJoint(parent, offset, moves);
  ChainStep turn;
  turn.parent = place, turn.first = step(place).first, turn.base = turns;
  return {place, addStep(turn)};
}

int Builder::addMass(int step, const geometry::Mat6& inertia) {
  MassPoint m;
  m.step = step, m.inertia = inertia;
  masses_.push_back(m);
  return static_cast<int>(masses_.size()) - 1;
}

int Builder::addSoft(int parent, const geometry::Pose& offset, const SoftBody& body) {
  SoftSegment soft;
  soft.body = body;
  soft.first = coordinates_;
  soft.offset = offset;
  for (const SoftBody::Mode& m : body.strains)
    soft.modes.insert(soft.modes.end(), geometry::basisSize(body.basis, m.order), m.component);
  const int n = static_cast<int>(soft.modes.size());
  coordinates_ += n;
  soft.at = {0}, soft.step = {parent};
  Block block{soft.first, Eigen::MatrixXd::Zero(n, n), Eigen::MatrixXd::Zero(n, n)};
  const geometry::Quadrature gauss = quadratureOf(body);
  for (std::size_t i = 0; i < gauss.points.size(); ++i) {
    const double from = soft.at.back(), to = gauss.points[i];
    for (int k = 1; k <= body.substeps; ++k) {
      const double X = k == body.substeps ? to : from + (to - from) * k / body.substeps;
      const int end = addStep(soft.stepTo(X));
      soft.at.push_back(X), soft.step.push_back(end);
    }
    if (gauss.weights[i] == 0) continue;
    const SectionLaw law = body.law(to);
    const double weight = gauss.weights[i] * body.length;
    soft.masses.push_back(addMass(soft.step.back(), geometry::Mat6((weight * law.inertia).asDiagonal())));
    const std::vector<double> values = soft.values(to);
    soft.points.push_back({weight, soft.first, soft.modes, values, soft.reference(to), Vec3::Zero(), Vec3::Zero()});
    soft.places.push_back(to);
    soft.stiffness.push_back(law.stiffness);
    for (int r = 0; r < n; ++r) {
      for (int c = 0; c < n; ++c) {
        if (soft.modes[r] != soft.modes[c]) continue;
        const double share = weight * values[r] * values[c];
        block.stiffness(r, c) += share * law.stiffness[soft.modes[r]];
        block.damping(r, c) += share * law.viscosity[soft.modes[r]];
      }
    }
  }
  blocks_.push_back(std::move(block));
  softs_.push_back(std::move(soft));
  return static_cast<int>(softs_.size()) - 1;
}

Tendon Builder::tendon(const std::vector<int>& bodies, const std::function<Path(double s)>& path) const {
  Tendon out;
  double start = 0;
  for (const int b : bodies) {
    const SoftSegment& segment = soft(b);
    for (std::size_t i = 0; i < segment.points.size(); ++i) {
      const Path at = path(start + segment.places[i] * segment.body.length);
      TendonPoint p = segment.points[i];
      p.offset = at.offset, p.slope = at.slope;
      out.points.push_back(std::move(p));
    }
    start += segment.body.length;
  }
  return out;
}

System Builder::build(double scale) const {
  Eigen::MatrixXd stiffness = Eigen::MatrixXd::Zero(coordinates_, coordinates_), damping = stiffness;
  for (const Block& b : blocks_) {
    stiffness.block(b.first, b.first, b.stiffness.rows(), b.stiffness.cols()) += b.stiffness;
    damping.block(b.first, b.first, b.damping.rows(), b.damping.cols()) += b.damping;
  }
  return System(Chain(steps_, base_, coordinates_), masses_, stiffness, damping, scale);
}

}  // namespace tendril::links
