// What another project can do with the installed package: load a scene, step it, read where it is, and see a bad one
// refused.
#include <cstdio>
#include <optional>
#include <string>

#include <tendril/machine.h>
#include <tendril/simulation.h>
#include <vector>

namespace {

const char* const cantilever = R"({
  "format": "tendril/1",
  "title": "Arm",
  "materials": {"rubber": {"youngs": 1e6, "poisson": 0.5, "density": 1000}},
  "rods": {"arm": {"section": {"circle": {"radius": 1e-3}}, "segments": 10,
                   "path": {"line": {"from": [0, 0, 0], "to": [0.1, 0, 0]}}}},
  "constraints": [{"clamp": "arm:first"}],
  "environment": {"gravity": [0, 0, -9.81]},
  "solver": {"dt": 0.01, "duration": 0.1},
  "probes": {"tip": {"position": "arm:last"}}
})";

int fail(const std::string& why) {
  std::fprintf(stderr, "%s\n", why.c_str());
  return 1;
}

}  // namespace

int main() {
  try {
    tendril::Simulation simulation(cantilever);
    const tendril::Progress progress = simulation.step();
    if (progress.steps != 1) return fail("one step was asked for");
    const tendril::Drawing& drawing = simulation.drawing();
    if (drawing.parts.size() != 1 || drawing.parts[0].pointCount != 11) return fail("the arm has 11 points");
    if (std::string(tendril::version()) != TENDRIL_VERSION)
      return fail("the headers are of another version than the library");
    if (simulation.title() != "Arm" || !simulation.sceneWarnings().empty())
      return fail("the scene has a title and no warning");
    const std::optional<tendril::EnergyBalance> energy = simulation.energyBalance();
    if (!energy || energy->work != 0) return fail("nothing does work on the arm");
    const std::vector<tendril::BodyState> bodies = simulation.bodies();
    if (bodies.size() != 1 || bodies[0].nodes.size() != 33) return fail("the arm has 11 nodes");
    const float tip = simulation.snapshot().positions[3 * 10 + 2];
    if (!(tip < 0)) return fail("the tip falls under gravity");
    tendril::Machine machine(simulation);
    const tendril::Kinematics end = machine.kinematics("arm:last");
    if (!(end.velocity.at(2) < 0) || machine.linearize().mass.rows != end.jacobian.columns)
      return fail("the tip moves with the coordinates of the machine");
  } catch (const tendril::BadScene& bad) {
    return fail(tendril::describe(bad.problems.at(0), "cantilever"));
  }
  try {
    tendril::Simulation simulation("{}");
  } catch (const tendril::BadScene& bad) {
    return bad.problems.empty() ? fail("a bad scene has problems") : 0;
  }
  return fail("an empty scene was accepted");
}
