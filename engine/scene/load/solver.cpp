// Solver settings and states: all read once, so that their parameters restart the run (except in rates).
#include "scene/load/topics.h"
#include "scene/select/selector.h"

namespace tendril::scene {
namespace {

const text::Value emptyObject = [] {
  text::Value value;
  value.kind = text::Value::Kind::object;
  return value;
}();

const text::Value& solverOf(const LoadContext& context) {
  const text::Value* solver = context.root.find("solver");
  return solver ? *solver : emptyObject;
}

void readIntegrator(LoadContext& context, const text::Value& value) {
  const std::vector<std::pair<std::string, Integrator>> known = {{"implicit-euler", Integrator::implicitEuler},
                                                                 {"implicit-midpoint", Integrator::implicitMidpoint},
                                                                 {"bdf2", Integrator::bdf2},
                                                                 {"symplectic-euler", Integrator::symplecticEuler},
                                                                 {"verlet", Integrator::verlet},
                                                                 {"generalized-alpha", Integrator::generalizedAlpha}};
  std::vector<std::string> names;
  for (const auto& [name, integrator] : known) {
    if (name == value.string) {
      context.scene.solver.linkageIntegrator = integrator;
      if (integrator != Integrator::generalizedAlpha) context.scene.solver.integrator = integrator;
      return;
    }
    names.push_back(name);
  }
  context.problem(value, unknownName("integrator", value.string, names));
}

/// Explicit integrators divide by the mass of every unknown; some unknowns of shells have none.
void checkMasses(LoadContext& context, const text::Value& integrator) {
  const Scene& scene = context.scene;
  const bool isExplicit =
      scene.solver.integrator == Integrator::symplecticEuler || scene.solver.integrator == Integrator::verlet;
  if (!isExplicit || !context.dynamic) return;
  const std::string intro = "\"" + integrator.string + "\" is explicit and needs a mass on every unknown, but ";
  for (const Shell& shell : scene.shells) {
    if (shell.bending != Shell::Bending::midedge) continue;
    context.problem(integrator,
                    intro + "the mid-edge rotations of shell \"" + shell.name +
                        "\" have none; expected \"bending\": \"hinge\" there, or an implicit integrator such "
                        "as \"implicit-euler\"");
    return;
  }
}

void readAdaptive(LoadContext& context, const text::Value& value) {
  Solver& solver = context.scene.solver;
  if (value.kind == text::Value::Kind::boolean) {
    solver.adaptive = value.boolean;
  } else {
    solver.adaptive = true;
    solver.minStep = context.constantAt(value, "solver.adaptive", "min");
    solver.maxStep = context.constantAt(value, "solver.adaptive", "max");
  }
  if (solver.adaptive && solver.maxStep < solver.minStep)
    context.problem(value, "the largest step (" + inWords(solver.maxStep) + " s) is below the smallest (" +
                               inWords(solver.minStep) + " s)");
}

void readStart(LoadContext& context, const text::Value& solver) {
  const text::Value* start = solver.find("start");
  const text::Value* with = solver.find("with");
  if (start) {
    context.scene.solver.startEquilibrium = start->string == "equilibrium";
    if (!context.scene.solver.startEquilibrium) context.problem(*start, "expected \"equilibrium\"");
  }
  if (!with) return;
  if (!start) context.problem(*with, "\"with\" adds loads to the first solve; it needs \"start\": \"equilibrium\"");
  context.scene.solver.startWith = loadsOf(context, with->items);
  // They act only before the run: changing a parameter in them requires a restart.
  for (const Load& load : context.scene.solver.startWith) {
    for (const formula::Number& number : {load.value[0], load.value[1], load.value[2], load.mass, load.pressure}) {
      if (!number.formula()) continue;
      for (const int parameter : number.formula()->parametersUsed()) context.markUse(parameter, Use::restart);
    }
  }
}

}  // namespace

void loadSolverMode(LoadContext& context) {
  const std::string mode = context.textAt(solverOf(context), "mode");
  context.dynamic = mode != "static";
  context.scene.solver.dynamic = context.dynamic;
  if (!mode.empty() && mode != "static" && mode != "dynamic")
    context.problem(*solverOf(context).find("mode"), unknownName("mode", mode, {"dynamic", "static"}));
}

void loadSolver(LoadContext& context) {
  const text::Value& value = solverOf(context);
  Solver& solver = context.scene.solver;
  if (const text::Value* integrator = value.find("integrator")) {
    readIntegrator(context, *integrator);
    checkMasses(context, *integrator);
  }
  solver.rho = context.constantAt(value, "solver", "rho");
  solver.dt = context.constantAt(value, "solver", "dt");
  solver.duration = value.find("duration") || context.dynamic ? context.constantAt(value, "solver", "duration") : 1;
  solver.tolerance = context.constantAt(value, "solver", "tolerance");
  solver.iterations = int(context.constantAt(value, "solver", "iterations"));
  solver.loadSteps = int(context.constantAt(value, "solver", "loadSteps"));
  solver.lineSearch = context.flagAt(value, "lineSearch", true);
  if (const text::Value* adaptive = value.find("adaptive")) readAdaptive(context, *adaptive);
  readStart(context, value);
}

void loadStates(LoadContext& context) {
  for (const text::Member& member : membersOf(context, "states")) {
    State state;
    state.name = member.key;
    state.caption = captionOf(context, member.value);
    const text::Value* rate = member.value.find("rate");
    if (rate)
      state.rate =
          rate->isNumber() ? formula::Number(rate->number) : context.formula(*rate, context.observed(), Use::live);
    state.initial = context.constantAt(member.value, "states", "initial");
    if (!context.dynamic)
      context.problemAtKey(member, member.value,
                           "states grow with time, and this run is static; expected \"mode\": "
                           "\"dynamic\"");
    context.scene.states.push_back(std::move(state));
  }
}

}  // namespace tendril::scene
