// Random scenes and bodies of tests: numbers that are the same on every machine.
#pragma once

#include <cmath>
#include <cstdint>

#include "geometry/random.h"
#include "geometry/types.h"

namespace tendril::test {

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : source_(seed) {}
  /// Uniform in [from, to), by itself or by its logarithm.
  double uniform(double from, double to) { return source_.uniform(from, to); }
  double log(double from, double to) { return std::exp(uniform(std::log(from), std::log(to))); }
  /// From `from` to `to`, both included.
  int whole(int from, int to) { return from + static_cast<int>(source_.next() >> 33) % (to - from + 1); }
  bool chance(double share) { return uniform(0, 1) < share; }
  Vec3 inCube(double a) {
    const double x = uniform(-a, a), y = uniform(-a, a), z = uniform(-a, a);
    return {x, y, z};
  }

 private:
  geometry::SplitMix source_;
};

}  // namespace tendril::test
