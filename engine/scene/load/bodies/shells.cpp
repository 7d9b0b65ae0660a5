// Shells of a scene: material, thickness, models, mesh and stress-free state, and limits on their number.
#include "scene/load/topics.h"

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
    now = shell.thickness(context.input());
  } catch (const formula::Failure&) {
    return;  // its problem is in the list
  }
  const double size = boxDiagonal(shell.points);
  if (now > thickestPart * size)
    context.warn(*thickness, "the thickness of " + inWords(now) + " m exceeds a tenth of the size of shell \"" +
                                 shell.name + "\" (" + inWords(size) + " m); is the mesh in another unit?");
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
