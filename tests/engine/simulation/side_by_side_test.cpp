// Models side by side: one refuses and the others go back bit for bit, each probe reaches its owner, and what is drawn
// is numbered on. Beside the real model of rods stands a small one that does as it is told.
#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

#include "engine/rods_shells/build_scene.h"
#include "simulation/side_by_side.h"

namespace tendril {
namespace side_by_side_test {

/// One number that grows by dt; refuses, throws and tells what the test wants.
class Told final : public model::Model {
 public:
  double state = 0, began = -1, answer = 0;
  model::StepReport next = accepting();
  bool throws = false;
  int attempts = 0, refreshed = 0, released = 0, grabbed = -1;
  Drawing drawn;
  Snapshot moment;
  Vec3 first = Vec3::Zero(), second = Vec3::Zero();
  double limit = std::numeric_limits<double>::infinity(), deepest = 0;
  std::vector<model::Remark> said;

  static model::StepReport accepting() {
    model::StepReport report;
    report.accepted = true;
    report.iterations = 7;
    return report;
  }
  void begin(const double* columns) override { began = columns[0]; }
  model::StepReport step(const model::StepRequest& request, const model::Continue&) override {
    return attempt(request.dt);
  }
  model::StepReport settle(const model::SettleRequest& request, const model::Continue&) override {
    return attempt(request.factor);
  }
  double stableStep() override { return limit; }
  int degreesOfFreedom() const override { return 3; }
  double maxPenetration() const override { return deepest; }
  std::vector<model::Remark> remarks() const override { return said; }
  const Drawing& drawing() const override { return drawn; }
  void snapshot(Snapshot& out) override { out = moment; }
  void observe(int, std::span<double> columns) override { std::fill(columns.begin(), columns.end(), answer); }
  Vec3 meanPosition(int, bool other) override { return other ? second : first; }
  void bodies(std::vector<BodyState>& out) override {
    out.emplace_back();
    out.back().name = "linkage";
  }
  void grab(int point) override { grabbed = point; }
  void release() override { ++released; }
  void refresh() override { ++refreshed; }
  void visit(model::Archive& archive) override { archive(state); }

 private:
  model::StepReport attempt(double by) {
    ++attempts;
    if (throws) throw formula::Failure("1/0");
    if (next.accepted) state += by;
    return next;
  }
};

// Rods with damping, contact, friction, a follower and a moving clamp: everything that a step may leave behind.
const char* const rich = R"J({"format": "tendril/1",
"materials": {"rubber": {"youngs": 3e5, "poisson": 0.4, "density": 1000, "damping": 500}},
"rods": {"arm": {"section": {"circle": {"radius": 0.01}}, "segments": 6,
                 "path": {"line": {"from": [0, 0, 0.013], "to": [0.3, 0, 0.013]}}}},
"obstacles": {"floor": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}, "friction": $friction}},
"constraints": [{"clamp": "arm:first", "$motion": ["=0.2*sin(20*t)", 0, 0], "rotation": {"axis": [1, 0, 0], "angle": "=2*t"}}],
"loads": [{"follower": [0.02, 0, 0], "at": "arm:last"}],
"environment": {"gravity": [0, 0, -9.81]},
"solver": {"mode": "$mode", "integrator": "$integrator", "dt": 2e-3, "duration": 0.2},
"probes": {"tip": {"position": "arm:last"}, "energy": {"energy": "kinetic"}, "touch": {"contact": "force"},
           "depth": {"contact": "penetration"}, "gap": {"distance": ["arm:first", "arm:last"]},
           "pull": {"reaction": "arm:first"}}})J";

bool isExplicit(const std::string& integrator) { return integrator == "verlet" || integrator == "symplectic-euler"; }

scene::Scene sceneOf(const std::string& integrator, const std::string& mode = "dynamic") {
  std::string text = rich;
  text.replace(text.find("$motion"), 7, mode == "static" ? "displacement" : "velocity");
  text.replace(text.find("$mode"), 5, mode);
  text.replace(text.find("$integrator"), 11, integrator);
  text.replace(text.find("$friction"), 9, isExplicit(integrator) ? "0" : "0.3");
  scene::Scene scene = test::loaded(text);
  scene.linkages.emplace_back();  // number 1 in lists of bodies; the model that is told stands for it
  return scene;
}

