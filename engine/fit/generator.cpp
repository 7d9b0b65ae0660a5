#include "fit/generator.h"

#include <cmath>

namespace tendril::fit {

std::uint64_t Generator::next() {
  std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ull);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

double Generator::uniform() { return double(next() >> 11) * 0x1p-53; }

double Generator::normal() {
  const double u = 1 - uniform(), v = uniform();
  return std::sqrt(-2 * std::log(u)) * std::cos(2 * 3.14159265358979323846 * v);
}

Eigen::VectorXd evenPoint(std::uint64_t seed, int index, int unknowns) {
  double root = 1.5;
  for (int i = 0; i < 60; ++i) root = std::pow(1 + root, 1.0 / (unknowns + 1));
  Generator shift(seed);
  Eigen::VectorXd point(unknowns);
  double power = 1;
  for (double& value : point) {
    power /= root;
    double whole = 0;
    value = std::modf(shift.uniform() + (index + 1) * power, &whole);
  }
  return point;
}

}  // namespace tendril::fit
