// Springs between points of rods and shells.
#include <algorithm>

#include "elastic/spring_kinds.h"
#include "scene/load/topics.h"
#include "scene/select/links.h"
#include "scene/select/selector.h"

namespace tendril::scene {
namespace {

/// The nodes of a spring; empty, with a problem, where they do not fit its kind.
std::vector<NodeRef> nodesOf(LoadContext& context, const text::Value& list, const elastic::SpringKind& kind) {
  if (refuseLinkages(context, list, "springs connect nodes of rods and shells",
                     "a link's \"joint\" has a \"stiffness\""))
    return {};
  std::vector<NodeRef> nodes = selectEveryNode(context, list);
  if (nodes.empty()) return {};
  const auto refuse = [&](const std::string& message) {
    context.problem(list, message);
    return std::vector<NodeRef>();
  };
  if (int(nodes.size()) != kind.places())
    return refuse("\"" + std::string(kind.name) + "\" is between " + std::to_string(kind.places()) +
                  " places; this selects " + std::to_string(nodes.size()) +
                  ": expected one node each, such as \"arm:last\"");
  for (std::size_t a = 0; a < nodes.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      if (nodes[a] == nodes[b])
        return refuse("the spring names " + nodeName(context.scene, nodes[a]) + " twice; expected different nodes");
  return nodes;
}

/// The initial measure must be well defined beyond round-off: coincident points have no distance with a direction.
void checkMeasure(LoadContext& context, const text::Value& list, const Spring& spring) {
  const elastic::SpringKind& kind = elastic::springKinds()[std::size_t(spring.kind)];
  elastic::StrainVector u(3 * kind.vectors);
  const auto position = [&](NodeRef node) { return context.scene.points(node.body)[std::size_t(node.node)]; };
  double size = position(spring.nodes[0]).cwiseAbs().maxCoeff();
  for (int k = 0; k < kind.vectors; ++k) {
    const Vec3 from = position(spring.nodes[std::size_t(k)]), to = position(spring.nodes[std::size_t(k) + 1]);
    u.segment<3>(3 * k) = to - from;
    size = std::max(size, to.cwiseAbs().maxCoeff());
  }
  constexpr double rounded = 1e-12;  // of positions
  const elastic::StrainValue strain = kind.at(u);
  const double whole = kind.period > 0 ? kind.period : std::abs(strain.value);
  if (strain.valid && rounded * size * strain.gradient.norm() < whole) return;
  context.problem(list, "\"" + std::string(kind.name) + "\" cannot be measured as built: " + kind.undefined +
                            "; expected nodes that are apart and not in line, or a joint");
}

void loadSpring(LoadContext& context, const text::Member& member) {
  const text::Value& value = member.value;
  Spring spring;
  spring.name = member.key, spring.pointer = value.pointer;
  const text::Value* law = nullptr;
  for (std::size_t k = 0; k < elastic::springKinds().size() && !law; ++k) {
    law = value.find(elastic::springKinds()[k].name);
    spring.kind = int(k);
  }
  const text::Value* between = value.find("between");
  if (!law || !between || !law->find("stiffness")) return;  // reported by the check of keys
  const elastic::SpringKind& kind = elastic::springKinds()[std::size_t(spring.kind)];
  const std::string path = "springs." + std::string(kind.name) + ".";
  const auto number = [&](const char* key) {
    const text::Value* at = law->find(key);
    return at ? context.number(*at, path + key, Use::live) : formula::Number(defaultNumber(path + key));
  };
  spring.stiffness = number("stiffness");
  spring.damping = number("damping");
  if (law->find("natural")) spring.natural = limitedToRange(number("natural"), path + "natural");
  spring.look = loadLook(context, value.find("look"));
  if (!context.bodiesUsable) return;
  spring.nodes = nodesOf(context, *between, kind);
  if (spring.nodes.empty()) return;
  checkMeasure(context, *between, spring);
  context.scene.springs.push_back(std::move(spring));
}

}  // namespace

void loadSprings(LoadContext& context) {
  for (const text::Member& member : membersOf(context, "springs")) loadSpring(context, member);
}

}  // namespace tendril::scene
