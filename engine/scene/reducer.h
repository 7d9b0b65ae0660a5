// How a probe that selects several things becomes one row of columns.
#pragma once

#include <algorithm>
#include <limits>
#include <span>

#include "scene/scene.h"

namespace tendril::scene {

/// Collects one row per selected item and reduces column by column; `out` is complete at its end.
class Reducer {
 public:
  Reducer(Reduce how, std::span<double> out) : how_(how), out_(out) {
    const double inf = std::numeric_limits<double>::infinity();
    std::fill(out.begin(), out.end(), how == Reduce::min ? inf : how == Reduce::max ? -inf : 0.0);
  }
  void add(const double* row) {
    ++count_;
    for (std::size_t i = 0; i < out_.size(); ++i) {
      if (how_ == Reduce::min)
        out_[i] = std::min(out_[i], row[i]);
      else if (how_ == Reduce::max)
        out_[i] = std::max(out_[i], row[i]);
      else
        out_[i] += row[i];
    }
  }
  void add(const Vec3& row) { add(row.data()); }
  void add(double value) { add(&value); }
  ~Reducer() {
    for (double& v : out_) {
      if (count_ == 0) v = 0;
      if (how_ == Reduce::mean && count_ > 0) v /= count_;
    }
  }

 private:
  Reduce how_;
  std::span<double> out_;
  int count_ = 0;
};

}  // namespace tendril::scene
