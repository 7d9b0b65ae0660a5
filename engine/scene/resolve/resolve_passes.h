// The passes of resolveScene over the tree, and what they share. Internal to engine/scene/resolve*.cpp.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "scene/resolve/resolve.h"

namespace tendril {

/// Value of a constant place: a literal, or a formula of parameters and repeat names. Problems are added; `used`, where
/// given, collects the parameters read.
std::optional<double> evaluateConstant(const Document& document, const Value& at, const Scope& scope,
                                       const std::vector<double>& values, Problems& problems,
                                       std::set<int>* used = nullptr);

/// Compiles a formula that stands at `at`; adds a problem at the offending part and returns null where it is wrong.
std::shared_ptr<const Formula> compileAt(const Document& document, const Value& at, const Scope& scope, Sight sight,
                                         Problems& problems);

/// Reads the sections "parameters" and "series" of `root` (their `repeat` resolved) into `resolved`.
void readParameters(const Document& document, const Value& root, const std::map<std::string, double>& overrides,
                    ResolvedScene& resolved, Problems& problems);

/// Replaces objects that carry `repeat` by their copies and "{...}" in strings by integers.
class Repeater {
 public:
  Repeater(const Document& document, const Scope& scope, const std::vector<double>& values, Problems& problems)
      : document_(document), scope_(scope), values_(values), problems_(problems) {}

  /// A copy of a top-level section's value, everything inside it resolved.
  Value section(const Value& source);
  /// A copy of `source` as it reads inside `bindings` (a default that fills an object).
  Value inside(const Value& source, const std::shared_ptr<const Bindings>& bindings) {
    return copy(source, bindings, false);
  }
  /// The limits were exceeded: what came out is cut short.
  bool exhausted() const { return exhausted_; }
  /// Parameters that counts and braces read.
  const std::set<int>& parametersUsed() const { return used_; }

 private:
  using Shared = std::shared_ptr<const Bindings>;
  Value copy(const Value& source, const Shared& bindings, bool isCopy);
  void items(const Value& source, const Shared& bindings, Value& out);
  void members(const Value& source, const Shared& bindings, bool isCopy, Value& out);
  std::vector<Shared> combinations(const Value& object, const Shared& outer);
  std::optional<int> count(const Member& name, const Value& object, const Shared& outer);
  bool nameIsGood(const Member& name, const Value& repeat, const Shared& outer);
  bool keyNames(const Member& member, const Value& repeat);
  std::optional<std::string> substitute(const std::string& text, const Value& at, const Shared& bindings);
  std::optional<std::string> integerText(const std::string& expression, const Value& at, const Shared& bindings);
  bool tooMany(const Value& at);

  const Document& document_;
  const Scope& scope_;
  const std::vector<double>& values_;
  Problems& problems_;
  std::set<int> used_;
  std::size_t copies_ = 0, copiedValues_ = 0;
  bool exhausted_ = false;
};

}  // namespace tendril
