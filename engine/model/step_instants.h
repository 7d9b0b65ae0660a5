// The instants that a step of a motion is prepared with.
#pragma once

#include "model/model.h"
#include "scene/instant.h"

namespace tendril::model {

struct StepInstants {
  scene::Instant end;  ///< of the step
  scene::Instant at;   ///< where it is evaluated
};

/// Of an attempt that is evaluated at a part of its length: 1 its end, 1/2 its middle, 0 its start.
inline StepInstants stepInstants(const StepRequest& request, double part) {
  StepInstants out;
  out.end.t = request.t0 + request.dt;
  out.end.middle = request.t0 + 0.5 * request.dt;
  out.end.slack = 1e-9 * request.dt;
  out.end.columns = request.columns;
  out.at = out.end;
  out.at.t = request.t0 + part * request.dt;
  return out;
}

}  // namespace tendril::model
