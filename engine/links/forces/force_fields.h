// Loads on links that are formulas of the point that they act on: forces, moments and potentials, with the exact
// derivatives of their formulas by place, direction and velocity. They act at single places, and along soft links at
// the quadrature points.
#pragma once

#include <vector>

#include "links/chain/displacement.h"
#include "links/chain/force.h"
#include "scene/instant.h"

namespace tendril::links {

class ForceFields final : public ChainForce {
 public:
  /// Where a load is taken: the frame at a step's end, whose x is the direction that formulas see.
  struct Point {
    int step = 0;
    double weight = 1;                  ///< what the formula's value is multiplied by: 1, [m] or [kg]
    double s = 0, u = 0, i = 0, n = 0;  ///< as formulas see them
  };
  struct Field {
    const scene::Load* load = nullptr;
    bool extra = false;  ///< of the equilibrium solve only
    std::vector<Point> points;
  };

  /// `scene` must outlive this.
  explicit ForceFields(const scene::Scene& scene) : scene_(scene) {}

  /// Others after live parameters changed, of as many points; prepare() must follow.
  void setFields(std::vector<Field> fields);
  /// The places of all points at the start of a run, by the frames there.
  void setInitial(const std::vector<ChainFrame>& frames);
  bool empty() const { return fields_.empty(); }

  /// As model::Model::seenByLoad, at these frames.
  void seenBy(const scene::Load& load, const std::vector<ChainFrame>& frames, std::vector<double>& out) const;

  /// Formulas see what they see at `at` until the next call, whatever is measured meanwhile.
  void prepare(const scene::Instant& at);

  /// Throws Failure where a formula has no value, or no finite slope.
  void add(const std::vector<ChainFrame>& frames, bool slopes, ChainLoads& out) override;
  /// Of potentials [J].
  double keptEnergy(const std::vector<ChainFrame>& frames) const override;
  double keptPower(const std::vector<ChainFrame>& frames) const override;
  double givenPower() const override { return power_; }
  bool hasPotential() const override;

  /// What formulas see beside their point, and how much each field acts.
  struct Sight {
    double t = 0;
    std::vector<double> columns, factors;
  };
  /// As prepared.
  const Sight& sight() const { return sight_; }
  /// [J] of forces and moments along a way, as the mean of what they are by both.
  double workOfForces(const ChainDisplacement& way, const Sight& from, const Sight& to) const;
  /// [J] of potentials between two placements.
  double workOfPotentials(const std::vector<geometry::Pose>& start, const std::vector<ChainFrame>& end,
                          const Sight& from, const Sight& to) const;

 private:
  struct Pull;
  formula::Input inputOf(const Point& point, const Sight& sight) const;
  Pull pullOf(const Field& field, const Point& point, double factor, const Vec3& initial, const ChainFrame& frame,
              bool slopes) const;
  Pull slopeOf(const Field& field, const Point& point, double factor, const Vec3& initial, const geometry::Pose& pose,
               bool slopes) const;
  double energyAt(const std::vector<geometry::Pose>& poses, const Sight& sight) const;
  template <class Visit>
  void forEachPoint(const Sight& sight, const Visit& visit) const;

  const scene::Scene& scene_;
  std::vector<Field> fields_;
  std::vector<Vec3> initial_;  // of all points, field by field
  Sight sight_;
  double power_ = 0;  // at the last add() [W]
};

}  // namespace tendril::links
