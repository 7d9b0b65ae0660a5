// What double precision makes of rods and shells: states in which nothing acts at all, stiffness that is rounded away
// by its own size, and translations, which no stiffness resists and none may therefore round.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "rods_shells/springs.h"
#include "rods_shells/terms/system.h"

namespace tendril::rods_shells {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();
// Round-off of the stiffness, of the inertia that resists a translation, from which on translations are solved for
// apart. Below it they are right to that much in each solve, and Newton's next iteration squares it.
constexpr double lostTranslation = 1e-9;
constexpr double leftToTurn =
    1e-6;  // of the moments of all forces: so much may be left to turn a stiff body that floats

}  // namespace

// As built: what is held is where it was, shapes are natural, nobody actuates them.
bool System::isAsBuilt() const {
  for (const int i : here().edges) {
    const scene::Rod& rod = scene_.rods[structure_.edges[i].rod];
    if (rod.naturalStraight || rod.naturalCurvature || rod.naturalTwist || rod.naturalStretch) return false;
  }
  for (const int i : here().shellEdges) {
    if (scene_.shells[structure_.shell.edges[i].shell].naturalFlat) return false;
  }
  for (const int i : here().springs) {
    if (structure_.springs[i].natural != structure_.springs[i].natural0) return false;
  }
  for (const int i : here().connectors) {
    if (structure_.connectors[i].natural != structure_.connectors[i].initial) return false;
  }
  for (const int i : here().edges) {
    if (structure_.edges[i].naturalLength != structure_.edges[i].length) return false;
  }
  for (const int i : here().shellEdges) {
    if (structure_.shell.edges[i].natural != structure_.shell.edges[i].natural0) return false;
  }
  const std::vector<elastic::EdgeFrame>& held = supports_->held();
  for (std::size_t i = 0; i < held.size(); ++i) {
    if (!here().has(structure_.nodeDof[structure_.held[i].node])) continue;
    const elastic::EdgeFrame built = heldFrame(structure_.held[i].t, structure_.held[i].d1);
    if (held[i].t != built.t || held[i].d1 != built.d1) return false;
  }
  for (std::size_t i = 0; i < structure_.shell.held.size(); ++i) {
    if (!here().has(structure_.nodeDof[structure_.shell.edges[structure_.shell.held[i].edge].a])) continue;
    if (supports_->heldPlanes()[i] && supports_->heldNormals()[i] != structure_.shell.held[i].normal) return false;
  }
  return true;
}

// Nothing has moved from where it was built and nothing acts: what is left of the residual is round-off, in any unit.
bool System::isUntouched(const solve::Motion& motion, const solve::Rates& rates, const solve::Evaluation& out) const {
  if (out.loaded || touches_ || loads_->grab || feelsPlace()) return false;
  if (!motion.q.isZero(0)) return false;
  if (rates.a > 0 && (!motion.a.isZero(0) || !motion.v.isZero(0))) return false;
  return isAsBuilt();
}

// Every pivot of a factorization is the difference of numbers as large as its diagonal.
double System::roundedEnergy(const VectorX& dx) const {
  const std::span<const double> values = solver_->values();
  const int* mine = part_ < 0 ? nullptr : parts_.unknowns.unknowns[part_].data();
  double sum = 0;
  for (int k = 0; k < size(); ++k) sum += std::abs(values[diagonal_[mine ? mine[k] : k]]) * dx[k] * dx[k];
  return eps * sum;
}

// Where a long body is barely held, pivots fall to 1 / n^2 of what they would be without bending stiffness, and carry
// the round-off of all edges before them; measured 13 n^2 eps on a free bar of 3000 edges. Below some hundred edges
// that is too little to tell it from a motion that truly nothing holds.
double System::pivotNoise() const {
  const double n = static_cast<double>(here().edges.size() + here().shellEdges.size());
  if (n < 300) return 0;
  // A long rod resists so little of what its edges do that the last digits of these may be all of a pivot.
  double longest = 0;
  for (const int i : here().edges) longest = std::max(longest, structure_.edges[i].index + 1.0);
  return eps * std::pow(longest, 4) > 1 ? std::numeric_limits<double>::infinity() : 50 * n * n * eps;
}

// The round-off of a stiffness grows with the fourth power of the edges along a body against what it resists in all.
std::string System::tooFine(double share) const {
  // Where a field pulls, it may be that which has no end.
  if (feelsPlace()) return {};
  const Structure& s = structure_;
  std::vector<int> edges(s.bodyNodes.size(), 0);
  for (const int i : here().edges) {
    ++edges[s.edges[i].rod];
  }
  for (const int i : here().shellEdges) ++edges[scene_.bodyOfShell(s.shell.edges[i].shell)];
  const auto most = std::max_element(edges.begin(), edges.end());
  if (most == edges.end()) return {};
  const int body = static_cast<int>(most - edges.begin());
  const double finer = std::pow(0.01 / std::max(share, 0.01), scene_.isRod(body) ? 0.25 : 0.5);
  const double enough = std::max(1.0, finer * *most), unit = std::pow(10, std::floor(std::log10(enough)));
  char text[320];
  std::snprintf(
      text, sizeof text,
      "the %d edges of \"%s\" are too many for double precision: their stiffness is so large against what acts "
      "that its round-off decides; take about %.0f edges or fewer, a softer material, or in motion a shorter step",
      *most, scene_.bodyName(body).c_str(), std::floor(enough / unit) * unit);
  return text;
}