std::vector<std::byte> saveOf(const model::Model& model) {
  std::vector<std::byte> out;
  model.save(out);
  return out;
}

/// The model of rods beside the one that is told; `rodsFirst` as a scene's models stand.
struct Pair {
  scene::Scene scene;
  rods_shells::Model* rods = nullptr;
  Told* told = nullptr;
  std::unique_ptr<SideBySide> both;

  explicit Pair(scene::Scene given, bool rodsFirst = true) : scene(std::move(given)) {
    both = std::make_unique<SideBySide>(scene);
    auto discrete = std::make_unique<rods_shells::Model>(both->world());
    auto other = std::make_unique<Told>();
    rods = discrete.get(), told = other.get();
    std::vector<SideBySide::Part> parts;
    if (rodsFirst) parts.push_back({0, 1, std::move(discrete)});
    parts.push_back({1, 2, std::move(other)});
    if (!rodsFirst) parts.push_back({0, 1, std::move(discrete)});
    both->hold(std::move(parts));
  }
  explicit Pair(bool rodsFirst = true) : Pair(sceneOf("implicit-euler"), rodsFirst) {}
};

struct Times {
  double t = 0;
  bool smooth = false;
  std::vector<double> columns = std::vector<double>(32, 0.0);
  model::StepRequest request(double dt) const {
    model::StepRequest r;
    r.t0 = t, r.dt = dt, r.columns = columns.data(), r.smooth = smooth;
    return r;
  }
};

class SideBySideSteps : public ::testing::TestWithParam<const char*> {};

// The rods are asked first here; the told one then refuses every third attempt, or throws every fifth. What is left at
// the end is, byte for byte, what rods alone come to by the accepted steps.
TEST_P(SideBySideSteps, GoBackBitForBitWhereALaterModelRefuses) {
  Pair pair(sceneOf(GetParam()), false);
  const world::World world(pair.scene);
  rods_shells::Model alone(world);
  Times times;
  const double dt = isExplicit(GetParam()) ? 2e-5 : 1e-3;
  int accepted = 0, refused = 0, thrown = 0;
  for (int i = 1; accepted < 60; ++i) {
    ASSERT_LT(i, 300);
    const auto before = saveOf(*pair.rods);
    pair.told->next = Told::accepting();
    pair.told->next.accepted = i % 3 != 0;
    pair.told->throws = i % 5 == 0;
    const model::StepRequest request = times.request(i % 4 == 0 ? 0.5 * dt : dt);
    model::StepReport report;
    try {
      report = pair.both->step(request, {});
    } catch (const formula::Failure&) {
      ++thrown;
      EXPECT_EQ(saveOf(*pair.rods), before);
      continue;
    }
    if (!report.accepted) {
      ++refused;
      EXPECT_EQ(saveOf(*pair.rods), before);
      continue;
    }
    ++accepted;
    ASSERT_TRUE(alone.step(request, {}).accepted);
    ASSERT_EQ(saveOf(*pair.rods), saveOf(alone)) << i;
    times.t += request.dt;
    times.smooth = true;
  }
  EXPECT_GT(refused, 10);
  EXPECT_GT(thrown, 5);
  EXPECT_NEAR(pair.told->state, times.t, 1e-12);
  double pull[3], pullAlone[3];
  pair.rods->observe(5, pull);
  alone.observe(5, pullAlone);
  for (int k = 0; k < 3; ++k) EXPECT_EQ(pull[k], pullAlone[k]);
  EXPECT_NE(pull[2], 0);
}

INSTANTIATE_TEST_SUITE_P(All, SideBySideSteps,
                         ::testing::Values("implicit-euler", "implicit-midpoint", "bdf2", "symplectic-euler", "verlet"),
                         [](const auto& info) {
                           std::string name = info.param;
                           name.erase(name.find('-') == std::string::npos ? name.size() : name.find('-'), 1);
                           return name;
                         });

