// The range of valid values of a number.
#pragma once

#include <cmath>
#include <limits>

namespace tendril::formula {

struct NumberRange {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool lowOpen = false, highOpen = false;  ///< the bound itself is excluded
  bool integer = false;

  /// False for NaN and infinity too.
  bool holds(double value) const {
    return std::isfinite(value) && (lowOpen ? value > low : value >= low) &&
           (highOpen ? value < high : value <= high) && (!integer || value == std::floor(value));
  }
};

}  // namespace tendril::formula
