#include "rods_shells/welds.h"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <set>

namespace tendril::rods_shells {
namespace {

// A tie is this much stiffer than the half edges that it holds. A flat ring of spokes counts a quarter of it against
// its own bending: a rod on a held plate gives way by 6e-4 of what half an edge does, 8e-4/n of its tip's way with n
// edges.
constexpr double tieStiffness = 1e4;

struct Arm {
  int edge = 0;
  bool into = false;  // the edge ends at the node
};

std::vector<Arm> armsOf(const Structure& s, const scene::Scene& scene, const scene::Joint& joint) {
  std::vector<Arm> arms;
  for (const scene::NodeRef& ref : joint.nodes) {
    if (!scene.isRod(ref.body)) continue;
    const int last = static_cast<int>(scene.rods[ref.body].points.size()) - 1;
    if (ref.node > 0) arms.push_back({s.rodFirstEdge[ref.body] + ref.node - 1, true});
    if (ref.node < last) arms.push_back({s.rodFirstEdge[ref.body] + ref.node, false});
  }
  return arms;
}

double angleBetween(const Edge& e, const Edge& f) {
  return std::atan2(e.initial.cross(f.initial).norm(), e.initial.dot(f.initial));
}

// Turn of a rod at its first or last inner node; 0 where it has none.
double turnBeside(const Structure& s, const scene::Scene& scene, const Edge& e, bool before) {
  const int other = before ? e.index - 1 : e.index + 1;
  if (other < 0 || other + 1 >= static_cast<int>(scene.rods[e.rod].points.size())) return 0;
  return angleBetween(e, s.edges[s.rodFirstEdge[e.rod] + other]);
}

// Two arms that go on as one rod does: the second begins where the first ends, no sharper than the rods turn beside,
// and with directors that the sections cannot tell apart. Such a weld is a node like any other.
bool goesOn(const Structure& s, const scene::Scene& scene, const std::set<int>& bent, const std::vector<Arm>& arms) {
  if (arms.size() != 2 || arms[0].into == arms[1].into) return false;
  const Edge &e = s.edges[arms[arms[0].into ? 0 : 1].edge], &f = s.edges[arms[arms[0].into ? 1 : 0].edge];
  // Shapes of its own, told or actuated, belong to a rod's own half edge.
  const scene::Rod &re = scene.rods[e.rod], &rf = scene.rods[f.rod];
  const auto shaped = [](const scene::Rod& rod) {
    return rod.naturalStraight || rod.naturalCurvature || rod.naturalTwist;
  };
  if (e.rod != f.rod && (shaped(re) || shaped(rf))) return false;
  if (bent.count(e.rod) > 0 || bent.count(f.rod) > 0) return false;
  const double beside = std::max(turnBeside(s, scene, e, true), turnBeside(s, scene, f, false));
  if (angleBetween(e, f) > 1.5 * beside + 1e-6) return false;
  const Vec3 tf = f.initial / f.length;
  const double mismatch = geometry::signedAngle(geometry::transport(e.d1, e.initial / e.length, tf), f.d1, tf);
  // A mismatch is told by what sections are: only those that are alike toward d1 and d2 may be turned.
  const auto round = [&](const Edge& edge) {
    const scene::Section& section = scene.rods[edge.rod].section;
    return section.kind == scene::Section::Kind::circle || section.kind == scene::Section::Kind::tube;
  };
  return std::abs(mismatch) < 1e-9 || (round(e) && round(f));
}

void addTie(Structure& s, const scene::Scene& scene, int index) {
  Weld& weld = s.welds[index];
  std::set<int> shells;
  for (const scene::NodeRef& ref : weld.refs) {
    if (!scene.isRod(ref.body)) shells.insert(ref.body - static_cast<int>(scene.rods.size()));
  }
  if (shells.empty()) return;
  ShellTie tie;
  tie.weld = index;
  for (const int shell : shells) {
    for (int i = s.shell.firstEdge[shell]; i < s.shell.firstEdge[shell + 1]; ++i) {
      const ShellEdge& e = s.shell.edges[i];
      if (e.a != weld.node && e.b != weld.node) continue;
      const int far = e.a == weld.node ? e.b : e.a;
      if (std::find(tie.nodes.begin(), tie.nodes.end(), far) != tie.nodes.end()) continue;  // on a seam
      tie.nodes.push_back(far);
      tie.spokes.push_back((e.a == weld.node ? 1 : -1) * e.initial / e.length);
      tie.inverse.push_back(1 / e.length);
    }
  }
  for (const double inverse : tie.inverse) tie.share.push_back(inverse / static_cast<double>(tie.nodes.size()));
  weld.tie = static_cast<int>(s.ties.size());
  s.ties.push_back(std::move(tie));
}

}  // namespace

void nodeFrameOf(const Structure& s, const scene::Scene& scene, scene::NodeRef ref, Vec3& t, Vec3& d1) {
  t = scene.rods[ref.body].nodeTangents[ref.node];
  const Edge& e = s.edges[s.edgeAt(ref)];
  d1 = geometry::normalTo(geometry::transport(e.d1, e.initial / e.length, t), t);
}

void findWelds(Structure& s, const scene::Scene& scene) {
  s.weldAt.assign(s.nodes.size(), -1);
  std::set<int> bent;  // bodies whose shape is actuated
  for (const scene::Actuation& a : scene.actuation) {
    if (!a.shapes()) continue;
    for (const scene::NodeRef& ref : a.nodes) bent.insert(ref.body);
  }
  for (const scene::Joint& joint : scene.joints) {
    if (!joint.weld) continue;
    const std::vector<Arm> arms = armsOf(s, scene, joint);
    const bool onShell =
        std::any_of(joint.nodes.begin(), joint.nodes.end(), [&](scene::NodeRef ref) { return !scene.isRod(ref.body); });
    if (arms.empty() || (!onShell && goesOn(s, scene, bent, arms))) continue;
    Weld weld;
    weld.node = s.node(joint.nodes[0]);
    weld.refs = joint.nodes;
    for (const Arm& arm : arms) weld.edges.push_back(arm.edge);
    const int index = static_cast<int>(s.welds.size());
    for (const scene::NodeRef& ref : joint.nodes) {
      WeldArm arm;
      arm.weld = index;
      if (scene.isRod(ref.body)) nodeFrameOf(s, scene, ref, arm.t, arm.d1);
      weld.arms.push_back(scene.isRod(ref.body) ? static_cast<int>(s.arms.size()) : -1);
      if (scene.isRod(ref.body)) s.arms.push_back(arm);
    }
    s.weldAt[weld.node] = index;
    s.welds.push_back(weld);
    addTie(s, scene, index);
  }
}

int weldOf(const Structure& s, scene::NodeRef ref) {
  const int weld = s.weldAt[s.bodyNodes[ref.body][ref.node]];
  if (weld < 0) return -1;
  const std::vector<scene::NodeRef>& refs = s.welds[weld].refs;  // a pin may share the node
  const auto same = [&](const scene::NodeRef& one) { return one.body == ref.body && one.node == ref.node; };
  return std::any_of(refs.begin(), refs.end(), same) ? weld : -1;
}

std::vector<int> tieUnknowns(const Structure& s, int tie) {
  const Weld& weld = s.welds[s.ties[tie].weld];
  std::vector<int> out;
  const auto add = [&](int first) {
    for (int k = 0; k < 3; ++k) out.push_back(first + k);
  };
  add(s.nodeDof[weld.node]), add(weld.turn);
  for (const int node : s.ties[tie].nodes) add(s.nodeDof[node]);
  return out;
}

void updateWelds(Structure& s) {
  for (const Weld& weld : s.welds) {
    double stiffness = 0;
    for (const int i : weld.edges) {
      const Edge& e = s.edges[i];
      s.mass.segment<3>(weld.turn).array() += halfEdgeInertia(e);
      s.mass[e.theta] -= halfEdgeInertia(e);
      stiffness += 2 * std::max({e.EI1, e.EI2, e.GJ}) / e.length;
    }
    if (weld.tie >= 0) s.ties[weld.tie].stiffness = tieStiffness * stiffness;
  }
}

Vec3 balancedTurn(const Structure& s, const Weld& weld, const VectorX& q) {
  Mat3 stiffness = Mat3::Zero();
  Vec3 moment = Vec3::Zero();
  for (const int i : weld.edges) {
    const Edge& e = s.edges[i];
    const Vec3 t = e.initial / e.length;
    const Mat3 along = t * t.transpose(),
               k = 2 / e.length * (e.GJ * along + std::max(e.EI1, e.EI2) * (Mat3::Identity() - along));
    stiffness += k;
    moment += 2 / e.length * e.GJ * q[e.theta] * t;
  }
  if (weld.tie >= 0) stiffness.diagonal().array() += s.ties[weld.tie].stiffness;
  const double size = stiffness.trace();
  if (!(size > 0)) return Vec3::Zero();
  stiffness.diagonal().array() += 1e-12 * size;  // against arms in one line that resist twist alone
  return stiffness.inverse() * moment;
}

// Edges say nothing about a turn about themselves but by their twist, which counts where nothing else does.
Vec3 spinOfArms(const Structure& s, const Weld& weld, const VectorX& v) {
  constexpr double little = 1e-6;
  Mat3 seen = Mat3::Zero();
  Vec3 sum = Vec3::Zero();
  for (const int i : weld.edges) {
    const Edge& e = s.edges[i];
    const Vec3 t = e.initial / e.length, change = v.segment<3>(s.nodeDof[e.b]) - v.segment<3>(s.nodeDof[e.a]);
    const Mat3 along = t * t.transpose();
    seen += Mat3::Identity() - along + little * along;
    sum += t.cross(change) / e.length + little * v[e.theta] * t;
  }
  return seen.inverse() * sum;
}

}  // namespace tendril::rods_shells
