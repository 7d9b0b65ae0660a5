#include "links/start.h"

#include <algorithm>
#include <utility>

#include "links/words.h"
#include "solve/dense_lu.h"

namespace tendril::links {
namespace {

/// Coordinates of a soft body that give `strain` best in the mean over its length.
void fitStrain(const scene::Scene& scene, const SoftSegment& soft, int component, const formula::Number& strain,
               bool whole, VectorX& q) {
  std::vector<int> columns;
  for (std::size_t j = 0; j < soft.modes.size(); ++j) {
    if (soft.modes[j] == component) columns.push_back(static_cast<int>(j));
  }
  const int n = static_cast<int>(columns.size());
  if (n == 0) return;
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n, n);
  VectorX b = VectorX::Zero(n);
  for (std::size_t i = 0; i < soft.points.size(); ++i) {
    const TendonPoint& p = soft.points[i];
    formula::Input in;
    in.parameters = scene.values.data();
    in.u = soft.places[i], in.s = in.u * soft.body.length;
    const double wanted = strain(in) + (whole ? (component == 3 ? 1 : 0) - p.reference[component] : 0);
    for (int r = 0; r < n; ++r) {
      const double value = p.weight * p.values[static_cast<std::size_t>(columns[static_cast<std::size_t>(r)])];
      b[r] += value * wanted;
      for (int c = 0; c < n; ++c)
        A(r, c) += value * p.values[static_cast<std::size_t>(columns[static_cast<std::size_t>(c)])];
    }
  }
  const VectorX x = solve::DenseLu(A, solve::DenseLu::Pivots::all).solve(b);
  for (int r = 0; r < n; ++r) q[soft.first + columns[static_cast<std::size_t>(r)]] = x[r];
}

// Contact parts what begins inside an obstacle over the first hundred steps, or before the first, if its way out is
// free.
void remarkOverlaps(const State& state, std::vector<model::Remark>& remarks) {
  const bool slowly = state.scene.solver.dynamic && !state.scene.solver.startEquilibrium;
  for (const auto& [obstacle, depth] : state.contact->deepestOverlaps()) {
    if (!(depth > 1e-6 * state.structure->scale)) continue;
    remarks.push_back({state.own.pointer, "\"" + state.own.name + "\" begins " + lengthInWords(depth) +
                                              " inside obstacle \"" + state.scene.obstacles[obstacle].name + "\"; " +
                                              (slowly ? "over the first hundred steps " : "") +
                                              "contact pushes it out, as far as the way is free"});
  }
}

// By default contact of rigid links is as stiff as their mass asks for.
void remarkSoftness(const State& state, std::vector<model::Remark>& remarks) {
  const std::vector<scene::Obstacle>& all = state.scene.obstacles;
  const bool said = state.scene.contact.stiffness || std::all_of(all.begin(), all.end(), [](const scene::Obstacle& o) {
                      return o.stiffness.has_value();
                    });
  if (said || state.structure->skin.groups.front().stiffness.back() > 0) return;
  remarks.push_back(
      {state.own.pointer, "\"" + state.own.name +
                              "\" has no mass that contact could take its stiffness from, so obstacles do not push it: "
                              "give \"contact\" a \"stiffness\""});
}

// What resists motion at the start, without loads, for steps of dt.
const Eigen::MatrixXd& tangentOfMotion(const State& state) {
  const double dt = state.scene.solver.dt;
  const VectorX zero = VectorX::Zero(state.system->size());
  VectorX r;
  const solve::Rates rates{1 / dt, 1 / (dt * dt)};
  state.system->weighClosures(rates);
  const std::vector<ChainForce*> forces = std::exchange(state.system->forces, {});
  const std::vector<PointWrench> wrenches = std::exchange(state.system->wrenches, {});
  const std::vector<Tendon> tendons = std::exchange(state.system->tendons, {});
  const Vec3 gravity = std::exchange(state.system->gravity, Vec3(Vec3::Zero()));
  state.system->evaluate({state.history.q, zero, zero}, rates, solve::Level::tangent, r);
  state.system->forces = forces, state.system->wrenches = wrenches, state.system->tendons = tendons,
  state.system->gravity = gravity;
  if (!r.allFinite() || !state.system->tangent().allFinite()) {
    const std::string far = outOfScale(state, state.history.q);
    throw model::BuildError(
        state.own.pointer,
        "what acts at the start is not finite: " +
            (far.empty() ? "look for numbers out of all scale among masses, moduli, natural strains and "
                           "initial values"
                         : far));
  }
  return state.system->tangent();
}

}  // namespace

