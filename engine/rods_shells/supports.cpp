#include "rods_shells/supports.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "rods_shells/shells.h"
#include "rods_shells/springs.h"

namespace tendril::rods_shells {

namespace {

constexpr double negligible = 1e-3;  // of an edge, or [rad]: a jump that does no more than meshes do

// Turn of an edge's normal from the mean of its triangles' to this one [rad].
template <class Place>
double turnTo(const Vec3& normal, const ShellEdge& e, const Place& place, double hingeAngle) {
  return geometry::signedAngle(midedgeNormal(e, place, hingeAngle, 0), normal, (place(e.a) - place(e.b)).normalized());
}

}  // namespace

Supports::Supports(Structure& structure, const scene::Scene& scene)
    : s_(structure), scene_(scene), motion_(scene), springs_(structure) {
  const std::size_t n = scene.constraints.size();
  state_.traveled.assign(n, Vec3::Zero());
  state_.anchored.assign(n, 0);
  state_.anchors.resize(n);
  state_.turned.resize(n);
  state_.angles.resize(n);
  plan_.assign(n, -1);
  for (std::size_t i = 0; i < n; ++i) {
    state_.turned[i].assign(scene.constraints[i].rotation.size(), 0.0);
    state_.anchors[i].assign(scene.constraints[i].nodes.size(), Vec3::Zero());
    state_.angles[i].assign(scene.constraints[i].edges.size(), 0.0);
  }
  for (std::size_t p = 0; p < s_.clamps.size(); ++p) {
    plan_[s_.clamps[p].constraint] = static_cast<int>(p);
    state_.inside.emplace_back();
    for (const int i : s_.clamps[p].edges)
      state_.inside.back().push_back({s_.edges[i].initial / s_.edges[i].length, s_.edges[i].d1});
  }
  for (const HeldFrame& h : s_.held) {
    state_.frames.push_back({h.t, h.d1});
    held_.push_back(heldFrame(h.t, h.d1));
    heldAtEnd_.push_back(held_.back());
  }
  for (const HeldEdge& h : s_.shell.held) state_.normals.push_back(h.normal);
  normals_ = normalsAtEnd_ = state_.normals;
  planes_.assign(s_.shell.held.size(), 0);
  prescribed_.assign(s_.size, 0);
  before_.assign(s_.size, 2);  // unlike any mask: the first prepare reports a change
  values_ = VectorX::Zero(s_.size);
}

// Positions start as built. Only "fixTwist" holds what it finds; "turn" prescribes the angle itself.
void Supports::startFrom(const VectorX& q) {
  for (std::size_t i = 0; i < scene_.constraints.size(); ++i) {
    const scene::Constraint& c = scene_.constraints[i];
    if (c.kind != scene::Constraint::Kind::fixTwist) continue;
    for (std::size_t k = 0; k < c.edges.size(); ++k) state_.angles[i][k] = q[s_.edges[s_.edge(c.edges[k])].theta];
  }
}

std::string Supports::turnsTooFar(const scene::Instant& end, std::vector<int>* which) const {
  constexpr double most = 1.5;  // [rad], as edges
  double largest = 0;
  for (std::size_t i = 0; i < scene_.constraints.size(); ++i) {
    const scene::Constraint& c = scene_.constraints[i];
    if (motion_.phase(c, end) == SupportMotion::Phase::off) continue;
    double sum = 0;
    for (std::size_t k = 0; k < c.rotation.size(); ++k)
      sum += std::abs(motion_.angle(c, c.rotation[k], end) - state_.turned[i][k]);
    if (sum > most && which) which->push_back(static_cast<int>(i));
    largest = std::max(largest, sum);
  }
  if (largest <= most) return {};
  char text[100];
  std::snprintf(text, sizeof text, "a clamp would turn by %.3g rad, and takes at most %.2g in one step", largest, most);
  return text;
}

// The mid-edge normals as they are now.
void Supports::anchorNormals(const ClampPlan& plan, const VectorX& q, const FrameState& frames) {
  const auto place = [&](int node) -> Vec3 { return s_.nodes[node] + q.segment<3>(s_.nodeDof[node]); };
  for (int h : plan.shellHeld) {
    const int i = s_.shell.held[h].edge;
    const ShellEdge& e = s_.shell.edges[i];
    state_.normals[h] = midedgeNormal(e, place, frames.hingeAngle[i], e.psi >= 0 ? q[e.psi] : 0);
  }
}

// Held planes replace psi in every energy. Until the step is solved it is where the triangles beside stay behind:
// carryNormals.
void Supports::prescribeNormals(const ClampPlan& plan, const Mat3& turn, const FrameState& frames) {
  const auto place = [&](int node) -> Vec3 { return s_.nodes[node] + values_.segment<3>(s_.nodeDof[node]); };
  for (int h : plan.shellHeld) {
    const int i = s_.shell.held[h].edge;
    const ShellEdge& e = s_.shell.edges[i];
    if (e.psi < 0) continue;
    prescribed_[e.psi] = 1;
    values_[e.psi] = turnTo(turn * state_.normals[h], e, place, frames.hingeAngle[i]);
  }
}

void Supports::carryNormals(VectorX& q, const FrameState& frames) const {
  const auto place = [&](int node) -> Vec3 { return s_.nodes[node] + q.segment<3>(s_.nodeDof[node]); };
  for (std::size_t h = 0; h < planes_.size(); ++h) {
    const int i = s_.shell.held[h].edge;
    const ShellEdge& e = s_.shell.edges[i];
    if (planes_[h] && e.psi >= 0) q[e.psi] = turnTo(normalsAtEnd_[h], e, place, frames.hingeAngle[i]);
  }
}

// "before": "free" ends: the constraint catches what it holds where it is.
void Supports::anchor(int index, const VectorX& q, Elasticity& elasticity) {
  const FrameState& frames = elasticity.frames();
  const scene::Constraint& c = scene_.constraints[index];
  if (!c.freeBefore || state_.anchored[index]) return;
  if (!caught_) free_ = state_, caught_ = true;
  state_.anchored[index] = 1;
  if (c.kind == scene::Constraint::Kind::move) return;  // goes to the place that it prescribes: measureJump
  for (std::size_t i = 0; i < c.nodes.size(); ++i)
    state_.anchors[index][i] = q.segment<3>(s_.nodeDof[s_.node(c.nodes[i])]);
  for (std::size_t i = 0; i < c.edges.size(); ++i) state_.angles[index][i] = q[s_.edges[s_.edge(c.edges[i])].theta];
  if (plan_[index] < 0) return;
  anchorNormals(s_.clamps[plan_[index]], q, frames);
  const std::vector<int>& inside = s_.clamps[plan_[index]].edges;
  for (std::size_t k = 0; k < inside.size(); ++k) {
    const elastic::EdgeStart& e = frames.edges[inside[k]];
    const double theta = q[s_.edges[inside[k]].theta];
    state_.inside[static_cast<std::size_t>(plan_[index])][k] = {
        e.t, std::cos(theta) * e.d1 + std::sin(theta) * e.t.cross(e.d1)};
  }
  for (int h : s_.clamps[plan_[index]].held) {
    caughtFrames_.push_back(h);
    if (s_.held[h].weld >= 0) {
      const Mat3& turn = frames.welds[s_.held[h].weld].turn;
      state_.frames[h] = {turn * s_.held[h].t, turn * s_.held[h].d1};
      continue;
    }
    // The frame halfway between the rod's edges at the node, as they are now.
    Vec3 t = Vec3::Zero(), d = Vec3::Zero();
    for (const auto& incident : s_.nodeEdges[s_.held[h].node]) {
      const Edge& edge = s_.edges[incident[0]];
      if (edge.rod != s_.held[h].rod || edge.index + incident[1] != s_.held[h].place) continue;
      const elastic::EdgeStart& e = frames.edges[incident[0]];
      const double theta = q[s_.edges[incident[0]].theta];
      t += e.t;
      d += std::cos(theta) * e.d1 + std::sin(theta) * e.t.cross(e.d1);
    }
    t.normalize();
    state_.frames[h] = elasticity.caughtFrame(h, {t, geometry::normalTo(d, t)}, q);
  }
}

// From where the motion has the nodes that it catches as the step begins.
void Supports::measureJump(int index, const scene::Instant& end, double t0, const VectorX& q) {
  const scene::Constraint& c = scene_.constraints[index];
  scene::Instant begin = end;
  begin.t = std::max(t0, c.interval.from);
  const Vec3 u = motion_.displacement(index, begin, begin.t, state_.traveled[index]);
  if (c.kind == scene::Constraint::Kind::planar) {
    for (const int d : s_.nodeDof) {
      if (std::abs(q[d + c.normal]) > jump_) jump_ = std::abs(q[d + c.normal]), jumps_ = index;
    }
  }
  for (const scene::NodeRef& ref : c.nodes) {
    const double far = (q.segment<3>(s_.nodeDof[s_.node(ref)]) - u).norm();
    if (far > jump_) jump_ = far, jumps_ = index;
  }
}

void Supports::setNode(int node, int axis, double value) {
  const int dof = s_.nodeDof[node] + axis;
  prescribed_[dof] = 1;
  values_[dof] = value;
}

// Edges inside a run of clamped nodes turn with the held frame: the angle from the transported director to the turned
// one.
void Supports::prescribeClampEdges(const ClampPlan& plan, const Mat3& turn, const FrameState& frames) {
  const std::vector<elastic::EdgeStart>& inside = state_.inside[static_cast<std::size_t>(plan_[plan.constraint])];
  for (std::size_t k = 0; k < plan.edges.size(); ++k) {
    const int i = plan.edges[k];
    const Edge& e = s_.edges[i];
    const Vec3 at = values_.segment<3>(s_.nodeDof[e.a]), bt = values_.segment<3>(s_.nodeDof[e.b]);
    const Vec3 t = (e.initial + bt - at).normalized();
    const Vec3 d = geometry::transport(frames.edges[i].d1, frames.edges[i].t, t);
    const double angle = geometry::signedAngle(d, turn * inside[k].d1, t);
    prescribed_[e.theta] = 1;
    values_[e.theta] = geometry::unwrapAngle(angle, values_[e.theta]);
  }
}

// The frame of a weld goes along with that of its clamp: its own springs are off, but ties to shells see it, and where
// it is let go it must be in place.
void Supports::prescribeClampWelds(const ClampPlan& plan, const Mat3& turn, const FrameState& frames) {
  constexpr double most =
      20;  // of the increment, of a turn by 2.94 rad; beyond, the accepted frame is the clamp's all the same
  for (const auto& [weld, h] : plan.welds) {
    const HeldFrame& held = s_.held[h];
    const WeldStart& start = frames.welds[weld];
    const Vec3 t = turn * state_.frames[h].t, d = turn * state_.frames[h].d1;
    Mat3 from, to;
    from << held.d1, held.t.cross(held.d1), held.t;
    to << d, t.cross(d), t;
    Vec3 w = elastic::incrementOf(to * from.transpose() * start.turn.transpose());
    if (!(w.norm() < most)) w = w.allFinite() ? Vec3(w * (most / w.norm())) : Vec3::Zero();
    const int first = s_.welds[weld].turn;
    for (int k = 0; k < 3; ++k) {
      prescribed_[first + k] = 1;
      values_[first + k] = start.base[k] + w[k];
    }
  }
}

// A rod's first clamped node; the middle of the clamped nodes of shells, whose order means nothing to the user.
Vec3 Supports::clampPivot(int index) const {
  const scene::Constraint& c = scene_.constraints[index];
  Vec3 sum = Vec3::Zero();
  int shellNodes = 0;
  for (std::size_t i = 0; i < c.nodes.size(); ++i) {
    Vec3 place = s_.nodes[s_.node(c.nodes[i])] + state_.anchors[index][i];
    if (scene_.isRod(c.nodes[i].body)) return place;
    sum += place;
    ++shellNodes;
  }
  return sum / shellNodes;
}

void Supports::prescribeClamp(int index, const scene::Instant& end, double t0, const FrameState& frames) {
  const scene::Constraint& c = scene_.constraints[index];
  const Vec3 shift = motion_.displacement(index, end, t0, state_.traveled[index]);
  const Mat3 turn = motion_.rotation(c, end);
  const Vec3 pivot = clampPivot(index);
  const bool rigid = c.nodes.size() == 1 || c.rotation.empty();
  for (std::size_t i = 0; i < c.nodes.size(); ++i) {
    const int node = s_.node(c.nodes[i]);
    Vec3 u = state_.anchors[index][i] + shift;
    if (!rigid) {
      const Vec3 arm = s_.nodes[node] + state_.anchors[index][i] - pivot;
      u += turn * arm - arm;
    }
    for (int k = 0; k < 3; ++k) setNode(node, k, u[k]);
  }
  prescribeClampEdges(s_.clamps[plan_[index]], turn, frames);
  prescribeClampWelds(s_.clamps[plan_[index]], turn, frames);
  prescribeNormals(s_.clamps[plan_[index]], turn, frames);
}

void Supports::prescribe(int index, const scene::Instant& end, double t0, const FrameState& frames) {
  const scene::Constraint& c = scene_.constraints[index];
  switch (c.kind) {
    case scene::Constraint::Kind::clamp:
      prescribeClamp(index, end, t0, frames);
      break;
    case scene::Constraint::Kind::fix:
      for (std::size_t i = 0; i < c.nodes.size(); ++i) {
        for (int k = 0; k < 3; ++k) {
          if (c.axes[k]) setNode(s_.node(c.nodes[i]), k, state_.anchors[index][i][k]);
        }
      }
      break;
    case scene::Constraint::Kind::move: {
      const Vec3 u = motion_.displacement(index, end, t0, state_.traveled[index]);
      for (const scene::NodeRef& ref : c.nodes) {
        for (int k = 0; k < 3; ++k) setNode(s_.node(ref), k, u[k]);
      }
      break;
    }
    case scene::Constraint::Kind::planar:
      for (std::size_t i = 0; i < s_.nodes.size(); ++i) setNode(static_cast<int>(i), c.normal, 0);
      for (const Edge& e : s_.edges) prescribed_[e.theta] = 1, values_[e.theta] = 0;
      for (const Weld& weld : s_.welds) {
        for (int k = 0; k < 3; ++k) prescribed_[weld.turn + k] = prescribed_[weld.turn + k] || k != c.normal;
      }
      break;
    case scene::Constraint::Kind::fixTwist:
    case scene::Constraint::Kind::turn: {
      double angle = 0;
      if (c.kind == scene::Constraint::Kind::turn && motion_.phase(c, end) != SupportMotion::Phase::before) {
        formula::Input in;
        in.t = motion_.clipped(c, end).t, in.parameters = scene_.values.data(), in.columns = end.columns;
        angle = end.factor * c.angle(in);
      }
      for (std::size_t i = 0; i < c.edges.size(); ++i) {
        const int dof = s_.edges[s_.edge(c.edges[i])].theta;
        prescribed_[dof] = 1;
        values_[dof] = angle + state_.angles[index][i];
      }
      break;
    }
  }
}

void Supports::findTwistHeld() {
  twistHeld_.clear();
  for (std::size_t i = 0; i < scene_.constraints.size(); ++i) {
    const scene::Constraint& c = scene_.constraints[i];
    if (!clampOn_[i] || (c.kind != scene::Constraint::Kind::turn && c.kind != scene::Constraint::Kind::fixTwist))
      continue;
    for (const scene::EdgeRef& ref : c.edges) {
      const Edge& e = s_.edges[s_.edge(ref)];
      bool free = false;
      for (const int d : {s_.nodeDof[e.a], s_.nodeDof[e.b]}) {
        for (int k = 0; k < 3; ++k) free = free || !prescribed_[d + k];
      }
      if (free) twistHeld_.push_back(s_.edge(ref));
    }
  }
  std::sort(twistHeld_.begin(), twistHeld_.end());
  twistHeld_.erase(std::unique(twistHeld_.begin(), twistHeld_.end()), twistHeld_.end());
}

// A clamp moves what is inside as one piece: its half springs to the edges there stay as they were caught.
void Supports::measureInside(const ClampPlan& plan) {
  const std::vector<elastic::EdgeStart>& inside = state_.inside[static_cast<std::size_t>(plan_[plan.constraint])];
  for (const int i : plan.keep) {
    Spring& p = s_.springs[static_cast<std::size_t>(i)];
    if (!p.inner) continue;
    const int h = std::max(p.e.held, p.f.held), edge = p.e.held >= 0 ? p.f.edge : p.e.edge;
    const auto k = std::find(plan.edges.begin(), plan.edges.end(), edge) - plan.edges.begin();
    const elastic::EdgeStart &start = inside[static_cast<std::size_t>(k)],
                             &frame = state_.frames[static_cast<std::size_t>(h)];
    p.innerStrain = strainBetween(p, heldFrame(start.t, start.d1), heldFrame(frame.t, frame.d1));
  }
}

bool Supports::prepare(const scene::Instant& end, const scene::Instant& at, double t0, const VectorX& q,
                       Elasticity& elasticity) {
  const FrameState& frames = elasticity.frames();
  goBack();
  std::fill(prescribed_.begin(), prescribed_.end(), 0);
  values_ = q;
  clampOn_.assign(scene_.constraints.size(), 0);
  planes_.assign(s_.shell.held.size(), 0);
  weldsHeld_.assign(s_.welds.size(), -1);
  for (std::size_t i = 0; i < scene_.constraints.size(); ++i) {
    const int index = static_cast<int>(i);
    const scene::Constraint& c = scene_.constraints[i];
    if (motion_.phase(c, end) == SupportMotion::Phase::off) continue;
    const bool catches = c.freeBefore && !state_.anchored[i];
    anchor(index, q, elasticity);
    const bool moves = c.kind == scene::Constraint::Kind::move || c.kind == scene::Constraint::Kind::planar;
    if (catches && moves) measureJump(index, end, t0, q);
    clampOn_[i] = 1;
    prescribe(index, end, t0, frames);
    if (plan_[i] < 0) continue;
    measureInside(s_.clamps[plan_[i]]);
    const Mat3 turn = motion_.rotation(c, at), last = at.t == end.t ? turn : motion_.rotation(c, end);
    for (int h : s_.clamps[plan_[i]].held) {
      held_[h] = heldFrame(turn * state_.frames[h].t, turn * state_.frames[h].d1);
      heldAtEnd_[h] = heldFrame(last * state_.frames[h].t, last * state_.frames[h].d1);
    }
    for (const auto& [weld, h] : s_.clamps[plan_[i]].welds) weldsHeld_[weld] = h;
    for (int h : s_.clamps[plan_[i]].shellHeld) {
      planes_[h] = 1;
      normals_[h] = turn * state_.normals[h];
      normalsAtEnd_[h] = last * state_.normals[h];
    }
  }
  findTwistHeld();
  const bool springs = springs_.act(clampOn_);
  const bool mask = prescribed_ != before_ || planes_ != planesBefore_;
  before_ = prescribed_;
  planesBefore_ = planes_;
  return springs || mask;
}

void Supports::goBack() {
  if (caught_) std::swap(state_, free_);
  for (const int h : caughtFrames_) {
    const elastic::EdgeStart& frame = state_.frames[static_cast<std::size_t>(h)];
    held_[static_cast<std::size_t>(h)] = heldAtEnd_[static_cast<std::size_t>(h)] = heldFrame(frame.t, frame.d1);
  }
  caught_ = false;
  caughtFrames_.clear();
  jump_ = 0;
}

std::string Supports::startsAway(const scene::Instant& begin) const {
  const bool twisted = std::any_of(scene_.initial.begin(), scene_.initial.end(),
                                   [](const scene::Initial& i) { return i.twist.has_value(); });
  formula::Input in;
  in.t = begin.t, in.parameters = scene_.values.data(), in.columns = begin.columns;
  double way = 0, turn = 0;
  const scene::Constraint* farthest = nullptr;
  for (std::size_t i = 0; i < scene_.constraints.size(); ++i) {
    const scene::Constraint& c = scene_.constraints[i];
    if (c.freeBefore || c.interval.from > 0 || motion_.phase(c, begin) != SupportMotion::Phase::on) continue;
    const auto sees = [](const formula::Number& n) { return n.seesColumns(); };
    double angle = 0;
    for (const scene::Turn& t : c.rotation) {
      if (sees(t.angle)) angle = std::max(angle, std::abs(t.angle(in)));
    }
    if (c.kind == scene::Constraint::Kind::turn && !twisted && sees(c.angle)) angle = std::abs(c.angle(in));
    const bool moves = c.displacement && std::any_of(c.displacement->begin(), c.displacement->end(), sees);
    const double far = moves ? motion_.displacement(static_cast<int>(i), begin, begin.t, state_.traveled[i]).norm() : 0;
    if (!(far > std::max(way, negligible * s_.meanEdge)) && !(way == 0 && angle > std::max(turn, negligible))) continue;
    way = far, turn = angle, farthest = &c;
  }
  if (!farthest) return {};
  char text[320];
  const bool places = way > negligible * s_.meanEdge;
  std::snprintf(
      text, sizeof text,
      "at t = %.4g s feedback has the support at %s %.3g %s away from %s: the run begins with that jump; let what it "
      "sees begin at 0, put the body there, or take \"start\": \"equilibrium\"",
      begin.t, farthest->pointer.c_str(), places ? way : turn, places ? "m" : "rad",
      places ? "where its node begins" : "how its body begins");
  return text;
}

std::string Supports::accept(const scene::Instant& end, double t0) {
  std::string said;
  if (jump_ > negligible * s_.meanEdge) {
    const scene::Constraint& c = scene_.constraints[static_cast<std::size_t>(jumps_)];
    const bool moves = c.kind == scene::Constraint::Kind::move;
    char text[320];
    std::snprintf(
        text, sizeof text,
        "at t = %.4g s the support at %s caught a node %.3g m away from where it holds it, and the node jumped there: %s",
        end.t, c.pointer.c_str(), jump_,
        moves
            ? "let its motion begin where the node then is, or take a clamp, whose displacement counts from where it catches"
            : "let it act from the start, while all nodes are in their planes");
    said = text;
  }
  jump_ = 0;
  caught_ = false;
  caughtFrames_.clear();
  for (std::size_t i = 0; i < scene_.constraints.size(); ++i) {
    const scene::Constraint& c = scene_.constraints[i];
    for (std::size_t k = 0; k < c.rotation.size(); ++k) state_.turned[i][k] = motion_.angle(c, c.rotation[k], end);
    if (!c.velocity || end.factor == 0) continue;
    state_.traveled[i] = motion_.displacement(static_cast<int>(i), end, t0, state_.traveled[i]) / end.factor;
  }
  return said;
}

}  // namespace tendril::rods_shells
