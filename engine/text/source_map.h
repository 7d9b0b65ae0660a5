// Where the values of a text stand, kept when the text and its tree are gone: what is found later still names its
// place.
#pragma once

#include <map>
#include <string>

#include "text/problem.h"

namespace tendril::text {

class Document;
struct Value;

class SourceMap {
 public:
  SourceMap() = default;
  /// Of every member of an object and every object in a list; numbers in lists have the place of their list.
  explicit SourceMap(const Document& document);

  /// At the value of a JSON pointer; where it is not written, say for it is a default, at what would hold it.
  Problem problem(const std::string& pointer, const std::string& message) const;

 private:
  void add(const Document& document, const Value& value);

  std::map<std::string, Problem> places_;  ///< by pointer; each with what it adds to a message
};

}  // namespace tendril::text
