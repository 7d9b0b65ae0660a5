// What is drawn of rods and shells: outline once, positions and fields per moment.
#include <algorithm>
#include <cmath>
#include <limits>

#include "elastic/spring_kinds.h"
#include "elastic/stretch.h"
#include "rods_shells/observe.h"
#include "rods_shells/shell_fields.h"
#include "scene/shell_values.h"

namespace tendril::rods_shells {
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

Vec3 directionOf(const scene::Scene& scene, const scene::Number3& value) {
  formula::Input in;
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
  } catch (const formula::Failure&) {
    return Vec3::Zero();
  }
}

// Along the shell's initial normal at a vertex where the pressure is positive at some time.
Vec3 pressureDirection(const scene::Scene& scene, const scene::Load& load, scene::NodeRef ref) {
  const scene::Shell& shell = scene.shellOf(ref.body);
  Vec3 normal = Vec3::Zero();
  for (const auto& t : shell.triangles) {
    if (t[0] != ref.node && t[1] != ref.node && t[2] != ref.node) continue;
    const Vec3& a = shell.points[t[0]];
    normal += (shell.points[t[1]] - a).cross(shell.points[t[2]] - a);
  }
  const scene::Number3 sense = {load.pressure, formula::Number(0.0), formula::Number(0.0)};
  return directionOf(scene, sense).x() < 0 ? Vec3(-normal) : normal;
}

// The few of a load's nodes that get an arrow: evenly along rods, far apart on shells.
std::vector<scene::NodeRef> fewOf(const scene::Scene& scene, const std::vector<scene::NodeRef>& nodes) {
  const std::size_t most = scene.isRod(nodes[0].body) ? 8 : 24;
  if (nodes.size() <= most) return nodes;
  std::vector<scene::NodeRef> few;
  if (scene.isRod(nodes[0].body)) {
    for (std::size_t i = 0; i < nodes.size(); i += nodes.size() / most) few.push_back(nodes[i]);
    return few;
  }
  const auto place = [&](scene::NodeRef ref) { return scene.points(ref.body)[ref.node]; };
  std::vector<double> gaps(nodes.size(), std::numeric_limits<double>::infinity());
  std::size_t next = 0;
  while (few.size() < most) {
    few.push_back(nodes[next]);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      gaps[i] = std::min(gaps[i], (place(nodes[i]) - place(few.back())).squaredNorm());
    }
    next = static_cast<std::size_t>(std::max_element(gaps.begin(), gaps.end()) - gaps.begin());
  }
  return few;
}

void addMarks(Drawing& drawing, const System& system, const scene::Scene& scene, const std::vector<int>& firstPoint) {
  const Structure& s = system.structure();
  const auto point = [&](scene::NodeRef ref) { return firstPoint[ref.body] + ref.node; };
  // A selection of many nodes gets a few symbols, not hundreds.
  const auto stride = [](std::size_t n) { return std::max<std::size_t>(1, n / 24); };
  const auto tangent = [&](scene::NodeRef ref) {
    return scene.isRod(ref.body) ? scene.rods[ref.body].nodeTangents[ref.node] : Vec3(Vec3::Zero());
  };
  for (const scene::Constraint& c : scene.constraints) {
    const char* kind = c.kind == scene::Constraint::Kind::clamp  ? "clamp"
                       : c.kind == scene::Constraint::Kind::fix  ? "fix"
                       : c.kind == scene::Constraint::Kind::move ? "move"
                                                                 : "turn";
    if (c.kind == scene::Constraint::Kind::planar) continue;
    for (std::size_t i = 0; i < c.nodes.size(); i += stride(c.nodes.size())) {
      addMark(drawing, kind, point(c.nodes[i]), tangent(c.nodes[i]));
    }
    for (const scene::EdgeRef& ref : c.edges)
      addMark(drawing, kind, point({ref.rod, ref.edge}), s.edges[s.edge(ref)].initial);
  }
  for (const scene::Joint& j : scene.joints) addMark(drawing, j.weld ? "weld" : "pin", point(j.nodes[0]));
  for (const scene::Load& l : scene.loads) {
    const char* kind = l.kind == scene::Load::Kind::force               ? "force"
                       : l.kind == scene::Load::Kind::follower          ? "follower"
                       : l.kind == scene::Load::Kind::moment            ? "moment"
                       : l.kind == scene::Load::Kind::line              ? "line"
                       : l.kind == scene::Load::Kind::pressure          ? "pressure"
                       : l.field.kind == scene::LoadField::Kind::moment ? "moment"
                       : l.kind == scene::Load::Kind::field             ? "force"
                                                                        : "mass";
    const bool plain = l.kind == scene::Load::Kind::mass || l.kind == scene::Load::Kind::pressure ||
                       l.kind == scene::Load::Kind::field;
    const Vec3 d = plain ? Vec3(Vec3::Zero()) : directionOf(scene, l.value);
    if (l.nodes.empty()) continue;
    for (const scene::NodeRef node : fewOf(scene, l.nodes)) {
      Vec3 world = d;
      if (l.kind == scene::Load::Kind::pressure) world = pressureDirection(scene, l, node);
      if (l.kind == scene::Load::Kind::follower) {
        const Edge& e = s.edges[s.edgeAt(node)];
        const Vec3 t = e.initial / e.length;
        world = d[0] * e.d1 + d[1] * t.cross(e.d1) + d[2] * t;
      }
      addMark(drawing, kind, point(node), world);
    }
  }
}

