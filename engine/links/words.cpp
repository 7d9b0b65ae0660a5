// What a linkage says of itself: names of what moves, moves too fast, is out of all scale or crushed, and which dt would
// spare cuts.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "links/model.h"

namespace tendril::links {
namespace {

// Within a step of motion: of a joint, and of the strains between two quadrature points of a soft body. Beyond, schemes
// gain energy out of nothing. In statics joints go where they must, but the chart of several rotations ends at 2 pi [rad].
constexpr double longestTurn = 0.5, longestBend = 0.5, chartEnd = 3;

/// "arm/limb" in quotes.
std::string nameOf(const scene::Scene& scene, const BuiltLink& built) {
  const scene::Linkage& linkage = scene.linkages[static_cast<std::size_t>(built.linkage)];
  return "\"" + linkage.name + "/" + linkage.links[static_cast<std::size_t>(built.link)].name + "\"";
}

}  // namespace

// What turned or bent too far within the step from the accepted state to q, or empty.
std::string Model::tooFast(const VectorX& q, Way way) const {
  for (const BuiltLink& built : structure_->links) {
    for (const int joint : built.joint) {
      const ChainStep& step = structure_->builder.step(joint);
      const int n = step.coordinates();
      const geometry::Vec6 x = step.base * (q - history_.q).segment(step.first, n);
      if (n == 0 || system_->held[static_cast<std::size_t>(step.first)]) continue;  // known at any speed
      if (way != Way::step && x.head<3>().norm() > chartEnd && built.onGroup) {
        return "joint " + nameOf(scene_, built) + " turned by more than 3 rad in one load step";
      }
      if (way == Way::step && x.head<3>().norm() > longestTurn) {
        return "joint " + nameOf(scene_, built) + " turned by more than half a radian in one step";
      }
    }
    for (const int number : built.softs) {
      for (const TendonPoint& p : structure_->builder.soft(number).points) {
        geometry::Vec6 change = geometry::Vec6::Zero(), xi = p.reference;
        for (std::size_t j = 0; j < p.modes.size(); ++j) {
          const int k = p.first + static_cast<int>(j);
          change[p.modes[j]] += p.values[j] * (q[k] - history_.q[k]), xi[p.modes[j]] += p.values[j] * q[k];
        }
        if (way != Way::damped && p.weight * change.head<3>().norm() > longestBend) {
          return "soft link " + nameOf(scene_, built) + " bent by more than half a radian between two of its points in one step";
        }
        if (xi[3] <= 0) return "soft link " + nameOf(scene_, built) + " is compressed to nothing";
      }
    }
  }
  return {};
}

// Once in a run, before the accepted state moves on: joints that are driven go as they must, at any speed, but what they
// shake is seen only so often. A leap, which has no speed, is no matter of dt.
void Model::sayWhirled(model::StepReport& report, double dt) {
  if (saidWhirled_) return;
  for (const BuiltLink& built : structure_->links) {
    for (const int joint : built.joint) {
      const ChainStep& step = structure_->builder.step(joint);
      const int n = step.coordinates();
      if (n == 0 || !system_->held[static_cast<std::size_t>(step.first)]) continue;
      const double turn = (step.base * (q_ - history_.q).segment(step.first, n)).head<3>().norm();
      const double speed = (step.base * v_.segment(step.first, n)).head<3>().norm();
      if (!(turn > longestTurn && speed * dt > longestTurn)) continue;
      saidWhirled_ = true;
      char words[160];
      std::snprintf(words, sizeof words, " is driven by %.3g rad within a step of %.3g s: what it shakes is not followed; half a radian a step takes a \"dt\" of %.2g s",
                    turn, dt, longestTurn / speed);
      report.warnings.push_back("joint " + nameOf(scene_, built) + words);
      return;
    }
  }
}

// Names a coordinate in q that is out of all scale; or empty.
std::string Model::outOfScale(const VectorX& q) const {
  constexpr double most = 1e15;  // an angle without a digit after the point
  VectorX size = q.head(system_->coordinates()).cwiseAbs();
  for (int i = 0; i < size.size(); ++i) {
    if (!(size[i] <= std::numeric_limits<double>::max())) size[i] = std::numeric_limits<double>::max();
  }
  if (size.size() == 0 || size.maxCoeff() <= most) return {};
  return whatMoves(size) +
         " stands at a number out of all scale: look at its formula, its initial value and what acts on it";
}

// Names a soft link that is pressed together to a small part of its length somewhere; or empty.
std::string Model::crushed(const VectorX& q) const {
  constexpr double small = 0.3;
  for (const BuiltLink& built : structure_->links) {
    for (const int number : built.softs) {
      for (const TendonPoint& p : structure_->builder.soft(number).points) {
        double stretch = p.reference[3];
        for (std::size_t j = 0; j < p.modes.size(); ++j) {
          if (p.modes[j] == 3) stretch += p.values[j] * q[p.first + static_cast<int>(j)];
        }
        if (stretch >= small) continue;
        return "soft link " + nameOf(scene_, built) +
               " is pressed to less than a third of its length: tensions, pushes or driven joints are more than its "
               "stiffness EA against stretching can bear";
      }
    }
  }
  return {};
}

std::string Model::loopInWords(const ClosureRow& row) const {
  const scene::LinkLoop& loop = own_.loops[static_cast<std::size_t>(structure_->loops[static_cast<std::size_t>(row.loop)].index)];
  return inWords(loop) + " of \"" + own_.name + "\"";
}

std::string Model::inWords(const scene::LinkLoop& loop) const {
  const auto name = [this](int link) { return link < 0 ? "the base" : "\"" + own_.links[static_cast<std::size_t>(link)].name + "\""; };
  return "the loop from " + name(loop.from) + " to " + name(loop.to);
}

// Names what moves in a motion of the coordinates: a joint, if one takes part.
std::string Model::whatMoves(const VectorX& motion) const {
  std::string joint, strain;
  double mostOfJoint = 0.1 * motion.cwiseQuotient(system_->units().head(motion.size())).cwiseAbs().maxCoeff(), mostOfStrain = 0;
  for (const BuiltLink& built : structure_->links) {
    const std::string name = nameOf(scene_, built);
    for (int i = built.first; i < built.first + built.count; ++i) {
      const double size = std::abs(motion[i]) / system_->units()[i];
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

// Attempts that come to nothing cost as much as steps, or more: where they are many, says once which dt spares them, if
// that is likely to save half of the work. Not from the first few steps: they need not be like the rest.
void Model::adviseShorter(const model::StepRequest& request, model::StepReport& report) {
  constexpr double perStep = 5;  // Newton iterations of a step that goes through
  if (report.stopped || cuts_.said || scene_.solver.adaptive) return;
  cuts_.iterations += report.iterations;
  if (report.accepted) {
    ++cuts_.taken, cuts_.covered += request.dt;
    if (request.dt < 0.5 * scene_.solver.dt) ++cuts_.shortTaken, cuts_.shortCovered += request.dt;
    return;
  }
  ++cuts_.cut;
  if (cuts_.cut < 100 || 3 * cuts_.cut < cuts_.taken || cuts_.covered < std::min(0.25 * scene_.solver.duration, 1.0))
    return;
  // Where cuts were needed, steps of this length went through.
  const double advised = cuts_.shortCovered / static_cast<double>(std::max(1L, cuts_.shortTaken));
  if (!(perStep * cuts_.covered / advised < 0.5 * static_cast<double>(cuts_.iterations))) return;
  cuts_.said = true;
  char before[160], after[160];
  std::snprintf(before, sizeof before,
                "\": %ld of %ld attempts at a step up to t = %.4g s were cut (the last: ",
                cuts_.cut, cuts_.cut + cuts_.taken, request.t0);
  std::snprintf(after, sizeof after, "); a \"dt\" of %.1g s or less is likely to run faster", advised);
  report.warnings.push_back("dt is long for the motion of \"" + own_.name + before + report.reason + after);
}

}  // namespace tendril::links
