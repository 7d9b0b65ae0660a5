#include "rods_shells/connectors.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "scene/instant.h"

namespace tendril::rods_shells {

namespace {

elastic::StrainVector builtVectors(const Structure& s, const Connector& c) {
  elastic::StrainVector u(3 * c.kind->vectors);
  for (std::size_t k = 0; k < c.vectors.size(); ++k)
    u.segment<3>(3 * static_cast<Eigen::Index>(k)) = s.nodes[c.vectors[k][1]] - s.nodes[c.vectors[k][0]];
  return u;
}

}  // namespace

elastic::StrainVector connectorSlope(const Structure& s, const Connector& c) {
  return c.kind->at(builtVectors(s, c)).gradient;
}

void addConnectors(Structure& s, const scene::Scene& scene) {
  const std::vector<double> columns = scene::columnsAtStart(scene);
  scene::Instant start;
  start.columns = columns.data();
  for (const scene::Spring& spring : scene.springs) {
    Connector c;
    c.kind = &elastic::springKinds()[static_cast<std::size_t>(spring.kind)];
    for (std::size_t k = 1; k < spring.nodes.size(); ++k)
      c.vectors.push_back({s.node(spring.nodes[k - 1]), s.node(spring.nodes[k])});
    for (const scene::NodeRef& ref : spring.nodes) c.bodies.push_back(ref.body);
    for (const auto& [from, to] : c.vectors) {
      for (const int node : {from, to}) {
        if (std::find(c.nodes.begin(), c.nodes.end(), node) == c.nodes.end()) c.nodes.push_back(node);
      }
    }
    c.initial = c.kind->at(builtVectors(s, c)).value;
    // Of an angle and its natural one the shorter way round.
    if (c.kind->period > 0 && spring.natural)
      c.initial = c.kind->nearestTo(c.initial, (*spring.natural)(scene::timedInput(scene, start)));
    const std::string name = "spring \"" + spring.name + "\"";
    c.undefined = name + " cannot be measured, with " + c.kind->undefined;
    c.turned = name + " changes too much within one step";
    s.connectors.push_back(std::move(c));
  }
}

void refreshConnectors(Structure& s, const scene::Scene& scene) {
  const formula::Input in = scene::parametersOf(scene);
  for (std::size_t i = 0; i < s.connectors.size(); ++i) {
    const scene::Spring& spring = scene.springs[i];
    Connector& c = s.connectors[i];
    c.stiffness = spring.stiffness(in), c.viscosity = spring.damping(in);
    c.natural0 = spring.natural && !spring.natural->isTimed() ? (*spring.natural)(in) : c.initial;
    if (!spring.natural || !spring.natural->isTimed()) c.natural = c.natural0;
  }
}

std::vector<int> connectorUnknowns(const Structure& s, const Connector& c) {
  std::vector<int> dofs;
  for (const int node : c.nodes) {
    for (int k = 0; k < 3; ++k) dofs.push_back(s.nodeDof[node] + k);
  }
  return dofs;
}

Connectors::Connectors(const Structure& structure, std::vector<double>& accepted, const std::vector<double>& references)
    : s_(structure), accepted_(accepted), references_(references) {}

bool Connectors::damped() const {
  return std::any_of(s_.connectors.begin(), s_.connectors.end(), [](const Connector& c) { return c.viscosity > 0; });
}

void Connectors::bind(solve::PartedTangent& solver, const std::vector<char>& prescribed) {
  values_ = solver.values().data();
  slots_.resize(s_.connectors.size());
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    std::vector<int>& held = slots_[i].held = connectorUnknowns(s_, s_.connectors[i]);
    for (int& dof : held) dof = prescribed[dof] ? -1 : dof;
    slots_[i].offsets.clear();
    for (std::size_t r = 0; r < held.size(); ++r) {
      for (std::size_t c = 0; c <= r; ++c)
        slots_[i].offsets.push_back(held[r] < 0 || held[c] < 0 ? solver.trash() : solver.offset(held[r], held[c]));
    }
  }
}

elastic::StrainVector Connectors::vectorsAt(const Connector& c, const VectorX& q) const {
  elastic::StrainVector u(3 * c.kind->vectors);
  for (std::size_t k = 0; k < c.vectors.size(); ++k) {
    const auto [a, b] = c.vectors[k];
    u.segment<3>(3 * static_cast<Eigen::Index>(k)) =
        (s_.nodes[b] - s_.nodes[a]) + (q.segment<3>(s_.nodeDof[b]) - q.segment<3>(s_.nodeDof[a]));
  }
  return u;
}

