// Actuation tables: lists of rows in the scene, or the text of a CSV file (a header, then time and one column per
// spring, edge or hinge). Both become an ActuationTable with increasing times and rows of one number or one for each.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "geometry/sort_rows.h"
#include "scene/load/topics.h"
#include "scene/select/selector.h"
#include "scene/select/shells.h"
#include "text/csv.h"

namespace tendril::scene {
namespace {

constexpr std::size_t stretch = 3, angle = 4;
constexpr std::array<const char*, 5> quantities = {"curvature1", "curvature2", "twist", "stretch", "angle"};

std::vector<std::vector<double>>& rowsOf(ActuationTable& table, std::size_t quantity) {
  if (quantity == 0) return table.curvature1;
  if (quantity == 1) return table.curvature2;
  if (quantity == angle) return table.angle;
  return quantity == 2 ? table.twist : table.stretch;
}

/// Number of values in a full row: interior nodes of the selection, its edges for stretch, or its hinges for angle.
struct SpringCount {
  bool ofShells = false;  ///< which have hinges alone; rods have all else
  std::size_t springs = 0, edges = 0, hinges = 0;
  bool known = false;  ///< false: the selection is wrong, which is reported elsewhere
  std::size_t of(std::size_t quantity) const {
    return quantity == angle ? hinges : quantity == stretch ? edges : springs;
  }
  bool has(std::size_t quantity) const { return (quantity == angle) == ofShells; }
  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (std::size_t q = 0; q < quantities.size(); ++q)
      if (has(q)) out.emplace_back(quantities[q]);
    return out;
  }
};

SpringCount countSprings(const Scene& scene, const std::vector<NodeRef>& nodes, bool ofShells) {
  SpringCount count;
  count.ofShells = ofShells;
  count.known = !nodes.empty();
  if (ofShells) {
    count.hinges = std::size_t(shellPartsWithin(scene, nodes).hinges);
    return count;
  }
  for (const NodeRef node : nodes) {
    const int last = int(scene.rods[std::size_t(node.body)].points.size()) - 1;
    if (node.node > 0 && node.node < last) ++count.springs;
  }
  count.edges = edgesWithin(scene.rods, nodes).size();
  return count;
}

std::string wrongWidth(std::size_t found, std::size_t expected, std::size_t quantity) {
  return std::to_string(found) + " values for " + quantities[quantity] + "; expected 1 (for all " +
         (quantity == angle ? "hinges) or " : "springs) or ") + std::to_string(expected) +
         (quantity == angle     ? " (one per hinge)"
          : quantity == stretch ? " (one per edge)"
                                : " (one per interior node)");
}

void readTime(LoadContext& context, const text::Value& value, ActuationTable& table) {
  for (const text::Value& item : value.items) {
    const double time = context.constantOf(item).value_or(std::nan(""));
    if (!table.time.empty() && time <= table.time.back())
      context.problem(item, "time " + inWords(time) + " does not follow " + inWords(table.time.back()) +
                                "; expected increasing times");
    table.time.push_back(time);
  }
  if (value.items.empty()) context.problem(value, "expected at least one time");
}

void readRows(LoadContext& context, const text::Value& value, std::size_t quantity, const SpringCount& count,
              ActuationTable& table) {
  std::vector<std::vector<double>>& rows = rowsOf(table, quantity);
  const std::string path = std::string("actuation.table.") + quantities[quantity];
  for (const text::Value& item : value.items) {
    std::vector<double> row;
    if (item.isArray())
      for (const text::Value& entry : item.items) row.push_back(context.constantOf(entry, path).value_or(1));
    else
      row.push_back(context.constantOf(item, path).value_or(1));
    if (row.size() != 1 && row.size() != count.of(quantity) && count.known)
      context.problem(item, wrongWidth(row.size(), count.of(quantity), quantity));
    rows.push_back(std::move(row));
  }
  if (rows.size() != table.time.size())
    context.problem(value, std::to_string(rows.size()) + " rows for " + std::to_string(table.time.size()) +
                               " times; expected one row per time");
}

/// Reads the text line by line; problems point into it.
class CsvReader {
 public:
  CsvReader(LoadContext& context, const text::Value& value, const SpringCount& count)
      : context_(context), value_(value), count_(count) {}

  bool read(ActuationTable& table) {
    const std::string& text = value_.string;
    bool headerSeen = false;
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      const std::vector<text::Cell> cells = text::cellsOf(text, begin, end);
      const bool empty = cells.empty() || (cells.size() == 1 && cells[0].text.empty());
      if (!empty && !(headerSeen ? readRow(cells, table) : readHeader(cells))) return false;
      headerSeen = headerSeen || !empty;
      begin = end + 1;
    }
    if (!table.time.empty()) return true;
    return fail(0, std::string("the table has no rows; expected a header, then time and one column per ") +
                       (count_.ofShells ? "hinge" : "spring"));
  }

