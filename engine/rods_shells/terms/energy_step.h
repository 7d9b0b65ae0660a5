// What a step that keeps energy remembers of its start: strains and their gradients, element by element.
#pragma once

#include <vector>

#include "elastic/stretch.h"
#include "solve/mechanical_system.h"
#include "solve/parted_tangent.h"

namespace tendril::rods_shells {

/// Rods. Coordinates of a bend-twist spring: edge vector into its node, edge vector out of it, their twist angles.
struct RodStepStart {
  struct Bend {
    Vec3 strain;      ///< curvature 1, curvature 2, twist
    Vec<8> slope[3];  ///< their gradients
    Vec3 e, f;        ///< edge vectors [m]
    double thetaE = 0, thetaF = 0;
    Vec3 turned = Vec3::Zero();  ///< what the turn of a clamp's frame within the step adds to the strain
  };
  struct Tie {
    Vec3 strain;
    Mat3 axes;               ///< turn of the frame from its initial directions
    Eigen::MatrixXd slopes;  ///< per unknown
  };
  VectorX q;                           ///< displacements and twists
  std::vector<Vec3> edge;              ///< per edge: its vector [m]
  std::vector<double> length, excess;  ///< per edge: |e|, |e| - initial length [m]
  std::vector<Bend> bend;              ///< per spring; inactive ones are not set
  std::vector<Tie> tie;
};

/// Shells. Coordinates of a hinge: its edge, and the vectors from the edge's middle to its two corners.
struct ShellStepStart {
  VectorX q;                            ///< displacements and turns of normals
  std::vector<double> share;            ///< per edge: shareOfStart of its mid-edge normal
  std::vector<double> length, stretch;  ///< per edge: |e| [m] and its strain
  std::vector<Vec3> tangent;            ///< per edge: unit vector
  struct Hinge {
    double angle = 0, moment = 0;  ///< [rad]; dE/dangle collected over mid-edge triangles [N m]
    double turned = 0;             ///< by what a held plane's own turn in the step changes the angle [rad]
    double noise = 0;              ///< of the discrete gradient, squared [rad^2/m^2]
    Vec<9> slope;                  ///< of the angle [rad/m]
    Vec<9> vectors;                ///< [m]
  };
  std::vector<Hinge> hinge;        ///< two per edge: the hinge, or either side against a held plane
  std::vector<Vec3> green, alpha;  ///< per triangle
};

/// What elements add to in such a step: what has a potential, what has none, the tangent's part that is not symmetric.
struct StepForces {
  solve::Evaluation evaluation;
  double noise = 0;  ///< [N^2] square of the round-off that discrete gradients carry into the forces
  VectorX* gradient;
  VectorX* applied;
  solve::PartedTangent* tangent;  ///< null where that part is left out
};

/// Adds the potential and the forces of an edge between the nodes whose first unknowns are a and b.
template <solve::Level level>
void addStretch(const elastic::StretchStep& step, int a, int b, StepForces& out) {
  out.evaluation.potential += step.potential();
  out.evaluation.magnitude += step.response.magnitude;
  if constexpr (level != solve::Level::value) {
    const Vec3 force = step.force(), smooth = step.smooth();
    out.gradient->segment<3>(a) -= smooth, out.gradient->segment<3>(b) += smooth;
    out.applied->segment<3>(a) -= force - smooth, out.applied->segment<3>(b) += force - smooth;
    out.evaluation.roundOff += 2 * force.squaredNorm();
  }
}

/// The part of its tangent that is not in the symmetric solver; `dofs`: unknowns of both nodes, -1 where prescribed.
inline void addRemainder(const elastic::StretchStep& step, std::span<const int> dofs, solve::PartedTangent& tangent) {
  const Mat3 rest = step.remainder();
  Mat<6> block;
  block << rest, -rest, -rest, rest;
  tangent.add(dofs, block);
}

/// Weight of the start, in [0, 1/2), at which what has no inertia and is late by `delay` [s] balances in a step: 0
/// where the step is long, so that it follows its equilibrium, nearly 1/2 where it is short.
double shareOfStart(double delay, double dt);

}  // namespace tendril::rods_shells
