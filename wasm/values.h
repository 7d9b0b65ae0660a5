// What the engine gives, as values of JavaScript: objects, arrays, typed arrays, and failures of entries.
// Fields are named as in engine.d.mts.
#pragma once

#include <emscripten/val.h>

#include <functional>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "simulation/meanings.h"
#include "tendril/drawing.h"
#include "tendril/machine.h"
#include "tendril/problem.h"
#include "tendril/sensitivities.h"
#include "tendril/simulation.h"

namespace tendril {

using emscripten::val;

val toVal(const Problem& problem);
val toVal(const Problems& problems);
val toVal(const std::map<std::string, double>& values);
val toVal(const Progress& progress);
val toVal(const ParameterInfo& parameter);
val toVal(const ColumnInfo& column);
val toVal(const scene::Check& check);
val toVal(const DrawingPart& part);
val toVal(const DrawingObstacle& obstacle);
val toVal(const DrawingMark& mark);
val toVal(const Followed& followed);
val toVal(const DrawingJoint& joint);
val toVal(const DrawingTendon& tendon);
val toVal(const CheckResult& check);
val toVal(const SparseMatrix& matrix);
val toVal(const std::vector<Doubt>& doubts);
val texts(const std::vector<std::string>& list);

/// What calls give: names, numbers, and numbers by name.
std::vector<std::string> textsOf(const val& list);
std::vector<double> numbersOf(const val& list);
std::map<std::string, double> valuesOf(const val& names, const val& values);

/// What a scene is: SceneInfo, whose `view` is still JSON text.
val infoOf(const Simulation& simulation);

/// Probe columns, then the scene's states, in the order of SceneInfo's columns.
std::vector<double> rowOf(const Simulation& simulation);

/// Steps until `seconds` [s] of the run have passed or `budget` [s] of wall time is used up; at least one step.
Progress advanced(const Simulation& simulation, const std::function<Progress()>& step, double seconds, double budget);

/// What acts on all bodies of a scene, with the present parameters.
val actingOn(const scene::Scene& scene);

/// Any list as a JavaScript array, element by element through `convert`.
template <class List, class Convert>
val toArray(const List& list, Convert convert) {
  val out = val::array();
  unsigned index = 0;
  for (const auto& item : list) out.set(index++, convert(item));
  return out;
}

/// A typed array of its own, which later growth of the module's memory does not touch.
template <class T>
val copyOf(const std::vector<T>& values) {
  return val(emscripten::typed_memory_view(values.size(), values.data())).template call<val>("slice");
}

/// A typed array over the module's memory: valid until the next call.
template <class T>
val viewOf(const std::vector<T>& values) {
  return val(emscripten::typed_memory_view(values.size(), values.data()));
}

/// Codes as the program exits: 2 bad input, 3 the solver gave up.
val failure(int code, const std::string& message);
val failure(const Problems& problems);

/// The exception being caught, as a failure.
val caughtFailure();

/// A list of problems is a failure, a text the value.
val textOrFailure(const std::variant<std::string, Problems>& result);

/// Runs an entry; what it throws becomes a failure value.
template <class Entry>
val guarded(Entry entry) {
  try {
    return entry();
  } catch (...) {
    return caughtFailure();
  }
}

}  // namespace tendril
