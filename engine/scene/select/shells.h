// Shell parts of a selection of nodes: edges, hinges and triangles with all their ends selected; and the refusal of
// shells where only rods are supported, and of rods where only shells are.
#pragma once

#include <string>
#include <vector>

#include "scene/scene.h"

namespace tendril::text {
struct Value;
}

namespace tendril::scene {

class LoadContext;

/// Numbers of shell edges and hinges (interior edges) with both ends, and of triangles with all corners, among `nodes`.
struct ShellParts {
  int edges = 0, hinges = 0, triangles = 0;
};
ShellParts shellPartsWithin(const Scene& scene, const std::vector<NodeRef>& nodes);

/// True if all nodes are on rods. Otherwise a problem at the selector: `"plate" is a shell, and WHAT; INSTEAD`.
bool areOnRods(LoadContext& context, const text::Value& selector, const std::vector<NodeRef>& nodes,
               const std::string& what, const std::string& instead);
/// The same for loads on shells only: `"arm" is a rod, and WHAT; INSTEAD`.
bool areOnShells(LoadContext& context, const text::Value& selector, const std::vector<NodeRef>& nodes,
                 const std::string& what, const std::string& instead);

/// areOnShells, and a problem if the selection contains no hinge.
bool areOnHinges(LoadContext& context, const text::Value& selector, const std::vector<NodeRef>& nodes,
                 const std::string& what, const std::string& instead);

/// A problem at `value` where a field sees s or u and some node is on a shell, which has no arc length.
void checkFieldOnShells(LoadContext& context, const text::Value& value, const formula::Number& field,
                        const std::vector<NodeRef>& nodes);

/// "rod", "shell", or "rod or shell", as in the scene.
std::string bodyWord(const Scene& scene);

}  // namespace tendril::scene
