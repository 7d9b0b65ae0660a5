// Splits a formula's text into numbers, dotted names and symbols. Never throws; invalid input comes back as a token of
// kind `error` with a message.
#include "formula/compile/lexer.h"

#include <cmath>
#include <cstdlib>

namespace tendril::formula {

namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool startsName(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_'; }
bool continuesName(char c) { return startsName(c) || isDigit(c); }

/// Length of the number at `begin`: digits, a point, an exponent with digits.
std::size_t numberLength(std::string_view text, std::size_t begin) {
  std::size_t end = begin;
  while (end < text.size() && isDigit(text[end])) ++end;
  if (end < text.size() && text[end] == '.') {
    ++end;
    while (end < text.size() && isDigit(text[end])) ++end;
  }
  if (end < text.size() && (text[end] == 'e' || text[end] == 'E')) {
    std::size_t digits = end + 1;
    if (digits < text.size() && (text[digits] == '+' || text[digits] == '-')) ++digits;
    if (digits < text.size() && isDigit(text[digits])) {
      end = digits;
      while (end < text.size() && isDigit(text[end])) ++end;
    }
  }
  return end - begin;
}

void readNumber(std::string_view text, Token& token) {
  token.kind = Token::Kind::number;
  token.length = numberLength(text, token.at);
  token.text = text.substr(token.at, token.length);
  token.number = std::strtod(std::string(token.text).c_str(), nullptr);
  if (!std::isfinite(token.number)) {
    token.kind = Token::Kind::error;
    token.message = "the number " + std::string(token.text.substr(0, 40)) + " is too large";
  }
}

void readName(std::string_view text, Token& token) {
  std::size_t end = token.at;
  while (end < text.size() && continuesName(text[end])) ++end;
  while (end + 1 < text.size() && text[end] == '.' && startsName(text[end + 1])) {
    ++end;
    while (end < text.size() && continuesName(text[end])) ++end;
  }
  token.kind = Token::Kind::name;
  token.length = end - token.at;
  token.text = text.substr(token.at, token.length);
}

void readSymbol(std::string_view text, Token& token) {
  static const char* const two[] = {"<=", ">=", "==", "!=", "&&", "||"};
  const std::string_view rest = text.substr(token.at);
  token.kind = Token::Kind::symbol;
  token.length = 1;
  for (const char* symbol : two)
    if (rest.substr(0, 2) == symbol) token.length = 2;
  token.text = rest.substr(0, token.length);
  if (token.length == 2 || std::string_view("+-*/^%(),?:<>!").find(rest[0]) != std::string_view::npos) return;
  token.kind = Token::Kind::error;
  const unsigned char c = static_cast<unsigned char>(rest[0]);
  if (c == '=')
    token.message = "\"=\" compares nothing here: write == to compare";
  else if (c == '&' || c == '|')
    token.message = std::string("write ") + rest[0] + rest[0] + " for a logical " + (c == '&' ? "and" : "or");
  else if (c < 0x20 || c == 0x7f)
    token.message = "a control character does not belong in a formula";
  else {
    while (token.length < rest.size() && (static_cast<unsigned char>(rest[token.length]) & 0xC0) == 0x80)
      ++token.length;
    token.message = "\"" + std::string(rest.substr(0, token.length)) + "\" does not belong in a formula";
  }
}

}  // namespace

Token nextFormulaToken(std::string_view text, std::size_t position) {
  while (position < text.size() &&
         (text[position] == ' ' || text[position] == '\t' || text[position] == '\n' || text[position] == '\r'))
    ++position;
  Token token;
  token.at = position;
  if (position >= text.size()) return token;
  const char c = text[position];
  if (isDigit(c) || (c == '.' && position + 1 < text.size() && isDigit(text[position + 1])))
    readNumber(text, token);
  else if (startsName(c))
    readName(text, token);
  else
    readSymbol(text, token);
  return token;
}

}  // namespace tendril::formula
