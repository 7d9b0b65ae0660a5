// The two usual sets of parameters, and the checks.
#include "vines/parameters.h"

#include <cmath>

namespace tendril::vines {

Parameters Parameters::published(int bodies, double halfLength) {
  Parameters p;
  p.bodies = bodies;
  p.halfLength = halfLength;
  p.physical = false;
  p.springs = Springs::atStart;
  p.growthForm = GrowthForm::rate;
  p.contact = Contact::pairs;
  return p;
}

Parameters Parameters::tube(int bodies, double length) {
  Parameters p;
  p.bodies = bodies;
  p.halfLength = length / (2 * bodies);
  return p;
}

std::string Parameters::problem() const {
  const auto positive = [](double value) { return value > 0 && std::isfinite(value); };
  const auto notNegative = [](double value) { return value >= 0 && std::isfinite(value); };
  if (bodies < 2 || bodies % 2 != 0)
    return "a vine has pairs of bodies: " + std::to_string(bodies) + " is not an even number of at least 2";
  if (!positive(halfLength)) return "the bodies' length must be above zero";
  if (!positive(diameter)) return "the diameter must be above zero";
  if (physical && !positive(massPerLength)) return "the mass per length must be above zero";
  if (physical && !notNegative(bendingStiffness)) return "the bending stiffness must not be negative";
  if (physical && pressure > 0 && !positive(bendingStiffness))
    return "a tube that wrinkles needs a bending stiffness above zero";
  if (!physical && !positive(mass)) return "the mass of a body must be above zero";
  if (!physical && !positive(inertia)) return "the inertia of a body must be above zero";
  if (!notNegative(stiffness) || !notNegative(damping) || !notNegative(bendingDamping))
    return "stiffness and damping must not be negative";
  if (!notNegative(pressure)) return "the pressure must not be negative";
  if (!(stall > 0)) return "the stall force must be above zero";
  if (!notNegative(friction)) return "the friction coefficient must not be negative";
  if (!positive(gapTolerance) || !positive(recovery) || !positive(recoveryTime))
    return "tolerance and recovery of contact must be above zero";
  if (growthForm == GrowthForm::rate && (growthSite == GrowthSite::tip || std::isfinite(stall)))
    return "growth at the tip and a stall force need growth in its length form";
  return {};
}

}  // namespace tendril::vines
