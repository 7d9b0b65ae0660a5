// JSON with source locations: the scene text as a tree that remembers where each value was. Comments are allowed,
// duplicate keys are problems, depth is limited.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "tendril/problem.h"
#include "text/bindings.h"

namespace tendril::text {

/// Byte range in the scene text.
struct Span {
  std::size_t begin = 0, end = 0;
};

struct Member;

/// A JSON value with its span. After `resolveScene`, copies made by `repeat` share the span of their source and carry
/// the values of the repeat names in `bindings`.
struct Value {
  enum class Kind { null, boolean, number, string, array, object };
  Kind kind = Kind::null;
  bool boolean = false;
  double number = 0;
  std::string string;
  std::vector<Value> items;
  std::vector<Member> members;
  Span span;
  std::string pointer;                       ///< JSON pointer in the file as written
  std::shared_ptr<const Bindings> bindings;  ///< null outside of a repeat

  bool isObject() const { return kind == Kind::object; }
  bool isArray() const { return kind == Kind::array; }
  bool isString() const { return kind == Kind::string; }
  bool isNumber() const { return kind == Kind::number; }
  bool isFormula() const { return isString() && !string.empty() && string[0] == '='; }
  const Value* find(std::string_view key) const;  ///< member of an object, or null
  const Member* member(std::string_view key) const;
};

struct Member {
  std::string key;
  Span keySpan;
  Value value;
};

/// The text and its tree.
class Document {
 public:
  static constexpr std::size_t maximumText = std::size_t{64} << 20;  ///< [bytes]

  /// Parses; a syntax error ends the list. Limits: depth 100, text 64 MiB.
  static std::variant<Document, Problems> parse(std::string text);
  /// The tree of a text that parse() may refuse; nullopt where it is not JSON.
  static std::optional<Document> glance(std::string text);

  const std::string& text() const { return text_; }
  const Value& root() const { return root_; }

  /// A Problem at the value; appends the repeat values ("with k = 3") where there are some. `offset` and `length`
  /// narrow the span to a part of a string value (a formula's position).
  Problem problem(const Value& at, std::string message) const;
  Problem problem(const Value& at, std::string message, std::size_t offset, std::size_t length) const;
  Problem problemAtKey(const Member& member, const Value& object, std::string message) const;

 private:
  static Document parse(std::string text, Problems& problems, bool& isJson);

  std::string text_;
  Value root_;
  /// A known position: every line start, and every few hundred bytes within long lines.
  struct Mark {
    std::size_t begin = 0, units = 0;  ///< offsets from the start of the text: bytes, UTF-16 units
    std::size_t line = 0, column = 0;  ///< lines before it; code points before it in its line
  };
  void setMarks();
  Problem problemAt(Span span, std::string pointer, std::string message) const;
  std::vector<Mark> marks_;
};

}  // namespace tendril::text
