// Numbers that look random, the same on every machine: splitmix64 (Steele, Lea and Flood 2014). The standard library's
// distributions differ from one library to another.
#pragma once

#include <Eigen/Core>
#include <cstdint>

namespace tendril::fit {

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  double uniform();  ///< in [0, 1)
  double normal();   ///< mean 0, standard deviation 1 (Box and Muller)

 private:
  std::uint64_t state_;
};

/// Point `index` (from 0) of a sequence that fills the unit cube of `unknowns` dimensions evenly, shifted by the seed:
/// Kronecker's with powers of the root of r^(n+1) = r + 1, the golden ratio for one dimension (Roberts 2018).
Eigen::VectorXd evenPoint(std::uint64_t seed, int index, int unknowns);

}  // namespace tendril::fit
