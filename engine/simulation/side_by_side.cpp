#include "simulation/side_by_side.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace tendril {
namespace {

template <class T>
void append(std::vector<T>& out, const std::vector<T>& more) {
  out.insert(out.end(), more.begin(), more.end());
}

// `more` behind what `out` holds: its points and its tendons' points are numbered on.
void appendDrawing(Drawing& out, const Drawing& more) {
  const int points = static_cast<int>(out.halfAxes.size() / 2);
  int tendonPoints = 0;
  for (const DrawingTendon& t : out.tendons) tendonPoints = std::max(tendonPoints, t.firstPoint + t.pointCount);
  for (DrawingPart part : more.parts) {
    part.firstPoint += points;
    out.parts.push_back(std::move(part));
  }
  for (std::uint32_t point : more.segments) out.segments.push_back(point + static_cast<std::uint32_t>(points));
  for (std::uint32_t point : more.triangles) out.triangles.push_back(point + static_cast<std::uint32_t>(points));
  for (DrawingMark mark : more.marks) {
    mark.point += points;
    out.marks.push_back(std::move(mark));
  }
  for (DrawingTendon tendon : more.tendons) {
    tendon.firstPoint += tendonPoints;
    out.tendons.push_back(std::move(tendon));
  }
  append(out.joints, more.joints);
  append(out.halfAxes, more.halfAxes);
  append(out.round, more.round);
}

void clear(Snapshot& s) {
  for (auto* list : {&s.positions, &s.obstacles, &s.joints, &s.tendons, &s.tensions, &s.contacts, &s.directors, &s.curvature,
                     &s.strain, &s.energy}) {
    list->clear();
  }
}

unsigned bit(Owner owner) { return static_cast<unsigned>(owner); }

std::size_t selectedBy(Owner owner, const Probe& p, bool second) {
  if (owner == Owner::vines) return (second ? p.otherVines : p.vines).size();
  if (owner == Owner::linkages) return (second ? p.otherPlaces : p.places).size();
  return (second ? p.other : p.nodes).size();
}

}  // namespace

unsigned ownersOf(const Probe& probe, const Scene& scene) {
  switch (probe.kind) {
    case Probe::Kind::jointAngle:
    case Probe::Kind::jointEffort:
    case Probe::Kind::cable:
    case Probe::Kind::cableRate:
      return bit(Owner::linkages);
    case Probe::Kind::energy:
    case Probe::Kind::contact: {
      if (probe.bodies.empty()) return bit(Owner::discrete) | bit(Owner::linkages) | bit(Owner::vines);
      unsigned owners = 0;
      for (const int body : probe.bodies) {
        owners |= bit(body < scene.bodyOfLinkage(0) ? Owner::discrete : body < scene.bodyOfVine(0) ? Owner::linkages : Owner::vines);
      }
      return owners;
    }
    default: {
      unsigned owners = 0;
      for (const Owner owner : {Owner::discrete, Owner::linkages, Owner::vines}) {
        if (selectedBy(owner, probe, false) + selectedBy(owner, probe, true) > 0) owners |= bit(owner);
      }
      return owners;
    }
  }
}

SideBySide::SideBySide(const Scene& scene, std::vector<Part> parts)
    : scene_(scene), parts_(std::move(parts)), saved_(parts_.size()), moments_(parts_.size()) {}

unsigned SideBySide::present() const {
  unsigned owners = 0;
  for (const Part& part : parts_) owners |= bit(part.owner);
  return owners;
}

void SideBySide::begin(const double* columns) {
  for (Part& part : parts_) part.model->begin(columns);
}

void SideBySide::goBack(std::size_t first) {
  for (std::size_t i = first; i < parts_.size(); ++i) {
    std::span<const std::byte> bytes(saved_[i]);
    parts_[i].model->restore(bytes);
  }
}

// From the last to the first, which nobody has to wait for and which therefore needs no copy of its state: linkages have
// few coordinates, a shell has many.
template <class Attempt>
StepReport SideBySide::together(const Attempt& attempt) {
  StepReport all;
  all.accepted = true;
  all.solvers = static_cast<int>(parts_.size());
  std::size_t i = parts_.size();
  try {
    while (i > 0 && all.accepted) {
      Model& model = *parts_[--i].model;
      if (i > 0) {
        saved_[i].clear();
        model.save(saved_[i]);
      }
      StepReport one = attempt(model);
      all.accepted = one.accepted;
      all.stopped = one.stopped;
      all.hopeless = one.hopeless;
      all.iterations += one.iterations;
      all.reason = std::move(one.reason);
      append(all.warnings, one.warnings);
    }
  } catch (...) {
    goBack(i + 1);
    throw;
  }
  if (!all.accepted) goBack(i + 1);
  return all;
}

StepReport SideBySide::step(const StepRequest& request, const Continue& keepGoing) {
  return together([&](Model& model) { return model.step(request, keepGoing); });
}

StepReport SideBySide::settle(const SettleRequest& request, const Continue& keepGoing) {
  return together([&](Model& model) { return model.settle(request, keepGoing); });
}

