// Reads JSON with comments into a tree of values with places. Internal to engine/text/document*.cpp.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "text/document.h"

namespace tendril::text {

/// What is wrong with the text, and where [bytes].
struct SyntaxError {
  std::string message, pointer;
  Place place;
};

class DocumentParser {
 public:
  explicit DocumentParser(std::string_view text) : text_(text) {}

  /// Fills `root`; the error where the text is no JSON. What is refused, but leaves no doubt of where values begin and end,
  /// is collected in refused() and does not stop: keys that stand twice, numbers that are not finite, halves of surrogates.
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
  std::string pointer_;    ///< of the value being read
  std::optional<SyntaxError> error_;
  std::vector<SyntaxError> refused_;
};

/// Key of an object as a JSON pointer's part: ~ and / escaped.
std::string pointerPart(std::string_view key);

}  // namespace tendril::text