elastic::StrainValue Connectors::strainOf(int i, const elastic::StrainVector& u) const {
  elastic::StrainValue strain = s_.connectors[i].kind->at(u);
  strain.value = s_.connectors[i].kind->nearestTo(strain.value, accepted_[i]);
  return strain;
}

// Half a period farther nothing tells which way round it went.
bool Connectors::mayBe(int i, const elastic::StrainValue& strain, solve::Evaluation& out) const {
  constexpr double surely = 0.4;  // of a period
  const Connector& c = s_.connectors[i];
  const double period = c.kind->period;
  const bool turned = period > 0 && !(std::abs(strain.value - accepted_[i]) < surely * period);
  if (!strain.valid) out.outside = c.undefined.c_str();
  if (strain.valid && turned) out.outside = c.turned.c_str();
  out.valid = out.valid && strain.valid && !turned;
  return out.valid;
}

void Connectors::accept(const VectorX& q) {
  for (const int i : part_->connectors) accepted_[i] = strainAt(i, q).value;
}

// A vector is the place of its second node less that of its first.
Connectors::Force Connectors::onNodes(const Connector& c, const elastic::StrainVector& force) const {
  Force out = Force::Zero(3 * static_cast<Eigen::Index>(c.nodes.size()));
  for (std::size_t k = 0; k < c.vectors.size(); ++k) {
    for (int end = 0; end < 2; ++end) {
      const auto at = 3 * (std::find(c.nodes.begin(), c.nodes.end(), c.vectors[k][end]) - c.nodes.begin());
      out.segment<3>(at) += (end ? 1 : -1) * force.segment<3>(3 * static_cast<Eigen::Index>(k));
    }
  }
  return out;
}

Connectors::Block Connectors::onNodes(const Connector& c, const elastic::StrainMatrix& h) const {
  const auto size = 3 * static_cast<Eigen::Index>(c.nodes.size());
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6 * elastic::mostVectors, 3 * elastic::mostVectors> rows(
      size, h.cols());
  for (Eigen::Index k = 0; k < h.cols(); ++k) rows.col(k) = onNodes(c, elastic::StrainVector(h.col(k)));
  Block out(size, size);
  for (Eigen::Index k = 0; k < size; ++k)
    out.row(k) = onNodes(c, elastic::StrainVector(rows.row(k).transpose())).transpose();
  return out;
}

void Connectors::add(const Connector& c, const elastic::StrainVector& force, VectorX& to) const {
  for (std::size_t k = 0; k < c.vectors.size(); ++k) {
    const auto part = force.segment<3>(3 * static_cast<Eigen::Index>(k));
    to.segment<3>(s_.nodeDof[c.vectors[k][0]]) -= part, to.segment<3>(s_.nodeDof[c.vectors[k][1]]) += part;
  }
}

void Connectors::scatter(int i, const elastic::StrainMatrix& h) {
  const Block block = onNodes(s_.connectors[i], h);
  const int* at = slots_[i].offsets.data();
  for (Eigen::Index r = 0; r < block.rows(); ++r) {
    for (Eigen::Index c = 0; c <= r; ++c) values_[*at++] += block(r, c);
  }
}

// What a force loses [N] by the last digits of the places that its strain is measured from, squared.
double Connectors::digitsOf(const Connector& c, const elastic::StrainValue& strain, const VectorX& q) const {
  double largest = 0;
  for (const int node : c.nodes)
    largest =
        std::max({largest, s_.nodes[node].cwiseAbs().maxCoeff(), q.segment<3>(s_.nodeDof[node]).cwiseAbs().maxCoeff()});
  const double lost = std::numeric_limits<double>::epsilon() * c.stiffness * strain.gradient.squaredNorm() * largest;
  return 2 * lost * lost;
}

void Connectors::evaluate(const VectorX& q, double rate, solve::Level level, solve::Evaluation& out, VectorX& gradient,
                          double& noise, BodyRounding& rounded) {
  for (const int i : part_->connectors) {
    const Connector& c = s_.connectors[i];
    const elastic::StrainValue strain = strainAt(i, q);
    if (!mayBe(i, strain, out)) return;
    const auto response =
        elastic::respond(c.law(), strain.value - c.natural, rate * (strain.value - references_[i]), rate);
    const double stress = response.stress;
    response.addTo(out.potential);
    if (level == solve::Level::value) continue;
    const elastic::StrainVector force = stress * strain.gradient;
    add(c, force, gradient);
    out.roundOff += 2 * force.squaredNorm();
    noise += digitsOf(c, strain, q);
    rounded.book(c.bodies, out.roundOff, noise);
    if (level == solve::Level::tangent)
      scatter(i, c.law().tangent(rate) * strain.gradient * strain.gradient.transpose() + stress * strain.hessian);
  }
}

