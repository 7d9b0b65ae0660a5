// Selectors on linkages, resolved to links and points on them (links.h).
#include "scene/select/links.h"

#include <algorithm>
#include <cstdlib>

#include "scene/load/links/linkages.h"
#include "scene/select/selector.h"

namespace tendril::scene {
namespace {

/// "leg*/foot@0.5" in parts.
struct Parts {
  std::string linkage, link;  ///< patterns; empty link: the whole linkage
  bool hasLink = false;
  char mark = 0;     ///< ':', '@', or 0 where nothing follows the names
  std::string rest;  ///< what follows the mark
};

Parts partsOf(std::string_view text) {
  Parts parts;
  const std::size_t cut = std::min(text.find_first_of(":@"), text.size());
  const std::string_view names = text.substr(0, cut);
  const std::size_t slash = names.find('/');
  parts.hasLink = slash != std::string_view::npos;
  parts.linkage = names.substr(0, slash);
  if (parts.hasLink) parts.link = names.substr(slash + 1);
  if (cut < text.size()) {
    parts.mark = text[cut];
    parts.rest = text.substr(cut + 1);
  }
  return parts;
}

bool namesBody(const LoadContext& context, const std::string& pattern) {
  return std::any_of(context.bodyNames.begin(), context.bodyNames.end(),
                     [&](const auto& body) { return nameMatches(pattern, body.first); });
}

bool namesLinkage(const LoadContext& context, const std::string& pattern) {
  return std::any_of(context.linkageNames.begin(), context.linkageNames.end(),
                     [&](const auto& linkage) { return nameMatches(pattern, linkage.first); });
}

/// Whether a vine is meant: nothing else has the name.
bool onVines(const LoadContext& context, const Parts& parts) {
  if (parts.hasLink || namesBody(context, parts.linkage) || namesLinkage(context, parts.linkage)) return false;
  return std::any_of(context.vineNames.begin(), context.vineNames.end(),
                     [&](const auto& vine) { return nameMatches(parts.linkage, vine.first); });
}

/// The vines that match a selector, and their only point.
std::vector<int> vinesOf(LoadContext& context, const text::Value& selector, const Parts& parts) {
  if (parts.mark != 0 && (parts.mark != ':' || parts.rest != "tip")) {
    context.problem(selector, "\"" + std::string(1, parts.mark) + parts.rest +
                                  "\" is not a position on a vine, whose bodies come and go; expected its tip, \"" +
                                  parts.linkage + ":tip\"");
    return {};
  }
  std::vector<int> found;
  const std::vector<Vine>& vines = context.scene.vines;
  for (std::size_t i = 0; i < vines.size(); ++i)
    if (nameMatches(parts.linkage, vines[i].name)) found.push_back(int(i));
  return found;
}

/// Whether a text means linkages; where a pattern matches bodies of both sorts, the part after the name decides, and
/// without one it means both.
bool onLinkages(const LoadContext& context, const Parts& parts) {
  if (parts.hasLink) return true;
  if (!namesLinkage(context, parts.linkage)) return false;
  return !namesBody(context, parts.linkage) || parts.mark == 0 || parts.rest == "tip";
}

/// A pattern that is only a name may mean both.
bool onNodes(const LoadContext& context, const Parts& parts) {
  return !onLinkages(context, parts) || (parts.mark == 0 && !parts.hasLink && namesBody(context, parts.linkage));
}

/// For an unknown name: whether a linkage was meant.
bool meantForLinkages(const LoadContext& context, const Parts& parts) {
  return !context.linkageNames.empty() && !namesBody(context, parts.linkage) &&
         (parts.rest == "tip" || context.bodyNames.empty());
}

/// The links that match the patterns; a whole linkage is all of its links.
std::vector<LinkRef> linksOf(LoadContext& context, const text::Value& selector, const Parts& parts) {
  std::vector<LinkRef> found;
  const std::vector<Linkage>& linkages = context.scene.linkages;
  std::vector<std::string> known;
  const Linkage* only = nullptr;
  for (std::size_t a = 0; a < linkages.size(); ++a) {
    known.push_back(linkages[a].name);
    if (!nameMatches(parts.linkage, linkages[a].name)) continue;
    only = &linkages[a];
    for (std::size_t l = 0; l < linkages[a].links.size(); ++l)
      if (!parts.hasLink || nameMatches(parts.link, linkages[a].links[l].name)) found.push_back({int(a), int(l), 1});
  }
  if (!found.empty()) return found;
  if (!only)
    context.problem(selector, unknownName("linkage", parts.linkage, known));
  else if (parts.link.find('*') != std::string::npos)
    context.problem(selector, "\"" + parts.link + "\" matches no link of \"" + only->name + "\"");
  else if (parts.hasLink)
    unknownLink(context, selector, parts.link, *only, false);
  return found;
}

std::vector<LinkRef> placesOf(LoadContext& context, const text::Value& selector, const Parts& parts) {
  std::vector<LinkRef> links = linksOf(context, selector, parts);
  if (links.empty() || parts.mark == 0) return links;
  if (parts.mark == ':' && parts.rest == "tip") {
    if (parts.hasLink) return links;
    std::vector<LinkRef> last;  // the last link of each linkage
    for (const LinkRef& link : links) {
      if (!last.empty() && last.back().linkage == link.linkage) last.pop_back();
      last.push_back(link);
    }
    return last;
  }
  char* end = nullptr;
  const double at = std::strtod(parts.rest.c_str(), &end);
  const bool isPosition = parts.mark == '@' && !parts.rest.empty() && *end == '\0' && at >= 0 && at <= 1;
  if (isPosition && parts.hasLink) {
    for (LinkRef& link : links) link.at = at;
    return links;
  }
  const Linkage& first = context.scene.linkages[std::size_t(links[0].linkage)];
  const std::string link = first.name + "/" + first.links[std::size_t(links[0].link)].name;
  if (isPosition)
    context.problem(selector, "a position along a linkage needs the name of a link; expected for example \"" + link +
                                  "@" + parts.rest + "\"");
  else
    context.problem(selector, "\"" + std::string(1, parts.mark) + parts.rest +
                                  "\" is not a position on a linkage; expected the tip, \"" + link +
                                  ":tip\", or a position along a link from 0 (its joint) to 1 (its tip), \"" + link +
                                  "@0.5\"");
  return {};
}

template <class List, class Item>
void addOnce(List& list, const Item& item) {
  if (std::find(list.begin(), list.end(), item) == list.end()) list.push_back(item);
}

}  // namespace

Selection selectPlaces(LoadContext& context, const text::Value& selector) {
  Selection found;
  if (selector.isArray()) {
    // Nodes are selected as one list, so that selectNodes sees all of them.
    text::Value nodes = selector;
    nodes.items.clear();
    for (const text::Value& item : selector.items) {
      const Parts parts = partsOf(item.string);
      if (item.isString() && onVines(context, parts)) {
        for (const int vine : vinesOf(context, item, parts)) addOnce(found.vines, vine);
        continue;
      }
      const bool meant = item.isString() && meantForLinkages(context, parts);
      if (item.isObject() && refuseLinkages(context, item, "", "")) continue;
      if (item.isString() && (meant || onLinkages(context, parts)))
        for (const LinkRef& place : placesOf(context, item, parts)) addOnce(found.places, place);
      if (!item.isString() || (!meant && onNodes(context, parts))) nodes.items.push_back(item);
    }
    if (!nodes.items.empty() || selector.items.empty()) found.nodes = selectNodes(context, nodes);
    return found;
  }
  if (refuseLinkages(context, selector, "", "")) return found;  // {"of": "arm", "where": ...}
  if (selector.isString()) {
    const Parts parts = partsOf(selector.string);
    if (onVines(context, parts)) {
      found.vines = vinesOf(context, selector, parts);
      return found;
    }
    const bool meant = meantForLinkages(context, parts);
    if (meant || onLinkages(context, parts)) found.places = placesOf(context, selector, parts);
    if (meant || !onNodes(context, parts)) return found;
  }
  found.nodes = selectNodes(context, selector);
  return found;
}

std::vector<LinkRef> selectLinks(LoadContext& context, const text::Value& selector) {
  std::vector<LinkRef> found;
  if (selector.isArray()) {
    for (const text::Value& item : selector.items)
      for (const LinkRef& link : selectLinks(context, item)) addOnce(found, link);
    return found;
  }
  const Parts parts = partsOf(selector.string);
  if (!selector.isString() || parts.mark != 0) {
    context.problem(selector, "expected a whole link, such as \"arm/limb\"");
    return found;
  }
  return linksOf(context, selector, parts);
}

std::vector<LinkRef> selectSoftLinks(LoadContext& context, const text::Value& selector, const std::string& what,
                                     const std::string& instead) {
  std::vector<LinkRef> links = selectLinks(context, selector);
  if (links.empty()) return links;
  const auto linkOf = [&](const LinkRef& ref) -> const Link& {
    return context.scene.linkages[std::size_t(ref.linkage)].links[std::size_t(ref.link)];
  };
  const LinkRef first = links[0];
  links.erase(std::remove_if(links.begin(), links.end(), [&](const LinkRef& ref) { return bool(linkOf(ref).rigid); }),
              links.end());
  if (links.empty())
    context.problem(selector, what + ", and \"" + context.scene.linkages[std::size_t(first.linkage)].name + "/" +
                                  linkOf(first).name + "\" is rigid; " + instead);
  return links;
}

bool namesVine(const LoadContext& context, const text::Value& selector) {
  return selector.isString() && context.vineNames.count(selector.string) > 0;
}

bool meansVines(const LoadContext& context, const text::Value& selector) {
  if (selector.isArray())
    return std::any_of(selector.items.begin(), selector.items.end(),
                       [&](const text::Value& item) { return meansVines(context, item); });
  return selector.isString() && onVines(context, partsOf(selector.string));
}

std::vector<int> selectVines(LoadContext& context, const text::Value& selector) {
  std::vector<int> found;
  if (selector.isArray()) {
    for (const text::Value& item : selector.items)
      for (const int vine : selectVines(context, item)) addOnce(found, vine);
    return found;
  }
  const Parts parts = partsOf(selector.string);
  if (!selector.isString() || !onVines(context, parts)) {
    context.problem(selector, "a load per length or mass acts on vines or on other bodies; expected a load for each");
    return {};
  }
  if (parts.mark != 0) {
    context.problem(selector, "a load per length or mass acts along whole vines; expected \"" + parts.linkage +
                                  "\", or no \"per\" for a force at its tip");
    return {};
  }
  return vinesOf(context, selector, parts);
}

std::vector<int> selectVine(LoadContext& context, const text::Value& selector) {
  std::vector<std::string> known;
  for (const Vine& vine : context.scene.vines) {
    if (selector.isString() && selector.string == vine.name) return {int(known.size())};
    known.push_back(vine.name);
  }
  context.problem(selector, unknownName("vine", selector.string, known));
  return {};
}

bool meansLinkages(const LoadContext& context, const text::Value& selector) {
  if (selector.isArray())
    return std::any_of(selector.items.begin(), selector.items.end(),
                       [&](const text::Value& item) { return meansLinkages(context, item); });
  if (selector.isObject()) {
    const text::Value* of = selector.find("of");
    return of && meansLinkages(context, *of);
  }
  return selector.isString() && !onNodes(context, partsOf(selector.string));
}

bool refuseLinkages(LoadContext& context, const text::Value& selector, const std::string& what,
                    const std::string& instead) {
  if (selector.isArray()) {
    bool refused = false;
    for (const text::Value& item : selector.items) refused = refuseLinkages(context, item, what, instead) || refused;
    return refused;
  }
  if (selector.isString() && !what.empty() && onVines(context, partsOf(selector.string))) {
    context.problem(selector,
                    "\"" + selector.string + "\" is a vine, and " + what +
                        "; a vine is fixed at its base, and moved by \"growth\", \"steer\" and \"curvature\"");
    return true;
  }
  if (!meansLinkages(context, selector) || (selector.isString() && what.empty())) return false;
  if (selector.isObject()) {
    context.problem(selector, "\"where\" picks nodes of rods and shells, and \"" + selector.find("of")->string +
                                  "\" is a linkage; expected positions on its links, such as \"arm/limb@0.5\"");
    return true;
  }
  const bool link = selector.string.find('/') != std::string::npos;
  context.problem(selector, "\"" + selector.string + (link ? "\" is on a linkage, and " : "\" is a linkage, and ") +
                                what + "; " + instead);
  return true;
}

const text::Value* jointInTree(const LoadContext& context, std::string_view text) {
  const Parts parts = partsOf(text);
  for (const text::Member& linkage : membersOf(context, "linkages")) {
    const text::Value* links = nameMatches(parts.linkage, linkage.key) ? linkage.value.find("links") : nullptr;
    if (!links) continue;
    for (const text::Member& link : links->members)
      if (!parts.hasLink || nameMatches(parts.link, link.key)) return link.value.find("joint");
  }
  return nullptr;
}

}  // namespace tendril::scene
