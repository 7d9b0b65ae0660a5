// How linkages start: initial strains and joint coordinates, and what is amiss there: overlaps, joints that nothing holds.
#include <algorithm>
#include <utility>

#include "solve/dense_lu.h"
#include "links/model.h"

namespace tendril::links {
namespace {

/// Coordinates of a soft body that give `strain` best in the mean over its length.
void fitStrain(const scene::Scene& scene, const SoftSegment& soft, int component, const formula::Number& strain, bool whole, VectorX& q) {
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
      for (int c = 0; c < n; ++c) A(r, c) += value * p.values[static_cast<std::size_t>(columns[static_cast<std::size_t>(c)])];
    }
  }
  const VectorX x = solve::DenseLu(A, solve::DenseLu::Pivots::all).solve(b);
  for (int r = 0; r < n; ++r) q[soft.first + columns[static_cast<std::size_t>(r)]] = x[r];
}

}  // namespace

void Model::setInitial() {
  formula::Input in;
  in.parameters = scene_.values.data();
  for (const scene::Initial& initial : scene_.initial) {
    for (const scene::LinkRef& ref : initial.links) {
      if (ref.linkage != structure_->linkage) continue;
      const BuiltLink& built = structure_->at(ref);
      for (const int number : built.softs) {
        const SoftSegment& soft = structure_->builder.soft(number);
        for (int k = 0; k < 6; ++k) {
          const std::size_t c = static_cast<std::size_t>(k);
          if (initial.strain[c]) fitStrain(scene_, soft, k, *initial.strain[c], true, history_.q);
          if (initial.strainRate[c]) fitStrain(scene_, soft, k, *initial.strainRate[c], false, history_.v);
        }
      }
      VectorX value = VectorX::Zero(built.jointCount);
      for (int i = 0; i < built.jointCount; ++i) {
        const std::size_t c = static_cast<std::size_t>(i);
        if (c < initial.coordinate.size() && initial.coordinate[c]) value[i] = (*initial.coordinate[c])(in);
        if (c < initial.coordinateRate.size() && initial.coordinateRate[c]) {
          history_.v[built.jointFirst + i] = (*initial.coordinateRate[c])(in);
        }
      }
      if (value.isZero()) continue;
      if (!built.onGroup) {
        history_.q.segment(built.jointFirst, built.jointCount) = value;
        continue;
      }
      system_->chain().setOffset(built.joint[0], built.offset * motionOf(built.base * value));
    }
  }
}

// Contact parts what begins inside an obstacle over the first hundred steps, or before the first, if its way out is free.
void Model::tellOverlaps() {
  const bool slowly = scene_.solver.dynamic && !scene_.solver.startEquilibrium;
  for (const auto& [obstacle, depth] : contact_->deepestOverlaps()) {
    if (!(depth > 1e-6 * structure_->scale)) continue;
    remarks_.push_back({own_.pointer, "\"" + own_.name + "\" begins " + lengthInWords(depth) + " inside obstacle \"" +
                                          scene_.obstacles[obstacle].name +
                                          "\"; " + (slowly ? "over the first hundred steps " : "") +
                                          "contact pushes it out, as far as the way is free"});
  }
}

// By default contact of rigid links is as stiff as their mass asks for.
void Model::tellSoftness() {
  const std::vector<scene::Obstacle>& all = scene_.obstacles;
  const bool said = scene_.contact.stiffness || std::all_of(all.begin(), all.end(), [](const scene::Obstacle& o) { return o.stiffness.has_value(); });
  if (said || structure_->skin.groups.front().stiffness.back() > 0) return;
  remarks_.push_back({own_.pointer, "\"" + own_.name + "\" has no mass that contact could take its stiffness from, so obstacles do not push it: "
                                    "give \"contact\" a \"stiffness\""});
}

// A free coordinate without mass, stiffness or damping has no motion. Loads are left out: what turns without mass may
// feel their moments, but they do not tell how fast it turns.
void Model::refuseLoose() {
  constexpr int most = 400;
  if (system_->size() == 0 || system_->size() > most) return;
  const double dt = scene_.solver.dt;
  const VectorX zero = VectorX::Zero(system_->size());
  VectorX r;
  const solve::Rates rates{1 / dt, 1 / (dt * dt)};
  system_->weighClosures(rates);
  const std::vector<ChainForce*> forces = std::exchange(system_->forces, {});
  const std::vector<PointWrench> wrenches = std::exchange(system_->wrenches, {});
  const std::vector<Tendon> tendons = std::exchange(system_->tendons, {});
  const Vec3 gravity = std::exchange(system_->gravity, Vec3(Vec3::Zero()));
  system_->evaluate({history_.q, zero, zero}, rates, solve::Level::tangent, r);
  system_->forces = forces, system_->wrenches = wrenches, system_->tendons = tendons, system_->gravity = gravity;
  if (!r.allFinite() || !system_->tangent().allFinite()) {
    const std::string far = outOfScale(state_, history_.q);
    throw model::BuildError(own_.pointer, "what acts at the start is not finite: " +
                                (far.empty() ? "look for numbers out of all scale among masses, moduli, natural strains and "
                                               "initial values"
                                             : far));
  }
  std::string name = looseIn(state_, system_->tangent());
  const bool isExplicit = scene_.solver.linkageIntegrator == scene::Integrator::symplecticEuler ||
                          scene_.solver.linkageIntegrator == scene::Integrator::verlet;
  // A spring or a damper holds it, but explicit steps divide by its mass.
  const bool massless = name.empty() && isExplicit;
  if (massless) {
    Eigen::MatrixXd mass;
    system_->massMatrix(history_.q, mass);
    name = looseIn(state_, mass);
  }
  if (name.empty()) return;
  std::string pointer = own_.pointer;
  for (const scene::Link& link : own_.links) {
    if (name.find("\"" + own_.name + "/" + link.name + "\"") != std::string::npos) pointer = link.pointer;
  }
  if (massless) {
    throw model::BuildError(pointer, name +
                                " can move without moving any mass, and an explicit integrator divides by it: give what hangs "
                                "on it a mass, with \"inertia\" where it turns about itself, or take an implicit integrator "
                                "such as \"implicit-euler\"");
  }
  throw model::BuildError(pointer, name +
                              " can move without moving any mass, and has neither stiffness nor damping: give what "
                              "hangs on it a mass, with \"inertia\" where it turns about itself, give the joint "
                              "\"damping\", or take a joint without that motion");
}

}  // namespace tendril::links
