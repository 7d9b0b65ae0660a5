// Numbers as text for result files: exact to the last bit, and null in JSON where a number is not finite.
#pragma once

#include <string>

namespace tendril::cli {

/// 17 significant digits, "nan" or "inf" where it is not finite (for CSV).
void appendDigits17(std::string& text, double value);

/// The shorter of 15, 16 or 17 digits that reads back exactly; "null" where not finite. Returns false for null.
bool appendJsonNumber(std::string& text, double value);

/// For people: `digits` significant digits.
std::string humanNumber(double value, int digits = 6);

}  // namespace tendril::cli