TEST(SideBySide, TheFirstModelsRefusalPutsTheOthersBack) {
  Pair pair;
  Times times;
  ASSERT_TRUE(pair.both->step(times.request(2e-3), {}).accepted);
  times.t = 2e-3, times.smooth = true;
  const auto before = saveOf(*pair.both);
  const model::StepReport report = pair.both->step(times.request(2e-3), [] { return false; });  // the rods stop
  EXPECT_FALSE(report.accepted);
  EXPECT_TRUE(report.stopped);
  EXPECT_EQ(pair.told->attempts, 2);
  EXPECT_EQ(saveOf(*pair.both), before);
}

TEST(SideBySide, WhereTheLastRefusesTheOthersAreNotAsked) {
  Pair pair;
  const auto before = saveOf(*pair.both);
  pair.told->next.accepted = false;
  pair.told->next.reason = "it cannot";
  const model::StepReport report = pair.both->step(Times().request(2e-3), {});
  EXPECT_FALSE(report.accepted);
  EXPECT_EQ(report.reason, "it cannot");
  EXPECT_EQ(report.iterations, 7);
  EXPECT_EQ(saveOf(*pair.both), before);
}

TEST(SideBySide, SettlesTogetherOrNotAtAll) {
  Pair pair(sceneOf("implicit-euler", "static"), false);
  const auto before = saveOf(*pair.rods);
  std::vector<double> columns(32, 0.0);
  model::SettleRequest request;
  request.factor = 0.1;
  request.columns = columns.data();
  pair.told->next.accepted = false;
  EXPECT_FALSE(pair.both->settle(request, {}).accepted);
  EXPECT_EQ(saveOf(*pair.rods), before);
  pair.told->next.accepted = true;
  ASSERT_TRUE(pair.both->settle(request, {}).accepted);
  EXPECT_NE(saveOf(*pair.rods), before);
  EXPECT_EQ(pair.told->state, 0.1);
}

TEST(SideBySide, AddsUpWhatStepsCostAndSay) {
  Pair pair;
  const world::World world(pair.scene);
  rods_shells::Model alone(world);
  pair.told->next.warnings = {"beware"};
  const Times times;  // holds what the request points to
  const model::StepRequest request = times.request(2e-3);
  const model::StepReport report = pair.both->step(request, {});
  const long own = alone.step(request, {}).iterations;
  ASSERT_LT(own, 7);
  EXPECT_EQ(report.iterations, 7);
  EXPECT_EQ(report.warnings, std::vector<std::string>{"beware"});
  EXPECT_FALSE(report.advised);
  pair.told->next.accepted = false, pair.told->next.advised = true;
  EXPECT_TRUE(pair.both->step(request, {}).advised);
  pair.told->next = Told::accepting();
  EXPECT_EQ(pair.both->degreesOfFreedom(), 3 + pair.rods->degreesOfFreedom());
  pair.told->limit = 0.25;
  EXPECT_EQ(pair.both->stableStep(), 0.25);
  pair.told->deepest = 9;
  EXPECT_EQ(pair.both->maxPenetration(), 9);
  pair.told->deepest = -1;
  EXPECT_EQ(pair.both->maxPenetration(), pair.rods->maxPenetration());
  pair.told->said = {{"/linkages/arm", "is long"}};
  ASSERT_EQ(pair.both->remarks().size(), 1 + pair.rods->remarks().size());
  EXPECT_EQ(pair.both->remarks().back().pointer, "/linkages/arm");
  std::vector<BodyState> bodies;
  pair.both->bodies(bodies);
  ASSERT_EQ(bodies.size(), 2u);
  EXPECT_EQ(bodies[0].name, "arm");
  EXPECT_EQ(bodies[1].name, "linkage");
}

TEST(SideBySide, SavesAndRestoresEveryPart) {
  Pair pair, again;
  Times times;
  ASSERT_TRUE(pair.both->step(times.request(2e-3), {}).accepted);
  const auto saved = saveOf(*pair.both);
  std::span<const std::byte> bytes(saved);
  again.both->restore(bytes);
  EXPECT_TRUE(bytes.empty());
  EXPECT_EQ(again.told->state, 2e-3);
  EXPECT_EQ(saveOf(*again.both), saved);
  bytes = std::span<const std::byte>(saved).first(saved.size() - 1);
  EXPECT_THROW(again.both->restore(bytes), std::runtime_error);
}