void setInitial(State& state) {
  formula::Input in;
  in.parameters = state.scene.values.data();
  for (const scene::Initial& initial : state.scene.initial) {
    for (const scene::LinkRef& ref : initial.links) {
      if (ref.linkage != state.structure->linkage) continue;
      const BuiltLink& built = state.structure->at(ref);
      for (const int number : built.softs) {
        const SoftSegment& soft = state.structure->builder.soft(number);
        for (int k = 0; k < 6; ++k) {
          const std::size_t c = static_cast<std::size_t>(k);
          if (initial.strain[c]) fitStrain(state.scene, soft, k, *initial.strain[c], true, state.history.q);
          if (initial.strainRate[c]) fitStrain(state.scene, soft, k, *initial.strainRate[c], false, state.history.v);
        }
      }
      VectorX value = VectorX::Zero(built.jointCount);
      for (int i = 0; i < built.jointCount; ++i) {
        const std::size_t c = static_cast<std::size_t>(i);
        if (c < initial.coordinate.size() && initial.coordinate[c]) value[i] = (*initial.coordinate[c])(in);
        if (c < initial.coordinateRate.size() && initial.coordinateRate[c]) {
          state.history.v[built.jointFirst + i] = (*initial.coordinateRate[c])(in);
        }
      }
      if (value.isZero()) continue;
      if (!built.onGroup) {
        state.history.q.segment(built.jointFirst, built.jointCount) = value;
        continue;
      }
      state.system->chain().setOffset(built.joint[0], built.offset * motionOf(built.base * value));
    }
  }
}

void remarkContact(const State& state, std::vector<model::Remark>& remarks) {
  remarkOverlaps(state, remarks);
  remarkSoftness(state, remarks);
}

void refuseLoose(const State& state) {
  constexpr int most = 400;
  if (state.system->size() == 0 || state.system->size() > most) return;
  std::string name = looseIn(state, tangentOfMotion(state));
  const bool isExplicit = state.scene.solver.linkageIntegrator == scene::Integrator::symplecticEuler ||
                          state.scene.solver.linkageIntegrator == scene::Integrator::verlet;
  // A spring or a damper holds it, but explicit steps divide by its mass.
  const bool massless = name.empty() && isExplicit;
  if (massless) {
    Eigen::MatrixXd mass;
    state.system->massMatrix(state.history.q, mass);
    name = looseIn(state, mass);
  }
  if (name.empty()) return;
  std::string pointer = state.own.pointer;
  for (const scene::Link& link : state.own.links) {
    if (name.find("\"" + state.own.name + "/" + link.name + "\"") != std::string::npos) pointer = link.pointer;
  }
  if (massless) {
    throw model::BuildError(
        pointer, name +
                     " can move without moving any mass, and an explicit integrator divides by it: give what hangs "
                     "on it a mass, with \"inertia\" where it turns about itself, or take an implicit integrator "
                     "such as \"implicit-euler\"");
  }
  throw model::BuildError(pointer,
                          name +
                              " can move without moving any mass, and has neither stiffness nor damping: give what "
                              "hangs on it a mass, with \"inertia\" where it turns about itself, give the joint "
                              "\"damping\", or take a joint without that motion");
}

}  // namespace tendril::links
