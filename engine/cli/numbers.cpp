// printf's %g with the "C" locale, which the program never changes.
#include "cli/numbers.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace tendril::cli {

void appendDigits17(std::string& text, double value) {
  char buffer[40];
  text.append(buffer, static_cast<std::size_t>(std::snprintf(buffer, sizeof buffer, "%.17g", value)));
}

bool appendJsonNumber(std::string& text, double value) {
  if (!std::isfinite(value)) {
    text += "null";
    return false;
  }
  char buffer[40];
  int length = 0;
  for (int digits = 15; digits <= 17; ++digits) {
    length = std::snprintf(buffer, sizeof buffer, "%.*g", digits, value);
    if (digits == 17 || std::strtod(buffer, nullptr) == value) break;
  }
  text.append(buffer, static_cast<std::size_t>(length));
  return true;
}

std::string humanNumber(double value, int digits) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%.*g", digits, value);
  return buffer;
}

}  // namespace tendril::cli
