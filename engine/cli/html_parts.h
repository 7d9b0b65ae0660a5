// Parts of pages that reports are made of.
#pragma once

#include <cmath>
#include <initializer_list>
#include <string>

#include "cli/numbers.h"

namespace tendril::cli {

inline std::string head(const std::string& name) { return "<h2>" + name + "</h2>\n"; }

inline std::string row(std::initializer_list<std::string> cells, const char* tag = "td") {
  std::string out = "<tr>";
  for (const std::string& cell : cells) out += "<" + std::string(tag) + ">" + cell + "</" + tag + ">";
  return out + "</tr>\n";
}

inline std::string finite(double value, int digits = 4) {
  return std::isnan(value) ? "" : std::isinf(value) ? "&infin;" : humanNumber(value, digits);
}

}  // namespace tendril::cli
