// Shells of a scene: material, thickness, models, mesh and stress-free state, and limits on their number.
#include <algorithm>

#include "scene/load/topics.h"
#include "scene/shell_values.h"

namespace tendril::scene {
namespace {

/// A shell thicker than this part of its size is hardly one: more likely two units are mixed.
constexpr double thickestPart = 0.1;

double boxDiagonal(const std::vector<Vec3>& points) {
  Vec3 low = points.front(), high = points.front();
  for (const Vec3& point : points) {
    low = low.cwiseMin(point);
    high = high.cwiseMax(point);
  }
  return (high - low).norm();
}

void readModels(LoadContext& context, const text::Value& value, Shell& shell) {
  const std::string bending = context.textAt(value, "bending"), membrane = context.textAt(value, "membrane");
  shell.bending = bending == "hinge" ? Shell::Bending::hinge : Shell::Bending::midedge;
  shell.membrane = shell.bending == Shell::Bending::hinge ? Shell::Membrane::springs : Shell::Membrane::stvk;
  if (membrane == "springs") shell.membrane = Shell::Membrane::springs;
  if (membrane == "stvk") shell.membrane = Shell::Membrane::stvk;
}

void readThickness(LoadContext& context, const text::Value& value, Shell& shell) {
  const text::Value* thickness = value.find("thickness");
  if (!thickness) {
    context.problem(value, "\"thickness\" is missing; expected a length, such as 1e-3 [m]");
    return;
  }
  shell.thickness = context.number(*thickness, "shells.thickness", Use::live);
  if (shell.points.empty()) return;
  double now = 0;
  try {
    const std::vector<double> all = thicknessAtVertices(context.scene, shell);
    now = *std::max_element(all.begin(), all.end());
  } catch (const formula::Failure&) {
    return;  // its problem is in the list
  }
  const double size = boxDiagonal(shell.points);
  if (now > thickestPart * size)
    context.warn(*thickness, "the thickness of " + inWords(now) + " m exceeds a tenth of the size of shell \"" +
                                 shell.name + "\" (" + inWords(size) + " m); is the mesh in another unit?");
}

/// What is wrong with a number of a shell at some triangle, or "".
std::string wrongSomewhere(const Scene& scene, const Shell& shell, const formula::Number& number,
                           const std::string& path) {
  for (std::size_t t = 0; t < shell.triangles.size(); ++t) {
    const formula::Input in = fieldAtTriangle(scene, shell, t);
    const std::string wrong = wrongValue(number, in, path);
    if (!wrong.empty())
      return wrong + " at [" + inWords(in.x) + ", " + inWords(in.y) + ", " + inWords(in.z) + "] of shell \"" +
             shell.name + "\"";
  }
  return {};
}

/// Fields of the place: none sees an arc length, and all are in range everywhere.
void checkFields(LoadContext& context, const text::Value& value, const Shell& shell, std::size_t index) {
  std::vector<std::pair<const text::Value*, std::string>> at = {{value.find("thickness"), "shells.thickness"}};
  std::vector<formula::Number> numbers = {shell.thickness};
  if (shell.material >= 0) {
    const Material& m = context.scene.materials[std::size_t(shell.material)];
    const text::Value& material = membersOf(context, "materials")[std::size_t(shell.material)].value;
    for (const auto& [key, number] :
         {std::pair{"youngs", m.youngs}, {"poisson", m.poisson}, {"density", m.density}, {"damping", m.damping}}) {
      at.push_back({material.find(key), std::string("materials.") + key}), numbers.push_back(number);
    }
  }
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    const formula::Number& number = numbers[k];
    if (!number.isField() || !at[k].first) continue;
    if (number.seesArcLength()) {
      context.problem(*at[k].first, "the formula \"" + number.text() +
                                        "\" sees s or u, the arc length along a rod; shells have none, and see x y z "
                                        "i n");
      continue;
    }
    context.require(*at[k].first, {number}, [index, number, path = at[k].second](const Scene& now) {
      return index < now.shells.size() ? wrongSomewhere(now, now.shells[index], number, path) : std::string();
    });
  }
}

void loadShell(LoadContext& context, const text::Member& member, double nodesLeft) {
  const text::Value& value = member.value;
  Shell shell;
  shell.name = member.key;
  shell.material = findMaterial(context, value, "shell");
  readModels(context, value, shell);
  if (auto mesh = loadMesh(context, value, nodesLeft)) {
    shell.points = std::move(mesh->points);
    shell.triangles = std::move(mesh->triangles);
  } else {
    context.bodiesUsable = false;
  }
  readThickness(context, value, shell);
  if (const text::Value* border = value.find("border")) {
    shell.border = context.number(*border, "shells.border", Use::live);
    if (shell.membrane != Shell::Membrane::springs)
      context.problem(*border, "\"border\" is about springs along edges; expected it with \"membrane\": \"springs\"");
  }
  shell.naturalFlat = context.textAt(value, "natural") == "flat";
  shell.look = loadLook(context, value.find("look"));
  const int body = context.scene.bodyOfShell(int(context.scene.shells.size()));
  context.claimName(member, value);
  context.bodyNames.insert({shell.name, body});
  context.scene.shells.push_back(std::move(shell));
  checkFields(context, value, context.scene.shells.back(), context.scene.shells.size() - 1);
}

}  // namespace

void loadShells(LoadContext& context) {
  double nodesLeft = double(mostNodes);
  for (const Rod& rod : context.scene.rods) nodesLeft -= double(rod.points.size());
  for (const text::Member& member : membersOf(context, "shells")) {
    loadShell(context, member, nodesLeft);
    nodesLeft -= double(context.scene.shells.back().points.size());
  }
}

}  // namespace tendril::scene
