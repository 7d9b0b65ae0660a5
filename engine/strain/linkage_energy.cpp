// What a linkage stores, and how fast: kinetic, gravity's and elastic energy.
#include <algorithm>

#include "strain/linkage_system.h"

namespace tendril {

void LinkageSystem::addMass(const MassPoint& m, Energies& e) const {
  const ChainFrame& f = chain_.frames()[m.step];
  e.kinetic += 0.5 * f.velocity.dot((m.inertia + m.added) * f.velocity);
  // The first moment of mass sits in the coupling block of the inertia.
  const double mass = m.inertia(3, 3);
  const Mat3 coupling = m.inertia.topRightCorner<3, 3>();  // mass * skew(center)
  const Vec3 moment(coupling(2, 1), coupling(0, 2), coupling(1, 0));
  e.weight += m.weight * (mass * f.pose.r + f.pose.R * moment);
}

LinkageSystem::Energies LinkageSystem::energies(const VectorX& q, const VectorX& v) {
  place(q, v);
  Energies e;
  for (const MassPoint& m : masses_) addMass(m, e);
  e.gravity = -gravity.dot(e.weight);
  e.elastic = elasticEnergy(q, 0, coordinates());
  return e;
}

void LinkageSystem::energies(const VectorX& q, const VectorX& v, const std::vector<int>& firsts,
                             std::vector<Energies>& out) {
  place(q, v);
  out.assign(firsts.size(), {});
  for (const MassPoint& m : masses_) addMass(m, out[static_cast<std::size_t>(m.body)]);
  for (std::size_t i = 0; i < firsts.size(); ++i) {
    out[i].gravity = -gravity.dot(out[i].weight);
    const int first = firsts[i], n = (i + 1 < firsts.size() ? firsts[i + 1] : coordinates()) - first;
    out[i].elastic = strainEnergy(q, first, n);
  }
  for (const PoseSpring& s : springs) {
    const int at = chain_.steps()[static_cast<std::size_t>(s.step)].first;
    const auto next = std::upper_bound(firsts.begin(), firsts.end(), at);
    out[static_cast<std::size_t>(next - firsts.begin() - 1)].elastic += springEnergy(s, q);
  }
}

double LinkageSystem::springEnergy(const PoseSpring& s, const VectorX& q) const {
  const ChainStep& step = chain_.steps()[static_cast<std::size_t>(s.step)];
  const Pose g = inverse(s.offset) * step.offset * exponential(Vec6(step.base * q.segment(step.first, step.coordinates())));
  return 0.5 * (s.rotation * logarithm({g.R, Vec3::Zero()}).squaredNorm() + s.translation * g.r.squaredNorm());
}

double LinkageSystem::strainEnergy(const VectorX& q, int first, int n) const {
  if (!blocked_ || n != coordinates())
    return 0.5 * q.segment(first, n).dot(stiffness_.block(first, first, n, n) * q.segment(first, n));
  double sum = 0;
  for (int b = 0; b < chain_.bodies(); ++b) {
    const auto own = q.segment(chain_.firstOf(b), chain_.countOf(b));
    sum += 0.5 * own.dot(own_[static_cast<std::size_t>(b)].stiffness * own);
  }
  return sum;
}

double LinkageSystem::dampedPower(const VectorX& rate) const {
  if (!blocked_) return rate.dot(damping_.lazyProduct(rate));
  double sum = 0;
  for (int b = 0; b < chain_.bodies(); ++b) {
    const auto own = rate.segment(chain_.firstOf(b), chain_.countOf(b));
    sum += own.dot(own_[static_cast<std::size_t>(b)].damping.lazyProduct(own));
  }
  return sum;
}

double LinkageSystem::elasticEnergy(const VectorX& q, int first, int n) const {
  double sum = strainEnergy(q, first, n);
  for (const PoseSpring& s : springs) {
    const ChainStep& step = chain_.steps()[static_cast<std::size_t>(s.step)];
    if (step.first < first || step.first >= first + n) continue;
    sum += springEnergy(s, q);
  }
  return sum;
}

}  // namespace tendril
