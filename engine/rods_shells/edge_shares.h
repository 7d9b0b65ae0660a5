// Which edges take what acts on the frame of a rod at a node.
#pragma once

#include <array>
#include <cstddef>

#include "rods_shells/structure.h"

namespace tendril::rods_shells {

/// What an edge takes of a follower force or a moment at a node.
struct EdgeShare {
  int edge = 0;
  scene::NodeRef at;  ///< the node, as the edge's rod names it
  double share = 1;
  bool whole = true;    ///< no other edge takes any
  bool second = false;  ///< where two rods go on in one line: of the one that begins there
};

/// One or two of them; every step asks for them, so that they are not on the heap.
class EdgeShares {
 public:
  void add(const EdgeShare& one) { all_[count_++] = one; }
  std::size_t size() const { return count_; }
  EdgeShare& operator[](std::size_t i) { return all_[i]; }
  const EdgeShare* begin() const { return all_.data(); }
  const EdgeShare* end() const { return all_.data() + count_; }

 private:
  std::array<EdgeShare, 2> all_;
  std::size_t count_ = 0;
};

/// The edges at a node of a rod, of which a weld's frame, if there is one, takes all. Half of a force each; of a moment
/// as much as their half edges are stiff, as if they met in a rigid node.
EdgeShares edgeShares(const Structure& structure, scene::NodeRef at, bool force);

/// The joint by which a rod goes on in another one, or in itself, at that node; or null.
const Spring* lineJointAt(const Structure& structure, scene::NodeRef at);

/// Whether rods are clamped to each other there, so that a moment on several names of the node acts once.
bool isWelded(const Structure& structure, scene::NodeRef at);

}  // namespace tendril::rods_shells
