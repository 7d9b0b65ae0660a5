// Bodies of a chain eliminated from the leaves inwards: each one's own coordinates by a small dense factor, so that
// what hangs on a body is seen there as a wrench that depends on how the end moves (as articulated bodies, Featherstone
// 2008, here with full derivatives and unsymmetric).
#include <algorithm>
#include <cmath>

#include "links/chain/blocks.h"
#include "links/chain/chain.h"

namespace tendril::links {

// What a body's children do at their starts joins what it does itself; `throughAll` of the children is known.
void Chain::addBeyond(Body& body) {
  body.ownAll = body.own, body.byInputAll = body.byInput, body.toStartAll = body.toStart,
  body.throughAll = body.through;
  const int n = body.n, ld = body.ld;
  const bool anchored = body.parent < 0;
  double seen[6 * blocks::all];
  std::vector<double>& turn = body.load;
  for (const int c : body.children) {
    const Body& child = bodies_[c];
    blocks::moveThrough(child.origin - body.origin, child.throughAll.data(), seen);
    const double* columns = locals_[child.on].columns.data();
    turn.assign(static_cast<std::size_t>(6 * ld), 0);
    blocks::addProduct(inputs_, ld, seen, blocks::all, columns, ld, turn.data(), ld);
    const double* shift = columns + blocks::turn * ld;
    blocks::addTransposed(n, ld, shift, ld, turn.data(), ld, body.ownAll.data(), ld);
    if (anchored) continue;
    blocks::addTransposed(n, inputs_, shift, ld, seen, blocks::all, body.byInputAll.data(), blocks::all);
    for (int i = 0; i < 6 * ld; ++i) body.toStartAll[i] += turn[i];
    for (int i = 0; i < 6 * blocks::all; ++i) body.throughAll[i] += seen[i];
  }
}

bool Chain::eliminate(const std::vector<char>& held, double shift) {
  if (!separable_) return false;
  std::vector<double> diagonal;
  if (shift > 0) {
    // Of the tangent itself, before anything is eliminated.
    diagonal.assign(static_cast<std::size_t>(size_), 0);
    for (std::size_t b = bodies_.size(); b-- > 0;) {
      Body& body = bodies_[b];
      addBeyond(body);
      for (int i = 0; i < body.n; ++i) {
        const int at = body.first + i;
        diagonal[at] = shift * (held[at] ? 1 : std::abs(body.ownAll[static_cast<std::size_t>(i * body.ld + i)]));
      }
    }
  }
  for (std::size_t b = bodies_.size(); b-- > 0;) {
    Body& body = bodies_[b];
    addBeyond(body);
    if (!eliminateBody(body, held, shift > 0 ? diagonal.data() + body.first : nullptr)) return false;
  }
  return true;
}

// Afterwards ownAll holds the factors, byInputAll the solved columns, and throughAll what is left.
bool Chain::eliminateBody(Body& body, const std::vector<char>& held, const double* diagonal) {
  const int n = body.n, ld = body.ld;
  const bool anchored = body.parent < 0;
  double* m = body.ownAll.data();
  double* x = body.byInputAll.data();
  for (int i = 0; i < n; ++i) {
    if (held[static_cast<std::size_t>(body.first + i)]) {
      std::fill(m + i * ld, m + (i + 1) * ld, 0);
      std::fill(x + i * blocks::all, x + (i + 1) * blocks::all, 0);
      m[i * ld + i] = 1;
    }
    if (diagonal) m[i * ld + i] += diagonal[i];
  }
  weighRows(body, held);
  if (!factorBody(body)) return false;
  if (!anchored) condenseInputs(body);
  return true;
}

// What makes pivots of unlike units comparable.
void Chain::weighRows(Body& body, const std::vector<char>& held) const {
  // A prescribed row has its own coordinate alone: the first choice there, in any unit.
  constexpr double first = 1e200;
  body.weights.resize(static_cast<std::size_t>(body.n));
  for (int i = 0; i < body.n; ++i) {
    const std::size_t at = static_cast<std::size_t>(body.first + i);
    body.weights[static_cast<std::size_t>(i)] = held[at] ? first : units_.size() > 0 ? units_[body.first + i] : 1;
  }
}

// Rows of the inputs go along, where the body hangs on another. False: singular.
bool Chain::factorBody(Body& body) {
  const int n = body.n, ld = body.ld;
  const bool anchored = body.parent < 0;
  double* m = body.ownAll.data();
  double* x = body.byInputAll.data();
  double* weight = body.weights.data();
  body.pivots.resize(static_cast<std::size_t>(n));
  for (int k = 0; k < n; ++k) {
    int best = k;
    double size = 0;
    for (int i = 0; i < n; ++i) size = std::max(size, weight[i] * std::abs(m[i * ld + k]));
    for (int i = k + 1; i < n; ++i) {
      if (weight[i] * std::abs(m[i * ld + k]) > weight[best] * std::abs(m[best * ld + k])) best = i;
    }
    const double pivot = m[best * ld + k];
    if (!(weight[best] * std::abs(pivot) > 1e-13 * size) || !std::isfinite(pivot)) return false;
    body.pivots[k] = best;
    if (best != k) {
      std::swap(weight[k], weight[best]);
      std::swap_ranges(m + k * ld, m + (k + 1) * ld, m + best * ld);
      std::swap_ranges(x + k * blocks::all, x + (k + 1) * blocks::all, x + best * blocks::all);
    }
    const double inverse = 1 / pivot;
    for (int i = k + 1; i < n; ++i) {
      const double factor = m[i * ld + k] * inverse;
      m[i * ld + k] = factor;
      for (int j = k + 1; j < n; ++j) m[i * ld + j] -= factor * m[k * ld + j];
      if (anchored) continue;
      for (int j = 0; j < inputs_; ++j) x[i * blocks::all + j] -= factor * x[k * blocks::all + j];
    }
  }
  return true;
}

// The columns that are solved for, and what they leave of the body's start.
void Chain::condenseInputs(Body& body) {
  const int n = body.n, ld = body.ld;
  const double* m = body.ownAll.data();
  double* x = body.byInputAll.data();
  for (int k = n - 1; k >= 0; --k) {
    double* row = x + k * blocks::all;
    const double inverse = 1 / m[k * ld + k];
    for (int j = 0; j < inputs_; ++j) row[j] *= inverse;
    for (int i = 0; i < k; ++i) {
      const double factor = m[i * ld + k];
      for (int j = 0; j < inputs_; ++j) x[i * blocks::all + j] -= factor * row[j];
    }
  }
  for (int i = 0; i < n; ++i) {
    for (int r = 0; r < 6; ++r) {
      const double share = body.toStartAll[static_cast<std::size_t>(r * ld + i)];
      for (int j = 0; j < inputs_; ++j) body.throughAll[r * blocks::all + j] -= share * x[i * blocks::all + j];
    }
  }
}

void Chain::substitute(const VectorX& rhs, const std::vector<char>& held, VectorX& x) {
  x.resize(size_);
  for (std::size_t b = bodies_.size(); b-- > 0;) {
    Body& body = bodies_[b];
    const int n = body.n, ld = body.ld;
    double* y = x.data() + body.first;
    for (int i = 0; i < n; ++i) y[i] = rhs[body.first + i];
    body.push.setZero();
    for (const int c : body.children) {
      const Body& child = bodies_[c];
      geometry::Vec6 f = child.push;
      f.head<3>() += (child.origin - body.origin).cross(child.push.tail<3>());
      body.push += f;
      const double* shift = locals_[child.on].columns.data() + blocks::turn * ld;
      for (int i = 0; i < n; ++i) {
        if (held[static_cast<std::size_t>(body.first + i)]) continue;
        for (int r = 0; r < 6; ++r) y[i] -= shift[r * ld + i] * f[r];
      }
    }
    const double* m = body.ownAll.data();
    for (int k = 0; k < n; ++k) std::swap(y[k], y[body.pivots[k]]);
    for (int i = 1; i < n; ++i) {
      for (int j = 0; j < i; ++j) y[i] -= m[i * ld + j] * y[j];
    }
    for (int i = n - 1; i >= 0; --i) {
      for (int j = i + 1; j < n; ++j) y[i] -= m[i * ld + j] * y[j];
      y[i] /= m[i * ld + i];
    }
    if (body.parent < 0) continue;
    for (int r = 0; r < 6; ++r) {
      for (int i = 0; i < n; ++i) body.push[r] += body.toStartAll[static_cast<std::size_t>(r * ld + i)] * y[i];
    }
  }
  for (Body& body : bodies_) {
    if (body.parent < 0) continue;
    const Body& parent = bodies_[body.parent];
    const double* columns = locals_[body.on].columns.data();
    const double* q = x.data() + parent.first;
    for (int r = 0; r < blocks::all; ++r) {
      double sum = parent.parent < 0 ? 0 : parent.start[r];
      for (int i = 0; i < parent.n; ++i) sum += columns[r * parent.ld + i] * q[i];
      body.start[r] = sum;
    }
    blocks::moveInputs(body.origin - parent.origin, body.start.data(), 1);
    double* y = x.data() + body.first;
    for (int i = 0; i < body.n; ++i) {
      for (int r = 0; r < inputs_; ++r)
        y[i] -= body.byInputAll[static_cast<std::size_t>(i * blocks::all + r)] * body.start[r];
    }
  }
}

}  // namespace tendril::links
