// Formulas of the scene language: a Pratt parser to bytecode and its evaluator (docs/scenes.md).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "formula/number.h"
#include "formula/number_range.h"
#include "text/bindings.h"

namespace tendril::formula {

/// A data series: "linear" or "step" between its times, constant outside.
struct Series {
  std::vector<double> time;                            ///< [s], strictly increasing
  std::map<std::string, std::vector<double>> columns;  ///< a lone "value" column has the series' name
  bool step = false;
};

/// Every name that a formula of this scene may see. Later entries hide earlier ones: reserved and repeat names, then
/// probes and states, then parameters, then pi and e.
struct Scope {
  std::map<std::string, int> parameters;  ///< name -> index into Input::parameters
  std::map<std::string, int> columns;     ///< flat name -> index into Input::columns
  std::map<std::string, std::shared_ptr<const Series>> series;
};

/// The names allowed in a formula, by its context; any other name is an error that says where it would be allowed.
struct Sight {
  bool timed = false;     ///< t, and (dynamic runs) probes and states
  bool columns = false;   ///< probes and states
  bool field = false;     ///< s u x y z i n
  bool position = false;  ///< x y z (and s u i n with field): `where`
  bool along = false;     ///< u alone: the coordinates of a path's `curve`
  bool link = false;      ///< s and u alone: along a link of a linkage, or along a cable
  bool place = false;     ///< the point that a force acts on (Place), and s u i n
};

/// Where a formula is written, for Failure messages at run time.
struct Location {
  std::string pointer;
  int line = 0, column = 0;
};

/// What is wrong with a formula's text.
struct Error {
  std::string message;     ///< with the nearest known name where a name is unknown
  std::size_t at = 0;      ///< byte offset in the text
  std::size_t length = 1;  ///< bytes of the offending part
};

class Formula {
 public:
  /// Throws Failure on NaN, on infinity and outside of the formula's range.
  double value(const Input& input) const;
  /// And where a derivative is not finite.
  Slopes slopes(const Input& input) const;
  Curves curves(const Input& input) const;
  /// As Number::limitedTo.
  std::shared_ptr<const Formula> limitedTo(const NumberRange& range, std::string path, RangeWords words) const;
  bool timed() const { return timed_; }
  bool seesColumns() const { return !columnsUsed_.empty(); }
  bool field() const { return field_; }
  bool seesArcLength() const { return arcLength_; }
  const PlaceUse& place() const { return place_; }
  /// Names of the scene's own that hide those of a place.
  const std::vector<std::string>& hidden() const { return hidden_; }
  const std::vector<int>& parametersUsed() const { return parametersUsed_; }
  const std::vector<int>& columnsUsed() const { return columnsUsed_; }
  const std::vector<std::shared_ptr<const Series>>& seriesUsed() const { return seriesUsed_; }
  const std::string& text() const { return text_; }
  const Location& location() const { return location_; }

 private:
  friend class Compiler;
  struct Instruction {
    std::uint16_t op = 0;
    std::uint16_t count = 0;  ///< arguments
    std::int32_t index = 0;   ///< parameter, column, jump target or series
    double constant = 0;
  };
  struct SeriesColumn {
    const Series* series = nullptr;  ///< kept alive by seriesUsed_
    const std::vector<double>* values = nullptr;
  };
  template <class Arithmetic>
  typename Arithmetic::Value run(const Input& input) const;
  double check(double result, const Input& input) const;
  std::string whereAndWhen(const std::string& what, const Input& input) const;
  std::vector<Instruction> code_;
  std::vector<SeriesColumn> seriesColumns_;
  std::vector<std::shared_ptr<const Series>> seriesUsed_;
  std::vector<int> parametersUsed_, columnsUsed_;
  bool timed_ = false, field_ = false, arcLength_ = false;
  PlaceUse place_;
  std::vector<std::string> hidden_;
  int depth_ = 0;  ///< most values on the stack at one time
  std::string text_;
  Location location_;
  const NumberRange* range_ = nullptr;  ///< allowed values, from the key at rangePath_; null: no limit
  std::string rangePath_;
  RangeWords rangeWords_ = nullptr;
};

/// Parses `text` (a leading '=' is optional here). Depth and length are limited; never throws.
std::variant<std::shared_ptr<const Formula>, Error> compileFormula(std::string_view text, const Scope& scope,
                                                                   Sight sight, const text::Bindings& bindings,
                                                                   Location location);

/// The language's random(a, ...): uniform in [0, 1), a fixed function of 1 to 4 arguments rounded to integers.
double formulaRandom(const double* arguments, int count);

}  // namespace tendril::formula