// As lines from place to place.
void addSprings(Drawing& drawing, const scene::Scene& scene) {
  int point = 0;
  for (const scene::Spring& spring : scene.springs) {
    DrawingTendon line;
    line.name = spring.name;
    line.firstPoint = point, line.pointCount = static_cast<int>(spring.nodes.size());
    line.outside = true;
    line.color = spring.look.color, line.label = spring.look.label, line.hidden = spring.look.hidden;
    // What turns has no tension, whose colors it could have.
    if (elastic::springKinds()[static_cast<std::size_t>(spring.kind)].period > 0) {
      line.unit = "N m";
      if (line.color.empty()) line.color = "#808080";
    }
    point += line.pointCount;
    drawing.tendons.push_back(std::move(line));
  }
}

void snapshotSprings(const System& system, const scene::Scene& scene, const VectorX& q, Snapshot& out) {
  const Structure& s = system.structure();
  out.tendons.clear(), out.tensions.clear();
  for (std::size_t i = 0; i < scene.springs.size(); ++i) {
    for (const scene::NodeRef& ref : scene.springs[i].nodes) {
      const Vec3 x = s.nodes[s.node(ref)] + q.segment<3>(s.nodeDof[s.node(ref)]);
      for (int k = 0; k < 3; ++k) out.tendons.push_back(static_cast<float>(x[k]));
    }
    out.tensions.push_back(static_cast<float>(system.elasticity().connectors().stress(static_cast<int>(i), q)));
  }
}

void addRod(Drawing& drawing, const Structure& s, int rod, int firstPoint, int n) {
  for (int i = 0; i < n; ++i) {
    const scene::SectionGeometry& before = s.edges[s.rodFirstEdge[rod] + std::max(0, i - 1)].section;
    const scene::SectionGeometry& after = s.edges[s.rodFirstEdge[rod] + std::min(n - 2, i)].section;
    drawing.halfAxes.push_back(static_cast<float>(0.5 * (before.halfAxis1 + after.halfAxis1)));
    drawing.halfAxes.push_back(static_cast<float>(0.5 * (before.halfAxis2 + after.halfAxis2)));
    drawing.round.push_back(after.round ? 1 : 0);
    if (i + 1 < n) {
      drawing.segments.push_back(static_cast<std::uint32_t>(firstPoint + i));
      drawing.segments.push_back(static_cast<std::uint32_t>(firstPoint + i + 1));
    }
  }
}

void addShell(Drawing& drawing, const scene::Scene& scene, const scene::Shell& shell, int firstPoint) {
  for (const double thickness : scene::thicknessAtVertices(scene, shell))
    drawing.halfAxes.insert(drawing.halfAxes.end(), 2, static_cast<float>(0.5 * thickness));
  drawing.round.insert(drawing.round.end(), shell.points.size(), 0);
  for (const auto& triangle : shell.triangles) {
    for (int corner : triangle) drawing.triangles.push_back(static_cast<std::uint32_t>(firstPoint + corner));
  }
}

