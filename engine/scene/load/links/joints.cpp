// Joints of links: their kind, axis and coordinates, each driven, loaded or free, with springs and dampers; and
// warnings where a driven coordinate jumps, or a spring becomes negative.
#include <algorithm>
#include <cmath>

#include "scene/jump_search.h"
#include "scene/load/links/linkages.h"

namespace tendril::scene {
namespace {

using JointKind = LinkJoint::Kind;

constexpr JointInfo infos[] = {{"fixed", JointKind::fixed, 0, 0},
                               {"revolute", JointKind::revolute, 1, 0},
                               {"prismatic", JointKind::prismatic, 0, 1},
                               {"helical", JointKind::helical, 1, 0},
                               {"universal", JointKind::universal, 2, 0},
                               {"cylindrical", JointKind::cylindrical, 1, 1},
                               {"planar", JointKind::planar, 1, 2},
                               {"spherical", JointKind::spherical, 3, 0},
                               {"free", JointKind::free, 3, 3}};

/// Reads the values of a joint's coordinates.
class CoordinateReader {
 public:
  CoordinateReader(LoadContext& context, const JointInfo& info, const text::Value& value, LinkJoint& joint)
      : context_(context),
        info_(info),
        value_(value),
        joint_(joint),
        path_(std::string("linkages.links.joint.") + info.name + ".") {}

  /// One number for each rotation (translation): a list where there are several.
  template <class Set>
  void each(const char* key, bool rotations, Set set) {
    const text::Value* value = value_.find(key);
    const int first = rotations ? 0 : info_.rotations, count = rotations ? info_.rotations : info_.translations;
    if (!value || count == 0) return;
    if (value->isArray() && int(value->items.size()) != count) {
      context_.problem(*value, "expected " + std::to_string(count) + (count == 1 ? " number" : " numbers") +
                                   ", one for each " + (rotations ? "rotation" : "translation") + " of the joint");
      return;
    }
    if (!value->isArray() && count > 1) {
      context_.problem(*value, "expected a list of " + std::to_string(count) + " numbers");
      return;
    }
    for (int k = 0; k < count; ++k) {
      const text::Value& one = value->isArray() ? value->items[std::size_t(k)] : *value;
      set(joint_.coordinates[std::size_t(first + k)], context_.number(one, path_ + key, Use::live));
    }
  }

  /// One number for all coordinates, or two: of the rotations and of the translations, or (universal) of each.
  void spring(const char* key, formula::Number JointCoordinate::*member) {
    const text::Value* value = value_.find(key);
    if (!value) return;
    if (value->isArray() && value->items.size() != 2) {
      context_.problem(*value, "expected a number, or a list of 2");
      return;
    }
    for (std::size_t part = 0; part < (value->isArray() ? 2 : 1); ++part) {
      const formula::Number number =
          member == &JointCoordinate::rest
              ? context_.number(value->isArray() ? value->items[part] : *value, path_ + key, Use::live)
              : timedNumber(context_, value->isArray() ? value->items[part] : *value, path_ + key);
      for (std::size_t k = 0; k < joint_.coordinates.size(); ++k) {
        const std::size_t mine = info_.translations > 0 ? !joint_.coordinates[k].rotation : k;
        if (!value->isArray() || mine == part) joint_.coordinates[k].*member = number;
      }
    }
  }

