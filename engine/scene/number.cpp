// A number of a scene: forwards to its compiled formula, or prints its constant in the shortest form that reads back
// the same.
#include "scene/number.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "scene/formula.h"

namespace tendril {

std::string formatNumber(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  char text[40];
  for (int digits = 15; digits <= 17; ++digits) {
    std::snprintf(text, sizeof text, "%.*g", digits, value);
    if (std::strtod(text, nullptr) == value) break;
  }
  return text;
}

Number Number::heldIn(const std::string& path) const { return isTimed() ? Number(formula_->heldIn(path)) : *this; }

bool Number::isTimed() const { return formula_ && formula_->timed(); }
bool Number::seesColumns() const { return formula_ && formula_->seesColumns(); }
bool Number::isField() const { return formula_ && formula_->field(); }
bool Number::seesArcLength() const { return formula_ && formula_->seesArcLength(); }
std::string Number::text() const { return formula_ ? formula_->text() : formatNumber(value_); }
double Number::evaluate(const FormulaInput& input) const { return formula_->value(input); }

}  // namespace tendril
