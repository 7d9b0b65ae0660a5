// How the pairs of a vine grow under the tip's drive: prescribed rates, and what locks them.
#include <algorithm>
#include <cmath>

#include "vines/step/chain_system.h"

namespace tendril::vines {
namespace {

constexpr double shortest = 0.1;  // of a pair's initial length

}  // namespace

void ChainSystem::setGrowthLaw(const Chain& chain, double growth, double dt, std::span<const GrowthLock> locked) {
  const Parameters& p = chain.parameters();
  const bool atTip = p.growthSite == Parameters::GrowthSite::tip;
  retracted_ = growth < 0 && p.growthForm == Parameters::GrowthForm::length && (!atTip || pairs_ == 1);
  for (int i = 0; i < pairs_; ++i) {
    const GrowthLock lock = locked.empty() ? GrowthLock::yields : locked[i];
    const bool grows = !atTip || i == pairs_ - 1;
    rate_[i] = !grows ? 0 : atTip ? growth : growth / pairs_;
    // Retraction ends where almost nothing is left of a pair that cannot vanish.
    if (rate_[i] < 0 && (!atTip || pairs_ == 1)) {
      const double room = chain.target[i] + 2 * p.halfLength - shortest * p.pairLength();
      rate_[i] = std::max(rate_[i], -std::max(0.0, room) / dt);
      retracted_ = retracted_ && room <= 0;
    }
    if (lock == GrowthLock::stalled) rate_[i] = 0;
    // rate (1 - F / stall) with F = impulse / dt.
    compliance_[i] = std::isfinite(p.stall) && lock != GrowthLock::fed ? std::fabs(rate_[i]) / (p.stall * dt) : 0;
  }
}

}  // namespace tendril::vines
