// The module's C++ half: a thin facade over the simulation door for the hand-written JavaScript half (engine.mjs).
// No C++ exception leaves it: what can fail returns either its value or an object {failure: true, code, message,
// problems}.
#include <emscripten/bind.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "scene/load/load.h"
#include "scene/scene.h"
#include "tendril/machine.h"
#include "tendril/simulation.h"
#include "values.h"

namespace tendril {
namespace {

/// One simulation as JavaScript holds it. `open` must have succeeded before anything else is asked.
class Handle {
 public:
  val open(const std::string& sceneText, const val& names, const val& values) {
    return guarded([&] {
      simulation_ = std::make_unique<Simulation>(sceneText, valuesOf(names, values));
      return val(true);
    });
  }

  double time() const { return simulation_->time(); }
  double duration() const { return simulation_->duration(); }
  bool finished() const { return simulation_->finished(); }

  val info() const {
    return guarded([&] { return infoOf(*simulation_); });
  }

  val step() {
    return guarded([&] { return toVal(simulation_->step()); });
  }

  val advance(double seconds) {
    return guarded([&] { return toVal(simulation_->advance(seconds)); });
  }

  /// Whole steps until `seconds` [s] have passed or `budget` [s] of wall time is used up; at least one step.
  val advanceFor(double seconds, double budget) {
    return guarded([&] {
      return toVal(advanced(
          *simulation_, [this] { return simulation_->step(); }, seconds, budget));
    });
  }

  val reset() {
    return guarded([&] {
      simulation_->reset();
      return val(true);
    });
  }

  val drawing() const {
    return guarded([&] {
      const Drawing& drawing = simulation_->drawing();
      val out = val::object();
      out.set("parts", toArray(drawing.parts, [](const DrawingPart& part) { return toVal(part); }));
      out.set("halfAxes", copyOf(drawing.halfAxes));
      out.set("round", copyOf(drawing.round));
      out.set("segments", copyOf(drawing.segments));
      out.set("triangles", copyOf(drawing.triangles));
      out.set("marks", toArray(drawing.marks, [](const DrawingMark& mark) { return toVal(mark); }));
      out.set("obstacles", toArray(drawing.obstacles, [](const DrawingObstacle& obstacle) { return toVal(obstacle); }));
      out.set("joints", toArray(drawing.joints, [](const DrawingJoint& joint) { return toVal(joint); }));
      out.set("tendons", toArray(drawing.tendons, [](const DrawingTendon& tendon) { return toVal(tendon); }));
      out.set("revision", static_cast<double>(drawing.revision));
      return out;
    });
  }

  /// What moves, as views that are valid until the next entry.
  val snapshot() {
    return guarded([&] {
      const Snapshot& now = simulation_->snapshot();
      val out = val::object();
      out.set("time", now.time);
      out.set("positions", viewOf(now.positions));
      out.set("directors", viewOf(now.directors));
      out.set("obstacles", viewOf(now.obstacles));
      out.set("joints", viewOf(now.joints));
      out.set("tendons", viewOf(now.tendons));
      out.set("tensions", viewOf(now.tensions));
      out.set("contacts", viewOf(now.contacts));
      out.set("curvature", viewOf(now.curvature));
      out.set("strain", viewOf(now.strain));
      out.set("energy", viewOf(now.energy));
      return out;
    });
  }

  val probeValues() {
    return guarded([&] {
      row_ = rowOf(*simulation_);
      return viewOf(row_);
    });
  }

  val checks() const {
    return guarded(
        [&] { return toArray(simulation_->checks(), [](const CheckResult& check) { return toVal(check); }); });
  }

  val set(const std::string& name, double value) {
    return guarded([&] { return val(simulation_->set(name, value)); });
  }

  val save() const {
    return guarded([&] {
      const std::vector<std::byte> bytes = simulation_->save();
      const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
      return val(emscripten::typed_memory_view(bytes.size(), data)).call<val>("slice");
    });
  }

