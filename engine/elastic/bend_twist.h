// Bending and twisting of two edges e, f that meet at a node: discrete curvatures and twist with exact first and second
// derivatives in (e, theta_e, f, theta_f). Kinematics only: laws, damping and actuation enter as stresses.
//
// Sources: curvature binormal and curvatures M(11)-(13), twist M(15); derivatives after Bergou et al. 2010 at a frame
// based on the present state, moved to the chart of the step's start by the spin vectors of EdgeFrame (theory.md, Exact
// derivatives, the correction of Panetta et al. 2019 in closed form).
#pragma once

#include "elastic/edge_frame.h"

namespace tendril::elastic {

/// Strains of a spring, dimensionless: curvature toward m1, toward m2, twist [rad].
struct BendTwistStrain {
  double curvature1 = 0, curvature2 = 0, twist = 0;
  double referenceTwist = 0;  ///< unwrapped next to the accepted one
};

/// What strain and derivatives share.
struct BendTwistShared {
  Vec3 kb;     ///< curvature binormal, 2 te x tf / (1 + te . tf)
  double chi;  ///< 1 + te . tf; 0 where the edges fold back on each other
};

/// Reference twist: the angle from te's reference director carried to f, to f's own, unwrapped next to `near` [rad].
inline double referenceTwist(const EdgeFrame& e, const EdgeFrame& f, double chi, double near) {
  const Vec3 u = e.d1 - (f.t.dot(e.d1) / chi) * (e.t + f.t);
  return geometry::unwrapAngle(std::atan2(u.cross(f.d1).dot(f.t), u.dot(f.d1)), near);
}

/// thetaDifference = theta_f - theta_e. Folded edges (chi = 0) give infinite curvature, which a line search rejects.
inline BendTwistStrain bendTwistStrain(const EdgeFrame& e, const EdgeFrame& f, double thetaDifference,
                                       double referenceNear, BendTwistShared& shared) {
  BendTwistStrain s;
  shared.chi = 1.0 + e.t.dot(f.t);
  shared.kb = e.t.cross(f.t) * (2.0 / shared.chi);
  s.curvature1 = 0.5 * shared.kb.dot(e.m2 + f.m2);
  s.curvature2 = -0.5 * shared.kb.dot(e.m1 + f.m1);
  s.referenceTwist = referenceTwist(e, f, shared.chi, referenceNear);
  s.twist = thetaDifference + s.referenceTwist;
  return s;
}

/// Derivatives in the reduced unknowns (e, theta_e, f, theta_f); strain i has gradient (be[i], te[i], bf[i], tf[i]).
struct BendTwistGradient {
  Vec3 be[3], bf[3];  ///< [1/m]
  double te[3], tf[3];
};

inline BendTwistGradient bendTwistGradient(const EdgeFrame& e, const EdgeFrame& f, const BendTwistStrain& s,
                                           const BendTwistShared& shared) {
  BendTwistGradient g;
  const double ichi = 1.0 / shared.chi, le = e.inverse, lf = f.inverse;
  const Vec3& kb = shared.kb;
  const Vec3 tt = (e.t + f.t) * ichi, m1 = (e.m1 + f.m1) * ichi, m2 = (e.m2 + f.m2) * ichi;
  g.be[0] = le * (f.t.cross(m2) - s.curvature1 * tt);
  g.bf[0] = lf * (-e.t.cross(m2) - s.curvature1 * tt);
  g.be[1] = le * (-f.t.cross(m1) - s.curvature2 * tt);
  g.bf[1] = lf * (e.t.cross(m1) - s.curvature2 * tt);
  g.be[2] = (0.5 * le) * kb;
  g.bf[2] = (0.5 * lf) * kb;
  g.te[0] = -0.5 * kb.dot(e.m1);
  g.tf[0] = -0.5 * kb.dot(f.m1);
  g.te[1] = -0.5 * kb.dot(e.m2);
  g.tf[1] = -0.5 * kb.dot(f.m2);
  g.te[2] = -1.0;
  g.tf[2] = 1.0;
  for (int i = 0; i < 3; ++i) {
    g.be[i] += g.te[i] * e.spin;
    g.bf[i] += g.tf[i] * f.spin;
  }
  return g;
}

/// Symmetric second-derivative blocks in (e, theta_e, f, theta_f).
struct BendTwistHessian {
  Mat3 ee, ff, ef;      ///< [1/m^2] times energy
  Vec3 e0, e1, f0, f1;  ///< e or f with theta_e (0) or theta_f (1)
  double t00, t11, t01;
};

/// sum_i stress_i d2 strain_i. S = stresses [N m] conjugate to (curvature1, curvature2, twist).
inline BendTwistHessian bendTwistCurvature(const EdgeFrame& e, const EdgeFrame& f, const BendTwistStrain& s,
                                           const BendTwistShared& shared, const Vec3& S, double gradThetaE,
                                           double gradThetaF) {
  BendTwistHessian h;
  const double ichi = 1.0 / shared.chi, le = e.inverse, lf = f.inverse;
  const Vec3& kb = shared.kb;
  const Vec3 tt = (e.t + f.t) * ichi;
  const double w = S[0] * s.curvature1 + S[1] * s.curvature2;
  const Vec3 nuE = S[0] * e.m1 + S[1] * e.m2, nuF = S[0] * f.m1 + S[1] * f.m2;
  const Vec3 muE = S[0] * e.m2 - S[1] * e.m1, muF = S[0] * f.m2 - S[1] * f.m1;
  const Vec3 M = (muE + muF) * ichi;
  const Vec3 p = f.t.cross(M), q = e.t.cross(M);

  // e-e: 2 w tt tt^T - sym2(p tt^T) - w/chi (I - te te^T) + sym2(kb (muE - S3 (te + tt))^T) / 4, over |e|^2.
  {
    const Vec3 a = w * tt - p;
    const Vec3 b = 0.25 * (muE - S[2] * (e.t + tt));
    const Mat3 half = a * tt.transpose() + kb * b.transpose() + (0.5 * w * ichi) * (e.t * e.t.transpose());
    h.ee = half + half.transpose();
    h.ee.diagonal().array() -= w * ichi;
    h.ee *= le * le;
  }
  {
    const Vec3 a = w * tt + q;
    const Vec3 b = 0.25 * (muF - S[2] * (f.t + tt));
    const Mat3 half = a * tt.transpose() + kb * b.transpose() + (0.5 * w * ichi) * (f.t * f.t.transpose());
    h.ff = half + half.transpose();
    h.ff.diagonal().array() -= w * ichi;
    h.ff *= lf * lf;
  }
  {
    const Vec3 left = 2.0 * w * tt - p - (0.5 * S[2]) * kb;
    h.ef = left * tt.transpose() + tt * q.transpose() - (w * ichi) * (e.t * f.t.transpose());
    h.ef.diagonal().array() -= w * ichi;
    h.ef += geometry::skew((S[2] * ichi) * e.t - M);
    h.ef *= le * lf;
  }
  h.e0 = le * ((0.5 * kb.dot(nuE)) * tt - ichi * f.t.cross(nuE));
  h.e1 = le * ((0.5 * kb.dot(nuF)) * tt - ichi * f.t.cross(nuF));
  h.f0 = lf * ((0.5 * kb.dot(nuE)) * tt + ichi * e.t.cross(nuE));
  h.f1 = lf * ((0.5 * kb.dot(nuF)) * tt + ichi * e.t.cross(nuF));
  h.t00 = -0.5 * kb.dot(muE);
  h.t11 = -0.5 * kb.dot(muF);
  h.t01 = 0;

  // From the chart of the present state to that of the step's start: theta' = theta + a . de on either edge.
  if (e.chart != 2.0 || f.chart != 2.0) {
    const Vec3 ue = h.e0 + (0.5 * h.t00) * e.spin, uf = h.f1 + (0.5 * h.t11) * f.spin;
    const Mat3 he = ue * e.spin.transpose(), hf = uf * f.spin.transpose();
    h.ee += he + he.transpose() + gradThetaE * spinHessian(e);
    h.ff += hf + hf.transpose() + gradThetaF * spinHessian(f);
    h.ef += h.e1 * f.spin.transpose() + e.spin * h.f0.transpose();
    h.e0 += h.t00 * e.spin;
    h.f1 += h.t11 * f.spin;
  }
  return h;
}

/// h += sum_ij B_i C_ij B_j^T for a diagonal C = diag(k) [N m].
inline void addStiffness(BendTwistHessian& h, const BendTwistGradient& g, const Vec3& k) {
  for (int i = 0; i < 3; ++i) {
    const Vec3 ke = k[i] * g.be[i], kf = k[i] * g.bf[i];
    h.ee += ke * g.be[i].transpose();
    h.ef += ke * g.bf[i].transpose();
    h.ff += kf * g.bf[i].transpose();
    h.e0 += g.te[i] * ke;
    h.e1 += g.tf[i] * ke;
    h.f0 += g.te[i] * kf;
    h.f1 += g.tf[i] * kf;
    h.t00 += k[i] * g.te[i] * g.te[i];
    h.t11 += k[i] * g.tf[i] * g.tf[i];
    h.t01 += k[i] * g.te[i] * g.tf[i];
  }
}

}  // namespace tendril::elastic
