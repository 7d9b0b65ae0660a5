// What every part of the loader shares: the document, the scene being built, the list of problems, and the reading of
// numbers, vectors, rotations and intervals. Inner header of the loader; nothing outside scene/load*.cpp includes it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "scene/document.h"
#include "scene/formula.h"
#include "scene/resolve.h"
#include "scene/scene.h"

namespace tendril {

/// Whether a parameter that stands in a value acts while the scene runs, or only through a restart.
enum class Use { live, restart };

/// The numbers a place accepts.
struct Range {
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  bool open = false;                       ///< min and max themselves are outside
  bool openMin = false;                    ///< min itself is outside
  bool integer = false;

  static Range any() { return {}; }
  static Range positive() { return {0, std::numeric_limits<double>::infinity(), false, true, false}; }
  static Range notNegative() { return {0, std::numeric_limits<double>::infinity(), false, false, false}; }

  bool holds(double value) const;
  std::string expectation() const;         ///< "a number greater than 0"
};

/// Shortest decimal that reads well in a message (6 digits).
std::string inWords(double value);

class LoadContext {
 public:
  LoadContext(const Document& document, const ResolvedScene& resolved, Scene& scene, Problems& problems);

  const Document& document;
  const Value& root;
  Scene& scene;
  Scope scope;                             ///< parameters, series, probe columns, states
  bool dynamic = true;                     ///< feedback is seen by timed values in dynamic runs only
  bool rodsUsable = true;                  ///< false: some rod has no points, so selectors stay silent

  void problem(const Value& at, const std::string& message) { problems_.push_back(document.problem(at, message)); }
  void problemAtKey(const Member& member, const Value& object, const std::string& message) {
    problems_.push_back(document.problemAtKey(member, object, message));
  }
  void warn(const Value& at, const std::string& message) { scene.warnings.push_back(document.problem(at, message)); }

  Sight constant() const { return {}; }
  Sight timed() const;                     ///< t, and probes and states in dynamic runs
  Sight timedField() const;
  Sight field() const;
  Sight observed() const;                  ///< t, probes and states: checks, probe formulas, rates

  /// A literal, or a formula compiled with `sight`. Where it is neither timed nor a field it is evaluated and must be in
  /// `range`. `name` is what messages call it.
  Number number(const Value& value, Sight sight, Use use, const Range& range = {}, std::string_view name = "number");
  /// A text that is a formula with or without "=". `columnsUsed`: gets the columns that it sees.
  Number formula(const Value& value, Sight sight, Use use, std::vector<int>* columnsUsed = nullptr);
  /// A literal or formula of parameters, evaluated now (its parameters restart the run). Nothing where it is wrong.
  std::optional<double> constantOf(const Value& value, const Range& range = {}, std::string_view name = "number");
  /// constantOf for a member; `fallback` where it is missing or wrong.
  double constantAt(const Value& object, std::string_view key, double fallback, const Range& range = {});
  int integerAt(const Value& object, std::string_view key, int fallback, int min, int max);
  bool flagAt(const Value& object, std::string_view key, bool fallback) const;
  std::string textAt(const Value& object, std::string_view key) const;

  /// Evaluates with the parameters as they are; a value that is not finite is a problem at `at`.
  std::optional<double> evaluate(const Number& number, const FormulaInput& input, const Value& at);
  /// Input with the parameters filled in and zeros elsewhere.
  FormulaInput input() const;
  /// One field checked at a place: finite and in range, else a problem (once) and false.
  bool checkField(const Number& number, const FormulaInput& input, const Value& at, const Range& range,
                  std::string_view name, const std::string& where);

  Number3 vector(const Value& value, Sight sight, Use use);
  std::optional<Vec3> point(const Value& value);
  std::optional<Vec3> direction(const Value& value, std::string_view name);  ///< not zero; not normalised
  Rotation rotation(const Value& value, Sight sight, Use use);
  Interval interval(const Value& object);

  /// Whether values of parameters and of those they depend on may have changed only by a restart, or live.
  void markUse(int parameter, Use use);
  bool usedLive(int parameter) const { return usedLive_[std::size_t(parameter)]; }
  bool usedForRestart(int parameter) const { return usedForRestart_[std::size_t(parameter)]; }

 private:
  bool inRange(double value, const Value& at, const Range& range, std::string_view name);

  Problems& problems_;
  std::vector<bool> usedLive_, usedForRestart_;
};

/// `unknown rod "lag"; did you mean "leg"?`, or a list of what there is.
std::string unknownName(std::string_view kind, std::string_view name, const std::vector<std::string>& known);

}  // namespace tendril
