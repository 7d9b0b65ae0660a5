// Shared by the formula compiler and evaluator: the operations of the bytecode and the table of named functions.
// Internal to engine/formula.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

namespace tendril::formula {

/// One operation of the stack machine. Arguments are popped, one result is pushed.
enum class Op : std::uint16_t {
  constant,
  parameter,
  column,
  t,
  s,
  u,
  x,
  y,
  z,
  i,
  n,
  place,
  jump,
  jumpIfZero,  // jumpIfZero pops its condition
  negate,
  invert,
  truth,
  add,
  subtract,
  multiply,
  divide,
  power,
  modulo,
  less,
  lessEqual,
  greater,
  greaterEqual,
  equal,
  notEqual,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  atan2,
  sinh,
  cosh,
  tanh,
  exp,
  log,
  log10,
  sqrt,
  abs,
  sign,
  floor,
  ceil,
  round,
  min,
  max,
  clamp,
  step,
  ramp,
  smooth,
  random,
  series
};

/// A named function with at most `most` arguments (min and max take any number and compile to pairs).
struct Function {
  std::string_view name;
  Op op;
  int least, most;
  std::string_view usage;  ///< for messages: "ramp(t, t0, t1)"
};

/// All named functions of the language.
const std::vector<Function>& formulaFunctions();
const Function* findFormulaFunction(std::string_view name);

/// Depth of the evaluator's fixed stack; the compiler refuses formulas that need more.
inline constexpr int formulaStackDepth = 256;

/// a modulo b with the sign of b, for `%` and mod().
inline double formulaModulo(double a, double b) {
  const double r = std::fmod(a, b);
  return (r != 0 && (r < 0) != (b < 0)) ? r + b : r;
}

/// Value of an operation on its arguments; `op` is not a jump or load. Used by the evaluator's slow cases and by
/// constant folding.
double applyFormulaOp(Op op, const double* arguments, int count);

}  // namespace tendril::formula