TEST(SideBySide, BeginsAndRefreshesAll) {
  Pair pair;
  std::vector<double> columns(32, 4.0);
  pair.both->begin(columns.data());
  EXPECT_EQ(pair.told->began, 4);
  pair.both->refresh();
  EXPECT_EQ(pair.told->refreshed, 1);
}

TEST(SideBySide, BodiesOfProbes) {
  scene::Scene scene = sceneOf("implicit-euler");
  scene.linkages.emplace_back();
  using Bodies = std::vector<int>;
  scene::Probe probe;
  for (const auto kind : {scene::Probe::Kind::position, scene::Probe::Kind::pose, scene::Probe::Kind::jointAngle,
                          scene::Probe::Kind::distance}) {
    probe.kind = kind;
    probe.nodes = {{0, 2}, {0, 3}}, probe.places = {scene::LinkRef{1, 0, 1}, scene::LinkRef{0, 4, 0}};
    probe.other = {{0, 1}}, probe.otherPlaces = {scene::LinkRef{1, 0, 0}};
    EXPECT_EQ(bodiesOf(probe, scene, false), (Bodies{0, 0, 2, 1}));
    EXPECT_EQ(bodiesOf(probe, scene, true), (Bodies{0, 2}));
  }
  probe = {};
  for (const auto kind : {scene::Probe::Kind::energy, scene::Probe::Kind::contact}) {
    probe.kind = kind, probe.bodies = {};
    EXPECT_EQ(bodiesOf(probe, scene, false), (Bodies{0, 1, 2}));
    probe.bodies = {2, 0};
    EXPECT_EQ(bodiesOf(probe, scene, false), (Bodies{2, 0}));
  }
  for (const auto kind : {scene::Probe::Kind::cable, scene::Probe::Kind::cableRate}) {
    probe.kind = kind, probe.linkage = 1;
    EXPECT_EQ(bodiesOf(probe, scene, false), Bodies{2});
  }
  probe.kind = scene::Probe::Kind::formula;
  EXPECT_TRUE(bodiesOf(probe, scene, false).empty());
}

// A list of selectors may name nodes and places: two nodes and one place here.
TEST(SideBySide, ASelectionMayLieOnBoth) {
  scene::Scene scene = sceneOf("implicit-euler");
  scene::Probe& tip = scene.probes[0];
  tip.nodes = {{0, 0}, {0, 6}};
  tip.places = {scene::LinkRef{}};
  scene.probes[4].places = {scene::LinkRef{}};
  for (const scene::Reduce how : {scene::Reduce::mean, scene::Reduce::sum, scene::Reduce::min, scene::Reduce::max}) {
    tip.reduce = how;
    Pair pair(scene);
    pair.told->answer = 0.1;
    double column[3];
    pair.both->observe(0, column);
    const double x = how == scene::Reduce::mean  ? 0.4 / 3
                     : how == scene::Reduce::sum ? 0.4
                     : how == scene::Reduce::min ? 0
                                                 : 0.3;
    const double z = how == scene::Reduce::mean  ? 0.126 / 3
                     : how == scene::Reduce::sum ? 0.126
                     : how == scene::Reduce::min ? 0.013
                                                 : 0.1;
    // The model of rods has reduced its two nodes, the told one says 0.1 whatever it is asked.
    EXPECT_NEAR(column[0], x, 1e-12);
    EXPECT_NEAR(column[2], z, 1e-12);
    pair.told->first = Vec3(1, 0, 0.013);
    double distance;
    pair.both->observe(4, {&distance, 1});
    EXPECT_NEAR(distance, 0.2, 1e-12);  // from the mean of 0 and 1 to 0.3
  }
}

