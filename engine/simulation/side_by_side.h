// Several models as one: they step together and see the same probe columns, but do not touch each other. A step counts
// only where every model accepts it; otherwise those that did are restored bit for bit.
#pragma once

#include <memory>

#include "model/model.h"
#include "scene/scene.h"
#include "world/world.h"

namespace tendril {

/// The bodies that a probe observes, by their index in lists of bodies, once for each node, point or vine in its first
/// or second selection. Formula probes have none.
std::vector<int> bodiesOf(const scene::Probe& probe, const scene::Scene& scene, bool second);

class SideBySide final : public model::Model {
 public:
  struct Part {
    int firstBody, endBody;  ///< its bodies, by their index in lists of bodies: rods, shells, linkages, vines
    std::unique_ptr<model::Model> model;
  };
  /// Initially empty, in a world at t = 0. Throws Failure.
  explicit SideBySide(const scene::Scene& scene) : scene_(scene), world_(scene) {}
  const world::World& world() const { return world_; }
  /// Sets the parts, in the order of bodies and of the drawing. They step from the last to the first, so that the state
  /// of the first, which should be the largest, is never copied.
  void hold(std::vector<Part> parts);
  const std::vector<Part>& parts() const { return parts_; }

  void begin(const double* columns) override;
  model::StepReport step(const model::StepRequest& request, const model::Continue& keepGoing) override;
  model::StepReport settle(const model::SettleRequest& request, const model::Continue& keepGoing) override;
  void lead() override;
  model::StepReport retake(const model::StepRequest& request, model::Model& first,
                           std::span<const model::Neighbor> neighbors) override;
  model::StepReport resettle(const model::SettleRequest& request, model::Model& first,
                             std::span<const model::Neighbor> neighbors) override;
  double stableStep() override;

  int degreesOfFreedom() const override;
  double maxPenetration() const override;
  std::vector<model::Remark> remarks() const override;

  const Drawing& drawing() const override;
  void snapshot(Snapshot& out) override;
  void observe(int probe, std::span<double> columns) override;
  Vec3 meanPosition(int probe, bool second) override;
  void seenByLoad(int load, std::vector<double>& out) const override;
  /// False where one of them has none.
  bool energyBalance(model::WatchedBalance& out) override;
  void energyOfParts(std::vector<model::PartBalance>& out) override;
  void bodies(std::vector<BodyState>& out) override;
  /// Moves the grabbed point to a target [m].
  void grab(int point, const Vec3& target);
  void grab(int point) override;
  void release() override;

  void refresh() override;
  void visit(model::Archive& archive) override;

 private:
  /// `end`: where the world moves with them, from t0 [s].
  template <class Attempt>
  model::StepReport together(const scene::Instant& end, double t0, const Attempt& attempt);
  void goBack(std::size_t first);
  /// retake(part, that of `first`, those of neighbors) for each part, in worlds that move on from t0 [s] to `end`.
  template <class Retake>
  model::StepReport again(const scene::Instant& end, double t0, model::Model& first,
                          std::span<const model::Neighbor> neighbors, const Retake& retake);
  /// Number of observed points of a part in the first and second selections of a probe.
  struct Share {
    std::size_t part = 0;
    double first = 0, second = 0;
  };

  const scene::Scene& scene_;
  world::World world_;
  std::vector<Part> parts_;
  std::vector<std::vector<Share>> shares_;     // per probe: the parts that it observes
  std::vector<std::vector<std::byte>> saved_;  // per part, before the attempt; kept to reuse memory
  std::vector<Snapshot> snapshots_;            // per part
  std::vector<double> row_;                    // of one part's columns
  mutable Drawing drawing_;                    // rebuilt when a part's drawing changed
  mutable std::vector<std::uint64_t> drawn_;   // revisions of the parts in it
};

}  // namespace tendril
