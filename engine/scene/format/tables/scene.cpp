// The key table, first part: the top level of a scene, parameters, series, materials, environment and solver.
#include "scene/format/tables/table.h"

namespace tendril::scene {

const std::vector<KeyObject>& sceneKeyObjects() {
  static const std::vector<KeyObject> objects = {
      {"scene",
       "a scene",
       {
           {"format", "choice tendril/1", "", "", "", "required", "", "Name and version of the format."},
           {"$schema", "text", "", "", "", "", "", "Where an editor finds the format's JSON Schema; not read here."},
           {"title", "text", "", "", "", "", "", "What the scene shows, in a few words."},
           {"description", "text", "", "", "", "", "", "Markdown: what to look at, and where the numbers come from."},
           {"parameters", "map parameter number", "", "", "", "", "",
            "Numbers with names, seen by every formula. A parameter is a number, a formula of other parameters, or an "
            "object that also makes a slider or a menu."},
           {"series", "map series", "", "", "", "", "", "Tables over time that formulas call as functions."},
           {"defaults", "object defaults", "", "", "", "", "",
            "For each section of objects: values for keys that an object of that section leaves out (key by key, "
            "not deeper)."},
           {"materials", "map material", "", "", "", "", "", "Materials by name."},
           {"rods", "map rod", "", "", "", "", "", "Rods by name: slender bodies that stretch, bend and twist."},
           {"shells", "map shell", "", "", "", "", "",
            "Thin plates and shells by name: triangle meshes with a thickness. Rods, shells, linkages, vines and obstacles "
            "share one set of names."},
           {"joints", "list joint", "", "", "", "", "", "Joined nodes: welds and ball joints."},
           {"springs", "map spring", "", "", "", "", "",
            "Springs by name, with dampers, between nodes of rods and shells."},
           {"linkages", "map linkage", "", "", "", "", "",
            "Chains of rigid and soft links by name: arms, grippers and legs, with tendons. They touch obstacles, not rods "
            "and shells."},
           {"vines", "map vine", "", "", "", "", "",
            "Growing robots in a plane by name. They touch obstacles, not other bodies."},
           {"constraints", "list constraint", "", "", "", "", "",
            "Supports and prescribed motions. Where two prescribe the same component at the same time, the later one wins."},
           {"loads", "list load", "", "", "", "", "", "Forces, moments, pressures and added masses."},
           {"environment", "object environment", "", "", "", "", "", "Gravity and the surrounding medium."},
           {"obstacles", "map obstacle", "", "", "", "", "",
            "Rigid bodies that rods, shells, linkages and vines touch, by name; they are fixed, or move as prescribed."},
           {"contact", "object contact", "", "", "", "", "",
            "The law of contact, and whether bodies touch each other."},
           {"actuation", "list actuation", "", "", "", "", "", "Stress-free states that change with time."},
           {"states", "map state", "", "", "", "", "",
            "Scalars with a rate, which formulas see like probes: feedback."},
           {"initial", "list initial", "", "", "", "", "",
            "Velocities, twists and spins at t = 0; strains and joint coordinates of linkages."},
           {"solver", "object solver", "", "", "", "", "", "Dynamics or statics, the integrator and its accuracy."},
           {"probes", "map probe", "", "", "", "", "",
            "What is measured, by name. A probe has one or more columns, such as tip.x, tip.y, tip.z."},
           {"checks", "list check", "", "", "", "", "", "Conditions that the run must satisfy: tests and grading."},
           {"view", "object view", "", "", "", "", "", "Camera and display; never changes the run."},
       }},
      {"parameter",
       "a parameter",
       {
           {"value", "number", "", "", "", "required", "", "Its value, or a formula of other parameters."},
           {"min", "number", "", "", "", "", "", "Lower end of the slider."},
           {"max", "number", "", "", "", "", "", "Upper end of the slider; min and max together make one."},
           {"scale", "choice linear log", "", "\"linear\"", "", "", "", "How the slider divides its range."},
           {"step", "number", "", "", "(0,inf)", "", "", "Step of the slider."},
           {"unit", "text", "", "", "", "", "", "Unit, for display."},
           {"label", "text", "", "", "", "", "", "Name for display."},
           {"choices", "numbers|labels", "", "", "", "", "", "A menu: a list of values, or names with their values."},
       }},
      {"series",
       "a series",
       {
           {"time", "numbers", "s", "", "", "required", "", "Strictly increasing times."},
           {"interpolation", "choice linear step", "", "\"linear\"", "", "", "",
            "Between the times: linear, or the value at the last time reached."},
           {"*", "numbers", "", "", "", "", "",
            "A column, one value per time: the function NAME.COLUMN(t). A column called value is NAME(t)."},
       }},
      {"material",
       "a material",
       {
           {"youngs", "number field", "Pa", "", "(0,inf)", "required", "",
            "Young's modulus E. Formulas of the initial place are for materials of shells alone."},
           {"poisson", "number field", "", "0.5", "(-1,0.5]", "", "",
            "Poisson's ratio; the shear modulus is E/(2(1+nu)). Shells see it through midedge bending and stvk "
            "membranes."},
           {"density", "number field", "kg/m^3", "", "(0,inf)", "required", "", "Mass density."},
           {"damping", "number field", "Pa s", "0", "[0,inf)", "", "",
            "Kelvin-Voigt viscosity for stretching, bending and twisting of rods, and for membranes and bending of shells."},
       }},
      {"environment",
       "the environment",
       {
           {"gravity", "vector timed", "m/s^2", "[0, 0, 0]", "", "", "", "Acceleration of gravity."},
           {"fluid", "object fluid", "", "", "", "", "", "The surrounding medium."},
           {"buoyancy", "boolean", "", "false", "", "", "fluid",
            "Whether the medium's density lifts the bodies: gravity acts with 1 - fluid.density/density."},
           {"viscous", "number", "Pa s", "0", "[0,inf)", "", "",
            "eta: a force -eta l (v - fluid.velocity) on each node of length l."},
           {"rft", "object rft", "", "", "", "", "", "Resistive force theory: drag on slender rods, along and across."},
           {"drag", "number", "", "0", "[0,inf)", "", "",
            "Drag coefficient C_D of shells, by the velocity relative to fluid.velocity; needs fluid.density."},
       }},
      {"fluid",
       "the fluid",
       {
           {"density", "number", "kg/m^3", "", "(0,inf)", "", "", "Density of the medium; buoyancy and drag need it."},
           {"velocity", "vector timed", "m/s", "[0, 0, 0]", "", "", "",
            "Velocity of the medium, such as wind; drag and viscous forces see it."},
       }},
      {"solver",
       "the solver",
       {
           {"mode", "choice dynamic static", "", "\"dynamic\"", "", "", "", "Motion in time, or equilibrium."},
           {"integrator", "choice implicit-euler implicit-midpoint bdf2 symplectic-euler verlet generalized-alpha", "",
            "", "", "", "",
            "implicit-euler is robust and damps; implicit-midpoint conserves energy; bdf2 is accurate for smooth motion; "
            "symplectic-euler and verlet are explicit and need small steps; generalized-alpha, for linkages, is second "
            "order and damps fast motion. Default: generalized-alpha for linkages, implicit-euler for rods and shells."},
           {"rho", "number", "", "0.9", "[0,1]", "", "",
            "Of generalized-alpha: the share of the fastest oscillations left after a step; 1 keeps them, 0 removes them at "
            "once."},
           {"dt", "number", "s", "0.01", "(0,inf)", "", "", "Time step."},
           {"duration", "number", "s", "10", "(0,inf)", "", "",
            "End time (1 in static runs, whose solution is for t = duration)."},
           {"tolerance", "number", "", "1e-8", "(0,1)", "", "",
            "Newton's iteration ends when the residual is below this times the largest force term, or the full update "
            "below this times the structure's size twice in a row."},
           {"iterations", "integer", "", "50", "[1,100000]", "", "", "Largest number of Newton iterations in a step."},
           {"lineSearch", "boolean", "", "true", "", "", "", "Whether Newton's updates are shortened where needed."},
           {"adaptive", "object adaptive", "", "", "", "", "",
            "Lets the time step grow and shrink between two bounds."},
           {"loadSteps", "integer", "", "1", "[1,1000000]", "", "",
            "Static: gravity, loads and actuation grow together in this many steps."},
           {"start", "choice equilibrium", "", "", "", "", "",
            "\"equilibrium\" first finds static equilibrium under the loads at t = 0; without it the run starts from the initial shape."},
           {"with", "list load", "", "", "", "", "start", "Loads only in that first solve: pluck and release."},
       }},
      {"adaptive",
       "the adaptive step",
       {
           {"min", "number", "s", "1e-6", "(0,inf)", "", "", "Smallest step."},
           {"max", "number", "s", "1e-2", "(0,inf)", "", "", "Largest step."},
       }},
      {"defaults", "the defaults", {}},  // its keys are the sections that hold objects: filled in by keySets()
  };
  return objects;
}

}  // namespace tendril::scene
