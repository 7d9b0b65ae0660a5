// Geometry and masses of the chain, and how pairs appear and vanish at the tip.
#include "vines/chain.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

namespace tendril::vines {
namespace {

constexpr double vanishing = 0.02;  // of a pair's initial length: a shorter pair is merged with the one before

}  // namespace

Chain::Chain(const Parameters& parameters) : parameters_(parameters) {
  if (const std::string problem = parameters.problem(); !problem.empty()) throw std::invalid_argument(problem);
  const double d = parameters.halfLength;
  const Vec2 along = directionOf(parameters.heading);
  for (int b = 0; b < parameters.bodies; ++b) {
    const Vec2 x = parameters.base + (2 * b + 1) * d * along;
    q.insert(q.end(), {x.x(), x.y(), parameters.heading});
  }
  v.assign(q.size(), 0.0);
  target.assign(std::size_t(pairs()), 2 * d);
  fed.assign(std::size_t(pairs()), 0);
}

double Chain::reach(int pair) const {
  return directionOf(angle(2 * pair)).dot(position(2 * pair + 1) - position(2 * pair));
}

Vec2 Chain::node(int i) const {
  const double d = parameters_.halfLength;
  if (i == 0) return position(0) - d * directionOf(angle(0));
  return position(2 * i - 1) + d * directionOf(angle(2 * i - 1));
}

Vec2 Chain::tipVelocity() const {
  const int last = bodies() - 1;
  return velocity(last) + parameters_.halfLength * v[3 * last + 2] * leftOf(directionOf(angle(last)));
}

double Chain::length() const {
  double sum = 0;
  for (int i = 0; i < pairs(); ++i) sum += pairLength(i);
  return sum;
}

double Chain::pinPosition(int i) const {
  double sum = 0;
  for (int k = 0; k < i; ++k) sum += pairLength(k);
  return sum;
}

double Chain::pinLength(int i) const { return 0.5 * (pairLength(i) + (i > 0 ? pairLength(i - 1) : 0.0)); }

double Chain::bodyMass(int body) const {
  return parameters_.physical ? 0.5 * parameters_.massPerLength * pairLength(body / 2) : parameters_.mass;
}

/// Half a pair of thin-walled tube, about its own center: m (R^2/2 + l^2/12).
double Chain::bodyInertia(int body) const {
  if (!parameters_.physical) return parameters_.inertia;
  const double radius = parameters_.radius(), length = 0.5 * pairLength(body / 2);
  return bodyMass(body) * (0.5 * radius * radius + length * length / 12);
}

bool Chain::adaptTip() {
  if (parameters_.growthSite != Parameters::GrowthSite::tip) return false;
  const double last = target.back() + 2 * parameters_.halfLength;
  if (last >= 2 * parameters_.pairLength()) {
    splitLast();
    return true;
  }
  if (pairs() == 1 || last > vanishing * parameters_.pairLength()) return false;
  dropLast();
  return true;
}

/// Two bodies appear inside the last pair, moving with its first body as all grown material does.
void Chain::splitLast() {
  const double d = parameters_.halfLength;
  const int first = bodies() - 2;
  const double angleOfPair = angle(first), rate = v[3 * first + 2];
  const Vec2 along = directionOf(angleOfPair);
  std::array<double, 6> newQ, newV;
  for (int k = 0; k < 2; ++k) {
    const double away = 2 * (k + 1) * d;
    const Vec2 x = position(first) + away * along, speed = velocity(first) + away * rate * leftOf(along);
    newQ[3 * k] = x.x(), newQ[3 * k + 1] = x.y(), newQ[3 * k + 2] = angleOfPair;
    newV[3 * k] = speed.x(), newV[3 * k + 1] = speed.y(), newV[3 * k + 2] = rate;
  }
  q.insert(q.end() - 3, newQ.begin(), newQ.end());
  v.insert(v.end() - 3, newV.begin(), newV.end());
  const double rest = target.back() - parameters_.pairLength();
  target.back() = 2 * d;
  target.push_back(rest);
  fed.push_back(fed.back());
}

/// The remainder of the last pair is added to the end of the pair before.
void Chain::dropLast() {
  const double d = parameters_.halfLength, left = target.back() + 2 * d;
  const int tipBody = bodies() - 3;  // becomes the last
  const double speed = directionOf(angle(tipBody + 1)).dot(velocity(tipBody + 2) - velocity(tipBody + 1));
  q.resize(q.size() - 6);
  v.resize(v.size() - 6);
  target.pop_back();
  fed.pop_back();
  target.back() += left;
  const Vec2 along = directionOf(angle(tipBody));
  const Vec2 shift = left * along, faster = speed * along + left * v[3 * tipBody + 2] * leftOf(along);
  for (int k = 0; k < 2; ++k) q[3 * tipBody + k] += shift[k], v[3 * tipBody + k] += faster[k];
  std::erase_if(carried, [&](const CarriedContact& c) { return c.pair >= pairs(); });
}

}  // namespace tendril::vines
