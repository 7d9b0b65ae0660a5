#include "rods_shells/clamp_springs.h"

#include <algorithm>
#include <map>

namespace tendril::rods_shells {
namespace {

// Per spring, of a clamp's half springs: a number that those share, of all clamps, which bend the same edge at the same
// node; -1 for others.
std::vector<int> halvesAlike(const Structure& s) {
  std::map<std::pair<int, int>, int> at;
  std::vector<int> out(s.springs.size(), -1);
  const auto add = [&](int i) {
    const Spring& p = s.springs[static_cast<std::size_t>(i)];
    const int next = static_cast<int>(at.size());
    out[static_cast<std::size_t>(i)] =
        at.emplace(std::pair(p.node, p.e.held >= 0 ? p.f.edge : p.e.edge), next).first->second;
  };
  for (const ClampPlan& plan : s.clamps) {
    for (const int i : plan.on) add(i);
    for (const int i : plan.keep) {
      if (s.springs[static_cast<std::size_t>(i)].inner) add(i);
    }
  }
  return out;
}

}  // namespace

ClampSprings::ClampSprings(Structure& structure) : s_(structure), onNode_(halvesAlike(structure)) {
  winner_.assign(onNode_.size(), -1);
}

bool ClampSprings::act(const std::vector<char>& on) {
  active_.assign(s_.springs.size(), 1);
  for (const ClampPlan& plan : s_.clamps) {
    for (int i : plan.on) active_[i] = 0;
    for (int i : plan.keep) active_[i] = !s_.springs[static_cast<std::size_t>(i)].inner;
  }
  std::fill(winner_.begin(), winner_.end(), -1);
  for (const ClampPlan& plan : s_.clamps) {
    if (!on[static_cast<std::size_t>(plan.constraint)]) continue;
    for (int i : plan.on) {
      // Where several clamps hold one node, the last alone bends its edges.
      dropAlike(i, active_);
      active_[i] = 1;
    }
    for (int i : plan.off) active_[i] = 0;
    for (int i : plan.keep) active_[i] = 0;
  }
  keepSprings(on);
  keepBetweenClamps(on);
  bool changed = false;
  for (std::size_t i = 0; i < active_.size(); ++i) {
    Spring& p = s_.springs[i];
    changed = changed || p.active != (active_[i] != 0) || p.kept != (kept_[i] != 0);
    p.active = active_[i] != 0, p.kept = kept_[i] != 0;
  }
  return changed;
}

// Half spring i takes the place of the one in `flags` that bends the same edge at the same node. At most one has a flag
// at any time, so that each clamp costs the same however many there are.
void ClampSprings::dropAlike(int i, std::vector<char>& flags) {
  const int alike = onNode_[static_cast<std::size_t>(i)];
  if (alike < 0) return;
  int& winner = winner_[static_cast<std::size_t>(alike)];
  if (winner >= 0 && winner != i) flags[static_cast<std::size_t>(winner)] = 0;
  winner = i;
}

// What is inside a clamp keeps its energy, once: where another clamp holds the same node, in what that one bends there.
void ClampSprings::keepSprings(const std::vector<char>& on) {
  kept_.assign(s_.springs.size(), 0);
  std::fill(winner_.begin(), winner_.end(), -1);
  for (const ClampPlan& plan : s_.clamps) {
    if (!on[static_cast<std::size_t>(plan.constraint)]) continue;
    for (const int i : plan.keep) {
      dropAlike(i, kept_);
      kept_[static_cast<std::size_t>(i)] = 1;
    }
  }
  for (const ClampPlan& plan : s_.clamps) {
    if (!on[static_cast<std::size_t>(plan.constraint)]) continue;
    for (const int i : plan.off) kept_[static_cast<std::size_t>(i)] = 0;
    for (const int i : plan.on) dropAlike(i, kept_);
  }
}

// Where runs of several clamps overlap, the end of one lies inside another one, which holds the edge there: its half
// spring moves nothing, and is in no reaction.
void ClampSprings::keepBetweenClamps(const std::vector<char>& on) {
  holds_.assign(s_.edges.size(), 0);
  for (const ClampPlan& plan : s_.clamps) {
    if (!on[static_cast<std::size_t>(plan.constraint)]) continue;
    for (const int edge : plan.edges) holds_[static_cast<std::size_t>(edge)] = 1;
  }
  for (const ClampPlan& plan : s_.clamps) {
    if (!on[static_cast<std::size_t>(plan.constraint)]) continue;
    for (const int i : plan.on) {
      const Spring& p = s_.springs[static_cast<std::size_t>(i)];
      const int edge = p.e.held >= 0 ? p.f.edge : p.e.edge;
      if (!active_[static_cast<std::size_t>(i)] || !holds_[static_cast<std::size_t>(edge)]) continue;
      active_[static_cast<std::size_t>(i)] = 0, kept_[static_cast<std::size_t>(i)] = 1;
    }
  }
}

}  // namespace tendril::rods_shells