  val restore(const val& array) {
    return guarded([&] {
      const std::vector<std::uint8_t> bytes = emscripten::convertJSArrayToNumberVector<std::uint8_t>(array);
      simulation_->restore({reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()});
      return val(true);
    });
  }

  val grab(int point, double x, double y, double z) {
    return guarded([&] {
      simulation_->grab(point, x, y, z);
      return val(true);
    });
  }

  val release() {
    return guarded([&] {
      simulation_->release();
      return val(true);
    });
  }

  const Simulation& simulation() const { return *simulation_; }

 private:
  std::unique_ptr<Simulation> simulation_;
  std::vector<double> row_;  ///< what probeValues() last gave a view of
};

/// The machine laid open, as JavaScript holds it. `open` must have succeeded before anything else is asked.
class MachineHandle {
 public:
  val open(const Handle& handle) {
    return guarded([&] {
      machine_ = std::make_unique<Machine>(handle.simulation());
      return val(true);
    });
  }

  val coordinates() {
    return guarded([&] { return texts(machine_->coordinates()); });
  }

  val inputs() {
    return guarded([&] { return texts(machine_->inputs()); });
  }

  val omitted() {
    return guarded([&] { return texts(machine_->omitted()); });
  }

  val state() {
    return guarded([&] {
      const MachineState state = machine_->state();
      val out = val::object();
      out.set("q", copyOf(state.q));
      out.set("v", copyOf(state.v));
      return out;
    });
  }

  val setState(const val& q, const val& v) {
    return guarded([&] {
      machine_->setState(numbersOf(q), numbersOf(v));
      return val(true);
    });
  }

  val kinematics(const std::string& place) {
    return guarded([&] {
      const Kinematics k = machine_->kinematics(place);
      val out = val::object();
      out.set("position", copyOf(k.position));
      out.set("velocity", copyOf(k.velocity));
      if (!k.rotation.empty()) {
        out.set("rotation", copyOf(k.rotation));
        out.set("spin", copyOf(k.spin));
      }
      out.set("jacobian", toVal(k.jacobian));
      return out;
    });
  }

  val linearize(const val& inputs, const val& outputs, bool space) {
    return guarded([&] {
      const Linearization l = machine_->linearize({textsOf(inputs), textsOf(outputs), space});
      val out = val::object();
      out.set("time", l.time);
      out.set("coordinates", texts(l.coordinates));
      out.set("units", texts(l.units));
      out.set("rates", copyOf(l.rates));
      out.set("forces", copyOf(l.forces));
      out.set("mass", toVal(l.mass));
      out.set("damping", toVal(l.damping));
      out.set("stiffness", toVal(l.stiffness));
      out.set("motions", toVal(l.motions));
      out.set("inputs", texts(l.inputs));
      out.set("outputs", texts(l.outputs));
      out.set("actuation", toVal(l.actuation));
      out.set("omitted", texts(l.omitted));
      if (!space) return out;
      val of = val::object();
      of.set("states", texts(l.space.states));
      of.set("units", texts(l.space.units));
      of.set("A", toVal(l.space.A));
      of.set("B", toVal(l.space.B));
      of.set("C", toVal(l.space.C));
      of.set("D", toVal(l.space.D));
      of.set("drift", copyOf(l.space.drift));
      of.set("y0", copyOf(l.space.y0));
      out.set("space", of);
      return out;
    });
  }

  val jacobian(const val& columns, bool rates) {
    return guarded([&] { return toVal(machine_->jacobian(textsOf(columns), rates)); });
  }

  val values() {
    return guarded([&] { return copyOf(machine_->values()); });
  }

  val displace(const val& moves, const val& rates) {
    return guarded([&] {
      machine_->displace(numbersOf(moves), numbersOf(rates));
      return val(true);
    });
  }

  val solveFor(const val& columns, const val& values, double tolerance) {
    return guarded([&] {
      machine_->solveFor(textsOf(columns), numbersOf(values), tolerance);
      return val(true);
    });
  }

