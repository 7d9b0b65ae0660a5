// Frames of the bodies at even times, interpolated linearly between accepted states; static runs use their load steps
// as they are, because nothing lies between two equilibria.
#pragma once

#include <functional>
#include <optional>

#include "cli/body_json.h"
#include "cli/ticks.h"

namespace tendril::cli {

class FrameSampler {
 public:
  using Sink = std::function<void(double time, const Bodies& bodies)>;

  /// Without `ticks` every state is a frame.
  FrameSampler(std::optional<Ticks> ticks, Sink sink) : ticks_(ticks), sink_(std::move(sink)) {}
  /// An accepted state at `time` [s].
  void accept(double time, Bodies bodies);

 private:
  std::optional<Ticks> ticks_;
  Sink sink_;
  bool first_ = true;
  double lastTime_ = 0;
  Bodies last_;
};

/// (1 - weight) a + weight b, body by body; directors are normalized. Both hold the same bodies.
Bodies mixBodies(const Bodies& a, const Bodies& b, double weight);

}  // namespace tendril::cli
