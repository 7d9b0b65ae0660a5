#include "strain/step_course.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace tendril {
namespace {

struct Slopes {
  double rate = 0, acceleration = 0;
};

// Of the polynomial through five values, at its first one, which are h apart; h < 0: the values lie before it.
Slopes slopesAt(const std::array<double, 5>& f, double h) {
  return {(-25 * f[0] + 48 * f[1] - 36 * f[2] + 16 * f[3] - 3 * f[4]) / (12 * h),
          (35 * f[0] - 104 * f[1] + 114 * f[2] - 56 * f[3] + 11 * f[4]) / (12 * h * h)};
}

// The polynomial through five values at 0, 1 .. 4 half a place after the first one.
double afterFirst(const std::array<double, 5>& f) {
  return (35 * f[0] + 140 * f[1] - 70 * f[2] + 28 * f[3] - 5 * f[4]) / 128;
}

std::array<double, 5> turnedAround(std::array<double, 5> f) {
  std::reverse(f.begin(), f.end());
  return f;
}

std::array<double, 5> valuesAt(const std::function<double(double)>& f, double from, double h) {
  std::array<double, 5> out{};
  for (int k = 0; k < 5; ++k) out[static_cast<std::size_t>(k)] = f(from + k * h);
  return out;
}

constexpr double followed = 3e-5;   // of the change of the rate times the step, between the polynomial and the formula
constexpr double goesOn = 5e-3;     // of the change of the rate, between two steps
constexpr double sameForce = 2e-2;  // of it, of the acceleration times the step
constexpr double finest = 1.0 / 4096, atEnd = 1.0 / 1024, tooShort = 1.0 / 64, widest = 0.25;  // of the step

// Five values, and how far the polynomial through them is off between.
struct Fit {
  std::array<double, 5> f;
  Slopes start, end;
  double curvature = 0;  // largest second derivative
  double noise = 0;      // of the values
  double off = 0;
};

Fit fitOver(const std::function<double(double)>& formula, double t, double width) {
  const double h = 0.25 * width;
  Fit out;
  const std::array<double, 5>& f = out.f = valuesAt(formula, 0, h);
  const std::array<double, 5> back = turnedAround(f);
  out.start = slopesAt(f, h), out.end = slopesAt(back, -h);
  const double middle = (-f[0] + 16 * f[1] - 30 * f[2] + 16 * f[3] - f[4]) / (12 * h * h);
  out.curvature = std::max({std::abs(out.start.acceleration), std::abs(middle), std::abs(out.end.acceleration)});
  double size = 0;
  for (const double value : f) size = std::max(size, std::abs(value));
  const double fastest = std::max(std::abs(out.start.rate), std::abs(out.end.rate));
  out.noise = 16 * std::numeric_limits<double>::epsilon() * (size + std::abs(t) * fastest);
  out.off = std::max(std::abs(afterFirst(f) - formula(0.5 * h)), std::abs(afterFirst(back) - formula(width - 0.5 * h)));
  return out;
}

}  // namespace

bool isFollowed(const std::function<double(double)>& formula, double t, double width) {
  const Fit fit = fitOver(formula, t, width);
  return fit.off <= followed * fit.curvature * width * width + 4 * fit.noise;
}

StepCourse::StepCourse(const std::function<double(double)>& formula, double t, double dt, double value, double rate, const double* acceleration)
    : f_(formula), dt_(dt), value_(value), rate_(rate) {
  const Fit fit = fitOver(f_, t, dt);
  const double change = std::abs(fit.end.rate - rate) + dt * fit.curvature;
  endRate_ = fit.end.rate;
  smooth_ = fit.off <= followed * change * dt + 4 * fit.noise && std::abs(fit.start.rate - rate) <= goesOn * change + 50 * fit.noise / dt;
  if (acceleration) {
    const double jump = std::abs(fit.start.acceleration - *acceleration);
    smooth_ = smooth_ && dt * jump <= sameForce * change + 2e3 * fit.noise / dt;
  }
  if (smooth_) return;
  locate(fit.noise);
  split();
  // Round-off of differences is no kink.
  const double least = 1e3 * fit.noise / dt;
  if (std::abs(startJump_) < least) startJump_ = 0;
  if (std::abs(jump_) < least) jump_ = 0;
  if (std::abs(leap_) < followed * change * dt + 1e3 * fit.noise) leap_ = 0;
}