double SideBySide::stableStep() {
  double least = std::numeric_limits<double>::infinity();
  for (Part& part : parts_) least = std::min(least, part.model->stableStep());
  return least;
}

int SideBySide::degreesOfFreedom() const {
  int sum = 0;
  for (const Part& part : parts_) sum += part.model->degreesOfFreedom();
  return sum;
}

double SideBySide::maxPenetration() const {
  double deepest = 0;
  for (const Part& part : parts_) deepest = std::max(deepest, part.model->maxPenetration());
  return deepest;
}

std::vector<Remark> SideBySide::remarks() const {
  std::vector<Remark> out;
  for (const Part& part : parts_) append(out, part.model->remarks());
  return out;
}

// Every model draws the scene's obstacles: the first one's are taken.
const Drawing& SideBySide::drawing() const {
  std::vector<std::uint64_t> revisions;
  for (const Part& part : parts_) revisions.push_back(part.model->drawing().revision);
  if (revisions == drawn_) return drawing_;
  drawn_ = revisions;
  drawing_ = Drawing();
  drawing_.revision = 0;
  for (std::uint64_t r : revisions) drawing_.revision += r;
  for (const Part& part : parts_) appendDrawing(drawing_, part.model->drawing());
  drawing_.obstacles = parts_.front().model->drawing().obstacles;
  return drawing_;
}

void SideBySide::snapshot(Snapshot& out) {
  clear(out);
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    Snapshot& s = moments_[i];
    parts_[i].model->snapshot(s);
    if (i == 0) out.obstacles = s.obstacles;
    append(out.positions, s.positions);
    append(out.joints, s.joints);
    append(out.tendons, s.tendons);
    append(out.tensions, s.tensions);
    append(out.contacts, s.contacts);
    append(out.directors, s.directors);
    append(out.curvature, s.curvature);
    append(out.strain, s.strain);
    append(out.energy, s.energy);
  }
}

bool SideBySide::energyBalance(EnergyBalance& out) {
  out = {};
  for (Part& part : parts_) {
    EnergyBalance one;
    if (!part.model->energyBalance(one)) return false;
    out += one;
  }
  return true;
}

void SideBySide::observe(int probe, std::span<double> columns) {
  const Probe& p = scene_.probes[static_cast<std::size_t>(probe)];
  const unsigned owners = ownersOf(p, scene_) & present();
  if (p.kind == Probe::Kind::distance) {
    columns[0] = (meanPosition(probe, false) - meanPosition(probe, true)).norm();
    return;
  }
  // Totals, or a selection of nodes and places: each model has reduced its own.
  Reduce how = p.reduce;
  if (p.kind == Probe::Kind::energy || p.kind == Probe::Kind::contact) how = Reduce::sum;
  if (p.kind == Probe::Kind::contact && p.contact == ContactKind::penetration) how = Reduce::max;
  const double selected = static_cast<double>(p.nodes.size() + p.places.size() + p.vines.size());
  row_.resize(columns.size());
  bool first = true;
  for (Part& part : parts_) {
    if ((owners & bit(part.owner)) == 0) continue;
    if (owners == bit(part.owner)) return part.model->observe(probe, columns);
    part.model->observe(probe, row_);
    const double weight = how == Reduce::mean ? static_cast<double>(selectedBy(part.owner, p, false)) / selected : 1;
    for (std::size_t k = 0; k < row_.size(); ++k) {
      const double value = weight * row_[k];
      columns[k] = first                  ? value
                   : how == Reduce::min   ? std::min(columns[k], value)
                   : how == Reduce::max   ? std::max(columns[k], value)
                                          : columns[k] + value;
    }
    first = false;
  }
  if (first) throw std::logic_error("no model holds what a probe asks for");
}

Vec3 SideBySide::meanPosition(int probe, bool second) {
  const Probe& p = scene_.probes[static_cast<std::size_t>(probe)];
  Vec3 sum = Vec3::Zero();
  double count = 0;
  for (Part& part : parts_) {
    const double own = static_cast<double>(selectedBy(part.owner, p, second));
    if (own > 0) sum += own * part.model->meanPosition(probe, second);
    count += own;
  }
  return sum / std::max(1.0, count);
}

void SideBySide::bodies(std::vector<BodyState>& out) {
  for (Part& part : parts_) part.model->bodies(out);
}

void SideBySide::grab(int point, const Vec3& target) {
  for (Part& part : parts_) {
    const int count = static_cast<int>(part.model->drawing().halfAxes.size() / 2);
    if (point < count) {
      for (Part& other : parts_) {
        if (&other != &part) other.model->release();  // the pointer holds one point
      }
      return part.model->grab(point, target);
    }
    point -= count;
  }
  throw std::invalid_argument("no drawn point has this number");
}

void SideBySide::release() {
  for (Part& part : parts_) part.model->release();
}

void SideBySide::refresh() {
  for (Part& part : parts_) part.model->refresh();
}

void SideBySide::save(std::vector<std::byte>& out) const {
  for (const Part& part : parts_) part.model->save(out);
}

void SideBySide::restore(std::span<const std::byte>& in) {
  for (Part& part : parts_) part.model->restore(in);
}

}  // namespace tendril
