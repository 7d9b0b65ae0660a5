#include "links/forces/tendon.h"

#include <cmath>

#include "links/chain/frame_pair.h"

namespace tendril::links {
namespace {

FramePair spanOf(const TendonSpan& s, const std::vector<ChainFrame>& frames) {
  const geometry::Pose &a = frames[s.a].pose, &b = frames[s.b].pose;
  return s.straight ? spanLength(s.atA, s.atB, a, b, s.rounding) : crossingLength(s.atA, s.atB, a, b);
}

geometry::Vec6 strainAt(const TendonPoint& p, const VectorX& values, const geometry::Vec6& start) {
  geometry::Vec6 xi = start;
  for (std::size_t j = 0; j < p.modes.size(); ++j)
    xi[p.modes[j]] += p.values[j] * values[p.first + static_cast<int>(j)];
  return xi;
}

}  // namespace

TendonStretch tendonStretch(const TendonPoint& p, const VectorX& q) {
  const geometry::Vec6 xi = strainAt(p, q, p.reference);
  const Vec3 way = xi.head<3>().cross(p.offset) + xi.tail<3>() + p.slope;
  TendonStretch out;
  out.value = way.norm();
  const Vec3 t = way / out.value;
  out.gradient << p.offset.cross(t), t;
  Eigen::Matrix<double, 3, 6> N;
  N << -geometry::skew(p.offset), Mat3::Identity();
  out.hessian = N.transpose() * ((Mat3::Identity() - t * t.transpose()) / out.value) * N;
  return out;
}

double tendonLength(const Tendon& tendon, const VectorX& q, const std::vector<ChainFrame>& frames) {
  double length = 0;
  for (const TendonPoint& p : tendon.points) length += p.weight * tendonStretch(p, q).value;
  for (const TendonSpan& s : tendon.spans) length += spanOf(s, frames).value;
  return length;
}

double tendonRate(const Tendon& tendon, const VectorX& q, const VectorX& v, const std::vector<ChainFrame>& frames) {
  double rate = 0;
  for (const TendonPoint& p : tendon.points) {
    rate += p.weight * tendonStretch(p, q).gradient.dot(strainAt(p, v, geometry::Vec6::Zero()));
  }
  for (const TendonSpan& s : tendon.spans) {
    const FramePair pair = spanOf(s, frames);
    rate += pair.onA.dot(frames[s.a].velocity) + pair.onB.dot(frames[s.b].velocity);
  }
  return rate;
}

double spanBetween(const TendonSpan& s, const geometry::Pose& a, const geometry::Pose& b) {
  const Vec3 way = b.r + b.R * s.atB - a.r - a.R * s.atA;
  if (s.straight) return std::sqrt(way.squaredNorm() + s.rounding * s.rounding);
  return Vec3(a.R.col(0) + b.R.col(0)).normalized().dot(way);
}

void addTendon(const Tendon& tendon, const VectorX& q, Chain& chain, bool slopes, VectorX& r, ChainLoads& loads) {
  if (tendon.tension == 0) return;
  for (const TendonPoint& p : tendon.points) {
    const TendonStretch s = tendonStretch(p, q);
    const double pull = tendon.tension * p.weight;
    for (std::size_t j = 0; j < p.modes.size(); ++j) {
      const int row = p.first + static_cast<int>(j);
      r[row] += pull * p.values[j] * s.gradient[p.modes[j]];
      for (std::size_t k = 0; slopes && k < p.modes.size(); ++k) {
        chain.own(row, p.first + static_cast<int>(k)) +=
            pull * p.values[j] * p.values[k] * s.hessian(p.modes[j], p.modes[k]);
      }
    }
  }
  for (const TendonSpan& s : tendon.spans) {
    const FramePair pair = spanOf(s, chain.frames());
    loads.wrenches[s.a].value += tendon.tension * pair.onA;
    loads.wrenches[s.b].value += tendon.tension * pair.onB;
    if (!slopes) continue;
    loads.wrenches[s.a].byPose += tendon.tension * pair.aa;
    loads.wrenches[s.b].byPose += tendon.tension * pair.bb;
    loads.couplings.push_back({s.a, s.b, tendon.tension * pair.ab});
    loads.couplings.push_back({s.b, s.a, tendon.tension * pair.ba});
  }
}

}  // namespace tendril::links
