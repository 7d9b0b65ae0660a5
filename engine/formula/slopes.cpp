// Derivatives of formulas by the point that they act on, or along a change of what they see, forward through the
// formula's own program. Where a function has a corner, the derivative is that of the side that the value is taken
// from. A value that does not change adds nothing, even where a slope is infinite: the speed sqrt(vx^2 + vy^2 + vz^2)
// has slope 0 at rest. has slope 0 at rest.
#include <algorithm>
#include <cmath>

#include "formula/compile/compiler.h"
#include "formula/compile/evaluator.h"
#include "formula/direction.h"

namespace tendril::formula {

namespace {

constexpr const char* hasNoSlope = " has no finite derivative by the place or motion of the point that it acts on";

double times(double slope, double change) { return change == 0 || slope == 0 ? 0 : slope * change; }

/// A function of one number and its derivatives.
struct Unary {
  double f, f1, f2;
};

/// A function of two numbers and its derivatives by the first, a, and the second, b.
struct Binary {
  double f, a, b, aa, ab, bb;
};

/// Numbers with derivatives: `by` all of what a formula's result is differentiated by, `twice` the lower triangle of
/// second derivatives, if there are any.
struct SlopeNumber {
  static constexpr int count = Place::slopes, curves = 0;
  double value, by[count], twice[1];
};
struct AlongNumber {
  static constexpr int count = 1, curves = 0;
  double value, by[count], twice[1];
};
struct CurveNumber {
  static constexpr int count = Place::curves, curves = count * (count + 1) / 2;
  double value, by[count], twice[curves];
};

template <class Number>
Number chain(const Unary& u, const Number& x) {
  Number out;
  out.value = u.f;
  for (int k = 0; k < Number::count; ++k) out.by[k] = times(u.f1, x.by[k]);
  if constexpr (Number::curves > 0) {
    for (int r = 0, k = 0; r < Number::count; ++r) {
      for (int c = 0; c <= r; ++c, ++k) out.twice[k] = times(u.f1, x.twice[k]) + times(times(u.f2, x.by[r]), x.by[c]);
    }
  }
  return out;
}

template <class Number>
Number chain(const Binary& u, const Number& x, const Number& y) {
  Number out;
  out.value = u.f;
  for (int k = 0; k < Number::count; ++k) out.by[k] = times(u.a, x.by[k]) + times(u.b, y.by[k]);
  if constexpr (Number::curves > 0) {
    for (int r = 0, k = 0; r < Number::count; ++r) {
      for (int c = 0; c <= r; ++c, ++k) {
        out.twice[k] = times(u.a, x.twice[k]) + times(u.b, y.twice[k]) + times(times(u.aa, x.by[r]), x.by[c]) +
                       times(times(u.bb, y.by[r]), y.by[c]) + times(times(u.ab, x.by[r]), y.by[c]) +
                       times(times(u.ab, x.by[c]), y.by[r]);
      }
    }
  }
  return out;
}

double signOf(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

Unary unary(Op op, double x) {
  switch (op) {
    case Op::negate:
      return {-x, -1, 0};
    case Op::sin:
      return {std::sin(x), std::cos(x), -std::sin(x)};
    case Op::cos:
      return {std::cos(x), -std::sin(x), -std::cos(x)};
    case Op::tan: {
      const double f = std::tan(x), f1 = 1 + f * f;
      return {f, f1, 2 * f * f1};
    }
    case Op::asin: {
      const double rest = 1 - x * x;
      return {std::asin(x), 1 / std::sqrt(rest), x / (rest * std::sqrt(rest))};
    }
    case Op::acos: {
      const double rest = 1 - x * x;
      return {std::acos(x), -1 / std::sqrt(rest), -x / (rest * std::sqrt(rest))};
    }
    case Op::atan: {
      const double f1 = 1 / (1 + x * x);
      return {std::atan(x), f1, -2 * x * f1 * f1};
    }
    case Op::sinh:
      return {std::sinh(x), std::cosh(x), std::sinh(x)};
    case Op::cosh:
      return {std::cosh(x), std::sinh(x), std::cosh(x)};
    case Op::tanh: {
      const double f = std::tanh(x), f1 = 1 - f * f;
      return {f, f1, -2 * f * f1};
    }
    case Op::exp:
      return {std::exp(x), std::exp(x), std::exp(x)};
    case Op::log:
      return {std::log(x), 1 / x, -1 / (x * x)};
    case Op::log10: {
      constexpr double ln10 = 2.30258509299404568402;
      return {std::log10(x), 1 / (ln10 * x), -1 / (ln10 * x * x)};
    }
    case Op::sqrt: {
      const double f = std::sqrt(x);
      return {f, 0.5 / f, -0.25 / (f * x)};
    }
    case Op::abs:
      return {std::fabs(x), signOf(x), 0};
    default:
      return {applyFormulaOp(op, &x, 1), 0, 0};  // steps: flat between their jumps
  }
}

Binary binary(Op op, double x, double y) {
  const double arguments[2] = {x, y};
  switch (op) {
    case Op::add:
      return {x + y, 1, 1, 0, 0, 0};
    case Op::subtract:
      return {x - y, 1, -1, 0, 0, 0};
    case Op::multiply:
      return {x * y, y, x, 0, 1, 0};
    case Op::divide: {
      const double f = x / y;
      return {f, 1 / y, -f / y, 0, -1 / (y * y), 2 * f / (y * y)};
    }
    case Op::power: {
      const double f = std::pow(x, y), ln = std::log(x);
      const double f1 = y == 0 ? 0 : y * std::pow(x, y - 1);
      const double f2 = y == 0 || y == 1 ? 0 : y * (y - 1) * std::pow(x, y - 2);
      return {f, f1, f * ln, f2, std::pow(x, y - 1) * (1 + y * ln), f * ln * ln};
    }
    case Op::atan2: {
      const double r2 = x * x + y * y, r4 = r2 * r2, mixed = 2 * x * y / r4;
      return {std::atan2(x, y), y / r2, -x / r2, -mixed, (x * x - y * y) / r4, mixed};
    }
    case Op::modulo:
      return {formulaModulo(x, y), 1, (formulaModulo(x, y) - x) / y, 0, 0, 0};
    default:
      return {applyFormulaOp(op, arguments, 2), 0, 0, 0, 0, 0};  // comparisons, random
  }
}

template <class Number>
struct Differentiation {
  using Value = Number;
  static constexpr int few = 24;

  static Number constant(double value) {
    Number out{};
    out.value = value;
    return out;
  }
  static Number parameter(const Input& input, int index) { return constant(input.parameters[index]); }
  static Number column(const Input& input, int index) { return constant(input.columns[index]); }
  static Number place(const double* place, int index) {
    Number out = constant(place[index]);
    if (index < Number::count) out.by[index] = 1;
    return out;
  }
  static double plain(const Number& number) { return number.value; }
  static Number series(const Series& series, const std::vector<double>& values, const Number& time) {
    return chain(Unary{seriesValue(series, values, time.value), seriesSlope(series, values, time.value), 0}, time);
  }
  static void add(Number& a, const Number& b) { a = chain(binary(Op::add, a.value, b.value), a, b); }
  static void subtract(Number& a, const Number& b) { a = chain(binary(Op::subtract, a.value, b.value), a, b); }
  static void multiply(Number& a, const Number& b) { a = chain(binary(Op::multiply, a.value, b.value), a, b); }
  static void divide(Number& a, const Number& b) { a = chain(binary(Op::divide, a.value, b.value), a, b); }
  static void negate(Number& a) { a = chain(unary(Op::negate, a.value), a); }

  // Functions of three numbers are chosen or made from those of two.
  static Number apply(Op op, const Number* v, int count) {
    switch (op) {
      case Op::min:
        return isNaN(v[0]) || v[0].value < v[1].value ? v[0] : v[1];
      case Op::max:
        return isNaN(v[0]) || v[0].value > v[1].value ? v[0] : v[1];
      case Op::clamp: {
        const Number low = apply(Op::max, v, 2);
        const Number pair[2] = {low, v[2]};
        return apply(Op::min, pair, 2);
      }
      case Op::ramp:
        return ramp(v);
      case Op::smooth: {
        const Number q = ramp(v);
        return chain(Unary{q.value * q.value * (3 - 2 * q.value), 6 * q.value * (1 - q.value), 6 - 12 * q.value}, q);
      }
      case Op::random: {
        double arguments[4] = {0, 0, 0, 0};
        for (int k = 0; k < count; ++k) arguments[k] = v[k].value;
        return constant(formulaRandom(arguments, count));
      }
      default:
        return count == 2 ? chain(binary(op, v[0].value, v[1].value), v[0], v[1]) : chain(unary(op, v[0].value), v[0]);
    }
  }

 private:
  static bool isNaN(const Number& number) { return number.value != number.value; }
  static Number ramp(const Number* v) {
    if (v[0].value >= v[2].value) return constant(1);
    if (v[0].value <= v[1].value) return constant(0);
    Number top = v[0], bottom = v[2];
    subtract(top, v[1]);
    subtract(bottom, v[1]);
    divide(top, bottom);
    return top;
  }
};

/// Derivatives by the one number that parameters and columns depend on; its Input is a Direction.
struct Along : Differentiation<AlongNumber> {
  static AlongNumber parameter(const Input& input, int index) {
    return {input.parameters[index], {static_cast<const Direction&>(input).parameterSlopes[index]}, {0}};
  }
  static AlongNumber column(const Input& input, int index) {
    return {input.columns[index], {static_cast<const Direction&>(input).columnSlopes[index]}, {0}};
  }
};

template <class Out, class Number>
Out taken(const Number& number) {
  Out out;
  out.value = number.value;
  std::copy(std::begin(number.by), std::end(number.by), out.by);
  if constexpr (Number::curves > 0) std::copy(std::begin(number.twice), std::end(number.twice), out.twice);
  return out;
}

bool isFinite(const double* begin, const double* end) {
  return std::all_of(begin, end, [](double x) { return std::isfinite(x); });
}

}  // namespace

double seriesSlope(const Series& series, const std::vector<double>& values, double time) {
  const std::vector<double>& times = series.time;
  const std::size_t count = std::min(times.size(), values.size());
  if (series.step || count < 2 || !(time >= times[0]) || time >= times[count - 1]) return 0;
  const auto end = times.begin() + static_cast<std::ptrdiff_t>(count);
  const std::size_t after = static_cast<std::size_t>(std::upper_bound(times.begin(), end, time) - times.begin());
  return (values[after] - values[after - 1]) / (times[after] - times[after - 1]);
}

Slopes Formula::slopes(const Input& input) const {
  const auto out = taken<Slopes>(run<Differentiation<SlopeNumber>>(input));
  check(out.value, input);
  if (!isFinite(std::begin(out.by), std::end(out.by))) throw Failure(whereAndWhen(hasNoSlope, input));
  return out;
}

Curves Formula::curves(const Input& input) const {
  const auto out = taken<Curves>(run<Differentiation<CurveNumber>>(input));
  check(out.value, input);
  if (!isFinite(std::begin(out.by), std::end(out.by)) || !isFinite(std::begin(out.twice), std::end(out.twice)))
    throw Failure(whereAndWhen(hasNoSlope, input));
  return out;
}

double Compiler::slopeAlong(const Formula& formula, const Direction& direction) {
  const AlongNumber out = formula.run<Along>(direction);
  formula.check(out.value, direction);
  if (!std::isfinite(out.by[0]))
    throw Failure(formula.whereAndWhen(" has no finite derivative by what it depends on", direction));
  return out.by[0];
}

double slopeAlong(const Formula& formula, const Direction& direction) {
  return Compiler::slopeAlong(formula, direction);
}

Slopes Number::slopes(const Input& input) const {
  if (formula_) return formula_->slopes(input);
  Slopes out;
  out.value = value_;
  return out;
}

Curves Number::curves(const Input& input) const {
  if (formula_) return formula_->curves(input);
  Curves out;
  out.value = value_;
  return out;
}

}  // namespace tendril::formula
