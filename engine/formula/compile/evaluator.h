// The stack machine that runs a formula's program, on plain numbers or on numbers with derivatives. Internal to
// engine/formula.
#pragma once

#include <memory>

#include "formula/compile/code.h"
#include "formula/formula.h"

namespace tendril::formula {

/// Value of a series' column at `time`: constant outside its range; between times linear or the last value reached.
double seriesValue(const Series& series, const std::vector<double>& values, double time);
/// Its slope there [1/s]; at a time of the series that of the piece after it, 0 outside and of steps.
double seriesSlope(const Series& series, const std::vector<double>& values, double time);

/// Plain numbers.
struct PlainArithmetic {
  using Value = double;
  static constexpr int few = formulaStackDepth;
  static double constant(double value) { return value; }
  static double parameter(const Input& input, int index) { return input.parameters[index]; }
  static double column(const Input& input, int index) { return input.columns[index]; }
  static double place(const double* place, int index) { return place[index]; }
  static double plain(double value) { return value; }
  static double series(const Series& series, const std::vector<double>& values, double time) {
    return seriesValue(series, values, time);
  }
  static void add(double& a, double b) { a += b; }
  static void subtract(double& a, double b) { a -= b; }
  static void multiply(double& a, double b) { a *= b; }
  static void divide(double& a, double b) { a /= b; }
  static void negate(double& a) { a = -a; }
  static double apply(Op op, const double* arguments, int count) { return applyFormulaOp(op, arguments, count); }
};

/// Room for the values of a program: on the machine's stack where they are few.
template <class Value, int few>
class EvaluationStack {
 public:
  explicit EvaluationStack(int depth) {
    if (depth > few) many_ = std::make_unique<Value[]>(static_cast<std::size_t>(depth));
  }
  Value* begin() { return many_ ? many_.get() : few_; }

 private:
  Value few_[few];
  std::unique_ptr<Value[]> many_;
};

template <class Arithmetic>
typename Arithmetic::Value Formula::run(const Input& input) const {
  using Value = typename Arithmetic::Value;
  EvaluationStack<Value, Arithmetic::few> stack(depth_);
  Value* top = stack.begin();  // one past the top value
  const Instruction* const code = code_.data();
  const std::size_t size = code_.size();
  const auto push = [&top](double value) { *top++ = Arithmetic::constant(value); };
  for (std::size_t at = 0; at < size; ++at) {
    const Instruction& instruction = code[at];
    switch (static_cast<Op>(instruction.op)) {
      case Op::constant:
        push(instruction.constant);
        break;
      case Op::parameter:
        *top++ = Arithmetic::parameter(input, instruction.index);
        break;
      case Op::column:
        *top++ = Arithmetic::column(input, instruction.index);
        break;
      case Op::t:
        push(input.t);
        break;
      case Op::s:
        push(input.s);
        break;
      case Op::u:
        push(input.u);
        break;
      case Op::x:
        push(input.x);
        break;
      case Op::y:
        push(input.y);
        break;
      case Op::z:
        push(input.z);
        break;
      case Op::i:
        push(input.i);
        break;
      case Op::n:
        push(input.n);
        break;
      case Op::place:
        *top++ = Arithmetic::place(input.place, instruction.index);
        break;
      case Op::jump:
        at = static_cast<std::size_t>(instruction.index) - 1;
        break;
      case Op::jumpIfZero: {
        const double condition = Arithmetic::plain(*--top);
        if (condition != condition) return *top;  // NaN selects neither branch
        if (condition == 0) at = static_cast<std::size_t>(instruction.index) - 1;
        break;
      }
      case Op::add:
        --top;
        Arithmetic::add(top[-1], *top);
        break;
      case Op::subtract:
        --top;
        Arithmetic::subtract(top[-1], *top);
        break;
      case Op::multiply:
        --top;
        Arithmetic::multiply(top[-1], *top);
        break;
      case Op::divide:
        --top;
        Arithmetic::divide(top[-1], *top);
        break;
      case Op::negate:
        Arithmetic::negate(top[-1]);
        break;
      case Op::series: {
        const SeriesColumn& column = seriesColumns_[static_cast<std::size_t>(instruction.index)];
        top[-1] = Arithmetic::series(*column.series, *column.values, top[-1]);
        break;
      }
      default:
        top -= instruction.count;
        *top = Arithmetic::apply(static_cast<Op>(instruction.op), top, instruction.count);
        ++top;
    }
  }
  return top[-1];
}

}  // namespace tendril::formula
