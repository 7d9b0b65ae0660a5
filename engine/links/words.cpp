#include "links/words.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "solve/dense_lu.h"

namespace tendril::links {
namespace {

// Of the strains between two quadrature points of a soft body, within a step of motion, as longestTurn. In statics
// joints go where they must, but the chart of several rotations ends at 2 pi [rad].
constexpr double longestBend = 0.5, chartEnd = 3;

}  // namespace

std::string nameOf(const scene::Scene& scene, const BuiltLink& built) {
  const scene::Linkage& linkage = scene.linkages[static_cast<std::size_t>(built.linkage)];
  return "\"" + linkage.name + "/" + linkage.links[static_cast<std::size_t>(built.link)].name + "\"";
}

std::string lengthInWords(double meters) {
  char text[40];
  std::snprintf(text, sizeof text, meters < 0.1 ? "%.3g mm" : "%.3g m", meters < 0.1 ? 1e3 * meters : meters);
  return text;
}

std::string tooFast(const State& state, const VectorX& q, Advance advance) {
  for (const BuiltLink& built : state.structure->links) {
    for (const int joint : built.joint) {
      const ChainStep& step = state.structure->builder.step(joint);
      const int n = step.coordinates();
      const geometry::Vec6 x = step.base * (q - state.history.q).segment(step.first, n);
      if (n == 0 || state.system->held[static_cast<std::size_t>(step.first)]) continue;  // known at any speed
      if (advance != Advance::step && x.head<3>().norm() > chartEnd && built.onGroup) {
        return "joint " + nameOf(state.scene, built) + " turned by more than 3 rad in one load step";
      }
      if (advance == Advance::step && x.head<3>().norm() > longestTurn) {
        return "joint " + nameOf(state.scene, built) + " turned by more than half a radian in one step";
      }
    }
    for (const int number : built.softs) {
      for (const TendonPoint& p : state.structure->builder.soft(number).points) {
        geometry::Vec6 change = geometry::Vec6::Zero(), xi = p.reference;
        for (std::size_t j = 0; j < p.modes.size(); ++j) {
          const int k = p.first + static_cast<int>(j);
          change[p.modes[j]] += p.values[j] * (q[k] - state.history.q[k]), xi[p.modes[j]] += p.values[j] * q[k];
        }
        if (advance != Advance::damped && p.weight * change.head<3>().norm() > longestBend) {
          return "soft link " + nameOf(state.scene, built) +
                 " bent by more than half a radian between two of its points in one step";
        }
        if (xi[3] <= 0) return "soft link " + nameOf(state.scene, built) + " is compressed to nothing";
      }
    }
  }
  return {};
}

// Prescribed turns are the shorter way round from where they are accepted: a step, or a load step, may not go on to
// where that would be the other one.
std::string turnsPast(const State& state, const scene::Instant& end) {
  constexpr double farthest = 3;  // [rad]
  const BuiltLink* past = state.drives.drivenPast(farthest, state.instant, end, *state.structure);
  return past ? "joint " + nameOf(state.scene, *past) + " is driven by more than 3 rad in one " +
                    (state.scene.solver.dynamic ? "step" : "load step")
              : std::string();
}

bool countsAnew(const State& state, int coordinate) {
  return std::any_of(state.structure->links.begin(), state.structure->links.end(), [&](const BuiltLink& built) {
    return built.onGroup && coordinate >= built.jointFirst && coordinate < built.jointFirst + built.jointCount;
  });
}

std::string outOfScale(const State& state, const VectorX& q) {
  constexpr double most = 1e15;  // an angle without a digit after the point
  VectorX size = q.head(state.system->coordinates()).cwiseAbs();
  for (int i = 0; i < size.size(); ++i) {
    if (!(size[i] <= std::numeric_limits<double>::max())) size[i] = std::numeric_limits<double>::max();
  }
  if (size.size() == 0 || size.maxCoeff() <= most) return {};
  return whatMoves(state, size) +
         " stands at a number out of all scale: look at its formula, its initial value and what acts on it";
}

std::string crushed(const State& state, const VectorX& q) {
  constexpr double small = 0.3;
  for (const BuiltLink& built : state.structure->links) {
    for (const int number : built.softs) {
      for (const TendonPoint& p : state.structure->builder.soft(number).points) {
        double stretch = p.reference[3];
        for (std::size_t j = 0; j < p.modes.size(); ++j) {
          if (p.modes[j] == 3) stretch += p.values[j] * q[p.first + static_cast<int>(j)];
        }
        if (stretch >= small) continue;
        return "soft link " + nameOf(state.scene, built) +
               " is pressed to less than a third of its length: tensions, pushes or driven joints are more than its "
               "stiffness EA against stretching can bear";
      }
    }
  }
  return {};
}

std::string inWords(const scene::Linkage& linkage, const scene::LinkLoop& loop) {
  const auto name = [&linkage](int link) {
    return link < 0 ? "the base" : "\"" + linkage.links[static_cast<std::size_t>(link)].name + "\"";
  };
  return "the loop from " + name(loop.from) + " to " + name(loop.to);
}

std::string inWords(const State& state, const ClosureRow& row) {
  const scene::LinkLoop& loop =
      state.own.loops[static_cast<std::size_t>(state.structure->loops[static_cast<std::size_t>(row.loop)].index)];
  return inWords(state.own, loop) + " of \"" + state.own.name + "\"";
}

std::string whatMoves(const State& state, const VectorX& motion) {
  std::string joint, strain;
  double mostOfJoint = 0.1 * motion.cwiseQuotient(state.system->units().head(motion.size())).cwiseAbs().maxCoeff(),
         mostOfStrain = 0;
  for (const BuiltLink& built : state.structure->links) {
    const std::string name = nameOf(state.scene, built);
    for (int i = built.first; i < built.first + built.count; ++i) {
      const double size = std::abs(motion[i]) / state.system->units()[i];
      if (i >= built.jointFirst && i < built.jointFirst + built.jointCount) {
        if (size > mostOfJoint) mostOfJoint = size, joint = "joint " + name;
      } else if (size > mostOfStrain) {
        mostOfStrain = size;
        strain = "some strain of soft link " + name;
      }
    }
  }
  return joint.empty() ? strain : joint;
}

std::string looseJoint(const State& state) {
  constexpr int most = 400;  // larger ones would take long
  if (state.system->size() == 0 || state.system->size() > most) return {};
  VectorX r;
  state.system->evaluate({state.history.q, VectorX::Zero(state.system->size()), VectorX::Zero(state.system->size())},
                         {}, solve::Level::tangent, r);
  return looseIn(state, state.system->tangent());
}

std::string looseIn(const State& state, const Eigen::MatrixXd& tangent) {
  // Rows and columns of unlike units are made comparable first.
  VectorX scales = state.system->units().head(tangent.rows());
  Eigen::MatrixXd even = scales.asDiagonal() * tangent * scales.asDiagonal();
  for (int i = 0; i < state.system->coordinates(); ++i) {
    if (state.system->held[static_cast<std::size_t>(i)]) even.row(i).setZero(), even.col(i).setZero();
  }
  const double largest = even.lpNorm<Eigen::Infinity>();
  if (largest > 0) even /= largest;
  for (int i = 0; i < state.system->coordinates(); ++i) {
    if (state.system->held[static_cast<std::size_t>(i)]) even(i, i) = 1;
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
  // Forces of loops alone: a singular position, which is reported elsewhere, and no motion.
  if (free.head(state.system->coordinates()).norm() < 1e-6 * free.norm()) return {};
  const std::string name = whatMoves(state, scales.cwiseProduct(free).head(state.system->coordinates()));
  const bool strain = name.find("strain") == 5;
  return name + (strain ? " (its basis is too alike in itself: take a lower order or legendre)" : "");
}

}  // namespace tendril::links
