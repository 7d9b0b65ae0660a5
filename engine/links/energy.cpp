// What a linkage stores, and how fast: kinetic, gravity's and elastic energy.
#include "links/system/system.h"

namespace tendril::links {

System::Energies System::energies(const VectorX& q, const VectorX& v) {
  place(q, v);
  Energies e;
  for (const MassPoint& m : masses_) {
    const ChainFrame& f = chain_.frames()[m.step];
    e.kinetic += 0.5 * f.velocity.dot((m.inertia + m.added) * f.velocity);
    // The first moment of mass sits in the coupling block of the inertia.
    const double mass = m.inertia(3, 3);
    const Mat3 coupling = m.inertia.topRightCorner<3, 3>();  // mass * skew(center)
    const Vec3 moment(coupling(2, 1), coupling(0, 2), coupling(1, 0));
    e.weight += m.weight * (mass * f.pose.r + f.pose.R * moment);
  }
  e.gravity = -gravity.dot(e.weight);
  e.elastic = elasticEnergy(q);
  return e;
}

double System::springEnergy(const PoseSpring& s, const VectorX& q) const {
  const geometry::Pose g = poseOver(s, q);
  return 0.5 *
         (s.rotation * geometry::logarithm({g.R, Vec3::Zero()}).squaredNorm() + s.translation * g.r.squaredNorm());
}

double System::dampedPower(const VectorX& rate) const {
  double sum = blocked_ ? 0 : rate.dot(damping_.lazyProduct(rate));
  for (const PoseSpring& s : springs) {
    const geometry::Vec6 screw = screwOf(s, rate);
    sum += s.turning * screw.head<3>().squaredNorm() + s.moving * screw.tail<3>().squaredNorm();
  }
  for (int b = 0; blocked_ && b < chain_.bodies(); ++b) {
    const auto own = rate.segment(chain_.firstOf(b), chain_.countOf(b));
    sum += own.dot(own_[static_cast<std::size_t>(b)].damping.lazyProduct(own));
  }
  return sum;
}

double System::elasticEnergy(const VectorX& q) const {
  double sum = 0;
  if (!blocked_) sum = 0.5 * q.head(coordinates()).dot(stiffness_ * q.head(coordinates()));
  for (int b = 0; blocked_ && b < chain_.bodies(); ++b) {
    const auto own = q.segment(chain_.firstOf(b), chain_.countOf(b));
    sum += 0.5 * own.dot(own_[static_cast<std::size_t>(b)].stiffness * own);
  }
  for (const PoseSpring& s : springs) sum += springEnergy(s, q);
  return sum;
}

}  // namespace tendril::links
