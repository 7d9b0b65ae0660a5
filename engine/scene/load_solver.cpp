// Solver settings, states and initial values: all read once, so their parameters restart the run (rates excepted).
#include "scene/load_topics.h"
#include "scene/selector.h"
#include "scene/selector_shells.h"

namespace tendril {
namespace {

const Value emptyObject = [] {
  Value value;
  value.kind = Value::Kind::object;
  return value;
}();

const Value& solverOf(const LoadContext& context) {
  const Value* solver = context.root.find("solver");
  return solver ? *solver : emptyObject;
}

void readIntegrator(LoadContext& context, const Value& value) {
  const std::vector<std::pair<std::string, Integrator>> known = {{"implicit-euler", Integrator::implicitEuler},
                                                                 {"implicit-midpoint", Integrator::implicitMidpoint},
                                                                 {"bdf2", Integrator::bdf2},
                                                                 {"symplectic-euler", Integrator::symplecticEuler},
                                                                 {"verlet", Integrator::verlet}};
  std::vector<std::string> names;
  for (const auto& [name, integrator] : known) {
    if (name == value.string) {
      context.scene.solver.integrator = integrator;
      return;
    }
    names.push_back(name);
  }
  context.problem(value, unknownName("integrator", value.string, names));
}

/// Explicit integrators divide by the mass of every unknown; shells bring some without.
void checkMasses(LoadContext& context, const Value& integrator) {
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
  for (const Joint& joint : scene.joints) {
    const NodeRef* rod = nullptr;
    const NodeRef* shell = nullptr;
    for (const NodeRef& node : joint.nodes) (scene.isRod(node.body) ? rod : shell) = &node;
    if (!joint.weld || !rod || !shell) continue;
    context.problem(integrator, intro + "the shell edges at the weld of " + nodeName(scene, *rod) + " and " +
                                    nodeName(scene, *shell) +
                                    " turn without any; expected a \"pin\" there, or an implicit integrator such as "
                                    "\"implicit-euler\"");
    return;
  }
}

void readAdaptive(LoadContext& context, const Value& value) {
  Solver& solver = context.scene.solver;
  if (value.kind == Value::Kind::boolean) {
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

void readStart(LoadContext& context, const Value& solver) {
  const Value* start = solver.find("start");
  const Value* with = solver.find("with");
  if (start) {
    context.scene.solver.startEquilibrium = start->string == "equilibrium";
    if (!context.scene.solver.startEquilibrium) context.problem(*start, "expected \"equilibrium\"");
  }
  if (!with) return;
  if (!start) context.problem(*with, "\"with\" adds loads to the first solve; it needs \"start\": \"equilibrium\"");
  context.scene.solver.startWith = loadsOf(context, with->items);
  // They act before the run alone: a parameter in them can only change with a new start.
  for (const Load& load : context.scene.solver.startWith) {
    for (const Number& number : {load.value[0], load.value[1], load.value[2], load.mass, load.pressure}) {
      if (!number.formula()) continue;
      for (const int parameter : number.formula()->parametersUsed()) context.markUse(parameter, Use::restart);
    }
  }
}

/// What starts so; only edges of rods twist and spin.
void readStarters(LoadContext& context, const Value& of, bool edges, Initial& initial) {
  initial.nodes = edges ? selectNodesOfEdges(context, of) : selectNodes(context, of);
  if (edges && !areOnRods(context, of, initial.nodes, "\"twist\" and \"spin\" turn the edges of rods",
                          "give a shell the \"velocity\" field of its rotation"))
    initial.nodes.clear();
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
  const Value& value = solverOf(context);
  Solver& solver = context.scene.solver;
  if (const Value* integrator = value.find("integrator")) {
    readIntegrator(context, *integrator);
    checkMasses(context, *integrator);
  }
  solver.dt = context.constantAt(value, "solver", "dt");
  solver.duration = value.find("duration") || context.dynamic ? context.constantAt(value, "solver", "duration") : 1;
  solver.tolerance = context.constantAt(value, "solver", "tolerance");
  solver.iterations = int(context.constantAt(value, "solver", "iterations"));
  solver.loadSteps = int(context.constantAt(value, "solver", "loadSteps"));
  solver.lineSearch = context.flagAt(value, "lineSearch", true);
  if (const Value* adaptive = value.find("adaptive")) readAdaptive(context, *adaptive);
  readStart(context, value);
}

void loadStates(LoadContext& context) {
  for (const Member& member : membersOf(context, "states")) {
    State state;
    state.name = member.key;
    const Value* rate = member.value.find("rate");
    if (rate) state.rate = rate->isNumber() ? Number(rate->number) : context.formula(*rate, context.observed(), Use::live);
    state.initial = context.constantAt(member.value, "states", "initial");
    if (!context.dynamic)
      context.problemAtKey(member, member.value, "states grow with time, and this run is static; expected \"mode\": "
                                                 "\"dynamic\"");
    context.scene.states.push_back(std::move(state));
  }
}

void loadInitial(LoadContext& context) {
  for (const Value& item : itemsOf(context, "initial")) {
    Initial initial;
    initial.pointer = item.pointer;
    const Value* velocity = item.find("velocity");
    const Value* twist = item.find("twist");
    const Value* spin = item.find("spin");
    if (velocity) initial.velocity = context.vector(*velocity, "initial.velocity", Use::restart);
    if (twist) initial.twist = context.number(*twist, "initial.twist", Use::restart);
    if (spin) initial.spin = context.number(*spin, "initial.spin", Use::restart);
    if (!velocity && !twist && !spin) context.problem(item, "expected one of velocity, twist, spin");
    const Value* of = item.find("of");
    if (!of) context.problem(item, "\"of\" is missing; expected what starts so, such as \"arm\"");
    else
      readStarters(context, *of, twist || spin, initial);
    if (velocity && velocity->isArray())
      for (std::size_t k = 0; k < 3 && k < velocity->items.size(); ++k)
        checkFieldOnShells(context, velocity->items[k], (*initial.velocity)[k], initial.nodes);
    context.scene.initial.push_back(std::move(initial));
  }
}

}  // namespace tendril
