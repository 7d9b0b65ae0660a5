#include "solve/blocks.h"

namespace tendril {

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
  for (std::size_t j = 0; j < dofs.size(); ++j)
    for (std::size_t i = 0; i < dofs.size(); ++i)
      if (dofs[i] >= 0 && dofs[j] >= 0) values_.push_back(block(Eigen::Index(i), Eigen::Index(j)));
}

void BlockSum::multiplyAdd(std::span<const double> x, std::span<double> y) const {
  const int* unknown = unknown_.data();
  const double* value = values_.data();
  for (int width : width_) {
    for (int j = 0; j < width; ++j) {
      const double factor = x[unknown[j]];
      for (int i = 0; i < width; ++i) y[unknown[i]] += *value++ * factor;
    }
    unknown += width;
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

}  // namespace tendril
