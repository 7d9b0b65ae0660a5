// Closing joints and cables of linkages as parts of the chain.
#include <algorithm>
#include <cmath>

#include "links/structure.h"

namespace tendril::links {
namespace {

using Path = Builder::Path;

/// Place of a cable in the section at arc length s of its way, `length` [m] long.
Vec3 cableOffset(const scene::Scene& scene, const scene::Cable& cable, double s, double length) {
  formula::Input in;
  in.parameters = scene.values.data();
  in.s = s, in.u = s / length;
  switch (cable.path) {
    case scene::Cable::Path::constant:
      return {0, cable.from[0](in), cable.from[1](in)};
    case scene::Cable::Path::oblique:
      return {0, cable.from[0](in) + in.u * (cable.to[0](in) - cable.from[0](in)),
              cable.from[1](in) + in.u * (cable.to[1](in) - cable.from[1](in))};
    case scene::Cable::Path::helical: {
      const double angle = cable.phase(in) + 2 * pi * s / cable.pitch(in), r = cable.radius(in);
      return {0, r * std::cos(angle), r * std::sin(angle)};
    }
    case scene::Cable::Path::custom:
      break;
  }
  return {0, cable.y(in), cable.z(in)};
}

/// With its slope, by differences of order four within the way.
Path cablePath(const scene::Scene& scene, const scene::Cable& cable, double s, double length) {
  const double room = std::min(s, length - s), h = std::min(2e-4 * length, 0.5 * room);
  const auto d = [&](double x) { return cableOffset(scene, cable, s + x, length); };
  Path out{d(0), Vec3::Zero()};
  if (h > 0) out.slope = (8 * (d(h) - d(-h)) - (d(2 * h) - d(-2 * h))) / (12 * h);
  return out;
}

/// Where a tendon leaves or enters the frame at the end of a step.
struct TendonEnd {
  int step;
  Vec3 at;
};

/// The step farther in, from this one on, that has coordinates; `pose` is then seen from its end.
int rootOf(const Builder& builder, int step, geometry::Pose& pose) {
  for (; step >= 0 && builder.step(step).coordinates() == 0; step = builder.step(step).parent) {
    pose = builder.step(step).offset * pose;
  }
  return step;
}

/// A stretch between two points of frames: constant where only rigid bodies and fixed joints lie between them.
void addSpan(const Builder& builder, const TendonEnd& from, const TendonEnd& to, bool straight, double length,
             Structure::Wire& wire) {
  geometry::Pose a{Mat3::Identity(), from.at}, b{Mat3::Identity(), to.at};
  if (rootOf(builder, from.step, a) == rootOf(builder, to.step, b)) {
    wire.rigid += (b.r - a.r).norm();
  } else {
    wire.tendon.spans.push_back({from.step, to.step, from.at, to.at, straight, 1e-4 * length});
  }
}

/// Sections that touch where the joints between them are at zero are passed through; others are joined straight.
bool areApart(const Builder& builder, const TendonEnd& from, const TendonEnd& to, double length) {
  geometry::Pose pose{Mat3::Identity(), to.at};
  int step = to.step;
  for (; step >= 0 && step != from.step; step = builder.step(step).parent) {
    if (builder.step(step).order > 0) return true;
    pose = builder.step(step).offset * pose;
  }
  return step < 0 || (pose.r - from.at).norm() > 1e-6 * length;
}

}  // namespace

void Structure::addLoops(const scene::Scene& scene) {
  const scene::Linkage& owner = scene.linkages[static_cast<std::size_t>(linkage)];
  int ground = -1;
  const auto frameOf = [&](int link, double at, const geometry::Pose& offset) {
    int step = -1;
    if (link < 0) {
      if (ground < 0) ground = builder.addFixed(-1, {owner.rotation, owner.position});
      step = ground;
    } else {
      step = stepAt(scene, {linkage, link, at});
    }
    const bool moved = !offset.r.isZero() || !offset.R.isIdentity();
    return moved ? builder.addFixed(step, offset) : step;
  };
  for (std::size_t i = 0; i < owner.loops.size(); ++i) {
    const scene::LinkLoop& loop = owner.loops[i];
    Loop built;
    built.index = static_cast<int>(i);
    built.a = frameOf(loop.from, loop.fromAt, {loop.offsetRotation, loop.offset});
    built.b = frameOf(loop.to, loop.toAt, {});
    scene::LinkJoint::Kind kind = loop.joint.kind;
    if (kind == scene::LinkJoint::Kind::helical) {
      // A screw of its own carries the frame that is then held fast.
      Columns screw = Columns::Zero(6, 1);
      screw(loop.joint.axis, 0) = 1, screw(3 + loop.joint.axis, 0) = loop.joint.pitch;
      built.a = built.screw = builder.addJoint(built.a, {}, screw);
      kind = scene::LinkJoint::Kind::fixed;
    }
    for (ClosureRow row : closureRows(kind, loop.joint.axis, built.a, built.b, scale)) {
      row.loop = static_cast<int>(loops.size());
      closures.push_back(row);
    }
    loops.push_back(built);
  }
}

void Structure::addCable(const scene::Scene& scene, int number) {
  const scene::Linkage& owner = scene.linkages[static_cast<std::size_t>(linkage)];
  const scene::Cable& cable = owner.cables[static_cast<std::size_t>(number)];
  Wire wire;
  wire.cable = number;
  double length = 0, s = 0;
  for (std::size_t i = 0; i < cable.links.size(); ++i)
    length += cable.lengthIn(i, owner.links[static_cast<std::size_t>(cable.links[i])]);
  const auto draw = [&](int link, double at, const Vec3& offset) {
    wire.way.push_back(place(scene, {linkage, link, at}));
    wire.points.push_back(offset);
  };
  TendonEnd end{-1, Vec3::Zero()};
  for (std::size_t n = 0; n < cable.links.size(); ++n) {
    const int l = cable.links[n];
    const BuiltLink& built = links[static_cast<std::size_t>(l)];
    const scene::Link& link = owner.links[static_cast<std::size_t>(l)];
    const double own = cable.lengthIn(n, link), whole = link.length();
    const auto [first, past] = cable.divisionsOf(n, link);
    const bool all = first == 0 && past == built.softs.size();
    const double before = first > 0 ? built.starts[first] : 0;
    const TendonEnd start{first > 0 ? builder.tipOf(built.softs[first - 1]) : built.start(),
                          cableOffset(scene, cable, s, length)};
    if (end.step >= 0) addSpan(builder, end, start, areApart(builder, end, start, length), length, wire);
    end = {past < built.softs.size() ? builder.tipOf(built.softs[past - 1]) : built.tip,
           cableOffset(scene, cable, s + own, length)};
    const auto along = [&](double x) { return all ? x : (before + x * own) / whole; };
    if (cable.outside || link.rigid) {
      addSpan(builder, start, end, cable.outside, length, wire);
      draw(l, along(0), start.at), draw(l, along(1), end.at);
    } else {
      for (std::size_t k = first; k < past; ++k) {
        const double from = s + built.starts[k] - before;
        const Tendon inside =
            builder.tendon({built.softs[k]}, [&](double x) { return cablePath(scene, cable, from + x, length); });
        wire.tendon.points.insert(wire.tendon.points.end(), inside.points.begin(), inside.points.end());
      }
      const int parts = cable.path == scene::Cable::Path::helical ? 96 : 24;
      for (int i = 0; i <= parts; ++i) {
        const double x = static_cast<double>(i) / parts;
        draw(l, along(x), cableOffset(scene, cable, s + x * own, length));
      }
    }
    s += own;
  }
  wires.push_back(std::move(wire));
}

}  // namespace tendril::links
