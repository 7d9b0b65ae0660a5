// The machine laid open: the equations of motion of a simulation about its present state as matrices, its state space
// from actuators to probes, its modes and the loads at which it buckles.
//
// For small motions q of the unknowns that are free to move: M a + D v + K q = f + B u. What is prescribed stays; what
// formulas see of probes stays as it was in the last step, so feedback loops are open.
#pragma once

#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "tendril/drawing.h"
#include "tendril/simulation.h"

namespace tendril {

/// By its entries that are not zero: value[i] stands at (row[i], column[i]), counted from 0, column after column.
struct SparseMatrix {
  int rows = 0, columns = 0;
  std::vector<int> row, column;
  std::vector<double> value;
};

/// What asks for more than a scene has; what() says why and what to change.
class NotLinear : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Linearization {
  double time = 0;                        ///< [s] of the state
  std::vector<std::string> coordinates;   ///< n: "rod:3.x", "rod:3.twist", "arm/limb[2]"
  std::vector<std::string> units;         ///< n: "m", "rad" or "1"
  std::vector<double> rates;              ///< n: v of the state [unit/s]
  std::vector<double> forces;             ///< n: f, beyond equilibrium at these rates [N], [N m]
  SparseMatrix mass, damping, stiffness;  ///< n x n: M, D, K in SI units
  SparseMatrix motions;                   ///< n x r: the motions that loops and joints of vines allow; else identity
  std::vector<std::string> inputs;   ///< of u: tensions "arm/tendon" [N], efforts "arm/hub" [N m, N], live parameters
  std::vector<std::string> outputs;  ///< of y: columns of probes
  SparseMatrix actuation;            ///< n x inputs: B of the equations of motion
  std::vector<std::string> omitted;  ///< what acts and is not in the matrices, in words

  /// State space: x' = A x + B u + drift, y = y0 + C x + D u; x and u count from the state, so that they are 0 there.
  struct StateSpace {
    std::vector<std::string> states;  ///< of x: coordinates, then their rates ("arm/limb[2]'"), see docs/machine.md
    std::vector<std::string> units;   ///< of x
    SparseMatrix A, B, C, D;
    std::vector<double> drift;  ///< x' of the state itself; 0 at an equilibrium
    std::vector<double> y0;     ///< of the outputs
  } space;
};

/// Of the n coordinates of a Linearization.
struct MachineState {
  /// [unit]: places in the world, angles, strains; of joints with several rotations the rotation vector, as in probes
  /// of jointAngle; twist angles in the frame that goes along with the edge.
  std::vector<double> q;
  /// [unit/s]; of joints with several rotations the angular velocity, as the link sees it, and the velocity in the
  /// directions in which the joint now stands.
  std::vector<double> v;
};

/// Where a place is and how it moves.
struct Kinematics {
  std::vector<double> position;  ///< 3 [m]
  std::vector<double> rotation;  ///< quaternion w x y z, as the probe `pose`; empty at vertices of shells
  std::vector<double> velocity;  ///< 3 [m/s]
  std::vector<double> spin;      ///< 3 [rad/s] in the world; empty as rotation
  SparseMatrix jacobian;         ///< 6 x n, or 3 x n: velocity, then spin, by the rates of the coordinates
};

struct Mode {
  double frequency = 0;       ///< [Hz] without damping; 0 for rigid, hidden and growing ones
  double growth = 0;          ///< [1/s] rate at which a motion leaves an unstable equilibrium, damping included; else 0
  double damping = 0;         ///< damping ratio; above 1 it creeps back without swinging
  bool rigid = false;         ///< nothing resists it: bodies move as if they were rigid, and so do links on free joints
  double hidden = 0;          ///< [Hz] up to which round-off hides its frequency, where it deforms bodies; else 0
  bool estimate = false;      ///< the damping ratio is that of the undamped shape
  std::vector<double> shape;  ///< n, as Linearization::coordinates; the largest motion is as long as the structure
};

struct CriticalLoad {
  double factor = 0;          ///< times all loads, gravity, actuation and prescribed motion of the scene
  double error = 0;           ///< up to which the factor is uncertain, as a share of it: round-off, and what loads bend
  std::vector<double> shape;  ///< as Mode::shape
};

/// The present state of a simulation. It is a copy: nothing done here changes the simulation, which may end before.
class Machine {
 public:
  explicit Machine(const Simulation& simulation);
  ~Machine();
  Machine(Machine&&) noexcept;
  Machine& operator=(Machine&&) noexcept;

  const std::vector<std::string>& coordinates();  ///< n; as Linearization::coordinates. Throws NotLinear

  /// What acts and is in no matrix, in words; as Linearization::omitted. Throws NotLinear
  std::vector<std::string> omitted();

  /// All actuators and live parameters that can be inputs.
  std::vector<std::string> inputs();
  struct Options {
    std::vector<std::string> inputs;   ///< empty: tensions, efforts that the scene gives, live parameters
    std::vector<std::string> outputs;  ///< empty: all columns of probes
    bool space = true;                 ///< the state space too
  };
  /// Throws NotLinear, and std::invalid_argument for a name that is none.
  Linearization linearize(const Options& options);
  Linearization linearize() { return linearize(Options()); }

  /// d(column)/dq, outputs x n, row by row in the order of `columns`, and d(column)/dv where `rates`. The state's own
  /// accelerations are kept. Throws as linearize().
  SparseMatrix jacobian(const std::vector<std::string>& columns, bool rates = false);
  /// Values of all columns of probes at this state.
  std::vector<double> values();

  MachineState state();  ///< Throws NotLinear
  /// Moves on to these coordinates with these rates (empty: none); closed loops are closed again. Throws as displace().
  void setState(std::span<const double> q, std::span<const double> v = {});
  /// Of one place, as selectors name it: "rod:last", "sheet@[0, 0.1, 0]", "arm/limb@0.5". Exact. Throws NotLinear, and
  /// std::invalid_argument for what is none.
  Kinematics kinematics(const std::string& place);

  /// Moves the n coordinates by `moves` and gives them these rates (empty: none); closed loops are closed again.
  /// Rotations of balls, edges and welds add up for small moves only. Throws NotLinear, std::invalid_argument.
  void displace(std::span<const double> moves, std::span<const double> rates = {});
  /// Newton's method on the coordinates until these columns of probes have these values to `tolerance` of their size or
  /// of the change asked for, by the smallest motions that do it, in rest. Throws NotLinear where it does not get
  /// there.
  void solveFor(const std::vector<std::string>& columns, std::span<const double> values, double tolerance = 1e-10);

  /// The `count` lowest, by frequency. Throws NotLinear: no equilibrium, no mass, forces without a potential, friction.
  std::vector<Mode> modes(int count = 10);
  /// The `count` lowest positive factors at which a static scene's equilibrium becomes unstable, by how stiffness
  /// changes as the first of the loads come on: to 1e-3, or as CriticalLoad::error says. Throws NotLinear, also where
  /// round-off leaves less, and where the loads bend so much that such factors mean nothing.
  std::vector<CriticalLoad> criticalLoads(int count = 4);

  /// The drawing's points, displaced by `size` times a shape.
  Snapshot shaped(std::span<const double> shape, double size);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tendril
