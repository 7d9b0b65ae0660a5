#include "links/quadrature_check.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>

#include "links/drives.h"
#include "links/structure.h"
#include "solve/dense_lu.h"

namespace tendril::links {
namespace {

constexpr double share = 0.01;    // of an answer, that more points may change
constexpr double nothing = 1e-6;  // of what 1 N across the linkage's length would do, or of that length
constexpr int mostPoints = 1000;

struct Answers {
  std::vector<VectorX> deflections;  // of soft coordinates: under weight along x, y, z, then under each cable's pull
  std::vector<Vec3> tips;            // of the natural shape, per link [m]
  double still = 0;                  // size of a deflection that is next to nothing
  bool known = false;
};

std::vector<int> softCoordinates(const Structure& s) {
  std::vector<int> out;
  for (const BuiltLink& link : s.links) {
    for (int i = link.first + link.jointCount; !link.softs.empty() && i < link.first + link.count; ++i)
      out.push_back(i);
  }
  return out;
}

Answers answersOf(const scene::Scene& scene, int linkage) {
  Answers out;
  Structure structure(scene, linkage);
  System system = structure.builder.build(structure.scale);
  Drives(scene).attach(structure, system);
  const std::vector<int> soft = softCoordinates(structure);
  const VectorX zero = VectorX::Zero(system.size());
  const Eigen::MatrixXd stiffness = system.stiffness()(soft, soft);
  const solve::DenseLu lu(stiffness, solve::DenseLu::Pivots::rows);
  if (!lu.regular()) return out;
  VectorX r;
  for (int axis = 0; axis < 3; ++axis) {
    system.gravity = Vec3::Unit(axis);
    system.evaluate({zero, zero, zero}, {}, solve::Level::residual, r);
    out.deflections.push_back(lu.solve(VectorX(r(soft))));
  }
  for (const BuiltLink& link : structure.links)
    out.tips.push_back(system.chain().frames()[static_cast<std::size_t>(link.tip)].pose.r);
  system.gravity.setZero();
  for (const Structure::Wire& wire : structure.wires) {
    system.tendons = {wire.tendon};
    system.tendons[0].tension = 1;
    system.evaluate({zero, zero, zero}, {}, solve::Level::residual, r);
    out.deflections.push_back(lu.solve(VectorX(system.tensionForce()(soft))));
  }
  out.still = nothing * lu.solve(VectorX::Constant(static_cast<Eigen::Index>(soft.size()), structure.scale)).norm();
  out.known =
      std::all_of(out.deflections.begin(), out.deflections.end(), [](const VectorX& x) { return x.allFinite(); });
  return out;
}

scene::Scene withPoints(const scene::Scene& scene, int linkage, int times) {
  scene::Scene out = scene;
  for (scene::Link& link : out.linkages[static_cast<std::size_t>(linkage)].links) {
    for (scene::SoftDivision& d : link.soft) d.points = std::min(d.points * times, mostPoints);
  }
  return out;
}

// Whether there is something that five points might miss: polynomials alone are followed by as many points as
// functions.
bool unlike(const scene::Linkage& linkage) {
  const auto isField = [](const formula::Number& n) { return n.isField(); };
  for (const scene::Cable& cable : linkage.cables) {
    if (cable.path == scene::Cable::Path::helical || cable.path == scene::Cable::Path::custom) return true;
  }
  for (const scene::Link& link : linkage.links) {
    for (const scene::SoftDivision& d : link.soft) {
      const scene::Section& s = d.section;
      const formula::Number* const sizes[] = {&s.radius, &s.wall, &s.width, &s.height,       &s.a, &s.b, &s.EA,
                                              &s.EI1,    &s.EI2,  &s.GJ,    &s.massPerLength};
      const bool bumps =
          d.basis == geometry::StrainBasis::gaussian || d.basis == geometry::StrainBasis::inverseMultiquadric;
      if (bumps || std::any_of(d.natural.begin(), d.natural.end(), isField)) return true;
      if (std::any_of(std::begin(sizes), std::end(sizes), [&](const formula::Number* n) { return isField(*n); }))
        return true;
    }
  }
  return false;
}

// How much `a` is off from `b`: the largest relative difference of an answer.
double apart(const Answers& a, const Answers& b, double length) {
  double most = 0, weight = 0, ofWeight = 0;
  const auto look = [&](double difference, double size, double least) {
    if (difference > least) most = std::max(most, difference / std::max(size, least));
  };
  for (std::size_t i = 0; i < a.deflections.size(); ++i) {
    const double difference = (a.deflections[i] - b.deflections[i]).norm(), size = b.deflections[i].norm();
    if (i < 3)
      weight += difference * difference, ofWeight += size * size;
    else
      look(difference, size, b.still);
  }
  if (ofWeight > 0) most = std::max(most, std::sqrt(weight / ofWeight));
  for (std::size_t i = 0; i < a.tips.size(); ++i) look((a.tips[i] - b.tips[i]).norm(), length, nothing * length);
  return most;
}

}  // namespace

std::vector<model::Remark> quadratureRemarks(const scene::Scene& scene, int linkage) {
  const scene::Linkage& own = scene.linkages[static_cast<std::size_t>(linkage)];
  double length = 0;
  for (const scene::Link& link : own.links) length += link.soft.empty() ? 0 : link.length();
  if (length == 0 || !unlike(own)) return {};
  const Answers now = answersOf(scene, linkage);
  Answers finer = answersOf(withPoints(scene, linkage, 2), linkage);
  if (!now.known || !finer.known) return {};
  const double off = apart(now, finer, length);
  if (!(off > share)) return {};
  // Whose points help: each link's by itself.
  const scene::Link* worst = nullptr;
  double most = 0;
  for (std::size_t k = 0; k < own.links.size(); ++k) {
    if (own.links[k].soft.empty()) continue;
    scene::Scene one = scene;
    for (scene::SoftDivision& d : one.linkages[static_cast<std::size_t>(linkage)].links[k].soft)
      d.points = std::min(2 * d.points, mostPoints);
    const Answers other = answersOf(one, linkage);
    const double changes = other.known ? apart(now, other, length) : 0;
    if (changes >= most) most = changes, worst = &own.links[k];
  }
  int times = 2;
  for (; times < 64; times *= 2) {
    const Answers next = answersOf(withPoints(scene, linkage, 2 * times), linkage);
    if (!next.known || apart(finer, next, length) <= share) break;
    finer = next;
  }
  int points = 0;
  for (const scene::SoftDivision& d : worst->soft) points = std::max(points, d.points);
  char text[320];
  std::snprintf(
      text, sizeof text,
      "\"%s\" has %d quadrature points%s, which do not follow what is told along it (its section, its natural strains, its basis or a "
      "cable's path): with twice as many it answers to its weight or to a cable otherwise by %.2g %%; give it \"points\": %d",
      (own.name + "/" + worst->name).c_str(), points, worst->soft.size() > 1 ? " a division" : "", 100 * off,
      std::min(points * times, mostPoints));
  return {{worst->pointer, text}};
}

}  // namespace tendril::links
