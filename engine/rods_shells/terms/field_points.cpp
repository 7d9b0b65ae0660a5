#include "rods_shells/terms/field_points.h"

#include <algorithm>
#include <set>

#include "rods_shells/edge_shares.h"
#include "rods_shells/welds.h"

namespace tendril::rods_shells {
namespace {

using scene::LoadField;
using Per = LoadField::Per;

/// Finds the points of a load. Elements count that have all their nodes selected; for a direction at a node, all at it.
class Planner {
 public:
  Planner(const Structure& structure, const scene::Scene& scene, const scene::Load& load)
      : s_(structure), scene_(scene), load_(load), per_(load.field.per) {
    const formula::PlaceUse sees = placeOf(load);
    turns_ = load.field.kind == LoadField::Kind::moment;
    directed_ = turns_ || load.field.kind == LoadField::Kind::pressure || sees.tangent || sees.normal;
    for (const scene::NodeRef& ref : load.nodes) selected_.insert({ref.body, ref.node});
    elementsAt_.assign(s_.nodes.size(), 0);
  }

  // Out of line: what scenes without fields call is small.
  [[gnu::noinline]] std::vector<FieldPoint> operator()() {
    if (turns_) {
      addMoments();
      return out_;
    }
    if (per_ == Per::node && !directed_) {
      std::vector<char> known(s_.nodes.size(), 0);
      for (const scene::NodeRef& ref : load_.nodes) {
        const int node = s_.node(ref);
        if (!known[static_cast<std::size_t>(node)]) add(ref.body, ref.node, 1, {node, -1, -1}, 1, 0);
        known[static_cast<std::size_t>(node)] = 1;
      }
      return out_;
    }
    if (per_ != Per::area) addEdges();
    for (std::size_t i = 0; i < scene_.shells.size(); ++i) addShell(static_cast<int>(i));
    if (per_ == Per::node) {
      for (FieldPoint& p : out_) p.weight /= elementsAt_[static_cast<std::size_t>(p.node())];
    }
    return out_;
  }

 private:
  bool has(int body, int node) const { return selected_.count({body, node}) > 0; }

  void add(int body, int index, double weight, const std::array<int, 3>& corners, int count, int own) {
    FieldPoint p;
    p.corners = corners, p.count = count, p.own = own, p.weight = weight;
    p.i = index, p.n = static_cast<double>(s_.bodyNodes[static_cast<std::size_t>(body)].size());
    if (scene_.isRod(body)) {
      const std::vector<double>& arc = arcOf(body);
      p.s = arc[static_cast<std::size_t>(index)], p.u = p.s / arc.back();
    }
    ++elementsAt_[static_cast<std::size_t>(p.node())];
    out_.push_back(p);
  }

  // A corner of an element, which brings the others along where its direction is seen.
  void addCorner(int body, int index, double weight, const std::array<int, 3>& corners, int count, int own) {
    if (directed_)
      add(body, index, weight, corners, count, own);
    else
      add(body, index, weight, {corners[static_cast<std::size_t>(own)], -1, -1}, 1, 0);
  }

  // Arc lengths of a rod's nodes [m]; of the rod asked for last.
  const std::vector<double>& arcOf(int rod) {
    if (arcRod_ == rod) return arc_;
    arcRod_ = rod;
    arc_.assign(1, 0.0);
    for (std::size_t k = 1; k < s_.bodyNodes[static_cast<std::size_t>(rod)].size(); ++k)
      arc_.push_back(arc_.back() + s_.edges[static_cast<std::size_t>(s_.edge({rod, static_cast<int>(k) - 1}))].length);
    return arc_;
  }

  void addEdges() {
    for (std::size_t i = 0; i < s_.edges.size(); ++i) {
      const Edge& e = s_.edges[i];
      const bool ends[2] = {has(e.rod, e.index), has(e.rod, e.index + 1)};
      if (per_ == Per::node ? !(ends[0] || ends[1]) : !(ends[0] && ends[1])) continue;
      const double weight = per_ == Per::mass     ? 0.5 * e.length * e.massPerLength
                            : per_ == Per::length ? 0.5 * e.length
                                                  : 1;
      for (int k = 0; k < 2; ++k) {
        if (!ends[k]) continue;
        addCorner(e.rod, e.index + k, weight, {e.a, e.b, -1}, 2, k);
        if (turns_) out_.back().edge = static_cast<int>(i);
      }
    }
  }

