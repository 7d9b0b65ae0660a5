// A number of a scene: evaluates its compiled formula, or prints its constant in the shortest exact form.
#include "formula/number.h"

#include "formula/formula.h"
#include "text/words.h"

namespace tendril::formula {

Number Number::limitedTo(const NumberRange& range, const std::string& path, RangeWords words) const {
  return isTimed() ? Number(formula_->limitedTo(range, path, words)) : *this;
}

bool Number::isTimed() const { return formula_ && formula_->timed(); }
bool Number::seesColumns() const { return formula_ && formula_->seesColumns(); }
bool Number::isField() const { return formula_ && formula_->field(); }
bool Number::seesArcLength() const { return formula_ && formula_->seesArcLength(); }
PlaceUse Number::place() const { return formula_ ? formula_->place() : PlaceUse{}; }
std::string Number::text() const { return formula_ ? formula_->text() : text::formatNumber(value_); }
double Number::evaluate(const Input& input) const { return formula_->value(input); }

}  // namespace tendril::formula
