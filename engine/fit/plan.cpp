#include "fit/plan.h"

#include <cmath>

namespace tendril::fit {

double Unknown::value(double z) const {
  if (z <= 0) return min;
  if (z >= 1) return max;
  return logarithmic ? min * std::exp(z * std::log(max / min)) : min + z * (max - min);
}

double Unknown::position(double value) const {
  return logarithmic ? std::log(value / min) / std::log(max / min) : (value - min) / (max - min);
}

double Unknown::slope(double z) const { return logarithmic ? value(z) * std::log(max / min) : max - min; }

double Unknown::priorResidual(double z) const {
  const double x = value(z);
  return (logarithmic ? std::log(x / prior->value) : x - prior->value) / prior->sigma;
}

double Unknown::priorSlope(double z) const { return slope(z) / (logarithmic ? value(z) : 1) / prior->sigma; }

Eigen::VectorXd Frame::at(const Eigen::VectorXd& values) const {
  Eigen::VectorXd out(Eigen::Index(numbers.size()));
  for (std::size_t k = 0; k < numbers.size(); ++k) out[Eigen::Index(k)] = numbers[k].at(values);
  return out;
}

}  // namespace tendril::fit
