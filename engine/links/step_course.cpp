#include "links/step_course.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace tendril::links {
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
constexpr int mostKinks = 6;

// Five values, and how far the polynomial through them is off between.
struct Fit {
  std::array<double, 5> f;
  Slopes start, end;
  double curvature = 0;  // largest second derivative
  double noise = 0;      // of the values
  double off = 0;
};

Fit fitOver(const std::function<double(double)>& formula, double t, double width, double size) {
  const double h = 0.25 * width;
  Fit out;
  const std::array<double, 5>& f = out.f = valuesAt(formula, 0, h);
  const std::array<double, 5> back = turnedAround(f);
  out.start = slopesAt(f, h), out.end = slopesAt(back, -h);
  const double middle = (-f[0] + 16 * f[1] - 30 * f[2] + 16 * f[3] - f[4]) / (12 * h * h);
  out.curvature = std::max({std::abs(out.start.acceleration), std::abs(middle), std::abs(out.end.acceleration)});
  for (const double value : f) size = std::max(size, std::abs(value));
  const double fastest = std::max(std::abs(out.start.rate), std::abs(out.end.rate));
  out.noise = 16 * std::numeric_limits<double>::epsilon() * (size + std::abs(t) * fastest);
  out.off = std::max(std::abs(afterFirst(f) - formula(0.5 * h)), std::abs(afterFirst(back) - formula(width - 0.5 * h)));
  return out;
}

}  // namespace

bool isFollowed(const std::function<double(double)>& formula, double t, double width, double share, double size) {
  const Fit fit = fitOver(formula, t, width, size);
  return fit.off <= share * fit.curvature * width * width + 4 * fit.noise;
}

StepCourse::StepCourse(const std::function<double(double)>& formula, double t, double dt, double value, double rate,
                       const double* acceleration, double size)
    : f_(formula), dt_(dt), value_(value), rate_(rate), size_(size) {
  const Fit fit = fitOver(f_, t, dt, size_);
  const double change = std::abs(fit.end.rate - rate) + dt * fit.curvature;
  endRate_ = fit.end.rate;
  smooth_ = fit.off <= followed * change * dt + 4 * fit.noise &&
            std::abs(fit.start.rate - rate) <= goesOn * change + 50 * fit.noise / dt;
  if (acceleration) {
    const double jump = std::abs(fit.start.acceleration - *acceleration);
    smooth_ = smooth_ && dt * jump <= sameForce * change + 2e3 * fit.noise / dt;
  }
  if (smooth_) return;
  const Part first = locate({0, dt_}, t, fit.noise);
  const std::vector<Part> parts = partsOf(first, t, fit.noise);
  followedBetween_ = !parts.empty();
  parts.size() > 2 ? join(parts) : split(first);
  // Round-off of differences is no kink.
  const double least = 1e3 * fit.noise / dt;
  if (std::abs(startJump_) < least) startJump_ = 0;
  for (Kink& kink : kinks_) {
    if (std::abs(kink.jump) < least) kink.jump = 0;
    if (std::abs(kink.leap) < followed * change * dt + 1e3 * fit.noise) kink.leap = 0;
  }
  kinks_.erase(std::remove_if(kinks_.begin(), kinks_.end(), [](const Kink& k) { return k.jump == 0 && k.leap == 0; }),
               kinks_.end());
}

// Where a polynomial follows it least, by halving. Where it does everywhere, at the start.
StepCourse::Part StepCourse::locate(Part part, double t, double noise) const {
  const Part whole = part;
  while (part.length() > finest * dt_) {
    const double half = 0.5 * part.length();
    double best = part.from, most = 0;
    for (const double at : {part.from, part.from + 0.5 * half, part.from + half}) {
      const double off = fitOver([&](double after) { return f_(at + after); }, t, half, size_).off;
      if (off > most) most = off, best = at;
    }
    if (!(most > 4 * noise)) return part.length() == whole.length() ? Part{whole.from, whole.from} : part;
    part = {best, best + half};
  }
  return part;
}

// What lies between several kinks, each followed by a polynomial; no more than two parts where one kink is all, or
// where there are too many.
std::vector<StepCourse::Part> StepCourse::partsOf(const Part& first, double t, double noise) const {
  std::vector<Part> open{{first.to, dt_}, {0, first.from}}, out;
  for (int kinks = 1; !open.empty();) {
    const Part part = open.back();
    open.pop_back();
    if (part.length() < tooShort * dt_) {
      if (part.from > 0 && part.to < dt_) return {};
      continue;
    }
    if (isFollowed([&](double after) { return f_(part.from + after); }, t, part.length(), followed, size_)) {
      out.push_back(part);
      continue;
    }
    if (++kinks > mostKinks) return {};
    const Part kink = locate(part, t, noise);
    if (kink.length() == 0) return {};
    open.push_back({kink.to, part.to}), open.push_back({part.from, kink.from});
  }
  return out;
}

