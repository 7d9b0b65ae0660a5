// The equations of motion of a linkage about the accepted state, and states near it.
#include "model/equations.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "links/model.h"
#include "links/view/probes.h"
#include "scene/place.h"
#include "solve/allowed_motions.h"

namespace tendril::links {
namespace {

using model::NoEquations;

model::Sparse sparse(const Eigen::MatrixXd& m) { return m.sparseView(0, 0); }

/// Rows and columns of the free coordinates.
Eigen::MatrixXd among(const Eigen::MatrixXd& m, const std::vector<int>& free) { return m(free, free); }

}  // namespace

std::vector<int> Model::freeCoordinates() const {
  std::vector<int> out;
  for (int i = 0; i < system_->coordinates(); ++i) {
    if (!system_->held[static_cast<std::size_t>(i)]) out.push_back(i);
  }
  return out;
}

// Accelerations of a dynamic scene at the accepted motion, and the multipliers that go with them, into q; zero in
// statics and where masses do not tell them.
VectorX Model::restAcceleration(VectorX& q) {
  VectorX a = drivenAcceleration();
  if (!scene_.solver.dynamic) return a;
  VectorX multipliers = q;
  if (system_->acceleration(q, history_.v, a, &multipliers)) {
    q = multipliers;
  } else {
    a = drivenAcceleration();
  }
  return a;
}

// That of drives, with all others at zero; in statics all are.
VectorX Model::drivenAcceleration() {
  VectorX a = VectorX::Zero(system_->size());
  if (!scene_.solver.dynamic) return a;
  const double before = history_.dtBefore;
  drives_.driven(instant_, before > 0 ? Drives::Side::before : Drives::Side::after,
                 before > 0 ? before : scene_.solver.dt, *structure_, *system_, driven_);
  for (const DrivenValue& d : driven_) a[d.coordinate] = d.acceleration;
  return a;
}

void Model::equations(model::Equations& out) {
  standAtAccepted();
  const std::vector<int> free = freeCoordinates();
  const int n = static_cast<int>(free.size()), all = system_->coordinates();
  const bool dynamic = scene_.solver.dynamic;
  VectorX q = history_.q;
  const VectorX v = dynamic ? history_.v : VectorX(VectorX::Zero(system_->size()));
  const VectorX a = restAcceleration(q);
  if (dynamic && !contact_->empty() && contact_->hasFriction() && contact_->summary(frames(), -1).pairs > 0)
    throw NoEquations(
        "links touch with friction, which sticks or slides and has no linear equations: set \"friction\" to 0");
  standAtAccepted();

  // Names and units
  std::vector<std::string> names(static_cast<std::size_t>(all));
  for (const BuiltLink& l : structure_->links) {
    for (int i = 0; i < l.count; ++i)
      names[static_cast<std::size_t>(l.first + i)] =
          own_.name + "/" + own_.links[static_cast<std::size_t>(l.link)].name + "[" + std::to_string(i) + "]";
  }
  std::vector<char> isLength(static_cast<std::size_t>(all), 0), isStrain = isLength;
  for (const ChainStep& step : system_->chain().steps()) {
    for (int i = 0; i < step.base.cols(); ++i)
      if (system_->moves(step, i)) isLength[static_cast<std::size_t>(step.first + i)] = 1;
    // Coefficients of twist and bending are angles, those of stretch and shear plain strains.
    for (std::size_t j = 0; j < step.modes.size(); ++j)
      isStrain[static_cast<std::size_t>(step.first) + j] = step.modes[j] >= 3;
  }
  out.reach.resize(n);
  for (int k = 0; k < n; ++k) {
    const auto i = static_cast<std::size_t>(free[static_cast<std::size_t>(k)]);
    out.names.push_back(names[i].empty() ? own_.name + " loop[" + std::to_string(i) + "]" : names[i]);
    out.units.emplace_back(isLength[i] ? "m" : isStrain[i] ? "1" : "rad");
    out.reach[k] = isLength[i] ? system_->scale() : 1;
  }

  // Tangents
  VectorX r;
  const auto tangent = [&](double rate) {
    const solve::Evaluation e = system_->evaluate({q, v, a}, {rate, 0}, solve::Level::tangent, r);
    if (!e.valid) throw NoEquations("there are no equations of motion here: its forces are no numbers");
    return Eigen::MatrixXd(system_->tangent());
  };
  const Eigen::MatrixXd whole = tangent(0), K = among(whole.topLeftCorner(all, all), free);
  out.stiffness = sparse(K);
  // The tangent is K + rate D, in which squares of rates cancel: taken at the rate at which both weigh alike, in any
  // units, so that neither loses digits.
  const auto weight = [&](const Eigen::MatrixXd& m) {
    return (out.reach.asDiagonal() * m * out.reach.asDiagonal()).eval().norm();
  };
  double rate = 1 / scene_.solver.dt;
  Eigen::MatrixXd D;
  for (int pass = 0; pass < 3; ++pass) {
    D = (among(tangent(rate).topLeftCorner(all, all), free) - K) / rate;
    const double size = weight(D), most = weight(K);
    if (!(size > 0)) break;
    const double better =
        std::exp2(std::round(std::log2((most > 0 ? most : size) / size * scene_.solver.dt))) / scene_.solver.dt;
    if (better == rate) break;
    rate = better;
  }
  out.damping = sparse(D);
  Eigen::MatrixXd M;
  system_->massMatrix(q, M);
  M = among(M, free);
  // Each entry by what resists both of its motions: what follows them is seen there.
  VectorX own = K.diagonal().cwiseAbs().cwiseSqrt();
  const double stiffest = own.size() > 0 ? own.maxCoeff() : 0;
  for (double& k : own) k = k > 1e-8 * stiffest ? 1 / k : 0;
  const Eigen::MatrixXd skew = own.asDiagonal() * (K - K.transpose()) * own.asDiagonal();
  out.potential = !(skew.size() > 0) || skew.cwiseAbs().maxCoeff() <= 1e2 * model::skewByRounding;
  if (dynamic && !contact_->empty() && scene_.contact.damping > 0 && contact_->summary(frames(), -1).pairs > 0)
    out.omitted.emplace_back("the damping of contact");
  out.mass = sparse(M);
  // What is driven has its acceleration, and pushes the rest with it.
  system_->evaluate({q, v, drivenAcceleration()}, {}, solve::Level::residual, r);
  out.forces = -r(free);
  VectorX values = history_.q;
  for (const BuiltLink& l : structure_->links) {
    if (l.onGroup) values.segment(l.jointFirst, l.jointCount) = jointCoordinates(state_, l);
  }
  out.values = values(free), out.rates = v(free), out.accelerations = a(free);

  // Motions that loops allow, those without mass apart
  const VectorX units = system_->units()(free);
  const int loops = system_->size() - all;
  Eigen::MatrixXd closing = whole.bottomLeftCorner(loops, all)(Eigen::all, free) * units.asDiagonal();
  std::vector<int> each(free.size());
  for (std::size_t k = 0; k < each.size(); ++k) each[k] = static_cast<int>(k);
  Eigen::MatrixXd Z = units.asDiagonal() * solve::allowedMotions(closing, each, n);
  std::vector<std::string> motionNames;
  for (int c = 0; c < Z.cols(); ++c) {
    int largest = 0;
    Z.col(c).cwiseQuotient(units).cwiseAbs().maxCoeff(&largest);
    Z.col(c) /= units[largest];
    motionNames.push_back(out.names[static_cast<std::size_t>(largest)]);
  }
  const int count = static_cast<int>(Z.cols());
  out.massless.assign(static_cast<std::size_t>(count), 0);
  if (count > 0) {
    // By columns that weigh alike; what is singular is so in any unit.
    Eigen::MatrixXd m = Z.transpose() * M * Z;
    VectorX scale = m.diagonal().cwiseMax(0).cwiseSqrt();
    for (int i = 0; i < count; ++i) scale[i] = scale[i] > 0 ? 1 / scale[i] : 1;
    m = scale.asDiagonal() * (0.5 * (m + m.transpose())).eval() * scale.asDiagonal();
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(m);
    constexpr double nothing = 1e-12;
    if (eigen.eigenvalues()[0] <= nothing) {
      bool apart = true;  // some coordinates have no mass at all, and the rest has
      for (int i = 0; i < count; ++i) apart = apart && (m(i, i) > 0 || m.row(i).isZero(0));
      int zeros = 0;
      for (int i = 0; i < count; ++i) zeros += m(i, i) > 0 ? 0 : 1;
      apart = apart && (zeros == count || eigen.eigenvalues()[zeros] > nothing);
      if (apart) {
        for (int i = 0; i < count; ++i) out.massless[static_cast<std::size_t>(i)] = m(i, i) > 0 ? 0 : 1;
      } else {
        Z = (Z * scale.asDiagonal() * eigen.eigenvectors()).eval();
        for (int i = 0; i < count; ++i) {
          out.massless[static_cast<std::size_t>(i)] = eigen.eigenvalues()[i] <= nothing ? 1 : 0;
          motionNames[static_cast<std::size_t>(i)] = own_.name + " motion " + std::to_string(i);
        }
      }
    }
  }
  out.motions = sparse(Z);
  out.motionNames = std::move(motionNames);

  // Actuators: tensions, and efforts of joints that nothing drives
  std::vector<VectorX> columns;
  for (std::size_t w = 0; w < structure_->wires.size(); ++w) {
    Tendon& tendon = system_->tendons[w];
    const double tension = tendon.tension;
    const scene::Cable& cable = own_.cables[static_cast<std::size_t>(structure_->wires[w].cable)];
    // The generalized force is linear in the tension: against none, one as large as all else loses no digits.
    VectorX pulled;
    tendon.tension = 0;
    const solve::Evaluation e = system_->evaluate({q, v, a}, {}, solve::Level::residual, r);
    const double size = e.forceScale > 0 ? e.forceScale : 1;
    tendon.tension = size;
    system_->evaluate({q, v, a}, {}, solve::Level::residual, pulled);
    tendon.tension = tension;
    columns.push_back((r(free) - pulled(free)) / size);
    out.inputs.push_back(own_.name + "/" + cable.name);
    out.used.push_back(1);
  }
  std::vector<int> place(static_cast<std::size_t>(all), -1);
  for (int k = 0; k < n; ++k) place[static_cast<std::size_t>(free[static_cast<std::size_t>(k)])] = k;
  for (const BuiltLink& l : structure_->links) {
    const scene::Link& link = own_.links[static_cast<std::size_t>(l.link)];
    for (int i = 0; i < l.jointCount; ++i) {
      const int at = place[static_cast<std::size_t>(l.jointFirst + i)];
      if (at < 0) continue;
      columns.push_back(VectorX::Unit(n, at));
      const std::string name = own_.name + "/" + link.name;
      out.inputs.push_back(l.jointCount > 1 ? name + "[" + std::to_string(i) + "]" : name);
      out.used.push_back(link.joint.coordinates[static_cast<std::size_t>(i)].effort.isZero() ? 0 : 1);
    }
  }
  Eigen::MatrixXd B(n, static_cast<int>(columns.size()));
  for (std::size_t c = 0; c < columns.size(); ++c) B.col(static_cast<int>(c)) = columns[c];
  out.actuation = sparse(B);
  standAtAccepted();
}

bool Model::unbalanced(const VectorX& accelerations, VectorX& out) {
  standAtAccepted();
  const std::vector<int> free = freeCoordinates();
  if (static_cast<Eigen::Index>(free.size()) != accelerations.size()) return false;
  VectorX at = history_.q, r, a = drivenAcceleration();
  solve::Kinematics none;
  hold(instant_, Drives::Side::after, 0, at, none);
  // Poses that are driven count from the state, where they are zero but for round-off.
  constexpr double rounded = 1e-13;
  const VectorX size = history_.q.cwiseAbs().cwiseMax(system_->units());
  if ((at - history_.q).cwiseQuotient(size).lpNorm<Eigen::Infinity>() > rounded) return false;
  for (std::size_t k = 0; k < free.size(); ++k) a[free[k]] = accelerations[static_cast<Eigen::Index>(k)];
  const VectorX v = scene_.solver.dynamic ? history_.v : VectorX(VectorX::Zero(system_->size()));
  system_->evaluate({history_.q, v, a}, {}, solve::Level::residual, r);
  out = -r(free);
  return true;
}

void Model::lookAt(const model::Nearby* state) {
  if (state && !hidden_)
    hidden_ = std::make_unique<Hidden>(Hidden{history_.q, history_.v, acceleration_, haveAcceleration_});
  if (!hidden_) return;
  history_.q = hidden_->q, history_.v = hidden_->v;
  acceleration_ = hidden_->a, haveAcceleration_ = hidden_->have;
  if (state) {
    const std::vector<int> free = freeCoordinates();
    acceleration_ = drivenAcceleration();
    for (std::size_t k = 0; k < free.size(); ++k) {
      const auto at = static_cast<Eigen::Index>(k);
      history_.q[free[k]] += state->move[at];
      history_.v[free[k]] = state->rates[at], acceleration_[free[k]] = state->accelerations[at];
    }
    haveAcceleration_ = true;
  } else {
    hidden_.reset();
  }
  showInputs(state ? state->inputs : VectorX());
  standAtAccepted();
  storesFresh_ = false;
}

// In the order in which equations() lists them.
void Model::showInputs(const VectorX& inputs) {
  state_.moreTension.resize(0), state_.moreEffort.resize(0);
  if (inputs.size() == 0) return;
  Eigen::Index at = static_cast<Eigen::Index>(structure_->wires.size());
  state_.moreTension = inputs.head(at), state_.moreEffort = VectorX::Zero(system_->coordinates());
  const std::vector<int> free = freeCoordinates();
  for (const BuiltLink& l : structure_->links) {
    for (int i = 0; i < l.jointCount; ++i) {
      if (std::binary_search(free.begin(), free.end(), l.jointFirst + i))
        state_.moreEffort[l.jointFirst + i] = inputs[at++];
    }
  }
}

void Model::displace(const model::Nearby& state) {
  const std::vector<int> free = freeCoordinates();
  for (std::size_t k = 0; k < free.size(); ++k) {
    const auto at = static_cast<Eigen::Index>(k);
    history_.q[free[k]] += state.move[at], history_.v[free[k]] = 0;
  }
  history_.dtBefore = 0;
  if (!loops_.assemble(history_.q))
    throw NoEquations("that state is too far from this one: its loops cannot be closed again");
  recenter();
  // Rates are those there, as seen from there.
  for (std::size_t k = 0; k < free.size(); ++k) history_.v[free[k]] = state.rates[static_cast<Eigen::Index>(k)];
  loops_.projectVelocity();
  haveAcceleration_ = storesFresh_ = pushKnown_ = false;
  standAtAccepted();
  account_.forget();
  ledger_->reset();
  loops_.begin();
  saidGain_ = false;
}

void Model::standAt(const VectorX& values, const VectorX& rates) {
  const std::vector<int> free = freeCoordinates();
  VectorX to = history_.q;
  for (std::size_t k = 0; k < free.size(); ++k) to[free[k]] = values[static_cast<Eigen::Index>(k)];
  for (const BuiltLink& l : structure_->links) {
    if (!l.onGroup) continue;
    // Their chart begins at the accepted state.
    const geometry::Pose now =
        geometry::inverse(l.offset) * system_->chain().steps()[static_cast<std::size_t>(l.joint[0])].offset;
    const geometry::Vec6 whole = l.base * to.segment(l.jointFirst, l.jointCount);
    geometry::Vec6 turn = geometry::Vec6::Zero(), x;
    turn.head<3>() = whole.head<3>();
    x << geometry::logarithm({now.R.transpose() * geometry::exponential(turn).R, Vec3::Zero()}).head<3>(),
        now.R.transpose() * (whole.tail<3>() - now.r);
    to.segment(l.jointFirst, l.jointCount) = l.base.transpose() * x;
  }
  model::Nearby there;
  there.move = (to - history_.q)(free), there.rates = rates;
  displace(there);
}

// Velocities of places are linear in the rates: each column is the velocity at one of them.
bool Model::placeMotion(const scene::Place& place, model::PlaceMotion& out) {
  const auto* ref = std::get_if<scene::LinkRef>(&place.at);
  if (!ref || &scene_.linkages[static_cast<std::size_t>(ref->linkage)] != &own_) return false;
  standAtAccepted();
  const ChainPlace at = structure_->place(scene_, *ref);
  const auto velocityAt = [&](const VectorX& v) {
    system_->place(history_.q, v);
    const PlaceState seen = stateAt(at, system_->chain().frames(), history_.q, v);
    out.position = seen.pose.r, out.frame = seen.pose.R;
    geometry::Vec6 both;
    both << seen.pose.R * seen.velocity.tail<3>(), seen.pose.R * seen.velocity.head<3>();
    return both;
  };
  const std::vector<int> free = freeCoordinates();
  Eigen::MatrixXd J(6, static_cast<Eigen::Index>(free.size()));
  for (std::size_t k = 0; k < free.size(); ++k)
    J.col(static_cast<Eigen::Index>(k)) = velocityAt(VectorX::Unit(system_->size(), free[k]));
  out.jacobian = sparse(J);
  const geometry::Vec6 now = velocityAt(scene_.solver.dynamic ? history_.v : VectorX(VectorX::Zero(system_->size())));
  out.velocity = now.head<3>(), out.spin = now.tail<3>();
  framesFresh_ = false;
  standAtAccepted();
  return true;
}

}  // namespace tendril::links