namespace {

// A discrete gradient does the work of the change of its strain but for digits, unless the strain changes over a
// distance that the step does not resolve, as an angle does where a place passes close by its axis.
bool doesItsWork(const elastic::StrainVector& mean, const elastic::StrainVector& u0, const elastic::StrainValue& start,
                 const elastic::StrainVector& u1, const elastic::StrainValue& end) {
  constexpr double lost = 1e-5, digits = 64 * std::numeric_limits<double>::epsilon();
  const double change = end.value - start.value;
  const double g0 = start.gradient.norm(), g1 = end.gradient.norm(), most = std::max(g0, g1) * (u1 - u0).norm();
  return std::abs(mean.dot(u1 - u0) - change) <= lost * most + digits * (g0 * u0.norm() + g1 * u1.norm());
}

}  // namespace

void Connectors::beginStep(const VectorX& q) {
  start_.resize(s_.connectors.size());
  for (const int i : part_->connectors) {
    start_[i].vectors = vectorsAt(s_.connectors[i], q);
    start_[i].strain = strainOf(i, start_[i].vectors);
  }
}

void Connectors::evaluateStep(const VectorX& q1, double rate, solve::Level level, StepForces& out,
                              BodyRounding& rounded) {
  for (const int i : part_->connectors) {
    const Connector& c = s_.connectors[i];
    const elastic::StrainVector u = vectorsAt(c, q1);
    const elastic::StrainValue strain = strainOf(i, u), &start = start_[i].strain;
    if (!mayBe(i, start, out.evaluation) || !mayBe(i, strain, out.evaluation)) return;
    const auto response = elastic::respondOver(c.law(), start.value - c.natural, strain.value - c.natural,
                                               strain.value - start.value, rate);
    const double stress = response.stress;
    const elastic::StrainVector before = (0.5 * response.stress0) * start.gradient;
    out.evaluation.potential += response.potential + 0.5 * before.dot(u - start_[i].vectors);
    out.evaluation.magnitude += response.magnitude;
    if (level == solve::Level::value) continue;
    double lost = 0;
    const elastic::StrainVector mean = c.kind->between(start_[i].vectors, start, u, strain, lost);
    if (!doesItsWork(mean, start_[i].vectors, start, u, strain)) {
      out.evaluation.outside = c.turned.c_str();
      out.evaluation.valid = false;
      return;
    }
    const elastic::StrainVector soft = before + response.atEnd() * strain.gradient, force = stress * mean;
    add(c, soft, *out.gradient);
    add(c, force - soft, *out.applied);
    out.evaluation.roundOff += 2 * force.squaredNorm();
    out.noise += stress * stress * lost + digitsOf(c, strain, q1);
    rounded.book(c.bodies, out.evaluation.roundOff, out.noise);
    if (level != solve::Level::tangent) continue;
    const double stiffness = c.law().tangent(2 * rate);
    scatter(i, stiffness * strain.gradient * strain.gradient.transpose() + stress * strain.hessian);
    if (out.tangent)
      out.tangent->add(slots_[i].held, onNodes(c, elastic::StrainMatrix(stiffness * (mean - strain.gradient) *
                                                                        strain.gradient.transpose())));
  }
}

void Connectors::strains(const VectorX& q, std::vector<double>& out) const {
  out.resize(s_.connectors.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = strainAt(static_cast<int>(i), q).value;
}

double Connectors::energy(const std::vector<double>& strains, int body) const {
  double sum = 0;
  for (const int i : part_->connectors) {
    const Connector& c = s_.connectors[i];
    const double change = strains[i] - c.natural, whole = c.law().energy(change);
    const auto own = std::count(c.bodies.begin(), c.bodies.end(), body);
    sum += body < 0 ? whole : whole * static_cast<double>(own) / static_cast<double>(c.bodies.size());
  }
  return sum;
}

double Connectors::dissipation(const std::vector<double>& s0, const std::vector<double>& s1) const {
  double sum = 0;
  for (const int i : part_->connectors) sum += s_.connectors[i].law().dissipation(s1[i] - s0[i]);
  return sum;
}

double Connectors::stress(int i, const VectorX& q) const {
  const Connector& c = s_.connectors[i];
  return c.law().stress(strainAt(i, q).value - c.natural);
}

}  // namespace tendril::rods_shells
