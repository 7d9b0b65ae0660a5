// The only place for help texts.
#include "cli/commands.h"

#include "cli/check.h"
#include "cli/fit.h"
#include "cli/gradient.h"
#include "cli/linear.h"
#include "cli/run.h"
#include "cli/texts.h"

namespace tendril::cli {

namespace {

const OptionSpec setOption = {"--set", "k=v", "give parameter k the value v; may be repeated", true};

CommandSpec runSpec() {
  return {
      "run",
      "SCENE",
      false,
      "Runs a scene to its end.",
      "Without --out a summary is printed; with it the results are written into a folder:\n"
      "  summary.json   status, steps, parameters, probes at the end, checks, warnings\n"
      "  probes.csv     probes and states over time\n"
      "  final.json     nodes, velocities and twist angles at the end\n"
      "  frames.ndjson  the same over time (--frames), linear between accepted steps;\n"
      "                 static scenes: every load step\n"
      "  vtk/           files for ParaView (--vtk), at the times of --frames, or at 101 even times\n"
      "Every file appears complete at the end of the run. Ctrl-C, a termination or a terminal that closes stop the run\n"
      "after the iteration at hand, if that ends within a second; what was computed is written (status\n"
      "\"stopped\"), and the exit code is 130. A second Ctrl-C ends it at once.\n"
      "With --resume, rows and frames begin where the saved run ended; --set may then only change parameters\n"
      "that act while the scene runs.\n",
      {setOption,
       {"--until", "T", "stop at the first step at or past T [s], also past the duration of the scene"},
       {"--out", "DIR", "write the results into this folder"},
       {"--frames", "FPS", "with --out: frames.ndjson with this many frames a second of the scene"},
       {"--rows", "DT", "with --out: rows of probes.csv every DT seconds instead of every step, interpolated"},
       {"--vtk", "", "with --out: files for ParaView"},
       {"--yes", "", "with --out: more than a million rows or frames too"},
       {"--json", "", "print summary.json on stdout"},
       {"--save", "FILE", "save the state at the end, also of a run that gave up or was stopped"},
       {"--resume", "FILE", "start from a saved state of this scene"}},
      runCommand};
}

CommandSpec checkSpec() {
  return {
      "check",
      "SCENE",
      true,
      "Runs scenes and evaluates their checks.",
      "Prints a line per check and goes on after a failure; the last line is \"N passed, M failed\".\n"
      "A check with its own parameters is evaluated in its own run; equal parameters share one.\n"
      "Each scene runs in its own process: a crash, a lack of memory or a limit affects only that scene. Every check\n"
      "has a line and its points in the total, whatever happens to its scene.\n",
      {setOption,
       {"--only", "TITLE", "only the checks of this title; may be repeated", true},
       {"--limit", "SECONDS", "end a scene that takes longer in real time; its open checks fail"},
       {"--memory", "MIB", "memory that a scene may use; default: all that the machine has"},
       {"--json", "", "print the results as JSON on stdout instead"},
       {"--junit", "FILE", "also write them as JUnit XML"}},
      checkCommand};
}

const OptionSpec atOption = {
    "--at", "T",
    "run to the first step at or past T [s] first; default: the start, or the full load of a static scene"};

CommandSpec linearizeSpec() {
  return {
      "linearize",
      "SCENE",
      false,
      "Writes the equations of motion about a state as matrices.",
      "M a + D v + K q = f + B u for small motions q of what is free to move, and x' = A x + B u, y = y0 + C x + D u:\n"
      "  mass.mtx damping.mtx stiffness.mtx actuation.mtx motions.mtx   Matrix Market\n"
      "  spaceA.mtx spaceB.mtx spaceC.mtx spaceD.mtx                    the state space\n"
      "  linear.json                                                    all of them, with names and units\n"
      "docs/machine.md says what they mean. Feedback of formulas is held as it was in the last step.\n",
      {setOption,
       atOption,
       {"--inputs", "A,B", "live parameters, cables (\"arm/tendon\") and joints (\"arm/hub\"); default: all that act",
        true},
       {"--outputs", "A,B", "columns of probes; default: all", true},
       {"--matrices-only", "", "no state space"},
       {"--out", "DIR", "write the files into this folder"}},
      linearizeCommand};
}

CommandSpec modesSpec() {
  return {"modes",
          "SCENE",
          false,
          "Prints the lowest modes of vibration about an equilibrium.",
          "Frequencies without damping, damping ratios, and which coordinates move most. An inertia count shows that\n"
          "none is missing. Refused: friction, and forces without a potential, such as followers.\n",
          {setOption,
           atOption,
           {"--count", "N", "how many; default 10"},
           {"--json", "", "print them with their shapes as JSON"}},
          modesCommand};
}

CommandSpec buckleSpec() {
  return {"buckle",
          "SCENE",
          false,
          "Prints the factors of the loads at which a static scene buckles.",
          "By how stiffness changes as the loads begin to act: exact where the structure hardly deforms before it\n"
          "buckles. Factors count all loads, gravity, actuation and prescribed motion together.\n",
          {setOption, {"--count", "N", "how many; default 4"}, {"--json", "", "print them with their shapes as JSON"}},
          buckleCommand};
}

CommandSpec gradientSpec() {
  return {
      "gradient",
      "SCENE",
      false,
      "Prints how probes depend on parameters, as exact derivatives.",
      "Derivatives of probes at given times by any numbers that parameters set, beside one run: docs/sensitivities.md\n"
      "says how, to how many digits, and what is told where there is none.\n",
      {setOption,
       {"--with", "A,B", "the parameters to differentiate by", true},
       {"--of", "C,D", "columns of probes at a time, \"tip.x@0.5\" or \"tip.x@end\"; default: all at the end", true},
       {"--scale", "k=v", "a change that is large for parameter k; needed where it is 0 and has no range", true},
       {"--until", "T", "end at the first step at or past T [s]"},
       {"--out", "FILE", "also write the derivatives after every step, as CSV"},
       {"--json", "", "print them as JSON"}},
      gradientCommand};
}

CommandSpec fitSpec() {
  return {
      "fit",
      "PLAN",
      false,
      "Finds parameters of a scene from measurements.",
      "A plan (tendril-fit/1, docs/fit.md) names the scene, the unknowns with their bounds, and the data. Values and\n"
      "their standard errors are printed, and what the data cannot tell. With --out they are written too:\n"
      "  fit.json     values, standard errors, correlations, residuals, every start\n"
      "  report.html  the same with plots, in one file that needs no network\n"
      "Ctrl-C stops with the best so far, which is written; the exit code is then 130, and --resume goes on from it.\n",
      {{"--out", "DIR", "write the results into this folder"},
       {"--resume", "", "with --out: go on from the fit.json there"},
       {"--write", "SCENE", "write the scene with the values found"},
       {"--jobs", "N", "threads; default: as many as the machine has"},
       {"--json", "", "print fit.json on stdout"}},
      fitCommand};
}

CommandSpec importSpec() {
  return {"import",
          "FILE",
          false,
          "Makes a scene of a MAT-DiSMech geometry text or a Wavefront file (.obj), on stdout.",
          "*Edges become rods, *Triangles (and the faces of an .obj file) a shell, with welds where they meet.\n",
          {{"--material", "JSON", "the scene's material, such as '{\"youngs\": 2e6, \"density\": 1200}'"}},
          importCommand};
}

}  // namespace

const std::vector<CommandSpec>& commands() {
  static const std::vector<CommandSpec> table = {
      runSpec(),
      checkSpec(),
      linearizeSpec(),
      modesSpec(),
      buckleSpec(),
      gradientSpec(),
      fitSpec(),
      {"validate",
       "SCENE",
       true,
       "Loads scenes and lists everything that is wrong with them.",
       "Problems and warnings go to stderr as file:line:column: message, their number to stdout.\n",
       {setOption},
       validateCommand},
      {"expand",
       "SCENE",
       false,
       "Prints a scene with `repeat` and `defaults` resolved.",
       "",
       {setOption},
       expandCommand},
      importSpec(),
      {"schema", "", false, "Prints the JSON Schema of scene files.", "", {}, schemaCommand},
      {"version", "", false, "Prints the version.", "", {}, versionCommand}};
  return table;
}

const std::vector<std::string>& laterCommands() {
  static const std::vector<std::string> names = {"sweep", "serve"};
  return names;
}

std::string programHelp() {
  std::string text = "Usage: tendril COMMAND ...\n\nSimulates soft robots and slender structures.\n\nCommands:\n";
  for (const CommandSpec& command : commands()) {
    const std::string head = command.call().substr(std::string_view("tendril ").size());
    text += "  " + head + std::string(head.size() < 20 ? 20 - head.size() : 1, ' ') + command.summary + "\n";
  }
  text +=
      "\nA SCENE of - is standard input. `tendril COMMAND --help` lists a command's options.\n\n"
      "Exit codes: 0 done; 1 a check failed (check); 2 bad input, nothing ran and nothing was written; 3 the solver\n"
      "gave up, or output could not be written: what was written is kept; 130 interrupted. Of several scenes the first "
      "of\n"
      "130, 2, 3, 1.\n";
  return text;
}

}  // namespace tendril::cli