 private:
  bool fail(std::size_t at, const std::string& message) {
    context_.problem(value_, "in the CSV text, line " + std::to_string(lineOf(at)) + ": " + message);
    return false;
  }
  std::size_t lineOf(std::size_t at) const {
    std::size_t line = 1;
    for (std::size_t i = 0; i < at && i < value_.string.size(); ++i) line += value_.string[i] == '\n';
    return line;
  }

  static bool isNumber(const std::string& text, double& number) {
    char* end = nullptr;
    number = std::strtod(text.c_str(), &end);
    return !text.empty() && *end == '\0' && std::isfinite(number);
  }

  /// Columns are named by their quantity; with one column per spring, each has its number, from 0 on.
  bool readHeader(const std::vector<text::Cell>& cells) {
    double number = 0;
    std::string first(text::withoutMark(cells[0].text));
    if (isNumber(first, number))
      return fail(cells[0].at,
                  std::string("expected a header, such as \"time,") + (count_.ofShells ? "angle\"" : "curvature1\""));
    if (first != "t" && first != "time")
      return fail(cells[0].at, "the first column is \"" + first + "\"; expected \"time\" (or \"t\")");
    if (cells.size() < 2) return fail(cells[0].at, "expected a column of time and at least one more");
    std::array<std::size_t, quantities.size()> widths = {};
    for (std::size_t c = 1; c < cells.size(); ++c) {
      const std::string& name = cells[c].text;
      const std::string quantity = name.substr(0, name.find('['));
      const std::size_t q = std::size_t(std::find(quantities.begin(), quantities.end(), quantity) - quantities.begin());
      if (q == quantities.size() || !count_.has(q))
        return fail(cells[c].at, unknownName("column", quantity, count_.names()) +
                                     (count_.ofShells ? "; where each hinge has a column, with its number: angle[0]"
                                                      : "; where each spring has a column, with its number: "
                                                        "curvature1[0]"));
      if (name != quantity ? name != quantity + "[" + std::to_string(widths[q]) + "]" : widths[q] > 0)
        return fail(cells[c].at, "the column \"" + name + "\" is not the one that follows here; expected " +
                                     (name == quantity ? quantity + " once, or " : std::string()) + quantity + "[0], " +
                                     quantity + "[1] and so on, in this order");
      columns_.push_back(q);
      ++widths[q];
    }
    for (std::size_t q = 0; q < quantities.size(); ++q)
      if (widths[q] > 1 && widths[q] != count_.of(q) && count_.known)
        return fail(cells[0].at, wrongWidth(widths[q], count_.of(q), q));
    return true;
  }

  bool readRow(const std::vector<text::Cell>& cells, ActuationTable& table) {
    if (cells.size() != columns_.size() + 1)
      return fail(cells[0].at, std::to_string(cells.size()) + " columns; expected " +
                                   std::to_string(columns_.size() + 1) + " as in the header");
    std::array<std::vector<double>, quantities.size()> rows;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      double number = 0;
      if (!isNumber(cells[c].text, number))
        return fail(cells[c].at, "\"" + cells[c].text + "\" is not a finite number");
      if (c == 0 && !table.time.empty() && number <= table.time.back())
        return fail(cells[c].at, "time " + inWords(number) + " does not follow " + inWords(table.time.back()) +
                                     "; expected increasing times");
      if (c == 0)
        table.time.push_back(number);
      else if (columns_[c - 1] == stretch && number <= 0)
        return fail(cells[c].at, "stretch is " + inWords(number) + "; expected a number greater than 0");
      else
        rows[columns_[c - 1]].push_back(number);
    }
    for (std::size_t q = 0; q < rows.size(); ++q)
      if (!rows[q].empty()) rowsOf(table, q).push_back(std::move(rows[q]));
    return true;
  }

  LoadContext& context_;
  const text::Value& value_;
  SpringCount count_;
  std::vector<std::size_t> columns_;  ///< quantity of each column after time
};

/// Destination of a column of the selection's rows: the rod, and the index in that rod's rows.
using Targets = std::vector<std::pair<int, std::size_t>>;

Targets targetsOf(const Scene& scene, const std::vector<NodeRef>& nodes, std::size_t quantity) {
  Targets targets;
  if (quantity == stretch) {
    for (const EdgeRef edge : edgesWithin(scene.rods, nodes)) targets.push_back({edge.rod, std::size_t(edge.edge)});
    return targets;
  }
  for (const NodeRef node : nodes) {
    const int last = int(scene.rods[std::size_t(node.body)].points.size()) - 1;
    if (node.node > 0 && node.node < last) targets.push_back({node.body, std::size_t(node.node - 1)});
  }
  return targets;
}

