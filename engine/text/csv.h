// Tables as text: cells of a line, whatever separates them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tendril::text {

struct Cell {
  std::string text;    ///< without blanks and quotes around it
  std::size_t at = 0;  ///< byte offset in the table's text
};

/// The cells of the line [begin, end), which commas, semicolons or tabs separate; one empty cell for an empty line.
std::vector<Cell> cellsOf(const std::string& text, std::size_t begin, std::size_t end);

/// Without the byte order mark that some spreadsheets write.
std::string_view withoutMark(std::string_view text);

}  // namespace tendril::text
