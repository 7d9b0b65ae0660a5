// Searches for jumps in a formula of time by sampling it and bisecting intervals.
#include "scene/jump_search.h"

#include <algorithm>
#include <cmath>

namespace tendril::scene {
namespace {

constexpr int samples = 2000;
constexpr double shortest = 1e-9;  // of the whole time: a change within less is a jump

/// Bisects the intervals in which a formula changes by more than its slope explains.
class JumpSearch {
 public:
  JumpSearch(const formula::Number& number, const formula::Input& input, double from, double until)
      : number_(number), input_(input), from_(from), until_(until), duration_(until - from) {}

  /// The largest; size 0 where there is none.
  Jump find() {
    Jump largest;
    double least = at(until_), most = least;
    for (int k = 0; k < samples; ++k) {
      const double low = from_ + duration_ * k / samples;
      const Jump jump = between(low, from_ + duration_ * (k + 1) / samples);
      if (jump.size > largest.size) largest = jump;
      least = std::min(least, at(low));
      most = std::max(most, at(low));
    }
    return largest.size > 1e-9 * (most - least) ? largest : Jump{};
  }

 private:
  double at(double time) {
    input_.t = time;
    return number_(input_);
  }

  /// Mean slope outside of [low, high], over the same length on either side.
  double slopeBeside(double low, double high, double below, double above) {
    const double length = high - low;
    const bool left = low - length >= from_, right = high + length <= until_;
    const double before = left ? below - at(low - length) : 0, after = right ? at(high + length) - above : 0;
    return left || right ? (before + after) / ((left + right) * length) : 0;
  }

  /// Bisects toward the change that the slope beside it does not explain, until it shrinks as for a smooth function.
  Jump between(double low, double high) {
    double below = at(low), above = at(high), early = 0, rest = std::abs(above - below);
    int shrunk = 0;
    for (int halving = 0; high - low > shortest * duration_; ++halving) {
      const double middle = 0.5 * (low + high), value = at(middle);
      const double smooth = slopeBeside(low, high, below, above) * (middle - low), before = rest;
      const double left = std::abs(value - below - smooth), right = std::abs(above - value - smooth);
      rest = std::max(left, right);
      (left > right ? high : low) = middle;
      (left > right ? above : below) = value;
      shrunk = rest < 0.55 * before ? shrunk + 1 : 0;
      if (rest == 0 || (halving > 2 && shrunk > 1)) return {};
      if (high - low > 30 * shortest * duration_) early = std::abs(above - below);
    }
    const double size = std::abs(above - below);
    return size > 0.5 * early ? Jump{high, size} : Jump{};  // the steepest part of a root shrinks too
  }

  const formula::Number& number_;
  formula::Input input_;
  double from_, until_, duration_;
};

}  // namespace

Jump largestJump(const formula::Number& number, formula::Input input, double from, double until) {
  return JumpSearch(number, input, from, until).find();
}

}  // namespace tendril::scene
