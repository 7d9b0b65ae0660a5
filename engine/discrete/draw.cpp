// What is drawn of rods: outline once, positions and fields per moment.
#include <algorithm>
#include <cmath>

#include "discrete/observe.h"

namespace tendril {
namespace {

void addMark(Drawing& drawing, const std::string& kind, int point, const Vec3& direction = Vec3::Zero()) {
  DrawingMark mark;
  mark.kind = kind;
  mark.point = point;
  if (direction.norm() > 0) {
    const Vec3 d = direction.normalized();
    mark.direction = {d.x(), d.y(), d.z()};
  }
  drawing.marks.push_back(mark);
}

Vec3 directionOf(const Scene& scene, const Number3& value) {
  FormulaInput in;
  in.parameters = scene.values.data();
  // Feedback formulas see zeros before the run; a direction that is not finite yet is drawn without an arrow.
  const std::vector<double> zeros(scene.columns.size() + scene.states.size() + 1, 0.0);
  in.columns = zeros.data();
  try {
    in.t = 0;
    Vec3 v(value[0](in), value[1](in), value[2](in));
    if (v.norm() == 0) {
      in.t = scene.solver.duration;
      v = Vec3(value[0](in), value[1](in), value[2](in));
    }
    return v;
  } catch (const FormulaFailure&) {
    return Vec3::Zero();
  }
}

void addMarks(Drawing& drawing, const DiscreteSystem& system, const Scene& scene, const std::vector<int>& firstPoint) {
  const Structure& s = system.structure();
  const auto point = [&](NodeRef ref) { return firstPoint[ref.body] + ref.node; };
  for (const Constraint& c : scene.constraints) {
    const char* kind = c.kind == Constraint::Kind::clamp  ? "clamp"
                       : c.kind == Constraint::Kind::fix  ? "fix"
                       : c.kind == Constraint::Kind::move ? "move"
                                                          : "turn";
    if (c.kind == Constraint::Kind::planar) continue;
    for (const NodeRef& ref : c.nodes) addMark(drawing, kind, point(ref), scene.rods[ref.body].nodeTangents[ref.node]);
    for (const EdgeRef& ref : c.edges) addMark(drawing, kind, point({ref.rod, ref.edge}), s.edges[s.edge(ref)].initial);
  }
  for (const Joint& j : scene.joints) addMark(drawing, j.weld ? "weld" : "pin", point(j.nodes[0]));
  for (const Load& l : scene.loads) {
    const char* kind = l.kind == Load::Kind::force      ? "force"
                       : l.kind == Load::Kind::follower ? "follower"
                       : l.kind == Load::Kind::moment   ? "moment"
                       : l.kind == Load::Kind::line     ? "line"
                                                        : "mass";
    Vec3 d = l.kind == Load::Kind::mass ? Vec3(Vec3::Zero()) : directionOf(scene, l.value);
    // A load on many nodes gets a few arrows, not hundreds.
    const std::size_t every = std::max<std::size_t>(1, l.nodes.size() / 8);
    for (std::size_t i = 0; i < l.nodes.size(); i += every) {
      Vec3 world = d;
      if (l.kind == Load::Kind::follower) {
        const Edge& e = s.edges[s.edgeAt(l.nodes[i])];
        const Vec3 t = e.initial / e.length;
        world = d[0] * e.d1 + d[1] * t.cross(e.d1) + d[2] * t;
      }
      addMark(drawing, kind, point(l.nodes[i]), world);
    }
  }
}

}  // namespace

Drawing drawRods(const DiscreteSystem& system, const Scene& scene) {
  const Structure& s = system.structure();
  Drawing drawing;
  std::vector<int> firstPoint;
  int points = 0;
  for (std::size_t r = 0; r < scene.rods.size(); ++r) {
    const Rod& rod = scene.rods[r];
    const int n = static_cast<int>(rod.points.size());
    firstPoint.push_back(points);
    drawing.parts.push_back(
        {rod.name, "rod", points, n, rod.look.color, rod.look.label, rod.look.opacity.value_or(1), rod.look.hidden});
    for (int i = 0; i < n; ++i) {
      const SectionGeometry& before = s.edges[s.rodFirstEdge[r] + std::max(0, i - 1)].section;
      const SectionGeometry& after = s.edges[s.rodFirstEdge[r] + std::min(n - 2, i)].section;
      drawing.halfAxes.push_back(static_cast<float>(0.5 * (before.halfAxis1 + after.halfAxis1)));
      drawing.halfAxes.push_back(static_cast<float>(0.5 * (before.halfAxis2 + after.halfAxis2)));
      drawing.round.push_back(after.round ? 1 : 0);
      if (i + 1 < n) {
        drawing.segments.push_back(static_cast<std::uint32_t>(points + i));
        drawing.segments.push_back(static_cast<std::uint32_t>(points + i + 1));
      }
    }
    points += n;
  }
  addMarks(drawing, system, scene, firstPoint);
  return drawing;
}

void snapshotRods(DiscreteSystem& system, const Scene& scene, const ObservedState& state, Snapshot& out) {
  const Structure& s = system.structure();
  const auto& frames = system.elasticity().edgeFrames(*state.q);
  out.positions.clear(), out.directors.clear();
  out.curvature.clear(), out.strain.clear(), out.energy.clear();
  for (std::size_t r = 0; r < scene.rods.size(); ++r) {
    const int n = static_cast<int>(s.rodNodes[r].size());
    for (int i = 0; i < n; ++i) {
      const NodeRef ref{static_cast<int>(r), i};
      const int node = s.rodNodes[r][i];
      const Vec3 x = s.nodes[node] + state.q->segment<3>(s.nodeDof[node]);
      const NodeFrame f = nodeFrame(s, frames, ref);
      for (int k = 0; k < 3; ++k) {
        out.positions.push_back(static_cast<float>(x[k]));
        out.directors.push_back(static_cast<float>(f.m1[k]));
      }
      const int eb = s.rodFirstEdge[r] + std::max(0, i - 1), ea = s.rodFirstEdge[r] + std::min(n - 2, i);
      const double strain = 0.5 * (state.strains.stretch[eb] + state.strains.stretch[ea]);
      double density = 0.25 * (s.edges[eb].EA * state.strains.stretch[eb] * state.strains.stretch[eb] +
                               s.edges[ea].EA * state.strains.stretch[ea] * state.strains.stretch[ea]);
      double curvature = 0;
      const int spring = springAt(s, ref);
      if (spring >= 0) {
        const Spring& p = s.springs[spring];
        const Vec3 d = state.strains.bend[spring] - p.natural;
        curvature = continuousCurvature(state.strains.bend[spring].head<2>(), p.voronoi).norm();
        density += 0.5 * d.dot(p.stiffness.cwiseProduct(d)) / p.voronoi;
      }
      out.curvature.push_back(static_cast<float>(curvature));
      out.strain.push_back(static_cast<float>(strain));
      out.energy.push_back(static_cast<float>(density));
    }
  }
}

}  // namespace tendril
