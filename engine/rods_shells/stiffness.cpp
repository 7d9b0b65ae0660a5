// Stiffness, mass and natural strains of a structure from materials, sections and natural fields at present parameter
// values.
#include <algorithm>
#include <cmath>

#include "elastic/bend_twist.h"
#include "rods_shells/connectors.h"
#include "rods_shells/springs.h"
#include "rods_shells/welds.h"

namespace tendril::rods_shells {
namespace {

struct MaterialValues {
  double youngs = 0, shear = 0, density = 0, damping = 0, poisson = 0;
};

MaterialValues valuesOf(const scene::Scene& scene, int material) {
  MaterialValues v;
  if (material < 0) return v;
  formula::Input in;
  in.parameters = scene.values.data();
  const scene::Material& m = scene.materials[material];
  v.youngs = m.youngs(in), v.poisson = m.poisson(in), v.density = m.density(in), v.damping = m.damping(in);
  v.shear = v.youngs / (2 * (1 + v.poisson));
  return v;
}

void setEdge(Edge& e, const scene::SectionGeometry& g, const MaterialValues& m) {
  e.section = g;
  if (g.explicitStiffness) {
    // A material's damping acts in the ratio eta / E on the given stiffnesses.
    const double ratio = m.youngs > 0 ? m.damping / m.youngs : 0;
    e.EA = g.EA, e.EI1 = g.EI1, e.EI2 = g.EI2, e.GJ = g.GJ;
    e.viscousEA = ratio * g.EA, e.viscousEI1 = ratio * g.EI1, e.viscousEI2 = ratio * g.EI2, e.viscousGJ = ratio * g.GJ;
    e.massPerLength = g.massPerLength;
    e.inertiaPerLength = g.massPerLength * g.halfAxis1 * g.halfAxis1 / 2;
    return;
  }
  e.EA = m.youngs * g.area, e.EI1 = m.youngs * g.I1, e.EI2 = m.youngs * g.I2, e.GJ = m.shear * g.J;
  e.viscousEA = m.damping * g.area, e.viscousEI1 = m.damping * g.I1, e.viscousEI2 = m.damping * g.I2;
  e.viscousGJ = m.damping * g.J / (2 * (1 + m.poisson));
  e.massPerLength = m.density * g.area;
  e.inertiaPerLength = m.density * g.polar;
}

void addShellMasses(Structure& s, const scene::Scene& scene) {
  updateShellStiffness(s.shell, scene);
  for (const ShellTriangle& t : s.shell.triangles) {
    for (int node : t.nodes) {
      const int d = s.nodeDof[node];
      s.mass.segment<3>(d).array() += t.massPerArea * t.rest.area / 3;
      s.displaced.segment<3>(d).array() += t.thickness * t.rest.area / 3;
    }
  }
}

struct SideStiffness {
  double half = 0;  // half natural length without actuation [m]; 0 for a held frame, which is rigid
  Vec3 elastic = Vec3::Zero(), viscous = Vec3::Zero();
};

SideStiffness sideOf(const Structure& s, const SpringSide& side, double c, double n) {
  SideStiffness out;
  if (side.edge < 0) return out;
  const Edge& e = s.edges[side.edge];
  out.half = 0.5 * e.passiveLength();
  out.elastic = Vec3(c * c * e.EI1 + n * n * e.EI2, n * n * e.EI1 + c * c * e.EI2, e.GJ);
  out.viscous =
      Vec3(c * c * e.viscousEI1 + n * n * e.viscousEI2, n * n * e.viscousEI1 + c * c * e.viscousEI2, e.viscousGJ);
  return out;
}

double inSeries(double half1, double k1, double half2, double k2) {
  if ((half1 > 0 && k1 <= 0) || (half2 > 0 && k2 <= 0)) return 0;
  return 1.0 / ((half1 > 0 ? half1 / k1 : 0) + (half2 > 0 ? half2 / k2 : 0));
}

Vec3 initialStrain(const Structure& s, const Spring& spring) {
  elastic::EdgeFrame e, f;
  initialSides(s, spring, e, f);
  elastic::BendTwistShared shared;
  const auto strain = elastic::bendTwistStrain(e, f, 0, spring.initialReferenceTwist, shared);
  return Vec3(strain.curvature1, strain.curvature2, strain.twist);
}

void setNatural(Structure& s, const scene::Scene& scene, Spring& spring) {
  spring.natural0 = initialStrain(s, spring);
  const auto given = [&](int rod) {
    const scene::Rod& r = scene.rods[rod];
    return r.naturalStraight || r.naturalCurvature || r.naturalTwist;
  };
  int rodIndex = spring.rod;
  if (spring.joint && !given(rodIndex) && spring.f.edge >= 0) rodIndex = s.edges[spring.f.edge].rod;
  const scene::Rod& rod = scene.rods[rodIndex];
  int place = spring.place;
  if (rodIndex != spring.rod) {
    const Edge& f = s.edges[spring.f.edge];
    place = f.index;
  }
  if (rod.naturalStraight) spring.natural0.setZero();
  if (!rod.naturalCurvature && !rod.naturalTwist) return;
  const formula::Input in = fieldAtNode(s, scene, rodIndex, place);
  if (rod.naturalCurvature) {
    const Vec<2> k((*rod.naturalCurvature)[0](in), (*rod.naturalCurvature)[1](in));
    spring.natural0.head<2>() = discreteCurvature(k, spring.voronoi);
  }
  if (rod.naturalTwist) spring.natural0[2] = (*rod.naturalTwist)(in)*spring.voronoi;
}

}  // namespace

Vec<2> discreteCurvature(const Vec<2>& k, double l) {
  const double size = k.norm();
  if (size * l < 1e-12) return k * l;
  return k * (2 * std::tan(0.5 * size * l) / size);
}

Vec<2> continuousCurvature(const Vec<2>& kappa, double l) {
  const double size = kappa.norm();
  if (size < 1e-12) return kappa / l;
  return kappa * (2 * std::atan(0.5 * size) / (size * l));
}

void updateStiffness(Structure& s, const scene::Scene& scene) {
  s.mass = VectorX::Zero(s.size);
  s.displaced = VectorX::Zero(s.size);
  refreshConnectors(s, scene);
  for (Edge& e : s.edges) {
    const scene::Rod& rod = scene.rods[e.rod];
    const formula::Input in = fieldAtEdge(s, scene, e.rod, e.index);
    setEdge(e, scene::sectionGeometry(rod.section, in), valuesOf(scene, rod.material));
    e.naturalRatio = rod.naturalStretch ? (*rod.naturalStretch)(in) : 1.0;
    e.naturalLength = e.passiveLength();
    for (int k = 0; k < 3; ++k) {
      for (int node : {e.a, e.b}) {
        s.mass[s.nodeDof[node] + k] += 0.5 * e.massPerLength * e.length;
        s.displaced[s.nodeDof[node] + k] += 0.5 * e.section.area * e.length;
      }
    }
    s.mass[e.theta] = e.inertiaPerLength * e.length;
  }
  addShellMasses(s, scene);
  updateWelds(s);
  for (Massless& m : s.massless) {
    m.delay = s.shell.triangles[s.shell.edges[m.shellEdge].triangle[0]].dampingTime;
  }
  for (Spring& spring : s.springs) {
    const SideStiffness e = sideOf(s, spring.e, 1, 0);
    const SideStiffness f = sideOf(s, spring.f, spring.cosOffset, spring.sinOffset);
    for (int k = 0; k < 3; ++k) {
      spring.stiffness[k] = inSeries(e.half, e.elastic[k], f.half, f.elastic[k]);
      spring.viscosity[k] = inSeries(e.half, e.viscous[k], f.half, f.viscous[k]);
    }
    spring.voronoi = e.half + f.half;
    setNatural(s, scene, spring);
    spring.natural = spring.natural0;
  }
}

}  // namespace tendril::rods_shells