// Where it bends most, by halving. Where it does not bend, at the start.
void StepCourse::locate(double noise) {
  to_ = dt_;
  while (to_ - from_ > finest * dt_) {
    const double h = 0.25 * (to_ - from_);
    const std::array<double, 5> f = valuesAt(f_, from_, h);
    int most = 0;
    double bend = 0;
    for (int k = 1; k < 4; ++k) {
      const auto i = static_cast<std::size_t>(k);
      const double b = std::abs(f[i - 1] - 2 * f[i] + f[i + 1]);
      if (b > bend) bend = b, most = k;
    }
    if (!(bend > 4 * noise)) {
      if (from_ == 0) to_ = 0;  // it goes on otherwise than it came
      break;
    }
    from_ += (most - 1) * h;
    to_ = from_ + 2 * h;
  }
}

// Rates and accelerations at both ends from what lies on their side of the kink, and what they leave for it.
void StepCourse::split() {
  const double before = from_, behind = dt_ - to_;
  const auto startSlopes = [&](double at, double width) { return slopesAt(valuesAt(f_, at, 0.25 * width), 0.25 * width); };
  const auto endSlopes = [&](double at, double width) {
    return slopesAt(turnedAround(valuesAt(f_, at - width, 0.25 * width)), -0.25 * width);
  };
  const double most = widest * dt_;
  if (behind < atEnd * dt_) {
    // It belongs to the next step, which begins at another rate.
    const Slopes s = before > 0 ? endSlopes(before, std::min(before, most)) : Slopes{rate_, 0};
    const double left = dt_ - before;
    endRate_ = s.rate + s.acceleration * left;
    leap_ = f_(dt_) - (f_(before) + left * (s.rate + 0.5 * s.acceleration * left));
    startJump_ = before > 0 ? startSlopes(0, std::min(before, most)).rate - rate_ : 0;
    return;
  }
  if (before < atEnd * dt_) {
    const Slopes first = startSlopes(to_, std::min(behind, most));
    endRate_ = endSlopes(dt_, std::min(behind, most)).rate;
    startJump_ = first.rate - first.acceleration * to_ - rate_;
    leap_ = f_(to_) - to_ * (first.rate - 0.5 * first.acceleration * to_) - value_;
    return;
  }
  Slopes start = startSlopes(0, std::min(before, most)), end = endSlopes(dt_, std::min(behind, most));
  // Over short ways round-off and what is left of the kink leave nothing of accelerations.
  if (before < tooShort * dt_) start.acceleration = end.acceleration;
  if (behind < tooShort * dt_) end.acceleration = start.acceleration;
  endRate_ = end.rate;
  startJump_ = start.rate - rate_;
  // Where both ways meet.
  const double f0 = f_(0), f1 = f_(dt_);
  double at = 0.5 * (from_ + to_);
  const auto rateBefore = [&] { return start.rate + start.acceleration * at; };
  const auto rateBehind = [&] { return end.rate - end.acceleration * (dt_ - at); };
  const auto gap = [&] {
    const double left = dt_ - at;
    return f0 + at * (start.rate + 0.5 * start.acceleration * at) - (f1 - left * (end.rate - 0.5 * end.acceleration * left));
  };
  for (int i = 0; i < 3; ++i) {
    const double slope = rateBefore() - rateBehind(), apart = gap();
    if (slope == 0 || !(std::abs(apart) < std::abs(slope) * dt_)) break;
    at = std::clamp(at - apart / slope, 0.0, dt_);
  }
  leap_ = -gap();
  after_ = at;
  jump_ = rateBehind() - rateBefore();
}

}  // namespace tendril
