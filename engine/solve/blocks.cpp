#include "solve/blocks.h"

namespace tendril::solve {

void BlockSum::clear() {
  for (int dof : dofs_) slot_[dof] = -1;
  dofs_.clear();
  width_.clear();
  unknown_.clear();
  values_.clear();
}

void BlockSum::add(std::span<const int> dofs, const Eigen::Ref<const Eigen::MatrixXd>& block) {
  int width = 0;
  for (int dof : dofs) {
    if (dof < 0) continue;
    ++width;
    unknown_.push_back(dof);
    if (slot_[dof] >= 0) continue;
    slot_[dof] = int(dofs_.size());
    dofs_.push_back(dof);
  }
  width_.push_back(width);
  if (std::size_t(width) == dofs.size() && block.outerStride() == block.rows()) {
    values_.insert(values_.end(), block.data(), block.data() + block.size());
    return;
  }
  for (std::size_t j = 0; j < dofs.size(); ++j)
    for (std::size_t i = 0; i < dofs.size(); ++i)
      if (dofs[i] >= 0 && dofs[j] >= 0) values_.push_back(block(Eigen::Index(i), Eigen::Index(j)));
}

namespace {

/// y += K x for one block; Width 0 stands for any.
template <int Width>
void multiplyBlock(int any, const int* unknown, const double* value, const double* x, double* y) {
  const int width = Width > 0 ? Width : any;
  double sum[Width > 0 ? Width : 1];
  if constexpr (Width > 0) {
    for (int i = 0; i < width; ++i) sum[i] = 0;
    for (int j = 0; j < width; ++j, value += width)
      for (int i = 0; i < width; ++i) sum[i] += value[i] * x[unknown[j]];
    for (int i = 0; i < width; ++i) y[unknown[i]] += sum[i];
  } else {
    for (int j = 0; j < width; ++j, value += width)
      for (int i = 0; i < width; ++i) y[unknown[i]] += value[i] * x[unknown[j]];
  }
}

}  // namespace

void BlockSum::multiplyAdd(std::span<const double> x, std::span<double> y) const {
  const int* unknown = unknown_.data();
  const double* value = values_.data();
  for (int width : width_) {
    // Triangles have blocks of three corners each, and there may be thousands of them.
    if (width == 9)
      multiplyBlock<9>(width, unknown, value, x.data(), y.data());
    else
      multiplyBlock<0>(width, unknown, value, x.data(), y.data());
    unknown += width;
    value += width * width;
  }
}

void BlockSum::assemble(std::vector<double>& coupling) const {
  const std::size_t k = dofs_.size();
  coupling.assign(k * k, 0.0);
  const int* unknown = unknown_.data();
  const double* value = values_.data();
  for (int width : width_) {
    for (int j = 0; j < width; ++j)
      for (int i = 0; i < width; ++i) coupling[std::size_t(slot_[unknown[i]]) * k + slot_[unknown[j]]] += *value++;
    unknown += width;
  }
}

}  // namespace tendril::solve