// What floats freely resists a translation by inertia and drag alone, K t = 0; but K's round-off would act like springs
// to the ground. So that the translation is solved for by itself, with what is held, touched or pulled left out.
void System::weighTranslations(const solve::Motion& motion, const solve::Rates& rates) {
  floats_.setZero();
  if (!(rates.a > 0) || touches_ || loads_->grab || feelsVelocity() || feelsPlace()) return;
  const auto& mask = supports_->prescribed();
  for (const int d : here().nodeDofs) {
    if (mask[d] || mask[d + 1] || mask[d + 2]) return;
  }
  inertia_.setZero(size());
  floating_.clear();
  const std::span<const double> values = solver_->values();
  double stiffness = 0;
  for (const int d : here().nodeDofs) {
    const int own = part_ < 0 ? d : parts_.unknowns.local[d];
    floating_.push_back(own);
    for (int k = 0; k < 3; ++k) {
      inertia_[own + k] = rates.a * loads_->mass()[d + k] + rates.v * loads_->viscosity()[d + k];
      floats_[k] += inertia_[own + k];
      stiffness += std::abs(values[diagonal_[d + k]]);
    }
  }
  if (eps * stiffness < lostTranslation * floats_.minCoeff()) {
    floats_.setZero();
    return;
  }
  arms_.resize(size());
  Vec3 middle = Vec3::Zero();
  for (std::size_t i = 0; i < floating_.size(); ++i) {
    const int own = floating_[i];
    arms_.segment<3>(own) = motion.q.segment<3>(own);
    middle += arms_.segment<3>(own);
  }
  middle /= static_cast<double>(floating_.size());
  // Displacements first: they may be far larger than the body.
  Vec3 built = Vec3::Zero();
  for (const int d : here().nodeDofs) built += structure_.nodes[nodeOf_[d]];
  built /= static_cast<double>(floating_.size());
  momentScale_ = 0;
  for (std::size_t i = 0; i < floating_.size(); ++i) {
    const int own = floating_[i], d = here().nodeDofs[i];
    arms_.segment<3>(own) += structure_.nodes[nodeOf_[d]] - built - middle;
    // In a step that keeps energy edgeLoad_ holds forces between the body's own nodes too, which have no moment.
    const double load = energyStep_ > 0 ? 0 : edgeLoad_.segment<3>(d).norm();
    const double force =
        (loads_->mass()[d] * motion.a.segment<3>(own)).norm() + loads_->dead().segment<3>(d).norm() + load;
    momentScale_ += arms_.segment<3>(own).norm() * force;
  }
}

// Forces between its nodes have no moment, whatever round-off makes of each of them.
int System::floatBalance(const VectorX& r) const {
  if (floats_.isZero(0)) return 0;
  Vec3 moment = Vec3::Zero();
  for (const int own : floating_) moment += arms_.segment<3>(own).cross(r.segment<3>(own));
  for (const int i : here().edges) {
    const int theta = structure_.edges[i].theta;
    moment += r[part_ < 0 ? theta : parts_.unknowns.local[theta]] * elasticity_->frames().edges[i].t;
  }
  for (const int i : here().welds) {
    const int turn = structure_.welds[i].turn;
    moment += r.segment<3>(part_ < 0 ? turn : parts_.unknowns.local[turn]);
  }
  return moment.norm() <= leftToTurn * momentScale_ ? 1 : -1;
}

void System::solve(const VectorX& rhs, VectorX& x) {
  if (part_ < 0 && parts_.unknowns.count() > 1) {
    VectorX part;
    for (int p = 0; p < parts_.unknowns.count(); ++p) {
      enter(p);
      const std::vector<int>& mine = parts_.unknowns.unknowns[p];
      part.resize(size());
      const VectorX own = rhs(mine);
      solver_->part(p).solve({own.data(), mine.size()}, {part.data(), mine.size()});
      x(mine) = part;
    }
    return enter(-1);
  }
  const auto solveFor = [&](const VectorX& b) {
    solver_->part(solverPart())
        .solve({b.data(), static_cast<std::size_t>(b.size())}, {x.data(), static_cast<std::size_t>(x.size())});
  };
  if (floats_.isZero(0)) return solveFor(rhs);
  Vec3 by = Vec3::Zero(), left = Vec3::Zero();
  for (const int d : floating_) by += rhs.segment<3>(d);
  by = by.cwiseQuotient(floats_);
  rest_ = rhs;
  for (const int d : floating_) rest_.segment<3>(d) -= inertia_.segment<3>(d).cwiseProduct(by);
  solveFor(rest_);
  for (const int d : floating_) left += inertia_.segment<3>(d).cwiseProduct(x.segment<3>(d));
  by -= left.cwiseQuotient(floats_);
  for (const int d : floating_) x.segment<3>(d) += by;
}

}  // namespace tendril::rods_shells
