#include "linear/blocks_of.h"

namespace tendril::linear {
namespace {

using Entries = std::vector<Eigen::Triplet<double>>;

Sparse from(int rows, int columns, const Entries& entries) {
  Sparse out(rows, columns);
  out.setFromTriplets(entries.begin(), entries.end());
  return out;
}

template <class F>
void forEach(const Sparse& m, const F& f) {
  for (int c = 0; c < m.outerSize(); ++c) {
    for (Sparse::InnerIterator it(m, c); it; ++it)
      f(static_cast<int>(it.row()), static_cast<int>(it.col()), it.value());
  }
}

}  // namespace

Sparse among(const Sparse& m, const std::vector<int>& rows, const std::vector<int>& columns) {
  std::vector<int> row(static_cast<std::size_t>(m.rows()), -1), column(static_cast<std::size_t>(m.cols()), -1);
  for (std::size_t i = 0; i < rows.size(); ++i) row[static_cast<std::size_t>(rows[i])] = static_cast<int>(i);
  for (std::size_t i = 0; i < columns.size(); ++i) column[static_cast<std::size_t>(columns[i])] = static_cast<int>(i);
  Entries entries;
  forEach(m, [&](int r, int c, double value) {
    const int a = row[static_cast<std::size_t>(r)], b = column[static_cast<std::size_t>(c)];
    if (a >= 0 && b >= 0) entries.emplace_back(a, b, value);
  });
  return from(static_cast<int>(rows.size()), static_cast<int>(columns.size()), entries);
}

Sparse units(int n, const std::vector<int>& columns) {
  Entries entries;
  for (std::size_t i = 0; i < columns.size(); ++i) entries.emplace_back(columns[i], static_cast<int>(i), 1.0);
  return from(n, static_cast<int>(columns.size()), entries);
}

Sparse stacked(const Sparse& top, const Sparse& bottom) {
  Entries entries;
  const int above = static_cast<int>(top.rows());
  forEach(top, [&](int r, int c, double value) { entries.emplace_back(r, c, value); });
  forEach(bottom, [&](int r, int c, double value) { entries.emplace_back(above + r, c, value); });
  return from(above + static_cast<int>(bottom.rows()), static_cast<int>(top.cols()), entries);
}

Sparse placed(const Sparse& m, int rows, int columns, int row, int column) {
  Entries entries;
  forEach(m, [&](int r, int c, double value) { entries.emplace_back(row + r, column + c, value); });
  return from(rows, columns, entries);
}

}  // namespace tendril::linear
