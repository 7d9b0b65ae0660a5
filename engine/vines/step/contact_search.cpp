// Pairs are straight pieces from pin to pin; contact between the ends acts on the half that it touches. The published
// contact considers only the far ends of pairs.
#include "vines/step/contact_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace tendril::vines {
namespace {

/// From pin to pin at q, which may differ from the chain's own.
struct Piece {
  Vec2 start, end, along;
  double length;
};

Piece pieceOf(std::span<const double> q, int pair, double d) {
  const double* a = q.data() + 6 * pair;
  const double* b = a + 3;
  const Vec2 along = directionOf(a[2]);
  const Vec2 start = Vec2(a[0], a[1]) - d * along, end = Vec2(b[0], b[1]) + d * directionOf(b[2]);
  return {start, end, along, (end - start).norm()};
}

/// Whether x lies on the piece at some time while both of its ends move straight from `before` to `after`.
bool sweepsOver(const Piece& before, const Piece& after, const Vec2& x) {
  const Vec2 axis = before.end - before.start, to = x - before.start;
  const Vec2 move = after.start - before.start, turn = after.end - before.end - move;
  // cross(axis + t turn, to - t move) = c + b t + a t^2
  const double c = cross(axis, to), b = cross(turn, to) - cross(axis, move), a = -cross(turn, move);
  const auto onPiece = [&](double t) {
    if (!(t >= 0 && t <= 1)) return false;
    const Vec2 now = axis + t * turn;
    const double u = now.dot(to - t * move);
    return u >= 0 && u <= now.squaredNorm();
  };
  const double root = b * b - 4 * a * c;
  if (root < 0) return false;
  const double q = -0.5 * (b + std::copysign(std::sqrt(root), b));
  return (q != 0 && onPiece(c / q)) || (a != 0 && onPiece(q / a));
}

double distanceToSegment(const Vec2& x, const Vec2& a, const Vec2& b) {
  const Vec2 axis = b - a;
  const double size = axis.squaredNorm(), u = size > 0 ? std::clamp(axis.dot(x - a) / size, 0.0, 1.0) : 0;
  return (x - a - u * axis).norm();
}

/// Whether a shape moves over a point that goes from a to b relative to the shape: the base, which cannot yield.
/// Standing on the shape does not count.
bool runsOver(const PlanarShape& shape, const Vec2& a, const Vec2& b) {
  const std::size_t size = shape.core.size();
  for (std::size_t i = 0; i < size; ++i) {
    const Vec2 &c = shape.core[i], &d = shape.core[(i + 1) % size];
    if (cross(b - a, c - a) * cross(b - a, d - a) < 0 && cross(d - c, a - c) * cross(d - c, b - c) < 0) return true;
    if (shape.radius <= 0) continue;
    const double nearest = std::min({distanceToSegment(a, c, d), distanceToSegment(b, c, d), distanceToSegment(c, a, b),
                                     distanceToSegment(d, a, b)});
    if (nearest < shape.radius * (1 - 1e-9)) return true;
  }
  return false;
}

}  // namespace

void ContactSearch::findPairs(const Chain& chain, std::span<const PlanarShape> shapes, double dt, double margin) {
  near_.clear();
  if (shapes.empty()) return;
  const Parameters& p = chain.parameters();
  const double skin = p.radius() + margin;
  boxes_.clear();
  for (const PlanarShape& shape : shapes) {
    PlanarBox box = shape.box();
    const PlanarBox before = box.moved(-dt * shape.velocity);
    box.include(before.low), box.include(before.high);
    boxes_.push_back(box.grown(dt * shape.velocity.norm()));
  }
  PlanarBox all{chain.node(0), chain.node(0)};
  for (int i = 1; i <= chain.pairs(); ++i) all.include(chain.node(i));
  grid_.build(boxes_, all.grown(skin), std::max(p.pairLength(), 2 * skin));
  Vec2 start = chain.node(0);
  for (int i = 0; i < chain.pairs(); ++i) {
    const Vec2 end = chain.node(i + 1);
    PlanarBox box{end, end};
    if (p.contact == Parameters::Contact::tube) box.include(start);
    for (int obstacle : grid_.near(box.grown(skin))) {
      const PlanarShape& shape = shapes[obstacle];
      if (shape.halfPlane) {
        const double before = std::max(0.0, dt * shape.velocity.dot(shape.normal));
        const double lowest = std::min(planarDistance(shape, start).distance, planarDistance(shape, end).distance);
        if (lowest - before > skin + dt * shape.velocity.norm()) continue;
      }
      near_.push_back({i, obstacle});
    }
    start = end;
  }
}

