// The balance of mechanical energy of a run. Promised to strangers.
#pragma once

namespace tendril {

/// Energies since the run began [J]: kinetic + gravity + elastic + contact energy = their sum at the start + work -
/// dissipated + numerical.
struct EnergyBalance {
  double work = 0;        ///< of loads, supports, actuation, moving obstacles and media, and the pointer
  double dissipated = 0;  ///< by dampers, drag and friction
  double numerical = 0;   ///< by the integrator; negative where it takes energy out
  double peak = 0;        ///< the most that was in play at one time: kinetic + elastic + contact energy
  double given = 0;       ///< the most that had come in by one time: what was in play + dissipated - numerical
  double little = 0;      ///< what round-off may make or take

  EnergyBalance& operator+=(const EnergyBalance& other) {
    work += other.work, dissipated += other.dissipated, numerical += other.numerical, peak += other.peak;
    given += other.given, little += other.little;
    return *this;
  }
};

/// That of bodies which share nothing with others.
struct PartBalance {
  EnergyBalance energy;
  int body = 0;    ///< the first of them, as lists of bodies number them
  int bodies = 1;  ///< how many they are
};

}  // namespace tendril
