#include "links/drives.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "geometry/sort_rows.h"
#include "links/natural_strains.h"
#include "links/step_course.h"
#include "world/surroundings.h"

namespace tendril::links {
namespace {

const scene::LinkJoint& jointOf(const scene::Scene& scene, const BuiltLink& built) {
  return scene.linkages[static_cast<std::size_t>(built.linkage)].links[static_cast<std::size_t>(built.link)].joint;
}

template <class Visit>
void forEachLink(const Structure& structure, const Visit& visit) {
  for (const BuiltLink& built : structure.links) visit(built);
}

Vec3 vectorOf(const scene::Number3& value, const formula::Input& in) {
  return {value[0](in), value[1](in), value[2](in)};
}

bool isTimed(const scene::LinkJoint& joint, bool rotations) {
  bool timed = false;
  for (const scene::Turn& t : joint.turns) timed = timed || (rotations && t.angle.isTimed());
  for (const scene::JointCoordinate& c : joint.coordinates)
    timed = timed || (c.rotation == rotations && c.driven && c.driven->isTimed());
  return timed;
}

// Of what a joint of several rotations is prescribed by, for its round-off.
double sizeOf(const scene::LinkJoint& joint, bool rotations, double factor, const formula::Input& in) {
  double size = 0;
  for (const scene::Turn& t : joint.turns) size += rotations ? std::abs(t.angle(in)) : 0;
  for (const scene::JointCoordinate& c : joint.coordinates)
    size += c.rotation == rotations && c.driven ? std::abs((*c.driven)(in)) : 0;
  return factor * size;
}

Mat3 prescribedTurn(const scene::LinkJoint& joint, const BuiltLink& built, double factor, const formula::Input& in) {
  const auto about = [](const Vec3& vector) {
    geometry::Vec6 x = geometry::Vec6::Zero();
    x.head<3>() = vector;
    return geometry::exponential(x).R;
  };
  Mat3 turn = Mat3::Identity();
  for (const scene::Turn& t : joint.turns) turn = about(factor * t.angle(in) * t.axis) * turn;
  if (!joint.turns.empty()) return turn;
  Vec3 vector = Vec3::Zero();
  for (int i = 0; i < built.jointCount; ++i) {
    const scene::JointCoordinate& c = joint.coordinates[static_cast<std::size_t>(i)];
    if (c.rotation) vector += factor * (*c.driven)(in)*built.base.col(i).head<3>();
  }
  return about(vector);
}

Vec3 prescribedPlace(const scene::LinkJoint& joint, const BuiltLink& built, double factor, const formula::Input& in) {
  Vec3 place = Vec3::Zero();
  for (int i = 0; i < built.jointCount; ++i) {
    const scene::JointCoordinate& c = joint.coordinates[static_cast<std::size_t>(i)];
    if (!c.rotation) place += factor * (*c.driven)(in)*built.base.col(i).tail<3>();
  }
  return place;
}

// Rate and acceleration by differences of order four from five values of a formula over `width`. Over a very short one
// their round-off is large: where the formula is smooth over `wide` on that side, over that; where it has a kink, over
// what lies before that. `base`: of what values are differences.
template <class Formula>
void differentiate(const Formula& formula, double t, Drives::Side side, double width, double wide, double base,
                   DrivenValue& d) {
  constexpr double share = 3e-5;
  const double sign = side == Drives::Side::after ? 1 : -1;
  const auto away = [&](double by) { return formula(t + sign * by); };
  if (width < wide && side != Drives::Side::around && isFollowed(away, t, wide, share, base)) width = wide;
  for (int i = 0; side == Drives::Side::after && i < 6 && !isFollowed(away, t, width, share, base); ++i) width *= 0.25;
  const double h = 0.25 * width;
  if (side == Drives::Side::around) {
    const double m2 = formula(t - 2 * h), m1 = formula(t - h), p1 = formula(t + h), p2 = formula(t + 2 * h);
    d.rate = (m2 - 8 * m1 + 8 * p1 - p2) / (12 * h);
    d.acceleration = (-m2 + 16 * m1 - 30 * d.value + 16 * p1 - p2) / (12 * h * h);
    return;
  }
  const double f1 = away(h), f2 = away(2 * h), f3 = away(3 * h), f4 = away(4 * h);
  d.rate = sign * (-25 * d.value + 48 * f1 - 36 * f2 + 16 * f3 - 3 * f4) / (12 * h);
  d.acceleration = (35 * d.value - 104 * f1 + 114 * f2 - 56 * f3 + 11 * f4) / (12 * h * h);
}

// The digits that differences of a formula lose grow with the square of the step rate. Where that is seen in the
// acceleration they are taken over a wider window within [0, end], as long as a polynomial follows the formula there
// closely.
template <class Formula>
void widen(const Formula& formula, double t, Drives::Side side, double width, double end, double base, DrivenValue& d) {
  constexpr double blur = 14 * 0.5 * std::numeric_limits<double>::epsilon();  // of five values in a second difference
  constexpr double seen = 1e-6, still = 1e-10, close = 1e-8;
  const double size = base + std::abs(d.value) + std::abs(t * d.rate);
  const auto noiseOver = [&](double w) { return blur * size * 16 / (w * w); };
  const double rate = std::abs(d.rate);
  if (noiseOver(width) * width <= still * rate) return;
  for (double w = width; noiseOver(w) > seen * std::abs(d.acceleration);) {
    w *= 4;
    double from = side == Drives::Side::before ? t - w : side == Drives::Side::after ? t : t - 0.5 * w;
    from = std::max(0.0, std::min(from, end - w));
    if (from + w > end || !isFollowed([&](double after) { return formula(from + after); }, t, w, close, base)) return;
    const double h = 0.25 * w, s = (t - from) / h;
    std::array<double, 5> f{};
    for (std::size_t k = 0; k < 5; ++k) f[k] = formula(from + static_cast<double>(k) * h);
    for (std::size_t order = 1; order < 5; ++order) {
      for (std::size_t k = 4; k >= order; --k) f[k] -= f[k - 1];
    }
    d.rate = (f[1] + (2 * s - 1) / 2 * f[2] + (3 * s * s - 6 * s + 2) / 6 * f[3] +
              (4 * s * s * s - 18 * s * s + 22 * s - 6) / 24 * f[4]) /
             h;
    d.acceleration = (f[2] + (s - 1) * f[3] + (6 * s * s - 18 * s + 11) / 12 * f[4]) / (h * h);
  }
}

}  // namespace

void Drives::attach(const Structure& structure, System& system) const {
  system.springs.clear();
  forEachLink(structure, [&](const BuiltLink& built) {
    const scene::LinkJoint& joint = jointOf(scene_, built);
    if (built.onGroup) {
      PoseSpring spring;
      spring.step = built.joint[0], spring.base = built.base, spring.offset = built.offset;
      system.springs.push_back(spring);
    }
    for (int i = 0; i < built.jointCount; ++i) {
      system.held[static_cast<std::size_t>(built.jointFirst + i)] =
          joint.coordinates[static_cast<std::size_t>(i)].driven ? 1 : 0;
    }
  });
  for (const Structure::Wire& wire : structure.wires) system.tendons.push_back(wire.tendon);
}

double Drives::effort(const scene::Instant& at, const scene::JointCoordinate& coordinate) const {
  return at.factor * coordinate.effort(scene::timedInput(scene_, at));
}

void Drives::apply(const scene::Instant& at, const Structure& structure, System& system) const {
  const formula::Input in = scene::timedInput(scene_, at);
  system.gravity = world::gravity(scene_, at);
  std::size_t spring = 0;
  system.restEnergy = 0;
  forEachLink(structure, [&](const BuiltLink& built) {
    const scene::LinkJoint& joint = jointOf(scene_, built);
    PoseSpring* pose = built.onGroup ? &system.springs[spring++] : nullptr;
    geometry::Vec6 w = geometry::Vec6::Zero();
    for (int i = 0; i < built.jointCount; ++i) {
      const scene::JointCoordinate& c = joint.coordinates[static_cast<std::size_t>(i)];
      const int row = built.jointFirst + i;
      const double k = c.stiffness(in), force = effort(at, c);
      if (pose) {
        (c.rotation ? pose->rotation : pose->translation) = k;
        (c.rotation ? pose->turning : pose->moving) = c.damping(in);
        w += force * built.base.col(i);
      } else {
        system.setCoordinate(row, k, c.damping(in));
        const double rest = c.rest(in);
        system.restForce[row] = k * rest, system.restEnergy += 0.5 * k * rest * rest;
        system.force[row] = force + system.restForce[row];
      }
    }
    if (pose) pose->effort = w;
  });
  applyNaturalStrains(scene_, at, structure, system);
  for (std::size_t i = 0; i < structure.wires.size(); ++i) {
    const Structure::Wire& wire = structure.wires[i];
    const scene::Cable& cable =
        scene_.linkages[static_cast<std::size_t>(structure.linkage)].cables[static_cast<std::size_t>(wire.cable)];
    system.tendons[i].tension = at.factor * cable.tension(in);
  }
  applyLoads(at, structure, system);
}

void Drives::applyLoads(const scene::Instant& at, const Structure& structure, System& system) const {
  system.wrenches.clear();
  const formula::Input in = scene::timedInput(scene_, at);
  for (const Structure::PlacedLoad& placed : structure.loads) {
    const scene::Load& load = *placed.load;
    const bool on = placed.extra ? at.extra != nullptr : scene::isActive(load.interval, at);
    if (load.kind == scene::Load::Kind::field) continue;  // ForceFields
    for (std::size_t k = 0; k < placed.steps.size(); ++k) {
      if (load.kind == scene::Load::Kind::mass) {
        const double m = on ? load.mass(in) : 0;
        geometry::Vec6 d;
        d << 0, 0, 0, m, m, m;
        system.masses()[static_cast<std::size_t>(placed.masses[k])].inertia = d.asDiagonal();
        continue;
      }
      if (!on) continue;
      PointWrench p;
      p.step = placed.steps[k];
      p.world = load.kind != scene::Load::Kind::follower;
      const double share = load.share ? 1.0 / static_cast<double>(load.places.size()) : 1;
      const Vec3 value = at.factor * share * vectorOf(load.value, in);
      if (load.kind == scene::Load::Kind::moment) {
        p.wrench.head<3>() = value;
      } else {
        p.wrench.tail<3>() = value;
      }
      system.wrenches.push_back(p);
    }
    if (on && load.kind == scene::Load::Kind::wrench) applyWrench(placed, at, structure, system);
  }
}

// Per length, at the quadrature points.
void Drives::applyWrench(const Structure::PlacedLoad& placed, const scene::Instant& at, const Structure& structure,
                         System& system) const {
  formula::Input in = scene::timedInput(scene_, at);
  for (const Structure::Piece& piece : placed.pieces) {
    in.s = piece.s, in.u = piece.u;
    PointWrench p;
    p.step = piece.step(structure.builder);
    const double share = at.factor * piece.in(structure.builder).weight;
    p.wrench << share * vectorOf(placed.load->moment, in), share * vectorOf(placed.load->value, in);
    system.wrenches.push_back(p);
  }
}

// visit(coordinate, f, timed, base): f gives the value at a time, as a difference from something of the size `base`.
template <class Visit>
void Drives::forEachDriven(const scene::Instant& at, const Structure& structure, const System& system,
                           const Visit& visit) const {
  formula::Input in = scene::timedInput(scene_, at);
  forEachLink(structure, [&](const BuiltLink& built) {
    const scene::LinkJoint& joint = jointOf(scene_, built);
    if (built.onGroup) {
      forEachDrivenPose(at, built, system, visit);
      return;
    }
    for (int i = 0; i < built.jointCount; ++i) {
      const scene::JointCoordinate& c = joint.coordinates[static_cast<std::size_t>(i)];
      if (!c.driven) continue;
      const auto f = [&](double t) {
        in.t = t;
        return at.factor * (*c.driven)(in);
      };
      visit(built.jointFirst + i, f, c.driven->isTimed(), 0.0);
    }
  });
}

// What leads from where the joint was accepted to where it is prescribed: the rotation vector of the turn between, and
// the displacement in directions of the accepted frame.
template <class Visit>
void Drives::forEachDrivenPose(const scene::Instant& at, const BuiltLink& built, const System& system,
                               const Visit& visit) const {
  const scene::LinkJoint& joint = jointOf(scene_, built);
  const bool any = std::any_of(joint.coordinates.begin(), joint.coordinates.end(),
                               [](const scene::JointCoordinate& c) { return c.driven.has_value(); });
  if (!any) return;
  formula::Input in = scene::timedInput(scene_, at);
  const geometry::Pose accepted =
      geometry::inverse(built.offset) * system.chain().steps()[static_cast<std::size_t>(built.joint[0])].offset;
  const bool timed[] = {isTimed(joint, false), isTimed(joint, true)};
  for (int i = 0; i < built.jointCount; ++i) {
    const scene::JointCoordinate& c = joint.coordinates[static_cast<std::size_t>(i)];
    if (!c.driven) continue;
    in.t = at.t;
    const double base =
        c.rotation ? 1 + sizeOf(joint, true, at.factor, in) : accepted.r.norm() + sizeOf(joint, false, at.factor, in);
    const auto f = [&, i](double t) {
      in.t = t;
      geometry::Vec6 x = geometry::Vec6::Zero();
      if (c.rotation) {
        const Mat3 turn = accepted.R.transpose() * prescribedTurn(joint, built, at.factor, in);
        x.head<3>() = geometry::logarithm({turn, Vec3::Zero()}).head<3>();
      } else {
        x.tail<3>() = accepted.R.transpose() * (prescribedPlace(joint, built, at.factor, in) - accepted.r);
      }
      const double value = built.base.col(i).dot(x);
      // What knows no time stands still, not by round-off near where it stood.
      return !timed[c.rotation] && std::abs(value) <= 1e-14 * base ? 0.0 : value;
    };
    visit(built.jointFirst + i, f, timed[c.rotation], base);
  }
}

bool Drives::drivesPoses(const Structure& structure) const {
  return std::any_of(structure.links.begin(), structure.links.end(), [&](const BuiltLink& built) {
    const auto& all = jointOf(scene_, built).coordinates;
    return built.onGroup && std::any_of(all.begin(), all.end(), [](const auto& c) { return c.driven.has_value(); });
  });
}

const BuiltLink* Drives::drivenPast(double most, const scene::Instant& from, const scene::Instant& to,
                                    const Structure& structure) const {
  const formula::Input before = scene::timedInput(scene_, from), after = scene::timedInput(scene_, to);
  for (const BuiltLink& built : structure.links) {
    const scene::LinkJoint& joint = jointOf(scene_, built);
    if (!built.onGroup || !joint.coordinates[0].driven) continue;
    // No rotation turns farther than its vector, or than all its turns together, change.
    double turn = 0;
    for (const scene::Turn& t : joint.turns)
      turn += std::abs(to.factor * t.angle(after) - from.factor * t.angle(before));
    if (joint.turns.empty()) {
      for (const scene::JointCoordinate& c : joint.coordinates) {
        if (!c.rotation) continue;
        const double by = to.factor * (*c.driven)(after)-from.factor * (*c.driven)(before);
        turn = std::hypot(turn, by);
      }
    }
    if (turn > most) return &built;
  }
  return nullptr;
}

void Drives::driven(const scene::Instant& at, Side side, double width, const Structure& structure, const System& system,
                    std::vector<DrivenValue>& out) const {
  const double left = std::max(scene_.solver.duration - at.t, 0.0);
  if (side == Side::after && left < 0.01 * std::min(width, at.t)) side = Side::before;
  const double room = side == Side::after ? left : at.t;
  width = std::min(width, room);
  const double wide = std::min(0.25 * scene_.solver.dt, room);
  out.clear();
  forEachDriven(at, structure, system, [&](int coordinate, const auto& f, bool timed, double base) {
    DrivenValue d;
    d.coordinate = coordinate;
    d.value = f(at.t);
    d.blur = 4 * std::numeric_limits<double>::epsilon() * base;
    if (width > 0 && timed) {
      differentiate(f, at.t, side, width, wide, base, d);
      widen(f, at.t, side, std::max(width, wide), scene_.solver.duration, base, d);
    }
    out.push_back(d);
  });
}

void Drives::findKinks(const scene::Instant& end, double dt, const VectorX& values, const VectorX& rates,
                       const VectorX* accelerations, const Structure& structure, const System& system,
                       std::vector<DrivenKink>& kinks, std::vector<DrivenEnd>& ends) const {
  kinks.clear(), ends.clear();
  forEachDriven(end, structure, system, [&](int coordinate, const auto& f, bool timed, double base) {
    if (!timed) return;
    const StepCourse course([&](double after) { return f(end.t - dt + after); }, end.t, dt, values[coordinate],
                            rates[coordinate], accelerations ? &(*accelerations)[coordinate] : nullptr, base);
    if (course.isSmooth()) return;
    bool followed = course.isFollowedBetween();
    if (course.startJump() != 0) kinks.push_back({coordinate, 0, course.startJump(), 0});
    for (const StepCourse::Kink& kink : course.kinks()) {
      kinks.push_back({coordinate, kink.after, kink.jump, kink.leap});
      followed = followed && kink.leap == 0;
    }
    ends.push_back({coordinate, course.endRate(), f(end.t), followed});
  });
  geometry::sortRows(kinks, [](const DrivenKink& a, const DrivenKink& b) { return a.after < b.after; });
}

void Drives::findLeaps(const scene::Instant& at, const VectorX& values, const Structure& structure,
                       const System& system, std::vector<DrivenLeap>& out) const {
  out.clear();
  forEachDriven(at, structure, system, [&](int coordinate, const auto& f, bool timed, double /*base*/) {
    if (timed) return;
    const double by = f(at.t) - values[coordinate];
    if (by != 0) out.push_back({coordinate, by});
  });
}

}  // namespace tendril::links
