// Vines as a model: turns growth, steering and obstacles of a scene into steps of growing chains, with probes, drawing
// and saving.
#pragma once

#include <memory>

#include "model/model.h"
#include "vines/cross_section.h"
#include "vines/force_fields.h"
#include "vines/joints.h"
#include "vines/step/step.h"
#include "world/world.h"

namespace tendril::vines {

class Model final : public model::Model {
 public:
  /// The world must outlive the model; the `values` of its scene may change, followed by refresh(). Throws
  /// model::BuildError where a vine cannot start, for example inside an obstacle.
  explicit Model(const world::World& world);

  void begin(const double* columns) override;
  model::StepReport step(const model::StepRequest& request, const model::Continue& keepGoing) override;
  /// Vines have no static analysis; they are at rest in the equilibrium that a run starts from.
  model::StepReport settle(const model::SettleRequest& request, const model::Continue& keepGoing) override;
  double stableStep() override;

  int degreesOfFreedom() const override;
  double maxPenetration() const override { return maxPenetration_; }
  std::vector<model::Remark> remarks() const override { return remarks_; }

  const Drawing& drawing() const override { return drawing_; }
  void snapshot(Snapshot& out) override;
  void observe(int probe, std::span<double> columns) override;
  Vec3 meanPosition(int probe, bool second) override;
  void seenByLoad(int load, std::vector<double>& out) const override;
  void bodies(std::vector<BodyState>& out) override;
  void grab(int point) override;
  void release() override { grabbed_ = Grabbed(); }
  void refresh() override;
  void visit(model::Archive& archive) override;

  void equations(model::Equations& out) override;
  bool unbalanced(const VectorX& accelerations, VectorX& out) override;
  void lookAt(const model::Nearby* state) override;
  void displace(const model::Nearby& state) override;
  void standAt(const VectorX& values, const VectorX& rates) override;
  bool placeMotion(const scene::Place& place, model::PlaceMotion& out) override;

 private:
  struct Robot {
    Robot(const scene::Scene& scene, int index, const Parameters& parameters)
        : vine(scene.vines[static_cast<std::size_t>(index)]), chain(parameters), fields(scene, index) {}
    const scene::Vine& vine;
    Plane plane;
    Chain chain;
    Step step;
    Report report;                           // of the last accepted step
    std::vector<PlanarShape> shapes;         // those that meet the plane
    std::vector<int> obstacles;              // the obstacle's index in the scene, for each
    std::vector<Contact> contacts;           // of the last accepted step
    std::vector<double> moments, curvature;  // at the pins
    std::vector<Pull> pulls;
    ForceFields fields;
    bool saidStep = false;  // that steps are too long for what fields do explicitly
  };
  /// The pointer's spring.
  struct Grabbed {
    int robot = -1, pair = 0;
    double along = 0;      // [m] from the pair's start
    double stiffness = 0;  // [N/m]
  };
  /// The accepted state of a robot while it shows another.
  struct Hidden {
    std::vector<double> q, v;
    double growthForce = 0;
    MatrixX rows, following;  // of the joints, and Joints::following() of each
  };
  struct Energies {
    double kinetic = 0, gravity = 0, bend = 0;  // [J]
  };

  Parameters parametersOf(const scene::Vine& vine, const scene::Instant& at) const;
  void start(Robot& robot);
  void cut(Robot& robot, const scene::Instant& at);
  void standAtAccepted();
  model::StepReport attempt(const model::StepRequest& request, const scene::Instant& end,
                            const model::Continue& keepGoing);
  void refuseOverlaps(Robot& robot);
  void act(Robot& robot, const scene::Instant& at);
  void bends(const Robot& robot, std::vector<double>& out) const;
  void field(const Robot& robot, const formula::Number& value, formula::Input in, std::vector<double>& out) const;
  std::string tooLong(const Robot& robot, const Actuation& actuation, double dt) const;
  Actuation actuationOf(Robot& robot, const Chain& chain);
  static Chain keepingJoints(const Robot& robot, const Joints& joints);
  bool grows(const Robot& robot) const;
  bool steersByPlace(const Robot& robot) const;
  std::string reasonOf(const Robot& robot, const Report& report) const;
  static bool advises(Report::Status status);
  std::string bodyName(const Robot& robot, int body) const;
  void draw();
  Energies energiesOf(const Robot& robot) const;
  double contactOf(const scene::Probe& probe);
  Vec3 nodeVelocity(const Robot& robot, int node) const;
  Vec3 tipOf(const Robot& robot) const { return robot.plane.point(robot.chain.tip()); }

  static constexpr std::uint64_t mostBodies = 1000000;  // limit for a saved state

  const scene::Scene& scene_;
  std::vector<Robot> robots_;
  const world::World& world_;
  world::ObstaclePaths motion_;
  scene::Instant instant_;       // of the accepted state
  std::vector<double> columns_;  // the columns that instant_ sees
  Grabbed grabbed_;
  std::vector<model::Remark> remarks_;
  double maxPenetration_ = 0;  // [m]
  bool begun_ = false;
  std::uint64_t steps_ = 0;  // accepted
  Drawing drawing_;
  std::vector<Chain> before_;  // saved while a step is tried
  std::vector<Hidden> hidden_;
};

}  // namespace tendril::vines
