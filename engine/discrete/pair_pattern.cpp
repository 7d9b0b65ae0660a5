// Pairs in contact as the tangent holds them: a pattern of what is near, wider than what touches so that it lasts, and
// the places of its blocks in the solver's storage. Looked at again after so many steps, for it may have grown stale.
#include <algorithm>
#include <stdexcept>

#include "discrete/pair_contacts.h"

namespace tendril {
namespace {

constexpr int lookAgain = 64;         // accepted steps between looks at a pattern that may have grown stale
constexpr double patternMargins = 2;  // how far ahead the pattern looks, in margins of the candidates

}  // namespace

void PairContacts::widen(const VectorX& q) {
  if (!before_) before_ = state_;
  place(q);
  search_->near(x_, reach_ + patternMargins * margin_, near_);
  state_.pattern = near_;
  for (const Rub& rub : rubs_) state_.pattern.push_back(rub.pair.pair);
  std::sort(state_.pattern.begin(), state_.pattern.end());
  state_.pattern.erase(std::unique(state_.pattern.begin(), state_.pattern.end()), state_.pattern.end());
  state_.age = 0;
  update(near_);
  found_ = q;
  for (Rub& rub : rubs_) rub.pair.slots = placeInPattern(rub.pair.pair);
}

bool PairContacts::fits(const VectorX& q) {
  bool fit = true;
  forEachTouching(q, [&](const Candidate& c, const auto&, const Reach&) { fit = fit && c.slots >= 0; });
  for (const Rub& rub : rubs_) fit = fit && rub.pair.slots >= 0;
  return fit;
}

std::vector<std::array<int, 12>> PairContacts::patternDofs() const {
  std::vector<std::array<int, 12>> out;
  for (const ContactPair& pair : state_.pattern) {
    const auto nodes = search_->nodes(pair);
    std::array<int, 12> dofs;
    for (int k = 0; k < 12; ++k) dofs[k] = s_.nodeDof[nodes[k / 3]] + k % 3;
    out.push_back(dofs);
  }
  return out;
}

int PairContacts::placeInPattern(const ContactPair& pair) const {
  const auto at = std::lower_bound(state_.pattern.begin(), state_.pattern.end(), pair);
  return at != state_.pattern.end() && *at == pair ? static_cast<int>(at - state_.pattern.begin()) : -1;
}

void PairContacts::bind(PartedTangent& solver, const std::vector<char>& prescribed) {
  if (empty()) return;
  solver_ = &solver;
  prescribed_ = &prescribed;
  values_ = solver.values().data();
  slots_.resize(state_.pattern.size());
  for (Slots& s : slots_) s[0] = -1;
}

void PairContacts::findSlots(const Candidate& c) {
  Slots& slots = slots_[c.slots];
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

void PairContacts::scatter(const Candidate& c, const Mat3 (&h)[4][4]) {
  findSlots(c);
  const int* slot = slots_[c.slots].data();
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
  follow(q);
  if (++state_.age < lookAgain) return false;
  state_.age = 0;
  std::size_t acting = 0;
  forEachTouching(q, [&](const Candidate&, const auto&, const Reach&) { ++acting; });
  if (state_.pattern.size() < 64 + 8 * acting) return false;
  place(q);
  search_->near(x_, reach_ + patternMargins * margin_, near_);
  if (2 * near_.size() > state_.pattern.size()) return false;
  rubs_.clear();
  widen(q);
  before_.reset();
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
  for (const ContactPair& p : state.pattern) {
    const bool known = p.kind == ContactPair::Kind::edges ? p.i >= 0 && p.j >= 0 && p.i < edges && p.j < edges
                                                          : p.kind == ContactPair::Kind::pointTriangle && p.i >= 0 &&
                                                                p.j >= 0 && p.i < points && p.j < triangles;
    if (!known) throw std::runtime_error("the saved state does not belong to this scene");
  }
  state_ = std::move(state);
  before_.reset();
  std::sort(state_.pattern.begin(), state_.pattern.end());
  rubs_.clear();
  found_.resize(0);
  if (!empty()) follow(q);
}

}  // namespace tendril