// Several kinks: each lies where the ways on both of its sides meet.
void StepCourse::join(const std::vector<Part>& parts) {
  const double most = widest * dt_;
  struct Way {
    double at, value;
    Slopes slopes;
    double rate(double t) const { return slopes.rate + slopes.acceleration * (t - at); }
    double place(double t) const { return value + (t - at) * (slopes.rate + 0.5 * slopes.acceleration * (t - at)); }
  };
  const auto startOf = [&](const Part& p) {
    const double h = 0.25 * std::min(p.length(), most);
    return Way{p.from, f_(p.from), slopesAt(valuesAt(f_, p.from, h), h)};
  };
  const auto endOf = [&](const Part& p) {
    const double h = 0.25 * std::min(p.length(), most);
    return Way{p.to, f_(p.to), slopesAt(turnedAround(valuesAt(f_, p.to - 4 * h, h)), -h)};
  };
  const Way first = startOf(parts.front()), last = endOf(parts.back());
  startJump_ = first.rate(0) - rate_;
  kinks_.push_back({0, 0, first.place(0) - value_});
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    const Way before = endOf(parts[i]), behind = startOf(parts[i + 1]);
    double at = 0.5 * (before.at + behind.at);
    for (int k = 0; k < 3; ++k) {
      const double slope = before.rate(at) - behind.rate(at), apart = before.place(at) - behind.place(at);
      if (slope == 0 || !(std::abs(apart) < std::abs(slope) * dt_)) break;
      at = std::clamp(at - apart / slope, before.at, behind.at);
    }
    kinks_.push_back({at, behind.rate(at) - before.rate(at), behind.place(at) - before.place(at)});
  }
  endRate_ = last.rate(dt_);
  kinks_.push_back({dt_, 0, f_(dt_) - last.place(dt_)});
}

// Rates and accelerations at both ends from what lies on their side of the kink, and what they leave for it.
void StepCourse::split(const Part& kink) {
  const double before = kink.from, behind = dt_ - kink.to;
  const auto startSlopes = [&](double at, double width) {
    return slopesAt(valuesAt(f_, at, 0.25 * width), 0.25 * width);
  };
  const auto endSlopes = [&](double at, double width) {
    return slopesAt(turnedAround(valuesAt(f_, at - width, 0.25 * width)), -0.25 * width);
  };
  const double most = widest * dt_;
  if (behind < atEnd * dt_) {
    // It belongs to the next step, which begins at another rate.
    const Slopes s = before > 0 ? endSlopes(before, std::min(before, most)) : Slopes{rate_, 0};
    const double left = dt_ - before;
    endRate_ = s.rate + s.acceleration * left;
    kinks_.push_back({0, 0, f_(dt_) - (f_(before) + left * (s.rate + 0.5 * s.acceleration * left))});
    startJump_ = before > 0 ? startSlopes(0, std::min(before, most)).rate - rate_ : 0;
    return;
  }
  if (before < atEnd * dt_) {
    const Slopes first = startSlopes(kink.to, std::min(behind, most));
    endRate_ = endSlopes(dt_, std::min(behind, most)).rate;
    startJump_ = first.rate - first.acceleration * kink.to - rate_;
    kinks_.push_back({0, 0, f_(kink.to) - kink.to * (first.rate - 0.5 * first.acceleration * kink.to) - value_});
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
  double at = 0.5 * (kink.from + kink.to);
  const auto rateBefore = [&] { return start.rate + start.acceleration * at; };
  const auto rateBehind = [&] { return end.rate - end.acceleration * (dt_ - at); };
  const auto gap = [&] {
    const double left = dt_ - at;
    return f0 + at * (start.rate + 0.5 * start.acceleration * at) -
           (f1 - left * (end.rate - 0.5 * end.acceleration * left));
  };
  for (int i = 0; i < 3; ++i) {
    const double slope = rateBefore() - rateBehind(), apart = gap();
    if (slope == 0 || !(std::abs(apart) < std::abs(slope) * dt_)) break;
    at = std::clamp(at - apart / slope, 0.0, dt_);
  }
  kinks_.push_back({at, rateBehind() - rateBefore(), -gap()});
}

}  // namespace tendril::links