void addPoint(Snapshot& out, const Vec3& x, const Vec3& director) {
  for (int k = 0; k < 3; ++k) {
    out.positions.push_back(static_cast<float>(x[k]));
    out.directors.push_back(static_cast<float>(director[k]));
  }
}

void snapshotRod(const Structure& s, const std::vector<elastic::EdgeFrame>& frames, const ObservedState& state, int rod,
                 Snapshot& out) {
  const int n = static_cast<int>(s.bodyNodes[rod].size());
  for (int i = 0; i < n; ++i) {
    const scene::NodeRef ref{rod, i};
    const int node = s.node(ref);
    addPoint(out, s.nodes[node] + state.q->segment<3>(s.nodeDof[node]), nodeFrame(s, frames, ref).m1);
    const int eb = s.rodFirstEdge[rod] + std::max(0, i - 1), ea = s.rodFirstEdge[rod] + std::min(n - 2, i);
    const auto& stretch = state.strains.stretch;
    double density = 0.5 * (s.edges[eb].EA * elastic::UnitStretch::energy(stretch[eb]) +
                            s.edges[ea].EA * elastic::UnitStretch::energy(stretch[ea]));
    double curvature = 0;
    const int spring = springAt(s, ref);
    if (spring >= 0) {
      const Spring& p = s.springs[spring];
      const Vec3 d = state.strains.bend[spring] - p.natural;
      curvature = continuousCurvature(state.strains.bend[spring].head<2>(), p.voronoi).norm();
      density += p.law().energy(d) / p.voronoi;
    }
    out.curvature.push_back(static_cast<float>(curvature));
    out.strain.push_back(static_cast<float>(0.5 * (stretch[eb] + stretch[ea])));
    out.energy.push_back(static_cast<float>(density));
  }
}

void snapshotShell(System& system, const ObservedState& state, int body, int shell, Snapshot& out) {
  const Structure& s = system.structure();
  const std::vector<int>& nodes = s.bodyNodes[body];
  ShellFields fields;
  shellFields(s, system.elasticity().shells(), *state.q, state.strains.shell, shell, nodes, fields);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    addPoint(out, s.nodes[nodes[i]] + state.q->segment<3>(s.nodeDof[nodes[i]]), fields.normal[i]);
    out.curvature.push_back(static_cast<float>(fields.curvature[i]));
    out.strain.push_back(static_cast<float>(fields.strain[i]));
    out.energy.push_back(static_cast<float>(fields.energy[i]));
  }
}

}  // namespace

Drawing drawBodies(const System& system, const scene::Scene& scene) {
  const Structure& s = system.structure();
  Drawing drawing;
  std::vector<int> firstPoint;
  int points = 0;
  for (int body = 0; body < scene.bodyCount(); ++body) {
    const int n = static_cast<int>(scene.points(body).size());
    const bool rod = scene.isRod(body);
    const scene::Look& look = rod ? scene.rods[body].look : scene.shellOf(body).look;
    firstPoint.push_back(points);
    drawing.parts.push_back({scene.bodyName(body), rod ? "rod" : "shell", points, n, look.color, look.label,
                             look.opacity.value_or(1), look.hidden});
    drawing.parts.back().body = body;
    if (rod) {
      addRod(drawing, s, body, points, n);
    } else {
      addShell(drawing, scene, scene.shellOf(body), points);
    }
    points += n;
  }
  addMarks(drawing, system, scene, firstPoint);
  addSprings(drawing, scene);
  return drawing;
}

void snapshotBodies(System& system, const scene::Scene& scene, const ObservedState& state, Snapshot& out) {
  out.positions.clear(), out.directors.clear();
  out.curvature.clear(), out.strain.clear(), out.energy.clear();
  const auto& frames = system.elasticity().edgeFrames(*state.q);
  for (int body = 0; body < scene.bodyCount(); ++body) {
    if (scene.isRod(body)) {
      snapshotRod(system.structure(), frames, state, body, out);
    } else {
      snapshotShell(system, state, body, body - static_cast<int>(scene.rods.size()), out);
    }
  }
  snapshotSprings(system, scene, *state.q, out);
}

}  // namespace tendril::rods_shells
