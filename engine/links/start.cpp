// How linkages start: initial strains and joint coordinates, loops that are closed by moving the joints the least, closing
// rows that say nothing new, velocities that keep loops closed, and joints that nothing holds.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <utility>

#include "geometry/random.h"
#include "solve/dense_lu.h"
#include "links/model.h"

namespace tendril::links {
namespace {

std::string lengthInWords(double meters) {
  char text[40];
  std::snprintf(text, sizeof text, meters < 0.1 ? "%.3g mm" : "%.3g m", meters < 0.1 ? 1e3 * meters : meters);
  return text;
}

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

// The smallest x with J x = gaps, where coordinates of `own` closing joints cost nothing: they are no motion of a body. Rows
// may depend on one another, as long as they agree.
VectorX leastChange(const Eigen::MatrixXd& J, const VectorX& gaps, const std::vector<int>& own) {
  Eigen::MatrixXd rest = J;
  VectorX left = gaps;
  for (const int i : own) {
    const double size = rest.col(i).norm();
    if (!(size > 1e-9 * J.col(i).norm())) continue;
    const VectorX n = rest.col(i) / size;
    left -= n.dot(left) * n;
    rest -= n * (n.transpose() * rest).eval();
  }
  for (const int i : own) rest.col(i).setZero();
  VectorX x = rest.transpose() * solve::DenseLu(rest * rest.transpose(), solve::DenseLu::Pivots::all, 1e-11).solve(left);
  if (own.empty()) return x;
  Eigen::MatrixXd columns(J.rows(), static_cast<int>(own.size()));
  for (std::size_t k = 0; k < own.size(); ++k) columns.col(static_cast<int>(k)) = J.col(own[k]);
  const VectorX y = solve::DenseLu(columns.transpose() * columns, solve::DenseLu::Pivots::all, 1e-11).solve(columns.transpose() * (gaps - J * x));
  for (std::size_t k = 0; k < own.size(); ++k) x[own[k]] = y[static_cast<int>(k)];
  return x;
}

}  // namespace

// Coordinates of closing joints themselves.
std::vector<int> Model::screws() const {
  std::vector<int> out;
  for (const Structure::Loop& l : structure_->loops) {
    if (l.screw >= 0) out.push_back(structure_->builder.step(l.screw).first);
  }
  return out;
}

// To where they close best: by the angle between both frames, and the turns by how far these have come along.
void Model::turnScrews(VectorX& q) const {
  if (screws().empty()) return;
  system_->place(q, VectorX::Zero(q.size()));
  const std::vector<ChainFrame>& frames = system_->chain().frames();
  for (const Structure::Loop& l : structure_->loops) {
    if (l.screw < 0) continue;
    const ChainStep& step = structure_->builder.step(l.screw);
    const Vec3 axis = step.base.col(0).head<3>();
    const double pitch = step.base.col(0).tail<3>().dot(axis);
    const geometry::Pose way = geometry::inverse(frames[static_cast<std::size_t>(step.parent)].pose) * frames[static_cast<std::size_t>(l.b)].pose;
    const Eigen::Quaterniond turn(way.R);
    const double angle = 2 * std::atan2(turn.vec().dot(axis), turn.w());
    const double turns = pitch != 0 ? std::round((way.r.dot(axis) / pitch - angle) / (2 * pi)) : 0;
    q[step.first] = angle + 2 * pi * turns;
  }
}

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

// Newton on the gaps by the smallest motion of what is not held. False: they stay open.
bool Model::assemble(VectorX& q, const std::vector<char>& held) const {
  if (system_->closures().empty()) return true;
  const VectorX units = system_->units().head(system_->coordinates());
  VectorX gaps;
  Eigen::MatrixXd J;
  for (int iteration = 0; iteration < 60; ++iteration) {
    system_->closureGaps(q, gaps, &J);
    if (gaps.cwiseAbs().maxCoeff() <= 1e-13 * system_->scale()) return true;
    for (int i = 0; i < system_->coordinates(); ++i) {
      if (held[static_cast<std::size_t>(i)]) J.col(i).setZero();
    }
    J *= units.asDiagonal();
    VectorX dq = leastChange(J, gaps, screws());
    const double most = dq.lpNorm<Eigen::Infinity>();
    if (most > 0.3) dq *= 0.3 / most;
    q.head(system_->coordinates()) -= units.cwiseProduct(dq);
    if (most < 1e-14) break;
  }
  system_->closureGaps(q, gaps, nullptr);
  return gaps.allFinite() && gaps.cwiseAbs().maxCoeff() <= 1e-10 * system_->scale();
}

// Driven joints are led from zero, where the scene's offsets draw the chain closed, to where they start, so that the
// other joints stay on the side on which they are drawn. Where zero is not closed, from where they are. `doubt`: words where
// the side is unsure.
bool Model::assembleFromZero(VectorX& q, std::string& doubt) const {
  const VectorX wanted = q;
  double most = 0;
  for (const DrivenValue& d : driven_) q[d.coordinate] = 0, most = std::max(most, std::abs(d.value));
  bool singular = false;
  turnScrews(q);
  if (most > 0 && assemble(q)) {
    if (lead(q, system_->held, lastingRows(q, {}, singular), doubt)) return true;
    doubt = "the chain comes to where it does not close, so it is closed anew where they start: which of its sides it takes is not "
            "determined; draw it where they start, with driven joints that begin at zero";
  }
  q = wanted;
  turnScrews(q);
  if (assemble(q)) return true;
  // Drawn straight, say, no small motion brings the ends nearer: from beside it one may.
  geometry::SplitMix random(1);
  for (int attempt = 1; attempt <= 8; ++attempt) {
    q = wanted;
    for (int i = 0; i < system_->coordinates(); ++i) {
      if (!system_->held[static_cast<std::size_t>(i)]) q[i] += 0.1 * attempt * system_->units()[i] * random.uniform(-1, 1);
    }
    if (assemble(q)) return true;
  }
  q = wanted, doubt.clear();
  turnScrews(q);
  assemble(q);  // for the gap that it ends with
  return false;
}

// Rows that are not combinations of those before them, by their gradients.
std::vector<int> Model::independentRows(const VectorX& q) const {
  VectorX gaps;
  Eigen::MatrixXd J;
  system_->closureGaps(q, gaps, &J);
  for (int i = 0; i < system_->coordinates(); ++i) {
    if (system_->held[static_cast<std::size_t>(i)]) J.col(i).setZero();
  }
  J *= system_->units().head(system_->coordinates()).asDiagonal();
  std::vector<int> kept;
  std::vector<Eigen::VectorXd> basis;
  const double size = std::max(system_->scale(), J.lpNorm<Eigen::Infinity>());
  for (int r = 0; r < J.rows(); ++r) {
    Eigen::VectorXd rest = J.row(r).transpose();
    for (int pass = 0; pass < 2; ++pass) {
      for (const Eigen::VectorXd& b : basis) rest -= b.dot(rest) * b;
    }
    if (rest.norm() <= 1e-7 * size) continue;
    kept.push_back(r);
    basis.push_back(rest.normalized());
  }
  return kept;
}

// The same of rows that q alone may lose: a place nearby, closed too, tells what is always redundant. `staying`: coordinates
// that are not moved there; none if empty.
std::vector<int> Model::lastingRows(const VectorX& q, const std::vector<char>& staying, bool& singular) const {
  VectorX near = q;
  std::uint64_t seed = 1;
  for (int i = 0; i < near.size(); ++i) {
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    if (staying.empty() || !staying[static_cast<std::size_t>(i)]) {
      near[i] += 0.1 * system_->units()[i] * (static_cast<double>(seed >> 40) / (1 << 24) - 0.5);
    }
  }
  const std::vector<int> here = independentRows(q);
  if (!assemble(near)) return here;
  const std::vector<int> there = independentRows(near);
  singular = there.size() > here.size();
  return singular ? there : here;
}

void Model::closeLoops() {
  const std::vector<ClosureRow>& all = structure_->closures;
  if (all.empty()) return;
  const scene::Integrator integrator = scene_.solver.linkageIntegrator;
  if (scene_.solver.dynamic && integrator != scene::Integrator::generalizedAlpha && integrator != scene::Integrator::implicitEuler) {
    throw model::BuildError("/solver/integrator", "linkages with loops run with generalized-alpha or implicit-euler");
  }
  // Without damping of what a step cannot resolve, errors of the loops' forces ring on.
  constexpr double mostLeft = 0.99;
  if (scene_.solver.dynamic && integrator == scene::Integrator::generalizedAlpha && scene_.solver.rho > mostLeft) {
    remarks_.push_back({"/solver/rho", "with loops, forces ring at a \"rho\" so close to 1, and more energy is lost than at 0.9: take 0.9 or less"});
  }
  const auto loopOf = [&](int row) -> const scene::LinkLoop& {
    const Structure::Loop& l = structure_->loops[static_cast<std::size_t>(all[static_cast<std::size_t>(row)].loop)];
    return own_.loops[static_cast<std::size_t>(l.index)];
  };
  system_->setClosures(all);
  VectorX q = history_.q.head(system_->coordinates());
  std::string doubt;
  if (!assembleFromZero(q, doubt)) {
    VectorX gaps;
    system_->closureGaps(q, gaps, nullptr);
    int worst = 0;
    gaps.cwiseAbs().maxCoeff(&worst);
    throw model::BuildError(loopOf(worst).pointer, "the loop does not close: a gap of " +
                                lengthInWords(std::abs(gaps[worst])) +
                                " remains however the joints are moved; check lengths, offsets and driven joints");
  }
  if (!doubt.empty()) remarks_.push_back({own_.pointer, "on the way from zero to where the driven joints start, " + doubt});
  bool singular = false;
  const std::vector<int> kept = lastingRows(q, system_->held, singular);
  if (singular) {
    remarks_.push_back({loopOf(kept.back()).pointer,
                        "the closed chain starts in a singular position, where its loops leave it more freedoms than "
                        "elsewhere: a slightly different start tells which way it moves"});
  }
  for (std::size_t l = 0; l < structure_->loops.size(); ++l) {
    std::string names;
    for (std::size_t r = 0; r < all.size(); ++r) {
      if (all[r].loop != static_cast<int>(l) || std::find(kept.begin(), kept.end(), static_cast<int>(r)) != kept.end()) continue;
      names += (names.empty() ? "" : ", ") + all[r].name;
    }
    if (names.empty()) continue;
    const scene::LinkLoop& loop = own_.loops[static_cast<std::size_t>(structure_->loops[l].index)];
    remarks_.push_back({loop.pointer, inWords(loop) +
                                          " is redundant in: " + names +
                                          "; the other joints forbid that already, and these rows are left out"});
  }
  rows_ = kept;
  std::vector<ClosureRow> rows;
  for (const int r : kept) rows.push_back(all[static_cast<std::size_t>(r)]);
  system_->setClosures(rows);
  history_.q = VectorX::Zero(system_->size());
  history_.q.head(q.size()) = q;
  const VectorX v = history_.v.head(q.size());
  history_.v = VectorX::Zero(system_->size());
  history_.v.head(q.size()) = v;
}

// The smallest change of the free rates that keeps loops closed.
void Model::projectVelocity() {
  if (system_->closures().empty()) return;
  const int n = system_->coordinates();
  VectorX gaps;
  Eigen::MatrixXd J;
  system_->closureGaps(history_.q, gaps, &J);
  const VectorX rate = J * history_.v.head(n);
  for (int i = 0; i < n; ++i) {
    if (system_->held[static_cast<std::size_t>(i)]) J.col(i).setZero();
  }
  const VectorX units = system_->units().head(n);
  J *= units.asDiagonal();
  history_.v.head(n) -= units.cwiseProduct(leastChange(J, rate, screws()));
}

// Rows that are left out say nothing new; where that is so because joints are driven, only as long as these agree with the
// loops. The one that is open at q, or empty.
std::string Model::openRedundant(const VectorX& q) {
  constexpr double closed = 1e-7;  // of the size
  const std::vector<ClosureRow>& all = structure_->closures;
  if (rows_.size() == all.size()) return {};
  system_->place(q, history_.v);
  const std::vector<ChainFrame>& frames = system_->chain().frames();
  double most = closed * system_->scale();
  const ClosureRow* open = nullptr;
  for (std::size_t r = 0; r < all.size(); ++r) {
    if (std::find(rows_.begin(), rows_.end(), static_cast<int>(r)) != rows_.end()) continue;
    const double gap = std::abs(closureGap(all[r], frames[static_cast<std::size_t>(all[r].a)].pose, frames[static_cast<std::size_t>(all[r].b)].pose).value);
    if (gap > most) most = gap, open = &all[r];
  }
  if (!open) return {};
  return loopInWords(*open) + " would open by " +
         lengthInWords(most) + " (" + open->name + "): the chain cannot move as its joints are driven, it jams";
}

// The loop that is farthest open at q, for a step that failed; or empty.
std::string Model::openLoop(const VectorX& q) {
  if (system_->closures().empty() || !q.allFinite()) return {};
  VectorX gaps;
  system_->closureGaps(q, gaps, nullptr);
  int worst = 0;
  const double gap = gaps.cwiseAbs().maxCoeff(&worst);
  if (gap < 1e-6 * system_->scale()) return {};
  return loopInWords(system_->closures()[static_cast<std::size_t>(worst)]) + " stays open by " + lengthInWords(gap) + ": its chain may be led to where it cannot close";
}

// The joint that moves most in a motion that the last tangent does not resist; empty where there is none.
std::string Model::looseJoint() {
  constexpr int most = 400;  // larger ones would take long
  if (system_->size() == 0 || system_->size() > most) return {};
  VectorX r;
  system_->evaluate({history_.q, VectorX::Zero(system_->size()), VectorX::Zero(system_->size())}, {}, solve::Level::tangent, r);
  return looseIn(system_->tangent());
}

std::string Model::looseIn(const Eigen::MatrixXd& tangent) const {
  // Rows and columns of unlike units are made comparable first.
  VectorX scales = system_->units().head(tangent.rows());
  Eigen::MatrixXd even = scales.asDiagonal() * tangent * scales.asDiagonal();
  for (int i = 0; i < system_->coordinates(); ++i) {
    if (system_->held[static_cast<std::size_t>(i)]) even.row(i).setZero(), even.col(i).setZero();
  }
  const double largest = even.lpNorm<Eigen::Infinity>();
  if (largest > 0) even /= largest;
  for (int i = 0; i < system_->coordinates(); ++i) {
    if (system_->held[static_cast<std::size_t>(i)]) even(i, i) = 1;
  }
  for (int pass = 0; pass < 3; ++pass) {
    for (int i = 0; i < even.rows(); ++i) {
      const double size = std::max(even.row(i).cwiseAbs().maxCoeff(), even.col(i).cwiseAbs().maxCoeff());
      if (!(size > 0)) continue;
      const double d = 1 / std::sqrt(size);
      even.row(i) *= d, even.col(i) *= d, scales[i] *= d;
    }
  }
  const solve::DenseLu lu(even, solve::DenseLu::Pivots::all, 1e-13);
  if (lu.rank() == lu.size()) return {};
  const VectorX free = lu.kernel();
  // Forces of loops alone: a singular position, which is told elsewhere, and no motion.
  if (free.head(system_->coordinates()).norm() < 1e-6 * free.norm()) return {};
  const std::string name = whatMoves(scales.cwiseProduct(free).head(system_->coordinates()));
  const bool strain = name.find("strain") == 5;
  return name + (strain ? " (its basis is too alike in itself: take a lower order or legendre)" : "");
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
    const std::string far = outOfScale(history_.q);
    throw model::BuildError(own_.pointer, "what acts at the start is not finite: " +
                                (far.empty() ? "look for numbers out of all scale among masses, moduli, natural strains and "
                                               "initial values"
                                             : far));
  }
  std::string name = looseIn(system_->tangent());
  const bool isExplicit = scene_.solver.linkageIntegrator == scene::Integrator::symplecticEuler ||
                          scene_.solver.linkageIntegrator == scene::Integrator::verlet;
  // A spring or a damper holds it, but explicit steps divide by its mass.
  const bool massless = name.empty() && isExplicit;
  if (massless) {
    Eigen::MatrixXd mass;
    system_->massMatrix(history_.q, mass);
    name = looseIn(mass);
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