TEST(SideBySide, ProbesReachTheirOwnersAndTotalsAddUp) {
  scene::Scene scene = sceneOf("implicit-euler");
  const auto add = [&scene](scene::Probe probe) {
    scene.probes.push_back(std::move(probe));
    return static_cast<int>(scene.probes.size()) - 1;
  };
  scene::Probe cable, some = scene.probes[1], deep = scene.probes[3], mixed = scene.probes[4], turned;
  cable.kind = scene::Probe::Kind::cable;
  some.bodies = {0, 1};
  mixed.nodes.clear();
  mixed.places = {scene::LinkRef{}};
  turned = scene.probes[4];
  turned.other.clear();
  turned.otherPlaces = {scene::LinkRef{}};
  const int atCable = add(cable), atSome = add(some), atMixed = add(mixed), atTurned = add(turned);
  Pair pair(scene);
  pair.told->answer = 100;
  pair.told->first = Vec3(0.3, 4, 0.013);
  pair.told->second = Vec3(0, 0, 5.03);
  Times times;
  for (int i = 0; i < 40; ++i, times.t += 2e-3) ASSERT_TRUE(pair.both->step(times.request(2e-3), {}).accepted);
  const auto value = [](model::Model& model, int probe) {
    double column = -1;
    model.observe(probe, {&column, 1});
    return column;
  };
  double tip[3];
  pair.both->observe(0, tip);
  EXPECT_LT(tip[2], 0.013);
  EXPECT_EQ(value(*pair.both, atCable), 100);
  const double kinetic = value(*pair.rods, 1), force = value(*pair.rods, 2), depth = value(*pair.rods, 3);
  EXPECT_GT(kinetic, 0);
  EXPECT_GT(force, 0);
  EXPECT_EQ(value(*pair.both, 1), kinetic + 100);
  EXPECT_EQ(value(*pair.both, atSome), kinetic + 100);
  EXPECT_EQ(value(*pair.both, 2), force + 100);
  EXPECT_EQ(value(*pair.both, 3), 100);
  pair.told->answer = depth - 1;
  EXPECT_EQ(value(*pair.both, 3), depth);
  // From a place on a linkage to a node, and the other way round.
  EXPECT_EQ(value(*pair.both, atMixed), (pair.told->first - pair.rods->meanPosition(atMixed, true)).norm());
  EXPECT_EQ(value(*pair.both, atTurned), (pair.rods->meanPosition(atTurned, false) - pair.told->second).norm());
  EXPECT_GT(value(*pair.both, atMixed), 3.9);
}

/// Two points joined by a segment, a mark, a joint and a tendon of three points.
void give(Told& told) {
  Drawing& d = told.drawn;
  d.parts = {{"arm2/limb", "soft", 0, 2, "", "", 1, false, 0, 0, 3}};
  d.halfAxes = {1, 2, 3, 4};
  d.round = {1, 1};
  d.segments = {0, 1};
  d.triangles = {0, 1, 1};
  d.marks.emplace_back();
  d.marks[0].kind = "fix", d.marks[0].point = 1, d.marks[0].joint = 0;
  d.joints = {{"arm2/limb", "revolute", 0.5}};
  d.tendons = {{"arm2/c1", 0, 3, false, "", "", false}, {"arm2/c2", 3, 2, true, "", "", false}};
  d.obstacles.resize(1);
  told.moment.positions = {1, 2, 3, 4, 5, 6};
  told.moment.directors = {1, 0, 0, 1, 0, 0};
  told.moment.curvature = {7, 8};
  told.moment.strain = told.moment.energy = {0, 0};
  told.moment.joints = {0, 0, 0, 0, 0, 1};
  told.moment.tendons.assign(15, 2.0f);
  told.moment.tensions = {3, 4};
  told.moment.obstacles = {0, 0, 0};
}

