// What probes and the balance of energy read from elasticity: energies, what damping takes, stresses of springs,
// moments of clamps.
#include <utility>

#include "elastic/stretch.h"
#include "rods_shells/terms/elasticity.h"

namespace tendril::rods_shells {

ElasticEnergy Elasticity::energies(const Strains& strains, int body) const {
  ElasticEnergy out;
  for (const int i : part_->edges) {
    const Edge& e = s_.edges[i];
    if (body >= 0 && e.rod != body) continue;
    out.stretch += e.law().energy(strains.stretch[i]);
  }
  for (const int i : part_->springs) {
    const Spring& p = s_.springs[i];
    if (!p.stores() || (body >= 0 && p.rod != body)) continue;
    const Vec3 d = strains.bend[i] - p.natural;
    const Vec3 energy = 0.5 * p.law().stress(d).cwiseProduct(d);
    out.bend += energy[0] + energy[1], out.twist += energy[2];
  }
  for (const int i : part_->ties) {
    if (body >= 0 && s_.edges[s_.welds[s_.ties[i].weld].edges[0]].rod != body) continue;
    out.bend += s_.ties[i].law().energy(strains.tie[i]);
  }
  out.springs = connectors_.energy(strains.connector, body);
  const int shell = body - static_cast<int>(s_.rodFirstEdge.size());
  if (body < 0 || shell >= 0) {
    out.membrane = shells_.membraneEnergy(strains.shell, body < 0 ? -1 : shell);
    out.hinge = shells_.bendingEnergy(strains.shell, body < 0 ? -1 : shell);
  }
  return out;
}

void Elasticity::copyNaturals(Naturals& out) const {
  out.springs.clear(), out.edges.clear();
  for (const Spring& p : s_.springs) out.springs.push_back(p.natural);
  for (const Edge& e : s_.edges) out.edges.push_back(e.naturalLength);
  out.connectors.clear();
  for (const Connector& c : s_.connectors) out.connectors.push_back(c.natural);
  out.held = held_;
  shells_.copyNaturals(out.hinges, out.normals);
}

void Elasticity::exchange(Naturals& naturals) {
  for (std::size_t i = 0; i < s_.springs.size(); ++i) std::swap(s_.springs[i].natural, naturals.springs[i]);
  for (std::size_t i = 0; i < s_.edges.size(); ++i) std::swap(s_.edges[i].naturalLength, naturals.edges[i]);
  for (std::size_t i = 0; i < s_.connectors.size(); ++i) std::swap(s_.connectors[i].natural, naturals.connectors[i]);
  held_.swap(naturals.held);
  shells_.exchange(naturals.hinges, naturals.normals);
}

double Elasticity::dissipation(const Strains& s0, const Strains& s1, double dt) const {
  double sum = 0;
  for (const int i : part_->edges) {
    const double change = s1.elongation[i] - s0.elongation[i];
    sum += elastic::KelvinVoigt<double>(0, s_.edges[i].viscousEA / s_.edges[i].passiveLength()).dissipation(change);
  }
  for (const int i : part_->springs) {
    if (!s_.springs[i].stores()) continue;
    const Vec3 change = s1.bend[i] - s0.bend[i];
    sum += s_.springs[i].law().dissipation(change);
  }
  return (sum + shells_.dissipation(s0.shell, s1.shell) + connectors_.dissipation(s0.connector, s1.connector)) / dt;
}

double Elasticity::dampedTurnWork(const Strains& s0, const Strains& s1, const Strains* still, double dt) const {
  double sum = 0;
  for (const int i : part_->springs) {
    const Spring& p = s_.springs[i];
    if (!p.stores() || (p.e.held < 0 && p.f.held < 0)) continue;
    const Vec3 turned = still ? Vec3(s1.bend[i] - still->bend[i]) : start_.bend[i].turned;
    sum += turned.dot(p.law().damping<Vec3>(s1.bend[i] - s0.bend[i]));
  }
  return (sum + shells_.dampedTurnWork(s0.shell, s1.shell, still ? &still->shell : nullptr)) / dt;
}

Vec3 Elasticity::springStress(int spring, const Vec3& strain) const {
  const Spring& p = s_.springs[spring];
  return p.law().stress<Vec3>(strain - p.natural);
}

Vec3 Elasticity::heldMoment(const VectorX& q, int held) {
  edgeFrames(q);
  Vec3 moment = Vec3::Zero();
  elastic::EdgeFrame se, sf;
  for (int i : storing_) {
    const Spring& p = s_.springs[i];
    const bool first = p.e.held == held;
    if (!p.active || (!first && p.f.held != held)) continue;
    const elastic::EdgeFrame& e = side(p, p.e, false, se);
    const elastic::EdgeFrame& f = side(p, p.f, true, sf);
    elastic::BendTwistShared shared;
    const auto s = elastic::bendTwistStrain(e, f, thetaDifference(p, q), state_.referenceTwist[i], shared);
    const auto g = elastic::bendTwistGradient(e, f, s, shared);
    const Vec3 stress = springStress(i, Vec3(s.curvature1, s.curvature2, s.twist));
    // Work of a rotation w of the held frame (unit edge t, no chart): (t x ge + gtheta t) . w.
    Vec3 force = Vec3::Zero();
    double twist = 0;
    for (int k = 0; k < 3; ++k) {
      force += stress[k] * (first ? g.be[k] : g.bf[k]);
      twist += stress[k] * (first ? g.te[k] : g.tf[k]);
    }
    const Vec3& t = first ? e.t : f.t;
    moment += t.cross(force) + twist * t;
  }
  return moment;
}

}  // namespace tendril::rods_shells
