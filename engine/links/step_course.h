// What a formula of time does within one step: smoothly, or with a kink.
#pragma once

#include <functional>
#include <vector>

namespace tendril::links {

/// Whether a polynomial of order four follows a formula over [0, width] [s], up to round-off of its values near time t
/// [s]. `share`: of the change of the rate times the width, how far the polynomial may be off. `size`: of what values
/// are differences, whose round-off they have.
bool isFollowed(const std::function<double(double)>& formula, double t, double width, double share = 3e-5,
                double size = 0);

/// Of a formula within [0, dt] [s], from its values there alone.
class StepCourse {
 public:
  /// `t`: the time at the step's end [s], by whose round-off values are blurred; `value`, `rate`, `acceleration`: with
  /// which the step begins, null where that does not matter. `size`: as of isFollowed.
  StepCourse(const std::function<double(double)>& formula, double t, double dt, double value, double rate,
             const double* acceleration, double size = 0);

  /// A polynomial of order four through the step follows it and goes on at the rate with which it begins: what is left
  /// of a kink is below half a percent of how much the rate changes in the step, and of a jump of the acceleration
  /// below two percent.
  bool isSmooth() const { return smooth_; }
  /// Where it is not: whether polynomials of order four follow all that lies between the kinks, so that nothing else is
  /// left.
  bool isFollowedBetween() const { return followedBetween_; }
  /// Where it is not: by how much the rate jumps at the start, in units of the formula per second.
  double startJump() const { return startJump_; }
  struct Kink {
    double after = 0;  ///< [s]
    double jump = 0;   ///< of the rate, as far as the accelerations before and after do not tell of it
    double leap = 0;   ///< of the value itself
  };
  /// Within the step, one after another, or where it changes too fast for it, one for all of that.
  const std::vector<Kink>& kinks() const { return kinks_; }
  double endRate() const { return endRate_; }  ///< before what comes at the step's end

 private:
  struct Part {
    double from = 0, to = 0;
    double length() const { return to - from; }
  };
  Part locate(Part part, double t, double noise) const;
  std::vector<Part> partsOf(const Part& first, double t, double noise) const;
  void split(const Part& at);
  void join(const std::vector<Part>& parts);

  const std::function<double(double)>& f_;  // while it is made
  double dt_;
  double value_, rate_, size_;
  bool smooth_ = true, followedBetween_ = false;
  double startJump_ = 0, endRate_ = 0;
  std::vector<Kink> kinks_;
};

}  // namespace tendril::links