  val modes(int count) {
    return guarded([&] {
      return toArray(machine_->modes(count), [](const Mode& mode) {
        val out = val::object();
        out.set("frequency", mode.frequency);
        out.set("growth", mode.growth);
        out.set("damping", mode.damping);
        out.set("rigid", mode.rigid);
        out.set("hidden", mode.hidden);
        out.set("estimate", mode.estimate);
        out.set("shape", copyOf(mode.shape));
        return out;
      });
    });
  }

  val criticalLoads(int count) {
    return guarded([&] {
      return toArray(machine_->criticalLoads(count), [](const CriticalLoad& load) {
        val out = val::object();
        out.set("factor", load.factor);
        out.set("error", load.error);
        out.set("shape", copyOf(load.shape));
        return out;
      });
    });
  }

  /// Positions of the drawing's points.
  val shaped(const val& shape, double size) {
    return guarded([&] { return copyOf(machine_->shaped(numbersOf(shape), size).positions); });
  }

 private:
  std::unique_ptr<Machine> machine_;
};

val validate(const std::string& sceneText) {
  return guarded([&] {
    const std::variant<scene::Scene, Problems> result = scene::loadScene(sceneText);
    val out = val::object();
    if (const Problems* problems = std::get_if<Problems>(&result)) {
      out.set("problems", toVal(*problems));
      out.set("warnings", val::array());
    } else {
      out.set("problems", val::array());
      out.set("warnings", toVal(std::get<scene::Scene>(result).warnings));
    }
    return out;
  });
}

val expand(const std::string& sceneText) {
  return guarded([&] { return textOrFailure(scene::expandScene(sceneText)); });
}

val importText(const std::string& text) {
  return guarded([&] { return textOrFailure(scene::importGeometry(text)); });
}

val schema() {
  return guarded([] { return val(scene::sceneSchema()); });
}

std::string engineVersion() { return version(); }

}  // namespace

EMSCRIPTEN_BINDINGS(tendril) {
  using namespace emscripten;
  function("version", &engineVersion);
  function("validate", &validate);
  function("expand", &expand);
  function("importGeometry", &importText);
  function("schema", &schema);
  class_<Handle>("Handle")
      .constructor<>()
      .function("open", &Handle::open)
      .function("time", &Handle::time)
      .function("duration", &Handle::duration)
      .function("finished", &Handle::finished)
      .function("info", &Handle::info)
      .function("step", &Handle::step)
      .function("advance", &Handle::advance)
      .function("advanceFor", &Handle::advanceFor)
      .function("reset", &Handle::reset)
      .function("drawing", &Handle::drawing)
      .function("snapshot", &Handle::snapshot)
      .function("probeValues", &Handle::probeValues)
      .function("checks", &Handle::checks)
      .function("set", &Handle::set)
      .function("save", &Handle::save)
      .function("restore", &Handle::restore)
      .function("grab", &Handle::grab)
      .function("release", &Handle::release);
  class_<MachineHandle>("MachineHandle")
      .constructor<>()
      .function("open", &MachineHandle::open)
      .function("coordinates", &MachineHandle::coordinates)
      .function("inputs", &MachineHandle::inputs)
      .function("omitted", &MachineHandle::omitted)
      .function("state", &MachineHandle::state)
      .function("setState", &MachineHandle::setState)
      .function("kinematics", &MachineHandle::kinematics)
      .function("linearize", &MachineHandle::linearize)
      .function("jacobian", &MachineHandle::jacobian)
      .function("values", &MachineHandle::values)
      .function("displace", &MachineHandle::displace)
      .function("solveFor", &MachineHandle::solveFor)
      .function("modes", &MachineHandle::modes)
      .function("criticalLoads", &MachineHandle::criticalLoads)
      .function("shaped", &MachineHandle::shaped);
}

}  // namespace tendril
