// Splits a formula's text into tokens. Internal to engine/; used by the compiler and by the substitution of repeat
// names in `expand`.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tendril::formula {

struct Token {
  enum class Kind { end, number, name, symbol, error };
  Kind kind = Kind::end;
  std::size_t at = 0, length = 0;  ///< bytes in the text
  double number = 0;
  std::string_view text;  ///< a dotted name is one token: "tip.x"
  std::string message;    ///< error only
};

/// The token that starts at or after `position`. Symbols: + - * / ^ % ( ) , ? : < <= > >= == != && || !
Token nextFormulaToken(std::string_view text, std::size_t position);

}  // namespace tendril::formula
