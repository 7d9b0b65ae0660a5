#include "fit/data.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "text/csv.h"
#include "text/words.h"

namespace tendril::fit {

namespace {

bool isNumber(const std::string& cell, double& number) {
  if (cell.find_first_not_of("0123456789+-.eE") != std::string::npos) return false;
  char* end = nullptr;
  number = std::strtod(cell.c_str(), &end);
  return *end == '\0' && std::isfinite(number);
}

std::string readHeader(const std::vector<text::Cell>& cells, DataTable& table) {
  for (const text::Cell& cell : cells) {
    const std::string name(text::withoutMark(cell.text));
    double number = 0;
    if (name.empty())
      return "column " + std::to_string(table.names.size() + 1) + " of the header is empty; expected a name";
    if (isNumber(name, number)) return "expected a header of names, but found the number " + name;
    if (table.column(name) >= 0) return "the header has two columns named \"" + text::clipped(name) + "\"";
    table.names.push_back(name);
  }
  return {};
}

std::string readRow(const std::vector<text::Cell>& cells, DataTable& table) {
  if (cells.size() != table.names.size())
    return std::to_string(cells.size()) + " cells; expected " + std::to_string(table.names.size()) +
           ", as in the header (a gap is an empty cell)";
  std::vector<double> values;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    double number = std::numeric_limits<double>::quiet_NaN();
    if (!cells[c].text.empty() && !isNumber(cells[c].text, number))
      return "\"" + text::clipped(cells[c].text) + "\" in column \"" + text::clipped(table.names[c]) +
             "\" is not a finite number; expected one, or an empty cell for a gap";
    values.push_back(number);
  }
  table.rows.push_back(std::move(values));
  return {};
}

}  // namespace

int DataTable::column(const std::string& name) const {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? -1 : int(found - names.begin());
}

std::variant<DataTable, std::string> readData(const std::string& text) {
  DataTable table;
  int line = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::vector<text::Cell> cells = text::cellsOf(text, begin, end);
    begin = end + 1;
    ++line;
    if (cells.empty() || (cells.size() == 1 && cells[0].text.empty()) || cells[0].text.starts_with('#')) continue;
    const bool first = table.names.empty();
    const std::string problem = first ? readHeader(cells, table) : readRow(cells, table);
    if (!problem.empty()) return "line " + std::to_string(line) + ": " + problem;
    if (!first) table.lines.push_back(line);
  }
  if (table.names.empty()) return "there is no header; expected one, such as \"t,x,y\"";
  if (table.rows.empty()) return "there are no rows below the header";
  return table;
}

}  // namespace tendril::fit
