// Measured numbers as text: a header and rows, whose cells commas, semicolons or tabs separate.
#pragma once

#include <string>
#include <variant>
#include <vector>

namespace tendril::fit {

/// Columns by name; empty cells are gaps (NaN).
struct DataTable {
  std::vector<std::string> names;
  std::vector<std::vector<double>> rows;
  std::vector<int> lines;  ///< of the rows in the text, from 1

  int column(const std::string& name) const;  ///< -1: none of that name
};

/// The table, or what is wrong with it ("line 3: ..."). Lines that begin with # are remarks.
std::variant<DataTable, std::string> readData(const std::string& text);

}  // namespace tendril::fit
