// The parts of the loader that read linkages: joints, bodies, cables, and positions on links. Internal to the loader.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scene/load/context.h"
#include "scene/load/topics.h"

namespace tendril::scene {

/// A kind of joint: its name and its coordinates, rotations first.
struct JointInfo {
  const char* name;
  LinkJoint::Kind kind;
  int rotations, translations;
};

/// The kind that the object `joint` of a link names (a missing joint is fixed); null if it names none.
const JointInfo* jointInfoOf(const text::Value* joint);
const JointInfo& jointInfoOf(LinkJoint::Kind kind);

/// A joint of a link, or one that closes a loop and has no motor, load or spring.
LinkJoint loadLinkJoint(LoadContext& context, const text::Value* value, bool closes);  // links/joints.cpp
/// Where formulas of driven coordinates jump, or those of springs and dampers turn negative: a warning.
void warnOfJumps(LoadContext& context);  // links/joints.cpp

void loadLinkBody(LoadContext& context, const text::Value& value, Link& link);  // links/bodies.cpp

/// The cables of a linkage whose links are already loaded.
void loadCables(LoadContext& context, const text::Value& cables, Linkage& linkage);  // links/cables.cpp

/// Index of the link of this name, or -1.
int findLink(const Linkage& linkage, std::string_view name);
/// Adds a problem: `linkage` has no link `name`.
void unknownLink(LoadContext& context, const text::Value& at, std::string_view name, const Linkage& linkage,
                 bool within);

/// Splits "palm@0.5" into a name and a position from 0 to 1 (1 without one). False if the position is invalid.
bool splitPosition(const std::string& text, std::string& name, double& at);

}  // namespace tendril::scene
