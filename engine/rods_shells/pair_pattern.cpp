// Pairs in contact as the tangent holds them: a pattern of what is near, wider than what touches so that it lasts, and
// the places of its blocks in the solver's storage. Looked at again after so many steps, for it may have grown stale.
#include <algorithm>
#include <stdexcept>

#include "geometry/sort_rows.h"
#include "rods_shells/terms/pair_contacts.h"

namespace tendril::rods_shells {
namespace {

constexpr int lookAgain = 64;         // accepted steps between looks at a pattern that may have grown stale
constexpr double patternMargins = 2;  // how far ahead the pattern looks, in margins of the candidates

int placeIn(const std::vector<contact::ContactPair>& pattern, const contact::ContactPair& pair) {
  const auto at = std::lower_bound(pattern.begin(), pattern.end(), pair);
  return at != pattern.end() && *at == pair ? static_cast<int>(at - pattern.begin()) : -1;
}

}  // namespace

void PairContacts::widen(const VectorX& q) {
  for (Group& group : here()) widen(group, q);
}

void PairContacts::widen(Group& group, const VectorX& q) {
  if (!before_) before_ = state_;
  place(group, q);
  search_->near(group.among, x_, group.reach() + patternMargins * group.margin, near_);
  PairSet& pattern = patternOf(group);
  pattern.pairs = near_;
  for (const Sliding& sliding : group.slidings) pattern.pairs.push_back(sliding.pair.pair);
  geometry::sortRows(pattern.pairs);
  pattern.pairs.erase(std::unique(pattern.pairs.begin(), pattern.pairs.end()), pattern.pairs.end());
  pattern.age = 0;
  update(group, near_);
  group.found.clear();
  for (const int i : group.nodes) group.found.push_back(q.segment<3>(s_.nodeDof[i]));
  for (Sliding& sliding : group.slidings) sliding.pair.slots = placeIn(pattern.pairs, sliding.pair.pair);
}

void PairContacts::update(Group& group, std::span<const contact::ContactPair> pairs) {
  group.candidates.clear();
  const std::vector<contact::ContactPair>& pattern = patternOf(group).pairs;
  for (const contact::ContactPair& pair : pairs) {
    group.candidates.push_back(candidate(pair));
    group.candidates.back().slots = placeIn(pattern, pair);
  }
}

bool PairContacts::fits(const VectorX& q) {
  bool fit = true;
  for (const Group& group : here()) {
    forEachTouching(group, q, [&](const Candidate& c, const auto&, const Reach&) { fit = fit && c.slots >= 0; });
    for (const Sliding& sliding : group.slidings) fit = fit && sliding.pair.slots >= 0;
  }
  return fit;
}

void PairContacts::addPattern(Pattern& pattern) const {
  for (const PairSet& set : state_) {
    for (const contact::ContactPair& pair : set.pairs) {
      const auto nodes = search_->nodes(pair);
      std::array<int, 12> dofs;
      for (int k = 0; k < 12; ++k) dofs[k] = s_.nodeDof[nodes[k / 3]] + k % 3;
      addClique(dofs, pattern);
    }
  }
}

bool PairContacts::look(const VectorX& q, solve::Level level) {
  if (empty()) return false;
  follow(q);
  if (level != solve::Level::tangent || fits(q)) return false;
  widen(q);
  return true;
}

void PairContacts::bind(solve::PartedTangent& solver, const std::vector<char>& prescribed) {
  if (empty()) return;
  solver_ = &solver;
  prescribed_ = &prescribed;
  values_ = solver.values().data();
  for (Group& group : groups_) {
    group.slots.resize(patternOf(group).pairs.size());
    for (Slots& s : group.slots) s[0] = -1;
  }
}

void PairContacts::findSlots(const Candidate& c, Slots& slots) {
  if (slots[0] >= 0) return;
  const auto at = [&](int r, int k) {
    const int row = s_.nodeDof[c.nodes[r / 3]] + r % 3, col = s_.nodeDof[c.nodes[k / 3]] + k % 3;
    return (*prescribed_)[row] || (*prescribed_)[col] ? solver_->trash() : solver_->offset(row, col);
  };
  int n = 0;
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j <= i; ++j) {
      for (int r = 0; r < 3; ++r) {
        for (int k = 0; k < (i == j ? r + 1 : 3); ++k) slots[n++] = at(3 * i + r, 3 * j + k);
      }
    }
  }
}

void PairContacts::scatter(const Candidate& c, Slots& slots, const Mat3 (&h)[4][4]) {
  findSlots(c, slots);
  const int* slot = slots.data();
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j <= i; ++j) {
      for (int r = 0; r < 3; ++r) {
        for (int k = 0; k < (i == j ? r + 1 : 3); ++k) values_[*slot++] += h[i][j](r, k);
      }
    }
  }
}

bool PairContacts::accept(const VectorX& q) {
  if (empty()) return false;
  before_.reset();
  bool anew = false;
  for (Group& group : here()) anew = accept(group, q) || anew;
  before_.reset();
  return anew;
}

bool PairContacts::accept(Group& group, const VectorX& q) {
  follow(group, q);
  PairSet& pattern = patternOf(group);
  if (++pattern.age < lookAgain) return false;
  pattern.age = 0;
  std::size_t acting = 0;
  forEachTouching(group, q, [&](const Candidate&, const auto&, const Reach&) { ++acting; });
  if (pattern.pairs.size() < 64 + 8 * acting) return false;
  place(group, q);
  search_->near(group.among, x_, group.reach() + patternMargins * group.margin, near_);
  if (2 * near_.size() > pattern.pairs.size()) return false;
  group.slidings.clear();
  widen(group, q);
  return true;
}

bool PairContacts::goBack(const VectorX& q) {
  if (!before_) return false;
  setState(std::move(*before_), q);
  return true;
}

void PairContacts::setState(State state, const VectorX& q) {
  const int points = static_cast<int>(mesh_.points.size()), edges = static_cast<int>(mesh_.edges.size()),
            triangles = static_cast<int>(mesh_.triangles.size());
  bool known = state.size() == groups_.size();
  for (const PairSet& pattern : state) {
    for (const contact::ContactPair& p : pattern.pairs) {
      const bool edge = p.kind == contact::ContactPair::Kind::edges,
                 point = p.kind == contact::ContactPair::Kind::pointTriangle;
      known = known && p.i >= 0 && p.j >= 0 &&
              ((edge && p.i < edges && p.j < edges) || (point && p.i < points && p.j < triangles));
    }
  }
  if (!known) model::Archive::refuse();
  state_ = std::move(state);
  before_.reset();
  for (PairSet& pattern : state_) geometry::sortRows(pattern.pairs);
  for (Group& group : groups_) group.slidings.clear(), group.found.clear();
  follow(q);
}

void PairContacts::visit(model::Archive& archive, const VectorX& q) {
  if (empty()) return;
  State state = state_;
  const std::size_t mostPairs = mesh_.edges.size() * mesh_.edges.size() + mesh_.points.size() * mesh_.triangles.size();
  for (PairSet& set : state) {
    archive(set.age);
    archive.resize(set.pairs, mostPairs);
    for (contact::ContactPair& pair : set.pairs) archive(pair.kind, pair.i, pair.j);
  }
  if (archive.restores()) setState(std::move(state), q);
}

}  // namespace tendril::rods_shells
