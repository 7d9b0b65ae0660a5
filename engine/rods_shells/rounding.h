// What round-off leaves of the forces of each body of a part, where the part has several: a solve ends for each by its
// own.
#pragma once

#include <array>
#include <vector>

#include "rods_shells/parts.h"

namespace tendril::rods_shells {

class BodyRounding {
 public:
  /// An evaluation of a part begins, all sums at zero. `rods`: how many bodies are rods; shells come after them.
  void begin(const PartElements& part, int rods) {
    part_ = part.bodies > 1 ? &part : nullptr;
    rods_ = static_cast<std::size_t>(rods), forcesBefore_ = noiseBefore_ = 0;
    if (part_) sums_.assign(static_cast<std::size_t>(part.bodies), {});
  }
  /// Sums of squares [N^2] over elements have come to this by elements of a body: of their forces, and of what they
  /// lose.
  void book(int body, double forces, double noise) {
    if (!part_) return;
    add(part_->bodyOf[static_cast<std::size_t>(body)], forces - forcesBefore_, noise - noiseBefore_);
    skip(forces, noise);
  }
  /// By an element that several bodies share.
  void book(const std::vector<int>& bodies, double forces, double noise) {
    for (std::size_t k = 0; part_ && k < bodies.size(); ++k)
      add(part_->bodyOf[static_cast<std::size_t>(bodies[k])], forces - forcesBefore_, noise - noiseBefore_);
    skip(forces, noise);
  }
  /// By elements that are nobody's.
  void skip(double forces, double noise) { forcesBefore_ = forces, noiseBefore_ = noise; }
  /// By shells: each is taken to have all of it.
  void bookShells(double forces, double noise) {
    for (std::size_t b = rods_; part_ && b < part_->bodyOf.size(); ++b)
      add(part_->bodyOf[b], forces - forcesBefore_, noise - noiseBefore_);
    skip(forces, noise);
  }
  double forces(int body) const { return sums_[static_cast<std::size_t>(body)][0]; }
  double noise(int body) const { return sums_[static_cast<std::size_t>(body)][1]; }

 private:
  void add(int place, double forces, double noise) {
    if (place < 0) return;
    sums_[static_cast<std::size_t>(place)][0] += forces, sums_[static_cast<std::size_t>(place)][1] += noise;
  }

  const PartElements* part_ = nullptr;
  std::size_t rods_ = 0;
  double forcesBefore_ = 0, noiseBefore_ = 0;
  std::vector<std::array<double, 2>> sums_;  // per body of the part
};

}  // namespace tendril::rods_shells
