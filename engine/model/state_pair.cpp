#include "model/state_pair.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace tendril::model {
namespace {

double numberAt(const SavedState& state, std::size_t at) {
  double value;
  std::memcpy(&value, state.bytes.data() + at, sizeof value);
  return value;
}

/// f(number's place, base's, above's, below's) for all numbers of a run that are finite in all three.
template <class F>
void forEach(const SavedState::Run& run, const SavedState& base, const SavedState& above, const SavedState& below,
             const F& f) {
  for (std::size_t i = 0; i < run.count; ++i) {
    const std::size_t at = run.at + i * sizeof(double);
    const double b = numberAt(base, at), a = numberAt(above, at), c = numberAt(below, at);
    if (std::isfinite(a) && std::isfinite(b) && std::isfinite(c)) f(at, b, a, c);
  }
}

}  // namespace

bool alike(const SavedState& base, const SavedState& above, const SavedState& below) {
  return base.runs == above.runs && base.runs == below.runs;
}

void spreadOf(const SavedState& base, const SavedState& above, const SavedState& below, std::vector<Spread>& out) {
  out.clear();
  for (const SavedState::Run& run : base.runs) {
    if (run.kind == SavedState::Kind::other) continue;
    Spread& s = out.emplace_back();
    s.kind = run.kind;
    forEach(run, base, above, below, [&](std::size_t, double b, double a, double c) {
      s.size = std::max(s.size, std::abs(b));
      s.odd = std::max(s.odd, 0.5 * std::abs(a - c));
      s.even = std::max(s.even, 0.5 * std::abs((a - b) + (c - b)));
    });
  }
}

void rescale(const SavedState& base, SavedState& above, SavedState& below, double factor) {
  SavedState closer[2] = {base, base};
  for (const SavedState::Run& run : base.runs) {
    forEach(run, base, above, below, [&](std::size_t at, double b, double a, double c) {
      const double odd = 0.5 * factor * (a - c), even = 0.5 * factor * factor * ((a - b) + (c - b));
      const double moved[2] = {b + (even + odd), b + (even - odd)};
      for (int side = 0; side < 2; ++side) std::memcpy(closer[side].bytes.data() + at, &moved[side], sizeof(double));
    });
  }
  above = std::move(closer[0]), below = std::move(closer[1]);
}

}  // namespace tendril::model
