// What the search for equilibria keeps from one load step to the next.
#pragma once

#include <limits>
#include <string>

#include "links/loops/loops.h"
#include "links/state.h"
#include "links/statics/idle_motions.h"
#include "solve/newton.h"

namespace tendril::links {

/// A load factor beyond which no equilibrium was found.
struct Barrier {
  double factor = std::numeric_limits<double>::infinity();
  std::string reason;
  bool jammed = false;  ///< loops are what stops there: an equilibrium before it does not take it away

  void forget() { factor = std::numeric_limits<double>::infinity(), jammed = false; }
};

struct Statics {
  Statics(State& state, Loops& loops, solve::Newton& newton)
      : state(state), loops(loops), newton(newton), idle(state, loops) {}

  State& state;
  Loops& loops;
  solve::Newton& newton;
  IdleMotions idle;
  Barrier barrier;
  int damped = 0;  ///< how often it went on by damped motion in this run

  /// Before a run.
  void begin() { barrier.forget(), damped = 0; }
};

}  // namespace tendril::links
