#include "links/structure.h"

#include <algorithm>

#include "links/rigid_slices.h"

namespace tendril::links {
namespace {

formula::Input fieldInput(const scene::Scene& scene, double s, double length) {
  formula::Input in;
  in.parameters = scene.values.data();
  in.s = s, in.u = length > 0 ? s / length : 0;
  return in;
}

geometry::Pose along(double x) { return {Mat3::Identity(), Vec3(x, 0, 0)}; }

SectionLaw lawOf(const scene::Scene& scene, const scene::SoftDivision& d, double X) {
  const formula::Input in = fieldInput(scene, X * d.length, d.length);
  const scene::SectionGeometry g = scene::sectionGeometry(d.section, in);
  if (g.explicitStiffness) {
    SectionLaw law;
    const double r2 = g.halfAxis1 * g.halfAxis1, m = g.massPerLength;
    law.inertia << m * r2 / 2, m * r2 / 4, m * r2 / 4, m, m, m;
    // Shear has no stiffness of its own there: that of an incompressible solid section.
    law.stiffness << g.GJ, g.EI2, g.EI1, g.EA, g.EA / 3, g.EA / 3;
    return law;
  }
  const scene::Material& m = scene.materials[static_cast<std::size_t>(d.material)];
  const double E = m.youngs(in), nu = m.poisson(in);
  SectionLaw law = sectionLaw({g.area, g.polar, g.I2, g.I1, g.J}, E, E / (2 * (1 + nu)), m.density(in), m.damping(in));
  return law;
}

geometry::Vec6 naturalOf(const scene::Scene& scene, const scene::SoftDivision& d, double X) {
  const formula::Input in = fieldInput(scene, X * d.length, d.length);
  geometry::Vec6 xi;
  for (int k = 0; k < 6; ++k) xi[k] = d.natural[static_cast<std::size_t>(k)](in) + (k == 3 ? 1 : 0);
  return xi;
}

}  // namespace

scene::SectionGeometry sectionAt(const scene::Scene& scene, const scene::Section& section, double s, double length) {
  return scene::sectionGeometry(section, fieldInput(scene, s, length));
}

Structure::Structure(const scene::Scene& scene, int number) : linkage(number) {
  const scene::Linkage& own = scene.linkages[static_cast<std::size_t>(linkage)];
  scale = 0;
  std::vector<double> reach;
  for (std::size_t k = 0; k < own.links.size(); ++k) {
    addLink(scene, static_cast<int>(k));
    const scene::Link& l = own.links[k];
    reach.push_back((l.parent < 0 ? 0 : reach[static_cast<std::size_t>(l.parent)]) + l.offset.norm() + l.length());
    scale = std::max(scale, reach.back());
  }
  if (!(scale > 0)) scale = 1;
  addLoops(scene);
  for (std::size_t k = 0; k < own.cables.size(); ++k) addCable(scene, static_cast<int>(k));
  addSkin(scene);
  addLoads(scene);
  addActuation(scene);
}

void Structure::addLoads(const scene::Scene& scene) {
  for (const std::vector<scene::Load>* list : {&scene.loads, &scene.solver.startWith}) {
    for (const scene::Load& load : *list) {
      PlacedLoad placed;
      placed.load = &load, placed.extra = list == &scene.solver.startWith;
      for (const scene::LinkRef& ref : load.places) {
        if (ref.linkage != linkage) continue;
        placed.steps.push_back(stepAt(scene, ref));
        if (load.kind == scene::Load::Kind::mass)
          placed.masses.push_back(builder.addMass(placed.steps.back(), geometry::Mat6::Zero()));
      }
      for (const scene::LinkRef& ref : load.links) {
        if (ref.linkage != linkage) continue;
        const std::vector<Piece> pieces = piecesOf(ref.link);
        placed.pieces.insert(placed.pieces.end(), pieces.begin(), pieces.end());
      }
      if (!placed.steps.empty() || !placed.pieces.empty()) loads.push_back(std::move(placed));
    }
  }
}

void Structure::addActuation(const scene::Scene& scene) {
  for (std::size_t k = 0; k < links.size(); ++k) {
    Actuated out;
    for (const scene::Actuation& a : scene.actuation) {
      const auto here = [&](const scene::LinkRef& ref) {
        return ref.linkage == linkage && ref.link == static_cast<int>(k);
      };
      if (std::any_of(a.links.begin(), a.links.end(), here)) out.by.push_back(&a);
    }
    if (out.by.empty()) continue;
    out.pieces = piecesOf(static_cast<int>(k));
    actuated.push_back(std::move(out));
  }
}

std::vector<Structure::Piece> Structure::piecesOf(int link) const {
  const BuiltLink& built = links[static_cast<std::size_t>(link)];
  double whole = 0;
  for (const int number : built.softs) whole += builder.soft(number).body.length;
  std::vector<Piece> out;
  for (std::size_t b = 0; b < built.softs.size(); ++b) {
    const SoftSegment& soft = builder.soft(built.softs[b]);
    for (std::size_t i = 0; i < soft.places.size(); ++i) {
      const double s = built.starts[b] + soft.places[i] * soft.body.length;
      out.push_back({built.softs[b], static_cast<int>(i), s, s / whole});
    }
  }
  for (Piece& piece : out) piece.n = static_cast<double>(out.size());
  if (!out.empty()) out.front().first = true;
  return out;
}

void Structure::addLink(const scene::Scene& scene, int link) {
  const scene::Linkage& owner = scene.linkages[static_cast<std::size_t>(linkage)];
  const scene::Link& l = owner.links[static_cast<std::size_t>(link)];
  BuiltLink built;
  built.linkage = linkage, built.link = link;
  built.first = builder.coordinates();
  const geometry::Pose own{l.offsetRotation, l.offset};
  int parent = -1;
  built.offset = own;
  if (l.parent < 0) {
    built.offset = geometry::Pose{owner.rotation, owner.position} * own;
  } else {
    parent = stepAt(scene, {linkage, l.parent, l.parentAt});
  }
  built.firstStep = builder.steps();
  addJoint(scene, built, parent);
  built.tip = built.start();
  if (l.rigid) {
    addRigid(scene, built);
  } else {
    addSofts(scene, built);
  }
  built.lastStep = builder.steps() - 1;
  built.count = builder.coordinates() - built.first;
  links.push_back(built);
}

void Structure::addJoint(const scene::Scene& scene, BuiltLink& built, int parent) {
  using Kind = scene::LinkJoint::Kind;
  const scene::LinkJoint& j =
      scene.linkages[static_cast<std::size_t>(built.linkage)].links[static_cast<std::size_t>(built.link)].joint;
  const int a = j.axis, b = (a + 1) % 3, c = (a + 2) % 3;
  built.jointFirst = builder.coordinates();
  built.jointCount = scene::LinkJoint::freedoms(j.kind);
  built.onGroup = j.kind == Kind::planar || j.kind == Kind::spherical || j.kind == Kind::free;
  const auto columns = [](std::initializer_list<geometry::Vec6> list) {
    Columns out(6, static_cast<int>(list.size()));
    int k = 0;
    for (const geometry::Vec6& column : list) out.col(k++) = column;
    return out;
  };
  const auto turn = [](int axis) { return geometry::Vec6(geometry::Vec6::Unit(axis)); };
  const auto move = [](int axis) { return geometry::Vec6(geometry::Vec6::Unit(3 + axis)); };
  Columns base = Columns::Zero(6, 0);
  switch (j.kind) {
    case Kind::fixed:
      break;
    case Kind::revolute:
      base = columns({turn(a)});
      break;
    case Kind::prismatic:
      base = columns({move(a)});
      break;
    case Kind::helical:
      base = columns({turn(a) + j.pitch * move(a)});
      break;
    case Kind::universal:
      base = columns({turn(b)});
      break;
    case Kind::cylindrical:
      base = columns({turn(a), move(a)});
      break;
    case Kind::planar:
      base = columns({turn(a), move(b), move(c)});
      break;
    case Kind::spherical:
      base = columns({turn(0), turn(1), turn(2)});
      break;
    case Kind::free:
      base = geometry::Mat6::Identity();
      break;
  }
  if (built.onGroup) {
    built.base = base;
    built.joint = builder.addGroup(parent, built.offset, base);
    return;
  }
  built.joint = {builder.addJoint(parent, built.offset, base)};
  if (j.kind == Kind::universal) built.joint.push_back(builder.addJoint(built.joint[0], {}, columns({turn(c)})));
}

void Structure::addRigid(const scene::Scene& scene, BuiltLink& built) {
  const scene::RigidBody& body =
      *scene.linkages[static_cast<std::size_t>(built.linkage)].links[static_cast<std::size_t>(built.link)].rigid;
  if (body.length > 0) built.tip = builder.addFixed(built.start(), along(body.length));
  geometry::Mat6 inertia = geometry::Mat6::Zero();
  const auto add = [&](const Vec3& center, const geometry::Vec6& diagonal) {
    const geometry::Mat6 toCenter = geometry::adjoint(geometry::inverse(geometry::Pose{Mat3::Identity(), center}));
    inertia += toCenter.transpose() * diagonal.asDiagonal() * toCenter;
  };
  const formula::Input in = fieldInput(scene, 0, body.length);
  if (body.mass) {
    geometry::Vec6 d;
    const double m = (*body.mass)(in);
    d << body.inertia[0](in), body.inertia[1](in), body.inertia[2](in), m, m, m;
    add(body.center, d);
  } else if (body.section) {
    for (const auto& [x, length, g] : slicesOf(scene, body)) {
      geometry::Vec6 d;
      d << g.polar, g.I2, g.I1, g.area, g.area, g.area;
      add(Vec3(x, 0, 0), length * body.density(in) * d);
    }
  }
  if (inertia(3, 3) > 0) built.mass = builder.addMass(built.start(), inertia);
}

void Structure::addSofts(const scene::Scene& scene, BuiltLink& built) {
  const scene::Link& l =
      scene.linkages[static_cast<std::size_t>(built.linkage)].links[static_cast<std::size_t>(built.link)];
  double start = 0;
  for (const scene::SoftDivision& d : l.soft) {
    SoftBody body;
    body.length = d.length, body.basis = d.basis, body.points = d.points, body.magnus = d.magnus,
    body.substeps = d.substeps;
    for (int k = 0; k < 6; ++k) {
      if (d.order[static_cast<std::size_t>(k)] >= 0) body.strains.push_back({k, d.order[static_cast<std::size_t>(k)]});
    }
    body.law = [&scene, &d](double X) { return lawOf(scene, d, X); };
    body.reference = [&scene, &d](double X) { return naturalOf(scene, d, X); };
    const int number = builder.addSoft(built.tip, {}, body);
    built.softs.push_back(number);
    built.starts.push_back(start);
    built.tip = builder.tipOf(number);
    start += d.length;
  }
}

ChainPlace Structure::place(const scene::Scene& scene, const scene::LinkRef& ref) const {
  const BuiltLink& built = at(ref);
  ChainPlace out;
  const scene::Link& l =
      scene.linkages[static_cast<std::size_t>(ref.linkage)].links[static_cast<std::size_t>(ref.link)];
  out.step = ref.at == 1 ? built.tip : built.start();
  if (ref.at == 0 || ref.at == 1) return out;
  if (l.rigid) {
    out.offset = along(ref.at * l.rigid->length);
    return out;
  }
  const double s = ref.at * l.length();
  std::size_t k = built.softs.size() - 1;
  while (k > 0 && built.starts[k] > s) --k;
  out.soft = &builder.soft(built.softs[k]);
  out.X = std::min(1.0, (s - built.starts[k]) / out.soft->body.length);
  return out;
}

int Structure::stepAt(const scene::Scene& scene, const scene::LinkRef& ref) {
  const ChainPlace p = place(scene, ref);
  if (p.soft) return builder.addStep(p.soft->stepTo(p.X));
  if (p.offset.r.isZero()) return p.step;
  return builder.addFixed(p.step, p.offset);
}

std::vector<ForceFields::Field> Structure::fields(const scene::Scene& scene) const {
  std::vector<ForceFields::Field> out;
  for (const PlacedLoad& placed : loads) {
    const scene::Load& load = *placed.load;
    if (load.kind != scene::Load::Kind::field) continue;
    ForceFields::Field field;
    field.load = &load, field.extra = placed.extra;
    const double places = static_cast<double>(load.places.size());
    std::size_t k = 0;
    for (std::size_t i = 0; i < load.places.size(); ++i) {
      const scene::LinkRef& ref = load.places[i];
      if (ref.linkage != linkage) continue;
      const scene::Link& link =
          scene.linkages[static_cast<std::size_t>(linkage)].links[static_cast<std::size_t>(ref.link)];
      field.points.push_back({placed.steps[k++], 1, ref.at * link.length(), ref.at, static_cast<double>(i), places});
    }
    double index = 0;
    for (const Piece& piece : placed.pieces) {
      if (piece.first) index = 0;
      const SoftSegment& soft = builder.soft(piece.soft);
      const MassPoint& mass = builder.mass(soft.masses[static_cast<std::size_t>(piece.point)]);
      const double weight =
          load.field.per == scene::LoadField::Per::mass ? mass.inertia(3, 3) : piece.in(builder).weight;
      field.points.push_back({mass.step, weight, piece.s, piece.u, index++, piece.n});
    }
    out.push_back(std::move(field));
  }
  return out;
}

PlaceState stateAt(const ChainPlace& place, const std::vector<ChainFrame>& frames, const VectorX& q, const VectorX& v) {
  PlaceState out;
  if (!place.soft) {
    const ChainFrame& f = frames[place.step];
    out.pose = f.pose * place.offset;
    out.velocity = geometry::pullBack(place.offset, f.velocity);
    return out;
  }
  const ChainStep step = place.soft->stepTo(place.X);
  std::array<TwistJet, 3> strains;
  for (int i = 0; i < magnusStages(step.order); ++i) {
    strains[i] = {step.reference[i], geometry::Vec6::Zero(), geometry::Vec6::Zero()};
    for (std::size_t j = 0; j < step.modes.size(); ++j) {
      const int k = step.first + static_cast<int>(j);
      strains[i].value[step.modes[j]] += step.values[i][j] * q[k];
      strains[i].rate[step.modes[j]] += step.values[i][j] * v[k];
    }
  }
  const TwistJet twist = magnusStep(step.order, step.length, strains).twist;
  const geometry::Pose motion = geometry::exponential(twist.value);
  const ChainFrame& f = frames[step.parent];
  out.pose = f.pose * step.offset * motion;
  out.velocity = geometry::pullBack(motion, geometry::pullBack(step.offset, f.velocity) +
                                                geometry::TangentOperator(twist.value).matrix() * twist.rate);
  return out;
}

}  // namespace tendril::links
