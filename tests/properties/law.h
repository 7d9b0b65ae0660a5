// How a law is held against random scenes: fixed seeds in every test run; fresh ones for TENDRIL_PROPERTY_SECONDS a
// law, counted from TENDRIL_PROPERTY_SEED (0 seconds: laws are named and nothing is run). A seed that fails is shrunk,
// feature by feature, and printed with its scene.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <optional>

#include "engine/simulation/run_scene.h"
#include "scenes.h"

namespace tendril::properties {

/// A run, as the first telling would have it.
struct Course {
  std::string scene;
  std::string failure;          ///< why it could not be loaded or gave up; else empty
  std::vector<Vec3> nodes;      ///< of the first bodies, in the order of the first telling [m]
  std::vector<double> bits;     ///< every number that the run ends with
  std::vector<double> balance;  ///< of energy, in the first telling's joules; and how many warnings were given
  double extent = 0;            ///< [m] of what moved, at least of the bodies
  EnergyBalance energy;
  long retries = 0;     ///< in the steps that were taken
  bool warned = false;  ///< that the integrator made energy
  bool gained = false;  ///< what was cut first was cut for a gain of energy
};

using Scenes = std::function<std::string(unsigned seed, const Telling&)>;
/// Nothing where the law holds for a seed, told without some features; else what is wrong. "skip": the seed says
/// nothing.
using Law = std::function<std::string(unsigned seed, const std::set<std::string>& without)>;

/// Scenes of a law that makes its own.
Scenes none();

Course run(const std::string& scene, const Telling& telling);
/// Whether they show the same.
bool sameLook(Simulation& a, Simulation& b);
/// Largest distance between nodes of two courses, over the extent.
double apart(const Course& a, const Course& b);

/// Where round-off decides which way something buckles, slips or turns, or whether it is cut, there is nothing to
/// compare: the scene's own neighbors, no further from it than digits, then run elsewhere too.
bool hangsOnRoundOff(const Course& plain, unsigned seed, const Scenes& scenes, Telling telling, double tolerance);

std::string number(double v);

/// Fails as well where fewer scenes than a share of `least` say anything.
void hold(const std::string& name, unsigned count, const Law& law, const Scenes& scenes, double least = 0.55);

/// The same scene told in two ways runs alike to `tolerance` of its extent; 0: bit for bit.
void alike(const std::string& name, unsigned count, const Scenes& scenes, double tolerance,
           const std::function<void(Draw&, Telling&)>& other, const std::function<void(Telling&)>& both = {});

}  // namespace tendril::properties