TEST(SideBySide, TheDrawingNumbersPointsOn) {
  for (const bool rodsFirst : {true, false}) {
    Pair pair(rodsFirst);
    give(*pair.told);
    const Drawing& alone = pair.rods->drawing();
    const Drawing& all = pair.both->drawing();
    const int rodPoints = 7, first = rodsFirst ? rodPoints : 0, rodFirst = rodsFirst ? 0 : 2;
    const DrawingPart& limb = all.parts[rodsFirst ? 1 : 0];
    ASSERT_EQ(all.parts.size(), 2u);
    EXPECT_EQ(limb.name, "arm2/limb");
    EXPECT_EQ(limb.firstPoint, first);
    EXPECT_EQ(limb.body, 1);
    EXPECT_EQ(limb.link, 3);
    EXPECT_EQ(all.parts[rodsFirst ? 0 : 1].body, 0);
    EXPECT_EQ(all.parts[rodsFirst ? 0 : 1].firstPoint, rodFirst);
    EXPECT_EQ(all.halfAxes.size(), 18u);
    EXPECT_EQ(all.halfAxes[static_cast<std::size_t>(2 * first)], 1);
    EXPECT_EQ(all.round.size(), 9u);
    ASSERT_EQ(all.segments.size(), alone.segments.size() + 2);
    const std::size_t segment = rodsFirst ? alone.segments.size() : 0;
    EXPECT_EQ(all.segments[segment + 1], static_cast<std::uint32_t>(first + 1));
    EXPECT_EQ(all.segments[rodsFirst ? 0 : 2], static_cast<std::uint32_t>(rodFirst));
    EXPECT_EQ(all.triangles[2], static_cast<std::uint32_t>(first + 1));
    ASSERT_EQ(all.marks.size(), alone.marks.size() + 1);
    EXPECT_EQ((rodsFirst ? all.marks.back() : all.marks.front()).point, first + 1);
    EXPECT_EQ((rodsFirst ? all.marks.front() : all.marks.back()).point,
              alone.marks[rodsFirst ? 0 : alone.marks.size() - 1].point + rodFirst);
    ASSERT_EQ(all.joints.size(), 1u);
    EXPECT_EQ((rodsFirst ? all.marks.back() : all.marks.front()).joint, 0);
    EXPECT_EQ((rodsFirst ? all.marks.front() : all.marks.back()).joint, -1);
    ASSERT_EQ(all.tendons.size(), 2u);
    EXPECT_EQ(all.tendons[1].firstPoint, 3);
    ASSERT_EQ(all.obstacles.size(), 1u);  // both models draw them

    Snapshot moment;
    moment.positions = {9, 9};  // of another moment
    pair.both->snapshot(moment);
    EXPECT_EQ(moment.positions.size(), 27u);
    EXPECT_EQ(moment.positions[static_cast<std::size_t>(3 * first) + 5], 6);
    EXPECT_EQ(moment.curvature[static_cast<std::size_t>(first)], 7);
    EXPECT_EQ(moment.directors.size(), 27u);
    EXPECT_EQ(moment.strain.size(), 9u);
    EXPECT_EQ(moment.energy.size(), 9u);
    EXPECT_EQ(moment.joints.size(), 6u);
    EXPECT_EQ(moment.tendons.size(), 15u);
    EXPECT_EQ(moment.tensions, (std::vector<float>{3, 4}));
    EXPECT_EQ(moment.obstacles.size(), 3u);
  }
}

TEST(SideBySide, TheRevisionGrowsWithThatOfAnyPart) {
  Pair pair;
  give(*pair.told);
  const std::uint64_t before = pair.both->drawing().revision;
  EXPECT_EQ(pair.both->drawing().revision, before);
  pair.told->drawn.halfAxes[0] = 8;
  ++pair.told->drawn.revision;
  EXPECT_GT(pair.both->drawing().revision, before);
  EXPECT_EQ(pair.both->drawing().halfAxes[14], 8);
}

TEST(SideBySide, GrabsADrawnPointOfTheModelThatDrewIt) {
  Pair pair;
  give(*pair.told);
  pair.both->grab(8, Vec3(0, 0, 1));
  EXPECT_EQ(pair.told->grabbed, 1);
  EXPECT_EQ(pair.told->released, 0);
  pair.told->grabbed = -1;
  pair.both->grab(6, Vec3(0.3, 0, 1));  // the last node of the rod
  EXPECT_EQ(pair.told->grabbed, -1);
  EXPECT_EQ(pair.told->released, 1) << "the pointer holds one point";
  Pair other;
  ASSERT_TRUE(pair.both->step(Times().request(2e-3), {}).accepted);
  ASSERT_TRUE(other.both->step(Times().request(2e-3), {}).accepted);
  double tip[3], free[3];
  pair.both->observe(0, tip);
  other.both->observe(0, free);
  EXPECT_GT(tip[2], free[2] + 1e-4);
  pair.both->release();
  EXPECT_EQ(pair.told->released, 2);
  EXPECT_THROW(pair.both->grab(9, Vec3::Zero()), std::invalid_argument);
}

}  // namespace side_by_side_test
}  // namespace tendril
