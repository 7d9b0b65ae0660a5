// Selectors of the scene language on linkages ("arm:tip", "arm/limb@0.5", "arm/f*:tip") resolved to links and points on
// them; and the refusal of linkages where only rods and shells are supported.
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

/// The result of a selector (or a list of them): nodes of rods and shells, points on linkages, tips of vines; no
/// duplicates.
struct Selection {
  std::vector<NodeRef> nodes;
  std::vector<LinkRef> places;
  std::vector<int> vines;  ///< indices into Scene::vines
};

/// "arm:tip": the tip of the last link; "arm/limb" and "arm/limb:tip": of that link; "arm/limb@0.5": halfway along it;
/// "arm": the tips of all links; "v:tip" and "v": the tip of a vine. Everything else is selected as nodes. Invalid
/// selectors are problems.
Selection selectPlaces(LoadContext& context, const text::Value& selector);

/// Whether a text is the name of a vine.
bool namesVine(const LoadContext& context, const text::Value& selector);

/// Whether a selector (of a list: any) means vines.
bool meansVines(const LoadContext& context, const text::Value& selector);

/// Whole vines: "v", "v*", or a list of these only. Invalid ones are problems.
std::vector<int> selectVines(LoadContext& context, const text::Value& selector);

/// A whole vine by its name, or empty with a problem.
std::vector<int> selectVine(LoadContext& context, const text::Value& selector);

/// Whole links: "arm/limb", "arm/f*", "arm" (all of it), or a list.
std::vector<LinkRef> selectLinks(LoadContext& context, const text::Value& selector);

/// The soft ones of these, each once. Where there is none, a problem `WHAT, and "arm/hub" is rigid; INSTEAD`; another
/// where the selector means rods, shells or vines.
std::vector<LinkRef> selectSoftLinks(LoadContext& context, const text::Value& selector, const std::string& what,
                                     const std::string& instead);

/// True, with a problem `"arm/limb" is on a linkage, and WHAT; INSTEAD`, where a selector means linkages, or vines.
bool refuseLinkages(LoadContext& context, const text::Value& selector, const std::string& what,
                    const std::string& instead);

/// Whether a selector (of a list: any) means linkages: it has a "/", or names one and no rod or shell.
bool meansLinkages(const LoadContext& context, const text::Value& selector);

/// The joint of the one link that a text such as "arm/hub" names, read from the scene's tree before linkages are
/// loaded; null if there is no such link, or it has no joint.
const text::Value* jointInTree(const LoadContext& context, std::string_view text);

}  // namespace tendril::scene
