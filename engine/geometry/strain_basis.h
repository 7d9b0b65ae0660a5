// Bases of the strain fields of soft links: functions of X = s / L in [0, 1], by kind and order (S, "strain basis").
#pragma once

#include <span>
#include <vector>

#include "geometry/quadrature.h"

namespace tendril::geometry {

enum class StrainBasis { monomial, legendre, chebyshev, fourier, hermite, gaussian, inverseMultiquadric, fem };

/// Number of functions of an order >= 0: order + 1; Fourier 2 order + 1. Order 0 is the constant in every kind.
int basisSize(StrainBasis basis, int order);

/// Why a kind does not support this order, in words for the user; empty where it does. Hermite: order 0 or odd, two
/// functions (value and slope) at each of (order + 1) / 2 nodes, at least 2.
const char* basisProblem(StrainBasis basis, int order);

/// Values at X of all functions, out.size() == basisSize:
/// monomial X^k; Legendre P_k(2X - 1); Chebyshev T_k(2X - 1); Fourier 1, cos(2 pi k X), sin(2 pi k X), ...; Hermite:
/// cubic, continuously differentiable, slopes in X; Gaussian exp(-(X - c_k)^2 / (2 w^2)) and inverse multiquadric 1 /
/// sqrt(1 + ((X - c_k) / w)^2) with `order + 1` uniform centers from 0 to 1, w apart; fem: linear between uniform
/// nodes.
void basisValues(StrainBasis basis, int order, double X, std::span<double> out);

/// Gauss points for modes of these orders, divided evenly among the elements of fem and hermite, at least two each.
/// Every element ends with a point of zero weight, so that neither a quadrature nor a step from point to point crosses
/// a kink.
Quadrature basisQuadrature(StrainBasis basis, const std::vector<int>& orders, int points);

}  // namespace tendril::geometry
