#include "simulation/side_by_side.h"

#include <algorithm>
#include <limits>
#include <map>
#include <stdexcept>

#include "model/step_instants.h"

namespace tendril {
namespace {

template <class T>
void append(std::vector<T>& out, const std::vector<T>& more) {
  out.insert(out.end(), more.begin(), more.end());
}

// Appends `more` to `out`: its points, its tendons' points, its joints and its bodies are renumbered.
void appendDrawing(Drawing& out, const Drawing& more, int firstBody) {
  const int points = static_cast<int>(out.halfAxes.size() / 2);
  int tendonPoints = 0;
  for (const DrawingTendon& t : out.tendons) tendonPoints = std::max(tendonPoints, t.firstPoint + t.pointCount);
  for (DrawingPart part : more.parts) {
    part.firstPoint += points;
    part.body += firstBody;
    out.parts.push_back(std::move(part));
  }
  for (std::uint32_t point : more.segments) out.segments.push_back(point + static_cast<std::uint32_t>(points));
  for (std::uint32_t point : more.triangles) out.triangles.push_back(point + static_cast<std::uint32_t>(points));
  for (DrawingMark mark : more.marks) {
    mark.point += points;
    if (mark.joint >= 0) mark.joint += static_cast<int>(out.joints.size());
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

scene::Instant instantOf(const model::SettleRequest& request) {
  scene::Instant at;
  at.t = at.middle = request.time;
  at.factor = request.factor;
  at.columns = request.columns;
  return at;
}

void clear(Snapshot& s) {
  for (auto* list : {&s.positions, &s.obstacles, &s.joints, &s.tendons, &s.tensions, &s.contacts, &s.directors,
                     &s.curvature, &s.strain, &s.energy}) {
    list->clear();
  }
}

}  // namespace

std::vector<int> bodiesOf(const scene::Probe& probe, const scene::Scene& scene, bool second) {
  using Kind = scene::Probe::Kind;
  if (probe.kind == Kind::formula) return {};
  if (probe.kind == Kind::cable || probe.kind == Kind::cableRate) return {scene.bodyOfLinkage(probe.linkage)};
  std::vector<int> out;
  if (probe.kind == Kind::energy || probe.kind == Kind::contact) {
    if (!probe.bodies.empty()) return probe.bodies;
    for (int body = 0; body < scene.bodyOfVine(static_cast<int>(scene.vines.size())); ++body) out.push_back(body);
    return out;
  }
  for (const scene::NodeRef& ref : second ? probe.other : probe.nodes) out.push_back(ref.body);
  for (const scene::LinkRef& ref : second ? probe.otherPlaces : probe.places)
    out.push_back(scene.bodyOfLinkage(ref.linkage));
  for (const int vine : second ? probe.otherVines : probe.vines) out.push_back(scene.bodyOfVine(vine));
  return out;
}

void SideBySide::hold(std::vector<Part> parts) {
  const scene::Scene& scene = scene_;
  parts_ = std::move(parts);
  saved_.resize(parts_.size()), snapshots_.resize(parts_.size());
  std::vector<std::size_t> partOf(static_cast<std::size_t>(scene.bodyOfVine(static_cast<int>(scene.vines.size()))));
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    std::fill(partOf.begin() + parts_[i].firstBody, partOf.begin() + parts_[i].endBody, i);
  }
  for (const scene::Probe& probe : scene.probes) {
    std::map<std::size_t, Share> shares;
    for (const int body : bodiesOf(probe, scene, false)) shares[partOf[static_cast<std::size_t>(body)]].first += 1;
    for (const int body : bodiesOf(probe, scene, true)) shares[partOf[static_cast<std::size_t>(body)]].second += 1;
    shares_.emplace_back();
    for (auto& [part, share] : shares) share.part = part, shares_.back().push_back(share);
  }
}

void SideBySide::begin(const double* columns) {
  world_.begin(columns);
  for (Part& part : parts_) part.model->begin(columns);
}

void SideBySide::goBack(std::size_t first) {
  for (std::size_t i = first; i < parts_.size(); ++i) {
    std::span<const std::byte> bytes(saved_[i]);
    parts_[i].model->restore(bytes);
  }
}

// From the last to the first, whose state needs no copy because no other model follows it: a linkage has few
// coordinates, a shell many.
template <class Attempt>
model::StepReport SideBySide::together(const scene::Instant& end, double t0, const Attempt& attempt) {
  world_.prepare(end, t0);
  model::StepReport all;
  all.accepted = true;
  std::size_t i = parts_.size();
  try {
    while (i > 0 && all.accepted) {
      model::Model& model = *parts_[--i].model;
      if (i > 0) {
        saved_[i].clear();
        model.save(saved_[i]);
      }
      model::StepReport one = attempt(model);
      all.accepted = one.accepted;
      all.stopped = one.stopped;
      all.hopeless = one.hopeless;
      all.ask = one.ask;
      all.iterations = std::max(all.iterations, one.iterations);
      all.reason = std::move(one.reason);
      all.advised = one.advised;
      append(all.warnings, one.warnings);
    }
    if (all.accepted) world_.accept();
  } catch (...) {
    goBack(i + 1);
    throw;
  }
  if (!all.accepted) goBack(i + 1);
  return all;
}

model::StepReport SideBySide::step(const model::StepRequest& request, const model::Continue& keepGoing) {
  return together(model::stepInstants(request, 1).end, request.t0,
                  [&](model::Model& model) { return model.step(request, keepGoing); });
}

model::StepReport SideBySide::settle(const model::SettleRequest& request, const model::Continue& keepGoing) {
  return together(instantOf(request), request.time,
                  [&](model::Model& model) { return model.settle(request, keepGoing); });
}

void SideBySide::lead() {
  for (Part& part : parts_) part.model->lead();
}

template <class Retake>
model::StepReport SideBySide::again(const scene::Instant& end, double t0, model::Model& first,
                                    std::span<const model::Neighbor> neighbors, const Retake& retake) {
  auto& lead = static_cast<SideBySide&>(first);
  std::vector<SideBySide*> all;
  world_.prepare(end, t0);
  for (const model::Neighbor& neighbor : neighbors) {
    all.push_back(static_cast<SideBySide*>(neighbor.model));
    scene::Instant own = end;
    own.columns = neighbor.columns;
    all.back()->world_.prepare(own, t0);
  }
  model::StepReport report;
  report.accepted = true;
  std::vector<model::Neighbor> beside(neighbors.begin(), neighbors.end());
  for (std::size_t i = parts_.size(); i-- > 0 && report.accepted;) {
    for (std::size_t k = 0; k < all.size(); ++k) beside[k].model = all[k]->parts_[i].model.get();
    report = retake(*parts_[i].model, *lead.parts_[i].model, beside);
  }
  if (!report.accepted) return report;
  world_.accept();
  for (SideBySide* model : all) model->world_.accept();
  return report;
}

model::StepReport SideBySide::retake(const model::StepRequest& request, model::Model& first,
                                     std::span<const model::Neighbor> neighbors) {
  return again(model::stepInstants(request, 1).end, request.t0, first, neighbors,
               [&](model::Model& model, model::Model& lead, const std::vector<model::Neighbor>& beside) {
                 return model.retake(request, lead, beside);
               });
}

model::StepReport SideBySide::resettle(const model::SettleRequest& request, model::Model& first,
                                       std::span<const model::Neighbor> neighbors) {
  return again(instantOf(request), request.time, first, neighbors,
               [&](model::Model& model, model::Model& lead, const std::vector<model::Neighbor>& beside) {
                 return model.resettle(request, lead, beside);
               });
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

std::vector<model::Remark> SideBySide::remarks() const {
  std::vector<model::Remark> out;
  for (const Part& part : parts_) append(out, part.model->remarks());
  return out;
}

const Drawing& SideBySide::drawing() const {
  std::vector<std::uint64_t> revisions;
  for (const Part& part : parts_) revisions.push_back(part.model->drawing().revision);
  if (revisions == drawn_) return drawing_;
  drawn_ = revisions;
  drawing_ = Drawing();
  drawing_.revision = 0;
  for (std::uint64_t r : revisions) drawing_.revision += r;
  for (const Part& part : parts_) appendDrawing(drawing_, part.model->drawing(), part.firstBody);
  world_.draw(drawing_);
  return drawing_;
}

void SideBySide::snapshot(Snapshot& out) {
  clear(out);
  world_.snapshot(out);
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    Snapshot& s = snapshots_[i];
    parts_[i].model->snapshot(s);
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

bool SideBySide::energyBalance(model::WatchedBalance& out) {
  out = {};
  for (Part& part : parts_) {
    model::WatchedBalance one;
    if (!part.model->energyBalance(one)) return false;
    out += one;
  }
  return true;
}

void SideBySide::energyOfParts(std::vector<model::PartBalance>& out) {
  for (Part& part : parts_) {
    const std::size_t first = out.size();
    part.model->energyOfParts(out);
    for (std::size_t i = first; i < out.size(); ++i) out[i].body += part.firstBody;
  }
}

void SideBySide::observe(int probe, std::span<double> columns) {
  const scene::Probe& p = scene_.probes[static_cast<std::size_t>(probe)];
  const std::vector<Share>& shares = shares_[static_cast<std::size_t>(probe)];
  if (shares.empty()) throw std::logic_error("no model provides what a probe measures");
  if (shares.size() == 1) return parts_[shares.front().part].model->observe(probe, columns);
  if (p.kind == scene::Probe::Kind::distance) {
    columns[0] = (meanPosition(probe, false) - meanPosition(probe, true)).norm();
    return;
  }
  // Totals, or a selection of nodes and points on links: each model has reduced its own.
  scene::Reduce how = p.reduce;
  if (p.kind == scene::Probe::Kind::energy || p.kind == scene::Probe::Kind::contact) how = scene::Reduce::sum;
  if (p.kind == scene::Probe::Kind::contact && p.contact == scene::ContactKind::penetration) how = scene::Reduce::max;
  double selected = 0;
  for (const Share& s : shares) selected += s.first;
  row_.resize(columns.size());
  for (const Share& s : shares) {
    parts_[s.part].model->observe(probe, row_);
    const double weight = how == scene::Reduce::mean ? s.first / selected : 1;
    for (std::size_t k = 0; k < row_.size(); ++k) {
      const double value = weight * row_[k];
      columns[k] = &s == &shares.front()       ? value
                   : how == scene::Reduce::min ? std::min(columns[k], value)
                   : how == scene::Reduce::max ? std::max(columns[k], value)
                                               : columns[k] + value;
    }
  }
}

Vec3 SideBySide::meanPosition(int probe, bool second) {
  Vec3 sum = Vec3::Zero();
  double count = 0;
  for (const Share& s : shares_[static_cast<std::size_t>(probe)]) {
    const double own = second ? s.second : s.first;
    if (own > 0) sum += own * parts_[s.part].model->meanPosition(probe, second);
    count += own;
  }
  return sum / std::max(1.0, count);
}

void SideBySide::seenByLoad(int load, std::vector<double>& out) const {
  for (const Part& part : parts_) part.model->seenByLoad(load, out);
}

void SideBySide::bodies(std::vector<BodyState>& out) {
  for (Part& part : parts_) part.model->bodies(out);
}

void SideBySide::grab(int point, const Vec3& target) {
  grab(point);
  world_.grab(target);
}

void SideBySide::grab(int point) {
  for (Part& part : parts_) {
    const int count = static_cast<int>(part.model->drawing().halfAxes.size() / 2);
    if (point < count) {
      for (Part& other : parts_) {
        if (&other != &part) other.model->release();  // the pointer grabs one point
      }
      return part.model->grab(point);
    }
    point -= count;
  }
  throw std::invalid_argument("no drawn point has this number");
}

void SideBySide::release() {
  world_.release();
  for (Part& part : parts_) part.model->release();
}

void SideBySide::refresh() {
  for (Part& part : parts_) part.model->refresh();
}

void SideBySide::visit(model::Archive& archive) {
  world_.visit(archive);
  for (Part& part : parts_) part.model->visit(archive);
}

}  // namespace tendril
