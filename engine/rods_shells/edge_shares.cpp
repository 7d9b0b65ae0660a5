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

EdgeShares edgeShares(const Structure& structure, scene::NodeRef at, bool force) {
  const int last = static_cast<int>(structure.bodyNodes[static_cast<std::size_t>(at.body)].size()) - 1;
  const bool welded = weldOf(structure, at) >= 0;
  EdgeShares out;
  // Where two rods go on in one line, or a ring closes, the other rod's edge is the second.
  if (const Spring* p = lineJointAt(structure, at)) {
    out.add({p->e.edge, {p->rod, p->place}});
    const scene::NodeRef second{structure.edges[static_cast<std::size_t>(p->f.edge)].rod, 0};
    if (!welded) out.add({p->f.edge, second, 1, true, true});
  } else {
    out.add({structure.edgeAt(at), at});
    if (!welded && at.node > 0 && at.node < last) out.add({structure.edgeAt(at) + 1, at});
  }
  if (out.size() < 2) return out;
  double stiffness[2] = {1, 1};
  for (std::size_t k = 0; !force && k < 2; ++k) {
    const Edge& e = structure.edges[static_cast<std::size_t>(out[k].edge)];
    stiffness[k] = std::max(e.EI1, e.EI2) / e.length;
  }
  for (std::size_t k = 0; k < 2; ++k) out[k].share = stiffness[k] / (stiffness[0] + stiffness[1]), out[k].whole = false;
  return out;
}

}  // namespace tendril::rods_shells
