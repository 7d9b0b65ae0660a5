// Values of compiled formulas, what is said where they have none, and the entry point of the compiler.
#include "formula/formula.h"

#include <algorithm>
#include <cmath>

#include "formula/compile/compiler.h"
#include "formula/compile/evaluator.h"
#include "text/words.h"

namespace tendril::formula {

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

/// "formula "1/t" at /loads/0/force/0 (line 12)" + what + " at t = 0 s".
std::string Formula::whereAndWhen(const std::string& what, const Input& input) const {
  std::string message = "formula \"" + text::clipped(text_, 200) + "\"";
  if (!location_.pointer.empty()) message += " at " + location_.pointer;
  if (location_.line > 0) message += " (line " + std::to_string(location_.line) + ")";
  message += what + " at t = " + text::formatNumber(input.t) + " s";
  if (field_) message += ", at i = " + text::formatNumber(input.i) + ", s = " + text::formatNumber(input.s) + " m";
  return message;
}

double Formula::check(double result, const Input& input) const {
  if (!std::isfinite(result))
    throw Failure(whereAndWhen(std::isnan(result) ? " gave no number (NaN)" : " gave infinity", input));
  if (range_ && !range_->holds(result)) throw Failure(whereAndWhen(": " + rangeWords_(rangePath_, result), input));
  return result;
}

double Formula::value(const Input& input) const { return check(run<PlainArithmetic>(input), input); }

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
