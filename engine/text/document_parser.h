// Reads JSON with comments into a tree of values with spans. Internal to engine/text/document*.cpp.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "text/document.h"

namespace tendril::text {

/// What is wrong with the text, and where [bytes].
struct SyntaxError {
  std::string message, pointer;
  Span span;
};

class DocumentParser {
 public:
  explicit DocumentParser(std::string_view text) : text_(text) {}

  /// Fills `root`; returns the error where the text is not JSON. Refused content that leaves no doubt where values
  /// begin and end is collected in refused() and does not stop the parser: duplicate keys, numbers that are not finite,
  /// unpaired surrogates.
  std::optional<SyntaxError> parse(Value& root);
  const std::vector<SyntaxError>& refused() const { return refused_; }

 private:
  bool value(Value& out, std::string pointer, int depth);
  bool object(Value& out, int depth);
  bool array(Value& out, int depth);
  bool member(Value& object, int depth);
  bool string(std::string& out);
  bool escape(std::string& out);
  bool unicodeEscape(std::string& out);
  bool hexDigits(unsigned& code);
  bool number(double& out);
  bool word(Value& out);
  bool blanks();  ///< skips blanks and comments; false: an unclosed comment
  bool validUtf8();
  bool fail(std::size_t begin, std::size_t end, std::string message);
  void refuse(std::size_t begin, std::size_t end, std::string message);
  bool failHere(const std::string& expected);  ///< "expected ..., found ..."
  std::string foundHere(std::size_t& end) const;
  bool ended() const { return at_ >= text_.size(); }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t count_ = 0;  ///< values read
  std::string pointer_;    ///< of the current value
  std::optional<SyntaxError> error_;
  std::vector<SyntaxError> refused_;
};

/// Key of an object as a part of a JSON pointer: ~ and / escaped.
std::string pointerPart(std::string_view key);

}  // namespace tendril::text
