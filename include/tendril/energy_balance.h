// The balance of mechanical energy of a run.
#pragma once

namespace tendril {

/// Energies since the run began [J]. At any time
/// kinetic + gravity + elastic + contact energy = their sum at the start + work - dissipated + numerical.
struct EnergyBalance {
  double work = 0;        ///< of loads, supports, actuation, moving obstacles and media, and the pointer
  double dissipated = 0;  ///< by dampers, drag and friction
  double numerical = 0;   ///< by the integrator: its own error; negative where it takes energy out
  double peak = 0;        ///< the largest kinetic + elastic + contact energy so far
  double given = 0;       ///< the most that had come in by one time: what was in play + dissipated - numerical
  double little = 0;      ///< bound of round-off: smaller values of the others mean nothing
};

}  // namespace tendril
