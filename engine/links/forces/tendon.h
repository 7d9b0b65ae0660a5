// Tendons: their length through soft bodies, where it follows the strains, and between links, where it follows the
// frames; with gradient and Hessian. A tension pulls with -tension * length as its potential (S, eqs. 19-21).
#pragma once

#include <vector>

#include "links/chain/force.h"

namespace tendril::links {

/// Where a tendon runs inside a soft body, at one quadrature point: its length there is weight * |k x d + p + d'| with
/// (k, p) the strain, d the offset in the section and d' its slope (S, eq. 20).
struct TendonPoint {
  double weight = 0;  ///< [m]
  int first = 0;      ///< first coordinate of the body
  std::vector<int> modes;
  std::vector<double> values;  ///< of its coordinates there
  geometry::Vec6 reference = geometry::Vec6::Zero();
  Vec3 offset = Vec3::Zero(), slope = Vec3::Zero();  ///< [m], [1]
};

/// From a point of one step's frame to a point of another's.
struct TendonSpan {
  int a = 0, b = 0;
  Vec3 atA = Vec3::Zero(), atB = Vec3::Zero();  ///< [m]
  bool straight = false;                        ///< the distance of the points; else through a joint (crossingLength)
  double rounding = 0;  ///< of the distance [m]: ends that are pulled together meet without a kink
};

struct Tendon {
  double tension = 0;  ///< [N]; negative pushes
  std::vector<TendonPoint> points;
  std::vector<TendonSpan> spans;
};

/// Stretched length per length, its gradient and Hessian in the strain.
struct TendonStretch {
  double value;
  geometry::Vec6 gradient;
  geometry::Mat6 hessian;
};
TendonStretch tendonStretch(const TendonPoint& point, const VectorX& q);

/// Length [m] at q and `frames`, which belong to it.
double tendonLength(const Tendon& tendon, const VectorX& q, const std::vector<ChainFrame>& frames);
/// Its rate [m/s] at q, v and their frames.
double tendonRate(const Tendon& tendon, const VectorX& q, const VectorX& v, const std::vector<ChainFrame>& frames);

/// Length of a span [m] between the poses of its ends, without derivatives.
double spanBetween(const TendonSpan& span, const geometry::Pose& a, const geometry::Pose& b);

/// Adds the tension's generalized force, and with slopes its derivative, of what runs inside soft bodies to r and the
/// chain's own blocks; of spans to `loads`.
void addTendon(const Tendon& tendon, const VectorX& q, Chain& chain, bool slopes, VectorX& r, ChainLoads& loads);

}  // namespace tendril::links
