// Clamps that catch a rod in motion: the frame that they hold is the one in which they find it.
#include <algorithm>
#include <limits>

#include "rods_shells/springs.h"
#include "rods_shells/terms/elasticity.h"

namespace tendril::rods_shells {
namespace {

/// Moment [N m] of a spring's stress, in the directors midway between its sides: what bends toward m1 turns about m2.
Vec3 momentOf(const Vec3& stress, const elastic::EdgeFrame& e, const elastic::EdgeFrame& f) {
  return 0.5 * (stress[0] * (e.m2 + f.m2) - stress[1] * (e.m1 + f.m1) + stress[2] * (e.t + f.t));
}

Mat3 rotationBy(const Vec3& w) {
  const double angle = w.norm();
  return angle > 0 ? Eigen::AngleAxisd(angle, w / angle).toRotationMatrix() : Mat3::Identity();
}

}  // namespace

// A half spring bears what the spring through the node does that it takes the place of, and nothing at a free end. Its
// own twist is counted from there: a rod may have spun many times before it is caught.
Vec3 Elasticity::strainToBear(int half, const VectorX& q) {
  const Spring& p = s_.springs[half];
  const int edge = p.e.held >= 0 ? p.f.edge : p.e.edge;
  elastic::EdgeFrame se, sf;
  for (std::size_t i = 0; i < s_.springs.size(); ++i) {
    const Spring& whole = s_.springs[i];
    const bool same = whole.node == p.node && (whole.e.edge == edge || whole.f.edge == edge);
    if (!same || whole.e.held >= 0 || whole.f.held >= 0 || whole.e.arm >= 0 || whole.f.arm >= 0) continue;
    const elastic::EdgeFrame& e = side(whole, whole.e, false, se);
    const elastic::EdgeFrame& f = side(whole, whole.f, true, sf);
    elastic::BendTwistShared shared;
    const auto s = elastic::bendTwistStrain(e, f, thetaDifference(whole, q), state_.referenceTwist[i], shared);
    const Vec3 moment = momentOf(springStress(static_cast<int>(i), Vec3(s.curvature1, s.curvature2, s.twist)), e, f);
    const elastic::EdgeFrame& own = frames_[edge];
    const Vec3 stress(moment.dot(own.m2), -moment.dot(own.m1), moment.dot(own.t));
    Vec3 out = p.natural;
    for (int k = 0; k < 3; ++k) {
      if (p.stiffness[k] > 0) out[k] += stress[k] / p.stiffness[k];
    }
    return out;
  }
  return p.natural;
}

Vec3 Elasticity::caughtStrain(int half, const elastic::EdgeFrame& held, const VectorX& q) {
  const Spring& p = s_.springs[half];
  elastic::EdgeFrame se, sf;
  const elastic::EdgeFrame e = p.e.held >= 0 ? sideFrame(p, false, held) : side(p, p.e, false, se);
  const elastic::EdgeFrame f = p.f.held >= 0 ? sideFrame(p, true, held) : side(p, p.f, true, sf);
  elastic::BendTwistShared shared;
  const double turn = thetaDifference(p, q);
  const auto s = elastic::bendTwistStrain(e, f, turn, p.natural[2] - turn, shared);
  return {s.curvature1, s.curvature2, s.twist};
}

// Gauss-Newton on the frame's turn, each half spring weighed by its stiffness.
elastic::EdgeStart Elasticity::caughtFrame(int held, const elastic::EdgeStart& guess, const VectorX& q) {
  constexpr double h = 1e-6;  // [rad]
  edgeFrames(q);
  std::vector<int> halves;
  std::vector<Vec3> wanted;
  double stiffest = 0;
  const bool outer = std::any_of(s_.springs.begin(), s_.springs.end(),
                                 [&](const Spring& p) { return !p.inner && (p.e.held == held || p.f.held == held); });
  for (std::size_t i = 0; i < s_.springs.size(); ++i) {
    if (s_.springs[i].e.held != held && s_.springs[i].f.held != held) continue;
    // What is free beside a run of nodes feels nothing; inside, the rest of the strain is left to the inner half.
    if (s_.springs[i].inner && outer) continue;
    halves.push_back(static_cast<int>(i));
    wanted.push_back(strainToBear(halves.back(), q));
    stiffest = std::max(stiffest, s_.springs[i].stiffness.maxCoeff());
  }
  elastic::EdgeStart frame = guess;
  if (!(stiffest > 0)) return frame;
  const auto turned = [&](const Vec3& w) {
    const Mat3 R = rotationBy(w);
    return heldFrame(R * frame.t, R * frame.d1);
  };
  for (int iteration = 0; iteration < 20; ++iteration) {
    Mat3 A = Mat3::Zero();
    Vec3 b = Vec3::Zero();
    for (std::size_t i = 0; i < halves.size(); ++i) {
      const Vec3 weight = s_.springs[halves[i]].stiffness / stiffest;
      const Vec3 rest = caughtStrain(halves[i], turned(Vec3::Zero()), q) - wanted[i];
      Mat3 slope;
      for (int k = 0; k < 3; ++k) {
        const Vec3 w = h * Vec3::Unit(k);
        slope.col(k) = (caughtStrain(halves[i], turned(w), q) - caughtStrain(halves[i], turned(-w), q)) / (2 * h);
      }
      A += slope.transpose() * weight.asDiagonal() * slope;
      b -= slope.transpose() * weight.cwiseProduct(rest);
    }
    // What has no stiffness stays.
    A.diagonal().array() += 1e-12 * A.trace();
    const Vec3 w = A.inverse() * b;
    if (!w.allFinite() || w.norm() > 1) break;  // folded back on itself: as it was
    const elastic::EdgeFrame next = turned(w);
    frame = {next.t, geometry::normalTo(next.d1, next.t)};
    if (w.norm() < 4 * std::numeric_limits<double>::epsilon()) break;
  }
  return frame;
}

void Elasticity::catchIn(int held, const elastic::EdgeStart& frame) {
  state_.held[static_cast<std::size_t>(held)] = frame;
}

void Elasticity::caughtStrains(int held, const elastic::EdgeStart& frame, const VectorX& q, Strains& out) {
  edgeFrames(q);
  for (std::size_t i = 0; i < s_.springs.size(); ++i) {
    const Spring& p = s_.springs[i];
    if (p.e.held != held && p.f.held != held) continue;
    out.bend[i] = p.inner ? p.innerStrain : caughtStrain(static_cast<int>(i), heldFrame(frame.t, frame.d1), q);
  }
}

}  // namespace tendril::rods_shells
