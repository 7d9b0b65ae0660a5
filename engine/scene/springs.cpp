#include "scene/springs.h"

namespace tendril::scene {

std::vector<std::array<NodeRef, 2>> vectorsOf(const Scene& scene, const Spring& spring) {
  std::vector<std::array<NodeRef, 2>> vectors;
  if (elastic::springKinds()[static_cast<std::size_t>(spring.kind)].ends == elastic::SpringEnds::points) {
    for (std::size_t k = 1; k < spring.nodes.size(); ++k) vectors.push_back({spring.nodes[k - 1], spring.nodes[k]});
    return vectors;
  }
  for (const NodeRef end : spring.nodes) {
    const int last = static_cast<int>(scene.points(end.body).size()) - 1;
    vectors.push_back({end, NodeRef{end.body, end.node == last ? last - 1 : end.node + 1}});
  }
  return vectors;
}

}  // namespace tendril::scene
