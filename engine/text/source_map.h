// Locations of the values of a text, kept after the text and its tree are gone, so that later problems can still name
// them.
#pragma once

#include <map>
#include <string>

#include "tendril/problem.h"

namespace tendril::text {

class Document;
struct Value;

class SourceMap {
 public:
  SourceMap() = default;
  /// Maps every member of an object and every object in a list; numbers in lists have the location of their list.
  explicit SourceMap(const Document& document);

  /// A problem at the value of a JSON pointer; where it is not written, for example a default, at its closest parent.
  Problem problem(const std::string& pointer, const std::string& message) const;

 private:
  void add(const Document& document, const Value& value);

  std::map<std::string, Problem> problems_;  ///< by pointer; each with the text to append to a message
};

}  // namespace tendril::text
