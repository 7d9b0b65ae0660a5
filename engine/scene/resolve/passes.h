// The passes of resolveScene over the tree, and what they share. Internal to engine/scene/resolve.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "scene/resolve/resolve.h"

namespace tendril::scene {

/// Value of a constant: a literal, or a formula of parameters and repeat names. Problems are added; `used`, if given,
/// collects the parameters read.
std::optional<double> evaluateConstant(const text::Document& document, const text::Value& at,
                                       const formula::Scope& scope, const std::vector<double>& values,
                                       Problems& problems, std::set<int>* used = nullptr);

/// Compiles the formula at `at`; adds a problem at the offending part and returns null if it is wrong.
std::shared_ptr<const formula::Formula> compileAt(const text::Document& document, const text::Value& at,
                                                  const formula::Scope& scope, formula::Sight sight,
                                                  Problems& problems);

/// Reads the sections "parameters" and "series" of `root` (their `repeat` resolved) into `resolved`.
void readParameters(const text::Document& document, const text::Value& root,
                    const std::map<std::string, double>& overrides, ResolvedScene& resolved, Problems& problems);

/// Replaces objects with `repeat` by their copies, and "{...}" in strings by integers.
class Repeater {
 public:
  Repeater(const text::Document& document, const formula::Scope& scope, const std::vector<double>& values,
           Problems& problems)
      : document_(document), scope_(scope), values_(values), problems_(problems) {}

  /// A copy of a top-level section's value, with everything inside it resolved.
  text::Value section(const text::Value& source);
  /// A copy of `source` resolved within `bindings` (a default that fills an object).
  text::Value inside(const text::Value& source, const std::shared_ptr<const text::Bindings>& bindings) {
    return copy(source, bindings, false);
  }
  /// The limits were exceeded: the output is truncated.
  bool exhausted() const { return exhausted_; }
  /// Parameters that counts and braces read.
  const std::set<int>& parametersUsed() const { return used_; }

 private:
  using Shared = std::shared_ptr<const text::Bindings>;
  text::Value copy(const text::Value& source, const Shared& bindings, bool isCopy);
  void items(const text::Value& source, const Shared& bindings, text::Value& out);
  void members(const text::Value& source, const Shared& bindings, bool isCopy, text::Value& out);
  std::vector<Shared> combinations(const text::Value& object, const Shared& outer);
  std::optional<int> count(const text::Member& name, const text::Value& object, const Shared& outer);
  bool nameIsGood(const text::Member& name, const text::Value& repeat, const Shared& outer);
  bool keyNames(const text::Member& member, const text::Value& repeat);
  std::optional<std::string> substitute(const std::string& text, const text::Value& at, const Shared& bindings);
  std::optional<std::string> integerText(const std::string& expression, const text::Value& at, const Shared& bindings);
  bool tooMany(const text::Value& at);

  const text::Document& document_;
  const formula::Scope& scope_;
  const std::vector<double>& values_;
  Problems& problems_;
  std::set<int> used_;
  std::size_t copies_ = 0, copiedValues_ = 0;
  bool exhausted_ = false;
};

}  // namespace tendril::scene
