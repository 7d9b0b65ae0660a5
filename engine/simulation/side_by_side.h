// Several models as one: they step together and see the same probe columns, but do not touch each other. A step counts
// only where every model accepts it; those that had are put back bit for bit.
#pragma once

#include <memory>

#include "model/model.h"
#include "scene/scene.h"

namespace tendril {

/// Whose bodies a model has: bits of a set.
enum class Owner : unsigned { discrete = 1, linkages = 2, vines = 4 };
/// Whose a probe is, a set. Formula probes are nobody's: not asked.
unsigned ownersOf(const Probe& probe, const Scene& scene);

class SideBySide final : public Model {
 public:
  struct Part {
    Owner owner;  ///< one of each at most
    std::unique_ptr<Model> model;
  };
  /// In the order of bodies and of the drawing. They are asked from the last to the first, so that the state of the
  /// first, which should be the largest, is never copied.
  SideBySide(const Scene& scene, std::vector<Part> parts);

  void begin(const double* columns) override;
  StepReport step(const StepRequest& request, const Continue& keepGoing) override;
  StepReport settle(const SettleRequest& request, const Continue& keepGoing) override;
  double stableStep() override;

  int degreesOfFreedom() const override;
  double maxPenetration() const override;
  std::vector<Remark> remarks() const override;

  const Drawing& drawing() const override;
  void snapshot(Snapshot& out) override;
  void observe(int probe, std::span<double> columns) override;
  Vec3 meanPosition(int probe, bool second) override;
  /// False where one of them keeps none.
  bool energyBalance(EnergyBalance& out) override;
  void bodies(std::vector<BodyState>& out) override;
  void grab(int point, const Vec3& target) override;
  void release() override;

  void refresh() override;
  void save(std::vector<std::byte>& out) const override;
  void restore(std::span<const std::byte>& in) override;

 private:
  template <class Attempt>
  StepReport together(const Attempt& attempt);
  void goBack(std::size_t first);
  unsigned present() const;

  const Scene& scene_;
  std::vector<Part> parts_;
  std::vector<std::vector<std::byte>> saved_;  // per part, before the attempt; kept for their memory
  std::vector<Snapshot> moments_;              // per part
  std::vector<double> row_;                    // of one part's columns
  mutable Drawing drawing_;                    // put together anew where a part's grew
  mutable std::vector<std::uint64_t> drawn_;   // revisions of the parts in it
};

}  // namespace tendril