  void addMoments() {
    if (per_ != Per::node) {
      addEdges();
      return;
    }
    for (auto ref = load_.nodes.begin(); ref != load_.nodes.end(); ++ref) {
      // On several names of a node: on rods that go on in one line once; on a weld's frame the mean of what they see.
      const auto same = [&](const scene::NodeRef& earlier) { return s_.node(earlier) == s_.node(*ref); };
      const int weld = weldOf(s_, *ref);
      if (weld < 0 && isWelded(s_, *ref) && std::any_of(load_.nodes.begin(), ref, same)) continue;
      if (weld >= 0) {
        addTurning(*ref, *ref, s_.edgeAt(*ref), weld, 1);
        const bool inside =
            ref->node > 0 && ref->node + 1 < static_cast<int>(s_.bodyNodes[static_cast<std::size_t>(ref->body)].size());
        if (inside) addTurning(*ref, *ref, s_.edgeAt(*ref) + 1, weld, 1);
        continue;
      }
      for (const EdgeShare& one : edgeShares(s_, *ref, false)) addTurning(*ref, one.at, one.edge, -1, one.share);
    }
    for (FieldPoint& p : out_) {
      if (p.weld >= 0) p.weight /= elementsAt_[static_cast<std::size_t>(p.node())];
    }
  }

  // A moment at a node, as `ref` names it, that an edge of the rod of `at` takes, or a weld's frame.
  void addTurning(scene::NodeRef ref, scene::NodeRef at, int edge, int weld, double share) {
    const Edge& e = s_.edges[static_cast<std::size_t>(edge)];
    add(ref.body, ref.node, share, {e.a, e.b, -1}, 2, e.a == s_.node(at) ? 0 : 1);
    FieldPoint& p = out_.back();
    (weld < 0 ? p.edge : p.weld) = weld < 0 ? edge : weld;
    for (const HeldFrame& frame : s_.held) {
      if (frame.rod == at.body && frame.place == at.node) p.clamps.push_back(frame.constraint);
    }
  }

  void addShell(int shell) {
    const int body = scene_.bodyOfShell(shell);
    const auto number = static_cast<std::size_t>(shell);
    const std::vector<int>& nodes = s_.bodyNodes[static_cast<std::size_t>(body)];
    std::vector<int> vertex(s_.nodes.size(), -1);  // of selected nodes
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      if (has(body, static_cast<int>(k))) vertex[static_cast<std::size_t>(nodes[k])] = static_cast<int>(k);
    }
    const auto at = [&vertex](int node) { return vertex[static_cast<std::size_t>(node)]; };
    if (per_ == Per::length) {
      for (int k = s_.shell.firstEdge[number]; k < s_.shell.firstEdge[number + 1]; ++k) {
        const ShellEdge& e = s_.shell.edges[static_cast<std::size_t>(k)];
        if (at(e.a) < 0 || at(e.b) < 0) continue;
        // An edge where two shells meet is one line.
        if (!lines_.insert(std::minmax(e.a, e.b)).second) continue;
        for (const int node : {e.a, e.b}) add(body, at(node), 0.5 * e.length, {node, -1, -1}, 1, 0);
      }
      return;
    }
    for (int k = s_.shell.firstTriangle[number]; k < s_.shell.firstTriangle[number + 1]; ++k) {
      const ShellTriangle& t = s_.shell.triangles[static_cast<std::size_t>(k)];
      const bool all = std::all_of(t.nodes.begin(), t.nodes.end(), [&](int node) { return at(node) >= 0; });
      if (per_ != Per::node && !all) continue;
      const double weight = per_ == Per::mass   ? t.rest.area / 3 * t.massPerArea
                            : per_ == Per::area ? t.rest.area / 3
                                                : 1;
      for (int c = 0; c < 3; ++c) {
        const int node = t.nodes[static_cast<std::size_t>(c)];
        if (at(node) >= 0) addCorner(body, at(node), weight, t.nodes, 3, c);
      }
    }
  }

  const Structure& s_;
  const scene::Scene& scene_;
  const scene::Load& load_;
  const Per per_;
  bool directed_ = false, turns_ = false;
  std::set<std::pair<int, int>> selected_, lines_;
  std::vector<int> elementsAt_;
  int arcRod_ = -1;
  std::vector<double> arc_;
  std::vector<FieldPoint> out_;
};

}  // namespace

std::vector<FieldPoint> fieldPoints(const Structure& structure, const scene::Scene& scene, const scene::Load& load) {
  return Planner(structure, scene, load)();
}

}  // namespace tendril::rods_shells
