// What every model offers to the simulation door: advance, solve, observe, draw, save and restore. No physics here.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "geometry/types.h"
#include "model/archive.h"
#include "model/watched_balance.h"
#include "tendril/body_state.h"
#include "tendril/drawing.h"

namespace tendril::scene {
struct Place;
}

namespace tendril::model {

struct Equations;
struct Nearby;
struct PlaceMotion;

/// Asked once per Newton iteration, and once per explicit step; false stops the work.
using Continue = std::function<bool()>;

/// One attempt at a step or a solve: accepted, or the state is as before.
struct StepReport {
  bool accepted = false;
  bool stopped = false;   ///< `Continue` said no
  bool hopeless = false;  ///< not accepted, and a shorter step will not be either
  long iterations = 0;    ///< Newton iterations; of several solves side by side those of the one that took the most
  std::string reason;     ///< why it was not accepted
  bool advised = false;   ///< the reason already says what to change
  double ask = 0;         ///< [s] not accepted, for the step should rather end so long after its start; 0: no wish
  std::vector<std::string> warnings;
};

/// What a model receives for a step: times [s] and what feedback formulas see.
struct StepRequest {
  double t0 = 0;                    ///< accepted time
  double dt = 0;                    ///< length of the attempt
  const double* columns = nullptr;  ///< probe columns, then states, of the last accepted step
  double since = 0;                 ///< [s] where the step before began
  bool smooth = true;               ///< false after a discontinuity of all: multi-step schemes start again
  bool whole = false;               ///< it is to be taken as long as it is: no StepReport::ask
  bool again = false;  ///< a longer attempt from t0 was refused: what refused it starts again, all else goes on
};

/// A static solve: everything as at `time`, loads, gravity, actuation and prescribed motion scaled by `factor`.
struct SettleRequest {
  double time = 0;
  double factor = 1;
  const double* columns = nullptr;
  bool equilibrium = false;  ///< the dynamic run's start: with the scene's extra loads
};

/// What shows only once a model is built: a warning at a location in the scene.
struct Remark {
  std::string pointer, message;
};

/// A scene from which no model can be built, with the location of the error.
class BuildError : public std::invalid_argument {
 public:
  BuildError(std::string pointerOf, const std::string& message)
      : std::invalid_argument(message), pointer(std::move(pointerOf)) {}
  std::string pointer;  ///< JSON pointer
};

class Model;

/// A run whose parameters differ a little from another's, with which it takes its steps (Model::retake).
struct Neighbor {
  Model* model = nullptr;
  const double* columns = nullptr;  ///< its own, as in a StepRequest
};

class Model {
 public:
  virtual ~Model() = default;
  /// Prepares t = 0 again with the first probe columns: what feedback drives then starts from what it sees.
  virtual void begin(const double* columns) = 0;
  virtual StepReport step(const StepRequest& request, const Continue& keepGoing) = 0;
  virtual StepReport settle(const SettleRequest& request, const Continue& keepGoing) = 0;
  /// Largest step [s] of an explicit integrator, infinity when implicit.
  virtual double stableStep() = 0;

  virtual int degreesOfFreedom() const = 0;   ///< unknowns, prescribed ones included
  virtual double maxPenetration() const = 0;  ///< deepest of any accepted state so far [m]
  virtual std::vector<Remark> remarks() const = 0;

  virtual const Drawing& drawing() const = 0;
  virtual void snapshot(Snapshot& out) = 0;
  /// Values of a probe (index into the scene's probes) at the accepted state, one per column.
  /// Energy and contact with `bodies`: of those among them that are this model's; without, of all that are.
  virtual void observe(int probe, std::span<double> columns) = 0;
  /// The balance of energy of the accepted state since the run began; false where the model keeps none.
  virtual bool energyBalance(WatchedBalance& /*out*/) { return false; }
  /// Appends that of each of its parts, bodies numbered within the model; nothing where it keeps none.
  virtual void energyOfParts(std::vector<PartBalance>& out) {
    PartBalance all;
    if (energyBalance(all.energy)) out.push_back(all);
  }
  /// Distance probes: mean position [m] of its nodes or places in the first or the second selection; it has some.
  virtual Vec3 meanPosition(int probe, bool second) = 0;
  /// Appends what the formulas of a load (index into the scene's loads) see at the accepted state, at some of the
  /// points that it acts on: formula::Place::count numbers each, then s, u, i and n. Nothing where it is no field, or
  /// acts on other models.
  virtual void seenByLoad(int /*load*/, std::vector<double>& /*out*/) const {}
  /// Adds the accepted state of its bodies for result files.
  virtual void bodies(std::vector<BodyState>& out) = 0;
  /// Attaches the pointer's spring to a drawn point, until released. Throws std::invalid_argument: no such point.
  virtual void grab(int point) = 0;
  virtual void release() = 0;

  /// Its equations of motion about the accepted state. Throws NoEquations.
  virtual void equations(Equations& out);
  /// Forces [N], [N m] on the free unknowns, as Equations::forces, at the accepted state with accelerations of that
  /// many entries: after refresh(), by the present values of parameters. False: supports would stand elsewhere.
  virtual bool unbalanced(const VectorX& accelerations, VectorX& out);
  /// Observes as if that were the accepted state, until called with null; nothing else may be asked meanwhile. By the
  /// free unknowns of the last equations().
  virtual void lookAt(const Nearby* state);
  /// Makes a state near the accepted one that, without a past, where loops are closed again. Throws NoEquations where
  /// it is too far for that.
  virtual void displace(const Nearby& state);
  /// The same with Equations::values to stand at, and whole rates there.
  virtual void standAt(const VectorX& values, const VectorX& rates);
  /// Where a place is at the accepted state, and how it moves with the free unknowns of equations(). False: it is on no
  /// body of this model.
  virtual bool placeMotion(const scene::Place& place, PlaceMotion& out);

  /// From now on it keeps what retake() and resettle() of others want to know of how its steps were solved.
  virtual void lead() {}
  /// Takes the step again that `first` has just accepted by this request, from a state equal to the one where it began;
  /// each neighbor takes its own along with it: by corrections with the tangent at the solution where a model has one
  /// to share, else by a solve of its own. Neighbors come in pairs, on either side of it. Not accepted: some of them
  /// have taken the step and others not.
  virtual StepReport retake(const StepRequest& request, Model& first, std::span<const Neighbor> neighbors);
  /// The same of a static solve.
  virtual StepReport resettle(const SettleRequest& request, Model& first, std::span<const Neighbor> neighbors);

  virtual void refresh() = 0;  ///< live parameters changed; positions and velocities are kept

  /// Appends everything that the future depends on.
  void save(std::vector<std::byte>& out) const {
    Archive archive(out);
    const_cast<Model*>(this)->visit(archive);  // which only reads there
  }
  /// The same, with the places of its numbers.
  void save(SavedState& out) const {
    Archive archive(out);
    const_cast<Model*>(this)->visit(archive);  // which only reads there
  }
  /// Consumes its part; throws std::runtime_error.
  void restore(std::span<const std::byte>& in) {
    Archive archive(in);
    visit(archive);
  }
  /// Visits everything that the future depends on.
  virtual void visit(Archive& archive) = 0;
};

}  // namespace tendril::model