 private:
  LoadContext& context_;
  const JointInfo& info_;
  const text::Value& value_;
  LinkJoint& joint_;
  std::string path_;
};

void readCoordinates(LoadContext& context, const JointInfo& info, const text::Value& value, LinkJoint& joint) {
  CoordinateReader reader(context, info, value, joint);
  const auto drive = [](JointCoordinate& coordinate, const formula::Number& number) { coordinate.driven = number; };
  const auto load = [](JointCoordinate& coordinate, const formula::Number& number) { coordinate.effort = number; };
  reader.each("angle", true, drive);
  if (const text::Value* rotation = value.find("rotation")) {
    joint.turns =
        context.rotation(*rotation, std::string("linkages.links.joint.") + info.name + ".rotation", Use::live);
    for (JointCoordinate& coordinate : joint.coordinates)
      if (coordinate.rotation) coordinate.driven = 0;
  }
  reader.each("displacement", false, drive);
  reader.each("torque", true, load);
  reader.each("force", false, load);
  reader.spring("stiffness", &JointCoordinate::stiffness);
  reader.spring("damping", &JointCoordinate::damping);
  reader.spring("rest", &JointCoordinate::rest);
}

void checkClosing(LoadContext& context, const JointInfo& info, const text::Member& kind, const text::Value& joint) {
  if (info.kind == JointKind::free)
    context.problemAtKey(kind, joint, "a free joint closes nothing; expected another one, or no loop");
  for (const text::Member& member : kind.value.members)
    if (member.key != "axis" && member.key != "pitch")
      context.problemAtKey(member, kind.value,
                           "a joint that closes a loop is neither driven nor loaded, and has no spring; give \"" +
                               member.key + "\" to a joint of the chain");
}

void warnOfJump(LoadContext& context, const text::Value& at, const formula::Number& number, bool rotation,
                const std::string& link) {
  if (!number.isTimed()) return;
  if (number.seesColumns()) {
    context.warn(at, "the driven coordinate of \"" + link +
                         "\" sees probes or states, which change from step to step only, so that it moves in jumps; "
                         "expected feedback by \"" +
                         (rotation ? "torque" : "force") + "\"");
    return;
  }
  try {
    const Jump jump = largestJump(number, context.input(), 0, context.scene.solver.duration);
    if (jump.size > 0)
      context.warn(
          at,
          "the driven coordinate of \"" + link + "\" jumps by " + inWords(jump.size) + (rotation ? " rad" : " m") +
              " at " + inWords(jump.time) +
              " s: no force can do that, and what is attached to it moves along without momentum; \"smooth(t, t0, t1)\" makes a step that takes time");
  } catch (const formula::Failure&) {  // reported when the run gets there
  }
}

/// A spring or damper that a formula of time makes negative: it would supply energy.
void warnOfNegative(LoadContext& context, const text::Value* at, const formula::Number& number,
                    const std::string& path) {
  if (!at || !number.isTimed() || number.seesColumns()) return;
  formula::Input input = context.input();
  try {
    constexpr int samples = 2000;
    for (int k = 0; k <= samples; ++k) {
      input.t = context.scene.solver.duration * k / samples;
      const double value = number(input);
      if (value >= 0) continue;
      context.warn(*at, rangeMessage(path, value) + " at t = " + inWords(input.t) + " s");
      return;
    }
  } catch (const formula::Failure&) {  // reported when the run gets there
  }
}

void warnOfNegativeSprings(LoadContext& context, const text::Value& kind, const LinkJoint& joint) {
  const std::string path = std::string("linkages.links.joint.") + jointInfoOf(joint.kind).name + ".";
  for (const JointCoordinate& coordinate : joint.coordinates) {
    warnOfNegative(context, kind.find("stiffness"), coordinate.stiffness, path + "stiffness");
    warnOfNegative(context, kind.find("damping"), coordinate.damping, path + "damping");
  }
}

}  // namespace

const JointInfo& jointInfoOf(LinkJoint::Kind kind) { return infos[static_cast<int>(kind)]; }

const JointInfo* jointInfoOf(const text::Value* joint) {
  if (!joint) return &infos[0];
  for (const JointInfo& info : infos)
    if (joint->find(info.name)) return &info;
  return nullptr;
}

LinkJoint loadLinkJoint(LoadContext& context, const text::Value* value, bool closes) {
  LinkJoint joint;
  const JointInfo* info = jointInfoOf(value);
  if (!info) {
    std::string known;
    for (const JointInfo& one : infos) known += std::string(known.empty() ? "" : ", ") + one.name;
    context.problem(*value, "expected one of " + known);
  }
  if (!info || !value) return joint;
  joint.pointer = value->pointer;
  joint.kind = info->kind;
  for (int k = 0; k < info->rotations + info->translations; ++k) {
    joint.coordinates.emplace_back();
    joint.coordinates.back().rotation = k < info->rotations;
  }
  const text::Member& kind = *value->member(info->name);
  const std::string axis = context.textAt(kind.value, "axis");
  joint.axis = !axis.empty() ? std::clamp(axis[0] - 'x', 0, 2) : info->kind == JointKind::planar ? 2 : 0;
  if (info->kind == JointKind::helical) {
    joint.pitch = context.constantAt(kind.value, "linkages.links.joint.helical", "pitch");
    if (joint.pitch == 0)
      context.problem(*kind.value.find("pitch"),
                      "the pitch is 0, so it does not advance; expected a \"revolute\" joint");
  }
  if (closes)
    checkClosing(context, *info, kind, *value);
  else
    readCoordinates(context, *info, kind.value, joint);
  return joint;
}

void warnOfJumps(LoadContext& context) {
  if (!context.dynamic) return;
  const std::vector<text::Member>& members = membersOf(context, "linkages");
  for (std::size_t i = 0; i < members.size(); ++i) {
    const text::Value& links = *members[i].value.find("links");
    for (std::size_t l = 0; l < links.members.size(); ++l) {
      const Link& link = context.scene.linkages[i].links[l];
      const text::Value* joint = links.members[l].value.find("joint");
      if (!joint) continue;
      const text::Value& kind = *joint->find(jointInfoOf(link.joint.kind).name);
      warnOfNegativeSprings(context, kind, link.joint);
      int sort[2] = {0, 0};
      for (const JointCoordinate& coordinate : link.joint.coordinates) {
        const int mine = sort[coordinate.rotation]++;
        const text::Value* at = coordinate.driven ? kind.find(coordinate.rotation ? "angle" : "displacement") : nullptr;
        if (at)
          warnOfJump(context, at->isArray() ? at->items[std::size_t(mine)] : *at, *coordinate.driven,
                     coordinate.rotation, link.name);
      }
      const text::Value* rotation = kind.find("rotation");
      for (std::size_t k = 0; k < link.joint.turns.size(); ++k) {
        const text::Value& turn = rotation->isArray() ? rotation->items[k] : *rotation;
        warnOfJump(context, *turn.find("angle"), link.joint.turns[k].angle, true, link.name);
      }
    }
  }
}

}  // namespace tendril::scene
