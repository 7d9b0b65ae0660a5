#include "solve/parted_tangent.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace tendril::solve {

Partition partition(int size, std::span<const std::array<int, 2>> pattern) {
  std::vector<int> parent(static_cast<std::size_t>(size));
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  for (const auto& [row, col] : pattern) {
    const int a = root(row), b = root(col);
    parent[std::max(a, b)] = std::min(a, b);
  }
  Partition out;
  out.of.resize(parent.size()), out.local.resize(parent.size());
  for (int i = 0; i < size; ++i) {
    const int top = root(i);
    if (top == i) out.unknowns.emplace_back();
    out.of[i] = top == i ? out.count() - 1 : out.of[top];
    out.local[i] = static_cast<int>(out.unknowns[out.of[i]].size());
    out.unknowns[out.of[i]].push_back(i);
  }
  if (size == 0) out.unknowns.emplace_back();
  return out;
}

PartedTangent::PartedTangent(const Partition& parts, std::span<const std::array<int, 2>> pattern) : parts_(parts) {
  std::vector<std::vector<std::array<int, 2>>> own(static_cast<std::size_t>(parts_.count()));
  for (const auto& [row, col] : pattern) own[parts_.of[row]].push_back({parts_.local[row], parts_.local[col]});
  std::size_t total = 0;
  for (int p = 0; p < parts_.count(); ++p) {
    const int n = static_cast<int>(parts_.unknowns[p].size());
    solvers_.push_back(std::make_unique<TangentSolver>(makeLinearSolver(n, own[p])));
    begin_.push_back(static_cast<int>(total));
    total += solvers_.back()->values().size();
    if (total >= static_cast<std::size_t>(std::numeric_limits<int>::max()))
      throw std::length_error("the matrix of " + std::to_string(size()) + " unknowns is too large");
  }
  // Each part ends with a trash slot that nothing refers to, and the whole has one more.
  values_.assign(total + 1, 0.0);
  for (int p = 0; p < parts_.count(); ++p) {
    solvers_[p]->keepValuesIn({values_.data() + begin_[p], solvers_[p]->values().size()});
  }
}

int PartedTangent::offset(int row, int col) const {
  const int p = parts_.of[row];
  if (p != parts_.of[col]) return -1;
  const int at = solvers_[p]->offset(parts_.local[row], parts_.local[col]);
  return at < 0 ? at : begin_[p] + at;
}

void PartedTangent::add(std::span<const int> dofs, const Eigen::Ref<const Eigen::MatrixXd>& block) {
  int p = -1;
  dofs_.assign(dofs.begin(), dofs.end());
  for (int& dof : dofs_) {
    if (dof < 0) continue;
    p = parts_.of[dof];
    dof = parts_.local[dof];
  }
  if (p >= 0) solvers_[p]->add(dofs_, block);
}

void PartedTangent::clear(int part) {
  if (part < 0) {
    std::fill(values_.begin(), values_.end(), 0.0);
    for (auto& solver : solvers_) solver->clear();
    return;
  }
  const std::span<double> own = solvers_[part]->values();
  std::fill(own.begin(), own.end(), 0.0);
  solvers_[part]->clear();
}

void PartedTangent::multiply(const VectorX& x, VectorX& y) const {
  VectorX in, out;
  for (int p = 0; p < parts_.count(); ++p) {
    const std::vector<int>& unknowns = parts_.unknowns[p];
    in = x(unknowns);
    out.resize(in.size());
    solvers_[p]->multiply({in.data(), unknowns.size()}, {out.data(), unknowns.size()});
    y(unknowns) = out;
  }
}

}  // namespace tendril::solve
