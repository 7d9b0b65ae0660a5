#include "rods_shells/edge_shares.h"

#include <algorithm>

#include "rods_shells/welds.h"

namespace tendril::rods_shells {

const Spring* lineJointAt(const Structure& structure, scene::NodeRef at) {
  const Spring* found = nullptr;
  for (const int i :
       structure
           .springsAt[static_cast<std::size_t>(structure.rodFirstNode[static_cast<std::size_t>(at.body)] + at.node)]) {
    const Spring& p = structure.springs[static_cast<std::size_t>(i)];
    if (p.joint) found = &p;
  }
  return found;
}

bool isWelded(const Structure& structure, scene::NodeRef at) {
  return weldOf(structure, at) >= 0 || lineJointAt(structure, at);
}

std::vector<EdgeShare> edgeShares(const Structure& structure, scene::NodeRef at, bool force) {
  const int last = static_cast<int>(structure.bodyNodes[static_cast<std::size_t>(at.body)].size()) - 1;
  std::vector<EdgeShare> out{{structure.edgeAt(at), at}};
  if (at.node > 0 && at.node < last) out.push_back({structure.edgeAt(at) + 1, at});
  // Where two rods go on in one line, or a ring closes, the other rod's edge is the second.
  if (const Spring* p = lineJointAt(structure, at)) {
    const scene::NodeRef second{structure.edges[static_cast<std::size_t>(p->f.edge)].rod, 0};
    out = {{p->e.edge, {p->rod, p->place}}, {p->f.edge, second, 1, true, true}};
  }
  if (weldOf(structure, at) >= 0) return {out.front()};
  if (out.size() < 2) return out;
  double stiffness[2] = {1, 1};
  for (int k = 0; !force && k < 2; ++k) {
    const Edge& e = structure.edges[static_cast<std::size_t>(out[static_cast<std::size_t>(k)].edge)];
    stiffness[k] = std::max(e.EI1, e.EI2) / e.length;
  }
  for (int k = 0; k < 2; ++k) {
    EdgeShare& one = out[static_cast<std::size_t>(k)];
    one.share = stiffness[k] / (stiffness[0] + stiffness[1]), one.whole = false;
  }
  return out;
}

}  // namespace tendril::rods_shells
