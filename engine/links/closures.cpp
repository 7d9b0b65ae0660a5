#include "links/closures.h"

namespace tendril::links {
namespace {

const char* const axisNames[] = {"x", "y", "z"};

ClosureRow distance(int axis, int a, int b) {
  ClosureRow row;
  row.a = a, row.b = b, row.c = Vec3::Unit(axis);
  row.name = std::string("moving along ") + axisNames[axis];
  return row;
}

/// Forbids turning about `axis`, which the two directions span a plane normal to.
ClosureRow product(int axis, int c, int d, int a, int b, double size) {
  ClosureRow row;
  row.product = true;
  row.a = a, row.b = b, row.c = Vec3::Unit(c), row.d = Vec3::Unit(d), row.size = size;
  row.name = std::string("turning about ") + axisNames[axis];
  return row;
}

}  // namespace

std::vector<ClosureRow> closureRows(scene::LinkJoint::Kind kind, int axis, int a, int b, double size) {
  using Kind = scene::LinkJoint::Kind;
  const int i = axis, j = (axis + 1) % 3, k = (axis + 2) % 3;
  std::vector<ClosureRow> rows;
  const auto hold = [&](int along) { rows.push_back(distance(along, a, b)); };
  // The axis i of both frames stays common: no turning about j and k.
  const auto align = [&] {
    rows.push_back(product(k, i, j, a, b, size));
    rows.push_back(product(j, i, k, a, b, size));
  };
  switch (kind) {
    case Kind::fixed:
      hold(0), hold(1), hold(2), align(), rows.push_back(product(i, j, k, a, b, size));
      break;
    case Kind::revolute:
      hold(0), hold(1), hold(2), align();
      break;
    case Kind::prismatic:
      hold(j), hold(k), align(), rows.push_back(product(i, j, k, a, b, size));
      break;
    case Kind::universal:
      hold(0), hold(1), hold(2), rows.push_back(product(i, j, k, a, b, size));
      break;
    case Kind::cylindrical:
      hold(j), hold(k), align();
      break;
    case Kind::planar:
      hold(i), align();
      break;
    case Kind::spherical:
      hold(0), hold(1), hold(2);
      break;
    case Kind::helical:
    case Kind::free:
      break;
  }
  return rows;
}

FramePair closureGap(const ClosureRow& row, const geometry::Pose& a, const geometry::Pose& b) {
  if (!row.product) return distanceAlong(row.c, Vec3::Zero(), a, b);
  FramePair out = directionProduct(row.c, row.d, a, b);
  out.value *= row.size, out.onA *= row.size, out.onB *= row.size;
  out.aa *= row.size, out.ab *= row.size, out.ba *= row.size, out.bb *= row.size;
  return out;
}

}  // namespace tendril::links
