// What a linkage stores, and how fast: kinetic, gravity's and elastic energy.
#include "strain/linkage_system.h"

namespace tendril {

LinkageSystem::Energies LinkageSystem::energies(const VectorX& q, const VectorX& v) {
  return energies(q, v, 0, coordinates(), -1);
}

LinkageSystem::Energies LinkageSystem::energies(const VectorX& q, const VectorX& v, int first, int n, int body) {
  place(q, v);
  Energies e;
  for (const MassPoint& m : masses_) {
    if (body >= 0 && m.body != body) continue;
    const ChainFrame& f = chain_.frames()[m.step];
    e.kinetic += 0.5 * f.velocity.dot((m.inertia + m.added) * f.velocity);
    // The first moment of mass sits in the coupling block of the inertia.
    const double mass = m.inertia(3, 3);
    const Mat3 coupling = m.inertia.topRightCorner<3, 3>();  // mass * skew(center)
    const Vec3 moment(coupling(2, 1), coupling(0, 2), coupling(1, 0));
    e.mass += mass;
    e.weight += m.weight * (mass * f.pose.r + f.pose.R * moment);
  }
  e.gravity = -gravity.dot(e.weight);
  e.elastic = elasticEnergy(q, first, n);
  return e;
}

double LinkageSystem::elasticEnergy(const VectorX& q, int first, int n) const {
  double sum = 0;
  if (blocked_ && n == coordinates()) {
    for (int b = 0; b < chain_.bodies(); ++b) {
      const auto own = q.segment(chain_.firstOf(b), chain_.countOf(b));
      sum += 0.5 * own.dot(own_[static_cast<std::size_t>(b)].stiffness * own);
    }
  } else {
    sum = 0.5 * q.segment(first, n).dot(stiffness_.block(first, first, n, n) * q.segment(first, n));
  }
  for (const PoseSpring& s : springs) {
    const ChainStep& step = chain_.steps()[static_cast<std::size_t>(s.step)];
    if (step.first < first || step.first >= first + n) continue;
    const Pose g = inverse(s.offset) * step.offset * exponential(Vec6(step.base * q.segment(step.first, step.coordinates())));
    sum += 0.5 * (s.rotation * logarithm({g.R, Vec3::Zero()}).squaredNorm() + s.translation * g.r.squaredNorm());
  }
  return sum;
}

}  // namespace tendril
