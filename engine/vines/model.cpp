#include "vines/model.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "formula/formula.h"
#include "model/step_instants.h"
#include "vines/explicit_part.h"
#include "vines/pin_spring.h"
#include "world/surroundings.h"

namespace tendril::vines {
namespace {

constexpr double shortestStep = 1.0 / 512;  // of the time step: shorter ones are not tried

Plane planeOf(const scene::Vine& vine) {
  Plane plane;
  plane.origin = vine.base;
  plane.u = vine.plane == scene::Vine::Plane::yz ? Vec3::UnitY() : Vec3::UnitX();
  plane.v = vine.plane == scene::Vine::Plane::xy ? Vec3::UnitY() : Vec3::UnitZ();
  return plane;
}

std::string inWords(double value, const char* unit) {
  char text[48];
  std::snprintf(text, sizeof text, "%.3g %s", value, unit);
  return text;
}

}  // namespace

Model::Model(const world::World& world) : scene_(world.scene()), world_(world), motion_(world.obstacles()) {
  const scene::Scene& scene = scene_;
  columns_.assign(scene.columns.size(), 0.0);
  for (const scene::State& state : scene.states) columns_.push_back(state.initial);
  instant_.columns = columns_.data();
  motion_.stand();
  for (const scene::Vine& vine : scene.vines) {
    const Parameters p = parametersOf(vine, instant_);
    const std::string problem = p.problem();
    if (!problem.empty()) throw model::BuildError(vine.pointer, problem);
    Robot& robot = robots_.emplace_back(scene, static_cast<int>(robots_.size()), p);
    robot.plane = planeOf(vine);
    start(robot);
    robot.fields.setInitial(robot.chain, robot.plane);
    cut(robot, instant_);
    refuseOverlaps(robot);
  }
  draw();
}

Parameters Model::parametersOf(const scene::Vine& vine, const scene::Instant& at) const {
  const formula::Input in = scene::timedInput(scene_, at);
  Parameters p = Parameters::tube(vine.bodies, vine.length);
  p.base = Vec2::Zero();  // the plane's origin
  p.heading = vine.heading;
  p.diameter = vine.diameter;
  p.physical = vine.physical;
  if (vine.physical) {
    p.massPerLength = vine.massPerLength(in);
    p.bendingStiffness = vine.bendingStiffness(in), p.bendingDamping = vine.bendingDamping(in);
    p.pressure = vine.pressure ? (*vine.pressure)(in) : 0;
  } else {
    const double length = 2 * p.halfLength;
    p.mass = vine.mass(in);
    p.inertia = vine.inertia ? (*vine.inertia)(in) : p.mass * (0.5 * p.radius() * p.radius() + length * length / 12);
    p.stiffness = vine.stiffness(in), p.damping = vine.damping(in);
  }
  p.springs = vine.implicitSprings ? Parameters::Springs::implicit : Parameters::Springs::atStart;
  p.contact = vine.tube ? Parameters::Contact::tube : Parameters::Contact::pairs;
  p.growthSite = vine.growsAtTip ? Parameters::GrowthSite::tip : Parameters::GrowthSite::shared;
  // The published form comes with the published contact; the other forms need lengths.
  const bool published = !vine.tube && !vine.growsAtTip && !vine.stall;
  p.growthForm = published ? Parameters::GrowthForm::rate : Parameters::GrowthForm::length;
  // Values with feedback are known once the run begins.
  if (vine.stall && (begun_ || !vine.stall->formula() || !vine.stall->formula()->seesColumns()))
    p.stall = (*vine.stall)(in);
  p.friction = scene_.contact.friction(in);
  p.gapTolerance = 4e-4 * p.diameter;
  // An existing overlap opens within a time step of the scene, by at most a tenth of the diameter.
  p.recoveryTime = scene_.solver.dt;
  p.recovery = 0.1 * p.diameter / scene_.solver.dt;
  return p;
}

void Model::start(Robot& robot) {
  const scene::Vine& vine = robot.vine;
  Chain& chain = robot.chain;
  for (std::size_t b = 0; b < vine.placements.size(); ++b) {
    for (std::size_t k = 0; k < 3; ++k) {
      chain.q[3 * b + k] = vine.placements[b][k];
      if (!vine.velocities.empty()) chain.v[3 * b + k] = vine.velocities[b][k];
    }
  }
  for (int pair = 0; pair < chain.pairs(); ++pair) chain.target[static_cast<std::size_t>(pair)] = chain.reach(pair);
}

// Cross-sections of the obstacles at their final positions of the prepared step, and their friction at `at`.
void Model::cut(Robot& robot, const scene::Instant& at) {
  const formula::Input in = scene::timedInput(scene_, at);
  robot.shapes.clear(), robot.obstacles.clear();
  for (std::size_t o = 0; o < scene_.obstacles.size(); ++o) {
    const scene::Obstacle& obstacle = scene_.obstacles[o];
    const world::ObstaclePath& path = motion_.path(o);
    auto shape = crossSection(obstacle, path.after, robot.plane);
    if (!shape) continue;
    shape->velocity = robot.plane.shadow(path.velocity);
    if (obstacle.friction) shape->friction = (*obstacle.friction)(in);
    robot.shapes.push_back(std::move(*shape));
    robot.obstacles.push_back(static_cast<int>(o));
  }
}

void Model::refuseOverlaps(Robot& robot) {
  const std::string intro = "vine \"" + robot.vine.name + "\" starts ";
  for (std::size_t o = 0; o < scene_.obstacles.size(); ++o) {
    if (!holdsPlane(scene_.obstacles[o], motion_.path(o).after, robot.plane)) continue;
    throw model::BuildError(robot.vine.pointer, intro + "behind \"" + scene_.obstacles[o].name +
                                                    "\", with its whole plane; move one of them");
  }
  const Overlap found = robot.step.overlap(robot.chain, robot.shapes);
  if (found.body < 0) return;
  const scene::Obstacle& obstacle =
      scene_.obstacles[static_cast<std::size_t>(robot.obstacles[static_cast<std::size_t>(found.obstacle)])];
  const std::string named = "obstacle \"" + obstacle.name + "\" (body " + std::to_string(found.body) + ")";
  const std::string where = inWords(1000 * found.depth, "mm") + " inside " + named;
  if (found.axis)
    throw model::BuildError(robot.vine.pointer,
                            intro + "with its axis inside " + named + "; expected the axis outside: move one of them");
  if (found.depth >= robot.chain.parameters().radius())
    throw model::BuildError(robot.vine.pointer, intro + where + ", deeper than its radius of " +
                                                    inWords(1000 * robot.chain.parameters().radius(), "mm") +
                                                    "; expected its axis outside");
  if (found.depth > robot.chain.parameters().gapTolerance)
    remarks_.push_back({robot.vine.pointer, "vine \"" + robot.vine.name + "\" starts " + where +
                                                ": contact pushes it out, as far as there is room"});
}

void Model::begin(const double* columns) {
  columns_.assign(columns, columns + columns_.size());
  begun_ = true;
  motion_.stand();
  standAtAccepted();
}

void Model::refresh() {
  for (Robot& robot : robots_) robot.chain.setParameters(parametersOf(robot.vine, instant_));
}

void Model::field(const Robot& robot, const formula::Number& value, formula::Input in, std::vector<double>& out) const {
  const Chain& chain = robot.chain;
  const int pins = chain.pairs();
  out.assign(static_cast<std::size_t>(pins), 0);
  if (!value.formula()) {
    std::fill(out.begin(), out.end(), value(in));
    return;
  }
  const double length = chain.length();
  double s = 0;
  for (int i = 0; i < pins; ++i) {
    const Vec3 x = robot.plane.point(chain.node(i));
    in.s = s, in.u = s / length, in.x = x.x(), in.y = x.y(), in.z = x.z();
    in.i = i, in.n = pins;
    out[static_cast<std::size_t>(i)] = value(in);
    s += chain.pairLength(i);
  }
}

// Bend of every pin beyond its natural angle [rad].
void Model::bends(const Robot& robot, std::vector<double>& out) const {
  field(robot, robot.vine.curvature, scene::timedInput(scene_, instant_), out);
  for (int pin = 0; pin < robot.chain.pairs(); ++pin) {
    double& bend = out[static_cast<std::size_t>(pin)];
    bend = pinAngle(robot.chain, pin) - bend * robot.chain.pinLength(pin);
  }
}

// Sets the loads on a robot at `at`.
void Model::act(Robot& robot, const scene::Instant& at) {
  const formula::Input in = scene::timedInput(scene_, at);
  robot.chain.setParameters(parametersOf(robot.vine, at));
  field(robot, robot.vine.steer, in, robot.moments);
  field(robot, robot.vine.curvature, in, robot.curvature);
  robot.pulls.clear();
  const int index = static_cast<int>(&robot - robots_.data()), last = robot.chain.pairs() - 1;
  for (const scene::Load& load : scene_.loads) {
    if (load.kind == scene::Load::Kind::field || !scene::isActive(load.interval, at) ||
        std::find(load.vines.begin(), load.vines.end(), index) == load.vines.end())
      continue;
    const Vec3 force(load.value[0](in), load.value[1](in), load.value[2](in));
    robot.pulls.push_back({last, robot.chain.pairLength(last), robot.plane.shadow(force), Vec2::Zero(), 0});
  }
  if (world_.pointer() && grabbed_.robot == index && grabbed_.pair <= last) {
    robot.pulls.push_back({grabbed_.pair, std::min(grabbed_.along, robot.chain.pairLength(grabbed_.pair)), Vec2::Zero(),
                           robot.plane.shadowOf(*world_.pointer()), grabbed_.stiffness});
  }
}

// Restores obstacles and parameters of the accepted state, whatever a step has tried.
void Model::standAtAccepted() {
  motion_.prepare(instant_, instant_, instant_.t);
  for (Robot& robot : robots_) cut(robot, instant_);
  refresh();
}

model::StepReport Model::step(const model::StepRequest& request, const model::Continue& keepGoing) {
  const scene::Instant end = model::stepInstants(request, 1).end;
  before_.clear();
  for (const Robot& robot : robots_) before_.push_back(robot.chain);
  const auto goBack = [&] {
    for (std::size_t i = 0; i < robots_.size(); ++i) robots_[i].chain = before_[i];
    standAtAccepted();
  };
  try {
    model::StepReport report = attempt(request, end, keepGoing);
    if (!report.accepted) goBack();
    return report;
  } catch (...) {
    goBack();
    throw;
  }
}

model::StepReport Model::attempt(const model::StepRequest& request, const scene::Instant& end,
                                 const model::Continue& keepGoing) {
  model::StepReport report;
  motion_.prepare(end, end, request.t0);
  const formula::Input in = scene::timedInput(scene_, end);
  const Vec3 gravity = world::gravity(scene_, end);
  std::vector<Report> reports;
  std::vector<char> saidNow;
  for (Robot& robot : robots_) {
    cut(robot, end);
    act(robot, end);
    Actuation actuation;
    actuation.growth = robot.vine.growth(in);
    actuation.moments = robot.moments, actuation.curvature = robot.curvature;
    actuation.gravity = robot.plane.shadow(gravity);
    actuation.pulls = robot.pulls;
    actuation.fields = robot.fields.at(robot.chain, robot.plane, end);
    const std::string said = tooLong(robot, actuation, request.dt);
    if (!said.empty()) report.warnings.push_back(said);
    saidNow.push_back(said.empty() ? 0 : 1);
    const Report one = robot.step.advance(robot.chain, actuation, robot.shapes, request.dt);
    report.iterations = std::max<long>(report.iterations, one.programs);
    report.stopped = keepGoing && !keepGoing();
    if (!one.accepted() || report.stopped) {
      report.reason = reasonOf(robot, one);
      report.advised = advises(one.status);
      // A tube wedged between obstacles moves ever faster in ever shorter steps: that is not a physical motion.
      report.hopeless = !report.stopped && !scene_.solver.adaptive && request.dt < shortestStep * scene_.solver.dt;
      return report;
    }
    if (one.frictionUnsettled) {
      // Rounded up, so that it is reported once and not with every new value.
      const char* error = one.frictionError <= 1e-3   ? "0.1 %"
                          : one.frictionError <= 1e-2 ? "1 %"
                          : one.frictionError <= 0.1  ? "10 %"
                                                      : nullptr;
      report.warnings.push_back(
          "friction of vine \"" + robot.vine.name + "\" obeys Coulomb's law " +
          (error ? std::string("to ") + error + " only in some steps" : "not even to 10 % in some steps"));
    }
    if (one.retracted)
      report.warnings.push_back("vine \"" + robot.vine.name +
                                "\" is retracted as far as it goes: its pairs cannot become shorter");
    reports.push_back(one);
  }
  report.accepted = true;
  ++steps_;
  bool changed = false;
  for (std::size_t i = 0; i < robots_.size(); ++i) {
    Robot& robot = robots_[i];
    robot.report = reports[i];
    robot.saidStep = robot.saidStep || saidNow[i] != 0;
    robot.contacts.assign(robot.step.contacts().begin(), robot.step.contacts().end());
    maxPenetration_ = std::max(maxPenetration_, -reports[i].lowestGap);
    changed = changed || reports[i].bodiesChanged != 0;
  }
  columns_.assign(end.columns, end.columns + columns_.size());
  instant_ = end;
  instant_.columns = columns_.data();
  if (changed) draw();
  return report;
}

// What fields do explicitly may swing up in steps that are too long for it. Looked at now and then, for it costs many
// steps: in the first, the second, the fourth, and so on.
std::string Model::tooLong(const Robot& robot, const Actuation& actuation, double dt) const {
  const double duration = scene_.solver.duration;
  if (robot.saidStep || (steps_ & (steps_ + 1)) != 0) return {};
  if (!mayGrow(robot.chain, actuation.fields, dt, duration)) return {};
  const std::optional<double> longest = longestStep(robot.chain, actuation, dt, duration);
  if (!longest) return {};
  const std::string what = "the force fields on vine \"" + robot.vine.name +
                           "\" have a part that acts explicitly, for it is not symmetric or pushes away, and ";
  if (*longest == 0) return what + "steps of any length let it swing up; add damping";
  // Rounded down, to two digits.
  const double unit = std::pow(10, std::floor(std::log10(*longest)) - 1);
  return what + "steps of " + inWords(dt, "s") + " let it swing up by itself: expected at most " +
         inWords(std::floor(*longest / unit * (1 + 1e-9)) * unit, "s") + " for \"dt\", or more damping";
}

std::string Model::bodyName(const Robot& robot, int body) const {
  return "body " + std::to_string(body) + " of vine \"" + robot.vine.name + "\"";
}

// Whose reason says what to change.
bool Model::advises(Report::Status status) {
  using Status = Report::Status;
  return status == Status::contradiction || status == Status::turned || status == Status::tooShort;
}

std::string Model::reasonOf(const Robot& robot, const Report& report) const {
  using Status = Report::Status;
  const std::string body = report.body < 0 ? "vine \"" + robot.vine.name + "\"" : bodyName(robot, report.body);
  const std::string obstacle =
      report.obstacle < 0
          ? std::string("an obstacle")
          : "obstacle \"" +
                scene_.obstacles[static_cast<std::size_t>(robot.obstacles[static_cast<std::size_t>(report.obstacle)])]
                    .name +
                "\"";
  switch (report.status) {
    case Status::accepted:
      return {};
    case Status::contradiction:
      if (robot.vine.stall || robot.vine.growth.isZero())
        return body + " cannot keep out of " + obstacle +
               ": there is no room left for it; move the obstacle, or let the vine grow less";
      return body + " cannot keep out of " + obstacle +
             " while the vine grows as prescribed; a \"stall\" force lets growth give way";
    case Status::penetration:
      return body + " would be pressed " + inWords(1000 * report.violation, "mm") + " into " + obstacle;
    case Status::passage:
      return body + " would end up on the far side of " + obstacle + ", or its base inside";
    case Status::tooFast:
      return body + " grows by more than a body's length within this step";
    case Status::turned:
      return body +
             " turns by more than half a radian within this step; take a smaller \"dt\", or let \"steer\", \"curvature\" and loads change over a longer time";
    case Status::moved:
      return body + " moves too far within this step for contact to be detected";
    case Status::tooShort:
      return body +
             " is as short as the published form of growth can make it, half of its length at the start; expected \"contact\": "
             "\"tube\" to retract further";
    default:
      return report.obstacle < 0 ? "the step of " + body + " was not solved to its tolerance"
                                 : body + " is wedged at " + obstacle + ": no forces were found that free it";
  }
}

model::StepReport Model::settle(const model::SettleRequest& /*request*/, const model::Continue& /*keepGoing*/) {
  model::StepReport report;
  report.accepted = true;
  return report;
}

// Explicit pins, whose two bodies rotate in opposite directions: the forces from the step's start, with spring w^2 and
// damper c, are stable while (w dt)^2 + 2 c dt < 4.
double Model::stableStep() {
  double least = std::numeric_limits<double>::infinity();
  for (const Robot& robot : robots_) {
    if (robot.vine.implicitSprings) continue;
    for (int pin = 0; pin < robot.chain.pairs(); ++pin) {
      const elastic::KelvinVoigt<double> spring = pinSpring(robot.chain, pin, 0);
      // Neighbors that rotate alternately bend each pin by twice the angle.
      const double inertia = 2 * robot.chain.bodyInertia(2 * pin);
      const double w2 = 4 * spring.stiffness / inertia, c = 4 * spring.viscosity / inertia;
      if (w2 > 0 || c > 0) least = std::min(least, 4 / (c + std::sqrt(c * c + 4 * w2)));
    }
  }
  return least;
}

int Model::degreesOfFreedom() const {
  int sum = 0;
  for (const Robot& robot : robots_) sum += 3 * robot.chain.bodies();
  return sum;
}

void Model::seenByLoad(int load, std::vector<double>& out) const {
  for (const Robot& robot : robots_)
    robot.fields.seenBy(scene_.loads[static_cast<std::size_t>(load)], robot.chain, robot.plane, out);
}

}  // namespace tendril::vines
