#include "simulation/meanings.h"

#include <algorithm>
#include <utility>

#include "formula/formula.h"

namespace tendril {

namespace {

using Kind = scene::Probe::Kind;

struct Meaning {
  const char *unit, *quantity;
};

/// Of the `k`-th coordinate of the joint that a probe measures.
Meaning ofJoint(const scene::Scene& scene, const scene::Probe& probe, int k) {
  const bool effort = probe.kind == Kind::jointEffort;
  const scene::LinkRef& link = probe.places.front();
  const scene::LinkJoint& joint =
      scene.linkages[static_cast<std::size_t>(link.linkage)].links[static_cast<std::size_t>(link.link)].joint;
  const bool turns = joint.coordinates[static_cast<std::size_t>(k)].rotation;
  if (turns) return effort ? Meaning{"N m", "torque"} : Meaning{"rad", "angle"};
  return effort ? Meaning{"N", "force"} : Meaning{"m", "displacement"};
}

/// Of the `k`-th column of a probe.
Meaning meaningOf(const scene::Scene& scene, const scene::Probe& probe, int k) {
  switch (probe.kind) {
    case Kind::position:
      return {"m", "position"};
    case Kind::velocity:
      return {"m/s", "velocity"};
    case Kind::speed:
      return {"m/s", "speed"};
    case Kind::tangent:
      return {"1", "direction"};
    case Kind::reaction:
      return {"N", "force"};
    case Kind::reactionMoment:
    case Kind::moment:
      return {"N m", "moment"};
    case Kind::curvature:
      return {"1/m", "curvature"};
    case Kind::pose:
      return k < 3 ? Meaning{"m", "position"} : Meaning{"1", "rotation"};
    case Kind::twist:
      return {"rad/m", "twist"};
    case Kind::stretch:
      return {"1", "stretch"};
    case Kind::tension:
      return {"N", "tension"};
    case Kind::length:
      return {"m", "length"};
    case Kind::formula:
      return {"", ""};
    case Kind::energy:
      return {"J", "energy"};
    case Kind::distance:
      return {"m", "distance"};
    case Kind::angle:
      return {"rad", "angle"};
    case Kind::contact:
      if (probe.contact == scene::ContactKind::force) return {"N", "contact force"};
      return probe.contact == scene::ContactKind::pairs ? Meaning{"1", "contacts"} : Meaning{"m", "penetration"};
    case Kind::jointAngle:
    case Kind::jointEffort:
      return ofJoint(scene, probe, k);
    case Kind::cable:
      return {"m", "length"};
    case Kind::cableRate:
      return {"m/s", "rate of length"};
    case Kind::strain:
      return {k < 3 ? "rad/m" : "1", "strain"};
    case Kind::growthForce:
      return {"N", "force"};
  }
  return {"", ""};
}

}  // namespace

std::vector<ColumnInfo> columnInfo(const scene::Scene& scene) {
  std::vector<ColumnInfo> out;
  int number = 0;
  for (const scene::Probe& probe : scene.probes) {
    for (int k = 0; k < probe.columnCount; ++k) {
      const Meaning meaning = meaningOf(scene, probe, k);
      ColumnInfo info;
      info.name = scene.columns[static_cast<std::size_t>(probe.firstColumn + k)];
      info.unit = *meaning.unit ? meaning.unit : probe.caption.unit;
      info.quantity = meaning.quantity;
      if (probe.kind == Kind::energy && probe.bodies.empty()) info.energy = std::string(nameOf(probe.energy));
      info.label = probe.caption.label, info.hidden = probe.caption.hidden;
      info.probe = number;
      out.push_back(std::move(info));
    }
    ++number;
  }
  for (const scene::State& state : scene.states)
    out.push_back({state.name, state.caption.unit, "", "", state.caption.label, state.caption.hidden, number++});
  return out;
}

Followed followed(const scene::Scene& scene, const Drawing& drawing) {
  const scene::Follow& follow = scene.follow;
  Followed out;
  out.nodes = follow.nodes;
  for (std::size_t i = 0; i < drawing.parts.size(); ++i) {
    const DrawingPart& part = drawing.parts[i];
    if (part.body == follow.body && (follow.link < 0 || part.link == follow.link))
      out.parts.push_back(static_cast<int>(i));
  }
  return out;
}

bool mayTouch(const scene::Scene& scene) { return !scene.obstacles.empty() || scene.contact.self; }

std::array<double, 2> tensionSpan(const scene::Scene& scene) {
  constexpr int times = 16;  // instants of the run at which a tension is asked for
  std::array<double, 2> span = {0, 0};
  std::vector<double> values = scene.values;
  const std::vector<double> columns(scene.columns.size() + scene.states.size());
  formula::Input in;
  in.parameters = values.data(), in.columns = columns.data();
  const auto take = [&](const formula::Number& tension) {
    for (int k = 0; k <= times; ++k) {
      in.t = scene.solver.duration * k / times;
      try {
        const double value = tension(in);
        span = {std::min(span[0], value), std::max(span[1], value)};
      } catch (const formula::Failure&) {  // has no value there
      }
    }
  };
  const auto set = [&](std::size_t p, double value) {
    std::copy(scene.values.begin(), scene.values.end(), values.begin());
    values[p] = value;
    for (const int k : scene.derivedOrder)
      values[static_cast<std::size_t>(k)] = scene.derived[static_cast<std::size_t>(k)](in);
  };
  for (const scene::Linkage& linkage : scene.linkages) {
    for (const scene::Cable& cable : linkage.cables) {
      if (!cable.tension.isFormula()) continue;
      const std::vector<int>& used = cable.tension.formula()->parametersUsed();
      for (std::size_t p = 0; p < scene.parameters.size(); ++p) {
        const scene::Parameter& parameter = scene.parameters[p];
        if (parameter.derived || !parameter.min || !parameter.max) continue;
        bool seen = false;
        for (const double end : {*parameter.min, *parameter.max}) {
          try {
            set(p, end);
          } catch (const formula::Failure&) {
            continue;  // a formula of the parameter has no value there
          }
          const bool changes = std::any_of(used.begin(), used.end(), [&](int k) {
            return values[static_cast<std::size_t>(k)] != scene.values[static_cast<std::size_t>(k)];
          });
          if (changes) take(cable.tension);
          seen |= changes;
        }
        set(p, scene.values[p]);
        if (seen) take(cable.tension);
      }
    }
  }
  return span;
}

}  // namespace tendril