using Rows = std::vector<std::vector<double>>;

bool hasWideRow(const Rows& rows) {
  return std::any_of(rows.begin(), rows.end(), [](const std::vector<double>& row) { return row.size() > 1; });
}

/// The rows for one rod; entries outside the selection get `outside`, which nothing reads.
Rows rowsForRod(const Rows& rows, const Targets& targets, int rod, std::size_t width, double outside) {
  if (!hasWideRow(rows)) return rows;
  Rows result;
  for (const std::vector<double>& row : rows) {
    std::vector<double> whole(width, outside);
    for (std::size_t c = 0; c < targets.size(); ++c)
      if (targets[c].first == rod) whole[targets[c].second] = row.size() == 1 ? row[0] : row[c];
    result.push_back(std::move(whole));
  }
  return result;
}

bool isValid(const ActuationTable& table, const Scene& scene, const std::vector<NodeRef>& nodes) {
  ActuationTable copy = table;
  const SpringCount count = countSprings(scene, nodes, false);
  for (std::size_t q = 0; q < quantities.size(); ++q)
    for (const std::vector<double>& row : rowsOf(copy, q))
      if (row.size() != 1 && row.size() != count.of(q)) return false;
  return true;
}

}  // namespace

std::vector<Actuation> spreadOverRods(const Scene& scene, Actuation actuation) {
  if (!actuation.table) return {actuation};
  ActuationTable& table = *actuation.table;
  const bool wide = hasWideRow(table.curvature1) || hasWideRow(table.curvature2) || hasWideRow(table.twist) ||
                    hasWideRow(table.stretch);
  if (!wide || !isValid(table, scene, actuation.nodes))
    return {actuation};  // problems of an invalid table are already listed
  geometry::sortRows(actuation.nodes,
                     [](NodeRef a, NodeRef b) { return std::pair(a.body, a.node) < std::pair(b.body, b.node); });
  std::vector<Actuation> parts;
  for (std::size_t first = 0; first < actuation.nodes.size();) {
    const int rod = actuation.nodes[first].body;
    const std::size_t edges = scene.rods[std::size_t(rod)].points.size() - 1;
    Actuation part = actuation;
    part.nodes.clear();
    for (; first < actuation.nodes.size() && actuation.nodes[first].body == rod; ++first)
      part.nodes.push_back(actuation.nodes[first]);
    for (std::size_t q = 0; q < quantities.size(); ++q) {
      const Targets targets = targetsOf(scene, actuation.nodes, q);
      rowsOf(*part.table, q) =
          rowsForRod(rowsOf(table, q), targets, rod, q == stretch ? edges : edges - 1, q == stretch ? 1 : 0);
    }
    parts.push_back(std::move(part));
  }
  return parts;
}

std::optional<ActuationTable> loadTable(LoadContext& context, const text::Value& item,
                                        const std::vector<NodeRef>& nodes) {
  ActuationTable result;
  const bool ofShells = item.find("shell") != nullptr;
  const text::Value* table = item.find("table");
  const text::Value* csv = item.find("csv");
  if (table && !csv) csv = table->find("csv");
  const SpringCount count = context.bodiesUsable ? countSprings(context.scene, nodes, ofShells) : SpringCount{ofShells};
  const text::Value& timing = table && table->find("interpolation") ? *table : item;
  result.step = context.textAt(timing, "interpolation") == "step";
  if (csv) {
    if (table && table->find("time")) context.problem(*csv, "\"csv\" and \"time\" exclude each other");
    if (!CsvReader(context, *csv, count).read(result)) return std::nullopt;
    return result;
  }
  const text::Value* time = table->find("time");
  if (!time) {
    context.problem(*table, "\"time\" is missing; expected a list of times [s]");
    return std::nullopt;
  }
  readTime(context, *time, result);
  bool any = false;
  for (std::size_t q = 0; q < quantities.size(); ++q) {
    const text::Value* rows = table->find(quantities[q]);
    if (!rows) continue;
    any = true;
    if (!count.has(q)) {
      context.problemAtKey(
          *table->member(quantities[q]), *table,
          ofShells ? "hinges of shells have no \"" + std::string(quantities[q]) + "\"; expected their natural \"angle\""
                   : "\"angle\" is of the hinges of shells; rods take curvature1, curvature2, twist "
                     "or stretch");
      continue;
    }
    readRows(context, *rows, q, count, result);
  }
  if (!any)
    context.problem(*table, ofShells ? "expected \"angle\", the natural angle of the hinges per time"
                                     : "expected at least one of curvature1, curvature2, twist, stretch");
  return result;
}

}  // namespace tendril::scene
