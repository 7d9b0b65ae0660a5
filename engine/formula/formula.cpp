// The evaluator of compiled formulas, a stack machine without allocation, and the entry point of the compiler.
#include "formula/formula.h"

#include <algorithm>
#include <cmath>

#include "formula/compile/code.h"
#include "formula/compile/compiler.h"
#include "text/words.h"

namespace tendril::formula {

namespace {

/// Value of a series' column at `time`: constant outside its range; between times linear or the last value reached.
double seriesValue(const Series& series, const std::vector<double>& values, double time) {
  const std::vector<double>& times = series.time;
  const std::size_t count = std::min(times.size(), values.size());
  if (count == 0 || time != time) return std::numeric_limits<double>::quiet_NaN();
  if (time <= times[0]) return values[0];
  if (time >= times[count - 1]) return values[count - 1];
  const auto end = times.begin() + static_cast<std::ptrdiff_t>(count);
  const std::size_t after = static_cast<std::size_t>(std::upper_bound(times.begin(), end, time) - times.begin());
  const std::size_t before = after - 1;
  if (series.step) return values[before];
  return values[before] + (values[after] - values[before]) * (time - times[before]) / (times[after] - times[before]);
}

}  // namespace

double Formula::run(const Input& input) const {
  double stack[formulaStackDepth];  // the compiler has ensured that this is enough
  double* top = stack;              // one past the top value
  const Instruction* const code = code_.data();
  const std::size_t size = code_.size();
  for (std::size_t at = 0; at < size; ++at) {
    const Instruction& instruction = code[at];
    switch (static_cast<Op>(instruction.op)) {
      case Op::constant:
        *top++ = instruction.constant;
        break;
      case Op::parameter:
        *top++ = input.parameters[instruction.index];
        break;
      case Op::column:
        *top++ = input.columns[instruction.index];
        break;
      case Op::t:
        *top++ = input.t;
        break;
      case Op::s:
        *top++ = input.s;
        break;
      case Op::u:
        *top++ = input.u;
        break;
      case Op::x:
        *top++ = input.x;
        break;
      case Op::y:
        *top++ = input.y;
        break;
      case Op::z:
        *top++ = input.z;
        break;
      case Op::i:
        *top++ = input.i;
        break;
      case Op::n:
        *top++ = input.n;
        break;
      case Op::jump:
        at = static_cast<std::size_t>(instruction.index) - 1;
        break;
      case Op::jumpIfZero:
        --top;
        if (*top != *top) return *top;  // NaN selects neither branch
        if (*top == 0) at = static_cast<std::size_t>(instruction.index) - 1;
        break;
      case Op::add:
        --top;
        top[-1] += *top;
        break;
      case Op::subtract:
        --top;
        top[-1] -= *top;
        break;
      case Op::multiply:
        --top;
        top[-1] *= *top;
        break;
      case Op::divide:
        --top;
        top[-1] /= *top;
        break;
      case Op::negate:
        top[-1] = -top[-1];
        break;
      case Op::series: {
        const SeriesColumn& column = seriesColumns_[static_cast<std::size_t>(instruction.index)];
        top[-1] = seriesValue(*column.series, *column.values, top[-1]);
        break;
      }
      default:
        top -= instruction.count;
        *top = applyFormulaOp(static_cast<Op>(instruction.op), top, instruction.count);
        ++top;
    }
  }
  return top[-1];
}

/// "formula "1/t" at /loads/0/force/0 (line 12)" + what + " at t = 0 s".
std::string Formula::whereAndWhen(const std::string& what, const Input& input) const {
  std::string message = "formula \"" + text::clipped(text_, 200) + "\"";
  if (!location_.pointer.empty()) message += " at " + location_.pointer;
  if (location_.line > 0) message += " (line " + std::to_string(location_.line) + ")";
  message += what + " at t = " + text::formatNumber(input.t) + " s";
  if (field_) message += ", at i = " + text::formatNumber(input.i) + ", s = " + text::formatNumber(input.s) + " m";
  return message;
}

double Formula::value(const Input& input) const {
  const double result = run(input);
  if (!std::isfinite(result))
    throw Failure(whereAndWhen(std::isnan(result) ? " gave no number (NaN)" : " gave infinity", input));
  if (range_ && !range_->holds(result)) throw Failure(whereAndWhen(": " + rangeWords_(rangePath_, result), input));
  return result;
}

std::shared_ptr<const Formula> Formula::limitedTo(const NumberRange& range, std::string path, RangeWords words) const {
  auto limited = std::make_shared<Formula>(*this);
  limited->range_ = &range;
  limited->rangePath_ = std::move(path);
  limited->rangeWords_ = words;
  return limited;
}

std::variant<std::shared_ptr<const Formula>, Error> compileFormula(std::string_view text, const Scope& scope,
                                                                   Sight sight, const text::Bindings& bindings,
                                                                   Location location) {
  auto formula = std::make_shared<Formula>();
  Compiler compiler(text, scope, sight, bindings);
  if (!compiler.compile(*formula, std::move(location))) return compiler.error();
  return std::shared_ptr<const Formula>(std::move(formula));
}

}  // namespace tendril::formula
