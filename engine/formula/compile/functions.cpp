// The named functions and operators of the formula language on plain numbers: their table for the compiler, and their
// values for the evaluator and for constant folding.
#include <algorithm>

#include "formula/compile/code.h"
#include "formula/formula.h"

namespace tendril::formula {

const std::vector<Function>& formulaFunctions() {
  static const std::vector<Function> functions = {
      {"sin", Op::sin, 1, 1, "sin(x)"},
      {"cos", Op::cos, 1, 1, "cos(x)"},
      {"tan", Op::tan, 1, 1, "tan(x)"},
      {"asin", Op::asin, 1, 1, "asin(x)"},
      {"acos", Op::acos, 1, 1, "acos(x)"},
      {"atan", Op::atan, 1, 1, "atan(x)"},
      {"atan2", Op::atan2, 2, 2, "atan2(y, x)"},
      {"sinh", Op::sinh, 1, 1, "sinh(x)"},
      {"cosh", Op::cosh, 1, 1, "cosh(x)"},
      {"tanh", Op::tanh, 1, 1, "tanh(x)"},
      {"exp", Op::exp, 1, 1, "exp(x)"},
      {"log", Op::log, 1, 1, "log(x)"},
      {"log10", Op::log10, 1, 1, "log10(x)"},
      {"sqrt", Op::sqrt, 1, 1, "sqrt(x)"},
      {"abs", Op::abs, 1, 1, "abs(x)"},
      {"sign", Op::sign, 1, 1, "sign(x)"},
      {"floor", Op::floor, 1, 1, "floor(x)"},
      {"ceil", Op::ceil, 1, 1, "ceil(x)"},
      {"round", Op::round, 1, 1, "round(x)"},
      {"min", Op::min, 1, std::numeric_limits<int>::max(), "min(a, b, ...)"},
      {"max", Op::max, 1, std::numeric_limits<int>::max(), "max(a, b, ...)"},
      {"clamp", Op::clamp, 3, 3, "clamp(x, low, high)"},
      {"mod", Op::modulo, 2, 2, "mod(a, b)"},
      {"step", Op::step, 1, 1, "step(x)"},
      {"ramp", Op::ramp, 3, 3, "ramp(t, t0, t1)"},
      {"smooth", Op::smooth, 3, 3, "smooth(t, t0, t1)"},
      {"random", Op::random, 1, 4, "random(a, b, c, d) with 1 to 4 arguments"},
  };
  return functions;
}

const Function* findFormulaFunction(std::string_view name) {
  for (const Function& function : formulaFunctions())
    if (function.name == name) return &function;
  return nullptr;
}

namespace {

// 1 or 0. NaN operands stay NaN, so that they are reported instead of deciding.
double verdict(bool holds, double a, double b) { return a != a || b != b ? a + b : holds ? 1 : 0; }

double smaller(double a, double b) { return (a != a || a < b) ? a : b; }
double larger(double a, double b) { return (a != a || a > b) ? a : b; }

/// 0 before t0, 1 from t1 on, linear between.
double rampValue(double t, double t0, double t1) {
  if (t >= t1) return 1;
  if (t <= t0) return 0;
  return (t - t0) / (t1 - t0);
}

double smoothValue(double t, double t0, double t1) {
  const double q = rampValue(t, t0, t1);
  return q * q * (3 - 2 * q);
}

/// Final mixing of the SplitMix64 generator.
std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

}  // namespace

double formulaRandom(const double* arguments, int count) {
  std::uint64_t h = 0;
  for (int k = 0; k < count; ++k) {
    const double rounded = std::round(arguments[k]);
    // Beyond 2^63 the conversion to an integer would be undefined.
    if (!(std::fabs(rounded) < 9.2e18)) return std::numeric_limits<double>::quiet_NaN();
    h = mix(h + 0x9E3779B97F4A7C15ull + static_cast<std::uint64_t>(static_cast<std::int64_t>(rounded)));
  }
  return static_cast<double>(h >> 11) * 0x1p-53;
}

double applyFormulaOp(Op op, const double* v, int count) {
  switch (op) {
    case Op::negate:
      return -v[0];
    case Op::invert:
      return verdict(v[0] == 0, v[0], v[0]);
    case Op::truth:
      return verdict(v[0] != 0, v[0], v[0]);
    case Op::add:
      return v[0] + v[1];
    case Op::subtract:
      return v[0] - v[1];
    case Op::multiply:
      return v[0] * v[1];
    case Op::divide:
      return v[0] / v[1];
    case Op::power:
      return std::pow(v[0], v[1]);
    case Op::modulo:
      return formulaModulo(v[0], v[1]);
    case Op::less:
      return verdict(v[0] < v[1], v[0], v[1]);
    case Op::lessEqual:
      return verdict(v[0] <= v[1], v[0], v[1]);
    case Op::greater:
      return verdict(v[0] > v[1], v[0], v[1]);
    case Op::greaterEqual:
      return verdict(v[0] >= v[1], v[0], v[1]);
    case Op::equal:
      return verdict(v[0] == v[1], v[0], v[1]);
    case Op::notEqual:
      return verdict(v[0] != v[1], v[0], v[1]);
    case Op::sin:
      return std::sin(v[0]);
    case Op::cos:
      return std::cos(v[0]);
    case Op::tan:
      return std::tan(v[0]);
    case Op::asin:
      return std::asin(v[0]);
    case Op::acos:
      return std::acos(v[0]);
    case Op::atan:
      return std::atan(v[0]);
    case Op::atan2:
      return std::atan2(v[0], v[1]);
    case Op::sinh:
      return std::sinh(v[0]);
    case Op::cosh:
      return std::cosh(v[0]);
    case Op::tanh:
      return std::tanh(v[0]);
    case Op::exp:
      return std::exp(v[0]);
    case Op::log:
      return std::log(v[0]);
    case Op::log10:
      return std::log10(v[0]);
    case Op::sqrt:
      return std::sqrt(v[0]);
    case Op::abs:
      return std::fabs(v[0]);
    case Op::sign:
      return v[0] > 0 ? 1 : v[0] < 0 ? -1 : v[0];
    case Op::floor:
      return std::floor(v[0]);
    case Op::ceil:
      return std::ceil(v[0]);
    case Op::round:
      return std::round(v[0]);
    case Op::min:
      return smaller(v[0], v[1]);
    case Op::max:
      return larger(v[0], v[1]);
    case Op::clamp:
      return smaller(larger(v[0], v[1]), v[2]);
    case Op::step:
      return v[0] >= 0 ? 1 : v[0] < 0 ? 0 : v[0];
    case Op::ramp:
      return rampValue(v[0], v[1], v[2]);
    case Op::smooth:
      return smoothValue(v[0], v[1], v[2]);
    case Op::random:
      return formulaRandom(v, count);
    default:
      return std::numeric_limits<double>::quiet_NaN();  // the evaluator handles loads and jumps itself
  }
}

}  // namespace tendril::formula
