// The equations of motion of vines about the accepted state, and states near it.
#include "model/equations.h"

#include <algorithm>

#include "scene/place.h"
#include "vines/joints.h"
#include "vines/model.h"
#include "world/surroundings.h"

namespace tendril::vines {
namespace {

using model::NoEquations;
using Entries = std::vector<Eigen::Triplet<double>>;

VectorX vectorOf(const std::vector<double>& list) {
  return Eigen::Map<const VectorX>(list.data(), static_cast<Eigen::Index>(list.size()));
}

void putBlock(const MatrixX& m, int row, int column, Entries& entries) {
  for (int c = 0; c < m.cols(); ++c) {
    for (int r = 0; r < m.rows(); ++r)
      if (m(r, c) != 0) entries.emplace_back(row + r, column + c, m(r, c));
  }
}

model::Sparse sparse(int rows, int columns, const Entries& entries) {
  model::Sparse m(rows, columns);
  m.setFromTriplets(entries.begin(), entries.end());
  return m;
}

}  // namespace

// What acts on a robot where it stands and moves as `chain`.
Actuation Model::actuationOf(Robot& robot, const Chain& chain) {
  act(robot, instant_);
  Actuation out;
  out.moments = robot.moments, out.curvature = robot.curvature, out.pulls = robot.pulls;
  out.gravity = robot.plane.shadow(world::gravity(scene_, instant_));
  out.fields = robot.fields.at(chain, robot.plane, instant_);
  return out;
}

// A step ends with rates that keep joints where it began: those that keep them where it ended.
Chain Model::keepingJoints(const Robot& robot, const Joints& joints) {
  Chain chain = robot.chain;
  const MatrixX missing = jointRows(chain) * vectorOf(chain.v), more = joints.following(missing, chain);
  for (std::size_t k = 0; k < chain.v.size(); ++k) chain.v[k] -= more(static_cast<Eigen::Index>(k), 0);
  return chain;
}

bool Model::grows(const Robot& robot) const { return robot.vine.growth(scene::timedInput(scene_, instant_)) != 0; }

// Whether steering or natural curvature change with the place of pins, which no derivative tells: tried at some places.
bool Model::steersByPlace(const Robot& robot) const {
  const double size = robot.chain.length();
  const auto sees = [&](const formula::Number& value) {
    if (!value.isField()) return false;
    formula::Input in = scene::timedInput(scene_, instant_);
    in.u = 0.31, in.s = in.u * size, in.i = 1, in.n = robot.chain.pairs();
    const auto at = [&](double x, double y, double z) {
      in.x = x * size, in.y = y * size, in.z = z * size;
      return value(in);
    };
    try {
      const double here = at(0.53, 0.47, 0.41);
      return at(0.9, 0.47, 0.41) != here || at(0.53, 0.83, 0.41) != here || at(0.53, 0.47, 0.77) != here;
    } catch (const formula::Failure&) {
      return true;  // it has no value there
    }
  };
  return sees(robot.vine.steer) || sees(robot.vine.curvature);
}

// With P the following motions, C rows turned along the rates and l their multipliers: where free unknowns move by q,
// all rates change by -P C q, and accelerations by -P (C(a) + T - 2 C P C) q - 2 P C v; forces of rows turn with them.
void Model::equations(model::Equations& out) {
  standAtAccepted();
  int n = 0, r = 0;
  Entries mass, damping, stiffness, motions;
  std::vector<VectorX> values, forces, rates, accelerations, reach;
  for (Robot& robot : robots_) {
    const std::string name = "vine \"" + robot.vine.name + "\"";
    if (grows(robot))
      throw NoEquations(
          name + " grows, and with it its mass: it has no linear equations; expected a time at which \"growth\" is 0");
    if (!robot.contacts.empty())
      throw NoEquations(name +
                        " bears on an obstacle, which it cannot enter but may leave: it has no linear equations; "
                        "expected a state in which it touches nothing");
    const Joints joints(robot.chain);
    const Chain chain = keepingJoints(robot, joints);
    const Matrices m = matricesOf(chain, actuationOf(robot, chain));
    const VectorX v = vectorOf(chain.v);
    const Balance balance = balanceOf(chain, m);
    const VectorX& a = balance.acceleration;
    MatrixX K = m.stiffness - bentRows(chain, balance.multipliers), D = m.damping;
    VectorX f = m.forces;
    const MatrixX still = MatrixX(m.mass.asDiagonal());
    if (!v.isZero(0)) {
      const MatrixX C = turnedRows(chain, v), PC = joints.following(C, chain), MPC = m.mass.asDiagonal() * PC;
      const MatrixX twice = joints.following(twiceTurnedRows(chain, v) - 2 * C * PC, chain);
      K -= m.damping * PC + MatrixX(m.mass.asDiagonal() * twice);
      D -= 2 * MPC;
      f += MPC * v;
    }
    if (!a.isZero(0)) K -= m.mass.asDiagonal() * joints.following(turnedRows(chain, a), chain);
    const int size = static_cast<int>(v.size()), free = static_cast<int>(joints.free().size());
    putBlock(still, n, n, mass), putBlock(K, n, n, stiffness), putBlock(D, n, n, damping);
    putBlock(joints.motions(), n, r, motions);
    VectorX far(size);
    for (int k = 0; k < size; ++k) {
      constexpr const char* axes[] = {".x", ".y", ".theta"};
      out.names.push_back(robot.vine.name + ":" + std::to_string(k / 3) + axes[k % 3]);
      out.units.emplace_back(k % 3 == 2 ? "rad" : "m");
      far[k] = k % 3 == 2 ? 1 : chain.length();
    }
    for (const int k : joints.free()) out.motionNames.push_back(out.names[static_cast<std::size_t>(n + k)]);
    const MatrixX own = joints.motions().transpose() * K * joints.motions();
    out.potential = out.potential && model::skewness(own.sparseView(0, 0)) <= model::skewByRounding;
    if (steersByPlace(robot))
      out.omitted.push_back("how \"steer\" and \"curvature\" of " + name + " change with the places of its pins");
    values.push_back(vectorOf(chain.q)), forces.push_back(f), rates.push_back(v), accelerations.push_back(a),
        reach.push_back(far);
    n += size, r += free;
  }
  const auto joined = [n](const std::vector<VectorX>& parts) {
    VectorX all(n);
    Eigen::Index at = 0;
    for (const VectorX& part : parts) all.segment(at, part.size()) = part, at += part.size();
    return all;
  };
  out.mass = sparse(n, n, mass), out.damping = sparse(n, n, damping), out.stiffness = sparse(n, n, stiffness);
  out.motions = sparse(n, r, motions);
  out.massless.assign(static_cast<std::size_t>(r), 0);
  out.forces = joined(forces), out.rates = joined(rates), out.accelerations = joined(accelerations);
  out.reach = joined(reach), out.values = joined(values);
  out.actuation.resize(n, 0);
}

bool Model::unbalanced(const VectorX& accelerations, VectorX& out) {
  out.resize(accelerations.size());
  Eigen::Index at = 0;
  for (Robot& robot : robots_) {
    if (grows(robot)) return false;
    const Chain chain = keepingJoints(robot, Joints(robot.chain));
    const Matrices m = matricesOf(chain, actuationOf(robot, chain));
    const auto size = m.mass.size();
    out.segment(at, size) = m.forces - m.mass.cwiseProduct(accelerations.segment(at, size));
    at += size;
  }
  return at == accelerations.size();
}

// Rates that go with places beside: those that are not free follow the turn of the rows. They are asked for by the
// hundred, near enough for one inverse.
void Model::lookAt(const model::Nearby* state) {
  if (state && hidden_.empty()) {
    for (const Robot& robot : robots_) {
      const MatrixX rows = jointRows(robot.chain);
      const MatrixX each = MatrixX::Identity(rows.rows(), rows.rows());
      hidden_.push_back({robot.chain.q, robot.chain.v, robot.report.growthForce, rows,
                         Joints(robot.chain).following(each, robot.chain)});
    }
  }
  using Kind = scene::Probe::Kind;
  const bool pushes = std::any_of(scene_.probes.begin(), scene_.probes.end(),
                                  [](const scene::Probe& probe) { return probe.kind == Kind::growthForce; });
  Eigen::Index at = 0;
  for (std::size_t i = 0; i < hidden_.size(); ++i) {
    const Hidden& was = hidden_[i];
    Robot& robot = robots_[i];
    Chain& chain = robot.chain;
    chain.q = was.q, chain.v = was.v, robot.report.growthForce = was.growthForce;
    if (!state) continue;
    const auto size = static_cast<Eigen::Index>(chain.q.size());
    for (Eigen::Index k = 0; k < size; ++k) chain.q[static_cast<std::size_t>(k)] += state->move[at + k];
    const VectorX rates = state->rates.segment(at, size), turned = (jointRows(chain) - was.rows) * rates;
    const VectorX v = rates - was.following * turned;
    for (Eigen::Index k = 0; k < size; ++k) chain.v[static_cast<std::size_t>(k)] = v[k];
    at += size;
    if (!pushes) continue;
    // The force with which growth holds the last length.
    const VectorX held = balanceOf(chain, matricesOf(chain, actuationOf(robot, chain))).multipliers;
    robot.report.growthForce = held[held.size() - 1];
  }
  if (!state) hidden_.clear();
}

void Model::displace(const model::Nearby& state) {
  std::vector<Chain> moved;
  Eigen::Index at = 0;
  for (Robot& robot : robots_) {
    const Joints here(robot.chain);
    Chain& chain = moved.emplace_back(robot.chain);
    const auto size = static_cast<Eigen::Index>(chain.q.size());
    for (Eigen::Index k = 0; k < size; ++k) chain.q[static_cast<std::size_t>(k)] += state.move[at + k];
    if (!here.close(chain))
      throw NoEquations("that state is too far from this one: the joints of vine \"" + robot.vine.name +
                        "\" cannot be closed again");
    VectorX rates = VectorX::Zero(size);
    for (const int k : here.free()) rates[k] = state.rates[at + k];
    rates -= here.following(jointRows(chain) * rates, chain);
    for (Eigen::Index k = 0; k < size; ++k) chain.v[static_cast<std::size_t>(k)] = rates[k];
    chain.carried.clear();
    const Overlap found = robot.step.overlap(chain, robot.shapes);
    if (found.body >= 0 && (found.axis || found.depth > chain.parameters().gapTolerance))
      throw NoEquations("that state would press vine \"" + robot.vine.name + "\" into an obstacle");
    at += size;
  }
  for (std::size_t i = 0; i < robots_.size(); ++i) {
    robots_[i].chain = moved[i];
    robots_[i].contacts.clear();
    robots_[i].report = Report();
  }
}

void Model::standAt(const VectorX& values, const VectorX& rates) {
  model::Nearby there;
  there.move = values, there.rates = rates;
  Eigen::Index at = 0;
  for (const Robot& robot : robots_) {
    there.move.segment(at, static_cast<Eigen::Index>(robot.chain.q.size())) -= vectorOf(robot.chain.q);
    at += static_cast<Eigen::Index>(robot.chain.q.size());
  }
  displace(there);
}

bool Model::placeMotion(const scene::Place& place, model::PlaceMotion& out) {
  const auto* tip = std::get_if<scene::VineTip>(&place.at);
  if (!tip) return false;
  int n = 0, first = 0;
  for (std::size_t i = 0; i < robots_.size(); ++i) {
    if (static_cast<int>(i) == tip->vine) first = n;
    n += static_cast<int>(robots_[i].chain.q.size());
  }
  const Robot& robot = robots_[static_cast<std::size_t>(tip->vine)];
  const Chain chain = keepingJoints(robot, Joints(robot.chain));
  const int last = first + 3 * (chain.bodies() - 1);
  const Vec2 along = directionOf(chain.angle(chain.bodies() - 1));
  const Vec3 normal = robot.plane.normal();
  out.position = tipOf(robot), out.velocity = robot.plane.vector(chain.tipVelocity());
  out.frame << robot.plane.vector(along), normal.cross(robot.plane.vector(along)), normal;
  out.spin = chain.v.back() * normal;
  Entries entries;
  MatrixX block = MatrixX::Zero(6, 3);
  block.topRows<3>() << robot.plane.u, robot.plane.v, robot.plane.vector(chain.parameters().halfLength * leftOf(along));
  block.col(2).tail<3>() = normal;
  putBlock(block, 0, last, entries);
  out.jacobian = sparse(6, n, entries);
  return true;
}

}  // namespace tendril::vines
