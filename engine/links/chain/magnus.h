// Magnus expansion of one step along a rod: the twist Omega with exp(Omega) = g(s)^-1 g(s + h) for g' = g xi, from the
// strain xi at the Gauss points of the step, with its derivatives in the strains and in time (S, eqs. 33-36; Blanes,
// Casas, Oteo and Ros 2009).
#pragma once

#include <array>

#include "geometry/se3.h"

namespace tendril::links {

using TwistJet = geometry::Jet<geometry::Vec6>;

/// Strains per step: 1, 2 or 3 for order 2, 4 or 6, at the Gauss points of as many.
constexpr int magnusStages(int order) { return order / 2; }

/// Where along a step its strains are taken: Gauss points of [0, 1].
std::array<double, 3> magnusPoints(int order);

struct MagnusStep {
  int stages = 1;
  TwistJet twist;                                            ///< Omega
  std::array<geometry::Jet<geometry::DualMatrix>, 3> slope;  ///< d Omega / d xi_i, and its derivatives in time
};

/// `order` 2, 4 or 6; `strains[0 .. stages)`; h: length of the step [m].
MagnusStep magnusStep(int order, double h, const std::array<TwistJet, 3>& strains);

/// Omega alone.
TwistJet magnusTwist(int order, double h, const std::array<TwistJet, 3>& strains);

/// d (y . Omega) / d xi_i at fixed wrench y: the slopes' transposes times y.
std::array<geometry::Vec6, 3> magnusTransposed(int order, double h, const std::array<TwistJet, 3>& strains,
                                               const geometry::Vec6& y);

/// d2 (y . Omega) / d xi_i d xi_j at fixed wrench y, for all stages: wrenchMatrix() of them are the matrices.
using MagnusBend = std::array<std::array<geometry::DualMatrix, 3>, 3>;
MagnusBend magnusBend(int order, double h, const std::array<TwistJet, 3>& strains, const geometry::Vec6& y);

}  // namespace tendril::links
