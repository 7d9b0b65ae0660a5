// Idle motions: a coupler between two ball joints, or what hangs on one, spins about its line, and nothing else moves.
// What neither opens loops nor stores or takes energy has no say in an equilibrium: statics keeps still along it.
#pragma once

#include "links/loops/loops.h"
#include "links/state.h"

namespace tendril::links {

class IdleMotions {
 public:
  IdleMotions(State& state, const Loops& loops) : state_(state), loops_(loops) {}

  /// From x on they are kept from the static solve: springs hold them there. Forces do no work along them, so these
  /// springs bear nothing where all is in balance, and any of the equilibria along them is as good as the one so found.
  void rest(const VectorX& x);
  void release();
  /// Whether some are kept.
  bool rests() const { return state_.system->idle.cols() > 0; }
  /// Whether springs that hold them bear something at x: then these were not idle.
  bool bears(const VectorX& x) const;
  /// One of those that are kept, its largest entry 1 in the system's units.
  VectorX motion() const;

 private:
  Eigen::MatrixXd at(const VectorX& q) const;

  State& state_;
  const Loops& loops_;
};

}  // namespace tendril::links
