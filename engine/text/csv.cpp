#include "text/csv.h"

namespace tendril::text {

std::vector<Cell> cellsOf(const std::string& text, std::size_t begin, std::size_t end) {
  std::vector<Cell> cells;
  for (std::size_t start = begin; start <= end;) {
    std::size_t stop = text.find_first_of(",;\t", start);
    if (stop == std::string::npos || stop > end) stop = end;
    std::size_t first = start, last = stop;
    const auto blank = [&text](std::size_t i) { return text[i] == ' ' || text[i] == '\r' || text[i] == '"'; };
    while (first < last && blank(first)) ++first;
    while (last > first && blank(last - 1)) --last;
    cells.push_back({text.substr(first, last - first), first});
    start = stop + 1;
  }
  return cells;
}

std::string_view withoutMark(std::string_view text) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  return text.substr(0, mark.size()) == mark ? text.substr(mark.size()) : text;
}

}  // namespace tendril::text
