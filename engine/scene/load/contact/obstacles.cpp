// Obstacles of a scene: shape, position and motion, and their own contact parameters.
#include "geometry/signed_distance.h"
#include "scene/load/topics.h"

namespace tendril::scene {
namespace {

using ShapeKind = Obstacle::Kind;

/// Reads the members of one shape, or reports their problem and clears `valid`.
class ShapeReader {
 public:
  ShapeReader(LoadContext& context, const text::Value& shape, std::string path)
      : context_(context), shape_(shape), path_(std::move(path)) {}

  bool valid() const { return valid_; }

  Vec3 point(std::string_view key) {
    const text::Value* value = member(key);
    return value ? kept<Vec3>(context_.point(*value), Vec3::Zero()) : Vec3(Vec3::Zero());
  }
  Vec3 direction(std::string_view key) {
    const text::Value* value = member(key);
    return value ? kept<Vec3>(context_.direction(*value, key), Vec3::UnitZ()).normalized() : Vec3(Vec3::UnitZ());
  }
  double radius() {
    const text::Value* value = member("radius");
    return value ? kept(context_.constantOf(*value, path_ + ".radius"), 1.0) : 1.0;
  }
  Vec3 half() {
    Vec3 half = Vec3::Ones();
    const text::Value* value = member("half");
    if (!value) return half;
    if (!value->isArray() || value->items.size() != 3) {
      context_.problem(*value, "expected three numbers, half of each side of the box [m]");
      valid_ = false;
      return half;
    }
    for (int k = 0; k < 3; ++k) half[k] = kept(context_.constantOf(value->items[std::size_t(k)], path_ + ".half"), 1.0);
    return half;
  }
  Mat3 axes() {
    const text::Value* value = shape_.find("rotation");
    return value ? kept<Mat3>(context_.orientation(*value, path_ + ".rotation"), Mat3::Identity())
                 : Mat3(Mat3::Identity());
  }
  void ends(Obstacle& obstacle) {
    obstacle.point = point("from");
    obstacle.end = point("to");
    const double size = std::max(obstacle.point.cwiseAbs().maxCoeff(), obstacle.end.cwiseAbs().maxCoeff());
    if (!valid_ || (obstacle.end - obstacle.point).norm() > 1e-12 * size) return;
    valid_ = false;
    context_.problem(*shape_.find("to"),
                     obstacle.kind == ShapeKind::capsule
                         ? "\"from\" and \"to\" are the same point; expected two, or a \"sphere\""
                         : "\"from\" and \"to\" are the same point; expected the centers of the two ends");
  }

 private:
  const text::Value* member(std::string_view key) {
    const text::Value* value = shape_.find(key);
    if (value) return value;
    valid_ = false;
    context_.problem(shape_, "\"" + std::string(key) + "\" is missing");
    return nullptr;
  }
  template <class T>
  T kept(const std::optional<T>& value, const T& otherwise) {
    valid_ = valid_ && value.has_value();
    return value.value_or(otherwise);
  }

  LoadContext& context_;
  const text::Value& shape_;
  std::string path_;
  bool valid_ = true;
};

/// False where something about the shape is wrong.
bool readShape(LoadContext& context, const text::Value& value, Obstacle& obstacle) {
  static const std::pair<const char*, ShapeKind> kinds[] = {{"plane", ShapeKind::plane},
                                                            {"sphere", ShapeKind::sphere},
                                                            {"box", ShapeKind::box},
                                                            {"capsule", ShapeKind::capsule},
                                                            {"cylinder", ShapeKind::cylinder}};
  for (const auto& [name, kind] : kinds) {
    const text::Value* shape = value.find(name);
    if (!shape) continue;
    obstacle.kind = kind;
    ShapeReader reader(context, *shape, std::string("obstacles.") + name);
    if (kind == ShapeKind::plane) {
      obstacle.point = reader.point("point");
      obstacle.normal = reader.direction("normal");
    } else if (kind == ShapeKind::capsule || kind == ShapeKind::cylinder) {
      reader.ends(obstacle);
    } else {
      obstacle.point = reader.point("center");
    }
    if (kind == ShapeKind::box) {
      obstacle.half = reader.half();
      obstacle.axes = reader.axes();
    } else if (kind != ShapeKind::plane) {
      obstacle.radius = reader.radius();
    }
    return reader.valid();
  }
  context.problem(value, "expected one of plane, sphere, box, capsule, cylinder");
  return false;
}

void readMotion(LoadContext& context, const text::Value& value, Obstacle& obstacle) {
  const text::Value* velocity = value.find("velocity");
  const text::Value* displacement = value.find("displacement");
  if (velocity) obstacle.velocity = context.vector(*velocity, "obstacles.velocity", Use::live);
  if (displacement) obstacle.displacement = context.vector(*displacement, "obstacles.displacement", Use::live);
  if (velocity && displacement)
    context.problem(*displacement, "\"displacement\" and \"velocity\" exclude each other; expected one of them");
  context.refuseVelocity(velocity);
}

void readOwnLaw(LoadContext& context, const text::Value& value, Obstacle& obstacle) {
  if (const text::Value* stiffness = value.find("stiffness"))
    obstacle.stiffness = limitedToRange(timedNumber(context, *stiffness, "obstacles.stiffness"), "obstacles.stiffness");
  if (const text::Value* friction = value.find("friction"))
    obstacle.friction = limitedToRange(timedNumber(context, *friction, "obstacles.friction"), "obstacles.friction");
  if (const text::Value* distance = value.find("distance"))
    obstacle.distance = context.constantOf(*distance, "obstacles.distance");
  if (const text::Value* slip = value.find("slip")) obstacle.slip = context.constantOf(*slip, "obstacles.slip");
}

}  // namespace

void loadObstacles(LoadContext& context) {
  Scene& scene = context.scene;
  for (const text::Member& member : membersOf(context, "obstacles")) {
    Obstacle obstacle;
    obstacle.name = member.key;
    obstacle.pointer = member.value.pointer;
    if (!readShape(context, member.value, obstacle)) context.obstaclesUsable = false;
    readMotion(context, member.value, obstacle);
    readOwnLaw(context, member.value, obstacle);
    obstacle.look = loadLook(context, member.value.find("look"));
    context.claimName(member, *context.root.find("obstacles"));
    context.obstacleNames[obstacle.name] = int(scene.obstacles.size());
    scene.obstacles.push_back(std::move(obstacle));
  }
}

double distanceTo(const Obstacle& o, const Vec3& point) {
  switch (o.kind) {
    case ShapeKind::plane:
      return geometry::planeDistance(point, o.point, o.normal).distance;
    case ShapeKind::sphere:
      return geometry::sphereDistance(point, o.point, o.radius).distance;
    case ShapeKind::box:
      return geometry::boxDistance(point, o.point, o.half, o.axes).distance;
    case ShapeKind::capsule:
      return geometry::capsuleDistance(point, o.point, o.end, o.radius).distance;
    case ShapeKind::cylinder:
      return geometry::cylinderDistance(point, o.point, o.end, o.radius).distance;
  }
  return 0;
}

}  // namespace tendril::scene
