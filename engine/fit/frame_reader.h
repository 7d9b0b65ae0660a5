// The part of a plan that says how places were measured: `data.frame`, of a tracker or of a camera.
#pragma once

#include <string>

#include "fit/plan.h"
#include "fit/plan_text.h"
#include "tendril/simulation.h"

namespace tendril::fit {

/// Whether the frame, a value of the plan, has this name for one of its numbers.
bool namesInFrame(const text::Value& frame, const std::string& name);

/// Whether an experiment's frame has unknowns of its own ("fit"), so that a plan needs no others.
bool fitsFrames(const text::Value& experiments);

/// Reads a frame into the experiment. Its unknowns must be known; those of "fit" are added by fitFrame().
void readFrame(PlanText& text, const text::Value& frame, Plan& plan, Experiment& experiment);

/// Reads that a column is seen through the experiment's frame, unless it says that it is not. Its probe must then be a
/// coordinate of a place, "tip.x", which means the x that the frame has of the place.
void readSeen(PlanText& text, const text::Value& column, const Simulation& simulation, const Experiment& experiment,
              DataColumn& out);

/// With the columns and data of the experiment known: adds what "fit" makes unknown, within bounds of its own, and
/// finds what the frame does not see as the run begins. `number`: of the experiment.
void fitFrame(PlanText& text, const text::Value& frame, const Simulation& simulation, std::size_t number, Plan& plan,
              Experiment& experiment);

/// "rotation x" of a tracker, "image of point 0, x" of a camera.
std::string numberName(const Placement& placement, int number);

}  // namespace tendril::fit