void ContactSearch::addPoint(const Chain& chain, const Near& near, const PlanarShape& shape,
                             const SegmentContact& contact, double length, const Vec2& start, const Vec2& along) {
  const double d = chain.parameters().halfLength;
  SurfacePoint surfacePoint;
  surfacePoint.pair = near.pair, surfacePoint.obstacle = near.obstacle, surfacePoint.feature = contact.feature;
  surfacePoint.near = int(&near - near_.data());
  const bool first = contact.along < 0.5 * length;
  surfacePoint.body = 2 * near.pair + (first ? 0 : 1);
  surfacePoint.lever = first ? contact.along - d : contact.along - length + d;
  if (first && near.pair == 0 && contact.along <= 0) return;  // the base does not move
  surfacePoint.gap = contact.distance - chain.parameters().radius();
  surfacePoint.normal = contact.normal;
  surfacePoint.along = contact.along, surfacePoint.direction = along;
  surfacePoint.point = start + contact.along * along;
  surfacePoint.friction = shape.friction >= 0 ? shape.friction : chain.parameters().friction;
  points_.push_back(surfacePoint);
}

void ContactSearch::findPoints(const Chain& chain, std::span<const double> q, std::span<const PlanarShape> shapes,
                               double back, double dt, double margin) {
  points_.clear();
  const Parameters& p = chain.parameters();
  std::array<SegmentContact, 4> found;
  for (const Near& near : near_) {
    const PlanarShape& shape = shapes[near.obstacle];
    const Piece piece = pieceOf(q, near.pair, p.halfLength);
    const double reach = p.radius() + margin + 2 * dt * shape.velocity.norm();
    // Relative to the obstacle at its final position.
    const Vec2 shift = back * shape.velocity;
    int count = 0;
    if (p.contact == Parameters::Contact::pairs) {
      const PlanarDistance end = planarDistance(shape, piece.end + shift);
      if (end.distance < reach) found[0] = {piece.length, end.distance, end.normal, 0}, count = 1;
    } else {
      count = segmentContacts(shape, piece.start + shift, piece.end + shift, reach, found);
    }
    for (int k = 0; k < count; ++k) addPoint(chain, near, shape, found[k], piece.length, piece.start, piece.along);
  }
  for (SurfacePoint& surfacePoint : points_) surfacePoint.atStart = back > 0;
}

int ContactSearch::findCrossed(const Chain& chain, std::span<const double> q, std::span<const PlanarShape> shapes,
                               double dt) {
  const double d = chain.parameters().halfLength;
  int found = -1;
  crossed_.assign(near_.size(), 0);
  for (std::size_t k = 0; k < near_.size(); ++k) {
    const PlanarShape& shape = shapes[near_[k].obstacle];
    if (shape.halfPlane) continue;
    Piece before = pieceOf(chain.q, near_[k].pair, d);
    const Piece after = pieceOf(q, near_[k].pair, d);
    const Vec2 shift = dt * shape.velocity;
    before.start += shift, before.end += shift;
    PlanarBox box{before.start, before.start};
    box.include(before.end), box.include(after.start), box.include(after.end);
    if (near_[k].pair == 0 && shift != Vec2::Zero() && runsOver(shape, before.start, after.start))
      crossed_[k] = 1, found = int(k);
    for (const Vec2& vertex : shape.core) {
      if (!box.touches({vertex, vertex}) || !sweepsOver(before, after, vertex)) continue;
      crossed_[k] = 1, found = int(k);
      break;
    }
  }
  return found;
}

void ContactSearch::replaceCrossed(std::span<const SurfacePoint> atStart) {
  // Both lists follow the order of the near pairs.
  merged_.clear();
  auto now = points_.begin();
  auto then = atStart.begin();
  for (int k = 0; k < pairCount(); ++k) {
    for (; now != points_.end() && now->near == k; ++now)
      if (crossed_[k] == 0) merged_.push_back(*now);
    for (; then != atStart.end() && then->near == k; ++then)
      if (crossed_[k] != 0) merged_.push_back(*then);
  }
  points_.swap(merged_);
}

double ContactSearch::axisDistance(const Chain& chain, std::span<const double> q, std::span<const PlanarShape> shapes,
                                   double back, int* pair, int* obstacle) const {
  double lowest = std::numeric_limits<double>::infinity();
  for (const Near& near : near_) {
    const Piece piece = pieceOf(q, near.pair, chain.parameters().halfLength);
    const Vec2 shift = back * shapes[near.obstacle].velocity;
    const double distance = planarDistance(shapes[near.obstacle], piece.start + shift, piece.end + shift);
    if (distance < lowest) lowest = distance, *pair = near.pair, *obstacle = near.obstacle;
  }
  return lowest;
}

}  // namespace tendril::vines
