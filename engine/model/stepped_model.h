// A model that steps by the scene's integrator: the order in which one implicit step goes, for all schemes and all
// models, and what every attempt at a step keeps or takes back.
#pragma once

#include "model/model.h"
#include "model/step_instants.h"
#include "solve/time_scheme.h"

namespace tendril::model {

class SteppedModel : public Model {
 protected:
  /// `integrator`: the scene's, of these bodies.
  SteppedModel(const scene::Scene& scene, scene::Integrator integrator);

  bool isExplicit() const;
  /// The scheme that the scene asks for, of implicit steps.
  solve::ImplicitScheme scheme() const;
  solve::NewtonSettings newtonSettings(const Continue& keepGoing) const;
  /// An attempt of this length [s] is the shortest whose gain of energy could still be cut: shorter ones are accepted.
  bool isFinest(double dt) const;

  /// One attempt at an implicit step. Where a hook refuses, no later one is called but, from prepareStep on, endStep.
  StepReport implicitStep(const StepRequest& request, const Continue& keepGoing);

  // The hooks of an implicit step, in the order in which they are called.
  /// Chooses the scheme, sees what starts afresh, and sets up step_. False: refused, or to end elsewhere
  /// (StepReport::ask).
  virtual bool openStep(const StepRequest& request, StepReport& report) = 0;
  /// Prepares loads, supports, obstacles and the ledger where the step is evaluated; x_ is its start guess.
  virtual bool prepareStep(const StepInstants& step, const StepRequest& request, StepReport& report) = 0;
  /// Solves the step's equations from x_ to x_, with a second try from elsewhere where the model knows one.
  virtual solve::NewtonReport solveStep(const StepInstants& step, const StepRequest& request,
                                        const Continue& keepGoing) = 0;
  /// Adds what may have kept the equations from being solved.
  virtual void explainFailure(const solve::NewtonReport& newton, StepReport& report) = 0;
  /// From the solution x_ to the state at the step's end, q_ and v_; false where that cannot be accepted.
  virtual bool reachEnd(const StepInstants& step, const StepRequest& request, StepReport& report) = 0;
  /// Closes the step's ledger: whether it gains more energy than what acts gives.
  virtual bool gainsEnergy(const StepInstants& step, const StepRequest& request) = 0;
  /// q_ and v_ are the accepted state from here on. `gains`: too much, but no shorter step would help.
  virtual void acceptStep(const StepInstants& step, const StepRequest& request, bool gains, StepReport& report) = 0;
  /// After prepareStep and all that follows, whatever became of it.
  virtual void endStep() {}

  /// The accepted state moves on to q_ and v_ at this instant, `dt` [s] later.
  void moveOn(const scene::Instant& end, double dt);
  /// The instant of the accepted state, with what its formulas saw.
  void keepInstant(const scene::Instant& accepted);

  /// Accepted, or all as before: goBack(stopped) where it was not, or where something was thrown.
  template <class Tried, class GoBack>
  static StepReport attempt(const Tried& tried, const GoBack& goBack) {
    try {
      StepReport report = tried();
      if (!report.accepted) goBack(report.stopped);
      return report;
    } catch (...) {
      goBack(true);
      throw;
    }
  }

  const scene::Scene& scene_;
  solve::History history_;         // the accepted state
  scene::Instant instant_;         // of it
  std::vector<double> columns_;    // what instant_ sees
  solve::TimeStep step_;           // at hand
  VectorX x_;                      // its unknowns where it is evaluated
  VectorX q_, v_;                  // its end
  VectorX acceleration_;           // of the accepted state, where a scheme gives it
  bool haveAcceleration_ = false;  // it is that of the accepted state's forces

 private:
  const scene::Integrator integrator_;
};

}  // namespace tendril::model
