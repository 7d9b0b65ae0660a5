#include "linear/state_space.h"

#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace tendril::linear {
namespace {

using model::NoEquations;

constexpr double mostEntries = 2e7;  // of what eliminating makes dense: 160 MB

std::vector<int> numbers(int first, int count) {
  std::vector<int> out(static_cast<std::size_t>(count));
  std::iota(out.begin(), out.end(), first);
  return out;
}

/// m^-1 of a square matrix times others.
class Inverse {
 public:
  Inverse(const Sparse& m, const char* singular) {
    empty_ = m.rows() == 0;
    if (empty_) return;
    Sparse packed = m;
    packed.makeCompressed();
    lu_.compute(packed);
    if (lu_.info() != Eigen::Success) throw NoEquations(singular);
  }
  Sparse operator()(const Sparse& right) const {
    if (empty_ || right.cols() == 0) return {right.rows(), right.cols()};
    Sparse out = lu_.solve(right);
    return out;
  }
  VectorX operator()(const VectorX& right) const {
    if (empty_) return right;
    VectorX out = lu_.solve(right);
    return out;
  }

 private:
  bool empty_ = false;
  mutable Eigen::SparseLU<Sparse> lu_;
};

}  // namespace

StateSpace stateSpace(const model::Equations& of, const Sparse& actuation, double pace) {
  const Sparse Zt = of.motions.transpose();
  const Sparse M = Zt * of.mass * of.motions, D = Zt * of.damping * of.motions, K = Zt * of.stiffness * of.motions;
  const Sparse B = Zt * actuation;
  const VectorX g = Zt * of.forces;
  const int r = of.freedoms(), m = static_cast<int>(actuation.cols());

  // Divide
  std::vector<int> heavy, damped, loose;
  VectorX resists = VectorX::Zero(r);  // what damping there is in a motion, in either direction
  for (int c = 0; c < D.outerSize(); ++c) {
    for (Sparse::InnerIterator it(D, c); it; ++it)
      resists[it.row()] += std::abs(it.value()), resists[it.col()] += std::abs(it.value());
  }
  for (int i = 0; i < r; ++i) {
    (!of.massless[static_cast<std::size_t>(i)] ? heavy : resists[i] > 0 ? damped : loose).push_back(i);
  }
  const int h = static_cast<int>(heavy.size()), d = static_cast<int>(damped.size()), s = static_cast<int>(loose.size());
  if (static_cast<double>(s) * (h + d) > mostEntries)
    throw NoEquations(
        "what has no mass (mid-edge normals of shells) couples so many unknowns that a state space would have " +
        std::to_string(static_cast<long>(s) * (h + d)) +
        " entries: use the matrices without it, or \"bending\": \"hinge\"");
  std::vector<int> kept = heavy;
  kept.insert(kept.end(), damped.begin(), damped.end());

  // Eliminate what balances at once: y_s = L y_kept + Ls u + l.
  const Inverse balance(among(K, loose, loose),
                        "something without mass and damping is held by nothing: there is no state space");
  const std::vector<int> inputs = numbers(0, m);
  const Sparse L = -balance(among(K, loose, kept)), Ls = balance(among(B, loose, inputs));
  const VectorX l = balance(VectorX(g(loose)));
  const Sparse into = among(K, kept, loose);
  Sparse Kk = among(K, kept, kept);
  if (s > 0) Kk = Kk + into * L;
  Sparse Bk = among(B, kept, inputs);
  VectorX gk = g(kept);
  if (s > 0) Bk = Bk - into * Ls, gk -= into * l;
  const Sparse Dk = among(D, kept, kept);

  // y_d' = Ddd^-1 (g_d + B_d u - K_d y - D_dh v); v' = Mhh^-1 (g_h + B_h u - K_h y - D_hh v - D_hd y_d')
  const std::vector<int> first = numbers(0, h), last = numbers(h, d), all = numbers(0, h + d);
  const Inverse creep(among(Dk, last, last),
                      "something without mass is damped in some directions only: there is no state space");
  const Sparse creepPlace = -creep(among(Kk, last, all)), creepRate = -creep(among(Dk, last, first)),
               creepInput = creep(among(Bk, last, inputs));
  const VectorX creepDrift = creep(VectorX(gk.tail(d)));
  const Inverse inertia(among(M, heavy, heavy), "the mass matrix is singular");
  const Sparse Dhd = among(Dk, first, last);
  Sparse place = among(Kk, first, all), rate = among(Dk, first, first), input = among(Bk, first, inputs);
  VectorX force = gk.head(h);
  if (d > 0)
    place = place + Dhd * creepPlace, rate = rate + Dhd * creepRate, input = input - Dhd * creepInput,
    force -= Dhd * creepDrift;
  const Sparse fall = -inertia(place), slow = -inertia(rate), push = inertia(input);
  const VectorX fallDrift = inertia(force);

  // States: y_h, v_h, y_d
  const int n = 2 * h + d;
  StateSpace out;
  // Of the kept motions by the states.
  const Sparse keptBy = stacked(placed(units(h, first), h, n, 0, 0), placed(units(d, numbers(0, d)), d, n, 0, 2 * h));
  const Sparse speed = placed(units(h, first), h, n, 0, h);
  const Sparse accelerate = fall * keptBy + slow * speed;
  const Sparse creeping = creepPlace * keptBy + creepRate * speed;
  out.A = stacked(stacked(speed, accelerate), creeping);
  out.B = stacked(stacked(Sparse(h, m), push), creepInput);
  const VectorX v0 = [&] {
    // Rates of motions: those of the unknowns by which they are named, exactly so for what loops allow.
    Eigen::SimplicialLDLT<Sparse> normal(Sparse(Zt * of.motions));
    return VectorX(normal.solve(VectorX(Zt * of.rates)));
  }();
  out.drift.resize(n);
  out.drift << VectorX(v0(heavy)), fallDrift, VectorX(v0(damped)) + creepDrift;
  const Sparse keptRate = stacked(speed, creeping), keptRateByInput = stacked(Sparse(h, m), creepInput);

  const Sparse Zk = of.motions * units(r, kept), Zs = of.motions * units(r, loose), Zh = of.motions * units(r, heavy);
  out.moves = Zk * keptBy, out.rates = Zk * keptRate, out.accelerations = Zh * accelerate;
  out.movesByInput = Sparse(of.size(), m), out.ratesByInput = Zk * keptRateByInput,
  out.accelerationsByInput = Zh * push;
  if (s > 0) {
    out.moves = out.moves + Zs * (L * keptBy), out.rates = out.rates + Zs * (L * keptRate);
    out.movesByInput = Zs * Ls, out.ratesByInput = out.ratesByInput + Zs * (L * keptRateByInput);
  }

  // Names, units, reach
  const auto reachOf = [&](int motion) {
    double most = std::numeric_limits<double>::infinity();
    for (Sparse::InnerIterator it(of.motions, motion); it; ++it) {
      if (it.value() != 0) most = std::min(most, of.reach[it.row()] / std::abs(it.value()));
    }
    return most;
  };
  const auto unitOf = [&](int motion) {
    double largest = 0;
    std::string unit = "1";
    for (Sparse::InnerIterator it(of.motions, motion); it; ++it) {
      const double share = std::abs(it.value()) / of.reach[it.row()];
      if (share > largest * (1 + 1e-9)) largest = share, unit = of.units[static_cast<std::size_t>(it.row())];
    }
    return unit;
  };
  out.reach.resize(n);
  const auto add = [&](int motion, const char* suffix, double per) {
    out.reach[static_cast<Eigen::Index>(out.states.size())] = reachOf(motion) / per;
    out.states.push_back(of.motionNames[static_cast<std::size_t>(motion)] + suffix);
    out.units.push_back(unitOf(motion) + (*suffix ? "/s" : ""));
  };
  for (const int i : heavy) add(i, "", 1);
  for (const int i : heavy) add(i, "'", pace);
  for (const int i : damped) add(i, "", 1);
  return out;
}

}  // namespace tendril::linear
