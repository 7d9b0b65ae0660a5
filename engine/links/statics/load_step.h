// One load step of a linkage: an equilibrium at the load factor that is asked for, from the accepted state. Newton
// where it meets no unstable position; else the branch of equilibria is followed in smaller parts, and where that ends,
// damped motion leads on.
#pragma once

#include <string>

#include "links/statics/statics.h"
#include "links/words.h"
#include "model/model.h"

namespace tendril::links {

class LoadStep {
 public:
  /// All must outlive it.
  LoadStep(Statics& statics, const model::SettleRequest& request, const solve::NewtonSettings& settings,
           model::StepReport& report);

  /// The equilibrium; false: none, and why stands in the report.
  bool find(VectorX& x);
  /// How it was reached.
  Advance advance() const { return advance_; }
  const scene::Instant& instant() const { return instant_; }
  /// Why joints of loops went too far to it, or empty.
  std::string wentFar(const VectorX& x) const;
  /// Where it is accepted: on which side of its loops that is not sure, and whether it is stable, as warnings.
  void reportDoubt();
  void reportStability();

 private:
  enum class Found { nothing, unstable, doubtful, sure };

  // Into the load.
  void loadBy(double factor, VectorX& x);
  void leadLoops(double factor, VectorX& x);
  std::string prescribedFar();
  double unbalance(double factor, VectorX x);

  // By Newton.
  solve::NewtonReport solveFrom(const solve::NewtonSettings& settings, VectorX& x);
  Stability stabilityAt(VectorX x, VectorX* motion = nullptr);
  Found findFrom(VectorX& x, std::string& reason);
  bool findAtRest(double to, VectorX& x, Advance& advance);
  bool settleUnloaded(VectorX& x);
  bool findEquilibrium(double to, VectorX& x, Advance& advance);
  bool lookFurther(double to, Found found, const VectorX& start, std::string reason, VectorX& x, Advance& advance);
  std::string leavesSide(const VectorX& x) { return loops_.leavesSide(from_, x, doubt_); }

  // Along a branch, and by damped motion where that ends.
  bool follow(double done, double to, VectorX& x, std::string& reason);
  bool settleDamped(VectorX& x);
  VectorX evenWeights() const;
  bool comesToRest(VectorX& x);
  bool pushOff(VectorX& x, bool& leans);
  bool contactAllows(const VectorX& from, const VectorX& to);
  void reportDamped(const std::string& at, const std::string& reason);

  static constexpr double nowhere = 1e-6;  ///< of the size: it has not moved

  Statics& statics_;
  State& state_;
  Loops& loops_;
  const model::SettleRequest& request_;
  solve::NewtonSettings settings_;
  model::StepReport& report_;
  scene::Instant instant_;
  solve::Kinematics still_;
  VectorX from_;           // closed: where the displacement of the loops begins
  std::string doubt_;      // which side they took
  std::string jam_;        // why they cannot be led to what is prescribed
  bool locked_ = false;    // in no way at all: nothing else is free
  double prescribed_ = 0;  // how far what is prescribed goes [rad, or of the size]
  Advance advance_ = Advance::loadStep;
};

}  // namespace tendril::links
