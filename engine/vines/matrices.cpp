#include "vines/matrices.h"

#include "vines/pin_spring.h"

namespace tendril::vines {
namespace {

void addPins(const Chain& chain, const Actuation& actuation, Matrices& out) {
  const bool implicit = chain.parameters().springs == Parameters::Springs::implicit;
  for (int i = 0; i < chain.pairs(); ++i) {
    double bend = pinAngle(chain, i);
    const auto pin = static_cast<std::size_t>(i);
    if (pin < actuation.curvature.size()) bend -= actuation.curvature[pin] * chain.pinLength(i);
    const elastic::KelvinVoigt<double> spring = pinSpring(chain, i, bend);
    const int ahead = 6 * i + 2, behind = 6 * i - 1;  // angles of the two bodies; -1: the base
    double moment = -spring.stress(bend) - spring.damping(chain.v[static_cast<std::size_t>(ahead)] -
                                                          (i > 0 ? chain.v[static_cast<std::size_t>(behind)] : 0.0));
    if (pin < actuation.moments.size()) moment += actuation.moments[pin];
    const auto add = [&](MatrixX& m, double value) {
      m(ahead, ahead) += value;
      if (i > 0) m(behind, behind) += value, m(ahead, behind) -= value, m(behind, ahead) -= value;
    };
    out.forces[ahead] += moment;
    if (i > 0) out.forces[behind] -= moment;
    add(out.stiffness, pinTangent(chain, i, bend));
    add(out.damping, spring.viscosity);
    if (implicit) add(out.heldStiff, spring.stiffness), add(out.heldDamp, spring.viscosity);
  }
}

void addPulls(const Chain& chain, const Actuation& actuation, Matrices& out) {
  const double d = chain.parameters().halfLength;
  for (const Pull& pull : actuation.pulls) {
    const double length = chain.pairLength(pull.pair);
    const bool second = pull.along > 0.5 * length;
    const int body = 2 * pull.pair + (second ? 1 : 0);
    const double lever = second ? pull.along - length + d : pull.along - d;
    const Vec2 along = directionOf(chain.angle(body)), across = lever * leftOf(along);
    const Vec2 force = pull.force + pull.stiffness * (pull.target - chain.position(body) - lever * along);
    Mat<2, 3> motion;
    motion << Mat<2>::Identity(), across;
    const Mat3 held = pull.stiffness * motion.transpose() * motion;
    out.forces.segment<3>(3 * body) += motion.transpose() * force;
    out.heldStiff.block<3, 3>(3 * body, 3 * body) += held;
    out.stiffness.block<3, 3>(3 * body, 3 * body) += held;
    out.stiffness(3 * body + 2, 3 * body + 2) += lever * along.dot(force);
  }
}

}  // namespace

Matrices matricesOf(const Chain& chain, const Actuation& actuation) {
  const int n = 3 * chain.bodies();
  Matrices out;
  out.mass.resize(n), out.forces.setZero(n);
  for (MatrixX* m : {&out.stiffness, &out.damping, &out.heldStiff, &out.heldDamp}) m->setZero(n, n);
  for (int b = 0; b < chain.bodies(); ++b) {
    const double mass = chain.bodyMass(b);
    out.mass.segment<3>(3 * b) << mass, mass, chain.bodyInertia(b);
    out.forces.segment<2>(3 * b) += mass * actuation.gravity;
  }
  addPins(chain, actuation, out);
  addPulls(chain, actuation, out);
  for (std::size_t b = 0; b < actuation.fields.size(); ++b) {
    const BodySlopes& field = actuation.fields[b];
    const int at = 3 * static_cast<int>(b);
    const double mass = out.mass[at], inertia = out.mass[at + 2];
    out.forces.segment<3>(at) += field.force;
    out.stiffness.block<3, 3>(at, at) += field.stiffness, out.damping.block<3, 3>(at, at) += field.damping;
    out.heldStiff.block<3, 3>(at, at) += implicitPart(field.stiffness, mass, inertia);
    out.heldDamp.block<3, 3>(at, at) += implicitPart(field.damping, mass, inertia);
  }
  return out;
}

}  // namespace tendril::vines
