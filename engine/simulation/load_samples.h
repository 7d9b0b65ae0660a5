// Where the watches of feedback look at a load's formula that sees the point that it acts on: where its points are.
#pragma once

#include <vector>

#include "model/model.h"
#include "scene/scene.h"

namespace tendril {

class LoadSamples {
 public:
  LoadSamples() = default;
  /// Of the load that the formula belongs to. Both must outlive this.
  LoadSamples(const scene::Scene& scene, const formula::Number& number);

  /// Some points of the load as they are at the model's accepted state. A formula is not looked at elsewhere: it may
  /// have no value there.
  void see(const model::Model& model);

  /// A mean of the formula's values there, or its value where it sees no point; weights are uneven, so that opposite
  /// values do not cancel. False: it has no value anywhere, or see() has shown no point.
  bool valueOf(const formula::Number& number, formula::Input in, double& value) const;

 private:
  bool field_ = false;
  int load_ = -1;  // of the scene; -1: none that acts in a run
  std::vector<double> seen_;
};

}  // namespace tendril
