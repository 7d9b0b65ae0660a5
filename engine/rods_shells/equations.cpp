// The equations of motion of rods and shells about the accepted state, and states near it.
#include "model/equations.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/frames.h"
#include "rods_shells/model.h"
#include "rods_shells/observe.h"
#include "scene/place.h"

namespace tendril::rods_shells {
namespace {

using model::NoEquations;

// The first of an unknown's bodies that is found names it.
std::vector<std::string> namesOf(const Structure& s, const scene::Scene& scene) {
  std::vector<std::string> names(static_cast<std::size_t>(s.size));
  const auto name = [&](int unknown, std::string words) {
    std::string& at = names[static_cast<std::size_t>(unknown)];
    if (at.empty()) at = std::move(words);
  };
  constexpr const char* axes[] = {".x", ".y", ".z"};
  const int rods = static_cast<int>(scene.rods.size());
  const auto bodyName = [&](int body) {
    return body < rods ? scene.rods[static_cast<std::size_t>(body)].name
                       : scene.shells[static_cast<std::size_t>(body - rods)].name;
  };
  for (std::size_t b = 0; b < s.bodyNodes.size(); ++b) {
    for (std::size_t i = 0; i < s.bodyNodes[b].size(); ++i) {
      const int d = s.nodeDof[static_cast<std::size_t>(s.bodyNodes[b][i])];
      for (int k = 0; k < 3; ++k) name(d + k, bodyName(static_cast<int>(b)) + ":" + std::to_string(i) + axes[k]);
    }
  }
  for (const Edge& e : s.edges) name(e.theta, bodyName(e.rod) + ":" + std::to_string(e.index) + ".twist");
  for (std::size_t i = 0; i < s.welds.size(); ++i) {
    for (int k = 0; k < 3; ++k) name(s.welds[i].turn + k, "weld " + std::to_string(i) + " turn" + axes[k]);
  }
  for (std::size_t i = 0; i < s.shell.edges.size(); ++i) {
    if (s.shell.edges[i].psi >= 0) name(s.shell.edges[i].psi, "edge " + std::to_string(i) + ".normal");
  }
  return names;
}

/// Where nodes began; unknowns count from there. Zero for angles.
VectorX originOf(const Structure& s) {
  VectorX out = VectorX::Zero(s.size);
  for (std::size_t i = 0; i < s.nodeDof.size(); ++i) out.segment<3>(s.nodeDof[i]) = s.nodes[i];
  return out;
}

// Per unknown: whether it is a length, and else an angle.
std::vector<char> lengthsOf(const Structure& s) {
  std::vector<char> out(static_cast<std::size_t>(s.size), 0);
  for (const int d : s.nodeDof) {
    for (int k = 0; k < 3; ++k) out[static_cast<std::size_t>(d + k)] = 1;
  }
  return out;
}

}  // namespace

// Strains change at a rate along the velocity: what they change by in `dt` lies between the references and now, where a
// rate of 1 / dt measures it. Differences of order two, over a way on which nothing of a part turns or stretches by
// more than their step; part by part, so that no other body has a say in it.
void Model::referAt(const VectorX& v, double dt) {
  Elasticity& elasticity = system_->elasticity();
  Strains& references = elasticity.references();
  references = observed(false).strains;
  if (v.isZero(0)) return;
  const Structure& s = system_->structure();
  const VectorX place = originOf(s) + history_.q;
  const solve::Partition& parts = system_->parts();
  const auto count = static_cast<std::size_t>(parts.count());
  std::vector<int> partOf(static_cast<std::size_t>(s.size), -1);
  for (std::size_t p = 0; p < count; ++p) {
    for (const int i : parts.unknowns[p]) partOf[static_cast<std::size_t>(i)] = static_cast<int>(p);
  }
  const std::vector<char> isLength = lengthsOf(s);
  std::vector<double> shortest(count, s.extent);
  for (const std::vector<int>& nodes : s.bodyNodes) {
    for (std::size_t i = 1; i < nodes.size(); ++i) {
      const int a = s.nodeDof[static_cast<std::size_t>(nodes[i - 1])],
                b = s.nodeDof[static_cast<std::size_t>(nodes[i])];
      const double length = (place.segment<3>(b) - place.segment<3>(a)).norm();
      const int p = partOf[static_cast<std::size_t>(a)];
      if (length > 0 && p >= 0)
        shortest[static_cast<std::size_t>(p)] = std::min(shortest[static_cast<std::size_t>(p)], length);
    }
  }
  const double step = std::cbrt(std::numeric_limits<double>::epsilon());
  Strains more = references, less = references;
  for (std::size_t p = 0; p < count; ++p) {
    VectorX way = VectorX::Zero(s.size);
    double fastest = 0;
    for (const int i : parts.unknowns[p]) {
      way[i] = v[i];
      fastest = std::max(fastest, std::abs(v[i]) / (isLength[static_cast<std::size_t>(i)] ? shortest[p] : 1));
    }
    if (!(fastest > 0)) continue;
    const double h = step / fastest;
    elasticity.strains(history_.q + h * way, more), elasticity.strains(history_.q - h * way, less);
    forEachList(
        [&](auto& reference, const auto& after, const auto& before) {
          for (std::size_t i = 0; i < reference.size(); ++i) reference[i] -= dt * ((after[i] - before[i]) / (2 * h));
        },
        references, more, less);
  }
  standAtAccepted();
}

std::vector<int> Model::freeUnknowns() const {
  const std::vector<char>& held = system_->supports().prescribed();
  std::vector<int> out;
  for (int i = 0; i < system_->size(); ++i) {
    if (!held[static_cast<std::size_t>(i)]) out.push_back(i);
  }
  return out;
}

void Model::equations(model::Equations& out) {
  const Structure& s = system_->structure();
  system_->keepEnergy(history_.q, 0, history_.q);
  standAtAccepted();
  system_->beginContact(history_.q);
  if (system_->elasticity().damped()) system_->elasticity().references() = observed(false).strains;
  const std::vector<int> free = freeUnknowns();
  const int n = static_cast<int>(free.size());
  std::vector<int> place(static_cast<std::size_t>(s.size), -1);
  for (int k = 0; k < n; ++k) place[static_cast<std::size_t>(free[static_cast<std::size_t>(k)])] = k;

  // Names and units
  const std::vector<std::string> names = namesOf(s, scene_);
  const std::vector<char> isLength = lengthsOf(s);
  out.reach.resize(n);
  for (int k = 0; k < n; ++k) {
    const auto i = static_cast<std::size_t>(free[static_cast<std::size_t>(k)]);
    out.names.push_back(names[i]);
    out.units.emplace_back(isLength[i] ? "m" : "rad");
    out.reach[k] = isLength[i] ? s.extent : 1;
  }

  // Tangents
  const VectorX still = VectorX::Zero(s.size);
  const VectorX v = scene_.solver.dynamic ? history_.v : still;
  VectorX r;
  using Entries = std::vector<Eigen::Triplet<double>>;
  Entries following;
  const auto tangent = [&](double rate) {
    const solve::Evaluation e = system_->evaluate({history_.q, v, still}, {rate, 0}, solve::Level::tangent, r);
    if (!e.valid) throw NoEquations(std::string("there are no equations of motion here: ") + e.outside);
    if (e.pushed && system_->hasFriction() && system_->touches())
      throw NoEquations(
          "bodies touch with friction, which sticks or slides and has no linear equations: set \"friction\" to 0");
    Entries entries;
    following.clear();
    system_->forEachEntry([&](int row, int col, double value, bool follows) {
      const int a = place[static_cast<std::size_t>(row)], b = place[static_cast<std::size_t>(col)];
      if (a < 0 || b < 0 || value == 0) return;
      entries.emplace_back(a, b, value);
      if (follows) following.emplace_back(a, b, value);
    });
    return entries;
  };
  const auto matrix = [n](const Entries& entries) {
    model::Sparse m(n, n);
    m.setFromTriplets(entries.begin(), entries.end());
    m.prune([](int, int, double value) { return value != 0; });
    return m;
  };
  Entries K = tangent(0);
  // At rest supports of twist angles exert couples along their edges alone.
  system_->alongOnly = system_->holdsTwist(0);
  if (system_->alongOnly) K = tangent(0);
  out.stiffness = matrix(K);
  out.potential = model::skewness(matrix(following)) <= model::skewByRounding;
  // The tangent is K + rate D: at a rate so high that nothing of K is left in the digits of D, whatever else moves.
  const double rate = std::ldexp(1 / scene_.solver.dt, 60);
  out.damping = (matrix(tangent(rate)) - out.stiffness) / rate;
  out.damping.prune([](int, int, double value) { return value != 0; });
  if (system_->elasticity().damped()) referAt(v, scene_.solver.dt);
  system_->evaluate({history_.q, v, still}, {1 / scene_.solver.dt, 0}, solve::Level::residual, r);
  if (system_->elasticity().damped()) referAt(still, scene_.solver.dt);
  system_->alongOnly = false;
  if (!v.isZero(0) && system_->elasticity().damped())
    out.omitted.emplace_back("how the forces of viscous materials, at the present rates, change with the shape");

  if (scene_.contact.damping > 0 && system_->touches()) out.omitted.emplace_back("the damping of contact");

  // Mass
  const VectorX& mass = system_->loads().mass();
  const VectorX origin = originOf(s);
  out.mass.resize(n, n), out.motions.resize(n, n);
  out.motions.setIdentity();
  out.forces.resize(n), out.values.resize(n), out.rates.resize(n), out.accelerations.setZero(n);
  Entries M;
  for (int k = 0; k < n; ++k) {
    const int i = free[static_cast<std::size_t>(k)];
    out.forces[k] = -r[i], out.values[k] = origin[i] + history_.q[i], out.rates[k] = v[i];
    out.massless.push_back(mass[i] > 0 ? 0 : 1);
    if (!(mass[i] > 0)) continue;
    M.emplace_back(k, k, mass[i]);
    if (scene_.solver.dynamic) out.accelerations[k] = out.forces[k] / mass[i];
  }
  out.mass.setFromTriplets(M.begin(), M.end());
  out.motionNames = out.names;
  out.actuation.resize(n, 0);
}

bool Model::unbalanced(const VectorX& accelerations, VectorX& out) {
  standAtAccepted();
  const std::vector<int> free = freeUnknowns();
  const std::vector<char>& held = system_->supports().prescribed();
  bool stays = static_cast<Eigen::Index>(free.size()) == accelerations.size();
  // What is held stands where it did but for round-off. Where lookAt() shows another state, normals that are held turn
  // with the edges there.
  const double rounded = 1e-13 * system_->structure().extent;
  for (int i = 0; i < system_->size() && !hidden_; ++i) {
    if (held[static_cast<std::size_t>(i)] && std::abs(x_[i] - history_.q[i]) > rounded) stays = false;
  }
  if (!stays) return false;
  VectorX r, a = VectorX::Zero(system_->size());
  for (std::size_t k = 0; k < free.size(); ++k) a[free[k]] = accelerations[static_cast<Eigen::Index>(k)];
  const VectorX v = scene_.solver.dynamic ? history_.v : VectorX(VectorX::Zero(system_->size()));
  if (system_->elasticity().damped()) referAt(v, scene_.solver.dt);
  system_->evaluate({history_.q, v, a}, {1 / scene_.solver.dt, 1}, solve::Level::residual, r);
  out = -r(free);
  return true;
}

void Model::lookAt(const model::Nearby* state) {
  if (state && !hidden_) {
    hidden_ = std::make_unique<Hidden>(
        Hidden{history_.q, history_.v, acceleration_, strainsBefore_, strainRate_, history_.dtBefore});
  }
  if (!hidden_) return;
  history_.q = hidden_->q, history_.v = hidden_->v, acceleration_ = hidden_->a;
  history_.dtBefore = hidden_->dtBefore, strainRate_ = hidden_->strainRate, strainsBefore_ = hidden_->strainsBefore;
  observedFresh_ = balanceFresh_ = false;
  standAtAccepted();
  if (!state) {
    hidden_.reset();
    return;
  }
  const std::vector<int> free = freeUnknowns();
  for (std::size_t k = 0; k < free.size(); ++k) {
    const auto at = static_cast<Eigen::Index>(k);
    history_.q[free[k]] += state->move[at];
    history_.v[free[k]] = state->rates[at], acceleration_[free[k]] = state->accelerations[at];
  }
  history_.dtBefore = 0;
  // Dampers see how strains change on the way that these rates led here, which is so short that it is straight.
  strainRate_ = std::ldexp(1 / scene_.solver.dt, 14);
  const VectorX before = history_.q - history_.v / strainRate_;
  system_->elasticity().strains(before, strainsBefore_);
  system_->beginContact(before);
}

void Model::displace(const model::Nearby& state) {
  const std::vector<int> free = freeUnknowns();
  standAtAccepted();
  x_ = history_.q;
  for (std::size_t k = 0; k < free.size(); ++k) x_[free[k]] += state.move[static_cast<Eigen::Index>(k)];
  const VectorX zero = VectorX::Zero(system_->size());
  VectorX r;
  const solve::Evaluation e = system_->evaluate({x_, zero, zero}, {}, solve::Level::residual, r);
  if (!e.valid) throw NoEquations(std::string("that state is too far from this one for one move: ") + e.outside);
  const std::string pressed = system_->pressedThrough(history_.q, x_);
  if (!pressed.empty()) throw NoEquations(pressed);
  history_.q = x_;
  for (std::size_t k = 0; k < free.size(); ++k) history_.v[free[k]] = state.rates[static_cast<Eigen::Index>(k)];
  history_.dtBefore = 0, strainRate_ = 0;
  acceleration_.setZero(), haveAcceleration_ = false;
  system_->accept(history_.q);
  system_->elasticity().strains(history_.q, strainsBefore_);
  system_->elasticity().references() = strainsBefore_;
  system_->beginContact(history_.q);
  ledger_.reset();
  observedFresh_ = balanceFresh_ = false;
  observed(false);
}

void Model::standAt(const VectorX& values, const VectorX& rates) {
  model::Nearby there;
  const VectorX now = originOf(system_->structure()) + history_.q;
  there.move = values - now(freeUnknowns()), there.rates = rates;
  displace(there);
}

// An edge's frame turns with its tangent, and about it as its twist angle and its chart say; that of a node is the mean
// of its edges', made orthonormal again.
bool Model::placeMotion(const scene::Place& place, model::PlaceMotion& out) {
  const auto* ref = std::get_if<scene::NodeRef>(&place.at);
  if (!ref) return false;
  standAtAccepted();
  const Structure& s = system_->structure();
  const int all = s.size, node = s.nodeDof[static_cast<std::size_t>(s.node(*ref))];
  out.position = s.nodes[static_cast<std::size_t>(s.node(*ref))] + history_.q.segment<3>(node);
  out.turns = ref->body < static_cast<int>(scene_.rods.size());
  using Rows = Eigen::Matrix<double, 3, Eigen::Dynamic>;
  Rows velocity = Rows::Zero(3, all), spin = Rows::Zero(3, all);
  velocity.middleCols<3>(node).setIdentity();
  if (out.turns) {
    const std::vector<elastic::EdgeFrame>& frames = system_->elasticity().edgeFrames(history_.q);
    const NodeFrame f = nodeFrame(s, frames, *ref);
    const Vec3 m2 = f.t.cross(f.m1);
    out.frame << f.m1, m2, f.t;
    const int first = s.rodFirstEdge[static_cast<std::size_t>(ref->body)],
              edges = static_cast<int>(s.bodyNodes[static_cast<std::size_t>(ref->body)].size()) - 1;
    Vec3 tangents = Vec3::Zero(), directors = Vec3::Zero();
    Rows turned = Rows::Zero(3, all), moved = Rows::Zero(3, all);  // rates of these sums
    for (const int number : {std::max(0, ref->node - 1), std::min(edges - 1, ref->node)}) {
      const elastic::EdgeFrame& frame = frames[static_cast<std::size_t>(first + number)];
      const Edge& edge = s.edges[static_cast<std::size_t>(first + number)];
      tangents += frame.t, directors += frame.m1;
      const auto add = [&](int column, const Mat3& by) {  // `by`: spin of the edge per unknown
        turned.middleCols<3>(column) -= geometry::skew(frame.t) * by;
        moved.middleCols<3>(column) -= geometry::skew(frame.m1) * by;
      };
      const Mat3 byEnd = frame.inverse * geometry::skew(frame.t) + frame.t * frame.spin.transpose();
      add(s.nodeDof[static_cast<std::size_t>(edge.b)], byEnd);
      add(s.nodeDof[static_cast<std::size_t>(edge.a)], -byEnd);
      moved.col(edge.theta) += frame.t.cross(frame.m1);
    }
    turned = (Mat3::Identity() - f.t * f.t.transpose()) * turned / tangents.norm();
    const double along = directors.dot(f.t), across = (directors - along * f.t).norm();
    const Eigen::RowVectorXd about = m2.transpose() * (moved - along * turned) / across;
    spin = geometry::skew(f.t) * turned + f.t * about;
  }
  const VectorX v = scene_.solver.dynamic ? history_.v : VectorX(VectorX::Zero(all));
  out.velocity = velocity * v, out.spin = spin * v;
  const std::vector<int> free = freeUnknowns();
  Eigen::MatrixXd J(out.turns ? 6 : 3, static_cast<Eigen::Index>(free.size()));
  J.topRows<3>() = velocity(Eigen::all, free);
  if (out.turns) J.bottomRows<3>() = spin(Eigen::all, free);
  out.jacobian = J.sparseView(0, 0);
  return true;
}

}  // namespace tendril::rods_shells
