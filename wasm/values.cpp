// Values of JavaScript, field by field; and the one place where exceptions become failures.
#include "values.h"

#include <emscripten/emscripten.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <new>
#include <utility>

#include "scene/scene.h"
#include "simulation/inside.h"
#include "text/words.h"

namespace tendril {
namespace {

/// What bodies, obstacles and tendons have alike: a name and a look.
template <class Drawn>
val named(const Drawn& drawn) {
  val out = val::object();
  out.set("name", drawn.name);
  out.set("color", drawn.color);
  out.set("label", drawn.label);
  out.set("hidden", drawn.hidden);
  return out;
}

/// A run of points of the drawing.
template <class Drawn>
void setPoints(val& out, const Drawn& drawn) {
  out.set("firstPoint", drawn.firstPoint);
  out.set("pointCount", drawn.pointCount);
}

template <class List>
val numbers(const List& list) {
  return toArray(list, [](double component) { return val(component); });
}

/// A number at the start of the run, or at its end where it is nothing at the start; 0 where a formula fails.
double actingValue(const scene::Scene& scene, const formula::Number& number) {
  const std::vector<double> zeros(scene.columns.size() + scene.states.size() + 1, 0.0);
  formula::Input in;
  in.parameters = scene.values.data();
  in.columns = zeros.data();
  try {
    const double atStart = number(in);
    if (atStart != 0) return atStart;
    in.t = scene.solver.duration;
    return number(in);
  } catch (const formula::Failure&) {
    return 0;
  }
}

}  // namespace

val actingOn(const scene::Scene& scene) {
  const auto valueOf = [&](const formula::Number& number) { return actingValue(scene, number); };
  double friction = valueOf(scene.contact.friction), pressure = 0;
  for (const scene::Obstacle& obstacle : scene.obstacles)
    if (obstacle.friction) friction = std::max(friction, valueOf(*obstacle.friction));
  for (const scene::Load& load : scene.loads) {
    if (load.kind != scene::Load::Kind::pressure) continue;
    const double one = valueOf(load.pressure);
    if (std::abs(one) > std::abs(pressure)) pressure = one;
  }
  std::vector<std::string> driven;
  for (const scene::Actuation& actuation : scene.actuation)
    for (const scene::NodeRef& node : actuation.nodes) {
      const std::string& name = scene.bodyName(node.body);
      if (std::find(driven.begin(), driven.end(), name) == driven.end()) driven.push_back(name);
    }
  val out = val::object();
  out.set("gravity",
          toArray(scene.environment.gravity, [&](const formula::Number& number) { return val(valueOf(number)); }));
  out.set("friction", friction);
  out.set("pressure", pressure);
  out.set("driven", toArray(driven, [](const std::string& name) { return val(name); }));
  return out;
}

val toVal(const Problem& problem) {
  val out = val::object();
  out.set("message", problem.message);
  out.set("pointer", problem.pointer);
  out.set("line", problem.line);
  out.set("column", problem.column);
  out.set("from", static_cast<double>(problem.from));
  out.set("to", static_cast<double>(problem.to));
  return out;
}

val toVal(const Problems& problems) {
  return toArray(problems, [](const Problem& problem) { return toVal(problem); });
}

val toVal(const std::map<std::string, double>& values) {
  val out = val::object();
  for (const auto& [name, value] : values) out.set(name, value);
  return out;
}

val failure(int code, const std::string& message) {
  val out = val::object();
  out.set("failure", true);
  out.set("code", code);
  out.set("message", message);
  return out;
}

val failure(const Problems& problems) {
  val out = failure(2, problems.empty() ? "the scene cannot load" : problems.front().message);
  out.set("problems", toVal(problems));
  return out;
}

val caughtFailure() {
  try {
    throw;
  } catch (const BadScene& bad) {
    return failure(bad.problems);
  } catch (const GaveUp& gaveUp) {
    val out = failure(3, gaveUp.what());
    out.set("repeats", gaveUp.repeats);
    return out;
  } catch (const NotLinear& error) {
    return failure(3, error.what());
  } catch (const formula::Failure& formula) {
    return failure(3, formula.what());
  } catch (const std::bad_alloc&) {
    return failure(3, "out of memory");
  } catch (const std::exception& error) {
    return failure(2, error.what());
  } catch (...) {
    return failure(3, "an unknown error inside the engine");
  }
}

val toVal(const Progress& progress) {
  val out = val::object();
  out.set("time", progress.time);
  out.set("steps", static_cast<double>(progress.steps));
  out.set("iterations", static_cast<double>(progress.iterations));
  out.set("retries", static_cast<double>(progress.retries));
  out.set("warnings", toArray(progress.warnings, [](const std::string& text) { return val(text); }));
  return out;
}

val toVal(const ColumnInfo& column) {
  val out = val::object();
  out.set("name", column.name);
  out.set("unit", column.unit);
  out.set("quantity", column.quantity);
  out.set("energy", column.energy);
  out.set("label", column.label);
  out.set("hidden", column.hidden);
  out.set("probe", column.probe);
  return out;
}

val toVal(const scene::Check& check) {
  val out = val::object();
  out.set("title", check.title);
  out.set("points", check.points);
  out.set("with", check.with.empty() ? val::null() : toVal(check.with));
  return out;
}

val toVal(const ParameterInfo& parameter) {
  val out = val::object();
  out.set("name", parameter.name);
  out.set("label", parameter.label);
  out.set("unit", parameter.unit);
  out.set("value", parameter.value);
  out.set("hasRange", parameter.hasRange);
  out.set("min", parameter.min);
  out.set("max", parameter.max);
  out.set("step", parameter.step);
  out.set("logarithmic", parameter.logarithmic);
  out.set("live", parameter.live);
  out.set("derived", parameter.derived);
  out.set("choices", toArray(parameter.choices, [](const std::pair<std::string, double>& choice) {
            val entry = val::object();
            entry.set("label", choice.first);
            entry.set("value", choice.second);
            return entry;
          }));
  return out;
}

val toVal(const DrawingPart& part) {
  val out = named(part);
  setPoints(out, part);
  out.set("kind", part.kind);
  out.set("opacity", part.opacity);
  out.set("bodyLength", part.bodyLength);
  out.set("body", part.body);
  return out;
}

val toVal(const DrawingObstacle& obstacle) {
  val out = named(obstacle);
  out.set("kind", obstacle.kind);
  out.set("point", numbers(obstacle.point));
  out.set("end", numbers(obstacle.end));
  out.set("normal", numbers(obstacle.normal));
  out.set("half", numbers(obstacle.half));
  out.set("axes", numbers(obstacle.axes));
  out.set("radius", obstacle.radius);
  out.set("opacity", obstacle.opacity);
  return out;
}

val toVal(const DrawingMark& mark) {
  val out = val::object();
  out.set("kind", mark.kind);
  out.set("point", mark.point);
  out.set("direction", numbers(mark.direction));
  out.set("joint", mark.joint);
  return out;
}

val toVal(const Followed& followed) {
  val out = val::object();
  out.set("parts", numbers(followed.parts));
  out.set("nodes", followed.nodes ? numbers(std::array{followed.nodes->first, followed.nodes->last}) : val::null());
  return out;
}

val toVal(const DrawingJoint& joint) {
  val out = val::object();
  out.set("name", joint.name);
  out.set("kind", joint.kind);
  out.set("size", joint.size);
  return out;
}

val toVal(const DrawingTendon& tendon) {
  val out = named(tendon);
  setPoints(out, tendon);
  out.set("outside", tendon.outside);
  out.set("unit", std::string(tendon.unit));
  return out;
}

val toVal(const SparseMatrix& matrix) {
  val out = val::object();
  out.set("rows", matrix.rows);
  out.set("columns", matrix.columns);
  out.set("row", copyOf(matrix.row));
  out.set("column", copyOf(matrix.column));
  out.set("value", copyOf(matrix.value));
  return out;
}

val toVal(const CheckResult& check) {
  val out = val::object();
  out.set("index", check.index);
  out.set("title", check.title);
  out.set("passed", check.passed);
  out.set("at", check.at);
  out.set("points", check.points);
  out.set("values", toVal(check.values));
  if (!check.reason.empty()) out.set("reason", check.reason);
  return out;
}

val toVal(const std::vector<Doubt>& doubts) {
  return toArray(doubts, [](const Doubt& doubt) {
    using Kind = Doubt::Kind;
    val out = val::object();
    out.set("kind", doubt.kind == Kind::cut ? "cut" : doubt.kind == Kind::kink ? "kink" : "growth");
    out.set("message", doubt.words);
    out.set("time", doubt.time);
    if (doubt.kind == Kind::cut) return out;
    out.set("column", doubt.column);
    out.set("parameter", doubt.parameter);
    if (doubt.kind != Kind::kink) return out;
    out.set("upward", doubt.upward);
    out.set("downward", doubt.downward);
    return out;
  });
}

val texts(const std::vector<std::string>& list) {
  return toArray(list, [](const std::string& text) { return val(text); });
}

std::vector<std::string> textsOf(const val& list) {
  std::vector<std::string> out;
  const unsigned count = list["length"].as<unsigned>();
  for (unsigned i = 0; i < count; ++i) out.push_back(list[i].as<std::string>());
  return out;
}

std::vector<double> numbersOf(const val& list) { return emscripten::convertJSArrayToNumberVector<double>(list); }

std::map<std::string, double> valuesOf(const val& names, const val& values) {
  std::map<std::string, double> out;
  const unsigned count = names["length"].as<unsigned>();
  for (unsigned i = 0; i < count; ++i) out[names[i].as<std::string>()] = values[i].as<double>();
  return out;
}

val infoOf(const Simulation& simulation) {
  const scene::Scene& scene = sceneOf(simulation);
  val out = val::object();
  out.set("title", scene.title);
  out.set("description", scene.description);
  out.set("static", simulation.isStatic());
  out.set("dt", simulation.stepSize());
  out.set("duration", simulation.duration());
  out.set("degreesOfFreedom", simulation.degreesOfFreedom());
  out.set("parameters",
          toArray(simulation.parameters(), [](const ParameterInfo& parameter) { return toVal(parameter); }));
  out.set("columns", toArray(columnInfo(scene), [](const ColumnInfo& column) { return toVal(column); }));
  out.set("checks", toArray(scene.checks, [](const scene::Check& check) { return toVal(check); }));
  out.set("checkRuns", toArray(simulation.checkRuns(), [](const Simulation::CheckRun& run) {
            val one = val::object();
            one.set("with", toVal(run.with));
            one.set("indices", toArray(run.indices, [](int index) { return val(index); }));
            return one;
          }));
  out.set("mayTouch", mayTouch(scene));
  out.set("tensions", numbers(tensionSpan(scene)));
  out.set("view", scene.view);
  out.set("follow", toVal(followed(scene, simulation.drawing())));
  out.set("acting", actingOn(scene));
  out.set("warnings", toVal(simulation.sceneWarnings()));
  return out;
}

std::vector<double> rowOf(const Simulation& simulation) {
  std::vector<double> out(simulation.values().begin(), simulation.values().end());
  for (const auto& [name, value] : simulation.states()) out.push_back(value);
  return out;
}

Progress advanced(const Simulation& simulation, const std::function<Progress()>& step, double seconds, double budget) {
  const double end = simulation.time() + seconds - 1e-9 * simulation.stepSize();
  const double deadline = emscripten_get_now() + 1e3 * budget;
  Progress total;
  total.time = simulation.time();
  while (total.time < end && !simulation.finished()) {
    Progress one = step();
    total.time = one.time;
    total.steps += one.steps;
    total.iterations += one.iterations;
    total.retries += one.retries;
    for (std::string& warning : one.warnings) total.warnings.push_back(std::move(warning));
    if (emscripten_get_now() >= deadline) break;
  }
  return total;
}

val textOrFailure(const std::variant<std::string, Problems>& result) {
  if (const Problems* problems = std::get_if<Problems>(&result)) return failure(*problems);
  return val(std::get<std::string>(result));
}

}  // namespace tendril
