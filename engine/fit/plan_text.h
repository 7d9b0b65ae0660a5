// Reads values of a plan's tree, and lists what is wrong with them.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "tendril/problem.h"
#include "text/document.h"

namespace tendril::fit {

/// A range for a number: open ends are exclusive.
struct Range {
  double min, max;
  bool open = false;
  bool whole = false;
  const char* words;  ///< "a number greater than 0"
};

extern const Range anyNumber, positiveNumber;

class PlanText {
 public:
  explicit PlanText(const text::Document& document) : document_(document) {}

  void problem(const text::Value& at, const std::string& message);
  void problemAtKey(const text::Value& object, const text::Member& member, const std::string& message);
  /// "unknown probe "tpi.x"; did you mean "tip.x"?"
  void unknownName(const text::Value& at, const char* kind, const std::string& name,
                   const std::vector<std::string>& known);
  /// An object with no keys but these; those of a later version are refused by name. False: it is no object.
  bool object(const text::Value& value, std::initializer_list<const char*> known,
              std::initializer_list<const char*> later = {});
  std::optional<double> number(const text::Value& value, const Range& range = anyNumber);
  /// Of a member; nothing where it is missing.
  std::optional<double> number(const text::Value& object, const char* key, const Range& range = anyNumber);
  std::optional<std::string> string(const text::Value& object, const char* key);

  const text::Document& document() const { return document_; }
  Problems problems;

 private:
  const text::Document& document_;
};

}  // namespace tendril::fit
