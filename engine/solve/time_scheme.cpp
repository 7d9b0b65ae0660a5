#include "solve/time_scheme.h"

namespace tendril::solve {

void prepareStep(ImplicitScheme scheme, const History& h, double dt, TimeStep& step, double rho) {
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
  } else if (scheme == ImplicitScheme::generalizedAlpha) {
    step.alphaM = (2 * rho - 1) / (rho + 1), step.alphaF = rho / (rho + 1);
    const double gamma = 0.5 + step.alphaF - step.alphaM, beta = 0.25 * (gamma + 0.5) * (gamma + 0.5);
    const double share = (1 - step.alphaM) / (1 - step.alphaF);
    k.rates.v = gamma / (beta * dt);
    k.rates.a = share / (beta * dt * dt);
    // auxiliary = (x - q0) / (beta dt^2) - v0 / (beta dt) - (1 / (2 beta) - 1) auxiliary0
    k.v0 = (1 - gamma / beta) * h.v + (dt * (1 - gamma / (2 * beta))) * h.auxiliary;
    k.a0 = (-share / (beta * dt)) * h.v +
           ((step.alphaM - (1 - step.alphaM) * (1 / (2 * beta) - 1)) * h.auxiliary - step.alphaF * h.a) /
               (1 - step.alphaF);
    step.guess = h.q + dt * h.v + (0.5 * dt * dt) * h.auxiliary;
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

void finishAcceleration(const TimeStep& step, const History& h, const VectorX& x, VectorX& a, VectorX& auxiliary) {
  a = step.kinematics.rates.a * (x - h.q) + step.kinematics.a0;
  auxiliary = ((1 - step.alphaF) * a + step.alphaF * h.a - step.alphaM * h.auxiliary) / (1 - step.alphaM);
}

}  // namespace tendril::solve
