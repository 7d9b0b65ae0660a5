// Where the time of a step goes: a mechanical system that hands every call on to the real one and books the CPU time it
// took. What happens inside one call is told apart by making its parts' calls as well, off the record.
#pragma once

#include <array>
#include <ctime>

#include "rods_shells/terms/system.h"

namespace tendril::bench {

enum Part {
  search,         // pairs near each other: boxes, grid, exclusions, distances of what overlaps
  crossing,       // the largest part of an update on which nothing crosses
  narrow,         // distances of the pairs at hand, and their penalties
  fitting,        // distances again: has every pair that acts a place in the tangent
  contactForces,  // of pairs: gradients, Hessians, friction, into the matrix
  obstacles,      // the same and the distances, of obstacles
  elements,       // elasticity, inertia, loads, into the matrix
  factors,        // of the tangent
  solves,
  pattern,  // a tangent made anew for pairs that have no place in it
  lagging,  // friction: normal forces, contact points, tangent planes
  parts
};

inline const std::array<const char*, parts>& partNames() {
  static const std::array<const char*, parts> names = {"broad phase",          "no crossing",     "narrow phase",
                                                       "narrow phase, places", "assembly, pairs", "assembly, obstacles",
                                                       "assembly, elements",   "factorization",   "solve",
                                                       "new pattern",          "friction's lag"};
  return names;
}

/// CPU seconds of this thread.
inline double cpuSeconds() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

template <class Work>
double timed(Work work) {
  const double start = cpuSeconds();
  work();
  return cpuSeconds() - start;
}

/// Several of one thing, and what they took.
struct Booked {
  double seconds = 0;
  long calls = 0;
};

class TimedSystem final : public solve::MechanicalSystem {
 public:
  explicit TimedSystem(rods_shells::System& system) : real_(system), gradient_(VectorX::Zero(system.size() + 1)) {}

  const std::array<Booked, parts>& booked() const { return booked_; }
  template <class Work>
  void book(Part part, Work work) {
    add(part, timed(work));
  }

  int size() const override { return real_.size(); }
  void retract(const VectorX& q0, const VectorX& dq, double factor, VectorX& q) const override {
    real_.retract(q0, dq, factor, q);
  }
  solve::Evaluation evaluate(const solve::Motion& motion, const solve::Rates& rates, solve::Level level,
                             VectorX& r) override;
  solve::Factorization factor(double shift) override {
    solve::Factorization out;
    book(factors, [&] { out = real_.factor(shift); });
    return out;
  }
  void solve(const VectorX& rhs, VectorX& x) override {
    book(solves, [&] { real_.solve(rhs, x); });
  }
  void forget() override { real_.forget(); }
  bool approximate(const VectorX& rhs, double accuracy, VectorX& x) override {
    bool done = false;
    book(solves, [&] { done = real_.approximate(rhs, accuracy, x); });
    return done;
  }
  double residualNorm(const VectorX& r) const override { return real_.residualNorm(r); }
  double updateNorm(const VectorX& dq) const override { return real_.updateNorm(dq); }
  double extent() const override { return real_.extent(); }
  bool rebase(const VectorX& q) override { return real_.rebase(q); }
  double longestStep(const VectorX& q, const VectorX& dq) override {
    double alpha = 1;
    book(crossing, [&] { alpha = real_.longestStep(q, dq); });
    return alpha;
  }
  bool relag(const solve::Motion& motion, const solve::Rates& rates, solve::Evaluation& out, VectorX& r) override {
    bool done = false;
    const double seconds = timed([&] { done = real_.relag(motion, rates, out, r); });
    if (done) add(lagging, seconds);
    return done;
  }
  const VectorX& appliedForce() const override { return real_.appliedForce(); }

 private:
  void add(Part part, double seconds) { booked_[part].seconds += seconds, ++booked_[part].calls; }

  rods_shells::System& real_;
  VectorX gradient_;  // of parts evaluated alone
  std::array<Booked, parts> booked_{};
};

// The real evaluation comes last: it sets the matrix, into which a part evaluated alone has added, to zero first.
inline solve::Evaluation TimedSystem::evaluate(const solve::Motion& motion, const solve::Rates& rates,
                                               solve::Level level, VectorX& r) {
  rods_shells::PairContacts& pairs = real_.pairs();
  rods_shells::Contacts& outside = real_.contacts();
  solve::Evaluation out, unused;
  rods_shells::TermSums sums{unused, gradient_, gradient_};
  double alone = 0;
  if (!pairs.empty()) {
    book(search, [&] { pairs.follow(motion.q); });
    bool fit = true;
    if (level == solve::Level::tangent) {
      const double looked = timed([&] { fit = pairs.fits(motion.q); });
      add(fitting, looked);
      alone += looked;
    }
    if (!fit) {
      const double first = timed([&] { real_.evaluate(motion, rates, level, r); });
      add(pattern, first - timed([&] { real_.evaluate(motion, rates, level, r); }));
    }
    const double distances = timed([&] { pairs.evaluate(motion.q, motion.v, rates.v, solve::Level::value, sums); });
    const double all = timed([&] { pairs.evaluate(motion.q, motion.v, rates.v, level, sums); });
    add(narrow, distances);
    add(contactForces, all - distances);
    alone += all + timed([&] { pairs.follow(motion.q); });
  }
  if (!outside.empty()) {
    const double all = timed([&] { outside.evaluate(motion.q, motion.v, rates.v, level, sums); });
    add(obstacles, all);
    alone += all;
  }
  gradient_.setZero();
  const double whole = timed([&] { out = real_.evaluate(motion, rates, level, r); });
  add(elements, whole - alone);
  return out;
}

}  // namespace tendril::bench
