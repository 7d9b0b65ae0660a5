// What a formula of time does within one step: smoothly, or with a kink.
#pragma once

#include <functional>

namespace tendril {

/// Whether a polynomial of order four follows a formula over [0, width] [s], up to round-off of its values near time t [s].
bool isFollowed(const std::function<double(double)>& formula, double t, double width);

/// Of a formula within [0, dt] [s], from its values there alone.
class StepCourse {
 public:
  /// `t`: the time at the step's end [s], by whose round-off values are blurred; `value`, `rate`, `acceleration`: with which
  /// the step begins, null where that does not matter.
  StepCourse(const std::function<double(double)>& formula, double t, double dt, double value, double rate, const double* acceleration);

  /// A polynomial of order four through the step follows it and goes on at the rate with which it begins: what is left of a
  /// kink is below half a percent of how much the rate changes in the step, and of a jump of the acceleration below two percent.
  bool isSmooth() const { return smooth_; }
  /// Where it is not: by how much the rate jumps at the start; and within the step, or where it changes too fast for it, as
  /// far as the accelerations before and after do not tell of it.
  /// In units of the formula per second.
  double startJump() const { return startJump_; }
  double jump() const { return jump_; }
  double jumpsAfter() const { return after_; }  ///< [s]
  /// By how much the value itself jumps in the step.
  double leap() const { return leap_; }
  double endRate() const { return endRate_; }   ///< before what comes at the step's end

 private:
  void locate(double t, double noise);
  void split();

  const std::function<double(double)>& f_;  // while it is made
  double dt_;
  double value_, rate_;
  bool smooth_ = true;
  double from_ = 0, to_ = 0;  // where the kink lies
  double startJump_ = 0, jump_ = 0, after_ = 0, leap_ = 0, endRate_ = 0;
};

}  // namespace tendril
