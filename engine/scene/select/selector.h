// Selectors of the scene language ("arm:last", "leg*:first", {"of": "arm", "where": "x < 0.1"}) resolved to nodes and
// edges of rods and shells; links.h resolves those on linkages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scene/scene.h"

namespace tendril::text {
struct Value;
}

namespace tendril::scene {

class LoadContext;

/// Nodes of a selector or of a list of selectors, by body and node in the order of the text, no duplicates. Invalid
/// selectors and those that match nothing are problems; the result is then empty.
std::vector<NodeRef> selectNodes(LoadContext& context, const text::Value& selector);

/// As selectNodes, but keeps duplicates in the list (which a weld must report).
std::vector<NodeRef> selectEveryNode(LoadContext& context, const text::Value& selector);

/// Edges, where the selector numbers edges (`fixTwist`, `turn`): "arm:0" or "arm:first" is the first, "arm:-1" the
/// last; "arm" is all. {"of", "where"} selects the edges with both nodes in it. `key` is the constraint's, for the
/// message that refuses a shell.
std::vector<EdgeRef> selectEdges(LoadContext& context, const text::Value& selector, const std::string& key);

/// selectNodes for loads on edges of rods and shells: a selection without a whole edge is a problem.
std::vector<NodeRef> selectNodesOfEdges(LoadContext& context, const text::Value& selector);

/// Bodies by name, numbered as in NodeRef, then linkages: "arm", "leg*", or a list of these.
std::vector<int> selectBodies(LoadContext& context, const text::Value& selector);

/// "2..5" or "-5..-1": first and last of a range, negative ones counted from the end. False where the text is none.
bool parseRange(std::string_view text, long& first, long& last);

/// Whether a name matches a pattern in which `*` stands for any letters.
bool nameMatches(std::string_view pattern, std::string_view name);

/// The edges of rods with both nodes among `nodes`, ordered by rod and edge; nodes of shells are ignored.
std::vector<EdgeRef> edgesWithin(const std::vector<Rod>& rods, const std::vector<NodeRef>& nodes);

/// "arm:3", for messages.
std::string nodeName(const Scene& scene, NodeRef node);

/// Arc length from the start to every node of the initial polygon [m].
std::vector<double> arcLengths(const std::vector<Vec3>& points);

}  // namespace tendril::scene
