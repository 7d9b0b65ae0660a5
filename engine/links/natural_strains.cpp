// With the strain xi0 + B q, which is a link's own stress-free strain xi0 and what the coordinates add, the stress C
// (xi0 + B q - xi) of another one, xi, has the energy 1/2 q^T K q - F^T q + 1/2 sum w (xi - xi0)^T C (xi - xi0) with
// F = sum w B^T C (xi - xi0) over the quadrature points.
#include "links/natural_strains.h"

#include <algorithm>

namespace tendril::links {
namespace {

const scene::Actuation* lastOf(const Structure::Actuated& actuated, int component, const scene::Instant& at) {
  const auto last = std::find_if(actuated.by.rbegin(), actuated.by.rend(), [&](const scene::Actuation* a) {
    return a->natural[static_cast<std::size_t>(component)] && scene::isActive(a->interval, at);
  });
  return last == actuated.by.rend() ? nullptr : *last;
}

double stiffnessAt(const NaturalStrain& n, const Structure& structure) {
  const SoftSegment& soft = structure.builder.soft(n.piece->soft);
  const auto point = static_cast<std::size_t>(n.piece->point);
  return soft.points[point].weight * soft.stiffness[point][n.component];
}

// visit(coordinate, value of its function) of those that add to the component there.
template <class Visit>
void forEachCoordinate(const NaturalStrain& n, const Structure& structure, const Visit& visit) {
  const TendonPoint& point = n.piece->in(structure.builder);
  for (std::size_t j = 0; j < point.modes.size(); ++j) {
    if (point.modes[j] == n.component) visit(point.first + static_cast<int>(j), point.values[j]);
  }
}

}  // namespace

void findNaturalStrains(const scene::Scene& scene, const scene::Instant& at, const Structure& structure,
                        std::vector<NaturalStrain>& out) {
  out.clear();
  formula::Input in = scene::timedInput(scene, at);
  for (const Structure::Actuated& actuated : structure.actuated) {
    for (int component = 0; component < 6; ++component) {
      const scene::Actuation* by = lastOf(actuated, component, at);
      if (!by) continue;
      const formula::Number& natural = *by->natural[static_cast<std::size_t>(component)];
      for (const Structure::Piece& piece : actuated.pieces) {
        const TendonPoint& point = piece.in(structure.builder);
        if (std::find(point.modes.begin(), point.modes.end(), component) == point.modes.end()) continue;
        in.s = piece.s, in.u = piece.u;
        const double value = natural(in) + (component == 3 ? 1 : 0);
        out.push_back({&piece, component, at.factor * (value - point.reference[component])});
      }
    }
  }
}

void applyNaturalStrains(const scene::Scene& scene, const scene::Instant& at, const Structure& structure,
                         System& system) {
  if (structure.actuated.empty()) return;
  for (const Structure::Actuated& actuated : structure.actuated) {
    for (const Structure::Piece& piece : actuated.pieces) {
      const TendonPoint& point = piece.in(structure.builder);
      const auto modes = static_cast<Eigen::Index>(point.modes.size());
      system.restForce.segment(point.first, modes).setZero();
      system.force.segment(point.first, modes).setZero();
    }
  }
  std::vector<NaturalStrain> natural;
  findNaturalStrains(scene, at, structure, natural);
  for (const NaturalStrain& n : natural) {
    const double stress = stiffnessAt(n, structure) * n.more;
    forEachCoordinate(n, structure, [&](int row, double value) {
      system.restForce[row] += stress * value;
      system.force[row] = system.restForce[row];
    });
    system.restEnergy += 0.5 * stress * n.more;
  }
}

void addNaturalEnergy(const std::vector<NaturalStrain>& natural, const Structure& structure, const VectorX& q,
                      double (&components)[6]) {
  for (const NaturalStrain& n : natural) {
    double strain = 0;
    forEachCoordinate(n, structure, [&](int row, double value) { strain += value * q[row]; });
    components[n.component] += stiffnessAt(n, structure) * n.more * (0.5 * n.more - strain);
  }
}

}  // namespace tendril::links
