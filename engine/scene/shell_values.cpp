#include "scene/shell_values.h"

namespace tendril::scene {

formula::Input fieldAtTriangle(const Scene& scene, const Shell& shell, std::size_t triangle) {
  formula::Input in = parametersOf(scene);
  Vec3 middle = Vec3::Zero();
  for (const int corner : shell.triangles[triangle]) middle += shell.points[std::size_t(corner)];
  middle /= 3;
  in.x = middle.x(), in.y = middle.y(), in.z = middle.z();
  in.i = double(triangle), in.n = double(shell.triangles.size());
  return in;
}

SheetValues sheetAt(const Scene& scene, const Shell& shell, std::size_t triangle) {
  const formula::Input in = fieldAtTriangle(scene, shell, triangle);
  const Material& material = scene.materials[std::size_t(shell.material)];
  return {shell.thickness(in), material.youngs(in), material.poisson(in), material.density(in), material.damping(in)};
}

std::vector<double> thicknessAtVertices(const Scene& scene, const Shell& shell) {
  std::vector<double> mean(shell.points.size(), 0.0);
  if (!shell.thickness.isField()) {
    mean.assign(shell.points.size(), shell.thickness(parametersOf(scene)));
    return mean;
  }
  std::vector<int> count(shell.points.size(), 0);
  for (std::size_t t = 0; t < shell.triangles.size(); ++t) {
    const double thickness = shell.thickness(fieldAtTriangle(scene, shell, t));
    for (const int corner : shell.triangles[t]) {
      // So that equal ones have themselves as their mean, to the last bit.
      const std::size_t v = std::size_t(corner);
      mean[v] += (thickness - mean[v]) / ++count[v];
    }
  }
  return mean;
}

}  // namespace tendril::scene
