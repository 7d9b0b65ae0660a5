#include "solve/time_scheme.h"

namespace tendril {

void prepareStep(ImplicitScheme scheme, const History& h, double dt, TimeStep& step) {
  Kinematics& k = step.kinematics;
  step.dt = dt;
  step.at = 1;
  step.weight0 = 1, step.weight1 = 0;
  const double ratio = h.dtBefore > 0 ? dt / h.dtBefore : 0;
  k.base = h.q;
  if (scheme == ImplicitScheme::midpoint) {
    // v_mid = 2 (x - q0) / dt, v1 = 2 v_mid - v0, a = (v1 - v0) / dt.
    step.at = 0.5;
    k.rates.v = 2 / dt;
    k.rates.a = 4 / (dt * dt);
    k.v0.setZero(h.q.size());
    k.a0 = (-2 / dt) * h.v;
    step.guess = h.q + (0.5 * dt) * h.v;
  } else if (scheme == ImplicitScheme::bdf2 && ratio > 0 && ratio < 2.4) {
    const double c1 = (1 + 2 * ratio) / (1 + ratio), c0 = -(1 + ratio), cb = ratio * ratio / (1 + ratio);
    k.rates.v = c1 / dt;
    k.rates.a = c1 * c1 / (dt * dt);
    k.v0 = (cb / dt) * (h.qBefore - h.q);
    k.a0 = (c1 / dt) * k.v0 + (c0 / dt) * h.v + (cb / dt) * h.vBefore;
    step.weight0 = -c0 / c1, step.weight1 = -cb / c1;
    step.guess = h.q + dt * h.v;
  } else {
    k.rates.v = 1 / dt;
    k.rates.a = 1 / (dt * dt);
    k.v0.setZero(h.q.size());
    k.a0 = (-1 / dt) * h.v;
    step.guess = h.q + dt * h.v;
  }
}

void finishStep(const TimeStep& step, const History& h, const VectorX& x, VectorX& q, VectorX& v) {
  v = step.kinematics.rates.v * (x - h.q) + step.kinematics.v0;
  if (step.at == 0.5) {
    q = 2 * x - h.q;
    v = 2 * v - h.v;
  } else {
    q = x;
  }
}

}  // namespace tendril
